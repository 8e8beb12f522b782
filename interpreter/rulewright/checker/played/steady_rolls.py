"""Do the rules hold up when all dice fall the same way, game after game?

In: rules that random games have not made fail, the composition they were built from, how many decisions are played.
Out: a diagnostic when the rules fail in a game in which each roll has the same outcome as the one before, as good luck
and bad luck have it: a count that dice drive goes past its end. All these games can happen. Loops that wait for another
number are no fault. Under variants only what fails in what a variant wrote.
"""

from __future__ import annotations

from typing import Final

from rulewright import limits
from rulewright.checker.common.codes import FAILS_IN_PLAY
from rulewright.checker.common.rule_spans import fault_span
from rulewright.checker.common.tried_games import first_seed
from rulewright.checker.played.fault_places import find_fault_place
from rulewright.checker.played.last_rounds import find_last_round
from rulewright.diagnostics import Cause, Diagnostics
from rulewright.engine import chance
from rulewright.engine.default_engine import make_engine
from rulewright.engine.faults import EndlessSteps, RuleFault, TooMuchWork
from rulewright.engine.interface import Engine
from rulewright.engine.playout import Chooser, Playout, RandomChoices, play_out
from rulewright.engine.state import ChanceEvent
from rulewright.engine.value_notation import ValueNotation
from rulewright.model.effects import Roll
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.suggestions import join_list

MAX_FACES: Final = 6  # outcomes of a roll that are tried
MAX_NAMED: Final = 3  # states whose outcome is told
MAX_ROLLS: Final = 5  # and other draws for each decision
STREAM: Final = 1 << 41  # of a game's seed, from which actions and draws come; far from those of bots and games


def check_steady_rolls(rules: Rules, composition: Composition, diagnostics: Diagnostics, decisions: int) -> None:
    """Reports the first fault in such games."""
    rolls = [step.effect for block in rules.blocks for step in block.steps if isinstance(step.effect, Roll)]
    faces = min(MAX_FACES, max((len(roll.outcomes) for roll in rolls), default=0))
    if faces < 2:
        return
    engine, seed = make_engine(rules), first_seed(rules)
    for face in range(faces):
        game = SteadyGame(engine, seed + face, face / (faces - 1))
        fault = game.play(decisions // faces)
        if fault is None or isinstance(fault, EndlessSteps | TooMuchWork):
            continue
        place = find_fault_place(fault, rules, composition)
        span = fault_span(fault, composition) if place is None else place.span
        if not composition.is_judged(span):
            continue
        diagnostics.add(
            span,
            FAILS_IN_PLAY,
            f"{fault.message}: in {_game_of(rules)} in which {_falls(rules, rolls, game)}",
            label="fails here",
            help="" if place is None else place.hint,
            address=fault.address,
            cause=Cause("play", fault.failed, fault.key) if fault.failed else None,
        )
        return


def _game_of(rules: Rules) -> str:
    """How long a game lasts, if that is known."""
    try:
        last = find_last_round(rules)
    except RuleFault:
        last = None
    return "a game" if last is None else f"a game of up to {last.number} round{'s' * (last.number != 1)}"


def _falls(rules: Rules, rolls: list[Roll], game: SteadyGame) -> str:
    """What the dice have shown."""
    notation = ValueNotation.for_people(rules)
    if len({(roll.target.name, roll.outcomes) for roll in rolls}) == 1:
        value = notation.format_value(_outcome(rolls[0].outcomes, game.share), rolls[0].target.type)
        return f"each roll comes to `{value}`"
    outcomes = {
        state.name: {notation.format_value(value, state.type) for value in values}
        for state in rules.states.values()
        if (values := set().union(*(game.rolled.get(state.first_index + place, ()) for place in range(state.size))))
    }
    if len(outcomes) > MAX_NAMED or any(len(values) > 1 for values in outcomes.values()):
        return "each roll has the same outcome as the one before"
    each = [f"`{name}` to `{value}`" for name, (value,) in outcomes.items()]
    return join_list(each, "and").replace("` to `", "` always comes to `", 1)


def _outcome(outcomes: tuple[tuple[int, int], ...], share: float) -> int:
    """The outcome that comes each time: the first, the last, or one in between."""
    possible = [value for value, weight in outcomes if weight]
    return possible[round(share * (len(possible) - 1))]


class SteadyGame:
    """A game of players who choose at random; `share`: which of the outcomes of a roll comes each time."""

    def __init__(self, engine: Engine, seed: int, share: float) -> None:
        self.engine = engine
        self.random = RandomChoices(chance.seed_rng(seed, stream=STREAM))
        self.share = share
        self.rolled: dict[int, set[int]] = {}  # by the number of a state's variable: what it has come to

    def play(self, decisions: int, choose: Chooser | None = None) -> RuleFault | None:
        """The fault of the rules in so many decisions, if there is one; a game that waits for another roll is left.
        `choose`: players who do not choose at random.
        """
        made, rolled = 0, 0
        try:
            game = Playout(self.engine, self.engine.start())
            for step in play_out(game, choose or self.random.choose, draw=self._draw, max_turns=limits.MAX_GAME_TURNS):
                made += step.action is not None
                rolled += step.action is None
                if made >= decisions or rolled >= MAX_ROLLS * decisions:
                    break
        except RuleFault as fault:
            return fault
        return None

    def _draw(self, event: ChanceEvent) -> int:
        if event.kind != "roll":
            return self.random.draw(event)
        outcome = _outcome(event.outcomes, self.share)
        self.rolled.setdefault(event.target, set()).add(outcome)
        return outcome


__all__ = ["SteadyGame", "check_steady_rolls"]

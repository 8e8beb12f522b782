"""Do games have more rounds than a state has room for that is counted up in each of them?

In: rules that random games have not made fail, the composition they were built from. Out: a diagnostic when a state
leaves its type in a game of players who do what counts it up, whichever way the dice fall. Such games are only played
where the last round is known, from an end that asks for it, and the state could be counted up too often until then. It
is told at the end, if that lets one round too many be played, else where the state is set; under variants at what one
of them wrote, or at the change without which it does not happen.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial
from itertools import product
from typing import Final

from rulewright.checker.common.change_causes import blamed, is_by_variants
from rulewright.checker.common.codes import FAILS_IN_PLAY
from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.emptying_moves import added_to
from rulewright.checker.common.names_touched import NamesTouched
from rulewright.checker.common.tried_games import first_seed
from rulewright.checker.logic.counts_check import ranges_with_parameters
from rulewright.checker.played.last_rounds import LastRound, find_last_round
from rulewright.checker.played.steady_rolls import SteadyGame
from rulewright.diagnostics import Cause, Diagnostics, Related
from rulewright.engine.default_engine import make_engine
from rulewright.engine.faults import RuleFault
from rulewright.engine.playout import Chooser
from rulewright.engine.state import Action, Decision, State
from rulewright.expr.tree import Arithmetic
from rulewright.expr.types import Number
from rulewright.frozen import frozen
from rulewright.model.effects import Roll, SetState, Step
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules, StateDef
from rulewright.model.traversal import step_exprs

MAX_LAST_ROUND: Final = 60
MAX_DECISIONS: Final = 1_000  # of a game
MAX_FACES: Final = 6  # outcomes of a roll that are tried


@frozen
class _Counter:
    """A step that counts a state up, of which there is room for so many rounds."""

    step: Step
    state: StateDef
    rounds: int


def check_counted_rounds(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports the first such state."""
    try:
        found = _find_runaway(rules)
    except RuleFault:
        return  # reported by the set-up
    if found is None:
        return
    last, counter, fault = found
    root, name, room = composition.document.root, counter.state.name, counter.rounds
    places = [
        key_span(root, last.end.address, "when", last.end.span),
        key_span(root, counter.step.address, "to", counter.step.span),
    ]
    if room != last.number - 1:
        places.reverse()
    message = f"the game goes on to round {last.number}, and `{name}` has room for {room} round{'s' * (room != 1)}"
    message += f": {fault.message}"
    span = next(filter(composition.is_judged, places), None)
    if span is None:
        if not is_by_variants(composition, _is_right):
            return
        message, span = blamed(message, last.end.address, composition, _is_right)
    diagnostics.add(
        span,
        FAILS_IN_PLAY,
        message,
        label="lets one round too many be played" if span == places[0] and room == last.number - 1 else "too often",
        help=f"end the game with round {room}, or give `{name}` a wider type",
        address=fault.address,
        related=[Related(place, "too often, with this") for place in places if place != span],
        cause=Cause("play", fault.failed, fault.key) if fault.failed else None,
    )


def _is_right(rules: Rules) -> bool:
    return _find_runaway(rules) is None


def _find_runaway(rules: Rules) -> tuple[LastRound, _Counter, RuleFault] | None:
    """A state that is counted up too often, and the fault of a game that shows it."""
    last = find_last_round(rules)
    if last is None or last.number > MAX_LAST_ROUND:
        return None
    ranges = ranges_with_parameters(rules)
    for counter in _counters(rules, ranges):
        if counter.rounds < last.number:
            fault = _play(rules, counter)
            if fault is not None and fault.address == counter.step.address:
                return last, counter, fault
    return None


def _counters(rules: Rules, ranges: ExpressionRanges) -> Iterator[_Counter]:
    """The steps that count a state up that nothing sets back by itself, without a bound."""
    for step in (step for block in rules.blocks for step in block.steps):
        effect = step.effect
        if not isinstance(effect, SetState) or not isinstance(effect.to, Arithmetic) or effect.to.op != "+":
            continue
        state, added = rules.states[effect.target.name], added_to(effect.target, effect.to)
        if added is None or not isinstance(state.type, Number) or state.reset_scope or state.block_address:
            continue
        start = ranges.scalars(state.initial_value, {0: ranges.seats}, ranges.seats).low
        most = ranges.scalars(added, {}, ranges.seats).high if isinstance(added.type, Number) else 0
        if most > 0:
            yield _Counter(step, state, (state.type.high - start) // most)


def _play(rules: Rules, counter: _Counter) -> RuleFault | None:
    """The fault of games in which all, or one of them, do what counts a state up, with each outcome of the dice."""
    names = NamesTouched(rules)
    asked = {counter.state.name}.union(*(names.read(expr) for expr in step_exprs(counter.step)))
    eager = {action.index for action in rules.actions if names.written_in(action.block) & asked}
    engine, seed = make_engine(rules), first_seed(rules)
    rolls = [step.effect for block in rules.blocks for step in block.steps if isinstance(step.effect, Roll)]
    faces = min(MAX_FACES, max((len(roll.outcomes) for roll in rolls), default=1))
    for face, keen in product(range(faces), (None, 0)):  # all of them, or one whom the others let have it
        game = SteadyGame(engine, seed + face, face / max(1, faces - 1))
        fault = game.play(MAX_DECISIONS, partial(_choose_keenly, game.random.choose, eager, keen))
        if fault is not None:
            return fault
    return None


def _choose_keenly(
    choose: Chooser, eager: Collection[int], keen: int | None, state: State, legal: tuple[Action, ...]
) -> Action:
    """One of the actions that are `eager`, if there is one; of players other than the one who is `keen`, another."""
    assert isinstance(state.waiting, Decision)
    wants = keen is None or state.waiting.seat == keen
    return choose(state, tuple(action for action in legal if (action.number in eager) is wants) or legal)


__all__ = ["check_counted_rounds"]

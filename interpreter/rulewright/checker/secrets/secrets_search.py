"""Does what a seat is answered depend on what it may not know? Pairs of positions that it cannot tell apart are tried.

In: rules, looks into hidden places, how many decisions are played. Out: a `SecretsSearch`: for each rule that gives
something away the first pair that shows it, and what was tried. Compared are the list of options and the reasons why
an attempt is refused. Nobody is shown what a position is worth: bots evaluate only positions that they imagine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from rulewright.checker.common.tried_games import first_seed
from rulewright.checker.secrets.hidden_looks import HiddenLook
from rulewright.checker.secrets.step_differences import step_difference
from rulewright.checker.secrets.step_leaks import find_step_looks
from rulewright.checker.secrets.twin_games import Pair, RecordedPlay, TwinGame, play_recorded_game
from rulewright.engine import chance
from rulewright.engine.default_engine import make_engine
from rulewright.engine.faults import RuleFault
from rulewright.engine.interface import Engine
from rulewright.engine.knowledge import KNOWN_POOL
from rulewright.engine.reference.explainer import Explainer, Reason
from rulewright.engine.state import Action, Decision, State
from rulewright.engine.values import content_bag, content_things
from rulewright.expr.types import Thing
from rulewright.frozen import frozen
from rulewright.model.effects import Choose
from rulewright.model.rules import Rules, ZoneDef
from rulewright.model.traversal import offered_actions

TWIN_STREAM: Final = 1 << 41  # of a game's seed, from which the second game is drawn
MAX_GAMES: Final = 40
MAX_PAIRS: Final = 300
MAX_ATTEMPTS: Final = 4  # that are refused, at each pair
MAX_KNOWN_ATTEMPTS: Final = 60
HORIZONS: Final = (2, 6, 20, 80)  # decisions for which the games look the same; fewer leave more that can differ
ENOUGH_SIGHTS: Final = 20  # moments at which all was known, before a look counts as one at what is known


class OtherAnswer(NamedTuple):
    """What tells two positions apart: an attempt, whether it is legal in each, the reason that is given in one only."""

    attempt: Action
    is_legal: tuple[bool, bool]
    reason: Reason


@frozen
class ProvedLeak:
    """A seat, two positions that it cannot tell apart, and how it is answered differently in them. `seed`: the game."""

    seed: int
    seat: int
    pair: Pair
    answer: OtherAnswer


@frozen
class ProvedStep:
    """A seat and two positions that it cannot tell apart, after which the same happens. Then all see something else of
    the step: `difference`, in words. `seed`: the game; `decisions`: how many were made by then.
    """

    seed: int
    seat: int
    pair: Pair
    difference: str
    decisions: int


@frozen
class SecretsSearch:
    """What was found. `leaks`: by the address of the rule; `pairs`: how many were tried; `known`: addresses of looks at
    what was known to whoever chose, whenever they could be made, or to everybody at each decision, of steps; `steps`:
    by the address of the step.
    """

    leaks: dict[str, ProvedLeak]
    pairs: int
    known: frozenset[str]
    steps: dict[str, ProvedStep]


def search_secrets(
    rules: Rules, looks: Sequence[HiddenLook], decisions: int, steps: Sequence[str] = ()
) -> SecretsSearch:
    """Plays so many decisions and compares. The same rules have the same findings on every machine. `steps`: addresses
    of those that may ask only if something hidden is so.
    """
    engine = make_engine(rules)
    search = _Search(engine, looks, steps)
    first, made = first_seed(rules), 0
    for number in range(MAX_GAMES):
        if made >= decisions or search.is_done:
            break
        game = play_recorded_game(engine, "random", first + number, decisions - made)
        made += max(1, sum(event.played is not None for event in game.events))
        search.look_at(game, HORIZONS[number % len(HORIZONS)])
    return search.result()


class _Search:
    def __init__(self, engine: Engine, looks: Sequence[HiddenLook], steps: Sequence[str]) -> None:
        self._engine = engine
        self._explainer = Explainer(engine)
        self._looks = looks
        self._step_zones = {each.address: each.zone for each in find_step_looks(engine.rules) if each.address in steps}
        self._sights = dict.fromkeys([*(look.address for look in looks), *self._step_zones], 0)
        self._looked_at = {look.address for look in looks}
        self._is_hidden: set[str] = set()  # addresses of looks at what was not known
        self._attempts: dict[Action, None] = {Action(action.index, ()): None for action in engine.rules.actions}
        self._leaks: dict[str, ProvedLeak] = {}
        self._pairs = 0
        self._suspected_steps = steps
        self._steps: dict[str, ProvedStep] = {}

    @property
    def is_done(self) -> bool:
        is_all_found = self._leaks.keys() >= self._looked_at and len(self._steps) == len(self._suspected_steps)
        return self._pairs >= MAX_PAIRS or is_all_found

    def result(self) -> SecretsSearch:
        known = {address for address, count in self._sights.items() if count >= ENOUGH_SIGHTS}
        return SecretsSearch(
            self._leaks,
            self._pairs,
            frozenset(known - self._is_hidden - self._leaks.keys() - self._steps.keys()),
            self._steps,
        )

    def look_at(self, game: RecordedPlay, horizon: int) -> None:
        for event in game.events:
            if event.played is not None:
                self._note_step_sights(event.before)
                self._note_sights(event.before)
                if len(self._attempts) < MAX_KNOWN_ATTEMPTS:
                    self._attempts[Action(*event.played.action)] = None
        for seat in range(self._engine.rules.players):
            with suppress(RuleFault):  # reported by the games that are played for faults
                self._compare(game, seat, horizon)

    def _compare(self, game: RecordedPlay, seat: int, horizon: int) -> None:
        """Compares the answers to a seat in pairs of positions, up to the first difference."""
        rng = chance.seed_rng(game.seed, stream=TWIN_STREAM + seat)
        twin = TwinGame(self._engine, game, seat, horizon, rng)
        for pair in twin.pairs():
            if self.is_done:
                return
            self._pairs += 1
            others = [*self._other_answers(pair, seat)]
            for answer in others:
                if answer.reason.address in self._looked_at:
                    self._leaks.setdefault(answer.reason.address, ProvedLeak(game.seed, seat, pair, answer))
            if others:
                return  # from here on the games do not look the same
        if twin.split is None:
            return
        pair, after, decisions = twin.split
        for address in self._suspected_steps:
            difference = step_difference(self._engine.rules, address, *after)
            if difference is not None:
                self._steps.setdefault(address, ProvedStep(game.seed, seat, pair, difference, decisions))

    def _note_sights(self, state: State) -> None:
        """Notes which looks that the deciding seat's options make here are at what it knows."""
        waiting = state.waiting
        assert isinstance(waiting, Decision)
        effect = self._engine.rules.blocks[waiting.block].steps[waiting.step].effect
        assert isinstance(effect, Choose)
        offered = offered_actions(effect)
        for look in self._looks:
            if look.action in offered and look.address not in self._is_hidden:
                known = [self._knows(state, waiting.seat, self._engine.rules.zones[name]) for name in look.zones]
                if False in known:
                    self._is_hidden.add(look.address)
                elif True in known:
                    self._sights[look.address] += 1

    def _note_step_sights(self, state: State) -> None:
        """Notes of which steps everybody knows what lies where they look."""
        rules = self._engine.rules
        for address, name in self._step_zones.items():
            if address not in self._is_hidden:
                known = [self._knows(state, seat, rules.zones[name]) for seat in range(rules.players)]
                if False in known:
                    self._is_hidden.add(address)
                elif True in known:
                    self._sights[address] += 1

    def _knows(self, state: State, seat: int, zone: ZoneDef) -> bool | None:
        """Whether a seat knows all that lies in the places of a zone that it does not see; None: there is nothing."""
        visibility = self._engine.layout.visibility
        knows = None
        for place in range(zone.first_index, zone.first_index + zone.size):
            content = state.contents[place]
            if visibility.can_see[seat][place]:
                continue
            if isinstance(zone.content_type, Thing):
                if not content_things(content):
                    continue
                first = self._engine.rules.components[zone.content_type.component].first_index
                here = {first + thing for thing in content_things(content)}
                # things that could only be one another are known, too: their order in a place is nothing rules can ask
                is_known = all(here.issuperset(self._could_be(state, seat, thing)) for thing in here)
            else:
                known = state.known_pieces[seat][visibility.hidden_piece_places[place]]
                if not any(content_bag(content)):
                    continue
                is_known = known == content_bag(content)
            if not is_known:
                return False
            knows = True
        return knows

    @staticmethod
    def _could_be(state: State, seat: int, thing: int) -> Sequence[int]:
        """What a seat that sees a thing's place alone could take it for."""
        row = state.thing_pools[seat]
        pool = row[thing]
        return () if pool == KNOWN_POOL else [other for other in state.pools[pool] if row[other] != KNOWN_POOL]

    def _other_answers(self, pair: Pair, seat: int) -> Iterator[OtherAnswer]:
        """What the seat is answered in one position only: the attempt, and each reason that is behind it."""
        legal = [self._engine.legal(position) for position in (pair.one, pair.other)]
        listed = [set(actions) for actions in legal]
        for action in (*legal[0], *legal[1]):
            is_legal = (action in listed[0], action in listed[1])
            if is_legal[0] != is_legal[1]:
                refused = pair.other if is_legal[0] else pair.one
                for reason in self._explainer.why_not(refused, seat, action):
                    if reason.kind in ("clause", "choice"):
                        yield OtherAnswer(action, is_legal, reason)
        if listed[0] != listed[1]:
            return
        illegal = [attempt for attempt in self._attempts if attempt not in listed[0]]
        at = self._pairs * MAX_ATTEMPTS % max(1, len(illegal))  # others at each pair
        for attempt in (*illegal[at:], *illegal[:at])[:MAX_ATTEMPTS]:
            reasons = [self._explainer.why_not(position, seat, attempt) for position in (pair.one, pair.other)]
            for reason in (*reasons[0], *reasons[1]):
                if (reason in reasons[0]) != (reason in reasons[1]):
                    yield OtherAnswer(attempt, (False, False), reason)


__all__ = ["OtherAnswer", "ProvedLeak", "ProvedStep", "SecretsSearch", "search_secrets"]

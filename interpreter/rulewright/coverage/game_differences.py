"""Rules with a fault are played beside the rules as they are, until a game shows that they differ.

In: two rules that differ in one place, and positions to begin in. Out: a `GameDifference`: after which action, and what
differs then. Both games make the same choices by the same chance, each legal action as likely as the others, so
that the seed alone leads there again. What is compared is what a scenario can ask for: what lies where, the states, who
decides, among which actions, how the game ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias

from rulewright.engine import chance
from rulewright.engine.faults import RuleFault
from rulewright.engine.interface import Engine
from rulewright.engine.notation import Notation
from rulewright.engine.state import Action, ChanceEvent, State
from rulewright.frozen import frozen, replace
from rulewright.lockstep.position_comparison import position_differences, write_action
from rulewright.lockstep.position_snapshot import bare_snapshot
from rulewright.model.locale import player_name

CHOICE_STREAM: Final = 1 << 36  # of a seed
MAX_OUTCOMES: Final = 300  # of chance between two decisions
MAX_SHOWN: Final = 80  # characters of what is in a place; two longer texts say nothing at a glance
Chances: TypeAlias = tuple[tuple[ChanceEvent, int], ...]


@frozen
class MutantStart:
    """Where games begin. `words`: the scenario, or nothing for the beginning of the game; `begin`: the position of a
    seed, for the rules as they are and for those with the fault; both raise `RuleFault`.
    """

    words: str
    begin: tuple[Callable[[int], State], Callable[[int], State]]


@frozen
class GameLimits:
    """How much is played from one start: games, decisions of all together, and of one game."""

    games: int
    decisions: int
    of_one: int


@frozen
class GameDifference:
    """Two games that have been alike so far: `before`, in both; then `actions`, none or one, and what chance gave;
    `after`: as the rules are; `other`: with the fault, None where the rules fail with it.

    `legal_once`: an action that only the rules as they are allow, and one that only the others do, where these differ.
    """

    start: str
    seed: int
    decision: int
    before: State
    after: State
    actions: tuple[Action, ...]
    chances: Chances
    words: str
    legal_once: tuple[Action | None, Action | None] = (None, None)
    other: State | None = None


class GamePair:
    """The engines of both rules."""

    def __init__(self, engine: Engine, other: Engine) -> None:
        self.engines = engine, other
        self.players = engine.rules.players
        self.notation = Notation.for_people(engine.rules)

    def search(self, starts: Iterable[MutantStart], most: GameLimits) -> GameDifference | None:
        """Plays games from each start until two differ, or the limits are reached."""
        for start in starts:
            played = 0
            for seed in range(1, most.games + 1):
                game = _Game(self, start, seed)
                found = game.play(most.of_one)
                played += game.decision
                if found is not None:
                    return found
                if played >= most.decisions:
                    break
        return None

    def count_alike(self, max_positions: int) -> int | None:
        """How many positions there are in all games together, if all of them are alike in both rules; None where some
        are not, or there are more.
        """
        one, other = self.engines
        try:
            pending = [(one.start(first=seat), other.start(first=seat)) for seat in range(self.players)]
            known = set(pending)
            while pending:
                states = pending.pop()
                for pair in self._successors(*states) - known:
                    known.add(pair)
                    pending.append(pair)
                if len(known) > max_positions:
                    return None
        except (RuleFault, _Differ):
            return None
        return len(known)

    def _successors(self, state: State, other_state: State) -> set[tuple[State, State]]:
        """The pairs of positions that can follow a pair. Raises `_Differ`, and `RuleFault`."""
        one, other = self.engines
        if position_difference(state, other_state, self.notation):
            raise _Differ
        if isinstance(state.waiting, ChanceEvent):
            outcomes = [outcome for outcome, _ in state.waiting.outcomes]
            return {(one.resolve_chance(state, value), other.resolve_chance(other_state, value)) for value in outcomes}
        if state.waiting is None:
            if one.result(state) != other.result(other_state):
                raise _Differ
            return set()
        legal = one.legal(state)
        if legal != other.legal(other_state):
            raise _Differ
        return {(one.apply_legal(state, action), other.apply_legal(other_state, action)) for action in legal}


class _Differ(Exception):
    """Two positions are not alike."""


class _Game:
    """One game by both rules."""

    def __init__(self, pair: GamePair, start: MutantStart, seed: int) -> None:
        self.pair, self.start, self.seed = pair, start, seed
        self.rng = chance.seed_rng(seed, CHOICE_STREAM)
        self.decision = 1
        self.actions: tuple[Action, ...] = ()
        self.chances: list[tuple[ChanceEvent, int]] = []

    def play(self, max_decisions: int) -> GameDifference | None:
        one, other = self.pair.engines
        begin, begin_other = self.start.begin
        try:
            before = begin(self.seed)
        except RuleFault:
            return None
        try:
            states: Sequence[State] = (before, begin_other(self.seed))
        except RuleFault as error:
            return self._difference(before, before, f"with the fault the rules fail: {error.message}")
        while True:
            states, fault = self._settled(states)
            if fault or (found := position_difference(states[0], states[1], self.pair.notation)):
                return self._difference(before, states[0], fault or found, other=None if fault else states[1])
            if states[0].waiting is None or isinstance(states[0].waiting, ChanceEvent):
                return self._result_difference(before, states)
            if self.decision > max_decisions or states[0].rng != states[1].rng:
                return None
            try:
                legal = one.legal(states[0])
            except RuleFault:
                return None
            try:
                others = other.legal(states[1])
            except RuleFault as error:
                return self._difference(before, states[0], f"with the fault the rules fail: {error.message}")
            if legal != others:
                return self._legal_difference(before, states[0], legal, others)
            if not legal:
                return None
            self.rng, index = chance.rand_below(self.rng, len(legal))
            before, self.actions, self.chances = states[0], (legal[index],), []
            self.decision += 1
            try:
                first = one.apply_legal(states[0], legal[index])
            except RuleFault:
                return None
            try:
                states = first, other.apply_legal(states[1], legal[index])
            except RuleFault as error:
                return self._difference(before, first, f"with the fault the rules fail: {error.message}")

    def _settled(self, states: Sequence[State]) -> tuple[Sequence[State], str]:
        """The positions after what chance is asked for in both alike; how the rules with the fault fail in it."""
        for _ in range(MAX_OUTCOMES):
            event = states[0].waiting
            if not isinstance(event, ChanceEvent) or event != states[1].waiting:
                break
            self.rng, outcome = chance.pick_weighted(self.rng, event.outcomes)
            self.chances.append((event, outcome))
            one, other = self.pair.engines
            first = one.resolve_chance(states[0], outcome)
            try:
                states = first, other.resolve_chance(states[1], outcome)
            except RuleFault as error:
                return (first, states[1]), f"with the fault the rules fail: {error.message}"
        return states, ""

    def _difference(
        self,
        before: State,
        after: State,
        words: str,
        legal_once: tuple[Action | None, Action | None] = (None, None),
        other: State | None = None,
    ) -> GameDifference:
        return GameDifference(
            self.start.words, self.seed, self.decision, before, after, self.actions, tuple(self.chances), words,
            legal_once, other,
        )  # fmt: skip

    def _result_difference(self, before: State, states: Sequence[State]) -> GameDifference | None:
        if states[0].waiting is not None:
            return None
        results = [engine.result(state) for engine, state in zip(self.pair.engines, states, strict=True)]
        if results[0] == results[1]:
            return None
        return self._difference(before, states[0], f"places {results[0].ranks}, with the fault {results[1].ranks}")

    def _legal_difference(
        self, before: State, after: State, legal: Sequence[Action], others: Sequence[Action]
    ) -> GameDifference:
        lost = next((action for action in legal if action not in set(others)), None)
        new = next((action for action in others if action not in set(legal)), None)
        parts = [f"`{write_action(lost, self.pair.notation)}` is not legal with the fault"] if lost is not None else []
        parts += [f"`{write_action(new, self.pair.notation)}` is legal with the fault"] if new is not None else []
        return self._difference(before, after, " and ".join(parts) or "actions come in another order", (lost, new))


def position_difference(state: State, other: State, notation: Notation) -> str:
    """The first thing in which two positions differ, in words; empty where they are alike."""
    if _seen(state) == _seen(other):
        return ""
    if len(state.contents) != len(other.contents) or len(state.variables) != len(other.variables):
        return "there are other places or states"
    waiting = [_waiting_words(position) for position in (state, other)]
    snapshots = [replace(bare_snapshot(position), rng=None, waiting=None) for position in (state, other)]
    first = next(position_differences(snapshots, notation.rules, notation), None)
    if state.over == other.over and first is not None:
        if max(map(len, first.values)) > MAX_SHOWN:
            return f"{first.what} holds something else"
        return f"{first.what}: {first.values[0]}, with the fault {first.values[1]}"
    is_fault_other = waiting[0] != waiting[1]
    return (
        f"{waiting[0]}, with the fault {waiting[1]}" if is_fault_other else "what players know, or how the game goes on"
    )


def _waiting_words(state: State) -> str:
    match state.waiting:
        case None:
            return "the game is over"
        case ChanceEvent():
            return "chance decides"
        case decision:
            return f"{player_name(decision.seat)} decides"


def _seen(state: State) -> tuple[object, ...]:
    """What must be alike in both games: not by which step somebody decides, nor what is left to do."""
    waiting = state.waiting
    decider = waiting if waiting is None or isinstance(waiting, ChanceEvent) else (waiting.seat, waiting.partial_bag)
    return (
        decider, state.contents, state.variables, state.thing_pools, state.pools, state.round, state.ending,
        state.extra_turns, state.winners, state.first_seat, state.known_pieces,
    )  # fmt: skip


__all__ = ["GameDifference", "GameLimits", "GamePair", "MutantStart"]

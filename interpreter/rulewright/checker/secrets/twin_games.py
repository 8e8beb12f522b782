"""Two games that look the same to one seat: in the second chance and the others do what it cannot tell from the first.

In: a game that was played, a viewer, a generator state. Out: pairs of positions. All that the viewer was shown up to
there is equal in both: its views at every moment, and how each action was reported to it. So whatever tells the two
positions apart from then on gives away what is hidden.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from rulewright import limits
from rulewright.bots.bot_specs import make_bot
from rulewright.bots.player_view import bot_chooser
from rulewright.engine import chance
from rulewright.engine.faults import RuleFault
from rulewright.engine.interface import Engine
from rulewright.engine.knowledge import KNOWN_POOL
from rulewright.engine.state import Action, ChanceEvent, Decision, State
from rulewright.engine.views import Views
from rulewright.expr.types import Thing
from rulewright.session.match import Match, PlayedAction

MAX_TRIED: Final = 4  # other outcomes or actions, before the same one is taken


class Event(NamedTuple):
    """What happened in a position that waited for chance or for a choice, and how it was reported to the viewers."""

    before: State
    outcome: int
    played: PlayedAction | None  # None: chance


class RecordedPlay(NamedTuple):
    """A game as far as it was played: its seed, what happened, and the position after that."""

    seed: int
    events: tuple[Event, ...]
    after: State


class Pair(NamedTuple):
    """Two positions that a seat cannot tell apart. `decisions`: how many were made before."""

    one: State
    other: State
    decisions: int


def play_recorded_game(engine: Engine, bot: str, seed: int, decisions: int) -> RecordedPlay:
    """A game of such bots, the one that `play` shows with this seed; it ends early where its rules fail."""
    ask = bot_chooser(engine, {seat: make_bot(bot, engine.rules, seed, seat) for seat in range(engine.rules.players)})
    match, rng, events = Match(engine, engine.start()), chance.seed_rng(seed), list[Event]()
    most = limits.MAX_GAME_TURNS
    try:
        while match.state.waiting is not None and decisions and match.state.turn_count <= most:
            before, waiting = match.state, match.state.waiting
            if isinstance(waiting, ChanceEvent):
                rng, outcome = chance.pick_weighted(rng, waiting.outcomes)
                match.state = engine.resolve_chance(before, outcome)
                events.append(Event(before, outcome, None))
                continue
            legal = match.legal()
            if not legal:
                break
            events.append(Event(before, 0, match.act(ask(before, legal))))
            decisions -= 1
    except RuleFault:
        pass  # reported by the games that are played for faults
    return RecordedPlay(seed, tuple(events), match.state)


class Split(NamedTuple):
    """Two positions that look the same, and those after the same happened, which do not. `decisions`: made by then."""

    pair: Pair
    after: tuple[State, State]
    decisions: int


class TwinGame:
    """The second game for one viewer, who sees no difference to the first before so many decisions are made.

    `split`: where the two go different ways for it, once all pairs were asked for.
    """

    def __init__(self, engine: Engine, game: RecordedPlay, viewer: int, decisions: int, rng: int) -> None:
        self._engine = engine
        self._views = Views(engine)
        self._game = game
        self._viewer = viewer
        choices = [index for index, event in enumerate(game.events) if event.played is not None]
        self._events = game.events[: choices[decisions]] if decisions < len(choices) else game.events
        self._rng = rng
        self.split: Split | None = None
        rows = [state.thing_pools[viewer] for state in self._positions()]
        self._never_known = {thing for thing in range(len(rows[0])) if all(row[thing] != KNOWN_POOL for row in rows)}

    def pairs(self) -> Iterator[Pair]:
        """The pairs at which the viewer has to choose, as long as the two games look the same to it."""
        positions, other, decisions = self._positions(), self._engine.start(), 0
        try:
            for event, following in zip(self._events, positions[1:], strict=True):
                waiting = event.before.waiting
                if (
                    isinstance(waiting, Decision)
                    and waiting.seat == self._viewer
                    and self._differs(event.before, other)
                ):
                    yield Pair(event.before, other, decisions)
                decisions += event.played is not None
                next_position = self._follow(event, other, self._views.view(following, self._viewer))
                if next_position is None:
                    self.split = self._find_split(event, following, other, decisions)
                    return
                other = next_position
        except RuleFault:
            return

    def _positions(self) -> list[State]:
        """The positions of the first game, one more than its events."""
        count = len(self._events)
        after = self._game.after if count == len(self._game.events) else self._game.events[count].before
        return [*(event.before for event in self._events), after]

    @staticmethod
    def _differs(one: State, other: State) -> bool:
        return one.contents != other.contents or one.stack != other.stack

    def _find_split(self, event: Event, following: State, other: State, decisions: int) -> Split | None:
        """The positions after what was reported to the viewer in the same way."""
        pair = Pair(event.before, other, decisions)
        if event.played is None:
            waiting = event.before.waiting
            if not isinstance(waiting, ChanceEvent) or not isinstance(other.waiting, ChanceEvent):
                return None
            if other.waiting[:2] != waiting[:2] or event.outcome not in dict(other.waiting.outcomes):
                return None
            return Split(pair, (following, self._engine.resolve_chance(other, event.outcome)), decisions)
        if not isinstance(other.waiting, Decision):
            return None
        for action in self._actions(event.played, self._engine.legal(other)):
            played, position = Match(self._engine, other).preview(action)
            if self._report(played) == self._report(event.played):
                return Split(pair, (following, position), decisions + 1)
        return None

    def _follow(self, event: Event, other: State, view: dict[str, object]) -> State | None:
        """The second game after what looks like this event; None where nothing does."""
        for position in self._continuations(event, other):
            if self._views.view(position, self._viewer) == view:
                return position
        return None

    def _continuations(self, event: Event, other: State) -> Iterator[State]:
        if isinstance(event.before.waiting, ChanceEvent):
            if isinstance(other.waiting, ChanceEvent) and other.waiting[:2] == event.before.waiting[:2]:
                for outcome in self._outcomes(event, other.waiting):
                    yield self._engine.resolve_chance(other, outcome)
            return
        if event.played is None or not isinstance(other.waiting, Decision):
            return
        for action in self._actions(event.played, self._engine.legal(other)):
            played, position = Match(self._engine, other).preview(action)
            if self._report(played) == self._report(event.played):
                yield position

    def _report(self, played: PlayedAction) -> tuple[object, ...]:
        return played.seat, played.step, played.action_data[self._viewer], played.revealed_to(self._viewer)

    def _outcomes(self, event: Event, waiting: ChanceEvent) -> Sequence[int]:
        """Other outcomes first, of draws that are not seen; then the same."""
        possible, same = [outcome for outcome, _ in waiting.outcomes], event.outcome
        others: list[int] = []
        if waiting.kind == "draw":
            content_type = self._engine.layout.visibility.zone_by_place[waiting.target].content_type
            if isinstance(content_type, Thing):
                first = self._engine.rules.components[content_type.component].first_index
                if first + same in self._never_known:
                    others = [thing for thing in possible if first + thing in self._never_known]
            else:
                others = possible
        return self._shuffled(others, same, possible)

    def _actions(self, played: PlayedAction, legal: tuple[Action, ...]) -> Sequence[Action]:
        same = Action(*played.action)
        if played.seat == self._viewer:
            return [same] if same in legal else []
        alike = [index for index, action in enumerate(legal) if action.number == same.number]
        at = legal.index(same) if same in legal else -1
        return [legal[index] for index in self._shuffled(alike, at, range(len(legal)))]

    def _shuffled(self, others: Sequence[int], same: int, possible: Sequence[int]) -> list[int]:
        self._rng, order = chance.shuffle(self._rng, others)
        return [*order[:MAX_TRIED], *([same] if same in possible and same not in order[:MAX_TRIED] else [])]


__all__ = ["Event", "Pair", "RecordedPlay", "Split", "TwinGame", "play_recorded_game"]

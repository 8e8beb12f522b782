"""What a seat or a spectator sees: a position with everything left out that this viewer does not know.

In: a position and a viewer (a seat, or None for a spectator). Out: plain JSON data. Two positions that differ only in
what the viewer cannot know give equal data: nothing here reads a hidden thing's identity.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Protocol, TypeAlias, TypedDict, TypeVar

from rulewright.engine.interface import GameResult
from rulewright.engine.knowledge import KNOWN_POOL
from rulewright.engine.layout import Layout
from rulewright.engine.notation import Notation
from rulewright.engine.state import Decision, Frame, SimultaneousChoice, State
from rulewright.engine.value_notation import AnswerData, HiddenTest
from rulewright.engine.values import Content, Pile, RuntimeValue, content_bag
from rulewright.expr.types import Bag, Member, Thing, Type
from rulewright.model.rules import Rules, StateDef, ZoneDef

T = TypeVar("T")
NestedByKey: TypeAlias = T | dict[str, "NestedByKey[T]"]  # a value for each combination of keys, by the ids of the keys


class HiddenBag(TypedDict):
    """A place of pieces that the viewer does not see: how many there are, and which of them surely."""

    count: int
    known: AnswerData


class PartlyKnownThings(TypedDict):
    """A place of things of which the viewer knows some.

    `hidden`: how many could be any thing of a pool, by the pool's index in `could_be`; `known`: ids, in a shuffled
    place each with its index from the top (None: it has no order).
    """

    count: int
    hidden: dict[str, int]
    known: list[str] | dict[str, int | None]


ContentView: TypeAlias = AnswerData | HiddenBag | PartlyKnownThings | None  # None: an empty place for one thing


class CandidatePools:
    """What a hidden thing could be, in one view of a position. `numbers`: candidates, numbered as they turn up."""

    def __init__(self, state: State, viewer: int) -> None:
        self.numbers: dict[tuple[int, ...], int] = {}
        self._row = state.thing_pools[viewer]
        self._pools = state.pools
        self._candidates: dict[int, tuple[int, ...]] = {}

    def candidates(self, pool: int) -> tuple[int, ...]:
        """The things of a pool that the viewer does not know; many hidden things share one."""
        found = self._candidates.get(pool)
        if found is None:
            row = self._row
            found = self._candidates[pool] = tuple(thing for thing in self._pools[pool] if row[thing] != KNOWN_POOL)
        return found

    def number(self, candidates: tuple[int, ...]) -> str:
        """The index of candidates in `could_be`."""
        return str(self.numbers.setdefault(candidates, len(self.numbers)))


def format_key_values(owner: ZoneDef | StateDef, notation: Notation) -> list[list[str]]:
    """For each key of a zone or state its values as text, in key order."""
    return [
        [notation.format_value(value, type_) for value in values]
        for values, type_ in zip(owner.key_values, owner.key_types, strict=True)
    ]


def nest_by_keys(owner: ZoneDef | StateDef, notation: Notation, values: Iterator[T]) -> NestedByKey[T]:
    """Values in key order as nested objects by the keys' ids; the value itself when there are no keys."""
    return _nest(format_key_values(owner, notation), values)


def _nest(key_values: Sequence[Sequence[str]], values: Iterator[T]) -> NestedByKey[T]:
    if not key_values:
        return next(values)
    inner = key_values[1:]
    return {name: _nest(inner, values) for name in key_values[0]}


class ViewedGame(Protocol):
    """What views need of whatever plays: an engine, or a game that is played by a program."""

    @property
    def rules(self) -> Rules:
        """The rules that are played."""

    @property
    def layout(self) -> Layout:
        """What the rules say about places."""

    def result(self, state: State) -> GameResult:
        """Ranks and winners as of this position."""


class Views:
    """Makes the views of one game's positions."""

    def __init__(self, engine: ViewedGame) -> None:
        self.engine = engine
        self.rules = engine.rules
        self.notation = Notation(engine.rules)
        zones, states = self.rules.zones.items(), self.rules.states.items()
        self._zone_keys = {name: format_key_values(zone, self.notation) for name, zone in zones}
        self._state_keys = {name: format_key_values(state, self.notation) for name, state in states}

    def viewer_index(self, seat: int | None) -> int:
        """The number of a viewer: the seat, or for a spectator (None) the number after the last seat."""
        return self.engine.layout.visibility.viewer_index(seat)

    def hidden_test(self, state: State, seat: int | None) -> HiddenTest:
        """The function that says of a thing whether a viewer may not know which one it is."""
        thing_pools = state.thing_pools[self.viewer_index(seat)]
        components = self.rules.components
        return lambda component, thing: (
            components[component].initial_place is not None
            and thing_pools[components[component].first_index + thing] != KNOWN_POOL
        )

    def view(self, state: State, seat: int | None) -> dict[str, Any]:
        """All that a viewer knows of a position, as JSON data. `seat`: the viewer, None for a spectator."""
        pools = CandidatePools(state, self.viewer_index(seat))
        zones = self._view_zones(state, seat, pools)
        variables = {
            name: _nest(
                self._state_keys[name],
                (
                    self.notation.value_to_data(value, definition.type)
                    for value in state.variables[definition.first_index : definition.first_index + definition.size]
                ),
            )
            for name, definition in self.rules.states.items()
            if definition.is_shown
        }
        view: dict[str, object] = {
            "seat": seat,
            "game": self.rules.game,
            "players": self.rules.players,
            "variants": list(self.rules.variants),
            "first_seat": state.first_seat,
            "round": state.round,
            "turn": state.turn_count,
            "ending": state.ending,
            "in_turn": self.turn_seat(state),
            "zones": zones,
            "state": variables,
            "could_be": self._pool_ids(pools),
            "waiting": self._view_waiting(state, seat),
            "over": state.over,
        }
        if state.over:
            result = self.engine.result(state)
            view["result"] = {"places": list(result.ranks), "winners": list(result.winners)}
        return view

    def view_zones(self, state: State, seat: int | None) -> dict[str, Any]:
        """What a viewer knows of the zones alone, also in a position that waits for nothing yet."""
        return self._view_zones(state, seat, CandidatePools(state, self.viewer_index(seat)))

    def _view_zones(self, state: State, seat: int | None, pools: CandidatePools) -> dict[str, NestedByKey[ContentView]]:
        return {
            name: _nest(
                self._zone_keys[name],
                (
                    self._view_place(state, zone, place, seat, pools)
                    for place in range(zone.first_index, zone.first_index + zone.size)
                ),
            )
            for name, zone in self.rules.zones.items()
        }

    def turn_seat(self, state: State) -> int | None:
        """The seat whose turn it is; None between turns."""
        turns = [entry.seat for entry in state.stack if isinstance(entry, Frame) and entry.block == self.rules.turn]
        return turns[-1] if turns else None

    def _view_place(
        self, state: State, zone: ZoneDef, place: int, seat: int | None, pools: CandidatePools
    ) -> ContentView:
        content = state.contents[place]
        visibility, viewer = self.engine.layout.visibility, self.viewer_index(seat)
        is_seen = visibility.can_see[viewer][place]
        if isinstance(zone.content_type, Member):
            bag, bag_type = content_bag(content), Bag(zone.content_type.kind)
            if is_seen:
                return self._answer(bag, bag_type)
            known = state.known_pieces[viewer][visibility.hidden_piece_places[place]]
            return {"count": sum(bag), "known": self._answer(known, bag_type)}
        if not isinstance(content, Pile) and is_seen:
            ids = [self._answer(thing, zone.content_type) for thing in content]
            return (ids[0] if ids else None) if self.engine.layout.capacities[place] == 1 else ids
        return self._view_things(state, zone.content_type, content, viewer, pools)

    def _view_things(
        self, state: State, content_type: Thing, content: Content, viewer: int, pools: CandidatePools
    ) -> PartlyKnownThings:
        component = self.rules.components[content_type.component]
        row = state.thing_pools[viewer]
        # what has no order is listed in the order of its rows, whatever order was given for it
        things = (*content.top, *sorted(content.loose), *content.bottom) if isinstance(content, Pile) else content
        pools_of_things = [row[component.first_index + thing] for thing in things]
        known = {thing for thing, pool in zip(things, pools_of_things, strict=True) if pool == KNOWN_POOL}
        counts: Counter[tuple[int, ...]] = Counter()
        for pool, count in Counter(pools_of_things).items():
            if pool != KNOWN_POOL:
                counts[pools.candidates(pool)] += count
        hidden = {pools.number(candidates): counts[candidates] for candidates in sorted(counts)}
        if not isinstance(content, Pile):
            return {"count": len(things), "hidden": hidden, "known": sorted(component.ids[thing] for thing in known)}
        loose = set(content.loose)
        indices = {
            component.ids[thing]: None if thing in loose else index
            for index, thing in enumerate(things)
            if thing in known
        }
        return {"count": len(things), "hidden": hidden, "known": indices}

    def _answer(self, value: RuntimeValue, type_: Type) -> AnswerData:
        data: AnswerData = self.notation.value_to_data(value, type_)
        return data

    def _pool_ids(self, pools: CandidatePools) -> list[list[str]]:
        ids = [thing_id for component in self.rules.components.values() for thing_id in component.ids]
        return [[ids[thing] for thing in candidates] for candidates in pools.numbers]

    def _view_waiting(self, state: State, seat: int | None) -> dict[str, object] | None:
        waiting = state.waiting
        if waiting is None:
            return None
        if not isinstance(waiting, Decision):
            return {"for": "chance"}
        decision: dict[str, object] = {"for": "decision", "seat": waiting.seat, "step": self.step_address(waiting)}
        top = state.stack[-1]
        if isinstance(top, SimultaneousChoice):
            decision["chosen"] = [chooser for chooser, _ in top.actions]
        if waiting.partial_action is not None and seat == waiting.seat:
            decision["partial"] = self.notation.action_to_data(waiting.partial_action)
        return decision

    def step_address(self, decision: Decision) -> str:
        """The address of the step that asks."""
        return self.rules.blocks[decision.block].steps[decision.step].address

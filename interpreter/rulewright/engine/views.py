"""What a seat or a spectator sees: a position with everything left out that this viewer does not know.

In: a position and a viewer (a seat, or None for a spectator). Out: plain JSON data. Two positions that differ only in
what the viewer cannot know give equal data: nothing here reads a hidden thing's identity.
"""

from __future__ import annotations

from collections.abc import Iterator
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

CandidatePools = dict[tuple[int, ...], int]  # candidates for a hidden thing, numbered as they turn up in a view
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


def format_key_values(owner: ZoneDef | StateDef, notation: Notation) -> list[list[str]]:
    """For each key of a zone or state its values as text, in key order."""
    return [
        [notation.format_value(value, type_) for value in values]
        for values, type_ in zip(owner.key_values, owner.key_types, strict=True)
    ]


def nest_by_keys(owner: ZoneDef | StateDef, notation: Notation, values: Iterator[T]) -> NestedByKey[T]:
    """Values in key order as nested objects by the keys' ids; the value itself when there are no keys."""
    key_values = format_key_values(owner, notation)

    def nest(depth: int) -> NestedByKey[T]:
        if depth == len(key_values):
            return next(values)
        return {name: nest(depth + 1) for name in key_values[depth]}

    return nest(0)


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
        pools: CandidatePools = {}
        zones = self._view_zones(state, seat, pools)
        variables = {
            name: nest_by_keys(
                definition,
                self.notation,
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
        return self._view_zones(state, seat, {})

    def _view_zones(self, state: State, seat: int | None, pools: CandidatePools) -> dict[str, NestedByKey[ContentView]]:
        return {
            name: nest_by_keys(
                zone,
                self.notation,
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
        known = [thing for thing in things if row[component.first_index + thing] == KNOWN_POOL]
        pools_of_hidden = sorted(
            tuple(
                candidate
                for candidate in state.pools[row[component.first_index + thing]]
                if row[candidate] != KNOWN_POOL
            )
            for thing in things
            if thing not in known
        )
        hidden: dict[str, int] = {}
        for candidates in pools_of_hidden:
            pool_index = str(pools.setdefault(candidates, len(pools)))
            hidden[pool_index] = hidden.get(pool_index, 0) + 1
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
        return [[ids[thing] for thing in candidates] for candidates in pools]

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

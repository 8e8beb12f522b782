"""What a seat or a spectator sees: a position with everything left out that this viewer does not know.

In: a position and a viewer (a seat, or None for a spectator). Out: plain JSON data. Two positions that differ only in
what the viewer cannot know give equal data: nothing here reads a hidden thing's identity.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from rulewright.engine.interface import Engine
from rulewright.engine.knowledge import KNOWN_POOL
from rulewright.engine.notation import HiddenTest, Notation
from rulewright.engine.state import Decision, Frame, SimultaneousChoice, State
from rulewright.engine.values import Pile
from rulewright.expr.types import Bag, Member, Thing
from rulewright.model.rules import StateDef, ZoneDef

CandidatePools = dict[tuple[int, ...], int]  # candidates for a hidden thing, numbered as they turn up in a view


def nest_by_keys(owner: ZoneDef | StateDef, notation: Notation, values: Iterator[Any]) -> Any:
    """Values of all keys as nested objects by the keys' ids; the value itself when there are no keys."""
    if not owner.key_types:
        return next(values)
    result: dict[str, Any] = {}
    for keys in product(*owner.key_values):
        inner = result
        names = [notation.format_value(key, type_) for key, type_ in zip(keys, owner.key_types, strict=True)]
        for name in names[:-1]:
            inner = inner.setdefault(name, {})
        inner[names[-1]] = next(values)
    return result


class Views:
    """Makes the views of one game's positions."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.rules = engine.rules
        self.notation = Notation(engine.rules)

    def viewer_index(self, seat: int | None) -> int:
        """The number of a viewer: the seat, or after the seats the spectator."""
        return self.engine.layout.visibility.viewer_index(seat)

    def hidden_test(self, state: State, seat: int | None) -> HiddenTest:
        """Whether a viewer may not know which thing a thing is."""
        knows = state.thing_pools[self.viewer_index(seat)]
        components = self.rules.components
        return lambda component, thing: (
            components[component].initial_place is not None
            and knows[components[component].first_index + thing] != KNOWN_POOL
        )

    def view(self, state: State, seat: int | None) -> dict[str, Any]:
        """All that a viewer knows of a position, as JSON data."""
        pools: CandidatePools = {}
        zones = self._zones(state, seat, pools)
        variables = {
            name: nest_by_keys(
                one,
                self.notation,
                (
                    self.notation.value_to_data(value, one.type)
                    for value in state.variables[one.first_index : one.first_index + one.size]
                ),
            )
            for name, one in self.rules.states.items()
        }
        view: dict[str, Any] = {
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
            "could_be": self._pools(pools),
            "waiting": self._waiting(state, seat),
            "over": state.over,
        }
        if state.over:
            result = self.engine.result(state)
            view["result"] = {"places": list(result.ranks), "winners": list(result.winners)}
        return view

    def view_zones(self, state: State, seat: int | None) -> dict[str, Any]:
        """What a viewer knows of the zones alone, also in a position that waits for nothing yet."""
        return self._zones(state, seat, {})

    def _zones(self, state: State, seat: int | None, pools: CandidatePools) -> dict[str, Any]:
        return {
            name: nest_by_keys(
                zone, self.notation, (self._place(state, zone, at, seat, pools) for at in range(zone.size))
            )
            for name, zone in self.rules.zones.items()
        }

    def turn_seat(self, state: State) -> int | None:
        """The seat whose turn it is."""
        turns = [entry.seat for entry in state.stack if isinstance(entry, Frame) and entry.block == self.rules.turn]
        return turns[-1] if turns else None

    def _place(self, state: State, zone: ZoneDef, at: int, seat: int | None, pools: CandidatePools) -> Any:
        place = zone.first_index + at
        content = state.contents[place]
        sees = self.engine.layout.visibility.can_see[self.viewer_index(seat)][place]
        if isinstance(zone.content_type, Member):
            if sees:
                return self.notation.value_to_data(content, Bag(zone.content_type.kind))
            known = state.known_pieces[self.viewer_index(seat)][
                self.engine.layout.visibility.hidden_piece_places[place]
            ]
            return {"count": sum(content), "known": self.notation.value_to_data(known, Bag(zone.content_type.kind))}
        if not zone.is_shuffled and sees:
            ids = [self.notation.value_to_data(thing, zone.content_type) for thing in content]
            return (ids[0] if ids else None) if self.engine.layout.capacities[place] == 1 else ids
        return self._partly_known(state, zone.content_type, content, seat, pools)

    def _partly_known(self, state: State, holds: Thing, content: Any, seat: int | None, pools: CandidatePools) -> Any:
        component = self.rules.components[holds.component]
        row = state.thing_pools[self.viewer_index(seat)]
        # what has no order is listed in the order of its rows, whatever order was given for it
        things = list(content)
        if isinstance(content, Pile):
            things = [*content.top, *sorted(content.loose), *content.bottom]
        known = [thing for thing in things if row[component.first_index + thing] == KNOWN_POOL]
        could_be = sorted(
            tuple(one for one in state.pools[row[component.first_index + thing]] if row[one] != KNOWN_POOL)
            for thing in things
            if thing not in known
        )
        hidden: dict[str, int] = {}
        for candidates in could_be:
            name = str(pools.setdefault(candidates, len(pools)))
            hidden[name] = hidden.get(name, 0) + 1
        found: dict[str, Any] = {"count": len(things), "hidden": hidden}
        if isinstance(content, Pile):
            # where a known thing lies counts from the top, and only for those that lie in an order
            loose = set(content.loose)
            found["known"] = {component.ids[t]: None if t in loose else at for at, t in enumerate(things) if t in known}
        else:
            found["known"] = sorted(component.ids[thing] for thing in known)
        return found

    def _pools(self, pools: CandidatePools) -> list[list[str]]:
        names = [thing_id for component in self.rules.components.values() for thing_id in component.ids]
        return [[names[thing] for thing in candidates] for candidates in pools]

    def _waiting(self, state: State, seat: int | None) -> dict[str, Any] | None:
        waiting = state.waiting
        if waiting is None:
            return None
        if not isinstance(waiting, Decision):
            return {"for": "chance"}
        found: dict[str, Any] = {"for": "decision", "seat": waiting.seat, "step": self.step_address(waiting)}
        top = state.stack[-1]
        if isinstance(top, SimultaneousChoice):
            found["chosen"] = [chooser for chooser, _ in top.actions]
        if waiting.partial_action is not None and seat == waiting.seat:
            found["partial"] = self.notation.action_to_data(waiting.partial_action)
        return found

    def step_address(self, decision: Decision) -> str:
        """The address of the step that asks."""
        return self.rules.blocks[decision.block].steps[decision.step].address

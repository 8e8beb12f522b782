"""How chance fell, in names: from which zone something was drawn, for which variable a die was rolled, and the outcome.

In: chance events with their outcomes, or the JSON data of a record. Out: the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import TypeVar

from rulewright.engine.interface import Engine
from rulewright.engine.notation import Notation
from rulewright.engine.state import ChanceEvent
from rulewright.engine.value_notation import AnswerData
from rulewright.expr.types import SEAT, Flag, Member, Type
from rulewright.model.locale import player_name
from rulewright.model.rules import StateDef, ZoneDef
from rulewright.session.match import ChanceOutcome

OutcomeData = Mapping[str, object]  # {"draw": zone, "is": outcome} or {"roll": variable, "is": outcome}

DefT = TypeVar("DefT", StateDef, ZoneDef)


class ChanceNotation:
    """The names of places and state variables, by which a record says how chance fell."""

    def __init__(self, engine: Engine) -> None:
        zones, states = _by_index(engine.rules.zones), _by_index(engine.rules.states)
        self.notation = Notation(engine.rules)
        self.place_names = [name for zone in zones for name in self._names_by_key(zone)]
        self.variable_names = [name for state in states for name in self._names_by_key(state)]
        self._owners: tuple[ZoneDef | StateDef, ...] = (*zones, *states)
        self.zone_by_place = engine.layout.visibility.zone_by_place
        self.state_by_variable = [state for state in states for _ in range(state.size)]

    @cached_property
    def readable_names(self) -> Mapping[str, str]:
        """For the name of each place and variable how people call it: `pile(0)` is the `pile(player 1)`."""

        def player_or_value(key: int, type_: Type) -> str:
            return player_name(key) if type_ == SEAT else self.notation.format_value(key, type_)

        readable = [name for owner in self._owners for name in self._names_by_key(owner, player_or_value)]
        return dict(zip((*self.place_names, *self.variable_names), readable, strict=True))

    def _names_by_key(
        self, owner: ZoneDef | StateDef, format_key: Callable[[int, Type], str] | None = None
    ) -> list[str]:
        format_key = format_key or self.notation.format_value
        names = []
        for keys in product(*owner.key_values):
            words = [format_key(key, type_) for key, type_ in zip(keys, owner.key_types, strict=True)]
            names.append(f"{owner.name}({', '.join(words)})" if words else owner.name)
        return names

    def source_name(self, event: ChanceEvent) -> str:
        """What a chance event draws from or rolls for."""
        return self.place_names[event.target] if event.kind == "draw" else self.variable_names[event.target]

    def outcome_data(self, event: ChanceEvent, outcome: int) -> AnswerData:
        """One outcome as JSON data."""
        type_: Type
        if event.kind == "roll":
            type_ = self.state_by_variable[event.target].type
            if isinstance(type_, Flag):
                return bool(outcome)
        else:
            type_ = self.zone_by_place[event.target].content_type
            if isinstance(type_, Member):
                return self.notation.bag_member_ids(type_.kind)[outcome]
        data: AnswerData = self.notation.value_to_data(outcome, type_)
        return data

    def to_data(self, outcomes: Sequence[ChanceOutcome]) -> list[OutcomeData]:
        """How chance fell, as JSON data."""
        return [
            {event.kind: self.source_name(event), "is": self.outcome_data(event, outcome)}
            for event, outcome in outcomes
        ]

    def from_data(self, event: ChanceEvent, data: OutcomeData) -> int | None:
        """The outcome of an event in JSON data; None if that is of another event, or not an outcome of this one."""
        if data.get(event.kind) != self.source_name(event):
            return None
        expected = data["is"]
        for outcome, _ in event.outcomes:
            candidate = self.outcome_data(event, outcome)
            if candidate == expected and isinstance(candidate, bool) == isinstance(expected, bool):
                return outcome
        return None


def _by_index(definitions: Mapping[str, DefT]) -> list[DefT]:
    return sorted(definitions.values(), key=lambda definition: definition.first_index)


__all__ = ["ChanceNotation", "OutcomeData"]

"""Steps that change a state: to a value, or to what a die shows.

In: `set` and `roll` steps. Out: the effect, or diagnostics.
"""

from __future__ import annotations

from typing import assert_never

from rulewright.expr.scope import Scope
from rulewright.expr.tree import StateTarget
from rulewright.expr.types import Bag, Flag, Member, Number, SetOf, Thing, Type, UnknownType
from rulewright.model import codes
from rulewright.model.effects import Effect, Roll, SetState
from rulewright.model.expr_reader import ExprReader
from rulewright.model.rules import ELIMINATION_STATE
from rulewright.source.nodes import MappingNode, Node, ScalarNode, as_mapping


class StateStepReader:
    """Reads `set` and `roll` steps. `has_elimination`: whether seats can leave, which only `leave` steps may do."""

    def __init__(self, reader: ExprReader, *, has_elimination: bool) -> None:
        self.reader = reader
        self.has_elimination = has_elimination

    def read_set(self, node: MappingNode, scope: Scope, address: str) -> Effect | None:
        """A `set` step; None when its state is wrong."""
        target_node, to_node = node.get("set"), node.get("to")
        assert target_node is not None
        assert to_node is not None
        target = self._read_target(target_node, scope, address)
        to = self.reader.read_expression(to_node, scope, None if target is None else target.type, address)
        return None if target is None else SetState(target, to)

    def _read_target(self, node: Node, scope: Scope, address: str) -> StateTarget | None:
        target = self.reader.read_state_target(node, scope, address)
        if target is not None and self.has_elimination and target.name == ELIMINATION_STATE:
            text = f"only `leave` steps change `{ELIMINATION_STATE}`"
            self.reader.diagnostics.add(
                node.span, codes.WRONG_KIND_OF_THING, text, label="cannot be set", address=address
            )
        return target

    def read_roll(self, node: MappingNode, scope: Scope, address: str) -> Effect | None:
        """A `roll` step; None when its state or a weight is wrong."""
        reader = self.reader
        target_node = node.get("roll")
        assert target_node is not None
        target = self._read_target(target_node, scope, address)
        if target is None:
            return None
        weights = as_mapping(node.get("weights")) if "weights" in node else None
        ids, values = self._outcomes(target.type)
        if not values and not isinstance(target.type, UnknownType):
            self.reader.emit_type_mismatch(
                target_node, target.type, "a state that is a number within bounds, a member or a flag", address
            )
        table = dict.fromkeys(values, 1)
        if weights is not None:
            table = dict.fromkeys(values, 0)
            for entry in weights:
                if entry.key.text not in ids:
                    reader.emit_unknown(entry.key, "outcome", list(ids), address)
                    return None
                weight = entry.value.value if isinstance(entry.value, ScalarNode) else 0
                table[values[ids.index(entry.key.text)]] = weight if isinstance(weight, int) else 0
            if not any(table.values()) and values:
                reader.diagnostics.add(
                    weights.span, codes.MISSING_CASE, "no outcome has a weight above 0", address=address
                )
        return Roll(target, tuple((value, weight) for value, weight in table.items() if weight > 0))

    def _outcomes(self, type_: Type) -> tuple[tuple[str, ...], tuple[int, ...]]:
        match type_:
            case Number(low=low, high=high) if high - low < 1000:
                return tuple(map(str, range(low, high + 1))), tuple(range(low, high + 1))
            case Member(kind=kind) if kind in self.reader.kinds:
                return self.reader.kinds[kind].members, self.reader.kinds[kind].member_values
            case Flag():
                return ("false", "true"), (0, 1)
            case Number() | Member() | Thing() | Bag() | SetOf() | UnknownType():
                return (), ()
            case _:
                assert_never(type_)


__all__ = ["StateStepReader"]

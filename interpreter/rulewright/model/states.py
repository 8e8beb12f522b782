"""What the game remembers besides its things: state variables, of the whole game and of single blocks of steps.

In: the section `state`, and `state` beside the `do` of steps. Out: their definitions, numbered one after another, those
of the game first. The variables of a block have names like all others; that rules use them only while the block is
under way is checked when the steps are known (`block_states.py`).
"""

from __future__ import annotations

from math import prod
from typing import Final, assert_never

from rulewright import limits
from rulewright.expr.fold import fold_constant
from rulewright.expr.scope import StateSymbol
from rulewright.expr.tree import Constant, Expr
from rulewright.expr.types import Bag, ConstantValue, Flag, Member, Number, SetOf, Thing, Type, UnknownType
from rulewright.model import codes
from rulewright.model.expr_reader import ExprReader
from rulewright.model.key_reader import key_values, keyed_symbol, read_keys
from rulewright.model.rules import ResetScope, StateDef
from rulewright.model.step_nodes import iter_steps
from rulewright.model.value_checks import check_value_type, read_static_expression
from rulewright.source.nodes import Entry, MappingNode, as_mapping, literal_value

WRITTEN_SCOPES: Final[tuple[ResetScope, ...]] = ("", "turn", "round")  # what `resets` may say


def read_states(reader: ExprReader) -> dict[str, StateDef]:
    """All state variables by name, numbered one after another."""
    found: dict[str, StateDef] = {}
    size = 0
    for entry in reader.section("state"):
        state = _read_state(reader, entry, f"state.{entry.key.text}", size, "")
        found[state.name] = state
        size += state.size
    for address, step in iter_steps(reader):
        for entry in as_mapping(step.get("state")):
            state = _read_state(reader, entry, f"{address}.state.{entry.key.text}", size, f"{address}.do")
            found.setdefault(state.name, state)  # a name that is taken is reported
            size += state.size
    return found


def _read_state(reader: ExprReader, entry: Entry, address: str, first_index: int, block_address: str) -> StateDef:
    """One variable, which is declared; `block_address`: of the steps that it belongs to."""
    name, node = entry.key.text, as_mapping(entry.value)
    type_node = node.get("type") if isinstance(entry.value, MappingNode) else entry.value
    start_node = node.get("start")
    assert type_node is not None
    type_ = reader.read_type(type_node, reader.scope(), f"{address}.type")
    if not isinstance(type_, Flag | Number | Member | UnknownType):
        reader.diagnostics.add(
            type_node.span,
            codes.WRONG_VALUE,
            f"a state is a number within bounds, a flag or a member, not {reader.describe(type_)}",
            help="things and pieces are kept in zones",
            address=address,
        )
    per = read_keys(reader, node.get("per"), f"{address}.per")
    scope = reader.scope(variables=dict(per))
    if start_node is None:
        start: Expr = Constant(_default_value(reader, type_), type_, (0, 0))
    else:
        start = read_static_expression(reader, start_node, scope, type_, f"{address}.start")
        value = fold_constant(start)
        if isinstance(value, int):
            check_value_type(reader, value, start, type_, start_node, f"{address}.start")
    values = tuple(key_values(reader, key_type) for _, key_type in per)
    size = prod(map(len, values))
    resets = literal_value(node.get("resets"), WRITTEN_SCOPES, "")
    resets_node = node.get("resets")
    if block_address and resets_node is not None:
        message = "`resets` has no effect: a variable of a block begins anew with it"
        reader.diagnostics.add(resets_node.span, codes.NO_EFFECT, message, help="remove it", address=address)
    keys = tuple(key_type for _, key_type in per)
    if first_index + size > limits.MAX_PLACES:
        text = f"{size} variables, {first_index + size} in all, over the limit of {limits.MAX_PLACES}"
        reader.diagnostics.add(entry.key.span, codes.TOO_MANY, text, address=address)
        size = 0
    reader.declare(name, keyed_symbol(StateSymbol(type_, keys), keys), entry.key.span)
    return StateDef(
        name,
        type_,
        keys,
        values,
        first_index,
        size,
        start,
        "block" if block_address else resets,
        address,
        block_address,
    )


def _default_value(reader: ExprReader, type_: Type) -> ConstantValue:
    """The value of a state without `start`: false, the first member, 0 or the number nearest to it."""
    match type_:
        case Number(low=low, high=high):
            return min(max(0, low), high)
        case Member(kind=kind) if kind in reader.kinds and reader.kinds[kind].member_values:
            return reader.kinds[kind].member_values[0]
        case Flag() | Member() | Thing() | Bag() | SetOf() | UnknownType():
            return False
        case _:
            assert_never(type_)


__all__ = ["read_states"]

"""What a game can be tuned by: the value of each parameter, alone, for each player or member, or a set of members.

In: an entry of the section `parameters`. Out: a `ParameterDef`, and its symbol.
"""

from __future__ import annotations

from rulewright.diagnostics import missing_name
from rulewright.expr import codes as expr_codes
from rulewright.expr.fold import fold_constant
from rulewright.expr.keywords import RESERVED_NAMES
from rulewright.expr.scope import ParameterSymbol, Scope
from rulewright.expr.tree import Constant, Expr
from rulewright.expr.type_relations import is_assignable
from rulewright.expr.typecheck.check_context import error_expr
from rulewright.expr.types import SEAT, Bag, ConstantValue, Member, Number, SetOf, Type, UnknownType
from rulewright.model import codes
from rulewright.model.expr_reader import ExprReader
from rulewright.model.key_reader import key_values, read_key_type
from rulewright.model.rules import ParameterDef
from rulewright.model.value_checks import check_value_type
from rulewright.source.nodes import (
    Entry,
    MappingNode,
    Node,
    ScalarNode,
    as_items,
    text_or_default,
)
from rulewright.suggestions import did_you_mean, number_hint
from rulewright.variants.variant import parse_player_range


def read_parameter(reader: ExprReader, entry: Entry) -> ParameterDef:
    """The parameter of an entry, which is declared with it."""
    name, node, address = entry.key.text, entry.value, f"parameters.{entry.key.text}"
    scope = reader.scope()
    is_long_form = isinstance(node, MappingNode)
    value_node = node.get("value") if isinstance(node, MappingNode) else node
    type_node = node.get("type") if isinstance(node, MappingNode) else None
    type_ = reader.read_type(type_node, scope, f"{address}.type") if type_node is not None else None
    per_node = node.get("per") if isinstance(node, MappingNode) else None
    assert value_node is not None
    if per_node is None and (isinstance(type_, SetOf) or not isinstance(value_node, ScalarNode)):
        definition = _read_members(reader, name, value_node, type_, address)
    elif per_node is not None:
        definition = _read_table(reader, name, value_node, type_, per_node, address)
    else:
        if type_node is not None and _is_unknown_number(reader, value_node, type_, scope, address):
            type_ = UnknownType()
            expr: Expr = error_expr((0, 0))
        else:
            place = f"{address}.value" if is_long_form else address
            expr = reader.read_expression(value_node, scope, None, place, meant=type_)
        value = _constant(reader, expr, type_, value_node, address)
        if isinstance(type_, Number) and isinstance(value, int) and not type_.low <= value <= type_.high:
            type_ = UnknownType()  # reported here, and not again where it does not fit
        definition = ParameterDef(name, type_ or _narrow(expr.type, value), (), value)
    symbol = ParameterSymbol(definition.type, definition.key_types, definition.value)
    reader.declare(name, symbol, entry.key.span)
    return definition


def _is_unknown_number(reader: ExprReader, node: Node, type_: Type | None, scope: Scope, address: str) -> bool:
    """Whether a word stands where a number is needed and is not a slip for a name; it is reported."""
    if not isinstance(node, ScalarNode) or not isinstance(type_, Number) or not node.text.isidentifier():
        return False
    word = node.text
    if word in RESERVED_NAMES or word in scope.symbols or word in scope.removed_names:
        return False
    if did_you_mean(word, [*scope.symbols, *scope.later_names]):
        return False
    message = f"expected a number from {type_.low} to {type_.high}, found `{word}`"
    code, hint = expr_codes.UNKNOWN_NAME, number_hint(word)
    reader.diagnostics.add(
        node.span, code, message, label="not a number", help=hint, address=f"{address}.value", cause=missing_name(word)
    )
    return True


def _read_members(reader: ExprReader, name: str, node: Node, type_: Type | None, address: str) -> ParameterDef:
    """A parameter that is a set of members, listed; in their order, whatever the order of the list."""
    items = as_items(node)
    element = type_.element if isinstance(type_, SetOf) else None
    exprs = [reader.read_expression(item, reader.scope(), None, address, meant=element) for item in items]
    wanted = type_
    if wanted is None and exprs and isinstance(exprs[0].type, Member):
        wanted = SetOf(exprs[0].type)
    if isinstance(wanted, UnknownType):  # which is reported
        return ParameterDef(name, wanted, (), 0)
    if not isinstance(wanted, SetOf):
        message = "a list of values needs a `per`"
        if type_ is not None:
            message = f"expected {reader.describe(type_)}, found a list"
        hint = "add `per: player` or `per:` a kind; a set of members has `type: set of` a kind"
        reader.diagnostics.add(node.span, codes.WRONG_VALUE, message, help=hint, address=address)
        return ParameterDef(name, UnknownType(), (), 0)
    info = reader.kinds.get(wanted.element.kind) if isinstance(wanted.element, Member) else None
    values: list[int] = []
    for item, expr in zip(items, exprs, strict=True):
        value = expr.value if isinstance(expr, Constant) else None
        is_number = info is not None and info.is_numeric and isinstance(expr.type, Number)
        is_member = is_number or (wanted.element is not None and is_assignable(expr.type, wanted.element, reader.kinds))
        if isinstance(expr.type, UnknownType):
            continue
        if info is not None and is_number and value not in info.member_values:
            message = f"{value} is not a member of `{info.name}`"
            reader.diagnostics.add(item.span, codes.WRONG_VALUE, message, address=address)
        elif not isinstance(value, int) or not is_member:
            reader.emit_type_mismatch(item, expr.type, f"a {info.name}" if info else "a member", address)
        elif value in values:
            message = f"`{text_or_default(item)}` is already in the list"
            reader.diagnostics.add(item.span, codes.DUPLICATE_NAME, message, address=address)
        else:
            values.append(value)
    return ParameterDef(name, SetOf(wanted.element, len(values)), (), tuple(sorted(values)))


def _narrow(type_: Type, value: ConstantValue) -> Type:
    return Number(value, value) if isinstance(type_, Number) and isinstance(value, int) else type_


def _read_table(reader: ExprReader, name: str, node: Node, type_: Type | None, per: Node, address: str) -> ParameterDef:
    key = read_key_type(reader, per, f"{address}.per")
    members = key_values(reader, key)
    values = as_items(node)
    _, most = (parse_player_range(reader.root.get("players")) if key == SEAT else None) or (0, 0)
    most = max(most, len(members))  # of a list for more seats the first values count
    exprs = [reader.read_expression(item, reader.scope(), None, address, meant=type_) for item in values]
    is_readable = not any(isinstance(expr.type, UnknownType) for expr in exprs)
    if not len(members) <= len(values) <= most and is_readable and not isinstance(key, UnknownType):
        wanted = len(members) if len(values) < len(members) else most
        reader.diagnostics.add(
            node.span,
            codes.MISSING_CASE,
            f"expected {wanted} {'value' if wanted == 1 else 'values'}, one per `{text_or_default(per)}`, "
            f"found {len(values)}",
            help="list one value for each member, in their order",
            address=address,
        )
    table: dict[int, ConstantValue] = {}
    types: list[Type] = []
    for index, (item, expr) in enumerate(zip(values, exprs, strict=True)):
        value = _constant(reader, expr, type_, item, address)
        if index < len(members):
            table[members[index]] = value
            types.append(_narrow(expr.type, value))
    joined = type_ or (types[0] if types else UnknownType())
    numbers = [number for number in types if isinstance(number, Number)]
    if type_ is None and types and len(numbers) == len(types):
        joined = Number(min(number.low for number in numbers), max(number.high for number in numbers))
    return ParameterDef(name, joined, (key,), None, table)


def _constant(reader: ExprReader, expr: Expr, type_: Type | None, node: Node, address: str) -> ConstantValue:
    """The value of an expression that is known before play and within the bounds of a type."""
    if isinstance(expr.type, UnknownType):
        return 0
    constant = isinstance(expr, Constant) and not isinstance(expr.type, Bag | SetOf)
    value = expr.value if constant and isinstance(expr, Constant) else fold_constant(expr)
    if value is None:
        reader.diagnostics.add(
            node.span,
            codes.NOT_CONSTANT,
            "the value of a parameter must be known before play",
            help="it may use `players` and other parameters",
            address=address,
        )
        return 0
    check_value_type(reader, value, expr, type_, node, address)
    return value


__all__ = ["read_parameter"]

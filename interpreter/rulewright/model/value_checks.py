"""Do values fit the types that are declared, and are they known before play where they must be?

In: typed expressions and the nodes they come from. Out: diagnostics.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.diagnostics import Related
from rulewright.expr.scope import Scope
from rulewright.expr.tree import Expr
from rulewright.expr.type_relations import is_assignable
from rulewright.expr.typecheck.expr_hints import NO_SEAT_HINT
from rulewright.expr.types import (
    SEAT,
    Number,
    Type,
    UnknownType,
)
from rulewright.expr.walk import find_position_read
from rulewright.frozen import replace
from rulewright.json_values import is_integer
from rulewright.model import codes
from rulewright.model.expr_reader import ExprReader
from rulewright.source.nodes import Node, ScalarNode


def check_value_type(
    reader: ExprReader, value: object, expr: Expr, type_: Type | None, node: Node, address: str
) -> None:
    """Reports a value outside of its declared type."""
    if type_ is None or isinstance(type_, UnknownType) or isinstance(expr.type, UnknownType):
        return
    if isinstance(type_, Number) and is_integer(value):
        if not type_.low <= value <= type_.high:
            reader.diagnostics.add(
                node.span,
                codes.OUT_OF_BOUNDS,
                f"{value} is out of bounds, expected {type_.low} to {type_.high}",
                label="out of bounds",
                help=f"write a number from {type_.low} to {type_.high}, or another range as its `type`",
                address=address,
            )
        return
    if not is_assignable(expr.type, type_, reader.kinds):
        reader.diagnostics.add(
            node.span,
            codes.WRONG_VALUE,
            f"expected {reader.describe(type_)}, found {reader.describe(expr.type)}",
            address=address,
        )


def emit_wrong_content(reader: ExprReader, node: Node, what: str, zone: str, address: str) -> None:
    """Reports a zone that holds something else than what is put there."""
    related = (
        [Related(reader.table.declaration_spans[zone], "the zone is declared here")]
        if zone in reader.table.declaration_spans
        else []
    )
    reader.diagnostics.add(
        node.span, codes.WRONG_MOVE, f"`{zone}` does not hold {what}", address=address, related=related
    )


def read_static_expression(reader: ExprReader, node: Node, scope: Scope, expect: Type | None, address: str) -> Expr:
    """An expression that must be known before play."""
    expr = reader.read_expression(node, replace(scope, is_before_play=True), expect, address)
    check_static(reader, (expr,), node, address)
    return expr


def check_static(reader: ExprReader, exprs: Iterable[Expr], node: Node, address: str) -> None:
    """Reports expressions that depend on the position."""
    for expr in exprs:
        part = find_position_read(expr)
        if part is not None and isinstance(node, ScalarNode):
            is_seat = part == expr and part.type == SEAT
            hint = "it may use parameters, `players`, the zone's own keys and fields of rows"
            reader.diagnostics.add(
                node.subspan(*part.offsets),
                codes.NOT_CONSTANT,
                "this must be known before play, but it depends on the position",
                help=NO_SEAT_HINT if is_seat else hint,
                address=address,
            )

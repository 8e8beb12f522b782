"""Whether what is written fits what is declared, and is known before play where it must be.

In: typed expressions and the nodes they come from. Out: complaints.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rulewright.diagnostics import Related
from rulewright.expr.tree import Expr
from rulewright.expr.type_relations import is_assignable
from rulewright.expr.types import (
    Number,
    Type,
    UnknownType,
)
from rulewright.expr.walk import find_position_read
from rulewright.model import codes
from rulewright.model.expr_reader import ExprReader
from rulewright.source.nodes import Node, ScalarNode


def is_whole_number(node: ScalarNode) -> bool:
    """Whether a scalar is a whole number."""
    return isinstance(node.value, int) and not isinstance(node.value, bool)


def check_value_type(
    reader: ExprReader, value: object, expr: Expr, type_: Type | None, node: Node, address: str
) -> None:
    """A value that must lie within its declared type."""
    if type_ is None or isinstance(type_, UnknownType) or isinstance(expr.type, UnknownType):
        return
    if isinstance(type_, Number) and isinstance(value, int) and not isinstance(value, bool):
        if not type_.low <= value <= type_.high:
            reader.diagnostics.add(
                node.span,
                codes.OUT_OF_BOUNDS,
                f"{value} is not within {type_.low} to {type_.high}",
                label="out of bounds",
                help=f"the type says {type_.low} to {type_.high}",
                address=address,
            )
        return
    if not is_assignable(expr.type, type_, reader.kinds):
        reader.diagnostics.add(
            node.span,
            codes.WRONG_VALUE,
            f"this is {reader.describe(expr.type)}, where {reader.describe(type_)} is declared",
            address=address,
        )


def emit_wrong_content(reader: ExprReader, node: Node, what: str, zone: str, address: str) -> None:
    """A zone that holds something else than what is put there."""
    related = (
        [Related(reader.table.declaration_spans[zone], "the zone is declared here")]
        if zone in reader.table.declaration_spans
        else []
    )
    reader.diagnostics.add(
        node.span, codes.WRONG_MOVE, f"`{zone}` does not hold {what}", address=address, related=related
    )


def read_static_expression(reader: ExprReader, node: Node, scope: Any, expect: Type | None, address: str) -> Expr:
    """An expression that must be known before play."""
    expr = reader.read_expression(node, scope, expect, address)
    check_static(reader, (expr,), node, address)
    return expr


def check_static(reader: ExprReader, exprs: Iterable[Expr], node: Node, address: str) -> None:
    """Expressions that may not depend on how the game stands."""
    for expr in exprs:
        part = find_position_read(expr)
        if part is not None and isinstance(node, ScalarNode):
            reader.diagnostics.add(
                node.subspan(*part.offsets),
                codes.NOT_CONSTANT,
                "this must be known before play begins, but it depends on how the game stands",
                help="parameters, `players`, the zone's own keys and fields of rows may be used",
                address=address,
            )

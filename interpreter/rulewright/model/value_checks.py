"""Whether what is written fits what is declared, and is known before play where it must be.

In: typed expressions and the nodes they come from. Out: complaints.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rulewright.diagnostics import Related
from rulewright.expr.tree import Expr
from rulewright.expr.type_relations import fits, phrase
from rulewright.expr.types import (
    Number,
    Type,
    Unknown,
)
from rulewright.model import codes
from rulewright.model.symbol_table import Names
from rulewright.model.traversal import reads_position
from rulewright.source.nodes import Node, Scalar


def is_number(node: Scalar) -> bool:
    """Whether a scalar is a whole number."""
    return isinstance(node.value, int) and not isinstance(node.value, bool)


def within(names: Names, value: object, expr: Expr, type_: Type | None, node: Node, address: str) -> None:
    """A value that must lie within its declared type."""
    if type_ is None or isinstance(type_, Unknown) or isinstance(expr.type, Unknown):
        return
    if isinstance(type_, Number) and isinstance(value, int) and not isinstance(value, bool):
        if not type_.low <= value <= type_.high:
            names.report.add(
                node.span,
                codes.OUT_OF_BOUNDS,
                f"{value} is not within {type_.low} to {type_.high}",
                label="out of bounds",
                help=f"the type says {type_.low} to {type_.high}",
                address=address,
            )
        return
    if not fits(expr.type, type_, names.kinds):
        names.report.add(
            node.span,
            codes.WRONG_VALUE,
            f"this is {phrase(expr.type, names.kinds)}, where {phrase(type_, names.kinds)} is declared",
            address=address,
        )


def wrong_content(names: Names, node: Node, what: str, zone: str, address: str) -> None:
    """A zone that holds something else than what is put there."""
    related = [Related(names.spans[zone], "the zone is declared here")] if zone in names.spans else []
    names.report.add(node.span, codes.WRONG_MOVE, f"`{zone}` does not hold {what}", address=address, related=related)


def fixed(names: Names, node: Node, scope: Any, expect: Type | None, address: str) -> Expr:
    """An expression that must be known before play."""
    expr = names.expression(node, scope, expect, address)
    must_be_known(names, (expr,), node, address)
    return expr


def must_be_known(names: Names, exprs: Iterable[Expr], node: Node, address: str) -> None:
    """Expressions that may not depend on how the game stands."""
    for expr in exprs:
        part = reads_position(expr)
        if part is not None and isinstance(node, Scalar):
            names.report.add(
                node.part(*part.at),
                codes.NEEDS_POSITION,
                "this must be known before play begins, but it depends on how the game stands",
                help="parameters, `players`, the zone's own keys and fields of rows may be used",
                address=address,
            )

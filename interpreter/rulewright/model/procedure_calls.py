"""A step that runs a procedure says which, and what its arguments are: `run: effects(card)`.

In: the text of such a step. Out: the name that it calls, and the typed arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rulewright.diagnostics import Span
from rulewright.expr.remembered import same_symbol
from rulewright.expr.scope import Scope, ValueSymbol
from rulewright.expr.tree import Expr, ReadValue
from rulewright.expr.typecheck import expressions
from rulewright.expr.types import Flag, Type, UnknownType
from rulewright.frozen import replace
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.expr_reader import ExprReader
from rulewright.source.nodes import ScalarNode

CALLED_NAME: Final = lazy_pattern(r"\s*([^\s(]*)\s*(?=\(|$)")


def called_name(call: ScalarNode) -> ScalarNode:
    """The procedure that a call names; all of the text where that is not a call."""
    match = CALLED_NAME.match(call.text)
    if match is None:
        return call
    return ScalarNode(match[1], match[1], call.subspan(*match.span(1)))


def read_arguments(
    reader: ExprReader, call: ScalarNode, scope: Scope, types: Sequence[Type], declaration: Span, address: str
) -> tuple[Expr, ...] | None:
    """The arguments of a call, of the types that the procedure declares; None where they do not fit.

    A call is read as a value with keys is, so that the same is said of what is wrong with it.
    """
    name = called_name(call).text
    if not types and call.text.strip() == name:
        return ()
    reader.record_use(call)
    if any(isinstance(type_, UnknownType) for type_ in types):
        return None  # reported where it is declared
    symbol = same_symbol(name, ValueSymbol(Flag(), tuple(types), is_procedure=True))
    visible = {other: variable for other, variable in scope.locals.items() if other != name}
    callable_scope = replace(
        scope, symbols={**scope.symbols, name: symbol}, locals=visible, spans={**scope.spans, name: declaration}
    )
    expr = expressions.check_expression(call, callable_scope, reader.diagnostics, address=address)
    if not isinstance(expr, ReadValue):
        return None
    for argument in expr.keys:
        reader.check_turn(argument, call, scope, address)
    return expr.keys


__all__ = ["called_name", "read_arguments"]

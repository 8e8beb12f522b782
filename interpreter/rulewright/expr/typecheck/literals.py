"""Numbers as they are written, and what is fixed by the text of an expression alone.

In: the rules `number` and `negative` of the grammar, or any part of an expression. Out: constants, or yes or no.
"""

from __future__ import annotations

from rulewright.expr.scope import MemberSymbol, ParameterSymbol, Scope
from rulewright.expr.syntax_tree import SyntaxNode
from rulewright.expr.tree import Constant, Expr
from rulewright.expr.typecheck.check_context import CheckContext
from rulewright.expr.types import Number


def check_number(ctx: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """A number."""
    value = int(node.token().text)
    return Constant(value, Number(value, value), node.offsets)


def check_negative(ctx: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """A number below 0."""
    value = -int(node.token().text)
    return Constant(value, Number(value, value), node.offsets)


def is_literal(node: SyntaxNode, scope: Scope) -> bool:
    """Whether a part consists of numbers, flags and members alone, so that nothing can ever change its value."""
    if node.rule == "name":
        name = node.token().text
        is_member = name not in scope.locals and isinstance(scope.symbols.get(name), MemberSymbol)
        return name in ("true", "false") or is_member
    if node.rule in ("number", "negative"):
        return True
    is_arithmetic = node.rule in ("plus", "minus", "less", "times", "divide", "remainder")
    return is_arithmetic and all(is_literal(part, scope) for part in node.children())


def depends_on_parameters(node: SyntaxNode, scope: Scope) -> bool:
    """Whether a part depends on a parameter or the number of players, which a variant may change."""
    if node.rule == "name":
        name = node.token().text
        return name == "players" or (name not in scope.locals and isinstance(scope.symbols.get(name), ParameterSymbol))
    return any(depends_on_parameters(part, scope) for part in node.children())

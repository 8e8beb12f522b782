"""What joins conditions: and, or, not; and conditions that shut one another out, such as `x < 3 and x > 5`.

In: the parts of an expression that join conditions, or conditions that have to hold together. Out: typed trees, or
complaints. Held against each other are flags with their contraries, two operands with one another, and operands with
written numbers or members, never with the value of a parameter: a variant may change that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from rulewright.diagnostics import Diagnostics, Related, Span
from rulewright.expr import codes, type_relations
from rulewright.expr.fold import fold_constant
from rulewright.expr.scope import Scope
from rulewright.expr.structural_key import StructuralKey, structural_key
from rulewright.expr.syntax_tree import SyntaxNode
from rulewright.expr.tree import Arithmetic, Compare, CompareOp, Constant, Expr, Logic, Not
from rulewright.expr.typecheck.check_context import CheckContext, error_expr
from rulewright.expr.types import Flag, UnknownType
from rulewright.source.nodes import ScalarNode

COMPARISONS: Final = frozenset({"is", "is_not", "below", "at_most", "above", "at_least", "in", "not_in"})
CONDITION_RULES: Final = COMPARISONS | {"fits_in", "and", "or", "not", "some", "every", "no"}
NEGATED: Final[Mapping[str, CompareOp]] = {"is": "is not", "is not": "is", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
MIRRORED: Final[Mapping[str, CompareOp]] = {"is": "is", "is not": "is not", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


def check_and(desk: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """Both of two conditions."""
    return _joined(desk, node, scope, "and")


def check_or(desk: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """One of two conditions, or both."""
    return _joined(desk, node, scope, "or")


def check_not(desk: CheckContext, node: SyntaxNode, scope: Scope) -> Expr:
    """The contrary of a condition."""
    return Not(desk.infer_condition(node.child(0), scope), Flag(), node.offsets)


def _joined(desk: CheckContext, node: SyntaxNode, scope: Scope, op: Literal["and", "or"]) -> Expr:
    before = len(desk.diagnostics)
    found = Logic(
        op, desk.infer_condition(node.child(0), scope), _right(desk, node, scope, before), Flag(), node.offsets
    )
    if len(desk.diagnostics) == before:
        # an `or` always holds when the contraries of its sides never hold together
        holds = op == "and"
        earlier = list(_said(found.left, holds, desk.scalar, desk.offset))
        told = _contrary(earlier, _said(found.right, holds, desk.scalar, desk.offset))
        if told is not None:
            _tell(told, op, desk.diagnostics, desk.address)
    return found


def _right(desk: CheckContext, node: SyntaxNode, scope: Scope, before: int) -> Expr:
    """What stands behind `or` and `and`: a condition too, where `x is 3 or 6` leaves one out."""
    compared = _last_comparison(node.child(0))
    right = node.child(1)
    plain = right.rule == "name" and right.token().text in ("true", "false")
    if compared is None or plain or right.rule in CONDITION_RULES:
        return desk.infer_condition(right, scope)
    found = desk.infer(right, scope)
    if isinstance(found.type, Flag | UnknownType):
        return desk.expect(found, Flag(), scope)
    if len(desk.diagnostics) > before:
        return error_expr(found.offsets)  # `x is 3 or 6 or 9`: told at the 6
    sides = [desk.source_text(one.offsets) for one in compared.children()]
    asked = desk.source_text((compared.child(0).offsets[0], compared.child(1).offsets[0]))
    this, is_ = desk.source_text(right.offsets), type_relations.describe_type(found.type)
    message = f"`{node.rule}` joins conditions, and `{this}` is {is_}"
    hint = f"repeat the comparison: `{asked} {sides[1]} {node.rule} {asked} {desk.source_text(right.offsets)}`"
    return desk.reject(codes.CONDITION_NOT_A_FLAG, right.offsets, message, label="compared with what?", help=hint)


def _last_comparison(node: SyntaxNode) -> SyntaxNode | None:
    """The comparison that is nearest before what follows a condition."""
    while node.rule in ("and", "or"):
        if node.child(1).rule in COMPARISONS:
            return node.child(1)
        node = node.child(0)
    return node if node.rule in COMPARISONS else None


def check_contradictions(conditions: Sequence[tuple[ScalarNode, Expr, str]], diagnostics: Diagnostics) -> None:
    """Complains of conditions that never hold together, such as two clauses of one action.

    Each is its scalar, what it means and its address; all were read in one scope. Told is the later one, with the
    earlier one beside it; what never holds by itself has been told already and is left out here.
    """
    earlier: list[Constraint] = []
    for scalar, expr, address in conditions:
        own = list(_said(expr, True, scalar, 0))
        if _contrary([], own) is not None:
            continue
        told = _contrary(earlier, own)
        if told is not None:
            _tell(told, "and", diagnostics, address)
        else:
            earlier += own


class Constraint(NamedTuple):
    """What a condition says of an operand: how it compares with a number, or with the number of a member.

    Of a flag: that it is 1 or 0. Of two operands: how the first less the second compares with 0.
    """

    operand: StructuralKey
    op: CompareOp
    value: int
    span: Span
    text: str


class Contradiction(NamedTuple):
    """What cannot be so, and what shuts it out: one saying that is enough, or all that speak of its operand."""

    constraint: Constraint
    conflicting: tuple[Constraint, ...]
    is_pairwise: bool


CONTRADICTION_MESSAGES: Final[
    Mapping[tuple[str, bool], tuple[str, str]]
] = {  # for the operator, and whether one other says enough
    ("and", True): ("this and `{}` never hold together", "shuts out the other"),
    ("and", False): ("this and what is said before never hold together", "shuts out the others"),
    ("or", True): ("one of this and `{}` always holds", "holds whenever the other does not"),
    ("or", False): ("one of this and what is said before always holds", "holds whenever the others do not"),
}


def _contrary(
    earlier: Sequence[Constraint], later: Iterator[Constraint] | Sequence[Constraint]
) -> Contradiction | None:
    """The first of the later sayings that leaves its operand no value beside what is said before it."""
    before = list(earlier)
    for one in later:
        same = [other for other in before if other.operand == one.operand]
        before.append(one)
        if same and _possible(same) and not _possible([*same, one]):
            enough = next((other for other in same if not _possible([other, one])), None)
            return Contradiction(one, (enough,) if enough else tuple(same), enough is not None)
    return None


def _tell(told: Contradiction, op: str, diagnostics: Diagnostics, address: str) -> None:
    message, label = CONTRADICTION_MESSAGES[op, told.is_pairwise]
    related = [Related(other.span, "together with this") for other in told.conflicting]
    code = codes.NEVER_TRUE if op == "and" else codes.ALWAYS_TRUE
    message = message.format(told.conflicting[0].text)
    diagnostics.add(told.constraint.span, code, message, label=label, address=address, related=related)


def _said(expr: Expr, holds: bool, scalar: ScalarNode, shift: int) -> Iterator[Constraint]:
    """All that is so when a condition holds, or when it does not."""
    start, end = (at + shift for at in expr.offsets)
    while isinstance(expr, Not):
        expr, holds = expr.of, not holds
    if isinstance(expr, Logic):
        if (expr.op == "and") == holds:  # otherwise only one of its sides is so, and it is not known which
            yield from _said(expr.left, holds, scalar, shift)
            yield from _said(expr.right, holds, scalar, shift)
        return
    found = _comparison(expr) if isinstance(expr, Compare) and expr.op in NEGATED else _flag(expr)
    if found is not None:
        operand, op, value = found
        text = " ".join(scalar.text[start:end].split())
        yield Constraint(operand, op if holds else NEGATED[op], value, scalar.subspan(start, end), text)


def _comparison(expr: Compare) -> tuple[StructuralKey, CompareOp, int] | None:
    op, left, right = expr.op, expr.left, expr.right
    if _written(left):
        op, left, right = MIRRORED[op], right, left
    operand = structural_key(left)
    if operand is None or _written(left):
        return None
    if _written(right):
        value = fold_constant(right)
        return None if value is None else (operand, op, int(value))
    other = structural_key(right)
    if other is None or other == operand:
        return None
    if repr(other) < repr(operand):  # one order for both ways of writing it
        op, operand, other = MIRRORED[op], other, operand
    return ("less", operand, other), op, 0


def _flag(expr: Expr) -> tuple[StructuralKey, CompareOp, int] | None:
    if isinstance(expr, Constant) or not isinstance(expr.type, Flag):
        return None
    if isinstance(expr, Compare) and expr.op == "not in":
        operand = structural_key(Compare("in", expr.left, expr.right, expr.type, expr.offsets))
        return None if operand is None else (operand, "is", 0)
    operand = structural_key(expr)
    return None if operand is None else (operand, "is", 1)


def _written(expr: Expr) -> bool:
    """Whether a part consists of numbers and members alone, so that nothing can ever change it."""
    if isinstance(expr, Arithmetic):
        return _written(expr.left) and _written(expr.right)
    return isinstance(expr, Constant) and isinstance(expr.value, int)


def _possible(said: Sequence[Constraint]) -> bool:
    """Whether some number is as all of them say: a stretch is narrowed, then what is left out of it is passed over."""
    low, high = -(10**12), 10**12
    without = set()
    for one in said:
        match one.op:
            case "is":
                low, high = max(low, one.value), min(high, one.value)
            case "is not":
                without.add(one.value)
            case "<" | "<=":
                high = min(high, one.value - (one.op == "<"))
            case ">" | ">=":
                low = max(low, one.value + (one.op == ">"))
    while low in without:
        low += 1
    return low <= high

"""What joins conditions: and, or, not; and conditions that shut one another out, such as `x < 3 and x > 5`.

In: the parts of an expression that join conditions, or conditions that have to hold together. Out: typed trees, or
complaints. Held against each other are flags with their contraries, two operands with one another, and operands with
written numbers or members, never with the value of a parameter: a variant may change that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from rulewright.diagnostics import Related, Report, Span
from rulewright.expr import codes, type_relations
from rulewright.expr.fold import fold
from rulewright.expr.structural_key import Shape, shape
from rulewright.expr.syntax_tree import Syntax
from rulewright.expr.tree import Arithmetic, Compare, CompareOp, Constant, Expr, Logic, Not
from rulewright.expr.typecheck.check_context import Desk, unclear
from rulewright.expr.types import Flag, Scope, Unknown
from rulewright.source.nodes import Scalar

COMPARISONS: Final = frozenset({"is", "is_not", "below", "at_most", "above", "at_least", "in", "not_in"})
CONDITIONS: Final = COMPARISONS | {"fits_in", "and", "or", "not", "some", "every", "no"}
CONTRARY: Final[Mapping[str, CompareOp]] = {"is": "is not", "is not": "is", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
MIRRORED: Final[Mapping[str, CompareOp]] = {"is": "is", "is not": "is not", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


def logic_and(desk: Desk, node: Syntax, scope: Scope) -> Expr:
    """Both of two conditions."""
    return _joined(desk, node, scope, "and")


def logic_or(desk: Desk, node: Syntax, scope: Scope) -> Expr:
    """One of two conditions, or both."""
    return _joined(desk, node, scope, "or")


def logic_not(desk: Desk, node: Syntax, scope: Scope) -> Expr:
    """The contrary of a condition."""
    return Not(desk.flag(node.node(0), scope), Flag(), node.at)


def _joined(desk: Desk, node: Syntax, scope: Scope, op: Literal["and", "or"]) -> Expr:
    before = len(desk.report)
    found = Logic(op, desk.flag(node.node(0), scope), _right(desk, node, scope, before), Flag(), node.at)
    if len(desk.report) == before:
        # an `or` always holds when the contraries of its sides never hold together
        holds = op == "and"
        earlier = list(_said(found.left, holds, desk.scalar, desk.shift))
        told = _contrary(earlier, _said(found.right, holds, desk.scalar, desk.shift))
        if told is not None:
            _tell(told, op, desk.report, desk.address)
    return found


def _right(desk: Desk, node: Syntax, scope: Scope, before: int) -> Expr:
    """What stands behind `or` and `and`: a condition too, where `x is 3 or 6` leaves one out."""
    compared = _last_comparison(node.node(0))
    right = node.node(1)
    plain = right.rule == "name" and right.word().text in ("true", "false")
    if compared is None or plain or right.rule in CONDITIONS:
        return desk.flag(right, scope)
    found = desk.read(right, scope)
    if isinstance(found.type, Flag | Unknown):
        return desk.need(found, Flag(), scope)
    if len(desk.report) > before:
        return unclear(found.at)  # `x is 3 or 6 or 9`: told at the 6
    sides = [desk.text(one.at) for one in compared.nodes()]
    asked = desk.text((compared.node(0).at[0], compared.node(1).at[0]))
    message = f"`{node.rule}` joins conditions, and `{desk.text(right.at)}` is {type_relations.phrase(found.type)}"
    hint = f"repeat the comparison: `{asked} {sides[1]} {node.rule} {asked} {desk.text(right.at)}`"
    return desk.wrong(codes.NOT_A_CONDITION, right.at, message, label="compared with what?", help=hint)


def _last_comparison(node: Syntax) -> Syntax | None:
    """The comparison that is nearest before what follows a condition."""
    while node.rule in ("and", "or"):
        if node.node(1).rule in COMPARISONS:
            return node.node(1)
        node = node.node(0)
    return node if node.rule in COMPARISONS else None


def contradictions(conditions: Sequence[tuple[Scalar, Expr, str]], report: Report) -> None:
    """Complains of conditions that never hold together, such as two clauses of one action.

    Each is its scalar, what it means and its address; all were read in one scope. Told is the later one, with the
    earlier one beside it; what never holds by itself has been told already and is left out here.
    """
    earlier: list[Said] = []
    for scalar, expr, address in conditions:
        own = list(_said(expr, True, scalar, 0))
        if _contrary([], own) is not None:
            continue
        told = _contrary(earlier, own)
        if told is not None:
            _tell(told, "and", report, address)
        else:
            earlier += own


class Said(NamedTuple):
    """What a condition says of an operand: how it compares with a number, or with the number of a member.

    Of a flag: that it is 1 or 0. Of two operands: how the first less the second compares with 0.
    """

    operand: Shape
    op: CompareOp
    value: int
    span: Span
    text: str


class Told(NamedTuple):
    """What cannot be so, and what shuts it out: one saying that is enough, or all that speak of its operand."""

    one: Said
    others: tuple[Said, ...]
    enough: bool


SAYS: Final[Mapping[tuple[str, bool], tuple[str, str]]] = {  # for the operator, and whether one other says enough
    ("and", True): ("this and `{}` never hold together", "shuts out the other"),
    ("and", False): ("this and what is said before never hold together", "shuts out the others"),
    ("or", True): ("one of this and `{}` always holds", "holds whenever the other does not"),
    ("or", False): ("one of this and what is said before always holds", "holds whenever the others do not"),
}


def _contrary(earlier: Sequence[Said], later: Iterator[Said] | Sequence[Said]) -> Told | None:
    """The first of the later sayings that leaves its operand no value beside what is said before it."""
    before = list(earlier)
    for one in later:
        same = [other for other in before if other.operand == one.operand]
        before.append(one)
        if same and _possible(same) and not _possible([*same, one]):
            enough = next((other for other in same if not _possible([other, one])), None)
            return Told(one, (enough,) if enough else tuple(same), enough is not None)
    return None


def _tell(told: Told, op: str, report: Report, address: str) -> None:
    message, label = SAYS[op, told.enough]
    related = [Related(other.span, "together with this") for other in told.others]
    code = codes.NEVER_TRUE if op == "and" else codes.ALWAYS_TRUE
    message = message.format(told.others[0].text)
    report.add(told.one.span, code, message, label=label, address=address, related=related)


def _said(expr: Expr, holds: bool, scalar: Scalar, shift: int) -> Iterator[Said]:
    """All that is so when a condition holds, or when it does not."""
    start, end = (at + shift for at in expr.at)
    while isinstance(expr, Not):
        expr, holds = expr.of, not holds
    if isinstance(expr, Logic):
        if (expr.op == "and") == holds:  # otherwise only one of its sides is so, and it is not known which
            yield from _said(expr.left, holds, scalar, shift)
            yield from _said(expr.right, holds, scalar, shift)
        return
    found = _comparison(expr) if isinstance(expr, Compare) and expr.op in CONTRARY else _flag(expr)
    if found is not None:
        operand, op, value = found
        text = " ".join(scalar.text[start:end].split())
        yield Said(operand, op if holds else CONTRARY[op], value, scalar.part(start, end), text)


def _comparison(expr: Compare) -> tuple[Shape, CompareOp, int] | None:
    op, left, right = expr.op, expr.left, expr.right
    if _written(left):
        op, left, right = MIRRORED[op], right, left
    operand = shape(left)
    if operand is None or _written(left):
        return None
    if _written(right):
        value = fold(right)
        return None if value is None else (operand, op, int(value))
    other = shape(right)
    if other is None or other == operand:
        return None
    if repr(other) < repr(operand):  # one order for both ways of writing it
        op, operand, other = MIRRORED[op], other, operand
    return ("less", operand, other), op, 0


def _flag(expr: Expr) -> tuple[Shape, CompareOp, int] | None:
    if isinstance(expr, Constant) or not isinstance(expr.type, Flag):
        return None
    if isinstance(expr, Compare) and expr.op == "not in":
        operand = shape(Compare("in", expr.left, expr.right, expr.type, expr.at))
        return None if operand is None else (operand, "is", 0)
    operand = shape(expr)
    return None if operand is None else (operand, "is", 1)


def _written(expr: Expr) -> bool:
    """Whether a part consists of numbers and members alone, so that nothing can ever change it."""
    if isinstance(expr, Arithmetic):
        return _written(expr.left) and _written(expr.right)
    return isinstance(expr, Constant) and isinstance(expr.value, int)


def _possible(said: Sequence[Said]) -> bool:
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

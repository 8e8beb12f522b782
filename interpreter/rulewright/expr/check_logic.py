"""What joins conditions: and, or, not; and conditions that shut one another out, such as `x < 3 and x > 5`.

In: the parts of an expression that join conditions. Out: typed trees, or complaints. What is held against each other
are comparisons of one operand with written numbers or members, never with parameters: a variant may change those.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal, NamedTuple

from rulewright.diagnostics import Related
from rulewright.expr import codes
from rulewright.expr.desk import Desk, written
from rulewright.expr.fold import fold
from rulewright.expr.syntax import Syntax, Token
from rulewright.expr.tree import At, Compare, CompareOp, Expr, Logic, Not
from rulewright.expr.types import Flag, Scope

Shape = tuple[object, ...]  # a part as written, wherever it stands

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
    found = Logic(op, desk.flag(node.node(0), scope), desk.flag(node.node(1), scope), Flag(), node.at)
    if len(desk.report) == before:
        _hold_together(desk, node, found, scope)
    return found


class Said(NamedTuple):
    """A comparison of an operand with a number (or the number of a member)."""

    operand: Shape
    op: CompareOp
    value: int
    at: At


SAYS: Final[Mapping[tuple[str, bool], tuple[str, str]]] = {  # for the operator, and whether one other says enough
    ("and", True): ("this and `{}` never hold together", "shuts out the other"),
    ("and", False): ("this and what is said before never hold together", "shuts out the others"),
    ("or", True): ("one of this and `{}` always holds", "holds whenever the other does not"),
    ("or", False): ("one of this and what is said before always holds", "holds whenever the others do not"),
}


def _hold_together(desk: Desk, node: Syntax, logic: Logic, scope: Scope) -> None:
    """Complains when what the right side says leaves an operand no value beside what the left side says.

    An `or` always holds when the contraries of its sides leave no value.
    """
    earlier = list(_said(node.node(0), logic.left, logic.op, scope))
    for one in _said(node.node(1), logic.right, logic.op, scope):
        same = [other for other in earlier if other.operand == one.operand]
        earlier.append(one)
        if _possible(same) and not _possible([*same, one]):
            enough = next(([other] for other in same if not _possible([other, one])), [])
            places = [desk.scalar.part(at[0] + desk.shift, at[1] + desk.shift) for *_, at in enough or same]
            text = "".join(desk.scalar.text[at[0] + desk.shift : at[1] + desk.shift] for *_, at in enough)
            message, label = SAYS[logic.op, bool(enough)]
            related = [Related(place, "together with this") for place in places]
            code = codes.NEVER_TRUE if logic.op == "and" else codes.ALWAYS_TRUE
            desk.complain(code, one.at, message.format(text), label=label, related=related)
            return


def _said(node: Syntax, expr: Expr, op: str, scope: Scope) -> Iterator[Said]:
    """The comparisons with something written that `op` joins; of an `or` their contraries."""
    if isinstance(expr, Logic) and expr.op == op:
        yield from _said(node.node(0), expr.left, op, scope)
        yield from _said(node.node(1), expr.right, op, scope)
        return
    contrary = op == "or"
    at = node.at
    while isinstance(expr, Not):
        node, expr, contrary = node.node(0), expr.of, not contrary
    if not isinstance(expr, Compare) or expr.op not in CONTRARY:
        return
    left, right = node.nodes()
    compared, found, operand = expr.op, expr.right, left
    if written(left, scope):
        compared, found, operand = MIRRORED[compared], expr.left, right
    elif not written(right, scope):
        return
    value = fold(found)
    if value is not None:
        yield Said(_shape(operand), CONTRARY[compared] if contrary else compared, int(value), at)


def _shape(part: Syntax | Token) -> Shape:
    return (part.text,) if isinstance(part, Token) else (part.rule, *map(_shape, part.parts))


def _possible(said: list[Said]) -> bool:
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

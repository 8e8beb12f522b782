"""Conditions that can never hold together, such as `x < 3 and x > 5`, and those of which one always holds.

In: the two sides of `and` or `or`, a chain of `if … else if …`, or conditions that all have to hold. Out: warnings.

Each condition is broken down into constraints on operands: `x < 3` says of the operand `x` that it is below 3. An
operand is any expression, known by its structural key, so that it is recognized wherever it is written again. Several
constraints on one operand narrow an interval; what `is not` excludes is then taken out of it. An empty interval is a
contradiction. Compared are flags, two operands with one another (their difference with 0), and operands with literal
numbers or members, never with the value of a parameter: a variant may change that
(`checker/logic/contradicting_clauses.py` asks about those of a variant).

Example: `x > 3 or x < 5` always holds if its negation, `x <= 3 and x >= 5`, never does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple, assert_never

from rulewright import limits
from rulewright.diagnostics import Diagnostics, Related, Span
from rulewright.expr import codes
from rulewright.expr.fold import fold_constant
from rulewright.expr.structural_key import StructuralKey, structural_key
from rulewright.expr.tree import (
    NEGATED,
    SIDES_SWAPPED,
    Arithmetic,
    Call,
    Compare,
    Constant,
    Expr,
    If,
    Logic,
    Not,
    NumericOp,
)
from rulewright.expr.types import Bag, Flag, Number
from rulewright.expr.walk import conjuncts
from rulewright.source.nodes import ScalarNode
from rulewright.suggestions import join_list


class Constraint(NamedTuple):
    """What a condition says of an operand: how it compares with a number, or with the number of a member.

    Of a flag: that it is 1 or 0. Of two operands: how their difference compares with 0.
    """

    operand: StructuralKey
    op: NumericOp
    value: int
    span: Span
    text: str


class Contradiction(NamedTuple):
    """A constraint that cannot hold, and those that exclude it: a single one, or all on the same operand."""

    constraint: Constraint
    conflicting: tuple[Constraint, ...]
    is_pairwise: bool  # whether a single one excludes it


CONTRADICTION_MESSAGES: Final[Mapping[tuple[str, bool], tuple[str, str]]] = {  # by operator, and `is_pairwise`
    ("and", True): ("this and `{}` never hold together", "excludes the other"),
    ("and", False): ("this and the conditions before it never hold together", "excludes the others"),
    ("or", True): ("this or `{}` always holds", "holds whenever the other does not"),
    ("or", False): ("this or one of the conditions before it always holds", "holds whenever the others do not"),
}


def check_sides(expr: Logic, scalar: ScalarNode, offset: int, diagnostics: Diagnostics, address: str) -> None:
    """Warns if the sides of an `and` never hold together, or one side of an `or` always holds. `offset`: where the
    text of the expression begins inside the scalar.
    """
    # one side of an `or` always holds if the negations of both never hold together
    holds = expr.op == "and"
    earlier = list(_constraints(expr.left, holds, scalar, offset))
    contradiction = _find_contradiction(earlier, _constraints(expr.right, holds, scalar, offset))
    if contradiction is not None:
        _emit(contradiction, expr.op, diagnostics, address, is_one_expression=True)


def check_branches(expr: If, scalar: ScalarNode, offset: int, diagnostics: Diagnostics, address: str) -> None:
    """Warns if a condition in a chain of `if … else if …` comes out the same wherever it is asked, because of the first
    condition of the chain: what follows `else` is only looked at where that does not hold.
    """
    first = [*_constraints(expr.condition, False, scalar, offset)]
    asked_before, later = list[Constraint](), expr.otherwise
    while isinstance(later, If):
        for holds in (True, False):
            made = [*_constraints(later.condition, holds, scalar, offset)]
            contradiction = _find_contradiction([*first, *asked_before], made)
            if contradiction is None or _find_contradiction(asked_before, made) is not None:
                continue
            label = "never holds here" if holds else "always holds here"
            start, end = expr.condition.offsets[0] + offset, expr.condition.offsets[1] + offset
            diagnostics.add(
                scalar.subspan(later.condition.offsets[0] + offset, later.condition.offsets[1] + offset),
                codes.NEVER_TRUE if holds else codes.ALWAYS_TRUE,
                f"`{contradiction.constraint.text}` {label}: this is asked where the condition before it does not hold",
                label=label,
                address=address,
                related=[Related(scalar.subspan(start, end), "asked before")],
            )
            return
        asked_before += _constraints(later.condition, False, scalar, offset)
        later = later.otherwise


def check_contradictions(conditions: Sequence[tuple[ScalarNode, Expr, str]], diagnostics: Diagnostics) -> None:
    """Warns of conditions that never hold together, such as two clauses of one action.

    Each is its scalar, its typed tree and its address; all were read in one scope. The later one is reported, with the
    earlier one as a note. A condition that never holds by itself is reported already, and left out.
    """
    earlier: list[Constraint] = []
    for scalar, expr, address in conditions:
        constraints = list(_constraints(expr, True, scalar, 0))
        if _find_contradiction([], constraints) is not None:
            continue
        contradiction = _find_contradiction(earlier, constraints)
        if contradiction is not None:
            _emit(contradiction, "and", diagnostics, address)
        else:
            earlier += constraints


def check_implied(
    condition: tuple[ScalarNode, Expr, str], asked: Iterable[tuple[ScalarNode, Expr]], diagnostics: Diagnostics
) -> None:
    """Warns of a condition that holds wherever all of some others hold, which were read in the same scope."""
    scalar, expr, address = condition
    known = [constraint for node, other in asked for constraint in _constraints(other, True, node, 0)]
    denied = [_find_contradiction(known, _constraints(part, False, scalar, 0)) for part in conjuncts(expr)]
    reasons = list(dict.fromkeys(other for each in denied if each is not None for other in each.conflicting))
    if None in denied or any(other.span.contains(scalar.span) for other in reasons):
        return
    listed = join_list(list(dict.fromkeys(f"`{other.text}`" for other in reasons)), "and")
    diagnostics.add(
        scalar.span,
        codes.ALWAYS_TRUE,
        f"this refuses nothing: it holds wherever {listed} {'hold' if ' and ' in listed else 'holds'}",
        label="changes nothing",
        help="ask for more than that, or leave it out",
        address=address,
        related=[Related(other.span, "asked already") for other in reasons],
    )


def _find_contradiction(earlier: Sequence[Constraint], later: Iterable[Constraint]) -> Contradiction | None:
    """The first of the later constraints that leaves its operand no value, given those before it."""
    before = list(earlier)
    for constraint in later:
        related = [other for other in before if other.operand == constraint.operand]
        before.append(constraint)
        if related and _is_satisfiable(related) and not _is_satisfiable([*related, constraint]):
            single = next((other for other in related if not _is_satisfiable([other, constraint])), None)
            return Contradiction(constraint, (single,) if single else tuple(related), single is not None)
    return None


def _emit(
    contradiction: Contradiction,
    op: Literal["and", "or"],
    diagnostics: Diagnostics,
    address: str,
    *,
    is_one_expression: bool = False,
) -> None:
    template, label = CONTRADICTION_MESSAGES[op, contradiction.is_pairwise]
    message = template.format(contradiction.conflicting[0].text)
    related = [Related(other.span, "together with this") for other in contradiction.conflicting]
    code = codes.NEVER_TRUE if op == "and" else codes.ALWAYS_TRUE
    joined = "or" if op == "and" else "and"
    hint = f"change one of them, or join them with `{joined}`" if is_one_expression else "change or remove one of them"
    diagnostics.add(
        contradiction.constraint.span, code, message, label=label, help=hint, address=address, related=related
    )


def _constraints(expr: Expr, holds: bool, scalar: ScalarNode, offset: int) -> Iterator[Constraint]:
    """What is true if a condition holds, or (`holds` is false) if it does not."""
    start, end = expr.offsets[0] + offset, expr.offsets[1] + offset
    while isinstance(expr, Not):
        expr, holds = expr.of, not holds
    if isinstance(expr, Logic):
        if (expr.op == "and") == holds:  # otherwise only one of its sides is so, and which is not known
            yield from _constraints(expr.left, holds, scalar, offset)
            yield from _constraints(expr.right, holds, scalar, offset)
        return
    text, span = " ".join(scalar.text[start:end].split()), scalar.subspan(start, end)
    relation = _compare_relation(expr) if isinstance(expr, Compare) else _flag_relation(expr)
    if relation is not None:
        operand, op, value = relation
        yield Constraint(operand, op if holds else NEGATED[op], value, span, text)
    if isinstance(expr, Compare) and (counted := _content_relation(expr, holds)) is not None:
        yield Constraint(*counted, span, text)


def _content_relation(expr: Compare, holds: bool) -> tuple[StructuralKey, NumericOp, int] | None:
    """What a question about the content of a set or bag says of how much is there."""
    is_empty_asked = expr.op in ("is", "is not") and isinstance(expr.right, Constant) and expr.right.value is None
    if is_empty_asked and isinstance(expr.right.type, Bag):
        asked, is_there = expr.left, (expr.op == "is not") is holds
    elif expr.op in ("in", "not in") and (expr.op == "in") is holds:
        asked, is_there = expr.right, True
    else:
        return None  # what is not in it says nothing of the others
    operand = structural_key(Call("count", (asked,), "", Number(0, limits.MAX_NUMBER), asked.offsets))
    return None if operand is None else (operand, ">=" if is_there else "<=", 1 if is_there else 0)


def _compare_relation(expr: Compare) -> tuple[StructuralKey, NumericOp, int] | None:
    left, right = expr.left, expr.right
    match expr.op:
        case "in" | "fits in":
            return _flag_relation(expr)
        case "not in":
            operand = structural_key(Compare("in", left, right, expr.type, expr.offsets))
            return None if operand is None else (operand, "is", 0)
        case op:
            return _operand_relation(op, left, right)


def _operand_relation(op: NumericOp, left: Expr, right: Expr) -> tuple[StructuralKey, NumericOp, int] | None:
    if _is_literal(left):
        op, left, right = SIDES_SWAPPED.get(op, op), right, left
    operand = structural_key(left)
    if operand is None or _is_literal(left):
        return None
    if _is_literal(right):
        value = fold_constant(right)
        return None if value is None else (operand, op, int(value))
    other = structural_key(right)
    if other is None or other == operand:
        return None
    if repr(other) < repr(operand):  # one order for both ways of writing it
        op, operand, other = SIDES_SWAPPED.get(op, op), other, operand
    return ("less", operand, other), op, 0


def _flag_relation(expr: Expr) -> tuple[StructuralKey, NumericOp, int] | None:
    if isinstance(expr, Constant) or not isinstance(expr.type, Flag):
        return None
    operand = structural_key(expr)
    return None if operand is None else (operand, "is", 1)


def _is_literal(expr: Expr) -> bool:
    """Whether a part consists of numbers and members alone, so that nothing can ever change its value."""
    if isinstance(expr, Arithmetic):
        return _is_literal(expr.left) and _is_literal(expr.right)
    return isinstance(expr, Constant) and isinstance(expr.value, int)


def _is_satisfiable(constraints: Sequence[Constraint]) -> bool:
    """Whether some number satisfies all constraints: they narrow an interval, then excluded numbers are skipped."""
    low, high = -limits.MAX_NUMBER, limits.MAX_NUMBER
    excluded = set()
    for constraint in constraints:
        value = constraint.value
        match constraint.op:
            case "is":
                low, high = max(low, value), min(high, value)
            case "is not":
                excluded.add(value)
            case "<":
                high = min(high, value - 1)
            case "<=":
                high = min(high, value)
            case ">":
                low = max(low, value + 1)
            case ">=":
                low = max(low, value)
            case _:
                assert_never(constraint.op)
    while low in excluded:
        low += 1
    return low <= high

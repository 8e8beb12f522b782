"""Does a condition compare a part with the whole that it is a part of?

In: rules, and the composition they were built from. Out: warnings about comparisons that always or never hold, since
there is never more of a part than of the whole: of one member than of all in a bag, in one place than in all places of
a zone, of those that satisfy something than of all.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.logic.rule_conditions import (
    judged_conditions,
    judged_inner_conditions,
    report_constant,
)
from rulewright.diagnostics import Diagnostics
from rulewright.expr.structural_key import are_same
from rulewright.expr.tree import (
    SIDES_SWAPPED,
    Arithmetic,
    Call,
    Compare,
    Expr,
    Filter,
    MemberCount,
    ReadValue,
    ReadZone,
)
from rulewright.expr.types import Bag, Number
from rulewright.expr.walk import addends, iter_exprs
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules

VERDICTS: Final = {"<=": True, ">": False}  # of a part on the left and its whole on the right
HINT: Final = "the left is a part of the right: did you mean the rest of it?"
SWAPPED_HINT: Final = "the right is a part of the left: did you mean the rest of it?"


def check_parts_of_wholes(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them; under variants, those that a variant wrote."""
    for condition in (*judged_conditions(rules, composition), *judged_inner_conditions(rules, composition)):
        for part in iter_exprs(condition.expr):
            if not isinstance(part, Compare) or part.op not in SIDES_SWAPPED:
                continue
            sides = (part.op, part.left, part.right, HINT)
            swapped = (SIDES_SWAPPED[part.op], part.right, part.left, SWAPPED_HINT)
            for op, left, right, hint in (sides, swapped):
                if op in VERDICTS and _is_part(left, right, rules):
                    report_constant(condition, part, VERDICTS[op], hint, diagnostics)


def _is_part(part: Expr, whole: Expr, rules: Rules) -> bool:
    """Whether a number counts a part of what another one counts, or of one of those that are added up there."""
    counted = _counted(_as_written(part, rules))
    if counted is None:
        return False
    terms = [_as_written(term, rules) for term in addends(whole)]
    are_counts = all(isinstance(term.type, Number) and term.type.low >= 0 for term in terms)
    return are_counts and any(_is_within(counted, _counted(term)) for term in terms)


def _as_written(number: Expr, rules: Rules) -> Expr:
    """A number, or what a derived value without keys comes to that is nothing else than that."""
    if isinstance(number, ReadValue) and not number.keys:
        value = rules.values[number.name]
        if len(value.terms) == 1 and not value.deductions:
            return value.terms[0][1]
    return number


def _counted(number: Expr) -> Expr | None:
    """Of what a number is the count: all that lies somewhere, or one member of it."""
    match number:
        case Call(function="count", args=(of,)):
            return of
        case MemberCount() | ReadZone(type=Number()):
            return number
    return None


def _is_within(part: Expr, whole: Expr | None) -> bool:
    """Whether there is never more of one than of another, which is not the same."""
    if whole is None or are_same((part,), (whole,)):
        return False
    match part, whole:
        case MemberCount(member=member, bag=bag), MemberCount(member=other, bag=around):
            return are_same((member,), (other,)) and _is_within(bag, around)
        case MemberCount(bag=bag), _:
            return are_same((bag,), (whole,)) or _is_within(bag, whole)
        case Filter(over=over), _:
            return are_same((over,), (whole,)) or _is_within(over, whole)
        case ReadZone(), ReadZone():
            return _is_some_of(part, whole)
        case _, Arithmetic(op="+", left=left, right=right):
            return any(are_same((part,), (side,)) or _is_within(part, side) for side in (left, right))
        case Arithmetic(op="less", left=left, type=Bag()), _:
            return are_same((left,), (whole,)) or _is_within(left, whole)
    return False


def _is_some_of(part: ReadZone, whole: ReadZone) -> bool:
    """Whether a read of a zone is one place of those that another reads, or one member of what is there."""
    is_member_of = whole.member is None or (part.member is not None and are_same((part.member,), (whole.member,)))
    keys = part.keys[: len(whole.keys)]
    return part.name == whole.name and is_member_of and are_same(keys, whole.keys)


__all__ = ["check_parts_of_wholes"]

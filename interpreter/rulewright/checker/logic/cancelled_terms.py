"""Is something taken off itself, so that it makes no difference how much it is?

In: the state of a build. Out: warnings about sums in which a term is added and taken off again (`a - a`, `a + b - a`,
`a less a`), and about comparisons both of whose sides have the same terms (`a >= a + 2`), unless something else that
play can change is left. `a less b + b` is the greater of the two, so what `less` leaves counts as one term.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from rulewright.checker.common.lint_codes import COUNTED_TWICE
from rulewright.checker.common.warn import warn
from rulewright.checker.logic.same_on_both_sides import HOLDS
from rulewright.expr.codes import ALWAYS_TRUE, NEVER_TRUE
from rulewright.expr.structural_key import StructuralKey, structural_key
from rulewright.expr.tree import Arithmetic, Compare, Constant, Expr
from rulewright.expr.types import Number
from rulewright.expr.walk import child_exprs, find_position_read, free_variables, iter_exprs
from rulewright.frozen import frozen
from rulewright.model.build_state import BuildState, after_errors, build_pass

SUMS: Final = ("+", "-", "less")
HINT: Final = "is another one meant in one of the two places?"


@frozen
class _Term:
    """What is added so many times, below 0 if it is taken off; what stands there as a number has no key."""

    of: Expr
    key: StructuralKey | None
    times: int


@build_pass(needs=["judged"], skip=after_errors)
def check_cancelled_terms(state: BuildState) -> None:
    """Reports them."""
    for address, node, expr in state.judged.expressions:
        for sum_ in _whole_sums(expr):
            cancelled = _cancelled(_terms(sum_))
            if cancelled is not None:
                text = node.text[slice(*cancelled.offsets)].strip()
                message = f"`{text}` is added and taken off again"
                warn(state, node.subspan(*sum_.offsets), COUNTED_TWICE, message, "taken off itself", HINT, address)
        for part in iter_exprs(expr):
            if not isinstance(part, Compare) or (found := _same_terms(part)) is None:
                continue
            cancelled, outcome = found
            text, code, label = node.text[slice(*cancelled.offsets)].strip(), COUNTED_TWICE, "changes nothing"
            message = f"`{text}` stands on both sides, so nothing that is done changes how this comes out"
            if outcome is not None:
                code, label = (ALWAYS_TRUE, "always holds") if outcome else (NEVER_TRUE, "never holds")
                message = f"`{text}` stands on both sides, so this {label}"
            warn(state, node.subspan(*part.offsets), code, message, label, HINT, address)


def _whole_sums(expr: Expr) -> Iterator[Arithmetic]:
    """The sums in an expression that are not added to anything."""
    pending = [expr]
    while pending:
        part = pending.pop()
        if isinstance(part, Arithmetic) and part.op in SUMS and isinstance(part.type, Number):
            yield part
            pending += (term.of for term in _terms(part))
        else:
            pending += child_exprs(part)


def _terms(expr: Expr, times: int = 1, *, is_whole: bool = True) -> list[_Term]:
    """What is added up in an expression. `is_whole`: it is not added to anything, so `less` takes off like `-`."""
    match expr:
        case Arithmetic(op="+" | "-" | "less" as op, left=left, right=right, type=Number()) if is_whole or op != "less":
            taken = times if op == "+" else -times
            return [*_terms(left, times, is_whole=False), *_terms(right, taken, is_whole=False)]
        case Arithmetic(op="*", left=Constant(value=int(factor)), right=of, type=Number()):
            return _terms(of, times * factor, is_whole=False)
        case Arithmetic(op="*", left=of, right=Constant(value=int(factor)), type=Number()):
            return _terms(of, times * factor, is_whole=False)
        case Constant(value=int(number)):
            return [_Term(expr, None, times * number)]
    return [_Term(expr, structural_key(expr) or ("unknown", id(expr)), times)]


def _cancelled(terms: list[_Term]) -> Expr | None:
    """What is added as often as it is taken off."""
    left = _left(terms)
    return next((term.of for term in terms if term.key is not None and term.times and not left[term.key]), None)


def _left(terms: list[_Term]) -> Counter[StructuralKey]:
    """How often each term is added in all."""
    left = Counter[StructuralKey]()
    for term in terms:
        if term.key is not None:
            left[term.key] += term.times
    return left


def _same_terms(comparison: Compare) -> tuple[Expr, bool | None] | None:
    """A term that stands on both sides of a comparison that nothing decides which play can change, and how it comes
    out; None if that depends on parameters.
    """
    sides = [_terms(side, is_whole=False) for side in (comparison.left, comparison.right)]
    if comparison.op not in HOLDS or any(map(_cancelled, sides)) or len(sides[0]) + len(sides[1]) == 2:
        return None
    terms = [*sides[0], *(_Term(term.of, term.key, -term.times) for term in sides[1])]
    cancelled, left = _cancelled(terms), _left(terms)
    rest = [term.of for term in terms if term.key is not None and left[term.key]]
    if cancelled is None or any(find_position_read(one) is not None or free_variables(one) for one in rest):
        return None
    number = sum(term.times for term in terms if term.key is None)
    return cancelled, None if rest else HOLDS[comparison.op](number, 0)


__all__ = ["check_cancelled_terms"]

"""Is the highest of one zone looked for in another?

In: the state of a build. Out: warnings about steps for the players in whose place of a zone something comes to the
most, or the least, of what lies in another zone: whoever has played the best card is found where it was played.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.checker.common.condition_nodes import part_span
from rulewright.checker.common.lint_codes import LOOKED_ELSEWHERE
from rulewright.checker.common.warn import warn
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import Compare, Expr, Extremum, Filter, Local, Quantifier, ReadValue, ReadZone
from rulewright.expr.walk import iter_exprs, transform
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.rules import ValueDef


@build_pass(needs=["values", "judged"], skip=after_errors)
def check_winners_elsewhere(state: BuildState) -> None:
    """Reports them."""
    values = state.values
    for step in state.judged.steps:
        if step.for_each is None or step.for_each.condition is None:
            continue
        for part, searched, compared in _searches(step.for_each.condition, values):
            if searched == compared:
                continue
            span = part_span(state.document.root, step.address, "for_each", part, step.span)
            message = f"this looks in `{searched}` for what is the most or the least of `{compared}`"
            hint = f"look in `{compared}`, or compare what is in `{searched}`"
            warn(state, span, LOOKED_ELSEWHERE, message, f"not in `{compared}`", hint, step.address)


def _searches(condition: Expr, values: Mapping[str, ValueDef]) -> Iterator[tuple[Expr, str, str]]:
    """Where a condition looks for something whose number is an extreme, the zone there and that of the extreme."""
    for part in iter_exprs(condition):
        if not isinstance(part, Quantifier) or part.quantifier != "some" or (searched := _zone(part.over)) is None:
            continue
        for compare in iter_exprs(part.condition):
            if not isinstance(compare, Compare) or compare.op != "is":
                continue
            for number, bound in ((compare.left, compare.right), (compare.right, compare.left)):
                extreme = _as_extreme(bound, values)
                compared = None if extreme is None else _zone(extreme.over)
                if extreme is not None and compared is not None and _is_same(number, part.slot, extreme):
                    yield part.over, searched, compared


def _as_extreme(bound: Expr, values: Mapping[str, ValueDef]) -> Extremum | None:
    """An extreme, itself or by the name of a value without keys."""
    if isinstance(bound, ReadValue) and not bound.keys and len(values[bound.name].terms) == 1:
        return _as_extreme(values[bound.name].terms[0][1], values)
    return bound if isinstance(bound, Extremum) else None


def _zone(over: Expr) -> str | None:
    """The zone whose things are gone through."""
    while isinstance(over, Filter):
        over = over.over
    return over.name if isinstance(over, ReadZone) else None


def _is_same(number: Expr, slot: int, extreme: Extremum) -> bool:
    """Whether the number of one thing is that of which the extreme is."""

    def as_other(read: Expr) -> Expr | None:
        is_own = isinstance(read, Local) and read.slot == extreme.slot
        return Local("", slot, read.type, read.offsets) if is_own else None

    key = structural_key(number)
    return key is not None and key == structural_key(transform(extreme.of, as_other))


__all__ = ["check_winners_elsewhere"]

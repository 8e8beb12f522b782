"""Does a step go round all places but one?

In: rules, and the composition they were built from. Out: warnings about sums that go on to the next of a kind of
numbers and begin anew after the last but one, `at % 11 + 1` of 1 to 12, where no rule names the last one, which may be
passed over on purpose. Under variants only what a variant wrote.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.checker.common.condition_nodes import part_span
from rulewright.checker.common.lint_codes import OTHER_NUMBER
from rulewright.checker.common.rules_read import action_exprs
from rulewright.diagnostics import Diagnostics
from rulewright.expr.tree import Arithmetic, Constant, Expr, ReadState
from rulewright.expr.types import Member
from rulewright.expr.walk import iter_exprs
from rulewright.model.effects import SetState
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.model.traversal import step_exprs


def check_skipped_places(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    for step in (step for block in rules.blocks for step in block.steps):
        if not isinstance(step.effect, SetState) or not isinstance(step.effect.target.type, Member):
            continue
        kind = rules.kinds[step.effect.target.type.kind]
        low, high = min(kind.member_values, default=0), max(kind.member_values, default=0)
        turned = _turned(step.effect.to)
        if not kind.is_numeric or turned is None or len(kind.members) != high - low + 1:
            continue
        (name, part, modulus, first) = turned
        is_short = name == step.effect.target.name and first == low and modulus == len(kind.members) - 1
        if not is_short or _is_named(high, rules):
            continue
        span = part_span(composition.document.root, step.address, "to", part, step.span)
        if not composition.is_judged(span):
            continue
        message = f"this goes round {modulus} of {len(kind.members)} `{kind.name}`s: {high} is never reached"
        diagnostics.add(
            span,
            OTHER_NUMBER,
            message,
            label="one too few",
            help=f"write `% {modulus + 1}`",
            address=step.address,
        )


def _turned(to: Expr) -> tuple[str, Expr, int, int] | None:
    """The state that goes on, the part that begins anew, after how many, and with which number."""
    first, part = 0, to
    if isinstance(to, Arithmetic) and to.op == "+" and isinstance(to.right, Constant):
        first, part = _number(to.right), to.left
    if not isinstance(part, Arithmetic) or part.op != "%" or not isinstance(part.right, Constant):
        return None
    inner = part.left
    if first == 0:
        if not isinstance(inner, Arithmetic) or inner.op != "+" or _number(inner.right) != 1:
            return None
        inner = inner.left
    return (inner.name, part, _number(part.right), first) if isinstance(inner, ReadState) else None


def _number(expr: Expr) -> int:
    return expr.value if isinstance(expr, Constant) and isinstance(expr.value, int) else -1


def _is_named(number: int, rules: Rules) -> bool:
    """Whether some rule names a number, which is passed over on purpose then."""
    parts = [part for expr in _exprs(rules) for part in iter_exprs(expr)]
    moduli = {id(part.right) for part in parts if isinstance(part, Arithmetic) and part.op == "%"}
    return any(isinstance(part, Constant) and part.value == number and id(part) not in moduli for part in parts)


def _exprs(rules: Rules) -> Iterator[Expr]:
    for step in (step for block in rules.blocks for step in block.steps):
        yield from step_exprs(step)
    for action in rules.actions:
        yield from action_exprs(action)
    for value in rules.values.values():
        yield from (term for _, term in (*value.terms, *value.deductions))
    yield from (criterion.of for criterion in rules.ranking)


__all__ = ["check_skipped_places"]

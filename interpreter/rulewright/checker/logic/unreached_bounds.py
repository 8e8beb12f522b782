"""Does a variant set how many there may be at most to more than there can ever be?

In: rules with variants, and the composition they were built from. Out: warnings at what sets a parameter that is only
there as a bound, in `min(parameter, …)` beside numbers that never come up to it, however many play, where they can come
up to the number of the game itself. A number as high as its type allows is meant to lift the bound.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from rulewright.checker.common.lint_codes import CHANGES_NOTHING
from rulewright.checker.common.most_players import with_most_players
from rulewright.checker.logic.counts_check import ranges_with_parameters
from rulewright.diagnostics import Diagnostics
from rulewright.engine.faults import RuleFault
from rulewright.expr.tree import Call, ReadParameter
from rulewright.expr.types import Number
from rulewright.expr.walk import free_variables, iter_exprs
from rulewright.frozen import frozen
from rulewright.model.facts.zone_uses import exprs_of_play
from rulewright.model.loader import Composition, base_rules
from rulewright.model.rules import Rules

PARAMETERS: Final = "parameters"
PARTS: Final = 2  # of the address of a parameter as a whole


@frozen
class _Bound:
    """A parameter that is never reached, what is bounded by it, and the most that this ever is."""

    name: str
    number: int
    most: int


def check_unreached_bounds(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    changes = {
        change.parts[1]: (variant, change)
        for variant in composition.chosen_variants
        for change in variant.changes
        if change.parts[0] == PARAMETERS and len(change.parts) == PARTS
    }
    found = {bound.name: bound for bound in _bounds(rules, changes)} if changes else {}
    base = base_rules(composition) if found else None
    most = with_most_players(composition) if base is not None else None
    if base is None or most is None:
        return
    known = {bound.name for bound in _bounds(base, found)}
    never = {bound.name for bound in _bounds(most[1], found)}
    for name, bound in found.items():
        if name in known or name not in never:
            continue
        variant, change = changes[name]
        diagnostics.add(
            change.value_span,
            CHANGES_NOTHING,
            f"with variant `{variant.name}`: `{name}` is {bound.number}, and there are never more than {bound.most}",
            label="never reached",
            help=f"write {bound.most}, or see that there can be more",
            address=change.address,
        )


def _bounds(rules: Rules, names: Collection[str]) -> list[_Bound]:
    """Those among some parameters that are read only where they are never reached."""
    reads = [part.name for expr in exprs_of_play(rules) for part in iter_exprs(expr) if isinstance(part, ReadParameter)]
    bounds = [bound for name in names if name in reads for bound in _bounds_of(rules, name)]
    often = {name: sum(bound.name == name for bound in bounds) for name in names}
    return [bound for bound in bounds if often[bound.name] == reads.count(bound.name)]


def _bounds_of(rules: Rules, name: str) -> Iterator[_Bound]:
    """Where it bounds numbers that are never as many."""
    parameter = rules.parameters[name]
    number = parameter.value
    if type(number) is not int or not isinstance(parameter.type, Number) or number == parameter.type.high:
        return
    for expr in exprs_of_play(rules):
        for call in iter_exprs(expr):
            if not isinstance(call, Call) or call.function != "min":
                continue
            others = [arg for arg in call.args if not (isinstance(arg, ReadParameter) and arg.name == name)]
            if len(others) + 1 != len(call.args) or any(map(free_variables, others)):
                continue
            try:
                ranges = ranges_with_parameters(rules)
            except RuleFault:
                return  # reported by the set-up
            most = min(ranges.scalars(other, {}, ranges.seats).high for other in others)
            if most < number:
                yield _Bound(name, number, most)


__all__ = ["check_unreached_bounds"]

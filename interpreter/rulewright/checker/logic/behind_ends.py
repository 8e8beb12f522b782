"""Does a variant put a step behind an end of the game that always comes, as parameters are set?

In: rules with variants, and the composition they were built from. Out: warnings about the first step that a variant
wrote behind one of the same section that ends the game now, if its condition holds whenever it is asked, however many
play.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.checker.common.lint_codes import NEVER_REACHED
from rulewright.checker.common.most_players import has_most_players, with_most_players
from rulewright.diagnostics import Diagnostics, Related
from rulewright.expr.tree import Builtin, Call, Constant, Expr
from rulewright.expr.types import Number
from rulewright.expr.walk import transform
from rulewright.model.effects import Finish, Step
from rulewright.model.facts.declared_ranges import find_declared_ranges
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.facts.value_ranges import TRUE
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules

ROUND_NUMBER: Final = "round_number"


def check_behind_ends(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    files = composition.variant_files
    found = [*_behind(rules, files)] if composition.chosen_variants else []
    if not found:
        return
    most = None if has_most_players(composition) else with_most_players(composition)
    always = None if most is None else {step.address for step, _ in _behind(most[1], files)}
    for step, end in found:
        if always is None or step.address in always:
            diagnostics.add(
                step.span,
                NEVER_REACHED,
                f"`{step.address}` is never reached",
                label="never reached",
                help=f"`{end.address}` ends the game before, as parameters are set: set them, or put this before it",
                address=step.address,
                related=[Related(end.span, end.address)],
            )


def _behind(rules: Rules, files: frozenset[str]) -> Iterator[tuple[Step, Step]]:
    """The first step of a variant behind each end that always comes, and that end."""
    declared = find_declared_ranges(rules)
    ranges = ExpressionRanges(rules, declared.contents, declared.variables)
    for number in (rules.round, rules.turn):
        steps = rules.blocks[number].steps
        for index, end in enumerate(steps):
            behind = [step for step in steps[index + 1 :] if step.span.source.path in files]
            if behind and _always_ends(end, ranges):
                yield behind[0], end
                break


def _always_ends(step: Step, ranges: ExpressionRanges) -> bool:
    """Whether a step ends the game with a condition that always holds; one without a condition is told elsewhere."""
    if not isinstance(step.effect, Finish) or step.effect.when != "now" or step.when is None:
        return False
    return not step.is_repeated and ranges.scalars(transform(step.when, _from_first_round), {}, ranges.seats) == TRUE


def _from_first_round(part: Expr) -> Expr | None:
    """The number of the round, which is 1 at least once there are rounds."""
    if not isinstance(part, Builtin) or part.name != ROUND_NUMBER:
        return None
    return Call("max", (Constant(1, Number(1, 1), part.offsets), part), "", part.type, part.offsets)


__all__ = ["check_behind_ends"]

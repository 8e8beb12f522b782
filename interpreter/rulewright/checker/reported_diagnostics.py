"""What is reported of all that was found: without what authors allow, what only follows from another fault, and what
one fault brings about at several places.

In: all diagnostics, the allowances of the files that were read, and the variants. Out: `Diagnostics`.
"""

from __future__ import annotations

from collections.abc import Collection

from rulewright.checker.allowances import Allowance, apply_allowances
from rulewright.checker.variant_checks import CheckedVariant
from rulewright.diagnostics import Diagnostics


def reported_diagnostics(
    found: Diagnostics,
    allowances: list[list[Allowance]],
    variants: Collection[CheckedVariant | None],
    *,
    is_complete: bool,
) -> Diagnostics:
    """What is to be reported. `is_complete`: whether all was checked that was asked for."""
    reported = apply_allowances(found, allowances, is_complete=is_complete)
    if not len(reported):
        return reported
    from rulewright.checker.bringing_variants import name_bringing_variants  # most checks find nothing
    from rulewright.checker.causes.consequences import without_consequences, without_unused
    from rulewright.checker.causes.misspelled_additions import merge_misspelled_additions
    from rulewright.checker.causes.repeated_causes import with_repetitions_merged
    from rulewright.checker.misnamed_games import name_games_meant
    from rulewright.checker.misspelled_variants import name_known_variants

    merged = merge_misspelled_additions(reported)  # what is allowed hides nothing
    for name_meant in (name_known_variants, name_games_meant, name_bringing_variants):
        merged = name_meant(merged, variants)
    merged = with_repetitions_merged(without_consequences(merged))
    return without_unused(merged) if merged.error_count else merged


__all__ = ["reported_diagnostics"]

"""The checks of a variant's file, in the order in which they are made.

In: nothing. Out: a tuple of functions. A new check is a function that adds to `Diagnostics`, and a row here; or, if it
is of a game's files, in `game_passes`; or, if it needs rules at a number of players, in `rules_passes`. These are made
whenever a variant is read, so none of them imports what reads rules.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rulewright.checker.texts.other_languages import check_languages_of_variant
from rulewright.checker.texts.print_quotes import check_quotes_of_variant
from rulewright.checker.texts.removed_neighbours import check_removals_of_variant
from rulewright.checker.texts.stale_sentences import check_stale_sentences
from rulewright.checker.texts.unsaid_rules import check_unsaid_rules_of_variant
from rulewright.checker.texts.variant_directions import check_directions_of_variant, check_players_of_variant
from rulewright.checker.texts.variant_numbers import check_numbers_of_variant
from rulewright.checker.variant_checks import check_file_name, check_references
from rulewright.diagnostics import Diagnostics
from rulewright.document.document import Document
from rulewright.variants.variant import Variant

VariantPass = Callable[[Variant, Document | None, Diagnostics], None]  # None: its game cannot be read

VARIANT_PASSES: Final[tuple[VariantPass, ...]] = (
    check_file_name,
    check_references,
    check_stale_sentences,
    check_unsaid_rules_of_variant,
    check_quotes_of_variant,
    check_languages_of_variant,
    check_numbers_of_variant,
    check_directions_of_variant,
    check_players_of_variant,
    check_removals_of_variant,
)

__all__ = ["VARIANT_PASSES", "VariantPass"]

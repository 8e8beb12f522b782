"""The checks of files, in the order in which they are made: once for a game, once for a variant.

In: nothing. Out: two tuples of functions. A new check is a function that adds to `Diagnostics`, and a row here; or, if
it needs rules at a number of players, in `rules_passes`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rulewright.checker.print_quotes import check_quotes_of_game, check_quotes_of_variant
from rulewright.checker.stale_sentences import check_stale_sentences
from rulewright.checker.statement_references import check_statements
from rulewright.checker.unsaid_rules import check_unsaid_rules, check_unsaid_rules_of_variant
from rulewright.checker.variant_checks import check_adjustments, check_file_name, check_references
from rulewright.checker.variant_numbers import check_numbers_of_variant
from rulewright.diagnostics import Diagnostics
from rulewright.document.document import Document
from rulewright.variants.variant import Variant

GamePass = Callable[[Document, Diagnostics], None]
VariantPass = Callable[[Variant, Document | None, Diagnostics], None]  # None: its game cannot be read

GAME_PASSES: Final[tuple[GamePass, ...]] = (
    check_statements,
    check_adjustments,
    check_unsaid_rules,
    check_quotes_of_game,
)  # of the game's files, whoever plays
VARIANT_PASSES: Final[tuple[VariantPass, ...]] = (
    check_file_name,
    check_references,
    check_stale_sentences,
    check_unsaid_rules_of_variant,
    check_quotes_of_variant,
    check_numbers_of_variant,
)  # of a variant file

__all__ = ["GAME_PASSES", "VARIANT_PASSES", "GamePass", "VariantPass"]

"""The checks, in the order in which they are made: once for a game, once for a variant, once for each way to play.

In: nothing. Out: three tuples of functions. A new check is a function that adds to `Diagnostics`, and a row here.
Lints, which need what is known only while rules are built, are rows of `lint.LINTS`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rulewright.checker.amounts_in_sentences import check_amounts_in_sentences
from rulewright.checker.changed_parameters import check_changed_parameters
from rulewright.checker.clause_numbers import check_clause_numbers
from rulewright.checker.contradicting_clauses import check_contradicting_clauses
from rulewright.checker.counts_check import check_counts
from rulewright.checker.deals_check import check_deals
from rulewright.checker.flow_check import check_flow
from rulewright.checker.goals_check import check_goals
from rulewright.checker.loops_check import check_loops
from rulewright.checker.numbers_in_sentences import check_numbers_in_sentences
from rulewright.checker.print_quotes import check_quotes_of_game, check_quotes_of_variant
from rulewright.checker.reached_values import check_reached_values
from rulewright.checker.setup_check import check_setup
from rulewright.checker.stale_sentences import check_stale_sentences
from rulewright.checker.statement_references import check_statements
from rulewright.checker.unsaid_rules import check_unsaid_rules, check_unsaid_rules_of_variant
from rulewright.checker.variant_checks import check_adjustments, check_file_name, check_references
from rulewright.checker.variant_numbers import check_numbers_of_variant
from rulewright.diagnostics import Diagnostics
from rulewright.document.document import Document
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.variants.variant import Variant

GamePass = Callable[[Document, Diagnostics], None]
VariantPass = Callable[[Variant, Document | None, Diagnostics], None]  # None: its game cannot be read
RulesPass = Callable[[Rules, Composition, Diagnostics], None]

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
RULES_PASSES: Final[tuple[RulesPass, ...]] = (
    check_counts,
    check_reached_values,
    check_loops,
    check_deals,
    check_flow,
    check_goals,
    check_changed_parameters,
    check_contradicting_clauses,
    check_numbers_in_sentences,
    check_clause_numbers,
    check_amounts_in_sentences,
    check_setup,  # knows what never holds
)  # of rules without errors, at each number

__all__ = ["GAME_PASSES", "RULES_PASSES", "VARIANT_PASSES", "GamePass", "RulesPass", "VariantPass"]

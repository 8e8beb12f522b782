"""The checks of rules, in the order in which they are made, once for each way to play.

In: nothing. Out: a tuple of functions. A new check is a function that adds to `Diagnostics`, and a row here. Lints,
which need what is known only while rules are built, are rows of `lint.LINTS`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rulewright.checker.claims_of_variants import check_claims_of_variants
from rulewright.checker.logic.absent_members import check_absent_members
from rulewright.checker.logic.always_one_place import check_always_one_place
from rulewright.checker.logic.answers_tried import check_answers_tried
from rulewright.checker.logic.asked_too_early import check_asked_too_early
from rulewright.checker.logic.changed_parameters import check_changed_parameters
from rulewright.checker.logic.contradicting_clauses import check_contradicting_clauses
from rulewright.checker.logic.counted_down_once import check_counted_down_once
from rulewright.checker.logic.counted_players import check_counted_players
from rulewright.checker.logic.counts_check import check_counts
from rulewright.checker.logic.deals_check import check_deals
from rulewright.checker.logic.emptied_by_variants import check_emptied_by_variants
from rulewright.checker.logic.empty_zones import check_empty_zones
from rulewright.checker.logic.ends_not_asked import check_ends_not_asked
from rulewright.checker.logic.first_rounds import check_first_rounds
from rulewright.checker.logic.first_takes_all import check_first_takes_all
from rulewright.checker.logic.flat_numbers import check_flat_numbers
from rulewright.checker.logic.flow_check import check_flow
from rulewright.checker.logic.goals_check import check_goals
from rulewright.checker.logic.implied_clauses import check_implied_clauses
from rulewright.checker.logic.last_decisions import check_last_decisions
from rulewright.checker.logic.late_writes import check_late_writes
from rulewright.checker.logic.loops_check import check_loops
from rulewright.checker.logic.loops_over_oneself import check_loops_over_oneself
from rulewright.checker.logic.lost_writes import check_lost_writes
from rulewright.checker.logic.named_terms import check_named_terms
from rulewright.checker.logic.overwritten import check_overwritten
from rulewright.checker.logic.places_by_fields import check_places_by_fields
from rulewright.checker.logic.places_passed import check_places_passed
from rulewright.checker.logic.reached_values import check_reached_values
from rulewright.checker.logic.room_already_there import check_room_already_there
from rulewright.checker.logic.rounds_of_places import check_rounds_of_places
from rulewright.checker.logic.runaway_counters import check_runaway_counters
from rulewright.checker.logic.setup_order import check_setup_order
from rulewright.checker.logic.there_and_back import check_there_and_back
from rulewright.checker.logic.unanswerable_choices import check_unanswerable_choices
from rulewright.checker.logic.unfilled_zones import check_unfilled_zones
from rulewright.checker.logic.whose_gain import check_whose_gain
from rulewright.checker.logic.won_by_another import check_won_by_another
from rulewright.checker.played.setup_check import check_setup
from rulewright.checker.played.uneven_gifts import check_uneven_gifts
from rulewright.checker.texts.amounts_in_sentences import check_amounts_in_sentences
from rulewright.checker.texts.amounts_moved import check_amounts_moved
from rulewright.checker.texts.clause_numbers import check_clause_numbers
from rulewright.checker.texts.numbers_in_sentences import check_numbers_in_sentences
from rulewright.checker.texts.numbers_of_languages import check_numbers_of_languages
from rulewright.checker.texts.numbers_of_parameters import check_numbers_of_parameters
from rulewright.checker.texts.reasons_and_conditions import check_reasons_and_conditions
from rulewright.checker.texts.reasons_of_choices import check_reasons_of_choices
from rulewright.checker.texts.rounds_in_sentences import check_rounds_in_sentences
from rulewright.diagnostics import Diagnostics
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules

RulesPass = Callable[[Rules, Composition, Diagnostics], None]

RULES_PASSES: Final[tuple[RulesPass, ...]] = (
    check_counts,
    check_counted_players,
    check_reached_values,
    check_loops,
    check_loops_over_oneself,
    check_deals,
    check_uneven_gifts,
    check_flow,
    check_first_rounds,
    check_goals,
    check_changed_parameters,
    check_contradicting_clauses,
    check_implied_clauses,
    check_room_already_there,
    check_answers_tried,
    check_numbers_in_sentences,
    check_clause_numbers,
    check_numbers_of_parameters,
    check_claims_of_variants,
    check_rounds_in_sentences,
    check_amounts_in_sentences,
    check_amounts_moved,
    check_runaway_counters,
    check_lost_writes,
    check_overwritten,
    check_late_writes,
    check_asked_too_early,
    check_counted_down_once,
    check_places_by_fields,
    check_setup_order,
    check_named_terms,
    check_emptied_by_variants,
    check_empty_zones,
    check_absent_members,
    check_flat_numbers,
    check_unanswerable_choices,
    check_unfilled_zones,
    check_whose_gain,
    check_rounds_of_places,
    check_won_by_another,
    check_reasons_and_conditions,
    check_reasons_of_choices,
    check_last_decisions,
    check_ends_not_asked,
    check_places_passed,
    check_there_and_back,
    check_first_takes_all,
    check_always_one_place,
    check_numbers_of_languages,  # after all that hold a number against its rule
    check_setup,  # knows what never holds
)  # of rules without errors, at each number

__all__ = ["RULES_PASSES", "RulesPass"]

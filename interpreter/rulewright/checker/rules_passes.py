"""The checks of rules, in the order in which they are made, once for each way to play.

In: nothing. Out: a tuple of functions. A new check is a function that adds to `Diagnostics`, and a row here. Lints,
which need what is known only while rules are built, are rows of `lint.LINTS`. `at_steps` and `at_rules` say of a check
that nothing comes of it under variants that write nothing of the sort.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Final

from rulewright.checker.claims_of_variants import check_claims_of_variants
from rulewright.checker.common.judged_in import judged_in
from rulewright.checker.logic.absent_members import check_absent_members
from rulewright.checker.logic.always_one_place import check_always_one_place
from rulewright.checker.logic.answers_tried import check_answers_tried
from rulewright.checker.logic.asked_of_removed import check_asked_of_removed
from rulewright.checker.logic.asked_too_early import check_asked_too_early
from rulewright.checker.logic.asked_who_left import check_asked_who_left
from rulewright.checker.logic.banked_pots import check_banked_pots
from rulewright.checker.logic.behind_ends import check_behind_ends
from rulewright.checker.logic.beyond_invariants import check_beyond_invariants
from rulewright.checker.logic.changed_parameters import check_changed_parameters
from rulewright.checker.logic.constant_numbers import check_constant_numbers
from rulewright.checker.logic.contradicting_clauses import check_contradicting_clauses
from rulewright.checker.logic.counted_down_once import check_counted_down_once
from rulewright.checker.logic.counted_players import check_counted_players
from rulewright.checker.logic.counts_check import check_counts
from rulewright.checker.logic.deals_check import check_deals
from rulewright.checker.logic.dealt_and_taken_back import check_dealt_and_taken_back
from rulewright.checker.logic.emptied_by_variants import check_emptied_by_variants
from rulewright.checker.logic.empty_zones import check_empty_zones
from rulewright.checker.logic.endless_actions import check_endless_actions
from rulewright.checker.logic.endless_extra_turns import check_endless_extra_turns
from rulewright.checker.logic.ends_in_first_round import check_ends_in_first_round
from rulewright.checker.logic.ends_not_asked import check_ends_not_asked
from rulewright.checker.logic.first_takes_all import check_first_takes_all
from rulewright.checker.logic.fixed_players import check_fixed_players
from rulewright.checker.logic.flags_of_a_turn import check_flags_of_a_turn
from rulewright.checker.logic.flow_check import check_flow
from rulewright.checker.logic.forgotten_sums import check_forgotten_sums
from rulewright.checker.logic.goals_check import check_goals
from rulewright.checker.logic.handed_on_states import check_handed_on_states
from rulewright.checker.logic.idle_loops import check_idle_loops
from rulewright.checker.logic.implied_clauses import check_implied_clauses
from rulewright.checker.logic.last_decisions import check_last_decisions
from rulewright.checker.logic.late_writes import check_late_writes
from rulewright.checker.logic.loops_at_one_place import check_loops_at_one_place
from rulewright.checker.logic.loops_check import check_loops
from rulewright.checker.logic.loops_over_oneself import check_loops_over_oneself
from rulewright.checker.logic.lost_writes import check_lost_writes
from rulewright.checker.logic.misnamed_terms import check_misnamed_terms
from rulewright.checker.logic.noted_of_another import check_noted_of_another
from rulewright.checker.logic.only_one_other import check_only_one_other
from rulewright.checker.logic.overwritten_states import check_overwritten_states
from rulewright.checker.logic.paid_for_another import check_paid_for_another
from rulewright.checker.logic.parts_of_wholes import check_parts_of_wholes
from rulewright.checker.logic.piles_full_again import check_piles_full_again
from rulewright.checker.logic.places_by_fields import check_places_by_fields
from rulewright.checker.logic.players_that_meet import check_players_that_meet
from rulewright.checker.logic.room_already_there import check_room_already_there
from rulewright.checker.logic.runaway_counters import check_runaway_counters
from rulewright.checker.logic.setup_order import check_setup_order
from rulewright.checker.logic.skipped_places import check_skipped_places
from rulewright.checker.logic.steady_extra_turns import check_steady_extra_turns
from rulewright.checker.logic.there_and_back import check_there_and_back
from rulewright.checker.logic.unanswerable_choices import check_unanswerable_choices
from rulewright.checker.logic.unfilled_zones import check_unfilled_zones
from rulewright.checker.logic.unmet_rows import check_unmet_rows
from rulewright.checker.logic.unreached_bounds import check_unreached_bounds
from rulewright.checker.logic.unreached_clauses import check_unreached_clauses
from rulewright.checker.logic.unreached_values import check_unreached_values
from rulewright.checker.logic.values_set_anyway import check_values_set_anyway
from rulewright.checker.logic.whose_gain import check_whose_gain
from rulewright.checker.logic.winners_who_left import check_winners_who_left
from rulewright.checker.logic.won_by_another import check_won_by_another
from rulewright.checker.played.emptied_piles import check_emptied_piles
from rulewright.checker.played.setup_check import check_setup
from rulewright.checker.played.starts_beyond_caps import check_starts_beyond_caps
from rulewright.checker.played.uneven_gifts import check_uneven_gifts
from rulewright.checker.texts.amounts_in_sentences import check_amounts_in_sentences
from rulewright.checker.texts.amounts_moved import check_amounts_moved
from rulewright.checker.texts.articles import check_articles
from rulewright.checker.texts.clause_numbers import check_clause_numbers
from rulewright.checker.texts.contrary_languages import check_contrary_languages
from rulewright.checker.texts.examples_in_sentences import check_examples_in_sentences
from rulewright.checker.texts.forms_of_words import check_forms_of_words
from rulewright.checker.texts.numbers_of_languages import check_numbers_of_languages
from rulewright.checker.texts.numbers_of_parameters import check_numbers_of_parameters
from rulewright.checker.texts.outdated_numbers import check_outdated_numbers
from rulewright.checker.texts.reasons_and_conditions import check_reasons_and_conditions
from rulewright.checker.texts.rounds_in_sentences import check_rounds_in_sentences
from rulewright.diagnostics import Diagnostics
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules

RULE_SECTIONS: Final = (
    "actions",
    "procedures",
    "setup",
    "turn",
    "round",
    "finale",
    "ranking",
    "zones",
    "state",
    "values",
)  # in which variants write what is done, and what is asked then
RulesPass = Callable[[Rules, Composition, Diagnostics], None]


def at_steps(check: RulesPass) -> RulesPass:
    """A check that tells of steps only, and of none that is not judged: made where some are."""

    @wraps(check)
    def check_steps(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
        if judged_in(rules, composition).steps:
            check(rules, composition, diagnostics)

    return check_steps


def at_rules(check: RulesPass) -> RulesPass:
    """A check of which nothing comes where all that variants change are numbers, pieces, things and words."""

    @wraps(check)
    def check_rules(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
        if any(map(judged_in(rules, composition).has, RULE_SECTIONS)):
            check(rules, composition, diagnostics)

    return check_rules


RULES_PASSES: Final[tuple[RulesPass, ...]] = (
    check_counts,
    check_counted_players,
    check_unreached_values,
    check_flags_of_a_turn,
    check_loops,
    check_loops_over_oneself,
    at_rules(check_idle_loops),
    check_deals,
    check_uneven_gifts,
    check_emptied_piles,
    check_starts_beyond_caps,
    at_rules(check_endless_actions),
    at_rules(check_endless_extra_turns),
    at_rules(check_steady_extra_turns),
    at_rules(check_flow),
    at_steps(check_behind_ends),
    at_steps(check_ends_in_first_round),
    check_goals,
    check_unmet_rows,
    check_changed_parameters,
    check_unreached_bounds,
    check_values_set_anyway,
    check_contradicting_clauses,
    check_implied_clauses,
    check_unreached_clauses,
    check_only_one_other,
    check_beyond_invariants,
    check_parts_of_wholes,
    check_room_already_there,
    check_answers_tried,
    check_outdated_numbers,
    check_clause_numbers,
    check_numbers_of_parameters,
    check_forms_of_words,
    check_articles,
    check_claims_of_variants,
    at_steps(check_rounds_in_sentences),
    check_amounts_in_sentences,
    check_amounts_moved,
    at_steps(check_runaway_counters),
    at_steps(check_lost_writes),
    at_steps(check_overwritten_states),
    at_steps(check_handed_on_states),
    at_steps(check_late_writes),
    at_steps(check_asked_too_early),
    at_steps(check_counted_down_once),
    at_steps(check_places_by_fields),
    at_steps(check_players_that_meet),
    at_steps(check_setup_order),
    check_misnamed_terms,
    check_emptied_by_variants,
    check_asked_of_removed,
    check_absent_members,
    check_fixed_players,
    at_steps(check_empty_zones),
    check_constant_numbers,
    check_unanswerable_choices,
    check_unfilled_zones,
    check_paid_for_another,
    check_noted_of_another,
    check_banked_pots,
    check_forgotten_sums,
    at_steps(check_whose_gain),
    at_steps(check_skipped_places),
    at_steps(check_won_by_another),
    at_steps(check_winners_who_left),
    check_asked_who_left,
    check_examples_in_sentences,
    check_reasons_and_conditions,
    check_last_decisions,
    at_steps(check_ends_not_asked),
    at_steps(check_loops_at_one_place),
    at_steps(check_there_and_back),
    at_steps(check_dealt_and_taken_back),
    at_steps(check_piles_full_again),
    at_steps(check_first_takes_all),
    at_steps(check_always_one_place),
    check_numbers_of_languages,  # after all that hold a number against its rule
    check_contrary_languages,
    check_setup,  # knows what never holds
)  # of rules without errors, at each number

__all__ = ["RULES_PASSES", "RulesPass"]

"""What an author has probably forgotten: the passes that warn while rules are built, in their order.

In: nothing. Out: passes like those that build rules, and `build_and_lint`, which runs both. A new lint is a pass in a
module of its own, and a row here. Under variants `model.blame` finds the change that leaves something without a use or
an end.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from rulewright.checker.logic.both_sides import check_both_sides
from rulewright.checker.logic.cases_left_out import check_cases_left_out
from rulewright.checker.logic.doubled_flags import check_doubled_flags
from rulewright.checker.logic.empty_sources import check_empty_sources
from rulewright.checker.logic.endless_game import check_endless_game, check_left_seats
from rulewright.checker.logic.endless_turns import check_endless_turn
from rulewright.checker.logic.forgotten_keys import (
    check_all_seats,
    check_leaving_together,
    check_seats_in_terms,
    check_steps_of_all_seats,
    check_unread_keys,
    check_unread_variables,
    check_unread_variables_of_loops,
)
from rulewright.checker.logic.free_places_left import check_free_places_left
from rulewright.checker.logic.idle_steps import check_empty_turns, check_idle_steps, check_unread_loops
from rulewright.checker.logic.keys_in_loops import check_keys_in_loops
from rulewright.checker.logic.lone_winners import check_lone_winners, check_winners_who_began
from rulewright.checker.logic.loops_naming_others import check_loops_naming_others
from rulewright.checker.logic.lost_pieces import check_lost_pieces
from rulewright.checker.logic.lost_things import check_lost_things
from rulewright.checker.logic.moves_of_nothing import check_moves_of_nothing
from rulewright.checker.logic.offers_of_nothing import check_offers_of_nothing
from rulewright.checker.logic.passed_straight_on import check_passed_straight_on
from rulewright.checker.logic.repeated_terms import check_repeated_terms
from rulewright.checker.logic.resets_of_turns import check_resets_of_turns
from rulewright.checker.logic.rolled_late import check_rolled_late
from rulewright.checker.logic.same_again import check_repeated_arguments, check_repeated_clauses
from rulewright.checker.logic.same_answer_twice import check_same_answer_twice
from rulewright.checker.logic.same_places import check_same_places
from rulewright.checker.logic.set_back import check_states_kept, check_states_of_the_game, check_states_set_back
from rulewright.checker.logic.shown_at_once import check_shown_at_once
from rulewright.checker.logic.swapped_bounds import check_swapped_bounds
from rulewright.checker.logic.taken_elsewhere import check_taken_elsewhere
from rulewright.checker.logic.turns_given import check_turns_given
from rulewright.checker.logic.unread_choices import (
    check_choices_made_later,
    check_needless_fallbacks,
    check_unread_arguments,
    check_unread_choices,
)
from rulewright.checker.logic.unset_players import check_unset_players
from rulewright.checker.logic.ways_back import check_places_left_full
from rulewright.checker.logic.winners_elsewhere import check_winners_elsewhere
from rulewright.checker.open_secrets import check_open_secrets
from rulewright.checker.secrets.asked_leaks import check_information_leaks
from rulewright.checker.secrets.noted_by_owners import check_noted_by_owners
from rulewright.checker.secrets.step_disclosures import check_step_disclosures
from rulewright.checker.secrets.step_leaks import check_step_leaks
from rulewright.checker.sights_in_sentences import check_sights_in_sentences
from rulewright.checker.texts.added_in_sentences import check_added_in_sentences
from rulewright.checker.texts.all_in_sentences import check_all_in_sentences
from rulewright.checker.texts.asked_before_arrival import check_asked_before_arrival
from rulewright.checker.texts.chances_in_sentences import check_chances_in_sentences
from rulewright.checker.texts.cited_sections import check_sources
from rulewright.checker.texts.contrary_sentences import check_contrary_sentences, check_contrary_values
from rulewright.checker.texts.counted_things import check_counted_things
from rulewright.checker.texts.criteria import check_criteria
from rulewright.checker.texts.ends_in_sentences import check_ends_in_sentences
from rulewright.checker.texts.gifts_among_players import check_gifts_among_players
from rulewright.checker.texts.kinds_in_sentences import check_kinds_in_sentences
from rulewright.checker.texts.latest_holders import check_latest_holders
from rulewright.checker.texts.lines_in_clauses import check_lines_in_clauses
from rulewright.checker.texts.lines_in_sentences import check_lines_in_sentences
from rulewright.checker.texts.missing_sentences import check_missing_sentences, check_text_files, check_translations
from rulewright.checker.texts.named_amounts import check_named_amounts
from rulewright.checker.texts.negated_reasons import check_negated_reasons
from rulewright.checker.texts.one_sided_exchanges import check_gifts_asked_for, check_one_sided_exchanges
from rulewright.checker.texts.ordinals_in_sentences import check_ordinals_in_sentences
from rulewright.checker.texts.others_meant import check_others_meant
from rulewright.checker.texts.outcomes_in_sentences import check_outcomes_in_sentences
from rulewright.checker.texts.places_of_all import check_places_of_all
from rulewright.checker.texts.plain_claims import check_plain_claims
from rulewright.checker.texts.players_in_sentences import (
    check_players_in_sentences,
    check_players_of_actions,
    check_turns_of_actions,
)
from rulewright.checker.texts.pots_and_winners import check_pots_and_winners
from rulewright.checker.texts.printed_parameters import check_printed_parameters
from rulewright.checker.texts.ranges_in_sentences import check_ranges_in_sentences
from rulewright.checker.texts.reasons_as_asked import check_reasons_as_asked
from rulewright.checker.texts.reveals_in_sentences import check_reveals_in_sentences
from rulewright.checker.texts.rounds_of_steps import check_rounds_of_steps
from rulewright.checker.texts.sameness_in_reasons import check_sameness_in_reasons
from rulewright.checker.texts.secrets_in_sentences import check_secrets_in_sentences
from rulewright.checker.texts.shown_in_sentences import check_shown_in_sentences
from rulewright.checker.texts.signs_in_sentences import check_signs_in_sentences
from rulewright.checker.texts.some_or_every import check_some_or_every
from rulewright.checker.texts.spent_elsewhere import check_spent_elsewhere
from rulewright.checker.texts.things_in_sentences import check_things_in_sentences
from rulewright.checker.texts.ties_in_sentences import check_ties_in_sentences
from rulewright.checker.texts.values_in_sentences import check_values_in_sentences
from rulewright.checker.unused_names import (
    check_unread_states,
    check_unset_states,
    check_unused_names,
    check_unused_steps,
)
from rulewright.model.build import PASSES, BuildFunction, build_rules
from rulewright.model.build_state import BuildState, Pass, build_pass, check_pass_order
from rulewright.model.explanations import BOOK_PASSES
from rulewright.model.judged_rules import judged_rules


@build_pass(needs=["actions", "blocks", "values", "zones"], adds=["judged"])
def find_judged_rules(state: BuildState) -> None:
    """What checks look at that go from rule to rule."""
    state.judged = judged_rules(
        state.document.root,
        state.variant_files if state.variants else None,
        actions=state.actions,
        blocks=state.blocks,
        values=state.values,
        zones=state.zones,
        expressions=state.usage.expressions,
    )


LINTS: Final[tuple[Pass, ...]] = (
    find_judged_rules,
    check_unused_names,
    check_printed_parameters,
    check_unread_states,
    check_unset_states,
    check_unused_steps,
    check_unread_choices,
    check_choices_made_later,
    check_kinds_in_sentences,
    check_unread_arguments,
    check_needless_fallbacks,
    check_missing_sentences,
    check_all_seats,
    check_leaving_together,
    check_steps_of_all_seats,
    check_seats_in_terms,
    check_unread_keys,
    check_unread_variables,
    check_unread_variables_of_loops,
    check_empty_turns,
    check_idle_steps,
    check_unread_loops,
    check_repeated_terms,
    check_swapped_bounds,
    check_lost_pieces,
    check_lost_things,
    check_places_left_full,
    check_turns_given,
    check_endless_turn,
    check_endless_game,
    check_left_seats,
    check_states_set_back,
    check_information_leaks,
    check_step_leaks,
    check_step_disclosures,
    check_offers_of_nothing,
    check_gifts_asked_for,
    check_unset_players,
    check_shown_at_once,
    check_pots_and_winners,
    check_passed_straight_on,
    check_lone_winners,
    check_winners_who_began,
    check_shown_in_sentences,
    check_same_answer_twice,
    check_winners_elsewhere,
    check_open_secrets,
    check_moves_of_nothing,
    check_empty_sources,
    check_doubled_flags,
    check_ties_in_sentences,
    check_sameness_in_reasons,
    check_named_amounts,
    check_latest_holders,
    check_asked_before_arrival,
    check_resets_of_turns,
    check_same_places,
    check_cases_left_out,
    check_rolled_late,
    check_loops_naming_others,
    check_free_places_left,
    check_repeated_arguments,
    check_repeated_clauses,
    check_both_sides,
)
CHECKER_PASSES: Final = (
    *PASSES,
    *BOOK_PASSES,
    check_translations,
    *LINTS,
    check_criteria,
    check_contrary_sentences,
    check_contrary_values,
    check_outcomes_in_sentences,
    check_some_or_every,
    check_signs_in_sentences,
    check_added_in_sentences,
    check_secrets_in_sentences,
    check_lines_in_sentences,
    check_lines_in_clauses,
    check_values_in_sentences,
    check_chances_in_sentences,
    check_counted_things,
    check_ordinals_in_sentences,
    check_ranges_in_sentences,
    check_ends_in_sentences,
    check_reasons_as_asked,
    check_places_of_all,
    check_states_kept,
    check_states_of_the_game,
    check_sights_in_sentences,
    check_reveals_in_sentences,
    check_noted_by_owners,
    check_others_meant,
    check_taken_elsewhere,
    check_things_in_sentences,
    check_gifts_among_players,
    check_rounds_of_steps,
    check_all_in_sentences,
    check_negated_reasons,
    check_plain_claims,
    check_players_in_sentences,
    check_players_of_actions,
    check_turns_of_actions,
    check_one_sided_exchanges,
    check_spent_elsewhere,
    check_keys_in_loops,
    check_text_files,
    check_sources,
)
check_pass_order(CHECKER_PASSES)
build_and_lint: Final[BuildFunction] = partial(build_rules, passes=CHECKER_PASSES)


__all__ = ["CHECKER_PASSES", "LINTS", "build_and_lint", "find_judged_rules"]

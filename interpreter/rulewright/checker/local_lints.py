"""What an author has probably forgotten or said otherwise, as far as one rule after the other shows it: the passes that
tell only of rules that are judged, at a place within them, in their order.

In: nothing. Out: passes, which `lint.check_judged_rules` runs. A new lint of this sort goes through `state.judged`, and
is a row here.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.logic.cancelled_terms import check_cancelled_terms
from rulewright.checker.logic.empty_sources import check_empty_sources
from rulewright.checker.logic.forgotten_keys import (
    check_seats_in_terms,
    check_steps_of_all_seats,
    check_unread_variables_of_loops,
)
from rulewright.checker.logic.idle_steps import check_idle_steps, check_unread_loops
from rulewright.checker.logic.keys_forgotten_in_loops import check_keys_forgotten_in_loops
from rulewright.checker.logic.leaving_players import check_leaving_together
from rulewright.checker.logic.loops_naming_others import check_loops_naming_others
from rulewright.checker.logic.moves_of_nothing import check_moves_of_nothing
from rulewright.checker.logic.moves_to_same_place import check_moves_to_same_place
from rulewright.checker.logic.offers_of_nothing import check_offers_of_nothing
from rulewright.checker.logic.passed_straight_on import check_passed_straight_on
from rulewright.checker.logic.pieces_of_all_owners import check_owners_in_terms
from rulewright.checker.logic.repeated_arguments import check_repeated_arguments, check_repeated_clauses
from rulewright.checker.logic.repeated_terms import check_repeated_terms
from rulewright.checker.logic.same_answer_twice import check_same_answer_twice
from rulewright.checker.logic.same_on_both_sides import check_same_on_both_sides
from rulewright.checker.logic.swapped_bounds import check_swapped_bounds
from rulewright.checker.logic.winners_elsewhere import check_winners_elsewhere
from rulewright.checker.open_secrets import check_open_secrets
from rulewright.checker.texts.added_in_sentences import check_added_in_sentences, check_totals_of_all_rounds
from rulewright.checker.texts.all_in_sentences import check_all_in_sentences
from rulewright.checker.texts.asked_before_arrival import check_asked_before_arrival
from rulewright.checker.texts.chances_in_sentences import check_chances_in_sentences
from rulewright.checker.texts.contrary_sentences import (
    check_contrary_choices,
    check_contrary_sentences,
    check_contrary_values,
)
from rulewright.checker.texts.counted_things import check_counted_things
from rulewright.checker.texts.criteria import check_criteria
from rulewright.checker.texts.duties_in_sentences import check_duties_in_sentences
from rulewright.checker.texts.ends_for_want import check_ends_for_want
from rulewright.checker.texts.ends_in_sentences import check_ends_in_sentences
from rulewright.checker.texts.gains_and_losses import check_gains_and_losses
from rulewright.checker.texts.gifts_among_players import check_gifts_among_players
from rulewright.checker.texts.leads_in_sentences import check_leads_in_sentences
from rulewright.checker.texts.lines_in_sentences import check_lines_in_sentences
from rulewright.checker.texts.moved_unseen import check_moved_unseen
from rulewright.checker.texts.named_amounts import check_named_amounts
from rulewright.checker.texts.negated_reasons import check_negated_reasons
from rulewright.checker.texts.one_of_all_places import check_one_of_all_places
from rulewright.checker.texts.one_sided_exchanges import check_gifts_asked_for, check_one_sided_exchanges
from rulewright.checker.texts.ordinals_in_sentences import check_ordinals_in_sentences
from rulewright.checker.texts.others_meant import check_others_meant
from rulewright.checker.texts.outcomes_in_sentences import check_outcomes_in_sentences
from rulewright.checker.texts.pile_ends_in_sentences import check_pile_ends_in_sentences
from rulewright.checker.texts.places_of_all import check_places_of_all
from rulewright.checker.texts.plain_claims import check_plain_claims
from rulewright.checker.texts.players_in_sentences import (
    check_players_asked,
    check_players_in_sentences,
    check_players_of_actions,
    check_turns_of_actions,
)
from rulewright.checker.texts.ranges_in_sentences import check_ranges_in_sentences
from rulewright.checker.texts.reasons_as_asked import check_reasons_as_asked
from rulewright.checker.texts.rounds_of_steps import check_rounds_of_steps
from rulewright.checker.texts.same_reasons import check_same_reasons
from rulewright.checker.texts.sameness_in_reasons import check_sameness_in_reasons
from rulewright.checker.texts.seats_round_table import check_seats_round_table
from rulewright.checker.texts.secrets_in_sentences import check_secrets_in_sentences
from rulewright.checker.texts.shares_in_sentences import check_shares_in_sentences
from rulewright.checker.texts.shown_in_sentences import check_shown_in_sentences
from rulewright.checker.texts.signs_in_sentences import check_signs_in_sentences
from rulewright.checker.texts.some_or_every import check_some_or_every
from rulewright.checker.texts.spent_elsewhere import check_spent_elsewhere
from rulewright.checker.texts.things_in_sentences import check_things_in_sentences
from rulewright.checker.texts.ties_in_sentences import check_ties_in_sentences
from rulewright.checker.texts.times_in_sentences import check_times_in_sentences
from rulewright.checker.texts.values_in_sentences import check_values_in_sentences
from rulewright.checker.texts.winners_in_sentences import check_winners_in_sentences
from rulewright.model.build_state import Pass

LOCAL_LINTS: Final[tuple[Pass, ...]] = (
    check_leaving_together,
    check_steps_of_all_seats,
    check_owners_in_terms,
    check_seats_in_terms,
    check_unread_variables_of_loops,
    check_idle_steps,
    check_unread_loops,
    check_repeated_terms,
    check_swapped_bounds,
    check_offers_of_nothing,
    check_gifts_asked_for,
    check_passed_straight_on,
    check_same_answer_twice,
    check_winners_elsewhere,
    check_open_secrets,
    check_moves_of_nothing,
    check_empty_sources,
    check_ties_in_sentences,
    check_sameness_in_reasons,
    check_named_amounts,
    check_asked_before_arrival,
    check_moves_to_same_place,
    check_loops_naming_others,
    check_repeated_arguments,
    check_repeated_clauses,
    check_same_on_both_sides,
    check_cancelled_terms,
    check_criteria,
    check_contrary_sentences,
    check_contrary_values,
    check_contrary_choices,
    check_outcomes_in_sentences,
    check_some_or_every,
    check_signs_in_sentences,
    check_added_in_sentences,
    check_totals_of_all_rounds,
    check_gains_and_losses,
    check_secrets_in_sentences,
    check_leads_in_sentences,
    check_lines_in_sentences,
    check_values_in_sentences,
    check_shares_in_sentences,
    check_chances_in_sentences,
    check_ordinals_in_sentences,
    check_ranges_in_sentences,
    check_ends_in_sentences,
    check_winners_in_sentences,
    check_duties_in_sentences,
    check_reasons_as_asked,
    check_pile_ends_in_sentences,
    check_places_of_all,
    check_one_of_all_places,
    check_others_meant,
    check_gifts_among_players,
    check_rounds_of_steps,
    check_times_in_sentences,
    check_all_in_sentences,
    check_negated_reasons,
    check_plain_claims,
    check_players_in_sentences,
    check_players_asked,
    check_players_of_actions,
    check_seats_round_table,
    check_turns_of_actions,
    check_one_sided_exchanges,
    check_spent_elsewhere,
    check_keys_forgotten_in_loops,
    check_counted_things,
    check_shown_in_sentences,
    check_same_reasons,
    check_moved_unseen,
    check_things_in_sentences,
    check_ends_for_want,  # after all that ask of a decision itself
)

__all__ = ["LOCAL_LINTS"]

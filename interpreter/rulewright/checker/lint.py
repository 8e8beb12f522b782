"""What an author has probably forgotten: the passes that warn while rules are built, in their order.

In: nothing. Out: passes like those that build rules, and `build_and_lint`, which runs both. A new lint is a pass in a
module of its own, and a row here; in `local_lints.py`, if it goes through `state.judged`. Under variants `model.blame`
finds the change that leaves something without a use or an end.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from rulewright.checker.logic.cases_left_out import check_cases_left_out
from rulewright.checker.logic.counts_of_who_left import check_counts_of_who_left
from rulewright.checker.logic.doubled_flags import check_doubled_flags
from rulewright.checker.logic.endless_game import check_endless_game, check_left_seats
from rulewright.checker.logic.endless_turns import check_endless_turn
from rulewright.checker.logic.forgotten_keys import check_all_seats, check_unread_keys, check_unread_variables
from rulewright.checker.logic.free_places_left import check_free_places_left
from rulewright.checker.logic.idle_steps import check_empty_turns
from rulewright.checker.logic.lone_winners import check_lone_winners, check_winners_who_began
from rulewright.checker.logic.lost_pieces import check_lost_pieces
from rulewright.checker.logic.lost_things import check_lost_things
from rulewright.checker.logic.numbers_of_players import check_numbers_of_players
from rulewright.checker.logic.players_without_turns import check_players_without_turns
from rulewright.checker.logic.resets_without_turns import check_resets_without_turns
from rulewright.checker.logic.rolled_late import check_read_before_its_roll, check_rolled_late
from rulewright.checker.logic.shown_at_once import check_shown_at_once
from rulewright.checker.logic.states_set_back import check_states_kept, check_states_of_the_game, check_states_set_back
from rulewright.checker.logic.taken_elsewhere import check_taken_elsewhere
from rulewright.checker.logic.unread_choices import (
    check_choices_made_later,
    check_needless_fallbacks,
    check_unread_arguments,
    check_unread_choices,
)
from rulewright.checker.logic.unset_players import check_unset_players
from rulewright.checker.logic.ways_back import check_places_left_full
from rulewright.checker.secrets.asked_leaks import check_information_leaks
from rulewright.checker.secrets.noted_by_owners import check_noted_by_owners
from rulewright.checker.secrets.step_disclosures import check_step_disclosures
from rulewright.checker.secrets.step_leaks import check_step_leaks
from rulewright.checker.sights_in_sentences import check_sights_in_sentences
from rulewright.checker.texts.cited_sections import check_sources
from rulewright.checker.texts.kinds_in_sentences import check_kinds_in_sentences
from rulewright.checker.texts.latest_holders import check_latest_holders
from rulewright.checker.texts.missing_sentences import check_missing_sentences, check_text_files, check_translations
from rulewright.checker.texts.numbered_players import check_numbered_players
from rulewright.checker.texts.pots_and_winners import check_pots_and_winners
from rulewright.checker.texts.printed_parameters import check_printed_parameters
from rulewright.checker.texts.reveals_in_sentences import check_reveals_in_sentences
from rulewright.checker.unused_names import (
    check_unread_states,
    check_unset_states,
    check_unused_names,
    check_unused_steps,
)
from rulewright.model.build import PASSES, BuildFunction, build_rules
from rulewright.model.build_state import BuildState, Pass, after_errors, build_pass, check_pass_order, run_passes
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


@build_pass(
    needs=[
        "actions",
        "assessments",
        "blocks",
        "book_sentences",
        "components",
        "has_elimination",
        "judged",
        "member_sentences",
        "parameters",
        "section_blocks",
        "sentences",
        "states",
        "symbols",
        "values",
        "zones",
    ],
    skip=after_errors,
)
def check_judged_rules(state: BuildState) -> None:
    """The checks that go from rule to rule: many variants change a number, and need none of them."""
    if not state.judged.is_empty:
        from rulewright.checker.local_lints import LOCAL_LINTS  # some seventy modules

        run_passes(LOCAL_LINTS, state)


LINTS: Final[tuple[Pass, ...]] = (
    find_judged_rules,
    check_unused_names,
    check_printed_parameters,
    check_numbers_of_players,
    check_numbered_players,
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
    check_unread_keys,
    check_unread_variables,
    check_empty_turns,
    check_lost_pieces,
    check_lost_things,
    check_places_left_full,
    check_players_without_turns,
    check_endless_turn,
    check_endless_game,
    check_left_seats,
    check_counts_of_who_left,
    check_states_set_back,
    check_information_leaks,
    check_step_leaks,
    check_step_disclosures,
    check_unset_players,
    check_shown_at_once,
    check_pots_and_winners,
    check_lone_winners,
    check_winners_who_began,
    check_doubled_flags,
    check_latest_holders,
    check_resets_without_turns,
    check_cases_left_out,
    check_rolled_late,
    check_read_before_its_roll,
    check_free_places_left,
)
CHECKER_PASSES: Final = (
    *PASSES,
    *BOOK_PASSES,
    check_translations,
    *LINTS,
    check_states_kept,
    check_states_of_the_game,
    check_sights_in_sentences,
    check_reveals_in_sentences,
    check_noted_by_owners,
    check_taken_elsewhere,
    check_judged_rules,
    check_text_files,
    check_sources,
)
check_pass_order(CHECKER_PASSES)
build_and_lint: Final[BuildFunction] = partial(build_rules, passes=CHECKER_PASSES)


__all__ = ["CHECKER_PASSES", "LINTS", "build_and_lint", "check_judged_rules", "find_judged_rules"]

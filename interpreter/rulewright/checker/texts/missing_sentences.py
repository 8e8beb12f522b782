"""Which sentences are missing, beside those that are there, and which translations translate nothing?

In: the state of a build in which all rules and sentences have been read. Out: warnings. Under variants only the
sentences that they lack are missed.
"""

from __future__ import annotations

from rulewright.checker.common import lint_codes
from rulewright.checker.common.rules_read import offer_clauses
from rulewright.checker.common.warn import warn
from rulewright.document.text_addresses import reason_address
from rulewright.expr.tree import ReadValue
from rulewright.model.build_state import BuildState, build_pass
from rulewright.model.translations import check_missing_translations, check_unused_translations


@build_pass(needs=["actions", "blocks", "sentences"])
def check_missing_sentences(state: BuildState) -> None:
    """Actions and clauses without a sentence, in a game where others of their sort have one."""
    entries = {*state.sentences.entries, *state.document.contested}  # of the latter it is reported who writes them
    clauses = [clause for action in state.actions for clause in action.clauses]
    clauses += [clause for offered in offer_clauses(state.blocks).values() for clause in offered]
    with_words = [action for action in state.actions if action.address in entries]
    if with_words:
        of_game = any(action.span.source.path not in state.variant_files for action in with_words)
        for action in state.actions:  # of the game itself only where others of the game have one
            is_missed = of_game or action.span.source.path in state.variant_files
            if action.address not in entries and is_missed:
                message = f"the action `{action.name}` has no sentence"
                warn(
                    state, action.span, lint_codes.NO_SENTENCE, message, "no sentence", "add `text: …`", action.address
                )
    if any(reason_address(clause.address) in entries for clause in clauses):
        for clause in clauses:
            asked = clause.condition
            handed_on = reason_address(f"values.{asked.name}") if isinstance(asked, ReadValue) else ""
            if reason_address(clause.address) not in entries and handed_on not in entries:
                message = "this condition has no reason"
                hint = f"write {{is: {clause.source_text}, why: …}}; players read the reason when it refuses an action"
                warn(state, clause.span, lint_codes.NO_SENTENCE, message, "no `why`", hint, clause.address)


@build_pass(needs=["symbols", "book_sentences"])
def check_translations(state: BuildState) -> None:
    """What some languages say and others do not."""
    reader = state.reader(state.symbols)
    check_missing_translations(reader, state.book_sentences, state.document.texts, state.variant_files)


@build_pass(needs=["book_sentences"])
def check_text_files(state: BuildState) -> None:
    """Translations of nothing. A variant may remove what a sentence translates."""
    if not state.variants:
        check_unused_translations(state.book_sentences, state.document.texts, state.diagnostics)


__all__ = ["check_missing_sentences", "check_text_files", "check_translations"]

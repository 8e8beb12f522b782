"""What only follows from an error, and is not reported beside it.

In: what is wrong with files. Out: `Diagnostics` without what would be right if something else were: each way in which
one fault leads to another is a rule of the table `CONSEQUENCES`, by the sort of diagnostic that follows.
"""

from __future__ import annotations

import re
from typing import Final

from rulewright import limits
from rulewright.checker.causes.declaration_consequences import DECLARATION_CONSEQUENCES
from rulewright.checker.causes.empty_consequences import EMPTY_CONSEQUENCES
from rulewright.checker.causes.failure_consequences import FAILURE_CONSEQUENCES
from rulewright.checker.causes.idle_consequences import IDLE_CONSEQUENCES
from rulewright.checker.causes.indentation_causes import line_key, line_text
from rulewright.checker.causes.line_consequences import LINE_CONSEQUENCES, FollowsRule
from rulewright.checker.causes.misnamed_consequences import MISNAMED_CONSEQUENCES
from rulewright.checker.causes.missing_lines import MissingLines
from rulewright.checker.causes.reported_faults import (
    COMPONENTS,
    SENTENCE_CODES,
    WORD_CODES,
    ReportedFaults,
    game_of,
    is_below,
    look_at_files_anew,
    place_of,
    rule_of,
    siblings_of,
)
from rulewright.checker.causes.reworded_causes import reword
from rulewright.checker.causes.section_lines import STEP_SECTIONS
from rulewright.checker.common.lint_codes import ALL_SEATS, LOOKS_AT_HIDDEN, NEVER_ENDS, NEVER_SET, NO_SENTENCE, UNUSED
from rulewright.diagnostics import Code, Diagnostic, Diagnostics
from rulewright.document.address import split_address
from rulewright.document.codes import (
    DUPLICATE_ID,
    MISSING_KEY,
    TWO_VERBS,
    UNKNOWN_COMPONENT,
    UNKNOWN_KEY,
    UNKNOWN_VERB,
    WRONG_TYPE,
)
from rulewright.expr.codes import (
    ALL_OR_ONE,
    ALWAYS_TRUE,
    KIND_FOR_MEMBER,
    NEVER_TRUE,
    NOT_AVAILABLE_HERE,
    SHADOWING,
    UNKNOWN_FUNCTION,
    UNKNOWN_NAME,
)
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.codes import (
    BREAKS_RULES,
    HOLES_DIFFER,
    MISSING_SENTENCE,
    UNKNOWN_REFERENCE,
    UNUSED_SENTENCE,
    WRONG_VALUE,
)
from rulewright.scenarios.codes import (
    IN_TWO_PLACES,
    LEFT_OVER,
    NO_ROOM,
    PIECES_NOT_KEPT,
    UNKNOWN_IN_SCENARIO,
    WRONG_CONTENT,
)
from rulewright.suggestions import closest_name
from rulewright.variants.codes import DROPS_KEYS, NO_SUCH_ADDRESS, NO_SUCH_SIBLING, STALE_SENTENCE

LEFT_OVER_CODES: Final = (UNUSED, NEVER_SET)  # what only an end needed that a variant takes away
ADDRESS_CODES: Final = (UNKNOWN_REFERENCE, *SENTENCE_CODES)
NAME_CODES: Final = (UNKNOWN_NAME, UNKNOWN_FUNCTION, UNKNOWN_REFERENCE)
CONDITION_CODES: Final = (NEVER_TRUE, ALWAYS_TRUE)
MEMBERS: Final = "kinds."  # what the members of kinds stand under; elsewhere they are named without it
UNREAD_FAMILIES: Final = ("Y", "S")
POSITION_CODES: Final = (PIECES_NOT_KEPT, IN_TWO_PLACES, LEFT_OVER, NO_ROOM)
WORD: Final = lazy_pattern(r"[a-z][a-z0-9_]*")
FOUND_BY_PLAY: Final = "G"  # the family of their codes
NO_SECTION: Final = "\0"  # with which no address begins


def without_consequences(diagnostics: Diagnostics) -> Diagnostics:
    """The same diagnostics without what follows from others, of very many from the first."""
    shown = list(diagnostics)
    if len(shown) < 2:
        return diagnostics
    look_at_files_anew()
    faults = ReportedFaults(shown[: limits.MAX_CAUSES])
    missing_lines = MissingLines(sorted(shown, key=place_of))

    def kept(one: Diagnostic) -> Diagnostic | None:
        if _follows(one, faults):
            return None
        reworded = reword(one, faults)
        return missing_lines.merge(one) if reworded is one else reworded

    reported = Diagnostics()
    reported.merge(diagnostics, kept)
    return reported


def without_unused(diagnostics: Diagnostics) -> Diagnostics:
    """The same diagnostics without what nothing uses in a game with errors: what is wrong may be what would use it.

    What is found by playing is wrong in rules that were all read: it follows from what is not used, if from anything.
    """
    wrong = {game_of(one) for one in diagnostics if one.severity == "error" and one.code.number[0] != FOUND_BY_PLAY}
    if not wrong:
        return diagnostics
    reported = Diagnostics()
    reported.merge(diagnostics, lambda one: None if one.code is UNUSED and game_of(one) in wrong else one)
    return reported


def _follows(one: Diagnostic, faults: ReportedFaults) -> bool:
    rules = (*RULES_BY_CODE.get(one.code, ()), *FAMILIES.get(one.code.number[0], ()), *OF_ALL)
    return any(follows(one, faults) for follows in rules)


# ---- errors beside them --------------------------------------------------------------------------------------


def _stands_at_an_error(one: Diagnostic, faults: ReportedFaults) -> bool:
    return one.severity == "warning" and place_of(one) in faults.wrong_places


def _was_not_read(one: Diagnostic, faults: ReportedFaults) -> bool:
    return place_of(one) in faults.unread_places


# ---- names and addresses ------------------------------------------------------------------------------------


def _declaration_is_misspelled(one: Diagnostic, faults: ReportedFaults) -> bool:
    return any(_is_meant(one.span.text, address) for address in faults.misspelled)


def _component_is_misspelled(one: Diagnostic, faults: ReportedFaults) -> bool:
    return any(_is_meant(f"{COMPONENTS}{one.span.text}", address) for address in faults.misspelled)


def _is_meant(text: str, declared: str) -> bool:
    """Whether an address is that of a misspelled declaration, or of a part of it, with the name spelled otherwise."""
    *above, name = declared.split(".")
    if declared.startswith(MEMBERS) and not text.startswith(MEMBERS):
        above = above[1:]
    parts = text.split(".")
    return parts[: len(above)] == above and len(parts) > len(above) and closest_name(parts[len(above)], [name]) == name


def _name_is_meant(one: Diagnostic, faults: ReportedFaults) -> bool:
    return (game_of(one), one.span.text) in faults.meant_names


def _declaration_has_another_name(one: Diagnostic, faults: ReportedFaults) -> bool:
    """What should have the name is declared by one that it cannot have."""
    name = one.cause_name("no name")
    return bool(name) and (faults.lost_names.get(game_of(one)) == name or (game_of(one), name) in faults.right_ids)


def _section_is_missing(one: Diagnostic, faults: ReportedFaults) -> bool:
    return one.span.text.startswith(faults.missing_sections.get(game_of(one), NO_SECTION))


def _is_of_a_missing_section(one: Diagnostic, faults: ReportedFaults) -> bool:
    """A step that the missing section has, or that stands twice in another as long as that is read as one with it."""
    section = faults.missing_sections.get(game_of(one), NO_SECTION)
    is_doubled = one.code is DUPLICATE_ID and one.address.partition(".")[0] in STEP_SECTIONS
    return section != NO_SECTION and (is_doubled or one.address.startswith(section))


def _turns_are_empty(one: Diagnostic, faults: ReportedFaults) -> bool:
    """What would use it is left out with the steps of a turn."""
    return game_of(one) in faults.missing_sections


def _is_of_each(one: Diagnostic, faults: ReportedFaults) -> bool:
    """In a condition that stands where those are needed for which it holds: it will be asked of one after another."""
    conditions = (other for other in faults.errors if other.comes_from("condition"))
    return any(other.span.contains(one.span) for other in conditions)


def _is_below_a_breaking_change(one: Diagnostic, faults: ReportedFaults) -> bool:
    """A change breaks the rules, of which it is a part."""
    breaking = (other for other in faults.of(BREAKS_RULES) if other.span.source is one.span.source)
    return any(other is not one and is_below(one, other.span.text) for other in breaking)


def _key_is_missing(one: Diagnostic, faults: ReportedFaults) -> bool:
    return any(f"{one.span.text}.".startswith(f"{key}.") for key in faults.missing_keys)


def _position_was_not_read(one: Diagnostic, faults: ReportedFaults) -> bool:
    """Something in the file of the scenario could not be read: it may be what is missing in the position."""
    unread = (other for other in faults.errors if other.code.number[0] in UNREAD_FAMILIES)
    return any(other.span.source is one.span.source for other in unread)


def _key_of_case_is_elsewhere(one: Diagnostic, faults: ReportedFaults) -> bool:
    """What a scenario lacks stands in it, though not where it belongs."""
    key = one.cause_name("no key")
    misplaced = (other for other in faults.of(UNKNOWN_IN_SCENARIO) if rule_of(other) == rule_of(one))
    return bool(key) and any(other.span.text == key for other in misplaced)


def _stands_in_a_mapping(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The key that lacks is in a mapping that stands where something else should."""
    key = one.cause_name("no key")
    mappings = (other for other in faults.of(WRONG_TYPE) if other.comes_from("mapping"))
    below = (other.span for other in mappings if not one.address or is_below(other, one.address))
    here = (span.text for span in below if span.source is one.span.source)
    return bool(key) and any(re.search(rf"(?<![\w.]){re.escape(key)}:", text) is not None for text in here)


def _is_name_of_an_entry(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The key that an entry lacks stands below it, where entries have their names."""
    key, path = one.cause_name("no key"), one.span.source.path
    names = (other for other in faults.diagnostics if other.cause_name("entry key") == key)
    return bool(key) and any(other.span.source.path == path and other.span.start > one.span.start for other in names)


def _is_read_as_a_word_of_the_language(one: Diagnostic, faults: ReportedFaults) -> bool:
    return bool(faults.reserved_words) and any(
        word.search(line_text(one.span)) is not None for word in faults.reserved_words
    )


def _is_member_of_a_missing_kind(one: Diagnostic, faults: ReportedFaults) -> bool:
    """A member by the name of its kind, which is missing."""
    kind, _, member = one.span.text.partition(".")
    missing = {(game_of(other), other.cause_name("no name")) for other in faults.missing_types}
    return bool(member) and (game_of(one), kind) in missing


def _is_of_a_missing_kind(one: Diagnostic, faults: ReportedFaults) -> bool:
    """A word beside something that is declared by a kind which is missing, or anywhere if another kind embeds that: it
    may be a member of it.
    """
    if one.certain_fix is not None:
        return False
    here = (missing for missing in faults.missing_types if missing is not one and game_of(missing) == game_of(one))
    embedding = [name for missing in here if (name := _declared_at(missing)).startswith(MEMBERS)]
    if one.code is WRONG_VALUE:
        return one.cause is not None and one.comes_from("no member") and f"{MEMBERS}{one.cause.meant}" in embedding
    if embedding:
        return True
    words = WORD.findall(line_text(one.span))
    return any(
        one is not missing
        and game_of(one) == game_of(missing)
        and (is_below(one, _declared_at(missing)) or _declared_at(missing).rpartition(".")[2] in words)
        for missing in faults.missing_types
    )


def _declared_at(one: Diagnostic) -> str:
    """The declaration that it is about, or about a part of which."""
    return ".".join(split_address(one.address)[:2])


def _variable_is_taken(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The variable of the step has the name of something else, and what uses it means that."""
    return any(one is not taken and rule_of(one) == rule_of(taken) for taken in faults.of(SHADOWING))


def _key_stands_elsewhere(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The key that lacks is misspelled in what the same variant adds, or stands there where addresses do."""
    path, key = one.span.source.path, one.span.text
    misspelled = (other for other, fix in faults.fixes(UNKNOWN_KEY, UNKNOWN_VERB) if fix.text == key)
    alone = (other for other in faults.of(NO_SUCH_ADDRESS) if other.address == key and other is not one)
    return any(other.span.source.path == path for other in (*misspelled, *alone))


def _was_not_added(one: Diagnostic, faults: ReportedFaults) -> bool:
    return any(file == one.span.source.path and is_below(one, address) for file, address in faults.failed_additions)


def _address_is_misspelled(one: Diagnostic, faults: ReportedFaults) -> bool:
    return faults.misspelled_changes.explain(one)


# ---- keys of a step or a declaration ------------------------------------------------------------------------


def _is_in_a_mapping(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The keys that are missing are in a mapping that stands where something else should."""
    return any(is_below(other, one.address) for other in faults.diagnostics if other.comes_from("mapping"))


def _belongs_to_another_verb(one: Diagnostic, faults: ReportedFaults) -> bool:
    """Of two verbs in one step each has keys that do not fit the other; a verb that is none has its keys as well."""
    if one.code in (TWO_VERBS, UNKNOWN_VERB):
        return False
    verbs = faults.of(TWO_VERBS, UNKNOWN_VERB) if one.code is WRONG_TYPE else faults.of(TWO_VERBS)
    return any(verb.span.source is one.span.source and verb.address and is_below(one, verb.address) for verb in verbs)


# ---- what conditions come to --------------------------------------------------------------------------------


def _step_is_wrong(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The step that seems to go on is wrong itself."""
    return any(is_below(wrong, one.address) for wrong in faults.errors)


def _things_are_miscounted(one: Diagnostic, faults: ReportedFaults) -> bool:
    return game_of(one) in faults.miscounted_games


def _asks_of_all(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The key of a player was forgotten in it."""
    return any(rule_of(all_of) == rule_of(one) for all_of in faults.of(ALL_SEATS, ALL_OR_ONE))


def _is_part_of_an_error(one: Diagnostic, faults: ReportedFaults) -> bool:
    return any(wrong.span.contains(one.span) for wrong in faults.errors)


def _excludes_what_never_holds(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The other condition is wrong already."""
    return any(other.span == related.span for other in faults.of(NEVER_TRUE) for related in one.related)


def _reads_what_is_never_set(one: Diagnostic, faults: ReportedFaults) -> bool:
    """It comes out the same because a state in it never changes."""
    words = WORD.findall(one.span.text)
    return any(never.span.text in words and game_of(never) == game_of(one) for never in faults.of(NEVER_SET))


def _makes_rules_fail(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The condition will be another one."""
    return any(is_below(one, change) for change in faults.failing_changes)


def _is_shown_where_it_fails(one: Diagnostic, faults: ReportedFaults) -> bool:
    return rule_of(one) in faults.failing and faults.meant_ones[rule_of(one)] is one


def _is_an_error_of_its_own(one: Diagnostic, faults: ReportedFaults) -> bool:
    return rule_of(one) in faults.asked_of_all


# ---- sentences, and what a change leaves --------------------------------------------------------------------


def _change_is_wrong(one: Diagnostic, faults: ReportedFaults) -> bool:
    """It will be another change."""
    return any(_is_of_change(other, one) for other in faults.changes_to_rules)


def _change_drops_it(one: Diagnostic, faults: ReportedFaults) -> bool:
    return any(_is_of_change(dropping, one) for dropping in faults.of(DROPS_KEYS))


def _is_of_change(one: Diagnostic, stale: Diagnostic) -> bool:
    """Whether a diagnostic is about the change of which another asks whether sentences are still true."""
    return one.span.source.path == stale.span.source.path and (
        one.span.line == stale.span.line or is_below(one, stale.address)
    )


def _title_has_holes(one: Diagnostic, faults: ReportedFaults) -> bool:
    return line_key(one.span) in faults.title_lines


def _sentence_is_elsewhere(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The sentence stands under a misspelled address, or the rule does."""
    if not faults.unsaid.isdisjoint((*one.cause_name("unsaid").split(), one.address)):
        return True
    return any(is_below(one, address) for address in faults.misspelled)


def _original_is_at_a_wrong_address(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The sentence that it translates stands under a misspelled address."""
    meant = (fix.text for other, fix in faults.fixes(*SENTENCE_CODES, UNKNOWN_REFERENCE) if other is not one)
    return any(f"{one.span.text}.".startswith(f"{address}.") and "." in address for address in meant)


def _translation_is_reported(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The sentence that lacks is missed where it is translated."""
    translated = faults.of(UNUSED_SENTENCE)
    return any((game_of(other), other.span.text) == (game_of(one), one.address) for other in translated)


def _sentence_is_at_a_wrong_address(one: Diagnostic, faults: ReportedFaults) -> bool:
    parent = siblings_of(one.address)
    is_lonely = parent in faults.lonely_unnamed and faults.unused_sentences[parent] == 1
    return is_lonely and one.certain_fix is None


def _is_beside_a_doubled_id(one: Diagnostic, faults: ReportedFaults) -> bool:
    """It may translate the one whose id is that of another."""
    lists = (double.address.rpartition(".")[0] for double in faults.of(DUPLICATE_ID) if game_of(double) == game_of(one))
    return any(above and one.span.text.startswith(f"{above}.") for above in lists)


def _id_is_doubled(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The step that is left out may be what needs it."""
    return any(one.span.source.path == double.span.source.path for double in faults.of(DUPLICATE_ID))


def _is_left_by_a_fault(one: Diagnostic, faults: ReportedFaults) -> bool:
    """A variant takes all ends of the game away, or the change that leaves it unused is wrong itself."""
    if not one.comes_from("variant"):
        return False
    others = (other for other in faults.changes_to_rules if other.code not in LEFT_OVER_CODES)
    return one.span.source.path in faults.endless_files or any(_is_of_change(other, one) for other in others)


# ---- the table ----------------------------------------------------------------------------------------------

CONSEQUENCES: Final[tuple[tuple[tuple[Code, ...], FollowsRule], ...]] = (
    *LINE_CONSEQUENCES,
    *EMPTY_CONSEQUENCES,
    *MISNAMED_CONSEQUENCES,
    *DECLARATION_CONSEQUENCES,
    *FAILURE_CONSEQUENCES,
    *IDLE_CONSEQUENCES,
    ((STALE_SENTENCE,), _change_is_wrong),
    ((NO_SENTENCE,), _change_drops_it),
    (WORD_CODES, _sentence_is_elsewhere),
    ((MISSING_SENTENCE, NO_SENTENCE), _sentence_is_at_a_wrong_address),
    ((HOLES_DIFFER,), _title_has_holes),
    (ADDRESS_CODES, _declaration_is_misspelled),
    (ADDRESS_CODES, _section_is_missing),
    ((NO_SUCH_SIBLING, DUPLICATE_ID), _is_of_a_missing_section),
    ((UNUSED_SENTENCE,), _original_is_at_a_wrong_address),
    ((UNUSED_SENTENCE,), _is_beside_a_doubled_id),
    ((NO_SENTENCE,), _translation_is_reported),
    (NAME_CODES, _name_is_meant),
    (NAME_CODES, _declaration_has_another_name),
    ((UNKNOWN_NAME, WRONG_VALUE), _is_of_a_missing_kind),
    ((UNKNOWN_REFERENCE,), _is_member_of_a_missing_kind),
    ((UNKNOWN_COMPONENT,), _component_is_misspelled),
    ((UNKNOWN_REFERENCE,), _key_is_missing),
    ((KIND_FOR_MEMBER, NOT_AVAILABLE_HERE), _is_of_each),
    ((NO_SUCH_ADDRESS,), _was_not_added),
    ((NEVER_ENDS,), _step_is_wrong),
    (LEFT_OVER_CODES, _id_is_doubled),
    ((*LEFT_OVER_CODES, NEVER_ENDS), _turns_are_empty),
    (LEFT_OVER_CODES, _is_left_by_a_fault),
    ((MISSING_KEY,), _is_in_a_mapping),
    ((MISSING_KEY,), _stands_in_a_mapping),
    ((MISSING_KEY,), _is_name_of_an_entry),
    ((WRONG_CONTENT,), _key_of_case_is_elsewhere),
    (CONDITION_CODES, _things_are_miscounted),
    (CONDITION_CODES, _asks_of_all),
    (CONDITION_CODES, _is_part_of_an_error),
    (CONDITION_CODES, _reads_what_is_never_set),
    ((NEVER_TRUE,), _excludes_what_never_holds),
    ((LOOKS_AT_HIDDEN,), _makes_rules_fail),
    ((ALL_OR_ONE,), _is_shown_where_it_fails),
    ((ALL_OR_ONE,), _is_an_error_of_its_own),
    (POSITION_CODES, _position_was_not_read),
    ((NO_SUCH_ADDRESS,), _key_stands_elsewhere),
)
FAMILIES: Final[dict[str, tuple[FollowsRule, ...]]] = {  # by the first letter of their numbers
    "S": (_was_not_read, _belongs_to_another_verb),
    "E": (_is_read_as_a_word_of_the_language,),
    "T": (_is_below_a_breaking_change, _is_read_as_a_word_of_the_language, _variable_is_taken),
}
OF_ALL: Final = (_address_is_misspelled, _stands_at_an_error)
RULES_BY_CODE: Final[dict[Code, tuple[FollowsRule, ...]]] = {
    code: tuple(follows for codes, follows in CONSEQUENCES if code in codes)
    for codes, _ in CONSEQUENCES
    for code in codes
}


__all__ = ["without_consequences", "without_unused"]

"""What only follows from a section, a kind, a key or an entry that is missing.

In: a diagnostic, and what else was reported. Out: whether it follows; rows of the table of consequences.
"""

from __future__ import annotations

import re
from typing import Final

from rulewright.checker.causes.indentation_causes import line_text
from rulewright.checker.causes.line_consequences import FollowsRule
from rulewright.checker.causes.reported_faults import SENTENCE_CODES, ReportedFaults, game_of, is_below, rule_of
from rulewright.checker.causes.section_lines import STEP_SECTIONS
from rulewright.checker.common.lint_codes import NEVER_ENDS, NEVER_SET, UNUSED
from rulewright.checker.common.names_in_text import find_names
from rulewright.diagnostics import Code, Diagnostic
from rulewright.document.address import split_address
from rulewright.document.codes import DUPLICATE_ID, MISSING_KEY, UNKNOWN_KEY, UNKNOWN_VERB, WRONG_TYPE
from rulewright.expr.codes import UNKNOWN_NAME
from rulewright.model.codes import UNKNOWN_REFERENCE, WRONG_VALUE
from rulewright.scenarios.codes import (
    IN_TWO_PLACES,
    LEFT_OVER,
    NO_ROOM,
    PIECES_NOT_KEPT,
    UNKNOWN_IN_SCENARIO,
    WRONG_CONTENT,
)
from rulewright.variants.codes import NO_SUCH_ADDRESS, NO_SUCH_SIBLING

KINDS: Final = "kinds."
UNREAD_FAMILIES: Final = ("Y", "S")
POSITION_CODES: Final = (PIECES_NOT_KEPT, IN_TWO_PLACES, LEFT_OVER, NO_ROOM)
NO_SECTION: Final = "\0"  # with which no address begins


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


def _key_is_missing(one: Diagnostic, faults: ReportedFaults) -> bool:
    return any(f"{one.span.text}.".startswith(f"{key}.") for key in faults.missing_keys)


def _key_of_case_is_elsewhere(one: Diagnostic, faults: ReportedFaults) -> bool:
    """What a scenario lacks stands in it, though not where it belongs."""
    key = one.cause_name("no key")
    misplaced = (other for other in faults.of(UNKNOWN_IN_SCENARIO) if rule_of(other) == rule_of(one))
    return bool(key) and any(other.span.text == key for other in misplaced)


def _is_in_a_mapping(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The keys that are missing are in a mapping that stands where something else should."""
    return any(is_below(other, one.address) for other in faults.diagnostics if other.comes_from("mapping"))


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


def _key_stands_elsewhere(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The key that lacks is misspelled in what the same variant adds, or stands there where addresses do."""
    path, key = one.span.source.path, one.span.text
    misspelled = (other for other, fix in faults.fixes(UNKNOWN_KEY, UNKNOWN_VERB) if fix.text == key)
    alone = (other for other in faults.of(NO_SUCH_ADDRESS) if other.address == key and other is not one)
    return any(other.span.source.path == path for other in (*misspelled, *alone))


def _position_was_not_read(one: Diagnostic, faults: ReportedFaults) -> bool:
    """Something in the file of the scenario could not be read: it may be what is missing in the position."""
    unread = (other for other in faults.errors if other.code.number[0] in UNREAD_FAMILIES)
    return any(other.span.source is one.span.source for other in unread)


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
    embedding = [name for missing in here if (name := _declared_at(missing)).startswith(KINDS)]
    if one.code is WRONG_VALUE:
        return one.cause is not None and one.comes_from("no member") and f"{KINDS}{one.cause.meant}" in embedding
    if embedding:
        return True
    words = find_names(line_text(one.span))
    return any(
        one is not missing
        and game_of(one) == game_of(missing)
        and (is_below(one, _declared_at(missing)) or _declared_at(missing).rpartition(".")[2] in words)
        for missing in faults.missing_types
    )


def _declared_at(one: Diagnostic) -> str:
    """The declaration that it is about, or about a part of which."""
    return ".".join(split_address(one.address)[:2])


def _was_not_added(one: Diagnostic, faults: ReportedFaults) -> bool:
    return any(file == one.span.source.path and is_below(one, address) for file, address in faults.failed_additions)


MISSING_CONSEQUENCES: Final[tuple[tuple[tuple[Code, ...], FollowsRule], ...]] = (
    ((UNKNOWN_REFERENCE, *SENTENCE_CODES), _section_is_missing),
    ((NO_SUCH_SIBLING, DUPLICATE_ID), _is_of_a_missing_section),
    ((UNKNOWN_NAME, WRONG_VALUE), _is_of_a_missing_kind),
    ((UNKNOWN_REFERENCE,), _is_member_of_a_missing_kind),
    ((UNKNOWN_REFERENCE,), _key_is_missing),
    ((NO_SUCH_ADDRESS,), _was_not_added),
    ((UNUSED, NEVER_SET, NEVER_ENDS), _turns_are_empty),
    ((MISSING_KEY,), _is_in_a_mapping),
    ((MISSING_KEY,), _stands_in_a_mapping),
    ((MISSING_KEY,), _is_name_of_an_entry),
    ((WRONG_CONTENT,), _key_of_case_is_elsewhere),
    (POSITION_CODES, _position_was_not_read),
    ((NO_SUCH_ADDRESS,), _key_stands_elsewhere),
)

__all__ = ["MISSING_CONSEQUENCES"]

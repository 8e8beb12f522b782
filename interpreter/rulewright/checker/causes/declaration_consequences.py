"""What only follows from a kind, a state, a section or a head of a game that is wrong itself.

In: a diagnostic, and what else was reported. Out: whether it follows; rows of the table of consequences.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from rulewright.checker.causes.indentation_causes import line_key, line_text
from rulewright.checker.causes.line_consequences import FollowsRule
from rulewright.checker.causes.reported_faults import (
    SENTENCE_CODES,
    ReportedFaults,
    game_of,
    is_kind_as_member,
    place_of,
)
from rulewright.checker.common.lint_codes import NO_SENTENCE
from rulewright.checker.common.names_in_text import find_names
from rulewright.diagnostics import Code, Diagnostic
from rulewright.document.codes import (
    DUPLICATE_SECTION,
    FILE_TWICE,
    LISTED_TWICE,
    OTHER_GAME,
    UNREACHED_FILE,
    WRONG_FORM,
)
from rulewright.expr.codes import (
    ARITHMETIC_ON_NON_NUMBER,
    CONDITION_NOT_A_FLAG,
    FIELD_WITHOUT_TOTAL,
    OTHER_FAMILY,
    TYPE_MISMATCH,
    UNKNOWN_NAME,
    UNLIKE_COMPARISON,
    WRONG_INDEX,
)
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.codes import CYCLE, DUPLICATE_NAME, MISSING_SENTENCE, PLAYERS, UNKNOWN_REFERENCE, WRONG_VALUE
from rulewright.variants.codes import PLAYERS_DO_NOT_FIT, UNKNOWN_GAME

FIELD_TYPE_CODES: Final = (
    ARITHMETIC_ON_NON_NUMBER,
    CONDITION_NOT_A_FLAG,
    FIELD_WITHOUT_TOTAL,
    UNLIKE_COMPARISON,
    WRONG_INDEX,
)
KINDS: Final = "kinds."
STATE: Final = "state."
FIELDS: Final = ".fields."
FIELD_READ: Final = lazy_pattern(r"\.([a-z]\w*)")
FILES: Final = "files"  # of a head
UNREAD: Final = ("E", "S")  # families of codes: what could not be read


def _lacks_members(one: Diagnostic, faults: ReportedFaults) -> bool:
    """A member, or what is said of one, of a kind that could not be read."""
    kinds = _unread_kinds(one, faults)
    if one.code is UNKNOWN_NAME:
        return one.certain_fix is None and any(kinds) and not one.address.startswith(KINDS)
    named = (one.span.text, one.address)
    return any(f"{text}.".startswith((f"{kind}.", f"{KINDS}{kind}.")) for kind in kinds for text in named)


def _unread_kinds(one: Diagnostic, faults: ReportedFaults) -> list[str]:
    others = [other for other in faults.errors if other is not one and game_of(other) == game_of(one)]
    unread = [other for other in others if other.address.startswith(KINDS) and other.code.number[0] in UNREAD]
    cycles = (other.span.text for other in others if other.code is CYCLE)
    return [*(other.address.split(".")[1] for other in unread), *cycles]


def _mixes_members_and_kinds(one: Diagnostic, faults: ReportedFaults) -> bool:
    """A member that has the name of a kind: `every` may be missing before it."""
    return any(is_kind_as_member(other) and game_of(other) == game_of(one) for other in faults.of(DUPLICATE_NAME))


def _reads_a_wrong_state(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The state has a type that none can have."""
    wrong = (other for other in faults.of(WRONG_VALUE) if other.address.startswith(STATE) and other is not one)
    names = {other.address.split(".")[1] for other in wrong if game_of(other) == game_of(one)}
    return bool(names) and not names.isdisjoint(find_names(line_text(one.span)))


def _reads_a_wrong_field(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The field has a type that fits no row."""
    wrong = (other for other in faults.of(WRONG_VALUE) if FIELDS in other.address and game_of(other) == game_of(one))
    names = {other.address.rpartition(".")[2] for other in wrong}
    return not names.isdisjoint(FIELD_READ.findall(line_text(one.span)))


def _is_within_a_wrong_value(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The whole of it is not what is wanted."""
    wrong = (other for other in faults.of(WRONG_VALUE) if other.address.startswith(KINDS) and other is not one)
    return any(other.span.contains(one.span) for other in wrong)


def _section_is_in_two_files(one: Diagnostic, faults: ReportedFaults) -> bool:
    sections = {f"{other.span.text}." for other in faults.of(DUPLICATE_SECTION) if game_of(other) == game_of(one)}
    return any(text.startswith(section) for section in sections for text in (one.span.text, one.address))


def _is_listed_twice(one: Diagnostic, faults: ReportedFaults) -> bool:
    return any(place_of(other) == place_of(one) for other in faults.of(LISTED_TWICE))


def _game_is_half_read(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The list of its files is wrong, so that not all are read."""
    lists = (other for other in faults.of(LISTED_TWICE) if other.address.partition(".")[0] == FILES)
    return any(game_of(other) == game_of(one) for other in lists)


def _is_listed_wrongly(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The list has its name in a form in which no file is named."""
    name = Path(one.span.source.path).name
    return any(other.span.text.endswith(name) and game_of(other) == game_of(one) for other in faults.of(WRONG_FORM))


def _players_are_wrong(one: Diagnostic, faults: ReportedFaults) -> bool:
    return any(game_of(other) == game_of(one) for other in faults.of(PLAYERS))


def _belongs_to_another_game(one: Diagnostic, faults: ReportedFaults) -> bool:
    return any(line_key(other.span) == line_key(one.span) for other in faults.of(OTHER_GAME))


DECLARATION_CONSEQUENCES: Final[tuple[tuple[tuple[Code, ...], FollowsRule], ...]] = (
    ((UNKNOWN_NAME, UNKNOWN_REFERENCE, MISSING_SENTENCE, *SENTENCE_CODES), _lacks_members),
    ((MISSING_SENTENCE, TYPE_MISMATCH, WRONG_INDEX, OTHER_FAMILY, WRONG_VALUE), _mixes_members_and_kinds),
    ((UNKNOWN_NAME, UNKNOWN_REFERENCE, WRONG_VALUE, TYPE_MISMATCH, UNLIKE_COMPARISON), _reads_a_wrong_state),
    ((TYPE_MISMATCH, *FIELD_TYPE_CODES), _reads_a_wrong_field),
    ((UNKNOWN_NAME, TYPE_MISMATCH, ARITHMETIC_ON_NON_NUMBER, CONDITION_NOT_A_FLAG), _is_within_a_wrong_value),
    ((UNKNOWN_REFERENCE, NO_SENTENCE, MISSING_SENTENCE, *SENTENCE_CODES), _section_is_in_two_files),
    ((FILE_TWICE,), _is_listed_twice),
    ((UNKNOWN_NAME, UNKNOWN_REFERENCE, NO_SENTENCE, MISSING_SENTENCE, *SENTENCE_CODES), _game_is_half_read),
    ((UNREACHED_FILE,), _is_listed_wrongly),
    ((PLAYERS_DO_NOT_FIT,), _players_are_wrong),
    ((UNKNOWN_GAME,), _belongs_to_another_game),
)

__all__ = ["DECLARATION_CONSEQUENCES"]

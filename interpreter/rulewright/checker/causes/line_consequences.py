"""What only follows from a line, a bracket, a colon or a file that is wrong, and is not reported beside it.

In: a diagnostic, and all that is reported. Out: `LINE_CONSEQUENCES`, a table of rules by the sort of diagnostic that
follows.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from rulewright.checker.causes.indentation_causes import is_in_block_of, is_in_list_of, line_key, line_text
from rulewright.checker.causes.reported_faults import MISPLACED_CODES, ReportedFaults, is_anchor, place_of
from rulewright.checker.common.lint_codes import NO_SENTENCE, OTHER_NUMBER
from rulewright.diagnostics import Code, Diagnostic, Span
from rulewright.document.codes import (
    BAD_ID,
    FILE_TWICE,
    MISSING_KEY,
    MISSING_VERB,
    NOT_ONE_OF,
    UNKNOWN_KEY,
    UNKNOWN_VERB,
    UNNAMED_ITEM,
    UNREACHED_FILE,
    WRONG_TYPE,
)
from rulewright.expr.codes import EARLY_END
from rulewright.lazy_pattern import lazy_pattern
from rulewright.scenarios.codes import CANNOT_BE_PLAYED
from rulewright.source.codes import (
    BAD_INDENTATION,
    COMPLEX_KEY,
    CUT_BY_COMMENT,
    EMPTY_VALUE,
    MISSING_COLON,
    MISSING_SPACE_AFTER_COLON,
    UNBALANCED_BRACKET,
    UNQUOTED_SPECIAL,
    YAML_ANCHOR,
    YAML_SYNTAX,
)
from rulewright.variants.codes import STALE_SENTENCE, UNKNOWN_GAME

FollowsRule = Callable[[Diagnostic, ReportedFaults], bool]  # whether a diagnostic follows from another fault

SENTENCES: Final = "sentences"
LANGUAGE: Final = lazy_pattern(r"[a-z]{2,3}")
DASH: Final = "- "  # of an item in a list
BRACKETS: Final = {"{": "}", "[": "]"}


def _file_is_wrong(one: Diagnostic, faults: ReportedFaults) -> bool:
    return one.span.source.path in faults.wrong_files


def _is_listed_by_another_name(one: Diagnostic, faults: ReportedFaults) -> bool:
    return any(Path(one.span.source.path).name in text for text in faults.missing_files)


def _game_is_unknown(one: Diagnostic, faults: ReportedFaults) -> bool:
    return place_of(one) in faults.foreign_games


def _has_another_language(one: Diagnostic, faults: ReportedFaults) -> bool:
    """It has the same content as another only because of a word that is reported."""
    return any(line_key(other.span) == line_key(one.span) for other in faults.of(NOT_ONE_OF))


def _game_was_not_read(one: Diagnostic, faults: ReportedFaults) -> bool:
    return one.span.text in faults.unread_games


def _should_be_indented(one: Diagnostic, faults: ReportedFaults) -> bool:
    return line_key(one.span) in faults.unindented


def _is_shown_above(one: Diagnostic, faults: ReportedFaults) -> bool:
    """A line matches no indentation because what is between should have been indented."""
    return line_key(one.span) in faults.emptied or one.span.source.path in faults.dedented


def _is_emptied_by_indentation(one: Diagnostic, faults: ReportedFaults) -> bool:
    path, line = line_key(one.span)
    return bool({(path, line), (path, line + 1)} & faults.misindented)


def _is_written_again_below(one: Diagnostic, faults: ReportedFaults) -> bool:
    return (one.span.source.path, one.span.text, one.span.line + 1) in faults.doubled_keys


def _stands_empty_below(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The key that lacks stands below, where it has no value: it is indented too deeply."""
    key, place = one.cause_name("no key"), one.span
    empty = (other.span for other in faults.of(EMPTY_VALUE) if other.span.text == key)
    return any(span.source is place.source and span.start > place.start for span in empty)


def _is_sentence_below_an_empty_section(one: Diagnostic, faults: ReportedFaults) -> bool:
    """A language of a sentence whose section has no value: it is indented too deeply."""
    empty = (other.span for other in faults.of(EMPTY_VALUE) if other.span.text == SENTENCES)
    return bool(LANGUAGE.fullmatch(one.span.text)) and any(span.source is one.span.source for span in empty)


def _is_open_bracket(one: Diagnostic, faults: ReportedFaults) -> bool:
    return place_of(one) in faults.bracket_ends


def _names_what_is_not_below(one: Diagnostic, faults: ReportedFaults) -> bool:
    """What should stand below it begins in the same column, and is told there."""
    place = (one.span.source.path, one.span.line + 1, one.span.column)
    items = (item.span for item in faults.of(UNNAMED_ITEM))
    return any((item.source.path, item.line, item.column) == place for item in items)


def _begins_an_item(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The name of an entry behind a dash, in a list that should be a mapping: with the dash gone, what is below it is
    its value.
    """
    dash = one.span.column - len(DASH)
    if one.span.source.line_text(one.span.line)[: one.span.column - 1].strip() != DASH.strip():
        return False
    lists = (other.span for other in faults.of(WRONG_TYPE) if other.comes_from("list"))
    return any(place.column == dash and is_in_list_of(one.span, place) for place in lists)


def _lacks_a_colon(one: Diagnostic, faults: ReportedFaults) -> bool:
    """What is missing stands there, without the colon between it and its value, or without the space behind that."""
    without = faults.of(MISSING_COLON, MISSING_SPACE_AFTER_COLON)
    return any(line_key(key.span) == line_key(one.span) for key in without)


def _is_no_value(one: Diagnostic, faults: ReportedFaults) -> bool:
    """Without the colon before it the value is none."""
    return place_of(one) in faults.ends_of_empty


def _is_closed_in_a_comment(one: Diagnostic, faults: ReportedFaults) -> bool:
    comment = faults.comments.get(line_key(one.span))
    return comment is not None and _closes(one.span, comment.span)


def _closes(bracket: Span, comment: Span) -> bool:
    """Whether what a bracket lacks stands in a comment, which begins by mistake."""
    closing = BRACKETS.get(bracket.text, "")
    return bool(closing) and closing in line_text(bracket)[comment.column - 1 :]


def _cuts_an_expression(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The expression itself tells that a comment ends it."""
    return any(line_key(early.span) == line_key(one.span) for early in faults.of(EARLY_END))


def _uses_an_anchor(one: Diagnostic, faults: ReportedFaults) -> bool:
    if is_anchor(one):
        return False
    is_known = (one.span.source.path, one.span.text.lstrip("*")) in faults.anchors
    return is_known or any(line_key(merge) == line_key(one.span) for merge in faults.merge_keys)


def _stands_behind_an_alias(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The rest of a text that begins with a `*`, behind which YAML wants nothing."""
    return any(line_key(alias.span) == line_key(one.span) for alias in faults.of(YAML_ANCHOR))


def _is_merged_in(one: Diagnostic, faults: ReportedFaults) -> bool:
    """The key may be in the mapping that a merge key brings."""
    return any(is_in_block_of(merge, one.span) for merge in faults.merge_keys)


LINE_CONSEQUENCES: Final[tuple[tuple[tuple[Code, ...], FollowsRule], ...]] = (
    ((MISSING_KEY,), _stands_empty_below),
    ((UNKNOWN_KEY, UNKNOWN_VERB), _is_sentence_below_an_empty_section),
    ((STALE_SENTENCE, NO_SENTENCE, OTHER_NUMBER), _file_is_wrong),
    ((MISSING_KEY, MISSING_VERB), _is_merged_in),
    ((YAML_SYNTAX,), _stands_behind_an_alias),
    (MISPLACED_CODES, _should_be_indented),
    ((UNREACHED_FILE,), _is_listed_by_another_name),
    ((COMPLEX_KEY,), _is_open_bracket),
    ((EMPTY_VALUE,), _is_written_again_below),
    ((EMPTY_VALUE,), _is_emptied_by_indentation),
    ((EMPTY_VALUE,), _names_what_is_not_below),
    ((EMPTY_VALUE,), _begins_an_item),
    ((MISSING_VERB, EMPTY_VALUE), _lacks_a_colon),
    ((UNQUOTED_SPECIAL,), _is_no_value),
    ((UNBALANCED_BRACKET,), _is_closed_in_a_comment),
    ((BAD_ID,), _game_is_unknown),
    ((FILE_TWICE,), _has_another_language),
    ((CANNOT_BE_PLAYED, UNKNOWN_GAME), _game_was_not_read),
    ((YAML_ANCHOR,), _uses_an_anchor),
    ((BAD_INDENTATION,), _is_shown_above),
    ((CUT_BY_COMMENT,), _cuts_an_expression),
)


__all__ = ["LINE_CONSEQUENCES", "FollowsRule"]

"""What only follows from an error, and is not reported beside it.

In: what is wrong with files. Out: `Diagnostics` without questions about the words of a file that has errors or of a
change that is wrong in another way, without the addresses under a misspelled or missing declaration, which are right,
without the lines that should have been indented, without warnings about the very place of an error, without what a
condition comes to where the key of a player was forgotten in it, without what is left unused by a variant that takes
all ends of a game away, or by a change that is wrong itself, without brackets that only a comment leaves open, and
without the games whose file is not read as one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from rulewright.checker.codes import FAILS_IN_PLAY
from rulewright.checker.lint_codes import (
    ALL_SEATS,
    LOOKS_AT_HIDDEN,
    MISSPELLED_DECLARATION,
    NEVER_ENDS,
    NEVER_SET,
    NO_SENTENCE,
    OTHER_NUMBER,
    UNUSED,
)
from rulewright.checker.missing_lines import MissingLines
from rulewright.checker.misspelled_changes import MisspelledChanges
from rulewright.diagnostics import Code, Diagnostic, Diagnostics, Fix, Span
from rulewright.document.codes import (
    BAD_ID,
    DUPLICATE_ID,
    MISSING_FILE,
    MISSING_KEY,
    SENTENCE_OF_NOTHING,
    UNKNOWN_COMPONENT,
    UNKNOWN_FILE_KIND,
    UNKNOWN_KEY,
    UNKNOWN_VERB,
    UNREACHED_FILE,
    WRONG_TYPE,
)
from rulewright.document.game_files import MANIFEST
from rulewright.expr.codes import ALL_OR_ONE, ALWAYS_TRUE, EARLY_END, NEVER_TRUE, UNKNOWN_FUNCTION, UNKNOWN_NAME
from rulewright.frozen import replace
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.codes import (
    HOLE_IN_TITLE,
    HOLES_DIFFER,
    MISSING_SENTENCE,
    RESERVED_NAME,
    UNKNOWN_REFERENCE,
    UNUSED_SENTENCE,
)
from rulewright.scenarios.codes import CANNOT_BE_PLAYED
from rulewright.source.codes import (
    BAD_INDENTATION,
    COMPLEX_KEY,
    CUT_BY_COMMENT,
    DUPLICATE_KEY,
    EMPTY_VALUE,
    MERGE_KEY,
    UNBALANCED_BRACKET,
    UNQUOTED_SPECIAL,
    YAML_ANCHOR,
)
from rulewright.suggestions import closest_name, join_hints
from rulewright.variants.codes import (
    ADD_WITHOUT_PLACE,
    DROPS_KEYS,
    INSERT_PLACE,
    NO_SUCH_ADDRESS,
    NO_SUCH_SIBLING,
    NOT_AN_ORDERED_LIST,
    NOT_STALE,
    STALE_SENTENCE,
    UNKNOWN_GAME,
)

MISPLACED_CODES: Final = (UNKNOWN_KEY, WRONG_TYPE, UNKNOWN_VERB)
EXPRESSION_CODES: Final = ("E", "T")
INDENT_HINT: Final = "indent the lines below it, which belong to it"
ADDRESS_CODES: Final = (UNKNOWN_REFERENCE, UNUSED_SENTENCE, SENTENCE_OF_NOTHING)
NAME_CODES: Final = (UNKNOWN_NAME, UNKNOWN_FUNCTION, UNKNOWN_REFERENCE)
SENTENCE_CODES: Final = (UNUSED_SENTENCE, SENTENCE_OF_NOTHING)
WORD_CODES: Final = (STALE_SENTENCE, NO_SENTENCE, MISSING_SENTENCE)
LEFT_OVER_CODES: Final = (UNUSED, NEVER_SET)  # what only an end needed that a variant takes away
FAILED_ADDITION_CODES: Final = (ADD_WITHOUT_PLACE, INSERT_PLACE, NO_SUCH_SIBLING, NOT_AN_ORDERED_LIST)
COMPONENTS: Final = "components."  # whose things are counted
MEMBERS: Final = "kinds."  # what the members of kinds stand under; elsewhere they are named without it
BRACKETS: Final = {"{": "}", "[": "]"}
FILE_IN_DASHES: Final = lazy_pattern(r" - ([\w./-]+\.yaml)$")  # of a list item that runs into the one above
NO_SECTION: Final = "\0"  # with which no address begins


def without_consequences(diagnostics: Diagnostics) -> Diagnostics:
    """The same diagnostics without what follows from others."""
    shown = list(diagnostics)
    if len(shown) < 2:
        return diagnostics
    of_all = {(one.span.source.path, one.address) for one in shown if one.code in (ALL_SEATS, ALL_OR_ONE)}
    wrong_files = {one.span.source.path for one in shown if one.severity == "error"}
    misspelled = [one.address for one in shown if one.code is MISSPELLED_DECLARATION]
    meant_names = {(_game_of(path), fix.text) for path, fix in _fixes(shown, MISSPELLED_DECLARATION)}
    misspelled_changes = MisspelledChanges(shown, wrong_files)
    missing_lines = MissingLines(sorted(shown, key=lambda one: (one.span.source.path, one.span.start)))
    meant = {one.fix.text for one in shown if one.code in (*SENTENCE_CODES, NOT_STALE) and one.fix is not None}
    doubled = {one.span.source.path for one in shown if one.code is DUPLICATE_ID}
    mappings = [one for one in shown if one.comes_from("mapping")]
    dropping = [one for one in shown if one.code is DROPS_KEYS]
    titles = {_line_key(one.span) for one in shown if one.code is HOLE_IN_TITLE}
    not_added = [(one.span.source.path, one.address) for one in shown if one.code in FAILED_ADDITION_CODES]
    wrong_places = {(one.span.source.path, one.span.start) for one in shown if one.severity == "error"}
    wrong_spans = [one.span for one in shown if one.severity == "error"]
    unread_places = {(one.span.source.path, one.span.start) for one in shown if one.code.number[0] == "Y"}
    after_empty = {(one.span.source.path, one.span.end + 1) for one in shown if one.code is EMPTY_VALUE}
    meant_ones = dict[tuple[str, str | int], Diagnostic]()  # by where they are, and by their rule
    for one in shown:
        if one.code is ALL_OR_ONE:
            meant_ones[one.span.source.path, one.address] = meant_ones[one.span.source.path, one.span.start] = one
    failing = {(one.span.source.path, one.address) for one in shown if one.code is FAILS_IN_PLAY}
    failing_changes = {one.span.text for one in shown if one.code is FAILS_IN_PLAY}
    asked_of_all = {
        (one.span.source.path, one.address)
        for one in shown
        if one.severity == "error" and one.comes_from("all of them") and one.code is not ALL_OR_ONE
    }
    missing_files = {one.span.text for one in shown if one.code is MISSING_FILE}
    without_key = {f"{one.address}.{name}" for one in shown if (name := one.cause_name("no key"))}
    after_bracket = {(one.span.source.path, one.span.end) for one in shown if one.code is UNBALANCED_BRACKET}
    doubles = {(one.span.source.path, one.span.text, one.span.line) for one in shown if one.code is DUPLICATE_KEY}
    wrong_changes = [one for one in shown if one.code not in WORD_CODES]
    reserved = [re.compile(rf"\b{re.escape(one.span.text)}\b") for one in shown if one.code is RESERVED_NAME]
    miscounted = {
        _game_of(one.span.source.path)
        for one in shown
        if one.severity == "error" and (one.address.startswith(COMPONENTS) or one.code is MISSPELLED_DECLARATION)
    }
    without_section = {
        _game_of(one.span.source.path): f"{name}." for one in shown if (name := one.cause_name("no section"))
    }
    unnamed = _lonely_unnamed(shown)
    misplaced = Counter(one.span.text.rpartition(".")[0] for one in shown if one.code is UNUSED_SENTENCE)
    foreign_games = {(one.span.source.path, one.span.start) for one in shown if one.code is UNKNOWN_GAME}
    unread_games = {_game_name(one.span.source.path) for one in shown if one.code is UNKNOWN_FILE_KIND}
    comments = {_line_key(one.span): one for one in shown if one.code is CUT_BY_COMMENT}
    cut = {_line_key(one.span) for one in shown if one.code is EARLY_END}
    misindented = {_line_key(one.span) for one in shown if one.code is BAD_INDENTATION}
    emptied = {line: one for one in shown if one.code is EMPTY_VALUE and (line := _line_after_unindented(one))}
    misread = {path for path, _ in misindented}
    dedented = {
        one.span.source.path: one
        for one in shown
        if one.code is EMPTY_VALUE and one.span.source.path in misread and _is_dedented(one)
    }
    anchored = {(one.span.source.path, one.span.text.lstrip("&")) for one in shown if _is_anchor(one)}
    merged_lines = {_line_key(one.span) for one in shown if one.code is MERGE_KEY}
    unindented = _unindented_lines(shown)
    above = {first.span for first in unindented.values()}
    endless = {one.span.source.path for one in shown if one.code is NEVER_ENDS and one.comes_from("variant")}

    def is_left_by_a_fault(left: Diagnostic) -> bool:
        others = (one for one in wrong_changes if one.code not in LEFT_OVER_CODES)
        return left.span.source.path in endless or any(_is_of_change(one, left) for one in others)

    def kept(diagnostic: Diagnostic) -> Diagnostic | None:
        span, code = diagnostic.span, diagnostic.code
        path = span.source.path
        if code in (STALE_SENTENCE, NO_SENTENCE, OTHER_NUMBER) and path in wrong_files:
            return None
        if misspelled_changes.explain(diagnostic):
            return None
        if code is STALE_SENTENCE and any(_is_of_change(one, diagnostic) for one in wrong_changes):
            return None  # it will be another change
        if code is NO_SENTENCE and any(_is_of_change(one, diagnostic) for one in dropping):
            return None
        if code is HOLES_DIFFER and _line_key(span) in titles:
            return None
        if code in ADDRESS_CODES and any(_is_meant(span.text, address) for address in misspelled):
            return None
        if (_game_of(path), span.text) in meant_names and code in NAME_CODES:
            return None
        if code in ADDRESS_CODES and span.text.startswith(without_section.get(_game_of(path), NO_SECTION)):
            return None
        if code is NO_SUCH_ADDRESS and any(file == path and _is_below(diagnostic, place) for file, place in not_added):
            return None
        if code.number[0] in EXPRESSION_CODES and any(word.search(_line(span)) for word in reserved):
            return None  # read as the word of the language
        if code is UNKNOWN_COMPONENT and any(_is_meant(f"{COMPONENTS}{span.text}", address) for address in misspelled):
            return None
        if code is NEVER_ENDS and any(_is_below(one, diagnostic.address) for one in shown if one.severity == "error"):
            return None  # the step that seems to go on is wrong itself
        if code in WORD_CODES and any(f"`{address}`" in diagnostic.message for address in (*misspelled, *meant)):
            return None
        if code in LEFT_OVER_CODES and path in doubled:
            return None  # the step that is left out may be what needs it
        if code is MISSING_KEY and any(_is_below(one, diagnostic.address) for one in mappings):
            return None  # the keys that are missing are in that mapping
        if code in LEFT_OVER_CODES and diagnostic.comes_from("variant") and is_left_by_a_fault(diagnostic):
            return None
        if code in (NEVER_TRUE, ALWAYS_TRUE) and (_game_of(path) in miscounted or (path, diagnostic.address) in of_all):
            return None
        if code is FAILS_IN_PLAY and (
            one := meant_ones.get((path, span.start)) or meant_ones.get((path, diagnostic.address))
        ):
            return replace(diagnostic, span=one.span, label=one.label, help=join_hints(one.help, diagnostic.help))
        if code is ALL_OR_ONE and (path, diagnostic.address) in failing:
            return None if meant_ones[path, diagnostic.address] is diagnostic else diagnostic
        if code.severity == "warning" and (path, span.start) in wrong_places:
            return None
        if code is LOOKS_AT_HIDDEN and any(_is_below(diagnostic, change) for change in failing_changes):
            return None  # the condition will be another one
        if code in (NEVER_TRUE, ALWAYS_TRUE) and any(wrong.contains(span) for wrong in wrong_spans):
            return None  # the error is about the condition that it is a part of
        if (path, span.line) in unindented and code in MISPLACED_CODES:
            return None
        if code is ALL_OR_ONE and (path, diagnostic.address) in asked_of_all:
            return None
        if code is UNREACHED_FILE and any(Path(path).name in text for text in missing_files):
            return None
        if code is MISSING_FILE and (listed := FILE_IN_DASHES.search(span.text)):
            return replace(
                diagnostic, help=f"write `- {listed[1]}` on a line of its own, under the dash above", fix=None
            )
        if code is UNKNOWN_REFERENCE and any(f"{span.text}.".startswith(f"{key}.") for key in without_key):
            return None  # what it names is missing, which is reported
        if code is COMPLEX_KEY and (path, span.start) in after_bracket:
            return None
        if code is EMPTY_VALUE and (path, span.text, span.line + 1) in doubles:
            return None
        if code is EMPTY_VALUE and {(path, span.line), (path, span.line + 1)} & misindented:
            return None
        if code.number[0] == "S" and (path, span.start) in unread_places:
            return None
        if code is UNQUOTED_SPECIAL and (path, span.start) in after_empty:
            return None  # without the colon the value is no value
        comment = comments.get(_line_key(span))
        if code is UNBALANCED_BRACKET and comment is not None and _closes(span, comment.span):
            return None
        if code in (MISSING_SENTENCE, UNUSED_SENTENCE) and diagnostic.certain_fix is None:
            parent = (diagnostic.address or span.text).rpartition(".")[0]
            if misplaced[parent] == 1 and (address := unnamed.get(parent)):
                is_cause, help_ = code is UNUSED_SENTENCE, f"did you mean `{address}`, which has no sentence?"
                return replace(diagnostic, help=help_) if is_cause else None
        if code is BAD_ID and (path, span.start) in foreign_games:
            return None
        if code in (CANNOT_BE_PLAYED, UNKNOWN_GAME) and span.text in unread_games:
            return None
        if code is YAML_ANCHOR and not _is_anchor(diagnostic):
            is_use = (path, span.text.lstrip("*")) in anchored or _line_key(span) in merged_lines
            return None if is_use else diagnostic
        if code is BAD_INDENTATION and (_line_key(span) in emptied or path in dedented):
            return None
        if code is EMPTY_VALUE and diagnostic is dedented.get(path):
            return replace(diagnostic, help=INDENT_HINT)
        if code is EMPTY_VALUE and diagnostic in (emptied.get(line) for line in misindented):
            return replace(diagnostic, help=INDENT_HINT)
        if code is CUT_BY_COMMENT and _line_key(span) in cut:
            return None
        if code is EARLY_END and comment is not None:
            message = f"{diagnostic.message}: a space and a # end it"
            return replace(diagnostic, message=message, help=comment.help, fix=None)
        return replace(diagnostic, help=INDENT_HINT) if code is EMPTY_VALUE and span in above else diagnostic

    def kept_or_merged(diagnostic: Diagnostic) -> Diagnostic | None:
        rest = kept(diagnostic)
        return missing_lines.merge(diagnostic) if rest is diagnostic else rest

    reported = Diagnostics()
    reported.merge(diagnostics, kept_or_merged)
    return reported


def without_unused(diagnostics: Diagnostics) -> Diagnostics:
    """The same diagnostics without what nothing uses in a game with errors: what is wrong may be what would use it."""
    wrong = {_game_of(one.span.source.path) for one in diagnostics if one.severity == "error"}
    if not wrong:
        return diagnostics
    reported = Diagnostics()
    reported.merge(
        diagnostics, lambda one: None if one.code is UNUSED and _game_of(one.span.source.path) in wrong else one
    )
    return reported


def _is_anchor(one: Diagnostic) -> bool:
    """Whether it is about an anchor, and not about an alias, which uses one."""
    return one.code is YAML_ANCHOR and one.span.text.startswith("&")


def _closes(bracket: Span, comment: Span) -> bool:
    """Whether what a bracket lacks stands in a comment, which begins by mistake."""
    closing = BRACKETS.get(bracket.text, "")
    return bool(closing) and closing in _line(bracket)[comment.column - 1 :]


def _lonely_unnamed(diagnostics: Sequence[Diagnostic]) -> dict[str, str]:
    """By the address above: the only address there that has no sentence, which may stand under a wrong address."""
    unnamed = dict[str, list[str]]()
    for one in diagnostics:
        if one.code is MISSING_SENTENCE and one.address:
            unnamed.setdefault(one.address.rpartition(".")[0], []).append(one.address)
    return {parent: addresses[0] for parent, addresses in unnamed.items() if len(addresses) == 1}


def _game_of(path: str) -> str:
    """The folder of a game that has several files, else the file."""
    folder = Path(path).parent
    return str(folder) if (folder / MANIFEST).is_file() else path


def _game_name(path: str) -> str:
    """What a game is called by the path of its file."""
    file = Path(path)
    return file.parent.name if file.name == MANIFEST else file.stem


def _fixes(diagnostics: Sequence[Diagnostic], code: Code) -> Iterator[tuple[str, Fix]]:
    """The fixes of diagnostics of a sort, each with its file."""
    return ((one.span.source.path, one.fix) for one in diagnostics if one.code is code and one.fix is not None)


def _is_of_change(one: Diagnostic, stale: Diagnostic) -> bool:
    """Whether a diagnostic is about the change of which another asks whether sentences are still true."""
    return one.span.source.path == stale.span.source.path and (
        one.span.line == stale.span.line or _is_below(one, stale.address)
    )


def _is_below(one: Diagnostic, address: str) -> bool:
    return f"{one.address}.".startswith(f"{address}.")


def _unindented_lines(diagnostics: Sequence[Diagnostic]) -> dict[tuple[str, int], Diagnostic]:
    """By file and line: keys that are wrong where they stand, below a key without a value, which they belong to."""
    lines = {
        (one.span.source.path, one.span.line)
        for one in diagnostics
        if one.code in MISPLACED_CODES and one.certain_fix is None
    }
    found = dict[tuple[str, int], Diagnostic]()
    for empty in diagnostics if lines else ():
        if empty.code is not EMPTY_VALUE:
            continue
        path, text = empty.span.source.path, empty.span.source.text.split("\n")
        depth = _indentation(text[empty.span.line - 1])
        entry = list[int]()  # the lines of a key at that depth and of what is below it
        for number, line in enumerate([*text[empty.span.line :], ""], empty.span.line + 1):
            is_last = number > len(text)
            if not is_last and (not line.strip() or line.lstrip().startswith("#")):
                continue
            if is_last or _indentation(line) <= depth:
                wrong = [(path, each) for each in entry if (path, each) in lines]
                if entry and not wrong:
                    break
                found.update(dict.fromkeys(wrong, empty))
                entry = []
                if _indentation(line) < depth:
                    break
            entry.append(number)
    return found


def _is_dedented(empty: Diagnostic) -> bool:
    """Whether the line after a key without a value is as deep, and begins a block: it should have been indented."""
    below = [line for line in empty.span.source.text.split("\n")[empty.span.line :] if line.strip()][:2]
    depth = empty.span.column - 1
    return len(below) > 1 and _indentation(below[0]) == depth and _indentation(below[1]) > depth + 2


def _line_after_unindented(empty: Diagnostic) -> tuple[str, int] | None:
    """Of a key without a value: the first line that is indented more, if what is above it should be, too."""
    text, number = empty.span.source.text.split("\n"), empty.span.line
    depth, between = empty.span.column - 1, 0
    for line in text[number:]:
        number += 1
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if _indentation(line) != depth:
            return (empty.span.source.path, number) if between and _indentation(line) > depth else None
        between += 1
    return None


def _line_key(span: Span) -> tuple[str, int]:
    return span.source.path, span.line


def _line(span: Span) -> str:
    return span.source.line_text(span.line)


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _is_meant(text: str, declared: str) -> bool:
    """Whether an address is that of a misspelled declaration, or of a part of it, with the name spelled otherwise."""
    *above, name = declared.split(".")
    if declared.startswith(MEMBERS) and not text.startswith(MEMBERS):
        above = above[1:]
    parts = text.split(".")
    return parts[: len(above)] == above and len(parts) > len(above) and closest_name(parts[len(above)], [name]) == name


__all__ = ["without_consequences", "without_unused"]

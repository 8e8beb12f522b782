"""What looks wrong because a line or a colon above it or beside it is missing.

In: what is wrong with files. Out: one diagnostic where several have that one cause: the keys of two entries that run
into each other, sentences without the `sentences:` under which they stand, a key that a comma in an unquoted value has
cut off.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from rulewright import limits
from rulewright.diagnostics import Diagnostic, Related, SourceFile, Span
from rulewright.document.codes import (
    MISSING_KEY,
    MISSING_VERB,
    NOT_ONE_OF,
    UNKNOWN_KEY,
    UNKNOWN_VERB,
    WRONG_FORM,
    WRONG_TYPE,
)
from rulewright.frozen import replace
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.codes import (
    COMMA_ENDS_VALUE,
    DUPLICATE_KEY,
    EMPTY_VALUE,
    MISSING_COLON,
    MISSING_SPACE_AFTER_COLON,
)
from rulewright.suggestions import join_list
from rulewright.variants.codes import NO_SUCH_ADDRESS

LANGUAGE: Final = lazy_pattern(r"\b([a-z]{2,3}):")
TEXT_OF_FILE: Final = lazy_pattern(r"^text:(.*?)(?=^\S|\Z)", re.MULTILINE | re.DOTALL)
SHAPE_CODES: Final = (UNKNOWN_KEY, UNKNOWN_VERB, MISSING_KEY, MISSING_VERB, WRONG_TYPE, WRONG_FORM, NOT_ONE_OF)
SENTENCES: Final = lazy_pattern(r"^sentences:", re.MULTILINE)
FIRST_ENTRY: Final = lazy_pattern(r"^[a-z]+:\s*(?:#.*\s+)*\Z", re.MULTILINE)  # what is before it is its section
# of a key: by language, or as sentences begin
SENTENCE_VALUE: Final = lazy_pattern(r""":\s*(?:\{?\s*[a-z]{2,3}:|["'|>]|[^\W\d_a-z])""")
VARIANT: Final = lazy_pattern(r"^(variant|joins):", re.MULTILINE)
MAX_LOOKED_BACK: Final = 400  # characters: a section's key, and perhaps a comment
CHANGES_HINT: Final = "changes stand under `set:`, `add:`, `insert:` and the like: is such a line missing?"
ADDRESS_HINT: Final = "a sentence stands under the address of its rule: is that line missing?"
SECTION_HINT: Final = "sentences by language stand under `sentences:`: is that line missing?"
ENTRY_HINT: Final = "these are keys of one entry: is the line with its name missing above them?"
RUN_TOGETHER_HINT: Final = "keep one of each, or write the key of the second entry above them, if its line is missing"


class MissingLines:
    """Such causes among some diagnostics, which stand in the order of their places."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self._run_together = _run_together(diagnostics)
        self._repeated = _repeated(diagnostics)
        self._in_text = _first_by_file(one for one in diagnostics if "." in one.cause_name("no language"))
        self._without_section = _without_section(diagnostics)
        self._exchanged = _exchanged_sections(diagnostics)
        self._other_sections = _first_by_file(one for one in diagnostics if one.comes_from("other section"))
        self._without_colon = {
            (one.span.source.path, one.span.line, one.span.text) for one in diagnostics if one.code is MISSING_COLON
        }
        self._without_colon |= {
            (one.span.source.path, one.span.line, _word_before(one.span))
            for one in diagnostics
            if one.code is MISSING_SPACE_AFTER_COLON
        }
        self._entry_keys = _entry_keys(diagnostics)
        self._lines_of_cut = {
            (one.span.source.path, one.span.line)
            for one in diagnostics
            if one.code in (COMMA_ENDS_VALUE, MISSING_COLON)
        }
        self._cut = [one for one in diagnostics if one.code is COMMA_ENDS_VALUE]

    def merge(self, diagnostic: Diagnostic) -> Diagnostic | None:
        """What is left of a diagnostic: all of it, a word for several, or nothing."""
        span, code = diagnostic.span, diagnostic.code
        if diagnostic in self._repeated:
            return None
        in_text = self._in_text.get(span.source.path)
        if in_text is not None and in_text.span.start <= span.start and code in (WRONG_FORM, WRONG_TYPE):
            return replace(diagnostic, help=CHANGES_HINT, fix=None) if diagnostic is in_text else None
        exchanged = self._exchanged.get(span.source.path)
        if exchanged is not None and diagnostic in exchanged:
            return _report_exchanged(*exchanged) if diagnostic is exchanged[0] else None
        misplaced = self._other_sections.get(span.source.path)
        if misplaced is not None and misplaced is not diagnostic and _is_in_section_of(diagnostic, misplaced):
            return None
        if code is MISSING_VERB and (span.source.path, span.line) in self._lines_of_cut:
            return None
        nameless = self._entry_keys.get(_section_key(diagnostic), [])
        if diagnostic in nameless and len(nameless) > 1:
            return replace(diagnostic, help=ENTRY_HINT, fix=None) if diagnostic is nameless[0] else None
        if code is NO_SUCH_ADDRESS and _names_language(span):
            return replace(diagnostic, help=ADDRESS_HINT, fix=None)
        group = next((group for group in self._run_together if diagnostic in group), None)
        first = self._without_section.get(span.source.path)
        if first is not None and span.start >= first.span.start and (code is DUPLICATE_KEY or _is_language(diagnostic)):
            return replace(diagnostic, help=SECTION_HINT, fix=None) if diagnostic is first else None
        if group is not None:
            return _of_several_keys(group) if diagnostic is group[0] else None
        without_colon = {MISSING_KEY: _missing_key(diagnostic), EMPTY_VALUE: span.text}.get(code)
        if (span.source.path, span.line, without_colon) in self._without_colon:
            return None
        if code is MISSING_KEY and any(_is_cut_off(diagnostic, one) for one in self._cut):
            return None
        return diagnostic


def _of_several_keys(group: Sequence[Diagnostic]) -> Diagnostic:
    """One diagnostic for the duplicate keys of a mapping."""
    keys = [*dict.fromkeys(f"`{one.span.text}`" for one in group)]
    more = [f"{len(keys) - limits.MAX_LISTED_NAMES} more"] if len(keys) > limits.MAX_LISTED_NAMES else []
    message = f"duplicate keys {join_list([*keys[: limits.MAX_LISTED_NAMES], *more], 'and')}"
    if len(keys) == 1:
        message = f"duplicate key {keys[0]}, several times"
    return replace(group[0], message=message, help=RUN_TOGETHER_HINT, fix=None)


def _run_together(diagnostics: Sequence[Diagnostic]) -> list[list[Diagnostic]]:
    """Duplicate keys of one mapping: at least two."""
    groups = list[list[Diagnostic]]()
    for one in diagnostics:
        if one.code is not DUPLICATE_KEY:
            continue
        if groups and _is_in_mapping_of(one.span, groups[-1][-1].span):
            groups[-1].append(one)
        else:
            groups.append([one])
    return [group for group in groups if len(group) > 1]


def _is_in_mapping_of(later: Span, span: Span) -> bool:
    """Whether a key in a block is in the mapping of one above it: no line between is indented less."""
    if later.source is not span.source or later.column != span.column or later.line == span.line:
        return False
    between = later.source.text[span.start : later.start].split("\n")[1:-1]
    return all(len(line) - len(line.lstrip(" ")) >= span.column - 1 for line in between if line.strip())


def _repeated(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Addresses that miss what another address of the file misses already: of one rule, or of one sentence."""
    seen, found = set[tuple[str, str]](), list[Diagnostic]()
    for one in diagnostics:
        if name := one.cause_name("no address"):
            missed = (one.span.source.path, "a language" if _names_language(one.span) else name)
            if missed in seen:
                found.append(one)
            seen.add(missed)
    return found


def _section_key(one: Diagnostic) -> tuple[str, str]:
    return one.span.source.path, one.cause.meant if one.cause is not None else ""


def _entry_keys(diagnostics: Sequence[Diagnostic]) -> dict[tuple[str, str], list[Diagnostic]]:
    """By file and section: what stands there under names that are keys of its entries."""
    found = dict[tuple[str, str], list[Diagnostic]]()
    for one in diagnostics:
        if one.comes_from("entry key"):
            found.setdefault(_section_key(one), []).append(one)
    return found


def _is_in_section_of(one: Diagnostic, misplaced: Diagnostic) -> bool:
    """Whether the shape of something is wrong that follows an entry of another section, in the section of both."""
    return (
        one.code in SHAPE_CODES
        and one.span.source is misplaced.span.source
        and one.span.start > misplaced.span.start
        and one.address.partition(".")[0] == misplaced.address.partition(".")[0]
    )


def _exchanged_sections(diagnostics: Iterable[Diagnostic]) -> dict[str, tuple[Diagnostic, Diagnostic]]:
    """By file two entries, each the first in the section of the other."""
    seen, found = dict[tuple[str, str, str], Diagnostic](), dict[str, tuple[Diagnostic, Diagnostic]]()
    for one in diagnostics:
        other = one.cause_name("other section")
        before = one.span.source.text[max(0, one.span.start - MAX_LOOKED_BACK) : one.span.start]
        if other and FIRST_ENTRY.search(before):
            path, section = one.span.source.path, one.address.partition(".")[0]
            first = seen.get((path, other, section))
            if first is not None:
                found.setdefault(path, (first, one))
            seen.setdefault((path, section, other), one)
    return found


def _report_exchanged(first: Diagnostic, second: Diagnostic) -> Diagnostic:
    """That the names of two sections are exchanged, at the first of them."""
    sections = [one.address.partition(".")[0] for one in (first, second)]
    source = first.span.source
    key = re.search(rf"^{sections[0]}(?=\s*:)", source.text, re.MULTILINE)
    return replace(
        first,
        span=first.span if key is None else Span(source, *key.span()),
        message=f"`{sections[0]}` and `{sections[1]}` stand in one another's place",
        help=f"exchange the keys `{sections[0]}:` and `{sections[1]}:`",
        address=sections[0],
        related=(Related(first.span, f"has the keys of `{sections[1]}`"), Related(second.span, f"of `{sections[0]}`")),
    )


def _without_section(diagnostics: Sequence[Diagnostic]) -> dict[str, Diagnostic]:
    """By file the first sentence of a variant that stands where changes do, if the variant has no section for them."""
    addresses = Counter(one.span.source.path for one in diagnostics if _is_second_address(one))
    return _first_by_file(
        one
        for one in diagnostics
        if (_is_language(one) or (_is_second_address(one) and addresses[one.span.source.path] > 1))
        and _lacks_sentences(one.span.source)
    )


def _is_second_address(one: Diagnostic) -> bool:
    """Whether it is an address that is there already, now with something that can be a sentence."""
    is_address = one.code is DUPLICATE_KEY and "." in one.span.text
    return is_address and SENTENCE_VALUE.match(one.span.source.text, one.span.end) is not None


def _first_by_file(diagnostics: Iterable[Diagnostic]) -> dict[str, Diagnostic]:
    found = dict[str, Diagnostic]()
    for one in diagnostics:
        found.setdefault(one.span.source.path, one)
    return found


def _is_language(one: Diagnostic) -> bool:
    return one.code in (UNKNOWN_KEY, UNKNOWN_VERB) and _names_language(one.span)


def _names_language(span: Span) -> bool:
    """Whether it is one of the languages in which the file says what it is about."""
    return span.text in _languages(span.source)


@lru_cache(maxsize=limits.MAX_REMEMBERED_LARGE_FILES)
def _languages(source: SourceFile) -> tuple[str, ...]:
    about = TEXT_OF_FILE.search(source.text)
    return () if about is None else tuple(LANGUAGE.findall(about[1]))


@lru_cache(maxsize=limits.MAX_REMEMBERED_LARGE_FILES)
def _lacks_sentences(source: SourceFile) -> bool:
    """Whether it is a variant without a section of sentences."""
    return VARIANT.search(source.text) is not None and SENTENCES.search(source.text) is None


def _missing_key(missing: Diagnostic) -> str:
    return missing.cause_name("no key")


def _word_before(span: Span) -> str:
    """The word in front of a place, on its line."""
    word = re.search(r"\w+:?$", span.source.line_text(span.line)[: span.column - 1])
    return word[0].rstrip(":") if word is not None else ""


def _is_cut_off(missing: Diagnostic, cut: Diagnostic) -> bool:
    """Whether a missing key is one that a comma has cut off without its colon."""
    is_near = missing.span.source is cut.span.source and missing.span.line == cut.span.line
    key = _missing_key(missing)
    return is_near and bool(key) and cut.cause_name("cut key") == key


__all__ = ["MissingLines"]

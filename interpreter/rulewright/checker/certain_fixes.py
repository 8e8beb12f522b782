"""What is certainly meant where something is wrong: a word for a word, the rest of the file stays as it is.

In: a diagnostic. Out: a `Fix`, the characters that go and those that come, or None where a person has to decide. A fix
is proposed by a row for the code, or by the one name that is near to the misspelled one; whether it makes the rules
better is tried by whoever applies it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from rulewright.diagnostics import Diagnostic, Span
from rulewright.frozen import frozen
from rulewright.suggestions import NearestName

OPERATORS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "=": "is",
        "==": "is",
        "===": "is",
        "!=": "is not",
        "!==": "is not",
        "<>": "is not",
        "≠": "is not",
        "=<": "<=",
        "=>": ">=",
        "≤": "<=",
        "≥": ">=",
        "&": "and",
        "&&": "and",
        "|": "or",
        "||": "or",
        "!": "not",
        "¬": "not",
        "×": "*",
        "−": "-",
        "–": "-",
    }
)
WRITE_OPERATOR: Final = re.compile(r"write `(>=|<=|>|<|is|is not|in|not in|fits in|\+|\*|less|and)`")  # for words
LOWERCASE: Final = re.compile(r"names are lowercase: `([a-z][a-z0-9_]*)`")
LOOK_ALIKES: Final = str.maketrans("аеорсхуіјѕԁԛԝοανικρ", "aeopcxyijsdqwoavikp")  # Cyrillic and Greek
INVISIBLE: Final = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
QUOTED: Final = re.compile(r"""["'`“”‘’«»„]([a-z][a-z0-9_]*)["'`“”‘’«»„]""")
WRITE: Final = re.compile(r"write `([a-z0-9_ ]+)`")
FORMERLY: Final = re.compile(r"since version \d+ it is `([a-z_]+)`")
GLUED_KEY: Final = re.compile(r"missing space after `([^`]+:)`")
QUOTED_WHOLE: Final = re.compile(r"""write `"([^"`]+)"`""")
INDENTATION: Final = re.compile(r"^ +(?=[^\s#-])", re.MULTILINE)
TABS: Final = re.compile(r"^\t+", re.MULTILINE)
USUAL_INDENTATION: Final = 2
WORD: Final = re.compile(r"\w+")


@frozen
class Fix:
    """The characters of `span` become `text`."""

    span: Span
    text: str

    @property
    def title(self) -> str:
        """What it does, as an order."""
        old = self.span.text
        if not self.text:
            return "remove an invisible character"
        if "\t" in old:
            return "replace tabs by spaces"
        return f"replace `{old}` by `{self.text}`" if old else f"insert `{self.text}`"


def certain_fix(diagnostic: Diagnostic) -> Fix | None:
    """The fix of a diagnostic, if one is certain."""
    if diagnostic.span.source.is_option:
        return None
    propose = FIXES.get(diagnostic.code.name)
    fix = propose(diagnostic) if propose is not None else None
    return fix or _ascii_word(diagnostic) or _nearest_name(diagnostic)


def _operator(diagnostic: Diagnostic) -> Fix | None:
    span, word = diagnostic.span, OPERATORS.get(diagnostic.span.text)
    written = WRITE_OPERATOR.fullmatch(diagnostic.help)
    if span.text == "=" and written is not None:  # `> =`
        blank = len(span.source.text[: span.start].rstrip())
        return Fix(Span(span.source, blank, span.end), "=")
    if word is None and written is not None:
        word = written[1]
    if word is None:
        return None
    before, after = span.source.text[: span.start][-1:], span.source.text[span.end :][:1]
    is_word = word[0].isalpha()
    lead = " " if is_word and not before.isspace() and before not in '("' else ""
    return Fix(span, f"{lead}{word}{' ' if is_word and not after.isspace() else ''}")


def _unquoted(diagnostic: Diagnostic) -> Fix | None:
    match = QUOTED.fullmatch(diagnostic.span.text)
    return Fix(diagnostic.span, match[1]) if match else None


def _without_zeros(diagnostic: Diagnostic) -> Fix | None:
    digits = diagnostic.span.text
    short = digits.lstrip("0") or "0"
    return Fix(diagnostic.span, short) if digits.isdecimal() and short != digits else None


def _small_letters(diagnostic: Diagnostic) -> Fix | None:
    match = LOWERCASE.search(diagnostic.help)
    return Fix(diagnostic.span, match[1]) if match else None


def _former_word(diagnostic: Diagnostic) -> Fix | None:
    match = WRITE.fullmatch(diagnostic.help)
    return Fix(diagnostic.span, match[1]) if match and WORD.fullmatch(diagnostic.span.text) else None


def _former_key(diagnostic: Diagnostic) -> Fix | None:
    match = FORMERLY.match(diagnostic.help)
    return Fix(diagnostic.span, match[1]) if match and WORD.fullmatch(diagnostic.span.text) else None


def _spaced_colon(diagnostic: Diagnostic) -> Fix | None:
    span, match = diagnostic.span, GLUED_KEY.match(diagnostic.message)
    if match is None:
        return None
    line, _ = span.source.line_and_column(span.start)
    first = span.source.line_starts[line - 1]
    text = span.source.line_text(line)
    if text.count(match[1]) != 1:
        return None
    place = first + text.index(match[1]) + len(match[1])
    follows = span.source.text[place : place + 1]
    return Fix(Span(span.source, place, place + (follows == "\u00a0")), " ")


def _spaces_for_tabs(diagnostic: Diagnostic) -> Fix | None:
    """For a tab as many spaces as the file is indented by elsewhere, on all lines from there that begin with tabs; one
    where it does not indent.
    """
    span = diagnostic.span
    text = span.source.text
    if text[span.source.line_starts[span.line - 1] : span.start].strip():
        return Fix(span, " ")
    steps = [len(match[0]) for match in INDENTATION.finditer(text)]
    spaces = " " * min(steps, default=USUAL_INDENTATION)
    end = max([span.end, *(match.end() for match in TABS.finditer(text, span.end))])
    after = TABS.sub(lambda tabs: spaces * len(tabs[0]), text[span.end : end])
    return Fix(Span(span.source, span.start, end), span.text.replace("\t", spaces) + after)


def _quoted_whole(diagnostic: Diagnostic) -> Fix | None:
    """Quotes around a value that its commas cut, unless what is behind a comma may be a key."""
    match = QUOTED_WHOLE.fullmatch(diagnostic.help)
    if match is None:
        return None
    span = diagnostic.span
    line = span.source.line_text(span.line)
    first = span.source.line_starts[span.line - 1]
    whole = re.compile(r"[ \t]+".join(map(re.escape, match[1].split())))
    found = [one for one in whole.finditer(line) if one.start() < span.start - first < one.end()]
    if len(found) != 1 or "\\" in found[0][0]:
        return None
    return Fix(Span(span.source, first + found[0].start(), first + found[0].end()), f'"{found[0][0]}"')


def _visible(diagnostic: Diagnostic) -> Fix | None:
    return Fix(diagnostic.span, "") if diagnostic.span.text in INVISIBLE else None


def _ascii_word(diagnostic: Diagnostic) -> Fix | None:
    """A word with letters of another alphabet that look like those of this one."""
    span = diagnostic.span
    words = WORD.finditer(span.source.text, max(0, span.start - 64), span.end + 64)
    for match in words:
        word = match[0].translate(LOOK_ALIKES)
        if match.start() <= span.start < match.end() and word != match[0] and word.isascii():
            return Fix(Span(span.source, match.start(), match.end()), word)
    return None


def _nearest_name(diagnostic: Diagnostic) -> Fix | None:
    hint, span = diagnostic.help, diagnostic.span
    if not isinstance(hint, NearestName):
        return None
    places = [*re.finditer(rf"(?<![\w-]){re.escape(hint.name)}(?![\w-])", span.text)]
    if len(places) != 1:
        return None
    start, end = places[0].span()
    return Fix(Span(span.source, span.start + start, span.start + end), hint.nearest)


FIXES: Final[Mapping[str, Callable[[Diagnostic], Fix | None]]] = MappingProxyType(
    {
        "capital-letters": _small_letters,
        "comma-ends-value": _quoted_whole,
        "control-character": _visible,
        "foreign-operator": _operator,
        "former-spelling": _former_word,
        "missing-space-after-colon": _spaced_colon,
        "number-form": _without_zeros,
        "quoted-word": _unquoted,
        "single-equals": _operator,
        "tab-indentation": _spaces_for_tabs,
        "unknown-file-kind": _former_key,
        "unknown-key": _former_key,
    }
)

__all__ = ["Fix", "certain_fix"]

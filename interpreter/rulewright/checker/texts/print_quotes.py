"""Is a whole sentence in quotation marks of print, or is one mark alone in it? YAML takes them for a part of it.

In: the root of a game or a variant. Out: warnings.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.checker.common.lint_codes import PRINT_QUOTES
from rulewright.diagnostics import Diagnostics
from rulewright.document.document import Document
from rulewright.document.language import PROSE_KEYS
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.nodes import MappingNode, Node, ScalarNode, as_items
from rulewright.variants.variant import Variant

QUOTED: Final = lazy_pattern(r"[“„«‘]\s*([^“”„«»‘]*)[”“»’]")
DOUBLE, SINGLE = '"', "'"
DOUBLE_MARK: Final = lazy_pattern(r'(?<!\d)"')  # `5"` are inches
END_BEFORE_MARK: Final = lazy_pattern(r"[.!?…}]$")  # `players'` is a form of a word
SENTENCES: Final = "sentences"


def check_quotes_of_game(document: Document, diagnostics: Diagnostics) -> None:
    """Reports such sentences of a game and its files of texts."""
    _report(_sentences(document.root, is_prose=False), diagnostics)
    for text in document.texts.values():
        _report(_sentences(text, is_prose=True), diagnostics)


def check_quotes_of_variant(variant: Variant, _: Document | None, diagnostics: Diagnostics) -> None:
    """Reports such sentences of a variant."""
    _report(_sentences(variant.root, is_prose=False), diagnostics)


def _report(sentences: Iterator[ScalarNode], diagnostics: Diagnostics) -> None:
    for sentence in sentences:
        quoted = QUOTED.fullmatch(sentence.text)
        if quoted is not None and _is_plain(sentence):
            diagnostics.add(
                sentence.span,
                PRINT_QUOTES,
                "the quotation marks of print are a part of this sentence",
                label="printed as it stands",
                help=f'write `"{quoted[1].strip()}"`',
            )
        elif (mark := _lone_mark(sentence.text)) is not None and _is_plain(sentence):
            diagnostics.add(
                sentence.subspan(mark, mark + 1),
                PRINT_QUOTES,
                f"a quotation mark `{sentence.text[mark]}` without another is a part of this sentence",
                label="printed as it stands",
                help="remove it, or write the other one as well",
            )


def _lone_mark(text: str) -> int | None:
    """Where an unquoted sentence has a straight quotation mark too many: the last one."""
    if text.count(DOUBLE) % 2:
        marks = [mark.start() for mark in DOUBLE_MARK.finditer(text)]
        return marks[-1] if len(marks) % 2 else None
    end = len(text) - 1
    is_end = text.endswith(SINGLE) and text.count(SINGLE) == 1 and END_BEFORE_MARK.search(text, 0, end) is not None
    return end if is_end else None


def _is_plain(sentence: ScalarNode) -> bool:
    """Whether it is in no quotation marks of YAML: inside of them those of print are meant."""
    span = sentence.span
    before = span.source.text[max(0, span.start - 1) : span.start]
    return span.text[:1] == sentence.text[:1] and before not in ('"', "'")


def _sentences(node: Node, *, is_prose: bool) -> Iterator[ScalarNode]:
    if isinstance(node, ScalarNode):
        if is_prose:
            yield node
    elif isinstance(node, MappingNode):
        for entry in node:
            yield from _sentences(entry.value, is_prose=is_prose or entry.key.text in (*PROSE_KEYS, SENTENCES))
    else:
        for item in as_items(node):
            yield from _sentences(item, is_prose=is_prose)


__all__ = ["check_quotes_of_game", "check_quotes_of_variant"]

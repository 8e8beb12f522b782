"""Is a whole sentence in quotation marks of print, which YAML takes for a part of it?

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

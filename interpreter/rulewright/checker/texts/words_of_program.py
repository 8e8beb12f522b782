"""Does the program know the words that a file of texts gives it?

In: a game's document. Out: diagnostics about words under keys that it never asks for, and about holes in them that it
never fills in.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from rulewright.diagnostics import Diagnostics
from rulewright.document.document import Document
from rulewright.expr.codes import UNKNOWN_NAME
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.codes import NO_EFFECT
from rulewright.model.locale import BUILTIN_MESSAGES, ENGLISH, ENGLISH_MESSAGES
from rulewright.source.nodes import ScalarNode, as_mapping
from rulewright.suggestions import unknown_name_hint
from rulewright.wording.messages import LOCALE_FOLDERS, load_messages

HOLE: Final = lazy_pattern(r"\{([a-z_]+)\}")


def check_words(document: Document, diagnostics: Diagnostics) -> None:
    """Reports the words of a game that the program does not have."""
    for file in document.texts.values():
        for word in as_mapping(file.get("words")):
            if word.key.text not in known_words():
                diagnostics.add(
                    word.key.span,
                    NO_EFFECT,
                    f"the program has no word `{word.key.text}`",
                    label="never said",
                    help=_translated_hint(word.key.text) or unknown_name_hint(word.key.text, "words", known_words()),
                )
            elif isinstance(word.value, ScalarNode):
                _check_holes(word.key.text, word.value, diagnostics)


def _translated_hint(word: str) -> str:
    """For a key that is the translation: the word that it translates."""
    originals = (key for words in BUILTIN_MESSAGES.values() for key, text in words.items() if text == word)
    original = next(originals, "")
    return f"the key is the English word: `{original}: {word}`" if original else ""


def _check_holes(word: str, value: ScalarNode, diagnostics: Diagnostics) -> None:
    """Reports a hole in one of the program's words that it has no value for."""
    known = _known_holes(word)
    for hole in HOLE.findall(value.text):
        if hole not in known:
            diagnostics.add(
                value.span,
                UNKNOWN_NAME,
                f"`{word}` has no hole `{{{hole}}}`",
                label="holes are not translated",
                help=unknown_name_hint(hole, "holes", known) if known else "it is said without holes",
            )


@cache
def _known_holes(word: str) -> tuple[str, ...]:
    """The names in braces in what the program says under a key, in all its catalogs."""
    texts = [load_messages(ENGLISH, catalog).get(word, "") for catalog in LOCALE_FOLDERS]
    texts.append(ENGLISH_MESSAGES.get(word, ""))
    return tuple(dict.fromkeys(hole for text in texts for hole in HOLE.findall(text)))


@cache
def known_words() -> tuple[str, ...]:
    """The keys of all that the program says, those of sentences about rules first."""
    keys = [key for catalog in LOCALE_FOLDERS for key in load_messages(ENGLISH, catalog)]
    return tuple(dict.fromkeys([*ENGLISH_MESSAGES, *keys]))


__all__ = ["check_words", "known_words"]

"""Does the program know the words that a file of texts gives it?

In: a game's document. Out: diagnostics about words under keys that it never asks for.
"""

from __future__ import annotations

from functools import cache

from rulewright.diagnostics import Diagnostics
from rulewright.document.document import Document
from rulewright.model.codes import NO_EFFECT
from rulewright.model.locale import ENGLISH, ENGLISH_MESSAGES
from rulewright.source.nodes import as_mapping
from rulewright.suggestions import unknown_name_hint
from rulewright.wording.messages import LOCALE_FOLDERS, load_messages


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
                    help=unknown_name_hint(word.key.text, "words", known_words()),
                )


@cache
def known_words() -> tuple[str, ...]:
    """The keys of all that the program says, those of sentences about rules first."""
    keys = [key for catalog in LOCALE_FOLDERS for key in load_messages(ENGLISH, catalog)]
    return tuple(dict.fromkeys([*ENGLISH_MESSAGES, *keys]))


__all__ = ["check_words", "known_words"]

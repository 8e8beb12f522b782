"""Does a variant remove something else than its text says is no more?

In: a variant and its game. Out: a warning at what is removed, where it is all that the variant changes, and its text
says of a neighbour, by its name, that there is none, and nothing of what is removed. Found by a few words of English.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.texts.numbers_in_sentences import sentence_texts
from rulewright.diagnostics import Diagnostics
from rulewright.document.address import child_entries, find_entry
from rulewright.document.document import Document
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.nodes import Entry, ScalarNode, as_mapping, iter_scalars
from rulewright.variants.variant import Variant

ENGLISH: Final = "en"
NO_MORE: Final = lazy_pattern(r"(?i)\b(?:no|not|never|nobody|nothing|without|neither|nor|none)\b")
WORD: Final = lazy_pattern(r"[a-z]{4,}")
COMMON: Final = lazy_pattern(  # words that say of nothing in particular that it is gone
    r"games?|turns?|rounds?|players?|this|that|these|those|with|when|whenever|each|every|more|than|have|left|points?|counts?"
    r"|nothing|without|never|nobody|there|they|from|after|before|comes?|which|what|does|only|other|their|none|rules?"
)


def check_removals_of_variant(variant: Variant, document: Document | None, diagnostics: Diagnostics) -> None:
    """Reports them."""
    changes = [change for change in variant.changes if not change.is_of_words]
    if document is None or variant.text is None or len(changes) != 1 or changes[0].operation != "remove":
        return
    change = changes[0]
    text = next((node.text for language, node in sentence_texts(variant.text) if language == ENGLISH), "")
    removed = find_entry(document.root, change.address)
    around = find_entry(document.root, ".".join(change.parts[:-1]))
    if removed is None or around is None or NO_MORE.search(text) is None:
        return
    words = {*_words(text)}
    named = [
        entry.key.text
        for entry in child_entries(around.value)
        if entry.key.text != change.parts[-1] and (name := {*_words(entry.key.text)}) and name <= words
    ]
    if len(named) == 1 and words.isdisjoint(_words_of_rule(removed, change.address, document)):
        message = f"the variant says `{named[0]}` of itself, and removes `{change.parts[-1]}`"
        hint = f"remove `{'.'.join((*change.parts[:-1], named[0]))}`, or change the text"
        diagnostics.add(change.span, OTHER_WAY, message, label="another is named", help=hint, address=change.address)


def _words_of_rule(entry: Entry, address: str, document: Document) -> set[str]:
    """The words of a rule: its name, what it reads, its sentences."""
    texts = [entry.key.text, *(scalar.text for scalar in iter_scalars(entry.value))]
    file = document.texts.get(ENGLISH)
    texts += [
        sentence.value.text
        for sentence in (as_mapping(file.get("sentences")) if file is not None else ())
        if f"{sentence.key.text}.".startswith(f"{address}.") and isinstance(sentence.value, ScalarNode)
    ]
    return {word for text in texts for word in _words(text)}


def _words(text: str) -> Iterator[str]:
    """The words of a text that say what it is about, without the ending of the plural."""
    for word in WORD.findall(text.lower()):
        if not COMMON.fullmatch(word):
            yield word.removesuffix("s")


__all__ = ["check_removals_of_variant"]

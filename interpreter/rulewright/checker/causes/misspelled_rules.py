"""A rule that files of texts call otherwise: which of the two is misspelled?

In: the tree of a game and what is wrong with it. Out: `Diagnostics` in which sentences at an address that there is not
are one diagnostic at the rule, where the name in the texts is the better one: the sentence of the rule has it as a
word, or all that files of texts say of the rule stands under it, in several sentences or languages; or it has a name
that something else has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from rulewright.checker.common.lint_codes import MISSPELLED_DECLARATION
from rulewright.diagnostics import Diagnostic, Diagnostics, Fix, Related
from rulewright.document.address import find_entry, split_address
from rulewright.document.language import SENTENCE_KEYS
from rulewright.expr.codes import SHADOWING
from rulewright.model.codes import DUPLICATE_NAME, UNUSED_SENTENCE
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode

TAKEN_CODES: Final = (DUPLICATE_NAME, SHADOWING)  # a name that something else has
MIN_SENTENCES: Final = 2  # that have another name, and none that has the rule's own
MAX_SHOWN: Final = 2


def merge_misspelled_rules(root: MappingNode, diagnostics: Diagnostics) -> Diagnostics:
    """The same diagnostics, where those about sentences of a rule with a misspelled name are one."""
    groups = dict[tuple[str, str], list[Diagnostic]]()  # by the address of a rule, and its name in the texts
    for one in diagnostics:
        if one.code is UNUSED_SENTENCE and one.fix is not None and (renamed := _renamed(one)):
            groups.setdefault(renamed, []).append(one)
    taken = {one.span for one in diagnostics if one.code in TAKEN_CODES}
    changed = dict[int, Diagnostic | None]()
    for (address, word), found in groups.items():
        entry = find_entry(root, address)
        is_taken = entry is not None and entry.key.span in taken
        if entry is not None and (is_taken or _is_misspelled(root, entry, word, found)):
            why = f"`{entry.key.text}` is taken" if is_taken else f"nothing uses `{entry.key.text}`"
            changed.update({id(one): None for one in found})
            changed[id(found[0])] = _report(entry, address, word, why, found)
    if not changed:
        return diagnostics
    merged = Diagnostics()
    merged.merge(diagnostics, lambda one: changed.get(id(one), one))
    return merged


def _renamed(one: Diagnostic) -> tuple[str, str] | None:
    """The address up to the only name in which what is written and what is meant differ, and the name as written."""
    assert one.fix is not None
    written, meant = split_address(one.span.text), split_address(one.fix.text)
    differing = [place for place, (left, right) in enumerate(zip(written, meant, strict=False)) if left != right]
    if len(written) != len(meant) or len(differing) != 1 or not differing[0]:
        return None
    return ".".join(meant[: differing[0] + 1]), written[differing[0]]


def _is_misspelled(root: MappingNode, entry: Entry, word: str, found: Sequence[Diagnostic]) -> bool:
    name = entry.key.text
    is_used = sum(len(_occurrences(name, text)) for text in _texts(root, in_sentences=False)) > 1
    if is_used:
        return False
    sentences = [*_texts(entry.value, in_sentences=True)]
    has_name, has_word = (any(_occurrences(each, text) for text in sentences) for each in (name, word))
    return not has_name and (has_word or len({one.span for one in found}) >= MIN_SENTENCES)


def _occurrences(name: str, text: str) -> list[str]:
    return re.findall(rf"(?<![a-z0-9_]){re.escape(name)}(?![a-z0-9_])", text.lower())


def _texts(node: Node, *, in_sentences: bool, is_sentence: bool = False) -> Iterator[str]:
    """All texts in a tree that are those of sentences, or that are not, with the keys."""
    match node:
        case ScalarNode():
            if is_sentence == in_sentences:
                yield node.text
        case MappingNode():
            for entry in node.entries:
                is_below = is_sentence or entry.key.text in SENTENCE_KEYS
                if not in_sentences and not is_below:
                    yield entry.key.text
                yield from _texts(entry.value, in_sentences=in_sentences, is_sentence=is_below)
        case _:
            for item in node.items:
                yield from _texts(item, in_sentences=in_sentences, is_sentence=is_sentence)


def _report(entry: Entry, address: str, word: str, why: str, found: Sequence[Diagnostic]) -> Diagnostic:
    return Diagnostic(
        MISSPELLED_DECLARATION,
        entry.key.span,
        f"{why}, and the texts call it `{word}`",
        label=f"`{word}` in the texts",
        help=f"did you mean `{word}`?",
        address=address,
        related=tuple(Related(one.span, "its sentence") for one in found[:MAX_SHOWN]),
        fix=Fix(entry.key.span, word, is_certain=False),
    )


__all__ = ["merge_misspelled_rules"]

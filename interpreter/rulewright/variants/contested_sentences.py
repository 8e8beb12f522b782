"""What variants write in different words is not said: the book puts the rule into words, which are true of both.

In: the rules with all changes of the variants, and the contested sentences. Out: the rules without them. What something
is called stays what the game calls it. A passage is printed once for each variant, as that one leaves it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rulewright.diagnostics import Diagnostics
from rulewright.document.address import AddressParts, find_entry
from rulewright.document.document import Document
from rulewright.document.editing import look_up
from rulewright.document.sentence_places import (
    PASSAGES,
    TITLE_KEY,
    find_sentence_entry,
    has_own_title,
    is_name,
    place_sentence,
    rule_parts,
    sentence_address,
    sentence_parts,
    without_sentence,
)
from rulewright.frozen import replace
from rulewright.source.nodes import Entry, MappingNode, ScalarNode
from rulewright.variants.layer_edit import LayerEdit
from rulewright.variants.operations import apply_change
from rulewright.variants.sentence_conflicts import Contest
from rulewright.variants.variant import Variant
from rulewright.variants.variant_sentences import apply_translations


def settle_contests(
    base: Document,
    applied: Document,
    contests: Sequence[Contest],
    layers: Sequence[Sequence[Variant]],
    below: Mapping[str, frozenset[str]],
    diagnostics: Diagnostics,
) -> Document:
    """The rules without what is contested. `base`: before the variants; `below`: what each is applied over."""
    root, titles, passage_variants = applied.root, dict(applied.titles), dict(applied.passage_variants)
    for sentence in dict.fromkeys(contest.sentence for contest in contests):
        if sentence[0] == PASSAGES:
            names = {
                change.variant for one in contests if one.sentence == sentence for change in (one.first, one.second)
            }
            writers = [name for name in sorted(names) if not any(name in below[other] for other in names)]
            passages = {
                name: passage
                for name in writers
                if (passage := _passage_of(base, sentence, _lineage(name, layers, below), diagnostics)) is not None
            }
            root = _with_passages(root, sentence[-1], passages, passage_variants) if passages else root
        elif sentence[-1] == TITLE_KEY and not has_own_title(sentence):
            rule = ".".join(sentence[:-1])
            titles = {address: title for address, title in titles.items() if address != rule}
            titles |= {address: title for address, title in base.titles if address == rule}
        else:
            root = _without_contested(root, base.root, sentence)
    contested = (*applied.contested, *(sentence_address(contest.sentence) for contest in contests))
    return replace(
        applied,
        root=root,
        titles=tuple(titles.items()),
        contested=tuple(dict.fromkeys(contested)),
        passage_variants=tuple(passage_variants.items()),
    )


def _without_contested(root: MappingNode, base: MappingNode, sentence: AddressParts) -> MappingNode:
    """The rules without a sentence; a name is that of the game again."""
    old = find_sentence_entry(base, sentence) if is_name(sentence) else None
    rule = rule_parts(sentence)
    if old is not None and len(look_up(root, rule).entries) == len(rule):
        return place_sentence(root, sentence, old)
    return without_sentence(root, sentence)


def _lineage(name: str, layers: Iterable[Sequence[Variant]], below: Mapping[str, frozenset[str]]) -> list[Variant]:
    """A variant behind all that it is applied over, lowest first."""
    return [variant for layer in layers for variant in layer if variant.name == name or variant.name in below[name]]


def _passage_of(
    base: Document, sentence: AddressParts, lineage: Sequence[Variant], diagnostics: Diagnostics
) -> Entry | None:
    """A passage as some variants leave it, without what others do; None where they remove it."""
    root = base.root
    for variant in lineage:
        edit = LayerEdit(root, diagnostics)
        for change in variant.changes:
            if change.parts[: len(sentence)] == sentence:
                apply_change(edit, change)
        of_passage = [
            one for one in variant.translations if sentence_parts(one.entry.key.text)[: len(sentence)] == sentence
        ]
        apply_translations(edit, replace(variant, translations=tuple(of_passage)))
        root = edit.root
    return find_entry(root, ".".join(sentence))


def _with_passages(
    root: MappingNode, name: str, passages: Mapping[str, Entry], passage_variants: dict[str, str]
) -> MappingNode:
    """The rules with one passage for each variant in place of a passage, or behind all where it is new."""
    book = root.get(PASSAGES)
    old = book.entries if isinstance(book, MappingNode) else ()
    taken = {entry.key.text for entry in old} - {name}
    new: list[Entry] = []
    for variant, passage in passages.items():
        own_name = name if not new else f"{name}_{variant.replace('-', '_')}"
        while own_name in taken:
            own_name += "_too"
        taken.add(own_name)
        passage_variants[own_name] = variant
        new.append(Entry(ScalarNode(own_name, own_name, passage.key.span), passage.value, passage.history))
    position = next((index for index, entry in enumerate(old) if entry.key.text == name), len(old))
    rest = [entry for entry in old if entry.key.text != name]
    entries = (*rest[:position], *new, *rest[position:])
    if isinstance(book, MappingNode):
        whole = MappingNode(entries, book.span)
        return MappingNode(
            tuple(Entry(one.key, whole, one.history) if one.value is book else one for one in root), root.span
        )
    span = new[0].value.span
    return MappingNode(
        (*root.entries, Entry(ScalarNode(PASSAGES, PASSAGES, span), MappingNode(entries, span))), root.span
    )


__all__ = ["settle_contests"]

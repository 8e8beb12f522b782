"""Two variants that differ only in words: what they write in different words, and what is reported of it.

In: two changes that write at one address, or one inside of what the other sets. Out: the sentences that they write
differently, or that it is the rules that differ. Prose alone never keeps two variants apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rulewright.diagnostics import Diagnostics, Related
from rulewright.document.address import AddressParts, normalize_lists_once
from rulewright.document.editing import is_equal, look_up
from rulewright.document.sentence_places import (
    ENGLISH_CODE,
    PASSAGES,
    TITLE_KEY,
    enclosing_sentence,
    is_name,
    sentence_address,
    sentence_parts,
)
from rulewright.frozen import frozen
from rulewright.source.nodes import MappingNode, Node, as_mapping
from rulewright.variants import codes
from rulewright.variants.change import Change
from rulewright.variants.variant import Variant

WRITING_OPERATIONS: Final = ("set", "add", "insert", "sentences")


@frozen
class Contest:
    """A sentence, or a whole passage of the book, that two variants write in different words."""

    sentence: AddressParts
    first: Change
    second: Change

    def report(self, diagnostics: Diagnostics) -> None:
        """Warns at the second change, with the first beside it."""
        first, second, address = self.first, self.second, sentence_address(self.sentence)
        outcome = "neither is printed"
        if self.sentence[0] == PASSAGES:
            outcome = "both are printed"
        elif is_name(self.sentence):
            outcome = "neither name is used"
        diagnostics.add(
            second.span,
            codes.TWO_SENTENCES,
            f"`{first.variant}` and `{second.variant}` write `{address}` in different words: {outcome}",
            label="in other words",
            help=f"say `{address}` once, in a file that joins both",
            address=second.address,
            related=[Related(first.span, f"`{first.variant}`, {first.keyword}")],
        )


def contested_sentences(
    sides: tuple[tuple[Change, AddressParts], tuple[Change, AddressParts]], variants: Mapping[str, Variant]
) -> tuple[AddressParts, ...] | None:
    """The sentences that changes of two variants write differently; None where more than words decides.

    `sides`: the changes with the addresses that they really write.
    """
    (outer, outer_parts), (inner, inner_parts) = sorted(sides, key=lambda side: len(side[1]))
    is_same_place = outer_parts == inner_parts
    if inner_parts[: len(outer_parts)] != outer_parts or outer.operation not in WRITING_OPERATIONS:
        return None
    is_title = inner_parts[-1] == TITLE_KEY and is_same_place and outer.operation == inner.operation == "sentences"
    sentence = enclosing_sentence(inner_parts) or (inner_parts if is_title else None)
    if sentence is not None:
        if inner.operation not in (*WRITING_OPERATIONS, *(() if is_same_place else ("remove",))):
            return None
        if enclosing_sentence(outer_parts) is None and outer.operation != "set" and not is_title:
            return None  # what one adds is missing for the other
        outer_texts = _texts(_payload_at(outer, outer_parts, inner_parts), inner_parts, variants[outer.variant])
        inner_texts = _texts(_payload_at(inner, inner_parts, inner_parts), inner_parts, variants[inner.variant])
        return () if _agree(outer_texts, inner_texts) else (sentence,)
    if not is_same_place or outer.operation != inner.operation or outer.payload is None or inner.payload is None:
        return None
    if outer.anchor is not None and inner.anchor is not None and not is_equal(outer.anchor.value, inner.anchor.value):
        return None
    first, second = (_payload_at(change, outer_parts, outer_parts) for change in (outer, inner))
    assert first is not None
    assert second is not None
    differing = list(_differences(first, second, outer_parts))
    return None if None in differing else tuple(parts for parts in differing if parts is not None)


def _payload_at(change: Change, parts: AddressParts, wanted: AddressParts) -> Node | None:
    """What a change writes at an address at or below its own; None where it writes nothing there."""
    if change.payload is None:
        return None
    inner = wanted[len(parts) :]
    found = look_up(normalize_lists_once(change.payload, parts, Diagnostics()), inner)
    return found.node if len(found.entries) == len(inner) else None


def _texts(node: Node | None, parts: AddressParts, variant: Variant) -> dict[str, Node]:
    """What a variant says at an address by language, with its files of translations; whole where it is no sentence."""
    if node is None:
        return {}
    is_by_language = isinstance(node, MappingNode) and all(len(entry.key.text) == len(ENGLISH_CODE) for entry in node)
    texts = {entry.key.text: entry.value for entry in as_mapping(node)} if is_by_language else {ENGLISH_CODE: node}
    for translation in variant.translations:
        if sentence_parts(translation.entry.key.text) == parts:
            texts[translation.language] = translation.entry.value
    return texts


def _agree(left: Mapping[str, Node], right: Mapping[str, Node]) -> bool:
    """Whether two say the same, as far as both do; both are English at least."""
    both = left.keys() & right.keys()
    return bool(both) and all(is_equal(left[code], right[code]) for code in both)


def _differences(left: Node, right: Node, parts: AddressParts) -> Iterator[AddressParts | None]:
    """The sentences in which two nodes at one address differ; a None among them: in more than that."""
    if is_equal(left, right):
        return
    if (sentence := enclosing_sentence(parts)) is not None:
        yield sentence
    elif isinstance(left, MappingNode) and isinstance(right, MappingNode):
        order = [_rule_keys(left, parts), _rule_keys(right, parts)]
        if order[0] != order[1]:
            yield None
        for key in dict.fromkeys((*left.keys(), *right.keys())):
            a, b = left.get(key), right.get(key)
            if a is None or b is None:
                yield enclosing_sentence((*parts, key))
            else:
                yield from _differences(a, b, (*parts, key))
    else:
        yield None


def _rule_keys(node: MappingNode, parts: AddressParts) -> list[str]:
    """The keys of a rule without those of its words."""
    return [entry.key.text for entry in node if enclosing_sentence((*parts, entry.key.text)) is None]


__all__ = ["Contest", "contested_sentences"]

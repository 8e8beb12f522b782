"""Which change of a variant above others decides what they write, so that their order does not matter.

In: the chosen variants, and which are below which. Out: such changes, by address. Conflicts are asked about pair by
pair, and there can be very many pairs: only changes at the addresses around a pair are looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulewright.document.address import AddressParts
from rulewright.variants.change import Change
from rulewright.variants.variant import Variant

DECIDING = ("set", "add", "sentences", "remove")  # operations that leave nothing of what was written before


class SettlingChanges:
    """The changes of all variants that could decide a value, in the order of application."""

    def __init__(self, chosen: Mapping[str, Variant], below: Mapping[str, frozenset[str]]) -> None:
        self._below = below
        self._by_address: dict[AddressParts, list[tuple[int, Change]]] = {}
        self._writers_within: dict[AddressParts, set[str]] = {}  # at an address or below it
        self._settled: dict[AddressParts, dict[str, frozenset[str]]] = {}
        self._settled_sentences: dict[AddressParts, dict[str, frozenset[str]]] = {}
        above = [variant for variant in chosen.values() if below[variant.name]]
        changes = [change for variant in above for change in variant.changes if change.operation in DECIDING]
        for number, change in enumerate(changes):
            self._by_address.setdefault(change.parts, []).append((number, change))
            for length in range(1, len(change.parts) + 1):
                self._writers_within.setdefault(change.parts[:length], set()).add(change.variant)

    def find(self, first: Change, second: Change, parts: tuple[AddressParts, AddressParts]) -> Change | None:
        """The change of a variant above both that decides the value. `parts`: what the two really write."""
        common = _common(*parts)
        around = [found for length in range(1, len(common) + 1) for found in self._at(common[:length])]
        if first.operation == second.operation == "insert":
            removed = [found for address in {*parts} for found in self._at(address)]
            around += [found for found in removed if found[1].operation == "remove"]
        both = {first.variant, second.variant}
        settling = [found for found in around if both <= self._below[found[1].variant]]
        return min(settling, key=lambda found: found[0])[1] if settling else None

    def settled_with(self, variant: str, parts: AddressParts) -> frozenset[str]:
        """The variants whose order with this one does not matter at an address, as one above both decides."""
        by_variant = self._settled.setdefault(parts, {})
        if variant not in by_variant:
            by_variant[variant] = self._below_with(variant, self._writers_around(parts))
        return by_variant[variant]

    def settled_sentence(self, variant: str, sentence: AddressParts) -> frozenset[str]:
        """The same for a sentence: one above both says it or a part of it, or replaces or removes its rule."""
        by_variant = self._settled_sentences.setdefault(sentence, {})
        if variant not in by_variant:
            deciding = self._writers_around(sentence) | self._writers_within.get(sentence, set())
            by_variant[variant] = self._below_with(variant, deciding)
        return by_variant[variant]

    def _writers_around(self, parts: AddressParts) -> set[str]:
        return {found.variant for length in range(1, len(parts) + 1) for _, found in self._at(parts[:length])}

    def _below_with(self, variant: str, writers: Iterable[str]) -> frozenset[str]:
        """What is below those writers that a variant is below."""
        return frozenset[str]().union(*(self._below[name] for name in writers if variant in self._below[name]))

    def _at(self, parts: AddressParts) -> list[tuple[int, Change]]:
        return self._by_address.get(parts, [])


def _common(first: AddressParts, second: AddressParts) -> AddressParts:
    """The address around both."""
    length = next((at for at, pair in enumerate(zip(first, second, strict=False)) if pair[0] != pair[1]), None)
    return min(first, second, key=len) if length is None else first[:length]


__all__ = ["SettlingChanges"]

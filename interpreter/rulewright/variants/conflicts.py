"""Two changes that do not go together: both write at one address, or put something at one place.

In: the rules below and the variants chosen. Out: the changes to leave out, each reported with both places. Variants of
which one stands above the other (see `levels`) never clash: the upper one sees what the lower one wrote.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as Mapped
from dataclasses import dataclass
from heapq import merge
from typing import Final

from rulewright.diagnostics import Code, Diagnostics, Related
from rulewright.document import codes
from rulewright.document.address import AddressParts, normalize_lists
from rulewright.document.editing import is_equal, principal_key, resolve_address
from rulewright.source.nodes import MappingNode, ScalarNode
from rulewright.variants.layer_edit import FIXED_KEYS
from rulewright.variants.layers import variants_below
from rulewright.variants.variant import Change, Variant

ANCHOR_HINT: Final = "one can say that it comes `after` the other, or name another neighbour"
CONFLICT_HINT: Final = (
    "one of them can say that it comes `after` the other, or a file that requires both can `set` what stands here"
)


@dataclass(frozen=True, slots=True)
class ChangePair:
    """Two changes of one game, and the addresses they really write; `first` comes first in the fixed order."""

    first: Change
    second: Change
    parts: tuple[AddressParts, AddressParts]

    @property
    def is_one_variant(self) -> bool:
        """Whether both stand in one variant."""
        return self.first.variant == self.second.variant


class ChangeIndex:
    """The changes seen so far, found by what a later one could clash with."""

    def __init__(self) -> None:
        self.by_address: dict[AddressParts, list[int]] = {}
        self.by_prefix: dict[AddressParts, list[int]] = {}  # at an address or below it
        self.insertions_by_anchor: dict[
            tuple[AddressParts, tuple[str, str]], dict[str, list[int]]
        ] = {}  # insertions, by variant
        self.insertions_by_neighbour: dict[AddressParts, list[int]] = {}  # insertions, by the neighbour that they name

    def add(self, number: int, change: Change, parts: AddressParts) -> None:
        """Notes a change."""
        self.by_address.setdefault(parts, []).append(number)
        for length in range(1, len(parts) + 1):
            self.by_prefix.setdefault(parts[:length], []).append(number)
        if change.operation == "insert":
            self.insertions_by_anchor.setdefault((parts[:-1], _anchor(change)), {}).setdefault(
                change.variant, []
            ).append(number)
            self.insertions_by_neighbour.setdefault(_neighbour(change, parts), []).append(number)

    def candidates(self, change: Change, parts: AddressParts) -> Iterator[int]:
        """Changes that one could clash with, in order: around its address, and put at the same place by others."""
        found = [self.by_address.get(parts[:length], []) for length in range(1, len(parts))]
        found.append(self.by_prefix.get(parts, []))
        if change.operation == "insert":
            there = self.insertions_by_anchor.get((parts[:-1], _anchor(change)), {})
            found += [numbers for variant, numbers in there.items() if variant != change.variant]
            found.append(self.by_address.get(_neighbour(change, parts), []))
        if change.operation == "remove":
            found.append(self.insertions_by_neighbour.get(parts, []))
        return merge(*found)


def find_conflicts(root: MappingNode, chosen: dict[str, Variant], diagnostics: Diagnostics) -> set[int]:
    """Reports pairs of changes that exclude each other or whose order would matter; gives those to leave out (`id`)."""
    under = {name: variants_below(chosen, name) for name in chosen}
    every = [change for one in chosen.values() for change in one.changes if change.parts[0] not in FIXED_KEYS]
    changes = [(change, _written(root, change)) for change in every]
    dropped: set[int] = set()
    written = ChangeIndex()
    for number, (second, second_parts) in enumerate(changes):
        for other in written.candidates(second, second_parts):
            first, first_parts = changes[other]
            if first.variant in under[second.variant] or second.variant in under[first.variant]:
                continue
            pair = ChangePair(first, second, (first_parts, second_parts))
            clash = _clash(pair)
            if clash is not None and _settled(pair, chosen, under):
                if clash[0] is not codes.ONE_ANCHOR:  # two steps at one place are both put there, until one is moved
                    dropped.add(id(second))
            elif clash is not None:
                _tell(pair, *clash, diagnostics)
                if clash[0] is not codes.ONE_ANCHOR:  # what stands beside a new step is right, wherever that goes
                    dropped.add(id(second))
                if clash[0] is codes.REMOVED_BUT_CHANGED and pair.is_one_variant:
                    dropped.add(id(first))  # which of the two is meant cannot be told
                break
        else:
            written.add(number, second, second_parts)
    return dropped


def _settled(pair: ChangePair, chosen: dict[str, Variant], under: Mapped[str, frozenset[str]]) -> bool:
    """Whether a variant that stands above both says what stands there: then the order of the two means nothing."""
    both = {pair.first.variant, pair.second.variant}

    def covers(parts: AddressParts) -> bool:
        return all(one[: len(parts)] == parts for one in pair.parts)

    return any(
        (change.operation in ("set", "remove") and covers(change.parts))
        or (
            change.operation == "remove"
            and pair.first.operation == pair.second.operation == "insert"
            and change.parts in pair.parts
        )
        for one in chosen.values()
        if both <= under[one.name]
        for change in one.changes
    )


def _written(root: MappingNode, change: Change) -> AddressParts:
    """The address that a change really writes: of a rule with a key of its own, a bare value writes that key only."""
    parts = resolve_address(root, change.parts, change.new_value)
    key = (
        principal_key(parts)
        if change.operation in ("set", "adjust") and not isinstance(change.new_value, MappingNode)
        else ""
    )
    return (*parts, key) if key else parts


def _tell(pair: ChangePair, code: Code, message: str, diagnostics: Diagnostics) -> None:
    """Reports a pair at the second, with the first beside it."""
    first, second = pair.first, pair.second
    hint = "" if pair.is_one_variant else ANCHOR_HINT if code is codes.ONE_ANCHOR else CONFLICT_HINT
    if second.is_setting and first.is_setting:
        hint = "a parameter is given one value"
    related = [Related(first.span, f"`{first.variant}`, {first.keyword}")]
    diagnostics.add(second.span, code, message, label="the second", help=hint, address=second.address, related=related)


def _clash(pair: ChangePair) -> tuple[Code, str] | None:
    first, second = pair.first, pair.second
    one, other = pair.parts
    if "remove" in (first.operation, second.operation):
        return _neighbour_gone(pair) or _removed_but_changed(pair)
    if pair.is_one_variant:
        return (codes.TWO_WRITERS, f"this variant writes at `{'.'.join(one)}` twice") if one == other else None
    who = f"`{first.variant}` and `{second.variant}`"
    if one == other:
        if first.operation == second.operation and _agree(first, second):
            return None
        return codes.TWO_WRITERS, f"{who} both write at `{'.'.join(one)}`"
    above, inside = sorted((one, other), key=len)
    if inside[: len(above)] == above:
        writer = first if above is one else second
        # what one variant adds, the other cannot find: that is told where it looks for it
        return (
            (codes.TWO_WRITERS, f"{who} write at `{'.'.join(above)}` and inside it")
            if writer.operation == "set"
            else None
        )
    if first.operation == second.operation == "insert" and one[:-1] == other[:-1] and _anchor(first) == _anchor(second):
        return (
            codes.ONE_ANCHOR,
            f"{who} both insert {' '.join(_anchor(first))} in `{'.'.join(one[:-1])}`: which comes first?",
        )
    return None


def _removed_but_changed(pair: ChangePair) -> tuple[Code, str] | None:
    if pair.first.operation == pair.second.operation:
        return _removed_with_it(pair)
    (removal, gone), (change, parts) = sorted(
        zip((pair.first, pair.second), pair.parts, strict=True), key=lambda one: one[0].operation != "remove"
    )
    if change.operation == "set" and len(parts) < len(gone) and gone[: len(parts)] == parts and not pair.is_one_variant:
        who = f"`{change.variant}` sets `{'.'.join(parts)}`"
        return codes.TWO_WRITERS, f"{who} and `{removal.variant}` removes `{removal.address}` in it"
    if parts[: len(gone)] != gone:
        return None
    done = {"set": "sets", "adjust": "adjusts", "add": "adds", "insert": "inserts"}[change.operation]
    who = "this variant" if pair.is_one_variant else f"`{change.variant}`"
    by = "" if pair.is_one_variant else f" by `{removal.variant}`"
    return codes.REMOVED_BUT_CHANGED, f"`{removal.address}` is removed{by}, but {who} {done} `{'.'.join(parts)}`"


def _neighbour_gone(pair: ChangePair) -> tuple[Code, str] | None:
    """What one variant removes, another names as the place of a step; in one file the new step may replace the old."""
    (removal, gone), (insertion, parts) = sorted(
        zip((pair.first, pair.second), pair.parts, strict=True), key=lambda one: one[0].operation != "remove"
    )
    if pair.is_one_variant or insertion.operation != "insert" or _neighbour(insertion, parts) != gone:
        return None
    where, name = _anchor(insertion)
    message = f"`{insertion.variant}` inserts {where} `{name}`, and `{removal.variant}` removes `{'.'.join(gone)}`"
    return codes.REMOVED_NEIGHBOUR, message


def _removed_with_it(pair: ChangePair) -> tuple[Code, str] | None:
    """A thing and a part of it; two variants may do so, since each can be played without the other."""
    if not pair.is_one_variant:
        return None
    if pair.parts[0] == pair.parts[1]:
        return codes.REMOVED_BUT_CHANGED, f"`{'.'.join(pair.parts[0])}` is removed twice"
    above, inside = sorted((pair.first, pair.second), key=lambda one: len(one.parts))
    return codes.REMOVED_BUT_CHANGED, f"`{inside.address}` goes with `{above.address}`, which is removed too"


def _anchor(change: Change) -> tuple[str, str]:
    assert change.anchor is not None
    assert isinstance(change.anchor.value, ScalarNode)
    return change.anchor.key.text, change.anchor.value.text


def _neighbour(change: Change, parts: AddressParts) -> AddressParts:
    """The address of the step beside which one is inserted; for the start and the end, of nothing."""
    where, name = _anchor(change)
    return (*parts[:-1], name) if where != "at" else ()


def _agree(first: Change, second: Change) -> bool:
    """Whether two changes at one address go together: they do the same, or their order means nothing."""
    assert first.payload is not None
    assert second.payload is not None
    if first.operation == "insert" and _anchor(first) != _anchor(second):
        return False
    if (
        first.operation == "adjust"
    ):  # one more and two more are three more in either order, and so with twice and thrice
        return isinstance(first.payload, MappingNode) == isinstance(second.payload, MappingNode)
    return is_equal(
        normalize_lists(first.payload, first.parts, Diagnostics()),
        normalize_lists(second.payload, second.parts, Diagnostics()),
    )


__all__ = ["find_conflicts"]

"""Finds changes that conflict: both write to one address, or both insert at one position.

In: the rules below and the variants chosen. Out: the changes to leave out, each reported with both places. Variants of
which one is applied over the other (see `layers`) never conflict: the upper one sees what the lower one wrote. Two
steps that are inserted at one position go together if they do not touch the same things, which only the rules that come
out can say: they are returned as `Meeting`s.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from collections.abc import Mapping as Table
from heapq import merge
from types import MappingProxyType
from typing import Final

from rulewright.diagnostics import Code, Diagnostics, Related
from rulewright.document.address import AddressParts, is_ordered_list, normalize_lists_once
from rulewright.document.editing import is_equal, resolve_address
from rulewright.document.language import FIXED_KEYS, principal_key
from rulewright.document.sentence_places import PASSAGES, TITLE_KEY, enclosing_sentence
from rulewright.frozen import frozen
from rulewright.source.nodes import MappingNode, Node, ScalarNode, to_builtins
from rulewright.variants import codes
from rulewright.variants.change import Change, Operation
from rulewright.variants.layers import all_variants_below
from rulewright.variants.sentence_conflicts import WRITING_OPERATIONS, Contest, contested_sentences
from rulewright.variants.settling_changes import SettlingChanges
from rulewright.variants.variant import Variant

ANCHOR_HINT: Final = "add `after` to one of them, or insert next to another step"
CONFLICT_HINT: Final = "add `after` to one of them, or `set` the value or `cancel` one in a file that joins both"


@frozen
class ChangePair:
    """Two changes and the addresses they really write; `first` comes first in the order of application."""

    first: Change
    second: Change
    parts: tuple[AddressParts, AddressParts]

    @property
    def is_one_variant(self) -> bool:
        """Whether both are of one variant."""
        return self.first.variant == self.second.variant


@frozen
class Meeting:
    """Two steps that different variants insert at one position, in the order by the names of the variants.

    They go together where neither writes what the other reads or writes. `addresses`: of the two steps.
    """

    first: Change
    second: Change
    addresses: tuple[str, str]

    def report(self, touched: str, diagnostics: Diagnostics) -> None:
        """Reports that their order matters, and for what."""
        first, second = self.first, self.second
        place = f"{' '.join(_anchor(second))} in `{self.addresses[1].rpartition('.')[0]}`"
        diagnostics.add(
            second.span,
            codes.ONE_ANCHOR,
            f"`{first.variant}` and `{second.variant}` both insert {place}, and their order matters: {touched}",
            label="second change",
            help=ANCHOR_HINT,
            address=second.address,
            related=[Related(first.span, f"`{first.variant}`, {first.keyword}")],
        )


class ChangeIndex:
    """The changes seen so far, indexed by what a later one could conflict with."""

    def __init__(self) -> None:
        self.by_address: dict[AddressParts, list[int]] = {}
        self.by_prefix: dict[AddressParts, list[int]] = {}  # at an address or below it
        # (list, anchor) → variant → insertions
        self.insertions_by_anchor: dict[tuple[AddressParts, tuple[str, str]], dict[str, list[int]]] = {}
        self.insertions_by_neighbour: dict[AddressParts, list[int]] = {}

    def add(self, number: int, change: Change, parts: AddressParts) -> None:
        """Adds a change under its number in the order of application."""
        self.by_address.setdefault(parts, []).append(number)
        for length in range(1, len(parts) + 1):
            self.by_prefix.setdefault(parts[:length], []).append(number)
        if change.operation == "insert":
            self.insertions_by_anchor.setdefault((parts[:-1], _anchor(change)), {}).setdefault(
                change.variant, []
            ).append(number)
            self.insertions_by_neighbour.setdefault(_neighbour(change, parts), []).append(number)

    def candidates(self, change: Change, parts: AddressParts) -> Iterator[int]:
        """Numbers of the changes that `change` could conflict with: around its address, and at the same anchor."""
        groups = [self.by_address.get(parts[:length], []) for length in range(1, len(parts))]
        groups.append(self.by_prefix.get(parts, []))
        if change.operation == "insert":
            insertions = self.insertions_by_anchor.get((parts[:-1], _anchor(change)), {})
            groups += [numbers for variant, numbers in insertions.items() if variant != change.variant]
            groups.append(self.by_address.get(_neighbour(change, parts), []))
        if change.operation == "remove":
            groups.append(self.insertions_by_neighbour.get(parts, []))
        found = [group for group in groups if group]
        return merge(*found) if len(found) > 1 else iter(found[0] if found else ())


VERBS: Final[Table[Operation, str]] = MappingProxyType(
    {"set": "sets", "adjust": "adjusts", "add": "adds", "insert": "inserts", "sentences": "says"}
)


@frozen
class Conflicts:
    """The `id`s of changes to leave out, the steps that meet, and the sentences that are written in different words."""

    dropped: set[int]
    meetings: list[Meeting]
    contests: list[Contest]


def find_conflicts(root: MappingNode, chosen: dict[str, Variant], diagnostics: Diagnostics) -> Conflicts:
    """Reports pairs of changes that exclude each other or whose order matters, and those that differ in words."""
    search = _ConflictSearch(root, chosen, diagnostics)
    for number in range(len(search.changes)):
        search.compare_with_earlier(number)
    for contest in search.contests:
        contest.report(diagnostics)
    return Conflicts(search.dropped, search.meetings, search.contests)


class _ConflictSearch:
    """The changes of the chosen variants in their order, and what was found of those that were compared."""

    def __init__(self, root: MappingNode, chosen: dict[str, Variant], diagnostics: Diagnostics) -> None:
        self.chosen = chosen
        self.diagnostics = diagnostics
        self.dropped: set[int] = set()
        self.meetings: list[Meeting] = []
        self.contests: list[Contest] = []
        in_order = (change for variant in chosen.values() for change in variant.changes)
        self.changes = [
            (change, _written_address(root, change)) for change in in_order if change.parts[0] not in FIXED_KEYS
        ]
        # asked of different variants only
        self.contents = [_content(*pair) if len(chosen) > 1 else "" for pair in self.changes]
        self._below = all_variants_below(chosen)
        self._index = ChangeIndex()
        self._settling = SettlingChanges(chosen, self._below)

    def compare_with_earlier(self, number: int) -> None:
        """Compares a change with those before it that it could conflict with, up to one that excludes it."""
        second, second_parts = self.changes[number]
        content, below = self.contents[number], self._below
        # there can be very many pairs at an address of which a variant above decides the value
        is_value = content and second.operation in ("set", "adjust", "add")
        settled = self._settling.settled_with(second.variant, second_parts) if is_value else ()
        own_sentence = enclosing_sentence(second_parts) if second.operation in WRITING_OPERATIONS else None
        is_contested = False  # at its own address, which is told once
        for candidate in self._index.candidates(second, second_parts):
            first, first_parts = self.changes[candidate]
            if first.variant in below[second.variant] or second.variant in below[first.variant]:
                continue
            is_same, is_other = first_parts == second_parts, first.variant != second.variant
            if is_same and is_other and first.variant in settled and self.contents[candidate]:
                if self.contents[candidate] != content:
                    self.dropped.add(id(second))
                continue
            if own_sentence is not None and is_same and is_other and first.operation in WRITING_OPERATIONS:
                settled_words = self._settling.settled_sentence
                if is_contested or first.variant in settled_words(second.variant, own_sentence):
                    continue
            if is_same and is_other and self.contents[candidate] and self.contents[candidate] == content:
                continue  # as often where many variants say the same
            pair = ChangePair(first, second, (first_parts, second_parts))
            contests = self._contested_in(pair)
            if contests is not None:
                is_own = own_sentence is not None and is_same
                is_contested |= is_own and any(one.sentence[0] != PASSAGES for one in contests)
            elif self._excludes(pair):
                return
        self._index.add(number, second, second_parts)

    def _contested_in(self, pair: ChangePair) -> list[Contest] | None:
        """Notes the sentences that different variants write in other words; None where they write no sentence both."""
        first, second = pair.first, pair.second
        sides = ((first, pair.parts[0]), (second, pair.parts[1]))
        contested = None if pair.is_one_variant else contested_sentences(sides, self.chosen)
        if contested is None:
            return None
        contests = [
            Contest(sentence, first, second)
            for sentence in contested
            if first.variant not in self._settling.settled_sentence(second.variant, sentence)
        ]
        self.contests += contests
        self.dropped |= _words_left_out(pair, contests)
        return contests

    def _excludes(self, pair: ChangePair) -> bool:
        """Whether the first change of a pair excludes the second, so that no other need be compared with that."""
        first, second = pair.first, pair.second
        conflict = _find_conflict(pair)
        if conflict is None:
            return False
        code, message = conflict
        removal, change = (first, second) if first.operation == "remove" else (second, first)
        if code is codes.REMOVED_BUT_CHANGED and not pair.is_one_variant and change.is_of_words:
            self.dropped.add(id(change))  # what is said of a rule goes with the rule
            return change is second
        settling = self._settling.find(first, second, pair.parts)
        if settling is not None:
            if code is codes.REMOVED_BUT_CHANGED:
                self.dropped.add(id(change))
                if settling.operation == "remove" and settling.parts == removal.parts:
                    self.dropped.add(id(settling))  # it is removed already
            elif code is not codes.ONE_ANCHOR:  # both steps are inserted, in the order of application
                self.dropped.add(id(second))
            return False
        if code is codes.ONE_ANCHOR and _is_of_steps(pair.parts[0]):
            self.meetings.append(Meeting(first, second, (".".join(pair.parts[0]), ".".join(pair.parts[1]))))
            return False
        _report(pair, code, message, self.diagnostics)
        if code is not codes.ONE_ANCHOR:  # the rest of the list is right, wherever the new step goes
            self.dropped.add(id(second))
        if code is codes.REMOVED_BUT_CHANGED and pair.is_one_variant:
            self.dropped.add(id(first))  # which of the two is meant is unknown
        return True


def _content(change: Change, parts: AddressParts) -> str:
    """What a change writes and how: the same at one address from several variants is no conflict. Empty for a removal
    and for words, of which each variant may have translations of its own.
    """
    is_of_words = change.is_of_words or enclosing_sentence(parts) is not None or parts[-1] == TITLE_KEY
    if change.payload is None or is_of_words:
        return ""
    anchor = None if change.anchor is None else _anchor(change)
    return json.dumps((change.operation, anchor, to_builtins(change.payload)))


def _words_left_out(pair: ChangePair, contests: Iterable[Contest]) -> set[int]:
    """Which of two changes of words are not made: those inside of what another sets, and all of a passage."""
    sides = zip((pair.first, pair.second), pair.parts, strict=True)
    shorter = min(map(len, pair.parts))
    is_of_passage = any(contest.sentence[0] == PASSAGES for contest in contests)
    return {id(change) for change, parts in sides if len(parts) > shorter or (is_of_passage and len(parts) > 1)}


def _is_of_steps(parts: AddressParts) -> bool:
    """Whether it is the address of a step: the lines of a ranking have an order, too, but it always matters."""
    return parts[0] != "ranking" and is_ordered_list(parts[:-1])


def _written_address(root: MappingNode, change: Change) -> AddressParts:
    """The address that a change really writes: a bare value for a rule with a principal key writes only that key."""
    parts = resolve_address(root, change.parts, change.new_value)
    key = (
        principal_key(parts)
        if change.operation in ("set", "adjust") and not isinstance(change.new_value, MappingNode)
        else ""
    )
    return (*parts, key) if key else parts


def _report(pair: ChangePair, code: Code, message: str, diagnostics: Diagnostics) -> None:
    """Reports a pair at the second change, with the first as a related place."""
    first, second = pair.first, pair.second
    hint = "" if pair.is_one_variant else ANCHOR_HINT if code is codes.ONE_ANCHOR else CONFLICT_HINT
    if code in (codes.REMOVED_BUT_CHANGED, codes.REMOVED_NEIGHBOUR) and not pair.is_one_variant:
        removal, change = (first, second) if first.operation == "remove" else (second, first)
        hint = f"add `after: {change.variant}` to `{removal.variant}`"
        if code is codes.REMOVED_BUT_CHANGED:
            hint += f", or `remove: [{removal.address}]` to a file that joins both"
    if second.is_setting and first.is_setting:
        hint = "give the parameter one value"
    related = [Related(first.span, f"`{first.variant}`, {first.keyword}")]
    diagnostics.add(
        second.span, code, message, label="second change", help=hint, address=second.address, related=related
    )


def _find_conflict(pair: ChangePair) -> tuple[Code, str] | None:
    first, second = pair.first, pair.second
    first_parts, second_parts = pair.parts
    if "remove" in (first.operation, second.operation):
        return _removed_neighbour(pair) or _removed_but_changed(pair)
    if pair.is_one_variant:
        written = first_parts if first_parts == second_parts else _sentence_of_both(pair)
        return (codes.TWO_WRITERS, f"this variant writes to `{'.'.join(written)}` twice") if written else None
    both = f"`{first.variant}` and `{second.variant}`"
    if first_parts == second_parts:
        if first.operation == second.operation and _are_compatible(first, second):
            return None
        return codes.TWO_WRITERS, f"{both} both write to `{'.'.join(first_parts)}`"
    outer, inner = sorted((first_parts, second_parts), key=len)
    if inner[: len(outer)] == outer:
        writer = first if outer is first_parts else second
        # what one variant adds is missing for the other, which is reported where that one refers to it
        return (
            (codes.TWO_WRITERS, f"{both} write to `{'.'.join(outer)}` and inside it")
            if writer.operation == "set"
            else None
        )
    if (
        first.operation == second.operation == "insert"
        and first_parts[:-1] == second_parts[:-1]
        and _anchor(first) == _anchor(second)
    ):
        return (
            codes.ONE_ANCHOR,
            f"{both} both insert {' '.join(_anchor(first))} in `{'.'.join(first_parts[:-1])}`, in no defined order",
        )
    return None


def _sentence_of_both(pair: ChangePair) -> AddressParts:
    """The address of a sentence that stands at what a change adds, and under `sentences` once more; else empty."""
    (outer, outer_parts), (inner, inner_parts) = sorted(
        zip((pair.first, pair.second), pair.parts, strict=True), key=lambda side: len(side[1])
    )
    if inner.operation != "sentences" or inner_parts[: len(outer_parts)] != outer_parts:
        return ()
    node: Node | None = outer.payload
    for key in inner_parts[len(outer_parts) :]:
        node = node.get(key) if isinstance(node, MappingNode) else None
    return () if node is None else inner_parts


def _removed_but_changed(pair: ChangePair) -> tuple[Code, str] | None:
    if pair.first.operation == pair.second.operation:
        return _removed_inside(pair)
    (removal, removed), (change, parts) = sorted(
        zip((pair.first, pair.second), pair.parts, strict=True),
        key=lambda pair_side: pair_side[0].operation != "remove",
    )
    if (
        change.operation == "set"
        and len(parts) < len(removed)
        and removed[: len(parts)] == parts
        and not pair.is_one_variant
    ):
        writer = f"`{change.variant}` sets `{'.'.join(parts)}`"
        return codes.TWO_WRITERS, f"{writer} and `{removal.variant}` removes `{removal.address}` in it"
    if parts[: len(removed)] != removed:
        return None
    verb = VERBS[change.operation]
    writer = "this variant" if pair.is_one_variant else f"`{change.variant}`"
    by = "" if pair.is_one_variant else f" by `{removal.variant}`"
    return codes.REMOVED_BUT_CHANGED, f"`{removal.address}` is removed{by}, but {writer} {verb} `{'.'.join(parts)}`"


def _removed_neighbour(pair: ChangePair) -> tuple[Code, str] | None:
    """One variant inserts a step next to one that another removes; in one file the new step may replace the old."""
    (removal, removed), (insertion, parts) = sorted(
        zip((pair.first, pair.second), pair.parts, strict=True),
        key=lambda pair_side: pair_side[0].operation != "remove",
    )
    if pair.is_one_variant or insertion.operation != "insert" or _neighbour(insertion, parts) != removed:
        return None
    position, name = _anchor(insertion)
    message = (
        f"`{insertion.variant}` inserts {position} `{name}`, and `{removal.variant}` removes `{'.'.join(removed)}`"
    )
    return codes.REMOVED_NEIGHBOUR, message


def _removed_inside(pair: ChangePair) -> tuple[Code, str] | None:
    """One variant removes a node and a part of it. Two variants may, since each can be chosen without the other."""
    if not pair.is_one_variant:
        return None
    if pair.parts[0] == pair.parts[1]:
        return codes.REMOVED_BUT_CHANGED, f"`{'.'.join(pair.parts[0])}` is removed twice"
    outer, inner = sorted((pair.first, pair.second), key=lambda change: len(change.parts))
    return codes.REMOVED_BUT_CHANGED, f"`{inner.address}` is removed with `{outer.address}` already"


def _anchor(change: Change) -> tuple[str, str]:
    assert change.anchor is not None
    assert isinstance(change.anchor.value, ScalarNode)
    return change.anchor.key.text, change.anchor.value.text


def _neighbour(change: Change, parts: AddressParts) -> AddressParts:
    """The address of the step next to which one is inserted; empty for `at: start` and `at: end`."""
    position, name = _anchor(change)
    return (*parts[:-1], name) if position != "at" else ()


def _are_compatible(first: Change, second: Change) -> bool:
    """Whether two changes of one address are compatible: they are the same, or their order does not matter."""
    assert first.payload is not None
    assert second.payload is not None
    if first.operation == "insert" and _anchor(first) != _anchor(second):
        return False
    if first.operation == "adjust":  # two additions commute, and so do two multiplications
        return isinstance(first.payload, MappingNode) == isinstance(second.payload, MappingNode)
    return is_equal(
        normalize_lists_once(first.payload, first.parts, Diagnostics()),
        normalize_lists_once(second.payload, second.parts, Diagnostics()),
    )


__all__ = ["find_conflicts"]

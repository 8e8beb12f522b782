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

from rulewright.diagnostics import Code, Related, Report
from rulewright.document import codes
from rulewright.document.address import Parts, arranged
from rulewright.document.editing import meant, principal, same
from rulewright.source.nodes import Mapping, Scalar
from rulewright.variants.layer_edit import FIXED
from rulewright.variants.layers import below
from rulewright.variants.variant import Change, Variant

PLACE: Final = "one can say that it comes `after` the other, or name another neighbour"
HINT: Final = (
    "one of them can say that it comes `after` the other, or a file that requires both can `set` what stands here"
)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two changes of one game, and the addresses they really write; `first` comes first in the fixed order."""

    first: Change
    second: Change
    parts: tuple[Parts, Parts]

    @property
    def one_file(self) -> bool:
        """Whether both stand in one variant."""
        return self.first.variant == self.second.variant


class Written:
    """The changes seen so far, found by what a later one could clash with."""

    def __init__(self) -> None:
        self.at: dict[Parts, list[int]] = {}
        self.inside: dict[Parts, list[int]] = {}  # at an address or below it
        self.beside: dict[tuple[Parts, tuple[str, str]], dict[str, list[int]]] = {}  # insertions, by variant
        self.leaning: dict[Parts, list[int]] = {}  # insertions, by the neighbour that they name

    def add(self, number: int, change: Change, parts: Parts) -> None:
        """Notes a change."""
        self.at.setdefault(parts, []).append(number)
        for length in range(1, len(parts) + 1):
            self.inside.setdefault(parts[:length], []).append(number)
        if change.verb == "insert":
            self.beside.setdefault((parts[:-1], _anchor(change)), {}).setdefault(change.variant, []).append(number)
            self.leaning.setdefault(_neighbour(change, parts), []).append(number)

    def near(self, change: Change, parts: Parts) -> Iterator[int]:
        """Changes that one could clash with, in order: around its address, and put at the same place by others."""
        found = [self.at.get(parts[:length], []) for length in range(1, len(parts))]
        found.append(self.inside.get(parts, []))
        if change.verb == "insert":
            there = self.beside.get((parts[:-1], _anchor(change)), {})
            found += [numbers for variant, numbers in there.items() if variant != change.variant]
            found.append(self.at.get(_neighbour(change, parts), []))
        if change.verb == "remove":
            found.append(self.leaning.get(parts, []))
        return merge(*found)


def clashes(root: Mapping, chosen: dict[str, Variant], report: Report) -> set[int]:
    """Reports pairs of changes that exclude each other or whose order would matter; gives those to leave out (`id`)."""
    under = {name: below(chosen, name) for name in chosen}
    every = [change for one in chosen.values() for change in one.changes if change.parts[0] not in FIXED]
    changes = [(change, _written(root, change)) for change in every]
    dropped: set[int] = set()
    written = Written()
    for number, (second, second_parts) in enumerate(changes):
        for other in written.near(second, second_parts):
            first, first_parts = changes[other]
            if first.variant in under[second.variant] or second.variant in under[first.variant]:
                continue
            pair = Pair(first, second, (first_parts, second_parts))
            clash = _clash(pair)
            if clash is not None and _settled(pair, chosen, under):
                if clash[0] is not codes.ONE_ANCHOR:  # two steps at one place are both put there, until one is moved
                    dropped.add(id(second))
            elif clash is not None:
                _tell(pair, *clash, report)
                if clash[0] is not codes.ONE_ANCHOR:  # what stands beside a new step is right, wherever that goes
                    dropped.add(id(second))
                if clash[0] is codes.REMOVED_BUT_CHANGED and pair.one_file:
                    dropped.add(id(first))  # which of the two is meant cannot be told
                break
        else:
            written.add(number, second, second_parts)
    return dropped


def _settled(pair: Pair, chosen: dict[str, Variant], under: Mapped[str, frozenset[str]]) -> bool:
    """Whether a variant that stands above both says what stands there: then the order of the two means nothing."""
    both = {pair.first.variant, pair.second.variant}

    def covers(parts: Parts) -> bool:
        return all(one[: len(parts)] == parts for one in pair.parts)

    return any(
        (change.verb in ("set", "remove") and covers(change.parts))
        or (change.verb == "remove" and pair.first.verb == pair.second.verb == "insert" and change.parts in pair.parts)
        for one in chosen.values()
        if both <= under[one.name]
        for change in one.changes
    )


def _written(root: Mapping, change: Change) -> Parts:
    """The address that a change really writes: of a rule with a key of its own, a bare value writes that key only."""
    parts = meant(root, change.parts, change.stands)
    key = principal(parts) if change.verb in ("set", "adjust") and not isinstance(change.stands, Mapping) else ""
    return (*parts, key) if key else parts


def _tell(pair: Pair, code: Code, message: str, report: Report) -> None:
    """Reports a pair at the second, with the first beside it."""
    first, second = pair.first, pair.second
    hint = "" if pair.one_file else PLACE if code is codes.ONE_ANCHOR else HINT
    if second.by_hand and first.by_hand:
        hint = "a parameter is given one value"
    related = [Related(first.span, f"`{first.variant}`, {first.said}")]
    report.add(second.span, code, message, label="the second", help=hint, address=second.address, related=related)


def _clash(pair: Pair) -> tuple[Code, str] | None:
    first, second = pair.first, pair.second
    one, other = pair.parts
    if "remove" in (first.verb, second.verb):
        return _neighbour_gone(pair) or _removed_but_changed(pair)
    if pair.one_file:
        return (codes.TWO_WRITERS, f"this variant writes at `{'.'.join(one)}` twice") if one == other else None
    who = f"`{first.variant}` and `{second.variant}`"
    if one == other:
        if first.verb == second.verb and _agree(first, second):
            return None
        return codes.TWO_WRITERS, f"{who} both write at `{'.'.join(one)}`"
    above, inside = sorted((one, other), key=len)
    if inside[: len(above)] == above:
        writer = first if above is one else second
        # what one variant adds, the other cannot find: that is told where it looks for it
        return (
            (codes.TWO_WRITERS, f"{who} write at `{'.'.join(above)}` and inside it") if writer.verb == "set" else None
        )
    if first.verb == second.verb == "insert" and one[:-1] == other[:-1] and _anchor(first) == _anchor(second):
        return (
            codes.ONE_ANCHOR,
            f"{who} both insert {' '.join(_anchor(first))} in `{'.'.join(one[:-1])}`: which comes first?",
        )
    return None


def _removed_but_changed(pair: Pair) -> tuple[Code, str] | None:
    if pair.first.verb == pair.second.verb:
        return _removed_with_it(pair)
    (removal, gone), (change, parts) = sorted(
        zip((pair.first, pair.second), pair.parts, strict=True), key=lambda one: one[0].verb != "remove"
    )
    if change.verb == "set" and len(parts) < len(gone) and gone[: len(parts)] == parts and not pair.one_file:
        who = f"`{change.variant}` sets `{'.'.join(parts)}`"
        return codes.TWO_WRITERS, f"{who} and `{removal.variant}` removes `{removal.address}` in it"
    if parts[: len(gone)] != gone:
        return None
    done = {"set": "sets", "adjust": "adjusts", "add": "adds", "insert": "inserts"}[change.verb]
    who = "this variant" if pair.one_file else f"`{change.variant}`"
    by = "" if pair.one_file else f" by `{removal.variant}`"
    return codes.REMOVED_BUT_CHANGED, f"`{removal.address}` is removed{by}, but {who} {done} `{'.'.join(parts)}`"


def _neighbour_gone(pair: Pair) -> tuple[Code, str] | None:
    """What one variant removes, another names as the place of a step; in one file the new step may replace the old."""
    (removal, gone), (insertion, parts) = sorted(
        zip((pair.first, pair.second), pair.parts, strict=True), key=lambda one: one[0].verb != "remove"
    )
    if pair.one_file or insertion.verb != "insert" or _neighbour(insertion, parts) != gone:
        return None
    where, name = _anchor(insertion)
    message = f"`{insertion.variant}` inserts {where} `{name}`, and `{removal.variant}` removes `{'.'.join(gone)}`"
    return codes.REMOVED_NEIGHBOUR, message


def _removed_with_it(pair: Pair) -> tuple[Code, str] | None:
    """A thing and a part of it; two variants may do so, since each can be played without the other."""
    if not pair.one_file:
        return None
    if pair.parts[0] == pair.parts[1]:
        return codes.REMOVED_BUT_CHANGED, f"`{'.'.join(pair.parts[0])}` is removed twice"
    above, inside = sorted((pair.first, pair.second), key=lambda one: len(one.parts))
    return codes.REMOVED_BUT_CHANGED, f"`{inside.address}` goes with `{above.address}`, which is removed too"


def _anchor(change: Change) -> tuple[str, str]:
    assert change.place is not None
    assert isinstance(change.place.value, Scalar)
    return change.place.key.text, change.place.value.text


def _neighbour(change: Change, parts: Parts) -> Parts:
    """The address of the step beside which one is inserted; for the start and the end, of nothing."""
    where, name = _anchor(change)
    return (*parts[:-1], name) if where != "at" else ()


def _agree(first: Change, second: Change) -> bool:
    """Whether two changes at one address go together: they do the same, or their order means nothing."""
    assert first.payload is not None
    assert second.payload is not None
    if first.verb == "insert" and _anchor(first) != _anchor(second):
        return False
    if first.verb == "adjust":  # one more and two more are three more in either order, and so with twice and thrice
        return isinstance(first.payload, Mapping) == isinstance(second.payload, Mapping)
    return same(arranged(first.payload, first.parts, Report()), arranged(second.payload, second.parts, Report()))


__all__ = ["clashes"]

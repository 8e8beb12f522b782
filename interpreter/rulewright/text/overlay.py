"""Lays variants over a game: the rules that come out, every value with the places that it had before.

In: a document and the variants chosen. Out: a new document. What each change intends has to be so, else it is
reported at the variant's line. The order in which variants are chosen never matters:

- variants are sorted into levels (see `variant`); each level is laid over the result of the one before;
- within a level the operations go set, adjust, add, insert, remove, and within an operation by variant name and line
  of the file;
- within a level a change sees what was below it and what its own variant made, nothing else;
- two variants that write at one address, or insert at one place, are reported unless one stands above the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Sequence as Series
from dataclasses import dataclass, replace
from heapq import merge
from itertools import groupby
from typing import Final

from rulewright.diagnostics import Code, Diagnostic, Related, Report
from rulewright.text import codes_shape as codes
from rulewright.text.address import Parts, arranged, listed_again
from rulewright.text.changes import Work
from rulewright.text.document import HEAD, Document
from rulewright.text.editing import meant, same
from rulewright.text.nodes import Entry, Mapping, Scalar
from rulewright.text.shape import find_faults
from rulewright.text.sizes import sizes
from rulewright.text.variant import Change, Variant, below, in_levels, load_variant, overlay_for, players_range

ORDER: Final = ("set", "adjust", "add", "insert", "remove")


def lay_over(document: Document, variants: Series[Variant], report: Report, *, players: int | None = None) -> Document:
    """The document with the variants laid over it; refused changes are in the report and are left out.

    The overlay for a number of players is laid over first, in a call of its own. With `players`, variants that are for
    other numbers of players are reported.
    """
    levels = in_levels(document, variants, report)
    chosen = {one.name: one for level in levels for one in level}
    root, applied = document.root, list[Change]()
    dropped = _clashes(document.root, chosen, report)
    for level in levels:
        work = Work(root, report, {}, {})
        wanted = [change for change in _in_order(level) if id(change) not in dropped]
        for _, together in groupby(wanted, lambda change: (change.verb, change.variant, change.parts[:-1])):
            applied += work.apply_all(list(together))
        root = work.root
    if applied and sizes(root, report):
        _check_shape(root, applied, chosen.values(), report)
    for one in chosen.values():
        _check_players(one, root, players, report)
        _check_base(one, root, report)
    return replace(document, root=root, variants=(*document.variants, *chosen))


def _in_order(level: Iterable[Variant]) -> list[Change]:
    """The changes of a level in the order of carrying out: what stands higher up is made first and goes last."""
    every = [change for one in level for change in one.changes]
    first: dict[Parts, int] = {}  # what is added to one collection, or taken from it, is carried out together
    for change in every:
        first.setdefault(change.parts[:-1], len(first))
    every.sort(
        key=lambda change: (
            ORDER.index(change.verb),
            -len(change.parts) if change.verb == "remove" else len(change.parts),
            first[change.parts[:-1]] if change.verb in ("add", "remove") else 0,
        )
    )
    return every


# ---- two changes that do not go together
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

    def add(self, number: int, change: Change, parts: Parts) -> None:
        """Notes a change."""
        self.at.setdefault(parts, []).append(number)
        for length in range(1, len(parts) + 1):
            self.inside.setdefault(parts[:length], []).append(number)
        if change.verb == "insert":
            self.beside.setdefault((parts[:-1], _anchor(change)), {}).setdefault(change.variant, []).append(number)

    def near(self, change: Change, parts: Parts) -> Iterator[int]:
        """Changes that one could clash with, in order: around its address, and put at the same place by others."""
        found = [self.at.get(parts[:length], []) for length in range(1, len(parts))]
        found.append(self.inside.get(parts, []))
        if change.verb == "insert":
            there = self.beside.get((parts[:-1], _anchor(change)), {})
            found += [numbers for variant, numbers in there.items() if variant != change.variant]
        return merge(*found)


def _clashes(root: Mapping, chosen: dict[str, Variant], report: Report) -> set[int]:
    """Reports pairs of changes that exclude each other or whose order would matter; gives those to leave out (`id`)."""
    under = {name: below(chosen, name) for name in chosen}
    changes = [(change, meant(root, change.parts, change.payload)) for one in chosen.values() for change in one.changes]
    dropped: set[int] = set()
    written = Written()
    for number, (second, second_parts) in enumerate(changes):
        for other in written.near(second, second_parts):
            first, first_parts = changes[other]
            if first.variant in under[second.variant] or second.variant in under[first.variant]:
                continue
            clash = _clash(Pair(first, second, (first_parts, second_parts)))
            if clash is not None:
                code, message = clash
                related = [Related(first.span, f"`{first.variant}`, {first.verb}")]
                hint = "" if first.variant == second.variant else "one of them can say that it comes `after` the other"
                report.add(
                    second.span,
                    code,
                    message,
                    label="the second",
                    help=hint,
                    address=second.address,
                    related=related,
                )
                dropped.add(id(second))
                if code is codes.REMOVED_BUT_CHANGED and first.variant == second.variant:
                    dropped.add(id(first))  # which of the two is meant cannot be told
                break
        else:
            written.add(number, second, second_parts)
    return dropped


def _clash(pair: Pair) -> tuple[Code, str] | None:
    first, second = pair.first, pair.second
    if "remove" in (first.verb, second.verb):
        return _removed_but_changed(pair)
    if pair.one_file:
        return None
    one, other = pair.parts
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


def _removed_with_it(pair: Pair) -> tuple[Code, str] | None:
    """A thing and a part of it; two variants may do so, since each can be played without the other."""
    if not pair.one_file or pair.parts[0] == pair.parts[1]:
        return None
    above, inside = sorted((pair.first, pair.second), key=lambda one: len(one.parts))
    return codes.REMOVED_BUT_CHANGED, f"`{inside.address}` goes with `{above.address}`, which is removed too"


def _anchor(change: Change) -> tuple[str, str]:
    assert change.place is not None
    assert isinstance(change.place.value, Scalar)
    return change.place.key.text, change.place.value.text


def _agree(first: Change, second: Change) -> bool:
    """Whether two changes at one address go together: they do the same, or their order means nothing."""
    assert first.payload is not None
    assert second.payload is not None
    if first.verb == "insert" and _anchor(first) != _anchor(second):
        return False
    if first.verb == "adjust":  # one more and two more are three more in either order, and so with twice and thrice
        return isinstance(first.payload, Mapping) == isinstance(second.payload, Mapping)
    return same(arranged(first.payload, first.parts, Report()), arranged(second.payload, second.parts, Report()))


# ---- what came out
def _check_shape(root: Mapping, applied: Series[Change], variants: Iterable[Variant], report: Report) -> None:
    """Checks the changed rules against the schemas again. The base had its shape, so every fault is a variant's."""
    scratch = Report()
    part = listed_again(_touched(root, applied), ())
    assert isinstance(part, Mapping)
    find_faults(part, "game", scratch)
    files = {one.root.span.source for one in variants}
    report.take(scratch, lambda fault: fault if fault.span.source in files else _broken(fault, applied))


def _touched(root: Mapping, applied: Series[Change]) -> Mapping:
    """The head and those nodes of the sections that some change touches."""
    names: dict[str, set[str] | None] = dict.fromkeys(HEAD)  # None: all of it
    for change in applied:
        if len(change.parts) == 1:
            names[change.parts[0]] = None
        else:
            wanted = names.setdefault(change.parts[0], set())
            if wanted is not None:
                wanted.add(change.parts[1])
    return Mapping(tuple(_narrowed(entry, names) for entry in root.entries if entry.key.text in names), root.span)


def _narrowed(entry: Entry, names: dict[str, set[str] | None]) -> Entry:
    wanted = names[entry.key.text]
    if wanted is None or not isinstance(entry.value, Mapping):
        return entry
    kept = tuple(one for one in entry.value.entries if one.key.text in wanted)
    return Entry(entry.key, Mapping(kept, entry.value.span), entry.layers)


def _broken(fault: Diagnostic, applied: Series[Change]) -> Diagnostic:
    """A fault that shows in the rules below: the change nearest to it made it, likely one that took something away."""
    where = tuple(fault.address.split("."))
    culprit = max(applied, key=lambda change: (_shared(change.parts, where), change.verb == "remove"))
    related = [Related(fault.span, "here, in the rules below")]
    message = f"after this change, {fault.message}"
    return Diagnostic(
        codes.BREAKS_SHAPE, culprit.span, message, help=fault.help, address=fault.address, related=tuple(related)
    )


def _shared(one: Parts, other: Parts) -> int:
    """How many names two addresses have in common at their start."""
    pairs: Iterator[tuple[str, str]] = zip(one, other, strict=False)
    count = 0
    for left, right in pairs:
        if left != right:
            break
        count += 1
    return count


def _check_base(variant: Variant, root: Mapping, report: Report) -> None:
    """The last number of a version changes with words only; the others may change what an address means."""
    base, version = variant.root.get("base"), root.get("version")
    if not isinstance(base, Scalar) or not isinstance(version, Scalar):
        return
    if base.text.split(".")[:2] != version.text.split(".")[:2]:
        message = f"`{variant.name}` was written for version {base.text}, the game is {version.text}"
        related = [Related(version.span, "the game's version")]
        hint = "look at what it changes, then say the new version"
        report.add(base.span, codes.BASE_VERSION, message, label="another version", help=hint, related=related)


def _check_players(variant: Variant, root: Mapping, players: int | None, report: Report) -> None:
    value = variant.root.get("players")
    game = root.get("players")
    of_game = players_range(game)
    if value is None or variant.players is None or game is None or of_game is None:
        return
    fewest, most = variant.players
    if fewest < of_game[0] or most > of_game[1]:
        related = [Related(game.span, "the game's numbers of players")]
        message = f"`{variant.name}` is for {_count(variant.players)} players, the game for {_count(of_game)}"
        hint = "a variant can open the game to more with `set: {players: …}`"
        report.add(
            value.span, codes.PLAYERS_DO_NOT_FIT, message, label="not among the game's", help=hint, related=related
        )
    elif players is not None and not fewest <= players <= most:
        message = f"`{variant.name}` is for {_count(variant.players)} players, not for {players}"
        report.add(value.span, codes.PLAYERS_DO_NOT_FIT, message, label=f"without {players}")


def _count(players: tuple[int, int]) -> str:
    return str(players[0]) if players[0] == players[1] else f"{players[0]} to {players[1]}"


__all__ = ["Change", "Variant", "lay_over", "load_variant", "overlay_for"]

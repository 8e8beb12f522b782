"""Lays variants over a game: the rules that come out, every value with the places that it had before.

In: a document and the variants chosen. Out: a new document. What each change intends has to be so, else it is
reported at the variant's line. The order in which variants are chosen never matters:

- variants are sorted into levels (see `levels`); each level is laid over the result of the one before;
- within a level the operations go set, adjust, add, insert, remove, and within an operation by variant name and line
  of the file;
- within a level a change sees what was below it and what its own variant made, nothing else;
- two variants that write at one address, or insert at one place, are reported unless one stands above the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Sequence as Series
from dataclasses import replace
from itertools import groupby
from typing import Final

from rulewright import limits
from rulewright.diagnostics import Diagnostic, Related, Report
from rulewright.document import codes
from rulewright.document.address import Parts, listed_again
from rulewright.document.document import HEAD, Document
from rulewright.document.editing import of_members
from rulewright.document.schema_check import find_faults
from rulewright.document.size_check import sizes
from rulewright.source.nodes import Entry, Mapping, Scalar
from rulewright.variants.conflicts import clashes
from rulewright.variants.layer_edit import Work
from rulewright.variants.layers import counted, in_levels, overlay_for, required
from rulewright.variants.operations import apply_all
from rulewright.variants.related_notes import with_below
from rulewright.variants.variant import Change, Variant, load_variant, players_range

ORDER: Final = ("set", "adjust", "add", "insert", "remove")


def lay_over(document: Document, variants: Series[Variant], report: Report, *, players: int | None = None) -> Document:
    """The document with the variants laid over it; refused changes are in the report and are left out.

    The overlay for a number of players is laid over first, in a call of its own. With `players`, variants that are for
    other numbers of players are reported.
    """
    if _too_many(variants, report):
        return document
    levels = in_levels(document, variants, report)
    chosen = {one.name: one for level in levels for one in level}
    root, applied = document.root, list[Change]()
    dropped = clashes(document.root, chosen, report)
    needed = {name: frozenset(_file(chosen[one]) for one in required(chosen, name)) for name in chosen}
    takers = _takers(chosen.values(), document.root)
    for level in levels:
        work = Work(root, report, _makers(level, root), needed, takers)
        wanted = [change for change in _in_order(level) if id(change) not in dropped]
        for _, together in groupby(wanted, lambda change: (change.verb, change.variant, change.parts[:-1])):
            applied += apply_all(work, list(together))
        root = work.root
    _named_rows(root, report)
    if applied and sizes(root, report):
        _check_shape(root, applied, chosen.values(), report)
    for one in chosen.values():
        _check_players(one, root, players, report)
        _check_base(one, root, report)
    return replace(document, root=root, variants=(*document.variants, *chosen))


def _too_many(variants: Iterable[Variant], report: Report) -> bool:
    """Complains of more changes than are carried out together, and says whether it did."""
    total = 0
    for one in variants:
        before, total = total, total + len(one.changes)
        if before <= limits.MAX_TOTAL_CHANGES < total:
            span = one.changes[limits.MAX_TOTAL_CHANGES - before].span
    if total > limits.MAX_TOTAL_CHANGES:
        message = f"these variants make {total:,} changes together; {limits.MAX_TOTAL_CHANGES:,} are allowed"
        hint = "so many changes are another game: write them into a copy of its files"
        report.add(span, codes.OUT_OF_RANGE, message, label="one too many", help=hint)
    return total > limits.MAX_TOTAL_CHANGES


def _file(variant: Variant) -> str:
    return variant.root.span.source.path


def _makers(level: Iterable[Variant], root: Mapping) -> dict[Parts, Change]:
    """What variants of a level add, and with which change: the last of several."""
    added = [change for one in level for change in one.changes if change.verb in ("add", "insert")]
    return {of_members(root, change.parts): change for change in added}


def _takers(variants: Iterable[Variant], root: Mapping) -> dict[Parts, Change]:
    """What variants remove, and with which change."""
    removed = [change for one in variants for change in one.changes if change.verb == "remove"]
    return {of_members(root, change.parts): change for change in removed}


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


# ---- what came out
def _check_shape(root: Mapping, applied: Series[Change], variants: Iterable[Variant], report: Report) -> None:
    """Checks the changed rules against the schemas again. The base had its shape, so every fault is a variant's."""
    scratch = Report()
    part = listed_again(_touched(root, applied), ())
    assert isinstance(part, Mapping)
    find_faults(part, "game", scratch)
    files = {one.root.span.source for one in variants}
    report.take(
        scratch,
        lambda fault: with_below(fault, applied, root) if fault.span.source in files else _broken(fault, applied),
    )


def _named_rows(root: Mapping, report: Report) -> None:
    """Those of the game's files stand under their components by now: what still names a file, a variant has brought."""
    components = root.get("components")
    for component in components if isinstance(components, Mapping) else ():
        rows = component.value.get("rows") if isinstance(component.value, Mapping) else None
        if isinstance(rows, Scalar):
            name = component.key.text
            message = f"a variant brings the rows of `{name}` itself, and does not name a file"
            hint, address = f"write `extend: {{components.{name}.rows: [{{id: …}}, …]}}`", f"components.{name}.rows"
            report.add(rows.span, codes.WRONG_TYPE, message, label="no rows", help=hint, address=address)


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
        newer = _numbers(base.text) > _numbers(version.text)
        hint = "look at what it changes, then say this version" + (", or play the newer game" if newer else "")
        report.add(base.span, codes.BASE_VERSION, message, label="another version", help=hint, related=related)


def _numbers(version: str) -> list[int]:
    return [int(number[: limits.MAX_PLAYER_DIGITS]) for number in version.split(".") if number.isdecimal()]


def _check_players(variant: Variant, root: Mapping, players: int | None, report: Report) -> None:
    value = variant.root.get("players")
    game = root.get("players")
    of_game = players_range(game)
    if value is None or variant.players is None or game is None or of_game is None:
        return
    fewest, most = variant.players
    if fewest < of_game[0] or most > of_game[1]:
        related = [Related(game.span, "the game's numbers of players")]
        message = f"`{variant.name}` is for {counted(variant.players)}, the game for {counted(of_game)}"
        hint = "a variant can open the game to more with `set: {players: …}`"
        report.add(
            value.span, codes.PLAYERS_DO_NOT_FIT, message, label="not among the game's", help=hint, related=related
        )
    elif players is not None and not fewest <= players <= most:
        message = f"`{variant.name}` is for {counted(variant.players)}, not for {players}"
        report.add(value.span, codes.PLAYERS_DO_NOT_FIT, message, label=f"without {players}")


__all__ = ["Change", "Variant", "lay_over", "load_variant", "overlay_for"]

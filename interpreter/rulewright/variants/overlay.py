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
from rulewright.diagnostics import Diagnostic, Diagnostics, Related
from rulewright.document import codes
from rulewright.document.address import AddressParts, denormalize_lists
from rulewright.document.document import HEAD_KEYS, Document
from rulewright.document.editing import resolve_member
from rulewright.document.schema_check import check_against_schema
from rulewright.document.size_check import check_sizes
from rulewright.source.nodes import Entry, MappingNode, ScalarNode
from rulewright.variants.conflicts import find_conflicts
from rulewright.variants.layer_edit import LayerEdit
from rulewright.variants.layers import find_overlay, format_player_count, required_variants, sort_into_layers
from rulewright.variants.operations import apply_changes
from rulewright.variants.related_notes import add_base_note
from rulewright.variants.variant import Change, Variant, load_variant, parse_player_range

OPERATION_ORDER: Final = ("set", "adjust", "add", "insert", "remove")


def apply_variants(
    document: Document, variants: Series[Variant], diagnostics: Diagnostics, *, players: int | None = None
) -> Document:
    """The document with the variants laid over it; refused changes are in the report and are left out.

    The overlay for a number of players is laid over first, in a call of its own. With `players`, variants that are for
    other numbers of players are reported.
    """
    if _too_many(variants, diagnostics):
        return document
    levels = sort_into_layers(document, variants, diagnostics)
    chosen = {one.name: one for level in levels for one in level}
    root, applied = document.root, list[Change]()
    dropped = find_conflicts(document.root, chosen, diagnostics)
    needed = {name: frozenset(_file(chosen[one]) for one in required_variants(chosen, name)) for name in chosen}
    takers = _takers(chosen.values(), document.root)
    for level in levels:
        work = LayerEdit(root, diagnostics, _makers(level, root), needed, takers)
        wanted = [change for change in _in_order(level) if id(change) not in dropped]
        for _, together in groupby(wanted, lambda change: (change.operation, change.variant, change.parts[:-1])):
            applied += apply_changes(work, list(together))
        root = work.root
    _named_rows(root, diagnostics)
    if applied and check_sizes(root, diagnostics):
        _check_shape(root, applied, chosen.values(), diagnostics)
    for one in chosen.values():
        _check_players(one, root, players, diagnostics)
        _check_base(one, root, diagnostics)
    return replace(document, root=root, variant_names=(*document.variant_names, *chosen))


def _too_many(variants: Iterable[Variant], diagnostics: Diagnostics) -> bool:
    """Complains of more changes than are carried out together, and says whether it did."""
    total = 0
    for one in variants:
        before, total = total, total + len(one.changes)
        if before <= limits.MAX_TOTAL_CHANGES < total:
            span = one.changes[limits.MAX_TOTAL_CHANGES - before].span
    if total > limits.MAX_TOTAL_CHANGES:
        message = f"{total:,} changes in all variants, over the limit of {limits.MAX_TOTAL_CHANGES:,}"
        hint = "so many changes are another game: write them into a copy of its files"
        diagnostics.add(span, codes.OUT_OF_RANGE, message, label="one too many", help=hint)
    return total > limits.MAX_TOTAL_CHANGES


def _file(variant: Variant) -> str:
    return variant.root.span.source.path


def _makers(level: Iterable[Variant], root: MappingNode) -> dict[AddressParts, Change]:
    """What variants of a level add, and with which change: the last of several."""
    added = [change for one in level for change in one.changes if change.operation in ("add", "insert")]
    return {resolve_member(root, change.parts): change for change in added}


def _takers(variants: Iterable[Variant], root: MappingNode) -> dict[AddressParts, Change]:
    """What variants remove, and with which change."""
    removed = [change for one in variants for change in one.changes if change.operation == "remove"]
    return {resolve_member(root, change.parts): change for change in removed}


def _in_order(level: Iterable[Variant]) -> list[Change]:
    """The changes of a level in the order of carrying out: what stands higher up is made first and goes last."""
    every = [change for one in level for change in one.changes]
    first: dict[AddressParts, int] = {}  # what is added to one collection, or taken from it, is carried out together
    for change in every:
        first.setdefault(change.parts[:-1], len(first))
    every.sort(
        key=lambda change: (
            OPERATION_ORDER.index(change.operation),
            -len(change.parts) if change.operation == "remove" else len(change.parts),
            first[change.parts[:-1]] if change.operation in ("add", "remove") else 0,
        )
    )
    return every


# ---- what came out
def _check_shape(
    root: MappingNode, applied: Series[Change], variants: Iterable[Variant], diagnostics: Diagnostics
) -> None:
    """Checks the changed rules against the schemas again. The base had its shape, so every fault is a variant's."""
    scratch = Diagnostics()
    part = denormalize_lists(_touched(root, applied), ())
    assert isinstance(part, MappingNode)
    check_against_schema(part, "game", scratch)
    files = {one.root.span.source for one in variants}
    diagnostics.merge(
        scratch,
        lambda fault: add_base_note(fault, applied, root) if fault.span.source in files else _broken(fault, applied),
    )


def _named_rows(root: MappingNode, diagnostics: Diagnostics) -> None:
    """Those of the game's files stand under their components by now: what still names a file, a variant has brought."""
    components = root.get("components")
    for component in components if isinstance(components, MappingNode) else ():
        rows = component.value.get("rows") if isinstance(component.value, MappingNode) else None
        if isinstance(rows, ScalarNode):
            name = component.key.text
            message = f"a variant brings the rows of `{name}` itself, and does not name a file"
            hint, address = f"write `extend: {{components.{name}.rows: [{{id: …}}, …]}}`", f"components.{name}.rows"
            diagnostics.add(rows.span, codes.WRONG_TYPE, message, label="no rows", help=hint, address=address)


def _touched(root: MappingNode, applied: Series[Change]) -> MappingNode:
    """The head and those nodes of the sections that some change touches."""
    names: dict[str, set[str] | None] = dict.fromkeys(HEAD_KEYS)  # None: all of it
    for change in applied:
        if len(change.parts) == 1:
            names[change.parts[0]] = None
        else:
            wanted = names.setdefault(change.parts[0], set())
            if wanted is not None:
                wanted.add(change.parts[1])
    return MappingNode(tuple(_narrowed(entry, names) for entry in root.entries if entry.key.text in names), root.span)


def _narrowed(entry: Entry, names: dict[str, set[str] | None]) -> Entry:
    wanted = names[entry.key.text]
    if wanted is None or not isinstance(entry.value, MappingNode):
        return entry
    kept = tuple(one for one in entry.value.entries if one.key.text in wanted)
    return Entry(entry.key, MappingNode(kept, entry.value.span), entry.history)


def _broken(fault: Diagnostic, applied: Series[Change]) -> Diagnostic:
    """A fault that shows in the rules below: the change nearest to it made it, likely one that took something away."""
    where = tuple(fault.address.split("."))
    culprit = max(applied, key=lambda change: (_shared(change.parts, where), change.operation == "remove"))
    related = [Related(fault.span, "here, in the rules below")]
    message = f"after this change, {fault.message}"
    return Diagnostic(
        codes.BREAKS_SHAPE, culprit.span, message, help=fault.help, address=fault.address, related=tuple(related)
    )


def _shared(one: AddressParts, other: AddressParts) -> int:
    """How many names two addresses have in common at their start."""
    pairs: Iterator[tuple[str, str]] = zip(one, other, strict=False)
    count = 0
    for left, right in pairs:
        if left != right:
            break
        count += 1
    return count


def _check_base(variant: Variant, root: MappingNode, diagnostics: Diagnostics) -> None:
    """The last number of a version changes with words only; the others may change what an address means."""
    base, version = variant.root.get("base"), root.get("version")
    if not isinstance(base, ScalarNode) or not isinstance(version, ScalarNode):
        return
    if base.text.split(".")[:2] != version.text.split(".")[:2]:
        message = f"`{variant.name}` was written for version {base.text}, the game is {version.text}"
        related = [Related(version.span, "the game's version")]
        newer = _numbers(base.text) > _numbers(version.text)
        hint = "look at what it changes, then say this version" + (", or play the newer game" if newer else "")
        diagnostics.add(base.span, codes.BASE_VERSION, message, label="another version", help=hint, related=related)


def _numbers(version: str) -> list[int]:
    return [int(number[: limits.MAX_PLAYER_DIGITS]) for number in version.split(".") if number.isdecimal()]


def _check_players(variant: Variant, root: MappingNode, players: int | None, diagnostics: Diagnostics) -> None:
    value = variant.root.get("players")
    game = root.get("players")
    of_game = parse_player_range(game)
    if value is None or variant.players is None or game is None or of_game is None:
        return
    fewest, most = variant.players
    if fewest < of_game[0] or most > of_game[1]:
        related = [Related(game.span, "the game's numbers of players")]
        own, games = format_player_count(variant.players), format_player_count(of_game)
        message = f"`{variant.name}` is for {own}, the game for {games}"
        hint = "a variant can open the game to more with `set: {players: …}`"
        diagnostics.add(
            value.span, codes.PLAYERS_DO_NOT_FIT, message, label="not among the game's", help=hint, related=related
        )
    elif players is not None and not fewest <= players <= most:
        message = f"`{variant.name}` is for {format_player_count(variant.players)}, not for {players}"
        diagnostics.add(value.span, codes.PLAYERS_DO_NOT_FIT, message, label=f"without {players}")


__all__ = ["Change", "Variant", "apply_variants", "find_overlay", "load_variant"]

"""Applies variants to a game; in the result every value knows the values that it replaced.

In: a document and the variants chosen. Out: a new document. A change whose precondition does not hold is not applied
and reported at the variant's line. The order in which variants are chosen never matters:

- variants are sorted into layers (see `layers`); each layer is applied to the result of the one before;
- within a layer the operations go set, adjust, add, insert, sentences, remove, and within an operation by variant name
  and line of the file;
- within a layer a change sees the rules below it and what its own variant has changed, nothing else;
- two variants that write to one address are reported unless one is above the other, and so are two that insert at one
  position, unless both insert steps: these go together where neither writes what the other touches;
- where they differ only in words they go together, and what is contested is not said.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Final

from rulewright import limits
from rulewright.diagnostics import Cause, Diagnostic, Diagnostics, Related
from rulewright.document import codes as document_codes
from rulewright.document.address import AddressParts, builtins_with_lists, denormalize_lists
from rulewright.document.document import Document
from rulewright.document.editing import resolve_member
from rulewright.document.language import HEAD_KEYS
from rulewright.document.schema_acceptance import accepts
from rulewright.document.schema_check import check_against_schema
from rulewright.document.size_check import check_sizes
from rulewright.frozen import frozen, replace
from rulewright.source.nodes import Entry, MappingNode, ScalarNode
from rulewright.source.shared_nodes import shared_node
from rulewright.suggestions import join_hints
from rulewright.variants import codes
from rulewright.variants.change import Change
from rulewright.variants.conflicts import Meeting, find_conflicts
from rulewright.variants.contested_sentences import settle_contests
from rulewright.variants.layer_edit import LayerEdit
from rulewright.variants.layers import all_required_variants, all_variants_below, sort_into_layers
from rulewright.variants.operations import apply_changes
from rulewright.variants.related_notes import add_base_note
from rulewright.variants.variant import Variant, load_variant, parse_player_range
from rulewright.variants.variant_names import format_player_count
from rulewright.variants.variant_sentences import apply_translations

MAX_PARTS: Final = 16  # of rules that variants have changed, which are known to have the right shape
OPERATION_ORDER: Final = ("set", "adjust", "add", "insert", "sentences", "remove")


def apply_variants(
    document: Document,
    variants: Sequence[Variant],
    diagnostics: Diagnostics,
    *,
    players: int | None = None,
    known_variants: Callable[[], Collection[str]] | None = None,
    meetings: list[Meeting] | None = None,
) -> Document:
    """The document with the variants applied; changes that are not applied are reported.

    The overlay for a number of players is applied first, in a call of its own. With `players`, variants for other
    numbers of players are reported. `known_variants`: the names of the variants of the game that there are; one that
    requires another is still applied without it, so that only its name is reported. `meetings`: gets the steps that
    different variants insert at one position: whether they go together is for the caller to say.
    """
    if _is_over_change_limit(variants, diagnostics):
        return document
    layers = sort_into_layers(document, variants, diagnostics, known_variants)
    chosen = {variant.name: variant for layer in layers for variant in layer}
    root, titles, applied = document.root, dict(document.titles), list[Change]()
    conflicts = find_conflicts(document.root, chosen, diagnostics)
    dropped, contested = conflicts.dropped, {contest.sentence for contest in conflicts.contests}
    if meetings is not None:
        meetings += conflicts.meetings
    own = {one.root.span.source.path for one in document.adjustments if one.players == players}
    required_files = {
        name: frozenset(own.union(_path(chosen[variant]) for variant in required))
        for name, required in all_required_variants(chosen).items()
    }
    numbers = {one.name: _numbers(one, document.root) for one in chosen.values() if one.kind != "adjusts"}
    removals = _removals(chosen.values(), document.root)
    for layer in layers:
        every = [change for variant in layer for change in variant.changes]
        sentences = frozenset(change.parts for change in every if change.operation == "sentences")
        additions = _additions(layer, root)
        edit = LayerEdit(root, diagnostics, additions, required_files, removals, titles, sentences,
            document.adjustments, numbers)  # fmt: skip
        changes = [change for change in _ordered_changes(layer) if id(change) not in dropped]
        for _, group in groupby(changes, lambda change: (change.operation, change.variant, change.parts[:-1])):
            applied += apply_changes(edit, list(group))
        for variant in layer:
            apply_translations(edit, variant, contested)
        root, titles = edit.root, dict(edit.titles)
    kept = {id(change.payload) for change in applied}  # files are read once
    shared = shared_node(root, document.root, kept)
    assert isinstance(shared, MappingNode)
    root = shared
    result = replace(document, root=root, titles=tuple(titles.items()))
    if conflicts.contests:
        below = all_variants_below(chosen)
        result = settle_contests(document, result, conflicts.contests, layers, below, diagnostics)
        root = result.root
    _check_named_rows(root, diagnostics)
    if applied and check_sizes(root, diagnostics):
        _check_shape(root, applied, chosen.values(), diagnostics)
    for variant in chosen.values():
        _check_players(variant, root, players, diagnostics)
        _check_base(variant, root, diagnostics)
    return replace(result, variant_names=(*document.variant_names, *chosen))


def _numbers(variant: Variant, root: MappingNode) -> range:
    """The numbers of players that a variant is for."""
    fewest, most = variant.players or parse_player_range(root.get("players")) or (1, 0)
    return range(fewest, most + 1)


def _is_over_change_limit(variants: Iterable[Variant], diagnostics: Diagnostics) -> bool:
    """Whether there are more changes than are applied together, which is reported."""
    total = 0
    for variant in variants:
        previous, total = total, total + len(variant.changes)
        if previous <= limits.MAX_TOTAL_CHANGES < total:
            span = variant.changes[limits.MAX_TOTAL_CHANGES - previous].span
    if total > limits.MAX_TOTAL_CHANGES:
        message = f"{total:,} changes in all variants, over the limit of {limits.MAX_TOTAL_CHANGES:,}"
        hint = "copy the game's files and edit them instead"
        diagnostics.add(span, document_codes.OUT_OF_RANGE, message, label="over the limit", help=hint)
    return total > limits.MAX_TOTAL_CHANGES


def _path(variant: Variant) -> str:
    return variant.root.span.source.path


def _additions(layer: Iterable[Variant], root: MappingNode) -> dict[AddressParts, Change]:
    """Address → the change of this layer that adds it: the last of several."""
    additions = [change for variant in layer for change in variant.changes if change.operation in ("add", "insert")]
    return {resolve_member(root, change.parts): change for change in additions}


def _removals(variants: Iterable[Variant], root: MappingNode) -> dict[AddressParts, Change]:
    """Address → the change that removes it."""
    removals = [change for variant in variants for change in variant.changes if change.operation == "remove"]
    return {resolve_member(root, change.parts): change for change in removals}


def _ordered_changes(layer: Iterable[Variant]) -> list[Change]:
    """The changes of a layer in the order of application: parents are added before and removed after their children."""
    changes = [change for variant in layer for change in variant.changes]
    first: dict[AddressParts, int] = {}  # additions to one collection, and removals from it, are applied together
    for change in changes:
        first.setdefault(change.parts[:-1], len(first))
    changes.sort(
        key=lambda change: (
            OPERATION_ORDER.index(change.operation),
            -len(change.parts) if change.operation == "remove" else len(change.parts),
            first[change.parts[:-1]] if change.operation in ("add", "remove") else 0,
        )
    )
    return changes


# ---- checks of the result
def _check_shape(
    root: MappingNode, applied: Sequence[Change], variants: Iterable[Variant], diagnostics: Diagnostics
) -> None:
    """Checks the changed rules against the schemas again. The base was valid, so every violation is a variant's."""
    part = _changed_part(root, applied)
    if _is_right(_Part(part)):
        return
    scratch = Diagnostics()
    changed = denormalize_lists(part, ())
    assert isinstance(changed, MappingNode)
    check_against_schema(changed, "game", scratch)
    files = {variant.root.span.source for variant in variants}
    diagnostics.merge(
        scratch,
        lambda diagnostic: (
            add_base_note(diagnostic, applied, root)
            if diagnostic.span.source in files
            else _blame_change(diagnostic, applied)
        ),
    )


@frozen
class _Part:
    """Changed rules; equal to others of the very same values."""

    root: MappingNode

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Part) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def _values(self) -> tuple[tuple[str, str, int], ...]:
        return tuple(
            (entry.key.text, child.key.text, id(child.value))
            for entry in self.root
            for child in (entry.value if isinstance(entry.value, MappingNode) else (entry,))
        )


@lru_cache(maxsize=MAX_PARTS)  # at other numbers of players it is mostly the same
def _is_right(part: _Part) -> bool:
    return accepts(builtins_with_lists(part.root, ()), "game")


def _check_named_rows(root: MappingNode, diagnostics: Diagnostics) -> None:
    """Rows of the game's files are in their components by now: only a variant can still name a file."""
    components = root.get("components")
    for component in components if isinstance(components, MappingNode) else ():
        rows = component.value.get("rows") if isinstance(component.value, MappingNode) else None
        if isinstance(rows, ScalarNode):
            name = component.key.text
            message = f"expected the rows of `{name}`, found the name of a file"
            hint, address = f"write `extend: {{components.{name}.rows: [{{id: …}}, …]}}`", f"components.{name}.rows"
            diagnostics.add(rows.span, document_codes.WRONG_TYPE, message, label="not rows", help=hint, address=address)


def _changed_part(root: MappingNode, applied: Sequence[Change]) -> MappingNode:
    """The head, and those entries of the sections that some change touches."""
    names: dict[str, set[str] | None] = dict.fromkeys(HEAD_KEYS)  # None: all of it
    for change in applied:
        if len(change.parts) == 1:
            names[change.parts[0]] = None
        else:
            second_names = names.setdefault(change.parts[0], set())
            if second_names is not None:
                second_names.add(change.parts[1])
    return MappingNode(tuple(_narrowed(entry, names) for entry in root.entries if entry.key.text in names), root.span)


def _narrowed(entry: Entry, names: dict[str, set[str] | None]) -> Entry:
    second_names = names[entry.key.text]
    if second_names is None or not isinstance(entry.value, MappingNode):
        return entry
    kept = tuple(child for child in entry.value.entries if child.key.text in second_names)
    return Entry(entry.key, MappingNode(kept, entry.value.span), entry.history)


def _blame_change(diagnostic: Diagnostic, applied: Sequence[Change]) -> Diagnostic:
    """A violation inside the rules below: the change nearest to it caused it, most likely a removal."""
    parts = tuple(diagnostic.address.split("."))
    nearest = max(
        applied, key=lambda change: (_common_prefix_length(change.parts, parts), change.operation == "remove")
    )
    related = [Related(diagnostic.span, "here, in the rules that it changes")]
    message = f"after this change, {diagnostic.message}"
    return Diagnostic(
        codes.BREAKS_SHAPE,
        nearest.span,
        message,
        help=diagnostic.help,
        address=diagnostic.address,
        related=tuple(related),
        cause=diagnostic.cause,
    )


def _common_prefix_length(left: AddressParts, right: AddressParts) -> int:
    """How many names at the start two addresses have in common."""
    pairs: Iterator[tuple[str, str]] = zip(left, right, strict=False)
    count = 0
    for name, other_name in pairs:
        if name != other_name:
            break
        count += 1
    return count


def _check_base(variant: Variant, root: MappingNode, diagnostics: Diagnostics) -> None:
    """Versions that differ only in the last number have the same addresses; others may not."""
    base, version = variant.root.get("base"), root.get("version")
    if not isinstance(base, ScalarNode) or not isinstance(version, ScalarNode):
        return
    if base.text.split(".")[:2] != version.text.split(".")[:2]:
        message = f"`{variant.name}` was written for version {base.text}, but the game is {version.text}"
        related = [Related(version.span, "the game's version")]
        is_newer = _version_numbers(base.text) > _version_numbers(version.text)
        hint = "check what it changes, then write this version" + (", or use the newer game" if is_newer else "")
        diagnostics.add(base.span, codes.BASE_VERSION, message, label="another version", help=hint, related=related)


def _version_numbers(version: str) -> list[int]:
    return [int(number[: limits.MAX_PLAYER_DIGITS]) for number in version.split(".") if number.isdecimal()]


def _check_players(variant: Variant, root: MappingNode, players: int | None, diagnostics: Diagnostics) -> None:
    value = variant.root.get("players")
    game = root.get("players")
    game_range = parse_player_range(game)
    if value is None or variant.players is None or game is None or game_range is None:
        return
    fewest, most = variant.players
    if fewest < game_range[0] or most > game_range[1]:
        related = [Related(game.span, "the game's numbers of players")]
        variant_players, game_players = format_player_count(variant.players), format_player_count(game_range)
        message = f"`{variant.name}` is for {variant_players}, but the game is for {game_players}"
        common = range(max(fewest, game_range[0]), min(most, game_range[1]) + 1)
        written = f"{common[0]} to {common[-1]}" if len(common) > 1 else f"{common[0]}" if common else ""
        hint = join_hints(
            f"write `players: {written}`" if written else "",
            "to allow other numbers in the game as well, `set` its `players`",
        )
        diagnostics.add(
            value.span,
            codes.PLAYERS_DO_NOT_FIT,
            message,
            label="not allowed by the game",
            help=hint,
            related=related,
            cause=Cause("players"),
        )
    elif players is not None and not fewest <= players <= most:
        message = f"`{variant.name}` is for {format_player_count(variant.players)}, not for {players}"
        diagnostics.add(
            value.span, codes.PLAYERS_DO_NOT_FIT, message, label=f"excludes {players}", cause=Cause("players")
        )


__all__ = ["Change", "Variant", "apply_variants", "load_variant"]

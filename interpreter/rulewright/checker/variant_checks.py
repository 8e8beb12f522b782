"""Is a variant called what its file is called, are the variants it names there, and which can be played together?

In: variants and the game they are for. Out: diagnostics; groups of variants that do not exclude each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from rulewright import limits
from rulewright.diagnostics import Diagnostics, Related
from rulewright.document.document import Document
from rulewright.frozen import frozen
from rulewright.model.allowed_players import player_counts
from rulewright.model.codes import TOO_MANY
from rulewright.model.locate import RULE_FILE_SUFFIX, available_variants
from rulewright.source.file_text import is_present_file
from rulewright.source.unsaved import has_no_name
from rulewright.variants.codes import OTHER_FILE_NAME, PLAYERS_DO_NOT_FIT, UNKNOWN_VARIANT
from rulewright.variants.variant import Variant, load_variant, variant_references

SCENARIOS_ENDING: Final = ".scenarios"  # of the name of a file that is no variant


@frozen
class CheckedVariant:
    """A variant that was checked over its game.

    `path` and `game` are resolved. `layers`: the variant and all that it requires, by name with their paths.
    `is_valid`: it has no error at any of its `player_counts`.
    """

    variant: Variant
    path: Path
    game: Path
    layers: dict[str, Path]
    player_counts: tuple[int, ...]
    is_valid: bool


@frozen
class VariantGroup:
    """Variants of one game that can be played together by `players`: all layers, by name with their paths."""

    game: Path
    players: int
    layers: dict[str, Path]


def check_adjustments(document: Document, diagnostics: Diagnostics) -> None:
    """Reports files of a game for numbers of players that it does not allow: they would never be applied."""
    fewest, most = player_counts(document)
    game_players = document.root.get("players")
    related = [Related(game_players.span, "the game's numbers of players")] if game_players is not None else []
    for adjustment in document.adjustments:
        players = adjustment.root.get("players")
        if players is not None and not fewest <= adjustment.players <= most:
            numbers = f"{fewest} to {most}" if fewest < most else f"{fewest}"
            message = f"this is for {adjustment.players} players, but `{document.name}` is for {numbers}"
            hint = f"write {'a number from ' if fewest < most else ''}{numbers}, or change `players` of the game"
            diagnostics.add(
                players.span, PLAYERS_DO_NOT_FIT, message, label="never applied", help=hint, related=related
            )


def check_file_name(variant: Variant, document: Document | None, diagnostics: Diagnostics) -> None:
    """Reports a variant whose name differs from the name of its file, by which it is found."""
    path = variant.path  # a joint file has no other name
    if variant.name != path.stem and not has_no_name(path):
        message = f"this variant is named `{variant.name}`, but its file is named `{path.stem}`"
        hint = f"give both the same name: `variant: {path.stem}`, or the file `{variant.name}{path.suffix}`"
        diagnostics.add(variant.head_span(), OTHER_FILE_NAME, message, label="different name", help=hint)


def check_references(variant: Variant, document: Document | None, diagnostics: Diagnostics) -> None:
    """Reports unknown names in `after` and `conflicts`, which would have no effect.

    Those in `requires` are reported when the variant is applied.
    """
    if document is None:
        return
    for name in variant_references(variant, "after", "conflicts"):
        if not _is_known(name.text, variant, document):
            message = f"`{document.name}` has no variant `{name.text}`"
            diagnostics.add(name.span, UNKNOWN_VARIANT, message, label="not found")


def _is_known(name: str, variant: Variant, document: Document) -> bool:
    """Whether there is a variant of that name: one beside a variant, one of its game, or a shipped one."""
    is_file_name = bool(name) and Path(name).name == name and not name.endswith(SCENARIOS_ENDING)
    beside = variant.path.parent / f"{name}{RULE_FILE_SUFFIX}"
    known = available_variants(document.name, document.path), available_variants(variant.game)
    return any(name in names for names in known) or (
        is_file_name and beside != document.path and is_present_file(beside)
    )


def with_required(variant: Variant, document: Document, diagnostics: Diagnostics) -> dict[str, Variant] | None:
    """The variant and all that it requires, by name. A missing one is reported when the variant is applied; None for
    more than can be applied at once, which is reported here.
    """
    known = available_variants(variant.game, document.path)
    variants = {variant.name: variant}
    seen = {variant.name}
    pending = list(variant.requires)
    while pending:
        if len(variants) > limits.MAX_VARIANTS:
            message = f"`{variant.name}` with all that it requires is over the limit of {limits.MAX_VARIANTS} variants"
            hint = "copy the game's files and edit them instead"
            diagnostics.add(variant.head_span("requires"), TOO_MANY, message, label="over the limit", help=hint)
            return None
        name = pending.pop()
        if name in seen:
            continue
        seen.add(name)
        local = variant.path.parent / f"{name}{RULE_FILE_SUFFIX}"
        path = local if is_present_file(local) else known.get(name)
        required = None if path is None else load_variant(path, diagnostics, base=document)
        if required is not None:
            variants[name] = required
            pending += required.requires
    return variants


def group_variants(checked: Iterable[CheckedVariant]) -> Iterator[VariantGroup]:
    """The groups of two or more valid variants that can be played together, each group once.

    For every variant and number of players, the group is filled greedily in the given order; of more variants than fit
    in a group, first with those that are in no group yet, and one that is in a group has none of its own. Joint files
    are played with a group that has all that they join.
    """
    valid = [variant for variant in checked if variant.is_valid]
    chosen = [candidate for candidate in valid if candidate.variant.kind != "joins"]
    joining = [candidate for candidate in valid if candidate.variant.kind == "joins"]
    grouped: set[tuple[int, Path]] = set()  # with a number of players
    seen: set[frozenset[Path]] = set()
    are_many = len(chosen) > limits.MAX_VARIANTS
    for first in chosen:
        for players in first.player_counts:
            candidates = chosen
            if are_many:
                if (players, first.path) in grouped:
                    continue
                candidates = sorted(chosen, key=lambda candidate: (players, candidate.path) in grouped)
            group = _greedy_group(first, players, candidates)
            grouped.update((players, member.path) for member in group)
            paths = frozenset(member.path for member in group)
            if len(group) < 2 or paths in seen:
                continue
            seen.add(paths)
            names = {member.variant.name for member in group}
            group += [
                candidate
                for candidate in joining
                if candidate.game == first.game and names >= set(candidate.variant.requires)
            ]
            layers = {name: path for member in group for name, path in member.layers.items()}
            yield VariantGroup(first.game, players, layers)


def _greedy_group(first: CheckedVariant, players: int, candidates: Iterable[CheckedVariant]) -> list[CheckedVariant]:
    """A variant with others that can be played together, as many as have room."""
    group = list[CheckedVariant]()
    paths, names, excluded, groups = set[Path](), set[str](), set[str](), set[str]()
    for candidate in (first, *candidates):
        if len(group) == limits.MAX_VARIANTS:
            break
        variant = candidate.variant
        is_excluded = variant.name in excluded or not names.isdisjoint(variant.conflicts) or variant.group in groups
        if candidate.path in paths or is_excluded:
            continue
        if candidate.game == first.game and players in candidate.player_counts:
            group.append(candidate)
            paths.add(candidate.path)
            names.add(variant.name)
            excluded.update(variant.conflicts)
            groups.update({variant.group} - {""})
    return group


__all__ = [
    "CheckedVariant",
    "VariantGroup",
    "check_adjustments",
    "check_file_name",
    "check_references",
    "group_variants",
    "with_required",
]

"""Is a variant called what its file is called, are the variants it names there, and which can be played together?

In: variants and the game they are for. Out: diagnostics; groups of variants that do not exclude each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from rulewright import limits
from rulewright.diagnostics import Diagnostics, Related
from rulewright.document.document import Document
from rulewright.frozen import frozen
from rulewright.model.allowed_players import player_counts
from rulewright.model.locate import available_variants
from rulewright.source.file_looks import note_look
from rulewright.source.file_text import is_present_file
from rulewright.source.unsaved import has_no_name
from rulewright.suggestions import unknown_name_hint
from rulewright.variants.codes import OTHER_FILE_NAME, PLAYERS_DO_NOT_FIT, UNKNOWN_VARIANT
from rulewright.variants.variant import Variant, load_variant, variant_references


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

    def can_combine_with(self, other: CheckedVariant) -> bool:
        """Whether neither variant says that it excludes the other."""
        a, b = self.variant, other.variant
        is_excluded = b.name in a.conflicts or a.name in b.conflicts or (a.group and a.group == b.group)
        return self.path != other.path and not is_excluded


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
            message = f"this is for {adjustment.players} players, but `{document.name}` is for {fewest} to {most}"
            hint = f"write a number from {fewest} to {most}, or change `players` of the game"
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
    names = [] if document is None else [*variant_references(variant, "after", "conflicts")]
    if document is None or not names:
        return
    note_look(variant.path.parent, "entries")
    beside = variant.path.parent.glob("*.yaml")
    known = {path.stem for path in beside if path != document.path and not path.stem.endswith(".scenarios")}
    known |= set(available_variants(document.name, document.path)) | set(available_variants(variant.game))
    for name in names:
        if name.text not in known:
            message = f"`{document.name}` has no variant `{name.text}`"
            hint = unknown_name_hint(name.text, "variants", sorted(known - {variant.name}))
            diagnostics.add(name.span, UNKNOWN_VARIANT, message, label="not found", help=hint)


def with_required(variant: Variant, document: Document, diagnostics: Diagnostics) -> dict[str, Variant]:
    """The variant and all that it requires, by name. A missing one is reported when the variant is applied."""
    known = available_variants(variant.game, document.path)
    variants = {variant.name: variant}
    pending = list(variant.requires)
    while pending:
        name = pending.pop()
        local = variant.path.parent / f"{name}.yaml"
        path = local if is_present_file(local) else known.get(name)
        if name in variants or path is None:
            continue
        required = load_variant(path, diagnostics, base=document)
        if required is not None:
            variants[name] = required
            pending += required.requires
    return variants


def group_variants(checked: Iterable[CheckedVariant]) -> Iterator[VariantGroup]:
    """The groups of two or more valid variants that can be played together, each group once.

    For every variant and number of players, the group is filled greedily in the given order. Joint files are played
    with a group that has all that they join.
    """
    valid = [variant for variant in checked if variant.is_valid]
    chosen = [candidate for candidate in valid if candidate.variant.kind != "joins"]
    joining = [candidate for candidate in valid if candidate.variant.kind == "joins"]
    seen: set[frozenset[Path]] = set()
    for first in chosen:
        for players in first.player_counts:
            group = [first]
            for candidate in chosen:
                has_room = len(group) < limits.MAX_VARIANTS
                fits = candidate.game == first.game and players in candidate.player_counts
                if has_room and fits and all(candidate.can_combine_with(member) for member in group):
                    group.append(candidate)
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


__all__ = [
    "CheckedVariant",
    "VariantGroup",
    "check_adjustments",
    "check_file_name",
    "check_references",
    "group_variants",
    "with_required",
]

"""From a game's name to its rules: files are read, the overlay for the number of players and the variants are laid
over, and the result is understood.

In: a name or path, a number of players, variants by name or path. Out: `Rules`, or `RulesError` with every complaint.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from rulewright import limits
from rulewright.bundle import bundle_folder
from rulewright.diagnostics import Diagnostics, Related, RulesError, SourceFile, Span
from rulewright.document.document import MANIFEST, Document, load_document
from rulewright.document.editing import adjust_value
from rulewright.document.size_check import document_size
from rulewright.errors import RulewrightError
from rulewright.model import codes
from rulewright.model.blame import blame_variants
from rulewright.model.build import BuildFunction, build_rules
from rulewright.model.rules import Rules
from rulewright.source.reader import is_within, peek_text
from rulewright.suggestions import did_you_mean
from rulewright.variants.display_merge import merge_displays
from rulewright.variants.layers import find_overlay, format_player_count
from rulewright.variants.overlay import apply_variants
from rulewright.variants.variant import Change, Variant, is_setting, load_variant, parse_player_range, parse_setting

RULE_FILE_SUFFIX: Final = ".yaml"


class NotFound(RulewrightError):
    """No game or variant of that name; the text says what there is."""


@dataclass(frozen=True, slots=True)
class Composition:
    """A game with everything laid over that was asked for, before it is understood."""

    document: Document
    players: int
    variant_names: tuple[str, ...]  # names of the chosen ones, without what belongs to them by itself
    overlay: Variant | None  # the one for the number of players
    chosen_variants: tuple[Variant, ...]
    base_document: Document  # before anything was laid over

    @property
    def applied_variants(self) -> tuple[Variant, ...]:
        """All that were laid over, in that order."""
        return (*([self.overlay] if self.overlay is not None else []), *self.chosen_variants)


def available_games() -> list[str]:
    """The names of the shipped games."""
    root = bundle_folder("rules")
    return sorted(
        [path.name for path in root.iterdir() if (path / MANIFEST).is_file()]
        + [path.stem for path in root.glob(f"*{RULE_FILE_SUFFIX}")]
    )


def default_game() -> str:
    """The game that is meant when none is named: the one that the shipped rules say is the default."""
    marker = bundle_folder("rules") / "default"
    return marker.read_text(encoding="utf-8").strip()


def find_game(game: str) -> Path:
    """Where a game stands: a shipped one by its name, any other by its path."""
    named = Path(game)
    if named.is_dir() or named.suffix == RULE_FILE_SUFFIX:
        if not named.exists():
            raise NotFound(f"there is no file {game}")
        return named.parent if named.name == MANIFEST else named
    for path in (bundle_folder("rules") / game, bundle_folder("rules") / f"{game}{RULE_FILE_SUFFIX}"):
        if path.exists():
            return path
    hint = did_you_mean(game, available_games())
    raise NotFound(
        f"no game is called {game!r}; shipped are: {', '.join(available_games())}" + (f" ({hint})" if hint else "")
    )


def variant_folders(game: str, path: Path | None = None) -> list[Path]:
    """Where variants of a game stand: the shipped ones; for a game given by path also `variants` beside it, with or
    without a folder of the game's name in it.
    """
    found = [bundle_folder("variants") / game]
    if path is not None:
        beside = path.resolve().parent
        found += [beside / "variants", beside.parent / "variants" / game]
    return [place for place in dict.fromkeys(found) if os.path.isdir(place)]  # False of names that are too long


def available_variants(game: str, path: Path | None = None) -> dict[str, Path]:
    """The variants of a game by name (file names are variant names); `path`: the file with the game's head."""
    places = variant_folders(game, path)
    return {
        one.stem: one
        for place in reversed(places)
        for one in sorted(place.glob(f"*{RULE_FILE_SUFFIX}"))
        # a link that leads elsewhere is none of them, which `check` tells; a pipe would keep its reader waiting
        if is_within(one, place.parent) and one.is_file()
    }


def find_variant(game: str, variant: str, path: Path | None = None) -> Path:
    """Where a variant stands: one of the game's by its name, any other by its path."""
    named = Path(variant)
    if named.suffix == RULE_FILE_SUFFIX:
        if not named.is_file():
            raise NotFound(f"there is no file {variant}")
        return named
    known = available_variants(game, path)
    if variant in known:
        return known[variant]
    chosen = [name for name, one in known.items() if "applies" not in peek_text(one)]  # the others come by themselves
    hint = did_you_mean(variant, chosen)
    there = ", ".join(chosen) or "none"
    raise NotFound(f"{game} has no variant {variant!r}; there are: {there}" + (f" ({hint})" if hint else ""))


def player_counts(document: Document) -> tuple[int, int]:
    """The fewest and the most players of a game."""
    return parse_player_range(document.root.get("players")) or (1, 1)


def common_player_counts(document: Document, variants: Iterable[Variant]) -> Sequence[int]:
    """The numbers of players that a game and variants have in common; a variant may open the game to others."""
    fewest, most = player_counts(document)
    ranges = []
    for variant in variants:
        opened = [_opened(document, one) for one in variant.changes if one.parts == ("players",)]
        fewest, most = next((one for one in opened if one is not None), (fewest, most))
        ranges.append(variant.players)
    for one in ranges:
        if one is not None:
            fewest, most = max(fewest, one[0]), min(most, one[1])
    return range(fewest, min(most, limits.MAX_PLAYERS) + 1)


def _opened(document: Document, change: Change) -> tuple[int, int] | None:
    before = document.root.get("players")
    if change.operation == "adjust" and before is not None and change.payload is not None:
        return parse_player_range(adjust_value(before, change.parts, change.payload))
    return parse_player_range(change.payload)


def min_common_players(document: Document, variants: Iterable[Variant]) -> int:
    """The fewest players with which some variants can be played; where there is no number, the game's fewest."""
    counts = common_player_counts(document, variants)
    return counts[0] if counts else player_counts(document)[0]


def check_player_limit(document: Document, diagnostics: Diagnostics) -> bool:
    """Complains of a game for more players than there can be, and says whether it did."""
    most = max(player_counts(document))
    if most > limits.MAX_PLAYERS:
        node = document.root.get("players") or document.root
        message = f"{most} players; {limits.MAX_PLAYERS} are allowed"
        diagnostics.add(node.span, codes.TOO_MANY, message, label="too many", address="players")
    return most > limits.MAX_PLAYERS


def _too_many_laid(names: Sequence[str], diagnostics: Diagnostics) -> bool:
    """Complains of more variants than can be laid over a game at once, and says whether it did."""
    if len(names) > limits.MAX_VARIANTS:
        one = names[limits.MAX_VARIANTS]
        source = SourceFile(f"--set {one}" if is_setting(one) else f"--variant {one}", one)
        message = f"{len(names)} variants and settings at once; {limits.MAX_VARIANTS} are allowed"
        hint = "so many changes are another game: write them into a copy of its files"
        diagnostics.add(Span(source, 0, len(one)), codes.TOO_MANY, message, label="one too many", help=hint)
    return len(names) > limits.MAX_VARIANTS


def _too_long(paths: Iterable[Path], diagnostics: Diagnostics) -> bool:
    """Complains of files that hold more than is read, and says whether it did."""
    total = 0
    for path in paths:
        total += path.stat().st_size
        if total > limits.MAX_GAME_BYTES:
            source = SourceFile(f"--variant {path}", str(path))
            message = f"files of variants of more than {limits.MAX_GAME_BYTES // 1024**2} MiB together"
            diagnostics.add(Span(source, 0, len(source.text)), codes.TOO_MANY, message, label="with this one")
            return True
    return False


def compose_game(
    game: str, players: int | None, variants: Iterable[str], diagnostics: Diagnostics
) -> Composition | None:
    """Reads a game and lays over it the overlay for the number of players (None: the fewest) and the variants."""
    document = load_document(find_game(game), diagnostics)
    return None if document is None else compose_document(document, players, variants, diagnostics)


def compose_document(
    document: Document, players: int | None, variants: Iterable[str], diagnostics: Diagnostics
) -> Composition | None:
    """Lays over a game that was read already what is asked for."""
    wanted = list(variants)
    if _too_many_laid(wanted, diagnostics):
        return None
    settings = [name for name in wanted if is_setting(name)]
    paths = [find_variant(document.name, name, document.path) for name in wanted if not is_setting(name)]
    if _too_long(paths, diagnostics):
        return None
    chosen = [load_variant(path, diagnostics, base=document) for path in paths]
    loaded = [one for one in chosen if one is not None]
    if len(loaded) < len(chosen):
        return None
    count = players if players is not None else min_common_players(document, loaded)
    always = _distinct([*_always(document, diagnostics), *[one for one in loaded if one.is_always_applied]])
    overlay = find_overlay(document, [one for one in always if not _is_implied(one)], count, diagnostics)
    named = [one for one in loaded if not one.is_always_applied]
    joints = _implied_variants([one for one in always if _is_implied(one)], loaded, count)
    set_here = [parse_setting(text, document.name, [one.name for one in (*named, *joints)]) for text in settings]
    chosen_ones = (*named, *joints, *set_here)
    if _too_many_laid([one.name for one in chosen_ones], diagnostics):
        return None
    base = document
    document = _apply(base, overlay, chosen_ones, count, diagnostics)
    fewest, most = player_counts(document)
    if check_player_limit(document, diagnostics):
        return None
    node = document.root.get("players")
    if node is not None and not fewest <= count <= most:
        before = base.root.get("players")
        related = [] if before is None or before.span == node.span else [Related(before.span, "in the game's head")]
        message, hint = f"{document.name} is for {format_player_count((fewest, most))}, not for {count}", ""
        if fewest > most:
            message, hint = f"{fewest} is more than {most}", f"write `{most} to {fewest}`"
        diagnostics.add(node.span, codes.PLAYERS, message, help=hint, address="players", related=related)
        return None
    return Composition(
        document, count, tuple(sorted(one.name for one in (*named, *set_here))), overlay, chosen_ones, base
    )


def _is_implied(variant: Variant) -> bool:
    """Whether it belongs to the rules where others are played together, not to a number of players."""
    return variant.is_always_applied and bool(variant.requires)


def _implied_variants(joints: Iterable[Variant], loaded: Sequence[Variant], players: int) -> list[Variant]:
    """Those that belong to what is played. One that is named is there in any case: what it lacks is told then."""
    played = {one.name for one in loaded if not one.is_always_applied}
    named = {one.path for one in loaded}
    return [
        one
        for one in joints
        if one.path in named
        or (played >= set(one.requires) and (one.players is None or one.players[0] <= players <= one.players[1]))
    ]


def _apply(
    document: Document, overlay: Variant | None, chosen: Sequence[Variant], players: int, diagnostics: Diagnostics
) -> Document:
    overlays = [overlay] if overlay is not None else []
    document = apply_variants(document, overlays, diagnostics, players=players)
    document = apply_variants(document, chosen, diagnostics, players=players)
    by_name = {one.name: one for one in (*overlays, *chosen)}
    laid = [by_name[name] for name in document.variant_names]  # lowest first, without those that do not go together
    return replace(document, display=merge_displays(document.display, laid, diagnostics))


def _distinct(variants: list[Variant]) -> list[Variant]:
    return list({one.path.resolve(): one for one in variants}.values())


def _always(document: Document, diagnostics: Diagnostics) -> list[Variant]:
    found = []
    for path in available_variants(document.name, document.path).values():
        # a quick look first: few variants apply always, and the others need not be read
        if "applies" in peek_text(path):
            variant = load_variant(path, diagnostics, base=document)
            if variant is not None and variant.is_always_applied and variant.game == document.name:
                found.append(variant)
    return found


def load_rules(game: str | None = None, *, players: int | None = None, variants: Sequence[str] = ()) -> Rules:
    """The rules of a game (default: the shipped default game) for so many players (default: the fewest), variants
    laid over.

    Raises `NotFound` for unknown names and `RulesError` when the rules have errors.
    """
    diagnostics = Diagnostics()
    resolved = compose_game(game or default_game(), players, variants, diagnostics)
    rules = None if resolved is None else build_composition(resolved, diagnostics)
    if rules is None or diagnostics.error_count:
        raise RulesError(diagnostics)
    return rules


def build_composition(
    composition: Composition,
    diagnostics: Diagnostics,
    *,
    build: BuildFunction = build_rules,
    with_warnings: bool = False,
) -> Rules | None:
    """The rules of a composition; None when there are errors.

    What a variant makes wrong in the files below it is reported at the variant. `build`: how rules are built, again and
    again while it is searched which variant does it. `with_warnings`: also for warnings, which takes a while.
    """
    if diagnostics.error_count:
        return None
    players, variant_names = composition.players, composition.variant_names
    reported = Diagnostics()
    rules = build(composition.document, players, reported, variants=variant_names, applied=composition.applied_variants)
    trial_size, remaining = document_size(composition.document.root), limits.MAX_BLAME_NODES

    def try_build(applied: Sequence[Variant]) -> Diagnostics | None:
        nonlocal remaining
        if remaining <= 0:
            return None
        remaining -= trial_size
        overlay = next((variant for variant in applied if variant.is_always_applied and not _is_implied(variant)), None)
        chosen = tuple(variant for variant in applied if not variant.is_always_applied or _is_implied(variant))
        tried = Diagnostics()
        document = _apply(composition.base_document, overlay, chosen, players, Diagnostics())
        build(document, players, tried, variants=variant_names, applied=applied)
        return tried

    if composition.applied_variants:
        reported = blame_variants(
            reported, composition.applied_variants, composition.document.root, try_build, warnings=with_warnings
        )
    diagnostics.extend(reported)
    return rules

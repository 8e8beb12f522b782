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
from rulewright.bundle import folder
from rulewright.diagnostics import Related, Report, RulesError, Source, Span, nearest
from rulewright.document.document import MANIFEST, Document, load_game
from rulewright.document.editing import adjusted
from rulewright.document.size_check import size
from rulewright.errors import RulewrightError
from rulewright.model import codes
from rulewright.model.blame import blamed
from rulewright.model.build import understand
from rulewright.model.rules import Rules
from rulewright.source.reader import glimpse, lies_within
from rulewright.variants.display_merge import drawn
from rulewright.variants.layers import counted, overlay_for
from rulewright.variants.overlay import lay_over
from rulewright.variants.variant import Change, Variant, is_setting, load_variant, players_range, setting

SUFFIX: Final = ".yaml"


class NotFound(RulewrightError):
    """No game or variant of that name; the text says what there is."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """A game with everything laid over that was asked for, before it is understood."""

    document: Document
    players: int
    variants: tuple[str, ...]  # names of the chosen ones, without what belongs to them by itself
    overlay: Variant | None  # the one for the number of players
    chosen: tuple[Variant, ...]
    base: Document  # before anything was laid over

    @property
    def laid(self) -> tuple[Variant, ...]:
        """All that were laid over, in that order."""
        return (*([self.overlay] if self.overlay is not None else []), *self.chosen)


def games() -> list[str]:
    """The names of the shipped games."""
    root = folder("rules")
    return sorted(
        [path.name for path in root.iterdir() if (path / MANIFEST).is_file()]
        + [path.stem for path in root.glob(f"*{SUFFIX}")]
    )


def default_game() -> str:
    """The game that is meant when none is named: the one that the shipped rules say is the default."""
    marker = folder("rules") / "default"
    return marker.read_text(encoding="utf-8").strip()


def game_path(game: str) -> Path:
    """Where a game stands: a shipped one by its name, any other by its path."""
    named = Path(game)
    if named.is_dir() or named.suffix == SUFFIX:
        if not named.exists():
            raise NotFound(f"there is no file {game}")
        return named.parent if named.name == MANIFEST else named
    for path in (folder("rules") / game, folder("rules") / f"{game}{SUFFIX}"):
        if path.exists():
            return path
    hint = nearest(game, games())
    raise NotFound(f"no game is called {game!r}; shipped are: {', '.join(games())}" + (f" ({hint})" if hint else ""))


def variant_folders(game: str, path: Path | None = None) -> list[Path]:
    """Where variants of a game stand: the shipped ones; for a game given by path also `variants` beside it, with or
    without a folder of the game's name in it.
    """
    found = [folder("variants") / game]
    if path is not None:
        beside = path.resolve().parent
        found += [beside / "variants", beside.parent / "variants" / game]
    return [place for place in dict.fromkeys(found) if os.path.isdir(place)]  # False of names that are too long


def variant_paths(game: str, path: Path | None = None) -> dict[str, Path]:
    """The variants of a game by name (file names are variant names); `path`: the file with the game's head."""
    places = variant_folders(game, path)
    return {
        one.stem: one
        for place in reversed(places)
        for one in sorted(place.glob(f"*{SUFFIX}"))
        # a link that leads elsewhere is none of them, which `check` tells; a pipe would keep its reader waiting
        if lies_within(one, place.parent) and one.is_file()
    }


def variant_path(game: str, variant: str, path: Path | None = None) -> Path:
    """Where a variant stands: one of the game's by its name, any other by its path."""
    named = Path(variant)
    if named.suffix == SUFFIX:
        if not named.is_file():
            raise NotFound(f"there is no file {variant}")
        return named
    known = variant_paths(game, path)
    if variant in known:
        return known[variant]
    chosen = [name for name, one in known.items() if "applies" not in glimpse(one)]  # the others come by themselves
    hint = nearest(variant, chosen)
    there = ", ".join(chosen) or "none"
    raise NotFound(f"{game} has no variant {variant!r}; there are: {there}" + (f" ({hint})" if hint else ""))


def player_counts(document: Document) -> tuple[int, int]:
    """The fewest and the most players of a game."""
    return players_range(document.root.get("players")) or (1, 1)


def counts_together(document: Document, variants: Iterable[Variant]) -> Sequence[int]:
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
    if change.verb == "adjust" and before is not None and change.payload is not None:
        return players_range(adjusted(before, change.parts, change.payload))
    return players_range(change.payload)


def fewest_together(document: Document, variants: Iterable[Variant]) -> int:
    """The fewest players with which some variants can be played; where there is no number, the game's fewest."""
    counts = counts_together(document, variants)
    return counts[0] if counts else player_counts(document)[0]


def too_many_players(document: Document, report: Report) -> bool:
    """Complains of a game for more players than there can be, and says whether it did."""
    most = max(player_counts(document))
    if most > limits.MAX_PLAYERS:
        node = document.root.get("players") or document.root
        message = f"{most} players; {limits.MAX_PLAYERS} are allowed"
        report.add(node.span, codes.TOO_MANY, message, label="too many", address="players")
    return most > limits.MAX_PLAYERS


def _too_many_laid(names: Sequence[str], report: Report) -> bool:
    """Complains of more variants than can be laid over a game at once, and says whether it did."""
    if len(names) > limits.MAX_VARIANTS:
        one = names[limits.MAX_VARIANTS]
        source = Source(f"--set {one}" if is_setting(one) else f"--variant {one}", one)
        message = f"{len(names)} variants and settings at once; {limits.MAX_VARIANTS} are allowed"
        hint = "so many changes are another game: write them into a copy of its files"
        report.add(Span(source, 0, len(one)), codes.TOO_MANY, message, label="one too many", help=hint)
    return len(names) > limits.MAX_VARIANTS


def _too_long(paths: Iterable[Path], report: Report) -> bool:
    """Complains of files that hold more than is read, and says whether it did."""
    total = 0
    for path in paths:
        total += path.stat().st_size
        if total > limits.MAX_GAME_BYTES:
            source = Source(f"--variant {path}", str(path))
            message = f"files of variants of more than {limits.MAX_GAME_BYTES // 1024**2} MiB together"
            report.add(Span(source, 0, len(source.text)), codes.TOO_MANY, message, label="with this one")
            return True
    return False


def resolve(game: str, players: int | None, variants: Iterable[str], report: Report) -> Resolved | None:
    """Reads a game and lays over it the overlay for the number of players (None: the fewest) and the variants."""
    document = load_game(game_path(game), report)
    return None if document is None else resolve_document(document, players, variants, report)


def resolve_document(
    document: Document, players: int | None, variants: Iterable[str], report: Report
) -> Resolved | None:
    """Lays over a game that was read already what is asked for."""
    wanted = list(variants)
    if _too_many_laid(wanted, report):
        return None
    settings = [name for name in wanted if is_setting(name)]
    paths = [variant_path(document.name, name, document.path) for name in wanted if not is_setting(name)]
    if _too_long(paths, report):
        return None
    chosen = [load_variant(path, report, base=document) for path in paths]
    loaded = [one for one in chosen if one is not None]
    if len(loaded) < len(chosen):
        return None
    count = players if players is not None else fewest_together(document, loaded)
    always = _distinct([*_always(document, report), *[one for one in loaded if one.always]])
    overlay = overlay_for(document, [one for one in always if not _joins(one)], count, report)
    named = [one for one in loaded if not one.always]
    joints = _joints([one for one in always if _joins(one)], loaded, count)
    set_here = [setting(text, document.name, [one.name for one in (*named, *joints)]) for text in settings]
    chosen_ones = (*named, *joints, *set_here)
    if _too_many_laid([one.name for one in chosen_ones], report):
        return None
    base = document
    document = _laid_over(base, overlay, chosen_ones, count, report)
    fewest, most = player_counts(document)
    if too_many_players(document, report):
        return None
    node = document.root.get("players")
    if node is not None and not fewest <= count <= most:
        before = base.root.get("players")
        related = [] if before is None or before.span == node.span else [Related(before.span, "in the game's head")]
        message, hint = f"{document.name} is for {counted((fewest, most))}, not for {count}", ""
        if fewest > most:
            message, hint = f"{fewest} is more than {most}", f"write `{most} to {fewest}`"
        report.add(node.span, codes.PLAYERS, message, help=hint, address="players", related=related)
        return None
    return Resolved(document, count, tuple(sorted(one.name for one in (*named, *set_here))), overlay, chosen_ones, base)


def _joins(variant: Variant) -> bool:
    """Whether it belongs to the rules where others are played together, not to a number of players."""
    return variant.always and bool(variant.requires)


def _joints(joints: Iterable[Variant], loaded: Sequence[Variant], players: int) -> list[Variant]:
    """Those that belong to what is played. One that is named is there in any case: what it lacks is told then."""
    played = {one.name for one in loaded if not one.always}
    named = {one.path for one in loaded}
    return [
        one
        for one in joints
        if one.path in named
        or (played >= set(one.requires) and (one.players is None or one.players[0] <= players <= one.players[1]))
    ]


def _laid_over(
    document: Document, overlay: Variant | None, chosen: Sequence[Variant], players: int, report: Report
) -> Document:
    overlays = [overlay] if overlay is not None else []
    document = lay_over(document, overlays, report, players=players)
    document = lay_over(document, chosen, report, players=players)
    by_name = {one.name: one for one in (*overlays, *chosen)}
    laid = [by_name[name] for name in document.variants]  # lowest first, without those that do not go together
    return replace(document, table=drawn(document.table, laid, report))


def _distinct(variants: list[Variant]) -> list[Variant]:
    return list({one.path.resolve(): one for one in variants}.values())


def _always(document: Document, report: Report) -> list[Variant]:
    found = []
    for path in variant_paths(document.name, document.path).values():
        # a quick look first: few variants apply always, and the others need not be read
        if "applies" in glimpse(path):
            variant = load_variant(path, report, base=document)
            if variant is not None and variant.always and variant.game == document.name:
                found.append(variant)
    return found


def load_rules(game: str | None = None, *, players: int | None = None, variants: Sequence[str] = ()) -> Rules:
    """The rules of a game (default: the shipped default game) for so many players (default: the fewest), variants
    laid over.

    Raises `NotFound` for unknown names and `RulesError` when the rules have errors.
    """
    report = Report()
    resolved = resolve(game or default_game(), players, variants, report)
    rules = None if resolved is None else understood(resolved, report)
    if rules is None or report.errors:
        raise RulesError(report)
    return rules


def understood(resolved: Resolved, report: Report, *, warnings: bool = False) -> Rules | None:
    """The rule model of what was resolved; None with errors, which the report tells.

    With `warnings`, those about the game's files that a variant causes are told at the variant, which takes a while.
    """
    if report.errors:
        return None
    found = Report()
    rules = understand(resolved.document, resolved.players, found, variants=resolved.variants, laid=resolved.laid)
    each, left = size(resolved.document.root), limits.MAX_BLAME_NODES

    def trial(laid: Sequence[Variant]) -> Report | None:
        nonlocal left
        if left <= 0:
            return None
        left -= each
        overlay = next((one for one in laid if one.always and not _joins(one)), None)
        chosen = tuple(one for one in laid if not one.always or _joins(one))
        said = Report()
        document = _laid_over(resolved.base, overlay, chosen, resolved.players, Report())
        understand(document, resolved.players, said, variants=resolved.variants, laid=laid)
        return said

    if resolved.laid:
        found = blamed(found, resolved.laid, resolved.document.root, trial, warnings=warnings)
    report.extend(found)
    return rules

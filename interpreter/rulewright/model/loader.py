"""From a game's name to its rules: the files are read, what is for the number of players and the variants are
applied, and rules are built from the result.

In: a name or path, a number of players, variants by name or path. Out: `Rules`, or `RulesError` with all diagnostics.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache, partial
from pathlib import Path

from rulewright import limits
from rulewright.diagnostics import Cause, Diagnostics, Related, RulesError, SourceFile, Span
from rulewright.document.document import Adjustment, Document
from rulewright.document.document_reader import load_document
from rulewright.document.size_check import document_size
from rulewright.document.unread_files import read_explanations
from rulewright.frozen import field, frozen, replace
from rulewright.model import codes
from rulewright.model.allowed_players import check_player_limit, min_common_players, player_counts
from rulewright.model.blame import blame_variants
from rulewright.model.build import BuildFunction, build_rules
from rulewright.model.locate import (
    available_variants,
    default_game,
    find_game,
    find_variant,
    heads_read_once,
    is_shipped_path,
    joint_files,
    joint_files_beside,
)
from rulewright.model.rules import Rules
from rulewright.source.node_memo import Same
from rulewright.source.reader import file_size
from rulewright.source.real_paths import real_path
from rulewright.variants.cancellations import take_back_changes
from rulewright.variants.conflicts import Meeting
from rulewright.variants.display_merge import merge_displays
from rulewright.variants.overlay import apply_variants
from rulewright.variants.setting import parse_setting
from rulewright.variants.variant import Variant, adjustment_variant, load_variant
from rulewright.variants.variant_names import format_player_count, is_setting


@frozen
class Composition:
    """A game with the variants asked for applied to it, before rules are built."""

    document: Document
    players: int
    variant_names: tuple[str, ...]  # of the chosen ones, without those that apply by themselves
    adjustment: Variant | None  # what the game itself changes at the number of players
    chosen_variants: tuple[Variant, ...]  # with the joint files, without what these take back
    base_document: Document  # before anything was applied
    meetings: tuple[Meeting, ...] = ()  # steps that different variants insert at one position
    known_files: list[frozenset[str]] = field(default_factory=list, init=False, repr=False, compare=False)

    @property
    def applied_variants(self) -> tuple[Variant, ...]:
        """All that were applied, in that order."""
        return (*([self.adjustment] if self.adjustment is not None else []), *self.chosen_variants)

    @property
    def variant_files(self) -> frozenset[str]:
        """The paths of their files."""
        if not self.known_files:
            self.known_files.append(frozenset(variant.root.span.source.path for variant in self.applied_variants))
        return self.known_files[0]

    def is_judged(self, span: Span) -> bool:
        """Whether what stands there is judged: under variants only what one of them wrote."""
        return not self.chosen_variants or span.source.path in self.variant_files


def _check_variant_count(names: Sequence[str], diagnostics: Diagnostics) -> bool:
    """Reports more variants than can be applied to a game at once; returns whether it did."""
    if len(names) > limits.MAX_VARIANTS:
        name = names[limits.MAX_VARIANTS]
        source = SourceFile(f"--set {name}" if is_setting(name) else f"--variant {name}", name, is_option=True)
        message = f"{len(names)} variants and settings, over the limit of {limits.MAX_VARIANTS}"
        hint = "copy the game's files and edit them instead"
        diagnostics.add(Span(source, 0, len(name)), codes.TOO_MANY, message, label="over the limit", help=hint)
    return len(names) > limits.MAX_VARIANTS


def _check_variant_bytes(paths: Iterable[Path], diagnostics: Diagnostics) -> bool:
    """Reports variant files that are larger than what is read; returns whether it did."""
    total = 0
    for path in paths:
        total += file_size(path)
        if total > limits.MAX_GAME_BYTES:
            source = SourceFile(f"--variant {path}", str(path), is_option=True)
            message = f"the variant files together are over the limit of {limits.MAX_GAME_BYTES // 1024**2} MiB"
            diagnostics.add(Span(source, 0, len(source.text)), codes.TOO_MANY, message, label="with this one")
            return True
    return False


def compose_game(
    game: str, players: int | None, variants: Iterable[str], diagnostics: Diagnostics
) -> Composition | None:
    """Reads a game and applies what is for the number of players (None: the fewest) and the variants."""
    with heads_read_once():
        document = load_document(find_game(game), diagnostics)
        return None if document is None else compose_document(document, players, variants, diagnostics)


def compose_document(
    document: Document, players: int | None, variants: Iterable[str], diagnostics: Diagnostics
) -> Composition | None:
    """The same for a game that is read already. None when what is wrong leaves nothing to build."""
    requested = list(variants)
    if _check_variant_count(requested, diagnostics):
        return None
    settings = [name for name in requested if is_setting(name)]
    paths = [find_variant(document.name, name, document.path) for name in requested if not is_setting(name)]
    if _check_variant_bytes(paths, diagnostics):
        return None
    loaded = [variant for path in paths if (variant := load_variant(path, diagnostics, base=document)) is not None]
    if len(loaded) < len(paths):
        return None
    count = players if players is not None else min_common_players(document, loaded)
    adjusting = next((file for file in document.adjustments if file.players == count), None)
    adjustment = None if adjusting is None else _read_adjustment(adjusting, diagnostics)
    named = [variant for variant in loaded if variant.kind != "joins"]
    joint = [
        *_load_joint_files(document, paths, {variant.name for variant in named}, diagnostics),
        *(one for one in loaded if one.kind == "joins"),
    ]
    implied = _select_implied(_distinct(joint), loaded, count)
    names = [variant.name for variant in (*named, *implied)]
    parameters = [parse_setting(text, document.name, names) for text in settings]
    chosen = take_back_changes((*named, *implied, *parameters), diagnostics)
    if _check_variant_count([variant.name for variant in chosen], diagnostics):
        return None
    applied = chosen if adjustment is None else (adjustment, *chosen)
    if any(change.parts[0] == "book" for variant in applied for change in variant.changes):
        whole = read_explanations(document, diagnostics)
        if whole is None:
            return None
        document = whole
    base = document
    meetings: list[Meeting] = []
    document = _apply(base, adjustment, chosen, count, diagnostics, meetings)
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
        cause = Cause("players")
        diagnostics.add(node.span, codes.PLAYERS, message, help=hint, address="players", related=related, cause=cause)
        return None
    chosen_names = tuple(sorted(variant.name for variant in (*named, *parameters)))
    return Composition(document, count, chosen_names, adjustment, chosen, base, tuple(meetings))


def recompose(composition: Composition, replaced: Mapping[str, Variant], diagnostics: Diagnostics) -> Composition:
    """The same game and number of players with some of the chosen variants `replaced`, by their names."""
    chosen = tuple(replaced.get(variant.name, variant) for variant in composition.chosen_variants)
    meetings: list[Meeting] = []
    base, adjustment = composition.base_document, composition.adjustment
    document = _apply(base, adjustment, chosen, composition.players, diagnostics, meetings)
    return replace(composition, document=document, chosen_variants=chosen, meetings=tuple(meetings))


def _read_adjustment(adjustment: Adjustment, diagnostics: Diagnostics) -> Variant | None:
    variant, reported = _read_adjustment_once(Same(adjustment))
    diagnostics.extend(reported)
    return variant


@lru_cache(maxsize=limits.MAX_REMEMBERED_ADJUSTMENTS)
def _read_adjustment_once(adjustment: Same[Adjustment]) -> tuple[Variant | None, Diagnostics]:
    diagnostics = Diagnostics()
    return adjustment_variant(adjustment.value, diagnostics), diagnostics


def _select_implied(implied: Iterable[Variant], loaded: Sequence[Variant], players: int) -> list[Variant]:
    """The joint files that fit the chosen variants. A named one is kept: what it lacks is reported later."""
    played = {variant.name for variant in loaded if variant.kind != "joins"}
    named = {variant.path for variant in loaded}
    return [
        variant
        for variant in implied
        if variant.path in named
        or (
            played >= set(variant.requires)
            and (variant.players is None or variant.players[0] <= players <= variant.players[1])
        )
    ]


def _apply(
    document: Document,
    adjustment: Variant | None,
    chosen: Sequence[Variant],
    players: int,
    diagnostics: Diagnostics,
    meetings: list[Meeting],
) -> Document:
    adjusting = [adjustment] if adjustment is not None else []
    if adjustment is not None:
        document, reported = _adjust_once(Same(document), Same(adjustment), players)
        diagnostics.extend(reported)
    known = partial(available_variants, document.name, document.path)
    document = apply_variants(document, chosen, diagnostics, players=players, known_variants=known, meetings=meetings)
    by_name = {variant.name: variant for variant in (*adjusting, *chosen)}
    applied = [by_name[name] for name in document.variant_names]  # lowest first, without those in conflict
    return replace(document, display=merge_displays(document.display, applied, diagnostics))


@lru_cache(maxsize=limits.MAX_REMEMBERED_ADJUSTMENTS)
def _adjust_once(document: Same[Document], adjustment: Same[Variant], players: int) -> tuple[Document, Diagnostics]:
    """A game adjusted to a number of players, with what is wrong with that: many variants are applied to it."""
    diagnostics = Diagnostics()
    return apply_variants(document.value, [adjustment.value], diagnostics, players=players), diagnostics


def _distinct(variants: list[Variant]) -> list[Variant]:
    return list({real_path(variant.path): variant for variant in variants}.values())


def _load_joint_files(
    document: Document, chosen: Iterable[Path], played: Collection[str], diagnostics: Diagnostics
) -> list[Variant]:
    """The files that join variants all of which may be `played`. Those in the folders of the `chosen` ones come before
    the game's own, and these before the shipped ones: where the same variants are joined at the same numbers of
    players, only the first count.
    """
    known = joint_files(document.name, document.path, played=played)
    found_here = set(map(real_path, known))
    beside = [
        path for path in joint_files_beside(document.name, chosen, played=played) if real_path(path) not in found_here
    ]
    shipped = [path for path in known if is_shipped_path(path)]
    joint: list[Variant] = []
    joined: set[tuple[object, ...]] = set()
    for paths in (beside, [path for path in known if path not in shipped], shipped):
        loaded = [load_variant(path, diagnostics, base=document) for path in paths]
        read = [one for one in loaded if one is not None and one.kind == "joins" and one.game == document.name]
        joint += [one for one in read if (one.players, frozenset(one.requires)) not in joined]
        joined |= {(one.players, frozenset(one.requires)) for one in read}
    return joint


def load_rules(game: str | None = None, *, players: int | None = None, variants: Sequence[str] = ()) -> Rules:
    """The rules of a game (default: the shipped default game) for a number of players (default: the fewest) with
    variants.

    Raises `NotFound` for unknown names and `RulesError` when the rules have errors.
    """
    diagnostics = Diagnostics()
    composition = compose_game(game or default_game(), players, variants, diagnostics)
    rules = None if composition is None else build_composition(composition, diagnostics)
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
    trial_size, remaining = cache(partial(document_size, composition.document.root)), limits.MAX_BLAME_NODES

    def try_build(applied: Sequence[Variant]) -> Diagnostics | None:
        nonlocal remaining
        if remaining <= 0:
            return None
        remaining -= trial_size()
        adjustment = next((variant for variant in applied if variant.kind == "adjusts"), None)
        chosen = tuple(variant for variant in applied if variant.kind != "adjusts")
        tried = Diagnostics()
        document = _apply(composition.base_document, adjustment, chosen, players, Diagnostics(), [])
        build(document, players, tried, variants=variant_names, applied=applied)
        return tried

    if composition.applied_variants:
        reported = blame_variants(
            reported, composition.applied_variants, composition.document.root, try_build, warnings=with_warnings
        )
    diagnostics.extend(reported)
    if rules is None or not composition.meetings:
        return rules
    return rules if _go_together(rules, composition.meetings, diagnostics) else None


def _go_together(rules: Rules, meetings: Iterable[Meeting], diagnostics: Diagnostics) -> bool:
    """Whether steps that were inserted at one position can be carried out in either order; else it is reported."""
    from rulewright.model.facts.declared_ranges import find_declared_ranges  # few games ask for any of them
    from rulewright.model.facts.facts import Facts
    from rulewright.model.facts.meetings import shared_access

    facts, is_in_order = Facts(rules), True
    declared = Facts(rules, find_declared_ranges(rules))
    for meeting in meetings:
        # what can be in each position is only asked where the declarations do not settle it: it takes long to find
        touched = shared_access(declared, *meeting.addresses) and shared_access(facts, *meeting.addresses)
        if touched:
            meeting.report(touched, diagnostics)
            is_in_order = False
    return is_in_order


def base_rules(composition: Composition) -> Rules | None:
    """The rules without the chosen variants; None where the game cannot be played without them at all."""
    diagnostics = Diagnostics()
    base = compose_document(composition.base_document, composition.players, (), diagnostics)
    rules = build_composition(base, diagnostics) if base is not None else None
    return None if diagnostics.error_count else rules

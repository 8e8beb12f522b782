"""`rulewright check`: everything that is wrong with rule files, at every number of players, variants over their game.

In: parsed arguments. Out: diagnostics on stdout; status 1 when one is as grave as `--fail-on`, 2 when a file is
unreadable. Variants of one game that are given one by one are also laid over it together, those apart that say of
themselves that they are never played together.
"""

from __future__ import annotations

import json
import re
from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from rulewright import limits
from rulewright.bundle import bundle_folder
from rulewright.checker.diagnostic_json import diagnostic_to_json
from rulewright.checker.setup_check import check_setup
from rulewright.cli.main import FINDINGS, FINE, UNREADABLE, WRONG_USE
from rulewright.diagnostics import (
    Diagnostic,
    Diagnostics,
    Related,
    order_for_printing,
    render_concise,
    render_full,
)
from rulewright.document.codes import OTHER_FILE_NAME, PLAYERS_DO_NOT_FIT, UNKNOWN_GAME, UNKNOWN_VARIANT
from rulewright.document.document import MANIFEST, Document, load_document, source_path
from rulewright.document.schema_check import check_file_schema
from rulewright.errors import UsageError
from rulewright.model import loader as loading
from rulewright.model.codes import PLAYERS
from rulewright.model.statement_references import check_statements
from rulewright.scenarios.runner import ScenarioRunner
from rulewright.scenarios.scenario_file import parse_scenario_node
from rulewright.source.nodes import MappingNode, Node, ScalarNode
from rulewright.source.reader import is_within, parse_file, peek_text, real_path
from rulewright.suggestions import did_you_mean, list_names, unknown_name_hint
from rulewright.variants.variant import Variant, load_variant, variant_references

RULE_FILE_SUFFIXES: Final = (".yaml", ".yml")
PLAYER_COUNT_PATTERN: Final = re.compile(r"\b[0-9]+ players?\b")
MAX_PARENT_FOLDERS: Final = 3  # how far up a part of a game looks for its manifest


def run(wish: Namespace) -> int:
    """Checks the paths and prints what was found."""
    check = Checker(wish.players, wish.game, wish.variant)
    for path in _given(wish.paths):
        check.check_path(path)
    check.check_together([Path(text) for text in wish.paths if Path(text).is_file()])
    found = list(check.diagnostics)
    if wish.format == "json":
        print(
            json.dumps(
                {"diagnostics": [diagnostic_to_json(one) for one in found], "summary": check.totals()},
                ensure_ascii=False,
            )
        )
    else:
        for one in order_for_printing(found) if wish.format == "full" else found:
            print(render_concise(one) if wish.format == "short" else f"{render_full(one)}\n")
        if wish.format == "full" or not found:
            print(check.summary())
    if any(one.code.name == UNREADABLE for one in found):
        return WRONG_USE
    grave = found if wish.fail_on == "warning" else [one for one in found if one.severity == "error"]
    return FINDINGS if grave else FINE


def _given(paths: Sequence[str]) -> Iterator[Path]:
    for text in paths:
        if Path(text).exists():
            yield Path(text)
        elif text in loading.available_games():
            yield loading.find_game(text)
            yield from loading.available_variants(text).values()
        else:
            raise UsageError(f"there is no file or folder {text!r}, and no shipped game is called that")
    if not paths:
        yield bundle_folder("rules")
        yield bundle_folder("variants")


@dataclass(frozen=True, slots=True)
class CheckedVariant:
    """A variant that was checked over its game. `laid`: it and all that it requires, by name with their paths.

    `place`: its path in full. `sound`: no error was found in it.
    """

    variant: Variant
    path: Path
    game: Path
    layers: dict[str, Path]
    player_counts: tuple[int, ...]
    is_valid: bool


class Checker:
    """Complaints about many files; each file, game and variant is looked at once.

    `players`: at this number only. `game`: what variants are laid over. `below`: variants laid over with all that is
    checked.
    """

    def __init__(self, players: int | None = None, game: str | None = None, below: Sequence[str] = ()) -> None:
        self.diagnostics = Diagnostics()
        self.players = players
        self.game = game
        self.variants = below
        self.documents: dict[Path, Document | None] = {}
        self.checked_variants: dict[Path, CheckedVariant | None] = {}
        self.seen_files: set[Path] = set()
        self.seen_folders: set[Path] = set()
        self.scenario_runner = ScenarioRunner()
        self.scenario_file_count = 0
        self.local_variant_folders: list[
            tuple[Path, str, Path]
        ] = []  # a folder of variants, their game's name and where it stands

    def check_path(self, path: Path) -> None:
        """Checks a file, a game's folder, or all in a folder; one without any rule file is a slip of who asked."""
        if path.is_dir() and not any(path.rglob("*.y*ml")):
            raise UsageError(f"there is no rule file in {path}")
        self._path(path, path)

    def _path(self, path: Path, within: Path) -> None:
        """Checks what stands at a path; what a folder holds has to lie `within` a folder."""
        if not path.is_dir():
            self._file(path)
        elif path.resolve() in self.seen_folders:
            return  # a link led to it
        elif (path / MANIFEST).exists():
            document = self._game(path)
            if document is not None:
                self._own_variants(document, path)
        else:
            self.seen_folders.add(path.resolve())
            for inner in sorted(path.iterdir()):
                if inner.name.startswith("."):
                    continue
                if inner.suffix in RULE_FILE_SUFFIXES:
                    self._file(inner, within)
                elif inner.is_dir():
                    self._path(inner, within)

    def _file(self, path: Path, within: Path | None = None) -> None:
        key = real_path(path) if within is None or is_within(path, within) else path.absolute()
        if key in self.seen_files:
            return
        self.seen_files.add(key)
        node = parse_file(path, self.diagnostics, source_path=source_path(path), within=within)
        kind = node.entries[0].key.text if isinstance(node, MappingNode) and node.entries else ""
        if kind == "scenarios" and node is not None:
            self._scenarios(path, node)
            return
        if kind == "game":
            self._game(path.parent if path.name == MANIFEST else path)
        elif kind == "variant":
            assert isinstance(node, MappingNode)
            self._variant(path, node)
        elif node is not None:
            check_file_schema(node, self.diagnostics)
            manifest = next(
                (
                    up / MANIFEST
                    for up in list(real_path(path).parents)[:MAX_PARENT_FOLDERS]
                    if (up / MANIFEST).is_file()
                ),
                None,
            )
            if manifest is not None and kind in ("part", "rows", "texts", "sources", "table", "statements"):
                self._game(manifest.parent)

    def _scenarios(self, path: Path, node: Node) -> None:
        """Looks up every name of the cases; none is played."""
        self.scenario_file_count += 1
        file = parse_scenario_node(node, path, self.diagnostics)
        for case in file.cases if file is not None else ():
            self.scenario_runner.check(case, self.diagnostics)

    # ---- games --------------------------------------------------------------------------------------------

    def _game(self, path: Path) -> Document | None:
        key = path.resolve()
        if key not in self.documents:
            self.documents[key] = None
            document = load_document(path, self.diagnostics)
            self.documents[key] = document
            if document is not None:
                self._game_counts(document)
                check_statements(document, self.diagnostics)
        return self.documents[key]

    def _game_counts(self, document: Document) -> None:
        fewest, most = loading.player_counts(document)
        if loading.check_player_limit(document, self.diagnostics):
            return
        if fewest > most:
            value = document.root.get("players")
            assert value is not None
            message = f"{document.name} is for no number of players: {fewest} is more than {most}"
            hint = f"write `{most} to {fewest}`"
            self.diagnostics.add(value.span, PLAYERS, message, label="upside down", help=hint, address="players")
            return
        self._at_each(document, self._counts(document, self._laid_below(document)), {})

    def _own_variants(self, document: Document, path: Path) -> None:
        """Checks the variants that stand with a game of files; the shipped ones are checked with the shipped game."""
        shipped = bundle_folder("variants").resolve()
        for place in loading.variant_folders(document.name, document.path):
            if not place.resolve().is_relative_to(shipped) or path.resolve().is_relative_to(
                bundle_folder("rules").resolve()
            ):
                self.local_variant_folders.append((place.resolve(), document.name, path))
                self._path(place, place.parent)

    def _counts(self, document: Document, laid: Iterable[Variant]) -> Sequence[int]:
        """The numbers of players at which a game with some variants is looked at.

        Where they have none in common it is looked at once all the same, so that this is told.
        """
        counts = loading.common_player_counts(document, laid)
        # a number that the game does not allow is told as a complaint
        return (self.players,) if self.players is not None else counts or (loading.player_counts(document)[0],)

    def _laid_below(self, document: Document) -> list[Variant]:
        found = [load_variant(path, Diagnostics()) for path in self._paths_below(document)]
        return [one for one in found if one is not None]

    def _paths_below(self, document: Document) -> list[Path]:
        return [loading.find_variant(document.name, name, document.path) for name in self.variants]

    def _at_each(self, document: Document, counts: Sequence[int], laid: dict[str, Path]) -> bool:
        """Looks at a game with variants at some numbers of players; tells whether it has no error at any. What is wrong
        at some of them only says at which.
        """
        # a report for each number: a fault at one of them must not keep the others from being looked at
        reports = [self._at(document, count, laid) for count in counts]
        found: dict[tuple[str, str, int], list[int]] = {}

        def key(one: Diagnostic) -> tuple[str, str, int]:
            return one.code.name, one.span.source.path, one.span.start  # each time the files are read anew

        for count, diagnostics in zip(counts, reports, strict=True):
            for one in diagnostics:
                found.setdefault(key(one), []).append(count)

        def said(one: Diagnostic) -> Diagnostic:
            wrong_at = found.get(key(one), counts)
            if len(wrong_at) == len(counts) or PLAYER_COUNT_PATTERN.search(one.message):
                return one
            return replace(one, message=f"with {_players(wrong_at)}: {one.message}")

        for diagnostics in reports:
            self.diagnostics.merge(diagnostics, said)
        return not any(diagnostics.error_count for diagnostics in reports)

    def _at(self, document: Document, players: int, laid: dict[str, Path]) -> Diagnostics:
        """What is wrong with a game with variants at a number of players."""
        diagnostics = Diagnostics()
        paths = {path.resolve(): path for path in (*self._paths_below(document), *laid.values())}
        resolved = loading.compose_document(document, players, map(str, paths.values()), diagnostics)
        rules = loading.build_composition(resolved, diagnostics, with_warnings=True) if resolved is not None else None
        if resolved is not None and rules is not None and not diagnostics.error_count:
            check_setup(rules, resolved, diagnostics)
        return diagnostics

    # ---- variants -----------------------------------------------------------------------------------------

    def _variant(self, path: Path, node: MappingNode) -> None:
        key = path.resolve()
        if key in self.checked_variants:
            return
        self.checked_variants[key] = None
        game = node.get("for")
        base = self._base(path, game) if isinstance(game, ScalarNode) else None
        document = None if base is None else self._game(base)
        variant = load_variant(path, self.diagnostics, base=document)
        if variant is None:
            return
        if variant.name != path.stem:
            message = f"this variant calls itself `{variant.name}`, and is found by the name of its file, `{path.stem}`"
            hint = f"give both one name: `variant: {path.stem}`, or the file `{variant.name}{path.suffix}`"
            self.diagnostics.add(variant.head_span(), OTHER_FILE_NAME, message, label="another name", help=hint)
        if base is None or document is None:
            return
        self._unknown_names(variant, document)
        known = self._with_required(variant, path, document)
        if self.players is not None and self.players not in (
            loading.common_player_counts(document, known.values()) or (self.players,)
        ):
            return  # it has nothing to say at that number
        if variant.is_always_applied and not loading.common_player_counts(document, known.values()):
            self._never_laid(variant, document)
            return
        shipped = [one.resolve() for one in loading.available_variants(variant.game).values()]
        by_itself = variant.is_always_applied and not variant.requires and key in shipped
        laid = {} if by_itself else {name: one.path for name, one in known.items()}
        counts = self._counts(document, [*self._laid_below(document), *known.values()])
        fine = self._at_each(document, counts, laid)
        self.checked_variants[key] = CheckedVariant(variant, key, base.resolve(), laid, tuple(counts), fine)

    def _unknown_names(self, variant: Variant, document: Document) -> None:
        """Names in `after` and `conflicts`: misspelled they would say nothing. `requires` is told when it is laid."""
        there = {one.stem for one in variant.path.parent.glob("*.yaml")}
        there |= set(loading.available_variants(document.name, document.path)) | set(
            loading.available_variants(variant.game)
        )
        for name in variant_references(variant, "after", "conflicts"):
            if name.text not in there:
                message = f"no variant of `{document.name}` is called `{name.text}`"
                hint = unknown_name_hint(name.text, "variants", sorted(there - {variant.name}))
                self.diagnostics.add(name.span, UNKNOWN_VARIANT, message, label="not found", help=hint)

    def _never_laid(self, variant: Variant, document: Document) -> None:
        """A file that always applies, at numbers of players that there are not, would be passed over in silence."""
        game = document.root.get("players")
        related = [Related(game.span, "the game's numbers of players")] if game is not None else []
        message = f"`{variant.name}` always applies, at numbers of players that the game does not allow"
        span = variant.head_span("players")
        self.diagnostics.add(span, PLAYERS_DO_NOT_FIT, message, label="never laid over", related=related)

    def _base(self, path: Path, game: ScalarNode) -> Path | None:
        """The game a variant is for: the one named, a shipped one, or one that stands near the variant."""
        if self.game is not None:
            return loading.find_game(self.game)
        here = path.resolve()
        for place, name, its_game in self.local_variant_folders:
            if name == game.text and here.is_relative_to(place):
                return its_game
        for up in here.parents:
            for place in (up / "rules" / game.text, up / game.text):
                if (place / MANIFEST).is_file():
                    return place
                if place.with_suffix(".yaml").is_file() and place.with_suffix(".yaml") != here:
                    return place.with_suffix(".yaml")
            if _is_game(up / MANIFEST, game.text):
                return up
        shipped = loading.available_games()
        if game.text in shipped:
            return loading.find_game(game.text)
        near = did_you_mean(game.text, shipped)
        hints = (near, list_names("shipped games", shipped), "any other is named with `--game PATH`")
        self.diagnostics.add(
            game.span,
            UNKNOWN_GAME,
            f"no game is called `{game.text}`",
            label="not found",
            help="   ".join(hint for hint in hints if hint),
            address="for",
        )
        return None

    def _with_required(self, variant: Variant, path: Path, document: Document) -> dict[str, Variant]:
        """The variant and all that it requires, by name."""
        shipped = loading.available_variants(variant.game)
        chosen = {variant.name: variant}
        todo = list(variant.requires)
        while todo:
            name = todo.pop()
            beside = path.parent / f"{name}.yaml"
            found = beside if beside.is_file() else shipped.get(name)
            if name in chosen or found is None:
                continue  # what is missing is told when the variant is laid over
            other = load_variant(found, self.diagnostics, base=document)
            if other is not None:
                chosen[name] = other
                todo += other.requires
        return chosen

    def check_together(self, paths: Iterable[Path]) -> None:
        """Lays variants of one game over it together, those that are sound by themselves and can be combined."""
        given = dict.fromkeys(path.resolve() for path in paths)
        sound = [one for path in given if (one := self.checked_variants.get(path)) and one.is_valid]
        found = [one for one in sound if not one.variant.is_always_applied]
        joins = [one for one in sound if one.variant.is_always_applied and one.variant.requires]
        done: set[frozenset[Path]] = set()
        for first in found:
            document = self.documents[first.game]
            assert document is not None
            for count in first.player_counts:
                group = [first]
                for one in found:
                    room = len(group) < limits.MAX_VARIANTS
                    fits = one.game == first.game and count in one.player_counts
                    if room and fits and all(_combine(one, other) for other in group):
                        group.append(one)
                names = frozenset(one.path for one in group)
                if len(group) > 1 and names not in done:
                    done.add(names)
                    played = {one.variant.name for one in group}
                    group += [one for one in joins if one.game == first.game and played >= set(one.variant.requires)]
                    laid = {name: path for one in group for name, path in one.layers.items()}
                    self._at_each(document, (count,), laid)

    # ---- what was found -----------------------------------------------------------------------------------

    def totals(self) -> dict[str, int]:
        """How much was looked at and found."""
        errors = self.diagnostics.error_count
        return {
            "games": len(self.documents),
            "variants": len(self.checked_variants),
            "errors": errors,
            "warnings": len(self.diagnostics) - errors,
        }

    def summary(self) -> str:
        """One line: what was looked at, and how many errors and warnings there are."""
        counts = self.totals()
        looked = [_many(counts["games"], "game"), _many(counts["variants"], "variant")]
        looked.append(_many(self.scenario_file_count, "scenario file"))
        others = len(self.seen_files) - len(self.checked_variants)
        what = ", ".join([one for one in looked if not one.startswith("0 ")] or [_many(others, "file")])
        if not counts["errors"] and not counts["warnings"]:
            return f"checked {what}: nothing found"
        files = len({one.span.source.path for one in self.diagnostics})
        return (
            f"checked {what}: {_many(counts['errors'], 'error')} and {_many(counts['warnings'], 'warning')}"
            f" in {_many(files, 'file')}"
        )


def _is_game(path: Path, name: str) -> bool:
    """Whether a file is there that says of itself that it is the game of that name."""
    line = re.compile(rf"^game: *{re.escape(name)}\s*(#|$)", re.MULTILINE)
    return line.search(peek_text(path)) is not None


def _combine(one: CheckedVariant, other: CheckedVariant) -> bool:
    """Whether two variants do not say of themselves that they exclude each other."""
    a, b = one.variant, other.variant
    excluded = b.name in a.conflicts or a.name in b.conflicts or (a.group and a.group == b.group)
    return one.path != other.path and not excluded


def _players(counts: Sequence[int]) -> str:
    """`1 player`, `2 players`, `2, 3 or 5 players`."""
    *first, last = map(str, counts)
    numbers = f"{', '.join(first)} or {last}" if first else last
    return f"{numbers} player{'' if numbers == '1' else 's'}"


def _many(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


__all__ = ["Checker", "run"]

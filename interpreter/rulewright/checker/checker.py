"""Everything that is wrong with rule files: games at every number of players, variants over their game, scenarios.

In: paths of files and folders. Out: a `CheckResult`, of which `check` returns the `Diagnostics`. Variants of one game
that are given one by one are also applied to it together, except those that say that they are never played together. A
shipped game is part of the program: it is judged where it is asked for itself, not where only a variant of it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rulewright import limits
from rulewright.bundle import bundle_folder
from rulewright.checker.allowances import Allowance, find_allowances
from rulewright.checker.check_result import CheckResult
from rulewright.checker.clean_meanings import CleanMeanings
from rulewright.checker.clean_rule_sets import CleanRuleSets
from rulewright.checker.file_count import count_rule_files
from rulewright.checker.known_games import KnownGame, read_game
from rulewright.checker.nearby_games import BaseGames, folder_of_game
from rulewright.checker.passes import VARIANT_PASSES
from rulewright.checker.pending_rule_sets import PendingRuleSets
from rulewright.checker.player_range import check_player_range
from rulewright.checker.reported_diagnostics import reported_diagnostics
from rulewright.checker.rule_sets import RuleSet
from rulewright.checker.share_of_play import share_of_play
from rulewright.checker.shipped_paths import is_shipped_game, shipped_paths
from rulewright.checker.variant_checks import CheckedVariant, group_variants, with_required
from rulewright.diagnostics import Diagnostics, SourceFile, Span
from rulewright.document.document import MANIFEST, Document, source_path
from rulewright.document.schema_check import check_file_schema
from rulewright.errors import os_error_reason, require_texts
from rulewright.frozen import replace
from rulewright.model.allowed_players import common_player_counts, player_counts
from rulewright.model.locate import (
    RULE_FILE_SUFFIXES,
    NotFound,
    find_game,
    find_variant,
    heads_read_once,
    require_path,
    variant_folders,
)
from rulewright.source.codes import UNREADABLE_FILE
from rulewright.source.file_text import (
    files_below,
    files_in,
    is_present,
    is_present_folder,
)
from rulewright.source.nodes import MappingNode, Node, ScalarNode
from rulewright.source.reader import parse_file
from rulewright.source.real_paths import is_within, real_path
from rulewright.variants.variant import Variant, load_variant, variants_read_once

if TYPE_CHECKING:
    from rulewright.scenarios.runner import ScenarioRunner

PART_KINDS: Final = (
    "part_of",
    "rows",
    "texts",
    "sources",
    "display",
    "statements",
    "adjusts",
)  # files that belong to a game


def check(
    paths: Sequence[str | Path] = (),
    *,
    players: int | None = None,
    game: str | None = None,
    variants: Sequence[str] = (),
    play: int = 0,
) -> Diagnostics:
    """Everything that is wrong with rule files. Nothing is printed.

    `paths`: files of games, variants, scenarios or parts of a game; folders, with all that they hold. Default: all that
    is shipped. `players`: check at this number of players only; default: at every number that a game allows. `game`:
    what variants are applied to, by name or path; default: the game that a variant says it is for. `variants`: variants
    that are applied below all that is checked, by name or path; then the default is the shipped games that have them.
    `play`: how many decisions of random players are played by each set of rules at each number of players, up to
    four times as many where games are short; of many files together at most 20,000. Without it only set-ups are.

    Returns `Diagnostics`: iterate over it for `Diagnostic`s in the order of files and lines (`severity`, `code.name`,
    `message`, `help`; `span.source.path`, `span.line` and `span.column` from 1); `error_count` is the number of errors,
    `len` that of errors and warnings. It is empty when no problems were found. A file that cannot be read is a
    diagnostic too.

    Raises `NotFound` for a path that does not exist, a folder without rule files, and an unknown game or variant in
    `game` and `variants`; `UsageError` for more rule files than are checked at once (2,000); `TypeError` for a single
    string instead of a list.
    """
    return check_paths(paths, players=players, game=game, variants=variants, play=play).diagnostics


def check_paths(
    paths: Sequence[str | Path] = (),
    *,
    players: int | None = None,
    game: str | None = None,
    variants: Sequence[str] = (),
    play: int = 0,
    on_file: Callable[[], None] = lambda: None,
    jobs: int = 1,
    clean: CleanRuleSets | None = None,
) -> CheckResult:
    """As `check`, with how much was checked. `on_file`: called before each file and game folder that is checked, and
    before each set of rules that this process checks. `jobs`: how many processes share the work. `clean`: what was
    found without a problem before.
    """
    require_texts("paths", paths=paths)
    require_texts("names", variants=variants)
    found = [*map(require_path, paths)] if paths else [*shipped_paths(variants)]
    checker = RuleFileChecker(players, game, variants, on_file, share_of_play(play, count_rule_files(found)), clean)
    with heads_read_once(), variants_read_once():
        for path in found:
            checker.check_path(path)
        checker.judge_rule_sets(jobs)
        checker.check_groups([Path(path) for path in paths if not is_present_folder(Path(path))])
        remaining = checker.finished_diagnostics(is_complete=players is None and not variants)
    return CheckResult(
        remaining,
        games=len(checker.judged_games),
        variants=len(checker.checked_variants),
        scenario_files=checker.scenario_file_count,
        files=len(checker.seen_files),
        rule_sets=tuple(checker.pending.judged),
    )


class RuleFileChecker:
    """What was found so far; each file, folder, game and variant is checked once.

    `game`: what variants are applied to. `base_variants`: variants applied below all that is checked. `play`: how many
    decisions are played by each set of rules at each number of players.
    """

    def __init__(
        self,
        players: int | None,
        game: str | None,
        base_variants: Sequence[str],
        on_file: Callable[[], None],
        play: int,
        clean: CleanRuleSets | None = None,
    ) -> None:
        self.diagnostics = Diagnostics()
        self.players = players
        self.game = game
        self.base_variants = base_variants
        self.on_file = on_file
        self.play = play
        self.documents: dict[Path, Document | None] = {}
        self.judged_games: set[Path] = set()
        self.known_games: dict[Path, KnownGame] = {}  # that were read, and what was found in them
        self.checked_variants: dict[Path, CheckedVariant | None] = {}
        self.seen_files: set[Path] = set()
        self.seen_folders: set[Path] = set()
        self.pending = PendingRuleSets(clean or CleanRuleSets(is_kept=False), on_file)
        self.scenario_runner: ScenarioRunner | None = None
        self.scenario_file_count = 0
        self.base_games = BaseGames()
        self.allowances: list[list[Allowance]] | None = None  # of all files, once they are read

    def finished_diagnostics(self, *, is_complete: bool) -> Diagnostics:
        """What is to be reported, where all was checked that was asked for."""
        if self.allowances is None:
            self.allowances = find_allowances(self.read_files())
        variants = self.checked_variants.values()
        return reported_diagnostics(self.diagnostics, self.allowances, variants, is_complete=is_complete)

    def read_files(self) -> set[Path]:
        """All files that were read as a whole; not those that a link leads to, out of their folder."""
        files = {file for file in self.seen_files if file == real_path(file)}
        for document in self.documents.values():
            if document is not None:
                listed = (*document.files, *(file.path for file in document.unread))
                files.update(file for file in listed if is_within(file, document.path.parent))
        return files

    # ---- files and folders ----------------------------------------------------------------------------------

    def check_path(self, path: Path) -> None:
        """Checks a file, a game's folder, or all in a folder; raises `NotFound` for a folder without rule files."""
        if is_present_folder(path) and not any(files_below(path, "*.y*ml")):
            raise NotFound(f"there is no rule file in {path}")
        self._check_path(path, path)

    def _check_path(self, path: Path, within: Path, depth: int = 0) -> None:
        """`within`: the folder that links must not lead out of. `depth`: how many folders below it."""
        if not is_present_folder(path):
            self.check_file(path)
        elif real_path(path) in self.seen_folders:
            return  # reached by a link
        elif is_present(path / MANIFEST):
            self.on_file()
            document = self._check_game(path)
            if document is not None:
                self._check_local_variants(document, path)
        else:
            self.seen_folders.add(real_path(path))
            for child in self._children(path, depth):
                if child.name.startswith("."):
                    continue
                if child.suffix in RULE_FILE_SUFFIXES:
                    self.check_file(child, within)
                elif is_within(path, within) and is_present_folder(child):  # of a link that leads out its files only
                    self._check_path(child, within, depth + 1)

    def _children(self, folder: Path, depth: int) -> list[Path]:
        """What a folder has; reports one that cannot be read, and one that is too far down."""
        reason = f"it is more than {limits.MAX_FOLDER_DEPTH} folders down"
        if depth <= limits.MAX_FOLDER_DEPTH:
            try:
                return files_in(folder)
            except OSError as error:
                reason = os_error_reason(error)
        span = Span(SourceFile(source_path(folder), ""), 0, 0)
        self.diagnostics.add(span, UNREADABLE_FILE, f"cannot look into this folder: {reason}")
        return []

    def check_file(self, path: Path, within: Path | None = None) -> None:
        """Checks a file, whatever the disk has in its place. `within`: the folder that links must not lead out of."""
        key = real_path(path) if within is None or is_within(path, within) else path.absolute()
        if key in self.seen_files:
            return
        self.seen_files.add(key)
        self.on_file()
        node = parse_file(path, self.diagnostics, source_path=source_path(path), within=within)
        kind = node.entries[0].key.text if isinstance(node, MappingNode) and node.entries else ""
        if node is None:
            return
        if kind == "scenarios":
            self._check_scenarios(path, node)
        elif kind == "game":
            self._check_game(path.parent if path.name == MANIFEST else path)
        elif kind in ("variant", "joins"):
            assert isinstance(node, MappingNode)
            self._check_variant(path, node)
        else:
            check_file_schema(node, self.diagnostics)
            if kind in PART_KINDS and (folder := folder_of_game(path)) is not None:
                self._check_game(folder)

    def _check_scenarios(self, path: Path, node: Node) -> None:
        """Looks up every name of the cases; none is played."""
        from rulewright.scenarios.runner import ScenarioRunner  # with much that only scenarios need
        from rulewright.scenarios.scenario_file import cases_to_look_up

        self.scenario_runner = runner = self.scenario_runner or ScenarioRunner()
        self.scenario_file_count += 1
        for case in cases_to_look_up(node, path, self.diagnostics):
            if self.diagnostics.error_count > limits.MAX_DIAGNOSTICS:
                break  # what is wrong with the others would not be shown
            runner.check(case, self.diagnostics)

    # ---- games ----------------------------------------------------------------------------------------------

    def _check_game(self, path: Path) -> Document | None:
        key, document = real_path(path), self._read_game(path)
        if key not in self.judged_games:
            self.judged_games.add(key)
            known = self.known_games[key]
            if known.judgement is not None:
                self.diagnostics.extend(known.judgement)
            elif document is not None:
                judgement = Diagnostics()
                self.known_games[key] = replace(known, judgement=judgement)  # of its rules when they are checked
                is_playable = check_player_range(document, judgement)
                self.diagnostics.extend(judgement)
                self._add_rules(document, self._player_counts(document, ()) if is_playable else (), (), is_game=True)
        return document

    def _read_game(self, path: Path) -> Document | None:
        key = real_path(path)
        if key in self.documents:
            return self.documents[key]
        self.documents[key] = None  # read from here on, whatever leads back to it
        known = self.known_games.get(key)
        if known is None:
            known = self.known_games[key] = read_game(path)
        self.diagnostics.extend(known.reading)
        self.documents[key] = known.document
        return known.document

    def _read_game_of_variant(self, path: Path) -> Document | None:
        return self._read_game(path) if is_shipped_game(path) else self._check_game(path)

    def _add_rules(
        self,
        document: Document,
        counts: Sequence[int],
        variants: Iterable[Path],
        variant: Path | None = None,
        *,
        is_game: bool = False,
    ) -> None:
        """Notes a game with variants that is to be checked at some numbers of players."""
        paths = (*self._base_variant_paths(document), *variants)
        self.pending.add(RuleSet(document, tuple(counts), paths, variant, is_game, self.play))

    def judge_rule_sets(self, jobs: int = 1) -> None:
        """Judges what was noted, shared among some processes. A variant with an error is then no longer valid."""
        for rules, found in self.pending.judge(jobs):
            self.diagnostics.extend(found)
            checked = None if rules.variant is None else self.checked_variants[rules.variant]
            if checked is not None and found.error_count:
                self.checked_variants[checked.path] = replace(checked, is_valid=False)

    def judge_rule_sets_in_parts(self, clean: CleanMeanings) -> Iterator[bool]:
        """The same part by part, without those known to be `clean`. After each `diagnostics` has what is found so far;
        whether that is all.
        """
        before = self.diagnostics
        for judged in self.pending.judge_in_parts(clean):
            self.diagnostics = Diagnostics()
            self.diagnostics.extend(before)
            for _, found in judged.results:
                self.diagnostics.extend(found)
            for rules, found in judged.results if judged.is_all else ():
                self._note_judgement(rules, found)
            yield judged.is_all

    def _note_judgement(self, rules: RuleSet, found: Diagnostics) -> None:
        for known in self.known_games.values() if rules.is_game else ():
            if known.document is rules.document and known.judgement is not None:
                known.judgement.extend(found)

    def _player_counts(self, document: Document, variants: Iterable[Variant]) -> Sequence[int]:
        """The numbers of players at which a game with variants is checked."""
        if self.players is not None:
            return (self.players,)  # one that the game does not allow is reported
        loaded = [load_variant(path, Diagnostics()) for path in self._base_variant_paths(document)]
        base = [variant for variant in loaded if variant is not None]
        # without a number in common it is checked at one all the same, so that this is reported
        return common_player_counts(document, [*base, *variants]) or (player_counts(document)[0],)

    def _base_variant_paths(self, document: Document) -> list[Path]:
        return [find_variant(document.name, name, document.path) for name in self.base_variants]

    def _check_local_variants(self, document: Document, path: Path) -> None:
        """Checks the variants in the folders of a game; the shipped ones are checked with the shipped game."""
        is_shipped = is_shipped_game(path)
        shipped_variants = bundle_folder("variants").resolve()
        for folder in variant_folders(document.name, document.path):
            if is_shipped or not real_path(folder).is_relative_to(shipped_variants):
                self.base_games.add_folder(folder, document.name, path)
                self.seen_folders.add(real_path(folder))
                for file in files_in(folder):  # what is in folders below belongs to other games
                    if file.suffix in RULE_FILE_SUFFIXES and not file.name.startswith("."):
                        self.check_file(file, folder.parent)

    # ---- variants -------------------------------------------------------------------------------------------

    def _check_variant(self, path: Path, node: MappingNode) -> None:
        key = real_path(path)
        if key not in self.checked_variants:
            self.checked_variants[key] = None  # checked from here on, whatever leads back to it
            self.checked_variants[key] = self._checked_variant(path, node)

    def _checked_variant(self, path: Path, node: MappingNode) -> CheckedVariant | None:
        """Checks a variant over its game; None when it cannot be applied, or not at the number of players asked for."""
        game_name = node.get("for")
        game = None
        if isinstance(game_name, ScalarNode):
            asked = None if self.game is None else find_game(self.game)
            game = asked or self.base_games.find(path, game_name, self.diagnostics)
        document = None if game is None else self._read_game_of_variant(game)
        reported = Diagnostics()
        variant = load_variant(path, reported, base=document)
        self.diagnostics.extend(reported)
        if variant is None:
            if document is not None:
                from rulewright.checker.beyond_shape import check_variant_beyond_shape  # most have the right shape

                self.diagnostics.extend(check_variant_beyond_shape(path, document, reported))
            return None
        for check_variant in VARIANT_PASSES:
            check_variant(variant, document, self.diagnostics)
        if game is None or document is None:
            return None
        layers = with_required(variant, document, self.diagnostics)
        if layers is None:
            return None
        counts = common_player_counts(document, layers.values())
        if self.players is not None and counts and self.players not in counts:
            return None
        paths = {name: layer.path for name, layer in layers.items()}
        checked_counts = self._player_counts(document, layers.values())
        self._add_rules(document, checked_counts, paths.values(), variant=real_path(path))
        return CheckedVariant(variant, real_path(path), real_path(game), paths, tuple(checked_counts), is_valid=True)

    def check_groups(self, paths: Iterable[Path]) -> None:
        """Applies variants of one game together, those that have no errors by themselves and can be combined."""
        checked = [self.checked_variants.get(path) for path in dict.fromkeys(real_path(path) for path in paths)]
        for group in group_variants(variant for variant in checked if variant is not None):
            document = self.documents[group.game]
            assert document is not None
            self._add_rules(document, (group.players,), group.layers.values())
        self.judge_rule_sets()


__all__ = ["CheckResult", "RuleFileChecker", "check", "check_paths"]

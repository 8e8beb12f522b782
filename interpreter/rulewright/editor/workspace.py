"""What an editor has open: texts that are not saved, the rules they belong to, what was last found wrong in which file.

In: changes of texts. Out: rules as they are while somebody types, and diagnostics by file. Nothing here knows the
protocol.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from rulewright.checker.clean_meanings import CleanMeanings
from rulewright.checker.known_games import KnownGame
from rulewright.checker.open_file_check import check_open_file
from rulewright.diagnostics import Diagnostic, Diagnostics, Span, start_key
from rulewright.editor.file_nodes import node_of_file
from rulewright.editor.open_rules import SCENARIOS, OpenRules, is_rule_file, open_rules
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.limits import MAX_LARGE_CHARACTERS
from rulewright.model.locate import NotFound
from rulewright.source.reader import peek_text
from rulewright.source.real_paths import is_within, real_path
from rulewright.source.unsaved import hold_text, release_text

OF_SOME_PLAYERS: Final = lazy_pattern(r"^with [\d, or]+ players?: ")  # how messages begin, once more numbers are judged
ROOT_MARKERS: Final = ("rules", ".git")
Words = tuple[str, str]  # of a diagnostic: its code and its message, at whatever numbers of players


@frozen
class FoundAtFirst:
    """What a check found first, once the rules were built at one number of players, in words, and what only later."""

    words: tuple[Words, ...]
    others: tuple[Diagnostic, ...]


class Workspace:
    """What is open: files, the rules they belong to, what was last reported of which file."""

    def __init__(self) -> None:
        self.open: set[Path] = set()
        self.uris: dict[Path, str] = {}  # of what was opened, as the editor calls it: links are not followed there
        self.folders: tuple[Path, ...] = ()  # that the editor has open
        self._roots: dict[Path, Path | None] = {}  # of the open files, where each would have a folder of its own
        self.versions: dict[Path, int] = {}
        self.known_games: dict[Path, KnownGame] = {}
        self.clean = CleanMeanings()
        self.found: dict[Path, dict[Path, list[Diagnostic]]] = {}  # by the file that was checked
        self.answered_as_before: set[Path] = set()  # files of which only what was known of an earlier text was told
        self._checked: dict[Path, int] = {}  # the last version of each file that was checked
        self._begun: dict[Path, int] = {}  # checks of each file
        self._games: dict[Path, Path | None] = {}  # with which each file was checked last
        self._found_at_first: dict[Path, FoundAtFirst] = {}  # by the last check of a file
        self._rules: dict[Path, OpenRules | None] = {}
        self._readable: dict[Path, OpenRules] = {}  # as they were when a file could last be read

    def uri_of(self, path: Path) -> str:
        """What the editor calls a file."""
        return self.uris.get(path) or path.as_uri()

    def take(self, path: Path, uri: str, text: str) -> int:
        """A file says this now. Returns the number of the change."""
        if path not in self.open:
            self.open.add(path)
            self._roots[path] = root_of(path)
        self.uris[path] = uri
        self.versions[path] = self.versions.get(path, 0) + 1
        self._begun[path] = self._begun.get(path, 0) + 1  # a check that goes on is about another text
        hold_text(path, text)
        rules = open_rules(path, self.all_folders())
        self._rules = {path: rules}
        if rules is None or not rules.is_variant:
            self.known_games = {}  # a file of the game: all that was found in it may be different now
        return self.versions[path]

    def close(self, path: Path) -> set[Path]:
        """The file is what is on the disk again. Returns the files of which its check has spoken."""
        self.open.discard(path)
        self._roots.pop(path, None)
        self.versions.pop(path, None)
        self._checked.pop(path, None)
        self.answered_as_before.discard(path)
        self._begun[path] = self._begun.get(path, 0) + 1
        release_text(path)
        self.forget()
        self._readable.pop(path, None)
        self._found_at_first.pop(path, None)
        self._games.pop(path, None)
        return {*self.found.pop(path, {})}

    def all_folders(self) -> tuple[Path, ...]:
        """The folders that the editor has open, and those of files that are open from elsewhere."""
        roots = {root for root in self._roots.values() if root is not None}
        outside = (root for root in sorted(roots) if not any(map(root.is_relative_to, self.folders)))
        return (*self.folders, *outside) if self.folders else ()

    def forget(self) -> None:
        """Files may have changed on the disk."""
        self._rules.clear()
        self.known_games = {}

    def rules(self, path: Path) -> OpenRules | None:
        """The rules that a file belongs to."""
        if path not in self._rules:
            self._rules[path] = open_rules(path, self.all_folders())
        return self._rules[path]

    def is_large_and_unchecked(self, path: Path, text: str) -> bool:
        """Whether a file takes so long to read that nobody waits for that at each key, and was not read yet."""
        return len(text) > MAX_LARGE_CHARACTERS and self._checked.get(path) != self.versions.get(path)

    def rules_while_typing(self, path: Path, text: str, line: int, *, is_hurried: bool = False) -> OpenRules | None:
        """The rules that a file belongs to; while it cannot be read, those without the line that is typed, or of the
        file on the disk, or of before; of before at once where the file is so large that others take long to read.
        `is_hurried`: also before it is known whether such a file can be read.
        """
        if is_hurried and path in self._readable and self.is_large_and_unchecked(path, text):
            return self._readable[path]
        rules = self.rules(path)
        if not _is_readable(path):
            if len(text) > MAX_LARGE_CHARACTERS and path in self._readable:
                return self._readable[path]
            lines = text.split("\n")
            try:
                hold_text(path, "\n".join([*lines[:line], "", *lines[line + 1 :]]))
                if not _is_readable(path):
                    release_text(path)
                rules = open_rules(path, self.all_folders()) if _is_readable(path) else self._readable.get(path, rules)
                if rules is not None:
                    rules.read_now()  # while the text is held
            finally:
                hold_text(path, text)
        if rules is None or rules.root is None or not rules.is_whole:
            return self._readable.get(path, rules)  # another file of the game cannot be read
        self._readable[path] = rules
        return rules

    def others_to_check(self, path: Path) -> list[Path]:
        """The open files that may say something else now that a file has changed: those of its game if it is not a
        variant, and those that name it.
        """
        rules, others = self.rules(path), sorted(self.open - {path})
        if rules is not None and rules.kind == SCENARIOS:
            return []  # nothing depends on them
        named = {other for other in others if path.stem in peek_text(other)}
        if rules is None or not rules.is_variant:
            named.update(other for other in others if self._belongs_with(other, path, rules))
        return [other for other in others if other in named]

    def _belongs_with(self, other: Path, path: Path, rules: OpenRules | None) -> bool:
        """Whether a file was checked with the game that another is of, or would be now."""
        before, now = self._games.get(other), self.rules(other)
        if before is not None and is_within(path, before):
            return True
        return rules is not None and real_path(rules.game) in (before, now and real_path(now.game))

    def check(self, path: Path) -> dict[Path, list[Diagnostic]]:
        """Checks a file. Returns what is wrong by the file it is found in, also for those of which nothing is said any
        more; what the checks of other files have found there stays.
        """
        *_, found = self.check_in_parts(path)
        return found

    def check_in_parts(self, path: Path) -> Iterator[dict[Path, list[Diagnostic]]]:
        """As `check`, whose result is the last. Before it comes what is found first, if that is something else than
        the last time, then each time with what was not shown yet, and empty results where more is to be judged. Ends
        when another check of the file has begun meanwhile. Nothing is wrong with a file that is none of rules.
        """
        before, first = self._found_at_first.get(path, FoundAtFirst((), ())), None
        shown = {*before.words, *words_of(before.others)}
        number = self._begun[path] = self._begun.get(path, 0) + 1
        rules = self.rules(path)
        self._games[path] = None if rules is None else real_path(rules.game)
        version = self.versions.get(path)
        if not is_rule_file(path):
            yield self._take_found(path, ())
            return
        try:
            for found in check_open_file(path, self.known_games, self.clean):
                if self._begun[path] != number:
                    return
                first = found.diagnostics if first is None else first
                if version is not None:
                    self._checked[path] = version
                if found.is_all:
                    self._found_at_first[path] = found_at_first(first, found.diagnostics)
                    yield self._take_found(path, found.diagnostics)
                    continue
                words = words_of(found.diagnostics)
                if shown.issuperset(words) and (first is not found.diagnostics or words == before.words):
                    yield {}
                    continue
                shown.update(words)
                rules_with = {(each.code.name, each.address) for each in found.diagnostics}
                later = (each for each in before.others if (each.code.name, each.address) not in rules_with)
                yield self._take_found(path, [*found.diagnostics, *later])
        except NotFound:
            yield self._take_found(path, ())

    def _take_found(self, path: Path, diagnostics: Iterable[Diagnostic]) -> dict[Path, list[Diagnostic]]:
        found: dict[Path, list[Diagnostic]] = {path: []}
        for diagnostic in diagnostics:
            found.setdefault(path_of(diagnostic.span), []).append(diagnostic)
        touched = {**found, **self.found.get(path, {})}
        self.found[path] = found
        return {file: self.diagnostics_of(file) for file in touched}

    def diagnostics_of(self, path: Path) -> list[Diagnostic]:
        """What is wrong with a file, each once, whichever file was checked."""
        reported = [diagnostic for found in self.found.values() for diagnostic in found.get(path, ())]
        return list(
            {(each.span.start, each.span.end, each.code.name, each.message): each for each in reported}.values()
        )


def root_of(path: Path) -> Path | None:
    """The nearest folder around a file that looks like one which editors open; None where there is none."""
    return next((folder for folder in path.parents if any((folder / name).exists() for name in ROOT_MARKERS)), None)


def words_of(diagnostics: Iterable[Diagnostic]) -> tuple[Words, ...]:
    """What is said, wherever it stands and whoever plays."""
    return tuple((each.code.name, OF_SOME_PLAYERS.sub("", each.message, count=1)) for each in diagnostics)


def found_at_first(first: Diagnostics, whole: Diagnostics) -> FoundAtFirst:
    """What a check found that began with `first`."""
    known = {start_key(each) for each in first}
    return FoundAtFirst(words_of(first), tuple(each for each in whole if start_key(each) not in known))


def path_of(span: Span) -> Path:
    """The path of the file in which a span is."""
    return real_path(Path(span.source.path))


def _is_readable(path: Path) -> bool:
    diagnostics = Diagnostics()
    return node_of_file(path, diagnostics) is not None and not diagnostics.error_count


__all__ = ["Workspace", "path_of"]

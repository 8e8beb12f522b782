"""`rulewright check`: everything that is wrong with rule files, at every number of players, variants over their game.

In: parsed arguments. Out: diagnostics on stdout; status 1 when one is as grave as `--fail-on`, 2 when a file is
unreadable.
"""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from rulewright.bundle import folder
from rulewright.diagnostics import Diagnostic, Report, Span, draw, short
from rulewright.front.command import FINDINGS, FINE, UNREADABLE, WRONG_USE
from rulewright.front.wrong import Wrong
from rulewright.model import load as loading
from rulewright.text.document import MANIFEST, Document, load_game, shown
from rulewright.text.nodes import Mapping
from rulewright.text.reader import load
from rulewright.text.shape import check_shape
from rulewright.text.variant import Variant, load_variant

SUFFIXES: Final = (".yaml", ".yml")
PARENTS: Final = 3  # how far up a part of a game looks for its manifest


def run(wish: Namespace) -> int:
    """Checks the paths and prints what was found."""
    check = Check(wish.players, wish.game)
    for path in _given(wish.paths):
        check.path(path)
    found = list(check.report)
    if wish.format == "json":
        print(json.dumps({"diagnostics": [data(one) for one in found], "summary": check.counts()}, ensure_ascii=False))
    else:
        for one in found:
            print(short(one) if wish.format == "short" else f"{draw(one)}\n")
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
        elif text in loading.games():
            yield loading.game_path(text)
            yield from loading.variant_paths(text).values()
        else:
            raise Wrong(f"there is no file or folder {text!r}, and no shipped game is called that")
    if not paths:
        yield folder("rules")
        yield folder("variants")


class Check:
    """Complaints about many files; each file, game and variant is looked at once."""

    def __init__(self, players: int | None = None, game: str | None = None) -> None:
        self.report = Report()
        self.players = players
        self.game = game
        self.games: dict[Path, Document | None] = {}
        self.variants: set[Path] = set()
        self.files: set[Path] = set()

    def path(self, path: Path) -> None:
        """Checks a file, a game's folder, or all in a folder."""
        if not path.is_dir():
            self._file(path)
        elif (path / MANIFEST).is_file():
            self._game(path)
        else:
            before = len(self.games) + len(self.variants) + len(self.files)
            for inner in sorted(path.iterdir()):
                if not inner.name.startswith(".") and (inner.is_dir() or inner.suffix in SUFFIXES):
                    self.path(inner)
            if before == len(self.games) + len(self.variants) + len(self.files) and not any(path.rglob("*.y*ml")):
                raise Wrong(f"there is no rule file in {path}")

    def _file(self, path: Path) -> None:
        if path.resolve() in self.files:
            return
        self.files.add(path.resolve())
        node = load(path, self.report, shown_as=shown(path))
        kind = node.entries[0].key.text if isinstance(node, Mapping) and node.entries else ""
        if kind == "game":
            self._game(path.parent if path.name == MANIFEST else path)
        elif kind == "variant":
            self._variant(path)
        elif node is not None:
            check_shape(node, self.report)
            manifest = next(
                (up / MANIFEST for up in list(path.resolve().parents)[:PARENTS] if (up / MANIFEST).is_file()), None
            )
            if manifest is not None and kind in ("part", "rows", "texts", "sources", "table"):
                self._game(manifest.parent)

    # ---- games --------------------------------------------------------------------------------------------

    def _game(self, path: Path) -> Document | None:
        key = path.resolve()
        if key not in self.games:
            self.games[key] = None
            document = load_game(path, self.report)
            self.games[key] = document
            if document is not None:
                for count in self._counts(document, None):
                    self._at(document, count, ())
        return self.games[key]

    def _counts(self, document: Document, variant: Variant | None) -> Iterable[int]:
        fewest, most = loading.player_counts(document)
        low, high = (variant.players if variant is not None else None) or (fewest, most)
        counts = range(max(low, fewest), min(high, most) + 1)
        if self.players is None:
            return counts
        if variant is not None and self.players not in counts:
            return ()
        return (self.players,)  # a number the game does not allow is told as a complaint

    def _at(self, document: Document, players: int, variants: Sequence[str]) -> None:
        # a report for each number: a fault at one of them must not keep the others from being looked at
        report = Report()
        resolved = loading.resolve_document(document, players, variants, report)
        if resolved is not None:
            loading.understood(resolved, report)
        self.report.extend(report)

    # ---- variants -----------------------------------------------------------------------------------------

    def _variant(self, path: Path) -> None:
        if path.resolve() in self.variants:
            return
        self.variants.add(path.resolve())
        variant = load_variant(path, self.report)
        if variant is None:
            return
        base = self._base(variant)
        document = self._game(base)
        if document is None:
            return
        chosen = self._with_required(variant, path)
        for count in self._counts(document, variant):
            self._at(document, count, chosen)

    def _base(self, variant: Variant) -> Path:
        """The game a variant is for: the one named, a shipped one, or one that stands near the variant."""
        if self.game is not None:
            return loading.game_path(self.game)
        for up in variant.path.resolve().parents:
            for place in (up / "rules" / variant.game, up / variant.game):
                if (place / MANIFEST).is_file():
                    return place
                if place.with_suffix(".yaml").is_file() and place.with_suffix(".yaml") != variant.path.resolve():
                    return place.with_suffix(".yaml")
        try:
            return loading.game_path(variant.game)
        except loading.NotFound as error:
            raise Wrong(f"{shown(variant.path)}: {error}; name its game with --game") from None

    def _with_required(self, variant: Variant, path: Path) -> list[str]:
        """The variant and all that it requires, as they are named to be laid over."""
        shipped = loading.variant_paths(variant.game)
        if variant.always and path.resolve() in [one.resolve() for one in shipped.values()]:
            return []  # it is laid over anyway
        chosen = {variant.name: str(path)}
        todo = list(variant.requires)
        while todo:
            name = todo.pop()
            beside = path.parent / f"{name}.yaml"
            found = beside if beside.is_file() else shipped.get(name)
            if name in chosen or found is None:
                continue  # what is missing is told when the variant is laid over
            chosen[name] = str(found)
            other = load_variant(found, self.report)
            todo += other.requires if other is not None else ()
        return list(chosen.values())

    # ---- what was found -----------------------------------------------------------------------------------

    def counts(self) -> dict[str, int]:
        """How much was looked at and found."""
        errors = self.report.errors
        return {
            "games": len(self.games),
            "variants": len(self.variants),
            "errors": errors,
            "warnings": len(self.report) - errors,
        }

    def summary(self) -> str:
        """One line: what was looked at, and how many errors and warnings there are."""
        counts = self.counts()
        looked = [_many(counts["games"], "game"), _many(counts["variants"], "variant")]
        others = len(self.files) - len(self.variants)
        what = ", ".join([one for one in looked if not one.startswith("0 ")] or [_many(others, "file")])
        if not counts["errors"] and not counts["warnings"]:
            return f"checked {what}: nothing found"
        files = len({one.span.source.path for one in self.report})
        return (
            f"checked {what}: {_many(counts['errors'], 'error')} and {_many(counts['warnings'], 'warning')}"
            f" in {_many(files, 'file')}"
        )


def _many(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def place(span: Span) -> dict[str, Any]:
    """A span as JSON data: lines and columns from 1, offsets from 0, the end not included."""
    lines = [span.source.place(offset) for offset in (span.start, span.end)]
    ends = [
        {"line": line, "column": column, "offset": offset}
        for (line, column), offset in zip(lines, (span.start, span.end), strict=True)
    ]
    return {"file": span.source.path, "start": ends[0], "end": ends[1]}


def data(one: Diagnostic) -> dict[str, Any]:
    """A complaint as JSON data."""
    return {
        "code": one.code.number,
        "name": one.code.name,
        "severity": one.severity,
        "message": one.message,
        "label": one.label,
        "help": one.help,
        "address": one.address,
        **place(one.span),
        "related": [{"note": related.note, **place(related.span)} for related in one.related],
    }


__all__ = ["Check", "data", "run"]

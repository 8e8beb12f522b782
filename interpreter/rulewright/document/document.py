"""Puts the files of a game together into one document in which every rule has its address.

In: the path of a game's folder (or of a game in one file). Out: a `Document`, or None when a file could not be read
or has the wrong shape. The manifest in `game.yaml` says which files there are; rows go under their component. The file
of statements has no part in play and may be long: here it is only found, and `statements` reads it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping as Table
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Final

from rulewright import limits
from rulewright.diagnostics import Diagnostics, Related, SourceFile, Span
from rulewright.document import codes
from rulewright.document.address import find_entry, normalize_lists, split_address
from rulewright.document.schema_check import check_file_schema
from rulewright.document.size_check import check_sizes
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode
from rulewright.source.reader import is_within, parse_file, peek_text, real_path
from rulewright.suggestions import did_you_mean, list_names

MANIFEST: Final = "game.yaml"
STATEMENTS_KIND: Final = "statements"  # the kind of file
FIRST_CONTENT_LINE: Final = re.compile(r"^[^#\s].*$", re.MULTILINE)  # that is no comment
HEAD_KEYS: Final = ("game", "version", "language", "text", "players", "overlays", "files", "texts", "source", "status")
GAME_SECTIONS: Final = [
    "kinds",
    "parameters",
    "components",
    "zones",
    "values",
    "state",
    "setup",
    "actions",
    "procedures",
    "turn",
    "round",
    "finale",
    "ranking",
    "invariants",
    "measures",
    "evaluation",
    "strategies",
    "book",
]


@dataclass(frozen=True, slots=True)
class Document:
    """A game from its files. `root`: head and sections; ordered lists are mappings name → step, rows id → fields."""

    root: MappingNode
    texts: Table[str, MappingNode]  # by language: the whole file
    sources: MappingNode | None  # the whole file
    display: MappingNode | None  # the whole file
    path: Path  # of the file with the head
    files: tuple[Path, ...]  # all that were read
    variant_names: tuple[str, ...] = ()  # names of what was laid over, in the order in which it was
    statements_path: Path | None = None  # the file of statements, not read

    @property
    def name(self) -> str:
        """The game's name."""
        head = self.root.get("game")
        return head.text if isinstance(head, ScalarNode) else ""


def source_path(path: Path, relative_to: Path | None = None) -> str:
    """A path as a user would write it: from `relative_to` (default: the current folder) when it lies below that."""
    base = relative_to if relative_to is not None else Path.cwd()
    try:
        return real_path(path).relative_to(real_path(base)).as_posix()
    except ValueError:
        return path.as_posix()


def peek_file_kind(path: Path, within: Path) -> str:
    """Which kind of file it says it is, at a quick look; empty when it would not be opened."""
    written = FIRST_CONTENT_LINE.search(peek_text(path, within))
    return written[0].partition(":")[0] if written else ""


def check_game_name(says: Node | None, game: Node | None, diagnostics: Diagnostics) -> None:
    """Complains of a file that says it belongs to another game than the one that lists it."""
    if isinstance(says, ScalarNode) and isinstance(game, ScalarNode) and says.text != game.text:
        related = [Related(game.span, "the game that lists the file")]
        message = f"this file belongs to `{says.text}`, but `{game.text}` lists it"
        diagnostics.add(says.span, codes.OTHER_GAME, message, label=f"not `{game.text}`", related=related)


def load_document(path: Path, diagnostics: Diagnostics, *, relative_to: Path | None = None) -> Document | None:
    """Reads a game: a folder with `game.yaml`, or one file. None when a file is missing, unreadable or of wrong shape.

    Other faults (an id twice, a file that the manifest does not name) are in the report beside a document.
    """
    if path.is_dir():
        return _Reading(path / MANIFEST, diagnostics, relative_to, path).document()
    return _Reading(path, diagnostics, relative_to, None).document()


@dataclass(slots=True)
class _Reading:
    """One game while its files are read: what was found so far."""

    path: Path
    diagnostics: Diagnostics
    relative_to: Path | None
    folder: Path | None  # of the game, when that is what was named: then its manifest may not lead out of it
    sound: bool = True
    files: list[Path] = field(default_factory=list)
    sections: dict[str, Entry] = field(default_factory=dict)
    rows: dict[str, tuple[ScalarNode, Entry, Entry]] = field(
        default_factory=dict
    )  # component → file's name, head, rows
    texts: dict[str, MappingNode] = field(default_factory=dict)
    single: dict[str, MappingNode] = field(default_factory=dict)  # `sources` and `table`
    reached: dict[Path, tuple[Span, str]] = field(default_factory=dict)  # file → where it is named, its kind
    bytes: int = 0  # of the files that are named
    statements: tuple[Path, ScalarNode] | None = None  # and where it is named

    def document(self) -> Document | None:
        read = self._read(self.path, None)
        if read is None:
            return None
        root, kind = read
        if kind != "game":
            self._wrong_kind(root.entries[0].key.span, kind, "a game begins with `game: …`")
            return None
        head = {entry.key.text: entry for entry in root.entries if entry.key.text in HEAD_KEYS}
        self.reached[real_path(self.path)] = (root.entries[0].key.span, "game")
        self._take_sections(root)
        game = head["game"].value if "game" in head else None
        for list_name in ("files", "texts"):
            for item in _items(head.get(list_name))[: limits.MAX_LISTED_FILES]:
                self._take_file(item, list_name, game)
        self._take_named_rows(game)
        if self.path.name == MANIFEST:
            self._unreached(head.get("files", head.get("game")))
        if not self.sound:
            return None
        self._place_rows()
        whole = MappingNode((*head.values(), *self.sections.values()), root.span)
        done = normalize_lists(whole, (), self.diagnostics)
        assert isinstance(done, MappingNode)
        if not check_sizes(done, self.diagnostics):
            return None
        texts = MappingProxyType(self.texts)
        return Document(
            done,
            texts,
            self.single.get("sources"),
            self.single.get("table"),
            self.path,
            tuple(self.files),
            statements_path=self.statements[0] if self.statements is not None else None,
        )

    # one file
    def _read(self, path: Path, named: ScalarNode | None) -> tuple[MappingNode, str] | None:
        """The file's mapping and its kind, or None (and the game is not sound) when anything is wrong with it."""
        if named is not None and not path.exists() and not path.is_symlink():
            self.sound = False
            self._missing(path, named)
            return None
        own = Diagnostics()  # what is wrong with this file may have been told before, and is wrong all the same
        within = self.folder if named is None else self.path.parent
        node = parse_file(path, own, source_path=source_path(path, self.relative_to), within=within)
        self.files.append(path)
        kind = check_file_schema(node, own) if node is not None else None
        self.diagnostics.extend(own)
        if own.error_count or kind is None:
            self.sound = False
        return (node, kind) if isinstance(node, MappingNode) and kind is not None else None

    def _missing(self, path: Path, named: ScalarNode) -> None:
        def near() -> str:
            found = islice(self.path.parent.rglob("*.yaml"), limits.MAX_SIBLING_FILES)
            return did_you_mean(named.text, sorted(one.relative_to(self.path.parent).as_posix() for one in found))

        message = f"there is no file `{named.text}` in the game's folder"
        self.diagnostics.add(named.span, codes.MISSING_FILE, message, label="not there", help=near)

    def _take_file(self, item: ScalarNode, list_name: str, game: Node | None) -> None:
        if Path(item.text).is_absolute() or ".." in Path(item.text).parts:
            self.sound = False  # told by the shape of the file that names it; nothing outside is even looked at
            return
        path = self.path.parent / item.text
        before = self.reached.get(real_path(path))
        if before is not None:
            related = [Related(before[0], "the first time")]
            self.diagnostics.add(
                item.span,
                codes.FILE_TWICE,
                f"`{item.text}` is listed twice",
                label="the second",
                related=related,
            )
            return
        self.reached[real_path(path)] = (item.span, "")
        self.bytes += path.stat().st_size if path.is_file() else 0
        if self.bytes > limits.MAX_GAME_BYTES:
            self.sound = False
            message = f"up to this file the game has {self.bytes:,} bytes; {limits.MAX_GAME_BYTES:,} are allowed"
            self.diagnostics.add(item.span, codes.OUT_OF_RANGE, message, label="not read")
            return
        if list_name == "files" and peek_file_kind(path, self.path.parent) == STATEMENTS_KIND:
            if self.statements is not None:
                self._same_work(item.span, f"a second file of the kind `{STATEMENTS_KIND}`", self.statements[1].span)
            self.statements = self.statements or (path, item)
            return
        read = self._read(path, item)
        if read is None:
            return
        node, kind = read
        self.reached[real_path(path)] = (item.span, kind)
        wanted = ("texts",) if list_name == "texts" else ("part", "rows", "sources", "table", STATEMENTS_KIND)
        if kind not in wanted:
            hint = "list it under `texts`" if kind == "texts" else f"{list_name} are: {', '.join(wanted)}"
            self._wrong_kind(item.span, kind, hint)
            return
        self._belongs(node, kind, game)
        self._take(node, kind, item)

    def _wrong_kind(self, span: Span, kind: str, hint: str) -> None:
        self.sound = False
        self.diagnostics.add(
            span,
            codes.WRONG_FILE_KIND,
            f"a file of the kind `{kind}` does not belong here",
            label=f"begins with `{kind}:`",
            help=hint,
        )

    def _belongs(self, node: MappingNode, kind: str, game: Node | None) -> None:
        check_game_name(node.get(kind if kind in ("sources", "table") else "for"), game, self.diagnostics)

    def _take(self, node: MappingNode, kind: str, item: ScalarNode) -> None:
        first = node.entries[0]
        name = first.value.text if isinstance(first.value, ScalarNode) else ""
        if kind == "part":
            self._take_sections(node)
        elif kind == "rows":
            things = node.entry("things")
            before = self.rows.get(name)
            if before is not None:
                self._same_work(first.value.span, f"the rows of `{name}` stand in two files", before[1].value.span)
            elif things is not None:
                self.rows[name] = (item, first, things)
        else:
            table, key = (self.texts, name) if kind == "texts" else (self.single, kind)
            other = table.setdefault(key, node)
            if other is not node:
                what = f"{kind}: {name}" if kind == "texts" else kind
                self._same_work(first.key.span, f"a second file of the kind `{what}`", other.entries[0].key.span)

    def _same_work(self, span: Span, message: str, first: Span) -> None:
        self.diagnostics.add(span, codes.FILE_TWICE, message, label="the second", related=[Related(first, "the first")])

    def _take_sections(self, node: MappingNode) -> None:
        for entry in node.entries:
            name = entry.key.text
            if name not in GAME_SECTIONS:
                continue
            known = self.sections.setdefault(name, entry)
            if known is not entry:
                related = [Related(known.key.span, "the first")]
                message = f"the section `{name}` stands in two files"
                self.diagnostics.add(
                    entry.key.span,
                    codes.DUPLICATE_SECTION,
                    message,
                    label="the second",
                    help="one section stands in one file",
                    related=related,
                )

    # rows
    def _components(self) -> MappingNode | None:
        section = self.sections.get("components")
        return section.value if section is not None and isinstance(section.value, MappingNode) else None

    def _take_named_rows(self, game: Node | None) -> None:
        """`rows: tiles.yaml` names a file, in the manifest or not; it has to hold the rows of that component."""
        for component in self._components() or ():
            rows = component.value.get("rows") if isinstance(component.value, MappingNode) else None
            if not isinstance(rows, ScalarNode):
                continue
            name = component.key.text
            if real_path(self.path.parent / rows.text) not in self.reached:
                self._take_file(rows, "files", game)
            given = self.rows.get(name)
            if self.sound and (given is None or given[0].text != rows.text):
                self.sound = False
                message = f"`{rows.text}` does not hold the rows of `{name}`"
                hint = f"a file with them begins with `rows: {name}`"
                self.diagnostics.add(
                    rows.span,
                    codes.WRONG_FILE_KIND,
                    message,
                    label="not its rows",
                    help=hint,
                    address=f"components.{name}.rows",
                )

    def _place_rows(self) -> None:
        """Puts the rows of files under their components."""
        components = self._components()
        known = components.keys() if components is not None else ()
        for name, (_, head, _) in self.rows.items():
            if name not in known:
                hint = did_you_mean(name, known) or list_names("components", known)
                self.diagnostics.add(
                    head.value.span,
                    codes.UNKNOWN_COMPONENT,
                    f"there is no component `{name}`",
                    label="not declared",
                    help=hint,
                )
        if components is None:
            return
        entries = tuple(self._with_rows(component) for component in components)
        section = self.sections["components"]
        self.sections["components"] = Entry(section.key, MappingNode(entries, components.span), section.history)

    def _with_rows(self, component: Entry) -> Entry:
        given = self.rows.get(component.key.text)
        if given is None or not isinstance(component.value, MappingNode):
            return component
        _, head, things = given
        inline = component.value.entry("rows")
        if inline is not None and isinstance(inline.value, SequenceNode):
            self._same_work(head.value.span, f"the rows of `{component.key.text}` stand in two places", inline.key.span)
            return component
        key = inline.key if inline is not None else head.key
        others = tuple(entry for entry in component.value.entries if entry is not inline)
        return Entry(component.key, MappingNode((*others, Entry(key, things.value)), component.value.span))

    # files that nobody names
    def _unreached(self, manifest: Entry | None) -> None:
        variants = self.path.parent / "variants"  # files that are laid over the game are no part of it
        for path in sorted(self.path.parent.rglob("*.yaml")):
            if path.is_relative_to(variants) or real_path(path) in self.reached:
                continue
            if not is_within(path, self.path.parent):
                parse_file(
                    path, self.diagnostics, source_path=source_path(path, self.relative_to), within=self.path.parent
                )
            elif path.is_file():
                source = SourceFile(source_path(path, self.relative_to), peek_text(path))
                related = [Related(manifest.key.span, "the manifest")] if manifest is not None else []
                written = FIRST_CONTENT_LINE.search(source.text)
                message = "the game's manifest does not name this file"
                beside = written is not None and written[0].startswith("scenarios:")
                self.diagnostics.add(
                    Span(source, *written.span()) if written else Span(source, 0, len(source.line_text(1))),
                    codes.UNREACHED_FILE,
                    message,
                    help="scenarios stand beside the game's folder, not in it"
                    if beside
                    else "list it under `files`, or take it away",
                    related=related,
                )


def _items(entry: Entry | None) -> list[ScalarNode]:
    if entry is None or not isinstance(entry.value, SequenceNode):
        return []
    return [item for item in entry.value if isinstance(item, ScalarNode)]


__all__ = ["GAME_SECTIONS", "HEAD_KEYS", "Document", "find_entry", "load_document", "source_path", "split_address"]

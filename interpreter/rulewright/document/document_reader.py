"""Merges the files of a game into one document in which every rule has its address.

In: the path of a game's folder (or of a game in one file). Out: a `Document`, or None when a file could not be read
or has the wrong shape. The manifest `game.yaml` lists the files; rows are placed in their component. Files that only
explain the rules (sources, passages of the rulebook, printed statements) have no part in play: here they are only
located, and `unread_files` reads them.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from rulewright import limits
from rulewright.diagnostics import Diagnostics, Related, Span
from rulewright.document import codes
from rulewright.document.address import normalize_sections
from rulewright.document.document import Adjustment, Document, UnreadFile, check_game_name, check_language_named
from rulewright.document.game_files import FIRST_CONTENT_LINE, MANIFEST, is_inside, source_path
from rulewright.document.joined_sections import joined_section
from rulewright.document.language import GAME_SECTIONS, HEAD_KEYS, PROVENANCE_KEYS
from rulewright.document.listed_files import ListedFiles
from rulewright.document.schema_check import check_file_schema
from rulewright.document.sentences_apart import (
    SENTENCES_KEY,
    Titles,
    place_english_texts,
    place_sentences,
    without_sentences,
)
from rulewright.document.size_check import check_sizes
from rulewright.frozen import field, mutable
from rulewright.source.file_text import is_present_folder
from rulewright.source.node_memo import Same
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode, as_mapping
from rulewright.source.reader import file_size, is_present, is_present_file, parse_file, peek_text
from rulewright.source.real_paths import real_path
from rulewright.suggestions import WordHint, did_you_mean, list_names

if TYPE_CHECKING:
    from rulewright.document.mended_nodes import Removed

LISTED_KINDS: Final = ("part_of", "rows", "sources", "display", "statements", "adjusts")  # of files under `files`
BOOK_FILE_KEYS: Final = frozenset({"part_of", "book"}) | PROVENANCE_KEYS  # of a part that has nothing but the book


def _explanation_kind(path: Path, within: Path) -> str:
    """What a file explains (the `kind` of an `UnreadFile`), empty for rules. Only the starts of lines are read."""
    keys: list[str] = [line.partition(":")[0] for line in FIRST_CONTENT_LINE.findall(peek_text(path, within))]
    if keys and keys[0] in ("sources", "statements"):
        return keys[0]
    return "book" if "book" in keys and BOOK_FILE_KEYS.issuperset(keys) else ""


def load_mended_document(path: Path) -> tuple[Document, list[Removed]] | None:
    """The same game without the parts that have a wrong shape; None where more than that is wrong."""
    is_folder = is_present_folder(path)
    reader = _DocumentReader(
        path / MANIFEST if is_folder else path, Diagnostics(), path if is_folder else None, is_mended=True
    )
    document = reader.document()
    return None if document is None else (document, reader.removed)


def load_document(path: Path, diagnostics: Diagnostics) -> Document | None:
    """Reads a game: a folder with `game.yaml`, or one file. None when a file is missing, unreadable or of wrong shape.

    Other mistakes (a duplicate id, a file that the manifest does not list) are reported without losing the document.
    """
    if is_present_folder(path):
        return _DocumentReader(path / MANIFEST, diagnostics, path).document()
    return _DocumentReader(path, diagnostics, None).document()


@mutable
class _DocumentReader:
    """Reads the files of one game and collects their content."""

    path: Path
    diagnostics: Diagnostics
    folder: Path | None  # of the game, when a folder was given: then its manifest must be inside it
    is_valid: bool = True
    is_mended: bool = False  # files of a wrong shape are read without what is wrong in them
    removed: list[Removed] = field(default_factory=list)  # what was wrong in them
    files: list[Path] = field(default_factory=list)
    sections: dict[str, Entry] = field(default_factory=dict)
    rows: dict[str, tuple[ScalarNode, Entry, Entry]] = field(
        default_factory=dict
    )  # component → where its file is listed, head, rows
    texts: dict[str, MappingNode] = field(default_factory=dict)
    display: MappingNode | None = None
    listed: dict[Path, tuple[Span, str]] = field(default_factory=dict)  # file → where it is listed, its kind
    misplaced: set[Path] = field(default_factory=set)  # files that are listed where their kind does not belong
    not_found: list[ScalarNode] = field(default_factory=list)  # names of files that are not there
    total_bytes: int = 0  # of the listed files
    unread: list[UnreadFile] = field(default_factory=list)
    part_heads: list[MappingNode] = field(default_factory=list)
    adjustments: list[Adjustment] = field(default_factory=list)

    def document(self) -> Document | None:
        parsed = self._read_file(self.path, None)
        if parsed is None:
            return None
        root, kind = parsed
        if kind != "game":
            self._report_wrong_kind(root.entries[0].key.span, kind, "begin a game with `game: …`")
            return None
        head = {entry.key.text: entry for entry in root.entries if entry.key.text in HEAD_KEYS}
        head.pop("allow", None)  # no part of the rules: the checker reads it where it is
        sentences = as_mapping(head.pop(SENTENCES_KEY).value if SENTENCES_KEY in head else None)
        self.listed[real_path(self.path)] = (root.entries[0].key.span, "game")
        self._take_sections(root)
        game = head["game"].value if "game" in head else None
        for list_name in ("files", "texts"):
            for item in _items(head.get(list_name))[: limits.MAX_LISTED_FILES]:
                self._take_listed_file(item, list_name, game)
        self._take_named_rows(game)
        files = ListedFiles(self.path, self.listed, self.not_found, self.diagnostics)
        files.report_missing()
        if self.path.name == MANIFEST:
            files.report_unlisted(root, head)
        if not self.is_valid:
            return None
        self._place_rows()
        merged = MappingNode((*head.values(), *self.sections.values()), root.span)
        normalized = normalize_sections(merged, self.diagnostics)
        if not check_sizes(normalized, self.diagnostics):
            return None
        titles: Titles = ()
        normalized, titles = place_sentences(normalized, sentences, titles, self.diagnostics)
        normalized, titles = place_english_texts(normalized, self.texts, titles, self.diagnostics)
        texts = MappingProxyType(without_sentences(self.texts))
        return Document(
            normalized,
            texts,
            None,
            self.display,
            self.path,
            tuple(self.files),
            unread=tuple(self.unread),
            part_heads=tuple(self.part_heads),
            adjustments=tuple(self.adjustments),
            titles=titles,
        )

    # one file
    def _read_file(self, path: Path, item: ScalarNode | None) -> tuple[MappingNode, str] | None:
        """The file's mapping and its kind, or None (and the game is not valid) when it could not be read."""
        if item is not None and not is_present(path, even_as_link=True):
            self.is_valid = False
            self.not_found.append(item)
            return None
        file_diagnostics = Diagnostics()  # of its own: what is reported already makes this file invalid all the same
        within = self.folder if item is None else self.path.parent
        node = parse_file(path, file_diagnostics, source_path=source_path(path), within=within)
        self.files.append(path)
        kind = check_file_schema(node, file_diagnostics) if node is not None else None
        missing = self._missing_files(node) if item is None else frozenset()
        self.diagnostics.merge(  # a listed file that does not exist is reported once, as that
            file_diagnostics,
            lambda one: None if one.code is codes.WRONG_FORM and one.span in missing else one,
        )
        if self.is_mended and kind is not None and isinstance(node, MappingNode):
            from rulewright.document.mended_nodes import mend  # most files have the right shape

            mended = mend(node, kind)
            if mended is not None:
                self.removed.append(mended[1])
                return mended[0], kind
        if file_diagnostics.error_count or kind is None:
            self.is_valid = False
        return (node, kind) if isinstance(node, MappingNode) and kind is not None else None

    def _missing_files(self, node: Node | None) -> frozenset[Span]:
        """Where a manifest lists files that do not exist."""
        lists = (_items(node.entry(name)) for name in ("files", "texts")) if isinstance(node, MappingNode) else ()
        names = [item for items in lists for item in items[: limits.MAX_LISTED_FILES] if is_inside(item.text)]
        return frozenset(item.span for item in names if not is_present(self.path.parent / item.text))

    def _take_listed_file(self, item: ScalarNode, list_name: str, game: Node | None) -> None:
        if not is_inside(item.text):
            self.is_valid = False  # reported by the schema check of the file that lists it; nothing outside is touched
            return
        path = self.path.parent / item.text
        earlier = self.listed.get(real_path(path))
        if earlier is not None:
            if list_name == "texts" and real_path(path) in self.misplaced:  # its place in `files` is reported
                return
            related = [Related(earlier[0], "first listed here")]
            self.diagnostics.add(
                item.span,
                codes.FILE_TWICE,
                f"`{item.text}` is listed twice",
                label="listed again",
                related=related,
            )
            return
        self.listed[real_path(path)] = (item.span, "")
        self.total_bytes += file_size(path) if is_present_file(path) else 0
        if self.total_bytes > limits.MAX_GAME_BYTES:
            self.is_valid = False
            message = f"with this file the game is over the limit of {limits.MAX_GAME_BYTES:,} bytes"
            self.diagnostics.add(item.span, codes.OUT_OF_RANGE, message, label="not read")
            return
        explanation = _explanation_kind(path, self.path.parent) if list_name == "files" else ""
        if explanation:
            self._take_unread(UnreadFile(explanation, path, item, after=next(reversed(self.sections), "")))
            return
        parsed = self._read_file(path, item)
        if parsed is None:
            return
        node, kind = parsed
        self.listed[real_path(path)] = (item.span, kind)
        expected_kinds = ("texts",) if list_name == "texts" else LISTED_KINDS
        if kind not in expected_kinds:
            self.misplaced.add(real_path(path))
            hint = "list it under `texts`" if kind == "texts" else f"expected one of: {', '.join(expected_kinds)}"
            self._report_wrong_kind(item.span, kind, hint)
            return
        self._check_belongs(path, node, kind, game)
        if kind == "sources" or kind == "statements":
            self._take_unread(UnreadFile(kind, path, item))
        else:
            self._take_content(path, node, kind, item)

    def _take_unread(self, file: UnreadFile) -> None:
        first = next((other for other in self.unread if other.kind == file.kind != "book"), None)
        if first is None:
            self.unread.append(file)
        else:
            self._report_same_content(file.item.span, f"duplicate `{file.kind}` file", first.item.span)

    def _report_wrong_kind(self, span: Span, kind: str, hint: str) -> None:
        self.is_valid = False
        self.diagnostics.add(
            span,
            codes.WRONG_FILE_KIND,
            f"unexpected file of kind `{kind}`",
            label=f"begins with `{kind}:`",
            help=hint,
        )

    def _check_belongs(self, path: Path, node: MappingNode, kind: str, game: Node | None) -> None:
        check_game_name(node.get("for" if kind in ("rows", "texts") else kind), game, self.diagnostics)
        if kind == "texts" and not check_language_named(path, node.get(kind), self.diagnostics):
            self.is_valid = False  # else every sentence would be missing in one language, or be there twice

    def _take_content(self, path: Path, node: MappingNode, kind: str, item: ScalarNode) -> None:
        first = node.entries[0]
        name = first.value.text if isinstance(first.value, ScalarNode) else ""
        if kind == "part_of":
            self._take_sections(node)
            if PROVENANCE_KEYS.intersection(node.keys()):
                self.part_heads.append(node)
        elif kind == "rows":
            things = node.entry("things")
            earlier = self.rows.get(name)
            if earlier is not None:
                self._report_same_content(first.value.span, f"`{name}` has rows in two files", earlier[1].value.span)
            elif things is not None:
                self.rows[name] = (item, first, things)
        elif kind == "adjusts":
            self._take_adjustment(Adjustment(path, node))
        elif kind == "texts":
            self._report_second(node, self.texts.setdefault(name, node), f"texts: {name}")
        else:
            self.display = self.display or node
            self._report_second(node, self.display, kind)

    def _take_adjustment(self, adjustment: Adjustment) -> None:
        first = next((other for other in self.adjustments if other.players == adjustment.players), None)
        if first is None:
            self.adjustments.append(adjustment)
            return
        places = [one.root.entry("players") for one in (adjustment, first)]
        spans = [entry.value.span for entry in places if entry is not None]
        self._report_same_content(spans[0], f"two files for {adjustment.players} players", spans[1])

    def _report_second(self, node: MappingNode, first: MappingNode, noun: str) -> None:
        if node is not first:
            span = node.entries[0].key.span
            self._report_same_content(span, f"duplicate `{noun}` file", first.entries[0].key.span)

    def _report_same_content(self, span: Span, message: str, first: Span) -> None:
        self.diagnostics.add(span, codes.FILE_TWICE, message, label="the second", related=[Related(first, "the first")])

    def _take_sections(self, node: MappingNode) -> None:
        """The sections of a file: of one that other files have too, its entries come behind theirs."""
        for entry in node.entries:
            name = entry.key.text
            if name in GAME_SECTIONS:
                first = self.sections.get(name)
                self.sections[name] = entry if first is None else joined_section(first, entry, self.diagnostics)

    # rows
    def _components_section(self) -> MappingNode | None:
        section = self.sections.get("components")
        return section.value if section is not None and isinstance(section.value, MappingNode) else None

    def _take_named_rows(self, game: Node | None) -> None:
        """`rows: tiles.yaml` names a file, in the manifest or not; it must contain the rows of that component."""
        for component in self._components_section() or ():
            rows = component.value.get("rows") if isinstance(component.value, MappingNode) else None
            if not isinstance(rows, ScalarNode) or not rows.text:
                continue
            name = component.key.text
            if real_path(self.path.parent / rows.text) not in self.listed:
                self._take_listed_file(rows, "files", game)
            rows_file = self.rows.get(name)
            if self.is_valid and (rows_file is None or rows_file[0].text != rows.text):
                self.is_valid = False
                message = f"`{rows.text}` does not contain the rows of `{name}`"
                hint = f"begin the file with `rows: {name}`"
                self.diagnostics.add(
                    rows.span,
                    codes.WRONG_FILE_KIND,
                    message,
                    label="rows of something else",
                    help=hint,
                    address=f"components.{name}.rows",
                )

    def _place_rows(self) -> None:
        """Moves the rows from their files into their components."""
        components = self._components_section()
        known = components.keys() if components is not None else ()
        without_rows = {
            component.key.text
            for component in components or ()
            if isinstance(component.value, MappingNode) and "rows" not in component.value
        }
        for name, (_, head, _) in [*self.rows.items()]:
            if name not in known:
                nearest = did_you_mean(name, known)
                hint = nearest or list_names("components", known)
                if isinstance(nearest, WordHint) and nearest.is_certain and nearest.meant in without_rows:
                    self.rows.setdefault(nearest.meant, self.rows[name])  # nothing is said of what lacks them
                self.diagnostics.add(
                    head.value.span,
                    codes.UNKNOWN_COMPONENT,
                    f"unknown component `{name}`",
                    label="not declared",
                    help=hint,
                )
        if components is None:
            return
        entries = tuple(self._with_rows(component) for component in components)
        section = self.sections["components"]
        values = tuple(Same(entry.value) for entry in entries)
        self.sections["components"] = Entry(section.key, _with_values(Same(components), values), section.history)

    def _with_rows(self, component: Entry) -> Entry:
        rows_file = self.rows.get(component.key.text)
        if rows_file is None or not isinstance(component.value, MappingNode):
            return component
        _, head, things = rows_file
        inline = component.value.entry("rows")
        if inline is not None and isinstance(inline.value, SequenceNode):
            self._report_same_content(
                head.value.span, f"`{component.key.text}` has rows in two places", inline.key.span
            )
            return component
        key = inline.key if inline is not None else head.key
        return Entry(component.key, _with_rows(Same(component.value), Same(key), Same(things.value)))


# the same nodes each time, so that they are known where their files are
@lru_cache(maxsize=limits.MAX_REMEMBERED_LARGE_FILES)
def _with_values(section: Same[MappingNode], values: tuple[Same[Node], ...]) -> MappingNode:
    """A section with other values of its entries."""
    pairs = zip(section.value.entries, values, strict=True)
    return MappingNode(tuple(Entry(entry.key, value.value) for entry, value in pairs), section.value.span)


@lru_cache(maxsize=limits.MAX_REMEMBERED_FILES)
def _with_rows(component: Same[MappingNode], key: Same[ScalarNode], rows: Same[Node]) -> MappingNode:
    """A component with its rows."""
    others = tuple(entry for entry in component.value.entries if entry.key.text != "rows")
    return MappingNode((*others, Entry(key.value, rows.value)), component.value.span)


def _items(entry: Entry | None) -> list[ScalarNode]:
    if entry is None or isinstance(entry.value, MappingNode):
        return []
    if isinstance(entry.value, ScalarNode):  # a single name, whose lack of brackets is reported
        return [] if "," in entry.value.text else [entry.value]
    return [item for item in entry.value if isinstance(item, ScalarNode)]


__all__ = ["load_document"]

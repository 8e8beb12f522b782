"""TakenSentences that stood among the rules, in the files in which they stand apart today.

In: the files of a game, or a variant. Out: edits of them; `texts/en.yaml` of a game that has its texts in files, else
`sentences` behind the rules of the game or behind the changes of the variant.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from rulewright.document.language import CHANGE_KEYS
from rulewright.document.migration.migration_edits import Edit, is_flow, node_end, removals
from rulewright.document.migration.migration_file_set import FileSet, GameFiles
from rulewright.document.migration.migration_flow import has_comment
from rulewright.document.migration.migration_sentence_lines import (
    Languages,
    RuleOrder,
    as_yaml,
    by_language,
    insertions,
    new_lines,
)
from rulewright.document.migration.migration_sentences import (
    TakenSentences,
    flow_edits,
    take_from_changes,
    take_from_rules,
)
from rulewright.document.migration.migration_titles import (
    TitlesFound,
    take_display_titles,
    take_passage_titles,
    take_translated_titles,
)
from rulewright.document.sentence_places import ENGLISH_CODE
from rulewright.source.nodes import Entry, MappingNode, SequenceNode, as_mapping, text_or_default

ENGLISH_FILE = "texts/en.yaml"
SCHEMA_LINE = "# yaml-language-server: $schema=../../../schemas/texts.schema.json\n"
ENGLISH_COMMENT = "what only the printed book says, and what rules are called; the rest stands beside the rules"
BOOK_PREFIX = "book."


def migrate_titles(files: FileSet, game: GameFiles) -> None:
    """Gives the rules of a game their titles by address."""
    manifest = files.root(game.manifest)
    if manifest is None:
        return
    found = TitlesFound()
    for path in dict.fromkeys((game.manifest, *game.parts)):
        root = files.root(path)
        book = None if root is None else root.entry("book")
        if root is None or book is None or root.entries[0].key.text not in ("game", "part_of"):
            continue
        found.edits = []
        if take_passage_titles(found, as_mapping(book.value)):
            found.edits += removals(root, [book])
        files.edit(path, found.edits)
    for path in game.parts:
        root = files.root(path)
        if root is None:
            continue
        found.edits = []
        if root.entries[0].key.text == "display":
            take_display_titles(found, root)
            files.edit(path, found.edits)
        elif root.entries[0].key.text == "texts":
            code = text_or_default(root.get("texts"))
            files.edit(path, tuple(take_translated_titles(found, code, as_mapping(root.get("sentences")))))
    titles = {f"{address}.title": title for address, title in found.titles.items()}
    if titles:
        put_apart(files, game, titles)
        files.done.append(f"{game.manifest.parent}: titles of rules, by address")


def migrate_sentences(files: FileSet, game: GameFiles) -> None:
    """Moves what only the printed book says, and translations, from the rules of a game to its files of texts."""
    known = _known_addresses(files, game)
    if not known:
        return
    by_address: dict[str, Languages] = {}
    for path in dict.fromkeys((game.manifest, *game.parts)):
        root = files.root(path)
        if root is None or root.entries[0].key.text not in ("game", "part_of"):
            continue
        found = take_from_rules(root, known)
        by_address |= found.by_address
        _take_out(files, path, found)
    if by_address:
        put_apart(files, game, by_address)
        files.done.append(f"{game.manifest.parent}: {len(by_address)} sentences of the book, to its texts")


def _known_addresses(files: FileSet, game: GameFiles) -> Mapping[str, Collection[str]]:
    """The addresses in the files of texts of a game that more can be written to, by language; none without any."""
    known: dict[str, Collection[str]] = {}
    codes = set[str]()
    for root in (files.root(path) for path in game.parts):
        if root is not None and root.entries[0].key.text == "texts":
            code, block = text_or_default(root.get("texts")), as_mapping(root.get("sentences"))
            codes.add(code)
            if block.entries and not is_flow(block):
                known[code] = block.keys()
    if codes and ENGLISH_CODE not in codes and not (game.manifest.parent / ENGLISH_FILE).exists():
        known[ENGLISH_CODE] = ()
    return known


def _take_out(files: FileSet, path: Path, found: TakenSentences) -> None:
    """Edits a file from which sentences have gone."""
    files.edit(path, found.edits)
    root = files.root(path)
    if found.lost and root is not None:
        files.edit(path, tuple(flow_edits(root, found.lost)))


def put_apart(files: FileSet, game: GameFiles, sentences: Mapping[str, Languages]) -> None:
    """Adds sentences of a game to where they stand apart."""
    roots = [root for path in (game.manifest, *game.parts) if (root := files.root(path)) is not None]
    order = RuleOrder(root for root in roots if root.entries[0].key.text in ("game", "part_of"))
    text_files = {
        text_or_default(root.get("texts")): path
        for path in game.parts
        if (root := files.root(path)) is not None and root.entries[0].key.text == "texts"
    }
    if not text_files:
        manifest = files.root(game.manifest)
        assert manifest is not None
        lines = {address: as_yaml(sentence) for address, sentence in sentences.items()}
        files.edit(game.manifest, tuple(_section_edits(manifest, lines, order, manifest.entries[-1])))
        return
    by_code: dict[str, dict[str, str]] = {ENGLISH_CODE: {}}
    for address, sentence in sentences.items():
        for code, text in sentence.items():
            by_code.setdefault(code, {})[address] = as_yaml({ENGLISH_CODE: text})
    name = text_or_default(as_mapping(files.root(game.manifest)).get("game"))
    if ENGLISH_CODE not in text_files and not (game.manifest.parent / ENGLISH_FILE).exists():
        _add_english_file(files, game, name, by_code.pop(ENGLISH_CODE), order)
    for code, lines in by_code.items():
        root = files.root(text_files[code]) if code in text_files else None
        block = None if root is None else root.get("sentences")
        if not isinstance(block, MappingNode) or not block.entries or is_flow(block):
            files.left += [
                f"{game.manifest}: no file of texts in `{code}` for `{address}: {text}`"
                for address, text in lines.items()
            ]
            continue
        files.edit(text_files[code], tuple(insertions(block, lines, order)))


def _add_english_file(files: FileSet, game: GameFiles, name: str, lines: Mapping[str, str], order: RuleOrder) -> None:
    path = game.manifest.parent / ENGLISH_FILE
    head = f"{SCHEMA_LINE}texts: {ENGLISH_CODE}\nfor: {name}\n\nsentences:{' ' * 24}# {ENGLISH_COMMENT}\n"
    files.texts[path] = head + new_lines(lines, order)
    game.parts.append(path)
    manifest = files.root(game.manifest)
    listed = None if manifest is None else manifest.get("texts")
    if isinstance(listed, SequenceNode) and listed.items:
        start = listed.items[0].span.start
        between = f"{ENGLISH_FILE}, " if is_flow(listed) else f"{ENGLISH_FILE}\n  - "
        files.edit(game.manifest, [Edit(start, start, between)])


def migrate_variant_titles(files: FileSet, path: Path, root: MappingNode) -> None:
    """Gives what a variant brings its titles by address."""
    found = TitlesFound()
    gone: list[Entry] = []
    for key in CHANGE_KEYS:
        changes = root.entry(key)
        passages = None if changes is None else changes.value
        if not isinstance(passages, MappingNode):
            continue
        if take_passage_titles(found, passages, prefix=BOOK_PREFIX) and changes is not None:
            gone.append(changes)
    display = root.entry("display")
    if display is not None:
        known = len(found.edits)
        take_display_titles(found, as_mapping(display.value))
        if len(found.edits) > known and [entry.key.text for entry in as_mapping(display.value)] == ["actions"]:
            del found.edits[known:]
            gone.append(display)
    if not found.titles:
        return
    files.edit(path, (*found.edits, *removals(root, gone)))
    edited = files.root(path)
    if edited is not None:
        lines = {f"{address}.title": as_yaml(title) for address, title in found.titles.items()}
        files.edit(path, tuple(_section_edits(edited, lines, RuleOrder([]), _last_change(edited))))
        files.done.append(f"{path}: titles of rules, by address")


def migrate_variant_sentences(files: FileSet, path: Path, root: MappingNode) -> None:
    """Moves what the changes of a variant say behind them."""
    found = take_from_changes(root)
    known = as_mapping(root.get("sentences"))
    if not found.by_address or any(entry.key.text in found.by_address for entry in known):
        return
    order = RuleOrder([])
    order.add_changes(root)
    _take_out(files, path, found)
    edited = files.root(path)
    if edited is None:
        return
    block, text = edited.entry("sentences"), files.text(path)
    lines = {address: as_yaml(sentence) for address, sentence in found.by_address.items()}
    if (
        block is not None
        and not is_flow(block.value)
        and not has_comment(text, block.key.span.start, node_end(block.value), block.value)
    ):
        own = {entry.key.text: as_yaml(by_language(entry.value)) for entry in as_mapping(block.value)}
        end = node_end(block.value)
        files.edit(path, [Edit(block.key.span.start, end, f"sentences:\n{new_lines(lines | own, order)}".rstrip())])
    else:
        files.edit(path, tuple(_section_edits(edited, lines, order, _last_change(edited))))
    files.done.append(f"{path}: {len(lines)} sentences, behind the changes")


def _last_change(root: MappingNode) -> Entry:
    """The entry of a variant behind which its sentences stand."""
    changes = [entry for entry in root if entry.key.text in (*CHANGE_KEYS, "remove")]
    return changes[-1] if changes else [entry for entry in root if entry.key.text != "display"][-1]


def _section_edits(root: MappingNode, lines: Mapping[str, str], order: RuleOrder, last: Entry) -> Iterator[Edit]:
    """Edits that add lines to the `sentences` of a file, which come behind the entry `last` if there are none yet."""
    block = root.get("sentences")
    if isinstance(block, MappingNode) and block.entries and not is_flow(block):
        yield from insertions(block, lines, order)
        return
    text = root.span.source.text
    end = text.find("\n", node_end(last.value))
    place = len(text) if end < 0 else end + 1
    start = "" if text[:place].endswith("\n") else "\n"
    between = "\n" if place == len(text) and "game" in root else ""
    yield Edit(place, place, f"{start}{between}sentences:\n{new_lines(lines, order)}")


__all__ = [
    "migrate_sentences",
    "migrate_titles",
    "migrate_variant_sentences",
    "migrate_variant_titles",
    "put_apart",
]

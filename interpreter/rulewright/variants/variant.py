"""A variant: which game it is for, which other variants it needs, and the changes that it makes.

In: the path of a variant file, or a setting of the command line such as `goal=21`. Out: a `Variant` with its `Change`s.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal

from rulewright import limits
from rulewright.diagnostics import Diagnostics, SourceFile, Span
from rulewright.document import codes as document_codes
from rulewright.document.address import AddressParts, split_address
from rulewright.document.document import Adjustment, Document, check_game_name, source_path
from rulewright.document.schema_check import check_file_schema
from rulewright.document.sentence_places import TEXT_KEY, enclosing_sentence, sentence_parts, with_language
from rulewright.frozen import frozen, replace
from rulewright.source.file_looks import note_look
from rulewright.source.file_text import is_present_folder
from rulewright.source.node_memo import Same
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode, as_items, as_mapping
from rulewright.source.plain_scalars import scalar_kind, scalar_value
from rulewright.source.reader import parse_file
from rulewright.variants import codes
from rulewright.variants.variant_names import SETTING_SIGN

VariantKind = Literal["variant", "joins", "adjusts"]  # the first key of its file
Operation = Literal["set", "adjust", "add", "insert", "sentences", "remove"]
LIST_OPERATIONS: Final[dict[str, Operation]] = {
    "extend": "add",
    "drop": "remove",
}  # keyword of a list → what each of its items does
TEXTS_FOLDER: Final = "texts"  # beside variants, with a folder for each language
ANCHOR_KEYS: Final = ("before", "after", "at")


@frozen
class Change:
    """One change at an address. `anchor`: the `before:`, `after:` or `at:` of an insertion.

    An `extend` or `drop` is an addition or removal of each `item` of its list, with the item's name after the address.
    """

    operation: Operation
    variant: str
    key: ScalarNode  # the address as written
    parts: AddressParts
    payload: Node | None = None  # None: a removal
    expects: Node | None = None
    anchor: Entry | None = None
    item: ScalarNode | None = None
    is_setting: bool = False  # given on the command line: then a change without effect is no mistake

    @property
    def address(self) -> str:
        """The address as a string."""
        return ".".join(self.parts)

    @property
    def is_of_words(self) -> bool:
        """Whether it changes only what people read."""
        return self.operation == "sentences" or enclosing_sentence(self.parts) is not None

    @property
    def new_value(self) -> Node | None:
        """The new value, or any bare value for an `adjust`, which adjusts a bare value."""
        return self.key if self.operation == "adjust" else self.payload

    @property
    def keyword(self) -> str:
        """The operation as written in the variant."""
        if self.is_setting:
            return "--set"
        return (
            self.operation
            if self.item is None
            else next(keyword for keyword, operation in LIST_OPERATIONS.items() if operation == self.operation)
        )

    @property
    def span(self) -> Span:
        """Where the variant has this change."""
        return self.key.span if self.item is None else self.item.span

    @property
    def value_span(self) -> Span:
        """What it sets, where that is a number, a word or an expression; else as `span`."""
        is_value = self.operation in ("add", "set", "adjust") and isinstance(self.payload, ScalarNode)
        return self.payload.span if is_value and self.payload is not None else self.span

    def last_name(self) -> ScalarNode:
        """The last name of the address as a key, with its place in the variant."""
        if self.item is not None:
            return self.item
        name = self.parts[-1]
        end = len(self.key.text)
        return ScalarNode(name, name, self.key.subspan(end - len(name), end))

    def name_span(self, index: int) -> Span:
        """Where the variant has the name with that index of the address."""
        if self.item is not None and index == len(self.parts) - 1:
            return self.item.span
        # from the end, since `members` may be left out before the last name
        names = split_address(self.key.text)
        if self.operation == "sentences":  # what is said stands behind the address
            index += len(self.parts) - len(names)
        position = max(0, min(len(names) - 1, index - len(self.parts) + len(names) + (self.item is not None)))
        start = sum(len(name) + 1 for name in names[:position])
        return self.key.subspan(start, start + len(names[position]))


@frozen
class Translation:
    """A sentence of a variant in another language. `entry`: its address and the sentence."""

    language: str
    entry: Entry


@frozen
class Variant:
    """A variant as read from its file. `players`: the fewest and the most it is for, None for all numbers.

    `kind`: a `variant` is chosen by its name; a file that `joins` others is a part of the rules wherever those are
    played, one that `adjusts` a game at a number of players; both are named like their files. What is joined is
    required.
    """

    name: str
    game: str
    players: tuple[int, int] | None
    group: str
    requires: tuple[str, ...]
    conflicts: tuple[str, ...]
    after: tuple[str, ...]
    changes: tuple[Change, ...]
    root: MappingNode
    path: Path
    kind: VariantKind = "variant"
    translations: tuple[Translation, ...] = ()  # of what it says, in files of their own

    @property
    def still_true(self) -> frozenset[str]:
        """The addresses of the sentences that stay true although it changes what they speak of."""
        listed = as_items(self.root.get("still_true"))
        return frozenset(item.text for item in listed if isinstance(item, ScalarNode))

    @property
    def text(self) -> Node | None:
        """Its name and description for people."""
        return self.root.get("text")

    def head_span(self, key: str = "variant") -> Span:
        """The value of a key of the head; that of the first when there is no such key."""
        value = self.root.get(key)
        return value.span if value is not None else self.root.entries[0].value.span


def parse_player_range(node: Node | None) -> tuple[int, int] | None:
    """The fewest and the most players of `2` or `2 to 4`; None for anything else."""
    if not isinstance(node, ScalarNode):
        return None
    ends = node.text.split(" to ")
    if not all(end.isdecimal() for end in ends):
        return None
    fewest, most = (int(end[: limits.MAX_PLAYER_DIGITS]) for end in (ends[0], ends[-1]))
    return fewest, most


_Loaded = dict[tuple[Path, Same[Document | None]], tuple[Variant | None, Diagnostics]]
_loaded: Final[ContextVar[_Loaded | None]] = ContextVar("loaded", default=None)


@contextmanager
def variants_read_once() -> Iterator[None]:
    """Within it each variant file is read once for a game, however often it is asked for: those that join variants are
    with each number of players. What changes meanwhile is seen afterwards.
    """
    token = _loaded.set({})
    try:
        yield
    finally:
        _loaded.reset(token)


def load_variant(path: Path, diagnostics: Diagnostics, *, base: Document | None = None) -> Variant | None:
    """Reads a variant file; None when it is unreadable or of wrong shape.

    `base`: the game it is for, if known; diagnostics then point to the rules that the variant means.
    """
    seen, key = _loaded.get(), (path, Same(base))
    loaded = None if seen is None else seen.get(key)
    if loaded is None:
        reported = Diagnostics()
        loaded = _load_variant(path, reported, base), reported
        if seen is not None:
            seen[key] = loaded
    variant, reported = loaded
    diagnostics.extend(reported)
    return variant


def _load_variant(path: Path, diagnostics: Diagnostics, base: Document | None) -> Variant | None:
    file_diagnostics = Diagnostics()  # of its own: what is reported already makes this file invalid all the same
    node = parse_file(path, file_diagnostics, source_path=source_path(path))
    variant = _variant_from_file(path, node, file_diagnostics)
    variant = None if variant is None else _with_translations(variant, file_diagnostics)
    if base is None or not len(file_diagnostics):
        diagnostics.extend(file_diagnostics)
        return variant
    from rulewright.variants.hints import add_address_hint, add_target_note  # most files are right

    diagnostics.merge(
        file_diagnostics, lambda diagnostic: add_address_hint(add_target_note(diagnostic, node, base), base)
    )
    return variant


def translation_files(path: Path) -> list[Path]:
    """The files with translations of the variant in the file at `path`."""
    folder = path.parent / TEXTS_FOLDER
    if not is_present_folder(folder):
        return []
    note_look(folder, "tree")
    return sorted(folder.glob(f"*/{path.name}"))


def _with_translations(variant: Variant, diagnostics: Diagnostics) -> Variant | None:
    """The variant with what files for it under `texts/LANGUAGE/` say; None when one of them is wrong."""
    translations: list[Translation] = []
    root = variant.root
    files = translation_files(variant.path)
    for path in files:
        file = parse_file(path, diagnostics, source_path=source_path(path), within=variant.path.parent)
        kind = None if file is None else check_file_schema(file, diagnostics)
        if not isinstance(file, MappingNode) or kind != "texts" or diagnostics.error_count:
            continue
        check_game_name(file.get("for"), root.get("for"), diagnostics)
        for entry in as_mapping(file.get("sentences")):
            text = root.entry(TEXT_KEY)
            if entry.key.text == "variant" and text is not None:
                value = with_language(text.value, _text(file, "texts"), entry.value)
                root = MappingNode(
                    tuple(Entry(text.key, value) if one is text else one for one in root.entries), root.span
                )
            else:
                translations.append(Translation(_text(file, "texts"), entry))
    if diagnostics.error_count:
        return None
    return replace(variant, root=root, translations=tuple(translations)) if files else variant


def _variant_from_file(path: Path, node: Node | None, diagnostics: Diagnostics) -> Variant | None:
    if node is None or len(diagnostics) or len(node.span.source.text) > limits.MAX_REMEMBERED_CHARACTERS:
        return _read_variant(path, node, diagnostics)
    variant, reported = _read_variant_once(path, Same(node))
    diagnostics.extend(reported)
    return variant


@lru_cache(maxsize=limits.MAX_REMEMBERED_FILES)
def _read_variant_once(path: Path, node: Same[Node]) -> tuple[Variant | None, Diagnostics]:
    """The reader gives the same node for the same text, of which one variant is made."""
    diagnostics = Diagnostics()
    return _read_variant(path, node.value, diagnostics), diagnostics


def _read_variant(path: Path, node: Node | None, diagnostics: Diagnostics) -> Variant | None:
    kind = check_file_schema(node, diagnostics) if node is not None else None
    if not isinstance(node, MappingNode) or kind is None:
        return None
    if kind not in ("variant", "joins"):
        hint = "begin a variant with `variant: …`"
        diagnostics.add(
            node.entries[0].key.span,
            document_codes.WRONG_FILE_KIND,
            f"expected a variant, found a file of kind `{kind}`",
            help=hint,
        )
        return None
    if diagnostics.error_count:
        return None
    return _parse_variant(path, node, "joins" if kind == "joins" else "variant", diagnostics)


def adjustment_variant(adjustment: Adjustment, diagnostics: Diagnostics) -> Variant | None:
    """What a file of a game changes at its number of players; None when one of the changes is wrong."""
    return _parse_variant(adjustment.path, adjustment.root, "adjusts", diagnostics)


def _parse_variant(path: Path, node: MappingNode, kind: VariantKind, diagnostics: Diagnostics) -> Variant | None:
    before = diagnostics.error_count
    players = parse_player_range(node.get("players"))
    if players is not None and players[0] > players[1]:
        message, hint = f"{players[0]} is more than {players[1]}", f"write `{players[1]} to {players[0]}`"
        value = node.get("players")
        assert value is not None
        diagnostics.add(
            value.span, codes.PLAYERS_DO_NOT_FIT, message, label="wrong order", help=hint, address="players"
        )
        return None
    name = _text(node, "variant") if kind == "variant" else path.stem
    variant = Variant(
        name=name,
        game=_text(node, "adjusts" if kind == "adjusts" else "for"),
        players=players,
        group=_text(node, "group"),
        requires=_texts(node, "joins" if kind == "joins" else "requires"),
        conflicts=_texts(node, "conflicts"),
        after=_texts(node, "after"),
        changes=tuple(_changes(name, node, diagnostics)),
        root=node,
        path=path,
        kind=kind,
    )
    if len(variant.changes) > limits.MAX_VARIANT_CHANGES:
        message = f"{len(variant.changes):,} changes in one variant, over the limit of {limits.MAX_VARIANT_CHANGES:,}"
        hint = "copy the game's files and edit them instead"
        diagnostics.add(
            variant.changes[limits.MAX_VARIANT_CHANGES].key.span,
            document_codes.OUT_OF_RANGE,
            message,
            label="over the limit",
            help=hint,
        )
    if not variant.changes and "cancel" not in node and diagnostics.error_count == before:
        message = "this variant changes nothing"
        hint = "give it `set`, `adjust`, `add`, `remove`, `insert`, `extend`, `drop` or `sentences`"
        diagnostics.add(variant.head_span(), codes.EMPTY_VARIANT, message, help=hint)
    return variant if diagnostics.error_count == before else None


def parse_setting(text: str, game: str, below: Iterable[str]) -> Variant:
    """The variant of a setting, `goal=21`, which sets a parameter; it is applied over all variants in `below`.

    A list, for a parameter with several values, is written with commas: `share=0,1`.
    """
    source = SourceFile(f"--set {text}", text, is_option=True)
    span = Span(source, 0, len(text))
    left = text.partition(SETTING_SIGN)[0]
    name, name_start = left.strip(), len(left) - len(left.lstrip())
    key = ScalarNode(name, name, Span(source, name_start, name_start + len(name)))
    value_start = text.index(SETTING_SIGN) + 1
    values = tuple(
        _plain_scalar(value, Span(source, start, start + len(value)))
        for value, start in _split_values(text, value_start)
    )
    payload: Node = values[0] if len(values) == 1 else SequenceNode(values, Span(source, value_start, len(text)))
    offsets = (name_start,) * len(PARAMETERS_PREFIX) + tuple(range(name_start, name_start + len(name) + 1))
    address = ScalarNode(f"{PARAMETERS_PREFIX}{name}", f"{PARAMETERS_PREFIX}{name}", key.span, offsets)
    change = Change("set", text, address, ("parameters", name), payload, is_setting=True)
    head = ScalarNode("variant", "variant", span)
    root = MappingNode((Entry(head, ScalarNode(text, text, span)),), span)
    path = Path(text[: limits.MAX_SETTING_LENGTH])
    return Variant(text, game, None, "", (), (), tuple(below), (change,), root, path)


PARAMETERS_PREFIX: Final = "parameters."


def _split_values(text: str, start: int) -> Iterator[tuple[str, int]]:
    """The parts between commas outside of brackets, without the spaces around them, and their offsets."""
    depth, value_start = 0, start
    if len(text) - start > limits.MAX_SETTING_LENGTH:  # reported as an expression that is too long
        yield text[start:], start
        return
    for index, character in enumerate(f"{text[start:]},", start):
        depth += (character == "(") - (character == ")")
        if character == "," and (depth <= 0 or index == len(text)):
            value = text[value_start:index]
            yield value.strip(), value_start + len(value) - len(value.lstrip())
            value_start = index + 1


def _plain_scalar(word: str, span: Span) -> ScalarNode:
    kind = scalar_kind(word) if len(word) <= limits.MAX_EXPRESSION_LENGTH else ""
    return ScalarNode(scalar_value(kind, word) if kind in ("flag", "number") else word, word, span)


def variant_references(variant: Variant, *keys: str) -> Iterator[ScalarNode]:
    """The names of other variants under keys of the head."""
    for key in keys:
        value = variant.root.get(key)
        for item in value.items if isinstance(value, SequenceNode) else (value,):
            if isinstance(item, ScalarNode):
                yield item


def _text(node: MappingNode, key: str) -> str:
    value = node.get(key)
    return value.text if isinstance(value, ScalarNode) else ""


def _texts(node: MappingNode, key: str) -> tuple[str, ...]:
    match node.get(key):
        case ScalarNode(text=text):
            return (text,)
        case SequenceNode(items=items):
            return tuple(item.text for item in items if isinstance(item, ScalarNode))
        case _:
            return ()


def _changes(name: str, node: MappingNode, diagnostics: Diagnostics) -> Iterable[Change]:
    operations: tuple[Operation, ...] = ("set", "adjust", "add", "insert")
    for operation in operations:
        section = node.get(operation)
        for entry in section.entries if isinstance(section, MappingNode) else ():
            parts = split_address(entry.key.text)
            payload, expects, anchor = entry.value, None, None
            if (
                operation == "set"
                and isinstance(payload, MappingNode)
                and sorted(payload.keys()) == ["expects", "value"]
            ):
                expects, value = payload.get("expects"), payload.get("value")
                assert value is not None
                payload = value
            if operation == "insert":
                anchor, payload = _split_anchor(entry, diagnostics)
                if anchor is None:
                    continue
            yield Change(operation, name, entry.key, parts, payload, expects, anchor)
    for keyword, operation in LIST_OPERATIONS.items():
        section = node.get(keyword)
        for entry in section.entries if isinstance(section, MappingNode) else ():
            yield from _item_changes(operation, name, entry)
    for entry in as_mapping(node.get("sentences")):
        yield Change("sentences", name, entry.key, sentence_parts(entry.key.text), entry.value)
    removed = node.get("remove")
    for item in removed.items if isinstance(removed, SequenceNode) else ():
        if isinstance(item, ScalarNode):
            yield Change("remove", name, item, split_address(item.text))


def _item_changes(operation: Operation, variant: str, entry: Entry) -> Iterator[Change]:
    """An addition or removal of each item of a list: words, words with their names, rows, or offers with clauses."""
    parts = split_address(entry.key.text)
    is_kind = len(parts) == 2 and parts[0] == "kinds"
    for item in entry.value.items if isinstance(entry.value, SequenceNode) else ():
        payload: Node = MappingNode((), item.span)
        name = item
        if isinstance(item, MappingNode):
            row = item.get("id")
            name, payload = (row, item) if row is not None else (item.entries[0].key, item.entries[0].value)
        if not isinstance(name, ScalarNode):
            continue
        if is_kind and isinstance(item, MappingNode):
            yield Change(operation, variant, entry.key, (*parts, name.text), MappingNode((), item.span), item=name)
            parts_of_name = (*parts, "names", name.text)
        else:
            parts_of_name = (*parts, name.text)
        yield Change(operation, variant, entry.key, parts_of_name, payload if operation == "add" else None, item=name)


def _split_anchor(entry: Entry, diagnostics: Diagnostics) -> tuple[Entry | None, Node]:
    """Splits the payload of an insertion into its anchor and the step."""
    payload = entry.value
    assert isinstance(payload, MappingNode)
    anchors = [part for part in payload.entries if part.key.text in ANCHOR_KEYS]
    step = MappingNode(tuple(part for part in payload.entries if part.key.text not in ANCHOR_KEYS), payload.span)
    if len(anchors) != 1:
        span = anchors[1].key.span if anchors else entry.key.span
        message = "insertion with two positions" if anchors else "insertion without a position"
        hint = "give one of `before: a_step`, `after: a_step`, `at: start`, `at: end`"
        diagnostics.add(span, codes.INSERT_PLACE, message, help=hint, address=entry.key.text)
        return None, step
    return anchors[0], step


__all__ = [
    "Change",
    "Variant",
    "VariantKind",
    "adjustment_variant",
    "load_variant",
    "parse_player_range",
    "parse_setting",
    "variant_references",
    "variants_read_once",
]

"""A variant: which game it is for, which other variants it needs, and the changes that it makes.

In: the path of a variant file. Out: a `Variant` with its `Change`s.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from rulewright import limits
from rulewright.diagnostics import Diagnostics, Related, Span
from rulewright.document import codes as document_codes
from rulewright.document.document import Adjustment, Document, check_game_name, source_path
from rulewright.document.schema_check import check_file_schema
from rulewright.document.sentence_places import TEXT_KEY, with_language
from rulewright.frozen import frozen, replace
from rulewright.source.file_looks import note_look
from rulewright.source.file_text import is_present_folder
from rulewright.source.node_memo import Same
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode, as_items, as_mapping
from rulewright.source.reader import parse_file
from rulewright.suggestions import meant_hint
from rulewright.variants import codes
from rulewright.variants.change import Change, read_changes

if TYPE_CHECKING:
    from rulewright.document.mended_nodes import Removed

VariantKind = Literal["variant", "joins", "adjusts"]  # the first key of its file
TEXTS_FOLDER: Final = "texts"  # beside variants, with a folder for each language


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
        _check_variant_name(file.get("variant"), variant, diagnostics)
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


def _check_variant_name(node: Node | None, variant: Variant, diagnostics: Diagnostics) -> None:
    """Reports a file of texts that says another variant than the one that it is named like."""
    if isinstance(node, ScalarNode) and node.text != variant.name and variant.kind == "variant":
        diagnostics.add(
            node.span,
            document_codes.NOT_ONE_OF,
            f"`variant`: expected `{variant.name}`, as `{variant.path.name}` is named, found `{node.text}`",
            label=f"not `{variant.name}`",
            help=meant_hint(node.text, variant.name),
            related=[Related(variant.head_span(), "the variant of that file")],
        )


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


def mended_variant(path: Path) -> tuple[Variant, Removed] | None:
    """A variant without the parts of its file that have a wrong shape; None where more than that is wrong."""
    from rulewright.document.mended_nodes import mend  # most files have the right shape

    node = parse_file(path, Diagnostics(), source_path=source_path(path))
    kind = node.entries[0].key.text if isinstance(node, MappingNode) and node.entries else ""
    mended = mend(node, kind) if node is not None and kind in ("variant", "joins") else None
    if mended is None:
        return None
    root, removed = mended
    variant = _parse_variant(path, root, "joins" if kind == "joins" else "variant", Diagnostics())
    return None if variant is None else (variant, removed)


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
        changes=tuple(read_changes(name, node, diagnostics)),
        root=node,
        path=path,
        kind=kind,
    )
    if kind == "joins" and len(variant.requires) == 1 and node.get("players") is None:  # else at that number of players
        name_node = next(variant_references(variant, "joins"))
        message = f"only `{name_node.text}`: a joint file says what holds where two variants or more are played"
        hint = f"name the others as well, as in `[{name_node.text}, …]`, or put its changes into `{name_node.text}`"
        diagnostics.add(name_node.span, document_codes.OUT_OF_RANGE, message, label="one variant", help=hint)
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


__all__ = [
    "Variant",
    "VariantKind",
    "adjustment_variant",
    "load_variant",
    "mended_variant",
    "parse_player_range",
    "variant_references",
    "variants_read_once",
]

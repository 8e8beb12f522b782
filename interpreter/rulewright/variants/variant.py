"""A variant file: what it says of itself, and what it changes.

In: the path of a variant, or a word of the command line that gives a parameter a value. Out: a `Variant` with its
`Change`s.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from rulewright import limits
from rulewright.diagnostics import Diagnostics, SourceFile, Span
from rulewright.document import codes
from rulewright.document.address import AddressParts, split_address
from rulewright.document.document import Document, source_path
from rulewright.document.schema_check import check_file_schema
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode
from rulewright.source.plain_scalars import scalar_kind, scalar_value
from rulewright.source.reader import parse_file
from rulewright.variants.hints import add_address_hint, add_target_note

Operation = Literal["set", "adjust", "add", "insert", "remove"]
LIST_OPERATIONS: Final[dict[str, Operation]] = {"extend": "add", "drop": "remove"}  # what is done for each of a list
ANCHOR_KEYS: Final = ("before", "after", "at")


@dataclass(frozen=True, slots=True)
class Change:
    """What is done at an address. `place`: of an insertion, its `before:`, `after:` or `at:`.

    An `extend` or `drop` is an addition or removal for each `item` of its list, whose name stands behind the address.
    """

    operation: Operation
    variant: str
    key: ScalarNode  # the address as it is written
    parts: AddressParts
    payload: Node | None = None  # None: a removal
    expects: Node | None = None
    anchor: Entry | None = None
    item: ScalarNode | None = None
    is_setting: bool = False  # said on the command line: one that changes nothing is no fault

    @property
    def address(self) -> str:
        """The address as a string."""
        return ".".join(self.parts)

    @property
    def new_value(self) -> Node | None:
        """What stands there afterwards, bare or with keys: what is adjusted is a bare value."""
        return self.key if self.operation == "adjust" else self.payload

    @property
    def keyword(self) -> str:
        """The operation as the variant writes it."""
        if self.is_setting:
            return "--set"
        return (
            self.operation
            if self.item is None
            else next(one for one, verb in LIST_OPERATIONS.items() if verb == self.operation)
        )

    @property
    def span(self) -> Span:
        """Where the variant says it."""
        return self.key.span if self.item is None else self.item.span

    def last_name(self) -> ScalarNode:
        """The last name of the address as a key of its own, where the variant writes it."""
        if self.item is not None:
            return self.item
        name = self.parts[-1]
        end = len(self.key.text)
        return ScalarNode(name, name, self.key.subspan(end - len(name), end))

    def name_span(self, index: int) -> Span:
        """Where the name of that index stands in the variant."""
        if self.item is not None and index == len(self.parts) - 1:
            return self.item.span
        # counted from the end, since a name may be understood before the last
        names = split_address(self.key.text)
        at = max(0, min(len(names) - 1, index - len(self.parts) + len(names) + (self.item is not None)))
        start = sum(len(name) + 1 for name in names[:at])
        return self.key.subspan(start, start + len(names[at]))


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant as its file says it. `players`: the fewest and the most it is for, None for all."""

    name: str
    game: str
    players: tuple[int, int] | None
    is_always_applied: bool  # part of the rules at its number of players, no choice
    group: str
    requires: tuple[str, ...]
    conflicts: tuple[str, ...]
    after: tuple[str, ...]
    changes: tuple[Change, ...]
    root: MappingNode
    path: Path

    @property
    def text(self) -> Node | None:
        """What the variant says for people."""
        return self.root.get("text")

    def head_span(self, key: str = "variant") -> Span:
        """Where a key of the head has its value; where the name stands when there is no such key."""
        value = self.root.get(key)
        return value.span if value is not None else self.root.entries[0].value.span


def parse_player_range(node: Node | None) -> tuple[int, int] | None:
    """`2` and `2 to 4` as fewest and most; None for anything else."""
    if not isinstance(node, ScalarNode):
        return None
    ends = node.text.split(" to ")
    if not all(end.isdecimal() for end in ends):
        return None
    fewest, most = (int(end[: limits.MAX_PLAYER_DIGITS]) for end in (ends[0], ends[-1]))
    return fewest, most


def load_variant(
    path: Path, diagnostics: Diagnostics, *, relative_to: Path | None = None, base: Document | None = None
) -> Variant | None:
    """Reads a variant file; None when it cannot be read or has the wrong shape. `base`: the game it is for, where that
    is known: then a name of the game that stands among the variant's own keys is told where it belongs, and what is
    set stands beside what is wrong with it.
    """
    own = Diagnostics()  # what is wrong with this file may have been told before, and is wrong all the same
    node = parse_file(path, own, source_path=source_path(path, relative_to))
    found = _read(path, node, own)
    diagnostics.merge(
        own, lambda one: one if base is None else add_address_hint(add_target_note(one, node, base), base)
    )
    return found


def _read(path: Path, node: Node | None, diagnostics: Diagnostics) -> Variant | None:
    kind = check_file_schema(node, diagnostics) if node is not None else None
    if not isinstance(node, MappingNode) or kind is None:
        return None
    if kind != "variant":
        hint = "a variant begins with `variant: …`"
        diagnostics.add(
            node.entries[0].key.span,
            codes.WRONG_FILE_KIND,
            f"this is a file of the kind `{kind}`, no variant",
            help=hint,
        )
        return None
    if diagnostics.error_count:
        return None
    players = parse_player_range(node.get("players"))
    if players is not None and players[0] > players[1]:
        message, hint = f"{players[0]} is more than {players[1]}", f"write `{players[1]} to {players[0]}`"
        value = node.get("players")
        assert value is not None
        diagnostics.add(
            value.span, codes.PLAYERS_DO_NOT_FIT, message, label="upside down", help=hint, address="players"
        )
        return None
    found = Variant(
        name=_word(node, "variant"),
        game=_word(node, "for"),
        players=players,
        is_always_applied="applies" in node,
        group=_word(node, "group"),
        requires=_words(node, "requires"),
        conflicts=_words(node, "conflicts"),
        after=_words(node, "after"),
        changes=tuple(_changes(node, diagnostics)),
        root=node,
        path=path,
    )
    if len(found.changes) > limits.MAX_VARIANT_CHANGES:
        message = f"this variant makes {len(found.changes)} changes; {limits.MAX_VARIANT_CHANGES} are allowed"
        hint = "so many changes are another game: write them into a copy of its files"
        diagnostics.add(
            found.changes[limits.MAX_VARIANT_CHANGES].key.span,
            codes.OUT_OF_RANGE,
            message,
            label="one too many",
            help=hint,
        )
    if not found.changes and not diagnostics.error_count:
        message = "this variant changes nothing"
        hint = "give it `set`, `adjust`, `add`, `remove`, `insert`, `extend` or `drop`"
        diagnostics.add(found.head_span(), codes.EMPTY_VARIANT, message, help=hint)
    return found if not diagnostics.error_count else None


SETTING_SIGN: Final = "="  # between the name of a parameter and its value


def is_setting(text: str) -> bool:
    """Whether what was named as a variant gives a parameter a value: `goal=21`."""
    return SETTING_SIGN in text and Path(text).suffix != ".yaml"


def parse_setting(text: str, game: str, below: Iterable[str]) -> Variant:
    """A variant that is no file but a word, `goal=21`: it sets a parameter, above all variants that are played.

    A list, for a parameter that has a value for each of something, has commas: `share=0,1`.
    """
    source = SourceFile(f"--set {text}", text)
    whole = Span(source, 0, len(text))
    before = text.partition(SETTING_SIGN)[0]
    name, first = before.strip(), len(before) - len(before.lstrip())
    key = ScalarNode(name, name, Span(source, first, first + len(name)))
    at = text.index(SETTING_SIGN) + 1
    each = tuple(_plain(word, Span(source, start, start + len(word))) for word, start in _words_of(text, at))
    payload: Node = each[0] if len(each) == 1 else SequenceNode(each, Span(source, at, len(text)))
    places = (first,) * len(PARAMETERS_PREFIX) + tuple(range(first, first + len(name) + 1))
    address = ScalarNode(f"{PARAMETERS_PREFIX}{name}", f"{PARAMETERS_PREFIX}{name}", key.span, places)
    change = Change("set", text, address, ("parameters", name), payload, is_setting=True)
    head = ScalarNode("variant", "variant", whole)
    root = MappingNode((Entry(head, ScalarNode(text, text, whole)),), whole)
    return Variant(text, game, None, False, "", (), (), tuple(below), (change,), root, Path(text))


PARAMETERS_PREFIX: Final = "parameters."


def _words_of(text: str, start: int) -> Iterator[tuple[str, int]]:
    """What stands between commas that are in no brackets, without the spaces around it, and where it begins."""
    depth, last = 0, start
    for at, sign in enumerate(f"{text[start:]},", start):
        depth += (sign == "(") - (sign == ")")
        if sign == "," and (depth <= 0 or at == len(text)):
            word = text[last:at]
            yield word.strip(), last + len(word) - len(word.lstrip())
            last = at + 1


def _plain(word: str, span: Span) -> ScalarNode:
    kind = scalar_kind(word)
    return ScalarNode(scalar_value(kind, word) if kind in ("flag", "number") else word, word, span)


def variant_references(variant: Variant, *keys: str) -> Iterator[ScalarNode]:
    """The names of other variants under keys of the head, where they stand."""
    for key in keys:
        value = variant.root.get(key)
        for item in value.items if isinstance(value, SequenceNode) else (value,):
            if isinstance(item, ScalarNode):
                yield item


def _word(node: MappingNode, key: str) -> str:
    value = node.get(key)
    return value.text if isinstance(value, ScalarNode) else ""


def _words(node: MappingNode, key: str) -> tuple[str, ...]:
    match node.get(key):
        case ScalarNode(text=text):
            return (text,)
        case SequenceNode(items=items):
            return tuple(item.text for item in items if isinstance(item, ScalarNode))
        case _:
            return ()


def _changes(node: MappingNode, diagnostics: Diagnostics) -> Iterable[Change]:
    name = _word(node, "variant")
    verbs: tuple[Operation, ...] = ("set", "adjust", "add", "insert")
    for verb in verbs:
        section = node.get(verb)
        for entry in section.entries if isinstance(section, MappingNode) else ():
            parts = split_address(entry.key.text)
            payload, expects, place = entry.value, None, None
            if verb == "set" and isinstance(payload, MappingNode) and sorted(payload.keys()) == ["expects", "value"]:
                expects, value = payload.get("expects"), payload.get("value")
                assert value is not None
                payload = value
            if verb == "insert":
                place, payload = _place(entry, diagnostics)
                if place is None:
                    continue
            yield Change(verb, name, entry.key, parts, payload, expects, place)
    for listed, verb in LIST_OPERATIONS.items():
        section = node.get(listed)
        for entry in section.entries if isinstance(section, MappingNode) else ():
            yield from _of_each(verb, name, entry)
    removed = node.get("remove")
    for item in removed.items if isinstance(removed, SequenceNode) else ():
        if isinstance(item, ScalarNode):
            yield Change("remove", name, item, split_address(item.text))


def _of_each(verb: Operation, variant: str, entry: Entry) -> Iterator[Change]:
    """An addition or removal for each item of a list: words, words with their names, rows, or offers with clauses."""
    parts = split_address(entry.key.text)
    of_kind = len(parts) == 2 and parts[0] == "kinds"
    for item in entry.value.items if isinstance(entry.value, SequenceNode) else ():
        payload: Node = MappingNode((), item.span)
        name = item
        if isinstance(item, MappingNode):
            row = item.get("id")
            name, payload = (row, item) if row is not None else (item.entries[0].key, item.entries[0].value)
        if not isinstance(name, ScalarNode):
            continue
        if of_kind and isinstance(item, MappingNode):
            yield Change(verb, variant, entry.key, (*parts, name.text), MappingNode((), item.span), item=name)
            parts_of_name = (*parts, "names", name.text)
        else:
            parts_of_name = (*parts, name.text)
        yield Change(verb, variant, entry.key, parts_of_name, payload if verb == "add" else None, item=name)


def _place(entry: Entry, diagnostics: Diagnostics) -> tuple[Entry | None, Node]:
    """Splits the payload of an insertion into its place and the step."""
    payload = entry.value
    assert isinstance(payload, MappingNode)
    places = [one for one in payload.entries if one.key.text in ANCHOR_KEYS]
    step = MappingNode(tuple(one for one in payload.entries if one.key.text not in ANCHOR_KEYS), payload.span)
    if len(places) != 1:
        span = places[1].key.span if places else entry.key.span
        message = "an insertion has one place, not two" if places else "this insertion does not say where it goes"
        hint = "give one of `before: a_step`, `after: a_step`, `at: start`, `at: end`"
        diagnostics.add(span, codes.INSERT_PLACE, message, help=hint, address=entry.key.text)
        return None, step
    return places[0], step


__all__ = [
    "Change",
    "Variant",
    "is_setting",
    "load_variant",
    "parse_player_range",
    "parse_setting",
    "variant_references",
]

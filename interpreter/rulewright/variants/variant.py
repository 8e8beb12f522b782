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
from rulewright.diagnostics import Report, Source, Span
from rulewright.document import codes
from rulewright.document.address import Parts, address_parts
from rulewright.document.document import Document, shown
from rulewright.document.schema_check import check_shape
from rulewright.source.nodes import Entry, Mapping, Node, Scalar, Sequence
from rulewright.source.plain_scalars import kind_of, value_of
from rulewright.source.reader import load
from rulewright.variants.hints import with_address, with_target

Verb = Literal["set", "adjust", "add", "insert", "remove"]
LISTS: Final[dict[str, Verb]] = {"extend": "add", "drop": "remove"}  # what is done for each of a list
PLACES: Final = ("before", "after", "at")


@dataclass(frozen=True, slots=True)
class Change:
    """What is done at an address. `place`: of an insertion, its `before:`, `after:` or `at:`.

    An `extend` or `drop` is an addition or removal for each `item` of its list, whose name stands behind the address.
    """

    verb: Verb
    variant: str
    key: Scalar  # the address as it is written
    parts: Parts
    payload: Node | None = None  # None: a removal
    expects: Node | None = None
    place: Entry | None = None
    item: Scalar | None = None
    by_hand: bool = False  # said on the command line: one that changes nothing is no fault

    @property
    def address(self) -> str:
        """The address as a string."""
        return ".".join(self.parts)

    @property
    def stands(self) -> Node | None:
        """What stands there afterwards, bare or with keys: what is adjusted is a bare value."""
        return self.key if self.verb == "adjust" else self.payload

    @property
    def said(self) -> str:
        """The operation as the variant writes it."""
        if self.by_hand:
            return "--set"
        return self.verb if self.item is None else next(one for one, verb in LISTS.items() if verb == self.verb)

    @property
    def span(self) -> Span:
        """Where the variant says it."""
        return self.key.span if self.item is None else self.item.span

    def name_key(self) -> Scalar:
        """The last name of the address as a key of its own, where the variant writes it."""
        if self.item is not None:
            return self.item
        name = self.parts[-1]
        end = len(self.key.text)
        return Scalar(name, name, self.key.part(end - len(name), end))

    def part_span(self, index: int) -> Span:
        """Where the name of that index stands in the variant."""
        if self.item is not None and index == len(self.parts) - 1:
            return self.item.span
        # counted from the end, since a name may be understood before the last
        names = address_parts(self.key.text)
        at = max(0, min(len(names) - 1, index - len(self.parts) + len(names) + (self.item is not None)))
        start = sum(len(name) + 1 for name in names[:at])
        return self.key.part(start, start + len(names[at]))


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant as its file says it. `players`: the fewest and the most it is for, None for all."""

    name: str
    game: str
    players: tuple[int, int] | None
    always: bool  # part of the rules at its number of players, no choice
    group: str
    requires: tuple[str, ...]
    conflicts: tuple[str, ...]
    after: tuple[str, ...]
    changes: tuple[Change, ...]
    root: Mapping
    path: Path

    @property
    def text(self) -> Node | None:
        """What the variant says for people."""
        return self.root.get("text")

    def head(self, key: str = "variant") -> Span:
        """Where a key of the head has its value; where the name stands when there is no such key."""
        value = self.root.get(key)
        return value.span if value is not None else self.root.entries[0].value.span


def players_range(node: Node | None) -> tuple[int, int] | None:
    """`2` and `2 to 4` as fewest and most; None for anything else."""
    if not isinstance(node, Scalar):
        return None
    ends = node.text.split(" to ")
    if not all(end.isdecimal() for end in ends):
        return None
    fewest, most = (int(end[: limits.MAX_PLAYER_DIGITS]) for end in (ends[0], ends[-1]))
    return fewest, most


def load_variant(
    path: Path, report: Report, *, shown_relative_to: Path | None = None, base: Document | None = None
) -> Variant | None:
    """Reads a variant file; None when it cannot be read or has the wrong shape. `base`: the game it is for, where that
    is known: then a name of the game that stands among the variant's own keys is told where it belongs, and what is
    set stands beside what is wrong with it.
    """
    own = Report()  # what is wrong with this file may have been told before, and is wrong all the same
    node = load(path, own, shown_as=shown(path, shown_relative_to))
    found = _read(path, node, own)
    report.take(own, lambda one: one if base is None else with_address(with_target(one, node, base), base))
    return found


def _read(path: Path, node: Node | None, report: Report) -> Variant | None:
    kind = check_shape(node, report) if node is not None else None
    if not isinstance(node, Mapping) or kind is None:
        return None
    if kind != "variant":
        hint = "a variant begins with `variant: …`"
        report.add(
            node.entries[0].key.span,
            codes.WRONG_FILE_KIND,
            f"this is a file of the kind `{kind}`, no variant",
            help=hint,
        )
        return None
    if report.errors:
        return None
    players = players_range(node.get("players"))
    if players is not None and players[0] > players[1]:
        message, hint = f"{players[0]} is more than {players[1]}", f"write `{players[1]} to {players[0]}`"
        value = node.get("players")
        assert value is not None
        report.add(value.span, codes.PLAYERS_DO_NOT_FIT, message, label="upside down", help=hint, address="players")
        return None
    found = Variant(
        name=_word(node, "variant"),
        game=_word(node, "for"),
        players=players,
        always="applies" in node,
        group=_word(node, "group"),
        requires=_words(node, "requires"),
        conflicts=_words(node, "conflicts"),
        after=_words(node, "after"),
        changes=tuple(_changes(node, report)),
        root=node,
        path=path,
    )
    if len(found.changes) > limits.MAX_VARIANT_CHANGES:
        message = f"this variant makes {len(found.changes)} changes; {limits.MAX_VARIANT_CHANGES} are allowed"
        hint = "so many changes are another game: write them into a copy of its files"
        report.add(
            found.changes[limits.MAX_VARIANT_CHANGES].key.span,
            codes.OUT_OF_RANGE,
            message,
            label="one too many",
            help=hint,
        )
    if not found.changes and not report.errors:
        message = "this variant changes nothing"
        hint = "give it `set`, `adjust`, `add`, `remove`, `insert`, `extend` or `drop`"
        report.add(found.head(), codes.CHANGES_NOTHING, message, help=hint)
    return found if not report.errors else None


SETTING: Final = "="  # between the name of a parameter and its value


def is_setting(text: str) -> bool:
    """Whether what was named as a variant gives a parameter a value: `goal=21`."""
    return SETTING in text and Path(text).suffix != ".yaml"


def setting(text: str, game: str, below: Iterable[str]) -> Variant:
    """A variant that is no file but a word, `goal=21`: it sets a parameter, above all variants that are played.

    A list, for a parameter that has a value for each of something, has commas: `share=0,1`.
    """
    source = Source(f"--set {text}", text)
    whole = Span(source, 0, len(text))
    before = text.partition(SETTING)[0]
    name, first = before.strip(), len(before) - len(before.lstrip())
    key = Scalar(name, name, Span(source, first, first + len(name)))
    at = text.index(SETTING) + 1
    each = tuple(_plain(word, Span(source, start, start + len(word))) for word, start in _words_of(text, at))
    payload: Node = each[0] if len(each) == 1 else Sequence(each, Span(source, at, len(text)))
    places = (first,) * len(PARAMETERS) + tuple(range(first, first + len(name) + 1))
    address = Scalar(f"{PARAMETERS}{name}", f"{PARAMETERS}{name}", key.span, places)
    change = Change("set", text, address, ("parameters", name), payload, by_hand=True)
    head = Scalar("variant", "variant", whole)
    root = Mapping((Entry(head, Scalar(text, text, whole)),), whole)
    return Variant(text, game, None, False, "", (), (), tuple(below), (change,), root, Path(text))


PARAMETERS: Final = "parameters."


def _words_of(text: str, start: int) -> Iterator[tuple[str, int]]:
    """What stands between commas that are in no brackets, without the spaces around it, and where it begins."""
    depth, last = 0, start
    for at, sign in enumerate(f"{text[start:]},", start):
        depth += (sign == "(") - (sign == ")")
        if sign == "," and (depth <= 0 or at == len(text)):
            word = text[last:at]
            yield word.strip(), last + len(word) - len(word.lstrip())
            last = at + 1


def _plain(word: str, span: Span) -> Scalar:
    kind = kind_of(word)
    return Scalar(value_of(kind, word) if kind in ("flag", "number") else word, word, span)


def named_variants(variant: Variant, *keys: str) -> Iterator[Scalar]:
    """The names of other variants under keys of the head, where they stand."""
    for key in keys:
        value = variant.root.get(key)
        for item in value.items if isinstance(value, Sequence) else (value,):
            if isinstance(item, Scalar):
                yield item


def _word(node: Mapping, key: str) -> str:
    value = node.get(key)
    return value.text if isinstance(value, Scalar) else ""


def _words(node: Mapping, key: str) -> tuple[str, ...]:
    match node.get(key):
        case Scalar(text=text):
            return (text,)
        case Sequence(items=items):
            return tuple(item.text for item in items if isinstance(item, Scalar))
        case _:
            return ()


def _changes(node: Mapping, report: Report) -> Iterable[Change]:
    name = _word(node, "variant")
    verbs: tuple[Verb, ...] = ("set", "adjust", "add", "insert")
    for verb in verbs:
        section = node.get(verb)
        for entry in section.entries if isinstance(section, Mapping) else ():
            parts = address_parts(entry.key.text)
            payload, expects, place = entry.value, None, None
            if verb == "set" and isinstance(payload, Mapping) and sorted(payload.keys()) == ["expects", "value"]:
                expects, value = payload.get("expects"), payload.get("value")
                assert value is not None
                payload = value
            if verb == "insert":
                place, payload = _place(entry, report)
                if place is None:
                    continue
            yield Change(verb, name, entry.key, parts, payload, expects, place)
    for listed, verb in LISTS.items():
        section = node.get(listed)
        for entry in section.entries if isinstance(section, Mapping) else ():
            yield from _of_each(verb, name, entry)
    removed = node.get("remove")
    for item in removed.items if isinstance(removed, Sequence) else ():
        if isinstance(item, Scalar):
            yield Change("remove", name, item, address_parts(item.text))


def _of_each(verb: Verb, variant: str, entry: Entry) -> Iterator[Change]:
    """An addition or removal for each item of a list: words, words with their names, rows, or offers with clauses."""
    parts = address_parts(entry.key.text)
    of_kind = len(parts) == 2 and parts[0] == "kinds"
    for item in entry.value.items if isinstance(entry.value, Sequence) else ():
        payload: Node = Mapping((), item.span)
        name = item
        if isinstance(item, Mapping):
            row = item.get("id")
            name, payload = (row, item) if row is not None else (item.entries[0].key, item.entries[0].value)
        if not isinstance(name, Scalar):
            continue
        if of_kind and isinstance(item, Mapping):
            yield Change(verb, variant, entry.key, (*parts, name.text), Mapping((), item.span), item=name)
            parts_of_name = (*parts, "names", name.text)
        else:
            parts_of_name = (*parts, name.text)
        yield Change(verb, variant, entry.key, parts_of_name, payload if verb == "add" else None, item=name)


def _place(entry: Entry, report: Report) -> tuple[Entry | None, Node]:
    """Splits the payload of an insertion into its place and the step."""
    payload = entry.value
    assert isinstance(payload, Mapping)
    places = [one for one in payload.entries if one.key.text in PLACES]
    step = Mapping(tuple(one for one in payload.entries if one.key.text not in PLACES), payload.span)
    if len(places) != 1:
        span = places[1].key.span if places else entry.key.span
        message = "an insertion has one place, not two" if places else "this insertion does not say where it goes"
        hint = "give one of `before: a_step`, `after: a_step`, `at: start`, `at: end`"
        report.add(span, codes.INSERT_PLACE, message, help=hint, address=entry.key.text)
        return None, step
    return places[0], step


__all__ = [
    "Change",
    "Variant",
    "is_setting",
    "load_variant",
    "named_variants",
    "players_range",
    "setting",
]

"""What there is to name: kinds with their members, and parameters, which may need one another.

In: the sections `kinds` and `parameters`. Out: symbols, and the parameters of the rules.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from rulewright import limits
from rulewright.diagnostics import Related
from rulewright.document.codes import WRONG_TYPE
from rulewright.expr.fold import fold_constant
from rulewright.expr.remembered import same_symbol
from rulewright.expr.scope import KindSymbol, MemberSymbol, UnavailableSymbol
from rulewright.expr.tree import Range
from rulewright.expr.typecheck import declarations, expressions
from rulewright.expr.types import SEAT, KindInfo, Number, UnknownType
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model import codes
from rulewright.model.dependency_order import find_identifiers, sort_by_dependency
from rulewright.model.expr_reader import ExprReader
from rulewright.model.grid_lines import DIRECTIONS, straight_lines
from rulewright.model.parameters import read_parameter
from rulewright.model.rules import ParameterDef
from rulewright.source.nodes import (
    Entry,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    as_items,
    as_mapping,
    as_scalar,
    text_or_default,
)
from rulewright.suggestions import closest_name

BARE_ITEM: Final = lazy_pattern(r"(?:every )?[a-z][a-z0-9_]*")
BARE_LIST: Final = lazy_pattern(rf"{BARE_ITEM.pattern}(?: *, *{BARE_ITEM.pattern})+")  # words without brackets


def read_kinds_and_parameters(reader: ExprReader) -> dict[str, ParameterDef]:
    """Kinds and parameters may need one another (a kind `1 to width`), so each is read after those it needs."""
    seats = tuple(range(reader.players))
    members, families = tuple(map(str, seats)), frozenset({SEAT.kind})
    info = KindInfo(SEAT.kind, members, seats, family=SEAT.kind, includes=families)
    reader.kinds[SEAT.kind] = same_symbol(SEAT.kind, info)
    reader.table.symbols[SEAT.kind] = same_symbol(SEAT.kind, KindSymbol(SEAT.kind))
    reader.table.family_members[SEAT.kind] = reader.kinds[SEAT.kind].members
    kinds, parameters = list(reader.section("kinds")), list(reader.section("parameters"))
    is_kind = {id(entry) for entry in kinds}
    definitions: dict[str, ParameterDef] = {}
    by_name: dict[str, Entry] = {}
    for entry in [*kinds, *parameters]:
        if entry.key.text in by_name:
            reader.diagnostics.add(
                entry.key.span,
                codes.DUPLICATE_NAME,
                f"`{entry.key.text}` is already the name of a kind",
                related=[Related(by_name[entry.key.text].key.span, "first defined here")],
            )
        by_name.setdefault(entry.key.text, entry)
    reader.table.later_names = tuple(by_name)
    kind_reader = _KindReader(reader, _number_families(reader, kinds))

    def mentions(entry: Entry) -> set[str]:
        """A list of words names other kinds only after `every`."""
        members, _ = _split_kind(entry.value)
        if id(entry) in is_kind and isinstance(members, SequenceNode):
            return {_meant_kind(name, kind_reader.families) for name in _embedded_kinds(entry)}
        return find_identifiers(entry.value)

    for entry in sort_by_dependency(reader, by_name.values(), "kind or parameter", mentions):
        if id(entry) in is_kind:
            kind_reader.read(entry)
        else:
            definitions[entry.key.text] = read_parameter(reader, entry)
    reader.table.later_names = ()
    for entry in (*kinds, *parameters):
        reader.mark_invalid(entry)  # what was declared keeps its meaning
    return {entry.key.text: definitions[entry.key.text] for entry in parameters if entry.key.text in definitions}


def _split_kind(node: Node) -> tuple[Node | None, MappingNode]:
    """The members of a kind (a list, a range, a grid …) and its names."""
    if isinstance(node, MappingNode) and "members" in node:
        return _as_list(node.require("members")), as_mapping(node.get("names"))
    return _as_list(node), MappingNode((), node.span)


def _as_list(node: Node) -> Node:
    """Words with commas between them as the list that is meant; that its brackets are missing is reported elsewhere."""
    if not isinstance(node, ScalarNode) or not BARE_LIST.fullmatch(node.text):
        return node
    items = [ScalarNode(word[0], word[0], node.subspan(*word.span())) for word in BARE_ITEM.finditer(node.text)]
    return SequenceNode(tuple(items), node.span)


def _number_families(reader: ExprReader, kinds: list[Entry]) -> dict[str, str]:
    """The family of each kind of words: kinds that embed one another are numbered together, each word once, in the
    order of the files.
    """
    # seats are first in their family, so that a seat's number is the same in every kind that embeds them
    of_words = [entry for entry in kinds if isinstance(_split_kind(entry.value)[0], SequenceNode)]
    root = {SEAT.kind: SEAT.kind, **{entry.key.text: entry.key.text for entry in of_words}}
    order = {name: index for index, name in enumerate(root)}

    def find(name: str) -> str:
        while root[name] != name:
            name = root[name]
        return name

    for entry in kinds:
        for other in (_meant_kind(name, root) for name in _embedded_kinds(entry)):
            if other in root:
                first, second = sorted((find(entry.key.text), find(other)), key=order.__getitem__)
                root[second] = first
    words: dict[str, dict[str, None]] = {SEAT.kind: dict.fromkeys(reader.kinds[SEAT.kind].members)}
    for entry in kinds:
        members, _ = _split_kind(entry.value)
        if isinstance(members, SequenceNode):
            family = words.setdefault(find(entry.key.text), {})
            for item in members.items:
                if isinstance(item, ScalarNode) and not item.text.startswith("every "):
                    family.setdefault(item.text)
    for name in root:
        reader.table.family_members[find(name)] = tuple(words.get(find(name), ()))
    return {name: find(name) for name in root}


def _embedded_kinds(entry: Entry) -> list[str]:
    members, _ = _split_kind(entry.value)
    if not isinstance(members, SequenceNode):
        return []
    return [
        item.text[6:].strip()
        for item in members.items
        if isinstance(item, ScalarNode) and item.text.startswith("every ")
    ]


def _meant_kind(name: str, known: Mapping[str, str]) -> str:
    """The kind of words that a name means, also where it is misspelled, so that its words are not missed as well."""
    return name if name in known else closest_name(name, known) or name


class _KindReader:
    """Declares kinds, in an order in which each comes after those it mentions."""

    def __init__(self, reader: ExprReader, families: Mapping[str, str]) -> None:
        self.reader = reader
        self.wrong_grids: set[str] = set()  # reported where they are declared
        self.families = families  # of each kind of words
        self.grid_sizes: dict[str, tuple[int, int]] = {}  # columns and rows of the kinds that are grids
        self.is_over_limit = False  # more members than are allowed in all, which is reported once

    def read(self, entry: Entry) -> None:
        name, address = entry.key.text, f"kinds.{entry.key.text}"
        members, _ = _split_kind(entry.value)
        info: KindInfo | None = None
        if isinstance(members, SequenceNode):
            self._check_brackets(entry.value, address)
            info = self._read_words(name, members, address)
        elif isinstance(members, MappingNode):
            info = (
                self._read_grid(name, members, address)
                if "grid" in members
                else self._read_lines(name, members, address)
            )
        elif isinstance(members, ScalarNode):
            self.reader.record_use(members)
            bounds = declarations.check_kind_range(
                members, self.reader.scope(), self.reader.diagnostics, address=address
            )
            if bounds is None:
                self.reader.mark_invalid(entry)
                return
            low, high = bounds
            if high - low >= limits.MAX_MEMBERS:
                self.reader.diagnostics.add(
                    members.span,
                    codes.TOO_MANY,
                    f"a kind of {high - low + 1:,} members, over the limit of {limits.MAX_MEMBERS:,}",
                    address=address,
                )
                high = low
            numbers = tuple(range(low, high + 1))
            info = KindInfo(
                name, tuple(map(str, numbers)), numbers, is_numeric=True, family=name, includes=frozenset({name})
            )
            self.reader.table.family_members[name] = info.members
        if (
            info is not None
            and sum(len(kind.members) for kind in self.reader.kinds.values()) > limits.MAX_TOTAL_MEMBERS
        ):
            text = f"all kinds together are over the limit of {limits.MAX_TOTAL_MEMBERS} members"
            if not self.is_over_limit:
                self.reader.diagnostics.add(entry.key.span, codes.TOO_MANY, text, address=address)
            self.is_over_limit = True
            self.reader.mark_invalid(entry)
        elif info is not None:
            self.reader.kinds[name] = same_symbol(name, info)
            self.reader.declare(name, KindSymbol(name), entry.key.span)

    def _check_brackets(self, node: Node, address: str) -> None:
        written = node.get("members") if isinstance(node, MappingNode) else node
        if isinstance(written, ScalarNode):
            hint = f"write `[{written.text}]`"
            message = "the words of a kind are a list"
            self.reader.diagnostics.add(
                written.span, WRONG_TYPE, message, label="no brackets", help=hint, address=address
            )

    def _read_words(self, name: str, members: SequenceNode, address: str) -> KindInfo:
        family = self.families[name]
        order = {word: index for index, word in enumerate(self.reader.table.family_members[family])}
        words: dict[str, None] = {}  # in order
        embeds = {name}
        for item in members.items:
            if not isinstance(item, ScalarNode):
                continue
            if item.text.startswith("every "):
                inner = declarations.check_every_kind(
                    item, self.reader.scope(), self.reader.diagnostics, address=address
                )
                meant = inner or _meant_kind(item.text.removeprefix("every ").strip(), self.families)
                info = self.reader.kinds.get(meant)
                if inner is not None:
                    self.reader.usage.used_names.add(inner)
                if info is not None and meant not in self.families:
                    text = f"`{meant}` is a kind of numbers or places, which cannot be part of a list of words"
                    help_ = "list the words themselves"
                    self.reader.diagnostics.add(item.span, codes.WRONG_KIND_OF_THING, text, help=help_, address=address)
                elif info is not None:
                    words.update(dict.fromkeys(info.members))
                    embeds |= info.includes
                continue
            if item.text in words:
                self.reader.diagnostics.add(
                    item.span, codes.DUPLICATE_NAME, f"`{item.text}` is already a member of `{name}`", address=address
                )
                continue
            words[item.text] = None
            self.reader.declare(item.text, MemberSymbol(name, order[item.text]), item.span)
        numbers = tuple(order[word] for word in words)
        if len(words) > limits.MAX_MEMBERS:
            text = f"a kind of {len(words):,} members, over the limit of {limits.MAX_MEMBERS:,}"
            self.reader.diagnostics.add(members.span, codes.TOO_MANY, text, address=address)
        return KindInfo(name, tuple(words), numbers, family=family, includes=frozenset(embeds))

    def _read_grid(self, name: str, node: MappingNode, address: str) -> KindInfo | None:
        size = as_scalar(node.get("grid"))
        assert size is not None, "the schema requires it"
        self.reader.record_use(size)
        scope, diagnostics = self.reader.scope(), self.reader.diagnostics
        grid_size = declarations.check_grid(size, scope, diagnostics, address=address)
        if grid_size is None:
            self.wrong_grids.add(name)
            self._hide_cells(size.text)
            return None
        columns, rows = grid_size
        if not (1 <= columns <= 26 and 1 <= rows <= 99):
            self.reader.diagnostics.add(
                size.span, codes.TOO_MANY, "a grid has 1 to 26 columns and 1 to 99 rows", address=address
            )
            columns, rows = min(max(columns, 1), 26), min(max(rows, 1), 99)
        words = _cell_names(columns, rows)
        for index, word in enumerate(words):
            self.reader.declare(word, MemberSymbol(name, index), size.span)
        self.reader.table.family_members[name] = words
        self.grid_sizes[name] = (columns, rows)
        return KindInfo(name, words, tuple(range(len(words))), family=name, includes=frozenset({name}), columns=columns)

    def _hide_cells(self, size: str) -> None:
        """Nothing is said of the cells of a grid whose size is written wrongly, `3 x 3`."""
        numbers = [int(number) for number in re.findall(r"\b[0-9]{1,2}\b", size)]
        if len(numbers) == 2:
            for word in _cell_names(min(numbers[0], 26), numbers[1]):
                self.reader.table.symbols.setdefault(word, UnavailableSymbol(""))

    def _read_lines(self, name: str, node: MappingNode, address: str) -> KindInfo | None:
        of, length_node = as_scalar(node.get("lines_of")), as_scalar(node.get("length"))
        assert of is not None
        assert length_node is not None
        self.reader.record_use(of)
        if of.text in self.wrong_grids:
            return None
        if of.text not in self.grid_sizes:
            self.reader.emit_unknown(of, "grid", list(self.grid_sizes), address)
            return None
        lengths = self._read_lengths(length_node, address)
        columns, rows = self.grid_sizes[of.text]
        cells = self.reader.kinds[of.text]
        along = [text_or_default(item) for item in as_items(node.get("along"))] or list(DIRECTIONS)
        both = node.get("both_ways")
        both_ways = isinstance(both, ScalarNode) and both.value is True
        fitting = range(max(lengths.start, 1), min(lengths.stop, max(columns, rows) + 1))
        lines = list(straight_lines(columns, rows, fitting, along, both_ways=both_ways))
        words = tuple(f"{cells.members[line[0]]}_{cells.members[line[-1]]}" for line in lines)
        if lengths and not lines:
            self.reader.diagnostics.add(
                length_node.span,
                codes.OUT_OF_BOUNDS,
                f"no line of {lengths[0]} cells fits the {columns} by {rows} grid",
                label="too long" if lengths[-1] > 0 else "too short",
                address=address,
            )
        if not lines:
            return None
        self.reader.table.family_members[name] = words
        return KindInfo(
            name,
            words,
            tuple(range(len(words))),
            family=name,
            includes=frozenset({name}),
            cell_kind=of.text,
            lines=tuple(lines),
        )

    def _read_lengths(self, node: ScalarNode, address: str) -> range:
        """The lengths of lines, one or all from the least to the greatest; empty where they are wrong."""
        expr = expressions.check_expression(node, self.reader.scope(), self.reader.diagnostics, address=address)
        least, most = (expr.low, expr.high) if isinstance(expr, Range) else (expr, expr)
        shortest, longest = fold_constant(least), fold_constant(most)
        is_number = isinstance(expr, Range) or isinstance(expr.type, Number)
        if is_number and isinstance(shortest, int) and isinstance(longest, int):
            return range(shortest, longest + 1)  # one that is upside down is reported
        if not isinstance(expr.type, UnknownType):  # else it is reported
            message = "the length of lines must be a number or a range, known before play"
            self.reader.diagnostics.add(
                node.span, codes.WRONG_VALUE, message, help="write `3`, or `3 to 8`", address=address
            )
        return range(0)


def _cell_names(columns: int, rows: int) -> tuple[str, ...]:
    return tuple(f"{chr(ord('a') + column)}{row + 1}" for row in range(rows) for column in range(columns))

"""What there is to name: kinds with their members, and parameters, which may need one another.

In: the sections `kinds` and `parameters`. Out: symbols in the table of names, and the parameters of the model.
"""

from __future__ import annotations

from itertools import product
from typing import Final, cast

from rulewright import limits
from rulewright.diagnostics import Related
from rulewright.expr.fold import fold
from rulewright.expr.tree import Constant, Expr
from rulewright.expr.typecheck import expressions
from rulewright.expr.types import (
    Bag,
    KindInfo,
    KindName,
    Member,
    Number,
    Parameter,
    SetOf,
    Type,
    Unknown,
    Word,
)
from rulewright.model import codes
from rulewright.model.dependency_order import in_order_of_need, mentioned
from rulewright.model.rules import ParameterDef
from rulewright.model.symbol_table import Names, items, mapping, scalar, text_of
from rulewright.model.value_checks import within
from rulewright.source.nodes import Entry, Mapping, Node, Scalar, Sequence
from rulewright.variants.variant import players_range

SEAT: Final = "seat"


def kinds_and_parameters(names: Names) -> dict[str, ParameterDef]:
    """Kinds and parameters may need one another (a kind `1 to width`), so they are read in order of need."""
    seats = tuple(range(names.players))
    names.kinds[SEAT] = KindInfo(SEAT, tuple(map(str, seats)), seats, family=SEAT, embeds=frozenset({SEAT}))
    names.symbols[SEAT] = KindName(SEAT)
    names.members[SEAT] = names.kinds[SEAT].members
    kinds, parameters = list(names.section("kinds")), list(names.section("parameters"))
    is_kind = {id(entry) for entry in kinds}
    found: dict[str, ParameterDef] = {}
    taken: dict[str, Entry] = {}
    for entry in [*kinds, *parameters]:
        if entry.key.text in taken:
            names.report.add(
                entry.key.span,
                codes.DUPLICATE_NAME,
                f"`{entry.key.text}` is the name of a kind already",
                related=[Related(taken[entry.key.text].key.span, "the first meaning")],
            )
        taken.setdefault(entry.key.text, entry)
    _embedded(names, kinds)

    def mentions(entry: Entry) -> set[str]:
        """A list of words names no other kind but behind `every`."""
        members, _ = _parts_of(entry.value)
        if id(entry) in is_kind and isinstance(members, Sequence):
            return set(_every(entry))
        return mentioned(entry.value)

    for entry in in_order_of_need(names, taken.values(), "kind or parameter", mentions):
        if id(entry) in is_kind:
            _kind(names, entry)
        else:
            found[entry.key.text] = _parameter(names, entry)
    for entry in (*kinds, *parameters):
        names.poison(entry)  # what was declared keeps its meaning
    return {entry.key.text: found[entry.key.text] for entry in parameters if entry.key.text in found}


def _parts_of(node: Node) -> tuple[Node | None, Mapping]:
    """The members of a kind (a list, a range, a grid …) and its names."""
    if isinstance(node, Mapping) and "members" in node:
        return node.get("members"), mapping(node.get("names"))
    return node, Mapping((), node.span)


def _embedded(names: Names, kinds: list[Entry]) -> None:
    """Families: kinds that embed one another are numbered together, each word once, in the order of the files."""
    # seats stand first in their family, so that a seat's number is the same in every kind that embeds them
    of_words = [entry for entry in kinds if isinstance(_parts_of(entry.value)[0], Sequence)]
    root = {SEAT: SEAT, **{entry.key.text: entry.key.text for entry in of_words}}
    place = {name: at for at, name in enumerate(root)}

    def find(name: str) -> str:
        while root[name] != name:
            name = root[name]
        return name

    for entry in kinds:
        for other in _every(entry):
            if other in root:
                one, two = sorted((find(entry.key.text), find(other)), key=place.__getitem__)
                root[two] = one
    words: dict[str, dict[str, None]] = {SEAT: dict.fromkeys(names.kinds[SEAT].members)}
    for entry in kinds:
        members, _ = _parts_of(entry.value)
        if isinstance(members, Sequence):
            own = words.setdefault(find(entry.key.text), {})
            for item in members.items:
                if isinstance(item, Scalar) and not item.text.startswith("every "):
                    own.setdefault(item.text)
    for name in root:
        names.members[find(name)] = tuple(words.get(find(name), ()))
    names.families = {name: find(name) for name in root}


def _every(entry: Entry) -> list[str]:
    members, _ = _parts_of(entry.value)
    if not isinstance(members, Sequence):
        return []
    return [
        item.text[6:].strip() for item in members.items if isinstance(item, Scalar) and item.text.startswith("every ")
    ]


def _kind(names: Names, entry: Entry) -> None:
    name, address = entry.key.text, f"kinds.{entry.key.text}"
    members, _ = _parts_of(entry.value)
    info: KindInfo | None = None
    if isinstance(members, Sequence):
        info = _words(names, name, members, address)
    elif isinstance(members, Mapping):
        info = _grid(names, name, members, address) if "grid" in members else _lines(names, name, members, address)
    elif isinstance(members, Scalar):
        names._mention(members)
        low, high = expressions.kind_range(members, names.scope(), names.report, address=address) or (1, 1)
        if high - low >= limits.MAX_MEMBERS:
            names.report.add(
                members.span,
                codes.TOO_MANY,
                f"a kind of {high - low + 1:,} members; {limits.MAX_MEMBERS:,} are allowed",
                address=address,
            )
            high = low
        numbers = tuple(range(low, high + 1))
        info = KindInfo(name, tuple(map(str, numbers)), numbers, numeric=True, family=name, embeds=frozenset({name}))
        names.members[name] = info.members
    if info is not None and sum(len(one.members) for one in names.kinds.values()) > limits.MAX_TOTAL_MEMBERS:
        text = f"more than {limits.MAX_TOTAL_MEMBERS} members in all kinds"
        if not names.told_too_many:
            names.report.add(entry.key.span, codes.TOO_MANY, text, address=address)
        names.told_too_many = True
        names.poison(entry)
    elif info is not None:
        names.kinds[name] = info
        names.declare(name, KindName(name, entry.key.span), entry.key.span)


def _words(names: Names, name: str, members: Sequence, address: str) -> KindInfo:
    family = names.families[name]
    order = {word: at for at, word in enumerate(names.members[family])}
    words: dict[str, None] = {}  # in order
    embeds = {name}
    for item in members.items:
        if not isinstance(item, Scalar):
            continue
        if item.text.startswith("every "):
            inner = expressions.every_kind(item, names.scope(), names.report, address=address)
            info = names.kinds.get(inner) if inner else None
            if inner is not None:
                names.mentioned.add(inner)
            if info is not None and inner not in names.families:
                text = f"`{inner}` is a kind of numbers or places, which no list of words can hold"
                help_ = "list what is meant as words of its own"
                names.report.add(item.span, codes.WRONG_REFERENCE, text, help=help_, address=address)
            elif info is not None:
                words.update(dict.fromkeys(info.members))
                embeds |= info.embeds
            continue
        if item.text in words:
            names.report.add(
                item.span, codes.DUPLICATE_NAME, f"`{item.text}` is a member of `{name}` already", address=address
            )
            continue
        words[item.text] = None
        names.declare(item.text, Word(name, order[item.text]), item.span)
    numbers = tuple(order[word] for word in words)
    if len(words) > limits.MAX_MEMBERS:
        text = f"a kind of {len(words):,} members; {limits.MAX_MEMBERS:,} are allowed"
        names.report.add(members.span, codes.TOO_MANY, text, address=address)
    return KindInfo(name, tuple(words), numbers, family=family, embeds=frozenset(embeds))


def _grid(names: Names, name: str, node: Mapping, address: str) -> KindInfo:
    size = scalar(node.get("grid"))
    assert size is not None
    names._mention(size)
    columns, rows = expressions.grid(size, names.scope(), names.report, address=address) or (1, 1)
    if not (1 <= columns <= 26 and 1 <= rows <= 99):
        names.report.add(size.span, codes.TOO_MANY, "a grid has 1 to 26 columns and 1 to 99 rows", address=address)
        columns, rows = min(max(columns, 1), 26), min(max(rows, 1), 99)
    words = tuple(f"{chr(ord('a') + column)}{row + 1}" for row in range(rows) for column in range(columns))
    for at, word in enumerate(words):
        names.declare(word, Word(name, at), size.span)
    names.members[name] = words
    names.grids[name] = (columns, rows)
    return KindInfo(name, words, tuple(range(len(words))), family=name, embeds=frozenset({name}), across=columns)


def _lines(names: Names, name: str, node: Mapping, address: str) -> KindInfo | None:
    of, length_node = scalar(node.get("lines_of")), scalar(node.get("length"))
    assert of is not None
    assert length_node is not None
    names._mention(of)
    if of.text not in names.grids:
        names.unknown(of, "grid", list(names.grids), address)
        return None
    read = expressions.expression(length_node, names.scope(), names.report, address=address)
    length = fold(read)
    columns, rows = names.grids[of.text]
    cells = names.kinds[of.text]
    lines: list[tuple[int, ...]] = []
    if isinstance(length, int):
        for row, column in product(range(rows), range(columns)):
            for step_row, step_column in ((0, 1), (1, 0), (1, 1), (1, -1)) if length > 1 else ((0, 1),):
                line = [(row + step_row * k, column + step_column * k) for k in range(length)]
                if length > 0 and all(0 <= r < rows and 0 <= c < columns for r, c in line):
                    lines.append(tuple(r * columns + c for r, c in line))
    words = tuple(f"{cells.members[line[0]]}_{cells.members[line[-1]]}" for line in lines)
    if not isinstance(length, int):
        if not isinstance(read.type, Unknown):  # else it has been told
            message = "the length of lines is one number, known before the game"
            help_ = "write a kind for each length: {lines_of: …, length: 3}, {lines_of: …, length: 4}"
            names.report.add(length_node.span, codes.WRONG_VALUE, message, help=help_, address=address)
    elif not lines:
        names.report.add(
            length_node.span, codes.OUT_OF_BOUNDS, "no line of that length fits into the grid", address=address
        )
    names.members[name] = words
    return KindInfo(
        name,
        words,
        tuple(range(len(words))),
        family=name,
        embeds=frozenset({name}),
        lines_of=of.text,
        lines=tuple(lines),
    )


def _parameter(names: Names, entry: Entry) -> ParameterDef:
    name, node, address = entry.key.text, entry.value, f"parameters.{entry.key.text}"
    scope = names.scope()
    long = isinstance(node, Mapping)
    value_node = node.get("value") if isinstance(node, Mapping) else node
    type_node = node.get("type") if isinstance(node, Mapping) else None
    type_ = names.type_(type_node, scope, f"{address}.type") if type_node is not None else None
    per_node = node.get("per") if isinstance(node, Mapping) else None
    assert value_node is not None
    if per_node is None and not isinstance(value_node, Scalar):
        names.report.add(
            value_node.span,
            codes.WRONG_VALUE,
            "a list of values needs to say what it is kept per",
            help="add `per: seat` or `per:` a kind",
            address=address,
        )
        definition = ParameterDef(name, Unknown(), (), 0)
    elif per_node is not None:
        definition = _table(names, name, value_node, type_, per_node, address)
    else:
        expr = names.expression(value_node, scope, None, f"{address}.value" if long else address)
        value = _known(names, expr, type_, value_node, address)
        definition = ParameterDef(name, type_ or _exact(expr.type, value), (), value)
    symbol = Parameter(definition.type, definition.per, definition.value, entry.key.span)
    names.declare(name, symbol, entry.key.span)
    return definition


def _exact(type_: Type, value: object) -> Type:
    return Number(value, value) if isinstance(type_, Number) and isinstance(value, int) else type_


def _table(names: Names, name: str, node: Node, type_: Type | None, per: Node, address: str) -> ParameterDef:
    key = names.key_type(per, f"{address}.per")
    members = names.key_values(key)
    values = items(node)
    _, most = (players_range(names.root.get("players")) if key == Member("seat") else None) or (0, 0)
    most = max(most, len(members))  # of a list for more seats than play the first values count
    if not len(members) <= len(values) <= most and not isinstance(key, Unknown):
        wanted = len(members) if len(values) < len(members) else most
        names.report.add(
            node.span,
            codes.MISSING_CASE,
            f"{len(values)} values for {wanted} members of `{text_of(per)}`",
            help="give one value for each member, in their order",
            address=address,
        )
    table: dict[int, object] = {}
    types: list[Type] = []
    for at, one in enumerate(values):
        expr = names.expression(one, names.scope(), None, address)
        value = _known(names, expr, type_, one, address)
        if at < len(members):
            table[members[at]] = value
            types.append(_exact(expr.type, value))
    joined = type_ or (types[0] if types else Unknown())
    if type_ is None and types and all(isinstance(one, Number) for one in types):
        numbers = cast("list[Number]", types)
        joined = Number(min(one.low for one in numbers), max(one.high for one in numbers))
    return ParameterDef(name, joined, (key,), None, table)


def _known(names: Names, expr: Expr, type_: Type | None, node: Node, address: str) -> object:
    """The value of an expression that is known before play and within the bounds of a type."""
    if isinstance(expr.type, Unknown):
        return 0
    constant = isinstance(expr, Constant) and not isinstance(expr.type, Bag | SetOf)
    value = expr.value if constant and isinstance(expr, Constant) else fold(expr)
    if value is None:
        names.report.add(
            node.span,
            codes.NEEDS_POSITION,
            "the value of a parameter must be known before play begins",
            help="it may use `players` and other parameters",
            address=address,
        )
        return 0
    within(names, value, expr, type_, node, address)
    return value

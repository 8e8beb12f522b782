"""What there is: kinds, parameters, components with their rows, zones, values and state, from the files to the model.

In: the sections that declare things. Out: symbols in the table of names, and the definitions of the model.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from math import prod
from typing import Any, Final, Literal, cast

from rulewright.diagnostics import Related, listed, nearest
from rulewright.expr import check
from rulewright.expr.fits import fits, join, phrase
from rulewright.expr.fold import fold
from rulewright.expr.tree import Constant, Expr
from rulewright.expr.types import (
    Bag,
    Component,
    Flag,
    KindInfo,
    KindName,
    Member,
    Number,
    Parameter,
    SetOf,
    StateVar,
    Thing,
    Type,
    Unknown,
    Value,
    Word,
    Zone,
)
from rulewright.model import codes
from rulewright.model.names import IDENTIFIER, MOST_PLACES, Names, items, mapping, scalar, text_of
from rulewright.model.rules import ComponentDef, ParameterDef, StateDef, ValueDef, ZoneDef
from rulewright.model.walk import needs_turn, reads_position
from rulewright.text.nodes import Entry, Mapping, Node, Scalar, Sequence

SEAT: Final = "seat"
MOST_MEMBERS: Final = 1000


def in_order_of_need(names: Names, entries: Iterable[Entry], what: str) -> list[Entry]:
    """Entries so that each comes after those its expressions mention; a circle is a complaint, shown whole."""
    by_name = {entry.key.text: entry for entry in entries}
    needs = {name: {n for n in _mentions(entry.value) if n in by_name} for name, entry in by_name.items()}
    done: list[Entry] = []
    finished: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        if name in finished:
            return
        if name in path:
            circle = (*path[path.index(name) :], name)
            key = by_name[circle[0]].key
            names.report.add(
                key.span,
                codes.CYCLE,
                f"{what}s need one another in a circle: {' → '.join(circle)}",
                label="the circle begins here",
                help="one of them has to do without the others",
                related=[Related(by_name[one].key.span, f"`{one}` stands here") for one in circle[1:-1]],
            )
            finished.update(circle)
            return
        for other in sorted(needs[name]):
            visit(other, (*path, name))
        if name not in finished:
            finished.add(name)
            done.append(by_name[name])

    for name in by_name:
        visit(name, ())
    return done


def _mentions(node: Node) -> set[str]:
    match node:
        case Scalar(text=text):
            return set(IDENTIFIER.findall(text))
        case Mapping():
            return set().union(*[_mentions(e.value) for e in node if e.key.text not in ("text", "source", "status")])
        case Sequence():
            return set().union(*map(_mentions, node.items))


# ---- kinds and parameters -----------------------------------------------------------------------------------


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
    for entry in in_order_of_need(names, taken.values(), "kind or parameter"):
        if id(entry) in is_kind:
            _kind(names, entry)
        else:
            found[entry.key.text] = _parameter(names, entry)
    return {entry.key.text: found[entry.key.text] for entry in parameters if entry.key.text in found}


def _parts_of(node: Node) -> tuple[Node | None, Mapping]:
    """The members of a kind (a list, a range, a grid …) and its names."""
    if isinstance(node, Mapping) and "members" in node:
        return node.get("members"), mapping(node.get("names"))
    return node, Mapping((), node.span)


def _embedded(names: Names, kinds: list[Entry]) -> None:
    """Families: kinds that embed one another are numbered together, each word once, in the order of the files."""
    root = {entry.key.text: entry.key.text for entry in kinds}

    def find(name: str) -> str:
        while root[name] != name:
            name = root[name]
        return name

    for entry in kinds:
        for other in _every(entry):
            if other in root:
                one, two = sorted((find(entry.key.text), find(other)), key=list(root).index)
                root[two] = one
    words: dict[str, dict[str, None]] = {}
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
    return [item.text[6:].strip() for item in members.items if isinstance(item, Scalar) and item.text.startswith("every ")]


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
        low, high = check.kind_range(members, names.scope(), names.report, address=address) or (1, 1)
        if high - low >= MOST_MEMBERS:
            names.report.add(
                members.span, codes.TOO_MANY, f"a kind of {high - low + 1} members; {MOST_MEMBERS} are allowed", address=address
            )
            high = low
        numbers = tuple(range(low, high + 1))
        info = KindInfo(name, tuple(map(str, numbers)), numbers, numeric=True, family=name, embeds=frozenset({name}))
        names.members[name] = info.members
    if info is not None:
        names.kinds[name] = info
        names.declare(name, KindName(name, entry.key.span), entry.key.span)


def _words(names: Names, name: str, members: Sequence, address: str) -> KindInfo:
    family = names.families[name]
    order = {word: at for at, word in enumerate(names.members[family])}
    words: list[str] = []
    embeds = {name}
    for item in members.items:
        if not isinstance(item, Scalar):
            continue
        if item.text.startswith("every "):
            inner = check.every_kind(item, names.scope(), names.report, address=address)
            info = names.kinds.get(inner) if inner else None
            if info is not None:
                words.extend(word for word in info.members if word not in words)
                embeds |= info.embeds
            continue
        if item.text in words:
            names.report.add(item.span, codes.DUPLICATE_NAME, f"`{item.text}` is a member of `{name}` already", address=address)
            continue
        words.append(item.text)
        names.declare(item.text, Word(name, order[item.text]), item.span)
    numbers = tuple(order[word] for word in words)
    return KindInfo(name, tuple(words), numbers, family=family, embeds=frozenset(embeds))


def _grid(names: Names, name: str, node: Mapping, address: str) -> KindInfo:
    size = scalar(node.get("grid"))
    assert size is not None
    names._mention(size)
    columns, rows = check.grid(size, names.scope(), names.report, address=address) or (1, 1)
    if not (1 <= columns <= 26 and 1 <= rows <= 99):
        names.report.add(size.span, codes.TOO_MANY, "a grid has 1 to 26 columns and 1 to 99 rows", address=address)
        columns, rows = min(max(columns, 1), 26), min(max(rows, 1), 99)
    words = tuple(f"{chr(ord('a') + column)}{row + 1}" for row in range(rows) for column in range(columns))
    for at, word in enumerate(words):
        names.declare(word, Word(name, at), size.span)
    names.members[name] = words
    names.grids[name] = (columns, rows)
    return KindInfo(name, words, tuple(range(len(words))), family=name, embeds=frozenset({name}))


def _lines(names: Names, name: str, node: Mapping, address: str) -> KindInfo | None:
    of, length_node = scalar(node.get("lines_of")), scalar(node.get("length"))
    assert of is not None
    assert length_node is not None
    names._mention(of)
    if of.text not in names.grids:
        names.unknown(of, "grid", list(names.grids), address)
        return None
    length = fold(check.expression(length_node, names.scope(), names.report, address=address))
    columns, rows = names.grids[of.text]
    cells = names.kinds[of.text]
    lines: list[tuple[int, ...]] = []
    if isinstance(length, int):
        for row, column in product(range(rows), range(columns)):
            for step_row, step_column in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(row + step_row * k, column + step_column * k) for k in range(length)]
                if length > 0 and all(0 <= r < rows and 0 <= c < columns for r, c in line):
                    lines.append(tuple(r * columns + c for r, c in line))
    words = tuple(f"{cells.members[line[0]]}_{cells.members[line[-1]]}" for line in lines)
    if not lines:
        names.report.add(length_node.span, codes.OUT_OF_BOUNDS, "no line of that length fits into the grid", address=address)
    names.members[name] = words
    return KindInfo(
        name, words, tuple(range(len(words))), family=name, embeds=frozenset({name}), lines_of=of.text, lines=tuple(lines)
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
    if per_node is not None:
        definition = _table(names, name, value_node, type_, per_node, address)
    else:
        expr = names.expression(value_node, scope, None, f"{address}.value" if long else address)
        value = _known(names, expr, value_node, address)
        _within(names, value, expr, type_, value_node, address)
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
    if len(values) != len(members) and not isinstance(key, Unknown):
        names.report.add(
            node.span,
            codes.MISSING_CASE,
            f"{len(values)} values for {len(members)} members of `{text_of(per)}`",
            help="give one value for each member, in their order",
            address=address,
        )
    table: dict[int, object] = {}
    types: list[Type] = []
    for member, one in zip(members, values, strict=False):
        expr = names.expression(one, names.scope(), None, address)
        table[member] = _known(names, expr, one, address)
        _within(names, table[member], expr, type_, one, address)
        types.append(_exact(expr.type, table[member]))
    joined = type_ or (types[0] if types else Unknown())
    if type_ is None and types and all(isinstance(one, Number) for one in types):
        numbers = cast("list[Number]", types)
        joined = Number(min(one.low for one in numbers), max(one.high for one in numbers))
    return ParameterDef(name, joined, (key,), None, table)


def _known(names: Names, expr: Expr, node: Node, address: str) -> object:
    if isinstance(expr.type, Unknown):
        return 0
    if isinstance(expr, Constant) and not isinstance(expr.type, Bag | SetOf):
        return expr.value
    value = fold(expr)
    if value is None:
        names.report.add(
            node.span,
            codes.NEEDS_POSITION,
            "the value of a parameter must be known before play begins",
            help="it may use `players` and other parameters",
            address=address,
        )
        return 0
    return value


def _within(names: Names, value: object, expr: Expr, type_: Type | None, node: Node, address: str) -> None:
    if type_ is None or isinstance(type_, Unknown) or isinstance(expr.type, Unknown):
        return
    if isinstance(type_, Number) and isinstance(value, int) and not isinstance(value, bool):
        if not type_.low <= value <= type_.high:
            names.report.add(
                node.span,
                codes.OUT_OF_BOUNDS,
                f"{value} is not within {type_.low} to {type_.high}",
                label="out of bounds",
                help=f"the type says {type_.low} to {type_.high}",
                address=address,
            )
        return
    if not fits(expr.type, type_, names.kinds):
        names.report.add(
            node.span,
            codes.WRONG_VALUE,
            f"this is {phrase(expr.type, names.kinds)}, where {phrase(type_, names.kinds)} is declared",
            address=address,
        )


# ---- components ---------------------------------------------------------------------------------------------


def components(names: Names) -> dict[str, ComponentDef]:
    """Things with identity and their rows. All names are declared before any field is read, as fields may name components."""
    found: dict[str, ComponentDef] = {}
    entries = list(names.section("components"))
    for entry in entries:
        rows = mapping(mapping(entry.value).get("rows")).keys()
        names.declare(entry.key.text, Component({}, len(rows), rows, entry.key.span), entry.key.span)
    first = 0
    for entry in entries:
        definition = _component(names, entry, first)
        first += len(definition.ids)
        found[definition.name] = definition
    return found


def _component(names: Names, entry: Entry, first: int) -> ComponentDef:
    name, node, address = entry.key.text, mapping(entry.value), f"components.{entry.key.text}"
    fields_node, rows = mapping(node.get("fields")), mapping(node.get("rows"))
    fields = {one.key.text: names.type_(one.value, names.scope(), f"{address}.fields.{one.key.text}") for one in fields_node}
    columns: dict[str, list[object]] = {field: [] for field in fields}
    for row in rows:
        content = mapping(row.value)
        where = f"{address}.rows.{row.key.text}"
        for one in content:
            if one.key.text not in fields and one.key.text not in ("id", "text", "source", "status"):
                names.report.add(
                    one.key.span,
                    codes.UNKNOWN_ROW_FIELD,
                    f"a {name} has no field `{one.key.text}`",
                    label=f"not a field of `{name}`",
                    help="   ".join(h for h in (nearest(one.key.text, fields), listed("fields", fields)) if h),
                    address=where,
                    related=[Related(fields_node.span, "its fields are declared here")],
                )
        for field, type_ in fields.items():
            value = content.get(field)
            if value is None:
                names.report.add(
                    row.key.span,
                    codes.MISSING_FIELD,
                    f"this {name} has no `{field}`",
                    help=f"every {name} needs: {', '.join(fields)}",
                    address=where,
                )
                columns[field].append(_nothing(names, type_))
            else:
                columns[field].append(_cell(names, value, type_, f"{where}.{field}"))
    symbol = Component(fields, len(rows.entries), rows.keys(), fields_node.span)
    names.symbols[name] = symbol
    starts = node.get("starts_in")
    return ComponentDef(
        name=name,
        ids=rows.keys(),
        fields=fields,
        columns={field: tuple(values) for field, values in columns.items()},
        starts_in=None,
        first=first,
        address=address,
        span=entry.key.span if starts is None else starts.span,
    )


def starting_places(names: Names, found: dict[str, ComponentDef]) -> dict[str, ComponentDef]:
    """The place where each thing starts; read after the zones are known."""
    result = {}
    for entry in names.section("components"):
        definition = found[entry.key.text]
        node = mapping(entry.value).get("starts_in")
        if node is not None:
            address = f"{definition.address}.starts_in"
            scope = names.scope(variables={definition.name: Thing(definition.name)})
            place = names.place(node, scope, address, source=False)
            if place is None:
                continue
            zone = names.symbols[place.zone]
            assert isinstance(zone, Zone)
            if zone.holds != Thing(definition.name):
                _wrong_content(names, node, definition.name, place.zone, address)
            else:
                definition = replace(definition, starts_in=place)
            _constant(names, place.keys, node, address)
        result[definition.name] = definition
    return result


def _wrong_content(names: Names, node: Node, what: str, zone: str, address: str) -> None:
    related = [Related(names.spans[zone], "the zone is declared here")] if zone in names.spans else []
    names.report.add(node.span, codes.WRONG_MOVE, f"`{zone}` does not hold {what}", address=address, related=related)


def _nothing(names: Names, type_: Type) -> object:
    match type_:
        case Bag(kind=kind):
            return (0,) * len(names.members.get(_family(names, kind), ()))
        case SetOf():
            return ()
        case Member(kind=kind) if names.kinds.get(kind) and names.kinds[kind].numbers:
            return names.kinds[kind].numbers[0]
        case Number(low=low):
            return low
        case _:
            return 0


def _family(names: Names, kind: str) -> str:
    return names.kinds[kind].family if kind in names.kinds else kind


def _cell(names: Names, node: Node, type_: Type, address: str) -> object:
    """The run-time value that a row gives a field."""
    match type_:
        case Unknown():
            return 0
        case Flag() if isinstance(node, Scalar) and isinstance(node.value, bool):
            return node.value
        case Number(low=low, high=high) if isinstance(node, Scalar) and _is_number(node):
            value = cast(int, node.value)
            if not low <= value <= high:
                names.report.add(
                    node.span, codes.OUT_OF_BOUNDS, f"{value} is not within {low} to {high}", label="out of bounds", address=address
                )
                return low
            return value
        case Member(kind=kind) if isinstance(node, Scalar):
            return _member(names, node, kind, address)
        case Thing(component=component) if isinstance(node, Scalar):
            symbol = names.symbols.get(component)
            rows = symbol.rows if isinstance(symbol, Component) else ()
            if node.text not in rows:
                names.unknown(node, component, list(rows), address)
                return 0
            return rows.index(node.text)
        case Bag(kind=kind) if isinstance(node, Mapping):
            return _bag(names, node, kind, address)
        case SetOf(of=Member(kind=kind)) if isinstance(node, Sequence):
            return tuple(dict.fromkeys(_member(names, one, kind, address) for one in node.items if isinstance(one, Scalar)))
        case _:
            pass
    names.report.add(
        node.span,
        codes.WRONG_VALUE,
        f"the field wants {phrase(type_, names.kinds)}",
        label="does not fit",
        help=_example(type_),
        address=address,
    )
    return _nothing(names, type_)


def _is_number(node: Scalar) -> bool:
    return isinstance(node.value, int) and not isinstance(node.value, bool)


def _example(type_: Type) -> str:
    match type_:
        case Bag():
            return "a bag is written as counts: {first: 2, second: 1}"
        case SetOf():
            return "a set is written as a list: [first, second]"
        case _:
            return ""


def _member(names: Names, node: Scalar, kind: str, address: str) -> int:
    info = names.kinds.get(kind)
    if info is None:
        return 0
    if node.text not in info.members:
        hints = [hint for hint in (nearest(node.text, info.members), listed("members", info.members)) if hint]
        names.report.add(
            node.span,
            codes.WRONG_VALUE,
            f"`{node.text}` is no {kind}",
            label="not a member",
            help="   ".join(hints),
            address=address,
        )
        return info.numbers[0] if info.numbers else 0
    return info.numbers[info.members.index(node.text)]


def _bag(names: Names, node: Mapping, kind: str, address: str) -> tuple[int, ...]:
    counts = [0] * len(names.members.get(_family(names, kind), ()))
    info = names.kinds.get(kind)
    for entry in node:
        count = entry.value
        if not (isinstance(count, Scalar) and _is_number(count) and cast(int, count.value) >= 0):
            names.report.add(count.span, codes.WRONG_VALUE, "a count is a whole number, 0 or more", address=address)
            continue
        if info is not None:
            at = _member(names, entry.key, kind, address)
            counts[at - info.numbers[0] if info.numeric else at] += cast(int, count.value)
    return tuple(counts)


# ---- zones, values, state -----------------------------------------------------------------------------------


def declare_zones(names: Names) -> dict[str, tuple[tuple[str, Type], ...]]:
    """The zones' names, so that expressions may use them; what their own expressions say is read afterwards."""
    keys: dict[str, tuple[tuple[str, Type], ...]] = {}
    for entry in names.section("zones"):
        node, address = mapping(entry.value), f"zones.{entry.key.text}"
        holds_node = node.get("holds")
        assert holds_node is not None
        holds = names.key_type(holds_node, f"{address}.holds")
        per = names.per(node.get("per"), f"{address}.per")
        keys[entry.key.text] = per
        size = prod(len(names.key_values(type_)) for _, type_ in per)
        if size > MOST_PLACES:
            names.report.add(
                entry.key.span, codes.TOO_MANY, f"{size} places; {MOST_PLACES} are allowed", address=address
            )
        at_most = node.get("at_most")
        most = at_most.value if isinstance(at_most, Scalar) and _is_number(at_most) else 1000
        if isinstance(holds, Unknown):
            continue
        assert isinstance(holds, Member | Thing)
        if isinstance(holds, Thing):
            symbol = names.symbols.get(holds.component)
            most = min(cast(int, most), symbol.count if isinstance(symbol, Component) else 1000)
        symbol_zone = Zone(holds, tuple(type_ for _, type_ in per), cast(int, most), entry.key.span)
        names.declare(entry.key.text, symbol_zone, entry.key.span)
    return keys


def zones(names: Names, keys: dict[str, tuple[tuple[str, Type], ...]]) -> dict[str, ZoneDef]:
    """The definitions of all zones, their places numbered side by side."""
    found: dict[str, ZoneDef] = {}
    first = 0
    for entry in names.section("zones"):
        name, node, address = entry.key.text, mapping(entry.value), f"zones.{entry.key.text}"
        symbol = names.symbols.get(name)
        if not isinstance(symbol, Zone):
            continue
        per = keys[name]
        scope = names.scope(variables=dict(per))
        key_values = tuple(names.key_values(type_) for _, type_ in per)
        size = prod(len(values) for values in key_values)
        at_most, refill, starts = node.get("at_most"), node.get("refill"), node.get("starts")
        definition = ZoneDef(
            name=name,
            holds=symbol.holds,
            keys=tuple(type_ for _, type_ in per),
            key_names=tuple(key for key, _ in per),
            key_values=key_values,
            first=first,
            size=size,
            at_most=None if at_most is None else _fixed(names, at_most, scope, Number(0, 10**6), f"{address}.at_most"),
            shuffled=text_of(node.get("order")) == "shuffled",
            arrival=text_of(node.get("order")) == "arrival",
            refill=None if refill is None else names.place(refill, scope, f"{address}.refill", source=False),
            starts=None if starts is None else _fixed(names, starts, scope, None, f"{address}.starts"),
            seen_by=cast(Literal["all", "nobody", "owner", "others"], text_of(node.get("seen_by"), "all")),
            owner=next((at for at, (_, type_) in enumerate(per) if type_ == Member(SEAT)), None),
            forgets=isinstance(one := node.get("forgets"), Scalar) and one.value is True,
            address=address,
            span=entry.key.span,
        )
        _check_zone(names, definition, node, address)
        found[name] = definition
        first += size
    return found


def _fixed(names: Names, node: Node, scope: Any, expect: Type | None, address: str) -> Expr:
    expr = names.expression(node, scope, expect, address)
    _constant(names, (expr,), node, address)
    return expr


def _constant(names: Names, exprs: Iterable[Expr], node: Node, address: str) -> None:
    for expr in exprs:
        part = reads_position(expr)
        if part is not None and isinstance(node, Scalar):
            names.report.add(
                node.part(*part.at),
                codes.NEEDS_POSITION,
                "this must be known before play begins, but it depends on how the game stands",
                help="parameters, `players`, the zone's own keys and fields of rows may be used",
                address=address,
            )


def _check_zone(names: Names, zone: ZoneDef, node: Mapping, address: str) -> None:
    if zone.seen_by in ("owner", "others") and zone.owner is None:
        seen = node.get("seen_by")
        assert seen is not None
        names.report.add(
            seen.span,
            codes.WRONG_KEY,
            f"`{zone.seen_by}` speaks of a seat, but the zone is not kept per seat",
            help="add `per: seat`, or say `seen_by: all` or `nobody`",
            address=address,
        )
    starts = node.get("starts")
    if starts is not None and zone.starts is not None and not isinstance(zone.starts.type, Unknown):
        holds = zone.holds
        if isinstance(holds, Thing) or not fits(zone.starts.type, Bag(holds.kind), names.kinds):
            wanted = "things start where their component says (`starts_in`)" if isinstance(holds, Thing) else ""
            what = holds.component if isinstance(holds, Thing) else holds.kind
            names.report.add(
                starts.span, codes.WRONG_MOVE, f"this is no bag of {what}", label="does not fit", help=wanted, address=address
            )
    refill = node.get("refill")
    if refill is not None and zone.refill is not None:
        source = names.symbols.get(zone.refill.zone)
        _constant(names, zone.refill.keys, refill, address)
        if isinstance(source, Zone) and source.holds != zone.holds:
            what = zone.holds.component if isinstance(zone.holds, Thing) else zone.holds.kind
            _wrong_content(names, refill, what, zone.refill.zone, address)
        if zone.at_most is None:
            names.report.add(
                refill.span, codes.MISSING_CASE, "a zone that is refilled must say how full", help="add `at_most:`", address=address
            )


def values(names: Names) -> dict[str, ValueDef]:
    """Derived quantities, each after those it needs."""
    found: dict[str, ValueDef] = {}
    entries = list(names.section("values"))
    for entry in in_order_of_need(names, entries, "value"):
        definition = _value(names, entry)
        found[definition.name] = definition
    return {entry.key.text: found[entry.key.text] for entry in entries if entry.key.text in found}


def _value(names: Names, entry: Entry) -> ValueDef:
    name, node, address = entry.key.text, entry.value, f"values.{entry.key.text}"
    of: tuple[tuple[str, Type], ...] = ()
    terms: list[tuple[str, Expr]] = []
    less: list[tuple[str, Expr]] = []
    if isinstance(node, Mapping):
        of = names.per(node.get("of"), f"{address}.of")
        scope = names.scope(has_me=True, variables=dict(of))
        single = node.get("is")
        if single is not None:
            terms.append(("is", names.expression(single, scope, None, address)))
        for key, target in (("sum", terms), ("less", less)):
            for term in mapping(node.get(key)) if key in node else ():
                expr = names.expression(term.value, scope, None, f"{address}.{key}.{term.key.text}")
                target.append((term.key.text, expr))
    else:
        terms.append(("is", names.expression(node, names.scope(has_me=True), None, address)))
    exprs = [expr for _, expr in (*terms, *less)]
    type_ = _sum_type(names, [expr.type for _, expr in terms], entry, address)
    names.declare(name, Value(type_, tuple(one for _, one in of), entry.key.span), entry.key.span)
    if any(needs_turn(expr, frozenset(names.turn_values)) for expr in exprs):
        names.turn_values.add(name)
    return ValueDef(name, type_, tuple(one for _, one in of), tuple(terms), tuple(less))


def _sum_type(names: Names, types: list[Type], entry: Entry, address: str) -> Type:
    if not types or any(isinstance(one, Unknown) for one in types):
        return Unknown()
    if len(types) == 1:
        return types[0]
    joined = types[0]
    for one in types[1:]:
        if isinstance(joined, Number) and isinstance(one, Number):
            joined = Number(joined.low + one.low, joined.high + one.high)
            continue
        both = join(joined, one, names.kinds)
        if both is None or isinstance(both, Flag | Member | Thing):
            names.report.add(
                entry.key.span,
                codes.WRONG_VALUE,
                f"the terms of `{entry.key.text}` do not add up: {phrase(joined, names.kinds)} and {phrase(one, names.kinds)}",
                address=address,
            )
            return Unknown()
        joined = Bag(both.kind, joined.most + one.most) if isinstance(both, Bag) and isinstance(joined, Bag) and isinstance(one, Bag) else both
    return joined


def states(names: Names) -> dict[str, StateDef]:
    """State variables, side by side."""
    found: dict[str, StateDef] = {}
    first = 0
    for entry in names.section("state"):
        name, node, address = entry.key.text, mapping(entry.value), f"state.{entry.key.text}"
        type_node, start_node = node.get("type"), node.get("start")
        assert type_node is not None
        assert start_node is not None
        type_ = names.type_(type_node, names.scope(), f"{address}.type")
        per = names.per(node.get("per"), f"{address}.per")
        scope = names.scope(variables=dict(per))
        start = _fixed(names, start_node, scope, type_, f"{address}.start")
        value = fold(start)
        if isinstance(value, int):
            _within(names, value, start, type_, start_node, f"{address}.start")
        key_values = tuple(names.key_values(one) for _, one in per)
        size = prod(len(one) for one in key_values)
        resets = cast(Literal["", "turn", "round"], text_of(node.get("resets")))
        keys = tuple(one for _, one in per)
        found[name] = StateDef(name, type_, keys, key_values, first, size, start, resets)
        names.declare(name, StateVar(type_, keys, entry.key.span), entry.key.span)
        first += size
    return found

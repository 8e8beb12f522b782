"""Things with identity: components, their fields, and every row of them.

In: the section `components` with its rows. Out: symbols in the table of names, and the components of the model.
"""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from rulewright.diagnostics import Related, hint_of
from rulewright.expr.keywords import RESERVED
from rulewright.expr.type_relations import phrase
from rulewright.expr.types import (
    Bag,
    Component,
    Flag,
    Member,
    Number,
    SetOf,
    Thing,
    Type,
    Unknown,
    Zone,
)
from rulewright.model import codes
from rulewright.model.rules import ComponentDef
from rulewright.model.symbol_table import KEYS, Names, mapping
from rulewright.model.value_checks import is_number, must_be_known, wrong_content
from rulewright.source.nodes import Entry, Mapping, Node, Scalar, Sequence


def components(names: Names) -> dict[str, ComponentDef]:
    """Things with identity and their rows.

    All names are declared before any field is read, as fields may name components.
    """
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
    for one in fields_node:
        if one.key.text in RESERVED | KEYS | {"id"}:
            names.report.add(
                one.key.span,
                codes.RESERVED_NAME,
                f"`{one.key.text}` is a word of the language",
                label="cannot be a field",
                address=f"{address}.fields",
            )
    fields: dict[str, Type] = {}
    defaults: dict[str, object] = {}
    for one in fields_node:
        field, long, where = one.key.text, isinstance(one.value, Mapping), f"{address}.fields.{one.key.text}"
        type_node, default = (mapping(one.value).get(key) for key in ("type", "default")) if long else (one.value, None)
        assert type_node is not None
        fields[field] = names.type_(type_node, names.scope(), where)
        if default is not None:
            defaults[field] = _cell(names, default, fields[field], f"{where}.default")
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
                    help=hint_of(one.key.text, "fields", fields),
                    address=where,
                    related=[Related(fields_node.span, "its fields are declared here")],
                )
        for field, type_ in fields.items():
            value = content.get(field)
            if value is None and field in defaults:
                columns[field].append(defaults[field])
            elif value is None:
                names.report.add(
                    row.key.span,
                    codes.MISSING_FIELD,
                    f"this {name} has no `{field}`",
                    help=f"every {name} needs: {', '.join(one for one in fields if one not in defaults)}; "
                    "a field can have a default, {type: …, default: …}",
                    address=where,
                )
                columns[field].append(_nothing(names, type_))
            else:
                columns[field].append(_cell(names, value, type_, f"{where}.{field}"))
    symbol = Component(fields, len(rows.entries), rows.keys(), fields_node.span)
    if isinstance(names.symbols.get(name), Component):  # else the name is taken, which has been said
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
        if node is not None and isinstance(names.symbols.get(definition.name), Component):
            address = f"{definition.address}.starts_in"
            scope = names.scope(variables={definition.name: Thing(definition.name)})
            place = names.place(node, scope, address, source=False)
            if place is None:
                continue
            zone = names.symbols[place.zone]
            assert isinstance(zone, Zone)
            if zone.holds != Thing(definition.name):
                wrong_content(names, node, definition.name, place.zone, address)
            else:
                definition = replace(definition, starts_in=place)
            must_be_known(names, place.keys, node, address)
        result[definition.name] = definition
    return result


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
        case Number(low=low, high=high) if isinstance(node, Scalar) and is_number(node):
            value = cast(int, node.value)
            if not low <= value <= high:
                names.report.add(
                    node.span,
                    codes.OUT_OF_BOUNDS,
                    f"{value} is not within {low} to {high}",
                    label="out of bounds",
                    address=address,
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
            return tuple(
                dict.fromkeys(_member(names, one, kind, address) for one in node.items if isinstance(one, Scalar))
            )
        case SetOf(of=Thing() as of) if isinstance(node, Sequence):
            return tuple(dict.fromkeys(cast(int, _cell(names, one, of, address)) for one in node.items))
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
        names.report.add(
            node.span,
            codes.WRONG_VALUE,
            f"`{node.text}` is no {kind}",
            label="not a member",
            help=hint_of(node.text, "members", info.members),
            address=address,
        )
        return info.numbers[0] if info.numbers else 0
    return info.numbers[info.members.index(node.text)]


def _bag(names: Names, node: Mapping, kind: str, address: str) -> tuple[int, ...]:
    counts = [0] * len(names.members.get(_family(names, kind), ()))
    info = names.kinds.get(kind)
    for entry in node:
        count = entry.value
        if not (isinstance(count, Scalar) and is_number(count) and cast(int, count.value) >= 0):
            names.report.add(count.span, codes.WRONG_VALUE, "a count is a whole number, 0 or more", address=address)
            continue
        if info is not None:
            at = _member(names, entry.key, kind, address)
            counts[at - info.numbers[0] if info.numeric else at] += cast(int, count.value)
    return tuple(counts)

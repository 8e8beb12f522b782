"""Things with identity: components, their fields, and every row of them.

In: the section `components` with its rows. Out: symbols in the table of names, and the components of the model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from rulewright.diagnostics import Related
from rulewright.expr.keywords import KEYWORDS
from rulewright.expr.scope import ComponentSymbol, ZoneSymbol
from rulewright.expr.types import Bag, Flag, Member, Number, SetOf, Thing, Type, UnknownType
from rulewright.model import codes
from rulewright.model.expr_reader import ExprReader
from rulewright.model.rules import ComponentDef
from rulewright.model.symbol_table import METADATA_KEYS
from rulewright.model.value_checks import check_static, emit_wrong_content, is_whole_number
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode, as_mapping
from rulewright.suggestions import unknown_name_hint


def declare_components(reader: ExprReader) -> dict[str, ComponentDef]:
    """Things with identity and their rows.

    All names are declared before any field is read, as fields may name components.
    """
    found: dict[str, ComponentDef] = {}
    entries = list(reader.section("components"))
    for entry in entries:
        rows = as_mapping(as_mapping(entry.value).get("rows")).keys()
        reader.declare(entry.key.text, ComponentSymbol({}, len(rows), rows, entry.key.span), entry.key.span)
    first = 0
    for entry in entries:
        definition = _component(reader, entry, first)
        first += len(definition.ids)
        found[definition.name] = definition
    return found


def _component(reader: ExprReader, entry: Entry, first: int) -> ComponentDef:
    name, node, address = entry.key.text, as_mapping(entry.value), f"components.{entry.key.text}"
    fields_node, rows = as_mapping(node.get("fields")), as_mapping(node.get("rows"))
    for one in fields_node:
        if one.key.text in KEYWORDS | METADATA_KEYS | {"id"}:
            reader.diagnostics.add(
                one.key.span,
                codes.RESERVED_NAME,
                f"`{one.key.text}` is a word of the language",
                label="cannot be a field",
                address=f"{address}.fields",
            )
    fields: dict[str, Type] = {}
    defaults: dict[str, object] = {}
    for one in fields_node:
        field, long, where = one.key.text, isinstance(one.value, MappingNode), f"{address}.fields.{one.key.text}"
        type_node, default = (
            (as_mapping(one.value).get(key) for key in ("type", "default")) if long else (one.value, None)
        )
        assert type_node is not None
        fields[field] = reader.read_type(type_node, reader.scope(), where)
        if default is not None:
            defaults[field] = _cell(reader, default, fields[field], f"{where}.default")
    columns: dict[str, list[object]] = {field: [] for field in fields}
    for row in rows:
        content = as_mapping(row.value)
        where = f"{address}.rows.{row.key.text}"
        for one in content:
            if one.key.text not in fields and one.key.text not in ("id", "text", "source", "status"):
                reader.diagnostics.add(
                    one.key.span,
                    codes.UNKNOWN_ROW_FIELD,
                    f"a {name} has no field `{one.key.text}`",
                    label=f"not a field of `{name}`",
                    help=unknown_name_hint(one.key.text, "fields", fields),
                    address=where,
                    related=[Related(fields_node.span, "its fields are declared here")],
                )
        for field, type_ in fields.items():
            value = content.get(field)
            if value is None and field in defaults:
                columns[field].append(defaults[field])
            elif value is None:
                reader.diagnostics.add(
                    row.key.span,
                    codes.MISSING_FIELD,
                    f"this {name} has no `{field}`",
                    help=f"every {name} needs: {', '.join(one for one in fields if one not in defaults)}; "
                    "a field can have a default, {type: …, default: …}",
                    address=where,
                )
                columns[field].append(_nothing(reader, type_))
            else:
                columns[field].append(_cell(reader, value, type_, f"{where}.{field}"))
    symbol = ComponentSymbol(fields, len(rows.entries), rows.keys(), fields_node.span)
    if isinstance(reader.table.symbols.get(name), ComponentSymbol):  # else the name is taken, which has been said
        reader.table.symbols[name] = symbol
    starts = node.get("starts_in")
    return ComponentDef(
        name=name,
        ids=rows.keys(),
        field_types=fields,
        columns={field: tuple(values) for field, values in columns.items()},
        initial_place=None,
        first_index=first,
        address=address,
        span=entry.key.span if starts is None else starts.span,
    )


def read_initial_places(reader: ExprReader, rows: Mapping[str, ComponentDef]) -> dict[str, ComponentDef]:
    """The place where each thing starts; read after the zones are known."""
    result = {}
    for entry in reader.section("components"):
        definition = rows[entry.key.text]
        node = as_mapping(entry.value).get("starts_in")
        if node is not None and isinstance(reader.table.symbols.get(definition.name), ComponentSymbol):
            address = f"{definition.address}.starts_in"
            scope = reader.scope(variables={definition.name: Thing(definition.name)})
            place = reader.read_place(node, scope, address, is_source=False)
            if place is None:
                continue
            zone = reader.table.symbols[place.zone]
            assert isinstance(zone, ZoneSymbol)
            if zone.content_type != Thing(definition.name):
                emit_wrong_content(reader, node, definition.name, place.zone, address)
            else:
                definition = replace(definition, initial_place=place)
            check_static(reader, place.keys, node, address)
        result[definition.name] = definition
    return result


def _nothing(reader: ExprReader, type_: Type) -> object:
    match type_:
        case Bag(kind=kind):
            return (0,) * len(reader.table.family_members.get(_family(reader, kind), ()))
        case SetOf():
            return ()
        case Member(kind=kind) if reader.kinds.get(kind) and reader.kinds[kind].member_values:
            return reader.kinds[kind].member_values[0]
        case Number(low=low):
            return low
        case _:
            return 0


def _family(reader: ExprReader, kind: str) -> str:
    return reader.kinds[kind].family if kind in reader.kinds else kind


def _cell(reader: ExprReader, node: Node, type_: Type, address: str) -> object:
    """The run-time value that a row gives a field."""
    match type_:
        case UnknownType():
            return 0
        case Flag() if isinstance(node, ScalarNode) and isinstance(node.value, bool):
            return node.value
        case Number(low=low, high=high) if isinstance(node, ScalarNode) and is_whole_number(node):
            value = cast(int, node.value)
            if not low <= value <= high:
                reader.diagnostics.add(
                    node.span,
                    codes.OUT_OF_BOUNDS,
                    f"{value} is not within {low} to {high}",
                    label="out of bounds",
                    address=address,
                )
                return low
            return value
        case Member(kind=kind) if isinstance(node, ScalarNode):
            return _member(reader, node, kind, address)
        case Thing(component=component) if isinstance(node, ScalarNode):
            symbol = reader.table.symbols.get(component)
            rows = symbol.row_ids if isinstance(symbol, ComponentSymbol) else ()
            if node.text not in rows:
                reader.emit_unknown(node, component, list(rows), address)
                return 0
            return rows.index(node.text)
        case Bag(kind=kind) if isinstance(node, MappingNode):
            return _bag(reader, node, kind, address)
        case SetOf(element=Member(kind=kind)) if isinstance(node, SequenceNode):
            return tuple(
                dict.fromkeys(_member(reader, one, kind, address) for one in node.items if isinstance(one, ScalarNode))
            )
        case SetOf(element=Thing() as of) if isinstance(node, SequenceNode):
            return tuple(dict.fromkeys(cast(int, _cell(reader, one, of, address)) for one in node.items))
        case _:
            pass
    reader.diagnostics.add(
        node.span,
        codes.WRONG_VALUE,
        f"the field wants {reader.describe(type_)}",
        label="does not fit",
        help=_example(type_),
        address=address,
    )
    return _nothing(reader, type_)


def _example(type_: Type) -> str:
    match type_:
        case Bag():
            return "a bag is written as counts: {first: 2, second: 1}"
        case SetOf():
            return "a set is written as a list: [first, second]"
        case _:
            return ""


def _member(reader: ExprReader, node: ScalarNode, kind: str, address: str) -> int:
    info = reader.kinds.get(kind)
    if info is None:
        return 0
    if node.text not in info.members:
        reader.diagnostics.add(
            node.span,
            codes.WRONG_VALUE,
            f"`{node.text}` is no {kind}",
            label="not a member",
            help=unknown_name_hint(node.text, "members", info.members),
            address=address,
        )
        return info.member_values[0] if info.member_values else 0
    return info.member_values[info.members.index(node.text)]


def _bag(reader: ExprReader, node: MappingNode, kind: str, address: str) -> tuple[int, ...]:
    counts = [0] * len(reader.table.family_members.get(_family(reader, kind), ()))
    info = reader.kinds.get(kind)
    for entry in node:
        count = entry.value
        if not (isinstance(count, ScalarNode) and is_whole_number(count) and cast(int, count.value) >= 0):
            reader.diagnostics.add(
                count.span, codes.WRONG_VALUE, "a count is a whole number, 0 or more", address=address
            )
            continue
        if info is not None:
            at = _member(reader, entry.key, kind, address)
            counts[at - info.member_values[0] if info.is_numeric else at] += cast(int, count.value)
    return tuple(counts)

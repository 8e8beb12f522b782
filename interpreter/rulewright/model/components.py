"""Things with identity: components, their fields, and every row of them.

In: the section `components` with its rows. Out: symbols in the table of names, and the components of the model.
"""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from rulewright.diagnostics import Related
from rulewright.expr.keywords import KEYWORDS
from rulewright.expr.scope import ComponentSymbol, ZoneSymbol
from rulewright.expr.type_relations import describe_type
from rulewright.expr.types import Bag, Flag, Member, Number, SetOf, Thing, Type, UnknownType
from rulewright.model import codes
from rulewright.model.rules import ComponentDef
from rulewright.model.symbol_table import METADATA_KEYS, SymbolTable, as_mapping
from rulewright.model.value_checks import check_static, emit_wrong_content, is_whole_number
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode
from rulewright.suggestions import unknown_name_hint


def read_components(names: SymbolTable) -> dict[str, ComponentDef]:
    """Things with identity and their rows.

    All names are declared before any field is read, as fields may name components.
    """
    found: dict[str, ComponentDef] = {}
    entries = list(names.section("components"))
    for entry in entries:
        rows = as_mapping(as_mapping(entry.value).get("rows")).keys()
        names.declare(entry.key.text, ComponentSymbol({}, len(rows), rows, entry.key.span), entry.key.span)
    first = 0
    for entry in entries:
        definition = _component(names, entry, first)
        first += len(definition.ids)
        found[definition.name] = definition
    return found


def _component(names: SymbolTable, entry: Entry, first: int) -> ComponentDef:
    name, node, address = entry.key.text, as_mapping(entry.value), f"components.{entry.key.text}"
    fields_node, rows = as_mapping(node.get("fields")), as_mapping(node.get("rows"))
    for one in fields_node:
        if one.key.text in KEYWORDS | METADATA_KEYS | {"id"}:
            names.diagnostics.add(
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
        fields[field] = names.read_type(type_node, names.scope(), where)
        if default is not None:
            defaults[field] = _cell(names, default, fields[field], f"{where}.default")
    columns: dict[str, list[object]] = {field: [] for field in fields}
    for row in rows:
        content = as_mapping(row.value)
        where = f"{address}.rows.{row.key.text}"
        for one in content:
            if one.key.text not in fields and one.key.text not in ("id", "text", "source", "status"):
                names.diagnostics.add(
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
                names.diagnostics.add(
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
    symbol = ComponentSymbol(fields, len(rows.entries), rows.keys(), fields_node.span)
    if isinstance(names.symbols.get(name), ComponentSymbol):  # else the name is taken, which has been said
        names.symbols[name] = symbol
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


def read_initial_places(names: SymbolTable, found: dict[str, ComponentDef]) -> dict[str, ComponentDef]:
    """The place where each thing starts; read after the zones are known."""
    result = {}
    for entry in names.section("components"):
        definition = found[entry.key.text]
        node = as_mapping(entry.value).get("starts_in")
        if node is not None and isinstance(names.symbols.get(definition.name), ComponentSymbol):
            address = f"{definition.address}.starts_in"
            scope = names.scope(variables={definition.name: Thing(definition.name)})
            place = names.read_place(node, scope, address, is_source=False)
            if place is None:
                continue
            zone = names.symbols[place.zone]
            assert isinstance(zone, ZoneSymbol)
            if zone.content_type != Thing(definition.name):
                emit_wrong_content(names, node, definition.name, place.zone, address)
            else:
                definition = replace(definition, initial_place=place)
            check_static(names, place.keys, node, address)
        result[definition.name] = definition
    return result


def _nothing(names: SymbolTable, type_: Type) -> object:
    match type_:
        case Bag(kind=kind):
            return (0,) * len(names.family_members.get(_family(names, kind), ()))
        case SetOf():
            return ()
        case Member(kind=kind) if names.kinds.get(kind) and names.kinds[kind].member_values:
            return names.kinds[kind].member_values[0]
        case Number(low=low):
            return low
        case _:
            return 0


def _family(names: SymbolTable, kind: str) -> str:
    return names.kinds[kind].family if kind in names.kinds else kind


def _cell(names: SymbolTable, node: Node, type_: Type, address: str) -> object:
    """The run-time value that a row gives a field."""
    match type_:
        case UnknownType():
            return 0
        case Flag() if isinstance(node, ScalarNode) and isinstance(node.value, bool):
            return node.value
        case Number(low=low, high=high) if isinstance(node, ScalarNode) and is_whole_number(node):
            value = cast(int, node.value)
            if not low <= value <= high:
                names.diagnostics.add(
                    node.span,
                    codes.OUT_OF_BOUNDS,
                    f"{value} is not within {low} to {high}",
                    label="out of bounds",
                    address=address,
                )
                return low
            return value
        case Member(kind=kind) if isinstance(node, ScalarNode):
            return _member(names, node, kind, address)
        case Thing(component=component) if isinstance(node, ScalarNode):
            symbol = names.symbols.get(component)
            rows = symbol.row_ids if isinstance(symbol, ComponentSymbol) else ()
            if node.text not in rows:
                names.emit_unknown(node, component, list(rows), address)
                return 0
            return rows.index(node.text)
        case Bag(kind=kind) if isinstance(node, MappingNode):
            return _bag(names, node, kind, address)
        case SetOf(element=Member(kind=kind)) if isinstance(node, SequenceNode):
            return tuple(
                dict.fromkeys(_member(names, one, kind, address) for one in node.items if isinstance(one, ScalarNode))
            )
        case SetOf(element=Thing() as of) if isinstance(node, SequenceNode):
            return tuple(dict.fromkeys(cast(int, _cell(names, one, of, address)) for one in node.items))
        case _:
            pass
    names.diagnostics.add(
        node.span,
        codes.WRONG_VALUE,
        f"the field wants {describe_type(type_, names.kinds)}",
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


def _member(names: SymbolTable, node: ScalarNode, kind: str, address: str) -> int:
    info = names.kinds.get(kind)
    if info is None:
        return 0
    if node.text not in info.members:
        names.diagnostics.add(
            node.span,
            codes.WRONG_VALUE,
            f"`{node.text}` is no {kind}",
            label="not a member",
            help=unknown_name_hint(node.text, "members", info.members),
            address=address,
        )
        return info.member_values[0] if info.member_values else 0
    return info.member_values[info.members.index(node.text)]


def _bag(names: SymbolTable, node: MappingNode, kind: str, address: str) -> tuple[int, ...]:
    counts = [0] * len(names.family_members.get(_family(names, kind), ()))
    info = names.kinds.get(kind)
    for entry in node:
        count = entry.value
        if not (isinstance(count, ScalarNode) and is_whole_number(count) and cast(int, count.value) >= 0):
            names.diagnostics.add(
                count.span, codes.WRONG_VALUE, "a count is a whole number, 0 or more", address=address
            )
            continue
        if info is not None:
            at = _member(names, entry.key, kind, address)
            counts[at - info.member_values[0] if info.is_numeric else at] += cast(int, count.value)
    return tuple(counts)

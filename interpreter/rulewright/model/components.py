"""Things with identity: components, their fields, and every row of them.

In: the section `components` with its rows. Out: symbols, and the components of the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from operator import is_
from typing import Final, assert_never

from rulewright import limits
from rulewright.diagnostics import Cause, Related
from rulewright.document.other_forms import counts_as_members, members_as_counts
from rulewright.errors import quote
from rulewright.expr.keywords import KEYWORDS
from rulewright.expr.remembered import recall, same_symbol
from rulewright.expr.scope import ComponentSymbol, Scope, UnavailableSymbol, ZoneSymbol
from rulewright.expr.types import SEAT, Bag, ConstantValue, Flag, Member, Number, SetOf, Thing, Type, UnknownType
from rulewright.frozen import replace
from rulewright.model import codes
from rulewright.model.expr_reader import ExprReader
from rulewright.model.row_products import FOR_EACH, read_things
from rulewright.model.rules import ComponentDef
from rulewright.model.symbol_table import METADATA_KEYS
from rulewright.model.value_checks import check_static, emit_wrong_content
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode, as_mapping, int_value
from rulewright.suggestions import did_you_mean, join_list, list_names, number_hint, unknown_name_hint

ROW_KEYS: Final = ("id", "text", "source", "status")
NOT_FIELDS: Final = KEYWORDS | METADATA_KEYS | {"id", FOR_EACH}


def declare_components(reader: ExprReader) -> dict[str, ComponentDef]:
    """Things with identity and their rows.

    All names are declared before any field is read, as fields may name components.
    """
    components: dict[str, ComponentDef] = {}
    entries = list(reader.section("components"))
    rows = [read_things(reader, entry) for entry in entries]
    for entry, (things, _) in zip(entries, rows, strict=True):
        ids = _ids(things)
        reader.declare(entry.key.text, ComponentSymbol({}, len(ids), ids), entry.key.span)
    first_index = 0
    for entry, (things, is_whole) in zip(entries, rows, strict=True):
        definition = _read_component(reader, entry, things, first_index, is_whole=is_whole)
        first_index += len(definition.ids)
        components[definition.name] = definition
    return components


def _ids(rows: Iterable[Entry]) -> tuple[str, ...]:
    return tuple(row.key.text for row in rows)


def _read_component(
    reader: ExprReader, entry: Entry, rows: Sequence[Entry], first_index: int, *, is_whole: bool
) -> ComponentDef:
    name, node, address = entry.key.text, as_mapping(entry.value), f"components.{entry.key.text}"
    fields_node = as_mapping(node.get("fields"))
    for declared in fields_node:
        if declared.key.text in NOT_FIELDS:
            reader.diagnostics.add(
                declared.key.span,
                codes.RESERVED_NAME,
                f"`{declared.key.text}` is a reserved word",
                label="cannot be a field",
                address=f"{address}.fields",
            )
    fields: dict[str, Type] = {}
    defaults: dict[str, ConstantValue] = {}
    for declared in fields_node:
        field, is_long_form, where = (
            declared.key.text,
            isinstance(declared.value, MappingNode),
            f"{address}.fields.{declared.key.text}",
        )
        type_node, default = (
            (as_mapping(declared.value).get(key) for key in ("type", "default"))
            if is_long_form
            else (declared.value, None)
        )
        assert type_node is not None
        fields[field] = reader.read_type(type_node, reader.scope(), where)
        if default is not None:
            defaults[field] = _read_cell(reader, default, fields[field], f"{where}.default")

    def read(_: Scope) -> tuple[dict[str, tuple[ConstantValue, ...]], Node | None]:
        return _read_columns(reader, fields_node, rows, fields, defaults, address), rows_node  # so that it keeps its id

    rows_node = node.get("rows")
    if all(map(is_, rows, as_mapping(rows_node).entries)):  # else some were made of others
        meanings = tuple(_meaning(reader, type_) for type_ in fields.values())
        key = ("rows", id(rows_node), len(rows), tuple(fields.items()), tuple(defaults.items()), meanings)
        columns, _ = recall(key, reader.scope(), reader.diagnostics, read)
    else:
        columns, _ = read(reader.scope())
    count = len(rows) if is_whole else limits.MAX_ROWS  # of things that are missing nothing is concluded
    symbol = ComponentSymbol(fields, count, _ids(rows))
    if not fields_node.entries and _report_no_fields(reader, entry, rows, address):
        reader.table.symbols[name] = UnavailableSymbol("")  # what reads its fields is not reported again
    if isinstance(reader.table.symbols.get(name), ComponentSymbol):  # else the name is taken, which is reported
        reader.table.symbols[name] = same_symbol(name, symbol)
        reader.table.symbol_spans[name] = fields_node.span if "fields" in node else entry.key.span
    starts = node.get("start")
    return ComponentDef(
        name=name,
        ids=_ids(rows),
        field_types=fields,
        columns=dict(columns),
        initial_place=None,
        first_index=first_index,
        address=address,
        span=entry.key.span if starts is None else starts.span,
    )


def _report_no_fields(reader: ExprReader, entry: Entry, rows: Sequence[Entry], address: str) -> bool:
    """Reports a component that declares no fields at all, though its rows have some."""
    cells = [cell for row in rows for cell in as_mapping(row.value) if cell.key.text not in ROW_KEYS]
    if not cells:
        return False
    names = list(dict.fromkeys(cell.key.text for cell in cells))
    listed = join_list([f"`{name}`" for name in names], "and")
    message = f"`{entry.key.text}` declares no fields, but its rows have {listed}"
    hint = f"add `fields: {{{', '.join(f'{name}: …' for name in names)}}}`, each with its type"
    related = [Related(cells[0].key.span, "the first of them")]
    reader.diagnostics.add(
        entry.key.span,
        codes.UNKNOWN_ROW_FIELD,
        message,
        label="no `fields`",
        help=hint,
        address=address,
        related=related,
        cause=Cause("no key", "fields"),
    )
    return True


def _read_columns(
    reader: ExprReader,
    fields_node: MappingNode,
    rows: Sequence[Entry],
    fields: Mapping[str, Type],
    defaults: Mapping[str, ConstantValue],
    address: str,
) -> dict[str, tuple[ConstantValue, ...]]:
    """What the rows say, field by field."""
    name = address.rpartition(".")[2]
    columns: dict[str, list[ConstantValue]] = {field: [] for field in fields}
    needed = ", ".join(field for field in fields if field not in defaults)
    similar = dict[tuple[str, str], bool]()  # most rows misspell a field in the same way

    def is_like(key: str, field: str) -> bool:
        if (key, field) not in similar and len(similar) < limits.MAX_COMPARED_FIELDS:
            similar[key, field] = bool(did_you_mean(key, [field]))
        return similar.get((key, field), False)

    row_keys = {*fields, *ROW_KEYS}
    for row in rows:
        cells = {cell.key.text: cell for cell in as_mapping(row.value)}
        where = f"{address}.rows.{row.key.text}"
        unknown = [cell.key for key, cell in cells.items() if key not in row_keys and fields]  # else reported at once
        missing = [field for field in fields if field not in cells and field not in defaults]
        meant = missing[0] if len(missing) == len(unknown) == 1 else ""  # one is written where the other is expected
        for key in unknown:
            reader.diagnostics.add(
                key.span,
                codes.UNKNOWN_ROW_FIELD,
                f"`{name}` has no field `{key.text}`",
                label="unknown field",
                help=partial(_field_hint, key.text, meant, fields),
                address=where,
                related=[Related(fields_node.span, "its fields are declared here")],
                cause=Cause("no field", key.text, name),
            )
        for field, type_ in fields.items():
            cell = cells.get(field)
            value = None if cell is None else cell.value
            if value is None and field in defaults:
                columns[field].append(defaults[field])
            elif value is None and (field == meant or any(is_like(key.text, field) for key in unknown)):
                columns[field].append(_default_value(reader, type_))  # a misspelled field is not a missing one, too
            elif value is None:
                reader.diagnostics.add(
                    row.key.span,
                    codes.MISSING_FIELD,
                    f"this {name} lacks `{field}`",
                    help=f"every {name} needs: {needed}; a field can have a default, {{type: …, default: …}}",
                    address=where,
                    cause=Cause("no cell", field, name),
                )
                columns[field].append(_default_value(reader, type_))
            else:
                columns[field].append(_read_cell(reader, value, type_, f"{where}.{field}"))
    return {field: tuple(values) for field, values in columns.items()}


def read_initial_places(reader: ExprReader, rows: Mapping[str, ComponentDef]) -> dict[str, ComponentDef]:
    """The place where each thing starts; read after the zones are known."""
    result = {}
    for entry in reader.section("components"):
        definition = rows[entry.key.text]
        node = as_mapping(entry.value).get("start")
        if node is not None and isinstance(reader.table.symbols.get(definition.name), ComponentSymbol):
            address = f"{definition.address}.start"
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


def _default_value(reader: ExprReader, type_: Type) -> ConstantValue:
    match type_:
        case Bag(kind=kind):
            return (0,) * len(reader.table.family_members.get(_family(reader, kind), ()))
        case SetOf():
            return ()
        case Member(kind=kind) if reader.kinds.get(kind) and reader.kinds[kind].member_values:
            return reader.kinds[kind].member_values[0]
        case Number(low=low):
            return low
        case Flag() | Member() | Thing() | UnknownType():
            return 0
        case _:
            assert_never(type_)


def _family(reader: ExprReader, kind: str) -> str:
    return reader.kinds[kind].family if kind in reader.kinds else kind


def _meaning(reader: ExprReader, type_: Type) -> tuple[object, ...]:
    """All that says which value a cell of this type has."""
    match type_:
        case Member(kind=kind) | Bag(kind=kind):
            info = reader.kinds.get(kind)
            family = reader.table.family_members.get(_family(reader, kind))
            return ((info.members, info.member_values, info.is_numeric) if info is not None else None, family)
        case Thing(component=component):
            symbol = reader.table.symbols.get(component)
            return symbol.row_ids if isinstance(symbol, ComponentSymbol) else ()
        case SetOf(element=element):
            return () if element is None else _meaning(reader, element)
        case Flag() | Number() | UnknownType():
            return ()
        case _:
            assert_never(type_)


def _read_cell(reader: ExprReader, node: Node, type_: Type, address: str) -> ConstantValue:
    """The run-time value that a row gives a field."""
    match type_:
        case UnknownType():
            return 0
        case Flag() if isinstance(node, ScalarNode) and isinstance(node.value, bool):
            return node.value
        case Number(low=low, high=high) if (value := int_value(node)) is not None:
            if not low <= value <= high:
                reader.diagnostics.add(
                    node.span,
                    codes.OUT_OF_BOUNDS,
                    f"{value} is out of bounds, expected {low} to {high}",
                    label="out of bounds",
                    help=f"write a number from {low} to {high}, or declare the field with another range",
                    address=address,
                    cause=Cause("wrong cell", "bounds"),
                )
                return low
            return value
        case Member(kind=kind) if isinstance(node, ScalarNode):
            return _read_member(reader, node, kind, address)
        case Thing() if isinstance(node, ScalarNode):
            return _read_row_id(reader, node, type_, address)
        case Bag(kind=kind) if isinstance(node, MappingNode):
            return _read_bag(reader, node, kind, address)
        case SetOf(element=Member(kind=kind)) if isinstance(node, SequenceNode):
            return tuple(
                dict.fromkeys(
                    _read_member(reader, item, kind, address) for item in node.items if isinstance(item, ScalarNode)
                )
            )
        case SetOf(element=Thing() as of) if isinstance(node, SequenceNode):
            return tuple(dict.fromkeys(_read_row_id(reader, item, of, address) for item in node.items))
        case _:
            pass
    _report_wrong_cell(reader, node, type_, address)
    return _default_value(reader, type_)


def _read_row_id(reader: ExprReader, node: Node, type_: Thing, address: str) -> int:
    """The index of the row that a cell names."""
    if not isinstance(node, ScalarNode):
        _report_wrong_cell(reader, node, type_, address)
        return 0
    symbol = reader.table.symbols.get(type_.component)
    rows = symbol.row_ids if isinstance(symbol, ComponentSymbol) else ()
    if node.text not in rows:
        reader.emit_unknown(node, type_.component, list(rows), address)
        return 0
    return rows.index(node.text)


def _field_hint(key: str, meant: str, fields: Mapping[str, Type]) -> str:
    other = f"it lacks `{meant}`: is that meant?" if meant else list_names("fields", fields)
    return did_you_mean(key, fields) or other


def _report_wrong_cell(reader: ExprReader, node: Node, type_: Type, address: str) -> None:
    message = hint = ""
    if reader.diagnostics.has_room("error"):  # there can be very many
        message = f"the field must be {reader.describe(type_)}{_found(node)}"
        hint = (
            _number_hint(node) or f"write a number from {type_.low} to {type_.high}"
            if isinstance(type_, Number)
            else _example(type_, node)
        )
    reader.diagnostics.add(
        node.span,
        codes.WRONG_VALUE,
        message,
        label="does not fit",
        help=hint,
        address=address,
        cause=Cause("wrong cell", "type"),
    )


def _found(node: Node) -> str:
    """`, not the text `4``, where a text stands for something else."""
    return f", not the text {quote(node.value)}" if isinstance(node, ScalarNode) and isinstance(node.value, str) else ""


def _number_hint(node: Node) -> str:
    """The number that a text means."""
    is_text = isinstance(node, ScalarNode) and isinstance(node.value, str)
    return number_hint(node.text, is_quoted=True) if is_text and isinstance(node, ScalarNode) else ""


def _example(type_: Type, node: Node) -> str:
    match type_:
        case Bag():
            is_word = isinstance(node, ScalarNode) and " " not in node.text  # which may mean anything
            counts = "" if is_word else members_as_counts(node)
            return f"write a bag as counts: {counts or '{first: 2, second: 1}'}"
        case SetOf():
            return f"write a set as a list: {counts_as_members(node) or '[first, second]'}"
        case _:
            return ""


def _read_member(reader: ExprReader, node: ScalarNode, kind: str, address: str) -> int:
    info = reader.kinds.get(kind)
    if info is None:
        return 0
    if node.text not in info.members:
        reader.diagnostics.add(
            node.span,
            codes.WRONG_VALUE,
            f"`{node.text}` is not a member of `{kind}`",
            label="unknown member",
            help="rows count players from 0: player 1 is `0`"
            if kind == SEAT.kind
            else unknown_name_hint(node.text, "members", info.members),
            address=address,
            cause=Cause("no member", node.text, kind),
        )
        return info.member_values[0] if info.member_values else 0
    return info.member_values[info.members.index(node.text)]


def _read_bag(reader: ExprReader, node: MappingNode, kind: str, address: str) -> tuple[int, ...]:
    counts = [0] * len(reader.table.family_members.get(_family(reader, kind), ()))
    info = reader.kinds.get(kind)
    for entry in node:
        count = int_value(entry.value)
        if count is None or count < 0:
            message = f"a count is a whole number, 0 or more{_found(entry.value)}"
            hint = _number_hint(entry.value)
            cause = Cause("wrong cell", "count")
            reader.diagnostics.add(
                entry.value.span, codes.WRONG_VALUE, message, help=hint, address=address, cause=cause
            )
            continue
        if info is not None:
            member = _read_member(reader, entry.key, kind, address)
            counts[member - info.member_values[0] if info.is_numeric else member] += count
    return tuple(counts)

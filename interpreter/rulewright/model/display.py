"""Does the display of a game name things that the game has?

In: the display file and the symbols. Out: diagnostics, and what things show, as sentences; the rest stays data.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rulewright.diagnostics import Cause
from rulewright.expr.scope import (
    ComponentSymbol,
    Scope,
    StateSymbol,
    Symbol,
    UnavailableSymbol,
    ValueSymbol,
    ZoneSymbol,
)
from rulewright.expr.sentence_template import SentenceTemplate
from rulewright.expr.templates import hole_words, parse_template, template_exprs
from rulewright.expr.typecheck.keys import declaration_note
from rulewright.expr.types import FLAG, SEAT, Thing
from rulewright.model import codes
from rulewright.model.expr_reader import ExprReader
from rulewright.model.glyphs import COLOUR_CODES, HEX_COLOUR
from rulewright.model.key_reader import read_keys
from rulewright.model.locale import ENGLISH
from rulewright.model.rules import ThingDisplay, ThingLine
from rulewright.model.sentence_sizes import check_sentence_size
from rulewright.model.symbol_table import SYMBOL_LABELS
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
from rulewright.suggestions import unknown_name_hint
from rulewright.variants.variant import parse_player_range


def prune_display(reader: ExprReader, display: MappingNode, files: Collection[str]) -> MappingNode:
    """The display without what variants (of these files) have removed from the game; what they display stays."""
    known: dict[str, Collection[str]] = {
        "members": _members(reader),
        "things": reader.table.symbols,
        "state": reader.table.symbols,
    }

    def stays(section: str, entry: Entry) -> bool:
        return entry.key.span.source.path in files or entry.key.text in known[section]

    def line_stays(line: Node) -> bool:
        zone = as_scalar(as_mapping(line).get("zone")) or as_scalar(as_mapping(line).get("value"))
        return zone is None or zone.span.source.path in files or zone.text in reader.table.symbols

    def prune(entry: Entry) -> Entry:
        value = entry.value
        if entry.key.text in known and isinstance(value, MappingNode):
            value = MappingNode(tuple(item for item in value if stays(entry.key.text, item)), value.span)
        elif isinstance(value, SequenceNode):
            value = SequenceNode(tuple(line for line in value if line_stays(line)), value.span)
        return entry if value is entry.value else Entry(entry.key, value, entry.history)

    return MappingNode(tuple(map(prune, display)), display.span)


def _members(reader: ExprReader) -> list[str]:
    _, most = parse_player_range(reader.root.get("players")) or (0, 0)
    numbers = range(1, max(reader.players, most) + 1)  # a display is for all numbers of players
    players = [f"{SEAT.kind}.{number}" for number in numbers]
    words = [f"{kind}.{word}" for kind, info in reader.kinds.items() if kind != SEAT.kind for word in info.members]
    return [*players, *words]


def read_display(reader: ExprReader, display: MappingNode) -> dict[str, ThingDisplay]:
    """Reports zones, values, members, states and components that do not exist, and holes that make no sense; returns
    what things show.
    """
    thing_displays = dict[str, ThingDisplay]()
    known = _members(reader)
    for entry in as_mapping(display.get("members")) if "members" in display else ():
        if entry.key.text not in known:
            reader.emit_unknown(entry.key, "member", known, "display.members")
        _check_colour(reader, as_scalar(as_mapping(entry.value).get("colour")))
    for entry in as_mapping(display.get("things")) if "things" in display else ():
        address = f"display.things.{entry.key.text}"
        if _is_symbol(reader, entry.key, ComponentSymbol, address):
            scope = reader.scope(variables={entry.key.text: Thing(entry.key.text)})
            node = as_mapping(entry.value)
            shown = [*as_items(node.get("lines")), *as_items(node.get("extra_lines"))]
            lines = [_read_thing_line(reader, line, scope, address) for line in shown]
            thing_displays[entry.key.text] = ThingDisplay(
                _read_sentence(reader, node.get("title"), scope, address), tuple(lines)
            )
    for entry in as_mapping(display.get("state")) if "state" in display else ():
        _is_symbol(reader, entry.key, StateSymbol, f"display.state.{entry.key.text}")
    for section in ("board", "players"):
        for item in as_items(display.get(section)):
            node = as_mapping(item)
            _check_line(reader, node, f"display.{section}", of_seat=section == "players")
    return thing_displays


def _check_colour(reader: ExprReader, colour: ScalarNode | None) -> None:
    if colour is not None and colour.text not in COLOUR_CODES and not HEX_COLOUR.fullmatch(colour.text):
        reader.emit_unknown(colour, "colour", list(COLOUR_CODES), "display.members")


def _check_line(reader: ExprReader, node: MappingNode, address: str, *, of_seat: bool) -> None:
    zone, value = as_scalar(node.get("zone")), as_scalar(node.get("value"))
    wanted: type[Symbol] = ZoneSymbol if zone is not None else ValueSymbol
    named = zone if zone is not None else value
    if named is None or not _is_symbol(reader, named, wanted, address):
        return
    symbol = reader.table.symbols[named.text]
    assert isinstance(symbol, ZoneSymbol | ValueSymbol)
    if value is not None:
        reader.usage.used_names.add(value.text)
    if of_seat and (not symbol.key_types or symbol.key_types[0] != SEAT):
        related = declaration_note(reader.table.symbol_spans.get(named.text), "declared here")
        reader.diagnostics.add(
            named.span,
            codes.WRONG_KIND_OF_THING,
            f"`{named.text}` is not kept per player, so it cannot be shown at a player",
            address=address,
            related=related,
            cause=Cause("declared", named.text),
        )
    if isinstance(symbol, ZoneSymbol):
        _check_rows(reader, node, named, address)
        _check_shared_cells(reader, node, named, symbol, address)


def _check_rows(reader: ExprReader, node: MappingNode, zone: ScalarNode, address: str) -> None:
    """Reports rows that are no key of the zone, and a zone beside the rows that is not kept by that key alone."""
    rows, beside = as_scalar(node.get("rows")), as_scalar(node.get("beside"))
    section = as_mapping(as_mapping(reader.root.get("zones")).get(zone.text))
    keys = dict(read_keys(reader, section.get("per"), address))
    if rows is not None and rows.text not in keys:
        reader.diagnostics.add(
            rows.span,
            codes.UNKNOWN_REFERENCE,
            f"`{zone.text}` has no key `{rows.text}`",
            label="not declared",
            help=unknown_name_hint(rows.text, "its keys", keys) if keys else "it has no keys",
            address=address,
            cause=Cause("declared", zone.text),
        )
    if beside is None or not _is_symbol(reader, beside, ZoneSymbol, address):
        return
    other = reader.table.symbols[beside.text]
    assert isinstance(other, ZoneSymbol)
    if rows is None or (rows.text in keys and other.key_types != (keys[rows.text],)):
        key = f"by `{rows.text}` alone" if rows is not None else "by a key of rows, since there are none"
        reader.diagnostics.add(
            beside.span,
            codes.WRONG_KIND_OF_THING,
            f"`{beside.text}` is not kept {key}, so it cannot be shown beside the rows",
            address=address,
            related=declaration_note(reader.table.symbol_spans.get(beside.text), "declared here"),
            cause=Cause("declared", beside.text),
        )


def _check_shared_cells(
    reader: ExprReader, node: MappingNode, zone: ScalarNode, symbol: ZoneSymbol, address: str
) -> None:
    """Reports zones that have other keys than the zone in whose cells they are to be drawn."""
    for item in as_items(node.get("also")):
        other = as_scalar(item)
        if other is None or not _is_symbol(reader, other, ZoneSymbol, address):
            continue
        found = reader.table.symbols[other.text]
        assert isinstance(found, ZoneSymbol)
        if found.key_types != symbol.key_types or len(symbol.key_types) != 1:
            reader.diagnostics.add(
                other.span,
                codes.WRONG_KIND_OF_THING,
                f"`{other.text}` and `{zone.text}` are not kept by one and the same key, so they cannot share cells",
                address=address,
                related=declaration_note(reader.table.symbol_spans.get(other.text), "declared here"),
                cause=Cause("declared", zone.text if not symbol.key_types else other.text),
            )


def _is_symbol(reader: ExprReader, name: ScalarNode, wanted: type[Symbol], address: str) -> bool:
    symbol = reader.table.symbols.get(name.text)
    if isinstance(symbol, wanted):
        if isinstance(symbol, ValueSymbol):
            reader.usage.used_names.add(name.text)  # what is shown is computed for that
        return True
    if isinstance(symbol, UnavailableSymbol):
        return False  # what is wrong with it is reported where it is declared
    if symbol is None:
        reader.emit_unknown(
            name,
            SYMBOL_LABELS[wanted],
            [name for name, symbol in reader.table.symbols.items() if isinstance(symbol, wanted)],
            address,
        )
    else:
        reader.diagnostics.add(
            name.span,
            codes.WRONG_KIND_OF_THING,
            f"`{name.text}` is a {SYMBOL_LABELS.get(type(symbol), 'thing')}, not a {SYMBOL_LABELS[wanted]}",
            help=_other_key_hint(name.text, symbol, wanted),
            address=address,
        )
    return False


def _other_key_hint(name: str, symbol: Symbol, wanted: type[Symbol]) -> str:
    """For a value where a zone is named, and the other way round: the key under which it is shown."""
    keys = {ZoneSymbol: "zone", ValueSymbol: "value"}
    return f"write `{keys[type(symbol)]}: {name}`" if type(symbol) in keys and wanted in keys else ""


def _by_language(node: Node | None) -> Iterator[tuple[str, ScalarNode]]:
    """A sentence in its languages."""
    for code, text in [(e.key.text, e.value) for e in node] if isinstance(node, MappingNode) else [(ENGLISH, node)]:
        if isinstance(text, ScalarNode) and text_or_default(text):
            yield code, text


def _read_sentence(reader: ExprReader, node: Node | None, scope: Scope, address: str) -> dict[str, SentenceTemplate]:
    """What is shown of a thing. No seat is in turn for spectators."""
    found = dict[str, SentenceTemplate]()
    for code, text in _by_language(node):
        is_short = check_sentence_size(reader, text, address)
        sentence = parse_template(text, scope, reader.diagnostics, address=address) if is_short else None
        if sentence is not None:
            found[code] = sentence
            reader.usage.used_names.update(hole_words(sentence))
            for expr in template_exprs(sentence):
                reader.check_turn(expr, text, scope, address)
    return found


def _read_thing_line(reader: ExprReader, node: Node, scope: Scope, address: str) -> ThingLine:
    """A line that a thing shows: a sentence, or one with the condition under which it is shown."""
    condition = node.get("when") if isinstance(node, MappingNode) else None
    if condition is None:
        return ThingLine(_read_sentence(reader, node, scope, address))
    expr = reader.read_expression(condition, scope, FLAG, address, is_condition=True)
    return ThingLine(_read_sentence(reader, as_mapping(node).get("text"), scope, address), expr)

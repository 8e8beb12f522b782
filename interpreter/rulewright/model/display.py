"""Whether what is said about drawing a game speaks of things that the game has.

In: the table file and the table of names. Out: complaints, and what things show, as sentences; all else stays data.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from rulewright.diagnostics import Related
from rulewright.expr.templates import Sentence
from rulewright.expr.templates import sentence as read_sentence
from rulewright.expr.types import Component, Member, Scope, StateVar, Symbol, Thing, Value, Zone
from rulewright.model import codes
from rulewright.model.locale import ENGLISH
from rulewright.model.rules import Look
from rulewright.model.sentences import exprs, mentioned
from rulewright.model.symbol_table import WHAT, Names, items, mapping, scalar, text_of
from rulewright.source.nodes import Entry, Mapping, Node, Scalar, Sequence
from rulewright.variants.variant import players_range

SEAT: Final = Member("seat")


def still_there(names: Names, table: Mapping, files: Collection[str]) -> Mapping:
    """The drawing without what variants (of these files) have taken out of the game; what they draw stays."""
    known: dict[str, Collection[str]] = {
        "members": _members(names),
        "things": names.symbols,
        "actions": [entry.key.text for entry in names.section("actions")],
        "state": names.symbols,
    }

    def stays(section: str, entry: Entry) -> bool:
        return entry.key.span.source.path in files or entry.key.text in known[section]

    def line_stays(line: Node) -> bool:
        zone = scalar(mapping(line).get("zone")) or scalar(mapping(line).get("value"))
        return zone is None or zone.span.source.path in files or zone.text in names.symbols

    def drawn(entry: Entry) -> Entry:
        value = entry.value
        if entry.key.text in known and isinstance(value, Mapping):
            value = Mapping(tuple(one for one in value if stays(entry.key.text, one)), value.span)
        elif isinstance(value, Sequence):
            value = Sequence(tuple(line for line in value if line_stays(line)), value.span)
        return entry if value is entry.value else Entry(entry.key, value, entry.layers)

    return Mapping(tuple(map(drawn, table)), table.span)


def _members(names: Names) -> list[str]:
    _, most = players_range(names.root.get("players")) or (0, 0)
    seats = [f"seat.{seat}" for seat in range(names.players, most)]  # a table is for all numbers of players
    return [*[f"{kind}.{word}" for kind, info in names.kinds.items() for word in info.members], *seats]


def check_table(names: Names, table: Mapping) -> dict[str, Look]:
    """Reports zones, values, members, states and components that do not exist, and holes that make no sense; returns
    what things show.
    """
    looks = dict[str, Look]()
    known = _members(names)
    for entry in mapping(table.get("members")) if "members" in table else ():
        if entry.key.text not in known:
            names.unknown(entry.key, "member", known, "table.members")
    for entry in mapping(table.get("things")) if "things" in table else ():
        address = f"table.things.{entry.key.text}"
        if _is(names, entry.key, Component, address):
            scope = names.scope(variables={entry.key.text: Thing(entry.key.text)})
            node = mapping(entry.value)
            lines = [_sentence(names, one, scope, address) for one in items(node.get("lines"))]
            looks[entry.key.text] = Look(_sentence(names, node.get("title"), scope, address), tuple(lines))
    actions = [entry.key.text for entry in names.section("actions")]
    for entry in mapping(table.get("actions")) if "actions" in table else ():
        if entry.key.text not in actions:
            names.unknown(entry.key, "action", actions, "table.actions")
        _title(names, mapping(entry.value).get("title"), f"table.actions.{entry.key.text}")
    for entry in mapping(table.get("state")) if "state" in table else ():
        address = f"table.state.{entry.key.text}"
        if _is(names, entry.key, StateVar, address):
            _title(names, mapping(entry.value).get("title"), address)
    for section in ("board", "seats"):
        for item in items(table.get(section)):
            node = mapping(item)
            _title(names, node.get("title"), f"table.{section}")
            _line(names, node, f"table.{section}", of_seat=section == "seats")
    return looks


def _line(names: Names, node: Mapping, address: str, *, of_seat: bool) -> None:
    zone, value = scalar(node.get("zone")), scalar(node.get("value"))
    wanted: type[Symbol] = Zone if zone is not None else Value
    named = zone if zone is not None else value
    if named is None or not _is(names, named, wanted, address):
        return
    symbol = names.symbols[named.text]
    assert isinstance(symbol, Zone | Value)
    if value is not None:
        names.mentioned.add(value.text)
    if of_seat and (not symbol.keys or symbol.keys[0] != SEAT):
        related = [Related(symbol.span, "it is declared here")] if symbol.span is not None else []
        names.report.add(
            named.span,
            codes.WRONG_REFERENCE,
            f"`{named.text}` is not kept per seat, so no seat can show it",
            address=address,
            related=related,
        )
    if isinstance(symbol, Zone):
        _rows(names, node, named, address)


def _rows(names: Names, node: Mapping, zone: Scalar, address: str) -> None:
    """The key that makes the rows is one of the zone, and what stands beside the rows is kept by that key alone."""
    rows, beside = scalar(node.get("rows")), scalar(node.get("beside"))
    section = mapping(mapping(names.root.get("zones")).get(zone.text))
    keys = dict(names.per(section.get("per"), address))
    if rows is not None and rows.text not in keys:
        names.unknown(rows, f"key of `{zone.text}`", list(keys), address)
    if beside is None or not _is(names, beside, Zone, address):
        return
    other = names.symbols[beside.text]
    assert isinstance(other, Zone)
    if rows is None or (rows.text in keys and other.keys != (keys[rows.text],)):
        key = f"by `{rows.text}` alone" if rows is not None else "by the key of the rows, since there are none"
        names.report.add(
            beside.span,
            codes.WRONG_REFERENCE,
            f"`{beside.text}` is not kept {key}, so it has no place beside them",
            address=address,
            related=[Related(other.span, "it is declared here")] if other.span is not None else [],
        )


def _is(names: Names, name: Scalar, wanted: type[Symbol], address: str) -> bool:
    symbol = names.symbols.get(name.text)
    if isinstance(symbol, wanted):
        if isinstance(symbol, Value):
            names.mentioned.add(name.text)  # what is shown is computed for that
        return True
    if symbol is None:
        names.unknown(name, WHAT[wanted], [one for one, s in names.symbols.items() if isinstance(s, wanted)], address)
    else:
        names.report.add(
            name.span,
            codes.WRONG_REFERENCE,
            f"`{name.text}` is a {WHAT.get(type(symbol), 'thing')}, not a {WHAT[wanted]}",
            address=address,
        )
    return False


def _written(node: Node | None) -> Iterator[tuple[str, Scalar]]:
    """A sentence in the languages in which it is written."""
    for code, one in [(e.key.text, e.value) for e in node] if isinstance(node, Mapping) else [(ENGLISH, node)]:
        if isinstance(one, Scalar) and text_of(one):
            yield code, one


def _sentence(names: Names, node: Node | None, scope: Scope, address: str) -> dict[str, Sentence]:
    """What is shown of a thing. No seat is in turn for those who only look."""
    found = dict[str, Sentence]()
    for code, one in _written(node):
        sentence = read_sentence(one, scope, names.report, address=address)
        if sentence is not None:
            found[code] = sentence
            names.mentioned.update(mentioned(sentence))
            for expr in exprs(sentence):
                names.needs_turn(expr, one, scope, address)
    return found


def _title(names: Names, node: Node | None, address: str) -> None:
    """What a line is called has no holes: it is no rule that speaks of a position."""
    for _, one in _written(node):
        sentence = read_sentence(one, names.scope(), names.report, address=address)
        for part in sentence.parts if sentence is not None else ():
            if not isinstance(part, str):
                names.report.add(
                    one.part(*part.at),
                    codes.HOLE_IN_TITLE,
                    "a title has no holes",
                    label="is not filled in",
                    help="say it in words that always hold; a line with `value` shows a number",
                    address=address,
                )

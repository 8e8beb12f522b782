"""How everything is set up for each number of players.

In: a writer. Out: the chapter on setting up.
"""

from __future__ import annotations

from rulewright import limits
from rulewright.expr.types import Member
from rulewright.model.rules import Rules, ZoneDef
from rulewright.model.traversal import step_parts
from rulewright.rulebook.blocks import Figure, Row, Run, Text
from rulewright.rulebook.board_plan import plan
from rulewright.rulebook.chapters.equipment import add_table, player_columns, starting
from rulewright.rulebook.writer import Writer
from rulewright.wording.labels import Telling, reads


def setup(w: Writer) -> None:
    """What lies where at first: what hangs on the number of players, then place by place, then step by step."""
    t, rules = w.telling, w.telling.rules
    w.chapter("setup")
    rows = [parameter(w, name, "setup") for name in _of_setup(t)]
    if rows:
        add_table(w, "setup.numbers", [t.say("numbers_of_setup"), *player_columns(t)], rows)
    _of_overlays(w)
    for zone in rules.zones.values():
        _laid(w, zone)
    w.steps(rules.setup, "number")
    w.passages("setup.first")
    if w.blocks[-1].key != "chapter.setup":
        w.line("paragraph", "setup.else", t.say("else_empty"))
    laid_out = plan(t)
    if laid_out is not None:
        alt = t.say("plan")
        w.blocks.append(Figure("setup.plan", laid_out, (Run(alt),), alt))


def _of_overlays(w: Writer) -> None:
    """What the overlays for numbers of players say of themselves."""
    t = w.telling
    for count in t.counts:
        for address in t.rules_of(count).languages["en"].sentences:
            name = address.removeprefix("variants.")
            if address != name and name not in (*t.rules_of(count).variants, *t.rules_of(count).joined):
                text = t.said_with(address, count)
                w.line("item", f"{address} {count}", text, says={address})


def _of_setup(t: Telling) -> list[str]:
    """Parameters that say what lies on the table at first, and those that hang on the number of players."""
    rules = t.rules
    exprs = [zone.starts for zone in rules.zones.values() if zone.starts is not None]
    exprs += [expr for step in rules.blocks[rules.setup].steps for expr in step_parts(step)]
    read = {name for expr in exprs for name in reads(expr, rules)}
    found = []
    for name in rules.parameters:
        values = [_valued(t, name, count) for count in t.counts]
        if f"parameters.{name}" in read or len(set(values)) > 1:
            found.append(name)
    return found


def _valued(t: Telling, name: str, count: int) -> str:
    """The value of a parameter with so many players."""
    rules: Rules = t.rules_of(count)
    definition = rules.parameters.get(name)
    if definition is None:
        return "–"
    speaker = t.speaker_of(count)
    if definition.table is None:
        return speaker.value(definition.value, definition.type)
    return ", ".join(
        f"{t.at(key, definition.per[0], count)}{t.say('colon')} {speaker.value(value, definition.type)}"
        for key, value in definition.table.items()
    )


def parameter(w: Writer, name: str, table: str) -> Row:
    """A parameter with its value for each number of players."""
    t, address = w.telling, f"parameters.{name}"
    said = {address, f"{address}.value"}
    row = w.row(f"{table}.{address}", [t.called(address), *[_valued(t, name, count) for count in t.counts]], says=said)
    return Row(row.key, row.cells, "" if table == "setup" else address, row.says, frozenset({address}))


def _laid(w: Writer, zone: ZoneDef) -> None:
    """What lies in a zone at first."""
    t, rules, address = w.telling, w.telling.rules, f"zones.{zone.name}"
    homes = [one for one in rules.components.values() if one.starts_in is not None and one.starts_in.zone == zone.name]
    if zone.starts is None and zone.refill is None and not homes:
        return
    text: Text = (Run(_upper(t.called(address)), "strong"), Run(t.say("colon")))
    said, mentions = {address}, set[str]()
    own = [one.address for one in t.passages.get(address, ()) if not one.role and t.has(one.address)]
    for one in own or [address]:  # the book says how to lay it out, the zone what it is
        found = t.sentence(one)
        if found is not None:
            text = (*text, Run(" "), *found.text, *(() if _ends(found.text) else (Run("."),)))
            mentions |= found.mentions
            said.add(one)
    exprs = [one for one in (zone.starts, zone.at_most) if one is not None]
    if zone.starts is not None:
        bag = _starts(t, zone)
        at_first = Run(t.say("at_first", bag=bag)) if bag else Run(t.say("as_told"), to="components")
        text = (*text, Run(" "), at_first)
        said.add(f"{address}.starts")
    for home in homes:
        said.add(f"components.{home.name}.starts_in")
        if not own:
            text = (*text, Run(" " + t.say("home_of", things=t.called(f"components.{home.name}"))))
    if zone.shuffled and homes:
        said.add(f"{address}.order")
        if not own:
            text = (*text, Run(" " + t.say("shuffled")))
    if zone.refill is not None and zone.at_most is not None:
        full = t.wording.expr(zone.at_most)
        key = "refilled_one" if full == "1" else "refilled"
        text = (*text, Run(" " + t.say(key, most=full, source=t.called(f"zones.{zone.refill.zone}"))))
        said |= {f"{address}.refill", f"{address}.at_most"}
        mentions.add(f"zones.{zone.refill.zone}")
    w.line("number", f"setup.{address}", text, says=said, mentions=mentions, reads=exprs)
    w.passages(address, roles=("example", "note"))


def _starts(t: Telling, zone: ZoneDef) -> str | None:
    """What the places of a zone hold at first; None where that hangs on the number of players."""
    told = {_bags(t, count, zone) for count in t.counts if zone.name in t.rules_of(count).zones}
    return told.pop() if len(told) == 1 else None


def _bags(t: Telling, count: int, zone: ZoneDef) -> str:
    bags = starting(t, count, zone)
    speaker, here = t.speaker_of(count), t.rules_of(count).zones[zone.name]
    assert here.starts is not None
    of_seats = isinstance(here.holds, Member) and here.holds.kind == "seat"
    distinct = {
        bag: t.say("pieces", number=sum(bag)) if of_seats else speaker.value(bag, here.starts.type)
        for bag in bags.values()
    }
    if len(set(distinct.values())) == 1:
        said = next(iter(distinct.values()))
        return said if not here.keys else t.say("each_place", bag=said)
    names = {key: " ".join(t.at(one, type_, count) for one, type_ in zip(key, here.keys, strict=True)) for key in bags}
    return "; ".join(
        f"{names[key]}{t.say('colon')} {distinct[bag]}" for key, bag in list(bags.items())[: limits.MAX_LISTED_PLACES]
    )


def _ends(text: Text) -> bool:
    return text[-1].text.rstrip().endswith((".", "!", "?", ")"))


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


__all__ = ["parameter", "setup"]

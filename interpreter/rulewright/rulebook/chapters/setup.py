"""How everything is set up for each number of players.

In: a writer. Out: the chapter on setting up.
"""

from __future__ import annotations

from rulewright import limits
from rulewright.expr.types import Member
from rulewright.model.rules import Rules, ZoneDef
from rulewright.model.traversal import step_exprs
from rulewright.rulebook.blocks import FigureBlock, RichText, TableRow, TextRun
from rulewright.rulebook.board_plan import board_plan
from rulewright.rulebook.chapters.equipment import add_table, count_headers, starting_bags
from rulewright.rulebook.writer import RulebookWriter
from rulewright.wording.labels import Labels, named_addresses


def add_setup(w: RulebookWriter) -> None:
    """What lies where at first: what hangs on the number of players, then place by place, then step by step."""
    t, rules = w.labels, w.labels.rules
    w.add_chapter("setup")
    rows = [parameter_row(w, name, "setup") for name in _of_setup(t)]
    if rows:
        add_table(w, "setup.numbers", [t.message("numbers_of_setup"), *count_headers(t)], rows)
    _of_overlays(w)
    for zone in rules.zones.values():
        _laid(w, zone)
    w.add_steps(rules.setup, "number")
    w.add_passages("setup.first")
    if w.blocks[-1].key != "chapter.setup":
        w.add_text("paragraph", "setup.else", t.message("else_empty"))
    laid_out = board_plan(t)
    if laid_out is not None:
        alt = t.message("plan")
        w.blocks.append(FigureBlock("setup.plan", laid_out, (TextRun(alt),), alt))


def _of_overlays(w: RulebookWriter) -> None:
    """What the overlays for numbers of players say of themselves."""
    t = w.labels
    for count in t.counts:
        for address in t.rules_for(count).languages["en"].sentences:
            name = address.removeprefix("variants.")
            if address != name and name not in (*t.rules_for(count).variants, *t.rules_for(count).implied_variants):
                text = t.sentence_for(address, count)
                w.add_text("item", f"{address} {count}", text, covers={address})


def _of_setup(t: Labels) -> list[str]:
    """Parameters that say what lies on the table at first, and those that hang on the number of players."""
    rules = t.rules
    exprs = [zone.initial_content for zone in rules.zones.values() if zone.initial_content is not None]
    exprs += [expr for step in rules.blocks[rules.setup].steps for expr in step_exprs(step)]
    read = {name for expr in exprs for name in named_addresses(expr, rules)}
    found = []
    for name in rules.parameters:
        values = [_valued(t, name, count) for count in t.counts]
        if f"parameters.{name}" in read or len(set(values)) > 1:
            found.append(name)
    return found


def _valued(t: Labels, name: str, count: int) -> str:
    """The value of a parameter with so many players."""
    rules: Rules = t.rules_for(count)
    definition = rules.parameters.get(name)
    if definition is None:
        return "–"
    speaker = t.sentences_for(count)
    if definition.values_by_key is None:
        return speaker.format_value(definition.value, definition.type)
    return ", ".join(
        f"{t.key_text(key, definition.key_types[0], count)}{t.message('colon')} "
        f"{speaker.format_value(value, definition.type)}"
        for key, value in definition.values_by_key.items()
    )


def parameter_row(w: RulebookWriter, name: str, table: str) -> TableRow:
    """A parameter with its value for each number of players."""
    t, address = w.labels, f"parameters.{name}"
    said = {address, f"{address}.value"}
    row = w.table_row(
        f"{table}.{address}", [t.label(address), *[_valued(t, name, count) for count in t.counts]], covers=said
    )
    return TableRow(row.key, row.cells, "" if table == "setup" else address, row.covers, frozenset({address}))


def _laid(w: RulebookWriter, zone: ZoneDef) -> None:
    """What lies in a zone at first."""
    t, rules, address = w.labels, w.labels.rules, f"zones.{zone.name}"
    homes = [
        one
        for one in rules.components.values()
        if one.initial_place is not None and one.initial_place.zone == zone.name
    ]
    if zone.initial_content is None and zone.refill is None and not homes:
        return
    text: RichText = (TextRun(_upper(t.label(address)), "strong"), TextRun(t.message("colon")))
    said, mentions = {address}, set[str]()
    own = [one.address for one in t.passages.get(address, ()) if not one.role and t.has_sentence(one.address)]
    for one in own or [address]:  # the book says how to lay it out, the zone what it is
        found = t.find_sentence(one)
        if found is not None:
            text = (*text, TextRun(" "), *found.text, *(() if _ends(found.text) else (TextRun("."),)))
            mentions |= found.mentions
            said.add(one)
    exprs = [one for one in (zone.initial_content, zone.capacity) if one is not None]
    if zone.initial_content is not None:
        bag = _starts(t, zone)
        at_first = TextRun(t.message("at_first", bag=bag)) if bag else TextRun(t.message("as_told"), link="components")
        text = (*text, TextRun(" "), at_first)
        said.add(f"{address}.starts")
    for home in homes:
        said.add(f"components.{home.name}.starts_in")
        if not own:
            text = (*text, TextRun(" " + t.message("home_of", things=t.label(f"components.{home.name}"))))
    if zone.is_shuffled and homes:
        said.add(f"{address}.order")
        if not own:
            text = (*text, TextRun(" " + t.message("shuffled")))
    if zone.refill is not None and zone.capacity is not None:
        full = t.phrases.expr(zone.capacity)
        key = "refilled_one" if full == "1" else "refilled"
        text = (*text, TextRun(" " + t.message(key, most=full, source=t.label(f"zones.{zone.refill.zone}"))))
        said |= {f"{address}.refill", f"{address}.at_most"}
        mentions.add(f"zones.{zone.refill.zone}")
    w.add_text("number", f"setup.{address}", text, covers=said, mentions=mentions, exprs=exprs)
    w.add_passages(address, roles=("example", "note"))


def _starts(t: Labels, zone: ZoneDef) -> str | None:
    """What the places of a zone hold at first; None where that hangs on the number of players."""
    told = {_bags(t, count, zone) for count in t.counts if zone.name in t.rules_for(count).zones}
    return told.pop() if len(told) == 1 else None


def _bags(t: Labels, count: int, zone: ZoneDef) -> str:
    bags = starting_bags(t, count, zone)
    speaker, here = t.sentences_for(count), t.rules_for(count).zones[zone.name]
    assert here.initial_content is not None
    of_seats = isinstance(here.content_type, Member) and here.content_type.kind == "seat"
    distinct = {
        bag: t.message("pieces", number=sum(bag)) if of_seats else speaker.format_value(bag, here.initial_content.type)
        for bag in bags.values()
    }
    if len(set(distinct.values())) == 1:
        said = next(iter(distinct.values()))
        return said if not here.key_types else t.message("each_place", bag=said)
    names = {
        key: " ".join(t.key_text(one, type_, count) for one, type_ in zip(key, here.key_types, strict=True))
        for key in bags
    }
    return "; ".join(
        f"{names[key]}{t.message('colon')} {distinct[bag]}"
        for key, bag in list(bags.items())[: limits.MAX_LISTED_PLACES]
    )


def _ends(text: RichText) -> bool:
    return text[-1].text.rstrip().endswith((".", "!", "?", ")"))


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


__all__ = ["add_setup", "parameter_row"]

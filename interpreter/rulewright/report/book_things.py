"""What lies on the table: pieces and things with their parts, and how everything is set up for each number of players.

In: a writer. Out: the chapters on components and set-up.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any, Final

from rulewright.expr.types import Bag, Member, SetOf, Thing, Type
from rulewright.model.rules import ComponentDef, Rules, ZoneDef
from rulewright.model.walk import step_parts
from rulewright.report.book_pages import Card, Figure, Part, Row, Run, Table, Text
from rulewright.report.book_telling import HOLE, Telling, reads
from rulewright.report.book_writing import Writer
from rulewright.report.plans import plan
from rulewright.report.signs import Sign, signs

MOST_ROWS: Final = 12  # of a component that is told thing by thing
MOST_SORTS: Final = 8  # members by which things are counted


def components(w: Writer) -> None:
    """What there is: pieces with their signs and numbers, things with a picture of one."""
    w.chapter("components")
    _pieces(w)
    for name, component in w.telling.rules.components.items():
        _component(w, name, component)
    sorts(w, numeric=not w.telling.rules.parameters)


def _pieces(w: Writer) -> None:
    t, rules = w.telling, w.telling.rules
    looks = signs(rules.table)
    held = {zone.holds.kind for zone in rules.zones.values() if isinstance(zone.holds, Member)}
    for kind in rules.kinds:
        info = rules.kinds[kind]
        wider = any(other != kind and kind in rules.kinds[other].embeds for other in held)
        if kind not in held or kind == "seat" or wider:
            continue
        totals = {count: _total(t, count, kind) for count in t.counts}
        said = {f"kinds.{one}" for one in info.embeds if t.has(f"kinds.{one}")}
        w.heading(3, f"kinds.{kind}", t.called(f"kinds.{kind}"), f"kinds.{kind}", says=said)
        w.passages(f"kinds.{kind}")
        for one in sorted(info.embeds - {kind}):
            w.passages(f"kinds.{one}")
        rows = []
        for word in info.members:
            sign = next((looks[f"{one}.{word}"] for one in sorted(info.embeds) if f"{one}.{word}" in looks), None)
            home = next((one for one in sorted(info.embeds) if one != kind and word in rules.kinds[one].members), kind)
            name: Text = (*((Run("", sign=sign), Run(" ")) if sign is not None else ()), Run(t.member(kind, word)))
            cells = [str(totals[count].get(word, 0)) for count in t.counts]
            rows.append(w.row(f"kinds.{home}.{word}", [name, *cells], says={f"kinds.{home}.{word}"}))
        if any(any(found.values()) for found in totals.values()):
            _table(w, f"pieces.{kind}", [t.say("piece"), *_players(t)], rows)
        else:
            names = t.wording.several([t.member(kind, word) for word in info.members])
            w.line("paragraph", f"pieces.{kind}", names, says={f"kinds.{kind}"})


def sorts(w: Writer, *, numeric: bool) -> None:
    """What else is told apart: kinds of which there are no pieces; those of numbers only if wanted."""
    t, rules = w.telling, w.telling.rules
    told = {address for block in w.blocks for address in block.says}
    inner = {one for kind in rules.kinds if f"kinds.{kind}" in told for one in rules.kinds[kind].embeds}
    others = [
        info
        for name, info in rules.kinds.items()
        if name not in ("seat", *inner) and not info.lines_of and (numeric or not info.numeric)
    ]
    if others:
        w.line("label", "kinds", t.say("told_apart"))
    for info in others:
        address = f"kinds.{info.name}"
        few = len(info.members) <= MOST_ROWS
        ends = t.say("range", a=info.members[0], b=info.members[-1])
        said = t.wording.several([t.member(info.name, one) for one in info.members]) if few else ends
        name = t.called(address)
        text = (Run(name[:1].upper() + name[1:], "strong"), Run(f"{t.say('colon')} {said}."))
        says = {address, f"{address}.members", *(f"{address}.{one}" for one in info.members)}
        w.line("item", address, text, says=says, anchor=address)
        w.passages(address, depth=1)


def _players(t: Telling) -> list[str]:
    if len(t.counts) == 1:
        return [t.say("number")]
    return [t.say("column", players=count) for count in t.counts]


def _table(w: Writer, key: str, head: list[str], rows: Iterable[Row]) -> None:
    w.blocks.append(Table(key, tuple((Run(one),) for one in head), tuple(rows)))


def _total(t: Telling, count: int, kind: str) -> dict[str, int]:
    """How many pieces of each member there are before play."""
    rules = t.rules_of(count)
    family = rules.kinds[kind].family
    names = rules.family_members[family]
    found = dict.fromkeys(names, 0)
    for zone in rules.zones.values():
        if isinstance(zone.holds, Member) and rules.kinds[zone.holds.kind].family == family:
            for bag in starting(t, count, zone).values():
                for at, number in enumerate(bag):
                    found[names[at]] += number
    return found


def starting(t: Telling, count: int, zone: ZoneDef) -> dict[tuple[int, ...], tuple[int, ...]]:
    """What each place of a zone holds before play."""
    if zone.starts is None:
        return {}
    here = t.rules_of(count).zones[zone.name]
    assert here.starts is not None
    return {key: t.number(here.starts, count, key) or () for key in product(*here.key_values)}


# ---- things ---------------------------------------------------------------------------------------------------------


def _component(w: Writer, name: str, component: ComponentDef) -> None:
    t, address = w.telling, f"components.{name}"
    w.heading(3, address, t.called(address), address, says={address})
    w.passages(address, roles=("",))
    w.line("paragraph", f"{address}.number", _counted(t, component), says={f"{address}.rows"})
    drawn = _drawing(t, name, component)
    if drawn is not None:
        card, at, parts = drawn
        alt = t.say("drawing", name=t.called(address))
        w.blocks.append(Figure(f"{address}.figure", card, (Run(alt),), alt))
        for part in parts:
            _part(w, component, part, at)
    elif len(component.ids) <= MOST_ROWS:
        _told(w, name, component)
    w.passages(address, roles=("example", "note"))


def _counted(t: Telling, component: ComponentDef) -> str:
    """How many there are, and of each sort by which they lie apart."""
    whole = t.say("in_all", number=len(component.ids))
    keys = component.starts_in.keys if component.starts_in is not None else ()
    for key in keys:
        field = getattr(key, "name", "")
        type_ = component.fields.get(field)
        if not isinstance(type_, Member) or len(t.rules.kinds[type_.kind].numbers) > MOST_SORTS:
            continue
        sorts = []
        for value in t.rules.kinds[type_.kind].numbers:
            number = component.columns[field].count(value)
            name = t.called(f"components.{component.name}.fields.{field}")
            sorts.append(t.say("sort", number=number, field=name.lower(), value=t.value(value, type_)))
        whole += " " + t.say("of_them", sorts=t.wording.several(sorts))
    return whole


def _drawing(t: Telling, name: str, component: ComponentDef) -> tuple[Card, int, list[tuple[int, str]]] | None:
    """A telling example of a component, and the fields in the order of their numbers."""
    look: Any = dict(t.rules.table.get("things", {})).get(name)  # type: ignore[call-overload]
    if not isinstance(look, dict) or not component.ids:
        return None
    at = max(range(len(component.ids)), key=lambda row: (_telling(component, row), -row))
    numbers: dict[str, int] = {}

    def part(field: str) -> Part:
        number = numbers.setdefault(field, len(numbers) + 1)
        return Part(number, _field(t, name, field), shown(t, component.columns[field][at], component.fields[field]))

    def parts(sentence: object) -> tuple[Part, ...]:
        fields = [hole[2] for hole in HOLE.finditer(t.in_language(sentence))]
        return tuple(part(field) for field in fields if field in component.fields)

    title = parts(look.get("title", ""))
    lines = tuple(parts(line) for line in look.get("lines", []))
    foot = tuple(part(field) for field in component.fields if field not in numbers)
    ground = next((sign for one in title for _, sign, _ in one.shown if sign is not None), None)
    return Card(title, lines, foot, ground), at, [(number, field) for field, number in numbers.items()]


def _telling(component: ComponentDef, row: int) -> int:
    """How much a thing shows: different members in bags, fields that are not empty."""
    found = 0
    for field, type_ in component.fields.items():
        value: Any = component.columns[field][row]
        if isinstance(type_, Bag):
            found += 10 * min(3, sum(1 for count in value if count))
        elif isinstance(type_, SetOf):
            found += 10 * min(2, len(value))
        else:
            found += 20 * bool(value)
    return found


def shown(t: Telling, value: Any, type_: Type) -> tuple[tuple[str, Sign | None, str], ...]:
    """What stands on a thing for a value: texts and signs with names."""
    looks = {address.partition(".")[2]: sign for address, sign in signs(t.rules.table).items()}
    match type_:
        case Bag(kind=kind):
            names = t.rules.family_members[t.rules.kinds[kind].family]
            return tuple(
                (str(number), looks.get(names[at]), t.member_of_family(kind, names[at], number))
                for at, number in enumerate(value)
                if number
            )
        case Member(kind=kind) if kind != "seat" and not t.rules.kinds[kind].numeric:
            info = t.rules.kinds[kind]
            word = info.members[info.numbers.index(value)]
            return (("", looks.get(word), t.member(kind, word)),)
        case _:
            return ((t.value(value, type_), None, ""),)


def _field(t: Telling, component: str, field: str) -> str:
    name = t.called(f"components.{component}.fields.{field}")
    return name[:1].upper() + name[1:]


def _part(w: Writer, component: ComponentDef, part: tuple[int, str], at: int) -> None:
    """A line of the list of parts: its number in the picture, what it is, what stands there in the picture."""
    t, (number, field) = w.telling, part
    address = f"components.{component.name}.fields.{field}"
    here = t.value(component.columns[field][at], component.fields[field])
    text: Text = (Run(f"{circled(number)} "), Run(_field(t, component.name, field), "strong"))
    passages = [one for one in t.passages.get(address, ()) if t.has(one.address) and not one.role]
    said = [address]
    for one in passages:
        found = t.sentence(one.address)
        assert found is not None
        text = (*text, Run(t.say("colon") + " "), *found.text)
        said += [one.address, f"{one.address}.title"]
    text = (*text, Run(" " + t.say("in_the_picture", value=here), "em"))
    w.line("item", address, text, says=said, anchor=address)


def circled(number: int) -> str:
    """A number in a circle, as it stands in pictures."""
    return chr(0x2460 + number - 1) if number <= 20 else f"({number})"


def _told(w: Writer, name: str, component: ComponentDef) -> None:
    """Few things are told one by one."""
    t = w.telling
    fields = list(component.fields)
    rows = []
    for at, thing in enumerate(component.ids):
        values = [t.value(component.columns[field][at], component.fields[field]) for field in fields]
        called = t.speaker.thing(name, at).replace("_", " ")
        rows.append(
            w.row(f"components.{name}.rows.{thing}", [called, *values], says={f"components.{name}.rows.{thing}"})
        )
    if rows:
        _table(
            w,
            f"components.{name}.things",
            [t.called(f"components.{name}"), *[_field(t, name, f) for f in fields]],
            rows,
        )


# ---- set-up ---------------------------------------------------------------------------------------------------------


def setup(w: Writer) -> None:
    """What lies where at first: what hangs on the number of players, then place by place, then step by step."""
    t, rules = w.telling, w.telling.rules
    w.chapter("setup")
    rows = [parameter(w, name, "setup") for name in _of_setup(t)]
    if rows:
        _table(w, "setup.numbers", [t.say("numbers_of_setup"), *_players(t)], rows)
    _of_overlays(w)
    for zone in rules.zones.values():
        _laid(w, zone)
    w.steps(rules.setup, "number")
    w.passages("setup.first")
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
        f"{speaker.value(key, definition.per[0])}: {speaker.value(value, definition.type)}"
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
    names = {
        key: " ".join(speaker.value(one, type_) for one, type_ in zip(key, here.keys, strict=True)) for key in bags
    }
    return "; ".join(f"{names[key]}: {distinct[bag]}" for key, bag in list(bags.items())[:MOST_ROWS])


def _ends(text: Text) -> bool:
    return text[-1].text.rstrip().endswith((".", "!", "?", ")"))


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


__all__ = ["Thing", "circled", "components", "parameter", "setup", "shown", "sorts", "starting"]

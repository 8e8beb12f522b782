"""What there is: pieces with their signs and numbers, things with a picture of one and its parts.

In: a writer. Out: the chapter on components.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

from rulewright import limits
from rulewright.expr.types import Bag, KindInfo, Member, SetOf, Type
from rulewright.model.glyphs import Sign, signs
from rulewright.model.rules import ComponentDef, ZoneDef
from rulewright.rulebook.blocks import Card, Figure, Part, Row, Run, Table, Text
from rulewright.rulebook.writer import Writer
from rulewright.wording.labels import HOLE, Telling


def components(w: Writer) -> None:
    """What there is: pieces with their signs and numbers, things with a picture of one."""
    w.chapter("components")
    _grids(w)
    _pieces(w)
    for name, component in w.telling.rules.components.items():
        _component(w, name, component)
    sorts(w, numeric=not w.telling.rules.parameters)


def _grids(w: Writer) -> None:
    """Boards of squares: how large they are, what the squares are called, what counts as a line."""
    t, rules = w.telling, w.telling.rules
    for name, info in rules.kinds.items():
        if not info.across:
            continue
        address = f"kinds.{name}"
        of = {count: t.rules_of(count).kinds[name] for count in t.counts if name in t.rules_of(count).kinds}
        sizes = {count: t.say("grid", across=one.across, down=_down(one)) for count, one in of.items()}
        size = t.wording.several(list(dict.fromkeys(sizes.values())), "or")
        text: Text = (Run(size + "."),)
        if len(set(sizes.values())) > 1:
            text = (*text, Run(f" ({t.by_players(sizes)})", "em"))
        holes = {
            "first": info.members[0],
            "second": info.members[min(1, len(info.members) - 1)],
            "last": info.members[-1],
            "column": info.members[info.across - 1][:1],
            "row": _down(info),
        }
        key = "grid_names" if info.across > 1 else "grid_column"
        text = (*text, Run(" " + t.say(key, **holes)))
        says = {address, f"{address}.members", *(f"{address}.{one}" for one in info.members)}
        w.heading(3, f"{address}.heading", t.called(address), address, mentions={address})
        w.line("paragraph", address, text, says=says)
        w.passages(address)
        for line in rules.kinds.values():
            if line.lines_of == name:
                _lines(w, line, info)


def _lines(w: Writer, line: KindInfo, grid: KindInfo) -> None:
    """What counts as a line of squares."""
    t, address = w.telling, f"kinds.{line.name}"
    if not line.lines:
        return
    called = t.called(address)
    holes = {
        "number": len(line.lines),
        "length": len(line.lines[0]),
        "first": grid.members[line.lines[0][0]],
        "last": grid.members[line.lines[0][-1]],
    }
    said = t.say("grid_lines", **holes)
    text = (Run(called[:1].upper() + called[1:], "strong"), Run(f"{t.say('colon')} {said}"))
    w.line("item", address, text, says={address}, anchor=address)
    w.passages(address, depth=1)


def _down(info: KindInfo) -> int:
    return len(info.members) // info.across


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
            add_table(w, f"pieces.{kind}", [t.say("piece"), *player_columns(t)], rows)
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
        if name not in ("seat", *inner) and not info.lines_of and not info.across and (numeric or not info.numeric)
    ]
    if others:
        w.line("label", "kinds", t.say("told_apart"))
    for info in others:
        address = f"kinds.{info.name}"
        few = len(info.members) <= limits.MAX_THING_ROWS
        ends = t.say("range", a=info.members[0], b=info.members[-1])
        said = t.wording.several([t.member(info.name, one) for one in info.members]) if few else ends
        name = t.called(address)
        text = (Run(name[:1].upper() + name[1:], "strong"), Run(f"{t.say('colon')} {said}."))
        says = {address, f"{address}.members", *(f"{address}.{one}" for one in info.members)}
        w.line("item", address, text, says=says, anchor=address)
        w.passages(address, depth=1)


def player_columns(t: Telling) -> list[str]:
    """The heads of the columns with numbers."""
    if len(t.counts) == 1:
        return [t.say("number")]
    return [t.say("column", players=count) for count in t.counts]


def add_table(w: Writer, key: str, head: list[str], rows: Iterable[Row]) -> None:
    """A table with such a head."""
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
    if len(component.ids) <= limits.MAX_THING_ROWS:
        _told(w, name, component)
    else:
        _sorted(w, name, component)
    w.passages(address, roles=("example", "note"))


def _counted(t: Telling, component: ComponentDef) -> str:
    """How many there are, and of each sort by which they lie apart."""
    whole = t.say("in_all", number=len(component.ids))
    keys = component.starts_in.keys if component.starts_in is not None else ()
    for key in keys:
        field = getattr(key, "name", "")
        type_ = component.fields.get(field)
        if not isinstance(type_, Member) or len(t.rules.kinds[type_.kind].numbers) > limits.MAX_SORTING_MEMBERS:
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
        values = [cell(t, component, field, at) for field in fields]
        called = t.speaker.thing(name, at).replace("_", " ")
        rows.append(
            w.row(
                f"components.{name}.rows.{thing}", [_upper(called), *values], says={f"components.{name}.rows.{thing}"}
            )
        )
    if rows:
        add_table(
            w,
            f"components.{name}.things",
            [t.called(f"components.{name}"), *[_field(t, name, f) for f in fields]],
            rows,
        )


def _sorted(w: Writer, name: str, component: ComponentDef) -> None:
    """Many things of few sorts are told sort by sort, with how many there are of each."""
    t = w.telling
    fields = list(component.fields)
    sorts: dict[tuple[Any, ...], list[int]] = {}
    for at in range(len(component.ids)):
        sorts.setdefault(tuple(component.columns[field][at] for field in fields), []).append(at)
    if not fields or len(sorts) > limits.MAX_THING_ROWS:
        return
    key = f"components.{name}.sorts"
    rows = []
    for found in sorts.values():
        says = {f"components.{name}.rows.{component.ids[at]}" for at in found}
        values = [cell(t, component, field, found[0]) for field in fields]
        rows.append(w.row(f"{key}.{component.ids[found[0]]}", [*values, str(len(found))], says=says))
    add_table(w, key, [*[_field(t, name, field) for field in fields], t.say("number")], rows)


def cell(t: Telling, component: ComponentDef, field: str, at: int) -> Text:
    """What stands on a thing: signs with their numbers where there are signs."""
    found: list[Run] = []
    for text, sign, name in shown(t, component.columns[field][at], component.fields[field]):
        found.append(Run(" " if found else ""))
        found.append(Run(text if sign is not None and text else " ".join(one for one in (text, name) if one)))
        if sign is not None:
            found += [Run(" ")] * (not text)
            found.append(Run("", sign=sign))
    return tuple(run for run in found if run.text or run.sign) or (Run("–"),)


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


__all__ = ["add_table", "cell", "circled", "components", "player_columns", "shown", "sorts", "starting"]

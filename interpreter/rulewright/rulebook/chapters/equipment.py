"""What there is: pieces with their signs and numbers, things with a picture of one and its parts.

In: a writer. Out: the chapter on components.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

from rulewright import limits
from rulewright.expr.types import Bag, KindInfo, Member, SetOf, Type
from rulewright.model.glyphs import Glyph, member_glyphs
from rulewright.model.rules import ComponentDef, ZoneDef
from rulewright.rulebook.blocks import CardField, ComponentCard, FigureBlock, RichText, TableBlock, TableRow, TextRun
from rulewright.rulebook.writer import RulebookWriter
from rulewright.wording.labels import FIELD_HOLE, Labels


def add_components(w: RulebookWriter) -> None:
    """What there is: pieces with their signs and numbers, things with a picture of one."""
    w.add_chapter("components")
    _grids(w)
    _pieces(w)
    for name, component in w.labels.rules.components.items():
        _component(w, name, component)
    add_kinds(w, numeric=not w.labels.rules.parameters)


def _grids(w: RulebookWriter) -> None:
    """Boards of squares: how large they are, what the squares are called, what counts as a line."""
    t, rules = w.labels, w.labels.rules
    for name, info in rules.kinds.items():
        if not info.columns:
            continue
        address = f"kinds.{name}"
        of = {count: t.rules_for(count).kinds[name] for count in t.counts if name in t.rules_for(count).kinds}
        sizes = {count: t.message("grid", across=one.columns, down=_down(one)) for count, one in of.items()}
        size = t.phrases.join_list(list(dict.fromkeys(sizes.values())), "or")
        text: RichText = (TextRun(size + "."),)
        if len(set(sizes.values())) > 1:
            text = (*text, TextRun(f" ({t.list_by_count(sizes)})", "em"))
        holes = {
            "first": info.members[0],
            "second": info.members[min(1, len(info.members) - 1)],
            "last": info.members[-1],
            "column": info.members[info.columns - 1][:1],
            "row": _down(info),
        }
        key = "grid_names" if info.columns > 1 else "grid_column"
        text = (*text, TextRun(" " + t.message(key, **holes)))
        says = {address, f"{address}.members", *(f"{address}.{one}" for one in info.members)}
        w.add_heading(3, f"{address}.heading", t.label(address), address, mentions={address})
        w.add_text("paragraph", address, text, covers=says)
        w.add_passages(address)
        for line in rules.kinds.values():
            if line.cell_kind == name:
                _lines(w, line, info)


def _lines(w: RulebookWriter, line: KindInfo, grid: KindInfo) -> None:
    """What counts as a line of squares."""
    t, address = w.labels, f"kinds.{line.name}"
    if not line.lines:
        return
    called = t.label(address)
    holes = {
        "number": len(line.lines),
        "length": len(line.lines[0]),
        "first": grid.members[line.lines[0][0]],
        "last": grid.members[line.lines[0][-1]],
    }
    said = t.message("grid_lines", **holes)
    text = (TextRun(called[:1].upper() + called[1:], "strong"), TextRun(f"{t.message('colon')} {said}"))
    w.add_text("item", address, text, covers={address}, anchor=address)
    w.add_passages(address, depth=1)


def _down(info: KindInfo) -> int:
    return len(info.members) // info.columns


def _pieces(w: RulebookWriter) -> None:
    t, rules = w.labels, w.labels.rules
    looks = member_glyphs(rules.display)
    held = {zone.content_type.kind for zone in rules.zones.values() if isinstance(zone.content_type, Member)}
    for kind in rules.kinds:
        info = rules.kinds[kind]
        wider = any(other != kind and kind in rules.kinds[other].includes for other in held)
        if kind not in held or kind == "seat" or wider:
            continue
        totals = {count: _total(t, count, kind) for count in t.counts}
        said = {f"kinds.{one}" for one in info.includes if t.has_sentence(f"kinds.{one}")}
        w.add_heading(3, f"kinds.{kind}", t.label(f"kinds.{kind}"), f"kinds.{kind}", covers=said)
        w.add_passages(f"kinds.{kind}")
        for one in sorted(info.includes - {kind}):
            w.add_passages(f"kinds.{one}")
        rows = []
        for word in info.members:
            sign = next((looks[f"{one}.{word}"] for one in sorted(info.includes) if f"{one}.{word}" in looks), None)
            home = next(
                (one for one in sorted(info.includes) if one != kind and word in rules.kinds[one].members), kind
            )
            name: RichText = (
                *((TextRun("", glyph=sign), TextRun(" ")) if sign is not None else ()),
                TextRun(t.member_label(kind, word)),
            )
            cells = [str(totals[count].get(word, 0)) for count in t.counts]
            rows.append(w.table_row(f"kinds.{home}.{word}", [name, *cells], covers={f"kinds.{home}.{word}"}))
        if any(any(found.values()) for found in totals.values()):
            add_table(w, f"pieces.{kind}", [t.message("piece"), *count_headers(t)], rows)
        else:
            names = t.phrases.join_list([t.member_label(kind, word) for word in info.members])
            w.add_text("paragraph", f"pieces.{kind}", names, covers={f"kinds.{kind}"})


def add_kinds(w: RulebookWriter, *, numeric: bool) -> None:
    """What else is told apart: kinds of which there are no pieces; those of numbers only if wanted."""
    t, rules = w.labels, w.labels.rules
    told = {address for block in w.blocks for address in block.covers}
    inner = {one for kind in rules.kinds if f"kinds.{kind}" in told for one in rules.kinds[kind].includes}
    others = [
        info
        for name, info in rules.kinds.items()
        if name not in ("seat", *inner) and not info.cell_kind and not info.columns and (numeric or not info.is_numeric)
    ]
    if others:
        w.add_text("label", "kinds", t.message("told_apart"))
    for info in others:
        address = f"kinds.{info.name}"
        few = len(info.members) <= limits.MAX_THING_ROWS
        ends = t.message("range", a=info.members[0], b=info.members[-1])
        said = t.phrases.join_list([t.member_label(info.name, one) for one in info.members]) if few else ends
        name = t.label(address)
        text = (TextRun(name[:1].upper() + name[1:], "strong"), TextRun(f"{t.message('colon')} {said}."))
        says = {address, f"{address}.members", *(f"{address}.{one}" for one in info.members)}
        w.add_text("item", address, text, covers=says, anchor=address)
        w.add_passages(address, depth=1)


def count_headers(t: Labels) -> list[str]:
    """The heads of the columns with numbers."""
    if len(t.counts) == 1:
        return [t.message("number")]
    return [t.message("column", players=count) for count in t.counts]


def add_table(w: RulebookWriter, key: str, head: list[str], rows: Iterable[TableRow]) -> None:
    """A table with such a head."""
    w.blocks.append(TableBlock(key, tuple((TextRun(one),) for one in head), tuple(rows)))


def _total(t: Labels, count: int, kind: str) -> dict[str, int]:
    """How many pieces of each member there are before play."""
    rules = t.rules_for(count)
    family = rules.kinds[kind].family
    names = rules.family_members[family]
    found = dict.fromkeys(names, 0)
    for zone in rules.zones.values():
        if isinstance(zone.content_type, Member) and rules.kinds[zone.content_type.kind].family == family:
            for bag in starting_bags(t, count, zone).values():
                for at, number in enumerate(bag):
                    found[names[at]] += number
    return found


def starting_bags(t: Labels, count: int, zone: ZoneDef) -> dict[tuple[int, ...], tuple[int, ...]]:
    """What each place of a zone holds before play."""
    if zone.initial_content is None:
        return {}
    here = t.rules_for(count).zones[zone.name]
    assert here.initial_content is not None
    return {key: t.evaluate(here.initial_content, count, key) or () for key in product(*here.key_values)}


# ---- things ---------------------------------------------------------------------------------------------------------


def _component(w: RulebookWriter, name: str, component: ComponentDef) -> None:
    t, address = w.labels, f"components.{name}"
    w.add_heading(3, address, t.label(address), address, covers={address})
    w.add_passages(address, roles=("",))
    w.add_text("paragraph", f"{address}.number", _counted(t, component), covers={f"{address}.rows"})
    drawn = _drawing(t, name, component)
    if drawn is not None:
        card, at, parts = drawn
        alt = t.message("drawing", name=t.label(address))
        w.blocks.append(FigureBlock(f"{address}.figure", card, (TextRun(alt),), alt))
        for part in parts:
            _part(w, component, part, at)
    if len(component.ids) <= limits.MAX_THING_ROWS:
        _told(w, name, component)
    else:
        _sorted(w, name, component)
    w.add_passages(address, roles=("example", "note"))


def _counted(t: Labels, component: ComponentDef) -> str:
    """How many there are, and of each sort by which they lie apart."""
    whole = t.message("in_all", number=len(component.ids))
    keys = component.initial_place.keys if component.initial_place is not None else ()
    for key in keys:
        field = getattr(key, "name", "")
        type_ = component.field_types.get(field)
        if not isinstance(type_, Member) or len(t.rules.kinds[type_.kind].member_values) > limits.MAX_SORTING_MEMBERS:
            continue
        sorts = []
        for value in t.rules.kinds[type_.kind].member_values:
            number = component.columns[field].count(value)
            name = t.label(f"components.{component.name}.fields.{field}")
            sorts.append(t.message("sort", number=number, field=name.lower(), value=t.value_text(value, type_)))
        whole += " " + t.message("of_them", sorts=t.phrases.join_list(sorts))
    return whole


def _drawing(t: Labels, name: str, component: ComponentDef) -> tuple[ComponentCard, int, list[tuple[int, str]]] | None:
    """A telling example of a component, and the fields in the order of their numbers."""
    look: Any = dict(t.rules.display.get("things", {})).get(name)  # type: ignore[call-overload]
    if not isinstance(look, dict) or not component.ids:
        return None
    at = max(range(len(component.ids)), key=lambda row: (_telling(component, row), -row))
    numbers: dict[str, int] = {}

    def part(field: str) -> CardField:
        number = numbers.setdefault(field, len(numbers) + 1)
        return CardField(
            number, _field(t, name, field), field_values(t, component.columns[field][at], component.field_types[field])
        )

    def parts(sentence: object) -> tuple[CardField, ...]:
        fields = [hole[2] for hole in FIELD_HOLE.finditer(t.localize(sentence))]
        return tuple(part(field) for field in fields if field in component.field_types)

    title = parts(look.get("title", ""))
    lines = tuple(parts(line) for line in look.get("lines", []))
    foot = tuple(part(field) for field in component.field_types if field not in numbers)
    ground = next((sign for one in title for _, sign, _ in one.values if sign is not None), None)
    return ComponentCard(title, lines, foot, ground), at, [(number, field) for field, number in numbers.items()]


def _telling(component: ComponentDef, row: int) -> int:
    """How much a thing shows: different members in bags, fields that are not empty."""
    found = 0
    for field, type_ in component.field_types.items():
        value: Any = component.columns[field][row]
        if isinstance(type_, Bag):
            found += 10 * min(3, sum(1 for count in value if count))
        elif isinstance(type_, SetOf):
            found += 10 * min(2, len(value))
        else:
            found += 20 * bool(value)
    return found


def field_values(t: Labels, value: Any, type_: Type) -> tuple[tuple[str, Glyph | None, str], ...]:
    """What stands on a thing for a value: texts and signs with names."""
    looks = {address.partition(".")[2]: sign for address, sign in member_glyphs(t.rules.display).items()}
    match type_:
        case Bag(kind=kind):
            names = t.rules.family_members[t.rules.kinds[kind].family]
            return tuple(
                (str(number), looks.get(names[at]), t.family_member_label(kind, names[at], number))
                for at, number in enumerate(value)
                if number
            )
        case Member(kind=kind) if kind != "seat" and not t.rules.kinds[kind].is_numeric:
            info = t.rules.kinds[kind]
            word = info.members[info.member_values.index(value)]
            return (("", looks.get(word), t.member_label(kind, word)),)
        case _:
            return ((t.value_text(value, type_), None, ""),)


def _field(t: Labels, component: str, field: str) -> str:
    name = t.label(f"components.{component}.fields.{field}")
    return name[:1].upper() + name[1:]


def _part(w: RulebookWriter, component: ComponentDef, part: tuple[int, str], at: int) -> None:
    """A line of the list of parts: its number in the picture, what it is, what stands there in the picture."""
    t, (number, field) = w.labels, part
    address = f"components.{component.name}.fields.{field}"
    here = t.value_text(component.columns[field][at], component.field_types[field])
    text: RichText = (TextRun(f"{circled(number)} "), TextRun(_field(t, component.name, field), "strong"))
    passages = [one for one in t.passages.get(address, ()) if t.has_sentence(one.address) and not one.role]
    said = [address]
    for one in passages:
        found = t.find_sentence(one.address)
        assert found is not None
        text = (*text, TextRun(t.message("colon") + " "), *found.text)
        said += [one.address, f"{one.address}.title"]
    text = (*text, TextRun(" " + t.message("in_the_picture", value=here), "em"))
    w.add_text("item", address, text, covers=said, anchor=address)


def circled(number: int) -> str:
    """A number in a circle, as it stands in pictures."""
    return chr(0x2460 + number - 1) if number <= 20 else f"({number})"


def _told(w: RulebookWriter, name: str, component: ComponentDef) -> None:
    """Few things are told one by one."""
    t = w.labels
    fields = list(component.field_types)
    rows = []
    for at, thing in enumerate(component.ids):
        values = [field_cell(t, component, field, at) for field in fields]
        called = t.sentences.thing_name(name, at).replace("_", " ")
        rows.append(
            w.table_row(
                f"components.{name}.rows.{thing}", [_upper(called), *values], covers={f"components.{name}.rows.{thing}"}
            )
        )
    if rows:
        add_table(
            w,
            f"components.{name}.things",
            [t.label(f"components.{name}"), *[_field(t, name, f) for f in fields]],
            rows,
        )


def _sorted(w: RulebookWriter, name: str, component: ComponentDef) -> None:
    """Many things of few sorts are told sort by sort, with how many there are of each."""
    t = w.labels
    fields = list(component.field_types)
    sorts: dict[tuple[Any, ...], list[int]] = {}
    for at in range(len(component.ids)):
        sorts.setdefault(tuple(component.columns[field][at] for field in fields), []).append(at)
    if not fields or len(sorts) > limits.MAX_THING_ROWS:
        return
    key = f"components.{name}.sorts"
    rows = []
    for found in sorts.values():
        says = {f"components.{name}.rows.{component.ids[at]}" for at in found}
        values = [field_cell(t, component, field, found[0]) for field in fields]
        rows.append(w.table_row(f"{key}.{component.ids[found[0]]}", [*values, str(len(found))], covers=says))
    add_table(w, key, [*[_field(t, name, field) for field in fields], t.message("number")], rows)


def field_cell(t: Labels, component: ComponentDef, field: str, at: int) -> RichText:
    """What stands on a thing: signs with their numbers where there are signs."""
    found: list[TextRun] = []
    for text, sign, name in field_values(t, component.columns[field][at], component.field_types[field]):
        found.append(TextRun(" " if found else ""))
        found.append(TextRun(text if sign is not None and text else " ".join(one for one in (text, name) if one)))
        if sign is not None:
            found += [TextRun(" ")] * (not text)
            found.append(TextRun("", glyph=sign))
    return tuple(run for run in found if run.text or run.glyph) or (TextRun("–"),)


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


__all__ = [
    "add_components",
    "add_kinds",
    "add_table",
    "circled",
    "count_headers",
    "field_cell",
    "field_values",
    "starting_bags",
]

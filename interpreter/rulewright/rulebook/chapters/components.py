"""What there is: boards of squares, pieces with their glyphs and numbers, things with a picture of one and its fields.

In: a writer. Out: the chapter on components.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright import limits
from rulewright.engine.values import RuntimeValue, as_tuple
from rulewright.expr.types import SEAT, Bag, KindInfo, Member, SetOf
from rulewright.model.glyphs import member_glyphs
from rulewright.model.grid_lines import DIRECTIONS
from rulewright.model.rules import ComponentDef
from rulewright.rulebook.blocks import CardField, ComponentCard, FigureBlock, RichText, TableRow, TextRun, text_runs
from rulewright.rulebook.cards import circled_number
from rulewright.rulebook.component_values import field_cell, field_values, starting_bags
from rulewright.rulebook.writer import RulebookWriter
from rulewright.wording.labels import FIELD_HOLE, Labels
from rulewright.wording.text_case import upper_first


def add_components(writer: RulebookWriter) -> None:
    """Boards, pieces, things; and the kinds of which there are no pieces."""
    writer.add_chapter("components")
    _add_boards(writer)
    _add_pieces(writer)
    for name, component in writer.labels.rules.components.items():
        _add_component(writer, name, component)
    add_kinds(writer, has_numeric=not writer.labels.rules.parameters)


# ---- boards ---------------------------------------------------------------------------------------------------------


def _add_boards(writer: RulebookWriter) -> None:
    """Boards of squares: how large they are, what the squares are called, what counts as a line."""
    labels, rules = writer.labels, writer.labels.rules
    for name, info in rules.kinds.items():
        if not info.columns:
            continue
        address = f"kinds.{name}"
        sizes = {
            count: labels.message("grid", across=kinds[name].columns, down=_row_count(kinds[name]))
            for count in labels.counts
            if name in (kinds := labels.rules_for(count).kinds)
        }
        size = labels.phrases.join_list(list(dict.fromkeys(sizes.values())), "or")
        text: RichText = (TextRun(size + "."),)
        if len(set(sizes.values())) > 1:
            text = (*text, TextRun(f" ({labels.list_by_count(sizes)})", "em"))
        holes = {
            "first": info.members[0],
            "second": info.members[min(1, len(info.members) - 1)],
            "last": info.members[-1],
            "column": info.members[info.columns - 1][:1],
            "row": _row_count(info),
        }
        key = "grid_names" if info.columns > 1 else "grid_column"
        text = (*text, TextRun(" " + labels.message(key, **holes)))
        writer.add_heading(3, f"{address}.heading", labels.label(address), address, mentions={address})
        writer.add_text("paragraph", address, text, covers=_kind_addresses(info))
        writer.add_passages(address)
        for lines in rules.kinds.values():
            if lines.cell_kind == name:
                _add_lines(writer, lines, info)


def _add_lines(writer: RulebookWriter, lines: KindInfo, board: KindInfo) -> None:
    """What counts as a line of squares."""
    labels, address = writer.labels, f"kinds.{lines.name}"
    if not lines.lines:
        return
    example, lengths = lines.lines[0], [len(line) for line in lines.lines]
    length = str(min(lengths))
    if min(lengths) < max(lengths):
        length = labels.message("range", a=min(lengths), b=max(lengths))
    text = labels.message(
        "grid_lines",
        number=len(lines.lines),
        along=labels.phrases.join_list([labels.message(f"grid_along_{name}") for name in _directions(lines, board)]),
        length=length,
        first=board.members[example[0]],
        last=board.members[example[-1]],
    )
    if len(example) > 1 and example[::-1] in lines.lines:
        text += " " + labels.message("grid_both_ways")
    title = TextRun(upper_first(labels.label(address)), "strong")
    runs = (title, TextRun(f"{labels.message('colon')} {text}"))
    writer.add_text("item", address, runs, covers={address}, anchor=address)
    writer.add_passages(address, depth=1)


def _directions(lines: KindInfo, board: KindInfo) -> list[str]:
    """The directions that lines have, in the order of their declaration."""
    by_step = {1: "rows", board.columns: "columns"}
    steps = {abs(line[1] - line[0]) for line in lines.lines if len(line) > 1}
    if board.columns == 1:  # one below the other
        by_step = {1: "columns"}
    found = {by_step.get(step, "diagonals") for step in steps}
    return [direction for direction in DIRECTIONS if direction in found or not found]


def _row_count(board: KindInfo) -> int:
    return len(board.members) // board.columns


def _kind_addresses(info: KindInfo) -> set[str]:
    address = f"kinds.{info.name}"
    return {address, f"{address}.members", *(f"{address}.{member}" for member in info.members)}


# ---- pieces and kinds -----------------------------------------------------------------------------------------------


def _add_pieces(writer: RulebookWriter) -> None:
    """The pieces that zones hold, kind by kind; a kind that another such kind includes is part of that."""
    kinds = writer.labels.rules.kinds
    contents = [zone.content_type for zone in writer.labels.rules.zones.values()]
    in_zones = {content.kind for content in contents if isinstance(content, Member)}
    for kind in kinds:
        is_included = any(other != kind and kind in kinds[other].includes for other in in_zones)
        if kind in in_zones and kind != SEAT.kind and not is_included:
            _add_piece_kind(writer, kinds[kind])


def _add_piece_kind(writer: RulebookWriter, info: KindInfo) -> None:
    """The members of a kind, with how many pieces there are of each for each number of players."""
    labels, kinds, kind = writer.labels, writer.labels.rules.kinds, info.name
    totals = {count: _piece_totals(labels, count, kind) for count in labels.counts}
    included = sorted(info.includes)
    covers = {f"kinds.{kind}", *(f"kinds.{name}" for name in included if labels.has_sentence(f"kinds.{name}"))}
    writer.add_heading(3, f"kinds.{kind}", labels.label(f"kinds.{kind}"), f"kinds.{kind}", covers=covers)
    writer.add_passages(f"kinds.{kind}")
    for name in included:
        if name != kind:
            writer.add_passages(f"kinds.{name}")
    if not any(any(by_member.values()) for by_member in totals.values()):
        names = labels.phrases.join_list([labels.member_label(kind, member) for member in info.members])
        writer.add_text("paragraph", f"pieces.{kind}", names, covers={f"kinds.{kind}"})
        return
    glyphs = member_glyphs(labels.rules.display)
    rows = []
    for member in info.members:
        glyph = next((glyphs[f"{name}.{member}"] for name in included if f"{name}.{member}" in glyphs), None)
        owner = next((name for name in included if name != kind and member in kinds[name].members), kind)
        title: RichText = (TextRun(labels.member_label(kind, member)),)
        if glyph is not None:
            title = (TextRun("", glyph=glyph), TextRun(" "), *title)
        cells = [str(totals[count].get(member, 0)) for count in labels.counts]
        address = f"kinds.{owner}.{member}"
        rows.append(writer.table_row(address, [title, *cells], covers={address}))
    writer.add_table(f"pieces.{kind}", [labels.message("piece"), *writer.count_headers()], rows)


def _piece_totals(labels: Labels, count: int, kind: str) -> dict[str, int]:
    """How many pieces of each member of a family there are before play. `count`: the number of players."""
    rules = labels.rules_for(count)
    family = rules.kinds[kind].family
    names = rules.family_members[family]
    totals = dict.fromkeys(names, 0)
    for zone in rules.zones.values():
        if isinstance(zone.content_type, Member) and rules.kinds[zone.content_type.kind].family == family:
            for bag in starting_bags(labels, count, zone).values():
                for index, number in enumerate(bag):
                    totals[names[index]] += number
    return totals


def add_kinds(writer: RulebookWriter, *, has_numeric: bool) -> None:
    """The kinds of which there are no pieces, with their members. `has_numeric`: those of numbers too."""
    labels, kinds = writer.labels, writer.labels.rules.kinds
    covered = {address for block in writer.blocks for address in block.covers}
    included = {name for kind in kinds if f"kinds.{kind}" in covered for name in kinds[kind].includes}
    others = [
        info
        for name, info in kinds.items()
        if name not in (SEAT.kind, *included)
        and not info.cell_kind
        and not info.columns
        and (has_numeric or not info.is_numeric)
    ]
    if others:
        writer.add_text("label", "kinds", labels.message("told_apart"))
    for info in others:
        address = f"kinds.{info.name}"
        if len(info.members) <= limits.MAX_THING_ROWS:
            members = labels.phrases.join_list([labels.member_label(info.name, member) for member in info.members])
        else:
            members = labels.message("range", a=info.members[0], b=info.members[-1])
        title = TextRun(upper_first(labels.label(address)), "strong")
        text = (title, TextRun(f"{labels.message('colon')} {members}."))
        writer.add_text("item", address, text, covers=_kind_addresses(info), anchor=address)
        writer.add_passages(address, depth=1)


# ---- things ---------------------------------------------------------------------------------------------------------


def _add_component(writer: RulebookWriter, name: str, component: ComponentDef) -> None:
    """A component: how many there are, one as a picture with its fields, and all of them where that is short."""
    labels, address = writer.labels, f"components.{name}"
    writer.add_heading(3, address, labels.label(address), address, covers={address})
    writer.add_passages(address, roles=("",))
    writer.add_text("paragraph", f"{address}.number", _count_text(labels, component), covers={f"{address}.rows"})
    example = _card(labels, name, component)
    if example is not None:
        card, row, fields = example
        alt = labels.message("drawing", name=upper_first(labels.label(address)))
        writer.blocks.append(FigureBlock(f"{address}.figure", card, (TextRun(alt),), alt))
        for number, field in enumerate(fields, 1):
            _add_field(writer, component, field, number, row)
    else:
        for field in component.field_types:
            if labels.passages.get(f"{address}.fields.{field}"):
                _add_field(writer, component, field)
    if len(component.ids) <= limits.MAX_THING_ROWS:
        _add_things(writer, name, component)
    else:
        _add_distinct_things(writer, name, component)
    writer.add_passages(address, roles=("example", "note"))


def _count_text(labels: Labels, component: ComponentDef) -> str:
    """How many things there are, and how many with each value of the fields by which they are set up apart."""
    text = labels.message("in_all", number=len(component.ids))
    keys = component.initial_place.keys if component.initial_place is not None else ()
    for key in keys:
        field = getattr(key, "name", "")
        type_ = component.field_types.get(field)
        if not isinstance(type_, Member) or len(labels.rules.kinds[type_.kind].members) > limits.MAX_SORTING_MEMBERS:
            continue
        name = labels.label(f"components.{component.name}.fields.{field}").lower()
        counts = [
            labels.message(
                "sort",
                number=component.columns[field].count(value),
                field=name,
                value=labels.value_text(value, type_),
            )
            for value in labels.rules.kinds[type_.kind].member_values
        ]
        text += " " + labels.message("of_them", sorts=labels.phrases.join_list(counts))
    return text


def _card(labels: Labels, name: str, component: ComponentDef) -> tuple[ComponentCard, int, list[str]] | None:
    """The thing that shows most, as the game draws it; its row; its fields in the order of their numbers, from 1 on.

    None when the game does not draw such things.
    """
    things = labels.rules.display.get("things")
    display = things.get(name) if isinstance(things, Mapping) else None
    if not isinstance(display, Mapping) or not component.ids:
        return None
    row = max(range(len(component.ids)), key=lambda row: (_visible_content(component, row), -row))
    numbers: dict[str, int] = {}

    def part(field: str) -> CardField:
        number = numbers.setdefault(field, len(numbers) + 1)
        values = field_values(labels, component.columns[field][row], component.field_types[field])
        return CardField(number, _field_label(labels, name, field), values)

    def parts(sentence: object) -> tuple[CardField, ...]:
        fields = [hole[2] for hole in FIELD_HOLE.finditer(labels.localize(sentence))]
        return tuple(part(field) for field in fields if field in component.field_types)

    title = parts(display.get("title", ""))
    lines = tuple(
        parts(line["text"] if isinstance(line, Mapping) and "when" in line else line)
        for line in display.get("lines", [])
    )
    footer = tuple(part(field) for field in component.field_types if field not in numbers)
    title_glyph = next((value.glyph for part in title for value in part.values if value.glyph is not None), None)
    return ComponentCard(title, lines, footer, title_glyph), row, list(numbers)


def _visible_content(component: ComponentDef, row: int) -> int:
    """How much a thing shows: different members in bags, fields that are not empty."""
    score = 0
    for field, type_ in component.field_types.items():
        value = component.columns[field][row]
        if isinstance(type_, Bag):
            score += 10 * min(3, sum(1 for count in as_tuple(value) if count))
        elif isinstance(type_, SetOf):
            score += 10 * min(2, len(as_tuple(value)))
        else:
            score += 20 * bool(value)
    return score


def _field_label(labels: Labels, component: str, field: str) -> str:
    return upper_first(labels.label(f"components.{component}.fields.{field}"))


def _add_field(
    writer: RulebookWriter, component: ComponentDef, field: str, number: int | None = None, row: int = 0
) -> None:
    """A field in a list: what it is. Under a picture with its number there (from 1 on) and its value, that of a row."""
    labels = writer.labels
    address = f"components.{component.name}.fields.{field}"
    name = TextRun(_field_label(labels, component.name, field), "strong")
    text: RichText = (name,) if number is None else (TextRun(f"{circled_number(number)} "), name)
    covers = [address]
    for passage in labels.passages.get(address, ()):
        sentence = labels.find_sentence(passage.address)
        if sentence is not None and not passage.role:
            text = (*text, TextRun(labels.message("colon") + " "), *text_runs(sentence))
            covers += [passage.address, f"{passage.address}.title"]
    if number is not None:
        value = labels.value_text(component.columns[field][row], component.field_types[field])
        text = (*text, TextRun(" " + labels.message("in_the_picture", value=value), "em"))
    writer.add_text("item", address, text, covers=covers, anchor=address)


def _add_things(writer: RulebookWriter, name: str, component: ComponentDef) -> None:
    """Few things: a row for each."""
    labels, address = writer.labels, f"components.{name}"
    fields = list(component.field_types)
    rows: list[TableRow] = []
    for row, thing in enumerate(component.ids):
        title = upper_first(labels.thing_text(name, row))
        cells = [field_cell(labels, component, field, row) for field in fields]
        thing_address = f"{address}.rows.{thing}"
        rows.append(writer.table_row(thing_address, [title, *cells], covers={thing_address}))
    if rows:
        header = [labels.label(address), *(_field_label(labels, name, field) for field in fields)]
        writer.add_table(f"{address}.things", header, rows)


def _add_distinct_things(writer: RulebookWriter, name: str, component: ComponentDef) -> None:
    """Many things of which few differ: a row for each that differs, with how many there are of it."""
    labels, key = writer.labels, f"components.{name}.sorts"
    fields = list(component.field_types)
    rows_by_values: dict[tuple[RuntimeValue | None, ...], list[int]] = {}
    for row in range(len(component.ids)):
        rows_by_values.setdefault(tuple(component.columns[field][row] for field in fields), []).append(row)
    if not fields or len(rows_by_values) > limits.MAX_THING_ROWS:
        return
    table_rows = []
    for same in rows_by_values.values():
        covers = {f"components.{name}.rows.{component.ids[row]}" for row in same}
        cells = [field_cell(labels, component, field, same[0]) for field in fields]
        table_rows.append(writer.table_row(f"{key}.{component.ids[same[0]]}", [*cells, str(len(same))], covers=covers))
    header = [*(_field_label(labels, name, field) for field in fields), labels.message("number")]
    writer.add_table(key, header, table_rows)


__all__ = ["add_components", "add_kinds"]

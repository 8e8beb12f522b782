"""What is printed on things and what lies in places before play, as texts and glyphs.

In: labels, a component or a zone. Out: values of cards, cells of tables, contents of places.
"""

from __future__ import annotations

from itertools import product

from rulewright.engine.values import RuntimeValue, as_int, as_tuple
from rulewright.expr.types import SEAT, Bag, Member, Type
from rulewright.model.glyphs import Glyph, member_glyphs
from rulewright.model.rules import ComponentDef, Rules, ZoneDef
from rulewright.rulebook.blocks import CardValue, RichText, TextRun
from rulewright.wording.labels import Labels


def field_values(labels: Labels, value: RuntimeValue | None, type_: Type) -> tuple[CardValue, ...]:
    """What is printed on a thing for the value of a field: one entry for each member that a bag holds, else one."""
    rules = labels.rules
    match type_:
        case Bag(kind=kind):
            glyphs, names = glyphs_by_member(rules), rules.family_members[rules.kinds[kind].family]
            return tuple(
                CardValue(str(number), glyphs.get(names[index]), labels.family_member_label(names[index], number))
                for index, number in enumerate(as_tuple(value))
                if number
            )
        case Member(kind=kind) if kind != SEAT.kind and not rules.kinds[kind].is_numeric:
            info = rules.kinds[kind]
            member = info.members[info.member_values.index(as_int(value))]
            return (CardValue("", glyphs_by_member(rules).get(member), labels.member_label(kind, member)),)
        case _:
            return (CardValue(labels.value_text(value, type_)),)


def glyphs_by_member(rules: Rules) -> dict[str, Glyph]:
    """The glyphs that the display gives to members, by their id without the kind."""
    return {address.partition(".")[2]: glyph for address, glyph in member_glyphs(rules.display).items()}


def field_cell(labels: Labels, component: ComponentDef, field: str, row: int) -> RichText:
    """A field of a thing as the cell of a table: glyphs with their numbers where there are glyphs, else words."""
    runs: list[TextRun] = []
    for value in field_values(labels, component.columns[field][row], component.field_types[field]):
        runs.append(TextRun(" " if runs else ""))
        if value.glyph is None:
            runs.append(TextRun(value.words))
        else:
            runs.append(TextRun(value.text or f"{value.label} "))
            runs.append(TextRun("", glyph=value.glyph))
    return tuple(run for run in runs if run.text or run.glyph) or (TextRun("–"),)


def starting_bags(labels: Labels, count: int, zone: ZoneDef) -> dict[tuple[int, ...], tuple[int, ...]]:
    """The bag in each place of a zone before play, by the keys of the place; none where the rules give none.

    `count`: the number of players.
    """
    if zone.initial_content is None:
        return {}
    zone = labels.rules_for(count).zones[zone.name]
    assert zone.initial_content is not None
    content = zone.initial_content
    return {keys: as_tuple(labels.evaluate(content, count, keys) or ()) for keys in product(*zone.key_values)}


__all__ = ["field_cell", "field_values", "glyphs_by_member", "starting_bags"]

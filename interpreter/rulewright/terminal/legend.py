"""What the letters and shapes at the choices mean: `R▲ courier   H● heir`.

In: legal actions. Out: lines that name the members of every kind among the answers, and of what the things among them
show.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from rulewright.engine.state import DECLINE, Action
from rulewright.expr.types import Bag, Member, SetOf, Thing, Type
from rulewright.terminal.boxes import wrap_parts
from rulewright.terminal.theme import Theme


def legend(theme: Theme, legal: Sequence[Action], width: int) -> list[Text]:
    """A line or more for each kind of which members have letters; none when no letters occur."""
    lines, listed = list[Text](), set[str]()
    for kind in dict.fromkeys(_kinds(theme, legal)):
        names = [name for name in theme.rules.kinds[kind].members if name in theme.glyphs and name not in listed]
        listed.update(names)
        lines += wrap_parts([_entry(theme, kind, name) for name in names], width, Text("  "), "   ") if names else []
    return lines


def _entry(theme: Theme, kind: str, name: str) -> Text:
    return theme.render_glyph(name, shape=True) + Text(f" {theme.member_name(kind, name)}")


def _kinds(theme: Theme, legal: Sequence[Action]) -> Iterator[str]:
    for number in dict.fromkeys(action.number for action in legal if action.number != DECLINE.number):
        for choice in theme.rules.actions[number].choices:
            yield from _kinds_of(theme, choice.type)


def _kinds_of(theme: Theme, type_: Type | None) -> Iterator[str]:
    match type_:
        case Member(kind=kind) | Bag(kind=kind) if kind:
            yield kind
        case SetOf(element=of):
            yield from _kinds_of(theme, of)
        case Thing(component=component):
            for field in theme.rules.components[component].field_types.values():
                if not isinstance(field, Thing):
                    yield from _kinds_of(theme, field)


__all__ = ["legend"]

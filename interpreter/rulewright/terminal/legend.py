"""What the letters and shapes at the choices stand for: `R▲ courier   H● heir`.

In: legal actions. Out: lines that name the members of every kind among the answers, and of what the things among them
show.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from rulewright.engine.reference.legal_actions import DECLINE
from rulewright.engine.state import Action
from rulewright.expr.types import Bag, Member, SetOf, Thing, Type
from rulewright.terminal.boxes import flow
from rulewright.terminal.theme import Looks


def legend(looks: Looks, legal: Sequence[Action], width: int) -> list[Text]:
    """A line or more for each kind of which members have letters; none when no letters occur."""
    lines, told = list[Text](), set[str]()
    for kind in dict.fromkeys(_kinds(looks, legal)):
        signed = [name for name in looks.rules.kinds[kind].members if name in looks.signs and name not in told]
        told.update(signed)
        lines += flow([_entry(looks, kind, name) for name in signed], width, Text("  "), "   ") if signed else []
    return lines


def _entry(looks: Looks, kind: str, name: str) -> Text:
    return looks.sign(name, shape=True) + Text(f" {looks.name(kind, name)}")


def _kinds(looks: Looks, legal: Sequence[Action]) -> Iterator[str]:
    for number in dict.fromkeys(action.number for action in legal if action.number != DECLINE.number):
        for choice in looks.rules.actions[number].choices:
            yield from _kinds_of(looks, choice.type)


def _kinds_of(looks: Looks, type_: Type | None) -> Iterator[str]:
    match type_:
        case Member(kind=kind) | Bag(kind=kind) if kind:
            yield kind
        case SetOf(of=of):
            yield from _kinds_of(looks, of)
        case Thing(component=component):
            for field in looks.rules.components[component].fields.values():
                if not isinstance(field, Thing):
                    yield from _kinds_of(looks, field)


__all__ = ["legend"]

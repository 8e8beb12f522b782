"""How members and things are drawn: letters, shapes and colours as the game's table says, or their names where it says
nothing.

In: the rules and a language; for what things show, a position and who looks. Out: short texts for members, bags, things
and values, which carry their colours. A colour never stands alone: what has one has a letter or a name too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from rich.text import Text

from rulewright.engine.notation import Hides, Notation
from rulewright.engine.reference.reference_engine import Engine
from rulewright.engine.sentence_renderer import Speaker
from rulewright.engine.values import Context
from rulewright.expr.templates import Hole, Plural, Sentence
from rulewright.expr.tree import Constant
from rulewright.expr.types import Bag, Flag, Member, SetOf, Thing, Type
from rulewright.model.glyphs import COLOURS, is_bright
from rulewright.model.locale import ENGLISH
from rulewright.model.traversal import filled
from rulewright.terminal.terminal_messages import Words

SEAT: Final = "seat"

SHAPES: Final[Mapping[str, str]] = {
    "circle": "●",
    "square": "■",
    "lozenge": "◆",
    "triangle": "▲",
    "hexagon": "⌂",
    "star": "★",
    "drop": "▼",
    "ring": "○",
    "cross": "✚",
}


def style_of(colour: str) -> str:
    """A ground of that colour with letters that can be read on it; nothing for a colour that nobody knows."""
    code = COLOURS.get(colour, colour)
    if not re.fullmatch(r"#[0-9a-f]{6}", code):
        return ""
    return f"bold {'black' if is_bright(code) else 'white'} on {code}"


@dataclass(frozen=True, slots=True)
class Sign:
    """How a member is drawn: a letter and a shape (both may be empty), on a ground."""

    letter: str
    shape: str
    style: str


@dataclass(frozen=True, slots=True)
class Reading:
    """A position as somebody reads it. `reader`: the viewer's number; None: one who sees everything."""

    c: Context
    reader: int | None
    hides: Hides | None


class Looks:
    """The looks of one game in one language. `shapes`: whether signs beside letters can be shown."""

    def __init__(self, engine: Engine, code: str, *, shapes: bool = True) -> None:
        self.rules = engine.rules
        self.code = code
        self.words = Words(engine.rules, code)
        self.notation = Notation(engine.rules)
        self.speaker = Speaker(engine.rules, engine.evaluator, engine.layout.sight, code)
        self.evaluator = engine.evaluator
        self.signs: dict[str, Sign] = {}
        for address, look in self._table("members").items():
            kind, _, name = address.rpartition(".")
            if isinstance(look, dict) and "letter" in look and (kind == SEAT or not name.isdecimal()):
                shape = SHAPES.get(look.get("shape", ""), "") if shapes else ""
                self.signs[name] = Sign(look["letter"], shape, style_of(look.get("colour", "")))

    def _table(self, section: str) -> Mapping[str, Any]:
        found = self.rules.table.get(section, {})
        return found if isinstance(found, dict) else {}

    def said(self, sentence: Any, otherwise: str = "") -> str:
        """A sentence of the table in this language."""
        if isinstance(sentence, dict):
            sentence = sentence.get(self.code, sentence.get("en", otherwise))
        return str(sentence) if sentence else otherwise

    def state(self, name: str) -> str | None:
        """What the table calls a state; its name when it does not, None when it is not to be shown."""
        look = self._table("state").get(name, {})
        return self.said(look.get("title"), name.replace("_", " ")) if look.get("shown", True) else None

    def action(self, name: str) -> str:
        """What the table calls an action; nothing when it does not."""
        look = self._table("actions").get(name)
        return self.said(look.get("title")) if isinstance(look, dict) else ""

    # ---- values -------------------------------------------------------------------------------------------

    def sign(self, name: str, count: int | str = "", *, shape: bool = False) -> Text:
        """A member as it is drawn: its letter, with its number before and its shape behind it, if wanted."""
        sign = self.signs[name]
        return Text.assemble((f"{count}{sign.letter}{sign.shape if shape else ''}", sign.style))

    def bag(self, counts: Mapping[str, int], kind: str) -> Text:
        """A bag, short: `3R 1B` where all members have letters, else `3 red, 1 blue`."""
        if not counts:
            return Text("-")
        if all(name in self.signs for name in counts):
            return Text(" ").join(self.sign(name, count) for name, count in counts.items())
        return Text(", ".join(f"{count} {self.name(kind, name, count)}" for name, count in counts.items()))

    def name(self, kind: str, name: str, count: int = 1) -> str:
        """What a member is called."""
        info = self.rules.kinds[kind]
        if kind == SEAT:
            return f"{self.words('seat')} {name}"
        if info.numeric or name not in info.members:
            return name.replace("_", " ")
        return self.speaker.name(kind, info.numbers[info.members.index(name)], count)

    def pool(self, counts: Mapping[str, int], kind: str) -> list[Text]:
        """A pool with its names, so that signs are learnt: `4R■ red`, `2B● blue`; also where none is left."""
        members = self.rules.kinds[kind].members
        shown = [name for name in members if name in counts or name in self.signs]
        return [self._pooled(name, kind, counts.get(name, 0)) for name in shown] or [Text("-")]

    def _pooled(self, name: str, kind: str, count: int) -> Text:
        if name not in self.signs:
            return Text(f"{count} {self.name(kind, name, count)}")
        return self.sign(name, count, shape=True) + Text(f" {self.name(kind, name)}")

    def value(self, data: Any, type_: Type, *, brief: bool = False) -> Text:
        """JSON data of a value, short; `brief`: members by their signs alone."""
        match type_:
            case Bag(kind=kind) if isinstance(data, dict):
                return self.bag(data, kind)
            case Member(kind="seat") if not isinstance(data, bool):
                named = str(data)
                return self.sign(named, shape=True) if named in self.signs else Text(self.name(SEAT, named))
            case Member(kind=kind) if isinstance(data, str):
                if brief and data in self.signs:
                    return self.sign(data, shape=True)
                return Text(self.name(kind, data))
            case SetOf(of=Member(kind=kind)) if isinstance(data, list) and kind != "seat":
                return self._set([str(one) for one in data], kind)
            case SetOf() if isinstance(data, list):
                return Text(", ".join(map(str, data)) or "-")
            case Flag():
                return Text(self.words("yes" if data else "no"))
            case _:
                return Text(str(data))

    def _set(self, names: list[str], kind: str) -> Text:
        if names and all(name in self.signs for name in names):
            return Text(" ").join(self.sign(name) for name in names)
        return Text(", ".join(self.name(kind, name) for name in names) or "-")

    # ---- things -------------------------------------------------------------------------------------------

    def thing(self, component: str, thing: str, reading: Reading, *, brief: bool = False) -> tuple[Text, list[Text]]:
        """The heading and the lines of a thing, by its id."""
        look = self.rules.looks.get(component)
        definition = self.rules.components[component]
        if thing not in definition.ids:
            return Text(), []
        at = definition.ids.index(thing)
        called = self.speaker.thing(component, at)
        named = Text(called if called != thing else "")
        if look is None:
            return named, [
                Text(f"{name.replace('_', ' ')} ") + self._field(component, at, name, brief)
                for name in definition.fields
            ]
        its = Constant(at, Thing(component), (0, 0))
        return (
            self._filled(look.title, its, reading, brief) if look.title else named,
            [self._filled(line, its, reading, brief) for line in look.lines],
        )

    def _field(self, component: str, at: int, name: str, brief: bool) -> Text:
        definition = self.rules.components[component]
        type_ = definition.fields[name]
        return self.value(self.notation.data(definition.columns[name][at], type_), type_, brief=brief)

    def _filled(self, said: Mapping[str, Sentence], thing: Constant, reading: Reading, brief: bool) -> Text:
        sentence, found = said.get(self.code, said.get(ENGLISH)), Text()
        for part in sentence.parts if sentence is not None else ():
            if isinstance(part, str):
                found.append(part)
                continue
            expr = filled(part.expr, 0, thing)
            if reading.reader is not None and not self.speaker.may_read(expr, reading.c, reading.reader):
                found.append(self.words("hidden"))
                continue
            value = self.evaluator.run(expr)(reading.c)
            match part:
                case Plural(forms=forms):
                    found.append(self.speaker.form(forms, value))
                case Hole():
                    found.append_text(self._worked_out(value, expr.type, reading, brief))
        return found

    def _worked_out(self, value: Any, type_: Type, reading: Reading, brief: bool) -> Text:
        if isinstance(type_, Thing) or (isinstance(type_, SetOf) and isinstance(type_.of, Thing)):
            return Text(self.speaker.value(value, type_, reading.hides))
        return self.value(self.notation.data(value, type_), type_, brief=brief)

    def inline(self, component: str, thing: str, reading: Reading, *, brief: bool = True) -> Text:
        """A thing in one line: its id, and in brackets what it shows."""
        title, lines = self.thing(component, thing, reading, brief=brief)
        inside = joined(
            (part for part in (title, *lines) if part), " " if title and component in self.rules.looks else "; "
        )
        return Text(thing) + Text(" (") + inside + Text(")") if inside else Text(thing)


def joined(parts: Iterable[Text], between: str) -> Text:
    """Texts one after another."""
    return Text(between).join(parts)


__all__ = ["Looks", "Reading", "Sign", "joined", "style_of"]

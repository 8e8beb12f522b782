"""How members and things are drawn: letters, shapes and colours as the game's table says, or their names where it says
nothing.

In: the rules and a language; for what things show, a position and who looks. Out: short texts for members, bags, things
and values, which carry their colours. A colour never stands alone: what has one has a letter or a name too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rich.text import Text

from rulewright.engine.context import Context
from rulewright.engine.notation import HiddenTest, Notation
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.sentence_renderer import SentenceRenderer
from rulewright.engine.values import as_int
from rulewright.expr.templates import Hole, PluralHole, SentenceTemplate
from rulewright.expr.tree import Constant
from rulewright.expr.types import Bag, Flag, Member, SetOf, Thing, Type
from rulewright.expr.walk import substitute
from rulewright.model.glyphs import COLOUR_CODES, is_light
from rulewright.model.kinds import SEAT_KIND
from rulewright.model.locale import ENGLISH
from rulewright.model.rules import ZoneDef
from rulewright.terminal.zone_contents import seat_key_index
from rulewright.wording.messages import Messages

SHAPE_CHARS: Final[Mapping[str, str]] = {
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


def ground_style(colour: str) -> str:
    """A ground of that colour with letters that can be read on it; nothing for a colour that nobody knows."""
    code = COLOUR_CODES.get(colour, colour)
    if not re.fullmatch(r"#[0-9a-f]{6}", code):
        return ""
    return f"bold {'black' if is_light(code) else 'white'} on {code}"


@dataclass(frozen=True, slots=True)
class StyledGlyph:
    """How a member is drawn: a letter and a shape (both may be empty), on a ground."""

    letter: str
    shape: str
    style: str


@dataclass(frozen=True, slots=True)
class ReaderContext:
    """A position as somebody reads it. `reader`: the viewer's number; None: one who sees everything."""

    context: Context
    reader: int | None
    hides: HiddenTest | None


class Theme:
    """The looks of one game in one language. `shapes`: whether signs beside letters can be shown."""

    def __init__(self, engine: ReferenceEngine, code: str, *, shapes: bool = True) -> None:
        self.rules = engine.rules
        self.locale = code
        self.messages = Messages(engine.rules, code, "terminal")
        self.notation = Notation(engine.rules)
        self.sentences = SentenceRenderer(engine.rules, engine.compiler, engine.layout.visibility, code)
        self.evaluator = engine.compiler
        self.glyphs: dict[str, StyledGlyph] = {}
        for address, look in self._table("members").items():
            kind, _, name = address.rpartition(".")
            if isinstance(look, dict) and "letter" in look and (kind == SEAT_KIND or not name.isdecimal()):
                shape = SHAPE_CHARS.get(look.get("shape", ""), "") if shapes else ""
                self.glyphs[name] = StyledGlyph(look["letter"], shape, ground_style(look.get("colour", "")))

    def _table(self, section: str) -> Mapping[str, Any]:
        found = self.rules.display.get(section, {})
        return found if isinstance(found, dict) else {}

    def localize(self, sentence: Any, otherwise: str = "") -> str:
        """A sentence of the table in this language."""
        if isinstance(sentence, dict):
            sentence = sentence.get(self.locale, sentence.get("en", otherwise))
        return str(sentence) if sentence else otherwise

    def state_title(self, name: str) -> str | None:
        """What the table calls a state; its name when it does not, None when it is not to be shown."""
        look = self._table("state").get(name, {})
        return self.localize(look.get("title"), name.replace("_", " ")) if look.get("shown", True) else None

    def action_title(self, name: str) -> str:
        """What the table calls an action; nothing when it does not."""
        look = self._table("actions").get(name)
        return self.localize(look.get("title")) if isinstance(look, dict) else ""

    # ---- values -------------------------------------------------------------------------------------------

    def render_glyph(self, name: str, count: int | str = "", *, shape: bool = False) -> Text:
        """A member as it is drawn: its letter, with its number before and its shape behind it, if wanted."""
        sign = self.glyphs[name]
        return Text.assemble((f"{count}{sign.letter}{sign.shape if shape else ''}", sign.style))

    def render_bag(self, counts: Mapping[str, int], kind: str) -> Text:
        """A bag, short: `3R 1B` where all members have letters, else `3 red, 1 blue`."""
        if not counts:
            return Text("-")
        if all(name in self.glyphs for name in counts):
            return Text(" ").join(self.render_glyph(name, count) for name, count in counts.items())
        if kind == SEAT_KIND:
            parts = (
                self.messages("of", name=count, whose=self.member_name(kind, name)) for name, count in counts.items()
            )
            return Text(", ".join(parts))
        return Text(", ".join(f"{count} {self.member_name(kind, name, count)}" for name, count in counts.items()))

    def member_name(self, kind: str, name: str, count: int = 1) -> str:
        """What a member is called."""
        info = self.rules.kinds[kind]
        if kind == SEAT_KIND:
            return self.messages.player(int(name))
        if info.is_numeric or name not in info.members:
            return name.replace("_", " ")
        return self.sentences.member_name(kind, info.member_values[info.members.index(name)], count)

    def place_label(self, keys: Sequence[str], key_types: Sequence[Type]) -> str:
        """The keys of a place as people read them: `red.2`; a seat is a player, `red, player 1`."""
        if Member(SEAT_KIND) not in key_types:
            return ".".join(keys)
        return ", ".join(
            self.member_name(SEAT_KIND, key) if type_ == Member(SEAT_KIND) else key
            for key, type_ in zip(keys, key_types, strict=True)
        )

    def place_name(self, zone: ZoneDef, keys: Sequence[str]) -> str:
        """A place as people read it: `row.3`; a seat's is told as that of the player, `hand of player 1`."""
        at = seat_key_index(zone)
        if at is None:
            return ".".join((zone.name, *keys))
        name = ".".join((zone.name, *keys[:at], *keys[at + 1 :]))
        return self.messages("of", name=name, whose=self.member_name(SEAT_KIND, keys[at]))

    def render_pool(self, counts: Mapping[str, int], kind: str) -> list[Text]:
        """A pool with its names, so that signs are learnt: `4R■ red`, `2B● blue`; also where none is left."""
        members = self.rules.kinds[kind].members
        shown = [name for name in members if name in counts or name in self.glyphs]
        return [self._pooled(name, kind, counts.get(name, 0)) for name in shown] or [Text("-")]

    def _pooled(self, name: str, kind: str, count: int) -> Text:
        if name not in self.glyphs:
            return Text(f"{count} {self.member_name(kind, name, count)}")
        return self.render_glyph(name, count, shape=True) + Text(f" {self.member_name(kind, name)}")

    def render_value(self, data: Any, type_: Type, *, is_brief: bool = False) -> Text:
        """JSON data of a value, short; `brief`: members by their signs alone."""
        match type_:
            case Bag(kind=kind) if isinstance(data, dict):
                return self.render_bag(data, kind)
            case Member(kind="seat") if not isinstance(data, bool):
                named = str(data)
                return (
                    self.render_glyph(named, shape=True)
                    if named in self.glyphs
                    else Text(self.member_name(SEAT_KIND, named))
                )
            case Member(kind=kind) if isinstance(data, str):
                if is_brief and data in self.glyphs:
                    return self.render_glyph(data, shape=True)
                return Text(self.member_name(kind, data))
            case SetOf(element=Member(kind=kind)) if isinstance(data, list) and kind != "seat":
                return self._set([str(one) for one in data], kind)
            case SetOf(element=Member(kind="seat")) if isinstance(data, list):
                return Text(", ".join(map(self.messages.player, data)) or "-")
            case SetOf() if isinstance(data, list):
                return Text(", ".join(map(str, data)) or "-")
            case Flag():
                return Text(self.messages("yes" if data else "no"))
            case _:
                return Text(str(data))

    def _set(self, names: list[str], kind: str) -> Text:
        if names and all(name in self.glyphs for name in names):
            return Text(" ").join(self.render_glyph(name) for name in names)
        return Text(", ".join(self.member_name(kind, name) for name in names) or "-")

    # ---- things -------------------------------------------------------------------------------------------

    def render_thing(
        self, component: str, thing: str, reader: ReaderContext, *, brief: bool = False
    ) -> tuple[Text, list[Text]]:
        """The heading and the lines of a thing, by its id."""
        look = self.rules.thing_displays.get(component)
        definition = self.rules.components[component]
        if thing not in definition.ids:
            return Text(), []
        at = definition.ids.index(thing)
        called = self.sentences.thing_name(component, at)
        named = Text(called if called != thing else "")
        if look is None:
            return named, [
                Text(f"{name.replace('_', ' ')} ") + self._field(component, at, name, brief)
                for name in definition.field_types
            ]
        its = Constant(at, Thing(component), (0, 0))
        return (
            self._filled(look.titles, its, reader, brief) if look.titles else named,
            [self._filled(line, its, reader, brief) for line in look.lines],
        )

    def _field(self, component: str, at: int, name: str, brief: bool) -> Text:
        definition = self.rules.components[component]
        type_ = definition.field_types[name]
        return self.render_value(
            self.notation.value_to_data(definition.columns[name][at], type_), type_, is_brief=brief
        )

    def _filled(
        self, templates: Mapping[str, SentenceTemplate], thing: Constant, reading: ReaderContext, brief: bool
    ) -> Text:
        sentence, found = templates.get(self.locale, templates.get(ENGLISH)), Text()
        for part in sentence.parts if sentence is not None else ():
            if isinstance(part, str):
                found.append(part)
                continue
            expr = substitute(part.expr, 0, thing)
            if reading.reader is not None and not self.sentences.can_read(expr, reading.context, reading.reader):
                found.append(self.messages("hidden"))
                continue
            value = self.evaluator.compile(expr)(reading.context)
            match part:
                case PluralHole(forms=forms):
                    found.append(self.sentences.plural_form(forms, as_int(value)))
                case Hole():
                    found.append_text(self._worked_out(value, expr.type, reading, brief))
        return found

    def _worked_out(self, value: Any, type_: Type, reading: ReaderContext, brief: bool) -> Text:
        if isinstance(type_, Thing) or (isinstance(type_, SetOf) and isinstance(type_.element, Thing)):
            return Text(self.sentences.format_value(value, type_, reading.hides))
        return self.render_value(self.notation.value_to_data(value, type_), type_, is_brief=brief)

    def render_inline(self, component: str, thing: str, reader: ReaderContext, *, brief: bool = True) -> Text:
        """A thing in one line: its id, and in brackets what it shows."""
        title, lines = self.render_thing(component, thing, reader, brief=brief)
        inside = join_text(
            (part for part in (title, *lines) if part),
            " " if title and component in self.rules.thing_displays else "; ",
        )
        return Text(thing) + Text(" (") + inside + Text(")") if inside else Text(thing)


def join_text(parts: Iterable[Text], between: str) -> Text:
    """Texts one after another."""
    return Text(between).join(parts)


__all__ = ["ReaderContext", "StyledGlyph", "Theme", "ground_style", "join_text"]

"""How members and things are drawn: letters, shapes and colours as the game's display says, or their names where
it says nothing.

In: the rules and a language; for what things show, a position and its reader. Out: short texts for members, bags,
things and values, which carry their colours. A colour never stands alone: what has one has a letter or a name too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rich.text import Text

from rulewright.engine.context import Context
from rulewright.engine.interface import Engine
from rulewright.engine.notation import Notation
from rulewright.engine.sentence_renderer import SentenceRenderer
from rulewright.engine.value_notation import HiddenTest
from rulewright.engine.values import RuntimeValue, as_int
from rulewright.expr.sentence_template import Hole, PluralHole, SentenceTemplate
from rulewright.expr.tree import Constant, Expr
from rulewright.expr.types import SEAT, Bag, Flag, Member, SetOf, Thing, Type
from rulewright.expr.walk import substitute
from rulewright.frozen import frozen
from rulewright.model.glyphs import COLOUR_CODES, HEX_COLOUR, contrast_colour, drawn_member
from rulewright.model.locale import ENGLISH
from rulewright.model.rules import ZoneDef
from rulewright.terminal.zone_contents import seat_key_index
from rulewright.wording.messages import Messages
from rulewright.wording.text_case import lower_first

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
    """A ground of that colour with letters that can be read on it, whatever colours the terminal has around it; nothing
    for a colour that nobody knows.
    """
    code = COLOUR_CODES.get(colour, colour)
    return f"bold {contrast_colour(code)} on {code}" if HEX_COLOUR.fullmatch(code) else ""


@frozen
class StyledGlyph:
    """How a member is drawn: a letter and a shape (both may be empty), on a ground."""

    letter: str
    shape: str
    style: str


@frozen
class ReaderContext:
    """A position as somebody reads it. `reader`: the viewer's number; None: one who sees everything."""

    context: Context
    reader: int | None
    hides: HiddenTest | None


class Theme:
    """How one game is drawn in one language. `shapes`: whether shapes beside letters can be shown."""

    def __init__(self, engine: Engine, code: str, *, shapes: bool = True) -> None:
        self.rules = engine.rules
        self.locale = code
        self.messages = Messages(engine.rules, code, "terminal")
        self.notation = Notation(engine.rules)
        self.sentences = SentenceRenderer(engine.rules, engine.compiler, engine.layout.visibility, code)
        self.evaluator = engine.compiler
        self.glyphs: dict[str, StyledGlyph] = {}
        for address in self._section("members"):
            kind, name = drawn_member(address)
            entry = self._entry("members", address)
            if "letter" in entry and (kind == SEAT.kind or not name.isdecimal()):
                shape = SHAPE_CHARS.get(str(entry.get("shape", "")), "") if shapes else ""
                self.glyphs[name] = StyledGlyph(str(entry["letter"]), shape, ground_style(str(entry.get("colour", ""))))

    def _section(self, name: str) -> Mapping[str, object]:
        section = self.rules.display.get(name)
        return section if isinstance(section, Mapping) else {}

    def _entry(self, section: str, name: str) -> Mapping[str, object]:
        entry = self._section(section).get(name)
        return entry if isinstance(entry, Mapping) else {}

    def title(self, section: str, name: str) -> str:
        """What a zone, a value or a state is called; its name as words when it has no title."""
        address = self.rules.states[name].address if section == "state" else f"{section}.{name}"
        return self.sentences.title(address) or name.replace("_", " ")

    def state_shown(self, name: str) -> str:
        """When a state is shown: `always`, `never`, or `changed`, where it is not what it was at the start."""
        return str(self._entry("state", name).get("shown", "changed"))

    def action_title(self, name: str) -> str:
        """What an action is called, as within a sentence; empty when it has no title."""
        return lower_first(self.sentences.title(f"actions.{name}"))

    # ---- values -------------------------------------------------------------------------------------------

    def render_glyph(self, name: str, count: int | str = "", *, shape: bool = False) -> Text:
        """A member as it is drawn: its letter, with its number before and its shape behind it, if wanted."""
        glyph = self.glyphs[name]
        return Text.assemble((f"{count}{glyph.letter}{glyph.shape if shape else ''}", glyph.style))

    def render_bag(self, counts: Mapping[str, int], kind: str) -> Text:
        """A bag, short: `3R 1B` where all members have letters, else `3 red, 1 blue`."""
        if not counts:
            return Text("-")
        if all(name in self.glyphs for name in counts):
            return Text(" ").join(self.render_glyph(name, count) for name, count in counts.items())
        if kind == SEAT.kind:
            parts = (
                self.messages("of", name=count, whose=self.member_name(kind, name)) for name, count in counts.items()
            )
            return Text(", ".join(parts))
        return Text(", ".join(f"{count} {self.member_name(kind, name, count)}" for name, count in counts.items()))

    def member_name(self, kind: str, name: str, count: int = 1) -> str:
        """What a member is called."""
        info = self.rules.kinds[kind]
        if kind == SEAT.kind:
            return self.messages.player(int(name))
        if info.is_numeric or name not in info.members:
            return name.replace("_", " ")
        return self.sentences.member_name(kind, info.member_values[info.members.index(name)], count)

    def place_label(self, keys: Sequence[str], key_types: Sequence[Type]) -> str:
        """The keys of a place as people read them: `red.2`; a seat is a player, `red, player 1`."""
        is_player = [
            isinstance(type_, Member) and self.rules.kinds[type_.kind].is_player(key)
            for key, type_ in zip(keys, key_types, strict=True)
        ]
        if not any(is_player):
            return ".".join(keys)
        return ", ".join(
            self.member_name(SEAT.kind, key) if is_one else key for key, is_one in zip(keys, is_player, strict=True)
        )

    def place_name(self, zone: ZoneDef, keys: Sequence[str]) -> str:
        """A place as people read it: `row.3`; a seat's is that of the player, `hand of player 1`."""
        index = seat_key_index(zone)
        if index is None:
            return ".".join((zone.name, *keys))
        name = ".".join((zone.name, *keys[:index], *keys[index + 1 :]))
        return self.messages("of", name=name, whose=self.member_name(SEAT.kind, keys[index]))

    def render_pool(self, counts: Mapping[str, int], kind: str) -> list[Text]:
        """A pool with its names, so that letters are learnt: `4R■ red`, `2B● blue`; also where none is left."""
        members = self.rules.kinds[kind].members
        shown = [name for name in members if name in counts or name in self.glyphs]
        return [self._render_pool_member(name, kind, counts.get(name, 0)) for name in shown] or [Text("-")]

    def _render_pool_member(self, name: str, kind: str, count: int) -> Text:
        if name not in self.glyphs:
            return Text(f"{count} {self.member_name(kind, name, count)}")
        return self.render_glyph(name, count, shape=True) + Text(f" {self.member_name(kind, name)}")

    def render_value(self, data: object, type_: Type, *, is_brief: bool = False) -> Text:
        """JSON data of a value, short; `is_brief`: members by their letters alone."""
        match type_:
            case Bag(kind=kind) if isinstance(data, dict):
                return self.render_bag(data, kind)
            case Member(kind=SEAT.kind) if not isinstance(data, bool):
                seat = str(data)
                if seat in self.glyphs:
                    return self.render_glyph(seat, shape=True)
                return Text(self.member_name(SEAT.kind, seat))
            case Member(kind=kind) if isinstance(data, str):
                if is_brief and data in self.glyphs:
                    return self.render_glyph(data, shape=True)
                return Text(self.member_name(kind, data))
            case SetOf(element=Member(kind=kind)) if isinstance(data, list) and kind != SEAT.kind:
                return self._render_set(list(map(str, data)), kind)
            case SetOf(element=Member(kind=SEAT.kind)) if isinstance(data, list):
                return Text(", ".join(map(self.messages.player, data)) or "-")
            case SetOf() if isinstance(data, list):
                return Text(", ".join(map(str, data)) or "-")
            case Flag():
                return Text(self.messages("yes" if data else "no"))
            case _:
                return Text(str(data))

    def _render_set(self, names: list[str], kind: str) -> Text:
        if names and all(name in self.glyphs for name in names):
            return Text(" ").join(self.render_glyph(name) for name in names)
        return Text(", ".join(self.member_name(kind, name) for name in names) or "-")

    # ---- things -------------------------------------------------------------------------------------------

    def render_thing(
        self, component: str, thing: str, reader: ReaderContext, *, brief: bool = False
    ) -> tuple[Text, list[Text]]:
        """The heading and the lines of a thing, by its id."""
        definition = self.rules.components[component]
        if thing not in definition.ids:
            return Text(), []
        index = definition.ids.index(thing)
        thing_name = self.sentences.thing_name(component, index)
        title = Text(thing_name if thing_name != thing else "")
        display = self.rules.thing_displays.get(component)
        if display is None:
            return title, [
                Text(f"{name.replace('_', ' ')} ") + self._render_field(component, index, name, brief)
                for name in definition.field_types
            ]
        constant = Constant(index, Thing(component), (0, 0))
        return (
            self._fill_template(display.titles, constant, reader, brief) if display.titles else title,
            [
                self._fill_template(line.texts, constant, reader, brief)
                for line in display.lines
                if line.when is None or self._holds(line.when, constant, reader)
            ],
        )

    def _render_field(self, component: str, index: int, name: str, brief: bool) -> Text:
        definition = self.rules.components[component]
        type_ = definition.field_types[name]
        data = self.notation.value_to_data(definition.columns[name][index], type_)
        return self.render_value(data, type_, is_brief=brief)

    def _holds(self, condition: Expr, thing: Constant, reader: ReaderContext) -> bool:
        """Whether a condition holds of a thing, as far as the reader may know: what is hidden does not."""
        expr = substitute(condition, 0, thing)
        if reader.reader is not None and not self.sentences.can_read(expr, reader.context, reader.reader):
            return False
        return bool(self.evaluator.compile(expr)(reader.context))

    def _fill_template(
        self, templates: Mapping[str, SentenceTemplate], thing: Constant, reader: ReaderContext, brief: bool
    ) -> Text:
        """What a thing shows, from the template in this language."""
        template, text = templates.get(self.locale, templates.get(ENGLISH)), Text()
        for part in template.parts if template is not None else ():
            if isinstance(part, str):
                text.append(part)
                continue
            expr = substitute(part.expr, 0, thing)
            if reader.reader is not None and not self.sentences.can_read(expr, reader.context, reader.reader):
                text.append(self.messages("hidden"))
                continue
            value = self.evaluator.compile(expr)(reader.context)
            match part:
                case PluralHole(forms=forms):
                    text.append(self.sentences.plural_form(forms, as_int(value)))
                case Hole():
                    text.append_text(self._render_result(value, expr.type, reader, brief))
        return text

    def _render_result(self, value: RuntimeValue, type_: Type, reader: ReaderContext, brief: bool) -> Text:
        """The value of an expression."""
        if isinstance(type_, Thing) or (isinstance(type_, SetOf) and isinstance(type_.element, Thing)):
            return Text(self.sentences.format_value(value, type_, reader.hides))
        return self.render_value(self.notation.value_to_data(value, type_), type_, is_brief=brief)

    def render_inline(self, component: str, thing: str, reader: ReaderContext, *, brief: bool = True) -> Text:
        """A thing in one line: its id, and in brackets what it shows."""
        title, lines = self.render_thing(component, thing, reader, brief=brief)
        between = Text(" " if title and component in self.rules.thing_displays else "; ")
        inside = between.join(part for part in (title, *lines) if part)
        return Text(thing) + Text(" (") + inside + Text(")") if inside else Text(thing)


__all__ = ["ReaderContext", "StyledGlyph", "Theme", "ground_style"]

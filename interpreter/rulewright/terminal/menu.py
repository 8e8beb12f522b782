"""What a player can choose from: every action under its own heading, its answers numbered in columns; what has no room
is opened by its number, choice by choice or piece by piece.

In: legal actions and a number of lines. Out: lines, and for every number the actions that it stands for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any, Final

from rich.text import Text

from rulewright import limits
from rulewright.engine.state import DECLINE, Action, State
from rulewright.engine.values import as_int, as_tuple
from rulewright.expr.templates import SentenceTemplate
from rulewright.expr.types import Bag, Member, Number, SetOf, Thing, Type
from rulewright.expr.walk import required_slots
from rulewright.session.typed_words import normalize
from rulewright.terminal.board import Board
from rulewright.terminal.boxes import FAINT_STYLE, MARK_STYLE, Marks, pad, wrap_line
from rulewright.terminal.screen import to_ascii

MAX_HEADING_WIDTH: Final = 20  # characters; a longer name stands on a line of its own
Pieces = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """A number of a menu and the actions it stands for. `picked`: the pieces that are chosen for the open bag."""

    label: Text
    actions: tuple[Action, ...]
    pieces: Pieces | None = None


@dataclass(frozen=True, slots=True)
class Menu:
    """What is listed: lines to show, and the options by their numbers, from 1."""

    lines: tuple[Text, ...]
    options: tuple[Option, ...]


@dataclass(slots=True)
class _Group:
    """An action with its answers; closed, it has one number for all of them."""

    number: int
    name: str
    mark: str
    actions: tuple[Action, ...]
    options: tuple[Option, ...]
    wide: int = MAX_HEADING_WIDTH  # of the headings of the menu
    open: bool = False
    sentence: str = ""  # its sentence, where there is room


class MenuBuilder:
    """Menus of one game in one language."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.rules = board.rules
        self.theme = board.theme
        self.messages = board.messages
        self.notation = board.theme.notation
        self.sentences = board.theme.sentences
        self.reader = -1  # the seat that the last listing was for
        self._named = True  # and whether it has room for names

    # ---- marks --------------------------------------------------------------------------------------------

    def action_letters(self, actions: Sequence[Action]) -> dict[int, str]:
        """A letter for each action in which things can be chosen: the first of its name that no other has."""
        found: dict[int, str] = {}
        for number in dict.fromkeys(action.number for action in actions if any(self._things(action))):
            letters = [one for one in to_ascii(self.action_name(number)).lower() + ascii_lowercase if one.isalpha()]
            found[number] = next((one for one in letters if one not in found.values()), "*")
        return found

    def _marked(self, actions: Sequence[Action], letters: Mapping[int, str]) -> dict[str, str]:
        """For each thing that is an answer in an action the letters of those actions."""
        found: dict[str, str] = {}
        for action in actions:
            for thing in self._things(action):
                if letters[action.number] not in found.get(thing, ""):
                    found[thing] = found.get(thing, "") + letters[action.number]
        return found

    def marks(self, actions: Sequence[Action]) -> Marks:
        """What is written at things: the letters of the actions in which they are answers. Faint are those that stand
        at every such thing and so tell none from another.
        """
        letters = self.action_letters(actions)
        found = self._marked(actions, letters)
        common = _common(letters, found)
        return {
            thing: Text.assemble(*((letter, FAINT_STYLE if letter in common else MARK_STYLE) for letter in marks))
            for thing, marks in found.items()
        }

    def action_name(self, number: int) -> str:
        """What an action is called: as the game's table says, or by its id."""
        if number == DECLINE.number:
            return self.messages("decline")
        name = self.rules.actions[number].name
        return self.theme.action_title(name) or name

    def _things(self, action: Action) -> Iterable[str]:
        if action == DECLINE:
            return
        for value, choice in zip(action.values, self.rules.actions[action.number].choices, strict=False):
            match choice.type:
                case Thing(component=component):
                    yield self.rules.components[component].ids[as_int(value)]
                case SetOf(element=Thing(component=component)):
                    yield from (self.rules.components[component].ids[one] for one in as_tuple(value))

    # ---- listing ------------------------------------------------------------------------------------------

    def build(
        self,
        state: State,
        actions: Sequence[Action],
        width: int,
        max_lines: int,
        pieces: Pieces | None = None,
        *,
        with_sentences: bool = False,
        with_names: bool = True,
    ) -> Menu:
        """Actions in so many lines, if that can be: the shortest groups open, the others behind a number each; with
        what each action does where there is room for that too, unless it is to be `plain`. `named`: things with the
        names that they have beside their ids.
        """
        self.reader, self._named = state.acting_seat, with_names
        asked, max_lines = max_lines, max(max_lines, limits.MIN_MENU_LINES)
        letters = self.action_letters(actions)
        groups: dict[int, _Group] = {}
        for action in actions:
            group = groups.setdefault(
                action.number,
                _Group(action.number, self.action_name(action.number), letters.get(action.number, ""), (), ()),
            )
            group.actions += (action,)
            label = self._label(action) or Text(self.action_sentence(state, action.number), "dim")
            group.options += (Option(label, (action,)),)
        all_ = list(groups.values())
        for group in all_:
            group.wide = min(MAX_HEADING_WIDTH, max(len(one.name) for one in all_))
        if len(all_) == 1 and len(self._drawn(all_[0], width, 0)) > max_lines:
            all_[0].options = self._cut(state, all_[0].actions, pieces)
            all_[0].open = True
        common = _common(letters, self._marked(actions, letters))
        for group in sorted(all_, key=lambda one: (one.mark in common, len(self._drawn(one, width, 0)))):
            group.open = True
            if len(all_) > 1 and sum(len(self._lines(one, width, 0)) for one in all_) > max_lines:
                group.open = False
        lines, options = list[Text](), list[Option]()
        for group in all_:
            lines += self._lines(group, width, len(options))
            options += group.options if group.open else [Option(Text(group.name), group.actions)]
        if not with_sentences and all(group.open for group in all_):
            for group in all_:
                group.sentence = (
                    self.action_sentence(state, group.number) if any(self._label(one) for one in group.actions) else ""
                )
            if sum(len(self._lines(group, width, 0)) for group in all_) <= asked:
                lines, at = [], 0
                for group in all_:
                    lines += self._lines(group, width, at)
                    at += len(group.options)
        return Menu(tuple(lines), tuple(options))

    def _lines(self, group: _Group, width: int, before: int) -> list[Text]:
        if group.open or len(group.options) == 1:
            group.open = True
            return self._drawn(group, width, before)
        first = self._heading(group)
        at = self._differ(group.actions)
        shown = list(dict.fromkeys(self._value(action, at).plain for action in group.actions))
        line = Text.assemble(
            first, (f"{before + 1:>2} ", "bold"), self.messages("ways", number=len(group.actions)), ": "
        )
        while shown and len(line) + len(shown[0]) + 3 <= width:
            line.append(f"{shown.pop(0)}{', ' if shown else ''}")
        return [Text.assemble(line, "…") if shown else line]

    def _heading(self, group: _Group) -> Text:
        mark = (group.mark, MARK_STYLE) if group.mark else " "
        return Text.assemble(mark, " ", (group.name.ljust(group.wide), "bold"), "  ")

    def _drawn(self, group: _Group, width: int, before: int) -> list[Text]:
        """The open group: its heading, and its answers in columns beside it."""
        first = self._heading(group)
        lines = list[Text]()
        left = group.wide + 4
        if len(first) > left:
            lines.append(first)
            first = Text(" " * left)
        if group.sentence:
            head, *rest = wrap_line(Text(group.sentence, "dim"), width - left)
            lines += [Text.assemble(first, head), *(Text.assemble(" " * left, more) for more in rest)]
            first = Text(" " * left)
        most = len(str(before + len(group.options)))
        cells = [
            Text.assemble((f"{number:>{max(2, most)}} ", "bold"), option.label)
            for number, option in enumerate(group.options, start=before + 1)
        ]
        wide = max(map(len, cells)) + 2
        columns = max(1, (width - left + 2) // wide)
        if columns == 1 or len(cells) == 1:
            for cell in cells:
                head, *rest = wrap_line(cell, max(20, width - left - 3))
                lines += [first + head, *(Text(" " * (left + 3)) + more for more in rest)]
                first = Text(" " * left)
            return lines
        for at in range(0, len(cells), columns):
            line = first + Text().join([pad(cell, wide) for cell in cells[at : at + columns]])
            line.rstrip()
            lines.append(line)
            first = Text(" " * left)
        return lines

    # ---- what an option says ------------------------------------------------------------------------------

    def _label(self, action: Action) -> Text:
        if action == DECLINE:
            return Text()
        choices = self.rules.actions[action.number].choices
        parts = []
        for value, choice in zip(action.values, choices, strict=False):
            named = self._bare(choice.type) or (len(choices) > 1 and not isinstance(choice.type, Thing | Bag | SetOf))
            text = self.render_answer(value, choice.type)
            parts.append(Text.assemble((f"{choice.name}=", "dim"), text) if named else text)
        if action.token is not None:
            parts.append(Text(self.notation.format_token(choices[len(action.values)], action.token)))
        return Text(", ").join(parts)

    def _bare(self, type_: Type) -> bool:
        """Whether an answer is a mere number, which would not be told from the number of the option."""
        return isinstance(type_, Number) or (isinstance(type_, Member) and self.rules.kinds[type_.kind].is_numeric)

    def render_answer(self, value: Any, type_: Type) -> Text:
        """An answer, short: by its signs where it has some, else as it is written."""
        data = self.notation.value_to_data(value, type_)
        match type_:
            case Bag() | SetOf() if not data:
                return Text(self.messages("nothing"))
            case Bag(kind=kind) if all(name in self.theme.glyphs for name in data):
                return self.theme.render_bag(data, kind)
            case SetOf(element=Member()) if all(name in self.theme.glyphs for name in data):
                return Text(" ").join(self.theme.render_glyph(name) for name in data)
            case Member() if data in self.theme.glyphs:
                return self.theme.render_glyph(data, shape=True)
            case Member(kind="seat"):
                return self._seat(value)
            case Thing(component=component):
                called = self.sentences.thing_name(component, value)
                # a name that only goes on from the id says nothing by which to tell it from others
                more = f" ({called})" if self._named and not normalize(called).startswith(normalize(data)) else ""
                return Text(data) + Text(more, "dim")
            case SetOf(element=Member(kind="seat")):
                return Text(", ").join(self._seat(one) for one in as_tuple(value))
            case _:
                return Text(self.notation.format_value(value, type_))

    def short_answer_text(self, value: Any, type_: Type) -> str:
        """An answer as it is shown, by its letters where it has some."""
        return self.render_answer(value, type_).plain

    def answer_text(self, value: Any, type_: Type) -> str:
        """An answer as one would type it in full: names rather than signs."""
        if type_ == Member("seat"):
            return self._seat(value).plain
        return self.notation.format_value(value, type_)

    def _seat(self, seat: int) -> Text:
        if str(seat) in self.theme.glyphs:
            return self.theme.render_glyph(str(seat), shape=True)
        return Text(self.messages("you") if seat == self.reader else self.messages.player(seat))

    def _value(self, action: Action, at: int) -> Text:
        if at < len(action.values):
            return self.render_answer(action.values[at], self.rules.actions[action.number].choices[at].type)
        return self._label(action)

    def action_sentence(self, state: State, number: int) -> str:
        """What an action's own sentence says, unless it speaks of choices that are not made yet."""
        if number == DECLINE.number:
            return self.messages("declining")
        address = self.rules.actions[number].address
        sentence = self.sentences.find_sentence(address)
        if sentence is None or has_open_slots(sentence):
            return ""
        seat = max(state.acting_seat, 0)
        hides = self.board.views.hidden_test(state, seat)
        return self.sentences.render_at(address, self.board.engine.context(state), seat, hides)

    # ---- choice by choice, piece by piece -----------------------------------------------------------------

    def _differ(self, actions: Sequence[Action]) -> int:
        """The first choice in which actions of one sort differ."""
        made = len(actions[0].values)
        return next((at for at in range(made) if len({action.values[at] for action in actions}) > 1), made)

    def _cut(self, state: State, actions: Sequence[Action], picked: Pieces | None) -> tuple[Option, ...]:
        """Actions of one sort by what they differ in first: its answers, or the next piece of a bag."""
        at = self._differ(actions)
        if at >= len(actions[0].values):
            return tuple(Option(self._label(action), (action,)) for action in actions)
        choice = self.rules.actions[actions[0].number].choices[at]
        if isinstance(choice.type, Bag | SetOf):
            return self._pieces(actions, at, choice.type, picked or ())
        groups: dict[Any, list[Action]] = {}
        for action in actions:
            groups.setdefault(action.values[at], []).append(action)
        found = []
        for value, some in groups.items():
            label = self.render_answer(value, choice.type)
            if isinstance(choice.type, Thing):
                reading = self.board.reader_context(state, state.acting_seat)
                label = self.theme.render_inline(choice.type.component, self.answer_text(value, choice.type), reading)
            ways = Text.assemble((f"  {self.messages('ways', number=len(some))}", "dim")) if len(some) > 1 else Text()
            found.append(Option(label + ways, tuple(some)))
        return tuple(found)

    def _pieces(self, actions: Sequence[Action], at: int, type_: Bag | SetOf, picked: Pieces) -> tuple[Option, ...]:
        """The next piece; and the pieces as they are, where they are an answer already."""
        found = []
        for action in actions:
            if _same(as_tuple(action.values[at]), picked, type_):
                label = Text.assemble(self.messages("enough"), " ", self.render_answer(action.values[at], type_))
                found.append(Option(label, tuple(one for one in actions if one.values[at] == action.values[at])))
                break
        pieces: dict[int, list[Action]] = {}
        for action in actions:
            for piece in _left(as_tuple(action.values[at]), picked, type_):
                pieces.setdefault(piece, []).append(action)
        for piece in sorted(pieces):
            label = Text.assemble("+", self._piece(piece, type_))
            found.append(
                Option(label, tuple(pieces[piece]), _with(piece, picked, as_tuple(actions[0].values[at]), type_))
            )
        return tuple(found)

    def with_piece(
        self, actions: Sequence[Action], typed: str, pieces: Pieces | None
    ) -> tuple[tuple[Action, ...], Pieces | None]:
        """Those of some actions that hold the typed piece beside the chosen ones, and the pieces with it."""
        matches, chosen = dict[Action, None](), pieces
        for action in actions:
            for value, choice in zip(action.values, self.rules.actions[action.number].choices, strict=False):
                if not isinstance(choice.type, Bag | SetOf):
                    continue
                for piece in _left(as_tuple(value), pieces or (), choice.type):
                    if self._is_called(piece, choice.type, typed):
                        matches[action] = None
                        chosen = _with(piece, pieces or (), as_tuple(value), choice.type)
                        break
        is_same_action = len({action.number for action in matches}) == 1
        return tuple(matches), chosen if is_same_action else None

    def _is_called(self, piece: int, type_: Bag | SetOf, typed: str) -> bool:
        wanted = typed.strip()
        name = (
            self.notation.bag_member_ids(type_.kind)[piece]
            if isinstance(type_, Bag)
            else ""
            if type_.element is None
            else self.notation.format_value(piece, type_.element)
        )
        sign = self.theme.glyphs.get(name)
        if sign is not None and wanted == sign.letter:
            return True
        kind = type_.kind if isinstance(type_, Bag) else getattr(type_.element, "kind", "")
        names = {name, self.theme.member_name(kind, name)} if kind else {name}
        return bool(wanted) and any(one.lower().startswith(wanted.lower()) for one in names)

    def _piece(self, piece: int, type_: Bag | SetOf) -> Text:
        if isinstance(type_, SetOf):
            assert type_.element is not None
            return self.render_answer(piece, type_.element)
        name = self.notation.bag_member_ids(type_.kind)[piece]
        return self.theme.render_glyph(name, shape=True) if name in self.theme.glyphs else Text(name)


def _common(letters: Mapping[int, str], marks: Mapping[str, str]) -> set[str]:
    """The letters that stand at every thing that has any."""
    return set(letters.values()).intersection(*marks.values()) if len(letters) > 1 else set()


def _left(value: Pieces, picked: Pieces, type_: Bag | SetOf) -> Iterable[int]:
    """What more than the picked pieces is in an answer."""
    if isinstance(type_, SetOf):
        return [one for one in value if one not in picked]
    return [at for at, count in enumerate(value) if count > (picked[at] if picked else 0)]


def _same(value: Pieces, picked: Pieces, type_: Bag | SetOf) -> bool:
    if isinstance(type_, SetOf):
        return sorted(value) == sorted(picked)
    return value == picked if picked else not any(value)


def _with(piece: int, picked: Pieces, like: Pieces, type_: Bag | SetOf) -> Pieces:
    if isinstance(type_, SetOf):
        return (*picked, piece)
    counts = list(picked or (0,) * len(like))
    counts[piece] += 1
    return tuple(counts)


def has_open_slots(sentence: SentenceTemplate) -> bool:
    """Whether a sentence speaks of choices, or of keys, that have no value yet."""
    return any(not isinstance(part, str) and required_slots(part.expr) for part in sentence.parts)


__all__ = ["Menu", "MenuBuilder", "Option", "has_open_slots"]

"""What actions and their answers are called on the screen: names, letters, sentences, short answers.

In: actions and values of choices; for answers, who reads them. Out: short texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import ascii_lowercase

from rich.text import Text

from rulewright.engine.notation import is_left_out
from rulewright.engine.state import DECLINE, Action, State
from rulewright.engine.values import RuntimeValue, as_int, as_tuple
from rulewright.expr.sentence_template import SentenceTemplate
from rulewright.expr.types import SEAT, Bag, Member, Number, SetOf, Thing, Type
from rulewright.expr.walk import required_slots
from rulewright.session.typed_words import normalize
from rulewright.terminal.board import Board
from rulewright.terminal.boxes import FAINT_STYLE, MARK_STYLE, Marks
from rulewright.terminal.readable_notation import readable_answer
from rulewright.terminal.screen import to_ascii
from rulewright.terminal.theme import Theme


class ActionLabels:
    """The names, letters and sentences of the actions of one game in one language."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.rules = board.rules
        self.theme = board.theme
        self.messages = board.messages

    def name(self, number: int) -> str:
        """What an action is called: its title in the display, or its id."""
        if number == DECLINE.number:
            return self.messages("decline")
        action_id = self.rules.actions[number].name
        return self.theme.action_title(action_id) or action_id

    def letters(self, actions: Sequence[Action]) -> dict[int, str]:
        """A letter for each action in which things can be chosen: the first of its name that no other has."""
        letters: dict[int, str] = {}
        for number in dict.fromkeys(action.number for action in actions if any(self._things(action))):
            candidates = filter(str.isalpha, to_ascii(self.name(number)).lower() + ascii_lowercase)
            letters[number] = next((letter for letter in candidates if letter not in letters.values()), "*")
        return letters

    def thing_letters(self, actions: Sequence[Action]) -> dict[str, str]:
        """For each thing that is an answer in an action the letters of those actions."""
        action_letters = self.letters(actions)
        thing_letters: dict[str, str] = {}
        for action in actions:
            for thing in self._things(action):
                if action_letters[action.number] not in thing_letters.get(thing, ""):
                    thing_letters[thing] = thing_letters.get(thing, "") + action_letters[action.number]
        return thing_letters

    def common_letters(self, actions: Sequence[Action]) -> set[str]:
        """Of several letters those that are written at every thing that has any, and so tell none from another."""
        letters = set(self.letters(actions).values())
        return letters.intersection(*self.thing_letters(actions).values()) if len(letters) > 1 else set()

    def marks(self, actions: Sequence[Action]) -> Marks:
        """What is written at things: the letters of the actions in which they are answers; common ones are faint."""
        common = self.common_letters(actions)
        return {
            thing: Text.assemble(*((letter, FAINT_STYLE if letter in common else MARK_STYLE) for letter in letters))
            for thing, letters in self.thing_letters(actions).items()
        }

    def _things(self, action: Action) -> Iterator[str]:
        """The things among the answers of an action."""
        if action == DECLINE:
            return
        for value, choice in zip(action.values, self.rules.actions[action.number].choices, strict=False):
            match choice.type:
                case Thing(component=component):
                    yield self.rules.components[component].ids[as_int(value)]
                case SetOf(element=Thing(component=component)):
                    yield from (self.rules.components[component].ids[thing] for thing in as_tuple(value))

    def sentence(self, state: State, number: int) -> str:
        """An action's own sentence; empty when it depends on choices that are not made yet."""
        if number == DECLINE.number:
            return self.messages("declining")
        address = self.rules.actions[number].address
        template = self.theme.sentences.find_sentence(address)
        if template is None or has_open_slots(template):
            return ""
        seat = max(state.acting_seat, 0)
        hides = self.board.views.hidden_test(state, seat)
        return self.theme.sentences.render_at(address, self.board.engine.context(state), seat, hides)


class AnswerLabels:
    """The answers to choices as one seat reads them. `with_names`: things with the names they have beside their ids."""

    def __init__(self, theme: Theme, reader: int, *, with_names: bool = True) -> None:
        self.theme = theme
        self.rules = theme.rules
        self.messages = theme.messages
        self.notation = theme.notation
        self.reader = reader
        self.with_names = with_names

    def render_action(self, action: Action) -> Text:
        """All answers of an action, with the names of the choices where an answer does not say what it is."""
        if action == DECLINE:
            return Text()
        choices = self.rules.actions[action.number].choices
        parts = []
        for value, choice in zip(action.values, choices, strict=False):
            if is_left_out(choice, value):
                continue
            is_unclear = len(choices) > 1 and not isinstance(choice.type, Thing | Bag | SetOf)
            label = self.render(value, choice.type)
            if is_unclear or self._is_bare_number(choice.type):
                label = Text.assemble((f"{choice.name}=", "dim"), label)
            parts.append(label)
        if action.token is not None:
            choice = choices[len(action.values)]
            token = self.notation.format_token(choice, action.token)
            parts.append(Text(readable_answer(token, choice.type, self.rules, self.messages)))
        return Text(", ").join(parts)

    def _is_bare_number(self, type_: Type) -> bool:
        """Whether an answer is a mere number, which would not be told from the number of the option."""
        return isinstance(type_, Number) or (isinstance(type_, Member) and self.rules.kinds[type_.kind].is_numeric)

    def render_answer_at(self, action: Action, index: int) -> Text:
        """The answer to one choice; all answers where that choice is not made yet."""
        if index < len(action.values):
            return self.render(action.values[index], self.rules.actions[action.number].choices[index].type)
        return self.render_action(action)

    def render(self, value: RuntimeValue, type_: Type) -> Text:
        """An answer, short: by its letters where it has some, else as it is written."""
        data = self.notation.value_to_data(value, type_)
        glyphs = self.theme.glyphs
        match type_:
            case Bag() | SetOf() if not data:
                return Text(self.messages("nothing"))
            case Bag(kind=kind) if all(name in glyphs for name in data):
                return self.theme.render_bag(data, kind)
            case SetOf(element=Member()) if all(name in glyphs for name in data):
                return Text(" ").join(self.theme.render_glyph(name) for name in data)
            case Member() if data in glyphs:
                return self.theme.render_glyph(data, shape=True)
            case Member(kind=kind) if self.rules.kinds[kind].is_player(str(data)):
                return self._render_seat(int(data))
            case Thing(component=component):
                name = self.theme.sentences.thing_name(component, as_int(value))
                # a name that only continues the id says nothing by which to tell it from others
                is_shown = self.with_names and not normalize(name).startswith(normalize(data))
                return Text(data) + Text(f" ({name})" if is_shown else "", "dim")
            case SetOf(element=Member() as element) if element == SEAT:
                return Text(", ").join(self._render_seat(seat) for seat in as_tuple(value))
            case _:
                return Text(readable_answer(data, type_, self.rules, self.messages))

    def short_text(self, value: RuntimeValue, type_: Type) -> str:
        """An answer as it is shown, by its letters where it has some."""
        return self.render(value, type_).plain

    def full_text(self, value: RuntimeValue, type_: Type) -> str:
        """An answer as one would type it in full: names rather than letters."""
        if type_ == SEAT:
            return self._render_seat(as_int(value)).plain
        return readable_answer(self.notation.value_to_data(value, type_), type_, self.rules, self.messages)

    def _render_seat(self, seat: int) -> Text:
        if str(seat) in self.theme.glyphs:
            return self.theme.render_glyph(str(seat), shape=True)
        return Text(self.messages("you") if seat == self.reader else self.messages.player(seat))

    def render_piece(self, piece: int, type_: Bag | SetOf) -> Text:
        """A piece of a bag or set."""
        if isinstance(type_, SetOf):
            assert type_.element is not None
            return self.render(piece, type_.element)
        name = self.notation.bag_member_ids(type_.kind)[piece]
        if self.rules.kinds[type_.kind].is_player(name):
            return self._render_seat(int(name))
        return self.theme.render_glyph(name, shape=True) if name in self.theme.glyphs else Text(name)


def has_open_slots(sentence: SentenceTemplate) -> bool:
    """Whether a sentence depends on choices, or on keys, that have no value yet."""
    return any(not isinstance(part, str) and required_slots(part.expr) for part in sentence.parts)


__all__ = ["ActionLabels", "AnswerLabels", "has_open_slots"]

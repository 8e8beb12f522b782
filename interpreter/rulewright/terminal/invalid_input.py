"""What is wrong with words that name an action and no answer in it, or nothing at all.

In: what was typed, as far as it can be read, and the seat that typed it. Out: sentences in the words of the menu.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright import limits
from rulewright.document.text_addresses import reason_address
from rulewright.engine.state import DECLINE, Action
from rulewright.engine.value_notation import NotationError
from rulewright.engine.values import RuntimeValue, as_int, as_tuple
from rulewright.expr.types import SEAT, Bag, Member, SetOf, Thing, Type
from rulewright.model.locale import ENGLISH
from rulewright.session.shorthand import InvalidAnswer, NotLegalNow
from rulewright.session.typed_words import collected_type
from rulewright.suggestions import closest_name
from rulewright.terminal.action_labels import AnswerLabels, has_open_slots
from rulewright.terminal.play_context import PlayContext
from rulewright.wording.text_case import humanize, lower_first

LETTER_LENGTH = 2  # of a sign on the board, at most


class InvalidInput:
    """Says what is wrong with what is typed in one game."""

    def __init__(self, context: PlayContext) -> None:
        self.context = context
        self.messages = context.messages
        self.rules = context.match.rules
        self.theme = context.board.theme
        self.sentences = self.theme.sentences
        self.labels = context.menu_builder.labels

    def unknown_input(self, typed: str, seat: int) -> str:
        """Which word of a text makes it nothing that can be typed, with the name that is probably meant."""
        words = typed.partition("(")[0].split() or [typed]
        wrong = words[0]
        for count in range(min(len(words) - 1, limits.MAX_NAME_WORDS), 0, -1):
            meanings = self._meanings(" ".join(words[:count]))
            if not meanings:
                continue
            if len({action.number for action in meanings}) == 1:
                return self.wrong_word(
                    InvalidAnswer(_common_part(meanings), words[count], "", len(words) - count), seat
                )
            wrong = words[count]
            break
        closest = self.closest_action(words)
        return self.messages(
            "not_understood",
            typed=wrong[: limits.MAX_LISTED_ACTIONS],
            hint=self.messages("meant", name=closest) if closest else "",
            actions=", ".join(self._offered_names()),
        )

    def closest_action(self, words: Sequence[str]) -> str | None:
        """The name of an action that some words are probably meant to be or to begin with."""
        names = [self.labels.name(action.index) for action in self.rules.actions]
        first_words = {name.partition(" ")[0]: name for name in reversed(names)}
        return closest_name(" ".join(words), names) or closest_name(words[0], first_words)

    def _offered_names(self) -> list[str]:
        """What the actions are called that can be done now."""
        return [self.labels.name(number) for number in dict.fromkeys(a.number for a in self.context.match.legal())]

    def _meanings(self, typed: str) -> tuple[Action, ...]:
        """The actions that a text can mean, legal or not; none when it is no action."""
        try:
            return self.context.session.read(typed, language=self.messages.locale, by_player=True)
        except NotLegalNow as error:
            return (error.attempt,)
        except NotationError:
            return ()

    def wrong_word(self, error: InvalidAnswer, seat: int) -> str:
        """What is wrong with a word behind an action's name: it names no choice, is one too many, or is no answer."""
        action, index = error.partial_action, len(error.partial_action.values)
        choices = self.rules.actions[action.number].choices if action != DECLINE else ()
        name, typed = self.labels.name(action.number), error.word[: limits.MAX_LISTED_ACTIONS]
        listed = ", ".join(choice.name for choice in choices) or self.messages("nothing")
        if error.is_choice_name:
            closest = closest_name(error.word, [choice.name for choice in choices])
            hint = self.messages("meant", name=closest) if closest else ""
            return self.messages("no_choice", typed=typed, action=name, choices=listed) + hint
        if index >= len(choices):
            if (
                choices
                and isinstance(choices[-1].type, Bag | SetOf)
                and not self._is_piece(error.word, choices[-1].type)
            ):
                return self.messages("no_such", typed=typed, noun=self._noun(choices[-1].type), choice=choices[-1].name)
            key = ("takes_none", "takes_one")[len(choices)] if len(choices) < 2 else "takes_several"
            return self.messages(key, typed=typed, action=name, count=len(choices), choices=listed)
        if valid_answers := self._valid_answers(error, seat):
            return valid_answers
        key, noun = ("no_such", noun) if (noun := self._noun(choices[index].type)) else ("unknown_answer", "")
        problem = self.messages(key, typed=typed, choice=choices[index].name, noun=noun)
        return f"{problem} {self.messages('cannot_now', name=name)}"

    def _is_piece(self, word: str, type_: Type) -> bool:
        """Whether a word is a letter or a name of what a bag or set can hold, or can hardly be meant as one."""
        element = collected_type(type_)
        if not isinstance(element, Member):
            return True
        members = self.rules.kinds[element.kind].members
        letters = {glyph.letter.lower() for name in members if (glyph := self.theme.glyphs.get(name)) is not None}
        is_like_one = len(word) <= LETTER_LENGTH or bool(closest_name(word, members))
        return not is_like_one or word.lower() in letters or any(name.startswith(word.lower()) for name in members)

    def _noun(self, type_: Type) -> str:
        """What answers of a type are, or their pieces; empty where they are numbers or flags."""
        match collected_type(type_) or type_:
            case Member(kind=kind):
                return self.messages("player") if kind == SEAT.kind else self._name(f"kinds.{kind}")
            case Thing(component=component):
                return self._name(f"components.{component}")
        return ""

    def _name(self, address: str) -> str:
        """What a kind or component is called: its id, which is English; in another language what the texts call it."""
        sentence = None if self.messages.locale == ENGLISH else self.sentences.language.sentences.get(address)
        if sentence is None or not all(isinstance(part, str) for part in sentence.parts):
            return humanize(address.partition(".")[2])
        return lower_first("".join(part for part in sentence.parts if isinstance(part, str)))

    def _valid_answers(self, error: InvalidAnswer, seat: int) -> str:
        """What can be answered in place of a word, and what the rules say of that choice; empty when that choice is not
        reached yet, as with pieces one by one.
        """
        match, partial_action = self.context.match, error.partial_action
        index = len(partial_action.values)
        legal = [
            action for action in match.legal() if action.number == partial_action.number and len(action.values) > index
        ]
        same = [action for action in legal if action.values[:index] == partial_action.values] or legal
        if not same:
            return ""
        choice = self.rules.actions[partial_action.number].choices[index]
        labels = AnswerLabels(self.theme, seat)
        values = dict.fromkeys(action.values[index] for action in same)
        answers = [labels.full_text(value, choice.type) for value in values]
        element = collected_type(choice.type)
        if element is not None:  # a piece is wrong, not what they are together
            pieces = sorted({piece for value in values for piece in self._pieces(value, choice.type)})
            glyphs = self.theme.glyphs
            ids = {piece: match.notation.format_value(piece, element) for piece in pieces}
            answers = [
                glyphs[name].letter if name in glyphs else labels.full_text(piece, element)
                for piece, name in ids.items()
            ]
        noun = self._noun(choice.type)
        message = self.messages(
            "no_such_answer" if noun else "no_answer",
            typed=error.word[: limits.MAX_LISTED_ACTIONS],
            noun=noun,
            choice=choice.name,
            answers=self.end_of_list(answers),
        )
        if element is not None or isinstance(choice.type, Thing):  # its sentence is about things that exist
            return message
        sentence = self.sentences.find_sentence(address := reason_address(choice.address))
        why = ""
        if sentence is not None and not has_open_slots(sentence):
            why = self.sentences.render_at(
                address, match.engine.context(match.state), seat, match.views.hidden_test(match.state, seat)
            )
        return f"{message} {why}".rstrip()

    def _pieces(self, value: RuntimeValue, type_: Type) -> list[int]:
        """The values of the pieces in a bag or set."""
        if isinstance(type_, SetOf):
            return [as_int(piece) for piece in as_tuple(value)]
        assert isinstance(type_, Bag)
        info = self.rules.kinds[type_.kind]
        offset = info.member_values[0] if info.is_numeric else 0
        return [index + offset for index, count in enumerate(as_tuple(value)) if count]

    @staticmethod
    def end_of_list(texts: Sequence[str]) -> str:
        """Some texts as the end of a sentence; of many the first."""
        more = ", …" if len(texts) > limits.MAX_LISTED_ANSWERS else "."
        return ", ".join(texts[: limits.MAX_LISTED_ANSWERS]) + more


def _common_part(actions: Sequence[Action]) -> Action:
    """What actions of one name have in common: the answers in which they do not differ, up to the first that does."""
    values = actions[0].values
    count = next(
        (index for index in range(len(values)) if len({action.values[: index + 1] for action in actions}) > 1),
        len(values),
    )
    return Action(actions[0].number, values[:count])


__all__ = ["InvalidInput"]

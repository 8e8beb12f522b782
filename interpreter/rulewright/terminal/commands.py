"""What a player can type besides the number of an option: an action by its name, and the commands of the terminal.

In: a line, the seat that typed it, the menu above it. Out: text on the screen; the actions that the line means.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

from rich.text import Text

from rulewright import limits
from rulewright.atomic_write import atomic_write
from rulewright.bots.bot_specs import BUILTIN_BOTS
from rulewright.bots.player_view import PlayerView
from rulewright.engine.reference.explainer import Reason
from rulewright.engine.state import DECLINE, Action, Decision
from rulewright.engine.value_notation import NotationError
from rulewright.errors import os_error_reason
from rulewright.frozen import replace
from rulewright.model.actions import Pay
from rulewright.model.effects import Choose
from rulewright.model.locale import ENGLISH
from rulewright.model.rules import DECLINE_TEXT
from rulewright.session.shorthand import InvalidAnswer, NotLegalNow
from rulewright.session.undo import CannotRedo, CannotUndo
from rulewright.terminal.action_labels import AnswerLabels
from rulewright.terminal.aliases import resolve_typed, resolve_whole_titles
from rulewright.terminal.boxes import HEADING_STYLE, MARK_STYLE
from rulewright.terminal.invalid_input import InvalidInput
from rulewright.terminal.legend import legend
from rulewright.terminal.menu import Menu
from rulewright.terminal.numbered_input import NumberedInput
from rulewright.terminal.play_context import PlayContext
from rulewright.terminal.readable_notation import readable_notation
from rulewright.terminal.reasons import reasons_lines, verdict, wrap
from rulewright.terminal.transcript import DETAIL_INDENT, revealed_lines, viewer_action_line
from rulewright.wording.messages import load_messages

COMMAND_NAMES: Final = ("help", "why", "hint", "undo", "redo", "board", "log", "save", "quit")
INPUT_FORMS: Final = ("number", "action", "piece", "empty")  # what else can be typed
HINT_BOTS: Final = ("heuristic", "greedy")  # bots that answer at once, the strongest first
COMMAND_ALIASES: Final = {
    "?": "help",
    "h": "help",
    "help": "help",
    "aide": "help",
    "reprendre": "undo",
    "q": "quit",
    "exit": "quit",
}


class Commands:
    """The commands of one game at one terminal."""

    def __init__(self, context: PlayContext) -> None:
        self.context = context
        self.messages = context.messages
        self.rules = context.match.rules
        self.theme = context.board.theme
        self.sentences = self.theme.sentences
        self.labels = context.menu_builder.labels
        self.invalid_input = InvalidInput(context)
        self.numbered_input = NumberedInput(context, self._spellings)
        context.session.spellings = self._spellings
        self._command_words = dict(COMMAND_ALIASES)
        for name in COMMAND_NAMES:
            for usage in (load_messages(ENGLISH, "terminal")[f"use_{name}"], self.messages(f"use_{name}")):
                self._command_words[usage.partition(" ")[0]] = name
        self._handlers: dict[str, Callable[[str, int, Menu], None]] = {
            "help": self._help,
            "why": self._why,
            "hint": self._hint,
            "board": lambda rest, seat, menu: context.show_board(seat),
            "log": self._log,
            "undo": self._undo,
            "redo": self._redo,
            "save": self._save,
            "quit": self._quit,
        }

    def execute(self, line: str, seat: int, menu: Menu) -> str | None:
        """Carries out a command and returns its name; None when the line is none."""
        word, *rest = line.split(maxsplit=1)
        word = word.lower()
        if word.startswith(":"):
            word = word[1:]
        elif self.rules.find_action(word) is not None:
            return None
        name = self._command_words.get(word)
        if name is not None:
            self._handlers[name]("".join(rest).strip(), seat, menu)
        return name

    # ---- actions by name ----------------------------------------------------------------------------------

    def find_listed(self, line: str, listed: Sequence[Action]) -> tuple[Action, ...]:
        """Those of some legal actions that a line can mean."""
        with suppress(NotationError):
            return self.context.session.read(line, language=self.messages.locale, by_player=True, among=listed)
        return ()

    def find_actions(self, line: str, seat: int) -> tuple[Action, ...]:
        """The legal actions that a line can mean; explains why when there is none."""
        parsed = self._parse(line, seat)
        if isinstance(parsed, Action):
            self._print_reasons(parsed, seat, brief=True)
            return ()
        return parsed

    def says_all(self, typed: str, action: Action) -> bool:
        """Whether a line that means an action leaves nothing of it open: no abbreviated word, no answer but a payment
        that is the only one.
        """
        parser = self.context.session.shorthand(self.messages.locale, by_player=True)
        in_full = resolve_whole_titles(typed, self.theme, self.context.match.seat or 0)
        return any(parser.says_all(text, action) for text in (*in_full, typed))

    def is_unknown(self, typed: str) -> bool:
        """Whether a line means nothing by itself: no legal action, no action's name, and nothing like one."""
        is_named = self.named_actions(typed) or self.invalid_input.closest_action(typed.split())
        return not is_named and not self.find_listed(typed, self.context.match.legal())

    def names(self, typed: str, action: Action) -> bool:
        """Whether a line that means an action begins with its name, or the beginning of it."""
        return action == DECLINE or action.number in self.named_actions(typed)

    def named_actions(self, typed: str) -> set[int]:
        """The numbers of the actions with whose names, or the beginnings of those, a line begins."""
        words = typed.replace("(", " ").split()
        beginnings = (" ".join(words[: count + 1]) for count in range(min(len(words), limits.MAX_NAME_WORDS)))
        return {number for beginning in beginnings for number in self.numbered_input.actions_called(beginning)}

    def _spellings(self, typed: str) -> tuple[tuple[str, ...], ...]:
        """A line in the names of the rules; a letter as it is drawn is not the beginning of another name."""
        return resolve_typed(typed, self.theme, self.context.match.seat or 0)

    def _parse(self, typed: str, seat: int) -> tuple[Action, ...] | Action:
        """The legal actions that a line can mean, or one that is not legal; explains why when it means nothing."""
        try:
            return self.context.session.read(typed, language=self.messages.locale, by_player=True)
        except NotLegalNow as error:
            return self._clear_attempt(typed, error.attempt, seat)
        except InvalidAnswer as error:
            if not self._print_why_never(error.partial_action, seat):
                self.context.print(*wrap(self.invalid_input.wrong_word(error, seat)))
            return ()
        except NotationError:
            pass
        is_balanced = typed.count("(") == typed.count(")")
        text = (
            self.invalid_input.unknown_input(typed, seat)
            if is_balanced
            else self.messages("unbalanced", typed=typed[:60])
        )
        self.context.print(*wrap(text))
        return ()

    def _clear_attempt(self, typed: str, attempt: Action, seat: int) -> tuple[Action, ...] | Action:
        """The attempt that a text means; nothing, and the answers it can mean, where it is the beginning of several."""
        parser = self.context.session.shorthand(self.messages.locale, by_player=True)
        spelled = next((text for texts in self._spellings(typed) for text in texts), typed)
        offers = {}  # by answer: those that the choice admits
        for other in parser.ambiguous_attempts(spelled, attempt)[: limits.MAX_LISTED_ACTIONS]:
            address = self.rules.actions[other.number].choices[len(other.values) - 1].address if other.values else ""
            reasons = self.context.session.why_not(other, seat=seat, language=self.messages.locale)
            if all(reason.address != address for reason in reasons):
                offers[other.values[-1] if other.values else None] = other
        if len(offers) < 2:
            return next(iter(offers.values()), attempt)
        choice = self.rules.actions[attempt.number].choices[len(attempt.values) - 1]
        labels = AnswerLabels(self.theme, seat)
        answers = [labels.full_text(other.values[-1], choice.type) for other in offers.values()]
        text = self.messages("ambiguous", typed=typed.split()[-1], answers=self.invalid_input.end_of_list(answers))
        self.context.print(*wrap(text))
        return ()

    def _print_why_never(self, attempt: Action, seat: int) -> bool:
        """Says why an action is not legal whatever is answered, if it is not; returns whether it did."""
        locale, legal = self.messages.locale, {action.number for action in self.context.match.legal()}
        if attempt.number in legal:
            return False
        reasons = self.context.session.why_not(Action(attempt.number, ()), seat=seat, language=locale)
        of_the_action = tuple(reason for reason in reasons if reason.kind != "choice")
        self.context.print(*reasons_lines(of_the_action, self.rules, locale, brief=True))
        return bool(of_the_action)

    def _print_reasons(self, attempt: Action, seat: int, *, brief: bool) -> None:
        locale = self.messages.locale
        reasons = self.context.session.why_not(attempt, seat=seat, language=locale)
        reasons = tuple(self._with_titles(reason, attempt, seat) for reason in reasons)
        self.context.print(*reasons_lines(reasons, self.rules, locale, brief=brief))

    def _with_titles(self, reason: Reason, attempt: Action, seat: int) -> Reason:
        """A reason of a step that does not offer the action, in the words of the menu: what can be done instead."""
        match = self.context.match
        decision = match.state.waiting
        if reason.kind != "step" or attempt == DECLINE or not isinstance(decision, Decision):
            return reason
        effect = self.rules.blocks[decision.block].steps[decision.step].effect
        assert isinstance(effect, Choose)
        offered = [offer.action for offer in effect.offers]
        if attempt.number in offered or decision.partial_action is not None:
            return reason
        possible = dict.fromkeys(action.number for action in match.legal())
        names = [*map(self.labels.name, possible)]
        step_text = self.sentences.render_at(
            reason.address, match.engine.context(match.state), seat, match.views.hidden_test(match.state, seat)
        )
        instead = self.messages("do_instead", name=self.labels.name(attempt.number), actions=", ".join(names))
        return replace(reason, sentence=f"{instead} {step_text}".rstrip())

    # ---- commands -----------------------------------------------------------------------------------------

    def _help(self, rest: str, seat: int, menu: Menu) -> None:
        """Teaches: what can be done now and what it does, what can be typed, what the letters mean."""
        match, messages = self.context.match, self.messages
        decision = match.state.waiting
        assert isinstance(decision, Decision)
        views = match.views
        step_text = self.sentences.render_at(
            views.step_address(decision), match.engine.context(match.state), seat, views.hidden_test(match.state, seat)
        )
        lines: list[str | Text] = [
            Text(messages("help_now"), HEADING_STYLE),
            *(wrap(step_text, "  ") if step_text else []),
        ]
        legal = match.legal()
        letters = self.labels.letters(legal)
        for number in dict.fromkeys(action.number for action in legal):
            name = self.labels.name(number)
            notation_name = DECLINE_TEXT if number == DECLINE.number else self.rules.actions[number].name
            label = f"{name} ({notation_name})" if name != notation_name else name
            sentence = self._sentence(number)
            lines += wrap(f"{label}: {sentence}" if sentence else label, f"  {letters.get(number, ''):<1} ", " " * 8)
        effect = self.rules.blocks[decision.block].steps[decision.step].effect
        assert isinstance(effect, Choose)
        possible = {action.number for action in legal}
        impossible = [self.labels.name(offer.action) for offer in effect.offers if offer.action not in possible]
        if impossible:
            lines += wrap(messages("not_now", actions=", ".join(impossible), name=impossible[0]), "  ")
        if letters:
            mark = Text.assemble("  ", (next(iter(letters.values())), MARK_STYLE))
            lines += [mark + Text(part[3:]) for part in wrap(messages("marks"), "    ")[:1]]
            lines += wrap(messages("marks"), "    ")[1:]
        legend_lines = legend(self.theme, legal, self.context.screen.width)
        lines += ["", Text(messages("help_signs"), HEADING_STYLE), *legend_lines] if legend_lines else []
        lines += ["", Text(messages("help_type"), HEADING_STYLE)]
        example = self._example(seat)
        pairs = [(messages(f"form_{form}"), messages(f"form_{form}_does", example=example)) for form in INPUT_FORMS]
        pairs += [(messages(f"use_{name}"), messages(f"does_{name}")) for name in COMMAND_NAMES]
        width = max(len(usage) for usage, _ in pairs)
        for usage, effect_text in pairs:
            lines += wrap(effect_text, f"  {usage:<{width}}  ")
        self.context.print(*lines, *wrap(messages("help_end"), "  "))

    def _example(self, seat: int) -> str:
        """A legal action as one would type it from the screen, with answers if one has any."""
        session, labels = self.context.session, AnswerLabels(self.theme, seat)
        for action in self.context.match.legal():
            if action == DECLINE or action.token is not None or not action.values:
                continue
            choices = self.rules.actions[action.number].choices
            for to_text in (labels.short_text, labels.full_text):
                answers = [to_text(value, choice.type) for value, choice in zip(action.values, choices, strict=True)]
                text = " ".join([self.labels.name(action.number), *answers])
                with suppress(NotationError):
                    if session.read(text, language=self.messages.locale, by_player=True) == (action,):
                        return text
        return self.notation_text(self.context.match.legal()[0])

    def _sentence(self, number: int) -> str:
        """What an action does, in the words of the rules; what they leave open stays open."""
        if number == DECLINE.number:
            return self.messages("declining")
        return self.labels.sentence(self.context.match.state, number)

    def _why(self, rest: str, seat: int, menu: Menu) -> None:
        if not rest:
            self.context.print(*wrap(self.messages("why_what")))
            return
        parsed: tuple[Action, ...] | Action
        if numbered := self.numbered_input.parse(rest):
            option = self.numbered_input.find_option(numbered, menu, self.messages("use_why").partition(" ")[0])
            if isinstance(option, str):
                self.context.print(*wrap(option))
                return
            parsed = option.actions
        else:
            parsed = self._parse(rest, seat)
        if isinstance(parsed, Action):
            self._print_reasons(parsed, seat, brief=False)
        elif parsed:
            if self._is_incomplete(parsed):
                labels = AnswerLabels(self.theme, seat)
                is_same = len({action.number for action in parsed}) == 1
                names = ["" if is_same else f"{self.labels.name(action.number)} " for action in parsed]
                answers = [
                    name + labels.render_action(action).plain for name, action in zip(names, parsed, strict=True)
                ]
                text = self.messages("incomplete", typed=rest, answers=self.invalid_input.end_of_list(answers))
                self.context.print(*wrap(text))
                return
            text = self.notation_text(parsed[0]) if len(parsed) == 1 else rest
            self.context.print(*wrap(verdict(self.rules, self.messages.locale, text, seat, legal=True)))

    def _is_incomplete(self, actions: Sequence[Action]) -> bool:
        """Whether actions differ in more than how they are paid for, so that a text does not say which is meant."""
        first = actions[0]
        choices = self.rules.actions[first.number].choices if first != DECLINE else ()
        open_choices = {
            index
            for action in actions
            for index, pair in enumerate(zip(action.values, first.values, strict=False))
            if pair[0] != pair[1]
        }
        is_same = all(action.number == first.number for action in actions)
        return not is_same or any(not isinstance(choices[index].domain, Pay) for index in open_choices)

    def notation_text(self, action: Action) -> str:
        """An action in notation, with players by their names."""
        return readable_notation(self.context.match.notation.action_to_data(action), self.rules, self.messages)

    def _hint(self, rest: str, seat: int, menu: Menu) -> None:
        """What a bot would do that knows no more than the player."""
        match = self.context.match
        name = next(bot for bot in HINT_BOTS if bot in BUILTIN_BOTS)
        thinking = self.context.thinking.made if self.context.thinking is not None else None
        view = PlayerView(match.engine, match.state, seat, match.legal(), thinking)
        action = BUILTIN_BOTS[name](0, seat).choose(view)
        number = next((number for number, option in enumerate(menu.options, start=1) if option.actions == (action,)), 0)
        is_listed = any(action in option.actions for option in menu.options)
        option_text = self.messages("hint_number", number=number) if number else ""
        option_text = option_text if is_listed else self.messages("hint_elsewhere")
        hint = self.messages("hint", bot=name, action=self.notation_text(action))
        self.context.print(*wrap(f"{hint}{option_text}."))

    def _log(self, rest: str, seat: int, menu: Menu) -> None:
        for number, played in enumerate(self.context.match.history, start=1):
            line = viewer_action_line(number, played, seat, self.rules, self.messages)
            revealed = revealed_lines(played, seat, self.rules, self.messages)
            self.context.print(*wrap(line, "", " " * DETAIL_INDENT), *revealed)
        if not self.context.match.history:
            self.context.print(self.messages("no_log"))

    def _count(self, one: str, several: str, number: int) -> str:
        return self.messages(one) if number == 1 else self.messages(several, number=number)

    def _undo(self, rest: str, seat: int, menu: Menu) -> None:
        try:
            self.context.print(self._count("undone_one", "undone", self.context.undo()))
        except CannotUndo as error:
            hint = "" if error.cause == "nothing" else f" {self.messages('undo_free')}"
            message = self.messages(f"undo_{error.cause}", number=error.number)
            self.context.print(*wrap(f"{message}{hint}"))

    def _redo(self, rest: str, seat: int, menu: Menu) -> None:
        try:
            self.context.print(self._count("redone_one", "redone", self.context.redo()))
        except CannotRedo:
            self.context.print(self.messages("no_redo"))

    def _save(self, rest: str, seat: int, menu: Menu) -> None:
        if not rest:
            self.context.print(self.messages("save_what"))
            return
        self.context.print(self._write_position(rest))

    def _write_position(self, name: str) -> str:
        """Writes the position to a new file; a sentence that says whether that worked."""
        shown_name = name if name.isprintable() else repr(name)
        try:
            atomic_write(name, self.context.session.saved() + "\n")
        except FileExistsError:
            return self.messages("there_already", file=shown_name)
        except (OSError, ValueError) as error:
            return self.messages("cannot_write", file=shown_name, reason=os_error_reason(error))
        return self.messages("saved_in", file=shown_name)

    def _quit(self, rest: str, seat: int, menu: Menu) -> None:
        self.context.quit()


__all__ = ["Commands"]

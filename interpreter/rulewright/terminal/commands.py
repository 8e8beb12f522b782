"""What a player can type beside the number of a choice: an action by its name, and the commands of the terminal.

In: a line, the seat that typed it, the menu before it. Out: what it says on the screen; the actions that it means.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from rich.text import Text

from rulewright import limits
from rulewright.bots.bot_specs import BUILTIN_BOTS, PlayerView
from rulewright.engine.notation import DECLINE_TEXT, NotationError
from rulewright.engine.reference.legal_actions import DECLINE
from rulewright.engine.state import Action, Decision
from rulewright.model.locale import ENGLISH
from rulewright.model.rules import Choose
from rulewright.session.session import CannotRedo, CannotUndo
from rulewright.session.shorthand import InvalidAnswer, NotLegalNow
from rulewright.terminal.aliases import resolve_aliases, resolve_exact_letters
from rulewright.terminal.atomic_write import kept
from rulewright.terminal.boxes import HEADING_STYLE, MARK_STYLE
from rulewright.terminal.legend import legend
from rulewright.terminal.menu import Menu, has_open_slots
from rulewright.terminal.reasons import reasons_lines, verdict, wrap
from rulewright.terminal.transcript import INDENT, revealed_lines, viewer_action_line
from rulewright.wording.messages import load_messages

if TYPE_CHECKING:
    from rulewright.terminal.game_loop import TerminalGame

COMMAND_NAMES: Final = ("help", "why", "hint", "undo", "redo", "board", "log", "save", "quit")
INPUT_FORMS: Final = ("number", "action", "piece", "empty")  # what else can be typed
HINT_BOTS: Final = ("heuristic", "greedy")  # bots that answer at once, the strongest first
COMMAND_ALIASES: Final = {"?": "help", "h": "help", "help": "help", "aide": "help", "q": "quit", "exit": "quit"}


class Commands:
    """The commands of one game at one terminal."""

    def __init__(self, game: TerminalGame) -> None:
        self.context = game
        self.messages = game.messages
        self.rules = game.match.rules
        self.sentences = game.menu_builder.sentences
        self._called = dict(COMMAND_ALIASES)
        for name in COMMAND_NAMES:
            for use in (load_messages(ENGLISH, "terminal")[f"use_{name}"], self.messages(f"use_{name}")):
                self._called[use.partition(" ")[0]] = name
        self._do: dict[str, Callable[[str, int, Menu], None]] = {
            "help": self._help,
            "why": self._why,
            "hint": self._hint,
            "board": lambda rest, seat, menu: game.show_board(seat),
            "log": self._log,
            "undo": self._undo,
            "redo": self._redo,
            "save": self._save,
            "quit": self._quit,
        }

    def execute(self, line: str, seat: int, menu: Menu) -> bool:
        """Carries out a command; false when it is none."""
        word, _, rest = line.partition(" ")
        word = word.lower()
        if word.startswith(":"):
            word = word[1:]
        elif self.rules.find_action(word) is not None:
            return False
        name = self._called.get(word)
        if name is not None:
            self._do[name](rest.strip(), seat, menu)
        return name is not None

    # ---- actions by name ----------------------------------------------------------------------------------

    def find_actions(self, line: str, seat: int) -> tuple[Action, ...]:
        """The legal actions that a text can mean; says why when there is none."""
        found = self._read(line, seat)
        if isinstance(found, Action):
            self._reasons(found, seat, brief=True)
            return ()
        return found

    def _read(self, typed: str, seat: int) -> tuple[Action, ...] | Action:
        """The legal actions that a text can mean, or one that is not legal; says so when it means nothing."""
        session, code, looks = self.context.session, self.messages.locale, self.context.board.theme
        found: dict[Action, None] = {}
        wish: Action | None = None
        no_answer: InvalidAnswer | None = None
        for texts in (resolve_exact_letters(typed, looks, seat), (*resolve_aliases(typed, looks, seat), typed)):
            for text in dict.fromkeys(texts):
                try:
                    found.update(dict.fromkeys(session.read(text, language=code, by_player=True)))
                except NotLegalNow as refused:
                    wish = wish or refused.attempt
                except NotationError as error:
                    said = str(error)
                    no_answer = error if isinstance(error, InvalidAnswer) else no_answer
            if found:
                break  # a letter as it is drawn is not the beginning of another name
        if found or wish is not None:
            return tuple(found) or wish or ()
        if no_answer is not None and no_answer.partial_action.number not in {one.number for one in session.legal()}:
            return no_answer.partial_action  # whatever were answered
        if no_answer is not None and (can_be := self._can_be(no_answer, seat)):
            self.context.print(*wrap(can_be))
            return ()
        if code != ENGLISH:
            names = ", ".join(self.context.menu_builder.action_name(action.index) for action in self.rules.actions)
            said = self.messages("not_understood", typed=typed[: limits.MAX_LISTED_ACTIONS], actions=names)
        self.context.print(*wrap(f"{said.rstrip('.')}."))
        return ()

    def _can_be(self, wrong: InvalidAnswer, seat: int) -> str:
        """What can be answered in place of a word, and what the rules say of that choice; nothing when that is not
        chosen yet, as pieces one by one.
        """
        match, menus, begun = self.context.match, self.context.menu_builder, wrong.partial_action
        at = len(begun.values)
        legal = [one for one in match.legal() if one.number == begun.number and len(one.values) > at]
        same = [one for one in legal if one.values[:at] == begun.values] or legal
        if not same:
            return ""
        choice = self.rules.actions[begun.number].choices[at]
        answers = list(dict.fromkeys(menus.answer_text(one.values[at], choice.type) for one in same))
        more = ", …" if len(answers) > limits.MAX_LISTED_ANSWERS else ""
        said = self.messages(
            "no_answer",
            typed=wrong.word[: limits.MAX_LISTED_ACTIONS],
            choice=choice.name,
            answers=", ".join(answers[: limits.MAX_LISTED_ANSWERS]),
        )
        sentence = self.sentences.find_sentence(choice.address)
        why = ""
        if sentence is not None and not has_open_slots(sentence):
            why = self.sentences.render_at(
                choice.address, match.engine.context(match.state), seat, match.views.hidden_test(match.state, seat)
            )
        return f"{said}{more}. {why}".rstrip()

    def _reasons(self, wish: Action, seat: int, *, brief: bool) -> None:
        session, code = self.context.session, self.messages.locale
        reasons = session.why_not(wish, seat=seat, language=code)
        self.context.print(*reasons_lines(reasons, self.rules, code, brief=brief))

    # ---- commands -----------------------------------------------------------------------------------------

    def _help(self, rest: str, seat: int, menu: Menu) -> None:
        """Teaches: what can be done now and what it does, what can be typed, what the signs mean."""
        match, words = self.context.match, self.messages
        decision = match.state.waiting
        assert isinstance(decision, Decision)
        views = match.views
        said = self.sentences.render_at(
            views.step_address(decision), match.engine.context(match.state), seat, views.hidden_test(match.state, seat)
        )
        lines: list[str | Text] = [Text(words("help_now"), HEADING_STYLE), *(wrap(said, "  ") if said else [])]
        legal = match.legal()
        letters = self.context.menu_builder.action_letters(legal)
        for number in dict.fromkeys(action.number for action in legal):
            name = self.context.menu_builder.action_name(number)
            known = DECLINE_TEXT if number == DECLINE.number else self.rules.actions[number].name
            called = f"{name} ({known})" if name != known else name
            said = self._sentence(number)
            lines += wrap(f"{called}: {said}" if said else called, f"  {letters.get(number, ''):<1} ", " " * 8)
        effect = self.rules.blocks[decision.block].steps[decision.step].effect
        assert isinstance(effect, Choose)
        open_ = {action.number for action in legal}
        closed = [self.context.menu_builder.action_name(one.action) for one in effect.offers if one.action not in open_]
        if closed:
            lines += wrap(words("not_now", actions=", ".join(closed), name=closed[0]), "  ")
        if letters:
            mark = Text.assemble("  ", (next(iter(letters.values())), MARK_STYLE))
            lines += [mark + Text(part[3:]) for part in wrap(words("marks"), "    ")[:1]]
            lines += wrap(words("marks"), "    ")[1:]
        signs = legend(self.context.menu_builder.theme, legal, self.context.screen.width)
        lines += ["", Text(words("help_signs"), HEADING_STYLE), *signs] if signs else []
        lines += ["", Text(words("help_type"), HEADING_STYLE)]
        example = self._example()
        pairs = [(words(f"form_{form}"), words(f"form_{form}_does", example=example)) for form in INPUT_FORMS]
        pairs += [(words(f"use_{name}"), words(f"does_{name}")) for name in COMMAND_NAMES]
        wide = max(len(use) for use, _ in pairs)
        for use, does in pairs:
            lines += wrap(does, f"  {use:<{wide}}  ")
        self.context.print(*lines, *wrap(words("help_end"), "  "))

    def _example(self) -> str:
        """A legal action as one would type it from the screen, with answers if there is one with any."""
        session, menus = self.context.session, self.context.menu_builder
        for action in session.legal():
            if action == DECLINE or action.token is not None or not action.values:
                continue
            choices = self.rules.actions[action.number].choices
            for said in (lambda value, type_: menus.render_answer(value, type_).plain, menus.answer_text):
                answers = [said(value, choice.type) for value, choice in zip(action.values, choices, strict=True)]
                text = " ".join([menus.action_name(action.number), *answers])
                for spelling in resolve_aliases(text, self.context.board.theme, session.seat or 0):
                    with suppress(NotationError):
                        if session.read(spelling, language=self.messages.locale, by_player=True) == (action,):
                            return text
        return self.context.match.notation.format_action(session.legal()[0])

    def _sentence(self, number: int) -> str:
        """What an action does, in the words of the rules; what they leave open stays open."""
        if number == DECLINE.number:
            return self.messages("declining")
        return self.context.menu_builder.action_sentence(self.context.match.state, number)

    def _why(self, rest: str, seat: int, menu: Menu) -> None:
        if not rest:
            self.context.print(*wrap(self.messages("why_what")))
            return
        found = self._read(rest, seat)
        if isinstance(found, Action):
            self._reasons(found, seat, brief=False)
        elif found:
            text = self.context.match.notation.format_action(found[0]) if len(found) == 1 else rest
            self.context.print(*wrap(verdict(self.rules, self.messages.locale, text, seat, legal=True)))

    def _hint(self, rest: str, seat: int, menu: Menu) -> None:
        """What a bot would do that knows no more than the seat."""
        match = self.context.match
        name = next(one for one in HINT_BOTS if one in BUILTIN_BOTS)
        action = BUILTIN_BOTS[name](0, seat).choose(PlayerView(match.engine, match.state, seat, match.legal()))
        at = next((at for at, one in enumerate(menu.options, start=1) if one.actions == (action,)), 0)
        number = self.messages("hint_number", number=at) if at else ""
        self.context.print(*wrap(self.messages("hint", bot=name, action=match.notation.format_action(action)) + number))

    def _log(self, rest: str, seat: int, menu: Menu) -> None:
        for number, done in enumerate(self.context.match.history, start=1):
            line = viewer_action_line(number, done, seat, self.messages)
            self.context.print(*wrap(line, "", " " * INDENT), *revealed_lines(done, self.messages))
        if not self.context.match.history:
            self.context.print(self.messages("no_log"))

    def _undo(self, rest: str, seat: int, menu: Menu) -> None:
        try:
            self.context.print(self.messages("undone", number=self.context.undo()))
        except CannotUndo as refused:
            free = "" if refused.cause == "nothing" else f" {self.messages('undo_free')}"
            said = self.messages(f"undo_{refused.cause}", number=refused.number)
            self.context.print(*wrap(f"{said}{free}"))

    def _redo(self, rest: str, seat: int, menu: Menu) -> None:
        try:
            self.context.print(self.messages("redone", number=self.context.redo()))
        except CannotRedo:
            self.context.print(self.messages("no_redo"))

    def _save(self, rest: str, seat: int, menu: Menu) -> None:
        if not rest:
            self.context.print(self.messages("save_what"))
            return
        self.context.print(kept(self.messages, rest, self.context.session.saved() + "\n"))

    def _quit(self, rest: str, seat: int, menu: Menu) -> None:
        self.context.quit()


__all__ = ["Commands"]

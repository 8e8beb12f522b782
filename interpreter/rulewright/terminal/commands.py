"""What a player can type beside the number of a choice: an action by its name, and the commands of the terminal.

In: a line, the seat that typed it, the menu before it. Out: what it says on the screen; the actions that it means.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from rich.text import Text

from rulewright import limits
from rulewright.bots.bot_specs import BOTS, Seated
from rulewright.engine.notation import DECLINED, NotationError
from rulewright.engine.reference.legal_actions import DECLINE
from rulewright.engine.state import Action, Decision
from rulewright.model.locale import ENGLISH
from rulewright.model.rules import Choose
from rulewright.session.session import CannotRedo, CannotUndo
from rulewright.session.shorthand import NoAnswer, NotLegalNow
from rulewright.terminal.aliases import lettered, spellings
from rulewright.terminal.atomic_write import kept
from rulewright.terminal.boxes import HEADING, MARKS
from rulewright.terminal.legend import legend
from rulewright.terminal.menu import Menu, is_open
from rulewright.terminal.reasons import judged, reasons_lines, wrapped
from rulewright.terminal.terminal_messages import table
from rulewright.terminal.transcript import done_line, together_lines

if TYPE_CHECKING:
    from rulewright.terminal.game_loop import Game

NAMES: Final = ("help", "why", "hint", "undo", "redo", "board", "log", "save", "quit")
FORMS: Final = ("number", "action", "piece", "empty")  # what else can be typed
ADVISERS: Final = ("heuristic", "greedy")  # bots that answer at once, the strongest first
SHORT: Final = {"?": "help", "h": "help", "help": "help", "aide": "help", "q": "quit", "exit": "quit"}


class Commands:
    """The commands of one game at one terminal."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.words = game.words
        self.rules = game.match.rules
        self.speaker = game.menus.speaker
        self._called = dict(SHORT)
        for name in NAMES:
            for use in (table(ENGLISH)[f"use_{name}"], self.words(f"use_{name}")):
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

    def done(self, typed: str, seat: int, menu: Menu) -> bool:
        """Carries out a command; false when it is none."""
        word, _, rest = typed.partition(" ")
        word = word.lower()
        if word.startswith(":"):
            word = word[1:]
        elif self.rules.action(word) is not None:
            return False
        name = self._called.get(word)
        if name is not None:
            self._do[name](rest.strip(), seat, menu)
        return name is not None

    # ---- actions by name ----------------------------------------------------------------------------------

    def meant(self, typed: str, seat: int) -> tuple[Action, ...]:
        """The legal actions that a text can mean; says why when there is none."""
        found = self._read(typed, seat)
        if isinstance(found, Action):
            self._reasons(found, seat, brief=True)
            return ()
        return found

    def _read(self, typed: str, seat: int) -> tuple[Action, ...] | Action:
        """The legal actions that a text can mean, or one that is not legal; says so when it means nothing."""
        session, code, looks = self.game.session, self.words.code, self.game.board.looks
        found: dict[Action, None] = {}
        wish: Action | None = None
        no_answer: NoAnswer | None = None
        for texts in (lettered(typed, looks, seat), (*spellings(typed, looks, seat), typed)):
            for text in dict.fromkeys(texts):
                try:
                    found.update(dict.fromkeys(session.read(text, language=code)))
                except NotLegalNow as refused:
                    wish = wish or refused.wish
                except NotationError as error:
                    said = str(error)
                    no_answer = error if isinstance(error, NoAnswer) else no_answer
            if found:
                break  # a letter as it is drawn is not the beginning of another name
        if found or wish is not None:
            return tuple(found) or wish or ()
        if no_answer is not None and no_answer.begun.number not in {one.number for one in session.legal()}:
            return no_answer.begun  # whatever were answered
        if no_answer is not None and (can_be := self._can_be(no_answer, seat)):
            self.game.say(*wrapped(can_be))
            return ()
        if code != ENGLISH:
            names = ", ".join(self.game.menus.name(action.number) for action in self.rules.actions)
            said = self.words("not_understood", typed=typed[: limits.MAX_LISTED_ACTIONS], actions=names)
        self.game.say(*wrapped(f"{said.rstrip('.')}."))
        return ()

    def _can_be(self, wrong: NoAnswer, seat: int) -> str:
        """What can be answered in place of a word, and what the rules say of that choice; nothing when that is not
        chosen yet, as pieces one by one.
        """
        match, menus, begun = self.game.match, self.game.menus, wrong.begun
        at = len(begun.values)
        legal = [one for one in match.legal() if one.number == begun.number and len(one.values) > at]
        same = [one for one in legal if one.values[:at] == begun.values] or legal
        if not same:
            return ""
        choice = self.rules.actions[begun.number].choices[at]
        answers = list(dict.fromkeys(menus.answer(one.values[at], choice.type) for one in same))
        more = ", …" if len(answers) > limits.MAX_LISTED_ANSWERS else ""
        said = self.words(
            "no_answer",
            typed=wrong.word[: limits.MAX_LISTED_ACTIONS],
            choice=choice.name,
            answers=", ".join(answers[: limits.MAX_LISTED_ANSWERS]),
        )
        sentence = self.speaker.sentence(choice.address)
        why = ""
        if sentence is not None and not is_open(sentence):
            why = self.speaker.say(
                choice.address, match.engine.context(match.state), seat, match.views.hides(match.state, seat)
            )
        return f"{said}{more}. {why}".rstrip()

    def _reasons(self, wish: Action, seat: int, *, brief: bool) -> None:
        session, code = self.game.session, self.words.code
        reasons = session.why_not(wish, seat=seat, language=code)
        self.game.say(*reasons_lines(reasons, self.rules, code, brief=brief))

    # ---- commands -----------------------------------------------------------------------------------------

    def _help(self, rest: str, seat: int, menu: Menu) -> None:
        """Teaches: what can be done now and what it does, what can be typed, what the signs mean."""
        match, words = self.game.match, self.words
        decision = match.state.waiting
        assert isinstance(decision, Decision)
        views = match.views
        said = self.speaker.say(
            views.step(decision), match.engine.context(match.state), seat, views.hides(match.state, seat)
        )
        lines: list[str | Text] = [Text(words("help_now"), HEADING), *(wrapped(said, "  ") if said else [])]
        legal = match.legal()
        letters = self.game.menus.letters(legal)
        for number in dict.fromkeys(action.number for action in legal):
            name = self.game.menus.name(number)
            known = DECLINED if number == DECLINE.number else self.rules.actions[number].name
            called = f"{name} ({known})" if name != known else name
            said = self._sentence(number)
            lines += wrapped(f"{called}: {said}" if said else called, f"  {letters.get(number, ''):<1} ", " " * 8)
        effect = self.rules.blocks[decision.block].steps[decision.at].effect
        assert isinstance(effect, Choose)
        open_ = {action.number for action in legal}
        closed = [self.game.menus.name(one.action) for one in effect.offers if one.action not in open_]
        if closed:
            lines += wrapped(words("not_now", actions=", ".join(closed), name=closed[0]), "  ")
        if letters:
            mark = Text.assemble("  ", (next(iter(letters.values())), MARKS))
            lines += [mark + Text(part[3:]) for part in wrapped(words("marks"), "    ")[:1]]
            lines += wrapped(words("marks"), "    ")[1:]
        signs = legend(self.game.menus.looks, legal, self.game.screen.width)
        lines += ["", Text(words("help_signs"), HEADING), *signs] if signs else []
        lines += ["", Text(words("help_type"), HEADING)]
        example = self._example()
        pairs = [(words(f"form_{form}"), words(f"form_{form}_does", example=example)) for form in FORMS]
        pairs += [(words(f"use_{name}"), words(f"does_{name}")) for name in NAMES]
        wide = max(len(use) for use, _ in pairs)
        for use, does in pairs:
            lines += wrapped(does, f"  {use:<{wide}}  ")
        self.game.say(*lines, *wrapped(words("help_end"), "  "))

    def _example(self) -> str:
        """A legal action as one would type it from the screen, with answers if there is one with any."""
        session, menus = self.game.session, self.game.menus
        for action in session.legal():
            if action == DECLINE or action.token is not None or not action.values:
                continue
            choices = self.rules.actions[action.number].choices
            for said in (lambda value, type_: menus.text(value, type_).plain, menus.answer):
                answers = [said(value, choice.type) for value, choice in zip(action.values, choices, strict=True)]
                text = " ".join([menus.name(action.number), *answers])
                for spelling in spellings(text, self.game.board.looks, session.seat or 0):
                    with suppress(NotationError):
                        if session.read(spelling, language=self.words.code) == (action,):
                            return text
        return self.game.match.notation.write(session.legal()[0])

    def _sentence(self, number: int) -> str:
        """What an action does, in the words of the rules; what they leave open stays open."""
        if number == DECLINE.number:
            return self.words("declining")
        return self.game.menus.said(self.game.match.state, number)

    def _why(self, rest: str, seat: int, menu: Menu) -> None:
        if not rest:
            self.game.say(*wrapped(self.words("why_what")))
            return
        found = self._read(rest, seat)
        if isinstance(found, Action):
            self._reasons(found, seat, brief=False)
        elif found:
            text = self.game.match.notation.write(found[0]) if len(found) == 1 else rest
            self.game.say(*wrapped(judged(self.rules, self.words.code, text, seat, legal=True)))

    def _hint(self, rest: str, seat: int, menu: Menu) -> None:
        """What a bot would do that knows no more than the seat."""
        match = self.game.match
        name = next(one for one in ADVISERS if one in BOTS)
        action = BOTS[name](0, seat).choose(Seated(match.engine, match.state, seat, match.legal()))
        at = next((at for at, one in enumerate(menu.options, start=1) if one.actions == (action,)), 0)
        number = self.words("hint_number", number=at) if at else ""
        self.game.say(*wrapped(self.words("hint", bot=name, action=match.notation.write(action)) + number))

    def _log(self, rest: str, seat: int, menu: Menu) -> None:
        for number, done in enumerate(self.game.match.history, start=1):
            line = done_line(number, done, seat, self.words)
            self.game.say(*wrapped(line, "", " " * 14), *together_lines(done, self.words))
        if not self.game.match.history:
            self.game.say(self.words("no_log"))

    def _undo(self, rest: str, seat: int, menu: Menu) -> None:
        try:
            self.game.say(self.words("undone", number=self.game.undo()))
        except CannotUndo as refused:
            free = "" if refused.cause == "nothing" else f" {self.words('undo_free')}"
            said = self.words(f"undo_{refused.cause}", number=refused.number)
            self.game.say(*wrapped(f"{said}{free}"))

    def _redo(self, rest: str, seat: int, menu: Menu) -> None:
        try:
            self.game.say(self.words("redone", number=self.game.redo()))
        except CannotRedo:
            self.game.say(self.words("no_redo"))

    def _save(self, rest: str, seat: int, menu: Menu) -> None:
        if not rest:
            self.game.say(self.words("save_what"))
            return
        self.game.say(kept(self.words, rest, self.game.session.saved() + "\n"))

    def _quit(self, rest: str, seat: int, menu: Menu) -> None:
        self.game.leave()


__all__ = ["Commands"]

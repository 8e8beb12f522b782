"""What a player can type beside the number of a choice: an action by its name, and the commands of the terminal.

In: a line, the seat that typed it, the menu before it. Out: what it says on the screen; the actions that it means.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from rich.text import Text

from rulewright.engine.explain import Explainer
from rulewright.engine.legal import DECLINE
from rulewright.engine.notation import NotationError
from rulewright.engine.saved import dumps
from rulewright.engine.state import Action, Decision
from rulewright.front.frames import HEADING, MARKS
from rulewright.front.keeping import kept
from rulewright.front.menu import Menu
from rulewright.front.record import done_line, together_lines
from rulewright.front.told import judged, reasons_lines, wrapped
from rulewright.front.words import table
from rulewright.model.rules import Choose
from rulewright.model.sentences import ENGLISH
from rulewright.play.bots import BOTS, Seated

if TYPE_CHECKING:
    from rulewright.front.game import Game

NAMES: Final = ("help", "why", "hint", "board", "log", "save", "quit")
FORMS: Final = ("number", "action", "empty")  # what else can be typed
ADVISERS: Final = ("greedy",)  # bots that answer at once, the strongest first
SHORT: Final = {"?": "help", "q": "quit", "exit": "quit"}


class Commands:
    """The commands of one game at one terminal."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.words = game.words
        self.rules = game.match.rules
        self.explainer = Explainer(game.match.engine, game.words.code)
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
        """The legal actions that a text means; says why when there is none."""
        try:
            wish = self.game.match.notation.parse(typed)
        except NotationError as error:
            self.game.say(*wrapped(f"{error}."))
            return ()
        found = self._completing(wish)
        if not found:
            self._why(typed, seat, None, brief=True)
        return found

    def _completing(self, wish: Action) -> tuple[Action, ...]:
        match = self.game.match
        exact = match.meant(wish)
        if exact is not None:
            return (exact,)
        made = len(wish.values)
        return tuple(
            action
            for action in match.legal()
            if wish.token is None
            and action.number == wish.number
            and len(action.values) >= made
            and match.meant(Action(wish.number, (*wish.values, *action.values[made:]), action.token)) == action
        )

    # ---- commands -----------------------------------------------------------------------------------------

    def _help(self, rest: str, seat: int, menu: Menu) -> None:
        """Teaches: what can be done now and what it does, what can be typed, what the signs mean."""
        match, words = self.game.match, self.words
        decision = match.state.waiting
        assert isinstance(decision, Decision)
        explainer, views = self.explainer, match.views
        said = explainer.speaker.say(
            views.step(decision), match.engine.context(match.state), seat, views.hides(match.state, seat)
        )
        lines: list[str | Text] = [Text(words("help_now"), HEADING), *wrapped(said, "  ")] if said else []
        legal = match.legal()
        letters = self.game.menus.letters(legal)
        for number in dict.fromkeys(action.number for action in legal):
            name = words("decline") if number == DECLINE.number else self.rules.actions[number].name
            first = f"  {letters.get(number, ''):<1} {name}  "
            lines += wrapped(self._sentence(number), first, " " * 8)
        effect = self.rules.blocks[decision.block].steps[decision.at].effect
        assert isinstance(effect, Choose)
        open_ = {action.number for action in legal}
        closed = [self.rules.actions[one.action].name for one in effect.offers if one.action not in open_]
        if closed:
            lines += wrapped(words("not_now", actions=", ".join(closed), name=closed[0]), "  ")
        if letters:
            mark = Text.assemble("  ", (next(iter(letters.values())), MARKS))
            lines += [mark + Text(part[3:]) for part in wrapped(words("marks"), "    ")[:1]]
            lines += wrapped(words("marks"), "    ")[1:]
        lines += ["", Text(words("help_type"), HEADING)]
        pairs = [(words(f"form_{form}"), words(f"form_{form}_does")) for form in FORMS]
        pairs += [(words(f"use_{name}"), words(f"does_{name}")) for name in NAMES]
        wide = max(len(use) for use, _ in pairs)
        for use, does in pairs:
            lines += wrapped(does, f"  {use:<{wide}}  ")
        lines += [*wrapped(words("help_end"), "  "), ""]
        self.game.say(*lines, *menu.lines)

    def _sentence(self, number: int) -> str:
        """What an action does, in the words of the rules; what they leave open stays open."""
        if number == DECLINE.number:
            return self.words("declining")
        return self.game.menus.said(self.game.match.state, number)

    def _why(self, rest: str, seat: int, menu: Menu | None, *, brief: bool = False) -> None:
        if not rest:
            self.game.say(self.words("why_what"))
            return
        try:
            wish = self.game.match.notation.parse(rest)
        except NotationError as error:
            self.game.say(*wrapped(f"{error}."))
            return
        reasons = self.explainer.why_not(self.game.match.state, seat, wish)
        if not reasons:
            self.game.say(judged(self.rules, self.words.code, rest, seat, legal=True))
        self.game.say(*reasons_lines(reasons, self.rules, self.words.code, brief=brief))

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
            self.game.say(done_line(self.words, number, done, seat), *together_lines(self.words, done))
        if not self.game.match.history:
            self.game.say(self.words("no_log"))

    def _save(self, rest: str, seat: int, menu: Menu) -> None:
        if not rest:
            self.game.say(self.words("save_what"))
            return
        match = self.game.match
        self.game.say(kept(self.words, rest, dumps(match.engine, match.state) + "\n"))

    def _quit(self, rest: str, seat: int, menu: Menu) -> None:
        self.game.leave()


__all__ = ["Commands"]

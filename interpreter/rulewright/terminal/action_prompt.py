"""What a player types until an action is chosen: numbers of the list on the screen, pieces, words, commands.

In: lines, the list on the screen. Out: one legal action; or None when a command has changed the position. A number is
always that of the list now on the screen, also behind an action's name. What a text left open is shown in words, and
confirmed where it cannot be undone; an action picked by its number is not asked for again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from rulewright.engine.state import Action
from rulewright.frozen import mutable
from rulewright.terminal.commands import Commands
from rulewright.terminal.final_actions import is_final, needless_wild
from rulewright.terminal.menu import Menu
from rulewright.terminal.menu_pieces import Pieces, find_piece
from rulewright.terminal.numbered_input import NUMBERS, NumberedLine
from rulewright.terminal.play_context import PlayContext
from rulewright.terminal.reasons import wrap

MAX_SHOWN_WORDS: Final = 30  # characters of what has narrowed a list, in the prompt
LISTING_COMMANDS: Final = ("help", "board", "log")  # what they print pushes the list off the screen


@mutable
class _List:
    """The list on the screen. `words`: all that has narrowed it to some of the legal actions, as it was typed; empty
    for all of them. `meaning`: the words among that, without numbers of lists, before which further words are read.
    """

    menu: Menu
    actions: Sequence[Action]
    words: str = ""
    meaning: str = ""
    pieces: Pieces | None = None

    def words_with(self, typed: str) -> str:
        """What narrows the list, and one thing more."""
        return f"{self.words} {typed}".strip()


class ActionPrompt:
    """One decision of a player. `show_screen` draws the board with all that is legal; `ask` reads a line."""

    def __init__(
        self,
        context: PlayContext,
        commands: Commands,
        seat: int,
        show_screen: Callable[[], Menu],
        ask: Callable[[str], str],
    ) -> None:
        self.context = context
        self.commands = commands
        self.seat = seat
        self.messages = context.messages
        self._show_screen = show_screen
        self._ask = ask
        self._state = context.session.state

    def choose(self, menu: Menu) -> Action | None:
        """Asks until a legal action is chosen; None when a command has changed the position."""
        shown = _List(menu, self.context.match.legal())
        while self.context.session.state is self._state:
            typed = self._ask(self._prompt(shown)).strip()
            if not typed:
                shown = _List(self._show_screen(), self.context.match.legal())
                continue
            narrowed = self._read(typed, shown)
            if narrowed is None:
                continue
            if isinstance(narrowed, Action):
                return narrowed
            shown = narrowed
        return None

    def _prompt(self, shown: _List) -> str:
        key = "prompt_narrowed" if shown.words else "prompt"
        words = shown.words if len(shown.words) <= MAX_SHOWN_WORDS else f"…{shown.words[1 - MAX_SHOWN_WORDS :]}"
        return self.messages(key, seat=self.seat, most=len(shown.menu.options), words=words)

    def _read(self, typed: str, shown: _List) -> Action | _List | None:
        """The action that a line chooses, or the list of what it leaves open; None when it chooses nothing."""
        if NUMBERS.fullmatch(typed):
            return self._by_number(NumberedLine(typed), shown)
        if typed.startswith("+"):
            return self._by_piece(typed[1:].strip(), shown)
        name = self.commands.execute(typed, self.seat, shown.menu)
        if name is not None:
            if name in LISTING_COMMANDS and self.context.session.state is self._state:
                self.context.screen.print_lines(("", *shown.menu.lines))
            return None
        numbered = self.commands.numbered_input.parse(typed)
        return self._by_words(typed, shown) if numbered is None else self._by_number(numbered, shown)

    def _by_number(self, line: NumberedLine, shown: _List) -> Action | _List | None:
        """An option of the list."""
        option = self.commands.numbered_input.find_option(line, shown.menu)
        if isinstance(option, str):
            self.context.print(*wrap(option))
            return None
        if len(option.actions) == 1:
            return option.actions[0]
        words = shown.words_with(f"{line.name} {line.number}".strip())
        return self._list(option.actions, words, shown.meaning, option.pieces)

    def _by_piece(self, typed: str, shown: _List) -> Action | _List | None:
        matches, pieces = find_piece(self.commands.theme, shown.actions, typed, shown.pieces)
        if not matches:
            self.context.print(self.messages("no_piece" if typed else "which_piece", piece=typed))
            return None
        if len(matches) == 1:
            return self._confirmed(matches[0], is_completed=True)
        return self._list(matches, shown.words_with(f"+{typed}"), f"{shown.meaning} {typed}".strip(), pieces)

    def _by_words(self, typed: str, shown: _List) -> Action | _List | None:
        """In a narrowed list words mean what they mean behind those that narrowed it, else one of its actions; what
        is none of them is read as in the whole list.
        """
        for line in dict.fromkeys((f"{shown.meaning} {typed}".strip(), typed)) if shown.words else ():
            matches = self.commands.find_listed(line, shown.actions)
            if len(matches) == 1:
                return self._confirmed(matches[0], is_completed=not self.commands.says_all(line, matches[0]))
            if matches:
                says_more = line != typed or matches != self.commands.find_listed(typed, self.context.match.legal())
                return self._list(matches, shown.words_with(typed) if says_more else typed, line, None)
        # a wrong answer is explained as one to what is asked
        line = f"{shown.meaning} {typed}".strip() if shown.words and self.commands.is_unknown(typed) else typed
        matches = self.commands.find_actions(line, self.seat)
        # an answer alone does not choose what is not in the list
        if len(matches) == 1 and (not shown.words or self.commands.names(typed, matches[0])):
            return self._confirmed(matches[0], is_completed=not self.commands.says_all(typed, matches[0]))
        return self._list(matches, line, line, None) if matches else None

    def _list(self, actions: tuple[Action, ...], words: str, meaning: str, pieces: Pieces | None) -> _List:
        """Shows the list of some actions."""
        screen = self.context.screen
        menu = self.context.menu_builder.build(self._state, actions, screen.width, screen.height - 2, pieces)
        screen.print_lines(menu.lines)
        return _List(menu, actions, words, meaning, pieces)

    # ---- what cannot be undone ----------------------------------------------------------------------------

    def _confirmed(self, action: Action, *, is_completed: bool) -> Action | None:
        """The action, unless the player takes it back: asked where a text was completed to something final, or pays
        with more wild pieces than it must. Nobody is asked in a pipe, where no one could answer.
        """
        session = self.context.session
        if not self.context.screen.is_terminal:
            return action
        wild = needless_wild(session.engine, session.match.legal(), action)
        if not is_completed and wild is None:
            return action
        words = self.commands.notation_text(action)
        if wild is not None:
            question = self.messages("confirm_wild", action=words, wild=self.commands.theme.member_name(*wild))
        elif session.policy == "fair" and is_final(session.engine, self._state, self.seat, action, self.context.humans):
            question = self.messages("confirm", action=words)
        else:
            self.context.print(words)
            return action
        answer = self._ask(question).strip().lower()
        if answer and self.messages("yes").startswith(answer):
            return action
        self.context.print(self.messages("not_done"))
        return None


__all__ = ["ActionPrompt"]

"""`rulewright play`: a game on the terminal, with people, bots or both; in a pipe bots play and all is printed.

In: parsed arguments, lines typed. Out: the board, menus and what happened, each as the one who looks may know it.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Container, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from typing import Final

from rulewright.engine import chance
from rulewright.engine.explain import Explainer
from rulewright.engine.notation import NotationError
from rulewright.engine.reference import Engine
from rulewright.engine.saved import dumps
from rulewright.engine.state import Action, Chance, Decision, State
from rulewright.front import opening
from rulewright.front.board import Board
from rulewright.front.keeping import kept
from rulewright.front.menu import MANY, Menu, Option
from rulewright.front.record import Recorder, done_line, ranking_lines, together_lines
from rulewright.front.told import headline, judged, reasons_lines, wrapped
from rulewright.front.watch import watch
from rulewright.front.wrong import Wrong
from rulewright.model.rules import Choose
from rulewright.play.bots import BOTS, Bot, Seated, made
from rulewright.play.match import Done, Match

HELP: Final = (
    ("a number", "that line of the list"),
    ("an action", "in notation, such as  name(choice=value, other=2 of_this + 1 of_that)"),
    ("(empty line)", "back to the first list"),
    ("?", "this help, and the list with what each action does"),
    ("why ACTION", "every rule that forbids an action, with its values, source and place"),
    ("board", "draw the board again"),
    ("log", "what was done so far"),
    ("save FILE", "write the position to a file (for `rulewright play --resume FILE`)"),
    ("quit", "stop; also q and exit"),
)
HELP_END: Final = "Where an action has one of these names, write :board, :log, :quit for the command."
CLEAR: Final = "\033[H\033[2J\033[3J"
HUMAN: Final = "human"
ENDED: Final = "\nThe input has ended; the game stops here."


class Over(Exception):
    """Somebody wants to stop; the text says goodbye."""


def run(wish: Namespace) -> int:
    """Plays a game to its end, or until the input ends."""
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if terminal:
        _lines_can_be_edited()
    seed = wish.seed if wish.seed is not None else opening.new_seed()
    if wish.resume:
        if wish.first is not None:
            raise Wrong("--first belongs to a new game, not to one that is resumed")
        engine, state = opening.resumed(wish.resume, wish)
        state = with_chance(engine, state, seed)
    else:
        engine = opening.opened(wish)
        state = engine.start(first=opening.seat(engine.rules, wish.first or 0), seed=seed)
    code = opening.language(engine.rules, wish.lang)
    seats = _seats(engine.rules.players, wish.seat, terminal)
    match = Match(engine, state)
    players = {
        seat: made(opening.bot(engine.rules, who), engine.rules, seed, seat)
        for seat, who in enumerate(seats)
        if who != HUMAN
    }
    print("\n".join(_head(match, seats, seed, resumed=bool(wish.resume))))
    if HUMAN not in seats:
        watch(match, Board(engine, code), players, wish.cap)
        return 0
    try:
        Game(match, code, players, terminal).play()
    except Over as over:
        print(over)
    return 0


def _lines_can_be_edited() -> None:
    """Where there is readline, `input` uses it as soon as it is imported."""
    with suppress(ImportError):
        import_module("readline")


def with_chance(engine: Engine, state: State, seed: int) -> State:
    """The position with a generator of its own, if it had its chance from outside."""
    if state.rng is not None:
        return state
    state = replace(state, rng=chance.seeded(seed))
    if isinstance(state.waiting, Chance):
        rng, outcome = chance.pick(chance.seeded(seed, stream=len(BOTS)), state.waiting.outcomes)
        state = engine.feed(replace(state, rng=rng), outcome)
    return state


def _seats(players: int, given: list[str] | None, terminal: bool) -> list[str]:
    if given is not None and len(given) > players:
        raise Wrong(f"--seat is given {len(given)} times, and {players} play")
    chosen = given if given is not None else [HUMAN] if terminal else []
    return [*chosen, *["greedy"] * (players - len(chosen))]


def _head(match: Match, seats: list[str], seed: int, *, resumed: bool) -> list[str]:
    lines = [headline(match.rules)]
    lines += wrapped(", ".join(f"seat {seat}: {who}" for seat, who in enumerate(seats)))
    again = "" if resumed else f"; again with --seed {seed}"
    lines.append(f"seat {match.state.first} began" if resumed else f"seat {match.state.first} begins{again}")
    return lines


# ---- with people ------------------------------------------------------------------------------------------------


class Game:
    """A game in which people play at this terminal. Nothing is shown that the one in front of it may not see."""

    def __init__(self, match: Match, code: str, bots: dict[int, Bot], terminal: bool) -> None:
        self.match = match
        self.code = code
        self.bots = bots
        self.terminal = terminal
        self.board = Board(match.engine, code)
        self.menu = Menu(self.board)
        self.explainer = Explainer(match.engine, code)
        self.humans = [seat for seat in range(match.rules.players) if seat not in bots]
        self.secret = len(self.humans) > 1 and has_secrets(match)
        self.at_screen: int | None = None if self.secret else self.humans[0]
        self.told: dict[int, int] = dict.fromkeys(self.humans, 0)
        self.recorders = {seat: Recorder(self.board, seat) for seat in self.humans}
        self.explained: set[int] = set()  # actions whose sentence was said in a menu
        self.states: list[State] = [match.state]  # before each action, and the last

    def play(self) -> None:
        """Plays to the end; raises `Over` when somebody stops."""
        while self.match.seat is not None:
            seat = self.match.seat
            if seat in self.bots:
                self._act(self.bots[seat].choose(Seated(self.match.engine, self.match.state, seat, self.match.legal())))
            else:
                self._turn(seat)
        self._end()

    def _act(self, action: Action) -> Done:
        done = self.match.act(action)
        self.states.append(self.match.state)
        return done

    def _turn(self, seat: int) -> None:
        if self.secret and self.at_screen != seat:
            if self.at_screen is not None:
                print(CLEAR if self.terminal else "\n" * 3, end="")
                _forget_lines()
            self._ask(f"Seat {seat}, press Enter when nobody else looks: ")
        self.at_screen = seat
        print("\n".join(["", *self.board.lines(self.match.state, seat), ""]))
        self._recap(seat)
        done = self._act(self._chosen(seat))
        if not self.secret:  # else the screen is cleared now, and the seat reads it when it is back
            number = len(self.match.history)
            print("\n".join(self.recorders[seat].lines(number, done, *self.states[-2:], said=False, own=True)))
            self.told[seat] = number

    def _recap(self, seat: int) -> None:
        """What happened since the seat was last told; it stands below the board, so that it is not scrolled away."""
        since = range(self.told[seat], len(self.match.history))
        for at in since:
            done, (before, after) = self.match.history[at], self.states[at : at + 2]
            own = done.seat == seat
            print("\n".join(self.recorders[seat].lines(at + 1, done, before, after, said=False, own=own)))
        if since:
            print()
        self.told[seat] = len(self.match.history)

    def _end(self) -> None:
        spectator = self.match.rules.players
        recorder = self.recorders[self.humans[0]] if len(self.humans) == 1 else Recorder(self.board, spectator)
        shown = self.told.values()
        for at in range(min(shown) if self.secret else max(shown), len(self.match.history)):
            lines = recorder.lines(at + 1, self.match.history[at], *self.states[at : at + 2], said=False)
            print("\n".join(lines))
        print("\n".join(["", *self.board.lines(self.match.state, "all"), "", *ranking_lines(self.match)]))

    # ---- choosing -----------------------------------------------------------------------------------------

    def _chosen(self, seat: int) -> Action:
        """Asks until a legal action is chosen."""
        options = self._listed(self.match.legal())
        step = self.match.state.waiting
        asked = self.match.views.step(step) if isinstance(step, Decision) else ""
        while True:
            typed = self._ask(f"Seat {seat}, {asked} (? for help): ").strip()
            if not typed:
                options = self._listed(self.match.legal())
                continue
            if typed.isascii() and typed.isdecimal() and len(typed) < 6:
                if not 1 <= int(typed) <= len(options):
                    print(f"The list goes from 1 to {len(options)}.")
                    continue
                found = options[int(typed) - 1].actions
            elif self._word(typed) in ("?", "help"):
                self._help()
                options = self._listed(self.match.legal(), explained=())
                continue
            elif self._command(typed, seat):
                continue
            else:
                found = self._named(typed, seat)
            if len(found) == 1:
                return found[0]
            if found:
                options = self._listed(found)

    def _help(self) -> None:
        for word, text in HELP:
            print("\n".join(wrapped(text, f"  {word:<18}")))
        print("\n".join(wrapped(HELP_END)))

    def _listed(self, actions: Sequence[Action], explained: Container[int] | None = None) -> list[Option]:
        """Prints a menu of actions and returns its options; what an action does is said the first time only."""
        options = self.menu.options(self.match.state, actions, self.explained if explained is None else explained)
        if len({action.number for action in actions}) > 1 and len(actions) > MANY:
            self.explained.update(action.number for action in actions)
        for number, option in enumerate(options, start=1):
            print("\n".join(wrapped(option.text, f"{number:>4}  ")))
        return options

    def _word(self, typed: str) -> str:
        """The command that was typed, in small letters, if it is one and no action is called that."""
        word = typed.partition(" ")[0].lower()
        if word.startswith(":"):
            return word[1:]
        return "" if self.match.rules.action(word) is not None else word

    def _command(self, typed: str, seat: int) -> bool:
        """Carries out a command; false when it is none."""
        rest = typed.partition(" ")[2].strip()
        match self._word(typed):
            case "why":
                self._why(rest, seat)
            case "board":
                print("\n".join(self.board.lines(self.match.state, seat)))
            case "log":
                for number, done in enumerate(self.match.history, start=1):
                    print("\n".join([done_line(number, done, seat), *together_lines(done)]))
                if not self.match.history:
                    print("Nothing was done yet.")
            case "save":
                self._save(rest)
            case "q" | "quit" | "exit":
                raise Over("Goodbye.")
            case _:
                return False
        return True

    def _named(self, typed: str, seat: int) -> tuple[Action, ...]:
        """The legal actions that a text means; says why when there is none."""
        try:
            wish = self.match.notation.parse(typed)
        except NotationError as error:
            print("\n".join(wrapped(f"{error}.")))
            return ()
        found = self._meant(wish)
        if not found:
            self._why(typed, seat, brief=True)
        return found

    def _meant(self, wish: Action) -> tuple[Action, ...]:
        exact = self.match.meant(wish)
        if exact is not None:
            return (exact,)
        made = len(wish.values)
        return tuple(
            action
            for action in self.match.legal()
            if wish.token is None
            and action.number == wish.number
            and len(action.values) >= made
            and self.match.meant(Action(wish.number, (*wish.values, *action.values[made:]), action.token)) == action
        )

    def _why(self, text: str, seat: int, *, brief: bool = False) -> None:
        if not text:
            print("Write the action behind it: why name(choice=value)")
            return
        try:
            wish = self.match.notation.parse(text)
        except NotationError as error:
            print("\n".join(wrapped(f"{error}.")))
            return
        reasons = self.explainer.why_not(self.match.state, seat, wish)
        if not reasons:
            print(judged(self.match.rules, self.code, text, seat, legal=True))
        for line in reasons_lines(reasons, self.match.rules, self.code, brief=brief):
            print(line)

    def _save(self, name: str) -> None:
        if not name:
            print("Write the file's name behind it: save my-game.json")
            return
        print(kept(name, dumps(self.match.engine, self.match.state) + "\n"))

    def _ask(self, prompt: str) -> str:
        if self.terminal:  # there a line can be edited
            try:
                return input(prompt)
            except EOFError:
                raise Over(ENDED) from None
        print(prompt, end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            raise Over(ENDED)
        return line


def has_secrets(match: Match) -> bool:
    """Whether somebody may see what others at the same keyboard may not: hidden places, or choices made in secret."""
    return any(zone.seen_by != "all" for zone in match.rules.zones.values()) or any(
        isinstance(step.effect, Choose) and step.effect.how == "together"
        for block in match.rules.blocks
        for step in block.steps
    )


def _forget_lines() -> None:
    """The one who sits down next must not find in the history of lines what was typed before."""
    readline = sys.modules.get("readline")
    if readline is not None:
        readline.clear_history()


__all__ = ["Game", "has_secrets", "run", "with_chance"]

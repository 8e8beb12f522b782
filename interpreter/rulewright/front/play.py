"""`rulewright play`: a game on the terminal, with people, bots or both; in a pipe bots play and all is printed.

In: parsed arguments, lines typed. Out: the board, menus and what happened, each as the one who looks may know it.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from rulewright.engine import chance
from rulewright.engine.explain import Explainer
from rulewright.engine.notation import NotationError
from rulewright.engine.reference import Engine
from rulewright.engine.saved import dumps
from rulewright.engine.state import Action, Chance, Decision, State
from rulewright.front import opening
from rulewright.front.board import Board
from rulewright.front.menu import Menu, Option
from rulewright.front.record import Recorder, done_line, ranking_lines, together_lines
from rulewright.front.told import headline, judged, reasons_lines, wrapped
from rulewright.front.wrong import Wrong
from rulewright.play.bots import BOTS, Bot, Seated
from rulewright.play.match import Done, Match
from rulewright.play.simulate import within

HELP: Final = """\
  a number          that line of the list
  an action         in notation, such as  name(choice=value, other=2 of_this + 1 of_that)
  (empty line)      back to the first list
  why ACTION        every rule that forbids an action, with its values and its place
  board             draw the board again
  log               what was done so far
  save FILE         write the position to a file (for `rulewright play --resume FILE`)
  quit              stop
Where an action has one of these names, write :board, :log, :quit for the command."""
CLEAR: Final = "\033[H\033[2J\033[3J"
HUMAN: Final = "human"


class Over(Exception):
    """Somebody wants to stop; the text says goodbye."""


def run(wish: Namespace) -> int:
    """Plays a game to its end, or until the input ends."""
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
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
    players = {seat: BOTS[who](seed, seat) for seat, who in enumerate(seats) if who != HUMAN}
    print("\n".join(_head(match, seats, seed, resumed=bool(wish.resume))))
    if HUMAN not in seats:
        _watch(match, Board(engine, code), players, wish.cap)
        return 0
    try:
        Game(match, code, players, terminal).play()
    except Over as over:
        print(over)
    return 0


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


# ---- bots among themselves --------------------------------------------------------------------------------------


def _watch(match: Match, board: Board, bots: dict[int, Bot], cap: int) -> None:
    """Plays the game through, or to the cap of turns, and prints it for a spectator; in the end all is open."""
    spectator = match.rules.players
    recorder = Recorder(board, spectator)
    print("\n".join(["", *board.lines(match.state, None), ""]))
    hidden: list[str] = []
    while match.seat is not None and within(cap, match.state, len(match.history)):
        before, seat = match.state, match.seat
        done = match.act(bots[seat].choose(Seated(match.engine, before, seat, match.legal())))
        number = len(match.history)
        if number == 1 or match.history[-2].round != done.round:
            print(f"Round {done.round}")
        print("\n".join(recorder.lines(number, done, before, match.state)), flush=True)
        if done.told[spectator] != done.told[done.seat] and not done.together:
            hidden.append(done_line(number, done, done.seat))
    print("\n".join(["", "The end, with everything open", *board.lines(match.state, "all")]))
    if hidden:
        print("\n".join(["", "What was hidden", *hidden]))
    if match.state.over:
        print("\n".join(["", *ranking_lines(match)]))
    else:
        print(f"\nGiven up after {match.state.turns} turns: the game is unfinished, and nobody has won.")


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
        secrets = any(zone.seen_by != "all" for zone in match.rules.zones.values())
        self.secret = secrets and len(self.humans) > 1
        self.at_screen: int | None = None if self.secret else self.humans[0]
        self.told: dict[int, int] = dict.fromkeys(self.humans, 0)
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
            self._ask(f"Seat {seat}, press Enter when nobody else looks: ")
        self.at_screen = seat
        self._recap(seat)
        print("\n".join(["", *self.board.lines(self.match.state, seat), ""]))
        self._act(self._chosen(seat))

    def _recap(self, seat: int) -> None:
        """What happened since the seat last looked, its own actions left out."""
        recorder = Recorder(self.board, seat)
        for at in range(self.told[seat], len(self.match.history)):
            done = self.match.history[at]
            if done.seat != seat or done.together:
                lines = recorder.lines(at + 1, done, self.states[at], self.states[at + 1], said=False)
                print("\n".join(lines))
        self.told[seat] = len(self.match.history)

    def _end(self) -> None:
        shown = set(self.told.values())
        spectator = self.match.rules.players
        viewer = self.humans[0] if len(self.humans) == 1 else spectator
        for at in range(max(shown), len(self.match.history)):
            done = self.match.history[at]
            print("\n".join([done_line(at + 1, done, viewer), *together_lines(done)]))
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
            elif self._command(typed, seat):
                continue
            else:
                found = self._named(typed, seat)
            if len(found) == 1:
                return found[0]
            if found:
                options = self._listed(found)

    def _listed(self, actions: Sequence[Action]) -> list[Option]:
        """Prints a menu of actions and returns its options."""
        options = self.menu.options(self.match.state, actions)
        for number, option in enumerate(options, start=1):
            print("\n".join(wrapped(option.text, f"{number:>4}  ")))
        return options

    def _word(self, typed: str) -> str:
        """The command that was typed, if it is one and no action is called that."""
        word = typed.partition(" ")[0]
        if word.startswith(":"):
            return word[1:]
        return "" if self.match.rules.action(word) is not None else word

    def _command(self, typed: str, seat: int) -> bool:
        """Carries out a command; false when it is none."""
        rest = typed.partition(" ")[2].strip()
        match self._word(typed):
            case "?" | "help":
                print(HELP)
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
            case "quit" | "exit":
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
            self._why(typed, seat)
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

    def _why(self, text: str, seat: int) -> None:
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
        for line in reasons_lines(reasons, self.match.rules, self.code):
            print(line)

    def _save(self, name: str) -> None:
        if not name:
            print("Write the file's name behind it: save my-game.json")
            return
        try:
            with Path(name).open("x", encoding="utf-8") as file:
                file.write(dumps(self.match.engine, self.match.state) + "\n")
        except FileExistsError:
            print(f"{name} is there already; choose another name.")
        except OSError as error:
            print(f"{name} cannot be written: {(error.strerror or str(error)).lower()}.")
        else:
            print(f"Saved, with everything that is hidden, in {name}.")

    def _ask(self, prompt: str) -> str:
        print(prompt, end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            raise Over("\nThe input has ended; the game stops here.")
        return line


__all__ = ["Game", "run", "with_chance"]

"""The game of a table in a compiled program, which lists and carries out actions sooner.

In: a program, a seed, actions as they are done. Out: what is legal, how the position looks from outside, what all see
of an action. Whatever else is asked (saved positions, views, reasons) the engine that defines what rules mean answers,
once it has done the same actions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NoReturn

from rulewright.bots.compiled_positions import ThinkingProgram
from rulewright.bots.native_positions import NativeThinking, make_thinking
from rulewright.engine.compiled.compiler import compile_program
from rulewright.engine.compiled.playing.followed_game import FollowedGame
from rulewright.engine.compiled.translation.refusal import NotCompiled
from rulewright.engine.engine_names import COMPILED_ENGINE, NATIVE_ENGINE, REFERENCE_ENGINE, EngineName
from rulewright.engine.faults import RuleFault
from rulewright.engine.interface import Engine
from rulewright.engine.notation import ActionData
from rulewright.engine.state import Action, State
from rulewright.session.match import Match


class NeedsReference(Exception):
    """What all see of an action depends on more than the positions before and after it."""


class TableProgram:
    """A program of some rules for a table. Raises `NotCompiled` for rules that have none, also where seats choose in
    secret, and `NoMachineCode`.
    """

    def __init__(self, engine: Engine, name: EngineName) -> None:
        tokenwise = tuple(engine.tokenwise)
        self.lister: ThinkingProgram = make_thinking(engine.rules, tokenwise=tokenwise, engine=name)
        self.name: EngineName = NATIVE_ENGINE if isinstance(self.lister, NativeThinking) else COMPILED_ENGINE
        refusal = self.lister.refusal if name == NATIVE_ENGINE else None
        self.text = self.name if refusal is None else f"{self.name} ({refusal})"
        if self.lister.program.together:
            raise NotCompiled(engine.rules.blocks[engine.rules.round].address, "to play at a table with secret choices")
        self.game = FollowedGame(
            compile_program(
                engine.rules, tokenwise=tokenwise, is_imagined=True, is_witnessed=True, checks_invariants=True
            )
        )


class PlayingPrograms:
    """The program of the rules that were played last. `engine`: which one is asked for; `tell`: is told, in words,
    which one plays.
    """

    def __init__(self, engine: EngineName, tell: Callable[[str], object]) -> None:
        self._asked = engine
        self._tell = tell
        self._last: tuple[Engine, TableProgram] | None = None

    def begin(self, engine: Engine, seed: int | None, first: int, from_outside: str = "chance") -> ProgramPlay | None:
        """A game as the engine begins it, in a program. None where the engine has to play it itself: because it is
        asked for, because chance (no seed) or what else is said comes `from_outside`, or since there is no program.
        """
        if self._asked == REFERENCE_ENGINE:
            return None
        reason = f"{from_outside} from outside"
        if seed is not None:
            try:
                if self._last is None or self._last[0] is not engine:
                    self._last = engine, TableProgram(engine, self._asked)
                program = self._last[1]
                play = ProgramPlay(program, seed, first)
                self._tell(f"engine: {program.text}")
                return play
            except (NotCompiled, RuleFault) as refusal:
                reason = str(refusal)
        self._tell(f"engine: {REFERENCE_ENGINE} ({reason})")
        return None


class ProgramPlay:
    """One game. `state`: the position as it looks from outside; `pending`: the actions that the engine of the match has
    not done yet.
    """

    def __init__(self, program: TableProgram, seed: int, first: int) -> None:
        self._program = program
        self._game = program.game
        self._game.start(seed=seed, first=first)
        self.pending: list[Action] = []
        self._look()

    def _look(self) -> None:
        game, lister = self._game, self._program.lister
        self.state: State = game.state(game.knowledge)
        self._words: Sequence[int] = ()
        if not game.is_over:
            words = lister.list_options(lister.position_of(game.cells))
            if words is not None:
                game.listed(words)
            self._words = game.options  # else it says what fails
        self.legal: tuple[Action, ...] = tuple(map(game.program.words.action, self._words))

    def catch_up(self, match: Match) -> None:
        """The match does what it has not done yet."""
        for action in self.pending:
            match.act(action)
        self.pending.clear()

    def act(self, action: Action, match: Match) -> ActionData:
        """Carries out a legal action; returns what all see of it. `match`: of the same rules. Raises `NeedsReference`,
        `RuleFault` and `NotCompiled`; then the match has to go on by itself.
        """
        before, everybody = self.state, match.rules.players
        self._game.act(self.legal.index(action))
        self._look()
        data = match.action_data(before, self.state, everybody, action, seen=_ask_reference)
        self.pending.append(action)
        return data


def _ask_reference() -> NoReturn:
    raise NeedsReference


__all__ = ["NeedsReference", "PlayingPrograms", "ProgramPlay"]

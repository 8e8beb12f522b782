"""The positions that a bot thinks of: what can be done in them, what comes of it, what that is worth.

In: a seat's view of the game. Out: `ImaginedPositions`: those of an engine or, by a compiled program, arrays of cells.
Both say the same of a position, so that a bot chooses the same whichever it thinks in.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from rulewright.bots.cached_evaluation import CachedEvaluation
from rulewright.bots.secret_choices import is_choosing_in_secret, sample_secret_choices
from rulewright.engine.faults import RuleFault
from rulewright.engine.interface import Engine
from rulewright.engine.state import Action, Decision, State

P = TypeVar("P")  # a position
M = TypeVar("M", bound=Hashable)  # an action, as it is named in such positions
P_contra = TypeVar("P_contra", contravariant=True)
M_contra = TypeVar("M_contra", contravariant=True)
Determinize: TypeAlias = Callable[[int], State]


class DecisionPlace(NamedTuple):
    """Who chooses, and at which step of the rules."""

    seat: int
    block: int
    step: int


class Evaluation(Protocol[P_contra, M_contra]):
    """What positions that follow from one are worth, by the terms that apply in that one."""

    def worth(self, position: P_contra, seat: int, /) -> int:
        """For a seat."""

    def weigh(
        self, position: P_contra, moves: Sequence[M_contra], seat: int, *, has_rivals: bool
    ) -> Sequence[int | None]:
        """For a seat after each of some actions, less, if it `has_rivals`, what the position is worth to the best of
        the others. None where that has to be asked of the position itself: it cannot be had for many at once, or the
        game is over there, or somebody has left it, or the action is impossible.
        """


class OneByOne(Generic[P, M]):
    """An evaluation of single positions. `worth`: what one is worth for a seat."""

    def __init__(self, worth: Callable[[P, int], int]) -> None:
        self.worth = worth

    def weigh(self, position: P, moves: Sequence[M], seat: int, *, has_rivals: bool) -> Sequence[int | None]:
        """Nothing about many at once."""
        return [None] * len(moves)


class ImaginedPositions(Protocol[P, M]):
    """Positions that agree with what a seat knows, and those that follow from them; none is ever changed."""

    @property
    def players(self) -> int:
        """How many seats there are."""

    def determinize(self, rng: int) -> P:
        """A position drawn at random among those that the seat cannot tell from the true one."""

    def moves_of(self, actions: Sequence[Action]) -> tuple[M, ...]:
        """What actions are called in these positions."""

    def legal(self, position: P) -> Sequence[M]:
        """The legal actions of the deciding seat, in their fixed order."""

    def after(self, position: P, move: M) -> P | None:
        """The position after an action; None when it is impossible in this one."""

    def decision(self, position: P) -> DecisionPlace | None:
        """For whose choice a position waits; None where it waits for none."""

    def turn_count(self, position: P) -> int:
        """How many turns have begun."""

    def is_over(self, position: P) -> bool:
        """Whether the game has ended."""

    def winners(self, position: P) -> tuple[int, ...]:
        """The seats that have won."""

    def is_eliminated(self, position: P, seat: int) -> bool:
        """Whether a seat has left the game."""

    def generator(self, position: P) -> int:
        """The state of a position's generator of chance."""

    def is_choosing_in_secret(self, position: P) -> bool:
        """Whether others choose at the same time as the seat that decides."""

    def sample_secret_choices(self, position: P, rng: int) -> P:
        """The position in which all others have chosen, at random."""

    def evaluation(self, position: P, strategy: str | None) -> Evaluation[P, M]:
        """What positions that follow from one are worth."""


AnyPositions: TypeAlias = ImaginedPositions[Any, Any]


class EnginePositions:
    """Positions of an engine. `draw`: determinizes the position that a seat sees."""

    def __init__(self, engine: Engine, draw: Determinize) -> None:
        self._engine = engine
        self._draw = draw
        self._elimination = engine.compiler.elimination
        self.players = engine.rules.players

    def determinize(self, rng: int) -> State:
        """A position drawn at random."""
        return self._draw(rng)

    def moves_of(self, actions: Sequence[Action]) -> tuple[Action, ...]:
        """The actions themselves."""
        return tuple(actions)

    def legal(self, position: State) -> tuple[Action, ...]:
        """The legal actions of the deciding seat."""
        return self._engine.legal(position)

    def after(self, position: State, move: Action) -> State | None:
        """The position after an action, if it is possible."""
        try:
            return self._engine.apply_legal(position, move)
        except RuleFault:
            return None  # legal in the true position, impossible in this one

    def decision(self, position: State) -> DecisionPlace | None:
        """For whose choice a position waits."""
        waiting = position.waiting
        return DecisionPlace(waiting.seat, waiting.block, waiting.step) if isinstance(waiting, Decision) else None

    def turn_count(self, position: State) -> int:
        """How many turns have begun."""
        return position.turn_count

    def is_over(self, position: State) -> bool:
        """Whether the game has ended."""
        return position.over

    def winners(self, position: State) -> tuple[int, ...]:
        """The seats that have won."""
        return self._engine.result(position).winners

    def is_eliminated(self, position: State, seat: int) -> bool:
        """Whether a seat has left the game."""
        return self._elimination.is_eliminated(position.variables, seat)

    def generator(self, position: State) -> int:
        """The state of a position's generator."""
        return position.rng or 0

    def is_choosing_in_secret(self, position: State) -> bool:
        """Whether others choose at the same time."""
        return is_choosing_in_secret(position)

    def sample_secret_choices(self, position: State, rng: int) -> State:
        """The position in which all others have chosen."""
        return sample_secret_choices(self._engine, position, rng)

    def evaluation(self, position: State, strategy: str | None) -> Evaluation[State, Action]:
        """What positions that follow are worth."""
        return OneByOne(CachedEvaluation(self._engine, position, strategy).worth)


__all__ = ["AnyPositions", "DecisionPlace", "EnginePositions", "Evaluation", "ImaginedPositions", "OneByOne"]

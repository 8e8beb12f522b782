"""What every engine can do: start a game, list legal actions, apply them, resolve chance, say who has won.

In: nothing. Out: the protocol `Engine` and the data and errors of its methods. Views, saved positions and determinized
positions are written against it; which engine plays is decided in `default_engine`. `ReferenceEngine` defines what
rules mean; any other engine must give equal positions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol, TypeAlias

from rulewright.engine.context import Context
from rulewright.engine.evaluation_terms import Terms
from rulewright.engine.expr_compiler import ExprCompiler
from rulewright.engine.layout import Layout
from rulewright.engine.state import Action, ChanceEvent, Decision, Draw, SimultaneousChoice, State
from rulewright.errors import RulewrightError
from rulewright.expr.walk import is_everyone
from rulewright.frozen import frozen
from rulewright.model.effects import Finish
from rulewright.model.rules import Rules

TurnMarks: TypeAlias = list[tuple[int | None, State]]  # whose turn begins (None: one ends), the position just before
Event: TypeAlias = tuple[str, bool]  # a site; whether its condition held, true for what has none
Observer: TypeAlias = Callable[[Event], object]
Asker: TypeAlias = Callable[[str, Context], object]  # the address of a clause or step; where its condition is asked


class IllegalAction(RulewrightError):
    """An attempted `action` is not legal in the position. A session raises the subclass that has the reasons."""

    def __init__(self, action: Action, message: str = "this action is not legal now") -> None:
        self.action = action
        super().__init__(message)


class NotWaitingError(RulewrightError):
    """The position does not wait for what was asked of it: a decision, or chance."""


@frozen
class GameResult:
    """The end of a game: for each seat its rank (1 is best, equal seats share a rank), and the winning seats."""

    ranks: tuple[int, ...]
    winners: tuple[int, ...]


def is_draw(engine: Engine, state: State, result: GameResult) -> bool:
    """Whether several players finished level, all of them, or a rule says so: `winners: everyone`.

    Others that a rule names as winners have won together, even when they are all.
    """
    still_in = len(result.ranks) - len(engine.eliminated(state))
    return is_drawn_result(engine.rules, result, are_named=state.winners is not None, still_in=still_in)


def is_drawn_result(rules: Rules, result: GameResult, *, are_named: bool, still_in: int) -> bool:
    """The same for the end of a game. `are_named`: a step named the winners; `still_in`: how many had not left."""
    if not are_named:
        return len(result.winners) == len(result.ranks) > 1
    return len(result.winners) == still_in > 1 and any(
        isinstance(step.effect, Finish) and is_everyone(step.effect.winners)
        for block in rules.blocks
        for step in block.steps
    )


class Engine(Protocol):
    """An engine of one rule model. Positions are frozen; every method is a function of its arguments."""

    @property
    def rules(self) -> Rules:
        """The rules that are played."""

    @property
    def layout(self) -> Layout:
        """What the rules say about places, whatever the position."""

    @property
    def compiler(self) -> ExprCompiler:
        """Turns expressions into functions, also for readers outside of play."""

    @property
    def tokenwise(self) -> frozenset[str]:
        """Addresses of the choices that are answered piece by piece."""

    @property
    def imagined(self) -> Engine:
        """The same engine for positions that somebody only thinks of: it may leave out checks that no rules need which
        are right.
        """

    def start(
        self, *, first: int = 0, seed: int | None = None, orders: Mapping[int, Sequence[int]] | None = None
    ) -> State:
        """A new game at its first decision (or, without a seed, its first chance event).

        `first`: the seat that begins. `orders`: for the number of a shuffled place the things in it, top first; a place
        without an order is drawn from by chance. Raises `ValueError` for a seat, a seed or an order that cannot be.
        """

    def context(self, state: State, seat: int | None = None) -> Context:
        """The context for expressions in a position; `seat` is the seat in turn (default: `state.acting_seat`)."""

    def legal(self, state: State) -> tuple[Action, ...]:
        """The legal actions of the deciding seat, in their fixed order; none when nobody decides."""

    def offered_actions(self, state: State, seat: int, choice: SimultaneousChoice, *, limit: int) -> Sequence[Action]:
        """Up to `limit` of the whole actions that a secret choice offers a seat, whether or not it is being asked."""

    def apply(self, state: State, action: Action) -> State:
        """The position after a legal action of the deciding seat; raises `IllegalAction` or `NotWaitingError`."""

    def apply_legal(self, state: State, action: Action, turn_marks: TurnMarks | None = None) -> State:
        """`apply` for an action that was just listed. `turn_marks`: a list to which the turns are added that begin or
        end on the way.
        """

    def complete_action(self, state: State, action: Action) -> Action | Decision:
        """The whole action that a legal one completes; for one more piece of an open bag the decision that follows."""

    def run_step(self, state: State) -> State:
        """The position after the next step of the frame on top of the stack, and nothing that follows from it. Raises
        `RuleFault` where the rules fail.
        """

    def chance_event(self, state: State, draw: Draw) -> ChanceEvent | int:
        """What a position waits for when a draw is under way: a chance event, or the only thing it can be."""

    def resolve_chance(self, state: State, outcome: int, turn_marks: TurnMarks | None = None) -> State:
        """The position after chance from outside; `outcome` is a thing, member or value that the event names.

        `turn_marks`: as in `apply_legal`. Raises `NotWaitingError`, and `ValueError` for any other outcome.
        """

    def resume(self, state: State, *, needs_refill: bool) -> State:
        """The position after the game has gone on from one that waits for nothing.

        `needs_refill`: places that fill themselves may have room.
        """

    def refill_once(self, state: State) -> State | None:
        """The position after the draws for all places that fill themselves, up to the first chance event; None when no
        place has room and something to take.
        """

    def reveals_information(self, before: State, action: Action, outcomes: Sequence[int]) -> bool:
        """Whether a viewer learns something while a legal action is carried out with these outcomes of chance, even if
        only for a moment.
        """

    def things_seen(self, before: State, action: Action) -> tuple[set[int], ...]:
        """For each viewer the things that it sees while a legal action is carried out, if only for a moment; after a
        chance event a thing could be another that looks the same, so none is added.
        """

    def result(self, state: State) -> GameResult:
        """Ranks and winners as of this position; they are final when `state.over`."""

    def measures(self, state: State) -> dict[str, int | tuple[int, ...]]:
        """Every measure of the game: a number, or one for each seat."""

    def eliminated(self, state: State) -> tuple[int, ...]:
        """The seats that have left the game."""

    def terms(self, state: State, seat: int, strategy: str | None = None) -> Terms:
        """The terms by which a seat judges positions that follow from this one; see `EvaluationTerms.applicable`."""

    def place_index(self, zone: str, keys: tuple[int, ...] = ()) -> int:
        """The number of a place."""


class WatchableEngine(Engine, Protocol):
    """An engine that can tell what it asks and does."""

    def observe(self, observer: Observer) -> None:
        """Tells the observer from now on what is asked and done while this engine plays."""

    def watch_conditions(self, addresses: Collection[str], asker: Asker) -> None:
        """Tells the asker from now on, each time before one of some clauses or conditions of steps is asked."""


__all__ = [
    "Asker",
    "Engine",
    "Event",
    "GameResult",
    "IllegalAction",
    "NotWaitingError",
    "Observer",
    "TurnMarks",
    "WatchableEngine",
    "is_draw",
    "is_drawn_result",
]

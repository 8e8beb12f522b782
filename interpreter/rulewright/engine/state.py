"""A position: everything there is to know about a game at one moment, in mid-turn too, frozen and comparable.

In: nothing. Out: the data of a position and of what it waits for. All values are numbers of the rule model (places,
things, members, blocks), so a position means something only together with its `Rules`.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

from rulewright import limits
from rulewright.engine.values import BagCounts, Content, RuntimeValue
from rulewright.expr.tree import PileEnd
from rulewright.frozen import field, frozen

STOP_TOKEN: Final = -1 - limits.MAX_NUMBER  # the token that ends a bag which could be larger; no number is as low


class Action(NamedTuple):
    """What a seat does: an action's number and the values of its choices in order.

    `token`: one more member for the bag or set that is being chosen piece by piece.
    """

    number: int
    values: tuple[RuntimeValue, ...]
    token: int | None = None


DECLINE: Final = Action(-1, ())  # legal wherever nothing must be done


class Frame(NamedTuple):
    """Steps under way: the block, the index of its next step, the variables bound, what a loop has still to run over
    (None outside of loops), the seat in turn (-1: none).
    """

    block: int
    step: int
    env: tuple[RuntimeValue, ...]
    remaining: tuple[RuntimeValue, ...] | None
    seat: int


class Draw(NamedTuple):
    """Things or pieces on their way from one place to another, one by one because each may be a chance event."""

    source: int
    to: int
    left: int
    random: bool  # any of them, not the top one
    end: PileEnd = ""


class SimultaneousChoice(NamedTuple):
    """Secret choices under way: seats that have still to choose, and what the others have chosen (seat, action)."""

    block: int
    step: int
    env: tuple[RuntimeValue, ...]
    seat: int
    remaining_seats: tuple[int, ...]
    actions: tuple[tuple[int, Action], ...]


StackEntry: TypeAlias = Frame | Draw | SimultaneousChoice


class Decision(NamedTuple):
    """The game waits for a seat to choose among the offers of a step.

    `partial_action`: an action whose next choice is being made piece by piece; `partial_bag`: the pieces so far.
    `around`: the variables around the step, if clauses of its offers may read them.
    """

    seat: int
    block: int
    step: int
    partial_action: Action | None = None
    partial_bag: BagCounts = ()
    around: tuple[RuntimeValue, ...] = ()


class ChanceEvent(NamedTuple):
    """The game waits for chance: a draw from a place, or a roll for a state variable; outcomes have whole weights."""

    kind: Literal["draw", "roll"]
    target: int  # number of the place, or of the state variable
    outcomes: tuple[tuple[int, int], ...]  # thing, member or value; weight


@frozen
class State:
    """A position.

    `thing_pools[viewer][thing]` is 0 when the viewer knows where the thing is, else the number of a pool: the thing may
    be any of `pools[number]`. Viewers are the seats and, last, a spectator.
    """

    contents: tuple[Content, ...]  # of each place: a bag, a tuple of things, or a Pile
    variables: tuple[RuntimeValue, ...]
    thing_pools: tuple[tuple[int, ...], ...]
    pools: tuple[tuple[int, ...], ...]  # things (numbered over all components) that could not be told apart
    stack: tuple[StackEntry, ...]
    waiting: Decision | ChanceEvent | None  # None: the game is over
    first_seat: int  # seat that began
    round: int
    turn_count: int  # turns begun
    ending: bool  # the game ends with this round
    extra_turns: tuple[int, ...]  # seats that have another turn when this one ends
    winners: tuple[int, ...] | None  # named by a step that ended the game
    rng: int | None  # state of the generator; None: chance comes from outside
    known_pieces: tuple[tuple[BagCounts, ...], ...] = ()  # per viewer and hidden place of pieces: what surely is there
    end_frame: Frame | None = field(default=None, compare=False)  # the step that ended the game; not compared

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.waiting is None

    @property
    def acting_seat(self) -> int:
        """The seat that decides, or else the one whose turn it is; -1 when there is none."""
        if isinstance(self.waiting, Decision):
            return self.waiting.seat
        for entry in reversed(self.stack):
            if isinstance(entry, Frame | SimultaneousChoice) and entry.seat >= 0:
                return entry.seat
        return -1

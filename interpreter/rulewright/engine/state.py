"""A position: everything there is to know about a game at one moment, in mid-turn too, frozen and comparable.

In: nothing. Out: the data of a position and of what it waits for. All values are numbers of the rule model (places,
things, members, blocks), so a position means something only together with its `Rules`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple


class Action(NamedTuple):
    """What a seat does: an action's number and its choices in order.

    `token`: one more member for the bag choice that is open.
    """

    number: int
    values: tuple[Any, ...]
    token: int | None = None


class Frame(NamedTuple):
    """Steps under way: which block, which step is next, the variables bound, what a loop still has to run over, the
    seat in turn.
    """

    block: int
    step: int
    env: tuple[Any, ...]
    remaining: tuple[Any, ...] | None
    seat: int


class Draw(NamedTuple):
    """Things or pieces under way from one place to another, one at a time because chance may have a say in each."""

    source: int
    to: int
    left: int
    bottom: bool
    random: bool  # any of them, not the top one


class SimultaneousChoice(NamedTuple):
    """Secret choices under way: seats still to choose, and what the others have chosen (seat, action)."""

    block: int
    step: int
    env: tuple[Any, ...]
    seat: int
    remaining_seats: tuple[int, ...]
    actions: tuple[tuple[int, Action], ...]


StackEntry = Frame | Draw | SimultaneousChoice


class Decision(NamedTuple):
    """The game waits for a seat to choose among the offers of a step.

    `partial`: an action whose bag is being put together.
    """

    seat: int
    block: int
    step: int
    partial_action: Action | None = None
    partial_bag: tuple[int, ...] = ()


class ChanceEvent(NamedTuple):
    """The game waits for chance: what is drawn from a place, or rolled for a state variable; outcomes with whole
    weights.
    """

    kind: Literal["draw", "roll"]
    target: int  # number of the place, or of the state variable
    outcomes: tuple[tuple[int, int], ...]  # thing, member or value; weight


@dataclass(frozen=True, slots=True)
class State:
    """A position.

    `knows[viewer][thing]` is 0 when the viewer knows where the thing is, else the number of a pool it may be any of;
    viewers are the seats and, last, a spectator.
    """

    contents: tuple[Any, ...]  # of each place: a bag, a tuple of things, or a Pile
    variables: tuple[Any, ...]
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
    known_pieces: tuple[
        tuple[tuple[int, ...], ...], ...
    ] = ()  # per viewer and hidden place of pieces: what surely lies there
    end_frame: Frame | None = field(
        default=None, compare=False
    )  # the step that ended the game; no part of the position

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.waiting is None

"""A saved position as JSON data: the fields of each part, as `schemas/state.schema.json` describes them.

In: nothing. Out: types. What is under way, and what is waited for, is written with the addresses and numbers of the
rules; contents and state variables are written in notation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, final

from rulewright.errors import RulewrightError


class InvalidPosition(RulewrightError):
    """JSON data that is not a position of these rules."""


ValueNumbers: TypeAlias = int | Sequence[int]  # a run-time value: a number, flag, member or thing; a bag or set


class PileData(TypedDict):
    """A shuffled place: ids of things, from top to bottom. `fixed`: the loose things have an order all the same."""

    top: Sequence[str]
    loose: Sequence[str]
    bottom: Sequence[str]
    fixed: bool


class ActionNumbers(TypedDict):
    """An action as numbers of the rules."""

    number: int
    values: Sequence[ValueNumbers]
    token: int | None


class DrawNumbers(TypedDict):
    """Things or pieces on their way from one place to another, as numbers of the rules."""

    source: int
    to: int
    left: int
    bottom: bool
    random: bool
    on_top: NotRequired[bool]


@final
class DrawData(TypedDict):
    """A draw under way."""

    draw: DrawNumbers


@final
class FrameData(TypedDict):
    """Steps under way. `left`: what a loop has still to run over."""

    steps: str
    next: int
    bound: Sequence[ValueNumbers]
    left: Sequence[ValueNumbers] | None
    seat: int


@final
class SimultaneousChoiceData(TypedDict):
    """Secret choices under way. `chosen`: seats and their actions."""

    together: str
    next: int
    bound: Sequence[ValueNumbers]
    seat: int
    waiting: Sequence[int]
    chosen: Sequence[tuple[int, ActionNumbers]]


StackEntryData: TypeAlias = FrameData | DrawData | SimultaneousChoiceData

DecisionData = TypedDict(
    "DecisionData",
    {
        "for": Literal["decision"],
        "seat": int,
        "steps": str,
        "at": int,
        "partial": ActionNumbers | None,
        "bag": Sequence[int],
        "around": NotRequired[Sequence[ValueNumbers]],
    },
)

ChanceEventData = TypedDict(
    "ChanceEventData",
    {
        "for": Literal["chance"],
        "kind": Literal["draw", "roll"],
        "where": int,
        "outcomes": Sequence[Sequence[int]],
    },
)


class SavedPosition(TypedDict):
    """A position at any moment."""

    format: int
    game: str
    version: str
    players: int
    variants: Sequence[str]
    rules: str  # digest
    zones: Mapping[str, Any]  # contents, by the ids of the keys; who reads them knows what a zone holds
    state: Mapping[str, object]  # values, by the ids of the keys
    hidden: Sequence[Mapping[str, int]]  # by viewer: pools of the things that it does not know
    seen: Sequence[Sequence[Sequence[int]]]  # by viewer and hidden place of pieces: the bag that surely is there
    pools: Sequence[Sequence[str]]
    stack: Sequence[StackEntryData]
    waiting: DecisionData | ChanceEventData | None
    first_seat: int
    round: int
    turn: int
    ending: bool
    extra_turns: Sequence[int]
    winners: Sequence[int] | None
    generator: str
    rng: str | None
    seal: NotRequired[str]  # of everything else, see `position_seal`


__all__ = [
    "ActionNumbers",
    "ChanceEventData",
    "DecisionData",
    "DrawData",
    "DrawNumbers",
    "FrameData",
    "PileData",
    "SavedPosition",
    "SimultaneousChoiceData",
    "StackEntryData",
    "ValueNumbers",
]

"""Chance: one named, documented generator whose whole state is a number in the position.

In: a generator state. Out: the next state and a draw. The generator is SplitMix64 (Steele, Lea, Flood 2014): the state
grows by a fixed odd number, the output is the mixed state; a draw below n is the upper half of output x n, so the same
seed gives the same game on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from struct import Struct
from typing import Final

from rulewright import limits

GENERATOR: Final = "splitmix64"
UINT64_MASK: Final = (1 << 64) - 1
STATE_INCREMENT: Final = 0x9E3779B97F4A7C15
STREAM_FACTOR: Final = 0xD1342543DE82EF95


def require_seed(seed: int | None) -> None:
    """Raises `ValueError` for what is not a seed; without one chance comes from outside."""
    if seed is not None and not 0 <= seed <= limits.MAX_SEED:
        raise ValueError(f"seed is a whole number from 0 to 2^64 - 1, not {seed}")


def seed_rng(seed: int, stream: int = 0) -> int:
    """The generator state for a seed; `stream` 0 is the game's chance, others belong to bots."""
    state = (seed ^ (stream * STREAM_FACTOR)) & UINT64_MASK
    return _mix((state + STATE_INCREMENT) & UINT64_MASK)


def _mix(z: int) -> int:
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & UINT64_MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & UINT64_MASK
    return z ^ (z >> 31)


def rand_below(state: int, n: int) -> tuple[int, int]:
    """The next generator state and a number from 0 to n - 1."""
    state = (state + STATE_INCREMENT) & UINT64_MASK
    return state, (_mix(state) * n) >> 64


_AT_ONCE: Final = 64  # numbers that `random_numbers` makes together
_LANE_BITS: Final = 128  # so that a product of two numbers of 64 bits stays in its lane
_FIRST_BITS: Final = sum(1 << _LANE_BITS * at for at in range(_AT_ONCE))
_LOW_HALVES: Final = _FIRST_BITS * UINT64_MASK
_INCREMENTS: Final = sum(((at + 1) * STATE_INCREMENT & UINT64_MASK) << _LANE_BITS * at for at in range(_AT_ONCE))
_HALVES: Final = Struct(f"<{2 * _AT_ONCE}Q")


def random_numbers(state: int) -> Iterator[int]:
    """The mixed states after this one, without end: `number * n >> 64` is what `rand_below` draws in turn.

    Many are made at once, each in a lane of its own of one whole number: what `_mix` does to one state, the same few
    operations do to all of them, in a third of the time.
    """
    while True:
        z = (state * _FIRST_BITS + _INCREMENTS) & _LOW_HALVES
        z = ((z ^ (z >> 30) & _LOW_HALVES) * 0xBF58476D1CE4E5B9) & _LOW_HALVES
        z = ((z ^ (z >> 27) & _LOW_HALVES) * 0x94D049BB133111EB) & _LOW_HALVES
        z ^= (z >> 31) & _LOW_HALVES
        yield from _HALVES.unpack(z.to_bytes(_HALVES.size, "little"))[::2]
        state = (state + _AT_ONCE * STATE_INCREMENT) & UINT64_MASK


def pick_weighted(state: int, outcomes: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The next generator state and the value of one outcome (value, weight), drawn by weight."""
    total = sum([weight for _, weight in outcomes])
    state, ticket = rand_below(state, total)
    for value, weight in outcomes:
        ticket -= weight
        if ticket < 0:
            return state, value
    raise AssertionError("weights add up to their total")


def shuffle(state: int, items: Sequence[int]) -> tuple[int, list[int]]:
    """The next generator state and the items in a random order (Fisher and Yates)."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        state, index = rand_below(state, last + 1)
        order[last], order[index] = order[index], order[last]
    return state, order

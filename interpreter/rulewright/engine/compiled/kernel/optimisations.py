"""What the compiler does only so that programs are fast. Each can be left out, and the programs mean the same.

In: nothing. Out: names, by which tests and `lockstep --without` leave one out, so that a fault in it is found; those
of batches, which lockstep does not play, only tests.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

Optimisation: TypeAlias = Literal[
    "packed-bags",  # the counts of a bag in one cell, all compared and paid at once
    "packed-piles",  # in machine code things of piles that only get fewer have a byte each
    "packed-places",  # in machine code the number of the place of each thing has a byte
    "joined-points",  # the statements of the next point instead of its number
    "moved-values",  # what only one branch reads is worked out there, what nobody reads nowhere
    "sifted-loops",  # machine code gathers the items that pass, Python leaves most out by one look at each
    "spread-lists",  # machine code tests items where they lie, instead of gathering them in a list first
    "own-calls",  # functions of machine code that only others of it call put no registers away
    "ready-words",  # tables of words of actions instead of loops that make them
    "remembered-lists",  # Python makes a list that depends on a few numbers once
    "full-rows",  # machine code lists rows in which nothing is missing at once
    "known-tables",  # tables of what no position changes
]
BatchOptimisation: TypeAlias = Literal[  # of machine code for batches
    "listed-numbers",  # legal actions are listed by their numbers, not by words that are numbered afterwards
    "listed-at-once",  # short rows of tables, and items of which only their places count, are listed without a jump
    "number-acts",  # what a number stands for is done without a word of it
]
AnyOptimisation: TypeAlias = Optimisation | BatchOptimisation
OPTIMISATIONS: Final[tuple[Optimisation, ...]] = get_args(Optimisation)
BATCH_OPTIMISATIONS: Final[tuple[BatchOptimisation, ...]] = get_args(BatchOptimisation)

__all__ = ["BATCH_OPTIMISATIONS", "OPTIMISATIONS", "AnyOptimisation", "BatchOptimisation", "Optimisation"]

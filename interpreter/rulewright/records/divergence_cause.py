"""Which variants make a recorded game and some rules part where they do.

In: a record, the rules given by name with their variants, and where the record parts from them. Out: the variants that
cause it. They are found by leaving some out and playing the record again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from rulewright.diagnostics import RulesError
from rulewright.engine.interface import Engine
from rulewright.frozen import frozen
from rulewright.records.record_file import Record
from rulewright.records.replayer import Divergence, replay_record

# How the cause is found
#
# Rules say nothing about why an action became illegal: a variant may bring a clause, change a number that a clause of
# the game reads, or drop a step that would have made the action possible. So no rule is inspected. The record is
# replayed with fewer variants, and a set of variants counts as a cause when the replay stops no later than it did with
# all of them (`divergence.line`); to stop later, or not at all, acquits the set. That judges effects only, whatever
# the variants consist of. Sets that cannot be played at all (one variant needs another) prove nothing and are skipped.
#
# The sets are tried in this order, so that the first answer is the most telling one:
#
#   1. no variants: if even that stops, the rules themselves differ            → "rules"
#   2. all but one, for each: without it the record goes on                    → "one", and which
#   3. one alone, for each: several stop the record, none of them needed       → "each", and which
#   4. none of these: the variants stop it only in combination                 → "together", all of them
#
# With n variants these are at most 2n + 1 replays, where trying every set would be 2^n.
#
# Example: line 9 of a record is an action that the variants A and C forbid and B does not touch. Without variants the
# record goes on. Without A it still stops at line 9, because of C; without C because of A; without B because of both:
# step 2 finds nothing. Alone, A stops it and so does C, but not B: the answer is "each", (A, C). Had the rules been A
# and B only, leaving out A would have let the record go on: "one", (A,).


@frozen
class DivergenceCause:
    """`kind`: "one": without any one of the variants the record goes on; "each": each of them alone stops it there;
    "together": only all of them do; "rules": the rules stop it there without any variant.
    """

    kind: Literal["one", "each", "together", "rules"]
    variants: tuple[str, ...] = ()


def find_divergence_cause(
    record: Record,
    divergence: Divergence,
    variants: Sequence[str],
    make_engine: Callable[[Sequence[str]], Engine],
) -> DivergenceCause:
    """Which variants cause a divergence. `make_engine`: gives the engine of the same game with other variants; it
    raises `RulesError` for variants that cannot be played without one another.
    """

    def stops_record(chosen: Sequence[str]) -> bool | None:
        """Whether the record gets no further with these variants; None when they cannot be played."""
        try:
            other = replay_record(record, make_engine(chosen)).divergence
        except RulesError:
            return None
        return other is not None and other.line <= divergence.line

    if stops_record(()):
        return DivergenceCause("rules")
    if len(variants) == 1:
        return DivergenceCause("one", tuple(variants))
    needed = [
        variant for variant in variants if stops_record([other for other in variants if other != variant]) is False
    ]
    if needed:
        return DivergenceCause("one", tuple(needed))
    sufficient = [variant for variant in variants if stops_record([variant])]
    return DivergenceCause("each", tuple(sufficient)) if sufficient else DivergenceCause("together", tuple(variants))


__all__ = ["DivergenceCause", "find_divergence_cause"]

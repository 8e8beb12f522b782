"""Which variants make a recorded game and some rules part where they do.

In: a record, the rules given by name with their variants, and where the record parts from them. Out: the variants to
blame. They are found by leaving each out and playing the record again, so it does not matter how a variant works: by a
clause, a number that a clause reads, or a step that is gone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from rulewright.diagnostics import RulesError
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.records.record_file import Record
from rulewright.records.replayer import Divergence, replay_record


@dataclass(frozen=True, slots=True)
class BisectResult:
    """`how`: "one": without any one of them the record goes on; "each": each of them alone stops it there; "together":
    only all of them do; "rules": the rules stop it there without any variant.
    """

    kind: Literal["one", "each", "together", "rules"]
    variants: tuple[str, ...] = ()


def bisect_variants(
    record: Record,
    difference: Divergence,
    variants: Sequence[str],
    make_engine: Callable[[Sequence[str]], ReferenceEngine],
) -> BisectResult:
    """Who is to blame for a difference. `engine_with`: the engine of the same game with other variants; it raises
    `RulesError` for variants that cannot be played without one another.
    """

    def stops(chosen: Sequence[str]) -> bool | None:
        """Whether the record comes no further with these variants; None when they cannot be played."""
        try:
            found = replay_record(record, make_engine(chosen)).divergence
        except RulesError:
            return None
        return found is not None and found.line <= difference.line

    if stops(()):
        return BisectResult("rules")
    if len(variants) == 1:
        return BisectResult("one", tuple(variants))
    without = [one for one in variants if stops([other for other in variants if other != one]) is False]
    if without:
        return BisectResult("one", tuple(without))
    alone = [one for one in variants if stops([one])]
    return BisectResult("each", tuple(alone)) if alone else BisectResult("together", tuple(variants))


__all__ = ["BisectResult", "bisect_variants"]

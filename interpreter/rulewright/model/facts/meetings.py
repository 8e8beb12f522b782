"""Whether two steps can be carried out in either order: neither writes what the other reads or writes.

In: rules and the addresses of two steps in one block. Out: what both touch, in words. So steps that variants insert at
one position go together without anybody saying in which order.
"""

from __future__ import annotations

from rulewright.model.facts.accesses import Access, Accesses
from rulewright.model.facts.facts import Facts
from rulewright.model.facts.value_ranges import FALSE


def shared_access(facts: Facts, first: str, second: str) -> str:
    """What one step writes and the other reads or writes; empty when their order does not matter."""
    accesses = [_step_accesses(facts, address) for address in (first, second)]
    for writer, other in ((0, 1), (1, 0)):
        touched = _touched(accesses[writer].writes, accesses[other])
        if touched is not None:
            names = (first, second)
            is_written = touched.kind == "end" or any(touched.overlaps(access) for access in accesses[other].writes)
            text = facts.words.accesses_text([touched])
            if touched.kind == "end" and not any(access.kind == "end" for access in accesses[other].writes):
                return f"`{names[writer]}` can end the game before `{names[other]}` is carried out"
            return f"`{names[writer]}` writes {text}, which `{names[other]}` {'writes too' if is_written else 'reads'}"
    return ""


def _step_accesses(facts: Facts, address: str) -> Accesses:
    place = facts.step_at(address)
    known = None if place is None else facts.positions.blocks.get(place.block)
    if place is None or known is None:
        return Accesses()
    step = facts.rules.blocks[place.block].steps[place.index]
    when = step.when if step.for_each is None else None
    if when is not None and facts.ranges.scalars(when, known.variables, known.me) == FALSE:  # never carried out
        return Accesses()
    return facts.accesses.step(step, known.variables, known.me)


def _touched(writes: frozenset[Access], other: Accesses) -> Access | None:
    """What of some writes another step reads or writes; the end of a game touches whatever is written."""
    for write in sorted(writes, key=lambda access: (access.kind, access.name)):
        for access in (*other.writes, *other.reads):
            if write.overlaps(access):
                return write
        if write.kind == "end" and other.writes:
            return write
    return None


__all__ = ["shared_access"]

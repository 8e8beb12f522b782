"""Which zones and state variables expressions read and steps write, by their names: coarse, and found at once.

In: rules; an expression, a step. Out: names. What keys they have is not asked (`model/facts/accesses.py` does).
"""

from __future__ import annotations

from typing import Final, assert_never

from rulewright.expr.tree import Builtin, Call, Expr, ReadState, ReadValue, ReadZone
from rulewright.expr.walk import iter_exprs
from rulewright.frozen import field, mutable
from rulewright.model.effects import Choose, Finish, GiveTurn, Leave, Move, Reveal, Roll, RunSteps, SetState, Step
from rulewright.model.facts.move_sources import find_move_sources
from rulewright.model.rules import ELIMINATION_STATE, Rules
from rulewright.model.traversal import blocks_within, run_blocks
from rulewright.source.node_memo import NodeMemo

Names = frozenset[str]
NO_NAMES: Final[Names] = frozenset()
POSSIBLE: Final = "possible"  # in the place of all that an action depends on


@mutable
class _Found:
    """What was found of one rule model, for all checks that ask; of expressions and steps with them, so that they keep
    their ids.
    """

    sources: dict[str, Names]
    values: dict[str, Names] = field(default_factory=dict)
    blocks: dict[int, Names] = field(default_factory=dict)
    steps: dict[int, tuple[Step, Names]] = field(default_factory=dict)
    reads: dict[int, tuple[Expr, Names]] = field(default_factory=dict)


def _begin(rules: Rules) -> _Found:
    found = find_move_sources(rules)
    return _Found({address: frozenset(place.zone for place in places) for address, places in found.items()})


_found_of: Final = NodeMemo(_begin, 4)


@mutable
class NamesTouched:
    """What is read and written in one rule model."""

    rules: Rules
    _found: _Found = field(init=False)

    def __post_init__(self) -> None:
        self._found = _found_of(self.rules)

    def read(self, expr: Expr) -> Names:
        """The names that an expression reads, also by the values that it reads."""
        known = self._found.reads.get(id(expr))
        if known is None:
            known = self._found.reads[id(expr)] = expr, self._find_read(expr)
        return known[1]

    def _find_read(self, expr: Expr) -> Names:
        found: set[str] = set()
        for part in iter_exprs(expr):
            match part:
                case ReadZone(name=name) | ReadState(name=name) | Builtin(name="round_number" as name):
                    found.add(name)
                case ReadValue(name=name):
                    found |= self._read_by_value(name)
                case Call(action=action) if action:
                    found.add(POSSIBLE)
                case Builtin(name="everyone" | "others" | "opponents") | Call(function="next" | "everyone_from"):
                    found.add(ELIMINATION_STATE)
        return frozenset(found)

    def read_by_invariant(self, address: str) -> Names:
        """The names that the invariant with an address reads, if there is one."""
        conditions = (one.condition for one in self.rules.invariants if one.address == address)
        return NO_NAMES.union(*map(self.read, conditions))

    def _read_by_value(self, name: str) -> Names:
        if name not in self._found.values:
            value = self.rules.values[name]
            terms = (term for _, term in (*value.terms, *value.deductions))
            self._found.values[name] = NO_NAMES.union(*map(self.read, terms))
        return self._found.values[name]

    def written(self, step: Step) -> Names:
        """The names that a step writes, with all that it runs or offers, and what then refills itself."""
        return self._own(step).union(*map(self.written_in, run_blocks(self.rules, step.effect)))

    def written_in(self, block: int) -> Names:
        """The names that the steps of a block write, with all that they run or offer."""
        if block not in self._found.blocks:
            found = NO_NAMES
            for current in (self.rules.blocks[each] for each in blocks_within(self.rules, (block,))):
                states = self.rules.states.values()  # those of a block begin anew with it
                found |= {state.name for state in states if state.block_address == current.address}
                found = found.union(*map(self._own, current.steps))
            self._found.blocks[block] = found
        return self._found.blocks[block]

    def _own(self, step: Step) -> Names:
        """The names that a step writes itself."""
        known = self._found.steps.get(id(step))
        if known is None:
            known = self._found.steps[id(step)] = step, self._find_own(step)
        return known[1]

    def _find_own(self, step: Step) -> Names:
        match step.effect:
            case Move() as move:
                return self._with_refills(self._moved(step.address, move))
            case SetState(target=target) | Roll(target=target):
                return frozenset({target.name})
            case GiveTurn(is_extra=True):
                return NO_NAMES  # it begins when this turn is over
            case GiveTurn():  # a turn that begins sets back what lasts a turn
                return frozenset(state.name for state in self.rules.states.values() if state.reset_scope == "turn")
            case Leave():
                return frozenset({ELIMINATION_STATE})
            case Reveal() | Choose() | Finish() | RunSteps():
                return NO_NAMES
            case _:
                assert_never(step.effect)

    def _moved(self, address: str, move: Move) -> Names:
        zones, sources = self.rules.zones, self._found.sources.get(address)
        if sources is None:  # anywhere
            held = zones[move.to.zone].content_type
            sources = frozenset(zone.name for zone in zones.values() if zone.content_type == held)
        return frozenset({move.to.zone}) | sources

    def _with_refills(self, names: Names) -> Names:
        while True:
            added = {
                name
                for zone in self.rules.zones.values()
                if zone.refill is not None and names & {zone.name, zone.refill.zone}
                for name in (zone.name, zone.refill.zone)
            }
            if added <= names:
                return names
            names |= added


__all__ = ["NO_NAMES", "POSSIBLE", "Names", "NamesTouched"]

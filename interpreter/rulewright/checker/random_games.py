"""Games tried by chance: does some rule ask for the impossible, and is everything still there at the end?

In: an engine, a seed, a cap of turns. Out: what one game has shown: that it ended, or did not within the cap, or that
its rules are at fault, with the actions that led there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rulewright.checker.guarantees import CONSERVED
from rulewright.diagnostics import Span
from rulewright.engine import chance
from rulewright.engine.faults import NO_OPTION
from rulewright.engine.notation import Notation
from rulewright.engine.reference.choice_domains import TooMany
from rulewright.engine.reference.reference_engine import Engine, RuleFault
from rulewright.engine.reference.verbs import things_in
from rulewright.engine.state import Action, Decision, State
from rulewright.expr.types import Member

CAP: Final = 2000  # turns after which a game counts as unfinished
DECISIONS_A_TURN: Final = 20
STREAM: Final = 1 << 40  # of a game's seed, from which the actions are drawn; far from those of bots and games


@dataclass(frozen=True, slots=True)
class Fault:
    """Rules that asked for the impossible: `address` and `span` of the rule, what it asked for, and the actions before,
    in notation.
    """

    address: str
    span: Span | None
    message: str
    actions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tried:
    """One game. `over`: it came to its end; else it was given up, or there is a `fault`."""

    seed: int
    over: bool
    turns: int
    decisions: int
    fault: Fault | None


def try_game(engine: Engine, seed: int, *, cap: int = CAP) -> Tried:
    """A game in which every legal action is as likely as the others."""
    rng = chance.seeded(seed, stream=STREAM)
    done: list[Action] = []
    turns = 0
    try:
        state = engine.start(seed=seed)
        totals = held(engine, state)
        while isinstance(state.waiting, Decision) and state.turns <= cap and len(done) < cap * DECISIONS_A_TURN:
            legal = engine.legal(state)
            if not legal:
                where = engine.rules.blocks[state.waiting.block].steps[state.waiting.at]
                raise RuleFault(where.address, where.span, NO_OPTION)
            rng, at = chance.below(rng, len(legal))
            done.append(legal[at])
            state, turns = engine.apply_legal(state, legal[at]), state.turns
        if held(engine, state) != totals:
            raise RuleFault("zones", None, f"it does not hold that {CONSERVED}")
        return Tried(seed, state.over, state.turns, len(done), None)
    except RuleFault as fault:
        address, span, message = fault.address, fault.span, fault.message
    except TooMany:
        address, span, message = "actions", None, "a choice has too many answers"
    write = Notation(engine.rules).write
    return Tried(seed, False, turns, len(done), Fault(address, span, message, tuple(map(write, done))))


def held(engine: Engine, state: State) -> dict[str, tuple[int, ...]]:
    """What there is in all places together: of each family of kinds the pieces, of each component the things."""
    found: dict[str, tuple[int, ...]] = {}
    for zone in engine.rules.zones.values():
        for place in range(zone.first, zone.first + zone.size):
            content = state.contents[place]
            if isinstance(zone.holds, Member):
                family = engine.rules.kinds[zone.holds.kind].family or zone.holds.kind
                before = found.get(family, (0,) * len(content))
                found[family] = tuple(a + b for a, b in zip(before, content, strict=True))
            else:
                things = (*found.get(zone.holds.component, ()), *things_in(content))
                found[zone.holds.component] = tuple(sorted(things))
    return found


__all__ = ["CAP", "Fault", "Tried", "held", "try_game"]

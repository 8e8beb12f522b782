"""Games tried by chance: does some rule ask for the impossible, and is everything still there at the end?

In: an engine, a seed, a cap of turns. Out: what one game has shown: that it ended, or did not within the cap, or that
its rules are at fault, with the actions that led there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rulewright.checker.guarantees import CONSERVATION
from rulewright.diagnostics import Span
from rulewright.engine import chance
from rulewright.engine.faults import NO_OPTION_MESSAGE
from rulewright.engine.notation import Notation
from rulewright.engine.reference.choice_domains import TooManyAnswersError
from rulewright.engine.reference.reference_engine import ReferenceEngine, RuleFault
from rulewright.engine.reference.verbs import content_things
from rulewright.engine.state import Action, Decision, State
from rulewright.expr.types import Member

MAX_TURNS: Final = 2000  # turns after which a game counts as unfinished
MAX_DECISIONS_PER_TURN: Final = 20
ACTION_STREAM: Final = 1 << 40  # of a game's seed, from which the actions are drawn; far from those of bots and games


@dataclass(frozen=True, slots=True)
class FaultTrace:
    """Rules that asked for the impossible: `address` and `span` of the rule, what it asked for, and the actions before,
    in notation.
    """

    address: str
    span: Span | None
    message: str
    actions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RandomGame:
    """One game. `over`: it came to its end; else it was given up, or there is a `fault`."""

    seed: int
    is_over: bool
    turns: int
    decisions: int
    fault: FaultTrace | None


def play_random_game(engine: ReferenceEngine, seed: int, *, max_turns: int = MAX_TURNS) -> RandomGame:
    """A game in which every legal action is as likely as the others."""
    rng = chance.seed_rng(seed, stream=ACTION_STREAM)
    done: list[Action] = []
    turns = 0
    try:
        state = engine.start(seed=seed)
        totals = count_contents(engine, state)
        while (
            isinstance(state.waiting, Decision)
            and state.turn_count <= max_turns
            and len(done) < max_turns * MAX_DECISIONS_PER_TURN
        ):
            legal = engine.legal(state)
            if not legal:
                where = engine.rules.blocks[state.waiting.block].steps[state.waiting.step]
                raise RuleFault(where.address, where.span, NO_OPTION_MESSAGE)
            rng, at = chance.rand_below(rng, len(legal))
            done.append(legal[at])
            state, turns = engine.apply_legal(state, legal[at]), state.turn_count
        if count_contents(engine, state) != totals:
            raise RuleFault("zones", None, f"it does not hold that {CONSERVATION}")
        return RandomGame(seed, state.over, state.turn_count, len(done), None)
    except RuleFault as fault:
        address, span, message = fault.address, fault.span, fault.message
    except TooManyAnswersError:
        address, span, message = "actions", None, "a choice has too many answers"
    write = Notation(engine.rules).format_action
    return RandomGame(seed, False, turns, len(done), FaultTrace(address, span, message, tuple(map(write, done))))


def count_contents(engine: ReferenceEngine, state: State) -> dict[str, tuple[int, ...]]:
    """What there is in all places together: of each family of kinds the pieces, of each component the things."""
    found: dict[str, tuple[int, ...]] = {}
    for zone in engine.rules.zones.values():
        for place in range(zone.first_index, zone.first_index + zone.size):
            content = state.contents[place]
            if isinstance(zone.content_type, Member):
                family = engine.rules.kinds[zone.content_type.kind].family or zone.content_type.kind
                before = found.get(family, (0,) * len(content))
                found[family] = tuple(a + b for a, b in zip(before, content, strict=True))
            else:
                things = (*found.get(zone.content_type.component, ()), *content_things(content))
                found[zone.content_type.component] = tuple(sorted(things))
    return found


__all__ = ["MAX_TURNS", "FaultTrace", "RandomGame", "count_contents", "play_random_game"]

"""Does a state that is counted up each round leave its type, however the game goes on?

In: rules, and the composition they were built from. Out: warnings about states that some step counts up in every round
or turn and none ever lowers, where nothing but what goes to and fro ends the game. Ends that come with the round, with
a heap that only empties, with a place that only fills or with another count are taken to come in time: games that are
played find it where they do not. Under variants only steps that a variant wrote are reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.checker.common.codes import RUNS_OVER
from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.emptying_moves import added_to
from rulewright.checker.common.names_touched import NamesTouched
from rulewright.checker.common.steps_asked import sets_state
from rulewright.diagnostics import Diagnostics
from rulewright.expr.tree import Arithmetic, Builtin, Call, Constant, Expr, Local, StateTarget
from rulewright.expr.types import SEAT, Number
from rulewright.expr.walk import is_me
from rulewright.model.effects import Finish, GiveTurn, Leave, Move, Roll, SetState, Step
from rulewright.model.facts.declared_ranges import find_declared_ranges
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.facts.move_sources import find_move_sources
from rulewright.model.facts.value_ranges import Scalars
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules, StateDef
from rulewright.model.traversal import filled_zones


def check_runaway_counters(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    steady = [
        step for step in _steady_steps(rules) if isinstance(step.effect, SetState) and composition.is_judged(step.span)
    ]
    if not steady:
        return
    steps = [step for block in rules.blocks for step in block.steps]
    counters = {
        state.name: state
        for state in rules.states.values()
        if not state.reset_scope and isinstance(state.type, Number) and _only_grows(state, steps)
    }
    if not counters or _ends_in_time(rules, steps):
        return
    declared = find_declared_ranges(rules)
    ranges = ExpressionRanges(rules, declared.contents, declared.variables)
    reported = set[str]()
    for step in steady:
        assert isinstance(step.effect, SetState)
        state = counters.get(step.effect.target.name)
        each = 0 if state is None else _grows_by(step, step.effect, rules, ranges)
        if state is None or each < 1 or state.name in reported:
            continue
        reported.add(state.name)
        assert isinstance(state.type, Number)
        start = ranges.range_of(state.initial_value, {0: ranges.seats}, ranges.seats)
        low, high = (start.low if isinstance(start, Scalars) else state.type.low), state.type.high
        rounds = (high - low) // each + 1
        node = condition_node(composition.document.root, step.address, "to")
        diagnostics.add(
            step.span if node is None else node.span,
            RUNS_OVER,
            f"`{state.name}` goes above {high}: it is {low + each * rounds} after {rounds} "
            f"round{'s' * (rounds != 1)}, and the game may go on for longer",
            label="only grows",
            help=f"write `min({high}, …)`, set it back, or end the game before",
            address=step.address,
        )


def _steady_steps(rules: Rules) -> Iterator[Step]:
    """Steps that are carried out in every round, whatever happens in it."""
    yield from (step for step in rules.blocks[rules.round].steps if _is_steady(step))
    if any(isinstance(step.effect, GiveTurn) and _is_steady(step) for step in rules.blocks[rules.round].steps):
        yield from (step for step in rules.blocks[rules.turn].steps if _is_steady(step))


def _is_steady(step: Step) -> bool:
    each = step.for_each
    is_for_all = each is None or (each.condition is None and isinstance(each.over, Builtin))
    return step.when is None and step.times is None and is_for_all


def _only_grows(state: StateDef, steps: Sequence[Step]) -> bool:
    """Whether all that steps do to a state is to count it up, without a bound."""
    writers = [step.effect for step in steps if sets_state(step, state.name)]
    return bool(writers) and all(isinstance(one, SetState) and _added(one.to, one.target) for one in writers)


def _added(to: Expr, target: StateTarget) -> Expr | None:
    """What is added to a state, without a bound; None for all else that it is set to."""
    more = added_to(target, to) if isinstance(to, Arithmetic) and to.op == "+" else None
    return more if more is not None and isinstance(more.type, Number) and more.type.low >= 0 else None


def _grows_by(step: Step, effect: SetState, rules: Rules, ranges: ExpressionRanges) -> int:
    """By how much a state grows in each round at least."""
    added = _added(effect.to, effect.target)
    if added is None:
        return 0
    is_in_turn = step in rules.blocks[rules.turn].steps
    is_of_seat = any(is_me(key) or (isinstance(key, Local) and key.type == SEAT) for key in effect.target.keys)
    seats = 1 if is_of_seat or (step.for_each is None and not is_in_turn) else rules.players
    return seats * ranges.scalars(added, {}, ranges.seats).low


def _ends_in_time(rules: Rules, steps: Sequence[Step]) -> bool:
    """Whether some end of the game asks for what only goes one way."""
    if any(isinstance(step.effect, Leave) for step in steps):
        return True
    names = NamesTouched(rules)
    moving = [step for step in steps if isinstance(step.effect, Move)]
    filled, sources = filled_zones(steps), find_move_sources(rules)
    emptied = {place.zone for step in moving for place in sources.get(step.address, ())}
    refilled = {zone.name for zone in rules.zones.values() if zone.refill is not None}
    sources_of_refills = {zone.refill.zone for zone in rules.zones.values() if zone.refill is not None}
    one_way = rules.zones.keys() - ((filled | refilled) & (emptied | sources_of_refills))
    one_way |= {state.name for state in rules.states.values() if _goes_one_way(state, steps)} | {"round_number"}
    ends = [step for step in steps if isinstance(step.effect, Finish)]
    return not ends or any(step.when is None or names.read(step.when) & one_way for step in ends)


def _goes_one_way(state: StateDef, steps: Sequence[Step]) -> bool:
    """Whether steps only count a state up, perhaps to a bound, or only down, or only set it to true."""
    ways = set[str]()
    for step in steps:
        match step.effect:
            case SetState(target=target, to=to) if target.name == state.name:
                inner = _within_bounds(to)
                if isinstance(to, Constant):
                    ways.add("true" if to.value is True else "anything")
                elif isinstance(inner, Arithmetic) and added_to(target, inner) is not None:
                    ways.add("up" if inner.op == "+" else "down")
                else:
                    ways.add("anything")
            case Roll(target=target) if target.name == state.name:
                ways.add("anything")
    return not state.reset_scope and len(ways) == 1 and "anything" not in ways


def _within_bounds(to: Expr) -> Expr:
    """A sum, without the bounds that it is kept in."""
    if isinstance(to, Call) and to.function in ("min", "max"):
        return next((arg for arg in to.args if isinstance(arg, Arithmetic)), to)
    return to


__all__ = ["check_runaway_counters"]

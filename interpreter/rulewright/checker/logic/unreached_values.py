"""Does a condition ask a state for what no step ever gives it, the number of players or of the round for what it never
is, or two places at the table whether they are one?

In: rules, and the composition they were built from. Out: warnings about conditions of clauses and steps. What a state
can be is its start and whatever some step sets or rolls, in no order. What depends on parameters is left out: a
variant may change them. A number that is always below a bound is not reported: so one guards against running over.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from rulewright import limits
from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.judged_in import judged_in
from rulewright.checker.common.lint_codes import CHANGES_NOTHING
from rulewright.checker.common.names_touched import NamesTouched
from rulewright.checker.common.parameter_reads import ParameterReads
from rulewright.checker.common.shared_phrases import STEADY_STATE
from rulewright.checker.common.steps_asked import action_of
from rulewright.checker.logic.rule_conditions import (
    RuleCondition,
    conditions_of_steps,
    judged_conditions,
    judged_inner_conditions,
    report_constant,
)
from rulewright.checker.logic.state_values import StateValues
from rulewright.diagnostics import Diagnostics, Related, Span
from rulewright.expr.codes import NEVER_TRUE
from rulewright.expr.tree import Builtin, Call, Compare, Constant, Expr, ReadState, ReadValue
from rulewright.expr.typecheck.comparisons import compare_bounds
from rulewright.expr.types import PLAYER_COUNT, SEAT, Flag, Number
from rulewright.expr.walk import conjuncts, is_me, iter_exprs
from rulewright.model.allowed_players import player_counts
from rulewright.model.effects import Choose, Finish, GiveTurn, Roll, RunSteps, SetState, Step
from rulewright.model.facts.declared_ranges import find_declared_ranges
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.facts.value_ranges import EITHER, FALSE, TRUE, Scalars, ValueRange
from rulewright.model.loader import Composition, base_rules
from rulewright.model.rules import Rules, StateDef
from rulewright.model.traversal import offered_actions
from rulewright.source.nodes import ScalarNode, as_mapping

ROUND: Final = "round_number"
NEVER_THAT: Final = "no step sets or rolls that value"


def check_unreached_values(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports conditions that come out the same whatever happens; under variants, those that a variant wrote."""
    asked = [*judged_conditions(rules, composition), *judged_inner_conditions(rules, composition)]
    if asked:
        from rulewright.checker.logic.seat_questions import settled_questions  # many variants write no condition

        for condition in asked:
            for part, outcome, reason in settled_questions(rules, condition.expr, condition.bound):
                report_constant(condition, part, outcome, reason, diagnostics)
    fewest, most = player_counts(composition.document)
    compared = [(one, part) for one in asked for part in iter_exprs(one.expr) if isinstance(part, Compare)]
    last = _last_round(rules) if compared else 0
    in_setup = _set_up_addresses(rules) if any(_asks(compare, ROUND) for _, compare in compared) else ()
    for condition, compare in compared:
        verdict = _seat_verdict(rules, compare, range(fewest, most + 1))
        if verdict is not None:
            report_constant(condition, compare, verdict, "it is so at every place at the table", diagnostics)
        verdict = _verdict(compare, PLAYER_COUNT, Number(fewest, most))
        if verdict is not None and not _is_of_adjustment(condition, composition):
            hint = f"this is played by {fewest} to {most}" if fewest < most else f"this is played by {most}"
            report_constant(condition, compare, verdict, hint, diagnostics)
        if f"{condition.address}.".startswith(in_setup):
            continue  # before the first round
        verdict, of_type = (_verdict(compare, ROUND, Number(least, limits.MAX_ROUNDS)) for least in (1, 0))
        if verdict is not None and of_type is None:  # what its type says is reported already
            report_constant(condition, compare, verdict, "rounds are counted from 1", diagnostics)
        verdict = _verdict(compare, ROUND, Number(1, last))
        if verdict is False:  # what holds in every round is often only careful
            report_constant(condition, compare, verdict, f"the game ends with round {last}", diagnostics)
    unchanged = dict(_unchanged_states(rules, composition))
    for name, step in unchanged.items():
        _report_unchanged(rules.states[name], step, rules, composition, diagnostics)
    explained = [frozenset({name}) for name in unchanged]
    names = NamesTouched(rules)
    for condition, part, is_true in _constant_parts(rules, asked):
        states = names.read(part) & rules.states.keys()
        if states not in explained:  # one question shows what a state never is
            report_constant(condition, part, is_true, NEVER_THAT, diagnostics)
            explained.append(states)
    if composition.chosen_variants:
        _report_lost_ends(rules, composition, diagnostics)


def _unchanged_states(rules: Rules, composition: Composition) -> Iterator[tuple[str, Step]]:
    """States that actions or rolls only ever give what they are at the start, or steps that compute what they are next
    from what they were, each with the first such step; under variants only steps, or weights, that one of them wrote.
    """
    if not judged_in(rules, composition).steps:
        return
    declared = find_declared_ranges(rules)
    in_actions = {f"{action.address}." for action in rules.actions}
    steps = [step for block in rules.blocks for step in block.steps]
    known = StateValues(rules, ExpressionRanges(rules, declared.contents, declared.variables), steps)
    for state in rules.states.values():
        if state.type == SEAT and rules.players == 1:
            continue  # there is nobody else
        writers = known.setting.get(state.name, [])
        counting = [step for step in writers if _counts_on(step, state) and composition.is_judged(step.span)]
        if counting and len(counting) < len(writers):  # one of the others may have to set it to something else
            counting = [step for step in counting if known.counts_nothing(step, state)]
        if counting and known.stays(state):
            yield state.name, counting[0]
            continue
        if not all(step.address.startswith(tuple(in_actions)) or _is_roll(step, composition) for step in writers):
            continue
        new = [step for step in writers if composition.is_judged(_own_span(step, composition))]
        if not new:
            continue
        value = known.of(state)
        if isinstance(value, Scalars) and value.single is not None:
            yield state.name, new[0]


def _counts_on(step: Step, state: StateDef) -> bool:
    """Whether a step gives a state a value that depends on what it was."""
    parts = iter_exprs(step.effect.to) if isinstance(step.effect, SetState) else ()
    return any(isinstance(part, ReadState) and part.name == state.name for part in parts)


def _is_roll(step: Step, composition: Composition) -> bool:
    """Whether a step rolls a state; who writes a weight of 0 means that something does not come up."""
    if not isinstance(step.effect, Roll):
        return False
    weights = as_mapping(condition_node(composition.document.root, step.address, "weights"))
    return not any(isinstance(entry.value, ScalarNode) and entry.value.text == "0" for entry in weights.entries)


def _own_span(step: Step, composition: Composition) -> Span:
    """Where a step is, or the weights of a roll; of ends that are lost as a state is set to something else it is told
    elsewhere.
    """
    return _value_span(step, composition) if isinstance(step.effect, Roll) else step.span


def _value_span(step: Step, composition: Composition) -> Span:
    """Where it is written what a step gives a state."""
    key = "weights" if isinstance(step.effect, Roll) else "to"
    node = condition_node(composition.document.root, step.address, key)
    return step.span if node is None else node.span


def _report_unchanged(
    state: StateDef, step: Step, rules: Rules, composition: Composition, diagnostics: Diagnostics
) -> None:
    """Reports it at the step; of a flag that begins as true, which few do, at its beginning, unless the step is only
    carried out while it is true.
    """
    begins = condition_node(composition.document.root, state.address, "start")
    if isinstance(begins, ScalarNode) and begins.value is True and not _is_asked_before(state, step, rules):
        diagnostics.add(
            begins.span,
            CHANGES_NOTHING,
            f"`{state.name}` begins as true, and no step sets it to anything else",
            label="true from the beginning",
            help="begin with `false`, or set it to `false` somewhere",
            address=step.address,
            related=[Related(_value_span(step, composition), "changes nothing")],
        )
        return
    is_counted = isinstance(state.type, Number) and _counts_on(step, state)
    diagnostics.add(
        _value_span(step, composition),
        CHANGES_NOTHING,
        f"no step sets `{state.name}` {STEADY_STATE}",
        label="changes nothing",
        help="count on from what it was, as by `+ 1`" if is_counted else "set it to another value, or remove it",
        address=step.address,
    )


def _is_asked_before(state: StateDef, step: Step, rules: Rules) -> bool:
    """Whether a flag has to be true for a step to be carried out: by its own condition, or a clause of its action."""
    action = action_of(rules.actions, step.address)
    conditions = [] if action is None else [clause.condition for clause in action.clauses]
    sides = [side for condition in (*conditions, step.when) if condition is not None for side in conjuncts(condition)]
    return any(isinstance(side, ReadState) and side.name == state.name for side in sides)


def _constant_parts(rules: Rules, asked: Sequence[RuleCondition]) -> Iterator[tuple[RuleCondition, Expr, bool]]:
    """The parts of conditions that come out the same, whatever states can ever be."""
    parameters = ParameterReads(rules, only_switches=True)
    of_states = [(one, part) for one in asked for part in iter_exprs(one.expr) if _asks_a_state(part, parameters)]
    ranges = _wide_and_narrow(rules, parameters) if of_states else None
    if ranges is None:
        return
    wide, narrow = ranges
    for condition, part in of_states:
        known = narrow.scalars(part, {}, narrow.seats)
        is_number = isinstance(part, Compare) and isinstance(part.left.type, Number)
        is_reported = known == FALSE or (known == TRUE and not is_number)
        if is_reported and wide.scalars(part, {}, wide.seats) == EITHER:
            yield condition, part, bool(known.single)


def _wide_and_narrow(
    rules: Rules, parameters: ParameterReads, steps: Sequence[Step] | None = None
) -> tuple[ExpressionRanges, ExpressionRanges] | None:
    """What expressions can be as states are declared, and as steps set them; None where that is the same."""
    reached = _reached_ranges(rules, _steps(rules) if steps is None else steps)
    if reached is None:
        return None
    declared = find_declared_ranges(rules)
    wide = ExpressionRanges(rules, declared.contents, declared.variables)
    return wide, ExpressionRanges(rules, declared.contents, reached)


def _never_met(rules: Rules, asked: Sequence[RuleCondition]) -> Iterator[RuleCondition]:
    """The conditions that never hold as a whole, whatever states can ever be."""
    parameters = ParameterReads(rules, only_switches=True)
    of_states = [one for one in asked if any(_asks_a_state(part, parameters) for part in iter_exprs(one.expr))]
    ranges = _wide_and_narrow(rules, parameters, _offered_steps(rules)) if of_states else None
    for condition in of_states if ranges is not None else ():
        wide, narrow = (each.scalars(condition.expr, {}, each.seats) for each in ranges or ())
        if narrow == FALSE and wide == EITHER:
            yield condition


def _report_lost_ends(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports ends of the game that never come any more, as a variant no longer changes a state and brings no end."""
    ends = [step for block in rules.blocks for step in block.steps if isinstance(step.effect, Finish)]
    files = composition.variant_files
    if any(step.span.source.path in files for step in ends):
        return
    addresses = {step.address for step in ends}
    asked = [
        one
        for one in conditions_of_steps(ends, composition.document.root)
        if one.address in addresses and one.span.source.path not in files
    ]
    lost = [*_never_met(rules, asked)]
    base = base_rules(composition) if lost else None
    if base is None:
        return
    before = {one.address for one in _never_met(base, _asked_of(base, addresses))}
    from rulewright.checker.common.change_causes import change_span  # most conditions are met

    variant = composition.chosen_variants[-1]
    for one in lost:
        if one.address not in before:

            def is_right(smaller: Rules, address: str = one.address) -> bool:
                return not any(_never_met(smaller, _asked_of(smaller, {address})))

            diagnostics.add(
                change_span(variant, one.address, composition, is_right=is_right),
                NEVER_TRUE,
                f"with variant `{variant.name}`: `{one.text}` of `{one.address}` never holds",
                label="causes it",
                help=NEVER_THAT,
                address=one.address,
                related=[Related(one.span, one.address)],
            )


def _asked_of(rules: Rules, addresses: Collection[str]) -> list[RuleCondition]:
    """The conditions of steps, wherever they are written."""
    steps = [step for block in rules.blocks for step in block.steps if step.address in addresses]
    return [RuleCondition(step.when, None, step.span, step.address) for step in steps if step.when is not None]


def _last_round(rules: Rules) -> int:
    """The round with which the game ends at the latest, as a step says that each round comes to."""
    turns = [step for step in rules.blocks[rules.round].steps if isinstance(step.effect, GiveTurn)]
    has_turns = any(step.when is None and (step.for_each is None or step.for_each.condition is None) for step in turns)
    last = limits.MAX_ROUNDS
    for block in (rules.round, *([rules.turn] if has_turns else [])):
        for step in rules.blocks[block].steps:
            match step.effect, step.when:
                case Finish(), Compare(
                    op=">=" | "is", left=Builtin(name="round_number"), right=Constant(value=int(end))
                ):
                    last = min(last, max(1, end))
    return last


def _set_up_addresses(rules: Rules) -> tuple[str, ...]:
    """The addresses of all that the set-up carries out or offers, each with a point behind it."""
    found, pending = {rules.setup}, [rules.setup]
    while pending:
        for step in rules.blocks[pending.pop()].steps:
            match step.effect:
                case RunSteps(block=block):
                    reached = {block}
                case Choose() as choose:
                    reached = {rules.actions[index].block for index in offered_actions(choose)}
                case _:
                    continue
            pending += reached - found
            found |= reached
    actions = (f"{action.address}." for action in rules.actions if action.block in found)
    return (*(f"{rules.blocks[block].address}." for block in found), *actions)


def _seat_verdict(rules: Rules, part: Compare, player_numbers: range) -> bool | None:
    """How it comes out whether two places at the table are one, such as `next(me)` and `me`, with so many players; None
    if that depends on how many there are, or on more than that.
    """
    if part.op not in ("is", "is not") or rules.has_elimination:
        return None
    left, right = map(_places_after_me, (part.left, part.right))
    if left is None or right is None:
        return None
    outcomes = {((left - right) % players == 0) == (part.op == "is") for players in player_numbers}
    return outcomes.pop() if len(outcomes) == 1 else None


def _places_after_me(seat: Expr) -> int | None:
    """How many places behind whoever has the turn; None where it is somebody else."""
    if isinstance(seat, Call) and seat.function == "next":
        before = _places_after_me(seat.args[0])
        return None if before is None else before + 1
    return 0 if is_me(seat) else None


def _asks(part: Compare, name: str) -> bool:
    return any(isinstance(side, Builtin) and side.name == name for side in (part.left, part.right))


def _verdict(part: Compare, name: str, bounds: Number) -> bool | None:
    """How a comparison of what a word stands for with a number comes out within its bounds; None if that depends on
    it.
    """
    if not _asks(part, name):
        return None
    left, right = (
        bounds
        if isinstance(side, Builtin) and side.name == name
        else side.type
        if isinstance(side, Constant) and isinstance(side.type, Number)
        else None
        for side in (part.left, part.right)
    )
    return compare_bounds(part.op, left, right)


def _is_of_adjustment(condition: RuleCondition, composition: Composition) -> bool:
    """Whether the game's own file for one number of players has it."""
    file = composition.adjustment
    return file is not None and file.root.span.source.path == condition.span.source.path


def _asks_a_state(part: Expr, parameters: ParameterReads) -> bool:
    """Whether it is a comparison with a state, or a flag, that does not depend on parameters."""
    if isinstance(part, ReadState):
        return isinstance(part.type, Flag)
    return (
        isinstance(part, Compare)
        and any(
            isinstance(read, ReadState | ReadValue) for side in (part.left, part.right) for read in iter_exprs(side)
        )
        and not parameters.are_in(part)
    )


def _steps(rules: Rules) -> list[Step]:
    return [step for block in rules.blocks for step in block.steps]


def _offered_steps(rules: Rules) -> list[Step]:
    """The steps, but for those of actions that nothing offers."""
    steps = _steps(rules)
    offered = {number for step in steps if isinstance(step.effect, Choose) for number in offered_actions(step.effect)}
    unoffered = tuple(f"{action.address}." for action in rules.actions if action.index not in offered)
    return [step for step in steps if not step.address.startswith(unoffered)]


def _reached_ranges(rules: Rules, steps: Sequence[Step]) -> tuple[ValueRange, ...] | None:
    """Of each state variable what it can ever be, by number; None where that is all that their types allow."""
    declared = find_declared_ranges(rules)
    ranges = ExpressionRanges(rules, declared.contents, declared.variables)
    known = StateValues(rules, ranges, steps)
    values = {state.name: known.of(state) for state in rules.states.values()}
    states = sorted(rules.states.values(), key=lambda state: state.first_index)
    reached = tuple(values[state.name] for state in states for _ in range(state.size))
    return None if reached == declared.variables else reached


__all__ = ["check_unreached_values"]

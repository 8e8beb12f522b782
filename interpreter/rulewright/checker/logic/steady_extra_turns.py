"""Does a turn bring another turn under a condition that nothing done in a turn can change?

In: rules, and the composition they were built from. Out: warnings at the steps that give the turn: once the condition
holds it goes on to hold, each turn is followed by another one, and the round never goes on. Silent where a step of the
turn, or of anything that can be done in it, writes what the condition reads, or can end the game at once. Whether a
player who can leave the game in a turn ever has to is seen in play (`played.repeated_turns`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rulewright.checker.common.change_causes import blamed, is_by_variants
from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import NEVER_ENDS
from rulewright.checker.common.names_touched import POSSIBLE, NamesTouched
from rulewright.diagnostics import Diagnostics
from rulewright.expr.tree import Expr
from rulewright.expr.walk import find_turn_read, free_variables, is_me
from rulewright.model.effects import Choose, Finish, GiveTurn, Leave, RunSteps, Step
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.facts.position_ranges import find_position_ranges
from rulewright.model.facts.value_ranges import FALSE, TRUE, Scalars
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.model.traversal import blocks_within

HINT: Final = "ask for something that a turn changes, such as a state that counts the turns of a player"


def check_steady_extra_turns(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports the first of them."""
    if any(one.code is NEVER_ENDS for one in diagnostics):
        return
    found = [] if _has(rules, Leave) else steady_extra_turns(rules)
    if found:
        report_steady_turn(found[0], composition, diagnostics)


def report_steady_turn(step: Step, composition: Composition, diagnostics: Diagnostics) -> None:
    """Tells of such a step; under variants of what one of them causes."""
    node = condition_node(composition.document.root, step.address, "when")
    span, asked = (step.span, "this") if node is None else (node.span, f"`{node.span.text.strip()}`")
    message = f"each turn gives another one while {asked} holds, and nothing done in a turn changes that"
    if composition.chosen_variants:
        if not is_by_variants(composition, _is_right):
            return
        if not composition.is_judged(span):
            message, span = blamed(message, step.address, composition, _is_right)
    diagnostics.add(span, NEVER_ENDS, message, label="holds for ever once it holds", help=HINT, address=step.address)


def _is_right(rules: Rules) -> bool:
    return not steady_extra_turns(rules)


def steady_extra_turns(rules: Rules) -> list[Step]:
    """The steps of the turn that give another turn under a condition that no turn changes or ends the game in."""
    if rules.players == 1 or _has(rules, Finish):
        return []
    found = [(step, block, asked) for step, block, asked in _given(rules, rules.turn, ()) if asked]
    if not found:
        return []
    names = NamesTouched(rules)
    steady = [(step, block, asked) for step, block, asked in found if are_steady(asked, names)]
    if not steady:
        return []
    positions = find_position_ranges(rules)
    ranges = ExpressionRanges(rules, positions.contents, positions.variables)
    known = {number: block.me for number, block in positions.blocks.items()}
    return [
        step
        for step, block, asked in steady
        if block in known and _can_change([ranges.scalars(one, {}, known[block]) for one in asked])
    ]


def are_steady(conditions: Sequence[Expr], names: NamesTouched) -> bool:
    """Whether conditions ask for nothing that a turn, with all that can be done in it, changes."""
    rules = names.rules
    changed = names.written_in(rules.turn)
    changed |= {state.name for state in rules.states.values() if state.reset_scope == "turn"}
    return all(
        not free_variables(one) and POSSIBLE not in (read := names.read(one)) and read.isdisjoint(changed)
        for one in conditions
    )


def _can_change(outcomes: Sequence[Scalars]) -> bool:
    """Whether conditions can hold, and not all of them hold anyway, which is told elsewhere."""
    return FALSE not in outcomes and any(one != TRUE for one in outcomes)


def _has(rules: Rules, effect: type[Finish | Leave]) -> bool:
    """Whether a turn can end the game at once, or somebody's part in it."""
    steps = (step for number in blocks_within(rules, (rules.turn,)) for step in rules.blocks[number].steps)
    return any(
        isinstance(step.effect, effect) and (not isinstance(step.effect, Finish) or step.effect.when == "now")
        for step in steps
    )


def _given(rules: Rules, block: int, asked: tuple[Expr, ...]) -> Iterator[tuple[Step, int, tuple[Expr, ...]]]:
    """The steps that give another turn, each with its block and all that is asked on the way to it."""
    for step in rules.blocks[block].steps:
        if any(part is not None for part in (step.for_each, step.times, step.while_condition, step.by)):
            continue
        conditions = asked if step.when is None else (*asked, step.when)
        match step.effect:
            case GiveTurn(seat=seat) if not any(map(free_variables, (seat, *conditions))):
                if is_me(seat) or all(find_turn_read(one, rules.values) is None for one in conditions):
                    yield step, block, conditions
            case RunSteps(block=inner):
                yield from _given(rules, inner, conditions)
            case Choose(mode="must", fallback=None, offers=(offer,)):
                yield from _given(rules, rules.actions[offer.action].block, conditions)


__all__ = ["are_steady", "check_steady_extra_turns", "report_steady_turn", "steady_extra_turns"]

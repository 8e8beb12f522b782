"""Does a reason draw a line at a number that its rule never asks, or show the count of another place?

In: the state of a build. Out: warnings about clauses whose reason says "more than {best}" where the action sets `best`
and nothing of it, or of the steps that offer it, asks for it (of choices `reasons_of_choices.py` tells the like); and
about clauses that compare the count of a place with a number where the reason says that number, and "you have" the
count of another place.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import OTHER_REASON
from rulewright.checker.common.rules_read import all_parts, offer_clauses
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.numbers_in_sentences import numbers_in_text
from rulewright.diagnostics import Span
from rulewright.document.text_addresses import reason_address
from rulewright.expr.structural_key import are_same
from rulewright.expr.tree import Call, Compare, Constant, Expr, ReadParameter, ReadState, ReadZone
from rulewright.expr.types import Number
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.actions import ActionDef, Clause
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import SetState
from rulewright.model.locale import ENGLISH
from rulewright.model.traversal import choice_exprs
from rulewright.source.nodes import ScalarNode

DRAWS_LINE: Final = lazy_pattern(  # in front of a hole; the holes of another language are the same
    r"(?i)\b(?:more|higher|greater|less|fewer|lower|dearer|cheaper|larger|smaller) than(?: the)?(?: [a-z]+)? ?$"
    r"|\b(?:at least|at most|above|below|over|under|beat) ?$"
)
YOU_HAVE: Final = lazy_pattern(r"(?i)^(?:you (?:already |now |still )?(?:have|hold|own|keep|carry)) ?$")


@frozen
class _Hole:
    """A number that a reason shows, and the words in front of it."""

    before: str
    expr: Expr


@build_pass(needs=["blocks", "parameters", "states", "values", "sentences", "judged"], skip=after_errors)
def check_quantities_in_reasons(state: BuildState) -> None:
    """Reports them."""
    if not state.judged.actions:
        return
    offered = offer_clauses(state.blocks)
    for action in state.judged.actions:
        asked = _asked(action, [clause.condition for clause in offered.get(action.index, ())], state)
        for clause in action.clauses:
            for hole in _holes(reason_address(clause.address), state):
                name = hole.expr.name if isinstance(hole.expr, ReadState) else ""
                if DRAWS_LINE.search(hole.before) and name not in asked and _is_set_by(action, name, state):
                    message = f"its reason speaks of `{name}`, and nothing here asks for it"
                    hint = f"ask for `{name}`, or change the reason"
                    span = _span(clause, state)
                    warn(state, span, OTHER_REASON, message, f"does not ask for `{name}`", hint, clause.address)
                    break
            _check_count(clause, state)


def _asked(action: ActionDef, offered: list[Expr], state: BuildState) -> set[str]:
    """The states that an action reads before it is done."""
    exprs = [expr for choice in action.choices for expr in choice_exprs(choice)]
    exprs += [*(clause.condition for clause in action.clauses), *offered]
    return {part.name for part in all_parts(state.values, exprs) if isinstance(part, ReadState)}


def _span(clause: Clause, state: BuildState) -> Span:
    section, _, name = clause.address.rpartition(".")
    node = condition_node(state.document.root, section, name)
    return clause.span if node is None else node.span


def _holes(address: str, state: BuildState) -> Iterator[_Hole]:
    if address in state.sentences.entries:
        for scalar, offset, expr in state.sentences.hole_sources(address):
            yield _Hole(scalar.text[:offset].rstrip("{"), expr)


def _is_set_by(action: ActionDef, name: str, state: BuildState) -> bool:
    """Whether an action itself sets a number to what is chosen: so it is what the next choice goes beyond."""
    steps = state.blocks[action.block].steps
    is_number = name in state.states and isinstance(state.states[name].type, Number)
    return is_number and any(isinstance(step.effect, SetState) and step.effect.target.name == name for step in steps)


def _check_count(clause: Clause, state: BuildState) -> None:
    """Reports a clause whose reason says its number, and how much there is in another place."""
    compared, address = _count_compared(clause.condition, state), reason_address(clause.address)
    holes = [*_holes(address, state)]
    counted = [
        (hole, zone) for hole in holes if (zone := _counted(hole.expr)) is not None and YOU_HAVE.search(hole.before)
    ]
    if compared is None or len(counted) != 1:
        return
    zone, number, name = compared
    (_, shown), text = counted[0], state.sentences.hole_sources(address)[0][0]
    if shown.name == zone.name or not are_same(shown.keys, zone.keys) or _reads(zone.name, holes, state):
        return
    if _says(text, number, name):
        message = f"this asks about `{zone.name}`, and its reason shows `{shown.name}`"
        hint = f"ask about `{shown.name}`, or show `{zone.name}`"
        label = f"does not ask about `{shown.name}`"
        warn(state, _span(clause, state), OTHER_REASON, message, label, hint, clause.address)


def _count_compared(condition: Expr, state: BuildState) -> tuple[ReadZone, int, str] | None:
    """The place whose count a condition compares with a number of 1 or more, and nothing else."""
    if not isinstance(condition, Compare):
        return None
    for side, bound in ((condition.left, condition.right), (condition.right, condition.left)):
        zone = _counted(side)
        match bound:
            case Constant(value=int(number), type=Number()) if zone is not None and number > 0:
                return zone, number, ""
            case ReadParameter(name=name, keys=()) if zone is not None and name in state.parameters:
                value = state.parameters[name].value
                return (zone, value, name) if isinstance(value, int) else None
    return None


def _counted(expr: Expr) -> ReadZone | None:
    """The place whose count an expression is."""
    match expr:
        case Call(function="count", args=(ReadZone() as zone,)):
            return zone
    return None


def _reads(zone: str, holes: list[_Hole], state: BuildState) -> bool:
    parts = all_parts(state.values, [hole.expr for hole in holes])
    return any(isinstance(part, ReadZone) and part.name == zone for part in parts)


def _says(text: ScalarNode, number: int, name: str) -> bool:
    return number in numbers_in_text(ENGLISH, text) or (bool(name) and f"{{{name}}}" in text.text)


__all__ = ["check_quantities_in_reasons"]

"""Is a die asked for a face that it never shows?

In: rules, and the composition they were built from. Out: warnings about conditions that compare a state with a
parameter or a member, where only rolls set that state and none of them can come to it. Under variants only what a
variant wrote.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.checker.logic.counts_check import report_constant, rule_conditions
from rulewright.diagnostics import Diagnostics
from rulewright.expr.tree import Compare, Constant, Expr, ReadParameter, ReadState
from rulewright.expr.walk import iter_exprs
from rulewright.model.effects import Roll, SetState
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules


def check_rolled_faces(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    faces = _rolled(rules)
    for condition in rule_conditions(rules, composition) if faces else ():
        for part in iter_exprs(condition.expr):
            match part:
                case Compare(op="is", left=ReadState(name=name), right=right) if name in faces:
                    value = _value(right, rules)
                    if value is not None and value not in faces[name] and composition.is_judged(condition.span):
                        hint = f"no roll of `{name}` comes to that: look at `weights`"
                        report_constant(condition, part, False, hint, diagnostics)


def _rolled(rules: Rules) -> Mapping[str, frozenset[int]]:
    """What rolls can come to, of the states that only rolls set."""
    found = dict[str, frozenset[int]]()
    otherwise = set[str]()
    for step in (step for block in rules.blocks for step in block.steps):
        match step.effect:
            case Roll(target=target, outcomes=outcomes):
                possible = frozenset(outcome for outcome, weight in outcomes if weight)
                found[target.name] = found.get(target.name, frozenset()) | possible
            case SetState(target=target):
                otherwise.add(target.name)
    names = [name for name in found if name not in otherwise and not _may_start(name, found[name], rules)]
    return {name: found[name] for name in names}


def _may_start(name: str, faces: frozenset[int], rules: Rules) -> bool:
    """Whether a state begins with what no roll comes to: then it says that nothing has been rolled."""
    start = rules.states[name].initial_value
    return not isinstance(start, Constant) or start.value not in faces


def _value(expr: Expr, rules: Rules) -> int | None:
    match expr:
        case ReadParameter(name=name, keys=()):
            value = rules.parameters[name].value
        case Constant(value=value):
            pass
        case _:
            return None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


__all__ = ["check_rolled_faces"]

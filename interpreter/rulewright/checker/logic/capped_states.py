"""Which states do the steps keep at or below a parameter, as `min(goal, …)` does?

In: rules. Out: for each such state the parameter. Whatever a step sets must say so itself; what a condition keeps from
growing is not known to be kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import Arithmetic, Call, Constant, Expr, If, ReadParameter, ReadState
from rulewright.expr.types import Number
from rulewright.expr.walk import iter_exprs
from rulewright.model.effects import Roll, SetState
from rulewright.model.rules import Rules


def find_capped_states(rules: Rules) -> Mapping[str, ReadParameter]:
    """The parameter that each of some states never exceeds."""
    written: dict[str, list[Expr]] = {}
    rolled = set[str]()
    for step in (step for block in rules.blocks for step in block.steps):
        match step.effect:
            case SetState(target=target, to=to):
                written.setdefault(target.name, []).append(to)
            case Roll(target=target):
                rolled.add(target.name)
    found = dict[str, ReadParameter]()
    for name, values in written.items():
        if name in rolled:
            continue
        all_values = [*values, rules.states[name].initial_value]
        for cap in _caps(values):
            if all(_is_within(value, cap, name, rules) for value in all_values):
                found[name] = cap
                break
    return found


def _caps(values: list[Expr]) -> Iterator[ReadParameter]:
    """The parameters that some values are kept at or below."""
    for part in (part for value in values for part in iter_exprs(value)):
        if isinstance(part, Call) and part.function == "min":
            yield from (arg for arg in part.args if isinstance(arg, ReadParameter) and not arg.keys)


def _is_within(value: Expr, cap: ReadParameter, name: str, rules: Rules) -> bool:
    """Whether a value is at most a parameter, if the state was so before."""
    match value:
        case ReadParameter():
            return structural_key(value) == structural_key(cap)
        case Constant(value=int(number)):
            type_ = rules.parameters[cap.name].type
            return isinstance(type_, Number) and number <= type_.low
        case ReadState(name=read):
            return read == name
        case Arithmetic(op="-" | "less", left=left, right=right):
            return isinstance(right.type, Number) and right.type.low >= 0 and _is_within(left, cap, name, rules)
        case Call(function="min", args=args):
            return any(_is_within(arg, cap, name, rules) for arg in args)
        case Call(function="max", args=args):
            return all(_is_within(arg, cap, name, rules) for arg in args)
        case If(then=then, otherwise=otherwise):
            return _is_within(then, cap, name, rules) and _is_within(otherwise, cap, name, rules)
    return False


__all__ = ["find_capped_states"]

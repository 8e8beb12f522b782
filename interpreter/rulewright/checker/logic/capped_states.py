"""Which states are never above a parameter, since their types say so (`0 to goal`), or all steps (`min(goal, …)`)?

In: rules, and the document that they were read from. Out: for each such state the parameter. Whatever a step sets must
say so itself; what a condition keeps from growing is not known to be kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import Arithmetic, Call, Constant, Expr, If, ReadParameter, ReadState
from rulewright.expr.types import Number
from rulewright.expr.walk import iter_exprs
from rulewright.model.effects import Roll, SetState
from rulewright.model.rules import Rules, StateDef
from rulewright.source.nodes import MappingNode, ScalarNode

TO: Final = " to "  # between the bounds of a type


def find_capped_states(rules: Rules, root: MappingNode) -> Mapping[str, ReadParameter]:
    """The parameter that each of some states never exceeds."""
    found = dict[str, ReadParameter]()
    for state in rules.states.values():
        if (cap := _declared_cap(state, rules, root)) is not None:
            found[state.name] = cap
    for name, values in _written(rules).items():
        if name in found:
            continue
        all_values = [*values, rules.states[name].initial_value]
        for cap in _caps(values):
            if all(_is_within(value, cap, name, rules) for value in all_values):
                found[name] = cap
                break
    return found


def caps_of_steps(rules: Rules) -> Iterator[tuple[StateDef, ReadParameter]]:
    """The states that no step brings above a parameter, whatever they begin with, each with it."""
    for name, values in _written(rules).items():
        for cap in _caps(values):
            if all(_is_within(value, cap, name, rules) for value in values):
                yield rules.states[name], cap
                break


def _written(rules: Rules) -> Mapping[str, list[Expr]]:
    """What steps set each state to that nothing rolls."""
    written: dict[str, list[Expr]] = {}
    rolled = set[str]()
    for step in (step for block in rules.blocks for step in block.steps):
        match step.effect:
            case SetState(target=target, to=to):
                written.setdefault(target.name, []).append(to)
            case Roll(target=target):
                rolled.add(target.name)
    return {name: values for name, values in written.items() if name not in rolled}


def _declared_cap(state: StateDef, rules: Rules, root: MappingNode) -> ReadParameter | None:
    """The parameter up to which the type of a state goes."""
    node = condition_node(root, state.address, "type")
    high = node.text.rpartition(TO)[2].strip() if isinstance(node, ScalarNode) and TO in node.text else ""
    parameter = rules.parameters.get(high)
    is_single = parameter is not None and not parameter.values_by_key and isinstance(state.type, Number)
    return ReadParameter(high, (), state.type, (0, 0)) if is_single else None


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


__all__ = ["caps_of_steps", "find_capped_states"]

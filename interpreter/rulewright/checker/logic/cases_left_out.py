"""Is one member of a kind asked twice where each has a step of its own, and another never?

In: the state of a build. Out: warnings about the second of two steps in a row of as many steps as there are members,
each under the condition that something is one of them, where one member is asked nowhere in the rules.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import COUNTED_TWICE
from rulewright.checker.common.warn import warn
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import Compare, Constant
from rulewright.expr.types import Member
from rulewright.expr.walk import iter_exprs
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Step

MIN_CASES: Final = 3


@build_pass(needs=["actions", "blocks", "symbols", "values"], skip=after_errors)
def check_cases_left_out(state: BuildState) -> None:
    """Reports them."""
    for block in state.blocks:
        groups = dict[tuple[object, str], list[tuple[int, Step]]]()
        for step in block.steps:
            match step.when:
                case Compare(op="is", left=left, right=Constant(value=int() as value, type=Member(kind=kind))):
                    groups.setdefault((structural_key(left), kind), []).append((value, step))
        for (asked, kind), cases in groups.items():
            declared = state.symbols.kinds.get(kind)
            members = set() if declared is None or declared.is_numeric else set(declared.member_values)
            values = [value for value, _ in cases]
            missing = members - set(values)
            if asked is None or len(cases) < MIN_CASES or len(cases) != len(members) or len(missing) != 1:
                continue
            (member,) = missing
            if _is_named(member, kind, state):
                continue
            number = next(place for place, value in enumerate(values) if value in values[:place])
            step, first = cases[number][1], cases[values.index(values[number])][1]
            node = condition_node(state.document.root, step.address)
            name = state.symbols.kinds[kind].members[member]
            message = f"`{first.address}` asks this already, and no rule asks for `{name}`"
            span = step.span if node is None else node.span
            warn(state, span, COUNTED_TWICE, message, "asked twice", f"did you mean `{name}`?", step.address)


def _is_named(member: int, kind: str, state: BuildState) -> bool:
    parts = (part for read in state.usage.expressions for part in iter_exprs(read.expr))
    return any(isinstance(part, Constant) and part.type == Member(kind) and part.value == member for part in parts)


__all__ = ["check_cases_left_out"]

"""Are two flags always the same, or always contrary, because every step that sets one sets the other?

In: the state of a build. Out: warnings about such flags where nothing sets them back: one of them is probably of a turn
or a round, and begins anew with it. It is told of the one that does not decide whether it may be set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from rulewright.checker.common.lint_codes import NEVER_SET_BACK
from rulewright.checker.common.warn import warn
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import Constant, Expr, ReadState
from rulewright.expr.types import Flag
from rulewright.expr.walk import iter_exprs
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Block, Roll, SetState, Step
from rulewright.model.rules import StateDef

Write = tuple[object, ...]  # in which block, for whom and under which condition a flag is set
Writes = dict[Write, tuple[int, bool]]  # each with the number of the step there, and what the flag is set to
HINT = "write `resets: turn` or `resets: round` beside one of them, or leave one out"


@build_pass(needs=["actions", "blocks", "states", "symbols"], skip=after_errors)
def check_doubled_flags(state: BuildState) -> None:
    """Reports them."""
    actions, blocks, spans = state.actions, state.blocks, state.symbols.declaration_spans
    flags = [each for each in state.states.values() if each.type == Flag() and not each.block_address]
    written = {each.name: _writes(each.name, blocks) for each in flags if not each.reset_scope}
    for first, second in combinations([each for each in flags if written.get(each.name)], 2):
        is_same = _relation(first, second, written)
        if is_same is None:
            continue
        clauses = [clause.condition for action in actions for clause in action.clauses]
        asked = {part.name for expr in clauses for part in iter_exprs(expr) if isinstance(part, ReadState)}
        shown, other = (first, second) if first.name not in asked and second.name in asked else (second, first)
        how = "the same as" if is_same else "the contrary of"
        message = f"`{shown.name}` is always {how} `{other.name}`: each step that sets one sets the other"
        span = spans[shown.name]
        warn(state, span, NEVER_SET_BACK, message, "one would do", HINT, shown.address)


def _relation(first: StateDef, second: StateDef, written: Mapping[str, Writes | None]) -> bool | None:
    """Whether two flags are always the same; None where neither that nor the contrary is sure."""
    ours, theirs = written.get(first.name), written.get(second.name)
    if not ours or not theirs or ours.keys() != theirs.keys() or first.key_types != second.key_types:
        return None
    if not isinstance(first.initial_value, Constant) or not isinstance(second.initial_value, Constant):
        return None
    if any(abs(ours[write][0] - theirs[write][0]) != 1 for write in ours):
        return None  # what is between them may ask for both
    same = {ours[write][1] is theirs[write][1] for write in ours}
    same.add((first.initial_value.value is True) is (second.initial_value.value is True))
    return same.pop() if len(same) == 1 else None


def _writes(name: str, blocks: Sequence[Block]) -> Writes | None:
    """Where a flag is set; None where that is not known, or not only in play, or it is twice in the same place."""
    found: Writes = {}
    for number, block in enumerate(blocks):
        for index, step in enumerate(block.steps):
            effect = step.effect
            if not isinstance(effect, SetState | Roll) or effect.target.name != name:
                continue
            place = _place(number, step, effect.target.keys)
            if block.address.partition(".")[0] == "setup" or isinstance(effect, Roll):
                return None
            if not isinstance(effect.to, Constant) or place is None or place in found:
                return None
            found[place] = index, effect.to.value is True
    return found


def _place(number: int, step: Step, keys: Sequence[Expr]) -> Write | None:
    """In which block, for whom and under which condition a step sets something."""
    loop = step.for_each
    parts = (step.when, *((loop.over, loop.condition) if loop is not None else ()), *keys)
    if step.times is not None or step.while_condition is not None:
        return None
    known = [None if part is None else structural_key(part) for part in parts]
    is_known = all(key is not None or part is None for key, part in zip(known, parts, strict=True))
    return (number, loop is not None, *known) if is_known else None


__all__ = ["check_doubled_flags"]

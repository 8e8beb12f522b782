"""Is something counted for each player and never asked, or set back each turn in a game without turns?

In: the state of a build. Out: warnings about numbers of players that nothing reads but the steps that set them, and
about `resets: turn` where no step gives a turn. What is counted for all together may be there to be looked at.
"""

from __future__ import annotations

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import CHANGES_NOTHING, UNUSED
from rulewright.checker.common.warn import warn
from rulewright.expr.tree import ReadState
from rulewright.expr.types import SEAT, Number
from rulewright.expr.walk import iter_exprs
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import GiveTurn, SetState
from rulewright.model.traversal import step_exprs


@build_pass(needs=["states", "blocks", "values", "book_sentences"], skip=after_errors)
def check_states_only_counted(state: BuildState) -> None:
    """Reports numbers of each player that are read only to give them another value."""
    setting = dict[str, list[int]]()  # by state: the expressions of the steps that set it
    for step in (step for block in state.blocks for step in block.steps):
        if isinstance(step.effect, SetState):
            setting.setdefault(step.effect.target.name, []).extend(map(id, step_exprs(step)))
    outside, reading = set[str](), set[str]()
    for read in state.usage.expressions:
        names = {part.name for part in iter_exprs(read.expr) if isinstance(part, ReadState)}
        reading |= names
        outside |= {name for name in names if id(read.expr) not in setting.get(name, ())}
    for name, definition in state.states.items():
        span = state.symbols.declaration_spans.get(name)
        is_of_players = SEAT in definition.key_types and isinstance(definition.type, Number)
        if span is None or not is_of_players or definition.reset_scope or name in outside or name not in reading:
            continue
        message = f"nothing reads the state `{name}` but what sets it, so it decides nothing"
        warn(state, span, UNUSED, message, "only counted", "use it, such as in `ranking`, or remove it")


@build_pass(needs=["states", "blocks"], skip=after_errors)
def check_resets_of_turns(state: BuildState) -> None:
    """Reports states that begin anew each turn where nobody has one."""
    if any(isinstance(step.effect, GiveTurn) for block in state.blocks for step in block.steps):
        return
    for definition in state.states.values():
        if definition.reset_scope != "turn":
            continue
        node = condition_node(state.document.root, definition.address, "resets")
        if node is not None:
            message = f"no step gives anybody a turn, so `{definition.name}` never begins anew"
            hint = "write `resets: round`, or set it back in a step"
            warn(state, node.span, CHANGES_NOTHING, message, "changes nothing", hint, definition.address)


__all__ = ["check_resets_of_turns", "check_states_only_counted"]

"""Is a state set back each turn in a game without turns?

In: the state of a build. Out: warnings about `resets: turn` where no step gives a turn.
"""

from __future__ import annotations

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import CHANGES_NOTHING
from rulewright.checker.common.warn import warn
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import GiveTurn


@build_pass(needs=["states", "blocks"], skip=after_errors)
def check_resets_without_turns(state: BuildState) -> None:
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


__all__ = ["check_resets_without_turns"]

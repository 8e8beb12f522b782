"""Actions that ask whether others are possible must not come back to themselves, or the question would have no answer.

In: the actions and derived values. Out: diagnostics.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rulewright import limits
from rulewright.diagnostics import Diagnostics
from rulewright.expr.tree import Expr
from rulewright.model import codes
from rulewright.model.actions import ActionDef
from rulewright.model.rules import ValueDef
from rulewright.model.traversal import asked_actions, choice_exprs


def check_possible_cycles(
    actions: Sequence[ActionDef], values: Mapping[str, ValueDef], diagnostics: Diagnostics
) -> None:
    """Reports each action whose legality depends on itself."""
    asked = {action.name: asked_actions(_exprs(action), values) for action in actions}
    for action in actions:
        path: list[str] = [action.name]
        seen: set[str] = set()
        while path:
            for other in asked.get(path.pop(), ()):
                if other == action.name:
                    diagnostics.add(
                        action.span,
                        codes.CYCLE,
                        f"whether `{action.name}` is possible depends on itself",
                        label="depends on itself",
                        address=action.address,
                    )
                    path.clear()
                    break
                if other not in seen:
                    seen.add(other)
                    path.append(other)
        if len(seen) >= limits.MAX_ACTION_DEPTH:
            allowed = limits.MAX_ACTION_DEPTH - 1
            text = (
                f"whether `{action.name}` is possible depends on {len(seen)} other actions, over the limit of {allowed}"
            )
            diagnostics.add(action.span, codes.TOO_MANY, text, address=action.address)


def _exprs(action: ActionDef) -> Iterator[Expr]:
    yield from (clause.condition for clause in action.clauses)
    for choice in action.choices:
        yield from choice_exprs(choice)

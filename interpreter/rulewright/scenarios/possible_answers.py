"""Is an answer in a case among those that its choice ever has?

In: an action as a case has it. Out: diagnostics about answers that can never be given, as the choice is out of a whole
kind or a range in which they are not.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.engine.state import Action
from rulewright.expr.tree import Constant
from rulewright.expr.types import SetOf, Type
from rulewright.model.actions import Choice, OneOf, SomeOf
from rulewright.model.rules import Rules
from rulewright.scenarios import codes
from rulewright.scenarios.scenario_context import ScenarioContext
from rulewright.source.nodes import ScalarNode
from rulewright.suggestions import list_names


def _impossible_answers(rules: Rules, action: Action) -> Iterator[tuple[Choice, Type, int]]:
    """The choices of an action that are out of a set which never changes, each with an element that is not in it, and
    its type.
    """
    definition = rules.actions[action.number] if action.number >= 0 else None
    for choice, answer in zip(definition.choices if definition is not None else (), action.values, strict=False):
        if not isinstance(choice.domain, OneOf | SomeOf):
            continue
        whole = choice.domain.of
        if not isinstance(whole, Constant) or not isinstance(whole.type, SetOf) or not isinstance(whole.value, tuple):
            continue
        element_type = whole.type.element
        if element_type is None:
            continue
        elements = answer if isinstance(answer, tuple) else (answer,)
        outside = next((one for one in elements if isinstance(one, int) and one not in whole.value), None)
        if outside is not None:
            yield choice, element_type, outside


def has_possible_answers(context: ScenarioContext, item: ScalarNode) -> bool:
    """Whether what an action that a case expects to be legal answers can be answered; reported where it never can."""
    action = context.notation.try_parse_action(item.text)
    impossible = list(_impossible_answers(context.rules, action)) if isinstance(action, Action) else []
    for choice, type_, element in impossible:
        shown, known = context.notation.format_value(element, type_), context.members_by_name(type_)
        context.report(
            item,
            codes.NOT_AN_ACTION,
            f"`{shown}` is never an answer to `{choice.name}`",
            label="never legal",
            help=list_names("answers", known),
        )
    return not impossible


__all__ = ["has_possible_answers"]

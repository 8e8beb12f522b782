"""Is an answer in a case among those that its choice ever has?

In: an action as a case has it, and the rules that are expected to refuse it, if any. Out: diagnostics about answers
that can never be given: the choice is out of a set that is the same in every position, in which they are not, or asks
for fewer or more of them. Where that very choice is expected to refuse the action, or what is asked before it, they
are meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rulewright.engine.context import Context
from rulewright.engine.expr_compiler import ExprCompiler
from rulewright.engine.state import Action
from rulewright.engine.values import as_tuple
from rulewright.expr.tree import Builtin, Expr
from rulewright.expr.types import Bag, Number, SetOf
from rulewright.expr.walk import free_variables, iter_exprs
from rulewright.model.actions import ActionDef, OneOf, SomeOf
from rulewright.model.dependencies import position_dependencies
from rulewright.model.rules import Rules
from rulewright.scenarios import codes
from rulewright.scenarios.scenario_context import ScenarioContext
from rulewright.source.nodes import ScalarNode
from rulewright.suggestions import list_names


class _Impossible(NamedTuple):
    """An answer that is never given, to the choice of that number: `message` says what of it, `help` what is."""

    number: int
    message: str
    help: str


def has_possible_answers(context: ScenarioContext, item: ScalarNode, refused_by: Sequence[str] = ()) -> bool:
    """Whether what an action answers can ever be answered; reported where it never can.

    `refused_by`: the addresses of the rules that are expected to refuse it; none where it is expected to be legal.
    """
    attempt = context.notation.try_parse_action(item.text)
    if not isinstance(attempt, Action) or attempt.number < 0:
        return True
    action = context.rules.actions[attempt.number]
    found = [
        one for one in _impossible_answers(context, action, attempt) if _is_unmeant(action, one.number, refused_by)
    ]
    for one in found:
        context.report(item, codes.NOT_AN_ACTION, one.message, label="never legal", help=one.help)
    return not found


def _is_unmeant(action: ActionDef, index: int, refused_by: Sequence[str]) -> bool:
    """Whether all rules that should refuse an action are asked only after a choice, or none should."""
    later = {clause.address for clause in action.clauses if clause.required_choices > index}
    later.update(choice.address for choice in action.choices[index + 1 :])
    return later.issuperset(refused_by)


def _impossible_answers(context: ScenarioContext, action: ActionDef, attempt: Action) -> Iterator[_Impossible]:
    for number, (choice, answer) in enumerate(zip(action.choices, attempt.values, strict=False)):
        domain = choice.domain
        if not isinstance(domain, OneOf | SomeOf) or choice.condition is not None:
            continue
        elements = [one for one in (answer if isinstance(answer, tuple) else (answer,)) if isinstance(one, int)]
        admitted = None if isinstance(choice.type, Bag) else _constant_elements(context.rules, domain.of)
        outside = next((one for one in elements if admitted is not None and one not in admitted), None)
        element_type = domain.of.type.element if isinstance(domain.of.type, SetOf) else None
        if outside is not None and element_type is not None:
            shown = context.notation.format_value(outside, element_type)
            known = [context.notation.format_value(one, element_type) for one in admitted or ()]
            message = f"`{shown}` is never an answer to `{choice.name}`"
            yield _Impossible(number, message, list_names("answers", known))
        elif isinstance(domain, SomeOf) and domain.total is not None:
            count = sum(elements) if isinstance(choice.type, Bag) else len(elements)
            sizes = _sizes(domain.total)
            if sizes is not None and not sizes.low <= count <= sizes.high:
                message = f"`{choice.name}` never asks for {count}"
                numbers = f"{sizes.low}" if sizes.low == sizes.high else f"{sizes.low} to {sizes.high}"
                yield _Impossible(number, message, f"`total` asks for {numbers}")


def _constant_elements(rules: Rules, of: Expr) -> tuple[int, ...] | None:
    """The elements of a set that is the same in every position of every game; None for any other."""
    reads_first = any(isinstance(part, Builtin) and part.name == "first_player" for part in iter_exprs(of))
    depends_on_more = reads_first or free_variables(of) or position_dependencies(rules, of) != frozenset()
    if depends_on_more or not isinstance(of.type, SetOf):
        return None
    return as_tuple(ExprCompiler(rules).compile(of)(Context((), (), me=-1)))


def _sizes(total: Expr) -> Number | None:
    """The least and the most that a choice can ask for."""
    numbers = total.type.element if isinstance(total.type, SetOf) else total.type
    return numbers if isinstance(numbers, Number) else None


__all__ = ["has_possible_answers"]

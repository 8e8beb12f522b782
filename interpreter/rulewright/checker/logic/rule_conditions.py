"""The conditions of rules, each with where it is written, and how it is told that a part of one never changes.

In: rules, and the composition they were built from. Out: the conditions of clauses and steps, and those within other
expressions, as far as they are judged; a warning about a part that always or never holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.judged_in import everything_in, judged_in
from rulewright.checker.common.step_conditions import step_conditions
from rulewright.diagnostics import Diagnostics, Span
from rulewright.expr.codes import ALWAYS_TRUE, NEVER_TRUE
from rulewright.expr.tree import Compare, Expr
from rulewright.expr.walk import iter_exprs
from rulewright.frozen import field, frozen
from rulewright.model.actions import ActionDef, OneOf, SomeOf
from rulewright.model.effects import Choose, Finish, Leave, Move, SetState, Step
from rulewright.model.judged_rules import JudgedRules
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.source.node_memo import Same
from rulewright.source.nodes import MappingNode, Node, ScalarNode


@frozen
class RuleCondition:
    """A condition of a clause or step, where it is. `node`: where it is written; None where it stands in no file.
    `bound`: by their slots what the variables around it run over where it is asked.
    """

    expr: Expr
    node: ScalarNode | None
    span: Span
    address: str
    bound: Mapping[int, Expr] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """As it is written."""
        return "" if self.node is None else self.node.text

    def span_of(self, part: Expr) -> Span:
        """Where a part of it is written."""
        return self.span if self.node is None else self.node.subspan(*part.offsets)


def rule_conditions(rules: Rules, composition: Composition) -> Sequence[RuleCondition]:
    """The conditions of all clauses and steps."""
    return _rule_conditions(Same(rules), Same(composition), are_judged=False)


def judged_conditions(rules: Rules, composition: Composition) -> Sequence[RuleCondition]:
    """Those of them that are judged."""
    return _rule_conditions(Same(rules), Same(composition), are_judged=True)


def judged_inner_conditions(rules: Rules, composition: Composition) -> Sequence[RuleCondition]:
    """What is judged of expressions that have conditions within them: what loops of steps run over, what steps set and
    move, what can be chosen, and what values and the ranking are computed from.
    """
    return _inner_conditions(Same(rules), Same(composition))


@lru_cache(maxsize=4)  # several passes ask one after another
def _rule_conditions(
    same_rules: Same[Rules], same_composition: Same[Composition], *, are_judged: bool
) -> tuple[RuleCondition, ...]:
    rules, composition = same_rules.value, same_composition.value
    among = judged_in(rules, composition) if are_judged else everything_in(rules)
    found = _find_rule_conditions(rules, composition.document.root, among)
    return tuple(condition for condition in found if not are_judged or composition.is_judged(condition.span))


@lru_cache(maxsize=2)
def _inner_conditions(same_rules: Same[Rules], same_composition: Same[Composition]) -> tuple[RuleCondition, ...]:
    rules, composition = same_rules.value, same_composition.value
    found = _find_inner_conditions(rules, composition.document.root, judged_in(rules, composition))
    return tuple(condition for condition in found if composition.is_judged(condition.span))


def _find_rule_conditions(rules: Rules, root: MappingNode, among: JudgedRules) -> Iterator[RuleCondition]:
    offered = [offer for step in among.steps if isinstance(step.effect, Choose) for offer in step.effect.offers]
    asked = [(clause, action) for action in among.actions for clause in action.clauses]
    asked += [(clause, rules.actions[offer.action]) for offer in offered for clause in offer.clauses]
    for clause, action in asked:
        section, _, name = clause.address.rpartition(".")
        node = condition_node(root, section, name)
        yield as_condition(clause.condition, node, clause.span, clause.address, _chosen_among(action))
    yield from conditions_of_steps(among.steps, root)


def conditions_of_steps(steps: Iterable[Step], root: MappingNode) -> Iterator[RuleCondition]:
    """The conditions of some steps."""
    for step in steps:
        for asked_first, node, address in step_conditions(root, step):
            yield as_condition(asked_first, node, step.span, address)
        if step.while_condition is not None:
            node = condition_node(root, step.address, "while")
            yield as_condition(step.while_condition, node, step.span, step.address)


def _find_inner_conditions(rules: Rules, root: MappingNode, among: JudgedRules) -> Iterator[RuleCondition]:
    written: list[tuple[str, str, Expr | None]] = []  # at which rule, at which of its keys
    bound = dict[str, Mapping[int, Expr]]()  # by steps that are loops
    for step in among.steps:
        if (each := step.for_each) is not None:
            written.append((step.address, "for_each", each.condition))
            bound[step.address] = {each.slot: each.over}
        match step.effect:
            case SetState(to=to):
                written.append((step.address, "to", to))
            case Move(amount=amount):
                written.append((step.address, "move", amount.of))
            case Leave(seats=seats):
                written.append((step.address, "leave", seats))
            case Finish(winners=winners):
                written.append((step.address, "winners", winners))
    for choice in (choice for action in among.actions for choice in action.choices):
        match choice.domain:
            case OneOf(of=of):
                written.append((choice.address, "one_of", of))
            case SomeOf(of=of, total=total):
                written += [(choice.address, "some_of", of), (choice.address, "total", total)]
        written.append((choice.address, "when", choice.condition))
    for criterion in rules.ranking if among.has("ranking") else ():
        written.append((criterion.address, "most" if criterion.is_maximized else "fewest", criterion.of))
    for value in among.values.values():
        for section, terms in (("sum", value.terms), ("less", value.deductions)):
            for name, term in terms:
                place = ("values", value.name) if name == "is" else (f"values.{value.name}.{section}", name)
                written.append((*place, term))
    for address, key, expr in written:
        if expr is None or not any(isinstance(part, Compare) for part in iter_exprs(expr)):
            continue
        node = condition_node(root, address, key)
        if isinstance(node, ScalarNode):
            around = bound.get(address, {}) if key == "for_each" else {}
            yield RuleCondition(expr, node, node.span, address if address != "values" else f"values.{key}", around)


def _chosen_among(action: ActionDef) -> dict[int, Expr]:
    """What each choice of one thing is among, by the slot of its variable."""
    domains = ((slot, choice.domain) for slot, choice in enumerate(action.choices))
    return {slot: domain.of for slot, domain in domains if isinstance(domain, OneOf)}


def as_condition(
    expr: Expr, node: Node | None, span: Span, address: str, bound: Mapping[int, Expr] | None = None
) -> RuleCondition:
    """A condition and the node at which it is written, if there is one."""
    scalar = node if isinstance(node, ScalarNode) else None
    return RuleCondition(expr, scalar, span if node is None else node.span, address, bound or {})


def report_constant(condition: RuleCondition, part: Expr, is_true: bool, hint: str, diagnostics: Diagnostics) -> None:
    """Reports that a part of a condition always or never holds; of parts within one another the first that is found."""
    text, span = condition.text[slice(*part.offsets)].strip(), condition.span_of(part)
    if any(
        one.address == condition.address and (one.span.contains(span) or span.contains(one.span))
        for one in diagnostics
        if one.code in (ALWAYS_TRUE, NEVER_TRUE)
    ):
        return
    label = "always holds" if is_true else "never holds"
    diagnostics.add(
        span,
        ALWAYS_TRUE if is_true else NEVER_TRUE,
        f"{f'`{text}`' if text else 'this comparison'} {label}",
        label=label,
        help=hint,
        address=condition.address,
    )


__all__ = [
    "RuleCondition",
    "as_condition",
    "conditions_of_steps",
    "judged_conditions",
    "judged_inner_conditions",
    "report_constant",
    "rule_conditions",
]

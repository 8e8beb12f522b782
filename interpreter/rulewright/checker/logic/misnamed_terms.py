"""Does a term that is called like a zone or a state count something else?

In: rules, and the composition they were built from. Out: warnings about terms of sums and criteria of the ranking that
have the name of a zone or state, do not read it and read another one, where nothing else counts what they are called
by, nor ends the game by it; or that of a state of players which nothing reads at all, whatever they count. Under
variants only what a variant wrote.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import OTHER_TERM
from rulewright.checker.common.names_touched import NO_NAMES, Names, NamesTouched
from rulewright.diagnostics import Diagnostics
from rulewright.expr.tree import Expr
from rulewright.expr.types import SEAT
from rulewright.model.effects import Finish, SetState
from rulewright.model.facts.zone_uses import exprs_of_play
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.model.traversal import asked_exprs
from rulewright.suggestions import join_list


def check_misnamed_terms(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    declared = rules.zones.keys() | rules.states.keys()
    terms = [term for term in _terms(rules) if term[1] in declared]
    if not terms:
        return
    names = NamesTouched(rules)
    counted = _counted(rules, names)
    for section, name, key, expr in terms:
        read = (names.read(expr) & declared) - {name}
        if name in counted or not read:
            continue
        if not any(_are_alike(rules, name, other) for other in read) and not _is_only_set(rules, name, names):
            continue
        node = condition_node(composition.document.root, section, key)
        if node is None or not composition.is_judged(node.span):
            continue
        others = join_list([f"`{other}`" for other in sorted(read)], "and")
        message = f"`{name}` counts {others}, and nothing counts `{name}`"
        hint = f"count `{name}`, or give this term another name"
        address = section if section.endswith(f".{name}") else f"{section}.{name}"
        diagnostics.add(node.span, OTHER_TERM, message, label=f"not `{name}`", help=hint, address=address)


def _are_alike(rules: Rules, one: str, other: str) -> bool:
    """Whether two names are both of zones, or of states, with the same keys."""
    return any(
        one in declared and other in declared and declared[one].key_types == declared[other].key_types
        for declared in (rules.zones, rules.states)
    )


def _is_only_set(rules: Rules, name: str, names: NamesTouched) -> bool:
    """Whether a name is that of a state of each player which nothing reads but what sets it."""
    if name not in rules.states or SEAT not in rules.states[name].key_types:
        return False
    setting = [
        step
        for block in rules.blocks
        for step in block.steps
        if isinstance(step.effect, SetState) and step.effect.target.name == name
    ]
    own = {id(expr) for step in setting for expr in asked_exprs(step)}
    return bool(setting) and not any(id(expr) not in own and name in names.read(expr) for expr in exprs_of_play(rules))


def _terms(rules: Rules) -> Iterator[tuple[str, str, str, Expr]]:
    """The section, the name, the key and the expression of all terms of sums, and of criteria."""
    for value in rules.values.values():
        for section, terms in (("sum", value.terms), ("less", value.deductions)):
            yield from ((f"values.{value.name}.{section}", name, name, term) for name, term in terms if name != "is")
    for criterion in rules.ranking:
        name = criterion.address.rpartition(".")[2]
        yield criterion.address, name, "most" if criterion.is_maximized else "fewest", criterion.of


def _counted(rules: Rules, names: NamesTouched) -> Names:
    """All that is counted for anything."""
    values = (term for value in rules.values.values() for _, term in (*value.terms, *value.deductions))
    ends = (step.when for block in rules.blocks for step in block.steps if isinstance(step.effect, Finish))
    exprs = [*values, *(end for end in ends if end is not None)]
    for assessed in (rules.ranking, rules.measures, rules.evaluation):
        exprs += [one.of for one in assessed]
    return NO_NAMES.union(*map(names.read, exprs))


__all__ = ["check_misnamed_terms"]

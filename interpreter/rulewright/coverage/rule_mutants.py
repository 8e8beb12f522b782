"""Rules with one fault: a condition negated, left out or off by one, an effect that does not happen or other options.

In: rules. Out: `RuleMutant`s, each with the address of what is changed, the change in words, and the sites that a game
comes by where it matters. Mutants are made of rules that are read already, not of files: so they cost no loading, and
only those with a key that is in no kind (`mutant_keys.py`) are refused. `lockstep/rule_mutations.py` changes files, to
reach constructs that no game has.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from rulewright.coverage.declaration_mutants import declaration_mutants
from rulewright.coverage.expr_mutants import negation_of, off_by_one, replace_part
from rulewright.coverage.mutant import LoadWith, RuleMutant, named_apart
from rulewright.coverage.named_conditions import all_of, named_conditions, texts_in_brackets
from rulewright.coverage.rule_sites import values_in_play
from rulewright.engine.notation import Notation
from rulewright.engine.reference.observation import loop_site, value_site, when_site, while_site
from rulewright.expr.tree import Constant, Expr
from rulewright.expr.types import FLAG, Number
from rulewright.expr.walk import iter_exprs
from rulewright.frozen import replace
from rulewright.model.actions import ActionDef, Choice, Clause
from rulewright.model.effects import Choose, Effect, Roll, Step
from rulewright.model.rules import Criterion, Rules, ValueDef
from rulewright.model.traversal import domain_exprs, step_exprs

StepPlace = tuple[int, int]  # index of the block, of the step in it


def rule_mutants(rules: Rules, load_with: LoadWith) -> tuple[RuleMutant, ...]:
    """All mutants of the rules, each name once. `load_with`: the same rules with a setting, `goal=21`."""
    return named_apart((*_mutants_of_play(rules), *declaration_mutants(rules, load_with)))


def _mutants_of_play(rules: Rules) -> Iterator[RuleMutant]:
    for action in rules.actions:
        yield from _action_mutants(rules, action)
    for block_index, block in enumerate(rules.blocks):
        for step_index, step in enumerate(block.steps):
            yield from _step_mutants(rules, (block_index, step_index), step)
    in_play = values_in_play(rules)
    for value in rules.values.values():
        if value.name in in_play:
            yield from _value_mutants(rules, value)
    for index, criterion in enumerate(rules.ranking):
        yield from _criterion_mutants(rules, index, criterion)


# ---- expressions ----------------------------------------------------------------------------------------------


def _condition_changes(condition: Expr, text: str) -> Iterator[tuple[str, Expr | None]]:
    """A condition negated, left out (None) and off by one."""
    opposite = negation_of(condition, text)
    yield opposite.words, opposite.expr
    yield f"`{text}` is left out" if text else "the condition is left out", None
    yield from _number_changes(condition, text)


def _changes_of_several(condition: Expr, text: str) -> Iterator[tuple[str, Expr | None]]:
    """The same of a condition that may be several by name, each with a text of its own: of one after another."""
    parts = named_conditions(condition)
    if len(parts) == 1:
        yield from _condition_changes(condition, text)
        return
    for index, (part, own_text) in enumerate(zip(parts, texts_in_brackets(text, len(parts)), strict=True)):
        for words, changed in _condition_changes(part, own_text):
            others = (*parts[:index], *(() if changed is None else (changed,)), *parts[index + 1 :])
            yield words, all_of(others)


def _number_changes(expr: Expr, text: str) -> Iterator[tuple[str, Expr]]:
    return ((mutant.words, mutant.expr) for mutant in off_by_one(expr, text))


# ---- actions --------------------------------------------------------------------------------------------------


def _with_action(rules: Rules, action: ActionDef, changed: ActionDef) -> Rules:
    return replace(rules, actions=tuple(changed if other is action else other for other in rules.actions))


def _action_mutants(rules: Rules, action: ActionDef) -> Iterator[RuleMutant]:
    for clause in action.clauses:
        for words, clauses in _clause_changes(clause, action.clauses):
            change = partial(_with_action, rules, action, replace(action, clauses=clauses))
            yield RuleMutant.of(rules, clause.address, words, change, (clause.address,))
    for choice in action.choices:
        sites = (choice.address, when_site(choice.address))
        for address, words, changed in _choice_changes(choice):
            change = partial(_with_action, rules, action, replace_part(action, choice, changed))
            yield RuleMutant.of(rules, address, words, change, sites)


def _clause_changes(clause: Clause, clauses: tuple[Clause, ...]) -> Iterator[tuple[str, tuple[Clause, ...]]]:
    """The clauses among which one is changed or left out."""
    index = clauses.index(clause)
    for words, condition in _condition_changes(clause.condition, clause.source_text):
        changed = () if condition is None else (replace(clause, condition=condition),)
        yield words, (*clauses[:index], *changed, *clauses[index + 1 :])


def _choice_changes(choice: Choice) -> Iterator[tuple[str, str, Choice]]:
    if choice.condition is not None:
        for words, condition in _condition_changes(choice.condition, choice.source_texts[-1]):
            yield when_site(choice.address), words, replace(choice, condition=condition)
    for expr, text in zip(domain_exprs(choice.domain), choice.source_texts, strict=False):
        for words, changed in _number_changes(expr, text):
            yield choice.address, words, replace_part(choice, expr, changed)


# ---- steps ----------------------------------------------------------------------------------------------------


def _with_step(rules: Rules, place: StepPlace, changed: Step | None) -> Rules:
    block_index, step_index = place
    block = rules.blocks[block_index]
    inserted = () if changed is None else (changed,)
    new = replace(block, steps=(*block.steps[:step_index], *inserted, *block.steps[step_index + 1 :]))
    return replace(rules, blocks=(*rules.blocks[:block_index], new, *rules.blocks[block_index + 1 :]))


def _step_mutants(rules: Rules, place: StepPlace, step: Step) -> Iterator[RuleMutant]:
    address, texts = step.address, dict(step.source_texts)
    sites = (address, loop_site(address), while_site(address))
    yield RuleMutant.of(rules, address, "does not happen", partial(_with_step, rules, place, None), sites)
    conditions = [
        (step.when, when_site(address), texts.get("when", "")),
        (step.while_condition, while_site(address), texts.get("while", "")),
        (step.for_each.condition if step.for_each is not None else None, loop_site(address), ""),
    ]
    for condition, site, text in conditions:
        if condition is not None:
            for words, changed in _changes_of_several(condition, text):
                change = partial(_with_step, rules, place, replace_part(step, condition, changed))
                yield RuleMutant.of(rules, site, words, change, (site,))
    for expr in step_exprs(step):
        if not any(expr is condition for condition, _, _ in conditions):
            for words, changed in _number_changes(expr, _step_text(expr, step)):
                change = partial(_with_step, rules, place, replace_part(step, expr, changed))
                yield RuleMutant.of(rules, address, words, change, sites)
    for words, effect in _effect_changes(step.effect, rules):
        change = partial(_with_step, rules, place, replace(step, effect=effect))
        yield RuleMutant.of(rules, address, words, change, (address,))
    if isinstance(step.effect, Choose):
        yield from _offer_mutants(rules, place, step, step.effect)


def _effect_changes(effect: Effect, rules: Rules) -> Iterator[tuple[str, Effect]]:
    """A decision that can be declined, or not; a roll in which something cannot come up."""
    match effect:
        case Choose(mode="must"):
            yield "`must` becomes `may`", replace(effect, mode="may", fallback=None, is_automatic=False)
        case Choose(mode="may"):
            yield "`may` becomes `must`", replace(effect, mode="must", fallback="nothing")
        case Roll(outcomes=outcomes, target=target) if len(outcomes) > 1:
            notation = Notation(rules)
            for outcome in outcomes:
                others = tuple(other for other in outcomes if other is not outcome)
                value = notation.format_value(outcome[0], target.type)
                yield f"{value} cannot come up", replace(effect, outcomes=others)


def _step_text(expr: Expr, step: Step) -> str:
    """The text of a step in which an expression is written: the only one in which its numbers are where it has them."""
    numbers = [part for part in iter_exprs(expr) if isinstance(part, Constant) and isinstance(part.type, Number)]

    def has_all(text: str) -> bool:
        return all(text[slice(*part.offsets)] == str(part.value) for part in numbers)

    fitting = [text for _, text in step.source_texts if numbers and has_all(text)]
    return fitting[0] if len(fitting) == 1 else ""


def _offer_mutants(rules: Rules, place: StepPlace, step: Step, effect: Choose) -> Iterator[RuleMutant]:
    for index, offer in enumerate(effect.offers):
        others = (*effect.offers[:index], *effect.offers[index + 1 :])
        if others:
            words = f"`{rules.actions[offer.action].name}` is not offered"
            fewer = replace(step, effect=replace(effect, offers=others))
            yield RuleMutant.of(rules, step.address, words, partial(_with_step, rules, place, fewer), (step.address,))
        for clause in offer.clauses:
            for words, clauses in _clause_changes(clause, offer.clauses):
                changed = replace_part(step, offer, replace(offer, clauses=clauses))
                change = partial(_with_step, rules, place, changed)
                yield RuleMutant.of(rules, clause.address, words, change, (clause.address,))


# ---- values, ranking ------------------------------------------------------------------------------------------


def _with_value(rules: Rules, changed: ValueDef) -> Rules:
    return replace(rules, values={**rules.values, changed.name: changed})


def _value_mutants(rules: Rules, value: ValueDef) -> Iterator[RuleMutant]:
    site = value_site(value.name)
    terms = [(term, "sum") for term in value.terms] + [(term, "less") for term in value.deductions]
    for (term, key), text in zip(terms, value.source_texts, strict=True):
        name, expr = term
        address = site if name == "is" else f"{site}.{key}.{name}"
        changes = [*_number_changes(expr, text)]
        if expr.type == FLAG:
            opposite = negation_of(expr, text)
            changes.append((opposite.words, opposite.expr))
        for words, changed in changes:
            change = partial(_with_value, rules, replace_part(value, term, (name, changed)))
            yield RuleMutant.of(rules, address, words, change, (site,))
        if len(value.terms) > 1 or key == "less":
            rest = replace(
                value,
                terms=tuple(other for other in value.terms if other is not term),
                deductions=tuple(other for other in value.deductions if other is not term),
            )
            yield RuleMutant.of(rules, address, "is not counted", partial(_with_value, rules, rest), (site,))


def _with_criterion(rules: Rules, index: int, changed: Criterion | None) -> Rules:
    inserted = () if changed is None else (changed,)
    return replace(rules, ranking=(*rules.ranking[:index], *inserted, *rules.ranking[index + 1 :]))


def _criterion_mutants(rules: Rules, index: int, criterion: Criterion) -> Iterator[RuleMutant]:
    opposite = replace(criterion, is_maximized=not criterion.is_maximized)
    words = "the fewest instead of the most" if criterion.is_maximized else "the most instead of the fewest"
    changes: list[tuple[str, Criterion | None]] = [(words, opposite), ("is left out", None)]
    for number_words, of in _number_changes(criterion.of, criterion.source_text):
        changes.append((number_words, replace(criterion, of=of)))
    for words, changed in changes:
        change = partial(_with_criterion, rules, index, changed)
        yield RuleMutant.of(rules, criterion.address, words, change, (criterion.address,))


__all__ = ["rule_mutants"]

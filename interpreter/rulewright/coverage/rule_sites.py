"""The places in rules that a game can come by: conditions, choices, steps, values, criteria of the ranking.

In: rules. Out: a `RuleSite` for each, by the names under which `engine/reference/observation.py` tells of them. Values
that only bots, sentences or measures read are left out: no game depends on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Literal

from rulewright.diagnostics import Span
from rulewright.document.language import DEMAND_KEYS
from rulewright.engine.reference.observation import loop_site, value_site, when_site, while_site
from rulewright.expr.tree import Expr, ReadValue
from rulewright.expr.walk import iter_exprs
from rulewright.frozen import frozen
from rulewright.model.actions import ActionDef, Clause
from rulewright.model.effects import Choose, Step
from rulewright.model.rules import Rules
from rulewright.model.traversal import asked_exprs, choice_exprs

# of a rule, with which a variant makes another rule of it; a condition of a step is a place of its own
OWN_KEYS: Final = (*sorted(DEMAND_KEYS - {"when"}), "weights")
SiteKind = Literal["condition", "choice", "step", "value", "ranking"]


@frozen
class RuleSite:
    """One of them. `origin`: the variant that wrote it, else the game; `span`: where, None of what no file says.

    `source_text`: a condition as written.
    """

    address: str
    kind: SiteKind
    origin: str
    span: Span | None
    source_text: str = ""


def rule_sites(rules: Rules) -> tuple[RuleSite, ...]:
    """All of them, each address once."""
    sites: dict[str, RuleSite] = {}
    for address, kind, span, text in _all_sites(rules):
        sites.setdefault(
            address, RuleSite(address, kind, origin_of(rules, address), _span_of(rules, address, span), text)
        )
    return tuple(sites.values())


def origin_of(rules: Rules, address: str) -> str:
    """The variant that wrote what is at an address, its expression or what it does; else the game."""
    for written in (*(f"{address}.{key}" for key in OWN_KEYS), address):
        note = rules.provenance.get(written)
        if note is not None and note.variant:
            return note.variant
    parent, _, name = address.rpartition(".")
    is_part = address not in rules.provenance and bool(parent)
    return origin_of(rules, parent) if is_part and name else rules.game


def _span_of(rules: Rules, address: str, span: Span | None) -> Span | None:
    note = rules.provenance.get(address)
    return note.span if note is not None else span


def _all_sites(rules: Rules) -> Iterator[tuple[str, SiteKind, Span | None, str]]:
    steps = [step for block in rules.blocks for step in block.steps]
    for action in rules.actions:
        yield from _action_sites(action)
        for step in steps:
            if step.address.startswith(f"{action.address}."):
                yield from _step_sites(step)
    for step in steps:  # those of actions, again, are dropped: each address counts once
        yield from _step_sites(step)
    for name in sorted(values_in_play(rules), key=[*rules.values].index):
        yield value_site(name), "value", None, " + ".join(rules.values[name].source_texts)
    for criterion in rules.ranking:
        yield criterion.address, "ranking", None, criterion.source_text


def _action_sites(action: ActionDef) -> Iterator[tuple[str, SiteKind, Span | None, str]]:
    for choice in action.choices:
        yield choice.address, "choice", choice.span, choice.source_texts[0]
        if choice.condition is not None:
            yield when_site(choice.address), "condition", choice.span, choice.source_texts[-1]
    yield from map(_clause_site, action.clauses)


def _clause_site(clause: Clause) -> tuple[str, SiteKind, Span | None, str]:
    return clause.address, "condition", clause.span, clause.source_text


def _step_sites(step: Step) -> Iterator[tuple[str, SiteKind, Span | None, str]]:
    texts = dict(step.source_texts)
    yield step.address, "step", step.span, ""
    if step.when is not None:
        yield when_site(step.address), "condition", step.span, texts.get("when", "")
    if step.while_condition is not None:
        yield while_site(step.address), "condition", step.span, texts.get("while", "")
    if step.for_each is not None and step.for_each.condition is not None:
        yield loop_site(step.address), "condition", step.span, texts.get("for_each", "")
    if isinstance(step.effect, Choose):
        yield from (_clause_site(clause) for offer in step.effect.offers for clause in offer.clauses)


# ---- what rules read ------------------------------------------------------------------------------------------


def values_in_play(rules: Rules) -> frozenset[str]:
    """The names of the values on which a game depends."""
    return values_read(rules, _exprs_in_play(rules))


def values_read(rules: Rules, exprs: Iterable[Expr]) -> frozenset[str]:
    """The names of the values that expressions read, also through other values."""
    found: set[str] = set()
    pending = list(exprs)
    while pending:
        for part in iter_exprs(pending.pop()):
            if isinstance(part, ReadValue) and part.name not in found and part.name in rules.values:
                found.add(part.name)
                definition = rules.values[part.name]
                pending += [term for _, term in (*definition.terms, *definition.deductions)]
    return frozenset(found)


def _exprs_in_play(rules: Rules) -> Iterator[Expr]:
    for action in rules.actions:
        yield from (clause.condition for clause in action.clauses)
        yield from (expr for choice in action.choices for expr in choice_exprs(choice))
    yield from (expr for block in rules.blocks for step in block.steps for expr in asked_exprs(step))
    for zone in rules.zones.values():
        yield from (expr for expr in (zone.capacity, zone.initial_content) if expr is not None)
    yield from (state.initial_value for state in rules.states.values())
    yield from (criterion.of for criterion in rules.ranking)
    yield from (invariant.condition for invariant in rules.invariants)


__all__ = ["RuleSite", "SiteKind", "origin_of", "rule_sites", "values_in_play", "values_read"]

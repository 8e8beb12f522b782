"""Declarations with one fault: a parameter that is off by one, a place without its limit or its refill.

In: rules. Out: `RuleMutant`s. Which games they matter to is found in what reads them. Where places or kinds may be made
of them every game counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from rulewright.coverage.expr_mutants import off_by_one
from rulewright.coverage.mutant import LoadWith, RuleMutant
from rulewright.coverage.rule_sites import values_read
from rulewright.engine.reference.observation import loop_site, value_site, when_site, while_site
from rulewright.expr.tree import Constant, Expr, ReadParameter
from rulewright.expr.types import FLAG, SEAT, Bag, ConstantValue, Flag, Member, Number, Type
from rulewright.expr.walk import iter_exprs
from rulewright.frozen import replace
from rulewright.model.locale import player_number
from rulewright.model.rules import ParameterDef, Rules, StateDef, ZoneDef
from rulewright.model.traversal import asked_exprs, choice_exprs


def declaration_mutants(rules: Rules, load_with: LoadWith) -> Iterator[RuleMutant]:
    """Those of parameters, states and zones."""
    readers = ReaderSites(rules)
    for parameter in rules.parameters.values():
        yield from _parameter_mutants(rules, parameter, readers, load_with)
    for state in rules.states.values():
        yield from _state_mutants(rules, state)
    for zone in rules.zones.values():
        yield from _zone_mutants(rules, zone)


class ReaderSites:
    """Which sites read a parameter; none where something that is not a site reads it."""

    def __init__(self, rules: Rules) -> None:
        self._sites = [(site, _names_read(exprs)) for site, exprs in _exprs_of_sites(rules)]
        always = [expr for zone in rules.zones.values() for expr in (zone.capacity, zone.initial_content) if expr]
        always += [state.initial_value for state in rules.states.values()]
        for name in values_read(rules, always):
            always += [term for _, term in (*rules.values[name].terms, *rules.values[name].deductions)]
        self._always = _names_read(always)

    def sites_of(self, name: str) -> frozenset[str]:
        """The sites; none: every case depends on it."""
        return frozenset(() if name in self._always else (site for site, names in self._sites if name in names))


def _names_read(exprs: Iterable[Expr]) -> frozenset[str]:
    parts = (part for expr in exprs for part in iter_exprs(expr))
    return frozenset(part.name for part in parts if isinstance(part, ReadParameter))


def _exprs_of_sites(rules: Rules) -> Iterator[tuple[str, Iterable[Expr]]]:
    for action in rules.actions:
        yield from ((clause.address, (clause.condition,)) for clause in action.clauses)
        for choice in action.choices:
            for site in (choice.address, when_site(choice.address)):
                yield site, choice_exprs(choice)
    for block in rules.blocks:
        for step in block.steps:
            for site in (step.address, when_site(step.address), loop_site(step.address), while_site(step.address)):
                yield site, asked_exprs(step)
    for value in rules.values.values():
        yield value_site(value.name), [term for _, term in (*value.terms, *value.deductions)]
    for criterion in rules.ranking:
        yield criterion.address, (criterion.of,)


# ---- parameters -----------------------------------------------------------------------------------------------


def _parameter_mutants(
    rules: Rules, parameter: ParameterDef, readers: ReaderSites, load_with: LoadWith
) -> Iterator[RuleMutant]:
    """Other values. A single number is set as players set it, since kinds, bounds and zones can be made of it."""
    address = f"parameters.{parameter.name}"
    by_key, type_, value = parameter.values_by_key, parameter.type, parameter.value
    if by_key is None and isinstance(type_, Number) and isinstance(value, int):
        for other in (value + 1, value - 1):
            if type_.low <= other <= type_.high:
                change = partial(load_with, f"{parameter.name}={other}")
                yield RuleMutant.of(rules, address, f"{value} becomes {other}", change, ())
        return
    sites = readers.sites_of(parameter.name)
    if by_key is None:
        for words, other_value in _constant_changes(value, type_):
            changed = replace(parameter, value=other_value)
            yield RuleMutant.of(rules, address, words, partial(_with_parameter, rules, changed), sites)
        return
    for key, value_of_key in by_key.items():
        for words, other_value in _constant_changes(value_of_key, type_):
            changed = replace(parameter, values_by_key={**by_key, key: other_value})
            change = partial(_with_parameter, rules, changed)
            name = _member_name(rules, parameter.key_types[0], key)
            yield RuleMutant.of(rules, address, f"of {name}: {words}", change, sites)


def _member_name(rules: Rules, type_: Type, value: int) -> str:
    """A member as rules write it, a player counted from 1."""
    if not isinstance(type_, Member) or type_ == SEAT:
        return f"player {player_number(value)}"
    kind = rules.kinds[type_.kind]
    return kind.members[kind.member_values.index(value)]


def _with_parameter(rules: Rules, changed: ParameterDef) -> Rules:
    return replace(rules, parameters={**rules.parameters, changed.name: changed})


def _constant_changes(value: ConstantValue, type_: Type) -> Iterator[tuple[str, ConstantValue]]:
    match type_:
        case Flag():
            yield "is the opposite", int(not value)
        case Number(low=low, high=high) if isinstance(value, int):
            for other in (value + 1, value - 1):
                if low <= other <= high:
                    yield f"{value} becomes {other}", other
        case Bag() if isinstance(value, tuple):
            for index, count in enumerate(value):
                for other in (count + 1, count - 1) if count else ():
                    yield f"{count} becomes {other}", (*value[:index], other, *value[index + 1 :])


# ---- states, zones --------------------------------------------------------------------------------------------


def _with_state(rules: Rules, changed: StateDef) -> Rules:
    return replace(rules, states={**rules.states, changed.name: changed})


def _state_mutants(rules: Rules, state: StateDef) -> Iterator[RuleMutant]:
    changes: list[tuple[str, StateDef]] = []
    for words, initial in _initial_changes(state):
        changes.append((words, replace(state, initial_value=initial)))
    if state.reset_scope in ("turn", "round"):
        changes.append((f"does not begin anew with each {state.reset_scope}", replace(state, reset_scope="")))
    for words, changed in changes:
        change = partial(_with_state, rules, changed)
        yield RuleMutant.of(rules, state.address, words, change, ())  # cases can ask for it, too


def _initial_changes(state: StateDef) -> Iterator[tuple[str, Expr]]:
    initial = state.initial_value
    if isinstance(initial, Constant) and state.type == FLAG:
        yield "starts as the opposite", Constant(not initial.value, FLAG, initial.offsets)
    elif isinstance(state.type, Number):
        for mutant in off_by_one(initial, ""):
            value = mutant.expr.value if isinstance(mutant.expr, Constant) else None
            if not isinstance(value, int) or state.type.low <= value <= state.type.high:
                yield f"`start`: {mutant.words}", mutant.expr


def _with_zone(rules: Rules, changed: ZoneDef) -> Rules:
    return replace(rules, zones={**rules.zones, changed.name: changed})


def _zone_mutants(rules: Rules, zone: ZoneDef) -> Iterator[RuleMutant]:
    changes: list[tuple[str, ZoneDef]] = []
    if zone.capacity is not None and zone.refill is not None:  # else it is only checked, like an invariant
        off = off_by_one(zone.capacity, "")
        changes += [(f"`at_most`: {mutant.words}", replace(zone, capacity=mutant.expr)) for mutant in off]
    if zone.refill is not None:
        changes.append(("is not refilled", replace(zone, refill=None)))
    if zone.initial_content is not None:
        off = off_by_one(zone.initial_content, "")
        changes += [(f"`start`: {mutant.words}", replace(zone, initial_content=mutant.expr)) for mutant in off]
    for words, changed in changes:
        yield RuleMutant.of(rules, zone.address, words, partial(_with_zone, rules, changed), ())


__all__ = ["ReaderSites", "declaration_mutants"]

"""What is known between two steps: what state variables are, which conditions hold, how two numbers compare.

In: conditions that hold or do not, values that were set, what is written. Out: `Known`, and ranges of expressions with
it. A parameter that is a flag, or a comparison with one, is only known to hold if it was asked before, since variants
change parameters, or if a place is empty and it holds whatever they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rulewright.checker.common.names_touched import POSSIBLE, Names, NamesTouched
from rulewright.checker.common.parameter_reads import ParameterReads
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import (
    Builtin,
    Call,
    Compare,
    Constant,
    Expr,
    Logic,
    Not,
    ReadParameter,
    ReadState,
    ReadValue,
    ReadZone,
)
from rulewright.expr.types import Flag, Member, Number, Type
from rulewright.expr.walk import free_variables
from rulewright.frozen import field, frozen, replace
from rulewright.model.facts.expression_ranges import ExpressionRanges, Variables
from rulewright.model.facts.value_ranges import EITHER, FALSE, TRUE, BagRange, Scalars, SetRange, ValueRange, join
from rulewright.model.rules import Rules

SIGNS: Final[Mapping[str, tuple[int, ...]]] = {  # of left less right, where a comparison holds
    "<": (-1,),
    "<=": (-1, 0),
    ">": (1,),
    ">=": (0, 1),
    "is": (0,),
    "is not": (-1, 1),
}
FactKey = tuple[object, ...]


@frozen
class Fact:
    """What a condition, a number or the sign of a difference can be; on what it depends, and the rule behind it."""

    value: Scalars
    reads: Names
    address: str


@frozen
class Known:
    """What is known at a point of the steps. `set_by`: the steps that have set state variables, by their numbers.
    `empty`: by their numbers the places in which nothing is, each with its zone and the rule behind it.
    """

    variables: tuple[ValueRange, ...]
    set_by: Mapping[int, str]
    facts: Mapping[FactKey, Fact]
    empty: Mapping[int, tuple[str, str]] = field(default_factory=dict)

    def join(self, other: Known | None) -> Known:
        """What is known where one of two has happened."""
        if other is None or other is self:
            return self
        variables = []
        for mine, others in zip(self.variables, other.variables, strict=True):
            joined = mine if mine is others else join(mine, others)
            assert joined is not None
            variables.append(joined)
        facts = {}
        for key, fact in self.facts.items():
            if (same := other.facts.get(key)) is not None:
                facts[key] = replace(fact, value=fact.value.join(same.value))
        empty = {place: why for place, why in self.empty.items() if place in other.empty}
        return Known(tuple(variables), {**other.set_by, **self.set_by}, facts, empty)

    def without(self, names: Names, numbers: frozenset[int], full: Sequence[ValueRange]) -> Known:
        """What is still known when something of these names was written: `numbers` are the state variables among it."""
        facts = {key: fact for key, fact in self.facts.items() if not names & fact.reads}
        empty = {place: why for place, why in self.empty.items() if why[0] not in names}
        if not numbers:
            is_same = len(facts) == len(self.facts) and len(empty) == len(self.empty)
            return self if is_same else replace(self, facts=facts, empty=empty)
        variables = with_values(self.variables, {index: full[index] for index in numbers})
        set_by = {index: address for index, address in self.set_by.items() if index not in numbers}
        return Known(variables, set_by, facts, empty)


def with_values(variables: Sequence[ValueRange], values: Mapping[int, ValueRange]) -> tuple[ValueRange, ...]:
    """What variables can be, where some of them, by their numbers, are something else."""
    changed = list(variables)
    for index, value in values.items():
        changed[index] = value
    return tuple(changed)


class KnownRanges(ExpressionRanges):
    """Ranges of expressions where something is known. `used`: the rules that made known what was asked."""

    def __init__(self, rules: Rules, contents: Sequence[ValueRange], known: Known, parameters: ParameterReads) -> None:
        if known.empty:
            contents = [_nothing(each) if place in known.empty else each for place, each in enumerate(contents)]
        super().__init__(rules, contents, known.variables)
        self.known = known
        self.parameters = parameters
        self.used: list[str] = []

    def _range_of(self, expr: Expr, env: Variables, me: Scalars) -> ValueRange:
        facts = self.known.facts
        if isinstance(expr, ReadParameter) and isinstance(expr.type, Flag) and self.parameters.are_in(expr):
            return EITHER
        if isinstance(expr, ReadState) and self.known.set_by:
            places = self.places(self.rules.states[expr.name], expr.keys, env, me)
            self.used += [self.known.set_by[place] for place in places if place in self.known.set_by]
        if facts and not isinstance(expr, Constant) and isinstance(expr.type, Flag | Number):
            kind = "flag" if isinstance(expr.type, Flag) else "number"
            fact = facts.get((kind, structural_key(expr)))
            if fact is not None:
                found = super()._range_of(expr, env, me)
                assert isinstance(found, Scalars)
                narrowed = fact.value if kind == "flag" else found.meet(fact.value)
                if not narrowed.is_empty:
                    if narrowed != found:
                        self.used.append(fact.address)
                    return narrowed
        return super()._range_of(expr, env, me)

    def zone_range(self, expr: ReadZone, env: Variables, me: Scalars) -> ValueRange:
        """The content of a zone, or the count of a member in it; of a place that is empty, nothing."""
        if self.known.empty:
            places = self.places(self.rules.zones[expr.name], expr.keys, env, me)
            self.used += [self.known.empty[place][1] for place in places if place in self.known.empty]
        return super().zone_range(expr, env, me)

    def _compare(self, expr: Compare, env: Variables, me: Scalars) -> Scalars:
        if expr.op in SIGNS and self.known.facts and _are_ordered(expr):
            fact = self.known.facts.get(order_key(expr))
            if fact is not None and fact.value.listed:
                holding = [sign in SIGNS[expr.op] for sign in fact.value.listed]
                if all(holding) or not any(holding):
                    self.used.append(fact.address)
                    return TRUE if holding[0] else FALSE
        if not self.parameters.are_in(expr):
            return super()._compare(expr, env, me)
        if not self.known.empty:
            return EITHER
        wide = _WithAnyParameters(self.rules, self.contents, self.known, self.parameters)
        found = wide.compare(expr, env, me)
        self.used += wide.used
        return found


class _WithAnyParameters(KnownRanges):
    """The same whatever numbers variants give to parameters, as far as their types allow."""

    def __init__(self, rules: Rules, contents: Sequence[ValueRange], known: Known, parameters: ParameterReads) -> None:
        super().__init__(rules, contents, known, parameters)
        self.constant_values = {}

    def compare(self, expr: Compare, env: Variables, me: Scalars) -> Scalars:
        """How a comparison comes out."""
        return ExpressionRanges._compare(self, expr, env, me)

    def _compare(self, expr: Compare, env: Variables, me: Scalars) -> Scalars:
        return EITHER if self.parameters.are_in(expr) else super()._compare(expr, env, me)

    def _read_parameter(
        self, name: str, keys: tuple[Expr, ...], type_: Type, env: Variables, me: Scalars
    ) -> ValueRange:
        return self.full_range(self.rules.parameters[name].type)


def _nothing(content: ValueRange) -> ValueRange:
    """What is in a place that could hold this, where it is empty."""
    return BagRange.exactly((0,) * len(content.highs)) if isinstance(content, BagRange) else SetRange.exactly(())


def order_key(expr: Compare) -> FactKey:
    """Of what is known of the sign of left less right."""
    return ("order", structural_key(expr.left), structural_key(expr.right))


def assume(
    known: Known,
    condition: Expr,
    ranges: KnownRanges,
    names: NamesTouched,
    me: Scalars,
    *,
    holds: bool,
    address: str,
    variables: int = 0,
) -> Known:
    """What is known where a condition holds, or does not. `ranges`: before that is known; `variables`: how many are
    bound around all that is asked of it, so that the condition may read them.
    """
    match condition:
        case ReadValue(name=name, keys=()) if len(terms := ranges.rules.values[name].terms) == 1:
            known = assume(known, terms[0][1], ranges, names, me, holds=holds, address=address)
        case Not(of=of):
            return assume(known, of, ranges, names, me, holds=not holds, address=address, variables=variables)
        case Logic(op=op, left=left, right=right) if (op == "and") is holds:
            known = assume(known, left, ranges, names, me, holds=holds, address=address, variables=variables)
            return assume(known, right, ranges, names, me, holds=holds, address=address, variables=variables)
    if any(slot >= variables for slot in free_variables(condition)):
        return known
    reads = names.read(condition)
    if POSSIBLE in reads:
        return known
    known = _with_empty_places(known, condition, ranges, me, holds=holds, address=address)
    facts = dict(known.facts)
    facts["flag", structural_key(condition)] = Fact(TRUE if holds else FALSE, reads, address)
    if isinstance(condition, Compare) and condition.op in SIGNS and _are_ordered(condition):
        signs = [sign for sign in (-1, 0, 1) if (sign in SIGNS[condition.op]) is holds]
        known = _narrowed(known, condition, signs, ranges, me, address)
        for key, known_signs in (
            (order_key(condition), signs),
            (order_key(replace(condition, left=condition.right, right=condition.left)), [-sign for sign in signs]),
        ):
            before = facts.get(key)
            value = Scalars.of(known_signs) if before is None else before.value.meet(Scalars.of(known_signs))
            facts[key] = Fact(value, reads, address)
        if isinstance(condition.left.type, Number) and isinstance(condition.right, Constant):
            number = ranges.scalars(condition.left, {}, me).meet(
                _beside(signs, ranges.scalars(condition.right, {}, me))
            )
            facts["number", structural_key(condition.left)] = Fact(number, reads, address)
    return replace(known, facts=facts)


def _with_empty_places(
    known: Known, condition: Expr, ranges: KnownRanges, me: Scalars, *, holds: bool, address: str
) -> Known:
    """What is known where a condition says that places are empty."""
    match condition:
        case Compare(op="is" | "is not" as op, left=ReadZone(member=None) as read, right=Constant(value=None)):
            is_empty = (op == "is") is holds
        case Compare(
            op=op, left=Call(function="count", args=(ReadZone(member=None) as read,)), right=Constant(value=0)
        ):
            is_empty = (op in ("is", "<=") and holds) or (op in ("is not", ">") and not holds)
        case _:
            return known
    zone = ranges.rules.zones[read.name]
    places = ranges.places(zone, read.keys, {}, me)
    if not is_empty or (read.keys and len(places) != 1) or zone.refill is not None:
        return known
    return replace(known, empty={**known.empty, **dict.fromkeys(places, (read.name, address))})


def _narrowed(
    known: Known, condition: Compare, signs: Sequence[int], ranges: KnownRanges, me: Scalars, address: str
) -> Known:
    """What is known of state variables, where one of them was compared with a constant."""
    if isinstance(condition.left, ReadState) and isinstance(condition.right, Constant | Builtin):
        definition = ranges.rules.states[condition.left.name]
        places = ranges.places(definition, condition.left.keys, {}, me)
        other = ranges.scalars(condition.right, {}, me)
        if len(places) == 1 and isinstance(before := known.variables[places[0]], Scalars) and other.single is not None:
            if isinstance(condition.left.type, Number):
                kept = before.meet(_beside(signs, other))
                if 0 not in signs and kept.listed is not None:
                    kept = Scalars.of(kept.listed - {other.single})
            elif signs == [0]:
                kept = before.meet(other)
            else:
                kept = Scalars.of(value for value in before.listed or () if value not in other)
            if not kept.is_empty and kept != before:
                variables = (kept if place == places[0] else value for place, value in enumerate(known.variables))
                set_by = {**known.set_by, places[0]: address}
                return replace(known, variables=tuple(variables), set_by=set_by)
    return known


def _beside(signs: Sequence[int], other: Scalars) -> Scalars:
    """The numbers whose difference to another has one of these signs."""
    far = 10**9
    low = -far if -1 in signs else other.low if 0 in signs else other.low + 1
    high = far if 1 in signs else other.high if 0 in signs else other.high - 1
    return Scalars.between(low, high)


def _are_ordered(expr: Compare) -> bool:
    """Whether two numbers are compared, or whether two flags or members are the same."""
    types = (expr.left.type, expr.right.type)
    return all(isinstance(side, Number) for side in types) or (
        expr.op in ("is", "is not") and all(isinstance(side, Flag | Member) for side in types)
    )


__all__ = ["SIGNS", "Fact", "Known", "KnownRanges", "assume", "order_key", "with_values"]

"""What the facts say can be is never exceeded: random games of all tables, with variants and without."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest

from positions import Table, chosen, engine_of
from random_play import random_positions
from rulewright.engine.place_compiler import CompiledExpr
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import Decision, State
from rulewright.engine.values import RuntimeValue, content_things
from rulewright.expr.tree import Constant, ReadValue
from rulewright.facts.expression_ranges import ExpressionRanges
from rulewright.facts.position_ranges import PositionRanges, find_position_ranges
from rulewright.facts.value_ranges import BagRange, Scalars, SetRange, ValueRange
from rulewright.model.rules import ValueDef

# with variants at one number of players only: reading the rules takes longer than playing
TABLES = tuple({(table.game, table.variants or table.players): table for table in chosen("whole")}.values())
DECISIONS = 60


def is_among(value: RuntimeValue, known: ValueRange) -> bool:
    """Whether a value is one of those that a range has."""
    match known, value:
        case (Scalars() as scalars, int()):
            return int(value) in scalars
        case (BagRange() as bag, tuple()):
            counts = zip(bag.lows, value, bag.highs, strict=False)
            return all(low <= count <= high for low, count, high in counts) and (
                bag.low_total <= sum(value) <= bag.high_total
            )
        case (SetRange() as elements, tuple()):
            return elements.fewest <= len(value) <= elements.most and all(each in elements.elements for each in value)
    raise TypeError(f"{value} is no value for {known}")


@cache
def ranges_of(table: Table) -> tuple[PositionRanges, ExpressionRanges]:
    rules = engine_of(table).rules
    found = find_position_ranges(rules)
    return found, ExpressionRanges(rules, found.contents, found.variables)


def keys_of(definition: ValueDef, engine: ReferenceEngine) -> Iterator[tuple[int, ...]]:
    full = ExpressionRanges(engine.rules, (), ()).full_range
    choices = []
    for type_ in definition.key_types:
        known = full(type_)
        choices.append(sorted(known.listed or ()) if isinstance(known, Scalars) else [])
    return product(*choices)


@cache
def derived_values(table: Table) -> tuple[tuple[str, CompiledExpr, str, tuple[int, ...]], ...]:
    """Some derived values with keys: a title, the function that computes it, its name and keys."""
    engine, rng = engine_of(table), random.Random(1)
    found = []
    for name, definition in engine.rules.values.items():
        every = list(keys_of(definition, engine))
        for keys in rng.sample(every, min(8, len(every))):
            args = tuple(Constant(key, type_, (0, 0)) for key, type_ in zip(keys, definition.key_types, strict=True))
            compiled = engine.compiler.compile(ReadValue(name, args, definition.type, (0, 0)))
            found.append((f"{name}{keys}", compiled, name, keys))
    return tuple(found)


def exceeded(engine: ReferenceEngine, state: State, table: Table) -> Iterator[str]:
    """What of a position is outside of what the facts say."""
    ranges, expressions = ranges_of(table)
    zone_of = engine.layout.visibility.zone_by_place
    for place, (content, known) in enumerate(zip(state.contents, ranges.contents, strict=True)):
        if not is_among(content_things(content), known):
            yield f"{zone_of[place].name} ({place}) holds {content}, not {known}"
    for index, (value, known) in enumerate(zip(state.variables, ranges.variables, strict=True)):
        if not is_among(value, known):
            yield f"state variable {index} is {value}, not {known}"
    if not isinstance(state.waiting, Decision):
        return
    seat = state.waiting.seat
    me = Scalars.of((seat,))
    context = engine.context(state, seat)
    for title, compiled, name, keys in derived_values(table):
        known = expressions.value(name, tuple(Scalars.of((key,)) for key in keys), me)
        if not is_among(compiled(context), known):
            yield f"{title} is {compiled(context)}, not {known}"


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_no_bound_is_broken(table: Table) -> None:
    engine, (ranges, _) = engine_of(table), ranges_of(table)
    rng = random.Random(str(table))
    for first in (0, table.players - 1):
        start = engine.start(seed=rng.randrange(2**32), first=first)
        for state in random_positions(engine, start, rng, DECISIONS):
            assert list(exceeded(engine, state, table)) == []
            for action in engine.legal(state):
                if action.number >= 0:
                    known = ranges.choices[action.number]
                    assert all(map(is_among, action.values, known)), (action, known)

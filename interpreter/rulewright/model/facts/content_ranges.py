"""Ranges of what lies in places, of what is printed on things, and of bags made of it.

In: expressions that read zones and fields. Out: their ranges. A part of `ExpressionRanges`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from rulewright.expr.tree import BagLiteral, Expr, FieldTotal, ReadZone
from rulewright.expr.types import Bag, ConstantValue, Member, Number, SetOf, Thing, Type
from rulewright.model.bag_indexes import bag_index, family_size
from rulewright.model.facts.range_operations import total_of_bags, total_of_numbers
from rulewright.model.facts.range_reader import RangeReader, Variables, range_of_constant
from rulewright.model.facts.value_ranges import EMPTY_SCALARS, FALSE, BagRange, Scalars, SetRange, ValueRange, join
from rulewright.model.place_keys import is_plural_key
from rulewright.model.rules import StateDef, ZoneDef


def number_places(definition: ZoneDef | StateDef, choices: Iterable[Iterable[int]]) -> list[int]:
    """The numbers of places or state variables. `choices`: for each key the indexes of its values."""
    numbers = [0]
    for chosen, values in zip(choices, definition.key_values, strict=True):
        numbers = [number * len(values) + index for number in numbers for index in chosen]
    return [definition.first_index + number for number in numbers]


@lru_cache(maxsize=256)
def _rank_of(values: tuple[int, ...]) -> Mapping[int, int]:
    """The index of each value of a key."""
    return {value: rank for rank, value in enumerate(values)}


@lru_cache(maxsize=256)
def _field_of_any(column: tuple[ConstantValue, ...], type_: Type, things: Scalars) -> ValueRange | None:
    """What a field of one of some things can be, from its values by thing; None of no thing. As most variants leave
    what is printed alone, it is the same in all of them.
    """
    found: ValueRange | None = None
    for thing, value in enumerate(column):
        if thing in things:
            found = join(found, range_of_constant(value, type_))
    return found


@lru_cache(maxsize=256)
def _total_number(column: tuple[ConstantValue, ...], things: SetRange) -> Scalars:
    numbers = [Scalars.of((value,)) for value in _values_of(column, things) if isinstance(value, int)]
    return total_of_numbers(numbers, things.fewest, things.most)


@lru_cache(maxsize=256)
def _total_bag(
    column: tuple[ConstantValue, ...], things: SetRange, index_of: tuple[tuple[int, int], ...], size: int
) -> BagRange:
    """A field of bags or members added up; `index_of`: for each member its index in a bag."""
    indexes = dict(index_of)
    bags = [
        BagRange.exactly(int(index == indexes[value]) for index in range(size))
        if isinstance(value, int)
        else BagRange.exactly(value)
        for value in _values_of(column, things)
        if isinstance(value, int | tuple)
    ]
    return total_of_bags(bags, things.fewest, things.most, size)


def _values_of(column: tuple[ConstantValue, ...], things: SetRange) -> list[ConstantValue]:
    return [value for thing, value in enumerate(column) if thing in things.elements]


class ContentRanges(RangeReader):
    """Ranges of what expressions read from places and things."""

    def places(self, definition: ZoneDef | StateDef, keys: tuple[Expr, ...], env: Variables, me: Scalars) -> list[int]:
        """The numbers of the places that keys can name; a missing key stands for all values."""
        return number_places(definition, self.key_choices(definition, keys, env, me))

    def key_choices(
        self, definition: ZoneDef | StateDef, keys: tuple[Expr, ...], env: Variables, me: Scalars
    ) -> list[list[int]]:
        """For each key of a zone or state variable the indexes of the values that it can have."""
        choices = []
        for index, values in enumerate(definition.key_values):
            if index >= len(keys):
                choices.append(list(range(len(values))))
                continue
            if isinstance(definition, ZoneDef) and is_plural_key(self.rules, keys[index], definition, index):
                chosen = self.elements(keys[index], env, me).elements
            else:
                chosen = self.scalars(keys[index], env, me)
            if chosen.listed is not None and len(chosen.listed) < len(values):
                rank_of = _rank_of(values)
                choices.append(sorted(rank_of[value] for value in chosen.listed if value in rank_of))
            else:
                choices.append([rank for rank, value in enumerate(values) if value in chosen])
        return choices

    def zone_range(self, expr: ReadZone, env: Variables, me: Scalars) -> ValueRange:
        """The content of a zone, or the count of a member in it."""
        zone = self.rules.zones[expr.name]
        places = self.places(zone, expr.keys, env, me)
        is_plural = len(expr.keys) < len(zone.key_types) or any(
            is_plural_key(self.rules, key, zone, index) for index, key in enumerate(expr.keys)
        )
        if not zone.is_pool:
            sets = [content for place in places if isinstance(content := self.contents[place], SetRange)]
            if is_plural:
                elements = EMPTY_SCALARS
                for content in sets:
                    elements = elements.join(content.elements)
                # which places a set of keys names is not known: perhaps none
                fewest = sum(content.fewest for content in sets) if not expr.keys else 0
                return SetRange.of(elements, fewest, sum(content.most for content in sets))
            return self.joined(iter(sets), expr.type)
        bags = [content for place in places if isinstance(content := self.contents[place], BagRange)]
        zeros = (0,) * family_size(self.rules, zone.piece_kind)
        found = BagRange.of(zeros, zeros)
        if is_plural:
            for bag in bags:
                found = found.plus(bag)
            if expr.keys:
                found = BagRange.of(zeros, found.highs, 0, found.high_total)
        else:
            joined = self.joined(iter(bags), expr.type) if bags else found
            assert isinstance(joined, BagRange)
            found = joined
        if expr.member is None:
            return found
        return self.count_of(found, Bag(zone.piece_kind), self.scalars(expr.member, env, me))

    def field_range(self, expr: Expr, of: Expr, name: str, env: Variables, me: Scalars) -> ValueRange:
        """A field of one thing or cell."""
        if isinstance(of.type, Member):
            cells, numbers = self.scalars(of, env, me), self.rules.kinds[of.type.kind].cell_numbers(name)
            return Scalars.of(number for cell, number in enumerate(numbers) if cell in cells)
        assert isinstance(of.type, Thing)
        component = self.rules.components[of.type.component]
        column, type_ = component.columns[name], component.field_types[name]
        things = self.scalars(of, env, me)
        if things.single is not None and 0 <= things.single < len(column):  # asked of row after row
            return range_of_constant(column[things.single], type_)
        found = _field_of_any(column, type_, things)
        return self.joined(iter(()), expr.type) if found is None else found

    def field_total(self, expr: FieldTotal, env: Variables, me: Scalars) -> ValueRange:
        """A field added up over things."""
        assert isinstance(expr.of.type, SetOf)
        assert isinstance(expr.of.type.element, Thing)
        component = self.rules.components[expr.of.type.element.component]
        column, type_ = component.columns[expr.name], component.field_types[expr.name]
        things = self.elements(expr.of, env, me)
        if isinstance(expr.type, Number):
            return _total_number(column, things)
        assert isinstance(expr.type, Bag)
        index_of = () if isinstance(type_, Bag) else tuple(bag_index(self.rules, expr.type.kind).items())
        return _total_bag(column, things, index_of, family_size(self.rules, expr.type.kind))

    def count_of(self, bag: BagRange, type_: Type, member: Scalars) -> Scalars:
        """The count of a member in a bag."""
        assert isinstance(type_, Bag)
        if not type_.kind or not bag.highs:
            return FALSE  # zero
        indexes = [index for value, index in bag_index(self.rules, type_.kind).items() if value in member]
        found = EMPTY_SCALARS
        for index in indexes:
            found = found.join(Scalars.between(bag.lows[index], bag.highs[index]))
        return found

    def bag_literal(self, expr: BagLiteral, env: Variables, me: Scalars) -> BagRange:
        """A bag with so many of each of some members."""
        assert isinstance(expr.type, Bag)
        count, members = self.scalars(expr.count, env, me), self.elements(expr.members, env, me)
        low, high = max(0, count.low), max(0, count.high)
        index_of = bag_index(self.rules, expr.type.kind)
        lows, highs = [0] * family_size(self.rules, expr.type.kind), [0] * family_size(self.rules, expr.type.kind)
        for value, index in index_of.items():
            if value in members.elements:
                highs[index] = high
                lows[index] = low if members.is_exact else 0
        return BagRange.of(lows, highs, low * members.fewest, high * members.most)


__all__ = ["ContentRanges", "number_places"]

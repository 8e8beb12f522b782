"""How expressions read what lies in places, what is printed on things, and how they make bags.

In: typed expressions and the rule model. Out: functions that take a `Context`. A part of `ExprCompiler`, which compiles
what these expressions consist of.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from rulewright.engine.context import Context
from rulewright.engine.place_compiler import CompiledExpr, CompiledNumber, CompiledTuple, PlaceCompiler
from rulewright.engine.values import RuntimeValue, as_int, as_tuple, as_value, content_things
from rulewright.expr.tree import BagLiteral, Expr, FieldTotal, Local, ReadZone
from rulewright.expr.types import Bag, Member, Number, SetOf, Thing, Type
from rulewright.model.place_keys import is_plural_key
from rulewright.model.rules import ZoneDef


class ContentCompiler(PlaceCompiler):
    """Turns expressions about contents of places, fields of things and bags into functions."""

    def read_zone(self, expr: ReadZone) -> CompiledExpr:
        """The content of a place, of several together, or the count of a member in it."""
        zone = self.rules.zones[expr.name]
        if not self._is_single_place(zone, expr.keys):
            places = self.compile_places(zone, expr.keys)
            return self._read_places(zone, places) if expr.member is None else self._count_in(zone, places, expr.member)
        read = self._read_place(zone, self.compile_place(zone, expr.keys))
        if expr.member is None:
            return read
        index_of, member = self.bag_index(zone.piece_kind), self.compile_number(expr.member)
        if not self.rules.kinds[zone.piece_kind].is_numeric:
            # a word's number is its index in the bag
            if not zone.key_types and isinstance(expr.member, Local):
                return _read_count(zone.first_index, expr.member.slot)
            return lambda c: read(c)[member(c)]
        return lambda c: read(c)[index_of[member(c)]]

    def _is_single_place(self, zone: ZoneDef, keys: tuple[Expr, ...]) -> bool:
        return len(keys) == len(zone.key_types) and not any(
            is_plural_key(self.rules, key, zone, index) for index, key in enumerate(keys)
        )

    def _count_in(self, zone: ZoneDef, places: CompiledTuple, member: Expr) -> CompiledNumber:
        """The count of a member in several places; their bags are not added up for it."""
        index_of, member_of = self.zone_bag_index(zone.name), self.compile_number(member)

        def run(c: Context) -> int:
            contents, index = cast("Sequence[tuple[int, ...]]", c.contents), index_of[member_of(c)]  # pieces: no piles
            total = 0
            for place in places(c):
                total += contents[place][index]
            return total

        return run

    def _read_place(self, zone: ZoneDef, place: CompiledNumber) -> CompiledTuple:
        if zone.is_pool or not zone.is_shuffled:
            first = zone.first_index
            if not zone.key_types:
                return cast("CompiledTuple", lambda c: c.contents[first])  # no pile: the zone is not shuffled
            return cast("CompiledTuple", lambda c: c.contents[place(c)])
        # a pile never shows its order
        return lambda c: tuple(sorted(content_things(c.contents[place(c)])))

    def read_in_any_order(self, expr: Expr) -> CompiledTuple:
        """A bag or set of which only matters how much there is: a pile need not be put in order for it."""
        if isinstance(expr, ReadZone) and expr.member is None:
            zone = self.rules.zones[expr.name]
            if zone.is_shuffled and not zone.is_pool and self._is_single_place(zone, expr.keys):
                place = self.compile_place(zone, expr.keys)
                return lambda c: content_things(c.contents[place(c)])
        return self.compile_tuple(expr)

    def _read_places(self, zone: ZoneDef, places: CompiledTuple) -> CompiledTuple:
        if isinstance(zone.content_type, Member):
            zeros = (0,) * self.family_size(zone.content_type.kind)
            add_bags = self.bag_arithmetic(zone.content_type).add_bags

            def sum_places(c: Context) -> tuple[int, ...]:
                contents, total = cast("Sequence[tuple[int, ...]]", c.contents), zeros  # pieces: no piles
                for place in places(c):
                    if any(contents[place]):
                        total = add_bags(total, contents[place])
                return total

            return sum_places
        if zone.is_shuffled:
            return lambda c: tuple(
                [thing for place in places(c) for thing in sorted(content_things(c.contents[place]))]
            )
        return lambda c: tuple([thing for place in places(c) for thing in content_things(c.contents[place])])

    def read_column(self, owner: Type, name: str) -> tuple[RuntimeValue, ...]:
        """The values of a field, by thing or cell."""
        if isinstance(owner, Member):
            return self.rules.kinds[owner.kind].cell_numbers(name)
        assert isinstance(owner, Thing)
        return tuple(as_value(value) for value in self.rules.components[owner.component].columns[name])

    def field_total(self, expr: FieldTotal) -> CompiledExpr:
        """A field added up over a set of things."""
        assert isinstance(expr.of.type, SetOf)
        assert isinstance(expr.of.type.element, Thing)
        component = self.rules.components[expr.of.type.element.component]
        column = self.read_column(expr.of.type.element, expr.name)
        things = self.compile_tuple(expr.of)
        if isinstance(component.field_types[expr.name], Bag):
            assert isinstance(expr.type, Bag)
            zeros, add_bags = (0,) * self.family_size(expr.type.kind), self.bag_arithmetic(expr.type).add_bags
            bags = tuple([bag if any(bag) else () for bag in map(as_tuple, column)])  # what is empty is left out

            def sum_bags(c: Context) -> tuple[int, ...]:
                total = zeros
                for thing in things(c):
                    if bag := bags[thing]:
                        total = add_bags(total, bag)
                return total

            return sum_bags
        numbers = tuple(map(as_int, column))
        if isinstance(expr.type, Number):
            return lambda c: sum([numbers[thing] for thing in things(c)])
        assert isinstance(expr.type, Bag)
        index_of, zeros = self.bag_index(expr.type.kind), (0,) * self.family_size(expr.type.kind)

        def count_members(c: Context) -> tuple[int, ...]:
            total = list(zeros)
            for thing in things(c):
                total[index_of[numbers[thing]]] += 1
            return tuple(total)

        return count_members

    def member_count(self, bag: Expr, member: Expr) -> CompiledNumber:
        """The count of a member in a bag."""
        assert isinstance(bag.type, Bag)
        bag_of, member_of = self.compile_tuple(bag), self.compile_number(member)
        index_of = self.bag_index(bag.type.kind)

        def run(c: Context) -> int:
            counts = bag_of(c)
            return counts[index_of[member_of(c)]] if counts else 0

        return run

    def bag_literal(self, expr: BagLiteral) -> CompiledTuple:
        """A bag with so many of a member, or of each of some members."""
        assert isinstance(expr.type, Bag)
        count_of = self.compile_number(expr.count)
        size, index_of = self.family_size(expr.type.kind), self.bag_index(expr.type.kind)
        is_plural = isinstance(expr.members.type, SetOf | Bag)
        elements = self.compile_elements(expr.members) if is_plural else self.compile_single(expr.members)

        def run(c: Context) -> tuple[int, ...]:
            bag, count = [0] * size, count_of(c)
            for member in elements(c):
                bag[index_of[member]] = count
            return tuple(bag)

        return run


def _read_count(place: int, slot: int) -> CompiledNumber:
    """The count of a bound member in a place that is known beforehand."""
    return cast("CompiledNumber", lambda c: c.contents[place][c.env[slot]])


__all__ = ["ContentCompiler"]

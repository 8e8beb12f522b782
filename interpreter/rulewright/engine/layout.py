"""How the table looks before anybody has done anything: the capacity of each place, what is filled from where, what is
where.

In: the rule model. Out: a `Layout`, computed once for a rule model; nothing in it depends on a position.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

from rulewright.engine.context import Context
from rulewright.engine.expr_compiler import ExprCompiler
from rulewright.engine.faults import RuleFault
from rulewright.engine.knowledge import KNOWN_POOL
from rulewright.engine.values import BagCounts, Content, Pile, RuntimeValue, content_bag, content_things
from rulewright.engine.visibility import Visibility
from rulewright.expr.types import Member, Thing
from rulewright.model.rules import Rules, StateDef, ZoneDef
from rulewright.source.node_memo import NodeMemo


class Layout:
    """What the rules say about places: `capacities[place]` (None: no limit), `refills` (to, source, capacity) in key
    order, and the contents, variables and knowledge with which setup begins. Raises `RuleFault` when a place starts
    over its capacity.
    """

    def __init__(self, rules: Rules, compiler: ExprCompiler) -> None:
        self.rules = rules
        self.visibility = Visibility(rules)
        self.capacities: list[int | None] = []
        self.refills: list[tuple[int, int, int]] = []
        contents: list[Content] = []
        for zone in sorted(rules.zones.values(), key=lambda zone: zone.first_index):
            self._add_zone(zone, compiler, contents)
        self._place_things(compiler, contents)
        self.contents = tuple(contents)
        self._check_capacities()
        variables: list[RuntimeValue] = []
        for state in sorted(rules.states.values(), key=lambda state: state.first_index):
            initial_value = compiler.compile(state.initial_value)
            variables.extend(initial_value(_empty_context(keys)) for keys in _key_tuples(state))
        self.variables = tuple(variables)
        self.thing_pools, self.pools = self._initial_pools()
        self.known_pieces = self._initial_known_pieces()

    def _add_zone(self, zone: ZoneDef, compiler: ExprCompiler, contents: list[Content]) -> None:
        capacity_of = None if zone.capacity is None else compiler.compile_number(zone.capacity)
        initial_bag = None if zone.initial_content is None else compiler.compile_tuple(zone.initial_content)
        empty: Content = Pile((), (), ()) if zone.is_shuffled else ()
        if isinstance(zone.content_type, Member):
            empty = (0,) * compiler.family_size(zone.content_type.kind)
        source = None
        if zone.refill is not None:
            source = compiler.compile_place(self.rules.zones[zone.refill.zone], zone.refill.keys)
        for keys in _key_tuples(zone):
            c = _empty_context(keys)
            self.capacities.append(None if capacity_of is None else capacity_of(c))
            contents.append(empty if initial_bag is None else initial_bag(c) or empty)
            if source is not None:
                self.refills.append((len(contents) - 1, source(c), self.capacities[-1] or 0))

    def _place_things(self, compiler: ExprCompiler, contents: list[Content]) -> None:
        for component in self.rules.components.values():
            if component.initial_place is None:
                continue
            place_of = compiler.compile_place(
                self.rules.zones[component.initial_place.zone], component.initial_place.keys
            )
            for thing in range(len(component.ids)):
                place = place_of(_empty_context((thing,)))
                content = contents[place]
                if isinstance(content, Pile):
                    contents[place] = content._replace(loose=(*content.loose, thing))
                else:
                    contents[place] = (*content, thing)
        for place, content in enumerate(contents):
            if isinstance(content, Pile) and len(content.loose) == 1:
                contents[place] = Pile(content.loose, (), ())

    def _check_capacities(self) -> None:
        for place, (zone, capacity) in enumerate(zip(self.visibility.zone_by_place, self.capacities, strict=True)):
            things_or_bag = content_things(self.contents[place])
            count = sum(things_or_bag) if zone.is_pool else len(things_or_bag)
            if capacity is not None and count > capacity:
                message = f"a place of {zone.name} has room for {capacity}, but starts with {count}"
                raise RuleFault(zone.address, zone.span, message)

    def _initial_known_pieces(self) -> tuple[tuple[BagCounts, ...], ...]:
        """What is in a hidden place at the start is known to all, since the rules say it; for viewers that see the
        place nothing needs to be kept.
        """
        bags = {place: content_bag(self.contents[place]) for place in self.visibility.hidden_piece_places}
        if not bags:
            return ()
        return tuple(
            tuple((0,) * len(bag) if row[place] else bag for place, bag in bags.items())
            for row in self.visibility.can_see
        )

    def _initial_pools(self) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
        """What starts together in a place cannot be told apart by those that do not see the place."""
        pools: list[tuple[int, ...]] = [()]
        size = sum(len(component.ids) for component in self.rules.components.values())
        rows = [[KNOWN_POOL] * size for _ in range(self.visibility.viewer_count)]
        for place, zone in enumerate(self.visibility.zone_by_place):
            if isinstance(zone.content_type, Thing) and not self.visibility.is_open[place]:
                first = self.rules.components[zone.content_type.component].first_index
                things = tuple(first + thing for thing in content_things(self.contents[place]))
                if not things:
                    continue
                pools.append(things)
                for viewer, row in enumerate(rows):
                    if not self.visibility.can_see[viewer][place]:
                        for thing in things:
                            row[thing] = len(pools) - 1
        return tuple(map(tuple, rows)), tuple(pools)


def _key_tuples(definition: ZoneDef | StateDef) -> Iterator[tuple[int, ...]]:
    return product(*definition.key_values)


def _empty_context(env: tuple[int, ...]) -> Context:
    return Context((), (), me=-1, env=env)


# of the rules that are checked now, for which one pass after another asks. A fault is found anew each time.
layout_of: Final = NodeMemo[Rules, Layout](lambda rules: Layout(rules, ExprCompiler(rules)), 1)

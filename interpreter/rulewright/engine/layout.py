"""How the table looks before anybody has done anything: the room in each place, what is filled from where, what lies
where.

In: the rule model. Out: a `Layout`, computed once for a rule model; nothing in it depends on a position.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from rulewright.engine.evaluator import ExprCompiler
from rulewright.engine.faults import RuleFault
from rulewright.engine.knowledge import KNOWN_POOL, Visibility
from rulewright.engine.values import Context, Pile
from rulewright.expr.types import Member, Thing
from rulewright.model.rules import Rules, StateDef, ZoneDef


class Layout:
    """What the rules say about places: `capacity[place]` (None: no limit), `refills` (to, from, room) in key order,
    and the contents, variables, knowledge and pools with which set-up begins.
    """

    def __init__(self, rules: Rules, evaluator: ExprCompiler) -> None:
        self.rules = rules
        self.visibility = Visibility(rules)
        self.capacities: list[int | None] = []
        self.refills: list[tuple[int, int, int]] = []
        contents: list[Any] = []
        for zone in sorted(rules.zones.values(), key=lambda zone: zone.first_index):
            self._add(zone, evaluator, contents)
        self._place_things(evaluator, contents)
        self.contents = tuple(contents)
        self._check_rooms()
        variables: list[Any] = []
        for state in sorted(rules.states.values(), key=lambda state: state.first_index):
            start = evaluator.compile(state.initial_value)
            variables.extend(start(_blank(keys)) for keys in _keys(state))
        self.variables = tuple(variables)
        self.thing_pools, self.pools = self._knowledge()
        self.known_pieces = self._seen()

    def _add(self, zone: ZoneDef, evaluator: ExprCompiler, contents: list[Any]) -> None:
        room = None if zone.capacity is None else evaluator.compile(zone.capacity)
        starts = None if zone.initial_content is None else evaluator.compile(zone.initial_content)
        empty: Any = Pile((), (), ()) if zone.is_shuffled else ()
        if isinstance(zone.content_type, Member):
            empty = (0,) * evaluator.family_size(zone.content_type.kind)
        source = None
        if zone.refill is not None:
            source = evaluator.compile_place(self.rules.zones[zone.refill.zone], zone.refill.keys)
        for keys in _keys(zone):
            c = _blank(keys)
            self.capacities.append(None if room is None else room(c))
            contents.append(empty if starts is None else starts(c) or empty)
            if source is not None:
                self.refills.append((len(contents) - 1, source(c), self.capacities[-1] or 0))

    def _place_things(self, evaluator: ExprCompiler, contents: list[Any]) -> None:
        for component in self.rules.components.values():
            if component.initial_place is None:
                continue
            zone = self.rules.zones[component.initial_place.zone]
            where = evaluator.compile_place(zone, component.initial_place.keys)
            for thing in range(len(component.ids)):
                place = where(_blank((thing,)))
                content = contents[place]
                contents[place] = (
                    content._replace(loose=(*content.loose, thing)) if zone.is_shuffled else (*content, thing)
                )
        for place, content in enumerate(contents):
            if isinstance(content, Pile) and len(content.loose) == 1:
                contents[place] = Pile(content.loose, (), ())

    def _check_rooms(self) -> None:
        for place, (zone, room) in enumerate(zip(self.visibility.zone_by_place, self.capacities, strict=True)):
            content = self.contents[place]
            count = sum(content) if zone.is_pool else len(content.things if zone.is_shuffled else content)
            if room is not None and count > room:
                raise RuleFault(
                    zone.address, zone.span, f"a place of {zone.name} has room for {room}, and {count} start in it"
                )

    def _seen(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """What lies in a hidden place at the start is known to all, since the rules say it; for who sees it, nothing
        needs to be kept.
        """
        covered = self.visibility.hidden_piece_places
        if not covered:
            return ()
        return tuple(
            tuple((0,) * len(self.contents[at]) if row[at] else self.contents[at] for at in covered)
            for row in self.visibility.can_see
        )

    def _knowledge(self) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
        pools: list[tuple[int, ...]] = [()]
        size = sum(len(component.ids) for component in self.rules.components.values())
        knows = [[KNOWN_POOL] * size for _ in range(self.visibility.viewer_count)]
        for place, zone in enumerate(self.visibility.zone_by_place):
            if isinstance(zone.content_type, Thing) and self.contents[place] and not self.visibility.is_open[place]:
                first = self.rules.components[zone.content_type.component].first_index
                content = self.contents[place]
                things = tuple(first + thing for thing in (content.things if zone.is_shuffled else content))
                if not things:
                    continue
                pools.append(things)
                for viewer, row in enumerate(knows):
                    if not self.visibility.can_see[viewer][place]:
                        for thing in things:
                            row[thing] = len(pools) - 1
        return tuple(map(tuple, knows)), tuple(pools)


def _keys(owner: ZoneDef | StateDef) -> Iterator[tuple[int, ...]]:
    return product(*owner.key_values)


def _blank(env: tuple[int, ...]) -> Context:
    return Context((), (), me=-1, env=env)

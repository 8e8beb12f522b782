"""Who knows what: which things a viewer can tell apart, and which it only knows to be some of several.

In: moves and reveals, as the machine makes them. Out: `knows` and `pools` of a position. A viewer knows a thing when it
sees the place where it lies or has seen it come there; things that are mixed where a viewer cannot look can afterwards
be any of those that were mixed. Viewers are the seats and, last, a spectator, who sees what everybody sees.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.engine.values import add_bags, subtract_bag
from rulewright.model.rules import Rules, ZoneDef

KNOWN_POOL = 0  # number of the pool of things that are no secret; the pool itself is empty


class Visibility:
    """Where each viewer can look: `sees[viewer][place]`, settled by the rules."""

    def __init__(self, rules: Rules) -> None:
        self.viewer_count = rules.players + 1
        self.spectator = rules.players
        self.zone_by_place: list[ZoneDef] = [
            zone for zone in sorted(rules.zones.values(), key=lambda zone: zone.first_index) for _ in range(zone.size)
        ]
        self.can_see = [
            [_visible(zone, place, viewer, rules.players) for place, zone in enumerate(self.zone_by_place)]
            for viewer in range(self.viewer_count)
        ]
        self.is_open = [all(row[place] for row in self.can_see) for place in range(len(self.zone_by_place))]
        # places of pieces that somebody does not see, in the order in which `seen` of a position keeps them
        self.hidden_piece_places = {
            place: at
            for at, place in enumerate(
                place for place, zone in enumerate(self.zone_by_place) if zone.is_pool and not self.is_open[place]
            )
        }

    def viewer_index(self, seat: int | None) -> int:
        """The number of a viewer: the seat, or (None) after the seats the spectator."""
        return self.spectator if seat is None else seat


def _visible(zone: ZoneDef, place: int, viewer: int, players: int) -> bool:
    if zone.seen_by in ("all", "nobody"):
        return zone.seen_by == "all"
    assert zone.owner_key is not None
    stride = 1
    for values in zone.key_values[zone.owner_key + 1 :]:
        stride *= len(values)
    seats = zone.key_values[zone.owner_key]
    owner = seats[(place - zone.first_index) // stride % len(seats)]
    return viewer < players and (viewer == owner) == (zone.seen_by == "owner")


class Knowledge:
    """The knowledge of all viewers while moves are made; read it back from `knows`, `pools` and `seen`."""

    def __init__(
        self,
        sight: Visibility,
        knows: tuple[tuple[int, ...], ...],
        pools: tuple[tuple[int, ...], ...],
        seen: tuple[tuple[tuple[int, ...], ...], ...],
    ) -> None:
        self.visibility = sight
        self.thing_pools = list(knows)
        self.pools = pools
        self.known_pieces = seen

    def record_piece_move(self, bag: tuple[int, ...], source: int, to: int) -> None:
        """Pieces have changed place: who saw them leave an open place knows that they lie in the hidden one.

        Who did not see what left a hidden place knows less of it than before.
        """
        covered = self.visibility.hidden_piece_places
        if source not in covered and to not in covered:
            return
        rows = [list(row) for row in self.known_pieces]
        for viewer, row in enumerate(rows):
            sees_source, sees_to = self.visibility.can_see[viewer][source], self.visibility.can_see[viewer][to]
            if not sees_source:
                known = row[covered[source]]
                row[covered[source]] = subtract_bag(known, bag if sees_to else (sum(bag),) * len(known))
            if not sees_to and sees_source and not self.visibility.zone_by_place[to].is_forgetful:
                row[covered[to]] = add_bags(row[covered[to]], bag)
        self.known_pieces = tuple(map(tuple, rows))

    def _learn(self, viewer: int, thing: int, pool: int) -> None:
        row = self.thing_pools[viewer]
        if row[thing] != pool:
            self.thing_pools[viewer] = (*row[:thing], pool, *row[thing + 1 :])

    def reveal(self, things: Iterable[int], viewers: Iterable[int]) -> None:
        """Some viewers see some things; what was seen stays known."""
        for thing in things:
            for viewer in viewers:
                self._learn(viewer, thing, KNOWN_POOL)

    def record_arrival(self, thing: int, to: int, beside: tuple[int, ...], mixed: bool) -> None:
        """A thing has come to a place, where `beside` lie already; `mixed`: it can no longer be told from them."""
        zone, sees = self.visibility.zone_by_place[to], self.visibility.can_see
        for viewer in range(self.visibility.viewer_count):
            if sees[viewer][to]:
                self._learn(viewer, thing, KNOWN_POOL)
            elif mixed or zone.is_forgetful:
                self.merge_pools(viewer, (*beside, thing))

    def record_departure(self, thing: int, source: int, to: int, among: tuple[int, ...]) -> None:
        """A thing leaves a place for another; `among` is what it could be told from only by looking (itself included).

        Who sees neither place cannot know which of them it was.
        """
        if len(among) < 2:
            return
        for viewer, sees in enumerate(self.visibility.can_see):
            if not sees[source] and not sees[to] and any(self.thing_pools[viewer][one] == KNOWN_POOL for one in among):
                self.merge_pools(viewer, among)

    def merge_pools(self, viewer: int, things: tuple[int, ...]) -> None:
        """For a viewer, some things can from now on be any of what each of them could be."""
        row = self.thing_pools[viewer]
        could_be: set[int] = set()
        for thing in things:
            could_be.update(self.pools[row[thing]] if row[thing] else (thing,))
        pool = tuple(sorted(could_be))
        if pool not in self.pools:
            self.pools = (*self.pools, pool)
        number = self.pools.index(pool)
        changed = list(row)
        for thing in things:
            changed[thing] = number
        self.thing_pools[viewer] = tuple(changed)

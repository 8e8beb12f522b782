"""Who knows what: which things a viewer can tell apart, and which it only knows to be some of several.

In: moves and reveals, as an engine makes them. Out: `thing_pools`, `pools` and `known_pieces` of a position. A viewer
knows a thing when it sees the place where the thing is or has seen it arrive there; things that are mixed where a
viewer cannot look can afterwards be any of those that were mixed. Viewers are the seats and, last, a spectator.

What the algorithm keeps true, for every viewer v and thing t:

1. `thing_pools[v][t]` is 0 when v knows where t is. Otherwise it is the number of a pool, and for all that v has seen,
   the thing in t's place could be any thing of `pools[number]` that v does not know. t itself is always in its pool.
2. Knowledge depends only on what v could observe. Two positions in which v has seen the same give v the same pools,
   whatever the hidden things are: otherwise a view would leak them.
3. Pools never claim too much. When something happens out of v's sight, pools are merged (`merge_pools`), never split;
   only seeing a thing (`reveal`, or its arrival where v looks) makes it known again.
4. Pieces of one kind cannot be told apart, so for them there are no pools: `known_pieces[v]` holds for each hidden
   place a lower bound, the bag that surely is there. It grows by what v sees go in, and shrinks when something leaves:
   by exactly that bag if v sees it arrive, else by as many of every member, since it could have been any.

Example. Things a, b, c, d are shuffled into a pile that nobody sees: one pool P = {a, b, c, d} for every viewer. Seat 0
draws a into a place that only seat 0 sees: it learns a (number 0); b, c, d stay in P, which for seat 0 now means b, c
or d, since it knows a. For seat 1 nothing changes: the drawn thing and those in the pile can each be any of P. Seat 0
puts a back and the pile is shuffled: for seat 0, a and b, c, d can no longer be told apart, and `merge_pools` gives all
four the pool {a} | P = P. Had seat 0 put a under the pile instead, nothing would be mixed: it would still know a.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rulewright.engine.values import BagCounts, add_bags, is_sub_bag, subtract_bag
from rulewright.engine.visibility import Visibility

KNOWN_POOL: Final = 0  # number of the pool of things that are no secret; the pool itself is empty


class Knowledge:
    """The knowledge of all viewers while moves are made; read it back from `thing_pools`, `pools`, `known_pieces`."""

    def __init__(
        self,
        visibility: Visibility,
        thing_pools: tuple[tuple[int, ...], ...],
        pools: tuple[tuple[int, ...], ...],
        known_pieces: tuple[tuple[BagCounts, ...], ...],
    ) -> None:
        self.visibility = visibility
        self.thing_pools = list(thing_pools)
        self.pools = pools
        self.known_pieces = known_pieces

    def record_piece_move(self, bag: BagCounts, source: int, to: int) -> None:
        """Pieces have moved: who saw them leave an open place knows that they are in the hidden one.

        Who did not see what left a hidden place knows less of it than before.
        """
        hidden_places = self.visibility.hidden_piece_places
        if source not in hidden_places and to not in hidden_places:
            return
        rows = [list(row) for row in self.known_pieces]
        for viewer, row in enumerate(rows):
            sees_source, sees_to = self.visibility.can_see[viewer][source], self.visibility.can_see[viewer][to]
            if not sees_source:
                known = row[hidden_places[source]]
                row[hidden_places[source]] = subtract_bag(known, bag if sees_to else (sum(bag),) * len(known))
            if not sees_to and sees_source and not self.visibility.zone_by_place[to].is_forgetful:
                row[hidden_places[to]] = add_bags(row[hidden_places[to]], bag)
        self.known_pieces = tuple(map(tuple, rows))

    def set_pool(self, viewer: int, thing: int, pool: int) -> None:
        """For a viewer, a thing belongs to a pool from now on; `KNOWN_POOL`: the viewer knows it."""
        row = self.thing_pools[viewer]
        if row[thing] != pool:
            self.thing_pools[viewer] = (*row[:thing], pool, *row[thing + 1 :])

    def reveal(self, things: Iterable[int], viewers: Iterable[int]) -> None:
        """Some viewers see some things; what was seen stays known."""
        for thing in things:
            for viewer in viewers:
                self.set_pool(viewer, thing, KNOWN_POOL)

    def record_arrival(self, thing: int, to: int, others: tuple[int, ...], is_mixed: bool) -> None:
        """A thing has come to a place that holds `others`; `is_mixed`: it can no longer be told from them."""
        zone, can_see = self.visibility.zone_by_place[to], self.visibility.can_see
        for viewer in range(self.visibility.viewer_count):
            if can_see[viewer][to]:
                self.set_pool(viewer, thing, KNOWN_POOL)
            elif is_mixed or zone.is_forgetful:
                self.merge_pools(viewer, (*others, thing))

    def record_departure(self, thing: int, source: int, to: int, candidates: tuple[int, ...]) -> None:
        """A thing leaves a place for another; only looking could tell it from the other `candidates` (itself included).

        Who sees neither place cannot know which of them it was.
        """
        if len(candidates) < 2:
            return
        for viewer, sees in enumerate(self.visibility.can_see):
            if sees[source] or sees[to]:
                continue
            if any(self.thing_pools[viewer][candidate] == KNOWN_POOL for candidate in candidates):
                self.merge_pools(viewer, candidates)

    def merge_pools(self, viewer: int, things: tuple[int, ...]) -> None:
        """For a viewer, each of some things can from now on be any of what any of them could be."""
        row = self.thing_pools[viewer]
        candidates = {thing for thing in things if row[thing] == KNOWN_POOL}
        candidates.update(*[self.pools[number] for number in {row[thing] for thing in things}])
        pool = tuple(sorted(candidates))
        if pool not in self.pools:
            self.pools = (*self.pools, pool)
        number = self.pools.index(pool)
        changed = list(row)
        for thing in things:
            changed[thing] = number
        self.thing_pools[viewer] = tuple(changed)


class KnowledgeWatch(Knowledge):
    """Knowledge that notices when a viewer learns something, if only for a moment. `seen`: what each viewer saw."""

    has_grown: bool = False

    def __init__(
        self,
        visibility: Visibility,
        thing_pools: tuple[tuple[int, ...], ...],
        pools: tuple[tuple[int, ...], ...],
        known_pieces: tuple[tuple[BagCounts, ...], ...],
    ) -> None:
        super().__init__(visibility, thing_pools, pools, known_pieces)
        self.seen: tuple[set[int], ...] = tuple(set() for _ in thing_pools)

    def set_pool(self, viewer: int, thing: int, pool: int) -> None:
        """As in the game; a thing that becomes known is something learnt."""
        if pool == KNOWN_POOL:
            self.seen[viewer].add(thing)
        self.has_grown = self.has_grown or (pool == KNOWN_POOL and self.thing_pools[viewer][thing] != KNOWN_POOL)
        super().set_pool(viewer, thing, pool)

    def record_piece_move(self, bag: BagCounts, source: int, to: int) -> None:
        """As in the game; who sees pieces come from a hidden place may not have known that they were there."""
        index = self.visibility.hidden_piece_places.get(source)
        if index is not None:
            for viewer, row in enumerate(self.known_pieces):
                sees = self.visibility.can_see[viewer]
                self.has_grown = self.has_grown or (sees[to] and not sees[source] and not is_sub_bag(bag, row[index]))
        super().record_piece_move(bag, source, to)


__all__ = ["KNOWN_POOL", "Knowledge", "KnowledgeWatch"]

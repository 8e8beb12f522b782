"""A position under change: the one place where contents, variables and knowledge are written.

In: a `State`. Out: the next one. Moves keep what they move: a thing or piece leaves one place and stands in another.
"""

from __future__ import annotations

from typing import Any, Final

from rulewright.engine.faults import Impossible
from rulewright.engine.knowledge import Knowledge
from rulewright.engine.layout import Layout
from rulewright.engine.state import Chance, Decision, Entry, State
from rulewright.engine.values import Context, Pile, join, settled, take_away
from rulewright.expr.types import Member, Thing
from rulewright.model.rules import ComponentDef, Rules

Turning = list[tuple[int | None, State]]  # whose turn begins (None: one ends), and the position just before
PASSING_ONE: Final = 4  # steps of expressions that take as long as a move takes for each thing it leaves where it is


class Draft:
    """A position being changed. `touched`: something left or reached a place since refilling was last looked at."""

    def __init__(self, rules: Rules, layout: Layout, state: State) -> None:
        self.rules = rules
        self.layout = layout
        self.sight = layout.sight
        self.contents: list[Any] = list(state.contents)
        self.variables: list[Any] = list(state.variables)
        self.knowledge = Knowledge(layout.sight, state.knows, state.pools, state.seen)
        self.stack: list[Entry] = list(state.stack)
        self.waiting: Decision | Chance | None = state.waiting
        self.round = state.round
        self.turns = state.turns
        self.ending = state.ending
        self.extra = state.extra
        self.winners = state.winners
        self.ended = state.ended
        self.rng = state.rng
        self.first = state.first
        self.touched = False
        self.work = 0  # a bound on the steps taken so far
        self.turning: Turning | None = None  # where turns that begin and end are noted, if somebody wants to know
        self.context = Context(self.contents, self.variables, me=-1, first=state.first, round=state.round)

    def frozen(self) -> State:
        """The position as it stands."""
        return State(
            contents=tuple(self.contents),
            variables=tuple(self.variables),
            knows=tuple(self.knowledge.knows),
            pools=self.knowledge.pools,
            seen=self.knowledge.seen,
            stack=tuple(self.stack),
            waiting=self.waiting,
            first=self.first,
            round=self.round,
            turns=self.turns,
            ending=self.ending,
            extra=self.extra,
            winners=self.winners,
            ended=self.ended,
            rng=self.rng,
        )

    def turns_to(self, seat: int | None) -> None:
        """A seat's turn is about to begin, or (none) one has ended."""
        if self.turning is not None:
            self.turning.append((seat, self.frozen()))

    def at(self, seat: int, env: tuple[Any, ...]) -> Context:
        """The context for expressions of a step: the seat in turn and the variables bound."""
        context = self.context
        context.me, context.round = seat, self.round
        context.env[: len(env)] = env
        return context

    def changed(self) -> None:
        """What was computed from the position before is no longer true."""
        self.context.memo.clear()
        self.work += self.context.work
        self.context.work = 0

    def size(self, place: int) -> int:
        """How many things or pieces lie in a place."""
        content = self.contents[place]
        if self.sight.zone_of[place].pooled:
            return sum(content)
        return len(content.things) if isinstance(content, Pile) else len(content)

    # ---- pieces -------------------------------------------------------------------------------------------

    def move_pieces(self, bag: tuple[int, ...], source: int, to: int) -> None:
        """Pieces change place; raises `Impossible` when they are not there or do not fit in."""
        if not any(bag) or source == to:
            return
        held = self.contents[source]
        left = take_away(held, bag)
        if sum(left) + sum(bag) != sum(held):
            raise Impossible(self._too_few(bag, held, source))
        self.contents[source] = left
        self.contents[to] = join(self.contents[to], bag)
        self.knowledge.pieces_moved(bag, source, to)
        self._check_room(to, sum(self.contents[to]))
        self.touched = True
        self.changed()

    def _too_few(self, bag: tuple[int, ...], held: tuple[int, ...], source: int) -> str:
        """What is asked of a place that holds less; of one that not all may see, nothing that it holds."""
        zone = self.sight.zone_of[source]
        if zone.seen_by != "all" or not isinstance(zone.holds, Member):
            return f"takes more than {zone.name} holds"
        members = self.rules.family_members[self.rules.kinds[zone.holds.kind].family]
        found = [(want, has, members[at]) for at, (want, has) in enumerate(zip(bag, held, strict=True)) if want > has]
        asked = " and ".join(f"{want} {name}" for want, _, name in found)
        there = " and ".join(f"{has} {name}" for _, has, name in found)
        return f"takes {asked} from {zone.name}, which holds {there}"

    def _check_room(self, place: int, count: int) -> None:
        capacity = self.layout.capacity[place]
        if capacity is not None and count > capacity:
            raise Impossible(f"puts {count} into {self.sight.zone_of[place].name}, which has room for {capacity}")

    # ---- things -------------------------------------------------------------------------------------------

    def find(self, component: ComponentDef, thing: int) -> int:
        """The place where a thing lies."""
        for place, zone in enumerate(self.sight.zone_of):
            if isinstance(zone.holds, Thing) and zone.holds.component == component.name:
                content = self.contents[place]
                if thing in (content.things if zone.shuffled else content):
                    return place
        raise Impossible(f"moves {component.ids[thing]}, which lies nowhere")

    def move_thing(
        self, component: ComponentDef, thing: int, source: int, to: int, *, bottom: bool = False, plain: bool = False
    ) -> None:
        """A thing changes place: to its row's rank where order means nothing, to the end by order of arrival,
        shuffled in, or put under a pile. `plain`: everybody can tell which thing
        it is, as all go or the one on top.
        """
        if source == to and not self.sight.zone_of[to].shuffled:
            return
        self.work += PASSING_ONE * (self.size(source) + self.size(to))
        self._take_out(thing, source, to, component.first, plain)
        zone, content = self.sight.zone_of[to], self.contents[to]
        number = component.first + thing
        if not zone.shuffled:
            self._check_room(to, len(content) + 1)
            if zone.arrival:
                self.contents[to] = (thing, *content) if bottom else (*content, thing)
            else:
                self.contents[to] = tuple(sorted((*content, thing)))
            self.knowledge.moved(number, to, tuple([component.first + other for other in content]), False)
        elif bottom:
            self.contents[to] = settled(content._replace(bottom=(*content.bottom, thing)))
            self.knowledge.moved(number, to, tuple([component.first + other for other in content.things]), False)
        else:
            loose = tuple(sorted((*content.things, thing)))
            self.contents[to] = settled(Pile((), loose, ()))
            self.knowledge.moved(number, to, tuple([component.first + other for other in content.things]), True)
        self.touched = True
        self.changed()

    def _take_out(self, thing: int, source: int, to: int, first: int, plain: bool) -> None:
        content = self.contents[source]
        if not self.sight.zone_of[source].shuffled:
            if not plain:
                self.knowledge.left(first + thing, source, to, tuple([first + other for other in content]))
            self.contents[source] = tuple([other for other in content if other != thing])
            return
        if thing in content.loose or not plain:
            among = content.loose if thing in content.loose and plain else content.things
            self.knowledge.left(first + thing, source, to, tuple([first + other for other in among]))
        self.contents[source] = content.without(thing)

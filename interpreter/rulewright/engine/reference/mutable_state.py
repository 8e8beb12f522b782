"""A position under change: the one place where contents, variables and knowledge are written.

In: a `State`. Out: the next one. Moves keep what they move: a thing or piece leaves one place and stands in another.
"""

from __future__ import annotations

from typing import Any, Final

from rulewright.engine.faults import StepFault
from rulewright.engine.knowledge import Knowledge
from rulewright.engine.layout import Layout
from rulewright.engine.state import ChanceEvent, Decision, StackEntry, State
from rulewright.engine.values import Context, Pile, add_bags, normalize_pile, subtract_bag
from rulewright.expr.types import Member, Thing
from rulewright.model.rules import ComponentDef, Rules

TurnMarks = list[tuple[int | None, State]]  # whose turn begins (None: one ends), and the position just before
SKIP_COST: Final = 4  # steps of expressions that take as long as a move takes for each thing it leaves where it is


class MutableState:
    """A position being changed. `touched`: something left or reached a place since refilling was last looked at."""

    def __init__(self, rules: Rules, layout: Layout, state: State) -> None:
        self.rules = rules
        self.layout = layout
        self.visibility = layout.visibility
        self.contents: list[Any] = list(state.contents)
        self.variables: list[Any] = list(state.variables)
        self.knowledge = Knowledge(layout.visibility, state.thing_pools, state.pools, state.known_pieces)
        self.stack: list[StackEntry] = list(state.stack)
        self.waiting: Decision | ChanceEvent | None = state.waiting
        self.round = state.round
        self.turn_count = state.turn_count
        self.ending = state.ending
        self.extra_turns = state.extra_turns
        self.winners = state.winners
        self.end_frame = state.end_frame
        self.rng = state.rng
        self.first_seat = state.first_seat
        self.needs_refill = False
        self.expr_steps = 0  # a bound on the steps taken so far
        self.turn_marks: TurnMarks | None = None  # where turns that begin and end are noted, if somebody wants to know
        self.context = Context(self.contents, self.variables, me=-1, first=state.first_seat, round=state.round)

    def freeze(self) -> State:
        """The position as it stands."""
        return State(
            contents=tuple(self.contents),
            variables=tuple(self.variables),
            thing_pools=tuple(self.knowledge.thing_pools),
            pools=self.knowledge.pools,
            known_pieces=self.knowledge.known_pieces,
            stack=tuple(self.stack),
            waiting=self.waiting,
            first_seat=self.first_seat,
            round=self.round,
            turn_count=self.turn_count,
            ending=self.ending,
            extra_turns=self.extra_turns,
            winners=self.winners,
            end_frame=self.end_frame,
            rng=self.rng,
        )

    def mark_turn(self, seat: int | None) -> None:
        """A seat's turn is about to begin, or (none) one has ended."""
        if self.turn_marks is not None:
            self.turn_marks.append((seat, self.freeze()))

    def context_for(self, seat: int, env: tuple[Any, ...]) -> Context:
        """The context for expressions of a step: the seat in turn and the variables bound."""
        context = self.context
        context.me, context.round = seat, self.round
        context.env[: len(env)] = env
        return context

    def invalidate_memo(self) -> None:
        """What was computed from the position before is no longer true."""
        self.context.memo.clear()
        self.expr_steps += self.context.expr_steps
        self.context.expr_steps = 0

    def content_size(self, place: int) -> int:
        """How many things or pieces lie in a place."""
        content = self.contents[place]
        if self.visibility.zone_by_place[place].is_pool:
            return sum(content)
        return len(content.things) if isinstance(content, Pile) else len(content)

    # ---- pieces -------------------------------------------------------------------------------------------

    def move_pieces(self, bag: tuple[int, ...], source: int, to: int) -> None:
        """Pieces change place; raises `Impossible` when they are not there or do not fit in."""
        if not any(bag) or source == to:
            return
        held = self.contents[source]
        left = subtract_bag(held, bag)
        if sum(left) + sum(bag) != sum(held):
            raise StepFault(self._too_few(bag, held, source))
        self.contents[source] = left
        self.contents[to] = add_bags(self.contents[to], bag)
        self.knowledge.record_piece_move(bag, source, to)
        self._check_room(to, sum(self.contents[to]))
        self.needs_refill = True
        self.invalidate_memo()

    def _too_few(self, bag: tuple[int, ...], held: tuple[int, ...], source: int) -> str:
        """What is asked of a place that holds less; of one that not all may see, nothing that it holds."""
        zone = self.visibility.zone_by_place[source]
        if zone.seen_by != "all" or not isinstance(zone.content_type, Member):
            return f"takes more than {zone.name} holds"
        members = self.rules.family_members[self.rules.kinds[zone.content_type.kind].family]
        found = [(want, has, members[at]) for at, (want, has) in enumerate(zip(bag, held, strict=True)) if want > has]
        asked = " and ".join(f"{want} {name}" for want, _, name in found)
        there = " and ".join(f"{has} {name}" for _, has, name in found)
        return f"takes {asked} from {zone.name}, which holds {there}"

    def _check_room(self, place: int, count: int) -> None:
        capacity = self.layout.capacities[place]
        if capacity is not None and count > capacity:
            raise StepFault(
                f"puts {count} into {self.visibility.zone_by_place[place].name}, which has room for {capacity}"
            )

    # ---- things -------------------------------------------------------------------------------------------

    def find_thing(self, component: ComponentDef, thing: int) -> int:
        """The place where a thing lies."""
        for place, zone in enumerate(self.visibility.zone_by_place):
            if isinstance(zone.content_type, Thing) and zone.content_type.component == component.name:
                content = self.contents[place]
                if thing in (content.things if zone.is_shuffled else content):
                    return place
        raise StepFault(f"moves {component.ids[thing]}, which lies nowhere")

    def move_thing(
        self,
        component: ComponentDef,
        thing: int,
        source: int,
        to: int,
        *,
        to_bottom: bool = False,
        is_identifiable: bool = False,
    ) -> None:
        """A thing changes place: to its row's rank where order means nothing, to the end by order of arrival,
        shuffled in, or put under a pile. `plain`: everybody can tell which thing
        it is, as all go or the one on top.
        """
        if source == to and not self.visibility.zone_by_place[to].is_shuffled:
            return
        self.expr_steps += SKIP_COST * (self.content_size(source) + self.content_size(to))
        self._take_out(thing, source, to, component.first_index, is_identifiable)
        zone, content = self.visibility.zone_by_place[to], self.contents[to]
        number = component.first_index + thing
        if not zone.is_shuffled:
            self._check_room(to, len(content) + 1)
            if zone.is_arrival_ordered:
                self.contents[to] = (thing, *content) if to_bottom else (*content, thing)
            else:
                self.contents[to] = tuple(sorted((*content, thing)))
            self.knowledge.record_arrival(
                number, to, tuple([component.first_index + other for other in content]), False
            )
        elif to_bottom:
            self.contents[to] = normalize_pile(content._replace(bottom=(*content.bottom, thing)))
            self.knowledge.record_arrival(
                number, to, tuple([component.first_index + other for other in content.things]), False
            )
        else:
            loose = tuple(sorted((*content.things, thing)))
            self.contents[to] = normalize_pile(Pile((), loose, ()))
            self.knowledge.record_arrival(
                number, to, tuple([component.first_index + other for other in content.things]), True
            )
        self.needs_refill = True
        self.invalidate_memo()

    def _take_out(self, thing: int, source: int, to: int, first: int, plain: bool) -> None:
        content = self.contents[source]
        if not self.visibility.zone_by_place[source].is_shuffled:
            if not plain:
                self.knowledge.record_departure(first + thing, source, to, tuple([first + other for other in content]))
            self.contents[source] = tuple([other for other in content if other != thing])
            return
        if thing in content.loose or not plain:
            among = content.loose if thing in content.loose and plain else content.things
            self.knowledge.record_departure(first + thing, source, to, tuple([first + other for other in among]))
        self.contents[source] = content.remove(thing)

"""A position under change: the one place where contents, variables and knowledge are written.

In: a `State`. Out: the next one. Moves keep what they move: a thing or piece leaves one place and arrives in another.
"""

from __future__ import annotations

from itertools import product

from rulewright import limits
from rulewright.engine.context import Context
from rulewright.engine.faults import StepFault
from rulewright.engine.interface import TurnMarks
from rulewright.engine.knowledge import Knowledge
from rulewright.engine.layout import Layout
from rulewright.engine.state import ChanceEvent, Decision, StackEntry, State
from rulewright.engine.values import BagCounts, Content, Pile, RuntimeValue, add_bags, normalize_pile, subtract_bag
from rulewright.expr.tree import PileEnd
from rulewright.expr.types import SEAT, KindInfo, Member, Thing
from rulewright.model.locale import ENGLISH, player_name
from rulewright.model.rules import ComponentDef, Rules, StateDef, ZoneDef


class MutableState:
    """A position being changed. `needs_refill`: something left or reached a place since refills were last checked."""

    def __init__(self, rules: Rules, layout: Layout, state: State) -> None:
        self.rules = rules
        self.layout = layout
        self.visibility = layout.visibility
        self.contents: list[Content] = list(state.contents)
        self.variables: list[RuntimeValue] = list(state.variables)
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
        # what was written since the invariants of steps were checked: a place by its number n, a variable as ~n; None
        # before they are checked first, as nobody knows what was written before
        self.written: set[int] | None = None
        self.expr_steps = 0  # an upper bound on the evaluation steps spent so far
        self.turn_marks: TurnMarks | None = None  # where turns that begin and end are noted, if a caller asks
        self.context = Context(self.contents, self.variables, me=-1, first=state.first_seat, round=state.round)

    def freeze(self) -> State:
        """The position as it is now."""
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
        """A seat's turn is about to begin, or (None) one has ended."""
        if self.turn_marks is not None:
            self.turn_marks.append((seat, self.freeze()))

    def context_for(self, seat: int, env: tuple[RuntimeValue, ...], around: tuple[RuntimeValue, ...] = ()) -> Context:
        """The context for expressions of a step: the seat in turn, the variables bound, those around an offer."""
        context = self.context
        if around:
            context.see_around(around)
        context.me, context.round = seat, self.round
        context.env[: len(env)] = env
        return context

    def invalidate_memo(self) -> None:
        """Forgets what was computed from the position before a change."""
        self.context.memo.clear()
        self.expr_steps += self.context.expr_steps
        self.context.expr_steps = 0

    def set_variable(self, index: int, value: RuntimeValue) -> None:
        """A state variable gets a value."""
        self.variables[index] = value
        self.note_written(~index)
        self.invalidate_memo()

    def note_written(self, *written: int) -> None:
        """Places or variables were written; see `written`."""
        if self.written is not None:
            self.written.update(written)

    def content_size(self, place: int) -> int:
        """How many things or pieces are in a place."""
        content = self.contents[place]
        if isinstance(content, Pile):
            return len(content.things)
        return sum(content) if self.visibility.zone_by_place[place].is_pool else len(content)

    def bag(self, place: int) -> BagCounts:
        """The content of a place of pieces."""
        content = self.contents[place]
        assert not isinstance(content, Pile)
        return content

    # ---- pieces -------------------------------------------------------------------------------------------

    def move_pieces(self, bag: BagCounts, source: int, to: int) -> None:
        """Pieces change place; raises `StepFault` when they are not there or there is no room for them."""
        if not any(bag) or source == to:
            return
        available = self.bag(source)
        left = subtract_bag(available, bag)
        if sum(left) + sum(bag) != sum(available):
            raise StepFault(self._shortage(bag, available, source), "move", self.zone_name(source))
        self.contents[source] = left
        self.contents[to] = arrived = add_bags(self.bag(to), bag)
        self.knowledge.record_piece_move(bag, source, to)
        self._check_room(to, sum(arrived))
        self.note_written(source, to)
        self.needs_refill = True
        self.invalidate_memo()

    def _shortage(self, bag: BagCounts, available: BagCounts, source: int) -> str:
        """What is taken from a place that holds less; of a place that not all may see, the content is not shown."""
        zone = self.visibility.zone_by_place[source]
        if zone.seen_by != "all" or not isinstance(zone.content_type, Member):
            return f"takes more than {zone.name} holds"
        kind = self.rules.kinds[zone.content_type.kind]
        members = self.rules.family_members[kind.family]
        short = [
            (wanted, count, member)
            for wanted, count, member in zip(bag, available, members, strict=True)
            if wanted > count
        ]
        wanted_text = " and ".join(self._amount_text(kind, member, wanted) for wanted, _, member in short)
        available_text = " and ".join(self._amount_text(kind, member, count) for _, count, member in short)
        return f"takes {wanted_text} from {self.place_text(source)}, which holds {available_text}"

    def _amount_text(self, kind: KindInfo, member: str, count: int) -> str:
        """`1 red`, `2 reds` where its name has that form, `no red`; of what is a number `2 of 3`, `none of 3`."""
        if kind.is_player(member) or member.isdecimal():
            return f"{count or 'none'} of {player_name(int(member)) if kind.is_player(member) else member}"
        forms = self.rules.languages[ENGLISH].member_names.get(member, ())
        has_plural = len(forms) == 2 and forms[0] == member
        return f"{count or 'no'} {forms[1] if has_plural and count > 1 else member}"

    def zone_name(self, place: int) -> str:
        """The zone to which a place belongs."""
        return self.visibility.zone_by_place[place].name

    def place_text(self, place: int) -> str:
        """A place with its keys: `row(2)`, `pile(player 1)`."""
        return self._keyed_text(self.visibility.zone_by_place[place], place)

    def state_text(self, state: StateDef, variable: int) -> str:
        """A state with its keys: `score(player 1)`."""
        return self._keyed_text(state, variable)

    def _keyed_text(self, declared: ZoneDef | StateDef, number: int) -> str:
        from rulewright.engine.notation import Notation  # only what fails needs words

        notation = Notation.for_people(self.rules)
        keys = list(product(*declared.key_values))[number - declared.first_index]
        texts = [
            player_name(key) if type_ == SEAT else notation.format_value(key, type_)
            for key, type_ in zip(keys, declared.key_types, strict=True)
        ]
        return f"{declared.name}({', '.join(texts)})" if texts else declared.name

    def _check_room(self, place: int, count: int) -> None:
        capacity = self.layout.capacities[place]
        if capacity is not None and count > capacity:
            message = f"puts {count} into {self.place_text(place)}, which has room for {capacity}"
            raise StepFault(message, "to", self.zone_name(place))

    # ---- things -------------------------------------------------------------------------------------------

    def find_thing(self, component: ComponentDef, thing: int) -> int:
        """The place where a thing is."""
        for place, zone in enumerate(self.visibility.zone_by_place):
            if isinstance(zone.content_type, Thing) and zone.content_type.component == component.name:
                content = self.contents[place]
                if thing in (content.things if isinstance(content, Pile) else content):
                    return place
        raise StepFault(f"moves {component.ids[thing]}, which is in no place")

    def move_thing(
        self,
        component: ComponentDef,
        thing: int,
        source: int,
        to: int,
        *,
        end: PileEnd = "",
        is_identifiable: bool = False,
    ) -> None:
        """A thing changes place: to the rank of its row where order means nothing, to the end by order of arrival,
        shuffled in, or put at an end of what is there.

        `is_identifiable`: everybody can tell which thing it is, since all leave or the one on top does. Raises
        `StepFault` when there is no room for it.
        """
        if source == to and not self.visibility.zone_by_place[to].is_shuffled:
            return
        self.expr_steps += limits.SKIP_COST * (self.content_size(source) + self.content_size(to))
        self._take_out(thing, source, to, component.first_index, is_identifiable)
        zone, content = self.visibility.zone_by_place[to], self.contents[to]
        is_mixed = False
        if isinstance(content, Pile):
            things = content.things
            is_mixed = not end
            if end == "top":
                self.contents[to] = normalize_pile(content._replace(top=(thing, *content.top)))
            elif end == "bottom":
                self.contents[to] = normalize_pile(content._replace(bottom=(*content.bottom, thing)))
            else:
                self.contents[to] = normalize_pile(Pile((), tuple(sorted((*things, thing))), ()))
        else:
            things = content
            self._check_room(to, len(things) + 1)
            if zone.is_arrival_ordered:
                self.contents[to] = (thing, *things) if end == "bottom" else (*things, thing)
            else:
                self.contents[to] = tuple(sorted((*things, thing)))
        first = component.first_index
        self.knowledge.record_arrival(first + thing, to, tuple([first + other for other in things]), is_mixed)
        self.note_written(source, to)
        self.needs_refill = True
        self.invalidate_memo()

    def _take_out(self, thing: int, source: int, to: int, first: int, is_identifiable: bool) -> None:
        content = self.contents[source]
        if not isinstance(content, Pile):
            if not is_identifiable:
                self.knowledge.record_departure(first + thing, source, to, tuple([first + other for other in content]))
            self.contents[source] = tuple([other for other in content if other != thing])
            return
        if thing in content.loose or not is_identifiable:
            candidates = content.loose if thing in content.loose and is_identifiable else content.things
            self.knowledge.record_departure(first + thing, source, to, tuple([first + other for other in candidates]))
        self.contents[source] = content.remove(thing)

"""A game of bots in a program: its position as cells, what its seats know, and what they cannot see dealt anew.

In: a seed, and which of the legal actions is taken. Out: for the seat that decides cells which agree with all that it
knows. The program lists actions only when asked, since machine code may list them sooner; it says what viewers see
happen, unless everybody sees everything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright import limits
from rulewright.engine import chance
from rulewright.engine.compiled.compiler import CompiledProgram
from rulewright.engine.compiled.playing.content_loader import ContentLoader
from rulewright.engine.compiled.playing.knowledge_replay import Witnesses
from rulewright.engine.compiled.playing.python_game import PythonGame
from rulewright.engine.compiled.playing.python_program import ProgramFault, PythonProgram
from rulewright.engine.compiled.playing.things_under_way import decisions_with_things
from rulewright.engine.hidden_things import (
    ChangedContents,
    HiddenGroup,
    deal_pieces,
    deal_things,
    first_thing,
    hidden_groups,
    hidden_pieces,
    hidden_slots,
    loose_groups,
)
from rulewright.engine.knowledge import Knowledge
from rulewright.engine.values import content_bag
from rulewright.expr.types import Thing


class FollowedGame(PythonGame):
    """One game. The program must be one for positions that are imagined, which is witnessed."""

    __slots__ = ("_families", "_groups", "_listed", "_loader", "_things_under_way", "_unseen", "_witnesses")

    def __init__(self, program: CompiledProgram) -> None:
        self._witnesses = Witnesses(program, self.content_at)
        super().__init__(PythonProgram(program, witnesses=self._witnesses.functions))
        visibility, seats = program.cells.layout.visibility, range(program.rules.players)
        self._loader = ContentLoader(program.cells)
        self._families = [hidden_pieces(program.rules, visibility, seat) for seat in seats]
        self._unseen = [  # only there is a thing that a seat does not know
            [
                place
                for place, zone in enumerate(visibility.zone_by_place)
                if isinstance(zone.content_type, Thing) and not visibility.can_see[seat][place]
            ]
            for seat in seats
        ]
        self._things_under_way = decisions_with_things(program)
        self._groups: dict[int, tuple[int, list[HiddenGroup]]] = {}
        self._listed: list[int] | None = None

    @property
    def options(self) -> list[int]:
        """The words of the legal actions, in their order; listed when somebody asks."""
        if self._listed is None:
            try:
                self._listed = self._python.listed(self.cells)
            except ProgramFault as fault:
                self._raise(fault.number)
        return self._listed

    @property
    def knowledge(self) -> Knowledge:
        """What viewers know now."""
        return self._witnesses.knowledge

    @property
    def option_count(self) -> int:
        """How many actions are legal."""
        return len(self.options)

    def start(
        self,
        *,
        seed: int | None = None,
        first: int = 0,
        orders: Mapping[int, Sequence[int]] | None = None,
        outcomes: Sequence[int] = (),
    ) -> None:
        """A new game; see `CompiledGame.start`."""
        self._witnesses.begin()
        self._groups.clear()
        self._listed = None
        super().start(seed=seed, first=first, orders=orders, outcomes=outcomes)

    def listed(self, words: list[int]) -> None:
        """The words of the legal actions, which somebody else has listed."""
        self._listed = words

    def act(self, index: int, outcomes: Sequence[int] = ()) -> None:
        """The deciding seat does the legal action with this index; see `CompiledGame.act`."""
        self._options, self._listed = self.options, None
        super().act(index, outcomes)

    # ---- what the deciding seat does not know ---------------------------------------------------------------------

    @property
    def decides_in_secret(self) -> bool:
        """Whether others choose at the same time as the deciding seat."""
        return self._counter("decision") in self.program.together

    def is_deal_of_cells(self) -> bool:
        """Whether what the deciding seat does not know is in places alone: no choice of another seat, and nothing that
        steps under way are about.
        """
        decision = self._counter("decision")
        if self.decides_in_secret:
            return False
        held = self.program.open_answer
        has_things = decision in self._things_under_way or (held is not None and self.cells[held.action.value])
        return not has_things or all(group.is_same_in_all_deals for group in self._hidden_groups(self.seat))

    def deal(self, rng: int) -> tuple[int, list[int] | None]:
        """A position drawn at random among those that the deciding seat cannot tell from the true one: the generator of
        its own chance, and its cells; None where they are those of the true position. As `determinize`.
        """
        for _ in range(limits.MAX_DEAL_ATTEMPTS):
            rng = chance.rand_below(rng, 1)[0]
            generator, cells = self._deal_once(rng)
            if cells is None or self._python.list_options(cells):
                return generator, cells
        return self._deal_once(rng)

    def _deal_once(self, rng: int) -> tuple[int, list[int] | None]:
        seat, known, program = self.seat, self._witnesses.knowledge, self.program
        rng, dealt = deal_things(self._hidden_groups(seat), known.pools, rng)
        zones = program.cells.layout.visibility.zone_by_place
        changed = ChangedContents(lambda place: self.content_at(place, self.cells))
        for (_, (place, part, index), _, old), thing in dealt:
            if thing != old:
                changed[place][part][index] = thing - first_thing(program.rules, zones[place])
        if self._families[seat]:
            pieces = known.known_pieces[seat]
            rng, bags = deal_pieces(
                self._families[seat], pieces, lambda place: content_bag(self.content_at(place, self.cells)), rng
            )
            for place, bag in bags:
                if changed[place][0] == bag:
                    del changed[place]
                else:
                    changed[place][0] = bag
        generator = chance.seed_rng(rng)
        if not changed:
            return generator, None
        cells = self.cells.copy()
        for place in changed:
            self._loader.put(cells, place, changed.after(place, zones[place]))
        cells[program.cells.counters["generator"]] = generator
        return generator, cells

    def _hidden_groups(self, seat: int) -> list[HiddenGroup]:
        known = self._witnesses.knowledge
        changes, groups = self._groups.get(seat, (-1, []))
        if changes != self._witnesses.changes:
            contents = [(place, self.content_at(place, self.cells)) for place in self._unseen[seat]]
            rules, zones = self.program.rules, self.program.cells.layout.visibility.zone_by_place
            found = loose_groups(rules, zones, known, seat, contents)
            if found is None:
                found = hidden_groups(known, seat, hidden_slots(rules, zones, known.thing_pools[seat], contents))
            groups = found
            self._groups[seat] = self._witnesses.changes, groups
        return groups


__all__ = ["FollowedGame"]

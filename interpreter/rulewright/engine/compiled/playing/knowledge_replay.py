"""Who knows what in a compiled game: followed by playing the game once more with a program that says what can be seen.

In: a program that is witnessed, the seed and the words of the actions so far. Out: the knowledge of all viewers, as
positions of every engine hold it. Programs that only play keep none of it, and are faster for that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rulewright.engine.compiled.compiler import CompiledProgram
from rulewright.engine.compiled.playing.python_game import PythonGame
from rulewright.engine.compiled.playing.python_program import PythonProgram
from rulewright.engine.hidden_things import first_thing
from rulewright.engine.knowledge import Knowledge
from rulewright.engine.values import Content, Pile, content_things
from rulewright.expr.types import Thing


class Witnesses:
    """What a program that is witnessed tells of one game. `functions`: the program's witnesses; `knowledge`: what
    viewers know now; `changes`: how often a thing has moved or was shown. `content_at`: what is in a place, in cells.
    """

    def __init__(self, program: CompiledProgram, content_at: Callable[[int, list[int]], Content]) -> None:
        self._rules = program.rules
        self._layout = program.cells.layout
        self._content_at = content_at
        self.functions: dict[str, Callable[..., None]] = {
            "witness_departs": self._departs, "witness_arrives": self._arrives, "witness_pieces": self._pieces,
            "witness_shown": self._shown,
        }  # fmt: skip
        self._first_things = [
            first_thing(program.rules, zone) if isinstance(zone.content_type, Thing) else 0
            for zone in self._layout.visibility.zone_by_place
        ]
        self.knowledge = self._initial()
        self.changes = 0

    def begin(self) -> None:
        """A game begins."""
        self.knowledge = self._initial()

    def _initial(self) -> Knowledge:
        layout = self._layout
        return Knowledge(layout.visibility, layout.thing_pools, layout.pools, layout.known_pieces)

    def _departs(self, cells: list[int], thing: int, source: int, to: int, is_identifiable: int) -> None:
        content, first = self._content_at(source, cells), self._first_things[source]
        if isinstance(content, Pile):
            if thing not in content.loose and is_identifiable:
                return
            candidates = content.loose if thing in content.loose and is_identifiable else content.things
        elif is_identifiable:
            return
        else:
            candidates = content
        self.knowledge.record_departure(first + thing, source, to, tuple(first + other for other in candidates))

    def _arrives(self, cells: list[int], thing: int, to: int, is_mixed: int) -> None:
        self.changes += 1
        first = self._first_things[to]
        others = tuple(first + other for other in content_things(self._content_at(to, cells)) if other != thing)
        self.knowledge.record_arrival(first + thing, to, others, bool(is_mixed))

    def _pieces(self, cells: list[int], source: int, to: int, *counts: int) -> None:
        if any(counts) and source != to:
            self.knowledge.record_piece_move(tuple(map(int, counts)), source, to)

    def _shown(self, cells: list[int], viewers: int, first: int, things: Sequence[int]) -> None:
        self.changes += 1
        seen = [viewer for viewer in range(self._layout.visibility.viewer_count) if viewers >> viewer & 1]
        self.knowledge.reveal([first + thing for thing in things], seen)


class KnowledgeReplay:
    """Follows one game at a time."""

    def __init__(self, program: CompiledProgram) -> None:
        self._witnesses = Witnesses(program, lambda place, cells: self._game.content_at(place, cells))
        self._game = PythonGame(PythonProgram(program, witnesses=self._witnesses.functions))

    @property
    def knowledge(self) -> Knowledge:
        """What viewers know now."""
        return self._witnesses.knowledge

    def follow(
        self,
        seed: int | None,
        first: int,
        *,
        outcomes: Sequence[int] = (),
        orders: Mapping[int, Sequence[int]] | None = None,
    ) -> None:
        """What viewers know as a game begins. `outcomes`: of chance from outside, all up to the first decision."""
        self._witnesses.begin()
        self._game.start(seed=seed, first=first, orders=orders, outcomes=outcomes)

    def go_on(self, word: int, outcomes: Sequence[int] = ()) -> None:
        """What viewers know after one more action, with all its outcomes."""
        self._game.act(self._game.options.index(word), outcomes)


__all__ = ["KnowledgeReplay", "Witnesses"]

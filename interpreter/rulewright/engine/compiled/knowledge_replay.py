"""Who knows what in a compiled game: followed by playing the game once more with a program that says what can be seen.

In: a program that is witnessed, the seed and the words of the actions so far. Out: the knowledge of all viewers, as
positions of every engine hold it. Programs that only play keep none of it, and are faster for that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rulewright.engine.compiled.compiler import CompiledProgram
from rulewright.engine.compiled.python_game import PythonGame
from rulewright.engine.compiled.python_program import PythonProgram
from rulewright.engine.knowledge import Knowledge
from rulewright.engine.values import Pile, content_things
from rulewright.expr.types import Thing


class KnowledgeReplay:
    """Follows one game at a time. `knowledge`: what viewers know now."""

    def __init__(self, program: CompiledProgram) -> None:
        self._program = program
        witnesses: dict[str, Callable[..., None]] = {
            "witness_departs": self._departs, "witness_arrives": self._arrives, "witness_pieces": self._pieces,
            "witness_shown": self._shown,
        }  # fmt: skip
        self._game = PythonGame(PythonProgram(program, witnesses=witnesses))
        layout = program.cells.layout
        self.layout = layout
        self.knowledge = Knowledge(layout.visibility, layout.thing_pools, layout.pools, layout.known_pieces)

    def follow(
        self,
        seed: int | None,
        first: int,
        *,
        outcomes: Sequence[int] = (),
        orders: Mapping[int, Sequence[int]] | None = None,
    ) -> None:
        """What viewers know as a game begins. `outcomes`: of chance from outside, all up to the first decision."""
        layout = self.layout
        self.knowledge = Knowledge(layout.visibility, layout.thing_pools, layout.pools, layout.known_pieces)
        self._game.start(seed=seed, first=first, orders=orders, outcomes=outcomes)

    def go_on(self, word: int, outcomes: Sequence[int] = ()) -> None:
        """What viewers know after one more action, with all its outcomes."""
        self._game.act(self._game.options.index(word), outcomes)

    def _first(self, place: int) -> int:
        """The number of the first thing of the component that lies in a place, among all things."""
        content_type = self.layout.visibility.zone_by_place[place].content_type
        assert isinstance(content_type, Thing)
        return self._program.rules.components[content_type.component].first_index

    def _departs(self, cells: list[int], thing: int, source: int, to: int, is_identifiable: int) -> None:
        content, first = self._game.content_at(source, cells), self._first(source)
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
        first = self._first(to)
        others = tuple(first + other for other in content_things(self._game.content_at(to, cells)) if other != thing)
        self.knowledge.record_arrival(first + thing, to, others, bool(is_mixed))

    def _pieces(self, cells: list[int], source: int, to: int, *counts: int) -> None:
        if any(counts) and source != to:
            self.knowledge.record_piece_move(tuple(map(int, counts)), source, to)

    def _shown(self, cells: list[int], viewers: int, first: int, things: Sequence[int]) -> None:
        seen = [viewer for viewer in range(self.layout.visibility.viewer_count) if viewers >> viewer & 1]
        self.knowledge.reveal([first + thing for thing in things], seen)


__all__ = ["KnowledgeReplay"]

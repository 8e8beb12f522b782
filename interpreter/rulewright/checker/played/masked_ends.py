"""Does an end without a winner come before one that somebody would win, where both hold at once?

In: rules that can be played, the composition they were built from and the games that were tried. Out: a warning about
an end that names nobody and stands before one that names its winners, where games that were tried ended by the first
although the second held, too: whoever fills the last place with the winning line gets a draw. Under variants only where
one of them wrote one of the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import ASKED_TOO_LATE
from rulewright.checker.common.tried_games import GameWatcher
from rulewright.diagnostics import Diagnostics, Related
from rulewright.engine.context import Context
from rulewright.engine.interface import WatchableEngine
from rulewright.engine.place_compiler import CompiledExpr
from rulewright.engine.state import State
from rulewright.expr.codes import NEVER_TRUE
from rulewright.expr.structural_key import structural_key
from rulewright.frozen import frozen
from rulewright.model.effects import Finish, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules

MIN_GAMES: Final = 2  # in which both held, before anything is said


@frozen
class _Pair:
    """An end that names nobody, and a later one of the same list that names its winners."""

    first: Step
    later: Step


class MaskedEnds(GameWatcher):
    """How many games each first end has ended although the later one held."""

    def __init__(self, rules: Rules, composition: Composition) -> None:
        self._composition = composition
        self._pairs = [pair for pair in _pairs(rules) if _is_judged(pair, composition)]
        self._held = [set[int]() for _ in self._pairs]
        self._conditions: list[list[CompiledExpr]] = []
        self._number = 0

    def attach(self, engine: WatchableEngine) -> None:
        """Asks both at once wherever the first is asked."""
        steps = [[step.when for step in (pair.first, pair.later)] for pair in self._pairs]
        self._conditions = [[engine.compiler.compile(when) for when in each if when is not None] for each in steps]
        engine.watch_conditions({pair.first.address for pair in self._pairs}, self._note)

    def _note(self, address: str, c: Context) -> None:
        for place, pair in enumerate(self._pairs):
            if pair.first.address == address and all(holds(c) for holds in self._conditions[place]):
                self._held[place].add(self._number)

    def end_game(self, state: State) -> None:
        """What holds later does so in another game."""
        self._number += 1

    def report(self, diagnostics: Diagnostics) -> None:
        """Reports the first such end; not where it is told that the later one never holds then."""
        known = {one.address for one in diagnostics if one.code is NEVER_TRUE}
        for pair, games in zip(self._pairs, self._held, strict=True):
            if len(games) >= MIN_GAMES and pair.later.address not in known:
                self._report(pair, len(games), diagnostics)
                return

    def _report(self, pair: _Pair, often: int, diagnostics: Diagnostics) -> None:
        root, steps = self._composition.document.root, (pair.first, pair.later)
        first, later = (step.address.rpartition(".")[2] for step in steps)
        spans = [key_span(root, step.address, "when", step.span) for step in steps]
        place = 0 if self._composition.is_judged(pair.first.span) else 1  # of the one that is told
        notes = (f"asked before `{later}`", f"asked after `{first}`")
        diagnostics.add(
            spans[place],
            ASKED_TOO_LATE,
            f"`{first}` ended {often} games that were tried, although `{later}`, which says who wins, held, too",
            label=notes[place],
            help=f"put `{later}` before `{first}`",
            address=steps[place].address,
            related=(Related(spans[1 - place], notes[1 - place]),),
        )


def _pairs(rules: Rules) -> Iterator[_Pair]:
    for block in rules.blocks:
        for first, later in combinations([step for step in block.steps if _is_plain_end(step)], 2):
            assert isinstance(first.effect, Finish)
            assert isinstance(later.effect, Finish)
            assert first.when is not None
            assert later.when is not None
            is_same = structural_key(first.when) == structural_key(later.when)
            if first.effect.winners is None and later.effect.winners is not None and not is_same:
                yield _Pair(first, later)


def _is_plain_end(step: Step) -> bool:
    """Whether a step ends the game then and there, if a condition about the position holds."""
    is_once = not step.is_repeated and step.when is not None
    return is_once and isinstance(step.effect, Finish) and step.effect.when == "now"


def _is_judged(pair: _Pair, composition: Composition) -> bool:
    return composition.is_judged(pair.first.span) or composition.is_judged(pair.later.span)


__all__ = ["MaskedEnds"]

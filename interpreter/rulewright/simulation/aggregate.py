"""What came of many games: who won, how long they were, how much there was to choose, every measure of the game.

In: `Played` games, one by one. Out: their `Simulation`. Only how often each number occurred is kept, so millions of
games need no more room than a few.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rulewright.simulation.simulations import Played
from rulewright.simulation.statistics import Number, Ratio, Summary, share, summary

Counts = Mapping[Number, int]


@dataclass(frozen=True, slots=True)
class Figure:
    """One thing that was counted: its summary and how often each number occurred."""

    summary: Summary | None
    counts: Counts

    def data(self) -> dict[str, Any] | None:
        """The summary as JSON data."""
        return None if self.summary is None else self.summary.data()


@dataclass(frozen=True, slots=True)
class Simulation:
    """Figures over many games. `measures`: by name the figure over games, or one for each seat; unfinished games are
    counted and otherwise left out.
    """

    games: int
    unfinished: tuple[int, ...]  # their seeds
    wins: tuple[Figure, ...]  # of each seat; a shared win is shared
    shared: int  # games with several winners
    numbers: dict[str, Figure]
    forced_games: int  # games with a forced decision
    measures: dict[str, Figure | tuple[Figure, ...]]

    def data(self) -> dict[str, Any]:
        """The simulation as JSON data."""
        return {
            "games": self.games,
            "finished": self.games - len(self.unfinished),
            "unfinished_seeds": list(self.unfinished),
            "wins": [one.data() for one in self.wins],
            "shared_wins": self.shared,
            **{name: one.data() for name, one in self.numbers.items()},
            "legal_distribution": [list(pair) for pair in sorted(self.numbers["legal_per_decision"].counts.items())],
            "games_with_forced": self.forced_games,
            "measures": {
                name: [seat.data() for seat in one] if isinstance(one, tuple) else one.data()
                for name, one in self.measures.items()
            },
        }


class Tally:
    """Games as they come in, added up."""

    def __init__(self, players: int) -> None:
        self.games = 0
        self._unfinished: list[int] = []
        self._wins: list[Counter[Number]] = [Counter() for _ in range(players)]
        self._shared = self._forced_games = 0
        self._numbers: dict[str, Counter[Number]] = {name: Counter() for name in ("turns", "decisions", "forced")}
        self._options: Counter[Number] = Counter()
        self._legal = Ratio()
        self._measures: dict[str, Counter[Number] | list[Counter[Number]]] = {}

    def add(self, played: Played) -> None:
        """One game more."""
        self.games += 1
        if not played.finished:
            self._unfinished.append(played.seed)
            return
        for seat, wins in enumerate(self._wins):
            wins[played.won(seat)] += 1
        self._shared += len(played.winners) > 1
        self._forced_games += played.forced > 0
        for name, counter in self._numbers.items():
            counter[getattr(played, name)] += 1
        for actions, decisions in played.options:
            self._options[actions] += decisions
        self._legal.add(played.legal, played.decisions)
        for name, value in played.measures:
            if isinstance(value, tuple):
                each = self._measures.setdefault(name, [Counter() for _ in value])
                assert isinstance(each, list)
                for counter, one in zip(each, value, strict=True):
                    counter[one] += 1
            else:
                whole = self._measures.setdefault(name, Counter())
                assert isinstance(whole, Counter)
                whole[value] += 1

    def simulation(self) -> Simulation:
        """What has come of them so far."""
        turns, decisions, forced = (_figure(self._numbers[name]) for name in ("turns", "decisions", "forced"))
        return Simulation(
            games=self.games,
            unfinished=tuple(self._unfinished),
            wins=tuple(Figure(share(one), dict(one)) for one in self._wins),
            shared=self._shared,
            numbers={
                "turns": turns,
                "decisions": decisions,
                "legal_per_decision": self._per_decision(),
                "forced": forced,
            },
            forced_games=self._forced_games,
            measures={
                name: tuple(map(_figure, one)) if isinstance(one, list) else _figure(one)
                for name, one in self._measures.items()
            },
        )

    def _per_decision(self) -> Figure:
        """Over all decisions of all games, except for count and interval: games are independent, decisions are not."""
        found = _figure(self._options)
        if found.summary is None:
            return found
        return replace(found, summary=replace(found.summary, count=self._legal.count, interval=self._legal.interval()))


def _figure(counts: Counter[Number]) -> Figure:
    return Figure(summary(counts), dict(counts))


def summed_up(played: Iterable[Played], players: int) -> Simulation:
    """What came of some games for so many players."""
    tally = Tally(players)
    for one in played:
        tally.add(one)
    return tally.simulation()


__all__ = ["Counts", "Figure", "Simulation", "Tally", "summed_up"]

"""What came of many games: who won, how long they were, how much there was to choose, every measure of the game.

In: `Played` games, one by one. Out: their `Simulation`. Only how often each number occurred is kept, so millions of
games need no more room than a few.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rulewright.simulation.simulations import GameStats
from rulewright.simulation.statistics import Numeric, Ratio, Summary, summarize, summarize_shares

Counts = Mapping[Numeric, int]


@dataclass(frozen=True, slots=True)
class Distribution:
    """One thing that was counted: its summary and how often each number occurred."""

    summary: Summary | None
    counts: Counts

    def to_data(self) -> dict[str, Any] | None:
        """The summary as JSON data."""
        return None if self.summary is None else self.summary.to_data()


@dataclass(frozen=True, slots=True)
class Simulation:
    """Figures over many games. `measures`: by name the figure over games, or one for each seat; unfinished games are
    counted and otherwise left out.
    """

    games: int
    unfinished_seeds: tuple[int, ...]  # their seeds
    wins: tuple[Distribution, ...]  # of each seat; a shared win is shared
    shared_wins: int  # games with several winners
    distributions: dict[str, Distribution]
    games_with_forced: int  # games with a forced decision
    measures: dict[str, Distribution | tuple[Distribution, ...]]

    def to_data(self) -> dict[str, Any]:
        """The simulation as JSON data."""
        return {
            "games": self.games,
            "finished": self.games - len(self.unfinished_seeds),
            "unfinished_seeds": list(self.unfinished_seeds),
            "wins": [one.to_data() for one in self.wins],
            "shared_wins": self.shared_wins,
            **{name: one.to_data() for name, one in self.distributions.items()},
            "legal_distribution": [
                list(pair) for pair in sorted(self.distributions["legal_per_decision"].counts.items())
            ],
            "games_with_forced": self.games_with_forced,
            "measures": {
                name: [seat.to_data() for seat in one] if isinstance(one, tuple) else one.to_data()
                for name, one in self.measures.items()
            },
        }


class SimulationBuilder:
    """Games as they come in, added up."""

    def __init__(self, players: int) -> None:
        self.games = 0
        self._unfinished: list[int] = []
        self._wins: list[Counter[Numeric]] = [Counter() for _ in range(players)]
        self._shared = self._forced_games = 0
        self._numbers: dict[str, Counter[Numeric]] = {name: Counter() for name in ("turns", "decisions", "forced")}
        self._options: Counter[Numeric] = Counter()
        self._legal = Ratio()
        self._measures: dict[str, Counter[Numeric] | list[Counter[Numeric]]] = {}

    def add(self, played: GameStats) -> None:
        """One game more."""
        self.games += 1
        if not played.is_finished:
            self._unfinished.append(played.seed)
            return
        for seat, wins in enumerate(self._wins):
            wins[played.win_share(seat)] += 1
        self._shared += len(played.winners) > 1
        self._forced_games += played.forced_decisions > 0
        self._numbers["turns"][played.turns] += 1
        self._numbers["decisions"][played.decisions] += 1
        self._numbers["forced"][played.forced_decisions] += 1
        for actions, decisions in played.option_counts:
            self._options[actions] += decisions
        self._legal.add(played.legal_count, played.decisions)
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

    def build(self) -> Simulation:
        """What has come of them so far."""
        turns, decisions, forced = (_figure(self._numbers[name]) for name in ("turns", "decisions", "forced"))
        return Simulation(
            games=self.games,
            unfinished_seeds=tuple(self._unfinished),
            wins=tuple(Distribution(summarize_shares(one), dict(one)) for one in self._wins),
            shared_wins=self._shared,
            distributions={
                "turns": turns,
                "decisions": decisions,
                "legal_per_decision": self._per_decision(),
                "forced": forced,
            },
            games_with_forced=self._forced_games,
            measures={
                name: tuple(map(_figure, one)) if isinstance(one, list) else _figure(one)
                for name, one in self._measures.items()
            },
        )

    def _per_decision(self) -> Distribution:
        """Over all decisions of all games, except for count and interval: games are independent, decisions are not."""
        found = _figure(self._options)
        if found.summary is None:
            return found
        return replace(found, summary=replace(found.summary, count=self._legal.count, interval=self._legal.interval()))


def _figure(counts: Counter[Numeric]) -> Distribution:
    return Distribution(summarize(counts), dict(counts))


def aggregate(played: Iterable[GameStats], players: int) -> Simulation:
    """What came of some games for so many players."""
    tally = SimulationBuilder(players)
    for one in played:
        tally.add(one)
    return tally.build()


__all__ = ["Counts", "Distribution", "Simulation", "SimulationBuilder", "aggregate"]

"""The results of many games: who won, what ended them, how long they were, how much there was to choose, all measures.

In: `GameStats`, one by one. Out: their `Simulation`. Only how often each number occurred is kept, so millions of
games need no more memory than a few.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from rulewright.frozen import frozen, replace
from rulewright.simulation.game_stats import GameStats
from rulewright.simulation.statistics import Numeric, Ratio, Summary, SummaryData, summarize, summarize_shares

Counts = Mapping[Numeric, int]


@frozen
class Distribution:
    """One quantity: its summary, and how often each number occurred."""

    summary: Summary | None
    counts: Counts

    def to_data(self) -> SummaryData | None:
        """The summary as JSON data."""
        return None if self.summary is None else self.summary.to_data()


@frozen
class Simulation:
    """Distributions over many games. `measures`: by name, one for the game or one for each seat. Unfinished games are
    counted and otherwise left out.
    """

    games: int
    unfinished_seeds: tuple[int, ...]
    wins: tuple[Distribution, ...]  # of each seat; a shared win is shared
    shared_wins: int  # games with several winners, draws among them
    draws: int
    endings: dict[str, Distribution]  # by the address of the step that ended the game, the most frequent first
    distributions: dict[str, Distribution]
    games_with_forced: int  # games with a forced decision
    measures: dict[str, Distribution | tuple[Distribution, ...]]

    def to_data(self) -> dict[str, object]:
        """The simulation as JSON data."""
        return {
            "games": self.games,
            "finished": self.games - len(self.unfinished_seeds),
            "unfinished_seeds": list(self.unfinished_seeds),
            "wins": [distribution.to_data() for distribution in self.wins],
            "shared_wins": self.shared_wins,
            "draws": self.draws,
            "endings": {address: distribution.to_data() for address, distribution in self.endings.items()},
            **{name: distribution.to_data() for name, distribution in self.distributions.items()},
            "legal_distribution": [
                list(pair) for pair in sorted(self.distributions["legal_per_decision"].counts.items())
            ],
            "games_with_forced": self.games_with_forced,
            "measures": {
                name: [seat.to_data() for seat in measure] if isinstance(measure, tuple) else measure.to_data()
                for name, measure in self.measures.items()
            },
        }


class SimulationBuilder:
    """Adds games up as they come in."""

    def __init__(self, players: int) -> None:
        self.games = 0
        self._unfinished: list[int] = []
        self._wins: list[Counter[Numeric]] = [Counter() for _ in range(players)]
        self._endings: Counter[str] = Counter()
        self._shared_wins = self._draws = self._games_with_forced = 0
        self._numbers: dict[str, Counter[Numeric]] = {name: Counter() for name in ("turns", "decisions", "forced")}
        self._options: Counter[Numeric] = Counter()
        self._legal = Ratio()
        self._measures: dict[str, Counter[Numeric] | list[Counter[Numeric]]] = {}

    def add(self, game: GameStats) -> None:
        """Adds one game."""
        self.games += 1
        if not game.is_finished:
            self._unfinished.append(game.seed)
            return
        for seat, wins in enumerate(self._wins):
            wins[game.win_share(seat)] += 1
        self._endings[game.ending] += 1
        self._shared_wins += len(game.winners) > 1
        self._draws += game.is_draw
        self._games_with_forced += game.forced_decisions > 0
        self._numbers["turns"][game.turns] += 1
        self._numbers["decisions"][game.decisions] += 1
        self._numbers["forced"][game.forced_decisions] += 1
        for actions, decisions in game.option_counts:
            self._options[actions] += decisions
        self._legal.add(game.legal_count, game.decisions)
        for name, value in game.measures:
            found = self._measures.get(name)
            if found is None:
                found = [Counter() for _ in value] if isinstance(value, tuple) else Counter()
                self._measures[name] = found
            if isinstance(value, tuple):
                assert isinstance(found, list)
                for counter, number in zip(found, value, strict=True):
                    counter[number] += 1
            else:
                assert isinstance(found, Counter)
                found[value] += 1

    def merge(self, later: SimulationBuilder) -> None:
        """Adds all games that another has added up, of the same rules, as if they came after those so far."""
        self.games += later.games
        self._unfinished += later._unfinished
        for wins, more in zip(self._wins, later._wins, strict=True):
            wins.update(more)
        self._endings.update(later._endings)
        self._shared_wins += later._shared_wins
        self._draws += later._draws
        self._games_with_forced += later._games_with_forced
        for name, counts in later._numbers.items():
            self._numbers[name].update(counts)
        self._options.update(later._options)
        self._legal.merge(later._legal)
        for name, measure in later._measures.items():
            found = self._measures.setdefault(name, measure)
            if found is not measure:
                for own, theirs in zip(_counters(found), _counters(measure), strict=True):
                    own.update(theirs)

    def build(self) -> Simulation:
        """The simulation so far."""
        turns, decisions, forced = (_distribution(self._numbers[name]) for name in ("turns", "decisions", "forced"))
        return Simulation(
            games=self.games,
            unfinished_seeds=tuple(self._unfinished),
            wins=tuple(Distribution(summarize_shares(counts), dict(counts)) for counts in self._wins),
            shared_wins=self._shared_wins,
            draws=self._draws,
            endings=dict(self._ending_shares()),
            distributions={
                "turns": turns,
                "decisions": decisions,
                "legal_per_decision": self._per_decision(),
                "forced": forced,
            },
            games_with_forced=self._games_with_forced,
            measures={
                name: tuple(map(_distribution, counts)) if isinstance(counts, list) else _distribution(counts)
                for name, counts in self._measures.items()
            },
        )

    def _ending_shares(self) -> Iterator[tuple[str, Distribution]]:
        finished = self._endings.total()
        for address, games in sorted(self._endings.items(), key=lambda item: (-item[1], item[0])):
            counts: dict[Numeric, int] = {1: games, 0: finished - games} if games < finished else {1: games}
            yield address, Distribution(summarize_shares(counts), counts)

    def _per_decision(self) -> Distribution:
        """Over all decisions of all games, except for count and interval: games are independent, decisions are not."""
        distribution = _distribution(self._options)
        if distribution.summary is None:
            return distribution
        summary = replace(distribution.summary, count=self._legal.count, interval=self._legal.interval())
        return replace(distribution, summary=summary)


def _counters(measure: Counter[Numeric] | list[Counter[Numeric]]) -> list[Counter[Numeric]]:
    return measure if isinstance(measure, list) else [measure]


def _distribution(counts: Counter[Numeric]) -> Distribution:
    return Distribution(summarize(counts), dict(counts))


def aggregate(games: Iterable[GameStats], players: int) -> Simulation:
    """The simulation that some games for a number of players add up to."""
    builder = SimulationBuilder(players)
    for game in games:
        builder.add(game)
    return builder.build()


__all__ = ["Counts", "Distribution", "Simulation", "SimulationBuilder", "aggregate"]

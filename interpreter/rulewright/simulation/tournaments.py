"""Bots against one another, on equal terms: every deal is played in every seat order, so neither luck nor seat decides.

In: bots, seats, how many deals. Out: for each bot how much it won and its measures, for every two how often one came
out ahead of the other. A deal is a seed; all games with it are one observation for the intervals, since they have their
luck in common.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, permutations
from typing import Any

from rulewright import limits
from rulewright.simulation.simulations import Played, Task
from rulewright.simulation.statistics import Number, Summary, paired_share, summary

Order = tuple[str, ...]  # the bot of each seat
Lineup = tuple[Order, ...]  # the orders in which the same bots sit


def lineups(bots: Sequence[str], players: int) -> tuple[Lineup, ...]:
    """The pairings: every choice of as many bots as there are seats; with fewer bots every way to fill the seats in
    which each bot sits at least once. Each with all its seat orders.
    """
    if len(bots) >= players:
        chosen = list(combinations(bots, players))
    else:
        chosen = [one for one in combinations_with_replacement(bots, players) if set(one) == set(bots)]
    return tuple(tuple(dict.fromkeys(_orders(one))) for one in chosen)


def _orders(bots: Order) -> Iterator[Order]:
    if len(bots) <= limits.MAX_PERMUTED_SEATS:
        return permutations(bots)
    return (bots[at:] + bots[:at] for at in range(len(bots)))


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played: each deal by every lineup in every order."""

    bots: Order
    players: int
    lineups: tuple[Lineup, ...]
    deals: int

    @property
    def a_deal(self) -> int:
        """Games of one deal."""
        return sum(map(len, self.lineups))

    @property
    def games(self) -> int:
        """Games of all deals."""
        return self.deals * self.a_deal

    def orders(self) -> Iterator[tuple[int, Order]]:
        """The number of the lineup and the order of each game of a deal."""
        return ((at, order) for at, lineup in enumerate(self.lineups) for order in lineup)

    def tasks(self) -> Iterator[Task]:
        """All games, deal by deal."""
        return ((order, deal) for deal in range(1, self.deals + 1) for _, order in self.orders())


def plan(bots: Sequence[str], players: int, games: int) -> Plan:
    """As many deals as give each lineup so many games, or the few more that make the deals whole."""
    found = lineups(bots, players)
    fewest = min(map(len, found))
    return Plan(tuple(bots), players, found, -(-games // fewest))


@dataclass(frozen=True, slots=True)
class Standing:
    """How a bot did: what each seat that it had won, and the measures of those seats and of their games."""

    bot: str
    games: int
    wins: Summary | None
    measures: Mapping[str, Summary | None]


@dataclass(frozen=True, slots=True)
class Tournament:
    """What came of it. `ahead[a, b]`: how often a seat of a came out ahead of one of b, equal places half; summaries
    count deals. `left_out`: deals of a lineup in which a game was not finished.
    """

    plan: Plan
    deals: int
    games: int
    unfinished: int
    left_out: int
    standings: tuple[Standing, ...]
    ahead: Mapping[tuple[str, str], Summary | None]

    def data(self) -> dict[str, Any]:
        """The tournament as JSON data."""
        return {
            "lineups": [[list(order) for order in lineup] for lineup in self.plan.lineups],
            "deals": self.deals,
            "deals_wanted": self.plan.deals,
            "games": self.games,
            "unfinished": self.unfinished,
            "left_out": self.left_out,
            "standings": [
                {
                    "bot": one.bot,
                    "games": one.games,
                    "wins": _data(one.wins),
                    "measures": {name: _data(value) for name, value in one.measures.items()},
                }
                for one in self.standings
            ],
            "ahead": {a: {b: _data(self.ahead[a, b]) for b in self.plan.bots if b != a} for a in self.plan.bots},
        }


def _data(found: Summary | None) -> dict[str, Any] | None:
    return None if found is None else found.data()


@dataclass(slots=True)
class Mean:
    """A mean under way."""

    total: Fraction = Fraction()
    count: int = 0

    def add(self, value: Number) -> None:
        """One number more."""
        self.total += Fraction(value)
        self.count += 1


class Scores:
    """Games of a plan as they come in, in their order; summed up deal by deal."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.deals = self.games = self.unfinished = self.left_out = 0
        self._deal: list[Played] = []
        self._games: Counter[str] = Counter()
        self._wins: dict[str, Counter[Number]] = defaultdict(Counter)
        self._ahead: dict[tuple[str, str], Counter[Number]] = defaultdict(Counter)
        self._measures: dict[tuple[str, str], Counter[Number]] = defaultdict(Counter)
        self._names: tuple[str, ...] = ()

    def add(self, played: Played) -> None:
        """One game more; a deal counts as soon as it is whole."""
        self._deal.append(played)
        if len(self._deal) == self.plan.a_deal:
            self._count()
            self._deal.clear()

    def _count(self) -> None:
        wins: dict[str, Mean] = defaultdict(Mean)
        ahead: dict[tuple[str, str], Mean] = defaultdict(Mean)
        measures: dict[tuple[str, str], Mean] = defaultdict(Mean)
        pairs = list(zip(self.plan.orders(), self._deal, strict=True))
        broken = {at for (at, _), played in pairs if not played.finished}
        for (at, order), played in pairs:
            self.games += 1
            self.unfinished += not played.finished
            if at in broken:
                continue
            self._games.update(set(order))
            self._names = tuple(name for name, _ in played.measures)
            for seat, bot in enumerate(order):
                wins[bot].add(played.won(seat))
                for other, rival in enumerate(order):
                    if rival != bot:
                        ahead[bot, rival].add(_ahead(played.places[seat], played.places[other]))
                for name, value in played.measures:
                    measures[bot, name].add(value[seat] if isinstance(value, tuple) else value)
        self.deals += 1
        self.left_out += len(broken)
        missing = {
            bot for at in broken for bot in self.plan.lineups[at][0]
        }  # else they would be judged by other rivals
        for bot, mean in wins.items():
            if bot not in missing:
                self._wins[bot][mean.total / mean.count] += 1
        for (bot, name), mean in measures.items():
            if bot not in missing:
                self._measures[bot, name][mean.total / mean.count] += 1
        for pair, mean in ahead.items():
            if not any({*pair} <= {*self.plan.lineups[at][0]} for at in broken):
                self._ahead[pair][mean.total / mean.count] += 1

    def tournament(self) -> Tournament:
        """What has come of the whole deals so far."""
        bots = self.plan.bots
        return Tournament(
            plan=self.plan,
            deals=self.deals,
            games=self.games,
            unfinished=self.unfinished,
            left_out=self.left_out,
            standings=tuple(
                Standing(
                    bot,
                    self._games[bot],
                    paired_share(self._wins[bot]),
                    {name: summary(self._measures[bot, name]) for name in self._names},
                )
                for bot in bots
            ),
            ahead={(a, b): paired_share(self._ahead[a, b]) for a in bots for b in bots if a != b},
        )


def _ahead(place: int, other: int) -> Fraction:
    return Fraction(1, 2) if place == other else Fraction(place < other)


__all__ = ["Lineup", "Order", "Plan", "Scores", "Standing", "Tournament", "lineups", "plan"]

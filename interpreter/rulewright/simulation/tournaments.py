"""Bots against one another, on equal terms: every deal is played in every seat order, so neither luck nor seat decides.

In: bots, seats, how many deals. Out: for each bot how much it won and its measures, for every two how often one came
out ahead of the other. A deal is a seed; all games with it are one observation for the intervals, since they have their
luck in common.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, permutations

from rulewright import limits
from rulewright.frozen import frozen, mutable
from rulewright.simulation.simulations import GameStats, GameTask
from rulewright.simulation.statistics import Numeric, Summary, SummaryData, summarize, summarize_paired_shares

SeatOrder = tuple[str, ...]  # the bot of each seat
Lineup = tuple[SeatOrder, ...]  # the orders in which the same bots sit


def make_lineups(bots: Sequence[str], players: int) -> tuple[Lineup, ...]:
    """The lineups: every choice of as many bots as there are seats; with fewer bots every way to fill the
    seats in which each bot sits at least once. Each with all its seat orders.
    """
    if len(bots) >= players:
        selections = list(combinations(bots, players))
    else:
        selections = [seats for seats in combinations_with_replacement(bots, players) if set(seats) == set(bots)]
    return tuple(tuple(dict.fromkeys(_seat_orders(seats))) for seats in selections)


def _seat_orders(bots: SeatOrder) -> Iterator[SeatOrder]:
    if len(bots) <= limits.MAX_PERMUTED_SEATS:
        return permutations(bots)
    return (bots[index:] + bots[:index] for index in range(len(bots)))


@frozen
class TournamentPlan:
    """What is played: each deal by every lineup in every order."""

    bots: SeatOrder
    players: int
    lineups: tuple[Lineup, ...]
    deals: int

    @property
    def games_per_deal(self) -> int:
        """Games of one deal."""
        return sum(map(len, self.lineups))

    @property
    def total_games(self) -> int:
        """Games of all deals."""
        return self.deals * self.games_per_deal

    def seat_orders(self) -> Iterator[tuple[int, SeatOrder]]:
        """The number of the lineup and the order of each game of a deal."""
        return ((index, order) for index, lineup in enumerate(self.lineups) for order in lineup)

    def tasks(self) -> Iterator[GameTask]:
        """All games, deal by deal."""
        return ((order, deal) for deal in range(1, self.deals + 1) for _, order in self.seat_orders())


def plan_tournament(bots: Sequence[str], players: int, games: int) -> TournamentPlan:
    """A plan with as many deals as give each lineup at least `games` games."""
    lineups = make_lineups(bots, players)
    fewest_orders = min(map(len, lineups))
    return TournamentPlan(tuple(bots), players, lineups, -(-games // fewest_orders))


@frozen
class BotStanding:
    """The results of a bot: what each of its seats won, and the measures of those seats and of their games."""

    bot: str
    games: int
    wins: Summary | None
    measures: Mapping[str, Summary | None]


@frozen
class Tournament:
    """The results. `head_to_head[a, b]`: how often a seat of a came out ahead of one of b, equal places half; summaries
    count deals. `excluded_deals`: deals of a lineup in which a game was not finished.
    """

    plan: TournamentPlan
    deals: int
    games: int
    unfinished_games: int
    excluded_deals: int
    standings: tuple[BotStanding, ...]
    head_to_head: Mapping[tuple[str, str], Summary | None]

    def to_data(self) -> dict[str, object]:
        """The tournament as JSON data."""
        return {
            "lineups": [[list(order) for order in lineup] for lineup in self.plan.lineups],
            "deals": self.deals,
            "deals_wanted": self.plan.deals,
            "games": self.games,
            "unfinished": self.unfinished_games,
            "left_out": self.excluded_deals,
            "standings": [
                {
                    "bot": standing.bot,
                    "games": standing.games,
                    "wins": _data(standing.wins),
                    "measures": {name: _data(value) for name, value in standing.measures.items()},
                }
                for standing in self.standings
            ],
            "ahead": {a: {b: _data(self.head_to_head[a, b]) for b in self.plan.bots if b != a} for a in self.plan.bots},
        }


def _data(summary: Summary | None) -> SummaryData | None:
    return None if summary is None else summary.to_data()


@mutable
class RunningMean:
    """A mean that numbers are added to."""

    total: Fraction = Fraction()
    count: int = 0

    def add(self, value: Numeric) -> None:
        """Adds one number."""
        self.total += Fraction(value)
        self.count += 1


class TournamentBuilder:
    """Games of a plan as they come in, in their order; summed up deal by deal."""

    def __init__(self, plan: TournamentPlan) -> None:
        self.plan = plan
        self.deals = self.games = self.unfinished_games = self.excluded_deals = 0
        self._deal: list[GameStats] = []
        self._games: Counter[str] = Counter()
        self._wins: dict[str, Counter[Numeric]] = defaultdict(Counter)
        self._ahead: dict[tuple[str, str], Counter[Numeric]] = defaultdict(Counter)
        self._measures: dict[tuple[str, str], Counter[Numeric]] = defaultdict(Counter)
        self._names: tuple[str, ...] = ()

    def add(self, played: GameStats) -> None:
        """Adds one game; a deal counts as soon as it is complete."""
        self._deal.append(played)
        if len(self._deal) == self.plan.games_per_deal:
            self._count_deal()
            self._deal.clear()

    def _count_deal(self) -> None:
        wins: dict[str, RunningMean] = defaultdict(RunningMean)
        ahead: dict[tuple[str, str], RunningMean] = defaultdict(RunningMean)
        measures: dict[tuple[str, str], RunningMean] = defaultdict(RunningMean)
        pairs = list(zip(self.plan.seat_orders(), self._deal, strict=True))
        unfinished = {index for (index, _), played in pairs if not played.is_finished}
        for (index, order), played in pairs:
            self.games += 1
            self.unfinished_games += not played.is_finished
            if index in unfinished:
                continue
            self._games.update(set(order))
            self._names = tuple(name for name, _ in played.measures)
            for seat, bot in enumerate(order):
                wins[bot].add(played.win_share(seat))
                for other, rival in enumerate(order):
                    if rival != bot:
                        ahead[bot, rival].add(_ahead(played.places[seat], played.places[other]))
                for name, value in played.measures:
                    measures[bot, name].add(value[seat] if isinstance(value, tuple) else value)
        self.deals += 1
        self.excluded_deals += len(unfinished)
        # bots of an unfinished lineup miss the whole deal: else they would be compared by other rivals
        missing = {bot for index in unfinished for bot in self.plan.lineups[index][0]}
        for bot, mean in wins.items():
            if bot not in missing:
                self._wins[bot][mean.total / mean.count] += 1
        for (bot, name), mean in measures.items():
            if bot not in missing:
                self._measures[bot, name][mean.total / mean.count] += 1
        for pair, mean in ahead.items():
            if not any({*pair} <= {*self.plan.lineups[index][0]} for index in unfinished):
                self._ahead[pair][mean.total / mean.count] += 1

    def build(self) -> Tournament:
        """The tournament after the complete deals so far."""
        bots = self.plan.bots
        return Tournament(
            plan=self.plan,
            deals=self.deals,
            games=self.games,
            unfinished_games=self.unfinished_games,
            excluded_deals=self.excluded_deals,
            standings=tuple(
                BotStanding(
                    bot,
                    self._games[bot],
                    summarize_paired_shares(self._wins[bot]),
                    {name: summarize(self._measures[bot, name]) for name in self._names},
                )
                for bot in bots
            ),
            head_to_head={(a, b): summarize_paired_shares(self._ahead[a, b]) for a in bots for b in bots if a != b},
        )


def _ahead(place: int, other: int) -> Fraction:
    return Fraction(1, 2) if place == other else Fraction(place < other)


__all__ = [
    "BotStanding",
    "Lineup",
    "SeatOrder",
    "Tournament",
    "TournamentBuilder",
    "TournamentPlan",
    "make_lineups",
    "plan_tournament",
]

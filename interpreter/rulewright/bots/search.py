"""A player who plays the game on in its head many times, and does what turned out best: tree search over what it knows.

In: what a seat knows, and a budget of playouts or of milliseconds. Out: one of its legal actions. It is information-set
Monte-Carlo tree search with one tree, that of the choosing seat (Cowling, Powley, Whitehouse 2012). Each playout begins
in another imagined position and goes down the tree; a node is a sequence of choices, and only what is legal in this
playout's position can be chosen there. What was tried often and came out well is tried again; how much an untried
action is worth a try follows from the evaluation right after it, which also leaves the worst out. Below the tree
everybody does what looks best among a few, until the playout is cut after a fixed number of turns, so that everybody
had as many. There it is valued by the evaluation: a seat's own less that of the best other, squashed to an estimate of
winning by how far the values of this search lie apart.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from math import exp, sqrt
from typing import Final

from rulewright import limits
from rulewright.bots.greedy import GreedyBot
from rulewright.bots.player_view import PlayerView
from rulewright.bots.position_evaluator import WIN_VALUE, PositionEvaluator, try_apply
from rulewright.engine import chance
from rulewright.engine.state import Action, Decision, State

DEFAULT_PLAYOUTS: Final = 200  # the budget when none is given
PLAYOUT_ROUNDS: Final = 2  # turns of each seat after which a playout is cut
MAX_DECISIONS_PER_PLAYOUT_TURN: Final = (
    8  # and decisions for each of these turns, for games whose turns have many or which have none
)
MAX_CHILDREN: Final = 12  # actions tried at a node, those that look best at once
EXPLORATION: Final = 0.5  # how much an action is tried for looking good rather than for having come out well
PRIOR_SHARPNESS: Final = 0.7  # how much the looks of actions tell them apart
PLAYOUT_SAMPLE: Final = 4  # actions looked at in each decision below the tree
FIRST_PLAY_REDUCTION: Final = 0.1  # how much worse an action that was not tried is taken to be than those that were
WIN_SPREAD: Final = 3.0  # mean distances of values from their mean that count as nearly won


class SearchNode:
    """What came of a sequence of choices. Sums are of the seat that chose last."""

    __slots__ = ("children", "cut_visits", "priors", "seat", "value_sum", "visits", "win_sum")

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.visits = 0
        self.cut_visits = 0  # visits whose playouts were cut
        self.value_sum = 0  # their values added up
        self.win_sum = 0.0  # what was won in the others
        self.children: dict[Action, SearchNode] = {}
        self.priors: dict[Action, int] = {}  # of each action what it is worth at once to the seat that chooses here


class SearchBot:
    """Searches for so many playouts, or for so many milliseconds; the same seed and playouts give the same choice.

    `strategy`: a strategy of the game by which it judges, else the game's evaluation. `clock` gives seconds.
    """

    def __init__(
        self,
        seed: int,
        seat: int,
        playouts: int | None = None,
        milliseconds: int | None = None,
        strategy: str | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._rng = chance.seed_rng(seed, stream=1 + seat)
        self._playouts = DEFAULT_PLAYOUTS if playouts is None and milliseconds is None else playouts
        self._seconds = None if milliseconds is None else milliseconds / 1000
        self._strategy = strategy
        self._clock = clock
        self._hasty = GreedyBot(seed, seat, strategy)

    def choose(self, seated: PlayerView) -> Action:
        """The action that was tried most often; among equals, the one that came out better."""
        actions = seated.legal()
        if len(actions) == 1:
            return actions[0]
        until = None if self._seconds is None else self._clock() + self._seconds
        self._rng, rng = chance.rand_below(self._rng, 1 << 64)
        search = TreeSearch(seated, rng, self._strategy)
        while self._playouts is None or search.root.visits < self._playouts:
            if until is not None and self._clock() >= until:
                break
            search.playout()
        tried = search.root.children
        if not tried:
            return self._hasty.choose(seated)
        return max(actions, key=lambda action: _standing(tried.get(action), search))


def _standing(node: SearchNode | None, search: TreeSearch) -> tuple[int, float]:
    return (0, 0.0) if node is None else (node.visits, search.estimate(node))


class TreeSearch:
    """One search: its tree, its stream of chance, and how far the values lie apart that it has met."""

    def __init__(self, seated: PlayerView, rng: int, strategy: str | None) -> None:
        self.view = seated
        self.engine = seated.engine
        self.rng = rng
        self.strategy = strategy
        self.root = SearchNode(seated.seat)
        self.players = seated.engine.rules.players
        self.max_turns = PLAYOUT_ROUNDS * self.players
        self.evaluator: PositionEvaluator | None = None
        self.value_counts = [0] * self.players
        self.value_sums = [0] * self.players
        self.deviation_sums = [0.0] * self.players

    def random_below(self, n: int) -> int:
        """A number from 0 to n - 1."""
        self.rng, number = chance.rand_below(self.rng, n)
        return number

    # ---- one playout --------------------------------------------------------------------------------------

    def playout(self) -> None:
        """One more playout from one more imagined position."""
        engine = self.engine
        state = self.view.determinize(self.random_below(1 << 64))
        judge = self.evaluator = self.evaluator or PositionEvaluator(engine, state, self.strategy)
        last = state.turn_count + self.max_turns
        most = MAX_DECISIONS_PER_PLAYOUT_TURN * self.max_turns
        node: SearchNode | None = self.root
        path = [self.root]
        for _ in range(most):
            decision = state.waiting
            if not isinstance(decision, Decision) or state.turn_count >= last:
                break
            actions = self.view.legal() if node is self.root else engine.legal(state)
            if len(actions) == 1:
                action = actions[0]
            elif node is not None:
                action = self._chosen(judge, node, state, decision.seat, actions)
            else:
                action = self._quick(judge, state, decision.seat, actions)
            if node is not None:
                child = node.children.get(action)
                if child is None:
                    child = node.children[action] = SearchNode(decision.seat)
                path.append(child)
                node = child if child.visits else None
            now = try_apply(engine, state, action)
            if now is None:
                break
            state = now
        self._learn(judge, path, state)

    def _chosen(
        self, judge: PositionEvaluator, node: SearchNode, state: State, seat: int, actions: tuple[Action, ...]
    ) -> Action:
        """The action to try at a node of the tree."""
        looks, children = node.priors, node.children
        blind = judge.resample_secret_choices(state)
        for action in actions:
            if action not in looks:
                looks[action] = judge.advantage(try_apply(self.engine, blind, action), seat)
        good = sorted(actions, key=looks.__getitem__, reverse=True)[:MAX_CHILDREN]
        top = looks[good[0]]
        spread = sum([min(top - looks[action], WIN_VALUE // 1000) for action in good]) / len(good) or 1.0
        shares = [exp(-PRIOR_SHARPNESS * (top - looks[action]) / spread) for action in good]
        whole = sum(shares)
        curious = EXPLORATION * sqrt(node.visits + 1) / whole
        tried = [(child.visits, self.estimate(child)) for child in map(children.get, good) if child is not None]
        visits = sum([count for count, _ in tried])
        untried = sum([count * value for count, value in tried]) / visits - FIRST_PLAY_REDUCTION if visits else 0.0
        best, most = good[0], -1.0
        for action, chance_of in zip(good, shares, strict=True):
            child = children.get(action)
            if child is None:
                value = untried + curious * chance_of
            else:
                value = self.estimate(child) + curious * chance_of / (1 + child.visits)
            if value > most:
                best, most = action, value
        return best

    def _quick(self, judge: PositionEvaluator, state: State, seat: int, actions: tuple[Action, ...]) -> Action:
        """What somebody does below the tree: the best of a few."""
        if len(actions) > PLAYOUT_SAMPLE:
            actions = tuple([actions[self.random_below(len(actions))] for _ in range(PLAYOUT_SAMPLE)])
        return judge.best_action(state, actions, seat)

    # ---- what came of it ----------------------------------------------------------------------------------

    def _learn(self, judge: PositionEvaluator, path: list[SearchNode], state: State) -> None:
        engine, seats = self.engine, range(self.players)
        if state.over:
            winners = engine.result(state).winners
            for node in path:
                node.visits += 1
                node.win_sum += 1 / len(winners) if node.seat in winners else 0.0
            return
        gone = engine.eliminated(state)  # they have lost, whatever their pieces are worth
        worths = {seat: judge.evaluate(state, seat) for seat in seats if seat not in gone}
        ahead = {
            seat: own - max([worth for other, worth in worths.items() if other != seat], default=0)
            for seat, own in worths.items()
        }
        for seat, value in ahead.items():
            self.value_counts[seat] += 1
            self.value_sums[seat] += value
            self.deviation_sums[seat] += abs(value - self.value_sums[seat] / self.value_counts[seat])
        for node in path:
            node.visits += 1
            if node.seat in ahead:
                node.cut_visits += 1
                node.value_sum += ahead[node.seat]

    def estimate(self, node: SearchNode) -> float:
        """How likely a win seems to the seat that chose last, from 0 to 1."""
        if not node.cut_visits:
            return node.win_sum / node.visits
        seat = node.seat
        met = self.value_counts[seat]
        apart = WIN_SPREAD * self.deviation_sums[seat] / met or 1.0
        ahead = (node.value_sum / node.cut_visits - self.value_sums[seat] / met) / apart
        return (
            node.win_sum + node.cut_visits / (1 + exp(-max(-limits.MAX_LOGIT, min(limits.MAX_LOGIT, ahead))))
        ) / node.visits


__all__ = ["SearchBot"]

"""A player that plays the game on in its head many times, and does what turned out best: tree search.

In: what a seat knows, and a budget of playouts or of milliseconds. Out: one of its legal actions. It is information-set
Monte-Carlo tree search with one tree, that of the choosing seat (Cowling, Powley, Whitehouse 2012), guided by the
evaluation of the rules instead of by random play. The algorithm is described at `TreeSearch`.
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

DEFAULT_PLAYOUTS: Final = 200
PLAYOUT_ROUNDS: Final = 2  # turns of each seat after which a playout is cut
MAX_DECISIONS_PER_PLAYOUT_TURN: Final = 8  # on average; turns may have many decisions, or not exist
MAX_CHILDREN: Final = 12  # actions tried at a node, those with the best immediate advantage
EXPLORATION: Final = 0.5  # weight of an action's prior against its results
PRIOR_SHARPNESS: Final = 0.7  # how much the immediate advantages of actions set their priors apart
PLAYOUT_SAMPLE: Final = 4  # actions evaluated at each decision below the tree
FIRST_PLAY_REDUCTION: Final = 0.1  # how much worse than the tried actions an untried one is assumed to be
WIN_SPREAD: Final = 3.0  # mean deviations above the mean that count as nearly won


class SearchNode:
    """A sequence of choices and its results. Sums are for the seat that chose last."""

    __slots__ = ("children", "cut_visits", "priors", "seat", "value_sum", "visits", "win_sum")

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.visits = 0
        self.cut_visits = 0  # visits whose playouts were cut
        self.value_sum = 0  # of the advantages at their ends
        self.win_sum = 0.0  # shares of wins in the other visits
        self.children: dict[Action, SearchNode] = {}
        self.priors: dict[Action, int] = {}  # the immediate advantage of each action for the seat that chooses here


class SearchBot:
    """Searches for a number of playouts or milliseconds; the same seed and number of playouts give the same choice.

    `strategy`: a strategy of the game by which it evaluates, else the game's evaluation. `clock` gives seconds.
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
        self._fallback = GreedyBot(seed, seat, strategy)

    def choose(self, view: PlayerView) -> Action:
        """The action that was tried most often; among equals, the one that came out better."""
        actions = view.legal()
        if len(actions) == 1:
            return actions[0]
        deadline = None if self._seconds is None else self._clock() + self._seconds
        self._rng, rng = chance.rand_below(self._rng, 1 << 64)
        search = TreeSearch(view, rng, self._strategy)
        while self._playouts is None or search.root.visits < self._playouts:
            if deadline is not None and self._clock() >= deadline:
                break
            search.playout()
        children = search.root.children
        if not children:
            return self._fallback.choose(view)
        return max(actions, key=lambda action: _rank(children.get(action), search))


def _rank(node: SearchNode | None, search: TreeSearch) -> tuple[int, float]:
    return (0, 0.0) if node is None else (node.visits, search.estimate(node))


# Information-set tree search
#
# The seat does not know the position, only a set of positions that look alike to it. Each playout therefore begins in
# another determinized position, drawn from that set, and all playouts share one tree. A node stands for a sequence of
# choices, whatever position they were made in, so its averages are over what may be true. What holds throughout:
#
# - At a node only actions that are legal in this playout's position are candidates; the others keep their statistics.
# - `visits` of a node counts the playouts that went through it; `win_sum` and `value_sum` are for the seat that chose
#   the action leading to it, so that at every node each seat maximizes its own result (not one seat against all).
# - A playout adds at most one node, the first that was not in the tree; below it nothing is kept.
# - The search never sees the true position, and draws from its own stream: it leaks nothing and changes no chance.
#
# One playout: (1) descend. Among the MAX_CHILDREN candidates with the best immediate advantage take the one with the
# highest `estimate + EXPLORATION * prior * sqrt(visits + 1) / (1 + child visits)` (PUCT); priors are a softmax of the
# immediate advantages, and an untried action counts as FIRST_PLAY_REDUCTION worse than the tried ones. (2) Below the
# tree every seat takes the best of PLAYOUT_SAMPLE random actions. (3) After PLAYOUT_ROUNDS turns of each seat the
# playout is cut, so that all have had as many turns. (4) Add the result to every node on the path: a share of the win
# if the game ended, else the advantage of each seat, which `estimate` squashes to a chance of winning by how far the
# advantages of this search lie apart.
#
# Example: two candidates with equal advantage, priors 0.5 each. Playout 1 tries the first (equal values: the earlier)
# and wins: its estimate is 1. In playout 2 it scores 1 + 0.5 * 0.5 * sqrt(2) / 2 = 1.18; the untried one scores
# (1 - 0.1) + 0.5 * 0.5 * sqrt(2) / 1 = 1.25 and is tried. If that fails, its estimate is 0, and the first is chosen
# until its growing visits or worse results let the other's prior term catch up.


class TreeSearch:
    """One search: its tree, its stream of random numbers, and the spread of the advantages that it has met."""

    def __init__(self, view: PlayerView, rng: int, strategy: str | None) -> None:
        self.view = view
        self.engine = view.engine
        self.rng = rng
        self.strategy = strategy
        self.root = SearchNode(view.seat)
        self.players = view.engine.rules.players
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
        """One more playout, from one more determinized position."""
        engine = self.engine
        state = self.view.determinize(self.random_below(1 << 64))
        evaluator = self.evaluator = self.evaluator or PositionEvaluator(engine, state, self.strategy)
        last_turn = state.turn_count + self.max_turns
        node: SearchNode | None = self.root
        path = [self.root]
        for _ in range(MAX_DECISIONS_PER_PLAYOUT_TURN * self.max_turns):
            decision = state.waiting
            if not isinstance(decision, Decision) or state.turn_count >= last_turn:
                break
            actions = self.view.legal() if node is self.root else engine.legal(state)
            if len(actions) == 1:
                action = actions[0]
            elif node is not None:
                action = self._select(evaluator, node, state, decision.seat, actions)
            else:
                action = self._playout_action(evaluator, state, decision.seat, actions)
            if node is not None:
                child = node.children.get(action)
                if child is None:
                    child = node.children[action] = SearchNode(decision.seat)
                path.append(child)
                node = child if child.visits else None
            after = try_apply(engine, state, action)
            if after is None:
                break
            state = after
        self._backpropagate(evaluator, path, state)

    def _select(
        self, evaluator: PositionEvaluator, node: SearchNode, state: State, seat: int, actions: tuple[Action, ...]
    ) -> Action:
        """The action to try at a node of the tree."""
        advantages, children = node.priors, node.children
        blind = evaluator.resample_secret_choices(state)
        for action in actions:
            if action not in advantages:
                advantages[action] = evaluator.advantage(try_apply(self.engine, blind, action), seat)
        candidates = sorted(actions, key=advantages.__getitem__, reverse=True)[:MAX_CHILDREN]
        top = advantages[candidates[0]]
        gaps = [top - advantages[action] for action in candidates]
        spread = sum([min(gap, WIN_VALUE // 1000) for gap in gaps]) / len(gaps) or 1.0
        weights = [exp(-PRIOR_SHARPNESS * gap / spread) for gap in gaps]
        exploration = EXPLORATION * sqrt(node.visits + 1) / sum(weights)
        tried = [(child.visits, self.estimate(child)) for child in map(children.get, candidates) if child is not None]
        visits = sum([count for count, _ in tried])
        untried = sum([count * value for count, value in tried]) / visits - FIRST_PLAY_REDUCTION if visits else 0.0
        best, best_score = candidates[0], -1.0
        for action, weight in zip(candidates, weights, strict=True):
            child = children.get(action)
            if child is None:
                score = untried + exploration * weight
            else:
                score = self.estimate(child) + exploration * weight / (1 + child.visits)
            if score > best_score:
                best, best_score = action, score
        return best

    def _playout_action(
        self, evaluator: PositionEvaluator, state: State, seat: int, actions: tuple[Action, ...]
    ) -> Action:
        """What a seat does below the tree: the best of a few random actions."""
        if len(actions) > PLAYOUT_SAMPLE:
            actions = tuple([actions[self.random_below(len(actions))] for _ in range(PLAYOUT_SAMPLE)])
        return evaluator.best_action(state, actions, seat)

    # ---- its result ---------------------------------------------------------------------------------------

    def _backpropagate(self, evaluator: PositionEvaluator, path: list[SearchNode], state: State) -> None:
        engine, seats = self.engine, range(self.players)
        if state.over:
            winners = engine.result(state).winners
            for node in path:
                node.visits += 1
                node.win_sum += 1 / len(winners) if node.seat in winners else 0.0
            return
        eliminated = engine.eliminated(state)  # they have lost, whatever their pieces are worth
        values = {seat: evaluator.evaluate(state, seat) for seat in seats if seat not in eliminated}
        advantages = {
            seat: value - max([rival for other, rival in values.items() if other != seat], default=0)
            for seat, value in values.items()
        }
        for seat, advantage in advantages.items():
            self.value_counts[seat] += 1
            self.value_sums[seat] += advantage
            self.deviation_sums[seat] += abs(advantage - self.value_sums[seat] / self.value_counts[seat])
        for node in path:
            node.visits += 1
            if node.seat in advantages:
                node.cut_visits += 1
                node.value_sum += advantages[node.seat]

    def estimate(self, node: SearchNode) -> float:
        """The estimated chance of winning for the seat that chose last, from 0 to 1."""
        if not node.cut_visits:
            return node.win_sum / node.visits
        seat = node.seat
        count = self.value_counts[seat]
        scale = WIN_SPREAD * self.deviation_sums[seat] / count or 1.0
        logit = (node.value_sum / node.cut_visits - self.value_sums[seat] / count) / scale
        expected_wins = node.cut_visits / (1 + exp(-max(-limits.MAX_LOGIT, min(limits.MAX_LOGIT, logit))))
        return (node.win_sum + expected_wins) / node.visits


__all__ = ["SearchBot"]

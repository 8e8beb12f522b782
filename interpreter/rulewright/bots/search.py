"""A player that plays the game on in its head many times, and does what turned out best: tree search.

In: what a seat knows, and a budget of playouts or of milliseconds. Out: one of its legal actions. It is information-set
Monte-Carlo tree search with one tree, that of the choosing seat (Cowling, Powley, Whitehouse 2012), guided by the
evaluation of the rules instead of by random play. The algorithm is described at `TreeSearch`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from math import exp, sqrt
from typing import Any, Final

from rulewright import limits
from rulewright.bots.greedy import GreedyBot
from rulewright.bots.imagined_positions import M, P
from rulewright.bots.player_view import SeatView
from rulewright.bots.position_evaluator import WIN_VALUE, AnyEvaluator, PositionEvaluator
from rulewright.engine import chance
from rulewright.engine.state import Action

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
        self.children: dict[Any, SearchNode] = {}  # by action, as positions name it
        self.priors: dict[Any, int] = {}  # the immediate advantage of each action for the seat that chooses here


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
        self._playouts = limits.DEFAULT_PLAYOUTS if playouts is None and milliseconds is None else playouts
        self._seconds = None if milliseconds is None else milliseconds / 1000
        self._strategy = strategy
        self._clock = clock
        self._fallback = GreedyBot(seed, seat, strategy)

    def choose(self, view: SeatView) -> Action:
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
        ranks = [_rank(children.get(move), search) for move in search.root_moves]
        return actions[ranks.index(max(ranks))]


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

    def __init__(self, view: SeatView, rng: int, strategy: str | None) -> None:
        self.positions = view.positions()
        self.root_moves = self.positions.moves_of(view.legal())
        self.rng = rng
        self.strategy = strategy
        self.root = SearchNode(view.seat)
        self.players = self.positions.players
        self.max_turns = PLAYOUT_ROUNDS * self.players
        self.evaluator: AnyEvaluator | None = None
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
        positions = self.positions
        position = positions.determinize(self.random_below(1 << 64))
        evaluator = self.evaluator = self.evaluator or PositionEvaluator(positions, position, self.strategy)
        last_turn = positions.turn_count(position) + self.max_turns
        node: SearchNode | None = self.root
        path = [self.root]
        for _ in range(MAX_DECISIONS_PER_PLAYOUT_TURN * self.max_turns):
            decision = positions.decision(position)
            if decision is None or positions.turn_count(position) >= last_turn:
                break
            moves = self.root_moves if node is self.root else positions.legal(position)
            if len(moves) == 1:
                move = moves[0]
            elif node is not None:
                move = self._select(evaluator, node, position, decision.seat, moves)
            else:
                move = self._playout_move(evaluator, position, decision.seat, moves)
            if node is not None:
                child = node.children.get(move)
                if child is None:
                    child = node.children[move] = SearchNode(decision.seat)
                path.append(child)
                node = child if child.visits else None
            after = positions.after(position, move)
            if after is None:
                break
            position = after
        self._backpropagate(evaluator, path, position)

    def _select(
        self, evaluator: PositionEvaluator[P, M], node: SearchNode, position: P, seat: int, moves: Sequence[M]
    ) -> M:
        """The action to try at a node of the tree."""
        advantages, children = node.priors, node.children
        blind = evaluator.resample_secret_choices(position)
        new = [move for move in moves if move not in advantages]
        if new:
            advantages.update(zip(new, evaluator.advantages_after(blind, new, seat), strict=True))
        candidates: list[M] = sorted(moves, key=advantages.__getitem__, reverse=True)[:MAX_CHILDREN]
        top = advantages[candidates[0]]
        gaps = [top - advantages[move] for move in candidates]
        spread = sum([min(gap, WIN_VALUE // 1000) for gap in gaps]) / len(gaps) or 1.0
        weights = [exp(-PRIOR_SHARPNESS * gap / spread) for gap in gaps]
        exploration = EXPLORATION * sqrt(node.visits + 1) / sum(weights)
        tried = [(child.visits, self.estimate(child)) for child in map(children.get, candidates) if child is not None]
        visits = sum([count for count, _ in tried])
        untried = sum([count * value for count, value in tried]) / visits - FIRST_PLAY_REDUCTION if visits else 0.0
        best, best_score = candidates[0], -1.0
        for move, weight in zip(candidates, weights, strict=True):
            child = children.get(move)
            if child is None:
                score = untried + exploration * weight
            else:
                score = self.estimate(child) + exploration * weight / (1 + child.visits)
            if score > best_score:
                best, best_score = move, score
        return best

    def _playout_move(self, evaluator: PositionEvaluator[P, M], position: P, seat: int, moves: Sequence[M]) -> M:
        """What a seat does below the tree: the best of a few random actions."""
        if len(moves) > PLAYOUT_SAMPLE:
            moves = [moves[self.random_below(len(moves))] for _ in range(PLAYOUT_SAMPLE)]
        return evaluator.best_move(position, moves, seat)

    # ---- its result ---------------------------------------------------------------------------------------

    def _backpropagate(self, evaluator: PositionEvaluator[P, M], path: list[SearchNode], position: P) -> None:
        positions, seats = evaluator.positions, range(self.players)
        if positions.is_over(position):
            winners = positions.winners(position)
            for node in path:
                node.visits += 1
                node.win_sum += 1 / len(winners) if node.seat in winners else 0.0
            return
        values = {  # whoever has left has lost, whatever their pieces are worth
            seat: evaluator.evaluate(position, seat) for seat in seats if not positions.is_eliminated(position, seat)
        }
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

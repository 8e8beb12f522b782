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
from rulewright.bots.player_view import Seated
from rulewright.bots.position_evaluator import DECIDED, Judge, after
from rulewright.engine import chance
from rulewright.engine.state import Action, Decision, State

PLAYOUTS: Final = 200  # the budget when none is given
ROUNDS: Final = 2  # turns of each seat after which a playout is cut
DECISIONS: Final = 8  # and decisions for each of these turns, for games whose turns have many or which have none
WIDTH: Final = 12  # actions tried at a node, those that look best at once
CURIOUS: Final = 0.5  # how much an action is tried for looking good rather than for having come out well
SHARP: Final = 0.7  # how much the looks of actions tell them apart
SAMPLE: Final = 4  # actions looked at in each decision below the tree
DOUBT: Final = 0.1  # how much worse an action that was not tried is taken to be than those that were
SPREAD: Final = 3.0  # mean distances of values from their mean that count as nearly won


class Node:
    """What came of a sequence of choices. Sums are of the seat that chose last."""

    __slots__ = ("children", "decided", "looks", "open", "seat", "total", "visits")

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.visits = 0
        self.open = 0  # visits whose playouts were cut
        self.total = 0  # their values added up
        self.decided = 0.0  # what was won in the others
        self.children: dict[Action, Node] = {}
        self.looks: dict[Action, int] = {}  # of each action what it is worth at once to the seat that chooses here


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
        self._rng = chance.seeded(seed, stream=1 + seat)
        self._playouts = PLAYOUTS if playouts is None and milliseconds is None else playouts
        self._seconds = None if milliseconds is None else milliseconds / 1000
        self._strategy = strategy
        self._clock = clock
        self._hasty = GreedyBot(seed, seat, strategy)

    def choose(self, seated: Seated) -> Action:
        """The action that was tried most often; among equals, the one that came out better."""
        actions = seated.legal()
        if len(actions) == 1:
            return actions[0]
        until = None if self._seconds is None else self._clock() + self._seconds
        self._rng, rng = chance.below(self._rng, 1 << 64)
        search = Search(seated, rng, self._strategy)
        while self._playouts is None or search.root.visits < self._playouts:
            if until is not None and self._clock() >= until:
                break
            search.playout()
        tried = search.root.children
        if not tried:
            return self._hasty.choose(seated)
        return max(actions, key=lambda action: _standing(tried.get(action), search))


def _standing(node: Node | None, search: Search) -> tuple[int, float]:
    return (0, 0.0) if node is None else (node.visits, search.estimate(node))


class Search:
    """One search: its tree, its stream of chance, and how far the values lie apart that it has met."""

    def __init__(self, seated: Seated, rng: int, strategy: str | None) -> None:
        self.seated = seated
        self.engine = seated.engine
        self.rng = rng
        self.strategy = strategy
        self.root = Node(seated.seat)
        self.players = seated.engine.rules.players
        self.turns = ROUNDS * self.players
        self.judge: Judge | None = None
        self.met = [0] * self.players
        self.sums = [0] * self.players
        self.apart = [0.0] * self.players

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""
        self.rng, number = chance.below(self.rng, n)
        return number

    # ---- one playout --------------------------------------------------------------------------------------

    def playout(self) -> None:
        """One more playout from one more imagined position."""
        engine = self.engine
        state = self.seated.imagined(self.below(1 << 64))
        judge = self.judge = self.judge or Judge(engine, state, self.strategy)
        last = state.turns + self.turns
        most = DECISIONS * self.turns
        node: Node | None = self.root
        path = [self.root]
        for _ in range(most):
            decision = state.waiting
            if not isinstance(decision, Decision) or state.turns >= last:
                break
            actions = self.seated.legal() if node is self.root else engine.legal(state)
            if len(actions) == 1:
                action = actions[0]
            elif node is not None:
                action = self._chosen(judge, node, state, decision.seat, actions)
            else:
                action = self._quick(judge, state, decision.seat, actions)
            if node is not None:
                child = node.children.get(action)
                if child is None:
                    child = node.children[action] = Node(decision.seat)
                path.append(child)
                node = child if child.visits else None
            now = after(engine, state, action)
            if now is None:
                break
            state = now
        self._learn(judge, path, state)

    def _chosen(self, judge: Judge, node: Node, state: State, seat: int, actions: tuple[Action, ...]) -> Action:
        """The action to try at a node of the tree."""
        looks, children = node.looks, node.children
        blind = judge.blind(state)
        for action in actions:
            if action not in looks:
                looks[action] = judge.ahead(after(self.engine, blind, action), seat)
        good = sorted(actions, key=looks.__getitem__, reverse=True)[:WIDTH]
        top = looks[good[0]]
        spread = sum([min(top - looks[action], DECIDED // 1000) for action in good]) / len(good) or 1.0
        shares = [exp(-SHARP * (top - looks[action]) / spread) for action in good]
        whole = sum(shares)
        curious = CURIOUS * sqrt(node.visits + 1) / whole
        tried = [(child.visits, self.estimate(child)) for child in map(children.get, good) if child is not None]
        visits = sum([count for count, _ in tried])
        untried = sum([count * value for count, value in tried]) / visits - DOUBT if visits else 0.0
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

    def _quick(self, judge: Judge, state: State, seat: int, actions: tuple[Action, ...]) -> Action:
        """What somebody does below the tree: the best of a few."""
        if len(actions) > SAMPLE:
            actions = tuple([actions[self.below(len(actions))] for _ in range(SAMPLE)])
        return judge.best(state, actions, seat)

    # ---- what came of it ----------------------------------------------------------------------------------

    def _learn(self, judge: Judge, path: list[Node], state: State) -> None:
        engine, seats = self.engine, range(self.players)
        if state.over:
            winners = engine.result(state).winners
            for node in path:
                node.visits += 1
                node.decided += 1 / len(winners) if node.seat in winners else 0.0
            return
        gone = engine.gone(state)  # they have lost, whatever their pieces are worth
        worths = {seat: judge.own(state, seat) for seat in seats if seat not in gone}
        ahead = {
            seat: own - max([worth for other, worth in worths.items() if other != seat], default=0)
            for seat, own in worths.items()
        }
        for seat, value in ahead.items():
            self.met[seat] += 1
            self.sums[seat] += value
            self.apart[seat] += abs(value - self.sums[seat] / self.met[seat])
        for node in path:
            node.visits += 1
            if node.seat in ahead:
                node.open += 1
                node.total += ahead[node.seat]

    def estimate(self, node: Node) -> float:
        """How likely a win seems to the seat that chose last, from 0 to 1."""
        if not node.open:
            return node.decided / node.visits
        seat = node.seat
        met = self.met[seat]
        apart = SPREAD * self.apart[seat] / met or 1.0
        ahead = (node.total / node.open - self.sums[seat] / met) / apart
        return (
            node.decided + node.open / (1 + exp(-max(-limits.MAX_LOGIT, min(limits.MAX_LOGIT, ahead))))
        ) / node.visits


__all__ = ["SearchBot"]

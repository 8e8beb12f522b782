"""A player that looks as far as its own next turn: what could I do then, if I did this now?

In: what a seat knows. Out: one of its legal actions. In a determinized position it tries the actions with the best
immediate advantage; whoever has to choose in between does what is best for them right away; then its own best follow-up
is found. An action is worth its advantage right after it plus that after the follow-up.
"""

from __future__ import annotations

from typing import Any, Final

from rulewright.bots.imagined_positions import DecisionPlace, M, P
from rulewright.bots.player_view import SeatView
from rulewright.bots.position_evaluator import PositionEvaluator
from rulewright.engine import chance
from rulewright.engine.state import Action

HEURISTIC_DETERMINIZATIONS: Final = 1  # positions that are evaluated for a choice
HEURISTIC_SECRET_DETERMINIZATIONS: Final = 8  # where the others choose at the same time
FOLLOWED_UP_ACTIONS: Final = 5  # actions that are followed up, those with the best immediate advantage
MAX_DECISIONS_BETWEEN: Final = 12  # until its own next turn; after these the position is evaluated as it is


class HeuristicBot:
    """Does the action that puts it furthest ahead, right away and on its next turn.

    `strategy`: a strategy of the game by which it evaluates, else the game's evaluation.
    """

    def __init__(self, seed: int, seat: int, strategy: str | None = None) -> None:
        self._rng = chance.seed_rng(seed, stream=1 + seat)
        self._strategy = strategy

    def choose(self, view: SeatView) -> Action:
        """The best of the legal actions; among equals, the one with the better immediate advantage, then the first."""
        actions = view.legal()
        if len(actions) == 1:
            return actions[0]
        seat, imagined, drawn = view.seat, view.positions(), []
        moves = imagined.moves_of(actions)
        for _ in range(HEURISTIC_SECRET_DETERMINIZATIONS if view.is_choosing_in_secret else HEURISTIC_DETERMINIZATIONS):
            self._rng, position_rng = chance.rand_below(self._rng, 1 << 64)
            drawn.append(imagined.determinize(position_rng))
        evaluator = PositionEvaluator(imagined, drawn[0], self._strategy)
        advantages = [evaluator.advantages(position, moves, seat) for position in drawn]
        immediate = [sum(column) for column in zip(*advantages, strict=True)]
        order = sorted(range(len(actions)), key=lambda index: -immediate[index])
        memories: list[dict[DecisionPlace, Any]] = [{} for _ in drawn]
        best, best_total = order[0], -(10**18)
        for index in order[:FOLLOWED_UP_ACTIONS]:
            total = immediate[index] + sum(
                follow_up_advantage(evaluator, position, moves[index], seat, replies)
                for position, replies in zip(drawn, memories, strict=True)
            )
            if total > best_total:
                best, best_total = index, total
        return actions[best]


def follow_up_advantage(
    evaluator: PositionEvaluator[P, M], position: P, move: M, seat: int, replies: dict[DecisionPlace, M]
) -> int:
    """How far ahead a seat is after an action and its own best follow-up. `replies`: what was done at a decision, to be
    done again where it is still legal.
    """
    positions, first_turn = evaluator.positions, evaluator.positions.turn_count(position)
    reached = positions.after(position, move)
    others_have_chosen = False
    for _ in range(MAX_DECISIONS_BETWEEN):
        decision = None if reached is None else positions.decision(reached)
        if reached is None or decision is None:
            break
        moves = positions.legal(reached)
        if decision.seat == seat and (others_have_chosen or positions.turn_count(reached) != first_turn):
            return max(evaluator.advantages(reached, moves, seat))
        others_have_chosen = others_have_chosen or decision.seat != seat
        reply = replies.get(decision)
        if decision.seat == seat or reply is None or reply not in moves:
            reply = evaluator.best_move(reached, moves, decision.seat)
            replies[decision] = reply
        reached = positions.after(reached, reply)
    return evaluator.advantage(reached, seat)


__all__ = ["HeuristicBot"]

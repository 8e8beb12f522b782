"""A player that looks as far as its own next turn: what could I do then, if I did this now?

In: what a seat knows. Out: one of its legal actions. In a determinized position it tries the actions with the best
immediate advantage; whoever has to choose in between does what is best for them right away; then its own best follow-up
is found. An action is worth its advantage right after it plus that after the follow-up.
"""

from __future__ import annotations

from typing import Final

from rulewright.bots.player_view import PlayerView
from rulewright.bots.position_evaluator import PositionEvaluator, try_apply
from rulewright.engine import chance
from rulewright.engine.state import Action, Decision, State

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

    def choose(self, view: PlayerView) -> Action:
        """The best of the legal actions; among equals, the one with the better immediate advantage, then the first."""
        actions = view.legal()
        if len(actions) == 1:
            return actions[0]
        seat, positions = view.seat, []
        for _ in range(HEURISTIC_SECRET_DETERMINIZATIONS if view.is_choosing_in_secret else HEURISTIC_DETERMINIZATIONS):
            self._rng, position_rng = chance.rand_below(self._rng, 1 << 64)
            positions.append(view.determinize(position_rng))
        evaluator = PositionEvaluator(view.engine, positions[0], self._strategy)
        advantages = [evaluator.advantages(position, actions, seat) for position in positions]
        immediate = [sum(column) for column in zip(*advantages, strict=True)]
        order = sorted(range(len(actions)), key=lambda index: -immediate[index])
        memories: list[ReplyMemory] = [{} for _ in positions]
        best, best_total = order[0], -(10**18)
        for index in order[:FOLLOWED_UP_ACTIONS]:
            total = immediate[index] + sum(
                follow_up_advantage(evaluator, position, actions[index], seat, replies)
                for position, replies in zip(positions, memories, strict=True)
            )
            if total > best_total:
                best, best_total = index, total
        return actions[best]


# by seat, block and step: what was done there, to be done again where it is still legal
ReplyMemory = dict[tuple[int, int, int], Action]


def follow_up_advantage(
    evaluator: PositionEvaluator, position: State, action: Action, seat: int, replies: ReplyMemory
) -> int:
    """How far ahead a seat is after an action and its own best follow-up."""
    engine = evaluator.engine
    state = try_apply(engine, position, action)
    others_have_chosen = False
    for _ in range(MAX_DECISIONS_BETWEEN):
        if state is None or not isinstance(state.waiting, Decision):
            break
        decision = state.waiting
        actions = engine.legal(state)
        if decision.seat == seat and (others_have_chosen or state.turn_count != position.turn_count):
            return max(evaluator.advantages(state, actions, seat))
        others_have_chosen = others_have_chosen or decision.seat != seat
        key = (decision.seat, decision.block, decision.step)
        reply = replies.get(key)
        if decision.seat == seat or reply is None or reply not in actions:
            reply = evaluator.best_action(state, actions, decision.seat)
            replies[key] = reply
        state = try_apply(engine, state, reply)
    return evaluator.advantage(state, seat)


__all__ = ["HeuristicBot"]

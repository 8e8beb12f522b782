"""A player who looks as far as its own next turn: what could I do then, if I did this now?

In: what a seat knows. Out: one of its legal actions. In an imagined position it tries the actions that look best at
once; whoever has to choose in between does what looks best for them; then its own best follow-up is found. What counts
is how far ahead it is right after the action and after the follow-up, added up.
"""

from __future__ import annotations

from typing import Final

from rulewright.bots.player_view import PlayerView
from rulewright.bots.position_evaluator import PositionEvaluator, try_apply
from rulewright.engine import chance
from rulewright.engine.state import Action, Decision, State

DETERMINIZATIONS: Final = 1  # imagined positions it looks at
SECRET_DETERMINIZATIONS: Final = 8  # and where the others choose at the same time
FOLLOWED_UP_ACTIONS: Final = 5  # actions it follows up, those that look best at once
MAX_DECISIONS_BETWEEN: Final = (
    12  # decisions until its own next turn, at most; after so many it takes the position as it stands
)


class HeuristicBot:
    """Does the action that puts it furthest ahead, at once and on its next turn.

    `strategy`: a strategy of the game by which it judges, else the game's evaluation.
    """

    def __init__(self, seed: int, seat: int, strategy: str | None = None) -> None:
        self._rng = chance.seed_rng(seed, stream=1 + seat)
        self._strategy = strategy

    def choose(self, seated: PlayerView) -> Action:
        """The best of the legal actions; among equals, the one that looks better at once, then the first."""
        actions = seated.legal()
        if len(actions) == 1:
            return actions[0]
        seat, worlds = seated.seat, []
        for _ in range(SECRET_DETERMINIZATIONS if seated.is_choosing_in_secret else DETERMINIZATIONS):
            self._rng, world_rng = chance.rand_below(self._rng, 1 << 64)
            worlds.append(seated.determinize(world_rng))
        judge = PositionEvaluator(seated.engine, worlds[0], self._strategy)
        at_once = [
            sum(column) for column in zip(*[judge.advantages(world, actions, seat) for world in worlds], strict=True)
        ]
        order = sorted(range(len(actions)), key=lambda at: -at_once[at])
        replies: list[ReplyMemory] = [{} for _ in worlds]
        best, most = order[0], -(10**18)
        for at in order[:FOLLOWED_UP_ACTIONS]:
            total = at_once[at] + sum(
                follow_up_advantage(judge, world, actions[at], seat, known)
                for world, known in zip(worlds, replies, strict=True)
            )
            if total > most:
                best, most = at, total
        return actions[best]


ReplyMemory = dict[
    tuple[int, int, int], Action
]  # what somebody did at a step, to be done again where it is still legal


def follow_up_advantage(judge: PositionEvaluator, world: State, action: Action, seat: int, replies: ReplyMemory) -> int:
    """How far ahead a seat is after an action and its own best follow-up."""
    engine = judge.engine
    state = try_apply(engine, world, action)
    others_had_a_say = False
    for _ in range(MAX_DECISIONS_BETWEEN):
        if state is None or not isinstance(state.waiting, Decision):
            break
        decision = state.waiting
        actions = engine.legal(state)
        if decision.seat == seat and (others_had_a_say or state.turn_count != world.turn_count):
            return max(judge.advantages(state, actions, seat))
        others_had_a_say = others_had_a_say or decision.seat != seat
        asked = (decision.seat, decision.block, decision.step)
        done = replies.get(asked)
        if decision.seat == seat or done is None or done not in actions:
            done = judge.best_action(state, actions, decision.seat)
            replies[asked] = done
        state = try_apply(engine, state, done)
    return judge.advantage(state, seat)


__all__ = ["HeuristicBot"]

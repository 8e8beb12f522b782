"""Is a game over in none of the positions that can come?

In: rules that do not depend on the number of the round. Out: how many positions can come from the start of a game, if
they are few and the game is over in none of them, whatever anybody does: so it never is. Positions are the same where
all is that decides how a game goes on; where something is drawn they soon are too many.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.common.tried_games import first_seed
from rulewright.checker.played.forced_rounds import depends_on_round, position_key
from rulewright.engine.default_engine import make_engine
from rulewright.model.rules import Rules

MAX_POSITIONS: Final = 1_000
MAX_ACTIONS: Final = 8_000  # that are tried in them


def count_endless_positions(rules: Rules) -> int | None:
    """How many; None where the game can be over, or nothing is known. Raises `RuleFault` where the rules fail."""
    if depends_on_round(rules):
        return None
    engine, tried = make_engine(rules), 0
    start = engine.start(seed=first_seed(rules))
    seen, pending = {position_key(start)}, [start]
    while pending:
        state = pending.pop()
        if state.over or len(seen) > MAX_POSITIONS:
            return None
        legal = engine.legal(state)
        tried += len(legal)
        if not legal or tried > MAX_ACTIONS:
            return None
        for action in legal:
            after = engine.apply_legal(state, action)
            key = position_key(after)
            if key not in seen:
                seen.add(key)
                pending.append(after)
    return len(seen)


__all__ = ["count_endless_positions"]

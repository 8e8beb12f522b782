"""`rulewright why`: every rule that forbids an action, with the values in it, its source and its place.

In: parsed arguments. Out: reasons on stdout; status 0 when the action is legal, 1 when it is not.
"""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path

from rulewright.cli import open_game
from rulewright.engine.reference.explainer import Explainer, Reason
from rulewright.engine.state import Decision
from rulewright.errors import UsageError
from rulewright.model.loader import RULE_FILE_SUFFIX, available_games
from rulewright.terminal.reasons import reasons_lines, verdict


def run(wish: Namespace) -> int:
    """Judges an action at the first decision of a game, or in a saved position."""
    if wish.game is None and (
        wish.action in available_games() or Path(wish.action).suffix == RULE_FILE_SUFFIX or "/" in wish.action
    ):
        raise UsageError(f"an ACTION is missing behind the game {wish.action}: name(choice=value, …)")
    if wish.position:
        engine, state = open_game.position_from_args(wish.position, wish)
    else:
        engine = open_game.engine_from_args(wish)
        state = engine.start(seed=wish.seed)
    explainer = Explainer(engine, open_game.require_language(engine.rules, wish.lang))
    notation = explainer.views.notation
    action = open_game.parse_action(notation, wish.action)
    seat = open_game.require_seat(engine.rules, wish.seat) if wish.seat is not None else None
    if seat is None:
        if not isinstance(state.waiting, Decision) and not state.over:
            raise UsageError("the game waits for chance, so nobody has to choose; say which seat is meant with --seat")
        seat = state.waiting.seat if isinstance(state.waiting, Decision) else 0
    reasons: tuple[Reason, ...] = explainer.why_not(state, seat, action)
    if wish.json:
        data = {
            "seat": seat,
            "action": notation.action_to_data(action),
            "legal": not reasons,
            "reasons": [reason.to_data() for reason in reasons],
        }
        print(json.dumps(data, ensure_ascii=False))
    else:
        print(verdict(engine.rules, wish.lang, notation.format_action(action), seat, legal=not reasons))
        for line in reasons_lines(reasons, engine.rules, wish.lang):
            print(line)
    return 1 if reasons else 0

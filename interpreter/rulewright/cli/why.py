"""`rulewright why`: every rule that forbids an action, with the values in it, its source and its place.

In: parsed arguments. Out: reasons on stdout; status 0 when the action is legal, 1 when it is not.
"""

from __future__ import annotations

import json

from rulewright.cli.exit_status import ExitStatus
from rulewright.cli.open_game import engine_from_args, position_from_args
from rulewright.cli.options import EngineOptions
from rulewright.engine.interface import Engine, NotWaitingError
from rulewright.engine.notation import Notation
from rulewright.engine.reference.explainer import Explainer, Reason
from rulewright.engine.state import Action, Decision, State
from rulewright.engine.value_notation import NotationError
from rulewright.errors import UsageError
from rulewright.model.locale import ENGLISH
from rulewright.model.locate import available_games, is_path
from rulewright.session.load_game import require_language, require_seat
from rulewright.session.session import Session
from rulewright.terminal.aliases import resolve_typed
from rulewright.terminal.readable_notation import readable_notation
from rulewright.terminal.reasons import reasons_lines, verdict
from rulewright.terminal.theme import Theme
from rulewright.wording.messages import Messages


class Options(EngineOptions):
    """The options of `why`."""

    action: str
    lang: str
    seed: int
    position: str | None
    seat: int | None
    json: bool


def _find_attempt(engine: Engine, state: State, typed: str, seat: int, language: str) -> Action:
    """The action that a text means, in notation or as on the terminal; raises `UsageError` when it means none, or
    several. `seat`: who types.
    """
    try:
        return Notation.for_people(engine.rules, language).parse_action(typed)
    except NotationError as error:
        wrong = error
    session = Session.from_position(engine, state)
    session.spellings = lambda text: resolve_typed(text, Theme(engine, ENGLISH), seat)
    try:
        return session.find_attempt(typed, by_player=True)
    except NotWaitingError:
        raise UsageError(str(wrong)) from None
    except NotationError as error:
        raise UsageError(str(wrong if "(" in typed else error)) from None


def run(args: Options) -> int:
    """Judges an action at the first decision of a game, or in a saved position."""
    if args.game is None and "(" not in args.action and (is_path(args.action) or args.action in available_games()):
        raise UsageError(f"missing ACTION after the game {args.action}, expected NAME(CHOICE=VALUE, …)")
    if args.position:
        engine, state = position_from_args(args.position, args)
    else:
        engine = engine_from_args(args)
        state = engine.start(seed=args.seed)
    explainer = Explainer(engine, require_language(engine.rules, args.lang))
    seat = require_seat(engine.rules, args.seat) if args.seat is not None else None
    decider = state.waiting.seat if isinstance(state.waiting, Decision) else 0
    action = _find_attempt(engine, state, args.action, decider if seat is None else seat, args.lang)
    if seat is None:
        if not isinstance(state.waiting, Decision) and not state.over:
            raise UsageError("the game is waiting for chance and nobody has to choose: name one with --player")
        seat = decider
    action_data = explainer.views.notation.action_to_data(action)
    reasons: tuple[Reason, ...] = explainer.why_not(state, seat, action)
    if args.json:
        data = {
            "seat": seat,
            "action": action_data,
            "legal": not reasons,
            "reasons": [reason.to_data() for reason in reasons],
        }
        print(json.dumps(data, ensure_ascii=False))
    else:
        text = readable_notation(action_data, engine.rules, Messages(engine.rules, args.lang, "terminal"))
        print(verdict(engine.rules, args.lang, text, seat, legal=not reasons))
        for line in reasons_lines(reasons, engine.rules, args.lang):
            print(line)
    return ExitStatus.FINDINGS if reasons else ExitStatus.OK

"""Board games as data: rule files in, a referee out.

    from rulewright import new_session
    game = new_session(players=2, seed=7)
    game.act(game.legal()[0])

new_session(game, players=…, variants=[…], seed=…, record=…)    begins a game: a `Session`
restore(text), resume(path)      the `Session` of a saved position, or of a record
replay(path)                     a recorded game played again, also under other rules
simulate(game, games, bots=…)    many games of bots, with every measure of the game
compile(load_rules(game))        rules as machine code or Python: `batch(games)` steps many games at once, for training
check(paths)                     everything that is wrong with rule files

A `Session` has
    seat, over, legal(), result()                 who chooses, whether the game has ended, what is legal, who has won
    act(action), undo(), redo()                   actions, as `legal` gives them or as text: "name(choice=value)"
    read(text), why_not(action)                   the actions that a short form means; every reason against an action
    view(seat), log(seat), saved()                the position as a seat may know it; what was done; the whole position

Seats are counted from 0: seat 0 is player 1. `help(rulewright.Session)` and so on say more, also which errors are
raised. `load_rules` and `ReferenceEngine` are for programs that keep positions themselves.
"""

TYPE_CHECKING = False  # as type checkers know it: importing `typing` is most of the time until a command can be stopped

if TYPE_CHECKING:
    from rulewright.bots.bot_specs import BotSpecError
    from rulewright.checker.checker import check
    from rulewright.diagnostics import Diagnostics, RulesError
    from rulewright.engine.compiled.playing.compiled_rules import CompiledRules, compile
    from rulewright.engine.compiled.playing.game_batch import GameBatch
    from rulewright.engine.compiled.playing.machine_support import NoMachineCode
    from rulewright.engine.compiled.translation.refusal import NotCompiled
    from rulewright.engine.interface import IllegalAction, NotWaitingError
    from rulewright.engine.notation import Notation
    from rulewright.engine.position_data import InvalidPosition
    from rulewright.engine.reference.explainer import Explainer
    from rulewright.engine.reference.reference_engine import ReferenceEngine
    from rulewright.engine.value_notation import NotationError
    from rulewright.engine.views import Views
    from rulewright.errors import RulewrightError
    from rulewright.games import new_session, replay, restore, resume, simulate
    from rulewright.model.loader import load_rules
    from rulewright.model.locate import NotFound
    from rulewright.records.record_file import InvalidRecord
    from rulewright.records.rules_snapshot import SnapshotError
    from rulewright.session.match import Match
    from rulewright.session.session import RefusedAction, Session
    from rulewright.session.shorthand import InvalidAnswer, NotLegalNow
    from rulewright.session.undo import CannotRedo, CannotUndo

__version__ = "0.1.0"

_MODULES = {  # loaded when first used, so that a command that needs none of them starts at once
    "new_session": "rulewright.games",
    "replay": "rulewright.games",
    "restore": "rulewright.games",
    "resume": "rulewright.games",
    "simulate": "rulewright.games",
    "check": "rulewright.checker.checker",
    "Session": "rulewright.session.session",
    "CannotRedo": "rulewright.session.undo",
    "CannotUndo": "rulewright.session.undo",
    "InvalidRecord": "rulewright.records.record_file",
    "InvalidPosition": "rulewright.engine.position_data",
    "load_rules": "rulewright.model.loader",
    "NotFound": "rulewright.model.locate",
    "RulesError": "rulewright.diagnostics",
    "Diagnostics": "rulewright.diagnostics",
    "CompiledRules": "rulewright.engine.compiled.playing.compiled_rules",
    "compile": "rulewright.engine.compiled.playing.compiled_rules",
    "GameBatch": "rulewright.engine.compiled.playing.game_batch",
    "NoMachineCode": "rulewright.engine.compiled.playing.machine_support",
    "NotCompiled": "rulewright.engine.compiled.translation.refusal",
    "ReferenceEngine": "rulewright.engine.reference.reference_engine",
    "IllegalAction": "rulewright.engine.interface",
    "RulewrightError": "rulewright.errors",
    "Explainer": "rulewright.engine.reference.explainer",
    "Notation": "rulewright.engine.notation",
    "NotationError": "rulewright.engine.value_notation",
    "Views": "rulewright.engine.views",
    "Match": "rulewright.session.match",
    "RefusedAction": "rulewright.session.session",
    "InvalidAnswer": "rulewright.session.shorthand",
    "NotLegalNow": "rulewright.session.shorthand",
    "NotWaitingError": "rulewright.engine.interface",
    "BotSpecError": "rulewright.bots.bot_specs",
    "SnapshotError": "rulewright.records.rules_snapshot",
}

__all__ = [  # found by __getattr__
    "BotSpecError",
    "CannotRedo",
    "CannotUndo",
    "CompiledRules",
    "Diagnostics",
    "Explainer",
    "GameBatch",
    "IllegalAction",
    "InvalidAnswer",
    "InvalidPosition",
    "InvalidRecord",
    "Match",
    "NoMachineCode",
    "NotCompiled",
    "NotFound",
    "NotLegalNow",
    "NotWaitingError",
    "Notation",
    "NotationError",
    "ReferenceEngine",
    "RefusedAction",
    "RulesError",
    "RulewrightError",
    "Session",
    "SnapshotError",
    "Views",
    "__version__",
    "check",
    "compile",
    "load_rules",
    "new_session",
    "replay",
    "restore",
    "resume",
    "simulate",
]


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)

"""Whether a position from outside names the winners that its rules name.

In: a position that is over, or about to end. Out: nothing, or `InvalidPosition` with one sentence. Winners come from a
`end_game` step that names them; without one the ranking says who has won, and none are kept. Where nothing can have
changed since that step, it is computed again; where something can have, any winners are believed.
"""

from __future__ import annotations

from rulewright.engine.context import Context
from rulewright.engine.faults import MALFORMED_STATE_ERRORS
from rulewright.engine.interface import Engine
from rulewright.engine.position_data import InvalidPosition
from rulewright.engine.state import State
from rulewright.expr.tree import Builtin, Call, Expr, ReadState, ReadValue, ReadZone
from rulewright.expr.walk import free_variables, iter_exprs
from rulewright.model.effects import Block, Finish, Leave, Step


def check_winners(engine: Engine, state: State) -> None:
    """Raises `InvalidPosition` when no step that can have ended the game names these winners."""
    winners, effects = state.winners, [step.effect for block in engine.rules.blocks for step in block.steps]
    names_winners = any(isinstance(effect, Finish) and effect.winners is not None for effect in effects)
    if winners is not None and not names_winners:
        raise InvalidPosition("it has winners, whom no step of these rules names")
    if winners is not None and not (state.over or state.ending):
        raise InvalidPosition("it has winners, but it goes on")
    if not names_winners or not (state.over or state.ending):
        return
    if winners is not None and list(winners) != sorted(set(winners)):
        raise InvalidPosition("its winners must be in the order of their seats, each once")
    if not any(_can_name(engine, state, block, step) for block in engine.rules.blocks for step in block.steps):
        if winners is None:
            raise InvalidPosition("it has no winners, but every step that can have ended the game names some")
        raise InvalidPosition("its winners are not those that a step which can have ended the game names")


def _can_name(engine: Engine, state: State, block: Block, step: Step) -> bool:
    """Whether a step can have ended the game with the winners of a position."""
    effect, winners = step.effect, state.winners
    if isinstance(effect, Leave):
        return winners is None  # nobody is left
    if not isinstance(effect, Finish) or (effect.winners is None) != (winners is None):
        return False
    is_last = state.over and _is_unchanged_since(engine, effect, block)
    return any(_names(engine, state, step, seat, is_last=is_last) for seat in range(engine.rules.players))


def _is_unchanged_since(engine: Engine, effect: Finish, block: Block) -> bool:
    """Whether the game is over with this step, so that nothing changes after it."""
    rules = engine.rules
    finale = rules.blocks[rules.finale]
    return block is finale or (effect.when == "now" and not finale.steps)


def _names(engine: Engine, state: State, step: Step, seat: int, *, is_last: bool) -> bool:
    """Whether a step of a seat's turn can have named the winners; what may have been another value is believed."""
    assert isinstance(step.effect, Finish)
    c = Context(state.contents, state.variables, me=seat, first=state.first_seat, round=state.round)
    when, named, compiler = step.when, step.effect.winners, engine.compiler
    try:
        if when is not None and _is_known(engine, when, is_last=is_last) and not compiler.compile(when)(c):
            return False
        if named is None or not _is_known(engine, named, is_last=is_last):
            return True
        return tuple(sorted(compiler.compile_one_or_all(named)(c))) == state.winners
    except MALFORMED_STATE_ERRORS:  # it cannot have been this seat's turn
        return False


def _is_known(engine: Engine, expr: Expr, *, is_last: bool) -> bool:
    """Whether an expression still has the value that it had for the step of a seat's turn."""
    if is_last or free_variables(expr):
        return not free_variables(expr)
    if engine.rules.has_elimination:  # `everyone` may have been more
        return False
    return not any(
        isinstance(part, ReadZone | ReadState | ReadValue)
        or (isinstance(part, Call) and part.action)
        or (isinstance(part, Builtin) and part.name == "round_number")
        for part in iter_exprs(expr)
    )


__all__ = ["check_winners"]

"""How much changes place, where everybody counts it, tells what lies hidden.

In: the looks of a game's steps, a step. Out: what it tells, if so many pieces or things are moved as something hidden
elsewhere is worth, or only if somebody holds enough. How many lie in a place is known to everybody, always.
"""

from __future__ import annotations

from rulewright.checker.secrets.information_leaks import HiddenRead
from rulewright.checker.secrets.private_looks import Disclosure, PrivateLooks
from rulewright.expr.types import Bag, Number
from rulewright.model.effects import Block, Move, Step


def find_moved(looks: PrivateLooks, block: Block, number: int, step: Step) -> Disclosure | None:
    """What a step outside of actions tells by a move."""
    effect = step.effect
    if not isinstance(effect, Move):
        return None
    found = _amount(looks, effect, block, step) or _asked(looks, effect, block, step)
    if found is None:
        return None
    key, read = found
    zone = read.zone.name
    if zone in _zones(effect) or looks.puts_away(step, zone) or looks.is_put_away(block, number, zone):
        return None
    what = "how much is moved" if key in ("move", "times", "while") else "whether anything is moved"
    message = f"{what} reveals hidden contents of `{zone}` to everybody"
    hint = f"let only the number of things in `{zone}` count, or reveal it before"
    return Disclosure(key, read, message, hint)


def _amount(looks: PrivateLooks, move: Move, block: Block, step: Step) -> tuple[str, HiddenRead] | None:
    """It is computed from what lies hidden."""
    for key, expr in (("move", move.amount.of), ("times", step.times)):
        if expr is None or not isinstance(expr.type, Bag | Number) or looks.is_comparison(expr):
            continue  # things are seen as they come, or are as hidden as before
        read = looks.read(expr) or looks.looped(expr, block, step)
        if read is not None:
            return key, read
    return None


def _asked(looks: PrivateLooks, move: Move, block: Block, step: Step) -> tuple[str, HiddenRead] | None:
    """Whether it is done hangs on what lies hidden."""
    return next(looks.asked_before(block, step, of_certain=not looks.is_marker(move)), None)


def _zones(move: Move) -> tuple[str, ...]:
    """From where to where, if that is said."""
    return (move.to.zone,) if move.source is None else (move.source.zone, move.to.zone)


__all__ = ["find_moved"]

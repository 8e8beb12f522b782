"""Does one player pay for a thing, and another one, whose turn it merely is to begin, get it?

In: rules, and the composition they were built from. Out: warnings about steps beside each other of which one takes
pieces from a player whom a state names, and the other brings a thing to a player whom another state names, where one of
the two states is set to whoever acts, and the other only goes round: it is told where that one is named. Under variants
only what a variant wrote.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.checker.common.condition_nodes import part_span
from rulewright.checker.common.lint_codes import OTHER_PLAYER
from rulewright.diagnostics import Diagnostics, Related
from rulewright.expr.tree import Builtin, Call, Expr, Place, ReadState
from rulewright.expr.types import SEAT
from rulewright.expr.walk import is_me
from rulewright.frozen import frozen
from rulewright.model.effects import Block, Move, SetState, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules


@frozen
class _Named:
    """A step that takes from whom a state names, or brings to that player (`node_key`)."""

    step: Step
    key: ReadState
    node_key: str


def check_paid_for_another(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    for block in rules.blocks:
        for paying, getting in _exchanges(block, rules):
            names = (paying.key.name, getting.key.name)
            if _goes_round(names[0], rules) and _is_who_acts(names[1], rules):
                odd, other = paying, getting
                message = f"`{names[1]}` gets what is sold, and `{names[0]}`, who only goes round, pays for it"
            elif _is_who_acts(names[0], rules) and _goes_round(names[1], rules):
                odd, other = getting, paying
                message = f"`{names[0]}` pays, and `{names[1]}`, who only goes round, gets what is sold"
            else:
                continue
            span = part_span(composition.document.root, odd.step.address, odd.node_key, odd.key, odd.step.span)
            if composition.is_judged(span):
                related = [Related(other.step.span, other.step.address)]
                hint = f"did you mean `{other.key.name}`?"
                label, address = f"not `{other.key.name}`", odd.step.address
                diagnostics.add(span, OTHER_PLAYER, message, label=label, help=hint, address=address, related=related)


def _exchanges(block: Block, rules: Rules) -> Iterator[tuple[_Named, _Named]]:
    """The payment and the gain of two steps beside each other, of different players."""
    for index, step in enumerate(block.steps[1:], 1):
        before = block.steps[index - 1]
        for one, other in ((before, step), (step, before)):
            paying, getting = _payment(one, rules), _gain(other, rules)
            if paying is not None and getting is not None and paying.key.name != getting.key.name:
                yield paying, getting


def _payment(step: Step, rules: Rules) -> _Named | None:
    """A step that takes pieces from a player whom a state names, to where no player's are."""
    move = step.effect
    if not isinstance(move, Move) or move.source is None or step.for_each is not None or not _is_shared(move.to, rules):
        return None
    key = _state_named(move.source)
    return None if key is None or not rules.zones[move.source.zone].is_pool else _Named(step, key, "from")


def _gain(step: Step, rules: Rules) -> _Named | None:
    """A step that brings things from where no player's are to one whom a state names."""
    move = step.effect
    if not isinstance(move, Move) or step.for_each is not None or rules.zones[move.to.zone].is_pool:
        return None
    if move.source is not None and not _is_shared(move.source, rules):
        return None
    key = _state_named(move.to)
    return None if key is None else _Named(step, key, "to")


def _is_shared(place: Place, rules: Rules) -> bool:
    return SEAT not in rules.zones[place.zone].key_types


def _state_named(place: Place) -> ReadState | None:
    """The state by which a place names its player."""
    keys = [key for key in place.keys if key.type == SEAT]
    return keys[0] if len(keys) == 1 and isinstance(keys[0], ReadState) and not keys[0].keys else None


def _goes_round(name: str, rules: Rules) -> bool:
    """Whether a state is only ever set to who began, and to who comes after whom it names."""
    values = [*_values(name, rules)]
    return bool(values) and all(_is_next(value, name) for value in values)


def _is_next(value: Expr, name: str) -> bool:
    match value:
        case Builtin(name="first_player"):
            return True
        case Call(function="next", args=(of,)):
            return (isinstance(of, ReadState) and of.name == name) or _is_next(of, name)
    return False


def _is_who_acts(name: str, rules: Rules) -> bool:
    """Whether an action sets a state to whoever does it."""
    return any(is_me(value) for value in _values(name, rules))


def _values(name: str, rules: Rules) -> Iterator[Expr]:
    for step in (step for block in rules.blocks for step in block.steps):
        if isinstance(step.effect, SetState) and step.effect.target.name == name:
            yield step.effect.to


__all__ = ["check_paid_for_another"]

"""What is laid face down, and told to everybody by what an action does besides.

In: the looks of a game's steps, a step of an action. Out: what it tells, if a thing that a player chooses where the
others do not see it is only moved to where its owner alone sees it, and what it is goes into a state, or decides how
much is moved in the open or who has another turn. So it is with what lies where nobody sees it until it is shown, if
the sentence of the action does not name what is said of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from rulewright.checker.common.rules_read import steps_within
from rulewright.checker.secrets.information_leaks import HiddenRead
from rulewright.checker.secrets.private_looks import Disclosure, PrivateLooks
from rulewright.expr.tree import Expr, FieldAccess, Local, ReadValue, ReadZone
from rulewright.expr.types import Thing
from rulewright.expr.walk import free_variables, iter_exprs
from rulewright.model.actions import ActionDef, OneOf
from rulewright.model.effects import Block, Choose, GiveTurn, Move, Reveal, SetState, Step
from rulewright.model.rules import ZoneDef


def find_face_down(
    looks: PrivateLooks, zones: Mapping[str, ZoneDef], actions: Sequence[ActionDef], block: Block, step: Step
) -> Disclosure | None:
    """What a step of an action tells of a thing that stays face down."""
    seen = [*_seen_exprs(looks, step)]
    if not seen:
        return None
    for action in actions:
        if not f"{block.address}.".startswith(f"{action.address}."):
            continue
        hidden = _face_down_choices(looks, zones, action)
        for key, expr in seen:
            for slot in sorted(_asked_about(expr) & hidden.keys()):
                choice, zone = action.choices[slot].name, hidden[slot]
                message = f"`{choice}` is laid where the others do not see it, and this tells everybody what it is"
                hint = f"lay it open, reveal it, or let nothing that all see depend on `{choice}`"
                return Disclosure(key, HiddenRead(expr, zone), message, hint)
    return None


def find_named_early(
    looks: PrivateLooks,
    zones: Mapping[str, ZoneDef],
    actions: Sequence[ActionDef],
    texts: Callable[[str], Sequence[str]],
    block: Block,
    step: Step,
) -> Disclosure | None:
    """A field of a thing that is noted where all see it, as the thing goes where it is hidden until it is shown.
    `texts`: the sentences of an action.
    """
    match step.effect:
        case SetState(target=target, to=FieldAccess(of=Local(slot=slot), name=field)) if looks.states[
            target.name
        ].is_shown:
            pass
        case _:
            return None
    for action in actions:
        if f"{block.address}.".startswith(f"{action.address}.") and slot < len(action.choices):
            zone = _shown_later(looks, zones, action, slot)
            is_claimed = any(choice.type == step.effect.to.type for choice in action.choices)  # true or not
            word = re.compile(rf"(?i)\b{re.escape(field)}s?\b")
            is_named = not is_claimed and any(word.search(text) for text in texts(action.address))
            if zone is None or is_named:
                return None
            choice = action.choices[slot].name
            message = f"`{choice}` is laid where the others do not see it until it is shown, and this tells everybody "
            message += "what it is"
            hint = f"ask `{choice}` of `{zone.name}` where it is shown, or set the state only then"
            return Disclosure("to", HiddenRead(step.effect.to, zone), message, hint)
    return None


def _shown_later(looks: PrivateLooks, zones: Mapping[str, ZoneDef], action: ActionDef, slot: int) -> ZoneDef | None:
    """Where a thing goes that a player chooses among what stays secret, if it is shown there by another rule."""
    domain = action.choices[slot].domain
    if not isinstance(domain, OneOf) or not isinstance(domain.of, ReadZone) or domain.of.name not in looks.secrets:
        return None
    own = [*steps_within(action.block, looks.blocks, with_procedures=True)]
    moves = [step.effect for step in own if isinstance(step.effect, Move) and _moves(step.effect, slot)]
    if len(moves) != 1 or not _lies_hidden(looks, zones[moves[0].to.zone], action):
        return None
    shown = {
        part.name
        for block in looks.blocks
        for step in block.steps
        if isinstance(step.effect, Reveal) and step not in own
        for part in iter_exprs(step.effect.what)
        if isinstance(part, ReadZone)
    }
    is_shown_here = any(isinstance(step.effect, Reveal) for step in own)
    return zones[moves[0].to.zone] if moves[0].to.zone in shown and not is_shown_here else None


def _lies_hidden(looks: PrivateLooks, zone: ZoneDef, action: ActionDef) -> bool:
    """Whether nobody sees what lies in a zone, or its owner alone, and somebody has a choice while it lies there."""
    if zone.seen_by != "owner":
        return zone.seen_by == "nobody"
    offering = [
        (block, number)
        for block in looks.blocks
        for number, step in enumerate(block.steps)
        if isinstance(step.effect, Choose) and any(offer.action == action.index for offer in step.effect.offers)
    ]
    return bool(offering) and not any(looks.is_put_away(block, number, zone.name) for block, number in offering)


def _asked_about(expr: Expr) -> frozenset[int]:
    """The variables of which an expression reads a field or a derived value."""
    of = [part.of for part in iter_exprs(expr) if isinstance(part, FieldAccess)]
    of += [key for part in iter_exprs(expr) if isinstance(part, ReadValue) for key in part.keys]
    return frozenset(each.slot for each in of if isinstance(each, Local)) & free_variables(expr)


def _seen_exprs(looks: PrivateLooks, step: Step) -> Iterator[tuple[str, Expr]]:
    """The expressions that decide what everybody sees of a step, by their keys."""
    match step.effect:
        case SetState(target=target, to=to) if looks.states[target.name].is_shown:
            yield "to", to
        case Move(amount=amount) if amount.of is not None:
            yield "move", amount.of
        case GiveTurn():
            pass
        case _:
            return
    if step.when is not None:
        yield "when", step.when


def _face_down_choices(looks: PrivateLooks, zones: Mapping[str, ZoneDef], action: ActionDef) -> dict[int, ZoneDef]:
    """By the number of a choice among what stays secret: where it goes, which the others do not see either."""
    steps = [*steps_within(action.block, looks.blocks, with_procedures=True)]
    if any(isinstance(step.effect, Reveal) for step in steps):
        return {}
    found = dict[int, ZoneDef]()
    for slot, choice in enumerate(action.choices):
        domain = choice.domain
        if not isinstance(choice.type, Thing) or not isinstance(domain, OneOf) or not isinstance(domain.of, ReadZone):
            continue
        if domain.of.name not in looks.secrets:
            continue
        moves = [step.effect for step in steps if isinstance(step.effect, Move) and _moves(step.effect, slot)]
        places = [zone for move in moves if not (zone := zones[move.to.zone]).is_pool]
        # what goes where nobody looks may have been seen before, as cards that are played and put under a pile
        if places and all(zone.name in looks.secrets for zone in places):
            found[slot] = places[-1]
    return found


def _moves(move: Move, slot: int) -> bool:
    """Whether a chosen thing changes place, or all that lies where it may lie."""
    return move.amount.of is None or any(
        isinstance(part, Local) and part.slot == slot for part in iter_exprs(move.amount.of)
    )


__all__ = ["find_face_down", "find_named_early"]

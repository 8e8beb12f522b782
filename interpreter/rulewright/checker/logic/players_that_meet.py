"""Are two players at a step one and the same, because so few play: `next(next(me))` and `me` with two?

In: rules, and the composition they were built from. Out: warnings about moves from a place of a player to that same
place, and about states set to what they are, as the players sit. Where a condition on the way there asks how many play,
or who sits where, nothing is told; nor where players can leave, since `next` then goes to whoever is still in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.judged_in import judged_in
from rulewright.checker.common.lint_codes import CHANGES_NOTHING
from rulewright.checker.common.rules_read import all_parts
from rulewright.diagnostics import Diagnostics
from rulewright.expr.structural_key import StructuralKey, structural_key
from rulewright.expr.tree import Builtin, Call, Compare, Expr, ReadParameter, ReadState, ReadValue
from rulewright.expr.types import PLAYER_COUNT, SEAT, Flag, Member
from rulewright.expr.walk import iter_exprs
from rulewright.model.effects import Choose, Move, SetState, Step
from rulewright.model.facts.move_sources import find_move_sources
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.model.traversal import asked_exprs, blocks_within, run_blocks

NEXT: Final = "next"
OPPONENT: Final = "opponent"


def check_players_that_meet(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    if rules.has_elimination:
        return
    for step in judged_in(rules, composition).steps:
        found = _both_sides(step, rules)
        if found is None:
            continue
        (these, those, sides, what) = found
        pair = _meeting(these, those, rules.players)
        if pair is None or _asks_who_sits_where(step, rules):
            continue
        nodes = [condition_node(composition.document.root, step.address, key) for key in sides]
        spans = [node.span for node in nodes if node is not None]
        span = next(filter(composition.is_judged, spans), None)
        if span is None:
            continue
        diagnostics.add(
            span,
            CHANGES_NOTHING,
            f"`{_written(pair[0])}` is `{_written(pair[1])}`, so this {what}",
            label="changes nothing",
            help="name another player, or say for how many players it is: `players`",
            address=step.address,
        )


def _both_sides(step: Step, rules: Rules) -> tuple[Sequence[Expr], Sequence[Expr], tuple[str, ...], str] | None:
    """The keys of the two places of a step, or of what is set and what it is set to; the keys at which they are
    written, and what a step does for which both are the same.
    """
    match step.effect:
        case Move(to=to):
            zone = rules.zones[to.zone]
            sources = find_move_sources(rules).get(step.address, ())
            is_ordered = zone.is_shuffled or zone.is_arrival_ordered
            if len(sources) == 1 and sources[0].zone == to.zone and not to.end and not is_ordered:
                return sources[0].keys, to.keys, ("from", "to", "move"), "moves to where it is taken from"
        case SetState(target=target, to=ReadState(name=name, keys=keys)) if name == target.name:
            return keys, target.keys, ("to", "set"), "sets a state to what it is"
    return None


def _meeting(these: Sequence[Expr], those: Sequence[Expr], players: int) -> tuple[Expr, Expr] | None:
    """The first two players that are written otherwise and are the same, where all other keys are the same, too."""
    if len(these) != len(those) or not these:
        return None
    found: tuple[Expr, Expr] | None = None
    for one, other in zip(these, those, strict=True):
        key = structural_key(one)
        if key is not None and key == structural_key(other):
            continue
        if one.type != SEAT or not _are_one(one, other, players):
            return None
        found = found or _longer_first(one, other)
    return found


def _are_one(one: Expr, other: Expr, players: int) -> bool:
    """Whether two players are the same, counted round the table from the same player."""
    (first, before), (second, after) = _counted_from(one), _counted_from(other)
    return first is not None and first == second and (before - after) % players == 0


def _counted_from(seat: Expr) -> tuple[StructuralKey | None, int]:
    """From whom a player is counted, and how many places on."""
    places = 0
    while isinstance(seat, Call) and seat.function == NEXT:
        seat, places = seat.args[0], places + 1
    if isinstance(seat, Builtin) and seat.name == OPPONENT:  # there are two players
        return structural_key(Builtin("me", seat.type, seat.offsets)), places + 1
    return structural_key(seat), places


def _longer_first(one: Expr, other: Expr) -> tuple[Expr, Expr]:
    return (one, other) if len([*iter_exprs(one)]) >= len([*iter_exprs(other)]) else (other, one)


def _written(seat: Expr) -> str:
    """A player as it is written, as far as that is counted round the table."""
    if isinstance(seat, Call) and seat.function == NEXT:
        return f"{NEXT}({_written(seat.args[0])})"
    keys = f"({', '.join(map(_written, seat.keys))})" if isinstance(seat, ReadState | ReadValue) and seat.keys else ""
    return f"{getattr(seat, 'name', 'it')}{keys}"


def _asks_who_sits_where(step: Step, rules: Rules) -> bool:
    """Whether a condition of a step, or of what leads to it, may rule out that both are one player."""
    block = next(number for number, block in enumerate(rules.blocks) if step in block.steps)
    asked = [*asked_exprs(step)]
    for each in (each for others in rules.blocks for each in others.steps):
        if block in blocks_within(rules, run_blocks(rules, each.effect)):
            asked += [*asked_exprs(each), *_clauses_of_offers(each, rules, block)]
    return any(map(_asks_about_seats, all_parts(rules.values, asked)))


def _clauses_of_offers(step: Step, rules: Rules, block: int) -> Iterator[Expr]:
    """The clauses of the actions that a step offers and that lead to a block."""
    for offer in step.effect.offers if isinstance(step.effect, Choose) else ():
        action = rules.actions[offer.action]
        if block in blocks_within(rules, (action.block,)):
            yield from (clause.condition for clause in action.clauses)


def _asks_about_seats(part: Expr) -> bool:
    """Whether a part of a condition asks how many play, what a variant is switched on by, or who is next to whom."""
    match part:
        case Builtin(name=name):
            return name == PLAYER_COUNT
        case ReadParameter(type=type_):
            return isinstance(type_, Flag | Member)
        case Compare(left=left, right=right):
            return any(isinstance(side, Call) and side.function == NEXT for side in (left, right))
    return False


__all__ = ["check_players_that_meet"]

"""Does a step take as much as there is of a piece of which there is none in the game?

In: rules, and the composition they were built from. Out: a warning about a move of up to so many of a member that no
place begins with: pieces are never made. It stands at the step, or at the start of a zone that a variant has written
anew without it. Where a place begins with none because of a number, that is somebody's choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import CHANGES_NOTHING, UNUSED
from rulewright.diagnostics import Diagnostics, Span
from rulewright.expr.tree import BagLiteral, Constant
from rulewright.expr.types import Member
from rulewright.expr.walk import iter_exprs
from rulewright.model.effects import Move, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules, ZoneDef


def check_absent_members(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports the first such move."""
    begun = dict[str, frozenset[int] | None]()
    for step in (step for block in rules.blocks for step in block.steps):
        if (moved := _moved(step, rules)) is None:
            continue
        family, value, name = moved
        if family not in begun:
            begun[family] = _begun_with(rules, family)
        there = begun[family]
        span = None if there is None or value in there else _span(step, family, rules, composition)
        if span is None or any(one.code is UNUSED and one.span.line == span.line for one in diagnostics):
            continue
        message = f"no place begins with `{name}`, so `{step.address}` moves none"
        hint = "let a zone start with some, or leave the step out"
        diagnostics.add(span, CHANGES_NOTHING, message, label="none in the game", help=hint, address=step.address)
        return


def _moved(step: Step, rules: Rules) -> tuple[str, int, str] | None:
    """The family of kinds, the number and the name of the one member of which a step moves what there is."""
    move = step.effect
    if not isinstance(move, Move) or move.amount.mode != "up to" or not isinstance(move.amount.of, BagLiteral):
        return None
    members = move.amount.of.members
    if not isinstance(members, Constant) or not isinstance(members.type, Member) or not isinstance(members.value, int):
        return None
    kind = rules.kinds[members.type.kind]
    return kind.family or kind.name, members.value, kind.members[kind.member_values.index(members.value)]


def _begun_with(rules: Rules, family: str) -> frozenset[int] | None:
    """The members of which places begin with some, or with a number that may be none; None where it is not plain."""
    found = set[int]()
    contents = (zone.initial_content for zone in _zones_of(rules, family) if zone.initial_content is not None)
    for part in (part for content in contents for part in iter_exprs(content)):
        if not isinstance(part, BagLiteral):
            continue
        value = part.members.value if isinstance(part.members, Constant) else None
        if isinstance(value, int):
            found.add(value)
        elif isinstance(value, tuple):
            found.update(one for one in value if isinstance(one, int))
        else:
            return None
    return frozenset(found)


def _zones_of(rules: Rules, family: str) -> Iterator[ZoneDef]:
    """The zones that hold pieces of a family of kinds."""
    for zone in rules.zones.values():
        held = zone.content_type
        if isinstance(held, Member) and (rules.kinds[held.kind].family or held.kind) == family:
            yield zone


def _span(step: Step, family: str, rules: Rules, composition: Composition) -> Span | None:
    """Where it is told: at what a variant has written, if it has."""
    root = composition.document.root
    starts = (key_span(root, zone.address, "start", zone.span) for zone in _zones_of(rules, family))
    spans = (key_span(root, step.address, "move", step.span), *starts)
    return next((span for span in spans if composition.is_judged(span)), None)


__all__ = ["check_absent_members"]

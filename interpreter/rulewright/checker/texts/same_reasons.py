"""Do two clauses draw different lines, and say the same reason?

In: the state of a build. Out: warnings about clauses of which the one asks `<` and the other `<=`, or `>` and `>=`, of
the same, where both have the same reason, which shows the number they compare with: "a cart holds {cart} bales". Of
actions that bring more or less to what is counted nothing is told: who loads two bales asks otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rulewright.checker.common.condition_nodes import part_span
from rulewright.checker.common.lint_codes import OTHER_REASON
from rulewright.checker.common.rules_read import steps_within
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.checker.texts.spoken_rules import RULES_NEEDED
from rulewright.document.text_addresses import reason_address
from rulewright.expr.structural_key import StructuralKey, are_same, structural_key
from rulewright.expr.tree import SIDES_SWAPPED, Compare, Expr, Local, Place, ReadState, ReadZone
from rulewright.expr.walk import iter_exprs, with_slots
from rulewright.frozen import frozen
from rulewright.model.actions import ActionDef, Clause
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Move, SetState

LINES: Final = {"<", "<="}  # just below a number, and at it
Key = tuple[object, ...]


@frozen
class _Line:
    """A clause that compares with what its reason shows: the clause, its action, how it asks, and what is changed."""

    clause: Clause
    action: ActionDef
    op: str
    changes: frozenset[Key]


@build_pass(needs=sorted({*RULES_NEEDED, "sentences"}), skip=after_errors)
def check_same_reasons(state: BuildState) -> None:
    """Reports the second of two."""
    if not state.judged.actions:
        return
    judged, lines = {action.name for action in state.judged.actions}, dict[Key, _Line]()
    for action in state.actions:
        for clause in action.clauses:
            found = _line(clause, action, state)
            if found is None:
                continue
            key, line = found
            first = lines.setdefault(key, line)
            if {first.op, line.op} != LINES or first.changes != line.changes:
                continue
            pair = (line, first) if action.name in judged else (first, line)
            if pair[0].action.name in judged:
                _report(*pair, state)


def _report(line: _Line, other: _Line, state: BuildState) -> None:
    address = line.clause.address
    section, _, name = address.rpartition(".")
    message = f"this asks `{line.op}`, and `{other.clause.address}`, whose reason is the same, asks `{other.op}`"
    span = part_span(state.document.root, section, name, line.clause.condition, line.clause.span)
    warn(state, span, OTHER_REASON, message, "another line", "ask the same, or give another reason", address)


def _line(clause: Clause, action: ActionDef, state: BuildState) -> tuple[Key, _Line] | None:
    """A clause that is a comparison, by its reason and by what it compares."""
    asked, reason = clause.condition, reason_address(clause.address)
    if not isinstance(asked, Compare) or asked.op not in ("<", "<=", ">", ">="):
        return None
    texts = tuple(sorted((each, node.text) for each, node in sentence_by_language(state, reason).items()))
    shown = [expr for _, _, expr in state.sentences.hole_sources(reason)] if reason in state.sentences.entries else []
    if not texts or not any(are_same((side,), (hole,)) for side in (asked.left, asked.right) for hole in shown):
        return None
    names = _names_of_variables(asked)
    op: str = asked.op
    sides = [asked.left, asked.right]
    if op not in LINES:
        op, sides = SIDES_SWAPPED[asked.op], sides[::-1]
    keys = [_key(side, names) for side in sides]
    if None in keys:
        return None
    return (texts, *keys), _Line(clause, action, op, frozenset(_changes(asked, action, names, state)))


def _names_of_variables(expr: Expr) -> dict[int, int]:
    """The variables of an expression, numbered as they are met, whatever another action calls its own."""
    slots = [part.slot for part in iter_exprs(expr) if isinstance(part, Local)]
    return {slot: -1 - index for index, slot in enumerate(dict.fromkeys(slots))}


def _key(expr: Expr, names: Mapping[int, int]) -> StructuralKey | None:
    return structural_key(with_slots(expr, names))


def _changes(asked: Expr, action: ActionDef, names: Mapping[int, int], state: BuildState) -> Iterator[Key]:
    """How an action changes what a clause of it counts."""
    zones = [part for part in iter_exprs(asked) if isinstance(part, ReadZone)]
    states = {part.name for part in iter_exprs(asked) if isinstance(part, ReadState)}
    for step in steps_within(action.block, state.blocks, with_procedures=True):
        match step.effect:
            case Move(amount=amount, source=source, to=to):
                of = None if amount.of is None else _key(amount.of, names)
                for way, place in (("from", source), ("to", to)):
                    if any(_may_be(place, zone) for zone in zones):
                        yield (way, amount.mode, of, step.for_each is None, step.times is None)
            case SetState(target=target, to=value) if target.name in states:
                yield ("set", target.name, _key(value, names))


def _may_be(place: Place | None, zone: ReadZone) -> bool:
    """Whether a move is to or from the place that is counted, as far as its keys are the same."""
    return place is not None and place.zone == zone.name and are_same(place.keys, zone.keys[: len(place.keys)])


__all__ = ["check_same_reasons"]

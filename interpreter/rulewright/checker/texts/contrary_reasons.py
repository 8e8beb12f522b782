"""Does the reason of a condition show something else than what the condition asks?

In: the state of a build. Out: warnings about clauses that ask one state or zone and whose reason shows another of the
same type, and not that one: where the action itself changes what is shown, and not what is asked, or where another
action asks just the same and its reason shows it. What only the reason shows may be meant to explain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import OTHER_REASON
from rulewright.checker.common.rules_read import all_parts, steps_within
from rulewright.checker.common.warn import warn
from rulewright.document.text_addresses import reason_address
from rulewright.expr.structural_key import are_same
from rulewright.expr.tree import Expr, ReadState, ReadZone
from rulewright.frozen import frozen
from rulewright.model.actions import ActionDef, Clause
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Block, Move, Roll, SetState
from rulewright.model.rules import StateDef, ValueDef, ZoneDef
from rulewright.model.sentences import Sentences

Names = frozenset[str]


@frozen
class _Asked:
    """A clause of an action, the states and zones that it asks, and those that its reason shows."""

    action: ActionDef
    clause: Clause
    asked: Names
    shown: Names


@build_pass(needs=["actions", "blocks", "states", "zones", "values", "sentences", "judged"], skip=after_errors)
def check_contrary_reasons(state: BuildState) -> None:
    """Reports them."""
    if not state.judged.actions:
        return
    declared = _Declared(state.states, state.zones, state.values, state.blocks)
    clauses = list(_clauses(state.actions, state.sentences, declared))
    for one in clauses:
        if len(one.shown) != 1 or one.shown & one.asked:
            continue
        (shown,) = one.shown
        meant = [name for name in sorted(one.asked) if declared.are_alike(name, shown)]
        if len(meant) != 1 or not (_is_about(shown, meant[0], one, declared) or _has_twin(meant[0], one, clauses)):
            continue
        section, _, name = one.clause.address.rpartition(".")
        span = key_span(state.document.root, section, name, one.clause.span)
        message = f"this asks about `{meant[0]}`, and its reason shows `{shown}`"
        hint = f"ask about `{shown}`, or show `{meant[0]}`"
        warn(state, span, OTHER_REASON, message, f"does not ask about `{shown}`", hint, one.clause.address)


def _is_about(shown: str, asked: str, one: _Asked, declared: _Declared) -> bool:
    """Whether the action changes what is shown, and not what is asked."""
    written = declared.written(one.action)
    return shown in written and asked not in written


def _has_twin(asked: str, one: _Asked, clauses: Sequence[_Asked]) -> bool:
    """Whether the reason of another action shows what this one asks, which asks just the same."""
    return any(
        asked in other.shown and are_same((other.clause.condition,), (one.clause.condition,))
        for other in clauses
        if other.action is not one.action
    )


def _clauses(actions: Sequence[ActionDef], sentences: Sentences, declared: _Declared) -> Iterator[_Asked]:
    """All clauses with a reason that shows something."""
    for action in actions:
        for clause in action.clauses:
            address = reason_address(clause.address)
            if address in sentences.entries:
                shown = [expr for _, _, expr in sentences.hole_sources(address)]
                yield _Asked(action, clause, declared.read([clause.condition]), declared.read(shown))


@frozen
class _Declared:
    """What there is in the rules."""

    states: Mapping[str, StateDef]
    zones: Mapping[str, ZoneDef]
    values: Mapping[str, ValueDef]
    blocks: Sequence[Block]

    def read(self, exprs: Sequence[Expr]) -> Names:
        """The states and zones that expressions read, also by values."""
        parts = all_parts(self.values, exprs)
        return frozenset(part.name for part in parts if isinstance(part, ReadState | ReadZone))

    def are_alike(self, one: str, other: str) -> bool:
        """Whether two names are of states of one type, or of zones that hold the same, with the same keys."""
        if one in self.states and other in self.states:
            mine, its = self.states[one], self.states[other]
            return mine.type == its.type and mine.key_types == its.key_types
        if one in self.zones and other in self.zones:
            held, by_it = self.zones[one], self.zones[other]
            return held.content_type == by_it.content_type and held.key_types == by_it.key_types
        return False

    def written(self, action: ActionDef) -> Names:
        """The states and zones that the steps of an action change."""
        found = set[str]()
        for step in steps_within(action.block, self.blocks, with_procedures=True):
            match step.effect:
                case SetState(target=target) | Roll(target=target):
                    found.add(target.name)
                case Move(source=source, to=to):
                    found |= {to.zone, *(() if source is None else (source.zone,))}
        return frozenset(found)


__all__ = ["check_contrary_reasons"]

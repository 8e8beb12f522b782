"""Is there an action that can never be done, a loop that never begins or a step whose condition never comes?

In: rules that can be set up, the composition they were built from. Out: a warning about the first one, where nothing
else that is told is the reason. All that can be in places and states is gathered from the start on, so that a place
that only fills when something lies there already stays empty. What depends on a parameter that is 0 may be left out on
purpose. Boards of very many places are not asked about, since that takes too long. Under variants only what is so
because of them is reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.checker.common.adjustable_numbers import MAX_PLACES, can_be_adjusted, is_always_empty
from rulewright.checker.common.change_causes import blamed, is_by_variants
from rulewright.checker.common.codes import DEALS_SHORT, NEVER_ABLE
from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import (
    ALWAYS_EMPTY,
    CHANGES_NOTHING,
    COUNTED_TWICE,
    NEVER_REACHED,
    NEVER_SET,
    NO_TURN,
    UNUSED,
)
from rulewright.checker.common.most_players import has_most_players, with_fewest_players
from rulewright.checker.common.names_touched import NO_NAMES, NamesTouched
from rulewright.checker.common.parameter_reads import ParameterReads
from rulewright.checker.common.rules_read import all_parts
from rulewright.checker.common.shared_phrases import CANNOT_BE_DONE
from rulewright.checker.logic.unchanged_states import check_unchanged_states
from rulewright.diagnostics import Cause, Diagnostics, Span
from rulewright.expr.codes import ALL_OR_ONE, ALWAYS_TRUE, NEVER_TRUE
from rulewright.expr.tree import Expr, ReadState, ReadZone
from rulewright.expr.types import SEAT, Number
from rulewright.frozen import frozen
from rulewright.model.actions import ActionDef
from rulewright.model.effects import Choose, Finish, Step
from rulewright.model.facts.choice_ranges import domain_range
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.facts.found_ranges import PositionRanges
from rulewright.model.facts.position_ranges import find_position_ranges
from rulewright.model.facts.value_ranges import FALSE, Scalars, ValueRange
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.model.traversal import choice_exprs, offered_actions
from rulewright.source.nodes import ScalarNode
from rulewright.suggestions import join_list

REASON_CODES: Final = (  # codes of what would be the reason
    *(ALL_OR_ONE, ALWAYS_EMPTY, ALWAYS_TRUE, CHANGES_NOTHING, COUNTED_TWICE, DEALS_SHORT),
    *(NEVER_ABLE, NEVER_REACHED, NEVER_SET, NEVER_TRUE, NO_TURN, UNUSED),
)


@frozen
class Never:
    """Something that never happens: the address of the rule, the key of its condition and what that asks; `what` begins
    a sentence about it; `positions`: what shows it. `is_step`: of a step, not a clause of an action.
    """

    address: str
    key: str
    asked: tuple[Expr, ...]
    what: str
    positions: PositionRanges
    is_step: bool = True


def check_never_done(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports the first of them where most play; what only fewer can never do is taken to be meant."""
    if not has_most_players(composition) or any(one.code in REASON_CODES for one in diagnostics):
        return
    positions = _find_positions(rules)
    if positions is None:
        return
    found = _first(rules, positions)
    if found is None:
        check_unchanged_states(rules, positions, composition, diagnostics)
        return
    node = condition_node(composition.document.root, found.address, found.key)
    if node is None:
        return
    span, message = node.span, _message(found, rules, node.text if isinstance(node, ScalarNode) else "")
    files = composition.variant_files
    if composition.chosen_variants:
        if found.is_step and span.source.path not in files:
            return  # what ends the game otherwise now, or is no longer needed
        if not is_by_variants(composition, _is_right):
            return
        if span.source.path not in files:
            message, span = blamed(message, found.address, composition, _is_right)
    label = "never begins" if found.key == "while" else "never holds"
    cause = Cause("players") if _is_so_with_fewest(found, composition) else None
    diagnostics.add(span, NEVER_TRUE, message, label=label, address=found.address, cause=cause)


def _is_right(rules: Rules) -> bool:
    return find_never_done(rules) is None


def _is_so_with_fewest(found: Never, composition: Composition) -> bool:
    smaller = with_fewest_players(composition)
    other = None if smaller is None else find_never_done(smaller[1])
    return other is not None and other.address == found.address


def find_never_done(rules: Rules) -> Never | None:
    """The first action, loop or condition; None where nothing is known of any."""
    positions = _find_positions(rules)
    return None if positions is None else _first(rules, positions)


def why_nothing_is_done(rules: Rules, composition: Composition) -> tuple[Span, str] | None:
    """The clause, by what is told of it, that keeps an action from ever being done, of rules by which nothing is; None
    where another rule may be why, or a variant has not written it.
    """
    found = find_never_done(rules)
    if found is None or found.is_step:
        return None
    node = condition_node(composition.document.root, found.address, found.key)
    if node is None or not composition.is_judged(node.span):
        return None
    return node.span, _message(found, rules, node.text if isinstance(node, ScalarNode) else "")


def _find_positions(rules: Rules) -> PositionRanges | None:
    """What can be in all positions; None where there are too many places."""
    is_large = sum(zone.size for zone in rules.zones.values()) > MAX_PLACES
    return None if is_large else find_position_ranges(rules)


def _first(rules: Rules, positions: PositionRanges) -> Never | None:
    finder = _Finder(rules, positions)
    return next((one for one in finder.find() if not any(can_be_adjusted(rules, expr) for expr in one.asked)), None)


class _Finder:
    def __init__(self, rules: Rules, positions: PositionRanges) -> None:
        self.rules = rules
        self.positions = positions
        self.ranges = ExpressionRanges(rules, positions.contents, positions.variables)
        self.parameters = ParameterReads(rules)
        self.left_out: list[tuple[ActionDef, Never]] = []  # actions that are never done as numbers of the rules are

    def find(self) -> Iterator[Never]:
        """Actions first, since what never happens in them follows."""
        offered = {
            number
            for index, block in enumerate(self.rules.blocks)
            for step in block.steps
            if index in self.positions.blocks and isinstance(step.effect, Choose)
            for number in offered_actions(step.effect)
        }
        for action in self.rules.actions:
            if action.index in offered and action.index not in self.positions.choices:
                yield from self._of_action(action)
        of_steps = [
            self._why_unset(one)
            for number in self.positions.blocks
            for step in self.rules.blocks[number].steps
            for one in self._of_step(step, number)
        ]
        yield from sorted(of_steps, key=lambda one: one.key != "while")  # within which others follow from it

    def _why_unset(self, never: Never) -> Never:
        """The clause that keeps the one action from being done which would set what a step waits for; else the step."""
        if not never.is_step or len(self.left_out) != 1:
            return never
        action, of_action = self.left_out[0]
        names = NamesTouched(self.rules)
        asked = NO_NAMES.union(*map(names.read, never.asked))
        return of_action if asked & names.written_in(action.block) else never

    def _of_action(self, action: ActionDef) -> Iterator[Never]:
        """The clause that keeps an action from being done."""
        env: dict[int, ValueRange] = {}
        for slot, choice in enumerate(action.choices):
            answer = domain_range(self.ranges, choice, env, self.ranges.seats)
            if answer is None:
                return  # which is another warning's
            env[slot] = answer
        for clause in action.clauses:
            if self.ranges.scalars(clause.condition, env, self.ranges.seats) == FALSE:
                domains = [expr for choice in action.choices for expr in choice_exprs(choice)]
                section, _, name = clause.address.rpartition(".")
                never = Never(
                    section,
                    name,
                    (clause.condition, *domains),
                    f"so `{action.name}` {CANNOT_BE_DONE}",
                    self.positions,
                    is_step=False,
                )
                if self._is_set(clause.condition):
                    self.left_out.append((action, never))
                else:
                    yield never
                return
            env = {**self.ranges.narrowed(clause.condition, env, self.ranges.seats)}

    def _of_step(self, step: Step, block: int) -> Iterator[Never]:
        known = self.positions.blocks[block]
        if step.for_each is not None:
            return
        for key, condition in (("while", step.while_condition), ("when", step.when)):
            if condition is None or self.ranges.scalars(condition, known.variables, known.me) != FALSE:
                continue
            if self._asks_of_start(condition) and (isinstance(step.effect, Finish) or not self._is_set(condition)):
                yield Never(step.address, key, (condition,), "", self.positions)

    def _asks_of_start(self, condition: Expr) -> bool:
        """Whether a condition is about what steps change, or could."""
        return any(isinstance(part, ReadState | ReadZone) for part in all_parts(self.rules.values, [condition]))

    def _is_set(self, condition: Expr) -> bool:
        """Whether a condition depends on numbers that the rules name: these may be meant to leave something out."""
        return self.parameters.are_in(condition)


def _message(found: Never, rules: Rules, text: str) -> str:
    """What never holds, and why, as far as that is plain: what is never there, or what a state always is."""
    parts = [*all_parts(rules.values, found.asked[:1])]
    zones = dict.fromkeys(part.name for part in parts if isinstance(part, ReadZone))
    empty = [f"`{name}`" for name in zones if is_always_empty(found.positions, rules, name)]
    states = dict.fromkeys(part.name for part in parts if isinstance(part, ReadState))
    reasons = []
    if empty:
        reasons.append(f"nothing ever comes to {join_list(empty, 'or')}")
    for name in states:
        definition = rules.states[name]
        ranges = found.positions.variables[definition.first_index : definition.first_index + definition.size]
        values = [one for one in ranges if isinstance(one, Scalars)]
        if values and isinstance(definition.type, Number):
            low, high = min(one.low for one in values), max(one.high for one in values)
            reasons.append(f"`{name}` is always {low}" if low == high else f"`{name}` is only ever {low} to {high}")
        elif values and definition.type != SEAT and len({one.single for one in values} - {None}) == 1:
            reasons.append(f"`{name}` is always what it is at the start")
    what = f"`{text}` {'never begins' if found.key == 'while' else 'never holds'}" if text else "this never holds"
    return ", ".join(part for part in (f"{what}: {' and '.join(reasons)}" if reasons else what, found.what) if part)


__all__ = ["Never", "check_never_done", "find_never_done", "why_nothing_is_done"]

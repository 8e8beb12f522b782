"""Does an end of the game ask for what can hold as the game begins, and then never again?

In: rules, and the composition they were built from. Out: warnings about ends whose condition goes one way only, from
true to false: that a place is empty which only fills, that something is left where nothing ever goes, that a count is
still low. Such an end comes at once or never. Under variants only what a variant wrote.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.common.codes import ENDS_AT_ONCE
from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.emptying_moves import added_to
from rulewright.diagnostics import Diagnostics
from rulewright.expr.tree import (
    Arithmetic,
    Builtin,
    Call,
    Compare,
    Constant,
    Expr,
    Local,
    Logic,
    Not,
    Quantifier,
    ReadParameter,
    ReadState,
    ReadZone,
)
from rulewright.expr.types import Number
from rulewright.expr.walk import is_constant, is_everyone
from rulewright.model.effects import Finish, Move, Roll, SetState
from rulewright.model.facts.move_sources import find_move_sources
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.model.traversal import blocks_within, filled_zones
from rulewright.source.nodes import ScalarNode

UP, DOWN, STEADY = 1, -1, 0
RISING: Final = {">": UP, ">=": UP, "<": DOWN, "<=": DOWN}


def check_ends_of_the_beginning(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them, unless it is told already what holds always or never."""
    ends = [
        step
        for number in sorted(blocks_within(rules, (rules.turn, rules.round)))
        for step in rules.blocks[number].steps
        if isinstance(step.effect, Finish) and step.when is not None
    ]
    ways = _Ways(rules)
    for step in ends:
        assert step.when is not None
        if ways.of(step.when) != DOWN:
            continue
        node = condition_node(composition.document.root, step.address)
        span = step.span if node is None else node.span
        is_reported = any(one.span.contains(span) or span.contains(one.span) for one in diagnostics)
        if is_reported or (composition.chosen_variants and span.source.path not in composition.variant_files):
            continue
        text = f"`{node.text}`" if isinstance(node, ScalarNode) else "this"
        message = f"{text} can only hold as the game begins: what it asks about only goes the other way"
        hint = "is this condition the wrong way round?"
        diagnostics.add(span, ENDS_AT_ONCE, message, label="at once or never", help=hint, address=step.address)


class _Ways:
    """Whether what conditions ask only ever becomes true or more (`UP`), or false or less (`DOWN`), as a game goes on;
    `STEADY`: it stays as it is; None: it may go either way.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.steps = [
            step
            for number in sorted(blocks_within(rules, (rules.turn, rules.round)))
            for step in rules.blocks[number].steps
        ]
        sources = find_move_sources(rules)
        moves = [step for step in self.steps if isinstance(step.effect, Move)]
        self.filled = filled_zones(moves)
        self.emptied = {place.zone for step in moves for place in sources.get(step.address, ())}
        if any(step.address not in sources for step in moves):
            self.emptied = set(rules.zones)
        for zone in rules.zones.values():
            if zone.refill is not None:
                self.filled.add(zone.name)
                self.emptied.add(zone.refill.zone)

    def of(self, expr: Expr) -> int | None:
        """The way of a condition, or of a number."""
        match expr:
            case Constant() | ReadParameter(keys=()) | Builtin(name="players"):
                return STEADY
            case Not(of=of):
                return _turned(self.of(of))
            case Logic(left=left, right=right):
                return _joined(self.of(left), self.of(right))
            case Quantifier(quantifier=quantifier, condition=condition, over=over):
                if not (is_constant(over) or (is_everyone(over) and not self.rules.has_elimination)):
                    return None
                way = self.of(condition)
                return _turned(way) if quantifier == "no" else way
            case Compare(op="is" | "is not" as op, left=ReadZone() as zone, right=Constant(value=None)):
                way = self.of(zone)
                return _turned(way) if op == "is" else way
            case Compare(op=op, left=left, right=right) if op in RISING and isinstance(left.type, Number):
                way = _joined(self.of(left), _turned(self.of(right)))
                return _turned(way) if RISING[op] == DOWN else way
            case Call(function="count", args=(of,)):
                return self.of(of)
            case Arithmetic(op="+", left=left, right=right):
                return _joined(self.of(left), self.of(right))
            case ReadZone(name=name, keys=keys) if all(map(_is_fixed, keys)):
                fills, empties = name in self.filled, name in self.emptied
                return None if fills and empties else UP if fills else DOWN if empties else STEADY
            case ReadState(name=name, keys=keys) if all(map(_is_fixed, keys)):
                return self._of_state(name)
        return None

    def _of_state(self, name: str) -> int | None:
        state, ways = self.rules.states[name], set[int]()
        if state.reset_scope:
            return None
        for step in self.steps:
            match step.effect:
                case SetState(target=target, to=Constant(value=True)) if target.name == name:
                    ways.add(UP)
                case SetState(target=target, to=Arithmetic(op="+" | "-" | "less" as op) as to) if target.name == name:
                    added = added_to(target, to)
                    if added is None or not isinstance(added.type, Number) or added.type.low < 0:
                        return None
                    ways.add(UP if op == "+" else DOWN)
                case SetState(target=target) | Roll(target=target) if target.name == name:
                    return None
        return STEADY if not ways else ways.pop() if len(ways) == 1 else None


def _turned(way: int | None) -> int | None:
    return None if way is None else -way


def _joined(one: int | None, other: int | None) -> int | None:
    """The way of what depends on two, which grows with both."""
    if one is None or other is None or one * other < 0:
        return None
    return one or other


def _is_fixed(key: Expr) -> bool:
    return isinstance(key, Constant | Local) or (isinstance(key, Builtin) and key.name == "first_player")


__all__ = ["check_ends_of_the_beginning"]

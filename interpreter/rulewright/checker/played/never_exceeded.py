"""Does a condition ask for more of something than there ever is, since another rule keeps it at a bound?

In: rules that random games have not made fail, the composition they were built from and the games that were tried.
Out: a warning about a comparison with a bound that another rule names, too, for the same zone or state, where the games
that were tried often come up to the bound and never pass it: the limit is kept before it is asked about. That is no
proof, so the number of times is said. Under variants only what a variant wrote.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from rulewright.checker.common.names_touched import Names, NamesTouched
from rulewright.checker.common.rules_read import all_parts
from rulewright.checker.common.tried_games import GameWatcher
from rulewright.checker.logic.rule_conditions import RuleCondition, report_constant, rule_conditions
from rulewright.diagnostics import Diagnostics
from rulewright.engine.context import Context
from rulewright.engine.interface import WatchableEngine
from rulewright.engine.place_compiler import CompiledNumber
from rulewright.engine.state import State
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import Arithmetic, Call, Compare, Constant, Expr, ReadParameter
from rulewright.expr.types import Number
from rulewright.expr.walk import conjuncts, iter_exprs
from rulewright.frozen import field, frozen, mutable
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.model.traversal import step_exprs

MIN_TOUCHED: Final = 12  # times that the bound is reached before anything is said
MIN_GAMES: Final = 2  # in which it is
MIN_VALUES: Final = 3  # that are met below the bound: what never changes may do so some day
SIGNS: Final[Mapping[str, int]] = {">": 1, "<": -1}  # `>=` may hold some day where there is less for long


@frozen
class _Bound:
    """A comparison: whether its left side has to be above its right side, or below it (`sign` -1)."""

    condition: RuleCondition
    part: Compare
    sign: int


@mutable
class _Seen:
    """How far beyond its bound what is compared was, how often; in which games it was just there."""

    counts: Counter[int] = field(default_factory=Counter)
    games: set[int] = field(default_factory=set)
    is_exceeded: bool = False


class NeverExceeded(GameWatcher):
    """What is compared in games, of the comparisons that never hold there."""

    def __init__(self, rules: Rules, composition: Composition) -> None:
        self._bounds = [*_bounds(rules, composition)]
        self._seen = [_Seen() for _ in self._bounds]
        self._sides: list[tuple[CompiledNumber, CompiledNumber]] = []
        self._number = 0
        self._by_address: dict[str, list[int]] = {}
        steps = {step.address for block in rules.blocks for step in block.steps} if self._bounds else ()
        for place, bound in enumerate(self._bounds):
            self._by_address.setdefault(_asked_at(bound.condition.address, steps), []).append(place)

    def attach(self, engine: WatchableEngine) -> None:
        """Computes both sides wherever the comparison is asked."""
        number = engine.compiler.compile_number
        self._sides = [(number(bound.part.left), number(bound.part.right)) for bound in self._bounds]
        engine.watch_conditions(self._by_address.keys(), self._note)

    def _note(self, address: str, c: Context) -> None:
        for place in self._by_address[address]:
            seen, (left, right) = self._seen[place], self._sides[place]
            if seen.is_exceeded:
                continue
            beyond = self._bounds[place].sign * (left(c) - right(c))
            seen.counts[beyond] += 1
            seen.is_exceeded = beyond > 0
            if beyond == 0:
                seen.games.add(self._number)

    def end_game(self, state: State) -> None:
        """What is compared next is so in another game."""
        self._number += 1

    def report(self, diagnostics: Diagnostics) -> None:
        """Reports the first such comparison."""
        for bound, seen in zip(self._bounds, self._seen, strict=True):
            touched, below = seen.counts[0], [value for value in seen.counts if value < 0]
            is_often = touched >= MIN_TOUCHED and len(seen.games) >= MIN_GAMES and len(below) >= MIN_VALUES
            if is_often and not seen.is_exceeded:
                more = "more" if bound.sign > 0 else "less"
                hint = f"in games that were tried it is just that {touched} times, and never {more}"
                report_constant(bound.condition, bound.part, False, hint, diagnostics)
                return


def _bounds(rules: Rules, composition: Composition) -> Iterator[_Bound]:
    """The comparisons that all of a condition depends on, with a bound that is named elsewhere, too."""
    names = NamesTouched(rules)
    limits_by_key = _limits(rules, names)
    repeating = {id(step.while_condition) for block in rules.blocks for step in block.steps}
    for condition in rule_conditions(rules, composition):
        if not composition.is_judged(condition.span) or id(condition.expr) in repeating:
            continue
        for part in conjuncts(condition.expr):
            if not isinstance(part, Compare) or part.op not in SIGNS or not isinstance(part.left.type, Number):
                continue
            key, read = _bound_key(part.right), names.read(part.left) - {"round_number"}  # which only goes on
            others = limits_by_key.get(key, []) if key is not None else []
            if any(other is not part and not read.isdisjoint(named) for other, named in others):
                yield _Bound(condition, part, SIGNS[part.op])


def _limits(rules: Rules, names: NamesTouched) -> dict[object, list[tuple[Expr, Names]]]:
    """Where rules compare something with a bound, or keep it there, by the bound: with what it is about."""
    exprs = [clause.condition for action in rules.actions for clause in action.clauses]
    exprs += [expr for block in rules.blocks for step in block.steps for expr in step_exprs(step)]
    exprs += [invariant.condition for invariant in rules.invariants]
    found: dict[object, list[tuple[Expr, Names]]] = {}
    for part in all_parts(rules.values, exprs):
        match part:
            case Compare(op="<" | "<=" | ">" | ">=", left=left, right=right):
                sides = ((left, right), (right, left))
            case Call(function="min" | "max", args=(left, right)):
                sides = ((left, right), (right, left))
            case Arithmetic(op="-" | "less", left=left, right=right, type=Number()):  # what is beyond a bound
                sides = ((left, right), (left, right))
            case _:
                continue
        for kept, bound in sides:
            if (key := _bound_key(bound)) is not None:
                found.setdefault(key, []).append((part, names.read(kept)))
    for zone in rules.zones.values():
        key = None if zone.capacity is None else _bound_key(zone.capacity)
        if key is not None and zone.capacity is not None:
            found.setdefault(key, []).append((zone.capacity, frozenset({zone.name})))
    return found


def _bound_key(expr: Expr) -> object:
    """What a bound is known by, wherever it is written; None for what changes as a game goes on."""
    if any(not isinstance(part, Constant | ReadParameter) for part in iter_exprs(expr)):
        return None
    return structural_key(expr)


def _asked_at(address: str, steps: Collection[str]) -> str:
    """The address of the clause, or of the step that has several conditions."""
    step = address.rpartition(".when.")[0]
    return step if step in steps else address


__all__ = ["NeverExceeded"]

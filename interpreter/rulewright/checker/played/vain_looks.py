"""Does a condition look into a place that is always empty when it is asked, or is one side of its `or` never met?

In: rules that can be played, the composition they were built from, games that are played to their end. Out: a
warning about the first look of a clause, or of the condition of a step, into a place of a zone in which nothing ever
was, though there was something in other places of it just then; or about a side of an `or` that was never met, though
often the other sides were not either. A test whether something is there is no such look. That is no proof, so the
number of times is said. Under variants only what a variant wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from rulewright.checker.common.codes import NEVER_HELD
from rulewright.checker.common.most_players import has_most_players
from rulewright.checker.common.rules_read import all_parts
from rulewright.checker.common.tried_games import GameWatcher
from rulewright.checker.logic.rule_conditions import RuleCondition, rule_conditions
from rulewright.checker.played.never_held import asks_for_little
from rulewright.diagnostics import Cause, Diagnostics
from rulewright.engine.context import Context
from rulewright.engine.expr_compiler import ExprCompiler
from rulewright.engine.interface import WatchableEngine
from rulewright.engine.place_compiler import CompiledExpr
from rulewright.engine.values import content_bag, content_things
from rulewright.expr.tree import Call, Compare, Constant, Expr, Logic, ReadParameter, ReadZone
from rulewright.expr.types import ANY_NUMBER
from rulewright.expr.walk import child_exprs, disjuncts, free_variables
from rulewright.frozen import frozen, mutable
from rulewright.model.effects import Finish
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules, ZoneDef

MIN_ASKED: Final = 200  # times, before anything is said
MIN_ELSEWHERE: Final = 60  # of them, when there was something in another place of the zone


@frozen
class _Look:
    """A part of a condition: a place that is looked into, or (`others`) a side of an `or` beside the others."""

    condition: RuleCondition
    part: Expr
    others: tuple[Expr, ...] = ()


@mutable
class _Seen:
    """How often something was asked, how often it was there or held, and how often there was something elsewhere."""

    asked: int = 0
    held: int = 0
    elsewhere: int = 0


class VainLooks(GameWatcher):
    """What games have seen of looks and of sides of an `or`: where most play, and nothing else may be why."""

    def __init__(self, rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
        self._rules = rules
        self._looks = list[_Look]()
        if not len(diagnostics) and has_most_players(composition):
            steps = {step.address for block in rules.blocks for step in block.steps}
            judged = [one for one in rule_conditions(rules, composition) if composition.is_judged(one.span)]
            self._looks = [look for one in judged if _is_asked_at(one, rules, steps) for look in _looks(one, rules)]
        self._seen = [_Seen() for _ in self._looks]
        self._parts: list[Callable[[Context], object]] = []
        self._others: list[list[CompiledExpr]] = []
        self._by_address: dict[str, list[int]] = {}
        for index, look in enumerate(self._looks):
            self._by_address.setdefault(look.condition.address, []).append(index)

    def attach(self, engine: WatchableEngine) -> None:
        """Looks there wherever the condition is asked."""
        self._parts = [_compiled(engine.compiler, look.part) for look in self._looks]
        self._others = [[engine.compiler.compile(other) for other in look.others] for look in self._looks]
        engine.watch_conditions(self._by_address.keys(), self._note)

    def _note(self, address: str, c: Context) -> None:
        for index in self._by_address[address]:
            seen = self._seen[index]
            if seen.held:
                continue
            seen.held += bool(self._parts[index](c))
            seen.asked += not any(other(c) for other in self._others[index])
            part = self._looks[index].part
            if isinstance(part, ReadZone):
                seen.elsewhere += _is_somewhere(self._rules.zones[part.name], c)

    def has_seen_all(self) -> bool:
        """Whether each of them has held."""
        return all(seen.held for seen in self._seen)

    def report(self, diagnostics: Diagnostics) -> None:
        """Reports the first that never has."""
        for look, seen in zip(self._looks, self._seen, strict=True):
            if seen.asked >= MIN_ASKED and not seen.held and (look.others or seen.elsewhere >= MIN_ELSEWHERE):
                _report(look, seen, diagnostics)
                return


def _report(look: _Look, seen: _Seen, diagnostics: Diagnostics) -> None:
    text = look.condition.text[slice(*look.part.offsets)].strip()
    if look.others:
        message = f"`{text}` never held where the other side of `or` did not: so it was {seen.asked} times"
        hint, label = "does it ask for what excludes itself, or of the wrong place?", "never held"
    else:
        assert isinstance(look.part, ReadZone)
        message = f"`{text}` is always empty when this is asked: so it was {seen.asked} times"
        hint = f"{seen.elsewhere} times there was something in other places of `{look.part.name}`"
        label = "always empty here"
    message += " in games that were tried"
    span, address = look.condition.span_of(look.part), look.condition.address
    diagnostics.add(span, NEVER_HELD, message, label=label, help=hint, address=address, cause=Cause("players"))


def _is_asked_at(condition: RuleCondition, rules: Rules, steps: set[str]) -> bool:
    """Whether a condition is that of a clause, or all of that under which a step is carried out; not of an end, where
    many a condition is only there for safety.
    """
    if condition.address not in steps:
        return True
    asked = (step for block in rules.blocks for step in block.steps if step.when is condition.expr)
    return any(not isinstance(step.effect, Finish) for step in asked)


def _looks(condition: RuleCondition, rules: Rules) -> Iterator[_Look]:
    bound = free_variables(condition.expr)
    for part in _looked_into(condition.expr):
        if part.keys and part.member is None and free_variables(part) <= bound:
            yield _Look(condition, part)
    sides = disjuncts(condition.expr) if isinstance(condition.expr, Logic) else []
    for index, side in enumerate(sides) if len(sides) > 1 else ():
        is_set = any(isinstance(part, ReadParameter) for part in all_parts(rules.values, [side]))
        if not is_set and asks_for_little(side, rules):
            yield _Look(condition, side, (*sides[:index], *sides[index + 1 :]))


def _looked_into(expr: Expr) -> Iterator[ReadZone]:
    """The places that an expression looks into, not those of which it only asks how much is there."""
    match expr:
        case Compare(left=ReadZone() | Call(function="count"), right=Constant()):
            return
        case Call(function="count"):
            return
        case ReadZone():
            yield expr
    for child in child_exprs(expr):
        yield from _looked_into(child)


def _compiled(compiler: ExprCompiler, part: Expr) -> Callable[[Context], object]:
    if isinstance(part, ReadZone):
        return compiler.compile_number(Call("count", (part,), "", ANY_NUMBER, part.offsets))
    return compiler.compile(part)


def _is_somewhere(zone: ZoneDef, c: Context) -> bool:
    """Whether there is anything in any place of a zone."""
    contents = c.contents[zone.first_index : zone.first_index + zone.size]
    return any(map(sum, map(content_bag, contents)) if zone.is_pool else map(content_things, contents))


__all__ = ["VainLooks"]

"""Does a condition come out the same for every answer, with every card and every square?

In: rules, and the composition they were built from. Out: warnings about parts of clauses, and of conditions of steps in
actions, that no position changes: a piece that moves aslant always leaves its row. The answers are tried one by one, as
far as their choices leave them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rulewright.checker.common.names_touched import NamesTouched
from rulewright.checker.common.parameter_reads import ParameterReads
from rulewright.checker.logic.implied_clauses import clauses_of
from rulewright.checker.logic.rule_conditions import judged_conditions, report_constant
from rulewright.diagnostics import Diagnostics
from rulewright.expr.tree import Builtin, Constant, Expr, Extremum, Filter, Logic, Not, Quantifier, Sum
from rulewright.expr.types import Member, Number, Thing
from rulewright.expr.walk import free_variables, iter_exprs
from rulewright.model.actions import ActionDef, Choice, OneOf
from rulewright.model.facts.continued_ranges import continued
from rulewright.model.facts.declared_ranges import find_declared_ranges
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.facts.value_ranges import Scalars
from rulewright.model.loader import Composition
from rulewright.model.rules import ELIMINATION_STATE, Rules

MAX_TRIED: Final = 2_000  # combinations of answers
Answers = Mapping[int, Scalars]  # by slot


def check_answers_tried(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them; under variants, those that a variant wrote."""
    asked = [each for each in judged_conditions(rules, composition) if free_variables(each.expr)]
    if not asked:
        return
    names, tried = NamesTouched(rules), None
    numbers = None if composition.chosen_variants else ParameterReads(rules, only_numbers=True)
    for action in rules.actions:
        addresses, inside = {*clauses_of(action, rules)}, f"{action.address}.do."
        for condition in asked:
            if condition.address not in addresses and not condition.address.startswith(inside):
                continue
            tried = tried or _AnswersTried(rules, names, numbers)
            for part, outcome in tried.known_parts(condition.expr, action):
                report_constant(condition, part, outcome, "it is so whatever is chosen", diagnostics)


def _is_settled(part: Expr, rules: Rules, names: NamesTouched) -> bool:
    if any(isinstance(each, Quantifier | Filter | Sum | Extremum) for each in iter_exprs(part)):
        return False  # asked of many
    reads = names.read(part)
    return not reads or (not rules.has_elimination and reads == {ELIMINATION_STATE})


class _AnswersTried:
    """`numbers`: what is left out, since a variant may change it; None where nothing is."""

    def __init__(self, rules: Rules, names: NamesTouched, numbers: ParameterReads | None) -> None:
        declared = find_declared_ranges(rules)
        self.rules = rules
        self.names = names
        self.numbers = numbers
        self.ranges = continued(ExpressionRanges(rules, declared.contents, declared.variables))

    def known_parts(self, condition: Expr, action: ActionDef) -> Iterator[tuple[Expr, bool]]:
        """The widest parts of a condition that come out the same whatever is chosen, and how."""
        pending = [condition]
        while pending:
            part = pending.pop()
            outcome = self._outcome(part, action) if self._is_asked(part, action) else None
            if outcome is not None:
                yield part, outcome
            elif isinstance(part, Logic):
                pending += [part.right, part.left]
            elif isinstance(part, Not):
                pending.append(part.of)

    def _is_asked(self, part: Expr, action: ActionDef) -> bool:
        """Whether a condition depends on nothing but what is chosen and who chooses."""
        slots = free_variables(part)
        if not slots or max(slots) >= len(action.choices) or not _is_settled(part, self.rules, self.names):
            return False
        return self.numbers is None or not self.numbers.are_in(part)

    def _outcome(self, part: Expr, action: ActionDef) -> bool | None:
        """How a condition comes out whatever is chosen; None if that depends, or if there is too much to try."""
        needed, pending = set[int](), [part]
        while pending:
            for slot in free_variables(pending.pop()) - needed:
                needed.add(slot)
                choice = action.choices[slot]
                if isinstance(choice.domain, OneOf) and self._limits(choice):
                    pending.append(choice.domain.of)
        if any(not _is_single(action.choices[slot]) for slot in needed):
            return None
        found = set[int]()
        for count, answers in enumerate(self._answers(action, sorted(needed), {})):
            for seat in self.ranges.seats.listed or () if _asks_me(part) else (0,):
                outcome = self.ranges.scalars(part, answers, Scalars.of((seat,))).single
                if outcome is None or count >= MAX_TRIED:
                    return None
                found.add(outcome)
            if len(found) > 1:
                return None
        return bool(found.pop()) if found else None

    def _limits(self, choice: Choice) -> bool:
        """Whether its choice says which answers there are, in any position."""
        assert isinstance(choice.domain, OneOf)
        of = choice.domain.of
        return not isinstance(of, Constant) and not _asks_me(of) and _is_settled(of, self.rules, self.names)

    def _answers(self, action: ActionDef, slots: list[int], before: Answers) -> Iterator[Answers]:
        if not slots:
            yield before
            return
        choice = action.choices[slots[0]]
        assert isinstance(choice.domain, OneOf)
        possible = self.ranges.full_range(choice.type)
        assert isinstance(possible, Scalars)
        if self._limits(choice):
            possible = possible.meet(self.ranges.elements(choice.domain.of, before, self.ranges.seats).elements)
        answers = sorted(possible.listed or ())
        for answer in (*answers[-1:], *answers[:-1]):  # the ends first, which differ most
            yield from self._answers(action, slots[1:], {**before, slots[0]: Scalars.of((answer,))})


def _is_single(choice: Choice) -> bool:
    """Whether an answer is one member, thing or number of a few."""
    type_ = choice.type
    is_few = not isinstance(type_, Number) or type_.high - type_.low < MAX_TRIED
    return isinstance(choice.domain, OneOf) and isinstance(type_, Member | Thing | Number) and is_few


def _asks_me(expr: Expr) -> bool:
    return any(isinstance(part, Builtin) and part.name in ("me", "opponent", "others") for part in iter_exprs(expr))


__all__ = ["check_answers_tried"]

"""Which actions are legal: the choices of an action made one after another, clauses judged as soon as they can be.

In: actions of the rule model and a `Context`. Out: the legal list in its fixed order: offers as the step names them,
then answers of the first choice in domain order, then of the second. Expressions are pure and total, so a clause that
needs only the first choice is judged once for all answers of the second.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final

from rulewright import limits
from rulewright.engine.evaluator import ExprCompiler
from rulewright.engine.faults import RuleFault
from rulewright.engine.places import CompiledExpr
from rulewright.engine.reference.choice_domains import CompiledDomain, compile_domain
from rulewright.engine.state import Action, Decision
from rulewright.engine.values import SPARE_SLOTS, Context
from rulewright.expr.types import Bag
from rulewright.model.rules import ActionDef, Choose, Clause, Rules

ANSWER_COST: Final = 20  # steps of expressions that take as long as looking at one answer
STOP_TOKEN: Final = -1  # the token that ends a bag which could be larger
DECLINE: Final = Action(-1, ())  # what one may always do where nothing must be done
BagCounts = tuple[int, ...]


class CompiledAction:
    """One action made ready: the answers of each choice, and the clauses by how many choices they need."""

    def __init__(self, action: ActionDef, evaluator: ExprCompiler, extra: tuple[Clause, ...] = ()) -> None:
        self.number = action.index
        self.definition = action
        self.domains: list[CompiledDomain] = [compile_domain(choice, evaluator) for choice in action.choices]
        self.clauses: list[list[tuple[Clause, CompiledExpr]]] = [[] for _ in range(len(action.choices) + 1)]
        for clause in (*extra, *action.clauses):
            self.clauses[clause.required_choices].append((clause, evaluator.compile(clause.condition)))
        self.choice_count = len(action.choices)
        judging = [sum(clause.cost for clause, _ in clauses) for clauses in self.clauses]
        self._work = [(one.cost, ANSWER_COST + after) for one, after in zip(action.choices, judging[1:], strict=True)]

    def clauses_hold(self, c: Context, made: int) -> bool:
        """Whether every clause holds that needs exactly so many choices."""
        return all(run(c) for _, run in self.clauses[made])

    def next_answers(self, c: Context, made: int) -> tuple[Any, ...]:
        """The answers of the next choice, when so many are made; what it costs to judge each of them is counted."""
        found = self.domains[made](c)
        once, each = self._work[made]
        c.expr_steps += once + len(found) * each
        if c.expr_steps > limits.MAX_WORK:
            text = f"finding what is legal could take more than {limits.MAX_WORK:,} steps"
            raise RuleFault(self.definition.address, self.definition.span, text)
        return found

    def completions(self, c: Context, values: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
        """All legal completions of some choices already made (and judged)."""
        made = len(values)
        if made == self.choice_count:
            yield values
            return
        last, clauses, env = made + 1 == self.choice_count, self.clauses[made + 1], c.env
        for value in self.next_answers(c, made):
            env[made] = value
            for _, holds in clauses:
                if not holds(c):
                    break
            else:
                if last:
                    yield (*values, value)
                else:
                    yield from self.completions(c, (*values, value))

    def all_values(self, c: Context) -> Iterator[tuple[Any, ...]]:
        """All legal ways to do the action."""
        return self.completions(c) if self.clauses_hold(c, 0) else iter(())


class ActionGenerator:
    """The legal actions of the decisions of one rule model.

    `tokenwise`: addresses of the choices answered piece by piece.
    """

    def __init__(self, rules: Rules, evaluator: ExprCompiler, tokenwise: Collection[str] = ()) -> None:
        self.rules = rules
        self.actions = [CompiledAction(action, evaluator) for action in rules.actions]
        self.tokenwise_choices = [
            frozenset(at for at, choice in enumerate(action.choices) if choice.address in tokenwise)
            for action in rules.actions
        ]
        self._offers: dict[tuple[int, int], tuple[CompiledAction, ...]] = {
            (number, at): tuple(
                CompiledAction(rules.actions[offer.action], evaluator, offer.clauses)
                if offer.clauses
                else self.actions[offer.action]
                for offer in step.effect.offers
            )
            for number, block in enumerate(rules.blocks)
            for at, step in enumerate(block.steps)
            if isinstance(step.effect, Choose)
        }
        numbers = {action.name: action.index for action in rules.actions}
        evaluator.is_action_possible = lambda c, name: self.is_possible(c, numbers[name])

    def is_possible(self, c: Context, action: int) -> bool:
        """Whether the seat in turn could do an action at all, wherever it is offered."""
        key = ("possible", c.me, action)
        known = c.memo.get(key)
        if known is None:
            outer, c.env = c.env, [*SPARE_SLOTS]
            known = c.memo[key] = next(self.actions[action].all_values(c), None) is not None
            c.env = outer
        return bool(known)

    def step_offers(self, block: int, at: int) -> tuple[CompiledAction, ...]:
        """The actions that a step offers."""
        return self._offers[block, at]

    def offered_actions(self, c: Context, block: int, at: int, limit: int) -> list[Action]:
        """Up to `most` of the whole actions that a step's offers admit."""
        found: list[Action] = []
        for plan in self._offers[block, at]:
            for values in plan.all_values(c):
                found.append(Action(plan.number, values))
                if len(found) == limit:
                    return found
        return found

    def legal_actions(self, c: Context, decision: Decision) -> list[Action]:
        """The legal list of a decision."""
        effect = self.rules.blocks[decision.block].steps[decision.step].effect
        assert isinstance(effect, Choose)
        found: list[Action] = []
        for plan in self._offers[decision.block, decision.step]:
            found.extend(self.legal_variants(plan, c, decision))
        if not found and isinstance(effect.fallback, int):
            found.extend(self.legal_variants(self.actions[effect.fallback], c, decision))
        if effect.mode == "may" and decision.partial_action is None:
            found.append(DECLINE)
        if len(found) > limits.MAX_ANSWERS:
            step = self.rules.blocks[decision.block].steps[decision.step]
            raise RuleFault(step.address, step.span, f"offers more than {limits.MAX_ANSWERS} actions")
        return found

    def legal_variants(self, plan: CompiledAction, c: Context, decision: Decision) -> Iterator[Action]:
        """What one offered action adds to the legal list of a decision."""
        number, partial = plan.number, decision.partial_action
        if partial is not None:
            if partial.number == number:
                c.env[: len(partial.values)] = partial.values
                yield from self._piecewise(plan, c, partial.values, decision.partial_bag)
        elif not self.tokenwise_choices[number]:
            for values in plan.all_values(c):
                yield Action(number, values)
        elif plan.clauses_hold(c, 0):
            yield from self._piecewise(plan, c, (), ())

    def _piecewise(self, plan: CompiledAction, c: Context, values: tuple[Any, ...], bag: BagCounts) -> Iterator[Action]:
        made = len(values)
        if made == plan.choice_count:
            yield Action(plan.number, values)
        elif made in self.tokenwise_choices[plan.number]:
            for token in self.next_tokens(plan, c, values, bag):
                yield Action(plan.number, values, token)
        else:
            for value in plan.next_answers(c, made):
                c.env[made] = value
                if plan.clauses_hold(c, made + 1):
                    yield from self._piecewise(plan, c, (*values, value), ())

    def next_tokens(self, plan: CompiledAction, c: Context, values: tuple[Any, ...], bag: BagCounts) -> list[int]:
        """The members that can still complete a legal bag, and STOP where the bag may end although it could grow."""
        made = len(values)
        is_bag = isinstance(plan.definition.choices[made].type, Bag)
        offered: dict[int, None] = {}
        may_stop = False
        for answer in plan.next_answers(c, made):
            if not (_within(bag, answer) if is_bag else set(bag) <= set(answer)):
                continue
            more = (
                [at for at, n in enumerate(answer) if n > (bag[at] if bag else 0)]
                if is_bag
                else ([x for x in answer if x not in bag])
            )
            if more and all(token in offered for token in more):
                continue
            c.env[: made + 1] = [*values, answer]
            if plan.clauses_hold(c, made + 1) and next(plan.completions(c, (*values, answer)), None) is not None:
                may_stop = may_stop or not more
                offered.update(dict.fromkeys(more))
        tokens = sorted(offered)
        return [*tokens, STOP_TOKEN] if may_stop else tokens

    def extend_bag(self, plan: CompiledAction, c: Context, action: Action, bag: BagCounts) -> tuple[BagCounts, bool]:
        """The open bag with a token more, and whether that completes it."""
        made, token = len(action.values), action.token
        assert token is not None
        c.env[:made] = action.values
        admitted = plan.domains[made](c)
        is_bag = isinstance(plan.definition.choices[made].type, Bag)
        if token != STOP_TOKEN:
            if is_bag:
                bag = bag or (0,) * len(admitted[0])
                bag = (*bag[:token], bag[token] + 1, *bag[token + 1 :])
            else:
                bag = (*bag, token)
            if set(self.next_tokens(plan, c, action.values, bag)) - {STOP_TOKEN}:
                return bag, False
        # the answer as the domain writes it: a subset stands in the order of its set
        wanted = bag if is_bag else tuple(sorted(bag))
        for answer in admitted:
            if (answer if is_bag else tuple(sorted(answer))) == wanted or (not any(bag) and is_bag and not any(answer)):
                return tuple(answer), True
        raise AssertionError("a finished bag is an answer of its choice")


def _within(part: BagCounts, whole: BagCounts) -> bool:
    return all(a <= b for a, b in zip(part, whole, strict=True)) if part else True

"""Which actions are legal: the choices of an action made one after another, clauses judged as soon as they can be.

In: actions of the rule model and a `Context`. Out: the legal actions in their fixed order: offers as the step names
them, then answers of the first choice in domain order, then of the second. Expressions are pure and total, so a clause
that needs only the first choice is judged once for all answers of the second.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TypeAlias, cast

from rulewright import limits
from rulewright.engine.context import SPARE_SLOTS, Context
from rulewright.engine.expr_compiler import ExprCompiler
from rulewright.engine.faults import RuleFault, TooMuchWork
from rulewright.engine.made_on_demand import MadeOnDemand
from rulewright.engine.place_compiler import CompiledExpr
from rulewright.engine.reference.choice_domains import CompiledDomain, compile_domain
from rulewright.engine.state import DECLINE, STOP_TOKEN, Action, Decision
from rulewright.engine.values import BagCounts, RuntimeValue
from rulewright.expr.types import Bag
from rulewright.model.actions import ActionDef, Clause
from rulewright.model.effects import Choose
from rulewright.model.rules import Rules

ChoiceValues: TypeAlias = tuple[RuntimeValue, ...]  # of the choices of an action made so far, in order


class CompiledAction:
    """One action made ready: the answers of each choice, and the clauses by how many choices they need."""

    def __init__(self, action: ActionDef, compiler: ExprCompiler, offer_clauses: tuple[Clause, ...] = ()) -> None:
        self.number = action.index
        self.definition = action
        self.domains: list[CompiledDomain] = [compile_domain(choice, compiler) for choice in action.choices]
        self.conditions = [
            None if choice.condition is None else compiler.compile(choice.condition) for choice in action.choices
        ]
        self.clauses: list[list[tuple[Clause, CompiledExpr]]] = [[] for _ in range(len(action.choices) + 1)]
        for clause in (*offer_clauses, *action.clauses):
            compile_condition = compiler.compile_clause if clause.required_choices else compiler.compile
            self.clauses[clause.required_choices].append((clause, compile_condition(clause.condition)))
        self.choice_count = len(action.choices)
        clause_costs = [sum(clause.cost for clause, _ in clauses) for clauses in self.clauses]
        self._costs = [  # of each choice: once, and for each answer
            (choice.cost, limits.ANSWER_COST + clause_cost)
            for choice, clause_cost in zip(action.choices, clause_costs[1:], strict=True)
        ]

    def clauses_hold(self, c: Context, choice_count: int) -> bool:
        """Whether every clause holds that needs exactly so many choices."""
        return all(run(c) for _, run in self.clauses[choice_count])

    def is_asked(self, c: Context, index: int) -> bool:
        """Whether there is something to choose: the choice has no condition, or it holds."""
        holds = self.conditions[index]
        return holds is None or bool(holds(c))

    def next_answers(self, c: Context, choice_count: int) -> Sequence[RuntimeValue]:
        """The answers of the next choice, when so many are made; what it costs to judge each of them is counted.

        Raises `RuleFault` over `limits.MAX_WORK`.
        """
        answers = self.domains[choice_count](c)
        once, per_answer = self._costs[choice_count]
        c.expr_steps += once + len(answers) * per_answer
        if c.expr_steps > limits.MAX_WORK:
            message = f"finding the legal actions could take more than {limits.MAX_WORK:,} steps"
            raise TooMuchWork(self.definition.address, self.definition.span, message)
        return answers

    def completions(self, c: Context, values: ChoiceValues = ()) -> Iterator[ChoiceValues]:
        """All legal completions of some choices already made (and judged)."""
        index = len(values)
        if index == self.choice_count:
            yield values
            return
        is_last, clauses, env = index + 1 == self.choice_count, self.clauses[index + 1], c.env
        for value in self.next_answers(c, index):
            env[index] = value
            for _, holds in clauses:
                if not holds(c):
                    break
            else:
                if is_last:
                    yield (*values, value)
                else:
                    yield from self.completions(c, (*values, value))

    def all_values(self, c: Context) -> Iterator[ChoiceValues]:
        """All legal ways to do the action."""
        return self.completions(c) if self.clauses_hold(c, 0) else iter(())


class ActionGenerator:
    """The legal actions of the decisions of one rule model.

    `tokenwise`: addresses of the choices that are answered piece by piece.
    """

    def __init__(self, rules: Rules, compiler: ExprCompiler, tokenwise: Collection[str] = ()) -> None:
        self.rules = rules
        self.compiler = compiler
        self.actions: MadeOnDemand[int, CompiledAction] = MadeOnDemand(
            lambda index: CompiledAction(rules.actions[index], compiler)
        )
        self.tokenwise_choices = [
            frozenset(index for index, choice in enumerate(action.choices) if choice.address in tokenwise)
            for action in rules.actions
        ]
        self.offers = MadeOnDemand(self._compile_offers)  # by the block and the step in it
        numbers = {action.name: action.index for action in rules.actions}
        compiler.is_action_possible = lambda c, name: self.is_possible(c, numbers[name])

    def _compile_offers(self, place: tuple[int, int]) -> tuple[CompiledAction, ...]:
        block, step = place
        choose = self.rules.blocks[block].steps[step].effect
        assert isinstance(choose, Choose)
        return tuple(
            CompiledAction(self.rules.actions[offer.action], self.compiler, offer.clauses)
            if offer.clauses
            else self.actions[offer.action]
            for offer in choose.offers
        )

    def all_actions(self) -> list[CompiledAction]:
        """All of them, each once; those that a step offers under clauses of its own apart."""
        offering = [
            (block_index, step_index)
            for block_index, block in enumerate(self.rules.blocks)
            for step_index, step in enumerate(block.steps)
            if isinstance(step.effect, Choose)
        ]
        actions = [self.actions[index] for index in range(len(self.rules.actions))]
        offered = [offer for place in offering for offer in self.offers[place]]
        return list({id(action): action for action in (*actions, *offered)}.values())

    def is_possible(self, c: Context, action: int) -> bool:
        """Whether the seat in turn could do an action at all, wherever it is offered."""
        key = ("possible", c.me, action)
        result = c.memo.get(key)
        if result is None:
            outer, c.env = c.env, [*SPARE_SLOTS]
            result = c.memo[key] = next(self.actions[action].all_values(c), None) is not None
            c.env = outer
        return bool(result)

    def step_offers(self, block: int, step: int) -> tuple[CompiledAction, ...]:
        """The actions that a step offers."""
        return self.offers[block, step]

    def offered_actions(self, c: Context, block: int, step: int, limit: int) -> list[Action]:
        """Up to `limit` of the whole actions that a step's offers admit."""
        actions: list[Action] = []
        for offer in self.offers[block, step]:
            for values in offer.all_values(c):
                actions.append(Action(offer.number, values))
                if len(actions) == limit:
                    return actions
        return actions

    def legal_actions(self, c: Context, decision: Decision) -> list[Action]:
        """The legal actions of a decision, in their fixed order; raises `RuleFault` over `limits.MAX_ANSWERS`."""
        step = self.rules.blocks[decision.block].steps[decision.step]
        effect = step.effect
        assert isinstance(effect, Choose)
        actions: list[Action] = []
        for offer in self.offers[decision.block, decision.step]:
            actions.extend(self.legal_variants(offer, c, decision))
        if not actions and isinstance(effect.fallback, int):
            actions.extend(self.legal_variants(self.actions[effect.fallback], c, decision))
        if effect.mode == "may" and decision.partial_action is None:
            actions.append(DECLINE)
        if len(actions) > limits.MAX_ANSWERS:
            raise RuleFault(step.address, step.span, f"offers more than {limits.MAX_ANSWERS} actions")
        return actions

    def legal_variants(self, offer: CompiledAction, c: Context, decision: Decision) -> Iterator[Action]:
        """What one offered action adds to the legal actions of a decision."""
        number, partial = offer.number, decision.partial_action
        if partial is not None:
            if partial.number == number:
                c.env[: len(partial.values)] = partial.values
                yield from self._piecewise(offer, c, partial.values, decision.partial_bag)
        elif not self.tokenwise_choices[number]:
            for values in offer.all_values(c):
                yield Action(number, values)
        elif offer.clauses_hold(c, 0):
            yield from self._piecewise(offer, c, (), ())

    # ---- choices answered piece by piece ------------------------------------------------------------------

    def _piecewise(self, offer: CompiledAction, c: Context, values: ChoiceValues, bag: BagCounts) -> Iterator[Action]:
        index = len(values)
        if index == offer.choice_count:
            yield Action(offer.number, values)
        elif index in self.tokenwise_choices[offer.number] and offer.is_asked(c, index):
            for token in self.next_tokens(offer, c, values, bag):
                yield Action(offer.number, values, token)
        else:
            for value in offer.next_answers(c, index):
                c.env[index] = value
                if offer.clauses_hold(c, index + 1):
                    yield from self._piecewise(offer, c, (*values, value), ())

    def next_tokens(self, offer: CompiledAction, c: Context, values: ChoiceValues, bag: BagCounts) -> list[int]:
        """The members that can still complete a legal bag or set, and `STOP_TOKEN` where it may end although it could
        grow.
        """
        index = len(values)
        is_bag = isinstance(offer.definition.choices[index].type, Bag)
        tokens: dict[int, None] = {}
        may_stop = False
        for answer in cast("Sequence[tuple[int, ...]]", offer.next_answers(c, index)):
            if not (_is_within(bag, answer) if is_bag else set(bag) <= set(answer)):
                continue
            if is_bag:
                missing = [member for member, count in enumerate(answer) if count > (bag[member] if bag else 0)]
            else:
                missing = [x for x in answer if x not in bag]
            if missing and all(token in tokens for token in missing):
                continue
            c.env[: index + 1] = [*values, answer]
            if offer.clauses_hold(c, index + 1) and next(offer.completions(c, (*values, answer)), None) is not None:
                may_stop = may_stop or not missing
                tokens.update(dict.fromkeys(missing))
        return [*sorted(tokens), STOP_TOKEN] if may_stop else sorted(tokens)

    def extend_bag(self, offer: CompiledAction, c: Context, action: Action, bag: BagCounts) -> tuple[BagCounts, bool]:
        """The open bag or set with one more token, and whether that completes it."""
        index, token = len(action.values), action.token
        assert token is not None
        c.env[:index] = action.values
        answers = cast("Sequence[tuple[int, ...]]", offer.domains[index](c))
        is_bag = isinstance(offer.definition.choices[index].type, Bag)
        if token != STOP_TOKEN:
            if is_bag:
                bag = bag or (0,) * len(answers[0])
                bag = (*bag[:token], bag[token] + 1, *bag[token + 1 :])
            else:
                bag = (*bag, token)
            if set(self.next_tokens(offer, c, action.values, bag)) - {STOP_TOKEN}:
                return bag, False
        # the answer as the domain has it: a subset is in the order of its set
        target = bag if is_bag else tuple(sorted(bag))
        for answer in answers:
            is_target = (answer if is_bag else tuple(sorted(answer))) == target
            if is_target or (is_bag and not any(bag) and not any(answer)):
                return answer, True
        raise AssertionError("a finished bag is an answer of its choice")


def _is_within(part: BagCounts, whole: BagCounts) -> bool:
    return all(a <= b for a, b in zip(part, whole, strict=True)) if part else True

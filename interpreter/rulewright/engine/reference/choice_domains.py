"""What can be chosen: every answer that a choice admits in a position, in a fixed order.

In: a choice of the rule model. Out: functions from a `Context` to the tuple of admitted answers. Order: members and
things as the set lists them; bags and subsets by their counts in the numbering of the kind, more of an earlier member
first. What may be paid for a price is in `payments`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from math import comb
from typing import TypeAlias, assert_never

from rulewright import limits
from rulewright.engine.context import Context
from rulewright.engine.expr_compiler import ExprCompiler
from rulewright.engine.faults import RuleFault, TooManyAnswersError
from rulewright.engine.place_compiler import CompiledExpr, CompiledTuple
from rulewright.engine.reference.payments import compile_full_bag, compile_payments
from rulewright.engine.reference.sub_bags import sub_bags
from rulewright.engine.values import BagCounts, RuntimeValue
from rulewright.expr.types import Bag, Type
from rulewright.model.actions import Choice, OneOf, Pay, SomeOf

CompiledDomain: TypeAlias = Callable[[Context], Sequence[RuntimeValue]]


def compile_domain(choice: Choice, compiler: ExprCompiler) -> CompiledDomain:
    """The function that lists the answers a choice admits; raises `RuleFault` over `limits.MAX_ANSWERS`."""
    answers_of = _compile_unbounded(choice, compiler)
    if isinstance(choice.domain, OneOf):
        return answers_of
    if choice.condition is not None:
        answers_of = _only_when(compiler.compile(choice.condition), answers_of, _nothing(choice.type, compiler))

    def bounded(c: Context) -> Sequence[RuntimeValue]:
        try:
            return answers_of(c)
        except TooManyAnswersError:
            raise RuleFault(choice.address, choice.span, f"admits more than {limits.MAX_ANSWERS} answers") from None

    return bounded


def _compile_unbounded(choice: Choice, compiler: ExprCompiler) -> CompiledDomain:
    match choice.domain:
        case OneOf(of=of):
            return compiler.compile_elements(of)
        case SomeOf(of=of, total=total):
            totals_of = None if total is None else compiler.compile_one_or_all(total)
            if isinstance(of.type, Bag):
                return _parts_of_bag(compile_full_bag(of, compiler), totals_of)
            return _subsets(compiler.compile_elements(of), totals_of)
        case Pay() as pay:
            return compile_payments(pay, compiler)
        case _:
            assert_never(choice.domain)


def _nothing(type_: Type, compiler: ExprCompiler) -> tuple[int, ...]:
    """The answer that chooses nothing."""
    return (0,) * compiler.family_size(type_.kind) if isinstance(type_, Bag) else ()


def _only_when(holds: CompiledExpr, answers_of: CompiledDomain, nothing: tuple[int, ...]) -> CompiledDomain:
    return lambda c: answers_of(c) if holds(c) else (nothing,)


def _subsets(elements: CompiledTuple, totals_of: CompiledTuple | None) -> CompiledDomain:
    def run(c: Context) -> tuple[tuple[int, ...], ...]:
        whole = elements(c)
        sizes = range(len(whole) + 1) if totals_of is None else totals_of(c)
        answers: list[tuple[int, ...]] = []
        for size in sizes:
            if 0 <= size <= len(whole):
                if len(answers) + comb(len(whole), size) > limits.MAX_ANSWERS:
                    raise TooManyAnswersError
                answers.extend(combinations(whole, size))
        if len(sizes) > 1:
            rank = {element: index for index, element in enumerate(whole)}
            end = (len(whole),)  # a longer subset comes before its own beginning, as with bags: more comes first
            answers.sort(key=lambda subset: (*[rank[x] for x in subset], *end))
        return tuple(answers)

    return run


def _parts_of_bag(bag_of: CompiledTuple, totals_of: CompiledTuple | None) -> CompiledDomain:
    def run(c: Context) -> tuple[BagCounts, ...]:
        bag = bag_of(c)
        size = sum(bag)
        sizes = range(size + 1) if totals_of is None else [total for total in totals_of(c) if 0 <= total <= size]
        answers: list[BagCounts] = []
        for total in sizes:
            answers.extend(sub_bags(bag, total))
            if len(answers) > limits.MAX_ANSWERS:
                raise TooManyAnswersError
        if len(sizes) > 1:
            answers.sort(reverse=True)
        return tuple(answers)

    return run


__all__ = ["CompiledDomain", "compile_domain"]

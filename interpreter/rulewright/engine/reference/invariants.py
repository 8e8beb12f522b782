"""What an invariant that does not hold stumbled over: the first for which it fails, and the values in it.

In: an invariant and a context in which it does not hold. Out: words, such as `for seat 0: count(hand(seat)) is 4`. They
are for everybody, so that of hidden places nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.engine.evaluator import ExprCompiler
from rulewright.engine.sentence_renderer import SentenceRenderer
from rulewright.engine.values import Context
from rulewright.expr import type_relations
from rulewright.expr.tree import Compare, Constant, Expr, Logic, Not, Quantifier
from rulewright.expr.types import UnknownType
from rulewright.expr.walk import substitute
from rulewright.model.rules import Invariant


def describe_failure(
    one: Invariant, c: Context, evaluator: ExprCompiler, speaker: SentenceRenderer, reader: int
) -> str:
    """For what it fails, and with which values."""
    expr, whose = one.condition, list[str]()
    while True:
        match expr:
            case Quantifier(quantifier="every", slot=slot, over=over, condition=has):
                element = type_relations.element_type(over.type, evaluator.rules.kinds)
                if element is None or isinstance(element, UnknownType) or not speaker.can_read(over, c, reader):
                    return ""
                ones = [
                    (value, substitute(has, slot, Constant(value, element, over.offsets)))
                    for value in evaluator.compile_elements(over)(c)
                ]
                if not all(speaker.can_read(inner, c, reader) for _, inner in ones):
                    break  # for whom it fails would tell what is hidden
                value, expr = next((value, inner) for value, inner in ones if not evaluator.compile(inner)(c))
                whose.append(speaker.format_value(value, element))
            case Logic(op="and", left=left, right=right) if speaker.can_read(left, c, reader):
                expr = right if evaluator.compile(left)(c) else left
            case _:
                break
    shown = dict[str, str]()
    for part in _operands(expr):
        if not isinstance(part, Constant | Quantifier) and speaker.can_read(part, c, reader):
            shown.setdefault(one.source_text[slice(*part.offsets)].strip(), speaker.format_expr(part, c, reader))
    said = ", ".join(f"{text} is {value}" for text, value in shown.items())
    return (f" for {' and '.join(whose)}" if whose else "") + (f": {said}" if said else "")


def _operands(expr: Expr) -> Iterator[Expr]:
    match expr:
        case Compare(left=left, right=right) | Logic(left=left, right=right):
            yield from _operands(left)
            yield from _operands(right)
        case Not(of=of):
            yield from _operands(of)
        case _:
            yield expr


__all__ = ["describe_failure"]

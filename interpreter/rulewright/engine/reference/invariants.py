"""What an invariant that does not hold stumbled over: the first for which it fails, and the values in it.

In: an invariant and a context in which it does not hold. Out: words, such as `for seat 0: count(hand(seat)) is 4`. They
are for everybody, so that of hidden places nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.engine.evaluator import Evaluator
from rulewright.engine.sentence_renderer import Speaker
from rulewright.engine.values import Context
from rulewright.expr import type_relations
from rulewright.expr.tree import Compare, Constant, Expr, Logic, Not, Quantified
from rulewright.expr.types import Unknown
from rulewright.model.rules import Invariant
from rulewright.model.traversal import filled


def broken(one: Invariant, c: Context, evaluator: Evaluator, speaker: Speaker, reader: int) -> str:
    """For what it fails, and with which values."""
    expr, whose = one.is_, list[str]()
    while True:
        match expr:
            case Quantified(quantifier="every", slot=slot, over=over, has=has):
                element = type_relations.element(over.type, evaluator.rules.kinds)
                if element is None or isinstance(element, Unknown) or not speaker.may_read(over, c, reader):
                    return ""
                ones = [
                    (value, filled(has, slot, Constant(value, element, over.at)))
                    for value in evaluator.elements(over)(c)
                ]
                if not all(speaker.may_read(inner, c, reader) for _, inner in ones):
                    break  # for whom it fails would tell what is hidden
                value, expr = next((value, inner) for value, inner in ones if not evaluator.run(inner)(c))
                whose.append(speaker.value(value, element))
            case Logic(op="and", left=left, right=right) if speaker.may_read(left, c, reader):
                expr = right if evaluator.run(left)(c) else left
            case _:
                break
    shown = dict[str, str]()
    for part in _operands(expr):
        if not isinstance(part, Constant | Quantified) and speaker.may_read(part, c, reader):
            shown.setdefault(one.text[slice(*part.at)].strip(), speaker.show(part, c, reader))
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


__all__ = ["broken"]

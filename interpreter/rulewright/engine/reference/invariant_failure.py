"""Why an invariant does not hold: the first seat or element for which it fails, and the values in it.

In: an invariant and a context in which it does not hold. Out: text such as ` for seat 0: count(hand(seat)) is 4`.
Everybody may read it, so it shows nothing of hidden places.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.engine.context import Context
from rulewright.engine.sentence_renderer import SentenceRenderer
from rulewright.expr import type_relations
from rulewright.expr.tree import Compare, Constant, Expr, Logic, Not, Quantifier
from rulewright.expr.types import UnknownType
from rulewright.expr.walk import substitute
from rulewright.model.rules import Invariant


def describe_failure(invariant: Invariant, c: Context, *, renderer: SentenceRenderer, viewer: int) -> str:
    """The elements for which the invariant fails, and the values in it, as far as `viewer` may know; may be empty.

    `viewer`: the index of a seat or of the spectator.
    """
    compiler = renderer.compiler
    expr, elements = invariant.condition, list[str]()
    while True:
        match expr:
            case Quantifier(quantifier="every", slot=slot, over=over, condition=condition):
                element = type_relations.element_type(over.type, compiler.rules.kinds)
                if element is None or isinstance(element, UnknownType) or not renderer.can_read(over, c, viewer):
                    return ""
                instances = [
                    (value, substitute(condition, slot, Constant(value, element, over.offsets)))
                    for value in compiler.compile_elements(over)(c)
                ]
                if not all(renderer.can_read(instance, c, viewer) for _, instance in instances):
                    break  # for which element it fails would tell what is hidden
                value, expr = next(
                    (value, instance) for value, instance in instances if not compiler.compile(instance)(c)
                )
                elements.append(renderer.format_value(value, element))
            case Logic(op="and", left=left, right=right) if renderer.can_read(left, c, viewer):
                expr = right if compiler.compile(left)(c) else left
            case _:
                break
    values = dict[str, str]()
    for operand in _operands(expr):
        if not isinstance(operand, Constant | Quantifier) and renderer.can_read(operand, c, viewer):
            source = invariant.source_text[slice(*operand.offsets)].strip()
            values.setdefault(source, renderer.format_expr(operand, c, viewer))
    details = ", ".join(f"{source} is {value}" for source, value in values.items())
    return (f" for {' and '.join(elements)}" if elements else "") + (f": {details}" if details else "")


def _operands(expr: Expr) -> Iterator[Expr]:
    match expr:
        case Compare(left=left, right=right) | Logic(left=left, right=right):
            yield from _operands(left)
            yield from _operands(right)
        case Not(of=operand):
            yield from _operands(operand)
        case _:
            yield expr


__all__ = ["describe_failure"]

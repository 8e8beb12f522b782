"""Does a game end with its first round, since the number of the round is compared the wrong way?

In: rules, and the composition they were built from. Out: a warning about an end that comes as long as the round is not
beyond a number, which holds in the first, or once it has reached a number of rounds that comes to nothing with so many
players. A game of one round asks for a round that is reached. Under variants only what a variant wrote is reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.checker.common.codes import ENDS_AT_ONCE
from rulewright.checker.common.condition_nodes import condition_node
from rulewright.diagnostics import Diagnostics
from rulewright.expr.tree import Builtin, Compare, Expr, Logic, ReadParameter
from rulewright.expr.types import Number
from rulewright.expr.walk import find_position_read, iter_exprs
from rulewright.model.effects import Finish, Step
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.source.nodes import Node, ScalarNode


def check_ends_in_first_round(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    bare = ExpressionRanges(rules, (), ())
    for step in (step for block in rules.blocks for step in block.steps):
        if not isinstance(step.effect, Finish) or step.when is None or step.for_each is not None:
            continue
        node = condition_node(composition.document.root, step.address)
        if node is None or not composition.is_judged(node.span):
            continue
        for part, number in _upper_bounds(step.when):
            if bare.scalars(number, {}, bare.seats).low < 2 and not _can_be_set(number, rules):
                continue  # then nothing is meant to come after the first
            _report(part, node, step, "is the comparison the wrong way round?", diagnostics)
        for part, number in _lower_bounds(step.when):
            if (most := bare.scalars(number, {}, bare.seats).high) < 1:
                _report(part, node, step, f"the round is compared with {most}", diagnostics)


def _report(part: Expr, node: Node, step: Step, hint: str, diagnostics: Diagnostics) -> None:
    span = node.subspan(*part.offsets) if isinstance(node, ScalarNode) else node.span
    text = f"`{node.text[slice(*part.offsets)].strip()}`" if isinstance(node, ScalarNode) else "this"
    message = f"{text} holds in the first round, so the game is over then"
    diagnostics.add(span, ENDS_AT_ONCE, message, label="holds from the first on", help=hint, address=step.address)


def _can_be_set(number: Expr, rules: Rules) -> bool:
    """Whether somebody can set a parameter to more than one round."""
    type_ = rules.parameters[number.name].type if isinstance(number, ReadParameter) else None
    return isinstance(type_, Number) and type_.high > 1


def _upper_bounds(condition: Expr) -> Iterator[tuple[Expr, Expr]]:
    """What is enough for a condition and says that the round is not beyond a number; that number."""
    match condition:
        case Logic(op="or", left=left, right=right):
            yield from _upper_bounds(left)
            yield from _upper_bounds(right)
        case Compare(op="<" | "<=", left=Builtin(name="round_number"), right=number):
            if find_position_read(number) is None:
                yield condition, number
        case Compare(op=">" | ">=", left=number, right=Builtin(name="round_number")):
            if find_position_read(number) is None:
                yield condition, number


def _lower_bounds(condition: Expr) -> Iterator[tuple[Expr, Expr]]:
    """What is enough for a condition and says that the round has reached a number that depends on how many play."""
    match condition:
        case Logic(op="or", left=left, right=right):
            yield from _lower_bounds(left)
            yield from _lower_bounds(right)
        case Compare(op=">=" | ">", left=Builtin(name="round_number"), right=number):
            if find_position_read(number) is None and _depends_on_players(number):
                yield condition, number


def _depends_on_players(number: Expr) -> bool:
    return any(isinstance(part, Builtin) and part.name == "players" for part in iter_exprs(number))


__all__ = ["check_ends_in_first_round"]

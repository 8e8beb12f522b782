"""Does a loop go on where none of its steps does anything?

In: rules, and the composition they were built from. Out: warnings about a `while` that asks whether something is above
or below a bound, of which every step of the loop asks the same with a bound further out: where it is between the two,
the loop goes on and nothing is done. Only comparisons of the same expression are judged, and only loops all of whose
steps make one. Under variants only what a variant wrote.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.checker.common.condition_nodes import condition_node, part_span
from rulewright.checker.common.lint_codes import CHANGES_NOTHING
from rulewright.diagnostics import Diagnostics, Related
from rulewright.expr.structural_key import StructuralKey, structural_key
from rulewright.expr.tree import SIDES_SWAPPED, Arithmetic, Compare, Constant, Expr, Local, Quantifier, ReadParameter
from rulewright.expr.walk import conjuncts, free_variables, transform
from rulewright.frozen import frozen, replace
from rulewright.model.effects import RunSteps, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.source.nodes import ScalarNode

EACH: Final = 1_000  # the slot of what is asked of each of a set, whichever it has where it is asked
NEXT: Final = {">": 1, ">=": 0, "<": -1, "<=": 0}  # from the number behind the sign to the first that will do


@frozen
class _Bound:
    """What a comparison asks: that `counted`, of each that is gone `over`, is as high (`is_lower`) or as low as so many
    more than a parameter, or than nothing.
    """

    counted: StructuralKey
    over: StructuralKey | None
    is_lower: bool
    parameter: str
    number: int
    part: Compare

    def is_beyond(self, other: _Bound, rules: Rules) -> bool:
        """Whether it asks for more than another that asks about the same."""
        if (self.counted, self.over, self.is_lower) != (other.counted, other.over, other.is_lower):
            return False
        mine, theirs = self.number, other.number
        if self.parameter != other.parameter:
            mine, theirs = mine + _value(self.parameter, rules), theirs + _value(other.parameter, rules)
        return mine > theirs if self.is_lower else mine < theirs


@frozen
class _Guard:
    """A step that is only carried out within a bound, and the key at which that is written."""

    step: Step
    bound: _Bound
    key: str


def check_idle_loops(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports each such loop at the condition of its step, or at its own where it has several or a variant wrote it."""
    root = composition.document.root
    for loop in (step for block in rules.blocks for step in block.steps):
        asked = None if loop.while_condition is None else _asked(loop.while_condition)
        guards = [] if asked is None else _guards(loop, asked, rules)
        if asked is None or not guards:
            continue
        first = guards[0]
        places = [(loop.address, "while", asked.part, loop.span)]
        places += [(one.step.address, one.key, one.bound.part, one.step.span) for one in guards]
        spans = [part_span(root, *place) for place in places]
        number = int(len(guards) == 1 and composition.is_judged(spans[1]))
        if not composition.is_judged(spans[number]):
            continue
        goes_on, acts = (_text(composition, address, key, part) for address, key, part, _ in places[:2])
        diagnostics.add(
            spans[number],
            CHANGES_NOTHING,
            f"the loop goes on while `{goes_on}`, and does something only where `{acts}`",
            label="does nothing in between",
            help="ask for the same in both",
            address=first.step.address if number else loop.address,
            related=[
                Related(span, "asks for less" if number else "asks for more") for span in spans if span != spans[number]
            ],
        )


def _text(composition: Composition, address: str, key: str, part: Expr) -> str:
    node = condition_node(composition.document.root, address, key)
    return node.text[slice(*part.offsets)].strip() if isinstance(node, ScalarNode) else "this"


def _guards(loop: Step, asked: _Bound, rules: Rules) -> list[_Guard]:
    """The steps of a loop, each with a bound beyond the one that is asked; none where one of them has no such bound."""
    if not isinstance(loop.effect, RunSteps) or loop.effect.arguments:
        return []
    guards = list[_Guard]()
    for step in rules.blocks[loop.effect.block].steps:
        beyond = next((one for one in _bounds_of(step) if one.bound.is_beyond(asked, rules)), None)
        found = [beyond] if beyond is not None else _guards(step, asked, rules)
        if not found:
            return []
        guards += found
    return guards


def _bounds_of(step: Step) -> Iterator[_Guard]:
    """The bounds without which a step does nothing."""
    slot, over = None, None
    if step.for_each is not None:
        slot, over = step.for_each.slot, step.for_each.over
        for part in conjuncts(step.for_each.condition) if step.for_each.condition is not None else ():
            yield from (_Guard(step, bound, "for_each") for bound in _bounds(part, slot, over))
    for part in conjuncts(step.when) if step.when is not None else ():
        bounds = [*_bounds(part, slot, over)] or [bound for bound in [_asked(part)] if bound is not None]
        yield from (_Guard(step, bound, "when") for bound in bounds)


def _asked(condition: Expr) -> _Bound | None:
    """What a condition asks that is about one thing, or about some of a set."""
    if isinstance(condition, Quantifier):
        is_some = condition.quantifier == "some"
        return next(_bounds(condition.condition, condition.slot, condition.over), None) if is_some else None
    return next(_bounds(condition, None, None), None)


def _bounds(part: Expr, slot: int | None, over: Expr | None) -> Iterator[_Bound]:
    """What a comparison with a number asks: of each of a set, which is in a variable, or else of what has none."""
    if not isinstance(part, Compare) or part.op not in NEXT:
        return

    def as_each(read: Expr) -> Expr | None:
        return replace(read, slot=EACH) if isinstance(read, Local) and read.slot == slot else None

    for op, counted, other in ((part.op, part.left, part.right), (SIDES_SWAPPED[part.op], part.right, part.left)):
        number, slots = _number(other), free_variables(counted)
        key = structural_key(transform(counted, as_each))
        whole = None if over is None else structural_key(over)
        if number is not None and key is not None and slots <= {slot} and _number(counted) is None:
            parameter, more = number
            yield _Bound(key, whole if slots else None, op in (">", ">="), parameter, more + NEXT[op], part)


def _number(expr: Expr) -> tuple[str, int] | None:
    """A parameter, or none, and how much is added to it; None for all that is not known from the beginning."""
    match expr:
        case Constant(value=int(value)):
            return "", value
        case ReadParameter(name=name, keys=()):
            return name, 0
        case Arithmetic(op="+" | "-" as op, left=left, right=Constant(value=int(value))):
            known = _number(left)
            return None if known is None else (known[0], known[1] + (value if op == "+" else -value))
    return None


def _value(parameter: str, rules: Rules) -> int:
    value = rules.parameters[parameter].value if parameter else 0
    return value if isinstance(value, int) else 0


__all__ = ["check_idle_loops"]

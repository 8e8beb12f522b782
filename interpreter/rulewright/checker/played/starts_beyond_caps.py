"""Does a state begin with more than a sentence says that there may be, and than any step ever lets there be?

In: rules, and the composition they were built from. Out: warnings about the start of states that all steps keep at or
below a parameter, of which its text, or that of a variant, says that it is how much one may have, in a few words,
English and French. Without such words it may be meant that what is lost does not come back. What a variant has made so
is told at its change.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product

from rulewright.checker.common.change_causes import blamed, is_by_variants
from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.rule_spans import rule_span
from rulewright.checker.logic.capped_states import caps_of_steps
from rulewright.checker.texts.limits_in_sentences import says_limit
from rulewright.diagnostics import Diagnostics, Related
from rulewright.expr.types import Number
from rulewright.expr.walk import find_position_read
from rulewright.frozen import frozen
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.facts.value_ranges import Scalars
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules, StateDef


@frozen
class _Beyond:
    """A state that begins above the parameter that caps it."""

    state: StateDef
    start: int
    parameter: str
    most: int


def check_starts_beyond_caps(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    for found in _find(rules):
        if not says_limit(found.parameter, found.most, composition):
            continue
        state, name = found.state, found.state.name
        message = (
            f"`{name}` begins with {found.start}, and no more than {found.most} may be there (`{found.parameter}`)"
        )
        span = key_span(composition.document.root, state.address, "start", rule_span(state.address, composition))
        address, related = state.address, list[Related]()
        if not composition.is_judged(span):
            is_right = partial(_is_right, name)
            if not is_by_variants(composition, is_right):
                continue
            address, related = f"parameters.{found.parameter}", [Related(span, state.address)]
            message, span = blamed(message, state.address, composition, is_right)
        hint = f"begin with less, or set `{found.parameter}` higher"
        diagnostics.add(span, OTHER_WAY, message, label="too much", help=hint, address=address, related=related)


def _is_right(name: str, rules: Rules) -> bool:
    return all(found.state.name != name for found in _find(rules))


def _find(rules: Rules) -> Iterator[_Beyond]:
    ranges = ExpressionRanges(rules, (), ())
    for state, cap in caps_of_steps(rules):
        most = rules.parameters[cap.name].value
        if not isinstance(state.type, Number) or not isinstance(most, int):
            continue
        start = _start(state, ranges)
        if start is not None and start > most:
            yield _Beyond(state, start, cap.name, most)


def _start(state: StateDef, ranges: ExpressionRanges) -> int | None:
    """What a state begins with, if that is the same for all."""
    if find_position_read(state.initial_value) is not None:
        return None
    values = set[int | None]()
    for keys in product(*state.key_values):
        env = {slot: Scalars.of((key,)) for slot, key in enumerate(keys)}
        values.add(ranges.scalars(state.initial_value, env, ranges.seats).single)
    return values.pop() if len(values) == 1 else None


__all__ = ["check_starts_beyond_caps"]

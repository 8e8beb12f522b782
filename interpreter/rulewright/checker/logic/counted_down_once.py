"""Is what is left to be done counted down by what a step does, and asked for only once?

In: rules, and the composition they were built from. Out: warnings about steps of the set-up, of a turn or of a round
that are done while a state is above something, and count that state down, and are not repeated, where nothing else asks
for the state before it is set anew. Under variants only what a variant wrote.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from rulewright.checker.common.condition_nodes import condition_node, key_span
from rulewright.checker.common.emptying_moves import added_to
from rulewright.checker.common.lint_codes import ASKED_ONCE
from rulewright.checker.common.rules_read import asked_within
from rulewright.diagnostics import Diagnostics
from rulewright.expr.tree import Arithmetic, Constant, Expr, Local, ReadState
from rulewright.expr.types import Number
from rulewright.expr.walk import iter_exprs
from rulewright.model.effects import Roll, SetState, Step
from rulewright.model.facts.zone_uses import exprs_of_play
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules, StateDef
from rulewright.model.traversal import blocks_within, run_blocks
from rulewright.source.nodes import ScalarNode


def check_counted_down_once(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    for step, state in _counting_steps(rules):
        key = "times" if step.times is not None else "when" if step.when is not None else "for_each"
        span = key_span(composition.document.root, step.address, key, step.span)
        if not composition.is_judged(span):
            continue
        asked = condition_node(composition.document.root, step.address, "when")
        text = f"`{asked.text}`" if isinstance(asked, ScalarNode) else f"`{state.name}`"
        message = f"{text} is asked once, and `{state.name}` is counted down, so that the rest is never done"
        hint = "repeat it: add `times`, with `while` in place of `when`"
        diagnostics.add(span, ASKED_ONCE, message, label="asked once", help=hint, address=step.address)


def _counting_steps(rules: Rules) -> Iterator[tuple[Step, StateDef]]:
    """The steps, each with the state that it counts down."""
    reads = Counter(part.name for part in _state_reads(exprs_of_play(rules)))
    for block, scope in ((rules.setup, ""), (rules.turn, "turn"), (rules.round, "round")):
        steps = rules.blocks[block].steps
        for index, step in enumerate(steps):
            if step.while_condition is not None or not _is_once(step.times):
                continue
            inner = [*_inner_steps(step, rules)]
            own = Counter(part.name for part in _state_reads(asked_within(step, rules)))
            for state in (rules.states[name] for name in {*_counted_down(inner)}):
                is_number = isinstance(state.type, Number) and state.type.high > 1
                is_fresh = not scope or state.reset_scope == scope or _is_set_in(steps[:index], state.name)
                if is_number and is_fresh and own[state.name] == reads[state.name] and _is_asked(step, state.name):
                    yield step, state


def _inner_steps(step: Step, rules: Rules) -> Iterator[Step]:
    """The steps that a step runs, or that its actions consist of."""
    for block in blocks_within(rules, run_blocks(rules, step.effect)):
        yield from rules.blocks[block].steps


def _state_reads(exprs: Iterable[Expr]) -> Iterator[ReadState]:
    return (part for expr in exprs for part in iter_exprs(expr) if isinstance(part, ReadState))


def _counted_down(steps: Iterable[Step]) -> Iterator[str]:
    """The states from which steps take a number that is written there."""
    for effect in (step.effect for step in steps):
        if not isinstance(effect, SetState) or not isinstance(added_to(effect.target, effect.to), Constant):
            continue
        if any(isinstance(part, Arithmetic) and part.op in ("-", "less") for part in iter_exprs(effect.to)):
            yield effect.target.name


def _is_asked(step: Step, name: str) -> bool:
    """Whether a step is only done while a state is what it should be: of a loop, that of the one in the loop."""
    loop = step.for_each
    conditions = [each for each in (step.when, None if loop is None else loop.condition) if each is not None]
    asked = [part for part in _state_reads(conditions) if part.name == name]
    return bool(asked) and all(
        loop is None or any(isinstance(key, Local) and key.slot == loop.slot for key in part.keys) for part in asked
    )


def _is_set_in(steps: Sequence[Step], name: str) -> bool:
    """Whether some of the steps before set a state, whatever it was."""
    effects = [step.effect for step in steps if step.when is None]
    return any(
        (isinstance(effect, Roll) and effect.target.name == name)
        or (
            isinstance(effect, SetState)
            and effect.target.name == name
            and all(part.name != name for part in _state_reads([effect.to]))
        )
        for effect in effects
    )


def _is_once(times: Expr | None) -> bool:
    return times is None or (isinstance(times, Constant) and times.value == 1)


__all__ = ["check_counted_down_once"]

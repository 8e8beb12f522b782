"""Which variables of steps hold what lies hidden, so that whoever reads them looks there.

In: a finder of hidden reads, blocks, states. Out: the finder knows these variables; what they are set to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rulewright.checker.secrets.information_leaks import HiddenRead, HiddenReadFinder
from rulewright.expr.tree import Expr, ReadState
from rulewright.expr.walk import free_variables, iter_exprs
from rulewright.frozen import frozen
from rulewright.model.effects import Block, SetState, Step
from rulewright.model.rules import StateDef


@frozen
class HiddenVariables:
    """By the name of a variable that nobody is shown and that holds something hidden: all that it is set to."""

    written: Mapping[str, tuple[Expr, ...]]

    def expand(self, exprs: Sequence[Expr]) -> list[Expr]:
        """Expressions, and what the variables in them were set to."""
        pending, expanded, found = [*exprs], list[Expr](), set[str]()
        while pending:
            expr = pending.pop(0)
            expanded.append(expr)
            for part in iter_exprs(expr):
                if isinstance(part, ReadState) and part.name in self.written and part.name not in found:
                    found.add(part.name)
                    pending += self.written[part.name]
        return expanded


def find_hidden_variables(
    finder: HiddenReadFinder, blocks: Iterable[Block], states: Mapping[str, StateDef]
) -> HiddenVariables:
    """Fills `finder.variables`: a variable that depends on a hidden place, perhaps through others like it."""
    unseen = [
        (step.effect, step)
        for block in blocks
        for step in block.steps
        if isinstance(step.effect, SetState) and not states[step.effect.target.name].is_shown
    ]
    is_settled = False
    while not is_settled:
        is_settled = True
        for effect, step in unseen:
            name = effect.target.name
            read = None if name in finder.variables else _first(finder, _deciding(effect, step))
            if read is not None:
                finder.add_variable(name, read)
                is_settled = False
    written: dict[str, tuple[Expr, ...]] = {}
    for effect, step in unseen:
        name = effect.target.name
        if name in finder.variables:
            written[name] = (*written.get(name, ()), *_deciding(effect, step))
    return HiddenVariables(written)


def _first(finder: HiddenReadFinder, exprs: Iterable[Expr]) -> HiddenRead | None:
    return next((read for expr in exprs if (read := finder.find_first(expr, {})) is not None), None)


def _deciding(effect: SetState, step: Step) -> Iterator[Expr]:
    """What decides which value a variable has after a step."""
    yield effect.to
    if step.when is not None:
        yield step.when
    loop = step.for_each
    if loop is not None:
        if loop.slot in free_variables(effect.to) or loop.condition is not None:
            yield loop.over
        if loop.condition is not None:
            yield loop.condition


__all__ = ["HiddenVariables", "find_hidden_variables"]

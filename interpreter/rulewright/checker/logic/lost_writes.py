"""Is what a step sets or rolls gone before anything reads it, since the state begins anew?

In: rules, and the composition they were built from. Out: warnings about steps of the round, or of the turn, behind
which nothing reads the state any more before the next one begins. Under variants only what a variant wrote.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.checker.common.lint_codes import CHANGES_NOTHING
from rulewright.checker.common.names_touched import NO_NAMES, POSSIBLE, Names, NamesTouched
from rulewright.diagnostics import Diagnostics
from rulewright.expr.tree import Constant
from rulewright.model.effects import Choose, Roll, SetState, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.model.traversal import asked_exprs, blocks_within, choice_exprs, offered_actions, run_blocks


def check_lost_writes(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    names = NamesTouched(rules)
    passing = {one.name: one.reset_scope for one in rules.states.values() if one.reset_scope in ("turn", "round")}
    if not passing:
        return
    at_the_end = NO_NAMES.union(
        *(names.read(expr) for expr in (*(one.of for one in rules.ranking), *(one.of for one in rules.measures))),
        *_read_in(rules, names, rules.blocks[rules.finale].steps),
        *(names.read(one.condition) for one in rules.invariants),
    )
    for scope, block in (("round", rules.round), ("turn", rules.turn)):
        around = rules.blocks[rules.round].steps if scope == "turn" else ()
        steps = rules.blocks[block].steps
        outside = at_the_end.union(*_read_in(rules, names, around, but=rules.turn))
        for index, step in enumerate(steps):
            if not isinstance(step.effect, SetState | Roll) or passing.get(step.effect.target.name) != scope:
                continue
            if isinstance(step.effect, SetState) and isinstance(step.effect.to, Constant):
                continue  # who sets it back here, too, is only careful
            name = step.effect.target.name
            read = outside.union(*_read_in(rules, names, steps[index + 1 :]))
            is_own = composition.is_judged(step.span)
            if is_own and name not in read and POSSIBLE not in read:
                message = f"`{name}` begins anew with each {scope}, and nothing reads it between this step and then"
                hint = "do this before the steps that read it, or leave out `resets`"
                diagnostics.add(
                    step.span, CHANGES_NOTHING, message, label="never read", help=hint, address=step.address
                )


def _read_in(rules: Rules, names: NamesTouched, steps: Sequence[Step], but: int | None = None) -> Iterator[Names]:
    """What steps read, with all that they run and offer; without those of a block, if one is given."""
    inner = {block for step in steps for block in run_blocks(rules, step.effect) if block != but}
    of_blocks = [step for block in blocks_within(rules, inner) - {but} for step in rules.blocks[block].steps]
    for step in (*steps, *of_blocks):
        yield from map(names.read, asked_exprs(step))
        if isinstance(step.effect, Choose):
            for action in (rules.actions[number] for number in offered_actions(step.effect)):
                yield from (names.read(clause.condition) for clause in action.clauses)
                yield from (names.read(expr) for choice in action.choices for expr in choice_exprs(choice))


__all__ = ["check_lost_writes"]

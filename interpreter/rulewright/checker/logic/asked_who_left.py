"""Can somebody be chosen to decide who has left the game?

In: rules, and the composition they were built from. Out: warnings about choices of a player among all that there are,
where a step of the action asks the one that is chosen: who has left is not asked, so nothing is done. What is asked of
the chosen one besides must have nothing to do with leaving. Under variants only what a variant wrote.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.judged_in import judged_in
from rulewright.checker.common.lint_codes import CHANGES_NOTHING
from rulewright.checker.common.names_touched import NO_NAMES, POSSIBLE, Names, NamesTouched
from rulewright.checker.common.rules_read import steps_within
from rulewright.checker.logic.counts_of_who_left import AT_LEAST_THREE, ends_with_the_first
from rulewright.checker.logic.leaving_players import leave_together
from rulewright.diagnostics import Diagnostics, Related
from rulewright.expr.tree import Builtin, Compare, Filter, Local
from rulewright.expr.types import SEAT
from rulewright.expr.walk import conjuncts, free_variables, is_everyone, iter_exprs, slot_but_me
from rulewright.model.actions import ActionDef, Choice, OneOf
from rulewright.model.effects import Choose, GiveTurn, Leave, RunSteps, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import ELIMINATION_STATE, Rules
from rulewright.model.traversal import asked_exprs


def check_asked_who_left(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    steps = [step for block in rules.blocks for step in block.steps]
    leaving = [step for step in steps if isinstance(step.effect, Leave)]
    if rules.players < AT_LEAST_THREE or not leaving or any(map(leave_together, leaving)):
        return
    chosen = [each for action in judged_in(rules, composition).actions for each in _chosen_to_decide(action, rules)]
    if not chosen or _asks_whether_in(rules) or any(ends_with_the_first(step, rules.players) for step in steps):
        return
    names = NamesTouched(rules)
    noticed = _noticed_of_leaving(rules, names, leaving)
    for action, slot, step in chosen:
        choice = action.choices[slot]
        asked = _asked_of(action, slot, names)
        node = condition_node(composition.document.root, choice.address, "one_of")
        if node is None or not composition.is_judged(node.span) or not noticed.isdisjoint(asked) or POSSIBLE in asked:
            continue
        diagnostics.add(
            node.span,
            CHANGES_NOTHING,
            f"`{choice.name}` may be a player who has left, whom `{step.address}` does not ask: then nothing is done",
            label="may have left",
            help="write `others`, or `each player in everyone where …`: `everyone` is who is still in",
            address=choice.address,
            related=[Related(step.span, "asks nobody then"), Related(leaving[0].span, "who leaves is not asked again")],
        )


def _chosen_to_decide(action: ActionDef, rules: Rules) -> Iterator[tuple[ActionDef, int, Step]]:
    """The choices of one of all players whom a step then lets decide: the action, the slot and the step."""
    for slot, choice in enumerate(action.choices):
        if _is_among_all(choice):
            for step in steps_within(action.block, rules.blocks):
                if isinstance(step.effect, Choose) and isinstance(step.by, Local) and step.by.slot == slot:
                    yield action, slot, step
                    break


def _is_among_all(choice: Choice) -> bool:
    """Whether a choice is among all players, at most without oneself, whether they are still in or not."""
    of = choice.domain.of if isinstance(choice.domain, OneOf) else None
    if isinstance(of, Filter) and of.condition is not None:
        if not all(slot_but_me(part) == of.slot for part in conjuncts(of.condition)):
            return False
        of = of.over
    return isinstance(of, Builtin) and of.name == SEAT.kind


def _asks_whether_in(rules: Rules) -> bool:
    """Whether rules ask anywhere if a player is still in: they may keep away from who is not."""
    exprs = [expr for block in rules.blocks for step in block.steps for expr in asked_exprs(step)]
    exprs += [clause.condition for action in rules.actions for clause in action.clauses]
    exprs += [term for value in rules.values.values() for _, term in (*value.terms, *value.deductions)]
    return any(
        isinstance(part, Compare) and part.op in ("in", "not in") and is_everyone(part.right)
        for expr in exprs
        for part in iter_exprs(expr)
    )


def _asked_of(action: ActionDef, slot: int, names: NamesTouched) -> Names:
    """What the clauses of an action ask that are about one of its choices."""
    asked = (clause.condition for clause in action.clauses if slot in free_variables(clause.condition))
    return NO_NAMES.union(*map(names.read, asked))


def _noticed_of_leaving(rules: Rules, names: NamesTouched, leaving: Sequence[Step]) -> Names:
    """What may show that somebody has left: on what it depends, and what the steps beside it write."""
    found = NO_NAMES | {ELIMINATION_STATE}
    for block in rules.blocks:
        beside = [step for step in block.steps if step in leaving or _leaves_within(step, rules)]
        if not beside:
            continue
        found = found.union(*(names.read(expr) for step in beside for expr in asked_exprs(step)))
        found = found.union(
            *(names.written(step) for step in block.steps if not isinstance(step.effect, Choose | GiveTurn))
        )
    return found


def _leaves_within(step: Step, rules: Rules) -> bool:
    """Whether a step runs others by which somebody leaves; not what it offers, or what is done in a turn."""
    inner = steps_within(step.effect.block, rules.blocks) if isinstance(step.effect, RunSteps) else ()
    return any(isinstance(each.effect, Leave) for each in inner)


__all__ = ["check_asked_who_left"]

"""Can a player take one turn after another for ever, by an action that costs nothing and gives another turn?

In: rules, and the composition they were built from. Out: warnings at steps that give the extra turn, where it is sure:
no condition stands before it, nothing is moved in such a turn, and what the turn changes is asked by no condition of
the action, of its offer, of an end of the game or of a player's leaving, and by no criterion of the ranking. What a
turn sets back counts as changed. Under variants it is told at what one of them wrote, or at the change without which it
is otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.checker.common.change_causes import blamed, is_by_variants
from rulewright.checker.common.lint_codes import NEVER_ENDS
from rulewright.checker.common.names_touched import NO_NAMES, POSSIBLE, Names, NamesTouched
from rulewright.diagnostics import Diagnostics, Related
from rulewright.expr.walk import is_me
from rulewright.frozen import frozen
from rulewright.model.actions import ActionDef
from rulewright.model.effects import Choose, Finish, GiveTurn, Leave, Offer, RunSteps, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.model.traversal import blocks_within, choice_exprs, run_blocks, step_exprs

TURN_HINT: Final = "let it use something up, or allow it once a round with a state that has `resets: round`"


@frozen
class _Endless:
    """An action that can be done turn after turn: the step that gives the turn, the one that offers the action."""

    action: ActionDef
    again: Step
    offered: Step


def check_endless_extra_turns(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports each such action."""
    if any(one.code is NEVER_ENDS for one in diagnostics):
        return
    for found in _find(rules):
        message = f"`{found.action.name}` can be done turn after turn, for ever: it uses nothing up"
        span = found.again.span
        if composition.chosen_variants:
            if not is_by_variants(composition, _is_right):
                return
            if not composition.is_judged(span):
                message, span = blamed(message, found.again.address, composition, _is_right)
        related = [Related(found.offered.span, "offered in each turn")]
        diagnostics.add(
            span,
            NEVER_ENDS,
            message,
            label="another turn each time",
            help=TURN_HINT,
            address=found.again.address,
            related=related,
        )


def _is_right(rules: Rules) -> bool:
    return not _find(rules)


def _find(rules: Rules) -> list[_Endless]:
    """The actions of a turn that can be done for ever."""
    turns = {
        action.index: again
        for action, again in turns_given_back(rules)
        if isinstance(again.effect, GiveTurn) and again.effect.is_extra
    }
    if not turns:
        return []
    names, found = NamesTouched(rules), dict[int, _Endless]()
    for step in sure_steps(rules, rules.turn):
        choose = step.effect
        if not isinstance(choose, Choose) or choose.mode not in ("must", "may") or not _is_single(step):
            continue
        for offer in choose.offers:
            action = rules.actions[offer.action]
            if action.index in turns and action.index not in found and _is_endless(rules, names, step, offer):
                found[action.index] = _Endless(action, turns[action.index], step)
    return [*found.values()]


def turns_given_back(rules: Rules) -> Iterator[tuple[ActionDef, Step]]:
    """The actions that give who does them another turn, whatever happens, and the first step of each that does."""
    for action in rules.actions:
        for step in sure_steps(rules, action.block):
            effect = step.effect if step.when is None and _is_single(step) else None
            if isinstance(effect, GiveTurn) and is_me(effect.seat):
                yield action, step
                break


def sure_steps(rules: Rules, block: int, around: frozenset[int] = frozenset()) -> Iterator[Step]:
    """The steps of a block, and of blocks that it runs whatever happens."""
    for step in rules.blocks[block].steps:
        yield step
        effect = step.effect if step.when is None and _is_single(step) else None
        if isinstance(effect, RunSteps) and effect.block not in around:
            yield from sure_steps(rules, effect.block, around | {block})


def _is_single(step: Step) -> bool:
    """Whether it is done once, by the player whose turn it is."""
    return not step.is_repeated and step.by is None


def _is_endless(rules: Rules, names: NamesTouched, step: Step, offer: Offer) -> bool:
    """Whether nothing that a turn with this action changes can end the game, or keep from doing it again."""
    action = rules.actions[offer.action]
    if _has(rules, action.block, Choose, Finish, Leave):
        return False
    beside = [*_steps_beside(rules, rules.turn, step)]
    if any(_is_last(rules, each) for each in beside):
        return False
    changed = names.written_in(action.block).union(
        *(names.written(each) for each in beside if not isinstance(each.effect, Finish | Leave))
    )
    changed |= {state.name for state in rules.states.values() if state.reset_scope == "turn"}
    asked = [clause.condition for clause in (*action.clauses, *offer.clauses)]
    asked += [expr for choice in action.choices for expr in choice_exprs(choice)]
    asked += [] if step.when is None else [step.when]
    asked += [criterion.of for criterion in rules.ranking]
    read = NO_NAMES.union(*map(names.read, asked), _asked_by_ends(rules, names))
    return POSSIBLE not in read and changed.isdisjoint(read) and changed.isdisjoint(rules.zones)


def _has(rules: Rules, block: int, *effects: type[object]) -> bool:
    """Whether there is such a step among all that a block runs or offers."""
    within = (step for each in blocks_within(rules, (block,)) for step in rules.blocks[each].steps)
    return any(isinstance(step.effect, effects) for step in within)


def _steps_beside(rules: Rules, block: int, offered: Step) -> Iterator[Step]:
    """The steps of a turn besides the one that offers the action."""
    for step in rules.blocks[block].steps:
        if isinstance(step.effect, RunSteps) and offered in sure_steps(rules, step.effect.block):
            yield from _steps_beside(rules, step.effect.block, offered)
        elif step is not offered:
            yield step


def _is_last(rules: Rules, step: Step) -> bool:
    """Whether a step of a turn can end the game although nothing that is known asks for it."""
    match step.effect:
        case Choose(mode=mode):
            return mode != "may" and any(_has(rules, block, Finish, Leave) for block in run_blocks(rules, step.effect))
        case Finish() | Leave():
            return step.when is None
        case RunSteps(block=block):
            return any(_is_last(rules, inner) for inner in rules.blocks[block].steps)
    return False


def _asked_by_ends(rules: Rules, names: NamesTouched) -> Names:
    """What decides whether the game ends, or somebody leaves it."""
    ending = {number for number in range(len(rules.blocks)) if _has(rules, number, Finish, Leave)}
    asked = NO_NAMES
    for step in (step for block in rules.blocks for step in block.steps):
        if isinstance(step.effect, Finish | Leave) or not ending.isdisjoint(run_blocks(rules, step.effect)):
            asked = asked.union(*map(names.read, step_exprs(step)))
    return asked


__all__ = ["TURN_HINT", "check_endless_extra_turns", "sure_steps", "turns_given_back"]

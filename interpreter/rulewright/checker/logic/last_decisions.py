"""Is there a flag that is never taken back, behind which nobody decides anything any more and the game goes on?

In: rules, and the composition they were built from. Out: warnings about flags of the whole game that begin as false and
that steps only ever set to true, where every decision is only met while they are false and no end asks about them: from
then on rounds go by in which nobody does anything. And about flags that note whether something holds of what was
chosen, for a later step of the same action that acts on it: nothing takes them back, so from the first time on it is
done each time. Under variants only what a variant wrote.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.checker.common.lint_codes import NEVER_SET_BACK
from rulewright.checker.common.names_touched import NamesTouched
from rulewright.checker.common.steps_asked import sets_state
from rulewright.diagnostics import Diagnostics, Related
from rulewright.document.address import find_entry
from rulewright.expr.tree import Compare, Constant, Expr, Not, ReadState
from rulewright.expr.types import Flag
from rulewright.expr.walk import conjuncts, free_variables
from rulewright.model.effects import Choose, Finish, Leave, Move, SetState, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules, StateDef
from rulewright.model.traversal import run_blocks, step_exprs


def check_last_decisions(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them; of what is reported already to be set back by nothing no more is said."""
    reported = {one.address for one in diagnostics if one.code is NEVER_SET_BACK}
    flags = [state for state in _lasting_flags(rules) if state.address not in reported]
    if not flags:
        return
    names = NamesTouched(rules)
    for state in flags:
        entry = find_entry(composition.document.root, state.address)
        if entry is None:
            continue
        span = entry.key.span
        if not composition.is_judged(span):
            continue
        noted = _noted(rules, state.name)
        if _asks(_ends(rules), state.name, names) or not (noted or _rules_out_decisions(rules, state.name, names)):
            continue
        if noted is not None:
            setting, acting = noted
            message = (
                f"`{state.name}` notes what `{acting.address}` asks, and nothing sets it back: once true it is so "
            )
            message += "each time"
            related = [Related(setting.span, "set to true here"), Related(acting.span, "done each time from then on")]
        else:
            message = f"once `{state.name}` is true nobody decides anything any more, and the game goes on"
            related = [Related(step.span, "set to true here") for step in _setting(rules, state.name)][:1]
        hint = "write `resets: turn`, or `resets: round`, or set it to `false` before"
        diagnostics.add(
            span, NEVER_SET_BACK, message, label="never set back", help=hint, address=state.address, related=related
        )


def _lasting_flags(rules: Rules) -> Iterator[StateDef]:
    """Flags of the whole game that begin as false, and that steps only set to true."""
    for state in rules.states.values():
        begins = state.initial_value
        if not isinstance(state.type, Flag) or state.key_types or state.reset_scope:
            continue
        if not isinstance(begins, Constant) or begins.value:
            continue
        writers = [step.effect for block in rules.blocks for step in block.steps if sets_state(step, state.name)]
        if writers and all(isinstance(one, SetState) and _is_true(one.to) for one in writers):
            yield state


def _is_true(expr: Expr) -> bool:
    return isinstance(expr, Constant) and isinstance(expr.type, Flag) and bool(expr.value)


def _setting(rules: Rules, name: str) -> Iterator[Step]:
    for step in (step for block in rules.blocks for step in block.steps):
        if isinstance(step.effect, SetState) and step.effect.target.name == name:
            yield step


def _ends(rules: Rules) -> Iterator[Expr]:
    """What is asked where the game ends or somebody leaves it."""
    for step in (step for block in rules.blocks for step in block.steps):
        if isinstance(step.effect, Finish | Leave):
            yield from step_exprs(step)


def _asks(exprs: Iterable[Expr], name: str, names: NamesTouched) -> bool:
    return any(name in names.read(expr) for expr in exprs)


# ---- decisions ----------------------------------------------------------------------------------------------------


def _rules_out_decisions(rules: Rules, name: str, names: NamesTouched) -> bool:
    """Whether the rounds hold decisions, and all of them are behind conditions that a flag be false."""
    met = list(_decisions(rules, rules.round, name, set()))
    return bool(met) and not any(met)


def _decisions(rules: Rules, block: int, name: str, around: set[int]) -> Iterator[bool]:
    """For each decision below a block, whether it is met also where a flag is true."""
    if block in around:
        return
    for step in rules.blocks[block].steps:
        conditions = [expr for expr in (step.when, step.while_condition) if expr is not None]
        is_barred = any(_is_false(part, name) for expr in conditions for part in conjuncts(expr))
        if isinstance(step.effect, Choose):
            yield not is_barred
            continue
        for inner in run_blocks(rules, step.effect):
            met = list(_decisions(rules, inner, name, around | {block}))
            yield from (is_free and not is_barred for is_free in met)


def _is_false(part: Expr, name: str) -> bool:
    """Whether a condition says that a flag is false."""
    match part:
        case Not(of=ReadState() as read):
            return read.name == name
        case Compare(op="is", left=ReadState() as read, right=Constant(value=value, type=Flag())):
            return read.name == name and not value
    return False


# ---- what was noted -----------------------------------------------------------------------------------------------


def _noted(rules: Rules, name: str) -> tuple[Step, Step] | None:
    """The step of an action that notes whether something holds of what was chosen, and the one that acts on it."""
    for action in rules.actions:
        steps = rules.blocks[action.block].steps
        slots = frozenset(range(len(action.choices)))
        for index, setting in enumerate(steps):
            effect = setting.effect
            if not isinstance(effect, SetState) or effect.target.name != name or setting.when is None:
                continue
            about = free_variables(setting.when) & slots
            for acting in steps[index + 1 :]:
                if isinstance(acting.when, ReadState) and acting.when.name == name and isinstance(acting.effect, Move):
                    read = frozenset().union(*map(free_variables, step_exprs(acting)))
                    if about & read:
                        return setting, acting
    return None


__all__ = ["check_last_decisions"]

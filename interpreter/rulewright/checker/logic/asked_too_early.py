"""Is a round's first step about what players only decide later in the round?

In: rules, and the composition they were built from. Out: warnings about steps of a round that ask for a state which
nothing but an action sets that is offered later in the round, where nothing asks for it from then on and it is not said
with what it begins: in the first round nobody has decided anything. Under variants only what a variant wrote.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.checker.common.lint_codes import READ_BEFORE_SET
from rulewright.checker.common.names_touched import NamesTouched
from rulewright.checker.common.rules_read import asked_within
from rulewright.checker.common.steps_asked import sets_state
from rulewright.diagnostics import Diagnostics, Related
from rulewright.document.address import find_entry
from rulewright.expr.tree import Compare, Constant, Expr
from rulewright.expr.walk import iter_exprs
from rulewright.model.effects import Choose, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules, StateDef
from rulewright.model.traversal import asked_exprs, blocks_within, run_blocks


def check_asked_too_early(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    names, steps = NamesTouched(rules), rules.blocks[rules.round].steps
    written = [names.written(step) for step in steps]
    questions = [[(expr, names.read(expr)) for expr in asked_within(step, rules)] for step in steps]
    for state in rules.states.values():
        is_begun = find_entry(composition.document.root, f"{state.address}.start") is not None
        setting = [number for number, states in enumerate(written) if state.name in states]
        if is_begun or state.block_address or len(setting) != 1:
            continue
        asked = [[expr for expr, read in of_step if state.name in read] for of_step in questions]
        found = _early_step(state, setting[0], asked, rules, names)
        if found is None or not composition.is_judged(found[0].span):
            continue
        early, deciding = found
        message = f"this asks for `{state.name}`, which players only set in `{deciding.address}`, after it"
        hint = f"put `{deciding.address}` before it; in the first round nobody has set anything yet"
        related = [Related(deciding.span, "decided here")]
        diagnostics.add(
            early.span, READ_BEFORE_SET, message, label="too early", help=hint, address=early.address, related=related
        )


def _early_step(
    state: StateDef, setting: int, asked: Sequence[Sequence[Expr]], rules: Rules, names: NamesTouched
) -> tuple[Step, Step] | None:
    """The first step of a round that asks for a state, and the later one in which it is decided. `setting`: which step
    of the round sets it; `asked`: what each of them asks of it.
    """
    steps = rules.blocks[rules.round].steps
    asking = [number for number, exprs in enumerate(asked) if exprs]
    if not asking or asking[-1] >= setting:
        return None
    deciding = steps[setting]
    inner = blocks_within(rules, run_blocks(rules, deciding.effect))
    offered = {action.block for action in rules.actions if action.block in inner}
    offers = [deciding, *(step for block in inner for step in rules.blocks[block].steps)]
    writers = {
        number for number, block in enumerate(rules.blocks) if any(sets_state(step, state.name) for step in block.steps)
    }
    within_actions = {each for block in offered for each in blocks_within(rules, (block,))}
    if not any(isinstance(step.effect, Choose) for step in offers) or not writers or not writers <= within_actions:
        return None
    is_tested = any(_tests_for_none(expr) for exprs in asked for expr in exprs)
    return None if is_tested or _is_read_outside(state, rules, names) else (steps[asking[0]], deciding)


def _is_read_outside(state: StateDef, rules: Rules, names: NamesTouched) -> bool:
    """Whether anything but what a round consists of asks for a state."""
    within = blocks_within(rules, (rules.round,))
    others = (step for number, block in enumerate(rules.blocks) if number not in within for step in block.steps)
    exprs = [expr for step in others for expr in asked_exprs(step)]
    exprs += [*(one.of for one in rules.ranking), *(one.of for one in rules.measures)]
    exprs += [one.condition for one in rules.invariants]
    return any(state.name in names.read(expr) for expr in exprs)


def _tests_for_none(expr: Expr) -> bool:
    """Whether something is compared with nothing, as nobody has decided yet."""
    return any(
        isinstance(part, Compare) and any(isinstance(s, Constant) and s.value is None for s in (part.left, part.right))
        for part in iter_exprs(expr)
    )


__all__ = ["check_asked_too_early"]

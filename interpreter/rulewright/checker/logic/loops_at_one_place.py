"""Does a loop go from place to place, and act on one that stays the same?

In: rules, and the composition they were built from. Out: warnings about moves in a loop which sets a state to the next
place each time, where nothing in the loop asks this state, and the move names a place of the same kind by something
that does not change in it. Under variants only what a variant wrote.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import CHANGES_NOTHING
from rulewright.checker.common.names_touched import NamesTouched
from rulewright.checker.common.rules_read import steps_within
from rulewright.diagnostics import Diagnostics, Related
from rulewright.expr.tree import Builtin, Constant, Expr, Local, Place, ReadState, StateTarget
from rulewright.expr.types import Member
from rulewright.expr.walk import iter_exprs
from rulewright.model.effects import Choose, GiveTurn, Move, RunSteps, SetState, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.model.traversal import step_exprs
from rulewright.source.nodes import ScalarNode


def check_loops_at_one_place(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    names = NamesTouched(rules)
    for loop in (step for block in rules.blocks for step in block.steps):
        if loop.times is None and loop.while_condition is None:
            continue
        for going, step, key, where in _passing(loop, rules, names):
            node = condition_node(composition.document.root, step.address, where)
            span = node.subspan(*key.offsets) if isinstance(node, ScalarNode) else step.span
            if not composition.is_judged(span):
                continue
            assert isinstance(going.effect, SetState)
            name = going.effect.target.name
            text = node.text[slice(*key.offsets)].strip() if isinstance(node, ScalarNode) else "this"
            message = f"each time `{name}` goes on to another place, and this stays at `{text}`"
            related = [Related(going.span, f"`{name}` goes on here, and nothing in the loop asks it")]
            diagnostics.add(
                span,
                CHANGES_NOTHING,
                message,
                label="the same place each time",
                help=f"did you mean `{name}`?",
                address=step.address,
                related=related,
            )
            return


def _passing(loop: Step, rules: Rules, names: NamesTouched) -> Iterator[tuple[Step, Step, Expr, str]]:
    """The step of a loop that goes on to another place, the move that does not, its key and where that is written."""
    if not isinstance(loop.effect, RunSteps) or loop.effect.is_procedure:
        return
    inner = [*steps_within(loop.effect.block, rules.blocks)]
    if any(isinstance(step.effect, Choose | GiveTurn | RunSteps) for step in inner):
        return  # who looks at the state then is not followed
    for going in inner:
        target = _goes_on(going)
        if target is None or not isinstance(target.type, Member):
            continue
        asked = [expr for step in inner if step is not going for expr in step_exprs(step)]
        asked += [expr for expr in (loop.while_condition, going.when) if expr is not None]
        if any(target.name in names.read(expr) for expr in asked):
            continue
        changed = {step.effect.target.name for step in inner if isinstance(step.effect, SetState)}
        moves = [(step, place, where) for step in inner for place, where in _places(step)]
        for step, place, where in moves:
            types = rules.zones[place.zone].key_types
            for key, type_ in zip(place.keys, types, strict=False):
                if type_ == target.type and _is_steady(key, step, changed):
                    yield going, step, key, where


def _goes_on(step: Step) -> StateTarget | None:
    """The state that a step sets to something that depends on what it was."""
    effect = step.effect
    if not isinstance(effect, SetState) or step.for_each is not None:
        return None
    reads = (part for part in iter_exprs(effect.to) if isinstance(part, ReadState))
    return effect.target if any(read.name == effect.target.name for read in reads) else None


def _places(step: Step) -> Iterator[tuple[Place, str]]:
    move = step.effect
    if isinstance(move, Move) and step.for_each is None:
        yield move.to, "to"
        if move.source is not None:
            yield move.source, "from"


def _is_steady(key: Expr, step: Step, changed: set[str]) -> bool:
    """Whether a key is the same each time."""
    match key:
        case Constant() | Builtin(name="me" | "first_player"):
            return True
        case Local():
            return True
        case ReadState(name=name, keys=()):
            return name not in changed
    return False


__all__ = ["check_loops_at_one_place"]

"""Variables of blocks: rules use them only while the block is under way, and it does not begin again inside of itself.

In: expressions as they were read, with their addresses, and the steps. Out: diagnostics.

A block is under way for its own steps and for all that they run: procedures, values, actions that they offer, turns
that they give. So what is wrong is found from outside: whatever can be reached from the sections of the game without
going through the block must not use its variables. Sections, actions, procedures and values are the units that are
reached; the parts of a unit that are inside of the block do not count. Example: `round.auction` has the variable `bid`,
and offers `raise`, which sets it. When `turn` offers `raise` as well, `actions.raise` is reached from outside, and its
use of `bid` is reported, with the step of `turn` beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from rulewright.diagnostics import Diagnostics, Related, Span
from rulewright.document.language import FLOW_SECTIONS
from rulewright.expr.tree import Call, ReadState, ReadValue
from rulewright.expr.walk import iter_exprs
from rulewright.frozen import frozen
from rulewright.model import codes
from rulewright.model.actions import ActionDef
from rulewright.model.effects import Block, Choose, GiveTurn, RunSteps
from rulewright.model.expr_reader import ReadExpr, Usage
from rulewright.model.rules import StateDef
from rulewright.model.traversal import offered_actions

TURN: Final = "turn"
UNIT_SECTIONS: Final = ("actions", "procedures", "values")  # whose entries are units


@frozen
class _Use:
    """Something at an address needs a unit, or a state variable."""

    address: str
    name: str
    span: Span


def check_block_states(
    states: Mapping[str, StateDef],
    blocks: Sequence[Block],
    actions: Sequence[ActionDef],
    usage: Usage,
    diagnostics: Diagnostics,
) -> None:
    """Reports uses of a block's variables where the block may not be under way, and blocks that begin in themselves."""
    own = [state for state in states.values() if state.block_address]
    if not own:
        return
    calls: dict[str, list[_Use]] = {}  # by the unit in which they are
    uses: dict[str, list[_Use]] = {}  # by the state
    for use in (*_step_calls(blocks, actions), *_value_calls(usage.expressions)):
        calls.setdefault(_unit(use.address), []).append(use)
    for use in _state_uses(usage):
        uses.setdefault(use.name, []).append(use)
    for state in own:
        outside = _reached_outside(state.block_address, calls)
        for use in uses.get(state.name, ()):
            unit = _unit(use.address)
            if unit in outside and not _is_inside(use.address, state.block_address):
                _report_use(use, state, outside.pop(unit), diagnostics)  # once for each unit
    for address in dict.fromkeys(state.block_address for state in own):
        again = _begun_inside(address, calls)
        if again is not None:
            diagnostics.add(
                again.span,
                codes.CYCLE,
                f"the steps of `{address}` have variables, and can begin anew while they are under way",
                label="begins them again",
                help="a state of the game lasts; a block in a procedure, outside of the turn, begins once",
                address=again.address,
            )


def _report_use(use: _Use, state: StateDef, call: _Use | None, diagnostics: Diagnostics) -> None:
    related = [] if call is None or call.span == use.span else [Related(call.span, "not inside of it")]
    diagnostics.add(
        use.span,
        codes.OUTSIDE_BLOCK,
        f"`{state.name}` is there only while the steps of `{state.block_address}` are under way",
        label="may be used outside of them",
        help="what is used elsewhere, too, belongs in the section `state`",
        address=use.address,
        related=related,
    )


def _unit(address: str) -> str:
    """What is reached as a whole: an action, a procedure, a value, the turn; of anything else its section."""
    section, _, rest = address.partition(".")
    return f"{section}.{rest.partition('.')[0]}" if section in UNIT_SECTIONS else section


def _is_inside(address: str, block_address: str) -> bool:
    return address.startswith(f"{block_address}.")


def _reached_outside(block_address: str, calls: Mapping[str, Sequence[_Use]]) -> dict[str, _Use | None]:
    """The units that can be reached without the block being under way, with how; None: nothing has to reach them."""
    found: dict[str, _Use | None] = {
        unit: None for unit in (*calls, *FLOW_SECTIONS) if unit.partition(".")[0] not in (*UNIT_SECTIONS, TURN)
    }
    found |= dict.fromkeys(("ranking", "invariants", "measures", "evaluation", "strategies"))
    waiting = list(found)
    while waiting:
        for call in calls.get(waiting.pop(), ()):
            if call.name not in found and not _is_inside(call.address, block_address):
                found[call.name] = call
                waiting.append(call.name)
    return found


def _begun_inside(block_address: str, calls: Mapping[str, Sequence[_Use]]) -> _Use | None:
    """What the steps of a block need through which they can begin again; None when nothing does."""
    goal = _unit(block_address)
    for first in calls.get(goal, ()):
        if not _is_inside(first.address, block_address):
            continue
        seen, waiting = {first.name}, [first.name]
        while waiting:
            unit = waiting.pop()
            if unit == goal:
                return first
            for call in calls.get(unit, ()):
                if call.name not in seen:
                    seen.add(call.name)
                    waiting.append(call.name)
    return None


def _step_calls(blocks: Sequence[Block], actions: Sequence[ActionDef]) -> Iterator[_Use]:
    """What steps run: actions, procedures, turns. Extra turns follow a turn, and are where that one is."""
    for block in blocks:
        for step in block.steps:
            match step.effect:
                case Choose() as choose:
                    for action in offered_actions(choose):
                        yield _Use(step.address, actions[action].address, step.span)
                case RunSteps(block=inner, is_procedure=True):
                    yield _Use(step.address, _unit(blocks[inner].address), step.span)
                case GiveTurn(is_extra=False):
                    yield _Use(step.address, TURN, step.span)


def _value_calls(expressions: Iterable[ReadExpr]) -> Iterator[_Use]:
    """The values that expressions read, and the actions of which they ask whether they are possible."""
    for read in expressions:
        for part in iter_exprs(read.expr):
            if isinstance(part, ReadValue):
                yield _Use(read.address, f"values.{part.name}", read.node.subspan(*part.offsets))
            elif isinstance(part, Call) and part.action:
                yield _Use(read.address, f"actions.{part.action}", read.node.subspan(*part.offsets))


def _state_uses(usage: Usage) -> Iterator[_Use]:
    for read in usage.expressions:
        for part in iter_exprs(read.expr):
            if isinstance(part, ReadState):
                yield _Use(read.address, part.name, read.node.subspan(*part.offsets))
    for target in usage.state_targets:
        yield _Use(target.address, target.name, target.node.span)


__all__ = ["check_block_states"]

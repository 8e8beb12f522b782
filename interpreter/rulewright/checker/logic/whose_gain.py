"""Does what the ranking compares, or an end asks about, belong to a player who is always the same, or never who plays?

In: rules, and the composition they were built from. Out: warnings about steps that bring what the ranking counts to the
first player only; about actions that bring it to the next player or the opponent only, where the most win; and about an
end that asks only the first player for what the ranking compares. Under variants only what a variant wrote.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rulewright.checker.common.condition_nodes import part_span
from rulewright.checker.common.lint_codes import OTHER_PLAYER
from rulewright.checker.common.rules_read import all_parts
from rulewright.checker.logic.empty_zones import empty_at_the_start
from rulewright.diagnostics import Diagnostics, Span
from rulewright.engine.faults import RuleFault
from rulewright.expr.tree import Arithmetic, Builtin, Call, Expr, Local, Logic, ReadState, ReadValue, ReadZone
from rulewright.expr.types import SEAT
from rulewright.expr.walk import is_me, iter_exprs
from rulewright.frozen import frozen
from rulewright.model.effects import Finish, Move, Roll, SetState, Step
from rulewright.model.facts.move_sources import find_move_sources
from rulewright.model.loader import Composition
from rulewright.model.rules import Criterion, Rules
from rulewright.model.traversal import blocks_within, filled_zones, step_exprs

FIRST: Final = "first_player"
ANOTHER: Final = "another"
ANYBODY: Final = "anybody"
KeyedRead = ReadState | ReadZone | ReadValue


@frozen
class _Gain:
    """A step that brings something to a place, or sets a state: whose it is, and where that is written."""

    step: Step
    whose: str
    key: Expr
    node_key: str


def check_whose_gain(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    if rules.players < 2 or not rules.ranking:
        return
    gains = _gains(rules)
    for criterion in rules.ranking:
        gain = _one_sided(criterion, rules, gains)
        if gain is not None:
            _report_gain(gain, composition, diagnostics)
            break
    for step, read in _ends_of_first(rules):
        span = part_span(composition.document.root, step.address, "when", read, step.span)
        message = f"this asks only the first player, and the ranking compares `{read.name}` of all"
        hint = f"ask about who plays, `{read.name}(me)`, or about anybody: `some player has {read.name}(player) …`"
        _add(span, message, "always the first player", hint, step.address, composition, diagnostics)


def _report_gain(gain: _Gain, composition: Composition, diagnostics: Diagnostics) -> None:
    span = part_span(composition.document.root, gain.step.address, gain.node_key, gain.key, gain.step.span)
    if gain.whose == FIRST:
        message, label = "what the ranking compares only ever comes to the first player", "always the first player"
    else:
        message, label = "what the ranking compares never comes to who plays, only to another player", "another player"
    _add(span, message, label, "who plays is `me`", gain.step.address, composition, diagnostics)


def _add(
    span: Span,
    message: str,
    label: str,
    hint: str,
    address: str,
    composition: Composition,
    diagnostics: Diagnostics,
) -> None:
    if composition.is_judged(span):
        diagnostics.add(span, OTHER_PLAYER, message, label=label, help=hint, address=address)


# ---- what comes to whom -------------------------------------------------------------------------------------------


def _gains(rules: Rules) -> Mapping[str, Sequence[_Gain]]:
    """The steps outside the set-up that bring something to a zone or set a state, by its name."""
    found: dict[str, list[_Gain]] = {}
    in_turns = blocks_within(rules, (rules.turn,))
    for number in sorted(blocks_within(rules, (rules.turn, rules.round, rules.finale))):
        for step in rules.blocks[number].steps:
            match step.effect:
                case Move(to=to):
                    name, keys, types, node_key = to.zone, to.keys, rules.zones[to.zone].key_types, "to"
                case SetState(target=target) | Roll(target=target):
                    name, keys, types = target.name, target.keys, rules.states[target.name].key_types
                    node_key = "set" if isinstance(step.effect, SetState) else "roll"
                case _:
                    continue
            for key, type_ in zip(keys, types, strict=False):
                if type_ == SEAT:
                    whose = _whose(key) if number in in_turns else ANYBODY
                    found.setdefault(name, []).append(_Gain(step, whose, key, node_key))
    return found


def _whose(key: Expr) -> str:
    match key:
        case Builtin(name="first_player"):
            return FIRST
        case Builtin(name="opponent"):
            return ANOTHER
        case Call(function="next", args=(of,)) if is_me(of):
            return ANOTHER
    return ANYBODY


def _one_sided(criterion: Criterion, rules: Rules, gains: Mapping[str, Sequence[_Gain]]) -> _Gain | None:
    """The first step that brings what a criterion compares, where all of them bring it to one who cannot be meant."""
    parts = [*all_parts(rules.values, [criterion.of])]
    names = {part.name for part in parts if isinstance(part, ReadZone | ReadState)}
    if any(name in rules.zones and rules.zones[name].refill is not None for name in names):
        return None
    found = [gain for name in sorted(names) for gain in gains.get(name, ())]
    kinds = {gain.whose for gain in found}
    if kinds == {FIRST}:
        return found[0]
    is_less = any(isinstance(part, Arithmetic) and part.op != "+" for part in parts)
    deducts = any(rules.values[part.name].deductions for part in parts if isinstance(part, ReadValue))
    in_actions = tuple(f"{action.address}." for action in rules.actions)
    if kinds != {ANOTHER} or not criterion.is_maximized or is_less or deducts or names & _given_before(rules):
        return None
    return found[0] if all(gain.step.address.startswith(in_actions) for gain in found) else None


def _given_before(rules: Rules) -> frozenset[str]:
    """The zones that do not begin empty, or from which something goes."""
    sources = find_move_sources(rules)
    steps = [step for block in rules.blocks for step in block.steps if isinstance(step.effect, Move)]
    if any(step.address not in sources for step in steps):
        return frozenset(rules.zones)
    set_up = (step for number in blocks_within(rules, (rules.setup,)) for step in rules.blocks[number].steps)
    taken = frozenset(place.zone for places in sources.values() for place in places)
    try:
        filled = rules.zones.keys() - empty_at_the_start(rules)
    except RuleFault:
        return frozenset(rules.zones)  # reported by the set-up
    return taken | filled_zones(set_up) | filled


# ---- ends ---------------------------------------------------------------------------------------------------------


def _ends_of_first(rules: Rules) -> Iterator[tuple[Step, KeyedRead]]:
    """Ends that ask the first player for what the ranking compares, where no rule ends the game by that of others."""
    compared = {part.name for criterion in rules.ranking for part in _keyed_reads(criterion.of)}
    ends = [step for block in rules.blocks for step in block.steps if isinstance(step.effect, Finish)]
    asked = [(step, part) for step in ends for expr in step_exprs(step) for part in _keyed_reads(expr)]
    for step, read in asked:
        others = [part for _, part in asked if part.name == read.name and not _is_of_first(part)]
        is_asked_alone = step.when is not None and not isinstance(step.when, Logic)
        if read.name in compared and _is_of_first(read) and not others and is_asked_alone and _is_ended_for_all(step):
            yield step, read


def _is_ended_for_all(step: Step) -> bool:
    """Whether the ranking says who has won where a step ends the game, or whoever plays."""
    winners = step.effect.winners if isinstance(step.effect, Finish) else None
    return winners is None or is_me(winners)


def _keyed_reads(expr: Expr) -> Iterator[KeyedRead]:
    """What an expression reads of one player."""
    for part in iter_exprs(expr):
        if isinstance(part, KeyedRead) and any(_is_seat(key) for key in part.keys):
            yield part


def _is_seat(key: Expr) -> bool:
    return key.type == SEAT and isinstance(key, Local | Builtin | Call | ReadState)


def _is_of_first(read: KeyedRead) -> bool:
    return any(isinstance(key, Builtin) and key.name == FIRST for key in read.keys)


__all__ = ["check_whose_gain"]

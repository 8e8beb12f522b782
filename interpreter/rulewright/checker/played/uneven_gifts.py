"""Does the set-up give fewer pieces to those who come last, because there are not enough?

In: rules, and the composition they were built from. Out: a warning at a step that gives each player `up to` so many
pieces of one sort of a place where there are fewer than all shall get. The amounts are the same in every game. Nothing
is said where the sentence of the step says "as long as there are any", in a few words, English and French.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from rulewright.checker.common.codes import DEALS_SHORT
from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.texts.sentence_languages import sentences_of
from rulewright.diagnostics import Diagnostics
from rulewright.document.sentence_places import sentence_address
from rulewright.engine.default_engine import make_watched_engine
from rulewright.engine.faults import RuleFault
from rulewright.engine.reference.mutable_state import MutableState
from rulewright.engine.values import BagCounts, content_bag
from rulewright.expr.tree import BagLiteral, Constant
from rulewright.expr.walk import find_position_read, free_variables, is_all_seats
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.effects import Move, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules

SECTION: Final = "setup"
AS_FAR_AS_IT_GOES: Final = lazy_pattern(
    r"(?i)\b(?:as (?:far|long) as|while (?:there|any)|if (?:there|any)|until|tant qu|s'il|jusqu'à)"
)
HINT: Final = "the last players get less: give fewer, have more there, or let fewer play"


def check_uneven_gifts(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports the first such step, at each number of players; under variants, of those that one of them wrote."""
    gifts = {step.address: step for step in rules.blocks[rules.setup].steps if _is_gift(rules, step)}
    if composition.chosen_variants:
        gifts = {address: step for address, step in gifts.items() if composition.is_judged(step.span)}
    if not gifts:
        return
    excused = {*_as_far_as_it_goes(composition)}
    for address, left in _left_before(rules, gifts).items():
        if address in excused or not _is_uneven(left):
            continue
        move = gifts[address].effect
        assert isinstance(move, Move)
        assert move.source is not None
        message = f"`{move.source.zone}` holds too little for each player to get as much"
        span = key_span(composition.document.root, address, "move", gifts[address].span)
        diagnostics.add(span, DEALS_SHORT, message, label="too few", help=HINT, address=address)
        return


def _is_gift(rules: Rules, step: Step) -> bool:
    """Whether a step takes as many pieces as there are, up to the same number for each player, from one place."""
    move, loop = step.effect, step.for_each
    if not isinstance(move, Move) or move.source is None or move.amount.mode != "up to" or move.amount.of is None:
        return False
    if loop is None or loop.condition is not None or not is_all_seats(loop.over) or step.when is not None:
        return False
    of, zone = move.amount.of, rules.zones[move.source.zone]
    is_one_sort = isinstance(of, BagLiteral) and isinstance(of.members, Constant) and isinstance(of.members.value, int)
    return is_one_sort and zone.is_pool and zone.size == 1 and find_position_read(of) is None and not free_variables(of)


def _left_before(rules: Rules, gifts: dict[str, Step]) -> dict[str, list[BagCounts]]:
    """What lies where each step takes from, each time before it does."""
    left: dict[str, list[BagCounts]] = {}

    def note(address: str, position: MutableState) -> None:
        move = gifts[address].effect
        assert isinstance(move, Move)
        assert move.source is not None
        place = rules.zones[move.source.zone].first_index
        left.setdefault(address, []).append(content_bag(position.contents[place]))

    try:
        make_watched_engine(rules, gifts.keys(), note).start(seed=0)
    except RuleFault:
        return {}  # reported by the set-up
    return {address: left[address] for address in gifts if address in left}


def _is_uneven(left: Sequence[BagCounts]) -> bool:
    """Whether some player gets less than the first one."""
    taken = [tuple(before - after for before, after in zip(one, other, strict=True)) for one, other in pairwise(left)]
    return bool(taken) and (
        any(other != taken[0] for other in taken)
        or any(number > there for number, there in zip(taken[0], left[-1], strict=True))
    )


def _as_far_as_it_goes(composition: Composition) -> Iterator[str]:
    for sentence in sentences_of(SECTION, composition):
        if any(AS_FAR_AS_IT_GOES.search(text.text) for _, text in sentence.texts):
            yield sentence_address(sentence.parts)


__all__ = ["check_uneven_gifts"]

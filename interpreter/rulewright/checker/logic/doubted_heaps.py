"""Does a zone that only takes in, and has words of its own, hold what has left the game, or was a way back forgotten?

In: a step that moves there, and the state of a build in which all rules have been read. Out: yes or no.

The words of such a zone mostly say what has become of its pieces: they were paid, burnt, lost. Words that only say
where it is ("Drops beside the combs") say nothing of the sort. Even then it is only doubted where the rules give a
reason to: a sentence says that something goes back; the action does nothing but give away what other actions bring back
to where it came from; or the move changes nothing that is ever asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.checker.common.rules_read import steps_within
from rulewright.checker.common.sources_of_moves import sources_of_move
from rulewright.checker.common.steps_asked import action_of
from rulewright.checker.logic.empty_zones import FEWER_WILL_DO
from rulewright.checker.logic.ways_back import asked_zones, round_trips
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState
from rulewright.model.effects import Move, RunSteps, Step
from rulewright.model.sentences import nodes_by_language
from rulewright.source.nodes import MappingNode, Node, ScalarNode

BACK: Final = lazy_pattern(
    r"\b(?:puts?|go|goes|went|gone|gives?|given|gave|comes?|sends?|sent|pays?|paid|lays?|laid|brings?|brought|hands?"
    r"|handed|moves?|moved)\b[^.;:]{0,40}\bback\b|\bback (?:in|into|to|onto|under)\b"
    r"|(?<!in )\b(?:returns?|returned)\b|\b(?:rend(?:re|ez|s|ent)?|rendue?s?|remet\w*|remis\w*|revien\w*|restitu\w*)\b"
)
FOR_GOOD: Final = lazy_pattern(
    r"\b(?:out of|box|leaves?|left|removed?|gone|away|for good|never|no longer|lost|dead|used up|worn|spent|waste|scrap"
    r"|rubbish|dump|ash|ashes|fire|grave\w*|exile\w*|destroy\w*|discard\w*|burn\w*|eat\w*|trash\w*|sacrific\w*|throw\w*"
    r"|offer\w*|give up|gives up|feed\w*|drink\w*|consum\w*|abandon\w*"
    r"|hors|boîte|quitt\w*|retir\w*|sorti\w*|pour de bon|jamais|plus|perdu\w*|mort\w*|détrui\w*|défauss\w*|brûl\w*"
    r"|mang\w*|écart\w*|rebut|jett?[eé]\w*|offr\w*|nourri\w*|usé\w*|cendres?|feu|épuis\w*|dépens\w*|sacrifi\w*)\b"
)
# what has become of the pieces: a participle, or a verb of the past
BECOME: Final = lazy_pattern(
    r"\b(?:was|were|has|have|had|got|went|fell|taken|paid|sold|stolen|broken|drunk|fallen|sunk|drowned|killed|thrown|laid"
    r"|given|beaten|caught|cut|\w{3,}ed|\w{3,}nt"
    r"|été|ont|\w{2,}(?:é|ée|és|ées)|(?:pri|mi)s(?:es?)?|(?:perd|vend|rend|batt|tend|b)ue?s?)\b"
)
INVARIANTS: Final = ("invariants.",)  # they count all places, whatever these are for


def is_doubted(step: Step, state: BuildState) -> bool:
    """Whether it is, of a zone from which nothing comes back and which no rule of play reads."""
    assert isinstance(step.effect, Move)
    zone = step.effect.to.zone
    own, around = [*_texts(f"zones.{zone}", state), zone.replace("_", " ")], [*_around_step(step, state)]
    if any(map(FOR_GOOD.search, (*own, *around, *_claims(state)))):
        return False
    if _changes_nothing(step, state):
        return True
    if any(map(BACK.search, own)):
        return True
    if any(map(BECOME.search, own)):
        return False
    if any(map(BACK.search, around)):
        return True
    return state.zones[zone].is_pool and _only_gives_away(step, state)


def _only_gives_away(step: Step, state: BuildState) -> bool:
    """Whether an action does nothing but move pieces, which other steps bring back to where they came from."""
    action = action_of(state.actions, step.address)
    if action is None:
        return False
    inner = [each for each in steps_within(action.block, state.blocks) if not isinstance(each.effect, RunSteps)]
    return inner == [step] and not sources_of_move(step, state.actions).isdisjoint(round_trips(state))


def _changes_nothing(step: Step, state: BuildState) -> bool:
    """Whether no rule asks about the pieces of a move, here or there, and it does not matter whether there are any."""
    move = step.effect
    assert isinstance(move, Move)
    if move.source is None or move.amount.mode not in FEWER_WILL_DO or not state.zones[move.to.zone].is_pool:
        return False
    source, to = move.source.zone, move.to.zone
    others = (other for block in state.blocks for other in block.steps if other is not step)
    moves = (other for other in others if isinstance(other.effect, Move))
    is_taken = any(source in sources_of_move(other, state.actions) for other in moves)
    return not is_taken and asked_zones(state).isdisjoint((source, to))


def _around_step(step: Step, state: BuildState) -> Iterator[str]:
    """What is said of a step and of what it is a part of; of an action of which it is the only move, all of that."""
    names = step.address.split(".")
    action = action_of(state.actions, step.address)
    for end in range(2, len(names) + 1):
        if action is None or end > 2:
            yield from _texts(".".join(names[:end]), state)
    if action is None:
        return
    inner = steps_within(action.block, state.blocks, with_procedures=True)
    if sum(isinstance(each.effect, Move) for each in inner) == 1:
        yield from _texts(action.address, state)
        for choice in action.choices:
            yield from _texts(choice.address, state)


def _texts(address: str, state: BuildState) -> Iterator[str]:
    for place in (address, f"{address}.title"):
        entry = state.sentences.entries.get(place)
        yield from () if entry is None else (text.text.lower() for text in nodes_by_language(entry).values())


def _claims(state: BuildState) -> Iterator[str]:
    """What the variants say of themselves."""
    for variant in state.applied:
        yield from _words(variant.text)


def _words(text: Node | None) -> Iterator[str]:
    match text:
        case ScalarNode():
            yield text.text.lower()
        case MappingNode():
            yield from (entry.value.text.lower() for entry in text if isinstance(entry.value, ScalarNode))


__all__ = ["INVARIANTS", "is_doubted"]

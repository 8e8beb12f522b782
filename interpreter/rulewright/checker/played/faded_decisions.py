"""Does nobody decide anything any more for the longer part of each game, since what is used up never comes back?

In: each position of the games that were tried in which somebody decides, with what is legal there; the rules, and the
composition they were built from. Out: a warning about a state that is only ever set to one value, or a zone to which
nothing ever comes, on which all that can be decided depends, where the games went on for as long again without it. That
is no proof, so the number of games is said. Under variants only what a variant wrote.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rulewright.checker.common.codes import NEVER_ABLE
from rulewright.checker.common.names_touched import Names, NamesTouched
from rulewright.checker.common.tried_games import GameWatcher
from rulewright.diagnostics import Diagnostics
from rulewright.document.address import find_entry
from rulewright.engine.state import Action, State
from rulewright.expr.tree import Constant
from rulewright.frozen import field, mutable
from rulewright.model.effects import Choose, GiveTurn, RunSteps, SetState, Step
from rulewright.model.facts.move_sources import find_move_sources
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules, StateDef, ZoneDef
from rulewright.model.traversal import filled_zones, offered_actions

MIN_GAMES: Final = 3  # that came to their end
MIN_ROUNDS: Final = 4  # of each, of which the first half at most had decisions


@mutable
class FadedDecisions(GameWatcher):
    """The last round of the game under way in which somebody had a choice; of the games before, that and the last."""

    rules: Rules
    last: int = 0
    games: list[tuple[int, int]] = field(default_factory=list)

    def add(self, state: State, legal: Sequence[Action]) -> None:
        """Notes a decision."""
        if len(legal) > 1:
            self.last = state.round

    def end_game(self, state: State) -> None:
        """Closes a game; one that is given up says nothing."""
        if state.over:
            self.games.append((self.last, state.round))
        self.last = 0

    def report(self, composition: Composition, diagnostics: Diagnostics) -> None:
        """Reports what all decisions depend on, if they ended half-way in most games: players avoid an action in some,
        and so may keep what the others use up.
        """
        faded = [(last, rounds) for last, rounds in self.games if rounds >= MIN_ROUNDS and 0 < 2 * last <= rounds]
        if len(faded) < MIN_GAMES or 2 * len(faded) <= len(self.games):
            return
        for one, what, hint in _used_up(self.rules):
            entry = find_entry(composition.document.root, one.address)
            if entry is None or not composition.is_judged(entry.key.span):
                continue
            last, rounds = max(faded)
            message = f"{what}, and without it nobody decides anything: in {len(faded)} of {len(self.games)} games that"
            message += f" were tried not after round {last} of {rounds}"
            diagnostics.add(
                entry.key.span, NEVER_ABLE, message, label="goes only one way", help=hint, address=one.address
            )
            return


def _used_up(rules: Rules) -> Iterator[tuple[StateDef | ZoneDef, str, str]]:
    """The states and zones that go only one way, and that decide whether anybody is asked; with what to say of them."""
    names = NamesTouched(rules)
    asked = _asked(rules, names)
    steps = [step for number, block in enumerate(rules.blocks) if number != rules.setup for step in block.steps]
    for state in rules.states.values():
        if state.name in asked and _is_set_once(state, steps):
            what = f"`{state.name}` is never set back"
            yield state, what, "set it back where all begins anew, or with `resets`"
    filled = filled_zones(steps)
    sources = find_move_sources(rules)
    emptied = {place.zone for step in steps for place in sources.get(step.address, ())}
    for zone in rules.zones.values():
        if zone.name in asked & emptied - filled and zone.refill is None:
            yield zone, f"nothing ever comes back to `{zone.name}`", f"move what was there back to `{zone.name}`"


def _asked(rules: Rules, names: NamesTouched) -> Names:
    """What is asked before somebody decides: by steps with decisions and those around them."""
    deciding = _deciding_blocks(rules)
    found = set[str]()
    for step in (step for block in rules.blocks for step in block.steps):
        match step.effect:
            case Choose():
                pass
            case GiveTurn() if rules.turn in deciding:
                pass
            case RunSteps(block=block) if block in deciding:
                pass
            case _:
                continue
        loop = step.for_each
        conditions = (step.when, step.while_condition, None if loop is None else loop.condition)
        found = found.union(*(names.read(each) for each in conditions if each is not None))
    return frozenset(found)


def _deciding_blocks(rules: Rules) -> frozenset[int]:
    """The blocks in which somebody decides, by themselves or by steps that they run."""
    found = set[int]()
    while True:
        more = {
            number
            for number, block in enumerate(rules.blocks)
            if number not in found and any(_decides(step, found, rules) for step in block.steps)
        }
        if not more:
            return frozenset(found)
        found |= more


def _decides(step: Step, found: set[int], rules: Rules) -> bool:
    match step.effect:
        case Choose() as choose:
            return bool(offered_actions(choose))
        case GiveTurn():
            return rules.turn in found
        case RunSteps(block=block):
            return block in found
    return False


def _is_set_once(state: StateDef, steps: Sequence[Step]) -> bool:
    """Whether steps set a state to one value only, and nothing sets it back."""
    if state.reset_scope or state.block_address:
        return False
    writing = [
        step.effect for step in steps if isinstance(step.effect, SetState) and step.effect.target.name == state.name
    ]
    values = {effect.to.value if isinstance(effect.to, Constant) else None for effect in writing}
    return len(values) == 1 and None not in values


__all__ = ["FadedDecisions"]

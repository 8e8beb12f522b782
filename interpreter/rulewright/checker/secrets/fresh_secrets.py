"""What some players have just got unseen, before anybody could show it, though rules show it later.

In: the state of a build, a step. Out: the zones of which some players see what others do not, to which earlier steps of
the same section have brought things from where nobody looks, or players have laid things that only they see, if nobody
has decided since and nothing was shown.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.checker.common.rules_read import steps_within
from rulewright.checker.common.sources_of_moves import sources_of_move
from rulewright.expr.types import Thing
from rulewright.model.build_state import BuildState
from rulewright.model.effects import Block, Choose, GiveTurn, Move, Reveal, RunSteps, Step


class FreshSecrets:
    """What has just come to whom in the steps of one game."""

    def __init__(self, state: BuildState) -> None:
        self._state = state
        zones = state.zones.values() if state.players > 1 else ()
        private = [zone for zone in zones if zone.seen_by in ("owner", "others")]
        self._private = {zone.name for zone in private if isinstance(zone.content_type, Thing)}

    @property
    def can_be(self) -> bool:
        """Whether some players see somewhere what others do not."""
        return bool(self._private)

    def before(self, block: Block, number: int) -> frozenset[str]:
        """The zones, as the step with this number begins."""
        found = set[str]()
        for step in reversed(block.steps[:number] if self._private else ()):
            steps = [*self._steps(step)]
            if any(isinstance(each.effect, Choose | GiveTurn | Reveal) for each in steps):
                found.update(self._filled_by_choice(step))
                break
            found.update(zone for each in steps if (zone := self._filled(each)))
        return frozenset(found)

    def _filled_by_choice(self, step: Step) -> Iterator[str]:
        """The zones to which a step lets players bring what only they have seen, whatever they choose."""
        for offer in step.effect.offers if isinstance(step.effect, Choose) else ():
            for each in steps_within(self._state.actions[offer.action].block, self._state.blocks):
                if isinstance(each.effect, Reveal):
                    return
                to = each.effect.to.zone if isinstance(each.effect, Move) else ""
                sources = sources_of_move(each, self._state.actions) if to in self._private else ()
                if sources and all(name in self._private for name in sources):
                    yield to

    def _steps(self, step: Step) -> Iterator[Step]:
        """A step and those that it runs."""
        yield step
        if isinstance(step.effect, RunSteps):
            yield from steps_within(step.effect.block, self._state.blocks, with_procedures=True)

    def _filled(self, step: Step) -> str:
        """The zone to which a step brings what nobody has seen."""
        if not isinstance(step.effect, Move) or step.effect.to.zone not in self._private:
            return ""
        sources = sources_of_move(step, self._state.actions)
        is_unseen = bool(sources) and all(self._state.zones[name].seen_by == "nobody" for name in sources)
        return step.effect.to.zone if is_unseen else ""


__all__ = ["FreshSecrets"]

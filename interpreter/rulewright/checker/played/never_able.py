"""Could nobody ever do what a decision is about, in any of the games that were tried?

In: each position of these games in which somebody decides, with what is legal there; the rules, and the composition
they were built from. Out: a warning about a step at which everybody always had to do what it has for want of anything
else, however often it was asked, or about the first step that asks in a game in which nobody was ever asked: at the
clause that was never met, if it is one. That is no proof, so the number is
said. Under variants only what a variant wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from rulewright.checker.common.codes import NEVER_ABLE
from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.tried_games import GameWatcher
from rulewright.checker.logic.never_done import find_never_done
from rulewright.diagnostics import Diagnostics
from rulewright.engine.default_engine import make_observed_engine
from rulewright.engine.interface import Engine, Event
from rulewright.engine.state import Action, Decision, State
from rulewright.frozen import field, mutable
from rulewright.model.actions import ActionDef, Clause
from rulewright.model.effects import Choose, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.suggestions import join_list

MIN_ASKED: Final = 40  # decisions, before anything is said
MIN_GAMES: Final = 6  # without a decision, before that is said


@mutable
class AbleCounts(GameWatcher):
    """How often each decision with something for want of anything else was asked, by its block and step, and where
    somebody could do anything else.
    """

    rules: Rules
    asked: dict[tuple[int, int], int] = field(default_factory=dict)
    able: set[tuple[int, int]] = field(default_factory=set)
    finished: int = 0  # games that came to their end
    is_decided: bool = False  # whether anybody ever decided anything

    def add(self, state: State, legal: Sequence[Action]) -> None:
        """Counts a decision."""
        waiting, self.is_decided = state.waiting, True
        if not isinstance(waiting, Decision) or (place := (waiting.block, waiting.step)) in self.able:
            return
        effect = self.rules.blocks[waiting.block].steps[waiting.step].effect
        instead = effect.fallback if isinstance(effect, Choose) and effect.mode == "must" else None
        if isinstance(instead, int) and all(action.number == instead for action in legal):
            self.asked[place] = self.asked.get(place, 0) + 1
        else:
            self.able.add(place)

    def end_game(self, state: State) -> None:
        """What could be done in one game can be done."""
        self.finished += state.over

    def report(self, composition: Composition, diagnostics: Diagnostics, replay: Callable[[Engine], object]) -> None:
        """Reports the first step at which nobody could ever do anything else. `replay`: plays one of the games anew."""
        for step, what, hint in [*self._never_decided(), *self._always_instead()]:
            assert isinstance(step.effect, Choose)
            offered = [self.rules.actions[offer.action] for offer in step.effect.offers]
            span, address = step.span, step.address
            clauses = _never_met(offered[0], self.rules, replay) if len(offered) == 1 else []
            if len(clauses) == 1:  # which then refuses everything
                section, _, name = clauses[0].address.rpartition(".")
                span = key_span(composition.document.root, section, name, clauses[0].span)
                address = clauses[0].address
            if not composition.is_judged(span):
                continue
            if any(one.span == span for one in diagnostics):
                continue  # which says why
            names = join_list([f"`{action.name}`" for action in offered], "or")
            message = f"nobody can do {names}: {what}"
            diagnostics.add(span, NEVER_ABLE, message, label="never possible", help=hint, address=address)
            return

    def _never_decided(self) -> Iterator[tuple[Step, str, str]]:
        """The first step that asks somebody, in rules by which nobody has ever decided anything."""
        if self.is_decided or self.finished < MIN_GAMES or find_never_done(self.rules) is not None:
            return  # or it is proved, which is told then
        steps = (step for block in self.rules.blocks for step in block.steps)
        first = next((step for step in steps if isinstance(step.effect, Choose)), None)
        if first is not None:
            what = f"in {self.finished} games that were tried nobody ever decided anything"
            yield first, what, "is a condition the wrong way round?"

    def _always_instead(self) -> Iterator[tuple[Step, str, str]]:
        """The steps at which everybody always had to do what they have for want of anything else."""
        for (block, number), asked in self.asked.items():
            step = self.rules.blocks[block].steps[number]
            if (block, number) in self.able or asked < MIN_ASKED or not isinstance(step.effect, Choose):
                continue
            assert isinstance(step.effect.fallback, int)
            instead = self.rules.actions[step.effect.fallback].name
            what = f"in {asked} decisions of games that were tried, it was never possible"
            yield step, what, f"all that was done is `{instead}`: is a condition the wrong way round?"


def _never_met(action: ActionDef, rules: Rules, replay: Callable[[Engine], object]) -> list[Clause]:
    """The clauses of an action that were asked and never held; those behind them are not asked then."""
    if len(action.clauses) == 1:
        return [*action.clauses]
    answers: dict[str, bool] = {}

    def note(event: Event) -> None:
        site, held = event
        answers[site] = held or answers.get(site, False)

    replay(make_observed_engine(rules, note))
    return [clause for clause in action.clauses if not answers.get(clause.address, True)]


__all__ = ["AbleCounts"]

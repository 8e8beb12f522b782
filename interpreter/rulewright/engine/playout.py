"""A game that goes on by itself: whoever has to choose is asked, until the game is over or a limit is reached.

In: a game, who chooses, perhaps who resolves chance, perhaps a limit. Out: step by step what was done. Simulated games,
trials of rules and of positions, and bots that are watched are all played by `play_out`, so that the same seed is the
same game wherever it is played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol, TypeAlias

from rulewright import limits
from rulewright.engine import chance
from rulewright.engine.faults import NoLegalAction
from rulewright.engine.interface import Engine
from rulewright.engine.state import Action, ChanceEvent, Decision, State
from rulewright.model.rules import Rules

Chooser: TypeAlias = Callable[[State, tuple[Action, ...]], Action]  # chooses for the deciding seat, among the legal


class Playable(Protocol):
    """A game that can go on: a session, or a `Playout`."""

    @property
    def rules(self) -> Rules:
        """The rules that are played."""

    @property
    def state(self) -> State:
        """The current position."""

    def legal(self) -> tuple[Action, ...]:
        """The legal actions of the deciding seat."""

    def act(self, attempt: Action, /) -> object:
        """Carries out a legal action of the deciding seat."""

    def resolve_chance(self, outcome: int, /) -> object:
        """Chance from outside."""


class Playout:
    """A game that keeps nothing but its position."""

    def __init__(self, engine: Engine, state: State) -> None:
        self.engine = engine
        self.rules = engine.rules
        self.state = state

    def legal(self) -> tuple[Action, ...]:
        """The legal actions of the deciding seat."""
        return self.engine.legal(self.state)

    def act(self, action: Action) -> None:
        """Carries out one of the legal actions."""
        self.state = self.engine.apply_legal(self.state, action)

    def resolve_chance(self, outcome: int) -> None:
        """Chance from outside."""
        self.state = self.engine.resolve_chance(self.state, outcome)


class RandomChoices:
    """Chooses at random, every legal action as likely as the others, and draws outcomes by their weights; all from one
    generator.
    """

    def __init__(self, rng: int) -> None:
        self._rng = rng

    def choose(self, state: State, legal: tuple[Action, ...]) -> Action:
        """One of the legal actions."""
        self._rng, index = chance.rand_below(self._rng, len(legal))
        return legal[index]

    def draw(self, event: ChanceEvent) -> int:
        """One of the outcomes."""
        self._rng, outcome = chance.pick_weighted(self._rng, event.outcomes)
        return outcome


class PlayoutStep(NamedTuple):
    """What was done in the position `before`: an action, out of those that were legal, or else an outcome of chance."""

    before: State
    legal: tuple[Action, ...] = ()
    action: Action | None = None
    outcome: int | None = None


def play_out(
    game: Playable,
    choose: Chooser,
    *,
    draw: Callable[[ChanceEvent], int] | None = None,
    max_turns: int | None = None,
    decisions: int = 0,
) -> Iterator[PlayoutStep]:
    """Plays on to the end of the game, and says after each step what was done; who reads no further stops it.

    Without `draw` it also stops where the game waits for chance from outside. `max_turns`: after so many it is given
    up, or after too many decisions for so few turns; `decisions` were made before. Raises `RuleFault` where the rules
    fail.
    """
    while True:
        state = game.state
        waiting = state.waiting
        if isinstance(waiting, Decision):
            if max_turns is not None and _is_given_up(state, decisions, max_turns):
                return
            legal = game.legal()
            if not legal:
                step = game.rules.blocks[waiting.block].steps[waiting.step]
                raise NoLegalAction(step.address, step.span)
            action = choose(state, legal)
            game.act(action)
            decisions += 1
            yield PlayoutStep(state, legal, action)
        elif waiting is not None and draw is not None:
            outcome = draw(waiting)
            game.resolve_chance(outcome)
            yield PlayoutStep(state, outcome=outcome)
        else:
            return


def _is_given_up(state: State, decisions: int, max_turns: int) -> bool:
    """Whether there were too many turns, or too many decisions for so few turns."""
    return state.turn_count > max_turns or decisions >= max_turns * limits.MAX_DECISIONS_PER_TURN


__all__ = ["Chooser", "Playable", "Playout", "PlayoutStep", "RandomChoices", "play_out"]

"""Games played at random: does a rule fail, and is everything still there at the end?

In: an engine or a compiled program, a seed, a limit of turns. Out: a `RandomGame`: it ended, or did not within the
limit, or its rules failed, with the actions that led there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rulewright import limits
from rulewright.diagnostics import Span
from rulewright.engine import chance
from rulewright.engine.compiled.playing.compiled_game import CompiledGame
from rulewright.engine.faults import RuleFault
from rulewright.engine.interface import Engine
from rulewright.engine.notation import Notation
from rulewright.engine.playout import Playout, RandomChoices, play_out
from rulewright.engine.state import Action, State
from rulewright.engine.values import Content, content_bag, content_things
from rulewright.expr.types import Member
from rulewright.frozen import frozen
from rulewright.model.rules import Rules

ACTION_STREAM: Final = 1 << 40  # of a game's seed, from which the actions are drawn; far from those of bots and games


@frozen
class FaultTrace:
    """Rules that failed: `address` and `span` of the rule, the message, and all actions before, as people type them."""

    address: str
    span: Span | None
    message: str
    actions: tuple[str, ...]


@frozen
class RandomGame:
    """One game. `is_over`: it came to its end; otherwise it was given up, or there is a `fault`."""

    seed: int
    is_over: bool
    turns: int
    decisions: int
    fault: FaultTrace | None


def play_random_game(engine: Engine, seed: int, *, max_turns: int = limits.MAX_GAME_TURNS) -> RandomGame:
    """A game in which all legal actions are equally likely; the same seed gives the same game."""
    choices = RandomChoices(chance.seed_rng(seed, stream=ACTION_STREAM))
    actions: list[Action] = []
    turns = 0

    def choose(state: State, legal: tuple[Action, ...]) -> Action:
        actions.append(choices.choose(state, legal))  # before it is carried out, since that may fail
        return actions[-1]

    try:
        playout = Playout(engine, engine.start(seed=seed))
        initial_counts = count_contents(engine.rules, playout.state.contents)
        for step in play_out(playout, choose, max_turns=max_turns):
            turns = step.before.turn_count
        state = playout.state
        if count_contents(engine.rules, state.contents) != initial_counts:
            raise RuleFault("zones", None, "things are not conserved")
        return RandomGame(seed, state.over, state.turn_count, len(actions), None)
    except RuleFault as fault:
        address, span, message = fault.address, fault.span, fault.message
    format_action = Notation.for_people(engine.rules).format_action
    trace = FaultTrace(address, span, message, tuple(map(format_action, actions)))
    return RandomGame(seed, False, turns, len(actions), trace)


def play_compiled_game(
    game: CompiledGame, rules: Rules, seed: int, *, max_turns: int = limits.MAX_GAME_TURNS
) -> RandomGame | None:
    """The same game by a compiled program; None where it goes wrong, which an engine says better."""
    rng, decisions = chance.seed_rng(seed, stream=ACTION_STREAM), 0
    most_decisions = max_turns * limits.MAX_DECISIONS_PER_TURN
    try:
        game.start(seed=seed)
        initial_counts = count_contents(rules, game.contents())
        while not game.is_over and game.turn_count <= max_turns and decisions < most_decisions:
            if not game.options:
                return None
            rng, index = chance.rand_below(rng, len(game.options))
            game.act(index)
            decisions += 1
    except RuleFault:
        return None
    if count_contents(rules, game.contents()) != initial_counts:
        return None
    return RandomGame(seed, game.is_over, game.turn_count, decisions, None)


def count_contents(rules: Rules, position: Sequence[Content]) -> dict[str, tuple[int, ...]]:
    """What is in all places together: by family of kinds the numbers of pieces, by component the sorted things."""
    contents: dict[str, tuple[int, ...]] = {}
    for zone in rules.zones.values():
        for place in range(zone.first_index, zone.first_index + zone.size):
            content = position[place]
            if isinstance(zone.content_type, Member):
                kind, bag = zone.content_type.kind, content_bag(content)
                family = rules.kinds[kind].family or kind
                total = contents.get(family, (0,) * len(bag))
                contents[family] = tuple(a + b for a, b in zip(total, bag, strict=True))
            else:
                component = zone.content_type.component
                things = (*contents.get(component, ()), *content_things(content))
                contents[component] = tuple(sorted(things))
    return contents


__all__ = ["FaultTrace", "RandomGame", "count_contents", "play_compiled_game", "play_random_game"]

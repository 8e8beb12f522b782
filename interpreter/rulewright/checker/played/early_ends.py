"""Does a game end as soon as it has begun, since the number that is to end it is asked for the wrong way round?

In: rules that can be played, the composition they were built from. Out: a warning about an end that holds before
anything is done, where every game that was tried has ended in its first round, mostly by it. That is no proof, so the
number of games is said. A game that is meant to have one round ends with something that does not hold before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright import limits
from rulewright.checker.common.checking_players import checking_players
from rulewright.checker.common.codes import ENDS_AT_ONCE
from rulewright.checker.common.condition_nodes import condition_node, part_span
from rulewright.checker.common.rules_read import all_parts
from rulewright.checker.common.tried_games import first_seed, tried_games
from rulewright.diagnostics import Diagnostics, Related
from rulewright.engine.default_engine import make_engine
from rulewright.engine.interface import Engine
from rulewright.engine.state import State
from rulewright.expr.tree import Compare, Constant, Expr, ReadParameter, ReadState, ReadValue, ReadZone
from rulewright.expr.walk import iter_exprs
from rulewright.model.effects import Finish, Leave, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import ELIMINATION_STATE, Rules
from rulewright.source.nodes import ScalarNode
from rulewright.variants.change import Change
from rulewright.variants.variant import Variant

GAMES: Final = 12  # that have to end in their first round
MAX_DECISIONS: Final = limits.MAX_GAME_TURNS  # of a round
PARAMETERS: Final = "parameters"
IN_EVERY_ROUND: Final = ("turn.", "round.")
ORDERS: Final = ("<", "<=", ">", ">=")
COUNTED: Final = (ReadZone, ReadState, ReadValue)


def check_early_ends(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports an end that always comes in the first round; under variants one that a variant wrote, or a parameter that
    it has set.
    """
    if any(one.code is ENDS_AT_ONCE for one in diagnostics):
        return
    _check_leaving(rules, composition, diagnostics)
    ends = [step for block in rules.blocks for step in block.steps if _is_asked_each_round(step)]
    if composition.chosen_variants:
        files = composition.variant_files
        ends = [step for step in ends if step.span.source.path in files or _changes(step, rules, composition)]
    if not ends:
        return
    engine, first = make_engine(rules), first_seed(rules)
    held = [step for step in ends if holds_for_everybody(engine, step, engine.start(seed=first))]
    node = condition_node(composition.document.root, held[0].address) if len(held) == 1 else None
    if node is None or not _is_always_early(held[0], rules, final_positions(engine)):
        return
    text = f"`{node.text}`" if isinstance(node, ScalarNode) else "this"
    what = f"{text} holds before anything is done: each of {GAMES} games ends in its first round"
    label, address = "holds as the game begins", held[0].address
    changes = _changes(held[0], rules, composition)
    if changes:
        variant, change = changes[-1]
        related = [Related(node.span, "holds as the game begins")]
        what, hint = f"with variant `{variant.name}`: {what}", "is this number meant?"
        diagnostics.add(
            change.value_span, ENDS_AT_ONCE, what, label="makes it hold", help=hint, address=address, related=related
        )
    else:
        hint = "is this condition the wrong way round?"
        diagnostics.add(node.span, ENDS_AT_ONCE, what, label=label, help=hint, address=address)


def _check_leaving(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports a step by which all who play leave as soon as it is carried out."""
    for step in (step for block in (rules.turn, rules.round) for step in rules.blocks[block].steps):
        if not isinstance(step.effect, Leave) or step.when is not None:
            continue
        key = "leave" if step.for_each is None else "for_each"
        node = condition_node(composition.document.root, step.address, key)
        if node is None or not composition.is_judged(node.span):
            continue
        engine, first = make_engine(rules), first_seed(rules)
        if step.for_each is None and not _names_everybody(engine, step.effect, engine.start(seed=first)):
            continue
        if all(_is_left_by_all(rules, final) and final.round <= 1 for final in final_positions(engine)):
            message = f"everybody leaves as the game begins: each of {GAMES} games ends in its first round"
            hint = "is the condition the wrong way round?"
            condition = None if step.for_each is None else step.for_each.condition
            root, span = composition.document.root, node.span
            span = span if condition is None else part_span(root, step.address, key, condition, span)
            diagnostics.add(
                span, ENDS_AT_ONCE, message, label="holds as the game begins", help=hint, address=step.address
            )


def _names_everybody(engine: Engine, effect: Leave, state: State) -> bool:
    """Whether a step lets everybody leave in a position, whoever is in turn."""
    leaving, everybody = engine.compiler.compile_one_or_all(effect.seats), {*range(engine.rules.players)}
    return all({*leaving(engine.context(state, seat))} == everybody for seat in everybody)


def _is_left_by_all(rules: Rules, state: State) -> bool:
    """Whether a game is over, and nobody plays any more."""
    first = rules.states[ELIMINATION_STATE].first_index
    return state.over and all(state.variables[first : first + rules.players])


def _changes(step: Step, rules: Rules, composition: Composition) -> list[tuple[Variant, Change]]:
    """What variants set of the parameters that a condition of the game asks about; nothing of one that they wrote."""
    files = composition.variant_files
    if step.when is None or step.span.source.path in files:
        return []
    read = {part.name for part in all_parts(rules.values, [step.when]) if isinstance(part, ReadParameter)}
    return [
        (variant, change)
        for variant in composition.chosen_variants
        for change in variant.changes
        if change.parts[0] == PARAMETERS and len(change.parts) > 1 and change.parts[1] in read
    ]


def _is_asked_each_round(step: Step) -> bool:
    """Whether a step ends the game by comparing what is counted, or as something is there."""
    if not isinstance(step.effect, Finish) or not step.address.startswith(IN_EVERY_ROUND) or step.for_each is not None:
        return False
    return step.when is not None and any(_compares_counts(part) for part in iter_exprs(step.when))


def _compares_counts(part: Expr) -> bool:
    if not isinstance(part, Compare):
        return False
    if part.op == "is not" and isinstance(part.right, Constant) and part.right.value is None:
        return isinstance(part.left, ReadZone)
    return part.op in ORDERS and any(isinstance(inner, COUNTED) for inner in iter_exprs(part))


def holds_for_everybody(engine: Engine, step: Step, state: State) -> bool:
    """Whether the condition of a step holds in a position, whoever is in turn."""
    assert step.when is not None
    holds = engine.compiler.compile(step.when)
    return all(holds(engine.context(state, seat)) for seat in range(engine.rules.players))


def final_positions(engine: Engine) -> Iterator[State]:
    """How games end that random players play, and players that avoid one action."""
    bots = checking_players(engine.rules)
    for game in tried_games(engine, [bots[number % len(bots)] for number in range(GAMES)], MAX_DECISIONS):
        for _ in game:
            if game.state is not None and game.state.round > 1:
                break
        if game.state is not None:
            yield game.state


def _is_always_early(step: Step, rules: Rules, positions: Iterator[State]) -> bool:
    """Whether all games have ended in their first round, and at least half of them by a step."""
    ended = 0
    for state in positions:
        if not state.over or state.round > 1 or (frame := state.end_frame) is None:
            return False
        ended += rules.blocks[frame.block].steps[frame.step] is step
    return 2 * ended >= GAMES


__all__ = ["GAMES", "check_early_ends", "final_positions", "holds_for_everybody"]

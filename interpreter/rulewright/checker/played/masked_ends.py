"""Does an end without a winner come before one that somebody would win, where both hold at once?

In: rules that can be played, the composition they were built from, how many decisions are played. Out: a warning about
an end that names nobody and stands before one that names its winners, where games that were tried ended by the first
although the second held, too: whoever fills the last place with the winning line gets a draw. Under variants only where
one of them wrote one of the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from rulewright.checker.common.checking_players import checking_players
from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import ASKED_TOO_LATE
from rulewright.checker.common.tried_games import first_seed, try_game
from rulewright.diagnostics import Diagnostics, Related
from rulewright.engine.context import Context
from rulewright.engine.default_engine import make_asking_engine
from rulewright.engine.faults import RuleFault
from rulewright.expr.structural_key import structural_key
from rulewright.frozen import frozen
from rulewright.model.effects import Finish, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules

MIN_GAMES: Final = 2  # in which both held, before anything is said


@frozen
class _Pair:
    """An end that names nobody, and a later one of the same list that names its winners."""

    first: Step
    later: Step


def check_masked_ends(rules: Rules, composition: Composition, diagnostics: Diagnostics, decisions: int) -> None:
    """Reports the first such end."""
    root = composition.document.root
    pairs = [pair for pair in _pairs(rules) if _is_judged(pair, composition)]
    games = _games_with_both(rules, pairs, decisions) if pairs else []
    for pair, often in zip(pairs, games, strict=True):
        if often < MIN_GAMES:
            continue
        first, later = (step.address.rpartition(".")[2] for step in (pair.first, pair.later))
        span = key_span(root, pair.first.address, "when", pair.first.span)
        message = (
            f"`{first}` ends the game before `{later}` is asked, which held, too, in {often} games that were tried"
        )
        related = Related(key_span(root, pair.later.address, "when", pair.later.span), "whoever wins here is not named")
        diagnostics.add(
            span,
            ASKED_TOO_LATE,
            message,
            label=f"before `{later}`",
            help=f"put `{first}` behind `{later}`",
            address=pair.first.address,
            related=(related,),
        )
        return


def _pairs(rules: Rules) -> Iterator[_Pair]:
    for block in rules.blocks:
        for first, later in combinations([step for step in block.steps if _is_plain_end(step)], 2):
            assert isinstance(first.effect, Finish)
            assert isinstance(later.effect, Finish)
            assert first.when is not None
            assert later.when is not None
            is_same = structural_key(first.when) == structural_key(later.when)
            if first.effect.winners is None and later.effect.winners is not None and not is_same:
                yield _Pair(first, later)


def _is_plain_end(step: Step) -> bool:
    """Whether a step ends the game then and there, if a condition about the position holds."""
    is_once = step.for_each is None and step.times is None and step.while_condition is None and step.when is not None
    return is_once and isinstance(step.effect, Finish) and step.effect.when == "now"


def _is_judged(pair: _Pair, composition: Composition) -> bool:
    return composition.is_judged(pair.first.span) or composition.is_judged(pair.later.span)


def _games_with_both(rules: Rules, pairs: list[_Pair], decisions: int) -> list[int]:
    """How many games each first end has ended although the later one held."""
    held, number = [set[int]() for _ in pairs], 0

    def note(address: str, c: Context) -> None:
        for place, pair in enumerate(pairs):
            if pair.first.address == address and all(holds(c) for holds in conditions[place]):
                held[place].add(number)

    engine = make_asking_engine(rules, {pair.first.address for pair in pairs}, note)
    compile_condition = engine.compiler.compile
    conditions = [
        [compile_condition(step.when) for step in (pair.first, pair.later) if step.when is not None] for pair in pairs
    ]
    bots, seed, made = checking_players(rules), first_seed(rules), 0
    while made < decisions:
        try:
            _, steps = try_game(engine, bots[number % len(bots)], seed + number)
            for step in steps:
                made += step.action is not None
                if made >= decisions:
                    break
        except RuleFault:  # which is told elsewhere
            break
        made, number = made + 1, number + 1
    return [len(games) for games in held]


__all__ = ["check_masked_ends"]

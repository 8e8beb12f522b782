"""After a step only those invariants are checked that read something written since; nothing that breaks is missed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

import pytest

from games.playing import FOLDER, GAMES, ODD, build, build_file, counts
from random_play import random_positions
from rulewright.engine.faults import BrokenInvariant
from rulewright.engine.reference.mutable_state import MutableState
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import State
from rulewright.expr.tree import Expr
from rulewright.model.dependencies import position_dependencies
from rulewright.model.rules import Rules

DECISIONS = 60
Written: TypeAlias = tuple[Sequence[object], Sequence[object]]  # contents and variables


def rules_of(game: str | Path) -> Rules:
    rules, diagnostics = build(game, counts(game)[-1]) if isinstance(game, str) else build_file(game)
    assert rules is not None, diagnostics
    return rules


def positions(engine: ReferenceEngine, seed: int) -> Iterator[State]:
    """Those of a random game, one after another."""
    return random_positions(engine, engine.start(seed=seed), random.Random(seed), DECISIONS)


def differences(before: Written, after: Written) -> set[int]:
    """The places whose contents differ, and as ~n the variables."""
    (old_contents, old_variables), (contents, variables) = before, after
    return {place for place, (old, new) in enumerate(zip(old_contents, contents, strict=True)) if old != new} | {
        ~index for index, (old, new) in enumerate(zip(old_variables, variables, strict=True)) if old != new
    }


@pytest.mark.parametrize("game", [*GAMES, *ODD], ids=str)
def test_whatever_changes_between_two_checks_is_noted(game: str | Path) -> None:
    engine = ReferenceEngine(rules_of(game))
    interpreter = engine.interpreter
    check = interpreter._check_step_invariants
    last: list[tuple[MutableState, Written]] = []
    compared = 0

    def compare_and_check(d: MutableState, seat: int) -> None:
        nonlocal compared
        if last and last[-1][0] is d and d.written is not None:
            assert differences(last[-1][1], (d.contents, d.variables)) <= d.written
            compared += 1
        check(d, seat)
        last[:] = [(d, (tuple(d.contents), tuple(d.variables)))]

    interpreter._check_step_invariants = compare_and_check  # type: ignore[method-assign]
    if not interpreter.invariants["step"]:  # else no step would be followed by a check
        always = rules_of(FOLDER / "race" / "race.yaml").invariants[0]
        interpreter.invariants["step"] = [(always, lambda c: True)]
        interpreter.step_invariant_reads = [frozenset()]
    for seed in range(3):
        assert list(positions(engine, seed))
    assert compared or isinstance(game, Path)


@pytest.mark.parametrize("game", [*GAMES, *ODD], ids=str)
def test_a_value_changes_only_with_what_it_depends_on(game: str | Path) -> None:
    """The conditions of invariants, criteria and measures stand for all expressions that need no turn."""
    rules = rules_of(game)
    engine = ReferenceEngine(rules)
    exprs: list[Expr] = [invariant.condition for invariant in rules.invariants]
    exprs += [criterion.of for criterion in rules.ranking] + [measure.of for measure in rules.measures]
    depends = [position_dependencies(rules, expr) for expr in exprs]
    values: list[Callable[..., object]] = [engine.compiler.compile(expr) for expr in exprs]
    for before, after in pairwise(positions(engine, 1)):
        changed = differences((before.contents, before.variables), (after.contents, after.variables))
        for reads, value in zip(depends, values, strict=True):
            if reads is None or reads & changed:
                continue
            for seat in range(rules.players):
                old, new = engine.context(before), engine.context(after)
                old.env[0] = new.env[0] = seat
                assert value(old) == value(new)


FAIR = FOLDER / "fair.yaml"
LEAVING = FOLDER / "odd" / "leaving.yaml"


@pytest.mark.parametrize(
    ("game", "condition"),
    [
        (FAIR, "count(crate) > 10"),  # pieces are moved
        (FAIR, "count(sack) > 9"),  # pieces are drawn at random
        (FAIR, "count(pile) > 8"),  # things fill a place by themselves
        (FAIR, "weather is sun"),  # rolled
        (FAIR, "die < 4"),
        (FAIR, "every player has points(player) < 4"),  # a derived value of zones and a state
        (FAIR, "no player has bid(player) > 1"),  # set
        (FAIR, "weather is sun or moved > 0"),  # set back when a round begins
        (FAIR, "die is 1 or lucky"),  # set back when a turn begins
        (FAIR, "round_number < 3"),  # nothing is written
        (LEAVING, "count(everyone) > 1"),  # seats leave
        (LEAVING, "next(first_player) is not first_player"),
    ],
)
def test_a_broken_invariant_is_found_as_soon_as_if_all_were_checked(game: Path, condition: str, tmp_path: Path) -> None:
    text = game.read_text(encoding="utf-8")
    head, section, rest = text.partition("invariants:\n")
    assert section
    path = tmp_path / game.name
    path.write_text(f"{head}{section}  kept: {{after: step, is: {condition}}}\n{rest.partition(chr(10))[2]}", "utf-8")
    rules = rules_of(path)
    engine, thorough = ReferenceEngine(rules), ReferenceEngine(rules)
    thorough.interpreter.step_invariant_reads = [None]
    found = [until_broken(engine, seed) for seed in range(6)]
    assert found == [until_broken(thorough, seed) for seed in range(6)]
    assert any(message for _, message in found)


def until_broken(engine: ReferenceEngine, seed: int) -> tuple[list[State], str]:
    """The positions of a random game until the invariant breaks, and what is said then."""
    states: list[State] = []
    try:
        states.extend(positions(engine, seed))  # those before a fault are kept
    except BrokenInvariant as fault:
        return states, str(fault)
    return states, ""

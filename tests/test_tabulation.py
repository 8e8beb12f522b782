"""What depends on one variable alone is computed once for each of its values, and what no answer changes once in a
position; whatever a position can change is computed anew in the next.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from games.playing import build_file
from rulewright.engine.context import Context
from rulewright.engine.expr_compiler import ExprCompiler
from rulewright.engine.invariant_sites import keep_in_position
from rulewright.engine.place_compiler import CompiledExpr
from rulewright.engine.reference import reference_engine
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.tabulation import tabulate, tabulated_slot
from rulewright.engine.values import RuntimeValue
from rulewright.expr.tree import Expr
from rulewright.model.loader import load_rules

WORLD = (Path(__file__).parent / "expressions" / "world.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("per", "text", "slot"),
    [
        ("tile", "tile.price is empty", 0),
        ("tile", "cat in tile.friends and not tile.wild", 0),
        ("tile", "count(tile.price) + tile.points * limit", 0),
        ("[player, tile]", "tile.price(red) > 1", 1),
        ("[colour, tile]", "2 of colour", 0),
        ("tile", "2 of blue", -1),
        ("tile", "tile.points", None),  # as quick as a table
        ("tile", "limit", None),
        ("tile", "tile.price fits in purse(me)", None),
        ("tile", "tile.points + passes", None),
        ("tile", "tile.points + worth(me)", None),
        ("player", "player is me", None),
        ("[colour, tile]", "tile.price(colour) > 1", None),  # two variables
        ("tile", "sum of n for n in 1 to tile.points", None),
    ],
)
def test_a_table_is_made_where_one_variable_decides(per: str, text: str, slot: int | None, tmp_path: Path) -> None:
    path = tmp_path / "world.yaml"
    line = f"  asked: {{per: {per}, is: '{text}'}}\n"
    path.write_text(WORLD.replace("\nvalues:\n", f"\nvalues:\n{line}", 1), encoding="utf-8")
    rules, messages = build_file(path, 2)
    assert rules is not None, messages
    [(_, expr)] = rules.values["asked"].terms
    assert tabulated_slot(expr) == slot


def counted(run: CompiledExpr, asked: list[RuntimeValue]) -> CompiledExpr:
    def count(c: Context) -> RuntimeValue:
        asked.append(c.env[1])
        return run(c)

    return count


def test_an_entry_of_a_table_is_computed_once() -> None:
    asked = list[RuntimeValue]()
    double = tabulate(1, counted(lambda c: (c.env[1], c.env[1]), asked))
    contexts = [Context((), (), me=me, env=(5, number)) for me, number in ((0, 3), (1, 3), (1, 0), (0, 3), (0, 0))]
    assert [double(c) for c in contexts] == [(3, 3), (3, 3), (0, 0), (3, 3), (0, 0)]
    assert asked == [3, 0]


def test_what_never_changes_is_computed_once_and_only_when_needed() -> None:
    asked = list[RuntimeValue]()
    nothing = tabulate(-1, counted(lambda c: (), asked))
    assert asked == []
    assert [nothing(Context((), (), me=0)) for _ in range(3)] == [(), (), ()]
    assert len(asked) == 1


def test_what_no_answer_changes_is_computed_for_each_seat_until_the_position_changes() -> None:
    asked = list[RuntimeValue]()
    kept = keep_in_position("part 1", counted(lambda c: c.me, asked))
    c = Context((), (), me=0)
    for me in (0, 1, 0, 1):
        c.me = me
        assert kept(c) == me
    assert len(asked) == 2
    c.memo.clear()
    assert kept(c) == 1
    assert len(asked) == 3


class ForgetfulCompiler(ExprCompiler):
    """Computes every part whenever it is asked for."""

    def compile(self, expr: Expr) -> CompiledExpr:
        return self._compile_part(expr)


@pytest.mark.parametrize(
    ("game", "variants"),
    [("splendor", ()), ("splendor", ("orient",)), ("splendor", ("strongholds", "cities")), ("splendor-duel", ())],
)
def test_the_same_is_legal_if_nothing_is_kept(
    game: str, variants: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    keeping = ReferenceEngine(load_rules(game, players=2, variants=variants))
    monkeypatch.setattr(reference_engine, "ExprCompiler", ForgetfulCompiler)
    forgetful = ReferenceEngine(keeping.rules)
    rng = random.Random(game)
    for seed in range(2):
        state = keeping.start(seed=seed)
        for _ in range(150):
            legal = keeping.legal(state)
            assert legal == forgetful.legal(state)
            if state.over:
                break
            state = keeping.apply_legal(state, rng.choice(legal))

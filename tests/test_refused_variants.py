"""What is refused in variants, and where; the order of choosing them never matters."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from case_files import case_files, codes_in, compare, compare_folder, covered
from overlays import BASE, FOLDER, base, variants
from rulewright import bundle
from rulewright.diagnostics import Diagnostics, render_full
from rulewright.source.nodes import to_builtins
from rulewright.variants import codes
from rulewright.variants.overlay import apply_variants, load_variant

SEVERAL = sorted(path for path in FOLDER.iterdir() if path.is_dir() and path != BASE)


def is_game(path: Path) -> bool:
    return "\ngame: " in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", case_files(FOLDER), ids=lambda path: path.stem)
def test_one_variant(path: Path) -> None:
    diagnostics = Diagnostics()
    apply_variants(base(), variants(diagnostics, [path]), diagnostics)
    assert compare(path, diagnostics) == []
    assert all(render_full(one) for one in diagnostics)


@pytest.mark.parametrize("folder", SEVERAL, ids=lambda path: path.name)
def test_several_variants(folder: Path) -> None:
    told = []
    for paths in itertools.permutations(case_files(folder)):
        diagnostics = Diagnostics()
        game = next((path for path in paths if is_game(path)), BASE)
        document = base(game)
        found = variants(diagnostics, [path for path in paths if path != game])
        if game == BASE:
            apply_variants(document, found, diagnostics)
        assert compare_folder(folder, diagnostics) == []
        told.append([render_full(one) for one in diagnostics])
    assert all(one == told[0] for one in told)


def test_every_code_has_a_case() -> None:
    here = {code.name for code in codes_in(codes)}
    assert here - covered(FOLDER) - covered(FOLDER.parent / "check") == set()  # `check` alone knows file names


SHIPPED = sorted(path.parent.name for path in bundle.bundle_folder("rules").glob("*/game.yaml"))


@pytest.mark.slow
@pytest.mark.parametrize("game", SHIPPED)
def test_pairs_of_shipped_variants_in_both_orders(game: str) -> None:
    diagnostics = Diagnostics()
    document = base(bundle.bundle_folder("rules") / game)
    found = variants(diagnostics, sorted((bundle.bundle_folder("variants") / game).glob("*.yaml")))
    assert [render_full(one) for one in diagnostics] == []
    for one, other in itertools.combinations(found, 2):
        results = []
        for pair in ((one, other), (other, one)):
            told = Diagnostics()
            results.append(
                (
                    to_builtins(apply_variants(document, pair, told).root),
                    [render_full(diagnostic) for diagnostic in told],
                )
            )
        assert results[0] == results[1]


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("set:\n  actions.take.when.rich: goal > 1\n", "to define something new use `add`"),
        ("set: {goal: 3}\n", "did you mean `parameters.goal` or `turn.goal`?"),
        ("set:\n  parameters.goals: 3\n", "to define something new use `add`"),
        ("add:\n  parameters.goal.tpye: 1 to 9\nparameters.goal: 8\n", "indented: `parameters.goal: …`"),
        ("set:\n  parameters.goal: {expect: 15, value: 4}\n", "did you mean `expects`?"),
        ("add: {kinds.colour.pink: pink}\n", "write `extend: {kinds.colour: [pink]}`"),
        ("drop: {kinds.colour: [every colour]}\n", "`every colour` stands for several members"),
        ("set:\n  turn.act.must: [t\u0430ke, pass]\n", "`\u0430` is U+0430 (cyrillic small letter a)"),
        ("set: {parameters.t\u043eken_limit: 9}\n", "`\u043e` is U+043E (cyrillic small letter o)"),
        ("set: {display.members: {}}\n", "under the variant's own key `display`"),
        ("set: {actions.swap.text: a}\nadd: {actions.swap: {text: b}}\n", "this variant adds `actions.swap` itself"),
        ("insert: {turn.a: {after: b, run: x}, turn.b: {at: end, run: x}}\n", "`b` is inserted further down"),
        ("extend: {turn.act.must: [pass]}\n", "remove it"),
        ("requires: [none]\nset: {parameters.goal: 3}\n", "choose it too: --variant none"),
        ("players: 4 to 2\nset: {parameters.goal: 3}\n", "write `2 to 4`"),
        ("set: {parameters.goal: 3}\nparameters:\n  goal: 8\n", "indented: `parameters.…: …`"),
    ],
)
def test_hints(tmp_path: Path, written: str, hint: str) -> None:
    path = tmp_path / "new.yaml"
    path.write_text(f"variant: new\nfor: chips\n{written}", encoding="utf-8")
    diagnostics = Diagnostics()
    variant = load_variant(path, diagnostics)
    if variant is not None:
        apply_variants(base(), [variant], diagnostics)
    (one,) = diagnostics
    assert hint in one.help

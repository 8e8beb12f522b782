"""`rulewright variants` tells of every variant what it changes and what refuses to be played with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rulewright import limits
from rulewright.cli import variant_conflicts
from rulewright.cli.main import main
from rulewright.diagnostics import Diagnostics
from rulewright.model.loader import load_rules
from rulewright.model.locate import available_variants
from rulewright.source.nodes import MappingNode
from rulewright.variants import conflicts
from rulewright.variants.overlay import load_variant
from rulewright.variants.variant import Variant

pytestmark = pytest.mark.slow

GAME = """game: chips
version: 1.0.0
language: 2
text: {en: Chips, fr: Jetons}
players: 1 to 3
kinds: {colour: [red, blue]}
parameters: {goal: 9, limit: {value: 3, type: 1 to 9}}
zones: {bank: {holds: colour, seen_by: all, start: goal of colour}, purse: {holds: colour, per: player, seen_by: all}}
actions: {take: {choose: {colour: {one_of: bank}}, do: [take: {move: 1 of colour, from: bank, to: purse(me)}]}}
turn:
  - take: {must: [take], if_unable: nothing}
  - end: {when: count(purse(me)) >= limit, end_game: now}
round: [turns: {for_each: player, turn: player}]
"""
VARIANTS = {
    "long": "text: {en: 'Up to {limit} chips.', fr: 'Jusqu’à {limit} jetons.'}\nadjust: {parameters.limit: 2}\n",
    "short": "set: {parameters.limit: {expects: 3, value: 2}}\n",
    "pairs": "players: 2\nset: {parameters.goal: 4}\n",
    "trio": "players: 3\nrequires: long\nadd: {turn.take.must.take.few: 'count(purse(me)) < 9'}\n",
}


@pytest.fixture
def game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    path = tmp_path / "chips.yaml"
    path.write_text(GAME)
    (tmp_path / "variants").mkdir()
    for name, text in VARIANTS.items():
        (tmp_path / "variants" / f"{name}.yaml").write_text(f"variant: {name}\nfor: chips\n{text}")
    return path


def variants_json(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["variants", *words, "--json"]) == 0
    return {one["name"]: one for one in json.loads(capsys.readouterr().out)["variants"]}


def test_what_each_changes(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = variants_json(capsys, str(game))
    assert list(found) == ["long", "pairs", "short", "trio"]
    assert found["long"]["changes"] == [
        {"operation": "adjust", "address": "parameters.limit", "before": "3", "value": "2"}
    ]
    assert found["long"]["text"] == "Up to 5 chips."
    assert variants_json(capsys, str(game), "--lang", "fr")["long"]["text"] == "Jusqu’à 5 jetons."
    assert found["trio"]["players"] == [3, 3]
    assert found["trio"]["changes"][0]["address"] == "turn.take.must.take.few"


def test_what_cannot_be_played_together(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refused = {
        name: {one["name"]: one["because"] for one in each["not_with"]}
        for name, each in variants_json(capsys, str(game)).items()
    }
    both = "`long` and `short` both write to `parameters.limit.value`"
    different = "they are for different numbers of players"
    assert refused["long"] == {"short": both}
    assert refused["pairs"] == {"trio": different}
    assert refused["short"] == {"long": both, "trio": both}
    assert refused["trio"] == {"pairs": different, "short": both}


def test_one_is_described_in_full(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["variants", str(game), "--variant", "short"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("short   (1 to 3 players)\n    set       parameters.limit: 3 → 2\n    not with  long: ")
    assert main(["variants", str(game)]) == 0
    text = capsys.readouterr().out
    assert "    changes   parameters.limit\n    not with  long, trio\n" in text
    assert main(["variants", str(game), "--variant", "shorter"]) == 2
    assert "did you mean short?" in capsys.readouterr().err.replace("`", "")


def compared(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    """How many pairs of variants a listing compares."""
    calls: list[object] = []

    def count(root: MappingNode, chosen: dict[str, Variant], diagnostics: Diagnostics) -> set[int]:
        calls.append(chosen)
        return conflicts.find_conflicts(root, chosen, diagnostics)

    monkeypatch.setattr(variant_conflicts, "find_conflicts", count)
    assert main(["variants", *words]) == 0
    return len(calls)


def test_of_many_variants_only_those_are_compared_that_meet(
    game: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """That takes a time that grows with their number, and not with its square."""
    for path in (game.parent / "variants").iterdir():
        path.unlink()
    parameters = ", ".join(f"p{number}: 1" for number in range(60))
    game.write_text(GAME.replace("goal: 9", f"goal: 9, {parameters}"))
    for number in range(60):
        path = game.parent / "variants" / f"v{number:02}.yaml"
        path.write_text(f"variant: v{number:02}\nfor: chips\ntext: V\nset: {{parameters.p{number}: 2}}\n")
    assert compared(monkeypatch, str(game), "--json") == 0
    assert not any(variant["not_with"] for variant in json.loads(capsys.readouterr().out)["variants"])
    for number in range(60):
        path = game.parent / "variants" / f"v{number:02}.yaml"
        path.write_text(f"variant: v{number:02}\nfor: chips\ntext: V\nset: {{parameters.p1: {number + 2}}}\n")
    assert compared(monkeypatch, str(game)) <= 60 * (limits.MAX_LISTED_NAMES + 1)
    assert "    not with  v00, v01, v02, v03, v04, v05, v06, v07, v08, v09, v10, v11, …\n" in capsys.readouterr().out
    listed = variants_json(capsys, str(game))
    assert all(len(variant["not_with"]) == 59 for variant in listed.values())


def test_the_shipped_ones(capsys: pytest.CaptureFixture[str]) -> None:
    """Every shipped variant is listed, and what is said to be refused is refused when it is played."""
    game = load_rules().game
    found = variants_json(capsys)
    assert set(found) == set(available_variants(game))
    for name, one in found.items():
        variant = load_variant(available_variants(game)[name], Diagnostics())
        assert variant is not None
        assert one["text"], name
        assert "{" not in one["text"], name
        assert len(one["changes"]) == len(variant.changes)
        assert all(name in {back["name"] for back in found[other["name"]]["not_with"]} for other in one["not_with"])

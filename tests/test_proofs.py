"""`check --verbose` says apart what is proved of rules and what was only not found in play."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from command_line import NAMELESS, CommandLine
from rulewright.checker.checker import check_paths
from rulewright.checker.proofs import proof_lines, prove_rule_sets


@pytest.fixture
def heaps(tmp_path: Path) -> Path:
    path = tmp_path / "heaps.yaml"
    path.write_text(NAMELESS, encoding="utf-8")
    return path


def test_what_is_proved_and_what_was_only_not_found_is_said_apart(heaps: Path) -> None:
    lines = list(proof_lines(prove_rule_sets(check_paths([heaps], play=30).rule_sets)))
    statement = "every decision has an option"
    assert lines[0] == "heaps, 2 players:"
    assert f"  not proved, turn.take: {statement}: not found broken in 30 decisions of random players" in lines
    assert any(line.startswith("  proved, zones: things are conserved: ") for line in lines)
    heaps.write_text(NAMELESS.replace("must: [take]", "may: [take]"), encoding="utf-8")
    lines = list(proof_lines(prove_rule_sets(check_paths([heaps]).rule_sets)))
    assert f"  proved, turn.take: {statement}: it may be declined" in lines


def test_nothing_is_proved_of_what_has_an_error(heaps: Path) -> None:
    heaps.write_text(NAMELESS.replace("when: heaps is", "when: nothing_there is"), encoding="utf-8")
    assert list(prove_rule_sets(check_paths([heaps]).rule_sets)) == []


def test_json_has_the_guarantees_where_they_are_asked_for(run_cli: CommandLine, heaps: Path) -> None:
    assert run_cli("check", str(heaps), "--format", "json", "--play", "9") == 0
    assert "guarantees" not in run_cli.json()
    assert run_cli("check", str(heaps), "--format", "json", "--play", "9", "--verbose") == 0
    found = {(each["address"], bool(each["proof"]), each["decisions"]) for each in run_cli.json()["guarantees"]}
    assert found == {("zones", True, 9), ("turn.take", False, 9), ("round", True, 9)}


def test_of_secrets_it_says_in_how_many_pairs_nothing_was_found() -> None:
    folder = Path(__file__).parent / "diagnostics" / "secrets" / "variants"
    proved = "  proved, actions: options and reasons tell nothing hidden: no condition or choice looks"

    def lines_of(name: str) -> list[str]:
        proofs = list(prove_rule_sets(check_paths([folder / f"{name}.yaml"], play=100).rule_sets))
        return [line for line in proof_lines(proofs) if "tell nothing hidden" in line]

    assert all(line.startswith(proved) for line in lines_of("counted"))
    (line,) = [line for line in lines_of("looked-at") if "not proved, actions.take.when.poor" in line]
    assert re.search(r": not found broken in \d\d+ pairs of positions that look the same$", line)
    (line,) = [line for line in lines_of("rich-hand") if "not proved, actions.take.when.poor" in line]
    assert re.search(r": found broken in \d+ pairs? of positions", line)


def test_steps_that_look_at_what_is_hidden_are_no_proof() -> None:
    folder = Path(__file__).parent / "diagnostics" / "secrets" / "variants"
    unproved = "not proved, {}: options and reasons tell nothing hidden: what happens depends on what is in `hand`"
    for name, address in (("asked-of-own-hand", "turn.more"), ("action-asks", "actions.guess.do.again")):
        *_, proofs = prove_rule_sets(check_paths([folder / f"{name}.yaml"]).rule_sets)
        lines = [line.strip() for line in proof_lines([proofs]) if "tell nothing hidden" in line]
        assert unproved.format(address) in lines
        assert not any(line.startswith("proved") for line in lines)


def test_of_terms_that_value_hidden_things_it_says_where_bots_read_them() -> None:
    folder = Path(__file__).parent / "diagnostics" / "secrets" / "variants"
    for name, expected in (("bots-value-hands", ["evaluation.rich.is"]), ("counted", [])):
        *_, proofs = prove_rule_sets(check_paths([folder / f"{name}.yaml"]).rule_sets)
        lines = [line.strip() for line in proof_lines([proofs]) if "bots know nothing hidden" in line]
        assert [line.partition(":")[0] for line in lines] == [f"proved, {address}" for address in expected]

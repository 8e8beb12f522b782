"""Variants together: what goes together is played, what does not is known, and no order of variants changes a rule."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.checker import combinations
from rulewright.checker.logic.guarantees import CONSERVATION, DECISION_HAS_OPTION, ROUND_PROGRESS, prove_guarantees
from rulewright.checker.played.random_games import count_contents, play_random_game
from rulewright.cli.main import main
from rulewright.engine.compiled.compiler import CompiledProgram, compile_program
from rulewright.engine.compiled.translation.refusal import NotCompiled
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.model.loader import load_rules
from rulewright.model.rules import Rules

GAME = """game: chips
version: 1.0.0
language: 2
text: Chips
players: 1 to 3
kinds: {colour: [red, blue]}
parameters: {goal: {value: 9, type: 1 to 99}, limit: {value: 3, type: 1 to 9}}
zones: {bank: {holds: colour, seen_by: all, start: goal of colour}, purse: {holds: colour, per: player, seen_by: all}}
actions:
  take: {choose: {colour: {one_of: bank}}, do: [take: {move: 1 of colour, from: bank, to: purse(me)}]}
  pass: {}
turn:
  - take: {must: [take], if_unable: pass}
  - end: {when: count(purse(me)) >= limit, end_game: now}
round: [turns: {for_each: player, turn: player}]
"""
VARIANTS = {
    "long": "adjust: {parameters.limit: 2}\n",
    "short": "set: {parameters.limit: {expects: 3, value: 2}}\n",
    "pairs": "players: 2\nset: {parameters.goal: 6}\n",
    "stuck": "remove: [turn.take.if_unable]\nadjust: {parameters.goal: -7}\n",
    "idle": "set: {turn.end.when: count(purse(me)) > 20}\n",
}


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "chips.yaml"
    path.write_text(GAME)
    (tmp_path / "variants").mkdir()
    for name, text in VARIANTS.items():
        (tmp_path / "variants" / f"{name}.yaml").write_text(f"variant: {name}\nfor: chips\n{text}")
    return path


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()


def without(game: Path, *names: str) -> None:
    for name in names:
        (game.parent / "variants" / f"{name}.yaml").unlink()


def test_what_goes_together_is_played(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    without(game, "stuck", "idle")
    assert main(["combine", str(game), "-n", "5"]) == 0
    assert lines(capsys) == [
        "chips: 12 combinations, each in both orders",
        "refused   long + short: two-writers (1, 2, 3 players)",
        "compatible: 9, refused: 3",
        "played: 45 random games, 5.9 turns on average, 0 unfinished (0.00 %)",
        "things are conserved: proved for 9 combinations",
        "every decision has an option: proved for 9 combinations",
        "every round reaches a decision or a chance event: proved for 9 combinations",
        "engine: python",
    ]


def test_a_decision_without_an_option_is_a_fault(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    without(game, "idle")
    assert main(["combine", str(game), "-n", "3", "--variant", "stuck", "--players", "3"]) == 1
    found = lines(capsys)
    proved = "every decision has an option: proved for 0 combinations"
    assert f"{proved}, only tried in random games for 3: turn.take" in found
    faults = [line for line in found if line.startswith("fault")]
    assert len(faults) == 6
    output = " ".join(" ".join(found).split())
    assert output.count("turn.take: requires a choice, but no action is legal") == 6
    assert {line.split(", 3 players")[0] for line in faults} == {"fault     stuck", "fault     long + stuck"}


def test_games_without_an_end_are_counted(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    without(game, "stuck")
    assert main(["combine", str(game), "-n", "2", "--variant", "idle", "--players", "1", "--cap", "30"]) == 0
    assert "played: 6 random games, 31.0 turns on average, 6 unfinished (100.00 %)" in lines(capsys)


def test_known_refusals(game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    without(game, "stuck", "idle")
    known = tmp_path / "refused.yaml"
    words = ["combine", str(game), "-n", "0", "--refused", str(known)]
    assert main(words) == 2
    assert main([*words, "--write"]) == 0
    assert known.read_text().endswith(
        'pairs:\n  long + short: {"1": two-writers, "2": two-writers, "3": two-writers}\n'
    )
    assert main(words) == 0
    capsys.readouterr()
    known.write_text(
        known.read_text().replace('"2": two-writers', '"2": one-anchor').replace("long + short", "long + pairs")
    )
    assert main(words) == 1
    assert [line for line in lines(capsys) if line.startswith("differs")] == [
        "differs   long + pairs, 2 players: expected one-anchor, found no refusal",
        "differs   long + short, 1 player: expected no refusal, found two-writers",
        "differs   long + short, 2 players: expected no refusal, found two-writers",
        "differs   long + short, 3 players: expected no refusal, found two-writers",
    ]
    without(game, "pairs")
    assert main(words) == 1
    assert any("long + pairs: listed as refused, but there are no such variants" in line for line in lines(capsys))
    known.write_text("refused: chips\npairs: {a + b: {two: x}}\n")
    assert main(words) == 2
    assert "is not valid, expected" in capsys.readouterr().err


def test_a_stopped_run_goes_on(game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    without(game, "stuck", "idle")
    kept = tmp_path / "kept.jsonl"
    assert main(["combine", str(game), "-n", "2", "--keep", str(kept)]) == 0
    whole, printed = kept.read_text(), lines(capsys)
    assert len(whole.splitlines()) == 13
    assert {json.loads(line)["key"] for line in whole.splitlines()[1:]} >= {"long, 1 player", "long + pairs, 2 players"}
    kept.write_text(
        "".join(whole.splitlines(keepends=True)[:7]) + '{"key": "lo'
    )  # as a process that was killed leaves it
    assert main(["combine", str(game), "--resume", str(kept)]) == 0  # with the number of games in the file
    assert lines(capsys) == printed
    assert kept.read_text() == whole
    assert main(["combine", str(game), "-n", "3", "--resume", str(kept)]) == 2
    assert "started with other settings" in capsys.readouterr().err
    kept.write_text(whole.replace('"digests"', '"digest"'))
    assert main(["combine", str(game), "-n", "2", "--resume", str(kept)]) == 2
    assert "damaged at line 2" in capsys.readouterr().err


@pytest.mark.slow
def test_jobs_change_nothing(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["combine", str(game), "-n", "2", "--cap", "50"]) == 1
    alone = lines(capsys)
    assert main(["combine", str(game), "-n", "2", "--cap", "50", "--jobs", "2"]) == 1
    assert lines(capsys) == alone


def test_a_sample(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["combine", str(game), "-n", "0", "--sample", "4", "--seed", "3"]) == 0
    assert lines(capsys)[0] == "chips: 4 combinations, each in both orders"


def test_claims(game: Path) -> None:
    plain = {claim.statement: claim for claim in prove_guarantees(load_rules(str(game)))}
    assert plain[CONSERVATION].is_proved
    assert plain[DECISION_HAS_OPTION].proof == "`pass` has no choices"
    assert plain[ROUND_PROGRESS].proof == "`turn.take` waits for a decision"
    stuck = prove_guarantees(load_rules(str(game), variants=["stuck"]))
    assert [claim.address for claim in stuck if not claim.is_proved] == ["turn.take"]


@pytest.mark.parametrize(
    ("choice", "when", "proved"),
    [
        ("{some_of: purse(me)}", "", True),  # none of them will do
        ("{some_of: purse(me), total: count(purse(me)) less limit}", "", True),
        ("{some_of: purse(me), total: count(bank) less limit}", "", False),  # of more than there are
        ("{some_of: purse(me), total: limit}", "", False),
        ("{one_of: colour}", "", True),
        ("{one_of: colour}", "when: {late: round_number > 1}", False),
        ("{one_of: bank}", "", False),
        ("{one_of: 1 to 3}", "", True),
        ("{one_of: 1 to limit}", "", False),  # a limit may be 0 in a variant
        ("{pay: 1 of red, from: purse(me)}", "", False),
    ],
)
def test_a_choice_that_always_has_an_answer(game: Path, choice: str, when: str, proved: bool) -> None:
    text = GAME.replace("if_unable: pass", "if_unable: nothing").replace("turn:\n", "turn:\n  - give: {must: [give]}\n")
    text = text.replace("  pass: {}", f"  give: {{choose: {{given: {choice}}}, {when or 'do: []'}}}")
    game.write_text(text)
    [claim] = [one for one in prove_guarantees(load_rules(str(game))) if one.address == "turn.give"]
    assert claim.proof == ("`give` always has an answer" if proved else "")


def test_a_try_is_a_game_of_its_seed(game: Path) -> None:
    engine = ReferenceEngine(load_rules(str(game), players=2))
    assert play_random_game(engine, 5) == play_random_game(engine, 5)
    assert count_contents(engine.rules, engine.start(seed=5).contents) == {"colour": (9, 9)}
    faulty = play_random_game(ReferenceEngine(load_rules(str(game), players=3, variants=["stuck"])), 1)
    assert faulty.fault is not None
    assert (faulty.fault.address, len(faulty.fault.actions), faulty.is_over) == ("turn.take", 4, False)
    assert faulty.fault.actions[0] in ("take(colour=red)", "take(colour=blue)")


def test_whichever_engine_plays_the_figures_are_the_same(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also where rules fail, or a game has no end."""
    without(game, "pairs")
    printed = {}
    for engine in ("auto", "python", "reference"):
        assert main(["combine", str(game), "-n", "5", "--cap", "30", "--engine", engine]) == 1
        *printed[engine], last = lines(capsys)
        assert last == f"engine: {'reference' if engine == 'reference' else 'python'}"
    assert printed["auto"] == printed["python"] == printed["reference"]
    assert any("turn.take: requires a" in line for line in printed["auto"])
    assert main(["combine", str(game), "-n", "0"]) == 0
    assert not any(line.startswith("engine: ") for line in lines(capsys))


def test_rules_that_cannot_be_compiled_are_played_by_the_reference_engine(
    game: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def compile_some(rules: Rules, *, is_native: bool) -> CompiledProgram:
        if "long" in rules.variants:
            raise NotCompiled("turn.take", "whatever it is")
        return compile_program(rules, is_native=is_native)

    monkeypatch.setattr(combinations, "compile_program", compile_some)
    without(game, "pairs", "stuck", "idle")
    assert main(["combine", str(game), "--players", "2", "-n", "2"]) == 0
    assert lines(capsys)[-2:] == [
        "engine: reference (turn.take cannot be compiled yet: whatever it is), for 1 of 2 combinations",
        "engine: python, for 1 of 2 combinations",
    ]
    assert main(["combine", str(game), "--players", "2", "-n", "2", "--engine", "python"]) == 2
    assert "--engine python: long, 2 players: turn.take cannot be compiled yet" in capsys.readouterr().err


def test_other_words_are_no_refusal(game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    without(game, *VARIANTS)
    for name in ("early", "late"):
        text = f"variant: {name}\nfor: chips\nsentences: {{turn.end: It ends {name}.}}\n"
        (game.parent / "variants" / f"{name}.yaml").write_text(text, encoding="utf-8")
    kept = tmp_path / "kept.jsonl"
    assert main(["combine", str(game), "-n", "2", "--keep", str(kept)]) == 0
    printed = " ".join(" ".join(lines(capsys)).split())
    assert "compatible: 9, refused: 0" in printed
    said = "`early` and `late` write `turn.end` in different words: neither is printed"
    assert printed.count(said) == 1
    assert "early.yaml:3:13" in printed
    assert "late.yaml:3:13); say `turn.end` once, in a file that joins both" in printed
    assert main(["combine", str(game), "--resume", str(kept)]) == 0
    assert said in " ".join(" ".join(lines(capsys)).split())
    rules = [load_rules(str(game), players=2, variants=names) for names in (["early", "late"], ["late", "early"])]
    assert rules[0].digest == rules[1].digest == load_rules(str(game), players=2).digest

"""The command `replay`: a game told to somebody, checked, held against other rules, made into a scenario; nothing is
shown that the reader may not know, and whatever is wrong with a file is said in a sentence.
"""

from __future__ import annotations

import json
import re
import shlex
from contextlib import suppress
from pathlib import Path

import pytest

from positions import Table, chosen, engine_of, recorded
from rulewright.cli.main import main
from rulewright.cli.test import write_results
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.records.rules_snapshot import load_rules_with_snapshot
from rulewright.scenarios.export_scenario import ScenarioExportError, export_scenario
from rulewright.scenarios.runner import run_scenario_files
from rulewright.session.session import Session
from rulewright.terminal.width import DEFAULT_WIDTH as WIDTH

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
KEPT = ROOT / "tests" / "records" / "two-colours.jsonl"


@pytest.fixture
def run_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    monkeypatch.chdir(ROOT)

    def run(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        status = main(words)
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return status, out, err

    return run


def kept(path: Path, variants: tuple[str, ...] = (), most: int = 400, seed: int = 7) -> Session:
    """A game played to its end and written down."""
    rules, data = load_rules_with_snapshot("splendor", players=2, variants=variants)
    session = recorded(Session.new(ReferenceEngine(rules), seed=seed, seats=["Ann", "B\x1b[2Job"]), path, data)
    while not session.over and len(session.match.history) < most:
        legal = session.legal()
        session.act(legal[(len(session.match.history) * 13 + 5) % len(legal)])
    session.close()
    return session


# ---- told --------------------------------------------------------------------------------------------------------


def test_a_game_is_shown_from_the_first_to_the_last_action(run_command, tmp_path: Path):
    session = kept(tmp_path / "game.jsonl")
    status, out, _ = run_command("replay", str(tmp_path / "game.jsonl"))
    assert status == 0
    numbers = [int(one) for one in re.findall(r"^ *(\d+)  player \d  \w", out, re.MULTILINE)]
    assert numbers == list(range(1, len(session.match.history) + 1))
    assert "Ranking" in out
    assert "\x1b" not in out
    assert "player 2: B?[2Job" in out


def test_what_is_hidden_stays_hidden(run_command, tmp_path: Path):
    """With hidden hands a spectator is told no card that was reserved, and each seat only its own."""
    path = tmp_path / "game.jsonl"
    rules, data = load_rules_with_snapshot("splendor", players=2, variants=("hidden-hands",))
    session = recorded(Session.new(ReferenceEngine(rules), seed=3), path, data)
    hands = {0: ["l1_ruby_6", "l2_onyx_6"], 1: ["l1_emerald_8", "l2_emerald_6"]}
    for turn in (0, 1):
        for seat in (0, 1):
            session.act(f"reserve_face_up(card={hands[seat][turn]})")
    session.close()
    for words, mine in (((), None), (("--player", "1"), 0), (("--player", "2"), 1)):
        _, out, _ = run_command("replay", str(path), *words)
        for seat, cards in hands.items():
            told = [card for card in cards if f"reserve_face_up(card={card})" in out]
            assert told == (cards if seat == mine else [])
        assert "seed" not in out  # it would tell everything


def test_the_board_at_an_action(run_command, tmp_path: Path):
    kept(tmp_path / "game.jsonl", most=5)
    status, out, _ = run_command("replay", str(tmp_path / "game.jsonl"), "--at", "0")
    assert (status, "round 1  turn 1" in out) == (0, True)
    assert run_command("replay", str(tmp_path / "game.jsonl"), "--at", "5", "--player", "2")[0] == 0
    status, _, err = run_command("replay", str(tmp_path / "game.jsonl"), "--at", "6")
    assert (status, err) == (2, "rulewright: --at must be 0 to 5: the game has 5 actions\n")


@pytest.mark.parametrize("variants", [(), ("most-nobles",)])
def test_it_is_shown_in_other_languages_and_with_other_variants(run_command, tmp_path: Path, variants: tuple[str, ...]):
    kept(tmp_path / "game.jsonl", variants, most=4)
    assert run_command("replay", str(tmp_path / "game.jsonl"), "--lang", "fr")[0] == 0
    assert run_command("replay", str(tmp_path / "game.jsonl"), "--lang", "de")[0] == 2


def test_a_last_line_that_was_cut_off_is_reported(run_command, tmp_path: Path):
    path = tmp_path / "game.jsonl"
    kept(path, most=4)
    path.write_bytes(path.read_bytes()[:-9])
    status, out, _ = run_command("replay", str(path))
    assert status == 0
    assert "the last line is cut off and was ignored" in out
    assert "   3  player 1" in out
    assert "   4  seat" not in out


# ---- checked -----------------------------------------------------------------------------------------------------


def test_a_good_record_is_verified(run_command, tmp_path: Path):
    kept(tmp_path / "game.jsonl")
    status, out, _ = run_command("replay", str(tmp_path / "game.jsonl"), "--verify")
    assert status == 0
    assert [line.split()[0] for line in out.splitlines() if not line.startswith(" ")] == [
        "rules", "actions", "result", "seed", "shipped",
    ]  # fmt: skip
    assert out.splitlines()[-1] == "shipped  the same rules"


def test_a_seed_that_was_changed_is_found(run_command, tmp_path: Path):
    path = tmp_path / "game.jsonl"
    kept(path, most=20)
    head, _, rest = path.read_text(encoding="utf-8").partition("\n")
    path.write_text(json.dumps({**json.loads(head), "seed": 8}) + "\n" + rest, encoding="utf-8")
    status, out, _ = run_command("replay", str(path), "--verify")
    assert status == 1
    assert "chance outcomes differ from those of its seed, first after action" in out


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["play-to-12"], "The cause is `play-to-12`: without it the record goes on."),
        (["sudden-end", "no-giving-back"], "The cause is `no-giving-back`: without it the record goes on."),
        (["open-hands", "token_limit=9"], "The cause is `token_limit=9`: without it the record goes on."),
        (["five-wide", "solo-like.yaml"], "The cause is `five-wide` and `solo-like.yaml`, each of them alone."),
        (["halves.yaml", "target_prestige=16"], "The cause is `halves.yaml` and `target_prestige=16` together: "
            "without any one of them the record goes on."),
        (["most-nobles"], ""),
    ],
)  # fmt: skip
def test_the_variant_that_parts_a_game_from_its_rules_is_named(
    run_command, tmp_path: Path, given: list[str], said: str
):
    """Whether it brings a clause, a value, or only what happens; of several the one without which the game goes on."""
    path = tmp_path / "game.jsonl"
    kept(path)
    heads = "for: splendor\nstatus: own\ntext: {en: T., fr: T.}\n"
    (tmp_path / "solo-like.yaml").write_text(
        f"variant: solo-like\n{heads}set: {{parameters.nobles_shown: 1}}\n", encoding="utf-8"
    )
    (tmp_path / "halves.yaml").write_text(
        f"variant: halves\n{heads}add:\n  actions.take_pair.when.half: {{is: target_prestige is not 16, "
        "why: {en: No., fr: Non.}}\n",
        encoding="utf-8",
    )
    words = []
    for one in given:
        path_of = str(tmp_path / one) if one.endswith(".yaml") else one
        words += ["--set", one] if "=" in one else ["--variant", path_of]
    status, out, _ = run_command("replay", str(path), "--verify", *words)
    assert status == (1 if said else 0)
    told = " ".join(out.split())
    assert said in told
    assert ("The cause is" in told) == bool(said)


def test_other_rules_than_the_shipped_ones_are_reported(run_command, tmp_path: Path):
    """A record of rules of a shipped name, with one number changed, and of the same rules in other words."""
    for name, was, now, said, differs in (
        ("number", r"(different_colours: \{value: )3", r"\g<1>2", "other rules (version 1.0.0), under which", True),
        ("words", r"^(text: Splendor)$", r"\1 of its own", "the same rules, worded differently", False),
    ):
        game = tmp_path / name / "splendor"
        changed = 0
        for path in (ROOT / "rules" / "splendor").rglob("*.yaml"):
            text, count = re.subn(was, now, path.read_text(encoding="utf-8"), flags=re.MULTILINE)
            changed += count
            copy = game / path.relative_to(ROOT / "rules" / "splendor")
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(text, encoding="utf-8")
        assert changed == 1
        rules, data = load_rules_with_snapshot(str(game), players=2)
        path = tmp_path / f"{name}.jsonl"
        session = recorded(Session.new(ReferenceEngine(rules), seed=3), path, data)
        session.act("diff ruby onyx" if differs else "diff ruby onyx emerald")
        session.close()
        status, out, _ = run_command("replay", str(path), "--verify")
        assert status == differs
        assert f"shipped  {said}" in out
        assert ("Exactly 3 different gem colours" in out) == differs


@pytest.mark.parametrize("text", ["", "hello\n", '{"record": 1}\n', "[" * 9999 + "\n"])
def test_what_is_not_a_record_is_reported_in_a_sentence(run_command, tmp_path: Path, text: str):
    path = tmp_path / "game.jsonl"
    path.write_text(text, encoding="utf-8")
    status, out, err = run_command("replay", str(path))
    assert (status, out) == (2, "")
    assert err.startswith(f"rulewright: {path}:1: ")
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    "words", ["no-such.jsonl", "README.md", "tests", "{kept} --player 3", "{kept} --variant no-such"]
)
def test_wrong_use_is_reported_in_a_sentence(run_command, words: str):
    status, out, err = run_command("replay", *words.format(kept=KEPT).split())
    assert (status, out) == (2, "")
    assert len(err.splitlines()) == 1


# ---- other rules -------------------------------------------------------------------------------------------------


def test_where_the_rules_diverge_a_reader_is_shown_no_more_than_it_may_know(run_command, tmp_path: Path):
    """A card reserved in secret is not named to others when other rules would have forbidden it."""
    path = tmp_path / "game.jsonl"
    rules, data = load_rules_with_snapshot("splendor", players=2, variants=("hidden-hands",))
    session = recorded(Session.new(ReferenceEngine(rules), seed=3), path, data)
    session.act("reserve l1_ruby_6")
    session.act("pair onyx")
    session.act("reserve l2_onyx_6")
    session.close()
    one = tmp_path / "one.yaml"
    one.write_text("variant: one-card\nfor: splendor\ntext: One.\nset: {parameters.hand_limit: 1}\n", encoding="utf-8")
    for words, tells in (((), False), (("--player", "1"), True), (("--player", "2"), False)):
        status, out, _ = run_command("replay", str(path), "--variant", str(one), "--variant", "hidden-hands", *words)
        assert status == 1
        assert "At action 3 (line 5) the record and these rules diverge" in out
        last = out[out.index("At action 3") :]
        assert ("l2_onyx_6" in last) == tells
        assert ("reserved card already" in " ".join(last.split())) == tells
    status, out, _ = run_command("replay", str(path), "--variant", str(one), "--variant", "hidden-hands", "--verify")
    assert status == 1
    assert "l2_onyx_6" in out


# ---- scenarios ---------------------------------------------------------------------------------------------------


def test_a_scenario_that_is_printed_passes(run_command, tmp_path: Path):
    path = tmp_path / "game.jsonl"
    kept(path, ("hidden-hands",), most=25)
    for words in ((), ("--at", "12"), ("--at", "25")):
        status, out, _ = run_command("replay", str(path), "--to-scenario", *words)
        assert status == 0
        file = tmp_path / "case.yaml"
        file.write_text(out, encoding="utf-8")
        status, out, _ = run_command("test", str(file))
        assert (status, out.splitlines()[-1]) == (0, "1 passed, 0 failed")
    assert run_command("replay", str(path), "--to-scenario", "--at", "0")[0] == 2


@pytest.mark.sampled(2)
@pytest.mark.parametrize("number", range(0, len(chosen("all")), 7))
def test_any_action_of_any_game_can_be_a_scenario(tmp_path: Path, number: int):
    """What is printed passes; what cannot be told is refused with a reason, and that is seldom."""
    table: Table = chosen("all")[number]
    session = Session.new(engine_of(table), seed=number)
    while not session.over and len(session.match.history) < 14:
        legal = session.legal()
        session.act(legal[(len(session.match.history) * 7 + number) % len(legal)])
    made = len(session.match.history)
    told = 0
    for at in (None, 1, made // 2 or 1, made):
        with suppress(ScenarioExportError):
            text = export_scenario(session, at, "a game")
            told += 1
            if not table.variants and "/" not in table.game:
                (tmp_path / f"{at}.yaml").write_text(text, encoding="utf-8")
    assert told >= 2
    assert write_results(run_scenario_files([tmp_path]), lambda text: None) == 0


# ---- what the manual shows ---------------------------------------------------------------------------------------


def test_the_readme_shows_what_is_printed(run_command):
    text = (ROOT / "rules" / "MANUAL.md").read_text(encoding="utf-8")
    [block] = [one for one in re.findall(r"```console\n(.*?)```", text, re.DOTALL) if "rulewright replay" in one]
    shown = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    assert len(shown) == 3
    for one in shown:
        command, _, expected = one.partition("\n")
        _, out, _ = run_command(*shlex.split(command)[1:])
        pattern = ".*".join(re.escape(part) for part in re.split(r"^…\n", expected, flags=re.MULTILINE))
        assert re.fullmatch(pattern, out, re.DOTALL), out

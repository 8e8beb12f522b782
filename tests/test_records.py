"""A record is the game: it replays without the generator and without the rule files, survives whatever happens to the
process, says where other rules would have led elsewhere, and refuses what cannot be.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator

from positions import Begin, Table, begins, chosen, engine_of, recorded, tried
from recorded_games import FAIR, NIM, lines_of, loaded, written
from rulewright import bundle, limits
from rulewright.records.record_file import HEAD_FIELDS, LINE_FIELDS, InvalidRecord, read_record
from rulewright.records.replayer import first_seed_mismatch, replay_record, resume_record
from rulewright.records.rules_snapshot import rules_from_snapshot
from rulewright.session.session import Session
from rulewright.session.undo import CannotUndo

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
SCHEMA = json.loads((bundle.bundle_folder("schemas") / "record.schema.json").read_text(encoding="utf-8"))
VALID = Draft202012Validator(SCHEMA)
AUCTION = "tests/games/auction/auction.yaml"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("records")


# ---- what is written is played again -----------------------------------------------------------------------------


@tried(10)
@given(begins())
def test_a_record_is_the_game(folder: Path, begin: Begin):
    path = folder / "game.jsonl"
    policy = "free" if begin.taste % 3 == 0 else "fair"
    session = written(path, begin, most=18, policy=policy, start=begin.taste % 5 == 0)
    again = replay_record(read_record(path))
    assert again.session.states == session.states
    assert again.session.match.history == session.match.history
    assert (again.session.seats, again.session.policy) == (session.seats, session.policy)
    assert again.notes == ()
    assert first_seed_mismatch(again.session) is None
    for line in lines_of(path):
        assert not list(VALID.iter_errors(line))


def test_the_rules_in_a_record_are_the_rules():
    """Every game that ships or is tested, under every variant: made again from JSON with equal digests."""
    tables = {(table.game, table.variants): table for table in chosen("all") if not table.piecewise}
    assert len(tables) > 20
    for table in tables.values():
        engine, data = loaded(table)
        again = rules_from_snapshot(json.loads(json.dumps(data)), table.players, engine.rules.variants, "a record")
        assert (again.digest, again.text_digest) == (engine.rules.digest, engine.rules.text_digest), table
        assert again.languages.keys() == engine.rules.languages.keys()
        assert again.display == engine.rules.display
        assert again.explanations.works() == engine.rules.explanations.works()


def test_a_record_needs_no_rule_files(tmp_path: Path):
    """The rules are gone, the record still plays and goes on."""
    game = tmp_path / "game.yaml"
    game.write_text((ROOT / AUCTION).read_text(encoding="utf-8"), encoding="utf-8")
    path = tmp_path / "game.jsonl"
    session = written(path, Begin(Table(str(game), 2), 0, 1, 1, 0), most=2)
    game.unlink()
    again = resume_record(path).session
    assert again.states == session.states
    again.act(again.legal()[0])
    again.close()
    assert len(replay_record(read_record(path)).session.match.history) == 3


@pytest.mark.parametrize("policy", ["fair", "free"])
def test_who_goes_on_plays_the_same_game(folder: Path, policy: str):
    """Chance falls as it would have: the generator stands where it stood."""
    path, begin = folder / f"on-{policy}.jsonl", Begin(Table("splendor", 2), 1, 5, 5, 0)
    written(path, begin, most=12, policy=policy)
    again = resume_record(path).session
    straight = Session.new(engine_of(begin.table), first=1, seed=5, policy=policy)
    for done in again.match.history:
        straight.act(done.action)
    for _ in range(10):
        action = straight.legal()[-1]
        assert again.act(action) == straight.act(action)
    again.close()
    assert replay_record(read_record(path)).session.states == straight.states


def test_a_record_is_never_written_over(folder: Path):
    path = folder / "there.jsonl"
    path.write_text("something dear")
    engine, data = loaded(Table(NIM, 2))
    with pytest.raises(FileExistsError):
        recorded(Session.new(engine, seed=1), path, data)
    assert path.read_text() == "something dear"
    assert [one.name for one in folder.glob("there*")] == ["there.jsonl"]


def test_two_do_not_write_one_record(folder: Path):
    path = folder / "both.jsonl"
    engine, data = loaded(Table(NIM, 2))
    path.unlink(missing_ok=True)
    first = recorded(Session.new(engine, seed=1), path, data)
    with pytest.raises(InvalidRecord, match="another process"):
        resume_record(path)
    first.act(first.legal()[0])
    first.close()
    resume_record(path).session.close()


def test_rules_that_were_not_given_must_be_the_shipped_ones(folder: Path):
    engine, _ = loaded(Table("splendor", 2))
    session = recorded(Session.new(engine, seed=1), folder / "shipped.jsonl")
    session.close()
    assert read_record(folder / "shipped.jsonl").head.digest == engine.rules.digest
    other, _ = loaded(Table(AUCTION, 2))
    with pytest.raises(ValueError, match="pass snapshot"):
        recorded(Session.new(other, seed=1), folder / "not-shipped.jsonl")
    assert not (folder / "not-shipped.jsonl").exists()


# ---- whatever happens to the process -----------------------------------------------------------------------------


def test_cut_off_anywhere_it_opens_and_goes_on(folder: Path):
    """As the disk may hold it when the power fails in the middle of a line."""
    whole = folder / "whole.jsonl"
    session = written(whole, Begin(Table(FAIR, 2), 0, 3, 3, 0), most=8, back=False)
    data = whole.read_bytes()
    head = data.index(b"\n") + 1
    head = data.index(b"\n", head) + 1  # and the set-up, which is written with it
    path = folder / "cut.jsonl"
    for end in range(head, len(data), 57):
        path.write_bytes(data[:end])
        acts = data[head:end].rpartition(b"\n")[0].count(b'{"do":"act"')
        record = read_record(path)
        again = replay_record(record)
        assert (record.truncated_bytes > 0) == (not data[:end].endswith(b"\n"))
        assert len(again.notes) == (record.truncated_bytes > 0)
        assert len(again.session.match.history) == acts
        assert again.session.states == session.states[: acts + 1]
        if end % 3 == 0:
            going = resume_record(path).session
            going.act(session.match.history[acts].action)
            going.close()
            after = replay_record(read_record(path))
            assert after.notes == ()
            assert after.session.states == session.states[: acts + 2]


PLAYER = """
import sys
sys.path.insert(0, {package!r})
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.records.record_writer import start_recording
from rulewright.records.replayer import resume_record
from rulewright.records.rules_snapshot import load_rules_with_snapshot
from rulewright.session.session import Session
path, fresh = sys.argv[1], sys.argv[2] == "new"
if fresh:
    rules, data = load_rules_with_snapshot({game!r}, players=4)
    session = Session.new(ReferenceEngine(rules), seed=11)
    start_recording(session, path, data)
else:
    session = resume_record(path).session
print("ready", flush=True)
while not session.over:
    session.act(session.legal()[(len(session.match.history) * 7) % len(session.legal())])
    print(len(session.match.history), flush=True)
"""


def test_killed_at_any_moment_it_has_lost_at_most_the_action_in_flight(folder: Path):
    path = folder / "killed.jsonl"
    path.unlink(missing_ok=True)
    code = PLAYER.format(package=str(ROOT / "interpreter"), game=str(ROOT / FAIR))
    rng = random.Random(4)
    told = 0
    for attempt in range(4):
        process = subprocess.Popen(
            [sys.executable, "-c", code, str(path), "new" if attempt == 0 else "on"],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        for _ in range(rng.randint(2, 9)):
            line = process.stdout.readline()
            if not line:
                break
            told = int(line)
        time.sleep(rng.random() / 200)
        process.send_signal(signal.SIGKILL)
        rest = process.stdout.read().split()
        process.wait()
        process.stdout.close()
        told = int(rest[-1]) if rest and not rest[-1].startswith("ready") else told
        found = replay_record(read_record(path))
        assert told <= len(found.session.match.history) <= told + 1
        told = len(found.session.match.history)
    assert told >= 8


def test_when_the_disk_is_full_nothing_was_done(folder: Path, monkeypatch: pytest.MonkeyPatch):
    path = folder / "full.jsonl"
    path.unlink(missing_ok=True)
    engine, data = loaded(Table(NIM, 2))
    session = recorded(Session.new(engine, seed=1), path, data)
    before, size = session.state, path.stat().st_size
    really = os.write

    def full(descriptor: int, line: bytes) -> int:
        really(descriptor, line[:10])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="No space"):
        session.act(session.legal()[0])
    monkeypatch.undo()
    assert (session.state, session.match.history, path.stat().st_size) == (before, [], size)
    session.act(session.legal()[1])
    session.close()
    assert replay_record(read_record(path)).session.states == session.states


def test_an_interrupt_leaves_no_action_that_was_not_done(folder: Path, monkeypatch: pytest.MonkeyPatch):
    path = folder / "interrupted.jsonl"
    path.unlink(missing_ok=True)
    engine, data = loaded(Table(NIM, 2))
    session = recorded(Session.new(engine, seed=1), path, data)

    def interrupted(descriptor: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        session.act(session.legal()[0])
    monkeypatch.undo()
    assert not session.match.history
    session.act(session.legal()[1])
    session.close()
    assert replay_record(read_record(path)).session.states == session.states


def test_going_back_and_forth_without_end_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch):
    path = folder / "forth.jsonl"
    written(path, Begin(Table(NIM, 2), 0, 3, 3, 0), most=2, policy="free", back=False)
    with path.open("a", encoding="utf-8") as file:
        file.write('{"do":"undo","count":2}\n{"do":"redo","count":2}\n' * 20)
    assert len(replay_record(read_record(path)).session.match.history) == 2
    monkeypatch.setattr(limits, "MAX_REPLAYED_ACTIONS", 50)
    with pytest.raises(InvalidRecord, match="limit of 50 actions undone and redone"):
        replay_record(read_record(path))
    monkeypatch.setattr(limits, "MAX_RECORD_LINES", 40)
    with pytest.raises(InvalidRecord, match="limit of 40 lines"):
        read_record(path)
    monkeypatch.setattr(limits, "MAX_RECORD_BYTES", 1024 * 1024)
    path.write_bytes(b"x" * 1024 * 1024 + b"\n")
    with pytest.raises(InvalidRecord, match="limit of 1 MiB"):
        read_record(path)


# ---- under other rules -------------------------------------------------------------------------------------------


def test_other_rules_say_where_and_why_they_part(tmp_path: Path):
    table = Table("splendor", 2)
    engine, data = loaded(table)
    path = tmp_path / "game.jsonl"
    session = recorded(Session.new(engine, seed=3), path, data)
    session.act("reserve_face_up(card=l1_ruby_6)")
    session.act("take_pair(colour=ruby)")
    session.undo()
    session.act("take_different(colours=diamond + ruby + onyx)")
    session.close()
    changed = tmp_path / "two-colours.yaml"
    changed.write_text("variant: two-colours\nfor: splendor\ntext: Two.\nset: {parameters.different_colours: 2}\n")
    other, _ = loaded(Table("splendor", 2, (str(changed),)))
    found = replay_record(read_record(path), other)
    difference = found.divergence
    assert difference is not None
    assert (difference.number, difference.line, difference.kind) == (2, 6, "action")
    assert [one.address for one in difference.reasons] == ["actions.take_different.choose.colours"]
    assert "Exactly 2 different" in difference.reasons[0].sentence
    assert str(difference.reasons[0].span).startswith("rules/splendor/actions.yaml:")
    assert len(found.session.match.history) == 1
    assert replay_record(read_record(path)).divergence is None


def test_another_result_is_reported(tmp_path: Path):
    """Under `misere` the same moves lose."""
    engine, data = loaded(Table(NIM, 2))
    path = tmp_path / "game.jsonl"
    session = recorded(Session.new(engine, seed=3), path, data)
    while not session.over:
        session.act(session.legal()[-1])
    session.close()
    misere, _ = loaded(Table(NIM, 2, ("misere",)))
    difference = replay_record(read_record(path), misere).divergence
    assert difference is not None
    assert difference.kind == "result"


def test_chance_that_cannot_fall_so_is_reported(tmp_path: Path):
    path = tmp_path / "game.jsonl"
    written(path, Begin(Table("splendor", 2), 0, 3, 3, 0), most=6, back=False)
    changed = tmp_path / "narrow.yaml"
    changed.write_text("variant: narrow\nfor: splendor\ntext: Narrow.\nset: {parameters.market_width: 3}\n")
    other, _ = loaded(Table("splendor", 2, (str(changed),)))
    difference = replay_record(read_record(path), other).divergence
    assert difference is not None
    assert (difference.number, difference.kind) == (0, "chance")


# ---- the schema says the same ------------------------------------------------------------------------------------


def test_the_schema_knows_the_same_keys():
    Draft202012Validator.check_schema(SCHEMA)
    defs = SCHEMA["$defs"]
    assert set(defs["head"]["properties"]) == set(defs["head"]["required"]) == set(HEAD_FIELDS)
    by_do = {"chance": "chanced", "act": "act", "undo": "undone", "redo": "undone", "end": "end"}
    assert set(by_do) == set(LINE_FIELDS)
    for do, keys in LINE_FIELDS.items():
        assert set(defs[by_do[do]]["properties"]) - {"do"} == set(keys)


def test_what_an_undo_would_cross_is_refused_in_a_session_that_goes_on(folder: Path):
    path = folder / "fair.jsonl"
    path.unlink(missing_ok=True)
    engine, data = loaded(Table("splendor", 2))
    session = recorded(Session.new(engine, seed=3), path, data)
    session.act("reserve_face_up(card=l1_ruby_6)")
    session.close()
    again = resume_record(path).session
    with pytest.raises(CannotUndo):
        again.undo()
    again.close()

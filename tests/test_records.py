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
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator

from positions import Begin, Table, begins, chosen, engine_of, piecewise_choices, recorded, tried
from rulewright import bundle, limits
from rulewright.engine.faults import RuleFault
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.records.record_file import HEAD_FIELDS, LINE_FIELDS, InvalidRecord, read_record
from rulewright.records.replayer import first_seed_mismatch, replay_record, resume_record
from rulewright.records.rules_snapshot import SnapshotError, load_rules_with_snapshot, rules_from_snapshot
from rulewright.session.session import Session
from rulewright.session.undo import CannotUndo

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
SCHEMA = json.loads((bundle.bundle_folder("schemas") / "record.schema.json").read_text(encoding="utf-8"))
VALID = Draft202012Validator(SCHEMA)
NIM = "nim"
AUCTION = "tests/games/auction/auction.yaml"
FAIR = "tests/games/fair.yaml"


@cache
def loaded(table: Table) -> tuple[ReferenceEngine, dict[str, Any]]:
    rules, data = load_rules_with_snapshot(table.game, players=table.players, variants=table.variants)
    return ReferenceEngine(rules, tokenwise=piecewise_choices(rules) if table.piecewise else ()), data


def written(
    path: Path, begin: Begin, most: int = 25, *, policy: str = "fair", start: bool = False, back: bool = True
) -> Session:
    """A random game with some taking back, written to a new file."""
    engine, data = loaded(begin.table)
    path.unlink(missing_ok=True)
    rng = random.Random(begin.moves)
    if start:
        state = Session.new(engine, first=begin.first, seed=begin.seed or 0).state
        session = recorded(Session.from_position(engine, state, policy=policy), path, data)
    else:
        seats = ["somebody"] * begin.table.players
        session = Session.new(engine, first=begin.first, seed=begin.seed, policy=policy, seats=seats)
        recorded(session, path, data)
    while not session.over and len(session.match.history) < most:
        if session.waits_for_chance:
            session.resolve_chance(rng.choice(session.state.waiting.outcomes)[0])
            continue
        session.act(rng.choice(session.legal()))
        if back and rng.random() < 0.2 and session.can_undo():
            session.undo()
            if rng.random() < 0.5:
                session.redo()
    session.close()
    return session


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def rewritten(path: Path, change: Callable[[list[dict[str, Any]]], object]) -> None:
    """The file with its lines changed."""
    lines = lines_of(path)
    change(lines)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


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
        assert again.works == engine.rules.works


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


# ---- what cannot be ----------------------------------------------------------------------------------------------


def _no_choice(lines: list[dict[str, Any]]) -> None:
    next(one for one in lines if one.get("do") == "act")["choose"] = {}


def _first_act(lines: list[dict[str, Any]]) -> dict[str, Any]:
    return next(one for one in lines if one.get("do") == "act")


# what is done to the lines of a record -> the line and words of the refusal
DAMAGED: dict[str, tuple[Callable[[list[Any]], object], int, str]] = {
    "no_head": (lambda all_: all_.pop(0), 1, "not a record"),
    "another_form": (lambda all_: all_[0].update(record=2), 1, "version 2"),
    "no_players": (lambda all_: all_[0].pop("players"), 1, "no 'players'"),
    "a_strange_key": (lambda all_: all_[0].update(colour="red"), 1, "unknown key 'colour'"),
    "a_wrong_sort": (lambda all_: all_[0].update(seed="7"), 1, "'seed' must be"),
    "another_digest": (lambda all_: all_[0].update(digest="0" * 64), 1, "their digest is"),
    "other_rules": (lambda all_: all_[0]["rules"]["root"]["parameters"].update(rounds=4), 1, "their digest is"),
    "broken_rules": (lambda all_: all_[0]["rules"]["root"].pop("round"), 1, "cannot be used"),
    "no_rules": (lambda all_: all_[0].update(rules={}), 1, "cannot be used"),
    "rules_of_no_shape": (lambda all_: all_[0]["rules"].update(root={"game": "x"}), 1, "cannot be used"),
    "rules_with_nothing_in_them": (lambda all_: all_[0]["rules"].update(root={}), 1, "cannot be used"),
    "a_null_in_the_rules": (lambda all_: all_[0]["rules"]["root"].update(text=None), 1, "cannot be used"),
    "other_players": (lambda all_: all_[0].update(players=3), 1, "their digest is"),
    "too_many_players": (lambda all_: all_[0].update(players=99), 1, "cannot be used"),
    "no_such_seat": (lambda all_: all_[0].update(first=9), 1, "cannot begin"),
    "no_such_choice": (lambda all_: all_[0].update(tokenwise=["actions.x.choose.y"]), 1, "there is no choice"),
    "no_such_start": (lambda all_: all_[0].update(start={"game": "fair"}), 1, "position"),
    "no_set_up": (lambda all_: all_.pop(1), 2, "no chance outcomes for the set-up"),
    "less_chance": (lambda all_: all_[1]["chance"].pop(), 2, "no chance outcome for weather"),
    "more_chance": (lambda all_: all_[1]["chance"].append({"roll": "die", "is": 1}), 2, "no chance event here"),
    "no_such_outcome": (lambda all_: all_[1]["chance"][0].update({"is": "moon"}), 2, "is not possible there"),
    "no_such_event": (
        lambda all_: all_[1]["chance"].__setitem__(0, {"roll": "moon", "is": 1}),
        2,
        "is not possible there",
    ),
    "chance_of_no_form": (lambda all_: all_[1]["chance"].__setitem__(0, {"is": 1}), 2, "a list of outcomes"),
    "chance_out_of_place": (lambda all_: all_.insert(3, all_[1]), 4, "chance outcomes without an action"),
    "another_seat": (lambda all_: _first_act(all_).update(seat=1), 3, "player 1 chooses"),
    "no_such_action": (lambda all_: _first_act(all_).update(action="fly"), 3, "there is no action 'fly'"),
    "an_answer_too_few": (_no_choice, 3, "is not legal"),
    "an_action_twice": (lambda all_: all_.insert(3, all_[2]), 4, "player 2 chooses"),
    "no_such_line": (lambda all_: all_[2].update(do="fly"), 3, "one of chance, act"),
    "undone_too_far": (lambda all_: all_.append({"do": "undo", "count": 99}), 8, "cannot be undone"),
    "redone_too_far": (lambda all_: all_.append({"do": "redo", "count": 1}), 8, "cannot be redone"),
    "ended_too_early": (
        lambda all_: all_.append({"do": "end", "places": [1, 1], "winners": [0], "measures": {}}),
        8,
        "it goes on",
    ),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_record_is_refused_with_its_line(tmp_path: Path, name: str):
    change, number, words = DAMAGED[name]
    path = tmp_path / "game.jsonl"
    written(path, Begin(Table(FAIR, 2), 0, 3, 3, 0), most=5, back=False)
    rewritten(path, change)
    with pytest.raises(InvalidRecord) as refused:
        replay_record(read_record(path))
    assert refused.value.line == number, refused.value
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


BYTES: dict[str, tuple[bytes, int, str]] = {
    "empty": (b"", 1, "empty"),
    "no_line": (b'{"record":1', 1, "cut off"),
    "no_json": (b"hello\n", 1, "not valid JSON"),
    "no_object": (b"[1]\n", 1, "not a JSON object"),
    "no_text": (b"\xff\xfe\n", 1, "not UTF-8"),
    "deep": (b"[" * 100_000 + b"\n", 1, "too deeply"),
    "deep_object": (b'{"a":' * 90 + b"1" + b"}" * 90 + b"\n", 1, "too deeply"),
    "twice": (b'{"record":1,"record":1}\n', 1, "twice"),
    "not_a_number": (b'{"record":NaN}\n', 1, "NaN"),
    "long_number": (b'{"record":' + b"9" * 10_000 + b"}\n", 1, ""),
    "nothing_but_ends": (b"\n\n\n", 1, "not valid JSON"),
    "another_file": (b'{"format":1,"game":"fair"}\n', 1, "not a record"),
}


@pytest.mark.parametrize("name", BYTES)
def test_what_is_no_record_is_refused(tmp_path: Path, name: str):
    data, number, words = BYTES[name]
    path = tmp_path / "game.jsonl"
    path.write_bytes(data)
    with pytest.raises(InvalidRecord) as refused:
        read_record(path)
    assert refused.value.line == number
    assert words in str(refused.value)


def test_an_end_that_was_not_so_is_refused(tmp_path: Path):
    path = tmp_path / "game.jsonl"
    written(path, Begin(Table(NIM, 2), 0, 3, 3, 0), most=99)
    rewritten(path, lambda lines: lines[-1].update(winners=[0, 1]))
    with pytest.raises(InvalidRecord, match="the winners are"):
        replay_record(read_record(path))


def test_a_seed_that_did_not_make_this_game_is_noticed(tmp_path: Path):
    path = tmp_path / "game.jsonl"
    written(path, Begin(Table("splendor", 2), 0, 3, 3, 0), most=20)
    rewritten(path, lambda lines: lines[0].update(seed=4))
    assert first_seed_mismatch(replay_record(read_record(path)).session) is not None


ODD = (None, True, -1, 0, 10**12, 1.5, "", "?", "x" * 50, [], {}, [[]], {"a": 1}, "\u0000", "+stop", 2**70)


def garbled(data: Any, rng: random.Random) -> None:
    """Something inside is something else, or gone."""
    spots: list[tuple[Any, Any]] = []

    def walk(node: Any) -> None:
        for key, value in node.items() if isinstance(node, dict) else enumerate(node):
            spots.append((node, key))
            if isinstance(value, dict | list):
                walk(value)

    walk(data)
    if not spots:
        return
    node, key = rng.choice(spots)
    match rng.randrange(4):
        case 0:
            del node[key]
        case 1:
            other, at = rng.choice(spots)
            node[key] = json.loads(json.dumps(other[at])) if at in other or isinstance(other, list) else None
        case _:
            node[key] = rng.choice(ODD)


@pytest.mark.parametrize("seed", range(8))
def test_a_garbled_record_is_played_or_refused(tmp_path: Path, seed: int):
    """Anything may stand in a file; nothing that stands there makes the program fall over, or sit for long."""
    rng = random.Random(seed)
    path = tmp_path / "game.jsonl"
    written(path, Begin(Table((FAIR, NIM)[seed % 2], 2), 0, seed, seed, 0), most=12, policy="free")
    whole = path.read_bytes()
    for _ in range(25):
        lines = whole.split(b"\n")[:-1]
        at = rng.randrange(len(lines))
        match rng.randrange(4):
            case 0 | 1:
                data = json.loads(lines[at])
                for _ in range(rng.randint(1, 3)):
                    garbled(data, rng)
                lines[at] = json.dumps(data).encode()
            case 2:
                letters = bytearray(lines[at])
                for _ in range(rng.randint(1, 3)):
                    letters[rng.randrange(len(letters))] = rng.randrange(256)
                lines[at] = bytes(letters)
            case 3:
                lines.insert(rng.randrange(1, len(lines) + 1), lines[at])
        path.write_bytes(b"\n".join(lines) + b"\n" * rng.randrange(2))
        with suppress(InvalidRecord):
            replay_record(read_record(path))


@pytest.mark.parametrize("seed", range(4))
def test_garbled_rules_are_understood_or_refused(seed: int):
    rng = random.Random(seed)
    _, data = loaded(Table(FAIR, 2))
    for _ in range(20):
        mine = json.loads(json.dumps(data))
        garbled(mine, rng)
        with suppress(SnapshotError, RuleFault):
            ReferenceEngine(rules_from_snapshot(mine, 2, (), "a record"))


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

"""Records that cannot be are refused, each at its line and in a sentence."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from positions import Begin, Table
from recorded_games import FAIR, NIM, lines_of, loaded, written
from rulewright.engine.faults import RuleFault
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.records.record_file import InvalidRecord, read_record
from rulewright.records.replayer import first_seed_mismatch, replay_record
from rulewright.records.rules_snapshot import SnapshotError, rules_from_snapshot

pytestmark = pytest.mark.slow


def rewritten(path: Path, change: Callable[[list[dict[str, Any]]], object]) -> None:
    """The file with its lines changed."""
    lines = lines_of(path)
    change(lines)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


# ---- what cannot be ----------------------------------------------------------------------------------------------


def _no_choice(lines: list[dict[str, Any]]) -> None:
    next(one for one in lines if one.get("do") == "act")["choose"] = {}


def _first_act(lines: list[dict[str, Any]]) -> dict[str, Any]:
    return next(one for one in lines if one.get("do") == "act")


# what is done to the lines of a record -> the line and words of the refusal
DAMAGED: dict[str, tuple[Callable[[list[Any]], object], int, str]] = {
    "no_head": (lambda all_: all_.pop(0), 1, "not a record"),
    "another_form": (lambda all_: all_[0].update(record=2), 1, "version 2"),
    "no_players": (lambda all_: all_[0].pop("players"), 1, "no `players`"),
    "a_strange_key": (lambda all_: all_[0].update(colour="red"), 1, "unknown key `colour`"),
    "a_wrong_sort": (lambda all_: all_[0].update(seed="7"), 1, "`seed` must be"),
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
    "no_such_outcome": (lambda all_: all_[1]["chance"][0].update({"is": "moon"}), 2, "moon cannot be drawn from pile"),
    "no_such_event": (
        lambda all_: all_[1]["chance"].__setitem__(0, {"roll": "moon", "is": 1}),
        2,
        "the record says moon: 1, but under these rules",
    ),
    "chance_of_no_form": (lambda all_: all_[1]["chance"].__setitem__(0, {"is": 1}), 2, "a list of outcomes"),
    "chance_out_of_place": (lambda all_: all_.insert(3, all_[1]), 4, "chance outcomes without an action"),
    "another_seat": (lambda all_: _first_act(all_).update(seat=1), 3, "player 1 chooses"),
    "no_such_action": (lambda all_: _first_act(all_).update(action="fly"), 3, "there is no action `fly`"),
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

"""The line protocol: what may be asked, what comes back, who may know it, and that nothing wrong changes the game."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from command_line import SIGNS
from protocol_line import REQUEST, SCHEMA, Line
from rulewright import bundle
from rulewright.model.loader import load_rules
from rulewright.protocol import request_parser
from rulewright.protocol.request_handler import RequestHandler
from rulewright.protocol.transport import answer_line

# each has a turn in which both choose
SECRETS = SIGNS.replace("round:\n", "turn:\n") + "round:\n  - first: {turn: first_player}\n"

DICE = """
game: dice
version: 1.0.0
language: 2
text: Dice
players: 1
kinds:
  face: 1 to 3
state:
  die: {type: face, start: 1}
actions:
  roll: {do: [roll: {roll: die, weights: {1: 1, 2: 2, 3: 1}}]}
turn:
  - act: {must: [roll]}
  - end: {when: die is 3, end_game: now}
round:
  - turn: {turn: first_player}
"""


# ---- the schema and the program say the same ----------------------------------------------------------------------


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("do", request_parser.REQUESTS)
def test_the_schema_has_the_keys_of_the_program(do: str) -> None:
    schema = SCHEMA["$defs"][f"request_{do}"]
    assert set(schema["properties"]) == {"do", "id", *request_parser.REQUESTS[do]}
    assert set(schema["required"]) == {
        "do",
        *(name for name, key in request_parser.REQUESTS[do].items() if key.is_required),
    }
    for example in schema.get("examples", []):
        request_parser.parse_request(example)
        REQUEST.validate(example)


def test_every_key_is_described() -> None:
    for name, schema in SCHEMA["$defs"].items():
        for key, value in schema.get("properties", {}).items():
            assert "description" in value or "$ref" in value, f"{name}.{key}"


@pytest.mark.parametrize(
    ("do", "key", "value"),
    [
        ("new", "players", 0),
        ("new", "players", True),
        ("new", "seed", -1),
        ("new", "seed", 1.5),
        ("new", "chance", "inside"),
        ("new", "orders", {"deck": [1]}),
        ("new", "orders", []),
        ("new", "variants", "open-hands"),
        ("new", "game", 3),
        ("legal", "seat", "0"),
        ("legal", "form", "words"),
        ("apply", "action", 3),
        ("view", "seat", -1),
        ("chance", "outcomes", "a"),
        ("save", "id", 1.5),
        ("save", "id", "x" * 201),
        ("save", "seat", 0),
    ],
)
def test_both_refuse_wrong_values(do: str, key: str, value: Any) -> None:
    request = {"do": do, "seat": 0, "action": "pass"} if do == "apply" else {"do": do}
    request |= {key: value}
    assert list(REQUEST.iter_errors(request))
    with pytest.raises(request_parser.ProtocolError) as refused:
        request_parser.parse_request(request)
    assert refused.value.code in ("wrong-value", "unknown-key")


# ---- a game ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 4])
def test_a_whole_game(players: int) -> None:
    ask, rng = Line(), random.Random(players)
    answer = ask("new", players=players, seed=3, first_seat=1, id="a")
    assert (answer["to"], answer["id"], answer["waiting"]["seat"]) == ("all", "a", 1)
    while not answer["over"]:
        seat = answer["waiting"]["seat"]
        legal = ask("legal", seat=seat)
        assert legal["to"] == legal["decides"] == seat
        answer = ask("apply", seat=seat, action=rng.choice(legal["actions"]))
        assert answer["to"] == "all"
    result = ask("result")
    assert result["over"]
    assert min(result["places"]) == 1
    assert result["winners"] == [seat for seat in range(players) if result["places"][seat] == 1]
    assert ask("legal") == {"to": "all", "do": "legal", "decides": None, "actions": []}
    assert ask("measures")["to"] == "referee"
    assert ask.refused("apply", seat=0, action="pass") == "wrong-moment"


GAMES = sorted(
    path for path in (Path(__file__).parent / "games").rglob("*.yaml") if "\ngame: " in path.read_text(encoding="utf-8")
)


@pytest.mark.slow
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_every_sort_of_game(path: Path) -> None:
    ask, rng = Line(), random.Random(1)
    answer = ask("new", game=str(path), chance="outside")
    if answer.get("error", {}).get("code") == "bad-rules":
        pytest.skip("not meant to be played")
    for _ in range(60):
        if answer["over"]:
            break
        if answer["waiting"]["for"] == "chance":
            outcomes = ask("chance")["chance"]["outcomes"]
            answer = ask("chance", outcomes=[rng.choice(outcomes)["outcome"]])
            continue
        seat = answer["waiting"]["seat"]
        form = rng.choice(["text", "data"])
        answer = ask("apply", seat=seat, action=rng.choice(ask("legal", seat=seat, form=form)["actions"]))
        for viewer in (seat, None):
            ask("view", seat=viewer)
    assert ask("load", position=ask("save")["position"])["to"] == "referee"


@pytest.mark.slow
def test_actions_as_objects_and_as_text_are_the_same(ask: Line) -> None:
    texts, objects = ask("legal", seat=0)["actions"], ask("legal", seat=0, form="data")["actions"]
    before = ask.position()
    for text, data in list(zip(texts, objects, strict=True))[::3]:
        ask("load", position=before)
        one = ask("apply", seat=0, action=text)
        ask("load", position=before)
        assert ask("apply", seat=0, action=data) == one
        assert (one["action"], one["data"]) == (text, data)


def test_a_saved_game_goes_on_alike(ask: Line) -> None:
    ask("apply", seat=0, action="reserve_from_deck(level=1)")
    position = ask("save")["position"]
    other = Line()
    assert other("load", position=position)["to"] == "referee"
    for line in (ask, other):
        line("apply", seat=1, action="reserve_from_deck(level=1)")
    assert ask.position() == other.position()


def test_orders_are_what_lies_in_the_decks(ask: Line) -> None:
    rules = load_rules(players=2)
    ids = list(rules.components["noble"].ids)[::-1]
    ask("new", orders={"noble_box": ids}, seed=1)
    assert ask("view", seat=None)["view"]["zones"]["nobles"] == ids[:3]
    assert ask.refused("new", orders={"noble_box": ids[1:]}) == "wrong-value"
    assert ask.refused("new", orders={"noble_bx": ids}) == "wrong-value"
    assert ask.refused("new", orders={"deck": {"4": ids}}) == "wrong-value"
    assert ask.refused("new", orders={"market": {"1": {"1": ids}}}) == "wrong-value"


@pytest.mark.slow
def test_answers_piece_by_piece(ask: Line) -> None:
    ask("new", seed=1, tokenwise=["actions.take_different.choose.colours"])
    assert "take_different(colours=+ruby)" in ask("legal")["actions"]
    answer = ask("apply", seat=0, action="take_different(colours=+ruby)")
    assert answer["action"] == "take_different(colours=+ruby)"
    assert answer["waiting"]["seat"] == 0
    assert "take_different(colours=+ruby)" not in ask("legal")["actions"]


@pytest.mark.slow
def test_chance_from_outside(ask: Line) -> None:
    answer = ask("new", chance="outside")
    assert answer["waiting"] == {"for": "chance"}
    assert ask.refused("apply", seat=0, action="pass") == "wrong-moment"
    fed = 0
    while answer["waiting"] == {"for": "chance"}:
        chance = ask("chance")["chance"]
        assert ask.refused("chance", outcomes=["nothing_of_the_kind"]) == "wrong-value"
        answer = ask("chance", outcomes=[chance["outcomes"][0]["outcome"]])
        fed += 1
    assert fed == 3 * 4 + 3
    assert ask("chance")["chance"] is None
    assert ask.refused("chance", outcomes=["n01"]) == "wrong-moment"
    row = ask("view", seat=None)["view"]["zones"]["market"]["1"]
    assert list(row.values()) == list(load_rules(players=2).components["card"].ids[:4])


def test_dice_from_outside(tmp_path: Path) -> None:
    (tmp_path / "dice.yaml").write_text(DICE, encoding="utf-8")
    ask = Line()
    ask("new", game=str(tmp_path / "dice.yaml"), chance="outside")
    ask("apply", seat=0, action="roll")
    chance = ask("chance")["chance"]
    assert (chance["kind"], chance["state"]) == ("roll", "die")
    assert chance["outcomes"][1] == {"outcome": "2", "weight": 2}
    assert ask.refused("chance", outcomes=["3", "3"]) == "wrong-moment"
    assert ask("chance", outcomes=["3"])["over"]


def test_secret_choices_stay_secret_until_all_are_made(tmp_path: Path) -> None:
    (tmp_path / "signs.yaml").write_text(SECRETS, encoding="utf-8")
    ask = Line()
    ask("new", game=str(tmp_path / "signs.yaml"), seed=1)
    answer = ask("apply", seat=0, action="show(sign=paper)")
    assert (answer["action"], answer["data"]) == ("?", {"action": "?", "choose": {}})
    answer = ask("apply", seat=1, action="show(sign=rock)")
    assert answer["action"] == "?"
    assert [(one["seat"], one["action"]) for one in answer["carried_out"]] == [
        (0, "show(sign=paper)"),
        (1, "show(sign=rock)"),
    ]


# ---- what is told better -------------------------------------------------------------------------------------------


def test_an_unknown_request_lists_the_known_ones() -> None:
    for do in ("help", "viev"):
        message = Line()(do)["error"]["message"]
        assert all(name in message for name in request_parser.REQUESTS)


def test_whole_numbers_with_a_point_are_whole_numbers() -> None:
    """JSON Schema takes 2.0 for a whole number, so the program does."""
    table = RequestHandler()
    answer = answer_line(b'{"do": "new", "seed": 7.0, "players": 2e0, "id": 3.0}', table)
    assert (answer["players"], answer["id"]) == (2, 3)
    assert answer_line(b'{"do": "legal", "seat": 0.0}', table)["to"] == 0
    assert answer_line(b'{"do": "view", "seat": -0.0}', table)["to"] == 0
    for wrong, code in ((b"0.5", "wrong-value"), (b"1e999999999", "malformed"), (b"1e30", "wrong-value")):
        assert answer_line(b'{"do": "view", "seat": ' + wrong + b"}", table)["error"]["code"] == code
    most = answer_line(b'{"do": "new", "seed": 18446744073709551615.0}', table)
    assert "error" not in most
    assert answer_line(b'{"do": "new", "seed": 18446744073709551616.0}', table)["error"]["code"] == "wrong-value"


def test_changed_rules_are_read_again(tmp_path: Path) -> None:
    path = tmp_path / "dice.yaml"
    path.write_text(DICE, encoding="utf-8")
    ask = Line()
    first = ask("new", game=str(path), seed=1)
    path.write_text(DICE.replace("1.0.0", "1.0.1"), encoding="utf-8")
    second = ask("new", game=str(path), seed=1)
    assert (first["version"], second["version"]) == ("1.0.0", "1.0.1")
    assert ask("new", game="")["error"]["code"] == "wrong-use"


# ---- as a process --------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_as_a_process() -> None:
    lines = [{"do": "new", "seed": 1, "id": 1}, {"do": "legal", "seat": 1}, {"do": "quit"}]
    done = subprocess.run(
        [sys.executable, "-m", "rulewright", "engine"],
        input="\n\n".join(map(json.dumps, lines)) + "\n",
        capture_output=True,
        text=True,
        timeout=60,
        env={"PYTHONPATH": str(Path(bundle.__file__).parent.parent)},
        check=False,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["do"] for answer in answers] == ["new", "legal", "quit"]
    assert answers[1]["error"]["code"] == "not-deciding"
    assert (done.returncode, done.stderr) == (0, "")

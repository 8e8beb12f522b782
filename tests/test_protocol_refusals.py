"""What the line protocol refuses, and who may know what."""

from __future__ import annotations

import io
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from protocol_line import ANSWER, Line
from rulewright import limits
from rulewright.engine.determinize import determinize
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.model.loader import load_rules
from rulewright.model.locate import find_game
from rulewright.protocol.request_handler import RequestHandler
from rulewright.protocol.transport import answer_line, serve
from rulewright.session.match import Match, format_action

pytestmark = pytest.mark.slow


def played(seed: int, decisions: int, *, players: int = 2) -> tuple[ReferenceEngine, Match]:
    engine = ReferenceEngine(load_rules(players=players))
    match = Match(engine, engine.start(seed=seed))
    rng = random.Random(seed)
    for _ in range(decisions):
        if match.seat is None:
            break
        actions = match.legal()
        hiding = [action for action in actions if engine.rules.actions[action.number].name == "reserve_from_deck"]
        match.act(rng.choice(hiding or actions))
    return engine, match


def at(match: Match, state: Any) -> Line:
    """A table at a position."""
    table = RequestHandler()
    table._begin(match.engine, state, "en")
    return Line(table)


# ---- what is refused -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"", "malformed"),
        (b"[]", "malformed"),
        (b"{", "malformed"),
        (b"\xff\xfe", "malformed"),
        (b'{"do": "save", "do": "save"}', "malformed"),
        (b'{"do": NaN}', "malformed"),
        (b"[" * 100_000, "malformed"),
        (b'{"do": "new", "orders": ' + b'{"a":' * 900 + b"[]" + b"}" * 900 + b"}", "malformed"),
        (b"9" * 5000, "malformed"),
        (b'{"do": 3}', "malformed"),
        (b'{"do": "sav"}', "unknown-request"),
        (b'{"do": "\\ud800"}', "unknown-request"),
        (b'{"do": "save", "all": true}', "unknown-key"),
        (b'{"do": "apply", "seat": 0}', "missing-key"),
        (b'{"do": "apply", "seat": 0, "action": "take_pair(colour=gold"}', "unreadable-action"),
        (b'{"do": "apply", "seat": 0, "action": {"action": "buy", "choose": {"card": [["x"]]}}}', "unreadable-action"),
        (b'{"do": "apply", "seat": 0, "action": "buy"}', "illegal"),
        (b'{"do": "apply", "seat": 1, "action": "pass"}', "not-deciding"),
        (b'{"do": "apply", "seat": 2, "action": "pass"}', "no-seat"),
        (b'{"do": "why_not", "seat": 0, "action": "pass", "lang": "de"}', "wrong-value"),
        (b'{"do": "new", "game": "chess"}', "wrong-use"),
        (b'{"do": "new", "players": 9}', "wrong-use"),
        (b'{"do": "new", "variants": ["no-such"]}', "wrong-use"),
        (b'{"do": "new", "tokenwise": ["zones"]}', "wrong-use"),
        (b'{"do": "new", "first_seat": 2}', "wrong-use"),
        (b'{"do": "new", "lang": "de"}', "wrong-use"),
        (b'{"do": "new", "seed": 1, "chance": "outside"}', "wrong-value"),
        (b'{"do": "load", "position": {}}', "wrong-use"),
        (b'{"do": "load", "position": {"game": "splendor"}}', "bad-position"),
        (b'{"do": "chance", "outcomes": ["x"]}', "wrong-moment"),
    ],
)
def test_a_wrong_line_gets_an_error_and_changes_nothing(ask: Line, line: bytes, code: str) -> None:
    before = ask.position()
    out = io.BytesIO()
    assert serve(io.BytesIO(line or b"null"), out, ask.table) == 0
    answer = json.loads(out.getvalue())
    ANSWER.validate(answer)
    assert answer["error"]["code"] == code, answer
    assert answer["error"]["message"]
    assert ask.position() == before


LEVEL_4 = ["reserve_from_deck(level=4)", {"action": "reserve_from_deck", "choose": {"level": 4}}]


@pytest.mark.parametrize("action", LEVEL_4)
def test_an_answer_that_is_none_is_refused_in_the_words_of_the_rules(action: object) -> None:
    table = RequestHandler()
    answer_line(b'{"do": "new", "players": 2, "seed": 1}', table)

    def message(**request: object) -> str:
        answer: Any = answer_line(json.dumps({"seat": 0, "action": action, **request}).encode(), table)
        return str(answer["error"]["message"])

    assert message(do="apply") == "level: There is no deck of that level."
    assert message(do="why_not", lang="fr") == "level: Il n'y a pas de pioche de ce niveau."
    action = "take_pair(colour=rubby)"  # a slip is answered with the name that it is like
    assert message(do="apply") == "colour: there is no gem `rubby` (did you mean `ruby`?)"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"do": "new", "players": "two"}', '`players` must be a whole number from 1 to 99, found "two"'),
        (
            '{"do": "new", "seed": -1, "game": "nim"}',
            "`seed` must be a whole number from 0 to 2^64 - 1, found -1",
        ),
        (
            '{"do": "new", "variants": "a name that goes on and on and on and on"}',
            '`variants` must be a list of names or paths of variants, found "a name that goes on and on and on and …',
        ),
        ('{"do": "new", "variants": ["/dev/null"]}', "/dev/null is a pipe or a device, expected the file of a variant"),
        ('{"do": "new", "variants": ["./"]}', "./ is a folder, expected the file of a variant"),
        ('{"do": "legal", "seat": null}', "`seat` must be a seat number from 0 to 98, found null"),
        ('{"do": "state", "id": [1]}', "`id` must be a whole number or a text of up to 200 characters, found [1]"),
        ('{"do": "view"}', "the request `view` needs `seat`: a seat number from 0 to 98, or null for a spectator"),
        ('{"do": "new", "gme": "nim"}', "the request `new` has no key `gme` (did you mean `game`?)"),
        ('{"do": "state"\n', "the line is not valid JSON: expected a comma at the end of the line"),
        ('{"do" "state"}\n', "the line is not valid JSON: expected a colon at column 7"),
        ('{"do": "apply", "seat": 0, "action": "take_pair"}', "missing choice `colour`"),
        (
            '{"do": "apply", "seat": 0, "action": {"action": "take_pair", "choos": {"colour": "ruby"}}}',
            "unknown key `choos` in an action (did you mean `choose`?)",
        ),
        ('{"do": "apply", "seat": 1, "action": "pass"}', "it is seat 0's turn"),
        ('{"do": "load", "position": {}}', "the position is not a saved position: it has no `format`"),
        ('{"do": "load", "position": {"game": "nim"}}', "the position has no `format`"),
    ],
)
def test_a_refusal_says_what_was_found_and_what_is_missing(ask: Line, line: str, message: str) -> None:
    error = answer_line(line.encode(), ask.table)["error"]
    assert isinstance(error, dict)
    assert error["message"] == message


def test_the_place_of_a_rule_names_no_folder_of_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, variant = tmp_path / "house" / "nim", tmp_path / "mine.yaml"
    shutil.copytree(find_game("nim"), game)
    clause = "actions.take.when.odd: {is: number is 1, why: {en: One only., fr: Une seule.}}"
    variant.write_text(f"variant: mine\nfor: nim\ntext: {{en: Mine, fr: Mine}}\nadd:\n  {clause}\n")

    def places(row: int, **new: object) -> list[str]:
        ask = Line()
        ask("new", **new)
        answer = ask("why_not", seat=0, action=f"take(row={row}, number=3)")
        return [reason["place"].partition(":")[0] for reason in answer["reasons"]]

    for folder in ("/", tmp_path):
        monkeypatch.chdir(folder)
        assert places(1, game="nim") == ["rules/nim/game.yaml"]
        assert places(1, game=str(game)) == ["game.yaml"]
        assert places(4, game=str(game), variants=[str(variant)]) == ["mine.yaml"]


def test_before_a_game_there_is_none() -> None:
    line = Line()
    for do, more in (("save", {}), ("legal", {}), ("result", {}), ("view", {"seat": 0}), ("chance", {})):
        assert line.refused(do, **more) == "no-game"
    assert line("view", seat=0)["to"] == "referee"


def test_a_line_too_long_is_passed_over() -> None:
    lines = b'{"do": "' + b"x" * (limits.MAX_REQUEST_BYTES + 5) + b'"}\n{"do": "quit", "id": 2}\n{"do": "state"}\n'
    out = io.BytesIO()
    serve(io.BytesIO(lines), out, RequestHandler())
    first, second = [json.loads(line) for line in out.getvalue().splitlines()]
    assert first["error"]["code"] == "too-long"
    assert (second["do"], second["id"]) == ("quit", 2)


# what a value of 4 MB can consist of
PARTS = {
    "lists": b"[],",
    "objects": b"{},",
    "lists in lists": b"[[[]]],",
    "deep objects": b'{"a":' * 40 + b"0" + b"}" * 40 + b",",
    "numbers": b"0,",
    "large numbers": b"1" * 4000 + b",",
    "exponents": b"1e9,",
    "texts": b'"a",',
    "escapes": b'"\\ud83d\\ude00",',
}
HOLDERS = (
    (b'{"do":"load","position":{"format":1,"pools":[', b"]}}"),
    (b'{"do":"new","orders":{"deck":{"1":[', b"]}}}"),
    (b'{"do":"apply","seat":0,"action":{"action":"buy","choose":{"card":[', b"]}}}"),
    (b'{"do":"view","seat":[', b"]}"),
)


def lines_of_4_mb() -> Iterator[bytes]:
    for part in PARTS.values():
        for begin, end in HOLDERS:
            count = (limits.MAX_REQUEST_BYTES - len(begin) - len(end) - 1) // len(part)
            yield begin + (part * count)[:-1] + end
    for text in (b"x", b"1", b"1+", b"[", b"(", b"\\u0001", "é".encode(), b"\xff", b" ruby", b"../"):
        whole = text * ((limits.MAX_REQUEST_BYTES - 100) // len(text))
        yield b'{"do":"why_not","seat":0,"action":"' + whole + b'"}'
        yield b'{"do":"new","game":"' + whole + b'"}'
        yield b'{"do":"new","variants":["target_prestige=' + whole + b'"]}'
    yield b"[" * 250_001 + b'""' * 1_870_000  # to be counted without its texts


def test_a_line_of_many_values_is_refused_unread() -> None:
    for part in (b"[],", b'"a",', b'{"a":0},'):
        count = limits.MAX_REQUEST_VALUES + 1
        answer: Any = answer_line(b'{"do":"state","id":[' + part * count + b"0]}", RequestHandler())
        assert answer["error"]["code"] == "too-long"
        assert answer["error"]["message"] == "a line is over the limit of 250,000 values"


def test_what_is_in_a_text_is_no_value() -> None:
    line = json.dumps({"do": "why_not", "seat": 0, "action": '(= \\", [{' * 300_000}).encode()
    answer: Any = answer_line(line, RequestHandler())
    assert answer["error"]["code"] == "no-game"
    for begun in (b'"' + b'\\"' * 2_000_000, b'""' * 2_000_000, b'"' * 4_000_001, b"\\" * 4_000_000):
        unclosed: Any = answer_line(b"[" * 250_001 + begun, RequestHandler())
        assert unclosed["error"]["code"] == "too-long"


def test_half_a_character_comes_back_as_it_was_asked() -> None:
    out = io.BytesIO()
    serve(io.BytesIO(b'{"do": "quit", "id": "\\ud800"}'), out, RequestHandler())
    assert json.loads(out.getvalue().decode())["id"] == "\ud800"


@pytest.mark.parametrize("value", ["1" * 5000, "(" * 5000, "1," * 60_000, "1" * 200_000])
def test_a_long_setting_is_refused_and_not_repeated(value: str) -> None:
    request = {"do": "new", "variants": [f"target_prestige={value}"]}
    answer: Any = answer_line(json.dumps(request).encode(), RequestHandler())
    assert answer["error"]["code"] == "bad-rules"
    assert all(len(complaint) <= limits.MAX_MESSAGE_LENGTH for complaint in answer["error"]["complaints"])


LIMITED = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (300 * 1024 * 1024,) * 2)
from rulewright.cli.main import main
raise SystemExit(main(["engine"]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere memory is not limited so")
def test_no_line_needs_more_than_300_mb() -> None:
    lines = [b'{"do":"new","players":2,"seed":1}', *lines_of_4_mb(), b'{"do":"quit"}']
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run(
        [sys.executable, "-c", LIMITED], env=environment, input=b"\n".join(lines), capture_output=True, check=False
    )
    assert run.returncode == 0, run.stderr[-2000:]
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(answers) == len(lines)
    assert {answer.get("error", {}).get("code") for answer in answers[1:-1]} & {None, "internal"} == set()
    assert max(map(len, run.stdout.splitlines())) < 10_000


def test_reasons_come_with_the_error(ask: Line) -> None:
    answer = ask("apply", seat=0, action="take_pair(colour=gold)")
    assert answer["to"] == 0
    (reason,) = answer["error"]["reasons"]
    assert reason["address"] == "actions.take_pair.choose.colour"
    assert ask("why_not", seat=0, action="take_pair(colour=gold)", lang="fr")["reasons"][0]["sentence"].endswith(".")
    assert ask("why_not", seat=0, action="take_pair(colour=ruby)") == {
        "to": 0, "do": "why_not", "legal": True, "reasons": [],
    }  # fmt: skip


# ---- who may know what ---------------------------------------------------------------------------------------------


def other_worlds(match: Match, seat: int | None) -> Iterator[Any]:
    for number in range(3):
        yield determinize(match.engine, match.state, seat, number)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_seat_is_shown_nothing_that_is_hidden_from_it(seed: int) -> None:
    engine, match = played(seed, 8, players=3)
    seat = match.seat
    assert seat is not None
    here = at(match, match.state)
    hidden = match.views.hidden_test(match.state, seat)
    cards = [card for at, card in enumerate(engine.rules.components["card"].ids) if hidden("card", at)][seed::6]
    attempts = [f"{name}(card={card})" for card in cards for name in ("buy", "reserve_face_up")]
    attempts += ["pass", "give_back(tokens=ruby)", "receive_noble(noble=n01)", "buy", "reserve_from_deck(level=2)"]
    for state in other_worlds(match, seat):
        there = at(match, state)
        assert here("view", seat=seat) == there("view", seat=seat)
        assert here("view", seat=None) == there("view", seat=None)
        assert here("legal", seat=seat) == there("legal", seat=seat)
        for attempt in attempts:
            assert here("why_not", seat=seat, action=attempt) == there("why_not", seat=seat, action=attempt)
        for other in range(3):
            if other != seat:
                assert here("apply", seat=other, action="pass") == there("apply", seat=other, action="pass")
        illegal = next(attempt for attempt in attempts if not here("why_not", seat=seat, action=attempt)["legal"])
        assert here("apply", seat=seat, action=illegal) == there("apply", seat=seat, action=illegal)
        action = here("legal", seat=seat)["actions"][seed]
        one, two = at(match, match.state), there
        told, told_there = one("apply", seat=seat, action=action), two("apply", seat=seat, action=action)
        assert told == told_there


def test_all_are_not_told_which_hidden_card_is_meant() -> None:
    """A reserved card that was not seen is `?` for the others, until it is bought and all see it."""
    engine, match = played(5, 1)
    (card,) = match.state.contents[engine.place_index("hand", (0,))]
    name = engine.rules.components["card"].ids[card]
    attempt = match.notation.parse_action(f"buy(card={name})")
    told = match.action_data(match.state, match.state, 1, attempt)
    assert told == {"action": "buy", "choose": {"card": "?"}}
    assert match.action_data(match.state, match.state, 0, attempt) == {"action": "buy", "choose": {"card": name}}


HIDING = """
game: hiding
version: 1.0.0
language: 2
text: Hiding
players: 2
kinds:
  chip: [red, blue]
components:
  tile: {fields: {}, rows: [{id: t1}, {id: t2}, {id: t3}, {id: t4}], start: row}
  card: {fields: {worth: 1 to 3}, rows: [{id: c1, worth: 3}, {id: c2, worth: 3}], start: deck}
zones:
  row: {holds: tile, seen_by: all}
  deck: {holds: card, seen_by: nobody}
  hand: {holds: card, per: player, seen_by: owner}
  sack: {holds: tile, seen_by: nobody, forgets: true}
  purse: {holds: chip, per: player, seen_by: owner, start: 2 of red + 1 of blue}
  heap: {holds: chip, seen_by: nobody}
setup:
  - deal: {move: deck, to: hand(first_player)}
actions:
  hide:
    choose: {tiles: {some_of: row, total: 2}}
    do: [hide: {move: tiles, to: sack}]
  guess:
    choose: {number: {one_of: "1 to purse(me, red) + 1"}}
  pay:
    choose: {chip: {one_of: purse(me)}}
    do: [pay: {move: 1 of chip, from: purse(me), to: heap}]
  boast:
    choose: {card: {one_of: hand(me)}, number: {one_of: 1 to card.worth}}
  call:
    choose: {chip: {one_of: chip}, number: {one_of: 1 to 3}}
turn:
  - act: {must: [hide, guess, pay, boast, call]}
round:
  - turns: {for_each: player, turn: player}
  - end: {when: round_number is 3, end_game: now}
"""


def test_answers_among_what_a_reader_does_not_see_are_hidden(tmp_path: Path) -> None:
    (tmp_path / "hiding.yaml").write_text(HIDING, encoding="utf-8")
    engine = ReferenceEngine(load_rules(str(tmp_path / "hiding.yaml")))
    expected = {
        "hide(tiles=t1 + t2)": ("hide(tiles=? + ?)", "hide(tiles=? + ?)"),  # seen until now, and from now on forgotten
        "guess(number=2)": ("guess(number=2)", "guess(number=?)"),
        "pay(chip=red)": ("pay(chip=red)", "pay(chip=?)"),
        "boast(card=c1, number=2)": ("boast(card=c1, number=2)", "boast(card=?, number=?)"),
        "call(chip=red, number=2)": ("call(chip=red, number=2)", "call(chip=red, number=2)"),
    }
    for text, (own, others) in expected.items():
        match = Match(engine, engine.start(seed=1))
        done = match.act(match.notation.parse_action(text))
        assert [format_action(told) for told in done.action_data] == [own, others, others]
        assert format_action(match.full_action_data(done.action)) == text


def test_the_referee_alone_gets_what_is_hidden(ask: Line) -> None:
    hidden = set(ask.position()["zones"]["deck"]["1"]["loose"] or ask.position()["zones"]["deck"]["1"]["top"])
    assert hidden
    for do, more in (("state", {}), ("view", {"seat": 0}), ("view", {"seat": None}), ("result", {})):
        answer = ask(do, **more)
        answer.get("view", {}).pop("could_be", None)  # names what may lie there, in the order of the rows
        assert not [card for card in hidden if card in json.dumps(answer)]
    assert ask("save")["to"] == "referee"


# ---- lines that are no fault of ours --------------------------------------------------------------------------------

WRONG_LINES = {
    '{"do":"view","seat":1e-99999999999999999999}': "wrong-value",
    '{"do":"new","tokenwise":["actions.buy.choose.card"]}': "wrong-use",
    json.dumps({"do": "new", "game": "x" * 300}): "wrong-use",
    json.dumps({"do": "new", "game": "x" * 300 + ".yaml"}): "wrong-use",
    json.dumps({"do": "new", "variants": ["x" * 300 + ".yaml"]}): "wrong-use",
    json.dumps({"do": "new", "game": "./" + "x/" * 3000}): "wrong-use",
}


@pytest.mark.parametrize("line", WRONG_LINES, ids=[line[:50] for line in WRONG_LINES])
def test_a_wrong_line_is_answered(line: str) -> None:
    error: Any = answer_line(line.encode(), RequestHandler())["error"]
    assert error["code"] == WRONG_LINES[line]


def test_an_answer_that_cannot_be_written_does_not_end_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def state(self: RequestHandler) -> dict[str, object]:
        return {"to": "all", "turn": 10**4300}

    monkeypatch.setattr(RequestHandler, "state", state)
    answers = io.BytesIO()
    assert serve(io.BytesIO(b'{"do":"state"}\n{"do":"quit"}\n'), answers, RequestHandler())
    first, second = map(json.loads, answers.getvalue().splitlines())
    assert first["error"]["code"] == "internal"
    assert "/" not in first["error"]["message"]
    assert second == {"to": "referee", "do": "quit"}

"""The line protocol: what may be asked, what comes back, who may know it, and that nothing wrong changes the game."""

from __future__ import annotations

import io
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from rulewright import bundle, limits
from rulewright.engine.determinize import determinize
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.model.loader import load_rules
from rulewright.protocol import request_parser
from rulewright.protocol.request_handler import RequestHandler
from rulewright.protocol.transport import answer_line, serve
from rulewright.session.match import Match, format_action

SCHEMAS = bundle.bundle_folder("schemas")
SCHEMA = json.loads((SCHEMAS / "protocol.schema.json").read_text(encoding="utf-8"))
STATE = json.loads((SCHEMAS / "state.schema.json").read_text(encoding="utf-8"))
BASE = "file:///schemas/"
KNOWN: Registry[Any] = Registry().with_resources(
    [
        (f"{BASE}protocol.schema.json", DRAFT202012.create_resource(SCHEMA)),
        (f"{BASE}state.schema.json", DRAFT202012.create_resource(STATE)),
    ]
)


def validator(part: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"{BASE}protocol.schema.json{part}"}, registry=KNOWN)


REQUEST, ANSWER, LINE = validator("#/$defs/request"), validator("#/$defs/answer"), validator("")

SECRETS = """
game: signs
version: 1.0.0
language: 1
text: Signs
players: 2
kinds:
  sign: [rock, paper]
state:
  shown: {type: sign, per: seat, start: rock}
actions:
  show:
    choose: {sign: {one_of: sign}}
    do: [note: {set: shown(me), to: sign}]
turn:
  - both: {together: [show]}
  - end: {when: round_number is 2, finish: game, winners: everyone}
round:
  - first: {turn: first_player}
"""

DICE = """
game: dice
version: 1.0.0
language: 1
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
  - end: {when: die is 3, finish: game}
round:
  - turn: {turn: first_player}
"""


class Line:
    """Asks one table, and holds every line of both sides against the schema."""

    def __init__(self, table: RequestHandler | None = None) -> None:
        self.table = table or RequestHandler()

    def __call__(self, do: str, **request: Any) -> dict[str, Any]:
        asked = {"do": do, **request}
        faults = [error.message for error in REQUEST.iter_errors(asked)]
        answer = answer_line(json.dumps(asked).encode(), self.table)
        ANSWER.validate(answer)
        LINE.validate(answer)
        if "error" not in answer:
            assert not faults, faults
        return answer

    def refused(self, do: str, **request: Any) -> str:
        """The code of the error that a request gets; the game stays as it was."""
        before = self.position()
        answer = self(do, **request)
        assert self.position() == before
        return str(answer["error"]["code"])

    def position(self) -> Any:
        return answer_line(b'{"do": "save"}', self.table).get("position")


@pytest.fixture
def ask() -> Line:
    line = Line()
    line("new", seed=7)
    return line


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


# ---- what is refused -----------------------------------------------------------------------------------------------


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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
language: 1
text: Hiding
players: 2
kinds:
  chip: [red, blue]
components:
  tile: {fields: {}, rows: [{id: t1}, {id: t2}, {id: t3}, {id: t4}], starts_in: row}
  card: {fields: {worth: 1 to 3}, rows: [{id: c1, worth: 3}, {id: c2, worth: 3}], starts_in: deck}
zones:
  row: {holds: tile, seen_by: all}
  deck: {holds: card, seen_by: nobody}
  hand: {holds: card, per: seat, seen_by: owner}
  sack: {holds: tile, seen_by: nobody, forgets: true}
  purse: {holds: chip, per: seat, seen_by: owner, starts: 2 of red + 1 of blue}
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
  - turns: {for_each: seat, turn: seat}
  - end: {when: round_number is 3, finish: game}
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

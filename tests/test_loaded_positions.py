"""A position from outside that no game by the rules can have reached is refused, and the game goes on as it was."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rulewright
from rulewright import limits
from rulewright.protocol import transport
from rulewright.protocol.request_handler import RequestHandler

pytestmark = pytest.mark.slow

SPLENDOR = {"game": "splendor", "players": 2, "seed": 1}
WRACK_LINE = {"game": "wrack-line", "players": 2, "seed": 1}


def ask(handler: RequestHandler, **request: object) -> dict[str, Any]:
    return json.loads(json.dumps(transport.answer_line(json.dumps(request).encode(), handler)))


def begun(new: dict[str, Any]) -> tuple[RequestHandler, dict[str, Any]]:
    """A game that has begun, and its position."""
    handler = RequestHandler()
    assert "error" not in ask(handler, do="new", **new)
    return handler, ask(handler, do="save")["position"]


def act(handler: RequestHandler) -> None:
    """The deciding seat does the first thing that is legal."""
    legal = ask(handler, do="legal")
    assert "error" not in ask(handler, do="apply", seat=legal["decides"], action=legal["actions"][0])


def two_cards_in_a_place(position: dict[str, Any]) -> None:
    position["zones"]["market"]["1"]["1"].append(position["zones"]["deck"]["1"]["loose"].pop())


def five_cards_in_a_hand(position: dict[str, Any]) -> None:
    position["zones"]["hand"]["0"] = [position["zones"]["deck"]["1"]["loose"].pop() for _ in range(5)]


def a_hole_in_the_market(position: dict[str, Any]) -> None:
    position["zones"]["deck"]["1"]["loose"] += position["zones"]["market"]["1"]["1"]
    position["zones"]["market"]["1"]["1"] = []


def known_in_the_deck(position: dict[str, Any]) -> None:
    shown = f"card.{position['zones']['market']['1']['1'][0]}"
    position["hidden"][0][shown] = next(n for n, pool in enumerate(position["pools"]) if shown in pool)


def pools_of_two_components(position: dict[str, Any]) -> None:
    position["pools"][1] = sorted([*position["pools"][1], *position["pools"][-1]])


def too_many_tokens(position: dict[str, Any]) -> None:
    position["round"], position["turn"] = 2, 3
    position["zones"]["purse"]["1"] = {"diamond": 4, "ruby": 4, "onyx": 3}
    position["zones"]["supply"] = {"sapphire": 4, "emerald": 4, "onyx": 1, "gold": 5}


def a_deck_of_two_levels(position: dict[str, Any]) -> None:
    decks = position["zones"]["deck"]
    decks["1"]["loose"].append(decks["3"]["loose"].pop())


def a_card_of_another_level(position: dict[str, Any]) -> None:
    market, decks = position["zones"]["market"], position["zones"]["deck"]
    decks["3"]["loose"].append(market["1"]["1"].pop())
    market["1"]["1"].append(decks["3"]["loose"].pop(0))


def put(*path: str | int, value: object) -> Callable[[dict[str, Any]], None]:
    """Puts a value at a path of the position."""

    def damage(position: dict[str, Any]) -> None:
        node: Any = position
        for key in path[:-1]:
            node = node[key]
        node[path[-1]] = value

    return damage


DAMAGES: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "a turn of 4300 digits": (put("turn", value=10**4300 - 1), "turn"),
    "a round of 4300 digits": (put("round", value=10**4300 - 1), "round"),
    "two cards in a place": (two_cards_in_a_place, "a place of market holds 2, but has room for 1"),
    "five cards in a hand": (five_cards_in_a_hand, "a place of hand holds 5, but has room for 3"),
    "a hole that fills itself": (a_hole_in_the_market, "a place of market has room, although it fills itself"),
    "another seat decides": (put("waiting", "seat", value=1), "does not fit its pending steps"),
    "another seat has the turn": (put("stack", 1, "seat", value=1), "not by the steps around them"),
    "nothing to give back": (put("waiting", "at", value=2), "does not fit its pending steps"),
    "a turn that nobody gave": (put("stack", 0, "left", value=[0, 1]), "not by the steps around them"),
    "a round without steps": (put("stack", value=[]), "has no pending steps"),
    "a turn outside of a round": (put("stack", 0, "steps", value="finale"), "do not begin with"),
    "the set-up again": (put("round", value=0), "do not begin with"),
    "extra turns": (put("extra_turns", value=[1]), "extra turns, which no step of these rules gives"),
    "winners": (put("winners", value=[1]), "winners, whom no step of these rules names"),
    "other players": (put("players", value=4), "it says splendor 1.0.0 for 4"),
    "another version": (put("version", value="9.9.9"), "it says splendor 9.9.9 for 2"),
    "sixty turns in a round": (put("turn", value=60), "it has begun 60 turns in 1 round, expected 1 by this step"),
    "no turn, although one is under way": (put("turn", value=0), "it has begun 0 turns in 1 round, expected 1"),
    "too few turns for its rounds": (put("round", value=3), "it has begun 1 turn in 3 rounds, expected 5"),
    "known where it is not": (known_in_the_deck, "is hidden from somebody who sees it"),
    "pools of two components": (pools_of_two_components, "a pool must hold things of one component"),
    "the same pool twice": (put("pools", value=[[], ["card.l1_ruby_1"], ["card.l1_ruby_1"]]), ""),
    "more tokens than after a turn": (too_many_tokens, "it breaks invariants.token_limit: Nobody ends"),
    "a card in a deck of another level": (a_deck_of_two_levels, "can never come to this place of deck"),
    "a card in a row of another level": (a_card_of_another_level, "can never come to this place of"),
    "over, but waiting": (put("waiting", value=None), "the game is not over"),
    "pieces of no choice": (put("waiting", "bag", value=[1]), "pieces of a choice that is not being made"),
    "too many values": (put("extra_turns", value=[0] * 70_000), f"more than {limits.MAX_POSITION_VALUES:,} values"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_it_is_refused_with_its_reason(name: str):
    handler, position = begun(SPLENDOR)
    before = ask(handler, do="save")
    damage, message = DAMAGES[name]
    damage(position)
    answer = ask(handler, do="load", position=position)
    assert answer["error"]["code"] == "bad-position"
    assert message in answer["error"]["message"]
    assert len(answer["error"]["message"]) <= limits.MAX_MESSAGE_LENGTH
    assert ask(handler, do="save") == before
    act(handler)


def test_what_is_not_changed_is_taken():
    handler, position = begun(SPLENDOR)
    for _ in range(30):
        assert "error" not in ask(handler, do="load", position=ask(handler, do="save")["position"])
        act(handler)
    assert "error" not in ask(handler, do="load", position=position)


def secret_choice() -> tuple[RequestHandler, dict[str, Any]]:
    """A position in which one seat has chosen in secret and another has still to choose."""
    handler, position = begun(WRACK_LINE)
    for _ in range(60):
        if position["stack"][-1].get("chosen"):
            return handler, position
        act(handler)
        position = ask(handler, do="save")["position"]
    raise AssertionError("nobody chose in secret")


@pytest.mark.parametrize(
    ("game", "winners", "message"),
    [
        ("nim", [0, 1], "its winners are not those that a step which can have ended the game names"),
        ("nim", None, "it has no winners, but every step that can have ended the game names some"),
        ("nim", [1, 0], "its winners must be in the order of their seats, each once"),
        ("tic-tac-toe", "the other", "its winners are not those that a step which can have ended the game names"),
        ("tic-tac-toe", None, "it has no winners, but every step that can have ended the game names some"),
        ("kuhn-poker", [0, 1], "it has winners, whom no step of these rules names"),
    ],
)
def test_who_has_won_is_whom_the_rules_name(game: str, winners: object, message: str):
    handler, position = begun({"game": game, "seed": 1})
    while position["waiting"] is not None:
        act(handler)
        position = ask(handler, do="save")["position"]
    assert "error" not in ask(handler, do="load", position=position)
    position["winners"] = [1 - position["winners"][0]] if winners == "the other" else winners
    assert ask(handler, do="load", position=position)["error"]["message"] == message


def test_pieces_are_not_where_no_step_brings_them():
    handler, position = begun({"game": "tic-tac-toe"})
    pens = position["zones"]["pen"]
    pens["0"], pens["1"] = pens["1"], pens["0"]
    message = ask(handler, do="load", position=position)["error"]["message"]
    assert message == "a place of pen holds 5 nought, but 0 at first"
    act(handler)


def test_what_a_round_leaves_behind_holds_until_a_step_can_change_it():
    """A find may lie in a pit while a turn goes on, and never between two rounds."""
    handler, position = begun(WRACK_LINE)
    while position["round"] < 2 or not any(position["zones"]["shore"].values()):
        act(handler)
        position = ask(handler, do="save")["position"]
    found = next(things for things in position["zones"]["shore"].values() if things)
    position["zones"]["pit"]["0"].append(found.pop())
    message = ask(handler, do="load", position=position)["error"]["message"]
    assert message == "it breaks invariants.satchels: What was dug up is in a satchel or buried again"
    act(handler)


def test_nobody_keeps_what_it_sees_anyway():
    """A count of what is seen would never go down, and in the end exceed what is there."""
    outlast = Path(__file__).parent / "games" / "outlast" / "outlast.yaml"
    handler, position = begun({"game": str(outlast), "players": 3, "seed": 1})
    assert position["seen"][2] == [[9], [9], [0]]
    position["seen"][2][2] = [1]
    message = ask(handler, do="load", position=position)["error"]["message"]
    assert message == "it does not fit these rules: pieces are noted as known to somebody who sees them"
    act(handler)


def test_an_end_with_the_round_is_brought_about_by_a_step():
    handler, position = begun({"game": "tic-tac-toe"})
    position["ending"] = True
    message = ask(handler, do="load", position=position)["error"]["message"]
    assert message == "it is about to end, which no step of these rules brings about"
    act(handler)


def test_an_answer_that_was_chosen_in_secret_is_of_its_type():
    """True is a 1 to Python, and no number to the rules."""
    lowest = Path(__file__).parent / "games" / "lowest" / "lowest.yaml"
    handler, position = begun({"game": str(lowest), "players": 4, "seed": 1})
    legal = ask(handler, do="legal")
    ask(handler, do="apply", seat=legal["decides"], action=legal["actions"][0])
    position = ask(handler, do="save")["position"]
    chosen = position["stack"][-1]["chosen"][0][1]
    assert chosen["values"][0] == 1
    chosen["values"][0] = True
    message = ask(handler, do="load", position=position)["error"]["message"]
    assert message == "its pending steps do not fit these rules"
    act(handler)


FAILS_SOON = """
game: fails-soon
version: 1.0.0
language: 2
text: Somebody adds until there is no room
players: 2
state:
  total: {type: 0 to 3, start: 0}
  lately: {type: 0 to 9, start: 0}
actions:
  add:  {text: Add one., do: [more: {set: total, to: total + 1}]}
  name: {text: Name a number., choose: {number: {one_of: 0 to 9}}, do: [lately: {set: lately, to: number}]}
turn:
  - add: {must: [add, name]}
round:
  - turns: {for_each: player, turn: player}
  - end:   {when: round_number >= 40, end_game: now}
ranking:
  - total: {most: total}
"""


@pytest.fixture
def fails_soon(tmp_path: Path) -> dict[str, Any]:
    """Rules that are wrong: from every position they fail in some games."""
    (tmp_path / "fails-soon.yaml").write_text(FAILS_SOON, encoding="utf-8")
    return {"game": str(tmp_path / "fails-soon.yaml"), "seed": 1}


def test_what_a_game_saves_is_taken_again_though_its_rules_fail_later(fails_soon: dict[str, Any]):
    """Also by another process, which knows nothing of that game."""
    handler, position = begun(fails_soon)
    faults = 0
    for _ in range(5):
        assert "error" not in ask(RequestHandler(), do="load", position=position, game=fails_soon["game"])
        answer = ask(handler, do="apply", seat=ask(handler, do="legal")["decides"], action="add")
        faults += answer.get("error", {}).get("code") == "rule-fault"
        position = ask(handler, do="save")["position"]
    assert faults == 2
    requests = [{"do": "load", "position": position, "game": fails_soon["game"]}, {"do": "state"}]
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    command = [sys.executable, "-m", "rulewright", "engine"]
    answers = subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout.splitlines()
    assert ["error" in json.loads(answer) for answer in answers] == [False, False]
    assert rulewright.restore(json.dumps(position), game=fails_soon["game"]).saved() == json.dumps(
        position, separators=(",", ":")
    )


def test_what_somebody_changed_is_tried(fails_soon: dict[str, Any]):
    """A seal that does not fit is no reason to refuse a position, nor is one that is missing."""
    handler, position = begun(fails_soon)
    position["state"]["lately"] = 5
    message = ask(handler, do="load", position=position)["error"]["message"]
    assert message.startswith("the rules fail later on: actions.add.do.more")
    with pytest.raises(rulewright.InvalidPosition, match=r"the rules fail later on: actions\.add\.do\.more"):
        rulewright.restore(json.dumps(position), game=fails_soon["game"])
    handler, position = begun(SPLENDOR)
    for seal in ("0" * 16, "", None, 7, [position["seal"]]):
        assert "error" not in ask(handler, do="load", position={**position, "seal": seal})
        assert ask(handler, do="save")["position"] == position
    del position["seal"]
    assert "error" not in ask(handler, do="load", position=position)
    act(handler)


def test_the_order_and_spaces_of_a_saved_position_do_not_matter(fails_soon: dict[str, Any]):
    handler, position = begun(fails_soon)
    position = json.loads(json.dumps(position, sort_keys=True, indent=2))
    assert "error" not in ask(handler, do="load", position=position)


def test_what_holds_after_each_step_holds_where_somebody_decides():
    handler, position = begun({"game": str(Path(__file__).parent / "games" / "race" / "race.yaml"), "seed": 1})
    wounds = position["state"]["wounds"]["0"]
    wounds.update(dict.fromkeys(wounds, 9))
    message = ask(handler, do="load", position=position)["error"]["message"]
    assert message.startswith("it breaks invariants.thrice: no player has hurt(player) > 9")


def test_a_position_from_which_the_rules_fail_is_refused():
    """No rule says that a player always has coins left; whoever moves them all elsewhere finds out when one is due."""
    handler, position = begun({"game": "kuhn-poker", "variants": ["ten-hands"], "seed": 1})
    before = ask(handler, do="save")
    purse, stake = position["zones"]["purse"], position["zones"]["stake"]
    stake["0"]["coin"] += purse["0"].pop("coin")
    error = ask(handler, do="load", position=position)["error"]
    assert error["code"] == "bad-position"
    assert error["message"].startswith("the rules fail later on: ")
    assert "takes 1 coin from purse(player 1), which holds no coin" in error["message"]
    assert ask(handler, do="save") == before


def test_a_loop_over_all_has_its_last_elements_left():
    """A deal to everybody in turn order forgets nobody, and the cards come to whom it has reached."""
    tricks = str(Path(__file__).parent / "games" / "tricks" / "tricks.yaml")
    for left in ([], [2], [1], [2, 1], [0, 1, 2]):
        handler = RequestHandler()
        ask(handler, do="new", game=tricks, players=3, chance="outside")
        position = ask(handler, do="save")["position"]
        assert position["stack"][0]["left"] == [1, 2]
        position["stack"][0]["left"] = left
        message = ask(handler, do="load", position=position)["error"]["message"]
        assert not message.startswith("the rules fail later on"), left


def test_secret_choices_under_way_are_legal_ones():
    handler, position = secret_choice()
    assert "error" not in ask(handler, do="load", position=position)
    position["stack"][-1]["chosen"][0][1]["token"] = 5
    assert "not legal" in ask(handler, do="load", position=position)["error"]["message"]
    act(handler)


def test_secret_choices_under_way_are_those_of_their_step():
    handler, position = secret_choice()
    position["stack"][-1]["next"] += 1
    assert ask(handler, do="load", position=position)["error"]["code"] == "bad-position"
    handler, position = secret_choice()
    position["stack"][-1]["waiting"] = position["stack"][-1]["waiting"] * 2
    assert ask(handler, do="load", position=position)["error"]["code"] == "bad-position"


def test_a_draw_under_way_is_that_of_its_step():
    handler = RequestHandler()
    ask(handler, do="new", game="splendor", players=2, chance="outside")
    position = ask(handler, do="save")["position"]
    assert "draw" in position["stack"][-1]
    assert "error" not in ask(handler, do="load", position=position)
    for key, value in (("to", 0), ("source", 0), ("left", 9), ("bottom", True), ("random", True)):
        damaged = json.loads(json.dumps(position))
        assert damaged["stack"][-1]["draw"][key] != value
        damaged["stack"][-1]["draw"][key] = value
        assert ask(handler, do="load", position=damaged)["error"]["code"] == "bad-position", key


def test_a_draw_under_way_goes_to_the_end_that_its_step_names():
    handler = RequestHandler()
    ask(handler, do="new", game="tests/games/peeking.yaml", players=2, chance="outside")
    assert "error" not in ask(handler, do="apply", seat=0, action="dig")
    position = ask(handler, do="save")["position"]
    draw = position["stack"][-1]["draw"]
    assert (draw["bottom"], draw["on_top"]) == (False, True)
    assert "error" not in ask(handler, do="load", position=position)
    assert ask(handler, do="save")["position"] == position
    for bottom, on_top in ((False, False), (True, False), (True, True)):
        draw.update(bottom=bottom, on_top=on_top)
        assert ask(handler, do="load", position=position)["error"]["code"] == "bad-position"


def test_a_draw_under_way_goes_where_there_is_room():
    handler = RequestHandler()
    ask(handler, do="new", game="kuhn-poker", chance="outside")
    ask(handler, do="chance", outcomes=["jack"])
    position = ask(handler, do="save")["position"]
    assert "error" not in ask(handler, do="load", position=position)
    draw = position["stack"][-1]["draw"]
    draw["to"] = next(place for place in (1, 2) if place != draw["to"])
    assert "a draw is under way" in ask(handler, do="load", position=position)["error"]["message"]


UNDER_WAY = """
game: under-way
version: 1.0.0
language: 2
text: Somebody takes pieces, and is asked again and again before
players: 2
kinds: {colour: [red, blue], number: 1 to 4}
zones:
  box:  {holds: colour, seen_by: all, start: 3 of colour}
  mine: {holds: colour, per: player, seen_by: all}
state: {noted: {type: 0 to 99}, most: {type: number, start: 3}}
actions:
  take:
    choose: {pieces: {some_of: box, total: 2}, numbers: {some_of: number, total: 2}}
    do:
      - often: {times: most, for_each: n in number where n <= most, do: [ask: {must: [note]}]}
      - more:  {times: most, do: [ask: {must: [note]}]}
      - take:  {move: pieces, from: box, to: mine(me)}
  note: {do: [note: {set: noted, to: "min(99, noted + 1)"}]}
turn:
  - take: {must: [take], if_unable: nothing}
round:
  - turns: {for_each: player, turn: player}
  - end:   {when: round_number > 3, end_game: now}
"""
TAKING, ASKING = 2, 3  # which entry of the stack: the steps of the action, those within its loop
NOT_AROUND = "are under way, but not by the steps around them"


@pytest.fixture
def under_way(tmp_path: Path) -> dict[str, Any]:
    (tmp_path / "under-way.yaml").write_text(UNDER_WAY, encoding="utf-8")
    return {"game": str(tmp_path / "under-way.yaml"), "seed": 1}


@pytest.mark.parametrize(
    ("notes", "damage", "message"),
    [
        (1, put("stack", TAKING, "left", value=[3, 1, 2, 3, 2, 1]), NOT_AROUND),  # in another order the second time
        (1, put("stack", ASKING, "bound", 2, value=1), NOT_AROUND),  # it would come twice, and then again
        (9, put("stack", TAKING, "left", value=[1, 2, 3]), ""),  # believed: how often may have changed
        (9, put("stack", TAKING, "left", value=[1, 2, 3, 4]), NOT_AROUND),  # five turns, where there are four at most
        (9, put("stack", TAKING, "left", value=[0, 1]), NOT_AROUND),
        (1, put("stack", TAKING, "bound", 0, value=[2000, 1]), "pending steps do not fit"),
        (1, put("stack", TAKING, "bound", 0, value=[]), "pending steps do not fit"),
        (1, put("stack", TAKING, "bound", 1, value=[2, 2]), "pending steps do not fit"),
        (1, put("stack", TAKING, "bound", 1, value=[[1], 2]), "pending steps do not fit"),
    ],
)
def test_what_is_under_way_can_have_been_so(
    under_way: dict[str, Any], notes: int, damage: Callable[[dict[str, Any]], None], message: str
):
    handler, _ = begun(under_way)
    for _ in range(1 + notes):
        act(handler)
    position = ask(handler, do="save")["position"]
    assert "error" not in ask(handler, do="load", position=position)
    damage(position)
    answer = ask(handler, do="load", position=position)
    assert message in answer["error"]["message"] if message else "error" not in answer, answer
    act(handler)

"""A slip of the fingers does not change a game: numbers are those of the list, and what is final is asked for."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from command_line import CommandLine, play_typing

Typing = Callable[..., str]
STACKS = """
game: stacks
version: 1.0.0
language: 2
text: {en: Stacks, fr: Piles}
players: 2
kinds:
  colour: [red, blue, gold]
components:
  card:
    fields: {cost: bag of colour}
    rows:
      - {id: a_1, cost: {red: 1}}
      - {id: a_2, cost: {red: 1, blue: 1}}
      - {id: b_1, cost: {blue: 2}}
      - {id: b_2, cost: {red: 2}}
    start: row
zones:
  row: {holds: card, seen_by: all}
  won: {holds: card, per: player, seen_by: all}
  bank: {holds: colour, seen_by: all}
  purse: {holds: colour, per: player, seen_by: all, start: 2 of red + 2 of blue + 2 of gold}
state:
  die: {type: 1 to 6, start: 1}
actions:
  buy:
    text: {en: Buy a card., fr: Acheter une carte.}
    choose:
      card: {one_of: row}
      payment: {pay: card.cost, from: purse(me), wild: gold}
    do:
      - pay: {move: payment, from: purse(me), to: bank}
      - take: {move: card, to: won(me)}
  toss:
    text: {en: Throw the die., fr: Lancer le dé.}
    choose: {card: {one_of: row}}
    do: [throw: {roll: die}]
turn:
  - act: {must: [buy, toss]}
  - end: {when: row is empty, end_game: now}
round:
  - turns: {for_each: player, turn: player}
"""


@pytest.fixture
def stacks(tmp_path: Path) -> str:
    path = tmp_path / "stacks.yaml"
    path.write_text(STACKS, encoding="utf-8")
    return str(path)


@pytest.fixture
def typing(run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch, stacks: str) -> Typing:
    """What a player reads after the first list when such lines are typed, by two people at one keyboard."""

    def type_lines(*lines: str, language: str = "en") -> str:
        words = [stacks, "--seed", "1", "--seat", "human", "--seat", "human", "--lang", language]
        out = play_typing(run_cli, monkeypatch, [*lines, "quit"], *words)
        return out.split("player 1 began" if language == "en" else "le joueur 1 a commencé")[-1]

    return type_lines


SLIPS = [
    ("buy 99", "Choose a number from 1 to"),
    ("1 2", "Choose a number from 1 to"),
    ("-1", "Choose a number from 1 to"),
    ("0", "Choose a number from 1 to"),
    ("999", "Choose a number from 1 to"),
    ("99999999999999999999", "Choose a number from 1 to"),
    ("1,2", "Choose a number from 1 to"),
    ("toss 1", "Number 1 in this list is “buy”, not “toss”."),
    ("buy a_1 x", "There is no colour “x”: payment can be"),
    ("toss a_1 x", "Unexpected “x”: toss takes one answer, card."),
    ("why toss a", "“toss a” is incomplete: a_1, a_2."),
    ("why 99", "Choose a number from 1 to"),
    ("tsos a_1", "Did you mean toss?"),
    ("buy zzz", "There is no card “zzz”: card can be a_1, a_2, b_1, b_2."),
    ("buy(card=a_1", "A parenthesis is missing in “buy(card=a_1”."),
    ("buy(crd=a_1)", "“crd” is no choice of buy; its choices: card, payment. Did you mean card?"),
    ("+", "Add a piece: + and its name or letter."),
    ("+ purple", "No option in this list includes purple"),
    ("zzz", "“zzz” is not an action, number or command."),
    ("zzz yyy", "“zzz” is not an action, number or command."),
    ("tsos a_1", "“tsos” is not an action, number or command."),
    ("a_1 zzz", "“zzz” is not an action, number or command."),
    ("²", "“²” is not an action, number or command."),
    ("why ²", "“²” is not an action, number or command."),
    ("buy -1", "Choose a number from 1 to"),
    ("why buy 99", "Choose a number from 1 to"),
    ("why toss 1", "Number 1 in this list is “buy”, not “toss”."),
    ("undo", "There is nothing to undo."),
    ("redo", "There is nothing to redo."),
    ("why", "Add an action"),
    ("why 1", "is legal for player 1"),
    ("hint", "bot would choose"),
    ("board", "Player 1, 1 to"),
]


@pytest.mark.parametrize(("line", "answer"), SLIPS, ids=[line for line, _ in SLIPS])
def test_a_slip_is_answered_and_changes_nothing(typing: Typing, line: str, answer: str) -> None:
    out = typing(line)
    assert answer in " ".join(out.split())
    assert "player 1  buy(" not in out
    assert "player 1  toss(" not in out


def test_a_number_is_that_of_the_list_also_behind_a_name(typing: Typing) -> None:
    for line in ("3", "buy 3", "b 3"):
        assert "player 1  buy(card=a_2, payment=1 red + 1 blue)" in typing(line)
    assert "player 1  toss(card=a_2)" in typing("toss 14")
    assert "a_2, payment=1 red + 1 blue) is legal" in " ".join(typing("why 3").split())


def test_after_a_word_the_number_is_that_of_the_short_list(typing: Typing) -> None:
    assert "player 1  buy(card=a_1, payment=1 gold)" in typing("2")
    assert "player 1  buy(card=b_1, payment=1 blue + 1 gold)" in typing("buy b_1", "2")
    assert "player 1  buy(card=b_1, payment=1 blue + 1 gold)" in typing("buy b_1", "buy 2")


def test_a_narrowed_list_says_so_until_it_is_left(typing: Typing) -> None:
    out = typing("buy b_1", "hint", "why 1", "log", "")
    assert out.count("Player 1, “buy b_1”: 1 to 3 (Enter for the whole list): ") == 4
    assert out.rstrip().split("\n")[-2].startswith("Player 1, 1 to") or "Player 1, 1 to" in out.split("“buy b_1”")[-1]
    assert "Joueur 1, « buy b_1 » : 1 à 3 (Entrée pour toute la liste)" in typing("buy b_1", language="fr")


@pytest.mark.parametrize(
    ("lines", "prompt", "listed"),
    [
        (["take", "W"], "“take W”: 1 to 7 (", "1 W U G 2 W U R 3 W U K 4 W G R 5 W G K 6 W R K"),
        (["take", "take W"], "“take W”: 1 to 7 (", "6 W R K"),
        (["take", "+W", "+g"], "“take +W +g”: 1 to 3 (", "1 W U G 2 W G R 3 W G K"),
        (["+W", "+G"], "“+W +G”: 1 to 3 (", "1 W U G 2 W G R 3 W G K"),
        (["+W", "U"], "“+W U”: 1 to 3 (", "1 W U G 2 W U R 3 W U K"),
        (["reserve", "gem"], "“reserve”: 1 to 15 (", "There is no card “gem”"),
        (["reserve", "R"], "“reserve R”: 1 to 3 (", "1 l1_ruby_6 2 l2_ruby_2 3 l3_ruby_4"),
        (["pair", "l1_onyx_8"], "“l1_onyx_8”: 1 to 1 (", "1 l1_onyx_8"),  # what is in another list is not done at once
        (["pair", "hint"], "“pair”: 1 to 5 (", "+ emerald), which is not in this list."),
    ],
)
def test_in_a_narrowed_list_words_mean_the_same_as_behind_what_narrowed_it(
    run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch, lines: list[str], prompt: str, listed: str
) -> None:
    out = typed_at_splendor(run_cli, monkeypatch, *lines)
    assert prompt in out
    assert listed in out
    assert "player 1 take" not in out
    assert "player 1 reserve" not in out


def test_in_a_narrowed_list_an_answer_chooses_an_action_of_it(
    run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    for lines in (["pair", "W"], ["take", "pair W"], ["take", "W", "pair"], ["reserve", "take_pair W"]):
        assert "player 1 take_pair(colour=diamond)" in typed_at_splendor(run_cli, monkeypatch, *lines)
    assert "player 1 reserve_from_deck(level=2)" in typed_at_splendor(run_cli, monkeypatch, "reserve", "level=2")


def test_what_is_named_as_possible_is_what_is_offered_now(
    run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    race = str(Path(__file__).parent / "games" / "race" / "race.yaml")
    words = [race, "--players", "2", "--seed", "3", "--seat", "human", "--seat", "human", "--no-record"]
    out = play_typing(run_cli, monkeypatch, ["1", "n", "dec", "quit"], *words)
    assert "Actions: throw, decline." in out
    assert "player 1  decline" in out


def typed_at_splendor(run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch, *lines: str) -> str:
    seats = ("--seed", "5", "--seat", "human", "--seat", "random", "--no-record")
    return " ".join(play_typing(run_cli, monkeypatch, [*lines, "quit"], *seats).split())


def test_a_piece_is_added_by_its_letter_before_the_beginning_of_a_name(
    run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    for line in ("+ w", "+W", "+ diam"):
        out = typed_at_splendor(run_cli, monkeypatch, line)
        assert "1 W U G 2 W U R 3 W U K 4 W G R 5 W G K 6 W R K Player 1, “+" in out
    assert "1 W U G 2 W G R 3 W G K 4 U G R" in typed_at_splendor(run_cli, monkeypatch, "+ g")


def test_a_number_that_is_meant_as_an_answer_is_typed_with_its_choice(
    run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = typed_at_splendor(run_cli, monkeypatch, "reserve from deck 3")
    assert "For level 3, type “reserve from deck level=3”." in out
    assert "player 1 reserve_from_deck(level=3)" in typed_at_splendor(run_cli, monkeypatch, "reserve from deck level=3")


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("reserve card=3", "There is no card “3”"),
        ("why buy 1", "Number 1 in this list is “take different tokens”, not “buy”."),
        ("why reserve 3", "not “reserve”. For level 3, type “why reserve level=3”."),
        ("why reserve level=3", "reserve_from_deck(level=3) is legal"),
        ("why reserve gold", "l3_diamond_2. Player 1"),
        ("why reserve 99", "Choose a number from 1 to 30."),
        ("why -1", "Choose a number from 1 to 30."),
        ("take -1", "Choose a number from 1 to 30."),
        ("²", "“²” is not an action, number or command."),
        ("take ²", "There is no gem “²”"),
        ("W U nonsense", "There is no gem “nonsense”"),
        ("reserve X nonsense", "There is no card “X”"),
        ("reserve l1 nonsense", "Unexpected “nonsense”"),
        ("take W G Q", "There is no gem “Q”."),
    ],
)
def test_a_number_is_no_part_of_an_id_and_a_wrong_piece_is_named(
    run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch, line: str, answer: str
) -> None:
    out = typed_at_splendor(run_cli, monkeypatch, line)
    assert answer in out
    assert "player 1 reserve" not in out


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("prendre diamants saphir émeraude", "joueur 1 take_different(colours=diamond + sapphire + emerald)"),
        ("pourquoi prendre rubis onyx saphir", "est permis au joueur 1."),
        ("pourquoi réserver or", "« or » n'existe pas (carte développement)"),
        ("réserver diamant", "1 l1_diamond_5 2 l3_diamond_2"),
        ("pourquoi réserver l1_diamant_5", "reserve_face_up(card=l1_diamond_5) est permis"),
        (
            "prendre B",
            "« B » n'existe pas (couleur de pierre précieuse) ; réponses possibles pour « colours » : W, U, G, R, K.",
        ),
        ("+ éme", "1 W U G 2 W G R 3 W G K 4 U G R"),
        ("annuler", "Il n'y a rien à annuler."),
        ("reprendre", "Il n'y a rien à annuler."),
        ("undo", "Il n'y a rien à annuler."),
    ],
)
def test_what_the_texts_call_a_piece_can_be_typed_wherever_its_id_can(
    run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch, line: str, answer: str
) -> None:
    words = ["--seed", "5", "--seat", "human", "--seat", "random", "--no-record", "--lang", "fr"]
    assert answer in " ".join(play_typing(run_cli, monkeypatch, [line, "quitter"], *words).split())


@pytest.mark.parametrize("line", ["reserve rubies", "reserve ruby", "why reserve l1_rubies_6"])
def test_a_name_in_english_is_read_in_an_id_too(
    run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    out = typed_at_splendor(run_cli, monkeypatch, line)
    assert "1 l1_ruby_6 2 l2_ruby_2 3 l3_ruby_4" in out or "reserve_face_up(card=l1_ruby_6) is legal" in out


def test_what_is_piped_in_where_the_screen_is_handed_over_is_not_dropped(
    run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ["reserve from deck level=3", "", "quit"]
    out = play_typing(run_cli, monkeypatch, lines, "--seed", "5", "--seat", "human", "--seat", "human", "--no-record")
    assert "player 1  reserve_from_deck(level=3)" in out


def test_nobody_is_asked_in_a_pipe(typing: Typing) -> None:
    out = typing("to a_1")
    assert "player 1  toss(card=a_1)" in out
    assert "cannot be undone" not in out


# ---- on a terminal --------------------------------------------------------------------------------------------------


class Terminal:
    """A game on a terminal of its own."""

    def __init__(self, *words: str) -> None:
        self.ours, theirs = pty.openpty()
        environment = {**os.environ, "TERM": "dumb", "COLUMNS": "100", "LINES": "40"}
        command = [sys.executable, "-m", "rulewright", "play", *words]
        self.process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
        os.close(theirs)
        self.text = ""

    def wait_for(self, text: str, seconds: float = 60) -> str:
        """What has come up to and with a text; it stays out of what is waited for next."""
        end = time.monotonic() + seconds
        while text not in self.text:
            ready, _, _ = select.select([self.ours], [], [], max(0, end - time.monotonic()))
            assert ready, f"no {text!r} in {self.text!r}"
            self.text += os.read(self.ours, 65_536).decode("utf-8", "replace")
        before, _, self.text = self.text.partition(text)
        return before + text

    def type(self, line: str) -> None:
        os.write(self.ours, f"{line}\n".encode())

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.ours)


@pytest.fixture
def terminal(stacks: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    game = Terminal(stacks, "--seed", "1", "--seat", "human", "--seat", "greedy")
    yield game
    game.close()


@pytest.mark.slow
def test_an_abbreviation_that_is_final_is_confirmed(terminal: Terminal) -> None:
    terminal.wait_for("(? for help): ")
    terminal.type("to a_1")
    assert "toss(card=a_1): this cannot be undone." in terminal.wait_for("(yes or no) ")
    terminal.type("n")
    terminal.wait_for("Nothing was done.")
    terminal.wait_for("(? for help): ")
    terminal.type("toss a_1")  # in full
    assert "cannot be undone" not in terminal.wait_for("player 1  toss(card=a_1)")


@pytest.mark.slow
def test_the_beginning_of_a_title_is_an_abbreviation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    game = Terminal("--seed", "3", "--seat", "human", "--seat", "random", "--lang", "fr")
    try:
        game.wait_for("(? pour l'aide) : ")
        for line in ("pioche level=2", "réserver level=2", "réserver en pioche lev=2", "visible l1_ruby_6"):
            game.type(line)
            game.wait_for("(oui ou non) ")
            game.type("non")
            game.wait_for("(? pour l'aide) : ")
        game.type("reserver en pioche level=2")  # in full
        assert "oui ou non" not in game.wait_for("joueur 1  reserve_from_deck(level=2)")
    finally:
        game.close()


@pytest.mark.slow
def test_what_was_completed_is_shown_by_its_title_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    game = Terminal("wrack-line", "--players", "2", "--seed", "3", "--seat", "human", "--seat", "random")
    try:
        for line in ("keep 2", "wal reef"):
            game.wait_for("(? for help): ")
            game.type(line)
        game.wait_for("\r\nroam(beach=reef): this cannot be undone.")
    finally:
        game.close()


@pytest.mark.slow
def test_an_abbreviation_is_confirmed_with_yes(terminal: Terminal) -> None:
    terminal.wait_for("(? for help): ")
    terminal.type("to a_2")
    terminal.wait_for("(yes or no) ")
    terminal.type("y")
    terminal.wait_for("player 1  toss(card=a_2)")


@pytest.mark.slow
def test_what_can_be_undone_is_shown_in_words_only(
    stacks: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    game = Terminal(stacks, "--seed", "1", "--seat", "human", "--seat", "human")  # the next one can undo it
    try:
        game.wait_for("(? for help): ")
        game.type("bu b_2 2 red")
        shown = game.wait_for("player 1  buy(card=b_2, payment=2 red)")
        assert "buy(card=b_2, payment=2 red)\r\n" in shown
        assert "yes or no" not in shown
    finally:
        game.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "lines", "action"),
    [
        (["kuhn-poker", "--variant", "ten-hands"], ["b"], "bet"),  # the next hand is dealt after the answer
        (["kuhn-poker"], ["b"], "bet"),  # the game ends with the answer
        (["wrack-line", "--players", "2"], ["keep 2", "roam reef", "cl mir"], "cling(wrack=mirror)"),
    ],
)
def test_what_others_may_do_before_the_next_prompt_makes_an_abbreviation_final(
    words: list[str], lines: list[str], action: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    game = Terminal(*words, "--seed", "3", "--seat", "human", "--seat", "random")
    try:
        for line in lines:
            game.wait_for("(? for help): ")
            game.type(line)
        assert f"{action}: this cannot be undone." in game.wait_for("(yes or no) ")
    finally:
        game.close()


@pytest.mark.slow
def test_more_of_the_wild_member_than_needed_is_confirmed(terminal: Terminal) -> None:
    terminal.wait_for("(? for help): ")
    terminal.type("buy b_2 2 gold")
    assert "this pays with more gold than needed" in terminal.wait_for("(yes or no) ")
    terminal.type("")
    terminal.wait_for("Nothing was done.")
    terminal.wait_for("(? for help): ")
    terminal.type("buy b_2")
    lines = terminal.wait_for("(Enter for the whole list): ").splitlines()
    listed = next(line for line in lines if " 3 " in line)
    assert "gold" in listed or "2 g" in listed.lower()
    terminal.type("3")  # from a list of payments it is meant
    assert "yes or no" not in terminal.wait_for("player 1  buy(card=b_2, payment=2 gold)")


@pytest.mark.slow
def test_one_sees_that_a_bot_thinks_and_what_is_typed_meanwhile_is_dropped(
    stacks: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    game = Terminal(stacks, "--seed", "1", "--first-player", "2", "--seat", "human", "--seat", "search:1500ms")
    try:
        game.wait_for("Player 2 is thinking …")
        game.type("1")
        game.wait_for("(? for help): ")
        game.type("log")
        assert "player 1  " not in game.wait_for("(? for help): ")
    finally:
        game.close()


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("buy l1", "“l1” is ambiguous: l1_"),
        ("buy x", "There is no card “x”. “buy a card” is not possible now. “why buy a card” explains it."),
        ("buy 3", "Number 3 in this list is “take different tokens”, not “buy”."),
        ("take Z", "There is no gem “Z”: colours can be W, U, G, R, K."),
        ("take(colours=W)", "1 W U G 2 W U R"),
        ("take W U with gold", "Unexpected “with”: take different tokens takes one answer, colours."),
        ("pair R R", "Unexpected “R”: take two of a colour takes one answer, colour."),
        ("reserve level=9", "There is no level “9”: level can be 1, 2, 3."),
        ("reserve level 9", "There is no level “9”: level can be 1, 2, 3."),
        ("pass", "“pass” is not possible now. Possible: take different tokens,"),
        ("why take W U", "“take W U” is incomplete: W U G, W U R, W U K."),
    ],
)
def test_what_is_wrong_with_an_answer_is_said_in_the_letters_of_the_menu(
    run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch, line: str, answer: str
) -> None:
    words = ["splendor", "--seed", "3", "--seat", "human", "--seat", "random", "--no-record"]
    assert answer in " ".join(play_typing(run_cli, monkeypatch, [line, "quit"], *words).split())


@pytest.mark.parametrize(
    ("game", "players", "line", "answer"),
    [
        ("workers", 3, "#2", "Actions: send. Player 1"),  # what is offered, but not possible, is not named
        ("auction", 2, "raise x", "There is no money “x”: coins can be penny, shilling. Player 1"),
    ],
)
def test_no_more_is_named_than_can_be_done(
    run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch, game: str, players: int, line: str, answer: str
) -> None:
    rules = str(Path(__file__).parent / "games" / game / f"{game}.yaml")
    words = ["--players", str(players), "--seed", "6", "--seat", "human", *["--seat", "random"] * (players - 1)]
    out = play_typing(run_cli, monkeypatch, [line, "quit"], rules, *words, "--no-record")
    assert answer in " ".join(out.split())


def test_ones_own_secret_choice_is_logged_to_oneself(run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["wrack-line", "--players", "2", "--seed", "4", "--seat", "human", "--seat", "random", "--no-record"]
    out = play_typing(run_cli, monkeypatch, ["1", "log", "quit"], *words)
    assert out.count("player 1 had chosen answer(letters=fiddler + tailor)") == 2
    assert out.count("player 2 had chosen answer(letters=? + ?)") == 2


def test_an_answer_alone_that_is_not_possible_is_explained(
    run_cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["tic-tac-toe", "--seed", "3", "--seat", "human", "--seat", "human", "--no-record"]
    out = play_typing(run_cli, monkeypatch, ["b2", "b2", "why b2", "a1 nonsense", "quit"], *words)
    assert out.count("b2 is taken.") == 2
    assert "Unexpected “nonsense”: mark takes one answer, square." in out

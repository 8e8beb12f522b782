"""A slip of the fingers does not change a game: numbers are those of the list, and what is wrong is named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from command_line import CommandLine, play_typing
from terminals import STACKS

Typing = Callable[..., str]


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

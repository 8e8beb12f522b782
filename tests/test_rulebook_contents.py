"""What a rulebook has of boards, things, who has left and what is done."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from games.playing import game_file
from rulebooks import SHIPPED, book_of, rules_of
from rulewright.diagram.node_text import NodeText as Pictured
from rulewright.model.rules import Rules
from rulewright.rulebook.assemble import build_rulebook
from rulewright.rulebook.html import to_html
from rulewright.rulebook.markdown import to_markdown
from rulewright.rulebook.rules_by_count import load_rules_by_count, load_rules_without_variants
from rulewright.rulebook.tracked_changes import mark_changes
from rulewright.wording.messages import Messages

pytestmark = pytest.mark.slow

# ---- boards of squares ----------------------------------------------------------------------------------------------

NARROW = """
game: narrow
version: 1.0.0
language: 2
text: Narrow
players: 2
kinds: {cell: {grid: "players + 1 by 2", text: The squares}, stone: [pebble]}
zones: {board: {holds: stone, per: cell, seen_by: all}}
actions: {stay: {}}
round: [{play: {by: first_player, must: [stay]}}, {over: {end_game: now}}]
"""
LONGER = """
variant: longer
for: narrow
text: The board is longer.
set: {kinds.cell.grid: 4 by 2}
"""


def test_a_board_of_squares_is_described_and_drawn(tmp_path: Path) -> None:
    game = str(game_file("tic-tac-toe"))
    words = Messages(rules_of(game, ())[0][2], "en")
    text = to_markdown(book_of(game, ()), words)
    there = text[text.index("## What there is") : text.index("## Setting up")]
    assert "3 by 3 squares. The letter gives the column, from a to c, the number the row, from 1 to 3: a1, b1" in there
    assert "- **Lines of three squares, across, down and aslant**: 8 of them" in there
    assert "      a   b   c\n   1 [ ] [ ] [ ]\n   2 [ ] [ ] [ ]\n   3 [ ] [ ] [ ]\n" in text
    drawn = to_html(book_of(game, (), "fr"), Messages(rules_of(game, ())[0][2], "fr"))
    assert "3 cases sur 3" in drawn
    assert drawn.count('width="40" height="40" rx="5"') == 9
    path = tmp_path / "narrow.yaml"
    path.write_text(NARROW, encoding="utf-8")
    longer = tmp_path / "longer.yaml"
    longer.write_text(LONGER, encoding="utf-8")
    rules, changes = load_rules_by_count(str(path), None, (str(longer),))
    words = Messages(rules[2], "en")
    text = to_markdown(
        mark_changes(
            build_rulebook(load_rules_without_variants(str(path), rules), "en"),
            build_rulebook(rules, "en"),
            changes,
            words,
        ),
        words,
    )
    assert "~~3~~ <ins>4</ins> *[longer]* by 2 squares." in text or "~~3~~ <ins>4</ins> by 2 squares." in text


# ---- what there is, who has left, what is done ----------------------------------------------------------------------

FEW = """
game: few
version: 1.0.0
language: 2
text: {en: Few, fr: Peu}
players: 2 to 4
kinds:
  rank: {members: [low, high], text: {en: Ranks, fr: Rangs}}
components:
  tile: {fields: {rank: rank, worth: 0 to 5}, start: pile, text: {en: Tile, fr: Tuile}, rows: [ROWS]}
parameters: {laid: {value: if players is 2 then 3 else 0, type: 0 to 5, text: {en: Laid open, fr: Découvertes}}}
zones:
  pile: {holds: tile, order: shuffled, seen_by: nobody}
  open: {holds: tile, seen_by: all}
  fist: {holds: tile, per: player, seen_by: owner, text: {en: Hand, fr: Main}}
state: {passes: {type: 0 to 9, text: {en: Passes, fr: Passes}}}
values:
  free:
    is: each player in others where left(player) is 0
    text: {en: Whom one can ask, fr: À qui l'on peut demander}
setup:
  - lay:
      when: laid > 0
      move: top laid
      from: pile
      to: open
      text: {en: "{laid} are laid open.", fr: "{laid} ouvertes."}
  - deal: {for_each: player, move: top, from: pile, to: fist(player)}
actions:
  ask:
    text: {en: Ask another., fr: Demander à un autre.}
    choose: {whom: {one_of: free}}
    when: {some: {is: free is not empty}, held: {is: some tile in fist(me) has tile.rank is low}}
    do:
      - out: {leave: whom}
      - shown: {reveal: fist(whom), to: me}
      - lost: {move: each tile in fist(me) where tile.rank is high, to: open}
  stay:
    text: {en: Stay., fr: Rester.}
    do:
      - more: {set: passes, to: "min(passes + 1, 9)"}
      - fewer: {set: passes, to: "max(passes - 2, 0)"}
turn:
  - act: {must: [ask], if_unable: stay}
  - over: {when: count(everyone) is 1, end_game: now}
round:
  - turns: {for_each: player, turn: player}
  - done: {when: passes is 9, end_game: now}
book:
  many: {at: components.tile, text: "{count(each tile where tile.rank is low)} are low."}
sentences:
  actions.ask.choose.whom.title: {en: the one asked, fr: qui est interrogé}
"""


@cache
def few() -> dict[int, Rules]:
    rows = [f"{{id: low_{at}, rank: low, worth: 1}}" for at in range(9)]
    rows += [f"{{id: high_{at}, rank: high, worth: 4}}" for at in range(5)]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "few.yaml"
        path.write_text(FEW.replace("ROWS", ", ".join(rows)), encoding="utf-8")
        return load_rules_by_count(str(path), None, ())[0]


def few_book(code: str = "en") -> str:
    return to_markdown(build_rulebook(few(), code), Messages(few()[2], code))


def test_few_sorts_are_listed_with_how_many_there_are() -> None:
    assert re.search(r"\| low \| 1 \| 9 \|\n\| high \| 4 \| 5 \|", few_book())


def test_who_has_left_is_put_in_words() -> None:
    assert "- Who has left the game." in few_book()
    assert "- Qui a quitté la partie." in few_book("fr")


def test_the_one_action_stands_before_what_is_done_otherwise() -> None:
    assert re.search(
        r"The player does this:\n\n- \[Ask\]\(#ask\)\n\nOnly if that is not possible: \[Stay\]", few_book()
    )


def test_seats_can_leave_so_how_many_there_are_is_not_known() -> None:
    assert "If the number of players still in the game is 1: the game ends at once." in few_book()


def test_what_is_never_done_with_so_many_players_is_left_out() -> None:
    assert "*With 2 players:* 3 are laid open." in few_book()
    three = {3: few()[3]}
    assert "laid open" not in to_markdown(build_rulebook(three, "en"), Messages(few()[3], "en")).replace(
        "Laid open", ""
    )


def test_what_has_only_a_label_is_put_in_words() -> None:
    assert "- “Whom one can ask” is not empty." in few_book()
    wanted = "- **Whom one can ask**: those of the other players for whom that player is still in the game."
    assert wanted in few_book()
    assert "- « À qui l'on peut demander » n'est pas vide." in few_book("fr")


def test_counters_go_up_and_down() -> None:
    assert "“Passes” goes up by 1, to 9 at most." in few_book()
    assert "“Passes” goes down by 2, to 0 at least." in few_book()
    assert "« Passes » augmente de 1, jusqu'à 9 au plus." in few_book("fr")


def test_what_has_no_words_is_put_in_whole_sentences() -> None:
    text = few_book()
    assert "For at least one tile of “fist” of the player, the rank of that tile is low." in text
    assert "Each tile of “fist” of the player for which the rank of that tile is high goes to “open”." in text
    assert "9 are low." in text


def test_a_choice_among_all_members_of_a_kind_names_the_kind() -> None:
    text = to_markdown(book_of(str(game_file("tic-tac-toe")), ()), Messages(rules_of(SHIPPED, ())[0][2], "en"))
    assert "- **square**: one of “Squares of the board”" in text


def test_the_title_of_a_choice_is_what_it_is_called() -> None:
    text = few_book()
    assert "- **the one asked**: one of “Whom one can ask”" in text
    assert "The one asked leaves the game." in text
    assert "“fist” of the one asked is shown to the player." in text


def test_players_are_called_by_number_and_equal_columns_are_one() -> None:
    game = str(game_file("tic-tac-toe"))
    text = to_markdown(book_of(game, ()), Messages(rules_of(game, ())[0][2], "en"))
    assert "| The mark of each player | player 1: cross, player 2: nought |" in text
    equal = {count: rules for count, rules in few().items() if count > 2}
    text = to_markdown(build_rulebook(equal, "en"), Messages(equal[3], "en"))
    numbers = text[text.index("## All numbers") : text.index("## Index")]
    assert "| what it is | number |" in numbers


def test_the_picture_of_a_turn_says_what_the_book_says() -> None:
    drawn = few_book().partition("```mermaid")[2].partition("```")[0].replace("<br>", " ")
    assert "The number of players still in the game is 1" in drawn
    assert "count(" not in drawn


def test_behind_a_sentence_stands_another() -> None:
    telling = Pictured(few()[2], "en")
    assert telling.join("All turn.", "for each of them") == "All turn. For each of them"
    assert telling.join("turn", "for each of them") == "turn: for each of them"


def test_french_signs_stand_apart_and_break_no_line() -> None:
    page = to_html(build_rulebook(few(), "fr"), Messages(few()[2], "fr"))
    body = re.sub(r"<style.*?</style>|<[^>]*>", "", page, flags=re.DOTALL)
    assert "«\u00a0" in body
    assert not re.search(r" [;:!?»]|« ", body)
    assert "\u00a0" not in to_html(build_rulebook(few(), "en"), Messages(few()[2], "en"))

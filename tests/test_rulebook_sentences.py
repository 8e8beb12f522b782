"""What a rulebook says is true and is language: where decisions stand, what belongs to what, how sentences read."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulebooks import chapter, print_book
from rulewright.rulebook.assemble import build_rulebook
from rulewright.rulebook.markdown import to_markdown
from rulewright.rulebook.rules_by_count import load_rules_by_count
from rulewright.wording.contractions import contract
from rulewright.wording.messages import Messages

pytestmark = pytest.mark.slow


# ---- where decisions stand, what belongs to what --------------------------------------------------------------------

DRAFT = """
game: draft
version: 1.0.0
language: 2
text: Draft
players: 2 to 3
kinds: {chip: [red, blue]}
zones:
  box: {holds: chip, seen_by: all, start: 9 of chip}
  mine: {holds: chip, per: player, seen_by: all}
  gifts: {holds: chip, per: player, seen_by: all}
  ROOM
actions:
  pick:
    choose: {chip: {one_of: chip}}
    do:
      - got: {move: 1 of chip, from: box, to: mine(me)}
      - more: {may: [keep]}
      - last: {run: gift}
  keep: {do: [kept: {move: up to 1 of red, from: box, to: mine(me)}]}
  stop: {text: Stop., do: [out: {leave: me}]}
  show: {}
procedures:
  gift: [given: {move: up to 1 of blue, from: box, to: gifts(me)}]
  ending: [over: {end_game: now, winners: first_player}]
setup:
  - chosen: {for_each: player, must: [pick], by: player}
turn:
  - act: {must: [pick, stop]}
round:
  - turns: {for_each: player, turn: player}
  - often: {times: players, do: [one: {move: up to 1 of red, from: box, to: mine(first_player)}]}
  - done: {when: round_number is 3, end_game: now}
finale:
  - shown: {for_each: player, must: [show], by: player}
  - ended: {run: ending}
ranking: [{chips: {most: count(mine(player))}}]
"""
FULL = DRAFT.replace("ROOM", "")
ROOMY = DRAFT.replace("ROOM", "away: {holds: chip, seen_by: all}")


def test_what_is_decided_in_the_set_up_and_at_the_end_is_described_there() -> None:
    book = print_book(FULL)
    assert "### Step: chosen" in chapter(book, "Setting up")
    assert "#### Pick" in chapter(book, "Setting up")
    assert "### Step: shown" in chapter(book, "The end of the game")
    assert "### Ending" in chapter(book, "The end of the game")
    assert "### Step: act" in chapter(book, "A turn")
    assert not {"### Step: chosen", "### Step: shown", "### Ending"} & set(chapter(book, "A turn").splitlines())


def test_what_is_decided_in_an_action_takes_in_nothing_that_follows() -> None:
    turn = chapter(print_book(FULL.replace("must: [pick], by: player", "must: [show], by: player")), "A turn")
    assert turn.index("#### Pick") < turn.index("#### Stop") < turn.index("### Step: more") < turn.index("#### Keep")
    assert "[More on this.](#step-more)" in turn


def test_everything_else_starts_empty_only_where_something_is_left() -> None:
    assert "Everything else starts empty." not in print_book(FULL)
    assert "Everything else starts empty." in print_book(ROOMY)


def test_what_leaving_means_for_the_places_is_said() -> None:
    end = chapter(print_book(FULL), "The end of the game")
    assert "Who has left the game comes after all who are still in it" in end
    assert "- Who has left the game has no turn and decides nothing any more; when nobody is left" in end
    assert "Whoever a rule names as a winner is first all the same." in end
    assert "Qui a quitté la partie vient après tous ceux qui sont encore en jeu" in print_book(FULL, "fr")


def test_a_step_is_one_item_for_all_numbers_of_players() -> None:
    round_ = chapter(print_book(FULL), "How the game goes")
    assert sum(line.startswith("- ") and "times" in line for line in round_.splitlines()) == 1


# ---- sentences of what has no sentence of its own -------------------------------------------------------------------

WORDLESS = """
game: wordless
version: 1.0.0
language: 2
text: Wordless
players: 2 to 3
kinds:
  chip: [dark_red, blue]
  size: 1 to 9
components:
  tile:
    text: {en: Tiles, fr: Tuile}
    fields: {worth: 0 to 5}
    start: pile
    rows: [{id: first_one, worth: 1}, {id: other_one, worth: 2}]
  wish: {fields: {for_tile: tile}, start: pool, rows: [{id: w1, for_tile: first_one}]}
parameters: {long_way: {value: players + 4, type: 1 to 9}}
zones:
  pile: {holds: tile, seen_by: all}
  pool: {holds: wish, seen_by: all}
  hand: {holds: tile, per: player, seen_by: owner}
  table_top: {holds: tile, per: player, seen_by: all}
  box: {holds: chip, seen_by: all, start: 9 of chip}
  mine: {holds: chip, per: player, seen_by: all}
state:
  at: {type: 0 to 9, per: player}
  debt: {type: -9 to 9, per: player}
  ahead: {type: flag, per: player}
actions:
  show_all:
    choose:
      chips: {some_of: chip, total: 1 to 2}
      amount: {one_of: 1 to 2}
      tile: {one_of: pile + hand(me)}
    when:
      late: {is: not (round_number is 1)}
      soon: {is: "not (round_number > 3 or debt(me) < 0 and not ahead(me))"}
      every_one: {is: every other in everyone has at(other) <= at(me)}
    do:
      - reveal_both: {reveal: hand(me) + table_top(me), to: everyone}
      - each_kind: {move: 2 of chips, from: box, to: mine(me)}
      - many: {for_each: other in others, move: up to at(other) of blue, from: box, to: mine(next(me))}
      - walk: {set: at(me), to: "min(long_way, at(me) + amount)"}
      - owe: {set: debt(me), to: "max(-9, min(9, debt(me) + amount))"}
      - lead: {for_each: player, set: ahead(player), to: every other in everyone has at(other) <= at(player)}
      - sized: {for_each: size, move: up to size of blue, from: box, to: mine(me)}
      - again: {times: amount, move: "up to 1 of dark_red", from: box, to: mine(me)}
      - each_twice: {for_each: player, times: 2, when: at(player) > 1, set: at(player), to: at(player) - 1}
      - once: {times: 1, when: players > 1, run: pay_back}
procedures:
  pay_back: [paid: {move: 2 of dark_red, from: mine(me), to: box}]
turn: [{act: {may: [show_all]}}]
round:
  - turns: {for_each: player, highest_first: at(player), turn: player}
  - done: {when: some player in everyone has at(player) is long_way, end_game: now}
ranking: [{far: {most: "min(at(player), count(mine(player)))"}}, {few: {fewest: count(hand(player))}}]
"""
ENGLISH_SENTENCES = """
- **chips**: 1 to 2 from dark red and blue
- **amount**: a number from 1 to 2
- **tile**: one of “pile” and “hand” of the player
- The number of the round is not 1.
- The number of the round is at most 3 and (“debt” of the player is at least 0 or “ahead” holds for the player).
- For every player, “at” of that player is at most “at” of the player.
1. “hand” of the player and “table top” of the player are shown to all players.
2. 2 of each of “chips” go from “box” to “mine” of the player.
3. For each player of the other players: blue (at most as many as “at” of that player) goes from “box” to “mine” \
of the next player.
4. “at” of the player goes up by “amount”, to “long way” at most.
5. “debt” of the player goes up by “amount”, to 9 at most and -9 at least.
6. For each player: “ahead” of that player becomes yes if “at” of every player is at most “at” of that player, \
otherwise no.
7. For each size: blue (at most as many as that size) goes from “box” to “mine” of the player.
8. Up to 1 dark red goes from “box” to “mine” of the player. How many times: “amount”.
9. 2 times: for each player: if “at” of that player is more than 1: “at” of that player goes down by 1.
10. “pay back” is carried out. [More on this.](#pay-back)
1. 2 dark red go from “mine” of the player to “box”.
- For each player: that player has a turn. The order goes by “at” of that player, the highest first.
- If for at least one player, “at” of that player is “long way”: the game ends at once.
1. The most decides: the smaller of “at” of that player and the number in “mine” of that player.
2. Between equals, the fewest decides: the number in “hand” of that player.
| W1 | first one |
"""
FRENCH_SENTENCES = """
- **chips** : 1 à 2 parmi dark red et blue
- **amount** : un nombre de 1 à 2
- **tuile** : un seul choix parmi « pile » et « hand » (le joueur)
- Pour tout joueur, « at » (ce joueur) est au plus « at » (le joueur).
1. On montre « hand » (le joueur) et « table top » (le joueur) à tous les joueurs.
2. 2 × chaque élément de « chips » vont de « box » à « mine » (le joueur).
6. Pour chaque joueur : « ahead » (ce joueur) devient oui si « at » (chaque joueur) est au plus « at » (ce joueur), \
sinon non.
1. 2 dark red vont de « mine » (le joueur) à « box ».
1. Le plus grand nombre l'emporte : le plus petit parmi « at » (ce joueur) et le nombre dans « mine » (ce joueur).
"""


@pytest.mark.parametrize(("code", "sentences"), [("en", ENGLISH_SENTENCES), ("fr", FRENCH_SENTENCES)])
def test_what_has_no_sentence_is_put_in_words(code: str, sentences: str) -> None:
    lines = print_book(WORDLESS, code).splitlines()
    assert [sentence for sentence in sentences.strip().splitlines() if sentence not in lines] == []
    assert [line for line in lines if "_" in line] == []


QUARRY = """
game: quarry
version: 1.0.0
language: 2
text: {en: Quarry, fr: Carrière}
players: 2 to 3
kinds:
  stone: [slate, marble]
  pit: {members: 1 to 3, text: {en: Pits, fr: Fosse}}
components: {cart: {text: {en: Cart, fr: Charrette}, fields: {load: 0 to 5}, start: shed, rows: [{id: a, load: 1}, {id: b, load: 2}]}}
zones:
  shed: {holds: cart, seen_by: all, text: {en: The shed, fr: La remise}}
  dig: {holds: stone, per: pit, seen_by: all, start: 9 of slate}
  heap: {holds: stone, per: player, seen_by: all}
state:
  mood: {type: 0 to 9, per: pit}
  storm: {type: 0 to 6, text: {en: The storm, fr: La tempête}}
  luck: {type: flag, text: {en: Luck, fr: La chance}}
setup:
  - first: {for_each: player, move: 1 of slate, from: dig(1), to: heap(player)}
actions:
  cut:
    choose: {pit: {one_of: pit}, stones: {some_of: dig(pit)}, given: {one_of: stone}}
    when:
      least: {is: count(heap(me)) is (min of count(heap(player)) for player in everyone)}
      rest: {is: count(heap(me)) > (max of count(heap(other)) for other in others)}
      slates: {is: "(max of heap(x, slate) for x in everyone) < 5"}
      carts: {is: (max of c.load for c in shed) < 5}
      twice: {is: (max of count(heap(x)) + mood(1) * count(heap(x)) for x in everyone) < 50}
      some: {is: "(min of count(heap(x)) for x in everyone where x is not me) < 5"}
      sums: {is: (sum of count(heap(x)) for x in everyone) < 50}
    do:
      - cut: {move: stones, from: dig(pit), to: heap(me)}
      - more: {move: up to stones, from: dig(3), to: heap(me)}
      - two: {move: up to 2 of given, from: dig(2), to: heap(me)}
      - roll: {roll: storm}
      - luck: {roll: luck}
      - lucky: {when: luck, set: mood(3), to: 1}
  rest: {when: {moods: {is: (max of mood(p) for p in pit) < 5}}}
procedures:
  clear: [all: {for_each: pit where mood(pit) is 0, move: all, from: dig(pit), to: heap(first_player)}]
turn:
  - act: {must: [cut, rest]}
  - over: {when: storm > 5, end_game: now, winners: each player in everyone where count(heap(player)) is (max of count(heap(o)) for o in everyone)}
round: [{turns: {for_each: player, turn: player}}, {clear: {run: clear}}, {end: {when: round_number is 9, end_game: now}}]
finale: [{bonus: {for_each: x in everyone, when: count(heap(x)) is (max of count(heap(other)) for other in everyone), move: up to 1 of marble, from: dig(1), to: heap(x)}}]
ranking: [{most: {most: count(heap(player))}}]
"""  # noqa: E501
QUARRY_IN_ENGLISH = """
1. **Shed**: The shed. What begins here: Cart.
3. For each player: 1 slate goes from “dig” of pit 1 to “heap” of that player.
- The number in “heap” of the player is the smallest number in “heap” of any player.
- The number in “heap” of the player is more than the largest number in “heap” of any of the other players.
- The largest number of slate in “heap” of any player is less than 5.
- The largest value of “mood” of any pit is less than 5.
- The largest load of any cart of “shed” is less than 5.
- The largest value, for any player, of the number in “heap” of that player plus “mood” of pit 1 times the number in \
“heap” of that player is less than 50.
- The smallest value, for any player, of the number in “heap” of that player, where that player is not the player is \
less than 5.
- The sum, for each player, of the number in “heap” of that player is less than 50.
1. Everything in “stones” goes from “dig” of that pit to “heap” of the player.
2. As much as possible of “stones” goes from “dig” of pit 3 to “heap” of the player.
3. Up to 2 pieces of “given” go from “dig” of pit 2 to “heap” of the player.
2. If “The storm” is more than 5: the game ends at once. Who wins: each player for whom the number in “heap” of that \
player is the largest number in “heap” of any player.
1. For each player: if the number in “heap” of that player is the largest number in “heap” of any player: up to 1 \
marble goes from “dig” of pit 1 to “heap” of that player.
"""
QUARRY_IN_FRENCH = """
- **given** : slate ou marble
- Le nombre dans « heap » (le joueur) est le plus petit nombre dans « heap » (n'importe quel joueur).
- Le nombre dans « heap » (le joueur) dépasse le plus grand nombre dans « heap » (n'importe lequel parmi les autres \
joueurs).
- La plus grande valeur de « mood » (n'importe quel élément « fosse ») est en dessous de 5.
- La plus grande valeur de « load » (n'importe quel élément « charrette » parmi « shed ») est en dessous de 5.
- La plus grande valeur, pour un joueur quelconque, du nombre dans « heap » (ce joueur) plus « mood » (« fosse 1 ») \
fois le nombre dans « heap » (ce joueur) est en dessous de 50.
1. Tout ce qui est dans « stones » va de « dig » (« fosse ») à « heap » (le joueur).
2. Autant que possible de « stones » va de « dig » (« fosse 3 ») à « heap » (le joueur).
3. Au plus 2 × « given » vont de « dig » (« fosse 2 ») à « heap » (le joueur).
4. Tirage au hasard de « La tempête » (toutes les valeurs à égalité).
6. Si « La chance » vaut oui : « mood » (« fosse 3 ») devient 1.
2. Si « La tempête » dépasse 5 : la partie s'arrête aussitôt. Victoire : chaque joueur pour qui le nombre dans \
« heap » (ce joueur) est le plus grand nombre dans « heap » (n'importe quel joueur).
"""


@pytest.mark.parametrize(("code", "sentences"), [("en", QUARRY_IN_ENGLISH), ("fr", QUARRY_IN_FRENCH)])
def test_extrema_and_numbers_of_places_need_no_names_of_variables(code: str, sentences: str) -> None:
    lines = print_book(QUARRY, code).splitlines()
    assert [sentence for sentence in sentences.strip().splitlines() if sentence not in lines] == []


def test_a_procedure_is_described_where_it_is_run() -> None:
    book = print_book(QUARRY)
    assert "### Clear" in chapter(book, "How the game goes")
    assert "### Clear" not in chapter(book, "A turn")
    assert "### Pay back" in chapter(print_book(WORDLESS), "A turn")


def test_words_of_the_program_are_contracted() -> None:
    wanted = {
        ("le nombre de ", "les pions"): "le nombre des pions",
        ("la somme de ", "le nombre"): "la somme du nombre",
        ("va à ", "le bas"): "va au bas",
        ("montré à ", "les autres"): "montré aux autres",
        ("pas vrai que ", "il y a"): "pas vrai qu'il y a",
        ("si ", "il y a"): "s'il y a",
        ("de ", "« le »"): "de « le »",
    }
    assert {parts: contract(*parts, "fr") for parts in wanted} == wanted
    assert contract("de ", "le ", "en") == "de le "


BY_COUNT = """
game: by-count
version: 1.0.0
language: 2
text: By count
players: 1 to 3
kinds: {pace: 1 to players + 1, way: [up, down]}
parameters: {far: {value: 3, type: 1 to 9, text: The way to go}}
state: {at: {type: 0 to 9}}
actions: {go: {choose: {pace: {one_of: pace}}, do: [onward: {set: at, to: "min(9, at + pace)"}]}}
turn: [{act: {must: [go]}}]
round:
  - turns: {for_each: player, turn: player}
  - done: {when: at >= far, end_game: now}
"""


def test_what_differs_by_the_number_of_players_is_one_item_with_one_label() -> None:
    book = print_book(BY_COUNT)
    assert "- **pace**: *With 1 player:* 1 or 2; *With 2 players:* 1, 2 or 3; *With 3 players:* 1, 2, 3 or 4\n" in book
    assert "1 players" not in book


def test_a_chapter_of_which_there_is_nothing_to_say_is_left_out() -> None:
    assert "## Setting up" not in print_book(BY_COUNT)


def test_another_value_is_named_by_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(BY_COUNT, encoding="utf-8")
    rules = load_rules_by_count(str(path), None, ("far=5",))[0]
    text = to_markdown(build_rulebook(rules, "en"), Messages(rules[1], "en"))
    assert "> Played with another value: **The way to go: 5**" in text
    assert "far=5" not in text.partition("```mermaid")[0]


FOR_SOME = """
game: for-some
version: 1.0.0
language: 2
text: For some
players: 2 to 4
kinds: {chip: [red]}
zones:
  box: {holds: chip, seen_by: all, start: 9 of red, text: Box.}
  mine: {holds: chip, per: player, seen_by: all, at_most: "if players is 2 then 3 else 4"}
state: {tally: {type: 0 to 9}, debt: {type: 0 to 9, per: player, text: Debt}}
actions:
  ask: {choose: {whom: {one_of: others}}, do: [answer: {by: next(me), must: [give, refuse], if_unable: refuse}]}
  give: {text: "Give, up to {debt(me)}.", do: [given: {move: up to 1 of red, from: mine(me), to: box}]}
  refuse: {}
  wait: {}
turn:
  - act: {when: players > 2 and tally < 9, must: [ask, wait]}
  - rest: {must: [wait]}
round:
  - turns: {for_each: player, turn: player}
  - one: {when: tally is 9, end_game: now}
  - other: {when: tally is 9, end_game: now}
  - done: {when: round_number is 3, end_game: now}
"""


def test_a_section_says_once_for_how_many_it_is() -> None:
    turn = chapter(print_book(FOR_SOME), "A turn")
    assert "*With 3 or 4 players:* If “tally” is less than 9: the player does one of these: ask or wait." in turn
    assert "### Step: act (With 3 or 4 players)\n\nThe player does exactly one of these:\n\n- [Ask](#ask)" in turn
    assert "#### Ask\n\nAsk.\n\n**You choose**\n\n- **whom**: one of the other players" in turn
    index = print_book(FOR_SOME).partition("## Index")[2]
    assert "players:*" not in index
    assert index.count("**Mine**") == 1
    assert "### Étape : act (À 3 ou 4 joueurs)\n" in print_book(FOR_SOME, "fr")
    mine = (
        "| **Mine** | chip, a place for each player | 3 or 4 in each place (3 with 2 players, 4 with 3 or 4 players) |"
    )
    assert mine in print_book(FOR_SOME)


def test_a_label_is_not_said_twice() -> None:
    assert "1. **Box**: At the start: 9 red." in print_book(FOR_SOME)
    assert "| **Box** | chip | – | everybody |" in print_book(FOR_SOME)


def test_what_is_the_players_own_is_called_by_its_label_in_a_sentence() -> None:
    assert "Give, up to “Debt”." in print_book(FOR_SOME)


def test_who_decides_is_named_and_nothing_is_described_twice() -> None:
    book = print_book(FOR_SOME)
    assert "The next player does exactly one of these:" in book
    assert book.count("#### Refuse") == 1
    assert chapter(book, "The end of the game").count("If “tally” is 9: the game ends at once.") == 1


# ---- sources --------------------------------------------------------------------------------------------------------

CITING = """
files: [sources.yaml]
book:
  reason: {at: questions, title: Why?, text: Because., source: {third: A}}
  manner: {at: questions, title: How?, text: So., source: {first: A}}
sources: draft
works:
  first: {title: First, sections: [A]}
  unread: {title: Unread, sections: [A]}
  third: {title: Third, sections: [A]}
"""


def test_works_are_numbered_without_holes() -> None:
    questions = chapter(print_book(FULL + CITING), "Questions and rulings")
    assert "Because. *\\[2: A\\]*" in questions
    assert "- 1. First\n- 2. Third\n" in questions

"""`rulewright migrate` moves sentences that stood among the rules to where they stand today; nothing else changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import CommandLine
from rulewright.checker.checker import check
from rulewright.diagnostics import render_full
from rulewright.model.loader import load_rules

HEAD = "game: heaps\nversion: 1.0.0\nlanguage: 2\ntext: {en: Heaps, fr: Tas}\nplayers: 2\n"
RULES = """\
kinds:
  stone:
    members: [pebble, flint]
    names: {pebble: pebble | pebbles, flint: {en: flint | flints, fr: silex | silex}}
    text: Stones              # what lies there
zones:
  heap:
    holds: stone
    seen_by: all
    start: 9 of pebble + most of flint
    text: {en: The heap, fr: Le tas}
  won: {holds: stone, per: player, seen_by: all, text: Stones of a player}
parameters:
  most: {value: 4, type: 1 to 9, text: Stones in a turn}
values:
  held:
    per: player
    sum:
      pebbles: {is: "won(player, pebble)", text: Those of one sort}
      # the dearer ones
      flints:
        is: won(player, flint)
        text: |
          Those of the other:
          "flints"
    text: What a player holds
actions:
  take:
    text: Take some stones.
    choose:
      stones:
        some_of: heap
        total: 1 to most
        text: "One to {most} stones, of any sort."
        why: {en: Not so many., fr: Pas tant.}
    when:
      some_left:
        is: heap is not empty
        text: There is a stone.
        why: "The heap is empty, {me}."
    do:
      - take:             # all at once
          move: stones
          from: heap
          to: won(me)
          text: They come from the heap.
turn:
  - act:
      must: [take]
      if_unable: nothing
      text: The player takes stones.
  - last:
      when: {is: heap is empty, text: "Is the heap empty?"}
      end_game: now
      text: >-
        Then the game
        is over.
round:
  - turns: {for_each: player, turn: player, text: One after another.}
ranking:
  - most: {most: held(player), text: More stones win.}
"""
FRENCH = "texts: fr\nfor: heaps\nwords: {and: et}\nsentences:\n  turn.act: Le joueur prend des pierres.\n"
NEW_RULES = """\
kinds:
  stone: [pebble, flint]
    # what lies there
zones:
  heap:
    holds: stone
    seen_by: all
    start: 9 of pebble + most of flint
    text: The heap
  won: {holds: stone, per: player, seen_by: all, text: Stones of a player}
parameters:
  most: {value: 4, type: 1 to 9, text: Stones in a turn}
values:
  held:
    per: player
    sum:
      pebbles: won(player, pebble)
      # the dearer ones
      flints: won(player, flint)
    text: What a player holds
actions:
  take:
    text: Take some stones.
    choose:
      stones: {some_of: heap, total: 1 to most, why: Not so many.}
    when:
      some_left: {is: heap is not empty, why: "The heap is empty, {me}."}
    do:
      - take:             # all at once
          move: stones
          from: heap
          to: won(me)
turn:
  - act: {must: [take], if_unable: nothing}
  - last: {when: heap is empty, end_game: now}
round:
  - turns: {for_each: player, turn: player}
ranking:
  - most: {most: held(player)}
"""
NEW_ENGLISH = """\
  kinds.stone: Stones
  kinds.stone.pebble: pebble | pebbles
  kinds.stone.flint: flint | flints

  values.held.sum.pebbles: Those of one sort
  values.held.sum.flints: "Those of the other:\\n\\"flints\\"\\n"

  actions.take.choose.stones: One to {most} stones, of any sort.
  actions.take.when.some_left: There is a stone.
  actions.take.do.take: They come from the heap.

  turn.act: The player takes stones.
  turn.last: Then the game is over.
  turn.last.when: Is the heap empty?

  round.turns: One after another.

  ranking.most: More stones win.
"""
NEW_FRENCH = """\
texts: fr
for: heaps
words: {and: et}
sentences:
  kinds.stone.flint: silex | silex
  zones.heap: Le tas
  actions.take.choose.stones.why: Pas tant.
  turn.act: Le joueur prend des pierres.
"""
VARIANT = """\
variant: few
for: heaps
text: {en: Few stones, fr: Peu de pierres}
set:
  parameters.most: 2
  actions.take.choose.stones.why: {en: Only two., fr: Deux seulement.}   # as printed
  turn.last.text: {expects: Then the game is over., value: It is over.}
add:
  zones.box: {holds: stone, seen_by: all, text: The box}
insert:
  actions.take.do.lose:
    at: end
    when: {is: heap is not empty, text: {en: "Is one left?", fr: "En reste-t-il ?"}}
    move: 1 of pebble
    from: heap
    to: box
    text:
      en: One stone, if there is one, goes into the box where it stays until the end of the game.
      fr: Une pierre, s'il y en a, va dans la boîte où elle reste jusqu'à la fin de la partie.
sentences:
  zones.box.title: {en: Box, fr: Boîte}
display: {board: [{zone: box}]}
"""
NEW_VARIANT = """\
variant: few
for: heaps
text: {en: Few stones, fr: Peu de pierres}
set:
  parameters.most: 2
  # as printed
  turn.last.text: {expects: Then the game is over., value: It is over.}
add:
  zones.box: {holds: stone, seen_by: all, text: The box}
insert:
  actions.take.do.lose: {at: end, when: heap is not empty, move: 1 of pebble, from: heap, to: box}
sentences:
  actions.take.choose.stones.why: {en: Only two., fr: Deux seulement.}

  zones.box.title: {en: Box, fr: Boîte}

  actions.take.do.lose:
    en: One stone, if there is one, goes into the box where it stays until the end of the game.
    fr: Une pierre, s'il y en a, va dans la boîte où elle reste jusqu'à la fin de la partie.
  actions.take.do.lose.when: {en: "Is one left?", fr: "En reste-t-il ?"}
display: {board: [{zone: box}]}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A game with its texts in files, and a variant of it."""
    game = tmp_path / "heaps"
    (game / "texts").mkdir(parents=True)
    (game / "game.yaml").write_text(HEAD + "texts: [texts/fr.yaml]\n" + RULES, encoding="utf-8")
    (game / "texts" / "fr.yaml").write_text(FRENCH, encoding="utf-8")
    (tmp_path / "few.yaml").write_text(VARIANT, encoding="utf-8")
    return tmp_path


def meaning(folder: Path) -> list[object]:
    """What the rules mean, alone and with the variant, and of which rules something is said in which language."""
    game, variant = str(folder / "heaps" / "game.yaml"), str(folder / "few.yaml")
    found = [load_rules(game), load_rules(game, variants=[variant])]
    return [
        (rules.digest, {code: sorted(language.sentences) for code, language in rules.languages.items()})
        for rules in found
    ]


def test_sentences_of_a_game_with_files_of_texts(run_cli: CommandLine, folder: Path) -> None:
    before = meaning(folder)
    assert run_cli("migrate", str(folder)) == 0
    head = HEAD + "texts: [texts/en.yaml, texts/fr.yaml]\n"
    assert (folder / "heaps" / "game.yaml").read_text(encoding="utf-8") == head + NEW_RULES
    assert (folder / "heaps" / "texts" / "en.yaml").read_text(encoding="utf-8").partition("\n  ")[2] == NEW_ENGLISH[2:]
    assert (folder / "heaps" / "texts" / "fr.yaml").read_text(encoding="utf-8") == NEW_FRENCH
    assert (folder / "few.yaml").read_text(encoding="utf-8") == NEW_VARIANT
    assert meaning(folder) == before
    assert run_cli("migrate", str(folder)) == 0
    assert "0 of 4 files rewritten" in run_cli.out


def test_a_game_in_one_file_keeps_all_in_place(run_cli: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "heaps.yaml"
    path.write_text(HEAD + RULES, encoding="utf-8")
    assert run_cli("migrate", str(path)) == 0
    assert path.read_text(encoding="utf-8") == HEAD + RULES


def test_what_a_file_of_texts_has_no_room_for_stays(run_cli: CommandLine, folder: Path) -> None:
    """A sentence that is there twice, and one in a language that has no file."""
    text = (HEAD + "texts: [texts/fr.yaml]\n" + RULES).replace(
        "text: The player takes stones.", "text: {en: The player takes stones., fr: Il en prend., de: Er nimmt sie.}"
    )
    (folder / "heaps" / "game.yaml").write_text(text, encoding="utf-8")
    run_cli("migrate", str(folder))
    assert "fr: Il en prend., de: Er nimmt sie.}" in (folder / "heaps" / "game.yaml").read_text(encoding="utf-8")
    assert (folder / "heaps" / "texts" / "fr.yaml").read_text(encoding="utf-8") == NEW_FRENCH


def test_what_was_moved_is_right(run_cli: CommandLine, folder: Path) -> None:
    assert run_cli("migrate", str(folder)) == 0
    errors = [one for one in check([str(folder)]) if one.severity == "error"]
    assert not errors, "\n".join(map(render_full, errors))


def test_show_prints_what_is_said_apart_and_in_place(run_cli: CommandLine, folder: Path) -> None:
    assert run_cli("migrate", str(folder)) == 0
    game = folder / "heaps"
    assert run_cli("show", "actions.take.choose.stones", str(game)) == 0
    assert "says en   One to 4 stones, of any sort.\n" in run_cli.out
    assert "why  en   Not so many.\n" in run_cli.out
    assert "why  fr   Pas tant.\n" in run_cli.out
    assert f"{game / 'texts' / 'en.yaml'}:" in run_cli.out

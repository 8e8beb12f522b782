"""What things, states and seats look like on the board: as the game's table says, or else by their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.model.loader import load_rules
from rulewright.terminal.board import Board

GAME = """# yaml-language-server: $schema=../../schemas/game.schema.json
game: small
version: 1.0.0
language: 2
text: A small game
players: 2
files: [table.yaml]
components:
  tile:
    start: pile
    fields: {{points: 0 to 9}}
    rows:
      - {{id: ash, points: 1, text: {{en: the ash, fr: le frêne}}}}
      - {{id: bay, points: 2}}
{rows}
zones:
  pile: {{holds: tile, seen_by: all}}
  hand: {{holds: tile, per: seat, seen_by: owner, forgets: true}}
  used: {{holds: seat, per: tile, seen_by: all}}
  crew: {{holds: seat, per: seat, seen_by: all, start: 2 of seat}}
state:
  asked: {{type: flag, start: false}}
  noted: {{type: 0 to 3, start: 0}}
setup:
  - deal: {{move: each tile in pile where tile.points is 1, from: pile, to: hand(first_player)}}
  - put:  {{for_each: tile where tile.points is 2, move: 1 of first_player, from: crew(first_player), to: used(tile)}}
  - ask:  {{set: asked, to: "true"}}
  - note: {{set: noted, to: 2}}
actions:
  rest: {{do: [rest: {{set: noted, to: 0}}]}}
turn:
  - act: {{must: [rest]}}
round:
  - turns: {{for_each: seat, turn: seat}}
  - end: {{when: asked and noted is 0, end_game: now}}
"""


def drawn(folder: Path, table: str, *, code: str = "en", viewer: int | None = 0, more: int = 0) -> str:
    """The board after the set-up, under a table file."""
    rows = "\n".join(f"      - {{id: t{number}, points: 0}}" for number in range(more))
    (folder / "game.yaml").write_text(GAME.format(rows=rows), encoding="utf-8")
    (folder / "table.yaml").write_text(f"table: small\n{table}", encoding="utf-8")
    engine = ReferenceEngine(load_rules(str(folder)))
    return "\n".join(map(str, Board(engine, code).render(engine.start(seed=1), viewer, 100)))


LOOKS = """things:
  tile: {title: "{tile}: {tile.points}", lines: ["{used(tile)}", "{each seat where tile in hand(seat)}"]}
members: {seat.0: {letter: a, colour: red}}
state: {asked: {title: {en: Was asked, fr: A demandé}}, noted: {shown: false}}
"""


def test_a_thing_shows_what_lies_on_it_and_hides_what_its_viewer_may_not_see(tmp_path: Path) -> None:
    seen = drawn(tmp_path, LOOKS)
    assert "bay: 2 1a hidden" in seen
    assert "the ash: 1 - hidden" in seen
    assert "the ash" not in drawn(tmp_path, LOOKS, viewer=1)


@pytest.mark.parametrize(("code", "shown"), [("en", "State  Was asked yes"), ("fr", "État  A demandé oui")])
def test_states_have_titles_and_words_and_can_be_left_out(tmp_path: Path, code: str, shown: str) -> None:
    assert shown in drawn(tmp_path, LOOKS, code=code).splitlines()


def test_without_looks_things_and_seats_are_called_by_their_names(tmp_path: Path) -> None:
    shown = drawn(tmp_path, "board: [{zone: pile}, {zone: used, show: counts}]")
    assert "ash (the ash; points 1)" in shown
    assert "bay (points 2)" in shown
    assert "used  ash -   bay 1 of player 1" in shown
    assert "ash (le frêne; points 1)" in drawn(tmp_path, "members: {}", code="fr")


def test_of_many_things_only_those_on_which_something_lies_are_named(tmp_path: Path) -> None:
    shown = drawn(tmp_path, "board: [{zone: used, show: counts}]", more=60)
    assert "used  bay 1 of player 1" in shown.splitlines()

"""What things, states and seats look like on the board: as the game's display says, or else by their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.model.loader import load_rules
from rulewright.terminal.board import Board, Viewer

GAME = """# yaml-language-server: $schema=../../schemas/game.schema.json
game: small
version: 1.0.0
language: 2
text: A small game
players: 2
files: [display.yaml]
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
  hand: {{holds: tile, per: player, seen_by: owner, forgets: true}}
  used: {{holds: player, per: tile, seen_by: all}}
  crew: {{holds: player, per: player, seen_by: all, start: 2 of player}}
state:
  asked: {{type: flag, start: false}}
  noted: {{type: 0 to 3, start: 0}}
  left_over: {{type: 0 to 3, start: 3}}
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
  - turns: {{for_each: player, turn: player}}
  - end: {{when: asked and noted is 0, end_game: now}}
sentences:
  state.asked.title: {{en: Was asked, fr: A demandé}}
"""


def drawn(folder: Path, table: str, *, code: str = "en", viewer: Viewer = 0, more: int = 0) -> str:
    """The board after the set-up, under a display."""
    rows = "\n".join(f"      - {{id: t{number}, points: 0}}" for number in range(more))
    (folder / "game.yaml").write_text(GAME.format(rows=rows), encoding="utf-8")
    (folder / "display.yaml").write_text(f"display: small\n{table}", encoding="utf-8")
    engine = ReferenceEngine(load_rules(str(folder)))
    return "\n".join(map(str, Board(engine, code).render(engine.start(seed=1), viewer, 100)))


LOOKS = """things:
  tile: {title: "{tile}: {tile.points}", lines: ["{used(tile)}", "{each player where tile in hand(player)}"]}
members: {player.1: {letter: a, colour: red}}
state: {noted: {shown: never}}
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


def test_a_line_of_a_thing_is_shown_where_its_condition_holds_and_can_be_seen(tmp_path: Path) -> None:
    look = 'things: {tile: {lines: [{text: "worth {tile.points}", when: tile.points > 1}, "always"]}}'
    shown = drawn(tmp_path, look)
    assert "bay (worth 2; always)" in shown
    assert "ash (the ash always)" in shown
    of_holder = 'things: {tile: {lines: [{text: "mine", when: tile in hand(first_player)}]}}'
    assert "mine" in drawn(tmp_path, of_holder, viewer="all")
    assert "mine" not in drawn(tmp_path, of_holder, viewer=1)  # what a viewer may not know does not hold for it


def test_a_state_is_shown_always_from_the_start_or_never(tmp_path: Path) -> None:
    always = "state: {left_over: {shown: always}, asked: {shown: never}, noted: {shown: changed}}"
    shown = drawn(tmp_path, always).splitlines()
    assert "State  noted 2  left over 3" in shown


def test_variants_put_lines_below_those_that_a_thing_shows(tmp_path: Path) -> None:
    game = tmp_path / "small"
    game.mkdir()
    drawn(game, 'things: {tile: {title: "{tile}", lines: ["of the game"]}}')
    for name, change in (("north", "state.noted.start: 1"), ("south", "zones.crew.start: 3 of player")):
        look = f"display: {{things: {{tile: {{extra_lines: [{name}]}}}}}}"
        text = f"variant: {name}\nfor: small\ntext: More to read.\nset: {{{change}}}\n{look}\n"
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    paths = [str(tmp_path / f"{name}.yaml") for name in ("south", "north")]
    for variants in (paths, paths[::-1]):
        engine = ReferenceEngine(load_rules(str(game), variants=variants))
        shown = "\n".join(map(str, Board(engine, "en").render(engine.start(seed=1), 0, 100)))
        assert "bay (bay of the game north south)" in shown


GRID = """game: grid
version: 1.0.0
language: 2
text: A small grid
players: 2
files: [display.yaml]
kinds:
  cell: {grid: 3 by 2}
  side: [near, far]
zones:
  box: {holds: side, seen_by: all, start: 2 of near + 2 of far}
  crown_box: {holds: side, seen_by: all, start: 2 of near}
  stones: {holds: side, per: cell, seen_by: all}
  crowns: {holds: side, per: cell, seen_by: all}
setup:
  - near: {move: 1 of near, from: box, to: stones(a1)}
  - far: {move: 1 of far, from: box, to: stones(c2)}
  - crown: {move: 1 of near, from: crown_box, to: crowns(a1)}
  - alone: {move: 1 of near, from: crown_box, to: crowns(b2)}
actions:
  rest: {do: []}
turn:
  - act: {must: [rest]}
round:
  - turns: {for_each: player, turn: player}
  - end: {end_game: now}
"""


@pytest.mark.parametrize(
    ("order", "rows"),
    [
        ("down", ["   1 x,x  .    .", "   2 .    x    o"]),
        ("up", ["   2 .    x    o", "   1 x,x  .    ."]),
    ],
)
def test_two_zones_share_a_grid_whose_first_row_is_at_the_top_or_the_bottom(
    tmp_path: Path, order: str, rows: list[str]
) -> None:
    (tmp_path / "game.yaml").write_text(GRID, encoding="utf-8")
    table = f"""display: grid
members: {{side.near: {{letter: x}}, side.far: {{letter: o}}}}
board: [{{zone: stones, show: grid, also: crowns, order: {order}}}]
"""
    (tmp_path / "display.yaml").write_text(table, encoding="utf-8")
    engine = ReferenceEngine(load_rules(str(tmp_path)))
    lines = [str(line) for line in Board(engine, "en").render(engine.start(seed=1), 0, 80)]
    start = next(index for index, line in enumerate(lines) if line.strip().startswith("a"))
    assert lines[start + 1 : start + 3] == rows

"""Rule files of the version of the language before become files of today, and nothing else in them changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import CommandLine
from rulewright.checker.checker import check
from rulewright.diagnostics import Diagnostics, SourceFile
from rulewright.document.language import current_address
from rulewright.document.migration import migrate_text
from rulewright.model.loader import load_rules
from rulewright.source.reader import parse_source

OLD_GAME = """\
# A game of the first version.
game: heaps
version: 1.0.0
language: 1
text: Heaps
players: 2
kinds: {stone: [pebble], single: [one, two]}
components:
  tile: {fields: {rank: 1 to 9}, starts_in: box, rows: [{id: a, rank: 1}]}   # where tiles begin
zones:
  box: {holds: tile, seen_by: all}
  heap: {holds: stone, seen_by: all, starts: 9 of pebble}
  won:  {holds: stone, per: seat, seen_by: all}
state:
  order: {type: 0 to 9, start: 0}
values:
  held: {of: seat, is: count(won(seat))}
actions:
  finish:
    do: [take: {move: 1 of pebble, from: heap, to: won(me)}]
  otherwise:
    do: [note: {set: order, to: 1}]
turn:
  - act:  {must: [finish], otherwise: "otherwise", single: automatic}
  - last: {when: heap is empty and order <= 9, finish: 'game'}
  - each: {for_each: single, order: 0 - count(heap), set: order, to: 2}
  - tile: {for_each: tile in box, order: tile.rank, set: order, to: 3}
round:
  - turns: {for_each: seat, turn: seat}
ranking:
  - most: {most: held(seat)}
"""
NEW_GAME = (
    OLD_GAME.replace("language: 1", "language: 2")
    .replace("starts_in: box", "start: box")
    .replace("starts: 9", "start: 9")
    .replace("{of: seat", "{per: seat")
    .replace('otherwise: "otherwise", single: automatic', 'if_unable: "otherwise", if_only_one: automatic')
    .replace("finish: 'game'", "end_game: 'now'")
    .replace("order: 0 - count(heap)", "highest_first: count(heap)")
    .replace("order: tile.rank", "lowest_first: tile.rank")
)


def migrated(text: str) -> tuple[str, int]:
    diagnostics = Diagnostics()
    root = parse_source(SourceFile("old.yaml", text), diagnostics)
    assert root is not None
    assert not list(diagnostics)
    return migrate_text(root)


def test_a_game_in_the_words_of_today(tmp_path: Path) -> None:
    text, count = migrated(OLD_GAME)
    assert text == NEW_GAME
    assert count == 11
    path = tmp_path / "heaps.yaml"
    path.write_text(text, encoding="utf-8")
    assert load_rules(str(path)).players == 2


def test_what_is_written_today_stays() -> None:
    assert migrated(NEW_GAME) == (NEW_GAME, 0)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("set: {turn.last.finish: round}", "set: {turn.last.end_game: after_round}"),
        ("set: {turn.act.otherwise: nothing}", "set: {turn.act.if_unable: nothing}"),
        ("set: {actions.otherwise.do.note.to: 2}", "set: {actions.otherwise.do.note.to: 2}"),
        ("set: {zones.heap.starts: {expects: 9 of pebble, value: 8 of pebble}}",
         "set: {zones.heap.start: {expects: 9 of pebble, value: 8 of pebble}}"),
        ("add: {values.lost: {of: seat, is: 0}}", "add: {values.lost: {per: seat, is: 0}}"),
        ("add: {turn.each.order: 1}", "add: {turn.each.lowest_first: 1}"),
        ("remove: [turn.act.single, turn.last]", "remove: [turn.act.if_only_one, turn.last]"),
        ("insert: {turn.finish: {at: end, finish: game}}", "insert: {turn.finish: {at: end, end_game: now}}"),
        ("insert: {turn.a: {after: act, do: [b: {must: [finish: {when: {c: {is: true}}}], otherwise: pass}]}}",
         "insert: {turn.a: {after: act, do: [b: {must: [finish: {when: {c: {is: true}}}], if_unable: pass}]}}"),
    ],
)  # fmt: skip
def test_changes_of_a_variant(old: str, new: str) -> None:
    head = "variant: other\nfor: heaps\n"
    assert migrated(head + old)[0] == head + new


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("statements: heaps\nlist:\n  - {text: a, nodes: [turn.last.finish, actions.finish]}\n",
         "statements: heaps\nlist:\n  - {text: a, nodes: [turn.last.end_game, actions.finish]}\n"),
        ("texts: fr\nfor: heaps\nrules:\n  zones.heap.starts: finish\n",
         "texts: fr\nfor: heaps\nrules:\n  zones.heap.start: finish\n"),
        ("table: heaps\nfinish: order\n", "table: heaps\nfinish: order\n"),
    ],
)  # fmt: skip
def test_addresses_in_other_files(old: str, new: str) -> None:
    assert migrated(old)[0] == new


def test_an_address_of_today_is_its_own() -> None:
    assert current_address(("turn", "act", "if_unable")) == ("turn", "act", "if_unable")
    assert current_address(("values", "of", "of")) == ("values", "of", "per")


def test_a_folder(run_cli: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    old, broken = tmp_path / "sub" / "heaps.yaml", tmp_path / "broken.yaml"
    old.write_text(OLD_GAME, encoding="utf-8")
    broken.write_text("game: [\n", encoding="utf-8")
    assert run_cli("migrate", "--dry-run", str(tmp_path)) == 1
    assert old.read_text(encoding="utf-8") == OLD_GAME
    assert "1 of 2 files would be rewritten" in run_cli.out
    assert run_cli("migrate", str(tmp_path)) == 1
    assert (old.read_text(encoding="utf-8"), broken.read_text(encoding="utf-8")) == (NEW_GAME, "game: [\n")
    assert f"{old}: 11 words\n" in run_cli.out
    assert run_cli("migrate", str(old)) == 0
    assert "0 of 1 file rewritten" in run_cli.out


def test_a_file_of_the_first_version_is_told_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "heaps.yaml"
    path.write_text(OLD_GAME, encoding="utf-8")
    (diagnostic,) = check([str(path)])
    assert diagnostic.code.name == "older-language"
    assert "rulewright migrate" in diagnostic.help


def test_a_record_of_the_first_version_says_what_it_needs(run_cli: CommandLine, tmp_path: Path) -> None:
    kept = Path(__file__).parent / "records" / "two-colours.jsonl"
    old = tmp_path / "old.jsonl"
    old.write_text(kept.read_text(encoding="utf-8").replace('"language":2', '"language":1', 1), encoding="utf-8")
    assert run_cli("replay", str(old)) == 2
    assert "written in version 1 of the rule language" in run_cli.err
    assert "the program that recorded the game replays it" in run_cli.err

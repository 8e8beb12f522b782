"""A game in the words of the first version of the language, and the same in those of today.

In: nothing; or a text. Out: the games; the text with the kind of the players called as it is today.
"""

from __future__ import annotations

from rulewright.diagnostics import Diagnostics, SourceFile
from rulewright.expr.migration_players import respell_players
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
NEW_WORDS = (
    OLD_GAME.replace("language: 1", "language: 2")
    .replace("starts_in: box", "start: box")
    .replace("starts: 9", "start: 9")
    .replace("{of: seat", "{per: seat")
    .replace('otherwise: "otherwise", single: automatic', 'if_unable: "otherwise", if_only_one: automatic')
    .replace("finish: 'game'", "end_game: 'now'")
    .replace("order: 0 - count(heap)", "highest_first: count(heap)")
    .replace("order: tile.rank", "lowest_first: tile.rank")
)
NEW_GAME = NEW_WORDS.replace("seat", "player")


def players_named(text: str) -> str:
    root = parse_source(SourceFile("old.yaml", text), Diagnostics())
    assert root is not None
    found = respell_players(root)
    assert respell_players_again(found.text) == 0
    return found.text


def respell_players_again(text: str) -> int:
    root = parse_source(SourceFile("new.yaml", text), Diagnostics())
    assert root is not None
    return respell_players(root).count

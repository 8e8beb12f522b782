"""A small game with a variant and scenarios, which tests open in an editor."""

from __future__ import annotations

from typing import Final

GAME: Final = """\
game: jam
version: 1.0.0
language: 2
text: Jam
players: 2 to 4
kinds:
  fruit: [apple, plum, cherry]
zones:
  tree:   {holds: fruit, seen_by: all, start: 4 of fruit}
  basket: {holds: fruit, per: player, seen_by: all}
actions:
  pick:
    text: Pick a fruit.
    choose: {fruit: {one_of: tree}}
    do: [pick: {move: fruit, from: tree, to: basket(me)}]
turn:
  - pick: {must: [pick]}
  - bare: {when: tree is empty, end_game: now, winners: me}
round:
  - turns: {for_each: player, turn: player}
"""
VARIANT: Final = """\
variant: big
for: jam
text: Big
set:
  zones.tree.start: 5 of fruit
"""
SCENARIOS: Final = """\
scenarios: picking
for: jam
language: 2
players: 2
cases:
  picked:
    text: A fruit comes into the basket.
    when: pick(fruit=apple)
    then: {zones: {tree: {apple: 3}}}
"""

"""What the sentences of a rulebook must not leave out: who chooses, how one may pay, where a condition ends."""

from __future__ import annotations

import pytest

from rulebooks import print_book

pytestmark = pytest.mark.slow

TOGETHER = """
game: together
version: 1.0.0
language: 2
text: {en: Together, fr: Ensemble}
players: 3
state: {notes: {type: 0 to 9, per: seat}}
actions:
  note: {do: [more: {set: notes(me), to: "min(9, notes(me) + 1)"}]}
  pause: {}
setup: [first: {together: [note, pause], by: first_player}]
turn: [act: {must: [note, pause]}]
round:
  - few: {together: [note, pause], by: each seat in everyone where notes(seat) < 2}
  - others: {together: [note], by: each seat in everyone where seat is not first_player}
  - all: {together: [pause]}
  - turns: {for_each: seat, turn: seat}
  - done: {when: round_number is 3, end_game: now}
"""
TOGETHER_IN_ENGLISH = """
1. In secret, the first player chooses one of these: note or pause.
- In secret, each player for whom “notes” of that player is less than 2 chooses one of these: note or pause.
In secret, the first player chooses one of these; then all that is chosen is carried out in turn order:
- In secret, each player for whom that player is not the first player does this: note.
- All do this in secret: pause.
"""
TOGETHER_IN_FRENCH = """
1. En secret, le premier joueur choisit une de ces actions : note ou pause.
- En secret, chaque joueur pour qui « notes » (ce joueur) est en dessous de 2 choisit une de ces actions : note \
ou pause.
- Tous font ceci en secret : pause.
"""


def missing_lines(game: str, code: str, sentences: str) -> list[str]:
    """The sentences that are no line of the book."""
    lines = print_book(game, code).splitlines()
    return [sentence for sentence in sentences.strip().splitlines() if sentence not in lines]


@pytest.mark.parametrize(("code", "sentences"), [("en", TOGETHER_IN_ENGLISH), ("fr", TOGETHER_IN_FRENCH)])
def test_who_chooses_in_secret_is_named(code: str, sentences: str) -> None:
    assert missing_lines(TOGETHER, code, sentences) == []

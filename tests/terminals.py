"""A game on a terminal of its own, and a small one to type at.

In: the words behind `rulewright play`. Out: what is shown, as somebody who types waits for it.
"""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time

STACKS = """
game: stacks
version: 1.0.0
language: 2
text: {en: Stacks, fr: Piles}
players: 2
kinds:
  colour: [red, blue, gold]
components:
  card:
    fields: {cost: bag of colour}
    rows:
      - {id: a_1, cost: {red: 1}}
      - {id: a_2, cost: {red: 1, blue: 1}}
      - {id: b_1, cost: {blue: 2}}
      - {id: b_2, cost: {red: 2}}
    start: row
zones:
  row: {holds: card, seen_by: all}
  won: {holds: card, per: player, seen_by: all}
  bank: {holds: colour, seen_by: all}
  purse: {holds: colour, per: player, seen_by: all, start: 2 of red + 2 of blue + 2 of gold}
state:
  die: {type: 1 to 6, start: 1}
actions:
  buy:
    text: {en: Buy a card., fr: Acheter une carte.}
    choose:
      card: {one_of: row}
      payment: {pay: card.cost, from: purse(me), wild: gold}
    do:
      - pay: {move: payment, from: purse(me), to: bank}
      - take: {move: card, to: won(me)}
  toss:
    text: {en: Throw the die., fr: Lancer le dé.}
    choose: {card: {one_of: row}}
    do: [throw: {roll: die}]
turn:
  - act: {must: [buy, toss]}
  - end: {when: row is empty, end_game: now}
round:
  - turns: {for_each: player, turn: player}
"""


class Terminal:
    """A game on a terminal of its own."""

    def __init__(self, *words: str) -> None:
        self.ours, theirs = pty.openpty()
        environment = {**os.environ, "TERM": "dumb", "COLUMNS": "100", "LINES": "40"}
        command = [sys.executable, "-m", "rulewright", "play", *words]
        self.process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
        os.close(theirs)
        self.text = ""

    def wait_for(self, text: str, seconds: float = 60) -> str:
        """What has come up to and with a text; it stays out of what is waited for next."""
        end = time.monotonic() + seconds
        while text not in self.text:
            ready, _, _ = select.select([self.ours], [], [], max(0, end - time.monotonic()))
            assert ready, f"no {text!r} in {self.text!r}"
            self.text += os.read(self.ours, 65_536).decode("utf-8", "replace")
        before, _, self.text = self.text.partition(text)
        return before + text

    def type(self, line: str) -> None:
        os.write(self.ours, f"{line}\n".encode())

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.ours)

"""A condition that asks nothing but a flag gives the reason of the flag, with the keys of the call in its holes."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import new_session

GAME = """game: chips
version: 1.0.0
language: 2
text: Chips
players: 2
kinds: {colour: [red, blue]}
zones:
  bank:  {holds: colour, seen_by: all, start: 4 of colour}
  purse: {holds: colour, per: player, seen_by: all}
values:
  rich: {per: {who: player}, is: count(purse(who)) > 2, why: "{who} holds {count(purse(who))}."}
actions:
  take: {text: Take., do: [take: {move: 1 of red, from: bank, to: purse(me)}]}
  pay:  {text: Pay., when: {enough: CONDITION}, do: [pay: {move: 1 of red, from: purse(me), to: bank}]}
turn:
  - act: {must: [take, pay], if_unable: nothing}
  - end: {when: round_number > 9, end_game: now}
round: [turns: {for_each: player, turn: player}]
"""


@pytest.mark.parametrize(
    ("condition", "sentence"),
    [
        ("rich(me)", "player 1 holds 0."),
        ("rich(next(me))", "player 2 holds 0."),
        ("{is: rich(me), why: Too poor.}", "Too poor."),
        ("not not rich(me)", "Required: not not rich(me)."),
    ],
)
def test_the_reason_of_a_flag(tmp_path: Path, condition: str, sentence: str) -> None:
    path = tmp_path / "chips.yaml"
    path.write_text(GAME.replace("CONDITION", condition), encoding="utf-8")
    game = new_session(str(path), players=2, seed=1)
    (reason,) = game.why_not("pay")
    assert reason.sentence == sentence

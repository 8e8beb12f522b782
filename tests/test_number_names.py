"""A number that has a name is called by it in sentences, in each language; rules and players write the number."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import CommandLine

GAME = """
game: courtiers
version: 1.0.0
language: 2
text: {en: Courtiers, fr: Courtisans}
players: 2
kinds:
  rank: {members: 9 to 12, names: {11: {en: jack, fr: valet}, 12: QUEEN}}
zones:
  table: {holds: rank, seen_by: all, start: 2 of rank}
  box: {holds: rank, seen_by: all}
actions:
  take:
    text: {en: Take a pair., fr: Prendre une paire.}
    choose: {rank: {one_of: rank}}
    when: {low: {is: rank < 11, why: {en: "No {rank}, of {table}.", fr: "Pas de {rank}, parmi {table}."}}}
    do: [take: {move: 2 of rank, from: table, to: box}]
turn: [take: {must: [take]}, last: {when: round_number > 1, end_game: now}]
round: [turns: {for_each: player, turn: player}]
"""


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "No jack, of 2 9, 2 10, 2 jack and 2 queen."), ("fr", "Pas de valet, parmi 2 9, 2 10, 2 valet et 2 dame.")],
)
def test_a_number_is_called_by_its_name(run_cli: CommandLine, tmp_path: Path, language: str, sentence: str) -> None:
    path = tmp_path / "courtiers.yaml"
    path.write_text(GAME.replace("QUEEN", "{en: queen, fr: dame}"), encoding="utf-8")
    run_cli("why", "--lang", language, str(path), "take(rank=11)")
    assert sentence in run_cli.out.replace("\n", " ")


def test_a_name_in_one_other_language_needs_one_in_it_only_where_a_number_has_a_name(
    run_cli: CommandLine, tmp_path: Path
) -> None:
    path = tmp_path / "courtiers.yaml"
    path.write_text(GAME.replace("QUEEN", "{en: queen}"), encoding="utf-8")
    run_cli("check", str(path))
    assert "no name in `fr` for `12`" in run_cli.out
    assert "for `9`" not in run_cli.out

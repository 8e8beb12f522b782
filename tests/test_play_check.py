"""`check` plays: what goes wrong only in play is found, at its place, with a command that shows the same game."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from case_files import compare, compare_folder
from command_line import CommandLine
from rulewright.checker.checker import check
from rulewright.checker.common.checking_players import checking_players
from rulewright.checker.played.play_check import play_until_fault
from rulewright.checker.played.unproved_choices import starving_players
from rulewright.checker.share_of_play import MAX_PLAYED, MIN_PLAYED, share_of_play
from rulewright.diagnostics import Diagnostic, render_full
from rulewright.model.loader import load_rules

GAME = """game: jar
version: 1.0.0
language: 2
text: Chips out of a jar
players: 2 to 3
kinds: {{colour: [red, blue]}}
zones:
  jar: {{holds: colour, seen_by: all, start: 6 of colour}}
  hand: {{holds: colour, per: player, seen_by: owner{room}}}
state: {{luck: {{type: 0 to 4, start: 0, text: Luck}}}}
actions:
  take:
    choose: {{colour: {{one_of: each colour where jar(colour) > 0}}}}
    do: [take: {{move: {moved} of colour, from: jar, to: hand(me)}}]
turn: [act: {{{act}}}, more: {{{more}}}]
round: [turns: {{for_each: player, turn: player}}, end: {{when: {end}, end_game: now}}]
ranking: [most: {{most: "count(hand(player))", text: most chips}}]
{rest}
"""
RIGHT = {
    "room": "",
    "moved": "1",
    "act": "may: [take]",
    "more": "when: luck < 4, set: luck, to: luck + 1",
    "end": "round_number >= 3",
    "rest": "",
}


FOLDER = Path(__file__).parent / "diagnostics" / "play"
DECISIONS = 300


@pytest.mark.parametrize("path", sorted(FOLDER.iterdir()), ids=lambda path: path.stem)
def test_what_is_said_once_rules_are_played(path: Path) -> None:
    found = list(check([path], play=DECISIONS))
    assert (compare_folder if path.is_dir() else compare)(path, found) == []
    assert all(render_full(one) and not one.message.endswith(".") for one in found)


def findings(tmp_path: Path, play: int = 200, **changes: str) -> list[Diagnostic]:
    path = tmp_path / "jar.yaml"
    path.write_text(GAME.format(**{**RIGHT, **changes}), encoding="utf-8")
    return [found for found in check([path], play=play) if found.severity == "error"]


def test_nothing_is_said_of_what_is_right(tmp_path: Path) -> None:
    assert findings(tmp_path) == []


@pytest.mark.parametrize(
    ("changes", "address", "message"),
    [
        ({"act": "must: [take]", "end": "round_number >= 9"}, "turn.act", "requires a choice, but no action is legal"),
        ({"moved": "4", "end": "round_number >= 9"}, "actions.take.do.take", ""),
        ({"room": ", at_most: 2", "end": "round_number >= 5"}, "actions.take.do.take", ""),
        ({"more": "set: luck, to: luck + 1"}, "turn.more", ""),
        (
            {"rest": 'invariants: {few: {after: turn, is: "count(jar) > 8", text: Many}}'},
            "invariants.few",
            "the invariant `few`",
        ),
    ],
    ids=["no option", "too few pieces", "no room", "beyond its bounds", "an invariant"],
)
def test_what_fails_in_play_is_found_at_its_place(
    tmp_path: Path, changes: dict[str, str], address: str, message: str
) -> None:
    (found,) = findings(tmp_path, **changes)
    assert (found.code.name, found.address) == ("fails-in-play", address)
    assert message in found.message
    assert "in a game of random players, after " in found.message
    assert findings(tmp_path, play=0, **changes) == []
    assert findings(tmp_path, **changes) == [found]  # the same on every machine


@pytest.mark.parametrize(
    ("clause", "failing", "code", "message"),
    [
        (
            "count(jar) <= 20",
            {"moved": "4", "end": "round_number >= 9"},
            "fails-in-play",
            "`count(jar) <= 20` always holds, so the rules fail: takes 4",
        ),
        (
            "count(jar) > 20",
            {"act": "must: [take]"},
            "set-up-impossible",
            "`count(jar) > 20` never holds, so the rules fail: requires a choice",
        ),
    ],
    ids=["always", "never"],
)
def test_a_condition_that_lets_them_fail_is_reported_once(
    tmp_path: Path, clause: str, failing: dict[str, str], code: str, message: str
) -> None:
    path = tmp_path / "jar.yaml"
    text = GAME.format(**{**RIGHT, **failing})
    path.write_text(text.replace("    do: [take:", f"    when: {{many: {clause}}}\n    do: [take:"), encoding="utf-8")
    (found,) = check([path], play=200)
    assert (found.code.name, found.span.text) == (code, clause)
    assert message in found.message
    assert [related.note for related in found.related] == ["fails here"]


def test_a_set_up_that_always_fails_needs_no_command_to_be_seen(tmp_path: Path) -> None:
    """Where chance decides one is given, as `diagnostics/play/set-up-by-chance.yaml` shows."""
    path = tmp_path / "jar.yaml"
    text = GAME.format(**RIGHT)
    setup = "setup: [fill: {move: 90 of red, from: jar, to: hand(first_player)}]"
    path.write_text(text.replace("actions:", f"{setup}\nactions:"), encoding="utf-8")
    found = next(one for one in check([path]) if one.code.name == "set-up-impossible")
    assert "see it" not in found.help


def test_players_who_never_do_something_find_what_others_do_not(tmp_path: Path) -> None:
    """Hands that are never emptied overflow."""
    path = tmp_path / "jar.yaml"
    changes = {"act": "must: [take, put]", "end": "round_number >= 8", "room": ", at_most: 5"}
    text = GAME.format(**{**RIGHT, **changes})
    text = text.replace("actions:\n", "actions:\n  put: {do: [put: {move: all, from: hand(me), to: jar}]}\n")
    path.write_text(text, encoding="utf-8")
    (found,) = [one for one in check([path], play=500) if one.severity == "error"]
    assert "in a game of players that avoid `put`" in found.message
    assert found.replay.endswith("--seat avoid:put --seat avoid:put")


def test_it_says_with_which_numbers_of_players(tmp_path: Path) -> None:
    (found,) = findings(tmp_path, act="must: [take]", end="round_number >= 5")  # 12 chips: enough for two
    assert found.message.startswith("found with 3 players: requires a choice")


def test_the_command_shows_the_same_game(tmp_path: Path, run_cli: CommandLine) -> None:
    (found,) = findings(tmp_path, act="must: [take]", end="round_number >= 9")
    words = shlex.split(found.replay.removeprefix("rulewright "))
    assert run_cli(*words) == 1
    assert "turn.act: requires a choice, but no action is legal" in run_cli.err


def test_a_variant_is_told_what_it_causes_elsewhere(tmp_path: Path) -> None:
    assert findings(tmp_path) == []
    variant = tmp_path / "short.yaml"
    variant.write_text("variant: short\nfor: jar\nset:\n  zones.jar.start: 1 of colour\n", encoding="utf-8")
    (tmp_path / "jar.yaml").write_text(
        GAME.format(**{**RIGHT, "act": "must: [take]"}).replace("6 of colour", "9 of colour"), encoding="utf-8"
    )
    errors = [found for found in check([variant], play=200) if found.severity == "error"]
    assert [(found.span.source.path.rpartition("/")[2], found.label) for found in errors] == [
        ("short.yaml", "causes it")
    ]
    assert "with variant `short`: requires a choice" in errors[0].message


def test_many_files_share_what_is_played() -> None:
    assert share_of_play(500, 1) == 500
    assert share_of_play(500, 300) == MAX_PLAYED // 300
    assert share_of_play(0, 300) == 0
    assert share_of_play(500, 2700) == MIN_PLAYED


def test_the_command_plays_unless_it_is_told_not_to(tmp_path: Path, run_cli: CommandLine) -> None:
    findings(tmp_path, act="must: [take]", end="round_number >= 9")
    path = str(tmp_path / "jar.yaml")
    assert run_cli("check", path) == 1
    assert "error[fails-in-play] G104" in run_cli.out
    assert run_cli("check", path, "--play", "0") == 0


def test_players_who_avoid_what_leads_to_the_end_come_first() -> None:
    """The game ends by points, which bought cards and visits give, or when all have passed."""
    first, *avoiding = checking_players(load_rules("splendor", players=3))
    assert first == "random"
    assert avoiding[:3] == ["avoid:buy", "avoid:pass", "avoid:receive_noble"]
    assert len(set(avoiding)) == len(load_rules("splendor", players=3).actions)


def test_a_deadlock_of_hoarders_is_found(tmp_path: Path) -> None:
    """Only with three players, and only once their hands are full."""
    path = tmp_path / "no-passing.yaml"
    clause = (
        "{is: count(each player) is not 3, why: {en: No., fr: Non.}, text: {en: Not with three., fr: Pas à trois.}}"
    )
    path.write_text(
        "variant: no-passing\nfor: splendor\ntext: {en: No passing., fr: On ne passe pas.}\n"
        f"add: {{actions.pass.when.number: {clause}}}\n",
        encoding="utf-8",
    )
    found = [each for each in check([path], play=500) if each.severity == "error"]
    assert [(each.code.name, each.span.line) for each in found] == [("fails-in-play", 4)]
    assert found[0].message.startswith("found with 3 players and variant `no-passing`: ")


ALMS = """variant: alms
for: splendor
text: {en: Who is ahead gives a token., fr: Qui mène donne un jeton.}
add:
  values.leads:
    per: player
    is: every other in everyone has other is player or prestige(other) < prestige(player)
    text: {en: Who is ahead, fr: Qui mène}
  actions.give:
    text: {en: Give a token., fr: Donnez un jeton.}
    choose: {coin: {one_of: purse(me), text: {en: C, fr: C}, why: {en: No., fr: Non.}}}
    do: [give: {move: 1 of coin, from: purse(me), to: purse(next(me)), text: {en: G, fr: G}}]
insert:
  round.alms:
    after: turns
    for_each: player where leads(player) and count(purse(next(player))) < token_limit
    by: player
    must: [give]
    text: {en: Who is ahead gives., fr: Qui mène donne.}
"""


def test_players_keep_from_others_what_they_must_choose_from(tmp_path: Path) -> None:
    """Random players nearly always hold a token when they are ahead."""
    path = tmp_path / "alms.yaml"
    path.write_text(ALMS, encoding="utf-8")
    rules = load_rules("splendor", players=4, variants=[str(path)])
    assert starving_players(rules, ["round.alms"])[:2] == ["avoid:take_different", "avoid:take_pair"]
    assert play_until_fault(rules, 500) is None
    (found,) = check([path], play=500)
    assert (found.code.name, found.address, found.span.line) == ("fails-in-play", "round.alms", 14)
    assert found.message.startswith("requires a choice, but no action is legal: in a game of players that avoid `take_")
    path.write_text(ALMS.replace("must: [give]", "must: [give]\n    if_unable: nothing"), encoding="utf-8")
    assert list(check([path], play=500)) == []

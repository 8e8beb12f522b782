"""Expressions of the version of the language before are respelled, wherever they are, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import CommandLine
from old_games import NEW_GAME, OLD_GAME, players_named
from rulewright.checker.checker import check
from rulewright.diagnostics import Diagnostics, SourceFile, render_full
from rulewright.expr.migration_expressions import respell_counts, respell_words
from rulewright.source.reader import parse_source

HEAD = "variant: other\nfor: heaps\n"


def respelled(text: str) -> str:
    diagnostics = Diagnostics()
    root = parse_source(SourceFile("old.yaml", text), diagnostics)
    assert root is not None
    assert not list(diagnostics)
    return respell_words(root)[0]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("first(row)", "first 1 of row"),
        ("count(first(pile(me)))", "count(first 1 of pile(me))"),
        ("first(row).rank", "(first 1 of row).rank"),
        ("first(each x in row where x.rank > 1)", "first 1 of (each x in row where x.rank > 1)"),
        ("first(first(row))", "first 1 of (first 1 of row)"),
        ("first(reversed(row)) + first(a + b)", "last 1 of row + first 1 of (a + b)"),
        ("1 of first(colour)", "1 of (first 1 of colour)"),
        ("reversed(row)", "reversed(row)"),
        ("row is nothing and first(row) is not nothing", "row is empty and first 1 of row is not empty"),
        ("if row is empty then empty else row", "if row is empty then nothing else row"),
        ("first(row) of of row", "first(row) of of row"),
    ],
)
def test_expressions(old: str, new: str) -> None:
    assert respelled(f"{HEAD}set:\n  values.a.is: {old}   # why\n") == f"{HEAD}set:\n  values.a.is: {new}   # why\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('set: {actions.a.text: "Take {first(row)}, nothing else; {first(row): one | more}."}',
         'set: {actions.a.text: "Take {first 1 of row}, nothing else; {first 1 of row: one | more}."}'),
        ("add: {round.a: {at: end, for_each: t in first(row), move: up to first(row), to: bottom of won}}",
         "add: {round.a: {at: end, for_each: t in first 1 of row, move: up to first 1 of row, to: bottom of won}}"),
        ("set: {values.a: {expects: 'first(row)', value: \"last(row) + empty\"}}",
         "set: {values.a: {expects: 'first 1 of row', value: \"last(row) + nothing\"}}"),
        ("text: nothing\nsource: {first: [empty]}", "text: nothing\nsource: {first: [empty]}"),
        ("table: {things: {tile: {title: '{first(row)}'}}}", "table: {things: {tile: {title: '{first 1 of row}'}}}"),
        ("insert: {turn.a: {at: end, if_unable: nothing, must: [go]}}",
         "insert: {turn.a: {at: end, if_unable: nothing, must: [go]}}"),
    ],
)  # fmt: skip
def test_where_expressions_are(old: str, new: str) -> None:
    assert respelled(f"{HEAD}{old}\n") == f"{HEAD}{new}\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("{values.a.is: won(me).pebble + x.y}", '{values.a.is: "won(me, pebble) + x.y"}'),
        ("{values.a.is: 'won( me ) . pebble'}", "{values.a.is: 'won( me , pebble)'}"),
        ("{values.a.is: cost.pebble}", "{values.a.is: cost(pebble)}"),
        ("{values.a.is: (a less b).pebble}", "{values.a.is: (a less b)(pebble)}"),
        ("\n  values.a.is: won(me).pebble", "\n  values.a.is: won(me, pebble)"),
        ('{values.a.text: "{x.cost.pebble} of them"}', '{values.a.text: "{x.cost(pebble)} of them"}'),
    ],
)
def test_counts_of_members(old: str, new: str) -> None:
    text = f"{HEAD}set: {old}\n"
    root = parse_source(SourceFile("old.yaml", text), Diagnostics())
    assert root is not None
    assert respell_counts(root, {text.index("pebble")}) == (f"{HEAD}set: {new}\n", 1)
    assert respell_counts(root, set()) == (text, 0)


def test_counts_are_found_by_the_types(run_cli: CommandLine, tmp_path: Path) -> None:
    game, other = tmp_path / "heaps.yaml", tmp_path / "other.yaml"  # the variant is read after its game
    counted = OLD_GAME.replace("count(won(seat))", "won(seat).pebble")
    game.write_text(counted, encoding="utf-8")
    other.write_text("variant: other\nfor: heaps\nset: {turn.last.when: heap.pebble is 0}\n", encoding="utf-8")
    assert run_cli("migrate", str(tmp_path)) == 0
    assert game.read_text(encoding="utf-8") == NEW_GAME.replace("count(won(player))", '"won(player, pebble)"')
    assert f"{game}: 1 count of members\n" in run_cli.out
    assert other.read_text(encoding="utf-8").endswith("set: {turn.last.when: heap(pebble) is 0}\n")
    assert "2 of 2 files rewritten" in run_cli.out
    assert run_cli("check", str(game)) == 0, "\n".join(map(render_full, check([str(game)])))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("set: {values.a: {per: seat, is: points(seat)}}", "set: {values.a: {per: player, is: points(player)}}"),
        ("add: {zones.a: {holds: seat, per: [seat, row], seen_by: all}}",
         "add: {zones.a: {holds: player, per: [player, row], seen_by: all}}"),
        ("add: {values.a: {per: {seat: seat, at: cell}, is: b(seat)}}",
         "add: {values.a: {per: {player: player, at: cell}, is: b(player)}}"),
        ("add: {state.a: {type: set of seat}, state.b: seat}",
         "add: {state.a: {type: set of player}, state.b: player}"),
        ("add: {kinds.who: [nobody, every seat]}", "add: {kinds.who: [nobody, every player]}"),
        ("add: {kinds.who: [seat, other]}", "add: {kinds.who: [seat, other]}"),
        ("set: {round.a.for_each: seat in others where seat.seat is 1}",
         "set: {round.a.for_each: player in others where player.seat is 1}"),
        ("set: {actions.a.why: 'Not {seat}, {each seat where b(seat): one | more}, a seat.'}",
         "set: {actions.a.why: 'Not {player}, {each player where b(player): one | more}, a seat.'}"),
        ("display: {members: {seat.0: {letter: a}, seat.9: {letter: b}}}",
         "display: {members: {player.1: {letter: a}, player.10: {letter: b}}}"),
    ],
)  # fmt: skip
def test_the_kind_of_the_players(old: str, new: str) -> None:
    assert players_named(f"{HEAD}{old}   # seat\n") == f"{HEAD}{new}   # seat\n"


def test_a_choice_of_that_name_keeps_it() -> None:
    actions = "{a: {choose: {seat: {one_of: seat}}, do: [b: {leave: seat}]}, c: {do: [d: {by: seat}]}}"
    old = f"part_of: heaps\nactions: {actions}\n"
    new = old.replace("one_of: seat", "one_of: player").replace("by: seat", "by: player")
    assert players_named(old) == new
    assert (
        players_named("texts: fr\nfor: heaps\nwords: {seat: joueur, a: '{seat}'}\nsentences: {}\n").count(
            "{player: joueur, a: '{seat}'}"
        )
        == 1
    )


def test_whoever_calls_something_player_decides(run_cli: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "more.yaml"
    path.write_text("variant: more\nfor: heaps\nset: {turn.a.when: some player in others has b(seat) > 0}\n", "utf-8")
    before = path.read_text(encoding="utf-8")
    run_cli("migrate", str(path))
    assert path.read_text(encoding="utf-8") == before
    assert "call what else is called so otherwise" in run_cli.out

"""Rule files of the version of the language before become files of today, and nothing else in them changes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from command_line import CommandLine
from old_games import NEW_GAME, NEW_WORDS, OLD_GAME, players_named
from rulewright.checker.checker import check
from rulewright.diagnostics import Diagnostics, SourceFile
from rulewright.document.language import current_address
from rulewright.document.migration.migration import migrate_text
from rulewright.model.loader import load_rules
from rulewright.source.reader import parse_source

ROOT = Path(__file__).parent.parent
BROKEN = sorted(path for path in (ROOT / "tests" / "diagnostics").rglob("*.y*ml") if path.is_file())


def migrated(text: str) -> tuple[str, int]:
    diagnostics = Diagnostics()
    root = parse_source(SourceFile("old.yaml", text), diagnostics)
    assert root is not None
    assert not list(diagnostics)
    return migrate_text(root)


def test_a_game_in_the_words_of_today(tmp_path: Path) -> None:
    text, count = migrated(OLD_GAME)
    assert text == NEW_WORDS
    assert count == 11
    path = tmp_path / "heaps.yaml"
    path.write_text(players_named(text), encoding="utf-8")
    assert path.read_text(encoding="utf-8") == NEW_GAME
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
         "statements: heaps\nlist:\n  - {text: a, rules: [turn.last.end_game, actions.finish]}\n"),
        ("texts: fr\nfor: heaps\nrules:\n  zones.heap.starts: finish\n",
         "texts: fr\nfor: heaps\nrules:\n  zones.heap.start: finish\n"),
        ("texts: fr\nfor: heaps\nsentences:\n  actions.a: A\n  actions.a.when.c: Non\n  actions.a.when.c.text: Oui\n"
         "  actions.a.when.text: Non\n  turn.t.when.text: Si ?\n  turn.t.must.a.when.text.text: Oui\n",
         "texts: fr\nfor: heaps\nsentences:\n  actions.a: A\n  actions.a.when.c.why: Non\n  actions.a.when.c: Oui\n"
         "  actions.a.when.text.why: Non\n  turn.t.when: Si ?\n  turn.t.must.a.when.text: Oui\n"),
        ("texts: fr\nfor: heaps\nsentences:\n  actions.a.when.c.why: Non\n  actions.a.when.c: Oui\n",
         "texts: fr\nfor: heaps\nsentences:\n  actions.a.when.c.why: Non\n  actions.a.when.c: Oui\n"),
        ("# $schema=../part.schema.json\npart: ends\nfor: heaps\nturn: []\n",
         "# $schema=../part_of.schema.json\npart_of: heaps\nturn: []\n"),
        ("texts: fr\nfor: heaps\nsentences:\n  procedures.a.b: A\n  procedures.a.title: T\n  procedures.a.b.do.c: B\n",
         "texts: fr\nfor: heaps\nsentences:\n  procedures.a.do.b: A\n  procedures.a.title: T\n"
         "  procedures.a.do.b.do.c: B\n"),
        ("table: heaps\nfinish: order\n", "display: heaps\nfinish: order\n"),
        ("table: heaps\nboard: [{zone: heap}]\nseats: [{zone: won}]\n",
         "display: heaps\nboard: [{zone: heap}]\nplayers: [{zone: won}]\n"),
        ("variant: a\nfor: heaps\ntable: {seats: [{zone: won}]}\n",
         "variant: a\nfor: heaps\ndisplay: {players: [{zone: won}]}\n"),
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


OLD_VARIANTS = {
    "two.yaml": "# $schema=../schemas/variant.schema.json\nvariant: two\nfor: heaps\nplayers: 2   # few\n"
    "applies: always\nset: {zones.heap.starts: 5 of pebble}\n",
    "a-b.yaml": "# $schema=../schemas/variant.schema.json\nvariant: a-b\nfor: heaps\nrequires:\n  - a\n  - b\n"
    "applies: always   # where both are\nset: {turn.last.finish: game}\n",
    "b-c.yaml": "variant: other\nfor: heaps\nrequires: [b, c]\napplies: always\nset: {turn.last.finish: game}\n",
}
NEW_VARIANTS = {
    "two.yaml": "# $schema=../schemas/adjusts.schema.json\nadjusts: heaps\nplayers: 2   # few\n"
    "set: {zones.heap.start: 5 of pebble}\n",
    "a-b.yaml": "# $schema=../schemas/joins.schema.json\njoins: [a, b]\nfor: heaps\n# where both are\n"
    "set: {turn.last.end_game: now}\n",
    "b-c.yaml": "joins: [b, c]\nfor: heaps\nset: {turn.last.end_game: now}\n",
}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("overlays: [2]\n", "files: [two.yaml]\n"),
        ("files: [a.yaml]\noverlays: [2]   # fewer\n", "files: [a.yaml, two.yaml]\n# fewer\n"),
        ("overlays: [2]\nfiles:\n  - a.yaml   # all\n", "files:\n  - a.yaml   # all\n  - two.yaml\n"),
    ],
)
def test_variants_that_were_no_choice(run_cli: CommandLine, tmp_path: Path, old: str, new: str) -> None:
    """One for a number of players is a file of the game; one that joined others says so and has its file's name."""
    game, variants = tmp_path / "heaps", tmp_path / "variants"
    game.mkdir()
    variants.mkdir()
    (game / "game.yaml").write_text(OLD_GAME + old, encoding="utf-8")
    for name, text in OLD_VARIANTS.items():
        (variants / name).write_text(text, encoding="utf-8")
    assert run_cli("migrate", str(tmp_path)) == 0
    assert (game / "game.yaml").read_text(encoding="utf-8") == NEW_GAME + new
    assert {path.name for path in variants.iterdir()} == {"a-b.yaml", "b-c.yaml"}
    made = {path.name: path.read_text(encoding="utf-8") for path in (game / "two.yaml", *variants.iterdir())}
    assert made == NEW_VARIANTS
    assert "it was called `other` and is called like its file now" in run_cli.out
    assert run_cli("migrate", str(tmp_path)) == 0
    assert "0 of 4 files rewritten" in run_cli.out


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


def test_a_display_says_when_a_state_is_shown_in_a_word() -> None:
    old = "display: heaps\nstate: {order: {shown: false}, held: {title: Held, shown: true}}\n"
    assert migrated(old)[0] == old.replace("false", "never").replace("true", "changed")


COUNTED_GAME = """\
game: marks
version: 1.0.0
language: 2
text: Marks
players: 2 to 3
kinds: {hue: [red, blue], who: [none_yet, every player]}
zones:
  purse: {holds: hue, per: player, seen_by: owner, start: 1 of red}
  crew:  {holds: player, per: hue, seen_by: all, start: 2 of player}
state: {latest: {type: who}, turns: {type: 0 to 9, per: player}, one: {type: player}}
values: {score: {per: player, is: count(purse(player))}, seated: {is: everyone}}
actions:
  name:
    choose: {whom: {one_of: player}, all: {some_of: player}}
    do: [a: {set: latest, to: whom}, b: {set: one, to: whom}]
  wait: {do: [b: {set: turns(me), to: turns(me) + 1}]}
turn: [act: {must: [name, wait]}, end: {when: turns(me) is 9, end_game: now}]
round: [turns: {for_each: player, turn: player}]
ranking: [score: {most: score(player)}]
"""
NEW_SCENARIOS = """\
scenarios: of 0 and 1   # as written
for: marks
language: 2
first_player: 2
cases:
  a:
    players: 3
    first_player: 1
    given: {player: 2, round: 1, purse: {2: {red: 1}}, crew: {red: {1: 2, 2: 2}}, state: {latest: 2, turns: {1: 1}}}
    when: [wait, "name(whom=1, all=1 + 3)"]
    then:
      decides: 1
      state: {latest: 1, turns: {2: 1}, one: 1}
      values: {score: {1: 1}, seated: [1, 2, 3]}
      zones: {crew: {blue: 2 1 + 2 2 + 2 3}}
      sees: {1: {purse: {2: hidden}}, spectator: {purse: {1: hidden}}}
  b: {given: {state: {turns: {2: 9}, latest: none_yet}}, when: wait, then: {illegal: turn.act}}
  c: {given: {state: {turns: {2: 8}}}, when: wait, then: {over: true, places: [1, 1], winners: [1, 2]}}
"""
OLD_SCENARIOS = """\
scenarios: of 0 and 1   # as written
for: marks
first_seat: 1
cases:
  a:
    players: 3
    first_seat: 0
    given: {seat: 1, round: 1, purse: {1: {red: 1}}, crew: {red: {0: 2, 1: 2}}, state: {latest: 1, turns: {0: 1}}}
    when: [wait, "name(whom=0, all=0 + 2)"]
    then:
      decides: 0
      state: {latest: 0, turns: {1: 1}, one: 0}
      values: {score: {0: 1}, seated: [0, 1, 2]}
      zones: {crew: {blue: 2 0 + 2 1 + 2 2}}
      sees: {0: {purse: {1: hidden}}, spectator: {purse: {0: hidden}}}
  b: {given: {state: {turns: {1: 9}, latest: none_yet}}, when: wait, then: {illegal: turn.act}}
  c: {given: {state: {turns: {1: 8}}}, when: wait, then: {over: true, places: [1, 1], winners: [0, 1]}}
"""


def test_scenarios_count_players_from_1_once(run_cli: CommandLine, tmp_path: Path) -> None:
    game, cases = tmp_path / "marks.yaml", tmp_path / "marks.scenarios.yaml"
    game.write_text(COUNTED_GAME, encoding="utf-8")
    cases.write_text(OLD_SCENARIOS, encoding="utf-8")
    (diagnostic,) = check([str(cases)])
    assert (diagnostic.code.name, "rulewright migrate" in diagnostic.help) == ("older-language", True)
    assert run_cli("migrate", str(cases)) == 0
    text = cases.read_text(encoding="utf-8")
    assert text == NEW_SCENARIOS, run_cli.out
    assert run_cli("migrate", str(cases)) == 0
    assert cases.read_text(encoding="utf-8") == text


def test_scenarios_stay_where_their_rules_cannot_be_read(run_cli: CommandLine, tmp_path: Path) -> None:
    cases = tmp_path / "marks.scenarios.yaml"
    cases.write_text(OLD_SCENARIOS, encoding="utf-8")
    run_cli("migrate", str(cases))
    assert cases.read_text(encoding="utf-8") == OLD_SCENARIOS
    assert "players are counted from 0 still: cases.a: there is no game `marks`" in run_cli.out


@pytest.mark.slow
def test_shipped_rules_are_in_the_form_of_today(run_cli: CommandLine, tmp_path: Path) -> None:
    for folder in ("rules", "variants", "schemas"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    assert run_cli("migrate", str(tmp_path / "rules"), str(tmp_path / "variants"), "--dry-run") == 0
    assert "\n0 of " in run_cli.out


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("path", BROKEN, ids=lambda path: str(path.relative_to(ROOT / "tests" / "diagnostics")))
def test_whatever_is_wrong_with_a_file_it_is_read(run_cli: CommandLine, path: Path) -> None:
    assert run_cli("migrate", str(path), "--dry-run") in (0, 1)
    assert "file" in run_cli.out.splitlines()[-1]


def test_a_file_that_cannot_be_read_stays_and_what_needs_it_too(run_cli: CommandLine, tmp_path: Path) -> None:
    """Nothing moves from one file to another while one of them is unknown, and no byte of that one changes."""
    head = "game: heaps\nversion: 1.0.0\nlanguage: 1\ntext: Heaps\nplayers: 2\nfiles: [look.yaml]\ntexts: [en.yaml]\n"
    files = {
        "game.yaml": head + "zones:\n  box: {holds: stone, starts: 9 of pebble}\nkinds: {stone: [pebble]}\n",
        "look.yaml": "display: heaps\nboard:\n  - {zone: box, title: The box}\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    latin = "texts: en\nfor: heaps\nsentences:\n  zones.box: Café\n".encode("latin-1")
    (tmp_path / "en.yaml").write_bytes(latin)
    assert run_cli("migrate", str(tmp_path)) == 1
    assert (tmp_path / "en.yaml").read_bytes() == latin
    assert (tmp_path / "look.yaml").read_text(encoding="utf-8") == files["look.yaml"]
    assert "start: 9" in (tmp_path / "game.yaml").read_text(encoding="utf-8")
    assert f"until {tmp_path / 'en.yaml'} can be read" in run_cli.out
    assert "the byte 0xe9 is not UTF-8" in run_cli.out


def test_a_file_that_is_no_part_of_the_game_is_not_overwritten(run_cli: CommandLine, tmp_path: Path) -> None:
    files = {
        "game.yaml": "game: heaps\nversion: 1.0.0\nlanguage: 2\ntext: Heaps\nplayers: 2\n"
        "files: [look.yaml]\ntexts: [texts/fr.yaml]\nzones:\n  box: {holds: stone}\nkinds: {stone: [pebble]}\n",
        "look.yaml": "display: heaps\nboard:\n  - {zone: box, title: {en: The box, fr: La boîte}}\n",
        "texts/fr.yaml": "texts: fr\nfor: heaps\nsentences:\n  game: Tas\n",
        "texts/en.yaml": "notes of the author\n",
    }
    (tmp_path / "texts").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    run_cli("migrate", str(tmp_path))
    assert (tmp_path / "texts" / "en.yaml").read_text(encoding="utf-8") == files["texts/en.yaml"]
    assert "no file of texts in `en` for `zones.box.title: The box`" in run_cli.out
    assert "zones.box.title: La boîte" in (tmp_path / "texts" / "fr.yaml").read_text(encoding="utf-8")

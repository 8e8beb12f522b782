"""Whatever stands in a rule file, the checker ends soon and says something clear: a sample of damaged and odd files.

`python tests/fuzzing.py --count 5000 --jobs 2` checks more, and says which files trouble it.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import fuzzing
from hostile_files import files_of
from rulewright import limits
from rulewright.checker.checker import check_paths
from rulewright.editor.completions import completions_at
from rulewright.editor.open_rules import open_rules
from rulewright.editor.workspace import Workspace

SAMPLE = 150
SEED = 7


def test_the_same_seed_makes_the_same_files() -> None:
    assert files_of(SEED, 3) == files_of(SEED, 3)
    assert len({str(files_of(SEED, number)) for number in range(40)}) > 35


def test_troubles_are_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An exception of the checker, and one that takes too long, are told with the number of the files."""
    (tmp_path / "a.yaml").write_text("game: a\n", encoding="utf-8")
    assert fuzzing.check_folder(str(tmp_path)) == ""

    def fail(paths: object) -> None:
        raise KeyError(str(paths))

    monkeypatch.setattr(fuzzing, "check_paths", fail)
    assert "KeyError" in fuzzing.check_folder(str(tmp_path))
    trouble = fuzzing.check_number(SEED, 5)
    assert trouble is not None
    assert (trouble.number, trouble.files) == (5, files_of(SEED, 5))


ODD_NAMES = ['""', ".", "..", "/abs", '"**"', '"[a"', '"a\\0b"', "x" * 400, "n" + "- " * 3000 + "m"]
NAMING = {
    "variant": "variant: v\nfor: {0}\ntext: T\nset: {{parameters.x: 1}}\n",
    "neighbours": "variant: v\nfor: nim\ntext: T\nrequires: [{0}]\nafter: [{0}]\nset: {{parameters.base: 2}}\n",
    "files": "game: g\nversion: 1.0.0\nlanguage: 2\ntext: T\nplayers: 2\nfiles: [{0}]\ntexts: [{0}]\n",
    "scenarios": "scenarios: s\nfor: {0}\nlanguage: 2\nvariants: [{0}]\ncases: {{a: {{then: {{over: false}}}}}}\n",
}


@pytest.mark.parametrize("what", NAMING)
@pytest.mark.parametrize("name", ODD_NAMES, ids=range(len(ODD_NAMES)))
def test_names_that_no_file_can_have(what: str, name: str, tmp_path: Path) -> None:
    """A game, a variant or a file of such a name is reported as one that is not there, or as no name at all."""
    (tmp_path / "odd.yaml").write_text(NAMING[what].format(name), encoding="utf-8")
    assert fuzzing.check_folder(str(tmp_path), 60) == ""
    assert fuzzing.check_paths([str(tmp_path)]).diagnostics.error_count > 0


def test_a_link_to_itself_beside_a_variant_is_no_hindrance(tmp_path: Path) -> None:
    """Other files are looked at where a name is missing, since another variant may bring it."""
    variant = tmp_path / "odd.yaml"
    variant.write_text("variant: odd\nfor: nim\ntext: T\nset: {parameters.missing: 1}\n", encoding="utf-8")
    (tmp_path / "loop.yaml").symlink_to("loop.yaml")
    assert [one.code.name for one in fuzzing.check_paths([variant]).diagnostics] == ["no-such-address"]
    workspace = Workspace()
    workspace.take(tmp_path / "loop.yaml", "file:///loop.yaml", variant.read_text(encoding="utf-8"))
    found = workspace.check(tmp_path / "loop.yaml")
    assert {one.code.name for its in found.values() for one in its} >= {"no-such-address"}
    workspace.close(tmp_path / "loop.yaml")


@pytest.mark.parametrize("text", ["- - - x", "? ? x", "- variants", "[[x", "&a x", ": x", "\t- x"])
def test_what_can_follow_where_no_key_stands(text: str, tmp_path: Path) -> None:
    for begin in ("", "scenarios: s\nfor: nim\n"):
        path = tmp_path / "odd.yaml"
        path.write_text(f"{begin}{text}", encoding="utf-8")
        found = completions_at(path, open_rules(path), f"{begin}{text}", len(begin) + len(text))
        assert all(each.word for each in found)


HEAD = "game: large\nversion: 1.0.0\nlanguage: 2\ntext: T\nplayers: 2\nstate: {s: {type: 0 to 40}}\n"
FLOW = (
    "turn:\n  - act: {must: [take], if_unable: nothing}\n  - end: {when: s >= 9, end_game: now}\n"
    "round: [turns: {for_each: player, turn: player}]\nranking: [s: {most: s}]\n"
)
TAKE = "actions:\n  take:\n    text: Take.\n    do: [{add: {set: s, to: s + 1}}]\n"
CARDS = (
    "kinds: {n: 1 to 900}\nzones: {deck: {holds: card, seen_by: nobody}}\n"
    "components:\n  card:\n    fields: {worth: 0 to 9}\n    start: deck\n    rows:\n"
)
VARIANT = "variant: large\nfor: nim\ntext: T\n"


def many(line: str, count: int) -> str:
    return "".join(line.replace("@", str(number)) for number in range(count))


LARGE = {
    "more errors and warnings than are shown": (
        HEAD + "values:\n" + many("  v@: {sum: {one: q@, two: r@}}\n", 450) + TAKE + FLOW,
        "unknown-name",
    ),
    "many choices of one action": (
        HEAD + TAKE + "    choose:\n" + many("      c@: {one_of: player}\n", 3000) + FLOW,
        "too-many",
    ),
    "many rows that go through many members": (
        HEAD + CARDS + many('      - {for_each: n, id: "c@_{n}", worth: 1}\n', 400) + TAKE + FLOW,
        "out-of-range",
    ),
    "many aliases": (VARIANT + "set:\n  a: &a [1]\n" + many("  b@: *a\n", 60_000), "yaml-anchor"),
    "many comments that allow something": (
        VARIANT + "set: {parameters.base: 2}\n" + many("# rulewright: allow no-op because @\n", 40_000),
        "unknown-allowance",
    ),
    "a key that is there very often": (VARIANT + "set:\n" + "  a: 1\n" * 150_000, "duplicate-key"),
    "many tags": (VARIANT + "set:\n" + many("  k@: !t v\n", 60_000), "yaml-tag"),
    "many zones": (
        HEAD + "zones:\n" + many("  z@: {holds: card, seen_by: all}\n", 30_000) + TAKE + FLOW,
        "too-many-nodes",
    ),
    "many clauses": (
        HEAD
        + TAKE
        + many("  a@: {text: T, do: [{add: {set: s, to: s + 1}}], when: {" + many("c@: s > 1, ", 99) + "}}\n", 90)
        + FLOW,
        "out-of-range",
    ),
    "long conditions": (
        HEAD + "values:\n" + many("  v@: {is: " + "if s > @ then 1 else " * 50 + "0}\n", 450) + TAKE + FLOW,
        "out-of-range",
    ),
    "many languages": (
        HEAD
        + "values:\n"
        + many(
            "  v@: {is: s, text: {" + ", ".join(f"{a}{b}: T" for a in "abcdefghi" for b in "abcdefghi") + "}}\n", 450
        )
        + TAKE
        + FLOW,
        "missing-sentence",
    ),
    "a line of anchors": ("a: " + "&a " * 600_000, "yaml-anchor"),
    "a very long value": (VARIANT + f"set: {{parameters.base: {'a' * 90_000}}}\n", "unknown-name"),
    "many fields that rows lack": (
        HEAD
        + "zones: {deck: {holds: card, seen_by: nobody}}\ncomponents:\n  card:\n    fields: {"
        + many("f@: 0 to 9, ", 900)
        + "z: 0 to 9}\n    start: deck\n    rows:\n"
        + many("      - {id: c@, z: 1}\n", 900)
        + TAKE
        + FLOW,
        "missing-field",
    ),
    "many wrong actions of a scenario": (
        "scenarios: s\nfor: nim\nlanguage: 2\ncases:\n  c:\n    when:\n"
        + many("      - tak@(row=1)\n", 80_000)
        + "    then: {over: false}\n",
        "too-many-nodes",
    ),
    "many unknown variants of scenarios": (
        "scenarios: s\nfor: nim\nlanguage: 2\ncases:\n" + many("  c@: {variants: [v@], then: {over: false}}\n", 3_000),
        "cannot-be-played",
    ),
    "many entries of another section in a large file": (
        "# a comment\n" * 120_000 + HEAD + "zones:\n" + many("  z@: {is: s}\n", 450) + TAKE + FLOW,
        "unknown-key",
    ),
    "many kinds that are missing in a large file": (
        "# a comment\n" * 120_000
        + HEAD
        + "components:\n"
        + many("  c@: {fields: {a: x}, rows: [{id: a@, a: 1}]}\n", 450)
        + TAKE
        + FLOW,
        "unknown-name",
    ),
    "a text of many lines": ("variant: large\nfor: nim\ntext: a\n" + "  b\n" * 390_000, "empty-variant"),
    "nothing but ends of lines": ("\n" * 2_000_000, "empty-file"),
}


@pytest.mark.parametrize("what", LARGE)
def test_large_files_are_told_soon_what_is_wrong(what: str, tmp_path: Path) -> None:
    """Each took ten seconds or more, 500 MB, or ended in an exception once; the bound is one that no machine misses."""
    text, code = LARGE[what]
    (tmp_path / "large.yaml").write_text(text, encoding="utf-8")
    start = time.process_time()
    found = check_paths([tmp_path]).diagnostics
    assert time.process_time() - start < 8
    assert code in {one.code.name for one in found}


WORDS = (
    "shows x ",
    "lay put move card ",
    "montre x à ",
    "was then ",
    "each and then ",
    "takes from a b c ",
    "for a point the ",
    "who has no the player ",
)  # with which what checks look for in sentences begins
WORDY = """game: wordy
version: 1.0.0
language: 2
text: Wordy
players: 3
components: {{card: {{start: pile, rows: [{{id: a}}, {{id: b}}, {{id: c}}, {{id: d}}]}}}}
zones:
  pile: {{holds: card, order: shuffled, seen_by: nobody}}
  heap: {{holds: card, order: arrival, seen_by: all}}
  hand: {{holds: card, per: player, seen_by: owner}}
state: {{unread: {{type: flag}}}}
actions:
  show: {{text: "{0}", choose: {{card: {{one_of: hand(me)}}}}, do: [show: {{reveal: card, to: all, text: "{0}"}}]}}
  lay:
    text: "{0}"
    when: {{some: {{is: hand(me) is not empty, text: "{0}", why: "{0}"}}}}
    do: [lay: {{move: all, from: hand(me), to: heap, text: "{0}"}}]
turn:
  - draw: {{move: top, from: pile, to: hand(me), text: "{0}"}}
  - act: {{must: [show, lay], if_unable: nothing, text: "{0}"}}
  - end: {{when: pile is empty, end_game: now, winners: me, text: "{0}"}}
round: [turns: {{for_each: player, turn: player, text: "{0}"}}]
ranking: [most: {{most: count(hand(player)), text: "{0}"}}]
"""


@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize("length", [limits.MAX_COMPARED_CHARACTERS, limits.MAX_SENTENCE_CHARACTERS])
def test_sentences_of_the_words_that_are_looked_for_are_read_soon(words: str, length: int, tmp_path: Path) -> None:
    """One took half a minute once, by a pattern that began anew at each word."""
    sentence = (words * (length // len(words) + 1))[:length].rstrip()
    (tmp_path / "wordy.yaml").write_text(WORDY.format(sentence), encoding="utf-8")
    start = time.process_time()
    found = check_paths([tmp_path]).diagnostics
    assert time.process_time() - start < 8
    assert {one.code.name for one in found} >= {"unused"}
    assert not found.error_count


@pytest.mark.slow
def test_a_sample_of_hostile_files() -> None:
    """Time is not looked at here: other tests run beside this one."""
    troubles = fuzzing.check_share(SEED, 0, SAMPLE, max_seconds=60)
    assert [(trouble.number, trouble.what) for trouble in troubles] == []

"""How the work of `check` grows: with what there is, not with its square. Work is counted; no clock is asked."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright import limits
from rulewright.checker import variant_checks
from rulewright.checker.checker import check, check_paths
from rulewright.checker.file_count import count_rule_files
from rulewright.checker.nearby_games import BaseGames
from rulewright.checker.played.endless_passing import find_idle_game
from rulewright.checker.shared_checks import MAX_LOST, check_items
from rulewright.checker.variant_checks import CheckedVariant, check_references, group_variants, with_required
from rulewright.diagnostics import Diagnostics, SourceFile, Span
from rulewright.document.document import Document
from rulewright.document.document_reader import load_document
from rulewright.engine.compiled.compiler import compile_program
from rulewright.engine.compiled.playing.make_game import make_compiled_game
from rulewright.engine.engine_names import COMPILED_ENGINE
from rulewright.errors import UsageError
from rulewright.expr.codes import UNKNOWN_NAME
from rulewright.model.loader import load_rules
from rulewright.model.locate import find_game, heads_read_once
from rulewright.source.nodes import ScalarNode
from rulewright.variants import conflicts
from rulewright.variants.overlay import apply_variants
from rulewright.variants.variant import Variant, load_variant
from work import count_calls

VARIANT = "variant: {name}\nfor: nim\ntext: T\n{more}set: {{parameters.{parameter}: 4}}\n"


@pytest.fixture
def nim() -> Document:
    document = load_document(find_game("nim"), Diagnostics())
    assert document is not None
    return document


def write_variant(folder: Path, name: str, more: str = "", parameter: str = "base") -> Path:
    path = folder / f"{name}.yaml"
    path.write_text(VARIANT.format(name=name, more=more, parameter=parameter), encoding="utf-8")
    return path


def read_variants(paths: Iterator[Path], document: Document) -> list[Variant]:
    found = [load_variant(path, Diagnostics(), base=document) for path in paths]
    return [variant for variant in found if variant is not None]


def test_a_name_is_looked_up_without_a_look_at_all_variants(tmp_path: Path, nim: Document) -> None:
    calls = []
    for size in (2, 200):
        folder = tmp_path / str(size)
        folder.mkdir()
        paths = [write_variant(folder, f"v{number}", "after: [v1]\n") for number in range(size)]
        first, second = read_variants(iter(paths[:2]), nim)
        with heads_read_once():
            check_references(first, nim, Diagnostics())  # what is read once
            calls.append(count_calls(lambda variant=second: check_references(variant, nim, Diagnostics())))
    assert calls[0] == calls[1]


def test_the_game_of_variants_in_one_folder_is_looked_for_once(tmp_path: Path) -> None:
    games, name = BaseGames(), ScalarNode("nim", "nim", Span(SourceFile("x", "nim"), 0, 3))
    calls = [count_calls(lambda at=at: games.find(tmp_path / f"v{at}.yaml", name, Diagnostics())) for at in range(2)]
    assert games.find(tmp_path / "v2.yaml", name, Diagnostics()) == find_game("nim")
    assert calls[1] < calls[0] / 2
    (tmp_path / "nim.yaml").write_text("game: nim\n")
    assert BaseGames().find(tmp_path / "v3.yaml", name, Diagnostics()) == tmp_path / "nim.yaml"
    assert BaseGames().find(tmp_path / "nim.yaml", name, Diagnostics()) == find_game("nim")  # which is not its own game


def test_a_variant_that_requires_too_many_is_told_so_where_it_does(
    tmp_path: Path, nim: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(130):
        write_variant(tmp_path, f"v{number}", f"requires: [v{number + 1}, v{(number + 50) % 130}]\n")
    read: list[Path] = []

    def load(path: Path, diagnostics: Diagnostics, *, base: Document | None = None) -> Variant | None:
        read.append(path)
        return load_variant(path, diagnostics, base=base)

    monkeypatch.setattr(variant_checks, "load_variant", load)
    (first,) = read_variants(iter([tmp_path / "v0.yaml"]), nim)
    diagnostics = Diagnostics()
    assert with_required(first, nim, diagnostics) is None
    assert len(read) == len(set(read)) == limits.MAX_VARIANTS
    assert [(one.code.name, one.span.line) for one in diagnostics] == [("too-many", 4)]
    assert {one.code.name for one in check([tmp_path / "v0.yaml"])} == {"too-many"}


def test_changes_that_many_variants_make_alike_are_no_conflict_at_once(
    tmp_path: Path, nim: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    variants = read_variants((write_variant(tmp_path, f"v{number}") for number in range(30)), nim)
    asked: list[object] = []
    monkeypatch.setattr(conflicts, "contested_sentences", lambda *sides: asked.append(sides))
    diagnostics = Diagnostics()
    apply_variants(nim, variants, diagnostics)
    assert not diagnostics.error_count
    assert not asked


def write_sayings(folder: Path, count: int) -> list[Path]:
    """So many variants that each say one thing in other words, and one above them all that says it, too."""
    names = [f"v{number}" for number in range(count)]
    paths = [folder / f"{name}.yaml" for name in (*names, "above")]
    required = ["", *[""] * (count - 1), f"requires: [{', '.join(names)}]\n"]
    for path, more in zip(paths, required, strict=True):
        head = f"variant: {path.stem}\nfor: nim\ntext: T\n{more}"
        path.write_text(f"{head}sentences: {{actions.take: Say {path.stem}.}}\n", encoding="utf-8")
    return paths


@pytest.mark.parametrize("is_settled", [False, True])
def test_each_of_many_variants_that_speak_of_one_rule_is_compared_with_few(
    is_settled: bool, tmp_path: Path, nim: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    compare = conflicts.contested_sentences
    monkeypatch.setattr(conflicts, "contested_sentences", lambda *sides: asked.append(sides) or compare(*sides))
    variants = read_variants(iter(write_sayings(tmp_path, 30)[: None if is_settled else -1]), nim)
    diagnostics = Diagnostics()
    apply_variants(nim, variants, diagnostics)
    assert len(diagnostics) == (0 if is_settled else 29)
    assert len(asked) == (0 if is_settled else 29)


def test_states_and_steps_are_judged_without_a_look_at_all_for_each(tmp_path: Path) -> None:
    calls = []
    for size in (60, 240):
        states = "".join(f"  t{number}: {{per: player, type: 0 to 9}}\n" for number in range(size))
        steps = ", ".join(f"{{a{number}: {{set: t{number}(me), to: 1}}}}" for number in range(size))
        text = write_game(tmp_path, 1).read_text()
        text = text.replace("state: {s: {type: 0 to 40}}\n", f"state:\n  s: {{type: 0 to 40}}\n{states}")
        path = tmp_path / f"states{size}.yaml"
        path.write_text(text.replace("do: [", f"do: [{steps}, ").replace("game: game1", f"game: states{size}"))
        assert not check([path]).error_count
        calls.append(count_calls(lambda path=path: check([path])))
    assert calls[1] < 6 * calls[0]


def test_addresses_that_are_not_there_are_told_without_a_look_at_all_rules_for_each(tmp_path: Path) -> None:
    calls = []
    for size in (200, 800):
        path = tmp_path / f"lost{size}.yaml"
        changes = "".join(f"  actions.nothing_{number}.text: T\n" for number in range(size))
        path.write_text(f"variant: lost{size}\nfor: nim\ntext: T\nset:\n{changes}")
        calls.append(count_calls(lambda path=path: check([path])))
    assert calls[1] < 4 * calls[0]


def test_a_cycle_of_many_variants_is_told_in_short(tmp_path: Path, nim: Document) -> None:
    paths = (write_variant(tmp_path, f"v{at}", f"requires: [v{(at + 1) % 20}]\n") for at in range(20))
    diagnostics = Diagnostics()
    apply_variants(nim, read_variants(paths, nim), diagnostics)
    (cycle,) = diagnostics
    assert cycle.message.endswith("`v2` after `v3`, and so on over 16 more, `v19` after `v0`")
    assert len(cycle.related) == 3


def test_of_many_variants_each_is_in_a_group_and_most_are_in_one(tmp_path: Path, nim: Document) -> None:
    (variant,) = read_variants(iter([write_variant(tmp_path, "v")]), nim)
    checked = [
        CheckedVariant(variant, tmp_path / str(number), tmp_path, {str(number): tmp_path}, (2, 3), is_valid=True)
        for number in range(250)
    ]
    groups = list(group_variants(checked))
    assert len(groups) == 3  # of a hundred at most, at 2 players; at 3 they are the same
    assert {name for group in groups for name in group.layers} == set(map(str, range(250)))
    assert len(list(group_variants(checked[:90]))) == 1


def write_game(folder: Path, actions: int) -> Path:
    names = [f"take_{number}" for number in range(actions)]
    steps = "".join(f"  {name}: {{text: T, do: [{{add: {{set: s, to: s + 1}}}}]}}\n" for name in names)
    path = folder / f"game{actions}.yaml"
    path.write_text(
        f"game: game{actions}\nversion: 1.0.0\nlanguage: 2\ntext: T\nplayers: 2\nstate: {{s: {{type: 0 to 40}}}}\n"
        f"actions:\n{steps}turn:\n  - act: {{must: [{', '.join(names)}]}}\n"
        "  - end: {when: s >= 9, end_game: now}\n"
        "round: [turns: {for_each: player, turn: player}]\nranking: [s: {most: s}]\n"
    )
    return path


def test_each_offer_is_followed_with_what_is_known_of_the_rules(tmp_path: Path) -> None:
    few, many = (load_rules(str(write_game(tmp_path, size))) for size in (20, 80))
    calls = [count_calls(lambda rules=rules: find_idle_game(rules)) for rules in (few, many)]
    assert calls[1] < 5 * calls[0]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that are copies")
def test_a_helper_gives_up_where_its_work_is_done_again(tmp_path: Path) -> None:
    parent, helped = os.getpid(), tmp_path / "helped"

    def check_item(number: int) -> Diagnostics:
        if os.getpid() != parent:
            with helped.open("a") as file:
                file.write(f"{number}\n")
        diagnostics = Diagnostics()
        diagnostics.add(Span(SourceFile("numbers", "x" * 400), number, number + 1), UNKNOWN_NAME, f"{number} is wrong")
        return diagnostics

    here: list[None] = []
    found = check_items(check_item, list(range(400)), jobs=2, on_item=lambda: here.append(None))
    assert [one.message for each in found for one in each] == [f"{number} is wrong" for number in range(400)]
    assert len(here) == 400
    assert not helped.exists() or len(helped.read_text().split()) <= MAX_LOST + 1


def test_more_files_than_are_checked_at_once_are_refused_before_any_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [write_variant(tmp_path, f"v{number}") for number in range(4)]
    assert count_rule_files([tmp_path]) == count_rule_files(paths) == 4
    monkeypatch.setattr(limits, "MAX_CHECKED_FILES", 3)
    read: list[None] = []
    for given in ([tmp_path], paths):
        with pytest.raises(UsageError, match="more than 3 rule files, the limit of one check; check some"):
            check_paths(given, on_file=lambda: read.append(None))
    assert not read


def test_progress_counts_files_and_sets_of_rules(tmp_path: Path) -> None:
    for number in range(5):
        write_variant(tmp_path, f"v{number}")
    counted: list[None] = []
    check_paths([tmp_path], on_file=lambda: counted.append(None))
    assert len(counted) == 10


def test_a_folder_that_is_far_down_is_reported_and_the_others_are_read(tmp_path: Path) -> None:
    write_variant(tmp_path, "v")
    (tmp_path / "/".join("d" * 60)).mkdir(parents=True)
    write_variant(tmp_path / "/".join("d" * 60), "w")
    result = check_paths([tmp_path])
    assert result.variants == 1
    assert [one.message for one in result.diagnostics if one.severity == "error"] == [
        f"cannot look into this folder: it is more than {limits.MAX_FOLDER_DEPTH} folders down"
    ]
    assert count_rule_files([tmp_path]) == 2


def test_a_link_to_another_folder_is_followed_no_further_than_to_its_files(tmp_path: Path) -> None:
    folder, other = tmp_path / "mine", tmp_path / "other"
    (other / "below").mkdir(parents=True)
    folder.mkdir()
    write_variant(folder, "v")
    write_variant(other, "w")
    write_variant(other / "below", "x")
    (folder / "link").symlink_to(other)
    errors = [one for one in check([folder]) if one.severity == "error"]
    assert [Path(one.span.source.path).name for one in errors] == ["w.yaml"]
    assert "a link to a place outside" in errors[0].message


def test_procedures_are_followed_once_however_often_they_are_run(tmp_path: Path) -> None:
    """Each runs the next twice: from the first there are two to the power of 24 ways to the last."""
    calls = []
    for depth in (6, 24):
        path = write_game(tmp_path, 1)
        procedures = "".join(
            f"  p{at}: [a: {{run: p{at + 1}, when: s >= 38}}, b: {{run: p{at + 1}, when: s >= 37}}]\n"
            for at in range(depth)
        )
        text = path.read_text().replace("turn:\n", "turn:\n  - go: {run: p0, when: s >= 39}\n", 1)
        path.write_text(f"{text}procedures:\n{procedures}  p{depth}: [a: {{set: s, to: 1}}]\n")
        calls.append(count_calls(lambda path=path: check([path])))
    assert calls[1] < 20 * calls[0]


@pytest.mark.parametrize(("depth", "expected"), [(30, []), (31, ["too-many"]), (450, ["too-many"])])
def test_procedures_run_one_another_so_deep_and_no_deeper(tmp_path: Path, depth: int, expected: list[str]) -> None:
    path = write_game(tmp_path, 1)
    chain = "".join(f"  p{at}: [a: {{run: p{at + 1}}}]\n" for at in range(1, depth))
    text = path.read_text().replace("turn:\n", "turn:\n  - go: {run: p1, when: s >= 39}\n", 1)
    path.write_text(f"{text}procedures:\n{chain}  p{depth}: [a: {{set: s, to: 1}}]\n")
    assert [one.code.name for one in check([path]) if one.severity == "error"] == expected


ROWS = (
    "components:\n  card:\n    fields: {{{fields}}}\n    start: deck\n    rows:\n{rows}"
    "zones: {{deck: {{holds: card, seen_by: nobody}}}}\n"
)


def test_misspelled_fields_of_many_rows_are_compared_with_others_once(tmp_path: Path) -> None:
    calls = []
    for size in (50, 200):
        path = write_game(tmp_path, 1)
        fields = ", ".join(f"field_{number}: 0 to 9" for number in range(8))
        cells = ", ".join(f"feild_{number}: 1" for number in range(8))
        rows = "".join(f"      - {{id: c{number}, {cells}}}\n" for number in range(size))
        path.write_text(path.read_text() + ROWS.format(fields=fields, rows=rows))
        calls.append(count_calls(lambda path=path: check([path])))
    assert calls[1] < 4 * calls[0]


def test_unknown_keys_are_told_without_a_look_at_all_others_for_each(tmp_path: Path) -> None:
    calls = []
    for size in (300, 1_200):
        path = tmp_path / "large.yaml"
        path.write_text("display: nim\n" + "".join(f"x{number}: 1\n" for number in range(size)))
        calls.append(count_calls(lambda path=path: check([path])))
    assert calls[1] < 5 * calls[0]


def test_a_game_that_there_is_not_is_looked_for_once_by_scenarios(tmp_path: Path) -> None:
    calls = []
    for size in (50, 400):
        path = tmp_path / "large.yaml"
        cases = "".join(f"  c{number}: {{then: {{over: false}}}}\n" for number in range(size))
        path.write_text(f"scenarios: s\nfor: nosuch\nlanguage: 2\ncases:\n{cases}")
        calls.append(count_calls(lambda path=path: check([path])))
    assert calls[1] < 8 * calls[0]


DIGITS = "9" * 5_000  # more than Python makes a number of


@pytest.mark.parametrize("number", [DIGITS, "\u0663" * 5_000, "\u00b2", f"{DIGITS} to {DIGITS}"])
def test_endless_digits_are_no_number_anywhere(tmp_path: Path, number: str) -> None:
    path = write_game(tmp_path, 1)
    text = path.read_text().replace("text: T, do", f"text: 'Take {number} or 4 of {{p}}.', do")
    row = ROWS.format(fields="w: 0 to 9", rows=f"      - {{id: c, w: '{number}'}}\n")
    path.write_text(f"{text}parameters: {{p: 3}}\n{row}")
    variant = tmp_path / "v.yaml"
    variant.write_text(
        f"variant: v\nfor: game1\ntext: Now {number} or 5.\nset: {{parameters.p: '{number}'}}\n"
        f"sentences: {{actions.take_0: 'Take {number} or 7.'}}\n"
    )
    assert {one.code.name for one in check([tmp_path])} >= {"wrong-value"}


def test_endless_digits_beside_a_comparison_or_a_range_are_no_number(tmp_path: Path) -> None:
    text = (Path(__file__).parent / "diagnostics" / "model" / "lines-in-sentences.yaml").read_text(encoding="utf-8")
    for said in ("From 1 to 3 are", "At most nine", "more than eight coins;"):
        assert said in text
        text = text.replace(said, re.sub(r"\b(?:3|nine|eight)\b", DIGITS, said))
    path = tmp_path / "lines-in-sentences.yaml"
    path.write_text(text, encoding="utf-8")
    assert {one.code.name for one in check([path])} >= {"other-number"}


def test_a_game_of_as_many_actions_as_there_may_be_has_a_program(tmp_path: Path) -> None:
    """Programs have one action inside another, as deep as Python goes."""
    rules = load_rules(str(write_game(tmp_path, limits.MAX_ACTIONS)))
    game = make_compiled_game(compile_program(rules), COMPILED_ENGINE)
    game.start(seed=1)
    assert len(game.options) == limits.MAX_ACTIONS
    game.act(limits.MAX_ACTIONS - 1)

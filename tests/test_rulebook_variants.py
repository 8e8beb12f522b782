"""What a rulebook marks as changed by variants."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from games.playing import game_file
from rulebooks import SHIPPED, VARIANTS, book_of, rules_of
from rulewright.model.rules import Rules
from rulewright.rulebook.assemble import build_rulebook
from rulewright.rulebook.blocks import (
    Heading,
    RichText,
    Rulebook,
    TableBlock,
    TextBlock,
)
from rulewright.rulebook.markdown import to_markdown
from rulewright.rulebook.rules_by_count import load_rules_by_count, load_rules_without_variants
from rulewright.rulebook.tracked_changes import mark_changes
from rulewright.wording.messages import Messages

# ---- what variants change -------------------------------------------------------------------------------------------

ADJUSTED = """
variant: adjusted
for: nim
text: Smaller and fewer
adjust: {parameters.row_count: -1}
set: {parameters.base: {expects: 1, value: 2}}
add:
  actions.take.when.early: {is: count(aside) < 99, why: "It is late.", text: "It is early."}
insert:
  turn.look: {before: latest, when: aside is empty, end_game: after_round}
remove: [invariants.total]
extend: {kinds.object: [twig]}
"""


def _without(text: RichText, change: str) -> str:
    text = tuple(run for run in text if not run.text.startswith((" (now:", " (maintenant", " (changed:", " (changé")))
    return " ".join("".join(run.text for run in text if not change or run.change != change).split())


def _lines(found: Rulebook, but: str = "") -> list[str]:
    """The texts of a book; `but`: without what is so marked."""
    lines: list[str] = []
    for block in found.blocks:
        if block.key == "chapter.index":
            break
        if getattr(block, "change", "") == but and but:
            continue
        if isinstance(block, TableBlock):
            rows = [row for row in block.rows if not but or row.change != but]
            lines += [" ".join(_without(cell, but) for cell in row.cells) for row in rows]
        elif isinstance(block, TextBlock | Heading) and block.key != "changes.how":
            lines.append(_without(block.text, but))
    return lines


@cache
def _base(counts: tuple[int, ...]) -> dict[int, Rules]:
    return load_rules_without_variants(SHIPPED, dict.fromkeys(counts, rules_of(SHIPPED, ())[0][4]))


MARKED = [
    *[pytest.param(names, "en", id="+".join(names)) for names in VARIANTS],
    pytest.param(("target_prestige=9",), "fr", id="setting"),
    pytest.param(("gold-alone", "no-giving-back"), "fr", id="french"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("variants", "code"), MARKED)
def test_marks_lead_to_both_books(variants: tuple[str, ...], code: str) -> None:
    game = SHIPPED
    rules, changes = rules_of(game, variants)
    base = _base(tuple(rules))
    before, after = build_rulebook(base, code), book_of(game, variants, code)
    found = mark_changes(before, after, changes, Messages(rules[max(rules)], code))
    assert _lines(found, "gone") == _lines(after)
    assert sorted(_lines(found, "new")) == sorted(_lines(before))
    text = to_markdown(found, Messages(rules[max(rules)], code))
    for name in changes:
        assert f"*[{name}]*".replace("_", "\\_") in text or f"{name}]*" in text or f"*[{name}" in text or "=" in name
    assert "<ins>" in text


def test_every_sort_of_change_is_marked(tmp_path: Path) -> None:
    path = tmp_path / "adjusted.yaml"
    path.write_text(ADJUSTED, encoding="utf-8")
    game = str(game_file("nim"))
    rules, changes = load_rules_by_count(game, None, (str(path),))
    words = Messages(rules[2], "en")
    text = to_markdown(
        mark_changes(
            build_rulebook(load_rules_without_variants(game, rules), "en"), build_rulebook(rules, "en"), changes, words
        ),
        words,
    )
    assert "| Rows of sticks | ~~4~~ <ins>3</ins> *[adjusted]* |" in text
    assert "| Sticks of the first row | ~~1~~ <ins>2</ins> *[adjusted]* |" in text
    assert "- <ins>It is early.</ins> *[adjusted]*" in text
    assert "<ins>If “Taken” is empty: the game ends when the round is complete.</ins> *[adjusted]*" in text
    assert "<ins>twig</ins>" in text


QUIET = """
variant: quiet
for: tic-tac-toe
text: {en: Two are enough., fr: Deux suffisent.}
set: {turn.line.when: "some row has board(row, own(me)) is 2"}
"""
SAME_WORDS = """
sentences:
  turn.line: {en: Who has three marks in a line wins at once., fr: Qui a trois marques en ligne gagne aussitôt.}
"""


def test_a_change_beneath_the_same_sentence_is_marked(tmp_path: Path) -> None:
    path = tmp_path / "quiet.yaml"
    path.write_text(QUIET + SAME_WORDS, encoding="utf-8")
    game = str(game_file("tic-tac-toe"))
    rules, changes = load_rules_by_count(game, None, (str(path),))
    for code, now in (("en", "now"), ("fr", "maintenant")):
        words = Messages(rules[2], code)
        text = to_markdown(
            mark_changes(
                build_rulebook(load_rules_without_variants(game, rules), code),
                build_rulebook(rules, code),
                changes,
                words,
            ),
            words,
        )
        lines = [one for one in text.splitlines() if f"({now}" in one]
        assert lines
        assert all(one.endswith("*[quiet]*") for one in lines)


def test_the_sentence_of_a_step_goes_with_what_it_says(tmp_path: Path) -> None:
    path = tmp_path / "quiet.yaml"
    path.write_text(QUIET, encoding="utf-8")
    rules, _ = load_rules_by_count(str(game_file("tic-tac-toe")), None, (str(path),))
    text = to_markdown(build_rulebook(rules, "en"), Messages(rules[2], "en"))
    assert "Who has three marks in a line wins at once." not in text
    assert "the number of" in text


LATE = """
variant: late
for: splendor
text: {en: The game ends at once., fr: La partie s'arrête aussitôt.}
set: {turn.goal.end_game: now}
"""


@pytest.mark.parametrize(("still_true", "marked"), [("", 2), ("still_true: [book.esteem]", 1)])
def test_a_passage_about_what_a_variant_changes_is_marked(tmp_path: Path, still_true: str, marked: int) -> None:
    path = tmp_path / "late.yaml"
    path.write_text(LATE + still_true, encoding="utf-8")
    rules, changes = load_rules_by_count(SHIPPED, None, (str(path),))
    words = Messages(rules[2], "en")
    before = build_rulebook(load_rules_without_variants(SHIPPED, rules), "en")
    text = to_markdown(mark_changes(before, build_rulebook(rules, "en"), changes, words), words)
    assert text.count("(changed: what this speaks of)") == marked


def test_without_variants_nothing_is_marked() -> None:
    rules, _ = rules_of(SHIPPED, ())
    found = book_of(SHIPPED, ())
    assert mark_changes(found, found, {}, Messages(rules[2], "en")) == found


OTHER_WORDS = """
variant: {name}
for: splendor
text: {{en: {name}, fr: {name}}}
sentences:
  actions.take_pair: {{en: Take two by {name}., fr: En prendre deux par {name}.}}
  actions.pass.title: {{en: Pass by {name}, fr: Passer par {name}}}
  book.pair_example: {{en: Two are left by {name}., fr: Il en reste deux par {name}.}}
"""


@pytest.mark.parametrize(
    ("code", "rule", "title", "example"),
    [
        ("en", "Take two of a colour.", "Pass", "{}: Example. Two are left by {}."),
        ("fr", "Prendre une paire.", "Passer", "{} : Exemple. Il en reste deux par {}."),
    ],
)
def test_what_two_variants_write_in_different_words(
    tmp_path: Path, code: str, rule: str, title: str, example: str
) -> None:
    paths = [tmp_path / f"{name}.yaml" for name in ("slow", "wide")]
    for path in paths:
        path.write_text(OTHER_WORDS.format(name=path.stem), encoding="utf-8")
    rules, changes = load_rules_by_count(SHIPPED, None, [str(path) for path in paths])
    book = build_rulebook(rules, code)
    found = [line.replace("\u00a0", " ") for line in _lines(book)]
    assert rule in found
    assert title in found
    assert not any(line.startswith(("Take two by", "En prendre deux par", "Pass by", "Passer par")) for line in found)
    for path in paths:
        assert example.format(path.stem, path.stem) in found
    before = build_rulebook(load_rules_without_variants(SHIPPED, rules), code)
    marked = mark_changes(before, book, changes, Messages(rules[2], code))
    second = next(block for block in marked.blocks if block.key == "book.pair_example_wide")
    assert isinstance(second, TextBlock)
    assert (second.change, second.variants) == ("new", ("wide",))

"""What a rulebook says is true and is language: where decisions stand, what belongs to what, how sentences read."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from rulewright.model.rules import Rules
from rulewright.rulebook.assemble import build_rulebook
from rulewright.rulebook.markdown import to_markdown
from rulewright.rulebook.rules_by_count import load_rules_by_count
from rulewright.wording.messages import Messages


@cache
def load(text: str) -> dict[int, Rules]:
    """A game; what follows `sources:` is a file of its own."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.yaml"
        head, name, works = text.partition("\nsources: ")
        path.write_text(head + "\n", encoding="utf-8")
        path.with_name("sources.yaml").write_text((name + works).lstrip("\n"), encoding="utf-8")
        rules = load_rules_by_count(str(path), None, ())[0]
        for each in rules.values():  # read while the files are there
            each.explanations.book()
            each.explanations.works()
        return rules


def print_book(text: str, code: str = "en") -> str:
    rules = load(text)
    return to_markdown(build_rulebook(rules, code), Messages(rules[max(rules)], code))


def chapter(book: str, title: str) -> str:
    return book.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


# ---- where decisions stand, what belongs to what --------------------------------------------------------------------

DRAFT = """
game: draft
version: 1.0.0
language: 1
text: Draft
players: 2 to 3
kinds: {chip: [red, blue]}
zones:
  box: {holds: chip, seen_by: all, starts: 9 of chip}
  mine: {holds: chip, per: seat, seen_by: all}
  gifts: {holds: chip, per: seat, seen_by: all}
  ROOM
actions:
  pick:
    choose: {chip: {one_of: chip}}
    do:
      - got: {move: 1 of chip, from: box, to: mine(me)}
      - more: {may: [keep]}
      - last: {run: gift}
  keep: {do: [kept: {move: up to 1 of red, from: box, to: mine(me)}]}
  stop: {text: Stop., do: [out: {leave: me}]}
  show: {}
procedures:
  gift: [given: {move: up to 1 of blue, from: box, to: gifts(me)}]
  ending: [over: {finish: game, winners: first_player}]
setup:
  - chosen: {for_each: seat, must: [pick], by: seat}
turn:
  - act: {must: [pick, stop]}
round:
  - turns: {for_each: seat, turn: seat}
  - often: {times: players, do: [one: {move: up to 1 of red, from: box, to: mine(first_player)}]}
  - done: {when: round_number is 3, finish: game}
finale:
  - shown: {for_each: seat, must: [show], by: seat}
  - ended: {run: ending}
ranking: [{chips: {most: count(mine(seat))}}]
"""
FULL = DRAFT.replace("ROOM", "")
ROOMY = DRAFT.replace("ROOM", "away: {holds: chip, seen_by: all}")


def test_what_is_decided_in_the_set_up_and_at_the_end_is_described_there() -> None:
    book = print_book(FULL)
    assert "### Step: chosen" in chapter(book, "Setting up")
    assert "#### Pick" in chapter(book, "Setting up")
    assert "### Step: shown" in chapter(book, "The end of the game")
    assert "### Ending" in chapter(book, "The end of the game")
    assert "### Step: act" in chapter(book, "A turn")
    assert not {"### Step: chosen", "### Step: shown", "### Ending"} & set(chapter(book, "A turn").splitlines())


def test_what_is_decided_in_an_action_takes_in_nothing_that_follows() -> None:
    turn = chapter(print_book(FULL.replace("must: [pick], by: seat", "must: [show], by: seat")), "A turn")
    assert turn.index("#### Pick") < turn.index("#### Stop") < turn.index("### Step: more") < turn.index("#### Keep")
    assert "[More on this.](#step-more)" in turn


def test_everything_else_starts_empty_only_where_something_is_left() -> None:
    assert "Everything else starts empty." not in print_book(FULL)
    assert "Everything else starts empty." in print_book(ROOMY)


def test_what_leaving_means_for_the_places_is_said() -> None:
    end = chapter(print_book(FULL), "The end of the game")
    assert "Who has left the game comes after all who are still in it" in end
    assert "Whoever a rule names as a winner is first all the same." in end
    assert "Qui a quitté la partie vient après tous ceux qui sont encore en jeu" in print_book(FULL, "fr")


def test_a_step_is_one_item_for_all_numbers_of_players() -> None:
    round_ = chapter(print_book(FULL), "How the game goes")
    assert sum(line.startswith("- ") and "times" in line for line in round_.splitlines()) == 1


# ---- sources --------------------------------------------------------------------------------------------------------

CITING = """
files: [sources.yaml]
book:
  reason: {at: questions, title: Why?, text: Because., source: {third: A}}
  manner: {at: questions, title: How?, text: So., source: {first: A}}
sources: draft
works:
  first: {title: First, sections: [A]}
  unread: {title: Unread, sections: [A]}
  third: {title: Third, sections: [A]}
"""


def test_works_are_numbered_without_holes() -> None:
    questions = chapter(print_book(FULL + CITING), "Questions and rulings")
    assert "Because. *\\[2: A\\]*" in questions
    assert "- 1. First\n- 2. Third\n" in questions

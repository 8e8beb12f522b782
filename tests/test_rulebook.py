"""The rulebook says every rule, in every language, changes with the rules, and can be read anywhere."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from command_line import CommandLine
from games.playing import GAMES, ODD, game_file, variant_files
from rulewright.diagnostics import Diagnostics
from rulewright.diagram.node_text import NodeText as Pictured
from rulewright.document.document import load_document
from rulewright.document.statements import group_by_publication, load_statements
from rulewright.expr.templates import Hole
from rulewright.expr.tree import ReadParameter
from rulewright.expr.types import Member
from rulewright.expr.walk import iter_exprs
from rulewright.model.locate import available_variants, find_game
from rulewright.model.rules import Choose, Clause, Rules, RunSteps
from rulewright.rulebook.assemble import build_rulebook
from rulewright.rulebook.blocks import (
    BookBlock,
    FigureBlock,
    Heading,
    RichText,
    Rulebook,
    TableBlock,
    TextBlock,
    plain_text,
)
from rulewright.rulebook.chapters.printed_rules import printed_rules_section
from rulewright.rulebook.html import to_html
from rulewright.rulebook.markdown import to_markdown
from rulewright.rulebook.rules_by_count import load_rules_by_count, load_rules_without_variants
from rulewright.rulebook.tracked_changes import mark_changes
from rulewright.rulebook.writer import RulebookWriter
from rulewright.source.reader import peek_text
from rulewright.wording.labels import Labels
from rulewright.wording.messages import Messages, load_messages

ROOT = Path(__file__).parent.parent
SHIPPED = "splendor"
JOINED = {  # variants that belong to others need these
    path.stem: tuple(re.search(r"requires: \[(.*)\]", peek_text(path))[1].split(", "))
    for path in available_variants(SHIPPED).values()
    if "requires: [" in peek_text(path)
}
VARIANTS = [
    JOINED.get(name, (name,)) for name, path in available_variants(SHIPPED).items() if not name.startswith("players-")
]
CASES = [
    pytest.param(SHIPPED, (), id=SHIPPED),
    *[pytest.param(SHIPPED, names, id="+".join(names), marks=pytest.mark.slow) for names in VARIANTS],
    *[pytest.param(str(game_file(game)), (), id=game) for game in GAMES],
    *[pytest.param(str(game_file(game)), (str(path),), id=path.stem) for game in GAMES for path in variant_files(game)],
    *[pytest.param(str(path), (), id=path.stem) for path in ODD],
]


@cache
def rules_of(game: str, variants: tuple[str, ...]) -> tuple[dict[int, Rules], dict[str, frozenset[str]]]:
    return load_rules_by_count(game, None, variants)


@cache
def book_of(game: str, variants: tuple[str, ...], code: str = "en") -> Rulebook:
    return build_rulebook(rules_of(game, variants)[0], code)


def covered_addresses(book: Rulebook) -> frozenset[str]:
    """The addresses of all rules that the book states."""
    return frozenset().union(*(block.covers for block in book.blocks))


# ---- every rule is said ---------------------------------------------------------------------------------------------


def deciding(rules: Rules) -> Iterator[str]:
    """The address of everything that permits, forbids or changes something."""
    clauses: list[Clause] = []
    undone = Labels({rules.players: rules}, rules.players, "en", Messages(rules, "en")).impossible_steps[rules.players]
    for action in rules.actions:
        yield action.address
        yield from (choice.address for choice in action.choices)
        clauses += action.clauses
    for block in rules.blocks:
        for step in block.steps:
            if step.address in undone:
                continue
            yield step.address
            if isinstance(step.effect, Choose):
                clauses += [clause for offer in step.effect.offers for clause in offer.clauses]
    yield from (clause.address for clause in clauses)
    yield from (criterion.address for criterion in rules.ranking)
    for name, zone in rules.zones.items():
        yield f"zones.{name}"
        yield f"zones.{name}.seen_by"
        yield from [f"zones.{name}.at_most"] if zone.capacity is not None else []
        yield from [f"zones.{name}.forgets"] if zone.is_forgetful else []
        yield from [f"zones.{name}.refill"] if zone.refill is not None else []
    yield from (f"parameters.{name}" for name in rules.parameters)
    yield from (f"state.{name}" for name in rules.states)
    said = rules.languages["en"].sentences
    if any(one.terms for one in rules.strategies):  # else what only bots go by is no rule to play by
        yield from (f"values.{name}" for name in rules.values if f"values.{name}" in said)
    yield from (f"kinds.{name}" for name in rules.kinds if f"kinds.{name}" in said)
    yield from (f"components.{name}" for name, one in rules.components.items() if one.ids)
    yield from (f"{passage.address}" for passage in rules.passages if passage.address in said and passage.when is None)
    yield from (one.address for one in rules.invariants if one.address in said)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "variants"), CASES)
def test_every_rule_that_decides_something_is_in_the_book(game: str, variants: tuple[str, ...]) -> None:
    rules, _ = rules_of(game, variants)
    for code in rules[max(rules)].languages:
        said = covered_addresses(book_of(game, variants, code))
        for one in rules.values():
            assert set(deciding(one)) - said == set()


@pytest.mark.parametrize(("game", "variants"), CASES)
def test_what_says_a_rule_says_something(game: str, variants: tuple[str, ...]) -> None:
    found = book_of(game, variants)
    for block in found.blocks:
        texts = [cell for row in block.rows for cell in row.cells] if isinstance(block, TableBlock) else [_text(block)]
        assert all(plain_text(text).strip() or any(run.glyph for run in text) for text in texts), block.key
        assert "{" not in "".join(plain_text(text) for text in texts), block.key
    keys = [block.key for block in found.blocks]
    assert len(keys) == len(set(keys))


def _text(block: BookBlock) -> RichText:
    assert not isinstance(block, TableBlock)
    return block.caption if isinstance(block, FigureBlock) else block.text


@pytest.mark.slow
def test_sentences_of_the_shipped_game_say_all_of_its_rules() -> None:
    """Nothing in the shipped rulebook, nor with its variants, is told from an expression."""
    for names in [(), *VARIANTS]:
        rules, _ = rules_of(SHIPPED, names)
        for one in rules.values():
            nested = {
                step.address
                for block in one.blocks
                for step in block.steps
                if isinstance(step.effect, RunSteps) or step.address.count(".do.") > 1
            }
            for code in ("en", "fr"):
                said = {*one.languages[code].sentences}
                for action in one.actions:
                    assert {f"{part.address}.text" for part in (*action.choices, *action.clauses)} <= said
                steps = {step.address for block in one.blocks for step in block.steps} - nested
                assert {address for address in steps if not address.startswith("setup")} <= said


# ---- it changes with the rules --------------------------------------------------------------------------------------


def other_value(rules: Rules, name: str) -> str:
    from rulewright.expr.types import Flag, Number

    definition = rules.parameters[name]
    value, type_ = definition.value, definition.type
    match type_:
        case Flag():
            return "false" if value else "true"
        case Number(low=low):
            assert isinstance(value, int)
            return str(value - 1 if value > low else value + 1)
        case Member(kind=kind):
            info = rules.kinds[kind]
            return next(word for word, number in zip(info.members, info.member_values, strict=True) if number != value)
        case _:
            raise AssertionError(type_)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(rules_of(SHIPPED, ())[0][2].parameters))
def test_another_value_changes_both_languages(name: str) -> None:
    base = rules_of(SHIPPED, ())[0]
    setting = f"{name}={other_value(base[3], name)}"
    for code in ("en", "fr"):
        words = Messages(base[3], code)
        before, after = book_of(SHIPPED, (), code), book_of(SHIPPED, (setting,), code)
        assert to_markdown(before, words) != to_markdown(after, words)
        holes = {
            address
            for address, sentence in base[3].languages[code].sentences.items()
            for part in sentence.parts
            if isinstance(part, Hole)
            and any(isinstance(one, ReadParameter) and one.name == name for one in iter_exprs(part.expr))
        }
        told = {block.key: plain_text(block.text) for block in before.blocks if isinstance(block, TextBlock)}
        now = {block.key: plain_text(block.text) for block in after.blocks if isinstance(block, TextBlock)}
        for address in holes & set(told) & covered_addresses(before):
            if name != "nobles_shown" or address != "setup.nobles":
                assert told[address] != now.get(address), address


def test_numbers_of_players_stand_side_by_side() -> None:
    text = to_markdown(book_of(SHIPPED, ()), Messages(rules_of(SHIPPED, ())[0][4], "en"))
    assert "| Tokens of each gem colour | 4 | 5 | 7 |" in text
    alone = to_markdown(
        build_rulebook({3: rules_of(SHIPPED, ())[0][3]}, "en"), Messages(rules_of(SHIPPED, ())[0][3], "en")
    )
    assert "| Tokens of each gem colour | 5 |" in alone
    assert "2 players" not in alone


COUNTED = """
game: counted
version: 1.0.0
language: 1
text: Counted
players: 2 to 4
overlays: [3]
state:
  turns: {type: 0 to 9, start: 0}
parameters:
  most: {value: 2, type: 1 to 9}
actions:
  go: {text: "Go, at most {most} times.", do: [go: {set: turns, to: turns + 1}]}
turn:
  - act: {must: [go]}
  - last: {when: turns >= most, finish: game}
round:
  - turns: {for_each: seat, turn: seat}
"""
THREE = """
variant: three
for: counted
players: 3
applies: always
set:
  parameters.most: 3
  actions.go.text: "With three, go {most} times."
add:
  parameters.third: {value: 1, type: 1 to 9}
  actions.stay: {text: Stay., do: [stay: {set: turns, to: "min(turns + third, 9)"}]}
  turn.act.must.stay: {}
insert:
  turn.show: {at: end, when: turns is 1, set: turns, to: 2}
"""


def test_what_holds_for_some_numbers_of_players_says_so(tmp_path: Path) -> None:
    (tmp_path / "variants").mkdir()
    (tmp_path / "counted.yaml").write_text(COUNTED, encoding="utf-8")
    (tmp_path / "variants" / "three.yaml").write_text(THREE, encoding="utf-8")
    rules, _ = load_rules_by_count(str(tmp_path / "counted.yaml"), None, ())
    found = build_rulebook(rules, "en")
    for one in rules.values():
        assert set(deciding(one)) - covered_addresses(found) == set()
    text = to_markdown(found, Messages(rules[2], "en"))
    assert "*With 2 or 4 players:* Go, at most 2 times." in text
    assert "*With 3 players:* With three, go 3 times." in text
    assert re.search(r"\*With 3 players:\* If “turns” is 1: “turns” becomes 2\.", text)
    assert "| most | 2 | 3 | 2 |" in text
    assert "| *With 3 players:* third | – | 1 | – |" in text
    assert "#### Stay (With 3 players)" in text


# ---- boards of squares ----------------------------------------------------------------------------------------------

NARROW = """
game: narrow
version: 1.0.0
language: 1
text: Narrow
players: 2
kinds: {cell: {grid: "players + 1 by 2", text: The squares}, stone: [pebble]}
zones: {board: {holds: stone, per: cell, seen_by: all}}
actions: {stay: {}}
round: [{play: {by: first_player, must: [stay]}}, {over: {finish: game}}]
"""
LONGER = """
variant: longer
for: narrow
text: The board is longer.
set: {kinds.cell.grid: 4 by 2}
"""


def test_a_board_of_squares_is_described_and_drawn(tmp_path: Path) -> None:
    game = str(game_file("tic-tac-toe"))
    words = Messages(rules_of(game, ())[0][2], "en")
    text = to_markdown(book_of(game, ()), words)
    there = text[text.index("## What there is") : text.index("## Setting up")]
    assert "3 by 3 squares. The letter gives the column, from a to c, the number the row, from 1 to 3: a1, b1" in there
    assert "- **Lines of three squares, across, down and aslant**: 8 of them" in there
    assert "      a   b   c\n   1 [ ] [ ] [ ]\n   2 [ ] [ ] [ ]\n   3 [ ] [ ] [ ]\n" in text
    drawn = to_html(book_of(game, (), "fr"), Messages(rules_of(game, ())[0][2], "fr"))
    assert "3 cases sur 3" in drawn
    assert drawn.count('width="40" height="40" rx="5"') == 9
    path = tmp_path / "narrow.yaml"
    path.write_text(NARROW, encoding="utf-8")
    longer = tmp_path / "longer.yaml"
    longer.write_text(LONGER, encoding="utf-8")
    rules, changes = load_rules_by_count(str(path), None, (str(longer),))
    words = Messages(rules[2], "en")
    text = to_markdown(
        mark_changes(
            build_rulebook(load_rules_without_variants(str(path), rules), "en"),
            build_rulebook(rules, "en"),
            changes,
            words,
        ),
        words,
    )
    assert "~~3~~ <ins>4</ins> *[longer]* by 2 squares." in text or "~~3~~ <ins>4</ins> by 2 squares." in text


# ---- what there is, who has left, what is done ----------------------------------------------------------------------

FEW = """
game: few
version: 1.0.0
language: 1
text: {en: Few, fr: Peu}
players: 2 to 4
kinds:
  rank: {members: [low, high], text: {en: Ranks, fr: Rangs}}
components:
  tile: {fields: {rank: rank, worth: 0 to 5}, starts_in: pile, text: {en: Tile, fr: Tuile}, rows: [ROWS]}
parameters: {laid: {value: if players is 2 then 3 else 0, type: 0 to 5, text: {en: Laid open, fr: Découvertes}}}
zones:
  pile: {holds: tile, order: shuffled, seen_by: nobody}
  open: {holds: tile, seen_by: all}
  fist: {holds: tile, per: seat, seen_by: owner, text: {en: Hand, fr: Main}}
state: {passes: {type: 0 to 9, text: {en: Passes, fr: Passes}}}
values:
  free: {is: "each seat in others where left(seat) is 0", text: {en: Whom one can ask, fr: À qui l'on peut demander}}
setup:
  - lay:
      when: laid > 0
      move: top laid
      from: pile
      to: open
      text: {en: "{laid} are laid open.", fr: "{laid} ouvertes."}
  - deal: {for_each: seat, move: top, from: pile, to: fist(seat)}
actions:
  ask:
    text: {en: Ask another., fr: Demander à un autre.}
    choose: {whom: {one_of: free}}
    when: {some: {is: free is not empty}, held: {is: some tile in fist(me) has tile.rank is low}}
    do:
      - out: {leave: whom}
      - shown: {reveal: fist(whom), to: me}
      - lost: {move: each tile in fist(me) where tile.rank is high, to: open}
  stay:
    text: {en: Stay., fr: Rester.}
    do:
      - more: {set: passes, to: "min(passes + 1, 9)"}
      - fewer: {set: passes, to: "max(passes - 2, 0)"}
turn:
  - act: {must: [ask], otherwise: stay}
  - over: {when: count(everyone) is 1, finish: game}
round:
  - turns: {for_each: seat, turn: seat}
  - done: {when: passes is 9, finish: game}
book:
  whom: {at: actions.ask.choose.whom, title: {en: the one asked, fr: qui est interrogé}}
  many: {at: components.tile, text: "{count(each tile where tile.rank is low)} are low."}
"""


@cache
def few() -> dict[int, Rules]:
    rows = [f"{{id: low_{at}, rank: low, worth: 1}}" for at in range(9)]
    rows += [f"{{id: high_{at}, rank: high, worth: 4}}" for at in range(5)]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "few.yaml"
        path.write_text(FEW.replace("ROWS", ", ".join(rows)), encoding="utf-8")
        return load_rules_by_count(str(path), None, ())[0]


def few_book(code: str = "en") -> str:
    return to_markdown(build_rulebook(few(), code), Messages(few()[2], code))


def test_few_sorts_are_listed_with_how_many_there_are() -> None:
    assert re.search(r"\| low \| 1 \| 9 \|\n\| high \| 4 \| 5 \|", few_book())


def test_who_has_left_is_put_in_words() -> None:
    assert "- Who has left the game." in few_book()
    assert "- Qui a quitté la partie." in few_book("fr")


def test_the_one_action_stands_before_what_is_done_otherwise() -> None:
    assert re.search(
        r"The player does this:\n\n- \[Ask\]\(#ask\)\n\nOnly if none of these is possible: \[Stay\]", few_book()
    )


def test_seats_can_leave_so_how_many_there_are_is_not_known() -> None:
    assert "If the number of players still in the game is 1: the game ends at once." in few_book()


def test_what_is_never_done_with_so_many_players_is_left_out() -> None:
    assert "*With 2 players:* 3 are laid open." in few_book()
    three = {3: few()[3]}
    assert "laid open" not in to_markdown(build_rulebook(three, "en"), Messages(few()[3], "en")).replace(
        "Laid open", ""
    )


def test_what_has_only_a_label_is_put_in_words() -> None:
    assert "- “Whom one can ask” is not empty." in few_book()
    wanted = "- **Whom one can ask**: those of the other players for whom that player is still in the game."
    assert wanted in few_book()
    assert "- « À qui l'on peut demander » n'est pas vide." in few_book("fr")


def test_counters_go_up_and_down() -> None:
    assert "“Passes” goes up by 1, to 9 at most." in few_book()
    assert "“Passes” goes down by 2, to 0 at least." in few_book()
    assert "« Passes » augmente de 1, jusqu'à 9 au plus." in few_book("fr")


def test_what_has_no_words_is_put_in_whole_sentences() -> None:
    text = few_book()
    assert "For at least one tile of “fist” of the player, the rank of that tile is low." in text
    assert "Each tile of “fist” of the player for which the rank of that tile is high goes to “open”." in text
    assert "9 are low." in text


def test_a_choice_among_all_members_of_a_kind_names_the_kind() -> None:
    text = to_markdown(book_of(str(game_file("tic-tac-toe")), ()), Messages(rules_of(SHIPPED, ())[0][2], "en"))
    assert "- **square**: one of “Squares of the board”" in text


def test_the_title_of_a_choice_is_what_it_is_called() -> None:
    text = few_book()
    assert "- **the one asked**: one of “Whom one can ask”" in text
    assert "The one asked leaves the game." in text
    assert "“fist” of the one asked is shown to the player." in text


def test_players_are_called_by_number_and_equal_columns_are_one() -> None:
    game = str(game_file("tic-tac-toe"))
    text = to_markdown(book_of(game, ()), Messages(rules_of(game, ())[0][2], "en"))
    assert "| The mark of each player | player 1: cross, player 2: nought |" in text
    equal = {count: rules for count, rules in few().items() if count > 2}
    text = to_markdown(build_rulebook(equal, "en"), Messages(equal[3], "en"))
    numbers = text[text.index("## All numbers") : text.index("## Index")]
    assert "| what it is | number |" in numbers


def test_the_picture_of_a_turn_says_what_the_book_says() -> None:
    drawn = few_book().partition("```mermaid")[2].partition("```")[0].replace("<br>", " ")
    assert "The number of players still in the game is 1" in drawn
    assert "count(" not in drawn


def test_behind_a_sentence_stands_another() -> None:
    telling = Pictured(few()[2], "en")
    assert telling.join("All turn.", "for each of them") == "All turn. For each of them"
    assert telling.join("turn", "for each of them") == "turn: for each of them"


def test_french_signs_stand_apart_and_break_no_line() -> None:
    page = to_html(build_rulebook(few(), "fr"), Messages(few()[2], "fr"))
    body = re.sub(r"<style.*?</style>|<[^>]*>", "", page, flags=re.DOTALL)
    assert "«\u00a0" in body
    assert not re.search(r" [;:!?»]|« ", body)
    assert "\u00a0" not in to_html(build_rulebook(few(), "en"), Messages(few()[2], "en"))


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
  turn.look: {before: latest, when: aside is empty, finish: round}
remove: [invariants.total]
extend: {kinds.object: [twig]}
"""


def _without(text: RichText, change: str) -> str:
    text = tuple(run for run in text if not run.text.startswith((" (now:", " (maintenant")))
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


def test_a_change_beneath_the_same_sentence_is_marked(tmp_path: Path) -> None:
    path = tmp_path / "quiet.yaml"
    path.write_text(QUIET, encoding="utf-8")
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


def test_without_variants_nothing_is_marked() -> None:
    rules, _ = rules_of(SHIPPED, ())
    found = book_of(SHIPPED, ())
    assert mark_changes(found, found, {}, Messages(rules[2], "en")) == found


# ---- it can be read anywhere ----------------------------------------------------------------------------------------


class Page(HTMLParser):
    """What a page holds; complains of tags that do not match."""

    VOID = ("meta", "br", "img", "link", "hr", "input")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self.loaded: list[str] = []
        self.headings: list[int] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        found = {name: value or "" for name, value in attrs}
        self.ids += [found["id"]] if "id" in found else []
        self.links += [found["href"]] if tag == "a" else []
        self.loaded += [found[name] for name in ("src", "srcset", "data", "action") if name in found]
        self.loaded += [found["href"]] if tag != "a" and "href" in found else []
        assert not any(name.startswith("on") for name in found)
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.ids += [value or "" for name, value in attrs if name == "id"]

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag


@pytest.mark.parametrize(("game", "variants"), CASES)
def test_html_is_whole(game: str, variants: tuple[str, ...]) -> None:
    rules, _ = rules_of(game, variants)
    for code in rules[max(rules)].languages:
        text = to_html(book_of(game, variants, code), Messages(rules[max(rules)], code))
        page = Page()
        page.feed(text)
        page.close()
        assert page.open == []
        assert len(page.ids) == len(set(page.ids))
        assert all(link.startswith("#") and link[1:] in page.ids for link in page.links)
        assert all(one.startswith("#") for one in page.loaded)
        assert not {"script", "link", "img", "iframe", "object", "foreignobject"} & set(page.tags)
        assert "url(http" not in text
        assert "@import" not in text
        assert page.headings[0] == 1
        assert page.headings.count(1) == 1
        assert all(after - before <= 1 for before, after in zip(page.headings, page.headings[1:], strict=False))
        assert f'<html lang="{code}">' in text
        assert "width=device-width" in text
        assert "@media print" in text
        assert "prefers-color-scheme: dark" in text


@pytest.mark.parametrize(("game", "variants"), CASES)
def test_links_in_markdown_lead_to_headings(game: str, variants: tuple[str, ...]) -> None:
    rules, _ = rules_of(game, variants)
    for code in rules[max(rules)].languages:
        text = to_markdown(book_of(game, variants, code), Messages(rules[max(rules)], code))
        slugs: list[str] = []
        for line in re.sub(r"```.*?```", "", text, flags=re.DOTALL).splitlines():
            if heading := re.match(r"#+ (.*)", line):
                slug = re.sub(r"[^\w\- ]", "", heading[1].replace("\\", "").lower()).replace(" ", "-")
                slugs.append(slug if slug not in slugs else f"{slug}-{sum(one == slug for one in slugs)}")
        assert set(re.findall(r"\]\(#([^)]*)\)", text)) <= set(slugs)
        for lines in re.findall(r"(?:^\|.*\n)+", text, flags=re.MULTILINE):
            widths = {len(re.findall(r"(?<!\\)\|", line)) for line in lines.splitlines()}
            assert len(widths) == 1


@pytest.mark.slow
def test_the_appendix_lists_all_things_and_sources() -> None:
    rules = rules_of(SHIPPED, ())[0]
    said: list[str] = []

    def section(w: RulebookWriter) -> None:
        w.add_heading(3, "mine", "Mine", "mine")
        w.add_text("paragraph", "mine.text", "More.")
        said.append(w.labels.locale)

    for code in ("en", "fr"):
        found = build_rulebook(rules, code, extra_sections=[section])
        [*_, cards, nobles, printed] = [block for block in found.blocks if isinstance(block, TableBlock)]
        assert [len(cards.rows), len(nobles.rows)] == [90, 10]
        assert len(printed.rows) > 10
        assert "### Mine\n\nMore.\n" in to_markdown(found, Messages(rules[2], code))
        page = Page()
        page.feed(to_html(found, Messages(rules[2], code)))
        assert all(link[1:] in page.ids for link in page.links)
    assert set(said) == {"en", "fr"}


@pytest.mark.slow
def test_it_is_the_same_each_time() -> None:
    command = [sys.executable, "-m", "rulewright", "rulebook", "--variant", "gold-alone", "--changes"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "interpreter")}
    first, second = (
        subprocess.run(
            command, capture_output=True, check=True, cwd=ROOT, env={**environment, "PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    )
    assert first == second
    assert len(first) > 10_000


def test_a_picture_shows_the_parts_of_a_card() -> None:
    text = to_markdown(book_of(SHIPPED, ()), Messages(rules_of(SHIPPED, ())[0][2], "en"))
    card = text[text.index("┌") : text.index("┘")]
    assert {len(line) for line in card.splitlines()[1:-1]} == {32}
    assert all(sign in card for sign in "①②③④")
    assert all(f"- {sign} **" in text for sign in "①②③④")


def test_a_plan_shows_the_table() -> None:
    rules = rules_of(SHIPPED, ())[0]
    text = to_markdown(book_of(SHIPPED, ()), Messages(rules[2], "en"))
    assert "   3 [▒] [ ] [ ] [ ] [ ]\n   2 [▒]" in text
    assert "(W) (U) (G) (R) (K) (*)" in text
    wider = to_html(book_of(SHIPPED, ("five-wide",)), Messages(rules[2], "en"))
    assert wider.count('width="40" height="54" rx="5" fill="#fdfcf9"') == 3 + 3 * 5


# ---- the command ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_command_writes_files(run_cli: CommandLine, tmp_path: Path) -> None:
    page = tmp_path / "rules.html"
    assert run_cli("rulebook", "--lang", "fr", "-o", str(page)) == 0
    assert not run_cli.out
    assert page.read_text(encoding="utf-8").startswith('<!DOCTYPE html>\n<html lang="fr">')
    assert run_cli("rulebook", "--format", "md", "-o", str(page)) == 0
    assert page.read_text(encoding="utf-8").startswith("# Splendor\n")
    assert [one.name for one in tmp_path.iterdir()] == ["rules.html"]


def test_a_language_that_only_the_program_speaks(run_cli: CommandLine, heaps: str) -> None:
    assert run_cli("rulebook", heaps, "--lang", "fr") == 0
    assert "## La mise en place" in run_cli.out
    assert "Take any number of matches from one heap." in run_cli.out
    assert "Si « heaps » est vide : la partie s'arrête aussitôt." in run_cli.out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--lang", "de"), "has no language 'de'"),
        (("--players", "7"), "for 2 to 4 players, not for 7"),
        (("--variant", "gold-alon"), "no variant 'gold-alon'"),
        (("-o", "no/such/folder.md"), "cannot write"),
        (("--format", "pdf"), "invalid choice"),
    ],
)
def test_wrong_use_is_reported(run_cli: CommandLine, words: tuple[str, ...], told: str) -> None:
    assert run_cli("rulebook", *words) == 2
    assert told in run_cli.err
    assert not run_cli.out


# ---- words ----------------------------------------------------------------------------------------------------------


def test_both_languages_have_all_words_and_use_them() -> None:
    english, french = load_messages("en"), load_messages("fr")
    assert list(english) == list(french)
    package = ROOT / "interpreter" / "rulewright"
    modules = [path for name in ("wording", "diagram", "rulebook") for path in (package / name).rglob("*.py")]
    written = "\n".join(path.read_text(encoding="utf-8") for path in modules)
    for key in english:
        holes = re.findall(r"\{[a-z]+\}", english[key])
        assert set(holes) == set(re.findall(r"\{[a-z]+\}", french[key])), key
        if key.startswith("book_"):
            name = key.removeprefix("book_")
            heads = [name[:at] for at, sign in enumerate(name) if sign == "_"]
            used = f'"{name}"' in written or f'"{key}"' in written or f"'{key}'" in written
            made = any(f"f{sign}{head}_{{" in written for head in heads for sign in "\"'")
            assert used or made or any(f'}}{name[len(head) :]}"' in written for head in heads), key


TEXT = (ROOT / "rules" / "MANUAL.md").read_text(encoding="utf-8").partition("## The rulebook")[2].partition("\n## ")[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        one
        for block in re.findall(r"```console\n(.*?)```", TEXT, re.DOTALL)
        for one in re.findall(r"^\$ rulewright (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
    ],
)
def test_the_readme_shows_what_is_printed(
    run_cli: CommandLine, command: str, wanted: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_cli(*shlex.split(command)) == 0
    pattern = "".join("(?:.*\\n)*?" if line == "…\n" else re.escape(line) for line in wanted.splitlines(keepends=True))
    assert re.fullmatch(pattern, run_cli.out), run_cli.out


@pytest.mark.slow
@pytest.mark.parametrize("code", ["en", "fr"])
def test_every_printed_statement_leads_to_where_the_book_says_it(code: str) -> None:
    document = load_document(find_game("splendor"), Diagnostics())
    assert document is not None
    works = group_by_publication(document, load_statements(document))
    found = build_rulebook(
        load_rules_by_count("splendor", None, ())[0], code, extra_sections=[printed_rules_section(works)]
    )
    anchors = {block.anchor for block in found.blocks if isinstance(block, Heading)}
    rows = {row.key: row for block in found.blocks if isinstance(block, TableBlock) for row in block.rows}
    wanted = [(work.id, at, one) for work in works for at, part in enumerate(work.sections) for one in part.statements]
    assert len(wanted) > 300
    for work, at, one in wanted:
        _, said, here = rows[f"appendix.stated.{work}.{at}.{one.number}"].cells
        assert "".join(run.text for run in said) == one.text[code]
        leads = {run.link for run in here if run.link}
        assert leads <= anchors
        assert leads if not one.reason else one.reason[code] in here[0].text

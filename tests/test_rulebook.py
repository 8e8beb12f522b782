"""The rulebook says every rule, in every language, and changes with the rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulebooks import CASES, SHIPPED, VARIANTS, book_of, rules_of
from rulewright.expr.sentence_template import Hole
from rulewright.expr.tree import ReadParameter
from rulewright.expr.types import Member
from rulewright.expr.walk import iter_exprs
from rulewright.model.actions import Clause
from rulewright.model.effects import Choose, RunSteps
from rulewright.model.rules import Rules
from rulewright.rulebook.assemble import build_rulebook
from rulewright.rulebook.blocks import (
    BookBlock,
    FigureBlock,
    RichText,
    Rulebook,
    TableBlock,
    TextBlock,
    plain_text,
)
from rulewright.rulebook.markdown import to_markdown
from rulewright.rulebook.rules_by_count import load_rules_by_count
from rulewright.wording.labels import Labels
from rulewright.wording.messages import Messages

pytestmark = pytest.mark.slow


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
    yield from (f"state.{name}" for name, state in rules.states.items() if state.is_shown)
    book = rules.explanations.book()
    said = book.languages["en"].sentences
    if any(one.terms for one in rules.strategies):  # else what only bots go by is no rule to play by
        yield from (f"values.{name}" for name in rules.values if f"values.{name}" in said)
    yield from (f"kinds.{name}" for name in rules.kinds if f"kinds.{name}" in said)
    yield from (f"components.{name}" for name, one in rules.components.items() if one.ids)
    yield from (passage.address for passage in book.passages if passage.address in said and passage.when is None)
    yield from (one.address for one in rules.invariants if one.address in said)


@pytest.mark.sampled(2)
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
                    assert {part.address for part in (*action.choices, *action.clauses)} <= said
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
language: 2
text: Counted
players: 2 to 4
files: [three.yaml]
state:
  turns: {type: 0 to 9, start: 0}
parameters:
  most: {value: 2, type: 1 to 9}
actions:
  go: {text: "Go, at most {most} times.", do: [go: {set: turns, to: turns + 1}]}
turn:
  - act: {must: [go]}
  - last: {when: turns >= most, end_game: now}
round:
  - turns: {for_each: player, turn: player}
"""
THREE = """
adjusts: counted
players: 3
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
    (tmp_path / "counted.yaml").write_text(COUNTED, encoding="utf-8")
    (tmp_path / "three.yaml").write_text(THREE, encoding="utf-8")
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

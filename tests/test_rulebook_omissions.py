"""What a rulebook would otherwise tell nowhere, or as something else."""

from __future__ import annotations

import pytest

from rulebooks import book_of, chapter, print_book, rules_of
from rulewright.rulebook.markdown import to_markdown
from rulewright.wording.messages import Messages

pytestmark = pytest.mark.slow

ORCHARD = """
game: orchard
version: 1.0.0
language: 2
text: Orchard
players: 2
kinds: {fruit: {members: [apple, plum], names: {apple: apple | apples, plum: plum | plums}}}
parameters: {goal: {value: 3, type: 1 to 5, text: Goal}}
zones:
  tree: {holds: fruit, seen_by: all, start: 3 of fruit}
  pot: {holds: fruit, seen_by: nobody, start: 2 of fruit}
  basket: {holds: fruit, per: player, seen_by: all}
values:
  worth: {per: player, is: "3 * basket(player, apple) - basket(player, plum)", text: Points for fruit}
  all_told: {per: player, is: count(basket(player)), text: What lies in the basket is counted.}
  may_pick: {per: player, is: worth(player) < 5, why: You have enough.}
actions:
  pick:
    text: Pick a fruit.
    choose: {fruit: {one_of: tree}}
    when: {enough: may_pick(me)}
    do: [pick: {move: fruit, from: tree, to: basket(me)}]
turn:
  - pick: {must: [pick], if_unable: nothing}
  - gift:
      state: {lucky: {type: flag, text: Luck}}
      do:
        - luck: {when: pot is not empty, set: lucky, to: true}
        - gift: {when: lucky, by: opponent, must: [pick], if_unable: nothing}
        - more: {move: up to 1 at random, from: pot, to: basket(me)}
  - bare: {when: tree is empty or all_told(me) > goal, end_game: now, winners: me}
round:
  - turns: {for_each: player, turn: player}
ranking: [worth: {most: worth(player)}]
measures: {m: {is: round_number, text: Rounds}}
sentences: {turn.pick.title: A fruit, actions.pick.title: Picking, values.worth.title: Score, values.all_told.title: A}
book:
  apples:  {at: kinds.fruit.names.apple, text: Apples are red.}
  version: {at: version, text: The first one.}
  measure: {at: measures.m, text: Rounds are short.}
  amount:  {at: parameters.goal, text: Three are many.}
  start:   {at: zones.tree.start, text: Three of each grow there.}
  domain:  {at: actions.pick.choose.fruit.one_of, text: Not from the pot.}
  winner:  {at: turn.bare.winners, text: Alone.}
"""


def test_a_passage_is_printed_wherever_it_stands() -> None:
    book = print_book(ORCHARD)
    for said in (
        "Apples are red",
        "The first one",
        "Rounds are short",
        "Three are many",
        "Three of each",
        "Not from the",
    ):
        assert book.count(said) == 1, said
    assert "Alone." in chapter(book, "A turn")


def test_a_value_that_has_only_a_name_is_defined() -> None:
    terms = chapter(print_book(ORCHARD), "Terms to know")
    assert "**Score**: Points for fruit *(= 3 times the number of apples in" in terms
    assert "**A**: What lies in the basket is counted.\n" in terms
    assert "**May pick**: “Score” of that player is less than 5." in terms


def test_an_action_of_several_steps_has_a_section_of_its_own() -> None:
    book = print_book(ORCHARD)
    assert "#### Picking" in book
    assert "- [Picking](#picking)" in book


def test_what_steps_remember_is_no_public_knowledge() -> None:
    secrets = chapter(print_book(ORCHARD), "What is open, what is secret")
    assert "everybody knows" not in secrets.partition("During some steps one has to remember")[0].rpartition("|")[2]
    assert "During some steps one has to remember" in secrets


def test_a_place_that_nobody_sees_is_drawn_as_a_pile() -> None:
    rules, _ = rules_of("whist", ())
    assert "  [▒]\n" in to_markdown(book_of("whist", ()), Messages(rules[4], "en"))

"""Variants laid over a game: what comes out, and who wrote it."""

from __future__ import annotations

from pathlib import Path

import pytest

from overlays import FOLDER, at, base, lay, names, variants
from rulewright.cli.main import main
from rulewright.diagnostics import Diagnostics
from rulewright.document.address import find_entry
from rulewright.document.document import Document
from rulewright.document.editing import entry_span, iter_writers
from rulewright.source.nodes import ScalarNode, to_builtins
from rulewright.variants.overlay import apply_variants


def test_players_of_the_game(tmp_path: Path) -> None:
    diagnostics = Diagnostics()
    paths = [tmp_path / "a.yaml"]
    paths[0].write_text("variant: a\nfor: chips\nplayers: 3\nset: {parameters.goal: 10}\n", encoding="utf-8")
    apply_variants(base(), variants(diagnostics, paths), diagnostics, players=3)
    assert not diagnostics
    apply_variants(base(), variants(diagnostics, paths), diagnostics, players=2)
    assert [one.code.name for one in diagnostics] == ["players-do-not-fit"]


# what comes out
def test_set_keeps_what_was_there(tmp_path: Path) -> None:
    first = lay(tmp_path, "set: {parameters.goal: {expects: 15, value: 12}, parameters.limit: 5}")
    goal = at(first, "parameters.goal.value")
    assert to_builtins(goal.value) == 12
    assert [span.source.text[span.start : span.end] for span in goal.history] == ["15"]
    assert to_builtins(at(first, "parameters.goal").value) == {
        "value": 12,
        "type": "1 to 99",
        "text": "Points that end the game",
    }
    second = lay(tmp_path, "set: {parameters.goal: 10, parameters.limit.value: 4}", over=first)
    layers = at(second, "parameters.goal.value").history
    assert [span.source.text[span.start : span.end] for span in layers] == ["15", "12"]
    assert to_builtins(at(second, "parameters.limit").value) == 4
    assert len(at(second, "parameters.limit").history) == 2
    assert second.variant_names == ("a", "a")


def test_a_bare_value_changes_the_expression_only(tmp_path: Path) -> None:
    document = lay(
        tmp_path,
        """set:
  actions.take.when.left: supply(colour) > 1
  values.points.sum.chips: 4
  actions.take.text: {expects: Take a chip., value: Take one.}
  invariants.few: {expects: true, value: "limit < 9"}
""",
    )
    assert to_builtins(at(document, "invariants.few").value) == {"after": "turn", "is": "limit < 9"}
    assert to_builtins(at(document, "actions.take.when.left").value) == {
        "is": "supply(colour) > 1",
        "why": "No {colour} is left.",
    }
    assert to_builtins(at(document, "values.points.sum.chips").value) == 4


def test_add(tmp_path: Path) -> None:
    document = lay(
        tmp_path,
        """add:
  parameters.limit.type: 1 to 9
  turn.goal.when.why: Not there yet.
  values.points.sum.chips.text: One for each chip.
  actions.pass.when.late: round_number > 3
  actions.give.do.give.text: Back it goes.
  components.tile.rows.tile_3: {colour: green, points: 3}
  kinds.colour.black: {}
  turn.act.must.give: {}
  turn.act.must.take.odd: {is: limit > 3, why: Too few.}
  finale: [{count: {run: count}}]
  procedures.count: [{one: {set: state, to: 1}}]
  state.state: {type: 0 to 9}
""",
    )
    assert to_builtins(at(document, "parameters.limit").value) == {"value": 7, "type": "1 to 9"}
    assert to_builtins(at(document, "turn.goal.when").value) == {"is": "points(me) >= goal", "why": "Not there yet."}
    assert names(document, "components.tile.rows") == ("tile_1", "tile_2", "tile_3")
    assert to_builtins(at(document, "kinds.colour").value) == ["red", "blue", "green", "black"]
    assert to_builtins(at(document, "turn.act.must").value) == [
        {"take": {"odd": {"is": "limit > 3", "why": "Too few."}}},
        "pass",
        "give",
    ]
    assert at(document, "finale.count.run").value == at(document, "finale.count").value.get("run")
    assert names(document, "procedures.count.do") == ("one",)


def test_a_choice_is_inserted_before_one_that_uses_it(tmp_path: Path) -> None:
    document = lay(
        tmp_path,
        """insert:
  actions.give.choose.number: {before: chips, one_of: 1 to 2, why: One or two.}
  actions.give.choose.to: {after: chips, one_of: player}
set: {actions.give.choose.chips.total: number}""",
    )
    assert names(document, "actions.give.choose") == ("number", "chips", "to")
    assert to_builtins(at(document, "actions.give.choose.number").value) == {"one_of": "1 to 2", "why": "One or two."}


def test_insert_keeps_the_order_of_the_file(tmp_path: Path) -> None:
    document = lay(
        tmp_path,
        """insert:
  turn.one: {after: act, run: one}
  turn.two: {after: act, do: [{inner: {run: two}}]}
  turn.zero: {at: start, run: zero}
  turn.half: {at: start, run: half}
  turn.last: {at: end, run: last}
  turn.least: {at: end, run: least}
  turn.before: {before: goal, run: before}
  turn.three: {after: two, run: three}
  turn.two.do.more: {before: inner, run: more}
  setup.deal: {at: end, move: all, to: supply}
  kinds.colour.black: {before: blue}
""",
    )
    order = ("zero", "half", "act", "one", "two", "three", "give", "before", "goal", "last", "least")
    assert names(document, "turn") == order
    assert names(document, "turn.two.do") == ("more", "inner")
    assert names(document, "setup") == ("deal",)
    assert to_builtins(at(document, "kinds.colour").value) == ["red", "black", "blue", "green"]


def test_remove(tmp_path: Path) -> None:
    document = lay(
        tmp_path,
        "remove: [actions.give, turn.give, kinds.colour.blue, turn.act.must.pass, components.tile.rows.tile_2]",
    )
    assert names(document, "actions") == ("take", "pass")
    assert to_builtins(at(document, "kinds.colour").value) == ["red", "green"]
    assert to_builtins(at(document, "turn.act.must").value) == ["take"]


def test_what_did_not_change_is_shared(tmp_path: Path) -> None:
    before = base()
    after = lay(tmp_path, "set: {parameters.goal: 10}", over=before)
    assert find_entry(after.root, "actions.take").value is find_entry(before.root, "actions.take").value
    assert to_builtins(at(before, "parameters.goal.value").value) == 15


def test_one_after_the_other_overrides_it(tmp_path: Path) -> None:
    document = lay(
        tmp_path,
        "set: {parameters.goal: 10}\nadd: {actions.swap: {text: Swap.}}",
        """after: a
set: {parameters.goal: {expects: 10, value: 8}, actions.swap.text: Exchange.}
insert: {turn.x: {at: end, may: [swap]}}
""",
        "requires: b\nset: {parameters.goal: 6}\ninsert: {turn.y: {before: x, may: [swap]}}",
    )
    goal = at(document, "parameters.goal.value")
    assert to_builtins(goal.value) == 6
    assert [span.source.text[span.start : span.end] for span in goal.history] == ["15", "10", "8"]
    assert to_builtins(at(document, "actions.swap.text").value) == "Exchange."
    assert names(document, "turn") == ("act", "give", "goal", "y", "x")


def test_a_value_another_layer_set_is_no_empty_change(tmp_path: Path) -> None:
    below = lay(tmp_path, "set: {parameters.goal: 10}")
    assert to_builtins(at(lay(tmp_path, "set: {parameters.goal: 10}", over=below), "parameters.goal.value").value) == 10


def test_a_variant_opens_the_game_to_more_players(tmp_path: Path) -> None:
    document = lay(tmp_path, "players: 5\nset: {players: 2 to 5}")
    assert isinstance(at(document, "players").value, ScalarNode)


def test_adjustments_add_up(tmp_path: Path) -> None:
    texts = [
        "adjust: {parameters.goal: -2, parameters.limit: {times: 2}, actions.give.choose.chips.total: 1}",
        "adjust: {parameters.goal: 5, parameters.limit: {times: 3}, values.points.sum.chips: 4}",
    ]
    document = lay(tmp_path, *texts)
    assert to_builtins(at(document, "parameters.goal.value").value) == 18
    assert [span.source.text[span.start : span.end] for span in at(document, "parameters.goal.value").history] == [
        "15",
        "-2",
    ]
    assert to_builtins(at(document, "parameters.limit").value) == 42
    assert to_builtins(at(document, "actions.give.choose.chips.total").value) == 2
    assert to_builtins(at(document, "values.points.sum.chips").value) == "(count(purse(player))) + 4"
    above = lay(tmp_path, "adjust: {values.points.sum.chips: {times: -1}, parameters.goal: -20}", over=document)
    assert to_builtins(at(above, "values.points.sum.chips").value) == "((count(purse(player))) + 4) * -1"
    assert to_builtins(at(above, "parameters.goal.value").value) == -2


def history_lines(document: Document, address: str) -> list[str]:
    """Where a value was written, as the words that stand there."""
    entry = at(document, address)
    return [span.source.text[span.start : span.end] for span in (*entry.history, entry_span(entry))]


def test_every_layer_that_wrote_is_known(tmp_path: Path) -> None:
    """Also those that say what another says already, or make a list longer and shorter."""
    document = lay(
        tmp_path,
        "set: {parameters.goal: 10}\nextend: {turn.act.must: [give], kinds.colour: [grey]}\n"
        "add: {zones.box: {holds: tile, seen_by: all}}",
        "set: {parameters.goal: 10}\ndrop: {turn.act.must: [pass]}\nextend: {kinds.colour: [grey]}\n"
        "add: {zones.box: {holds: tile, seen_by: all}}",
        "after: [a, b]\nadjust: {parameters.goal: -3}\nset: {turn.act.must: [take]}\nremove: [turn.give]",
        "after: c\nset: {parameters.limit: 4}\nadd: {parameters.limit.type: 1 to 9}",
        "after: d\nadjust: {parameters.limit: 2}",
    )
    assert history_lines(document, "parameters.goal.value") == ["15", "10", "10", "-3"]
    assert history_lines(document, "turn.act.must") == ["[take, pass]", "turn.act.must", "turn.act.must", "[take]"]
    assert history_lines(document, "kinds.colour") == ["[red, blue, green]", "kinds.colour", "kinds.colour"]
    assert history_lines(document, "zones.box") == ["box", "box"]
    assert history_lines(document, "parameters.limit.value") == ["7", "4", "2"]


def test_a_clause_put_under_an_offer_is_known_for_what_it_is(tmp_path: Path) -> None:
    document = lay(
        tmp_path,
        "add: {turn.act.must.pass.late: {is: limit > 3}}\nextend: {turn.act.must: [give]}",
        "after: a\nset: {turn.act.must.pass.late: {is: limit > 4}}",
    )
    chain = dict(iter_writers(at(document, "turn")))
    assert [span.line for span in chain["act.must.pass.late"]] == [3, 4]
    assert "act.must.give" not in chain
    assert "act.must.take" not in chain


def test_one_may_change_a_bare_value_and_another_say_why(tmp_path: Path) -> None:
    """However the game writes it."""
    texts = (
        "set: {turn.goal.when: limit > 2, parameters.limit: 4}",
        ("add: {turn.goal.when.why: Not yet., parameters.limit.type: 1 to 9}"),
    )
    for order in (texts, texts[::-1]):
        document = lay(tmp_path, *order)
        assert to_builtins(at(document, "turn.goal.when").value) == {"is": "limit > 2", "why": "Not yet."}
        assert to_builtins(at(document, "parameters.limit").value) == {"value": 4, "type": "1 to 9"}


def test_two_may_remove_the_same(tmp_path: Path) -> None:
    """Either can be played without the other."""
    both = "remove: [turn.give, actions.give]\ndrop: {turn.act.must: [pass]}"
    document = lay(tmp_path, both, f"{both}\nset: {{parameters.goal: 3}}", "remove: [actions.give.text]")
    assert names(document, "turn") == ("act", "goal")
    assert to_builtins(at(document, "turn.act.must").value) == ["take"]
    assert history_lines(document, "turn.act.must") == ["[take, pass]", "turn.act.must", "turn.act.must"]


def test_lists_grow_and_shrink(tmp_path: Path) -> None:
    document = lay(
        tmp_path,
        """extend:
  kinds.colour: [black, {white: {en: white chip | white chips, fr: jeton blanc | jetons blancs}}]
  components.tile.rows: [{id: tile_3, colour: green, points: 3}, {id: tile_4, colour: red, points: 0}]
  turn.act.must: [{give: {odd: limit > 3}}]
drop:
  kinds.colour: [blue]
  turn.act.must: [pass]
  components.tile.rows: [tile_1, tile_2]
""",
    )
    assert to_builtins(at(document, "kinds.colour").value) == {
        "members": ["red", "green", "black", "white"],
        "names": {"white": {"en": "white chip | white chips", "fr": "jeton blanc | jetons blancs"}},
    }
    assert names(document, "components.tile.rows") == ("tile_3", "tile_4")
    assert to_builtins(at(document, "turn.act.must").value) == ["take", {"give": {"odd": "limit > 3"}}]
    between = lay(tmp_path, "insert: {kinds.colour.grey: {before: white}}", over=document)
    assert to_builtins(at(between, "kinds.colour.members").value) == ["red", "green", "black", "grey", "white"]
    further = lay(tmp_path, "extend: {kinds.colour: [gold]}", over=document)
    assert to_builtins(at(further, "kinds.colour.members").value) == ["red", "green", "black", "white", "gold"]
    for gone in ("white, black", "white"):  # with what they are called
        fewer = lay(tmp_path, f"drop: {{kinds.colour: [{gone}]}}", over=document)
        assert to_builtins(at(fewer, "kinds.colour.names").value) == {}
        assert names(fewer, "kinds.colour") == ("members", "names")
    assert to_builtins(at(fewer, "kinds.colour.members").value) == ["red", "green", "black"]


def test_what_was_removed_says_who_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = tmp_path / "base.yaml"
    game.write_text((FOLDER.parent / "check" / "blamed" / "base.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    path = tmp_path / "no-win.yaml"
    path.write_text("variant: no-win\nfor: base\nremove:\n  - actions.win\ndrop: {turn.take.must: [win]}\n")

    def shown(address: str) -> list[str]:
        main(["show", address, str(game), "--variant", str(path)])
        printed = capsys.readouterr()
        return [line.strip() for line in f"{printed.out}{printed.err}".partition("written by")[2].splitlines() if line]

    assert shown("actions")[1:] == ["win, removed", f"{path}:4:5   - actions.win"]
    assert shown("turn.take")[1:] == [
        "must",
        f"{game}:36:18   - take: {{must: [take, win], if_unable: nothing}}",
        f"{path}:5:8   drop: {{turn.take.must: [win]}}",
    ]
    assert main(["show", "actions.win.do", str(game), "--variant", str(path)]) == 2
    assert f"there is no rule `actions.win.do`: {path}:4:5 removes it" in capsys.readouterr().err


def test_sentences_stand_at_their_rules(tmp_path: Path) -> None:
    (tmp_path / "texts" / "fr").mkdir(parents=True)
    (tmp_path / "texts" / "fr" / "1.yaml").write_text(
        "texts: fr\nfor: chips\nvariant: a\n"
        "sentences: {turn.goal.when: Assez ?, parameters.limit: La limite, turn.goal.title: Fin, variant: Autre}\n"
    )
    document = lay(
        tmp_path,
        """text: Different
insert: {turn.show: {at: end, reveal: purse(me), to: all}}
sentences:
  turn.goal.when: Are there enough?
  turn.show: {en: All see it., fr: Tous le voient.}
  turn.goal.title: The end
  kinds.colour.red: ruby | rubies
  actions.take.when.left.why: None is left.
  parameters.limit: The limit
  game: Other chips
""",
    )
    goal = {"is": "points(me) >= goal", "text": {"en": "Are there enough?", "fr": "Assez ?"}}
    assert to_builtins(at(document, "turn.goal.when").value) == goal
    assert to_builtins(at(document, "turn.show.text").value) == {"en": "All see it.", "fr": "Tous le voient."}
    assert to_builtins(at(document, "kinds.colour.names").value) == {"red": "ruby | rubies"}
    assert to_builtins(at(document, "actions.take.when.left.why").value) == "None is left."
    assert to_builtins(at(document, "parameters.limit").value) == {
        "value": 7,
        "text": {"en": "The limit", "fr": "La limite"},
    }
    assert to_builtins(at(document, "text").value) == "Other chips"
    [(address, title)] = document.titles
    assert (address, to_builtins(title.value)) == ("turn.goal", {"en": "The end", "fr": "Fin"})


def test_a_title_is_that_of_the_variant_above(tmp_path: Path) -> None:
    document = lay(tmp_path, "sentences: {turn.goal.title: A}", "after: a\nsentences: {turn.goal.title: B}")
    [(address, title)] = document.titles
    assert (address, to_builtins(title.value), len(title.history)) == ("turn.goal", "B", 1)


def lay_contested(tmp_path: Path, *texts: str) -> tuple[Document, list[str]]:
    """The base with variants that write something in different words, and what is reported, which is no error."""
    diagnostics, paths = Diagnostics(), []
    for name, text in zip("abcd", texts, strict=False):
        paths.append(tmp_path / f"{name}.yaml")
        paths[-1].write_text(f"variant: {name}\nfor: chips\n{text}", encoding="utf-8")
    found = variants(diagnostics, paths)
    results = [apply_variants(base(), order, diagnostics) for order in (found, found[::-1])]
    assert to_builtins(results[0].root) == to_builtins(results[1].root)
    assert diagnostics.error_count == 0
    assert {one.code.name for one in diagnostics} <= {"two-sentences"}
    return results[0], [one.address for one in diagnostics]


def test_what_two_write_in_different_words_is_not_said(tmp_path: Path) -> None:
    """The rules of both are there; what something is called is what the game calls it."""
    document, reported = lay_contested(
        tmp_path,
        "set: {parameters.limit: 5}\n"
        "sentences: {actions.take: A, actions.take.when.left.why: A, game: A, turn.act.title: A}",
        "set: {parameters.goal: 9}\n"
        "sentences: {actions.take: B, actions.take.when.left.why: B, game: B, turn.act.title: B}",
    )
    assert to_builtins(at(document, "parameters.limit").value) == 5
    assert to_builtins(at(document, "parameters.goal.value").value) == 9
    assert "text" not in names(document, "actions.take")
    assert names(document, "actions.take.when.left") == ("is",)
    assert to_builtins(at(document, "text").value) == "Chips"
    assert document.titles == ()
    assert document.contested == ("actions.take", "actions.take.when.left.why", "game", "turn.act.title")
    assert reported == [
        "actions.take.text", "actions.take.when.left.why", "text", "turn.act.title"
    ]  # fmt: skip


def test_a_rule_of_one_loses_the_words_of_another(tmp_path: Path) -> None:
    document, _ = lay_contested(
        tmp_path, "set: {turn.goal: {when: goal > 3, end_game: now, text: A}}", "sentences: {turn.goal: B}"
    )
    assert to_builtins(at(document, "turn.goal").value) == {"when": "goal > 3", "end_game": "now"}


def test_one_above_both_says_it(tmp_path: Path) -> None:
    document, reported = lay_contested(
        tmp_path,
        "sentences: {turn.goal: A, turn.act.title: A}",
        "sentences: {turn.goal: B, turn.act.title: B}",
        "after: [a, b]\nsentences: {turn.goal: C, turn.act.title: C}",
    )
    assert reported == []
    assert to_builtins(at(document, "turn.goal.text").value) == "C"
    assert [to_builtins(title.value) for _, title in document.titles] == ["C"]


def test_both_passages_are_there(tmp_path: Path) -> None:
    document, _ = lay_contested(
        tmp_path,
        "add: {book.aim: {at: idea, text: A}, book.aim_b: {at: tips, text: Taken}}",
        "add: {book.aim: {at: idea, text: B, about: [turn.goal]}}",
        "after: [a]\nset: {book.aim.text: C}",
    )
    assert to_builtins(at(document, "book").value) == {
        "aim": {"at": "idea", "text": "B", "about": ["turn.goal"]},
        "aim_c": {"at": "idea", "text": "C"},
        "aim_b": {"at": "tips", "text": "Taken"},
    }
    assert dict(document.passage_variants) == {"aim": "b", "aim_c": "c"}

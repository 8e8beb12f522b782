"""What a variant brings along: files that join it to others, and how what is new is drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.diagnostics import Diagnostics, RulesError, render_concise
from rulewright.document.address import find_entry
from rulewright.expr.tree import Compare, Constant
from rulewright.expr.walk import iter_exprs
from rulewright.model.loader import build_composition, compose_game, load_rules

GAME = """game: chips
version: 1.0.0
language: 2
text: Chips
players: 2 to 3
kinds: {colour: [red, blue]}
parameters: {goal: 8}
zones:
  bank: {holds: colour, seen_by: all, start: goal of colour}
  gone: {holds: colour, seen_by: all}
actions:
  take:
    choose: {colour: {one_of: colour}}
    when: {left: bank(colour) > 0}
    do: [take: {move: 1 of colour, from: bank, to: gone}]
turn:
  - take: {must: [take]}
  - last: {when: bank is empty, end_game: now}
round: [turns: {for_each: player, turn: player}]
"""

VARIANTS = {
    "more": "set: {parameters.goal: 9}",
    "pairs": "set: {actions.take.do.take.move: 2 of colour, actions.take.when.left: bank(colour) > 1}",
    "more-pairs": "joins: [more, pairs]\nset: {parameters.goal: 10}",
    "for-three": "joins: [more]\nplayers: 3\nset: {parameters.goal: 7 + players}",
    "green-for-three": "joins: [green]\nplayers: 3\nset: {zones.gone.seen_by: nobody}",
    "green": """extend: {kinds.colour: [green]}
display:
  members: {colour.green: {letter: G}, colour.red: {letter: X}}
  board: [{zone: bank, show: counts}, {zone: gone}]""",
}

TABLE = """display: chips
members: {colour.red: {letter: R}, colour.blue: {letter: B}}
board: [{zone: bank}]
"""


def variant_text(name: str, body: str) -> str:
    """A file that joins others begins with these; any other with its name."""
    joins, _, rest = body.partition("\n")
    head, rest = (joins, rest) if joins.startswith("joins: ") else (f"variant: {name}", body)
    return f"{head}\nfor: chips\n{rest}\n"


@pytest.fixture
def chips(tmp_path: Path) -> str:
    """A game with variants beside it."""
    folder = tmp_path / "chips"
    (folder / "variants").mkdir(parents=True)
    (folder / "game.yaml").write_text(GAME + "files: [display.yaml]\n", encoding="utf-8")
    (folder / "display.yaml").write_text(TABLE, encoding="utf-8")
    for name, body in VARIANTS.items():
        (folder / "variants" / f"{name}.yaml").write_text(variant_text(name, body), encoding="utf-8")
    return str(folder)


@pytest.mark.parametrize(
    ("variants", "players", "goal"),
    [
        ([], 2, 8),
        (["more"], 2, 9),
        (["pairs"], 2, 8),
        (["more", "pairs"], 2, 10),
        (["pairs", "more"], 2, 10),
        (["more"], 3, 10),
    ],
)
def test_a_file_that_joins_others_is_there_when_they_are(
    chips: str, variants: list[str], players: int, goal: int
) -> None:
    rules = load_rules(chips, players=players, variants=variants)
    assert rules.parameters["goal"].value == goal
    assert rules.variants == tuple(sorted(variants))


def test_it_is_applied_once_after_those_that_it_joins(chips: str) -> None:
    named = load_rules(chips, players=2, variants=["more", "more-pairs", "pairs"])
    assert named.digest == load_rules(chips, players=2, variants=["more", "pairs"]).digest


def test_several_belong_to_one_number_of_players(chips: str) -> None:
    rules = load_rules(chips, players=3, variants=["more", "green"])
    assert (rules.parameters["goal"].value, rules.zones["gone"].seen_by) == (10, "nobody")
    assert load_rules(chips, players=2, variants=["more", "green"]).zones["gone"].seen_by == "all"


def test_it_says_what_it_lacks(chips: str) -> None:
    with pytest.raises(RulesError, match="requires `pairs`, which is not chosen"):
        load_rules(chips, players=2, variants=["more", "more-pairs"])


def test_what_is_for_a_number_of_players_can_be_excluded(chips: str) -> None:
    folder = Path(chips)
    three = "adjusts: chips\nplayers: 3\nset: {parameters.goal: 7}\n"
    (folder / "three.yaml").write_text(three, encoding="utf-8")
    (folder / "game.yaml").write_text(f"{GAME}files: [display.yaml, three.yaml]\n", encoding="utf-8")
    more = folder / "variants" / "more.yaml"
    more.write_text(more.read_text(encoding="utf-8") + "conflicts: three\n", encoding="utf-8")
    assert load_rules(chips, players=2, variants=["more"]).parameters["goal"].value == 9
    with pytest.raises(RulesError, match="`more` cannot be combined with `three`, which is a part of the game here"):
        load_rules(chips, players=3, variants=["more"])


def test_what_is_for_a_number_of_players_is_as_right_as_the_game(chips: str) -> None:
    """A fault in it that a chosen variant makes is that variant's."""
    folder = Path(chips)
    three = "adjusts: chips\nplayers: 3\nset: {zones.bank.start: goal + 1 of colour}\n"
    (folder / "three.yaml").write_text(three, encoding="utf-8")
    (folder / "game.yaml").write_text(f"{GAME}files: [display.yaml, three.yaml]\n", encoding="utf-8")
    (folder / "variants" / "endless.yaml").write_text(
        "variant: endless\nfor: chips\nremove: [parameters.goal]\n", encoding="utf-8"
    )
    with pytest.raises(RulesError) as refused:
        load_rules(chips, players=3, variants=["endless"])
    (one,) = refused.value.diagnostics
    assert (one.code.name, Path(one.span.source.path).name) == ("removed-but-used", "endless.yaml")
    assert [Path(other.span.source.path).name for other in one.related] == ["three.yaml"]


def test_two_that_join_may_contradict_each_other(chips: str) -> None:
    with pytest.raises(RulesError, match="both write to `parameters"):
        load_rules(chips, players=3, variants=["more", "pairs"])


MEETING = {
    "a": (
        "add: {round.turns.lowest_first: count(bank)}\n"
        "insert: {turn.a: {at: start, move: 1 of red, from: bank, to: gone}}"
    ),
    "b": (
        "add: {round.turns.lowest_first: count(gone)}\n"
        "insert: {turn.b: {at: start, move: 1 of red, from: bank, to: gone}}"
    ),
}


@pytest.mark.parametrize(
    ("joined", "left"),
    [
        ("", ["round.turns.lowest_first"]),
        ("set: {round.turns.lowest_first: count(bank) + 1}", ["turn.b"]),  # what stands there is what the joint says
        ("remove: [round.turns.lowest_first]", ["turn.b"]),
        ("set: {round.turns.lowest_first: 1}\nremove: [turn.b]", []),  # one step is left: nothing is in front of it
        ("set: {round.turns.lowest_first: 1, turn.a.to: bank}", ["turn.b"]),
        ("set: {round.turns: {for_each: player, turn: player}}\nremove: [turn.a]", []),
        ("cancel: {b: [round.turns.lowest_first, turn.b]}", []),
        ("cancel: {a: [round.turns.lowest_first], b: [turn.b]}", []),
        ("cancel: {a: [turn.a]}", ["round.turns.lowest_first"]),
    ],
)
def test_where_two_write_the_file_that_joins_them_may_say_what_stands_there(
    chips: str, joined: str, left: list[str]
) -> None:
    for name, body in {**MEETING, "a-b": f"joins: [a, b]\n{joined}"}.items():
        if joined or name != "a-b":
            (Path(chips) / "variants" / f"{name}.yaml").write_text(variant_text(name, body), encoding="utf-8")
    digests = set()
    for variants in (["a", "b"], ["b", "a"]):
        try:
            digests.add(load_rules(chips, variants=variants).digest)
            told = []
        except RulesError as wrong:
            told = list(wrong.diagnostics)
        assert {one.code.name for one in told} <= {"two-writers", "one-anchor"}
        assert [one.message.split("`")[-2] for one in told] == left
    assert len(digests) == (0 if left else 1)


def test_several_variants_add_conditions_of_a_step(chips: str) -> None:
    """To a step without a condition and to one with a bare condition; all of them must hold."""
    for name, low in (("c", 1), ("d", 2)):
        text = (
            f"variant: {name}\nfor: chips\nadd:\n  turn.take.when.{name}: bank(red) > {low}\n"
            f"  turn.last.when.{name}: {{is: round_number > {low}, why: Too early.}}\n"
        )
        (Path(chips) / "variants" / f"{name}.yaml").write_text(text, encoding="utf-8")
    conditions = {}
    for variants in ([], ["c"], ["c", "d"], ["d", "c"]):
        rules = load_rules(chips, variants=variants)
        conditions[tuple(variants)] = [
            sorted(
                part.right.value
                for part in (iter_exprs(step.when) if step.when is not None else ())
                if isinstance(part, Compare) and isinstance(part.right, Constant) and isinstance(part.right.value, int)
            )
            for step in rules.blocks[rules.turn].steps
        ]
    assert conditions == {(): [[], []], ("c",): [[1], [1]], ("c", "d"): [[1, 2], [1, 2]], ("d", "c"): [[1, 2], [1, 2]]}


def test_what_is_new_is_drawn_as_the_variant_says(chips: str) -> None:
    plain = load_rules(chips, players=2)
    green = load_rules(chips, players=2, variants=["green"])
    assert plain.display["members"] == {"colour.red": {"letter": "R"}, "colour.blue": {"letter": "B"}}
    assert plain.display["board"] == [{"zone": "bank"}]
    assert green.display["members"] == {
        "colour.red": {"letter": "X"},
        "colour.blue": {"letter": "B"},
        "colour.green": {"letter": "G"},
    }
    assert green.display["board"] == [{"zone": "bank", "show": "counts"}, {"zone": "gone"}]


def test_what_is_drawn_has_to_be_there(chips: str) -> None:
    path = Path(chips) / "variants" / "green.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("colour.green:", "colour.grean:"), encoding="utf-8")
    diagnostics = Diagnostics()
    resolved = compose_game(chips, 2, ["green"], diagnostics)
    assert resolved is not None
    assert build_composition(resolved, diagnostics) is None
    assert ["green.yaml" in one.span.source.path for one in diagnostics] == [True]
    assert "`colour.grean`" in "".join(map(render_concise, diagnostics))


def test_a_drawing_without_one_of_the_game(chips: str) -> None:
    folder = Path(chips)
    (folder / "display.yaml").unlink()
    (folder / "game.yaml").write_text(GAME, encoding="utf-8")
    assert load_rules(chips, players=2, variants=["green"]).display["board"][-1] == {"zone": "gone"}


def draws(chips: str, name: str, letter: str, head: str = "", goal: int = 7) -> None:
    """A variant that gives a member a letter of its own."""
    text = variant_text(name, f"{head}set: {{parameters.goal: {goal}}}")
    text += f"display: {{members: {{colour.red: {{letter: {letter}}}}}}}\n"
    (Path(chips) / "variants" / f"{name}.yaml").write_text(text, encoding="utf-8")


def test_two_that_draw_the_same_differently_are_refused_unless_one_comes_after_the_other(chips: str) -> None:
    draws(chips, "one", "A")
    draws(chips, "two", "B")
    draws(chips, "too", "A")
    for names in (["one", "two"], ["two", "one"]):
        with pytest.raises(RulesError, match="both define how `colour") as refused:
            load_rules(chips, players=2, variants=names)
        assert [one.code.name for one in refused.value.diagnostics] == ["two-writers"]
    same = load_rules(chips, players=2, variants=["one", "too"])
    assert same.display["members"]["colour.red"] == {"letter": "A"}
    for first, second in (("one", "two"), ("two", "one")):
        draws(chips, first, "A")
        draws(chips, second, "B", f"after: {first}\n")
        above = load_rules(chips, players=2, variants=["two", "one"])
        assert above.display["members"]["colour.red"] == {"letter": "B"}


def test_one_above_both_says_how_it_is_drawn(chips: str) -> None:
    draws(chips, "one", "A")
    draws(chips, "two", "B")
    draws(chips, "both", "C", "joins: [one, two]\n", goal=6)
    assert load_rules(chips, players=2, variants=["one", "two"]).display["members"]["colour.red"] == {"letter": "C"}


@pytest.mark.parametrize(("cancelled", "letter"), [("one", "B"), ("two", "A")])
def test_a_drawing_is_taken_back(chips: str, cancelled: str, letter: str) -> None:
    """And what it sets, which both do."""
    draws(chips, "one", "A", goal=6)
    draws(chips, "two", "B", goal=7)
    body = f"joins: [one, two]\ncancel: {{{cancelled}: [parameters.goal, display.members.colour.red]}}"
    (Path(chips) / "variants" / "one-two.yaml").write_text(variant_text("one-two", body), encoding="utf-8")
    rules = load_rules(chips, variants=["one", "two"])
    assert rules.display["members"]["colour.red"] == {"letter": letter}
    assert rules.parameters["goal"].value == {"one": 7, "two": 6}[cancelled]


def test_a_removal_is_taken_back_where_another_changes_what_it_removes(chips: str) -> None:
    """With what the removing variant says of it in other languages; alone it removes as ever."""
    folder = Path(chips) / "variants"
    bodies = {
        "c": "remove: [turn.last]\nadd: {turn.take.text: Take one.}",
        "d": "set: {turn.last.when: bank(red) is 0}",
        "c-d": "joins: [c, d]\ncancel: {c: [turn.last, turn.take.text]}",
    }
    for name, body in bodies.items():
        (folder / f"{name}.yaml").write_text(variant_text(name, body), encoding="utf-8")
    (folder / "texts" / "fr").mkdir(parents=True)
    french = "texts: fr\nfor: chips\nvariant: c\nsentences: {turn.take: En prendre un.}\n"
    (folder / "texts" / "fr" / "c.yaml").write_text(french, encoding="utf-8")
    rules = load_rules(chips, variants=["c", "d"])
    assert [step.address for step in rules.blocks[rules.turn].steps] == ["turn.take", "turn.last"]
    alone = compose_game(chips, 2, ["c"], Diagnostics())
    assert alone is not None
    assert find_entry(alone.document.root, "turn.last") is None


STEPS = {  # inserted at the end of a turn
    "count": "add: {{state.tally: {{type: 0 to 99}}}}\n"
    "insert: {{turn.{name}: {{at: end, when: tally < 99, set: tally, to: tally + 1}}}}",
    "red": "insert: {{turn.{name}: {{at: end, move: up to 1 of red, from: bank, to: gone}}}}",
    "other": "add: {{zones.nook: {{holds: colour, per: player, seen_by: all}}}}\n"
    "insert: {{turn.{name}: {{at: end, move: up to 1 of red, from: nook(next(me)), to: nook(me)}}}}",
    "ask": "add: {{actions.{name}: {{do: [a: {{set: asked, to: true}}]}}, state.asked: {{type: flag}}}}\n"
    "insert: {{turn.{name}: {{at: end, must: [{name}]}}}}",
    "stop": "insert: {{turn.{name}: {{at: end, when: round_number > 3, end_game: now}}}}",
    "look": "add: {{state.seen: {{type: 0 to 99}}}}\n"
    "insert: {{turn.{name}: {{at: end, when: count(gone) < 99, set: seen, to: count(gone)}}}}",
    "idle": "insert: {{turn.{name}: {{at: end, when: goal < 0, move: up to 1 of red, from: bank, to: gone}}}}",
}


@pytest.mark.parametrize(
    ("first", "second", "touched"),
    [
        ("count", "red", ""),
        ("count", "other", ""),
        ("count", "ask", ""),
        ("look", "count", ""),
        ("red", "red", "writes bank, which `turn.z` writes too"),
        ("red", "look", "`turn.y` writes gone, which `turn.z` reads"),
        ("look", "red", "`turn.z` writes gone, which `turn.y` reads"),
        ("stop", "count", "`turn.y` can end the game before `turn.z` is carried out"),
        ("count", "stop", "`turn.z` can end the game before `turn.y` is carried out"),
        ("stop", "stop", "writes the end of the game, which `turn.z` writes too"),
        ("red", "idle", ""),  # what is never carried out touches nothing
    ],
)
def test_steps_at_one_position_go_together_if_neither_writes_what_the_other_touches(
    chips: str, first: str, second: str, touched: str
) -> None:
    for name, body in (("y", STEPS[first]), ("z", STEPS[second])):
        text = f"variant: {name}\nfor: chips\n{body.format(name=name)}\n"
        (Path(chips) / "variants" / f"{name}.yaml").write_text(text, encoding="utf-8")
    found = []
    for variants in (["y", "z"], ["z", "y"]):
        if touched:
            with pytest.raises(RulesError) as refused:
                load_rules(chips, variants=variants)
            (one,) = [each for each in refused.value.diagnostics if each.severity == "error"]
            assert one.code.name == "one-anchor"
            assert "both insert at end in `turn`, and their order matters: " in one.message
            assert one.message.endswith(touched)
            found.append((one.span.source.path, one.message))
        else:
            rules = load_rules(chips, variants=variants)
            names = [step.address for step in rules.blocks[rules.turn].steps]
            found.append((rules.digest, str(names[-2:])))
    assert len(set(found)) == 1


@pytest.mark.parametrize("game_has_it", [False, True])
def test_a_file_that_joins_is_found_beside_the_variants_that_it_joins(
    chips: str, tmp_path: Path, game_has_it: bool
) -> None:
    """In any folder, given by path; there it comes before one of the game's own."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    own = Path(chips) / "variants"
    for name in ("more", "pairs"):
        (own / f"{name}.yaml").rename(elsewhere / f"{name}.yaml")
    joint = (own / "more-pairs.yaml").read_text(encoding="utf-8").replace("10", "12")
    (elsewhere / "more-pairs.yaml").write_text(joint, encoding="utf-8")
    if not game_has_it:
        (own / "more-pairs.yaml").unlink()
    rules = load_rules(chips, variants=[str(elsewhere / "more.yaml"), str(elsewhere / "pairs.yaml")])
    assert rules.parameters["goal"].value == 12
    assert rules.implied_variants == ("more-pairs",)
    alone = load_rules(chips, variants=[str(elsewhere / "more.yaml")])
    assert (alone.parameters["goal"].value, alone.implied_variants) == (9, ())

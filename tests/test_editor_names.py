"""Names in an editor: found and renamed by what they are bound to, and columns in the units of the editor."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from rulewright import check
from rulewright.editor.meanings import target_at
from rulewright.editor.open_rules import open_rules
from rulewright.editor.renaming import rename

pytestmark = pytest.mark.skipif(find_spec("pygls") is None, reason="pygls is not installed")
if find_spec("pygls") is not None:
    from lsprotocol import types

    from editor_client import Editor, edited, with_editor

GAME = """\
game: jam
version: 1.0.0
language: 2
text: Jam
players: 2 to 4
kinds:
  fruit: [apple, plum, cherry]
parameters:
  least: 1
zones:
  tree:   {holds: fruit, seen_by: all, start: 4 of fruit}
  basket: {holds: fruit, per: player, seen_by: all}
values:
  points: {per: [player, fruit], is: "basket(player, fruit)"}
  full: {per: {who: player}, is: "every fruit has points(who, fruit) > 2"}
actions:
  pick:
    text: Pick a fruit.
    choose:
      fruit: {one_of: tree, why: "No {fruit} hängt 🍎 am Baum, {count(tree)} sind da."}
    when:
      tree: {is: tree(fruit) >= least, why: "There is no {fruit} left."}
    do: [pick: {move: fruit, from: tree, to: basket(me)}]
  pick_again:
    text: Pick once more.
    choose:
      fruit: {one_of: tree}
    do: [pick: {move: fruit, from: tree, to: basket(me)}]
procedures:
  fall:
    with: {what: fruit}
    do: [fall: {move: up to 1 of what, from: tree, to: basket(me)}]
turn:
  - tree: {must: [pick, pick_again: {other: {is: fruit is not apple, why: No apples.}}]}
  - fall: {run: fall(plum)}
  - bare: {when: some player has full(player), end_game: now, winners: me}
  - none: {when: tree is empty, end_game: now, winners: me}
round:
  - turns: {for_each: player, turn: player}
book:
  picking: {at: actions.pick.choose.fruit, about: [zones.tree, kinds.fruit, turn.tree], text: "{count(fruit)} sorts."}
"""

SCENARIOS = """\
scenarios: picking
for: jam
language: 2
players: 2
cases:
  picked:
    text: A fruit comes into the basket.
    given: {turn: 1}
    when: [pick(fruit=apple)]
    then: {tree: {apple: 3}, legal: [pick(fruit=plum), pick_again(fruit=plum)]}
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "my games" / "jam.yaml"
    path.parent.mkdir()
    path.write_text(GAME, encoding="utf-8")
    assert [str(each) for each in check([path])] == []
    return path


# where the cursor is, the new name, and lines as they are then; every other line is as it was
RENAMED = {
    "a choice is another in the next action": (
        ("move: fruit", 7),
        "what",
        {
            '      what: {one_of: tree, why: "No {fruit} hängt 🍎 am Baum, {count(tree)} sind da."}',
            '      tree: {is: tree(what) >= least, why: "There is no {what} left."}',
            "    do: [pick: {move: what, from: tree, to: basket(me)}]",
            "  picking: {at: actions.pick.choose.what, about: [zones.tree, kinds.fruit, turn.tree], "
            'text: "{count(fruit)} sorts."}',
        },
    ),
    "a choice is used by conditions of offers": (
        ("fruit is not apple", 1),
        "what",
        {
            "      what: {one_of: tree}",
            "    do: [pick: {move: what, from: tree, to: basket(me)}]",
            "  - tree: {must: [pick, pick_again: {other: {is: what is not apple, why: No apples.}}]}",
        },
    ),
    "a kind is not a choice of its name": (
        ("holds: fruit", 8),
        "crop",
        {
            "  crop: [apple, plum, cherry]",
            "  tree:   {holds: crop, seen_by: all, start: 4 of crop}",
            "  basket: {holds: crop, per: player, seen_by: all}",
            '  points: {per: [player, crop], is: "basket(player, crop)"}',
            '  full: {per: {who: player}, is: "every crop has points(who, crop) > 2"}',
            '      fruit: {one_of: tree, why: "No {crop} hängt 🍎 am Baum, {count(tree)} sind da."}',
            "    with: {what: crop}",
            "  picking: {at: actions.pick.choose.fruit, about: [zones.tree, kinds.crop, turn.tree], "
            'text: "{count(crop)} sorts."}',
        },
    ),
    "a key that its kind alone binds is written in full": (
        ("basket(player, fruit)", 17),
        "what",
        {'  points: {per: {player: player, what: fruit}, is: "basket(player, what)"}'},
    ),
    "a key": (
        ("{who: player}", 2),
        "whose",
        {'  full: {per: {whose: player}, is: "every fruit has points(whose, fruit) > 2"}'},
    ),
    "a loop in an expression": (
        ("points(who, fruit)", 14),
        "crop",
        {'  full: {per: {who: player}, is: "every crop in fruit has points(who, crop) > 2"}'},
    ),
    "a loop of a step": (("turn: player}", 8), "who", {"  - turns: {for_each: who in player, turn: who}"}),
    "an argument": (
        ("1 of what", 7),
        "item",
        {"    with: {item: fruit}", "    do: [fall: {move: up to 1 of item, from: tree, to: basket(me)}]"},
    ),
    "a zone is no step and no condition of its name": (
        ("from: tree", 7),
        "wood",
        {
            "  wood:   {holds: fruit, seen_by: all, start: 4 of fruit}",
            '      fruit: {one_of: wood, why: "No {fruit} hängt 🍎 am Baum, {count(wood)} sind da."}',
            '      tree: {is: wood(fruit) >= least, why: "There is no {fruit} left."}',
            "    do: [pick: {move: fruit, from: wood, to: basket(me)}]",
            "      fruit: {one_of: wood}",
            "    do: [fall: {move: up to 1 of what, from: wood, to: basket(me)}]",
            "  - none: {when: wood is empty, end_game: now, winners: me}",
            "  picking: {at: actions.pick.choose.fruit, about: [zones.wood, kinds.fruit, turn.tree], "
            'text: "{count(fruit)} sorts."}',
        },
    ),
}


def test_names_are_renamed_where_they_are_bound_and_nowhere_else(game: Path) -> None:
    async def use(editor: Editor) -> None:
        await editor.open(game.name)
        for case, (cursor, new_name, lines) in RENAMED.items():
            assert await editor.rename(game.name, editor.at(GAME, *cursor), new_name), (case, editor.messages)
            text = game.read_text(encoding="utf-8")
            changed = {new for new, old in zip(text.splitlines(), GAME.splitlines(), strict=True) if new != old}
            assert changed == lines, case
            assert [str(each) for each in check([game])] == [], case
            game.write_text(GAME, encoding="utf-8")

    with_editor(game.parent, use)


def test_a_choice_is_renamed_in_scenarios_too(game: Path) -> None:
    scenarios = game.with_name("jam.scenarios.yaml")
    scenarios.write_text(SCENARIOS, encoding="utf-8")
    rules = open_rules(game)
    assert rules is not None
    target = target_at(rules, GAME, GAME.index("move: fruit") + 7)
    assert target is not None
    (changed,) = [edits for path, edits in rename(rules, target, "what").items() if path.samefile(scenarios)]
    assert [edit.span.start for edit in changed] == [SCENARIOS.index("fruit=apple"), SCENARIOS.index("fruit=plum")]


@pytest.mark.parametrize(
    ("cursor", "new_name", "told"),
    [
        (("points(who, fruit)", 14), "who", "`who` is bound already, by the key at "),
        (("{who: player}", 2), "fruit", "`fruit` is declared already, at "),
        (("{who: player}", 2), "count", "`count` is a reserved word"),
        (("from: tree", 7), "what", "`what` is bound already, by the argument at "),
        (("move: fruit", 7), "rows", "`rows` is a reserved word"),
        (("holds: fruit", 1), "laps", "only what is declared can be renamed, and `holds` is not"),
    ],
)
def test_names_that_would_meet_are_refused(game: Path, cursor: tuple[str, int], new_name: str, told: str) -> None:
    rules = open_rules(game)
    assert rules is not None
    target = target_at(rules, GAME, GAME.index(cursor[0]) + cursor[1])
    assert target is not None
    with pytest.raises(ValueError, match=r".") as refused:
        rename(rules, target, new_name)
    assert str(refused.value).startswith(told)


@pytest.mark.parametrize("columns", ["utf-8", "utf-32"])
def test_columns_are_counted_as_the_editor_wants_them(game: Path, columns: str) -> None:
    async def use(editor: Editor) -> None:
        wrong = GAME.replace("count(tree)} sind", "count(treee)} sind")
        (found,) = await editor.open(game.name, wrong)
        assert found.range.start == editor.at(wrong, "treee)} sind", 0)
        params = types.CodeActionParams(editor.document(game.name), found.range, types.CodeActionContext([found]))
        (action,) = await editor.client.text_document_code_action_async(params) or ()
        assert isinstance(action, types.CodeAction)
        assert action.edit is not None
        (edits,) = (action.edit.changes or {}).values()
        assert edited(wrong, edits, columns) == GAME
        await editor.change(game.name, GAME)
        document, place = editor.document(game.name), editor.at(GAME, "🍎 am Baum, {count(tr", 19)
        where = await editor.client.text_document_definition_async(types.DefinitionParams(document, place))
        assert isinstance(where, types.Location)
        assert where.range.start == editor.at(GAME, "tree:", 0)

    with_editor(game.parent, use, columns=columns)


BIGGER = """\
variant: bigger
for: jam
text: Bigger
set:
  zones.tree.start: 5 of fruit
"""


def test_uses_lead_to_the_declaration_and_the_declaration_to_them(game: Path) -> None:
    """Also of what a rule binds by its kind alone, and of a key of the language in an address."""
    bigger = game.with_name("bigger.yaml")
    bigger.write_text(BIGGER, encoding="utf-8")
    texts = {game.name: GAME, bigger.name: BIGGER}

    async def use(editor: Editor) -> None:
        async def places(
            name: str, start: types.Position, *, with_declaration: bool = True
        ) -> set[tuple[str, int, int]]:
            context = types.ReferenceContext(include_declaration=with_declaration)
            params = types.ReferenceParams(context, editor.document(name), start)
            return {place_of(each) for each in await editor.client.text_document_references_async(params) or ()}

        def place_of(location: types.Location) -> tuple[str, int, int]:
            start = location.range.start
            return location.uri.rpartition("/")[2], start.line, start.character

        for name, text in texts.items():
            await editor.open(name, text)
        for name, words, inside, count in (
            (game.name, "basket(player, fruit)", 0, 5),
            (bigger.name, "tree.start", 1, 11),
            (bigger.name, "tree.start", 5, 2),
            (bigger.name, "zones.tree", 0, 2),
            (bigger.name, "text: Bigger", 0, 0),  # what the variant says of itself is no rule of the game
            (game.name, "turns: {for_each: player", 18, 2),
        ):
            found = await places(name, editor.at(texts[name], words, inside))
            assert len(found) == count, (words, found)
            declared = set()
            for other, line, column in found:
                start = types.Position(line, column)
                assert await places(other, start) == found, words
                where = types.DefinitionParams(editor.document(other), start)
                location = await editor.client.text_document_definition_async(where)
                assert isinstance(location, types.Location), words
                declared.add(place_of(location))
            assert declared <= found, words
            assert await places(name, editor.at(texts[name], words, inside), with_declaration=False) == found - declared
            assert len(declared) == (1 if found else 0), words

    with_editor(game.parent, use)


def test_a_rename_while_the_game_cannot_be_read_is_refused_with_the_reason(game: Path) -> None:
    bigger = game.with_name("bigger.yaml")
    bigger.write_text(BIGGER, encoding="utf-8")
    game.write_text(f"{GAME}turn: [\n", encoding="utf-8")

    async def use(editor: Editor) -> None:
        await editor.open(bigger.name)
        assert not await editor.rename(bigger.name, editor.at(BIGGER, "tree.start"), "wood")
        assert editor.messages == [f"nothing can be renamed while the game cannot be read: {game.resolve()}"]
        lost = BIGGER.replace("jam", "jelly")
        await editor.change(bigger.name, lost)
        assert not await editor.rename(bigger.name, editor.at(lost, "tree.start"), "wood")
        assert editor.messages[-1] == "nothing can be renamed in a file whose game is not found"

    with_editor(game.parent, use)

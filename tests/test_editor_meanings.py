"""What an editor says of keys, names and words where the cursor is, and beside what can follow."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from rulewright.document.schemas import FILE_KINDS
from rulewright.editor.file_schemas import keys_below, schema_at
from rulewright.editor.key_meanings import MEANINGS_OF_WORDS
from rulewright.expr.keywords import BUILTINS, FUNCTIONS

if find_spec("pygls") is not None:
    from lsprotocol import types

    from editor_client import Editor, at, with_editor

needs_server = pytest.mark.skipif(find_spec("pygls") is None, reason="pygls is not installed")

GAME = """\
game: jam
version: 1.0.0
language: 2
text: Jam
players: 2 to 4
files: [orchard.yaml, two.yaml, look.yaml]
texts: [en.yaml]
kinds:
  fruit: {members: [apple, plum], names: {plum: plum | plums}}
parameters:
  ripe: {value: 4, type: 1 to 9}
turn:
  - pick: {must: [pick], if_unable: nothing}
  - bare: {when: tree is empty, end_game: now, winners: me}
round:
  - turns: {for_each: player, turn: player}
"""
ORCHARD = """\
part_of: jam
zones:
  tree:   {holds: fruit, seen_by: all, start: ripe of fruit}
  basket: {holds: fruit, per: player, seen_by: all}
actions:
  pick:
    choose: {picked: {one_of: tree}}
    do: [pick: {move: picked, from: tree, to: basket(me)}]
"""
VARIANT = """\
variant: big
for: jam
text: Big
set:
  zones.tree.start: 5 of fruit
add:
  actions.pick.when.room:
    is: count(basket(me)) < 9
    why: Your basket is full.
insert:
  turn.rest: {after: pick, run: nap}
"""
CASES = """\
scenarios: picking
for: jam
language: 2
cases:
  full:
    variants: [big]
    given: {basket: {1: {plum: 9}}}
    when: pick(picked=plum)
    then: {illegal: actions.pick.when.room}
"""
FILES = {
    "jam/game.yaml": GAME,
    "jam/orchard.yaml": ORCHARD,
    "jam/two.yaml": "adjusts: jam\nplayers: 2\nset: {parameters.ripe: 3}\n",
    "jam/look.yaml": "display: jam\nmembers:\n  fruit.plum: {letter: P}\n",
    "jam/en.yaml": "texts: en\nfor: jam\nsentences:\n  zones.tree: What hangs there\n",
    "jam/variants/big.yaml": VARIANT,
    "picking.yaml": CASES,
}
# a file, words in it, how far in the cursor is, and what is shown there or not at all
SHOWN = [
    ("jam/game.yaml", "files:", 1, ["**key** `files`", "The other files of the game"]),
    ("jam/game.yaml", "end_game", 1, ["**key** `end_game`", "at once", "**rule** `turn.bare.end_game`"]),
    ("jam/game.yaml", "orchard.yaml", 1, ["**file** `orchard.yaml`"]),
    ("jam/game.yaml", "en.yaml", 1, ["**file** `en.yaml`"]),
    ("jam/game.yaml", "plum]", 1, ["**member** `plum`", "plum | plums"]),
    ("jam/game.yaml", "ripe:", 1, ["- 2 players: 3\n- 3, 4 players: 4", "two.yaml:3:24   3", "game.yaml:11:17   4"]),
    ("jam/game.yaml", "winners: me", 10, ["**word of the language** `me`", "The player in turn"]),
    ("jam/orchard.yaml", "one_of", 1, ["**key** `one_of`", "The set"]),
    ("jam/orchard.yaml", "basket(me)", 8, ["**word of the language** `me`"]),
    ("jam/orchard.yaml", "picked:", 1, ["**choice** `actions.pick.choose.picked`"]),
    ("jam/look.yaml", "letter", 1, ["**key** `letter`", "stand for it"]),
    ("jam/en.yaml", "sentences", 1, ["**key** `sentences`"]),
    ("jam/variants/big.yaml", "set:", 1, ["**key** `set`", "Address of a rule that is there"]),
    ("jam/variants/big.yaml", "start:", 1, ["**key** `start`", "before the set-up", "**rule** `zones.tree.start`"]),
    ("jam/variants/big.yaml", "zones.tree", 1, ["**section** `zones`"]),
    ("jam/variants/big.yaml", "why:", 1, ["**key** `why`", "**rule** `actions.pick.when.room.why`"]),
    ("jam/variants/big.yaml", "after:", 1, ["**key** `after`", "The step after which it is."]),
    ("jam/variants/big.yaml", "count(", 1, ["**word of the language** `count`"]),
    ("jam/variants/big.yaml", "full.", 1, []),
    ("picking.yaml", "room}", 1, ["**condition** `actions.pick.when.room`", "Your basket is full."]),
]


def write_files(folder: Path) -> None:
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


@needs_server
def test_what_is_under_the_cursor_is_explained(tmp_path: Path) -> None:
    write_files(tmp_path)

    async def use(editor: Editor) -> None:
        for name in FILES:
            await editor.open(name)
        for name, words, inside, parts in SHOWN:
            place = at(FILES[name], words, inside)
            hover = await editor.client.text_document_hover_async(types.HoverParams(editor.document(name), place))
            shown = hover.contents.value if hover and isinstance(hover.contents, types.MarkupContent) else ""
            assert bool(shown) is bool(parts), (name, words, shown)
            assert all(part in shown for part in parts), (name, words, shown)

    with_editor(tmp_path, use)


FRENCH = """\
texts: fr
for: jam
sentences:
  actions.pick: Cueillez un fruit, vous en avez {held(me)}.
  values.held: Ce qu'il y a dans le panier
  kinds.fruit.plum: prune | prunes
"""
HOUSE = """\
variant: full
for: jam
text: {en: Nine., fr: Neuf.}
set:
  actions.pick.text: {en: "A {plum}, you have {held(me)}.", fr: "Une {plum}, vous avez {held(me)} fruits."}
"""


@needs_server
def test_what_is_explained_in_a_text_is_said_in_its_language(tmp_path: Path) -> None:
    write_files(tmp_path)
    spoken = ORCHARD.replace("  pick:\n", "  pick:\n    text: 'Pick a fruit, you have {held(me)}.'\n")
    spoken += "values:\n  held: {per: player, is: count(basket(player)), text: What is in the basket}\n"
    files = {
        "jam/game.yaml": GAME.replace("[en.yaml]", "[en.yaml, fr.yaml]"),
        "jam/orchard.yaml": spoken,
        "jam/fr.yaml": FRENCH,
        "jam/variants/full.yaml": HOUSE,
        "jam/variants/texts/fr/full.yaml": "texts: fr\nfor: jam\nvariant: full\nsentences: {}\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    shown = [
        ("jam/fr.yaml", "pick:", "Cueillez un fruit"),
        ("jam/fr.yaml", "held:", "Ce qu'il y a dans le panier"),
        ("jam/fr.yaml", "held(me)", "Ce qu'il y a dans le panier"),
        ("jam/game.yaml", "[pick]", "Pick a fruit,"),
        ("jam/variants/full.yaml", "held(me)} fruits", "Ce qu'il y a dans le panier"),
        ("jam/variants/full.yaml", "plum}, vous", "prune | prunes"),
        ("jam/variants/full.yaml", "plum}, you", "plum | plums"),
        ("jam/variants/texts/fr/full.yaml", "full", "Neuf."),
        ("jam/variants/full.yaml", "actions.pick", "**section** `actions`"),
    ]

    async def use(editor: Editor) -> None:
        for name in files:
            await editor.open(name)

        async def explained(name: str, words: str) -> str:
            document, place = editor.document(name), at(files[name], words)
            hover = await editor.client.text_document_hover_async(types.HoverParams(document, place))
            return hover.contents.value if hover and isinstance(hover.contents, types.MarkupContent) else ""

        for name, words, expected in shown:
            assert expected in await explained(name, words), (name, words, await explained(name, words))
        await editor.change("jam/orchard.yaml", spoken.replace("one_of: tree", "one_of: treee"))
        assert "Cueillez un fruit" in await explained("jam/fr.yaml", "pick:")  # while the rules are wrong
        assert "Pick a fruit," in await explained("jam/game.yaml", "[pick]")

    with_editor(tmp_path, use)


@needs_server
def test_a_file_that_a_game_lists_is_where_its_name_leads(tmp_path: Path) -> None:
    write_files(tmp_path)
    (tmp_path / "jam/zones.yaml").write_text(ORCHARD, encoding="utf-8")  # called like a section
    text = GAME.replace("orchard.yaml", "zones.yaml")

    async def use(editor: Editor) -> None:
        await editor.open("jam/game.yaml", text)
        for words, file in (
            ("zones.yaml", "jam/zones.yaml"),
            ("look.yaml", "jam/look.yaml"),
            ("en.yaml", "jam/en.yaml"),
        ):
            params = types.DefinitionParams(editor.document("jam/game.yaml"), at(text, words))
            found = await editor.client.text_document_definition_async(params)
            assert isinstance(found, types.Location)
            assert found.uri == editor.uri(file)

    with_editor(tmp_path, use)


@needs_server
def test_what_can_follow_is_explained_beside_it(tmp_path: Path) -> None:
    write_files(tmp_path)
    head, name = "variant: big\nfor: jam\ntext: Big\n", "jam/variants/big.yaml"
    offered = [
        ("", "requires", "Variants that must be played too"),
        ("set:\n  zones.", "zones.tree", "What hangs there"),
        ("add:\n  zones.shed:\n    ", "seen_by", "Who sees what is there"),
        ("set:\n  turn.bare.when: ", "tree", "What hangs there"),
        ("set:\n  turn.bare.when: ", "everyone", "All players that have not left"),
        ("add:\n  zones.shed:\n    seen_by: ", "nobody", ""),  # which is no set of players there
    ]

    async def use(editor: Editor) -> None:
        await editor.open(name)
        for written, word, meaning in offered:
            text = head + written
            await editor.type(name, text)
            place = types.Position(text.count("\n"), len(text.rpartition("\n")[2]))
            found = await editor.client.text_document_completion_async(
                types.CompletionParams(editor.document(name), place)
            )
            assert isinstance(found, list)
            (item,) = [each for each in found if each.label == word]
            assert str(item.documentation or "").startswith(meaning), (written, item)
            assert bool(item.documentation) is bool(meaning), (written, item)

    with_editor(tmp_path, use)


@needs_server
def test_names_are_known_in_a_game_that_has_a_wrong_shape_when_it_is_opened(tmp_path: Path) -> None:
    """And nothing is renamed in it: where a name is used cannot be known."""
    write_files(tmp_path)
    name, text = "jam/orchard.yaml", ORCHARD.replace("per: player, seen_by: all", "per: player")

    async def use(editor: Editor) -> None:
        assert [each.code for each in await editor.open(name, text)] == ["missing-key"]
        params = types.HoverParams(editor.document(name), at(text, "tree,", 1))
        hover = await editor.client.text_document_hover_async(params)
        assert hover is not None
        assert isinstance(hover.contents, types.MarkupContent)
        assert hover.contents.value.startswith("**zone** `zones.tree`")
        assert "tree" in await editor.words(name, at(text, "from: tree", 6))
        assert not await editor.rename(name, at(text, "tree:"), "branch")
        assert "cannot be read" in editor.messages[-1]

    with_editor(tmp_path, use)


def test_every_word_of_expressions_with_a_value_has_a_meaning() -> None:
    assert MEANINGS_OF_WORDS.keys() == BUILTINS | FUNCTIONS


@pytest.mark.parametrize("kind", FILE_KINDS)
def test_every_key_at_the_top_of_a_file_has_a_meaning(kind: str) -> None:
    assert keys_below(kind, ())
    for key in keys_below(kind, ()):
        schema = schema_at(kind, (key,))
        assert schema is not None
        assert schema.get("description"), key

"""Files in an editor that belong together: one changes what is told of another, or all change at once."""

from __future__ import annotations

import asyncio
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from editor_games import GAME, SCENARIOS, VARIANT

pytestmark = pytest.mark.skipif(find_spec("pygls") is None, reason="pygls is not installed")
if find_spec("pygls") is not None:
    from lsprotocol import types

    from editor_client import Editor, at, edited, with_editor


def test_what_depends_on_a_file_is_checked_again_when_it_changes(tmp_path: Path) -> None:
    """Scenarios of a variant that is written, and those of a game that is called otherwise now."""
    (tmp_path / "jam.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "big.yaml").write_text(VARIANT, encoding="utf-8")
    cases = SCENARIOS.replace("cases:", "variants: [big]\ncases:")

    async def use(editor: Editor) -> None:
        async def codes_of(name: str, wanted: set[str]) -> None:
            while {str(each.code) for each in await editor.news_of(name)} != wanted:
                pass

        await editor.open("jam.yaml")
        await editor.open("big.yaml")
        await editor.open("picking.scenarios.yaml", cases)
        assert "duplicate-key" in {each.code for each in await editor.change("big.yaml", f"{VARIANT}text: Big\n")}
        left = await editor.change("big.yaml", f"# later\n{VARIANT}")
        while left:  # of what the check of the scenarios has found there
            left = await editor.news_of("big.yaml")
        await editor.change("jam.yaml", GAME.replace("game: jam", "game: jelly"))
        await codes_of("picking.scenarios.yaml", {"cannot-be-played"})
        (tmp_path / "tart").mkdir()
        (tmp_path / "tart" / "game.yaml").write_text(GAME.replace("jam", "tart"), encoding="utf-8")
        await editor.open("tart/game.yaml")
        assert await editor.open("tart/other.yaml", "milk: 2\n") != []
        await editor.change("tart/game.yaml", "name: of another program\n")
        await codes_of("tart/other.yaml", set())

    with_editor(tmp_path, use)


def test_files_that_are_named_are_shown_and_found(tmp_path: Path) -> None:
    """The game of a variant, the parts of a game, variants in scenarios and in other variants."""
    (tmp_path / "jam" / "variants").mkdir(parents=True)
    head, sections = GAME.split("kinds:")
    files = {
        "jam/game.yaml": f"{head}files: [rules.yaml]\n",
        "jam/rules.yaml": f"part_of: jam\nkinds:{sections}",
        "jam/variants/big.yaml": VARIANT.replace("text: Big", "text: {en: A big tree., fr: Un grand arbre.}"),
        "jam/variants/huge.yaml": VARIANT.replace("big", "huge").replace("set:", "requires: [big]\nset:"),
        "jam/picked.yaml": "scenarios: picked\nfor: jam\nlanguage: 2\ncases:\n  one:\n    variants:\n      - big\n"
        "    then: {decides: 1}\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    named = [
        ("jam/game.yaml", "rules.yaml", "jam/rules.yaml"),
        ("jam/rules.yaml", "jam\n", "jam/game.yaml"),
        ("jam/variants/huge.yaml", "jam\n", "jam/game.yaml"),
        ("jam/variants/huge.yaml", "big]", "jam/variants/big.yaml"),
        ("jam/picked.yaml", "jam\n", "jam/game.yaml"),
        ("jam/picked.yaml", "big\n", "jam/variants/big.yaml"),
    ]

    async def use(editor: Editor) -> None:
        for name, word, expected in named:
            await editor.open(name)
            document, place = editor.document(name), at(files[name], word)
            found = await editor.client.text_document_definition_async(types.DefinitionParams(document, place))
            assert isinstance(found, types.Location), name
            assert found.uri == editor.uri(expected)
            hover = await editor.client.text_document_hover_async(types.HoverParams(document, place))
            assert hover is not None
            assert isinstance(hover.contents, types.MarkupContent)
            assert ("A big tree." in hover.contents.value) is expected.endswith("big.yaml")
        nothing = types.DefinitionParams(editor.document("jam/picked.yaml"), at(files["jam/picked.yaml"], "picked"))
        assert await editor.client.text_document_definition_async(nothing) is None

    with_editor(tmp_path, use)


def write_game_in_parts(folder: Path) -> dict[str, str]:
    """A game in several files, with variants. Returns what each file says, by its name."""
    head, *sections = re.split(r"^(?=(?:kinds|zones|actions|turn):)", GAME, flags=re.MULTILINE)
    parts = {f"jam/{text.partition(':')[0]}.yaml": f"part_of: jam\n{text}" for text in sections}
    variants = {f"jam/variants/big{number}.yaml": VARIANT.replace("big", f"big{number}") for number in range(8)}
    (folder / "jam" / "variants").mkdir(parents=True)
    listed = ", ".join(Path(name).name for name in parts)
    files = {"jam/game.yaml": f"{head}files: [{listed}]\n", **parts, **variants}
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return files


def test_files_that_change_together_are_checked_once_each(tmp_path: Path) -> None:
    """As when a name is changed in many: not each file again for every other one."""
    files = write_game_in_parts(tmp_path)

    async def use(editor: Editor) -> None:
        for name in files:
            await editor.open(name)
        await asyncio.sleep(1)
        for old, new in (("tree", "wood"), ("wood", "tree")):
            editor.told.clear()
            for name in files:
                files[name] = files[name].replace(old, new)
                await editor.type(name, files[name])
            while True:  # until nothing more is told
                told = len(editor.told)
                await asyncio.sleep(0.5)
                if told and told == len(editor.told):
                    break
            assert told < 4 * len(files), told
            assert not any(editor.published.values())

    with_editor(tmp_path, use)


def test_nothing_is_marked_until_a_name_is_another_in_all_files(tmp_path: Path) -> None:
    """Nor while that is taken back; what is taken back in one file alone is marked."""
    files = write_game_in_parts(tmp_path)
    zones = files["jam/zones.yaml"]

    async def use(editor: Editor) -> None:
        async def change_all(texts: dict[str, str], old: str, new: str) -> None:
            for name, text in texts.items():
                first = text.replace(new, old).replace(old, new, 1)  # as Neovim does, before all others of the file
                for part in (first, text):
                    await editor.type(name, part)
                    await asyncio.sleep(0.06)  # much slower than an editor
                    assert not any(editor.published.values())

        for name in files:
            await editor.open(name)
        await asyncio.sleep(1)
        editor.published.clear()
        params = types.RenameParams(editor.document("jam/zones.yaml"), editor.at(zones, "tree:"), "wood")
        edit = await editor.client.text_document_rename_async(params)
        assert edit is not None
        assert edit.changes is not None
        renamed = {name: edited(text, edit.changes.get(editor.uri(name), ())) for name, text in files.items()}
        renamed = {name: text for name, text in renamed.items() if text != files[name]}
        assert len(renamed) > 8
        before = {name: files[name] for name in renamed}
        for texts, words in ((renamed, ("tree", "wood")), (before, ("wood", "tree")), (renamed, ("tree", "wood"))):
            await change_all(texts, *words)
            assert await editor.news_of("jam/zones.yaml") == []
        await editor.type("jam/zones.yaml", zones)
        while not await editor.news_of("jam/actions.yaml"):
            pass

    with_editor(tmp_path, use)


def test_a_game_and_a_variant_in_another_folder_see_each_other(tmp_path: Path) -> None:
    """Of which the editor has only one open, as Neovim has where one server is for all folders."""
    game, house = tmp_path / "jam", tmp_path / "house" / "mine"
    for folder in (game / ".git", house.parent / ".git", house):
        folder.mkdir(parents=True)
    (game / "game.yaml").write_text(GAME, encoding="utf-8")
    (house / "big.yaml").write_text(VARIANT, encoding="utf-8")
    (house / "big.scenarios.yaml").write_text(SCENARIOS.replace("cases:", "variants: [big]\ncases:"), encoding="utf-8")

    async def use(editor: Editor) -> None:
        await editor.open("game.yaml")
        assert await editor.open("../house/mine/big.yaml") == []
        await editor.type("game.yaml", GAME.replace("tree", "wood"))
        assert {each.code for each in await editor.news_of("../house/mine/big.yaml")} == {"no-such-address"}
        await editor.type("game.yaml", GAME)
        while await editor.news_of("../house/mine/big.yaml"):
            pass
        assert await editor.rename("game.yaml", editor.at(GAME, "tree:"), "wood")

    with_editor(game, use)
    for path in (game / "game.yaml", house / "big.yaml"):
        assert "wood" in path.read_text(encoding="utf-8")
    assert "tree" not in (house / "big.yaml").read_text(encoding="utf-8")
    assert "tree" not in (house / "big.scenarios.yaml").read_text(encoding="utf-8")

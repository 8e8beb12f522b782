"""Several files in an editor: not saved, new, closed again, broken in one line, with other ends of lines."""

from __future__ import annotations

import asyncio
import re
from concurrent.futures import Future
from importlib.util import find_spec
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(find_spec("pygls") is None, reason="pygls is not installed")
if find_spec("pygls") is not None:
    from lsprotocol import types
    from pygls.exceptions import JsonRpcException

    from editor_client import Editor, at, edited, with_editor
    from rulewright.editor.open_rules import PARTS
    from rulewright.editor.refused_requests import RefusedRequest
    from rulewright.editor.server import make_server
    from rulewright.editor.workspace import Workspace

GAME = """\
game: jam
version: 1.0.0
language: 2
text: Jam
players: 2 to 4
kinds:
  fruit: [apple, plum, cherry]
zones:
  tree:   {holds: fruit, seen_by: all, start: 4 of fruit}
  basket: {holds: fruit, per: player, seen_by: all}
actions:
  pick:
    text: Pick a fruit.
    choose: {fruit: {one_of: tree}}
    do: [pick: {move: fruit, from: tree, to: basket(me)}]
turn:
  - pick: {must: [pick]}
  - bare: {when: tree is empty, end_game: now, winners: me}
round:
  - turns: {for_each: player, turn: player}
"""
VARIANT = """\
variant: big
for: jam
text: Big
set:
  zones.tree.start: 5 of fruit
"""


def test_a_text_that_changes_before_it_is_opened(tmp_path: Path) -> None:
    """Helix 25.01 may say so of files in which a name is changed, and then open them as they were before."""
    (tmp_path / "jam.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "big.yaml").write_text(VARIANT, encoding="utf-8")
    changed = VARIANT.replace("tree", "tre")

    async def use(editor: Editor) -> None:
        uri = editor.uri("big.yaml")
        editor.versions[uri] = 0
        await editor.type("big.yaml", changed, 1)
        earlier = types.TextDocumentItem(uri, "yaml", 0, VARIANT)
        editor.client.text_document_did_open(types.DidOpenTextDocumentParams(earlier))
        assert [each.code for each in await editor.news_of("big.yaml")] == ["no-such-address"]
        found = await editor.client.text_document_hover_async(
            types.HoverParams(editor.document("big.yaml"), at(changed, "variant"))
        )
        assert found is not None
        assert [each.code for each in await editor.change("big.yaml", changed + "# still\n")] == ["no-such-address"]
        assert await editor.change("big.yaml", VARIANT) == []
        editor.client.text_document_did_close(types.DidCloseTextDocumentParams(editor.document("big.yaml")))
        await editor.news_of("big.yaml")
        assert await editor.open("big.yaml") == []  # its versions begin anew

    with_editor(tmp_path, use)


def test_files_that_are_open_together(tmp_path: Path) -> None:
    folder = tmp_path / "my games"
    (folder / "jam" / "variants").mkdir(parents=True)
    game, variant = "jam/game.yaml", "jam/variants/big.yaml"
    (folder / game).write_text(GAME, encoding="utf-8")

    async def use(editor: Editor) -> None:
        assert await editor.open(variant, VARIANT) == []  # a new file, not saved
        assert await editor.open(game) == []
        assert await editor.news_of(variant) == []
        renamed = GAME.replace("tree", "wood")
        assert await editor.change(game, renamed) == []
        assert {each.code for each in await editor.news_of(variant)} == {"no-such-address"}
        editor.client.text_document_did_close(types.DidCloseTextDocumentParams(editor.document(game)))
        while await editor.news_of(variant):  # the game is what is saved
            pass
        windows = VARIANT.replace("5 of fruit", "5 of frut").replace("\n", "\r\n")
        (wrong,) = await editor.change(variant, windows)
        assert wrong.range == types.Range(at(windows, "frut", 0), at(windows, "frut", 4))
        await editor.open("notes.txt", "milk")

    async def use_while_it_is_broken(editor: Editor) -> None:
        await editor.open(game)
        broken = GAME.replace("turn:\n", "turn:\n  - {\n")
        (wrong,) = await editor.change(game, broken)
        assert wrong.code == "unbalanced-bracket"
        params = types.HoverParams(editor.document(game), at(broken, "from: tree", 7))
        hover = await editor.client.text_document_hover_async(params)
        assert hover is not None
        assert isinstance(hover.contents, types.MarkupContent)
        assert hover.contents.value.startswith("**zone** `zones.tree`")
        editor.client.text_document_did_close(types.DidCloseTextDocumentParams(editor.document(game)))
        while await editor.news_of(game):  # what the variant's check has found there may come before
            pass

    async def use_with_changes_in_another_order(editor: Editor) -> None:
        """Helix 25.01 may send two changes that follow each other at once in the wrong order."""
        await editor.open(game)
        newer, older = GAME.replace("holds: fruit,", "holds: frut,", 1), GAME.replace("from: tree", "from: treee")
        for version, text in ((9, newer), (8, older)):
            await editor.type(game, text, version)
        while [each.code for each in await editor.news_of(game)] != ["unknown-reference"]:
            pass  # what the variant's check finds there
        params = types.WorkspaceSymbolParams("TRE")
        found = await editor.client.workspace_symbol_async(params)
        assert [(each.name, each.container_name) for each in found or ()] == [("tree", "zones")]
        await editor.type(game, GAME)
        while await editor.news_of(game):
            pass

    async def use_while_others_write(editor: Editor) -> None:
        """A file that is not open changes on the disk; the editor was asked to tell it."""
        assert editor.watched == ["**/*.{yaml,yml}"]
        editor.client.text_document_did_close(types.DidCloseTextDocumentParams(editor.document(game)))
        (folder / game).write_text(GAME.replace("tree", "wood"), encoding="utf-8")
        change = types.FileEvent(editor.uri(game), types.FileChangeType.Changed)
        editor.published.clear()
        editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([change]))
        while {each.code for each in await editor.news_of(variant)} != {"no-such-address"}:
            pass

    async def all_of_them(editor: Editor) -> None:
        await use(editor)
        await use_while_it_is_broken(editor)
        await use_with_changes_in_another_order(editor)
        await use_while_others_write(editor)

    with_editor(folder, all_of_them)


OTHERS = {
    "containers.yml": 'version: "3"\nservices:\n  web: {image: web, ports: ["80:80"]}\n',
    "workflow.yml": "name: CI\non: push\njobs:\n  test: {steps: [{run: 'echo ${{ it }}'}]}\n",
    "template.yaml": "Resources:\n  A: !Sub x\nB: {{ b }}\n",
    "list.yaml": "- hosts: all\n",
    "game.yaml": "name: of another program\n",
    "empty.yaml": "",
    "style.yaml": "display:\n  width: 3\n",
    "table.yaml": "rows:\n  - [1, 2]\n",
    "words.yaml": "texts: {hello: Hello}\n",
    "feeds.yaml": "sources: [a, b]\n",
    "bank.yaml": "statements: 3\n",
}


def test_other_yaml_files_are_let_alone(tmp_path: Path) -> None:
    """An editor sends all that it has open; what is none of rules is not judged, unless a game's folder has it."""
    (tmp_path / "jam").mkdir()
    (tmp_path / "jam" / "game.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "game.yaml").write_text(OTHERS["game.yaml"], encoding="utf-8")

    async def use(editor: Editor) -> None:
        for name, text in OTHERS.items():
            assert await editor.open(name, text) == [], name
            if name != "game.yaml":
                assert await editor.open(f"jam/{name}", text) != [], name
            document = types.DocumentSymbolParams(editor.document(name))
            assert await editor.client.text_document_document_symbol_async(document) == []
            folds = types.FoldingRangeParams(editor.document(name))
            assert await editor.client.text_document_folding_range_async(folds) is None  # it is left to the editor
            below = types.Position(text.count("\n"), 0)
            if text.partition(":")[0] not in PARTS:
                assert (await editor.words(name, below) == []) == (text[:1].isalpha()), name
        assert {each.code for each in await editor.open("begun.yaml", "display: jam\nmembrs: {}\n")} == {"unknown-key"}
        for wrong in ("varient: big\nfor: jam\n", "for: jam\nvariant: big\n", "gam: jelly\nlanguage: 2\n"):
            assert "unknown-file-kind" in {each.code for each in await editor.open("slip.yaml", wrong)}, wrong

    with_editor(tmp_path, use)


SCENARIOS = """\
scenarios: picking
for: jam
language: 2
players: 2
cases:
  picked:
    text: A fruit comes into the basket.
    when: pick(fruit=apple)
    then: {zones: {tree: {apple: 3}}}
"""


def test_a_folder_behind_a_link_has_the_names_that_the_editor_gave_it(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "jam.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "linked").symlink_to(tmp_path / "real")
    uri = (tmp_path / "linked" / "jam.yaml").as_uri()

    async def use(editor: Editor) -> None:
        item = types.TextDocumentItem(uri, "yaml", 1, GAME.replace("from: tree", "from: treee"))
        editor.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        while uri not in editor.published:
            editor.news.clear()
            await asyncio.wait_for(editor.news.wait(), 60)
        assert [each.code for each in editor.published[uri]] == ["unknown-name"]
        place = at(item.text, "holds: fruit", 8)
        params = types.DefinitionParams(types.TextDocumentIdentifier(uri), place)
        found = await editor.client.text_document_definition_async(params)
        assert isinstance(found, types.Location)
        assert found.uri == uri

    with_editor(tmp_path / "linked", use)


def test_a_name_that_is_refused_is_answered_with_the_reason(tmp_path: Path) -> None:
    """As an error of the request, which editors show beside the new name."""
    text = GAME.replace("tree is empty", "count(tree) < players")
    (tmp_path / "jam.yaml").write_text(text, encoding="utf-8")

    async def use(editor: Editor) -> None:
        await editor.open("jam.yaml")
        document, tree = editor.document("jam.yaml"), at(text, "tree:")
        reasons = {
            "basket": "`basket` is declared already",
            "Wood": "`Wood` is not an id",
            "count": "`count` is a reserved word",
        }
        for new_name, reason in reasons.items():
            with pytest.raises(JsonRpcException) as refused:
                await editor.client.text_document_rename_async(types.RenameParams(document, tree, new_name))
            assert refused.value.code == types.LSPErrorCodes.RequestFailed
            assert refused.value.message.startswith(reason)
        assert not await editor.rename("jam.yaml", tree, "basket")
        (message,) = editor.messages
        assert message.startswith("`basket` is declared already")
        with pytest.raises(JsonRpcException, match="only what is declared can be renamed, and `holds` is not"):
            await editor.client.text_document_prepare_rename_async(
                types.PrepareRenameParams(document, at(text, "holds: fruit"))
            )
        prepared = types.PrepareRenameParams(document, tree)
        assert isinstance(await editor.client.text_document_prepare_rename_async(prepared), types.Range)
        assert await editor.rename("jam.yaml", tree, "wood")

    with_editor(tmp_path, use)


def test_what_is_refused_is_no_fault_of_the_server(caplog: pytest.LogCaptureFixture) -> None:
    server = make_server()
    for error in (RefusedRequest("taken"), JsonRpcException("a fault")):
        server.protocol._send_handler_result(ended_with(error), msg_id="1")
    messages = [str(record.exc_info[1]) if record.exc_info else record.message for record in caplog.records]
    assert "taken" not in messages
    assert messages.count("a fault") == 1


def ended_with(error: Exception) -> Future[None]:
    """What a request came to."""
    future: Future[None] = Future()
    future.set_exception(error)
    return future


def test_keys_and_players_in_scenarios_are_explained(tmp_path: Path) -> None:
    (tmp_path / "jam.yaml").write_text(GAME, encoding="utf-8")
    text = SCENARIOS.replace("players: 2", "players: 3").replace(
        "apple: 3}}", "apple: 3}, basket: {2: {plum: 0}}}, decides: 2, winners: [1, 3], sees: {3: {tree: {apple: 3}}}"
    )
    (tmp_path / "jam.scenarios.yaml").write_text(text, encoding="utf-8")
    # where, within some words; how the description begins, or None where there is none
    places = [
        ("when:", 1, "**key** `when`\n\nWhat is done"),
        ("decides: 2", 1, "**key** `decides`\n\nThe player that decides next"),
        ("decides: 2", 9, "**player** `2`\n\none of 3"),
        ("winners: [1, 3]", 14, "**player** `3`"),
        ("{2: {plum", 1, "**player** `2`"),
        ("sees: {3", 7, "**player** `3`"),
        ("plum: 0", 6, None),
        ("apple: 3}, basket", 7, None),
        ("pick(fruit", 1, "**action** `actions.pick`"),
        ("pick(fruit", 6, "**choice** `actions.pick.choose.fruit`"),
        ("{plum: 0", 2, "**member** `kinds.fruit.plum`"),
    ]

    async def use(editor: Editor) -> None:
        await editor.open("jam.scenarios.yaml")
        document = editor.document("jam.scenarios.yaml")
        for words, inside, start in places:
            params = types.HoverParams(document, at(text, words, inside))
            hover = await editor.client.text_document_hover_async(params)
            shown = hover.contents.value if hover and isinstance(hover.contents, types.MarkupContent) else None
            assert (shown is None) if start is None else (shown or "").startswith(start), (words, shown)

    with_editor(tmp_path, use)


def test_names_in_scenarios_are_explained_and_have_their_other_places_shown(tmp_path: Path) -> None:
    (tmp_path / "jam.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "jam.scenarios.yaml").write_text(SCENARIOS, encoding="utf-8")

    async def use(editor: Editor) -> None:
        assert await editor.open("jam.scenarios.yaml") == []
        document = editor.document("jam.scenarios.yaml")
        hover = await editor.client.text_document_hover_async(types.HoverParams(document, at(SCENARIOS, "tree:")))
        assert hover is not None
        assert isinstance(hover.contents, types.MarkupContent)
        assert hover.contents.value.startswith("**zone** `zones.tree`")
        places = await editor.client.text_document_document_highlight_async(
            types.DocumentHighlightParams(document, at(SCENARIOS, "apple:"))
        )
        shown = [each.range.start for each in places or ()]
        assert shown == [at(SCENARIOS, "apple)", 0), at(SCENARIOS, "apple:", 0)]
        assert await editor.rename("jam.scenarios.yaml", at(SCENARIOS, "apple:"), "pear")

    with_editor(tmp_path, use)
    assert "kinds:\n  fruit: [pear, plum, cherry]" in (tmp_path / "jam.yaml").read_text(encoding="utf-8")
    assert "pick(fruit=pear)" in (tmp_path / "jam.scenarios.yaml").read_text(encoding="utf-8")


def test_what_is_wrong_is_told_before_all_numbers_of_players_are_judged(tmp_path: Path) -> None:
    path = tmp_path / "jam.yaml"
    wrong = GAME.replace("from: tree", "from: treee")
    workspace = Workspace()

    def parts_of(text: str) -> list[dict[str, list[str]]]:
        workspace.take(path, path.as_uri(), text)
        found = workspace.check_in_parts(path)
        return [{file.name: [each.code.name for each in its] for file, its in part.items()} for part in found]

    told, clean, more = {"jam.yaml": ["unknown-name"]}, {"jam.yaml": []}, dict[str, list[str]]()
    assert parts_of(GAME) == [more, more, more, more, clean]
    assert parts_of(wrong) == [told, more, more, told]
    assert parts_of(f"{wrong}# later") == [more, more, more, told]  # nothing else than before
    assert parts_of(GAME) == [clean]  # which is known
    deal = "setup:\n  - deal: {for_each: player, move: 2 of apple, from: tree, to: basket(player)}\n"
    late = {"jam.yaml": ["set-up-impossible"]}
    assert parts_of(GAME + deal) == [more, more, late, more, late]  # there are enough for two
    assert parts_of(f"{GAME}{deal}# later") == [more, more, more, late]  # nothing new, and for two known to be right
    scarce = deal.replace("move: 2", "move: 3")
    assert parts_of(GAME + scarce) == [more, late, more, more, late]  # as soon as it is found
    assert parts_of(wrong + deal) == [{"jam.yaml": ["unknown-name", "set-up-impossible"]}, more, more, told]
    assert parts_of(GAME) == [clean]  # which is known
    workspace.take(path, path.as_uri(), GAME.replace("4 of", "5 of"))
    outdated = workspace.check_in_parts(path)
    assert next(outdated) == {}
    workspace.take(path, path.as_uri(), wrong)
    assert [*outdated] == []
    workspace.close(path)


SLIPS_IN_A_GAME = {
    "unknown-key": ("seen_by: all, start", "seen_bye: all, start"),  # it cannot be read
    "unknown-name": ("start: 4 of fruit", "start: 4 of fruitt"),  # which the variant writes anew
    "unused-allowance": ("players: 2", "allow: {unused: It will be used.}\nplayers: 2"),
}


@pytest.mark.parametrize("code", SLIPS_IN_A_GAME)
def test_what_is_wrong_with_a_game_is_told_as_long_as_it_is(tmp_path: Path, code: str) -> None:
    """However often a variant of it changes, and whoever else asks for a check of the game."""
    (tmp_path / "jam.yaml").write_text(GAME.replace(*SLIPS_IN_A_GAME[code]), encoding="utf-8")
    variant, game = tmp_path / "big.yaml", tmp_path / "jam.yaml"
    workspace = Workspace()
    for text in (VARIANT, f"{VARIANT}# typed\n", f"{VARIANT}# typed on\n"):
        workspace.take(variant, "big", text)
        workspace.check(variant)
        assert [each.code.name for each in workspace.diagnostics_of(game)] == [code]
    workspace.take(game, "jam", game.read_text(encoding="utf-8"))
    for file in (game, variant, game):
        workspace.check(file)
        assert [each.code.name for each in workspace.diagnostics_of(game)] == [code]
    assert workspace.diagnostics_of(variant) == []
    for file in (game, variant):
        workspace.close(file)


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

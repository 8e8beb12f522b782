"""Files in an editor: not saved, new, closed again, of other programs, and when what is wrong with them is told."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from importlib.util import find_spec
from pathlib import Path

import pytest

from editor_games import GAME, VARIANT

pytestmark = pytest.mark.skipif(find_spec("pygls") is None, reason="pygls is not installed")
if find_spec("pygls") is not None:
    from lsprotocol import types
    from pygls.exceptions import JsonRpcException

    from editor_client import Editor, at, with_editor
    from rulewright.editor.open_rules import PARTS
    from rulewright.editor.refused_requests import RefusedRequest
    from rulewright.editor.server import make_server
    from rulewright.editor.workspace import Workspace


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

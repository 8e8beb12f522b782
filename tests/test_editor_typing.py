"""What an editor keeps while a text cannot be read, and what it is not offered about a text that has changed since."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest

from rulewright.editor.kept_answers import TextChange, change_between

pytestmark = pytest.mark.skipif(find_spec("pygls") is None, reason="pygls is not installed")
if find_spec("pygls") is not None:
    from lsprotocol import types
    from pygls.exceptions import JsonRpcException

    from editor_client import Editor, at, with_editor

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
VARIANT = "variant: big\nfor: jam\ntext: Big\nset:\n  zones.tree.start: 5 of fruit\n"


def test_what_differs_between_two_texts() -> None:
    assert change_between("one two", "one or two") == TextChange(4, 4, 3)
    assert change_between("one or two", "one two") == TextChange(4, 7, -3)
    assert change_between("aaa", "aa") == TextChange(2, 3, -1)
    assert change_between("same", "same") == TextChange(4, 4, 0)
    change = change_between("one two three", "one 2 three")
    assert [change.moved(offset) for offset in (0, 4, 6, 7)] == [0, None, None, 5]
    assert [change.moved_end(offset) for offset in (4, 5, 7, 8)] == [4, 5, 5, 6]


def test_colours_folds_and_outline_stay_while_a_text_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "jam.yaml").write_text(GAME, encoding="utf-8")

    async def use(editor: Editor) -> None:
        document = editor.document("jam.yaml")

        async def coloured_words(text: str) -> list[str]:
            params = types.SemanticTokensParams(document)
            found = await editor.client.text_document_semantic_tokens_full_async(params)
            assert found is not None
            return words_of(text, found.data)

        async def folds() -> list[tuple[int, int]]:
            params = types.FoldingRangeParams(document)
            found = await editor.client.text_document_folding_range_async(params)
            return [(fold.start_line, fold.end_line) for fold in found or ()]

        async def outline(text: str) -> list[str]:
            params = types.DocumentSymbolParams(document)
            found = await editor.client.text_document_document_symbol_async(params)
            lines, names = text.split("\n"), []
            for each in found or ():
                assert isinstance(each, types.DocumentSymbol)
                assert lines[each.selection_range.start.line].startswith(f"{each.name}:")
                names.append(each.name)
            return names

        await editor.open("jam.yaml")
        words, lines, names = await coloured_words(GAME), await folds(), await outline(GAME)
        assert {"tree", "basket", "me"} <= {*words}
        for head in ("", "turn: [\n"):  # with which the file cannot be read: what was read before is led to
            text = head + GAME
            await editor.change("jam.yaml", text)
            where = types.DefinitionParams(document, at(text, "from: tree", 7))
            found = await editor.client.text_document_definition_async(where)
            assert isinstance(found, types.Location)
            assert found.range == types.Range(at(text, "tree:", 0), at(text, "tree:", 4))
        broken = GAME.replace("text: Pick", "# later\n    text: {Pick")
        assert "unbalanced-bracket" in {each.code for each in await editor.change("jam.yaml", broken)}
        assert await coloured_words(broken) == words
        line = broken.split("\n").index("    # later")
        assert await folds() == [tuple(each + (each >= line) for each in fold) for fold in lines]
        assert await outline(broken) == names

    with_editor(tmp_path, use)


def test_a_file_that_could_never_be_read_is_outlined_as_far_as_it_can(tmp_path: Path) -> None:
    whole, _, behind = GAME.partition("turn:")
    (tmp_path / "jam.yaml").write_text(f"{whole}oops {{\nturn:{behind}", encoding="utf-8")

    async def use(editor: Editor) -> None:
        await editor.open("jam.yaml")
        params = types.DocumentSymbolParams(editor.document("jam.yaml"))
        found = await editor.client.text_document_document_symbol_async(params)
        assert [each.name for each in found or ()] == [
            "game",
            "version",
            "language",
            "players",
            "kinds",
            "zones",
            "actions",
        ]

    with_editor(tmp_path, use)


def words_of(text: str, data: list[int] | tuple[int, ...]) -> list[str]:
    """The words that are coloured."""
    lines, found, line, column = text.split("\n"), [], 0, 0
    for index in range(0, len(data), 5):
        below, behind, length = data[index : index + 3]
        line, column = line + below, behind if below else column + behind
        found.append(lines[line][column : column + length])
    return found


def test_corrections_are_of_the_text_as_it_is(tmp_path: Path) -> None:
    """A text that has changed is checked a moment later; nothing is ever written where something was wrong before."""
    (tmp_path / "jam.yaml").write_text(GAME, encoding="utf-8")

    async def use(editor: Editor) -> None:
        async def actions(kind: str | None = None) -> Sequence[types.Command | types.CodeAction]:
            whole = types.Range(types.Position(0, 0), types.Position(99, 0))
            context = types.CodeActionContext([], only=None if kind is None else [kind])
            params = types.CodeActionParams(editor.document("jam.yaml"), whole, context)
            return await editor.client.text_document_code_action_async(params) or ()

        async def corrections(kind: str | None = None) -> list[str]:
            return [each.title for each in await actions(kind)]

        wrong = GAME.replace("from: tree", "from: treee")
        await editor.open("jam.yaml", wrong)
        assert await corrections() == await corrections("quickfix") == ["replace `treee` by `tree`"]
        assert await corrections("source.fixAll") == []  # which editors ask for when they save
        changed = f"# first\n{wrong}"
        await editor.type("jam.yaml", changed)
        while not (found := await actions()):
            await asyncio.sleep(0.01)
        for each in found:
            assert isinstance(each, types.CodeAction)
            (edits,) = (each.edit.changes or {}).values() if each.edit is not None else ([],)
            assert [edit.range.start for edit in edits] == [at(changed, "treee", 0)]

    with_editor(tmp_path, use)


def test_nothing_is_renamed_while_a_file_that_has_the_name_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "jam.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "big.yaml").write_text(VARIANT, encoding="utf-8")

    async def use(editor: Editor) -> None:
        await editor.open("jam.yaml")
        await editor.open("big.yaml", f"{VARIANT}set: [")
        tree = at(GAME, "tree:")
        assert not await editor.rename("jam.yaml", tree, "wood")
        assert await editor.rename("jam.yaml", at(GAME, "basket:"), "bag_of_mine")  # the variant does not name it
        await editor.type("jam.yaml", f"{GAME}turn: [")
        prepared = types.PrepareRenameParams(editor.document("jam.yaml"), tree)
        with pytest.raises(JsonRpcException, match="cannot be read as it is now"):
            await editor.client.text_document_prepare_rename_async(prepared)
        await editor.type("jam.yaml", GAME)
        await editor.change("big.yaml", VARIANT)
        assert await editor.rename("jam.yaml", tree, "wood")
        (message,) = editor.messages
        path = (tmp_path / "big.yaml").resolve()
        assert message == f"`tree` is also in a file that cannot be read as it is now: {path}"

    with_editor(tmp_path, use)
    assert "zones.wood.start" in (tmp_path / "big.yaml").read_text(encoding="utf-8")


def test_names_are_known_while_another_file_of_the_game_cannot_be_read(tmp_path: Path) -> None:
    start, end = GAME.index("zones:"), GAME.index("actions:")
    rest, zones = f"{GAME[:start]}files: [zones.yaml]\n{GAME[end:]}", f"part_of: jam\n{GAME[start:end]}"
    (tmp_path / "game.yaml").write_text(rest, encoding="utf-8")
    (tmp_path / "zones.yaml").write_text(zones, encoding="utf-8")

    async def use(editor: Editor) -> None:
        async def explained(words: str, inside: int) -> str:
            params = types.HoverParams(editor.document("game.yaml"), at(rest, words, inside))
            hover = await editor.client.text_document_hover_async(params)
            assert hover is not None
            assert isinstance(hover.contents, types.MarkupContent)
            return hover.contents.value.partition("\n")[0]

        await editor.open("game.yaml")
        await editor.open("zones.yaml")
        assert await explained("from: tree", 7) == "**zone** `zones.tree`"
        await editor.change("zones.yaml", f"{zones}  shelf: {{")
        assert await explained("from: tree", 7) == "**zone** `zones.tree`"
        place = at(rest, "from: tree", 7)
        assert not await editor.rename("game.yaml", place, "wood")
        assert editor.messages[-1].endswith("cannot be read as it is now: " + str((tmp_path / "zones.yaml").resolve()))
        assert await editor.rename("game.yaml", at(rest, "fruit: [apple", 8), "pear")

    with_editor(tmp_path, use)


def test_a_file_that_is_open_under_two_names(tmp_path: Path) -> None:
    """Both have the marks of the text that both show; closed under one, it is what it says under the other."""
    (tmp_path / "jam.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "linked.yaml").symlink_to("jam.yaml")
    wrong = GAME.replace("from: tree", "from: treee")

    async def use(editor: Editor) -> None:
        uri = (tmp_path / "linked.yaml").as_uri()

        async def news_of_link() -> list[object]:
            while uri not in editor.published:
                editor.news.clear()
                await asyncio.wait_for(editor.news.wait(), 60)
            return [each.code for each in editor.published.pop(uri)]

        await editor.open("jam.yaml", wrong)
        item = types.TextDocumentItem(uri, "yaml", 1, wrong)
        editor.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        assert await news_of_link() == ["unknown-name"]
        assert [each.code for each in await editor.news_of("jam.yaml")] == ["unknown-name"]
        document = types.VersionedTextDocumentIdentifier(2, uri)
        whole = types.TextDocumentContentChangeWholeDocument(GAME)
        editor.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [whole]))
        while await news_of_link():  # the check of the text before may be told once more
            pass
        closed = types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri))
        editor.client.text_document_did_close(closed)
        while await news_of_link():
            pass
        assert [each.code for each in await editor.news_of("jam.yaml")] == ["unknown-name"]  # it shows that text still
        assert await editor.change("jam.yaml", GAME) == []

    with_editor(tmp_path, use)


def test_many_keys_in_a_large_text_cost_one_check(tmp_path: Path) -> None:
    async def use(editor: Editor) -> None:
        large = VARIANT + "# a comment\n" * 80_000
        await editor.open("big.yaml", large)
        editor.told.clear()
        for key in range(2, 7):
            await editor.type("big.yaml", f"{large}set: [{'x' * key}")
        await editor.news_of("big.yaml")
        assert editor.told == [6]

    with_editor(tmp_path, use)


async def colours_of(editor: Editor, name: str) -> types.SemanticTokens:
    params = types.SemanticTokensParams(editor.document(name))
    found = await editor.client.text_document_semantic_tokens_full_async(params)
    assert found is not None
    return found


async def colours_within(editor: Editor, name: str, first: int, last: int) -> list[int]:
    part = types.Range(types.Position(first, 0), types.Position(last, 0))
    params = types.SemanticTokensRangeParams(editor.document(name), part)
    found = await editor.client.text_document_semantic_tokens_range_async(params)
    assert found is not None
    return [*found.data]


def test_colours_of_a_part_and_of_what_has_changed(tmp_path: Path) -> None:
    (tmp_path / "jam.yaml").write_text(GAME, encoding="utf-8")

    async def use(editor: Editor) -> None:
        await editor.open("jam.yaml")
        whole = await colours_of(editor, "jam.yaml")
        lines = GAME.split("\n")
        first = lines.index("actions:")
        words = words_of(GAME, whole.data)
        within = words_of(GAME, await colours_within(editor, "jam.yaml", first, len(lines)))
        assert within
        assert within == words[-len(within) :]
        assert words_of(GAME, await colours_within(editor, "jam.yaml", 0, first)) == words[: -len(within)]
        changed = GAME.replace("fruit: {one_of: tree}", "fruit: {one_of: each fruit in tree}")
        await editor.change("jam.yaml", changed)
        params = types.SemanticTokensDeltaParams(editor.document("jam.yaml"), whole.result_id or "")
        delta = await editor.client.text_document_semantic_tokens_full_delta_async(params)
        assert isinstance(delta, types.SemanticTokensDelta)
        data = [*whole.data]
        for edit in delta.edits:
            assert len(edit.data or ()) < len(data) / 2
            data[edit.start : edit.start + edit.delete_count] = edit.data or ()
        assert data == [*(await colours_of(editor, "jam.yaml")).data]
        assert len(data) > len(whole.data)
        outdated = await editor.client.text_document_semantic_tokens_full_delta_async(params)
        assert isinstance(outdated, types.SemanticTokens)

    with_editor(tmp_path, use)


def test_a_large_text_has_the_colours_and_names_of_before_until_it_is_checked(tmp_path: Path) -> None:
    fields = "components:\n  card:\n    fields: {of: fruit, next: fruit}\n    rows:\n"
    rows = "".join(f"      - {{id: c{number}, of: apple, next: plum}}\n" for number in range(300))
    padding = "# a comment\n" * 25_000
    large = GAME.replace("zones:", f"{fields}{rows}{padding}zones:")

    async def use(editor: Editor) -> None:
        await editor.open("jam.yaml", large)
        words = words_of(large, (await colours_of(editor, "jam.yaml")).data)
        assert words.count("apple") == 300
        first = large[: large.index("id: c100,")].count("\n")
        assert words_of(large, await colours_within(editor, "jam.yaml", first, first + 9)) == ["apple", "plum"] * 9
        typed = [large.replace("one_of: tree", f"one_of: each fruit in {word}") for word in ("t", "t", "tr", "tre")]
        for number, text in enumerate(typed):
            await editor.type("jam.yaml", text)
            if number:  # at first the names are read
                shown = words_of(text, (await colours_of(editor, "jam.yaml")).data)
                assert "each" not in shown
                assert len(shown) == len(words) - 1  # but for the word that is typed
            assert "tree" in await editor.words("jam.yaml", editor.at(text, "fruit in t", 10))
        await asyncio.wait_for(until_each_is_shown(editor, typed[-1]), 60)

    async def until_each_is_shown(editor: Editor, text: str) -> None:
        """Asks for colours whenever the server says that there are new ones: some may be of a text before."""
        while "each" not in words_of(text, (await colours_of(editor, "jam.yaml")).data):
            await editor.refreshed.wait()
            editor.refreshed.clear()

    with_editor(tmp_path, use)

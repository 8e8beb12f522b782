"""The language server with a real client over standard input and output: what an editor asks, and what it is told."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(find_spec("pygls") is None, reason="pygls is not installed")
if find_spec("pygls") is not None:
    from lsprotocol import types
    from pygls.lsp.client import LanguageClient

ROOT = Path(__file__).parent.parent
PAIRS = """\
variant: pairs
for: splendor
text: {en: Pairs from piles of three, fr: Des paires dès trois jetons}
set:
  actions.take_pair.when.enough_in_pile: supply(colour) >= 3
  parameters.token_limit: 9
still_true: [actions.take_pair.when.enough_in_pile.why, book.pair_example, book.q_small_pile]
"""


@dataclass
class Editor:
    """An editor with some files of a folder open."""

    client: LanguageClient
    folder: Path
    published: dict[str, list[types.Diagnostic]]
    news: asyncio.Event

    def uri(self, name: str) -> str:
        return (self.folder / name).resolve().as_uri()

    async def open(self, name: str, text: str | None = None) -> list[types.Diagnostic]:
        text = (self.folder / name).read_text(encoding="utf-8") if text is None else text
        item = types.TextDocumentItem(self.uri(name), "yaml", 1, text)
        return await self._told(name, lambda: self.client.text_document_did_open(types.DidOpenTextDocumentParams(item)))

    async def change(self, name: str, text: str, version: int = 2) -> list[types.Diagnostic]:
        document = types.VersionedTextDocumentIdentifier(version, self.uri(name))
        whole = types.TextDocumentContentChangeWholeDocument(text)
        params = types.DidChangeTextDocumentParams(document, [whole])
        return await self._told(name, lambda: self.client.text_document_did_change(params))

    async def _told(self, name: str, act: Callable[[], None]) -> list[types.Diagnostic]:
        self.published.pop(self.uri(name), None)
        act()
        while self.uri(name) not in self.published:
            self.news.clear()
            await asyncio.wait_for(self.news.wait(), 60)
        return self.published[self.uri(name)]

    def document(self, name: str) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri(name))


def at(text: str, words: str, inside: int = 1) -> types.Position:
    """The place of a character of some words in a text, in UTF-16 units."""
    offset = text.index(words) + inside
    line = text.count("\n", 0, offset)
    before = text[text.rfind("\n", 0, offset) + 1 : offset]
    return types.Position(line, len(before.encode("utf-16-le")) // 2)


def with_editor(folder: Path, use: Callable[[Editor], Awaitable[None]]) -> None:
    """Starts the server as an editor does, uses it, and says goodbye."""

    async def run() -> None:
        client, published, news = LanguageClient("test", "1"), {}, asyncio.Event()

        @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def take(params: types.PublishDiagnosticsParams) -> None:
            published[params.uri] = list(params.diagnostics)
            news.set()

        await client.start_io(sys.executable, "-m", "rulewright", "lsp")
        await client.initialize_async(
            types.InitializeParams(capabilities=types.ClientCapabilities(), root_uri=folder.as_uri())
        )
        client.initialized(types.InitializedParams())
        await use(Editor(client, folder, published, news))
        await client.shutdown_async(None)
        client.exit(None)
        await client.stop()

    asyncio.run(asyncio.wait_for(run(), 120))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "variants" / "splendor").mkdir(parents=True)
    shutil.copytree(ROOT / "rules" / "splendor", tmp_path / "rules" / "splendor")
    (tmp_path / "variants" / "splendor" / "pairs.yaml").write_text(PAIRS, encoding="utf-8")
    return tmp_path


VARIANT = "variants/splendor/pairs.yaml"


def test_what_is_wrong_is_told_as_one_types_and_can_be_fixed(folder: Path) -> None:
    async def use(editor: Editor) -> None:
        assert await editor.open(VARIANT) == []
        wrong = PAIRS.replace("supply(", "suply(")
        (found,) = await editor.change(VARIANT, wrong)
        assert (found.code, found.severity, found.source) == (
            "unknown-function",
            types.DiagnosticSeverity.Error,
            "rulewright",
        )
        assert found.range == types.Range(at(wrong, "suply", 0), at(wrong, "suply", 5))
        context = types.CodeActionContext([found])
        actions = await editor.client.text_document_code_action_async(
            types.CodeActionParams(editor.document(VARIANT), found.range, context)
        )
        assert actions is not None
        (edits,) = [action.edit.changes[editor.uri(VARIANT)] for action in actions]
        assert [edit.new_text for edit in edits] == ["supply"]
        (broken,) = await editor.change(VARIANT, wrong + "set: [", 3)
        assert broken.severity == types.DiagnosticSeverity.Error
        assert await editor.change(VARIANT, PAIRS, 4) == []
        assert (folder / VARIANT).read_text(encoding="utf-8") == PAIRS

    with_editor(folder, use)


def test_a_game_that_is_not_saved_is_what_its_variants_change(folder: Path) -> None:
    async def use(editor: Editor) -> None:
        await editor.open(VARIANT)
        zones = (folder / "rules/splendor/zones.yaml").read_text(encoding="utf-8")
        assert await editor.open("rules/splendor/zones.yaml", zones.replace("supply:", "stock:")) != []
        found = await editor.change(VARIANT, PAIRS + "# changed\n")
        assert "unknown-function" in {each.code for each in found}

    with_editor(folder, use)


def test_names_are_explained_found_and_renamed_in_all_files(folder: Path) -> None:
    async def use(editor: Editor) -> None:
        await editor.open(VARIANT)
        document, place = editor.document(VARIANT), at(PAIRS, "supply(colour)")
        hover = await editor.client.text_document_hover_async(types.HoverParams(document, place))
        assert hover.contents.value.startswith("**zone** `zones.supply`")
        limit = at(PAIRS, "token_limit")
        hover = await editor.client.text_document_hover_async(types.HoverParams(document, limit))
        assert all(part in hover.contents.value for part in ("value: 9", "parameters.yaml", "pairs.yaml"))
        found = await editor.client.text_document_definition_async(types.DefinitionParams(document, place))
        assert found.uri == editor.uri("rules/splendor/zones.yaml")
        context = types.ReferenceContext(include_declaration=True)
        uses = await editor.client.text_document_references_async(types.ReferenceParams(context, document, limit))
        files = {use.uri.rpartition("/")[2] for use in uses}
        assert {"parameters.yaml", "pairs.yaml", "values.yaml", "turn.yaml"} & files >= {
            "parameters.yaml",
            "pairs.yaml",
        }
        edit = await editor.client.text_document_rename_async(types.RenameParams(document, place, "bank"))
        for uri, edits in edit.changes.items():
            path = Path(uri.removeprefix("file://"))
            lines = path.read_text(encoding="utf-8").split("\n")
            for one in sorted(
                edits, key=lambda each: (each.range.start.line, each.range.start.character), reverse=True
            ):
                line, start, end = one.range.start.line, one.range.start.character, one.range.end.character
                assert lines[line][start:end] == "supply"
                lines[line] = lines[line][:start] + one.new_text + lines[line][end:]
            path.write_text("\n".join(lines), encoding="utf-8")

    with_editor(folder, use)
    from rulewright import check

    assert [str(each) for each in check([folder / "rules", folder / "variants"])] == []
    assert "bank(colour)" in (folder / VARIANT).read_text(encoding="utf-8")
    assert "supply" not in (folder / "rules/splendor/zones.yaml").read_text(encoding="utf-8").replace(
        "in the supply", ""
    )


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("  turn.goal.when: tok", {"token_limit"}),
        ("  turn.goal.when: count(han", {"hand"}),
        ("  actions.take_pair.wh", {"actions.take_pair.when"}),
        ("  zo", {"zones"}),
    ],
)
def test_what_can_follow_is_offered(folder: Path, line: str, words: set[str]) -> None:
    async def use(editor: Editor) -> None:
        text = f"variant: pairs\nfor: splendor\ntext: Pairs\nset:\n{line}"
        await editor.open(VARIANT, text)
        place = types.Position(4, len(line))
        found = await editor.client.text_document_completion_async(
            types.CompletionParams(editor.document(VARIANT), place)
        )
        assert words <= {each.label for each in found}
        assert all(each.text_edit.range.end == place for each in found)

    with_editor(folder, use)


def test_a_file_is_outlined_folded_and_coloured(folder: Path) -> None:
    async def use(editor: Editor) -> None:
        await editor.open(VARIANT)
        document = editor.document(VARIANT)
        symbols = await editor.client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
        changes = next(each for each in symbols if each.name == "set")
        assert [each.name for each in changes.children] == [
            "actions.take_pair.when.enough_in_pile",
            "parameters.token_limit",
        ]
        folds = await editor.client.text_document_folding_range_async(types.FoldingRangeParams(document))
        assert [(fold.start_line, fold.end_line) for fold in folds] == [(3, 5)]
        coloured = await editor.client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
        assert list(coloured.data[:5]) == [4, PAIRS.split("\n")[4].index("supply"), len("supply"), 6, 0]

    with_editor(folder, use)


def test_a_file_that_belongs_to_no_game_has_an_answer(tmp_path: Path) -> None:
    (tmp_path / "lost.yaml").write_text("variant: lost\nfor: nowhere\ntext: Lost\nset: {a.b: 1}\n", encoding="utf-8")

    async def use(editor: Editor) -> None:
        found = await editor.open("lost.yaml")
        assert [each.code for each in found] == ["unknown-game"]
        document = editor.document("lost.yaml")
        hover = await editor.client.text_document_hover_async(types.HoverParams(document, types.Position(1, 6)))
        assert hover is None
        await editor.open("notes.yaml", "milk: 2\n")

    with_editor(tmp_path, use)

"""The language server with a real client over standard input and output: what an editor asks, and what it is told."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(find_spec("pygls") is None, reason="pygls is not installed")
if find_spec("pygls") is not None:
    from lsprotocol import types

    from editor_client import Editor, at, with_editor

ROOT = Path(__file__).parent.parent
PAIRS = """\
variant: pairs
for: splendor
text: {en: Pairs from smaller piles, fr: Des paires de piles plus petites}
set:
  actions.take_pair.when.enough_in_pile: supply(colour) >= pair_minimum - 1
  parameters.token_limit: 9
still_true: [actions.take_pair.when.enough_in_pile.why, book.pair_example, book.q_small_pile]
"""
TWELVE = "variant: twelve\nfor: splendor\ntext: {en: Twelve, fr: Douze}\nset: {parameters.target_prestige: 12}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "variants" / "splendor").mkdir(parents=True)
    shutil.copytree(ROOT / "rules" / "splendor", tmp_path / "rules" / "splendor")
    (tmp_path / "variants" / "splendor" / "pairs.yaml").write_text(PAIRS, encoding="utf-8")
    (tmp_path / "variants" / "splendor" / "twelve.yaml").write_text(TWELVE, encoding="utf-8")
    return tmp_path


GOAL = "rules/splendor/parameters.yaml"
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
        wrong = PAIRS.replace("token_limit", "tokens_limiting")
        (found,) = await editor.change(VARIANT, wrong)
        end_of_line = types.Range(at(wrong, "tokens_limiting: 9", 18), at(wrong, "tokens_limiting: 9", 18))
        params = types.CodeActionParams(editor.document(VARIANT), end_of_line, types.CodeActionContext([found]))
        actions = await editor.client.text_document_code_action_async(params)
        (edits,) = [action.edit.changes[editor.uri(VARIANT)] for action in actions or ()]
        assert [(edit.range, edit.new_text) for edit in edits] == [(found.range, "token_limit")]
        assert found.range.start == at(wrong, "tokens_limiting", 0)  # not the names before it, which are right
        (broken,) = await editor.change(VARIANT, wrong + "set: [")
        assert broken.severity == types.DiagnosticSeverity.Error
        assert await editor.change(VARIANT, PAIRS) == []
        assert (folder / VARIANT).read_text(encoding="utf-8") == PAIRS

    with_editor(folder, use)


def test_a_game_that_is_not_saved_is_what_its_variants_change(folder: Path) -> None:
    async def use(editor: Editor) -> None:
        await editor.open(VARIANT)
        zones = (folder / "rules/splendor/zones.yaml").read_text(encoding="utf-8")
        await editor.open("rules/splendor/zones.yaml", zones.replace("supply:", "stock:"))
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
        await editor.open(GOAL)
        place_of_goal = at((folder / GOAL).read_text(encoding="utf-8"), "target_prestige:")
        params = types.HoverParams(editor.document(GOAL), place_of_goal)
        hover = await editor.client.text_document_hover_async(params)
        changing = hover.contents.value.rpartition("changed by ")[2].split(", ")
        assert {"twelve", "play-to-21"} <= {*changing}
        assert "pairs" not in changing
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


FOLLOWING = [
    ("  turn.goal.when: tok", {"token_limit"}),
    ("  turn.goal.when: count(han", {"hand"}),
    ("  actions.take_pair.wh", {"actions.take_pair.when"}),
    ("  zo", {"zones"}),
]


def test_what_can_follow_is_offered(folder: Path) -> None:
    async def use(editor: Editor) -> None:
        await editor.open(VARIANT)
        for line, words in FOLLOWING:
            await editor.change(VARIANT, f"variant: pairs\nfor: splendor\ntext: Pairs\nset:\n{line}")
            place = types.Position(4, len(line))
            found = await editor.client.text_document_completion_async(
                types.CompletionParams(editor.document(VARIANT), place)
            )
            assert words <= {each.label for each in found}, line
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
        text = 'sentences:\n  actions.take_pair.when.enough_in_pile.why: "é {supply(colour): pile | piles} à {n'
        await editor.change(VARIANT, PAIRS.partition("set:")[0] + text.replace(" à {n", '"'))
        coloured = await editor.client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
        line = text.split("\n")[1]
        assert list(coloured.data) == [
            *(4, line.index("supply"), len("supply"), 6, 0),
            *(0, len("supply("), len("colour"), 2, 0),  # the choice; the forms of a plural are no expressions
        ]

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


def message(content: dict[str, object]) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **content}).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


@pytest.mark.parametrize("says_goodbye", [True, False])
def test_the_server_ends_without_a_word_when_the_editor_does(says_goodbye: bool) -> None:
    hello = message(
        {"id": 1, "method": "initialize", "params": {"capabilities": {}, "processId": None, "rootUri": None}}
    )
    goodbye = message({"id": 2, "method": "shutdown"}) + message({"method": "exit"})
    command = [sys.executable, "-m", "rulewright", "lsp"]
    words = hello + (goodbye if says_goodbye else b"")
    ended = subprocess.run(command, input=words, capture_output=True, timeout=60, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")

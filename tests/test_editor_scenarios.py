"""Scenarios in an editor: what their keys and names mean."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from editor_games import GAME, SCENARIOS

pytestmark = pytest.mark.skipif(find_spec("pygls") is None, reason="pygls is not installed")
if find_spec("pygls") is not None:
    from lsprotocol import types

    from editor_client import Editor, at, with_editor


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

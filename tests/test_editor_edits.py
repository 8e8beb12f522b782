"""Texts that are changed again and again at random: an editor is told what a check of the same files finds."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from random import Random

import pytest

from editor_games import GAME
from rulewright.checker.checker import check
from rulewright.diagnostics import Diagnostic
from rulewright.expr.remembered import reading_anew

pytestmark = pytest.mark.skipif(find_spec("pygls") is None, reason="pygls is not installed")
if find_spec("pygls") is not None:
    from editor_client import Editor, with_editor
    from rulewright.editor.workspace import Workspace

VARIANT = """\
variant: dear
for: jam
text: A full basket costs fruit, {limit} at most.
add:
  parameters.limit: 3
  values.held: {per: player, is: count(basket(player))}
  actions.pick.when.few:
    is: held(me) < limit
    why: There is room for {limit}.
set:
  zones.tree.start: 5 of fruit
"""
LETTERS = "abc xyz0123:.,{}[]()'#-_\n"


def texts_after_edits(text: str, seed: int, count: int) -> Iterator[str]:
    """What a text says after each of some changes; most slips are mended again soon, as authors do."""
    rng, right, before = Random(seed), text, text
    for number in range(count):
        lines = text.split("\n")
        line = rng.randrange(1, len(lines))  # by the first line a file counts as rules
        match rng.randrange(9):
            case 0:
                lines[line] += f"  # note {number}"
            case 1:
                lines.insert(line, "")
            case 2:
                lines[line] = lines[line].rstrip() + " "
            case 3:
                lines[line] = "".join(str(rng.randrange(9)) if letter.isdigit() else letter for letter in lines[line])
            case 4:
                del lines[line]
            case 5 | 6:
                place = rng.randrange(len(lines[line]) + 1)
                lines[line] = lines[line][:place] + rng.choice(LETTERS) + lines[line][place:]
            case 7:
                lines = before.split("\n")
            case _:
                lines = right.split("\n")
        before, text = text, "\n".join(lines)
        yield text


def told(diagnostics: list[Diagnostic]) -> list[tuple[str, str, str]]:
    return sorted((str(each.span), each.code.name, each.message) for each in diagnostics)


@pytest.mark.parametrize(("name", "seed"), [("jam.yaml", 1), ("dear.yaml", 2), ("dear.yaml", 3)])
def test_all_that_is_told_is_what_a_check_finds(tmp_path: Path, name: str, seed: int) -> None:
    (tmp_path / "jam.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "dear.yaml").write_text(VARIANT, encoding="utf-8")
    path, workspace = tmp_path / name, Workspace()
    for text in texts_after_edits(path.read_text(encoding="utf-8"), seed, 60):
        workspace.take(path, path.as_uri(), text)
        *_, last = workspace.check_in_parts(path)
        with reading_anew():
            found = [*check([str(path)])]
        assert told([each for its in last.values() for each in its]) == told(found), text
    workspace.close(path)


def test_an_editor_is_told_what_a_check_finds(tmp_path: Path) -> None:
    (tmp_path / "jam.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "dear.yaml").write_text(VARIANT, encoding="utf-8")
    path = tmp_path / "dear.yaml"

    async def use(editor: Editor) -> None:
        await editor.open("dear.yaml")
        for text in texts_after_edits(VARIANT, 4, 25):
            path.write_text(text, encoding="utf-8")
            expected = sorted((each.span.line - 1, each.code.name) for each in check([str(path)]))
            shown = await editor.change("dear.yaml", text)
            while sorted((each.range.start.line, str(each.code)) for each in shown) != expected:
                shown = await asyncio.wait_for(editor.news_of("dear.yaml"), 10)

    with_editor(tmp_path, use)

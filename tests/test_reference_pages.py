"""The pages of the reference are complete: every diagnostic, word and key has its place, and links lead somewhere.

What their examples say is held by `test_reference.py`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from reference_extract import DIAGNOSTICS, PAGES, REFERENCE, ROOT, pieces, unquoted, with_diagnostics
from rulewright.document.schemas import FILE_KINDS, LANGUAGE_SCHEMA
from rulewright.expr.keywords import RESERVED_NAMES
from rulewright.model.locale import ENGLISH_MESSAGES

ALL = [piece for page in PAGES for piece in pieces(page)]
INDEX, COOKBOOK = REFERENCE / "index.md", REFERENCE / "cookbook.md"


def test_diagnostics_are_all_there() -> None:
    text = DIAGNOSTICS.read_text(encoding="utf-8")
    assert text == with_diagnostics(text), "outdated table: run `python tests/reference_extract.py`"


def test_words_of_the_program_are_all_there() -> None:
    [table] = [one for one in ALL if one.kind == "table" and one.text.startswith("| word | English |")]
    assert {unquoted(word): english for word, english, _ in table.rows()} == dict(ENGLISH_MESSAGES)
    for _, english, holes in table.rows():
        assert re.findall(r"{(\w+)}", english) == re.findall(r"`(\w+)`", holes)


def test_reserved_words_are_all_there() -> None:
    text = (REFERENCE / "names.md").read_text(encoding="utf-8")
    listed = text.partition("must not be ids")[2].partition("An action must not")[0]
    words = [word for quoted in re.findall(r"`([^`]+)`", listed) for word in quoted.split()]
    assert sorted(words) == sorted(RESERVED_NAMES)


def keys_of(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        yield from schema.get("properties", {}) if isinstance(schema.get("properties"), dict) else ()
        for value in schema.values():
            yield from keys_of(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from keys_of(value)


@pytest.mark.parametrize("kind", [*FILE_KINDS, LANGUAGE_SCHEMA])
def test_every_key_is_explained(kind: str) -> None:
    schema = json.loads((ROOT / "schemas" / f"{kind}.schema.json").read_text(encoding="utf-8"))
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    words = {word for quoted in re.findall(r"`([^`\n]+)`", text) for word in re.findall(r"[a-z_]+", quoted)}
    assert not sorted(set(keys_of(schema)) - words)


def anchor(heading: str) -> str:
    """The name of a heading, as links write it."""
    return re.sub(r"[^a-z0-9_ -]", "", heading.lower()).replace(" ", "-")


@cache
def anchors(page: Path) -> frozenset[str]:
    """The names of a page's headings, as links write them."""
    return frozenset(map(anchor, re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)))


@pytest.mark.parametrize("page", [*PAGES, ROOT / "rules" / "MANUAL.md"], ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", page.read_text(encoding="utf-8")):
        file, _, place = target.partition("#")
        path = page.parent / file if file else page
        assert path.exists(), target
        assert not place or place in anchors(path.resolve()), target


def test_every_page_of_the_reference_is_on_the_list() -> None:
    pages = re.findall(r"^\| \[.*?\]\((\w.*?)\)", INDEX.read_text(encoding="utf-8"), re.MULTILINE)
    assert set(pages) == {page.name for page in INDEX.parent.glob("*.md")} - {INDEX.name}
    assert [name for name in pages if "](index.md)" not in (REFERENCE / name).read_text(encoding="utf-8")] == []


def section_of(page: Path, place: str) -> str:
    """What stands under a heading of a page; the whole page without one."""
    text = page.read_text(encoding="utf-8")
    parts = re.split(r"^#+ ", text, flags=re.MULTILINE)
    return next(part for part in parts if anchor(part.partition("\n")[0]) == place) if place else text


def test_the_index_has_every_key_and_no_other() -> None:
    [table] = [piece for piece in ALL if "keys" in piece.says]
    schemas = [(ROOT / "schemas" / f"{kind}.schema.json") for kind in [*FILE_KINDS, LANGUAGE_SCHEMA]]
    keys = {key for schema in schemas for key in keys_of(json.loads(schema.read_text(encoding="utf-8")))}
    assert [unquoted(key) for key, _ in table.rows()] == sorted(keys)


def test_the_index_leads_to_where_a_key_is_explained() -> None:
    [table] = [piece for piece in ALL if "keys" in piece.says]
    missing = []
    for key, links in table.rows():
        for file, place in re.findall(r"\]\(([^)#]+)#?([^)]*)\)", links):
            section = section_of((INDEX.parent / file).resolve(), place)
            quoted = [section.partition("\n")[0].lower(), *re.findall(r"`([^`\n]+)`", section)]  # its heading, too
            words = {word for text in quoted for word in re.findall(r"\w+", text)}
            missing += [(key, file, place)] if unquoted(key) not in words else []
    assert not missing


# ---- the cookbook ----------------------------------------------------------------------------------------------------


def addresses_of(path: Path) -> set[str]:
    """The addresses of a game's or part's rules, or those that a variant changes."""
    whole = yaml.safe_load(path.read_text(encoding="utf-8"))
    if "variant" in whole:
        return {key for operation in ("add", "insert", "set") for key in whole.get(operation, {})}
    found, nodes = set[str](), [("", whole)]
    while nodes:
        above, node = nodes.pop()
        for key, value in (
            {key: value for item in node for key, value in item.items()} if isinstance(node, list) else node
        ).items():
            found.add(f"{above}{key}")
            if isinstance(value, dict) or (isinstance(value, list) and all(isinstance(one, dict) for one in value)):
                nodes.append((f"{above}{key}.", value))
    return found


def test_every_recipe_is_short_and_names_a_game_that_has_it() -> None:
    written = [piece for piece in pieces(COOKBOOK) if piece.kind == "yaml"]
    _, *recipes = COOKBOOK.read_text(encoding="utf-8").split("\n## ")
    assert len(recipes) == len(written)
    for recipe, piece in zip(recipes, written, strict=True):
        assert len(piece.text.splitlines()) <= 15, piece.name
        read = re.findall(r"\[[\w-]+\]\(([^)]+\.yaml)\): ((?:`[^`]+`(?:,\s+)?)+)", recipe.partition("**Read** ")[2])
        assert read, piece.name
        for file, listed in read:
            assert set(re.findall(r"`([^`]+)`", listed)) <= addresses_of(COOKBOOK.parent / file), piece.name

"""No word of a particular game stands in the package: everything below interpreter/ is read, strings and comments too.

A word of a game is the name of a game, or of what lies on its table (kinds, members, components, fields, things, zones)
in rules/ and in what its variants add, where that name is one word; actions, steps, clauses and values are named in
everyday English. Such a word may stand in the package only if it is a word of the language (a key or a fixed value of
the schemas, a word of the grammar, a built-in name), or is on the list below with the reason. The list of changes is
about shipped games, too, and is not read.
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

from rulewright.expr.keywords import RESERVED_NAMES

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "interpreter"
READ = {".py", ".yaml", ".lark", ".json", ".md", ".typed", ".toml", ".html", ".js", ".css"}

SECTIONS = (
    "kinds",
    "components",
    "zones",
)  # sections whose keys are ids, as are those within
UNNAMED = {"source", "status", "text", "title", "why", "is"}  # keys under which no id stands

ALLOWED = {
    "cost": "of an expression: how many steps it takes; what a thing takes in time",
    "hand": "by hand, at hand: everyday English",
    "level": "of variants applied over one another, of messages, of nesting",
    "mark": "what is written beside a changed text; to mark",
    "side": "of an equation, of a page",
    "rank": "a place in the ranking",
    "taken": "of a step, of a name: everyday English",
    "won": "of a game that is over",
    "post": "an HTTP verb; after",
    "alike": "everyday English",
    "home": "the user's folder",
    "demand": "what a clause or choice asks for",
    "arm": "of a match",
    "even": "everyday English",
    "odd": "everyday English",
    "dark": "of a terminal's ground",
    "light": "of a terminal's ground",
    "copy": "a copy of an object: everyday English",
    "matching": "everyday English",
    "power": "of a number",
    "grey": "a colour of diagrams",
    "scroll": "of a terminal",
    "again": "everyday English",
    "stop": "to stop a process; enough pieces",
    "cell": "of a table, of a grid",
    "white": "a colour of diagrams",
    "black": "a colour of diagrams",
    "spare": "everyday English",
    "tile": "in examples of the reference: one thing of a component",
    "turned": "everyday English",
    "pack": "to put into one file",
    "suit": "to fit a place",
    "region": "of a file, as SARIF calls a span",
}

# files that only tests read are not written in the language
OF_TESTS = ("equilibrium.schema.json", "expressions.schema.json", "rulings.schema.json", "yardsticks.schema.json")

# ids without which there is no game of this name: on no list, whatever the schemas say
PLURALS = (("s", ""), ("es", ""), ("ies", "y"))
NEVER = (
    "splendor",
    "gem",
    "diamond",
    "gold",
    "noble",
    "prestige",
    "tableau",
    "ruby",
    "emerald",
    "sapphire",
    "onyx",
    "bonus",
)


def words(text: str) -> Iterator[str]:
    """The words of a text in small letters; identifiers are split at underscores and capitals."""
    for run in re.findall(r"[^\W\d_]+", text):
        for word in re.findall(r"[A-ZÀ-Þ]+(?![a-zß-ÿ])|[A-ZÀ-Þ]?[a-zß-ÿ]+", run):
            yield word.lower()


def forms(word: str) -> set[str]:
    """A word, and what it may be the plural of."""
    singular = {word[: -len(ending)] + instead for ending, instead in PLURALS if word.endswith(ending)}
    return {word, *(one for one in singular if len(one) > 2)}


# ---- what belongs to games ------------------------------------------------------------------------------------------


def rule_files() -> list[Path]:
    return [*sorted((ROOT / "rules").rglob("*.yaml")), *sorted((ROOT / "variants").rglob("*.yaml"))]


def ids_in(node: Any) -> Iterator[str]:
    """The keys of a section's mappings, the members of kinds, the ids of rows, the forms of names."""
    match node:
        case dict():
            for key, value in node.items():
                yield str(key)
                if key == "names" and isinstance(value, dict):
                    for name in value.values():  # the word's forms, or those of each language
                        forms_of_name = map(str, name.values() if isinstance(name, dict) else [name])
                        yield from (one for one in forms_of_name if " " not in one.partition(" | ")[0])
                elif key == "members" and isinstance(value, list):
                    yield from map(str, value)
                elif key not in UNNAMED:
                    yield from ids_in(value)
        case list():
            for one in node:
                if isinstance(one, dict):
                    yield from ids_in(one)


def members_of(kind: Any) -> Iterator[str]:
    """The members of a kind that is written as a list alone."""
    yield from map(str, kind if isinstance(kind, list) else ())


def ids_of(data: dict[str, Any]) -> Iterator[str]:
    """Every id that a rule file declares; a display and texts declare none."""
    if next(iter(data), "") == "display":
        return
    for kind in ("game", "rows"):
        if kind in data:
            yield str(data[kind])
    for section in SECTIONS:
        yield from ids_in(data.get(section) or {})
    for address, payload in (data.get("add") or {}).items():  # variants: the last part of the address is the new id
        section, *names = str(address).split(".")
        if section in SECTIONS:
            yield names[-1]
            yield from ids_in(payload)
            yield from members_of(payload) if section == "kinds" else ()
    for kind in (data.get("kinds") or {}).values():
        yield from members_of(kind)
    for row in data["things"] if "rows" in data else ():
        yield from (str(row["id"]), *map(str, row))
    for address, sentence in (data.get("sentences") or {}).items():
        if re.fullmatch(r"kinds\.\w+\.\w+", address):  # the members' names in another language
            forms_of_name = map(str, sentence.values() if isinstance(sentence, dict) else [sentence])
            yield from (one for one in forms_of_name if " " not in one.partition(" | ")[0])


@cache
def of_games() -> dict[str, str]:
    """Words of games, each with an id that it is part of."""
    found: dict[str, str] = {}
    for path in rule_files():
        for identifier in ids_of(yaml.safe_load(path.read_text(encoding="utf-8"))):
            for word in words(identifier) if re.fullmatch(r"[^\W_]+( \| [^\W_]+)?", identifier) else ():
                for form in forms(word) if len(word) > 2 else ():
                    found.setdefault(form, f"`{identifier}` in {path.relative_to(ROOT)}")
    return found


# ---- what belongs to the language -----------------------------------------------------------------------------------


def fixed(node: Any) -> Iterator[str]:
    """The keys and fixed values that a schema names."""
    match node:
        case dict():
            for key, value in node.items():
                if key in ("properties", "$defs") and isinstance(value, dict):
                    yield from value
                elif key in ("enum", "required") and isinstance(value, list):
                    yield from map(str, value)
                elif key == "const":
                    yield str(value)
                yield from fixed(value)
        case list():
            for one in node:
                yield from fixed(one)


@cache
def of_the_language() -> frozenset[str]:
    found = set(RESERVED_NAMES)
    for path in (ROOT / "schemas").glob("*.json"):
        if path.name not in OF_TESTS:
            found.update(fixed(json.loads(path.read_text(encoding="utf-8"))))
    grammar = (PACKAGE / "rulewright" / "expr" / "grammar.lark").read_text(encoding="utf-8")
    found.update(re.findall(r'"([a-z]+)"', grammar))
    return frozenset(form for one in found for word in words(one) for form in forms(word)) - set(NEVER)


# ---- the package ----------------------------------------------------------------------------------------------------


def package_files() -> list[Path]:
    return [
        path
        for path in sorted(PACKAGE.rglob("*"))
        if path.is_file()
        and path.name != "CHANGELOG.md"
        and not any(part.startswith((".", "__pyc", "_bundle")) for part in path.parts)
    ]


def test_every_file_of_the_package_is_of_a_kind_that_is_read():
    assert {path.suffix for path in package_files()} <= READ
    assert len(package_files()) > 40


@pytest.mark.parametrize("path", package_files(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_word_of_a_game_stands_in_the_package(path: Path):
    games, free = of_games(), of_the_language() | set(ALLOWED)
    found = []
    lines = [str(path.relative_to(PACKAGE)), *path.read_text(encoding="utf-8").splitlines()]
    for number, line in enumerate(lines):
        for word in dict.fromkeys(words(line)):
            [*whose] = [games[form] for form in forms(word) if form in games]
            if whose and not forms(word) & free:
                found.append(f"{path.relative_to(ROOT)}:{number}: {word!r}, of {whose[0]}: {line.strip()[:100]}")
    assert not found, "\n".join(found)


def test_the_list_of_exceptions_is_short_and_needed():
    texts = [path.read_text(encoding="utf-8") for path in package_files()]
    used = {form for text in texts for word in words(text) for form in forms(word)}
    for word, reason in ALLOWED.items():
        assert word in of_games(), f"{word!r} is no word of a game: it needs no exception"
        assert word not in of_the_language(), f"{word!r} is a word of the language: it needs no exception"
        assert word in used, f"{word!r} stands nowhere in the package: it needs no exception"
        assert len(reason) > 9
    assert len(ALLOWED) < 50


def test_what_makes_the_game_is_never_allowed():
    assert set(NEVER) <= set(of_games())
    assert not set(NEVER) & set(ALLOWED)
    assert not set(NEVER) & of_the_language()
    assert {"purse", "rubies", "rubis", "émeraude"} <= set(of_games())


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("take_pair", ["take", "pair"]),
        ("ReadZone", ["read", "zone"]),
        ("HTTPServer2x", ["http", "server", "x"]),
        ("l1_ruby_3: 'été'", ["l", "ruby", "été"]),
        ("NobleTile rubies bonuses", ["noble", "tile", "rubies", "bonuses"]),
    ],
)
def test_words_are_split(text: str, found: list[str]):
    assert list(words(text)) == found


@pytest.mark.parametrize(
    ("word", "alone"), [("rubies", "ruby"), ("bonuses", "bonus"), ("passes", "pass"), ("gems", "gem"), ("is", "is")]
)
def test_plurals_count_as_their_word(word: str, alone: str):
    assert alone in forms(word)

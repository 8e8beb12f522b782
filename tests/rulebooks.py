"""Rulebooks for tests: which games with which variants, their rules and their books."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from games.playing import GAMES, ODD, game_file, variant_files
from rulewright.model.locate import available_variants
from rulewright.model.rules import Rules
from rulewright.rulebook.assemble import build_rulebook
from rulewright.rulebook.blocks import (
    Rulebook,
)
from rulewright.rulebook.markdown import to_markdown
from rulewright.rulebook.rules_by_count import load_rules_by_count
from rulewright.source.reader import peek_text
from rulewright.wording.messages import Messages

SHIPPED = "splendor"
JOINED = {  # variants that belong to others need these
    path.stem: tuple(re.search(r"\bjoins: \[(.*)\]", peek_text(path))[1].split(", "))
    for path in available_variants(SHIPPED).values()
    if "\njoins: [" in peek_text(path)
}
VARIANTS = [
    JOINED.get(name, (name,)) for name, path in available_variants(SHIPPED).items() if not name.startswith("players-")
]
CASES = [
    pytest.param(SHIPPED, (), id=SHIPPED),
    *[pytest.param(SHIPPED, names, id="+".join(names), marks=pytest.mark.slow) for names in VARIANTS],
    *[pytest.param(str(game_file(game)), (), id=game) for game in GAMES],
    *[pytest.param(str(game_file(game)), (str(path),), id=path.stem) for game in GAMES for path in variant_files(game)],
    *[pytest.param(str(path), (), id=path.stem) for path in ODD],
]


@cache
def rules_of(game: str, variants: tuple[str, ...]) -> tuple[dict[int, Rules], dict[str, frozenset[str]]]:
    return load_rules_by_count(game, None, variants)


@cache
def book_of(game: str, variants: tuple[str, ...], code: str = "en") -> Rulebook:
    return build_rulebook(rules_of(game, variants)[0], code)


@cache
def load(text: str) -> dict[int, Rules]:
    """A game; what follows `sources:` is a file of its own."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.yaml"
        head, name, works = text.partition("\nsources: ")
        path.write_text(head + "\n", encoding="utf-8")
        if works:
            path.with_name("sources.yaml").write_text((name + works).lstrip("\n"), encoding="utf-8")
        rules = load_rules_by_count(str(path), None, ())[0]
        for each in rules.values():  # read while the files are there
            each.explanations.book()
            each.explanations.works()
        return rules


def print_book(text: str, code: str = "en") -> str:
    rules = load(text)
    return to_markdown(build_rulebook(rules, code), Messages(rules[max(rules)], code))


def chapter(book: str, title: str) -> str:
    return book.partition(f"\n## {title}\n")[2].partition("\n## ")[0]

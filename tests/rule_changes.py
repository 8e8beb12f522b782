"""Rules changed at random, to try on them what must hold of any rules.

In: a game and a seed. Out: the same game with a few changes that still make rules: other numbers, conditions that are
turned round or left out, other zones, other seats, steps in another order. Everything follows from the seed.
"""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import yaml

from rulewright.diagnostics import RulesError
from rulewright.model.loader import load_rules
from rulewright.model.locate import find_game
from rulewright.model.rules import Rules

RULE_SECTIONS = (
    "parameters",
    "values",
    "actions",
    "turn",
    "round",
    "setup",
    "procedures",
    "zones",
    "state",
    "ranking",
    "invariants",
    "finale",
)
PROSE = ("text", "why", "source", "status", "note", "ruling", "label", "name", "names", "title")
SWAPS = {
    ">=": (">", "<="),
    "<=": ("<", ">="),
    " > ": (" >= ", " < "),
    " < ": (" <= ", " > "),
    " and ": (" or ",),
    " or ": (" and ",),
    "(me)": ("(next(me))", "(first_player)"),
    "every ": ("some ", "no "),
    " + ": (" less ",),
    " - ": (" + ",),
}
ATTEMPTS = 60  # at changes until one makes rules

Change = Callable[[], str]  # carries itself out and says what it has done


def changed_rules(game: str, players: int, seed: int, folder: Path, *, most: int = 3) -> tuple[Rules, list[str]]:
    """The rules of a game after one to `most` changes, and what these are. `folder`: an empty one to work in."""
    rng = random.Random(seed)
    found = find_game(game)
    origin = found if found.is_dir() else found.parent
    for attempt in range(ATTEMPTS):
        copy = folder / f"attempt_{attempt}" / "rules" / origin.name
        shutil.copytree(origin, copy)
        variants = origin.parent.parent / "variants" / origin.name
        if variants.is_dir():
            shutil.copytree(variants, copy.parent.parent / "variants" / origin.name)
        changes = _change_files(copy, rng, rng.randint(1, most))
        try:
            return load_rules(str(copy / found.relative_to(origin)), players=players), changes
        except RulesError:
            shutil.rmtree(copy.parent.parent)
    raise AssertionError(f"no changes of {game} make rules in {ATTEMPTS} attempts")


def _change_files(folder: Path, rng: random.Random, count: int) -> list[str]:
    paths = [path for path in sorted(folder.glob("*.yaml")) if not path.name.endswith(".scenarios.yaml")]
    files = {path: yaml.safe_load(path.read_text()) for path in paths}
    done = []
    for _ in range(count):
        found = [
            (path, change)
            for path, data in files.items()
            for section in RULE_SECTIONS
            if isinstance(data, dict) and section in data
            for change in _changes(data, section, rng)
        ]
        path, change = rng.choice(found)
        done.append(f"{path.name}: {change()}")
        path.write_text(yaml.safe_dump(files[path], sort_keys=False, allow_unicode=True))
    return done


def _changes(holder: Any, key: Any, rng: random.Random) -> Iterator[Change]:
    """The changes of what is under a key, and of everything in it."""
    value = holder[key]
    match value:
        case bool():
            pass
        case int():
            yield lambda: _put(holder, key, rng.choice([value + 1, max(0, value - 1), value * 2, 0, 1]))
        case str():
            if re.search(r"\b\d+\b", value):
                yield lambda: _put(holder, key, _with_other_number(value, rng))
            for old, news in SWAPS.items():
                if old in value:
                    yield lambda old=old, news=news: _put(holder, key, value.replace(old, rng.choice(news), 1))
            if key == "is":
                yield lambda: _put(holder, key, f"not ({value})")
        case list():
            if len(value) > 1 and all(isinstance(each, dict) for each in value):
                yield lambda: _swap(value, rng)
                yield lambda: f"left out {value.pop(rng.randrange(len(value)))}"
            for index in range(len(value)):
                yield from _changes(value, index, rng)
        case dict():
            if key == "when" and len(value) > 1 and "is" not in value:
                yield lambda: f"left out condition {value.pop(rng.choice(sorted(value)))}"
            for inner in list(value):
                if inner not in PROSE:
                    yield from _changes(value, inner, rng)


def _put(holder: Any, key: Any, value: Any) -> str:
    old, holder[key] = holder[key], value
    return f"{key}: {old} → {value}"


def _with_other_number(text: str, rng: random.Random) -> str:
    found = list(re.finditer(r"\b\d+\b", text))
    match = rng.choice(found)
    number = int(match.group())
    return f"{text[: match.start()]}{rng.choice([number + 1, max(0, number - 1), number * 2])}{text[match.end() :]}"


def _swap(items: list[Any], rng: random.Random) -> str:
    first = rng.randrange(len(items) - 1)
    items[first], items[first + 1] = items[first + 1], items[first]
    return f"swapped {first} and {first + 1} of {len(items)}"

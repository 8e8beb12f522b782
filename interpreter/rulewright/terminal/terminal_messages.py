"""What the program itself says at a table, in the language of the players; a game may say it in its own words.

In: a language and a game's own words. Out: texts with their holes filled. Each language is a file in `locale/`;
what the files lack (no file, no key) is said in English.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from rulewright.model.locale import ENGLISH, builtin_messages, player_name, player_number
from rulewright.model.rules import Rules

LOCALE_FOLDER: Final = Path(__file__).with_name("locale")


@cache
def locales() -> tuple[str, ...]:
    """The languages that the program itself speaks."""
    return tuple(sorted(path.stem for path in LOCALE_FOLDER.glob("*.json")))


@cache
def load_messages(code: str) -> Mapping[str, str]:
    """The words of a language; none when the program does not speak it."""
    path = LOCALE_FOLDER / f"{code}.json"
    found: dict[str, str] = json.loads(path.read_text(encoding="utf-8")) if code in locales() else {}
    return found


class Messages:
    """The words of one language for one game."""

    def __init__(self, rules: Rules, code: str) -> None:
        self.locale = code
        given = rules.languages[code].messages if code in rules.languages else {}
        # what a game leaves out stands in its words as the program says it
        own = {key: text for key, text in given.items() if code == ENGLISH or text != builtin_messages(code).get(key)}
        self._words = {**load_messages(ENGLISH), **load_messages(code), **own}

    def __call__(self, key: str, *, seat: int | None = None, **holes: object) -> str:
        """The text of a key with its holes filled: `{seat}` with the number by which people know that seat."""
        if seat is not None:
            holes["seat"] = player_number(seat)
        text = self._words[key]
        for name, value in holes.items():
            text = text.replace(f"{{{name}}}", str(value))
        return text

    def player(self, seat: int) -> str:
        """What people call a seat: `player 1` for seat 0."""
        return player_name(seat, self._words["seat"])


__all__ = ["Messages", "load_messages", "locales"]

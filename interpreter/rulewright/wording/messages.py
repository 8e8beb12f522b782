"""What the program itself says, in the language of the players; a game may say it in its own words.

In: a locale, a game's own words, and which catalog: that of the rules in words, pictures and books (`wording`) or that
of a game on the terminal (`terminal`). Out: texts with their holes filled. A catalog is a folder with a JSON file for
each locale; what is missing there (no file, no key) is said in English.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, Literal

from rulewright.model.locale import ENGLISH, builtin_messages, player_name, player_number
from rulewright.model.rules import Rules
from rulewright.wording.contractions import contract

Catalog = Literal["wording", "terminal"]
# two folders, as both have keys such as `round` that do not say the same
LOCALE_FOLDERS: Final[Mapping[Catalog, Path]] = {
    catalog: Path(__file__).parent.parent / catalog / "locale" for catalog in ("wording", "terminal")
}


@cache
def available_locales(catalog: Catalog = "wording") -> tuple[str, ...]:
    """The locales that a catalog has, in alphabetical order."""
    return tuple(sorted(path.stem for path in LOCALE_FOLDERS[catalog].glob("*.json")))


@cache
def load_messages(locale: str, catalog: Catalog = "wording") -> Mapping[str, str]:
    """The messages of a locale by key; none when the catalog does not have it."""
    if locale not in available_locales(catalog):
        return {}
    messages: dict[str, str] = json.loads((LOCALE_FOLDERS[catalog] / f"{locale}.json").read_text(encoding="utf-8"))
    return messages


class Messages:
    """The messages of one catalog in one locale, for one game."""

    def __init__(self, rules: Rules, locale: str, catalog: Catalog = "wording") -> None:
        self.locale = locale
        game_messages = rules.languages[locale].messages if locale in rules.languages else {}
        # a game without words of its own has the built-in ones, which must not hide those of the catalog
        overrides = {
            key: text
            for key, text in game_messages.items()
            if locale == ENGLISH or text != builtin_messages(locale).get(key)
        }
        self._texts = {**load_messages(ENGLISH, catalog), **load_messages(locale, catalog), **overrides}

    def __call__(self, key: str, **holes: object) -> str:
        """The message with its holes filled: `{seat}`, if it is an index, with the number by which people know it.

        Raises `KeyError` for a key that the catalog does not have.
        """
        text = self._texts[key]
        for name, value in holes.items():
            shown = player_number(value) if name == "seat" and isinstance(value, int) else value
            first, *others = text.split(f"{{{name}}}")
            text = first
            for other in others:
                text = contract(text, str(shown), self.locale) + other
        return text

    def player(self, seat: int) -> str:
        """What people call a seat: `player 1` for seat 0. Only in the catalog `terminal`."""
        return player_name(seat, self._texts["player"])


__all__ = ["Catalog", "Messages", "available_locales", "load_messages"]

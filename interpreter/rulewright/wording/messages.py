"""What pictures of rules say besides the rules' own texts: yes, no, otherwise, the names of the parts.

In: rules and a language. Out: texts with their holes filled. Each language is a file in `locale/`; what it lacks is
said in English, and what a game says in its own words comes first.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from rulewright.model.locale import ENGLISH, ENGLISH_MESSAGES
from rulewright.model.rules import Rules

LOCALE_FOLDER: Final = Path(__file__).with_name("locale")


@cache
def load_messages(code: str) -> Mapping[str, str]:
    """The words of a language; none when there is no such file."""
    known = {path.stem: path for path in LOCALE_FOLDER.glob("*.json")}
    found: dict[str, str] = json.loads(known[code].read_text(encoding="utf-8")) if code in known else {}
    return found


class Messages:
    """The words of one language for one game."""

    def __init__(self, rules: Rules, code: str) -> None:
        given = rules.languages[code].messages if code in rules.languages else {}
        own = {key: text for key, text in given.items() if text != ENGLISH_MESSAGES.get(key)}
        self._words = {**load_messages(ENGLISH), **load_messages(code), **own}

    def __call__(self, key: str, **holes: object) -> str:
        """What stands under a key, with its holes filled."""
        text = self._words[key]
        for name, value in holes.items():
            text = text.replace(f"{{{name}}}", str(value))
        return text


__all__ = ["Messages", "load_messages"]

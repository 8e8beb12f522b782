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

from rulewright.model.locale import ENGLISH, WORDS
from rulewright.model.rules import Rules

FOLDER: Final = Path(__file__).with_name("locale")


@cache
def table(code: str) -> Mapping[str, str]:
    """The words of a language; none when there is no such file."""
    known = {path.stem: path for path in FOLDER.glob("*.json")}
    found: dict[str, str] = json.loads(known[code].read_text(encoding="utf-8")) if code in known else {}
    return found


class Wording:
    """The words of one language for one game."""

    def __init__(self, rules: Rules, code: str) -> None:
        given = rules.languages[code].words if code in rules.languages else {}
        own = {key: text for key, text in given.items() if text != WORDS.get(key)}
        self._words = {**table(ENGLISH), **table(code), **own}

    def __call__(self, key: str, **holes: object) -> str:
        """What stands under a key, with its holes filled."""
        text = self._words[key]
        for name, value in holes.items():
            text = text.replace(f"{{{name}}}", str(value))
        return text


__all__ = ["Wording", "table"]

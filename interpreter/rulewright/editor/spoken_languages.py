"""In which language a place of a file speaks: that of a file of texts, or that of a sentence which is in several.

In: rules that are open, and an offset. Out: the code of a language; English anywhere else.
"""

from __future__ import annotations

from typing import Final

from rulewright.editor.cursor_places import cursor_place
from rulewright.editor.open_rules import OpenRules
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.locale import ENGLISH
from rulewright.source.reader import peek_text

LANGUAGE_OF_FILE: Final = lazy_pattern(r"^texts: *[\"']?([a-z]{2,3})\b")
CODE: Final = lazy_pattern(r"[a-z]{2,3}")


def language_at(rules: OpenRules, offset: int) -> str:
    """The language of what stands at an offset of the open file."""
    text = peek_text(rules.path)
    if rules.kind == "texts":
        of_file = next((found for line in text.split("\n") if (found := LANGUAGE_OF_FILE.match(line))), None)
        return ENGLISH if of_file is None else of_file[1]
    keys = cursor_place(text, offset).keys
    return keys[-1] if keys and CODE.fullmatch(keys[-1]) else ENGLISH


__all__ = ["language_at"]

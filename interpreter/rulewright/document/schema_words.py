"""What a schema says of itself, in the words of a help line: its first sentence, its first example.

In: a `SchemaViolation`. Out: texts, perhaps empty.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final

from rulewright import limits
from rulewright.document.schemas import SchemaViolation
from rulewright.lazy_pattern import lazy_pattern

PLAIN_TEXT: Final = lazy_pattern(r"[A-Za-z][A-Za-z0-9_()+*<>= .-]*")  # needs no quotes in YAML


def quoted(words: Iterable[str]) -> list[str]:
    """Words as messages show what stands in a file."""
    return [f"`{word}`" for word in words]


def first_sentence(violation: SchemaViolation) -> str:
    """What the schema that does not hold says it is for."""
    return as_hint(str(violation.schema.get("description", "")))


def as_hint(description: str) -> str:
    """The first sentence of a description, as a help line says it: without a capital and a full stop."""
    sentence = description.split(". ")[0].removesuffix(".")
    return sentence[:1].lower() + sentence[1:] if sentence[1:2].islower() or sentence[1:2] == " " else sentence


def example_of(violation: SchemaViolation) -> str:
    """A short example as it is written in YAML; none when it would be long."""
    examples = violation.schema.get("examples", [])
    text = _in_yaml(examples[0]) if examples else ""
    return f"for example: `{text}`" if text and len(text) <= limits.MAX_QUOTED_IN_HINT else ""


def _in_yaml(value: object) -> str:
    match value:
        case dict():
            return f"{{{', '.join(f'{key}: {_in_yaml(item)}' for key, item in value.items())}}}"
        case list():
            return f"[{', '.join(map(_in_yaml, value))}]"
        case str() if PLAIN_TEXT.fullmatch(value):
            return value
        case _:
            return json.dumps(value, ensure_ascii=False)


__all__ = ["as_hint", "example_of", "first_sentence", "quoted"]

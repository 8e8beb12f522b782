"""What can follow where somebody writes: keys of the language, addresses of rules, names and words of expressions.

In: rules that are open, a text and an offset. Out: words, each with what it is. The text may be broken, as it is while
somebody writes: only lines and indents are looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rulewright.document.address import child_entries, find_entry
from rulewright.document.language import keys_at
from rulewright.editor.local_names import CHANGES
from rulewright.editor.open_rules import OpenRules
from rulewright.expr.keywords import BUILTINS, FUNCTIONS, KEYWORDS
from rulewright.frozen import frozen

KEY_LINE: Final = re.compile(r"\s*(?:- )?([\w.-]*)$")
LINE_KEY: Final = re.compile(r"^(\s*(?:- )?)([\w.-]+):")
OPEN_MAPPING: Final = re.compile(r"([\w.-]+):\s*\{[^{}]*?([\w.-]*)$")
LAST_WORD: Final = re.compile(r"[\w.]*$")


@frozen
class Completion:
    """A word that can follow, what it is, and how much of what is written it replaces (in characters)."""

    word: str
    label: str
    replaced: int


def completions_at(rules: OpenRules, text: str, offset: int) -> list[Completion]:
    """The words that can follow, those of the same beginning only."""
    before = text[text.rfind("\n", 0, offset) + 1 : offset]
    keys = list(_keys_above(text[: offset - len(before)], before))
    key = KEY_LINE.match(before)
    typed = key[1] if key is not None else (LAST_WORD.search(before) or [""])[0]
    offered = _keys(rules, keys, typed) if key is not None else _words(rules, typed)
    found = {word: label for word, label in offered if word.startswith(typed) and word != typed}
    return [Completion(word, label, len(typed)) for word, label in found.items()]


def _keys_above(text: str, line: str) -> Iterator[str]:
    """The keys around a line, outermost first, by the indents above it."""
    indent = len(line) - len(line.lstrip(" -"))
    found: list[str] = []
    for above in reversed(text.splitlines()):
        match = LINE_KEY.match(above)
        if match is not None and len(match[1]) < indent:
            indent = len(match[1])
            found.append(match[2])
    yield from reversed(found)


def _keys(rules: OpenRules, keys: list[str], typed: str) -> Iterator[tuple[str, str]]:
    """Keys of the language and names of rules at a place."""
    if rules.is_variant:
        if not keys:
            yield from ((change, "changes rules") for change in CHANGES)
            return
        if keys[0] not in CHANGES:
            return
        keys = ".".join(keys[1:]).split(".") if keys[1:] else []
        if rules.root is not None:
            parent = typed.rpartition(".")[0]
            yield from _addresses(rules, ".".join([*keys, *parent.split(".")] if parent else keys), parent)
    if keys:
        yield from ((name, "key") for name in sorted(keys_at(tuple(keys))))


def _addresses(rules: OpenRules, address: str, typed: str) -> Iterator[tuple[str, str]]:
    assert rules.root is not None
    entry = find_entry(rules.root, address) if address else None
    if address and entry is None:
        return
    for child in child_entries(entry.value if entry is not None else rules.root):
        yield (f"{typed}.{child.key.text}" if typed else child.key.text), "rule"


def _words(rules: OpenRules, typed: str) -> Iterator[tuple[str, str]]:
    """What expressions are made of; after a dot the fields of things."""
    if "." in typed:
        before = typed.rpartition(".")[0]
        for name, label in _fields(rules):
            yield f"{before}.{name}", label
        if rules.root is not None and find_entry(rules.root, before) is not None:
            yield from _addresses(rules, before, before)
        return
    for declared in rules.declarations.values():
        yield declared.name, declared.label
    yield from ((word, "word of the language") for word in sorted(KEYWORDS | BUILTINS | FUNCTIONS))


def _fields(rules: OpenRules) -> Iterator[tuple[str, str]]:
    components = None if rules.root is None else rules.root.get("components")
    for component in child_entries(components) if components is not None else ():
        fields = find_entry(rules.root, f"components.{component.key.text}.fields") if rules.root is not None else None
        for field in child_entries(fields.value) if fields is not None else ():
            yield field.key.text, f"field of {component.key.text}"


__all__ = ["Completion", "completions_at"]

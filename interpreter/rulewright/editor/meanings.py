"""What is meant at a place of a rule file, where it is declared, and where it is used.

In: rules that are open, a file's text and an offset. Out: an address and its declaration; spans.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from rulewright.diagnostics import Diagnostics, Span
from rulewright.document.address import child_entries, find_entry
from rulewright.document.declared_names import Declaration
from rulewright.document.language import PROSE_KEYS
from rulewright.editor.open_rules import OpenRules
from rulewright.frozen import frozen
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode
from rulewright.source.reader import parse_file, peek_text

DOTTED: Final = re.compile(r"[A-Za-z_][\w-]*(?:\.[\w-]+)*")
WORD: Final = re.compile(r"[A-Za-z_][\w]*")
HOLE: Final = re.compile(r"\{[^{}]*\}")
ADDRESS: Final = re.compile(r"[a-z_]\w*(\.\w+)+")
CHANGES: Final = ("set", "adjust", "add", "remove", "extend", "drop", "insert", "sentences")
PROSE_FILES: Final = ("statements", "sources", "texts")  # files of prose, in which only addresses and holes are rules


@frozen
class Target:
    """What is meant at a place: its address, the word there, and where that word stands."""

    address: str
    word: str
    start: int
    end: int


def target_at(rules: OpenRules, text: str, offset: int) -> Target | None:
    """What a word means: the rule at an address up to that word, else what the word declares or names."""
    match = next((found for found in DOTTED.finditer(text) if found.start() <= offset <= found.end()), None)
    if match is None or rules.root is None:
        return None
    end = match.end()
    dot = text.find(".", offset, end)
    address = text[match.start() : end if dot < 0 else dot]
    word_start = match.start() + address.rfind(".") + 1
    word, word_end = address.rpartition(".")[2], match.start() + len(address)
    if "." in address and find_entry(rules.root, address) is not None:
        return Target(address, word, word_start, word_end)
    own = address_at(rules, offset)
    if own is not None and own.rpartition(".")[2] == word and find_entry(rules.root, own) is not None:
        return Target(own, word, word_start, word_end)
    if (local := _choice(rules.root, own or "", word)) is not None:
        return Target(local, word, word_start, word_end)
    first = address.partition(".")[0]
    declared = rules.declarations.get(word) or (rules.declarations.get(first) if word == first else None)
    return None if declared is None else Target(declared.address, word, word_start, word_end)


def address_at(rules: OpenRules, offset: int) -> str | None:
    """The address of what is written around an offset of the open file."""
    node = parse_file(rules.path, Diagnostics())
    keys = list(_keys_around(node, offset)) if node is not None else []
    if rules.is_variant:
        keys = keys[1:] if keys and keys[0] in CHANGES else []
    return ".".join(keys) or None


def _keys_around(node: Node, offset: int) -> Iterator[str]:
    for entry in child_entries(node):
        if entry.key.span.start <= offset <= max(entry.key.span.end, _end(entry.value)):
            yield entry.key.text
            if offset > entry.key.span.end:
                yield from _keys_around(entry.value, offset)
            return


def _end(node: Node) -> int:
    return node.span.end


def _choice(root: MappingNode, address: str, word: str) -> str | None:
    """The address of a choice of the action that is written at an address."""
    parts = address.split(".")
    if parts[0] != "actions" or len(parts) < 2:
        return None
    found = f"actions.{parts[1]}.choose.{word}"
    return found if find_entry(root, found) is not None else None


def declaration(rules: OpenRules, target: Target) -> Span | None:
    """Where what is meant is written."""
    declared = rules.declarations.get(target.word)
    if declared is not None and declared.address == target.address:
        return declared.span
    entry = find_entry(rules.root, target.address) if rules.root is not None else None
    return None if entry is None else entry.key.span


def uses(rules: OpenRules, target: Target) -> list[Span]:
    """Where a name is used, in all files of the game and of its variants: in expressions, in keys and addresses, in the
    holes of sentences. Names of choices are only looked for in their action.
    """
    parts = target.address.split(".")
    within = ".".join(parts[:2]) if parts[:1] == ["actions"] and parts[2:3] == ["choose"] else ""
    found: list[Span] = []
    for path in rules.files():
        if target.word in peek_text(path):
            node = parse_file(path, Diagnostics(), source_path=str(path))
            found += _uses_in(node, target.word, within) if node is not None else []
    return found


def _uses_in(node: Node, word: str, within: str) -> list[Span]:
    pattern = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])")
    is_prose_file = isinstance(node, MappingNode) and any(key in PROSE_FILES for key in node.keys()[:1])
    return [
        scalar.subspan(match.start(), match.end())
        for scalar, address, is_prose in _scalars(node, (), is_prose=False)
        if not within or f"{within}." in f"{address}."
        for start, end in _rule_parts(scalar.text, is_prose=is_prose or is_prose_file)
        for match in pattern.finditer(scalar.text, start, end)
    ]


def _rule_parts(text: str, *, is_prose: bool) -> list[tuple[int, int]]:
    """What of a text belongs to the rules: of prose the holes, and addresses."""
    if not is_prose or ADDRESS.fullmatch(text):
        return [(0, len(text))]
    return [match.span() for match in HOLE.finditer(text)]


def _scalars(node: Node, keys: tuple[str, ...], *, is_prose: bool) -> Iterator[tuple[ScalarNode, str, bool]]:
    """All keys and words of a file, each with its address, and whether it is prose, of which only holes are rules."""
    if isinstance(node, ScalarNode):
        yield node, ".".join(keys), is_prose
    elif isinstance(node, SequenceNode):
        for item in node:
            yield from _scalars(item, keys, is_prose=is_prose)
    else:
        for entry in node:
            inner = (*keys, entry.key.text)
            yield entry.key, ".".join(inner), False
            yield from _scalars(entry.value, inner, is_prose=is_prose or _is_prose(entry, keys))


def _is_prose(entry: Entry, keys: tuple[str, ...]) -> bool:
    """Whether a key holds sentences: by its name, or because it stands in a section of sentences."""
    return entry.key.text in PROSE_KEYS or (not keys and entry.key.text == "sentences")


def rename(rules: OpenRules, target: Target, new_name: str) -> dict[Path, list[Span]]:
    """What has to be rewritten, file by file, for a name to be another. Raises `ValueError` with a sentence for people
    where that cannot be done.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", new_name):
        raise ValueError(f"`{new_name}` is no name: small letters, digits and _, with a letter first")
    if new_name in rules.declarations:
        raise ValueError(f"`{new_name}` is declared already, at {rules.declarations[new_name].span}")
    declared = rules.declarations.get(target.word)
    if declared is None or declared.address != target.address:
        raise ValueError(f"only what is declared can be renamed, and `{target.word}` is not")
    others = [other.address for other in _same_name(rules, declared)]
    if others:
        raise ValueError(f"`{target.word}` is also {others[0]}: rename one of them by hand first")
    found: dict[Path, list[Span]] = {}
    for span in uses(rules, target):
        found.setdefault(Path(span.source.path), []).append(span)
    return found


def _same_name(rules: OpenRules, declared: Declaration) -> Iterator[Declaration]:
    """What else has that name: a choice, a step, a condition."""
    if rules.root is None:
        return
    for action in child_entries(rules.root.get("actions") or MappingNode((), rules.root.span)):
        address = f"actions.{action.key.text}.choose.{declared.name}"
        entry = find_entry(rules.root, address)
        if entry is not None:
            yield Declaration(declared.name, "choice", address, entry.key.span)


__all__ = ["Target", "address_at", "declaration", "rename", "target_at", "uses"]

"""What is meant at a place of a rule file, where it is declared, and where it is used.

In: rules that are open, a file's text and an offset. Out: an address and its declaration; spans.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from rulewright.diagnostics import Span
from rulewright.document.address import child_entries, find_entry
from rulewright.editor.file_nodes import node_of_file
from rulewright.editor.file_uses import CHANGES
from rulewright.editor.known_names import LISTS_OF_FILES
from rulewright.editor.local_names import LocalName
from rulewright.editor.name_uses import NameUse
from rulewright.editor.open_rules import KINDS_WITH_RULES, OpenRules
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.locate import heads_read_once
from rulewright.source.nodes import Node
from rulewright.source.reader import peek_text

DOTTED: Final = lazy_pattern(r"[A-Za-z_][\w-]*(?:\.[\w-]+)*")


@frozen
class Target:
    """What is meant at a place: its address, the word there, where that word stands, and the name that a rule binds for
    itself if it is one. `variant`: the file of the variant that declares it; None for what the game declares.
    """

    address: str
    word: str
    start: int
    end: int
    local: LocalName | None = None
    variant: Path | None = None


def target_at(rules: OpenRules, text: str, offset: int) -> Target | None:
    """What a word means: what it is bound to or declares, else the rule at an address up to that word."""
    if rules.names is None:
        return None
    found = [(names, use) for names, uses in rules.names.parts_of(rules.path) for use in uses if _is_at(use, offset)]
    found.sort(key=lambda each: each[1].span.end <= offset)  # of two words that touch, the one that begins there
    for names, use in found:
        is_bound = use.local is not None and not (use.is_binding and use.address)  # `player` is declared nowhere
        if use.local is not None and is_bound and use.local.label != "field":
            local = use.local
            return Target(local.address, use.word, use.span.start, use.span.end, local, names.file_of(local.address))
        if use.address:
            return Target(use.address, use.word, use.span.start, use.span.end, None, names.file_of(use.address))
    return None if found else _rule_at(rules, text, offset)


def _is_at(use: NameUse, offset: int) -> bool:
    return use.span.start <= offset <= use.span.end and bool(use.address or use.local is not None)


def _rule_at(rules: OpenRules, text: str, offset: int) -> Target | None:
    """What stands at an address that is written there, up to the word at an offset, or at the place itself."""
    match = next((found for found in DOTTED.finditer(text) if found.start() <= offset <= found.end()), None)
    if match is None or rules.root is None:
        return None
    dot = text.find(".", offset, match.end())
    end = match.end() if dot < 0 else dot
    address = text[match.start() : end]
    word = address.rpartition(".")[2]
    start = end - len(word)
    if "." in match[0] and find_entry(rules.root, address) is not None:
        return Target(address, word, start, end)
    own = address_at(rules, offset)
    if own is not None and own.rpartition(".")[2] == word and find_entry(rules.root, own) is not None:
        return Target(own, word, start, end)
    # while the file cannot be read, a word is taken for what the rules call so
    is_readable = node_of_file(rules.path) is not None
    declared = None if is_readable else rules.declarations.get(word)
    return None if declared is None else Target(declared.address, word, start, end)


def address_at(rules: OpenRules, offset: int) -> str | None:
    """The address of what is written around an offset of the open file."""
    node = node_of_file(rules.path)
    keys = list(_keys_around(node, offset)) if node is not None else []
    if keys and keys[0] in CHANGES:
        keys = keys[1:]
    elif rules.kind not in KINDS_WITH_RULES:
        keys = []  # no rule, but what the file says of itself
    return ".".join(keys) or None


def _keys_around(node: Node, offset: int) -> Iterator[str]:
    for entry in child_entries(node):
        if entry.key.span.start <= offset <= max(entry.key.span.end, entry.value.span.end):
            yield entry.key.text
            if offset > entry.key.span.end:
                yield from _keys_around(entry.value, offset)
            return


def declaration(rules: OpenRules, target: Target) -> Span | None:
    """Where what is meant is written."""
    if target.local is not None:
        return target.local.span
    if target.address.partition(".")[0] in LISTS_OF_FILES:
        return next((use.span for use in uses(rules, target) if _declares(use)), None)
    for names, _ in rules.names.parts_of(rules.path) if rules.names is not None else ():
        if target.address in names.declared:
            return names.declared[target.address].span
    # what a variant sets is declared by the game
    known = [] if rules.names is None or rules.root is None else [rules.names.of_game.root, rules.root]
    entries = (find_entry(root, target.address) for root in known)
    return next((entry.key.span for entry in entries if entry is not None), None)


def _declares(use: NameUse) -> bool:
    """Whether a word is a key at the top of a list that only its own file has."""
    section = use.address.partition(".")[0]
    node = node_of_file(Path(use.span.source.path))
    return node is not None and any(entry.key.text == section for entry in child_entries(node)[:1])


def uses(rules: OpenRules, target: Target) -> list[NameUse]:
    """The words that mean the same, in all files of the game, its variants and scenarios."""
    return _uses_in(rules, rules.files(), target)


def uses_in_open_file(rules: OpenRules, target: Target) -> list[NameUse]:
    """Those of them that are in the open file."""
    return _uses_in(rules, [rules.path], target)


def _uses_in(rules: OpenRules, paths: Iterable[Path], target: Target) -> list[NameUse]:
    if rules.names is None:
        return []
    with heads_read_once():
        found = {
            (str(path), use.span.start): use
            for path in paths
            if target.word in peek_text(path)
            for names, words in rules.names.parts_of(path)
            for use in words
            if is_meant(use, target) and names.file_of(target.address) == target.variant
        }
    return [*found.values()]


def is_meant(use: NameUse, target: Target) -> bool:
    """Whether a word means what is meant: by its address, or by what it is bound to."""
    return use.address == target.address or (use.local is not None and use.local.address == target.address)


__all__ = ["Target", "address_at", "declaration", "is_meant", "target_at", "uses", "uses_in_open_file"]

"""The files with the sentences of a game in one language each: what they translate, and how many forms words have.

In: the nodes of texts files. Out: entries by address, and plural rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rulewright import limits
from rulewright.model.locale import plural_rules
from rulewright.source.node_memo import NodeMemo
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, as_mapping

TextFiles = Mapping[str, MappingNode]  # by language


def translations_in(file: MappingNode) -> MappingNode:
    """The sentences of a texts file, by address."""
    return as_mapping(file.get("sentences"))


def _index_translations(file: MappingNode) -> Mapping[str, Entry]:
    return {entry.key.text: entry for entry in reversed(translations_in(file).entries)}


def _count_plural_entries(file: MappingNode) -> int | None:
    return len(as_mapping(file.get("plurals")).entries) if "plurals" in file else None


# the entries that translate sentences, by address; how many plural rules a file itself has, None without that section
translations_by_address: Final = NodeMemo(_index_translations, limits.MAX_REMEMBERED_FILES)
count_own_plurals: Final = NodeMemo(_count_plural_entries, limits.MAX_REMEMBERED_FILES)


def plural_rule_nodes(code: str, files: TextFiles) -> tuple[Node, ...]:
    """The plural rules of a language, for each form but the last: those of its texts file, else those known of it."""
    if code in files and "plurals" in files[code]:
        return tuple(entry.value for entry in as_mapping(files[code].get("plurals")))
    span = as_mapping(None).span
    return tuple(ScalarNode(rule, rule, span) for rule in plural_rules(code))


def count_plural_forms(code: str, files: TextFiles) -> int:
    """How many forms a word has in a language."""
    return len(plural_rule_nodes(code, files)) + 1


__all__ = [
    "TextFiles",
    "count_own_plurals",
    "count_plural_forms",
    "plural_rule_nodes",
    "translations_by_address",
    "translations_in",
]

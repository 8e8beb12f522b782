"""What a step says in its file, key by key, to see whether two steps are written in the same way.

In: the node of a step. Out: its expressions and words.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.model.symbol_table import METADATA_KEYS
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, as_mapping


def source_texts(node: MappingNode) -> tuple[tuple[str, str], ...]:
    """The expressions and words of a step by their keys, on one line each; not its sentences and nested steps."""
    texts = []
    for entry in node:
        parts = [" ".join(scalar.text.split()) for scalar in _expressions(entry) if isinstance(scalar, ScalarNode)]
        if parts and entry.key.text not in METADATA_KEYS:
            texts.append((entry.key.text, " and ".join(parts if len(parts) == 1 else [f"({part})" for part in parts])))
    return tuple(texts)


def _expressions(entry: Entry) -> Iterator[Node]:
    """What a key holds: one expression, or several conditions by name."""
    if entry.key.text == "when" and isinstance(entry.value, MappingNode):
        for condition in entry.value:
            if condition.key.text == "is" or condition.key.text not in METADATA_KEYS:
                yield text if (text := as_mapping(condition.value).get("is")) is not None else condition.value
        return
    inner = entry.value.get("is") if isinstance(entry.value, MappingNode) else entry.value
    if inner is not None:
        yield inner


__all__ = ["source_texts"]

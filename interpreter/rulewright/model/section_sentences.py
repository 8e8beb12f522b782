"""The sentences of the game and of what it declares: all declarations with a text, without steps and actions.

In: the head and the sections of parameters, components, zones, values and states. Out: their sentences. Their holes may
name what everybody may name.
"""

from __future__ import annotations

from rulewright.model.expr_reader import ExprReader
from rulewright.model.sentences import SentenceReader
from rulewright.source.nodes import as_mapping


def read_section_sentences(reader: ExprReader, sentences: SentenceReader) -> None:
    """Reads them; those of a value in the scope of its keys."""
    scope = reader.scope()
    sentences.read_text(reader.root, "game", scope)
    for section in ("parameters", "components", "zones", "state"):
        for entry in reader.section(section):
            sentences.read_text(entry.value, f"{section}.{entry.key.text}", scope)
    for entry in reader.section("components"):
        for row in as_mapping(as_mapping(entry.value).get("rows")):
            sentences.read_text(row.value, f"components.{entry.key.text}.rows.{row.key.text}", scope)
    for entry in reader.section("values"):
        node, address = as_mapping(entry.value), f"values.{entry.key.text}"
        keys = reader.read_keys(node.get("per"), address)
        value_scope = reader.scope(has_me=True, variables=dict(keys))
        sentences.read_text(entry.value, address, value_scope)
        for key in ("sum", "less"):
            for term in as_mapping(node.get(key)):
                sentences.read_text(term.value, f"{address}.{key}.{term.key.text}", value_scope)


__all__ = ["read_section_sentences"]

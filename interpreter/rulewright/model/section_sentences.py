"""The sentences of the game and of what it declares: all declarations with a text, without steps and actions.

In: the head and the sections of parameters, components, zones, values and states. Out: their sentences. Their holes may
name what everybody may name.
"""

from __future__ import annotations

from typing import Final

from rulewright import limits
from rulewright.expr.scope import Scope, ValueSymbol
from rulewright.expr.types import Flag, Thing, UnknownType
from rulewright.model import codes
from rulewright.model.expr_reader import ExprReader
from rulewright.model.key_reader import read_keys
from rulewright.model.sentences import SentenceReader
from rulewright.model.step_nodes import iter_steps
from rulewright.source.node_memo import NodeMemo
from rulewright.source.nodes import Entry, MappingNode, as_mapping


def read_section_sentences(reader: ExprReader, sentences: SentenceReader) -> None:
    """Reads them; those of a value in the scope of its keys."""
    scope = reader.scope()
    sentences.read_text(reader.root, "game", scope)
    for section in ("parameters", "components", "zones", "state"):
        for entry in reader.section(section):
            sentences.read_text(entry.value, f"{section}.{entry.key.text}", scope)
    for address, step in iter_steps(reader):
        for entry in as_mapping(step.get("state")):
            sentences.read_text(entry.value, f"{address}.state.{entry.key.text}", scope)
    for entry in reader.section("components"):
        thing = reader.scope(variables={entry.key.text: Thing(entry.key.text)})
        sentences.read_thing_names(as_mapping(entry.value), f"components.{entry.key.text}", thing)
        for row in _rows_with_text(as_mapping(entry.value)):
            sentences.read_text(row.value, f"components.{entry.key.text}.rows.{row.key.text}", scope)
    for entry in reader.section("values"):
        node, address = as_mapping(entry.value), f"values.{entry.key.text}"
        keys = read_keys(reader, node.get("per"), address)
        value_scope = reader.scope(has_me=True, variables=dict(keys))
        sentences.read_rule_text(entry.value, address, value_scope)
        _read_reason(reader, sentences, entry, value_scope)
        for key in ("sum", "less"):
            for term in as_mapping(node.get(key)):
                sentences.read_rule_text(term.value, f"{address}.{key}.{term.key.text}", value_scope)


def _find_rows_with_text(component: MappingNode) -> tuple[Entry, ...]:
    return tuple(row for row in as_mapping(component.get("rows")) if "text" in as_mapping(row.value))


# most things are shown by their fields, and all rows would be gone through for each variant
_rows_with_text: Final = NodeMemo(_find_rows_with_text, limits.MAX_REMEMBERED_NODES)


def _read_reason(reader: ExprReader, sentences: SentenceReader, entry: Entry, scope: Scope) -> None:
    """The reason that a flag hands on to conditions; reported at any other value."""
    node, address = as_mapping(entry.value), f"values.{entry.key.text}"
    why, symbol = node.entry("why"), reader.table.symbols.get(entry.key.text)
    if why is None:
        return
    sentences.read_why(node, address, scope)
    if isinstance(symbol, ValueSymbol) and not isinstance(symbol.type, Flag | UnknownType):
        message = f"`why` has no effect: `{entry.key.text}` is {reader.describe(symbol.type)}, not a flag"
        hint = "only a value that is true or false can be the reason of a condition; to describe it, write `text`"
        reader.diagnostics.add(
            why.key.span, codes.NO_EFFECT, message, label="never given", help=hint, address=f"{address}.why"
        )


__all__ = ["read_section_sentences"]

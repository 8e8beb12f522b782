"""The fingerprints of rules: equal when two games mean the same, however their files are cut and spelled.

In: a document and a number of players. Out: SHA-256 digests in hexadecimal.
"""

from __future__ import annotations

import hashlib
import json
from typing import Final

from rulewright import limits
from rulewright.document.document import Document
from rulewright.document.language import PROSE_KEYS
from rulewright.expr.parse import canonical_text
from rulewright.source.node_memo import NodeMemo
from rulewright.source.nodes import Entry, to_builtins

MEANINGLESS_KEYS: Final = PROSE_KEYS | {"files", "texts"}
# these two are not derived from the schemas: records hold digests, which a new annotation must not change
ORDERED_KEYS: Final = frozenset(
    {"kinds", "components", "zones", "actions", "choose", "values", "state", "rows"}
    | {"setup", "turn", "round", "finale", "do", "ranking", "per", "with"}
)
PRINCIPAL_KEYS: Final = {
    "parameters": "value",
    "values": "is",
    "state": "type",
    "when": "is",
    "sum": "is",
    "less": "is",
    "measures": "is",
}


def rules_digest(document: Document, players: int) -> str:
    """The digest of what a document means, sentences and sources apart."""
    kept = [entry for entry in document.root if entry.key.text not in MEANINGLESS_KEYS and entry.key.text != "book"]
    sections = sorted((entry.key.text, _section_text(entry)) for entry in kept)
    pairs = ",".join(f"[{_as_json(name)},{text}]" for name, text in sections)
    return _hash(f"[{players},[{pairs}]]")


def text_digest(document: Document, players: int) -> str:
    """The digest of all that a document says, sentences and their translations too."""
    texts = {code: to_builtins(file) for code, file in document.texts.items()}
    titles = {address: to_builtins(entry.value) for address, entry in document.titles}
    return _digest([to_builtins(document.root), texts, *([titles] if titles else [])], players)


def _meaning(value: object, key: str = "", parent_key: str = "") -> object:
    """The rules without what only people read, in one form however they are cut into files and spelled.

    The order of names counts where it numbers something; steps are in order by their nature.
    """
    if isinstance(value, dict):
        kept = [(name, _meaning(child, name, key)) for name, child in value.items() if name not in MEANINGLESS_KEYS]
        if key == "when" and [name for name, _ in kept] == ["is"]:
            return _meaning(value["is"])  # a step's condition with words of its own
        is_ordered = key in ORDERED_KEYS
        return [list(pair) for pair in (kept if is_ordered else sorted(kept, key=lambda pair: pair[0]))]
    if isinstance(value, list):
        return [_meaning(item) for item in value]
    if parent_key in PRINCIPAL_KEYS:
        return [[PRINCIPAL_KEYS[parent_key], _meaning(value)]]
    return canonical_text(value) if isinstance(value, str) else value


def _digest(data: object, players: int) -> str:
    return _hash(_as_json([players, data]))


def _as_json(data: object) -> str:
    return json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _meaning_text(entry: Entry) -> str:
    return _as_json(_meaning(to_builtins(entry.value), entry.key.text))


# a section is the same object in all documents whose variants leave it alone
_section_text: Final = NodeMemo(_meaning_text, limits.MAX_REMEMBERED_SECTIONS)


__all__ = ["rules_digest", "text_digest"]

"""The rules as they were played, all in one piece of JSON: what came out when every variant had been laid over.

In: a game's document, or the JSON. Out: the other, and `Rules`. The JSON has the form of a game in one file, so that
the reader, the schemas and the rule model read it as they read any game; its digests are those of the rules it came
from. What comes from a stranger is checked as strictly as a file.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from collections.abc import Mapping as Table
from collections.abc import Sequence as Series
from pathlib import Path
from typing import Any, Final

from rulewright import limits
from rulewright.diagnostics import Diagnostics, RulesError, SourceFile, render_concise
from rulewright.document.address import denormalize_lists, normalize_lists
from rulewright.document.document import Document
from rulewright.document.schema_check import check_file_schema
from rulewright.errors import RulewrightError
from rulewright.model.build import build_rules
from rulewright.model.loader import build_composition, compose_game, default_game
from rulewright.model.rules import Rules
from rulewright.source.nodes import Entry, MappingNode, Node, SequenceNode, to_builtins
from rulewright.source.reader import parse_source

SNAPSHOT_KEYS: Final = ("root", "texts", "sources", "table", "changed")
SENTENCE_KEYS: Final = ("text", "why", "title")


class SnapshotError(RulewrightError):
    """Rules in a record that cannot be read; the text says why in one sentence."""


def load_rules_with_snapshot(
    game: str | None = None, *, players: int | None = None, variants: Series[str] = ()
) -> tuple[Rules, dict[str, Any]]:
    """As `load_rules`, and beside the rules the JSON data from which `rules_of` makes them again."""
    diagnostics = Diagnostics()
    resolved = compose_game(game or default_game(), players, variants, diagnostics)
    rules = None if resolved is None else build_composition(resolved, diagnostics)
    if rules is None or resolved is None or diagnostics.error_count:
        raise RulesError(diagnostics)
    return rules, snapshot_rules(resolved.document, {one.root.span.source.path for one in resolved.applied_variants})


def snapshot_rules(document: Document, variant_files: Collection[str] = ()) -> dict[str, Any]:
    """The document as JSON data: `root` like a game in one file, `texts` by language, `sources` and `table`.

    `changed`: where sentences stand that a variant (of the files `laid`) has written, which the game's own translations
    do not translate.
    """

    def by_variant(entry: Entry) -> bool:
        return bool(entry.history) or entry.key.span.source.path in variant_files

    return {
        "root": to_builtins(denormalize_lists(document.root, ())),
        "texts": {code: to_builtins(one) for code, one in document.texts.items()},
        "sources": None if document.sources is None else to_builtins(document.sources),
        "table": None if document.display is None else to_builtins(document.display),
        "changed": [address for address, entry in _sentences(document.root, "") if by_variant(entry)],
    }


def _sentences(node: Node, above: str) -> Iterator[tuple[str, Entry]]:
    """Every sentence in a document, with its address."""
    if isinstance(node, SequenceNode):
        for at, item in enumerate(node):
            yield from _sentences(item, f"{above}.{at}")
    elif isinstance(node, MappingNode):
        for entry in node:
            address = f"{above}.{entry.key.text}"
            if entry.key.text in SENTENCE_KEYS:
                yield address, entry
            else:
                yield from _sentences(entry.value, address)


def _marked(node: Node, above: str, changed: Collection[str]) -> Node:
    """The same node; the sentences at these addresses say that they had another value before."""
    if isinstance(node, SequenceNode):
        return SequenceNode(tuple(_marked(item, f"{above}.{at}", changed) for at, item in enumerate(node)), node.span)
    if not isinstance(node, MappingNode):
        return node
    entries = []
    for entry in node:
        address = f"{above}.{entry.key.text}"
        layers = (entry.key.span,) if address in changed else entry.history
        entries.append(Entry(entry.key, _marked(entry.value, address, changed), layers))
    return MappingNode(tuple(entries), node.span)


def rules_from_snapshot(data: Any, players: int, variants: Series[str], name: str) -> Rules:
    """The rules that JSON data describes, for so many players; `name` is what places in them are told by.

    Raises `BadRules`.
    """
    if not isinstance(data, dict) or sorted(data) != sorted(SNAPSHOT_KEYS):
        raise SnapshotError(f"rules have the keys {', '.join(SNAPSHOT_KEYS)}")
    changed = data["changed"]
    if not isinstance(data["texts"], dict) or not isinstance(changed, list):
        raise SnapshotError("texts are kept by language, and what was changed is a list")
    if not 1 <= players <= limits.MAX_PLAYERS:
        raise SnapshotError(f"{players} players; 1 to {limits.MAX_PLAYERS} can play")
    diagnostics = Diagnostics()
    root = _part(data["root"], "game", name, diagnostics)
    texts = {code: _part(one, "texts", f"{name} texts {code}", diagnostics) for code, one in data["texts"].items()}
    sources, table = (
        None if data[kind] is None else _part(data[kind], kind, f"{name} {kind}", diagnostics)
        for kind in ("sources", "table")
    )
    _refuse(diagnostics)
    whole = _marked(normalize_lists(root, (), diagnostics), "", {one for one in changed if isinstance(one, str)})
    assert isinstance(whole, MappingNode)
    _refuse(diagnostics)
    document = Document(whole, texts, sources, table, Path(name), (), tuple(variants))
    rules = build_rules(document, players, diagnostics, variants=variants)
    _refuse(diagnostics)
    assert rules is not None
    return rules


def _part(data: Any, kind: str, name: str, diagnostics: Diagnostics) -> MappingNode:
    found = Diagnostics()
    text = json.dumps(_safe(data), indent=1, ensure_ascii=True)
    node: Node | None = parse_source(SourceFile(name, text), found)
    if node is not None:
        says = check_file_schema(node, found)
        if says is not None and says != kind:
            raise SnapshotError(f"where the {kind} should stand there is a file of the kind {says!r}")
    diagnostics.extend(found)
    _refuse(diagnostics)
    assert isinstance(node, MappingNode)
    return node


def _safe(data: Any) -> Any:
    """Numbers with a point and empty values stand in no rules; YAML would read them in a way of its own."""
    match data:
        case dict():
            return {str(key): _safe(value) for key, value in data.items()}
        case list():
            return [_safe(value) for value in data]
        case str() | bool() | int():
            return data
        case _:
            raise SnapshotError(f"{json.dumps(data)[:40]} is nothing that can stand in rules")


def _refuse(diagnostics: Diagnostics) -> None:
    if diagnostics.error_count:
        first = next(one for one in diagnostics if one.severity == "error")
        raise SnapshotError(render_concise(first))


def parameter_values(rules: Rules) -> Table[str, object]:
    """The values of all parameters that are one number, flag or word, as they came out."""
    found: dict[str, object] = {}
    for name, one in rules.parameters.items():
        if isinstance(one.value, bool | int | str) and one.values_by_key is None:
            found[name] = one.value
    return found


__all__ = ["SnapshotError", "load_rules_with_snapshot", "parameter_values", "rules_from_snapshot", "snapshot_rules"]

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
from rulewright.diagnostics import Report, RulesError, Source, short
from rulewright.document.address import arranged, listed_again
from rulewright.document.document import Document
from rulewright.document.schema_check import check_shape
from rulewright.errors import RulewrightError
from rulewright.model.build import understand
from rulewright.model.loader import default_game, resolve, understood
from rulewright.model.rules import Rules
from rulewright.source.nodes import Entry, Mapping, Node, Sequence, plain
from rulewright.source.reader import read

PARTS: Final = ("root", "texts", "sources", "table", "changed")
SAYS: Final = ("text", "why", "title")


class BadRules(RulewrightError):
    """Rules in a record that cannot be read; the text says why in one sentence."""


def read_rules(
    game: str | None = None, *, players: int | None = None, variants: Series[str] = ()
) -> tuple[Rules, dict[str, Any]]:
    """As `load_rules`, and beside the rules the JSON data from which `rules_of` makes them again."""
    report = Report()
    resolved = resolve(game or default_game(), players, variants, report)
    rules = None if resolved is None else understood(resolved, report)
    if rules is None or resolved is None or report.errors:
        raise RulesError(report)
    return rules, composed(resolved.document, {one.root.span.source.path for one in resolved.laid})


def composed(document: Document, laid: Collection[str] = ()) -> dict[str, Any]:
    """The document as JSON data: `root` like a game in one file, `texts` by language, `sources` and `table`.

    `changed`: where sentences stand that a variant (of the files `laid`) has written, which the game's own translations
    do not translate.
    """

    def by_variant(entry: Entry) -> bool:
        return bool(entry.layers) or entry.key.span.source.path in laid

    return {
        "root": plain(listed_again(document.root, ())),
        "texts": {code: plain(one) for code, one in document.texts.items()},
        "sources": None if document.sources is None else plain(document.sources),
        "table": None if document.table is None else plain(document.table),
        "changed": [address for address, entry in _sentences(document.root, "") if by_variant(entry)],
    }


def _sentences(node: Node, above: str) -> Iterator[tuple[str, Entry]]:
    """Every sentence in a document, with its address."""
    if isinstance(node, Sequence):
        for at, item in enumerate(node):
            yield from _sentences(item, f"{above}.{at}")
    elif isinstance(node, Mapping):
        for entry in node:
            address = f"{above}.{entry.key.text}"
            if entry.key.text in SAYS:
                yield address, entry
            else:
                yield from _sentences(entry.value, address)


def _marked(node: Node, above: str, changed: Collection[str]) -> Node:
    """The same node; the sentences at these addresses say that they had another value before."""
    if isinstance(node, Sequence):
        return Sequence(tuple(_marked(item, f"{above}.{at}", changed) for at, item in enumerate(node)), node.span)
    if not isinstance(node, Mapping):
        return node
    entries = []
    for entry in node:
        address = f"{above}.{entry.key.text}"
        layers = (entry.key.span,) if address in changed else entry.layers
        entries.append(Entry(entry.key, _marked(entry.value, address, changed), layers))
    return Mapping(tuple(entries), node.span)


def rules_of(data: Any, players: int, variants: Series[str], name: str) -> Rules:
    """The rules that JSON data describes, for so many players; `name` is what places in them are told by.

    Raises `BadRules`.
    """
    if not isinstance(data, dict) or sorted(data) != sorted(PARTS):
        raise BadRules(f"rules have the keys {', '.join(PARTS)}")
    changed = data["changed"]
    if not isinstance(data["texts"], dict) or not isinstance(changed, list):
        raise BadRules("texts are kept by language, and what was changed is a list")
    if not 1 <= players <= limits.MAX_PLAYERS:
        raise BadRules(f"{players} players; 1 to {limits.MAX_PLAYERS} can play")
    report = Report()
    root = _part(data["root"], "game", name, report)
    texts = {code: _part(one, "texts", f"{name} texts {code}", report) for code, one in data["texts"].items()}
    sources, table = (
        None if data[kind] is None else _part(data[kind], kind, f"{name} {kind}", report)
        for kind in ("sources", "table")
    )
    _refuse(report)
    whole = _marked(arranged(root, (), report), "", {one for one in changed if isinstance(one, str)})
    assert isinstance(whole, Mapping)
    _refuse(report)
    document = Document(whole, texts, sources, table, Path(name), (), tuple(variants))
    rules = understand(document, players, report, variants=variants)
    _refuse(report)
    assert rules is not None
    return rules


def _part(data: Any, kind: str, name: str, report: Report) -> Mapping:
    found = Report()
    text = json.dumps(_safe(data), indent=1, ensure_ascii=True)
    node: Node | None = read(Source(name, text), found)
    if node is not None:
        says = check_shape(node, found)
        if says is not None and says != kind:
            raise BadRules(f"where the {kind} should stand there is a file of the kind {says!r}")
    report.extend(found)
    _refuse(report)
    assert isinstance(node, Mapping)
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
            raise BadRules(f"{json.dumps(data)[:40]} is nothing that can stand in rules")


def _refuse(report: Report) -> None:
    if report.errors:
        first = next(one for one in report if one.severity == "error")
        raise BadRules(short(first))


def parameters(rules: Rules) -> Table[str, object]:
    """The values of all parameters that are one number, flag or word, as they came out."""
    found: dict[str, object] = {}
    for name, one in rules.parameters.items():
        if isinstance(one.value, bool | int | str) and one.table is None:
            found[name] = one.value
    return found


__all__ = ["BadRules", "composed", "parameters", "read_rules", "rules_of"]

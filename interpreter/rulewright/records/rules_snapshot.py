"""The rules as they were played, all in one piece of JSON: the document with every variant applied.

In: a game's document, or the JSON. Out: the other, and `Rules`. The JSON has the form of a game in one file, so that
the reader, the schemas and the rule model read it as they read any game; its digests are those of the rules it came
from. What comes from a stranger is checked as strictly as a file.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, TypedDict

from rulewright import limits
from rulewright.diagnostics import Diagnostics, RulesError, SourceFile, render_concise
from rulewright.document.address import builtins_with_lists, normalize_lists
from rulewright.document.document import Document, RecordedSource
from rulewright.document.language import LANGUAGE_VERSION, SENTENCE_KEYS
from rulewright.document.schema_check import check_file_schema
from rulewright.document.sentence_places import TITLE_KEY, sentence_entry
from rulewright.document.text_addresses import title_address
from rulewright.document.unread_files import read_explanations
from rulewright.errors import RulewrightError, quote
from rulewright.frozen import replace
from rulewright.json_values import is_integer
from rulewright.model.build import build_rules
from rulewright.model.loader import build_composition, compose_game
from rulewright.model.locate import default_game
from rulewright.model.provenance import read_provenance
from rulewright.model.rules import Rules
from rulewright.source.nodes import Entry, MappingNode, Node, SequenceNode, as_mapping, to_builtins
from rulewright.source.reader import parse_source
from rulewright.variants.variant import Variant

SNAPSHOT_KEYS: Final = ("root", "texts", "sources", "display", "titles", "changed")
OPTIONAL_KEYS: Final = ("cited",)


class SnapshotError(RulewrightError):
    """Rules that a record cannot hold, or in a record that cannot be read; the text says why in one sentence."""


class CitedSource(TypedDict):
    """Where a rule comes from: work and section of each citation, and the status."""

    source: list[tuple[str, str]]
    status: str


class RulesSnapshot(TypedDict):
    """The rules as JSON data: `root` like a game in one file, `texts` by language, `sources` and `display`.

    `cited`: by address, where a rule comes from when it is not where what is around it comes from.

    `titles`: what rules are called, by address.

    `changed`: the addresses of sentences that a variant has written, which the game's own translations do not
    translate.
    """

    root: object
    texts: dict[str, object]
    sources: object
    display: object
    titles: dict[str, object]
    changed: list[str]
    cited: dict[str, CitedSource]


def load_rules_with_snapshot(
    game: str | None = None, *, players: int | None = None, variants: Sequence[str] = ()
) -> tuple[Rules, RulesSnapshot]:
    """As `load_rules`, and beside the rules the JSON data from which `rules_from_snapshot` makes them again."""
    diagnostics = Diagnostics()
    resolved = compose_game(game or default_game(), players, variants, diagnostics)
    rules = None if resolved is None else build_composition(resolved, diagnostics)
    if rules is None or resolved is None or diagnostics.error_count:
        raise RulesError(diagnostics)
    document = read_explanations(resolved.document, diagnostics)
    if document is None or diagnostics.error_count:
        raise RulesError(diagnostics)
    return rules, snapshot_rules(document, resolved.applied_variants)


def snapshot_rules(document: Document, applied: Collection[Variant] = ()) -> RulesSnapshot:
    """The document as JSON data; `applied`: the variants that were applied to it."""
    variant_files = {variant.root.span.source.path for variant in applied}

    def is_from_variant(entry: Entry) -> bool:
        return bool(entry.history) or entry.key.span.source.path in variant_files

    return {
        "root": builtins_with_lists(document.root, ()),
        "texts": {code: to_builtins(node) for code, node in document.texts.items()},
        "sources": None if document.sources is None else to_builtins(document.sources),
        "display": None if document.display is None else to_builtins(document.display),
        "titles": {address: to_builtins(entry.value) for address, entry in document.titles},
        "changed": [
            *(address for address, entry in _sentences(document.root, "") if is_from_variant(entry)),
            *(title_address(address) for address, entry in document.titles if is_from_variant(entry)),
        ],
        "cited": _cited(document, applied),
    }


def _cited(document: Document, applied: Collection[Variant]) -> dict[str, CitedSource]:
    """Sources and statuses, without those that are inherited."""
    notes = read_provenance(document, applied)
    cited: dict[str, CitedSource] = {}
    for address, note in notes.items():
        around = notes.get(address.rpartition(".")[0])
        if (note.source, note.status) != ((), "") if around is None else (around.source, around.status):
            cited[address] = {"source": list(note.source), "status": note.status}
    return cited


def _sentences(node: Node, parent: str) -> Iterator[tuple[str, Entry]]:
    """Every sentence in a document, with its address."""
    if isinstance(node, SequenceNode):
        for index, item in enumerate(node):
            yield from _sentences(item, f"{parent}.{index}")
    elif isinstance(node, MappingNode):
        for entry in node:
            address = f"{parent}.{entry.key.text}"
            if entry.key.text in SENTENCE_KEYS:
                yield address, entry
            else:
                yield from _sentences(entry.value, address)


def _mark_changed(node: Node, parent: str, changed: Collection[str]) -> Node:
    """The same node, in which the sentences at these addresses have a history: they had another value before."""
    if isinstance(node, SequenceNode):
        items = tuple(_mark_changed(item, f"{parent}.{index}", changed) for index, item in enumerate(node))
        return SequenceNode(items, node.span)
    if not isinstance(node, MappingNode):
        return node
    entries = []
    for entry in node:
        address = f"{parent}.{entry.key.text}"
        history = (entry.key.span,) if address in changed else entry.history
        entries.append(Entry(entry.key, _mark_changed(entry.value, address, changed), history))
    return MappingNode(tuple(entries), node.span)


def rules_from_snapshot(data: object, players: int, variants: Sequence[str], name: str) -> Rules:
    """The rules that JSON data describes, for so many players; `name` is the path shown in messages about them.

    Raises `SnapshotError`.
    """
    if not isinstance(data, dict) or sorted(key for key in data if key not in OPTIONAL_KEYS) != sorted(SNAPSHOT_KEYS):
        raise SnapshotError(f"rules must have the keys {', '.join(SNAPSHOT_KEYS)}")
    changed, cited, names = data["changed"], data.get("cited", {}), data["titles"]
    if not all(isinstance(each, dict) for each in (data["texts"], names, cited)) or not isinstance(changed, list):
        raise SnapshotError("'texts', 'titles' and 'cited' must be objects, and 'changed' a list")
    if not 1 <= players <= limits.MAX_PLAYERS:
        raise SnapshotError(f"{players} players, expected 1 to {limits.MAX_PLAYERS}")
    version = data["root"].get("language") if isinstance(data["root"], dict) else None
    if is_integer(version) and 1 <= version < LANGUAGE_VERSION:
        raise SnapshotError(
            f"they are written in version {version} of the rule language, and this program reads version "
            f"{LANGUAGE_VERSION}: the program that recorded the game replays it"
        )
    diagnostics = Diagnostics()
    root = _parse_part(data["root"], "game", name, diagnostics)
    texts = {
        code: _parse_part(text, "texts", f"{name} texts {code}", diagnostics) for code, text in data["texts"].items()
    }
    sources, display = (
        None if data[kind] is None else _parse_part(data[kind], kind, f"{name} {kind}", diagnostics)
        for kind in ("sources", "display")
    )
    titles = _parse_titles(names, name, diagnostics) if names else ()
    _raise_on_error(diagnostics)
    addresses = {address for address in changed if isinstance(address, str)}
    tree = _mark_changed(normalize_lists(root, (), diagnostics), "", addresses)
    assert isinstance(tree, MappingNode)
    _raise_on_error(diagnostics)
    titles = tuple(
        (address, replace(entry, history=(entry.key.span,)) if title_address(address) in addresses else entry)
        for address, entry in titles
    )
    document = Document(
        tree,
        texts,
        sources,
        display,
        Path(name),
        (),
        tuple(variants),
        recorded_sources=_read_cited(cited),
        titles=titles,
    )
    rules = build_rules(document, players, diagnostics, variants=variants)
    _raise_on_error(diagnostics)
    assert rules is not None
    return rules


def _read_cited(data: dict[object, object]) -> tuple[RecordedSource, ...]:
    read = []
    for address, cited in data.items():
        match cited:
            case {"source": list(source), "status": str(status)} if all(_is_citation(one) for one in source):
                read.append(RecordedSource(str(address), tuple((work, section) for work, section in source), status))
            case _:
                raise SnapshotError("'cited' must give a source and a status for each address")
    return tuple(read)


def _is_citation(data: object) -> bool:
    return isinstance(data, list) and len(data) == 2 and all(isinstance(part, str) for part in data)


def _parse_titles(data: object, name: str, diagnostics: Diagnostics) -> tuple[tuple[str, Entry], ...]:
    """The titles of rules, which are checked like what a variant says."""
    file = {"variant": "titles", "for": "titles", "sentences": data}
    sentences = _parse_part(file, "variant", f"{name} titles", diagnostics).get("sentences")
    return tuple(
        (entry.key.text, sentence_entry((TITLE_KEY,), entry.key, entry.value)) for entry in as_mapping(sentences)
    )


def _parse_part(data: object, kind: str, name: str, diagnostics: Diagnostics) -> MappingNode:
    part_diagnostics = Diagnostics()
    text = json.dumps(_require_plain(data), indent=1, ensure_ascii=True)
    node: Node | None = parse_source(SourceFile(name, text), part_diagnostics)
    if node is not None:
        actual_kind = check_file_schema(node, part_diagnostics)
        if actual_kind is not None and actual_kind != kind:
            raise SnapshotError(f"expected a file of the kind {quote(kind)}, found {quote(actual_kind)}")
    diagnostics.extend(part_diagnostics)
    _raise_on_error(diagnostics)
    assert isinstance(node, MappingNode)
    return node


def _require_plain(data: object) -> object:
    """The data without floats and nulls, which rules do not have and which YAML would read differently."""
    match data:
        case dict():
            return {str(key): _require_plain(value) for key, value in data.items()}
        case list():
            return [_require_plain(value) for value in data]
        case str() | bool() | int():
            return data
        case _:
            raise SnapshotError(f"unexpected {json.dumps(data)[:40]} in rules")


def _raise_on_error(diagnostics: Diagnostics) -> None:
    if diagnostics.error_count:
        first = next(diagnostic for diagnostic in diagnostics if diagnostic.severity == "error")
        raise SnapshotError(render_concise(first))


def parameter_values(rules: Rules) -> Mapping[str, object]:
    """The values of all parameters that are one number, flag or word, variants applied."""
    return {
        name: parameter.value
        for name, parameter in rules.parameters.items()
        if isinstance(parameter.value, bool | int | str) and parameter.values_by_key is None
    }


__all__ = [
    "RulesSnapshot",
    "SnapshotError",
    "load_rules_with_snapshot",
    "parameter_values",
    "rules_from_snapshot",
    "snapshot_rules",
]

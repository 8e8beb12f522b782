"""Which sentences among the rules stand apart from them today, and where a file has them.

In: the nodes of a game's rules, or the changes of a variant. Out: the sentences by address and language, with what is
taken out for them. In a game with files of texts what only the printed book says goes, and of all others what they say
in further languages. In a variant what stands in several languages goes as well, so that its changes come first.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

from rulewright.document.address import child_entries, is_rows, split_address
from rulewright.document.language import (
    CHANGE_KEYS,
    GAME_SECTIONS,
    SENTENCE_KEYS,
    AddressParts,
    current_address,
    is_printed_only,
    keys_at,
    ordered_principal_key,
)
from rulewright.document.migration.migration_edits import Edit, node_end, removals
from rulewright.document.migration.migration_flow import ShortLines
from rulewright.document.migration.migration_sentence_lines import Languages, by_language
from rulewright.document.sentence_places import ENGLISH_CODE, TEXT_KEY, sentence_parts
from rulewright.frozen import field, mutable
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode, as_mapping

NAMES_KEY = "names"  # of the members of a kind
Goes = Callable[[AddressParts, Entry], bool]  # whether a sentence of a rule goes
NO_RULES = ("source", "status")


@mutable
class TakenSentences:
    """Sentences of a file by address, and what is taken out of it. `lost`: the addresses that lost one."""

    by_address: dict[str, Languages] = field(default_factory=dict)
    edits: list[Edit] = field(default_factory=list)
    lost: set[AddressParts] = field(default_factory=set)


def children_of(node: Node, parts: AddressParts) -> Iterator[tuple[AddressParts, Entry]]:
    """What is below an address, each with its own; a list that is short for a key has it in between."""
    if isinstance(node, SequenceNode) and is_rows(parts):
        for row in node:
            if isinstance(row, MappingNode) and isinstance(name := row.get("id"), ScalarNode):
                yield (*parts, name.text), Entry(name, row)
        return
    if isinstance(node, SequenceNode) and (key := ordered_principal_key(parts)):
        parts = (*parts, key)
    for entry in child_entries(node):
        if entry.key.text not in NO_RULES:
            yield (*parts, entry.key.text), entry


def take_sentences(found: TakenSentences, node: Node, parts: AddressParts, goes: Goes) -> None:
    """Takes the sentences out of which `goes` holds, at an address and below it."""
    if isinstance(node, MappingNode):
        gone = [entry for entry in node if _is_sentence(parts, entry) and goes(parts, entry)]
        if gone and len(gone) < len(node.entries):
            for entry in gone:
                found.by_address |= dict(_sentences_in(parts, entry))
            found.lost.add(parts)
            found.edits += removals(node, gone)
    for child_parts, entry in children_of(node, parts):
        take_sentences(found, entry.value, child_parts, goes)


def _is_sentence(parts: AddressParts, entry: Entry) -> bool:
    """Whether a key is the language's, for people, and its words have an address of their own."""
    key = entry.key.text
    if key not in keys_at(parts) or not (key in SENTENCE_KEYS or (key == NAMES_KEY and parts[:1] == ("kinds",))):
        return False
    sentences = list(_sentences_in(parts, entry))
    places = {sentence_parts(address)[: len(parts) + 1] for address, _ in sentences}
    return places == {(*parts, key)} and all(all(words.values()) and words for _, words in sentences)


def _sentences_in(parts: AddressParts, entry: Entry) -> Iterator[tuple[str, Languages]]:
    """The sentences of a key by address: of the names of members several."""
    address, key = ".".join(parts), entry.key.text
    if key == NAMES_KEY:
        for name in as_mapping(entry.value):
            yield f"{address}.{name.key.text}", by_language(name.value)
    else:
        yield address if key == TEXT_KEY else f"{address}.{key}", by_language(entry.value)


def take_from_rules(root: MappingNode, known: Mapping[str, Collection[str]]) -> TakenSentences:
    """What goes out of the rules of a game to its files of texts. `known`: the addresses in each, by language."""
    found = TakenSentences()
    for section in root:
        if section.key.text in GAME_SECTIONS:
            _take_from_rules(found, section, known)
    return found


def _take_from_rules(found: TakenSentences, section: Entry, known: Mapping[str, Collection[str]]) -> None:
    def has_room(parts: AddressParts, entry: Entry) -> bool:
        return all(
            code in known and address not in known[code]
            for address, words in _sentences_in(parts, entry)
            for code in words
        )

    def goes(parts: AddressParts, entry: Entry) -> bool:
        return is_printed_only((*parts, entry.key.text)) and has_room(parts, entry)

    def is_translated(parts: AddressParts, entry: Entry) -> bool:
        is_more = isinstance(entry.value, MappingNode) and ENGLISH_CODE in entry.value and len(entry.value.entries) > 1
        return is_more and entry.key.text != NAMES_KEY and not goes(parts, entry) and has_room(parts, entry)

    take_sentences(found, section.value, (section.key.text,), goes)
    for parts, entry in _sentences_below(section.value, (section.key.text,)):
        if is_translated(parts, entry):
            words = as_mapping(entry.value)
            for address, by_code in _sentences_in(parts, entry):
                found.by_address[address] = {code: text for code, text in by_code.items() if code != ENGLISH_CODE}
            found.edits.append(Edit(words.span.start, node_end(words), _as_written(words.get(ENGLISH_CODE))))


def _sentences_below(node: Node, parts: AddressParts) -> Iterator[tuple[AddressParts, Entry]]:
    for entry in node if isinstance(node, MappingNode) else ():
        if _is_sentence(parts, entry):
            yield parts, entry
    for child_parts, entry in children_of(node, parts):
        yield from _sentences_below(entry.value, child_parts)


def _as_written(node: Node | None) -> str:
    assert isinstance(node, ScalarNode)
    text = node.span.source.text
    start = node.span.start - (text[node.span.start - 1] in "\"'")
    return text[start : node_end(node)]


def take_from_changes(root: MappingNode) -> TakenSentences:
    """What the changes of a variant say, for behind them."""
    found = TakenSentences()
    emptied: list[Entry] = []
    for key in CHANGE_KEYS:
        section = root.entry(key)
        if section is None or not isinstance(section.value, MappingNode):
            continue
        gone: list[Entry] = []
        for change in section.value:
            parts = current_address(split_address(change.key.text))
            if parts[0] not in GAME_SECTIONS:
                continue
            if _is_change_of_sentence(parts, change):
                own = Entry(ScalarNode(parts[-1], parts[-1], change.key.span), change.value)
                found.by_address |= dict(_sentences_in(parts[:-1], own))
                gone.append(change)
            else:
                take_sentences(found, change.value, parts, _goes_behind)
        if gone and len(gone) == len(section.value.entries):
            emptied.append(section)
        else:
            found.edits += removals(section.value, gone)
    found.edits += removals(root, emptied)
    return found


def _is_change_of_sentence(parts: AddressParts, change: Entry) -> bool:
    """Whether all that is changed is what a rule says; what it stated before is not demanded."""
    words = by_language(change.value)
    if len(parts) < 2 or not words or set(words) == {"expects", "value"}:
        return False
    own = Entry(ScalarNode(parts[-1], parts[-1], change.key.span), change.value)
    return parts[-1] != NAMES_KEY and _is_sentence(parts[:-1], own)


def _goes_behind(parts: AddressParts, entry: Entry) -> bool:
    return isinstance(entry.value, MappingNode) or is_printed_only((*parts, entry.key.text))


def flow_edits(root: MappingNode, lost: Collection[AddressParts]) -> Iterator[Edit]:
    """Edits that write on one line what has lost its sentences."""
    flow = ShortLines(lost, children_of)
    for entry in root:
        if entry.key.text in GAME_SECTIONS:
            yield from flow.edits(entry.value, (entry.key.text,))
        elif entry.key.text in CHANGE_KEYS:
            for change in as_mapping(entry.value):
                yield from flow.entry_edits(change, current_address(split_address(change.key.text)))


__all__ = ["TakenSentences", "children_of", "flow_edits", "take_from_changes", "take_from_rules"]

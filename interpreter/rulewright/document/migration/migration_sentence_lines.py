"""Lines of sentences by address: how the files look in which sentences stand apart from the rules.

In: sentences by address, and the order of the rules that they are of. Out: the lines of a new file, or edits that put
them into one that has some, each where its rule comes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from rulewright.document.address import child_entries
from rulewright.document.language import CHANGE_KEYS
from rulewright.document.migration.migration_edits import Edit, entry_start, node_end
from rulewright.document.sentence_places import ENGLISH_CODE
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, as_mapping

NOT_PLAIN: Final = lazy_pattern(
    r"\n|^[\s{\[\"'&*!|>%@`#?-]|: | #|:$|^(yes|no|on|off|true|false|null|~|[\d.]*)$|\s$", re.I
)
FLOW_MARKS: Final = lazy_pattern(r"[,\[\]{}]|\?$")  # some readers of YAML take a last question mark for a key's
MAX_COLUMNS: Final = 110
NEW_LINE: Final = "\n"
GROUPED_BY_RULE: Final = ("actions",)  # sections in which the lines of a rule belong together; else those of a section
ENDINGS: Final = {"title": 0, "why": 2}  # a title stands before what the rule says, a reason behind it

Languages = Mapping[str, str]  # a sentence by language


def by_language(node: Node) -> dict[str, str]:
    """A sentence as it is written at its rule, by language."""
    if isinstance(node, ScalarNode):
        return {ENGLISH_CODE: node.text}
    return {entry.key.text: entry.value.text for entry in as_mapping(node) if isinstance(entry.value, ScalarNode)}


def as_yaml(sentence: Languages) -> str:
    """A sentence as the value of a key: English alone, or with its translations."""
    if set(sentence) == {ENGLISH_CODE}:
        return _quoted(sentence[ENGLISH_CODE], is_flow=False)
    line = f"{{{', '.join(f'{code}: {_quoted(text, is_flow=True)}' for code, text in sentence.items())}}}"
    if len(line) <= MAX_COLUMNS:
        return line
    return "".join(f"\n{code}: {_quoted(text, is_flow=False)}" for code, text in sentence.items())


def _quoted(text: str, *, is_flow: bool) -> str:
    if NOT_PLAIN.search(text) or (is_flow and FLOW_MARKS.search(text)):
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace(NEW_LINE, "\\n") + '"'
    return text


class RuleOrder:
    """Where the rules of a game come in its files. `roots`: of the files, in their order."""

    def __init__(self, roots: Iterable[MappingNode]) -> None:
        self._numbers: dict[str, int] = {}
        for root in roots:
            for entry in root:
                self._number(entry, entry.key.text)

    def _number(self, entry: Entry, address: str) -> None:
        self._numbers.setdefault(address, len(self._numbers))
        for child in child_entries(entry.value):
            self._number(child, f"{address}.{child.key.text}")

    def add_changes(self, root: MappingNode) -> None:
        """Numbers what a variant changes, in the order of its file."""
        for change in (change for key in CHANGE_KEYS for change in as_mapping(root.get(key))):
            names = change.key.text.split(".")
            for length in range(2, len(names)):
                self._numbers.setdefault(".".join(names[:length]), len(self._numbers))
            self._number(change, change.key.text)

    def key(self, address: str) -> tuple[int, bool, int]:
        """What sentences are sorted by: the number of the rule, or of the nearest above it; then title, text, why."""
        named, _, ending = address.rpartition(".")
        if ending not in ENDINGS:
            named = address
        rule = named
        while rule and rule not in self._numbers:
            rule = rule.rpartition(".")[0]
        return self._numbers.get(rule, -1), rule != named, ENDINGS.get(ending, 1)


def _line(indent: str, address: str, value: str) -> str:
    """A sentence under its address; one in several languages has a line for each where one line would be long."""
    space = "" if value.startswith("\n") else " "
    inner = "\n" + indent + "  "
    return f"{indent}{address}:{space}{value.replace(NEW_LINE, inner)}"


def new_lines(sentences: Mapping[str, str], order: RuleOrder, indent: str = "  ") -> str:
    """The lines of sentences, each a value in YAML, in the order of their rules; blank ones between groups."""
    lines: list[str] = []
    last = ""
    groups = [_group(address) for address in sentences]
    has_blocks = len(groups) > 2 * len(set(groups))
    for address in sorted(sentences, key=order.key):
        group = _group(address) if has_blocks else address.partition(".")[0]
        if last and group != last:
            lines.append("")
        lines.append(_line(indent, address, sentences[address]))
        last = group
    return "".join(f"{line}\n" for line in lines)


def insertions(block: MappingNode, sentences: Mapping[str, str], order: RuleOrder) -> Iterator[Edit]:
    """Edits that put sentences into a block that has some."""
    text = block.span.source.text
    first = block.entries[0]
    indent = " " * (entry_start(first) - text.rfind("\n", 0, entry_start(first)) - 1)
    places: dict[int, list[str]] = {}  # addresses by where they come
    for address in sorted(sentences, key=order.key):
        before = [entry for entry in block if order.key(entry.key.text) <= order.key(address)]
        if before:
            end = text.find("\n", node_end(before[-1].value))
            place = len(text) if end < 0 else end + 1
        else:
            place = text.rfind("\n", 0, entry_start(first)) + 1
        after = next((entry for entry in block if entry_start(entry) > place), None)
        if before and after is not None and _group(before[-1].key.text) != _group(address) == _group(after.key.text):
            place = text.rfind("\n", 0, entry_start(after)) + 1  # behind the blank line between them
        places.setdefault(place, []).append(address)
    has_blocks = "\n\n" in text[block.span.start : node_end(block)]
    for place, addresses in places.items():
        before = [entry for entry in block if entry_start(entry) < place]
        last = _group(before[-1].key.text) if before and not text[:place].endswith("\n\n") else ""
        lines: list[str] = []
        for address in addresses:
            if has_blocks and last and _group(address) != last:
                lines.append("\n")
            lines.append(_line(indent, address, sentences[address]) + "\n")
            last = _group(address)
        after = next((entry for entry in block if entry_start(entry) >= place), None)
        if has_blocks and after is not None and _group(after.key.text) != last and text[place : place + 1] != "\n":
            lines.append("\n")
        start = "" if text[:place].endswith("\n") else "\n"
        yield Edit(place, place, start + "".join(lines))


def _group(address: str) -> str:
    names = address.split(".")
    return ".".join(names[: 2 if names[0] in GROUPED_BY_RULE else 1])


__all__ = ["Languages", "RuleOrder", "as_yaml", "by_language", "insertions", "new_lines"]

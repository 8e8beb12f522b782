"""The changes that a variant makes: what it does to which address.

In: the mapping of a variant file. Out: its `Change`s, in the order in which the operations are applied.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from rulewright.diagnostics import Diagnostics, Span
from rulewright.document.address import AddressParts, split_address
from rulewright.document.sentence_places import enclosing_sentence, sentence_parts
from rulewright.frozen import frozen
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode, as_mapping
from rulewright.variants import codes

Operation = Literal["set", "adjust", "add", "insert", "sentences", "remove"]
LIST_OPERATIONS: Final[dict[str, Operation]] = {
    "extend": "add",
    "drop": "remove",
}  # keyword of a list → what each of its items does
ANCHOR_KEYS: Final = ("before", "after", "at")


@frozen
class Change:
    """One change at an address. `anchor`: the `before:`, `after:` or `at:` of an insertion.

    An `extend` or `drop` is an addition or removal of each `item` of its list, with the item's name after the address.
    """

    operation: Operation
    variant: str
    key: ScalarNode  # the address as written
    parts: AddressParts
    payload: Node | None = None  # None: a removal
    expects: Node | None = None
    anchor: Entry | None = None
    item: ScalarNode | None = None
    is_setting: bool = False  # given on the command line: then a change without effect is no mistake

    @property
    def address(self) -> str:
        """The address as a string."""
        return ".".join(self.parts)

    @property
    def is_of_words(self) -> bool:
        """Whether it changes only what people read."""
        return self.operation == "sentences" or enclosing_sentence(self.parts) is not None

    @property
    def new_value(self) -> Node | None:
        """The new value, or any bare value for an `adjust`, which adjusts a bare value."""
        return self.key if self.operation == "adjust" else self.payload

    @property
    def keyword(self) -> str:
        """The operation as written in the variant."""
        if self.is_setting:
            return "--set"
        return (
            self.operation
            if self.item is None
            else next(keyword for keyword, operation in LIST_OPERATIONS.items() if operation == self.operation)
        )

    @property
    def span(self) -> Span:
        """Where the variant has this change."""
        return self.key.span if self.item is None else self.item.span

    @property
    def value_span(self) -> Span:
        """What it sets, where that is a number, a word or an expression; else as `span`."""
        is_value = self.operation in ("add", "set", "adjust") and isinstance(self.payload, ScalarNode)
        return self.payload.span if is_value and self.payload is not None else self.span

    def last_name(self) -> ScalarNode:
        """The last name of the address as a key, with its place in the variant."""
        if self.item is not None:
            return self.item
        name = self.parts[-1]
        end = len(self.key.text)
        return ScalarNode(name, name, self.key.subspan(end - len(name), end))

    def name_span(self, index: int) -> Span:
        """Where the variant has the name with that index of the address."""
        if self.item is not None and index == len(self.parts) - 1:
            return self.item.span
        # from the end, since `members` may be left out before the last name
        names = split_address(self.key.text)
        if self.operation == "sentences":  # what is said stands behind the address
            index += len(self.parts) - len(names)
        position = max(0, min(len(names) - 1, index - len(self.parts) + len(names) + (self.item is not None)))
        start = sum(len(name) + 1 for name in names[:position])
        return self.key.subspan(start, start + len(names[position]))


def read_changes(name: str, node: MappingNode, diagnostics: Diagnostics) -> Iterator[Change]:
    """What the mapping of the variant of that name changes."""
    operations: tuple[Operation, ...] = ("set", "adjust", "add", "insert")
    for operation in operations:
        section = node.get(operation)
        for entry in section.entries if isinstance(section, MappingNode) else ():
            parts = split_address(entry.key.text)
            payload, expects, anchor = entry.value, None, None
            if (
                operation == "set"
                and isinstance(payload, MappingNode)
                and sorted(payload.keys()) == ["expects", "value"]
            ):
                expects, value = payload.get("expects"), payload.get("value")
                assert value is not None
                payload = value
            if operation == "insert":
                anchor, payload = _split_anchor(entry, diagnostics)
                if anchor is None:
                    continue
            yield Change(operation, name, entry.key, parts, payload, expects, anchor)
    for keyword, operation in LIST_OPERATIONS.items():
        section = node.get(keyword)
        for entry in section.entries if isinstance(section, MappingNode) else ():
            yield from _item_changes(operation, name, entry)
    for entry in as_mapping(node.get("sentences")):
        yield Change("sentences", name, entry.key, sentence_parts(entry.key.text), entry.value)
    removed = node.get("remove")
    for item in removed.items if isinstance(removed, SequenceNode) else ():
        if isinstance(item, ScalarNode):
            yield Change("remove", name, item, split_address(item.text))


def _item_changes(operation: Operation, variant: str, entry: Entry) -> Iterator[Change]:
    """An addition or removal of each item of a list: words, words with their names, rows, or offers with clauses."""
    parts = split_address(entry.key.text)
    is_kind = len(parts) == 2 and parts[0] == "kinds"
    for item in entry.value.items if isinstance(entry.value, SequenceNode) else ():
        payload: Node = MappingNode((), item.span)
        name = item
        if isinstance(item, MappingNode):
            row = item.get("id")
            name, payload = (row, item) if row is not None else (item.entries[0].key, item.entries[0].value)
        if not isinstance(name, ScalarNode):
            continue
        if is_kind and isinstance(item, MappingNode):
            yield Change(operation, variant, entry.key, (*parts, name.text), MappingNode((), item.span), item=name)
            parts_of_name = (*parts, "names", name.text)
        else:
            parts_of_name = (*parts, name.text)
        yield Change(operation, variant, entry.key, parts_of_name, payload if operation == "add" else None, item=name)


def _split_anchor(entry: Entry, diagnostics: Diagnostics) -> tuple[Entry | None, Node]:
    """Splits the payload of an insertion into its anchor and the step."""
    payload = entry.value
    assert isinstance(payload, MappingNode)
    anchors = [part for part in payload.entries if part.key.text in ANCHOR_KEYS]
    step = MappingNode(tuple(part for part in payload.entries if part.key.text not in ANCHOR_KEYS), payload.span)
    if len(anchors) != 1:
        span = anchors[1].key.span if anchors else entry.key.span
        message = "insertion with two positions" if anchors else "insertion without a position"
        hint = "give one of `before: a_step`, `after: a_step`, `at: start`, `at: end`"
        diagnostics.add(span, codes.INSERT_PLACE, message, help=hint, address=entry.key.text)
        return None, step
    return anchors[0], step


__all__ = ["ANCHOR_KEYS", "Change", "Operation", "read_changes"]

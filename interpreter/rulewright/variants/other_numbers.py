"""Is a change that changes nothing at one number of players needed at another?

In: the address and the value of a change, the numbers of players that it is for, and what the game itself adjusts. Out:
a yes or no. What a game adjusts is not what it has elsewhere, since an adjustment without effect is an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rulewright.document.address import AddressParts
from rulewright.document.document import Adjustment
from rulewright.document.editing import is_equivalent, resolve_address
from rulewright.source.nodes import MappingNode, Node

CHANGES: Final = ("set", "adjust", "add", "remove", "insert")


def is_needed_elsewhere(
    adjustments: Sequence[Adjustment], players: range, root: MappingNode, parts: AddressParts, value: Node
) -> bool:
    """Whether the rules have another value than this at one of the numbers of players, as far as the game says so."""
    written = [found for one in adjustments if one.players in players and (found := [*_written(one.root, root, parts)])]
    if not written:
        return False
    if len(written) < len(players):
        return True
    return not all(at == parts and is_equivalent(node, value, parts) for found in written for at, node in found)


def _written(adjustment: MappingNode, root: MappingNode, parts: AddressParts) -> Iterator[tuple[AddressParts, Node]]:
    """What an adjustment sets at an address, with that; whatever else it does at, above or below it, with none."""
    for change in CHANGES:
        changes = adjustment.get(change)
        for entry in changes.entries if isinstance(changes, MappingNode) else ():
            at = resolve_address(root, tuple(entry.key.text.split(".")), entry.value)
            if at[: len(parts)] == parts or parts[: len(at)] == at:
                yield (at if change == "set" else ()), entry.value


__all__ = ["is_needed_elsewhere"]

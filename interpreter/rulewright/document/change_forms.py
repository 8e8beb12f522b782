"""How rows and clauses are changed by a variant, for one that changes them as something else is.

In: a place in a variant that has not the shape expected there. Out: whether it was reported, with what to write.
"""

from __future__ import annotations

from rulewright.diagnostics import Cause, Diagnostics
from rulewright.document import codes
from rulewright.document.address import is_choices, is_ordered_list, split_address
from rulewright.document.language import GAME_SECTIONS
from rulewright.document.located_nodes import LocatedNode
from rulewright.source.nodes import MappingNode
from rulewright.suggestions import meant_hint

ROWS = ".rows"
ID = "id"
NAMES_OF_ROWS = ("name", "key", "title")  # as other formats call an id


def report_row_without_id(location: LocatedNode, diagnostics: Diagnostics) -> bool:
    """A row under `extend`, which nothing names."""
    node, address = location.node, location.address
    if not address.startswith("extend.") or not address.endswith(ROWS) or not isinstance(node, MappingNode):
        return False
    meant = next((entry.key for entry in node if entry.key.text in NAMES_OF_ROWS), None)
    key = meant or node.entries[0].key
    hint = meant_hint(meant.text, ID) if meant is not None else f"add `{ID}: …`: the name of the row"
    message, cause = f"missing `{ID}` in a row", Cause("no key", ID)
    diagnostics.add(key.span, codes.MISSING_KEY, message, help=hint, address=address, cause=cause)
    return True


def row_name_hint(location: LocatedNode) -> str:
    """For what is no name of a row under `drop`."""
    is_row = location.address.startswith("drop.") and location.address.endswith(ROWS)
    return f"name rows by their `{ID}`" if is_row else ""


def report_insertion_without_order(location: LocatedNode, diagnostics: Diagnostics) -> bool:
    """What is inserted among rules that have no order, as the clauses of an action have none."""
    change, _, address = location.address.partition(".")
    above = split_address(address)[:-1]
    is_known = change == "insert" and location.key is not None and above[:1] and above[0] in GAME_SECTIONS
    if not is_known or location.key is None or is_ordered_list(above) or is_choices(above):
        return False
    message = f"nothing is inserted into `{'.'.join(above)}`, which has no order"
    hint = "write it under `add`, without its place"
    diagnostics.add(location.key.span, codes.UNKNOWN_KEY, message, label="no list", help=hint, address=location.address)
    return True


__all__ = ["report_insertion_without_order", "report_row_without_id", "row_name_hint"]

"""Where the texts of a rule stand among the sentences: its reason, the names of its things, its title.

In: the address of a rule. Out: the address of a text. Who plays needs these alone, and not the shape of the language.
"""

from __future__ import annotations

from typing import Final

TITLE_ENDING: Final = ".title"


def reason_address(address: str) -> str:
    """Where the reason of a choice or clause is among the sentences; at its own address is what it demands."""
    return f"{address}.why"


def names_address(address: str) -> str:
    """Where the names of a component's things are among the sentences."""
    return f"{address}.names"


def title_address(address: str) -> str:
    """Where the title of a rule is among the sentences."""
    return f"{address}{TITLE_ENDING}"


__all__ = ["TITLE_ENDING", "names_address", "reason_address", "title_address"]

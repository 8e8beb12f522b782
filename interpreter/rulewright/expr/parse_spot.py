"""Where reading an expression stops, and what is known there.

In: nothing. Out: `Spot`, which everything that explains a mistake is asked about.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lark import Token, Tree

from rulewright.expr.tree import Offsets

ParseStack = Sequence[Tree[Token] | Token]  # what was read before the spot, as far as the parser has reduced it


class Spot(NamedTuple):
    """Where the parser stops: at the characters `offsets` of `text`, where the grammar allows the tokens `expected`."""

    text: str
    offsets: Offsets
    expected: frozenset[str]
    stack: ParseStack

    @property
    def word(self) -> str:
        """What stands there."""
        return self.text[slice(*self.offsets)]

    @property
    def start(self) -> int:
        """Its first character."""
        return self.offsets[0]


__all__ = ["ParseStack", "Spot"]

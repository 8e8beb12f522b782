"""An expression as it is written: which word belongs to which, before anybody asks what the words mean.

In: nothing. Out: the tree that the parser makes, and what it says when it stumbles. All offsets are in the
expression's own text.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.diagnostics import Code
from rulewright.expr.tree import Offsets


@dataclass(frozen=True, slots=True)
class SyntaxToken:
    """A name or number as written."""

    text: str
    offsets: Offsets


@dataclass(frozen=True, slots=True)
class SyntaxNode:
    """A finished rule of the grammar, by its name there, with what it keeps of its words."""

    rule: str
    parts: tuple[SyntaxNode | SyntaxToken, ...]
    offsets: Offsets
    depth: int = 1

    def child(self, number: int) -> SyntaxNode:
        """A part that is itself a rule."""
        part = self.parts[number]
        assert isinstance(part, SyntaxNode), self.rule
        return part

    def token(self, number: int = 0) -> SyntaxToken:
        """A part that is a single word."""
        part = self.parts[number]
        assert isinstance(part, SyntaxToken), self.rule
        return part

    def children(self) -> tuple[SyntaxNode, ...]:
        """The parts that are rules."""
        return tuple(part for part in self.parts if isinstance(part, SyntaxNode))


@dataclass(frozen=True, slots=True)
class ParseError:
    """Why a text is no expression: at which spot, and what to do about it."""

    code: Code
    offsets: Offsets
    message: str
    label: str = ""
    help: str = ""

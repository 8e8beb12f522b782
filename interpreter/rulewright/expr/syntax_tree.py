"""The untyped tree of an expression: which words belong together, before anything looks up what they mean.

In: nothing. Out: the classes of nodes that the parser makes, and what it returns for a text that is no expression. All
offsets are in the expression's own text.
"""

from __future__ import annotations

from rulewright.diagnostics import Code
from rulewright.expr.tree import Offsets
from rulewright.frozen import frozen


@frozen
class SyntaxToken:
    """A name or number as written."""

    text: str
    offsets: Offsets


@frozen
class SyntaxNode:
    """A completed rule of the grammar, with those of its parts that the grammar keeps."""

    rule: str  # its name in the grammar
    parts: tuple[SyntaxNode | SyntaxToken, ...]
    offsets: Offsets
    depth: int = 1  # levels of nodes, this one included

    def child(self, index: int) -> SyntaxNode:
        """The part at `index`, which is itself a rule."""
        part = self.parts[index]
        assert isinstance(part, SyntaxNode), self.rule
        return part

    def token(self, index: int = 0) -> SyntaxToken:
        """The part at `index`, which is a single word."""
        part = self.parts[index]
        assert isinstance(part, SyntaxToken), self.rule
        return part

    def children(self) -> tuple[SyntaxNode, ...]:
        """The parts that are rules."""
        return tuple(part for part in self.parts if isinstance(part, SyntaxNode))


@frozen
class Rewriting:
    """Characters of an expression, and what is to be written instead of them."""

    offsets: Offsets
    text: str


@frozen
class ParseError:
    """Why a text is not an expression: where, and what to do about it."""

    code: Code
    offsets: Offsets
    message: str
    label: str = ""
    help: str = ""
    rewriting: Rewriting | None = None  # what is certainly meant, unless the help says it

"""An expression as it is written: which word belongs to which, before anybody asks what the words mean.

In: nothing. Out: the tree that the parser makes, and what it says when it stumbles. All offsets are in the
expression's own text.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.diagnostics import Code
from rulewright.expr.tree import At


@dataclass(frozen=True, slots=True)
class Token:
    """A name or number as written."""

    text: str
    at: At


@dataclass(frozen=True, slots=True)
class Syntax:
    """A finished rule of the grammar, by its name there, with what it keeps of its words."""

    rule: str
    parts: tuple[Syntax | Token, ...]
    at: At
    depth: int = 1

    def node(self, number: int) -> Syntax:
        """A part that is itself a rule."""
        part = self.parts[number]
        assert isinstance(part, Syntax), self.rule
        return part

    def word(self, number: int = 0) -> Token:
        """A part that is a single word."""
        part = self.parts[number]
        assert isinstance(part, Token), self.rule
        return part

    def nodes(self) -> tuple[Syntax, ...]:
        """The parts that are rules."""
        return tuple(part for part in self.parts if isinstance(part, Syntax))


@dataclass(frozen=True, slots=True)
class Stumble:
    """Why a text is no expression: at which spot, and what to do about it."""

    code: Code
    at: At
    message: str
    label: str = ""
    help: str = ""

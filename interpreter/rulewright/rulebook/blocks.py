"""A rulebook before it is printed: headings, lines, tables and pictures, each with the rules that it speaks of.

In: nothing. Out: the classes. Every block has a key of its own, by which two books are held against each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from rulewright.model.glyphs import Sign

Change = Literal["", "new", "gone"]


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text. `to`: the anchor that it leads to; `change` and `by`: what variants of these names did."""

    text: str
    mark: Literal["", "strong", "em"] = ""
    to: str = ""
    sign: Sign | None = None
    change: Change = ""
    by: tuple[str, ...] = ()


Text = tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: 1 the book's, 2 a chapter's, 3 and 4 below."""

    key: str
    level: int
    text: Text
    anchor: str
    says: frozenset[str] = frozenset()
    mentions: frozenset[str] = frozenset()
    change: Change = ""
    by: tuple[str, ...] = ()


LineKind = Literal["lead", "paragraph", "label", "item", "number", "example", "note", "source"]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text: a paragraph, an item of a list (`depth` below others), a label above a list …

    `beneath`: what the rule does, told from its expressions, where the line is a sentence of its own.
    """

    key: str
    kind: LineKind
    text: Text
    depth: int = 0
    anchor: str = ""
    beneath: str = field(default="", compare=False)
    says: frozenset[str] = frozenset()
    mentions: frozenset[str] = frozenset()
    change: Change = ""
    by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table."""

    key: str
    cells: tuple[Text, ...]
    anchor: str = ""
    says: frozenset[str] = frozenset()
    mentions: frozenset[str] = frozenset()
    change: Change = ""
    by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a head; the first column says what its row is about."""

    key: str
    head: tuple[Text, ...]
    rows: tuple[Row, ...]
    caption: str = ""
    change: Change = ""
    by: tuple[str, ...] = ()

    @property
    def says(self) -> frozenset[str]:
        """What its rows say."""
        return frozenset().union(*(row.says for row in self.rows))

    @property
    def mentions(self) -> frozenset[str]:
        """What its rows mention."""
        return frozenset().union(*(row.mentions for row in self.rows))


@dataclass(frozen=True, slots=True)
class Part:
    """Something drawn on a thing: the field's name, its number in the list of parts, and what stands there."""

    number: int
    name: str
    shown: tuple[tuple[str, Sign | None, str], ...]  # a count or text, a sign, the member's name


@dataclass(frozen=True, slots=True)
class Card:
    """A thing as it is drawn: what stands in its title, in its lines, and what is not drawn but belongs to it."""

    title: tuple[Part, ...]
    lines: tuple[tuple[Part, ...], ...]
    foot: tuple[Part, ...]
    ground: Sign | None


@dataclass(frozen=True, slots=True)
class Spot:
    """A place on the table: a thing, a pile, a sort of pieces, the name of a column, or that there are more."""

    kind: Literal["card", "pile", "sign", "name", "more"]
    text: str = ""
    sign: Sign | None = None


@dataclass(frozen=True, slots=True)
class PlanLine:
    """What lies on one level of the table: a title, and rows with what stands at their heads."""

    title: str
    rows: tuple[tuple[str, tuple[Spot, ...]], ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """The table, from top to bottom."""

    lines: tuple[PlanLine, ...]


@dataclass(frozen=True, slots=True)
class Diagram:
    """A drawing of how things follow one another: as Mermaid and as SVG."""

    mermaid: str
    svg: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture with what it shows in words. `drawing`: a thing, the table, or how things follow one another."""

    key: str
    drawing: Card | Plan | Diagram = field(compare=False)
    caption: Text
    alt: str
    says: frozenset[str] = frozenset()
    mentions: frozenset[str] = frozenset()
    change: Change = ""
    by: tuple[str, ...] = ()


Block = Heading | Line | Table | Figure


@dataclass(frozen=True, slots=True)
class Book:
    """A rulebook: its language and its blocks."""

    language: str
    title: str
    blocks: tuple[Block, ...]

    def headings(self) -> Iterator[Heading]:
        """The headings, in order."""
        return (one for one in self.blocks if isinstance(one, Heading))


def plain(text: Text) -> str:
    """A text without its marks."""
    return "".join(run.text for run in text)


def spoken(book: Book) -> frozenset[str]:
    """The addresses of all rules for which the book says a sentence."""
    return frozenset().union(*(block.says for block in book.blocks))


__all__ = [
    "Block", "Book", "Card", "Change", "Diagram", "Figure", "Heading", "Line", "LineKind", "Part", "Plan",
    "PlanLine", "Row", "Run", "Spot", "Table", "Text", "plain", "spoken",
]  # fmt: skip

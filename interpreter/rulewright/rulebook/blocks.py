"""A rulebook before it is printed: headings, lines, tables and pictures, each with the rules that it speaks of.

In: nothing. Out: the classes. Every block has a key of its own, by which two books are held against each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from rulewright.model.glyphs import Glyph

ChangeMark = Literal["", "new", "gone"]


@dataclass(frozen=True, slots=True)
class TextRun:
    """A stretch of text. `to`: the anchor that it leads to; `change` and `by`: what variants of these names did."""

    text: str
    emphasis: Literal["", "strong", "em"] = ""
    link: str = ""
    glyph: Glyph | None = None
    change: ChangeMark = ""
    variants: tuple[str, ...] = ()


RichText = tuple[TextRun, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: 1 the book's, 2 a chapter's, 3 and 4 below."""

    key: str
    level: int
    text: RichText
    anchor: str
    covers: frozenset[str] = frozenset()
    mentions: frozenset[str] = frozenset()
    change: ChangeMark = ""
    by: tuple[str, ...] = ()


TextKind = Literal["lead", "paragraph", "label", "item", "number", "example", "note", "source"]


@dataclass(frozen=True, slots=True)
class TextBlock:
    """One line of text: a paragraph, an item of a list (`depth` below others), a label above a list …

    `beneath`: what the rule does, told from its expressions, where the line is a sentence of its own.
    """

    key: str
    kind: TextKind
    text: RichText
    depth: int = 0
    anchor: str = ""
    effect_text: str = field(default="", compare=False)
    covers: frozenset[str] = frozenset()
    mentions: frozenset[str] = frozenset()
    change: ChangeMark = ""
    by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a table."""

    key: str
    cells: tuple[RichText, ...]
    anchor: str = ""
    covers: frozenset[str] = frozenset()
    mentions: frozenset[str] = frozenset()
    change: ChangeMark = ""
    by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableBlock:
    """A table with a head; the first column says what its row is about."""

    key: str
    header: tuple[RichText, ...]
    rows: tuple[TableRow, ...]
    caption: str = ""
    change: ChangeMark = ""
    by: tuple[str, ...] = ()

    @property
    def covers(self) -> frozenset[str]:
        """What its rows say."""
        return frozenset().union(*(row.covers for row in self.rows))

    @property
    def mentions(self) -> frozenset[str]:
        """What its rows mention."""
        return frozenset().union(*(row.mentions for row in self.rows))


@dataclass(frozen=True, slots=True)
class CardField:
    """Something drawn on a thing: the field's name, its number in the list of parts, and what stands there."""

    number: int
    name: str
    values: tuple[tuple[str, Glyph | None, str], ...]  # a count or text, a sign, the member's name


@dataclass(frozen=True, slots=True)
class ComponentCard:
    """A thing as it is drawn: what stands in its title, in its lines, and what is not drawn but belongs to it."""

    title: tuple[CardField, ...]
    lines: tuple[tuple[CardField, ...], ...]
    footer: tuple[CardField, ...]
    title_glyph: Glyph | None


@dataclass(frozen=True, slots=True)
class PlanSlot:
    """A place on the table: a thing, a pile, a sort of pieces, the name of a column, or that there are more."""

    kind: Literal["card", "pile", "sign", "name", "more"]
    text: str = ""
    glyph: Glyph | None = None


@dataclass(frozen=True, slots=True)
class PlanRow:
    """What lies on one level of the table: a title, and rows with what stands at their heads."""

    title: str
    rows: tuple[tuple[str, tuple[PlanSlot, ...]], ...]


@dataclass(frozen=True, slots=True)
class BoardPlan:
    """The table, from top to bottom."""

    rows: tuple[PlanRow, ...]


@dataclass(frozen=True, slots=True)
class RenderedDiagram:
    """A drawing of how things follow one another: as Mermaid and as SVG."""

    mermaid: str
    svg: str


@dataclass(frozen=True, slots=True)
class FigureBlock:
    """A picture with what it shows in words. `drawing`: a thing, the table, or how things follow one another."""

    key: str
    drawing: ComponentCard | BoardPlan | RenderedDiagram = field(compare=False)
    caption: RichText
    alt: str
    covers: frozenset[str] = frozenset()
    mentions: frozenset[str] = frozenset()
    change: ChangeMark = ""
    by: tuple[str, ...] = ()


BookBlock = Heading | TextBlock | TableBlock | FigureBlock


@dataclass(frozen=True, slots=True)
class Rulebook:
    """A rulebook: its language and its blocks."""

    language: str
    title: str
    blocks: tuple[BookBlock, ...]

    def headings(self) -> Iterator[Heading]:
        """The headings, in order."""
        return (one for one in self.blocks if isinstance(one, Heading))


def plain_text(text: RichText) -> str:
    """A text without its marks."""
    return "".join(run.text for run in text)


def covered_addresses(book: Rulebook) -> frozenset[str]:
    """The addresses of all rules for which the book says a sentence."""
    return frozenset().union(*(block.covers for block in book.blocks))


__all__ = [
    "BoardPlan",
    "BookBlock",
    "CardField",
    "ChangeMark",
    "ComponentCard",
    "FigureBlock",
    "Heading",
    "PlanRow",
    "PlanSlot",
    "RenderedDiagram",
    "RichText",
    "Rulebook",
    "TableBlock",
    "TableRow",
    "TextBlock",
    "TextKind",
    "TextRun",
    "covered_addresses",
    "plain_text",
]  # fmt: skip

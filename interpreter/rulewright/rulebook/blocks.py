"""A rulebook before it is printed: headings, paragraphs, tables and pictures, each with the rules that it covers.

In: nothing. Out: the classes of blocks. All of them have a unique `key`, by which two books are compared; `covers`,
the addresses of the rules that they state; `mentions`, the addresses of those that they name; and `change` and
`variants`, what variants did to the block and which ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from rulewright.frozen import field, frozen
from rulewright.model.glyphs import Glyph
from rulewright.wording.labels import RenderedSentence

ChangeMark = Literal["", "new", "gone"]


@frozen
class TextRun:
    """Text in one style. `link`: the anchor that it leads to; `glyph`: drawn in its place."""

    text: str
    emphasis: Literal["", "strong", "em"] = ""
    link: str = ""
    glyph: Glyph | None = None
    change: ChangeMark = ""
    variants: tuple[str, ...] = ()


RichText = tuple[TextRun, ...]


@frozen
class Heading:
    """A heading. `level`: 1 of the book, 2 of a chapter, 3 and 4 of sections."""

    key: str
    level: int
    text: RichText
    anchor: str
    covers: frozenset[str] = frozenset()
    mentions: frozenset[str] = frozenset()
    change: ChangeMark = ""
    variants: tuple[str, ...] = ()


TextKind = Literal["lead", "paragraph", "label", "item", "number", "example", "note", "source"]


@frozen
class TextBlock:
    """A paragraph, an item of a list (`depth` below others), a label above a list …

    `effect_text`: what the rule does according to its expressions, where the text is the rule's own sentence.
    `about`: the addresses of which a passage of the book says that it speaks of them.
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
    variants: tuple[str, ...] = ()
    about: frozenset[str] = frozenset()


@frozen
class TableRow:
    """A row of a table."""

    key: str
    cells: tuple[RichText, ...]
    anchor: str = ""
    covers: frozenset[str] = frozenset()
    mentions: frozenset[str] = frozenset()
    change: ChangeMark = ""
    variants: tuple[str, ...] = ()


@frozen
class TableBlock:
    """A table with a header; the first column says what its row is about."""

    key: str
    header: tuple[RichText, ...]
    rows: tuple[TableRow, ...]
    caption: str = ""
    change: ChangeMark = ""
    variants: tuple[str, ...] = ()

    @property
    def covers(self) -> frozenset[str]:
        """The addresses of the rules that its rows state."""
        return frozenset().union(*(row.covers for row in self.rows))

    @property
    def mentions(self) -> frozenset[str]:
        """The addresses of the rules that its rows name."""
        return frozenset().union(*(row.mentions for row in self.rows))


@frozen
class CardValue:
    """A value in a field of a thing: a count or text, the glyph of a member, its label. Each may be missing."""

    text: str
    glyph: Glyph | None = None
    label: str = ""

    @property
    def words(self) -> str:
        """The value without its glyph."""
        return " ".join(part for part in (self.text, self.label) if part)


@frozen
class CardField:
    """A field as it is drawn on a thing. `number`: in the list of the card's parts."""

    number: int
    name: str
    values: tuple[CardValue, ...]


@frozen
class ComponentCard:
    """A thing as it is drawn. `footer`: fields that the game does not draw; `title_glyph`: colours the title."""

    title: tuple[CardField, ...]
    lines: tuple[tuple[CardField, ...], ...]
    footer: tuple[CardField, ...]
    title_glyph: Glyph | None


@frozen
class PlanSlot:
    """A place on the board: a thing, a square with a piece in it, a pile, a kind of pieces, the name of a column."""

    kind: Literal["card", "held", "pile", "glyph", "name", "more"]
    text: str = ""
    glyph: Glyph | None = None


@frozen
class PlanRow:
    """A level of the board: its title, and lines of slots, each with a label in front."""

    title: str
    lines: tuple[tuple[str, tuple[PlanSlot, ...]], ...]


@frozen
class BoardPlan:
    """The board, from top to bottom."""

    rows: tuple[PlanRow, ...]


@frozen
class RenderedDiagram:
    """A flowchart of the rules: as Mermaid text and as SVG."""

    mermaid: str
    svg: str


@frozen
class FigureBlock:
    """A picture: a thing, the board or a flowchart. `alt`: what it shows, in words."""

    key: str
    drawing: ComponentCard | BoardPlan | RenderedDiagram = field(compare=False)
    caption: RichText
    alt: str
    covers: frozenset[str] = frozenset()
    mentions: frozenset[str] = frozenset()
    change: ChangeMark = ""
    variants: tuple[str, ...] = ()


BookBlock = Heading | TextBlock | TableBlock | FigureBlock


@frozen
class Rulebook:
    """A rulebook. `language`: the locale of its texts."""

    language: str
    title: str
    blocks: tuple[BookBlock, ...]

    def headings(self) -> Iterator[Heading]:
        """The headings, in order."""
        return (block for block in self.blocks if isinstance(block, Heading))


def plain_text(text: RichText) -> str:
    """A text without its styles and glyphs."""
    return "".join(run.text for run in text)


def text_runs(sentence: RenderedSentence) -> RichText:
    """A sentence, and the note on numbers of players in italics behind it."""
    note = (TextRun(f" {sentence.note}", "em"),) if sentence.note else ()
    return (TextRun(sentence.text), *note)


def sentence_text(sentence: RenderedSentence) -> str:
    """A sentence and the note on numbers of players, without styles."""
    return f"{sentence.text} {sentence.note}" if sentence.note else sentence.text


def iter_sections(blocks: Iterable[BookBlock]) -> Iterator[tuple[Heading, BookBlock]]:
    """Every block with the heading under which it is; a heading with itself."""
    section: Heading | None = None
    for block in blocks:
        if isinstance(block, Heading):
            section = block
        if section is not None:
            yield section, block


__all__ = [
    "BoardPlan",
    "BookBlock",
    "CardField",
    "CardValue",
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
    "iter_sections",
    "plain_text",
    "sentence_text",
    "text_runs",
]  # fmt: skip

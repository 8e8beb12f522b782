"""Questions with their answers, and which rules somebody other than the publisher has decided.

In: a writer with the chapters before. Out: the chapter on questions and rulings.
"""

from __future__ import annotations

from typing import Final

from rulewright.document.text_addresses import reason_address
from rulewright.rulebook.blocks import Heading, RichText, TextBlock, TextRun, iter_sections, plain_text
from rulewright.rulebook.writer import RulebookWriter

UNOFFICIAL_STATUSES: Final = ("manual", "guide", "ruling")  # who decided a rule when the publisher did not


def add_questions(writer: RulebookWriter) -> None:
    """The answers with their sources; then the unofficial rules by status, each with a link to its section."""
    labels = writer.labels
    has_answers = any(labels.has_sentence(passage.address) for passage in labels.passages.get("questions", ()))
    rulings = _unofficial_texts(writer)
    if not has_answers and not rulings:
        return
    writer.add_chapter("questions", is_cited=True)
    for status in UNOFFICIAL_STATUSES:
        texts = [(block, heading) for block, heading in rulings if _status(writer, block.key) == status]
        if texts:
            writer.add_text("label", f"decided.{status}", labels.message(f"decided_{status}"))
        for block, heading in texts:
            address = block.key
            link: RichText = (
                TextRun(plain_text(heading.text), link=heading.anchor),
                TextRun(labels.message("colon") + " "),
            )
            text = (*link, *block.text, *writer.citation(address))
            writer.add_text("item", f"decided.{address}", text, covers={f"{address}.source"}, mentions={address})
    writer.add_works()


def _unofficial_texts(writer: RulebookWriter) -> list[tuple[TextBlock, Heading]]:
    """The sentences so far of rules that are not the publisher's, each with its section. Its key is the address."""
    return [
        (block, heading)
        for heading, block in iter_sections(writer.blocks)
        if isinstance(block, TextBlock)
        and block.key in block.covers
        and _status(writer, block.key) in UNOFFICIAL_STATUSES
        and not block.key.startswith("book.")
        and (writer.labels.has_sentence(block.key) or writer.labels.has_sentence(reason_address(block.key)))
    ]


def _status(writer: RulebookWriter, address: str) -> str:
    note = writer.labels.note(address)
    return "" if note is None else note.status


__all__ = ["add_questions"]

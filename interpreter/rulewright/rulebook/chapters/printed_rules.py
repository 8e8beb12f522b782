"""What the printed rules say, sentence by sentence, with where this book says it, or why it is no rule.

In: a game's statements. Out: a section of the appendix.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright.document.statements import ENGLISH, Publication, Statement
from rulewright.rulebook.blocks import Heading, RichText, TableBlock, TableRow, TextRun
from rulewright.rulebook.chapters.appendix import SectionWriter
from rulewright.rulebook.writer import RulebookWriter


def printed_rules_section(works: Sequence[Publication]) -> SectionWriter:
    """The section; `works`: the statements, work by work."""

    def section(w: RulebookWriter) -> None:
        t = w.labels
        spots = _spots(w)
        w.add_heading(3, "appendix.stated", t.message("stated"), "appendix.stated")
        w.add_text("paragraph", "appendix.stated.how", t.message("stated_how"))
        head = tuple((TextRun(t.message(key)),) for key in ("section", "stated_there", "stated_here"))
        for work in works:
            about = t.rules.works.get(work.id, {})
            key = f"appendix.stated.{work.id}"
            w.add_heading(4, key, str(about.get("title", work.id)), key)
            rows = []
            for at, part in enumerate(work.sections):
                for one in part.statements:
                    name = (TextRun(_in(part.names, t.code)),)
                    cells = (name, (TextRun(_in(one.text, t.code)),), _here(w, one, spots))
                    rows.append(TableRow(f"{key}.{at}.{one.number}", cells))
            w.blocks.append(TableBlock(f"{key}.table", head, tuple(rows)))

    return section


def _in(texts: Mapping[str, str], code: str) -> str:
    """What is said in a language, or else in English, or else in any."""
    return texts.get(code) or texts.get(ENGLISH) or next(iter(texts.values()), "")


def _here(w: RulebookWriter, one: Statement, spots: Mapping[str, Heading]) -> RichText:
    """The sections of this book that say it, or that it is no rule and why."""
    t = w.labels
    found: dict[str, Heading] = {}
    for address in one.addresses or one.instead:
        heading = _spot(address, spots)
        if heading is not None:
            found.setdefault(heading.anchor, heading)
    links = [
        run for heading in found.values() for run in (TextRun(", "), TextRun(_text(heading), link=heading.anchor))
    ][1:]
    if not one.reason:
        return tuple(links)
    why = TextRun(t.message("no_rule", because=_in(one.reason, t.code)))
    return (why, TextRun(" → "), *links) if links else (why,)


def _text(heading: Heading) -> str:
    return "".join(run.text for run in heading.text)


def _spots(w: RulebookWriter) -> dict[str, Heading]:
    """For each address the heading under which this book says it, or else mentions it."""
    said: dict[str, Heading] = {}
    mentioned: dict[str, Heading] = {}
    now: Heading | None = None
    for block in w.blocks:
        now = block if isinstance(block, Heading) else now
        if now is None or now.level == 1:
            continue
        rows = block.rows if isinstance(block, TableBlock) else ()
        for one in (block, *rows):
            for address in getattr(one, "covers", ()):
                said.setdefault(address, now)
            for address in getattr(one, "mentions", ()):
                mentioned.setdefault(address, now)
    return {**mentioned, **said}


def _spot(address: str, spots: Mapping[str, Heading]) -> Heading | None:
    while address and address not in spots:
        address = address.rpartition(".")[0]
    return spots.get(address)


__all__ = ["printed_rules_section"]

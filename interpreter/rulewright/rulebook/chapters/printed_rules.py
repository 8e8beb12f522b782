"""What the printed rules say, sentence by sentence, with where this book says it, or why it is no rule.

In: a game's statements. Out: a section of the appendix.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright.document.statements import ENGLISH, Statement, Work
from rulewright.rulebook.blocks import Heading, Row, Run, Table, Text
from rulewright.rulebook.chapters.appendix import Section
from rulewright.rulebook.writer import Writer


def stated(works: Sequence[Work]) -> Section:
    """The section; `works`: the statements, work by work."""

    def section(w: Writer) -> None:
        t = w.telling
        spots = _spots(w)
        w.heading(3, "appendix.stated", t.say("stated"), "appendix.stated")
        w.line("paragraph", "appendix.stated.how", t.say("stated_how"))
        head = tuple((Run(t.say(key)),) for key in ("section", "stated_there", "stated_here"))
        for work in works:
            about = t.rules.works.get(work.id, {})
            key = f"appendix.stated.{work.id}"
            w.heading(4, key, str(about.get("title", work.id)), key)
            rows = []
            for at, part in enumerate(work.sections):
                for one in part.statements:
                    name = (Run(_in(part.names, t.code)),)
                    cells = (name, (Run(_in(one.text, t.code)),), _here(w, one, spots))
                    rows.append(Row(f"{key}.{at}.{one.number}", cells))
            w.blocks.append(Table(f"{key}.table", head, tuple(rows)))

    return section


def _in(texts: Mapping[str, str], code: str) -> str:
    """What is said in a language, or else in English, or else in any."""
    return texts.get(code) or texts.get(ENGLISH) or next(iter(texts.values()), "")


def _here(w: Writer, one: Statement, spots: Mapping[str, Heading]) -> Text:
    """The sections of this book that say it, or that it is no rule and why."""
    t = w.telling
    found: dict[str, Heading] = {}
    for address in one.nodes or one.instead:
        heading = _spot(address, spots)
        if heading is not None:
            found.setdefault(heading.anchor, heading)
    links = [run for heading in found.values() for run in (Run(", "), Run(_text(heading), to=heading.anchor))][1:]
    if not one.because:
        return tuple(links)
    why = Run(t.say("no_rule", because=_in(one.because, t.code)))
    return (why, Run(" → "), *links) if links else (why,)


def _text(heading: Heading) -> str:
    return "".join(run.text for run in heading.text)


def _spots(w: Writer) -> dict[str, Heading]:
    """For each address the heading under which this book says it, or else mentions it."""
    said: dict[str, Heading] = {}
    mentioned: dict[str, Heading] = {}
    now: Heading | None = None
    for block in w.blocks:
        now = block if isinstance(block, Heading) else now
        if now is None or now.level == 1:
            continue
        rows = block.rows if isinstance(block, Table) else ()
        for one in (block, *rows):
            for address in getattr(one, "says", ()):
                said.setdefault(address, now)
            for address in getattr(one, "mentions", ()):
                mentioned.setdefault(address, now)
    return {**mentioned, **said}


def _spot(address: str, spots: Mapping[str, Heading]) -> Heading | None:
    while address and address not in spots:
        address = address.rpartition(".")[0]
    return spots.get(address)


__all__ = ["stated"]

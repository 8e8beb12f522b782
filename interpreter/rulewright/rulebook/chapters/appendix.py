"""What one looks up rather than reads: every thing with all its fields, and where every section's rules are printed.

In: a writer. Out: the appendix. Others may add sections of their own to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.model.rules import ComponentDef
from rulewright.rulebook.blocks import Heading, Row, Run, Table, Text, plain
from rulewright.rulebook.chapters.equipment import cell
from rulewright.rulebook.writer import Writer

Section = Callable[[Writer], None]  # writes a heading of level 3 and what stands below it


def appendix(w: Writer, more: Sequence[Section] = ()) -> None:
    """The last chapter before the index."""
    t = w.telling
    blocks = list(w.blocks)
    w.chapter("appendix")
    for name, component in t.rules.components.items():
        if component.ids and component.fields:
            _things(w, name, component)
    _printed(w, blocks)
    for section in more:
        section(w)


def _things(w: Writer, name: str, component: ComponentDef) -> None:
    t, key = w.telling, f"appendix.{name}"
    fields = list(component.fields)
    names = [t.called(f"components.{name}.fields.{field}") for field in fields]
    w.heading(3, key, t.say("all_things", name=t.called(f"components.{name}")), key, mentions={f"components.{name}"})
    rows: list[Row] = []
    for at, thing in enumerate(component.ids):
        address = f"components.{name}.rows.{thing}"
        cells: list[str | Text] = [t.speaker.thing(name, at)]
        cells += [cell(t, component, field, at) for field in fields]
        row = w.row(f"{key}.{thing}", cells, says={address})
        rows.append(Row(row.key, row.cells, says=row.says))
    head = tuple((Run(one[:1].upper() + one[1:]),) for one in [t.say("name"), *names])
    w.blocks.append(Table(f"{key}.things", head, tuple(rows)))


def _printed(w: Writer, blocks: Sequence[object]) -> None:
    """For each section the sources and the status of the rules that it says."""
    t = w.telling
    found: dict[str, tuple[Heading, dict[tuple[str, str], None], dict[str, None]]] = {}
    now: Heading | None = None
    for block in blocks:
        if isinstance(block, Heading):
            now = block
        if now is None or now.level == 1 or now.anchor in ("questions", "tips", "numbers"):
            continue
        for address in sorted(getattr(block, "says", ())):
            note = t.standing(address)
            if note is not None and note.source and not address.startswith("book."):
                _, sources, statuses = found.setdefault(now.anchor, (now, {}, {}))
                sources.update(dict.fromkeys(note.source))
                if note.status:
                    statuses[t.say(f"status_{note.status}")] = None
    if not found:
        return
    w.heading(3, "appendix.printed", t.say("printed"), "appendix.printed")
    works = list(t.rules.works)
    rows = []
    for anchor, (heading, sources, statuses) in found.items():
        ordered = sorted(sources, key=lambda one: works.index(one[0]) if one[0] in works else len(works))
        said = w.sources(ordered)
        cells: tuple[Text, ...] = ((Run(plain(heading.text), to=anchor),), (Run(said),), (Run("; ".join(statuses)),))
        rows.append(Row(f"appendix.printed.{anchor}", cells))
    head = tuple((Run(t.say(key)),) for key in ("section", "source", "who_says"))
    w.blocks.append(Table("appendix.printed.rules", head, tuple(rows)))
    w.works("appendix")


__all__ = ["Section", "appendix"]

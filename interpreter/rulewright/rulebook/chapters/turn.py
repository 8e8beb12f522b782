"""A turn: its picture, its steps, every decision with the actions that it offers, and the procedures that others run.

In: a writer. Out: the chapter on the turn.
"""

from __future__ import annotations

from rulewright.diagram.flowchart import turn_diagram
from rulewright.diagram.mermaid import to_mermaid
from rulewright.diagram.svg import to_svg
from rulewright.rulebook.blocks import FigureBlock, RenderedDiagram, TextRun
from rulewright.rulebook.decisions import add_decision, add_listed_step, iter_decisions
from rulewright.rulebook.writer import RulebookWriter


def add_turn(writer: RulebookWriter) -> None:
    """The turn, then the decisions of turn, set-up and finale, then the procedures."""
    rules = writer.labels.rules
    if rules.blocks[rules.turn].steps:
        writer.add_chapter("turn")
        _add_diagram(writer)
    for step in rules.blocks[rules.turn].steps:
        add_listed_step(writer, step, "number")
    for block in (rules.turn, rules.setup, rules.finale):
        for step in iter_decisions(writer, block):
            add_decision(writer, step)
    _add_procedures(writer)


def _add_diagram(writer: RulebookWriter) -> None:
    labels = writer.labels
    alt = labels.message("turn_picture")
    diagram = turn_diagram(labels.rules, labels.locale, writer.before, labels.phrases_for)
    drawing = RenderedDiagram(to_mermaid(diagram), to_svg(diagram))
    writer.blocks.append(FigureBlock("turn.figure", drawing, (TextRun(alt),), alt))


def _add_procedures(writer: RulebookWriter) -> None:
    """The procedures, each once."""
    labels = writer.labels
    shown = set[str]()
    for index, block in enumerate(labels.rules.blocks):
        address = block.address
        if not address.startswith("procedures.") or address.count(".") != 1 or address in shown:
            continue
        shown.add(address)
        writer.add_heading(3, f"{address}.heading", labels.label(address), address, mentions={address})
        writer.add_passages(address)
        writer.add_steps(index, "number")
        for step in iter_decisions(writer, index):
            add_decision(writer, step)


__all__ = ["add_turn"]

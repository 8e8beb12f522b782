"""A turn: its picture, its steps, every decision with the actions that it offers, and the procedures that others run.

In: a writer. Out: the chapter on the turn.
"""

from __future__ import annotations

from rulewright.diagram.flowchart import turn_diagram
from rulewright.diagram.mermaid import to_mermaid
from rulewright.diagram.svg import to_svg
from rulewright.rulebook.blocks import FigureBlock, RenderedDiagram, TextRun
from rulewright.rulebook.decisions import add_decisions, add_listed_step, add_procedures, blocks_used_only_by
from rulewright.rulebook.writer import RulebookWriter


def add_turn(writer: RulebookWriter) -> None:
    """The turn, then its decisions, then the procedures that the chapters before have not described."""
    rules = writer.labels.rules
    if rules.blocks[rules.turn].steps:
        writer.add_chapter("turn")
        _add_diagram(writer)
    for step in rules.blocks[rules.turn].steps:
        add_listed_step(writer, step, "number")
    writer.close_chapter()
    add_decisions(writer, rules.turn)
    add_procedures(writer, set(range(len(rules.blocks))) - blocks_used_only_by(rules, rules.finale))


def _add_diagram(writer: RulebookWriter) -> None:
    labels = writer.labels
    alt = labels.message("turn_picture")
    diagram = turn_diagram(labels.rules, labels.locale, writer.before, labels.phrases_for)
    drawing = RenderedDiagram(to_mermaid(diagram), to_svg(diagram))
    writer.blocks.append(FigureBlock("turn.figure", drawing, (TextRun(alt),), alt))


__all__ = ["add_turn"]

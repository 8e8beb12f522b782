"""How the game goes: what happens in a round, and the decisions that are taken there.

In: a writer. Out: the chapter on the round.
"""

from __future__ import annotations

from rulewright.rulebook.decisions import add_decisions, add_listed_step, add_procedures, reached_blocks
from rulewright.rulebook.writer import RulebookWriter


def add_round(writer: RulebookWriter) -> None:
    """The steps of a round, then a section for each of its decisions, and the procedures that no turn runs."""
    rules = writer.labels.rules
    writer.add_chapter("round")
    for step in rules.blocks[rules.round].steps:
        add_listed_step(writer, step, "item")
    writer.close_chapter()
    add_decisions(writer, rules.round)
    add_procedures(writer, reached_blocks(rules, {rules.round}) - reached_blocks(rules, {rules.turn}))


__all__ = ["add_round"]

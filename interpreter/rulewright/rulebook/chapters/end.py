"""How the game ends and who is ahead, and what is decided at the end.

In: a writer. Out: the chapter on the end of the game.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.frozen import replace
from rulewright.model.effects import Finish, Step
from rulewright.model.rules import Criterion, Rules
from rulewright.rulebook.blocks import TextBlock
from rulewright.rulebook.decisions import add_decisions, add_procedures, blocks_used_only_by
from rulewright.rulebook.writer import RulebookWriter


def add_end(writer: RulebookWriter) -> None:
    """What ends the game, what is done then, and the ranking."""
    labels, rules = writer.labels, writer.labels.rules
    writer.add_chapter("end")
    start = len(writer.blocks)
    for step in _finish_steps(rules):
        writer.add_step(step, "item")
        _join_with_equal(writer, start)
    if rules.has_elimination:
        writer.add_text("item", "end.left", labels.message("left_means"))
    if rules.blocks[rules.finale].steps:
        writer.add_text("label", "finale", labels.message("finale"))
        writer.add_steps(rules.finale, "number")
    writer.close_chapter()
    can_be_behind = rules.has_elimination and rules.players > 1
    if rules.ranking or can_be_behind:
        writer.add_heading(3, "ranking", labels.message("ranking"), "ranking")
        for criterion in rules.ranking:
            _add_criterion(writer, criterion, is_first=criterion is rules.ranking[0])
        if can_be_behind:
            key = "left_ranked" if rules.ranking else "left_ranked_only"
            text = labels.message(key)
            if any(step.effect.winners is not None for step in _finish_steps(rules) if isinstance(step.effect, Finish)):
                text += " " + labels.message("left_winners")
            writer.add_text("paragraph", "ranking.left", text)
        writer.add_passages("ranking")
    add_decisions(writer, rules.finale)
    add_procedures(writer, blocks_used_only_by(rules, rules.finale))


def _join_with_equal(writer: RulebookWriter, start: int) -> None:
    """Takes back the last block where one of the same words stands before it, which then states that rule too.

    `start`: the index of the first block that is looked at.
    """
    last = writer.blocks[-1]
    for index, block in enumerate(writer.blocks[start:-1], start):
        if isinstance(last, TextBlock) and isinstance(block, TextBlock) and block.text == last.text:
            covers, mentions = block.covers | last.covers, block.mentions | last.mentions
            writer.blocks[index] = replace(block, covers=covers, mentions=mentions)
            writer.blocks.pop()
            return


def _finish_steps(rules: Rules) -> Iterator[Step]:
    """All steps that end the game, each once."""
    seen = set[str]()
    for block in rules.blocks:
        for step in block.steps:
            if isinstance(step.effect, Finish) and step.address not in seen:
                seen.add(step.address)
                yield step


def _add_criterion(writer: RulebookWriter, criterion: Criterion, *, is_first: bool) -> None:
    """A line of the ranking: its own sentence, else what decides; behind the first, what decides between equals."""
    labels, address = writer.labels, criterion.address
    key = "most" if criterion.is_maximized else "fewest"
    covers = {f"{address}.{key}"}
    phrase = labels.message(key if is_first else f"then_{key}", of=labels.phrases.expr(criterion.of))
    if not writer.add_sentence("number", address, exprs=[criterion.of], covers=covers, effect_text=phrase):
        writer.add_text("number", address, phrase, covers={address, *covers}, exprs=[criterion.of])
    writer.add_passages(address, depth=1)


__all__ = ["add_end"]

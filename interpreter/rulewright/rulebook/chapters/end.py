"""How the game ends and who is ahead.

In: a writer. Out: the chapter on the end of the game.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.model.rules import Criterion, Finish, Rules, Step
from rulewright.rulebook.writer import RulebookWriter


def add_end(writer: RulebookWriter) -> None:
    """What ends the game, what is done then, and the ranking."""
    labels, rules = writer.labels, writer.labels.rules
    writer.add_chapter("end")
    for step in _finish_steps(rules):
        writer.add_step(step, "item")
    if rules.blocks[rules.finale].steps:
        writer.add_text("label", "finale", labels.message("finale"))
        writer.add_steps(rules.finale, "number")
    writer.close_chapter()
    if rules.ranking:
        writer.add_heading(3, "ranking", labels.message("ranking"), "ranking")
        for criterion in rules.ranking:
            _add_criterion(writer, criterion)
        writer.add_passages("ranking")


def _finish_steps(rules: Rules) -> Iterator[Step]:
    """All steps that end the game, each once."""
    seen = set[str]()
    for block in rules.blocks:
        for step in block.steps:
            if isinstance(step.effect, Finish) and step.address not in seen:
                seen.add(step.address)
                yield step


def _add_criterion(writer: RulebookWriter, criterion: Criterion) -> None:
    labels, address = writer.labels, criterion.address
    key = "most" if criterion.is_maximized else "fewest"
    covers = {f"{address}.{key}"}
    phrase = labels.message(key, of=labels.phrases.expr(criterion.of))
    if not writer.add_sentence("number", address, exprs=[criterion.of], covers=covers, effect_text=phrase):
        writer.add_text("number", address, phrase, covers={address, *covers}, exprs=[criterion.of])
    writer.add_passages(address, depth=1)


__all__ = ["add_end"]

"""What the game is called, how many can play, which variants are in use, and what the game is about.

In: a writer. Out: the title of the book, and the chapter on the idea of the game.
"""

from __future__ import annotations

from rulewright.rulebook.blocks import Heading, RichText, TextRun, text_runs
from rulewright.rulebook.writer import RulebookWriter


def add_title(writer: RulebookWriter) -> None:
    """The title, the numbers of players and the variants."""
    labels, rules = writer.labels, writer.labels.rules
    name = writer.plain_sentence("game") if labels.has_sentence("game") else rules.game
    writer.blocks.append(Heading("game", 1, (TextRun(name),), "game", frozenset({"game"})))
    counts = labels.counts
    key = "for_players" if len(counts) > 1 else "for_count" if counts[0] > 1 else "for_one"
    writer.add_text("lead", "head", labels.message(key, fewest=counts[0], most=counts[-1]), covers={"players"})
    for variant in (*rules.variants, *rules.implied_variants):
        address = f"variants.{variant}"
        sentence = labels.find_sentence(address)
        key = "variant" if variant in rules.variants else "joined"
        name, _, value = variant.partition("=")
        if value and name in rules.parameters:  # not a variant but another value of a parameter
            key, variant = "setting", f"{labels.label(f'parameters.{name}')}{labels.message('colon')} {value}"
        text: RichText = (TextRun(labels.message(key) + " "), TextRun(variant, "strong"))
        if sentence is not None:
            text = (*text, TextRun(labels.message("colon") + " "), *text_runs(sentence))
        writer.add_text("note", address, text, covers={address})


def add_idea(writer: RulebookWriter) -> None:
    """What the game is about, where its book says so."""
    passages = writer.labels.passages.get("idea", ())
    if any(writer.labels.has_sentence(passage.address) for passage in passages):
        writer.add_chapter("idea")


__all__ = ["add_idea", "add_title"]

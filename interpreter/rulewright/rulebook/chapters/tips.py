"""What is wise: the advice of the game's strategies, and the terms that it uses.

In: a writer. Out: the chapter with tips.
"""

from __future__ import annotations

from rulewright.rulebook.writer import RulebookWriter


def add_tips(writer: RulebookWriter) -> None:
    """The strategies with a sentence for each of their terms; then the values that only they read."""
    labels, rules = writer.labels, writer.labels.rules
    strategies = [
        strategy
        for strategy in rules.strategies
        if any(labels.has_sentence(f"strategies.{strategy.name}.terms.{term.name}") for term in strategy.terms)
    ]
    if not strategies and not labels.passages.get("tips"):
        return
    writer.add_chapter("tips")
    for strategy in strategies:
        address = f"strategies.{strategy.name}"
        if not writer.add_sentence("label", address):
            writer.add_text("label", address, labels.label(address), covers={address})
        for term in strategy.terms:
            exprs = [term.of, *([term.when] if term.when is not None else [])]
            writer.add_sentence("item", f"{address}.terms.{term.name}", exprs=exprs)
    values = [
        address
        for address in (f"values.{name}" for name in rules.values)
        if address in writer.bot_only_values and labels.has_sentence(address)
    ]
    if values:
        writer.add_text("label", "tips.words", labels.message("words_of_tips"))
    for address in values:
        writer.add_sentence("item", address)


__all__ = ["add_tips"]

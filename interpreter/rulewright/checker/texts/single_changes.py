"""What a variant says of itself, where that can only be about one rule: where it changes no other.

In: the state of a build, and where a rule stands. Out: the text of the variant there, by language.
"""

from __future__ import annotations

from rulewright.checker.texts.numbers_in_sentences import sentence_texts
from rulewright.diagnostics import Span
from rulewright.model.build_state import BuildState
from rulewright.source.nodes import ScalarNode


def text_of_single_change(state: BuildState, rule: Span) -> dict[str, ScalarNode]:
    """The text of a variant whose only change is that rule; empty for all others, and where a game has the rule."""
    for variant in state.applied:
        is_there = variant.root.span.source.path == rule.source.path
        if is_there and variant.text is not None and sum(not one.is_of_words for one in variant.changes) == 1:
            return dict(sentence_texts(variant.text))
    return {}


__all__ = ["text_of_single_change"]

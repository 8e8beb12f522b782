"""Sentences are only so long and have only so many holes, each of which is an expression: what is over a limit is not
read at all.

In: a sentence. Out: whether it is within the limits; a diagnostic where it is not, for all of the rules together once.
"""

from __future__ import annotations

from rulewright import limits
from rulewright.model import codes
from rulewright.model.expr_reader import ExprReader
from rulewright.source.nodes import ScalarNode


def check_sentence_size(reader: ExprReader, scalar: ScalarNode, address: str) -> bool:
    """Counts the characters and holes of a sentence, and says whether it may be read."""
    length = len(scalar.text)
    if length > limits.MAX_SENTENCE_CHARACTERS:
        message = f"a sentence of {length:,} characters, over the limit of {limits.MAX_SENTENCE_CHARACTERS:,}"
        _emit(reader, scalar, message, "say it in several sentences", address)
        return False
    count = scalar.text.count("{")
    known = len(reader.usage.holes)
    if count > limits.MAX_SENTENCE_HOLES:
        message = f"a sentence with {count:,} holes, over the limit of {limits.MAX_SENTENCE_HOLES:,}"
        _emit(reader, scalar, message, "say it in several sentences", address)
        return False
    if known > limits.MAX_HOLES:
        return False  # it has been reported
    reader.usage.holes.extend([address] * count)
    if len(reader.usage.holes) > limits.MAX_HOLES:
        message = f"more holes in all sentences than {limits.MAX_HOLES:,}"
        _emit(reader, scalar, message, "checking a game of this size would take too long", address)
        return False
    return True


def _emit(reader: ExprReader, scalar: ScalarNode, message: str, hint: str, address: str) -> None:
    start = max(0, scalar.text.find("{"))
    span = scalar.subspan(start, start + 1)
    reader.diagnostics.add(span, codes.TOO_MANY, message, label="over the limit", help=hint, address=address)


__all__ = ["check_sentence_size"]

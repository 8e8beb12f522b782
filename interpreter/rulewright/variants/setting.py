"""A setting of the command line, such as `goal=21`, is a variant that sets one parameter.

In: its text. Out: a `Variant`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from rulewright import limits
from rulewright.diagnostics import SourceFile, Span
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode
from rulewright.source.plain_scalars import scalar_kind, scalar_value
from rulewright.variants.change import Change
from rulewright.variants.variant import Variant
from rulewright.variants.variant_names import SETTING_SIGN

PARAMETERS_PREFIX: Final = "parameters."


def parse_setting(text: str, game: str, below: Iterable[str]) -> Variant:
    """The variant of a setting, `goal=21`, which sets a parameter; it is applied over all variants in `below`.

    A list, for a parameter with several values, is written with commas: `share=0,1`.
    """
    source = SourceFile(f"--set {text}", text, is_option=True)
    span = Span(source, 0, len(text))
    left = text.partition(SETTING_SIGN)[0]
    name, name_start = left.strip(), len(left) - len(left.lstrip())
    key = ScalarNode(name, name, Span(source, name_start, name_start + len(name)))
    value_start = text.index(SETTING_SIGN) + 1
    values = tuple(
        _plain_scalar(value, Span(source, start, start + len(value)))
        for value, start in _split_values(text, value_start)
    )
    payload: Node = values[0] if len(values) == 1 else SequenceNode(values, Span(source, value_start, len(text)))
    offsets = (name_start,) * len(PARAMETERS_PREFIX) + tuple(range(name_start, name_start + len(name) + 1))
    address = ScalarNode(f"{PARAMETERS_PREFIX}{name}", f"{PARAMETERS_PREFIX}{name}", key.span, offsets)
    change = Change("set", text, address, ("parameters", name), payload, is_setting=True)
    head = ScalarNode("variant", "variant", span)
    root = MappingNode((Entry(head, ScalarNode(text, text, span)),), span)
    path = Path(text[: limits.MAX_SETTING_LENGTH])
    return Variant(text, game, None, "", (), (), tuple(below), (change,), root, path)


def _split_values(text: str, start: int) -> Iterator[tuple[str, int]]:
    """The parts between commas outside of brackets, without the spaces around them, and their offsets."""
    depth, value_start = 0, start
    if len(text) - start > limits.MAX_SETTING_LENGTH:  # reported as an expression that is too long
        yield text[start:], start
        return
    for index, character in enumerate(f"{text[start:]},", start):
        depth += (character == "(") - (character == ")")
        if character == "," and (depth <= 0 or index == len(text)):
            value = text[value_start:index]
            yield value.strip(), value_start + len(value) - len(value.lstrip())
            value_start = index + 1


def _plain_scalar(word: str, span: Span) -> ScalarNode:
    kind = scalar_kind(word) if len(word) <= limits.MAX_EXPRESSION_LENGTH else ""
    return ScalarNode(scalar_value(kind, word) if kind in ("flag", "number") else word, word, span)


__all__ = ["parse_setting"]

"""Is there a parameter that only sentences print, and no rule reads?

In: the state of a build. Out: warnings, at the number that stands in its place in the rule whose sentence prints it, if
there is one. Where a variant has left it so, it is told if the variant sets the parameter, has a sentence that prints
it, or lists one as still true: of other sentences its author is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rulewright.checker.common.lint_codes import UNUSED
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.numbers_in_sentences import (
    NAME,
    PARAMETERS,
    iter_sentences,
    listed_as_true,
    words_of_rule,
)
from rulewright.diagnostics import Span
from rulewright.document.sentence_places import HOLE, PASSAGES, sentence_address
from rulewright.json_values import is_integer
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.source.nodes import MappingNode, ScalarNode, as_items, as_mapping

NOT_OF_ONE_RULE: Final = (PASSAGES, PARAMETERS)
DENIES: Final = lazy_pattern(
    r"(?i)\b(?:no|not|never|nor|instead|without|otherwise|else|ne|n'|jamais|sans|au lieu|sinon)\b|n't\b"
)


@build_pass(needs=["parameters"], skip=after_errors)
def check_printed_parameters(state: BuildState) -> None:
    """Reports them."""
    root, usage, parameters = state.document.root, state.usage, state.parameters
    texts = [read.node.text for read in usage.expressions]
    for entry in as_mapping(root.get("parameters")):
        name = entry.key.text
        if name in usage.used_names and not any(name in text for text in texts) and not _is_read(state, name):
            if state.variants and not _is_meant_to_count(state, name):
                continue
            span = _number_instead(root, name, parameters[name].value)
            address, message = f"parameters.{name}", f"only sentences say the parameter `{name}`, and no rule reads it"
            if span is None:
                warn(state, entry.key.span, UNUSED, message, "never read", "read it in a rule, or remove it", address)
            else:
                warn(state, span, UNUSED, message, f"not `{name}`", f"did you mean `{name}`?", address)


def _is_meant_to_count(state: BuildState, name: str) -> bool:
    """Whether a variant sets a parameter, or says something with it, or that something that prints it is still true."""
    variants = [variant for variant in state.applied if variant.name in state.variants]
    if any(change.parts[:2] == (PARAMETERS, name) for variant in variants for change in variant.changes):
        return True
    listed = {address for variant in variants for address in listed_as_true(variant)}
    return any(
        sentence_address(sentence.parts) in listed or _is_printed_by_variant(sentence.texts, name, state)
        for sentence in iter_sentences(state.document.root, ())
        if sentence.parts[0] != PARAMETERS and _prints(sentence.texts, name)
    )


def _is_printed_by_variant(texts: tuple[tuple[str, ScalarNode], ...], name: str, state: BuildState) -> bool:
    """Whether a variant has written a sentence that prints a parameter, and denies nothing."""
    written = [text for _, text in texts if text.span.source.path in state.variant_files]
    return any(name in NAME.findall(hole) for text in written for hole in HOLE.findall(text.text)) and not any(
        DENIES.search(text.text) for text in written
    )


def _is_read(state: BuildState, name: str) -> bool:
    """Whether a rule has the name, or what is shown on the board."""
    others = (entry for entry in state.document.root if entry.key.text != PASSAGES)
    return any(
        name in words_of_rule(value)
        for entry in others
        for other in (entry.value if isinstance(entry.value, MappingNode) else ())
        for value in ((other.value,) if other.key.text != name else ())
    ) or name in words_of_rule(state.document.display or MappingNode((), state.document.root.span))


def _number_instead(root: MappingNode, name: str, value: object) -> Span | None:
    """Where the only rule whose sentence prints a parameter has its number instead."""
    if not is_integer(value):
        return None
    sentences = (one for one in iter_sentences(root, ()) if one.parts[0] not in NOT_OF_ONE_RULE)
    rules = {id(one.node): one.node for one in sentences if _prints(one.texts, name)}
    found = [span for node in rules.values() for span in _numbers(node, str(value))]
    return found[0] if len(found) == 1 else None


def _prints(texts: tuple[tuple[str, ScalarNode], ...], name: str) -> bool:
    return any(name in NAME.findall(hole) for _, text in texts for hole in HOLE.findall(text.text))


def _numbers(node: MappingNode, number: str) -> Iterator[Span]:
    """Where the values of a rule have a number."""
    for entry in node:
        for item in as_items(entry.value) if entry.key.text not in ("text", "why") else ():
            if isinstance(item, ScalarNode):
                yield from (item.subspan(*match.span()) for match in re.finditer(rf"\b{number}\b", item.text))


__all__ = ["check_printed_parameters"]

"""Does a variant set a parameter to what it is already, at some of the numbers of players that the variant is for?

In: rules at one number of players, and the composition they were built from. Out: warnings at the value. What is so at
every number is an error where the variant is applied; a variant that says itself that it is for any number means it,
and so does one that works the value out.
"""

from __future__ import annotations

from collections import Counter
from typing import Final, TypeGuard

from rulewright.checker.texts.numbers_in_sentences import sentence_texts
from rulewright.diagnostics import Diagnostics, Related
from rulewright.document.address import find_entry
from rulewright.expr.types import SEAT
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.loader import Composition, base_rules
from rulewright.model.rules import ParameterDef, Rules
from rulewright.source.nodes import MappingNode, Node, ScalarNode, SequenceNode, as_items, text_or_default
from rulewright.suggestions import is_number
from rulewright.variants.change import Change
from rulewright.variants.codes import CHANGES_NOTHING_HERE
from rulewright.variants.variant import Variant

PARAMETERS: Final = "parameters"
WHOLE: Final = ((), ("value",))  # of the address of a parameter, what is behind its name
ANY_NUMBER: Final = lazy_pattern(
    r"\b(?:who|how|what|which)ever\b|\bhowever many\b|\bany number\b|\balways\b|\bregardless\b"
    r"|\bquels? que soi(?:t|ent)\b|\bpeu importe\b|\btoujours\b|\bqui que\b"
)


def check_values_set_anyway(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    changes = [
        change
        for variant in composition.chosen_variants
        if not _is_for_any_number(variant)
        for change in variant.changes
        if change.parts[0] == PARAMETERS and change.parts[1:] and not (change.is_setting or change.is_of_words)
    ]
    written = Counter(change.parts[1] for change in changes)
    for change in changes:
        name = change.parts[1]
        if change.operation != "set" or written[name] > 1 or change.expects or change.parts[2:] not in WHOLE:
            continue
        parameter, before = rules.parameters.get(name), _value_before(composition, name)
        if parameter is None or before is None or change.payload is None:
            continue
        is_so = _is_list_before if parameter.values_by_key else _is_number_before
        if not is_so(parameter, change.payload, before, composition):
            continue
        value = parameter.value if not parameter.values_by_key else [*parameter.values_by_key.values()]
        diagnostics.add(
            change.payload.span,
            CHANGES_NOTHING_HERE,
            f"`{change.address}` is already {value}",
            label="changes nothing with so many",
            help="add `players: …` for the numbers at which it changes something; if it is meant for any number of "
            "players, say so in its `text`",
            address=change.address,
            related=[Related(before.span, "set here")],
        )


def _is_for_any_number(variant: Variant) -> bool:
    texts = sentence_texts(variant.text) if variant.text is not None else ()
    return any(ANY_NUMBER.search(text.text.lower()) for _, text in texts)


def _value_before(composition: Composition, name: str) -> Node | None:
    """What the game itself sets at this number of players."""
    adjusting = composition.adjustment.changes if composition.adjustment is not None else ()
    adjusted = [change for change in adjusting if change.parts[:2] == (PARAMETERS, name)]
    if adjusted:
        return _adjusted_value(adjusted)
    entry = find_entry(composition.base_document.root, f"{PARAMETERS}.{name}")
    if entry is None:
        return None
    return entry.value.get("value") if isinstance(entry.value, MappingNode) else entry.value


def _adjusted_value(changes: list[Change]) -> Node | None:
    only = changes[0]
    return (
        only.payload if len(changes) == 1 and only.operation == "set" and only.parts[2:] in ((), ("value",)) else None
    )


def _is_number_before(parameter: ParameterDef, payload: Node, before: Node, composition: Composition) -> bool:
    """Whether a number that is written is what there was."""
    if not _is_plain_number(payload):
        return False
    if _is_plain_number(before):
        return int(before.text) == parameter.value
    is_before = _before(composition, parameter.name)
    return is_before is not None and is_before.value == parameter.value


def _is_list_before(parameter: ParameterDef, payload: Node, before: Node, composition: Composition) -> bool:
    """Whether a list, one number for each member, is what there was, where it is written otherwise. Of a list for more
    players than play the last numbers do not count.
    """
    if SEAT in parameter.key_types or not isinstance(payload, SequenceNode) or not isinstance(before, SequenceNode):
        return False
    items = [*zip(as_items(payload), as_items(before), strict=False)]
    if not all(_is_plain_number(item) or text_or_default(item) == text_or_default(old) for item, old in items):
        return False
    is_before = _before(composition, parameter.name)
    return is_before is not None and is_before.values_by_key == parameter.values_by_key


def _before(composition: Composition, name: str) -> ParameterDef | None:
    """A parameter as it is without the variants."""
    rules = base_rules(composition)
    return None if rules is None else rules.parameters.get(name)


def _is_plain_number(node: Node | None) -> TypeGuard[ScalarNode]:
    """Whether it is a number, not an expression."""
    return isinstance(node, ScalarNode) and is_number(node.text)


__all__ = ["check_values_set_anyway"]

"""Sentences of the version of the language before, under the addresses of today.

In: the texts files of version 1. Out: other addresses. There a choice or clause had its reason at its address and what
it demands at `ADDRESS.text`; today every address stands for the `text`, and a reason is at `ADDRESS.why`.
"""

from __future__ import annotations

from rulewright.document.address import split_address
from rulewright.document.language import AddressParts
from rulewright.document.sentence_places import ENGLISH_CODE, has_reason
from rulewright.document.text_addresses import reason_address
from rulewright.source.nodes import MappingNode, ScalarNode, as_mapping, text_or_default

FORMER_TEXT: str = ".text"


def had_reason(parts: AddressParts) -> bool:
    """Whether the rule at an address said in version 1 why something is not allowed: no value did."""
    return parts[0] != "values" and has_reason(parts)


def current_sentence_address(address: str, *, is_former: bool) -> str:
    """The address of today of a sentence. `is_former`: the file has addresses of the version before."""
    text_of = address.removesuffix(FORMER_TEXT)
    if text_of != address and had_reason(split_address(text_of)):
        return text_of
    return reason_address(address) if is_former and had_reason(split_address(address)) else address


def renamed_sentences(file: MappingNode) -> list[tuple[ScalarNode, str]]:
    """The keys of a texts file that are called otherwise today, and how. None when it is of today already.

    In version 1 the English sentences stood in the rules, so that an English file with some is of today.
    """
    if text_or_default(file.get("texts")) == ENGLISH_CODE:
        return []
    keys = [entry.key for entry in as_mapping(file.get("sentences"))]
    has_reasons = any(key.text.endswith(".why") and had_reason(split_address(key.text[:-4])) for key in keys)
    renamed = [(key, current_sentence_address(key.text, is_former=not has_reasons)) for key in keys]
    return [(key, address) for key, address in renamed if address != key.text]


__all__ = ["current_sentence_address", "renamed_sentences"]

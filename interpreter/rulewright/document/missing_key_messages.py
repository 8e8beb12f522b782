"""Keys that a file lacks: each in a sentence, at the likeliest place; one that is misspelled is no unknown key besides.

In: a `SchemaViolation` and the mapping it is about. Out: a diagnostic.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from rulewright.diagnostics import Cause, Diagnostics, Span
from rulewright.document import codes
from rulewright.document.key_messages import other_section
from rulewright.document.located_nodes import LocatedNode
from rulewright.document.schema_words import as_hint, quoted
from rulewright.document.schemas import SchemaViolation
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.nodes import MappingNode, ScalarNode
from rulewright.suggestions import did_you_mean, join_list

ASSIGNMENT: Final = lazy_pattern(
    r"([a-z_][a-z0-9_]*(?:\([^=]*\))?)(?:\s*([:+*-]?=)|\s+(is)\b)\s*([^=].*)"
)  # as other languages write it
# what people write behind a verb, with words for keys
IN_ONE_VALUE: Final = {
    "move": r"(?P<what>.*?[a-z)]) +(?:from +(?P<from>\S+) +)?to +(?P<to>[a-z]\S*)",
    "set": r"(?P<what>[a-z_]+(?:\([^()]*\))?)(?P<from>) +to +(?P<to>.+)",
    "reveal": r"(?P<what>[a-z_]+(?:\([^()]*\))?)(?P<from>) +to +(?P<to>[a-z]+)",
}


def report_required(violation: SchemaViolation, location: LocatedNode, diagnostics: Diagnostics) -> None:
    """Keys that are missing."""
    _report_missing(violation, location, diagnostics, violation.schema["required"])


def report_dependent_required(violation: SchemaViolation, location: LocatedNode, diagnostics: Diagnostics) -> None:
    """Keys that are missing beside another."""
    assert isinstance(location.node, MappingNode)
    for key, names in violation.schema["dependentRequired"].items():
        if key in location.node:
            _report_missing(violation, location, diagnostics, names)


def _report_missing(
    violation: SchemaViolation, location: LocatedNode, diagnostics: Diagnostics, names: Iterable[str]
) -> None:
    assert isinstance(location.node, MappingNode)
    known = violation.schema.get("properties", {})
    unknown = [entry.key.text for entry in location.node if entry.key.text not in known]
    if unknown and other_section(location, known):
        return  # reported with its keys
    if violation.schema.get("additionalProperties") is not False:  # any key may stand there, so none is unknown
        _report_misspelled(violation, location, names, diagnostics)
    # a misspelled key is one mistake, not an unknown key and a missing one; so is a wrong word for a key
    missing = [name for name in names if name not in location.node and not _is_misspelled(name, unknown)]
    if violation.schema.get("additionalProperties") is False:
        others = [name for name in known if name not in missing and name not in location.node]
        missing = missing[sum(not did_you_mean(key, others) for key in unknown) :]
    assignment = _assigned(location.node) or _keys_in_value(location.node) if missing == ["to"] else None
    if assignment is not None:
        span, hint = assignment
        label = "`to` says the new value" if "set" in location.node else "a key of its own"
        message = f"missing `to` in {violation.title}"
        cause = Cause("no key", "to")
        diagnostics.add(span, codes.MISSING_KEY, message, label=label, help=hint, address=location.address, cause=cause)
        return
    if missing:
        message = f"missing {join_list(quoted(missing), 'and')} in {violation.title}"
        entries = location.node.entries
        if missing[0] == "for":
            hint = "add `for: GAME`"
        elif missing[0] == "id" and len(entries) == 1 and isinstance(entries[0].value, MappingNode):
            hint = f"write `{{id: {entries[0].key.text}, …}}`, with the fields behind it"
        else:
            described = as_hint(known[missing[0]].get("description", "")) if missing[0] in known else ""
            hint = f"add `{missing[0]}: …`" + (f": {described}" if described else "")
        cause = Cause("no key", missing[0])
        diagnostics.add(location.key_span, codes.MISSING_KEY, message, help=hint, address=location.address, cause=cause)


def _report_misspelled(
    violation: SchemaViolation, location: LocatedNode, names: Iterable[str], diagnostics: Diagnostics
) -> None:
    """Keys that are missing because they are misspelled, where other keys are free."""
    assert isinstance(location.node, MappingNode)
    for name in names:
        key = next((entry.key for entry in location.node.entries if did_you_mean(entry.key.text, [name])), None)
        if name not in location.node and key is not None:
            message, hint = f"missing `{name}` in {violation.title}", did_you_mean(key.text, [name])
            diagnostics.add(
                key.span,
                codes.MISSING_KEY,
                message,
                label="unknown key",
                help=hint,
                address=location.address,
                cause=Cause("no key", name),
            )


def _assigned(step: MappingNode) -> tuple[Span, str] | None:
    """For `set: points = 3`: the span of the sign, and how it is written."""
    node = step.get("set")
    match = ASSIGNMENT.fullmatch(node.text) if isinstance(node, ScalarNode) else None
    if match is None or not isinstance(node, ScalarNode):
        return None
    name, sign, word, value = match.groups()
    new = value if word or sign in ("=", ":=") else f"{name} {sign[0]} {value}"
    return node.subspan(*match.span(3 if word else 2)), f"write `set: {name}, to: {new}`"


def _keys_in_value(step: MappingNode) -> tuple[Span, str] | None:
    """For `move: 1 of red from bank to hand(me)`: the span of the first word that is a key, and how it is written."""
    for verb, pattern in IN_ONE_VALUE.items():
        node = step.get(verb)
        match = re.fullmatch(pattern, node.text) if isinstance(node, ScalarNode) else None
        if match is not None and isinstance(node, ScalarNode):
            words = [key for key in ("from", "to") if match[key]]
            written = ", ".join([f"{verb}: {match['what']}", *(f"{key}: {match[key]}" for key in words)])
            start = match.end("what") + 1
            return node.subspan(start, start + len(words[0])), f"write `{written}`"
    return None


def _is_misspelled(name: str, unknown: Iterable[str]) -> bool:
    return any(did_you_mean(key, [name]) for key in unknown)


__all__ = ["report_dependent_required", "report_required"]

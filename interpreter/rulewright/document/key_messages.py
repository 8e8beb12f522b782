"""Keys that a file has and should not have: each mistake in a sentence, at the likeliest key.

In: a `SchemaViolation` and the mapping it is about. Out: a diagnostic.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache, partial
from typing import Final

from rulewright import limits
from rulewright.diagnostics import Cause, Diagnostics, Hint, SourceFile
from rulewright.document import codes
from rulewright.document.change_forms import report_insertion_without_order
from rulewright.document.key_owners import owners_hint
from rulewright.document.language import CHANGE_KEYS, Schema, former_keys, former_word_hint
from rulewright.document.located_nodes import LocatedNode
from rulewright.document.misplaced_keys import ACTION_TITLE, below_hint
from rulewright.document.other_forms import (
    BOUNDS,
    adjustment_hint,
    bounds_as_range,
    counts_as_members,
    values_as_list,
)
from rulewright.document.schema_words import quoted
from rulewright.document.schemas import SchemaViolation, TaggedUnion, load_schemas
from rulewright.source.nodes import Entry, MappingNode, as_mapping
from rulewright.suggestions import (
    did_you_mean,
    join_hints,
    join_list,
    list_names,
    meant_hint,
)

SECTION_KEYS: Final = {
    "holds": "zones", "seen_by": "zones", "choose": "actions", "fields": "components", "rows": "components",
    "with": "procedures", "do": "actions", "value": "parameters", "after": "invariants", "weight": "evaluation",
    "terms": "strategies", "most": "ranking", "fewest": "ranking", "is": "values", "sum": "values",
    "members": "kinds", "grid": "kinds", "lines_of": "kinds", "resets": "state", "type": "state",
}  # fmt: skip
ORDERED: Final = ("setup", "turn", "round", "finale", "ranking")  # lists
CASES: Final = "cases"  # of a file of scenarios
SECTIONS: Final = (*ORDERED, *SECTION_KEYS.values())
EXPECTED_VALUE: Final = "expects"
NEW_VALUE: Final = "value"
ADJUSTMENT_TITLE: Final = "an adjustment"
TITLE: Final = "title"  # of a rule, which stands apart from it
KIND_TITLE: Final = "a kind"
VALUE_TITLE: Final = "a value"


def report_unknown_keys(violation: SchemaViolation, location: LocatedNode, diagnostics: Diagnostics) -> None:
    """Keys that the schema does not know, or that another kind of the mapping has."""
    assert isinstance(location.node, MappingNode)
    known = tuple(violation.schema.get("properties", ()))
    if "anyOf" in violation.schema:
        return  # no key says which kind it is, which is reported once, at the likeliest key
    union, verb = violation.union, violation.verb
    unknown: Sequence[Entry] = [entry for entry in location.node.entries if entry.key.text not in known]
    words = (*known, *(union.verbs if union is not None else ()))
    if _report_other_section(location, words, diagnostics) or _report_expectation(location, diagnostics):
        return
    if report_insertion_without_order(location, diagnostics):
        return
    if _report_other_mapping(violation, location, unknown, known, diagnostics):
        return
    unknown = _without_bounds(violation, location, unknown, known, diagnostics)
    keys = location.node.keys()
    for entry in unknown:
        name, span = entry.key.text, entry.key.span
        if union is not None and name in union.verbs:
            _report_two_verbs(union, location, verb, name, diagnostics)
        elif union is not None and name in union.arguments:
            message = f"`{name}` cannot be used with `{verb}`"
            label = f"an argument of {join_list(quoted(union.arguments[name]), 'or')}"
            hint = list_names(f"expected with `{verb}`", [word for word in known if word != verb])
            hint = violation.schema.get("x-advice", {}).get(name, hint)
            diagnostics.add(span, codes.WRONG_ARGUMENT, message, label=label, help=hint, address=location.address)
        else:
            required = [word for word in violation.schema.get("required", ()) if word not in location.node]
            search: Hint = (
                _former_key_hint(violation.schema, name)
                or violation.schema.get("x-advice", {}).get(name)
                or ((name == TITLE or not owners_hint(name)) and below_hint(violation.title, entry))
                or partial(_unknown_key_hint, name, known, keys, required)
            )
            if violation.schema.get("title") == ADJUSTMENT_TITLE:
                search = adjustment_hint(entry.value)
            message = f"unknown key `{name}` in {violation.title}"
            cause = entry_key_cause(location, known)
            diagnostics.add(
                span,
                codes.UNKNOWN_KEY,
                message,
                label="unknown key",
                help=search,
                address=location.address,
                cause=cause,
            )


def entry_key_cause(location: LocatedNode, known: Collection[str]) -> Cause | None:
    """For what stands in a section under a key of its entries: their own name may be missing above it."""
    section, _, name = location.address.partition(".")
    is_entry = section in SECTIONS or section == CASES
    return Cause("entry key", name, section) if is_entry and name in known else None


def _without_bounds(
    violation: SchemaViolation,
    location: LocatedNode,
    unknown: Sequence[Entry],
    known: Sequence[str],
    diagnostics: Diagnostics,
) -> Sequence[Entry]:
    """The unknown keys without two that are the bounds of a type, such as `min` and `max`, which are reported once."""
    assert isinstance(location.node, MappingNode)
    pair = next((pair for pair in BOUNDS if {*pair} <= {entry.key.text for entry in unknown}), None)
    if pair is None or "type" not in known:
        return unknown
    span = next(entry.key.span for entry in unknown if entry.key.text in pair)
    message = f"unknown keys `{pair[0]}` and `{pair[1]}` in {violation.title}"
    hint = f"the bounds are its type: `type: {bounds_as_range(location.node)}`"
    diagnostics.add(span, codes.UNKNOWN_KEY, message, label="unknown key", help=hint, address=location.address)
    return [entry for entry in unknown if entry.key.text not in pair]


def _report_other_mapping(
    violation: SchemaViolation,
    location: LocatedNode,
    unknown: Sequence[Entry],
    known: Sequence[str],
    diagnostics: Diagnostics,
) -> bool:
    """Reports several keys of which none is known once: another mapping is meant, such as values by member."""
    assert isinstance(location.node, MappingNode)
    names = [entry.key.text for entry in unknown]
    is_whole = len(unknown) > 1 and len(unknown) == len(location.node.entries)
    if violation.union is not None or not location.address or not is_whole:
        return False
    if any(did_you_mean(name, known) or _former_key_hint(violation.schema, name) for name in names):
        return False
    if violation.title == ACTION_TITLE and any(below_hint(violation.title, entry) for entry in unknown):
        return False
    shown = join_list(quoted(names[: limits.MAX_LISTED_NAMES]), "and")
    hint = values_as_list(location.node) if "value" in known else ""
    hint = hint or list_names("keys", known)
    span, message = unknown[0].key.span, f"unknown keys {shown} in {violation.title}"
    cause = entry_key_cause(location, known)
    if cause is not None and cause.meant == CASES and location.key is not None:
        title = violation.title
        span, message = location.key.span, f"`{cause.name}` is a key of {title}, and stands where {title} has its name"
        hint = "indent it, or write the line with the name above it, if that is missing"
    diagnostics.add(
        span, codes.UNKNOWN_KEY, message, label="unknown key", help=hint, address=location.address, cause=cause
    )
    return True


def _former_key_hint(schema: Schema, name: str) -> str:
    """For a key that has another name in this version of the language."""
    own = (key for key, known in schema.get("properties", {}).items() if known.get("x-formerly") == name)
    key = next(own, None) or former_keys(schema.get("title", "")).get(name)
    return former_word_hint(name, key) if key else ""


def other_section(location: LocatedNode, known: Collection[str]) -> str:
    """The section to which an entry belongs by its keys, if it has none of those that say what it is where it is."""
    section, *below = location.address.split(".")
    if len(below) != 1 or section not in SECTIONS or not isinstance(location.node, MappingNode):
        return ""
    marks = [key for key in SECTION_KEYS if key in location.node]
    if marks[:1] == [NEW_VALUE] and "type" not in location.node:  # what a parameter has besides
        return ""
    if not marks or any(key in known for key in marks):
        return ""
    other = SECTION_KEYS[marks[0]]
    return other if (section in ORDERED) == (other in ORDERED) else ""


def _report_other_section(location: LocatedNode, known: Collection[str], diagnostics: Diagnostics) -> bool:
    """Reports an entry that has the keys of another section: the line with its name may be missing."""
    other = other_section(location, known)
    if not other or location.key is None:
        return False
    section, name = location.address.split(".")
    message = f"`{name}` is in `{section}`, but has the keys of an entry of `{other}`"
    is_there = _has_section(location.key.span.source, other)
    hint = f"move it to `{other}`" if is_there else f"is the line `{other}:` missing above it?"
    cause = Cause("other section", other)
    diagnostics.add(location.key.span, codes.UNKNOWN_KEY, message, help=hint, address=location.address, cause=cause)
    return True


@lru_cache(maxsize=limits.MAX_REMEMBERED_LARGE_FILES)
def _has_section(source: SourceFile, name: str) -> bool:
    return re.search(rf"^{name}:", source.text, re.MULTILINE) is not None


def _report_expectation(location: LocatedNode, diagnostics: Diagnostics) -> bool:
    """Reports a change that says which value it expects, and has other keys than that and the new value."""
    assert isinstance(location.node, MappingNode)
    keys = [entry.key for entry in location.node.entries]
    expecting = next((key for key in keys if key.text.startswith("expect")), None)
    if not location.address.startswith("set.") or expecting is None:
        return False
    others = [key for key in keys if key is not expecting and key.text != NEW_VALUE]
    title, hint = "a change", f"write it as `{{{EXPECTED_VALUE}: the old value, {NEW_VALUE}: the new one}}`"
    if expecting.text != EXPECTED_VALUE:
        wrong, meant = expecting, EXPECTED_VALUE
    elif others:
        wrong, meant = others[0], "" if NEW_VALUE in location.node else NEW_VALUE
    else:
        message = f"missing `{NEW_VALUE}` in {title}"
        cause = Cause("no key", NEW_VALUE)
        diagnostics.add(expecting.span, codes.MISSING_KEY, message, help=hint, address=location.address, cause=cause)
        return True
    text = join_hints(meant_hint(wrong.text, meant), hint)
    message = f"unknown key `{wrong.text}` in {title} that says what it expects"
    diagnostics.add(wrong.span, codes.UNKNOWN_KEY, message, label="unknown key", help=text, address=location.address)
    return True


def _unknown_key_hint(name: str, known: Sequence[str], there: Collection[str], required: Sequence[str]) -> str:
    is_variant = all(key in known for key in CHANGE_KEYS)
    if is_variant and name.partition(".")[0] in _sections():
        return f"write it under `set:`, indented: `{name if '.' in name else f'{name}.…'}: …`"
    if is_variant:  # what an author most likely wants
        known = [*CHANGE_KEYS, *(key for key in known if key not in CHANGE_KEYS)]
    expected = f"expected `{required[0]}`" if required else ""
    meant = did_you_mean(name, [key for key in known if key not in there])  # a key that is there is not meant once more
    elsewhere = "" if meant else _expectation_hint(name, known)
    return join_hints(meant or expected or owners_hint(name) or elsewhere, list_names("keys", known))


def _expectation_hint(name: str, known: Sequence[str]) -> str:
    """For what is given in a case by its name alone, and expected below another key."""
    is_expectation = {"zones", "state", "values", "illegal"} <= set(known)
    return (
        f"a zone is under `zones: {{{name}: …}}`, a state under `state`, a value under `values`"
        if is_expectation
        else ""
    )


def _sections() -> list[str]:
    """The sections of a game, which a variant changes by address."""
    return [
        key for key in load_schemas()["part_of"]["properties"] if key not in load_schemas()["variant"]["properties"]
    ]


def _report_two_verbs(
    union: TaggedUnion, location: LocatedNode, verb: str, other: str, diagnostics: Diagnostics
) -> None:
    assert isinstance(location.node, MappingNode)
    first, second = (entry.key for entry in location.node.entries if entry.key.text in (verb, other))
    message = f"{union.title} takes either `{first.text}` or `{second.text}`, not both"
    label = f"conflicts with `{first.text}`"
    hint = "split it in two, each with its own name"
    diagnostics.add(second.span, codes.TWO_VERBS, message, label=label, help=hint, address=location.address)


def _report_no_verb(union: TaggedUnion, location: LocatedNode, unknown: list[Entry], diagnostics: Diagnostics) -> None:
    """No key says which kind it is. A misspelled one is the likeliest cause, so an unknown key is shown."""
    names = list_names("expected one of", union.verbs)
    if union.title == KIND_TITLE and len(unknown) > 1 and len(unknown) == len(as_mapping(location.node).entries):
        names = f"write the members as a list: `{counts_as_members(location.node) or '[first, second]'}`"
    if union.title == VALUE_TITLE and unknown:  # its terms, without the key that they are below
        names = join_hints(f"if these are terms, put them under `sum`: `sum: {{{unknown[0].key.text}: …}}`", names)
    unknown_keys = [entry.key for entry in unknown]
    likely = [key for key in unknown_keys if did_you_mean(key.text, union.verbs)]
    if unknown_keys:
        key = (likely or unknown_keys)[0]
        message = f"unknown key `{key.text}` in {union.title}"
        hint = join_hints(did_you_mean(key.text, union.verbs), names)
        cause = entry_key_cause(location, (*union.verbs, *union.arguments))
        diagnostics.add(
            key.span,
            codes.UNKNOWN_VERB,
            message,
            label="unknown key",
            help=hint,
            address=location.address,
            cause=cause,
        )
    else:
        assert isinstance(location.node, MappingNode)
        message = f"{union.title} needs one of {join_list(quoted(union.verbs), 'or')}"
        keys = (entry.key.text for entry in location.node)
        own = next((key for key in keys if len(union.arguments.get(key, ())) == 1), "")
        verb = union.arguments[own][0] if own else ""
        hint = f"`{own}` goes with `{verb}`: add `{verb}: …`" if own else ""
        diagnostics.add(location.key_span, codes.MISSING_VERB, message, help=hint, address=location.address)


def report_untagged(violation: SchemaViolation, location: LocatedNode, diagnostics: Diagnostics) -> None:
    """No key says which kind of the mapping it is."""
    assert isinstance(location.node, MappingNode)
    verbs = tuple(option["required"][0] for option in violation.schema["anyOf"])
    known = violation.schema.get("properties", {})
    union = violation.union or TaggedUnion(violation.title, verbs, {})
    unknown = [entry for entry in location.node.entries if entry.key.text not in known]
    if _report_other_section(location, (*known, *union.verbs), diagnostics) or _report_expectation(
        location, diagnostics
    ):
        return
    former = next((entry.key for entry in unknown if _former_key_hint(violation.schema, entry.key.text)), None)
    if former is None:
        _report_no_verb(union, location, unknown, diagnostics)
        return
    message, hint = f"unknown key `{former.text}` in {union.title}", _former_key_hint(violation.schema, former.text)
    diagnostics.add(former.span, codes.UNKNOWN_VERB, message, label="unknown key", help=hint, address=location.address)


__all__ = [
    "ADJUSTMENT_TITLE",
    "entry_key_cause",
    "other_section",
    "report_unknown_keys",
    "report_untagged",
]

"""What a file's schema expected and the file does not have, in a sentence at the right line.

In: a `SchemaViolation` and the node it is about. Out: a diagnostic. `VIOLATION_REPORTERS` maps the keyword of the
schema that does not hold to the function that reports it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final

from rulewright import limits
from rulewright.diagnostics import Diagnostics, Fix, Hint, Span
from rulewright.document import codes
from rulewright.document.language import CHANGE_KEYS, Schema, former_keys, former_word_hint
from rulewright.document.other_forms import (
    BOUNDS,
    address_hint,
    adjustment_hint,
    as_id,
    bounds_as_range,
    counts_as_members,
    id_hint,
    list_as_type,
    node_as_expression,
    numbers_as_range,
    text_as_list,
    text_as_range,
    values_as_list,
)
from rulewright.document.schemas import SchemaViolation, TaggedUnion, load_schemas
from rulewright.frozen import frozen
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode, as_mapping, to_builtins
from rulewright.source.yaml_failure import missing_space_problem
from rulewright.suggestions import (
    WordHint,
    describe_foreign_letter,
    did_you_mean,
    join_hints,
    join_list,
    list_names,
    number_hint,
)


@frozen
class LocatedNode:
    """A node of the file, its key (None for the file itself and for items), and its address."""

    node: Node
    key: ScalarNode | None
    address: str

    @property
    def key_span(self) -> Span:
        """Where to point when something is missing in the node: its own key, else the first key in it."""
        if self.key is not None:
            return self.key.span
        if isinstance(self.node, MappingNode) and self.node.entries:
            return self.node.entries[0].key.span
        return content_span(self.node)


def content_span(node: Node) -> Span:
    """A node's span without trailing line ends: a block reaches down to what follows it."""
    span = node.span
    text = span.text.rstrip()
    return Span(span.source, span.start, span.start + len(text)) if text else span


# ---- words
ASSIGNMENT: Final = re.compile(
    r"([a-z_][a-z0-9_]*(?:\([^=]*\))?)\s*([:+*-]?=)\s*([^=].*)"
)  # as other languages write it
PLAIN_TEXT: Final = re.compile(r"[A-Za-z][A-Za-z0-9_()+*<>= .-]*")  # needs no quotes in YAML
TYPE_NAMES: Final = {
    "string": "text",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
}


def _quoted(words: Iterable[str]) -> list[str]:
    return [f"`{word}`" for word in words]


def describe_node(node: Node) -> str:
    """What a node is, in words: `a list`, `the number 4`."""
    match node:
        case MappingNode():
            return "a mapping"
        case SequenceNode():
            return "a list"
        case ScalarNode(value=bool()):
            return f"the flag {node.text}"
        case ScalarNode(value=int()):
            return f"the number {node.text}"
        case ScalarNode():
            return "text" if node.text else "empty text"


def _description(violation: SchemaViolation) -> str:
    return _as_hint(str(violation.schema.get("description", "")))


def _as_hint(description: str) -> str:
    """The first sentence of a description, as a help line says it: without a capital and a full stop."""
    sentence = description.split(". ")[0].removesuffix(".")
    return sentence[:1].lower() + sentence[1:] if sentence[1:2].islower() or sentence[1:2] == " " else sentence


def _example(violation: SchemaViolation) -> str:
    """A short example as it is written in YAML; none when it would be long."""
    examples = violation.schema.get("examples", [])
    text = _in_yaml(examples[0]) if examples else ""
    return f"for example: `{text}`" if text and len(text) <= limits.MAX_QUOTED_IN_HINT else ""


def _in_yaml(value: object) -> str:
    match value:
        case dict():
            return f"{{{', '.join(f'{key}: {_in_yaml(item)}' for key, item in value.items())}}}"
        case list():
            return f"[{', '.join(map(_in_yaml, value))}]"
        case str() if PLAIN_TEXT.fullmatch(value):
            return value
        case _:
            return json.dumps(value, ensure_ascii=False)


# ---- keys
def _report_unknown_keys(violation: SchemaViolation, location: LocatedNode, diagnostics: Diagnostics) -> None:
    assert isinstance(location.node, MappingNode)
    known = tuple(violation.schema.get("properties", ()))
    if "anyOf" in violation.schema:
        return  # no key says which kind it is, which is reported once, at the likeliest key
    union, verb = violation.union, violation.verb
    unknown: Sequence[Entry] = [entry for entry in location.node.entries if entry.key.text not in known]
    if _report_other_mapping(violation, location, unknown, known, diagnostics):
        return
    unknown = _without_bounds(violation, location, unknown, known, diagnostics)
    for entry in unknown:
        name, span = entry.key.text, entry.key.span
        if union is not None and name in union.verbs:
            _report_two_verbs(union, location, verb, name, diagnostics)
        elif union is not None and name in union.arguments:
            message = f"`{name}` cannot be used with `{verb}`"
            label = f"an argument of {join_list(_quoted(union.arguments[name]), 'or')}"
            hint = list_names(f"expected with `{verb}`", [word for word in known if word != verb])
            hint = violation.schema.get("x-advice", {}).get(name, hint)
            diagnostics.add(span, codes.WRONG_ARGUMENT, message, label=label, help=hint, address=location.address)
        else:
            required = [word for word in violation.schema.get("required", ()) if word not in location.node]
            search: Hint = (
                _former_key_hint(violation.schema, name)
                or violation.schema.get("x-advice", {}).get(name)
                or partial(_unknown_key_hint, name, known, location.address, required)
            )
            if violation.schema.get("title") == ADJUSTMENT_TITLE:
                search = adjustment_hint(entry.value)
            message = f"unknown key `{name}` in {violation.title}"
            diagnostics.add(
                span, codes.UNKNOWN_KEY, message, label="unknown key", help=search, address=location.address
            )


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
    shown = join_list(_quoted(names[: limits.MAX_LISTED_NAMES]), "and")
    hint = values_as_list(location.node) if "value" in known else ""
    hint = hint or list_names("keys", known)
    span, message = unknown[0].key.span, f"unknown keys {shown} in {violation.title}"
    diagnostics.add(span, codes.UNKNOWN_KEY, message, label="unknown key", help=hint, address=location.address)
    return True


def _former_key_hint(schema: Schema, name: str) -> str:
    """For a key that has another name in this version of the language."""
    own = (key for key, known in schema.get("properties", {}).items() if known.get("x-formerly") == name)
    key = next(own, None) or former_keys(schema.get("title", "")).get(name)
    return former_word_hint(name, key) if key else ""


def _unknown_key_hint(name: str, known: Sequence[str], address: str, required: Sequence[str]) -> str:
    if address.startswith("set.") and name.startswith("expect"):
        text = "did you mean `expects`? write a change as `{expects: the old value, value: the new one}`"
        return WordHint(text, name, "expects", is_certain=False)
    is_variant = all(key in known for key in CHANGE_KEYS)
    if is_variant and name.partition(".")[0] in _sections():
        return f"write it under `set:`, indented: `{name if '.' in name else f'{name}.…'}: …`"
    if is_variant:  # what an author most likely wants
        known = [*CHANGE_KEYS, *(key for key in known if key not in CHANGE_KEYS)]
    expected = f"expected `{required[0]}`" if required else ""
    return join_hints(did_you_mean(name, known) or expected, list_names("keys", known))


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
    unknown_keys = [entry.key for entry in unknown]
    likely = [key for key in unknown_keys if did_you_mean(key.text, union.verbs)]
    if unknown_keys:
        key = (likely or unknown_keys)[0]
        message, hint = (
            f"unknown key `{key.text}` in {union.title}",
            join_hints(did_you_mean(key.text, union.verbs), names),
        )
        diagnostics.add(key.span, codes.UNKNOWN_VERB, message, label="unknown key", help=hint, address=location.address)
    else:
        assert isinstance(location.node, MappingNode)
        message = f"{union.title} needs one of {join_list(_quoted(union.verbs), 'or')}"
        keys = (entry.key.text for entry in location.node)
        own = next((key for key in keys if len(union.arguments.get(key, ())) == 1), "")
        verb = union.arguments[own][0] if own else ""
        hint = f"`{own}` goes with `{verb}`: add `{verb}: …`" if own else ""
        diagnostics.add(location.key_span, codes.MISSING_VERB, message, help=hint, address=location.address)


def _report_untagged(violation: SchemaViolation, location: LocatedNode, diagnostics: Diagnostics) -> None:
    assert isinstance(location.node, MappingNode)
    verbs = tuple(option["required"][0] for option in violation.schema["anyOf"])
    known = violation.schema.get("properties", {})
    union = violation.union or TaggedUnion(violation.title, verbs, {})
    unknown = [entry for entry in location.node.entries if entry.key.text not in known]
    former = next((entry.key for entry in unknown if _former_key_hint(violation.schema, entry.key.text)), None)
    if former is None:
        _report_no_verb(union, location, unknown, diagnostics)
        return
    message, hint = f"unknown key `{former.text}` in {union.title}", _former_key_hint(violation.schema, former.text)
    diagnostics.add(former.span, codes.UNKNOWN_VERB, message, label="unknown key", help=hint, address=location.address)


def _report_required(violation: SchemaViolation, location: LocatedNode, diagnostics: Diagnostics) -> None:
    _report_missing(violation, location, diagnostics, violation.schema["required"])


def _report_dependent_required(violation: SchemaViolation, location: LocatedNode, diagnostics: Diagnostics) -> None:
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
    # a misspelled key is one mistake, not an unknown key and a missing one; so is a wrong word for a key
    missing = [name for name in names if name not in location.node and not _is_misspelled(name, unknown)]
    if violation.schema.get("additionalProperties") is False:
        others = [name for name in known if name not in missing]
        missing = missing[sum(not did_you_mean(key, others) for key in unknown) :]
    assignment = _assigned(location.node) if missing == ["to"] else None
    if assignment is not None:
        span, hint = assignment
        message, label = f"missing `to` in {violation.title}", "`to` says the new value"
        diagnostics.add(span, codes.MISSING_KEY, message, label=label, help=hint, address=location.address)
        return
    if missing:
        message = f"missing {join_list(_quoted(missing), 'and')} in {violation.title}"
        entries = location.node.entries
        if missing[0] == "for":
            hint = "add `for: GAME`"
        elif missing[0] == "id" and len(entries) == 1 and isinstance(entries[0].value, MappingNode):
            hint = f"write `{{id: {entries[0].key.text}, …}}`, with the fields behind it"
        else:
            described = _as_hint(known[missing[0]].get("description", "")) if missing[0] in known else ""
            hint = f"add `{missing[0]}: …`" + (f": {described}" if described else "")
        diagnostics.add(location.key_span, codes.MISSING_KEY, message, help=hint, address=location.address)


def _assigned(step: MappingNode) -> tuple[Span, str] | None:
    """For `set: points = 3`: the span of the sign, and how it is written."""
    node = step.get("set")
    match = ASSIGNMENT.fullmatch(node.text) if isinstance(node, ScalarNode) else None
    if match is None or not isinstance(node, ScalarNode):
        return None
    name, sign, value = match.groups()
    new = value if sign in ("=", ":=") else f"{name} {sign[0]} {value}"
    return node.subspan(*match.span(2)), f"write `set: {name}, to: {new}`"


def _is_misspelled(name: str, unknown: Iterable[str]) -> bool:
    return any(did_you_mean(key, [name]) for key in unknown)


# ---- values
def _report_type(violation: SchemaViolation, location: LocatedNode, diagnostics: Diagnostics) -> None:
    union = violation.union
    if (
        union is not None
        and location.key is not None
        and location.key.text in union.verbs
        and isinstance(location.node, ScalarNode | SequenceNode)
    ):
        # `- run: score_all`: the step itself follows the dash, without its name
        _report_nameless(
            f"- some_name: {{{location.key.text}: …}}",
            union.title.removeprefix("a "),
            location.key.span,
            location.address,
            diagnostics,
        )
        return
    if _is_key_of_entry(violation, location):
        assert location.key is not None
        title = violation.title
        message = f"`{location.key.text}` is a key of {title}, and stands where {title} has its name"
        hint = f"indent it below {title.replace('an ', 'the ', 1).replace('a ', 'the ', 1)} that it belongs to"
        diagnostics.add(
            location.key.span, codes.WRONG_TYPE, message, label="not indented", help=hint, address=location.address
        )
        return
    expected = violation.schema["type"]
    types = [expected] if isinstance(expected, str) else expected
    source, start = location.node.span.source, location.node.span.start
    is_text = types == ["object"] and isinstance(location.node, ScalarNode)
    if is_text and (problem := missing_space_problem(source.text, start)) is not None:
        span = Span(source, problem.start, problem.end)
        fix = problem.fix(source)
        diagnostics.add(span, problem.code, problem.message, help=problem.help, address=location.address, fix=fix)
        return
    type_names = join_list((TYPE_NAMES[type_] for type_ in types), "or")
    title, actual = violation.schema.get("title", type_names), describe_node(location.node)
    prefix = f"`{location.key.text}`: " if location.key is not None else ""
    plain = "a list" if types == ["array"] else "text" if types == ["string"] and "text" in title else ""
    explained = f"{title} ({type_names})" if type_names not in (title, "text") else title
    message = f"{prefix}expected {plain or explained}, found {actual}"
    label = f"this is {actual}"
    hint = adjustment_hint(location.node) if title == ADJUSTMENT_TITLE else ""
    if violation.schema.get("items", {}).get("type") == "string" and isinstance(location.node, MappingNode):
        hint = values_as_list(location.node)
    hint = hint or _other_form_hint(title, types, location.node) or _example(violation)
    diagnostics.add(
        content_span(location.node),
        codes.WRONG_TYPE,
        message,
        label=label,
        help=hint,
        address=location.address,
        fix=_as_list_fix(location.node) if plain == "a list" else None,
    )


def _other_form_hint(title: str, types: Sequence[str], node: Node) -> str:
    """How a value of another type is written where a schema of that title expects one of the types."""
    match node:
        case MappingNode():
            if {"array", "integer"} <= set(types) and (values := values_as_list(node)):  # one for each of a kind
                return values
            if (bounds := bounds_as_range(node)) and (title in TYPED_TITLES or "players" in title):
                return f"write `{bounds}`"
            if list(types) == ["array"] and node.entries:
                return f"begin each entry with a dash: `- {node.entries[0].key.text}: …`"
        case SequenceNode():
            if "players" in title and (numbers := numbers_as_range(node)):
                return numbers
            if title in TYPED_TITLES and (type_ := list_as_type(node)):
                return type_
            if list(types) == ["string"] and len(node.items) == 1 and isinstance(node.items[0], ScalarNode):
                return f"write `{node.items[0].text}`"
        case ScalarNode() if list(types) == ["array"] and (listed := text_as_list(node.text)):
            return f"write `{listed}`"
        case ScalarNode() if "integer" in types and isinstance(node.value, str):
            return number_hint(node.text, is_quoted=True)
    return node_as_expression(node) if title == "an expression" else ""


def _as_list_fix(node: Node) -> Fix | None:
    """Brackets around names that are to be a list; quotation marks around them go."""
    if not isinstance(node, ScalarNode) or not BARE_WORDS.fullmatch(node.text):
        return None
    span, text = node.span, node.span.source.text
    is_quoted = text[span.start - 1 : span.start] in ("'", '"') and span.start > 0
    return Fix(Span(span.source, span.start - is_quoted, span.end + is_quoted), f"[{node.text}]")


def _is_key_of_entry(violation: SchemaViolation, location: LocatedNode) -> bool:
    """Whether a key of an entry stands beside the entries: a list or text where a mapping with such a key is."""
    names = violation.schema.get("properties", {})
    is_entry = violation.schema["type"] == "object" and len(violation.path) == ENTRY_DEPTH
    return is_entry and location.key is not None and location.key.text in names


TYPED_TITLES: Final = ("a type", "a field", "a state")
BARE_WORDS: Final = re.compile(r"[a-z][a-z0-9_.-]*(?:, *[a-z][a-z0-9_.-]*)*")  # of a list without brackets
ENTRY_DEPTH: Final = 2  # of the entries of a section
ADJUSTMENT_TITLE: Final = "an adjustment"


def _report_enum(violation: SchemaViolation, location: LocatedNode, diagnostics: Diagnostics) -> None:
    words = [str(word) for word in violation.schema["enum"]]
    actual = location.node.text if isinstance(location.node, ScalarNode) else describe_node(location.node)
    prefix = f"`{location.key.text}`: " if location.key is not None else ""
    message = f"{prefix}expected {join_list(_quoted(words), 'or')}, found `{actual}`"
    hint = join_hints(did_you_mean(actual, words), _description(violation))
    diagnostics.add(
        content_span(location.node),
        codes.NOT_ONE_OF,
        message,
        label="not one of these",
        help=hint,
        address=location.address,
    )


def _report_pattern(violation: SchemaViolation, location: LocatedNode, diagnostics: Diagnostics) -> None:
    span, actual = content_span(location.node), str(violation.actual)
    if violation.is_key and isinstance(location.node, MappingNode):
        entry = location.node.entry(actual)
        assert entry is not None
        span = entry.key.span
    is_id = violation.schema.get("x-id", False)
    pattern = str(violation.schema.get("pattern", ""))
    suggestion, code = (id_hint(actual, pattern), codes.BAD_ID) if is_id else ("", codes.WRONG_FORM)
    suggestion = text_as_range(actual, in_words="players" in violation.title) or suggestion
    if violation.title == ADDRESS_TITLE:
        suggestion = address_hint(actual, pattern)
    elif not suggestion and SEVERAL_WORDS.fullmatch(actual) and re.fullmatch(pattern, as_id(actual)):
        suggestion = id_hint(actual, pattern)
    if not suggestion and re.fullmatch(pattern, bare := actual.rstrip(";,.: ")):
        suggestion = f"write `{bare}`"
    suggestion = suggestion or describe_foreign_letter(actual)
    hint = suggestion or join_hints(_description(violation), _example(violation))
    diagnostics.add(
        span,
        code,
        f"`{actual}` is not {violation.title}",
        label=f"not {violation.title}",
        help=hint,
        address=location.address,
    )


KIND_TITLE: Final = "a kind"
ADDRESS_TITLE: Final = "an address"
SEVERAL_WORDS: Final = re.compile(r"[A-Za-z][A-Za-z0-9_ -]*")


def _report_range(violation: SchemaViolation, location: LocatedNode, diagnostics: Diagnostics) -> None:
    limit, span = violation.limit, location.node.span
    if violation.keyword == "maximum" and location.address == "language":
        message = f"written in version {violation.actual} of the rule language, but this program supports only {limit}"
        hint = "install a newer version of this program"
        diagnostics.add(span, codes.NEWER_LANGUAGE, message, label="not supported", help=hint, address=location.address)
        return
    bound = f"at least {limit}" if violation.keyword == "minimum" else f"at most {limit}"
    message = f"{violation.title} must be {bound}, not {violation.actual}"
    diagnostics.add(
        span, codes.OUT_OF_RANGE, message, label=bound, help=_description(violation), address=location.address
    )


SIZE_UNITS: Final = {
    "Length": ("character", "characters"),
    "Items": ("item", "items"),
    "Properties": ("entry", "entries"),
}


def _report_size(violation: SchemaViolation, location: LocatedNode, diagnostics: Diagnostics) -> None:
    if violation.schema.get("x-named-item", False):
        _report_unnamed(violation, location, diagnostics)
        return
    is_minimum, limit = violation.keyword.startswith("min"), violation.limit
    unit = SIZE_UNITS[violation.keyword[3:]][limit != 1]
    size = len(violation.actual) if isinstance(violation.actual, str | list | dict) else 0
    subject = f"`{location.key.text}`" if location.key is not None else violation.title
    message = f"{subject}: expected at {'least' if is_minimum else 'most'} {limit} {unit}, found {size}"
    label = "empty" if is_minimum and limit == 1 else ""
    diagnostics.add(
        content_span(location.node),
        codes.OUT_OF_RANGE,
        message,
        label=label,
        help=_example(violation),
        address=location.address,
    )


def _report_unnamed(violation: SchemaViolation, location: LocatedNode, diagnostics: Diagnostics) -> None:
    """`- {move: …, to: …}` without a name, or two names under one dash."""
    assert isinstance(location.node, MappingNode)
    union, keys = violation.union, location.node.keys()
    noun = (union.title if union is not None else violation.title).removeprefix("a ").removeprefix("an ")
    if union is not None and any(key in union.verbs for key in keys):
        example = f"- some_name: {{{', '.join(f'{key}: …' for key in keys)}}}"
        _report_nameless(example, noun, location.key_span, location.address, diagnostics)
        return
    found_keys = f"one list item with {join_list(_quoted(keys), 'and')}" if keys else ""
    message = found_keys or f"expected a {noun}, found an empty item"
    hint = "put a dash before each" if keys else _example(violation)
    label = "expected one name"
    diagnostics.add(location.key_span, codes.UNNAMED_ITEM, message, label=label, help=hint, address=location.address)


def _report_nameless(example: str, noun: str, span: Span, address: str, diagnostics: Diagnostics) -> None:
    label = "expected its name"
    diagnostics.add(
        span, codes.UNNAMED_ITEM, f"{noun} without a name", label=label, help=f"write `{example}`", address=address
    )


def _report_duplicates(violation: SchemaViolation, location: LocatedNode, diagnostics: Diagnostics) -> None:
    assert isinstance(location.node, SequenceNode)
    seen: list[object] = []
    for item in location.node:
        value = to_builtins(item)
        if value in seen:
            message = f"duplicate `{value}` in {violation.title}"
            diagnostics.add(
                content_span(item), codes.LISTED_TWICE, message, label="listed again", address=location.address
            )
        seen.append(value)


VIOLATION_REPORTERS: Final[dict[str, Callable[[SchemaViolation, LocatedNode, Diagnostics], None]]] = {
    "additionalProperties": _report_unknown_keys,
    "required": _report_required,
    "dependentRequired": _report_dependent_required,
    "anyOf": _report_untagged,
    "type": _report_type,
    "enum": _report_enum,
    "pattern": _report_pattern,
    "minimum": _report_range,
    "maximum": _report_range,
    "minLength": _report_size,
    "maxLength": _report_size,
    "minItems": _report_size,
    "minProperties": _report_size,
    "maxProperties": _report_size,
    "uniqueItems": _report_duplicates,
}


__all__ = [
    "VIOLATION_REPORTERS",
    "LocatedNode",
    "content_span",
    "describe_node",
]

"""Values of another type, form or size than a file's schema expects: each mistake in a sentence, with the right form.

In: a `SchemaViolation` and the node it is about. Out: a diagnostic.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from rulewright.diagnostics import Cause, CauseSort, Diagnostics, Span
from rulewright.document import codes
from rulewright.document.change_forms import report_row_without_id, row_name_hint
from rulewright.document.key_messages import ADJUSTMENT_TITLE
from rulewright.document.list_fixes import as_list_fix, without_dashes_fix
from rulewright.document.located_nodes import LocatedNode, content_span, describe_node
from rulewright.document.misplaced_keys import above_hint
from rulewright.document.other_forms import (
    ID_PATTERN,
    address_hint,
    adjustment_hint,
    as_id,
    bounds_as_range,
    conditions_as_one,
    counts_as_members,
    fields_of_list,
    id_hint,
    items_by_name,
    kind_among_members,
    language_hint,
    list_as_type,
    mapping_as_action,
    node_as_expression,
    numbers_as_range,
    text_as_list,
    text_as_range,
    values_as_list,
)
from rulewright.document.schema_words import example_of, first_sentence, quoted
from rulewright.document.schemas import SchemaViolation
from rulewright.json_values import is_integer
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.nodes import MappingNode, Node, ScalarNode, SequenceNode, to_builtins
from rulewright.source.yaml_failure import missing_space_problem
from rulewright.suggestions import (
    describe_foreign_letter,
    did_you_mean_word,
    join_hints,
    join_list,
    number_hint,
)

TYPE_NAMES: Final = {
    "string": "text",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
}


def report_type(violation: SchemaViolation, location: LocatedNode, diagnostics: Diagnostics) -> None:
    """A value of another type."""
    union = violation.union
    if (
        union is not None
        and location.key is not None
        and location.key.text in union.verbs
        and isinstance(location.node, ScalarNode | SequenceNode)
    ):
        # `- run: score_all`: the step itself follows the dash, without its name
        dash = "- " if union.title in LISTED_TITLES else ""
        _report_nameless(
            f"{dash}some_name: {{{location.key.text}: …}}",
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
        cause = Cause("entry key", location.key.text, location.address.partition(".")[0])
        diagnostics.add(
            location.key.span,
            codes.WRONG_TYPE,
            message,
            label="not indented",
            help=hint,
            address=location.address,
            cause=cause,
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
    is_plain = type_names in (title, "text") or " or " in title
    explained = title if is_plain else f"{title} ({type_names})"
    message = f"{prefix}expected {plain or explained}, found {actual}"
    label = f"this is {actual}"
    hint = adjustment_hint(location.node) if title == ADJUSTMENT_TITLE else ""
    if title in ACTION_TITLES and isinstance(location.node, MappingNode):
        hint = mapping_as_action(location.node)
    elif violation.schema.get("items", {}).get("type") == "string" and isinstance(location.node, MappingNode):
        hint = "" if title == "members" else values_as_list(location.node, is_of_addresses=_is_of_addresses(violation))
    if title == "an expression" and location.address.partition("values.")[1] and location.address.endswith(".is"):
        hint = _terms_hint(location.node)
    if types == ["string"] and isinstance(location.node, MappingNode) and location.key is not None:
        hint = _whole_addresses_hint(location.key.text, location.node)
    hint = hint or above_hint(location) or row_name_hint(location) or _other_form_hint(title, types, location.node)
    example = example_of(violation)
    if types == ["integer"]:
        example = f"write a whole number, {example}" if example else "write a whole number"
    hint = hint or _quotes_hint(violation, location.node) or example
    diagnostics.add(
        content_span(location.node),
        codes.WRONG_TYPE,
        message,
        label=label,
        help=hint,
        address=location.address,
        fix=as_list_fix(location.node, violation.schema)
        if plain == "a list"
        else without_dashes_fix(location.node)
        if types == ["object"]
        else None,
        cause=Cause(_sort_of(location.node), title),
    )


def _whole_addresses_hint(address: str, node: MappingNode) -> str:
    """For sentences that stand below the address of a rule in a file of texts: each has its own."""
    if "." not in address or not node.entries:
        return ""
    return f"write each under its whole address: `{address}.{node.entries[0].key.text}: …`"


def _sort_of(node: Node) -> CauseSort:
    match node:
        case MappingNode():
            return "mapping"
        case SequenceNode():
            return "list"
        case _:
            return "wrong type"


def _other_form_hint(title: str, types: Sequence[str], node: Node) -> str:
    """How a value of another type is written where a schema of that title expects one of the types."""
    match node:
        case MappingNode():
            if {"array", "integer"} <= set(types) and (values := values_as_list(node)):  # one for each of a kind
                return values
            if (bounds := bounds_as_range(node)) and (title in TYPED_TITLES or "players" in title):
                return f"write `{bounds}`"
            if title == "members" and (members := counts_as_members(node)):
                return f"write the members as a list: `{members}`"
            if title == OFFERS_TITLE and (offers := counts_as_members(node)):
                return f"write `{offers}`"
            if title == "a member" and (whole := kind_among_members(node)):
                return whole
            if list(types) == ["array"] and node.entries:
                return f"begin each entry with a dash: `- {node.entries[0].key.text}: …`"
        case SequenceNode():
            if title == "fields" and (fields := fields_of_list(node)):
                return fields
            if list(types) == ["object"] and (named := items_by_name(node)):
                return named
            if title == "a size" and (size := [item.text for item in node if isinstance(item, ScalarNode)]):
                return f"write `{' by '.join(size)}`"
            if title == ALLOWED_TITLE and node.items and isinstance(node.items[0], ScalarNode):
                return f"write each with its reason: `{{{node.items[0].text}: …}}`"
            if title == "named terms" and node.items and isinstance(node.items[0], ScalarNode):
                return f"give each term a name: `{{some_name: {node.items[0].text}}}`"
            if title in FORMS_TITLES and len(forms := [item.text for item in node if isinstance(item, ScalarNode)]) > 1:
                return f"write the forms in one text: `{' | '.join(forms)}`"
            if title == "a binding" and len(node.items) == 2 and all(isinstance(item, ScalarNode) for item in node):
                return f"write `{' in '.join(item.text for item in node if isinstance(item, ScalarNode))}`"
            if title == CLAUSES_TITLE and len(node.items) == 1 and isinstance(node.items[0], ScalarNode):
                return f"give each condition a name: `{{some_name: {node.items[0].text}}}`"
            if title in CONDITION_TITLES and (condition := conditions_as_one(node)):
                return condition
            if "players" in title and (numbers := numbers_as_range(node)):
                return numbers
            if title in TYPED_TITLES and (type_ := list_as_type(node)):
                return type_
            if list(types) == ["string"] and len(node.items) == 1 and isinstance(node.items[0], ScalarNode):
                return f"write `{node.items[0].text}`"
        case ScalarNode(text=text) if list(types) == ["array"] and re.fullmatch(r"\[.*\]", text):
            return f"leave out the quotes: `{text}`"
        case ScalarNode(value=value) if list(types) == ["array"] and is_integer(value) and "number" not in title:
            return f"how many there are is `count: {value}`" if title == "a list of actions" else ""
        case ScalarNode() if title == "a member" and is_integer(node.value):
            return "members that are numbers are a range, without brackets: `1 to 6`"
        case ScalarNode() if title == "named terms":
            return f"give the term a name: `{{some_name: {node.text}}}`"
        case ScalarNode() if title == CLAUSES_TITLE:
            return f"give the condition a name: `{{some_name: {node.text}}}`"
        case ScalarNode() if title == "a criterion" and (criterion := CRITERION.fullmatch(node.text)):
            return f"write `{{{criterion[1]}: {criterion[2]}}}`"
        case ScalarNode() if title == EXTENSION_TITLE and not isinstance(node.value, str):
            return f"`extend` adds to lists; a value is changed under `set`: `set: {{…: {node.text}}}`"
        case ScalarNode() if list(types) == ["array"] and (listed := text_as_list(node.text)):
            return f"write `{listed}`"
        case ScalarNode(value=bool()) if title == "an address":
            return "write the address of the rule; whether an action is allowed is `legal: true` or `legal: false`"
        case ScalarNode() if title == LEGAL_TITLE:
            return f"a rule that refuses it is `illegal: {node.text}`" if "." in node.text else ""
        case ScalarNode() if title == "a size" and is_integer(node.value):
            return f"write `{node.text} by {node.text}`"
        case ScalarNode() if "integer" in types and isinstance(node.value, str):
            return number_hint(node.text, is_quoted=True)
    return node_as_expression(node) if title == "an expression" else ""


def _is_of_addresses(violation: SchemaViolation) -> bool:
    """Whether a list of addresses is expected."""
    return violation.schema["items"].get("title") in ("an address", "a list of addresses")


def _quotes_hint(violation: SchemaViolation, node: Node) -> str:
    """For a number or flag that would be right as a text."""
    schema = violation.schema
    if schema["type"] != "string" or not isinstance(node, ScalarNode) or not is_integer(node.value):
        return ""
    return f'put it in quotes: `"{node.text}"`' if re.search(str(schema.get("pattern", "")), node.text) else ""


def _terms_hint(node: Node) -> str:
    """For a mapping of expressions, not all of them numbers, where a single one is expected."""
    values = [entry.value for entry in node] if isinstance(node, MappingNode) else []
    if len(values) < 2 or not all(isinstance(each, ScalarNode) for each in values) or node_as_expression(node):
        return ""
    assert isinstance(node, MappingNode)
    return f"terms are added up under `sum`: `sum: {{{node.entries[0].key.text}: …}}`"


def _is_key_of_entry(violation: SchemaViolation, location: LocatedNode) -> bool:
    """Whether a key of an entry stands beside the entries: a list or text where a mapping with such a key is."""
    names = violation.schema.get("properties", {})
    is_entry = violation.schema["type"] == "object" and len(violation.path) == ENTRY_DEPTH
    return is_entry and location.key is not None and location.key.text in names


ACTION_TITLES: Final = ("an action", "an action or a list of actions", "a list of actions")
LEGAL_TITLE: Final = "true or a list of actions"
OFFERS_TITLE: Final = "a list of offers"
EXTENSION_TITLE: Final = "a member, row or offer"
ALLOWED_TITLE: Final = "allowed warnings"
FORMS_TITLES: Final = ("a text", "words", "text")
CRITERION: Final = lazy_pattern("(most|fewest):? +(.+)")
LISTED_TITLES: Final = ("a step", "a criterion")  # of what stands in ordered lists
CLAUSES_TITLE: Final = "named clauses"
CONDITION_TITLES: Final = ("a condition of a step", "a clause", "an expression")
TYPED_TITLES: Final = ("a type", "a field", "a state")
ENTRY_DEPTH: Final = 2  # of the entries of a section


def report_enum(violation: SchemaViolation, location: LocatedNode, diagnostics: Diagnostics) -> None:
    """A word that is none of those allowed."""
    words = [str(word) for word in violation.schema["enum"]]
    actual = location.node.text if isinstance(location.node, ScalarNode) else describe_node(location.node)
    prefix = f"`{location.key.text}`: " if location.key is not None else ""
    found = f"`{actual}`" if isinstance(location.node, ScalarNode) else actual
    message = f"{prefix}expected {join_list(quoted(words), 'or')}, found {found}"
    hint = above_hint(location) or join_hints(did_you_mean_word(actual, words), first_sentence(violation))
    diagnostics.add(
        content_span(location.node),
        codes.NOT_ONE_OF,
        message,
        label="not one of these",
        help=hint,
        address=location.address,
    )


def report_pattern(violation: SchemaViolation, location: LocatedNode, diagnostics: Diagnostics) -> None:
    """A text in another form."""
    span, actual = content_span(location.node), str(violation.actual)
    if violation.is_key and isinstance(location.node, MappingNode):
        entry = location.node.entry(actual)
        assert entry is not None
        span = entry.key.span
    value = location.node.get(actual) if violation.is_key and isinstance(location.node, MappingNode) else None
    is_turned = isinstance(value, ScalarNode) and " " in actual and ID_PATTERN.fullmatch(value.text) is not None
    is_id = violation.schema.get("x-id", False)
    pattern = str(violation.schema.get("pattern", ""))
    is_item = location.key is None and not violation.is_key
    suggestion, code = (id_hint(actual, pattern, is_item=is_item), codes.BAD_ID) if is_id else ("", codes.WRONG_FORM)
    is_number = "players" in violation.title
    suggestion = text_as_range(actual, in_words=is_number) or suggestion or (number_hint(actual) if is_number else "")
    if is_turned and isinstance(value, ScalarNode) and not re.fullmatch("[a-z ]+", actual):
        suggestion = f"the name stands first: `{value.text}: {actual}`"
    elif violation.title == ADDRESS_TITLE:
        suggestion = address_hint(actual, pattern)
    elif violation.title == LANGUAGE_TITLE:
        suggestion = language_hint(actual)
    elif location.key is not None and location.key.text in ANCHOR_KEYS and "." in actual:
        suggestion = f"write only its name: `{actual.rpartition('.')[2]}`"
    elif not suggestion and SEVERAL_WORDS.fullmatch(actual) and re.fullmatch(pattern, as_id(actual)):
        suggestion = id_hint(actual, pattern)
    if not suggestion and re.fullmatch(pattern, bare := actual.rstrip(";,.: ")):
        suggestion = f"write `{bare}`"
    suggestion = suggestion or describe_foreign_letter(actual)
    hint = suggestion or join_hints(first_sentence(violation), example_of(violation))
    diagnostics.add(
        span,
        code,
        f"`{actual}` is not {violation.title}",
        label=f"not {violation.title}",
        help=hint,
        address=location.address,
        cause=Cause("no language", actual) if violation.title == LANGUAGE_TITLE else None,
    )


ADDRESS_TITLE: Final = "an address"
LANGUAGE_TITLE: Final = "a language code"
SEVERAL_WORDS: Final = lazy_pattern(r"[A-Za-z][A-Za-z0-9_ ;|/-]*")
ANCHOR_KEYS: Final = ("after", "before")  # of what is inserted, beside a neighbour


def report_range(violation: SchemaViolation, location: LocatedNode, diagnostics: Diagnostics) -> None:
    """A number that is too low or too high."""
    limit, span = violation.limit, location.node.span
    if violation.keyword == "maximum" and location.address == "language":
        message = f"written in version {violation.actual} of the rule language, but this program supports only {limit}"
        hint = "install a newer version of this program"
        diagnostics.add(span, codes.NEWER_LANGUAGE, message, label="not supported", help=hint, address=location.address)
        return
    bound = f"at least {limit}" if violation.keyword == "minimum" else f"at most {limit}"
    message = f"{violation.title} must be {bound}, not {violation.actual}"
    diagnostics.add(
        span, codes.OUT_OF_RANGE, message, label=bound, help=_range_hint(violation), address=location.address
    )


MAX_NAMED_BOUND: Final = 99  # a higher one is only a limit of the program


def _range_hint(violation: SchemaViolation) -> str:
    """Which numbers there can be."""
    low, high = violation.schema.get("minimum"), violation.schema.get("maximum")
    if isinstance(low, int) and isinstance(high, int) and high <= MAX_NAMED_BOUND:
        return f"write a number from {low} to {high}"
    return f"write {violation.limit} or {'more' if violation.keyword == 'minimum' else 'less'}"


SIZE_UNITS: Final = {
    "Length": ("character", "characters"),
    "Items": ("item", "items"),
    "Properties": ("entry", "entries"),
}


def report_size(violation: SchemaViolation, location: LocatedNode, diagnostics: Diagnostics) -> None:
    """Too few or too many characters, items or entries."""
    if violation.schema.get("x-named-item", False):
        _report_unnamed(violation, location, diagnostics)
        return
    if violation.keyword == "maxProperties" and report_row_without_id(location, diagnostics):
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
        help=example_of(violation),
        address=location.address,
    )


def _report_unnamed(violation: SchemaViolation, location: LocatedNode, diagnostics: Diagnostics) -> None:
    """`- {move: …, to: …}` without a name, or two names under one dash."""
    assert isinstance(location.node, MappingNode)
    union, keys = violation.union, location.node.keys()
    noun = (union.title if union is not None else violation.title).removeprefix("a ").removeprefix("an ")
    known = {*union.verbs, *union.arguments} if union is not None else set()
    beside = next((entry.key for entry in location.node.entries[1:] if entry.key.text in known), None)
    if beside is not None and keys[0] not in known:
        message = f"`{beside.text}` is beside the name `{keys[0]}`, expected below it"
        diagnostics.add(
            beside.span, codes.UNNAMED_ITEM, message, label="not indented", help="indent it", address=location.address
        )
        return
    if union is not None and any(key in union.verbs for key in keys):
        dash = "- " if union.title in LISTED_TITLES else ""
        example = f"{dash}some_name: {{{', '.join(f'{key}: …' for key in keys)}}}"
        _report_nameless(example, noun, location.key_span, location.address, diagnostics)
        return
    found_keys = f"one list item with {join_list(quoted(keys), 'and')}" if keys else ""
    span = location.node.entries[1].key.span if len(keys) > 1 else location.key_span  # whose dash is missing
    message = found_keys or f"expected a {noun}, found an empty item"
    hint = "put a dash before each" if keys else example_of(violation)
    label = "expected one name"
    diagnostics.add(span, codes.UNNAMED_ITEM, message, label=label, help=hint, address=location.address)


def _report_nameless(example: str, noun: str, span: Span, address: str, diagnostics: Diagnostics) -> None:
    label = "expected its name"
    diagnostics.add(
        span, codes.UNNAMED_ITEM, f"{noun} without a name", label=label, help=f"write `{example}`", address=address
    )


def report_duplicates(violation: SchemaViolation, location: LocatedNode, diagnostics: Diagnostics) -> None:
    """Items that are listed twice."""
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


__all__ = [
    "report_duplicates",
    "report_enum",
    "report_pattern",
    "report_range",
    "report_size",
    "report_type",
]

"""Does a file have the right keys, and values of the right sort under them? Every fault is shown where it stands.

In: the nodes of a file. Out: which kind of file it is, and complaints in the report. The schemas say what is right;
here each of their findings becomes a sentence, by a table from the keyword that does not hold to the function that
says so.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from rulewright.diagnostics import Diagnostics, Span
from rulewright.document import codes
from rulewright.document.schemas import (
    FILE_KINDS,
    SchemaViolation,
    TaggedUnion,
    find_violations,
    load_schemas,
    tagged_unions,
)
from rulewright.document.size_check import SIZED_KINDS, check_sizes
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode, to_builtins
from rulewright.source.plain_scalars import ErrorNode
from rulewright.suggestions import did_you_mean, list_names


# ---- where a fault stands
@dataclass(frozen=True, slots=True)
class LocatedNode:
    """A node of the file, the key it stands under (None for the file itself and for items), and its address."""

    node: Node
    key: ScalarNode | None
    address: str

    @property
    def key_span(self) -> Span:
        """Where to point when something is missing inside: the node's own key, else the first key in it."""
        if self.key is not None:
            return self.key.span
        if isinstance(self.node, MappingNode) and self.node.entries:
            return self.node.entries[0].key.span
        return content_span(self.node)


def _spot(root: Node, path: Iterable[str | int]) -> LocatedNode:
    node, key, names = root, None, list[str]()
    for part in path:
        match node:
            case SequenceNode(items=items):
                node, key = items[int(part)], None
            case MappingNode():
                entry = node.entry(str(part))
                assert entry is not None, f"the schema speaks of a key {part!r} that is not there"
                node, key = entry.value, entry.key
                names.append(entry.key.text)
            case ScalarNode():
                raise AssertionError("the schema speaks of something inside a single value")
    return LocatedNode(node, key, ".".join(names))


def content_span(node: Node) -> Span:
    """A node's span without the line ends behind it: a block reaches down to what follows it."""
    span = node.span
    text = span.source.text[span.start : span.end].rstrip()
    return Span(span.source, span.start, span.start + len(text)) if text else span


# ---- words
TYPE_NAMES: Final = {
    "string": "a text",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
}


def _or(words: Iterable[str]) -> str:
    every = list(words)
    return every[0] if len(every) == 1 else f"{', '.join(every[:-1])} or {every[-1]}"


def _and(words: Iterable[str]) -> str:
    every = list(words)
    return every[0] if len(every) == 1 else f"{', '.join(every[:-1])} and {every[-1]}"


def _quoted(words: Iterable[str]) -> list[str]:
    return [f"`{word}`" for word in words]


def _hints(*hints: str) -> str:
    return "      ".join(hint for hint in hints if hint)


def _near(name: str, names: Iterable[str]) -> str:
    """As `nearest`, and short words with their letters in another order too: `si` for `is`."""
    known = list(names)
    swapped = [one for one in known if sorted(one) == sorted(name)]
    return f"did you mean `{swapped[0]}`?" if swapped else did_you_mean(name, known)


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
            return "a text" if node.text else "an empty text"


def _description(fault: SchemaViolation) -> str:
    return str(fault.schema.get("description", ""))


def _example(fault: SchemaViolation) -> str:
    examples = fault.schema.get("examples", [])
    return f"for example: {json.dumps(examples[0], ensure_ascii=False)}" if examples else ""


# ---- keys
def _unknown_keys(fault: SchemaViolation, spot: LocatedNode, diagnostics: Diagnostics) -> None:
    assert isinstance(spot.node, MappingNode)
    known = tuple(fault.schema.get("properties", {}))
    if "anyOf" in fault.schema:
        return  # no key says which sort it is: that is told once, with the likeliest key
    union, verb = tagged_unions().get(fault.title, (None, ""))
    strange = [entry for entry in spot.node.entries if entry.key.text not in known]
    for entry in strange:
        name, span = entry.key.text, entry.key.span
        if union is not None and name in union.verbs:
            _two_verbs(union, spot, verb, name, diagnostics)
        elif union is not None and name in union.arguments:
            message = f"{fault.title} takes no `{name}`"
            label = f"an argument of {_or(_quoted(union.arguments[name]))}"
            help_ = list_names(f"with `{verb}` go", [word for word in known if word != verb])
            diagnostics.add(span, codes.WRONG_ARGUMENT, message, label=label, help=help_, address=spot.address)
        else:
            hint = partial(_other_key, name, known, fault.title, spot.address)
            message = f"{fault.title} has no key `{name}`"
            diagnostics.add(span, codes.UNKNOWN_KEY, message, label="not known here", help=hint, address=spot.address)


def _other_key(name: str, known: Iterable[str], title: str, address: str) -> str:
    if address.startswith("set.") and name.startswith("expect"):
        return "did you mean `expects`? a change is written `{expects: what stands there, value: what is to}`"
    if title == "a variant" and name.partition(".")[0] in _sections():
        return f"write it under `set:`, indented: `{name if '.' in name else f'{name}.…'}: …`"
    return _hints(_near(name, known), list_names("keys", known))


def _sections() -> list[str]:
    """The sections of a game, which a variant changes by address."""
    return [key for key in load_schemas()["part"]["properties"] if key not in load_schemas()["variant"]["properties"]]


def _two_verbs(union: TaggedUnion, spot: LocatedNode, verb: str, other: str, diagnostics: Diagnostics) -> None:
    assert isinstance(spot.node, MappingNode)
    first, second = (entry.key for entry in spot.node.entries if entry.key.text in (verb, other))
    message, label = (
        f"{union.title} has one of `{first.text}` and `{second.text}`, not both",
        f"a second one, beside `{first.text}`",
    )
    hint = "write two of them, each under its own name"
    diagnostics.add(second.span, codes.TWO_VERBS, message, label=label, help=hint, address=spot.address)


def _no_verb(union: TaggedUnion, spot: LocatedNode, strange: list[Entry], diagnostics: Diagnostics) -> None:
    """No key says which sort it is. A misspelt one is the likeliest cause, so an unknown key is shown."""
    names = list_names("one of", union.verbs)
    likely = [entry.key for entry in strange if _near(entry.key.text, union.verbs)] or [entry.key for entry in strange]
    if likely:
        key = likely[0]
        message, hint = f"{union.title} has no key `{key.text}`", _hints(_near(key.text, union.verbs), names)
        diagnostics.add(key.span, codes.UNKNOWN_VERB, message, label="says nothing", help=hint, address=spot.address)
    else:
        message = f"no key says which sort of {union.title.removeprefix('a ')} this is"
        diagnostics.add(spot.key_span, codes.UNKNOWN_VERB, message, help=names, address=spot.address)


def _no_sort(fault: SchemaViolation, spot: LocatedNode, diagnostics: Diagnostics) -> None:
    assert isinstance(spot.node, MappingNode)
    verbs = tuple(option["required"][0] for option in fault.expected)
    known = fault.schema.get("properties", {})
    union = tagged_unions().get(fault.title, (TaggedUnion(fault.title, verbs, {}), ""))[0]
    _no_verb(union, spot, [entry for entry in spot.node.entries if entry.key.text not in known], diagnostics)


def _missing(fault: SchemaViolation, spot: LocatedNode, diagnostics: Diagnostics) -> None:
    _miss(fault, spot, diagnostics, fault.expected)


def _missing_beside(fault: SchemaViolation, spot: LocatedNode, diagnostics: Diagnostics) -> None:
    assert isinstance(spot.node, MappingNode)
    for key, wanted in fault.expected.items():
        if key in spot.node:
            _miss(fault, spot, diagnostics, wanted)


def _miss(fault: SchemaViolation, spot: LocatedNode, diagnostics: Diagnostics, names: Iterable[str]) -> None:
    assert isinstance(spot.node, MappingNode)
    known = fault.schema.get("properties", {})
    strange = [entry.key.text for entry in spot.node if entry.key.text not in known]
    # a misspelt key is one fault, not one unknown key and one missing
    gone = [name for name in names if name not in spot.node and not any(_near(key, [name]) for key in strange)]
    if gone:
        message = f"{fault.title} needs {_and(_quoted(gone))}"
        label, help_ = f"without {_and(_quoted(gone))}", str(known.get(gone[0], {}).get("description", ""))
        diagnostics.add(spot.key_span, codes.MISSING_KEY, message, label=label, help=help_, address=spot.address)


# ---- values
def _type(fault: SchemaViolation, spot: LocatedNode, diagnostics: Diagnostics) -> None:
    union = tagged_unions().get(fault.title, (None, ""))[0]
    if (
        union is not None
        and spot.key is not None
        and spot.key.text in union.verbs
        and isinstance(spot.node, ScalarNode | SequenceNode)
    ):
        # `- run: score_all`: the dash is followed by the step itself, not by its name
        _nameless(
            f"- some_name: {{{spot.key.text}: …}}",
            union.title.removeprefix("a "),
            spot.key.span,
            spot.address,
            diagnostics,
        )
        return
    wanted = [fault.expected] if isinstance(fault.expected, str) else fault.expected
    sorts = _or(TYPE_NAMES[sort] for sort in wanted)
    title, found = str(fault.schema.get("title", sorts)), describe_node(spot.node)
    under = f"`{spot.key.text}`: " if spot.key is not None else ""
    message = f"{under}expected {title}{f' ({sorts})' if sorts != title else ''}, found {found}"
    label = f"this is {found}"
    diagnostics.add(
        content_span(spot.node), codes.WRONG_TYPE, message, label=label, help=_example(fault), address=spot.address
    )


def _enum(fault: SchemaViolation, spot: LocatedNode, diagnostics: Diagnostics) -> None:
    words = [str(word) for word in fault.expected]
    found = spot.node.text if isinstance(spot.node, ScalarNode) else describe_node(spot.node)
    under = f"`{spot.key.text}` is" if spot.key is not None else "expected"
    message, help_ = f"{under} {_or(_quoted(words))}, not `{found}`", _hints(_near(found, words), _description(fault))
    diagnostics.add(
        content_span(spot.node), codes.NOT_ONE_OF, message, label="not one of them", help=help_, address=spot.address
    )


NAME_TITLES: Final = ("an id", "a name", "a name or a list of names", "an offer", "a variant")


def _pattern(fault: SchemaViolation, spot: LocatedNode, diagnostics: Diagnostics) -> None:
    span, found = content_span(spot.node), str(fault.actual)
    if fault.is_key and isinstance(spot.node, MappingNode):
        entry = spot.node.entry(found)
        assert entry is not None
        span = entry.key.span
    better = _as_id(found) if fault.title in NAME_TITLES else ""
    code = codes.BAD_ID if fault.title in NAME_TITLES else codes.WRONG_FORM
    help_ = _hints(better, _description(fault), "" if better else _example(fault))
    diagnostics.add(
        span, code, f"`{found}` is not {fault.title}", label=f"not {fault.title}", help=help_, address=spot.address
    )


ID_PATTERN: Final = re.compile("[a-z][a-z0-9_-]*")
EVERY_PREFIX: Final = "every "  # of a kind, among the members of another


def _as_id(found: str) -> str:
    if found.endswith(".yaml") and ID_PATTERN.fullmatch(stem := found.removesuffix(".yaml").rpartition("/")[2]):
        return f"a name stands without its folder and its `.yaml`: `{stem}`"
    strange = next((letter for letter in found if not letter.isascii()), "")
    if strange:
        name = unicodedata.name(strange, "a character without a name").lower()
        seen = f"`{strange}` is " if strange.isprintable() else ""
        return f"{seen}U+{ord(strange):04X} ({name}): write a to z in its place"
    if found.startswith(EVERY_PREFIX):
        return f"`{found}` is no name but stands for several: name each, or `set` the whole list"
    letters = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in found.strip().lower())
    better = letters.strip("_")
    return f"write `{better}`" if better and better[0].isalpha() and better != found else ""


def _range(fault: SchemaViolation, spot: LocatedNode, diagnostics: Diagnostics) -> None:
    limit, span = fault.expected, spot.node.span
    if fault.keyword == "maximum" and fault.title == "a language version":
        message = f"written in version {fault.actual} of the rule language; this program knows version {limit}"
        hint = "install a newer version of this program"
        diagnostics.add(
            span, codes.NEWER_LANGUAGE, message, label="newer than this program", help=hint, address=spot.address
        )
        return
    bound = f"at least {limit}" if fault.keyword == "minimum" else f"at most {limit}"
    message = f"{fault.title} is {bound}, not {fault.actual}"
    diagnostics.add(span, codes.OUT_OF_RANGE, message, label=bound, help=_description(fault), address=spot.address)


SIZE_UNITS: Final = {
    "Length": ("character", "characters"),
    "Items": ("item", "items"),
    "Properties": ("entry", "entries"),
}
NAMED_ITEM_PREFIX: Final = "a named "  # begins the title of an item of an ordered list


def _size(fault: SchemaViolation, spot: LocatedNode, diagnostics: Diagnostics) -> None:
    if fault.title.startswith(NAMED_ITEM_PREFIX) or fault.title == "an offer":
        _unnamed(fault, spot, diagnostics)
        return
    few, limit = fault.keyword.startswith("min"), int(fault.expected)
    unit = SIZE_UNITS[fault.keyword[3:]][limit != 1]
    message = f"{fault.title} has at {'least' if few else 'most'} {limit} {unit}"
    label = "empty" if few and limit == 1 else ""
    diagnostics.add(
        content_span(spot.node), codes.OUT_OF_RANGE, message, label=label, help=_example(fault), address=spot.address
    )


def _unnamed(fault: SchemaViolation, spot: LocatedNode, diagnostics: Diagnostics) -> None:
    """`- {move: …, to: …}` without a name, or two names under one dash."""
    assert isinstance(spot.node, MappingNode)
    what, keys = fault.title.removeprefix(NAMED_ITEM_PREFIX).removeprefix("an "), spot.node.keys()
    union = tagged_unions().get(f"a {what}", (None, ""))[0]
    if union is not None and any(key in union.verbs for key in keys):
        written = f"- some_name: {{{', '.join(f'{key}: …' for key in keys)}}}"
        _nameless(written, what, spot.key_span, spot.address, diagnostics)
        return
    message = f"one item holds {_and(_quoted(keys))}" if keys else f"an empty item is no {what}"
    hint = "begin each with a dash of its own" if keys else _example(fault)
    label = "an item is one name and what stands under it"
    diagnostics.add(spot.key_span, codes.UNNAMED_ITEM, message, label=label, help=hint, address=spot.address)


def _nameless(written: str, what: str, span: Span, address: str, diagnostics: Diagnostics) -> None:
    label = "here its name is wanted"
    diagnostics.add(
        span, codes.UNNAMED_ITEM, f"this {what} has no name", label=label, help=f"write `{written}`", address=address
    )


def _twice(fault: SchemaViolation, spot: LocatedNode, diagnostics: Diagnostics) -> None:
    assert isinstance(spot.node, SequenceNode)
    seen: list[object] = []
    for item in spot.node:
        value = to_builtins(item)
        if value in seen:
            message = f"`{value}` stands twice in {fault.title}"
            diagnostics.add(content_span(item), codes.LISTED_TWICE, message, label="the second", address=spot.address)
        seen.append(value)


VIOLATION_REPORTERS: Final[dict[str, Callable[[SchemaViolation, LocatedNode, Diagnostics], None]]] = {
    "additionalProperties": _unknown_keys,
    "required": _missing,
    "dependentRequired": _missing_beside,
    "anyOf": _no_sort,
    "type": _type,
    "enum": _enum,
    "pattern": _pattern,
    "minimum": _range,
    "maximum": _range,
    "minLength": _size,
    "maxLength": _size,
    "minItems": _size,
    "minProperties": _size,
    "maxProperties": _size,
    "uniqueItems": _twice,
}


# ---- the check
def check_file_schema(node: Node, diagnostics: Diagnostics) -> str | None:
    """Which kind of file it is by its first key (`game`, `part`, …), or None; faults of shape go into the report."""
    if not isinstance(node, MappingNode):
        if not isinstance(node, ErrorNode):
            message = f"a file is a mapping of keys to values, this is {describe_node(node)}"
            diagnostics.add(
                content_span(node), codes.NOT_A_MAPPING, message, help=list_names("it begins with one of", FILE_KINDS)
            )
        return None
    first = node.entries[0].key if node.entries else None
    if first is None or first.text not in FILE_KINDS:
        _no_kind(node, first, diagnostics)
        return None
    if first.text not in SIZED_KINDS or check_sizes(node, diagnostics):
        check_against_schema(node, first.text, diagnostics)
    return first.text


def _no_kind(node: MappingNode, first: ScalarNode | None, diagnostics: Diagnostics) -> None:
    later = next((entry.key for entry in node.entries if entry.key.text in FILE_KINDS), None)
    if later is not None:
        message, label = f"`{later.text}` has to be the first key of the file", "says which kind of file it is"
        diagnostics.add(later.span, codes.UNKNOWN_FILE_KIND, message, label=label)
        return
    span = first.span if first is not None else node.span
    name = first.text if first is not None else ""
    message = f"no kind of file begins with `{name}`" if name else "an empty mapping is no file of rules"
    hint = _hints(_near(name, FILE_KINDS), list_names("it begins with one of", FILE_KINDS))
    diagnostics.add(span, codes.UNKNOWN_FILE_KIND, message, label="the first key says the kind of file", help=hint)


def check_against_schema(node: MappingNode, kind: str, diagnostics: Diagnostics) -> None:
    """Checks a mapping against the schema of a kind of file; `node` must have the keys where the schema has them."""
    for fault in _distinct(find_violations(to_builtins(node), kind)):
        spot = _spot(node, fault.path)
        if not isinstance(spot.node, ErrorNode):  # somebody complained there already
            say = VIOLATION_REPORTERS.get(fault.keyword)
            assert say is not None, f"the schemas use {fault.keyword!r}, for which there is no sentence"
            say(fault, spot, diagnostics)


def _distinct(found: Iterable[SchemaViolation]) -> Iterator[SchemaViolation]:
    """One fault for each node and keyword, and none inside an item without a name: all in it stands one too high."""
    every = list(found)
    nameless = {
        fault.path for fault in every if fault.keyword == "maxProperties" and fault.title.startswith(NAMED_ITEM_PREFIX)
    }
    seen: set[tuple[object, ...]] = set()
    for fault in every:
        key = (fault.path, fault.keyword, str(fault.actual) if fault.is_key else "")
        inside = any(fault.path[:length] in nameless for length in range(len(fault.path)))
        if key not in seen and not inside and not (fault.path in nameless and fault.keyword != "maxProperties"):
            seen.add(key)
            yield fault


__all__ = ["FILE_KINDS", "check_against_schema", "check_file_schema", "content_span", "describe_node"]

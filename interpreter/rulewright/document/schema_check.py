"""Does a file have the right keys, and values of the right type? Every mistake is shown where it is.

In: the nodes of a file. Out: the kind of file, and a diagnostic for every violation of its schema. The schemas define
what is right; `violation_messages` turns each violation into a sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Final

from rulewright import limits
from rulewright.diagnostics import Code, Diagnostics
from rulewright.document import codes
from rulewright.document.kinds_meant import find_kind_meant, report_kind_meant
from rulewright.document.language import LANGUAGE_VERSION, former_keys_of, former_word_hint
from rulewright.document.located_nodes import LocatedNode, content_span, describe_node
from rulewright.document.schema_acceptance import accepts
from rulewright.document.schemas import FILE_KINDS, SchemaViolation, find_violations
from rulewright.document.size_check import SIZED_KINDS, check_sizes
from rulewright.json_values import is_integer
from rulewright.source.node_memo import Same
from rulewright.source.nodes import MappingNode, Node, ScalarNode, SequenceNode, to_builtins
from rulewright.source.plain_scalars import ErrorNode
from rulewright.suggestions import did_you_mean, join_hints, list_names


def check_file_schema(node: Node, diagnostics: Diagnostics) -> str | None:
    """The kind of file by its first key (`game`, `part`, …), or None; violations of its schema are reported."""
    size = len(node.span.source.text)
    if size > limits.MAX_LARGE_CHARACTERS:
        return _check_file(node, diagnostics)
    check = _check_large_once if size > limits.MAX_REMEMBERED_CHARACTERS else _check_once
    kind, reported = check(Same(node))
    diagnostics.extend(reported)
    return kind


def _check(root: Same[Node]) -> tuple[str | None, Diagnostics]:
    """The reader gives the same node for the same text, which is checked once."""
    diagnostics = Diagnostics()
    return _check_file(root.value, diagnostics), diagnostics


_check_once: Final = lru_cache(maxsize=limits.MAX_REMEMBERED_FILES)(_check)
_check_large_once: Final = lru_cache(maxsize=limits.MAX_REMEMBERED_LARGE_FILES)(_check)


def _check_file(node: Node, diagnostics: Diagnostics) -> str | None:
    if not isinstance(node, MappingNode):
        if not isinstance(node, ErrorNode):
            message = f"expected a mapping of keys to values, found {describe_node(node)}"
            diagnostics.add(
                content_span(node),
                codes.NOT_A_MAPPING,
                message,
                help=list_names("begin the file with one of", FILE_KINDS),
            )
        return None
    first = node.entries[0].key if node.entries else None
    if first is None or first.text not in FILE_KINDS:
        _report_no_kind(node, first, diagnostics)
        return None
    if _report_older_language(node, diagnostics):
        return None
    meant = find_kind_meant(node, first.text)
    if meant is not None:
        report_kind_meant(node, first.text, meant, diagnostics)
        return None
    if first.text not in SIZED_KINDS or check_sizes(node, diagnostics):
        check_against_schema(node, first.text, diagnostics)
    return first.text


COUNTING_KINDS: Final = ("scenarios",)  # that mean something else in each version, and so must say in which they are


def _report_older_language(node: MappingNode, diagnostics: Diagnostics) -> bool:
    """Whether a file says that it is written in words that have changed since; then nothing else of it is reported."""
    version = node.get("language")
    if version is None and any(did_you_mean(key, ["language"]) for key in [entry.key.text for entry in node]):
        return False  # a misspelled key is reported as that
    if version is None and node.entries[0].key.text in COUNTING_KINDS:
        _report_no_language(node.entries[0].key, diagnostics)
        return True
    if not isinstance(version, ScalarNode) or not is_integer(version.value):
        return False
    if not 1 <= version.value < LANGUAGE_VERSION:
        return False
    message = f"written in version {version.text} of the rule language; this program reads version {LANGUAGE_VERSION}"
    hint = "`rulewright migrate` rewrites the files of a folder"
    diagnostics.add(version.span, codes.OLDER_LANGUAGE, message, label="an older version", help=hint)
    return True


def _report_no_language(head: ScalarNode, diagnostics: Diagnostics) -> None:
    """For a file of scenarios: without a version nobody knows from what number its players are counted."""
    message = "a file of scenarios says in which version of the language it is written"
    hint = (
        f"in a new file write `language: {LANGUAGE_VERSION}`, and count players from 1; "
        "`rulewright migrate` rewrites one of version 1, which counted them from 0"
    )
    diagnostics.add(head.span, codes.OLDER_LANGUAGE, message, label="no `language`", help=hint)


def _report_no_kind(node: MappingNode, first: ScalarNode | None, diagnostics: Diagnostics) -> None:
    later = next((entry.key for entry in node.entries if entry.key.text in FILE_KINDS), None)
    if later is not None and first is not None and did_you_mean(first.text, FILE_KINDS):
        later = None  # a misspelled first key, and a key of such a file that is the name of another kind
    if later is not None:
        message, label = f"`{later.text}` must be the first key of the file", "says which kind of file it is"
        diagnostics.add(later.span, codes.UNKNOWN_FILE_KIND, message, label=label)
        return
    span = first.span if first is not None else node.span
    name = first.text if first is not None else ""
    message = f"unknown kind of file `{name}`" if name else "empty file"
    current = next((kind for kind in FILE_KINDS if former_keys_of(kind).get(name) == kind), None)
    if current is not None:
        hint: str = former_word_hint(name, current)
    else:
        hint = join_hints(did_you_mean(name, FILE_KINDS), list_names("begin the file with one of", FILE_KINDS))
    diagnostics.add(span, codes.UNKNOWN_FILE_KIND, message, label="the first key says the kind of file", help=hint)


def check_against_schema(node: MappingNode, kind: str, diagnostics: Diagnostics) -> None:
    """Checks a mapping against the schema of a kind of file; its lists must be as written, not normalized."""
    value = to_builtins(node)
    if accepts(value, kind):
        return
    # most files need none of these
    from rulewright.document.deep_keys import DeepKey, Path, find_deep_key
    from rulewright.document.violation_messages import VIOLATION_REPORTERS

    deep = dict[Path, tuple[DeepKey, Code]]()  # by the mapping that they are in, of each the first
    others = list[tuple[SchemaViolation, LocatedNode]]()
    for violation in _distinct_violations(islice(find_violations(value, kind), limits.MAX_VIOLATIONS)):
        location = _locate(node, violation.path)
        if isinstance(location.node, ErrorNode):
            continue  # reported already
        path = (*violation.path, str(violation.actual)) if violation.is_key else violation.path
        key = find_deep_key(node, kind, path)
        if key is None:
            others.append((violation, location))
            continue
        code = codes.UNKNOWN_VERB if violation.keyword == "anyOf" else codes.UNKNOWN_KEY
        first, _ = deep.setdefault(path[:-1], (key, code))
        if key.key.span.start < first.key.span.start:
            deep[path[:-1]] = key, code
    for violation, location in others:
        report = VIOLATION_REPORTERS.get(violation.keyword)
        assert report is not None, f"no reporter for the keyword {violation.keyword!r} of the schemas"
        report(violation, location, diagnostics)
    for found, code in deep.values():
        found.report(code, diagnostics)


def _locate(root: Node, path: Iterable[str | int]) -> LocatedNode:
    node, key, names = root, None, list[str]()
    for part in path:
        match node:
            case SequenceNode(items=items):
                node, key = items[int(part)], None
            case MappingNode():
                entry = node.entry(str(part))
                assert entry is not None, f"the schema refers to a missing key {part!r}"
                node, key = entry.value, entry.key
                names.append(entry.key.text)
            case ScalarNode():
                raise AssertionError("the schema refers to the inside of a scalar")
    return LocatedNode(node, key, ".".join(names))


def _distinct_violations(violations: Iterable[SchemaViolation]) -> Iterator[SchemaViolation]:
    """One violation per node and keyword, and none inside an unnamed item, all of which is one level too high."""
    ordered = list(violations)
    unnamed = {
        violation.path
        for violation in ordered
        if violation.keyword == "maxProperties" and violation.schema.get("x-named-item", False)
    }
    seen: set[tuple[object, ...]] = set()
    for violation in ordered:
        path, is_item_itself = violation.path, violation.keyword == "maxProperties"
        if any(path[:length] in unnamed for length in range(len(path))) or (path in unnamed and not is_item_itself):
            continue
        key = (path, violation.keyword, str(violation.actual) if violation.is_key else "")
        if key not in seen:
            seen.add(key)
            yield violation


__all__ = ["check_against_schema", "check_file_schema"]

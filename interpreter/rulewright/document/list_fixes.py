"""What stands where a list should, written as that list; and a list of named entries where they need no dashes.

In: a node, and the schema of the list that it is not. Out: the fix, where there is only one that can be meant.
"""

from __future__ import annotations

from typing import Final

from rulewright.diagnostics import Fix, Span
from rulewright.document.language import Schema
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.nodes import MappingNode, Node, ScalarNode, SequenceNode

BARE_WORDS: Final = lazy_pattern(r"[a-z0-9][a-z0-9_.-]*(?:, *[a-z0-9][a-z0-9_.-]*)*")  # of a list without brackets
ORDERED: Final = "x-ordered"  # in the schema of a list of named entries, in their order
DASH: Final = "- "


def as_list_fix(node: Node, schema: Schema) -> Fix | None:
    """How a node is written as a list of that schema; None where it is not certain."""
    if isinstance(node, ScalarNode):
        return _with_brackets(node)
    return _with_dashes(node) if isinstance(node, MappingNode) and schema.get(ORDERED) else None


def _with_brackets(node: ScalarNode) -> Fix | None:
    """Brackets around names; quotation marks around them go."""
    if not BARE_WORDS.fullmatch(node.text):
        return None
    span, text = node.span, node.span.source.text
    is_quoted = text[span.start - 1 : span.start] in ("'", '"') and span.start > 0
    return Fix(Span(span.source, span.start - is_quoted, span.end + is_quoted), f"[{node.text}]")


def _with_dashes(node: MappingNode) -> Fix | None:
    """A dash before each entry of a mapping over several lines; what is below it goes with it."""
    span, text = node.span, node.span.source.text
    keys = {entry.key.span.start for entry in node.entries}
    line_starts = {text.rfind("\n", 0, key) + 1: key for key in keys}
    if len(line_starts) < len(keys) or any(text[start:key].strip(" ") for start, key in line_starts.items()):
        return None  # in braces, or of an anchor
    lines, place = list[str](), span.start
    for line in text[span.start : span.end].splitlines(keepends=True):
        key = place if place in keys else line_starts.get(place)
        if key is not None:
            line = f"{line[: key - place]}{DASH}{line[key - place :]}"
        elif line.strip():
            line = f"{' ' * len(DASH)}{line}"
        place += len(line) - len(DASH) * bool(line.strip())
        lines.append(line)
    return Fix(span, "".join(lines))


def without_dashes_fix(node: Node) -> Fix | None:
    """How the items of a list, each a name with its value, are written without dashes; None where it is not certain."""
    items = node.items if isinstance(node, SequenceNode) else ()
    keys = [item.entries[0].key for item in items if isinstance(item, MappingNode) and len(item.entries) == 1]
    if not keys or len({key.text for key in keys}) < len(items):
        return None
    source = node.span.source
    spans = [Span(source, key.span.start - len(DASH), key.span.start) for key in keys]
    if any(source.line_text(span.line)[: span.column + 1].strip(" ") != DASH.strip() for span in spans):
        return None
    first, *others = spans
    return Fix(first, "", also=tuple(others)) if all(span.text == DASH for span in spans) else None


__all__ = ["as_list_fix", "without_dashes_fix"]

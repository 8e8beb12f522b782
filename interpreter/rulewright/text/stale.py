"""Sentences left standing: a variant makes a condition another one, and its text still says what was there before.

In: the rules with a level of variants laid over, and the changes that were carried out. Out: a warning at each such
change.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.diagnostics import Related, Report
from rulewright.text import codes_shape as codes
from rulewright.text.editing import meant, walk
from rulewright.text.nodes import Mapping, Node, Scalar
from rulewright.text.variant import Change


def sentences_left(root: Mapping, applied: Iterable[Change], report: Report) -> None:
    """Warns of clauses whose `is` a change sets while their `text`, which nothing fills in, is of another file."""
    for change in applied:
        if change.verb != "set" or change.payload is None:
            continue
        parts = meant(root, change.parts, change.payload)
        if len(parts) < 3 or parts[-1] != "is" or parts[-3] != "when":
            continue
        clause = walk(root, parts[:-1]).node
        text = clause.entry("text") if isinstance(clause, Mapping) else None
        if text is None or text.value.span.source is change.span.source or _filled_in(text.value):
            continue
        address = ".".join(parts[:-1])
        message = f"`{address}` is another condition now, but its `text` still says what was there before"
        related = [Related(text.value.span, "this is what players read")]
        hint = f"set `{address}.text` too, or all of `{address}` where the sentence is still right"
        report.add(change.payload.span, codes.SENTENCE_LEFT, message, label="said otherwise in its `text`", help=hint,
            address=change.address, related=related)  # fmt: skip


def _filled_in(text: Node) -> bool:
    """Whether a sentence has a hole, and so may say the new condition of itself."""
    match text:
        case Scalar(text=said):
            return "{" in said
        case Mapping(entries=entries):
            return any(_filled_in(one.value) for one in entries)
        case _:
            return False


__all__ = ["sentences_left"]

"""One section of a game's rules out of what several files have of it.

In: the entries of two files under the same key. Out: one entry with what both have, in their order; a name that both
have is reported.
"""

from __future__ import annotations

from rulewright.diagnostics import Diagnostics, Related
from rulewright.document import codes
from rulewright.source.nodes import Entry, MappingNode, SequenceNode


def joined_section(first: Entry, second: Entry, diagnostics: Diagnostics) -> Entry:
    """A section of which two files have entries. An ordered list stands whole in one file, as its order is a rule."""
    name, before, behind = first.key.text, first.value, second.value
    if not isinstance(before, MappingNode) or not isinstance(behind, MappingNode):
        if isinstance(before, SequenceNode) or isinstance(behind, SequenceNode):
            diagnostics.add(
                second.key.span,
                codes.DUPLICATE_SECTION,
                f"duplicate section `{name}`",
                label="defined again",
                help="write the whole list in one file, in its order",
                related=[Related(first.key.span, "first defined here")],
            )
        return first
    entries = {entry.key.text: entry for entry in before}
    for entry in behind:
        earlier = entries.setdefault(entry.key.text, entry)
        if earlier is not entry:
            diagnostics.add(
                entry.key.span,
                codes.DUPLICATE_ID,
                f"duplicate `{entry.key.text}` in `{name}`",
                label="defined again",
                help="an entry of a section stands in one file",
                related=[Related(earlier.key.span, "first defined here")],
                address=f"{name}.{entry.key.text}",
            )
    return Entry(first.key, MappingNode(tuple(entries.values()), before.span), first.history)


__all__ = ["joined_section"]

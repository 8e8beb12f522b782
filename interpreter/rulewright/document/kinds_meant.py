"""Does the first key of a file say that it is of another kind than all its other keys?

In: the mapping of a file, the kind that its first key says. Out: the one kind that has all its other keys, where the
first kind has not, and a diagnostic at the first key.
"""

from __future__ import annotations

from typing import Final

from rulewright.diagnostics import Diagnostics
from rulewright.document import codes
from rulewright.document.language import read_schema
from rulewright.document.schemas import FILE_KINDS, VARIANT_KINDS
from rulewright.source.nodes import MappingNode, ScalarNode
from rulewright.suggestions import WordHint

COMMON_KEYS: Final = frozenset({"for", "language", "text", "players", "source", "status"})  # of files of many kinds
SIMILAR_KINDS: Final = ("variant", "joins")  # of which the first is meant where both would do


def find_kind_meant(node: MappingNode, kind: str) -> str | None:
    """The kind; None where the keys are right, and where several kinds have them, or none."""
    _, *others = node.keys()
    if COMMON_KEYS.issuperset(others) or _has_keys(kind, others, but_for=COMMON_KEYS):
        return None
    fitting = [other for other in FILE_KINDS if other != kind and _has_keys(other, others)]
    if not fitting or (kind in VARIANT_KINDS and fitting[0] in VARIANT_KINDS):
        return None  # variants and what goes with them share most keys
    return fitting[0] if len(fitting) == 1 or fitting == [*SIMILAR_KINDS] else None


def _has_keys(kind: str, others: list[str], *, but_for: frozenset[str] = frozenset()) -> bool:
    """Whether a kind of file has all keys behind the first, and asks for no more, or only for some that may lack."""
    schema = read_schema(kind)
    return {*schema["required"]} - {kind} - but_for <= {*others} <= schema["properties"].keys() - {kind}


def report_kind_meant(node: MappingNode, kind: str, meant: str, diagnostics: Diagnostics) -> None:
    """Reports that the first key is another kind's."""
    entry = node.entries[0]
    head = f"{meant}: {entry.value.text}" if isinstance(entry.value, ScalarNode) else f"{meant}: …"
    first, others = (read_schema(name)["title"] for name in (kind, meant))
    message = f"this says that the file is {first}, and it has the keys of {others}"
    hint = WordHint(f"begin it with `{head}`", kind, meant, is_certain=False)
    diagnostics.add(entry.key.span, codes.WRONG_FILE_KIND, message, label="another kind of file", help=hint)


__all__ = ["find_kind_meant", "report_kind_meant"]

"""What a file's schema expected and the file does not have, in a sentence at the right line.

In: a `SchemaViolation` and the node it is about. Out: a diagnostic. `VIOLATION_REPORTERS` maps the keyword of the
schema that does not hold to the function that reports it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rulewright.diagnostics import Diagnostics
from rulewright.document.key_messages import report_unknown_keys, report_untagged
from rulewright.document.located_nodes import LocatedNode
from rulewright.document.missing_key_messages import report_dependent_required, report_required
from rulewright.document.schemas import SchemaViolation
from rulewright.document.value_messages import (
    report_duplicates,
    report_enum,
    report_pattern,
    report_range,
    report_size,
    report_type,
)

VIOLATION_REPORTERS: Final[dict[str, Callable[[SchemaViolation, LocatedNode, Diagnostics], None]]] = {
    "additionalProperties": report_unknown_keys,
    "required": report_required,
    "dependentRequired": report_dependent_required,
    "anyOf": report_untagged,
    "type": report_type,
    "enum": report_enum,
    "pattern": report_pattern,
    "minimum": report_range,
    "maximum": report_range,
    "minLength": report_size,
    "maxLength": report_size,
    "minItems": report_size,
    "minProperties": report_size,
    "maxProperties": report_size,
    "uniqueItems": report_duplicates,
}

__all__ = ["VIOLATION_REPORTERS"]

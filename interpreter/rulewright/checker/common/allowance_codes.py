"""What can be wrong with an allowance, by which an author accepts a warning."""

from __future__ import annotations

from typing import Final

from rulewright.diagnostics import Code

ALLOWANCE_WITHOUT_REASON: Final = Code("L101", "allowance-without-reason", "an allowance gives no reason", "warning")
UNKNOWN_ALLOWANCE: Final = Code(
    "L102", "unknown-allowance", "an allowance names no diagnostic, or one that cannot be allowed", "warning"
)
UNUSED_ALLOWANCE: Final = Code("L103", "unused-allowance", "an allowance for a warning that does not occur", "warning")

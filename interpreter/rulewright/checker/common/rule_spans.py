"""Where a rule is shown that has no place of its own in what is told: at its name, or at that of the game.

In: the address of a rule, or a fault, and a composition. Out: a span.
"""

from __future__ import annotations

from rulewright.diagnostics import Span
from rulewright.document.address import find_entry
from rulewright.engine.faults import RuleFault
from rulewright.model.loader import Composition


def fault_span(fault: RuleFault, composition: Composition) -> Span:
    """The step that fails; the game's name when the fault has no better place."""
    return fault.span or rule_span(fault.address, composition)


def rule_span(address: str, composition: Composition) -> Span:
    """The name of the rule at an address; the game's name where there is none."""
    root = composition.document.root
    entry = find_entry(root, address) if address else None
    return entry.key.span if entry is not None else root.entries[0].value.span


__all__ = ["fault_span", "rule_span"]

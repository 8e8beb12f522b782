"""Which engine plays: the one place that decides it.

In: rules. Out: an `Engine`.
"""

from __future__ import annotations

from collections.abc import Collection

from rulewright.engine.interface import Engine
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.model.rules import Rules


def make_engine(rules: Rules, *, tokenwise: Collection[str] = ()) -> Engine:
    """The engine of rules. `tokenwise`: addresses of the choices that are answered piece by piece; raises `ValueError`
    for any other.
    """
    return ReferenceEngine(rules, tokenwise=tokenwise)


__all__ = ["make_engine"]

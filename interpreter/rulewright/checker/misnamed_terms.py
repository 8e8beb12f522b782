"""Does a term of a value read another place or state than the one that it is called like?

In: the state of a build. Out: warnings about terms of a value that each player has, with the name of a zone or a state
that each has, too, which do not read it, but another one: what they count is counted in the wrong place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.checker.condition_nodes import condition_node
from rulewright.checker.lint_codes import OTHER_WAY
from rulewright.checker.rules_read import all_parts
from rulewright.checker.warn import warn
from rulewright.expr.scope import StateSymbol, Symbol, ZoneSymbol
from rulewright.expr.tree import ReadState, ReadZone
from rulewright.expr.types import SEAT
from rulewright.model.build_state import BuildState, after_errors, build_pass


@build_pass(needs=["values", "symbols"], skip=after_errors)
def check_misnamed_terms(state: BuildState) -> None:
    """Reports them."""
    for name, key, term, read in _misnamed(state, state.symbols.symbols):
        address = f"values.{name}.{key}.{term}"
        node = condition_node(state.document.root, f"values.{name}.{key}", term)
        if node is not None:
            message = f"the term `{term}` reads `{read}`, not `{term}`"
            hint = f"read `{term}`, or call the term otherwise"
            warn(state, node.span, OTHER_WAY, message, "another place", hint, address)


def _misnamed(state: BuildState, symbols: Mapping[str, Symbol]) -> Iterator[tuple[str, str, str, str]]:
    """The value, the key of its sum, the term and what it reads instead."""
    for name, definition in state.values.items():
        if SEAT not in definition.key_types:
            continue
        for key, terms in (("sum", definition.terms), ("less", definition.deductions)):
            for term, expr in terms:
                named = symbols.get(term)
                if not isinstance(named, ZoneSymbol | StateSymbol) or SEAT not in named.key_types:
                    continue
                parts = all_parts(state.values, [expr])
                reads = [part.name for part in parts if isinstance(part, ReadZone | ReadState)]
                if reads and term not in reads:
                    yield name, key, term, reads[0]


__all__ = ["check_misnamed_terms"]

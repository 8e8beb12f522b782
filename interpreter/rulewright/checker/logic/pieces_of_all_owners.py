"""Does a term that is there for each player count the pieces of all?

In: the state of a build. Out: warnings about terms of values and of the ranking that are the same for every player,
beside others that are not.
"""

from __future__ import annotations

from typing import Final, TypeGuard

from rulewright.checker.common.lint_codes import ALL_SEATS
from rulewright.checker.common.warn import warn
from rulewright.checker.logic.forgotten_keys import is_about_all
from rulewright.expr.tree import Expr, ReadValue, ReadZone
from rulewright.expr.types import SEAT
from rulewright.expr.walk import addends, free_variables, iter_exprs
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.sentences import nodes_by_language

SAYS_OWN: Final = lazy_pattern(r"(?i)\b(?:own|propres?)\b")
AT_THE_END: Final = ("ranking", "evaluation", "measures", "strategies", "display")


@build_pass(needs=["values", "zones", "judged", "book_sentences"], skip=after_errors)
def check_owners_in_terms(state: BuildState) -> None:
    """Terms for each player that count the pieces of all players in a place, beside others that are about one player:
    they decide nothing in the ranking. What play asks about, too, may mean all, unless its sentence says `own`.
    """
    for address, node, expr in state.judged.expressions:
        section, name = (*address.split("."), "")[:2]
        value = state.values.get(name) if section == "values" else None
        keys = (SEAT,) if section == "ranking" else () if value is None else value.key_types
        if keys.count(SEAT) != 1:
            continue
        slot = keys.index(SEAT)
        terms = [expr] if value is None else [term for _, term in (*value.terms, *value.deductions)]
        parts = [part for term in terms for part in addends(term)]
        shared = [part for part in addends(expr) if slot not in free_variables(part)]
        counted = [read for part in shared for read in iter_exprs(part) if _is_of_all_owners(read, state)]
        if not counted or not any(slot in free_variables(part) for part in parts):
            continue
        is_of_one = _says_own(state, address) or value is None or not _is_asked_in_play(name, state)
        if is_of_one and not is_about_all(state.book_sentences.entries, address):
            read = counted[0]
            message = f"this counts the pieces of all players in `{read.name}`, so it is the same for every player"
            hint = f"count those of one player, who comes last: `{read.name}({'…, ' if read.keys else ''}player)`"
            warn(state, node.subspan(*read.offsets), ALL_SEATS, message, "all players", hint, address)


def _says_own(state: BuildState, address: str) -> bool:
    entry = state.book_sentences.entries.get(address)
    return entry is not None and any(SAYS_OWN.search(node.text) for node in nodes_by_language(entry).values())


def _is_asked_in_play(name: str, state: BuildState) -> bool:
    """Whether anything but the ranking, and what bots go by, reads a value."""
    return any(
        isinstance(part, ReadValue) and part.name == name
        for address, _, expr in state.usage.expressions
        if address.split(".")[0] not in AT_THE_END
        for part in iter_exprs(expr)
    )


def _is_of_all_owners(read: Expr, state: BuildState) -> TypeGuard[ReadZone]:
    """Whether all pieces of a place are read that are each some player's."""
    return isinstance(read, ReadZone) and read.member is None and state.zones[read.name].content_type == SEAT


__all__ = ["check_owners_in_terms"]

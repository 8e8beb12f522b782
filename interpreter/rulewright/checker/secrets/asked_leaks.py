"""Does what somebody is asked, or why it is refused, give away what that player may not see?

In: the state of a build in which all rules and sentences have been read. Out: warnings at choices, clauses, steps and
the holes of sentences.
"""

from __future__ import annotations

from rulewright.checker.common.rules_read import offer_clauses
from rulewright.checker.common.warn import warn
from rulewright.checker.secrets.information_leaks import HiddenReadFinder, LeakSearch
from rulewright.model.build_state import BuildState, after_errors, build_pass


@build_pass(needs=["actions", "blocks", "zones", "values", "expr_sources", "sentences"], skip=after_errors)
def check_information_leaks(state: BuildState) -> None:
    """Choices, conditions and reasons that give the seat that chooses something it may not see."""
    finder = HiddenReadFinder(state.zones, state.values, state.players)
    search = LeakSearch(finder, state.expr_sources, state.sentences.hole_sources)
    leaks = [*search.in_actions(state.actions, offer_clauses(state.blocks)), *search.in_steps(state.blocks)]
    for leak in leaks:
        warn(state, leak.span, leak.code, leak.message, leak.label, leak.hint, leak.address)


__all__ = ["check_information_leaks"]

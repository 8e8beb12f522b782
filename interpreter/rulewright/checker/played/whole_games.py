"""Games that are played to their end: what was never so in any of them, although it was asked often?

In: rules that can be played, the composition they were built from, what is told already, how many decisions are played
in a game. Out: warnings about conditions that never held, criteria of the ranking that decide nothing, looks into
places that are always empty. The games are played once, for all that look for something in them.
"""

from __future__ import annotations

from rulewright.checker.common.tried_games import watch_games
from rulewright.checker.played.even_rankings import EvenRankings
from rulewright.checker.played.never_held import NeverHeld
from rulewright.checker.played.vain_looks import VainLooks
from rulewright.diagnostics import Diagnostics
from rulewright.engine.default_engine import make_watchable_engine
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules


def check_whole_games(rules: Rules, composition: Composition, diagnostics: Diagnostics, decisions: int) -> None:
    """Reports a condition, or else a criterion, or else a look."""
    never, even = NeverHeld(rules, composition, diagnostics), EvenRankings(rules, composition, diagnostics)
    vain = VainLooks(rules, composition, diagnostics)
    watchers = [one for one in (never.answers, even, vain) if not one.has_seen_all()]
    if not watchers or not watch_games(make_watchable_engine(rules), watchers, decisions):
        return
    never.report(diagnostics, decisions)
    for other in (even, vain):
        if not len(diagnostics):
            other.report(diagnostics)


__all__ = ["check_whole_games"]

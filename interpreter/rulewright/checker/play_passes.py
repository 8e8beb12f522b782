"""The checks of a game that is played, in the order in which they are told.

In: rules without an error, the composition they were built from, what is told already, how many decisions are played.
Out: what is told then. Imported only where rules are played, with bots and compiled programs.
"""

from __future__ import annotations

from rulewright.checker.common.lint_codes import LOOKS_AT_HIDDEN
from rulewright.checker.logic.ends_of_the_beginning import check_ends_of_the_beginning
from rulewright.checker.logic.limits_never_met import check_limits_never_met
from rulewright.checker.logic.never_done import check_never_done
from rulewright.checker.played.contested_states import check_contested_states
from rulewright.checker.played.counted_rounds import check_counted_rounds
from rulewright.checker.played.dry_deals import check_dry_deals
from rulewright.checker.played.early_ends import check_early_ends
from rulewright.checker.played.endless_passing import check_endless_passing
from rulewright.checker.played.exceeded_limits import check_exceeded_limits
from rulewright.checker.played.finished_games import FinishedGames
from rulewright.checker.played.first_turn_ends import check_first_turn_ends
from rulewright.checker.played.masked_ends import MaskedEnds
from rulewright.checker.played.never_exceeded import NeverExceeded
from rulewright.checker.played.outgrown_types import check_outgrown_types
from rulewright.checker.played.play_check import check_play
from rulewright.checker.played.repeated_turns import check_repeated_turns
from rulewright.checker.played.steady_rolls import check_steady_rolls
from rulewright.checker.played.whole_games import check_whole_games
from rulewright.checker.secrets.hidden_looks import find_hidden_looks
from rulewright.diagnostics import Diagnostics
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules


def check_in_play(rules: Rules, composition: Composition, diagnostics: Diagnostics, decisions: int) -> Diagnostics:
    """What is told with what play has shown; no more than that once rules have failed."""
    exceeded, masked = NeverExceeded(rules, composition), MaskedEnds(rules, composition)
    finished = FinishedGames()
    check_play(rules, composition, diagnostics, decisions, (exceeded, masked, finished))
    if not diagnostics.error_count:
        check_steady_rolls(rules, composition, diagnostics, decisions)
    if not diagnostics.error_count:
        check_counted_rounds(rules, composition, diagnostics)
    if diagnostics.error_count:
        return diagnostics
    check_early_ends(rules, composition, diagnostics)
    check_dry_deals(rules, composition, diagnostics)
    check_contested_states(rules, composition, diagnostics)
    exceeded.report(diagnostics)
    check_exceeded_limits(rules, composition, diagnostics)
    check_outgrown_types(rules, composition, diagnostics)
    looks = find_hidden_looks(rules)
    is_suspected = bool(looks) or any(one.code is LOOKS_AT_HIDDEN for one in diagnostics)
    if is_suspected and not diagnostics.error_count:
        from rulewright.checker.secrets.secrets_check import check_secrets  # with the game at a table

        diagnostics = check_secrets(rules, composition, looks, diagnostics, decisions)
    if diagnostics.error_count:
        return diagnostics
    check_ends_of_the_beginning(rules, composition, diagnostics)  # after those that play has shown
    check_first_turn_ends(rules, composition, diagnostics)
    masked.report(diagnostics)
    check_never_done(rules, composition, diagnostics)  # which takes as long as a few games
    check_limits_never_met(rules, composition, diagnostics)
    check_repeated_turns(rules, composition, diagnostics)
    check_whole_games(rules, composition, diagnostics, decisions)
    check_endless_passing(rules, composition, diagnostics)  # which is told where nothing worse is
    if not finished.is_any:
        from rulewright.checker.played.unfinished_games import check_unfinished_games  # most games end

        check_unfinished_games(rules, composition, diagnostics)
    return diagnostics


__all__ = ["check_in_play"]

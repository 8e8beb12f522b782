"""Is there a game of which no end ever comes?

In: rules of which no game that was tried was over, and the composition they were built from. Out: a warning where a
game that is played on for long is not over either. Of a game itself it is told if it is over in none of all positions
that can come; it may only be long otherwise, and that a condition never holds is told elsewhere. A variant is told at
the change that causes it, if no end can come, in whatever position, or games are over after far fewer decisions without
it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from rulewright.checker.common.adjustable_numbers import MAX_PLACES
from rulewright.checker.common.change_causes import blamed
from rulewright.checker.common.codes import RUNS_OVER
from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import NEVER_ENDS, ONLY_TAKES_IN
from rulewright.checker.common.tried_games import TriedGame, first_seed
from rulewright.checker.logic.never_done import REASON_CODES
from rulewright.checker.played.closed_positions import count_endless_positions
from rulewright.diagnostics import Diagnostics, Related
from rulewright.engine.default_engine import make_engine
from rulewright.engine.faults import RuleFault
from rulewright.model.effects import Finish, Leave, Step
from rulewright.model.facts.expression_ranges import ExpressionRanges, Variables
from rulewright.model.facts.found_ranges import BlockRanges
from rulewright.model.facts.position_ranges import find_position_ranges
from rulewright.model.facts.value_ranges import FALSE
from rulewright.model.loader import Composition, base_rules
from rulewright.model.rules import Rules

HINT: Final = "let an end of the game come in spite of this, or add one that does"
MAX_DECISIONS: Final = 3_000  # of a game that is played on
GAMES: Final = 3  # by the rules without a variant, and by those with it
TIMES_AS_LONG: Final = 20
MIN_DECISIONS: Final = 300
CAUSES: Final = (*REASON_CODES, NEVER_ENDS, ONLY_TAKES_IN, RUNS_OVER)


def check_unfinished_games(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports it, unless something is told that may be why."""
    ends = [step for block in rules.blocks for step in block.steps if isinstance(step.effect, Finish | Leave)]
    if not ends or any(one.severity == "error" or one.code in CAUSES for one in diagnostics):
        return
    try:
        if _decisions(rules, 0, MAX_DECISIONS) is not None:
            return
        if composition.chosen_variants:
            _report_variant(rules, ends, composition, diagnostics)
        elif (positions := count_endless_positions(rules)) is not None:
            _report_game(positions, ends, composition, diagnostics)
    except RuleFault:  # in a game that is played for longer than asked
        return


def _report_game(positions: int, ends: Sequence[Step], composition: Composition, diagnostics: Diagnostics) -> None:
    """At the first of its ends."""
    root, end = composition.document.root, ends[0]
    diagnostics.add(
        key_span(root, end.address, "when", end.span),
        NEVER_ENDS,
        f"the game is never over: {positions} positions can come, whatever anybody does, and it ends in none of them",
        label="never holds when it is asked",
        help="what is done before it is asked may undo it each time",
        address=end.address,
        related=[Related(other.span, "nor does this") for other in ends[1:]],
    )


def _report_variant(rules: Rules, ends: Sequence[Step], composition: Composition, diagnostics: Diagnostics) -> None:
    """At the change without which games end, if they do."""
    base = base_rules(composition)
    cause = None if base is None else _cause(rules, base)
    if cause is not None:
        message, is_right = cause
        message, span = blamed(message, ends[0].address, composition, is_right)
        related = [Related(end.span, "does not come") for end in ends]
        address = ends[0].address
        diagnostics.add(span, NEVER_ENDS, message, label="causes it", help=HINT, address=address, related=related)


def _cause(rules: Rules, base: Rules) -> tuple[str, Callable[[Rules], bool]] | None:
    """Why games do not end, other than by the rules without the variants, and a test of rules that do."""
    longest = _longest(base)
    if longest is None and not _can_end(base):
        return None
    if not _can_end(rules):
        return "no end of the game can come", _can_end
    limit = max(MIN_DECISIONS, TIMES_AS_LONG * (longest or MAX_DECISIONS))
    if limit > MAX_DECISIONS or _ends_within(limit, rules):
        return None
    message = (
        f"none of {GAMES} games that were tried was over after {limit:,} decisions; "
        f"without the variant each was over after {longest} at most"
    )
    return message, partial(_ends_within, limit)


def _decisions(rules: Rules, number: int, most: int) -> int | None:
    """How many decisions a game of random players has; None where it is not over after so many."""
    game = TriedGame(make_engine(rules), "random", first_seed(rules) + number, most).play()
    if game.fault is not None:
        raise game.fault
    return game.made if game.is_over else None


def _longest(rules: Rules) -> int | None:
    """How many decisions the longest of a few games has; None where one is not over in time."""
    found = [_decisions(rules, number, MAX_DECISIONS // TIMES_AS_LONG) for number in range(GAMES)]
    return None if None in found else max(made for made in found if made is not None)


def _ends_within(limit: int, rules: Rules) -> bool:
    """Whether a game is over after so many decisions."""
    try:
        return any(_decisions(rules, number, limit) is not None for number in range(GAMES))
    except RuleFault:
        return False


def _can_end(rules: Rules) -> bool:
    """Whether some end of the game is not ruled out by all that there can be in any position; of large boards that is
    not asked.
    """
    if sum(zone.size for zone in rules.zones.values()) > MAX_PLACES:
        return True
    known = find_position_ranges(rules)
    ranges = ExpressionRanges(rules, known.contents, known.variables)
    return any(
        step.when is None or ranges.scalars(step.when, _variables(step, ranges, block), block.me) != FALSE
        for number, block in known.blocks.items()
        for step in rules.blocks[number].steps
        if isinstance(step.effect, Finish | Leave)
    )


def _variables(step: Step, ranges: ExpressionRanges, block: BlockRanges) -> Variables:
    """What is bound where a step asks for its condition."""
    if step.for_each is None:
        return block.variables
    elements = ranges.elements(step.for_each.over, block.variables, block.me).elements
    return {**block.variables, step.for_each.slot: elements}


__all__ = ["check_unfinished_games"]

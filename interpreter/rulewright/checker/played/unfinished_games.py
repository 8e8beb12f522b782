"""Does a variant keep the end of a game from coming?

In: rules of which no game that was tried was over, and the composition they were built from. Out: a warning at a change
of a variant where a game that is played on for long is not over either, and it is proved that no end can come, in
whatever position, or games are over after far fewer decisions without it. Of a game without variants nothing is said:
it may be long, and that an end never holds is told elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from rulewright.checker.common.change_causes import blamed
from rulewright.checker.common.lint_codes import NEVER_ENDS
from rulewright.checker.common.tried_games import TriedGame, first_seed
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

MAX_DECISIONS: Final = 3_000  # of a game that is played on
GAMES: Final = 3  # by the rules without a variant, and by those with it
TIMES_AS_LONG: Final = 20
MIN_DECISIONS: Final = 300


def check_unfinished_games(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports it, unless something else is told, which may be why."""
    base = base_rules(composition) if composition.chosen_variants else None
    ends = [step for block in rules.blocks for step in block.steps if isinstance(step.effect, Finish | Leave)]
    if base is None or not ends or len(diagnostics):
        return
    try:
        if _decisions(rules, 0, MAX_DECISIONS) is not None:
            return
        cause = _cause(rules, base)
    except RuleFault:  # in a game that is played for longer than asked
        return
    if cause is not None:
        message, is_right = cause
        message, span = blamed(message, ends[0].address, composition, is_right)
        related = [Related(end.span, "does not come") for end in ends]
        address = ends[0].address
        diagnostics.add(span, NEVER_ENDS, message, label="causes it", address=address, related=related)


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
    message = f"no game that was tried was over after {limit:,} decisions; without it each was after {longest} at most"
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
    """Whether some end of the game is not ruled out by all that there can be in any position."""
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

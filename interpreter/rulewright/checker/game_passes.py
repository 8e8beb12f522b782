"""The checks of a game's files, whoever plays, in the order in which they are made.

In: nothing. Out: a tuple of functions. A new check is a function that adds to `Diagnostics`, and a row here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rulewright.checker.texts.other_languages import check_languages_of_game
from rulewright.checker.texts.print_quotes import check_quotes_of_game
from rulewright.checker.texts.statement_references import check_statements
from rulewright.checker.texts.unsaid_rules import check_unsaid_rules
from rulewright.checker.texts.words_of_program import check_words
from rulewright.checker.variant_checks import check_adjustments
from rulewright.diagnostics import Diagnostics
from rulewright.document.document import Document

GamePass = Callable[[Document, Diagnostics], None]

GAME_PASSES: Final[tuple[GamePass, ...]] = (
    check_statements,
    check_adjustments,
    check_unsaid_rules,
    check_quotes_of_game,
    check_languages_of_game,
    check_words,
)

__all__ = ["GAME_PASSES", "GamePass"]

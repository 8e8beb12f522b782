"""What is wrong with one file while it is written, told bit by bit.

In: the path of a file, and the games that are known already. Out: a `FoundSoFar` again and again, the last with all.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rulewright.checker.checker import RuleFileChecker
from rulewright.checker.clean_meanings import CleanMeanings
from rulewright.checker.known_games import KnownGame
from rulewright.diagnostics import Diagnostics
from rulewright.frozen import frozen
from rulewright.model.locate import heads_read_once
from rulewright.variants.variant import variants_read_once


@frozen
class FoundSoFar:
    """What is wrong with a file, as far as it is judged."""

    diagnostics: Diagnostics
    is_all: bool


def check_open_file(path: Path, known_games: dict[Path, KnownGame], clean: CleanMeanings) -> Iterator[FoundSoFar]:
    """What is wrong with one file, again and again while it is written: what is found once its rules are built at one
    number of players, once they are judged at one, at two … and last all of it. `known_games`: by their paths the
    games of which is said what was found before; those that are read now are added at the end. `clean`: what
    need not be judged, to which all is added that is found to be right.
    """
    checker = RuleFileChecker(None, None, (), lambda: None, 0)
    checker.known_games.update(known_games)
    with heads_read_once(), variants_read_once():
        checker.check_file(path)
    parts = checker.judge_rule_sets_in_parts(clean)
    is_last = False
    while not is_last:
        with heads_read_once(), variants_read_once():  # for each part anew: files may change between them
            is_last = next(parts)
            found = checker.finished_diagnostics(is_complete=is_last)
        if is_last:
            known_games.update(checker.known_games)
        yield FoundSoFar(found, is_last)


__all__ = ["FoundSoFar", "check_open_file"]

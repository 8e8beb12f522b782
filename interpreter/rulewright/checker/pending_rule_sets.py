"""Sets of rules that are noted while files are read, and judged when all of them are.

In: `RuleSet`s. Out: what is wrong with each, of all of them at once or, for an editor, at one number of players after
the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rulewright.checker.clean_meanings import CleanMeanings
from rulewright.checker.clean_rule_sets import CleanRuleSets
from rulewright.checker.rule_sets import RuleSet
from rulewright.diagnostics import Diagnostics
from rulewright.frozen import frozen, replace


@frozen
class JudgedSoFar:
    """What is wrong with rule sets, as far as they are judged."""

    results: list[tuple[RuleSet, Diagnostics]]
    is_all: bool


class PendingRuleSets:
    """Each is judged once. `clean`: what was found without a problem before. `on_rules`: called before each set of
    rules that this process judges.
    """

    def __init__(self, clean: CleanRuleSets, on_rules: Callable[[], None]) -> None:
        self.judged: list[RuleSet] = []  # those that were pending before
        self._clean = clean
        self._on_rules = on_rules
        self._noted: list[RuleSet] = []

    def add(self, rules: RuleSet) -> None:
        """Notes a game with variants that is to be judged."""
        self._noted.append(rules)

    def judge(self, jobs: int) -> list[tuple[RuleSet, Diagnostics]]:
        """Judges what was noted, shared among some processes; what was known to be clean before is left out."""
        rule_sets, self._noted = self._noted, []
        self.judged += rule_sets
        keys = [self._clean.key(rules) for rules in rule_sets]
        unknown = [pair for pair in zip(rule_sets, keys, strict=True) if not self._clean.is_known(pair[1])]
        found = _judged([rules for rules, _ in unknown], jobs, self._on_rules)
        results = list(zip(unknown, found, strict=True))
        self._clean.add([pair for pair, diagnostics in results if not len(diagnostics)])
        return [(rules, diagnostics) for (rules, _), diagnostics in results]

    def judge_in_parts(self, clean: CleanMeanings) -> Iterator[JudgedSoFar]:
        """Judges what was noted at one number of players after the other, what was noted last first: a variant before
        its game; at the first one in two steps. After each that is not known to be `clean`: what is found so far.
        """
        rule_sets, self._noted = self._noted, []
        if not any(rules.counts or rules.is_game for rules in rule_sets):
            yield JudgedSoFar([], is_all=True)
            return
        from rulewright.checker.rule_set_checks import (
            check_rule_set,
            check_rule_set_in_steps,
            join_results,
            split_rule_set,
        )

        results = [list[Diagnostics]() for _ in rule_sets]
        parts = [(number, part) for number, rules in enumerate(rule_sets) for part in split_rule_set(rules)]
        parts.sort(key=lambda numbered: -numbered[0])
        meanings = [clean.key(rules) for rules in rule_sets]  # now, since files may change between the parts
        # what is asked of a game's texts whoever plays depends on more than they mean
        keys = [(meanings[number], part.counts) if meanings[number] and part.counts else None for number, part in parts]
        is_first = True
        for index, (number, part) in enumerate(parts):
            is_last, is_known = index == len(parts) - 1, clean.is_known(keys[index])
            results[number].append(Diagnostics())
            steps = iter([(Diagnostics(), True)] if is_last else [])
            if not is_known:
                steps = check_rule_set_in_steps(part) if is_first else iter([(check_rule_set(part), True)])
                is_first = False
            for result, is_judged in steps:
                results[number][-1] = result
                if is_judged and not len(result):
                    clean.add(keys[index])
                judged = zip(rule_sets, results, strict=True)
                joined = [(rules, join_results(_at_first_counts(rules, len(found)), found)) for rules, found in judged]
                yield JudgedSoFar(joined, is_all=is_judged and is_last)


def _at_first_counts(rules: RuleSet, length: int) -> RuleSet:
    return replace(rules, counts=rules.counts[:length])


def _judged(rule_sets: Sequence[RuleSet], jobs: int, on_rules: Callable[[], None]) -> Sequence[Diagnostics]:
    """What is wrong with each."""
    if not rule_sets:
        return ()
    from rulewright.checker.rule_set_checks import check_rule_sets  # with the analyses and an engine

    return check_rule_sets(rule_sets, jobs=jobs, on_rules=on_rules)


__all__ = ["JudgedSoFar", "PendingRuleSets"]

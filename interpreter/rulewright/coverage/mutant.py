"""A mutant: rules with one fault that somebody could have made, and which cases can notice it.

In: nothing. Out: `RuleMutant`, and mutants with names that differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from rulewright.coverage.rule_sites import origin_of
from rulewright.frozen import frozen, replace
from rulewright.model.rules import Rules

RulesChange: TypeAlias = Callable[[], Rules]
LoadWith: TypeAlias = Callable[[str], Rules]  # with a setting


@frozen
class RuleMutant:
    """A fault. `origin`: the variant that wrote the rule, else the game; `sites`: a case can notice it only if it comes
    by one of them, or anyhow if there are none; `change`: makes the rules, and raises `RulesError` where they are none.
    """

    address: str
    words: str
    origin: str
    change: RulesChange
    sites: frozenset[str]

    @classmethod
    def of(cls, rules: Rules, address: str, words: str, change: RulesChange, sites: Iterable[str]) -> RuleMutant:
        """The mutant of these rules."""
        return cls(address, words, origin_of(rules, address), change, frozenset(sites))

    @property
    def name(self) -> tuple[str, str]:
        """What it is called in all rules of the game that have it."""
        return self.address, self.words


def named_apart(mutants: Iterable[RuleMutant]) -> tuple[RuleMutant, ...]:
    """The same mutants, those numbered that would have one name."""
    by_name: dict[tuple[str, str], RuleMutant] = {}
    for mutant in mutants:
        words, number = mutant.words, 1
        while (mutant.address, words) in by_name:
            number += 1
            words = f"{mutant.words} (no. {number})"
        by_name[mutant.address, words] = replace(mutant, words=words)
    return tuple(by_name.values())


__all__ = ["LoadWith", "RuleMutant", "RulesChange", "named_apart"]

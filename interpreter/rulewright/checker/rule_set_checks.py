"""Judges games with variants, shared among some processes by numbers of players.

In: rule sets. Out: `Diagnostics`. Imported only where something is to be judged: of what is known no rules are built,
and neither the analyses nor an engine are needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rulewright.checker.game_checks import check_rules_at, check_rules_in_steps, merge_counts
from rulewright.checker.rule_sets import RuleSet
from rulewright.checker.shared_checks import check_items
from rulewright.diagnostics import Diagnostics
from rulewright.frozen import replace


def check_rule_set(rules: RuleSet) -> Diagnostics:
    """All that is wrong with it, beside what is wrong with each file by itself."""
    diagnostics = check_rules_at(rules.document, rules.counts, rules.variants, play=rules.play)
    if rules.is_game:
        from rulewright.checker.game_passes import GAME_PASSES  # with what reads statements of the book

        for check in GAME_PASSES:
            check(rules.document, diagnostics)
    return diagnostics


def check_rule_set_in_steps(rules: RuleSet) -> Iterator[tuple[Diagnostics, bool]]:
    """The same of a part at one number of players: what is found once its rules are built, where there is more to be
    judged, and all of it; whether that is all.
    """
    if rules.is_game or len(rules.counts) != 1:
        yield check_rule_set(rules), True
        return
    for found, is_all in check_rules_in_steps(rules.document, rules.counts[0], rules.variants, play=rules.play):
        yield merge_counts(rules.counts, [found]), is_all


def split_rule_set(rules: RuleSet) -> list[RuleSet]:
    """The same at each number of players apart, and what is checked of a game whoever plays."""
    parts = [replace(rules, counts=(count,), is_game=False) for count in rules.counts]
    return [*parts, replace(rules, counts=())] if rules.is_game else parts


def join_results(rules: RuleSet, results: Sequence[Diagnostics]) -> Diagnostics:
    """All that is wrong with a rule set, from what is wrong with its parts."""
    diagnostics = merge_counts(rules.counts, results[: len(rules.counts)])
    for result in results[len(rules.counts) :]:
        diagnostics.extend(result)
    return diagnostics


def check_rule_sets(
    rule_sets: Sequence[RuleSet], *, jobs: int, on_rules: Callable[[], None] = lambda: None
) -> list[Diagnostics]:
    """All that is wrong with each. Several processes share them by numbers of players: most of what was read of a game
    at one number is known for its next variant at the same number, little at another number. `on_rules`: called before
    this process checks one, or a part of one.
    """
    if jobs < 2:
        return check_items(check_rule_set, rule_sets, on_item=on_rules)
    parts = [split_rule_set(rules) for rules in rule_sets]
    items = [(number, place) for number, each in enumerate(parts) for place in range(len(each))]
    games = {id(rules.document): number for number, rules in enumerate(rule_sets)}

    def order(item: tuple[int, int]) -> tuple[int, tuple[int, ...]]:
        part = parts[item[0]][item[1]]
        return games[id(part.document)], part.counts

    items.sort(key=order)
    results = dict(
        zip(
            items,
            check_items(check_rule_set, [parts[number][place] for number, place in items], jobs=jobs, on_item=on_rules),
            strict=True,
        )
    )
    return [
        join_results(rules, [results[number, place] for place in range(len(parts[number]))])
        for number, rules in enumerate(rule_sets)
    ]


__all__ = ["check_rule_set", "check_rule_set_in_steps", "check_rule_sets"]

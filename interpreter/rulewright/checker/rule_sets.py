"""A game with variants, as it is checked: what is judged, and what the judgement depends on.

In: a document, numbers of players, paths of variants. Out: `Diagnostics`; a key that is another one when any file that
was read changes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from rulewright.checker.game_checks import check_rules_at, merge_counts
from rulewright.checker.passes import GAME_PASSES
from rulewright.checker.shared_checks import check_items
from rulewright.diagnostics import Diagnostics
from rulewright.document.document import Document
from rulewright.frozen import frozen
from rulewright.model.locate import available_variants, joint_files, joint_files_beside
from rulewright.private_cache import cache_key
from rulewright.variants.variant import translation_files


@frozen
class RuleSet:
    """A game with variants, to be checked at some numbers of players.

    `variant`: the resolved path of the one variant that is checked in this way; None for a game and for several
    variants together. `is_game`: whether it is the game itself, of which more is checked. `play`: decisions played.
    """

    document: Document
    counts: tuple[int, ...]
    variants: tuple[Path, ...]
    variant: Path | None = None
    is_game: bool = False
    play: int = 0


def check_rule_set(rules: RuleSet) -> Diagnostics:
    """All that is wrong with it, beside what is wrong with each file by itself."""
    diagnostics = check_rules_at(rules.document, rules.counts, rules.variants, play=rules.play)
    for check in GAME_PASSES if rules.is_game else ():
        check(rules.document, diagnostics)
    return diagnostics


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


def rule_set_key(rules: RuleSet, digest_of: Callable[[Path], str]) -> str:
    """A digest of all that the judgement depends on besides the program. `digest_of`: of the bytes of a file."""
    document = rules.document
    known = sorted(available_variants(document.name, document.path).items())
    joint = [*joint_files(document.name, document.path), *joint_files_beside(document.name, rules.variants)]
    files = [*document.files, *(file.path for file in document.unread)]
    for variant in dict.fromkeys((*rules.variants, *joint)):
        files += [variant, *translation_files(variant)]
    parts = ["rule set", repr((rules.counts, rules.is_game, rules.play)), str(document.path)]
    parts += [f"{name} {path}" for name, path in known]
    parts += ["variants", *map(str, rules.variants), "joint", *map(str, joint), "files"]
    parts += [f"{path} {digest_of(path)}" for path in dict.fromkeys(files)]
    return cache_key(*parts)


def check_rule_sets(rule_sets: Sequence[RuleSet], *, jobs: int) -> list[Diagnostics]:
    """All that is wrong with each. Several processes share them by numbers of players: most of what was read of a game
    at one number is known for its next variant at the same number, little at another number.
    """
    if jobs < 2:
        return [check_rule_set(rules) for rules in rule_sets]
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
            check_items(check_rule_set, [parts[number][place] for number, place in items], jobs=jobs),
            strict=True,
        )
    )
    return [
        join_results(rules, [results[number, place] for place in range(len(parts[number]))])
        for number, rules in enumerate(rule_sets)
    ]


__all__ = ["RuleSet", "check_rule_set", "check_rule_sets", "rule_set_key"]

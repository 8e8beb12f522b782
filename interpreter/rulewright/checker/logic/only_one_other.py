"""Do two players leave nobody for whom a condition asks, since it wants one other who is this and another who is not?

In: rules for two players, and the composition they were built from. Out: warnings about conditions that ask that some
other is so, and that some other is the contrary: there is only one. Nothing is said where a sentence speaks of how many
play, or the condition asks that. Under variants only what a variant wrote.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from rulewright.checker.logic.known_conditions import SIGNS
from rulewright.checker.logic.rule_conditions import RuleCondition, judged_conditions
from rulewright.checker.logic.unreached_clauses import speaks_of_players
from rulewright.checker.texts.numbers_in_sentences import sentence_texts
from rulewright.checker.texts.sentence_languages import judged_texts
from rulewright.diagnostics import Diagnostics
from rulewright.expr.codes import NEVER_TRUE
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import SIDES_SWAPPED, Builtin, Compare, Expr, Filter, Quantifier
from rulewright.expr.types import PLAYER_COUNT
from rulewright.expr.walk import conjuncts, is_all_seats, iter_exprs, slot_but_me, with_slots
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules

TWO: Final = 2
OTHERS: Final = ("others", "opponents")


def check_only_one_other(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports the second of two such questions."""
    if rules.players != TWO:
        return
    for condition in judged_conditions(rules, composition):
        found = next(_excluding_each_other(condition.expr), None)
        if found is None or _is_about_number(condition, composition):
            continue
        first, second = (condition.text[slice(*part.offsets)].strip() for part in found)
        diagnostics.add(
            condition.span_of(found[1]),
            NEVER_TRUE,
            f"`{first}` and `{second}` never hold together: there is only one other player",
            label="never holds",
            help="let more play (`players`), or ask for one of them only",
            address=condition.address,
        )


def _excluding_each_other(condition: Expr) -> Iterator[tuple[Quantifier, Quantifier]]:
    """Two parts of a condition that ask of the same one other what excludes each other."""
    asking = [part for part in conjuncts(condition) if isinstance(part, Quantifier) and _is_of_some_other(part)]
    for first, second in combinations(asking, 2):
        asked = with_slots(second.condition, {second.slot: first.slot})
        if any(_deny(one, other) for one in conjuncts(first.condition) for other in conjuncts(asked)):
            yield first, second


def _is_of_some_other(part: Quantifier) -> bool:
    """Whether it is asked if there is another player of whom something holds."""
    if part.quantifier != "some" or isinstance(part.over, Filter):
        return False
    if isinstance(part.over, Builtin) and part.over.name in OTHERS:
        return True
    return is_all_seats(part.over) and part.slot in map(slot_but_me, conjuncts(part.condition))


def _deny(one: Expr, other: Expr) -> bool:
    """Whether two comparisons of the same never hold together."""
    if not isinstance(one, Compare) or not isinstance(other, Compare) or one.op not in SIGNS or other.op not in SIGNS:
        return False
    keys = structural_key(one.left), structural_key(one.right)
    if None in keys:
        return False
    swapped = SIDES_SWAPPED.get(other.op, other.op)
    for op, left, right in ((other.op, other.left, other.right), (swapped, other.right, other.left)):
        if keys == (structural_key(left), structural_key(right)) and set(SIGNS[one.op]).isdisjoint(SIGNS[op]):
            return True
    return False


def _is_about_number(condition: RuleCondition, composition: Composition) -> bool:
    """Whether a condition asks how many play, or a sentence of it or of its variant says something of that."""
    if any(isinstance(part, Builtin) and part.name == PLAYER_COUNT for part in iter_exprs(condition.expr)):
        return True
    variants = [variant.text for variant in composition.chosen_variants if variant.text is not None]
    texts = [text.text for node in variants for _, text in sentence_texts(node)]
    texts += [text.text for address, _, text in judged_texts(composition) if _is_near(address, condition.address)]
    return any(map(speaks_of_players, texts))


def _is_near(address: str, other: str) -> bool:
    return f"{address}.".startswith(f"{other}.") or f"{other}.".startswith(f"{address}.")


__all__ = ["check_only_one_other"]

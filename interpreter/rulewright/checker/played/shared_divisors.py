"""Is what is won in lots of one thing from each player divided by another number?

In: each position of the games that were tried in which somebody decides; the rules, and the composition they were built
from. Out: a warning about a number of things in a place, divided by a number, where in all these positions there were
as many there as players, or twice or three times as many, and the number does not divide that. It is one that is right
with other players, or that says something else elsewhere; a sentence that names it means it. Under variants only what a
variant wrote.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import gcd
from typing import Final

from rulewright.checker.common.codes import OTHER_DIVISOR
from rulewright.checker.common.condition_nodes import part_span
from rulewright.checker.common.tried_games import GameWatcher
from rulewright.checker.texts.sentence_languages import sentences_of
from rulewright.diagnostics import Diagnostics
from rulewright.document.address import find_entry
from rulewright.engine.state import Action, State
from rulewright.engine.values import content_bag, content_things
from rulewright.expr.tree import Arithmetic, Call, Constant, Expr, ReadParameter, ReadZone
from rulewright.expr.walk import iter_exprs
from rulewright.frozen import field, frozen, mutable
from rulewright.model.allowed_players import player_counts
from rulewright.model.effects import SetState
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules

MIN_SEEN: Final = 20  # places with something in them
MIN_COUNTS: Final = 3  # different numbers of things there
MAX_LOTS: Final = 3  # for each player: a number that more divides comes of something else


@frozen
class _Division:
    """`count(ZONE) // divisor`, at an address and one of its keys; `value`: what the divisor is; `name`: that
    of the parameter that it is.
    """

    address: str
    key: str
    part: Arithmetic
    zone: str
    value: int
    name: str


@mutable
class SharedDivisors(GameWatcher):
    """How many things were in the places of zones whose things are counted and divided, whatever games do."""

    rules: Rules
    divisions: list[_Division] = field(default_factory=list)
    seen: dict[str, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.divisions = [*_divisions(self.rules)]

    def add(self, state: State, legal: Sequence[Action]) -> None:
        """Counts what is there at a decision."""
        for name in dict.fromkeys(division.zone for division in self.divisions):
            zone = self.rules.zones[name]
            for content in state.contents[zone.first_index : zone.first_index + zone.size]:
                count = sum(content_bag(content)) if zone.is_pool else len(content_things(content))
                if count:
                    self.seen.setdefault(name, []).append(count)

    def report(self, composition: Composition, diagnostics: Diagnostics) -> None:
        """Reports the divisions that leave a rest of what is always there in lots of one from each player."""
        players = self.rules.players
        for one in self.divisions:
            counts = self.seen.get(one.zone, [])
            shared = gcd(*counts) if counts else 0
            is_shared = shared in range(players, (MAX_LOTS + 1) * players, players) and players > 1
            if not is_shared or len(counts) < MIN_SEEN or len({*counts}) < MIN_COUNTS or shared % one.value == 0:
                continue
            if not _is_of_others(one, self.rules, composition) or _is_named(one, composition):
                continue
            root = composition.document.root
            entry = find_entry(root, one.address)
            span = part_span(root, one.address, one.key, one.part.right, entry.key.span if entry else root.span)
            if not composition.is_judged(span):
                continue
            message = f"there are always {players} or a multiple of it in `{one.zone}`, one from each player, and this "
            message += f"divides by {one.value}"
            hint = "write `players`, or say in its sentence what the number is"
            diagnostics.add(span, OTHER_DIVISOR, message, label="leaves a rest", help=hint, address=one.address)


def _divisions(rules: Rules) -> Iterator[_Division]:
    """The divisions of what is counted in one zone by a number above 2: halves and pairs are meant."""
    for address, key, text, expr in _written(rules):
        for part in iter_exprs(expr):
            match part:
                case Arithmetic(op="//", left=Call(function="count", args=(ReadZone(name=zone),)), right=right):
                    number, name = _number(right, rules), text[slice(*right.offsets)].strip()
                    if number > 2:
                        yield _Division(address, key, part, zone, number, name if name.isidentifier() else "")


def _written(rules: Rules) -> Iterator[tuple[str, str, str, Expr]]:
    """The expressions of values, and those that steps set: at which rule, at which of its keys, and as they are."""
    for value in rules.values.values():
        is_single = len(value.terms) == 1 and not value.deductions
        for (name, term), text in zip(value.terms, value.source_texts, strict=False):
            yield f"values.{value.name}", "is" if is_single else f"sum.{name}", text, term
    for step in (step for block in rules.blocks for step in block.steps):
        if isinstance(step.effect, SetState):
            yield step.address, "to", dict(step.source_texts).get("to", ""), step.effect.to


def _number(expr: Expr, rules: Rules) -> int:
    """What a divisor is, if it is a number or a parameter; else 0."""
    value = expr.value if isinstance(expr, Constant) else None
    if isinstance(expr, ReadParameter) and not expr.keys:
        value = rules.parameters[expr.name].value
    return value if type(value) is int else 0


def _is_of_others(one: _Division, rules: Rules, composition: Composition) -> bool:
    """Whether a divisor is a number of players that the game allows, or a parameter that other rules use, too."""
    if not one.name:
        fewest, most = player_counts(composition.document)
        return fewest <= one.value <= most
    word = re.compile(rf"\b{one.name}\b")
    steps = (step for block in rules.blocks for step in block.steps if step.address != one.address)
    return any(word.search(text) for step in steps for _, text in step.source_texts)


def _is_named(one: _Division, composition: Composition) -> bool:
    """Whether the sentence of the rule names the number."""
    for sentence in sentences_of(one.address.partition(".")[0], composition):
        if ".".join(sentence.parts).startswith(one.address):
            texts = [text.text for _, text in sentence.texts]
            if one.value in sentence.numbers or (one.name and any(one.name in text for text in texts)):
                return True
    return False


__all__ = ["SharedDivisors"]

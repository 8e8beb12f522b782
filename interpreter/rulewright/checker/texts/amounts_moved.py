"""Does a sentence tell to take another number than its steps move?

In: rules, and the composition they were built from. Out: warnings at numbers. Asked are sentences that begin with what
is done and how often ("Take two cards …", "Everybody draws two cards …") of actions and of steps that move; nothing is
said unless the word behind the number is what is moved and every amount is known before play. Numbers in conditions are
no excuse: of a heap that must hold two, three may be taken.
"""

from __future__ import annotations

from itertools import combinations
from typing import Final

from rulewright.checker.common.lint_codes import OTHER_NUMBER
from rulewright.checker.common.rules_read import steps_within
from rulewright.checker.texts.numbers_in_sentences import SMALLEST, iter_sentences, leading_amount, listed_as_true
from rulewright.diagnostics import Diagnostics
from rulewright.document.sentence_places import sentence_address
from rulewright.expr.fold import fold_constant
from rulewright.expr.tree import Arithmetic, BagLiteral, Constant, Expr, Local
from rulewright.expr.types import SEAT, Bag, Member, Number, SetOf, Thing
from rulewright.expr.walk import is_me
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.actions import Choice, OneOf, SomeOf
from rulewright.model.effects import Choose, Move, Step
from rulewright.model.judged_rules import is_judged
from rulewright.model.loader import Composition
from rulewright.model.locale import ENGLISH
from rulewright.model.rules import Rules
from rulewright.source.nodes import ScalarNode
from rulewright.suggestions import join_list

SECTIONS: Final = ("actions", "setup", "turn", "round", "finale", "procedures")
MAX_AMOUNTS: Final = 6  # in one action
SINGLE: Final = {  # one of what is moved, by language
    "en": lazy_pattern(r"(?i)(?<!of )(?<!in )(?<!from )\b(?:an?|one|a single) (\w{2,30})\b(?! or more)"),
    "fr": lazy_pattern(r"(?i)(?<!de )(?<!d')\b(?:une?|une seule|un seul) (\w{2,30})\b"),
}
MORE_OF_THEM: Final = lazy_pattern(  # words by which there may be more of it
    r"(?i)\b(?:pairs?|(?<!^)each|every|all|both|twice|another|more|also|several|some|as many|per|double|paires?|chaque"
    r"|tou(?:te)?s|deux fois|autres?|aussi|plusieurs|autant|par)\b|[{]"
)
PLURALS: Final = (("", "s"), ("y", "ies"))  # an end of a word, and what stands for it then
GIVEN: Final = "given"  # by the player in turn
TAKEN: Final = "taken"


def check_amounts_moved(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them; under variants, those that a variant wrote."""
    files = frozenset(
        entry.value.span.source.path for variant in composition.applied_variants for entry in variant.root
    )
    accepted = {address for variant in composition.chosen_variants for address in listed_as_true(variant)}
    reported = {(one.span.source.path, one.span.start) for one in diagnostics if one.code is OTHER_NUMBER}
    root = composition.document.root
    for section in SECTIONS:
        node = root.get(section)
        if node is None or (composition.chosen_variants and not is_judged(node, files)):
            continue
        for sentence in iter_sentences(node, (section,)):
            address = sentence_address(sentence.parts)
            if address in accepted:
                continue
            for language, text in sentence.texts:
                is_asked = not composition.chosen_variants or text.span.source.path in files
                if is_asked and not any(number >= SMALLEST for number in sentence.numbers):
                    _check_single(rules, address, language, text, diagnostics)
                    continue
                amount = leading_amount(text) if language == ENGLISH and is_asked else None
                if amount is None:
                    continue
                number, span, behind = amount
                amounts = _amounts(rules, address)
                if amounts is None or number in _sums(amounts) or _names(rules, address).isdisjoint(behind):
                    continue
                if (span.source.path, span.start) not in reported:
                    shown = _shown(amounts)
                    message = f"this says {number}, but its steps move {shown}"
                    hint = f"write {shown}, or move {number}" if shown.isdecimal() else ""
                    diagnostics.add(span, OTHER_NUMBER, message, label=f"moved: {shown}", help=hint, address=address)


def _check_single(rules: Rules, address: str, language: str, text: ScalarNode, diagnostics: Diagnostics) -> None:
    """Reports that one of something is named where several are moved, and never one."""
    match = SINGLE[language].search(text.text) if language in SINGLE else None
    if match is None or MORE_OF_THEM.search(text.text):
        return
    moves = [step for step in _steps(rules, address) if isinstance(step.effect, Move)]
    named = [step for step in moves if match[1].lower() in _called(rules, step)]
    amounts = _amounts(rules, address) if named else None
    if amounts is None or min((amount for amount, _ in amounts), default=0) < SMALLEST:
        return
    shown = _shown(amounts)
    span, message = text.subspan(*match.span()), f"this says `{match[0]}`, but its steps move {shown}"
    hint = f"write {shown}, or move 1"
    diagnostics.add(span, OTHER_NUMBER, message, label=f"moved: {shown}", help=hint, address=address)


def _called(rules: Rules, step: Step) -> set[str]:
    """What one of the things or pieces that a step moves is called: not its kind, of which there may be many."""
    assert isinstance(step.effect, Move)
    held = rules.zones[step.effect.to.zone].content_type
    return {held.component} if isinstance(held, Thing) else {*rules.kinds[held.kind].members}


def _steps(rules: Rules, address: str) -> list[Step]:
    """The steps of an action, or the step, that a sentence is about."""
    for action in rules.actions:
        if action.address == address:
            return [*steps_within(action.block, rules.blocks, with_procedures=True)]
    return [step for block in rules.blocks for step in block.steps if step.address == address]


def _shown(amounts: list[tuple[int, str]]) -> str:
    return join_list(sorted({str(amount) for amount, _ in amounts}, key=int), "and")


def _amounts(rules: Rules, address: str) -> list[tuple[int, str]] | None:
    """How many pieces or things each move takes, of each sort that it names, and which side they are on; None where
    that is not known before play.
    """
    choices = next((action.choices for action in rules.actions if action.address == address), ())
    steps = _steps(rules, address)
    moves = [(step, step.effect) for step in steps if isinstance(step.effect, Move)]
    amounts = [(amount, _side(move)) for step, move in moves for amount in _moved(step, choices)]
    is_all = not any(isinstance(step.effect, Choose) for step in steps)
    known = [(amount, side) for amount, side in amounts if amount is not None]
    if not moves or not is_all or len(known) < len(amounts) or len(amounts) > MAX_AMOUNTS:
        return None
    return known


def _moved(step: Step, choices: tuple[Choice, ...]) -> list[int | None]:
    """How many of each sort a move takes."""
    assert isinstance(step.effect, Move)
    amount = step.effect.amount
    if (
        amount.of is None
        or (step.for_each is not None and not _is_over_seats(step))
        or step.while_condition is not None
    ):
        return [None]
    times = 1 if step.times is None else _number(step.times)
    sizes = [_number(of) if isinstance(of.type, Number) else _size(of, choices) for of in _sorts(amount.of)]
    return [None if size is None or times is None else size * times for size in sizes]


def _sorts(of: Expr) -> list[Expr]:
    """The parts of what is moved: `3 of line + 1 of picture` has two."""
    if isinstance(of, Arithmetic) and of.op == "+" and isinstance(of.type, Bag):
        return [*_sorts(of.left), *_sorts(of.right)]
    return [of]


def _is_over_seats(step: Step) -> bool:
    return step.for_each is not None and step.for_each.type == SEAT


def _size(of: Expr, choices: tuple[Choice, ...]) -> int | None:
    """How many pieces or things an expression names."""
    match of:
        case Local(slot=slot) if slot < len(choices) and of.type == choices[slot].type:
            return _chosen(choices[slot])
        case BagLiteral(count=count, members=members):
            number = _number(count)
            size = _size(members, choices)
            return None if number is None or size is None else number * size
        case Constant(value=tuple() as members) if isinstance(of.type, SetOf):
            return len(members)
        case _:
            return 1 if isinstance(of.type, Member | Thing) else None


def _chosen(choice: Choice) -> int | None:
    if choice.condition is not None:
        return None
    match choice.domain:
        case OneOf():
            return 1
        case SomeOf(total=total) if total is not None and isinstance(total.type, Number):
            return _number(total)
        case _:
            return None


def _number(expr: Expr) -> int | None:
    """A number that is the same in every position."""
    found = fold_constant(expr)
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def _sums(amounts: list[tuple[int, str]]) -> set[int]:
    """What some of the moves take together: what the player in turn gives, or gets, with what neither is."""
    ways = [[amount for amount, side in amounts if side != other] for other in (GIVEN, TAKEN)]
    return {sum(some) for way in ways for size in range(1, len(way) + 1) for some in combinations(way, size)}


def _side(move: Move) -> str:
    """Whether the player in turn gives or gets what is moved; empty where neither is plain."""
    gives = move.source is not None and any(map(is_me, move.source.keys))
    gets = any(map(is_me, move.to.keys))
    return "" if gives == gets else GIVEN if gives else TAKEN


def _names(rules: Rules, address: str) -> set[str]:
    """What that which is moved is called, in one and in several."""
    found = set[str]()
    for step in _steps(rules, address):
        held = rules.zones[step.effect.to.zone].content_type if isinstance(step.effect, Move) else None
        if isinstance(held, Thing):
            found.add(held.component)
        elif isinstance(held, Member):
            family = rules.kinds[held.kind].family
            alike = [kind for kind in rules.kinds.values() if kind.family == family]
            found |= {kind.name for kind in alike} | {member for kind in alike for member in kind.members}
    return found | {one.removesuffix(old) + new for one in found for old, new in PLURALS if one.endswith(old)}


__all__ = ["check_amounts_moved"]

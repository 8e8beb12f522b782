"""Does an action that is called an exchange, or a payment, leave out one side of it?

In: the state of a build. Out: warnings about actions whose sentence begins with a word for selling, buying or paying,
English or French, where nothing that the player has goes, or nothing comes, although the action asks what there is; and
about actions that ask for pieces in a place and bring just these there, instead of taking them. What is out of sight,
such as a place that all share, may be the other side.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Final

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.emptying_moves import added_to
from rulewright.checker.common.lint_codes import ONE_SIDED
from rulewright.checker.common.rules_read import slots_read, steps_within
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.other_languages import LITTLE_WORDS
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.expr.structural_key import are_same
from rulewright.expr.tree import (
    NEGATED,
    Arithmetic,
    BagLiteral,
    Call,
    Compare,
    Constant,
    Expr,
    Local,
    Not,
    ReadState,
    ReadZone,
)
from rulewright.expr.types import FLAG, SEAT, Bag, SetOf
from rulewright.expr.walk import conjuncts, disjuncts, free_variables, is_me, iter_exprs
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.actions import ActionDef
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Block, Finish, Move, Reveal, Roll, RunSteps, SetState, Step
from rulewright.model.traversal import choice_exprs
from rulewright.source.nodes import MappingNode, Node, ScalarNode, SequenceNode
from rulewright.suggestions import is_number

TURN: Final = "turn"
GOES, COMES = "goes", "comes"
BOTH: Final = frozenset({GOES, COMES})
WORDS: Final = {  # by what has to happen: how the sentence of an action begins
    BOTH: {
        "en": lazy_pattern(r"(?i)^(?:sell|buy|barter|swap|exchange)\b"),
        "fr": lazy_pattern(r"(?i)^(?:vendre|acheter|troquer|échanger|vendez|achetez|échangez)\b"),
    },
    frozenset({GOES}): {
        "en": lazy_pattern(r"(?i)^(?:pay|spend|discard|use up|burn|hand in) (?!no)"),
        "fr": lazy_pattern(
            r"(?i)^(?:payer|dépenser|défausser|user|consommer|brûler|payez|dépensez|défaussez|usez|consommez|brûlez)"
            r" (?!rien|pas)"
        ),
    },
}
ROWS: Final = "rows"  # of a component: what is printed on each, which nobody pays
SECTIONS_OF_THINGS: Final = ("kinds", "zones", "components", "state")
WORD: Final = lazy_pattern(r"[^\W\d_]{3,}")
WORD_OR_HOLE: Final = lazy_pattern(r"\{?\w+")
MAX_WORDS_BEHIND: Final = 5  # the verb: "Pay the bank two red pieces"


@build_pass(needs=["blocks", "book_sentences", "judged"], skip=after_errors)
def check_one_sided_exchanges(state: BuildState) -> None:
    """Reports exchanges that take nothing or give nothing."""
    if not state.judged.actions:
        return
    of_turn, known = _sides_of_turn(state.blocks), cache(partial(_words_of_game, state.document.root))
    for action in state.judged.actions:
        texts = sentence_by_language(state, action.address)
        for wanted, words in WORDS.items():
            matches = [words[language].search(node.text) for language, node in texts.items() if language in words]
            found = [match for match in matches if match is not None and _names_something(match, known)]
            if not found or not _is_whole(action, state) or (wanted == BOTH and not _asks_own(action)):
                continue
            missing = wanted - _sides(action, state) - of_turn
            if not missing:
                continue
            what = "nothing of the player's own goes" if GOES in missing else "nothing comes to the player"
            message = f"the sentence of `{action.name}` begins with `{found[0][0].strip()}`, and {what}"
            hint = "add the step that takes it" if GOES in missing else "add the step that brings it"
            warn(state, action.span, ONE_SIDED, message, "only one side of it", hint, action.address)


@build_pass(needs=["blocks", "judged"], skip=after_errors)
def check_gifts_asked_for(state: BuildState) -> None:
    """Reports steps that bring pieces to a place where a clause asks for them, so that they can be taken."""
    for action in state.judged.actions:
        steps = state.blocks[action.block].steps
        taken = {
            inner.effect.source.zone
            for inner in steps_within(action.block, state.blocks, with_procedures=True)
            if isinstance(inner.effect, Move) and inner.effect.source is not None
        }
        asked = [each for clause in action.clauses for each in asked_places(clause.condition)]
        for step in steps:
            if not isinstance(step.effect, Move):
                continue
            for place, number, otherwise in asked:
                if place.name in taken or not _is_brought(step, step.effect, place, number, otherwise):
                    continue
                span = key_span(state.document.root, step.address, "to", step.span)
                message = f"`{action.name}` asks for what is in `{place.name}`, and this brings it there"
                hint = "exchange `from` and `to`, or ask for something else"
                warn(state, span, ONE_SIDED, message, "nothing is taken from there", hint, step.address)
                break


# ---- what goes and what comes -------------------------------------------------------------------------------------


def _words_of_game(root: MappingNode) -> frozenset[str]:
    """The words for what there is in a game, in its ids and what these are called, without their endings."""
    texts = list[str]()
    pending: list[Node] = [node for section in SECTIONS_OF_THINGS if (node := root.get(section)) is not None]
    while pending:
        match pending.pop():
            case MappingNode() as mapping:
                texts += [entry.key.text.replace("_", " ") for entry in mapping]
                pending += [entry.value for entry in mapping if entry.key.text != ROWS]
            case SequenceNode() as sequence:
                pending += sequence
            case ScalarNode() as scalar:
                texts.append(scalar.text)
    little = frozenset().union(*LITTLE_WORDS.values())
    return frozenset(_stem(word) for text in texts for word in WORD.findall(text.lower()) if word not in little)


def _names_something(match: re.Match[str], known: Callable[[], frozenset[str]]) -> bool:
    """Whether what is paid, soon after the verb, is a number or something that the game has, no compliment."""
    words = WORD_OR_HOLE.findall(match.string[match.end() :].lower())[:MAX_WORDS_BEHIND]
    if any(word.startswith("{") or is_number(word) for word in words):
        return True
    return not known().isdisjoint(map(_stem, words))


def _stem(word: str) -> str:
    return word.rstrip("esx") if len(word) > 3 else word


def _is_whole(action: ActionDef, state: BuildState) -> bool:
    """Whether some step or clause reads each of its choices; of one that nothing reads something else is told."""
    read = slots_read(action.block, state.blocks).union(*map(free_variables, _asked(action)))
    return all(slot in read for slot in range(len(action.choices)))


def _asks_own(action: ActionDef) -> bool:
    """Whether an action asks how much of something its player has."""
    parts = [part for expr in _asked(action) for part in iter_exprs(expr)]
    equal = [part for part in parts if isinstance(part, Compare) and part.op in ("is", "is not")]
    marks = {id(side) for each in equal for side in (each.left, each.right) if isinstance(side, ReadState)}
    reads = (part for part in parts if isinstance(part, ReadZone | ReadState) and id(part) not in marks)
    return any(read.type != FLAG and any(map(is_me, read.keys)) for read in reads)


def _asked(action: ActionDef) -> list[Expr]:
    exprs = [expr for choice in action.choices for expr in choice_exprs(choice)]
    return [*exprs, *(clause.condition for clause in action.clauses)]


def _sides(action: ActionDef, state: BuildState) -> frozenset[str]:
    """What an action does for the player: something of it goes, something comes; both where it cannot be told."""
    found = set[str]()
    for step in steps_within(action.block, state.blocks, with_procedures=True):
        match step.effect:
            case Move() as move:
                found |= _moved(move, action)
            case SetState(target=target, to=to):
                found |= _changed(target.keys, added_to(target, to) is not None and _is_plus(to), to)
            case Roll() | Reveal() | RunSteps() | Finish():
                pass
            case _:
                return BOTH
    return frozenset(found)


def _sides_of_turn(blocks: Sequence[Block]) -> frozenset[str]:
    """What other steps of a turn do for the player, who may pay there for what an action brings."""
    steps = [step for block in blocks if f"{block.address}.".startswith(f"{TURN}.") for step in block.steps]
    found = set[str]()
    for step in steps:
        match step.effect:
            case Move(source=source, to=to):
                found |= {GOES} if source is not None and any(map(is_me, source.keys)) else set()
                found |= {COMES} if any(map(is_me, to.keys)) else set()
            case SetState(target=target) if any(map(is_me, target.keys)):
                found |= BOTH
            case RunSteps(is_procedure=True):
                return BOTH
    return frozenset(found)


def _moved(move: Move, action: ActionDef) -> frozenset[str]:
    sources = _sources(move, action)
    if sources is None:
        return BOTH
    keys = (*move.to.keys, *(key for source in sources for key in source))
    if any(isinstance(key, Local) and key.type == SEAT for key in keys):
        return BOTH  # who that is, only whoever runs these steps knows
    goes, comes = any(is_me(key) for source in sources for key in source), any(map(is_me, move.to.keys))
    if not goes and not comes:
        return BOTH
    return frozenset({GOES} if goes else ()) | frozenset({COMES} if comes else ())


def _sources(move: Move, action: ActionDef) -> Sequence[tuple[Expr, ...]] | None:
    """The keys of the places from which a move takes; None where these are not known."""
    if move.source is not None:
        return [move.source.keys]
    of = move.amount.of
    exprs: Sequence[Expr] = () if of is None else (of,)
    if isinstance(of, Local):
        exprs = choice_exprs(action.choices[of.slot]) if of.slot < len(action.choices) else ()
    reads = [part.keys for expr in exprs for part in iter_exprs(expr) if isinstance(part, ReadZone)]
    return reads or None


def _changed(keys: Sequence[Expr], is_more: bool, to: Expr) -> frozenset[str]:
    """What it is for the player that a state is set."""
    if not any(map(is_me, keys)):
        return BOTH if not any(key.type == SEAT for key in keys) else frozenset()
    return frozenset({COMES}) if is_more else BOTH


def _is_plus(to: Expr) -> bool:
    """Whether something is added, perhaps within bounds."""
    sums = [part for part in iter_exprs(to) if isinstance(part, Arithmetic)]
    return bool(sums) and sums[0].op == "+"


# ---- what is asked for and brought --------------------------------------------------------------------------------


def asked_places(condition: Expr) -> Iterator[tuple[ReadZone, Expr | None, tuple[Expr, ...]]]:
    """The places of the player in which something has to be, how much, and what may hold instead."""
    for part in conjuncts(condition):
        sides = disjuncts(part)
        for side in sides:
            others = tuple(other for other in sides if other is not side)
            match side:
                case Compare(op="is not", left=ReadZone() as read, right=Constant(type=Bag("") | SetOf(None))):
                    yield read, None, others
                case Compare(op=">" | ">=", left=Call(function="count", args=(ReadZone() as read,)), right=number):
                    yield read, number, others
                case Compare(op=">" | ">=", left=ReadZone() as read, right=number) if read.member is not None:
                    yield read, number, others


def _is_brought(step: Step, move: Move, place: ReadZone, number: Expr | None, otherwise: Sequence[Expr]) -> bool:
    """Whether a step brings to a place what has to be there: just where nothing else holds instead, or just as much."""
    if place.name != move.to.zone or not any(map(is_me, place.keys)) or not are_same(place.keys, move.to.keys):
        return False
    if len(otherwise) == 1 and step.when is not None and _is_contrary(step.when, otherwise[0]):
        return True
    amount = move.amount.of
    is_same = number is not None and isinstance(amount, BagLiteral) and are_same((number,), (amount.count,))
    return is_same and not otherwise and not isinstance(number, Constant)


def _is_contrary(one: Expr, other: Expr) -> bool:
    """Whether one condition holds just where the other does not."""
    for this, that in ((one, other), (other, one)):
        if isinstance(this, Not) and are_same((this.of,), (that,)):
            return True
    if not isinstance(one, Compare) or not isinstance(other, Compare) or NEGATED.get(one.op) != other.op:
        return False
    return are_same((one.left, one.right), (other.left, other.right))


__all__ = ["GOES", "WORDS", "asked_places", "check_gifts_asked_for", "check_one_sided_exchanges"]

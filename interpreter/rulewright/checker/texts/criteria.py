"""Does a criterion of the ranking decide anything, and the way that its sentence says?

In: the state of a build. Out: warnings about criteria in which whoever is equal so far is equal, too, and about those
that take the fewest where their sentence says the most, or the other way round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.rules_read import all_parts
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.checker.texts.words_found import contrary_words
from rulewright.diagnostics import Span
from rulewright.document.address import find_entry
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import (
    Arithmetic,
    Builtin,
    Call,
    Compare,
    Constant,
    Expr,
    FieldTotal,
    If,
    Local,
    Not,
    ReadState,
    Sum,
)
from rulewright.expr.types import SEAT
from rulewright.expr.walk import iter_exprs
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.codes import SAME_FOR_ALL
from rulewright.model.effects import Block, Finish
from rulewright.model.rules import Criterion, ValueDef
from rulewright.source.nodes import ScalarNode

MOST: Final = {  # by language: words of a sentence by which the highest number comes first
    "en": lazy_pattern(r"\b(?<!at )most\b"),
    "fr": lazy_pattern(r"\b(?:le|la|les) plus (?:de|d'|grand)"),
}
FEWEST: Final = {
    "en": lazy_pattern(r"\b(?:fewest|(?<!at )least)\b"),
    "fr": lazy_pattern(r"\b(?:le|la|les) moins (?:de|d')"),
}
MORE_WINS: Final = {  # of those who are equal so far
    "en": lazy_pattern(r"(?<!no )\b(?:more|larger|bigger)\b(?! than\b)[^.;:]*\b(?:wins?|is ahead|comes first)\b"),
    "fr": lazy_pattern(
        r"(?<!\ble )(?<!\bla )(?<!\bles )(?<!\bpas )\bplus (?:de |d'|grande? )[^.;:]*\b(?:gagne|l'emporte)"
    ),
}
FEWER_WINS: Final = {
    "en": lazy_pattern(r"(?<!no )\b(?:fewer|less|smaller)\b(?! than\b)[^.;:]*\b(?:wins?|is ahead|comes first)\b"),
    "fr": lazy_pattern(
        r"(?<!\ble )(?<!\bla )(?<!\bles )\b(?:moins (?:de |d')|plus petite? )[^.;:]*\b(?:gagne|l'emporte)"
    ),
}
COUNTED_MOST: Final = lazy_pattern(r"\b(?:highest|largest|greatest|biggest)\b")  # where a low number may be a high rank
COUNTED_FEWEST: Final = lazy_pattern(r"\b(?:lowest|smallest)\b")
AMONG_EQUALS: Final = {  # how a sentence begins of what breaks a tie
    "en": lazy_pattern(
        r"^(?:if (?:still |then )?(?:equal|tied)|(?:in case of|for|on|in) (?:a |an )?(?:tie|equality)"
        r"|among (?:the )?equals"
        r"|(?:when|where) (?:equal|tied)|(?:on )?ties|if (?:the )?\w+ (?:is|are) (?:equal|tied|the same)"
        r"|(?:among|of) (?:the )?players (?:with|who have) (?:equal|the same)"
        r"|if (?:there is a tie|(?:two|both|several|some)\b[^,.;]*\b(?:equal|tied))|ties are broken|breaks ties)\b"
    ),
    "fr": lazy_pattern(r"^(?:(?:à |en cas d'|s'il y a |entre |si l')(?:égalité|ex æquo)|à \w+ éga(?:l|le|ux|les))\b"),
}
AHEAD: Final = {  # of how far somebody has come, where the game ends when it is far enough
    "en": lazy_pattern(r"\b(?:furthest|farthest|ahead|in front|in the lead)\b"),
    "fr": lazy_pattern(r"\b(?:le plus loin|la plus loin|en tête|devant)\b"),
}
BEHIND: Final = {
    "en": lazy_pattern(r"\b(?:furthest back|behind|hindmost)\b"),
    "fr": lazy_pattern(r"\b(?:derrière|en arrière|en queue)\b"),
}
TURNED_ROUND: Final = lazy_pattern(  # who does not win, or what is counted by what is no longer there
    r"\b(?:los\w+|last|worst|perd\w*|dernier\w*|not|pas|rid|played|laid|discard\w*|spent|sold|paid|used|gave|given|sent"
    r"|away|left|remain\w*|missing|unused|empty|until|before|debts?"
    r"|jou\w+|pos\w+|défauss\w*|dépens\w*|vend\w*|pay\w*|utilis\w*|donn\w*|rest\w*|manqu\w*|envoy\w*|mis|libres?"
    r"|vides?)\b"
)
# who has so many of what is counted; of anything else that they do, "has sent", the most may be the fewest
WHO_HAS: Final = {
    "en": lazy_pattern(r"\b(?:who|whoever|that)((?: [a-z']+){1,5}?) (?:the )?(?:fewest|least|most)\b"),
    "fr": lazy_pattern(r"\b(?:qui|quiconque)((?: [a-zà-ÿ']+){1,5}?) (?:le|la|les) (?:moins|plus)\b"),
}
HELD: Final = lazy_pattern(
    r"ha[sd]|have|having|with|of|in|on|owns?|holds?|keeps?|kept|collect(?:s|ed)?|wins?|won|scored?|scores|gain(?:s|ed)?"
    r"|takes?|took|taken|gets?|got|gather(?:s|ed)?|earn(?:s|ed)?|captured?|captures|catch|catches|caught|saved?|saves|makes?"
    r"|made|buys?|bought|builds?|built|draws?|drawn|claim(?:s|ed)?|ruled?|rules|control(?:s|led)?|reach(?:es|ed)?|counts?"
    r"|is|are|then|now|still|alone|also|already|a|ont|seule?|détien\w+|poss[éè]d\w+|compte|gagne|gagné|pris|prend"
    r"|obten\w+|obtient|marqué?|ramassé|récolté|capturé|acheté|construit|réuni|alors|encore|en"
)


@build_pass(needs=["assessments", "blocks", "book_sentences", "judged", "values"], skip=after_errors)
def check_criteria(state: BuildState) -> None:
    """Reports them."""
    if not state.judged.has("ranking"):
        return
    blocks, before = state.blocks, dict[object, Criterion]()
    for criterion in state.assessments.ranking:
        key = structural_key(criterion.of)
        earlier = None if key is None else before.setdefault(key, criterion)
        if earlier is not None and earlier is not criterion:
            message = f"who is equal in `{earlier.address}` is equal in this, too"
            hint = "rank by something else, or remove it"
            warn(
                state,
                criterion_span(state, criterion),
                SAME_FOR_ALL,
                message,
                "decides nothing",
                hint,
                criterion.address,
            )
        elif (says := _contrary_word(state, criterion, blocks)) is not None:
            takes, contrary = ("most", "fewest") if criterion.is_maximized else ("fewest", "most")
            words, text = says
            span = criterion_span(state, criterion)
            message = f"this takes the {takes}, and its sentence says `{words}`"
            hint = f"write `{contrary}`, or another sentence"
            if text.span.source.path != span.source.path:  # a translation: what stands at the rule goes with it
                span, message = text.span, f"this says `{words}`, and its rule takes the {takes}"
                hint = f"write another sentence, or `{contrary}` at `{criterion.address}`"
            warn(state, span, OTHER_WAY, message, "the other way round", hint, criterion.address)
    _check_first(state)


def _check_first(state: BuildState) -> None:
    """Reports what is compared first where its sentence says that it is for those who are equal."""
    ranking = state.assessments.ranking
    texts = sentence_by_language(state, ranking[0].address) if len(ranking) > 1 else {}
    for language, text in texts.items():
        match = AMONG_EQUALS[language].search(text.text.lower()) if language in AMONG_EQUALS else None
        if match is not None:
            message = f"its sentence says `{match[0]}`, and this is compared first"
            hint = f"put it behind `{ranking[1].address.rpartition('.')[2]}`, or change the sentence"
            span = criterion_span(state, ranking[0])
            warn(state, span, OTHER_WAY, message, "nobody is equal yet", hint, ranking[0].address)
            return


def _contrary_word(state: BuildState, criterion: Criterion, blocks: Sequence[Block]) -> tuple[str, ScalarNode] | None:
    """The words of its sentence that say the contrary of what a criterion takes, and the text that says them."""
    reckoned = (
        isinstance(part, If) or (isinstance(part, Arithmetic) and part.op != "+") for part in iter_exprs(criterion.of)
    )
    if any(reckoned) or is_of_others(criterion.of, state.values):
        return None  # of a difference, a choice or the others the least may be what is called the most
    meant, contrary = (MOST, FEWEST) if criterion.is_maximized else (FEWEST, MOST)
    counted = [COUNTED_MOST, COUNTED_FEWEST] if criterion.is_maximized else [COUNTED_FEWEST, COUNTED_MOST]
    for language, node in sentence_by_language(state, criterion.address).items():
        text = node.text.lower()
        patterns = [(meant[language], contrary[language])] if language in meant else []
        if language in MORE_WINS:
            more, fewer = MORE_WINS[language], FEWER_WINS[language]
            patterns.append((more, fewer) if criterion.is_maximized else (fewer, more))
        if language == "en" and _is_counted(criterion.of):
            patterns.append((counted[0], counted[1]))
        if language in AHEAD and not criterion.is_maximized and _is_reached(criterion.of, blocks):
            patterns.append((BEHIND[language], AHEAD[language]))
        says = contrary_words(text, (right for right, _ in patterns), (wrong for _, wrong in patterns))
        if says and not is_turned_round(text):
            return says, node
    return None


def is_turned_round(text: str) -> bool:
    """Whether a sentence, in small letters, may say the most of what is the fewest: of who loses, of what is gone."""
    done = [word for pattern in WHO_HAS.values() for match in pattern.finditer(text) for word in match[1].split()]
    return TURNED_ROUND.search(text) is not None or not all(map(HELD.fullmatch, done))


def is_of_others(of: Expr, values: Mapping[str, ValueDef]) -> bool:
    """Whether a number of a player may be what others have, or how many of them are ahead."""
    return any(map(_is_about_others, all_parts(values, [of])))


def _is_about_others(part: Expr) -> bool:
    match part:
        case Call(function="next") | Builtin(name="opponent" | "opponents" | "others"):
            return True
        case Not() | Compare(op="is not"):
            return bool(_seats_named(part))
        case Compare(op=op):
            return op != "is" and len(_seats_named(part)) > 1
    return False


def _seats_named(part: Expr) -> set[int]:
    """The variables of players in an expression."""
    return {each.slot for each in iter_exprs(part) if isinstance(each, Local) and each.type == SEAT}


def _is_counted(of: Expr) -> bool:
    return any(
        isinstance(part, FieldTotal | Sum) or (isinstance(part, Call) and part.function == "count")
        for part in iter_exprs(of)
    )


def _is_reached(of: Expr, blocks: Sequence[Block]) -> bool:
    """Whether the game ends when a state has come to as much as something, and not to nothing."""
    steps = (step for block in blocks for step in block.steps if isinstance(step.effect, Finish))
    parts = (part for step in steps if step.when is not None for part in iter_exprs(step.when))
    return isinstance(of, ReadState) and any(
        isinstance(part, Compare)
        and part.op in (">=", ">", "is")
        and isinstance(part.left, ReadState)
        and part.left.name == of.name
        and not (isinstance(part.right, Constant) and part.right.value == 0)
        for part in parts
    )


def criterion_span(state: BuildState, criterion: Criterion) -> Span:
    """Where it is written what a criterion compares."""
    root = state.document.root
    node = condition_node(root, criterion.address, "most" if criterion.is_maximized else "fewest")
    if node is not None:
        return node.span
    entry = find_entry(root, criterion.address)
    assert entry is not None
    return entry.key.span


__all__ = [
    "COUNTED_FEWEST",
    "COUNTED_MOST",
    "FEWEST",
    "MOST",
    "check_criteria",
    "criterion_span",
    "is_of_others",
    "is_turned_round",
]

"""Does the sentence of a step say the contrary of what it does?

In: the state of a build. Out: warnings about steps that go through players from the lowest number on where their
sentence says the highest, or that are about whoever has the least where it says the most, and the other way round; and
about ends of the game at which the one wins who loses by their sentence. Found by a few words, English and French, and
only where no other word of the sentence goes with the rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal

from rulewright.checker.condition_nodes import condition_node
from rulewright.checker.criteria import COUNTED_FEWEST, COUNTED_MOST, FEWEST, MOST, TURNED_ROUND
from rulewright.checker.lint_codes import OTHER_WAY
from rulewright.checker.sentence_languages import sentence_by_language
from rulewright.checker.warn import warn
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import Arithmetic, Binding, Builtin, Compare, Expr, Extremum, If, Local, Quantifier
from rulewright.expr.types import Number
from rulewright.expr.walk import free_variables, iter_exprs, transform
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Finish, Step
from rulewright.source.nodes import ScalarNode

Direction = Literal["most", "fewest"]

RANKED: Final = lazy_pattern(
    r"\b(?:rank\w*|places?|positions?|rangs?|dearer|cheaper)\b"
)  # a low number may be a high one
ABOUT_WHO_PLAYS: Final = lazy_pattern(
    r"^(?:who|whoever|(?:a|the|any) player (?:who|that)|qui|celui qui|le joueur qui)\b"
)
WINS: Final = lazy_pattern(r"\b(?:wins?|won|winner|gagn\w+|l'emporte|vainqueur)\b")
LOSES: Final = lazy_pattern(r"\b(?:los(?:es?|t|er|ing)|perd\w*)\b")
ABOUT_OTHERS: Final = lazy_pattern(
    r"\b(?:others?|opponents?|not|cannot|nobody|nothing|no|never|unless|without|autres?|advers\w+|ne|n'\w+|pas|rien|sans)\b"
)
OTHERS: Final = ("opponent", "opponents", "others")


@build_pass(needs=["blocks", "book_sentences"], skip=after_errors)
def check_contrary_sentences(state: BuildState) -> None:
    """Reports them."""
    sentences = state.book_sentences.entries
    for step in (step for block in state.blocks for step in block.steps):
        direction, effect = _direction(step), step.effect
        entry = sentences.get(step.address) if direction is not None or isinstance(effect, Finish) else None
        if entry is None:
            continue
        texts = sentence_by_language(state, step.address, entry)
        if direction is not None and (says := _contrary_word(texts, direction)):
            takes = "the highest first" if direction == "most" else "the lowest first"
            if step.order is None:
                takes = "whoever has the most" if direction == "most" else "whoever has the fewest"
            key = "for_each" if step.order is None else "highest_first" if step.is_descending else "lowest_first"
            _report(state, step, key, texts[says[0]], f"{{rule}} takes {takes}, and {{sentence}} says `{says[1]}`")
        elif isinstance(effect, Finish) and (says := _contrary_outcome(effect, texts)):
            message = f"{{sentence}} says `{says[1]}` of who plays, and {{rule}} says the contrary"
            _report(state, step, "winners", texts[says[0]], message)


def _report(state: BuildState, step: Step, key: str, text: ScalarNode, message: str) -> None:
    """A warning at the step, or at the translation in a file of texts that alone says the contrary."""
    node = condition_node(state.document.root, step.address, key)
    span, rule, sentence = step.span if node is None else node.span, "this", "its sentence"
    if text.span.source.path != step.span.source.path:
        span, rule, sentence = text.span, "its rule", "this"
    message, hint = message.format(rule=rule, sentence=sentence), "change the rule, or its sentence"
    warn(state, span, OTHER_WAY, message, "the other way round", hint, step.address)


def _direction(step: Step) -> Direction | None:
    """Whether a loop begins with the highest or goes through those who have the most, or the reverse; None where that
    is not one and the same for all that it asks.
    """
    loop = step.for_each
    if loop is None:
        return None
    found = set(_directions_asked(loop))
    if step.order is not None and not _is_reckoned(step.order):
        found.add("most" if step.is_descending else "fewest")
    return found.pop() if len(found) == 1 else None


def _directions_asked(loop: Binding) -> Iterator[Direction]:
    """What the condition of a loop says of a number of its variable, compared with that of all others."""
    for part in iter_exprs(loop.condition) if loop.condition is not None else ():
        if isinstance(part, Quantifier) and part.quantifier in ("every", "no"):
            for compare in iter_exprs(part.condition):
                if isinstance(compare, Compare) and (found := _compared(compare, loop.slot, part.slot)) is not None:
                    yield found if part.quantifier == "every" else _turned(found)
        elif isinstance(part, Compare):
            for own, bound in ((part.left, part.right), (part.right, part.left)):
                if isinstance(bound, Extremum) and _same_of(own, loop.slot, bound.of, bound.slot):
                    yield "most" if bound.function == "max" else "fewest"


def _compared(compare: Compare, own: int, other: int) -> Direction | None:
    """Whether a comparison says that the one has more than the other, or fewer."""
    if compare.op not in ("<", "<=", ">", ">="):
        return None
    is_more = compare.op in (">", ">=")
    if _same_of(compare.left, own, compare.right, other):
        return "most" if is_more else "fewest"
    if _same_of(compare.right, own, compare.left, other):
        return "fewest" if is_more else "most"
    return None


def _same_of(one: Expr, own: int, another: Expr, other: int) -> bool:
    """Whether two numbers are the same of two variables, and are counted as they are called."""
    if not isinstance(one.type, Number) or _is_reckoned(one) or own not in free_variables(one):
        return False

    def as_own(read: Expr) -> Expr | None:
        return Local("", own, read.type, read.offsets) if isinstance(read, Local) and read.slot == other else None

    key = structural_key(one)
    return key is not None and key == structural_key(transform(another, as_own))


def _is_reckoned(of: Expr) -> bool:
    """Whether the least of a number may be what is called the most: of a difference or a choice."""
    return any(isinstance(part, Arithmetic | If) for part in iter_exprs(of))


def _turned(direction: Direction) -> Direction:
    return "fewest" if direction == "most" else "most"


def _contrary_word(texts: Mapping[str, ScalarNode], direction: Direction) -> tuple[str, str] | None:
    """The word of a sentence that says the contrary, behind its language; None where another goes with the rule."""
    meant, contrary = (MOST, FEWEST) if direction == "most" else (FEWEST, MOST)
    counted = (COUNTED_MOST, COUNTED_FEWEST) if direction == "most" else (COUNTED_FEWEST, COUNTED_MOST)
    for language, node in texts.items():
        text = node.text.lower()
        if language not in meant or TURNED_ROUND.search(text) or RANKED.search(text):
            continue
        right = [meant[language], counted[0]]
        wrong = [contrary[language], counted[1]]
        if any(pattern.search(text) for pattern in right):
            continue
        for pattern in wrong:
            if (match := pattern.search(text)) is not None:
                return language, match[0]
    return None


def _contrary_outcome(finish: Finish, texts: Mapping[str, ScalarNode]) -> tuple[str, str] | None:
    """The word by which the one in turn wins or loses, behind its language, where the step says the contrary."""
    winners = finish.winners
    if not isinstance(winners, Builtin) or winners.name not in ("me", "nobody", *OTHERS):
        return None
    right, wrong = (WINS, LOSES) if winners.name == "me" else (LOSES, WINS)
    for language, node in texts.items():
        text = node.text.lower()
        is_plain = ABOUT_WHO_PLAYS.search(text) and not ABOUT_OTHERS.search(text) and not right.search(text)
        if is_plain and (match := wrong.search(text)) is not None:
            return language, match[0]
    return None


__all__ = ["check_contrary_sentences"]

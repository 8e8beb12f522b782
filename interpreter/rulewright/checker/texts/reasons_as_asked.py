"""Does a reason complain of just what its condition asks for?

In: the state of a build. Out: warnings about conditions that hold where a place is empty, and whose reason says that it
is; that hold where it is not, and whose reason says that something is there; or that hold where something has been
done, and whose reason says that it has been already, or the reverse. Found by a few words, English and French.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from re import Pattern
from typing import Final

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import CHANGES_NOTHING, OTHER_REASON
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.checker.texts.words_found import WORD
from rulewright.diagnostics import Span
from rulewright.document.sentence_places import HOLE
from rulewright.document.text_addresses import reason_address
from rulewright.expr.tree import Compare, Constant, Expr, Filter, Not, ReadState, ReadZone
from rulewright.expr.types import Flag
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.actions import ActionDef, OneOf, SomeOf
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.source.nodes import ScalarNode

EMPTY: Final = {  # nothing is there
    "en": lazy_pattern(
        r"(?i)(?<!not )\bempty\b|\bnothing (?:is|lies|has been|to|left|there|here)\b"
        r"|\b(?:has|have|holds?|is|are) no(?:ne)?\b|\bno [^.,;]{1,40}\b(?:left|there|here)\b"
    ),
    "fr": lazy_pattern(
        r"(?i)(?<!pas )(?<!plus )\bvides?\b|\bn[e'’] ?(?:y )?\w+ (?:rien|aucune?|plus (?:de|rien))\b"
        r"|\b(?:rien|aucune?)\b[^.,;]{0,40} n[e'’]"
    ),
}
FREE: Final = lazy_pattern(  # of which there is none where nothing is empty
    r"(?i)\b(?:room|spaces?|free|vacant|open|no empty|places?|cases?|libres?|vacante?s?)\b"
)
NOT_EMPTY: Final = {  # something is there
    "en": lazy_pattern(
        r"(?i)\bnot empty\b|\boccupied\b|\b(?:something|another|a \w+) (?:is|lies|stands) (?:already )?(?:there|here)\b"
    ),
    "fr": lazy_pattern(r"(?i)\bn'est (?:pas|plus) vide\b|\b(?:déjà|est) occupée?\b"),
}
DEMANDS: Final = lazy_pattern(  # it says what has to be, not what is
    r"(?i)\b(?:only|must|has to|have to|needs?|needed|should|doit|doivent|faut|seule?s?|seulement)\b"
)
ALREADY: Final = {  # it has been done, by a word like the name of what is asked
    "en": lazy_pattern(r"(?i)\balready\b"),
    "fr": lazy_pattern(r"(?i)\bdéjà\b"),
}
NOT_YET: Final = {
    "en": lazy_pattern(r"(?i)\b(?:not yet|yet to|(?:has|have) not|(?:hasn|haven)'t)\b"),
    "fr": lazy_pattern(r"(?i)\bpas encore\b"),
}
DENIED: Final = {  # a word by which it may say the contrary
    "en": lazy_pattern(r"(?i)\b(?:not|no|nobody|none|never|until|unless|without|only|\w+n't)\b"),
    "fr": lazy_pattern(r"(?i)\b(?:pas|rien|aucune?|personne|jamais|sans|que?|qu)\b"),
}
STEM: Final = 4  # letters with which two words begin that are taken for the same

Words = Mapping[str, Pattern[str]]


@frozen
class _Contrary:
    """What a reason may not say: words, unless others are there, since the condition holds so. `name`: of a flag, which
    the reason has to name.
    """

    words: Words
    others: Words
    holds: str
    name: str = ""

    def find(self, language: str, text: str) -> str:
        """The words of a reason that complain of what is asked for, if it does."""
        text = HOLE.sub("…", text)
        says = self.words[language].search(text) if language in self.words else None
        if says is None or self.others[language].search(text) or DEMANDS.search(text):
            return ""
        if self.words is EMPTY and FREE.search(text):
            return ""
        return says[0] if not self.name or any(map(self._is_name, WORD.findall(text))) else ""

    def _is_name(self, word: str) -> bool:
        last = self.name.rpartition("_")[2]
        return len(last) >= STEM and word.lower()[:STEM] == last[:STEM] and abs(len(word) - len(last)) < STEM


@frozen
class _Reasoned:
    """A condition, where it is written and at which rule, and the address of its reason."""

    condition: Expr
    span: Span
    address: str
    reason: str


@build_pass(needs=["book_sentences", "judged"], skip=after_errors)
def check_reasons_as_asked(state: BuildState) -> None:
    """Reports them."""
    for one in (one for action in state.judged.actions for one in _reasoned(action, state)):
        is_reported = any(other.address == one.address and other.code is CHANGES_NOTHING for other in state.diagnostics)
        contrary = None if is_reported else _contrary(one.condition)
        if contrary is None:
            continue
        texts = sentence_by_language(state, one.reason)
        says = next(filter(None, (contrary.find(language, text.text) for language, text in texts.items())), "")
        if says:
            message = f"this holds {contrary.holds}, and its reason, said where it does not, says `{says}`"
            warn(state, one.span, OTHER_REASON, message, "the wrong way round", "ask for the contrary", one.address)


def _reasoned(action: ActionDef, state: BuildState) -> Iterator[_Reasoned]:
    """The conditions of an action that have a reason."""
    root = state.document.root
    for choice in action.choices:
        if isinstance(domain := choice.domain, OneOf | SomeOf) and isinstance(chosen := domain.of, Filter):
            node = condition_node(root, choice.address, "one_of" if isinstance(domain, OneOf) else "some_of")
            if chosen.condition is not None:
                span = node.subspan(*chosen.condition.offsets) if isinstance(node, ScalarNode) else choice.span
                yield _Reasoned(chosen.condition, span, choice.address, reason_address(choice.address))
    for clause in action.clauses:
        section, _, name = clause.address.rpartition(".")
        node = condition_node(root, section, name)
        yield _Reasoned(
            clause.condition, clause.span if node is None else node.span, clause.address, reason_address(clause.address)
        )


def _contrary(condition: Expr) -> _Contrary | None:
    """What the reason of a condition may not say."""
    match condition:
        case Compare(op="is", left=ReadZone(member=None), right=Constant(value=None)):
            return _Contrary(EMPTY, NOT_EMPTY, "where nothing is there")
        case Compare(op="is not", left=ReadZone(member=None), right=Constant(value=None)):
            return _Contrary(NOT_EMPTY, EMPTY, "where something is there")
        case ReadState(name=name, type=Flag()):
            return _Contrary(ALREADY, DENIED, "once it has been done", name)
        case Not(of=ReadState(name=name, type=Flag())):
            return _Contrary(NOT_YET, ALREADY, "until it has been done", name)
    return None


__all__ = ["check_reasons_as_asked"]

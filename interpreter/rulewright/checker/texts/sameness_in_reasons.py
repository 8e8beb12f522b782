"""Does a reason say that something has to be another one, where the clause asks that it is the same, or the reverse?

In: the state of a build. Out: warnings about clauses of one comparison: of two answers, of an answer with what is
remembered or with the player in turn, or of whether the pieces of one answer have that of another. Found by a few words
of the reason, English and French.
"""

from __future__ import annotations

from typing import Final, Literal

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.checker.texts.words_found import contrary_words
from rulewright.document.text_addresses import reason_address
from rulewright.expr.tree import Builtin, Compare, Constant, Expr, FieldAccess, Local, MemberCount, Not, ReadState
from rulewright.expr.types import Number
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass

Wanted = Literal["same", "another"]

HAS_TO: Final = r"\b(?:ha(?:s|ve) to|must|needs? to|should) (?:be|have|lie|stand|go|come|show|differ|match)\b"
DOIT: Final = r"\b(?:doit|doivent) (?:être|avoir|aller|montrer|différer|correspondre)\b"
ANOTHER: Final = {  # by language: how it is said that it has to be another one
    "en": lazy_pattern(rf"{HAS_TO}(?: \w+){{0,3}} (?:another|different)\b(?: \w+)?"),
    "fr": lazy_pattern(rf"{DOIT}(?: [\w']+){{0,3}}? (?:une? )?(?:d'une? )?(?:autre|différente?s?)\b"),
}
SAME: Final = {
    "en": lazy_pattern(rf"{HAS_TO}(?: \w+){{0,3}} (?:same|alike|identical)\b(?: \w+)?"),
    "fr": lazy_pattern(rf"{DOIT}(?: [\w']+){{0,3}} (?:mêmes?|identiques?|pareille?s?)\b"),
}


@build_pass(needs=["book_sentences", "judged"], skip=after_errors)
def check_sameness_in_reasons(state: BuildState) -> None:
    """Reports them."""
    for clause in (clause for action in state.judged.actions for clause in action.clauses):
        asked = _asked(clause.condition)
        if asked is None:
            continue
        right, wrong = (SAME, ANOTHER) if asked == "same" else (ANOTHER, SAME)
        for language, node in sentence_by_language(state, reason_address(clause.address)).items():
            text = node.text.lower()
            says = contrary_words(text, (right[language],), (wrong[language],)) if language in wrong else ""
            if not says:
                continue
            section, _, name = clause.address.rpartition(".")
            condition = condition_node(state.document.root, section, name)
            span = clause.span if condition is None else condition.span
            how = "that it is the same" if asked == "same" else "that it is another"
            message = f"the reason says `{says}`, and this asks {how}"
            hint = "turn the comparison round, or change the reason"
            warn(state, span, OTHER_WAY, message, "the other way round", hint, clause.address)
            break


def _asked(condition: Expr, *, is_not: bool = False) -> Wanted | None:
    """What a condition asks of two things that are compared; None where it asks for anything else."""
    if isinstance(condition, Not):
        return _asked(condition.of, is_not=not is_not)
    if not isinstance(condition, Compare):
        return None
    same: bool | None = None
    match condition:
        case Compare(op="is" | "is not", left=left, right=right) if _is_one(left) and _is_one(right):
            same = condition.op == "is"
        case Compare(op="in" | "not in", left=left, right=Local()) if _is_one(left):
            same = condition.op == "in"
        case Compare(left=MemberCount(member=Local(), bag=Local()), right=Constant(value=int(number))):
            same = _is_there(condition.op, number)
    return None if same is None else "same" if same is not is_not else "another"


def _is_there(op: str, number: int) -> bool | None:
    """Whether a count that is compared is that of something, or of nothing."""
    if number == 0 and op in (">", "is not", "is", "<="):
        return op in (">", "is not")
    return {">=": True, "<": False}.get(op) if number == 1 else None


def _is_one(part: Expr) -> bool:
    """Whether it is an answer, a field of one, what is remembered or the player in turn; no number that is compared."""
    if isinstance(part, FieldAccess):
        return isinstance(part.of, Local)
    is_me = isinstance(part, Builtin) and part.name == "me"
    return is_me or (isinstance(part, Local | ReadState) and not isinstance(part.type, Number))


__all__ = ["check_sameness_in_reasons"]

"""Does a reason say that something is not so, where it is shown because it is?

In: the state of a build. Out: warnings about clauses that ask for the contrary of a flag, and whose reason begins by
denying: "That is not your field" is what a player reads where `mine(field)` holds, if the clause is `not mine(field)`.
Found by a few words, English and French.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.document.text_addresses import reason_address
from rulewright.expr.tree import Expr, Not, ReadValue
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass

DENIES: Final = {
    "en": lazy_pattern(
        r"(?i)^(?:that|this|it|the [a-z]+|that [a-z]+|you) (?:is|are|has|have) (?:not|none)\b"
        r"(?! (?:yet|any (?:more|longer)|longer)\b)(?![^.;]*\b(?:any more|any longer|free|allowed)\b)"
    ),
    "fr": lazy_pattern(
        r"(?i)^(?:ce|cela|elle|il|cette [a-zà-ÿ]+|vous) n['e] ?(?:est|êtes|a|avez) pas\b(?![^.;]*\b(?:libre|permis)\b)"
    ),
}

WORD: Final = lazy_pattern(r"[a-zà-ÿ]+")
SMALL_WORDS: Final = frozenset({"is", "has", "a", "the", "of", "in", "to", "can", "est", "de"})
OWNERS: Final = frozenset({"own", "mine", "my", "your", "yours", "votre", "vos"})


@build_pass(needs=["book_sentences", "judged"], skip=after_errors)
def check_negated_reasons(state: BuildState) -> None:
    """Reports them."""
    for clause in (clause for action in state.judged.actions for clause in action.clauses):
        flag = _denied_flag(clause.condition)
        if flag is None:
            continue
        for language, text in sentence_by_language(state, reason_address(clause.address)).items():
            match = DENIES[language].search(text.text) if language in DENIES else None
            if match is None or not _is_about(flag, text.text):
                continue
            section, _, name = clause.address.rpartition(".")
            span = key_span(state.document.root, section, name, clause.span)
            message = f"this refuses what is `{flag}`, and its reason says `{match[0]}`"
            hint = "leave `not` out, or change the reason"
            warn(state, span, OTHER_WAY, message, "the other way round", hint, clause.address)
            break


def _denied_flag(condition: Expr) -> str | None:
    """The name of the value of which a condition is the contrary; of states `reasons_as_asked.py` knows."""
    match condition:
        case Not(of=ReadValue(name=name)):
            return name
    return None


def _is_about(flag: str, text: str) -> bool:
    """Whether a reason speaks of a flag, by a word of its name, or of whose something is, as the flag does."""
    words, own = {*WORD.findall(text.lower())}, {*flag.split("_")}
    return bool(words & (own - SMALL_WORDS)) or bool(own & OWNERS and words & OWNERS)


__all__ = ["check_negated_reasons"]

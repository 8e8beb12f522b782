"""Does a reason say that something is not so, where it is shown because it is?

In: the state of a build. Out: warnings about clauses that ask for the contrary of a flag, and whose reason begins by
denying: "That is not your field" is what a player reads where `mine(field)` holds, if the clause is `not mine(field)`;
and about clauses that let through what is not so, where the reason says that only what is so may: "Only elders may" of
`beards(clan) is empty or …`, if `beards` is called "Elders". Found by a few words, English and French.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.checker.common.condition_nodes import key_span, part_span
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.rules_read import all_parts
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.names_of_things import NAMES_NEEDED, Meanings, Named, mentions
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.document.text_addresses import reason_address
from rulewright.expr.tree import Compare, Constant, Expr, Local, Logic, Not, ReadValue, ReadZone
from rulewright.expr.types import SEAT, Member
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.actions import Clause
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

ONLY: Final = {
    "en": lazy_pattern(r"(?i)^only (?:an? |the )?(?P<who>.*)"),
    "fr": lazy_pattern(r"(?i)^seul(?:e|s|es)? (?:une? |les? |la |des )(?P<who>.*)"),
}
OF_SOME: Final = lazy_pattern(  # who may is more than the word says, or is not what the reason denies
    r"(?i)^\W*(?:with\w*|who\w*|that|of|in|on|at|from|near|beside|and|or|once|one|avec|qui|que|de|des|du|à|en|sans|et|ou"
    r"|dans)\b|['’]|\b(?:not|no|never|cannot|\w+n't|once|twice|unless|ne|pas|jamais|sauf)\b|\bn'"
)
WORD: Final = lazy_pattern(r"[a-zà-ÿ]+")
SMALL_WORDS: Final = frozenset({"is", "has", "a", "the", "of", "in", "to", "can", "est", "de"})
OWNERS: Final = frozenset({"own", "mine", "my", "your", "yours", "votre", "vos"})


@build_pass(needs=[*NAMES_NEEDED, "judged"], skip=after_errors)
def check_negated_reasons(state: BuildState) -> None:
    """Reports them."""
    for clause in (clause for action in state.judged.actions for clause in action.clauses):
        if not _check_denied(clause, state):
            _check_only(clause, state)


def _check_denied(clause: Clause, state: BuildState) -> bool:
    """Reports a reason that denies the flag which its clause does not let be."""
    flag = _denied_flag(clause.condition)
    if flag is None:
        return False
    for language, text in sentence_by_language(state, reason_address(clause.address)).items():
        match = DENIES[language].search(text.text) if language in DENIES else None
        if match is None or not _is_about(flag, text.text):
            continue
        section, _, name = clause.address.rpartition(".")
        span = key_span(state.document.root, section, name, clause.span)
        message = f"this refuses what is `{flag}`, and its reason says `{match[0]}`"
        hint = "leave `not` out, or change the reason"
        warn(state, span, OTHER_WAY, message, "the other way round", hint, clause.address)
        return True
    return False


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


def _check_only(clause: Clause, state: BuildState) -> None:
    """Reports a reason by which only those may whom its clause does not let through."""
    denied = [*_denied_alternatives(clause.condition, state)]
    texts = sentence_by_language(state, reason_address(clause.address)) if denied else {}
    for language, text in texts.items():
        match = ONLY[language].search(text.text) if language in ONLY else None
        first = None if match is None else next(iter(mentions(language, match["who"], state)), None)
        if match is None or first is None or first.before or OF_SOME.search(match["who"][len(first.form) :]):
            continue
        for part, named in denied:
            if _is_all_meant(first.meanings, named, state) and _times_read(named, clause.condition, state=state) == 1:
                section, _, name = clause.address.rpartition(".")
                span = part_span(state.document.root, section, name, part, clause.span)
                message = f"its reason says that only `{first.form}` may, and `{span.text}` lets all others do it"
                warn(state, span, OTHER_WAY, message, "the other way round", "ask for the contrary", clause.address)
                return


def _denied_alternatives(condition: Expr, state: BuildState) -> Iterator[tuple[Expr, Named]]:
    """The parts of which one is enough for a condition, and that ask that something is not so, each with what."""
    match condition:
        case Logic(op="or", left=left, right=right):
            yield from _denied_alternatives(left, state)
            yield from _denied_alternatives(right, state)
        case Not(of=ReadValue() as flag):
            yield condition, Named("value", flag.name)
        case Compare(op="is", left=ReadZone(member=None) as zone, right=Constant(value=None)):
            if any(isinstance(key, Local) for key in zone.keys):  # asks what sort of thing it is
                yield condition, Named("zone", zone.name)
        case Compare(op="is not", right=Constant() as right) if member := _member(right, state):
            yield condition, Named("member", member)


def _member(constant: Expr, state: BuildState) -> str:
    """The member of a kind that an expression is, by its name; nothing for other expressions."""
    if not isinstance(constant, Constant) or not isinstance(constant.type, Member) or constant.type == SEAT:
        return ""
    kind = state.symbols.kinds[constant.type.kind]
    members = () if kind.is_numeric else state.symbols.family_members[kind.family]
    return members[constant.value] if isinstance(constant.value, int) and constant.value < len(members) else ""


def _is_all_meant(meanings: Meanings, named: Named, state: BuildState) -> bool:
    """Whether a word means what is denied, and else only what is known by it."""
    others = {one for one in meanings if one != named and one.sort != "place"}
    return named in meanings and all(
        one.sort == "value" and _times_read(named, *(of for _, of in state.values[one.name].terms), state=state)
        for one in others
    )


def _times_read(named: Named, *exprs: Expr, state: BuildState) -> int:
    """How often expressions ask for something, also by values."""
    parts = all_parts(state.values, exprs)
    if named.sort == "member":
        return sum(_member(part, state) == named.name for part in parts)
    read = ReadZone if named.sort == "zone" else ReadValue
    return sum(isinstance(part, read) and part.name == named.name for part in parts)


__all__ = ["check_negated_reasons"]

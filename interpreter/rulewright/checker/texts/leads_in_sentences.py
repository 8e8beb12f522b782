"""Does a rule ask who of two players has more, where its sentence says fewer, or the reverse?

In: the state of a build. Out: warnings about conditions that compare one and the same number of the player in turn and
of another one, where the sentence says of that very number who has more of it than whom. Found by a few words, English
and French. A reason is read where the condition does not hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

from rulewright.checker.common.condition_nodes import part_span
from rulewright.checker.common.denied_parts import parts_with_denial
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.criteria import is_turned_round
from rulewright.checker.texts.names_of_things import NAMES_NEEDED, mentions
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.checker.texts.spoken_rules import RULES_NEEDED, SpokenRule, Texts, spoken_rules
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import (
    SIDES_SWAPPED,
    Arithmetic,
    Builtin,
    Call,
    Compare,
    Expr,
    If,
    Local,
    Quantifier,
    ReadState,
    ReadValue,
    ReadZone,
)
from rulewright.expr.types import SEAT, Number, Thing
from rulewright.expr.walk import is_me, iter_exprs, transform
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import RunSteps, Step
from rulewright.model.traversal import single_run_exprs

Direction = Literal["more", "fewer"]
ROLES: Final = ("clause", "reason", "step")
_OTHER: Final = {
    "en": r"(?:the|your|that|each|any|every) (?:opponents?|others?|other players?|next player"
    r"|(?:left |right )?neighbour|player (?:to|on) (?:the|your) (?:left|right))|another player",
    "fr": r"(?:l'|votre |chaque |les |un |vos )(?:autres?(?: joueurs?)?|adversaires?)"
    r"|le joueur (?:suivant|de gauche)|votre voisin",
}
_ME: Final = {"en": r"you(?: do| have)?|the player(?: in turn)?|who plays", "fr": r"vous|le joueur(?: actif)?"}
_BEHIND: Final = {
    "en": r"(?=[.,;:?!]|$| (?:gives?|gets?|draws?|takes?|loses?|pays?|may|must|is|has)\b)",
    "fr": r"(?= ?[.,;:?!]|$| (?:donne|reçoit|pioche|prend|perd|paie|peut|doit)\b)",
}
_COMPARED: Final = {
    "en": r"\b(?:(?P<more>more|higher|greater|larger|bigger)|(?P<fewer>less|fewer|lower|smaller)) "
    r"(?P<what>[^.,;:?]{2,40}?) than (?:in |on |at |of |from )?",
    "fr": r"\b(?:(?P<more>plus (?:de |d'))|(?P<fewer>moins (?:de |d')))(?P<what>[^.,;:?]{2,40}?) qu(?:e |')",
}
THAN_OTHER: Final = {
    each: lazy_pattern(f"(?i){words}(?:{_OTHER[each]}){_BEHIND[each]}") for each, words in _COMPARED.items()
}
THAN_ME: Final = {each: lazy_pattern(f"(?i){words}(?:{_ME[each]}){_BEHIND[each]}") for each, words in _COMPARED.items()}
WHERE: Final = ("in ", "on ", "dans ", "en ", "sur ")
NOT_SO: Final = lazy_pattern(
    r"(?i)\b(?:not|no|none|nobody|never|without|unless|until|except|or|nor|neither|twice|times|cannot|\w+n't"
    r"|ne|pas|ni|personne|jamais|sans|sauf|ou|fois)\b|\bn'"
)
REQUIRES: Final = lazy_pattern(  # a reason that says what has to be
    r"(?i)\b(?:must|needs?|only|if|should|may|can|who|whoever|has to|have to|required?"
    r"|doit|devez|faut|seul\w*|si|peut|qui)\b"
)


@build_pass(needs=sorted({*NAMES_NEEDED, *RULES_NEEDED}), skip=after_errors)
def check_leads_in_sentences(state: BuildState) -> None:
    """Reports them."""
    for rule in spoken_rules(state):
        for key, expr in rule.asked if rule.role in ROLES else ():
            found = [*_leads(expr)]
            if len(found) == 1 and key != "move":
                _check(rule, key, *found[0], state)


def _check(rule: SpokenRule, key: str, part: Compare, direction: Direction, state: BuildState) -> None:
    """Reports a comparison if the sentence says the contrary of it."""
    wanted = _turned(direction) if rule.role == "reason" else direction
    for texts in _sentences(rule, key, state):
        claims = [*_claims(texts, part, state)]
        if not claims or any(claim == wanted for claim, _ in claims):
            continue
        whose = "reason" if rule.role == "reason" else "sentence"
        message = f"its {whose} says `{claims[0][1]}`, and this asks for the contrary"
        hint = f"write `{SIDES_SWAPPED[part.op]}`, or change the sentence"
        span = part_span(state.document.root, rule.address, key, part, rule.span)
        warn(state, span, OTHER_WAY, message, "the other way round", hint, rule.place)
        return


def _sentences(rule: SpokenRule, key: str, state: BuildState) -> Iterator[Texts]:
    """What is said of a condition, the nearest first; that of a step may have a sentence of its own."""
    if rule.role == "step":
        yield sentence_by_language(state, f"{rule.address}.{key}")
    if rule.role == "reason":
        yield {each: text for each, text in rule.texts.items() if not REQUIRES.search(text.text)}
    elif key != "when" or not _is_about_others(rule.steps[0]):
        yield rule.texts


def _is_about_others(step: Step) -> bool:
    """Whether a step does something to another player than the one in turn, of whom its sentence may speak."""
    exprs = (expr for expr in single_run_exprs(step) if expr is not step.when)
    return isinstance(step.effect, RunSteps) or any(_is_other(part) for expr in exprs for part in iter_exprs(expr))


def _claims(texts: Texts, part: Compare, state: BuildState) -> Iterator[tuple[Direction, str]]:
    """What sentences say of the player in turn, and how: that there is more or fewer than another player has."""
    for language, text in texts.items():
        if language not in THAN_OTHER or NOT_SO.search(text.text) or is_turned_round(text.text.lower()):
            continue
        for patterns, is_of_me in ((THAN_OTHER, True), (THAN_ME, False)):
            found = [*patterns[language].finditer(text.text)]
            if len(found) == 1 and _is_counted(found[0], language, part, state):
                says: Direction = "more" if found[0]["more"] else "fewer"
                yield says if is_of_me else _turned(says), found[0][0]


def _is_counted(match: re.Match[str], language: str, part: Compare, state: BuildState) -> bool:
    """Whether what a sentence compares is what the rule compares, by its name."""
    names = {*_names_read(part.left, state)}
    words = [language] if language == "en" else [language, "en"]
    return any(
        not one.before and not names.isdisjoint(meaning.name for meaning in one.meanings)
        for each in words
        for one in mentions(each, match["what"], state)
        if not one.behind or one.behind.startswith(WHERE)
    )


def _names_read(counted: Expr, state: BuildState) -> Iterator[str]:
    """What a number may be called after: what is read, and what lies in the place that is counted."""
    for part in iter_exprs(counted):
        if isinstance(part, ReadValue | ReadState | ReadZone):
            yield part.name
        if isinstance(part, ReadZone):
            of = state.zones[part.name].content_type
            yield of.component if isinstance(of, Thing) else of.kind


# ---- who has more -------------------------------------------------------------------------------------------------


def _leads(condition: Expr) -> Iterator[tuple[Compare, Direction]]:
    """The comparisons of what the player in turn has with what another has, and what they ask of the player in turn."""
    for part, is_denied in parts_with_denial(condition):
        if isinstance(part, Compare) and part.op in SIDES_SWAPPED and (direction := _lead(part)) is not None:
            yield part, _turned(direction) if is_denied else direction


def _lead(part: Compare) -> Direction | None:
    own, other = ({*_players(side)} for side in (part.left, part.right))
    is_left = own == {"me"} and other == {"other"}
    if not is_left and not (own == {"other"} and other == {"me"}):
        return None
    sides = [structural_key(transform(side, _as_me)) for side in (part.left, part.right)]
    if sides[0] is None or sides[0] != sides[1] or not isinstance(part.left.type, Number) or _is_reckoned(part.left):
        return None
    return "more" if (part.op in (">", ">=")) is is_left else "fewer"


def _players(side: Expr) -> Iterator[str]:
    """Whom a number is about: `me`, or `other`."""
    inner = {id(seat) for part in iter_exprs(side) if isinstance(part, Call) for seat in part.args}
    for part in iter_exprs(side):
        if is_me(part) and id(part) not in inner:
            yield "me"
        elif _is_other(part):
            yield "other"


def _is_other(seat: Expr) -> bool:
    match seat:
        case Builtin(name="opponent"):
            return True
        case Call(function="next", args=(of,)):
            return is_me(of)
        case Local():
            return seat.type == SEAT
    return False


def _as_me(part: Expr) -> Expr | None:
    return Builtin("me", SEAT, part.offsets) if _is_other(part) else None


def _is_reckoned(of: Expr) -> bool:
    """Whether less of a number may be called more: of a difference or a choice."""
    return any(isinstance(part, Arithmetic | If | Quantifier) for part in iter_exprs(of))


def _turned(direction: Direction) -> Direction:
    return "fewer" if direction == "more" else "more"


__all__ = ["check_leads_in_sentences"]

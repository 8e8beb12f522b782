"""Does a rule ask about some player where its sentence says every player, or the reverse?

In: the state of a build. Out: warnings about the conditions of steps and clauses, and about values, that ask this of a
player alone, whom they compare with nobody. What a variant says of itself counts, too, where it changes nothing else.
Found by a few words, English and French, where a sentence says when something is so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.checker.texts.single_changes import text_of_single_change
from rulewright.expr.tree import Builtin, Expr, Local, Quantifier
from rulewright.expr.types import SEAT, Flag
from rulewright.expr.walk import conjuncts, is_all_seats, iter_exprs
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.source.nodes import Node, ScalarNode

_WHEN: Final = {
    "en": r"\b(?:once|when|whenever|as soon as|if|after|whether) ",
    "fr": r"\b(?:dès que |dès qu'|quand |lorsque |lorsqu'|si |une fois que |une fois qu')",
}
_DONE: Final = {"en": r"(?= (?:have|had|are|of them)\b)", "fr": r"(?= (?:ont|sont|auront)\b)"}
_ALL: Final = {
    "en": rf"every player|everybody|everyone|each player|all (?:the |of the )?players|all{_DONE['en']}"
    rf"|both(?: players|{_DONE['en']})",
    "fr": rf"tous les joueurs|chaque joueur|chacun|tout le monde|tous{_DONE['fr']}|les deux(?: joueurs|{_DONE['fr']})",
}
_ANY: Final = {
    "en": r"somebody|someone|some player|anybody|anyone|any player|a player|(?:at least )?one of (?:them|the players)"
    r"|at least one player|one player(?! (?:alone|only|is left|remains)\b)",
    "fr": r"quelqu'un|un joueur|(?:au moins )?(?:l'un|un) des joueurs|au moins un joueur|n'importe quel joueur",
}
SAYS_EVERY: Final = {
    "en": lazy_pattern(rf"{_WHEN['en']}(?:{_ALL['en']})\b"),
    "fr": lazy_pattern(rf"{_WHEN['fr']}(?:{_ALL['fr']})\b"),
}
SAYS_SOME: Final = {
    "en": lazy_pattern(rf"{_WHEN['en']}(?:{_ANY['en']})\b"),
    "fr": lazy_pattern(rf"{_WHEN['fr']}(?:{_ANY['fr']})\b"),
}
CLAIMS_EVERY: Final = {language: lazy_pattern(f"^(?:{words}) ") for language, words in _ALL.items()}
CLAIMS_SOME: Final = {language: lazy_pattern(f"^(?:{words}) ") for language, words in _ANY.items()}
OF_EVERY: Final = lazy_pattern(
    r"\b(?:every|each|all|everybody|everyone|both|tous|toutes|chaque|chacun|tout le monde|les deux)\b"
)
OF_SOME: Final = lazy_pattern(
    r"\b(?:some\w*|any\w*|an? player|one of|at least one|whoever|who|first"
    r"|quelqu'un|un joueur|l'un|un des|qui|premier)\b"
)
HAS_NONE: Final = lazy_pattern(r"\b(?:n'|ne )(?:a|ont|reste|possède\w*) plus\b")  # what is asked, not a denial
DENIED: Final = lazy_pattern(
    r"\b(?:not|nobody|nothing|never|unless|otherwise|else|only|ne|pas|rien|personne|sauf|sinon|seulement)\b|\bn'"
)


@build_pass(needs=["book_sentences", "judged"], skip=after_errors)
def check_some_or_every(state: BuildState) -> None:
    """Reports them."""
    for address, key, condition, is_statement in _conditions(state):
        part = _quantifier(condition)
        node = _node(state, address, key)
        if part is None or not isinstance(node, ScalarNode):
            continue
        texts = sentence_by_language(state, address)
        span = node.subspan(*part.offsets)
        is_every = part.quantifier == "every"
        says = _contrary(texts, is_every=is_every, is_statement=is_statement)
        if not says and not _has_word(texts):
            says = _contrary(text_of_single_change(state, node.span), is_every=is_every, is_statement=False)
        if says:
            what = "only if it is so of all" if is_every else "if it is so of one"
            message = f"its sentence says `{says}`, and this holds {what}"
            hint = f"write `{'some' if is_every else 'every'}`, or change the sentence"
            warn(state, span, OTHER_WAY, message, "the other way round", hint, address)


def _conditions(state: BuildState) -> Iterator[tuple[str, str, Expr, bool]]:
    """Conditions, each with where it stands, the key there, and whether its sentence states what holds."""
    for step in state.judged.steps:
        if step.when is not None:
            yield step.address, "when", step.when, False
    for action in state.judged.actions:
        for clause in action.clauses:
            yield clause.address, "", clause.condition, True
    for name, value in state.judged.values.items():
        if isinstance(value.type, Flag) and len(value.terms) == 1 and not value.deductions:
            yield f"values.{name}", "is", value.terms[0][1], True


def _node(state: BuildState, address: str, key: str) -> Node | None:
    """What stands at a key; without one, at the address itself."""
    section, _, name = address.rpartition(".")
    return condition_node(state.document.root, *((address, key) if key else (section, name)))


def _quantifier(condition: Expr) -> Quantifier | None:
    """The part of a condition that asks about some player or every one; None where it is not the only such part, or
    compares players.
    """
    found = [part for part in iter_exprs(condition) if isinstance(part, Quantifier) and is_all_seats(part.over)]
    if len(found) != 1 or found[0] not in conjuncts(condition) or found[0].quantifier == "no":
        return None
    of_others = (
        (isinstance(part, Local) and part.slot != found[0].slot and part.type == SEAT)
        or (isinstance(part, Builtin) and part.type == SEAT)
        for part in iter_exprs(found[0].condition)
    )
    return None if any(of_others) else found[0]


def _contrary(texts: Mapping[str, ScalarNode], *, is_every: bool, is_statement: bool) -> str:
    """The words of a sentence that say the contrary, where no others go with the rule."""
    words, claims, right = (SAYS_SOME, CLAIMS_SOME, OF_EVERY) if is_every else (SAYS_EVERY, CLAIMS_EVERY, OF_SOME)
    for language, node in texts.items():
        text = HAS_NONE.sub("", node.text.lower())
        if language not in words or right.search(text) or DENIED.search(text):
            continue
        match = words[language].search(text) or (claims[language].search(text) if is_statement else None)
        if match is not None:
            return match[0].strip()
    return ""


def _has_word(texts: Mapping[str, ScalarNode]) -> bool:
    return any(OF_EVERY.search(node.text.lower()) or OF_SOME.search(node.text.lower()) for node in texts.values())


__all__ = ["check_some_or_every"]

"""Does a sentence claim with a plain word what its rule denies: full, without, lost?

In: the state of a build. Out: warnings about clauses that let a place be at its limit where they say that it is not
full; about actions that do a step without which they are done, as they say; about moves to players who give something,
and from those who get it; about ends at which all win where the game is said to be lost, and the reverse. Found by a
few words, English and French.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.rules_read import steps_within
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.checker.texts.words_found import Patterns, words_found
from rulewright.diagnostics import Span
from rulewright.document.text_addresses import reason_address
from rulewright.expr.tree import Builtin, Call, Compare, Expr, ReadParameter, ReadZone
from rulewright.expr.types import SEAT
from rulewright.expr.walk import is_all_seats, iter_exprs
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.actions import ActionDef, Clause
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Finish, Move, Step
from rulewright.source.nodes import ScalarNode

FACE_DOWN: Final = {
    "en": lazy_pattern(
        r"(?i)(?:\b(?:is|are|was|were|been|laid|put|placed|lying|lies?|kept|played|set) face[- ]down\b"
        r"|^(?:the )?face[- ]down\b)"
    ),
    "fr": lazy_pattern(
        r"(?i)\b(?:posée?s?|mise?s?|placée?s?|jouée?s?|couchée?s?|gardée?s?|est|sont|restent?)"
        r" faces? (?:cachées?|contre table)\b"
    ),
}
TURNED: Final = lazy_pattern(
    r"(?i)\b(?:turned|flipped|face[- ]up|revealed|shown|open|retournée?s?|visibles?|montrée?s?)\b"
)
NOT_FULL: Final = {
    "en": lazy_pattern(r"(?i)\b(?:(?:is|are) not (?:yet )?full|there is (?:still )?room)\b"),
    "fr": lazy_pattern(r"(?i)\b(?:n'(?:est|était) pas (?:encore )?pleine?|il (?:y a|reste) (?:encore )?de la place)\b"),
}
WITHOUT: Final = lazy_pattern(r"(?i)\bwithout ([a-z]{3,20})ing\b")
ALL_LOSE: Final = {
    "en": lazy_pattern(
        r"(?i)\b(?:(?:all|everybody|everyone|all players|the players) (?:have |has )?(?:loses?|lost)"
        r"|nobody (?:wins|has won)|the game is lost|lost and so is the game)(?! (?:its|their|his|a|an|the|one)\b)"
    ),
    "fr": lazy_pattern(
        r"(?i)\b(?:tous (?:les joueurs )?(?:perdent|ont perdu)|tout le monde (?:perd|a perdu)|la partie est perdue"
        r"|personne ne gagne)\b"
    ),
}
NOBODY: Final = ("nobody", "personne")
ALL_WIN: Final = {
    "en": lazy_pattern(
        r"(?i)\b(?:(?:all|everybody|everyone|all players|the players) (?:have |has )?(?:wins?|won)|the game is won)"
        r"(?! (?:its|their|his|a|an|the|one|nothing)\b)"
    ),
    "fr": lazy_pattern(
        r"(?i)\b(?:tous (?:les joueurs )?(?:gagnent|ont gagné)|tout le monde (?:gagne|a gagné)|la partie est gagnée)\b"
    ),
}
_EACH: Final = {"en": r"each(?: player)?|every player|everybody|everyone|all players", "fr": r"chaque joueur|chacun"}
_GIVES: Final = {
    "en": r"eats?|feeds?|pays?|loses?|burns?|spends?|returns?|discards?|gives? (?:back|up|away)|uses? up",
    "fr": r"mange|paie|perd|brûle|dépense|rend|défausse|donne",
}
_GETS: Final = {
    "en": r"gets?|receives?|earns?|gains?|draws?|is given|are given",
    "fr": r"reçoit|gagne|pioche|obtient|touche",
}
TAKES_IN: Final = {
    "en": lazy_pattern(rf"(?i)\b(?:{_GETS['en']}|takes?|for it)\b"),
    "fr": lazy_pattern(rf"(?i)\b(?:{_GETS['fr']}|prend)\b"),
}
HANDS_OUT: Final = {language: lazy_pattern(rf"(?i)\b(?:{verbs})\b") for language, verbs in _GIVES.items()}
EACH_GIVES: Final = {
    language: lazy_pattern(rf"(?i)^(?:{who}) (?:{_GIVES[language]})\b") for language, who in _EACH.items()
}
EACH_GETS: Final = {
    language: lazy_pattern(rf"(?i)^(?:{who}) (?:{_GETS[language]})\b") for language, who in _EACH.items()
}
ONE_GETS: Final = {  # who has so much, at the end of which clause it stands
    "en": lazy_pattern(
        r"(?i)^(?:the player|you|who(?:ever)? (?:has|holds|owns|is)\b[^,.;:]{2,60}?) (?:then |also )?"
        r"(?:gets?|receives?|gains?)\b"
    ),
    "fr": lazy_pattern(
        r"(?i)^(?:le joueur|vous|(?:celui )?qui (?:a|possède|détient|est)\b[^,.;:]{2,60}?) (?:alors |aussi )?"
        r"(?:reçoit|recevez|obtient|obtenez)\b"
    ),
}
LETS_GO: Final = lazy_pattern(  # what else may take it away
    r"(?i)\b(?:puts?|lays?|plays?|places?|sets?|rid|moves?|shows?|hands?|less|fewer|back|away|only|no|not|nothing|for"
    r"|pour|pose|met|joue|montre|moins|ne|rien|pas)\b|\bn'"
)
LEADING_IF: Final = lazy_pattern(
    r"(?i)^(?:if|si) (?!not\b|no\b|nobody\b|nothing\b)[^,.;:]{3,200}, (?=[^.;:]{3,200}\.?$)"
)
SOME_ONLY: Final = lazy_pattern(r"(?i)\b(?:who|whoever|but|except|if|unless|qui|sauf|mais|si)\b")


@build_pass(needs=["blocks", "zones", "book_sentences", "judged"], skip=after_errors)
def check_plain_claims(state: BuildState) -> None:
    """Reports them."""
    claims = _Claims(state)
    for zone in state.judged.zones if state.players > 1 else ():
        says = "" if zone.seen_by != "all" else claims.face_down(zone.address)
        if says:
            span = claims.span(zone.address, "seen_by", zone.span)
            message = f"its sentence says `{says}`, and everybody sees `{zone.name}`"
            warn(state, span, OTHER_WAY, message, "seen by all", "write `seen_by: owner` or `nobody`", zone.address)
    for action in state.judged.actions:
        for clause in action.clauses:
            says = claims.word(clause.address, NOT_FULL) or claims.word(reason_address(clause.address), NOT_FULL)
            if says and (part := _may_be_full(clause, state)) is not None:
                _report_condition(state, clause.address, part, says, "it may be full here", "write `<`", clause.span)
        _check_without(state, action, claims)
    for step in state.judged.steps:
        if isinstance(step.effect, Finish) and step.effect.winners is not None:
            _check_all(state, step.address, step.effect.winners, claims, step.span)
        elif isinstance(step.effect, Move):
            _check_direction(state, step, step.effect, claims)


class _Claims:
    """The words of sentences, and where rules stand."""

    def __init__(self, state: BuildState) -> None:
        self.state = state

    def face_down(self, address: str) -> str:
        """The words that say of things that they lie face down, where they are not said to be turned."""
        is_turned = any(TURNED.search(text.text) for text in sentence_by_language(self.state, address).values())
        return "" if is_turned else self.word(address, FACE_DOWN)

    def word(self, address: str, words: Patterns) -> str:
        """The first words of a sentence that are looked for, if any."""
        return words_found(words, sentence_by_language(self.state, address))

    def span(self, address: str, key: str, fallback: Span) -> Span:
        """Where a key of a rule stands."""
        node = condition_node(self.state.document.root, address, key)
        return fallback if node is None else node.span


def _report_condition(
    state: BuildState, address: str, part: Expr, says: str, what: str, hint: str, fallback: Span
) -> None:
    """A warning at a part of what stands at an address."""
    section, _, name = address.rpartition(".")
    node = condition_node(state.document.root, section, name)
    span = fallback if not isinstance(node, ScalarNode) else node.subspan(*part.offsets)
    warn(state, span, OTHER_WAY, f"its sentence says `{says}`, and {what}", "the other way round", hint, address)


def _may_be_full(clause: Clause, state: BuildState) -> Expr | None:
    """The comparison by which a place may hold as much as it began with, which is a parameter."""
    part = clause.condition
    if not isinstance(part, Compare) or part.op != "<=" or not isinstance(part.right, ReadParameter):
        return None
    counted = part.left.args[0] if isinstance(part.left, Call) and part.left.function == "count" else None
    if not isinstance(counted, ReadZone):
        return None
    zone = state.zones[counted.name]
    read = [
        {inner.name for inner in iter_exprs(expr) if isinstance(inner, ReadParameter)} if expr is not None else set()
        for expr in (zone.initial_content, zone.capacity)
    ]
    return part if part.right.name in read[0] - read[1] else None  # within its capacity it is always


def _check_without(state: BuildState, action: ActionDef, claims: _Claims) -> None:
    """A step, always done, that takes something of a player and is called like what an action is done without."""
    for text in sentence_by_language(state, action.address).values():
        match = WITHOUT.search(text.text)
        stem = "" if match is None else match[1].lower()
        names = {stem, f"{stem}e", stem[:-1] if stem[-1:] == stem[-2:-1] else stem} if stem else set()
        for step in steps_within(action.block, state.blocks):
            is_meant = step.address.rpartition(".")[2] in names and _takes(step)
            if match is not None and is_meant:
                message = f"the sentence of `{action.name}` says `{match[0]}`, and this does it"
                hint = "remove the step, or change the sentence"
                warn(state, step.span, OTHER_WAY, message, "done all the same", hint, step.address)
                return


def _takes(step: Step) -> bool:
    """Whether it is always done and brings something that is a player's own to what is nobody's."""
    move = step.effect
    if not isinstance(move, Move) or move.source is None or step.when is not None or step.for_each is not None:
        return False
    return any(key.type == SEAT for key in move.source.keys) and not any(key.type == SEAT for key in move.to.keys)


def _check_all(state: BuildState, address: str, winners: Expr, claims: _Claims, fallback: Span) -> None:
    """All win where all are said to lose, or nobody where all are said to win."""
    is_nobody = isinstance(winners, Builtin) and winners.name == "nobody"
    if not is_nobody and not is_all_seats(winners):
        return
    right, wrong = (ALL_LOSE, ALL_WIN) if is_nobody else (ALL_WIN, ALL_LOSE)
    says = "" if claims.word(address, right) else claims.word(address, wrong)
    if says.lower().startswith(NOBODY) and not is_nobody and not _is_kind(winners):
        return  # in a draw nobody wins, either
    if says and not any(map(_names_some, sentence_by_language(state, address).values())):
        span = claims.span(address, "winners", fallback)
        what = "nobody wins" if is_nobody else "all win" if _is_kind(winners) else "it is a draw"
        message = f"its sentence says `{says}`, and by this {what}"
        hint = "write `winners: player`" if is_nobody else "write `winners: nobody`"
        warn(state, span, OTHER_WAY, message, "the other way round", f"{hint}, or another sentence", address)


def _names_some(text: ScalarNode) -> bool:
    """Whether a sentence is not about all, or only under a condition; when the step is done may stand in front."""
    return SOME_ONLY.search(LEADING_IF.sub("", text.text)) is not None


def _check_direction(state: BuildState, step: Step, move: Move, claims: _Claims) -> None:
    """Each player gives, and the step brings something from what is nobody's; or gets, and it takes it there."""
    if move.source is None:
        return
    is_from, is_to = (any(key.type == SEAT for key in place.keys) for place in (move.source, move.to))
    if is_from == is_to:
        return
    words, others = (EACH_GIVES, TAKES_IN) if is_to else (EACH_GETS, HANDS_OUT)
    says = "" if claims.word(step.address, others) else claims.word(step.address, words)
    if not says and is_from and _is_pool(move, state) and not claims.word(step.address, HANDS_OUT):
        is_let_go = any(LETS_GO.search(text.text) for text in sentence_by_language(state, step.address).values())
        says = "" if is_let_go else claims.word(step.address, ONE_GETS)
    if says:
        what = "brings it to the player" if is_to else "takes it from the player"
        message, hint = f"its sentence says `{says}`, and this {what}", "exchange `from` and `to`"
        span = claims.span(step.address, "from", step.span)
        warn(state, span, OTHER_WAY, message, "the other way round", hint, step.address)


def _is_pool(move: Move, state: BuildState) -> bool:
    """Whether a move takes pieces."""
    return move.source is not None and state.zones[move.source.zone].is_pool


def _is_kind(winners: Expr) -> bool:
    return isinstance(winners, Builtin) and winners.name == SEAT.kind


__all__ = ["check_plain_claims"]

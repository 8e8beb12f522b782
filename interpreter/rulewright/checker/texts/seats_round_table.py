"""Is it the next player, or somebody else, round the table, where a sentence says so?

In: the state of a build. Out: warnings about steps that name `next(next(me))` of two players, where the sentence says
another one, and about states that go to the next player by the sentence of their step, and for some player do not.
Found by a few words, English and French.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rulewright.checker.common.condition_nodes import key_span
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.players_in_sentences import seats_changed
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.expr.tree import Builtin, Call, Compare, Constant, Expr, If, ReadState
from rulewright.expr.types import SEAT
from rulewright.expr.walk import iter_exprs
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import SetState, Step
from rulewright.source.nodes import ScalarNode

NEXT_IN_TURN: Final = {  # how a sentence begins, or what it says of something that is passed on
    "en": lazy_pattern(
        r"(?i)^(?:then |now |now it is )?the (?:next player(?! (?:who|that|with|to)\b)|player to the left)\b"
        r"|\bpasses (?:on )?(?:to the (?:next player|left)|clockwise)\b|\bgoes (?:round|around) the table\b"
    ),
    "fr": lazy_pattern(
        r"(?i)^(?:puis |ensuite )?le (?:joueur suivant|voisin de gauche)\b(?! qui\b)"
        r"|\bpasse (?:au joueur suivant|à gauche|au voisin de gauche)\b|\bfait le tour de la table\b"
    ),
}
SOMEBODY_ELSE: Final = {
    "en": lazy_pattern(
        r"(?i)\b(?:(?:the )?player (?:sitting )?(?:opposite|across)|(?:the )?opposite player|another player"
        r"|(?:the|your) (?:opponent|other player)|the next player but one)\b"
    ),
    "fr": lazy_pattern(
        r"(?i)\b(?:joueur (?:d'en face|opposé)|voisin d'en face|(?:un|l')autre joueur|(?:l'|un |votre )adversaire)\b"
    ),
}
NUMBERS_OF_PLAYERS: Final = lazy_pattern(r"(?i)\b(?:players|joueurs|joueuses|three|four|trois|quatre|\d+)\b")


@build_pass(needs=["book_sentences", "judged"], skip=after_errors)
def check_seats_round_table(state: BuildState) -> None:
    """Reports them."""
    for step in state.judged.steps:
        texts = sentence_by_language(state, step.address)
        if texts and not _check_oneself(step, texts, state):
            _check_next(step, texts, state)


def _check_oneself(step: Step, texts: Mapping[str, ScalarNode], state: BuildState) -> bool:
    """Reports `next(next(me))` of two players, where the sentence says another one."""
    if step.when is not None and any(
        isinstance(part, Builtin) and part.name == "players" for part in iter_exprs(step.when)
    ):
        return False
    for key, seat in seats_changed(step):
        seats_on = _seats_on(seat)
        if seats_on == 0 or seats_on % state.players or step.for_each is not None:
            continue
        for each, node in texts.items():
            says = SOMEBODY_ELSE[each].search(node.text) if each in SOMEBODY_ELSE else None
            if says is not None and not NUMBERS_OF_PLAYERS.search(node.text):
                message = f"its sentence says `{says[0]}`, and this comes round to the player from whom it counts"
                hint = "ask for more players, or for `players` in `when`"
                span = key_span(state.document.root, step.address, key, step.span)
                warn(state, span, OTHER_WAY, message, "nobody else", hint, step.address)
                return True
    return False


def _seats_on(seat: Expr) -> int:
    """How many seats on from whom an expression counts: 2 for `next(next(me))`."""
    count = 0
    while isinstance(seat, Call) and seat.function == "next" and len(seat.args) == 1:
        (seat,), count = seat.args, count + 1
    return count


def _check_next(step: Step, texts: Mapping[str, ScalarNode], state: BuildState) -> bool:
    """Reports a state that is set to somebody else than the next player, for some that it can be."""
    effect = step.effect
    if not isinstance(effect, SetState) or effect.to.type != SEAT or effect.target.keys:
        return False
    says = next(
        (
            match
            for each, node in texts.items()
            if each in NEXT_IN_TURN and (match := NEXT_IN_TURN[each].search(node.text))
        ),
        None,
    )
    reads = any(isinstance(part, ReadState) and part.name == effect.target.name for part in iter_exprs(effect.to))
    if says is None or not reads:
        return False
    for seat in range(state.players):
        to = _seat_after(effect.to, effect.target.name, seat, state.players)
        if to is None:
            return False
        if to != (seat + 1) % state.players:
            after = f"after player {seat + 1} comes player {to + 1}"
            message = f"its sentence says `{says[0]}`, and {after}"
            hint = f"write `next({effect.target.name})`, or change the sentence"
            span = key_span(state.document.root, step.address, "to", step.span)
            warn(state, span, OTHER_WAY, message, "another player", hint, step.address)
            return True
    return False


def _seat_after(expr: Expr, name: str, seat: int, players: int) -> int | None:
    """Which seat an expression is where a state has one; None if it depends on anything else."""
    match expr:
        case ReadState(name=read, keys=()) if read == name:
            return seat
        case Builtin(name="first_player"):
            return 0
        case Constant(value=int(value)):
            return value
        case Call(function="next", args=(of,)):
            before = _seat_after(of, name, seat, players)
            return None if before is None else (before + 1) % players
        case If(condition=Compare(op="is" | "is not" as op, left=left, right=right), then=then, otherwise=otherwise):
            sides = [_seat_after(side, name, seat, players) for side in (left, right)]
            if None in sides:
                return None
            holds = (sides[0] == sides[1]) is (op == "is")
            return _seat_after(then if holds else otherwise, name, seat, players)
    return None


__all__ = ["check_seats_round_table"]

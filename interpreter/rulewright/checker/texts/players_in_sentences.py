"""Does the sentence of a step name another player than the step?

In: the state of a build. Out: warnings about steps that give to one player, or take from one, where their sentence
begins with somebody else who gets it or gives it, or ends with who it goes to; and that ask of another player than the
one whom they are about. Found by a few words, English and French. "Each player" may be the one in turn, in a turn,
which each has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rulewright.checker.common.condition_nodes import key_span, part_span
from rulewright.checker.common.lint_codes import OTHER_WAY
from rulewright.checker.common.rules_read import steps_within
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.expr.tree import Builtin, Call, Expr, Local
from rulewright.expr.types import SEAT
from rulewright.expr.walk import is_all_seats, is_me, iter_exprs
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import GiveTurn, Move, RunSteps, SetState, Step
from rulewright.source.nodes import ScalarNode

TURN: Final = "turn"
FIRST_PLAYER: Final = "first_player"
NOT_FIRST: Final = frozenset({"next", "other", "second"})  # who may be one player
OPPONENT: Final = "opponent"
OTHER: Final = "other"
NAMED: Final = {  # by who is meant: the words of a sentence, behind their language
    "each": {
        "en": r"each player|every player|everybody|everyone|all players|both players",
        "fr": r"chaque joueur|chacun|tous les joueurs|tout le monde|les deux joueurs",
    },
    "me": {
        "en": r"the (?:current|active) player|the player (?:in turn|to move|whose turn it is)|whose turn it is",
        "fr": r"le joueur (?:actif|courant|en cours|au trait|dont c'est le tour)|celui dont c'est le tour",
    },
    "first": {"en": r"the (?:first|starting|start) player", "fr": r"le premier joueur"},
    "second": {
        "en": r"the second player|who(?:ever)? (?:plays|goes|moves|begins) second",
        "fr": r"le (?:second|deuxième) joueur|qui joue en (?:second|deuxième)",
    },
    "next": {"en": r"the (?:next player|player to the left)", "fr": r"le (?:joueur suivant|voisin de gauche)"},
    "other": {
        "en": r"(?:the|your) (?:other player|opponent)|the other(?= \w+s\b)",
        "fr": r"l'(?:autre joueur|adversaire)|votre adversaire",
    },
}
GETS: Final = {
    "en": r"(?:gets?|receives?|takes?|draws?|gains?|collects?|scores?|earns?|wins?|is given|are given)",
    "fr": r"(?:reçoi\w+|pren(?:d|nent)|pioche(?:nt)?|gagne(?:nt)?|obtien(?:t|nent)|marque(?:nt)?|touche(?:nt)?)",
}
GIVES: Final = {
    "en": r"(?:gives?|pays?|loses?|returns?|discards?|hands? over)",
    "fr": r"(?:donne(?:nt)?|paie(?:nt)?|per(?:d|dent)|ren(?:d|dent)|défausse(?:nt)?)",
}
COMES_FROM: Final = {"en": r"\bfrom (?:{who})\b", "fr": r"\b(?:pris|prise|prises|prendre\b.*) à (?:{who})\b"}
GIVEN_TO: Final = {"en": r"\bto (?:{who})\b", "fr": r"\b(?:donner|donnez|passer|passez)\b.* à (?:{who})\b"}
GOES_TO: Final = {"en": r"\bgo(?:es)? to (?:{who})\b", "fr": r"\b(?:va|vont|revient|reviennent) (?:à )?(?:{who})\b"}
AND_ALSO: Final = {"en": r"(?:then |also |now )?", "fr": r"(?:alors |aussi |ensuite )?"}
CALLED: Final = {
    "each": "each player",
    "me": "the player in turn",
    "first": "the first player",
    "second": "the second player",
    "next": "the next player",
    "other": "the other player",
}
HAS_TURN: Final = {
    "en": r"(?:(?:has|gets|takes|plays) (?:another|an extra|an additional|a second|one more) turn|plays again)",
    "fr": r"(?:a|joue|reçoit|obtient) (?:un autre tour|un tour (?:de plus|supplémentaire)|un second tour)|rejoue",
}
SUBJECTS: Final = {
    (language, who, verb): lazy_pattern(rf"(?i)^(?:{words[language]}) {AND_ALSO[language]}{verbs[language]}\b")
    for language in ("en", "fr")
    for who, words in NAMED.items()
    for verb, verbs in (("to", GETS), ("from", GIVES), ("extra_turn", HAS_TURN))
}
WHOEVER: Final = {  # who does something gets something for it
    (language, verb): lazy_pattern(rf"(?i)^(?:{words})\b[^.;:]*\b{verbs[language]}\b")
    for language, words in (("en", "who|whoever"), ("fr", "qui|quiconque|celui qui"))
    for verb, verbs in (("to", GETS), ("from", GIVES))
}
THE_PLAYER: Final = {
    (language, verb): lazy_pattern(rf"(?i)^(?:{words}) {AND_ALSO[language]}{verbs[language]}\b")
    for language, words in (("en", "you|the player"), ("fr", "vous|le joueur"))
    for verb, verbs in (("to", GETS), ("from", GIVES))
}
WHO_HAS: Final = {
    "en": lazy_pattern(
        r"(?i)^(who(?:ever)? (?:has|holds|owns) "
        r"(?:no|fewer|less|more|at least|at most|exactly|two|three|four|five|\d+|\{))"
        rf"[^.;:]*?\b(?:{GETS['en']}|{GIVES['en']})\b"
    ),
    "fr": lazy_pattern(
        r"(?i)^((?:celui )?qui (?:a|possède|détient) "
        r"(?:moins|plus|au moins|au plus|exactement|deux|trois|quatre|cinq|\d+|\{))"
        rf"[^.;:]*?\b(?:{GETS['fr']}|{GIVES['fr']})\b"
    ),
}
ALONE: Final = lazy_pattern(
    r"(?i)\b(?:alone|only|still|seule?|encore|than|que)\b"
    r"(?! (?:\d|\{|one|two|three|four|five|un|deux|trois|quatre|cinq)\b)"
)
RECEIVERS: Final = {
    (language, who): lazy_pattern("(?i)" + GOES_TO[language].format(who=words[language]))
    for language in ("en", "fr")
    for who, words in NAMED.items()
}
SUBJECT_OF_ACTION: Final = {  # who gets or gives something, where an action does one thing
    (language, side): lazy_pattern(rf"(?i)^(?:{NAMED['other'][language]}) {AND_ALSO[language]}{verbs[language]}\b")
    for language in ("en", "fr")
    for side, verbs in (("from", GIVES), ("to", GETS))
}
SIDES: Final = {  # of what an action does
    (language, side): lazy_pattern("(?i)" + words[language].format(who=NAMED["other"][language]))
    for language in ("en", "fr")
    for side, words in (("from", COMES_FROM), ("to", GIVEN_TO))
}
LED_IN: Final = {  # who gets something, behind what it is for: "for a red one the opponent gains a point"
    "en": lazy_pattern(
        rf"(?i)^(?:for|in return for|in exchange for|with|after) (?:(?!\b(?:that|which|who)\b)[^,.;:])*,? "
        rf"(?:{NAMED['other']['en']}) {AND_ALSO['en']}{GETS['en']} (?:an?|one|two|three|four|five|the|\d+|\{{)"
    ),
    "fr": lazy_pattern(
        rf"(?i)^(?:pour|en échange d'|avec|après) ?(?:(?!\b(?:qui|que|dont)\b)[^,.;:])*,? "
        rf"(?:{NAMED['other']['fr']}) {AND_ALSO['fr']}{GETS['fr']} (?:une?|deux|trois|quatre|cinq|l[ea] |\d+|\{{)"
    ),
}
ANOTHER_TURN: Final = {
    "en": lazy_pattern(r"(?i)\b(?:another|an extra|an additional|a second|one more) turn\b"),
    "fr": lazy_pattern(r"(?i)\b(?:un autre tour|un tour (?:de plus|supplémentaire)|un second tour|rejoue[rz]?)\b"),
}
ABOUT_OTHERS: Final = lazy_pattern(
    r"(?i)\b(?:others?|opponents?|next|neighbours?|left|right|autres? joueurs?|advers\w+|suivante?|voisine?)\b"
)
NAMES_ME: Final = lazy_pattern(r"(?i)\b(?:you|the player in turn|nothing|no|not|vous|rien|ne|pas)\b|\bn'")
MENTIONS: Final = {
    (language, who): lazy_pattern(rf"(?i)\b(?:{words[language]})\b")
    for language in ("en", "fr")
    for who, words in NAMED.items()
}


@build_pass(needs=["blocks", "book_sentences", "judged"], skip=after_errors)
def check_players_in_sentences(state: BuildState) -> None:
    """Reports them."""
    looped = _steps_in_loops(state) if state.judged.steps else ()
    for block in state.blocks:
        section = block.address.partition(".")[0]
        for step in block.steps:
            if not state.judged.has(step.address) or step.address in looped:
                continue
            texts = sentence_by_language(state, step.address)
            for key, seat in seats_changed(step):
                actual = player_named(seat, step, state.players)
                says = _says_other(texts, key, actual, section) if actual else None
                if says is None and actual == "me" and step.for_each is None and _is_gift(key, step, state):
                    says = _led_in(texts)
                if says is None or names_player(step, says) or (says == "each" and step.for_each is not None):
                    continue
                span = key_span(state.document.root, step.address, key, step.span)
                message = f"its sentence says {CALLED[says]}, and this names {CALLED[actual]}"
                warn(
                    state, span, OTHER_WAY, message, "another player", "change the rule, or its sentence", step.address
                )
                break


def _led_in(texts: Mapping[str, ScalarNode]) -> str | None:
    """The other player, where sentences say that this one gets something for what was done, and speak of no other."""
    is_led_in = any(each in LED_IN and LED_IN[each].search(node.text) for each, node in texts.items())
    return OTHER if is_led_in and not any(NAMES_ME.search(node.text) for node in texts.values()) else None


def _is_gift(key: str, step: Step, state: BuildState) -> bool:
    """Whether the player whom a step names gets something, and gives nothing."""
    if not isinstance(step.effect, RunSteps):
        return key == "to" and isinstance(step.effect, Move)
    steps = state.blocks[step.effect.block].steps
    moves = [each.effect for each in steps if isinstance(each.effect, Move)]
    to = [key for move in moves for key in move.to.keys]
    sources = [key for move in moves if move.source is not None for key in move.source.keys]
    return (
        step.effect.is_procedure
        and len(moves) == len(steps)
        and any(isinstance(key, Local) and key.slot == 0 for key in to)
        and not any(isinstance(key, Local) and key.slot == 0 for key in sources)
    )


@build_pass(needs=["book_sentences", "judged"], skip=after_errors)
def check_players_asked(state: BuildState) -> None:
    """Reports steps that ask what the other player has and are done to the player in turn, where their sentence begins
    with who has so many and gets or gives something for it.
    """
    for step in state.judged.steps:
        seats = [seat for _, seat in seats_changed(step)]
        if step.when is None or step.for_each is not None or not seats or not all(map(is_me, seats)):
            continue
        asked = [part for part in iter_exprs(step.when) if part.type == SEAT]
        others = [part for part in asked if player_named(part, step, state.players) in ("next", "other")]
        if not others or any(part not in others and not _is_within(part, others) for part in asked):
            continue
        for language, node in sentence_by_language(state, step.address).items():
            match = WHO_HAS[language].search(node.text) if language in WHO_HAS else None
            if match is not None and not ABOUT_OTHERS.search(node.text) and not ALONE.search(node.text):
                message = f"its sentence says `{match[1]}`, who is the player in turn, and this asks about another"
                span = part_span(state.document.root, step.address, "when", others[0], step.span)
                warn(state, span, OTHER_WAY, message, "another player", "did you mean `me`?", step.address)
                break


def _is_within(part: Expr, others: Sequence[Expr]) -> bool:
    """Whether a player is only named to say whose next one is meant."""
    return any(part in other.args for other in others if isinstance(other, Call))


@build_pass(needs=["blocks", "book_sentences", "judged", "zones"], skip=after_errors)
def check_players_of_actions(state: BuildState) -> None:
    """Reports actions that take from the other player, or give to them, by their sentence, and do so to nobody else's
    place than that of the player who does them.
    """
    for action in state.judged.actions:
        steps = state.blocks[action.block].steps
        texts = sentence_by_language(state, action.address)
        if len(steps) == 1 and _check_subject(action.name, steps[0], texts, state):
            continue
        moves = [step for step in steps if isinstance(step.effect, Move)]
        if len(moves) != len(steps):
            continue
        named = [
            (step, key, player_named(seat, step, state.players)) for step in moves for key, seat in seats_changed(step)
        ]
        for side in ("from", "to"):
            says = any(SIDES[each, side].search(node.text) for each, node in texts.items() if (each, side) in SIDES)
            if not says or not named or any(who != "me" for _, _, who in named):
                continue
            own = next((step for step, key, _ in named if key == side), None)
            if own is not None:
                span = key_span(state.document.root, own.address, side, own.span)
                message = f"the sentence of `{action.name}` says the other player, and this names the player in turn"
                hint = "change the rule, or its sentence"
                warn(state, span, OTHER_WAY, message, "another player", hint, own.address)
            elif side == "from" and (step := _taken_from_all(moves, state)) is not None:
                span = key_span(state.document.root, step.address, side, step.span)
                message = f"the sentence of `{action.name}` says the other player, and this takes what is nobody's"
                hint = "change the rule, or its sentence"
                warn(state, span, OTHER_WAY, message, "not the other player's", hint, step.address)


def _check_subject(name: str, step: Step, texts: Mapping[str, ScalarNode], state: BuildState) -> bool:
    """Reports the only step of an action that changes what the player in turn has, where its sentence begins with the
    other player, who gets or gives something.
    """
    seats = [*seats_changed(step)] if isinstance(step.effect, Move | SetState) and step.for_each is None else []
    if len(seats) != 1 or player_named(seats[0][1], step, state.players) != "me":
        return False
    key = seats[0][0]
    for language, node in texts.items():
        found = [SUBJECT_OF_ACTION[language, verb].search(node.text) for verb in _verbs(key) if language in GETS]
        if any(found) and not NAMES_ME.search(node.text):
            span = key_span(state.document.root, step.address, key, step.span)
            message = f"the sentence of `{name}` says the other player, and this names the player in turn"
            hint = "change the rule, or its sentence"
            warn(state, span, OTHER_WAY, message, "another player", hint, step.address)
            return True
    return False


def _taken_from_all(moves: Sequence[Step], state: BuildState) -> Step | None:
    """The only move of pieces to the player in turn, from what is nobody's, where players have such pieces."""
    effect = moves[0].effect if len(moves) == 1 else None
    if not isinstance(effect, Move) or effect.source is None or effect.source.keys:
        return None
    source = state.zones[effect.source.zone]
    others = (zone for zone in state.zones.values() if zone.key_types == (SEAT,))
    is_kept = any(zone.content_type == source.content_type for zone in others)
    return moves[0] if source.is_pool and is_kept and any(map(is_me, effect.to.keys)) else None


@build_pass(needs=["blocks", "book_sentences", "judged"], skip=after_errors)
def check_turns_of_actions(state: BuildState) -> None:
    """Reports actions that bring another turn, by a sentence that names nobody else, and give it to somebody else."""
    for action in state.judged.actions:
        turns = [step for step in state.blocks[action.block].steps if isinstance(step.effect, GiveTurn)]
        if len(turns) != 1:
            continue
        texts = sentence_by_language(state, action.address)
        says = [
            match
            for each, node in texts.items()
            if each in ANOTHER_TURN and not ABOUT_OTHERS.search(node.text)
            if (match := ANOTHER_TURN[each].search(node.text)) is not None
        ]
        step, effect = turns[0], turns[0].effect
        assert isinstance(effect, GiveTurn)
        who = player_named(effect.seat, step, state.players)
        if says and who in ("next", "other"):
            span = key_span(state.document.root, step.address, "extra_turn", step.span)
            message = f"the sentence of `{action.name}` says `{says[0][0]}`, and this is a turn of {CALLED[who]}"
            warn(state, span, OTHER_WAY, message, "another player", "change the rule, or its sentence", step.address)


def _steps_in_loops(state: BuildState) -> set[str]:
    """The addresses of steps within others that are carried out for several, whoever they name."""
    around = [step for block in state.blocks for step in block.steps if step.for_each is not None]
    return {
        inner.address
        for step in around
        if isinstance(step.effect, RunSteps)
        for inner in steps_within(step.effect.block, state.blocks, with_procedures=True)
    }


def seats_changed(step: Step) -> Iterator[tuple[str, Expr]]:
    """The players whose places a step changes, by the key where they are named: who gets something, who gives it."""
    match step.effect:
        case Move(source=source, to=to):
            yield from (("to", key) for key in to.keys if key.type == SEAT)
            if source is not None:
                yield from (("from", key) for key in source.keys if key.type == SEAT)
        case SetState(target=target, to=to):
            yield from (("set", key) for key in target.keys if key.type == SEAT)
            if to.type == SEAT:
                yield "to", to
        case GiveTurn(seat=seat, is_extra=True):
            yield "extra_turn", seat
        case RunSteps(arguments=(seat,)) if seat.type == SEAT:
            yield "run", seat


def player_named(seat: Expr, step: Step, players: int) -> str:
    """How a player is named in a step; empty where that is not one of the usual ways."""
    loop = step.for_each
    match seat:
        case Builtin(name="me"):
            return "me"
        case Builtin(name="first_player"):
            return "first"
        case Builtin(name="opponent"):
            return "other"
        case Call(function="next", args=(Builtin(name="first_player"),)):
            return "second"
        case Call(function="next", args=(of,)) if is_me(of):
            return "other" if players == 2 else "next"
        case Local(slot=slot) if loop is not None and loop.slot == slot and loop.condition is None:
            return "each" if is_all_seats(loop.over) else ""
        case _:
            return ""


def _says_other(texts: Mapping[str, ScalarNode], key: str, actual: str, section: str) -> str | None:
    """Who a sentence says instead of who is named in the rule, if nothing in it is about the latter."""
    for language, node in texts.items():
        if (language, actual) not in MENTIONS or MENTIONS[language, actual].search(node.text):
            continue
        for who in NAMED:
            if who == actual or (who == "each" and actual == "me" and section == TURN) or {who, actual} <= NOT_FIRST:
                continue
            found = [SUBJECTS[language, who, verb].search(node.text) for verb in _verbs(key)]
            found += [RECEIVERS[language, who].search(node.text)] if key == "to" else []
            if who == "me" and section in (TURN, "actions") and not ABOUT_OTHERS.search(node.text):
                verbs = [verb for verb in _verbs(key) if (language, verb) in WHOEVER]
                found += [WHOEVER[language, verb].search(node.text) for verb in verbs]
                if actual in ("next", "other"):
                    found += [THE_PLAYER[language, verb].search(node.text) for verb in verbs]
            if any(found):
                return who
    return None


def names_player(step: Step, who: str) -> bool:
    """Whether a step is only carried out if a player is the one whom its sentence names."""
    names = {"first": FIRST_PLAYER, "other": OPPONENT}
    parts = iter_exprs(step.when) if step.when is not None else ()
    return any(isinstance(part, Builtin) and part.name == names.get(who) for part in parts)


def _verbs(key: str) -> Sequence[str]:
    return ("to", "from") if key in ("set", "run") else (key,)


__all__ = [
    "CALLED",
    "MENTIONS",
    "NAMED",
    "NOT_FIRST",
    "check_players_asked",
    "check_players_in_sentences",
    "check_players_of_actions",
    "check_turns_of_actions",
    "names_player",
    "player_named",
    "seats_changed",
]

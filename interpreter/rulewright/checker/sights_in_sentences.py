"""Is what a sentence has looked at or guessed seen by who looks, and hidden from who guesses?

In: the state of a build. Out: warnings about things that a player looks at who does not see them, and about what a
player guesses who sees it. Found by a few words, English and French.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeGuard

from rulewright.checker.common.lint_codes import SEEN_OTHERWISE
from rulewright.checker.common.rules_read import all_parts, steps_within
from rulewright.checker.common.steps_asked import fills_zone
from rulewright.checker.common.warn import warn
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.checker.texts.words_found import words_found
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import (
    Builtin,
    Call,
    Compare,
    Expr,
    FieldAccess,
    FieldTotal,
    Local,
    Place,
    Quantifier,
    ReadState,
    ReadZone,
)
from rulewright.expr.types import Thing
from rulewright.expr.walk import free_variables, is_me, iter_exprs
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.actions import ActionDef
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Block, Choose, Move, Reveal, SetState, Step
from rulewright.model.rules import StateDef, ValueDef, ZoneDef
from rulewright.model.traversal import offered_actions, step_exprs

LOOKS: Final = {
    "en": lazy_pattern(
        r"\b(?:(?:looks?|peeks?|peeps?|glances?)(?: (?:secretly|privately|quickly|alone|once|in secret))* (?:at|into)"
        r"|spies on|spy on|inspects?|examines?|learns?|finds? out|gets? to know)\b"
    ),
    "fr": lazy_pattern(
        r"\b(?<!sans )(?:regarde[rz]?|espionne[rz]?|consulte[rz]?|examine[rz]?|observe[rz]?|apprend(?:re)?|apprenez)\b"
    ),
}
GUESSES: Final = {
    "en": lazy_pattern(r"\bguess(?:es)?\b"),
    "fr": lazy_pattern(r"\bdevine[rz]?\b"),
}
ALL: Final = {
    "en": lazy_pattern(r"\b(?:everybody|everyone|all)\b"),
    "fr": lazy_pattern(r"\b(?:tous|toutes|chacun)\b"),
}
SETUP: Final = "setup"


@frozen
class _Declared:
    """What a game declares, by name."""

    zones: Mapping[str, ZoneDef]
    values: Mapping[str, ValueDef]
    states: Mapping[str, StateDef]


@build_pass(needs=["actions", "blocks", "zones", "values", "states", "book_sentences"], skip=after_errors)
def check_sights_in_sentences(state: BuildState) -> None:
    """Reports them."""
    declared = _Declared(state.zones, state.values, state.states)
    for action in state.actions if state.players > 1 else ():
        texts = sentence_by_language(state, action.address)
        steps = (*steps_within(action.block, state.blocks),)
        if word := words_found(LOOKS, texts, in_small=True):
            if not words_found(ALL, texts, in_small=True):
                _check_seen_by_all(action, steps, word, state, declared)
            _check_looked_at(action, steps, word, state, declared)
        if word := words_found(GUESSES, texts, in_small=True):
            _check_guessed(action, steps, word, state, declared)


def _report(
    state: BuildState, places: Sequence[Step | ZoneDef | ActionDef], message: str, label: str, hint: str
) -> None:
    """A warning at the first of some places that is in a file of the variant that is checked, if one is."""
    files = state.variant_files
    place = next((place for place in places if place.span.source.path in files), places[0])
    warn(state, place.span, SEEN_OTHERWISE, message, label, hint, place.address)


def _check_looked_at(
    action: ActionDef, steps: Sequence[Step], word: str, state: BuildState, declared: _Declared
) -> None:
    """What somebody looks at comes from where they do not see it, and nowhere to where they do."""
    moves = [step.effect for step in steps if isinstance(step.effect, Move)]
    if any(isinstance(step.effect, Reveal) for step in steps):
        return
    if any(
        isinstance(declared.zones[move.to.zone].content_type, Thing) and _is_seen(move.to, declared) for move in moves
    ):
        return
    for move in moves:
        zone = declared.zones[move.to.zone]
        if move.source is None or _is_seen(move.source, declared) or zone.seen_by != "others":
            continue
        message = f"`{action.name}` lets a player “{word}” what comes to `{zone.name}`, which only the others see"
        _report(state, (zone, action), message, "not seen by who looks", "write `seen_by: owner`")
        return


def _check_seen_by_all(
    action: ActionDef, steps: Sequence[Step], word: str, state: BuildState, declared: _Declared
) -> None:
    """What one player looks at is shown to all, or written into a state, where all see it."""
    for step in steps:
        match step.effect:
            case Reveal(what=what, to=None):
                exprs, where, hint = [what], "is shown to all", "write `to: me`"
            case SetState(target=target, to=to) if declared.states[target.name].is_shown:
                hint = "write a step with `reveal` and `to: me` instead"
                exprs, where = [to], f"is written into `{target.name}`, which all see"
            case _:
                continue
        exprs += [step.for_each.over] if step.for_each is not None else []
        parts = [part for part in all_parts(declared.values, exprs) if isinstance(part, ReadZone)]
        counted = [part.args[0] for expr in exprs for part in iter_exprs(expr) if _is_count(part)]
        hidden = [
            part.name
            for part in parts
            if part not in counted and not _is_seen(Place(part.name, part.keys, part.offsets), declared)
        ]
        if hidden:
            message = f"`{action.name}` lets a player “{word}” what lies in `{hidden[0]}`, and it {where}"
            _report(state, (step, action), message, "seen by everybody", hint)
            return


def _is_count(expr: Expr) -> TypeGuard[Call]:
    return isinstance(expr, Call) and expr.function == "count"


def _is_seen(place: Place, declared: _Declared) -> bool:
    """Whether the player in turn sees what lies in a place."""
    zone = declared.zones[place.zone]
    if zone.seen_by in ("all", "nobody") or zone.owner_key is None or zone.owner_key >= len(place.keys):
        return zone.seen_by == "all"
    return is_me(place.keys[zone.owner_key]) == (zone.seen_by == "owner")


def _check_guessed(action: ActionDef, steps: Sequence[Step], word: str, state: BuildState, declared: _Declared) -> None:
    """A guess is compared with what the one who guesses sees."""
    noted = {
        step.effect.target.name
        for step in steps
        if isinstance(step.effect, SetState) and isinstance(step.effect.to, Local)
    }
    for block in state.blocks:
        for step, (read, guess) in _compared_in(block, declared):
            zone = declared.zones[read.name]
            if guess.name not in noted or not guess.keys or not _sees(guess.keys[0], read, zone):
                continue
            if not _is_filled_before(zone.name, action, state):
                continue
            message = f"`{action.name}` lets a player “{word}” what lies in `{zone.name}`, and the player sees it"
            is_own = zone.seen_by == "owner"
            hint = "compare the guess with what another player holds, or hide it from who guesses"
            if not is_own:
                hint = "hide it from who guesses: `seen_by: owner` or `seen_by: nobody`"
            places = (step, zone, action) if is_own else (zone, step, action)
            _report(state, places, message, "seen by who guesses", hint)
            return


def _compared_in(block: Block, declared: _Declared) -> Iterator[tuple[Step, tuple[ReadZone, ReadState]]]:
    for step in block.steps:
        for compared in _compared([*all_parts(declared.values, step_exprs(step))]):
            yield step, compared


def _compared(parts: Sequence[Expr]) -> Iterator[tuple[ReadZone, ReadState]]:
    """Places whose things are compared with a state."""
    for part in parts:
        if isinstance(part, Quantifier) and isinstance(part.over, ReadZone):
            for compare in iter_exprs(part.condition):
                if isinstance(compare, Compare) and compare.op == "is":
                    for thing, guess in ((compare.left, compare.right), (compare.right, compare.left)):
                        if isinstance(guess, ReadState) and part.slot in free_variables(thing):
                            yield part.over, guess
        elif isinstance(part, Compare) and part.op == "is":
            for thing, guess in ((part.left, part.right), (part.right, part.left)):
                if (
                    isinstance(thing, FieldAccess | FieldTotal)
                    and isinstance(thing.of, ReadZone)
                    and isinstance(guess, ReadState)
                ):
                    yield thing.of, guess


def _sees(seat: Expr, read: ReadZone, zone: ZoneDef) -> bool:
    """Whether a player sees what lies in a place: its own, or surely another's."""
    if zone.owner_key is None or zone.owner_key >= len(read.keys):
        return False
    owner = read.keys[zone.owner_key]
    is_own = structural_key(owner) == structural_key(seat)
    if zone.seen_by == "owner":
        return is_own
    is_next = isinstance(owner, Call) and owner.function == "next" and not is_own
    is_other = isinstance(owner, Builtin) and owner.name == "opponent" and is_me(seat)
    return zone.seen_by == "others" and (is_next or is_other)


def _is_filled_before(zone: str, action: ActionDef, state: BuildState) -> bool:
    """Whether things come to a zone before anybody guesses, and none after."""
    if any(fills_zone(step, zone) for step in steps_within(action.block, state.blocks)):
        return False
    is_filled = False
    for block in state.blocks:
        numbers = [number for number, step in enumerate(block.steps) if fills_zone(step, zone)]
        guesses = [
            number
            for number, step in enumerate(block.steps)
            if isinstance(step.effect, Choose) and action.index in offered_actions(step.effect)
        ]
        if numbers and guesses and max(numbers) > min(guesses):
            return False
        if numbers and not guesses and not f"{block.address}.".startswith(f"{SETUP}."):
            return False
        is_filled = is_filled or bool(numbers)
    return is_filled


__all__ = ["check_sights_in_sentences"]

"""Do the rules hold up in play? A few games of random and odd players, so that a dead end is found early.

In: rules that can be set up, the composition they were built from, and how many decisions are played; there are more of
them where nothing proves that somebody who must choose can do so. Out: a diagnostic when the rules fail, with the seed
and the command that plays the same game, at the variant that causes it when the game goes on without it. What is not
found is not proved. Seeds follow from the rules, so that the same files have the same findings on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from rulewright.checker.common.change_causes import change_span
from rulewright.checker.common.checking_players import checking_players
from rulewright.checker.common.codes import DEALS_SHORT, FAILS_IN_PLAY
from rulewright.checker.common.lint_codes import CHANGES_NOTHING, NEVER_ENDS, ONE_SIDED
from rulewright.checker.common.replay_command import replay_command
from rulewright.checker.common.rule_spans import fault_span
from rulewright.checker.common.tried_games import GameWatcher, TriedGame, first_seed
from rulewright.checker.logic.empty_zones import NOTHING_COMES
from rulewright.checker.logic.endless_places import find_endless_place
from rulewright.checker.played.breaking_steps import BreakingStep, find_breaking_step
from rulewright.checker.played.constant_causes import find_constant_cause
from rulewright.checker.played.dry_deals import find_dry_deal
from rulewright.checker.played.dry_places import find_dry_place
from rulewright.checker.played.earlier_causes import find_earlier_cause
from rulewright.checker.played.faded_decisions import FadedDecisions
from rulewright.checker.played.fault_places import find_fault_place, room_there_is
from rulewright.checker.played.forced_rounds import ForcedPositions, ForcedRounds, depends_on_round
from rulewright.checker.played.hoarding_players import hoarding_players
from rulewright.checker.played.never_able import AbleCounts
from rulewright.checker.played.outgrown import OutgrownCounts
from rulewright.checker.played.reported_causes import (
    WITH_HINTS,
    find_reported_cause,
    find_unused_places,
    follows_from_reported,
)
from rulewright.checker.played.seats_asked import SeatsAsked
from rulewright.checker.played.setup_check import NO_OPTION_HINT
from rulewright.checker.played.shared_divisors import SharedDivisors
from rulewright.checker.played.unproved_choices import find_unproved_choices, starving_players
from rulewright.checker.played.unused_causes import find_unused_cause
from rulewright.diagnostics import Cause, Diagnostics, Related, Span
from rulewright.engine.default_engine import make_engine, make_watchable_engine
from rulewright.engine.faults import BrokenInvariant, EndlessSteps, NoLegalAction, RuleFault
from rulewright.engine.interface import Engine
from rulewright.expr.codes import ALWAYS_TRUE, NEVER_TRUE
from rulewright.frozen import frozen, replace
from rulewright.model.effects import Choose
from rulewright.model.loader import Composition, base_rules
from rulewright.model.rules import Rules
from rulewright.model.traversal import offered_actions

SHORT_GAME: Final = 10  # decisions
SHORT_SHARE: Final = 4  # times as many decisions at most, where games are short
ODD_SHARE: Final = 3  # times as many decisions again, of players who may bring it about that the rules fail


@frozen
class FailedGame:
    """A game that went wrong: its seed, which bots played, how many decisions it had, and the fault."""

    seed: int
    bot: str
    decisions: int
    fault: RuleFault


Games = Callable[[Rules], FailedGame | None]  # plays, and returns the first game that goes wrong


@frozen
class _Shown:
    """What is told of a game that went wrong, and where. `hint`: what may help; `related`: other places."""

    message: str
    span: Span
    label: str = "fails here"
    hint: str = ""
    related: tuple[Related, ...] = ()


def check_play(
    rules: Rules,
    composition: Composition,
    diagnostics: Diagnostics,
    decisions: int,
    watchers: Sequence[GameWatcher] = (),
) -> None:
    """Plays games until so many decisions are made, and reports the first fault. `watchers`: who looks on, and reports
    later.
    """
    able, outgrown, seats, faded = AbleCounts(rules), OutgrownCounts(rules), SeatsAsked(rules), FadedDecisions(rules)
    shared = SharedDivisors(rules)
    play: Games = partial(play_until_fault, decisions=decisions)
    failed = play_until_fault(rules, decisions, (able, outgrown, seats, faded, shared, *watchers))
    if failed is None:
        outgrown.report(composition, diagnostics)
        if not len(diagnostics):
            faded.report(composition, diagnostics)
        shared.report(composition, diagnostics)
        seed = first_seed(rules)
        able.report(composition, diagnostics, lambda engine: TriedGame(engine, "random", seed, decisions).play())
        if not composition.chosen_variants and not len(diagnostics):
            seats.report(composition, diagnostics)
        starving = partial(starving_players, addresses=find_unproved_choices(rules, composition))
        play = partial(play_odd, decisions=decisions, players=starving)
        failed = play(rules)
        if failed is None and (hoarding := hoarding_players(rules, composition)):
            play = partial(play_odd, decisions=decisions, players=partial(_those_possible, hoarding))
            failed = play(rules)
    elif not composition.chosen_variants and not isinstance(failed.fault, ForcedRounds):
        met = _as_met(failed, rules, composition)
        if seats.report(composition, diagnostics, Related(met.span, met.message)):
            return
    shown = None if failed is None else _shown(failed, rules, composition, diagnostics, play)
    if failed is None or shown is None:
        return
    fault, related = failed.fault, [*shown.related]
    if fault.key == "to":  # too much has come to a place, perhaps since it never goes where it is awaited
        awaited = (one for one in diagnostics if one.code is CHANGES_NOTHING and one.message.startswith(NOTHING_COMES))
        related += [Related(one.span, one.message) for one in awaited]
        related += [Related(one.span, one.message) for one in find_unused_places(fault, rules, diagnostics)]
    sided = (one for one in diagnostics if one.code is ONE_SIDED and f"{fault.address}.".startswith(f"{one.address}."))
    related += [Related(one.span, one.message) for one in sided if one.span != shown.span]
    what = fault.address if isinstance(fault, BrokenInvariant) else fault.failed
    diagnostics.add(
        shown.span,
        NEVER_ENDS if isinstance(fault, ForcedRounds) else FAILS_IN_PLAY,
        shown.message,
        label=shown.label,
        help=shown.hint,
        address=fault.address,
        related=related,
        cause=Cause("play", what, fault.key) if what else None,
        replay=replay_command(rules, composition, failed.seed, failed.bot),
    )


def _shown(
    failed: FailedGame, rules: Rules, composition: Composition, diagnostics: Diagnostics, play: Games
) -> _Shown | None:
    """What is told of a game that went wrong: at its cause, as far as that is known; None where it is told already."""
    fault = failed.fault
    if isinstance(fault, NoLegalAction) and any(one.code is DEALS_SHORT for one in diagnostics):
        return None  # whoever got nothing has nothing to choose from
    if any(one.code is NEVER_ENDS and one.address == fault.address for one in diagnostics):
        return None  # what must be done again and again cannot be done some time
    shown = _as_met(failed, rules, composition)
    if isinstance(fault, EndlessSteps) and not isinstance(fault, ForcedRounds):
        dry = find_dry_place(rules, partial(_play_again, failed))
        if dry is not None:
            message = shown.message.replace(fault.message, f"{fault.message}, once `{dry.zone}` is empty", 1)
            shown = replace(shown, message=message, related=(Related(dry.step.span, "finds nothing any more"),))
    is_right = partial(_goes_well, failed, play)
    if follows_from_reported(rules, diagnostics, is_right):
        return None
    cause = find_unused_cause(fault, rules, composition, diagnostics, is_right)
    cause = cause or find_constant_cause(fault, rules, diagnostics)
    cause = cause or find_reported_cause(fault, rules, diagnostics, is_right)
    if cause is None and isinstance(fault, NoLegalAction):
        cause = find_dry_deal(rules, composition)
    if cause is not None:
        message = f"{cause.message}, so the rules fail: {shown.message}"
        hint = cause.help if cause.code in (DEALS_SHORT, *WITH_HINTS) else room_there_is(fault, rules, composition)
        related = (Related(shown.span, "fails here"),)
        return None if isinstance(fault, ForcedRounds) else _Shown(message, cause.span, cause.label, hint, related)
    earlier = find_earlier_cause(fault, rules, composition, partial(_play_again, failed))
    if earlier is not None:
        message = f"{earlier.message}, so the rules fail: {shown.message}"
        related = (Related(shown.span, "fails here"),)
        return _Shown(message, earlier.span, earlier.label, earlier.hint, related)
    broken: BreakingStep | None = None
    if isinstance(fault, BrokenInvariant):
        broken = find_breaking_step(fault, rules, composition, failed.seed, partial(_play_again, failed))
    place = find_fault_place(fault, rules, composition)
    if not composition.is_judged(shown.span) and not (place is not None and composition.is_judged(place.span)):
        return _with_constant(_by_variant(shown, failed, broken, composition, play), fault, diagnostics)
    if isinstance(fault, EndlessSteps) and (endless := find_endless_place(fault, rules, composition)) is not None:
        message = f"{endless.what}: {shown.message}"
        return _Shown(message, endless.span, endless.label, endless.hint, (*endless.related, *shown.related))
    if place is not None:
        placed = replace(shown, span=place.span, hint=shown.hint or place.hint)
        if not place.allowing:
            return placed
        message = f"`{place.allowing}` lets this happen: {shown.message}"
        return replace(placed, message=message, label="too weak", related=(Related(shown.span, "fails here"),))
    if broken is not None and composition.is_judged(broken.span):
        related = (Related(shown.span, f"`{fault.address.partition('.')[2]}` no longer holds"),)
        return replace(shown, span=broken.span, label=_breaking(broken), related=related)
    return shown


def _as_met(failed: FailedGame, rules: Rules, composition: Composition) -> _Shown:
    """What went wrong, and where it showed."""
    fault = failed.fault
    hint = NO_OPTION_HINT if isinstance(fault, NoLegalAction) else ""
    message = fault.message.partition(";")[0] if hint else fault.message
    if isinstance(fault, BrokenInvariant):
        message = f"the invariant `{fault.address.partition('.')[2]}` {message}"
    avoided = failed.bot.partition(":")[2]
    players = f"players that avoid `{avoided}`" if _can_avoid(avoided, rules) else "random players"
    message += f": in a game of {players}, after {failed.decisions} decision{'s' * (failed.decisions != 1)}"
    return _Shown(message, fault_span(fault, composition), hint=hint)


def _can_avoid(name: str, rules: Rules) -> bool:
    """Whether there is something else to do somewhere than the action with a name."""
    chooses = [step.effect for block in rules.blocks for step in block.steps if isinstance(step.effect, Choose)]
    offered = [{rules.actions[number].name for number in offered_actions(choose)} for choose in chooses]
    return any(
        name in names and (len(names) > 1 or choose.mode == "may")
        for choose, names in zip(chooses, offered, strict=True)
    )


def _by_variant(
    shown: _Shown, failed: FailedGame, broken: BreakingStep | None, composition: Composition, play: Games
) -> _Shown:
    """The same, at the change of a variant without which games go well; where they do not, as it was."""
    fault, is_right = failed.fault, partial(_goes_well, failed, play)
    base = base_rules(composition)
    if base is not None and not is_right(base):
        return shown
    variant = composition.chosen_variants[-1]
    related = [Related(shown.span, fault.address), *shown.related]
    if broken is not None and broken.is_proved:
        message = f"with variant `{variant.name}`: {shown.message}"
        return replace(shown, message=message, span=broken.span, label=_breaking(broken), related=tuple(related))
    if broken is not None:
        related.append(Related(broken.span, _breaking(broken)))
    suspect = None if broken is None else broken.span
    return replace(
        shown,
        message=f"with variant `{variant.name}`: {shown.message}",
        span=change_span(variant, fault.address, composition, is_right=is_right, suspect=suspect),
        label="causes it",
        related=tuple(related),
    )


def _with_constant(shown: _Shown, fault: RuleFault, diagnostics: Diagnostics) -> _Shown:
    """The same, with what is told at that place already, where that is why."""
    expected = NEVER_TRUE if isinstance(fault, NoLegalAction | EndlessSteps) else ALWAYS_TRUE
    constant = next((one for one in diagnostics if one.span == shown.span and one.code is expected), None)
    if constant is None:
        return shown
    return replace(shown, message=f"{constant.message}, so the rules fail: {shown.message}", label=constant.label)


def _breaking(broken: BreakingStep) -> str:
    if broken.is_idle:
        return "has never found any to take"
    return "too weak" if broken.is_weak else "skipped here" if broken.is_skipped else "after this"


def play_until_fault(rules: Rules, decisions: int, watchers: Sequence[GameWatcher] = ()) -> FailedGame | None:
    """The first game that goes wrong; None if none does in so many decisions. Players do anything in one game, and in
    each that follows anything but one of the actions: they hoard, or never buy. `watchers`: who looks on.
    """
    engine, made, number = make_watchable_engine(rules), 0, 0
    can_recur, endless = not depends_on_round(rules), None
    first = first_seed(rules)
    bots = checking_players(rules)
    for watcher in watchers:
        watcher.attach(engine)
    while made < decisions or _are_short(made, number, decisions):
        left = decisions - made if made < decisions else decisions
        most = left if number == 0 else -(-left // 2)  # a game in which all avoid what matters leaves half
        looking = (ForcedPositions(rules), *watchers) if can_recur else watchers
        game = TriedGame(engine, bots[number % len(bots)], first + number, most, looking).play()
        failed = _failed(game)
        if isinstance(game.fault, ForcedRounds):  # another game may fail, which is worse
            endless = endless or failed
        elif failed is not None:
            return failed
        made += max(1, game.made)
        number += 1
    return endless


def _are_short(made: int, games: int, decisions: int) -> bool:
    """Whether games are so short that more of them are played: a mistake may show in one of a hundred."""
    return made <= SHORT_GAME * games and SHORT_GAME * games < SHORT_SHARE * decisions


def play_odd(rules: Rules, decisions: int, players: Callable[[Rules], Sequence[str]]) -> FailedGame | None:
    """The first game that goes wrong, by players who bring it about: who keep from everybody what has to be chosen at
    some steps, or hoard.
    """
    bots, made, number = players(rules), 0, 0
    engine, first = make_engine(rules), first_seed(rules)
    while bots and made < ODD_SHARE * decisions:
        game = TriedGame(engine, bots[number % len(bots)], first + number, -(-decisions // 2)).play()
        if game.fault is not None:
            return _failed(game)
        made += max(1, game.made)
        number += 1
    return None


def _failed(game: TriedGame) -> FailedGame | None:
    """A game that was played, if it went wrong."""
    return None if game.fault is None else FailedGame(game.seed, game.bot, game.made, game.fault)


def _those_possible(bots: Sequence[str], rules: Rules) -> list[str]:
    """The bots that other rules let play: what one avoids may not be there."""
    possible = checking_players(rules)
    return [bot for bot in bots if bot in possible]


def _goes_well(failed: FailedGame, play: Games, rules: Rules) -> bool:
    """Whether no game goes wrong by other rules, and so not the one that did either, which is tried first."""
    if failed.bot in checking_players(rules):  # what it avoids may not be there
        again = TriedGame(make_engine(rules), failed.bot, failed.seed, 2 * failed.decisions + 1).play()
        if again.fault is not None:
            return False
    return play(rules) is None


def _play_again(failed: FailedGame, engine: Engine) -> None:
    """Plays a game that went wrong once more, by another engine."""
    TriedGame(engine, failed.bot, failed.seed, failed.decisions + 1).play()


__all__ = ["check_play", "play_until_fault"]

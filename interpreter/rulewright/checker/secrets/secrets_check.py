"""A look that may give something away, proved by two positions: what a seat is answered there tells them apart.

In: rules, the composition they were built from, what was found of them so far, how many decisions are played. Out: the
same diagnostics; a suspected look is proved, or is dropped where whoever chose, or sees the step, always knew what it
looks at, or stays.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.checker.common import lint_codes
from rulewright.checker.common.replay_command import replay_command
from rulewright.checker.secrets.hidden_looks import HiddenLook
from rulewright.checker.secrets.information_leaks import OPTIONS, REASONS
from rulewright.checker.secrets.secrets_search import ProvedLeak, ProvedStep, SecretsSearch, search_secrets
from rulewright.checker.secrets.step_differences import place_name
from rulewright.checker.secrets.step_leaks import find_step_looks
from rulewright.diagnostics import Diagnostic, Diagnostics
from rulewright.engine.notation import Notation
from rulewright.engine.values import Content, content_bag, content_things
from rulewright.expr.types import Bag, Member
from rulewright.frozen import replace
from rulewright.model.loader import Composition
from rulewright.model.locale import player_number
from rulewright.model.rules import Rules, ZoneDef
from rulewright.suggestions import join_list

MAX_NAMED_PLACES: Final = 2  # whose contents differ
MAX_NAMED_THINGS: Final = 3  # in each


def check_secrets(
    rules: Rules, composition: Composition, looks: tuple[HiddenLook, ...], diagnostics: Diagnostics, decisions: int
) -> Diagnostics:
    """What is found once so many decisions are played. `looks`: those of the rules."""
    addresses = {look.address for look in looks}
    suspected = {found.address for found in diagnostics if found.code is lint_codes.LOOKS_AT_HIDDEN}
    search = search_secrets(rules, looks, decisions, (*sorted(suspected - addresses),))

    def judged(found: Diagnostic) -> Diagnostic | None:
        step = search.steps.get(found.address) if found.code is lint_codes.LOOKS_AT_HIDDEN else None
        if step is not None:
            help_, replay = _step_proof(rules, step, found), replay_command(rules, composition, step.seed, "random")
            return replace(found, code=lint_codes.GIVES_AWAY_HIDDEN, help=help_, replay=replay)
        if found.code is not lint_codes.LOOKS_AT_HIDDEN:
            return found
        leak = search.leaks.get(found.address)
        if leak is None:
            return None if found.address in search.known else found
        help_, replay = _proof(rules, leak, looks), replay_command(rules, composition, leak.seed, "random")
        message = found.message.replace(OPTIONS, _what(leak), 1)
        return replace(found, code=lint_codes.GIVES_AWAY_HIDDEN, message=message, help=help_, replay=replay)

    result = Diagnostics()
    result.merge(diagnostics, judged)
    for address, leak in _others(search, suspected, composition):
        span = leak.answer.reason.span
        if span is not None:
            message = f"{_what(leak)} hidden contents to the player that chooses"
            result.add(
                span,
                lint_codes.GIVES_AWAY_HIDDEN,
                message,
                label="hidden from the player that chooses",
                help=_proof(rules, leak, looks),
                address=address,
                replay=replay_command(rules, composition, leak.seed, "random"),
            )
    return result


def _others(search: SecretsSearch, suspected: set[str], composition: Composition) -> Iterator[tuple[str, ProvedLeak]]:
    """Leaks that nobody suspected. One in the game's own file was reported when the game itself was checked."""
    variant_files = composition.variant_files
    for address, leak in search.leaks.items():
        span = leak.answer.reason.span
        is_own = not composition.chosen_variants or (span is not None and span.source.path in variant_files)
        if address not in suspected and is_own:
            yield address, leak


def _what(leak: ProvedLeak) -> str:
    """What tells the positions apart: which options there are, or why something is refused in both."""
    return OPTIONS if True in leak.answer.is_legal else REASONS


def _proof(rules: Rules, leak: ProvedLeak, looks: tuple[HiddenLook, ...]) -> str:
    """What differs in the two positions, and how the seat is answered in each."""
    zones = next(look.zones for look in looks if look.address == leak.answer.reason.address)
    names = f"player {player_number(leak.seat)}"
    attempt = Notation.for_people(rules).format_action(leak.answer.attempt)
    match leak.answer.is_legal:
        case (True, False):
            outcome = f"`{attempt}` is legal, otherwise it is not"
        case (False, True):
            outcome = f"`{attempt}` is not legal, otherwise it is"
        case _:
            reason = leak.answer.reason.address
            outcome = f"`{attempt}` is refused in both, in one of them because of `{reason}`"
    decisions = leak.pair.decisions
    after = f"after {decisions} decision{'s' * (decisions != 1)}" if decisions else "at the first decision"
    contents = _contents(rules, leak, zones)
    return f"{after} two positions look the same to {names}, but {contents}, {outcome}"


def _step_proof(rules: Rules, step: ProvedStep, found: Diagnostic) -> str:
    """What differs in the two positions, and what all see of the step then."""
    made = step.decisions
    after = f"after {made} decision{'s' * (made != 1)}" if made else "before the first decision"
    zones = tuple(look.zone for look in find_step_looks(rules) if look.address == found.address)
    seer = f"player {player_number(step.seat)}"
    return (
        f"{after} {seer} can tell two positions apart: {_contents(rules, step, zones)}, {step.difference}; {found.help}"
    )


def _contents(rules: Rules, leak: ProvedLeak | ProvedStep, zones: tuple[str, ...]) -> str:
    """Where the hidden contents differ, those places first into which the rule looks."""
    notation, parts = Notation.for_people(rules), list[str]()
    others = [name for name in rules.zones if name not in zones]
    for name in (*zones, *others):
        zone = rules.zones[name]
        for place in range(zone.first_index, zone.first_index + zone.size):
            one, other = leak.pair.one.contents[place], leak.pair.other.contents[place]
            if one != other:
                title = place_name(zone, place, notation)
                parts.append(
                    f"`{title}` holds {_content(rules, zone, one, other)}, not {_content(rules, zone, other, one)}"
                )
        if parts and name in zones:
            break
    if not parts:
        return "others have chosen differently in secret"
    return "where " + join_list(parts[:MAX_NAMED_PLACES], "and")


def _content(rules: Rules, zone: ZoneDef, content: Content, other: Content) -> str:
    """What lies in a place; of things those alone that do not lie there in the other position, if there are any."""
    if isinstance(zone.content_type, Member):
        notation = Notation.for_people(rules)
        return f"`{notation.format_value(content_bag(content), Bag(zone.content_type.kind))}`"
    ids = rules.components[zone.content_type.component].ids
    things, others = content_things(content), content_things(other)
    own = [thing for thing in things if thing not in others] or things
    shown = [f"`{ids[thing]}`" for thing in own[:MAX_NAMED_THINGS]]
    if len(own) > len(shown):
        shown.append(f"{len(own) - len(shown)} more")
    return join_list(shown, "and") if shown else "nothing"


__all__ = ["check_secrets"]

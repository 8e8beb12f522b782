"""Does a deal find its pile empty, in the first round for somebody, or in the second one for all?

In: rules that can be played, the composition they were built from. Out: a warning at a step of the set-up or the round
that takes from the top of a pile whether there is something or not, where the pile was empty in each game that was
tried. That is no proof, so the number of games is said. What is repeated within a round, or asks before, may be meant
to go on for as long as something is there. What a variant has made so is told at its change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rulewright.checker.common.change_causes import blamed, is_by_variants
from rulewright.checker.common.codes import DEALS_SHORT
from rulewright.checker.common.condition_nodes import condition_node, key_span
from rulewright.checker.common.most_players import with_fewest_players
from rulewright.checker.common.tried_games import random_games
from rulewright.diagnostics import Diagnostic, Diagnostics, Related, Span
from rulewright.engine.default_engine import make_watched_engine
from rulewright.engine.reference.mutable_state import MutableState
from rulewright.model.effects import Choose, GiveTurn, Move, RunSteps, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules
from rulewright.model.traversal import blocks_within, run_blocks

GAMES: Final = 3
MAX_DECISIONS: Final = 200  # in each
Found = dict[str, dict[int, list[bool]]]  # by the steps' addresses and the round, each time whether nothing was there


def check_dry_deals(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports the first."""
    if not any(one.code is DEALS_SHORT for one in diagnostics):
        _report_first(rules, composition, diagnostics)


def find_dry_deal(rules: Rules, composition: Composition) -> Diagnostic | None:
    """The first, where the rules fail since nobody, or somebody, has anything to choose from."""
    diagnostics = Diagnostics()
    _report_first(rules, composition, diagnostics, for_all=False)
    return next(iter(diagnostics), None)


def _report_first(rules: Rules, composition: Composition, diagnostics: Diagnostics, *, for_all: bool = True) -> None:
    found = _first_dry(rules, for_all=for_all)
    if found is None:
        return
    step, when = found
    if for_all and step not in rules.blocks[rules.setup].steps and not _is_dry_for_fewest(composition):
        return  # where fewer play there is more to be drawn
    assert isinstance(step.effect, Move)
    assert step.effect.source is not None
    message = f"{when}`{step.effect.source.zone}` is empty as `{step.address}` takes from it, in each of {GAMES} games"
    node = condition_node(composition.document.root, step.address, "move")
    span, label, related = step.span if node is None else node.span, "finds nothing", list[Related]()
    hint = "deal fewer, bring something back before, or ask with `when` whether something is there"
    if when and (idle := _idle_bringer(rules, composition, step.effect.source.zone)) is not None:
        source, message = idle
        hint, related = "is there another place from which all is to come back?", [Related(span, step.address)]
        span, message = source, f"{message}, so {when}`{step.effect.source.zone}` is empty, in each of {GAMES} games"
    elif not composition.is_judged(span):
        if not is_by_variants(composition, _is_right):
            return
        label, related = "causes it", [Related(span, step.address)]
        message, span = blamed(message, step.address, composition, _is_right)
    diagnostics.add(span, DEALS_SHORT, message, label=label, help=hint, address=step.address, related=related)


def _idle_bringer(rules: Rules, composition: Composition, pile: str) -> tuple[Span, str] | None:
    """Where a step is to bring all back to a pile, and was carried out in each game, and never found anything; with
    what is said of it.
    """
    blocks = blocks_within(rules, (rules.round,))
    steps = {
        step.address: step
        for step in (step for block in sorted(blocks) for step in rules.blocks[block].steps)
        if isinstance(step.effect, Move) and step.effect.source is not None
        if step.effect.amount.mode == "all" and step.effect.to.zone == pile
    }
    games = _play(rules, steps) if steps else []
    for address, step in steps.items():
        span = key_span(composition.document.root, address, "from", step.span)
        is_idle = all(address in game and all(all(emptied) for emptied in game[address].values()) for game in games)
        if is_idle and composition.is_judged(span) and isinstance(step.effect, Move) and step.effect.source is not None:
            return span, f"`{step.effect.source.zone}` is empty whenever this takes from it"
    return None


def _is_dry_for_fewest(composition: Composition) -> bool:
    smaller = with_fewest_players(composition)
    return smaller is not None and _first_dry(smaller[1]) is not None


def _is_right(rules: Rules) -> bool:
    return _first_dry(rules) is None


def _first_dry(rules: Rules, *, for_all: bool = True) -> tuple[Step, str] | None:
    """The first step that finds nothing in each game, and a word on when. `for_all`: in the second round for everybody,
    since it may be meant for those who come last.
    """
    deals = {step.address: step for block in (rules.setup, rules.round) for step in _deals(rules, block)}
    if not deals:
        return None
    games = _play(rules, deals)
    for address, step in deals.items():
        rounds = [game.get(address, {}) for game in games]
        if all(any(emptied for number, each in game.items() if number < 2 for emptied in each) for game in rounds):
            return step, ""
        if all(2 in game and (all if for_all else any)(game[2]) for game in rounds):
            return step, "from round 2 on "
    return None


def _deals(rules: Rules, block: int) -> Iterator[Step]:
    """The steps that are done once in the set-up, or in a round before anybody decides, for one or for each, and take
    from a pile in which things begin: what is drawn later in a round may go on for as long as something is there.
    """
    components = rules.components.values()
    piles = {each.initial_place.zone for each in components if each.initial_place is not None}
    for step in rules.blocks[block].steps:
        if block != rules.setup and _has_decisions(rules, step):
            return
        if step.when is not None or step.times is not None or step.while_condition is not None:
            continue
        if isinstance(step.effect, RunSteps) and step.for_each is None:
            yield from _deals(rules, step.effect.block)
        elif isinstance(step.effect, Move) and step.effect.source is not None and step.effect.amount.mode == "top":
            zone = rules.zones[step.effect.source.zone]
            if zone.size == 1 and zone.name in piles:
                yield step


def _has_decisions(rules: Rules, step: Step) -> bool:
    blocks = blocks_within(rules, run_blocks(rules, step.effect))
    steps = (step, *(each for block in blocks for each in rules.blocks[block].steps))
    return any(isinstance(each.effect, Choose | GiveTurn) for each in steps)


def _play(rules: Rules, deals: Mapping[str, Step]) -> list[Found]:
    """What the deals find in the first two rounds of each game of random players. Where the rules fail, what came to
    light until then explains it.
    """
    games = list[Found]()

    def note(address: str, position: MutableState) -> None:
        move = deals[address].effect
        assert isinstance(move, Move)
        assert move.source is not None
        zone = rules.zones[move.source.zone]
        is_empty = not any(map(position.content_size, range(zone.first_index, zone.first_index + zone.size)))
        games[-1].setdefault(address, {}).setdefault(position.round, []).append(is_empty)

    for game in random_games(make_watched_engine(rules, deals.keys(), note), GAMES, MAX_DECISIONS):
        games.append(Found())
        for _ in game:
            if game.state is not None and game.state.round > 2:
                break
    return games


__all__ = ["check_dry_deals"]

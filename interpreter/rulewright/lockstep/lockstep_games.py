"""One random game in several engines at once: after each decision they must still agree in everything.

In: rules, engines by name, seeds. Out: how much was compared, and the first difference: its seed and the number of the
decision. The game with a seed is always the same one: its chance is that of `play --seed`, and its choices come from
stream 1 of the seed, each legal action as likely as the others, so a difference is found again by its seed alone. In
two games of five chance comes from outside, once with an order given for every pile; this, too, follows from the seed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property, partial
from typing import Final, Literal, TypeAlias, TypeVar, get_args

from rulewright import limits
from rulewright.engine import chance
from rulewright.engine.compiled.translation.refusal import NotCompiled
from rulewright.engine.expr_compiler import ExprCompiler
from rulewright.engine.faults import RuleFault
from rulewright.engine.layout import Layout
from rulewright.engine.notation import Notation
from rulewright.engine.state import Action, ChanceEvent
from rulewright.engine.values import content_things
from rulewright.frozen import frozen
from rulewright.lockstep.compiled_player import share_programs
from rulewright.lockstep.lockstep_player import LockstepPlayer, PlayerFactory
from rulewright.lockstep.position_comparison import (
    Difference,
    legal_differences,
    position_differences,
    write_action,
)
from rulewright.lockstep.position_snapshot import PositionSnapshot
from rulewright.model.rules import Rules

ChanceSource: TypeAlias = Literal["seed", "outside", "orders"]  # orders: from outside, and piles have an order
CHANCE_SOURCES: Final[tuple[ChanceSource, ...]] = get_args(ChanceSource)
CHANCE_BY_SEED: Final[tuple[ChanceSource, ...]] = ("orders", "seed", "seed", "seed", "outside")  # by the seed's rest
CHOICE_STREAM: Final = 1  # of the game's seed; stream 0 is its chance
OUTSIDE_STREAM: Final = 2  # outcomes and orders where chance comes from outside
MAX_OUTCOMES: Final = 300  # between two decisions; rules that nobody has looked at may roll without end
MAX_GAME_DECISIONS: Final = 2000  # random games of rules that nobody has looked at may have no end
SHRINK_SEEDS: Final = 20  # games in which a difference is looked for that comes earlier
REFUSED: Final = "cannot be compiled"
MAX_DIFFERENCES: Final = 5  # of a moment: the first counts, others help to find why
Engines: TypeAlias = Sequence[tuple[str, PlayerFactory]]  # each with its name; one may be there twice
T = TypeVar("T")


@frozen
class Finding:
    """Engines disagree: in the game with a seed, before the decision of that number, counted from 1; `after`: the
    action before it. `hidden`: how many differences more there are.
    """

    seed: int
    decision: int
    after: str
    differences: tuple[Difference, ...]
    hidden: int = 0


@frozen
class GameComparison:
    """One game in all engines. `fault`: with what the rules failed, in every engine alike."""

    decisions: int
    outcomes: int = 0  # of chance from outside
    finding: Finding | None = None
    fault: str = ""
    refusal: str = ""  # what of the rules an engine cannot play


@frozen
class RulesComparison:
    """Some games by the same rules; the last one has the finding, if there is one."""

    games: int
    decisions: int
    outcomes: int  # of chance from outside
    faults: int  # games that ended because the rules fail
    finding: Finding | None = None
    refusal: str = ""  # what of the rules an engine cannot play: nothing was compared


@frozen
class _Failure:
    """An exception instead of what was asked for. `cause`: how the rules fail, on which all engines must agree to the
    word; empty for an engine that breaks down.
    """

    text: str
    cause: str


def compare_engines(
    rules: Rules,
    engines: Engines,
    *,
    seed: int,
    games: int | None = None,
    decisions: int | None = None,
    tokenwise: Collection[str] = (),
    chance_source: ChanceSource | None = None,
) -> RulesComparison:
    """Plays games with the seeds `seed`, `seed` + 1, …: so many, or until so many decisions are compared, or to the
    first difference, for which an earlier one is looked for then. `chance_source`: in all games; by default it follows
    from the seed of each.
    """
    table = LockstepTable(rules, engines, tokenwise, chance_source)
    played = compared = outcomes = faults = 0
    while (games is None or played < games) and (decisions is None or compared < decisions):
        limit = MAX_GAME_DECISIONS if decisions is None else min(MAX_GAME_DECISIONS, decisions - compared)
        game = table.play(nth_seed(seed, played), limit)
        if game.refusal:
            return RulesComparison(played, compared, outcomes, faults, refusal=game.refusal)
        played += 1
        compared += game.decisions
        outcomes += game.outcomes
        faults += bool(game.fault)
        if game.finding is not None:
            return RulesComparison(played, compared, outcomes, faults, _shrink(table, game.finding, seed))
    return RulesComparison(played, compared, outcomes, faults)


def nth_seed(seed: int, number: int) -> int:
    """The seed of a game, or of a mutant, counted from 0."""
    return (seed + number) % (limits.MAX_SEED + 1)


def _shrink(table: LockstepTable, finding: Finding, seed: int) -> Finding:
    """The finding, or one in a game with another seed that comes after fewer decisions."""
    for number in range(SHRINK_SEEDS):
        if finding.decision == 1:
            break
        other = table.play(nth_seed(seed, number), finding.decision - 2).finding
        finding = other or finding
    return finding


class LockstepTable:
    """The engines of some rules, ready to play one game after another."""

    def __init__(
        self,
        rules: Rules,
        engines: Engines,
        tokenwise: Collection[str] = (),
        chance_source: ChanceSource | None = None,
    ) -> None:
        self.rules = rules
        self.chance_source = chance_source
        self.notation = Notation(rules)
        self.made = [_attempt(partial(make, rules, tokenwise)) for _, make in engines]
        share_programs(self.made)

    def play(self, seed: int, max_decisions: int) -> GameComparison:
        """The game with a seed, to its end, to the first difference, or to the position after so many decisions."""
        return _GameInLockstep(self, seed).play(seed % self.rules.players, max_decisions)

    @cached_property
    def shuffled_places(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """The places of things that are shuffled: number and things at the beginning."""
        contents = Layout(self.rules, ExprCompiler(self.rules)).contents
        return tuple(
            (place, content_things(contents[place]))
            for zone in self.rules.zones.values()
            if zone.is_shuffled and not zone.is_pool
            for place in range(zone.first_index, zone.first_index + zone.size)
        )


class _GameInLockstep:
    """One game under way."""

    def __init__(self, table: LockstepTable, seed: int) -> None:
        self.table = table
        self.seed = seed
        self.source = table.chance_source or CHANCE_BY_SEED[seed % len(CHANCE_BY_SEED)]
        self.rng = chance.seed_rng(seed, OUTSIDE_STREAM)
        self.decisions = 0
        self.outcomes = 0
        self.after = ""
        self.finding: Finding | None = None
        self.fault = ""
        self.refusal = ""

    def play(self, first: int, max_decisions: int) -> GameComparison:
        self._play(first, max_decisions)
        return GameComparison(self.decisions, self.outcomes, self.finding, self.fault, self.refusal)

    def _play(self, first: int, max_decisions: int) -> None:
        notation = self.table.notation
        players = self._agreed("made", self.table.made)
        if players is None:
            return
        seed = self.seed if self.source == "seed" else None
        orders = dict(self._orders()) if self.source == "orders" else None
        if self._in_all(players, lambda player: player.start(seed, first, orders)) is None:
            return
        rng = chance.seed_rng(self.seed, CHOICE_STREAM)
        while True:
            positions = self._settled_positions(players)
            if positions is None:
                return
            lists = self._in_all(players, lambda player: player.legal())
            if lists is None or self._differ(legal_differences(lists, notation)):
                return
            legal: Sequence[Action] = lists[0]
            if not legal or self.decisions >= max_decisions:
                self.fault = "no action is legal" if positions[0].waiting is not None and not legal else ""
                return
            rng, index = chance.rand_below(rng, len(legal))
            self.after = write_action(legal[index], notation)
            self.decisions += 1
            if self._in_all(players, partial(_apply, index)) is None:
                return

    def _orders(self) -> Iterator[tuple[int, list[int]]]:
        for place, things in self.table.shuffled_places:
            self.rng, order = chance.shuffle(self.rng, things)
            yield place, order

    def _settled_positions(self, players: Sequence[LockstepPlayer]) -> list[PositionSnapshot] | None:
        """The positions in which chance has decided all that it was asked for; None where the game stops."""
        after = self.after
        for number in range(1, MAX_OUTCOMES + 1):
            positions = self._in_all(players, lambda player: player.position())
            if positions is None or self._differ(position_differences(positions, self.table.rules)):
                return None
            event = positions[0].waiting
            if not isinstance(event, ChanceEvent):
                return positions
            self.rng, outcome = chance.pick_weighted(self.rng, event.outcomes)
            self.outcomes += 1
            self.after = f"{after or 'the beginning'}, outcome {number} of chance"
            if self._in_all(players, partial(_resolve_chance, outcome)) is None:
                return None
        return None

    def _in_all(self, players: Sequence[LockstepPlayer], ask: Callable[[LockstepPlayer], T]) -> list[T] | None:
        return self._agreed("outcome", [_attempt(partial(ask, player)) for player in players])

    def _agreed(self, what: str, answers: Sequence[T | _Failure]) -> list[T] | None:
        """The answers; None when one is a failure. That all fail alike by the rules is no finding."""
        good = [answer for answer in answers if not isinstance(answer, _Failure)]
        if len(good) == len(answers):
            return good
        texts = [answer.text if isinstance(answer, _Failure) else "goes on" for answer in answers]
        causes = {answer.cause if isinstance(answer, _Failure) else "" for answer in answers}
        refusals = [answer.text for answer in answers if isinstance(answer, _Failure) and answer.cause == REFUSED]
        if refusals:
            self.refusal = refusals[0]
        elif len(causes) == 1 and "" not in causes:
            self.fault = texts[0]
        else:
            self._differ(iter([Difference(what, tuple(texts))]))
        return None

    def _differ(self, differences: Iterator[Difference]) -> bool:
        found = tuple(differences)
        if found:
            shown, hidden = found[:MAX_DIFFERENCES], max(0, len(found) - MAX_DIFFERENCES)
            self.finding = Finding(self.seed, self.decisions + 1, self.after, shown, hidden)
        return bool(found)


def _resolve_chance(outcome: int, player: LockstepPlayer) -> None:
    player.resolve_chance(outcome)


def _apply(index: int, player: LockstepPlayer) -> None:
    player.apply(index)


def _attempt(ask: Callable[[], T]) -> T | _Failure:
    """What is asked for, or how it failed: an engine that breaks down is a finding, too, and is reported with its
    seed.
    """
    try:
        return ask()
    except RuleFault as fault:
        return _Failure(f"the rules fail: {fault}", str(fault))
    except NotCompiled as refusal:
        return _Failure(str(refusal), REFUSED)
    except Exception as error:
        return _Failure(f"{type(error).__name__}: {error}", "")


__all__ = [
    "CHANCE_SOURCES",
    "ChanceSource",
    "Engines",
    "Finding",
    "GameComparison",
    "LockstepTable",
    "RulesComparison",
    "compare_engines",
    "nth_seed",
]

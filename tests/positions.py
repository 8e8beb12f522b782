"""Positions to try things on: random games of the shipped rules and of the games in tests/games, stopped anywhere.

In: a `Table` (which game, how many players, which variants, whole answers or piece by piece) and a few numbers. Out: a
`Spot`: a position with the engine that made it. Everything follows from the numbers, so that a spot can be found again.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from games.playing import fewer_samples
from rulewright.engine.notation import Notation
from rulewright.engine.playout import Playout, play_out
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import Action, ChanceEvent, State
from rulewright.expr.types import Bag, SetOf, Thing
from rulewright.model.actions import OneOf
from rulewright.model.facts.found_ranges import PositionRanges
from rulewright.model.facts.position_ranges import find_position_ranges
from rulewright.model.loader import load_rules
from rulewright.model.locate import available_games, available_variants, default_game, find_game
from rulewright.model.rules import Rules
from rulewright.records.record_writer import start_recording
from rulewright.session.session import Session

GAMES = Path(__file__).parent / "games"
MOST_DECISIONS = 160

# variants laid over together, one of each group, so that every switch meets every other in few tables
TOGETHER = {
    "splendor": (
        ("colours-first", "fewer-by-choice", "free-passing", "hidden-hands", "most-tokens-left"),
        ("fewer-by-choice", "free-passing", "open-hands", "most-nobles"),
        (
            *("colours-first", "fewer-by-choice", "five-wide", "free-passing", "gold-alone", "help-for-the-last"),
            *("hidden-hands", "leftmost-noble", "most-tokens-left", "moving-market", "no-blind-reserving"),
            *("no-giving-back", "play-to-12", "six-colours", "starting-gold", "sudden-end"),
        ),
    ),
    "nim": (("misere", "one-pass"),),
    "wrack-line": (("no-ropes", "open-letters", "short-stay", "spring-tide"),),
}


@dataclass(frozen=True)
class Table:
    """A game as it is played at one table. `piecewise`: bags and sets are put together one piece at a time."""

    game: str
    players: int
    variants: tuple[str, ...] = ()
    piecewise: bool = False


@cache
def rules(game: str, players: int, variants: tuple[str, ...] = ()) -> Rules:
    return load_rules(game, players=players, variants=variants)


@cache
def ranges_of(game: str, players: int, variants: tuple[str, ...] = ()) -> PositionRanges:
    """What positions of a game can hold; several modules of tests hold facts that rest on it."""
    return find_position_ranges(rules(game, players, variants))


def piecewise_choices(rules: Rules) -> list[str]:
    """Every choice that is a bag or a set."""
    return [
        choice.address
        for action in rules.actions
        for choice in action.choices
        if not isinstance(choice.domain, OneOf) and isinstance(choice.type, Bag | SetOf)
    ]


@cache
def engine_of(table: Table) -> ReferenceEngine:
    model = rules(table.game, table.players, table.variants)
    return ReferenceEngine(model, tokenwise=piecewise_choices(model) if table.piecewise else ())


def head_value(path: Path, key: str) -> str:
    """What a rule file says under a key of its head, as it is written."""
    lines = path.read_text(encoding="utf-8").splitlines()
    found = (line.partition(":")[2].partition(" #")[0].strip() for line in lines if line.startswith(f"{key}:"))
    return next(found, "")


def player_counts(path: Path) -> tuple[int, ...]:
    """The numbers of players that a game or a variant is for; none where a variant does not say."""
    low, _, high = head_value(path, "players").partition(" to ")
    return tuple(range(int(low), int(high or low) + 1)) if low else ()


def variants_of(game: str) -> dict[str, Path]:
    """The shipped variants of a game that can be chosen."""
    found = available_variants(game).items()
    return {name: path for name, path in found if not head_value(path, "joins")}


def with_required(game: str, variant: str) -> tuple[str, ...]:
    """A variant and those without which it cannot be chosen."""
    needed = head_value(variants_of(game)[variant], "requires").strip("[]").replace(",", " ").split()
    return tuple(dict.fromkeys([*(one for name in needed for one in with_required(game, name)), variant]))


def played_with(path: Path) -> tuple[str, ...]:
    """A variant by its path, or those that it joins."""
    if not head_value(path, "joins"):
        return (str(path),)
    return tuple(str(path.with_stem(name)) for name in head_value(path, "joins").strip("[]").split(", "))


def counts_of(game: str) -> tuple[int, ...]:
    """The numbers of players of a shipped game."""
    path = find_game(game)
    return player_counts(path / "game.yaml" if path.is_dir() else path)


def seatings(game: str) -> list[tuple[int, tuple[str, ...]]]:
    """A shipped game with no variant, each single one, and some together, for every number of players that fits."""
    counts = counts_of(game)
    single = [
        (players, with_required(game, name))
        for name, at in variants_of(game).items()
        for players in player_counts(at) or counts
    ]
    return [*((players, ()) for players in counts), *single, *product(counts, TOGETHER.get(game, ()))]


def small_games() -> list[Path]:
    """The games in tests/games."""
    found = sorted(GAMES.glob("*.yaml")) + sorted(GAMES.glob("*/*.yaml"))
    return [path for path in found if path.parent in (GAMES, GAMES / path.stem)]


QUICK_SHARE = 4  # how often a game that is not slow is drawn for once that the slowest are


@cache
def all_tables() -> tuple[Table, ...]:
    """Every table that properties are tried on."""
    found = []
    for game in available_games():
        found += [Table(game, *one, piecewise) for one in seatings(game) for piecewise in (False, True)]
    for path in small_games():
        beside = sorted(path.parent.glob("variants/*.yaml")) if path.parent != GAMES else []
        variants = [(), *map(played_with, beside)]
        game = os.path.relpath(path)
        found += [Table(game, *one) for one in product(player_counts(path), variants, (False, True))]
    return tuple(found)


@cache
def chosen(which: str) -> tuple[Table, ...]:
    """Some of the tables, by what they have in common."""
    return tuple(table for table in all_tables() if SELECTIONS[which](table))


def share_of_rules(first: int) -> tuple[Table, ...]:
    """One table of every game without variants at each number of players, and of every second of the variants, from the
    `first` (0 or 1): tests that see the two halves are as likely to meet what one of them would.
    """
    whole = {(table.game, table.variants or table.players): table for table in chosen("whole")}.values()
    changed = [table for table in whole if table.variants]
    return tuple(table for table in whole if not table.variants or table in changed[first::2])


def _secret(table: Table) -> bool:
    """Whether something is hidden from somebody; of variants it is not asked, since reading them all takes long."""
    plain = min(one.players for one in all_tables() if one.game == table.game and not one.variants)
    return any(zone.seen_by != "all" for zone in rules(table.game, plain).zones.values())


def _chosen_in_secret(table: Table) -> bool:
    """Whether some of several hidden things are chosen: what is told of that has to be silent about which."""
    return any(
        isinstance(choice.type, SetOf) and isinstance(choice.type.element, Thing)
        for action in engine_of(table).rules.actions
        for choice in action.choices
    )


SELECTIONS: dict[str, Callable[[Table], bool]] = {
    "all": lambda table: True,
    "whole": lambda table: not table.piecewise,
    "piecewise": lambda table: table.piecewise,
    "secret": _secret,
    "hidden": lambda table: _secret(table) and _chosen_in_secret(table),
    "together": lambda table: any(
        getattr(step.effect, "mode", "") == "together"
        for block in engine_of(table).rules.blocks
        for step in block.steps
    ),
    "shipped": lambda table: table.game in available_games(),
    # chance is in the order of piles alone, so that a game can be played again after another shuffle
    "shuffled": lambda table: table.game == default_game() and _secret(table),
}


# ---- playing --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Begin:
    """How a random game begins and goes. `seed` None: chance comes from outside. `taste`: 0 is uniform choice, else
    each action has a likelihood of its own, because uniform choice seldom meets the rare rules.
    """

    table: Table
    first: int
    seed: int | None
    moves: int
    taste: int


def weights(model: Rules, taste: int) -> list[float]:
    """For each action how much likelier it is chosen than others."""
    rng = random.Random(f"taste {taste}")
    return [rng.choice((0.05, 1, 1, 20)) if taste else 1 for _ in model.actions]


def steps(begin: Begin, most: int = MOST_DECISIONS) -> Iterator[tuple[State, Action | int | None]]:
    """The positions of a random game one after another, those that wait for chance too, for so many decisions; each
    with the action or outcome that comes next, the last one with None.
    """
    engine = engine_of(begin.table)
    rng = random.Random(begin.moves)
    liking = [*weights(engine.rules, begin.taste), 1.0]  # the last: declining
    playout = Playout(engine, engine.start(first=begin.first, seed=begin.seed))

    def choose(state: State, legal: tuple[Action, ...]) -> Action:
        return rng.choices(legal, [liking[action.number] for action in legal])[0]

    def draw(event: ChanceEvent) -> int:
        values, chances = zip(*event.outcomes, strict=True)
        return rng.choices(values, chances)[0]

    for before, _, action, outcome in play_out(playout, choose, draw=draw) if most else ():
        yield before, outcome if action is None else action
        most -= action is not None
        if not most:
            break
    yield playout.state, None


def walk(begin: Begin, most: int = MOST_DECISIONS) -> Iterator[State]:
    """The positions of a random game one after another."""
    return (state for state, _ in steps(begin, most))


class Spot:
    """A position somewhere in a random game; it is shown by what leads to it."""

    def __init__(self, begin: Begin, after: int, state: State) -> None:
        self.begin = begin
        self.after = after
        self.engine = engine_of(begin.table)
        self.state = state

    def __repr__(self) -> str:
        return f"spot({self.begin}, {self.after})"

    @property
    def rules(self) -> Rules:
        return self.engine.rules

    @property
    def notation(self) -> Notation:
        return Notation(self.engine.rules)


def spot(begin: Begin, after: int) -> Spot:
    """The position after so many decisions and chance events, or the last one."""
    state = None
    for at, state in enumerate(walk(begin)):  # noqa: B007  (the last one is wanted)
        if at == after:
            break
    assert state is not None
    return Spot(begin, after, state)


def settle(engine: ReferenceEngine, state: State, rng: random.Random) -> State:
    """The position once chance has spoken, where it waits for that."""
    while isinstance(state.waiting, ChanceEvent):
        values, chances = zip(*state.waiting.outcomes, strict=True)
        state = engine.resolve_chance(state, rng.choices(values, chances)[0])
    return state


def tried(examples: int) -> settings:
    """How often a property is tried; `PROPERTIES=20` tries twenty times as often."""
    return settings(max_examples=examples * int(os.environ.get("PROPERTIES", "1")))


# ---- strategies -----------------------------------------------------------------------------------------------------

SEEDS = st.integers(0, 2**32 - 1)


@st.composite
def tables(draw: st.DrawFn, which: str = "all") -> Table:
    """Tables, see `SELECTIONS`; first a game, small ones alike, slow ones seldom, the default one more often."""
    by_game: dict[str, list[Table]] = {}
    for table in chosen(which):
        by_game.setdefault(table.game, []).append(table)
    others = [game for game in by_game if game != default_game() for _ in range(fewer_samples(game, QUICK_SHARE))]
    often = [*([default_game()] * max(QUICK_SHARE, len(others)) if default_game() in by_game else []), *others]
    here = by_game[often[draw(st.integers(0, len(often) - 1))]]
    return here[draw(st.integers(0, len(here) - 1))]


@st.composite
def begins(draw: st.DrawFn, which: str = "all", *, chance: bool | None = None) -> Begin:
    """Beginnings of random games; `chance`: whether it comes from outside (None: either)."""
    table = draw(tables(which))
    outside = draw(st.sampled_from((False, False, True))) if chance is None else chance
    return Begin(
        table,
        draw(st.integers(0, table.players - 1)),
        None if outside else draw(SEEDS),
        draw(SEEDS),
        draw(st.integers(0, 40)),
    )


@st.composite
def spots(draw: st.DrawFn, which: str = "all", *, chance: bool | None = None) -> Spot:
    """Random positions, in mid-turn and in mid-answer too."""
    return spot(draw(begins(which, chance=chance)), draw(st.integers(0, MOST_DECISIONS)))


# ---- what there is --------------------------------------------------------------------------------------------------


def census(engine: ReferenceEngine, state: State) -> Counter[tuple[str, int]]:
    """How many there are of every thing and of every sort of piece, all places together."""
    found: Counter[tuple[str, int]] = Counter()
    for zone in engine.rules.zones.values():
        for content in state.contents[zone.first_index : zone.first_index + zone.size]:
            if isinstance(zone.content_type, Thing):
                found.update((zone.content_type.component, thing) for thing in getattr(content, "things", content))
            else:
                family = engine.rules.kinds[zone.content_type.kind].family
                found.update({(f"kind {family}", at): count for at, count in enumerate(content)})
    return found


def recorded(session: Session, path: Path, data: Any = None) -> Session:
    """The session, written from now on to a new file."""
    start_recording(session, path, data)
    return session

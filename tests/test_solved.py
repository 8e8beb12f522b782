"""Games that mathematics has solved come out as it says, by playing them through.

The engine gives all that is counted here: what is legal, what follows, who has won, what a seat sees and what it gains.
What theory says stands beside it: numbers, the rule of xor, and a published equilibrium as data (`equilibria/`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache, reduce
from itertools import product
from operator import xor
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from games.playing import read
from rulewright.bots.greedy import GreedyBot
from rulewright.bots.player_view import PlayerView
from rulewright.engine.game_tree import perft
from rulewright.engine.notation import Notation
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import ChanceEvent, Decision, State
from rulewright.engine.views import Views
from rulewright.model.loader import load_rules

pytestmark = pytest.mark.slow

Position = tuple[Any, ...]  # what lies where, who chooses next, who has been named as the winner


@cache
def engine(game: str, *variants: str) -> ReferenceEngine:
    return ReferenceEngine(load_rules(game, variants=variants))


class Tree:
    """All positions of a game for two without chance and secrets, each once, though many ways lead to most of them."""

    def __init__(self, of: ReferenceEngine) -> None:
        self.of = of
        self.begin = of.start()
        self.states: dict[Position, State] = {}
        self.after: dict[Position, list[Position]] = {}
        open_ = [self.begin]
        while open_:
            state = open_.pop()
            at = self.position(state)
            if at not in self.states:
                reached = [of.apply_legal(state, action) for action in of.legal(state)] if not state.over else []
                self.states[at] = state
                self.after[at] = [self.position(one) for one in reached]
                open_ += reached

    @staticmethod
    def position(state: State) -> Position:
        return (state.contents, state.waiting.seat if isinstance(state.waiting, Decision) else None, state.winners)

    def mover(self, at: Position) -> int:
        waiting = self.states[at].waiting
        assert isinstance(waiting, Decision)
        return waiting.seat

    def decided(self, at: Position) -> bool:
        """Whether the game is over there, and won."""
        return self.states[at].over and len(self.of.result(self.states[at]).winners) == 1

    def ends(self) -> Counter[tuple[int, ...]]:
        """How many games there are, by who wins them: ways to a position are added up, not gone one by one."""
        ends: Counter[tuple[int, ...]] = Counter()
        level = Counter([self.position(self.begin)])
        while level:
            following: Counter[Position] = Counter()
            for at, ways in level.items():
                if self.states[at].over:
                    ends[self.of.result(self.states[at]).winners] += ways
                for one in self.after[at]:
                    following[one] += ways
            level = following
        return ends

    def worth(self) -> dict[Position, int]:
        """What each position is worth to seat 0 when both play as well as can be: 1 won, 0 drawn, -1 lost."""

        @cache
        def found(at: Position) -> int:
            if self.states[at].over:
                winners = self.of.result(self.states[at]).winners
                return 0 if len(winners) > 1 else 1 if winners == (0,) else -1
            return (min if self.mover(at) else max)(map(found, self.after[at]))

        return {at: found(at) for at in self.states}


# ---- published counts -----------------------------------------------------------------------------------------------


PERFT = read(Path(__file__).parent / "published_perft.yaml")


@pytest.mark.parametrize(
    ("game", "depth"), [(game, depth) for game, known in PERFT.items() for depth in range(1, len(known["counts"]) + 1)]
)
def test_as_many_sequences_of_turns_as_published(game: str, depth: int) -> None:
    of = engine(game)
    assert turn_sequences(of, of.start(), depth) == PERFT[game]["counts"][depth - 1]


def turn_sequences(of: ReferenceEngine, state: State, depth: int) -> int:
    """How many sequences of so many turns there are; a turn can take several decisions, such as jump after jump."""
    if state.over or not depth:
        return int(not depth)
    after = [of.apply_legal(state, action) for action in of.legal(state)]
    return sum(
        turn_sequences(of, one, depth if one.turn_count == state.turn_count and not one.over else depth - 1)
        for one in after
    )


# ---- tic-tac-toe ----------------------------------------------------------------------------------------------------


@cache
def noughts_and_crosses(*variants: str) -> Tree:
    return Tree(engine("tic-tac-toe", *variants))


@pytest.mark.parametrize(("depth", "count"), [(1, 9), (2, 72), (3, 504), (4, 3024), (5, 15120)])
def test_beginnings(depth: int, count: int) -> None:
    of = engine("tic-tac-toe")
    assert perft(of, of.start(), depth) == count


def test_tic_tac_toe_has_255168_games_over_5478_positions() -> None:
    tree = noughts_and_crosses()
    assert len({at[0] for at in tree.states}) == len(tree.states) == 5_478
    assert tree.ends() == {(0,): 131_184, (1,): 77_904, (0, 1): 46_080}
    assert tree.ends().total() == 255_168


def test_tic_tac_toe_is_a_draw() -> None:
    tree = noughts_and_crosses()
    worth = tree.worth()
    begin = tree.position(tree.begin)
    assert worth[begin] == 0
    assert [worth[at] for at in tree.after[begin]] == [0] * 9
    # after a corner only the middle holds the draw
    corner = next(at for at in tree.after[begin] if written_at(tree, at) == {"a1"})
    assert [written_at(tree, at) for at in tree.after[corner] if worth[at] == 0] == [{"a1", "b2"}]


def written_at(tree: Tree, at: Position) -> set[str]:
    zone = tree.of.rules.zones["board"]
    squares = tree.of.rules.kinds["square"].members
    contents = at[0][zone.first_index : zone.first_index + zone.size]
    return {square for square, content in zip(squares, contents, strict=True) if any(content)}


def test_who_must_not_make_a_line_draws_too() -> None:
    """The same positions, other winners; the middle is the only beginning that holds the draw."""
    tree = noughts_and_crosses("misere")
    worth = tree.worth()
    begin = tree.position(tree.begin)
    assert tree.ends() == {(1,): 131_184, (0,): 77_904, (0, 1): 46_080}
    assert [written_at(tree, at) for at in tree.after[begin] if worth[at] == 0] == [{"b2"}]


def greedy(tree: Tree, at: Position, seed: int) -> Position:
    """Where a greedy bot goes, who has nothing but the evaluation of the rules."""
    state = tree.states[at]
    seat = tree.mover(at)
    action = GreedyBot(seed, seat).choose(PlayerView(tree.of, state, seat, tree.of.legal(state)))
    return tree.position(tree.of.apply_legal(state, action))


def test_a_greedy_bot_takes_a_line_and_prevents_one() -> None:
    tree = noughts_and_crosses()
    begun = [at for at in tree.states if 3 <= len(written_at(tree, at)) <= 7 and not tree.states[at].over]
    met = Counter[str]()
    for number, at in enumerate(begun[::23]):
        wins = [one for one in tree.after[at] if tree.decided(one)]
        safe = [one for one in tree.after[at] if not any(map(tree.decided, tree.after[one]))]
        done = greedy(tree, at, number)
        if wins:
            assert done in wins
        elif 0 < len(safe) < len(tree.after[at]):
            assert done in safe
        met["win" if wins else "danger" if len(safe) < len(tree.after[at]) else "neither"] += 1
    assert min(met.values()) > 10


# ---- nim ------------------------------------------------------------------------------------------------------------


def rows(tree: Tree, at: Position) -> tuple[int, ...]:
    zone = tree.of.rules.zones["sticks"]
    return tuple(sum(content) for content in at[0][zone.first_index : zone.first_index + zone.size])


@pytest.mark.parametrize("misere", [False, True], ids=["last_wins", "last_loses"])
@pytest.mark.parametrize(
    ("shape", "sizes"),
    [
        ((), (1, 3, 5, 7)),
        (("row_count=3", "base=4", "step=1"), (4, 5, 6)),
        (("row_count=2", "base=7", "step=2"), (7, 9)),
    ],
    ids=["1-3-5-7", "4-5-6", "7-9"],
)
def test_nim_follows_the_rule_of_xor(shape: tuple[str, ...], sizes: tuple[int, ...], misere: bool) -> None:
    """Who moves wins unless the sizes of the rows cancel in binary; where the last loses it is the other way round as
    soon as no row has more than one.
    """
    tree = Tree(engine("nim", *(("misere",) if misere else ()), *shape))
    worth = tree.worth()
    assert rows(tree, tree.position(tree.begin)) == sizes
    seen: dict[tuple[int, ...], bool] = {}
    for at, state in tree.states.items():
        if not state.over:
            left = rows(tree, at)
            wins = worth[at] == (-1 if tree.mover(at) else 1)
            assert seen.setdefault(left, wins) == wins
            assert wins == ((reduce(xor, left) != 0) != (misere and max(left) == 1)), left
    assert set(seen) == {left for left in product(*(range(size + 1) for size in sizes)) if any(left)}


@pytest.mark.parametrize("variants", [(), ("misere",)], ids=["last_wins", "last_loses"])
def test_a_greedy_bot_wins_at_nim_wherever_that_can_be(variants: tuple[str, ...]) -> None:
    tree = Tree(engine("nim", *variants))
    worth = tree.worth()
    tried = 0
    for number, at in enumerate([*tree.states][::7]):
        if not tree.states[at].over and worth[at] == (-1 if tree.mover(at) else 1):
            assert worth[greedy(tree, at, number)] == worth[at], rows(tree, at)
            tried += 1
    assert tried > 40


# ---- Kuhn poker -----------------------------------------------------------------------------------------------------

KUHN: Mapping[str, Any] = read(Path(__file__).parent / "equilibria" / "kuhn-poker.yaml")
Label = tuple[int, str, tuple[str, ...]]  # who chooses, what lies in that hand, what was done before


class End(NamedTuple):
    gains: tuple[int, ...]


class Fork(NamedTuple):
    """Chance decides: what may follow, with its probability."""

    ways: tuple[tuple[Fraction, Any], ...]


class Choice(NamedTuple):
    label: Label
    view: str  # all that the seat is shown
    ways: Mapping[str, Any]


Node = End | Fork | Choice


@cache
def kuhn() -> Node:
    """The whole game, told by the engine."""
    of = engine(KUHN["for"])
    return grown(of, Views(of), Notation(of.rules), of.start(), ())


def grown(of: ReferenceEngine, views: Views, notation: Notation, state: State, done: tuple[str, ...]) -> Node:
    match state.waiting:
        case None:
            gains = of.measures(state)[KUHN["measure"]]
            assert isinstance(gains, tuple)
            return End(gains)
        case ChanceEvent(outcomes=outcomes):
            total = sum(weight for _, weight in outcomes)
            return Fork(
                tuple(
                    (Fraction(weight, total), grown(of, views, notation, of.resolve_chance(state, outcome), done))
                    for outcome, weight in outcomes
                )
            )
        case Decision(seat=seat):
            view = views.view(state, seat)
            assert view["zones"]["hand"][str(1 - seat)]["known"] == []
            held = view["zones"]["hand"][str(seat)]
            named = {notation.format_action(action): action for action in of.legal(state)}
            ways = {
                name: grown(of, views, notation, of.apply_legal(state, action), (*done, name))
                for name, action in named.items()
            }
            return Choice((seat, held, done), str(view), ways)


def nodes(node: Node) -> Iterator[Node]:
    yield node
    match node:
        case Fork(ways):
            for _, one in ways:
                yield from nodes(one)
        case Choice(ways=named):
            for one in named.values():
                yield from nodes(one)


def test_kuhn_has_six_deals_of_five_endings() -> None:
    gains = Counter(node.gains for node in nodes(kuhn()) if isinstance(node, End))
    # of each deal: passed twice, pass-bet-pass, pass-bet-bet, bet-pass, bet-bet
    assert gains == {(1, -1): 3 + 6, (-1, 1): 3 + 6, (2, -2): 6, (-2, 2): 6}


def test_the_deciding_seats_have_twelve_views_six_each() -> None:
    views: dict[str, Label] = {}
    for node in nodes(kuhn()):
        if isinstance(node, Choice):
            assert list(node.ways) == ["pass", "bet"]
            assert views.setdefault(node.view, node.label) == node.label
    assert Counter(seat for seat, _, _ in views.values()) == {0: 6, 1: 6}
    assert sorted(views.values()) == sorted(labels())  # no two look alike, and those of the published solution are all


def labels() -> list[Label]:
    return [(row["seat"], row["holds"], tuple(row["after"])) for row in KUHN["views"]]


Plan = Mapping[Label, Fraction]  # how often the action is done


def chance(written: str, alpha: Fraction) -> Fraction:
    """`1/3 + alpha`, `3 alpha`."""
    found = Fraction(0)
    for part in written.split(" + "):
        number, _, times = part.partition("alpha")
        found += Fraction(number.strip() or 1) * alpha if "alpha" in part else Fraction(number)
        assert not times
    return found


def published(alpha: Fraction) -> Plan:
    plan = {label: chance(row["chance"], alpha) for label, row in zip(labels(), KUHN["views"], strict=True)}
    assert all(0 <= one <= 1 for one in plan.values())
    return plan


def pure(seat: int) -> Iterator[Plan]:
    """Every way to play without chance: in each of a seat's views one action or the other."""
    own = [label for label in labels() if label[0] == seat]
    for done in product((Fraction(0), Fraction(1)), repeat=len(own)):
        yield dict(zip(own, done, strict=True))


def gain(node: Node, plan: Plan) -> Fraction:
    """What seat 0 gains on average."""
    match node:
        case End(gains):
            return Fraction(gains[0])
        case Fork(ways):
            return sum((weight * gain(one, plan) for weight, one in ways), Fraction(0))
        case Choice(label, _, named):
            [other] = [name for name in named if name != KUHN["action"]]
            done = plan[label]
            return done * gain(named[KUHN["action"]], plan) + (1 - done) * gain(named[other], plan)


ALPHAS = [Fraction(one) for one in KUHN["alpha"]]


@pytest.mark.parametrize("alpha", ALPHAS, ids=str)
def test_the_published_equilibrium_gives_what_it_says(alpha: Fraction) -> None:
    assert gain(kuhn(), published(alpha)) == Fraction(KUHN["value"]) == Fraction(-1, 18)


@pytest.mark.parametrize("alpha", ALPHAS, ids=str)
def test_no_pure_strategy_does_better_against_it(alpha: Fraction) -> None:
    plan, value = published(alpha), Fraction(KUHN["value"])
    first, second = ([gain(kuhn(), {**plan, **one}) for one in pure(seat)] for seat in (0, 1))
    assert len(first) == len(second) == 64
    assert max(first) == value  # seat 0 gains no more
    assert min(second) == value  # and loses no less
    assert len({*first}) > 1
    assert len({*second}) > 1


@pytest.mark.parametrize(
    "wrong", [(1, "jack", ("pass",)), (0, "queen", ("pass", "bet")), (1, "queen", ("bet",))], ids=str
)
def test_another_chance_can_be_made_to_pay(wrong: Label) -> None:
    """Without bluffs, or without calls, somebody does better than in the equilibrium, and that would be noticed."""
    plan = {**published(ALPHAS[1]), wrong: Fraction(0)}
    other = 1 - wrong[0]
    best = [gain(kuhn(), {**plan, **one}) * (1 if other == 0 else -1) for one in pure(other)]
    assert max(best) > Fraction(KUHN["value"]) * (1 if other == 0 else -1)

"""The official rules as the engine plays them are those that were written by hand: counted, and played side by side.

`tests/oracle` knows the game, the engine does not: the rule files have to say everything. Both count the sequences of
decisions from the same positions, and both play the same games, list by list.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest

from command_line import CommandLine
from oracle import perft as by_hand
from oracle.lockstep import Played, Setting, play_beside, settings
from oracle.rules import Game, Orders, file_order, shuffled
from rulewright.engine.game_tree import divide, perft
from rulewright.engine.notation import Notation
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import Decision, State
from rulewright.model.loader import load_rules

pytestmark = pytest.mark.slow

GIVE_BACK = "actions.give_back.choose.tokens"
GAMES = 16  # of each sort and number of players, side by side


@cache
def engine(players: int, tokenwise: bool = False, colours_first: bool = False) -> ReferenceEngine:
    rules = load_rules("splendor", players=players, variants=["colours-first"] if colours_first else [])
    return ReferenceEngine(rules, tokenwise=[GIVE_BACK] if tokenwise else ())


def begin(of: ReferenceEngine, orders: Orders, first_seat: int = 0) -> State:
    """The engine's game with the shuffles of the other."""
    found = {}
    decks = [(("deck", (level,)), deck) for level, deck in enumerate(orders.decks, start=1)]
    for (zone, keys), things in [*decks, (("noble_box", ()), orders.nobles)]:
        component = of.rules.components[of.rules.zones[zone].content_type.component]
        found[of.place_index(zone, keys)] = [component.ids.index(thing) for thing in things]
    return of.start(first=first_seat, orders=found)


def written(of: ReferenceEngine, state: State) -> list[str]:
    notation = Notation(of.rules)
    return [notation.format_action(action) for action in of.legal(state)]


class Beside:
    """The engine as `play_beside` wants it."""

    def new(self, setting: Setting, orders: Orders) -> None:
        self.engine = engine(setting.players, setting.tokenwise, setting.colours_first)
        self.notation = Notation(self.engine.rules)
        self.state = begin(self.engine, orders, setting.first_seat)

    def decides(self) -> int | None:
        return self.state.waiting.seat if isinstance(self.state.waiting, Decision) else None

    def legal(self) -> list[str]:
        return written(self.engine, self.state)

    def apply(self, text: str) -> None:
        action = self.notation.match_action(self.notation.parse_action(text), self.engine.legal(self.state))
        assert action is not None, text
        self.state = self.engine.apply(self.state, action)

    def result(self) -> tuple[list[int], list[int]]:
        assert self.state.over
        result = self.engine.result(self.state)
        return list(result.ranks), list(result.winners)


# ---- counts ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "depth"), [(2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (3, 3), (4, 1), (4, 2), (4, 3)])
def test_perft_from_the_files_order(players: int, depth: int):
    of = engine(players)
    assert perft(of, begin(of, file_order()), depth) == by_hand.perft(Game(players), depth)


def test_perft_deep():
    of = engine(2)
    assert perft(of, begin(of, file_order()), 4) == by_hand.perft(Game(2), 4)


@pytest.mark.parametrize("tokenwise", [False, True])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("after", [25, 60])
def test_perft_in_mid_game(players: int, after: int, tokenwise: bool):
    """From positions that the same random moves lead to in both."""
    for seed in range(4):
        orders, of = shuffled(Random(seed)), engine(players, tokenwise)
        first = seed % players
        game, state = Game(players, orders, first_seat=first, tokenwise=tokenwise), begin(of, orders, first)
        notation = Notation(of.rules)
        for text in by_hand.play_at_random(game, after, Random(seed + 1)):
            state = of.apply(state, notation.parse_action(text))
        for depth in (1, 2, 3 if seed == 0 else 2):
            assert perft(of, state, depth) == by_hand.perft(game, depth), (seed, depth)


def test_divide_names_the_same_decisions():
    of, orders = engine(3), shuffled(Random(8))
    game = Game(3, orders)
    notation = Notation(of.rules)
    ours = {notation.format_action(action): count for action, count in divide(of, begin(of, orders), 2)}
    assert ours == by_hand.divide(game, 2)


# ---- side by side ---------------------------------------------------------------------------------------------------


def play_all(games: list[Setting]) -> tuple[Counter[str], list[Played]]:
    beside, met, played = Beside(), Counter[str](), []
    for setting in games:
        played.append(play_beside(beside, setting))
        met += played[-1].met
    return met, played


@pytest.mark.sampled(2)
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(("tokenwise", "colours_first"), [(False, False), (True, False), (False, True), (True, True)])
def test_games_side_by_side(players: int, tokenwise: bool, colours_first: bool):
    """Every legal list, who decides, the places and winners."""
    todo = settings(GAMES, [players], 1, tokenwise=tokenwise, colours_first=colours_first)
    met, played = play_all(todo[: GAMES // 2] if tokenwise and colours_first else todo)
    assert all(one.finished for one in played)
    assert {"take_different", "take_pair", "reserve_face_up", "reserve_from_deck", "buy", "give_back"} <= set(met)


def test_the_rare_rules_are_met():
    """Side by side is worth little if nobody ever passes or has to choose among nobles."""
    met, played = play_all(settings(40, [2, 3], 1000))
    assert met["pass"] > 5
    assert met["receive_noble"] > 5
    assert any(one.places and len(set(one.places)) < len(one.places) for one in played)


def test_chance_that_branches_without_end_is_refused(run_cli: CommandLine) -> None:
    """A board that is filled from a bag: no machine holds all of its beginnings."""
    assert run_cli("perft", "splendor-duel", "--depth", "1") == 2
    assert run_cli.err == "rulewright: more than 20,000 positions follow from chance; a seed draws one of them\n"
    assert run_cli("perft", "splendor-duel", "--depth", "1", "--seed", "1") == 0
    assert "depth 1: " in run_cli.out

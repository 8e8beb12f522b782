"""The second, hand-written version of the rules in whole games: what holds, how many there are, beside an engine."""

import importlib.util
import sys
from collections import Counter
from math import factorial, prod, sqrt
from pathlib import Path
from random import Random
from statistics import fmean, variance

import pytest

from oracle import lockstep
from oracle.cards import CARDS, GEMS, GOLD, NOBLES, TOKENS
from oracle.lockstep import EngineProcess, MismatchError, name_of, play_beside, settings
from oracle.perft import divide, perft, perft_by_positions, perft_step_by_step, play_at_random
from oracle.rules import Game, Orders, Phase, file_order, shuffled

pytestmark = pytest.mark.slow

YARDSTICKS = Path(__file__).parent / "yardsticks"


# ---- what holds in every game ----------------------------------------------------------------------------------------


def assert_conserved(game):
    everything = [game.supply, *game.purse]
    assert [sum(column) for column in zip(*everything, strict=True)] == [Game(game.players).supply[0]] * 5 + [5]
    assert all(n >= 0 for tokens in everything for n in tokens)
    places = [*game.decks, *game.market, *game.hand, *game.tableau]
    assert sorted(card.id for place in places for card in place if card) == sorted(CARDS)
    assert game.seen_by_all <= {card.id for hand in game.hand for card in hand}
    assert len(game.nobles) + sum(map(len, game.visited)) == game.players + 1
    for seat in range(game.players):
        assert len(game.hand[seat]) <= 3
        assert sum(game.purse[seat]) <= (10 if seat != game.seat or game.phase is Phase.ACT else 13)
        assert game.bonuses[seat] == [sum(c.bonus == gem for c in game.tableau[seat]) for gem in range(5)]
        assert game.prestige[seat] == sum(c.prestige for c in game.tableau[seat]) + 3 * len(game.visited[seat])
    for row, deck in zip(game.market, game.decks, strict=True):
        assert None not in row or not deck
    legal = game.legal()
    assert len(set(legal)) == len(legal)
    assert bool(legal) != game.over


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("tokenwise", [False, True])
def test_nothing_is_lost_and_every_decision_has_an_option(players, tokenwise):
    rng = Random(players)
    for first_seat in range(players):
        game = Game(players, shuffled(rng), first_seat=first_seat, tokenwise=tokenwise)
        while not game.over:
            assert_conserved(game)
            play_at_random(game, 1, rng)
        assert_conserved(game)
        assert max(game.prestige) >= 15 or len(game.seen_by_all) > 0


def whole_bag(text):
    """`give_back(tokens=2 ruby + 1 gold)` as counts of tokens."""
    inside = text.removeprefix("give_back(tokens=").removesuffix(")")
    return {kind: int(n) for n, kind in (part.split() for part in inside.split(" + "))}


def reached(game, depth):
    """The positions after so many decisions, with the number of sequences that lead to each."""
    if depth == 0:
        return Counter([game.position()])
    total = Counter()
    for text in game.legal():
        child = game.copy()
        child.apply(text)
        total += reached(child, depth - 1)
    return total


def test_tokens_given_back_one_by_one_or_at_once_reach_the_same_positions():
    rng = Random(5)
    compared = Counter()
    while min(compared[n] for n in (1, 2, 3)) < 10:
        game = Game(rng.choice((2, 3, 4)), shuffled(rng))
        while not game.over:
            if game.phase is Phase.GIVE_BACK:
                excess = sum(game.purse[game.seat]) - 10
                compared[excess] += 1
                one_by_one = game.copy()
                one_by_one.tokenwise, one_by_one._legal = True, None
                sequences = reached(one_by_one, excess)
                assert sequences.keys() == reached(game, 1).keys()
                # Every bag of n tokens can be given back in as many orders as its tokens can be lined up.
                bags = [whole_bag(text) for text in game.legal()]
                orders = [factorial(excess) // prod(map(factorial, b.values())) for b in bags]
                assert sorted(sequences.values()) == sorted(orders)
            play_at_random(game, 1, rng)


def test_a_copy_is_a_game_of_its_own():
    game = Game(3)
    before = game.position()
    twin = game.copy()
    play_at_random(twin, 40, Random(1))
    assert game.position() == before
    assert twin.position() != before


# ---- counting --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "counts"),
    [(2, (30, 865, 24_190)), (3, (30, 895, 26_380)), (4, (30, 900, 26_995))],
)
def test_perft_from_the_start_in_file_order(players, counts):
    game = Game(players, file_order())
    assert tuple(perft(game, depth) for depth in (1, 2, 3)) == counts
    assert sum(divide(game, 3).values()) == counts[2]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("tokenwise", [False, True])
@pytest.mark.parametrize("after", [0, 40, 60, 80])
def test_three_ways_to_count_agree(players, tokenwise, after):
    rng = Random(10 * players + after)
    game = Game(players, shuffled(rng), tokenwise=tokenwise)
    play_at_random(game, after, rng)
    depth = 2
    assert perft(game, depth) == perft_step_by_step(game, depth) == perft_by_positions(game, depth)


def test_coloured_tokens_first_is_a_part_of_all_payments():
    rng = Random(3)
    game = Game(2, shuffled(rng))
    fewer = 0
    for _ in range(5):
        while not game.over:
            strict = game.copy()
            strict.colours_first, strict._legal = True, None
            assert set(strict.legal()) <= set(game.legal())
            fewer += len(game.legal()) - len(strict.legal())
            play_at_random(game, 1, rng)
        game = Game(2, shuffled(rng))
    assert fewer > 0


# ---- beside the yardstick --------------------------------------------------------------------------------------------


def load_yardstick():
    """The program splendor.py, which imports its neighbour cards.py by a bare name."""
    modules = {}
    for name in ("cards", "splendor"):
        spec = importlib.util.spec_from_file_location(name, YARDSTICKS / f"{name}.py")
        modules[name] = importlib.util.module_from_spec(spec)
        outside = sys.modules.get("cards")
        sys.modules["cards"] = modules["cards"]
        try:
            spec.loader.exec_module(modules[name])
        finally:
            del sys.modules["cards"]
            if outside is not None:
                sys.modules["cards"] = outside
    return modules["splendor"]


yardstick = load_yardstick()
THEIR_CARD = {card.id: (card.level, card.bonus, card.prestige, card.cost) for card in CARDS.values()}
OUR_CARD = {theirs: card_id for card_id, theirs in THEIR_CARD.items()}
OUR_NOBLE = {noble.requires: noble.id for noble in NOBLES.values()}


def test_the_yardstick_has_the_same_cards_and_nobles():
    assert sorted(yardstick.CARDS) == sorted(OUR_CARD)
    assert sorted(yardstick.NOBLES) == sorted(OUR_NOBLE)


class Beside:
    """A game of the yardstick dealt like one of ours; its actions are written in our notation."""

    def __init__(self, players: int, orders: Orders) -> None:
        self.game = yardstick.Game(players, Random(0))
        self.game.decks = [[THEIR_CARD[card] for card in reversed(deck)] for deck in orders.decks]
        self.game.board = [[deck.pop() for _ in range(4)] for deck in self.game.decks]
        self.game.nobles = [NOBLES[noble].requires for noble in orders.nobles[: players + 1]]

    def legal(self):
        return {self.read(action): action for action in self.game.legal_actions()}

    def read(self, action):
        match action:
            case ("take", colours):
                return f"take_different(colours={' + '.join(GEMS[c] for c in colours)})"
            case ("take2", colour):
                return f"take_pair(colour={GEMS[colour]})"
            case ("buy", level, slot):
                return self.read_purchase(self.game.board[level][slot])
            case ("buy_reserved", i):
                return self.read_purchase(self.game.players[self.game.current].reserved[i])
            case ("reserve", level, slot):
                return f"reserve_face_up(card={OUR_CARD[self.game.board[level][slot]]})"
            case ("reserve_deck", level):
                return f"reserve_from_deck(level={level + 1})"
            case ("return", kind):
                return f"give_back(tokens=+{TOKENS[kind]})"
            case ("noble", requires):
                return f"receive_noble(noble={OUR_NOBLE[requires]})"
        return "pass"

    def read_purchase(self, card):
        """The purse before less the purse after tells what was paid."""
        player = self.game.players[self.game.current]
        saved = player.tokens[:], player.bonus[:], player.points, player.cards, self.game.bank[:]
        self.game.pay(player, card)
        paid = [before - after for before, after in zip(saved[0], player.tokens, strict=True)]
        player.tokens, player.bonus, player.points, player.cards, self.game.bank = saved
        written = " + ".join(f"{n} {kind}" for n, kind in zip(paid, TOKENS, strict=True) if n) or "nothing"
        return f"buy(card={OUR_CARD[card]}, payment={written})"


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("taste", list(lockstep.TASTES))
def test_the_yardstick_plays_the_same_game(players, taste):
    """Its noble comes after the give-back, and its game may end by passes in mid-round; else all is the same."""
    rng = Random(f"{players} {taste}")
    likes = lockstep.TASTES[taste]
    for _ in range(25):
        orders = shuffled(rng)
        game = Game(players, orders, tokenwise=True, colours_first=True)
        other = Beside(players, orders)
        visit = None  # the noble chosen with us, that the yardstick will ask for later
        decisions = 0
        while not game.over and not other.game.stalemate and decisions < 1000:
            decisions += 1
            assert game.seat == other.game.current
            ours, theirs = game.legal(), other.legal()
            if game.phase is Phase.NOBLE and other.game.phase == "return":
                visit = rng.choice(ours)
                game.apply(visit)
                continue
            assert sorted(ours) == sorted(theirs)
            assert len(theirs) == len(other.game.legal_actions())
            [choice] = rng.choices(ours, [likes.get(name_of(text), 1) for text in ours])
            if game.phase is Phase.GIVE_BACK and sum(game.purse[game.seat]) == 11 and visit:
                game.apply(choice)
                other.game.apply(theirs[choice])
                other.game.apply(other.legal()[visit])
                visit = None
                continue
            game.apply(choice)
            other.game.apply(theirs[choice])
        if game.over and not other.game.stalemate:
            assert other.game.over
            assert game.prestige == [player.points for player in other.game.players]
            assert game.winners() == other.game.winners()
        assert not other.game.over or other.game.stalemate or game.over


def statistics(players, games, rng):
    """Decisions, turns and mean legal actions of uniformly random games, a triple a game."""
    samples = []
    for _ in range(games):
        game = Game(players, shuffled(rng), tokenwise=True, colours_first=True)
        decisions = turns = options_seen = 0
        while not game.over:
            actions = game.actions()
            decisions += 1
            turns += game.phase is Phase.ACT
            options_seen += len(actions)
            game.play(rng.choice(actions))
        samples.append((decisions, turns, options_seen / decisions))
    return samples


def yardstick_statistics(players, games, rng):
    return [
        (decisions, turns, legal / decisions)
        for decisions, turns, legal in (yardstick.playout(players, rng) for _ in range(games))
    ]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_play_has_the_yardsticks_means(players):
    """Decisions and turns a game and legal actions a decision differ by less than four standard errors."""
    games = 150
    ours = statistics(players, games, Random(11))
    theirs = yardstick_statistics(players, games, Random(12))
    for our, their in zip(zip(*ours, strict=True), zip(*theirs, strict=True), strict=True):
        error = sqrt((variance(our) + variance(their)) / games)
        assert abs(fmean(our) - fmean(their)) < 4 * error


# ---- the driver that plays an engine beside the rules ----------------------------------------------------------------


class OwnEngine:
    """The rules themselves in the part of an engine, with a mistake built in on demand."""

    def __init__(self, mistake=None):
        self.mistake = mistake

    def new(self, setting, orders):
        self.game = Game(
            setting.players,
            orders,
            first_seat=setting.first_seat,
            tokenwise=setting.tokenwise,
            colours_first=setting.colours_first,
        )

    def decides(self):
        return 0 if self.mistake == "seat" else self.game.decides()

    def legal(self):
        legal = self.game.legal()[::-1]
        if self.mistake == "missing":
            return [text for text in legal if "gold" not in text]
        return legal + legal[:1] if self.mistake == "twice" else legal

    def apply(self, text):
        self.game.apply(text)

    def result(self):
        places = self.game.places()
        return (places[::-1] if self.mistake == "result" else places), self.game.winners()


@pytest.mark.parametrize("tokenwise", [False, True])
def test_lockstep_finds_no_difference_where_there_is_none(tokenwise):
    met = Counter()
    for setting in settings(8, (2, 3, 4), 1, tokenwise=tokenwise):
        met += play_beside(OwnEngine(), setting).met
    usual = {"take_different", "take_pair", "reserve_face_up", "reserve_from_deck", "buy", "give_back"}
    assert usual <= met.keys()


@pytest.mark.parametrize("mistake", ["seat", "missing", "twice", "result"])
def test_lockstep_finds_a_mistake(mistake):
    [setting] = settings(1, (2,), 1)
    with pytest.raises(MismatchError, match=r"after \d+ decisions"):
        play_beside(OwnEngine(mistake), setting)


ECHO = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    answers = {"legal": {"decides": 1, "actions": ["pass"]}, "result": {"over": True, "places": [1], "winners": [0]}}
    print(json.dumps(answers.get(request["do"], {})), flush=True)
"""


def test_an_engine_process_is_asked_line_by_line():
    with EngineProcess([sys.executable, "-c", ECHO]) as engine:
        [setting] = settings(1, (2,), 1)
        engine.new(setting, file_order())
        assert engine.decides() == 1
        assert engine.legal() == ["pass"]
        engine.apply("pass")
        assert engine.result() == ([1], [0])


def test_every_taste_and_every_first_seat_comes_in_its_turn():
    seen = {(s.players, s.first_seat, s.taste) for s in settings(16, (2, 3, 4), 1)}
    assert len(seen) == (2 + 3 + 4) * len(lockstep.TASTES)


def test_gold_stands_last_in_a_bag():
    assert TOKENS[GOLD] == "gold"
    assert TOKENS[:GOLD] == GEMS

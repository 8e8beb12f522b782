"""Bots choose by what their seat knows, each from its own stream of the seed, and only what is legal."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path

import pytest

from games.playing import GAMES, counts, evaluate, fewer_samples, hides
from games.playing import engine as small
from positions import Table, engine_of
from random_play import random_positions
from rulewright.bots.aimless import RandomBot
from rulewright.bots.bot_specs import BUILTIN_BOTS, BotSpec, BotSpecError, make_bot, parse_bot_spec, resolve_bot_spec
from rulewright.bots.imagined_positions import EnginePositions
from rulewright.bots.player_view import PlayerView
from rulewright.bots.position_evaluator import WIN_VALUE, PositionEvaluator
from rulewright.bots.search import SearchBot
from rulewright.engine.determinize import determinize
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import Action, Decision, State
from rulewright.model.assessments import RESERVED_STRATEGIES
from rulewright.model.loader import load_rules
from rulewright.session.match import Match
from rulewright.simulation.simulations import play_game

pytestmark = pytest.mark.slow

QUICK = ("random", "greedy", "heuristic", "search:3")  # every bot, with settings that do not take long

NOUGHTS = """
game: noughts
version: 1.0.0
language: 2
text: Noughts
players: 2
kinds:
  cell: {grid: 3 by 3}
  row: {lines_of: cell, length: 3}
zones:
  marks: {holds: player, per: player, seen_by: all, start: 5 of player}
  board: {holds: player, per: cell, seen_by: all, at_most: 1}
actions:
  mark:
    choose: {cell: {one_of: cell}}
    when: {free: board(cell) is empty}
    do: [mark: {move: 1 of me, from: marks(me), to: board(cell)}]
turn:
  - mark: {must: [mark]}
  - three: {when: "some row has board(row, me) is 3", end_game: now, winners: me}
  - full: {when: no cell has board(cell) is empty, end_game: now}
round:
  - turns: {for_each: player, turn: player}
"""

# one takes chips, one or three at a time; the advice changes when one has three
CHIPS = """
game: chips
version: 1.0.0
language: 2
text: Chips
players: 2
kinds: {chip: [white]}
zones:
  bank: {holds: chip, seen_by: all, start: 20 of chip}
  mine: {holds: chip, per: player, seen_by: all}
actions:
  one: {do: [take: {move: 1 of white, from: bank, to: mine(me)}]}
  three: {do: [take: {move: 3 of white, from: bank, to: mine(me)}]}
turn:
  - take: {must: [one, three]}
  - end: {when: count(bank) < 6, end_game: now}
round:
  - turns: {for_each: player, turn: player}
strategies:
  turning:
    terms:
      more: {when: count(mine(player)) < 3, weight: 1, is: count(mine(player))}
      less: {when: count(mine(player)) >= 3, weight: -1, is: count(mine(player))}
"""

# both choose in secret at the same time; nothing of it shows before the second has chosen
GRAB = """
game: grab
version: 1.0.0
language: 2
text: Grab
players: 2
kinds: {chip: [white]}
zones:
  bank: {holds: chip, seen_by: all, start: 20 of chip}
  mine: {holds: chip, per: player, seen_by: all}
actions:
  one: {do: [take: {move: 1 of white, from: bank, to: mine(me)}]}
  two: {do: [take: {move: 2 of white, from: bank, to: mine(me)}]}
  three: {do: [take: {move: 3 of white, from: bank, to: mine(me)}]}
round:
  - grab: {together: [one, three, two]}
  - end: {when: round_number is 2, end_game: now}
evaluation:
  chips: {weight: 1, is: count(mine(player))}
"""


@pytest.fixture(scope="module")
def engine() -> ReferenceEngine:
    return shipped()


@cache
def shipped(*variants: str) -> ReferenceEngine:
    return ReferenceEngine(load_rules(players=2, variants=variants))


def every_bot(engine: ReferenceEngine) -> Iterator[str]:
    """A name of every bot that there is for a game."""
    yield from QUICK
    for strategy in engine.rules.strategies:
        yield from (strategy.name, f"heuristic:{strategy.name}", f"search:2:{strategy.name}")


def written(text: str, folder: Path) -> ReferenceEngine:
    path = folder / "game.yaml"
    path.write_text(text, encoding="utf-8")
    return ReferenceEngine(load_rules(str(path)))


def choice_of(engine: ReferenceEngine, state: State, name: str, seed: int) -> Action:
    """What a bot that has just sat down does in a position."""
    assert isinstance(state.waiting, Decision)
    seat = state.waiting.seat
    return make_bot(name, engine.rules, seed, seat).choose(PlayerView(engine, state, seat, engine.legal(state)))


# ---- names ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("random", BotSpec("random")),
        ("avoid:buy", BotSpec("avoid", action="buy")),
        ("greedy", BotSpec("greedy")),
        ("heuristic:guide", BotSpec("heuristic", strategy="guide")),
        ("search", BotSpec("search")),
        ("search:200", BotSpec("search", playouts=200)),
        ("search:500ms", BotSpec("search", milliseconds=500)),
        ("search:50:guide", BotSpec("search", playouts=50, strategy="guide")),
        ("search:guide:50ms", BotSpec("search", milliseconds=50, strategy="guide")),
        ("guide", BotSpec("greedy", strategy="guide")),
    ],
)
def test_a_name_asks_for_a_bot(engine: ReferenceEngine, text: str, meant: BotSpec) -> None:
    assert resolve_bot_spec(text, engine.rules) == meant


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("serch", "this game has no bot `serch` (did you mean `search`?)"),
        ("guidance", "available: random, avoid, greedy, heuristic, search; strategies of this game: guide"),
        ("greedy:gide", "this game has no strategy `gide` (did you mean `guide`?); available: guide"),
        ("Search", "there is no bot `Search`"),
        ("", "there is no bot ``"),
        ("random:5", "unexpected `5` for `random`, expected no settings"),
        ("avoid", "`avoid` needs the action that it avoids, such as avoid:take_different"),
        ("avoid:by", "this game has no action `by` (did you mean `buy`?)"),
        ("avoid:buy:pass", "unexpected `pass` for `avoid`, expected the name of an action"),
        ("greedy:5", "unexpected `5` for `greedy`, expected the name of a strategy"),
        ("guide:5", "unexpected `5` for `guide`, expected no settings"),
        ("search:0", "unexpected `0` for `search`, expected a number from 1 to 1000000"),
        ("search:5000000ms", "unexpected `5000000ms` for `search`, expected a number from 1 to 1000000"),
        ("search:1.5", "unexpected `1.5` for `search`, expected playouts (search:200) or milliseconds (search:500ms)"),
        ("search:5s", "unexpected `5s` for `search`"),
        ("search:5:6", "unexpected `6` for `search`"),
        ("search:", "unexpected `` for `search`"),
    ],
)
def test_a_wrong_name_is_reported(engine: ReferenceEngine, text: str, message: str) -> None:
    with pytest.raises(BotSpecError) as wrong:
        resolve_bot_spec(text, engine.rules)
    assert message in str(wrong.value)


def test_no_strategy_can_be_called_like_a_bot() -> None:
    assert {*BUILTIN_BOTS, "human"} == RESERVED_STRATEGIES
    assert all(parse_bot_spec(name).name == name for name in BUILTIN_BOTS)


# ---- what a bot may know and do -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*every_bot(shipped())])
def test_a_seed_gives_the_same_game(engine: ReferenceEngine, name: str) -> None:
    def game(seed: int) -> object:
        return play_game(engine, [make_bot(name, engine.rules, seed, seat) for seat in (0, 1)], seed, cap=6)

    assert game(3) == game(3)
    assert game(3) != game(4)


def test_a_bot_is_not_given_the_position() -> None:
    given = {"engine", "determinize", "is_choosing_in_secret", "legal", "positions", "seat"}
    assert {name for name in dir(PlayerView) if not name.startswith("_")} == given


def spots(engine: ReferenceEngine, games: int, apart: int, most: int) -> Iterator[State]:
    """Positions of random games in which there is something to choose, some decisions apart."""
    for seed in range(games):
        rng, state = random.Random(seed), engine.start(seed=seed)
        for made_so_far in range(most):
            if state.over:
                break
            actions = engine.legal(state)
            if len(actions) > 1 and made_so_far % apart == 0:
                yield state
            state = engine.apply_legal(state, rng.choice(actions))


LONG = ("wrack-line", "splendor-duel", "whist")  # of which decisions farther apart are taken
SECRET = [
    pytest.param(partial(shipped, "hidden-hands"), 12, id="hidden-hands"),
    pytest.param(shipped, 12, id="shipped"),
    *[
        pytest.param(partial(small, game, counts(game)[-1]), 20 if game in LONG else 5, id=game)
        for game in GAMES
        if hides(game)
    ],
]


@pytest.mark.parametrize(("engine_of", "apart"), SECRET)
def test_no_move_depends_on_what_is_hidden(engine_of: Callable[[], ReferenceEngine], apart: int) -> None:
    of = engine_of()
    for number, state in enumerate(spots(of, 2, apart, 40)):
        assert isinstance(state.waiting, Decision)
        seat = state.waiting.seat
        worlds = [determinize(of, state, seat, seed) for seed in (number, number + 100)]
        same = [world for world in worlds if of.legal(world) == of.legal(state)]
        for name in every_bot(of):
            assert {choice_of(of, world, name, number) for world in same} <= {choice_of(of, state, name, number)}, name


def test_the_test_above_has_something_to_hide() -> None:
    of = shipped("hidden-hands")
    different = [
        state
        for state in spots(of, 2, 12, 40)
        if determinize(of, state, state.waiting.seat, 0).contents != state.contents
    ]
    assert different


@pytest.mark.parametrize("game", GAMES)
def test_a_bot_does_only_what_is_legal_and_changes_no_chance(game: str) -> None:
    of = small(game, counts(game)[-1])
    for name in every_bot(of):
        bots = [make_bot(name, of.rules, 5, seat) for seat in range(of.rules.players)]
        state = again = of.start(seed=5)
        done: list[Action] = []
        while isinstance(state.waiting, Decision) and len(done) < fewer_samples(game, 8):
            seat, actions = state.waiting.seat, of.legal(state)
            action = bots[seat].choose(PlayerView(of, state, seat, actions))
            assert action in actions, name
            state = of.apply_legal(state, action)
            done.append(action)
        for action in done:
            again = of.apply(again, action)
        assert again == state


def test_bots_do_not_share_a_stream(engine: ReferenceEngine) -> None:
    state = engine.start(seed=1)
    actions = engine.legal(state)
    choices = [
        [RandomBot(9, seat).choose(PlayerView(engine, state, seat, actions)) for seat in range(6)],
        [RandomBot(seed, 0).choose(PlayerView(engine, state, 0, actions)) for seed in range(6)],
    ]
    assert all(len(set(row)) > 1 for row in choices)


# ---- budgets --------------------------------------------------------------------------------------------------


class Watched(PlayerView):
    """Counts how many positions are imagined."""

    count = 0

    def determinize(self, rng: int) -> State:
        self.count += 1
        return super().determinize(rng)


class Clock:
    """Each look at it takes a while."""

    def __init__(self, tick: float) -> None:
        self.now, self.tick = 1000.0, tick

    def __call__(self) -> float:
        self.now += self.tick
        return self.now


def watched(engine: ReferenceEngine) -> Watched:
    state = engine.start(seed=1)
    return Watched(engine, state, 0, engine.legal(state))


@pytest.mark.parametrize("playouts", [1, 2, 7])
def test_a_search_has_as_many_playouts_as_were_asked_for(engine: ReferenceEngine, playouts: int) -> None:
    seated = watched(engine)
    assert SearchBot(1, 0, playouts).choose(seated) in seated.legal()
    assert seated.count == playouts


@pytest.mark.parametrize(("milliseconds", "playouts"), [(500, 4), (300, 2), (900, 8)])
def test_a_search_stops_in_time(engine: ReferenceEngine, milliseconds: int, playouts: int) -> None:
    seated, clock = watched(engine), Clock(0.1)
    assert SearchBot(1, 0, milliseconds=milliseconds, clock=clock).choose(seated) in seated.legal()
    assert seated.count == playouts
    assert clock.now <= 1000.0 + milliseconds / 1000 + 2 * clock.tick  # one look to begin, one that says stop


def test_a_search_without_time_does_what_looks_best(engine: ReferenceEngine) -> None:
    seated = watched(engine)
    assert SearchBot(1, 0, milliseconds=1, clock=Clock(5)).choose(seated) == choice_of(
        engine, engine.start(seed=1), "greedy", 1
    )


# ---- how well they play ---------------------------------------------------------------------------------------


def test_careful_bots_beat_careless_ones(engine: ReferenceEngine) -> None:
    for name in ("greedy", "guide"):
        for seed in (1, 2, 3):
            bots = [make_bot(name, engine.rules, seed, 0), RandomBot(seed, 1)]
            assert play_game(engine, bots, seed).winners == (0,)


@pytest.mark.parametrize("name", ["greedy", "heuristic", "search:12"])
@pytest.mark.parametrize("seat", [0, 2])
def test_a_careful_bot_beats_careless_ones_where_all_choose_in_secret(name: str, seat: int) -> None:
    """Also from the seat that is asked first: it sees what may come of its choice when all have chosen."""
    of = small("lowest", 3)
    for seed in range(4):
        bots = [make_bot(name if mine == seat else "random", of.rules, seed, mine) for mine in range(3)]
        assert play_game(of, bots, seed).winners == (seat,)


@pytest.mark.parametrize("name", QUICK)
def test_no_choice_depends_on_what_another_has_chosen_in_secret(name: str) -> None:
    of = small("lowest", 3)
    begun = of.start(seed=1)
    chosen = {choice_of(of, of.apply(begun, action), name, 1) for action in of.legal(begun)}
    assert len(chosen) == 1


def marked(engine: ReferenceEngine, *cells: str) -> Match:
    match = Match(engine, engine.start(seed=1))
    for cell in cells:
        match.act(match.notation.parse_action(f"mark(cell={cell})"))
    return match


@pytest.mark.parametrize("name", ["greedy", "heuristic", "search:60"])
def test_a_careful_bot_completes_its_line(tmp_path: Path, name: str) -> None:
    engine = written(NOUGHTS, tmp_path)
    match = marked(engine, "a1", "a2", "b1", "b2")
    assert match.notation.format_action(choice_of(engine, match.state, name, 1)) == "mark(cell=c1)"


@pytest.mark.parametrize("name", ["heuristic", "search:60"])
def test_a_bot_that_looks_ahead_blocks_the_others_line(tmp_path: Path, name: str) -> None:
    engine = written(NOUGHTS, tmp_path)
    match = marked(engine, "a1", "b2", "b1")
    assert match.notation.format_action(choice_of(engine, match.state, name, 1)) == "mark(cell=c1)"


def test_a_search_sees_two_lines_at_once(tmp_path: Path) -> None:
    """In the corner and the middle against a side: only some cells make two threats, which no single reply meets."""
    engine = written(NOUGHTS, tmp_path)
    match = marked(engine, "a1", "b1", "b2", "c3")
    assert match.notation.format_action(choice_of(engine, match.state, "search:400", 1)) in (
        "mark(cell=a2)",
        "mark(cell=a3)",
    )


# ---- advice ---------------------------------------------------------------------------------------------------


def test_advice_is_for_the_moment_of_choosing(tmp_path: Path) -> None:
    """Three chips end the time in which more is better; to go there is not held against it."""
    engine = written(CHIPS, tmp_path)
    state, done = engine.start(seed=1), []
    while len(done) < 6:
        action = choice_of(engine, state, "turning", 1)
        done.append(engine.rules.actions[action.number].name)
        state = engine.apply(state, action)
    assert done == ["three", "three", "one", "one", "one", "one"]


@pytest.mark.parametrize("game", GAMES)
def test_what_a_judge_remembers_is_what_the_evaluation_says(game: str) -> None:
    remembered(small(game, counts(game)[-1]), 60)


@pytest.mark.parametrize("players", [2, 4])
def test_what_a_judge_remembers_is_so_in_the_shipped_game(players: int) -> None:
    remembered(ReferenceEngine(load_rules(players=players)), 200)


def remembered(of: ReferenceEngine, decisions: int) -> None:
    for strategy in (None, *[one.name for one in of.rules.strategies]):
        rng, state = random.Random(3), of.start(seed=3)
        positions = EnginePositions(of, partial(determinize, of, state, 0))
        judge = PositionEvaluator(positions, state, strategy)
        terms = [of.terms(state, seat, strategy) for seat in range(of.rules.players)]
        for position in random_positions(of, state, rng, decisions):
            if position.over:
                break
            for seat in range(of.rules.players):
                gone = seat in of.eliminated(
                    position
                )  # who has left has as good as lost, whatever it is said to be worth
                for _ in range(2):
                    assert judge.evaluate(position, seat) == (
                        -WIN_VALUE // 2 if gone else evaluate(of, position, seat, terms[seat])
                    )


@pytest.mark.parametrize("name", ["greedy", "heuristic"])
def test_a_secret_choice_is_judged_by_what_comes_of_it(name: str, tmp_path: Path) -> None:
    """By whoever chooses first too, who sees nothing change by choosing."""
    of = written(GRAB, tmp_path)
    state = of.start(seed=1)
    for seat in (0, 1):
        assert isinstance(state.waiting, Decision)
        assert state.waiting.seat == seat
        done = {choice_of(of, state, name, seed).number for seed in range(6)}
        assert [of.rules.actions[number].name for number in done] == ["three"]
        state = of.apply(state, Action(done.pop(), ()))


def test_what_a_bot_imagines_is_played_like_everything_else_but_without_invariants() -> None:
    engine, rng = engine_of(Table("splendor", 2)), random.Random(1)
    assert engine.interpreter.invariants["turn"]
    assert not any(engine.imagined.interpreter.invariants.values())
    state = engine.start(seed=1)
    for _ in range(30):
        action = rng.choice(engine.legal(state))
        after = engine.apply_legal(state, action)
        assert engine.imagined.apply_legal(state, action) == after
        state = after

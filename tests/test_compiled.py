"""A compiled program plays the games that the reference engine plays: actions, positions, views, results, faults."""

from __future__ import annotations

from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from positions import Table, all_tables, piecewise_choices, rules
from rulewright import limits
from rulewright.engine import chance
from rulewright.engine.compiled.compiler import CompiledProgram, compile_program
from rulewright.engine.compiled.playing.compiled_game import CompiledGame
from rulewright.engine.compiled.playing.machine_support import can_make_machine_code
from rulewright.engine.compiled.playing.native_game import NativeGame
from rulewright.engine.compiled.playing.native_program import NativeProgram
from rulewright.engine.compiled.playing.python_game import PythonGame
from rulewright.engine.compiled.playing.python_program import PythonProgram
from rulewright.engine.engine_names import ENGINE_NAMES
from rulewright.engine.faults import RuleFault
from rulewright.engine.interface import NotWaitingError
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import Decision
from rulewright.engine.values import Pile
from rulewright.lockstep.lockstep_games import (
    CHANCE_SOURCES,
    ChanceSource,
    Engines,
    RulesComparison,
    compare_engines,
)
from rulewright.lockstep.lockstep_player import PLAYERS
from rulewright.model.loader import load_rules
from rulewright.model.locate import available_games
from rulewright.model.rules import Rules

ENGINES = [(name, PLAYERS[name]) for name in ENGINE_NAMES if name in PLAYERS]
SHIPPED = [table for table in all_tables() if table.game in available_games()]
OTHERS = [table for table in all_tables() if table not in SHIPPED]
SAMPLE = 11  # of all tables every eleventh, where each number of players is met, whole and piece by piece
CHANCE_SAMPLE = 13
OPTIMISED_SAMPLE = 13
QUICK = [table for table in SHIPPED if not table.variants and not table.piecewise]


@cache
def program_of(game: str, players: int) -> CompiledProgram:
    return compile_program(rules(game, players))


def compared(
    table: Table, seed: int, decisions: int, chance_source: ChanceSource | None = None, engines: Engines = ENGINES
) -> RulesComparison:
    model = rules(table.game, table.players, table.variants)
    tokenwise = piecewise_choices(model) if table.piecewise else ()
    return compare_engines(
        model, engines, seed=seed, decisions=decisions, tokenwise=tokenwise, chance_source=chance_source
    )


def name_of(table: Table) -> str:
    return "-".join([table.game.rpartition("/")[2], str(table.players), *table.variants, *["pieces"] * table.piecewise])


@pytest.mark.parametrize("table", QUICK, ids=name_of)
def test_a_shipped_game_is_the_same_game(table: Table) -> None:
    result = compared(table, seed=1, decisions=40)
    assert (result.finding, result.faults) == (None, 0)
    assert result.decisions >= 40


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.usefixtures("plain_machine_code")
@pytest.mark.parametrize("table", all_tables()[::SAMPLE], ids=name_of)
def test_a_sample_of_all_tables_plays_the_same_game(table: Table) -> None:
    result = compared(table, seed=7, decisions=60)
    assert (result.finding, result.faults) == (None, 0)


@pytest.mark.slow
@pytest.mark.parametrize("table", OTHERS[::OPTIMISED_SAMPLE], ids=name_of)
def test_machine_code_of_small_games_is_the_same_with_optimisations(table: Table) -> None:
    result = compared(table, seed=3, decisions=60)
    assert (result.finding, result.faults) == (None, 0)


# ---- chance from outside ---------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("plain_machine_code")
@pytest.mark.parametrize("source", ["outside", "orders"])
@pytest.mark.parametrize("table", QUICK, ids=name_of)
def test_chance_from_outside_is_asked_for_alike(table: Table, source: ChanceSource) -> None:
    result = compared(table, seed=1, decisions=25, chance_source=source)
    assert (result.finding, result.faults, result.refusal) == (None, 0, "")


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.usefixtures("plain_machine_code")
@pytest.mark.parametrize("table", all_tables()[::CHANCE_SAMPLE], ids=name_of)
def test_a_sample_of_all_tables_asks_for_chance_alike(table: Table) -> None:
    source: ChanceSource = "orders" if all_tables().index(table) // CHANCE_SAMPLE % 2 else "outside"
    result = compared(table, seed=5, decisions=30, chance_source=source)
    assert (result.finding, result.faults, result.refusal) == (None, 0, "")


def test_a_game_waits_for_chance_and_takes_only_what_it_names() -> None:
    game = PythonGame(PythonProgram(program_of("kuhn-poker", 2)))
    game.start()
    assert game.event is not None
    assert (game.legal(), game.waiting()) == ((), game.event)
    with pytest.raises(ValueError, match="99 is not an outcome of the pending chance event"):
        game.resolve_chance(99)
    while game.event is not None:
        game.resolve_chance(game.event.outcomes[-1][0])
    assert isinstance(game.waiting(), Decision)
    with pytest.raises(NotWaitingError, match="no chance event is pending"):
        game.resolve_chance(0)


def test_orders_of_piles_are_taken_by_programs_made_for_them() -> None:
    model = rules("splendor", 2)
    deck = model.zones["deck"].first_index
    rows = [*range(40)]
    with pytest.raises(ValueError, match="this program takes no orders of piles"):
        PythonGame(PythonProgram(program_of("splendor", 2))).start(seed=1, orders={deck: rows})
    game = PythonGame(PythonProgram(compile_program(model, takes_orders=True)))
    with pytest.raises(ValueError, match="an order of deck must name each thing of a shuffled place once"):
        game.start(seed=1, orders={deck: rows[1:]})
    with pytest.raises(ValueError, match="an order of market must name each thing"):
        game.start(seed=1, orders={model.zones["market"].first_index: []})
    game.start(seed=1, orders={deck: rows[::-1]})
    content = game.contents()[deck]
    assert content == Pile((), tuple(rows[35::-1]), (), fixed=True)
    engine = ReferenceEngine(model)
    assert content == engine.start(seed=1, orders={deck: rows[::-1]}).contents[deck]


STACKED = """game: stacked
version: 1.0.0
language: 2
text: Stacked
players: 2
kinds: {size: 1 to 6}
components: {card: {fields: {size: size}, start: deck, rows: [{id: "c{size}", for_each: [size]}]}}
zones:
  deck: {holds: card, order: shuffled, seen_by: nobody}
  line: {holds: card, order: arrival, seen_by: all}
actions:
  turn_over: {do: [over: {move: top 1, from: deck, to: line}]}
turn:
  - act: {must: [turn_over]}
  - back: {when: count(line) is 3, move: all, from: line, to: top of deck}
  - out: {when: round_number is 3, move: all, from: deck, to: line}
  - end: {when: deck is empty, end_game: now}
round: [turns: {for_each: player, turn: player}]
"""


@pytest.mark.parametrize("source", CHANCE_SOURCES)
def test_a_whole_pile_moves_from_top_to_bottom(tmp_path: Path, source: ChanceSource) -> None:
    path = tmp_path / "stacked.yaml"
    path.write_text(STACKED, encoding="utf-8")
    model = load_rules(str(path), players=2)
    result = compare_engines(model, ENGINES, seed=1, games=4, chance_source=source)
    assert (result.finding, result.faults, result.refusal) == (None, 0, "")


@pytest.mark.parametrize("state", [0, 1, chance.seed_rng(7), chance.UINT64_MASK])
def test_numbers_made_together_are_those_drawn_one_by_one(state: int) -> None:
    numbers, drawn = list(islice(chance.random_numbers(state), 200)), []
    for _ in numbers:
        state, number = chance.rand_below(state, 1 << 64)
        drawn.append(number)
    assert numbers == drawn
    assert len(set(numbers)) == len(numbers)


# ---- programs --------------------------------------------------------------------------------------------------------


def test_generated_python_keeps_lists_and_drops_them_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    program = program_of("splendor", 2)
    keeping = PythonProgram(program)
    decisions = PythonGame(keeping).play_many(1, 5)
    kept = keeping.functions["WAYS_TURN_ACT"]
    assert kept == {numbers: keeping.functions["ways_turn_act"](*numbers) for numbers in kept}
    monkeypatch.setattr(limits, "MAX_REMEMBERED_WORDS", 12)
    dropping = PythonProgram(program)
    assert PythonGame(dropping).play_many(1, 5) == decisions
    assert 0 < len(dropping.functions["WAYS_TURN_ACT"]) < len(kept)


def test_the_same_rules_are_the_same_program() -> None:
    for game in available_games():
        players = next(table.players for table in QUICK if table.game == game)
        model = rules(game, players)
        assert compile_program(model).to_python() == compile_program(model).to_python()


def test_the_program_names_the_rules_that_it_carries_out() -> None:
    text = program_of("splendor", 2).to_python()
    for address in ("actions.buy.do.pay", "turn.give_back", "invariants.token_limit", "zones.market"):
        assert f"# {address}" in text or f': {address}."""' in text


FAULTY = """game: chips
version: 1.0.0
language: 2
text: Chips
players: 2
kinds: {{colour: [red, blue]}}
zones:
  bank: {{holds: colour, seen_by: all, start: 3 of colour}}
  bowl: {{holds: colour, seen_by: all, per: player, at_most: 2}}
state: {{level: {{type: 0 to 3, start: 0, text: Level}}}}
actions:
  take:
    choose: {{colour: {{one_of: each colour where bank(colour) > 0}}}}
    do: [take: {{move: 1 of colour, from: bank, to: bowl(me)}}]
turn: [{turn}, end: {{when: count(bank) is 0, end_game: now}}]
round: [turns: {{for_each: player, turn: player}}]
invariants: {{whole: {{after: turn, is: {holds}}}}}
"""


def games_of(program: CompiledProgram) -> list[CompiledGame]:
    """A game in each sort of compiled program."""
    native = [NativeGame(NativeProgram(program))] if can_make_machine_code() else []
    return [PythonGame(PythonProgram(program)), *native]


def play_first_options(game: CompiledGame) -> None:
    game.start(seed=1)
    while not game.is_over:
        game.act(0)


def play_first_actions(engine: ReferenceEngine) -> None:
    state = engine.start(seed=1)
    while not state.over:
        state = engine.apply_legal(state, engine.legal(state)[0])


@pytest.mark.parametrize(
    ("turn", "holds", "address"),
    [
        ("take: {must: [take]}", "players is 2", "actions.take.do.take"),
        ("more: {move: 4 of red, from: bank, to: bowl(me)}", "players is 2", "turn.more"),
        ("up: {set: level, to: level + 2}", "players is 2", "turn.up"),
        ("must: {when: round_number > 2, must: [take]}, at: {set: level, to: 1}", "level < 1", "invariants.whole"),
        ("none: {move: all, from: bank, to: bowl(me)}", "players is 2", "turn.none"),
    ],
)
def test_a_fault_has_the_address_of_its_rule(tmp_path: Path, turn: str, holds: str, address: str) -> None:
    path = tmp_path / "chips.yaml"
    path.write_text(FAULTY.format(turn=turn, holds=holds), encoding="utf-8")
    model = load_rules(str(path), players=2)
    program = compile_program(model)
    for game in games_of(program):
        with pytest.raises(RuleFault) as fault:
            play_first_options(game)
        assert fault.value.address == address
        with pytest.raises(RuleFault) as exact:
            play_first_actions(ReferenceEngine(model))
        assert str(fault.value) == str(exact.value)  # with the values of the moment
    result = compare_engines(model, ENGINES, seed=1, games=1)
    assert (result.finding, result.faults) == (None, 1)


def test_rules_that_fail_before_a_game_begins_fail_alike(tmp_path: Path) -> None:
    path = tmp_path / "chips.yaml"
    text = FAULTY.format(turn="take: {must: [take]}", holds="players is 2")
    path.write_text(text.replace("at_most: 2", "at_most: 2, start: 3 of colour"), encoding="utf-8")
    result = compare_engines(load_rules(str(path), players=2), ENGINES, seed=1, games=1)
    assert (result.finding, result.faults, result.decisions) == (None, 1, 0)


GRANTS = """game: grants
version: 1.0.0
language: 2
text: Turns that are granted, and rounds in which nobody is asked
players: 2
state: {{stopped: {{type: flag, start: false, text: Stopped}}}}
actions:
  stop: {{do: [stop: {{set: stopped, to: true}}, more: {{times: {granted}, extra_turn: me}}]}}
turn: [ask: {{when: not stopped, must: [stop]}}]
round: [turns: {{for_each: player, turn: player}}, end: {{when: {end}, end_game: now}}]
"""


def grants(tmp_path: Path, granted: int, end: str) -> Rules:
    path = tmp_path / "grants.yaml"
    path.write_text(GRANTS.format(granted=granted, end=end), encoding="utf-8")
    return load_rules(str(path), players=2)


@pytest.mark.parametrize(
    ("granted", "end", "fault"),
    [
        (0, "round_number > 400", ""),  # long, but it comes to an end
        (200, "round_number > 1", ""),
        (0, "round_number > 100000", "more than 10,000 steps"),
        (256, "round_number > 1", ""),
        (257, "round_number > 1", "grants a turn while 256 others wait"),
        (4000, "round_number > 1", "grants a turn while 256 others wait"),
    ],
)
def test_what_goes_on_without_end_fails_alike(tmp_path: Path, granted: int, end: str, fault: str) -> None:
    model = grants(tmp_path, granted, end)
    result = compare_engines(model, ENGINES, seed=1, games=1)
    assert (result.finding, result.faults) == (None, bool(fault))
    game = PythonGame(PythonProgram(compile_program(model)))
    if fault:
        with pytest.raises(RuleFault, match=fault):
            play_first_options(game)
    else:
        play_first_options(game)


DEPTHS = """game: depths
version: 1.0.0
language: 2
text: Actions within themselves
players: 2
kinds: {{colour: [red, blue]}}
state: {{depth: {{type: 0 to 100000, start: 0, text: Depth}}}}
actions:
  dig:
    choose: {{shade: {{one_of: each colour}}}}
    do:
      - down: {{set: depth, to: depth + 1}}
      - more: {{for_each: colour, when: depth < {depth}, must: [dig]}}
turn: [ask: {{must: [dig]}}]
round: [turns: {{for_each: player, turn: player}}, end: {{end_game: now}}]
"""


@pytest.mark.parametrize("depth", [40, 1_500])
def test_a_game_has_room_for_steps_within_themselves(tmp_path: Path, depth: int) -> None:
    path = tmp_path / "depths.yaml"
    path.write_text(DEPTHS.format(depth=depth), encoding="utf-8")
    for game in games_of(compile_program(load_rules(str(path), players=2))):
        play_first_options(game)
        assert game.variables()[0] >= depth


ODD_RULES = sorted((Path(__file__).parent / "odd_rules").glob("*.yaml"))


@pytest.mark.slow
@pytest.mark.usefixtures("plain_machine_code")
@pytest.mark.parametrize("path", ODD_RULES, ids=lambda path: path.stem)
def test_odd_rules_are_played_alike(path: Path) -> None:
    model = load_rules(str(path))
    for tokenwise in dict.fromkeys([(), tuple(piecewise_choices(model))]):
        result = compare_engines(model, ENGINES, seed=5, decisions=60, tokenwise=tokenwise)
        assert result.finding is None


@pytest.mark.parametrize("seed", [-1, 1 << 64])
@pytest.mark.parametrize("engine", range(len(ENGINES) - 1))
def test_a_seed_that_cannot_be_is_refused(engine: int, seed: int) -> None:
    game = games_of(program_of("nim", 2))[engine]
    with pytest.raises(ValueError, match="seed"):
        game.start(seed=seed)


def test_a_seat_that_is_not_there_is_refused() -> None:
    for game in games_of(program_of("nim", 2)):
        with pytest.raises(ValueError, match="no seat 2"):
            game.start(seed=1, first=2)

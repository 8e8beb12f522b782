"""Engines in lockstep: an engine agrees with itself, each planted fault is found, mutants are what they say."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from command_line import CommandLine
from rulewright.engine.compiled.translation.refusal import NotCompiled
from rulewright.engine.interface import GameResult
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import DECLINE, Action, ChanceEvent, Decision, State
from rulewright.engine.views import Views
from rulewright.expr.tree import Constant
from rulewright.expr.types import Number
from rulewright.lockstep import lockstep_games
from rulewright.lockstep.construct_counts import rule_constructs
from rulewright.lockstep.lockstep_games import CHANCE_SOURCES, ChanceSource, RulesComparison, compare_engines
from rulewright.lockstep.lockstep_player import PLAYERS, EnginePlayer
from rulewright.lockstep.mutants import is_played_differently, make_mutant
from rulewright.lockstep.rule_mutations import MUTATIONS, mutate_rules
from rulewright.lockstep.seen_position import SeenPosition
from rulewright.model.loader import load_rules
from rulewright.model.rules import Rules
from rulewright.records.rules_snapshot import load_rules_with_snapshot

GAME = "wrack-line"
MUTANTS = 50  # of each of two games; among them are all kinds


@cache
def rules_of(game: str) -> Rules:
    return load_rules(game)


# ---- a dozen faults -------------------------------------------------------------------------------------------------


class Reversed(ReferenceEngine):
    def legal(self, state: State) -> tuple[Action, ...]:
        return super().legal(state)[::-1]


class OneMissing(ReferenceEngine):
    def legal(self, state: State) -> tuple[Action, ...]:
        legal = super().legal(state)
        return legal[:-1] if len(legal) > 3 else legal


class NeverDeclines(ReferenceEngine):
    def legal(self, state: State) -> tuple[Action, ...]:
        return tuple(action for action in super().legal(state) if action != DECLINE)


class Roomier(ReferenceEngine):
    """Places that fill themselves have room for one more."""

    def __init__(self, rules: Rules, *, tokenwise: Any = ()) -> None:
        two = Constant(2, Number(2, 2), (0, 0))
        zones = {name: replace(zone, capacity=zone.refill and two) for name, zone in rules.zones.items()}
        super().__init__(replace(rules, zones=zones), tokenwise=tokenwise)


class NoRefill(ReferenceEngine):
    def __init__(self, rules: Rules, *, tokenwise: Any = ()) -> None:
        zones = {name: replace(zone, refill=None) for name, zone in rules.zones.items()}
        super().__init__(replace(rules, zones=zones), tokenwise=tokenwise)


class OtherDraw(ReferenceEngine):
    """The generator goes on as it should, and other things are drawn."""

    def apply_legal(self, state: State, action: Action, turn_marks: Any = None) -> State:
        right = super().apply_legal(state, action)
        assert state.rng is not None
        return replace(super().apply_legal(replace(state, rng=state.rng ^ 1), action), rng=right.rng)


class Changed(ReferenceEngine):
    """Changes the position after each decision."""

    def apply_legal(self, state: State, action: Action, turn_marks: Any = None) -> State:
        return self.changed(state, super().apply_legal(state, action))

    def changed(self, before: State, after: State) -> State:
        raise NotImplementedError


class NotReset(Changed):
    def changed(self, before: State, after: State) -> State:
        resets = {
            index
            for state in self.rules.states.values()
            if state.reset_scope
            for index in range(state.first_index, state.first_index + state.size)
        }
        start = self.layout.variables
        kept = (
            old if index in resets and new == start[index] else new
            for index, (old, new) in enumerate(zip(before.variables, after.variables, strict=True))
        )
        return replace(after, variables=tuple(kept))


class Reordered(Changed):
    def changed(self, before: State, after: State) -> State:
        contents = tuple(
            content[::-1] if zone.is_arrival_ordered and not zone.is_shuffled else content
            for zone, content in zip(self.layout.visibility.zone_by_place, after.contents, strict=True)
        )
        return replace(after, contents=contents)


class RoundTooMany(Changed):
    def changed(self, before: State, after: State) -> State:
        return replace(after, round=after.round + (after.round > before.round))


class TurnTooMany(Changed):
    def changed(self, before: State, after: State) -> State:
        return replace(after, turn_count=after.turn_count + (after.round == 2))


class SameSeatAgain(Changed):
    def changed(self, before: State, after: State) -> State:
        if isinstance(after.waiting, Decision) and isinstance(before.waiting, Decision):
            return replace(after, waiting=after.waiting._replace(seat=before.waiting.seat))
        return after


class Worn(Changed):
    def changed(self, before: State, after: State) -> State:
        assert after.rng is not None
        return replace(after, rng=(after.rng + 1) % 2**64)


class OtherWinner(ReferenceEngine):
    def result(self, state: State) -> GameResult:
        result = super().result(state)
        return GameResult(result.ranks, (self.rules.players - 1,)) if state.over else result


class OtherMeasure(ReferenceEngine):
    def measures(self, state: State) -> dict[str, int | tuple[int, ...]]:
        measures = super().measures(state)
        return {name: value[::-1] if isinstance(value, tuple) else value for name, value in measures.items()}


class OtherWeights(ReferenceEngine):
    def terms(self, state: State, seat: int, strategy: str | None = None) -> Any:
        return tuple(term._replace(weight=term.weight + 1) for term in super().terms(state, seat, strategy))


class OtherEvents(ReferenceEngine):
    """Chance from outside is asked with the outcomes in another order; the position is the same."""

    def resolve_chance(self, state: State, outcome: int, turn_marks: Any = None) -> State:
        after = super().resolve_chance(state, outcome)
        if isinstance(after.waiting, ChanceEvent):
            return replace(after, waiting=after.waiting._replace(outcomes=after.waiting.outcomes[::-1]))
        return after


class OtherOutcome(ReferenceEngine):
    """Another outcome than the one that is given takes effect."""

    def resolve_chance(self, state: State, outcome: int, turn_marks: Any = None) -> State:
        assert isinstance(state.waiting, ChanceEvent)
        values = [value for value, _ in state.waiting.outcomes]
        return super().resolve_chance(state, values[values.index(outcome) - 1])


class UpsideDown(ReferenceEngine):
    """Piles whose order is given are drawn from at the wrong end."""

    def start(self, *, first: int = 0, seed: int | None = None, orders: Any = None) -> State:
        return super().start(first=first, seed=seed, orders={at: order[::-1] for at, order in (orders or {}).items()})


class BreaksDown(ReferenceEngine):
    def apply_legal(self, state: State, action: Action, turn_marks: Any = None) -> State:
        if state.turn_count == 3:
            raise KeyError("a cell that is not there")
        return super().apply_legal(state, action)


class Indiscreet(Views):
    """Shows everything to everybody."""

    def view(self, state: State, seat: int | None) -> dict[str, Any]:
        layout = copy(self.engine.layout)  # which engines of the same rules share
        layout.visibility = copy(layout.visibility)
        layout.visibility.can_see = [[True] * len(row) for row in layout.visibility.can_see]
        self.engine.layout = layout
        return super().view(state, seat)


def indiscreet_player(rules: Rules, tokenwise: Any) -> EnginePlayer:
    player = EnginePlayer(ReferenceEngine(rules, tokenwise=tokenwise))
    player.views = Indiscreet(ReferenceEngine(rules, tokenwise=tokenwise))
    return player


def player_of(engine: type[ReferenceEngine]) -> Callable[[Rules, Any], EnginePlayer]:
    return lambda rules, tokenwise: EnginePlayer(engine(rules, tokenwise=tokenwise))


def compared(game: str, make: Any, games: int = 3, seed: int = 1) -> RulesComparison:
    pair = (("reference", PLAYERS["reference"]), ("faulty", make))
    return compare_engines(rules_of(game), pair, seed=seed, games=games)


class Forgetful(Changed):
    """Everybody can take each thing for any other of a pool that is larger by one."""

    def changed(self, before: State, after: State) -> State:
        everything = {thing for pool in after.pools for thing in pool}
        pools = tuple(tuple(sorted({*pool, *sorted(everything)[:1]})) if pool else () for pool in after.pools)
        return replace(after, pools=pools)


class Omniscient(Changed):
    """Everybody knows where the last thing is."""

    def changed(self, before: State, after: State) -> State:
        return replace(after, thing_pools=tuple((*row[:-1], 0) for row in after.thing_pools))


FAULTS: Sequence[tuple[str, Any, str]] = (
    ("splendor", player_of(Reversed), "legal action 1"),
    ("splendor", player_of(OneMissing), "legal action"),
    ("splendor", player_of(Roomier), "deck"),
    ("splendor", player_of(NoRefill), "deck"),
    ("splendor", player_of(OtherDraw), ""),
    (GAME, player_of(NotReset), ""),
    ("splendor", player_of(RoundTooMany), "round"),
    ("splendor", player_of(TurnTooMany), "turns begun"),
    ("splendor", player_of(SameSeatAgain), "waiting for"),
    ("splendor", player_of(Worn), "chance generator"),
    ("splendor", player_of(OtherWinner), "winners"),
    ("kuhn-poker", player_of(OtherMeasure), "measure payoff"),
    ("splendor", player_of(OtherWeights), "strategy"),
    ("splendor", player_of(BreaksDown), "outcome"),
    ("splendor", player_of(Reordered), ""),
    ("kuhn-poker", indiscreet_player, "what seat 0 sees: zones.hand.1"),
    (GAME, player_of(OtherEvents), "waiting for"),
    ("splendor", player_of(OtherOutcome), ""),
    ("splendor", player_of(UpsideDown), "deck"),
    ("kuhn-poker", player_of(Omniscient), "what seat 1 sees"),
    ("splendor", player_of(Forgetful), "what seat 0 sees"),
)  # fmt: skip


@pytest.mark.parametrize("game", ["splendor", GAME, "kuhn-poker"])
def test_an_engine_agrees_with_itself(game: str) -> None:
    comparison = compared(game, PLAYERS["reference"])
    assert comparison.finding is None
    assert comparison.games == 3
    assert comparison.decisions > 3


@pytest.mark.parametrize(("game", "make", "what"), FAULTS, ids=[str(number) for number in range(len(FAULTS))])
def test_a_planted_fault_is_found_and_found_again(
    game: str, make: Any, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lockstep_games, "SHRINK_SEEDS", 2)
    finding = compared(game, make, games=8).finding
    assert finding is not None
    assert finding.differences[0].what.startswith(what)
    assert len(set(finding.differences[0].values)) == 2
    again = compared(game, make, games=1, seed=finding.seed).finding
    assert again is not None
    assert (again.decision, again.differences) <= (finding.decision, finding.differences)


def test_a_game_with_an_earlier_difference_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lockstep_games, "SHRINK_SEEDS", 0)
    first = compared("splendor", player_of(RoundTooMany)).finding
    monkeypatch.setattr(lockstep_games, "SHRINK_SEEDS", 8)
    shrunk = compared("splendor", player_of(RoundTooMany)).finding
    assert first is not None
    assert shrunk is not None
    assert shrunk.decision <= first.decision


def test_where_chance_comes_from_is_chosen_or_follows_from_the_seed() -> None:
    pair = (("one", PLAYERS["reference"]),) * 2
    outcomes = {
        source: compare_engines(rules_of("kuhn-poker"), pair, seed=1, games=5, chance_source=source).outcomes
        for source in (None, *CHANCE_SOURCES)
    }
    assert outcomes == {None: 2, "seed": 0, "outside": 10, "orders": 0}
    faulty = (("reference", PLAYERS["reference"]), ("faulty", player_of(OtherOutcome)))
    assert compare_engines(rules_of("splendor"), faulty, seed=1, games=3, chance_source="seed").finding is None
    finding = compare_engines(rules_of("splendor"), faulty, seed=1, games=1, chance_source="outside").finding
    assert finding is not None
    assert finding.after == "the beginning, outcome 1 of chance"


@pytest.mark.parametrize("source", CHANCE_SOURCES)
def test_rules_that_fail_before_a_game_begins_fail_in_all_engines(source: ChanceSource) -> None:
    two = Constant(2, Number(2, 2), (0, 0))
    rules = rules_of("splendor")
    full = replace(rules, zones={**rules.zones, "supply": replace(rules.zones["supply"], capacity=two)})
    comparison = compare_engines(full, [*PLAYERS.items()], seed=1, games=2, chance_source=source)
    assert (comparison.finding, comparison.decisions, comparison.faults) == (None, 0, 2)


def test_an_event_is_shown_with_its_outcomes(cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLAYERS, "faulty", player_of(OtherEvents))
    words = ("lockstep", "kuhn-poker", "--games", "1", "--engines", "reference,faulty", "--chance", "outside")
    assert cli(*words) == 1
    lines = [line.partition("chance: draw ")[2].split(": ") for line in cli.out.splitlines() if "chance: draw" in line]
    (place, outcomes), (same_place, others) = lines
    assert place == same_place == "deck"
    assert outcomes.split(", ") == others.split(", ")[::-1]
    assert "--chance outside --seed 1 --games 1" in cli.out
    assert cli(*words[:-1], "seed") == 0


def test_so_many_decisions_are_compared() -> None:
    pair = (("one", PLAYERS["reference"]),) * 2
    assert compare_engines(rules_of("kuhn-poker"), pair, seed=1, decisions=25).decisions == 25


@pytest.mark.parametrize("game", ["splendor", GAME, "kuhn-poker"])
def test_views_are_equal_where_all_that_they_are_made_of_is(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    alike = []

    def compare(seen: SeenPosition, other: object) -> bool:
        assert isinstance(other, SeenPosition)
        alike.append(seen.is_made_alike(other))
        assert seen.views == other.views
        return True

    monkeypatch.setattr(SeenPosition, "__eq__", compare)
    rules = rules_of(game)
    assert compare_engines(rules, [*PLAYERS.items()], seed=1, games=5).finding is None
    assert len(alike) > 10
    assert all(alike)


# ---- mutants --------------------------------------------------------------------------------------------------------


def test_mutants_follow_from_the_seed_and_each_kind_occurs() -> None:
    found = set()
    for game in ("splendor", GAME):
        _, snapshot = load_rules_with_snapshot(game)
        for seed in range(MUTANTS):
            mutated = mutate_rules(snapshot["root"], seed)
            assert mutated.changes
            assert mutated.root != snapshot["root"] or len(mutated.changes) > 1  # one may take the other back
            found |= {*mutated.kinds}
        assert mutate_rules(snapshot["root"], 7) == mutate_rules(snapshot["root"], 7)
    assert found == {*MUTATIONS}


def test_a_mutant_counts_when_it_is_played_differently() -> None:
    rules, snapshot = load_rules_with_snapshot("nim")
    reference = PLAYERS["reference"]
    mutants = [make_mutant(rules, snapshot, seed) for seed in range(20)]
    loaded = [mutant.rules for mutant in mutants if mutant.rules is not None]
    assert 0 < len(loaded) < len(mutants)
    assert all(mutant.why for mutant in mutants if mutant.rules is None)
    assert not is_played_differently(rules, rules, reference, (1, 2), ())
    assert any(is_played_differently(rules, mutant, reference, (1, 2), ()) for mutant in loaded)


def test_constructs_are_those_of_the_rules() -> None:
    constructs = rule_constructs(rules_of("kuhn-poker"))
    assert {("verbs", "move"), ("verbs", "must"), ("expressions", "count")} <= constructs
    assert ("domains", "pay") not in constructs
    assert ("domains", "pay") in rule_constructs(rules_of("splendor"))


# ---- the command ----------------------------------------------------------------------------------------------------


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(capsys)


def test_the_command_says_what_was_compared(cli: CommandLine) -> None:
    assert cli("lockstep", "nim", "--games", "2") == 0
    assert cli.out.splitlines()[0] == f"engines: {', '.join(PLAYERS)}"
    assert "2 games" in cli.out
    assert "no difference" in cli.out
    assert cli("lockstep", "nim", "--games", "1", "--mutate", "6", "--json") == 0
    data = json.loads(cli.out)
    assert sum(data["mutants"].values()) == 6
    assert data["different"] == 0
    assert data["decisions_by_construct"]["verbs"]["must"] > 0


def test_what_no_shipped_rules_have_is_found_in_mutants(cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLAYERS, "faulty", player_of(NeverDeclines))
    words = ("lockstep", "kuhn-poker", "--games", "2", "--engines", "reference,faulty")
    assert cli(*words) == 0
    assert cli(*words, "--mutate", "40") == 1
    assert "legal action" in cli.out
    again = next(line for line in cli.out.splitlines() if "again: " in line).split()[2:]
    assert cli(*again) == 1
    assert cli(*again, "--json") == 1
    assert json.loads(cli.out)["rules"][-1]["finding"]["differences"][0]["values"][0][0] == "reference"


def test_long_values_are_shown_where_they_differ(cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLAYERS, "faulty", player_of(NoRefill))
    assert cli("lockstep", "--players", "2", "--games", "1", "--engines", "reference,faulty") == 1
    assert "seed 1, decision 1" in cli.out
    assert max(map(len, cli.out.splitlines())) < 130


def test_every_number_of_players_is_played_with_a_variant_too(cli: CommandLine) -> None:
    words = ("lockstep", "wrack-line", "--games", "1", "--engines", "reference", "--json")
    assert cli(*words, "--variant", "short-stay") == 0
    assert [each["players"] for each in json.loads(cli.out)["rules"]] == [2, 3, 4]


def test_wrong_use_is_reported(cli: CommandLine) -> None:
    assert cli("lockstep", "--engines", "refrence") == 2
    assert "did you mean `reference`" in cli.err
    assert cli("lockstep", "nim", "--tokenwise", "actions.take.choose.number") == 2
    assert cli("lockstep", "nim", "--games", "1", "--decisions", "1") == 2


def refusing_player(rules: Rules, tokenwise: Any) -> Any:
    raise NotCompiled("actions.take.choose.number", "something")


def test_rules_that_an_engine_cannot_play_are_not_said_to_agree(
    cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PLAYERS, "python", refusing_player)
    game = ("lockstep", "nim", "--games", "1")
    assert cli(*game) == 1
    assert "not compared: actions.take.choose.number cannot be compiled yet" in cli.out
    assert "no difference" not in cli.out
    assert cli(*game, "--engines", "reference,reference") == 0

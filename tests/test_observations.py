"""What a seat sees in a batch is what the reference engine's position shows it, number by number."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import product
from pathlib import Path

import pytest

import rulewright
from batch_contents import ENGINES, compiled
from games.playing import fewer_samples
from positions import Table, all_tables, engine_of
from rulewright.engine.compiled.translation.refusal import NotCompiled
from rulewright.engine.engine_names import EngineName
from rulewright.engine.faults import RuleFault
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import Decision, State
from rulewright.engine.values import as_int, content_bag, content_things
from rulewright.expr.types import SEAT, Member, Number
from rulewright.model.loader import load_rules
from rulewright.model.locate import available_games
from rulewright.model.rules import StateDef, ZoneDef

TABLES = [table for table in all_tables() if not table.variants and not table.piecewise]
SHIPPED = [table for table in TABLES if table.game in available_games()]
OTHERS = [table for table in TABLES if table.game not in available_games()]
ODD_RULES = Path(__file__).parent / "odd_rules"
CODES = {"uint8": "B", "int16": "h", "int32": "i", "int64": "q"}


def name_of(table: Table) -> str:
    return f"{Path(table.game).stem}-{table.players}"


class Seen:
    """What a seat sees of a position of the reference engine. How zones are shown is the program's decision; what is
    shown is worked out here from the position alone.
    """

    def __init__(self, batch: rulewright.GameBatch, reference: ReferenceEngine, state: State, viewer: int) -> None:
        self.cells = batch.program.cells
        self.rules, self.state, self.viewer = reference.rules, state, viewer
        self.can_see = reference.layout.visibility.can_see

    def row(self) -> Iterator[int]:
        """All numbers but the number of the decision, for which -1 stands."""
        waiting = self.state.waiting
        assert isinstance(waiting, Decision)
        yield from (self.seat(waiting.seat), -1, self.seat(self.state.first_seat), int(self.state.ending))
        for zone in sorted(self.rules.zones.values(), key=lambda zone: zone.first_index):
            for places in self.indexes(zone):
                yield from self.place(zone, places)
        for variable in sorted(self.rules.states.values(), key=lambda variable: variable.first_index):
            for indexes in self.indexes(variable) if variable.is_shown else ():
                yield self.variable(variable, as_int(self.state.variables[indexes[self.viewer]]))

    def seat(self, seat: int) -> int:
        return (seat - self.viewer) % self.rules.players

    def indexes(self, owner: ZoneDef | StateDef) -> Iterator[list[int]]:
        """The places of a zone in the order of the row, for each seat its own first."""
        keys, players = owner.key_values, self.rules.players
        all_keys = list(product(*keys))
        for key in all_keys:
            found = []
            for viewer in range(players):
                turned = tuple(
                    (value + viewer) % players if type_ == SEAT and len(values) == players else value
                    for value, type_, values in zip(key, owner.key_types, keys, strict=True)
                )
                found.append(owner.first_index + all_keys.index(turned))
            yield found

    def variable(self, variable: StateDef, value: int) -> int:
        if variable.type == SEAT:
            return self.seat(value)
        match variable.type:
            case Number(low=low):
                return value - min(0, low)
            case Member(kind=kind):
                return value - min(0, *self.rules.kinds[kind].member_values)
        return value

    def place(self, zone: ZoneDef, places: Sequence[int]) -> Iterator[int]:
        content, storage = self.state.contents[places[self.viewer]], self.cells.storage[zone.name]
        seen = [self.can_see[seat][place] for seat, place in enumerate(places)]
        is_seen, is_ever, is_always = seen[self.viewer], any(seen), all(seen)
        if zone.is_pool:
            bag = content_bag(content)
            yield from (count * is_seen for count in bag if is_ever)
            yield from [sum(bag)] * (not is_always)
            return
        things, absent = content_things(content), self.cells.absent_thing(zone)
        room = self.cells.rooms[zone.name]
        if storage == "cell":
            yield from [things[0] if things else absent if is_seen else 0] * is_ever if is_seen else [0] * is_ever
            yield from [len(things)] * (not is_always)
            return
        yield len(things)
        if storage in ("pile", "packed pile") or not is_ever:
            return
        if storage == "row":
            yield from (*things, *[absent] * (room - len(things))) if is_seen else [0] * room
        for tally in self.cells.tallies[zone.name]:
            columns = self.cells.field_columns(self.cells.component_of(zone), tally.field)
            low = min(sum(number for number in column if number < 0) for column in columns)
            for column in columns:
                yield (sum(column[thing] for thing in things) - low) if is_seen else 0


def compare(table: Table, engine: EngineName, steps: int) -> None:
    try:
        program, reference = compiled(table, engine), engine_of(table)
    except NotCompiled:
        return
    batch = program.batch(2, seed=5, first=table.players - 1, masks=None)
    rng = random.Random(table.game)
    seen = array(CODES[program.observation_dtype], [0] * (2 * program.observation_size))
    into = memoryview(seen).cast("B").cast(seen.typecode, (2, program.observation_size))
    states = [reference.start(seed=seed, first=table.players - 1) for seed in batch.seeds]
    for _ in range(steps):
        for viewer in range(table.players):
            batch.observe(viewer, into)
            for game, state in enumerate(states):
                expected = list(Seen(batch, reference, state, viewer).row())
                row = into.tolist()[game]
                expected[1] = row[1]
                assert row == expected, (viewer, state)
                if batch.seats[game] == viewer:
                    assert batch.observations.tolist()[game] == row
        indexes = [rng.randrange(batch.action_counts[game]) for game in range(2)]
        starts = list(batch.action_starts)
        batch.step([batch.action_numbers[start + index] for start, index in zip(starts, indexes, strict=True)])
        for game, index in enumerate(indexes):
            state = states[game]
            states[game] = reference.apply_legal(state, reference.legal(state)[index])
            if states[game].over:
                states[game] = reference.start(seed=batch.seeds[game], first=table.players - 1)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("table", SHIPPED, ids=name_of)
def test_a_seat_sees_what_the_position_shows(table: Table, engine: EngineName) -> None:
    compare(table, engine, fewer_samples(table.game, 30))


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.usefixtures("plain_machine_code")
@pytest.mark.parametrize("table", OTHERS, ids=name_of)
def test_a_seat_sees_what_the_position_shows_in_other_games(table: Table) -> None:
    for engine in ENGINES:
        compare(table, engine, fewer_samples(table.game, 40))


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.usefixtures("plain_machine_code")
@pytest.mark.parametrize("path", sorted(ODD_RULES.glob("*.yaml")), ids=lambda path: path.stem)
def test_a_seat_sees_what_the_position_shows_by_odd_rules(path: Path) -> None:
    table = Table(str(path), load_rules(str(path)).players)
    for engine in ENGINES:
        with suppress(RuleFault):  # some are wrong on purpose: up to there
            compare(table, engine, 40)

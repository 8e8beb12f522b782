"""What the facts say can be is never exceeded: random games of all tables, with variants and without."""

from __future__ import annotations

import random

import pytest

from fact_checks import DECISIONS, RangeCheck
from positions import Table, engine_of, ranges_of, share_of_rules
from random_play import random_positions

# with variants at one number of players only: reading the rules takes longer than playing
TABLES = share_of_rules(1)


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_no_bound_is_broken(table: Table) -> None:
    engine = engine_of(table)
    check, rng = RangeCheck(engine, ranges_of(table.game, table.players, table.variants)), random.Random(str(table))
    for first in (0, table.players - 1):
        start = engine.start(seed=rng.randrange(2**32), first=first)
        for state in random_positions(engine, start, rng, DECISIONS):
            assert list(check.exceeded(state)) == []
            assert list(check.impossible(engine.legal(state))) == []

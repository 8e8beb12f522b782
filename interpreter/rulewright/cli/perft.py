"""`rulewright perft`: counts sequences of decisions and says exactly what was counted.

In: parsed arguments. Out: counts on stdout.
"""

from __future__ import annotations

import time
from argparse import Namespace

from rulewright.cli.open_game import opened
from rulewright.engine.game_tree import divide, perft, settled
from rulewright.engine.notation import Notation
from rulewright.engine.reference.reference_engine import Engine
from rulewright.engine.state import State
from rulewright.errors import UsageError
from rulewright.terminal.reasons import headline


def by_rows(engine: Engine) -> State:
    """The first position with every shuffled place in the order of the rows, first row on top."""
    orders: dict[int, tuple[int, ...]] = {}
    for zone in engine.rules.zones.values():
        if zone.shuffled and not zone.pooled:
            for place in range(zone.first, zone.first + zone.size):
                orders[place] = engine.layout.contents[place].things
    return engine.start(orders=orders)


def run(wish: Namespace) -> int:
    """Prints the counts for every depth up to the one asked for."""
    seeded = wish.orders == "seed" or (wish.orders is None and wish.seed is not None)
    if wish.orders == "rows" and wish.seed is not None:
        raise UsageError("--orders rows needs no --seed")
    engine = opened(wish)
    rules, seed = engine.rules, wish.seed or 0
    state = engine.start(seed=seed) if seeded else by_rows(engine)
    print(f"{headline(rules)}, first seat 0")
    print(
        f"orders: shuffled by seed {seed}"
        if seeded
        else "orders: shuffled places in the order of their rows, first row on top"
    )
    print(f"answers: {'piece by piece at ' + ', '.join(sorted(engine.tokenwise)) if engine.tokenwise else 'whole'}")
    if not seeded and len(settled(engine, state)) > 1:
        print("chance: every other outcome is followed")
    for depth in range(1, wish.depth + 1) if wish.depth else (0,):
        began = time.perf_counter()
        count = perft(engine, state, depth)
        print(f"depth {depth}: {count} ({time.perf_counter() - began:.2f} s)", flush=True)
    if wish.divide and wish.depth:
        notation = Notation(rules)
        for action, count in divide(engine, state, wish.depth):
            print(f"  {notation.write(action)}: {count}")
    return 0

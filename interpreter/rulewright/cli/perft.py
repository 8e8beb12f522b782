"""`rulewright perft`: counts sequences of decisions and says exactly what was counted.

In: parsed arguments. Out: counts on stdout.
"""

from __future__ import annotations

import time
from typing import Literal

from rulewright.cli.open_game import engine_from_args
from rulewright.cli.options import EngineOptions
from rulewright.engine.game_tree import chance_successors, divide, perft
from rulewright.engine.interface import Engine
from rulewright.engine.notation import Notation
from rulewright.engine.state import State
from rulewright.engine.values import content_things
from rulewright.errors import UsageError
from rulewright.model.locale import player_name
from rulewright.terminal.reasons import rules_headline


class Options(EngineOptions):
    """The options of `perft`."""

    depth: int
    orders: Literal["rows", "seed"] | None
    seed: int | None
    divide: bool


def start_in_row_order(engine: Engine) -> State:
    """The first position with every shuffled place in the order of the rows, first row on top."""
    orders: dict[int, tuple[int, ...]] = {}
    for zone in engine.rules.zones.values():
        if zone.is_shuffled and not zone.is_pool:
            for place in range(zone.first_index, zone.first_index + zone.size):
                orders[place] = content_things(engine.layout.contents[place])
    return engine.start(orders=orders)


def run(args: Options) -> int:
    """Prints the counts for every depth up to the one asked for."""
    is_seeded = args.orders == "seed" or (args.orders is None and args.seed is not None)
    if args.orders == "rows" and args.seed is not None:
        raise UsageError("--seed cannot be used with --orders rows")
    engine = engine_from_args(args)
    rules, seed = engine.rules, args.seed or 0
    state = engine.start(seed=seed) if is_seeded else start_in_row_order(engine)
    print(f"{rules_headline(rules)}, {player_name(0)} begins")
    print(
        f"orders: shuffled by seed {seed}"
        if is_seeded
        else "orders: shuffled places in the order of their rows, first row on top"
    )
    print(f"answers: {'piece by piece at ' + ', '.join(sorted(engine.tokenwise)) if engine.tokenwise else 'whole'}")
    if not is_seeded and len(chance_successors(engine, state)) > 1:
        print("chance: all outcomes of every other event are followed")
    for depth in range(1, args.depth + 1) if args.depth else (0,):
        start = time.perf_counter()
        count = perft(engine, state, depth)
        print(f"depth {depth}: {count} ({time.perf_counter() - start:.2f} s)", flush=True)
    if args.divide and args.depth:
        notation = Notation.for_people(rules)
        for action, count in divide(engine, state, args.depth):
            print(f"  {notation.format_action(action)}: {count}")
    return 0

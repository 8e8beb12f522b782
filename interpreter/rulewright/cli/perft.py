"""`rulewright perft`: counts sequences of decisions and says exactly what was counted.

In: parsed arguments. Out: counts on stdout, and which engine counted.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, Literal, TypeVar

from rulewright.cli.open_game import engine_from_args
from rulewright.cli.options import EngineOptions
from rulewright.engine.compiled.compiler import compile_program
from rulewright.engine.compiled.playing.compiled_tree import CompiledTree
from rulewright.engine.compiled.playing.machine_support import (
    NoMachineCode,
    can_make_machine_code,
    require_machine_code,
)
from rulewright.engine.compiled.playing.native_program import NativeProgram
from rulewright.engine.compiled.playing.native_tree import ChanceToFollow, NativeTree
from rulewright.engine.compiled.playing.python_program import PythonProgram
from rulewright.engine.compiled.translation.refusal import NotCompiled
from rulewright.engine.engine_names import AUTO_ENGINE, COMPILED_ENGINE, NATIVE_ENGINE, REFERENCE_ENGINE, EngineName
from rulewright.engine.game_tree import GameTree, TooManyPositions
from rulewright.engine.interface import Engine
from rulewright.engine.notation import Notation
from rulewright.engine.values import content_things
from rulewright.errors import UsageError
from rulewright.model.locale import player_name
from rulewright.terminal.headline import rules_headline

T = TypeVar("T")
NATIVE_DEPTH: Final = 4  # less is counted before machine code is made


class Options(EngineOptions):
    """The options of `perft`."""

    depth: int
    orders: Literal["rows", "seed"] | None
    seed: int | None
    divide: bool
    engine: EngineName


class _Counter:
    """Counts by the engine that is asked for, or by the fastest that can.

    `name`: which one that is; `reason`: why it is not the fastest.
    """

    def __init__(
        self, asked: EngineName, depth: int, engine: Engine, seed: int | None, orders: Mapping[int, Sequence[int]]
    ) -> None:
        self._asked = asked
        self._engine = engine
        self._seed = seed
        self._orders = orders
        first = NATIVE_ENGINE if depth >= NATIVE_DEPTH and can_make_machine_code() else COMPILED_ENGINE
        self.name: EngineName
        self.name, self.reason = first if asked == AUTO_ENGINE else asked, ""
        self._tree: GameTree | CompiledTree | None = None

    def ask(self, question: Callable[[GameTree | CompiledTree], T]) -> T:
        """The answer for the sequences from the beginning; `UsageError` where the engine asked for cannot count."""
        while True:
            try:
                return question(self._made())
            except (ChanceToFollow, NotCompiled, TooManyPositions) as refusal:
                if self.name == REFERENCE_ENGINE:
                    raise
                if self._asked != AUTO_ENGINE:
                    raise UsageError(f"--engine {self._asked}: {refusal}") from None
                self.name = COMPILED_ENGINE if self.name == NATIVE_ENGINE else REFERENCE_ENGINE
                self.reason, self._tree = str(refusal), None

    def _made(self) -> GameTree | CompiledTree:
        if self._tree is None:
            self._tree = self._reference_tree() if self.name == REFERENCE_ENGINE else self._compiled_tree()
        return self._tree

    def _reference_tree(self) -> GameTree:
        return GameTree(self._engine, self._engine.start(seed=self._seed, orders=self._orders))

    def _compiled_tree(self) -> CompiledTree:
        rules, tokenwise = self._engine.rules, self._engine.tokenwise
        program = compile_program(rules, tokenwise=tokenwise, takes_orders=bool(self._orders))
        python = PythonProgram(program)
        if self.name == NATIVE_ENGINE:
            return NativeTree(python, NativeProgram(program), seed=self._seed, orders=self._orders)
        return CompiledTree(python, seed=self._seed, orders=self._orders)


def _count(depth: int, tree: GameTree | CompiledTree) -> int:
    return tree.count(depth)


def row_orders(engine: Engine) -> dict[int, tuple[int, ...]]:
    """For every shuffled place its things in the order of the rows, first row on top."""
    orders: dict[int, tuple[int, ...]] = {}
    for zone in engine.rules.zones.values():
        if zone.is_shuffled and not zone.is_pool:
            for place in range(zone.first_index, zone.first_index + zone.size):
                orders[place] = content_things(engine.layout.contents[place])
    return orders


def run(args: Options) -> int:
    """Prints the counts for every depth up to the one asked for."""
    is_seeded = args.orders == "seed" or (args.orders is None and args.seed is not None)
    if args.orders == "rows" and args.seed is not None:
        raise UsageError("--seed cannot be used with --orders rows")
    try:
        require_machine_code(args.engine)
    except NoMachineCode as refusal:
        raise UsageError(f"--engine {args.engine}: {refusal}") from None
    engine = engine_from_args(args)
    rules, seed = engine.rules, args.seed or 0
    orders = {} if is_seeded else row_orders(engine)
    counter = _Counter(args.engine, args.depth, engine, seed if is_seeded else None, orders)
    print(f"{rules_headline(rules)}, {player_name(0)} begins")
    print(
        f"orders: shuffled by seed {seed}"
        if is_seeded
        else "orders: shuffled places in the order of their rows, first row on top"
    )
    print(f"answers: {'piece by piece at ' + ', '.join(sorted(engine.tokenwise)) if engine.tokenwise else 'whole'}")
    beginnings = counter.ask(lambda tree: tree.beginnings)
    if not is_seeded and beginnings > 1:
        print("chance: all outcomes of every other event are followed")
    for depth in range(1, args.depth + 1) if args.depth else (0,):
        start = time.perf_counter()
        count = counter.ask(partial(_count, depth))
        print(f"depth {depth}: {count} ({time.perf_counter() - start:.2f} s)", flush=True)
    if args.divide and args.depth:
        notation = Notation.for_people(rules)
        for action, count in counter.ask(lambda tree: tree.divide(args.depth)):
            print(f"  {notation.format_action(action)}: {count}")
    print(f"engine: {counter.name}" + (f" ({counter.reason})" if counter.reason else ""))
    return 0

"""What is measured of an engine, each in a process that does nothing else: playing, compiling, thinking, single steps.

In: an `EngineTask`. Out: a function from the number of a round to numbers by name. To make ready what is measured, and
to do it once where the first time takes longer, is no part of any round, unless it is what is measured.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from benchmarks.engine_process import EngineTask
from benchmarks.engine_rates import ENGINES, rate_of
from rulewright import limits
from rulewright.engine.engine_names import COMPILED_ENGINE, NATIVE_ENGINE, REFERENCE_ENGINE, EngineName
from rulewright.model.loader import load_rules
from rulewright.model.rules import Rules

if TYPE_CHECKING:
    from rulewright.engine.compiled.playing.game_batch import GameBatch

MeasureNumbers: TypeAlias = Callable[[int], dict[str, float]]  # the number of a round, from 1

BATCH_GAMES: Final = 1024
FIRST_CODE, FULL_CODE = "first", "full"  # ways to compile
BY_INDEX, BY_NUMBER = "index", "number"  # ways to take a single step
MASKS: Final = {"list": None, "bits": "bits", "bytes": "bytes"}  # ways to say what is legal in a batch
STEPS_AT_ONCE: Final = 500  # between two looks at the clock
DRAWN_BITS: Final = 32  # of a number that chooses among the legal actions
WARM_STEPS: Final = 20


def _load(task: EngineTask) -> Rules:
    return load_rules(task.game, players=task.players, variants=task.variants)


def _engine_name(task: EngineTask) -> EngineName:
    names: Mapping[str, EngineName] = {name: name for name in (REFERENCE_ENGINE, COMPILED_ENGINE, NATIVE_ENGINE)}
    return names[task.engine]


def measure_play(task: EngineTask) -> MeasureNumbers:
    """Decisions per second of random games."""
    play = ENGINES[task.engine](_load(task), task.tokenwise)
    play(range(1))

    def measure_round(number: int) -> dict[str, float]:
        if task.games:
            return {"rate": rate_of(play, range(number * task.games, (number + 1) * task.games))}
        made, size, seed = 0, 1, number * (1 << 32)
        began = time.process_time()
        while (passed := time.process_time() - began) < task.seconds:
            made += play(range(seed, seed + size))
            seed, size = seed + size, size + 1
        return {"rate": made / passed}

    return measure_round


def measure_compile(task: EngineTask) -> MeasureNumbers:
    """Milliseconds to read the rules, and from there to code that can play; in a process that has done nothing yet."""
    from rulewright.engine.compiled import compiler
    from rulewright.engine.compiled.playing import machine_support, native_program, python_program

    if task.engine == NATIVE_ENGINE:
        machine_support.require_machine_code(NATIVE_ENGINE)
        import llvmlite.binding  # noqa: F401  # loading a library is not compiling

    def measure_round(_: int) -> dict[str, float]:
        began = time.process_time()
        rules = _load(task)
        loaded = time.process_time()
        program = compiler.compile_program(rules, tokenwise=task.tokenwise, is_native=task.engine == NATIVE_ENGINE)
        if task.engine == NATIVE_ENGINE:
            native_program.NativeProgram(program, optimisation=0 if task.way == FIRST_CODE else 2)
        else:
            python_program.PythonProgram(program)
        made = time.process_time()
        return {"rules": 1000 * (loaded - began), "code": 1000 * (made - loaded)}

    return measure_round


def measure_memory(task: EngineTask) -> MeasureNumbers:
    """The most megabytes that the process has had when so many games are simulated: the number of the round."""
    from rulewright.simulation.aggregate import SimulationBuilder
    from rulewright.simulation.simulations import SimulationConfig, simulate_games

    rules = _load(task)
    config = SimulationConfig(
        task.game, task.players, task.variants, ("random",) * rules.players, 1, engine=_engine_name(task)
    )
    builder = SimulationBuilder(rules.players)

    def measure_round(games: int) -> dict[str, float]:
        for game in simulate_games(config, range(builder.games + 1, games + 1)):
            builder.add(game)
        builder.build()
        return {"megabytes": peak_megabytes()}

    return measure_round


def peak_megabytes() -> float:
    """The most memory that this process has had. On Linux `getrusage` also counts what its parent had before."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) * 1024 / 1e6
    except (OSError, StopIteration):
        import resource

        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def measure_bot(task: EngineTask) -> MeasureNumbers:
    """Decisions per second of a bot on all seats; every engine plays the same games."""
    from rulewright.simulation.played_rules import PlayedRules
    from rulewright.simulation.simulations import make_bots, play_game

    rules = _load(task)
    played = PlayedRules(rules, task.tokenwise)
    table = None if task.engine == REFERENCE_ENGINE else played.thinking_table(_engine_name(task))

    def play(seed: int, turns: int) -> int:
        bots = make_bots([task.bot] * rules.players, rules, seed)
        if table is not None:
            return table.play(bots, seed, cap=turns).decisions
        return play_game(played.engine, bots, seed, cap=turns).decisions

    play(0, 1)

    def measure_round(number: int) -> dict[str, float]:
        return {
            "rate": rate_of(
                lambda seeds: sum(play(seed, limits.MAX_GAME_TURNS) for seed in seeds), range(number, number + 1)
            )
        }

    return measure_round


def measure_step(task: EngineTask) -> MeasureNumbers:
    """Decisions per second where a Python program takes each of them: it looks how many actions are legal, takes one by
    a number that was drawn before, and has it done. By index, or by a fixed number that it reads from a list in memory.
    """
    return _by_steps(task, _step_by_number(task) if task.way == BY_NUMBER else _step_by_index(task))


def _step_by_index(task: EngineTask) -> Callable[[], None]:
    from rulewright.engine.compiled.compiler import compile_program
    from rulewright.engine.compiled.playing.make_game import make_compiled_game

    program = compile_program(_load(task), tokenwise=task.tokenwise, is_native=task.engine == NATIVE_ENGINE)
    game = make_compiled_game(program, task.engine)
    seeds, draws = count(1), _draws()
    game.start(seed=0)

    def take() -> None:
        for draw in draws:
            if game.is_over:
                game.start(seed=next(seeds))
            game.act(draw * game.option_count >> DRAWN_BITS)

    return take


def _step_by_number(task: EngineTask) -> Callable[[], None]:
    batch, draws = _batch(task, 1, None, observations=False), _draws()
    actions, counts, step = batch.actions, batch.action_counts, batch.step

    def take() -> None:
        for draw in draws:
            actions[0] = batch.action_numbers[draw * counts[0] >> DRAWN_BITS]
            step()

    def take_from_kept() -> None:
        numbers = batch.action_numbers
        for draw in draws:
            actions[0] = numbers[draw * counts[0] >> DRAWN_BITS]
            step()

    return take_from_kept if task.engine == NATIVE_ENGINE else take  # machine code leaves the list where it is


def _draws() -> list[int]:
    generator = Random(1)
    return [generator.getrandbits(DRAWN_BITS) for _ in range(STEPS_AT_ONCE)]


def _batch(task: EngineTask, games: int, masks: Any, *, observations: bool) -> GameBatch:
    from rulewright.engine.compiled.playing.compiled_rules import compile

    compiled = compile(_load(task), engine=_engine_name(task), tokenwise=task.tokenwise)
    return compiled.batch(games, masks=masks, observations=observations)


def measure_batch(task: EngineTask) -> MeasureNumbers:
    """Steps of games per second, in a batch that writes observations, legal actions and rewards; drawing actions is no
    part of the time. `bytes`: of one observation.
    """
    batch = _batch(task, BATCH_GAMES, MASKS[task.way], observations=True)
    for _ in range(WARM_STEPS):
        batch.step(batch.sample())

    def measure_round(_: int) -> dict[str, float]:
        passed, steps = 0.0, 0
        while passed < task.seconds:
            batch.sample()
            began = time.process_time()
            batch.step()
            passed += time.process_time() - began
            steps += BATCH_GAMES
        return {"rate": steps / max(passed, 1e-9), "bytes": memoryview(batch.observations).nbytes / BATCH_GAMES}

    return measure_round


def _by_steps(task: EngineTask, take: Callable[[], None]) -> MeasureNumbers:
    take()

    def measure_round(_: int) -> dict[str, float]:
        made, began = 0, time.process_time()
        while (passed := time.process_time() - began) < task.seconds:
            take()
            made += STEPS_AT_ONCE
        return {"rate": made / max(passed, 1e-9)}

    return measure_round


TASKS: Final[Mapping[str, Callable[[EngineTask], MeasureNumbers]]] = {
    "play": measure_play,
    "compile": measure_compile,
    "memory": measure_memory,
    "bot": measure_bot,
    "step": measure_step,
    "batch": measure_batch,
}

__all__ = ["BY_INDEX", "BY_NUMBER", "FIRST_CODE", "FULL_CODE", "MASKS", "TASKS", "MeasureNumbers", "peak_megabytes"]

"""Many games by bots: each from a seed of its own, so that any of them can be played again alone.

In: a `SimulationConfig` and numbers of games, from 1. Out: `GameStats`. The seed of each game comes from the config's
seed and the game's number alone, so it does not matter how many processes share the work.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from itertools import islice
from time import monotonic
from typing import Final, TypeAlias, TypeVar

from rulewright import limits
from rulewright.bots.aimless import are_blind
from rulewright.bots.bot_specs import make_bot
from rulewright.bots.player_view import Bot, bot_chooser
from rulewright.engine import chance
from rulewright.engine.compiled.playing.machine_support import can_make_machine_code, require_machine_code
from rulewright.engine.compiled.translation.refusal import NotCompiled
from rulewright.engine.engine_names import AUTO_ENGINE, COMPILED_ENGINE, NATIVE_ENGINE, REFERENCE_ENGINE, EngineName
from rulewright.engine.faults import RuleFault
from rulewright.engine.interface import Engine, is_draw
from rulewright.engine.playout import Playout, play_out
from rulewright.engine.state import Action, Decision, State
from rulewright.frozen import frozen
from rulewright.model.effects import Choose
from rulewright.model.kept_rules import load_kept_rules
from rulewright.model.rules import Rules
from rulewright.simulation.game_stats import GameStats
from rulewright.simulation.parallel import parallel_map
from rulewright.simulation.played_rules import PlayedRules
from rulewright.simulation.simulation_error import SimulationError

CHUNK_SECONDS: Final = 0.5  # that a chunk should take: handing it over costs little, and nobody waits for long
MIN_SECONDS: Final = 1e-6  # of a chunk, since clocks are coarse
MANY_GAMES: Final = 200  # from which on machine code pays where bots look at nothing; where they think it always does
FIRST_STREAM: Final = 1 << 32  # far from the streams of bots


@frozen
class SimulationConfig:
    """All that determines how simulated games go. `bots`: one name for each seat. `cap`: turns after which a game is
    given up. `engine`: a name of `engine_names`; whichever it is, the games are the same.
    """

    game: str
    players: int | None
    variants: tuple[str, ...]
    bots: tuple[str, ...]
    seed: int
    cap: int = limits.MAX_GAME_TURNS
    first: int = 0
    tokenwise: tuple[str, ...] = ()
    engine: EngineName = AUTO_ENGINE


def game_seed(base: int, number: int) -> int:
    """The seed of the game with that number; different numbers have different seeds."""
    return chance.seed_rng(base, stream=FIRST_STREAM + number)


def make_bots(names: Sequence[str], rules: Rules, seed: int) -> list[Bot]:
    """A bot for each seat, by name, with its own stream of the game's seed."""
    return [make_bot(name, rules, seed, seat) for seat, name in enumerate(names)]


def is_forced(engine: Engine, state: State, legal: Sequence[Action]) -> bool:
    """Whether a decision has only its fallback action, as no offer is legal."""
    decision = state.waiting
    if not isinstance(decision, Decision) or len(legal) != 1:
        return False
    effect = engine.rules.blocks[decision.block].steps[decision.step].effect
    assert isinstance(effect, Choose)
    number = legal[0].number
    return effect.fallback == number and all(offer.action != number for offer in effect.offers)


def play_game(
    engine: Engine,
    bots: Sequence[Bot],
    seed: int,
    *,
    first: int = 0,
    cap: int = limits.MAX_GAME_TURNS,
) -> GameStats:
    """One game of an engine from its set-up to its end, or to the cap of turns."""
    playout = Playout(engine, engine.start(first=first, seed=seed))
    options: Counter[int] = Counter()
    decisions = forced = 0
    for step in play_out(playout, bot_chooser(engine, dict(enumerate(bots))), max_turns=cap):
        decisions += 1
        options[len(step.legal)] += 1
        forced += is_forced(engine, step.before, step.legal)
    state = playout.state
    result = engine.result(state) if state.over else None
    return GameStats(
        seed=seed,
        is_finished=state.over,
        winners=result.winners if result else (),
        places=result.ranks if result else (),
        decisions=decisions,
        turns=state.turn_count,
        option_counts=tuple(sorted(options.items())),
        forced_decisions=forced,
        measures=tuple(engine.measures(state).items()),
        is_draw=result is not None and is_draw(engine, state, result),
        ending=_ending(engine.rules, state),
    )


def _ending(rules: Rules, state: State) -> str:
    """The address of the step that ended the game; empty before its end, or when no step did."""
    frame = state.end_frame
    return rules.blocks[frame.block].steps[frame.step].address if state.over and frame is not None else ""


Settings: TypeAlias = tuple[str, int | None, tuple[str, ...], tuple[str, ...]]
_PLAYED: Final[dict[Settings, PlayedRules]] = {}  # what was played last, in this process


def _settings(config: SimulationConfig) -> Settings:
    return config.game, config.players, config.variants, config.tokenwise


def _played(config: SimulationConfig, rules: Rules | None = None) -> PlayedRules:
    """What plays the games of a configuration: what is there, if it is for these rules, where they are given."""
    settings = _settings(config)
    found = _PLAYED.get(settings)
    if found is None or (rules is not None and found.rules is not rules):
        _PLAYED.clear()
        if rules is None:
            rules = load_kept_rules(config.game, players=config.players, variants=config.variants)
        found = _PLAYED[settings] = PlayedRules(rules, config.tokenwise)
    return found


def playing_engine(config: SimulationConfig, rules: Rules, games: int = 1) -> tuple[EngineName, str]:
    """The engine that plays some games of a simulation, and if it is not the fastest, why.

    Where bots cannot think in machine code they do so in generated Python, also if that was asked for. Raises
    `NotCompiled` where the one that is asked for cannot play these rules, and `NoMachineCode`.
    """
    if config.engine == REFERENCE_ENGINE:
        return REFERENCE_ENGINE, ""
    played, is_native = _played(config, rules), config.engine == NATIVE_ENGINE
    if config.engine == AUTO_ENGINE:
        is_native = (games >= MANY_GAMES or not are_blind(config.bots)) and can_make_machine_code()
    try:
        if are_blind(config.bots):
            played.program(NATIVE_ENGINE if is_native else COMPILED_ENGINE)  # made here, to see whether it can be
        else:
            thinking = played.thinking(COMPILED_ENGINE)
    except NotCompiled as refusal:
        if config.engine != AUTO_ENGINE:
            raise
        return REFERENCE_ENGINE, str(refusal)
    require_machine_code(config.engine)
    if is_native and not are_blind(config.bots):
        from rulewright.bots.native_positions import require_cells_alone

        try:
            require_cells_alone(thinking)
        except NotCompiled as refusal:
            return COMPILED_ENGINE, str(refusal) if config.engine == NATIVE_ENGINE else ""
    return (NATIVE_ENGINE if is_native else COMPILED_ENGINE), ""


ResultT = TypeVar("ResultT")
GameTask = tuple[tuple[str, ...], int]  # the bot of each seat, and the number that the game's seed comes from


def play_tasks(config: SimulationConfig, tasks: Sequence[GameTask]) -> list[GameStats]:
    """The games of these tasks; a process calls this for its share. Raises `SimulationError`."""
    played = _played(config)
    games = []
    for names, number in tasks:
        seed = game_seed(config.seed, number)
        try:
            name = played.engine_name(config.engine, is_blind=are_blind(names))
            is_compiled = name != REFERENCE_ENGINE
            if is_compiled and are_blind(names):
                games.append(played.table(name).play(names, seed, first=config.first, cap=config.cap))
                continue
            bots = make_bots(names, played.rules, seed)
            if is_compiled:
                with suppress(NotCompiled):  # more than the program has room for
                    games.append(played.thinking_table(name).play(bots, seed, first=config.first, cap=config.cap))
                    continue
                bots = make_bots(names, played.rules, seed)
            games.append(play_game(played.engine, bots, seed, first=config.first, cap=config.cap))
        except RuleFault as fault:
            raise SimulationError(names, seed, f"the rules fail here: {fault}") from None
    return games


def run_chunks(
    play: Callable[[SimulationConfig, Sequence[GameTask]], ResultT],
    config: SimulationConfig,
    tasks: Iterable[GameTask],
    count: int,
    *,
    jobs: int = 1,
    rules: Rules | None = None,
) -> Generator[ResultT, None, None]:
    """What a function makes of these `count` tasks, chunk by chunk, in their order; `jobs` processes share the chunks.
    Arguments as of `run_tasks`.
    """
    if rules is None:
        _PLAYED.clear()  # files may have changed since the games before
    else:
        _played(config, rules).engine_name(config.engine, is_blind=are_blind(config.bots))  # made once for all
    remaining, left, size = iter(tasks), count, 1

    def take_chunks() -> Iterator[tuple[GameTask, ...]]:
        nonlocal left
        while chunk := tuple(islice(remaining, size)):
            left -= len(chunk)
            yield chunk

    with closing(parallel_map(partial(_play_chunk, play, config), take_chunks(), jobs=min(jobs, count))) as results:
        for result, games, seconds in results:
            if jobs > 1:
                soon = int(CHUNK_SECONDS * games / max(seconds, MIN_SECONDS))
                size = max(1, min(limits.MAX_CHUNK_GAMES, soon, left // (2 * jobs)))  # all come to an end together
            yield result


def _play_chunk(
    play: Callable[[SimulationConfig, Sequence[GameTask]], ResultT], config: SimulationConfig, tasks: Sequence[GameTask]
) -> tuple[ResultT, int, float]:
    """What came of some tasks, how many they were, and how many seconds they took here."""
    began = monotonic()
    result = play(config, tasks)
    return result, len(tasks), monotonic() - began


def run_tasks(
    config: SimulationConfig, tasks: Iterable[GameTask], count: int, *, jobs: int = 1, rules: Rules | None = None
) -> Generator[GameStats, None, None]:
    """The games of these `count` tasks, in their order, played by `jobs` processes. `rules`: as they are loaded by now,
    else they are loaded anew.
    """
    with closing(run_chunks(play_tasks, config, tasks, count, jobs=jobs, rules=rules)) as chunks:
        for games in chunks:
            yield from games


def simulate_games(config: SimulationConfig, numbers: range, *, jobs: int = 1) -> Generator[GameStats, None, None]:
    """The games with these numbers, in their order."""
    return run_tasks(config, ((config.bots, number) for number in numbers), len(numbers), jobs=jobs)


__all__ = [
    "GameStats",
    "GameTask",
    "SimulationConfig",
    "game_seed",
    "make_bots",
    "play_game",
    "play_tasks",
    "playing_engine",
    "run_chunks",
    "run_tasks",
    "simulate_games",
]  # fmt: skip

"""What `simulate` and `tournament` have in common: the configuration, and games that are played and kept.

In: parsed arguments, rules. Out: what games depend on; the games, in a file too; the command that shows one of them.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from typing import Final

from rulewright import __version__, limits
from rulewright.cli.open_game import require_bot
from rulewright.cli.options import EngineOptions
from rulewright.cli.stoppable_work import BatchEnding, run_batch
from rulewright.engine.compiled.playing.machine_support import NoMachineCode
from rulewright.engine.compiled.translation.refusal import NotCompiled
from rulewright.engine.engine_names import EngineName
from rulewright.errors import UsageError
from rulewright.json_values import is_integer, is_text, is_text_list
from rulewright.model.locale import player_number
from rulewright.model.locate import default_game, is_path
from rulewright.model.rules import Rules
from rulewright.session.load_game import require_seat
from rulewright.simulation import game_rows, row_file
from rulewright.simulation.simulations import GameStats, GameTask, SimulationConfig, playing_engine, run_tasks


class BatchOptions(EngineOptions):
    """The options of every command in which bots play many games. What is None is the file's that is resumed, else the
    default.
    """

    engine: EngineName
    games: int | None
    first: int | None
    seed: int | None
    jobs: int
    cap: int | None
    json: bool
    csv: str | None
    resume: str | None


def complete_settings(args: BatchOptions) -> None:
    """Sets the arguments that are not given to those of the file that is resumed."""
    saved = _saved_settings(args.resume, args.command) if args.resume else {}
    if args.game and not is_path(args.game) and saved.get("game", args.game) != args.game:
        raise UsageError(f"{args.resume} has games of {saved['game']}, not of {args.game}")
    if args.resume and args.games is None:
        raise UsageError(f"--resume needs --games: {args.resume} does not say how many games were wanted")
    for name, key, is_valid in SETTINGS:
        if getattr(args, name, 0) in (None, []) and is_valid(saved.get(key)):  # 0: not an argument of this command
            setattr(args, name, saved[key])


def _saved_settings(path: str, command: str) -> Mapping[str, object]:
    """What the first line of the file says that is resumed."""
    with closing(row_file.read_complete_lines(path)) as lines:
        try:
            return game_rows.parse_metadata(next(lines, ""))
        except game_rows.RowsError as error:
            raise UsageError(f"{path} was not written by `{command} --csv`: {error}") from None


def _is_integer_from(low: int, high: int) -> Callable[[object], bool]:
    return lambda value: is_integer(value) and low <= value <= high


SETTINGS: Final[tuple[tuple[str, str, Callable[[object], bool]], ...]] = (  # argument, key in a file, what it may hold
    ("game", "game", is_text),
    ("players", "players", _is_integer_from(1, 99)),
    ("variant", "variants", is_text_list),
    ("tokenwise", "tokenwise", is_text_list),
    ("bot", "bots", is_text_list),
    ("seed", "seed", _is_integer_from(0, limits.MAX_SEED)),
    ("first", "first_seat", _is_integer_from(0, 98)),
    ("cap", "cap", _is_integer_from(1, 1_000_000)),
)
DEFAULT_GAMES, DEFAULT_SEED, DEFAULT_CAP = 100, 1, 2000


def build_simulation_config(args: BatchOptions, rules: Rules, bots: Sequence[str]) -> SimulationConfig:
    """The configuration that the arguments ask for, with these bots."""
    return SimulationConfig(
        game=args.game or default_game(),
        players=rules.players,
        variants=tuple(args.variant),
        bots=tuple(require_bot(rules, bot) for bot in bots),
        seed=DEFAULT_SEED if args.seed is None else args.seed,
        cap=DEFAULT_CAP if args.cap is None else args.cap,
        first=require_seat(rules, args.first or 0),
        tokenwise=tuple(args.tokenwise),
        engine=args.engine,
    )


def choose_engine(rules: Rules, config: SimulationConfig, games: int) -> tuple[EngineName, str]:
    """Which engine plays so many games, also in words: if it is not the fastest, why. Raises `UsageError` where the one
    asked for cannot.
    """
    try:
        name, reason = playing_engine(config, rules, games)
    except (NotCompiled, NoMachineCode) as refusal:
        raise UsageError(f"--engine {config.engine}: {refusal}") from None
    return name, f"{name} ({reason})" if reason else name


def batch_metadata(rules: Rules, config: SimulationConfig) -> dict[str, object]:
    """What the games depend on, as JSON data."""
    return {
        "rulewright": __version__,
        "game": rules.game,
        "version": rules.version,
        "rules": rules.digest,
        "players": rules.players,
        "variants": list(rules.variants),
        "bots": list(config.bots),
        "seed": config.seed,
        "first_seat": config.first,
        "cap": config.cap,
        "tokenwise": sorted(config.tokenwise),
    }


def play_batch(
    args: BatchOptions,
    rules: Rules,
    config: SimulationConfig,
    tasks: Callable[[], Iterator[GameTask]],
    count: int,
    add: Callable[[GameStats], None],
    *,
    with_deals: bool = False,
) -> tuple[BatchEnding, int]:
    """Plays these `count` games and hands each on; with --csv or --resume a file gets a line for each as well.

    Games that the file has already are handed on first. Returns how it ended, and how many games there are now.
    """
    already_done = 0
    file: row_file.RowFile | None = None
    if args.resume:
        if args.csv:
            raise UsageError("--resume appends to its file: leave out --csv")
        try:
            lines = row_file.read_complete_lines(args.resume)
            for row in game_rows.read_rows(lines, batch_metadata(rules, config), rules, tasks(), deals=with_deals):
                add(row.stats)
                already_done += 1
        except game_rows.RowsError as error:
            raise UsageError(f"{args.resume} cannot be resumed: {error}") from None
        file = row_file.reopen_row_file(args.resume)
    elif args.csv:
        file = row_file.create_row_file(
            args.csv, game_rows.format_header(batch_metadata(rules, config), rules, deals=with_deals)
        )
    done, pending = already_done, islice(tasks(), already_done, None)

    def keep(number: int, game: GameStats) -> None:
        nonlocal done
        bots, deal = next(pending)
        if file is not None:
            file.add(game_rows.format_row(game_rows.GameRow(number, bots, game, deal if with_deals else None)))
        add(game)
        done = number

    try:
        games = run_tasks(
            config, islice(tasks(), already_done, None), count - already_done, jobs=args.jobs, rules=rules
        )
        return run_batch(games, count, keep, already_done), done
    finally:
        if file is not None:
            file.close()


def play_command(args: BatchOptions, config: SimulationConfig, bots: Sequence[str], seed: int) -> str:
    """The command that shows a game with this seed move by move."""
    words = ["rulewright", "play", *([args.game] if args.game else []), "--players", str(config.players)]
    for option, values in (("--variant", config.variants), ("--tokenwise", config.tokenwise), ("--seat", bots)):
        words += [word for value in values for word in (option, value)]
    words += ["--first-player", str(player_number(config.first)), "--cap", str(config.cap), "--seed", str(seed)]
    return shlex.join(words)


def report_ending(ending: BatchEnding, args: BatchOptions, config: SimulationConfig, done: int, count: int) -> int:
    """Says why not all games were played, if so; returns the exit status."""
    if ending.message:
        name = args.csv or args.resume
        games = f"--games {DEFAULT_GAMES} " if args.games is None else ""
        more = f"; for the rest: the same command with {games}--resume {name}" if name else ""
        lines = [f"rulewright: {ending.message} after {done} of {count} games{more}"]
        if ending.fault is not None:
            lines.append(f"move by move: {play_command(args, config, ending.fault.bots, ending.fault.seed)}")
        print("\n" + "\n".join(lines), file=sys.stderr, flush=True)
    return ending.status


__all__ = [
    "DEFAULT_GAMES",
    "BatchOptions",
    "batch_metadata",
    "build_simulation_config",
    "complete_settings",
    "play_batch",
    "play_command",
    "report_ending",
]

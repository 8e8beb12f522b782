"""What `simulate` and `tournament` have in common: the configuration, and games that are played and kept.

In: parsed arguments, rules. Out: what games depend on; the games, in a file too; the command that shows one of them.
"""

from __future__ import annotations

import shlex
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from rulewright import __version__
from rulewright.cli.open_game import require_bot
from rulewright.cli.progress import BatchEnding, run_batch
from rulewright.errors import UsageError
from rulewright.model.locate import default_game
from rulewright.model.rules import Rules
from rulewright.session.load_game import require_seat
from rulewright.simulation import game_rows, row_file
from rulewright.simulation.simulations import GameStats, GameTask, SimulationConfig, run_tasks


def build_simulation_config(args: Namespace, rules: Rules, bots: Sequence[str]) -> SimulationConfig:
    """The configuration that the arguments ask for, with these bots."""
    return SimulationConfig(
        game=args.game or default_game(),
        players=rules.players,
        variants=tuple(args.variant),
        bots=tuple(require_bot(rules, bot) for bot in bots),
        seed=args.seed,
        cap=args.cap,
        first=require_seat(rules, args.first),
        tokenwise=tuple(args.tokenwise),
    )


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
    args: Namespace,
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
        games = run_tasks(config, islice(tasks(), already_done, None), count - already_done, jobs=args.jobs)
        return run_batch(games, count, keep, already_done), done
    finally:
        if file is not None:
            file.close()


def play_command(args: Namespace, config: SimulationConfig, bots: Sequence[str], seed: int) -> str:
    """The command that shows a game with this seed move by move."""
    words = ["rulewright", "play", *([args.game] if args.game else []), "--players", str(config.players)]
    for option, values in (("--variant", config.variants), ("--tokenwise", config.tokenwise), ("--seat", bots)):
        words += [word for value in values for word in (option, value)]
    words += ["--first", str(config.first), "--cap", str(config.cap), "--seed", str(seed)]
    return shlex.join(words)


def report_ending(ending: BatchEnding, args: Namespace, config: SimulationConfig, done: int, count: int) -> int:
    """Says why not all games were played, if so; returns the exit status."""
    if ending.message:
        name = args.csv or args.resume
        more = f"; for the rest: the same command with --resume {name}" if name else ""
        lines = [f"rulewright: {ending.message} after {done} of {count} games{more}"]
        if ending.fault is not None:
            lines.append(f"move by move: {play_command(args, config, ending.fault.bots, ending.fault.seed)}")
        print("\n" + "\n".join(lines), file=sys.stderr, flush=True)
    return ending.status


__all__ = ["batch_metadata", "build_simulation_config", "play_batch", "play_command", "report_ending"]

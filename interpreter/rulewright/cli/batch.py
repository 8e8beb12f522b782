"""What `simulate` and `tournament` have in common: the setting that is asked for, and games that are played and kept.

In: parsed arguments, rules. Out: what games hang on; the games, in a file too; the command that shows one move by move.
"""

from __future__ import annotations

import shlex
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from rulewright import __version__
from rulewright.cli import open_game
from rulewright.cli.progress import BatchEnding, run_batch
from rulewright.errors import UsageError
from rulewright.model.loader import default_game
from rulewright.model.rules import Rules
from rulewright.simulation import game_rows, row_file
from rulewright.simulation.simulations import GameStats, GameTask, SimulationConfig, run_tasks


def build_simulation_config(wish: Namespace, rules: Rules, bots: Sequence[str]) -> SimulationConfig:
    """The setting that the arguments ask for, with these bots."""
    return SimulationConfig(
        game=wish.game or default_game(),
        players=rules.players,
        variants=tuple(wish.variant),
        bots=tuple(open_game.require_bot(rules, one) for one in bots),
        seed=wish.seed,
        cap=wish.cap,
        first=open_game.require_seat(rules, wish.first),
        tokenwise=tuple(wish.tokenwise),
    )


def batch_metadata(rules: Rules, chosen: SimulationConfig) -> dict[str, Any]:
    """What the games hang on, as JSON data."""
    return {
        "rulewright": __version__,
        "game": rules.game,
        "version": rules.version,
        "rules": rules.digest,
        "players": rules.players,
        "variants": list(rules.variants),
        "bots": list(chosen.bots),
        "seed": chosen.seed,
        "first_seat": chosen.first,
        "cap": chosen.cap,
        "tokenwise": sorted(chosen.tokenwise),
    }


def play_batch(
    wish: Namespace,
    rules: Rules,
    chosen: SimulationConfig,
    tasks: Callable[[], Iterator[GameTask]],
    count: int,
    add: Callable[[GameStats], None],
    *,
    with_deals: bool = False,
) -> tuple[BatchEnding, int]:
    """Plays these `count` games and hands on each; with --csv or --resume a file gets a line for each as well.

    How it ended, and how many games there are now. Games that the file held before are handed on first.
    """
    before = 0
    file: row_file.RowFile | None = None
    if wish.resume:
        if wish.csv:
            raise UsageError("--resume goes on in the file that it names: leave --csv out")
        try:
            lines = row_file.read_complete_lines(wish.resume)
            for row in game_rows.read_rows(lines, batch_metadata(rules, chosen), rules, tasks(), deals=with_deals):
                add(row.stats)
                before += 1
        except game_rows.RowsError as error:
            raise UsageError(f"{wish.resume} cannot be resumed: {error}") from None
        file = row_file.reopen_row_file(wish.resume)
    elif wish.csv:
        file = row_file.create_row_file(
            wish.csv, game_rows.format_header(batch_metadata(rules, chosen), rules, deals=with_deals)
        )
    done, played = before, islice(tasks(), before, None)

    def kept(number: int, game: GameStats) -> None:
        nonlocal done
        bots, seeded = next(played)
        if file is not None:
            file.add(game_rows.format_row(game_rows.GameRow(number, bots, game, seeded if with_deals else None)))
        add(game)
        done = number

    try:
        games = run_tasks(chosen, islice(tasks(), before, None), count - before, jobs=wish.jobs)
        return run_batch(games, count, kept, before), done
    finally:
        if file is not None:
            file.close()


def play_command(wish: Namespace, chosen: SimulationConfig, bots: Sequence[str], seed: int) -> str:
    """The command that shows a game with this seed move by move."""
    words = ["rulewright", "play", *([wish.game] if wish.game else []), "--players", str(chosen.players)]
    for option, values in (("--variant", chosen.variants), ("--tokenwise", chosen.tokenwise), ("--seat", bots)):
        words += [word for value in values for word in (option, value)]
    words += ["--first", str(chosen.first), "--cap", str(chosen.cap), "--seed", str(seed)]
    return shlex.join(words)


def report_ending(ending: BatchEnding, wish: Namespace, chosen: SimulationConfig, done: int, count: int) -> int:
    """Says why not all games were played, if so; the exit status."""
    if ending.message:
        name = wish.csv or wish.resume
        more = f"; for the rest: the same command with --resume {name}" if name else ""
        lines = [f"rulewright: {ending.message} after {done} of {count} games{more}"]
        if ending.fault is not None:
            lines.append(f"move by move: {play_command(wish, chosen, ending.fault.bots, ending.fault.seed)}")
        print("\n" + "\n".join(lines), file=sys.stderr, flush=True)
    return ending.status


__all__ = ["batch_metadata", "build_simulation_config", "play_batch", "play_command", "report_ending"]

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
from rulewright.cli.progress import Ending, carried
from rulewright.errors import UsageError
from rulewright.model.loader import default_game
from rulewright.model.rules import Rules
from rulewright.simulation import game_rows, row_file
from rulewright.simulation.simulations import Played, Setting, Task, all_tasks


def setting(wish: Namespace, rules: Rules, bots: Sequence[str]) -> Setting:
    """The setting that the arguments ask for, with these bots."""
    return Setting(
        game=wish.game or default_game(),
        players=rules.players,
        variants=tuple(wish.variant),
        bots=tuple(open_game.bot(rules, one) for one in bots),
        seed=wish.seed,
        cap=wish.cap,
        first=open_game.seat(rules, wish.first),
        tokenwise=tuple(wish.tokenwise),
    )


def common(rules: Rules, chosen: Setting) -> dict[str, Any]:
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


def carried_out(
    wish: Namespace,
    rules: Rules,
    chosen: Setting,
    tasks: Callable[[], Iterator[Task]],
    count: int,
    add: Callable[[Played], None],
    *,
    deals: bool = False,
) -> tuple[Ending, int]:
    """Plays these `count` games and hands on each; with --csv or --resume a file gets a line for each as well.

    How it ended, and how many games there are now. Games that the file held before are handed on first.
    """
    before = 0
    file: row_file.RowFile | None = None
    if wish.resume:
        if wish.csv:
            raise UsageError("--resume goes on in the file that it names: leave --csv out")
        try:
            lines = row_file.whole_lines(wish.resume)
            for row in game_rows.games(lines, common(rules, chosen), rules, tasks(), deals=deals):
                add(row.played)
                before += 1
        except game_rows.BadRows as error:
            raise UsageError(f"{wish.resume} cannot be resumed: {error}") from None
        file = row_file.resumed(wish.resume)
    elif wish.csv:
        file = row_file.begun(wish.csv, game_rows.head(common(rules, chosen), rules, deals=deals))
    done, played = before, islice(tasks(), before, None)

    def kept(number: int, game: Played) -> None:
        nonlocal done
        bots, seeded = next(played)
        if file is not None:
            file.add(game_rows.line(game_rows.Row(number, bots, game, seeded if deals else None)))
        add(game)
        done = number

    try:
        games = all_tasks(chosen, islice(tasks(), before, None), count - before, jobs=wish.jobs)
        return carried(games, count, kept, before), done
    finally:
        if file is not None:
            file.close()


def replay(wish: Namespace, chosen: Setting, bots: Sequence[str], seed: int) -> str:
    """The command that shows a game with this seed move by move."""
    words = ["rulewright", "play", *([wish.game] if wish.game else []), "--players", str(chosen.players)]
    for option, values in (("--variant", chosen.variants), ("--tokenwise", chosen.tokenwise), ("--seat", bots)):
        words += [word for value in values for word in (option, value)]
    words += ["--first", str(chosen.first), "--cap", str(chosen.cap), "--seed", str(seed)]
    return shlex.join(words)


def told(ending: Ending, wish: Namespace, chosen: Setting, done: int, count: int) -> int:
    """Says why not all games were played, if so; the exit status."""
    if ending.why:
        name = wish.csv or wish.resume
        more = f"; for the rest: the same command with --resume {name}" if name else ""
        lines = [f"rulewright: {ending.why} after {done} of {count} games{more}"]
        if ending.fault is not None:
            lines.append(f"move by move: {replay(wish, chosen, ending.fault.bots, ending.fault.seed)}")
        print("\n" + "\n".join(lines), file=sys.stderr, flush=True)
    return ending.status


__all__ = ["carried_out", "common", "replay", "setting", "told"]

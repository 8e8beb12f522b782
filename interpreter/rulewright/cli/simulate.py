"""`rulewright simulate`: many games by bots, summed up.

In: parsed arguments. Out: a table on stdout, or one JSON object; on demand a file with a line for each game, and a
picture; progress on stderr when it takes long. Who stops it gets the figures of the games that were played.
"""

from __future__ import annotations

import json
import os
from argparse import Namespace
from pathlib import Path
from typing import Final

from rulewright.cli import batch, open_game
from rulewright.cli.progress import run_batch
from rulewright.errors import UsageError
from rulewright.model.locale import player_name
from rulewright.model.rules import Rules
from rulewright.simulation import game_rows, plot, row_file
from rulewright.simulation.aggregate import SimulationBuilder
from rulewright.simulation.simulations import GameStats, SimulationConfig, simulate_games
from rulewright.simulation.summary_table import summary_table
from rulewright.terminal.atomic_write import atomic_write
from rulewright.terminal.reasons import rules_headline

DEFAULT_GAMES: Final = 100  # games


def run(wish: Namespace) -> int:
    """Simulates and prints what came of it."""
    _fits(wish)
    engine = open_game.engine_from_args(wish)
    rules = engine.rules
    bots = wish.bot or ["random"]
    if len(bots) not in (1, rules.players):
        raise UsageError(
            f"--bot is given {len(bots)} times, and {rules.players} play: give it once, or once for each seat"
        )
    chosen = batch.build_simulation_config(wish, rules, bots * rules.players if len(bots) == 1 else bots)
    if wish.only is not None:
        return _one(wish, rules, chosen)
    wanted = DEFAULT_GAMES if wish.games is None else wish.games
    pinned = batch.batch_metadata(rules, chosen)
    kind = _picture_kind(wish.plot) if wish.plot else ""
    tally = SimulationBuilder(rules.players)
    ending, count = batch.play_batch(
        wish, rules, chosen, lambda: ((chosen.bots, number) for number in range(1, wanted + 1)), wanted, tally.add
    )
    found = tally.build()
    if kind:
        atomic_write(wish.plot, plot.render_plot(found, chosen.bots, _title(rules, chosen, count), kind))
    if wish.json:
        print(json.dumps({**pinned, "games_wanted": wanted, **found.to_data()}, ensure_ascii=False, allow_nan=False))
    elif count or ending.fault is None:
        print(_title(rules, chosen, count))
        print("\n".join(summary_table(found, chosen.bots, chosen.cap)))
    return batch.report_ending(ending, wish, chosen, count, wanted)


def _fits(wish: Namespace) -> None:
    """Options that do not go together."""
    if wish.only is not None:
        for name in ("resume", "plot"):
            if getattr(wish, name) is not None:
                raise UsageError(f"--only plays one game: leave --{name} out")
        if wish.games is not None and wish.only > wish.games:
            raise UsageError(f"--only {wish.only} is none of {wish.games} games")


def _title(rules: Rules, chosen: SimulationConfig, count: int) -> str:
    many = f"{count} {'game' if count == 1 else 'games'}"
    return (
        f"{rules_headline(rules, asked_variants=chosen.variants)}\n{many}, bots: {', '.join(chosen.bots)}, "
        f"seed {chosen.seed}, {player_name(chosen.first)} begins"
    )


def _picture_kind(name: str) -> str:
    """The kind of picture that is wanted; what would hinder it is said before the games are played."""
    try:
        kind = plot.plot_format(Path(name).suffix)
    except plot.PlotError as error:
        raise UsageError(str(error)) from None
    if os.path.lexists(name):
        raise UsageError(f"{name} is there already; choose another name for the picture")
    if not Path(name).parent.is_dir():
        raise UsageError(f"{name} cannot be written: there is no folder {Path(name).parent}")
    return kind


def _one(wish: Namespace, rules: Rules, chosen: SimulationConfig) -> int:
    """One game alone, and the command that shows it move by move."""
    found: list[GameStats] = []
    ending = run_batch(simulate_games(chosen, range(wish.only, wish.only + 1)), 1, lambda _, one: found.append(one))
    if ending.status:
        return batch.report_ending(ending, wish, chosen, 0, 1)
    (played,) = found
    pinned = batch.batch_metadata(rules, chosen)
    line = game_rows.format_row(game_rows.GameRow(wish.only, chosen.bots, played))
    if wish.csv:
        file = row_file.create_row_file(wish.csv, game_rows.format_header(pinned, rules))
        file.add(line)
        file.close()
    shown = batch.play_command(wish, chosen, chosen.bots, played.seed)
    if wish.json:
        data = {
            "game": wish.only,
            "seed": played.seed,
            "finished": played.is_finished,
            "winners": list(played.winners),
            "places": list(played.places),
            "turns": played.turns,
            "decisions": played.decisions,
            "forced": played.forced_decisions,
            "legal_distribution": [list(pair) for pair in played.option_counts],
            "measures": {name: list(one) if isinstance(one, tuple) else one for name, one in played.measures},
        }
        print(json.dumps({**pinned, "only": data, "replay": shown}, ensure_ascii=False, allow_nan=False))
        return 0
    print(rules_headline(rules, asked_variants=chosen.variants))
    print(f"game {wish.only}, bots: {', '.join(chosen.bots)}, seed {chosen.seed}, {player_name(chosen.first)} begins")
    for name, cell in zip(game_rows.column_names(rules), game_rows.split_row(line), strict=True):
        if name != "game":
            print(f"  {name.removeprefix('measures.').replace('_', ' '):<24} {cell}".rstrip())
    print(f"move by move: {shown}")
    return 0


__all__ = ["run"]

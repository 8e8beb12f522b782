"""`rulewright simulate`: many games by bots, summed up.

In: parsed arguments. Out: a table on stdout, or one JSON object; on demand a file with a line for each game, and a
picture; progress on stderr when it takes long. When it is stopped, it sums up the games that were played.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from rulewright.atomic_write import atomic_write
from rulewright.cli import batch
from rulewright.cli.open_game import engine_from_args
from rulewright.cli.stoppable_work import BatchEnding, run_batch
from rulewright.errors import UsageError, already_exists
from rulewright.frozen import replace
from rulewright.model.locale import player_name
from rulewright.model.rules import Rules
from rulewright.simulation import game_rows, plot, row_file
from rulewright.simulation.aggregate import SimulationBuilder
from rulewright.simulation.shared_sums import simulate_sums
from rulewright.simulation.simulations import (
    GameStats,
    SimulationConfig,
    simulate_games,
)
from rulewright.simulation.summary_table import summary_table
from rulewright.terminal.headline import rules_headline
from rulewright.variants.variant_names import format_player_count


class Options(batch.BatchOptions):
    """The options of `simulate`."""

    bot: list[str] | None
    only: int | None
    plot: str | None


def run(args: Options) -> int:
    """Simulates and prints what came of it."""
    _check_options(args)
    batch.complete_settings(args)
    engine = engine_from_args(args)
    rules = engine.rules
    bots = args.bot or ["random"]
    if len(bots) not in (1, rules.players):
        raise UsageError(
            f"--bot is given {len(bots)} times for {format_player_count((rules.players, rules.players))}: "
            "give it once, or once for each"
        )
    config = batch.build_simulation_config(args, rules, bots * rules.players if len(bots) == 1 else bots)
    game_count = batch.DEFAULT_GAMES if args.games is None else args.games
    name, engine_text = batch.choose_engine(rules, config, game_count)
    config = replace(config, engine=name)
    if args.only is not None:
        return _run_single(args, args.only, rules, config)
    metadata = batch.batch_metadata(rules, config)
    format = _plot_format(args.plot) if args.plot else ""
    builder = SimulationBuilder(rules.players)
    if args.jobs > 1 and not (args.csv or args.resume):
        ending = _play_sums(config, rules, game_count, args.jobs, builder)
        count = builder.games
    else:
        ending, count = batch.play_batch(
            args,
            rules,
            config,
            lambda: ((config.bots, number) for number in range(1, game_count + 1)),
            game_count,
            builder.add,
        )
    simulation = builder.build()
    if args.plot:
        atomic_write(args.plot, plot.render_plot(simulation, config.bots, _title(rules, config, count), format))
    if args.json:
        print(
            json.dumps(
                {**metadata, "engine": name, "games_wanted": game_count, **simulation.to_data()},
                ensure_ascii=False,
                allow_nan=False,
            )
        )
    elif count or ending.fault is None:
        print(f"{_title(rules, config, count)}, engine: {engine_text}")
        print("\n".join(summary_table(simulation, config.bots, config.cap)))
    return batch.report_ending(ending, args, config, count, game_count)


def _play_sums(
    config: SimulationConfig, rules: Rules, count: int, jobs: int, builder: SimulationBuilder
) -> BatchEnding:
    """Plays games of which nothing is written down but what they add up to."""
    sums = simulate_sums(config, range(1, count + 1), jobs=jobs, rules=rules)
    return run_batch(sums, count, lambda _, chunk: builder.merge(chunk), size=lambda chunk: chunk.games)


def _check_options(args: Options) -> None:
    """Raises `UsageError` for options that do not go together."""
    if args.only is not None:
        for name, value in (("resume", args.resume), ("plot", args.plot)):
            if value is not None:
                raise UsageError(f"--{name} cannot be used with --only")
        if args.games is not None and args.only > args.games:
            raise UsageError(f"there is no game {args.only}: --games is {args.games}")


def _title(rules: Rules, config: SimulationConfig, count: int) -> str:
    games = f"{count} {'game' if count == 1 else 'games'}"
    return (
        f"{rules_headline(rules, asked_variants=config.variants)}\n{games}, bots: {', '.join(config.bots)}, "
        f"seed {config.seed}, {player_name(config.first)} begins"
    )


def _plot_format(name: str) -> str:
    """The format of the picture; what would prevent it is reported before the games are played."""
    try:
        format = plot.plot_format(Path(name).suffix)
    except plot.PlotError as error:
        raise UsageError(str(error)) from None
    if os.path.lexists(name):
        raise already_exists(name)
    if not Path(name).parent.is_dir():
        raise UsageError(f"cannot write {name}: there is no folder {Path(name).parent}")
    return format


def _run_single(args: Options, number: int, rules: Rules, config: SimulationConfig) -> int:
    """One game alone, and the command that shows it move by move."""
    results: list[GameStats] = []
    ending = run_batch(simulate_games(config, range(number, number + 1)), 1, lambda _, stats: results.append(stats))
    if ending.status:
        return batch.report_ending(ending, args, config, 0, 1)
    (played,) = results
    metadata = batch.batch_metadata(rules, config)
    line = game_rows.format_row(game_rows.GameRow(number, config.bots, played))
    if args.csv:
        file = row_file.create_row_file(args.csv, game_rows.format_header(metadata, rules))
        file.add(line)
        file.close()
    command = batch.play_command(args, config, config.bots, played.seed)
    if args.json:
        data = {
            "game": number,
            "seed": played.seed,
            "finished": played.is_finished,
            "winners": list(played.winners),
            "draw": played.is_draw,
            "ending": played.ending or None,
            "places": list(played.places),
            "turns": played.turns,
            "decisions": played.decisions,
            "forced": played.forced_decisions,
            "legal_distribution": [list(pair) for pair in played.option_counts],
            "measures": {name: list(value) if isinstance(value, tuple) else value for name, value in played.measures},
        }
        print(json.dumps({**metadata, "only": data, "replay": command}, ensure_ascii=False, allow_nan=False))
        return 0
    print(rules_headline(rules, asked_variants=config.variants))
    print(f"game {number}, bots: {', '.join(config.bots)}, seed {config.seed}, {player_name(config.first)} begins")
    for name, cell in zip(game_rows.column_names(rules), game_rows.split_row(line), strict=True):
        if name not in ("game", "draw"):
            if name == "winners":
                cell = "a draw" if played.is_draw else _players(cell)
            print(f"  {_row_label(name):<27} {cell}".rstrip())
    print(f"move by move: {command}")
    return 0


def _row_label(column: str) -> str:
    """What people call a column of a row file: `place of player 1` for `place.0`."""
    name, _, seat = column.removeprefix("measures.").partition(".")
    label = name.replace("_", " ")
    return f"{label} of {player_name(int(seat))}" if seat else label


def _players(seats: str) -> str:
    """The players in a cell of seats with blanks between them."""
    return ", ".join(player_name(int(seat)) for seat in seats.split())


__all__ = ["Options", "run"]

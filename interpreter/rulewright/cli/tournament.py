"""`rulewright tournament`: bots against one another, on the same seeds with seats exchanged.

In: parsed arguments. Out: tables on stdout, in columns or in Markdown, or one JSON object; on demand a file with a line
for each game. When it is stopped, it reports the deals that are finished.
"""

from __future__ import annotations

import json
from typing import Final

from rulewright.cli import batch
from rulewright.cli.open_game import engine_from_args
from rulewright.errors import UsageError
from rulewright.frozen import replace
from rulewright.model.rules import Rules
from rulewright.simulation.simulations import SimulationConfig
from rulewright.simulation.standings import table_markdown, table_text, tournament_tables
from rulewright.simulation.tournaments import Tournament, TournamentBuilder, TournamentPlan, plan_tournament
from rulewright.terminal.headline import rules_headline
from rulewright.terminal.reasons import wrap
from rulewright.terminal.width import terminal_width

EXCLUDED_MESSAGE: Final = (
    "{} games were given up after {} turns; they and the other games of their pairing with the same seed are left out "
    "({} of {})."
)


class Options(batch.BatchOptions):
    """The options of `tournament`."""

    bots: list[str]
    markdown: bool


def run(args: Options) -> int:
    """Plays the tournament and prints what came of it."""
    batch.complete_settings(args)
    rules = engine_from_args(args).rules
    _check_options(args, rules)
    config = batch.build_simulation_config(args, rules, args.bots)
    plan = plan_tournament(args.bots, rules.players, batch.DEFAULT_GAMES if args.games is None else args.games)
    name, engine_text = batch.choose_engine(rules, config, plan.total_games)
    config = replace(config, engine=name)
    metadata = batch.batch_metadata(rules, config)
    scores = TournamentBuilder(plan)
    ending, count = batch.play_batch(args, rules, config, plan.tasks, plan.total_games, scores.add, with_deals=True)
    tournament = scores.build()
    if args.json:
        print(
            json.dumps(
                {**metadata, "engine": name, **tournament.to_data()},
                ensure_ascii=False,
                allow_nan=False,
            )
        )
    else:
        print("\n".join(_tournament_lines(tournament, rules, config, engine_text, as_markdown=args.markdown)))
    return batch.report_ending(ending, args, config, count, plan.total_games)


def _check_options(args: Options, rules: Rules) -> None:
    if rules.players < 2:
        raise UsageError("a tournament needs a game for two players or more")
    if len(args.bots) < 2:
        raise UsageError("a tournament needs two bots or more")
    repeated = next((bot for index, bot in enumerate(args.bots) if bot in args.bots[:index]), None)
    if repeated is not None:
        raise UsageError(f"{repeated} is given twice: give every bot once")
    if args.json and args.markdown:
        raise UsageError("--json cannot be used with --markdown")


def _tournament_lines(
    tournament: Tournament, rules: Rules, config: SimulationConfig, engine_text: str, *, as_markdown: bool
) -> list[str]:
    width = None if as_markdown else terminal_width()
    lines = [
        rules_headline(rules, asked_variants=config.variants),
        *wrap(_summary(tournament.plan, tournament, config), width=width or 10_000),
        *wrap(f"engine: {engine_text}", width=width or 10_000),
    ]
    for table in tournament_tables(tournament, width):
        lines += ["", *(table_markdown(table) if as_markdown else table_text(table))]
    if tournament.unfinished_games:
        parts = tournament.deals * len(tournament.plan.lineups)
        lines += [
            "",
            *wrap(
                EXCLUDED_MESSAGE.format(tournament.unfinished_games, config.cap, tournament.excluded_deals, parts),
                width=width or 10_000,
            ),
        ]
    return lines


def _summary(plan: TournamentPlan, tournament: Tournament, config: SimulationConfig) -> str:
    pairings = len(plan.lineups)
    orders = sorted({len(lineup) for lineup in plan.lineups})
    counts = f"{orders[0]}" if len(orders) == 1 else f"{orders[0]} to {orders[-1]}"
    return (
        f"{tournament.games} games: {tournament.deals} {'deal' if tournament.deals == 1 else 'deals'}, each played by "
        f"{pairings} {'pairing' if pairings == 1 else 'pairings'} in {counts} seat orders; seed {config.seed}"
    )


__all__ = ["Options", "run"]

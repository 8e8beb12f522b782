"""`rulewright tournament`: bots against one another, on the same seeds with seats exchanged.

In: parsed arguments. Out: tables on stdout, in columns or in Markdown, or one JSON object; on demand a file with a line
for each game. Who stops it gets the figures of the deals that were played to their end.
"""

from __future__ import annotations

import json
from argparse import Namespace
from typing import Final

from rulewright.cli import batch, open_game
from rulewright.errors import UsageError
from rulewright.model.rules import Rules
from rulewright.simulation.simulations import SimulationConfig
from rulewright.simulation.standings import table_markdown, table_text, tournament_tables
from rulewright.simulation.tournaments import Tournament, TournamentBuilder, TournamentPlan, plan_tournament
from rulewright.terminal.reasons import rules_headline, wrap
from rulewright.terminal.width import terminal_width

EXCLUDED_MESSAGE: Final = (
    "{} games were given up after {} turns; they and the other games of their pairing with the same seed are left out "
    "({} of {})."
)


def run(wish: Namespace) -> int:
    """Plays the tournament and prints what came of it."""
    rules = open_game.engine_from_args(wish).rules
    _fits(wish, rules)
    chosen = batch.build_simulation_config(wish, rules, wish.bots)
    planned = plan_tournament(wish.bots, rules.players, wish.games)
    pinned = batch.batch_metadata(rules, chosen)
    scores = TournamentBuilder(planned)
    ending, count = batch.play_batch(
        wish, rules, chosen, planned.tasks, planned.total_games, scores.add, with_deals=True
    )
    found = scores.build()
    if wish.json:
        print(json.dumps({**pinned, **found.to_data()}, ensure_ascii=False, allow_nan=False))
    else:
        print("\n".join(_lines(found, rules, chosen, markdown_=wish.markdown)))
    return batch.report_ending(ending, wish, chosen, count, planned.total_games)


def _fits(wish: Namespace, rules: Rules) -> None:
    if rules.players < 2:
        raise UsageError("a tournament needs a game for two players or more")
    if len(wish.bots) < 2:
        raise UsageError("a tournament needs two bots or more")
    twice = next((one for at, one in enumerate(wish.bots) if one in wish.bots[:at]), None)
    if twice is not None:
        raise UsageError(f"{twice} is named twice: name every bot once")
    if wish.json and wish.markdown:
        raise UsageError("--json and --markdown are two ways to print: give one of them")


def _lines(found: Tournament, rules: Rules, chosen: SimulationConfig, *, markdown_: bool) -> list[str]:
    width = None if markdown_ else terminal_width()
    lines = [
        rules_headline(rules, asked_variants=chosen.variants),
        *wrap(_how(found.plan, found, chosen), width=width or 10_000),
    ]
    for grid in tournament_tables(found, width):
        lines += ["", *(table_markdown(grid) if markdown_ else table_text(grid))]
    if found.unfinished_games:
        parts = found.deals * len(found.plan.lineups)
        lines += [
            "",
            *wrap(
                EXCLUDED_MESSAGE.format(found.unfinished_games, chosen.cap, found.excluded_deals, parts),
                width=width or 10_000,
            ),
        ]
    return lines


def _how(planned: TournamentPlan, found: Tournament, chosen: SimulationConfig) -> str:
    pairings = len(planned.lineups)
    orders = sorted({len(lineup) for lineup in planned.lineups})
    said = f"{orders[0]}" if len(orders) == 1 else f"{orders[0]} to {orders[-1]}"
    return (
        f"{found.games} games: {found.deals} {'deal' if found.deals == 1 else 'deals'}, each played by "
        f"{pairings} {'pairing' if pairings == 1 else 'pairings'} in {said} seat orders; seed {chosen.seed}"
    )


__all__ = ["run"]

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
from rulewright.simulation.simulations import Setting
from rulewright.simulation.standings import grids, markdown, text
from rulewright.simulation.tournaments import Plan, Scores, Tournament, plan
from rulewright.terminal.reasons import headline, wrapped
from rulewright.terminal.width import columns

LEFT_OUT: Final = (
    "{} games were given up after {} turns; they and the other games of their pairing with the same seed are left out "
    "({} of {})."
)


def run(wish: Namespace) -> int:
    """Plays the tournament and prints what came of it."""
    rules = open_game.opened(wish).rules
    _fits(wish, rules)
    chosen = batch.setting(wish, rules, wish.bots)
    planned = plan(wish.bots, rules.players, wish.games)
    pinned = batch.common(rules, chosen)
    scores = Scores(planned)
    ending, count = batch.carried_out(wish, rules, chosen, planned.tasks, planned.games, scores.add, deals=True)
    found = scores.tournament()
    if wish.json:
        print(json.dumps({**pinned, **found.data()}, ensure_ascii=False, allow_nan=False))
    else:
        print("\n".join(_lines(found, rules, chosen, markdown_=wish.markdown)))
    return batch.told(ending, wish, chosen, count, planned.games)


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


def _lines(found: Tournament, rules: Rules, chosen: Setting, *, markdown_: bool) -> list[str]:
    width = None if markdown_ else columns()
    lines = [headline(rules, named=chosen.variants), *wrapped(_how(found.plan, found, chosen), width=width or 10_000)]
    for grid in grids(found, width):
        lines += ["", *(markdown(grid) if markdown_ else text(grid))]
    if found.unfinished:
        parts = found.deals * len(found.plan.lineups)
        lines += [
            "",
            *wrapped(LEFT_OUT.format(found.unfinished, chosen.cap, found.left_out, parts), width=width or 10_000),
        ]
    return lines


def _how(planned: Plan, found: Tournament, chosen: Setting) -> str:
    pairings = len(planned.lineups)
    orders = sorted({len(lineup) for lineup in planned.lineups})
    said = f"{orders[0]}" if len(orders) == 1 else f"{orders[0]} to {orders[-1]}"
    return (
        f"{found.games} games: {found.deals} {'deal' if found.deals == 1 else 'deals'}, each played by "
        f"{pairings} {'pairing' if pairings == 1 else 'pairings'} in {said} seat orders; seed {chosen.seed}"
    )


__all__ = ["run"]

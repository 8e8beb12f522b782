"""What `simulate` and `tournament` have in common: the setting that the arguments ask for, in words and as data.

In: parsed arguments, rules. Out: what games hang on; the command that shows one of them move by move.
"""

from __future__ import annotations

import shlex
import sys
from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from rulewright import __version__
from rulewright.front import opening
from rulewright.front.underway import Ending
from rulewright.model.load import default_game
from rulewright.model.rules import Rules
from rulewright.play.simulate import Setting


def setting(wish: Namespace, rules: Rules, bots: Sequence[str]) -> Setting:
    """The setting that the arguments ask for, with these bots."""
    return Setting(
        game=wish.game or default_game(),
        players=rules.players,
        variants=tuple(wish.variant),
        bots=tuple(bots),
        seed=wish.seed,
        cap=wish.cap,
        first=opening.seat(rules, wish.first),
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


def replay(wish: Namespace, chosen: Setting, bots: Sequence[str], seed: int) -> str:
    """The command that shows a game with this seed move by move."""
    words = ["rulewright", "play", *([wish.game] if wish.game else []), "--players", str(chosen.players)]
    for option, values in (("--variant", chosen.variants), ("--tokenwise", chosen.tokenwise), ("--seat", bots)):
        words += [word for value in values for word in (option, value)]
    words += ["--first", str(chosen.first), "--cap", str(chosen.cap), "--seed", str(seed)]
    return shlex.join(words)


def told(ending: Ending, wish: Namespace, chosen: Setting, done: int, count: int, more: str = "") -> int:
    """Says why not all games were played, if so; the exit status."""
    if ending.why:
        lines = [f"rulewright: {ending.why} after {done} of {count} games{more}"]
        if ending.fault is not None:
            lines.append(f"move by move: {replay(wish, chosen, ending.fault.bots, ending.fault.seed)}")
        print("\n" + "\n".join(lines), file=sys.stderr, flush=True)
    return ending.status


__all__ = ["common", "replay", "setting", "told"]

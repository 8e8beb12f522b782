"""The command that shows people a game that was played in a check.

In: rules, the composition they were built from, the seed of a game and its bots. Out: a command line.
"""

from __future__ import annotations

import shlex

from rulewright.document.document import MANIFEST, source_path
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules


def replay_command(rules: Rules, composition: Composition, seed: int, bot: str) -> str:
    """What shows the same game. `bot`: plays every seat."""
    path = composition.base_document.path
    game = path.parent if path.name == MANIFEST else path
    words = ["rulewright", "play", source_path(game), "--players", str(rules.players)]
    for variant in composition.chosen_variants:
        if variant.kind == "variant":
            words += ["--variant", source_path(variant.path)]
    words += ["--seed", str(seed), *["--seat", bot] * rules.players]
    return shlex.join(words)


__all__ = ["replay_command"]

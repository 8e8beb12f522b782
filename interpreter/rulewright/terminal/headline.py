"""Which rules are played, in a line: the game, for how many players, with which variants.

In: rules. Out: a line of text.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rulewright.model.locate import RULE_FILE_SUFFIX
from rulewright.model.rules import Rules
from rulewright.variants.variant_names import is_setting
from rulewright.wording.messages import Messages


def rules_headline(rules: Rules, code: str = "en", asked_variants: Sequence[str] = ()) -> str:
    """Which rules are played. `asked_variants`: variants as they were asked for; those that join by themselves,
    because others are played together, are listed only when they were asked for too.
    """
    messages = Messages(rules, code, "terminal")
    players = messages("one_player" if rules.players == 1 else "players", number=rules.players)
    asked_names = {
        Path(name).stem if name.endswith(RULE_FILE_SUFFIX) else name for name in asked_variants if not is_setting(name)
    }
    applied = asked_names and asked_names & {note.variant for note in rules.provenance.values() if note.variant}
    variants = ", ".join(sorted({*rules.variants, *applied})) or messages("none")
    return f"{rules.game} {rules.version}, {players}, {messages('variants')} {variants}"


__all__ = ["rules_headline"]

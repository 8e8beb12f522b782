"""`rulewright graph`: the rules as a picture: what is done one after another, who chooses what, what moves where.

In: parsed arguments. Out: Mermaid or SVG on stdout or in a new file. With variants, what they make new, change or take
away is marked.
"""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Final

from rulewright.cli.open_game import require_language
from rulewright.diagnostics import Diagnostics, RulesError
from rulewright.diagram.diagrams import DIAGRAMS
from rulewright.diagram.mermaid import to_mermaid
from rulewright.diagram.svg import to_svg
from rulewright.errors import UsageError
from rulewright.model.loader import (
    Composition,
    build_composition,
    compose_document,
    compose_game,
    default_game,
    player_counts,
)
from rulewright.model.rules import Rules
from rulewright.terminal.atomic_write import atomic_write
from rulewright.wording.messages import available_locales

DIAGRAM_RENDERERS: Final = {"mermaid": to_mermaid, "svg": to_svg}
DIAGRAM_FORMATS: Final = {".svg": "svg"}


def run(wish: Namespace) -> int:
    """Draws the rules."""
    diagnostics = Diagnostics()
    resolved = compose_game(wish.game or default_game(), wish.players, wish.variant, diagnostics)
    rules = _rules(resolved, diagnostics)
    assert resolved is not None
    code = wish.lang if wish.lang in available_locales("terminal") else require_language(rules, wish.lang)
    before = _before(resolved) if rules.variants else None
    form = wish.format or DIAGRAM_FORMATS.get(Path(wish.output or "").suffix.lower(), "mermaid")
    diagram = DIAGRAMS[wish.show](rules, code, before)
    if not diagram.nodes:
        raise UsageError(f"{rules.game} has no zones, so that nothing moves")
    text = DIAGRAM_RENDERERS[form](diagram)
    if wish.output is None:
        print(text, end="")
        return 0
    try:
        atomic_write(wish.output, text)
    except FileExistsError:
        raise UsageError(f"{wish.output} is there already: choose another name, or move it away") from None
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise UsageError(f"{wish.output} cannot be written: {reason}") from None
    return 0


def _rules(resolved: Composition | None, diagnostics: Diagnostics) -> Rules:
    rules = build_composition(resolved, diagnostics) if resolved is not None else None
    if rules is None or diagnostics.error_count:
        raise RulesError(diagnostics)
    return rules


def _before(resolved: Composition) -> Rules:
    """The same game without variants, for the same number of players or the nearest that it has."""
    fewest, most = player_counts(resolved.base_document)
    diagnostics = Diagnostics()
    return _rules(
        compose_document(resolved.base_document, min(max(resolved.players, fewest), most), (), diagnostics), diagnostics
    )


__all__ = ["run"]

"""`rulewright graph`: the rules as a picture: what is done one after another, who chooses what, what moves where.

In: parsed arguments. Out: Mermaid or SVG on stdout or in a new file. With variants, what they make new, change or take
away is marked.
"""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Final

from rulewright.cli.open_game import language
from rulewright.diagnostics import Report, RulesError
from rulewright.diagram.diagrams import PICTURES
from rulewright.diagram.mermaid import mermaid
from rulewright.diagram.svg import svg
from rulewright.errors import UsageError
from rulewright.model.loader import Resolved, default_game, player_counts, resolve, resolve_document, understood
from rulewright.model.rules import Rules
from rulewright.terminal.atomic_write import keep
from rulewright.terminal.terminal_messages import spoken

FORMATS: Final = {"mermaid": mermaid, "svg": svg}
SUFFIXES: Final = {".svg": "svg"}


def run(wish: Namespace) -> int:
    """Draws the rules."""
    report = Report()
    resolved = resolve(wish.game or default_game(), wish.players, wish.variant, report)
    rules = _rules(resolved, report)
    assert resolved is not None
    code = wish.lang if wish.lang in spoken() else language(rules, wish.lang)
    before = _before(resolved) if rules.variants else None
    form = wish.format or SUFFIXES.get(Path(wish.output or "").suffix.lower(), "mermaid")
    diagram = PICTURES[wish.show](rules, code, before)
    if not diagram.nodes:
        raise UsageError(f"{rules.game} has no zones, so that nothing moves")
    text = FORMATS[form](diagram)
    if wish.output is None:
        print(text, end="")
        return 0
    try:
        keep(wish.output, text)
    except FileExistsError:
        raise UsageError(f"{wish.output} is there already: choose another name, or move it away") from None
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise UsageError(f"{wish.output} cannot be written: {reason}") from None
    return 0


def _rules(resolved: Resolved | None, report: Report) -> Rules:
    rules = understood(resolved, report) if resolved is not None else None
    if rules is None or report.errors:
        raise RulesError(report)
    return rules


def _before(resolved: Resolved) -> Rules:
    """The same game without variants, for the same number of players or the nearest that it has."""
    fewest, most = player_counts(resolved.base)
    report = Report()
    return _rules(resolve_document(resolved.base, min(max(resolved.players, fewest), most), (), report), report)


__all__ = ["run"]

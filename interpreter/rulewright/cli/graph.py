"""`rulewright graph`: the rules as a picture: what is done one after another, who chooses what, what moves where.

In: parsed arguments. Out: Mermaid, SVG, PDF or PNG on stdout or in a new file. With variants, what they make new,
change or take away is marked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Literal

from rulewright.cli.open_game import require_locale
from rulewright.cli.options import GameOptions
from rulewright.cli.output import format_by_suffix, write_output
from rulewright.cli.pdf import require_print_library, svg_to_pdf, svg_to_png
from rulewright.diagnostics import Diagnostics, RulesError
from rulewright.diagram.diagram import Diagram
from rulewright.diagram.diagrams import DIAGRAMS
from rulewright.diagram.mermaid import to_mermaid
from rulewright.diagram.svg import to_svg
from rulewright.errors import UsageError
from rulewright.model.allowed_players import player_counts
from rulewright.model.loader import Composition, build_composition, compose_document, compose_game
from rulewright.model.locate import default_game
from rulewright.model.rules import Rules

DIAGRAM_RENDERERS: Final[Mapping[str, Callable[[Diagram], str | bytes]]] = {
    "mermaid": to_mermaid,
    "svg": to_svg,
    "pdf": lambda diagram: svg_to_pdf(to_svg(diagram)),
    "png": lambda diagram: svg_to_png(to_svg(diagram)),
}
DIAGRAM_FORMATS: Final = {
    ".svg": "svg", ".pdf": "pdf", ".png": "png", ".mmd": "mermaid", ".md": "mermaid", ".txt": "mermaid",
}  # fmt: skip


class Options(GameOptions):
    """The options of `graph`."""

    lang: str
    show: Literal["turn", "moves", "all"]
    format: Literal["mermaid", "svg", "pdf", "png"] | None
    output: str | None
    force: bool


def run(args: Options) -> int:
    """Draws the rules."""
    format = args.format or format_by_suffix(args.output, DIAGRAM_FORMATS, "mermaid")
    require_print_library(format)
    diagnostics = Diagnostics()
    composition = compose_game(args.game or default_game(), args.players, args.variant, diagnostics)
    rules = _build_rules(composition, diagnostics)
    assert composition is not None
    locale = require_locale(rules, args.lang)
    base_rules = _base_rules(composition) if rules.variants else None
    diagram = DIAGRAMS[args.show](rules, locale, base_rules)
    if not diagram.nodes:
        raise UsageError(f"{rules.game} has no zones: there is nothing to draw")
    write_output(args.output, DIAGRAM_RENDERERS[format](diagram), replace=args.force)
    return 0


def _build_rules(composition: Composition | None, diagnostics: Diagnostics) -> Rules:
    rules = build_composition(composition, diagnostics) if composition is not None else None
    if rules is None or diagnostics.error_count:
        raise RulesError(diagnostics)
    return rules


def _base_rules(composition: Composition) -> Rules:
    """The same game without variants, for the same number of players or the nearest that it has."""
    fewest, most = player_counts(composition.base_document)
    players = min(max(composition.players, fewest), most)
    diagnostics = Diagnostics()
    return _build_rules(compose_document(composition.base_document, players, (), diagnostics), diagnostics)


__all__ = ["Options", "run"]

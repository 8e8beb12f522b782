"""Which pictures of rules there are: the turn, what moves where, and everything.

In: rules, a locale, the rules without variants. Out: a `Diagram`, by the name of the picture. To add one, add a row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from rulewright.diagram.builder import DiagramBuilder, diagram_title
from rulewright.diagram.diagram import Diagram
from rulewright.diagram.flowchart import FlowchartBuilder, turn_diagram
from rulewright.diagram.node_text import NodeText
from rulewright.diagram.zone_graph import add_zone_moves, zones_diagram
from rulewright.model.locale import ENGLISH
from rulewright.model.rules import Rules


def rules_diagram(rules: Rules, locale: str = ENGLISH, before: Rules | None = None) -> Diagram:
    """The whole course of a game, every action and procedure, and the zones with what moves between them."""
    builder, text = DiagramBuilder(), NodeText(rules, locale)
    FlowchartBuilder(builder, rules, locale, before).add_all()
    add_zone_moves(builder, rules, locale, before)
    return builder.build(diagram_title("picture_all", text, rules, before), text)


DIAGRAMS: Final[Mapping[str, Callable[[Rules, str, Rules | None], Diagram]]] = {
    "turn": turn_diagram,
    "moves": zones_diagram,
    "all": rules_diagram,
}

__all__ = ["DIAGRAMS", "rules_diagram"]

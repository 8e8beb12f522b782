"""Which pictures of rules there are: the turn, what moves where, and everything.

In: rules, a language, the rules before a variant was laid over. Out: a `Diagram`, by the name of the picture.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from rulewright.diagram.builder import DiagramBuilder, diagram_title
from rulewright.diagram.diagram import Diagram
from rulewright.diagram.flowchart import FlowchartBuilder, turn_diagram
from rulewright.diagram.node_text import NodeText
from rulewright.diagram.zone_graph import add_zone_moves, zones_diagram
from rulewright.model.rules import Rules


def rules_diagram(rules: Rules, language: str = "en", before: Rules | None = None) -> Diagram:
    """The whole course of a game, every action and procedure, and the zones with what moves between them."""
    chart, tell = DiagramBuilder(), NodeText(rules, language)
    FlowchartBuilder(chart, rules, language, before).add_all()
    add_zone_moves(chart, rules, language, before)
    return chart.build(diagram_title("picture_all", tell, rules, before), tell)


DIAGRAMS: Final[Mapping[str, Callable[[Rules, str, Rules | None], Diagram]]] = {
    "turn": turn_diagram,
    "moves": zones_diagram,
    "all": rules_diagram,
}

__all__ = ["DIAGRAMS", "rules_diagram"]

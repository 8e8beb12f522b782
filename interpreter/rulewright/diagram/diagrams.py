"""Which pictures of rules there are: the turn, what moves where, and everything.

In: rules, a language, the rules before a variant was laid over. Out: a `Diagram`, by the name of the picture.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from rulewright.diagram.builder import Chart, heading
from rulewright.diagram.diagram import Diagram
from rulewright.diagram.flowchart import Flow, turn_diagram
from rulewright.diagram.node_text import Telling
from rulewright.diagram.zone_graph import draw_moves, moves_diagram
from rulewright.model.rules import Rules


def whole_diagram(rules: Rules, language: str = "en", before: Rules | None = None) -> Diagram:
    """The whole course of a game, every action and procedure, and the zones with what moves between them."""
    chart, tell = Chart(), Telling(rules, language)
    Flow(chart, rules, language, before).everything()
    draw_moves(chart, rules, language, before)
    return chart.diagram(heading("picture_all", tell, rules, before), tell)


PICTURES: Final[Mapping[str, Callable[[Rules, str, Rules | None], Diagram]]] = {
    "turn": turn_diagram,
    "moves": moves_diagram,
    "all": whole_diagram,
}

__all__ = ["PICTURES", "whole_diagram"]

"""A picture of rules as Mermaid text, which GitHub and many editors draw by themselves.

In: a `Diagram`. Out: a Mermaid flowchart. Boxes are numbered, so that no name of the rules is taken for a keyword;
every character with a meaning in Mermaid is written as its code point.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from textwrap import wrap
from typing import Final

from rulewright.diagram.diagram import Diagram, DiagramEdge, DiagramGroup, DiagramNode, DiffMark, NodeKind
from rulewright.lazy_pattern import lazy_pattern

WRAP_COLUMN: Final = 42  # characters of a line in a box
NODE_BRACKETS: Final[dict[NodeKind, tuple[str, str]]] = {
    "start": ("([", "])"),
    "end": ("([", "])"),
    "step": ("[", "]"),
    "condition": ("{{", "}}"),
    "decision": ("[/", "\\]"),
    "action": ("(", ")"),
    "chance": ("[/", "/]"),
    "part": ("[[", "]]"),
    "zone": ("[(", ")]"),
}
ARROWS: Final[dict[DiffMark, str]] = {"": "-->", "new": "==>", "changed": "==>", "gone": "-.->"}
MARK_STYLES: Final[dict[DiffMark, str]] = {
    "new": "stroke:#1a7f37,stroke-width:3px",
    "changed": "stroke:#b35900,stroke-width:3px,stroke-dasharray:9 4",
    "gone": "stroke:#b3261e,stroke-width:2px,stroke-dasharray:2 4",
}
MERMAID_SPECIAL: Final = lazy_pattern(r"[^\w\s.,:;!?'()=+/→−~–—’«»-]")  # in a quoted text
LIST_MARKER: Final = lazy_pattern(r"^(\s*)([-+*]|\d+(?=[.)]))")  # which Mermaid would make a list


def to_mermaid(diagram: Diagram) -> str:
    """The diagram as a Mermaid flowchart, with a line end at its end."""
    ids = {node.id: f"n{index}" for index, node in enumerate(diagram.nodes)}
    return "".join(f"{line}\n" for line in _lines(diagram, ids))


def _lines(diagram: Diagram, ids: dict[str, str]) -> Iterator[str]:
    yield "---"
    yield f"title: {json.dumps(diagram.title, ensure_ascii=False)}"
    yield "---"
    yield "flowchart TB"
    legend = dict(diagram.legend)
    nodes = {node.id: node for node in diagram.nodes}
    for group in diagram.top_groups():
        yield from _group(diagram, group, nodes, ids, "  ")
    grouped = {node for group in diagram.groups for node in group.nodes}
    yield from (f"  {_node(node, ids, legend)}" for node in diagram.nodes if node.id not in grouped)
    for edge in diagram.edges:
        yield f"  {_edge(edge, ids, legend)}"
    for mark in legend:
        marked = [ids[node.id] for node in diagram.nodes if node.mark == mark]
        marked += [f"g{index}" for index, group in enumerate(diagram.groups) if group.mark == mark]
        if marked:
            yield f"  classDef {mark} {MARK_STYLES[mark]}"
            yield f"  class {','.join(marked)} {mark}"
        edges = [str(index) for index, edge in enumerate(diagram.edges) if edge.mark == mark]
        if edges:
            yield f"  linkStyle {','.join(edges)} {MARK_STYLES[mark]}"


def _group(
    diagram: Diagram, group: DiagramGroup, nodes: dict[str, DiagramNode], ids: dict[str, str], indent: str
) -> Iterator[str]:
    legend = dict(diagram.legend)
    yield f'{indent}subgraph g{diagram.groups.index(group)}["{_text((group.title,), group.mark, legend)}"]'
    for node_id in group.nodes:
        yield f"{indent}  {_node(nodes[node_id], ids, legend)}"
    for inner in diagram.groups:
        if inner.parent == group.id:
            yield from _group(diagram, inner, nodes, ids, f"{indent}  ")
    yield f"{indent}end"


def _node(node: DiagramNode, ids: dict[str, str], legend: dict[DiffMark, str]) -> str:
    opening, closing = NODE_BRACKETS[node.kind]
    return f'{ids[node.id]}{opening}"{_text(node.text, node.mark, legend)}"{closing}'


def _edge(edge: DiagramEdge, ids: dict[str, str], legend: dict[DiffMark, str]) -> str:
    mark: DiffMark = edge.mark if edge.kind in ("move", "refill") else ""  # in a flow the boxes have the mark
    label = f'|"{_text(edge.text, mark, legend)}"|' if edge.text else ""
    return f"{ids[edge.source]} {ARROWS[edge.mark]}{label} {ids[edge.target]}"


def _text(paragraphs: tuple[str, ...], mark: DiffMark, legend: dict[DiffMark, str]) -> str:
    """Paragraphs as one quoted text; the word for a mark comes first, so that it does not need colours."""
    words = [f"({legend[mark]})"] if mark else []
    lines = [line for text in (*words, *paragraphs) for line in wrap(text, WRAP_COLUMN, break_on_hyphens=False) or [""]]
    return "<br>".join(map(escape_mermaid, lines))


def escape_mermaid(line: str) -> str:
    """A line in which no character has a meaning for Mermaid."""
    line = MERMAID_SPECIAL.sub(lambda match: f"#{ord(match[0])};", line)
    return LIST_MARKER.sub(lambda match: f"{match[1]}{''.join(f'#{ord(char)};' for char in match[2])}", line)


__all__ = ["escape_mermaid", "to_mermaid"]

"""A picture of rules as Mermaid text, which GitHub and many editors draw by themselves.

In: a `Diagram`. Out: a flowchart. Boxes are numbered, so that no name of the rules can be taken for a word of Mermaid;
every sign that means something there is written by its number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from textwrap import wrap
from typing import Final

from rulewright.diagram.diagram import Diagram, DiagramEdge, DiagramGroup, DiagramNode, DiffMark, NodeKind

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
MERMAID_SPECIAL: Final = re.compile(r"[^\w\s.,:;!?'()=+/→−~–—’«»-]")  # what may mean something between quotes
LIST_MARKER: Final = re.compile(r"^(\s*)([-+*]|\d+(?=[.)]))")  # what would begin a list


def to_mermaid(diagram: Diagram) -> str:
    """The diagram as a Mermaid flowchart, with a line end at its end."""
    numbers = {node.id: f"n{at}" for at, node in enumerate(diagram.nodes)}
    return "".join(f"{line}\n" for line in _lines(diagram, numbers))


def _lines(diagram: Diagram, numbers: dict[str, str]) -> Iterator[str]:
    yield "---"
    yield f"title: {json.dumps(diagram.title, ensure_ascii=False)}"
    yield "---"
    yield "flowchart TB"
    words = dict(diagram.legend)
    nodes = {node.id: node for node in diagram.nodes}
    for group in diagram.top_groups():
        yield from _group(diagram, group, nodes, numbers, "  ")
    grouped = {node for group in diagram.groups for node in group.nodes}
    yield from (f"  {_node(one, numbers, words)}" for one in diagram.nodes if one.id not in grouped)
    for edge in diagram.edges:
        yield f"  {_edge(edge, numbers, words)}"
    for mark in words:
        marked = [numbers[node.id] for node in diagram.nodes if node.mark == mark]
        marked += [f"g{at}" for at, group in enumerate(diagram.groups) if group.mark == mark]
        if marked:
            yield f"  classDef {mark} {MARK_STYLES[mark]}"
            yield f"  class {','.join(marked)} {mark}"
        ways = [str(at) for at, edge in enumerate(diagram.edges) if edge.mark == mark]
        if ways:
            yield f"  linkStyle {','.join(ways)} {MARK_STYLES[mark]}"


def _group(
    diagram: Diagram, group: DiagramGroup, nodes: dict[str, DiagramNode], numbers: dict[str, str], indent: str
) -> Iterator[str]:
    words = dict(diagram.legend)
    yield f'{indent}subgraph g{diagram.groups.index(group)}["{_text((group.title,), group.mark, words)}"]'
    for node in group.nodes:
        yield f"{indent}  {_node(nodes[node], numbers, words)}"
    for inner in diagram.groups:
        if inner.parent == group.id:
            yield from _group(diagram, inner, nodes, numbers, f"{indent}  ")
    yield f"{indent}end"


def _node(node: DiagramNode, numbers: dict[str, str], words: dict[DiffMark, str]) -> str:
    before, behind = NODE_BRACKETS[node.kind]
    return f'{numbers[node.id]}{before}"{_text(node.text, node.mark, words)}"{behind}'


def _edge(edge: DiagramEdge, numbers: dict[str, str], words: dict[DiffMark, str]) -> str:
    mark: DiffMark = edge.mark if edge.kind in ("move", "refill") else ""  # else the boxes say it
    label = f'|"{_text(edge.text, mark, words)}"|' if edge.text else ""
    return f"{numbers[edge.source]} {ARROWS[edge.mark]}{label} {numbers[edge.target]}"


def _text(paragraphs: tuple[str, ...], mark: DiffMark, words: dict[DiffMark, str]) -> str:
    """Paragraphs as one text between quotes; a mark is said as well, so that it is seen without colours."""
    said = [f"({words[mark]})"] if mark else []
    lines = [line for text in (*said, *paragraphs) for line in wrap(text, WRAP_COLUMN, break_on_hyphens=False) or [""]]
    return "<br>".join(map(escape_mermaid, lines))


def escape_mermaid(line: str) -> str:
    """A line in which nothing means anything to Mermaid."""
    line = MERMAID_SPECIAL.sub(lambda found: f"#{ord(found[0])};", line)
    return LIST_MARKER.sub(lambda found: f"{found[1]}{''.join(f'#{ord(one)};' for one in found[2])}", line)


__all__ = ["escape_mermaid", "to_mermaid"]

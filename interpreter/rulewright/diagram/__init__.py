"""Rules as pictures: the course of a game as a flowchart, its zones and what moves between them.

In: frozen rules, and the same rules without variants. Out: Mermaid text or SVG. `diagrams` lists the pictures there
are; `flowchart` and `zone_graph` build a `diagram` with `builder`, the texts of `node_text` and the marks of
`rules_diff`. `mermaid` writes it; `svg` writes what `page_layout` has placed, with `flow_layout` for flows and
`layered_layout` for zones, in the `shapes` and with the `text_metrics` that these share.
"""

"""Rules → pictures of them: the turn and the ways of pieces, as Mermaid text or SVG."""

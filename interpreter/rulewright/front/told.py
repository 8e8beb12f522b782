"""Rules as people read them: sources with their titles, reasons with their values, lines that fit the terminal.

In: reasons, notes and rules. Out: lines of text.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final

from rulewright.engine.explain import Reason
from rulewright.model.rules import Rules

WIDTH: Final = 80


def headline(rules: Rules) -> str:
    """Which rules are played."""
    many = "1 player" if rules.players == 1 else f"{rules.players} players"
    return f"{rules.game} {rules.version}, {many}, variants: {', '.join(rules.variants) or 'none'}"


def wrapped(text: str, first: str = "", rest: str | None = None, width: int = WIDTH) -> list[str]:
    """A text in lines that fit, the first after `first`, the others after `rest` (default: as many blanks)."""
    indent = " " * len(first) if rest is None else rest
    return textwrap.wrap(
        text, width, initial_indent=first, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    ) or [first.rstrip()]


def side_by_side(parts: Sequence[str], first: str = "", between: str = "   ") -> list[str]:
    """Parts one after another, broken over lines only between them."""
    lines, line = list[str](), first
    for part in parts:
        joined = line + part if line in (first, " " * len(first)) else line + between + part
        if len(joined) > WIDTH and line not in (first, " " * len(first)):
            lines.append((line + between).rstrip())
            joined = " " * len(first) + part
        line = joined
    return [*lines, line.rstrip()]


def source_lines(rules: Rules, source: Sequence[tuple[str, str]], first: str = "") -> list[str]:
    """Sources by title: a line for each work with its sections."""
    works: dict[str, list[str]] = {}
    for work, section in source:
        works.setdefault(work, []).append(section)
    lines: list[str] = []
    for work, sections in works.items():
        known = rules.works.get(work, {})
        said = [str(known.get(key)) for key in ("publisher", "year") if known.get(key)]
        languages = known.get("languages")
        said += [", ".join(languages)] if isinstance(languages, list) else []
        title = f"{known.get('title', work)}" + (f" ({'; '.join(said)})" if said else "")
        lines += wrapped(f"{title}: {'; '.join(sections)}", first if not lines else " " * len(first))
    return lines


def reason_lines(reason: Reason, rules: Rules, first: str = "") -> list[str]:
    """A reason: its sentence, the values in it, its source, address and place."""
    blank = " " * len(first)
    lines = wrapped(reason.sentence, first)
    for text, value in reason.values:
        lines += wrapped(f"{text} = {value}", f"{blank}  values  ")
    lines += source_lines(rules, reason.source, f"{blank}  source  ")
    if reason.status:
        lines.append(f"{blank}  status  {reason.status}")
    if reason.address:
        lines.append(f"{blank}  rule    {reason.address}")
    if reason.span is not None:
        lines.append(f"{blank}  file    {reason.span}")
    return lines


__all__ = ["WIDTH", "headline", "reason_lines", "side_by_side", "source_lines", "wrapped"]

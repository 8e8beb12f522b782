"""Rules as people read them: sources with their titles, reasons with their values, lines that fit the terminal.

In: reasons, notes and rules. Out: lines of text.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

from rulewright.diagnostics import RulesError
from rulewright.engine.reference.explainer import Reason
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.rules import Rules
from rulewright.terminal.width import terminal_width
from rulewright.wording.messages import Messages

SPACED_PUNCTUATION: Final = lazy_pattern(" (?=[;:!?»](?:\\s|$))")


def wrap(text: str, first: str = "", indent: str | None = None, width: int | None = None) -> list[str]:
    """A text in lines that fit, the first after `first`, the others after `indent` (default: as many blanks).

    `width`: default that of the terminal.
    """
    width = terminal_width() if width is None else width
    indent = " " * min(len(first), width // 2) if indent is None else indent
    # some languages have a blank before these marks, with which no line may begin
    text = SPACED_PUNCTUATION.sub("\u00a0", text)
    lines = textwrap.wrap(
        text, width, initial_indent=first, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return [line.replace("\u00a0", " ") for line in lines] or [first.rstrip()]


def join_parts(parts: Sequence[str], first: str = "", between: str = "   ") -> list[str]:
    """Parts one after another, broken over lines between them, and inside of one only if it is longer than a line."""
    width, indent = terminal_width(), " " * len(first)
    lines, line = list[str](), first
    for part in parts:
        is_empty = line in (first, indent)
        if not is_empty and len(line + between + part) > width:
            lines.append((line + between).rstrip())
            line, is_empty = indent, True
        joined = line + part if is_empty else line + between + part
        if is_empty and len(joined) > width:
            *full_lines, joined = wrap(part, line, indent + "  ", width)
            lines += full_lines
        line = joined
    return [*lines, line.rstrip()]


def source_lines(rules: Rules, source: Sequence[tuple[str, str]], first: str = "") -> list[str]:
    """Sources by title: a line for each work with its sections."""
    lines: list[str] = []
    for line in _sources(rules, source):
        lines += wrap(line, first if not lines else " " * len(first))
    return lines


def _sources(rules: Rules, source: Sequence[tuple[str, str]]) -> list[str]:
    sections_by_work: dict[str, list[str]] = {}
    for work, section in source:
        sections_by_work.setdefault(work, []).append(section)
    try:
        works = rules.explanations.works()
    except RulesError:  # a broken list of works takes no reason away, and no game: it is cited by its id
        works = {}
    texts = []
    for work, sections in sections_by_work.items():
        entry = works.get(work, {})
        details = [str(entry.get(key)) for key in ("publisher", "year") if entry.get(key)]
        languages = entry.get("languages")
        details += [", ".join(languages)] if isinstance(languages, list) else []
        title = f"{entry.get('title', work)}" + (f" ({'; '.join(details)})" if details else "")
        texts.append(f"{title}: {'; '.join(sections)}")
    return texts


def verdict(rules: Rules, code: str, action: str, seat: int, *, legal: bool) -> str:
    """Whether an action is legal for a seat, in a sentence."""
    return Messages(rules, code, "terminal")("legal" if legal else "not_legal", action=action, seat=seat)


def reasons_lines(reasons: Sequence[Reason], rules: Rules, code: str, *, brief: bool = False) -> Iterator[str]:
    """Reasons in their order, numbered when they are several: sentence, values in it, source, address and place.

    Repetition is left out: the same reason twice, a source that is also that of the reason above.
    `brief`: without source and place.
    """
    unique = [
        reason for index, reason in enumerate(reasons) if not any(_is_same(reason, other) for other in reasons[:index])
    ]
    previous: tuple[object, str] = (), ""
    for number, reason in enumerate(unique, start=1):
        first = f"{number}. " if len(unique) > 1 else ""
        yield from wrap(reason.sentence, first)
        parts: list[tuple[str, list[str]]] = [
            ("values", [f"{text} = {value}" for text, value in reason.values]),
        ]
        if not brief and (reason.source, reason.status) != previous:
            parts += [("source", _sources(rules, reason.source)), ("status", [reason.status])]
        previous = reason.source, reason.status
        parts += [("variant", [", ".join(reason.variants)])] if reason.variants else []
        parts += [("rule", [reason.address]), ("file", [] if brief else [str(reason.span or "")])]
        yield from _labelled_lines(parts, rules, code, " " * len(first))


def _is_same(reason: Reason, other: Reason) -> bool:
    return (reason.address, reason.sentence) == (other.address, other.sentence)


def _labelled_lines(parts: Sequence[tuple[str, list[str]]], rules: Rules, code: str, indent: str) -> Iterator[str]:
    messages = Messages(rules, code, "terminal")
    width = max(len(messages(name)) for name, _ in parts)
    for name, lines in parts:
        label = messages(name)
        for line in filter(None, lines):
            yield from wrap(line, f"{indent}  {label:<{width}}  ")
            label = ""


__all__ = ["join_parts", "reasons_lines", "source_lines", "verdict", "wrap"]

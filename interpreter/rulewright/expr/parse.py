"""Reading an expression: the words are put together as the grammar says, or the first word that does not fit is told.

In: a text and what it should be (a value, an amount, a place …). Out: a `Syntax` tree or a `Stumble`. The tables come
from `grammar.lark` by way of `build.py`; the loop below is an ordinary LALR one. Whether a word is a word of the
language or a name depends on what can stand at its place, so that a pile may be called `top`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, Literal

from rulewright.expr import codes
from rulewright.expr.names import RESERVED
from rulewright.expr.stumble import explain, number_form
from rulewright.expr.syntax import Stumble, Syntax, Token

Start = Literal["expr", "amount", "place", "binding", "type", "kind_range", "every_kind", "grid"]

MOST_CHARACTERS: Final = 2000
MOST_DEPTH: Final = 60  # keeps every walk over a tree far from Python's own limit
END: Final = "$END"
STUCK: Final = -1_000_000  # no action: neither a state (0 and above) nor a rule (-1 and below, few)

LEXEME: Final = re.compile(
    r"[ \t\r\n]*(?:(?P<word>[a-z][a-z0-9_]*)|(?P<number>[0-9]+)|(?P<sign><=|>=|//|[-+*%<>(),.])"
    r"|(?P<end>\Z)|(?P<stray>.))",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Tables:
    """What `build.tables` made: for each state what a word leads to, and the rules."""

    starts: dict[str, int]
    states: tuple[dict[str, int], ...]
    rules: tuple[tuple[str, int, str, tuple[int, ...]], ...]


@cache
def tables() -> Tables:
    """The tables of the grammar, read once."""
    data = json.loads(Path(__file__).with_name("tables.json").read_text(encoding="utf-8"))
    rows = data["rows"]
    rules = tuple((origin, size, name, tuple(kept)) for origin, size, name, kept in data["rules"])
    return Tables(data["starts"], tuple(rows[row] for row in data["states"]), rules)


@lru_cache(maxsize=8192)
def parse(text: str, start: Start = "expr") -> Syntax | Stumble:
    """Reads a text as a value, or as what `start` says. The same text is read only once."""
    if len(text) > MOST_CHARACTERS:
        message = f"an expression of {len(text)} characters; {MOST_CHARACTERS} are allowed"
        return Stumble(codes.TOO_LONG, (0, len(text)), message, "too long", "name a part of it in `values`")
    rows, rules = tables().states, tables().rules
    states = [tables().starts[start]]
    parts: list[Syntax | Token | list[Syntax | Token]] = []
    spans: list[tuple[int, int]] = []
    at = 0
    while True:
        lexeme = LEXEME.match(text, at)
        assert lexeme is not None
        assert lexeme.lastgroup is not None
        what, (begin, at) = lexeme.lastgroup, lexeme.span(lexeme.lastgroup)
        word = text[begin:at]
        if what == "number":
            terminal = "INT"
            if stumble := number_form(word, (begin, at)):
                return stumble
        elif what == "end":
            terminal = END
        elif what == "word" and word not in rows[states[-1]] and word not in RESERVED:
            terminal = "NAME"
        else:
            terminal = word
        before = list(states)  # what could follow is asked of the states before rules were ended for this word
        while (action := rows[states[-1]].get(terminal, STUCK)) < 0:
            if action == STUCK:
                last = spans[-1][1] if spans else 0
                place = (last, last) if what == "end" else (begin, at)
                return explain(text, what, place, follow(before), parts)
            origin, size, name, kept = rules[-1 - action]
            taken = parts[-size:]
            span = spans[-size][0], spans[-1][1]
            del parts[-size:], spans[-size:], states[-size:]
            if not name:
                parts.append(taken[kept[0]])
            elif name == "_":
                parts.append(_spliced(taken, kept))
            else:
                inside = tuple(_spliced(taken, kept))
                depth = 1 + max((part.depth for part in inside if isinstance(part, Syntax)), default=0)
                if depth > MOST_DEPTH:
                    message = f"more than {MOST_DEPTH} parts inside one another"
                    return Stumble(codes.TOO_DEEP, span, message, "too deep", "name a part of it in `values`")
                parts.append(Syntax(name, inside, span, depth))
            spans.append(span)
            states.append(rows[states[-1]][origin])
        if terminal == END:
            root = parts[-1]
            assert isinstance(root, Syntax)
            return root
        states.append(action)
        parts.append(Token(word, (begin, at)))
        spans.append((begin, at))


def _spliced(taken: list[Syntax | Token | list[Syntax | Token]], kept: tuple[int, ...]) -> list[Syntax | Token]:
    out: list[Syntax | Token] = []
    for number in kept:
        part = taken[number]
        if isinstance(part, list):
            out.extend(part)
        else:
            out.append(part)
    return out


def follow(states: list[int]) -> frozenset[str]:
    """The words that could stand next: those that, after all rules they end, still lead on."""
    rows, rules = tables().states, tables().rules
    found = set()
    for word in rows[states[-1]]:
        if word.startswith("<") and word.endswith(">") and len(word) > 1:
            continue
        stack = list(states)
        while (action := rows[stack[-1]].get(word, STUCK)) < 0 and action != STUCK:
            origin, size, _, _ = rules[-1 - action]
            del stack[-size:]
            stack.append(rows[stack[-1]][origin])
        if action != STUCK:
            found.add(word)
    return frozenset(found)


TIGHT_BEFORE: Final = frozenset({")", ",", "."})
TIGHT_AFTER: Final = frozenset({"(", "."})


def canonical(text: str) -> str:
    """The same words with one way of spacing, to hold two texts against each other."""
    out = ""
    last = ""
    at = 0
    while at < len(text):
        lexeme = LEXEME.match(text, at)
        assert lexeme is not None
        assert lexeme.lastgroup is not None
        word, at = lexeme[lexeme.lastgroup], lexeme.end()
        called = word == "(" and (last.replace("_", "a").isalnum() and last not in RESERVED)
        tight = not last or word in TIGHT_BEFORE or last in TIGHT_AFTER or called
        out += word if tight else f" {word}"
        last = word
    return out.rstrip()

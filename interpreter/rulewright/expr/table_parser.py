"""Reads an expression that is right: its words are put together by a ready table, without the parser generator.

In: a text and what it should be. Out: its `SyntaxNode`; None for a text in which anything is wrong, which Lark reads
then (`lark_parser`), to say what. The table, `read_table.json`, is Lark's own of `grammar.lark`, written by
`python -m rulewright.expr.parser_tables`. Importing Lark and making its parser ready takes longer than reading all
expressions of a game in this way.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple, TypedDict

from rulewright import limits
from rulewright.expr.keywords import KEYWORDS
from rulewright.expr.syntax_tree import SyntaxNode, SyntaxToken
from rulewright.lazy_pattern import lazy_pattern

READ_TABLE: Final = Path(__file__).with_name("read_table.json")
# words that begin an operand only before certain others, any word, numbers, signs: as the terminals of the grammar
WORD: Final = lazy_pattern(
    r"(max|min)(?=[ \t\r\n]+of(?![a-z0-9_]))|(first|last)(?![a-z0-9_(])"
    r"|([a-z][a-z0-9_]*)|([0-9]+)|(<=|>=|//|[-+*%<>.,()])"
)
SPACE: Final = lazy_pattern(r"[ \t\r\n]*")
PREFIX_GROUPS: Final = (1, 2)
WORD_GROUP: Final = 3
NUMBER_GROUP: Final = 4
ENDED: Final = "$END"
NAME: Final = "NAME"
NUMBER: Final = "INT"
NEVER_NAMES: Final = KEYWORDS - {"first", "last"}  # which are names before a parenthesis

Parts = tuple[SyntaxNode | SyntaxToken, ...]
# what a rule is part of, how many parts it has, which of them are kept, the name of its node (none where its parts
# belong to the node around it), whether a single part stands for itself
PlainRule = tuple[str, int, list[int], str | None, bool]


class ReadTable(TypedDict):
    """The table. `states`: of each the number of its rows in `acts` and `gotos`.

    `starts`: the first and the last state of each start rule. `acts`: what to do at a word: the number of a state to go
    on with, or -1 less the number of a rule that is complete. `gotos`: the state to go on with after a completed rule.
    """

    states: list[tuple[int, int]]
    starts: dict[str, tuple[int, int]]
    acts: list[dict[str, int]]
    gotos: list[dict[str, int]]
    rules: list[PlainRule]


class _Read(NamedTuple):
    """What was read from one offset to another, with all parentheses around it: a node, a word, or parts of a list."""

    value: SyntaxNode | SyntaxToken | Parts
    start: int
    end: int


@cache
def _table() -> ReadTable:
    table: ReadTable = json.loads(READ_TABLE.read_bytes())
    return table


def parse_by_table(text: str, start: str) -> SyntaxNode | None:
    """Reads a text as what `start` says; None where it is not right or over a limit."""
    table = _table()
    states, acts, gotos, rules = table["states"], table["acts"], table["gotos"], table["rules"]
    first, last = table["starts"][start]
    passed, read = [first], list[_Read]()
    offset, is_end = 0, False
    while not is_end:
        space = SPACE.match(text, offset)
        assert space is not None
        offset = space.end()
        word = WORD.match(text, offset)
        if word is None:
            if offset < len(text):
                return None
            key, is_end = ENDED, True
        else:
            key = word[0]
            offset = word.end()
            if word.lastindex in PREFIX_GROUPS:
                key = f"_{key.upper()}"
            elif word.lastindex == NUMBER_GROUP:
                if len(key) > limits.MAX_NUMBER_DIGITS or (key[0] == "0" and key != "0"):
                    return None
                key = NUMBER
            elif word.lastindex == WORD_GROUP and key not in acts[states[passed[-1]][0]] and key not in NEVER_NAMES:
                key = NAME
        while (act := acts[states[passed[-1]][0]].get(key)) is not None and act < 0:
            origin, count, kept, name, is_open = rules[-1 - act]
            if count > 1 or not is_open:  # most rules are of one part that stands for itself
                found = _complete(read[-count:], kept, name, is_open=is_open)
                if found is None:
                    return None
                read[-count:] = [found]
            del passed[-count:]
            passed.append(gotos[states[passed[-1]][1]][origin])
            if is_end and passed[-1] == last:
                value = read[-1].value
                return value if isinstance(value, SyntaxNode) else None
        if act is None or word is None:
            return None
        passed.append(act)
        read.append(_Read(SyntaxToken(word[0], word.span()), *word.span()))
    raise AssertionError("the last word of a text completes it, or nothing does")


def _complete(parts: list[_Read], kept: list[int], name: str | None, *, is_open: bool) -> _Read | None:
    """What the parts of a rule make together; None where that is nested too deep. `kept` to `is_open`: as in a
    `PlainRule`.
    """
    start, end = parts[0].start, parts[-1].end
    values: list[SyntaxNode | SyntaxToken] = []
    for index in kept:
        value = parts[index].value
        if isinstance(value, tuple):
            values += value
        else:
            values.append(value)
    if is_open and len(values) == 1:
        return _Read(values[0], start, end)
    if name is None:
        return _Read(tuple(values), start, end)
    depth = 1 + max((value.depth for value in values if isinstance(value, SyntaxNode)), default=0)
    if depth > limits.MAX_EXPRESSION_DEPTH:
        return None
    return _Read(SyntaxNode(name, tuple(values), (start, end), depth), start, end)


__all__ = ["READ_TABLE", "PlainRule", "ReadTable", "parse_by_table"]

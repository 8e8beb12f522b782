"""The parser's tables in a file, written when the language changes and not computed each time rules are read.

In: `grammar.lark`. Out: `parser.json` beside it, written by `python -m rulewright.expr.parser_tables`: Lark's own
serialization of its parser, as plain data. Lark loads it in two milliseconds; reading the grammar takes it thirty.
"""

from __future__ import annotations

import json
from typing import TypedDict

from lark import __version__
from lark.grammar import Rule
from lark.lexer import TerminalDef

from rulewright.expr.grammar import GRAMMAR_DIR, build_lark_parser

LarkAction = tuple[int, int]  # 1 and the number of a rule to reduce, or 0 and the number of a state to shift to


class ParseTable(TypedDict):
    """Lark's LALR table: names of tokens by number, actions by state and token, states by start rule."""

    tokens: dict[int, str]
    states: dict[int, dict[int, LarkAction]]
    start_states: dict[str, int]
    end_states: dict[str, int]


def _renumber(table: ParseTable) -> ParseTable:
    """The table with states numbered as they are reached: Lark's own numbers differ from run to run."""
    tokens, states = table["tokens"], table["states"]
    reached = list(table["start_states"].values())
    rows = []
    for state in reached:
        row = sorted((tokens[token], reduces, target) for token, (reduces, target) in states[state].items())
        rows.append(row)
        reached += dict.fromkeys(target for _, reduces, target in row if not reduces and target not in reached)
    numbers = {state: number for number, state in enumerate(reached)}
    names = sorted(tokens.values())
    return {
        "tokens": dict(enumerate(names)),
        "states": {
            number: {
                names.index(name): (reduces, target if reduces else numbers[target]) for name, reduces, target in row
            }
            for number, row in enumerate(rows)
        },
        "start_states": {start: numbers[state] for start, state in sorted(table["start_states"].items())},
        "end_states": {start: numbers[state] for start, state in sorted(table["end_states"].items())},
    }


def parser_json() -> str:
    """The text that `parser.json` should have."""
    data, memo = build_lark_parser().memo_serialize([TerminalDef, Rule])
    data["options"]["edit_terminals"] = None  # already applied, and a function is not plain data
    data["parser"]["parser"] = _renumber(data["parser"]["parser"])
    for entry in memo.values():
        if "_width" in entry.get("pattern", ()):
            entry["pattern"]["_width"] = None  # differs between versions of Python; Lark computes it on demand
    text = json.dumps({"lark": __version__, "data": data, "memo": memo}, separators=(",", ":"))
    return text.replace('},"', '},\n"') + "\n"


if __name__ == "__main__":
    (GRAMMAR_DIR / "parser.json").write_text(parser_json(), encoding="utf-8")

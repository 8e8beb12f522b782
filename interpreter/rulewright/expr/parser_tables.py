"""The parser's tables in a file, written when the language changes and not computed each time rules are read.

In: `grammar.lark`. Out: `parser.json` beside it, written by `python -m rulewright.expr.parser_tables`: Lark's own
serialization of its parser, as plain data. Lark loads it in two milliseconds; reading the grammar takes it thirty. And
`read_table.json`, what `table_parser` needs of it to read what is right.
"""

from __future__ import annotations

import json
from typing import Any, TypedDict

from lark import __version__
from lark.grammar import Rule
from lark.lexer import TerminalDef

from rulewright.expr.grammar import GRAMMAR_DIR, build_lark_parser
from rulewright.expr.table_parser import READ_TABLE, PlainRule, ReadTable

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


def read_table_json() -> str:
    """The text that `read_table.json` should have."""
    data = json.loads(parser_json())
    parsing, memo = data["data"]["parser"], list(data["memo"].values())
    table = parsing["parser"]
    texts = {"$END": "$END"}  # of keywords and signs; of other terminals the name
    texts |= {terminal["name"]: _terminal_key(terminal) for terminal in memo if terminal["__type__"] == "TerminalDef"}
    rules = [entry["@"] for entry in parsing["parser_conf"]["rules"]]
    acts: list[dict[str, int]] = []
    gotos: list[dict[str, int]] = []
    states = []
    for row in table["states"].values():
        named = [(table["tokens"][token], *action) for token, action in row.items()]
        act = {
            texts[name]: -1 - rules.index(target["@"]) if reduces else target
            for name, reduces, target in named
            if name in texts
        }
        goto = {name: target for name, _, target in named if name not in texts}
        states.append((_number(act, acts), _number(goto, gotos)))
    read_table: ReadTable = {
        "states": states,
        "starts": {start: (state, table["end_states"][start]) for start, state in table["start_states"].items()},
        "acts": acts,
        "gotos": gotos,
        "rules": [_plain_rule(memo[number]) for number in rules],
    }
    return (
        "".join(
            f'{"{" if index == 0 else ","}"{key}":{json.dumps(value, separators=(",", ":"))}\n'
            for index, (key, value) in enumerate(read_table.items())
        ).rstrip()
        + "}\n"
    )


def _number(row: dict[str, int], rows: list[dict[str, int]]) -> int:
    """The place of a row among all, where it is put if it is not there."""
    if row not in rows:
        rows.append(row)
    return rows.index(row)


def _terminal_key(terminal: dict[str, Any]) -> str:
    """The text of a keyword or sign; else the terminal's name."""
    name, text = str(terminal["name"]), str(terminal["pattern"]["value"])
    if terminal["pattern"]["__type__"] == "PatternStr":
        return text
    return name.lower() if text == f"{name.lower()}(?![a-z0-9_])" else name


def _plain_rule(rule: dict[str, Any]) -> PlainRule:
    """A rule as `ReadTable` has it."""
    kept = [index for index, part in enumerate(rule["expansion"]) if not part.get("filter_out")]
    origin, alias = str(rule["origin"]["name"]), rule["alias"]
    name = None if origin.startswith("_") else str(alias or origin)
    return origin, len(rule["expansion"]), kept, name, bool(rule["options"]["expand1"] and not alias)


if __name__ == "__main__":
    (GRAMMAR_DIR / "parser.json").write_text(parser_json(), encoding="utf-8")
    READ_TABLE.write_text(read_table_json(), encoding="utf-8")

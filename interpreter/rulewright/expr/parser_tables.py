"""The grammar in the form that Lark loads at once, made when the language changes and not each time rules are read.

In: `grammar.lark`. Out: `parser.json` beside it, written by `python -m rulewright.expr.parser_tables`: what Lark
itself says of the parser it made, as plain data. Lark loads it within two milliseconds; to read the grammar takes it
thirty.
"""

from __future__ import annotations

import json
from typing import Any, get_args

from lark import Lark, __version__
from lark.grammar import Rule
from lark.lexer import PatternRE, PatternStr, TerminalDef

from rulewright.expr.parse import GRAMMAR_DIR, StartRule


def _whole_word(terminal: TerminalDef) -> None:
    """A word of the language ends where its letters end, so that `1 offset` is not `1 of fset`.

    It goes before a name where both can stand; where only a name can, the contextual lexer looks for nothing else.
    """
    if isinstance(terminal.pattern, PatternStr) and terminal.pattern.value.isalpha():
        terminal.pattern = PatternRE(terminal.pattern.value + "(?![a-z0-9_])")
        terminal.priority += 1


def build_lark_parser(*, debug: bool = False) -> Lark:
    """The parser, made from the grammar. `debug`: conflicts in it are logged."""
    return Lark(
        (GRAMMAR_DIR / "grammar.lark").read_text(encoding="utf-8"),
        parser="lalr",
        lexer="contextual",
        start=list(get_args(StartRule)),
        propagate_positions=True,
        maybe_placeholders=False,
        edit_terminals=_whole_word,
        debug=debug,
    )


def _in_order(table: dict[str, Any]) -> dict[str, Any]:
    """A table of states, numbered as they are come by: Lark's own numbers differ from run to run."""
    names, states = table["tokens"], table["states"]
    found = list(table["start_states"].values())
    rows = []
    for state in found:
        row = sorted((names[word], ends, to) for word, (ends, to) in states[state].items())
        rows.append(row)
        found += dict.fromkeys(to for _, ends, to in row if not ends and to not in found)
    number = {state: place for place, state in enumerate(found)}
    words = sorted(names.values())
    return {
        "tokens": dict(enumerate(words)),
        "states": {
            place: {words.index(word): (ends, to if ends else number[to]) for word, ends, to in row}
            for place, row in enumerate(rows)
        },
        "start_states": {start: number[state] for start, state in sorted(table["start_states"].items())},
        "end_states": {start: number[state] for start, state in sorted(table["end_states"].items())},
    }


def parser_json() -> str:
    """The text that `parser.json` should have."""
    data, memo = build_lark_parser().memo_serialize([TerminalDef, Rule])
    data["options"]["edit_terminals"] = None  # done, and no plain data
    data["parser"]["parser"] = _in_order(data["parser"]["parser"])
    for one in memo.values():
        if "_width" in one.get("pattern", ()):
            one["pattern"]["_width"] = None  # versions of Python count it differently; Lark counts it when it is asked
    made = json.dumps({"lark": __version__, "data": data, "memo": memo}, separators=(",", ":"))
    return made.replace('},"', '},\n"') + "\n"


if __name__ == "__main__":
    (GRAMMAR_DIR / "parser.json").write_text(parser_json(), encoding="utf-8")

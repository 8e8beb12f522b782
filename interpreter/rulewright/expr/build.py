"""How the words of a rule hang together, worked out once: the grammar becomes tables that a short loop can follow.

In: `grammar.lark`. Out: `tables.json` beside it, written by `python -m rulewright.expr.build`. Lark works the tables
out and is needed for nothing else: the package reads the tables within a millisecond; Lark takes thirty to import.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parent
STARTS: Final = ("expr", "amount", "place", "binding", "type", "kind_range", "every_kind", "grid")


def tables(grammar: str) -> dict[str, Any]:
    """Tables of a grammar, as plain data.

    `starts`: the first state of each way in. `states`: for each state the number of its row. `rows`: what each word
    leads to: a state to go on in (0 and above), or minus one minus the rule that ends here. `rules`: what a finished
    rule counts as, how many words and parts it takes off, under which name they stand in the tree (`""`: as they are,
    `_`: among the parts of the rule around it), and which of them are kept.
    """
    from lark import Lark
    from lark.lexer import PatternStr
    from lark.parsers.lalr_analysis import Shift

    lark = Lark(grammar, parser="lalr", start=list(STARTS), maybe_placeholders=False)
    texts = {one.name: one.pattern.value for one in lark.terminals if isinstance(one.pattern, PatternStr)}
    texts |= {rule.origin.name: f"<{rule.origin.name}>" for rule in lark.rules}  # `sum` is a word and a rule
    table: Any = lark.parser.parser.parser.parse_table
    rules = sorted(lark.rules, key=lambda rule: (str(rule.origin.name), rule.order, str(rule.expansion)))
    numbers = {rule: number for number, rule in enumerate(rules)}
    rows: list[dict[str, int]] = []
    states: list[int] = []
    # breadth first from the starts, so that the numbering does not hang on the order of sets inside Lark
    order = [table.start_states[start] for start in STARTS]
    for state in order:
        for _, (act, to) in sorted(table.states[state].items()):
            if act is Shift and to not in order:
                order.append(to)
    place = {state: number for number, state in enumerate(order)}
    for state in order:
        row = {
            texts.get(word, word): place[to] if act is Shift else -1 - numbers[to]
            for word, (act, to) in table.states[state].items()
        }
        if state in table.end_states.values():
            row["$END"] = 0
        row = dict(sorted(row.items()))
        if row not in rows:
            rows.append(row)
        states.append(rows.index(row))
    return {
        "grammar": digest(grammar),
        "starts": {start: place[table.start_states[start]] for start in STARTS},
        "rules": [_rule(rule) for rule in rules],
        "states": states,
        "rows": rows,
    }


def _rule(rule: Any) -> list[Any]:
    kept = [at for at, symbol in enumerate(rule.expansion) if not getattr(symbol, "filter_out", False)]
    origin = str(rule.origin.name)
    if origin.startswith("_"):
        name = "_"
    elif rule.alias:
        name = str(rule.alias)
    else:
        name = "" if rule.options.expand1 and len(kept) == 1 else origin
    return [f"<{origin}>", len(rule.expansion), name, kept]


def digest(grammar: str) -> str:
    """Which grammar tables were made from."""
    return hashlib.sha256(grammar.encode()).hexdigest()


def text() -> str:
    """The text that `tables.json` should have."""
    made = tables((FOLDER / "grammar.lark").read_text(encoding="utf-8"))
    rows = ",\n  ".join(json.dumps(row, separators=(",", ":")) for row in made["rows"])
    rules = ",\n  ".join(json.dumps(rule, separators=(",", ":")) for rule in made["rules"])
    head = f'{{\n "grammar": "{made["grammar"]}",\n "starts": {json.dumps(made["starts"])},\n'
    states = json.dumps(made["states"], separators=(",", ":"))
    return f'{head} "states": {states},\n "rules": [\n  {rules}\n ],\n "rows": [\n  {rows}\n ]\n}}\n'


if __name__ == "__main__":
    (FOLDER / "tables.json").write_text(text(), encoding="utf-8")

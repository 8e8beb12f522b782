"""Which shipped game has which construct of the language, found in the rule files.

In: the table of `rules/reference/games.md` after its mark, each row a construct and how it is written. Out: the table
with a mark for each game that has it. `python tests/construct_matrix.py` writes it anew.

How a construct is written: the end of an address with what is there, `actions.*.choose.*.pay:`, `order: shuffled`; `*`
is any one name. Several ways are separated by ` or `.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "rules" / "reference" / "games.md"
BEGIN, END = "<!-- matrix -->", "<!-- end of matrix -->"
RULE_FILES = ("game", "part_of", "adjusts")  # what is played: no rows, sentences, sources or looks
SECTION = r"(?:kinds|parameters|components|zones|state|values|setup|actions|procedures|turn|round|finale|ranking)\\\."
UNPLAYED = ("text", "why", "source", "status", "sentences", "book", "display")


def addressed(node: Any, address: str = "") -> Iterator[str]:
    """A line `address: value` for each node of rules."""
    match node:
        case dict():
            for key, value in node.items():
                if key in UNPLAYED and not (key == "why" and address.startswith("values.")):  # which makes a condition
                    continue
                path = f"{address}.{key}" if address else str(key)
                yield f"{path}: {'' if isinstance(value, dict | list) else value}"
                yield from addressed(value, path)
        case list():
            for item in node:
                if isinstance(item, dict):
                    yield from addressed(item, address)
                else:
                    yield f"{address}: {item}"


@cache
def lines_of_rules(game: str) -> tuple[str, ...]:
    """All rules of a shipped game, as lines with addresses."""
    found: list[str] = []
    for path in sorted((ROOT / "rules" / game).glob("*.yaml")):
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        if next(iter(data)) in RULE_FILES:
            found += addressed(data)
    return tuple(found)


def has(game: str, written: str) -> bool:
    """Whether a game has what is written like this."""
    patterns = [re.escape(one.strip("`")).replace(r"\*", r"[^.: ]+") for one in written.split(" or ")]
    # what begins with a section is an address from the top, anything else can be anywhere
    pattern = re.compile("|".join(rf"^{one}" if re.match(SECTION, one) else rf"(?:^|[. ]){one}" for one in patterns))
    return any(pattern.search(line) for line in lines_of_rules(game))


def with_matrix(text: str) -> str:
    """The page with the table as it has to be; its constructs, and how they are written, stay."""
    before, _, rest = text.partition(BEGIN)
    table, _, after = rest.partition(END)
    listed = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.strip().splitlines()]
    games = re.findall(r"^\| `([\w-]+)` \| \d", before, re.MULTILINE)
    lines = [f"| construct | written | {' | '.join(games)} |", "|---|---|" + ":-:|" * len(games)]
    for construct, written, *_ in listed[2:]:
        marks = ["x" if has(game, written) else " " for game in games]
        lines.append(f"| {construct} | {written} | {' | '.join(marks)} |")
    table = "\n".join(lines)
    return f"{before}{BEGIN}\n{table}\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(with_matrix(PAGE.read_text(encoding="utf-8")), encoding="utf-8")

"""The examples of the reference's pages: fenced blocks and tables, each with what the comment before it says of it.

In: the text of a page. Out: a `Piece` for each; and the table of all diagnostics.
`python tests/reference_extract.py` writes that table anew from the codes of the package, and the page of explanations.

What a comment says: `<!-- file: name.yaml -->` a whole file; `<!-- in: game, at: section -->` a fragment of a game of
this page, put in at that place; `<!-- position: name, of: game, players: 2, moves: a; b -->` a position; and before
tables `expressions:`, `sentences:`, `notation:` with the name of a position, or `payments`.
`step:` what a reader of the page does in turn, in one folder: files are written (`file:`, or `new:` when the file is no
example of its own), changed (`into:`; `step: wrong` is taken back after the next commands), commands typed.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

ROOT = Path(__file__).parent.parent
REFERENCE = ROOT / "rules" / "reference"
DIAGNOSTICS = REFERENCE / "diagnostics.md"
EXPLANATIONS = REFERENCE / "explanations.md"  # generated; its examples are checked where they come from
PAGES = [
    ROOT / "rules" / "README.md",
    *sorted(path for path in REFERENCE.glob("*.md") if path != EXPLANATIONS),
    ROOT / "variants" / "README.md",
]
BEGIN, END = "<!-- diagnostics -->", "<!-- end of diagnostics -->"

COMMENT = re.compile(r"<!--\s*(.*?)\s*-->")
FENCE = re.compile(r"^```(\w*)$")
CELL_END = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True)
class Piece:
    """A fenced block (`kind` is its language) or a table (`kind` is `table`). `says`: the comment before it."""

    page: str
    line: int
    kind: str
    says: dict[str, str]
    text: str

    @property
    def name(self) -> str:
        return f"{self.page}:{self.line}"

    def rows(self) -> list[list[str]]:
        """The cells of a table without its head."""
        return [[cell.strip() for cell in CELL_END.split(line.strip()[1:-1])] for line in self.text.splitlines()[2:]]


def unquoted(cell: str) -> str:
    """What stands in the cell of a table, without the marks of code."""
    return cell.strip("`").replace("\\|", "|")


def _says(comment: str) -> dict[str, str]:
    # moves hold commas of their own, so they stand last
    head, moves, rest = comment.partition("moves:")
    found = dict(part.strip().partition(":")[::2] for part in head.strip().rstrip(",").split(","))
    return {key: value.strip() for key, value in found.items()} | ({"moves": rest.strip()} if moves else {})


def pieces(page: Path) -> Iterator[Piece]:
    """All blocks, tables and positions of a page, in order."""
    lines = page.read_text(encoding="utf-8").splitlines()
    name, says, at = page.relative_to(ROOT).as_posix(), dict[str, str](), 0
    while at < len(lines):
        line, start = lines[at], at + 1
        if comment := COMMENT.fullmatch(line.strip()):
            says = says | _says(comment[1])
            if "position" in says:
                yield Piece(name, start, "position", says, "")
                says = {}
        elif fence := FENCE.match(line):
            end = lines.index("```", at + 1)
            yield Piece(name, start, fence[1], says, "\n".join(lines[at + 1 : end]) + "\n")
            says, at = {}, end
        elif line.startswith("|"):
            end = at
            while end < len(lines) and lines[end].startswith("|"):
                end += 1
            yield Piece(name, start, "table", says, "\n".join(lines[at:end]))
            says, at = {}, end - 1
        elif line.strip():
            says = {}
        at += 1


def _by_name(text: str, indent: str) -> dict[str, str]:
    """The entries of a mapping that is written with this indent, as they are written."""
    starts = re.split(rf"(?m)^(?={indent}[a-z]\w*:)", text)
    return {start.split(":")[0].strip(): start for start in starts if start.strip()}


def _is_block(entry: str, indent: str) -> bool:
    """Whether an entry is a mapping with a line for each of its own entries."""
    head, _, body = entry.partition("\n")
    return head.endswith(":") and re.match(rf"{indent}  [a-z]", body) is not None


def merged(text: str, change: str, indent: str = "") -> str:
    """A rule file after a change: in mappings of several lines entries are added or changed, all else is replaced."""
    whole = _by_name(text, indent)
    for name, entry in _by_name(change, indent).items():
        head, _, body = entry.partition("\n")
        if _is_block(whole.get(name, ""), indent) and _is_block(entry, indent):
            whole[name] = f"{head}\n{merged(whole[name].partition(chr(10))[2], body, indent + '  ')}"
        else:
            whole[name] = entry
    return "".join(whole.values())


def diagnostics_table() -> str:
    """The table of all diagnostics, from the codes of the package."""
    import rulewright
    from rulewright.diagnostics import Code

    found: dict[str, Code] = {}
    for module in walk_packages(rulewright.__path__, "rulewright."):
        if module.name.rpartition(".")[2].endswith("codes"):
            for value in vars(import_module(module.name)).values():
                if isinstance(value, Code):
                    assert found.setdefault(value.number, value) is value, f"two codes {value.number}"
    lines = ["| number | name | meaning |", "|---|---|---|"]
    for number in sorted(found):
        one = found[number]
        meaning = one.meaning[:1].lower() + one.meaning[1:].rstrip(".").replace("|", "\\|")
        lines.append(f"| {number} | `{one.name}` | {'warning: ' if one.severity == 'warning' else ''}{meaning} |")
    return "\n".join(lines)


def with_diagnostics(text: str) -> str:
    """The page with the table as it has to be."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{diagnostics_table()}\n{END}{after}"


def explanations_page() -> str:
    """The page with the explanations of all diagnostics."""
    from rulewright.checker.common.diagnostic_json import CODES
    from rulewright.explanations.explanation import EXAMPLE_GAME, explanation_of

    lines = [
        "# What each diagnostic means",
        "",
        "[All pages of the reference](index.md) · [A table of all diagnostics](diagnostics.md)",
        "",
        "`rulewright explain NAME` prints the same. Examples are files, or parts of the game at the end of this page.",
    ]
    for code in CODES:
        explanation = explanation_of(code)
        meaning = code.meaning[:1].upper() + code.meaning[1:].rstrip(".")
        lines += ["", f"## {code.number} {code.name}", "", f"{meaning}. {explanation.why}"]
        for title, example in (("Wrong", explanation.wrong), ("Right", explanation.right)):
            lines += ["", f"{title}:", "", "```yaml", example.shown.rstrip("\n"), "```"]
    game = EXAMPLE_GAME.read_text(encoding="utf-8").rstrip("\n")
    return "\n".join([*lines, "", "## The game of the examples", "", "```yaml", game, "```", ""])


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "interpreter"))
    EXPLANATIONS.write_text(explanations_page(), encoding="utf-8")
    DIAGNOSTICS.write_text(with_diagnostics(DIAGNOSTICS.read_text(encoding="utf-8")), encoding="utf-8")

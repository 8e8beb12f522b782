"""The page of a diagnostic: what is wrong, why that matters, and how it looks wrong and right.

In: the name or number of a code. Out: an `Explanation`, read from the file of its family.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import yaml

from rulewright.checker.common.diagnostic_json import CODES
from rulewright.diagnostics import Code
from rulewright.frozen import frozen

FOLDER: Final = Path(__file__).parent
EXAMPLE_GAME: Final = FOLDER / "example-game.yaml"  # what examples that are fragments belong to
FAMILY_FILES: Final = MappingProxyType(
    {
        "E": "expressions.yaml",
        "G": "play.yaml",
        "L": "allowances.yaml",
        "N": "names.yaml",
        "O": "variants.yaml",
        "P": "play.yaml",
        "S": "shape.yaml",
        "T": "types.yaml",
        "V": "secrets.yaml",
        "Y": "yaml.yaml",
    }
)
MAX_TEXT_WIDTH: Final = 100
EXPRESSION_PLACE: Final = (  # where an example that is an expression is put to be checked
    "setup:\n  - gift: {{for_each: player, move: up to 1 of colour, from: bank, to: pouch(player)}}\n"
    "actions:\n  take:\n    when:\n      example: {{is: {}, why: Not now.}}\n"
)


@frozen
class Example:
    """Files by their names; one without a name of its own is called `chips.yaml`, as the example game.

    `shown`: what is printed of it.
    """

    files: Mapping[str, str]
    shown: str


@frozen
class Explanation:
    """What a code means. `unchecked`: why its examples cannot be checked; empty where they are."""

    code: Code
    why: str
    wrong: Example
    right: Example
    unchecked: str = ""


def find_code(word: str) -> Code | None:
    """The code with this number or name, in small letters or capitals."""
    return next((code for code in CODES if word.lower() in (code.number.lower(), code.name)), None)


def explanation_of(code: Code) -> Explanation:
    """The explanation of a code. Raises `KeyError` when it has none, which tests do not allow."""
    entry = _family(FAMILY_FILES[code.number[0]])[code.name]
    wrong, right = _examples(entry)
    unchecked = entry.get("unchecked", "it is a command" if "command" in entry else "")
    return Explanation(code, entry["why"], wrong, right, unchecked)


def _examples(entry: Mapping[str, Any]) -> tuple[Example, Example]:
    if "command" in entry:
        return _of_text(f"$ {entry['command'][0]}\n"), _of_text(f"$ {entry['command'][1]}\n")
    if "is" in entry:
        return _of_expression(entry["is"][0]), _of_expression(entry["is"][1])
    return _of_files(entry["wrong"]), _of_files(entry["right"])


def _of_expression(expression: str) -> Example:
    quoted = '"' + expression.replace('"', '\\"') + '"'
    return Example({"chips.yaml": EXPRESSION_PLACE.format(quoted)}, f"is: {quoted}\n")


def _of_text(text: str) -> Example:
    return Example({}, text)


def _of_files(files: str | Mapping[str, str]) -> Example:
    if isinstance(files, str):
        first, _, rest = files.partition("\n")[0].partition(":")
        name = f"{rest.strip()}.yaml" if first == "variant" else "cases.yaml" if first == "scenarios" else "chips.yaml"
        return Example({name: files}, files)
    return Example(files, "\n".join(f"# {name}\n{text}" for name, text in files.items()))


def explanation_text(explanation: Explanation) -> str:
    """The page of a code for a terminal."""
    code = explanation.code
    return "\n".join(
        (
            f"{code.severity}[{code.name}] {code.number}: {code.meaning[:1].lower()}{code.meaning[1:].rstrip('.')}",
            "",
            textwrap.fill(explanation.why, MAX_TEXT_WIDTH),
            "",
            "wrong:",
            textwrap.indent(explanation.wrong.shown.rstrip("\n"), "    "),
            "right:",
            textwrap.indent(explanation.right.shown.rstrip("\n"), "    "),
        )
    )


@cache
def _family(name: str) -> Mapping[str, Any]:
    text = (FOLDER / name).read_text(encoding="utf-8")
    entries: dict[str, Any] = yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return entries


__all__ = ["EXAMPLE_GAME", "FAMILY_FILES", "Example", "Explanation", "explanation_of", "explanation_text", "find_code"]

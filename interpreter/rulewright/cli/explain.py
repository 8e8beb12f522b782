"""`rulewright explain`: what a diagnostic means, why it matters, and how it looks wrong and right.

In: parsed arguments. Out: the page of each code that is asked for, on stdout; without one a list of all codes.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.common.diagnostic_json import CODES
from rulewright.cli.exit_status import ExitStatus
from rulewright.cli.options import CommandOptions
from rulewright.diagnostics import Code
from rulewright.errors import UsageError, quote
from rulewright.explanations.explanation import explanation_of, explanation_text, find_code
from rulewright.lazy_pattern import lazy_pattern
from rulewright.suggestions import did_you_mean, join_hints

PASTED: Final = lazy_pattern(r"^(?:(?:error|warning)\[)?([\w-]+)\]?:?$")


class Options(CommandOptions):
    """The options of `explain`."""

    codes: list[str]


def run(args: Options) -> int:
    """Prints the pages, or the list."""
    codes = [_code(word) for word in args.codes]
    if codes:
        print("\n\n".join(explanation_text(explanation_of(code)) for code in codes))
    else:
        width = max(len(code.name) for code in CODES)
        for code in CODES:
            meaning = code.meaning[:1].lower() + code.meaning[1:].rstrip(".")
            print(f"{code.number}  {code.name:<{width}}  {'warning: ' * (code.severity == 'warning')}{meaning}")
    return ExitStatus.OK


def _code(word: str) -> Code:
    """The code of a name or number, perhaps as it stands in a diagnostic: `error[unknown-name]`, `N201:`."""
    code = find_code(PASTED.sub(r"\1", word))
    if code is None:
        hint = did_you_mean(word.lower(), [code.name for code in CODES])
        raise UsageError(join_hints(f"no diagnostic {quote(word)}", hint, "`rulewright explain` lists all"))
    return code


__all__ = ["Options", "run"]

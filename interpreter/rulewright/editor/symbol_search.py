"""What is declared in the games that are open and has a name like the one that is typed.

In: what is open, and letters. Out: declarations, each once; those of variants that are open, too.
"""

from __future__ import annotations

from typing import Final

from rulewright.document.declared_names import Declaration, iter_declarations
from rulewright.editor.workspace import Workspace

MAX_FOUND: Final = 1_000


def find_declarations(workspace: Workspace, letters: str) -> list[Declaration]:
    """The declarations with these letters in this order in their name, or with all of them in their address."""
    letters = letters.casefold()
    found: dict[tuple[str, int], Declaration] = {}
    for path in sorted(workspace.open):
        rules = workspace.rules(path)
        for declaration in [] if rules is None or rules.root is None else iter_declarations(rules.root):
            if _has_in_order(declaration.name.casefold(), letters) or letters in declaration.address.casefold():
                found.setdefault((declaration.span.source.path, declaration.span.start), declaration)
    return sorted(found.values(), key=lambda each: (len(each.name), each.address))[:MAX_FOUND]


def _has_in_order(text: str, letters: str) -> bool:
    rest = iter(text)
    return all(letter in rest for letter in letters)


__all__ = ["find_declarations"]

"""A name that is misspelled where it is declared: reported there, not at each of the rules that use it.

In: the tree of a game and what is wrong with it. Out: `Diagnostics` in which unknown names that all mean one
declaration, which nothing uses by the name that it has, are one diagnostic at the declaration.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from rulewright.checker.lint_codes import MISSPELLED_DECLARATION
from rulewright.diagnostics import CauseSort, Diagnostic, Diagnostics, Fix, Related
from rulewright.document.address import split_address
from rulewright.document.declared_names import Declaration, iter_declarations
from rulewright.expr.codes import ALL_OR_ONE
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.nodes import MappingNode, Node, ScalarNode, as_mapping
from rulewright.suggestions import closest_name

MISSING: Final[tuple[CauseSort, ...]] = ("no name", "no field", "no member")
NAME_PATTERN: Final = lazy_pattern(r"[a-z][a-z0-9_]*")
EXPRESSION_FAMILIES: Final = ("E", "T")  # of codes
CHOICE: Final = "choice"
UNMENTIONED: Final = frozenset({"measure", "thing"})  # what rules declare and need not mention
MIN_USES: Final = 2  # a single use may as well be what is misspelled
MAX_SHOWN_USES: Final = 2


def merge_misspelled_declarations(root: MappingNode, diagnostics: Diagnostics) -> Diagnostics:
    """The same diagnostics, where those about a misspelled declaration are one."""
    shown = list(diagnostics)
    uses: dict[str, list[Diagnostic]] = {}
    for diagnostic in shown:
        if word := _word_used(diagnostic):
            uses.setdefault(word, []).append(diagnostic)
    unknown = {
        word: found
        for word, found in uses.items()
        if len({one.span for one in found}) >= MIN_USES and any(map(_is_unknown, found))
    }
    if not unknown:
        return diagnostics
    unused = list(_unused_declarations(root, unknown))
    causes: list[Diagnostic] = []
    for word, found in unknown.items():
        name = closest_name(word, [one.name for one in unused])
        cause = next((one for one in unused if one.name == name), None)
        if cause is None or not all(_is_within(one.address, cause) for one in found):
            continue
        shown = [one for one in shown if one not in found and not _is_beside(one, word, cause)]
        causes.append(_report(cause, word, found))
    if not causes:
        return diagnostics
    merged = Diagnostics()
    merged.extend([*causes, *shown])
    return merged


def _word_used(diagnostic: Diagnostic) -> str:
    """The name that nothing declares, or else the word that alone is marked."""
    text = diagnostic.span.text
    missing = next((name for sort in MISSING if (name := diagnostic.cause_name(sort))), "")
    return missing or (text if NAME_PATTERN.fullmatch(text) else "")


def _is_unknown(diagnostic: Diagnostic) -> bool:
    """Whether it says that a name means nothing, or another thing than it should."""
    return diagnostic.code is ALL_OR_ONE or any(map(diagnostic.comes_from, MISSING))


def _is_beside(diagnostic: Diagnostic, word: str, cause: Declaration) -> bool:
    """Whether an expression is wrong that has the name, which means something else in it, or nothing."""
    is_expression = diagnostic.code.number[0] in EXPRESSION_FAMILIES and _is_within(diagnostic.address, cause)
    line = diagnostic.span.source.line_text(diagnostic.span.line)
    return is_expression and re.search(rf"\b{word}\b", line) is not None


def _is_within(address: str, cause: Declaration) -> bool:
    """Whether a rule can use the name: that of a choice only within its action."""
    section, name, *_ = split_address(cause.address)
    return cause.label != CHOICE or address.startswith(f"{section}.{name}")


def _unused_declarations(root: MappingNode, words: Iterable[str]) -> Iterator[Declaration]:
    """The declarations with names like one of the words that stand nowhere else in the rules."""
    known = list(words)
    counts: dict[int, Counter[str]] = {}
    for declaration in iter_declarations(root):
        if declaration.label in UNMENTIONED or not any(closest_name(word, [declaration.name]) for word in known):
            continue
        scope = _scope(root, declaration)
        count = counts.get(id(scope))
        if count is None:
            count = counts[id(scope)] = Counter(word for text in _texts(scope) for word in NAME_PATTERN.findall(text))
        if count[declaration.name] == 1:
            yield declaration


def _scope(root: MappingNode, declaration: Declaration) -> Node:
    """The part of the rules in which a name can be used: that of a choice only within its action."""
    section, name, *_ = split_address(declaration.address)
    return root if declaration.label != CHOICE else as_mapping(root.get(section)).require(name)


def _texts(node: Node) -> Iterator[str]:
    """The texts of all keys and values."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        match part:
            case ScalarNode():
                yield part.text
            case MappingNode():
                for entry in part.entries:
                    yield entry.key.text
                    waiting.append(entry.value)
            case _:
                waiting += part.items


def _report(cause: Declaration, word: str, uses: Iterable[Diagnostic]) -> Diagnostic:
    spans = {one.span: None for one in uses}
    related = [Related(span, "one of its uses") for span in list(spans)[:MAX_SHOWN_USES]]
    return Diagnostic(
        MISSPELLED_DECLARATION,
        cause.span,
        f"nothing uses `{cause.name}`, and `{word}` is not declared",
        label=f"`{word}` everywhere else",
        help=f"did you mean `{word}`?",
        address=cause.address,
        related=tuple(related),
        fix=Fix(cause.span, word, is_certain=False),
    )


__all__ = ["merge_misspelled_declarations"]

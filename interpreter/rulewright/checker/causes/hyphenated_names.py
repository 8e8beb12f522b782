"""A name with a hyphen for its underscore, which is read as a subtraction: `hand-limit` for `hand_limit`.

In: the tree of a game and what is wrong with it. Out: `Diagnostics` in which what is wrong with such a subtraction is
one diagnostic at the whole name, where the rules declare it with underscores and not all of its parts.
"""

from __future__ import annotations

from typing import Final

from rulewright.diagnostics import Diagnostic, Diagnostics, Fix, Span
from rulewright.document.declared_names import iter_declarations
from rulewright.expr.codes import UNKNOWN_FIELD, UNKNOWN_FUNCTION, UNKNOWN_NAME
from rulewright.expr.keywords import BUILTINS
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.nodes import MappingNode

HYPHENATED: Final = lazy_pattern(r"(?<![\w-])[a-z]\w*(?:-[a-z]\w*)+(?![\w-])")
EXPRESSION_FAMILIES: Final = ("E", "T")  # of codes
NAME_CODES: Final = (UNKNOWN_NAME, UNKNOWN_FUNCTION, UNKNOWN_FIELD)


def merge_hyphenated_names(root: MappingNode, diagnostics: Diagnostics) -> Diagnostics:
    """The same diagnostics, where those about one such name are one."""
    groups = dict[Span, list[Diagnostic]]()
    for one in diagnostics:
        if one.code in NAME_CODES or one.code.number[0] in EXPRESSION_FAMILIES:
            for span in _hyphenated(one.span):
                groups.setdefault(span, []).append(one)
    if not groups:
        return diagnostics
    declared = {one.name for one in iter_declarations(root)} | BUILTINS
    changed = dict[int, Diagnostic | None]()
    for span, found in groups.items():
        if _underscored(span) in declared and not declared.issuperset(span.text.split("-")):
            changed.update({id(one): None for one in found})
            changed[id(found[0])] = _report(span, found[0])
    merged = Diagnostics()
    merged.merge(diagnostics, lambda one: changed.get(id(one), one))
    return merged


def _hyphenated(span: Span) -> list[Span]:
    """The names with hyphens on the line of a place which have a part in it."""
    line, start = span.source.line_text(span.line), span.start - span.column + 1
    names = (Span(span.source, start + name.start(), start + name.end()) for name in HYPHENATED.finditer(line))
    return [name for name in names if name.start <= span.end and span.start <= name.end]


def _underscored(span: Span) -> str:
    return span.text.replace("-", "_")


def _report(span: Span, first: Diagnostic) -> Diagnostic:
    name = _underscored(span)
    return Diagnostic(
        UNKNOWN_NAME,
        span,
        f"no name `{span.text}`: the hyphen is read as a minus",
        label="unknown",
        help=f"did you mean `{name}`?",
        address=first.address,
        fix=Fix(span, name),
    )


__all__ = ["merge_hyphenated_names"]

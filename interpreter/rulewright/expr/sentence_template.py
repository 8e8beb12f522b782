"""A sentence with holes, as it was read: what has to be filled in, and the words between.

In: nothing. Out: the classes that `templates.py` makes of the text of a sentence.
"""

from __future__ import annotations

from rulewright.expr.tree import Expr, Offsets
from rulewright.frozen import frozen


@frozen
class Hole:
    """The value of an expression, in words. `text`: the expression with uniform spacing; `offsets`: in the scalar."""

    expr: Expr
    text: str
    offsets: Offsets


@frozen
class PluralHole:
    """One of several forms, selected by a number that is not printed itself. Which form is for which number depends on
    the language.
    """

    expr: Expr
    forms: tuple[str, ...]
    text: str
    offsets: Offsets


@frozen
class SentenceTemplate:
    """Texts, and the holes between them."""

    parts: tuple[str | Hole | PluralHole, ...]


__all__ = ["Hole", "PluralHole", "SentenceTemplate"]

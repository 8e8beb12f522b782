"""A sentence with holes: what a rule says to a player, where names, numbers and plurals are filled in from the game.

In: a scalar such as `You hold {count(bowl(me))} {count(bowl(me)): tile | tiles}.` and its scope. Out: a `Sentence` of
texts, holes and plurals, or None with a complaint inside the scalar. `{{` and `}}` are braces.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from rulewright.diagnostics import Report
from rulewright.expr import codes, type_relations
from rulewright.expr.parse import canonical
from rulewright.expr.tree import At, Expr
from rulewright.expr.typecheck.check_context import Desk
from rulewright.expr.typecheck.expressions import RULES, expression
from rulewright.expr.types import Flag, Scope, Unknown
from rulewright.source.nodes import Scalar


@dataclass(frozen=True, slots=True)
class Hole:
    """The value of an expression, in words. `text`: the expression, evenly spaced; `at`: its place in the scalar."""

    expr: Expr
    text: str
    at: At


@dataclass(frozen=True, slots=True)
class Plural:
    """One of several forms, picked by a number that is not itself printed. A language says which form is for which."""

    expr: Expr
    forms: tuple[str, ...]
    text: str
    at: At


@dataclass(frozen=True, slots=True)
class Sentence:
    """Texts and what stands between them."""

    parts: tuple[str | Hole | Plural, ...]


PIECE: Final = re.compile(r"(?P<text>[^{}]+)|(?P<brace>\{\{|\}\})|\{(?P<hole>[^{}]*)\}|(?P<stray>[{}])")


def sentence(scalar: Scalar, scope: Scope, report: Report, *, address: str = "") -> Sentence | None:
    """Reads a sentence and checks its holes; None when one of them is wrong."""
    desk = Desk(scalar, report, address, RULES)
    parts: list[str | Hole | Plural] = []
    sound = True
    text = ""
    for piece in PIECE.finditer(scalar.text):
        if piece["hole"] is None:
            text += piece["text"] or (piece["brace"] or "")[:1]
            if piece["stray"]:
                sound = False
                message = f"`{piece['stray']}` has no partner"
                hint = f"for the sign itself write `{piece['stray'] * 2}`"
                desk.complain(codes.BRACES, piece.span("stray"), message, label="alone", help=hint)
            continue
        if text:
            parts.append(text)
            text = ""
        found = _hole(desk, piece.start("hole"), piece["hole"], scope)
        if found is None:
            sound = False
        else:
            parts.append(found)
    if text:
        parts.append(text)
    return Sentence(tuple(parts)) if sound else None


def _hole(desk: Desk, start: int, inside: str, scope: Scope) -> Hole | Plural | None:
    """The hole whose inside begins at `start`."""
    asked, colon, rest = inside.partition(":")
    at = (start, start + len(asked))
    found = expression(desk.scalar, scope, desk.report, address=desk.address, part=at)
    if isinstance(found.type, Unknown):
        return None
    if not colon:
        if isinstance(found.type, Flag):
            message = "true or false cannot be printed in a sentence"
            desk.complain(codes.UNSPEAKABLE, at, message, label="no words for it")
            return None
        return Hole(found, canonical(asked), at)
    if type_relations.number(found.type, scope.kinds) is None:
        message = f"a plural is picked by a number, and this is {type_relations.phrase(found.type)}"
        desk.complain(codes.NOT_A_NUMBER, at, message, label="not a number")
        return None
    forms = tuple(form.strip() for form in rest.split("|"))
    if len(forms) < 2:
        message = "a plural has two forms or more"
        behind = (start + len(asked) + 1, start + len(inside))
        desk.complain(codes.PLURAL_FORMS, behind, message, label="one form", help="write `{number: one | more}`")
        return None
    return Plural(found, forms, canonical(asked), at)


def holes(sentence: Sentence) -> tuple[str, ...]:
    """The printed holes, each once, in alphabetical order: what two languages must have in common.

    Plurals are left out: whether a form changes with a number is a matter of the language.
    """
    return tuple(sorted({part.text for part in sentence.parts if isinstance(part, Hole)}))

"""A sentence with holes: what a rule says to a player, where names, numbers and plurals are filled in from the game.

In: a scalar such as `You hold {count(bowl(me))} {count(bowl(me)): tile | tiles}.` and its scope. Out: a `Sentence` of
texts, holes and plurals, or None with a complaint inside the scalar. `{{` and `}}` are braces.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from rulewright.diagnostics import Diagnostics
from rulewright.expr import codes, type_relations
from rulewright.expr.parse import canonical_text
from rulewright.expr.scope import Scope
from rulewright.expr.tree import Expr, Offsets
from rulewright.expr.typecheck.check_context import CheckContext
from rulewright.expr.typecheck.expressions import EXPRESSION_CHECKS, check_expression
from rulewright.expr.types import Flag, UnknownType
from rulewright.source.nodes import ScalarNode


@dataclass(frozen=True, slots=True)
class Hole:
    """The value of an expression, in words. `text`: the expression, evenly spaced; `at`: its place in the scalar."""

    expr: Expr
    text: str
    offsets: Offsets


@dataclass(frozen=True, slots=True)
class PluralHole:
    """One of several forms, picked by a number that is not itself printed. A language says which form is for which."""

    expr: Expr
    forms: tuple[str, ...]
    text: str
    offsets: Offsets


@dataclass(frozen=True, slots=True)
class SentenceTemplate:
    """Texts and what stands between them."""

    parts: tuple[str | Hole | PluralHole, ...]


PIECE_PATTERN: Final = re.compile(r"(?P<text>[^{}]+)|(?P<brace>\{\{|\}\})|\{(?P<hole>[^{}]*)\}|(?P<stray>[{}])")


def parse_template(
    scalar: ScalarNode, scope: Scope, diagnostics: Diagnostics, *, address: str = ""
) -> SentenceTemplate | None:
    """Reads a sentence and checks its holes; None when one of them is wrong."""
    desk = CheckContext(scalar, diagnostics, address, EXPRESSION_CHECKS)
    parts: list[str | Hole | PluralHole] = []
    sound = True
    text = ""
    for piece in PIECE_PATTERN.finditer(scalar.text):
        if piece["hole"] is None:
            text += piece["text"] or (piece["brace"] or "")[:1]
            if piece["stray"]:
                sound = False
                message = f"`{piece['stray']}` has no partner"
                hint = f"for the sign itself write `{piece['stray'] * 2}`"
                desk.emit(codes.UNBALANCED_BRACE, piece.span("stray"), message, label="alone", help=hint)
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
    return SentenceTemplate(tuple(parts)) if sound else None


def _hole(desk: CheckContext, start: int, inside: str, scope: Scope) -> Hole | PluralHole | None:
    """The hole whose inside begins at `start`."""
    asked, colon, rest = inside.partition(":")
    at = (start, start + len(asked))
    found = check_expression(desk.scalar, scope, desk.diagnostics, address=desk.address, offsets=at)
    if isinstance(found.type, UnknownType):
        return None
    if not colon:
        if isinstance(found.type, Flag):
            message = "true or false cannot be printed in a sentence"
            desk.emit(codes.FLAG_IN_SENTENCE, at, message, label="no words for it")
            return None
        return Hole(found, canonical_text(asked), at)
    if type_relations.as_number(found.type, scope.kinds) is None:
        message = f"a plural is picked by a number, and this is {type_relations.describe_type(found.type)}"
        desk.emit(codes.ARITHMETIC_ON_NON_NUMBER, at, message, label="not a number")
        return None
    forms = tuple(form.strip() for form in rest.split("|"))
    if len(forms) < 2:
        message = "a plural has two forms or more"
        behind = (start + len(asked) + 1, start + len(inside))
        desk.emit(codes.PLURAL_WITHOUT_FORMS, behind, message, label="one form", help="write `{number: one | more}`")
        return None
    return PluralHole(found, forms, canonical_text(asked), at)


def hole_texts(sentence: SentenceTemplate) -> tuple[str, ...]:
    """The printed holes, each once, in alphabetical order: what two languages must have in common.

    Plurals are left out: whether a form changes with a number is a matter of the language.
    """
    return tuple(sorted({part.text for part in sentence.parts if isinstance(part, Hole)}))

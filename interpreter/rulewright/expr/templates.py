"""A sentence with holes: what a rule says to a player, where names, numbers and plurals are filled in from the game.

In: a scalar such as `You hold {count(bowl(me))} {count(bowl(me)): tile | tiles}.` and its scope. Out: a
`SentenceTemplate` of texts, holes and plurals, or None and a diagnostic inside the scalar. `{{` and `}}` are braces.
"""

from __future__ import annotations

from typing import Final

from rulewright.diagnostics import Diagnostics
from rulewright.expr import codes
from rulewright.expr.parse import canonical_text
from rulewright.expr.remembered import recall
from rulewright.expr.scope import Scope
from rulewright.expr.sentence_template import Hole, PluralHole, SentenceTemplate
from rulewright.expr.tree import Constant, Expr, Offsets
from rulewright.expr.type_relations import as_number, describe_type
from rulewright.expr.typecheck.check_context import CheckContext
from rulewright.expr.typecheck.expressions import EXPRESSION_CHECKS, check_expression
from rulewright.expr.types import Bag, Flag, SetOf, UnknownType
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.nodes import ScalarNode

MAX_LISTED: Final = 9  # members of a kind that a sentence may list


PIECE_PATTERN: Final = lazy_pattern(
    r"(?P<text>[^{}]+)|(?P<brace>\{\{|\}\})|\{(?P<hole>[^{}]*)\}"
    r"|\{[^{}:]*:[^{}]*(?P<nested>\{[^{}]*\})[^{}]*(?:\{[^{}]*\}[^{}]*)*\}"  # a plural with holes in its forms
    r"|(?P<stray>[{}])"
)


def parse_template(
    scalar: ScalarNode, scope: Scope, diagnostics: Diagnostics, *, address: str = ""
) -> SentenceTemplate | None:
    """Reads a sentence and checks its holes; None if one of them is wrong."""
    if scalar.text and "{" not in scalar.text and "}" not in scalar.text:
        return SentenceTemplate((scalar.text,))  # as most are
    return recall(
        ("sentence", scalar.text), scope, diagnostics, lambda names: _read_template(scalar, names, diagnostics, address)
    )


def _read_template(scalar: ScalarNode, scope: Scope, diagnostics: Diagnostics, address: str) -> SentenceTemplate | None:
    ctx = CheckContext(scalar, diagnostics, address, EXPRESSION_CHECKS)
    parts: list[str | Hole | PluralHole] = []
    is_valid = True
    text = ""
    for piece in PIECE_PATTERN.finditer(scalar.text):
        if nested := piece["nested"]:
            is_valid = False
            hint = f"a plural has only words: write `{nested}` before or after it"
            message = "a hole inside a plural"
            ctx.emit(codes.UNBALANCED_BRACE, piece.span("nested"), message, label="inside a plural", help=hint)
            continue
        if piece["hole"] is None:
            text += piece["text"] or (piece["brace"] or "")[:1]
            if stray := piece["stray"]:
                is_valid = False
                problem, verb, other = ("unclosed", "close", "}") if stray == "{" else ("unopened", "open", "{")
                hint = f"{verb} it with `{other}`; a literal brace is `{stray * 2}`"
                message = f"{problem} `{stray}`"
                ctx.emit(codes.UNBALANCED_BRACE, piece.span("stray"), message, label="no counterpart", help=hint)
            continue
        if text:
            parts.append(text)
            text = ""
        hole = _check_hole(ctx, piece.start("hole"), piece["hole"], scope)
        if hole is None:
            is_valid = False
        else:
            parts.append(hole)
    if text:
        parts.append(text)
    return SentenceTemplate(tuple(parts)) if is_valid else None


def _check_hole(ctx: CheckContext, start: int, text: str, scope: Scope) -> Hole | PluralHole | None:
    """The hole whose text, without braces, begins at `start`."""
    source, colon, rest = text.partition(":")
    offsets = (start, start + len(source))
    expr = check_expression(ctx.scalar, scope, ctx.diagnostics, address=ctx.address, offsets=offsets)
    if isinstance(expr.type, UnknownType):
        return None
    if not colon:
        if isinstance(expr.type, Flag):
            message = "a sentence cannot print true or false"
            ctx.emit(codes.FLAG_IN_SENTENCE, offsets, message, label="a flag")
            return None
        _warn_of_whole_kind(ctx, expr, source.strip(), offsets, scope)
        return Hole(expr, canonical_text(source), offsets)
    if as_number(expr.type, scope.kinds) is None:
        message = f"a plural is selected by a number, not {describe_type(expr.type)}"
        hint = f"write `{{count({source.strip()}): …}}`" if isinstance(expr.type, Bag | SetOf) else ""
        ctx.emit(codes.ARITHMETIC_ON_NON_NUMBER, offsets, message, label="not a number", help=hint)
        return None
    forms = tuple(form.strip() for form in rest.split("|"))
    if len(forms) < 2:
        rest_offsets = (start + len(source) + 1, start + len(text))
        message, hint = "a plural needs at least two forms", "write `{number: one | more}`"
        ctx.emit(codes.PLURAL_WITHOUT_FORMS, rest_offsets, message, label="only one form", help=hint)
        return None
    return PluralHole(expr, forms, canonical_text(source), offsets)


def _warn_of_whole_kind(ctx: CheckContext, expr: Expr, name: str, offsets: Offsets, scope: Scope) -> None:
    """Warns of a hole that lists all members of a large kind, where a variable is one of them."""
    if not isinstance(expr, Constant) or not isinstance(expr.value, tuple) or len(expr.value) <= MAX_LISTED:
        return
    assert isinstance(expr.type, SetOf)
    meant = [name for name, variable in scope.locals.items() if variable.type == expr.type.element]
    if meant:
        message = f"`{name}` lists all {len(expr.value)} of them"
        hint = f"did you mean `{{{meant[0]}}}`?"
        ctx.emit(codes.ALL_OR_ONE, offsets, message, label="all of them", help=hint)


def hole_texts(template: SentenceTemplate) -> tuple[str, ...]:
    """The printed holes, each once, in alphabetical order: what the translations of a sentence must have in common.

    Plurals are left out: whether a form changes with a number depends on the language.
    """
    return tuple(sorted({part.text for part in template.parts if isinstance(part, Hole)}))


def template_exprs(template: SentenceTemplate) -> list[Expr]:
    """The expressions in a sentence's holes."""
    return [part.expr for part in template.parts if not isinstance(part, str)]


def hole_words(template: SentenceTemplate) -> list[str]:
    """The words in what a sentence prints, which may be names."""
    return [word for hole in hole_texts(template) for word in _words(hole)]


def _words(hole: str) -> list[str]:
    return hole.replace("(", " ").replace(")", " ").replace(",", " ").replace(".", " ").split()

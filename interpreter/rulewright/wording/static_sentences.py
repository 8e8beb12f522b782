"""What the rules say, outside of any game: in a printed rule, a list or a picture.

In: sentences of the rules, a locale. Out: texts in which every value is filled in that is known before play.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.engine.context import Context
from rulewright.engine.expr_compiler import ExprCompiler
from rulewright.engine.sentence_renderer import SentenceRenderer
from rulewright.engine.visibility import Visibility
from rulewright.expr.sentence_template import Hole, PluralHole, SentenceTemplate
from rulewright.expr.tree import Expr, Local
from rulewright.expr.walk import find_position_read, iter_exprs
from rulewright.model.rules import Rules


class StaticSentenceRenderer:
    """Sentences outside of any game: known values are filled in, other holes stay as the rules write them, or are put
    into words by `phrase`.
    """

    def __init__(self, rules: Rules, locale: str, phrase: Callable[[Expr], str] | None = None) -> None:
        self._phrase = phrase
        self._compiler = ExprCompiler(rules)
        self._sentences = SentenceRenderer(rules, self._compiler, Visibility(rules), locale)
        self._empty_context = Context((), (), me=-1)

    def render(self, template: SentenceTemplate) -> str:
        """The sentence as text; a hole that needs a game is shown with its expression, in braces."""
        texts = []
        for part in template.parts:
            match part:
                case str():
                    texts.append(part)
                case Hole(expr=expr, text=source):
                    texts.append(self._value(expr) if _is_constant(expr) else self._open_hole(expr, source))
                case PluralHole(expr=expr, forms=forms, text=source):
                    if _is_constant(expr):
                        number = self._compiler.compile_number(expr)(self._empty_context)
                        texts.append(self._sentences.plural_form(forms, number))
                    else:
                        texts.append(forms[-1] if self._phrase else f"{{{source}: {' | '.join(forms)}}}")
        return "".join(texts)

    def _open_hole(self, expr: Expr, source: str) -> str:
        return f"{{{source}}}" if self._phrase is None else self._phrase(expr)

    def _value(self, expr: Expr) -> str:
        return self._sentences.format_value(self._compiler.compile(expr)(self._empty_context), expr.type)


def _is_constant(expr: Expr) -> bool:
    """Whether an expression reads neither a position nor a variable.

    Unlike `static_value.is_static`, which also asks whether the value is what a reader wants to see: a quantifier has
    a variable and counts as unknown here, `everyone` is the seats that the game begins with.
    """
    return find_position_read(expr) is None and not any(isinstance(part, Local) for part in iter_exprs(expr))


__all__ = ["StaticSentenceRenderer"]

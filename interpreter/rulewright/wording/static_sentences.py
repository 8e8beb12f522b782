"""What the rules say, outside of any game: in a printed rule, a list or a picture.

In: sentences of the rules, a language. Out: texts in which everything is filled in that the rules settle.
"""

from __future__ import annotations

from rulewright.engine.evaluator import ExprCompiler
from rulewright.engine.knowledge import Visibility
from rulewright.engine.sentence_renderer import SentenceRenderer
from rulewright.engine.values import Context
from rulewright.expr.templates import Hole, PluralHole, SentenceTemplate
from rulewright.expr.tree import Expr, Local
from rulewright.model.rules import Rules
from rulewright.model.traversal import find_position_read, iter_exprs


class StaticSentenceRenderer:
    """Sentences outside of any game: what is settled by the rules is filled in, other holes are shown as written."""

    def __init__(self, rules: Rules, code: str) -> None:
        self._evaluator = ExprCompiler(rules)
        self._speaker = SentenceRenderer(rules, self._evaluator, Visibility(rules), code)
        self._blank = Context((), (), me=-1)

    def render(self, sentence: SentenceTemplate) -> str:
        """The sentence as text."""
        found = []
        for part in sentence.parts:
            match part:
                case str():
                    found.append(part)
                case Hole(expr=expr, text=text):
                    found.append(self._value(expr) if _settled(expr) else f"{{{text}}}")
                case PluralHole(expr=expr, forms=forms, text=text):
                    if _settled(expr):
                        found.append(self._speaker.plural_form(forms, self._evaluator.compile(expr)(self._blank)))
                    else:
                        found.append(f"{{{text}: {' | '.join(forms)}}}")
        return "".join(found)

    def _value(self, expr: Expr) -> str:
        return self._speaker.format_value(self._evaluator.compile(expr)(self._blank), expr.type)


def _settled(expr: Expr) -> bool:
    return find_position_read(expr) is None and not any(isinstance(part, Local) for part in iter_exprs(expr))


__all__ = ["StaticSentenceRenderer"]

"""What the rules say, outside of any game: in a printed rule, a list or a picture.

In: sentences of the rules, a language. Out: texts in which everything is filled in that the rules settle.
"""

from __future__ import annotations

from rulewright.engine.evaluator import Evaluator
from rulewright.engine.knowledge import Sight
from rulewright.engine.sentence_renderer import Speaker
from rulewright.engine.values import Context
from rulewright.expr.templates import Hole, Plural, Sentence
from rulewright.expr.tree import Expr, Local
from rulewright.model.rules import Rules
from rulewright.model.traversal import parts, reads_position


class Saying:
    """Sentences outside of any game: what is settled by the rules is filled in, other holes are shown as written."""

    def __init__(self, rules: Rules, code: str) -> None:
        self._evaluator = Evaluator(rules)
        self._speaker = Speaker(rules, self._evaluator, Sight(rules), code)
        self._blank = Context((), (), me=-1)

    def say(self, sentence: Sentence) -> str:
        """The sentence as text."""
        found = []
        for part in sentence.parts:
            match part:
                case str():
                    found.append(part)
                case Hole(expr=expr, text=text):
                    found.append(self._value(expr) if _settled(expr) else f"{{{text}}}")
                case Plural(expr=expr, forms=forms, text=text):
                    if _settled(expr):
                        found.append(self._speaker.form(forms, self._evaluator.run(expr)(self._blank)))
                    else:
                        found.append(f"{{{text}: {' | '.join(forms)}}}")
        return "".join(found)

    def _value(self, expr: Expr) -> str:
        return self._speaker.value(self._evaluator.run(expr)(self._blank), expr.type)


def _settled(expr: Expr) -> bool:
    return reads_position(expr) is None and not any(isinstance(part, Local) for part in parts(expr))


__all__ = ["Saying"]

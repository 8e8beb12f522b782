"""Does the sentence of an action print all of a kind where it means the choice that is called like it?

In: the state of a build. Out: warnings. What an action says is shown before anything is chosen, so that the name of a
choice means something there only if a kind or component is called the same: then it lists all of them.
"""

from __future__ import annotations

from rulewright.checker.common.warn import warn
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.expr.codes import ALL_OR_ONE
from rulewright.expr.scope import ComponentSymbol, KindSymbol
from rulewright.expr.sentence_template import Hole
from rulewright.model.build_state import BuildState, after_errors, build_pass


@build_pass(needs=["symbols", "book_sentences", "judged"], skip=after_errors)
def check_kinds_in_sentences(state: BuildState) -> None:
    """Reports them, of each action the first, in the first language that has one."""
    symbols, templates = state.symbols.symbols, state.book_sentences.templates
    for action in state.judged.actions:
        names = {
            each.name for each in action.choices if isinstance(symbols.get(each.name), KindSymbol | ComponentSymbol)
        }
        for language, text in sentence_by_language(state, action.address).items() if names else ():
            template = templates.get(language, {}).get(action.address)
            parts = template.parts if template is not None else ()
            hole = next((part for part in parts if isinstance(part, Hole) and part.text in names), None)
            if hole is not None:
                span, message = text.subspan(*hole.offsets), f"`{hole.text}` lists all of them here, not what is chosen"
                hint = f"this is shown before anything is chosen: say it in words, as in `a {hole.text}`"
                warn(state, span, ALL_OR_ONE, message, "all of them", hint, action.address)
                break


__all__ = ["check_kinds_in_sentences"]

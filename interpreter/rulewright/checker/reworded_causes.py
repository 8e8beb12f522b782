"""What is said otherwise because of something else that is wrong beside it.

In: a diagnostic, and all that is reported. Out: the same with another hint, message or place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rulewright.checker.codes import FAILS_IN_PLAY
from rulewright.checker.indentation_causes import line_key
from rulewright.checker.reported_faults import ReportedFaults, place_of, rule_of
from rulewright.diagnostics import Code, Diagnostic
from rulewright.document.codes import MISSING_FILE
from rulewright.expr.codes import EARLY_END
from rulewright.frozen import replace
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.codes import UNUSED_SENTENCE
from rulewright.source.codes import EMPTY_VALUE
from rulewright.suggestions import join_hints

INDENT_HINT: Final = "indent the lines below it, which belong to it"
FILE_IN_DASHES: Final = lazy_pattern(r" - ([\w./-]+\.yaml)$")  # of a list item that runs into the one above


def reword(one: Diagnostic, faults: ReportedFaults) -> Diagnostic:
    """The diagnostic as it is to be reported."""
    rewording = REWORDINGS.get(one.code)
    return one if rewording is None else rewording(one, faults)


def _fails_where_one_is_meant(one: Diagnostic, faults: ReportedFaults) -> Diagnostic:
    """What fails in play because of the name of a whole kind is shown at that name."""
    meant = faults.meant_ones.get(place_of(one)) or faults.meant_ones.get(rule_of(one))
    if meant is None:
        return one
    return replace(one, span=meant.span, label=meant.label, help=join_hints(meant.help, one.help))


def _file_in_a_line_of_another(one: Diagnostic, faults: ReportedFaults) -> Diagnostic:
    """Two files of a list in one line."""
    listed = FILE_IN_DASHES.search(one.span.text)
    if listed is None:
        return one
    return replace(one, help=f"write `- {listed[1]}` on a line of its own, under the dash above", fix=None)


def _sentence_of_another_rule(one: Diagnostic, faults: ReportedFaults) -> Diagnostic:
    """A sentence at a wrong address, where one rule beside it has none."""
    parent = one.span.text.rpartition(".")[0]
    meant = faults.lonely_unnamed.get(parent)
    if meant is None or one.certain_fix is not None or faults.unused_sentences[parent] != 1:
        return one
    return replace(one, help=f"did you mean `{meant}`, which has no sentence?")


def _value_below(one: Diagnostic, faults: ReportedFaults) -> Diagnostic:
    """A key without a value whose value stands below it, not indented."""
    is_above = one.span in {above.span for above in faults.unindented.values()}
    is_emptied = one in (faults.emptied.get(line) for line in faults.misindented)
    is_dedented = one is faults.dedented.get(one.span.source.path)
    return replace(one, help=INDENT_HINT) if is_above or is_emptied or is_dedented else one


def _ends_at_a_comment(one: Diagnostic, faults: ReportedFaults) -> Diagnostic:
    """An expression that ends too early because a comment begins."""
    comment = faults.comments.get(line_key(one.span))
    if comment is None:
        return one
    return replace(one, message=f"{one.message}: a space and a # end it", help=comment.help, fix=None)


REWORDINGS: Final[dict[Code, Callable[[Diagnostic, ReportedFaults], Diagnostic]]] = {
    FAILS_IN_PLAY: _fails_where_one_is_meant,
    MISSING_FILE: _file_in_a_line_of_another,
    UNUSED_SENTENCE: _sentence_of_another_rule,
    EMPTY_VALUE: _value_below,
    EARLY_END: _ends_at_a_comment,
}


__all__ = ["reword"]

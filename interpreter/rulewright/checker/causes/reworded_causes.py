"""What is said otherwise because of something else that is wrong beside it.

In: a diagnostic, and all that is reported. Out: the same with another hint, message or place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rulewright.checker.causes.idle_consequences import meant_parameter
from rulewright.checker.causes.indentation_causes import line_key
from rulewright.checker.causes.reported_faults import (
    ReportedFaults,
    game_of,
    is_kind_as_member,
    place_of,
    rule_of,
    siblings_of,
)
from rulewright.checker.causes.section_lines import LOST_LINE, STEP_SECTIONS
from rulewright.checker.common.codes import FAILS_IN_PLAY, SET_UP_IMPOSSIBLE
from rulewright.checker.common.lint_codes import ALL_SEATS, MISSPELLED_DECLARATION, NO_SENTENCE
from rulewright.diagnostics import Code, Diagnostic, Fix, Related
from rulewright.document.codes import DUPLICATE_ID, MISSING_FILE, SENTENCE_OF_NOTHING
from rulewright.expr.codes import ALWAYS_TRUE, EARLY_END, NEVER_TRUE
from rulewright.frozen import replace
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.codes import (
    DUPLICATE_NAME,
    MISSING_SECTION,
    MISSING_SENTENCE,
    RESERVED_NAME,
    UNKNOWN_REFERENCE,
    UNUSED_SENTENCE,
)
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


def _fails_each_time(one: Diagnostic, faults: ReportedFaults) -> Diagnostic:
    """What fails in the set-up because a loop does the same each time."""
    loops = (other for other in faults.of(ALL_SEATS) if line_key(other.span) == line_key(one.span))
    loop = next((other for other in loops if game_of(other) == game_of(one)), None)
    return one if loop is None else replace(one, help=join_hints(f"{loop.message}: {loop.help}", one.help))


def _number_for_a_parameter(one: Diagnostic, faults: ReportedFaults) -> Diagnostic:
    """A condition that compares with a number, where a parameter is not used."""
    unused = meant_parameter(one, faults)
    if unused is None:
        return one
    related = Related(unused.span, "nothing uses it")
    hint = join_hints(one.help, f"did you mean `{unused.span.text}`?")
    return replace(one, help=hint, related=(*one.related, related))


def _file_in_a_line_of_another(one: Diagnostic, faults: ReportedFaults) -> Diagnostic:
    """Two files of a list in one line."""
    listed = FILE_IN_DASHES.search(one.span.text)
    if listed is None:
        return one
    return replace(one, help=f"write `- {listed[1]}` on a line of its own, under the dash above", fix=None)


def _sentence_of_another_rule(one: Diagnostic, faults: ReportedFaults) -> Diagnostic:
    """A sentence at a wrong address, where one rule beside it has none, or of a rule that has none itself."""
    unsaid = faults.unsaid_rules.get((game_of(one), one.span.text))
    if unsaid is not None:
        message = f"`{unsaid.address}` has a sentence in another language, and none in the game's own"
        related = (Related(one.span, "the sentence in another language"),)
        return replace(unsaid, code=one.code, message=message, related=related)
    parent = siblings_of(one.span.text)
    meant = faults.lonely_unnamed.get(parent)
    if meant is None or one.certain_fix is not None or faults.unused_sentences[parent] != 1:
        return one
    lacks = "has no sentence" if (game_of(one), meant) in faults.unsaid_rules else "is not translated"
    return replace(one, help=f"did you mean `{meant}`, which {lacks}?")


def _sentence_of_a_misspelled_rule(one: Diagnostic, faults: ReportedFaults) -> Diagnostic:
    """A sentence at an address that there is not, where the rule has the wrong name."""
    rule = faults.misnamed_rules.get((game_of(one), one.span.text))
    if rule is None:
        return one
    name, word = rule.address.rpartition(".")[2], one.span.text.rpartition(".")[2]
    return Diagnostic(
        MISSPELLED_DECLARATION,
        rule.span,
        f"nothing uses `{name}`, and the texts call it `{word}`",
        label=f"`{word}` in the texts",
        help=f"did you mean `{word}`?",
        address=rule.address,
        related=(Related(one.span, "its sentence"),),
        fix=Fix(rule.span, word, is_certain=False),
    )


def _name_is_another(one: Diagnostic, faults: ReportedFaults) -> Diagnostic:
    """A declaration that has the name of something else, where the name that it should have is used."""
    if is_kind_as_member(one):
        return replace(one, help=f"for all members of that kind, write `every {one.span.text}`")
    lost = faults.lost_names.get(game_of(one))
    if lost is None:
        return one
    hint = f"`{lost}` is used and not declared: is that its name?"
    return replace(one, help=hint, fix=Fix(one.span, lost, is_certain=False))


def _section_below_a_doubled_step(one: Diagnostic, faults: ReportedFaults) -> Diagnostic:
    """A section that is missing, where a step stands twice in another: the line between them may be lost."""
    section = one.cause_name("no section")
    doubled = (other for other in faults.of(DUPLICATE_ID) if game_of(other) == game_of(one))
    step = next((other for other in doubled if other.address.partition(".")[0] in STEP_SECTIONS), None)
    if not section or one.address or step is None:
        return one
    return replace(one, span=step.span, label=step.label, address=step.address, help=LOST_LINE.format(section))


def _step_of_another_section(one: Diagnostic, faults: ReportedFaults) -> Diagnostic:
    """A step without a sentence, which the texts have in another section."""
    section = next((name for (_, name), step in faults.moved_steps.items() if step is one), None)
    if section is None:
        return one
    here, _, name = one.address.partition(".")
    message = f"this step is in `{here}`, and the texts call it `{section}.{name}`"
    return replace(one, code=UNUSED_SENTENCE, message=message, label=f"in `{here}`", help=LOST_LINE.format(section))


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
    SET_UP_IMPOSSIBLE: _fails_each_time,
    NEVER_TRUE: _number_for_a_parameter,
    ALWAYS_TRUE: _number_for_a_parameter,
    FAILS_IN_PLAY: _fails_where_one_is_meant,
    MISSING_FILE: _file_in_a_line_of_another,
    SENTENCE_OF_NOTHING: _sentence_of_a_misspelled_rule,
    UNKNOWN_REFERENCE: _sentence_of_another_rule,
    UNUSED_SENTENCE: _sentence_of_another_rule,
    MISSING_SECTION: _section_below_a_doubled_step,
    NO_SENTENCE: _step_of_another_section,
    MISSING_SENTENCE: _step_of_another_section,
    EMPTY_VALUE: _value_below,
    DUPLICATE_NAME: _name_is_another,
    RESERVED_NAME: _name_is_another,
    EARLY_END: _ends_at_a_comment,
}


__all__ = ["reword"]

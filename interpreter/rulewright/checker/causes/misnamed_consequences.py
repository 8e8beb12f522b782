"""What only follows from a name that is misspelled where it is declared, or from a section whose line is lost.

In: a diagnostic, and what else was reported. Out: whether it follows; rows of the table of consequences.
"""

from __future__ import annotations

from typing import Final

from rulewright.checker.causes.indentation_causes import line_text
from rulewright.checker.causes.line_consequences import FollowsRule
from rulewright.checker.causes.reported_faults import COMPONENTS, SENTENCE_CODES, ReportedFaults, game_of
from rulewright.checker.common.lint_codes import MISSPELLED_DECLARATION, NO_SENTENCE
from rulewright.checker.common.names_in_text import find_names
from rulewright.diagnostics import Code, Diagnostic
from rulewright.document.codes import SENTENCE_OF_NOTHING, UNKNOWN_COMPONENT
from rulewright.expr.codes import SHADOWING, UNKNOWN_FUNCTION, UNKNOWN_NAME
from rulewright.model.codes import DUPLICATE_NAME, MISSING_SECTION, MISSING_SENTENCE, UNKNOWN_REFERENCE
from rulewright.suggestions import closest_name

ADDRESS_CODES: Final = (UNKNOWN_REFERENCE, *SENTENCE_CODES)
NAME_CODES: Final = (UNKNOWN_NAME, UNKNOWN_FUNCTION, UNKNOWN_REFERENCE)
KINDS: Final = "kinds."  # what the members of kinds stand under; elsewhere they are named without it


def _is_of_a_misspelled_rule(one: Diagnostic, faults: ReportedFaults) -> bool:
    """A sentence at or below the name that the rule should have."""
    here, address = game_of(one), one.span.text
    if one.code is SENTENCE_OF_NOTHING and (here, address) in faults.misnamed_rules:
        return False  # it is what is reported
    return any(here == game and f"{address}.".startswith(f"{name}.") for game, name in faults.misnamed_rules)


def _has_the_name_by_right(one: Diagnostic, faults: ReportedFaults) -> bool:
    """Its name is taken only by a declaration that should have another, or it should have another itself."""
    misspelled = (*faults.of(MISSPELLED_DECLARATION), *faults.misnamed_rules.values())
    return any(game_of(other) == game_of(one) and other.span.text == one.span.text for other in misspelled)


def _embeds_a_misspelled_kind(one: Diagnostic, faults: ReportedFaults) -> bool:
    """A member that a kind would have from the one whose name is misspelled."""
    words = find_names(line_text(one.span)) if one.address.startswith(KINDS) else ()
    meant = (name for game, name in faults.meant_names if game == game_of(one))
    return any(name in words for name in meant)


def _is_of_a_moved_step(one: Diagnostic, faults: ReportedFaults) -> bool:
    """A sentence of a section whose steps stand in another."""
    return (game_of(one), one.span.text.partition(".")[0]) in faults.moved_steps


def _is_below_a_lost_line(one: Diagnostic, faults: ReportedFaults) -> bool:
    """A step that is read as one of the section above."""
    missing = (other for other in faults.of(MISSING_SECTION) if other.address)
    return any(
        other is not one
        and other.span.source is one.span.source
        and other.span.start <= one.span.start
        and other.address.partition(".")[0] == one.address.partition(".")[0]
        for other in (*missing, *faults.moved_steps.values())
    )


def _declaration_is_misspelled(one: Diagnostic, faults: ReportedFaults) -> bool:
    return any(_is_meant(one.span.text, address) for address in faults.misspelled)


def _component_is_misspelled(one: Diagnostic, faults: ReportedFaults) -> bool:
    return any(_is_meant(f"{COMPONENTS}{one.span.text}", address) for address in faults.misspelled)


def _is_meant(text: str, declared: str) -> bool:
    """Whether an address is that of a misspelled declaration, or of a part of it, with the name spelled otherwise."""
    *above, name = declared.split(".")
    if declared.startswith(KINDS) and not text.startswith(KINDS):
        above = above[1:]
    parts = text.split(".")
    return parts[: len(above)] == above and len(parts) > len(above) and closest_name(parts[len(above)], [name]) == name


def _name_is_meant(one: Diagnostic, faults: ReportedFaults) -> bool:
    return (game_of(one), one.span.text) in faults.meant_names


def _declaration_has_another_name(one: Diagnostic, faults: ReportedFaults) -> bool:
    """What should have the name is declared by one that it cannot have."""
    name = one.cause_name("no name")
    return bool(name) and (faults.lost_names.get(game_of(one)) == name or (game_of(one), name) in faults.right_ids)


MISNAMED_CONSEQUENCES: Final[tuple[tuple[tuple[Code, ...], FollowsRule], ...]] = (
    (ADDRESS_CODES, _declaration_is_misspelled),
    (NAME_CODES, _name_is_meant),
    (NAME_CODES, _declaration_has_another_name),
    ((UNKNOWN_COMPONENT,), _component_is_misspelled),
    (ADDRESS_CODES, _is_of_a_misspelled_rule),
    ((DUPLICATE_NAME, SHADOWING), _has_the_name_by_right),
    (ADDRESS_CODES, _is_of_a_moved_step),
    ((MISSING_SENTENCE, NO_SENTENCE), _is_below_a_lost_line),
    ((MISSING_SENTENCE,), _embeds_a_misspelled_kind),
)

__all__ = ["MISNAMED_CONSEQUENCES"]

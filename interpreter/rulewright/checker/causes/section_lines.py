"""The line of a section that is lost, so that its steps are read as those of the section above.

In: the tree of a game and what is wrong with it. Out: `Diagnostics` with one at the first of these steps: of a `round`,
which a game needs, at the step that gives turns; of a `turn` at the step that is only possible in one.
"""

from __future__ import annotations

from typing import Final

from rulewright.diagnostics import Cause, Diagnostic, Diagnostics
from rulewright.document.address import child_entries, split_address
from rulewright.expr.codes import NOT_AVAILABLE_HERE
from rulewright.frozen import replace
from rulewright.model.codes import MISSING_SECTION, NEEDS_A_TURN
from rulewright.source.nodes import Entry, MappingNode, as_mapping

STEP_SECTIONS: Final = ("setup", "turn", "round", "finale")  # of steps
TURN: Final = "turn"
ROUND: Final = "round"
LOST_LINE: Final = "is the line `{}:` missing above it?"


def merge_section_lines(root: MappingNode, diagnostics: Diagnostics) -> Diagnostics:
    """The same diagnostics, where those because of a section that is read as another are one."""
    if ROUND not in root:
        return _without_round(root, diagnostics)
    return diagnostics if TURN in root else _without_turn(root, diagnostics)


def _without_round(root: MappingNode, diagnostics: Diagnostics) -> Diagnostics:
    first = next((found for section in STEP_SECTIONS if (found := _first_turn(root, section))), None)
    if first is None:
        return diagnostics
    section, step = first
    hint = LOST_LINE.format(ROUND)
    address = f"{section}.{step.key.text}"
    label = f"in `{section}`"

    def at_step(one: Diagnostic) -> Diagnostic:
        is_about = one.code is MISSING_SECTION and one.comes_from("no section")
        return replace(one, span=step.key.span, label=label, help=hint, address=address) if is_about else one

    merged = Diagnostics()
    merged.merge(diagnostics, at_step)
    return merged


def _first_turn(root: MappingNode, section: str) -> tuple[str, Entry] | None:
    """The first step of a section that gives a turn, with the section."""
    steps = child_entries(root.get(section) or MappingNode((), root.span))
    return next(((section, step) for step in steps if TURN in as_mapping(step.value)), None)


def _without_turn(root: MappingNode, diagnostics: Diagnostics) -> Diagnostics:
    """Steps of other sections that are only possible in a turn, in a game that gives turns."""
    if _first_turn(root, ROUND) is None:
        return diagnostics
    codes = (NEEDS_A_TURN, NOT_AVAILABLE_HERE)
    found = [one for one in diagnostics if one.code in codes and split_address(one.address)[0] in STEP_SECTIONS]
    if not found:
        return diagnostics
    first, *others = sorted(found, key=lambda one: (one.span.source.path, one.span.start))
    section, name, *_ = split_address(first.address)
    step = next((one for one in child_entries(root.require(section)) if one.key.text == name), None)
    if step is None or any(split_address(one.address)[0] != section for one in others):
        return diagnostics
    cause = Diagnostic(
        MISSING_SECTION,
        step.key.span,
        f"this can only be done in a turn, and there is no section `{TURN}`",
        label=f"in `{section}`",
        help=LOST_LINE.format(TURN),
        address=f"{section}.{name}",
        cause=Cause("no section", TURN),
    )
    merged = Diagnostics()
    merged.extend([cause, *(one for one in diagnostics if one not in found)])
    return merged


__all__ = ["LOST_LINE", "STEP_SECTIONS", "merge_section_lines"]

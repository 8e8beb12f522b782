"""Does the game end when a pile is empty, to which everything has come back by then?

In: rules, and the composition they were built from. Out: warnings about ends that ask whether a zone is empty in which
all things of a component begin, where earlier steps of the same block bring back all that has left it. Under variants
they stand at what a variant wrote: the end, or the step that brings things back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rulewright.checker.common.condition_nodes import part_span
from rulewright.checker.common.empty_places import empty_places
from rulewright.checker.common.names_touched import NamesTouched
from rulewright.diagnostics import Diagnostics, Related
from rulewright.expr.codes import NEVER_TRUE
from rulewright.expr.types import Thing
from rulewright.model.effects import Finish, Move, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules, ZoneDef
from rulewright.model.traversal import filled_zones

HINT: Final = "ask before that, put what is used up elsewhere, or let the game end otherwise"


def check_piles_full_again(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    ends = [
        (block.steps[:index], step, part, rules.zones[read.name])
        for block in rules.blocks
        for index, step in enumerate(block.steps)
        if isinstance(step.effect, Finish)
        for part, read in empty_places(step.when)
        if not read.keys
    ]
    if not ends:
        return
    names, filled = NamesTouched(rules), filled_zones([step for block in rules.blocks for step in block.steps])
    for before, end, part, pile in ends:
        others = _others_with_its_things(pile, rules)
        used = [zone for zone in others if zone.name in filled]
        if not _has_all_at_first(pile, rules) or not used or any(zone.refill is not None for zone in (pile, *others)):
            continue
        back = _brought_back(before, pile, names)
        if any(zone.name not in back for zone in used):
            continue
        span = part_span(composition.document.root, end.address, "when", part, end.span)
        bringing = [back[zone.name] for zone in used]
        written = next((step for step in bringing if composition.is_judged(step.span)), None)
        first = written or bringing[0]
        brings = f"`{first.address}` brings back all that has left `{pile.name}`"
        if composition.is_judged(span):
            message, label = f"`{pile.name}` is never empty here: {brings}", "never empty"
            related = Related(first.span, "all comes back")
            diagnostics.add(span, NEVER_TRUE, message, label=label, help=HINT, address=end.address, related=[related])
        elif written is not None:
            message, label = f"{brings}, so `{end.address}` never finds it empty", "all comes back"
            related = Related(span, "never holds")
            diagnostics.add(
                written.span, NEVER_TRUE, message, label=label, help=HINT, address=written.address, related=[related]
            )


def _others_with_its_things(pile: ZoneDef, rules: Rules) -> list[ZoneDef]:
    return [zone for zone in rules.zones.values() if zone.content_type == pile.content_type and zone is not pile]


def _has_all_at_first(pile: ZoneDef, rules: Rules) -> bool:
    """Whether all things of a component begin in a zone, which has no keys."""
    if not isinstance(pile.content_type, Thing) or pile.key_types:
        return False
    component = rules.components[pile.content_type.component]
    place = component.initial_place
    return bool(component.ids) and place is not None and place.zone == pile.name


def _brought_back(steps: Sequence[Step], pile: ZoneDef, names: NamesTouched) -> Mapping[str, Step]:
    """The zones out of which all has been brought back to a pile when some steps are over: by which step each."""
    back: dict[str, Step] = {}
    for step in steps:
        for name in names.written(step) & back.keys():
            del back[name]
        move = step.effect
        if not isinstance(move, Move) or step.when is not None or step.is_repeated or move.amount.mode != "all":
            continue
        source = move.source
        if source is not None and move.to.zone == pile.name and not names.rules.zones[source.zone].key_types:
            back[source.zone] = step
    return back


__all__ = ["check_piles_full_again"]

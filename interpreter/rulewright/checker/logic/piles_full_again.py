"""Does the game end when a pile is empty, to which everything has come back by then?

In: rules, and the composition they were built from. Out: warnings about ends that ask whether a zone is empty in which
all things of a component begin, where earlier steps of the same block bring back all that has left it. Under variants
they stand at what a variant wrote: the end, or the step that brings things back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rulewright.checker.common.condition_nodes import part_span
from rulewright.checker.common.names_touched import NamesTouched
from rulewright.diagnostics import Diagnostics, Related
from rulewright.expr.codes import NEVER_TRUE
from rulewright.expr.tree import Call, Compare, Constant, Expr, ReadZone
from rulewright.expr.types import Thing
from rulewright.expr.walk import conjuncts
from rulewright.model.effects import Finish, Move, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules, ZoneDef
from rulewright.model.traversal import filled_zones


def check_piles_full_again(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    ends = [
        (block.steps[:index], step, part, rules.zones[read.name])
        for block in rules.blocks
        for index, step in enumerate(block.steps)
        for part, read in _asked_to_be_empty(step)
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
        steps = [back[zone.name] for zone in used]
        shown = next((step for step in steps if composition.is_judged(step.span)), None)
        if not composition.is_judged(span) and shown is None:
            continue
        is_here = composition.is_judged(span) or shown is None
        brings = f"`{steps[0].address}` brings back all that has left `{pile.name}`"
        diagnostics.add(
            span if is_here or shown is None else shown.span,
            NEVER_TRUE,
            f"`{pile.name}` is never empty here: {brings}"
            if is_here
            else f"{brings}, so `{end.address}` never finds it empty",
            label="never empty" if is_here else "all comes back",
            help="ask before that, put what is used up elsewhere, or let the game end otherwise",
            address=end.address if is_here or shown is None else shown.address,
            related=[Related(steps[0].span, "all comes back")] if is_here else [Related(span, "never holds")],
        )


def _asked_to_be_empty(step: Step) -> Iterator[tuple[Expr, ReadZone]]:
    """The zones that have to be empty for a step to end the game, each with the part of the condition that asks so."""
    for part in conjuncts(step.when) if isinstance(step.effect, Finish) and step.when is not None else ():
        match part:
            case Compare(op="is", left=ReadZone(member=None, keys=()) as read, right=Constant(value=None)):
                yield part, read
            case Compare(
                op="is" | "<=",
                left=Call(function="count", args=(ReadZone(member=None, keys=()) as read,)),
                right=Constant(value=0),
            ):
                yield part, read


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

"""Does a step name one place of a zone for good, where rules ask about all of them?

In: rules, and the composition they were built from. Out: warnings about steps that take from one place of a zone, the
same whatever happens, where nothing is ever taken from the others and some rule asks whether such a place is empty.
Under variants only what a variant wrote.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.lint_codes import CHANGES_NOTHING
from rulewright.checker.common.rules_read import all_parts
from rulewright.diagnostics import Diagnostics
from rulewright.expr.tree import Call, Compare, Constant, Expr, Place, ReadZone
from rulewright.expr.types import SEAT
from rulewright.expr.walk import iter_exprs
from rulewright.model.effects import Move, Step
from rulewright.model.facts.move_sources import find_move_sources
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules, ZoneDef
from rulewright.model.traversal import asked_exprs, blocks_within
from rulewright.source.nodes import ScalarNode


def check_always_one_place(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports them."""
    zones = [zone for zone in rules.zones.values() if zone.size > 1 and SEAT not in zone.key_types]
    if not zones:
        return
    taken = _taken(rules)
    for zone in zones if taken is not None else ():
        takings = (taken or {}).get(zone.name, [])
        step, place = takings[0] if takings else (None, None)
        if step is None or place is None or _single_key(zone, takings) is None:
            continue
        asked = next((read for read in _asked_for_emptiness(rules) if read.name == zone.name), None)
        if asked is None:
            continue
        root = composition.document.root
        node = condition_node(root, step.address, "from") or condition_node(root, step.address, "move")
        key = place.keys[0]
        span = node.subspan(*key.offsets) if isinstance(node, ScalarNode) else step.span
        if not composition.is_judged(span):
            continue
        text = node.text[slice(*key.offsets)].strip() if isinstance(node, ScalarNode) else "one"
        message = f"nothing is ever taken from `{zone.name}` but from the place of `{text}`, and it is asked whether "
        message += "others are empty"
        hint = "name the place that is meant, by a choice or a variable"
        diagnostics.add(span, CHANGES_NOTHING, message, label="always the same place", help=hint, address=step.address)


def _taken(rules: Rules) -> dict[str, list[tuple[Step, Place]]] | None:
    """By the names of zones, the steps outside the set-up that take from them; None where a step may take anything."""
    sources = find_move_sources(rules)
    found: dict[str, list[tuple[Step, Place]]] = {}
    for number in sorted(blocks_within(rules, (rules.turn, rules.round, rules.finale))):
        for step in rules.blocks[number].steps:
            if not isinstance(step.effect, Move):
                continue
            if step.address not in sources:
                return None
            for place in sources[step.address]:
                found.setdefault(place.zone, []).append((step, place))
    return found


def _single_key(zone: ZoneDef, takings: list[tuple[Step, Place]]) -> object:
    """The value of the one key with which all steps take from a zone; None where keys differ."""
    values = set[object]()
    for _, place in takings:
        key = place.keys[0] if len(place.keys) == len(zone.key_types) == 1 else None
        values.add(key.value if isinstance(key, Constant) and isinstance(key.value, int) else None)
    return next(iter(values)) if len(values) == 1 else None


def _asked_for_emptiness(rules: Rules) -> Iterator[ReadZone]:
    """The places of which some rule asks whether they are empty, by a key that can be any."""
    exprs = [expr for block in rules.blocks for step in block.steps for expr in asked_exprs(step)]
    exprs += [clause.condition for action in rules.actions for clause in action.clauses]
    for part in all_parts(rules.values, exprs):
        if isinstance(part, Compare):
            read = _emptied(part)
            if read is not None and read.keys and not any(isinstance(key, Constant) for key in read.keys):
                yield read


def _emptied(compare: Compare) -> ReadZone | None:
    """The place that is empty, or holds less than something, where a comparison holds."""
    left: Expr = compare.left
    if isinstance(left, Call) and left.function == "count":
        left = left.args[0]
    if not isinstance(left, ReadZone) or compare.op not in ("is", "<", "<="):
        return None
    is_fixed = not any(isinstance(part, ReadZone) for part in iter_exprs(compare.right))
    return left if is_fixed else None


__all__ = ["check_always_one_place"]

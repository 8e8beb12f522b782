"""Does a condition ask for more than there can be? Found by counting what the game starts with.

In: rules, and the composition they were built from. Out: warnings about comparisons of a clause or step that never hold
or always do, because moves only change where pieces and things are, and no place holds more than it has room for. What
depends on parameters is left out: a variant may change them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from rulewright.checker.condition_nodes import condition_node
from rulewright.checker.parameter_reads import ParameterReads
from rulewright.diagnostics import Diagnostics, Span
from rulewright.engine.expr_compiler import ExprCompiler
from rulewright.engine.faults import RuleFault
from rulewright.engine.layout import Layout
from rulewright.engine.validate_position import count_pieces
from rulewright.engine.values import Content
from rulewright.expr.codes import ALWAYS_TRUE, NEVER_TRUE
from rulewright.expr.tree import Compare, Constant, Expr, FieldTotal, ReadState, ReadValue, ReadZone
from rulewright.expr.typecheck.comparisons import compare_bounds
from rulewright.expr.types import Bag, Member, Number, SetOf
from rulewright.expr.walk import iter_exprs
from rulewright.model.effects import Choose
from rulewright.model.facts.declared_ranges import find_declared_ranges
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.facts.value_ranges import BagRange, Scalars, SetRange, ValueRange
from rulewright.model.loader import Composition
from rulewright.model.rules import Rules, ZoneDef
from rulewright.source.nodes import ScalarNode


def check_counts(rules: Rules, composition: Composition, diagnostics: Diagnostics) -> None:
    """Reports conditions that can never be met, or never fail; under variants, those that a variant wrote."""
    variant_files = {variant.root.span.source.path for variant in composition.applied_variants}
    asked = [
        condition
        for condition in _conditions(rules, composition)
        if not composition.chosen_variants or condition.span.source.path in variant_files
    ]
    parameters = ParameterReads(rules)
    compared = [
        (condition, part)
        for condition in asked
        for part in iter_exprs(condition.expr)
        if isinstance(part, Compare) and _counts(part) and not parameters.are_in(part)
    ]
    if not compared:
        return
    try:
        contents = Layout(rules, ExprCompiler(rules)).contents
        ranges = _ranges(rules, contents, parameters if not composition.chosen_variants else None)
    except RuleFault:
        return  # reported by the set-up
    for condition, part in compared:
        known = ranges.scalars(part, {}, ranges.seats).single
        if known is not None:
            text = condition.text[slice(*part.offsets)].strip()
            label = "always holds" if known else "never holds"
            diagnostics.add(
                condition.span,
                ALWAYS_TRUE if known else NEVER_TRUE,
                f"{f'`{text}`' if text else 'this comparison'} {label}",
                label=label,
                help=_hint(ranges, part),
                address=condition.address,
            )


@dataclass(frozen=True, slots=True)
class _Condition:
    """A condition of a clause or step, as written, where it is."""

    expr: Expr
    text: str
    span: Span
    address: str


def _conditions(rules: Rules, composition: Composition) -> Iterator[_Condition]:
    steps = [step for block in rules.blocks for step in block.steps]
    offered = [offer for step in steps if isinstance(step.effect, Choose) for offer in step.effect.offers]
    clauses = [clause for action in rules.actions for clause in action.clauses]
    clauses += [clause for offer in offered for clause in offer.clauses]
    for clause in clauses:
        yield _Condition(clause.condition, clause.source_text, clause.span, clause.address)
    for step in steps:
        for key, condition in (("when", step.when), ("while", step.while_condition)):
            if condition is not None:
                node = condition_node(composition.document.root, step.address, key)
                text = node.text if isinstance(node, ScalarNode) else ""
                yield _Condition(condition, text, step.span if node is None else node.span, step.address)


def _counts(compare: Compare) -> bool:
    """Whether numbers are compared of which one is counted or added up."""
    sides = (compare.left, compare.right)
    types = [side.type for side in sides if isinstance(side.type, Number)]
    is_open = len(types) == len(sides) and compare_bounds(compare.op, *types) is None  # else its types say it
    return is_open and any(
        isinstance(part, ReadZone | FieldTotal | ReadState | ReadValue) for side in sides for part in iter_exprs(side)
    )


def _ranges(rules: Rules, contents: Sequence[Content], parameters: ParameterReads | None) -> ExpressionRanges:
    """What expressions can be wherever the pieces and things are, as far as places have room for them; without
    `parameters` also as far as these say so.
    """
    totals = count_pieces(rules, contents)
    declared = find_declared_ranges(rules)
    bare = ExpressionRanges(rules, declared.contents, declared.variables)
    zones = sorted(rules.zones.values(), key=lambda zone: zone.first_index)
    held = [
        _content(bare, zone, _room(bare, zone, keys, parameters), totals)
        for zone in zones
        for keys in product(*zone.key_values)
    ]
    return ExpressionRanges(rules, tuple(held), declared.variables)


def _room(
    ranges: ExpressionRanges, zone: ZoneDef, keys: tuple[int, ...], parameters: ParameterReads | None
) -> int | None:
    """How much one place of a zone has room for, if anything says so that stays as it is."""
    if zone.capacity is None or (parameters is not None and parameters.are_in(zone.capacity)):
        return None
    return ranges.scalars(zone.capacity, {slot: Scalars.of((key,)) for slot, key in enumerate(keys)}, ranges.seats).high


def _content(
    ranges: ExpressionRanges, zone: ZoneDef, room: int | None, totals: dict[str, tuple[int, ...]]
) -> ValueRange:
    """What one place of a zone can hold."""
    held = zone.content_type
    if isinstance(held, Member):
        kind = ranges.rules.kinds[held.kind]
        counts = totals.get(kind.family, ())
        if not counts or kind.is_numeric:
            return ranges.full_range(Bag(held.kind))
        return BagRange.of((0,) * len(counts), counts, 0, sum(counts) if room is None else room)
    full = ranges.full_range(SetOf(held))
    assert isinstance(full, SetRange)
    return full if room is None else SetRange.of(full.elements, 0, room)


def _hint(ranges: ExpressionRanges, compare: Compare) -> str:
    """What the side of a comparison that is counted can be."""
    counted = compare.left if isinstance(compare.right, Constant) else compare.right
    if isinstance(counted, ReadZone) and counted.member is not None:
        return f"there are {ranges.scalars(counted, {}, ranges.seats).high} in the whole game"
    if isinstance(counted, Constant):
        return ""
    known, players = ranges.scalars(counted, {}, ranges.seats), ranges.rules.players
    with_players = f"with {players} player{'s' * (players != 1)}"
    return f"{with_players} it is {known.low}" + (f" to {known.high}" if known.single is None else "")


__all__ = ["check_counts"]

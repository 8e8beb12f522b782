"""The zones of a game and what moves between them, as a picture: from where to where, and in which action or step.

In: rules, a locale, the rules without variants. Out: a `Diagram`. Where a move does not say from where, it is from the
zones from which the thing can be chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.diagram.builder import DiagramBuilder, diagram_title
from rulewright.diagram.diagram import Diagram, DiagramEdge, DiagramGroup, DiagramNode, DiffMark, EdgeKind
from rulewright.diagram.node_text import (
    DIAGRAM_SECTIONS,
    VISIBILITY_KEYS,
    NodeText,
    iter_procedures,
    leaf_name,
    section_block,
)
from rulewright.diagram.rules_diff import RulesDiff, pair_up, presence_mark
from rulewright.expr.tree import Arithmetic, Call, Expr, Filter, If, Local, ReadValue, ReadZone
from rulewright.expr.types import Thing
from rulewright.frozen import frozen
from rulewright.model.actions import Pay
from rulewright.model.effects import Move, RunSteps, Step
from rulewright.model.locale import ENGLISH
from rulewright.model.rules import Rules, ZoneDef
from rulewright.model.traversal import domain_exprs, step_exprs
from rulewright.wording.text_case import humanize

ZoneNames = tuple[str, ...]
ZoneOrigins = Mapping[int, ZoneNames]  # the zones that the value of a variable can come from, by its slot


@frozen
class ZoneMove:
    """What moves from a zone to a zone by a step, or, without a step, as a refill."""

    source: str
    to: str
    text: str
    step: Step | None = None

    @property
    def key(self) -> str:
        """By which it is compared with other rules."""
        return f"{self.step.address if self.step else ''} {self.source} {self.to}"


def zones_diagram(rules: Rules, locale: str = ENGLISH, before: Rules | None = None) -> Diagram:
    """The zones and what moves between them. `before`: rules to compare with."""
    builder, text = DiagramBuilder(), NodeText(rules, locale)
    add_zone_moves(builder, rules, locale, before)
    return builder.build(diagram_title("picture_moves", text, rules, before), text)


def add_zone_moves(builder: DiagramBuilder, rules: Rules, locale: str, before: Rules | None) -> None:
    """Adds the zones and what moves between them, if there are zones."""
    old_rules = rules if before is None else before
    if not rules.zones and not old_rules.zones:
        return
    diff = RulesDiff(old_rules, rules)
    old_text, new_text = NodeText(old_rules, locale), NodeText(rules, locale)
    with builder.group(DiagramGroup("zones", new_text.messages("zones"), (), kind="zones")):
        for old, new in pair_up(old_rules.zones.values(), rules.zones.values(), lambda zone: zone.name):
            zone = new or old
            assert zone is not None
            mark = diff.mark(old, new, diff.is_zone_changed)
            paragraphs = _zone_text(zone, old_text if new is None else new_text)
            if mark == "changed":
                note = diff.append_changed_values("", (zone.capacity, zone.initial_content)).strip()
                paragraphs = (*paragraphs, note) if note else paragraphs
            builder.add_node(
                (), DiagramNode(zone.address, paragraphs, "zone", mark, zone.address, has_heading=len(paragraphs) > 1)
            )
    _add_moves(builder, diff, old_text, new_text)


def _add_moves(builder: DiagramBuilder, diff: RulesDiff, old_text: NodeText, new_text: NodeText) -> None:
    """Adds an arrow for each pair of zones, kind of move and mark, with all that moves so."""
    texts: dict[tuple[str, str, EdgeKind], dict[DiffMark, dict[str, None]]] = {}
    pairs = pair_up(_iter_moves(diff.before, old_text), _iter_moves(diff.after, new_text), lambda move: move.key)
    for old, new in pairs:
        move = new or old
        assert move is not None
        mark = presence_mark(old, new)
        if old and new and old.step and new.step:
            mark = diff.mark(old.step, new.step, diff.is_step_changed)
            mark = mark or diff.mark(old.step, new.step, diff.is_condition_changed)
        text = move.text
        if mark == "changed" and move.step is not None:
            text = diff.append_changed_values(text, step_exprs(move.step))
        kind: EdgeKind = "move" if move.step else "refill"
        ends = (f"zones.{move.source}", f"zones.{move.to}", kind)
        texts.setdefault(ends, {}).setdefault(mark, {})[text] = None
    for (source, to, kind), by_mark in texts.items():
        for mark, paragraphs in by_mark.items():
            builder.edges.append(DiagramEdge(source, to, tuple(paragraphs), mark, kind))


def _zone_text(zone: ZoneDef, text: NodeText) -> tuple[str, ...]:
    visibility = text.messages(VISIBILITY_KEYS[zone.seen_by]) if zone.seen_by in VISIBILITY_KEYS else ""
    return tuple(filter(None, (text.zone(zone), text.sentence_text(zone.address), visibility)))


# ---- what moves -------------------------------------------------------------------------------------------------


def _iter_moves(rules: Rules, text: NodeText) -> Iterator[ZoneMove]:
    for section in DIAGRAM_SECTIONS:
        owner = "" if section in ("turn", "round") else text.messages(section)
        yield from _block_moves(rules, text, section_block(rules, section), owner, {})
    for action in rules.actions:
        origins: dict[int, ZoneNames] = {}
        for slot, choice in enumerate(action.choices):
            domain = choice.domain
            of = domain.funds if isinstance(domain, Pay) else domain_exprs(domain)[0]
            origins[slot] = _origins(rules, of, origins)
        yield from _block_moves(rules, text, action.block, text.action(action), origins)
    for index, block in iter_procedures(rules):
        yield from _block_moves(rules, text, index, humanize(leaf_name(block.address)), {})
    for zone in rules.zones.values():
        if zone.refill is not None:
            yield ZoneMove(zone.refill.zone, zone.name, text.messages("refill"))


def _block_moves(rules: Rules, text: NodeText, block: int, owner: str, outer: ZoneOrigins) -> Iterator[ZoneMove]:
    """The moves of a block. `owner`: the action or part that it belongs to; empty: each step has its own name."""
    for step in rules.blocks[block].steps:
        origins = dict(outer)
        if step.for_each is not None:
            origins[step.for_each.slot] = _origins(rules, step.for_each.over, outer)
        effect = step.effect
        name = owner or humanize(leaf_name(step.address))
        if isinstance(effect, RunSteps) and not effect.is_procedure:
            yield from _block_moves(rules, text, effect.block, name, origins)
        elif isinstance(effect, Move):
            label = text.messages("named", name=name, text=dict(step.source_texts)["move"])
            for source in _move_sources(rules, effect, origins):
                yield ZoneMove(source, effect.to.zone, label, step)


def _move_sources(rules: Rules, move: Move, origins: ZoneOrigins) -> ZoneNames:
    """The zones from which a move can be; all of the same content if nothing says which."""
    if move.source is not None:
        return (move.source.zone,)
    candidates = _origins(rules, move.amount.of, origins) if move.amount.of is not None else ()
    content = rules.zones[move.to.zone].content_type
    alike = [name for name, zone in rules.zones.items() if zone.content_type == content and isinstance(content, Thing)]
    sources = tuple(name for name in candidates if name in alike)
    return sources or tuple(name for name in alike if name != move.to.zone)


def _origins(rules: Rules, expr: Expr, origins: ZoneOrigins) -> ZoneNames:
    """The zones from which the value of an expression can come."""
    operands: tuple[Expr, ...] = ()
    match expr:
        case ReadZone(name=name):
            return (name,)
        case Local(slot=slot):
            return origins.get(slot, ())
        case Filter(over=over):
            operands = (over,)
        case Call(args=args):
            operands = args
        case Arithmetic(op=op, left=left, right=right):
            operands = (left, right) if op == "+" else (left,)
        case If(then=then, otherwise=otherwise):
            operands = (then, otherwise)
        case ReadValue(name=name):
            terms = rules.values[name].terms
            return tuple(dict.fromkeys(zone for _, term in terms for zone in _origins(rules, term, {})))
        case _:
            pass
    return tuple(dict.fromkeys(zone for operand in operands for zone in _origins(rules, operand, origins)))


__all__ = ["add_zone_moves", "zones_diagram"]

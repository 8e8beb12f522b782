"""The places of a game and what moves between them, as a picture: from where to where, and in which action or step.

In: rules, a language, the rules before a variant was laid over. Out: a `Diagram`. A thing that moves from where it
is moves from the places out of which it can be chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from rulewright.diagram.builder import DiagramBuilder, diagram_title
from rulewright.diagram.diagram import Diagram, DiagramEdge, DiagramGroup, DiagramNode, DiffMark, EdgeKind
from rulewright.diagram.node_text import VISIBILITY_KEYS, NodeText, leaf_name
from rulewright.diagram.rules_diff import RulesDiff, pair_up, presence_mark
from rulewright.expr.tree import Arithmetic, Call, Expr, Filter, If, Local, ReadValue, ReadZone
from rulewright.expr.types import Thing
from rulewright.model.rules import Move, Pay, Rules, RunSteps, Step, ZoneDef
from rulewright.model.traversal import domain_exprs, step_exprs
from rulewright.wording.text_case import humanize

ZoneNames = tuple[str, ...]
ZoneOrigins = Mapping[int, ZoneNames]  # of a variable: the zones that its value can come from
DIAGRAM_SECTIONS: Final = ("setup", "round", "turn", "finale")


@dataclass(frozen=True, slots=True)
class ZoneMove:
    """Something that moves from a zone to a zone, by a step or (`refill`) by itself."""

    source: str
    to: str
    text: str
    step: Step | None = None

    @property
    def key(self) -> str:
        """By what it is found again in other rules."""
        return f"{self.step.address if self.step else ''} {self.source} {self.to}"


def zones_diagram(rules: Rules, language: str = "en", before: Rules | None = None) -> Diagram:
    """The zones and what moves between them. `before`: rules to hold them against."""
    chart, tell = DiagramBuilder(), NodeText(rules, language)
    add_zone_moves(chart, rules, language, before)
    return chart.build(diagram_title("picture_moves", tell, rules, before), tell)


def add_zone_moves(chart: DiagramBuilder, rules: Rules, language: str, before: Rules | None) -> None:
    """Draws the zones and what moves between them, if there are zones."""
    old_rules = rules if before is None else before
    difference = RulesDiff(old_rules, rules)
    now, then = NodeText(rules, language), NodeText(old_rules, language)
    if not rules.zones and not old_rules.zones:
        return
    with chart.group(DiagramGroup("zones", now.messages("zones"), (), kind="zones")):
        for was, is_ in pair_up(old_rules.zones.values(), rules.zones.values(), lambda one: one.name):
            zone = is_ or was
            assert zone is not None
            text = _zone(zone, then if is_ is None else now)
            mark = difference.mark(was, is_, difference.is_zone_changed)
            if mark == "changed" and (
                note := difference.append_changed_values("", (zone.capacity, zone.initial_content)).strip()
            ):
                text = (*text, note)
            chart.add_node((), DiagramNode(zone.address, text, "zone", mark, zone.address, has_heading=len(text) > 1))
    found: dict[tuple[str, str, EdgeKind], dict[DiffMark, dict[str, None]]] = {}
    for old, new in pair_up(_moved(old_rules, then), _moved(rules, now), lambda one: one.key):
        one = new or old
        assert one is not None
        mark = presence_mark(old, new)
        if old and new and old.step and new.step:
            mark = difference.mark(old.step, new.step, difference.is_step_changed)
            mark = mark or difference.mark(old.step, new.step, difference.is_condition_changed)
        said = one.text
        if mark == "changed" and one.step is not None:
            said = difference.append_changed_values(said, step_exprs(one.step))
        kind: EdgeKind = "move" if one.step else "refill"
        pair = (f"zones.{one.source}", f"zones.{one.to}", kind)
        found.setdefault(pair, {}).setdefault(mark, {})[said] = None
    for (source, to, kind), marked in found.items():
        for mark, texts in marked.items():
            chart.edges.append(DiagramEdge(source, to, tuple(texts), mark, kind))


def _zone(zone: ZoneDef, tell: NodeText) -> tuple[str, ...]:
    seen = tell.messages(VISIBILITY_KEYS[zone.seen_by]) if zone.seen_by in VISIBILITY_KEYS else ""
    return tuple(filter(None, (tell.zone(zone), tell.sentence_text(zone.address), seen)))


# ---- what moves -------------------------------------------------------------------------------------------------


def _moved(rules: Rules, tell: NodeText) -> Iterator[ZoneMove]:
    for name in DIAGRAM_SECTIONS:
        yield from _steps(
            rules, tell, getattr(rules, name), "" if name in ("turn", "round") else tell.messages(name), {}
        )
    for action in rules.actions:
        bound: dict[int, ZoneNames] = {}
        for slot, choice in enumerate(action.choices):
            domain = choice.domain
            of = domain.funds if isinstance(domain, Pay) else domain_exprs(domain)[0]
            bound[slot] = _origins(rules, of, bound)
        yield from _steps(rules, tell, action.block, tell.action(action), bound)
    done = set()
    for number, block in enumerate(rules.blocks):
        if block.address.startswith("procedures.") and block.address.count(".") == 1 and block.address not in done:
            done.add(block.address)
            yield from _steps(rules, tell, number, humanize(leaf_name(block.address)), {})
    for zone in rules.zones.values():
        if zone.refill is not None:
            yield ZoneMove(zone.refill.zone, zone.name, tell.messages("refill"))


def _steps(rules: Rules, tell: NodeText, block: int, who: str, around: ZoneOrigins) -> Iterator[ZoneMove]:
    """The moves of a block; `who`: the action or part that it belongs to, else each step says its own name."""
    for step in rules.blocks[block].steps:
        bound = dict(around)
        if step.for_each is not None:
            bound[step.for_each.slot] = _origins(rules, step.for_each.over, around)
        effect = step.effect
        name = who or humanize(leaf_name(step.address))
        if isinstance(effect, RunSteps) and not effect.is_procedure:
            yield from _steps(rules, tell, effect.block, name, bound)
        elif isinstance(effect, Move):
            text = tell.messages("named", name=name, text=dict(step.source_texts)["move"])
            for source in _sources(rules, effect, bound):
                yield ZoneMove(source, effect.to.zone, text, step)


def _sources(rules: Rules, move: Move, bound: ZoneOrigins) -> ZoneNames:
    if move.source is not None:
        return (move.source.zone,)
    found = _origins(rules, move.amount.of, bound) if move.amount.of is not None else ()
    holds = rules.zones[move.to.zone].content_type
    there = tuple(zone.name for zone in rules.zones.values() if zone.content_type == holds and isinstance(holds, Thing))
    return tuple(name for name in found if name in there) or tuple(name for name in there if name != move.to.zone)


def _origins(rules: Rules, expr: Expr, bound: ZoneOrigins) -> ZoneNames:
    """The zones from which what an expression names can come."""
    inner: tuple[Expr, ...] = ()
    match expr:
        case ReadZone(name=name):
            return (name,)
        case Local(slot=slot):
            return bound.get(slot, ())
        case Filter(over=over):
            inner = (over,)
        case Call(args=args):
            inner = args
        case Arithmetic(op=op, left=left, right=right):
            inner = (left, right) if op == "+" else (left,)
        case If(then=then, otherwise=otherwise):
            inner = (then, otherwise)
        case ReadValue(name=name):
            return tuple(dict.fromkeys(z for _, term in rules.values[name].terms for z in _origins(rules, term, {})))
        case _:
            pass
    return tuple(dict.fromkeys(zone for one in inner for zone in _origins(rules, one, bound)))


__all__ = ["add_zone_moves", "zones_diagram"]

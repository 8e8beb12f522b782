"""What a scenario says of the position it begins in: whose turn it is, at which step, what is where.

In: the `given` of a case. Out: a `GivenPosition` with every name looked up, or None with diagnostics. Nothing is played
here; `starting_position` builds the position.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rulewright.diagnostics import Related
from rulewright.engine.values import RuntimeValue
from rulewright.expr.types import Member
from rulewright.frozen import field, frozen, mutable
from rulewright.model.effects import RunSteps
from rulewright.model.rules import ZoneDef
from rulewright.scenarios import codes
from rulewright.scenarios.scenario_context import PieceCounts, ScenarioContext
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode
from rulewright.suggestions import did_you_mean

MOMENT_KEYS: Final = ("player", "step", "round")
CASE_KEYS: Final = ("when", "then", "text", "rulings", "players", "variants", "first_player")
TOP_KEY: Final = "top"  # what lies on top of a shuffled place, whatever is below

StepPath = tuple[tuple[int, int], ...]  # block and index of each step down to the one that is meant


@frozen
class GivenPosition:
    """What a case gives. Contents are by place: how many of which pieces, or which things in order."""

    node: MappingNode
    seat: int | None
    round: int | None
    step_path: StepPath  # empty: no step is given
    pieces: tuple[tuple[int, PieceCounts], ...]  # in the order of the case
    things: Mapping[int, tuple[int, ...]]
    tops: Mapping[int, tuple[int, ...]]  # of shuffled places of which only what lies on top is given
    states: Mapping[int, RuntimeValue]
    zone_keys: Mapping[int, ScalarNode]  # by place: the zone's name in the case
    thing_nodes: Mapping[tuple[str, int], ScalarNode]  # by component and thing: where it is named


@mutable
class _Contents:
    """The contents and states that are read from a case, while they are read."""

    pieces: list[tuple[int, PieceCounts]] = field(default_factory=list)
    things: dict[int, tuple[int, ...]] = field(default_factory=dict)
    tops: dict[int, tuple[int, ...]] = field(default_factory=dict)
    states: dict[int, RuntimeValue] = field(default_factory=dict)
    zone_keys: dict[int, ScalarNode] = field(default_factory=dict)
    thing_nodes: dict[tuple[str, int], ScalarNode] = field(default_factory=dict)


def parse_given(node: MappingNode | None, context: ScenarioContext, name: ScalarNode) -> GivenPosition | None:
    """What a case gives (None: nothing); None, with diagnostics, when it has a name that the game does not have.

    `name`: that of the case.
    """
    errors_before = context.diagnostics.error_count
    given = node if node is not None else MappingNode((), name.span)
    zones = context.rules.zones
    moment_keys = [key for key in MOMENT_KEYS if key not in zones]  # a zone of that name is meant before the moment
    step_path = _parse_step(given, context)
    seat = context.parse_seat(given.get("player"))
    contents = _Contents()
    for entry in given:
        key = entry.key.text
        if key == "state":
            _parse_states(entry.value, contents, context)
        elif key in zones:
            _parse_zone(zones[key], entry, contents, context)
        elif key in CASE_KEYS:
            message = f"`{key}` is a key of the case, not of `given`"
            context.report(entry.key, codes.UNKNOWN_IN_SCENARIO, message, help="indent it like `given`")
        elif key not in moment_keys:
            context.report_unknown(entry.key, "zone", [*zones, "state", *MOMENT_KEYS])
    if context.diagnostics.error_count > errors_before:
        return None
    return GivenPosition(
        given,
        seat,
        context.parse_round(given.get("round") if "round" in moment_keys else None),
        step_path,
        tuple(contents.pieces),
        contents.things,
        contents.tops,
        contents.states,
        contents.zone_keys,
        contents.thing_nodes,
    )


def _parse_step(given: MappingNode, context: ScenarioContext) -> StepPath:
    """The path to the step where the game is to stop; empty when none is given, or with a diagnostic."""
    node = given.get("step")
    if not isinstance(node, ScalarNode):
        return ()
    rules = context.rules
    for block in (rules.turn, rules.round):
        path = _find_step(context, block, node.text, ())
        if path:
            return path
    known = [step.address for block in (rules.turn, rules.round) for step in rules.blocks[block].steps]
    if node.text in rules.provenance:
        message = f"the game cannot stop at `{node.text}`: it is not a step of a turn or round"
        context.report(node, codes.NO_SUCH_MOMENT, message, help=did_you_mean(node.text, known))
    else:
        context.report_unknown(node, "step", known)
    return ()


def _find_step(context: ScenarioContext, block: int, address: str, outer_blocks: tuple[int, ...]) -> StepPath:
    for index, step in enumerate(context.rules.blocks[block].steps):
        if step.address == address:
            return ((block, index),)
        inner = step.effect.block if isinstance(step.effect, RunSteps) else None
        # steps done several times have variables of their own, which a case cannot name
        if inner is not None and step.for_each is None and step.times is None and inner not in outer_blocks:
            path = _find_step(context, inner, address, (*outer_blocks, inner))
            if path:
                return ((block, index), *path)
    return ()


def _parse_zone(zone: ZoneDef, entry: Entry, contents: _Contents, context: ScenarioContext) -> None:
    for keys, node in context.entries_by_key(zone, entry.key, entry.value):
        place = context.place_index(zone, keys)
        contents.zone_keys[place] = entry.key
        if isinstance(zone.content_type, Member):
            counts = context.parse_counts(zone.content_type.kind, node)
            if counts is not None:
                contents.pieces.append((place, counts))
            continue
        component = zone.content_type.component
        top = node.get(TOP_KEY) if zone.is_shuffled and isinstance(node, MappingNode) else None
        if top is not None and isinstance(node, MappingNode) and len(node.entries) > 1:
            other = next(entry.key for entry in node if entry.key.text != TOP_KEY)
            hint = f"list the whole place from the top, or only what lies on `{TOP_KEY}`"
            context.report(other, codes.WRONG_CONTENT, f"`{other.text}` beside `{TOP_KEY}`", help=hint)
        things = context.parse_things(component, node if top is None else top) or []
        for thing, item in things:
            first = contents.thing_nodes.setdefault((component, thing), item)
            if first is not item:
                message = f"`{item.text}` is in two places"
                context.report(
                    item,
                    codes.IN_TWO_PLACES,
                    message,
                    label="again",
                    help="take it out of one of them",
                    related=[Related(first.span, "the first")],
                )
        (contents.things if top is None else contents.tops)[place] = tuple(thing for thing, _ in things)


def _parse_states(node: Node, contents: _Contents, context: ScenarioContext) -> None:
    for entry in node if isinstance(node, MappingNode) else ():
        state = context.rules.states.get(entry.key.text)
        if state is None:
            context.report_unknown(entry.key, "state", context.rules.states)
            continue
        for keys, value_node in context.entries_by_key(state, entry.key, entry.value):
            value = context.parse_value(value_node, state.type)
            if value is not None:
                contents.states[context.place_index(state, keys)] = value


__all__ = ["GivenPosition", "StepPath", "parse_given"]

"""Does a step do nothing, or the same for everybody?

In: the state of a build. Out: warnings about steps that set a state to what it is, that move something to where it is
or show it to who sees it there, about turns without steps, and about loops over all players whose steps are about the
one in turn each time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from rulewright.checker.common import lint_codes
from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.rules_read import exprs_in_steps, slots_read
from rulewright.checker.common.warn import warn
from rulewright.diagnostics import Cause
from rulewright.expr.codes import ALL_OR_ONE
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import Builtin, Expr, Filter, Local, Place, ReadZone
from rulewright.expr.types import SEAT, Member, Thing
from rulewright.expr.walk import free_variables, is_me, iter_exprs
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.actions import ActionDef, OneOf
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Block, GiveTurn, Move, Reveal, RunSteps, SetState, Step
from rulewright.model.rules import ZoneDef
from rulewright.model.sentences import nodes_by_language
from rulewright.model.traversal import asked_exprs
from rulewright.source.nodes import Entry

TURN: Final = "turn"
FIRST_PLAYER: Final = "first_player"
FOR_EACH: Final = lazy_pattern(r"(?i)^(?:each|every|everybody|everyone|all|chaque|chacun|tout le monde|tous)\b")


@build_pass(needs=["actions", "blocks", "zones", "judged"], skip=after_errors)
def check_idle_steps(state: BuildState) -> None:
    """Steps that set a state to what it is, or move to where things come from; what has an order is put behind."""
    zones, chosen = state.zones, _chosen_places(state.actions, state.blocks)
    for step in state.judged.steps:
        if isinstance(step.effect, Move) and _moves_nowhere(
            step.effect, zones[step.effect.to.zone], chosen.get(step.address)
        ):
            keys = ("to", "from") if step.effect.source is not None else ("to", "move")
            nodes = [condition_node(state.document.root, step.address, key) for key in keys]
            spans = [node.span for node in nodes if node is not None]
            brought = (span for span in spans if span.source.path in state.variant_files)
            span, message = next(brought, spans[0] if spans else step.span), "this moves to where it is taken from"
            hint = "name another place behind `to`, or leave the step out"
            warn(state, span, lint_codes.CHANGES_NOTHING, message, "changes nothing", hint, step.address)
        if isinstance(step.effect, Reveal) and (reader := _sees_anyway(step.effect, zones)):
            node = condition_node(state.document.root, step.address, "to") or condition_node(
                state.document.root, step.address, "reveal"
            )
            span, message = step.span if node is None else node.span, f"{reader} this anyway, where it lies"
            hint = "reveal it to others, or leave the step out"
            warn(state, span, lint_codes.CHANGES_NOTHING, message, "changes nothing", hint, step.address)
        written = {name: " ".join(text.split()) for name, text in step.source_texts}
        if not isinstance(step.effect, SetState) or written.get("set") != written.get("to"):
            continue
        node = condition_node(state.document.root, step.address, "to")
        span, message = step.span if node is None else node.span, "this sets a state to what it is"
        hint = "write the new value behind `to`, or leave the step out"
        warn(state, span, lint_codes.CHANGES_NOTHING, message, "changes nothing", hint, step.address)


@build_pass(needs=["blocks"], skip=after_errors)
def check_empty_turns(state: BuildState) -> None:
    """Steps that give a turn in a game that says nothing of what is done in it."""
    if TURN in state.document.root:
        return
    step = next((step for block in state.blocks for step in block.steps if isinstance(step.effect, GiveTurn)), None)
    if step is not None:
        state.diagnostics.add(
            step.span,
            lint_codes.CHANGES_NOTHING,
            "the turn that this gives has no steps",
            label="changes nothing",
            help="write them in a section `turn`",
            address=step.address,
            cause=Cause("no section", TURN),
        )


def _chosen_places(actions: Iterable[ActionDef], blocks: Sequence[Block]) -> dict[str, ReadZone]:
    """The place out of which the thing was chosen that the first step of an action moves, by the step's address."""
    found = dict[str, ReadZone]()
    for action in actions:
        step = next(iter(blocks[action.block].steps), None)
        of = step.effect.amount.of if step is not None and isinstance(step.effect, Move) else None
        if step is None or step.for_each is not None or not isinstance(of, Local) or of.slot >= len(action.choices):
            continue
        domain = action.choices[of.slot].domain
        if isinstance(domain, OneOf) and isinstance(read := domain.of, ReadZone) and isinstance(of.type, Thing):
            found[step.address] = read
    return found


def _moves_nowhere(move: Move, zone: ZoneDef, chosen: ReadZone | None) -> bool:
    """Whether a move takes from the one place to which it moves, where nothing has an order."""
    source, to = move.source, move.to
    if source is None and chosen is not None:
        source = Place(chosen.name, chosen.keys, chosen.offsets)
    if source is None and isinstance(read := move.amount.of, ReadZone) and move.amount.mode == "exactly":
        source = Place(read.name, read.keys, read.offsets)
    if source is None or source.zone != to.zone or len(source.keys) != len(to.keys) or to.end:
        return False
    keys = [(structural_key(one), structural_key(other)) for one, other in zip(source.keys, to.keys, strict=True)]
    is_ordered = zone.is_shuffled or zone.is_arrival_ordered
    return not is_ordered and all(one is not None and one == other for one, other in keys)


def _sees_anyway(reveal: Reveal, zones: Mapping[str, ZoneDef]) -> str:
    """That somebody sees what is shown, be it shown or not; nothing where somebody else is shown it, too."""
    what = reveal.what
    while isinstance(what, Filter):
        what = what.over
    if not isinstance(what, ReadZone):
        return ""
    zone = zones[what.name]
    if zone.seen_by == "all":
        return "all see"
    to = reveal.to
    if zone.seen_by != "owner" or zone.owner_key is None or to is None or zone.owner_key >= len(what.keys):
        return ""
    key = structural_key(what.keys[zone.owner_key])
    return "its owner sees" if to.type == SEAT and key is not None and key == structural_key(to) else ""


@build_pass(needs=["blocks", "book_sentences", "judged"], skip=after_errors)
def check_unread_loops(state: BuildState) -> None:
    """Loops whose steps speak of all that they go through and not of the variable; loops over players whose steps
    speak of `me` or `first_player`.
    """
    sentences = state.book_sentences.entries
    for step in state.judged.steps:
        each = step.for_each
        if each is None or _reads(step, each.slot, state):
            continue
        kind = each.type.kind if isinstance(each.type, Member) else ""
        kind = each.type.component if isinstance(each.type, Thing) else kind
        if kind and kind != each.name:
            from rulewright.checker.common.choices_meant import find_whole_kind  # nearly all loops read their variable

            meant = find_whole_kind(state, step.address, kind)
            if meant is not None:
                message, hint = (
                    f"`{kind}` means all of them, and nothing reads `{each.name}`",
                    f"did you mean `{each.name}`?",
                )
                warn(state, meant, ALL_OR_ONE, message, "all of them", hint, step.address)
                continue
        seat = _same_seat(step, state, sentences) if each.type == SEAT else ""
        if seat:
            node = condition_node(state.document.root, step.address, "for_each")
            message = f"what is done for each `{each.name}` does not depend on it"
            hint = f"write `{each.name}` for `{seat}`; to repeat a step write `times`"
            span = step.span if node is None else node.span
            warn(state, span, lint_codes.ALL_SEATS, message, f"`{each.name}` is never read", hint, step.address)


def _same_seat(step: Step, state: BuildState, sentences: Mapping[str, Entry]) -> str:
    """The name of the one player of whom a step speaks, whoever it is carried out for. That the first player gets
    something for each player may be meant, unless the sentence begins with whom it is done for.
    """
    parts = [part for expr in _exprs(step, state) for part in iter_exprs(expr) if isinstance(part, Builtin)]
    if any(map(is_me, parts)):
        return "me"
    entry = sentences.get(step.address)
    texts = [] if entry is None else [node.text for node in nodes_by_language(entry).values()]
    is_for_each = isinstance(step.effect, Reveal) or any(map(FOR_EACH.search, texts))
    return FIRST_PLAYER if is_for_each and any(part.name == FIRST_PLAYER for part in parts) else ""


def _exprs(step: Step, state: BuildState) -> Iterable[Expr]:
    yield from asked_exprs(step)
    block = _own_block(step)
    if block is not None:
        yield from exprs_in_steps(block, state.blocks)


def _reads(step: Step, slot: int, state: BuildState) -> bool:
    """Whether a step, what it offers or a step within it reads a variable."""
    block = _own_block(step)
    is_read_within = block is not None and slot in slots_read(block, state.blocks)
    return is_read_within or any(slot in free_variables(expr) for expr in asked_exprs(step))


def _own_block(step: Step) -> int | None:
    """The steps below a step; a procedure sees no variables of whoever runs it."""
    effect = step.effect
    return effect.block if isinstance(effect, RunSteps) and not effect.is_procedure else None


__all__ = ["check_empty_turns", "check_idle_steps", "check_unread_loops"]

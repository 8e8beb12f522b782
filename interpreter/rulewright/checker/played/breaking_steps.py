"""Which step of a game broke an invariant?

In: a broken invariant, and the same game played again. Out: the place of the last step that could have changed what the
invariant asks: where it was carried out, the amount that it moved or what it set; where its own condition kept it from
taking away what is too much, that condition. A variant's own step comes first if the invariant held just before it and
never again. Before all others comes a step that is to take away what is too much, and never found any.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from itertools import pairwise
from typing import Final

from rulewright.checker.common.condition_nodes import condition_node, key_span
from rulewright.checker.common.names_touched import NO_NAMES, Names, NamesTouched
from rulewright.diagnostics import Span
from rulewright.document.address import find_entry
from rulewright.engine.default_engine import make_engine, make_observed_engine, make_watched_engine
from rulewright.engine.faults import BrokenInvariant
from rulewright.engine.interface import Engine, Event
from rulewright.engine.reference.mutable_state import MutableState
from rulewright.engine.reference.observation import when_site
from rulewright.engine.values import Content
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import Builtin, Compare, Expr, Local
from rulewright.expr.walk import conjuncts, iter_exprs
from rulewright.frozen import frozen, replace
from rulewright.model.actions import ActionDef
from rulewright.model.effects import Move, SetState, Step
from rulewright.model.loader import Composition
from rulewright.model.rules import Invariant, Rules
from rulewright.model.traversal import run_blocks
from rulewright.source.nodes import ScalarNode

MAX_EVENTS: Final = 10_000  # the last ones of a game
NOBODY: Final = -1  # is in turn, as far as an invariant asks


@frozen
class BreakingStep:
    """Where to show it. `is_skipped`: its condition did not hold; `is_weak`: it is a clause that is to keep to the same
    limit; `is_proved`: the invariant held till then; `is_idle`: it never took anything of what there is too much of.
    """

    span: Span
    address: str
    is_skipped: bool
    is_weak: bool = False
    is_proved: bool = False
    is_idle: bool = False


def find_breaking_step(
    fault: BrokenInvariant, rules: Rules, composition: Composition, seed: int, replay: Callable[[Engine], object]
) -> BreakingStep | None:
    """The step; None where nothing says which, and where it never held, so that none is to blame. `seed`: of the game;
    `replay`: plays it again until it fails.
    """
    invariant = next((one for one in rules.invariants if one.address == fault.address), None)
    if invariant is None or not _holds_at_first(invariant, make_engine(rules), seed):
        return None
    if composition.chosen_variants and (own := _step_of_variant(invariant, rules, composition, replay)) is not None:
        return replace(_done(own, invariant, rules, composition), is_proved=True)
    limited = _limited(invariant.condition, NamesTouched(rules))
    if (idle := _idle_step(limited, rules, replay)) is not None:
        node = condition_node(composition.document.root, idle.address, "from")
        return BreakingStep(idle.span if node is None else node.span, idle.address, is_skipped=False, is_idle=True)
    events = deque[Event](maxlen=MAX_EVENTS)
    replay(make_observed_engine(rules, events.append))
    names = NamesTouched(rules)
    asked = names.read(invariant.condition)
    steps = {step.address: step for block in rules.blocks for step in block.steps}
    skippable = {when_site(address): step for address, step in steps.items() if step.when is not None}
    for site, held in reversed(events):
        done = steps.get(site)
        if done is not None and not run_blocks(rules, done.effect) and names.written(done) & asked:
            return _done(done, invariant, rules, composition)
        skipped = skippable.get(site)
        if skipped is not None and not held and _takes_from(skipped, rules, limited):
            node = condition_node(composition.document.root, skipped.address)
            return BreakingStep(skipped.span if node is None else node.span, skipped.address, is_skipped=True)
    return None


def _holds_at_first(invariant: Invariant, engine: Engine, seed: int) -> bool:
    return bool(engine.compiler.compile(invariant.condition)(engine.context(engine.start(seed=seed))))


def _step_of_variant(
    invariant: Invariant, rules: Rules, composition: Composition, replay: Callable[[Engine], object]
) -> Step | None:
    """The step of a variant before which an invariant held for the last time."""
    names, condition = NamesTouched(rules), invariant.condition
    if any(isinstance(part, Builtin) and part.name == "me" for part in iter_exprs(condition)):
        return None  # whose turn it is then is not known at the step
    asked = names.read(condition)
    writing = {
        step.address: step
        for block in rules.blocks
        for step in block.steps
        if not run_blocks(rules, step.effect) and names.written(step) & asked
    }
    if not any(step.span.source.path in composition.variant_files for step in writing.values()):
        return None
    last = ""

    def watch(address: str, position: MutableState) -> None:
        nonlocal last
        last = address if holds(position.context_for(NOBODY, ())) else last

    engine = make_watched_engine(rules, writing.keys(), watch)
    holds = engine.compiler.compile(condition)
    replay(engine)
    step = writing.get(last)
    return step if step is not None and step.span.source.path in composition.variant_files else None


def _idle_step(limited: Names, rules: Rules, replay: Callable[[Engine], object]) -> Step | None:
    """The one step of the last turn that is to take all of what there is too much of, and that has never found any in
    this game, as often as it was carried out.
    """
    steps = {step.address: step for block in rules.blocks for step in block.steps}
    taking = {address for address, step in steps.items() if _takes_all(step, limited)}
    if not taking:
        return None
    zones = [zone for zone in rules.zones.values() if zone.name in limited]
    seen: list[tuple[str, int, tuple[Content, ...]]] = []

    def watch(address: str, position: MutableState) -> None:
        places = (place for zone in zones for place in range(zone.first_index, zone.first_index + zone.size))
        seen.append((address, position.turn_count, tuple(position.contents[place] for place in places)))

    replay(make_watched_engine(rules, steps.keys(), watch))
    found = dict.fromkeys(taking, 0)
    for (address, _, before), (_, _, after) in pairwise(seen):
        if address in taking and before != after:
            found[address] += 1
    last = {address for address, turn, _ in seen[:-1] if turn == seen[-1][1]} if seen else set[str]()
    idle = [address for address in taking & last if not found[address]]
    return steps[idle[0]] if len(idle) == 1 else None


def _takes_all(step: Step, limited: Names) -> bool:
    move = step.effect
    return (
        isinstance(move, Move)
        and move.source is not None
        and move.amount.mode == "all"
        and (move.source.zone in limited and move.to.zone not in limited)
    )


def _limited(condition: Expr, names: NamesTouched) -> Names:
    """What there must not be too much of."""
    found = NO_NAMES
    for part in iter_exprs(condition):
        if isinstance(part, Compare) and part.op in ("<", "<=", ">", ">="):
            found |= names.read(part.left if part.op in ("<", "<=") else part.right)
    return found


def _takes_from(step: Step, rules: Rules, limited: Names) -> bool:
    """Whether a step, or what it runs or offers, takes something out of a place of which there is a limit."""
    pending, seen, blocks = [step], set[int](), rules.blocks
    while pending:
        one = pending.pop()
        if isinstance(one.effect, Move) and one.effect.source is not None and one.effect.source.zone in limited:
            return True
        for block in set(run_blocks(rules, one.effect)) - seen:
            seen.add(block)
            pending += blocks[block].steps
    return False


def _done(step: Step, invariant: Invariant, rules: Rules, composition: Composition) -> BreakingStep:
    """A step that was carried out: of an amount that was chosen, how much there has to be; of an action that is to
    keep to the same limit, the clause by which it does.
    """
    address, key = step.address, {Move: "move", SetState: "to"}.get(type(step.effect), "")
    amount = step.effect.amount.of if isinstance(step.effect, Move) else None
    action = next((one for one in rules.actions if _is_within(address, one)), None)
    if action is not None and isinstance(amount, Local) and amount.slot < len(action.choices):
        choice = action.choices[amount.slot]
        total = find_entry(composition.document.root, f"{choice.address}.total")
        if total is not None and choice.type == amount.type:
            return BreakingStep(total.value.span, choice.address, is_skipped=False)
    for clause in () if action is None else action.clauses:
        section, _, name = clause.address.rpartition(".")
        span = key_span(composition.document.root, section, name, clause.span)
        if composition.is_judged(span) and _keeps_to(clause.condition, invariant.condition, NamesTouched(rules)):
            return BreakingStep(span, clause.address, is_skipped=False, is_weak=True)
    node = condition_node(composition.document.root, address, key) if key else None
    span = node.span if isinstance(node, ScalarNode) else step.span
    return BreakingStep(span, address, is_skipped=False)


def _keeps_to(condition: Expr, invariant: Expr, names: NamesTouched) -> bool:
    """Whether a condition compares what an invariant compares, with the same limit."""
    limits = [part for part in iter_exprs(invariant) if isinstance(part, Compare) and part.op in ("<", "<=")]
    asked = [part for part in conjuncts(condition) if isinstance(part, Compare) and part.op in ("<", "<=")]
    return any(
        (key := structural_key(one.right)) is not None
        and key == structural_key(other.right)
        and not names.read(one.left).isdisjoint(names.read(other.left))
        for one in asked
        for other in limits
    )


def _is_within(address: str, action: ActionDef) -> bool:
    return address.startswith(f"{action.address}.")


__all__ = ["BreakingStep", "find_breaking_step"]

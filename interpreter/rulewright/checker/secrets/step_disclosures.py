"""What steps tell everybody of what only some may see: in which order players come, who is asked, what a state says.

In: steps, and who sees which zone. Out: warnings about steps that ask players, or give them turns, in the order of
hidden contents; that ask those alone who hold something strong enough; that write what lies hidden into a state, which
everybody sees; and about ends that hang on it while the game goes on until the round is over.

To compare what players hold is often the point of a game, and so is that somebody holds a certain card. Nothing is said
where it is shown or put away at once, where points are counted, and where the game is over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rulewright.checker.common import lint_codes
from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.rules_read import all_parts, offer_clauses, steps_within
from rulewright.checker.common.warn import warn
from rulewright.checker.secrets.information_leaks import HiddenRead, HiddenReadFinder
from rulewright.checker.secrets.kept_secrets import kept_secrets
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import Arithmetic, Binding, Compare, Expr, Extremum, Local, ReadState, ReadValue, ReadZone
from rulewright.expr.types import FLAG, SEAT
from rulewright.expr.walk import conjuncts, free_variables, is_constant, is_me, iter_exprs
from rulewright.frozen import frozen
from rulewright.model.actions import OneOf, SomeOf
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Block, Choose, Finish, GiveTurn, Move, RunSteps, SetState, Step
from rulewright.model.rules import ZoneDef
from rulewright.source.nodes import ScalarNode

FINALE: Final = "finale"
ACTIONS: Final = "actions."
TURN: Final = "turn"
ORDERS: Final = ("<", "<=", ">", ">=")


@frozen
class _Disclosure:
    """What a step tells: the key at which it looks, where, what all learn by it, and what could be done instead."""

    key: str
    read: HiddenRead
    message: str
    hint: str


class _PrivateFinder(HiddenReadFinder):
    """Finds where expressions look into places that some players see, and others do not."""

    def _seen(self, zone: ZoneDef, keys: tuple[Expr, ...], seats: Mapping[int, str]) -> bool:
        return zone.seen_by in ("all", "nobody") or self.players == 1


@build_pass(needs=["blocks", "zones", "components", "values", "states", "actions", "assessments"], skip=after_errors)
def check_step_disclosures(state: BuildState) -> None:
    """Reports them."""
    search = _Search(state, kept_secrets(state))
    if not search.secrets:
        return
    reported = {found.address for found in state.diagnostics if found.code is lint_codes.LOOKS_AT_HIDDEN}
    for block in state.blocks:
        for number, step in enumerate(block.steps if not block.address.startswith(FINALE) else ()):
            disclosure = search.find(block, number, step)
            if disclosure is None or step.address in reported:
                continue
            node = condition_node(state.document.root, step.address, disclosure.key)
            is_inside = isinstance(node, ScalarNode) and isinstance(disclosure.read.expr, ReadZone | ReadValue)
            span = step.span if node is None else node.span
            if is_inside and isinstance(node, ScalarNode):
                span = node.subspan(*disclosure.read.expr.offsets)
            warn(
                state,
                span,
                lint_codes.LOOKS_AT_HIDDEN,
                disclosure.message,
                "hidden from some players",
                disclosure.hint,
                step.address,
            )


class _Search:
    def __init__(self, state: BuildState, secrets: frozenset[str]) -> None:
        self.secrets = secrets
        self._blocks, self._states, self._values, self._actions = (
            state.blocks,
            state.states,
            state.values,
            state.actions,
        )
        self._ranked = [criterion.of for criterion in state.assessments.ranking]
        self._finder = _PrivateFinder(state.zones, state.values, state.players)
        self._around = {
            step.effect.block: (block, step)
            for block in state.blocks
            for step in block.steps
            if isinstance(step.effect, RunSteps) and not step.effect.is_procedure
        }
        self._numbers = {block.address: number for number, block in enumerate(state.blocks)}

    def find(self, block: Block, number: int, step: Step) -> _Disclosure | None:
        """The first thing that a step tells."""
        found = self._order(step)
        if block.address.startswith(ACTIONS):
            return found  # whoever asks a question is answered
        return found or self._who(block, step) or self._noted(block, number, step) or self._end(block, number, step)

    def _order(self, step: Step) -> _Disclosure | None:
        """Players come in the order of what they hold."""
        loop = step.for_each
        if step.order is None or loop is None or loop.type != SEAT or not self._asks_or_gives_turn(step):
            return None
        read = self._read(step.order)
        if read is None:
            return None
        key = "highest_first" if step.is_descending else "lowest_first"
        message = f"the order in which players come reveals hidden contents of `{read.zone.name}` to everybody"
        return _Disclosure(key, read, message, f"order them by what all see, or reveal `{read.zone.name}` before")

    def _who(self, block: Block, step: Step) -> _Disclosure | None:
        """Those alone are asked, or have a turn, who hold something strong enough."""
        effect, loop = step.effect, step.for_each
        if not isinstance(effect, Choose | GiveTurn):
            return None
        exprs = [("by", step.by), ("turn", effect.seat if isinstance(effect, GiveTurn) else None)]
        if loop is not None and loop.type == SEAT and loop.condition is not None:
            exprs += [("for_each", part) for part in conjuncts(loop.condition)]
        is_of_me = isinstance(effect, Choose) and (step.by is None or is_me(step.by))
        if step.when is not None and not (is_of_me and _is_in_turn(block)):
            exprs += [("when", part) for part in conjuncts(step.when)]
        for key, expr in exprs:
            read = None if expr is None or not self._measures(expr) else self._read(expr)
            if expr is None or read is None or (key in ("for_each", "when") and self._is_comparison(expr)):
                continue
            if self._has_to_give(step, read.zone.name) or _is_own(read, step):
                continue
            what = "who is asked" if isinstance(effect, Choose) else "who has a turn"
            what = "whether this turn is given" if isinstance(effect, GiveTurn) and effect.is_extra else what
            message = f"{what} reveals hidden contents of `{read.zone.name}` to everybody"
            return _Disclosure(key, read, message, f"ask for what all see, or reveal `{read.zone.name}` before")
        return None

    def _noted(self, block: Block, number: int, step: Step) -> _Disclosure | None:
        """What lies hidden is written where everybody sees it."""
        effect = step.effect
        if not isinstance(effect, SetState) or not self._states[effect.target.name].is_shown:
            return None
        if effect.to.type in (FLAG, SEAT) or self._is_counted(effect):
            return None
        read = self._read(effect.to) or self._looped(effect.to, block, step)
        if read is None or self._is_put_away(block, number, read.zone.name):
            return None
        name = effect.target.name
        message = f"everybody sees `{name}`, which reveals hidden contents of `{read.zone.name}`"
        hint = f"set it once `{read.zone.name}` is revealed, or let only the number of things there be seen"
        return _Disclosure("to", read, message, hint)

    def _end(self, block: Block, number: int, step: Step) -> _Disclosure | None:
        """All learn of it that the game ends, and play on."""
        effect = step.effect
        if not isinstance(effect, Finish) or effect.when != "after_round" or step.when is None:
            return None
        if not _is_in_turn(block) and not any(map(self._asks_or_gives_turn, block.steps[number + 1 :])):
            return None
        for part in conjuncts(step.when):
            read = self._read(part) if self._measures(part) else None
            if read is not None:
                message = (
                    f"the last round reveals hidden contents of `{read.zone.name}` to everybody while it is played"
                )
                return _Disclosure("when", read, message, "ask for what all see, or end the game `now`")
        return None

    def _read(self, expr: Expr) -> HiddenRead | None:
        read = self._finder.find_first(expr, {})
        return read if read is not None and read.zone.name in self.secrets else None

    def _looped(self, expr: Expr, block: Block, step: Step) -> HiddenRead | None:
        """Whether an expression asks something of a thing in a hidden place through which a loop goes."""
        slots = free_variables(expr)
        for loop in self._loops(block, step):
            if loop.slot in slots and loop.type != SEAT and (read := self._read(loop.over)) is not None:
                return HiddenRead(expr, read.zone)
        return None

    def _loops(self, block: Block, step: Step) -> Iterator[Binding]:
        """The loops around a step, innermost first."""
        at: tuple[Block, Step] | None = (block, step)
        while at is not None:
            block, step = at
            if step.for_each is not None:
                yield step.for_each
            at = self._around.get(self._numbers[block.address])

    def _asks_or_gives_turn(self, step: Step) -> bool:
        if isinstance(step.effect, RunSteps):
            inner = steps_within(step.effect.block, self._blocks, with_procedures=True)
            return any(isinstance(each.effect, Choose | GiveTurn) for each in inner)
        return isinstance(step.effect, Choose | GiveTurn)

    def _measures(self, expr: Expr) -> bool:
        """Whether it is asked how much something is, not whether a certain thing is there."""
        parts = all_parts(self._values, [expr])
        return any(
            isinstance(part, Extremum | Arithmetic) or (isinstance(part, Compare) and part.op in ORDERS)
            for part in parts
        )

    def _is_comparison(self, expr: Expr) -> bool:
        """Whether what one holds is compared with what others hold, or with a state."""
        parts = list(all_parts(self._values, [expr]))
        looks = [part for part in iter_exprs(expr) if isinstance(part, ReadZone | ReadValue)]
        compares = [part for part in iter_exprs(expr) if isinstance(part, Compare)]
        is_fixed = all(is_constant(part.left) or is_constant(part.right) for part in compares)
        return len(looks) > 1 or not is_fixed or any(isinstance(part, ReadState | Extremum) for part in parts)

    def _has_to_give(self, step: Step, zone: str) -> bool:
        """Whether those who are asked show or give what they are asked for."""
        if not isinstance(step.effect, Choose):
            return False
        clauses = offer_clauses(self._blocks)
        for offer in step.effect.offers:
            action = self._actions[offer.action]
            exprs: list[Expr] = [
                choice.domain.of for choice in action.choices if isinstance(choice.domain, OneOf | SomeOf)
            ]
            exprs += [clause.condition for clause in (*action.clauses, *clauses.get(action.index, ()))]
            if any(isinstance(part, ReadZone) and part.name == zone for part in all_parts(self._values, exprs)):
                return True
        return False

    def _is_counted(self, effect: SetState) -> bool:
        """Whether points are counted: more of what there was, or what players are ranked by."""
        name = effect.target.name
        if any(isinstance(part, ReadState) and part.name == name for part in iter_exprs(effect.to)):
            return True
        ranked = all_parts(self._values, self._ranked)
        return bool(effect.target.keys) and any(isinstance(part, ReadState) and part.name == name for part in ranked)

    def _is_put_away(self, block: Block, number: int, zone: str) -> bool:
        """Whether what lies there goes elsewhere before anybody has a choice again."""
        for step in block.steps[number + 1 :]:
            if self._asks_or_gives_turn(step):
                return False
            steps: Sequence[Step] = (step,)
            if isinstance(step.effect, RunSteps):
                steps = (*steps_within(step.effect.block, self._blocks, with_procedures=True),)
            if any(isinstance(each.effect, Move) and _takes_from(each.effect, zone) for each in steps):
                return True
        return False


def _is_in_turn(block: Block) -> bool:
    return f"{block.address}.".startswith(f"{TURN}.")


def _is_own(read: HiddenRead, step: Step) -> bool:
    """Whether somebody is asked because of what this player itself holds."""
    if not isinstance(step.effect, Choose) or not isinstance(read.expr, ReadZone | ReadValue):
        return False
    keys = [structural_key(key) for key in read.expr.keys]
    return any(is_me(key) for key in read.expr.keys) if step.by is None else structural_key(step.by) in keys


def _takes_from(move: Move, zone: str) -> bool:
    if move.source is not None:
        return move.source.zone == zone
    parts = [] if move.amount.of is None else [*iter_exprs(move.amount.of)]
    return any(isinstance(part, Local) or (isinstance(part, ReadZone) and part.name == zone) for part in parts)


__all__ = ["check_step_disclosures"]

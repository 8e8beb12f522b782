"""What steps tell everybody of what only some may see: in which order players come, who is asked, what a state says.

In: steps, and who sees which zone. Out: warnings about steps that ask players, or give them turns, in the order of
hidden contents; that ask those alone who hold something strong enough; that write what lies hidden into a state, which
everybody sees, or move so much; and about ends that hang on it while the game goes on until the round is over.

To compare what players hold is often the point of a game, and so is that whoever holds a certain card comes forward.
Nothing is said where it is shown or put away at once, where points are counted, and where the game is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulewright.checker.common import lint_codes
from rulewright.checker.common.condition_nodes import condition_node
from rulewright.checker.common.rules_read import all_parts, offer_clauses
from rulewright.checker.common.warn import warn
from rulewright.checker.secrets.amount_disclosures import find_moved
from rulewright.checker.secrets.face_down_things import find_face_down, find_named_early
from rulewright.checker.secrets.information_leaks import HiddenRead
from rulewright.checker.secrets.private_looks import Disclosure, PrivateLooks
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import Builtin, Expr, Local, Not, Quantifier, ReadState, ReadValue, ReadZone
from rulewright.expr.types import FLAG, SEAT
from rulewright.expr.walk import conjuncts, is_me
from rulewright.model.actions import OneOf, SomeOf
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Block, Choose, Finish, GiveTurn, RunSteps, SetState, Step
from rulewright.source.nodes import ScalarNode

FINALE: Final = "finale"
ACTIONS: Final = "actions."
TURN: Final = "turn"


@build_pass(
    needs=["blocks", "zones", "components", "values", "states", "actions", "assessments", "symbols", "book_sentences"],
    skip=after_errors,
)
def check_step_disclosures(state: BuildState) -> None:
    """Reports them."""
    looks = PrivateLooks(state)
    search = _Search(state, looks)
    if not looks.secrets:
        return
    reported = {found.address for found in state.diagnostics if found.code is lint_codes.LOOKS_AT_HIDDEN}
    for block in state.blocks:
        for number, step in enumerate(block.steps if not block.address.startswith(FINALE) else ()):
            disclosure = search.find(block, number, step)
            if disclosure is None or step.address in reported:
                continue
            node = condition_node(state.document.root, step.address, disclosure.key)
            is_inside = isinstance(node, ScalarNode) and isinstance(
                disclosure.read.expr, ReadZone | ReadValue | ReadState
            )
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
    def __init__(self, state: BuildState, looks: PrivateLooks) -> None:
        self._looks, self._state = looks, state
        self._actions, self._zones = state.actions, state.zones

    def find(self, block: Block, number: int, step: Step) -> Disclosure | None:
        """The first thing that a step tells."""
        found = self._order(step)
        if block.address.startswith(ACTIONS):  # whoever asks a question is answered
            found = found or find_face_down(self._looks, self._zones, self._actions, block, step)
            return found or find_named_early(self._looks, self._zones, self._actions, self._texts, block, step)
        return (
            found
            or self._who(block, step)
            or self._noted(block, number, step)
            or self._end(block, number, step)
            or find_moved(self._looks, block, number, step)
        )

    def _texts(self, address: str) -> list[str]:
        """The sentence of a rule, in each language."""
        return [node.text for node in sentence_by_language(self._state, address).values()]

    def _order(self, step: Step) -> Disclosure | None:
        """Players come in the order of what they hold."""
        loop = step.for_each
        if step.order is None or loop is None or loop.type != SEAT or not self._looks.asks_or_gives_turn(step):
            return None
        read = self._looks.read(step.order)
        if read is None:
            return None
        key = "highest_first" if step.is_descending else "lowest_first"
        message = f"the order in which players come reveals hidden contents of `{read.zone.name}` to everybody"
        return Disclosure(key, read, message, f"order them by what all see, or reveal `{read.zone.name}` before")

    def _who(self, block: Block, step: Step) -> Disclosure | None:
        """Those alone are asked, or have a turn, who hold something strong enough."""
        decisions = [*self._looks.deciding_steps(step)]
        if not decisions:
            return None
        is_of_me = all(isinstance(each.effect, Choose) and (each.by is None or is_me(each.by)) for each in decisions)
        for key, expr in self._asked(step, with_when=not (is_of_me and _is_in_turn(block))):
            read = self._looks.read(expr)
            if read is None or (key in ("for_each", "when") and self._looks.is_comparison(expr)):
                continue
            is_certain = not self._looks.measures(expr)
            if is_certain and (key not in ("for_each", "when") or self._comes_forward(read, expr, step, decisions)):
                continue
            if isinstance(step.effect, RunSteps) and self._looks.puts_away(step, read.zone.name):
                continue
            if any(self._has_to_give(each, read.zone.name) or _is_own(read, step, each) for each in decisions):
                continue
            first = decisions[0].effect
            what = "who is asked" if isinstance(first, Choose) else "who has a turn"
            what = "whether this turn is given" if isinstance(first, GiveTurn) and first.is_extra else what
            message = f"{what} reveals hidden contents of `{read.zone.name}` to everybody"
            return Disclosure(key, read, message, f"ask for what all see, or reveal `{read.zone.name}` before")
        return None

    @staticmethod
    def _asked(step: Step, *, with_when: bool) -> Iterator[tuple[str, Expr]]:
        """What decides who comes in a step, by its key."""
        loop = step.for_each
        if step.by is not None:
            yield "by", step.by
        if isinstance(step.effect, GiveTurn):
            yield "turn", step.effect.seat
        if loop is not None and loop.type == SEAT and loop.condition is not None:
            yield from (("for_each", part) for part in conjuncts(loop.condition))
        if step.when is not None and with_when:
            yield from (("when", part) for part in conjuncts(step.when))

    @staticmethod
    def _comes_forward(read: HiddenRead, expr: Expr, step: Step, decisions: list[Step]) -> bool:
        """Whether somebody has a turn because of a certain card that this player holds, as who begins a game."""
        if isinstance(expr, Not) or (isinstance(expr, Quantifier) and expr.quantifier != "some"):
            return False
        seats = [_seat(each, step) for each in decisions if isinstance(each.effect, GiveTurn)]
        return any(seat is not None and structural_key(seat) in _keys(read) for seat in seats)

    def _noted(self, block: Block, number: int, step: Step) -> Disclosure | None:
        """What lies hidden is written where everybody sees it."""
        effect = step.effect
        if not isinstance(effect, SetState) or not self._looks.states[effect.target.name].is_shown:
            return None
        asked = self._looks.asked_before(block, step, of_certain=effect.to.type != SEAT)
        found = self._written(effect, block, step) or next(asked, None)
        if found is None or self._looks.is_put_away(block, number, found[1].zone.name):
            return None
        key, read = found
        name = effect.target.name
        message = f"everybody sees `{name}`, which reveals hidden contents of `{read.zone.name}`"
        hint = f"set it once `{read.zone.name}` is revealed, or let only the number of things there be seen"
        return Disclosure(key, read, message, hint)

    def _written(self, effect: SetState, block: Block, step: Step) -> tuple[str, HiddenRead] | None:
        """What is written is something hidden, not how two hands compare, nor who holds a certain card."""
        read = self._looks.read(effect.to) or self._looks.looped(effect.to, block, step)
        if read is None:
            return None
        if effect.to.type in (FLAG, SEAT) and self._looks.is_comparison(effect.to):
            return None
        return None if effect.to.type == SEAT and not self._looks.measures(effect.to) else ("to", read)

    def _end(self, block: Block, number: int, step: Step) -> Disclosure | None:
        """All learn of it that the game ends, and play on."""
        effect = step.effect
        if not isinstance(effect, Finish) or effect.when != "after_round" or step.when is None:
            return None
        if not _is_in_turn(block) and not any(map(self._looks.asks_or_gives_turn, block.steps[number + 1 :])):
            return None
        for part in conjuncts(step.when):
            read = self._looks.read(part)
            if read is not None and (self._looks.measures(part) or not self._looks.is_comparison(part)):
                message = (
                    f"the last round reveals hidden contents of `{read.zone.name}` to everybody while it is played"
                )
                return Disclosure("when", read, message, "ask for what all see, or end the game `now`")
        return None

    def _has_to_give(self, step: Step, zone: str) -> bool:
        """Whether those who are asked show or give what they are asked for."""
        if not isinstance(step.effect, Choose):
            return False
        clauses = offer_clauses(self._looks.blocks)
        for offer in step.effect.offers:
            action = self._actions[offer.action]
            exprs: list[Expr] = [
                choice.domain.of for choice in action.choices if isinstance(choice.domain, OneOf | SomeOf)
            ]
            exprs += [clause.condition for clause in (*action.clauses, *clauses.get(action.index, ()))]
            if any(isinstance(part, ReadZone) and part.name == zone for part in all_parts(self._looks.values, exprs)):
                return True
        return False


def _is_in_turn(block: Block) -> bool:
    return f"{block.address}.".startswith(f"{TURN}.")


def _is_own(read: HiddenRead, step: Step, decision: Step) -> bool:
    """Whether somebody is asked because of what this player itself holds."""
    seat = _seat(decision, step)
    if not isinstance(decision.effect, Choose) or seat is None:
        return False
    return structural_key(seat) in _keys(read)


def _keys(read: HiddenRead) -> list[object]:
    """Whose hidden places are read."""
    expr = read.source or read.expr
    return [structural_key(key) for key in expr.keys] if isinstance(expr, ReadZone | ReadValue) else []


def _seat(decision: Step, step: Step) -> Expr | None:
    """Who decides, in the words of a step that runs the one that asks; None: that is not known."""
    effect = decision.effect
    seat = effect.seat if isinstance(effect, GiveTurn) else decision.by
    if seat is None:
        return ME
    run = step.effect
    if isinstance(seat, Local) and decision is not step and isinstance(run, RunSteps) and run.is_procedure:
        return run.arguments[seat.slot] if seat.slot < len(run.arguments) else None
    return seat


ME: Final = Builtin("me", SEAT, (0, 0))


__all__ = ["check_step_disclosures"]

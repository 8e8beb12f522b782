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
from rulewright.checker.common.rules_read import all_parts, offer_clauses, steps_within
from rulewright.checker.common.steps_asked import fills_zone
from rulewright.checker.common.warn import warn
from rulewright.checker.secrets.amount_disclosures import find_moved
from rulewright.checker.secrets.face_down_things import find_face_down, find_named_early
from rulewright.checker.secrets.guarded_steps import find_guarded
from rulewright.checker.secrets.information_leaks import IF_MEANT, HiddenRead
from rulewright.checker.secrets.private_looks import Disclosure, PrivateLooks
from rulewright.checker.secrets.secret_gifts import is_giveaway
from rulewright.checker.texts.sentence_languages import sentence_by_language
from rulewright.expr.structural_key import structural_key
from rulewright.expr.tree import Builtin, Expr, If, Local, Not, Quantifier, ReadState, ReadValue, ReadZone
from rulewright.expr.types import FLAG, SEAT
from rulewright.expr.walk import conjuncts, is_me, iter_exprs
from rulewright.model.actions import OneOf, SomeOf
from rulewright.model.build_state import BuildState, after_errors, build_pass
from rulewright.model.effects import Block, Choose, Finish, GiveTurn, Roll, RunSteps, SetState, Step
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
    if not looks.can_be:
        return
    reported = {found.address for found in state.diagnostics if found.code is lint_codes.LOOKS_AT_HIDDEN}
    played = [block for block in state.blocks if not block.address.startswith(FINALE)]
    steps = [(block, number, step) for block in played for number, step in enumerate(block.steps)]
    for block, number, step in steps:
        disclosure = _Search(state, looks.before(block, number)).find(block, number, step)
        if disclosure is not None and step.address not in reported:
            _report(state, step, disclosure)
            reported.add(step.address)
    for block, number, step in steps:
        is_reported = any(f"{address}.".startswith(f"{step.address}.") for address in reported)
        if is_reported or block.address.startswith(ACTIONS):
            continue
        guarded = find_guarded(looks.before(block, number), block, number, step)
        if guarded is not None:
            _report(state, step, guarded)


def _report(state: BuildState, step: Step, disclosure: Disclosure) -> None:
    """A warning at the expression that looks, or at the key that it is under."""
    node, expr = condition_node(state.document.root, step.address, disclosure.key), disclosure.read.expr
    span = step.span if node is None else node.span
    if isinstance(node, ScalarNode) and isinstance(expr, ReadZone | ReadValue | ReadState):
        span = node.subspan(*expr.offsets)
    label, hint = "hidden from some players", f"{disclosure.hint}; {IF_MEANT}"
    term = None if span.source.path in state.variant_files else _term_of_variant(state, disclosure.read)
    if term is not None:
        span, hint = term.span, f"`{step.address}` asks for this; {hint}"
    warn(state, span, lint_codes.LOOKS_AT_HIDDEN, disclosure.message, label, hint, step.address)


def _term_of_variant(state: BuildState, read: HiddenRead) -> ScalarNode | None:
    """What a variant has written of a derived value by which a hidden place is read."""
    value = state.values.get(read.expr.name) if isinstance(read.expr, ReadValue) else None
    if value is None:
        return None
    for key, terms in (("sum", value.terms), ("less", value.deductions)):
        for name, term in terms:
            section = "values" if name == "is" else f"values.{value.name}.{key}"
            node = condition_node(state.document.root, section, value.name if name == "is" else name)
            looks = any(isinstance(part, ReadZone) and part.name == read.zone.name for part in iter_exprs(term))
            if looks and isinstance(node, ScalarNode) and node.span.source.path in state.variant_files:
                return node
    return None


class _Search:
    def __init__(self, state: BuildState, looks: PrivateLooks) -> None:
        self._looks, self._state = looks, state
        self._actions, self._zones = state.actions, state.zones

    def find(self, block: Block, number: int, step: Step) -> Disclosure | None:
        """The first thing that a step tells."""
        found = self._order(step)
        if block.address.startswith(ACTIONS):  # whoever asks a question is answered
            found = found or self._noted_in_secret(block, step)
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
        """Who is asked, or has a turn, hangs on what is hidden."""
        decisions = [*self._looks.deciding_steps(step)]
        if not decisions:
            return None
        is_of_me = all(isinstance(each.effect, Choose) and (each.by is None or is_me(each.by)) for each in decisions)
        for key, expr, is_named in self._asked(step):
            read = self._looks.read(expr)
            if read is None or (key in ("for_each", "when") and self._looks.is_comparison(expr)):
                continue
            if key == "when" and is_of_me and _is_in_turn(block) and not _is_own(read, step, decisions[0]):
                continue  # that one's own turn goes on because of what others hold: step_leaks.py
            if not self._looks.measures(expr) and not (
                self._is_lack(expr) if is_named else self._is_revealing(read, expr, step, decisions)
            ):
                continue
            if isinstance(step.effect, RunSteps) and self._looks.puts_away(step, read.zone.name):
                continue
            if any(self._has_to_give(each, read.zone.name) or _may_as_owner(read, step, each) for each in decisions):
                continue
            first = decisions[0].effect
            what = "who is asked" if isinstance(first, Choose) else "who has a turn"
            what = "whether this turn is given" if isinstance(first, GiveTurn) and first.is_extra else what
            message = f"{what} reveals hidden contents of `{read.zone.name}` to everybody"
            return Disclosure(key, read, message, f"ask for what all see, or reveal `{read.zone.name}` before")
        return None

    @staticmethod
    def _asked(step: Step) -> Iterator[tuple[str, Expr, bool]]:
        """What decides who comes in a step, by its key, and whether it names players."""
        loop = step.for_each
        if step.by is not None:
            yield "by", step.by, True
        if isinstance(step.effect, GiveTurn):
            yield "turn", step.effect.seat, True
        if loop is not None and loop.type == SEAT:
            yield "for_each", loop.over, True
            conditions = [] if loop.condition is None else conjuncts(loop.condition)
            yield from (("for_each", part, False) for part in conditions)
        conditions = [] if step.when is None else conjuncts(step.when)
        yield from (("when", part, False) for part in conditions)

    @staticmethod
    def _is_revealing(read: HiddenRead, expr: Expr, step: Step, decisions: list[Step]) -> bool:
        """Whether somebody has a turn for another reason than a certain card that this player holds, as who begins."""
        if isinstance(expr, Not) or (isinstance(expr, Quantifier) and expr.quantifier != "some"):
            return True
        seats = [_seat(each, step) for each in decisions if isinstance(each.effect, GiveTurn)]
        return not any(seat is not None and structural_key(seat) in _keys(read) for seat in seats)

    def _is_lack(self, expr: Expr) -> bool:
        """Whether a player is named because another one does, or does not, hold a certain card: whoever holds it may
        come forward, among all.
        """
        parts = all_parts(self._looks.values, [expr])
        return any(isinstance(part, If) and self._looks.read(part.condition) is not None for part in parts)

    def _noted(self, block: Block, number: int, step: Step) -> Disclosure | None:
        """What lies hidden is written where everybody sees it."""
        effect = step.effect
        if not isinstance(effect, SetState | Roll) or not self._looks.states[effect.target.name].is_shown:
            return None
        is_named = isinstance(effect, SetState) and effect.to.type == SEAT
        written = self._written(effect, block, step) if isinstance(effect, SetState) else None
        found = written or next(self._looks.asked_before(block, step, of_certain=not is_named), None)
        if found is None or self._looks.is_put_away(block, number, found[1].zone.name):
            return None
        key, read = found
        name = effect.target.name
        message = f"everybody sees `{name}`, which reveals hidden contents of `{read.zone.name}`"
        hint = f"set it once `{read.zone.name}` is revealed, or let only the number of things there be seen"
        return Disclosure(key, read, message, hint)

    def _noted_in_secret(self, block: Block, step: Step) -> Disclosure | None:
        """Everybody sees by a state which of several actions, by which pieces go unseen, a player has chosen."""
        effect = step.effect
        if not isinstance(effect, SetState) or not self._looks.states[effect.target.name].is_shown:
            return None
        for gift in self._looks.gifts:
            address = self._actions[gift.action].address
            if block.address.startswith(f"{address}.") and is_giveaway(gift, effect, self._looks.blocks, self._actions):
                name = effect.target.name
                what = f"what goes from `{gift.source}` to `{gift.to}` in secret"
                message = f"everybody sees `{name}`, which reveals {what}"
                hint = "note it in each of the actions that are chosen in secret, or in none"
                return Disclosure("to", HiddenRead(effect.to, self._zones[gift.source]), message, hint)
        return None

    def _written(self, effect: SetState, block: Block, step: Step) -> tuple[str, HiddenRead] | None:
        """What is written is something hidden, not how two hands compare, nor who holds a certain card."""
        read = self._looks.read(effect.to) or self._looks.looped(effect.to, block, step)
        if read is None:
            return None
        if effect.to.type in (FLAG, SEAT) and self._looks.is_comparison(effect.to):
            return None
        is_certain = not self._looks.measures(effect.to) and not self._is_lack(effect.to)
        return None if effect.to.type == SEAT and is_certain else ("to", read)

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
        """Whether those who are asked show, give or get what they are asked for."""
        if not isinstance(step.effect, Choose):
            return False
        clauses = offer_clauses(self._looks.blocks)
        for offer in step.effect.offers:
            action = self._actions[offer.action]
            steps = [*steps_within(action.block, self._looks.blocks, with_procedures=True)]
            if any(fills_zone(each, zone) or self._looks.puts_away(each, zone) for each in steps):
                return True
            if any(self._looks.shows(each, zone) for each in steps):
                return True
            exprs: list[Expr] = [
                choice.domain.of for choice in action.choices if isinstance(choice.domain, OneOf | SomeOf)
            ]
            exprs += [clause.condition for clause in (*action.clauses, *clauses.get(action.index, ()))]
            if any(isinstance(part, ReadZone) and part.name == zone for part in all_parts(self._looks.values, exprs)):
                return True
        return False


def _is_in_turn(block: Block) -> bool:
    return f"{block.address}.".startswith(f"{TURN}.")


def _may_as_owner(read: HiddenRead, step: Step, decision: Step) -> bool:
    """Whether somebody can do something because of what this player itself holds: it would be no secret of an action
    that asks for it either.
    """
    effect = decision.effect
    return isinstance(effect, Choose) and effect.mode == "may" and _is_own(read, step, decision)


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

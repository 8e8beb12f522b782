"""Why not: every reason for which a wish is not legal now, each with the values in it, the rule's sentence, source
and place, and the variants that have a hand in it.

In: a position, a seat and a wish (an action whose last choices may be left open). Out: reasons, none when the wish is
legal or can be completed to a legal action. Playing stops at the first clause that fails; explaining judges all of
them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from rulewright import limits
from rulewright.diagnostics import Span
from rulewright.engine.notation import DECLINED, Hides
from rulewright.engine.reference.legal_actions import DECLINE, Plan
from rulewright.engine.reference.reference_engine import Engine
from rulewright.engine.sentence_renderer import Speaker
from rulewright.engine.state import Action, Decision, State
from rulewright.engine.values import Context
from rulewright.engine.views import Views
from rulewright.expr.tree import Compare, Constant, Expr, Logic, Not, ReadParameter, ReadValue
from rulewright.expr.types import SetOf
from rulewright.model.rules import Choose, Clause
from rulewright.model.traversal import domain_parts, free_slots, parts


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that forbids a wish. `values`: parts of the clause as written, each with its value in words.
    `variants`: the variants that wrote the rule, or a parameter or value that it reads.
    """

    kind: Literal["moment", "step", "choice", "clause"]
    address: str
    sentence: str
    values: tuple[tuple[str, str], ...] = ()
    source: tuple[tuple[str, str], ...] = ()
    status: str = ""
    span: Span | None = None
    variants: tuple[str, ...] = ()

    def data(self) -> dict[str, Any]:
        """The reason as JSON data."""
        return {
            "kind": self.kind,
            "address": self.address,
            "sentence": self.sentence,
            "values": [list(pair) for pair in self.values],
            "source": [list(pair) for pair in self.source],
            "status": self.status,
            "variants": list(self.variants),
            "place": None if self.span is None else str(self.span),
        }


class Explainer:
    """Explains the positions of one game in one language."""

    def __init__(self, engine: Engine, language: str = "en") -> None:
        self.engine = engine
        self.rules = engine.rules
        self.views = Views(engine)
        self.speaker = Speaker(engine.rules, engine.evaluator, engine.layout.sight, language)

    def why_not(self, state: State, seat: int, wish: Action) -> tuple[Reason, ...]:
        """Every reason for which a seat cannot do what it wishes; none when it can."""
        decision = state.waiting
        if not isinstance(decision, Decision):
            return (Reason("moment", "", self._word("game_over" if state.over else "chance_awaited")),)
        if decision.seat != seat:
            address = self.views.step(decision)
            return (self._reason("moment", address, self._word("seat_decides", seat=str(decision.seat))),)
        legal = self.engine.legal(state)
        if wish in legal or self.views.notation.matching(wish, legal) is not None:
            return ()
        if wish == DECLINE:
            return (self._of_step(state, decision, self._word("not_optional")),)
        if decision.partial is not None and not self._continues(wish, decision.partial):
            text = self._word("complete_first", action=self._name(decision.partial.number))
            return (self._of_step(state, decision, text),)
        plan = self._offered(decision, wish, legal)
        if plan is None:
            # nothing would be gained by asking at another step if the action itself forbids it
            itself = self._of_plan(state, decision, self.engine.legality.plans[wish.number], wish)
            return (self._of_step(state, decision, ""), *itself)
        reasons = tuple(self._of_plan(state, decision, plan, wish))
        if reasons or (wish.token is None and len(wish.values) < plan.last):
            return reasons  # none: what is still open can be chosen so that it becomes legal
        return (self._of_pieces(plan),)

    def _offered(self, decision: Decision, wish: Action, legal: tuple[Action, ...]) -> Plan | None:
        """The plan by which the wish is judged at this step; None when the step does not offer it now."""
        for plan in self.engine.legality.offers(decision.block, decision.at):
            if plan.number == wish.number:
                return plan
        effect = self.rules.blocks[decision.block].steps[decision.at].effect
        assert isinstance(effect, Choose)
        if effect.otherwise == wish.number and all(action.number == wish.number for action in legal):
            return self.engine.legality.plans[wish.number]
        return None

    def _of_pieces(self, plan: Plan) -> Reason:
        """The whole answer would do, but it is given piece by piece."""
        at = min(self.engine.legality.piecemeal[plan.number])
        choice = plan.action.choices[at]
        return self._reason("choice", choice.address, self._word("piece_by_piece", choice=choice.name), (), choice.span)

    def _word(self, word: str, **parts: str) -> str:
        text = self.speaker.word(word)
        for name, part in parts.items():
            text = text.replace(f"{{{name}}}", part)
        return text

    def _continues(self, wish: Action, partial: Action) -> bool:
        made = len(partial.values)
        return wish.number == partial.number and wish.values[:made] == partial.values

    def _name(self, number: int) -> str:
        return self.rules.actions[number].name

    def _of_step(self, state: State, decision: Decision, text: str) -> Reason:
        address = self.views.step(decision)
        c = self.engine.context(state)
        if not text:
            effect = self.rules.blocks[decision.block].steps[decision.at].effect
            assert isinstance(effect, Choose)
            offered = [self._name(offer.action) for offer in effect.offers]
            offered += [DECLINED] if effect.how == "may" else []
            said = self._say(address, c, decision.seat, self.views.hides(state, decision.seat))
            now = self._word("offered", step=address, offers=", ".join(offered))
            text = f"{now} {said}".rstrip()
        return self._reason("step", address, text)

    def _say(self, address: str, c: Context, seat: int, hides: Hides) -> str:
        return self.speaker.say(address, c, seat, hides)

    def _reason(
        self,
        kind: Literal["moment", "step", "choice", "clause"],
        address: str,
        text: str,
        values: tuple[tuple[str, str], ...] = (),
        span: Span | None = None,
        reads: Sequence[Expr] = (),
    ) -> Reason:
        variants = tuple(dict.fromkeys(self._variants(address, reads))) if self.rules.variants else ()
        note = self.rules.notes.get(address)
        if note is None:
            return Reason(kind, address, text, values, span=span, variants=variants)
        return Reason(kind, address, text, values, note.source, note.status, span or note.span, variants)

    def _variants(self, address: str, reads: Iterable[Expr]) -> Iterator[str]:
        """The variants that wrote a rule or what it reads, through derived values too."""
        found, waiting = {address}, list(reads)
        while waiting:
            for part in parts(waiting.pop()):
                match part:
                    case ReadParameter(name=name):
                        found.add(f"parameters.{name}")
                    case ReadValue(name=name) if f"values.{name}" not in found:
                        found.add(f"values.{name}")
                        definition = self.rules.values[name]
                        waiting += [term for _, term in (*definition.terms, *definition.less)]
                    case _:
                        pass
        for one, note in self.rules.notes.items():
            if note.variant and any(one == rule or one.startswith(f"{rule}.") for rule in found):
                yield note.variant

    # ---- one action ---------------------------------------------------------------------------------------

    def _of_plan(self, state: State, decision: Decision, plan: Plan, wish: Action) -> Iterator[Reason]:
        """Everything that forbids an action as it is wished.

        A choice outside its domain is a reason, and what hangs on that choice is not judged; the rest is.
        """
        c = self.engine.context(state)
        hides = self.views.hides(state, decision.seat)
        seat = decision.seat
        wrong: set[int] = set()
        yield from self._failing(plan, 0, c, seat, hides, wrong)
        failed = not plan.holds(c, 0)
        for at, value in enumerate(wish.values):
            choice = plan.action.choices[at]
            c.env[at] = value
            if any(slot in wrong for expr in domain_parts(choice.domain) for slot in free_slots(expr)):
                wrong.add(at)
                continue
            admitted = plan.answers[at](c)
            listed = self._as_listed(value, admitted, isinstance(choice.type, SetOf))
            if listed is None:
                wrong.add(at)
                yield self._of_choice(plan, at, c, seat, hides, admitted)
            else:
                c.env[at] = listed
            reasons = list(self._failing(plan, at + 1, c, seat, hides, wrong))
            failed = failed or bool(reasons)
            yield from reasons
        made = len(wish.values)
        if wrong or failed:
            return
        if wish.token is not None:
            yield self._of_choice(plan, made, c, seat, hides, plan.answers[made](c))
        elif made < plan.last:
            yield from self._open(plan, made, c, seat, hides, tuple(c.env[:made]))

    def _as_listed(self, value: Any, admitted: tuple[Any, ...], is_set: bool) -> Any:
        if value in admitted:
            return value
        if is_set:
            return next((one for one in admitted if sorted(one) == sorted(value)), None)
        return None

    def _of_choice(self, plan: Plan, at: int, c: Context, seat: int, hides: Hides, admitted: tuple[Any, ...]) -> Reason:
        choice = plan.action.choices[at]
        text = self._say(choice.address, c, seat, hides)
        if not text and admitted:
            shown = [self.views.notation.text(one, choice.type, hides) for one in admitted[:12]]
            more = ", …" if len(admitted) > len(shown) else ""
            text = self._word("can_be", choice=choice.name, answers=f"{', '.join(shown)}{more}")
        elif not text:
            text = self._word("nothing_to_choose", choice=choice.name)
        values = tuple(
            (label, self.speaker.show(expr, c, seat, hides))
            for label, expr in zip(choice.parts, domain_parts(choice.domain), strict=True)
            if not isinstance(expr, Constant)
        )
        return self._reason("choice", choice.address, text, values, choice.span, domain_parts(choice.domain))

    def _failing(
        self, plan: Plan, needs: int, c: Context, seat: int, hides: Hides, wrong: Collection[int] = ()
    ) -> Iterator[Reason]:
        for clause, holds in plan.clauses[needs]:
            if any(slot in wrong for slot in free_slots(clause.is_)) or holds(c):
                continue
            text = self._say(clause.address, c, seat, hides) or self._word("must_hold", clause=clause.text)
            values = self.values(clause, c, seat, hides)
            yield self._reason("clause", clause.address, text, values, clause.span, (clause.is_,))

    def _open(
        self, plan: Plan, made: int, c: Context, seat: int, hides: Hides, values: tuple[Any, ...]
    ) -> Iterator[Reason]:
        """Why an open wish cannot be completed: the first choice that has no answer, or what fails for every answer."""
        if next(plan.complete(c, values), None) is not None:
            return
        admitted = plan.answers[made](c)
        if not admitted:
            yield self._of_choice(plan, made, c, seat, hides, admitted)
            return
        common: dict[str, Reason] | None = None
        for value in admitted[: limits.MAX_EXPLAINED_COMPLETIONS]:
            c.env[made] = value
            reasons = list(self._failing(plan, made + 1, c, seat, hides))
            if not reasons and made + 1 < plan.last:
                reasons = list(self._open(plan, made + 1, c, seat, hides, (*values, value)))
            if len(admitted) > 1:
                answer = self.views.notation.text(value, plan.action.choices[made].type, hides)
                label = f"{plan.action.choices[made].name}={answer}"
                reasons = [replace(one, sentence=f"{label}: {one.sentence}") for one in reasons]
            here = {reason.address: reason for reason in reasons}
            common = here if common is None else {a: r for a, r in common.items() if a in here} or here
        yield from (common or {}).values()

    # ---- the values in a clause ---------------------------------------------------------------------------

    def values(self, clause: Clause, c: Context, seat: int, hides: Hides) -> tuple[tuple[str, str], ...]:
        """The parts of a clause that are held against each other, each with its value."""
        found: dict[str, str] = {}
        for expr in _operands(clause.is_):
            if not isinstance(expr, Constant):
                text = clause.text[slice(*expr.at)].strip()
                found.setdefault(text, self.speaker.show(expr, c, seat, hides))
        return tuple(found.items())


def _operands(expr: Expr) -> Iterator[Expr]:
    match expr:
        case Logic(left=left, right=right):
            yield from _operands(left)
            yield from _operands(right)
        case Not(of=of):
            yield from _operands(of)
        case Compare(left=left, right=right):
            yield left
            yield right
        case _:
            yield expr

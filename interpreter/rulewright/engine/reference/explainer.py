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
from rulewright.engine.context import Context
from rulewright.engine.notation import DECLINE_TEXT, HiddenTest
from rulewright.engine.reference.legal_actions import CompiledAction
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.sentence_renderer import SentenceRenderer
from rulewright.engine.state import DECLINE, Action, Decision, State
from rulewright.engine.values import RuntimeValue, as_tuple
from rulewright.engine.views import Views
from rulewright.expr.tree import Compare, Constant, Expr, Logic, Not, ReadParameter, ReadValue
from rulewright.expr.types import SetOf
from rulewright.expr.walk import free_variables, iter_exprs
from rulewright.model.locale import player_number
from rulewright.model.rules import Choose, Clause
from rulewright.model.traversal import domain_exprs


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

    def to_data(self) -> dict[str, Any]:
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

    def __init__(self, engine: ReferenceEngine, language: str = "en") -> None:
        self.engine = engine
        self.rules = engine.rules
        self.views = Views(engine)
        self.renderer = SentenceRenderer(engine.rules, engine.compiler, engine.layout.visibility, language)

    def why_not(self, state: State, seat: int, attempt: Action) -> tuple[Reason, ...]:
        """Every reason for which a seat cannot do what it wishes; none when it can."""
        decision = state.waiting
        if not isinstance(decision, Decision):
            return (Reason("moment", "", self._word("game_over" if state.over else "chance_awaited")),)
        if decision.seat != seat:
            address = self.views.step_address(decision)
            return (
                self._reason("moment", address, self._word("seat_decides", seat=str(player_number(decision.seat)))),
            )
        legal = self.engine.legal(state)
        if attempt in legal or self.views.notation.match_action(attempt, legal) is not None:
            return ()
        if attempt == DECLINE:
            return (self._of_step(state, decision, self._word("not_optional")),)
        if decision.partial_action is not None and not self._continues(attempt, decision.partial_action):
            text = self._word("complete_first", action=self._name(decision.partial_action.number))
            return (self._of_step(state, decision, text),)
        plan = self._offered(decision, attempt, legal)
        if plan is None:
            # nothing would be gained by asking at another step if the action itself forbids it
            itself = self._of_plan(state, decision, self.engine.action_generator.actions[attempt.number], attempt)
            return (self._of_step(state, decision, ""), *itself)
        reasons = tuple(self._of_plan(state, decision, plan, attempt))
        if reasons or (attempt.token is None and len(attempt.values) < plan.choice_count):
            return reasons  # none: what is still open can be chosen so that it becomes legal
        return (self._of_pieces(plan),)

    def _offered(self, decision: Decision, attempt: Action, legal: tuple[Action, ...]) -> CompiledAction | None:
        """The plan by which the wish is judged at this step; None when the step does not offer it now."""
        for plan in self.engine.action_generator.step_offers(decision.block, decision.step):
            if plan.number == attempt.number:
                return plan
        effect = self.rules.blocks[decision.block].steps[decision.step].effect
        assert isinstance(effect, Choose)
        if effect.fallback == attempt.number and all(action.number == attempt.number for action in legal):
            return self.engine.action_generator.actions[attempt.number]
        return None

    def _of_pieces(self, plan: CompiledAction) -> Reason:
        """The whole answer would do, but it is given piece by piece."""
        at = min(self.engine.action_generator.tokenwise_choices[plan.number])
        choice = plan.definition.choices[at]
        return self._reason("choice", choice.address, self._word("piece_by_piece", choice=choice.name), (), choice.span)

    def _word(self, word: str, **parts: str) -> str:
        text = self.renderer.message(word)
        for name, part in parts.items():
            text = text.replace(f"{{{name}}}", part)
        return text

    def _continues(self, attempt: Action, partial: Action) -> bool:
        made = len(partial.values)
        return attempt.number == partial.number and attempt.values[:made] == partial.values

    def _name(self, number: int) -> str:
        return self.rules.actions[number].name

    def _of_step(self, state: State, decision: Decision, text: str) -> Reason:
        address = self.views.step_address(decision)
        c = self.engine.context(state)
        if not text:
            effect = self.rules.blocks[decision.block].steps[decision.step].effect
            assert isinstance(effect, Choose)
            offered = [self._name(offer.action) for offer in effect.offers]
            offered += [DECLINE_TEXT] if effect.mode == "may" else []
            rendered = self._say(address, c, decision.seat, self.views.hidden_test(state, decision.seat))
            now = self._word("offered", step=address, offers=", ".join(offered))
            text = f"{now} {rendered}".rstrip()
        return self._reason("step", address, text)

    def _say(self, address: str, c: Context, seat: int, hides: HiddenTest) -> str:
        return self.renderer.render_at(address, c, seat, hides)

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
        note = self.rules.provenance.get(address)
        if note is None:
            return Reason(kind, address, text, values, span=span, variants=variants)
        return Reason(kind, address, text, values, note.source, note.status, span or note.span, variants)

    def _variants(self, address: str, reads: Iterable[Expr]) -> Iterator[str]:
        """The variants that wrote a rule or what it reads, through derived values too."""
        found, waiting = {address}, list(reads)
        while waiting:
            for part in iter_exprs(waiting.pop()):
                match part:
                    case ReadParameter(name=name):
                        found.add(f"parameters.{name}")
                    case ReadValue(name=name) if f"values.{name}" not in found:
                        found.add(f"values.{name}")
                        definition = self.rules.values[name]
                        waiting += [term for _, term in (*definition.terms, *definition.deductions)]
                    case _:
                        pass
        for one, note in self.rules.provenance.items():
            if note.variant and any(one == rule or one.startswith(f"{rule}.") for rule in found):
                yield note.variant

    # ---- one action ---------------------------------------------------------------------------------------

    def _of_plan(self, state: State, decision: Decision, plan: CompiledAction, attempt: Action) -> Iterator[Reason]:
        """Everything that forbids an action as it is wished.

        A choice outside its domain is a reason, and what hangs on that choice is not judged; the rest is.
        """
        c = self.engine.context(state)
        hides = self.views.hidden_test(state, decision.seat)
        seat = decision.seat
        wrong: set[int] = set()
        yield from self._failing(plan, 0, c, seat, hides, wrong)
        failed = not plan.clauses_hold(c, 0)
        for at, value in enumerate(attempt.values):
            choice = plan.definition.choices[at]
            c.env[at] = value
            if any(slot in wrong for expr in domain_exprs(choice.domain) for slot in free_variables(expr)):
                wrong.add(at)
                continue
            admitted = plan.domains[at](c)
            listed = self._as_listed(value, admitted, isinstance(choice.type, SetOf))
            if listed is None:
                wrong.add(at)
                yield self._of_choice(plan, at, c, seat, hides, admitted)
            else:
                c.env[at] = listed
            reasons = list(self._failing(plan, at + 1, c, seat, hides, wrong))
            failed = failed or bool(reasons)
            yield from reasons
        made = len(attempt.values)
        if wrong or failed:
            return
        if attempt.token is not None:
            yield self._of_choice(plan, made, c, seat, hides, plan.domains[made](c))
        elif made < plan.choice_count:
            yield from self._open(plan, made, c, seat, hides, tuple(c.env[:made]))

    def _as_listed(self, value: Any, admitted: Sequence[RuntimeValue], is_set: bool) -> Any:
        if value in admitted:
            return value
        if is_set:
            return next((one for one in admitted if sorted(as_tuple(one)) == sorted(value)), None)
        return None

    def _of_choice(
        self, plan: CompiledAction, at: int, c: Context, seat: int, hides: HiddenTest, admitted: Sequence[RuntimeValue]
    ) -> Reason:
        choice = plan.definition.choices[at]
        text = self._say(choice.address, c, seat, hides)
        if not text and admitted:
            shown = [self.views.notation.format_value(one, choice.type, hides) for one in admitted[:12]]
            more = ", …" if len(admitted) > len(shown) else ""
            text = self._word("can_be", choice=choice.name, answers=f"{', '.join(shown)}{more}")
        elif not text:
            text = self._word("nothing_to_choose", choice=choice.name)
        values = tuple(
            (label, self.renderer.format_expr(expr, c, seat, hides))
            for label, expr in zip(choice.source_texts, domain_exprs(choice.domain), strict=True)
            if not isinstance(expr, Constant)
        )
        return self._reason("choice", choice.address, text, values, choice.span, domain_exprs(choice.domain))

    def _failing(
        self, plan: CompiledAction, needs: int, c: Context, seat: int, hides: HiddenTest, wrong: Collection[int] = ()
    ) -> Iterator[Reason]:
        for clause, holds in plan.clauses[needs]:
            if any(slot in wrong for slot in free_variables(clause.condition)) or holds(c):
                continue
            text = self._say(clause.address, c, seat, hides) or self._word("must_hold", clause=clause.source_text)
            values = self.clause_values(clause, c, seat, hides)
            yield self._reason("clause", clause.address, text, values, clause.span, (clause.condition,))

    def _open(
        self, plan: CompiledAction, made: int, c: Context, seat: int, hides: HiddenTest, values: tuple[Any, ...]
    ) -> Iterator[Reason]:
        """Why an open wish cannot be completed: the first choice that has no answer, or what fails for every answer."""
        if next(plan.completions(c, values), None) is not None:
            return
        admitted = plan.domains[made](c)
        if not admitted:
            yield self._of_choice(plan, made, c, seat, hides, admitted)
            return
        common: dict[str, Reason] | None = None
        for value in admitted[: limits.MAX_EXPLAINED_COMPLETIONS]:
            c.env[made] = value
            reasons = list(self._failing(plan, made + 1, c, seat, hides))
            if not reasons and made + 1 < plan.choice_count:
                reasons = list(self._open(plan, made + 1, c, seat, hides, (*values, value)))
            if len(admitted) > 1:
                answer = self.views.notation.format_value(value, plan.definition.choices[made].type, hides)
                label = f"{plan.definition.choices[made].name}={answer}"
                reasons = [replace(one, sentence=f"{label}: {one.sentence}") for one in reasons]
            here = {reason.address: reason for reason in reasons}
            common = here if common is None else {a: r for a, r in common.items() if a in here} or here
        yield from (common or {}).values()

    # ---- the values in a clause ---------------------------------------------------------------------------

    def clause_values(self, clause: Clause, c: Context, seat: int, hides: HiddenTest) -> tuple[tuple[str, str], ...]:
        """The parts of a clause that are held against each other, each with its value."""
        found: dict[str, str] = {}
        for expr in _operands(clause.condition):
            if not isinstance(expr, Constant):
                text = clause.source_text[slice(*expr.offsets)].strip()
                found.setdefault(text, self.renderer.format_expr(expr, c, seat, hides))
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

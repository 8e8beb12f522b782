"""Why an action is not legal now: every reason, with the values in it, the rule's sentence, source and span, and the
variants that changed the rule.

In: a position, a seat and an attempt (an action whose last choices may be left open). Out: reasons; none when the
attempt is legal or can be completed to a legal action. Play stops at the first clause that fails; here all are checked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Literal, TypedDict

from rulewright import limits
from rulewright.diagnostics import Span
from rulewright.document.text_addresses import reason_address
from rulewright.engine.context import Context
from rulewright.engine.interface import Engine
from rulewright.engine.notation import Notation
from rulewright.engine.reference.legal_actions import ActionGenerator, ChoiceValues, CompiledAction
from rulewright.engine.sentence_renderer import SentenceRenderer
from rulewright.engine.state import DECLINE, Action, Decision, State
from rulewright.engine.value_notation import HiddenTest
from rulewright.engine.values import RuntimeValue, as_tuple
from rulewright.engine.views import Views
from rulewright.expr.tree import Compare, Expr, Logic, Not, ReadParameter, ReadValue
from rulewright.expr.types import SEAT, Bag, SetOf, Type
from rulewright.expr.walk import free_variables, is_constant, iter_exprs
from rulewright.frozen import frozen, replace
from rulewright.model.actions import Clause
from rulewright.model.effects import Choose
from rulewright.model.locale import player_number
from rulewright.model.rules import DECLINE_TEXT
from rulewright.model.traversal import choice_exprs, domain_exprs

ReasonKind = Literal["moment", "step", "choice", "clause"]


class ReasonData(TypedDict):
    """A reason as JSON data. `values`, `source`: pairs; `place`: the span as text."""

    kind: ReasonKind
    address: str
    sentence: str
    values: list[list[str]]
    source: list[list[str]]
    status: str
    variants: list[str]
    place: str | None


@frozen
class Reason:
    """One reason why an attempt is not legal. `values`: parts of the clause as written, each with its value in words;
    `variants`: those that wrote the rule, or a parameter or value that it reads.
    """

    kind: ReasonKind
    address: str
    sentence: str
    values: tuple[tuple[str, str], ...] = ()
    source: tuple[tuple[str, str], ...] = ()
    status: str = ""
    span: Span | None = None
    variants: tuple[str, ...] = ()

    def to_data(self) -> ReasonData:
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
        self._people_notation = Notation.for_people(engine.rules)
        self.renderer = SentenceRenderer(engine.rules, engine.compiler, engine.layout.visibility, language)

    @cached_property
    def action_generator(self) -> ActionGenerator:
        """The legal actions as the rules mean them, whatever engine plays."""
        return ActionGenerator(self.rules, self.engine.compiler, self.engine.tokenwise)

    def why_not(self, state: State, seat: int, attempt: Action) -> tuple[Reason, ...]:
        """Every reason why a seat's attempt is not legal; none when it is."""
        decision = state.waiting
        if not isinstance(decision, Decision):
            return (Reason("moment", "", self._message("game_over" if state.over else "chance_awaited")),)
        if decision.seat != seat:
            address = self.views.step_address(decision)
            return (
                self._reason("moment", address, self._message("seat_decides", seat=str(player_number(decision.seat)))),
            )
        legal = self.engine.legal(state)
        if attempt in legal or self.views.notation.match_action(attempt, legal) is not None:
            return ()
        if attempt == DECLINE:
            return (self._step_reason(state, decision, self._message("not_optional")),)
        if decision.partial_action is not None and not self._continues(attempt, decision.partial_action):
            text = self._message("complete_first", action=self._action_name(decision.partial_action.number))
            return (self._step_reason(state, decision, text),)
        offer = self._find_offer(decision, attempt, legal)
        if offer is None:
            # when the action's own clauses fail too, waiting for another step would not help: both are reasons
            action = self.action_generator.actions[attempt.number]
            others = self._action_reasons(state, decision, action, attempt, is_offered=False)
            return (self._step_reason(state, decision, ""), *others)
        reasons = tuple(self._action_reasons(state, decision, offer, attempt))
        if reasons or (attempt.token is None and len(attempt.values) < offer.choice_count):
            return reasons  # none: the open choices can be answered so that the action is legal
        return (self._piecewise_reason(offer),)

    def _find_offer(self, decision: Decision, attempt: Action, legal: tuple[Action, ...]) -> CompiledAction | None:
        """The offer of the attempted action at this step; None when the step does not offer it now."""
        for offer in self.action_generator.step_offers(decision.block, decision.step):
            if offer.number == attempt.number:
                return offer
        effect = self.rules.blocks[decision.block].steps[decision.step].effect
        assert isinstance(effect, Choose)
        if effect.fallback == attempt.number and all(action.number == attempt.number for action in legal):
            return self.action_generator.actions[attempt.number]
        return None

    def _piecewise_reason(self, action: CompiledAction) -> Reason:
        """The whole answer is admitted, but has to be given piece by piece."""
        choice = action.definition.choices[min(self.action_generator.tokenwise_choices[action.number])]
        text = self._message("piece_by_piece", choice=choice.name)
        return self._reason("choice", choice.address, text, (), choice.span)

    def _message(self, key: str, **fields: str) -> str:
        text = self.renderer.message(key)
        for name, field in fields.items():
            text = text.replace(f"{{{name}}}", field)
        return text

    def _continues(self, attempt: Action, partial: Action) -> bool:
        choice_count = len(partial.values)
        return attempt.number == partial.number and attempt.values[:choice_count] == partial.values

    def _action_name(self, number: int) -> str:
        return self.rules.actions[number].name

    def _step_reason(self, state: State, decision: Decision, text: str) -> Reason:
        """The step does not admit the attempt. `text`: why; empty: it does not offer the action."""
        address = self.views.step_address(decision)
        c = self.engine.context(state)
        if not text:
            effect = self.rules.blocks[decision.block].steps[decision.step].effect
            assert isinstance(effect, Choose)
            names = [self._action_name(offer.action) for offer in effect.offers]
            names += [DECLINE_TEXT] if effect.mode == "may" else []
            sentence = self.renderer.render_at(address, c, decision.seat, self.views.hidden_test(state, decision.seat))
            offers = self._message("offered", step=address, offers=", ".join(names))
            text = f"{offers} {sentence}".rstrip()
        return self._reason("step", address, text)

    def _reason(
        self,
        kind: ReasonKind,
        address: str,
        text: str,
        values: tuple[tuple[str, str], ...] = (),
        span: Span | None = None,
        reads: Sequence[Expr] = (),
    ) -> Reason:
        variants = tuple(dict.fromkeys(self._variants_behind(address, reads))) if self.rules.variants else ()
        note = self.rules.provenance.get(address)
        if note is None:
            return Reason(kind, address, text, values, span=span, variants=variants)
        return Reason(kind, address, text, values, note.source, note.status, span or note.span, variants)

    def _variants_behind(self, address: str, reads: Iterable[Expr]) -> Iterator[str]:
        """The variants that wrote a rule or what it reads, through derived values too."""
        rules, pending = {address}, list(reads)
        while pending:
            for part in iter_exprs(pending.pop()):
                match part:
                    case ReadParameter(name=name):
                        rules.add(f"parameters.{name}")
                    case ReadValue(name=name) if f"values.{name}" not in rules:
                        rules.add(f"values.{name}")
                        definition = self.rules.values[name]
                        pending += [term for _, term in (*definition.terms, *definition.deductions)]
                    case _:
                        pass
        for changed, note in self.rules.provenance.items():
            if note.variant and any(changed == rule or changed.startswith(f"{rule}.") for rule in rules):
                yield note.variant

    # ---- an action ---------------------------------------------------------------------------------------

    def _action_reasons(
        self, state: State, decision: Decision, action: CompiledAction, attempt: Action, *, is_offered: bool = True
    ) -> Iterator[Reason]:
        """Every reason why an action is not legal as attempted.

        An answer outside its domain is a reason, and what depends on that choice is not checked; the rest is. Of an
        action that is not offered a choice of nothing is no reason: its sentence is about a moment that is not now.
        """
        c = self.engine.context(state)
        hides = self.views.hidden_test(state, decision.seat)
        seat = decision.seat
        invalid: set[int] = set()  # choices whose answers are outside of their domains, or cannot be checked
        yield from self._failed_clauses(action, 0, c, seat, hides, invalid)
        failed = not action.clauses_hold(c, 0)
        for index, value in enumerate(attempt.values):
            choice = action.definition.choices[index]
            c.env[index] = value
            if any(slot in invalid for expr in choice_exprs(choice) for slot in free_variables(expr)):
                invalid.add(index)
                continue
            admitted = action.domains[index](c)
            answer = self._find_answer(value, admitted, isinstance(choice.type, SetOf))
            if answer is None:
                invalid.add(index)
                is_collection = isinstance(choice.type, Bag | SetOf)
                if is_offered or not is_collection or any(any(as_tuple(answer)) for answer in admitted):
                    yield self._choice_reason(action, index, c, seat, hides, admitted)
            else:
                c.env[index] = answer
            reasons = list(self._failed_clauses(action, index + 1, c, seat, hides, invalid))
            failed = failed or bool(reasons)
            yield from reasons
        choice_count = len(attempt.values)
        if invalid or failed:
            return
        if attempt.token is not None:
            yield self._choice_reason(action, choice_count, c, seat, hides, action.domains[choice_count](c))
        elif choice_count < action.choice_count:
            yield from self._completion_reasons(action, c, seat, hides, tuple(c.env[:choice_count]))

    def _find_answer(self, value: RuntimeValue, admitted: Sequence[RuntimeValue], is_set: bool) -> RuntimeValue | None:
        """The admitted answer that an attempt means: a set in any order."""
        if value in admitted:
            return value
        if is_set:
            elements = sorted(as_tuple(value))
            return next((answer for answer in admitted if sorted(as_tuple(answer)) == elements), None)
        return None

    def _choice_reason(
        self,
        action: CompiledAction,
        index: int,
        c: Context,
        seat: int,
        hides: HiddenTest,
        admitted: Sequence[RuntimeValue],
    ) -> Reason:
        """An answer is not among those that its choice admits."""
        choice = action.definition.choices[index]
        text = self.renderer.render_at(reason_address(choice.address), c, seat, hides)
        if not text and admitted:
            answers = [
                self._format_answer(answer, choice.type, hides) for answer in admitted[: limits.MAX_REASON_ANSWERS]
            ]
            more = ", …" if len(admitted) > len(answers) else ""
            text = self._message("can_be", choice=choice.name, answers=f"{', '.join(answers)}{more}")
        elif not text:
            text = self._message("nothing_to_choose", choice=choice.name)
        values = tuple(
            (label, self.renderer.format_expr(expr, c, seat, hides))
            for label, expr in zip(choice.source_texts, domain_exprs(choice.domain), strict=False)
            if not is_constant(expr)
        )
        return self._reason("choice", choice.address, text, values, choice.span, domain_exprs(choice.domain))

    def _format_answer(self, answer: RuntimeValue, type_: Type, hides: HiddenTest) -> str:
        """An answer as people write it, but a player by its name."""
        if type_ == SEAT or (isinstance(type_, SetOf) and type_.element == SEAT):
            return self.renderer.format_value(answer, type_, hides)
        return self._people_notation.format_value(answer, type_, hides)

    def _failed_clauses(
        self,
        action: CompiledAction,
        required_choices: int,
        c: Context,
        seat: int,
        hides: HiddenTest,
        invalid: Collection[int] = (),
    ) -> Iterator[Reason]:
        """The clauses that need exactly so many choices and fail; those that depend on invalid choices are left out."""
        for clause, holds in action.clauses[required_choices]:
            if any(slot in invalid for slot in free_variables(clause.condition)) or holds(c):
                continue
            text = self.renderer.render_at(reason_address(clause.address), c, seat, hides)
            text = text or self._value_reason(clause.condition, c, seat, hides)
            text = text or self._message("must_hold", clause=clause.source_text)
            values = self.clause_values(clause, c, seat, hides)
            yield self._reason("clause", clause.address, text, values, clause.span, (clause.condition,))

    def _value_reason(self, condition: Expr, c: Context, seat: int, hides: HiddenTest) -> str:
        """The reason of a flag, for a condition that asks nothing but this flag; empty for any other condition."""
        if not isinstance(condition, ReadValue):
            return ""
        keys = tuple([self.engine.compiler.compile(key)(c) for key in condition.keys])
        inner = Context(c.contents, c.variables, me=c.me, env=keys, first=c.first_seat, round=c.round)
        return self.renderer.render_at(reason_address(f"values.{condition.name}"), inner, seat, hides)

    def _completion_reasons(
        self, action: CompiledAction, c: Context, seat: int, hides: HiddenTest, values: ChoiceValues
    ) -> Iterator[Reason]:
        """Why the choices made cannot be completed: the next has no answer, or a clause fails for every answer."""
        if next(action.completions(c, values), None) is not None:
            return
        index = len(values)
        admitted = action.domains[index](c)
        if not admitted:
            yield self._choice_reason(action, index, c, seat, hides, admitted)
            return
        choice = action.definition.choices[index]
        common: dict[str, Reason] | None = None
        for value in admitted[: limits.MAX_EXPLAINED_COMPLETIONS]:
            c.env[index] = value
            reasons = list(self._failed_clauses(action, index + 1, c, seat, hides))
            if not reasons and index + 1 < action.choice_count:
                reasons = list(self._completion_reasons(action, c, seat, hides, (*values, value)))
            if len(admitted) > 1:
                answer = self._format_answer(value, choice.type, hides)
                reasons = [replace(reason, sentence=f"{choice.name}={answer}: {reason.sentence}") for reason in reasons]
            by_address = {reason.address: reason for reason in reasons}
            if common is not None:
                shared = {address: reason for address, reason in common.items() if address in by_address}
                by_address = shared or by_address
            common = by_address
        yield from (common or {}).values()

    # ---- the values in a clause ---------------------------------------------------------------------------

    def clause_values(self, clause: Clause, c: Context, seat: int, hides: HiddenTest) -> tuple[tuple[str, str], ...]:
        """The parts of a clause that are compared, as written, each with its value as text."""
        values: dict[str, str] = {}
        for expr in _operands(clause.condition):
            if not is_constant(expr):
                text = clause.source_text[slice(*expr.offsets)].strip()
                values.setdefault(text, self.renderer.format_expr(expr, c, seat, hides))
        return tuple(values.items())


def _operands(expr: Expr) -> Iterator[Expr]:
    match expr:
        case Logic(left=left, right=right):
            yield from _operands(left)
            yield from _operands(right)
        case Not(of=operand):
            yield from _operands(operand)
        case Compare(left=left, right=right):
            yield left
            yield right
        case _:
            yield expr

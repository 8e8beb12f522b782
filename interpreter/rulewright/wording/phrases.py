"""Choices and steps as phrases and sentences, for rules that have no sentence of their own.

In: a domain of answers or a step, and what things are called. Out: a phrase or a sentence; `expr_phrases` puts the
expressions in it into words.
"""

from __future__ import annotations

from typing import assert_never

from rulewright.expr.tree import (
    Amount,
    Arithmetic,
    Binding,
    Builtin,
    Call,
    Constant,
    Expr,
    Filter,
    Place,
    ReadState,
    StateTarget,
)
from rulewright.expr.types import Member, Number, SetOf
from rulewright.model.rules import (
    Choose,
    Domain,
    Finish,
    GiveTurn,
    Leave,
    Move,
    OneOf,
    Pay,
    Reveal,
    Roll,
    RunSteps,
    SetState,
    SomeOf,
    Step,
)
from rulewright.wording.expr_phrases import ExprPhraseRenderer
from rulewright.wording.static_value import (
    is_static,
    is_whole_domain,
    quantifier_form,
)
from rulewright.wording.text_case import humanize, upper_first


class PhraseRenderer(ExprPhraseRenderer):
    """Phrases for the expressions, choices and steps of one set of rules."""

    # ---- choices ------------------------------------------------------------------------------------------

    def domain(self, domain: Domain) -> str:
        """What may be chosen."""
        match domain:
            case OneOf(of=Filter(over=over, condition=condition) as elements):
                form = quantifier_form(over)
                key = "one_out" if form == "of" else f"one_{form}"
                return self._over_elements(key, elements, self.condition(condition))
            case OneOf(of=of):
                return self._message("one_of", of=self._over(of))
            case SomeOf(of=of, total=None):
                return self._message("any_of", of=self._over(of))
            case SomeOf(of=of, total=total):
                assert total is not None
                return self._message("some_of", of=self._over(of), total=self.expr(total))
            case Pay(price=price, funds=funds):
                return self._message("pay", price=self.expr(price), source=self.expr(funds))
            case _:
                assert_never(domain)

    # ---- steps --------------------------------------------------------------------------------------------

    def step(self, step: Step) -> str:
        """What a step does, as a sentence, without the steps inside it."""
        sentence = self.effect(step)
        if step.times is not None:
            sentence = self._message("n_times", times=self.expr(step.times), said=sentence)
        if step.when is not None:
            sentence = self._message("when", when=self.condition(step.when), said=sentence)
        if step.for_each is not None:
            sentence = self._message("for_each", each=self.binding(step.for_each), said=sentence)
            if step.order is not None:
                sentence = self._message("ordered", said=sentence, order=self.expr(step.order))
        return upper_first(sentence)

    def binding(self, binding: Binding) -> str:
        """What a step is done for."""
        over = binding.over
        is_whole = is_whole_domain(over) and isinstance(over.type, SetOf) and over.type.element == binding.type
        if isinstance(binding.type, Member) and binding.type.kind == "seat":
            phrase = self._message("seat_of_all") if is_whole else self._message("seat_in", over=self.expr(over))
        else:
            name = humanize(binding.name)
            phrase = name if is_whole else self._message("in_set", name=name, over=self.expr(over))
        if binding.condition is None:
            return phrase
        return self._message("where", of=phrase, where=self.condition(binding.condition))

    def effect(self, step: Step) -> str:
        """What a step does each time."""
        match step.effect:
            case Move(amount=amount, source=source, to=to):
                key = "move_within" if source is None else "move"
                origin = "" if source is None else self.place(source)
                target = self._message("bottom", of=self.place(to)) if to.is_bottom else self.place(to)
                return self._message(key, amount=self.amount(amount), source=origin, to=target)
            case SetState(target=state, to=to):
                return self._counter_step(state, to) or self._message("set", target=self.state(state), to=self.expr(to))
            case Roll(target=state, outcomes=outcomes):
                return self._message("roll", target=self.state(state), outcomes=self._outcomes(state, outcomes))
            case Reveal(what=what, to=to):
                viewers = self._message("name_everyone") if to is None else self.expr(to)
                return self._message("reveal", what=self.each_element(what), to=viewers)
            case Choose() as choose:
                return self._decision(step, choose)
            case GiveTurn(seat=seat, is_extra=is_extra):
                return self._message("extra_turn" if is_extra else "turn_of", seat=self.expr(seat))
            case Finish(when=when, winners=winners):
                sentence = self._message(f"finish_{when}")
                if winners is None:
                    return sentence
                has_none = isinstance(winners, Builtin) and winners.name == "nobody"
                result = (
                    self._message("nobody_wins") if has_none else self._message("wins", who=self.each_element(winners))
                )
                return f"{sentence} {result}"
            case Leave(seats=seats):
                return self._message("leave", who=self.each_element(seats))
            case RunSteps(block=block, is_procedure=is_procedure):
                name = self.rules.blocks[block].address.rpartition(".")[2]
                return self._message("run", name=humanize(name)) if is_procedure else self._message("following")
            case _:
                assert_never(step.effect)

    def _counter_step(self, state: StateTarget, to: Expr) -> str:
        """A counter that goes up or down, perhaps not beyond a bound; empty for any other step."""
        bound, bounded_op = "", ""
        match to:
            case Call(function="min" | "max" as function, args=(Arithmetic() as sum_, end)) if is_static(end):
                to, bound = sum_, self.expr(end)
                bounded_op = "+" if function == "min" else "-"
            case _:
                pass
        if not isinstance(to, Arithmetic) or to.op not in ("+", "-") or (bounded_op and to.op != bounded_op):
            return ""
        name = self.state(state)
        if not isinstance(to.type, Number) or not isinstance(to.left, ReadState) or self.expr(to.left) != name:
            return ""
        direction = "up" if to.op == "+" else "down"
        key = f"goes_{direction}_bounded" if bound else f"goes_{direction}"
        return self._message(key, target=name, by=self.expr(to.right), bound=bound)

    def _decision(self, step: Step, choose: Choose) -> str:
        actions = [self.label(self.rules.actions[offer.action].address) for offer in choose.offers]
        seat = self._message("name_me") if step.by is None else self.expr(step.by)
        key = f"{choose.mode}_choose" if len(actions) > 1 else f"{choose.mode}_choose_one"
        sentence = self._message(key, who=seat, actions=self.join_list(actions, "or"))
        if isinstance(choose.fallback, int):
            fallback = self.label(self.rules.actions[choose.fallback].address)
            return f"{sentence} {self._message('otherwise', action=fallback)}"
        return sentence

    def _outcomes(self, state: StateTarget, outcomes: tuple[tuple[int, int], ...]) -> str:
        """The values that chance can give, each with its probability. `outcomes`: values and weights."""
        names = [self.static_value(Constant(value, state.type, (0, 0))) for value, _ in outcomes]
        if len({weight for _, weight in outcomes}) == 1:
            return self._message("all_alike")
        total = sum(weight for _, weight in outcomes)
        return ", ".join(f"{name} {weight}/{total}" for name, (_, weight) in zip(names, outcomes, strict=True))

    def amount(self, amount: Amount) -> str:
        """How much moves."""
        of = "" if amount.of is None else self.each_element(amount.of)
        return self._message(f"amount_{amount.mode.replace(' ', '_')}", of=of)

    def place(self, place: Place) -> str:
        """A place with its keys."""
        return self._keyed(f"zones.{place.zone}", place.keys)

    def state(self, target: StateTarget) -> str:
        """A state with its keys."""
        return self._keyed(f"state.{target.name}", target.keys)


__all__ = ["PhraseRenderer"]

"""Choices and steps as phrases and sentences, for rules that have no sentence of their own.

In: a domain of answers or a step, and what things are called. Out: a phrase or a sentence; `expr_phrases` puts the
expressions in it into words.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from rulewright.expr.tree import (
    Amount,
    Arithmetic,
    BagLiteral,
    Binding,
    Builtin,
    Call,
    Constant,
    Expr,
    Filter,
    Local,
    MemberCount,
    Place,
    Range,
    ReadState,
    StateTarget,
)
from rulewright.expr.types import SEAT, Bag, Flag, Member, Number, SetOf
from rulewright.expr.walk import is_all_seats, is_everyone
from rulewright.model.actions import Choice, Domain, OneOf, Pay, SomeOf
from rulewright.model.effects import Choose, Finish, GiveTurn, Leave, Move, Reveal, Roll, RunSteps, SetState, Step
from rulewright.model.traversal import domain_exprs, step_exprs
from rulewright.wording.expr_phrases import ExprPhraseRenderer
from rulewright.wording.static_value import (
    is_static,
    is_whole_domain,
    open_condition,
    quantifier_form,
    set_element_type,
)
from rulewright.wording.text_case import humanize, upper_first
from rulewright.wording.variables import joined_parts


class PhraseRenderer(ExprPhraseRenderer):
    """Phrases for the expressions, choices and steps of one set of rules."""

    # ---- choices ------------------------------------------------------------------------------------------

    def domain(self, domain: Domain) -> str:
        """What may be chosen."""
        with self.distinguishing_seats(domain_exprs(domain)):
            match domain:
                case OneOf(of=Filter(over=over, condition=None)):
                    return self._message("one_of", of=self._over(over))
                case OneOf(of=Filter(over=over) as elements):
                    form = quantifier_form(over)
                    key = "one_out" if form == "of" else f"one_{form}"
                    return self._over_elements(key, elements, self._restriction(elements.condition))
                case OneOf(of=Range(low=low, high=high)):
                    return self._message("one_of_range", a=self.expr(low), b=self.expr(high))
                case OneOf(of=of) if self._is_listed(of):
                    return self.join_list(self.source.static_elements(of), "or")
                case OneOf(of=Constant(type=SetOf(element=Member(kind=kind))) as of) if self._is_plain_board(kind):
                    return self._message("one_of_squares", of=self._over(of))
                case OneOf(of=of):
                    return self._message("one_of", of=self._over(of))
                case SomeOf(of=of, total=None):
                    return self._message("any_of", of=self._over(of))
                case SomeOf(of=of, total=total):
                    assert total is not None
                    low = total.low if isinstance(total, Range) else total
                    high = total.high if isinstance(total, Range) else total
                    key = "some_of" if self.is_known(low) and self.is_known(high) else "some_of_counted"
                    return self._message(key, of=self._over(of), total=self.expr(total))
                case Pay():
                    return self._payment(domain)
                case _:
                    assert_never(domain)

    def choice(self, choice: Choice) -> str:
        """What can be chosen, and when."""
        phrase = self.domain(choice.domain)
        if choice.condition is None:
            return phrase
        with self.distinguishing_seats((choice.condition,)):
            return self._message("chosen_when", what=phrase, when=self.condition(choice.condition))

    def _payment(self, pay: Pay) -> str:
        """What is paid, what a wild piece pays for, and what need not be paid."""
        parts = [self._message("pay", price=self.expr(pay.price), source=self.expr(pay.funds))]
        if pay.wild and isinstance(pay.funds.type, Bag):
            parts += self._wild_pieces(pay, pay.funds.type.kind)
        if pay.rebate is not None:
            number = self.source.static_number(pay.rebate) if self.is_known(pay.rebate) else None
            key = "rebate_counted" if number is None else "rebate_one" if number == 1 else "rebate"
            parts.append(self._message(key, rebate=self.expr(pay.rebate)))
        return f"{self._message('semicolon')} ".join(parts)

    def _wild_pieces(self, pay: Pay, kind: str) -> Iterator[str]:
        """What the wild pieces pay for, those of the same worth together, and what may be paid beyond the price."""
        wild = [Constant(member, Member(kind), (0, 0)) for member in pay.wild]
        is_alike = len(pay.worth) <= 1
        for at, alike in enumerate([wild] if is_alike else [[member] for member in wild]):
            names = self.join_list([self.expr(member) for member in alike], "or")
            if any(self._may_ask_for(pay.price, member) for member in alike):
                names = self._message("pay_beyond", wild=names)
            worth = pay.worth_of(at)
            number = 1 if worth is None else self.source.static_number(worth) if self.is_known(worth) else None
            key = "pay_wild" if number == 1 else "pay_one_sort" if pay.is_one_sort else "pay_wild_worth"
            if number is None and worth is not None:
                yield self._message(f"{key}_counted", wild=names, worth=self.expr(worth))
            else:
                yield self._message(key, wild=names, worth=number or 0)
        if not pay.is_plain_exchange:
            is_usual = len(wild) == 1 and not pay.is_one_sort and self.is_known(pay.worth[0])
            surplus = {"wild": self._plural(wild[0])} if is_usual else {}
            yield self._message("pay_surplus" if surplus else "pay_no_waste", **surplus)

    def _may_ask_for(self, price: Expr, wild: Constant) -> bool:
        """Whether there can be wild pieces in a price, which only wild pieces pay for."""
        assert isinstance(price.type, Bag)
        if not price.type.kind or wild.value not in self.rules.kinds[price.type.kind].member_values:
            return False
        return not self.is_known(price) or self.source.static_number(MemberCount(wild, price, Number(0, 0), (0, 0))) > 0

    def _is_plain_board(self, kind: str) -> bool:
        """Whether a kind is a board without a label, which could say that it is made of squares."""
        return kind in self.rules.kinds and self._is_board(kind) and self.label(f"kinds.{kind}") == humanize(kind)

    def _is_listed(self, of: Expr) -> bool:
        """Whether the elements of a set are listed one by one."""
        element = set_element_type(of)
        if not self.is_known(of) or not isinstance(of.type, SetOf) or element == SEAT:
            return False
        return isinstance(element, Member) and not (is_whole_domain(of) and self._is_called_by_label(element.kind))

    # ---- steps --------------------------------------------------------------------------------------------

    def step(self, step: Step) -> str:
        """What a step does, as a sentence, without the steps inside it."""
        with self.distinguishing_seats(self._seat_exprs(step)):
            sentence = self.effect(step)
            if (when := open_condition(step.when)) is not None:
                sentence = self._message("when", when=self.condition(when), said=sentence)
            if step.for_each is not None:
                sentence = self._message("for_each", each=self.binding(step.for_each), said=sentence)
            if step.order is not None:
                key = "ordered_down" if step.is_descending else "ordered"
                sentence = self._message(key, said=sentence, order=self._operand(step.order))
            if step.times is not None:  # the whole loop, and each time with its condition
                sentence = self._repeated(step, sentence, step.times)
            return upper_first(sentence)

    def _seat_exprs(self, step: Step) -> list[Expr]:
        """The expressions in which a step speaks of players, with its variable and those of the steps inside it."""
        exprs = list(step_exprs(step))
        if step.for_each is not None:
            exprs.append(Local(step.for_each.name, step.for_each.slot, step.for_each.type, (0, 0)))
        if isinstance(step.effect, RunSteps) and not step.effect.is_procedure:
            for inner in self.rules.blocks[step.effect.block].steps:
                exprs += self._seat_exprs(inner)
        return exprs

    def _repeated(self, step: Step, sentence: str, times: Expr) -> str:
        """A sentence, and how often it is done at most, as long as something holds or nobody declines."""
        is_declined = isinstance(step.effect, Choose) and step.effect.mode == "may" and step.for_each is None
        condition = "" if step.while_condition is None else self.condition(step.while_condition)
        if condition and self.is_known(times):
            number = self.source.static_number(times)
            return self._message("at_most_n_times_while", times=number, when=condition, said=sentence)
        if condition:
            sentence = self._message("as_long_as", when=condition, said=sentence)
        if not self.is_known(times):
            return self._message("often", times=self.expr(times), said=sentence)
        number = self.source.static_number(times)
        if number == 1:
            return sentence
        return self._message("at_most_n_times" if is_declined else "n_times", times=number, said=sentence)

    def binding(self, binding: Binding) -> str:
        """What a step is done for."""
        variable = Local(binding.name, binding.slot, binding.type, (0, 0))
        with self.distinguishing_seats((variable, binding.over, binding.condition)):
            phrase = self._bound_elements(binding)
            if binding.condition is None:
                return phrase
            return self._message("where", of=phrase, where=self.condition(binding.condition))

    def _bound_elements(self, binding: Binding) -> str:
        over, name = binding.over, self.variable(binding.name, binding.type)
        is_whole = is_whole_domain(over) and isinstance(over.type, SetOf) and over.type.element == binding.type
        if is_whole:
            return name
        match over:
            case Call(function="reversed", args=(of,)) if is_whole_domain(of):
                return self._message("in_reverse", name=name)
            case Call(function="everyone_from", args=(seat,)):
                return self._message("in_turn_order", name=name, of=self._operand(seat))
            case Filter(over=all_, condition=condition) if is_whole_domain(all_) and condition is not None:
                return self._message("where", of=name, where=self.condition(condition))
            case _:
                return self._message("in_set", name=name, over=self.expr(over))

    def effect(self, step: Step) -> str:
        """What a step does each time."""
        match step.effect:
            case Move(amount=amount, source=source, to=to):
                key = "move_within" if source is None else "move"
                key = f"{key}_many" if self._is_plural(amount) else key
                origin = "" if source is None else self.place(source)
                target = self.place(to)
                if to.end:
                    target = self._message("bottom" if to.end == "bottom" else "top_of", of=target)
                return self._message(key, amount=self.amount(amount), source=origin, to=target)
            case SetState(target=state, to=to):
                if to.type == Flag() and not self.is_known(to):
                    return self._message("set_if", target=self.state(state), when=self.condition(to))
                return self._counter_step(state, to) or self._message("set", target=self.state(state), to=self.expr(to))
            case Roll(target=state, outcomes=outcomes):
                return self._message("roll", target=self.state(state), outcomes=self._outcomes(state, outcomes))
            case Reveal(what=what, to=to):
                viewers = self._message("name_everyone") if to is None else self.expr(to)
                key = "reveal_many" if len(list(joined_parts(what))) > 1 else "reveal"
                return self._message(key, what=self.each_element(what), to=viewers)
            case Choose() as choose:
                return self._decision(step, choose)
            case GiveTurn(seat=seat, is_extra=is_extra):
                return self._message("extra_turn" if is_extra else "turn_of", seat=self.expr(seat))
            case Finish(when=when, winners=winners):
                sentence = self._message(f"end_{when}")
                if winners is None:
                    return sentence
                if is_everyone(winners):
                    return f"{sentence} {self._message('drawn')}"
                has_none = isinstance(winners, Builtin) and winners.name == "nobody"
                result = (
                    self._message("nobody_wins") if has_none else self._message("wins", who=self.each_element(winners))
                )
                return f"{sentence} {result}"
            case Leave(seats=Filter() as seats):  # a sentence of its own, as the condition ends with it
                return self._message("leave_those", who=self.each_element(seats))
            case Leave(seats=seats):
                key = "leave_many" if isinstance(seats, Builtin) and isinstance(seats.type, SetOf) else "leave"
                return self._message(key, who=self.each_element(seats))
            case RunSteps(block=block, is_procedure=True, arguments=arguments):
                name = self.label(self.rules.blocks[block].address)
                if not arguments:
                    return self._message("run", name=name)
                return self._message("run_with", name=name, arguments=", ".join(map(self.expr, arguments)))
            case RunSteps():
                return self._message("following")
            case _:
                assert_never(step.effect)

    def _counter_step(self, state: StateTarget, to: Expr) -> str:
        """A counter that goes up or down, perhaps not beyond bounds; empty for any other step."""
        bounds: dict[str, str] = {}  # by the function that keeps the counter from going beyond
        while (bounded := _bounded_value(to)) is not None and bounded[0] not in bounds:
            function, end, to = bounded
            bounds[function] = self.expr(end)
        if not isinstance(to, Arithmetic) or to.op not in ("+", "-"):
            return ""
        name = self.state(state)
        if not isinstance(to.type, Number) or not isinstance(to.left, ReadState) or self.expr(to.left) != name:
            return ""
        by = self.expr(to.right)
        direction, reached = ("up", "min") if to.op == "+" else ("down", "max")
        if len(bounds) == 2:
            return self._message(f"goes_{direction}_within", target=name, by=by, low=bounds["max"], high=bounds["min"])
        if bounds and reached not in bounds:
            return ""
        key = f"goes_{direction}_bounded" if bounds else f"goes_{direction}"
        return self._message(key, target=name, by=by, bound=bounds.get(reached, ""))

    def _decision(self, step: Step, choose: Choose) -> str:
        actions = [self.label(self.rules.actions[offer.action].address) for offer in choose.offers]
        key = f"{self.mode_key(step, choose)}_choose" + ("_one" if len(actions) == 1 else "")
        sentence = self._message(key, who=self.who_decides(step), actions=self.join_list(actions, "or"))
        if isinstance(choose.fallback, int):
            fallback = self.label(self.rules.actions[choose.fallback].address)
            otherwise = self._message("otherwise" if len(actions) > 1 else "otherwise_one", action=fallback)
            return f"{sentence} {otherwise}"
        return sentence

    def mode_key(self, step: Step, choose: Choose) -> str:
        """How a decision is made, as part of the key of a message: `together_by` when not all players choose."""
        is_for_all = step.by is None or is_all_seats(step.by)
        return choose.mode if choose.mode != "together" or is_for_all else "together_by"

    def who_decides(self, step: Step) -> str:
        """Who makes a decision, as one player; of several, each."""
        match step.by:
            case None:
                return self._message("name_me")
            case Filter() as seats:
                return self.each_element(seats)
            case seats if isinstance(seats.type, SetOf):
                return self._message("each_one", of=self.expr(seats))
            case seat:
                return self._operand(seat)

    def _outcomes(self, state: StateTarget, outcomes: tuple[tuple[int, int], ...]) -> str:
        """The values that chance can give, each with its probability. `outcomes`: values and weights."""
        names = [self.source.static_value(Constant(value, state.type, (0, 0))) for value, _ in outcomes]
        if len({weight for _, weight in outcomes}) == 1:
            return self._message("all_alike")
        total = sum(weight for _, weight in outcomes)
        colon = self._message("colon")
        return ", ".join(f"{name}{colon} {weight}/{total}" for name, (_, weight) in zip(names, outcomes, strict=True))

    def amount(self, amount: Amount) -> str:
        """How much moves."""
        key = f"amount_{amount.mode.replace(' ', '_')}"
        match amount.of:
            case None:
                return self._message(key)
            case Local(type=Bag() | SetOf()) as chosen if self._is_quoted(chosen):
                if amount.mode == "up to":
                    return self._message("possible_of", of=self.expr(chosen))
                return self._message(key, of=self._message("all_in", of=self.expr(chosen)))
            case BagLiteral(count=count, members=members) if amount.mode == "up to" and not self._is_short(count):
                return self._message("amount_up_to_counted", of=self._pieces(members), count=self.expr(count))
            case number if amount.mode in ("top", "random") and self.is_known(number):
                shown = self.source.static_number(number)
                return self._message(f"{key}_one" if shown == 1 else key, of=shown)
            case of:
                return self._message(key, of=self.each_element(of))

    def _is_plural(self, amount: Amount) -> bool:
        """Whether what moves is several things, so that they *go*."""
        match amount.of:
            case Arithmetic(type=Bag() | SetOf()):
                return len(list(joined_parts(amount.of))) > 1
            case BagLiteral(count=count, members=members) if not self.is_known(amount.of):
                if not self._is_short(count):
                    return members.type == SEAT  # the pieces of a player
                return not self.is_known(count) or self.source.static_number(count) != 1
            case bag if bag is not None and amount.mode in ("exactly", "up to") and isinstance(bag.type, Bag):
                return self.is_known(bag) and self.source.static_number(bag) != 1
            case _:
                return False

    def place(self, place: Place) -> str:
        """A place with its keys."""
        return self._keyed(f"zones.{place.zone}", place.keys)

    def state(self, target: StateTarget) -> str:
        """A state with its keys."""
        return self._keyed(self.rules.states[target.name].address, target.keys)


def _bounded_value(expr: Expr) -> tuple[str, Expr, Expr] | None:
    """The smaller or larger of a value and a bound: the function, the bound and the value; None for anything else."""
    match expr:
        case Call(function="min" | "max" as function, args=(value, end)) if is_static(end) and not is_static(value):
            return function, end, value
        case Call(function="min" | "max" as function, args=(end, value)) if is_static(end) and not is_static(value):
            return function, end, value
        case _:
            return None


__all__ = ["PhraseRenderer"]

"""Expressions and steps in readable words, for rules that say nothing of themselves.

In: a typed expression or a step, and what things are called. Out: a phrase or a sentence. What is settled before play
is worked out: `goal - 5` is `10`. Nothing else needs a position.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol, assert_never

from rulewright import limits
from rulewright.expr.tree import (
    Amount,
    Arithmetic,
    Binding,
    Builtin,
    Call,
    Compare,
    Constant,
    Expr,
    Extremum,
    FieldAccess,
    FieldTotal,
    Filter,
    If,
    Local,
    Logic,
    MakeBag,
    MemberCount,
    Not,
    Place,
    Quantifier,
    Range,
    ReadParameter,
    ReadState,
    ReadValue,
    ReadZone,
    StateTarget,
    Sum,
)
from rulewright.expr.types import Bag, Member, Number, SetOf, Thing
from rulewright.model.rules import (
    ELIMINATION_STATE,
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
    Rules,
    RunSteps,
    SetState,
    SomeOf,
    Step,
)
from rulewright.wording.static_value import (
    humanize,
    is_better_named,
    is_static,
    is_whole_domain,
    lower_first,
    quantifier_form,
    variable_name,
)


class Says(Protocol):
    """The program's own words in a language: a key, and what stands in its holes."""

    def __call__(self, key: str, **holes: object) -> str:
        """What stands under a key."""


COMPARISON_KEYS: Final = {
    "is": "is", "is not": "is_not", "<": "less_than", "<=": "at_most", ">": "more_than", ">=": "at_least", "in": "in",
    "not in": "not_in", "fits in": "fits_in",
}  # fmt: skip
ARITHMETIC_KEYS: Final = {"+": "plus", "-": "minus", "less": "less", "*": "times", "//": "over", "%": "remainder"}


class PhraseRenderer:
    """Words for the expressions of one rule model.

    `called`: what stands at an address is called; `valued`: a settled expression in words.
    """

    def __init__(self, rules: Rules, words: Says, called: Callable[[str], str], valued: Callable[[Expr], str]) -> None:
        self.rules = rules
        self.messages = words
        self.label = called
        self.choice_labels: dict[str, str] = {}  # what the choices of the action under way are called
        self.static_value = valued

    def _say(self, key: str, **holes: object) -> str:
        return self.messages(f"book_{key}", **holes)

    def join_list(self, found: list[str], word: str = "and") -> str:
        """`a, b and c`."""
        if not found:
            return self._say("nothing")
        return found[0] if len(found) == 1 else f"{', '.join(found[:-1])} {self._say(word)} {found[-1]}"

    # ---- expressions --------------------------------------------------------------------------------------

    def expr(self, expr: Expr) -> str:
        """An expression as a phrase."""
        if is_static(expr) and not is_better_named(expr) and not isinstance(expr, Range):
            return self.static_value(expr)
        match expr:
            case Constant(type=SetOf(element=Member(kind=kind) | Thing(component=kind))):
                return self._all(expr, kind)
            case Constant():
                return self.static_value(expr)
            case Builtin(name=name):
                return self._say(f"name_{name}")
            case Local(name=name) if name in self.choice_labels:
                return self.choice_labels[name]
            case Local(name=name, type=Member(kind="seat")):
                return self._say("that_seat") if name == "seat" else humanize(name)
            case Local(name=name, type=Thing()) if name in self.rules.components:
                return self._say("that", name=self._variable(name))
            case Local(name=name):
                return humanize(name)
            case ReadParameter(name=name, keys=keys):
                return self._of(f"parameters.{name}", keys)
            case ReadState(name=name, keys=keys):
                return self._of(f"state.{name}", keys)
            case ReadValue(name=name, keys=keys):
                return self._of(f"values.{name}", keys)
            case ReadZone(name=name, keys=keys, member=None):
                return self._of(f"zones.{name}", keys)
            case ReadZone(name=name, keys=keys, member=member) if member is not None:
                return self._say("number_of", of=self._piece(member), where=self._of(f"zones.{name}", keys))
            case MemberCount(bag=bag, member=member):
                return self._say("number_of", of=self._piece(member), where=self.expr(bag))
            case FieldAccess(of=of, name=name):
                return self._say("field", name=self._field(of, name), of=self.expr(of))
            case FieldTotal(of=of, name=name):
                return self._say("total", name=self._field(of, name), of=self.expr(of))
            case Logic(op=op, left=left, right=right):
                return f"{self._inner(left, op)} {self._say(op)} {self._inner(right, op)}"
            case Not(of=ReadState() | ReadValue() | ReadParameter() as of):
                return self._say("holds_not", of=self.expr(of))
            case Not(of=of):
                return self._say("not", of=self.condition(of))
            case Compare(op=op, left=left, right=Constant(type=Bag("") | SetOf(None))) if op in ("is", "is not"):
                return self._say("empty" if op == "is" else "not_empty", of=self.expr(left))
            case Compare(left=ReadState(name=name, keys=(seat,)), right=Constant(value=0)) if self._left(name):
                return self._say("still_in" if expr.op in ("is", "<=") else "has_left", who=self.expr(seat))
            case Compare(op=op, left=left, right=right):
                return self._say(COMPARISON_KEYS[op], a=self._side(left), b=self._side(right))
            case Range(low=low, high=high):
                return self._say("range", a=self.expr(low), b=self.expr(high))
            case Arithmetic(op="+", left=left, right=right, type=Bag() | SetOf()):
                return self._say("joined", a=self.expr(left), b=self.expr(right))
            case Arithmetic(op=op, left=left, right=right):
                return self._say(ARITHMETIC_KEYS[op], a=self._factor(left), b=self._factor(right))
            case MakeBag(count=count, members=what):
                return self._say("lot", count=self.expr(count), what=self._piece(what))
            case If(condition=when, then=then, otherwise=otherwise):
                return self._say("if", when=self.condition(when), then=self.expr(then), otherwise=self.expr(otherwise))
            case Quantifier(quantifier=quantifier, over=over, condition=has):
                return self._bound(f"quantified_{quantifier}_{quantifier_form(over)}", expr, self.condition(has))
            case Filter(over=over, condition=where):
                return self._bound(f"each_{quantifier_form(over)}", expr, self.condition(where))
            case (
                Sum(slot=slot, over=over, condition=where, of=of)
                | Extremum(slot=slot, over=over, condition=where, of=of)
            ):
                key = f"{expr.function}_of" if isinstance(expr, Extremum) else "sum"
                said = self._say(key, of=self.expr(of), name=self._name(slot, of, over), over=self._over(over))
                return said if where is None else self._say("where", of=said, where=self.condition(where))
            case Call(function="possible", action=action):
                return self._say("possible", action=self.label(f"actions.{action}"))
            case Call(function="first", args=(Filter(over=over, condition=where) as each,)):
                return self._bound(f"first_{quantifier_form(over)}", each, self.condition(where))
            case Call(function="count", args=(Filter() as each,)):
                return self._say("number_of_those", of=self.expr(each))
            case Call(function="count", args=(Builtin(name="everyone"),)):
                return self._say("still_there" if self.rules.has_elimination else "name_players")
            case Call(function="min" | "max" as function, args=args):
                return self._say(function, of=self.join_list([self.expr(one) for one in args]))
            case Call(function=function, args=args):
                return self._say(f"call_{function}", of=self.join_list([self.expr(one) for one in args]))
            case _:
                raise AssertionError(expr)

    def condition(self, expr: Expr) -> str:
        """A condition; a bare name is said to hold."""
        if isinstance(expr, FieldAccess):
            return self._say("marked", name=self._titled(expr.of, expr.name), of=self.expr(expr.of))
        said = self.expr(expr)
        return self._say("holds", of=said) if isinstance(expr, ReadState | ReadValue | ReadParameter) else said

    def _left(self, name: str) -> bool:
        """Whether it is the state that says who has left the game."""
        return name == ELIMINATION_STATE and self.rules.has_elimination

    def _inner(self, expr: Expr, op: str) -> str:
        said = self.condition(expr)
        return f"({said})" if isinstance(expr, Logic | If | Quantifier) and getattr(expr, "op", "") != op else said

    def _side(self, expr: Expr) -> str:
        said = self.expr(expr)
        return f"({said})" if isinstance(expr, Compare | Logic | Quantifier | If | Not) else said

    def _factor(self, expr: Expr) -> str:
        said = self.expr(expr)
        loose = isinstance(expr, Arithmetic | If | Sum) and not is_static(expr)
        return f"({said})" if loose else said

    def each_element(self, expr: Expr) -> str:
        """A set of which something is said that holds for each of its elements."""
        if isinstance(expr, Filter):
            return self._bound(f"every_{quantifier_form(expr.over)}", expr, self.condition(expr.condition))
        return self.expr(expr)

    def _bound(self, key: str, expr: Filter | Quantifier, of: str) -> str:
        """What is said of the elements of a set one by one."""
        name, over = self._name(expr.slot, expr.condition, expr.over), self._over(expr.over)
        if key.endswith("_seats") and name != self._say("seat"):
            over = f"{over} ({name})"  # by which the condition speaks of them
        return self._say(key, name=name, over=over, of=of)

    def _over(self, expr: Expr) -> str:
        """The set that the elements are of; a whole component, or a kind of many members, by its name."""
        if not isinstance(expr, Constant) or not isinstance(expr.type, SetOf):
            return self.expr(expr)
        match expr.type.element:
            case Thing(component=component):
                return self._say("quoted", name=self.label(f"components.{component}"))
            case Member(kind=kind) if kind != "seat" and len(self.rules.kinds[kind].members) > limits.MAX_NAMED_MEMBERS:
                return self._say("quoted", name=self.label(f"kinds.{kind}"))
            case _:
                return self.expr(expr)

    def _name(self, slot: int, inside: Expr, over: Expr) -> str:
        return self._variable(variable_name(slot, inside, over))

    def _variable(self, name: str) -> str:
        """What a variable is called: one that bears the name of a component as that is called."""
        if name in self.rules.components:
            return lower_first(self.label(f"components.{name}"))
        return self._say("seat") if name == "seat" else humanize(name)

    def _piece(self, expr: Expr) -> str:
        """What there is a number of: members of kinds, or the pieces of a player."""
        said = self.expr(expr)
        return self._say("pieces_of", of=said) if expr.type == Member("seat") else said

    def _all(self, expr: Expr, kind: str) -> str:
        if kind == "seat":
            return self._say("name_everyone")
        if kind in self.rules.components:
            return self._say("all_of", of=self.label(f"components.{kind}"))
        few = len(self.rules.kinds[kind].members) <= limits.MAX_NAMED_MEMBERS
        return self.static_value(expr) if few else self._say("all_of", of=self.label(f"kinds.{kind}"))

    def _of(self, address: str, keys: tuple[Expr, ...]) -> str:
        name = self._say("quoted", name=self.label(address))
        return self._say("of", name=name, of=self.join_list([self.expr(key) for key in keys])) if keys else name

    def _field(self, of: Expr, name: str) -> str:
        return lower_first(self._titled(of, name))

    def _titled(self, of: Expr, name: str) -> str:
        type_ = of.type.element if isinstance(of.type, SetOf) else of.type
        component = type_.component if isinstance(type_, Thing) else ""
        return self.label(f"components.{component}.fields.{name}")

    # ---- choices ------------------------------------------------------------------------------------------

    def domain(self, domain: Domain) -> str:
        """What may be chosen."""
        match domain:
            case OneOf(of=Filter(over=over, condition=where) as each):
                sort = quantifier_form(over)
                return self._bound("one_out" if sort == "of" else f"one_{sort}", each, self.condition(where))
            case OneOf(of=of):
                return self._say("one_of", of=self._over(of))
            case SomeOf(of=of, total=None):
                return self._say("any_of", of=self._over(of))
            case SomeOf(of=of, total=total) if total is not None:
                return self._say("some_of", of=self._over(of), total=self.expr(total))
            case Pay(price=price, funds=source):
                return self._say("pay", price=self.expr(price), source=self.expr(source))
            case _:
                raise AssertionError(domain)

    # ---- steps --------------------------------------------------------------------------------------------

    def step(self, step: Step) -> str:
        """What a step does, as a sentence; what it runs inside is left to the reader of the steps inside."""
        said = self.effect(step)
        if step.times is not None:
            said = self._say("n_times", times=self.expr(step.times), said=said)
        if step.when is not None:
            said = self._say("when", when=self.condition(step.when), said=said)
        if step.for_each is not None:
            said = self._say("for_each", each=self.binding(step.for_each), said=said)
            if step.order is not None:
                said = self._say("ordered", said=said, order=self.expr(step.order))
        return said[:1].upper() + said[1:]

    def binding(self, each: Binding) -> str:
        """What a step is done for."""
        over = each.over
        plain = is_whole_domain(over) and isinstance(over.type, SetOf) and over.type.element == each.type
        if isinstance(each.type, Member) and each.type.kind == "seat":
            said = self._say("seat_of_all") if plain else self._say("seat_in", over=self.expr(over))
        else:
            name = humanize(each.name)
            said = name if plain else self._say("in_set", name=name, over=self.expr(over))
        return said if each.condition is None else self._say("where", of=said, where=self.condition(each.condition))

    def effect(self, step: Step) -> str:
        """What a step does each time."""
        match step.effect:
            case Move(amount=amount, source=source, to=to):
                key = "move_within" if source is None else "move"
                bottom = self._say("bottom", of=self.place(to)) if to.is_bottom else self.place(to)
                start = "" if source is None else self.place(source)
                return self._say(key, amount=self.amount(amount), source=start, to=bottom)
            case SetState(target=target, to=to) if (counted := self._counted(target, to)) is not None:
                return counted
            case SetState(target=target, to=to):
                return self._say("set", target=self.target(target), to=self.expr(to))
            case Roll(target=target, outcomes=outcomes):
                return self._say("roll", target=self.target(target), outcomes=self._outcomes(target, outcomes))
            case Reveal(what=what, to=to):
                return self._say(
                    "reveal",
                    what=self.each_element(what),
                    to=self._say("name_everyone") if to is None else self.expr(to),
                )
            case Choose(mode=how) as choose:
                return self._chosen(step, choose, how)
            case GiveTurn(seat=seat, is_extra=extra):
                return self._say("extra_turn" if extra else "turn_of", seat=self.expr(seat))
            case Finish(when=when, winners=winners):
                said = self._say(f"finish_{when}")
                if winners is None:
                    return said
                none = isinstance(winners, Builtin) and winners.name == "nobody"
                more = self._say("nobody_wins") if none else self._say("wins", who=self.each_element(winners))
                return f"{said} {more}"
            case Leave(seats=seats):
                return self._say("leave", who=self.each_element(seats))
            case RunSteps(block=block, is_procedure=fresh):
                name = self.rules.blocks[block].address.rpartition(".")[2]
                return self._say("run", name=humanize(name)) if fresh else self._say("following")
            case _:
                assert_never(step.effect)

    def _counted(self, target: StateTarget, to: Expr) -> str | None:
        """A counter that goes up or down, perhaps not beyond a bound; None for what is no such step."""
        bound = ""
        match to:
            case Call(function="min" | "max" as function, args=(Arithmetic() as sum_, end)) if is_static(end):
                to, bound = sum_, self.expr(end)
                fits = "+" if function == "min" else "-"
            case _:
                fits = ""
        if not isinstance(to, Arithmetic) or to.op not in ("+", "-") or (fits and to.op != fits):
            return None
        name = self.target(target)
        if not isinstance(to.type, Number) or not isinstance(to.left, ReadState) or self.expr(to.left) != name:
            return None
        way = "up" if to.op == "+" else "down"
        key = f"goes_{way}_bounded" if bound else f"goes_{way}"
        return self._say(key, target=name, by=self.expr(to.right), bound=bound)

    def _chosen(self, step: Step, choose: Choose, how: str) -> str:
        actions = [self.label(self.rules.actions[offer.action].address) for offer in choose.offers]
        who = self._say("name_me") if step.by is None else self.expr(step.by)
        key = f"{how}_choose" if len(actions) > 1 else f"{how}_choose_one"
        said = self._say(key, who=who, actions=self.join_list(actions, "or"))
        if isinstance(choose.fallback, int):
            other = self.label(self.rules.actions[choose.fallback].address)
            return f"{said} {self._say('otherwise', action=other)}"
        return said

    def _outcomes(self, target: StateTarget, outcomes: tuple[tuple[int, int], ...]) -> str:
        names = [self.static_value(Constant(value, target.type, (0, 0))) for value, _ in outcomes]
        if len({weight for _, weight in outcomes}) == 1:
            return self._say("all_alike")
        whole = sum(weight for _, weight in outcomes)
        return ", ".join(f"{name} {weight}/{whole}" for name, (_, weight) in zip(names, outcomes, strict=True))

    def amount(self, amount: Amount) -> str:
        """How much moves."""
        of = "" if amount.of is None else self.each_element(amount.of)
        return self._say(f"amount_{amount.mode.replace(' ', '_')}", of=of)

    def place(self, place: Place) -> str:
        """A place with its keys."""
        return self._of(f"zones.{place.zone}", place.keys)

    def target(self, target: StateTarget) -> str:
        """A state with its keys."""
        return self._of(f"state.{target.name}", target.keys)


__all__ = ["PhraseRenderer", "Says"]

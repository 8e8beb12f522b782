"""Expressions as phrases, for rules that have no sentence of their own.

In: a typed expression, and what things are called. Out: a phrase. Values that are known before play are computed:
`goal - 5` is `10`. Nothing else needs a position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, assert_never

from rulewright import limits
from rulewright.expr.tree import (
    Arithmetic,
    BagLiteral,
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
    MemberCount,
    Not,
    Quantifier,
    Range,
    ReadParameter,
    ReadState,
    ReadValue,
    ReadZone,
    Sum,
)
from rulewright.expr.types import Bag, Member, SetOf, Thing
from rulewright.model.locale import ENGLISH
from rulewright.model.rules import (
    ELIMINATION_STATE,
    Rules,
)
from rulewright.suggestions import join_list
from rulewright.wording.messages import Messages
from rulewright.wording.static_value import (
    is_better_named,
    is_static,
    quantifier_form,
    set_element_type,
    variable_name,
)
from rulewright.wording.text_case import humanize, lower_first

COMPARISON_KEYS: Final = {
    "is": "is", "is not": "is_not", "<": "less_than", "<=": "at_most", ">": "more_than", ">=": "at_least", "in": "in",
    "not in": "not_in", "fits in": "fits_in",
}  # fmt: skip
ARITHMETIC_KEYS: Final = {"+": "plus", "-": "minus", "less": "less", "*": "times", "//": "over", "%": "remainder"}


class ExprPhraseRenderer:
    """Phrases for the expressions of one set of rules.

    `label`: what the rule at an address is called; `static_value`: the value of a static expression as text.
    """

    def __init__(
        self, rules: Rules, messages: Messages, label: Callable[[str], str], static_value: Callable[[Expr], str]
    ) -> None:
        self.rules = rules
        self.messages = messages
        self.label = label
        self.static_value = static_value
        self._choice_labels: Mapping[str, str] = {}

    @contextmanager
    def choices_called(self, labels: Mapping[str, str]) -> Iterator[None]:
        """Inside it, the choices of an action are called by these labels. `labels`: by the name of the choice."""
        previous, self._choice_labels = self._choice_labels, labels
        try:
            yield
        finally:
            self._choice_labels = previous

    def _message(self, key: str, **holes: object) -> str:
        return self.messages(f"book_{key}", **holes)

    def join_list(self, items: list[str], word: str = "and") -> str:
        """`a, b and c`; `word`: the key of the last conjunction."""
        return join_list(items, self._message(word)) if items else self._message("nothing")

    # ---- expressions --------------------------------------------------------------------------------------

    def expr(self, expr: Expr) -> str:
        """An expression as a phrase."""
        if is_static(expr) and not is_better_named(expr) and not isinstance(expr, Range):
            return self.static_value(expr)
        match expr:
            case Constant(type=SetOf(element=Member(kind=name) | Thing(component=name))):
                return self._whole_domain(expr, name)
            case Constant():
                return self.static_value(expr)
            case Builtin(name=name):
                return self._message(f"name_{name}")
            case Local():
                return self._local(expr)
            case ReadParameter(name=name, keys=keys):
                return self._keyed(f"parameters.{name}", keys)
            case ReadState(name=name, keys=keys):
                return self._keyed(f"state.{name}", keys)
            case ReadValue(name=name, keys=keys):
                return self._keyed(f"values.{name}", keys)
            case ReadZone(name=name, keys=keys, member=None):
                return self._keyed(f"zones.{name}", keys)
            case ReadZone(name=name, keys=keys, member=member):
                assert member is not None
                return self._message("number_of", of=self._pieces(member), where=self._keyed(f"zones.{name}", keys))
            case MemberCount(bag=bag, member=member):
                return self._message("number_of", of=self._pieces(member), where=self.expr(bag))
            case FieldAccess(of=of, name=name):
                return self._message("field", name=lower_first(self._field_label(of, name)), of=self.expr(of))
            case FieldTotal(of=of, name=name):
                return self._message("total", name=lower_first(self._field_label(of, name)), of=self.expr(of))
            case Logic(op=op, left=left, right=right):
                return f"{self._operand(left, op)} {self._message(op)} {self._operand(right, op)}"
            case Not(of=ReadState() | ReadValue() | ReadParameter() as of):
                return self._message("holds_not", of=self.expr(of))
            case Not(of=of):
                return self._message("not", of=self.condition(of))
            case Compare():
                return self._comparison(expr)
            case Range(low=low, high=high):
                return self._message("range", a=self.expr(low), b=self.expr(high))
            case Arithmetic(op="+", left=left, right=right, type=Bag() | SetOf()):
                return self._message("joined", a=self.expr(left), b=self.expr(right))
            case Arithmetic(op=op, left=left, right=right):
                return self._message(ARITHMETIC_KEYS[op], a=self._factor(left), b=self._factor(right))
            case BagLiteral(count=count, members=members):
                return self._message("bag_literal", count=self.expr(count), what=self._pieces(members))
            case If(condition=when, then=then, otherwise=otherwise):
                return self._message(
                    "if", when=self.condition(when), then=self.expr(then), otherwise=self.expr(otherwise)
                )
            case Quantifier(quantifier=quantifier, over=over, condition=condition):
                key = f"quantified_{quantifier}_{quantifier_form(over)}"
                return self._over_elements(key, expr, self.condition(condition))
            case Filter(over=over, condition=condition):
                return self._over_elements(f"each_{quantifier_form(over)}", expr, self.condition(condition))
            case Sum() | Extremum():
                return self._aggregate(expr)
            case Call():
                return self._call(expr)
            case _:
                assert_never(expr)

    def _local(self, local: Local) -> str:
        match local:
            case Local(name=name) if name in self._choice_labels:
                return self._choice_labels[name]
            case Local(name="seat", type=Member(kind="seat")):
                return self._message("that_seat")
            case Local(name=name, type=Thing()) if name in self.rules.components:
                return self._message("that", name=self._variable_label(name))
            case _:
                return humanize(local.name)

    def _comparison(self, compare: Compare) -> str:
        match compare:
            case Compare(op="is" | "is not" as op, left=left, right=Constant(type=Bag("") | SetOf(None))):
                return self._message("empty" if op == "is" else "not_empty", of=self.expr(left))
            case Compare(left=ReadState(name=name, keys=(seat,)), right=Constant(value=0)) if self._is_elimination(
                name
            ):
                return self._message("still_in" if compare.op in ("is", "<=") else "has_left", who=self.expr(seat))
            case Compare(op=op, left=left, right=right):
                return self._message(COMPARISON_KEYS[op], a=self._side(left), b=self._side(right))

    def _aggregate(self, expr: Sum | Extremum) -> str:
        key = f"{expr.function}_of" if isinstance(expr, Extremum) else "sum"
        name = self._bound_label(expr.slot, expr.of, expr.over)
        phrase = self._message(key, of=self.expr(expr.of), name=name, over=self._over(expr.over))
        if expr.condition is None:
            return phrase
        return self._message("where", of=phrase, where=self.condition(expr.condition))

    def _call(self, call: Call) -> str:
        match call:
            case Call(function="possible", action=action):
                return self._message("possible", action=self.label(f"actions.{action}"))
            case Call(function="first", args=(Filter(over=over, condition=condition) as elements,)):
                return self._over_elements(f"first_{quantifier_form(over)}", elements, self.condition(condition))
            case Call(function="count", args=(Filter() as elements,)):
                return self._message("number_of_those", of=self.expr(elements))
            case Call(function="count", args=(Builtin(name="everyone"),)):
                return self._message("still_there" if self.rules.has_elimination else "name_players")
            case Call(function="min" | "max" as function, args=args):
                return self._message(function, of=self.join_list([self.expr(arg) for arg in args]))
            case Call(function=function, args=args):
                return self._message(f"call_{function}", of=self.join_list([self.expr(arg) for arg in args]))

    def condition(self, expr: Expr) -> str:
        """A condition as a clause: a bare name *holds*."""
        if isinstance(expr, FieldAccess):
            return self._message("marked", name=self._field_label(expr.of, expr.name), of=self.expr(expr.of))
        phrase = self.expr(expr)
        is_name = isinstance(expr, ReadState | ReadValue | ReadParameter)
        return self._message("holds", of=phrase) if is_name else phrase

    def _is_elimination(self, name: str) -> bool:
        """Whether it is the state that says who is eliminated."""
        return name == ELIMINATION_STATE and self.rules.has_elimination

    def _operand(self, expr: Expr, op: str) -> str:
        """An operand of `and` or `or`; in parentheses where it binds less."""
        phrase = self.condition(expr)
        is_loose = isinstance(expr, Logic | If | Quantifier) and getattr(expr, "op", "") != op
        return f"({phrase})" if is_loose else phrase

    def _side(self, expr: Expr) -> str:
        """A side of a comparison."""
        phrase = self.expr(expr)
        return f"({phrase})" if isinstance(expr, Compare | Logic | Quantifier | If | Not) else phrase

    def _factor(self, expr: Expr) -> str:
        """An operand of an arithmetic operator."""
        phrase = self.expr(expr)
        is_loose = isinstance(expr, Arithmetic | If | Sum) and not is_static(expr)
        return f"({phrase})" if is_loose else phrase

    def each_element(self, expr: Expr) -> str:
        """A set, where a sentence holds for each of its elements."""
        if isinstance(expr, Filter):
            return self._over_elements(f"every_{quantifier_form(expr.over)}", expr, self.condition(expr.condition))
        return self.expr(expr)

    def _over_elements(self, key: str, expr: Filter | Quantifier, condition: str) -> str:
        """What holds for the elements of a set one by one."""
        name, over = self._bound_label(expr.slot, expr.condition, expr.over), self._over(expr.over)
        if key.endswith("_seats") and name != self._message("seat"):
            over = f"{over} ({name})"  # the name by which the condition refers to them
        return self._message(key, name=name, over=over, of=condition)

    def _over(self, expr: Expr) -> str:
        """The set that the elements are of; a whole component, or a kind of many members, by its label."""
        if not isinstance(expr, Constant) or not isinstance(expr.type, SetOf):
            return self.expr(expr)
        match expr.type.element:
            case Thing(component=component):
                return self._message("quoted", name=self.label(f"components.{component}"))
            case Member(kind=kind) if kind != "seat" and len(self.rules.kinds[kind].members) > limits.MAX_NAMED_MEMBERS:
                return self._message("quoted", name=self.label(f"kinds.{kind}"))
            case _:
                return self.expr(expr)

    def _bound_label(self, slot: int, body: Expr, over: Expr) -> str:
        """What the variable of a quantifier is called."""
        return self._variable_label(variable_name(slot, body, over))

    def _variable_label(self, name: str) -> str:
        """What a variable is called: one with the name of a component by that name, or as it is called elsewhere."""
        if name in self.rules.components and self.messages.locale != ENGLISH:  # the label may be a plural
            return lower_first(self.label(f"components.{name}"))
        return self._message("seat") if name == "seat" else humanize(name)

    def _pieces(self, expr: Expr) -> str:
        """What is counted: members of kinds, or the pieces of a player."""
        phrase = self.expr(expr)
        return self._message("pieces_of", of=phrase) if expr.type == Member("seat") else phrase

    def _whole_domain(self, expr: Expr, name: str) -> str:
        """A whole kind or component: few members one by one, else by its label."""
        if name == "seat":
            return self._message("name_everyone")
        if name in self.rules.components:
            return self._message("all_of", of=self.label(f"components.{name}"))
        if len(self.rules.kinds[name].members) <= limits.MAX_NAMED_MEMBERS:
            return self.static_value(expr)
        return self._message("all_of", of=self.label(f"kinds.{name}"))

    def _keyed(self, address: str, keys: tuple[Expr, ...]) -> str:
        """Something by its label, with the keys that say which of it."""
        name = self._message("quoted", name=self.label(address))
        if not keys:
            return name
        return self._message("of", name=name, of=self.join_list([self.expr(key) for key in keys]))

    def _field_label(self, of: Expr, name: str) -> str:
        thing = set_element_type(of)
        component = thing.component if isinstance(thing, Thing) else ""
        return self.label(f"components.{component}.fields.{name}")


__all__ = ["ExprPhraseRenderer"]

"""Expressions as phrases, for rules that have no sentence of their own.

In: a typed expression, and what things are called. Out: a phrase. Values that are known before play are computed:
`goal - 5` is `10`. Nothing else needs a position.
"""

from __future__ import annotations

from typing import Final, assert_never

from rulewright.expr.fold import fold_constant
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
from rulewright.expr.types import SEAT, Bag, Flag, Member, Number, SetOf, Thing, Type
from rulewright.model.rules import ELIMINATION_STATE
from rulewright.wording.negation import negate
from rulewright.wording.nouns import NameRenderer
from rulewright.wording.static_value import (
    is_better_named,
    quantifier_form,
    type_name,
)
from rulewright.wording.text_case import humanize, lower_first
from rulewright.wording.variables import (
    bound_variable,
    holds_for_every_seat,
    is_named_once,
    joined_parts,
    without_other_seat,
)

COMPARISON_KEYS: Final = {
    "is": "is", "is not": "is_not", "<": "less_than", "<=": "at_most", ">": "more_than", ">=": "at_least", "in": "in",
    "not in": "not_in", "fits in": "fits_in",
}  # fmt: skip
ARITHMETIC_KEYS: Final = {"+": "plus", "-": "minus", "less": "less", "*": "times", "//": "over", "%": "remainder"}


class ExprPhraseRenderer(NameRenderer):
    """Phrases for the expressions of one set of rules."""

    # ---- expressions --------------------------------------------------------------------------------------

    def expr(self, expr: Expr) -> str:
        """An expression as a phrase."""
        with self.distinguishing_seats((expr,)):
            return self._expr(expr)

    def _expr(self, expr: Expr) -> str:
        if self.is_known(expr) and not is_better_named(expr) and not isinstance(expr, Range):
            return self.source.static_value(expr)
        match expr:
            case Constant(type=SetOf(element=Member(kind=name) | Thing(component=name))):
                return self._whole_domain(expr, name)
            case Constant():
                return self.source.static_value(expr)
            case Builtin(name=name):
                return self._message("name_everyone" if name == SEAT.kind else f"name_{name}")
            case Local():
                return self._local(expr)
            case ReadParameter(name=name, keys=keys):
                return self._keyed(f"parameters.{name}", keys)
            case ReadState(name=name, keys=keys):
                return self._keyed(self.rules.states[name].address, keys)
            case ReadValue(name=name, keys=keys):
                return self._keyed(f"values.{name}", keys)
            case ReadZone(name=name, keys=keys, member=None):
                return self._keyed(f"zones.{name}", keys)
            case ReadZone(name=name, keys=keys, member=member):
                assert member is not None
                return self._message("number_of", of=self._plural(member), where=self._keyed(f"zones.{name}", keys))
            case MemberCount(bag=bag, member=member):
                return self._message("number_of", of=self._plural(member), where=self._operand(bag))
            case FieldAccess(of=of, name=name):
                return self._message("field", name=lower_first(self._field_label(of, name)), of=self._operand(of))
            case FieldTotal(of=of, name=name, type=type_):
                key = "total" if isinstance(type_, Number) else "total_of_all"
                return self._message(key, name=lower_first(self._field_label(of, name)), of=self._operand(of))
            case Logic(op=op, left=left, right=right):
                return f"{self._clause(left, op)} {self._message(op)} {self._clause(right, op)}"
            case Not(of=of):
                return self._negation(of)
            case Compare():
                return self._comparison(expr)
            case Range(low=low, high=high):
                return self._message("range", a=self.expr(low), b=self.expr(high))
            case Arithmetic(op="+", type=Bag() | SetOf()):
                return self.join_list([self._operand(part) for part in joined_parts(expr)])
            case Arithmetic(op=op, left=left, right=right):
                a = self._operand(left, may_have=("*", "+", "-") if op in ("+", "-") else ())
                b = self._operand(right, may_have=("*",) if op in ("+", "-") else ())
                return self._message(ARITHMETIC_KEYS[op], a=a, b=b)
            case BagLiteral(count=count, members=members) if members.type == SEAT and self._is_short(count):
                is_one = self.is_known(count) and self.source.static_number(count) == 1
                key = "piece_of" if is_one else "pieces_counted"
                return self._message(key, count=self.expr(count), of=self._operand(members))
            case BagLiteral(count=count, members=Local(type=Member()) as member) if self._is_quoted(member):
                is_one = self.is_known(count) and self.source.static_number(count) == 1
                key = "piece_chosen" if is_one else "pieces_chosen"
                return self._message(key, count=self.expr(count), of=self._pieces(member))
            case BagLiteral(count=count, members=members):
                key = "bag_of_each" if isinstance(members.type, SetOf | Bag) else "bag_literal"
                key = key if self._is_short(count) else f"{key}_counted"
                return self._message(key, count=self.expr(count), what=self._pieces(members))
            case If(condition=when, then=then, otherwise=otherwise):
                return self._message(
                    "if", when=self.condition(when), then=self._operand(then), otherwise=self._operand(otherwise)
                )
            case Quantifier():
                return self._quantified(expr)
            case Filter(over=over, condition=None):
                return self._message("elements", of=self._over(over))
            case Filter(over=over):
                return self._over_elements(f"each_{quantifier_form(over)}", expr, self._restriction(expr.condition))
            case Sum() | Extremum():
                return self._aggregate(expr)
            case Call():
                return self._call(expr)
            case _:
                assert_never(expr)

    def _is_short(self, count: Expr) -> bool:
        """Whether a count is a number or a name, which may stand before what is counted."""
        return self.is_known(count) or (isinstance(count, Local) and not self._is_noun(count.name, count.type))

    def in_sentence(self, expr: Expr) -> str:
        """An expression in a sentence that the game says to the player: what is theirs by its label alone."""
        match expr:
            case ReadState(name=name, keys=(Builtin(name="me"),)):
                return self._message("quoted", name=self.label(self.rules.states[name].address))
            case ReadValue(name=name, keys=(Builtin(name="me"),)):
                return self._message("quoted", name=self.label(f"values.{name}"))
            case _:
                return self.expr(expr)

    def number(self, expr: Expr) -> str:
        """A number as part of a sentence; one that depends on a condition in parentheses."""
        return self._operand(expr)

    def _local(self, local: Local) -> str:
        match local:
            case Local(slot=slot) if slot in self._any_elements:
                return self._any_elements[slot]
            case Local(name=name) if name in self._choice_labels:
                return self._choice_labels[name]
            case Local(name=name, type=Member(kind=SEAT.kind)) if name == SEAT.kind or not self._mixes_seats:
                return self._message("that_seat")
            case Local(name=name, type=Member(kind=SEAT.kind)):
                return self._message("named_seat", name=humanize(name))
            case Local(name=name, type=type_) if self._is_noun(name, type_):
                return self._message("that", name=self._noun(name))
            case _:
                return self._message("quoted", name=humanize(local.name))

    def _is_quoted(self, local: Local) -> bool:
        """Whether a variable is called by its name alone, which says nothing of what it stands for."""
        is_named = local.slot in self._any_elements or local.name in self._choice_labels
        return not is_named and not self._is_noun(local.name, local.type)

    def _negation(self, of: Expr) -> str:
        """What does not hold, in the shortest way."""
        match of:
            case ReadState() | ReadValue() | ReadParameter():
                return self._holding("holds_not", of)
            case FieldAccess(of=thing, name=name):
                return self._message("not_marked", name=self._field_label(thing, name), of=self.expr(thing))
            case Call(function="possible", action=action):
                return self._message("not_possible", action=self.label(f"actions.{action}"))
            case Local():
                return self._message("holds_not", of=self.expr(of))
            case _:
                opposite = negate(of)
                is_same = isinstance(opposite, Not)
                return self._message("not", of=self.condition(of)) if is_same else self.condition(opposite)

    def _comparison(self, compare: Compare) -> str:
        can_leave = self.rules.has_elimination
        match compare:
            case Compare(op="is" | "is not" as op, left=left, right=Constant(type=Bag("") | SetOf(None))):
                return self._message("empty" if op == "is" else "not_empty", of=self.expr(left))
            case Compare(left=ReadState(name=name, keys=(seat,)), right=Constant(value=0)) if self._is_elimination(
                name
            ):
                return self._message("still_in" if compare.op in ("is", "<=") else "has_left", who=self.expr(seat))
            case Compare(op="in" | "not in" as op, left=who, right=Builtin(name="everyone")) if can_leave:
                return self._message("still_in" if op == "in" else "has_left", who=self.expr(who))
            case Compare(op="is" | "is not" as op, left=left, right=Constant(type=Flag(), value=value)):
                return self.condition(left) if bool(value) == (op == "is") else self._negation(left)
            case Compare(op="is" | "is not" as op, left=left, right=right) if left.type == Flag():
                key = "same_truth" if op == "is" else "other_truth"
                return self._message(key, a=self._clause(left, op), b=self._clause(right, op))
            case Compare(op=op, left=left, right=right):
                return self._message(COMPARISON_KEYS[op], a=self._side(left), b=self._side(right))

    def _aggregate(self, expr: Sum | Extremum) -> str:
        if isinstance(expr, Extremum) and is_named_once(expr):
            return self._extremum(expr)
        form = quantifier_form(expr.over)
        key = f"sum_{form}" if isinstance(expr, Sum) else f"max_{form}" if expr.function == "max" else f"min_{form}"
        name, over = self._bound_label(expr.slot, expr.of, expr.over), self._over(expr.over)
        if key.endswith("_seats") and name != self._message("seat"):
            over = f"{over} ({name})"
        phrase = self._message(key, of=self.expr(expr.of), name=name, over=over)
        if expr.condition is None:
            return phrase
        return self._message("where", of=phrase, where=self.condition(expr.condition))

    def _extremum(self, expr: Extremum) -> str:
        """The least or greatest of what is said of any element: `the smallest number in “hand” of any player`."""
        name, type_ = bound_variable(expr.slot, expr.of, expr.over)
        label = self.variable(type_name(type_) or name, type_)  # whatever the variable is called
        element = self._message(f"whichever_{quantifier_form(expr.over)}", name=label, over=self._over(expr.over))
        with self._called(expr.slot, element):
            phrase = self.expr(expr.of)
        is_number = isinstance(expr.of, Call | MemberCount | ReadZone | FieldAccess | FieldTotal)
        if is_number and phrase.startswith(article := self._message("article")):
            return self._message(f"{expr.function}_number", of=phrase.removeprefix(article))
        return self._message(f"{expr.function}_value", of=phrase)

    def _call(self, call: Call) -> str:
        match call:
            case Call(function="possible", action=action):
                return self._message("possible", action=self.label(f"actions.{action}"))
            case Call(function="first", args=(Constant(value=1), Filter(over=over) as elements)) if elements.condition:
                return self._over_elements(
                    f"first_{quantifier_form(over)}", elements, self._restriction(elements.condition)
                )
            case Call(function="count", args=(Builtin(name="everyone"),)):
                return self._message("still_there" if self.rules.has_elimination else "name_players")
            case Call(function="count", args=(Filter() | Builtin() as elements,)):
                return self._message("number_of_those", of=self.expr(elements))
            case Call(function="min" | "max" as function, args=args):
                key = f"{function}_of_two" if len(args) == 2 else function
                return self._message(key, of=self.join_list([self.expr(arg) for arg in args]))
            case Call(function="first" | "last" as function, args=(count, of)):
                key = f"call_{function}" if fold_constant(count) == 1 else f"call_{function}_several"
                return self._message(key, count=self._operand(count), of=self._operand(of))
            case Call(
                function="only", args=(Call(function="first" | "last", args=(Constant(value=1), _)) as of, other)
            ):
                return self._message("call_only_one", of=self.expr(of), other=self._operand(other))
            case Call(function="only", args=(of, other)):
                return self._message("call_only", of=self._operand(of), other=self._operand(other))
            case Call(function="next", args=(Builtin(name="me"),)):
                return self._message("next_player")
            case Call(function=function, args=args):
                return self._message(f"call_{function}", of=self.join_list([self._operand(arg) for arg in args]))

    def condition(self, expr: Expr) -> str:
        """A condition as a clause: a bare name *holds*."""
        with self.distinguishing_seats((expr,)):
            match expr:
                case FieldAccess(of=of, name=name):
                    return self._message("marked", name=self._field_label(of, name), of=self.expr(of))
                case ReadState() | ReadValue() | ReadParameter() if not self.is_known(expr):
                    return self._holding("holds", expr)
                case Local() if expr.type == Flag():
                    return self._message("holds", of=self.expr(expr))
                case _:
                    return self._expr(expr)

    def _holding(self, key: str, expr: ReadState | ReadValue | ReadParameter) -> str:
        """That something holds, or not: by itself, or for its keys."""
        if isinstance(expr, ReadState):
            address = self.rules.states[expr.name].address
        else:
            address = f"{'values' if isinstance(expr, ReadValue) else 'parameters'}.{expr.name}"
        name = self._message("quoted", name=self.label(address))
        if not expr.keys:
            return self._message(key, of=name)
        return self._message(f"{key}_for", of=name, keys=self.join_list([self._operand(part) for part in expr.keys]))

    def _is_elimination(self, name: str) -> bool:
        """Whether it is the state that says who is eliminated."""
        return name == ELIMINATION_STATE and self.rules.has_elimination

    def _clause(self, expr: Expr, op: str) -> str:
        """A condition beside `and`, `or` or another; in parentheses where it binds less."""
        expr = negate(expr.of) if isinstance(expr, Not) else expr
        phrase = self.condition(expr)
        is_truth = isinstance(expr, Compare) and expr.left.type == Flag() and not isinstance(expr.right, Constant)
        is_loose = isinstance(expr, Logic | If | Quantifier) or is_truth
        return f"({phrase})" if is_loose and getattr(expr, "op", "") != op else phrase

    def _side(self, expr: Expr) -> str:
        """A side of a comparison."""
        phrase = self.expr(expr)
        return f"({phrase})" if isinstance(expr, Compare | Logic | Quantifier | If | Not) else phrase

    def _operand(self, expr: Expr, may_have: tuple[str, ...] = ()) -> str:
        """A part of another phrase; in parentheses where it binds less. `may_have`: operators that do not."""
        phrase = self.expr(expr)
        is_loose = isinstance(expr, Arithmetic | If | Sum) and getattr(expr, "op", "") not in may_have
        return f"({phrase})" if is_loose and not self.is_known(expr) else phrase

    def each_element(self, expr: Expr) -> str:
        """A set, where a sentence holds for each of its elements."""
        if not isinstance(expr, Filter) or expr.condition is None:
            return self.expr(expr)
        with self.distinguishing_seats((expr,)):
            return self._over_elements(f"every_{quantifier_form(expr.over)}", expr, self._restriction(expr.condition))

    def _restriction(self, condition: Expr | None) -> str:
        """What must hold for the elements of a set, behind `for which`."""
        assert condition is not None
        phrase = self.condition(condition)
        is_clause = not isinstance(condition, Quantifier) or holds_for_every_seat(condition)
        return phrase if is_clause else self._message("following_holds", of=phrase)

    def _quantified(self, expr: Quantifier) -> str:
        """What holds for some, every or no element; of players without the name of the variable where that is clear."""
        quantifier, form, condition = expr.quantifier, quantifier_form(expr.over), without_other_seat(expr)
        if holds_for_every_seat(expr):
            key = "every_one" if condition is None else "every_other_one"
            each = self._message(key) if form == "players" else self._message("each_one", of=self._over(expr.over))
            return self._condition_with(condition or expr.condition, expr.slot, each)
        if condition is not None:
            phrase = self._condition_with(condition, expr.slot, self._message("that_other"))
            return self._message(f"quantified_{quantifier}_others", of=phrase)
        phrase = self._restriction(expr.condition) if quantifier == "no" else self.condition(expr.condition)
        return self._over_elements(f"quantified_{quantifier}_{form}", expr, phrase)

    def _condition_with(self, condition: Expr, slot: int, element: str) -> str:
        """A condition in which an element is called like this."""
        with self._called(slot, element):
            return self.condition(condition)

    def _over_elements(self, key: str, expr: Filter | Quantifier, condition: str) -> str:
        """What holds for the elements of a set one by one."""
        assert expr.condition is not None
        name, over = self._bound_label(expr.slot, expr.condition, expr.over), self._over(expr.over)
        if key.endswith("_seats") and name != self._message("seat"):
            over = f"{over} ({name})"  # the name by which the condition refers to them
        if key == "each_players" and name != self._message("seat"):
            key, over = "each_seats", f"{over} ({name})"
        return self._message(key, name=name, over=over, of=condition)

    def _over(self, expr: Expr) -> str:
        """The set that the elements are of; a whole component, or a kind of many members, by its label."""
        if not isinstance(expr, Constant) or not isinstance(expr.type, SetOf):
            return self.expr(expr)
        match expr.type.element:
            case Thing(component=component):
                return self._message("quoted", name=self.label(f"components.{component}"))
            case Member(kind=kind) if self._is_called_by_label(kind):
                return self._message("quoted", name=self.label(f"kinds.{kind}"))
            case _:
                return self.expr(expr)

    # ---- names --------------------------------------------------------------------------------------------

    def _pieces(self, expr: Expr) -> str:
        """What is counted: members of kinds, or the pieces of a player."""
        phrase = self._operand(expr)
        return self._message("pieces_of", of=phrase) if expr.type == SEAT else phrase

    def _plural(self, expr: Expr) -> str:
        """What is counted, of which there may be many: a member by its plural."""
        match expr:
            case Constant(value=int() as number, type=Member(kind=kind)) if kind != SEAT.kind:
                info = self.rules.kinds[kind]
                if not info.is_numeric:
                    return self.source.family_member_label(self.rules.family_members[info.family][number], 2)
        return self._pieces(expr)

    def _whole_domain(self, expr: Expr, name: str) -> str:
        """A whole kind or component: few members one by one, else by its label."""
        if name in self.rules.components:
            return self._message("all_of", of=self.label(f"components.{name}"))
        if self._is_called_by_label(name):
            return self._message("all_of", of=self.label(f"kinds.{name}"))
        return self.source.static_value(expr)

    def _keyed(self, address: str, keys: tuple[Expr, ...]) -> str:
        """Something by its label, with the keys that say which of it."""
        name = self._message("quoted", name=self.label(address))
        if not keys:
            return name
        # keys that are left out stand for all
        names = [self._key(key, type_) for key, type_ in zip(keys, self._key_types(address), strict=False)]
        return self._message("of", name=name, of=self.join_list(names))

    def _key_types(self, address: str) -> tuple[Type, ...]:
        section, _, name = address.partition(".")
        match section:
            case "zones":
                return self.rules.zones[name].key_types
            case "values":
                return self.rules.values[name].key_types
            case "parameters":
                return self.rules.parameters[name].key_types
            case _:  # of the game, or of a block
                return self.rules.states[address.rpartition(".")[2]].key_types

    def _key(self, key: Expr, type_: Type) -> str:
        """What a place or value belongs to; a number that is one of a kind with the name of the kind."""
        phrase = self._operand(key)
        is_one = isinstance(key.type, Member | Number) and self.is_known(key)
        if is_one and isinstance(type_, Member) and self.rules.kinds[type_.kind].is_numeric:
            return self._message("numbered", name=self._noun(type_.kind), number=phrase)
        return phrase


__all__ = ["ExprPhraseRenderer"]

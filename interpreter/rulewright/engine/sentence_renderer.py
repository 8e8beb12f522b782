"""Sentences filled in: names, numbers, bags and plurals, in a locale, for a viewer who may not know everything.

In: a sentence of the model, a context, a viewer. Out: text. What a viewer may not know is never evaluated: a hole that
reads a place hidden from the viewer is `hidden`, whatever is there.
"""

from __future__ import annotations

from typing import assert_never

from rulewright.document.text_addresses import title_address
from rulewright.engine.context import Context
from rulewright.engine.expr_compiler import ExprCompiler
from rulewright.engine.notation import Notation
from rulewright.engine.value_notation import HIDDEN_TEXT, HiddenTest
from rulewright.engine.values import RuntimeValue, as_int, as_tuple
from rulewright.engine.visibility import Visibility
from rulewright.expr.sentence_template import Hole, PluralHole, SentenceTemplate
from rulewright.expr.tree import (
    Call,
    Compare,
    Constant,
    Expr,
    Extremum,
    Filter,
    Local,
    Quantifier,
    ReadValue,
    ReadZone,
    Sum,
)
from rulewright.expr.types import SEAT, Bag, Flag, Member, Number, SetOf, Thing, Type, UnknownType
from rulewright.expr.walk import child_exprs, iter_exprs
from rulewright.model.locale import ENGLISH, player_name
from rulewright.model.rules import Language, Rules
from rulewright.suggestions import join_list


class SentenceRenderer:
    """Renders the sentences of a game in one locale; in English where that has none."""

    def __init__(self, rules: Rules, compiler: ExprCompiler, visibility: Visibility, locale: str = ENGLISH) -> None:
        self.rules = rules
        self.compiler = compiler
        self.visibility = visibility
        self.fallback = rules.languages[ENGLISH]
        self.language: Language = rules.languages.get(locale, self.fallback)
        self.notation = Notation(rules)
        self._plurals = [compiler.compile(rule) for rule in self.language.plural_rules]

    def message(self, key: str) -> str:
        """A built-in message, or the game's own: and, or, nothing, hidden …"""
        return self.language.messages.get(key) or self.fallback.messages.get(key, key)

    def find_sentence(self, address: str) -> SentenceTemplate | None:
        """The sentence of a rule, in this locale or else in English; None when it has none."""
        return self.language.sentences.get(address) or self.fallback.sentences.get(address)

    def title(self, address: str) -> str:
        """What a rule is called, in this locale or else in English; empty when it has no title."""
        sentence = self.find_sentence(title_address(address))
        return "" if sentence is None else "".join(part for part in sentence.parts if isinstance(part, str))

    def plural_form(self, forms: tuple[str, ...], number: int) -> str:
        """The plural form for a number."""
        if len(forms) == 1:
            return forms[0]
        c = Context((), (), me=-1, env=(abs(number),))
        index = next((index for index, rule in enumerate(self._plurals) if rule(c)), len(self._plurals))
        return forms[min(index, len(forms) - 1)]

    def member_name(self, kind: str, number: int, count: int = 1) -> str:
        """The name of a member of a kind. `number`: its run-time value; `count`: how many of it, for the plural."""
        info = self.rules.kinds[kind]
        member = str(number) if info.is_numeric else self.notation.member_id(kind, number)
        if info.is_player(member):
            return player_name(int(member), self.message("player"))
        return self._member_form(member, count, info.name_key(member))

    def _member_form(self, member: str, count: int, key: str = "") -> str:
        key = key or member
        forms = self.language.member_names.get(key) or self.fallback.member_names.get(key)
        return self.plural_form(forms, count) if forms else member.replace("_", " ")

    def join_list(self, items: list[str]) -> str:
        """`a, b and c`."""
        return join_list(items, self.message("and")) if items else self.message("nothing")

    def format_value(self, value: RuntimeValue | None, type_: Type, hides: HiddenTest | None = None) -> str:
        """A value as text. `hides`: which things the viewer may not know."""
        match type_:
            case Flag():
                return self.message("yes" if value else "no")
            case Member(kind=SEAT.kind):
                return player_name(as_int(value), self.message("player"))
            case Member(kind=kind):
                return self.member_name(kind, as_int(value))
            case Thing(component=component):
                return self.thing_name(component, as_int(value), hides)
            case Bag(kind=kind) if kind:
                members = self.compiler.bag_members(kind)
                return self.join_list(
                    [
                        f"{count} {self._bag_member_name(kind, members[index], count)}"
                        for index, count in enumerate(as_tuple(value))
                        if count
                    ]
                )
            case SetOf(element=element_type) if element_type is not None:
                return self.join_list([self.format_value(element, element_type, hides) for element in as_tuple(value)])
            case Bag() | SetOf():
                return self.message("nothing")
            case Flag() | Number() | UnknownType():
                return str(value)
            case _:
                assert_never(type_)

    def _bag_member_name(self, kind: str, number: int, count: int) -> str:
        """The name of a member of a bag, which another kind of the family may declare."""
        definition = self.rules.kinds[kind]
        if number in definition.member_values:
            return self.member_name(kind, number, count)
        return self._member_form(self.rules.family_members[definition.family][number], count)

    def thing_name(self, component: str, thing: int, hides: HiddenTest | None = None) -> str:
        """The name of a thing: its sentence if that has no holes, else its id. `thing`: the row of its component."""
        if hides and hides(component, thing):
            return HIDDEN_TEXT
        definition = self.rules.components[component]
        sentence = self.find_sentence(f"{definition.address}.rows.{definition.ids[thing]}")
        if sentence is not None and all(isinstance(part, str) for part in sentence.parts):
            return "".join(part for part in sentence.parts if isinstance(part, str))
        return definition.ids[thing]

    def render_at(self, address: str, c: Context, viewer: int, hides: HiddenTest | None = None) -> str:
        """The sentence of a rule with its holes filled; empty when it has none. `viewer`: a seat."""
        sentence = self.find_sentence(address)
        return "" if sentence is None else self.render(sentence, c, viewer, hides)

    def render(self, sentence: SentenceTemplate, c: Context, viewer: int, hides: HiddenTest | None = None) -> str:
        """A sentence with its holes filled, for a viewer."""
        parts = []
        for part in sentence.parts:
            match part:
                case str():
                    parts.append(part)
                case Hole(expr=expr):
                    parts.append(self.format_expr(expr, c, viewer, hides))
                case PluralHole(expr=expr, forms=forms):
                    number = self.compiler.compile_number(expr)(c) if self.can_read(expr, c, viewer) else 0
                    parts.append(self.plural_form(forms, number))
        return "".join(parts)

    def format_expr(self, expr: Expr, c: Context, viewer: int, hides: HiddenTest | None = None) -> str:
        """The value of an expression as text, or `hidden`."""
        if not self.can_read(expr, c, viewer):
            return self.message("hidden")
        return self.format_value(self.compiler.compile(expr)(c), expr.type, hides)

    # ---- what a viewer may know ---------------------------------------------------------------------------

    def can_read(self, expr: Expr, c: Context, viewer: int, bound: frozenset[int] = frozenset()) -> bool:
        """Whether the value of an expression reveals nothing that is hidden from the viewer.

        How many things are in a place is never secret; what they are is, unless the viewer sees the place. `bound`:
        slots of the variables of enclosing quantifiers.
        """
        match expr:
            case Call(function="count", args=(ReadZone() as read,)) if not isinstance(read.type, Number):
                return self._can_read_all(_read_keys(read), c, viewer, bound)
            case Compare(op="is" | "is not", left=ReadZone() as read, right=Constant(type=Bag("") | SetOf(None))):
                return self._can_read_all(_read_keys(read), c, viewer, bound)
            case Call(action=action) if action:
                return not self._has_hidden_zones
            case ReadZone(name=name):
                return self._can_read_all(_read_keys(expr), c, viewer, bound) and self._can_see_places(
                    expr, name, c, viewer, bound
                )
            case ReadValue(name=name, keys=keys):
                definition = self.rules.values[name]
                terms = tuple(term for _, term in (*definition.terms, *definition.deductions))
                open_keys = frozenset(slot for slot, key in enumerate(keys) if _depends_on(key, bound))
                env = tuple(0 if slot in open_keys else self.compiler.compile(key)(c) for slot, key in enumerate(keys))
                inner = Context(c.contents, c.variables, me=c.me, env=env, first=c.first_seat, round=c.round)
                return self._can_read_all(keys, c, viewer, bound) and self._can_read_all(
                    terms, inner, viewer, open_keys
                )
            case Quantifier(slot=slot) | Filter(slot=slot) | Sum(slot=slot) | Extremum(slot=slot):
                return self._can_read_all(child_exprs(expr), c, viewer, bound | {slot})
            case _:
                return self._can_read_all(child_exprs(expr), c, viewer, bound)

    def _can_read_all(self, exprs: tuple[Expr, ...], c: Context, viewer: int, bound: frozenset[int]) -> bool:
        return all(self.can_read(expr, c, viewer, bound) for expr in exprs)

    def _can_see_places(self, read: ReadZone, name: str, c: Context, viewer: int, bound: frozenset[int]) -> bool:
        zone = self.rules.zones[name]
        can_see = self.visibility.can_see[viewer]
        if all(can_see[zone.first_index : zone.first_index + zone.size]):
            return True
        if any(_depends_on(key, bound) for key in read.keys):
            return False  # the variable of a quantifier has no value yet
        return all(can_see[place] for place in self.compiler.compile_places(zone, read.keys)(c))

    @property
    def _has_hidden_zones(self) -> bool:
        return any(zone.seen_by != "all" for zone in self.rules.zones.values())


def _read_keys(read: ReadZone) -> tuple[Expr, ...]:
    return read.keys if read.member is None else (*read.keys, read.member)


def _depends_on(key: Expr, bound: frozenset[int]) -> bool:
    """Whether a key reads one of these variables."""
    return any(isinstance(part, Local) and part.slot in bound for part in iter_exprs(key))

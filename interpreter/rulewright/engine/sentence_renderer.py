"""Sentences filled in: names, numbers, bags and plurals, in a language, for a reader who may not know everything.

In: a sentence of the model, a context, a reader. Out: text. What a reader may not know is never read for it: a hole
that looks into a place hidden from the reader says `hidden`, whatever lies there.
"""

from __future__ import annotations

from typing import Any

from rulewright.engine.evaluator import ExprCompiler
from rulewright.engine.knowledge import Visibility
from rulewright.engine.notation import HIDDEN_TEXT, HiddenTest, Notation
from rulewright.engine.values import Context
from rulewright.expr.templates import Hole, PluralHole, SentenceTemplate
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
from rulewright.expr.types import Bag, Flag, Member, Number, SetOf, Thing, Type
from rulewright.expr.walk import child_exprs, iter_exprs
from rulewright.model.locale import player_name
from rulewright.model.rules import Language, Rules


class SentenceRenderer:
    """Says things in one language. `code`: the language; English where it has no sentence."""

    def __init__(self, rules: Rules, evaluator: ExprCompiler, sight: Visibility, code: str = "en") -> None:
        self.rules = rules
        self.compiler = evaluator
        self.visibility = sight
        self.fallback = rules.languages["en"]
        self.language: Language = rules.languages.get(code, self.fallback)
        self.notation = Notation(rules)
        self._plurals = [evaluator.compile(rule) for rule in self.language.plural_rules]

    def message(self, word: str) -> str:
        """A small word of the language: and, or, nothing, hidden …"""
        return self.language.messages.get(word) or self.fallback.messages.get(word, word)

    def find_sentence(self, address: str) -> SentenceTemplate | None:
        """The sentence of a node, in this language or else in English."""
        return self.language.sentences.get(address) or self.fallback.sentences.get(address)

    def plural_form(self, forms: tuple[str, ...], number: int) -> str:
        """The plural form for a number."""
        if len(forms) == 1:
            return forms[0]
        c = Context((), (), me=-1, env=(abs(number),))
        at = next((at for at, rule in enumerate(self._plurals) if rule(c)), len(self._plurals))
        return forms[min(at, len(forms) - 1)]

    def member_name(self, kind: str, number: int, count: int = 1) -> str:
        """The name of a member of a kind."""
        word = self.notation.member_id(kind, number)
        forms = self.language.member_names.get(word) or self.fallback.member_names.get(word)
        return self.plural_form(forms, count) if forms else word.replace("_", " ")

    def join_list(self, parts: list[str]) -> str:
        """`a, b and c`."""
        if not parts:
            return self.message("nothing")
        return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {self.message('and')} {parts[-1]}"

    def format_value(self, value: Any, type_: Type, hides: HiddenTest | None = None) -> str:
        """A value in words."""
        match type_:
            case Flag():
                return self.message("yes" if value else "no")
            case Member(kind="seat"):
                return player_name(value, self.message("seat"))
            case Member(kind=kind) if self.rules.kinds[kind].is_numeric:
                return str(value)
            case Member(kind=kind):
                return self.member_name(kind, value)
            case Thing(component=component):
                return self.thing_name(component, value, hides)
            case Bag(kind=kind) if kind:
                members = self.compiler.bag_members(kind)
                return self.join_list(
                    [f"{count} {self._counted(kind, members[at], count)}" for at, count in enumerate(value) if count]
                )
            case SetOf(element=of) if of is not None:
                return self.join_list([self.format_value(one, of, hides) for one in value])
            case Bag() | SetOf():
                return self.message("nothing")
            case _:
                return str(value)

    def _counted(self, kind: str, number: int, count: int) -> str:
        # a bag's member may be declared by another kind of the family
        info = self.rules.kinds[kind]
        if number in info.member_values:
            return self.member_name(kind, number, count)
        word = self.rules.family_members[info.family][number]
        forms = (
            self.language.member_names.get(word) or self.fallback.member_names.get(word) or (word.replace("_", " "),)
        )
        return self.plural_form(forms, count)

    def thing_name(self, component: str, thing: int, hides: HiddenTest | None = None) -> str:
        """The name of a thing."""
        if hides and hides(component, thing):
            return HIDDEN_TEXT
        definition = self.rules.components[component]
        sentence = self.find_sentence(f"{definition.address}.rows.{definition.ids[thing]}")
        if sentence is not None and all(isinstance(part, str) for part in sentence.parts):
            return "".join(part for part in sentence.parts if isinstance(part, str))
        return definition.ids[thing]

    def render_at(self, address: str, c: Context, viewer: int, hides: HiddenTest | None = None) -> str:
        """The sentence of a node with its holes filled; the empty string when it has none.

        `viewer`: number of the reader.
        """
        sentence = self.find_sentence(address)
        return "" if sentence is None else self.render(sentence, c, viewer, hides)

    def render(self, sentence: SentenceTemplate, c: Context, viewer: int, hides: HiddenTest | None = None) -> str:
        """A sentence with its holes filled."""
        parts = []
        for part in sentence.parts:
            match part:
                case str():
                    parts.append(part)
                case Hole(expr=expr):
                    parts.append(self.format_expr(expr, c, viewer, hides))
                case PluralHole(expr=expr, forms=forms):
                    number = self.compiler.compile(expr)(c) if self.can_read(expr, c, viewer) else 0
                    parts.append(self.plural_form(forms, number))
        return "".join(parts)

    def format_expr(self, expr: Expr, c: Context, viewer: int, hides: HiddenTest | None = None) -> str:
        """The value of an expression in words, or `hidden`."""
        if not self.can_read(expr, c, viewer):
            return self.message("hidden")
        return self.format_value(self.compiler.compile(expr)(c), expr.type, hides)

    # ---- what a reader may know ---------------------------------------------------------------------------

    def can_read(self, expr: Expr, c: Context, viewer: int, bound: frozenset[int] = frozenset()) -> bool:
        """Whether an expression's value tells the reader nothing that is hidden from it. How many lie in a place is no
        secret; what they are is, unless the reader sees the place. `bound`: variables that run through something.
        """
        match expr:
            case Call(function="count", args=(ReadZone() as read,)) if not isinstance(read.type, Number):
                return self._all(_keys(read), c, viewer, bound)
            case Compare(op="is" | "is not", left=ReadZone() as read, right=Constant(type=Bag("") | SetOf(None))):
                return self._all(_keys(read), c, viewer, bound)
            case Call(action=action) if action:
                return not self._secret
            case ReadZone(name=name):
                return self._all(_keys(expr), c, viewer, bound) and self._sees(expr, name, c, viewer, bound)
            case ReadValue(name=name, keys=keys):
                definition = self.rules.values[name]
                terms = tuple(term for _, term in (*definition.terms, *definition.deductions))
                open_keys = frozenset(slot for slot, key in enumerate(keys) if _hangs_on(key, bound))
                env = tuple(
                    None if slot in open_keys else self.compiler.compile(key)(c) for slot, key in enumerate(keys)
                )
                inner = Context(c.contents, c.variables, me=c.me, env=env, first=c.first_seat, round=c.round)
                return self._all(keys, c, viewer, bound) and self._all(terms, inner, viewer, open_keys)
            case Quantifier(slot=slot) | Filter(slot=slot) | Sum(slot=slot) | Extremum(slot=slot):
                return self._all(child_exprs(expr), c, viewer, bound | {slot})
            case _:
                return self._all(child_exprs(expr), c, viewer, bound)

    def _all(self, exprs: tuple[Expr, ...], c: Context, viewer: int, bound: frozenset[int]) -> bool:
        return all(self.can_read(one, c, viewer, bound) for one in exprs)

    def _sees(self, read: ReadZone, name: str, c: Context, viewer: int, bound: frozenset[int]) -> bool:
        zone = self.rules.zones[name]
        sees = self.visibility.can_see[viewer]
        if all(sees[zone.first_index : zone.first_index + zone.size]):
            return True
        if any(_hangs_on(key, bound) for key in read.keys):
            return False  # a key that runs through something has no value here
        return all(sees[place] for place in self.compiler.compile_places(zone, read.keys)(c))

    @property
    def _secret(self) -> bool:
        return any(zone.seen_by != "all" for zone in self.rules.zones.values())


def _keys(read: ReadZone) -> tuple[Expr, ...]:
    return read.keys if read.member is None else (*read.keys, read.member)


def _hangs_on(key: Expr, bound: frozenset[int]) -> bool:
    """Whether a key reads one of the variables that run through something."""
    return any(isinstance(part, Local) and part.slot in bound for part in iter_exprs(key))

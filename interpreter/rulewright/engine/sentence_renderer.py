"""Sentences filled in: names, numbers, bags and plurals, in a language, for a reader who may not know everything.

In: a sentence of the model, a context, a reader. Out: text. What a reader may not know is never read for it: a hole
that looks into a place hidden from the reader says `hidden`, whatever lies there.
"""

from __future__ import annotations

from typing import Any

from rulewright.engine.evaluator import Evaluator
from rulewright.engine.knowledge import Sight
from rulewright.engine.notation import HIDDEN, Hides, Notation
from rulewright.engine.values import Context
from rulewright.expr.templates import Hole, Plural, Sentence
from rulewright.expr.tree import (
    Call,
    Compare,
    Constant,
    Each,
    Expr,
    Extreme,
    Local,
    Quantified,
    ReadValue,
    ReadZone,
    Sum,
)
from rulewright.expr.types import Bag, Flag, Member, Number, SetOf, Thing, Type
from rulewright.model.rules import Language, Rules
from rulewright.model.traversal import children, parts


class Speaker:
    """Says things in one language. `code`: the language; English where it has no sentence."""

    def __init__(self, rules: Rules, evaluator: Evaluator, sight: Sight, code: str = "en") -> None:
        self.rules = rules
        self.evaluator = evaluator
        self.sight = sight
        self.english = rules.languages["en"]
        self.language: Language = rules.languages.get(code, self.english)
        self.notation = Notation(rules)
        self._plurals = [evaluator.run(rule) for rule in self.language.plurals]

    def word(self, word: str) -> str:
        """A small word of the language: and, or, nothing, hidden …"""
        return self.language.words.get(word) or self.english.words.get(word, word)

    def sentence(self, address: str) -> Sentence | None:
        """The sentence of a node, in this language or else in English."""
        return self.language.sentences.get(address) or self.english.sentences.get(address)

    def form(self, forms: tuple[str, ...], number: int) -> str:
        """The plural form for a number."""
        if len(forms) == 1:
            return forms[0]
        c = Context((), (), me=-1, env=(abs(number),))
        at = next((at for at, rule in enumerate(self._plurals) if rule(c)), len(self._plurals))
        return forms[min(at, len(forms) - 1)]

    def name(self, kind: str, number: int, count: int = 1) -> str:
        """The name of a member of a kind."""
        word = self.notation.member(kind, number)
        forms = self.language.names.get(word) or self.english.names.get(word)
        return self.form(forms, count) if forms else word.replace("_", " ")

    def join(self, parts: list[str]) -> str:
        """`a, b and c`."""
        if not parts:
            return self.word("nothing")
        return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {self.word('and')} {parts[-1]}"

    def value(self, value: Any, type_: Type, hides: Hides | None = None) -> str:
        """A value in words."""
        match type_:
            case Flag():
                return self.word("yes" if value else "no")
            case Member(kind="seat"):
                return f"{self.word('seat')} {value}"
            case Member(kind=kind) if self.rules.kinds[kind].numeric:
                return str(value)
            case Member(kind=kind):
                return self.name(kind, value)
            case Thing(component=component):
                return self.thing(component, value, hides)
            case Bag(kind=kind) if kind:
                members = self.evaluator.members_at(kind)
                return self.join(
                    [f"{count} {self._counted(kind, members[at], count)}" for at, count in enumerate(value) if count]
                )
            case SetOf(of=of) if of is not None:
                return self.join([self.value(one, of, hides) for one in value])
            case Bag() | SetOf():
                return self.word("nothing")
            case _:
                return str(value)

    def _counted(self, kind: str, number: int, count: int) -> str:
        # a bag's member may be declared by another kind of the family
        info = self.rules.kinds[kind]
        if number in info.numbers:
            return self.name(kind, number, count)
        word = self.rules.family_members[info.family][number]
        forms = self.language.names.get(word) or self.english.names.get(word) or (word.replace("_", " "),)
        return self.form(forms, count)

    def thing(self, component: str, thing: int, hides: Hides | None = None) -> str:
        """The name of a thing."""
        if hides and hides(component, thing):
            return HIDDEN
        definition = self.rules.components[component]
        sentence = self.sentence(f"{definition.address}.rows.{definition.ids[thing]}")
        if sentence is not None and all(isinstance(part, str) for part in sentence.parts):
            return "".join(part for part in sentence.parts if isinstance(part, str))
        return definition.ids[thing]

    def say(self, address: str, c: Context, viewer: int, hides: Hides | None = None) -> str:
        """The sentence of a node with its holes filled; the empty string when it has none.

        `viewer`: number of the reader.
        """
        sentence = self.sentence(address)
        return "" if sentence is None else self.fill(sentence, c, viewer, hides)

    def fill(self, sentence: Sentence, c: Context, viewer: int, hides: Hides | None = None) -> str:
        """A sentence with its holes filled."""
        parts = []
        for part in sentence.parts:
            match part:
                case str():
                    parts.append(part)
                case Hole(expr=expr):
                    parts.append(self.show(expr, c, viewer, hides))
                case Plural(expr=expr, forms=forms):
                    number = self.evaluator.run(expr)(c) if self.may_read(expr, c, viewer) else 0
                    parts.append(self.form(forms, number))
        return "".join(parts)

    def show(self, expr: Expr, c: Context, viewer: int, hides: Hides | None = None) -> str:
        """The value of an expression in words, or `hidden`."""
        if not self.may_read(expr, c, viewer):
            return self.word("hidden")
        return self.value(self.evaluator.run(expr)(c), expr.type, hides)

    # ---- what a reader may know ---------------------------------------------------------------------------

    def may_read(self, expr: Expr, c: Context, viewer: int, bound: frozenset[int] = frozenset()) -> bool:
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
                terms = tuple(term for _, term in (*definition.terms, *definition.less))
                open_keys = frozenset(slot for slot, key in enumerate(keys) if _hangs_on(key, bound))
                env = tuple(None if slot in open_keys else self.evaluator.run(key)(c) for slot, key in enumerate(keys))
                inner = Context(c.contents, c.variables, me=c.me, env=env, first=c.first, round=c.round)
                return self._all(keys, c, viewer, bound) and self._all(terms, inner, viewer, open_keys)
            case Quantified(slot=slot) | Each(slot=slot) | Sum(slot=slot) | Extreme(slot=slot):
                return self._all(children(expr), c, viewer, bound | {slot})
            case _:
                return self._all(children(expr), c, viewer, bound)

    def _all(self, exprs: tuple[Expr, ...], c: Context, viewer: int, bound: frozenset[int]) -> bool:
        return all(self.may_read(one, c, viewer, bound) for one in exprs)

    def _sees(self, read: ReadZone, name: str, c: Context, viewer: int, bound: frozenset[int]) -> bool:
        zone = self.rules.zones[name]
        sees = self.sight.sees[viewer]
        if all(sees[zone.first : zone.first + zone.size]):
            return True
        if any(_hangs_on(key, bound) for key in read.keys):
            return False  # a key that runs through something has no value here
        return all(sees[place] for place in self.evaluator.places(zone, read.keys)(c))

    @property
    def _secret(self) -> bool:
        return any(zone.seen_by != "all" for zone in self.rules.zones.values())


def _keys(read: ReadZone) -> tuple[Expr, ...]:
    return read.keys if read.member is None else (*read.keys, read.member)


def _hangs_on(key: Expr, bound: frozenset[int]) -> bool:
    """Whether a key reads one of the variables that run through something."""
    return any(isinstance(part, Local) and part.slot in bound for part in parts(key))

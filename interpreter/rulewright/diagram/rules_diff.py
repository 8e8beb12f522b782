"""What differs between two sets of rules: the rules with a variant, and the same rules without it.

In: the rules now, and the rules before. Out: which steps, actions, conditions and places say something else, be it
that they are written otherwise or that they read a number that is another now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeVar

from rulewright.diagram.diagram import DiffMark
from rulewright.engine.notation import Notation
from rulewright.expr.templates import PluralHole, SentenceTemplate
from rulewright.expr.tree import Constant, Expr, ReadParameter, ReadState, ReadValue
from rulewright.expr.types import Member, SetOf
from rulewright.model.rules import Choice, Clause, Criterion, Pay, Rules, Step, ZoneDef
from rulewright.model.sentences import template_exprs
from rulewright.model.traversal import domain_exprs, iter_exprs, step_exprs

T = TypeVar("T")
SEAT: Final = "seat"  # how many play is no rule
SectionName = tuple[str, str]  # a section and a name in it
OldAndNew = tuple[T | None, T | None]  # before, now

MARK_PREFIXES: Final[dict[DiffMark, str]] = {"": "", "new": "+ ", "changed": "~ ", "gone": "− "}


def pair_up(before: Iterable[T], now: Iterable[T], name: Callable[[T], str]) -> list[OldAndNew[T]]:
    """Two series as one, in pairs of what bears the same name: what is gone stands behind what it stood behind."""
    old, new = {name(one): one for one in before}, {name(one): one for one in now}
    gone: dict[str, list[str]] = {}  # behind which one
    last = ""
    for key in old:
        if key in new:
            last = key
        else:
            gone.setdefault(last, []).append(key)
    order = [*gone.get("", ()), *(key for one in new for key in (one, *gone.get(one, ())))]
    return [(old.get(key), new.get(key)) for key in order]


def presence_mark(before: object, now: object) -> DiffMark:
    """The mark of what there is only now, or only before."""
    return "new" if before is None else "gone" if now is None else ""


class RulesDiff:
    """Holds rules against what they were before."""

    def __init__(self, before: Rules, now: Rules) -> None:
        self.before = before
        self.after = now
        self.changed_names = frozenset(_names(before, now)) if before is not now else frozenset[SectionName]()

    def mark(self, old: T | None, new: T | None, is_changed: Callable[[T, T], bool]) -> DiffMark:
        """The mark of a rule that was `old` and is `new`; `differ`: the method that holds two of its kind together."""
        if old is None or new is None:
            return presence_mark(old, new)
        return "changed" if old is not new and is_changed(old, new) else ""

    def has_changed_reads(self, exprs: Iterable[Expr | None]) -> bool:
        """Whether expressions read something that is another now."""
        return any(name in self.changed_names for expr in exprs if expr is not None for name in _read(expr))

    def append_changed_values(self, text: str, exprs: Iterable[Expr | None]) -> str:
        """A text with those numbers behind it that its expressions read and that are others now."""
        read = dict.fromkeys(name for expr in exprs if expr is not None for name in _read(expr))
        names = [name for section, name in read if section == "parameters" and (section, name) in self.changed_names]
        notes = [f"{name}: {_value(self.before, name)} → {_value(self.after, name)}" for name in names]
        return f"{text} ({', '.join(notes)})" if notes else text

    def is_condition_changed(self, old: Step, new: Step) -> bool:
        """Whether the condition of a step is another."""
        same = dict(old.source_texts).get("when") == dict(new.source_texts).get("when")
        return not same or self.is_sentence_changed(f"{new.address}.when") or self.has_changed_reads((new.when,))

    def is_step_changed(self, old: Step, new: Step) -> bool:
        """Whether a step is another: not its condition, and not the steps inside it."""
        return (
            _written(old) != _written(new)
            or type(old.effect) is not type(new.effect)
            or getattr(old.effect, "mode", "") != getattr(new.effect, "mode", "")
            or self.is_sentence_changed(new.address)
            or self.has_changed_reads(expr for expr in step_exprs(new) if expr is not new.when)
        )

    def is_choice_changed(self, old: Choice, new: Choice) -> bool:
        """Whether a choice has other answers."""
        return (
            old.source_texts != new.source_texts
            or type(old.domain) is not type(new.domain)
            or self._wild(self.before, old) != self._wild(self.after, new)
            or self.is_sentence_changed(new.address)
            or self.has_changed_reads(domain_exprs(new.domain))
        )

    @staticmethod
    def _wild(rules: Rules, choice: Choice) -> tuple[str, int] | None:
        domain, kind = choice.domain, getattr(choice.type, "kind", "")
        if not isinstance(domain, Pay) or domain.wild is None:
            return None
        return rules.family_members[rules.kinds[kind].family][domain.wild], domain.wild_value

    def is_clause_changed(self, old: Clause, new: Clause) -> bool:
        """Whether a condition of an action is another."""
        return (
            old.source_text != new.source_text
            or self.is_sentence_changed(new.address)
            or self.has_changed_reads((new.condition,))
        )

    def is_criterion_changed(self, old: Criterion, new: Criterion) -> bool:
        """Whether a line of the ranking is another."""
        return (
            (old.is_maximized, old.source_text) != (new.is_maximized, new.source_text)
            or self.is_sentence_changed(new.address)
            or self.has_changed_reads((new.of,))
        )

    def is_zone_changed(self, old: ZoneDef, new: ZoneDef) -> bool:
        """Whether a zone is another: what it holds, who sees it, how large it is."""
        return (
            _standing(self.before, old.address) != _standing(self.after, new.address)
            or _sizes(old) != _sizes(new)
            or self.is_sentence_changed(new.address)
            or self.has_changed_reads((new.capacity, new.initial_content))
        )

    def is_sentence_changed(self, address: str) -> bool:
        """Whether the sentence at an address is another, or has another value in it, in some language."""
        for code in {*self.before.languages, *self.after.languages}:
            one, other = (
                rules.languages[code].sentences.get(address) if code in rules.languages else None
                for rules in (self.before, self.after)
            )
            if (_words(one) if one else None) != (_words(other) if other else None):
                return True
            if other is not None and self.has_changed_reads(template_exprs(other)):
                return True
        return False


def _value(rules: Rules, name: str) -> str:
    """What a parameter is, for each member where it is kept so."""
    parameter = rules.parameters.get(name)
    if parameter is None:
        return "−"
    values = [parameter.value] if parameter.values_by_key is None else parameter.values_by_key.values()
    return ", ".join(Notation(rules).format_value(value, parameter.type) for value in values)


def _sizes(zone: ZoneDef) -> list[tuple[int, ...]]:
    """Over what the keys of a zone run, but for seats: how many play is no rule of a zone."""
    return [values for key, values in zip(zone.key_types, zone.key_values, strict=True) if key != Member(SEAT)]


def _words(sentence: SentenceTemplate) -> tuple[object, ...]:
    return tuple(
        part if isinstance(part, str) else (part.text, part.forms if isinstance(part, PluralHole) else ())
        for part in sentence.parts
    )


def _written(step: Step) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(pair for pair in step.source_texts if pair[0] != "when"))


def _standing(rules: Rules, address: str) -> dict[str, object]:
    """Which file and place wrote what stands at an address and below it."""
    return {
        where: [(span.source.path, span.start, span.end) for span in (note.span, *note.history)]
        for where, note in rules.provenance.items()
        if where == address or where.startswith(f"{address}.")
    }


def _read(expr: Expr) -> Iterator[SectionName]:
    """The names that an expression reads."""
    for part in iter_exprs(expr):
        match part:
            case ReadParameter(name=name):
                yield "parameters", name
            case ReadValue(name=name):
                yield "values", name
            case ReadState(name=name):
                yield "state", name
            case Constant(type=SetOf(element=Member(kind=kind))) if kind != SEAT:
                yield "kinds", kind


def _names(before: Rules, now: Rules) -> Iterator[SectionName]:
    """What is another than before: numbers, kinds with other members, derived values and what they read."""
    found: set[SectionName] = set()
    for name, parameter in now.parameters.items():
        old = before.parameters.get(name)
        if old is None or (old.value, old.values_by_key) != (parameter.value, parameter.values_by_key):
            found.add(("parameters", name))
    for name, kind in now.kinds.items():
        if name not in before.kinds or before.kinds[name].members != kind.members:
            found.add(("kinds", name))
    for section, names in (("values", now.values), ("state", now.states)):
        for name in names:
            address = f"{section}.{name}"
            if _standing(before, address) != _standing(now, address):
                found.add((section, name))
    grown = True
    while grown:
        more = {
            ("values", name)
            for name, value in now.values.items()
            if any(one in found for _, expr in (*value.terms, *value.deductions) for one in _read(expr))
        }
        grown = not more <= found
        found |= more
    return iter(found)


__all__ = ["MARK_PREFIXES", "OldAndNew", "RulesDiff", "pair_up", "presence_mark"]

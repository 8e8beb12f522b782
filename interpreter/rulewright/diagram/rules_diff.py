"""What differs between two sets of rules: the rules with a variant, and the same rules without it.

In: the rules before, and the rules after a change. Out: which steps, actions, conditions and zones differ: because they
are written otherwise, or because they read a value that has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeVar

from rulewright.diagram.diagram import DiffMark
from rulewright.document.text_addresses import reason_address
from rulewright.engine.notation import Notation
from rulewright.expr.sentence_template import PluralHole, SentenceTemplate
from rulewright.expr.templates import template_exprs
from rulewright.expr.tree import Constant, Expr, ReadParameter, ReadState, ReadValue
from rulewright.expr.types import SEAT, Member, SetOf
from rulewright.expr.walk import iter_exprs
from rulewright.model.actions import Choice, Clause, Pay
from rulewright.model.effects import Step
from rulewright.model.rules import Criterion, Rules, ZoneDef
from rulewright.model.traversal import choice_exprs, step_exprs

T = TypeVar("T")
SectionName = tuple[str, str]  # a section and a name in it
OldAndNew = tuple[T | None, T | None]  # None: it does not exist there

MARK_PREFIXES: Final[dict[DiffMark, str]] = {"": "", "new": "+ ", "changed": "~ ", "gone": "− "}


def pair_up(before: Iterable[T], after: Iterable[T], name: Callable[[T], str]) -> list[OldAndNew[T]]:
    """Pairs of items with the same name, in the order after the change; what is gone comes behind its predecessor."""
    old, new = {name(item): item for item in before}, {name(item): item for item in after}
    gone: dict[str, list[str]] = {}  # by the last name before them that is still there
    last = ""
    for key in old:
        if key in new:
            last = key
        else:
            gone.setdefault(last, []).append(key)
    order = [*gone.get("", ()), *(key for kept in new for key in (kept, *gone.get(kept, ())))]
    return [(old.get(key), new.get(key)) for key in order]


def presence_mark(old: object, new: object) -> DiffMark:
    """The mark of what exists only before or only after the change."""
    return "new" if old is None else "gone" if new is None else ""


class RulesDiff:
    """Compares rules with what they were before a change."""

    def __init__(self, before: Rules, after: Rules) -> None:
        self.before = before
        self.after = after
        self.changed_names = _changed_names(before, after) if before is not after else frozenset[SectionName]()

    def mark(self, old: T | None, new: T | None, is_changed: Callable[[T, T], bool]) -> DiffMark:
        """The mark of a rule. `is_changed`: the method that compares two of its kind."""
        if old is None or new is None:
            return presence_mark(old, new)
        return "changed" if old is not new and is_changed(old, new) else ""

    def has_changed_reads(self, exprs: Iterable[Expr | None]) -> bool:
        """Whether expressions read something that has changed."""
        return any(name in self.changed_names for expr in exprs if expr is not None for name in _iter_reads(expr))

    def append_changed_values(self, text: str, exprs: Iterable[Expr | None]) -> str:
        """A text, and behind it the parameters that its expressions read, themselves or through values, and that have
        changed.
        """
        read = dict.fromkeys(name for expr in exprs if expr is not None for name in _iter_reads(expr))
        waiting = list(read)
        while waiting:
            section, name = waiting.pop(0)
            value = self.after.values.get(name) if section == "values" else None
            for _, expr in () if value is None else (*value.terms, *value.deductions):
                found = [one for one in _iter_reads(expr) if one not in read]
                read.update(dict.fromkeys(found))
                waiting += found
        names = [name for section, name in read if section == "parameters" and (section, name) in self.changed_names]
        notes = [f"{name}: {_value(self.before, name)} → {_value(self.after, name)}" for name in names]
        return f"{text} ({', '.join(notes)})" if notes else text

    def is_condition_changed(self, old: Step, new: Step) -> bool:
        """Whether the condition of a step differs."""
        is_same = dict(old.source_texts).get("when") == dict(new.source_texts).get("when")
        return not is_same or self.is_sentence_changed(f"{new.address}.when") or self.has_changed_reads((new.when,))

    def is_step_changed(self, old: Step, new: Step) -> bool:
        """Whether a step differs, apart from its condition and the steps inside it."""
        return (
            _source_texts(old) != _source_texts(new)
            or type(old.effect) is not type(new.effect)
            or getattr(old.effect, "mode", "") != getattr(new.effect, "mode", "")
            or self.is_sentence_changed(new.address)
            or self.has_changed_reads(expr for expr in step_exprs(new) if expr is not new.when)
        )

    def is_choice_changed(self, old: Choice, new: Choice) -> bool:
        """Whether the domain of a choice differs."""
        return (
            old.source_texts != new.source_texts
            or type(old.domain) is not type(new.domain)
            or self._wild_pieces(self.before, old) != self._wild_pieces(self.after, new)
            or self.is_sentence_changed(new.address)
            or self.is_sentence_changed(reason_address(new.address))
            or self.has_changed_reads(choice_exprs(new))
        )

    @staticmethod
    def _wild_pieces(rules: Rules, choice: Choice) -> tuple[bool, list[str]] | None:
        """Which pieces are wild, and whether one stands for pieces of one sort."""
        domain, kind = choice.domain, getattr(choice.type, "kind", "")
        if not isinstance(domain, Pay) or not domain.wild:
            return None
        members = rules.family_members[rules.kinds[kind].family]
        return domain.is_one_sort, [members[member] for member in domain.wild]

    def is_clause_changed(self, old: Clause, new: Clause) -> bool:
        """Whether a condition of an action differs."""
        return (
            old.source_text != new.source_text
            or self.is_sentence_changed(new.address)
            or self.is_sentence_changed(reason_address(new.address))
            or self.has_changed_reads((new.condition,))
        )

    def is_criterion_changed(self, old: Criterion, new: Criterion) -> bool:
        """Whether a criterion of the ranking differs."""
        return (
            (old.is_maximized, old.source_text) != (new.is_maximized, new.source_text)
            or self.is_sentence_changed(new.address)
            or self.has_changed_reads((new.of,))
        )

    def is_zone_changed(self, old: ZoneDef, new: ZoneDef) -> bool:
        """Whether a zone differs: what it holds, who sees it, how large it is."""
        return (
            _origins(self.before, old.address) != _origins(self.after, new.address)
            or _sizes(old) != _sizes(new)
            or self.is_sentence_changed(new.address)
            or self.has_changed_reads((new.capacity, new.initial_content))
        )

    def is_sentence_changed(self, address: str) -> bool:
        """Whether the sentence at an address differs in some language, or has a value that has changed."""
        for code in {*self.before.languages, *self.after.languages}:
            old, new = (
                rules.languages[code].sentences.get(address) if code in rules.languages else None
                for rules in (self.before, self.after)
            )
            if (_shape(old) if old else None) != (_shape(new) if new else None):
                return True
            if new is not None and self.has_changed_reads(template_exprs(new)):
                return True
        return False


def _value(rules: Rules, name: str) -> str:
    """The value of a parameter, or its values by key."""
    parameter = rules.parameters.get(name)
    if parameter is None:
        return "−"
    values = [parameter.value] if parameter.values_by_key is None else parameter.values_by_key.values()
    notation = Notation.for_people(rules)
    return ", ".join(notation.format_value(value, parameter.type) for value in values)


def _sizes(zone: ZoneDef) -> list[tuple[int, ...]]:
    """The values of the keys of a zone, but for seats: the number of players is not a rule of a zone."""
    return [values for key, values in zip(zone.key_types, zone.key_values, strict=True) if key != SEAT]


def _shape(template: SentenceTemplate) -> tuple[object, ...]:
    return tuple(
        part if isinstance(part, str) else (part.text, part.forms if isinstance(part, PluralHole) else ())
        for part in template.parts
    )


def _source_texts(step: Step) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(pair for pair in step.source_texts if pair[0] != "when"))


def _origins(rules: Rules, address: str) -> dict[str, object]:
    """Which files and positions wrote the rules at an address and inside it."""
    return {
        inner: [(span.source.path, span.start, span.end) for span in (note.span, *note.history)]
        for inner, note in rules.provenance.items()
        if inner == address or inner.startswith(f"{address}.")
    }


def _iter_reads(expr: Expr) -> Iterator[SectionName]:
    """The names that an expression reads."""
    for part in iter_exprs(expr):
        match part:
            case ReadParameter(name=name):
                yield "parameters", name
            case ReadValue(name=name):
                yield "values", name
            case ReadState(name=name):
                yield "state", name
            case Constant(type=SetOf(element=Member(kind=kind))):
                yield "kinds", kind


def _changed_names(before: Rules, after: Rules) -> frozenset[SectionName]:
    """What has changed: parameters, kinds with other members, states, derived values and those that read such."""
    changed: set[SectionName] = set()
    for name, parameter in after.parameters.items():
        old = before.parameters.get(name)
        if old is None or (old.value, old.values_by_key) != (parameter.value, parameter.values_by_key):
            changed.add(("parameters", name))
    for name, kind in after.kinds.items():
        if name not in before.kinds or before.kinds[name].members != kind.members:
            changed.add(("kinds", name))
    addresses = [("values", name, f"values.{name}") for name in after.values]
    addresses += [("state", name, state.address) for name, state in after.states.items()]
    for section, name, address in addresses:
        if _origins(before, address) != _origins(after, address):
            changed.add((section, name))
    is_growing = True
    while is_growing:
        readers = {
            ("values", name)
            for name, value in after.values.items()
            if any(read in changed for _, expr in (*value.terms, *value.deductions) for read in _iter_reads(expr))
        }
        is_growing = not readers <= changed
        changed |= readers
    return frozenset(changed)


__all__ = ["MARK_PREFIXES", "OldAndNew", "RulesDiff", "pair_up", "presence_mark"]

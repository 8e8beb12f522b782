"""What things, fields and variables are called in phrases, and what is known before play.

In: a set of rules, and a source of labels and values. Out: names. `expr_phrases` puts them together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Protocol

from rulewright import limits
from rulewright.expr.tree import Expr
from rulewright.expr.types import SEAT, Member, Thing, Type
from rulewright.model.actions import Choice
from rulewright.model.locale import ENGLISH
from rulewright.model.rules import Rules
from rulewright.suggestions import join_list
from rulewright.wording.messages import Messages
from rulewright.wording.static_value import is_static, set_element_type, type_name
from rulewright.wording.text_case import humanize, lower_first
from rulewright.wording.variables import bound_variable, mixes_seats


class PhraseSource(Protocol):
    """What phrases are made of that is known outside of them."""

    def label(self, address: str) -> str:
        """What the rule at an address is called."""

    def static_value(self, expr: Expr) -> str:
        """The value of a static expression as text."""

    def static_elements(self, expr: Expr) -> list[str]:
        """The elements of a static set as texts."""

    def static_number(self, expr: Expr) -> int:
        """The number that a static expression is; of a bag how many it holds."""

    def family_member_label(self, member: str, count: int) -> str:
        """What a member of a kind is called. `count`: how many of it, for the plural."""

    def varies(self, expr: Expr) -> bool:
        """Whether the value of a static expression depends on the number of players."""


class NameRenderer:
    """The names in the phrases of one set of rules."""

    def __init__(self, rules: Rules, messages: Messages, source: PhraseSource) -> None:
        self.rules = rules
        self.messages = messages
        self.label = source.label
        self.source = source
        self._choice_labels: Mapping[str, str] = {}
        self._any_elements: Mapping[int, str] = {}  # what stands for a variable that needs no name, by its slot
        self._mixes_seats: bool | None = None  # whether players have to be told apart by name; None: outside a phrase

    @contextmanager
    def choices_called(self, labels: Mapping[str, str]) -> Iterator[None]:
        """Inside it, the choices of an action are called by these labels. `labels`: by the name of the choice."""
        previous, self._choice_labels = self._choice_labels, labels
        try:
            yield
        finally:
            self._choice_labels = previous

    @contextmanager
    def distinguishing_seats(self, exprs: Iterable[Expr | None]) -> Iterator[None]:
        """Inside it, players are called by the names of their variables where these expressions have several.

        An inner one changes nothing: what a sentence as a whole needs holds for all of its parts.
        """
        previous = self._mixes_seats
        if previous is None:
            self._mixes_seats = mixes_seats(expr for expr in exprs if expr is not None)
        try:
            yield
        finally:
            self._mixes_seats = previous

    @contextmanager
    def _called(self, slot: int, element: str) -> Iterator[None]:
        """Inside it, a variable is called like this."""
        previous, self._any_elements = self._any_elements, {**self._any_elements, slot: element}
        try:
            yield
        finally:
            self._any_elements = previous

    def _message(self, key: str, **holes: object) -> str:
        return self.messages(f"book_{key}", **holes)

    def join_list(self, items: list[str], word: str = "and") -> str:
        """`a, b and c`; `word`: the key of the last conjunction."""
        return join_list(items, self._message(word)) if items else self._message("nothing")

    def is_known(self, expr: Expr) -> bool:
        """Whether it is known before play and the same for all numbers of players."""
        return is_static(expr) and not self.source.varies(expr)

    # ---- variables ----------------------------------------------------------------------------------------

    def variable(self, name: str, type_: Type) -> str:
        """What a variable is called where it is introduced."""
        if isinstance(type_, Member) and type_.kind == SEAT.kind:
            is_plain = name == SEAT.kind or not self._mixes_seats
            return self._message("seat") if is_plain else self._message("called_seat", name=humanize(name))
        if self._is_noun(name, type_):
            return self._message("variable", name=self._noun(name))
        return self._message("quoted", name=humanize(name))

    def choice_name(self, choice: Choice) -> str:
        """What a choice without a label is called, as steps call what was chosen."""
        is_noun = self._is_noun(choice.name, choice.type)
        return self._noun(choice.name) if is_noun else humanize(choice.name)

    def _bound_label(self, slot: int, body: Expr, over: Expr) -> str:
        """What the variable of a quantifier is called."""
        return self.variable(*bound_variable(slot, body, over))

    def _is_noun(self, name: str, type_: Type) -> bool:
        """Whether a variable has the name of its component or kind, so that its name says what it is."""
        return name == type_name(type_) and (name in self.rules.components or name in self.rules.kinds)

    def _noun(self, name: str) -> str:
        """The name of a component or kind as the name of one of it."""
        if self.messages.locale == ENGLISH:  # the label may be a plural
            return humanize(name)
        return lower_first(self.label(f"{'components' if name in self.rules.components else 'kinds'}.{name}"))

    # ---- kinds, components, fields ------------------------------------------------------------------------

    def _is_called_by_label(self, kind: str) -> bool:
        """Whether all members of a kind are called by its label: too many to be listed, or squares."""
        is_long = len(self.rules.kinds[kind].members) > limits.MAX_NAMED_MEMBERS
        return kind != SEAT.kind and (is_long or self._is_board(kind))

    def _is_board(self, kind: str) -> bool:
        """Whether a kind is a board of squares."""
        return bool(self.rules.kinds[kind].columns)

    def _field_label(self, of: Expr, name: str) -> str:
        thing = set_element_type(of)
        if isinstance(thing, Member):
            return self._message(f"cell_{name}")
        component = thing.component if isinstance(thing, Thing) else ""
        return self.label(f"components.{component}.fields.{name}")


__all__ = ["NameRenderer", "PhraseSource"]

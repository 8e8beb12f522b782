"""What is offered to whoever has to choose: actions, perhaps under conditions of their own.

In: steps that say `must`, `may` or `together`. Out: their offers.
"""

from __future__ import annotations

from typing import Literal

from rulewright import limits
from rulewright.diagnostics import Cause, Related
from rulewright.expr.scope import Scope
from rulewright.model import codes
from rulewright.model.actions import Choice
from rulewright.model.choices import ChoiceReader
from rulewright.model.effects import ChoiceMode, Choose, Offer
from rulewright.model.expr_reader import ExprReader
from rulewright.source.nodes import (
    Entry,
    MappingNode,
    Node,
    ScalarNode,
    as_items,
    as_mapping,
    as_scalar,
    text_or_default,
)


class OfferReader:
    """Reads the offers of steps. `indices`: the numbers of the actions, in the order of the files."""

    def __init__(self, reader: ExprReader, choices: ChoiceReader) -> None:
        self.reader = reader
        self.choices = choices
        self.indices = {entry.key.text: index for index, entry in enumerate(reader.section("actions"))}
        self._entries = {entry.key.text: entry for entry in reader.section("actions")}
        self._choices: dict[str, tuple[tuple[Choice, ...], Scope]] = {}  # and the scope after them

    def choices_of(self, entry: Entry) -> tuple[tuple[Choice, ...], Scope]:
        """The choices of an action and the scope after them; an offer with clauses may need them first."""
        name, address = entry.key.text, f"actions.{entry.key.text}"
        if name in self._choices:
            return self._choices[name]
        scope = self.reader.scope(has_me=True)
        choices: list[Choice] = []
        written = as_mapping(as_mapping(entry.value).get("choose")).entries
        for item in written[: limits.MAX_CHOICES]:
            choice = self.choices.read_choice(item, scope, f"{address}.choose.{item.key.text}")
            choices.append(choice)
            scope = self.reader.bind_choice(item.key, choice.type, scope, choice.address)
        if len(written) > limits.MAX_CHOICES:
            self.reader.diagnostics.add(
                entry.key.span,
                codes.TOO_MANY,
                f"{len(written)} choices in one action, over the limit of {limits.MAX_CHOICES}",
                address=address,
            )
        self._choices[name] = tuple(choices), scope
        return self._choices[name]

    def read_choose(self, node: MappingNode, mode: ChoiceMode, scope: Scope, address: str) -> Choose:
        """The offers of a step, and what is done where none of them is possible."""
        if not scope.has_me and "by" not in node and mode != "together":
            self.reader.diagnostics.add(
                next(entry.key.span for entry in node if entry.key.text == mode),
                codes.NEEDS_A_TURN,
                "it is nobody's turn here, so this needs `by`",
                label="nobody decides",
                help="add `by:` and a player",
                address=address,
                cause=Cause("no key", "by"),
            )
        offers = []
        for item in as_items(node.get(mode)):
            if isinstance(item, ScalarNode):
                index = self._action_index(item, address)
                if index is not None:
                    offers.append(Offer(index, ()))
                continue
            for entry in as_mapping(item):
                index = self._action_index(entry.key, address)
                if index is not None:
                    _, own = self.choices_of(self._entries[entry.key.text])
                    inner = own.within(scope)
                    where = f"{address}.{mode}.{entry.key.text}"
                    offers.append(Offer(index, self.choices.read_clauses(as_mapping(entry.value), inner, where)))
        self._check_offers(node.get(mode), address)
        otherwise_node = as_scalar(node.get("if_unable"))
        otherwise: int | Literal["nothing"] | None = None
        if otherwise_node is not None:
            is_nothing = otherwise_node.text == "nothing"
            otherwise = "nothing" if is_nothing else self._action_index(otherwise_node, address, others=("nothing",))
        is_automatic = text_or_default(node.get("if_only_one")) == "automatic"
        sees_around = bool(scope.locals) and any(offer.clauses for offer in offers)
        return Choose(mode, tuple(offers), otherwise, is_automatic, sees_around)

    def _check_offers(self, offers: Node | None, address: str) -> None:
        seen: dict[str, ScalarNode] = {}
        for item in as_items(offers):
            for key in [item] if isinstance(item, ScalarNode) else [entry.key for entry in as_mapping(item)]:
                if key.text in seen:
                    self.reader.diagnostics.add(
                        key.span,
                        codes.OFFERED_TWICE,
                        f"this step already offers `{key.text}`",
                        address=address,
                        related=[Related(seen[key.text].span, "first offered here")],
                    )
                seen.setdefault(key.text, key)
        if not seen and offers is not None:
            self.reader.diagnostics.add(offers.span, codes.NO_EFFECT, "this step offers no action", address=address)

    def _action_index(self, node: ScalarNode, address: str, *, others: tuple[str, ...] = ()) -> int | None:
        """The number of an action; `others`: words that can be written instead."""
        self.reader.usage.used_names.add(node.text)
        if node.text in self.indices:
            return self.indices[node.text]
        self.reader.usage.used_names.update(self.indices)  # it may mean any of them
        is_procedure = any(entry.key.text == node.text for entry in self.reader.section("procedures"))
        advice = (
            f"`{node.text}` is a procedure: a step of its own carries it out, `run: {node.text}`"
            if is_procedure
            else ""
        )
        self.reader.emit_unknown(node, "action", [*others, *self.indices], address, advice=advice)
        return None


__all__ = ["OfferReader"]

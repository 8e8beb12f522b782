"""Which variants of a game cannot be played together, and why.

In: a game and its variants, each with those that it requires. Out: for a variant the others that it excludes. Only
variants that meet somewhere are compared: at a rule, beside a step, in a group, or by name. All others go together,
unless their numbers of players differ or one of them cannot be applied at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.diagnostics import Diagnostics
from rulewright.document.address import AddressParts
from rulewright.document.document import Document
from rulewright.document.editing import resolve_address
from rulewright.frozen import frozen
from rulewright.model.allowed_players import common_player_counts
from rulewright.model.loader import build_composition, compose_document
from rulewright.source.nodes import ScalarNode
from rulewright.variants.cancellations import take_back_changes
from rulewright.variants.conflicts import Meeting, find_conflicts
from rulewright.variants.layers import sort_into_layers
from rulewright.variants.overlay import apply_variants
from rulewright.variants.variant import Variant

OTHER_PLAYERS = "they are for different numbers of players"


@frozen
class VariantStack:
    """A variant with all that it requires below it."""

    variant: Variant
    requirements: tuple[Variant, ...]

    @property
    def name(self) -> str:
        """The name of the variant."""
        return self.variant.name

    @property
    def layers(self) -> tuple[Variant, ...]:
        """The variants that are applied to a game when this one is chosen."""
        return (*self.requirements, self.variant)


class VariantConflicts:
    """The variants of a game, indexed by where they could meet. `stacks`: in the order in which they are listed."""

    def __init__(self, document: Document, stacks: Sequence[VariantStack]) -> None:
        self.document = document
        self.stacks = [stack for stack in stacks if stack.variant.kind != "joins"]
        self._joint_files = [stack.variant for stack in stacks if stack.variant.kind == "joins"]
        self._layer_names = {stack.name: {variant.name for variant in stack.layers} for stack in stacks}
        self._counts = {stack.name: common_player_counts(document, stack.layers) for stack in stacks}
        self._sets_players = {
            stack.name
            for stack in stacks
            if any(change.parts == ("players",) for variant in stack.layers for change in variant.changes)
        }
        self._errors = {stack.name: self._first_error(stack.layers) for stack in self.stacks}
        layers = {variant.name: variant for stack in stacks for variant in stack.layers}
        self._changes = {
            name: [
                (change, resolve_address(document.root, change.parts, change.new_value)) for change in variant.changes
            ]
            for name, variant in layers.items()
        }
        self._replaced_sections = {
            parts[0] for changes in self._changes.values() for _, parts in changes if len(parts) == 1
        }
        self._points = {
            stack.name: {point for variant in stack.layers for point in self._meeting_points(variant)}
            for stack in stacks
        }
        self._by_point: dict[AddressParts, set[str]] = {}
        for name, points in self._points.items():
            for point in points:
                self._by_point.setdefault(point, set()).add(name)
        self._reasons: dict[frozenset[str], str] = {}

    def of(self, stack: VariantStack) -> Iterator[tuple[VariantStack, str]]:
        """The variants that cannot be played together with one, each with the reason."""
        if stack.variant.kind == "joins":
            return
        met: set[str] = set().union(*(self._by_point[point] for point in self._points[stack.name]))
        for other in self.stacks:
            if other.name in self._layer_names[stack.name] or stack.name in self._layer_names[other.name]:
                continue
            reason = self._reason(stack, other, is_met=other.name in met)
            if reason:
                yield other, reason

    def _reason(self, stack: VariantStack, other: VariantStack, *, is_met: bool) -> str:
        """Why two variants cannot be played together; empty when they can."""
        if not self._have_common_counts(stack, other):
            return OTHER_PLAYERS
        if not is_met:
            return self._errors[stack.name] or self._errors[other.name]
        pair = frozenset((stack.name, other.name))
        if pair not in self._reasons:
            layers = tuple({variant.name: variant for variant in (*stack.layers, *other.layers)}.values())
            self._reasons[pair] = self._first_conflict(self._with_joint_files(layers))
        return self._reasons[pair]

    def _with_joint_files(self, layers: Sequence[Variant]) -> Sequence[Variant]:
        """The layers and the files that join some of them, without what these take back."""
        names = {variant.name for variant in layers}
        joint = [one for one in self._joint_files if names.issuperset(one.requires) and one.name not in names]
        return take_back_changes((*layers, *joint), Diagnostics())

    def _have_common_counts(self, stack: VariantStack, other: VariantStack) -> bool:
        if stack.name in self._sets_players or other.name in self._sets_players:
            layers = tuple({variant.name: variant for variant in (*stack.layers, *other.layers)}.values())
            return bool(common_player_counts(self.document, layers))
        one, two = self._counts[stack.name], self._counts[other.name]
        return max(one[0], two[0]) <= min(one[-1], two[-1]) if one and two else False

    def _first_conflict(self, layers: Sequence[Variant]) -> str:
        """Why variants exclude one another by what they say, before they are applied, which takes much longer."""
        diagnostics = Diagnostics()
        sorted_layers = sort_into_layers(self.document, layers, diagnostics)
        chosen = {variant.name: variant for layer in sorted_layers for variant in layer}
        meetings = find_conflicts(self.document.root, chosen, diagnostics).meetings
        return _first_error_message(diagnostics) or self._first_error(layers) or self._first_meeting(meetings, layers)

    def _first_error(self, layers: Sequence[Variant]) -> str:
        diagnostics = Diagnostics()
        apply_variants(self.document, layers, diagnostics)
        return _first_error_message(diagnostics)

    def _first_meeting(self, meetings: Sequence[Meeting], layers: Sequence[Variant]) -> str:
        """Why steps that are inserted at one position do not go together."""
        if not meetings:
            return ""
        diagnostics = Diagnostics()
        composition = compose_document(self.document, None, [str(variant.path) for variant in layers], diagnostics)
        if composition is not None:
            build_composition(composition, diagnostics)
        return _first_error_message(diagnostics)

    def _meeting_points(self, variant: Variant) -> Iterator[AddressParts]:
        """What another variant must touch as well to be excluded: a rule, a section that somebody replaces, the steps
        beside which one is inserted, the group, or a name.
        """
        for name in (variant.name, *variant.conflicts, *variant.after):
            yield ("variant", "", name)
        if variant.group:
            yield ("group", "", variant.group)
        for change, parts in self._changes[variant.name]:
            yield parts[:2]
            if parts[0] in self._replaced_sections:
                yield parts[:1]
            if change.anchor is not None and isinstance(change.anchor.value, ScalarNode):
                yield (*parts[:-1], change.anchor.value.text)[:2]


def _first_error_message(diagnostics: Diagnostics) -> str:
    return next((diagnostic.message for diagnostic in diagnostics if diagnostic.severity == "error"), "")


__all__ = ["VariantConflicts", "VariantStack"]

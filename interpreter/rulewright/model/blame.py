"""Rules that are right by themselves and wrong with a variant: the complaint belongs to the variant.

In: complaints about composed rules, and a way to lay fewer changes. Out: the same report; what a variant caused is
shown at its line, with the place in the rules below beside it. The culprit is found by trying: the change with which a
complaint first appears, when one after the other is laid over, has caused it. It is looked for by halves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from rulewright import limits
from rulewright.diagnostics import Diagnostic, Diagnostics, Related, Span
from rulewright.model import codes
from rulewright.source.nodes import MappingNode
from rulewright.variants.layers import required_variants, variants_below
from rulewright.variants.related_notes import add_base_note
from rulewright.variants.variant import Change, Variant, is_setting

DiagnosticKey = tuple[str, int, str]
TryBuild = Callable[
    [Sequence[Variant]], Diagnostics | None
]  # the complaints when only these are laid over; None: too long
VariantCause = tuple[Variant, Change | None]  # None: the variant, but nobody has looked for the change


@dataclass(slots=True)
class _Blame:
    """Whose fault it is. `root`: the composed rules; `laid`: the variants in them, lowest first."""

    laid: Sequence[Variant]
    trial: TryBuild
    root: MappingNode
    variant_by_path: dict[str, Variant] = field(init=False)  # by file

    def __post_init__(self) -> None:
        self.variant_by_path = {one.root.span.source.path: one for one in self.laid}

    def attribute(self, found: Diagnostics, *, warnings: bool) -> Diagnostics:
        """The complaints of composed rules, each where its cause is.

        Warnings about the rules below are left out without `warnings`, since whose they are takes long to find, and
        beside errors, of which they may come.
        """
        warnings = warnings and not found.error_count
        wanted = [one for one in found if one.severity == "error" or warnings]
        overlays = [one for one in self.laid if one.is_always_applied and not one.requires]
        chosen = [one for one in self.laid if one not in overlays]
        below = {one.root.span.source.path for one in overlays}  # as good as the game's own files
        strange = {_spot(one) for one in wanted if one.span.source.path not in self.variant_by_path}
        causes = self._causes(strange, self.laid, ()) if strange else {}
        if strange := {_spot(one) for one in wanted if one.span.source.path in below}:
            causes |= self._causes(strange, chosen, overlays)
        together = self._together([one for one in wanted if one.severity == "error"])
        first: dict[object, DiagnosticKey] = {}  # of the complaints of one cause
        others: dict[DiagnosticKey, list[Diagnostic]] = {}
        for one in wanted:
            if (cause := causes.get(_spot(one))) is not None:
                what = one.severity if one.severity == "error" else one.code.name
                group = (id(cause[1]) if cause[1] is not None else cause[0].name, what)
                others.setdefault(first.setdefault(group, _spot(one)), []).append(one)

        def at_its_cause(one: Diagnostic) -> Diagnostic | None:
            spot = _spot(one)
            if one.span.source.path in self.variant_by_path and spot not in causes:
                return self._of_a_variant(one, together.get(spot))
            if spot in causes and spot in others:
                told, (_, change) = _caused(others[spot], causes[spot]), causes[spot]
                return told if change is None else add_base_note(told, [change], self.root)
            if spot in causes:
                return None  # told with the first
            return one if one.severity == "error" or warnings else None

        result = Diagnostics()
        result.merge(found, at_its_cause)  # with what is beyond the limit: that is told once, at the end
        return result

    def _of_a_variant(self, one: Diagnostic, cause: VariantCause | None) -> Diagnostic:
        """A complaint at a variant's own line, with what was there before it, and another variant that takes part."""
        one = add_base_note(one, self.variant_by_path[one.span.source.path].changes, self.root)
        if cause is None:
            return one
        variant, change = cause
        span = variant.head_span() if change is None else change.span
        return replace(one, related=(Related(span, f"only with this change of `{variant.name}`"), *one.related))

    def _together(self, errors: Sequence[Diagnostic]) -> dict[DiagnosticKey, VariantCause]:
        """For errors in a variant that is right alone: the change of another that makes them."""
        found: dict[DiagnosticKey, VariantCause] = {}
        chosen = {one.name: one for one in self.laid}
        for path, variant in self.variant_by_path.items():
            strange = {_spot(one) for one in errors if one.span.source.path == path}
            if not strange or len(self.laid) == 1:
                continue
            # a value from the command line stands above all variants, and is right or wrong without them
            reach = required_variants if is_setting(variant.name) else variants_below
            under = {variant.name, *reach(chosen, variant.name)}
            first = [one for one in self.laid if one.name in under or (one.is_always_applied and not one.requires)]
            others = [one for one in self.laid if one not in first]
            found |= self._causes(strange, others, first) if others else {}
        return found

    def _causes(
        self, strange: set[DiagnosticKey], order: Sequence[Variant], first: Sequence[Variant]
    ) -> dict[DiagnosticKey, VariantCause]:
        """For each complaint the change that caused it; nothing for what is there without these changes."""
        steps = [(at, count) for at, one in enumerate(order) for count in range(1, len(one.changes) + 1)]
        causes: dict[DiagnosticKey, VariantCause] = {}

        def there(number: int) -> set[DiagnosticKey] | None:
            at, count = steps[number - 1] if number else (0, 0)
            part = [replace(order[at], changes=order[at].changes[:count])] if number else []
            tried = self.trial((*first, *order[:at], *part))
            return None if tried is None else {_spot(one) for one in tried}

        def search(low: int, high: int, waiting: set[DiagnosticKey]) -> None:
            """None of those waiting is there after `low` changes, all are after `high`."""
            if not waiting:
                return
            at, count = steps[high - 1]
            middle = (low + high) // 2
            now = there(middle) if high - low > 1 else None
            if now is None:
                change = order[at].changes[count - 1] if high - low == 1 else None
                causes.update(dict.fromkeys(waiting, (order[at], change)))
                return
            search(low, middle, waiting & now)
            search(middle, high, waiting - now)

        without = there(0)
        if without is not None and steps:
            search(0, len(steps), strange - without)
        return causes


def _spot(one: Diagnostic) -> DiagnosticKey:
    return one.span.source.path, one.span.start, one.code.name


def _is_use(one: Diagnostic, change: Change | None) -> bool:
    """Whether a complaint is about the name of what a change removes."""
    if change is None or change.operation != "remove":
        return False
    return change.parts[-1] in re.findall(r"\w+", _text(one.span))


def _text(span: Span) -> str:
    return span.source.text[span.start : span.end]


def _caused(found: Sequence[Diagnostic], cause: VariantCause) -> Diagnostic:
    """One complaint for all that one change made wrong."""
    variant, change = cause
    uses = [one for one in found if one.severity == "error" and _is_use(one, change)]
    one, *more = every = [*uses, *(one for one in found if one not in uses)]
    code = codes.BREAKS_RULES if one.severity == "error" else one.code
    name = f"`--set {variant.name}`" if is_setting(variant.name) else f"variant `{variant.name}`"
    message, help_, address = f"with {name}: {one.message}", one.help, one.address
    here = f"{one.code.name}: {one.label or 'here'}"
    if change is not None and uses:
        code, message = codes.REMOVED_BUT_USED, f"`{change.address}` is removed, and still used"
        help_, address = "change what uses it as well", change.address
        here = f"used here, in `{one.address}`" if one.address else "used here"
    related = [Related(one.span, here), *one.related]
    for other in more[: limits.MAX_BLAMED_SPANS - 1]:
        said = f"in `{other.address}`" if other.address else "here too"
        alike = other.message == one.message or other in uses
        related.append(Related(other.span, said if alike else f"{said}: {other.message}"))
    if len(every) > limits.MAX_BLAMED_SPANS:
        related.append(
            Related(
                every[limits.MAX_BLAMED_SPANS].span,
                f"and {_places(len(every) - limits.MAX_BLAMED_SPANS)} more, from here on",
            )
        )
    return replace(
        one,
        code=code,
        span=variant.head_span() if change is None else change.span,
        message=message,
        label="causes it",
        help=help_,
        address=address,
        related=tuple(related),
    )


def _places(count: int) -> str:
    return f"{count} place{'' if count == 1 else 's'}"


def blame_variants(
    found: Diagnostics, laid: Sequence[Variant], root: MappingNode, trial: TryBuild, *, warnings: bool
) -> Diagnostics:
    """The complaints of composed rules; what the base has not and stands in a base file is told at a variant."""
    return _Blame(laid, trial, root).attribute(found, warnings=warnings)


__all__ = ["blame_variants"]

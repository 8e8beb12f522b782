"""Rules that are right by themselves and wrong with a variant: the diagnostic belongs to the variant.

In: diagnostics of composed rules, and a way to build them with fewer changes. Out: the same diagnostics; what a variant
causes is reported at its line, with the place in the rules below beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from rulewright import limits
from rulewright.diagnostics import Cause, Diagnostic, Diagnostics, Related, StartKey, start_key
from rulewright.document.address import child_entries, child_entry, find_entry, is_rows
from rulewright.document.language import OFFER_VERBS
from rulewright.expr.codes import TOO_COSTLY
from rulewright.frozen import field, frozen, mutable, replace
from rulewright.model import codes
from rulewright.source.nodes import MappingNode
from rulewright.variants.change import Change
from rulewright.variants.layers import required_variants, variants_below
from rulewright.variants.related_notes import add_base_note
from rulewright.variants.variant import Variant
from rulewright.variants.variant_names import is_setting

# Blame by bisection
#
# All changes of all variants, in the order in which they are applied, are a line of steps 1 … n. A build of the first k
# steps gives a set of diagnostics D(k), each known by file, offset and code. The cause of a diagnostic d in D(n) is the
# step k with d in D(k) and not in D(k - 1). What is in D(0) has no cause here: the rules below are wrong by themselves.
#
# `search(low, high, waiting)` keeps true that no diagnostic in `waiting` is in D(low) and that all are in D(high). So
# each has at least one cause in low + 1 … high. It builds the middle and splits: what is in D(middle) is searched for
# below, the rest above. When high = low + 1 the step is found. Diagnostics with one cause share all builds: c causes
# among n steps take about c * log2(n) builds instead of n. A diagnostic that comes and goes again has several causes;
# one of them is found. When builds become too many (`TryBuild` gives None), the variant at `high` is blamed without a
# change, which still is one with which the diagnostic is there.
#
# What is only looked for in rules without errors comes and goes with them: a change that adds a name which an earlier
# one uses seems to cause it. And what goes over a limit does so at the last of many rows. So when D(high - 1) has
# errors that D(n) has not, or d is about costs, each change is left out of all (of many the last up to k); the one is
# blamed without which d is gone and no error is new. A cost that no single change but a row brings is the variant's.
#
# What a search has found is looked at first where the same is searched for again, at another number of players: any
# step may be the first that is built, and mostly the cause is the same.
#
# Example: variant `fast` has 2 changes, `open` 2 more, and the composed rules report x and y, both in the game's files.
#     D(0) = {}, D(1) = {}, D(2) = {x}, D(3) = {x}, D(4) = {x, y}
# search(0, 4, {x, y}) builds step 2: x is there, y is not.
#     search(0, 2, {x}) builds step 1: x is not there, so search(1, 2, {x}): the second change of `fast` causes x.
#     search(2, 4, {y}) builds step 3: y is not there, so search(3, 4, {y}): the second change of `open` causes y.

TryBuild = Callable[[Sequence[Variant]], Diagnostics | None]  # what is wrong with these variants only; None: too long
VariantCause = tuple[Variant, Change | None]  # None: the variant, but its changes were not searched


@mutable
class _Blame:
    """The search in one composition. `root`: the composed rules; `applied`: the variants in them, lowest first."""

    applied: Sequence[Variant]
    try_build: TryBuild
    root: MappingNode
    variant_by_path: dict[str, Variant] = field(init=False)
    errors: set[StartKey] = field(init=False, default_factory=set)  # of the composed rules

    def __post_init__(self) -> None:
        self.variant_by_path = {variant.root.span.source.path: variant for variant in self.applied}

    def attribute(self, reported: Diagnostics, *, warnings: bool) -> Diagnostics:
        """The diagnostics of composed rules, each where its cause is.

        Warnings about the rules below are left out without `warnings`, since finding their cause takes long, and beside
        errors, from which they may follow.
        """
        warnings = warnings and not reported.error_count
        self.errors = _error_keys(reported)
        wanted = [diagnostic for diagnostic in reported if diagnostic.severity == "error" or warnings]
        adjusting = [variant for variant in self.applied if variant.kind == "adjusts"]
        chosen = [variant for variant in self.applied if variant not in adjusting]
        own_paths = {variant.root.span.source.path for variant in adjusting}  # files of the game
        foreign = {start_key(each) for each in wanted if each.span.source.path not in self.variant_by_path}
        causes = self._find_causes(foreign, self.applied, ()) if foreign else {}
        if in_own := {start_key(each) for each in wanted if each.span.source.path in own_paths}:
            causes |= self._find_causes(in_own, chosen, adjusting)
        interactions = self._find_interactions([each for each in wanted if each.severity == "error"])
        first_of_cause: dict[object, StartKey] = {}
        groups: dict[StartKey, list[Diagnostic]] = {}  # what one cause makes wrong, by the first of it
        for diagnostic in wanted:
            if (cause := causes.get(start_key(diagnostic))) is not None:
                what = diagnostic.severity if diagnostic.severity == "error" else diagnostic.code.name
                group = (id(cause[1]) if cause[1] is not None else cause[0].name, what)
                groups.setdefault(first_of_cause.setdefault(group, start_key(diagnostic)), []).append(diagnostic)

        def at_its_cause(diagnostic: Diagnostic) -> Diagnostic | None:
            key = start_key(diagnostic)
            if diagnostic.span.source.path in self.variant_by_path and key not in causes:
                return self._in_variant(diagnostic, interactions.get(key))
            if key in groups:
                merged, (_, change) = _merge(groups[key], causes[key], self.root), causes[key]
                return merged if change is None else add_base_note(merged, [change], self.root)
            if key in causes:
                return None  # reported with the first
            return diagnostic if diagnostic.severity == "error" or warnings else None

        result = Diagnostics()
        result.merge(reported, at_its_cause)  # with those over the limit, which are counted at the end
        return result

    def _in_variant(self, diagnostic: Diagnostic, cause: VariantCause | None) -> Diagnostic:
        """A diagnostic at a variant's own line, with what was there before it, and another variant that takes part."""
        diagnostic = add_base_note(diagnostic, self.variant_by_path[diagnostic.span.source.path].changes, self.root)
        if cause is None:
            return diagnostic
        variant, change = cause
        span = variant.head_span() if change is None else change.span
        note = Related(span, f"only with this change of `{variant.name}`")
        return replace(diagnostic, related=(note, *diagnostic.related))

    def _find_interactions(self, errors: Sequence[Diagnostic]) -> dict[StartKey, VariantCause]:
        """For errors in a variant that is right alone: the change of another variant that causes them."""
        causes: dict[StartKey, VariantCause] = {}
        by_name = {variant.name: variant for variant in self.applied}
        for path, variant in self.variant_by_path.items():
            keys = {start_key(error) for error in errors if error.span.source.path == path}
            if not keys or len(self.applied) == 1:
                continue
            # a setting is above all variants, and is right or wrong without them
            below = required_variants if is_setting(variant.name) else variants_below
            names = {variant.name, *below(by_name, variant.name)}
            base = [each for each in self.applied if each.name in names or each.kind == "adjusts"]
            others = [each for each in self.applied if each not in base]
            causes |= self._find_causes(keys, others, base) if others else {}
        return causes

    def _find_causes(
        self, keys: set[StartKey], variants: Sequence[Variant], base: Sequence[Variant]
    ) -> dict[StartKey, VariantCause]:
        """The change of `variants` that causes each diagnostic; none for what is there with `base` alone."""
        steps = [(index, count) for index, each in enumerate(variants) for count in range(1, len(each.changes) + 1)]
        causes: dict[StartKey, VariantCause] = {}
        incomplete: set[int] = set()  # the steps after which there are errors that a later step mends
        likely = _likely_steps(tuple((each.name, len(each.changes)) for each in variants), frozenset(keys))

        def diagnose(step: int) -> set[StartKey] | None:
            index, count = steps[step - 1] if step else (0, 0)
            partial = [replace(variants[index], changes=variants[index].changes[:count])] if step else []
            diagnostics = self.try_build((*base, *variants[:index], *partial))
            if diagnostics is not None and not _error_keys(diagnostics) <= self.errors:
                incomplete.add(step)
            return None if diagnostics is None else {start_key(diagnostic) for diagnostic in diagnostics}

        def leave_each_out(last: int, waiting: set[StartKey]) -> None:
            tried = [last, *range(max(1, last - limits.MAX_LEFT_OUT + 1), last)]
            for step in sorted(tried, key=lambda step: step not in likely.left_out):
                index, count = steps[step - 1]
                changes = variants[index].changes
                if is_rows(changes[count - 1].parts[:3]):
                    continue
                rest = replace(variants[index], changes=(*changes[: count - 1], *changes[count:]))
                diagnostics = self.try_build((*base, *variants[:index], rest, *variants[index + 1 :]))
                if diagnostics is None:
                    return
                if _error_keys(diagnostics) <= self.errors:
                    gone = waiting - {start_key(diagnostic) for diagnostic in diagnostics}
                    causes.update(dict.fromkeys(gone, (variants[index], changes[count - 1])))
                    likely.left_out.update({step} if gone else ())
                    waiting = waiting - gone
                if not waiting:
                    return
            likely.in_vain.add(last)

        def search(low: int, high: int, waiting: set[StartKey]) -> None:
            """None of those waiting is there after `low` steps, all are after `high`."""
            if not waiting:
                return
            index, count = steps[high - 1]
            middle = next((step for step in sorted(likely.built) if low < step < high), (low + high) // 2)
            present = diagnose(middle) if high - low > 1 else None
            if present is None:
                likely.built.update((low, high) if high - low == 1 else ())
                change = variants[index].changes[count - 1] if high - low == 1 else None
                causes.update(dict.fromkeys(waiting, (variants[index], change)))
                costs = {key for key in waiting if key[2] == TOO_COSTLY.name}
                if change is not None and is_rows(change.parts[:3]):
                    causes.update(dict.fromkeys(costs, (variants[index], None)))
                if change is not None and (low in incomplete or costs) and high not in likely.in_vain:
                    leave_each_out(high, waiting if low in incomplete else costs)
                return
            search(low, middle, waiting & present)
            search(middle, high, waiting - present)

        without = diagnose(0)
        if without is not None and steps:
            search(0, len(steps), keys - without)
        return causes


@frozen
class _LikelySteps:
    """Where a search has ended, the steps without which something was right, and those for which none was found that
    could be left out.
    """

    built: set[int] = field(default_factory=set)
    left_out: set[int] = field(default_factory=set)
    in_vain: set[int] = field(default_factory=set)


@lru_cache(maxsize=limits.MAX_REMEMBERED_SEARCHES)
def _likely_steps(variants: tuple[tuple[str, int], ...], keys: frozenset[StartKey]) -> _LikelySteps:
    """What is known from the last search for the causes of the same diagnostics, noted as it goes on."""
    return _LikelySteps()


def _is_use_of_removed(diagnostic: Diagnostic, change: Change | None) -> bool:
    """Whether a diagnostic is about the name of what a change removes."""
    if change is None or change.operation != "remove":
        return False
    return change.parts[-1] in re.findall(r"\w+", diagnostic.span.text)


def _error_keys(diagnostics: Diagnostics) -> set[StartKey]:
    return {start_key(diagnostic) for diagnostic in diagnostics if diagnostic.severity == "error"}


def _removal_hint(name: str, uses: Sequence[Diagnostic], root: MappingNode) -> str:
    """What else to change where something that is removed is still used: it is taken out of the lists that offer it."""
    dropped: list[str] = []
    for use in uses:
        for verb in OFFER_VERBS:
            offers = find_entry(root, f"{use.address}.{verb}") if use.address else None
            if offers is not None and child_entry(offers.value, name) is not None:
                if len(child_entries(offers.value)) == 1:
                    return f"`remove` what offers nothing else as well: `{use.address}`"
                dropped.append(f"{use.address}.{verb}: [{name}]")
    drops = ", ".join(dict.fromkeys(dropped))
    return f"take it out of what offers it as well: `drop: {{{drops}}}`" if drops else "change what uses it as well"


def _merge(diagnostics: Sequence[Diagnostic], cause: VariantCause, root: MappingNode) -> Diagnostic:
    """One diagnostic for all that one change makes wrong."""
    variant, change = cause
    uses = [each for each in diagnostics if each.severity == "error" and _is_use_of_removed(each, change)]
    first, *others = ordered = [*uses, *(each for each in diagnostics if each not in uses)]
    code, blamed = codes.BREAKS_RULES if first.severity == "error" else first.code, first.cause
    name = f"`--set {variant.name}`" if is_setting(variant.name) else f"variant `{variant.name}`"
    message, hint, address = f"with {name}: {first.message}", first.help, first.address
    note = first.label or "here"
    if change is not None and uses:
        code, message = codes.REMOVED_BUT_USED, f"`{change.address}` is removed, but still used"
        hint, address = _removal_hint(change.parts[-1], uses, root), change.address
        note = f"used here, in `{first.address}`" if first.address else "used here"
        users = {each.address for each in diagnostics}
        blamed = Cause("used by", first.address) if len(users) == 1 else None
    if change is not None and change.operation == "set" and isinstance(change.new_value, MappingNode):
        keys = change.new_value.keys()
        message = f"setting all of `{change.address}` leaves the rules wrong: {first.message}"
        hint = f"this replaces all of `{change.address}`; to change a part of it, write `{change.address}.{keys[0]}: …`"
    span = variant.head_span() if change is None else change.value_span
    related = [Related(first.span, note), *first.related]
    if change is not None and first.code is codes.NEEDS_A_TURN:  # at the word of the change that does
        word = next((each for each in first.related if change.value_span.contains(each.span)), None)
        if word is not None and not change.value_span.contains(first.span):
            span, hint = word.span, word.note
            related.remove(word)
    lines = {(first.span.source, first.span.line, first.address)}
    for other in others[: limits.MAX_BLAMED_SPANS - 1]:
        if other in uses and (other.span.source, other.span.line, other.address) in lines:
            continue  # one rule on one line
        lines.add((other.span.source, other.span.line, other.address))
        note = f"in `{other.address}`" if other.address else "here too"
        is_alike = other.message == first.message or other in uses
        related.append(Related(other.span, note if is_alike else f"{note}: {other.message}"))
    if len(ordered) > limits.MAX_BLAMED_SPANS:
        hidden = len(ordered) - limits.MAX_BLAMED_SPANS
        note = f"and {hidden} more place{'' if hidden == 1 else 's'}, from here on"
        related.append(Related(ordered[limits.MAX_BLAMED_SPANS].span, note))
    return replace(
        first,
        code=code,
        span=span,
        message=message,
        label="causes it",
        help=hint,
        address=address,
        related=tuple(related),
        fix=None,
        cause=blamed or Cause("variant", variant.name),
    )


def blame_variants(
    reported: Diagnostics, applied: Sequence[Variant], root: MappingNode, try_build: TryBuild, *, warnings: bool
) -> Diagnostics:
    """The diagnostics of composed rules; what is in a base file and not there without variants is moved to a variant.

    `applied`: the variants, lowest first. `root`: the composed document. `warnings`: also search for the causes of
    warnings.
    """
    return _Blame(applied, try_build, root).attribute(reported, warnings=warnings)


__all__ = ["TryBuild", "blame_variants"]

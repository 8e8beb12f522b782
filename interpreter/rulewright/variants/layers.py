"""Which variants can be combined, and which is applied over which.

In: the variants chosen for a game. Out: the variants sorted into layers; each layer is applied to the result of the one
before. A variant is above those that it names in `after` and `requires`; variants of one layer do not see each other.
The order in which variants are chosen never matters.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from rulewright import limits
from rulewright.diagnostics import Cause, Diagnostics, Related, Span
from rulewright.document.document import Document
from rulewright.source.nodes import ScalarNode
from rulewright.source.reader import is_present_file
from rulewright.suggestions import did_you_mean, unknown_name_hint
from rulewright.variants import codes
from rulewright.variants.variant import Variant, variant_references
from rulewright.variants.variant_names import format_player_count, is_setting

MAX_SHOWN_STEPS: Final = 3  # at the beginning of a long cycle
NamesOf = Callable[[Variant], tuple[str, ...]]  # the names of others that a variant has


def sort_into_layers(
    document: Document,
    variants: Sequence[Variant],
    diagnostics: Diagnostics,
    known_variants: Callable[[], Collection[str]] | None = None,
) -> tuple[tuple[Variant, ...], ...]:
    """The variants that can be applied, lowest layer first, by name within a layer; the others are reported.

    `known_variants`: the names of all variants of the game, if known.
    """
    chosen: dict[str, Variant] = {}
    for variant in sorted(variants, key=lambda variant: (variant.name, str(variant.path))):
        if variant.game != document.name:
            message = f"`{variant.name}` is a variant of `{variant.game}`, not of `{document.name}`"
            key = "adjusts" if variant.kind == "adjusts" else "for"
            hint = (
                did_you_mean(variant.game, [document.name])
                or f"write `{key}: {document.name}` if it is meant for this game"
            )
            diagnostics.add(variant.head_span("for"), codes.UNKNOWN_GAME, message, label="another game", help=hint)
        elif variant.name in chosen:
            problem = "is set twice" if is_setting(variant.name) else "is the name of two variants"
            related = [Related(chosen[variant.name].head_span(), "the first")]
            message = f"`{variant.name}` {problem}"
            diagnostics.add(variant.head_span(), codes.VARIANT_TWICE, message, label="used again", related=related)
        else:
            chosen[variant.name] = variant
    applied = set(document.variant_names)
    excluded = _missing_requirements(document, chosen, applied, known_variants, diagnostics) | _exclusive_variants(
        chosen, applied, diagnostics
    )
    # one that requires an excluded variant would only report what is missing
    if excluded:
        excluded |= {name for name, required in all_required_variants(chosen).items() if required & excluded}
    return _sorted_layers({name: variant for name, variant in chosen.items() if name not in excluded}, diagnostics)


def _missing_requirements(
    document: Document,
    chosen: dict[str, Variant],
    applied: set[str],
    known_variants: Callable[[], Collection[str]] | None,
    diagnostics: Diagnostics,
) -> set[str]:
    """Reports variants that require others which are not chosen; returns the names of those that cannot be applied.

    What requires only names that there are not is most likely misspelled, and right without them.
    """
    lacking: set[str] = set()
    for name, variant in chosen.items():
        needed = variant_references(variant, "requires", "joins")
        missing = [other for other in needed if other.text not in chosen and other.text not in applied]
        if missing and known_variants is not None:
            known = {*known_variants(), *chosen} - {name}
            for other in [other for other in missing if not _exists(other.text, variant, known)]:
                missing.remove(other)
                message = f"`{document.name}` has no variant `{other.text}`"
                names_hint = unknown_name_hint(other.text, "variants", sorted(known))
                diagnostics.add(other.span, codes.REQUIRED_VARIANT, message, label="not found", help=names_hint)
        if missing:
            lacking.add(name)
            names = [other.text for other in missing]
            verb = "is" if len(missing) == 1 else "are"
            message = f"`{name}` requires {' and '.join(f'`{other}`' for other in names)}, which {verb} not chosen"
            key = "joins" if variant.kind == "joins" else "requires"
            span = missing[0].span if len(missing) == 1 else variant.head_span(key)
            closest = next(filter(None, (did_you_mean(other, chosen.keys() - {name}) for other in names)), "")
            hint = (
                closest or f"choose {'it' if len(missing) == 1 else 'them'} too: --variant {' --variant '.join(names)}"
            )
            diagnostics.add(span, codes.REQUIRED_VARIANT, message, label="not chosen", help=hint)
    return lacking


def _exists(name: str, variant: Variant, known: Collection[str]) -> bool:
    return name in known or is_present_file(variant.path.parent / f"{name}.yaml")


def _exclusive_variants(chosen: dict[str, Variant], applied: set[str], diagnostics: Diagnostics) -> set[str]:
    """Reports variants that cannot be combined; returns those to leave out, so that nothing else is reported."""
    excluded: set[str] = set()
    groups: dict[str, list[Variant]] = {}
    for name, variant in chosen.items():
        if variant.group:
            groups.setdefault(variant.group, []).append(variant)
        for other in variant_references(variant, "conflicts"):
            conflicting = chosen.get(other.text)
            if other.text in applied:
                excluded.add(name)
                message = f"`{name}` cannot be combined with `{other.text}`, which is a part of the game here"
                diagnostics.add(other.span, codes.CONFLICTING_VARIANTS, message, label="excludes it")
            # declared by both, or also by a group, it is one mistake all the same
            if (
                conflicting is not None
                and not (name in conflicting.conflicts and name < conflicting.name)
                and not _share_group(variant, conflicting)
                and not {name, conflicting.name} <= excluded  # of many that exclude one another each is told once
            ):
                excluded.add(max(name, conflicting.name))
                _report_conflict(variant, conflicting, other.span, diagnostics)
    for group, members in groups.items():
        if len(members) > 1:
            excluded.update(variant.name for variant in members[1:])
            _report_group(group, members, chosen, diagnostics)
    return excluded | _disjoint_player_counts(
        [variant for name, variant in chosen.items() if name not in excluded], diagnostics
    )


def _share_group(variant: Variant, other: Variant) -> bool:
    return bool(variant.group) and variant.group == other.group and variant is not other


def _report_conflict(variant: Variant, other: Variant, span: Span, diagnostics: Diagnostics) -> None:
    if variant is other:
        message, related = f"`{variant.name}` excludes itself", list[Related]()
    else:
        both = f"`{variant.name}` requires `{other.name}` and excludes it"
        message = both if other.name in variant.requires else f"`{variant.name}` cannot be combined with `{other.name}`"
        related = [Related(other.head_span(), f"`{other.name}`")]
    diagnostics.add(span, codes.CONFLICTING_VARIANTS, message, label="excludes it", related=related)


def _report_group(
    group: str, members: Sequence[Variant], chosen: Mapping[str, Variant], diagnostics: Diagnostics
) -> None:
    first, second, *others = members
    names = [f"`{variant.name}`" for variant in members]
    both = "both" if len(members) == 2 else "all"
    message = f"{', '.join(names[:-1])} and {names[-1]} are {both} in group `{group}`"
    related = [Related(variant.head_span("group"), f"`{variant.name}`") for variant in (first, *others)]
    label, span = "choose one of the group", second.head_span("group")
    both_required = _second_required({variant.name for variant in members}, chosen)
    if both_required is not None:
        related = [Related(variant.head_span("group"), f"`{variant.name}`") for variant in members]
        label, span = "require one of the group", both_required
    diagnostics.add(span, codes.ONE_OF_A_GROUP, message, label=label, related=related)


def _second_required(names: Collection[str], chosen: Mapping[str, Variant]) -> Span | None:
    """Where a variant requires a second one of those, so that it can never be played."""
    for variant in chosen.values():
        required = [one.span for one in variant_references(variant, "requires") if one.text in names]
        if len(required) > 1:
            return required[1]
    return None


def _disjoint_player_counts(variants: Sequence[Variant], diagnostics: Diagnostics) -> set[str]:
    """Reports variants without a common number of players; returns those to leave out."""
    excluded: set[str] = set()
    fitting: list[Variant] = []
    for variant in variants:
        if variant.players is None:
            continue
        fewest, most = variant.players
        other = next(
            (
                earlier
                for earlier in fitting
                if earlier.players and (earlier.players[1] < fewest or most < earlier.players[0])
            ),
            None,
        )
        if other is None:
            fitting.append(variant)
            continue
        excluded.add(variant.name)
        message = (
            f"`{other.name}` is for {format_player_count(other.players)} "
            f"and `{variant.name}` for {format_player_count(variant.players)}"
        )
        related = [Related(other.head_span("players"), f"`{other.name}`")]
        label = "no common number of players"
        diagnostics.add(
            variant.head_span("players"),
            codes.PLAYERS_DO_NOT_FIT,
            message,
            label=label,
            related=related,
            cause=Cause("players"),
        )
    return excluded


def variants_below(chosen: dict[str, Variant], name: str) -> frozenset[str]:
    """All variants that `name` is applied over: those in its `after` and `requires`, those in theirs, and so on."""
    return _closure(chosen, _names_below, name)


def all_variants_below(chosen: dict[str, Variant]) -> dict[str, frozenset[str]]:
    """`variants_below` of each variant."""
    return _closures(chosen, _names_below)


def required_variants(chosen: dict[str, Variant], name: str) -> frozenset[str]:
    """All variants without which `name` is never applied: those in its `requires`, those in theirs, and so on."""
    return _closure(chosen, _names_required, name)


def all_required_variants(chosen: dict[str, Variant]) -> dict[str, frozenset[str]]:
    """`required_variants` of each variant."""
    return _closures(chosen, _names_required)


def _names_below(variant: Variant) -> tuple[str, ...]:
    return (*variant.after, *variant.requires)


def _names_required(variant: Variant) -> tuple[str, ...]:
    return variant.requires


def _closure(chosen: dict[str, Variant], names: NamesOf, name: str) -> frozenset[str]:
    return _reached(name, lambda name: chosen.keys() & names(chosen[name]))


def _closures(chosen: dict[str, Variant], names: NamesOf) -> dict[str, frozenset[str]]:
    following = {name: chosen.keys() & names(variant) for name, variant in chosen.items()}
    return {name: _reached(name, following.__getitem__) for name in chosen}


def _reached(name: str, following: Callable[[str], set[str]]) -> frozenset[str]:
    reached: set[str] = set()
    pending = [name]
    while pending:
        more = following(pending.pop()) - reached
        reached |= more
        pending += more
    return frozenset(reached)


def _sorted_layers(chosen: dict[str, Variant], diagnostics: Diagnostics) -> tuple[tuple[Variant, ...], ...]:
    below = all_variants_below(chosen)
    cyclic = [name for name in chosen if name in below[name]]
    reported: set[str] = set()
    for name in cyclic:
        if name not in reported:
            reported.update(other for other in below[name] if other in cyclic and name in below[other])
            _report_cycle(_find_cycle(chosen, name), diagnostics)
    layers: list[tuple[Variant, ...]] = []
    placed: set[str] = set(cyclic)
    while len(placed) < len(chosen):
        # the variants of a cycle count as placed, or those above it would never be
        layer = tuple(variant for name, variant in chosen.items() if name not in placed and below[name] <= placed)
        layers.append(layer)
        placed.update(variant.name for variant in layer)
    return tuple(layers)


def _find_cycle(chosen: dict[str, Variant], name: str) -> list[tuple[Variant, ScalarNode]]:
    """A shortest path from a variant over those below it back to itself, each with the reference to the next."""
    paths: list[list[tuple[Variant, ScalarNode]]] = [[]]
    seen: set[str] = set()
    while paths:
        path = paths.pop(0)  # the shortest first
        current = chosen[path[-1][1].text if path else name]
        for reference in variant_references(current, "after", "requires", "joins"):
            if reference.text == name:
                return [*path, (current, reference)]
            if reference.text in chosen and reference.text not in seen:
                seen.add(reference.text)
                paths.append([*path, (current, reference)])
    raise AssertionError(name)


def _report_cycle(cycle: list[tuple[Variant, ScalarNode]], diagnostics: Diagnostics) -> None:
    (first, reference), *others = cycle
    steps = [
        f"`{variant.name}` {'comes ' if index == 0 else ''}after `{next_.text}`"
        for index, (variant, next_) in enumerate(cycle)
    ]
    if len(steps) > limits.MAX_LISTED_NAMES:
        steps[MAX_SHOWN_STEPS:-1] = [f"and so on over {len(steps) - MAX_SHOWN_STEPS - 1} more"]
        others = [*others[: MAX_SHOWN_STEPS - 1], others[-1]]
    message = ", ".join(steps) if others else f"`{first.name}` comes after itself"
    related = [Related(next_.span, f"`{variant.name}`") for variant, next_ in others]
    hint = "remove one of these names from `after` or `requires`" if others else "remove its own name"
    diagnostics.add(reference.span, codes.CYCLE_OF_VARIANTS, message, help=hint, related=related)


__all__ = [
    "all_required_variants",
    "all_variants_below",
    "required_variants",
    "sort_into_layers",
    "variants_below",
]

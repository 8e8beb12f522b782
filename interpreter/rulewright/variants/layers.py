"""Which variants go together, and which is laid over which.

In: the variants chosen for a game. Out: the variants sorted into levels, where each level is laid over the result of
the one before. A variant stands above those it names in `after` and `requires`; variants of one level know nothing of
each other. The order in which variants are chosen never matters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Sequence as Series

from rulewright.diagnostics import Diagnostics, Related, Span
from rulewright.document import codes
from rulewright.document.document import Document
from rulewright.source.nodes import ScalarNode, SequenceNode
from rulewright.suggestions import did_you_mean
from rulewright.variants.variant import Variant, is_setting, variant_references


def sort_into_layers(
    document: Document, variants: Series[Variant], diagnostics: Diagnostics
) -> tuple[tuple[Variant, ...], ...]:
    """The variants that can be laid over, lowest level first, by name within a level; what does not fit is reported."""
    chosen: dict[str, Variant] = {}
    for one in sorted(variants, key=lambda variant: (variant.name, str(variant.path))):
        if one.game != document.name:
            message = f"`{one.name}` is a variant of `{one.game}`, not of `{document.name}`"
            hint = (
                did_you_mean(one.game, [document.name]) or f"write `for: {document.name}` if it is meant for this game"
            )
            diagnostics.add(one.head_span("for"), codes.UNKNOWN_GAME, message, label="another game", help=hint)
        elif one.name in chosen:
            said = "is given twice" if is_setting(one.name) else "is the name of two variants"
            related = [Related(chosen[one.name].head_span(), "the first")]
            message = f"`{one.name}` {said}"
            diagnostics.add(one.head_span(), codes.VARIANT_TWICE, message, label="the second", related=related)
        else:
            chosen[one.name] = one
    below = set(document.variant_names)
    excluded = _lacking(chosen, below, diagnostics) | _excluded(chosen, below, diagnostics)
    # what is laid over one that is left out would complain of things that are not there
    excluded |= {name for name in chosen if required_variants(chosen, name) & excluded}
    return _levels({name: one for name, one in chosen.items() if name not in excluded}, diagnostics)


def _lacking(chosen: dict[str, Variant], below: set[str], diagnostics: Diagnostics) -> set[str]:
    """Reports variants that require others which are not there."""
    lacking: set[str] = set()
    for name, one in chosen.items():
        missing = [other for other in variant_references(one, "requires") if other.text not in {*chosen, *below}]
        if missing:
            lacking.add(name)
            names = [other.text for other in missing]
            is_ = "is" if len(missing) == 1 else "are"
            message = f"`{name}` requires {' and '.join(f'`{other}`' for other in names)}, which {is_} not played"
            span = missing[0].span if len(missing) == 1 else one.head_span("requires")
            near = next(filter(None, (did_you_mean(other, chosen.keys() - {name}) for other in names)), "")
            hint = near or f"play {'it' if len(missing) == 1 else 'them'} too: --variant {' --variant '.join(names)}"
            diagnostics.add(span, codes.REQUIRED_VARIANT, message, label="not among the variants played", help=hint)
    return lacking


def _excluded(chosen: dict[str, Variant], below: set[str], diagnostics: Diagnostics) -> set[str]:
    """Reports variants that do not go together; gives those to leave out, so that nothing more is said of them."""
    excluded: set[str] = set()
    groups: dict[str, list[Variant]] = {}
    counts: dict[tuple[int, int], Variant] = {}
    for name, one in chosen.items():
        if one.group:
            groups.setdefault(one.group, []).append(one)
        for other in variant_references(one, "conflicts"):
            there = chosen.get(other.text)
            if other.text in below:
                excluded.add(name)
                message = f"`{name}` cannot be played with `{other.text}`, which always applies here"
                diagnostics.add(other.span, codes.CONFLICTING_VARIANTS, message, label="excludes it")
            # said by both, or by a group as well, it is one fault all the same
            if there is not None and not (name in there.conflicts and name < there.name) and not _grouped(one, there):
                excluded.add(max(name, there.name))
                _conflict(one, there, other.span, diagnostics)
        if one.is_always_applied and one.players is not None and not one.requires:
            first = counts.setdefault(one.players, one)
            if first is not one:
                excluded.add(name)
                _two_overlays(first, one, diagnostics)
    for group, members in groups.items():
        if len(members) > 1:
            excluded.update(one.name for one in members[1:])
            _one_of_a_group(group, members, diagnostics)
    return excluded | _never_together([one for name, one in chosen.items() if name not in excluded], diagnostics)


def _grouped(one: Variant, other: Variant) -> bool:
    return bool(one.group) and one.group == other.group and one is not other


def _conflict(one: Variant, other: Variant, span: Span, diagnostics: Diagnostics) -> None:
    if one is other:
        message, related = f"`{one.name}` excludes itself", list[Related]()
    else:
        both = f"`{one.name}` requires `{other.name}` and excludes it"
        message = both if other.name in one.requires else f"`{one.name}` cannot be played with `{other.name}`"
        related = [Related(other.head_span(), f"`{other.name}`")]
    diagnostics.add(span, codes.CONFLICTING_VARIANTS, message, label="excludes it", related=related)


def _one_of_a_group(group: str, members: Series[Variant], diagnostics: Diagnostics) -> None:
    first, second, *others = members
    names = [f"`{one.name}`" for one in members]
    both = "both" if len(members) == 2 else "all"
    message = f"{', '.join(names[:-1])} and {names[-1]} are {both} of the group `{group}`"
    related = [Related(one.head_span("group"), f"`{one.name}`") for one in (first, *others)]
    label = "one of the group can be played"
    diagnostics.add(second.head_span("group"), codes.ONE_OF_A_GROUP, message, label=label, related=related)


def _never_together(variants: Series[Variant], diagnostics: Diagnostics) -> set[str]:
    """Reports variants that are for different numbers of players."""
    excluded: set[str] = set()
    placed: list[Variant] = []
    for one in variants:
        if one.players is None:
            continue
        fewest, most = one.players
        other = next(
            (two for two in placed if two.players and (two.players[1] < fewest or most < two.players[0])), None
        )
        if other is None:
            placed.append(one)
            continue
        excluded.add(one.name)
        message = (
            f"`{other.name}` is for {format_player_count(other.players)} "
            f"and `{one.name}` for {format_player_count(one.players)}:"
            " there is no number at which both can be played"
        )
        related = [Related(other.head_span("players"), f"`{other.name}`")]
        label = "never together"
        diagnostics.add(one.head_span("players"), codes.PLAYERS_DO_NOT_FIT, message, label=label, related=related)
    return excluded


def format_player_count(players: tuple[int, int] | None) -> str:
    """`2 players`, `3 to 4 players`."""
    fewest, most = players or (0, 0)
    return f"{fewest} player{'' if fewest == 1 else 's'}" if fewest == most else f"{fewest} to {most} players"


def _two_overlays(first: Variant, second: Variant, diagnostics: Diagnostics) -> None:
    related = [Related(first.head_span("players"), f"`{first.name}`")]
    message = f"`{first.name}` and `{second.name}` both always apply at this number of players"
    diagnostics.add(second.head_span("players"), codes.TWO_OVERLAYS, message, label="the second", related=related)


def variants_below(chosen: dict[str, Variant], name: str) -> frozenset[str]:
    """All variants that `name` is laid over: those in its `after` and `requires`, those in theirs, and so on."""
    return _reached(chosen, name, lambda one: (*one.after, *one.requires))


def required_variants(chosen: dict[str, Variant], name: str) -> frozenset[str]:
    """All variants without which `name` is never played: those in its `requires`, in theirs, and so on."""
    return _reached(chosen, name, lambda one: one.requires)


def _reached(chosen: dict[str, Variant], name: str, names: Callable[[Variant], Iterable[str]]) -> frozenset[str]:
    found: set[str] = set()
    open_ = [name]
    while open_:
        more = {other for other in names(chosen[open_.pop()]) if other in chosen} - found
        found |= more
        open_ += more
    return frozenset(found)


def _levels(chosen: dict[str, Variant], diagnostics: Diagnostics) -> tuple[tuple[Variant, ...], ...]:
    under = {name: variants_below(chosen, name) for name in chosen}
    cyclic = [name for name in chosen if name in under[name]]
    told: set[str] = set()
    for name in cyclic:
        if name not in told:
            told.update(other for other in under[name] if other in cyclic and name in under[other])
            _cycle(_ring(chosen, name), diagnostics)
    levels: list[tuple[Variant, ...]] = []
    done: set[str] = set(cyclic)
    while len(done) < len(chosen):
        # what stands above a ring could never be reached if the ring were not counted as done
        level = tuple(one for name, one in chosen.items() if name not in done and under[name] <= done)
        levels.append(level)
        done.update(one.name for one in level)
    return tuple(levels)


def _ring(chosen: dict[str, Variant], name: str) -> list[tuple[Variant, ScalarNode]]:
    """A way from a variant over those that it is laid over back to it, each with the word that names the next."""
    ways: list[list[tuple[Variant, ScalarNode]]] = [[]]
    reached: set[str] = set()
    while ways:
        way = ways.pop(0)  # the shortest first
        here = chosen[way[-1][1].text if way else name]
        for word in variant_references(here, "after", "requires"):
            if word.text == name:
                return [*way, (here, word)]
            if word.text in chosen and word.text not in reached:
                reached.add(word.text)
                ways.append([*way, (here, word)])
    raise AssertionError(name)


def _cycle(ring: list[tuple[Variant, ScalarNode]], diagnostics: Diagnostics) -> None:
    (first, word), *others = ring
    steps = [
        f"`{one.name}` {'is to lie ' if at == 0 else ''}over `{next_.text}`" for at, (one, next_) in enumerate(ring)
    ]
    message = ", ".join(steps) if others else f"`{first.name}` is to lie over itself"
    related = [Related(next_.span, f"`{one.name}`") for one, next_ in others]
    hint = "take one of these names out of `after` or `requires`" if others else "take its own name out"
    diagnostics.add(word.span, codes.CYCLE_OF_VARIANTS, message, help=hint, related=related)


def _unlisted(variant: Variant, document: Document, diagnostics: Diagnostics) -> None:
    """Whoever reads the game's head has to see that there is more at this number of players."""
    assert variant.players is not None
    game = document.root.entries[0]
    span, count = variant.head_span("applies"), variant.players[0]
    message = f"`{variant.name}` always applies at {count} players, which `{document.name}` does not say"
    hint = f"put {count} into the list `overlays` in the head of the game"
    related = [Related(game.key.span, "the game's head")]
    diagnostics.add(span, codes.UNLISTED_OVERLAY, message, label="not listed", help=hint, related=related)


def find_overlay(
    document: Document, variants: Iterable[Variant], players: int, diagnostics: Diagnostics
) -> Variant | None:
    """The variant that always applies at that number of players; a missing or a second one is reported."""
    fitting = sorted(
        (one for one in variants if one.is_always_applied and one.players == (players, players)),
        key=lambda one: one.name,
    )
    wanted = document.root.get("overlays")
    items = (
        [item for item in wanted.items if isinstance(item, ScalarNode) and item.value == players]
        if isinstance(wanted, SequenceNode)
        else []
    )
    if items and not fitting:
        message = f"there is no variant that always applies at {players} players"
        hint = f"it has `applies: always` and `players: {players}`"
        diagnostics.add(
            items[0].span, codes.MISSING_OVERLAY, message, label="named here", help=hint, address="overlays"
        )
    if len(fitting) == 1 and not items:
        _unlisted(fitting[0], document, diagnostics)
    for other in fitting[1:]:
        _two_overlays(fitting[0], other, diagnostics)
    return fitting[0] if fitting else None


__all__ = ["find_overlay", "format_player_count", "required_variants", "sort_into_layers", "variants_below"]

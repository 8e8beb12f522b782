"""A variant that says another game than the one whose rules it changes: the hint names that game.

In: what is wrong with variants, and the variants that were checked. Out: the same, where none of the addresses that a
variant changes is in its game, and all of them are in one other that is known: told once, with that game.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

from rulewright import limits
from rulewright.checker.nearby_games import find_game_of_variant
from rulewright.checker.variant_checks import CheckedVariant
from rulewright.diagnostics import Diagnostic, Diagnostics, Fix, Related
from rulewright.document.document_reader import load_document
from rulewright.document.editing import look_up, resolve_member
from rulewright.frozen import replace
from rulewright.model.locate import RULE_FILE_SUFFIX, available_games, games_beside
from rulewright.source.file_text import files_below, is_present_folder, peek_text
from rulewright.source.nodes import MappingNode
from rulewright.source.real_paths import real_path
from rulewright.variants.change import Change
from rulewright.variants.codes import NO_SUCH_ADDRESS

ADDING: Final = ("add", "insert")
MIN_PLACE: Final = 2  # names of an address: of a shorter one any game has the place


def name_games_meant(diagnostics: Diagnostics, checked: Collection[CheckedVariant | None]) -> Diagnostics:
    """The diagnostics, with the game that is meant where a variant changes nothing that its own has."""
    by_path = {real_path(one.path): one for one in checked if one is not None}
    missing = dict[Path, list[Diagnostic]]()
    for one in diagnostics:
        if one.code is NO_SUCH_ADDRESS and (path := real_path(Path(one.span.source.path))) in by_path:
            missing.setdefault(path, []).append(one)
    changed = dict[int, Diagnostic | None]()
    for path, found in [*missing.items()][: limits.MAX_SEARCHED_HINTS]:
        own = by_path[path]
        changes = own.variant.changes
        is_slip = any(one.certain_fix is not None for one in found)
        is_specific = len(changes) > 1 or len(changes[0].parts) > MIN_PLACE
        if is_slip or not is_specific or {change.address for change in changes} != {one.address for one in found}:
            continue
        names = [name for name in _other_games(own) if _has_all(own, name, found[0].span.text)]
        if len(names) == 1:
            changed.update({id(one): None for one in found})
            changed[id(found[0])] = _explained(found[0], own, names[0])
    if not changed:
        return diagnostics
    named = Diagnostics()
    named.merge(diagnostics, lambda one: changed.get(id(one), one))
    return named


def _other_games(own: CheckedVariant) -> Iterator[str]:
    known = dict.fromkeys((*games_beside(own.path), *available_games()))
    return (name for name in known if name != own.variant.game)


def _has_all(own: CheckedVariant, name: str, word: str) -> bool:
    """Whether a game has all that a variant changes. `word`: what its files have to say to be read at all."""
    path = find_game_of_variant(own.path, name)
    if path is None:
        return False
    files = files_below(path, f"*{RULE_FILE_SUFFIX}") if is_present_folder(path) else [path]
    if not any(word in peek_text(file) for file in files):
        return False
    document = load_document(path, Diagnostics())
    return document is not None and all(_is_there(change, document.root) for change in own.variant.changes)


def _is_there(change: Change, root: MappingNode) -> bool:
    parts = resolve_member(root, change.parts)
    place = parts[:-1] if change.operation in ADDING else parts
    return len(place) >= MIN_PLACE and len(look_up(root, place).entries) == len(place)


def _explained(one: Diagnostic, own: CheckedVariant, name: str) -> Diagnostic:
    span = own.variant.head_span("for")
    return replace(
        one,
        help=f"all that this changes is in `{name}`: write `for: {name}`",
        related=(Related(span, f"it is for `{own.variant.game}`"), *one.related),
        fix=Fix(span, name, is_certain=False),
    )


__all__ = ["name_games_meant"]

"""One diagnostic for what is missing in several places, with the other places beside it.

In: what is wrong with files. Out: the same, where a name that nothing declares is reported where it is met first, lines
that are wrong in one way one after another are one, a sentence that is wrong alike in several languages is told once,
and a game that lacks a whole file is not told what stands in it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from rulewright.diagnostics import Diagnostic, Diagnostics, Related, UseOfName
from rulewright.document.codes import BAD_ID, MISSING_FILE, UNKNOWN_KEY, UNREACHED_FILE, WRONG_TYPE
from rulewright.document.game_files import MANIFEST
from rulewright.expr.codes import UNKNOWN_FUNCTION, UNKNOWN_NAME
from rulewright.frozen import replace

Key: TypeAlias = tuple[str, ...]

NAME_CODES: Final = (UNKNOWN_NAME, UNKNOWN_FUNCTION)  # of expressions, elsewhere names are references
USES: Final[tuple[UseOfName, ...]] = ("type", "", "address")  # what is told first: what rules cannot do without
SHOWN_SECTIONS: Final = ("display", "book")  # what speaks of rules
LINE_CODES: Final = (UNKNOWN_KEY, WRONG_TYPE)
SEEN_WITHOUT_FILES: Final = ("Y", "S", "N00")  # how the numbers of codes begin that are about one file alone
MAX_PLACES: Final = 8  # that are named beside the first
CERTAIN_USES: Final = 3  # of a name that is near another: as many as say that the other one is misspelled


def with_repetitions_merged(diagnostics: Diagnostics) -> Diagnostics:
    """The same diagnostics, each cause once."""
    shown = [*diagnostics]
    if len(shown) < 2:
        return diagnostics
    incomplete = {_game_folder(one) for one in shown if one.code in (MISSING_FILE, UNREACHED_FILE)}
    seen = [one for one in shown if _is_seen(one, incomplete)]
    merged: dict[int, Diagnostic | None] = dict.fromkeys(map(id, shown))
    merged.update({id(one): one for one in seen})
    groups = (*_missing_names(seen), *_wrong_ids(seen), *_runs(seen), *_translations(seen), *_users_of_removed(seen))
    for group in groups:
        kept = [one for one in group if merged[id(one)] is not None]
        if len(kept) > 1:
            first, *others = kept
            places = tuple(Related(one.span, "also here") for one in others[:MAX_PLACES])
            label = f"not declared; used {len(kept)} times" if first.comes_from("no name") else first.label
            merged.update({id(one): None for one in others})
            merged[id(first)] = replace(first, label=label, related=(*first.related, *places))
    result = Diagnostics()
    result.merge(diagnostics, lambda one: merged.get(id(one), one))  # warnings beyond what is shown are only counted
    return result


def _is_seen(one: Diagnostic, incomplete: Collection[str]) -> bool:
    """Whether it is there also when all files of its game are."""
    return _game_folder(one) not in incomplete or one.code.number.startswith(SEEN_WITHOUT_FILES)


def _missing_names(diagnostics: Sequence[Diagnostic]) -> Iterator[list[Diagnostic]]:
    """Those that miss one name, in the order of the places."""
    groups = dict[Key, list[Diagnostic]]()
    for one in diagnostics:
        key = _missing_name(one)
        if key is not None:
            groups.setdefault(key, []).append(one)
    for group in groups.values():
        names = [one for one in group if _is_in_expression(one)]
        alike = [one for one in names if one.certain_fix is not None]
        if len(alike) == len(names) < CERTAIN_USES:  # each may be misspelled, and can be corrected, where it is
            group = [one for one in group if not _is_in_expression(one)]
        if len(group) >= CERTAIN_USES or not any(one.certain_fix is not None for one in group):
            yield sorted(group, key=_use)


def _missing_name(one: Diagnostic) -> Key | None:
    name = one.cause_name("no name")
    return (_game_folder(one), name) if name else None


def _is_in_expression(one: Diagnostic) -> bool:
    return one.code in NAME_CODES


def _use(one: Diagnostic) -> int:
    """The place of a use among all, rules first."""
    if one.address.partition(".")[0] in SHOWN_SECTIONS:
        return len(USES)
    return next((place for place, use in enumerate(USES) if one.cause is not None and one.cause.meant == use), 0)


def _wrong_ids(diagnostics: Sequence[Diagnostic]) -> Iterator[list[Diagnostic]]:
    """Ids that are no ids, each with its uses."""
    groups = dict[Key, list[Diagnostic]]()
    for one in diagnostics:
        if one.code is BAD_ID:
            groups.setdefault((_game_folder(one), one.span.text), []).append(one)
    yield from groups.values()


def _users_of_removed(diagnostics: Sequence[Diagnostic]) -> Iterator[list[Diagnostic]]:
    """Removals that fail because of one rule, which is to be removed with them."""
    groups = dict[Key, list[Diagnostic]]()
    for one in diagnostics:
        user = one.cause_name("used by")
        if user:
            groups.setdefault((one.span.source.path, user), []).append(one)
    yield from groups.values()


def _runs(diagnostics: Sequence[Diagnostic]) -> Iterator[list[Diagnostic]]:
    """Those that say the same of lines one after another."""
    run = list[Diagnostic]()
    for one in diagnostics:
        if one.code not in LINE_CODES:
            continue
        if run and not _follows(run[-1], one):
            yield run
            run = []
        run.append(one)
    yield run


def _follows(before: Diagnostic, one: Diagnostic) -> bool:
    is_next = before.span.source is one.span.source and before.span.line + 1 == one.span.line
    is_same_key = before.message == one.message or before.span.column == one.span.column
    is_alike = (before.code, before.label, before.help) == (one.code, one.label, one.help)
    return is_next and is_same_key and is_alike


def _translations(diagnostics: Sequence[Diagnostic]) -> Iterator[list[Diagnostic]]:
    """Those that say the same of the same words at one address. What can be corrected is left, each where it is."""
    groups = dict[Key, list[Diagnostic]]()
    for one in diagnostics:
        if one.fix is None and one.address:
            key = (one.span.source.path, one.address, one.code.number, one.message, one.help, one.span.text)
            groups.setdefault(key, []).append(one)
    yield from groups.values()


def _game_folder(one: Diagnostic) -> str:
    """The folder of the game to which a file belongs, else the file."""
    path = Path(one.span.source.path)
    return next((str(folder) for folder in path.parents[:2] if (folder / MANIFEST).is_file()), str(path))


__all__ = ["with_repetitions_merged"]

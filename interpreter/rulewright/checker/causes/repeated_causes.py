"""One diagnostic for what is missing in several places, with the other places beside it.

In: what is wrong with files. Out: the same, where a name that nothing declares is reported where it is met first, lines
that are wrong in one way one after another are one, a sentence that is wrong alike in several languages is told once,
and a game that lacks a whole file is not told what stands in it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from rulewright.checker.causes.reported_faults import game_of
from rulewright.checker.common.lint_codes import OTHER_NUMBER, UNUSED
from rulewright.diagnostics import Cause, Diagnostic, Diagnostics, Fix, Related, UseOfName
from rulewright.document.codes import (
    BAD_ID,
    MISSING_FILE,
    OTHER_GAME,
    UNKNOWN_KEY,
    UNREACHED_FILE,
    WRONG_FORM,
    WRONG_TYPE,
)
from rulewright.expr.codes import CAPITAL_LETTERS, UNKNOWN_FUNCTION, UNKNOWN_NAME
from rulewright.frozen import replace
from rulewright.source.codes import YAML_SURPRISE
from rulewright.suggestions import join_list
from rulewright.variants.codes import ALREADY_THERE

Key: TypeAlias = tuple[str, ...]

NAME_CODES: Final = (UNKNOWN_NAME, UNKNOWN_FUNCTION)  # of expressions, elsewhere names are references
USES: Final[tuple[UseOfName, ...]] = ("type", "", "address")  # what is told first: what rules cannot do without
SHOWN_SECTIONS: Final = ("display", "book")  # what speaks of rules
LINE_CODES: Final = (UNKNOWN_KEY, WRONG_TYPE)
ACTION: Final = "actions."  # how the addresses of actions begin
SEEN_WITHOUT_FILES: Final = ("Y", "S", "N00")  # how the numbers of codes begin that are about one file alone
FILES: Final = "files"  # of a head
SCENARIOS: Final = "P"  # the family of their codes
MAX_PLACES: Final = 8  # that are named beside the first
CERTAIN_USES: Final = 3  # of a name that is near another: as many as say that the other one is misspelled


def with_repetitions_merged(diagnostics: Diagnostics) -> Diagnostics:
    """The same diagnostics, each cause once."""
    shown = [*diagnostics]
    if len(shown) < 2:
        return diagnostics
    incomplete = {game_of(one) for one in shown if _lacks_a_file(one)}
    seen = [one for one in shown if _is_seen(one, incomplete)]
    merged: dict[int, Diagnostic | None] = dict.fromkeys(map(id, shown))
    merged.update({id(one): one for one in seen})
    translations, wrong_ids = [*_translations(seen)], [*_wrong_ids(seen)]
    groups = (
        *_missing_names(seen),
        *wrong_ids,
        *_runs(seen),
        *translations,
        *_users_of_removed(seen),
        *_unlisted(shown),
        *_additions(seen),
        *_surprises(seen),
        *_same_numbers(seen),
    )
    merged.update(_misnamed_games(shown))
    merged.update(_unoffered(seen))
    for group in groups:
        kept = [one for one in group if merged[id(one)] is not None]
        if len(kept) > 1:
            first, *others = kept
            places = tuple(Related(one.span, "also here") for one in others[:MAX_PLACES])
            label = f"not declared; used {len(kept)} times" if first.comes_from("no name") else first.label
            merged.update({id(one): None for one in others})
            fix = _joined_fix(first, others) if group in translations or group in wrong_ids else first.fix
            merged[id(first)] = replace(first, label=label, related=(*first.related, *places), fix=fix)
    result = Diagnostics()
    result.merge(diagnostics, lambda one: merged.get(id(one), one))  # warnings beyond what is shown are only counted
    return result


def _lacks_a_file(one: Diagnostic) -> bool:
    """Whether it says that a game has not all of its files."""
    is_wrong_name = one.code is WRONG_FORM and one.address.partition(".")[0] == FILES
    return is_wrong_name or one.code in (MISSING_FILE, UNREACHED_FILE)


def _is_seen(one: Diagnostic, incomplete: Collection[str]) -> bool:
    """Whether it is there also when all files of its game are."""
    return game_of(one) not in incomplete or one.code.number.startswith(SEEN_WITHOUT_FILES)


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


def _same_numbers(diagnostics: Sequence[Diagnostic]) -> Iterator[list[Diagnostic]]:
    """Those in one file whose sentences say the same number, which is another than that of their rules."""
    groups = dict[Key, list[Diagnostic]]()
    for one in diagnostics:
        if one.code is OTHER_NUMBER:
            groups.setdefault((one.span.source.path, one.message), []).append(one)
    yield from groups.values()


def _missing_name(one: Diagnostic) -> Key | None:
    name = one.cause_name("no name")
    return (game_of(one), name) if name else None


def _is_in_expression(one: Diagnostic) -> bool:
    return one.code in NAME_CODES


def _use(one: Diagnostic) -> int:
    """The place of a use among all, rules first."""
    if one.address.partition(".")[0] in SHOWN_SECTIONS:
        return len(USES)
    return next((place for place, use in enumerate(USES) if one.cause is not None and one.cause.meant == use), 0)


def _wrong_ids(diagnostics: Sequence[Diagnostic]) -> Iterator[list[Diagnostic]]:
    """Ids that are no ids, each with its uses, also in expressions."""
    groups = dict[Key, list[Diagnostic]]()
    for one in diagnostics:
        if one.code in (BAD_ID, CAPITAL_LETTERS):
            groups.setdefault((game_of(one), one.span.text), []).append(one)
    for group in groups.values():
        ids = [one for one in group if one.code is BAD_ID]
        if ids:
            yield [*ids, *(one for one in group if one.code is CAPITAL_LETTERS)]


def _users_of_removed(diagnostics: Sequence[Diagnostic]) -> Iterator[list[Diagnostic]]:
    """Removals that fail because of one rule, which is to be removed with them."""
    groups = dict[Key, list[Diagnostic]]()
    for one in diagnostics:
        user = one.cause_name("used by")
        if user:
            groups.setdefault((one.span.source.path, user), []).append(one)
    yield from groups.values()


def _unlisted(diagnostics: Sequence[Diagnostic]) -> Iterator[list[Diagnostic]]:
    """Files of one game that it does not list."""
    groups = dict[str, list[Diagnostic]]()
    for one in diagnostics:
        if one.code is UNREACHED_FILE:
            groups.setdefault(game_of(one), []).append(one)
    yield from groups.values()


def _additions(diagnostics: Sequence[Diagnostic]) -> Iterator[list[Diagnostic]]:
    """What one variant adds although it is there."""
    groups = dict[str, list[Diagnostic]]()
    for one in diagnostics:
        if one.code is ALREADY_THERE:
            groups.setdefault(one.span.source.path, []).append(one)
    yield from groups.values()


def _surprises(diagnostics: Sequence[Diagnostic]) -> Iterator[list[Diagnostic]]:
    """One word that YAML may read otherwise, in several places of a file."""
    groups = dict[Key, list[Diagnostic]]()
    for one in diagnostics:
        if one.code is YAML_SURPRISE and one.fix is None:
            groups.setdefault((one.span.source.path, one.span.text), []).append(one)
    yield from groups.values()


def _misnamed_games(diagnostics: Sequence[Diagnostic]) -> dict[int, Diagnostic | None]:
    """What becomes of files that all belong to one other game: the name of the game itself is wrong."""
    groups = dict[str, list[Diagnostic]]()
    for one in diagnostics:
        if one.code is OTHER_GAME and one.related:
            groups.setdefault(game_of(one), []).append(one)
    changed = dict[int, Diagnostic | None]()
    for found in groups.values():
        first, *others = found
        if others and all(one.span.text == first.span.text for one in others):
            game = first.related[0].span
            message = f"the game is called `{game.text}`, but {len(found)} of its files belong to `{first.span.text}`"
            label, related = f"not `{first.span.text}`", (Related(first.span, "here"),)
            changed.update({id(one): None for one in others})
            changed[id(first)] = replace(first, span=game, message=message, label=label, related=related)
    return changed


def _unoffered(diagnostics: Sequence[Diagnostic]) -> dict[int, Diagnostic | None]:
    """What becomes of several actions of a game that no step offers: one step may be missing."""
    groups = dict[str, list[Diagnostic]]()
    for one in diagnostics:
        if one.code is UNUSED and one.address.startswith(ACTION):
            groups.setdefault(game_of(one), []).append(one)
    changed = dict[int, Diagnostic | None]()
    for first, *others in groups.values():
        if others:
            names = join_list((f"`{one.span.text}`" for one in (first, *others)), "and")
            places = tuple(Related(one.span, "also here") for one in others[:MAX_PLACES])
            hint = "is the step missing that offers them? else remove them"
            changed.update({id(one): None for one in others})
            changed[id(first)] = replace(first, message=f"no step offers {names}", help=hint, related=places)
    return changed


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
    if before.span.source is one.span.source and before.span.line == one.span.line and one.code is WRONG_TYPE:
        return (before.message.partition(":")[2], before.cause) == (one.message.partition(":")[2], one.cause)
    is_same_key = before.span.text == one.span.text or before.span.column == one.span.column
    is_alike = (before.code, before.cause) == (one.code, one.cause) and _have_one_fix(before, one)
    return is_next and is_same_key and is_alike


def _have_one_fix(*diagnostics: Diagnostic) -> bool:
    """Whether the same is to be written for all of them, or nothing."""
    return len({one.fix.text if one.fix is not None else None for one in diagnostics}) == 1


def _translations(diagnostics: Sequence[Diagnostic]) -> Iterator[list[Diagnostic]]:
    """Those about the same words at one address: of one sentence, in several languages; of warnings, and where
    something is to be written instead, each file by itself.
    """
    groups = dict[tuple[Key, Cause | None], list[Diagnostic]]()
    for one in diagnostics:
        if one.address and one.code.number[0] != SCENARIOS:  # whose address is that of a whole case
            is_of_all = one.severity == "error" and one.fix is None
            place = game_of(one) if is_of_all else one.span.source.path
            key = (place, one.address, one.code.number, one.span.text)
            groups.setdefault((key, one.cause), []).append(one)
    yield from (group for group in groups.values() if _have_one_fix(*group))


def _joined_fix(first: Diagnostic, others: Iterable[Diagnostic]) -> Fix | None:
    """The fix for all of them that are in its file, and are to be the same."""
    if first.fix is None:
        return None
    fixes = [one.fix for one in others if one.fix is not None and one.fix.text == first.fix.text]
    return replace(first.fix, also=tuple(fix.span for fix in fixes if fix.span.source is first.fix.span.source))


__all__ = ["with_repetitions_merged"]

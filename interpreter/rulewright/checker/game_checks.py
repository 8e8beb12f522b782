"""Is a game right at every number of players, with the variants that are applied to it?

In: a game's document, numbers of players, paths of variants. Out: `Diagnostics`; what is wrong at some of the numbers
only says at which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from rulewright.checker.common.codes import FAILS_IN_PLAY
from rulewright.checker.common.lint_codes import GIVES_AWAY_HIDDEN, LOOKS_AT_HIDDEN, MISSPELLED_DECLARATION
from rulewright.checker.lint import build_and_lint
from rulewright.checker.logic.changed_parameters import without_lifted_limits
from rulewright.checker.logic.ends_of_the_beginning import check_ends_of_the_beginning
from rulewright.checker.played.endless_passing import check_endless_passing
from rulewright.checker.rules_passes import RULES_PASSES
from rulewright.diagnostics import Cause, Diagnostic, Diagnostics, StartKey, start_key
from rulewright.document.document import Document
from rulewright.frozen import replace
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.codes import MISSING_SENTENCE
from rulewright.model.loader import build_composition, compose_document
from rulewright.source.nodes import MappingNode
from rulewright.source.real_paths import real_path
from rulewright.suggestions import join_list
from rulewright.variants.codes import UNEXPECTED_VALUE

# how hints begin that may differ by the number of players
IT_IS: Final = "it is "  # how the label of a value begins that is not the expected one
BOUNDS: Final[Mapping[str, Callable[..., str]]] = {
    "it is never more than ": max,
    "there are never more than ": max,
    "it is never less than ": min,
}
IT_IS_RANGE: Final = lazy_pattern(r"it is (\d+) to (\d+)")
WITH_VARIANT: Final = "with variant "  # how a message begins about what a variant brings about
OF_NUMBERS: Final = ("it is ", "there are never more than ", "the left side is ")


def check_rules(document: Document, players: int, variants: Iterable[Path], *, play: int = 0) -> Diagnostics:
    """What is wrong with a game with variants at one number of players. `play`: so many decisions are played."""
    *_, (diagnostics, _) = check_rules_in_steps(document, players, variants, play=play)
    return diagnostics


def check_rules_in_steps(
    document: Document, players: int, variants: Iterable[Path], *, play: int = 0
) -> Iterator[tuple[Diagnostics, bool]]:
    """What is known once the rules are built, if there is more to be judged, and what `check_rules` returns; each time,
    whether that is all.
    """
    diagnostics = Diagnostics()
    paths = {real_path(path): str(path) for path in variants}
    composition = compose_document(document, players, paths.values(), diagnostics)
    if composition is None:
        yield diagnostics, True
        return
    if diagnostics.error_count:
        from rulewright.checker.causes.beside_addresses import check_beside_addresses  # most addresses are there

        diagnostics.extend(check_beside_addresses(composition, diagnostics))
    rules = build_composition(composition, diagnostics, build=build_and_lint, with_warnings=True)
    if diagnostics.error_count:
        from rulewright.checker.causes.mistyped_declarations import merge_mistyped_declarations  # most rules are right

        explained = _with_causes(composition.document.root, diagnostics)
        yield merge_mistyped_declarations(composition, diagnostics, explained), True
        return
    if rules is not None:
        built = Diagnostics()
        built.extend(diagnostics)
        yield built, False
        diagnostics = without_lifted_limits(rules, composition, diagnostics)
        for check in RULES_PASSES:
            check(rules, composition, diagnostics)
    if rules is not None and not diagnostics.error_count:
        if play:
            from rulewright.checker.play_passes import check_in_play  # with bots and compiled programs

            diagnostics = check_in_play(rules, composition, diagnostics, play)
        else:
            check_ends_of_the_beginning(rules, composition, diagnostics)
            check_endless_passing(rules, composition, diagnostics)  # which is told where nothing worse is
    yield diagnostics, True


def build_errors(document: Document, players: int) -> Diagnostics:
    """What keeps a game from being built at one number of players."""
    diagnostics = Diagnostics()
    composition = compose_document(document, players, (), diagnostics)
    if composition is not None:
        build_composition(composition, diagnostics)
        return _with_causes(composition.document.root, diagnostics)
    return diagnostics


def _with_causes(root: MappingNode, diagnostics: Diagnostics) -> Diagnostics:
    """What is wrong with rules, where one declaration causes several errors."""
    from rulewright.checker.causes.hyphenated_names import merge_hyphenated_names
    from rulewright.checker.causes.missing_cells import merge_missing_cells
    from rulewright.checker.causes.missing_keys import merge_missing_keys  # most rules are right
    from rulewright.checker.causes.misspelled_declarations import merge_misspelled_declarations
    from rulewright.checker.causes.misspelled_rules import merge_misspelled_rules
    from rulewright.checker.causes.names_elsewhere import explain_names_elsewhere
    from rulewright.checker.causes.section_lines import merge_section_lines
    from rulewright.checker.causes.wrong_columns import merge_wrong_columns

    diagnostics = merge_hyphenated_names(root, merge_section_lines(root, diagnostics))
    diagnostics = merge_misspelled_rules(root, merge_misspelled_declarations(root, diagnostics))
    diagnostics = merge_missing_cells(root, merge_missing_keys(root, diagnostics))
    return explain_names_elsewhere(root, merge_wrong_columns(root, diagnostics))


def check_rules_at(
    document: Document, counts: Sequence[int], variants: Sequence[Path], *, play: int = 0
) -> Diagnostics:
    """What is wrong with a game with variants at several numbers of players. `play`: decisions played at each."""
    # apart from each other: an error at one number must not hide what is wrong at the next
    return merge_counts(counts, [check_rules(document, count, variants, play=play) for count in counts])


def merge_counts(counts: Sequence[int], results: Sequence[Diagnostics]) -> Diagnostics:
    """What is wrong at several numbers of players, from what is wrong at each."""
    results = _with_failures_joined(_with_proofs(results))
    affected: dict[StartKey, list[int]] = {}
    hints: dict[StartKey, list[str]] = {}
    labels: dict[StartKey, list[str]] = {}  # in the order of the numbers
    for count, result in zip(counts, results, strict=True):
        for diagnostic in result:
            affected.setdefault(start_key(diagnostic), []).append(count)
            hints.setdefault(start_key(diagnostic), []).append(diagnostic.help)
            labels.setdefault(start_key(diagnostic), []).append(diagnostic.label)

    def with_counts(diagnostic: Diagnostic) -> Diagnostic:
        only = affected.get(start_key(diagnostic), counts)
        if diagnostic.help.startswith(OF_NUMBERS):
            diagnostic = replace(diagnostic, help=_with_number(hints[start_key(diagnostic)], only))
        if diagnostic.code is UNEXPECTED_VALUE:
            right = [count for count in counts if count not in only]
            diagnostic = _with_all_values(diagnostic, [*dict.fromkeys(labels[start_key(diagnostic)])], right)
        if (
            len(only) == len(counts)
            or diagnostic.code in (MISSING_SENTENCE, MISSPELLED_DECLARATION)
            or diagnostic.comes_from("players")
        ):
            return diagnostic
        rest = diagnostic.message.removeprefix(WITH_VARIANT)
        also = ": " if rest == diagnostic.message else WITH_VARIANT.replace("with", " and")
        where = f"with {format_players(only)}"
        if diagnostic.code is FAILS_IN_PLAY:  # with other numbers it was only not met
            where = f"found with {format_players(only, 'and')}"
        return replace(diagnostic, message=f"{where}{also}{rest}")

    diagnostics = Diagnostics()
    for result in results:
        diagnostics.merge(result, with_counts)
    return diagnostics


def _with_number(hints: Sequence[str], counts: Sequence[int]) -> str:
    """One of the hints at several numbers of players, with its number: of bounds the one that holds for all."""
    if len({*hints}) == 1:
        return hints[0]
    for start, furthest in BOUNDS.items():
        bounds = [hint.removeprefix(start) for hint in hints]
        if all(hint.startswith(start) for hint in hints) and all(bound.isdecimal() for bound in bounds):
            place = bounds.index(furthest(bounds, key=int))
            return f"even with {format_players([counts[place]])} {hints[place]}"
    ranges = [IT_IS_RANGE.fullmatch(hint) for hint in hints]
    known = [(int(found[1]), int(found[2])) for found in ranges if found is not None]
    widest = (min((low for low, _ in known), default=0), max((high for _, high in known), default=0))
    if len(known) == len(hints) and widest in known:
        place = known.index(widest)
        return f"even with {format_players([counts[place]])} {hints[place]}"
    return f"with {format_players(counts[:1])} {hints[0]}"


def _with_all_values(diagnostic: Diagnostic, labels: Sequence[str], right: Sequence[int]) -> Diagnostic:
    """The same of a value that is another one at some of the numbers of players. `right`: where it is as expected."""
    if len(labels) < 2:
        return diagnostic
    values = join_list([label.removeprefix(IT_IS) for label in labels], "or")
    message = diagnostic.message.replace(f" is {labels[0].removeprefix(IT_IS)},", f" is {values},", 1)
    hint = "leave `expects` out: the value is not the same at each number of players"
    if right:
        hint = f"leave `expects` out, or say that the variant is for {format_players(right)}: `players: …`"
    return replace(diagnostic, message=message, label=f"{IT_IS}{values}", help=hint)


def _with_failures_joined(results: Sequence[Diagnostics]) -> Sequence[Diagnostics]:
    """The same, where one state that leaves its type, one place that has too much or too little, or one invariant that
    breaks is shown at one step, although games with other numbers of players met it at another.
    """
    first, joined = dict[Cause, Diagnostic](), list[Diagnostics]()

    def as_first(one: Diagnostic) -> Diagnostic:
        return first.setdefault(one.cause, one) if one.cause and one.cause.sort == "play" else one

    for result in results:
        joined.append(Diagnostics())
        joined[-1].merge(result, as_first)
    return joined


def _with_proofs(results: Sequence[Diagnostics]) -> Sequence[Diagnostics]:
    """The same, where a look is proved to give something away at every number of players if it is at one of them."""
    proved = {
        (one.span.source.path, one.span.start): one
        for result in results
        for one in result
        if one.code is GIVES_AWAY_HIDDEN
    }
    if not proved:
        return results

    def with_proof(one: Diagnostic) -> Diagnostic:
        return proved.get((one.span.source.path, one.span.start), one) if one.code is LOOKS_AT_HIDDEN else one

    joined = []
    for result in results:
        joined.append(Diagnostics())
        joined[-1].merge(result, with_proof)
    return joined


def format_players(counts: Sequence[int], word: str = "or") -> str:
    """`1 player`, `2 players`, `2, 3 or 5 players`."""
    numbers = join_list(map(str, counts), word)
    return f"{numbers} player{'' if numbers == '1' else 's'}"


__all__ = ["build_errors", "check_rules", "check_rules_at", "format_players", "merge_counts"]

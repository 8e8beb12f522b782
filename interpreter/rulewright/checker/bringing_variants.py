"""A change of something that only another variant brings: the hint names that variant.

In: what is wrong with variants, and the variants with their games. Out: the same, where a name or address that is not
there comes with another variant: one that is checked too, one in the same folder or one of the same game. The hint then
says so, and no other name is put there instead, however near. Other variants are read only then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Final

from rulewright import limits
from rulewright.checker.variant_checks import CheckedVariant
from rulewright.diagnostics import Diagnostic, Diagnostics
from rulewright.document.address import split_address
from rulewright.expr.codes import UNKNOWN_FUNCTION, UNKNOWN_NAME
from rulewright.frozen import replace
from rulewright.model.codes import UNKNOWN_REFERENCE
from rulewright.model.locate import available_variants, head_file
from rulewright.source.reader import peek_text
from rulewright.source.real_paths import real_path
from rulewright.suggestions import join_hints, join_list
from rulewright.variants.change import Change
from rulewright.variants.codes import NO_SUCH_ADDRESS, NO_SUCH_SIBLING
from rulewright.variants.variant import Variant, load_variant

MISSING: Final = (UNKNOWN_NAME, UNKNOWN_FUNCTION, UNKNOWN_REFERENCE, NO_SUCH_ADDRESS, NO_SUCH_SIBLING)
DECLARATION_DEPTH: Final = 2  # a section and a name
MAX_NAMED: Final = 3  # variants that bring the same
HEAD_LENGTH: Final = 4_096  # characters of a file within which a variant says its name


def name_bringing_variants(diagnostics: Diagnostics, checked: Iterable[CheckedVariant | None]) -> Diagnostics:
    """The diagnostics, with the variant that brings what is missing where there is one."""
    by_path = {real_path(one.path): one for one in checked if one is not None}
    others = {path: _OtherVariants(own, tuple(by_path)) for path, own in by_path.items()}
    searches = iter(range(limits.MAX_SEARCHED_HINTS))

    def with_variant(diagnostic: Diagnostic) -> Diagnostic:
        if diagnostic.code not in MISSING:
            return diagnostic
        known = others.get(real_path(Path(diagnostic.span.source.path)))
        if known is None or next(searches, None) is None:
            return diagnostic
        names = list(islice(known.bringing(diagnostic), MAX_NAMED))
        if not names:
            return diagnostic
        bring = "brings" if len(names) == 1 else "bring"
        listed = join_list([f"`{name}`" for name in names], "and")
        added = "add it to `joins`" if known.are_joined else f"add `requires: [{names[0]}]`"
        hint = f"{listed} {bring} it: {added}"
        if diagnostic.fix is not None:  # a near name, which is that of another rule
            return replace(diagnostic, help=hint, fix=None)
        return replace(diagnostic, help=join_hints(hint, diagnostic.help))

    result = Diagnostics()
    result.merge(diagnostics, with_variant)
    return result


class _OtherVariants:
    """The other variants of a variant's game; each is read once, when a name that is missing stands in its file."""

    def __init__(self, own: CheckedVariant, checked: Sequence[Path]) -> None:
        self._own = own
        self._checked = checked  # the files of all variants that are checked
        self._read: dict[Path, Variant | None] = {}

    @cached_property
    def _texts(self) -> dict[Path, str]:
        siblings = sorted(islice(self._own.path.parent.glob("*.yaml"), limits.MAX_SIBLING_FILES))
        known = available_variants(self._own.variant.game, head_file(self._own.game))
        paths = dict.fromkeys(map(real_path, (*siblings, *known.values(), *self._checked)))
        texts = {path: peek_text(path, path.parent) for path in paths if path != self._own.path}
        return {path: text for path, text in texts.items() if "\nvariant:" in f"\n{text[:HEAD_LENGTH]}"}

    @property
    def are_joined(self) -> bool:
        """Whether the variant is a file that joins some of them."""
        return self._own.variant.kind == "joins"

    def bringing(self, diagnostic: Diagnostic) -> Iterator[str]:
        """The names of those that add what a diagnostic misses."""
        for path, text in self._texts.items():
            if diagnostic.span.text not in text:
                continue
            if path not in self._read:
                self._read[path] = load_variant(path, Diagnostics())
            variant = self._read[path]
            if variant is not None and _is_other(variant, self._own) and _brings(variant, diagnostic):
                yield variant.name


def _is_other(variant: Variant, own: CheckedVariant) -> bool:
    return variant.kind == "variant" and variant.game == own.variant.game and variant.name not in own.layers


def _brings(variant: Variant, diagnostic: Diagnostic) -> bool:
    return any(_adds_missing(change, diagnostic) for change in variant.changes)


def _adds_missing(change: Change, diagnostic: Diagnostic) -> bool:
    """Whether a change of another variant adds the address, the neighbour or the name that a diagnostic misses."""
    if change.operation not in ("add", "insert"):
        return False
    name, parts = diagnostic.span.text, split_address(diagnostic.address)
    if diagnostic.code is NO_SUCH_ADDRESS:
        return parts[: len(change.parts)] == change.parts
    if diagnostic.code is NO_SUCH_SIBLING:
        return change.parts == (*parts[:-1], name)
    return change.parts[-1] == name and (len(change.parts) == DECLARATION_DEPTH or change.parts[0] == "kinds")


__all__ = ["name_bringing_variants"]

"""A file of a variant names another that there is not: the hint has the nearest of all that are known.

In: what is wrong with variants, and the variants that were checked. Out: the same, where the name of a variant that
there is not comes with the names of those that could be meant: all that are checked too, those beside the file and
those of its game. What is applied by itself, at a number of players or where others are played, is none of them.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Final

from rulewright.checker.variant_checks import CheckedVariant
from rulewright.diagnostics import Diagnostic, Diagnostics, fix_of_hint
from rulewright.document.document import source_path
from rulewright.frozen import replace
from rulewright.scenarios.nearby_files import known_variants
from rulewright.source.real_paths import real_path
from rulewright.suggestions import unknown_name_hint
from rulewright.variants.codes import REQUIRED_VARIANT, UNKNOWN_VARIANT

NOT_FOUND: Final = "not found"  # the label of a name that is that of no variant
CODES: Final = (REQUIRED_VARIANT, UNKNOWN_VARIANT)


def name_known_variants(diagnostics: Diagnostics, checked: Collection[CheckedVariant | None]) -> Diagnostics:
    """The diagnostics, with the nearest name of a variant where one is named that there is not."""
    by_path = {real_path(one.path): one for one in checked if one is not None}

    @cache
    def names_for(path: Path) -> dict[str, Path | None]:
        """The names of the variants that could be meant, with the file of each that is checked too."""
        own = by_path[path]
        nearby = known_variants(path, own.variant.game, str(own.game))
        others = [one for one in by_path.values() if one.game == own.game and one.variant.kind == "variant"]
        names = {**dict.fromkeys(nearby), **{one.variant.name: one.path for one in others}}
        return {name: path for name, path in names.items() if name != own.variant.name}

    def with_names(one: Diagnostic) -> Diagnostic:
        path = real_path(Path(one.span.source.path))
        if one.code not in CODES or one.label != NOT_FOUND or path not in by_path:
            return one
        name, names = one.span.text, names_for(path)
        there = names.get(name)
        if there is not None:
            hint = f"`{source_path(there)}` is not found from here: put it into the folder of this file"
            return replace(one, help=hint, fix=None)
        hint = unknown_name_hint(name, "variants", sorted(names))()
        return replace(one, help=hint, fix=fix_of_hint(one.span, hint))

    named = Diagnostics()
    named.merge(diagnostics, with_names)
    return named


__all__ = ["name_known_variants"]

"""What is checked where no path is given: what ships, or the games that have certain variants.

In: variants, by name or path. Out: paths.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from rulewright.bundle import bundle_folder
from rulewright.diagnostics import Diagnostics
from rulewright.errors import quote
from rulewright.model.locate import NotFound, available_games, available_variants, find_game, is_path
from rulewright.source.real_paths import real_path
from rulewright.suggestions import did_you_mean
from rulewright.variants.variant import load_variant


def _shipped_games_with(variants: Sequence[str]) -> list[str]:
    """The shipped games that have all these variants, by name or path; none where everything is to be checked.

    Raises `NotFound` when no game has them.
    """
    files = [Path(variant) for variant in variants if is_path(variant)]
    if files:  # one that is broken, or that does not fit the others, is reported with the rest
        loaded = [load_variant(path, Diagnostics()) for path in files if path.is_file()]
        names = {variant.game for variant in loaded if variant is not None}
        return [name for name in available_games() if names == {name}]
    games = [name for name in available_games() if set(variants) <= available_variants(name).keys()]
    if games:
        return games if variants else []
    known = {variant for name in available_games() for variant in available_variants(name)}
    unknown = next((variant for variant in variants if variant not in known), None)
    if unknown is None:
        raise NotFound(f"no shipped game has all of these variants: {', '.join(variants)}")
    hint = did_you_mean(unknown, known)
    raise NotFound(f"no shipped game has a variant {quote(unknown)}" + (f"; {hint}" if hint else ""))


def shipped_paths(variants: Sequence[str]) -> Iterator[Path]:
    """All that is shipped; with variants the games that have them, each with its variants."""
    games = _shipped_games_with(variants)
    if not games:
        yield bundle_folder("rules")
        yield bundle_folder("variants")
    for name in games:
        yield find_game(name)
        yield from available_variants(name).values()


def is_shipped_game(path: Path) -> bool:
    """Whether a game is one of those that ship."""
    return real_path(path).is_relative_to(bundle_folder("rules").resolve())


__all__ = ["is_shipped_game", "shipped_paths"]

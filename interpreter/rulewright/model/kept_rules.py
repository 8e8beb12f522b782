"""Rules of shipped games that were read before are not read again before a file changes.

In: the names of a game and of variants, a number of players. Out: `Rules`, as `load_rules` gives them. What playing
needs of them is kept under a digest of all files of the game and its variants, and of the program; what only explains
them is read from the files when it is asked for. Rules that are given by path are read each time, since they depend on
folders around them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from rulewright import diagnostics
from rulewright.bundle import bundle_folder
from rulewright.document.game_files import source_path
from rulewright.expr import sentence_template, tree, types
from rulewright.frozen import field_names
from rulewright.frozen_json import data_classes, from_json, to_json
from rulewright.model import actions, effects, rules
from rulewright.model.locate import available_games, default_game, is_path
from rulewright.model.rules import Explanations, Rules
from rulewright.private_cache import cache_folder, cache_key, keep, read_cached
from rulewright.program_signature import program_signature
from rulewright.source.unsaved import is_any_text_held

DATA_MODULES: Final = (diagnostics, sentence_template, tree, types, actions, effects, rules)
EXPLANATIONS: Final = "explanations"  # the field that is no data


def load_kept_rules(game: str | None = None, *, players: int | None = None, variants: Sequence[str] = ()) -> Rules:
    """As `load_rules`, and it raises the same; of shipped rules what was kept."""
    name = game or default_game()
    key = None if cache_folder() is None else rules_key(name, players, variants)
    content = None if key is None else read_cached(key)
    if content is not None:
        try:
            return unpack_rules(content, name, players, variants)
        except (ValueError, TypeError, LookupError, AttributeError):
            pass  # it was damaged in a way that its checksum does not show
    found = _read_rules(name, players, variants)
    if key is not None and key == rules_key(name, players, variants):  # else a file changed meanwhile
        keep(key, pack_rules(found))
    return found


def rules_key(game: str, players: int | None, variants: Sequence[str]) -> str | None:
    """A digest of everything that rules follow from; None for those that are not only read from shipped files."""
    if is_any_text_held() or is_path(game) or any(map(is_path, variants)) or game not in available_games():
        return None
    parts: list[str | bytes] = ["rules", program_signature(), game, str(players), *variants]
    shipped, changing = bundle_folder("rules"), bundle_folder("variants")
    for folder in (shipped / game, shipped / f"{game}.yaml", changing / game):
        try:
            for path in _paths(folder):
                if path.is_symlink():
                    return None
                if path.is_dir():  # its files are called by the way to them from where the command runs
                    parts += [str(path), source_path(path)]
                else:
                    parts += [path.name, path.read_bytes()]
        except OSError:
            return None
    return cache_key(*parts)


def pack_rules(found: Rules) -> bytes:
    """What playing needs of rules, as JSON."""
    data = {name: getattr(found, name) for name in field_names(Rules) if name != EXPLANATIONS}
    return to_json((data, found.digest), data_classes(DATA_MODULES))


def unpack_rules(content: bytes, game: str, players: int | None, variants: Sequence[str]) -> Rules:
    """The rules again, which read their files when they are asked for explanations. Raises as `from_json`."""
    data, digest = from_json(content, data_classes(DATA_MODULES))

    @cache
    def explained() -> Explanations:
        return _read_rules(game, players, variants).explanations

    explanations = Explanations(
        provenance=lambda: explained().provenance(),
        works=lambda: explained().works(),
        book=lambda: explained().book(),
        digest=lambda: digest,
        text_digest=lambda: explained().text_digest(),
    )
    return Rules(**data, explanations=explanations)


def _read_rules(game: str, players: int | None, variants: Sequence[str]) -> Rules:
    from rulewright.model.loader import load_rules  # and with it all that reads and judges rules

    return load_rules(game, players=players, variants=variants)


def _paths(path: Path) -> Iterator[Path]:
    """What is at a path and, if that is a folder, all that is below it, in order; of links nothing else."""
    if os.path.lexists(path):
        yield path
        if path.is_dir() and not path.is_symlink():
            for name in sorted(os.listdir(path)):
                yield from _paths(path / name)


__all__ = ["load_kept_rules", "pack_rules", "rules_key", "unpack_rules"]

"""A game with variants, as it is to be checked, and what the judgement depends on.

In: a document, numbers of players, paths of variants. Out: a key that is another one when any file that was read
changes.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rulewright.document.document import Document
from rulewright.frozen import frozen
from rulewright.model.locate import available_variants, joint_files, joint_files_beside
from rulewright.private_cache import cache_key
from rulewright.variants.variant import translation_files


@frozen
class RuleSet:
    """A game with variants, to be checked at some numbers of players.

    `variant`: the resolved path of the one variant that is checked in this way; None for a game and for several
    variants together. `is_game`: whether it is the game itself, of which more is checked. `play`: decisions played.
    """

    document: Document
    counts: tuple[int, ...]
    variants: tuple[Path, ...]
    variant: Path | None = None
    is_game: bool = False
    play: int = 0


def rule_set_key(rules: RuleSet, digest_of: Callable[[Path], str]) -> str:
    """A digest of all that the judgement depends on besides the program. `digest_of`: of the bytes of a file."""
    document = rules.document
    known = sorted(available_variants(document.name, document.path).items())
    joint = [*joint_files(document.name, document.path), *joint_files_beside(document.name, rules.variants)]
    files = [*document.files, *(file.path for file in document.unread)]
    for variant in dict.fromkeys((*rules.variants, *joint)):
        files += [variant, *translation_files(variant)]
    parts = ["rule set", repr((rules.counts, rules.is_game, rules.play)), str(document.path)]
    parts += [f"{name} {path}" for name, path in known]
    parts += ["variants", *map(str, rules.variants), "joint", *map(str, joint), "files"]
    parts += [f"{path} {digest_of(path)}" for path in dict.fromkeys(files)]
    return cache_key(*parts)


__all__ = ["RuleSet", "rule_set_key"]

"""A game, merged from its files into one tree in which every rule has its address.

In: nothing. Out: data, which `document_reader` fills; whether a file belongs to the game that lists it.
"""

from __future__ import annotations

from collections.abc import Mapping as Table
from pathlib import Path
from typing import Final

from rulewright.diagnostics import Diagnostics, Related
from rulewright.document import codes
from rulewright.document.game_files import MANIFEST, source_path
from rulewright.document.other_forms import ID_PATTERN, LANGUAGE_CODES
from rulewright.document.sentences_apart import Titles
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.nodes import MappingNode, Node, ScalarNode
from rulewright.suggestions import closest_name, meant_hint

CODE: Final = lazy_pattern(r"[a-z]{2,3}")  # of a language, without its region


@frozen
class UnreadFile:
    """A file that explains rules. `after`: the key behind which its section belongs; empty for a file without."""

    kind: str  # sources, statements or book
    path: Path
    item: ScalarNode  # where it is listed
    after: str = ""


@frozen
class Adjustment:
    """A file of the game for one number of players: what is different there."""

    path: Path
    root: MappingNode

    @property
    def players(self) -> int:
        """The number of players at which it applies."""
        value = self.root.get("players")
        return value.value if isinstance(value, ScalarNode) and isinstance(value.value, int) else 0


@frozen
class RecordedSource:
    """Where the rule at an address comes from: works and sections, and its status."""

    address: str
    source: tuple[tuple[str, str], ...]
    status: str


@frozen
class Document:
    """A game, merged from its files. `root`: head and sections, ordered lists as mappings name → step, id → row."""

    root: MappingNode
    texts: Table[str, MappingNode]  # by language: the whole file
    sources: MappingNode | None  # the whole file, once it has been read
    display: MappingNode | None  # the whole file
    path: Path  # of the file with the head
    files: tuple[Path, ...]  # all that were read
    variant_names: tuple[str, ...] = ()  # of the variants applied, in that order
    unread: tuple[UnreadFile, ...] = ()  # what is asked for by few
    part_heads: tuple[MappingNode, ...] = ()  # the parts that say where their rules come from, whole
    recorded_sources: tuple[RecordedSource, ...] = ()  # where a record says them instead of files
    adjustments: tuple[Adjustment, ...] = ()  # for numbers of players
    titles: Titles = ()  # addresses of rules, and what each is called, with the key `title`
    contested: tuple[str, ...] = ()  # addresses of sentences that variants write in different words
    passage_variants: tuple[
        tuple[str, str], ...
    ] = ()  # passages that variants write differently, each with its variant

    @property
    def name(self) -> str:
        """The game's name."""
        head = self.root.get("game")
        return head.text if isinstance(head, ScalarNode) else ""


def check_game_name(game_named: Node | None, game: Node | None, diagnostics: Diagnostics) -> None:
    """Reports a file that belongs to another game than the one that lists it."""
    if not isinstance(game_named, ScalarNode) or not isinstance(game, ScalarNode):
        return
    if game_named.text != game.text and ID_PATTERN.fullmatch(game.text):  # a game's name that is none is reported
        related = [Related(game.span, "listed by this game")]
        message = f"this file belongs to `{game_named.text}`, but `{game.text}` lists it"
        is_slip = closest_name(game_named.text, [game.text]) != ""
        hint = (
            meant_hint(game_named.text, game.text)
            if is_slip
            else f"write `{game.text}`, or take the file out of the list"
        )
        diagnostics.add(
            game_named.span, codes.OTHER_GAME, message, label=f"not `{game.text}`", help=hint, related=related
        )


def check_language_named(path: Path, language: Node | None, diagnostics: Diagnostics) -> bool:
    """Whether a file of texts has the language that it is named after, if it is named after one; reported if not."""
    if not isinstance(language, ScalarNode) or path.stem not in LANGUAGE_CODES.values():
        return True
    code = language.text.partition("-")[0]
    if code == path.stem or not CODE.fullmatch(code):  # what is no code at all is told of each file
        return True
    diagnostics.add(
        language.span,
        codes.NOT_ONE_OF,
        f"`texts`: expected `{path.stem}`, as `{path.name}` is named, found `{language.text}`",
        label=f"not `{path.stem}`",
        help=meant_hint(language.text, path.stem),
    )
    return False


__all__ = [
    "MANIFEST",
    "Adjustment",
    "Document",
    "RecordedSource",
    "UnreadFile",
    "check_game_name",
    "check_language_named",
    "source_path",
]

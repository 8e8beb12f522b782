"""Which names each file of a game speaks of, and what its words mean by them.

In: a game's document, and files that belong to it. Out: the names of the rules as a file sees them (a variant those
that it changes, a scenario those that its cases are played by), and its words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

from rulewright.diagnostics import Diagnostics
from rulewright.document.document import Document
from rulewright.document.unread_files import read_explanations
from rulewright.editor.file_nodes import node_of_file
from rulewright.editor.file_uses import uses_in
from rulewright.editor.known_names import LISTS_OF_FILES, KnownNames
from rulewright.editor.name_uses import ExpressionPlace, NameUse, file_of_cases
from rulewright.editor.scenario_uses import uses_in_case
from rulewright.frozen import frozen
from rulewright.model.allowed_players import player_counts
from rulewright.model.loader import compose_document
from rulewright.model.locate import NotFound, available_variants
from rulewright.scenarios.nearby_files import find_nearby_file
from rulewright.source.nodes import MappingNode, Node, ScalarNode, as_items, as_mapping
from rulewright.variants.variant import load_variant
from rulewright.variants.variant_names import is_setting

FilePart = tuple[KnownNames, Sequence[NameUse]]


@frozen
class FileWords:
    """What is found in a file that has this node."""

    node: Node | None
    parts: Sequence[FilePart]
    expressions: Sequence[ExpressionPlace]


class GameNames:
    """The names of a game, with and without its variants."""

    def __init__(self, base: Document) -> None:
        self.base = base
        self._with_variants: dict[tuple[tuple[str, ...], int | None], KnownNames] = {}
        self._words_of_files: dict[Path, FileWords] = {}
        self._nearby: dict[tuple[Path, str], str] = {}  # variants as they are named in files of a folder

    @cached_property
    def of_game(self) -> KnownNames:
        """The names that the game has without variants; those of its rulebook, too."""
        whole = read_explanations(self.base, Diagnostics())
        return KnownNames((self.base if whole is None else whole).root)

    def uses_in(self, path: Path) -> list[NameUse]:
        """The words of a file that mean something; none of a file that cannot be read."""
        return [use for _, uses in self.parts_of(path) for use in uses]

    def parts_of(self, path: Path) -> Sequence[FilePart]:
        """The parts of a file that speak of the same names, each with its words: each case of scenarios is one."""
        return self._words(path).parts

    def expressions_in(self, path: Path) -> Sequence[ExpressionPlace]:
        """Where a file has expressions, in no particular order; scenarios have none."""
        return self._words(path).expressions

    def _words(self, path: Path) -> FileWords:
        """What is found is kept: an editor asks at each move of the cursor."""
        node = node_of_file(path)
        if not isinstance(node, MappingNode) or not node.entries:
            return FileWords(node, (), ())
        known = self._words_of_files.get(path)
        if known is None or known.node is not node:
            expressions: list[ExpressionPlace] = []
            parts = tuple((names, tuple(uses)) for names, uses in self._parts_of(path, node, expressions))
            known = self._words_of_files[path] = FileWords(node, parts, expressions)
        return known

    def _parts_of(
        self, path: Path, node: MappingNode, expressions: list[ExpressionPlace]
    ) -> Iterator[tuple[KnownNames, Iterable[NameUse]]]:
        if node.entries[0].key.text == "scenarios":
            yield from self._cases(path, node)
        else:
            names = self.of_file(path, node)
            yield names, uses_in(names, node, expressions)

    def of_file(self, path: Path, node: MappingNode) -> KnownNames:
        """The names that a file speaks of."""
        kind = node.entries[0].key.text
        if kind == "adjusts":
            players = node.get("players")
            count = players.value if isinstance(players, ScalarNode) and isinstance(players.value, int) else None
            return self.with_variants((), count)
        if kind in ("variant", "joins"):
            return self.with_variants(self.variants_of(path), None)
        if kind == "texts" and (named := node.get("variant")) is not None:
            (own,) = self._paths(path, named) or (str(path),)
            return self.with_variants(self.variants_of(Path(own)), None)
        return self.of_game

    def variants_of(self, path: Path) -> tuple[str, ...]:
        """The path of a variant, after those without which it cannot be played."""
        return (*self._needed_by(path, ()), str(path))

    def with_variants(self, paths: tuple[str, ...], players: int | None) -> KnownNames:
        """The names that a game has with variants; without them where they cannot be applied."""
        if not paths and players is None:
            return self.of_game
        known = self._with_variants.get((paths, players))
        if known is None:
            root = self._root_of(paths, players)
            alone = [needed for path in paths if (needed := self.variants_of(Path(path))) != paths]
            before = tuple(self.with_variants(needed, None) for needed in alone) or (self.of_game,)
            known = before[-1] if root is None else KnownNames(root, before)
            self._with_variants[paths, players] = known
        return known

    def _root_of(self, paths: Sequence[str], players: int | None) -> MappingNode | None:
        try:
            composition = compose_document(self.base, players, paths, Diagnostics())
        except NotFound:
            return None
        return None if composition is None else composition.document.root

    def _needed_by(self, path: Path, seen: tuple[str, ...]) -> tuple[str, ...]:
        """The paths of the variants without which one cannot be played, in the order in which they are applied."""
        variant = load_variant(path, Diagnostics())
        found: tuple[str, ...] = ()
        for name in variant.requires if variant is not None else ():
            needed = available_variants(self.base.name, self.base.path).get(name, path.with_name(f"{name}.yaml"))
            if str(needed) not in (*seen, str(path)):
                found = (*found, *self._needed_by(needed, (*seen, str(path))), str(needed))
        return tuple(dict.fromkeys(found))

    def _paths(self, path: Path, named: Node | None) -> tuple[str, ...]:
        """The files of variants that are named in another file."""
        names = [item.text for item in as_items(named) if isinstance(item, ScalarNode)]
        known = available_variants(self.base.name, self.base.path)
        nearby = [self._nearby_file(path, name) for name in names if not is_setting(name)]
        return tuple(str(known.get(name, name)) for name in nearby)

    def _nearby_file(self, path: Path, name: str) -> str:
        key = (path.parent, name)
        if key not in self._nearby:  # many cases of scenarios name the same variants
            self._nearby[key] = find_nearby_file(path, "variant", name)
        return self._nearby[key]

    def _cases(self, path: Path, node: MappingNode) -> Iterator[tuple[KnownNames, Iterable[NameUse]]]:
        above = file_of_cases(path.name.removesuffix(".yaml"))
        cases = as_mapping(node.get(LISTS_OF_FILES["scenarios"]))
        keys = [NameUse(case.key.span, case.key.text, f"{above}.{case.key.text}") for case in cases]
        yield self.of_game, keys
        for case in cases:
            whole = as_mapping(case.value)
            names, _ = self.of_case(path, node, whole)
            settings = filter(None, map(_parameter_of, as_items(_setting(node, whole, "variants"))))
            yield names, (*settings, *uses_in_case(names, whole))

    def of_case(self, path: Path, file: MappingNode, case: MappingNode) -> tuple[KnownNames, int]:
        """The names that a case of a file speaks of, and how many play in it."""
        players = _setting(file, case, "players")
        count = players.value if isinstance(players, ScalarNode) and isinstance(players.value, int) else None
        names = self.with_variants(self._paths(path, _setting(file, case, "variants")), count)
        return names, player_counts(self.base)[0] if count is None else count


def _setting(file: MappingNode, case: MappingNode, key: str) -> Node | None:
    """What a case says, else its file."""
    return case.get(key) or file.get(key)


def _parameter_of(node: Node) -> NameUse | None:
    """The parameter that a setting gives another value, such as `goal=5`."""
    if not isinstance(node, ScalarNode) or not is_setting(node.text):
        return None
    name = node.text.partition("=")[0].strip()
    return NameUse(node.subspan(0, len(name)), name, f"parameters.{name}")


__all__ = ["GameNames"]

"""Scenarios of the version of the language before, which counted players from 0: today they count from 1.

In: a scenario file, beside rules that are of today already. Out: its text with other numbers wherever one means a
player, as reading it by its rules finds. What a file counts from is said by its `language`, so that none is counted on
twice; a file that cannot be read by its rules stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rulewright.diagnostics import Diagnostics, SourceFile
from rulewright.document.language import LANGUAGE_VERSION, former_keys_of_scenarios
from rulewright.document.migration.migration_edits import Edit, apply_edits, line_after, replaced
from rulewright.engine.notation import Notation
from rulewright.engine.state import Action
from rulewright.expr.types import SEAT, Bag, Member, SetOf, Type
from rulewright.frozen import frozen, replace
from rulewright.json_values import is_integer
from rulewright.model.locale import player_number
from rulewright.scenarios.runner import chance_types, is_chance, outcome_error, outcome_text, parse_case
from rulewright.scenarios.scenario_context import PieceCounts, ScenarioContext
from rulewright.scenarios.scenario_file import Case, parse_scenario_node, scalars_of
from rulewright.scenarios.scenario_game import ScenarioGame, ScenarioGames
from rulewright.source.nodes import MappingNode, Node, ScalarNode, as_mapping
from rulewright.source.reader import parse_source

HEAD = "scenarios"


@frozen
class ScenarioMigration:
    """The text of a file; `left`: why it could not be rewritten, empty when it was or is of today."""

    text: str
    left: str = ""


def is_former(root: Node | None) -> bool:
    """Whether a file holds scenarios that count players from 0."""
    if not isinstance(root, MappingNode) or not root.entries or root.entries[0].key.text != HEAD:
        return False
    version = root.get("language")
    return version is None or (isinstance(version, ScalarNode) and version.text == str(LANGUAGE_VERSION - 1))


def migrate_scenarios(path: Path, text: str, games: ScenarioGames) -> ScenarioMigration:
    """The text of a file with players counted from 1, if it counts them from 0."""
    root = parse_source(SourceFile(str(path), text), Diagnostics())
    if not isinstance(root, MappingNode) or not is_former(root):
        return ScenarioMigration(text)
    by_keys = apply_edits(text, _key_edits(root))
    diagnostics = Diagnostics()
    node = parse_source(SourceFile(str(path), by_keys), diagnostics)
    file = None if node is None else parse_scenario_node(node, path, diagnostics)
    if file is None:
        return ScenarioMigration(text, next(iter(diagnostics)).message)
    edits: dict[int, Edit] = {}
    for case in file.cases:
        left = _rewrite_case(case, games, edits)
        if left:
            return ScenarioMigration(text, f"cases.{case.name}: {left}")
    return ScenarioMigration(apply_edits(by_keys, edits.values()))


# ---- what keys say -------------------------------------------------------------------------------------------


def _key_edits(root: MappingNode) -> Iterator[Edit]:
    """Edits of everything that is a player by its key, and the version of the language."""
    version = root.entry("language")
    game = root.entry("for")
    if version is not None and isinstance(version.value, ScalarNode):
        yield replaced(version.value, str(LANGUAGE_VERSION))
    elif game is not None:
        yield line_after(game, f"language: {LANGUAGE_VERSION}")
    former = former_keys_of_scenarios()
    for mapping in (root, *_cases(root)):
        for part in (mapping, as_mapping(mapping.get("given"))):
            for entry in part:
                if entry.key.text in former:
                    yield replaced(entry.key, former[entry.key.text])
                    yield from _numbers(entry.value)
        then = as_mapping(mapping.get("then"))
        for key in ("decides", "winners"):
            yield from _numbers(then.get(key))
        for viewer in as_mapping(then.get("sees")):
            if viewer.key.text.isdecimal():
                yield replaced(viewer.key, str(player_number(int(viewer.key.text))))


def _cases(root: MappingNode) -> Iterator[MappingNode]:
    for entry in as_mapping(root.get("cases")):
        yield as_mapping(entry.value)


def _numbers(node: Node | None) -> Iterator[Edit]:
    for scalar in scalars_of(node):
        if is_integer(scalar.value):
            yield replaced(scalar, str(player_number(scalar.value)))


# ---- what the rules say --------------------------------------------------------------------------------------


class _FormerContext(ScenarioContext):
    """Reads a case with players counted from 0, and notes what it is called when they are counted from 1."""

    def __init__(self, game: ScenarioGame, diagnostics: Diagnostics, address: str, edits: dict[int, Edit]) -> None:
        super().__init__(game, diagnostics, address)
        self.notation = game.views.notation
        self.today = game.notation
        self.edits = edits

    def _rewrite(self, node: ScalarNode, old: str, new: str) -> None:
        if new != old:
            edit = replaced(node, new)
            self.edits[edit.start] = edit

    def parse_action(self, item: ScalarNode) -> Action | None:
        action = super().parse_action(item)
        if action is not None:
            self._rewrite(item, self.notation.format_action(action), self.today.format_action(action))
        return action

    def parse_value(self, node: Node, type_: Type) -> int | tuple[int, ...] | None:
        value = super().parse_value(node, type_)
        if value is not None and isinstance(node, ScalarNode):
            self._rewrite(node, self.notation.format_value(value, type_), self.today.format_value(value, type_))
        return value

    def parse_counts(self, kind: str, node: Node) -> PieceCounts | None:
        self._rewrite_keys(node, Member(kind))
        return super().parse_counts(kind, node)

    def _entries(
        self, types: tuple[Type, ...], name: ScalarNode, node: Node, keys: tuple[int, ...]
    ) -> Iterator[tuple[tuple[int, ...], Node]]:
        if len(keys) < len(types):
            self._rewrite_keys(node, types[len(keys)])
        yield from super()._entries(types, name, node, keys)

    def _rewrite_keys(self, node: Node, type_: Type) -> None:
        if not isinstance(type_, Member):
            return
        names = dict(zip(self.notation.member_ids(type_.kind), self.today.member_ids(type_.kind), strict=True))
        for entry in as_mapping(node):
            self._rewrite(entry.key, entry.key.text, names.get(entry.key.text, entry.key.text))


def _rewrite_case(case: Case, games: ScenarioGames, edits: dict[int, Edit]) -> str:
    """Adds the edits of a case; returns why they cannot be found."""
    diagnostics = Diagnostics()
    game = games.game_for(case, diagnostics)
    if game is None:
        return next(iter(diagnostics)).message
    context = _FormerContext(game, diagnostics, f"cases.{case.name}", edits)
    former = replace(game, notation=game.views.notation)
    parse_case(former, case, context)
    if diagnostics.error_count:
        return next(iter(diagnostics)).message
    for item in case.when:
        if is_chance(former, item):
            old, names = outcome_text(item), _outcome_names(former, game.notation, item)
            if len(names) > 1:
                return f"`{item.text}` may be a player or not"
            for new in names - {old}:
                edits[item.span.start] = replaced(item, item.text.replace(old, new))
    return ""


def _outcome_names(game: ScenarioGame, today: Notation, item: ScalarNode) -> set[str]:
    """What the outcome of `chance(…)` can be called today: several where it may be a player or something else."""
    types = [type_ for type_ in chance_types(game) if not outcome_error(game, item, type_)]
    text = outcome_text(item)
    return {
        today.format_value(game.notation.parse_value(text, type_), type_) if _has_players(game, type_) else text
        for type_ in types
    }


def _has_players(game: ScenarioGame, type_: Type) -> bool:
    match type_:
        case Member(kind=kind) | Bag(kind=kind) | SetOf(element=Member(kind=kind)):
            return game.rules.kinds[kind].family == SEAT.kind
    return False


__all__ = ["ScenarioMigration", "is_former", "migrate_scenarios"]

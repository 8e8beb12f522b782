"""A scenario file: examples of a game's rules, each with a position, what is done in it, and what must come of it.

In: the path of a file. Out: its cases, each with the settings that the file gives for all of them; diagnostics.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

from rulewright.diagnostics import Diagnostics, Span
from rulewright.document.mended_nodes import has_unread, mend
from rulewright.document.schema_check import check_file_schema
from rulewright.frozen import frozen
from rulewright.model.locale import seat_of_player
from rulewright.scenarios import codes
from rulewright.source.nodes import MappingNode, Node, ScalarNode, SequenceNode, as_mapping
from rulewright.source.reader import parse_file

CaseKind = Literal["legal", "illegal", "state"]
OPTION_KEYS: Final = ("legal", "not_legal", "illegal")


@frozen
class CaseSpans:
    """Where a case, or its file for all cases, names the game it is played with.

    `players` and `first_player` are the case's name where they are left to the default.
    """

    game: Span
    players: Span
    variants: tuple[Span, ...]  # of each
    first_player: Span


@frozen
class Case:
    """One example. `players` None: the fewest that can play. `when`: the actions in order."""

    name: str
    path: Path
    game: str
    players: int | None
    variants: tuple[str, ...]
    first_seat: int
    rulings: tuple[int, ...]
    given: MappingNode | None
    when: tuple[ScalarNode, ...]
    then: MappingNode
    span: Span  # of its name
    spans: CaseSpans

    @property
    def name_node(self) -> ScalarNode:
        """The name where the case writes it: diagnostics without a better place are reported there."""
        return ScalarNode(self.name, self.name, self.span)

    @property
    def kinds(self) -> frozenset[CaseKind]:
        """What it shows: that an action is legal, that one is illegal, or what is the case at some moment."""
        kinds: set[CaseKind] = set()
        if "illegal" in self.then:
            kinds.add("illegal")
        elif self.when or "legal" in self.then:
            kinds.add("legal")
        if any(entry.key.text not in OPTION_KEYS for entry in self.then):
            kinds.add("state")
        return frozenset(kinds)


@frozen
class ScenarioFile:
    """The cases of one file, in its order."""

    path: Path
    title: str
    cases: tuple[Case, ...]


def parse_scenario_file(path: Path, diagnostics: Diagnostics) -> ScenarioFile | None:
    """The cases of a scenario file; None when anything is wrong with its YAML or its shape."""
    file_diagnostics = Diagnostics()
    node = parse_file(path, file_diagnostics)
    file = None if node is None else parse_scenario_node(node, path, file_diagnostics)
    diagnostics.extend(file_diagnostics)
    return file if not file_diagnostics.error_count else None


def parse_scenario_node(node: Node, path: Path, diagnostics: Diagnostics) -> ScenarioFile | None:
    """The cases of a parsed file; None when it has the wrong shape."""
    # apart from `diagnostics`, which drops what was reported before: an error reported twice is an error nonetheless
    file_diagnostics = Diagnostics()
    kind = check_file_schema(node, file_diagnostics)
    diagnostics.extend(file_diagnostics)
    if not isinstance(node, MappingNode) or kind is None or file_diagnostics.error_count or has_unread(node):
        return None
    if kind != "scenarios":
        message = f"expected a file of scenarios, found a file of the kind `{kind}`"
        hint = "begin a file of scenarios with `scenarios: …`"
        diagnostics.add(node.entries[0].key.span, codes.NO_SCENARIOS, message, help=hint)
        return None
    cases = node.get("cases")
    assert isinstance(cases, MappingNode)
    parsed = tuple(_parse_case(path, node, entry.key, entry.value) for entry in cases)
    return ScenarioFile(path, _text(node, "scenarios"), parsed)


def cases_to_look_up(node: Node, path: Path, diagnostics: Diagnostics) -> tuple[Case, ...]:
    """The cases of a parsed file whose names can be looked up. Of a file with the wrong shape these are the ones that
    have all their keys: what a case means without a key of its own, or of the file, nobody knows.
    """
    file = parse_scenario_node(node, path, diagnostics)
    if file is not None:
        return file.cases
    mended = mend(node, "scenarios")
    file = None if mended is None else parse_scenario_node(mended[0], path, Diagnostics())
    if file is None or mended is None or not isinstance(node, MappingNode) or mended[0].keys() != node.keys():
        return ()
    left, written = as_mapping(mended[0].get("cases")), as_mapping(node.get("cases"))
    return tuple(
        case
        for case in file.cases
        if as_mapping(left.get(case.name)).keys() == as_mapping(written.get(case.name)).keys()
    )


def _parse_case(path: Path, file: MappingNode, key: ScalarNode, node: Node) -> Case:
    assert isinstance(node, MappingNode)
    given, then = node.get("given"), node.get("then")
    assert isinstance(then, MappingNode)
    assert given is None or isinstance(given, MappingNode)
    players, variants, first = (_setting(node, file, name) for name in ("players", "variants", "first_player"))
    game = file.get("for")
    assert game is not None
    rulings = [ruling.value for ruling in scalars_of(node.get("rulings"))]
    return Case(
        name=key.text,
        path=path,
        game=_text(file, "for"),
        players=players.value if isinstance(players, ScalarNode) and isinstance(players.value, int) else None,
        variants=tuple(variant.text for variant in scalars_of(variants)),
        first_seat=seat_of_player(first.value) if isinstance(first, ScalarNode) and isinstance(first.value, int) else 0,
        rulings=tuple(ruling for ruling in rulings if isinstance(ruling, int)),
        given=given,
        when=scalars_of(node.get("when")),
        then=then,
        span=key.span,
        spans=CaseSpans(
            game=game.span,
            players=key.span if players is None else players.span,
            variants=tuple(variant.span for variant in scalars_of(variants)),
            first_player=key.span if first is None else first.span,
        ),
    )


def _setting(node: MappingNode, file: MappingNode, key: str) -> Node | None:
    """The value in the case, else the one that its file gives for all cases."""
    return node.get(key) if key in node else file.get(key)


def _text(node: MappingNode, key: str) -> str:
    value = node.get(key)
    assert isinstance(value, ScalarNode)
    return value.text


def scalars_of(node: Node | None) -> tuple[ScalarNode, ...]:
    """The values of a list; a lone value is a list of one."""
    if isinstance(node, ScalarNode):
        return (node,)
    return tuple(item for item in node if isinstance(item, ScalarNode)) if isinstance(node, SequenceNode) else ()


__all__ = [
    "Case",
    "CaseKind",
    "CaseSpans",
    "ScenarioFile",
    "cases_to_look_up",
    "parse_scenario_file",
    "parse_scenario_node",
    "scalars_of",
]

"""A scenario file: examples of a game's rules, each with a position, what is done in it, and what must come of it.

In: the path of a file. Out: its cases, with what the file says for all of them put into each; complaints in the report.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from rulewright.diagnostics import Diagnostics, Span
from rulewright.document.schema_check import check_file_schema
from rulewright.scenarios import codes
from rulewright.source.nodes import MappingNode, Node, ScalarNode, SequenceNode
from rulewright.source.reader import parse_file

CaseKind = Literal["legal", "illegal", "state"]
OPTION_KEYS: Final = ("legal", "not_legal", "illegal")


@dataclass(frozen=True, slots=True)
class CaseSpans:
    """Where a case, or its file for all cases, says at which table it is played; without a word about the number of
    players or the first seat it is the case's name.
    """

    game: Span
    players: Span
    variants: tuple[Span, ...]  # of each
    first_seat: Span


@dataclass(frozen=True, slots=True)
class Case:
    """One example. `players` None: the fewest that can play; `when`: the actions, one after another."""

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
    def kinds(self) -> frozenset[CaseKind]:
        """What it shows: that an action can be done, that one cannot, or what is so at some moment."""
        found: set[CaseKind] = set()
        if "illegal" in self.then:
            found.add("illegal")
        elif self.when or "legal" in self.then:
            found.add("legal")
        if any(entry.key.text not in OPTION_KEYS for entry in self.then):
            found.add("state")
        return frozenset(found)


@dataclass(frozen=True, slots=True)
class ScenarioFile:
    """The cases of one file, in its order."""

    path: Path
    title: str
    cases: tuple[Case, ...]


def parse_scenario_file(path: Path, diagnostics: Diagnostics) -> ScenarioFile | None:
    """The cases of a scenario file; None when anything is wrong with its YAML or its shape."""
    own = Diagnostics()
    node = parse_file(path, own)
    found = None if node is None else parse_scenario_node(node, path, own)
    diagnostics.extend(own)
    return found if not own.error_count else None


def parse_scenario_node(node: Node, path: Path, diagnostics: Diagnostics) -> ScenarioFile | None:
    """The cases of a file that was loaded already; None when it has the wrong shape."""
    own = Diagnostics()  # what is wrong with this file may have been told before, and is wrong all the same
    kind = check_file_schema(node, own)
    diagnostics.extend(own)
    if not isinstance(node, MappingNode) or kind is None or own.error_count:
        return None
    if kind != "scenarios":
        message = f"this is a file of the kind `{kind}`, it holds no scenarios"
        hint = "scenarios begin with `scenarios: …`"
        diagnostics.add(node.entries[0].key.span, codes.NO_SCENARIOS, message, help=hint)
        return None
    cases = node.get("cases")
    assert isinstance(cases, MappingNode)
    found = tuple(_case(path, node, entry.key, entry.value) for entry in cases)
    return ScenarioFile(path, _text(node, "scenarios"), found)


def _case(path: Path, file: MappingNode, key: ScalarNode, node: Node) -> Case:
    assert isinstance(node, MappingNode)
    given, then = node.get("given"), node.get("then")
    assert isinstance(then, MappingNode)
    assert given is None or isinstance(given, MappingNode)
    players, variants, first = (_own(node, file, name) for name in ("players", "variants", "first_seat"))
    game = file.get("for")
    assert game is not None
    rulings = [one.value for one in scalars_of(node.get("rulings"))]
    return Case(
        name=key.text,
        path=path,
        game=_text(file, "for"),
        players=players.value if isinstance(players, ScalarNode) and isinstance(players.value, int) else None,
        variants=tuple(one.text for one in scalars_of(variants)),
        first_seat=first.value if isinstance(first, ScalarNode) and isinstance(first.value, int) else 0,
        rulings=tuple(one for one in rulings if isinstance(one, int)),
        given=given,
        when=scalars_of(node.get("when")),
        then=then,
        span=key.span,
        spans=CaseSpans(
            game=game.span,
            players=key.span if players is None else players.span,
            variants=tuple(one.span for one in scalars_of(variants)),
            first_seat=key.span if first is None else first.span,
        ),
    )


def _own(node: MappingNode, file: MappingNode, key: str) -> Node | None:
    """What a case says, or else what its file says for all cases."""
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


__all__ = ["Case", "CaseKind", "CaseSpans", "ScenarioFile", "parse_scenario_file", "parse_scenario_node", "scalars_of"]

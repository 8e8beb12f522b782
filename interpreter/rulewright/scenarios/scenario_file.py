"""A scenario file: examples of a game's rules, each with a position, what is done in it, and what must come of it.

In: the path of a file. Out: its cases, with what the file says for all of them put into each; complaints in the report.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from rulewright.diagnostics import Report, Span
from rulewright.document.schema_check import check_shape
from rulewright.scenarios import codes
from rulewright.source.nodes import Mapping, Node, Scalar, Sequence
from rulewright.source.reader import load

Sort = Literal["legal", "illegal", "state"]
ABOUT_OPTIONS: Final = ("legal", "not_legal", "illegal")


@dataclass(frozen=True, slots=True)
class Spots:
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
    given: Mapping | None
    when: tuple[Scalar, ...]
    then: Mapping
    span: Span  # of its name
    spots: Spots

    @property
    def sorts(self) -> frozenset[Sort]:
        """What it shows: that an action can be done, that one cannot, or what is so at some moment."""
        found: set[Sort] = set()
        if "illegal" in self.then:
            found.add("illegal")
        elif self.when or "legal" in self.then:
            found.add("legal")
        if any(entry.key.text not in ABOUT_OPTIONS for entry in self.then):
            found.add("state")
        return frozenset(found)


@dataclass(frozen=True, slots=True)
class ScenarioFile:
    """The cases of one file, in its order."""

    path: Path
    title: str
    cases: tuple[Case, ...]


def read_file(path: Path, report: Report) -> ScenarioFile | None:
    """The cases of a scenario file; None when anything is wrong with its YAML or its shape."""
    own = Report()
    node = load(path, own)
    found = None if node is None else read_node(node, path, own)
    report.extend(own)
    return found if not own.errors else None


def read_node(node: Node, path: Path, report: Report) -> ScenarioFile | None:
    """The cases of a file that was loaded already; None when it has the wrong shape."""
    own = Report()  # what is wrong with this file may have been told before, and is wrong all the same
    kind = check_shape(node, own)
    report.extend(own)
    if not isinstance(node, Mapping) or kind is None or own.errors:
        return None
    if kind != "scenarios":
        message = f"this is a file of the kind `{kind}`, it holds no scenarios"
        hint = "scenarios begin with `scenarios: …`"
        report.add(node.entries[0].key.span, codes.NO_SCENARIOS, message, help=hint)
        return None
    cases = node.get("cases")
    assert isinstance(cases, Mapping)
    found = tuple(_case(path, node, entry.key, entry.value) for entry in cases)
    return ScenarioFile(path, _text(node, "scenarios"), found)


def _case(path: Path, file: Mapping, key: Scalar, node: Node) -> Case:
    assert isinstance(node, Mapping)
    given, then = node.get("given"), node.get("then")
    assert isinstance(then, Mapping)
    assert given is None or isinstance(given, Mapping)
    players, variants, first = (_own(node, file, name) for name in ("players", "variants", "first_seat"))
    game = file.get("for")
    assert game is not None
    rulings = [one.value for one in items(node.get("rulings"))]
    return Case(
        name=key.text,
        path=path,
        game=_text(file, "for"),
        players=players.value if isinstance(players, Scalar) and isinstance(players.value, int) else None,
        variants=tuple(one.text for one in items(variants)),
        first_seat=first.value if isinstance(first, Scalar) and isinstance(first.value, int) else 0,
        rulings=tuple(one for one in rulings if isinstance(one, int)),
        given=given,
        when=items(node.get("when")),
        then=then,
        span=key.span,
        spots=Spots(
            game=game.span,
            players=key.span if players is None else players.span,
            variants=tuple(one.span for one in items(variants)),
            first_seat=key.span if first is None else first.span,
        ),
    )


def _own(node: Mapping, file: Mapping, key: str) -> Node | None:
    """What a case says, or else what its file says for all cases."""
    return node.get(key) if key in node else file.get(key)


def _text(node: Mapping, key: str) -> str:
    value = node.get(key)
    assert isinstance(value, Scalar)
    return value.text


def items(node: Node | None) -> tuple[Scalar, ...]:
    """The values of a list; a lone value is a list of one."""
    if isinstance(node, Scalar):
        return (node,)
    return tuple(item for item in node if isinstance(item, Scalar)) if isinstance(node, Sequence) else ()


__all__ = ["Case", "ScenarioFile", "Sort", "Spots", "items", "read_file", "read_node"]

"""The order in which definitions can be read: each after those that its expressions mention.

In: entries of a section. Out: the same, sorted; a cycle is a diagnostic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulewright import limits
from rulewright.diagnostics import Related
from rulewright.document.language import PROSE_KEYS
from rulewright.expr.keywords import RESERVED_NAMES
from rulewright.expr.parse import parse
from rulewright.expr.syntax_tree import ParseError
from rulewright.model import codes
from rulewright.model.expr_reader import IDENTIFIER_PATTERN, ExprReader
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode, iter_scalars


def sort_by_dependency(
    reader: ExprReader, entries: Iterable[Entry], what: str, mentions: Callable[[Entry], set[str]] | None = None
) -> list[Entry]:
    """Entries so that each comes after those its expressions mention; a cycle is reported as a whole. `mentions`: what
    an entry mentions, of those in which there is more than expressions.
    """
    by_name = {entry.key.text: entry for entry in entries}
    free = {
        name for name in by_name if name not in reader.table.symbols and name not in RESERVED_NAMES
    }  # others mean something else
    needs = {name: {n for n in (mentions or _of_value)(entry) if n in free} for name, entry in by_name.items()}
    plural = " or ".join(f"{noun}s" for noun in what.split(" or "))
    ordered: list[Entry] = []
    finished: set[str] = set()
    depth: dict[str, int] = {}
    too_deep: list[str] = []

    def visit(name: str, path: tuple[str, ...]) -> None:
        if name in finished:
            return
        if name in path:
            if mentions is None and _is_in_mistake(by_name[path[-1]].value, name):
                needs[path[-1]].discard(name)  # what is wrong there is reported where it is read
                return
            cycle = (*path[path.index(name) :], name)
            key = by_name[cycle[0]].key
            reader.diagnostics.add(
                key.span,
                codes.CYCLE,
                f"{plural} depend on one another in a cycle: {' → '.join(cycle)}",
                label="the cycle begins here",
                help="define one of them without the others",
                related=[Related(by_name[member].key.span, f"`{member}` is defined here") for member in cycle[1:-1]],
            )
            finished.update(cycle)
            return
        if len(path) > limits.MAX_DEFINITION_DEPTH:
            return  # deeper than the limit, which is reported below
        for other in sorted(needs[name]):
            visit(other, (*path, name))
        if name in finished:
            return
        finished.add(name)
        deep = 1 + max([0, *[depth.get(other, limits.MAX_DEFINITION_DEPTH) for other in needs[name]]])
        depth[name] = min(deep, limits.MAX_DEFINITION_DEPTH)
        if deep <= limits.MAX_DEFINITION_DEPTH:
            ordered.append(by_name[name])
            return
        if not too_deep:  # reported once; what depends on it is not read
            text = f"{plural} depend on one another more than {limits.MAX_DEFINITION_DEPTH} deep"
            reader.diagnostics.add(by_name[name].key.span, codes.TOO_MANY, text, help="shorten the chain")
        too_deep.append(name)
        reader.mark_invalid(by_name[name])
        reader.usage.used_names.update(find_identifiers(by_name[name].value))

    for name in by_name:
        visit(name, ())
    return ordered


def _of_value(entry: Entry) -> set[str]:
    return find_identifiers(entry.value)


def _is_in_mistake(node: Node, name: str) -> bool:
    """Whether a definition has a name only in what is no expression: `card honey` with a dot left out."""
    texts = [scalar.text for scalar in iter_scalars(node, PROSE_KEYS) if name in find_identifiers(scalar)]
    return bool(texts) and all(isinstance(parse(text), ParseError) for text in texts)


def find_identifiers(node: Node) -> set[str]:
    """The identifiers that the expressions of a node name."""
    match node:
        case ScalarNode(text=text):
            return set(IDENTIFIER_PATTERN.findall(text))
        case MappingNode():
            return set().union(*[find_identifiers(entry.value) for entry in node if entry.key.text not in PROSE_KEYS])
        case SequenceNode():
            return set().union(*map(find_identifiers, node.items))

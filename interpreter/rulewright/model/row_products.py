"""The rows of a component, those included that a row with `for_each` stands for.

In: a component's rows as they are written, and the kinds. Out: one row for each thing. What such a row stands for is
known only with the members of the kinds, so variants and texts have its own address, not those of its things.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import product
from math import prod
from typing import Final

from rulewright import limits
from rulewright.diagnostics import Related, Span
from rulewright.document import codes as document_codes
from rulewright.expr.scope import KindSymbol, UnavailableSymbol
from rulewright.expr.types import KindInfo
from rulewright.lazy_pattern import lazy_pattern
from rulewright.model import codes
from rulewright.model.expr_reader import ExprReader
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, as_items, as_mapping, as_scalar
from rulewright.suggestions import did_you_mean, join_hints

HOLE: Final = lazy_pattern(r"\{(\w+)\}")
ID: Final = lazy_pattern(r"[a-z][a-z0-9_]*")
FOR_EACH: Final = "for_each"


def read_things(reader: ExprReader, component: Entry) -> tuple[list[Entry], bool]:
    """One entry for each thing of a component, in their order; ids that two of them have are reported. And whether they
    are all: of a row that is wrong there is none.
    """
    rows: dict[str, Entry] = {}
    is_whole, count = True, 0
    node, address = as_mapping(component.value), f"components.{component.key.text}.rows"
    fields = as_mapping(node.get("fields")).keys()
    for written in as_mapping(node.get("rows")):
        things = list(_things(reader, written, fields, f"{address}.{written.key.text}"))
        is_whole, count = is_whole and bool(things), count + len(things)
        if count > limits.MAX_ROWS:
            _report_rows(reader, written.key.span, count, f"{address}.{written.key.text}")
            return list(rows.values()), False
        for row in things:
            first = rows.setdefault(row.key.text, row)
            if first is not row:
                reader.diagnostics.add(
                    row.key.span,
                    document_codes.DUPLICATE_ID,
                    f"duplicate `{row.key.text}` in `{address}`",
                    label="defined again",
                    help="give one of them another id, or leave it out",
                    address=f"{address}.{written.key.text}",
                    related=[Related(first.key.span, "first defined here")],
                )
    return list(rows.values()), is_whole


def _things(reader: ExprReader, row: Entry, fields: Collection[str], address: str) -> Iterator[Entry]:
    """The thing that a row is; of a row with `for_each` one for each combination of members."""
    node = as_mapping(row.value)
    each = node.get(FOR_EACH)
    if each is None:
        if "{" in row.key.text:
            message = f"the id `{row.key.text}` has holes, but its row has no `for_each`"
            hint = "a row of its own has an id of its own; `for_each: [suit, rank]` makes a row for each combination"
            reader.diagnostics.add(row.key.span, codes.WRONG_VALUE, message, help=hint, address=address)
        else:
            yield row
        return
    kinds = _kinds(reader, each, address)
    if not kinds or not _fits_id(reader, row.key, list(kinds), address):
        return
    count = prod(len(info.members) for info in kinds.values())
    if count > limits.MAX_ROWS:
        _report_rows(reader, each.span, count, address)
        return
    others = tuple(entry for entry in node.entries if entry.key.text != FOR_EACH)
    for members in product(*(info.members for info in kinds.values())):
        chosen = dict(zip(kinds, members, strict=True))
        name = _filled(row.key.text, chosen)
        if not ID.fullmatch(name):
            message = f"`{name}` cannot be an id: lowercase letters, digits and _, beginning with a letter"
            reader.diagnostics.add(row.key.span, codes.WRONG_VALUE, message, address=address)
            return
        cells = tuple(
            Entry(ScalarNode(field, field, each.span), _member_node(member, kinds[field], each))
            for field, member in chosen.items()
            if field in fields
        )
        yield Entry(ScalarNode(name, name, row.key.span), MappingNode((*cells, *others), node.span))


def _report_rows(reader: ExprReader, span: Span, count: int, address: str) -> None:
    message = f"{count:,} rows, over the limit of {limits.MAX_ROWS:,}"
    reader.diagnostics.add(span, document_codes.OUT_OF_RANGE, message, label="over the limit", address=address)


def _kinds(reader: ExprReader, each: Node, address: str) -> dict[str, KindInfo]:
    """The kinds that a row goes through, by the names given to them; empty when one is wrong."""
    named = (
        [(entry.key.text, as_scalar(entry.value)) for entry in each]
        if isinstance(each, MappingNode)
        else [(item.text, item) for item in as_items(each) if isinstance(item, ScalarNode)]
    )
    kinds: dict[str, KindInfo] = {}
    for name, node in named:
        if node is None:
            return {}
        reader.record_use(node)
        symbol = reader.table.symbols.get(node.text)
        info = reader.kinds.get(symbol.kind) if isinstance(symbol, KindSymbol) else None
        if info is None:
            if symbol != UnavailableSymbol(""):  # a kind that is wrong is reported where it is declared
                every = [known for known, symbol in reader.table.symbols.items() if isinstance(symbol, KindSymbol)]
                reader.emit_unknown(node, "kind", every, address)
            return {}
        kinds[name] = info
    return kinds


def _fits_id(reader: ExprReader, key: ScalarNode, names: list[str], address: str) -> bool:
    """Whether the holes of an id are just the names that its row goes through; else it is reported."""
    holes = HOLE.findall(key.text)
    if set(holes) == set(names):
        return True
    hint = f"write each of them in braces, like `{'_'.join(f'{{{name}}}' for name in names)}`"
    unknown = next((hole for hole in holes if hole not in names), "")
    hint = join_hints(did_you_mean(unknown, names), hint)
    message = f"the id of this row needs {', '.join(names)}, so that each thing has its own"
    reader.diagnostics.add(key.span, codes.WRONG_VALUE, message, help=hint, address=address)
    return False


def _filled(id_pattern: str, members: Mapping[str, str]) -> str:
    return HOLE.sub(lambda hole: members[hole[1]], id_pattern)


def _member_node(member: str, info: KindInfo, each: Node) -> ScalarNode:
    return ScalarNode(int(member) if info.is_numeric else member, member, each.span)


__all__ = ["FOR_EACH", "read_things"]

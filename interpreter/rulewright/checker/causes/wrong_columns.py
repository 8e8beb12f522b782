"""A field of another type than all its rows have, or that all rows have and nothing declares: reported where fields
are declared, not at each row.

In: the tree of a game and what is wrong with it. Out: `Diagnostics` in which the values of a field that are wrong in
one way are one diagnostic: at the type, if it fits no row, else at the first of them; so are rows with a field that is
not declared. What reads a field of such a type, or one that lacks, is not reported.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from rulewright.diagnostics import Cause, Diagnostic, Diagnostics, Related
from rulewright.document.address import child_entries, split_address
from rulewright.frozen import replace
from rulewright.json_values import is_integer
from rulewright.model.codes import UNKNOWN_ROW_FIELD, WRONG_VALUE
from rulewright.source.nodes import MappingNode, Node, ScalarNode, SequenceNode, as_mapping
from rulewright.suggestions import WordHint

ROWS: Final = "rows"
MIN_ROWS: Final = 3  # that say that the type is what is wrong
A_KIND: Final = "a_kind"  # where it is not known which
MAX_PLACES: Final = 3


def merge_wrong_columns(root: MappingNode, diagnostics: Diagnostics) -> Diagnostics:
    """The same diagnostics, where those about one field of many rows are one."""
    groups = dict[tuple[str, ...], list[Diagnostic]]()
    for one in diagnostics:
        section, *parts = split_address(one.address)
        if one.cause is not None and section == "components" and len(parts) == 4 and parts[1] == ROWS:
            how = {"wrong cell": one.cause.name, "no member": one.cause.sort}.get(one.cause.sort)
            if how is not None:
                groups.setdefault((parts[0], parts[3], one.code.name, how), []).append(one)
    changed = _undeclared(root, diagnostics)
    for (component, field, *_), found in groups.items():
        if len(found) < MIN_ROWS:
            continue
        changed.update({id(one): None for one in found})
        cause = _merged(as_mapping(as_mapping(root.get("components")).get(component)), field, found)
        changed[id(found[0])] = cause
        if cause.span is not found[0].span:
            read = re.compile(rf"\.{field}\b")
            changed.update({id(one): None for one in diagnostics if read.search(one.span.text)})
    if not changed:
        return diagnostics
    merged = Diagnostics()
    merged.merge(diagnostics, lambda one: changed.get(id(one), one))
    return merged


def _undeclared(root: MappingNode, diagnostics: Diagnostics) -> dict[int, Diagnostic | None]:
    """What becomes of the diagnostics about fields that rows have and no component declares."""
    groups = dict[Cause, list[Diagnostic]]()
    for one in diagnostics:
        if one.cause is not None and one.cause.sort == "no field":
            groups.setdefault(one.cause, []).append(one)
    changed = dict[int, Diagnostic | None]()
    for cause, found in groups.items():
        in_rows = [one for one in found if one.code is UNKNOWN_ROW_FIELD]
        if len(in_rows) < MIN_ROWS:
            continue
        changed.update({id(one): None for one in found})
        component = as_mapping(as_mapping(root.get("components")).get(cause.meant))
        rows = [as_mapping(row.value) for row in child_entries(component.get(ROWS) or component)]
        fields = component.entry("fields")
        first, *others = in_rows
        is_lost = fields is not None and len(in_rows) == len(rows)
        places = [Related(one.span, "also here") for one in others[:MAX_PLACES]]
        merged = replace(first, fix=None, related=(*first.related, *places))
        if is_lost and fields is not None and not isinstance(first.help, WordHint):
            cells = [cell for row in rows if (cell := row.get(cause.name)) is not None]
            merged = Diagnostic(
                UNKNOWN_ROW_FIELD,
                fields.key.span,
                f"`{cause.meant}` declares no field `{cause.name}`, but its rows have one",
                label=f"without `{cause.name}`",
                help=f"add `{cause.name}: {_type_of(cells, A_KIND) or '…'}`",
                address=f"components.{cause.meant}.fields",
                related=(Related(first.span, "in this row"), *places[:2]),
            )
        changed[id(first)] = merged
    return changed


def _merged(component: MappingNode, field: str, found: Sequence[Diagnostic]) -> Diagnostic:
    """One diagnostic for all of them."""
    first, *others = found
    declared = as_mapping(component.get("fields")).entry(field)
    rows = [as_mapping(row.value).get(field) for row in child_entries(component.get(ROWS) or component)]
    given = [cell for cell in rows if cell is not None]
    if declared is None or not isinstance(declared.value, ScalarNode) or len(found) < len(given):
        places = [Related(one.span, "also here") for one in others[:MAX_PLACES]]
        return replace(first, related=(*first.related, *places))
    type_ = declared.value
    message = f"the type `{type_.text}` of `{field}` fits no row"
    kind = type_.text.rpartition(" of ")[2]
    meant = _type_of(given, kind if kind.isidentifier() else A_KIND)
    related = (Related(first.span, f"here: {first.message}"), *(Related(one.span, "also here") for one in others[:2]))
    return Diagnostic(
        WRONG_VALUE,
        type_.span,
        message,
        label="fits no row",
        help=f"did you mean `{meant}`?" if meant else "",
        address=first.address.replace(f".{ROWS}.{split_address(first.address)[3]}.", ".fields."),
        related=related,
    )


def _type_of(cells: Sequence[Node], name: str) -> str:
    """The type that all cells have. `name`: of the kind that was meant."""
    if all(isinstance(cell, MappingNode) for cell in cells):
        return f"bag of {name}"
    if all(isinstance(cell, SequenceNode) for cell in cells):
        return f"set of {name}"
    values = [cell.value for cell in cells if isinstance(cell, ScalarNode)]
    if all(isinstance(value, bool) for value in values):
        return "flag"
    numbers = [value for value in values if isinstance(value, int) and is_integer(value)]
    return f"{min(numbers)} to {max(numbers)}" if len(numbers) == len(cells) else ""


__all__ = ["merge_wrong_columns"]

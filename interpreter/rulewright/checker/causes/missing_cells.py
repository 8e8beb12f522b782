"""A field that many rows lack: reported where it is declared, not at each row.

In: the tree of a game and what is wrong with it. Out: `Diagnostics` in which rows that lack one field are one
diagnostic: at the type of the field, which has no default, or which no row has.
"""

from __future__ import annotations

from typing import Final

from rulewright.diagnostics import Diagnostic, Diagnostics, Related
from rulewright.document.address import child_entries
from rulewright.model.codes import MISSING_FIELD
from rulewright.source.nodes import MappingNode, ScalarNode, as_mapping

MIN_ROWS: Final = 3  # that say that the declaration is what is wrong
MAX_PLACES: Final = 3


def merge_missing_cells(root: MappingNode, diagnostics: Diagnostics) -> Diagnostics:
    """The same diagnostics, where those about one field that several rows lack are one."""
    groups = dict[tuple[str, str], list[Diagnostic]]()
    for one in diagnostics:
        if one.code is MISSING_FIELD and one.cause is not None:
            groups.setdefault((one.cause.meant, one.cause.name), []).append(one)
    changed = dict[int, Diagnostic | None]()
    for (component, field), found in groups.items():
        cause = _report(root, component, field, found) if len(found) >= MIN_ROWS else None
        if cause is not None:
            changed.update({id(one): None for one in found})
            changed[id(found[0])] = cause
    if not changed:
        return diagnostics
    merged = Diagnostics()
    merged.merge(diagnostics, lambda one: changed.get(id(one), one))
    return merged


def _report(root: MappingNode, component: str, field: str, found: list[Diagnostic]) -> Diagnostic | None:
    declared = as_mapping(as_mapping(root.get("components")).get(component))
    entry = as_mapping(declared.get("fields")).entry(field)
    rows = child_entries(declared.get("rows") or MappingNode((), declared.span))
    if entry is None or not rows:
        return None
    type_ = entry.value.text if isinstance(entry.value, ScalarNode) else "…"
    is_lost = len(found) == len(rows)
    lacking = "no row" if is_lost else f"{len(found)} of {len(rows)} rows"
    default = f"{{type: {type_}, default: {'false' if type_ == 'flag' else '…'}}}"
    hint = f"give it a default: `{field}: {default}`" + (", or remove it" if is_lost else "")
    return Diagnostic(
        MISSING_FIELD,
        entry.key.span,
        f"{lacking} of `{component}` {'has' if is_lost else 'lack'} the field `{field}`",
        label="has no default",
        help=hint,
        address=f"components.{component}.fields.{field}",
        related=tuple(Related(one.span, "lacks it") for one in found[:MAX_PLACES]),
    )


__all__ = ["merge_missing_cells"]

"""Takes back single changes of variants where a joint file says so: they are not made, so that nothing conflicts.

In: the variants that are played, joint files among them. Out: the same variants without what `cancel` names: changes by
their address, and what is drawn by `display.SECTION.NAME`. What no joined variant does is reported.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress
from typing import Final

from rulewright.diagnostics import Diagnostics, Hint
from rulewright.document.address import split_address
from rulewright.document.sentence_places import sentence_parts
from rulewright.frozen import replace
from rulewright.source.nodes import Entry, MappingNode, ScalarNode, SequenceNode, as_items, as_mapping
from rulewright.suggestions import unknown_name_hint
from rulewright.variants import codes
from rulewright.variants.change import Change
from rulewright.variants.display_merge import display_keys
from rulewright.variants.variant import Variant

DISPLAY_PREFIX: Final = "display."


def take_back_changes(variants: Iterable[Variant], diagnostics: Diagnostics) -> tuple[Variant, ...]:
    """The variants in their order, without the changes that joint files among them cancel."""
    by_name = {variant.name: variant for variant in variants}
    for joint in [variant for variant in by_name.values() if variant.kind == "joins"]:
        for entry in as_mapping(joint.root.get("cancel")):
            name = entry.key.text
            if name not in joint.requires:
                hint = unknown_name_hint(name, "joined variants", joint.requires)
                _report(entry.key, f"`{joint.name}` does not join `{name}`", hint, diagnostics)
            elif name in by_name:
                for item in as_items(entry.value):
                    if isinstance(item, ScalarNode):
                        by_name[name] = _without(by_name[name], item, diagnostics)
    return tuple(by_name.values())


def _without(variant: Variant, address: ScalarNode, diagnostics: Diagnostics) -> Variant:
    """The variant without its changes at an address, and without what it says about them elsewhere."""
    parts = split_address(address.text)
    kept = tuple(change for change in variant.changes if address.text not in _addresses(change))
    if len(kept) < len(variant.changes):
        kept = tuple(one for one in kept if one.operation != "sentences" or one.parts[: len(parts)] != parts)
    root = _without_display(variant.root, address.text)
    if len(kept) == len(variant.changes) and root is variant.root:
        known = dict.fromkeys(written for change in variant.changes for written in _addresses(change))
        drawn = [f"{DISPLAY_PREFIX}{'.'.join(key)}" for key in display_keys(variant.root.get("display"))]
        hint = unknown_name_hint(address.text, "its changes", [*known, *drawn])
        _report(address, f"`{variant.name}` changes nothing at `{address.text}`", hint, diagnostics)
    translations = tuple(
        one for one in variant.translations if sentence_parts(one.entry.key.text)[: len(parts)] != parts
    )
    return replace(variant, changes=kept, root=root, translations=translations)


def _addresses(change: Change) -> tuple[str, ...]:
    """How a change may be named: as the variant has it, for an item of a list with the item, and in full."""
    written = change.key.text
    item = () if change.item is None else (f"{written}.{change.item.text}",)
    return (*item, written, change.address)


def _without_display(root: MappingNode, address: str) -> MappingNode:
    """The root of a variant without what it draws at an address; the same one where it draws nothing there."""
    display = root.entry("display")
    if display is None or not isinstance(display.value, MappingNode):
        return root
    sections = tuple(_without_drawn(section, address) for section in display.value)
    if all(new is old for new, old in zip(sections, display.value, strict=True)):
        return root
    drawn = Entry(display.key, MappingNode(sections, display.value.span))
    return MappingNode(tuple(drawn if entry is display else entry for entry in root), root.span)


def _without_drawn(section: Entry, address: str) -> Entry:
    keys = display_keys(MappingNode((section,), section.value.span))
    kept = [f"{DISPLAY_PREFIX}{'.'.join(key)}" != address for key in keys]
    if all(kept):
        return section
    match section.value:
        case MappingNode(entries=entries, span=span):
            return Entry(section.key, MappingNode(tuple(compress(entries, kept)), span))
        case SequenceNode(items=items, span=span):
            return Entry(section.key, SequenceNode(tuple(compress(items, kept)), span))
        case ScalarNode():
            return section


def _report(place: ScalarNode, message: str, hint: Hint, diagnostics: Diagnostics) -> None:
    diagnostics.add(
        place.span, codes.NOTHING_TO_CANCEL, message, label="nothing to take back", help=hint, address="cancel"
    )


__all__ = ["take_back_changes"]

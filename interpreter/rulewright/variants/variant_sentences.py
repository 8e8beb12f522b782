"""What a variant says in other languages, from files of its own beside it.

In: the rules after the changes of a layer, and a variant of it. Out: the same rules, in which its sentences have their
translations. A translation of what the variant does not say is reported.
"""

from __future__ import annotations

from collections.abc import Collection

from rulewright.document.address import AddressParts
from rulewright.document.sentence_places import (
    TITLE_KEY,
    enclosing_sentence,
    find_sentence_entry,
    has_own_title,
    place_sentence,
    sentence_parts,
    with_language,
)
from rulewright.source.nodes import Entry
from rulewright.variants import codes
from rulewright.variants.layer_edit import LayerEdit
from rulewright.variants.variant import Translation, Variant


def apply_translations(edit: LayerEdit, variant: Variant, contested: Collection[AddressParts] = ()) -> None:
    """Adds the translations of a variant to what it says, but for sentences that are `contested`."""
    written = {change.parts for change in variant.changes}
    for translation in variant.translations:
        address = translation.entry.key.text
        parts = sentence_parts(address)
        if parts in contested or enclosing_sentence(parts) in contested:
            continue
        is_title = parts[-1] == TITLE_KEY and not has_own_title(parts)
        rule = ".".join(parts[:-1])
        entry = edit.titles.get(rule) if is_title else find_sentence_entry(edit.root, parts)
        by_variant = entry is not None and variant.root.span.source.path in (
            entry.key.span.source.path,
            entry.value.span.source.path,
        )
        if entry is None or not (by_variant or parts in written):  # another may say the same
            _report_unused(edit, variant, translation)
            continue
        value = with_language(entry.value, translation.language, translation.entry.value)
        translated = Entry(entry.key, value, entry.history)
        if is_title:
            edit.titles = {**edit.titles, rule: translated}
        else:
            edit.root = place_sentence(edit.root, parts, translated)


def _report_unused(edit: LayerEdit, variant: Variant, translation: Translation) -> None:
    if any(one.severity == "error" and one.code is not codes.NOTHING_TO_TRANSLATE for one in edit.diagnostics):
        return  # what it says may be what was not applied
    key = translation.entry.key
    edit.diagnostics.add(
        key.span,
        codes.NOTHING_TO_TRANSLATE,
        f"`{variant.name}` says nothing at `{key.text}`",
        label="translates nothing",
        help="write the English under its `sentences`, or remove this",
        address=key.text,
    )


__all__ = ["apply_translations"]

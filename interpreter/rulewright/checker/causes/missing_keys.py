"""A `per` or an `order` that was forgotten where something is declared: reported there, not at each of its uses.

In: the tree of a game and what is wrong with it. Out: `Diagnostics` in which all uses with a key of something that is
declared without keys are one diagnostic at the declaration, if nothing uses it without a key; where the declaration is
wrong already, its uses are not reported. So are several moves from the top of a zone that has none.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from rulewright.diagnostics import CauseSort, Diagnostic, Diagnostics, Related
from rulewright.document.address import split_address
from rulewright.document.declared_names import Declaration, iter_declarations
from rulewright.expr.codes import WRONG_INDEX
from rulewright.frozen import replace
from rulewright.model.codes import WRONG_MOVE, WRONG_VALUE
from rulewright.source.nodes import MappingNode, Node, ScalarNode, as_mapping

SENTENCES: Final = frozenset({"text", "why", "names", "sentences", "book", "source"})  # what no rule is written in
KEPT: Final = ("state", "values", "parameters", "zones")
MAX_SHOWN_USES: Final = 3


def merge_missing_keys(root: MappingNode, diagnostics: Diagnostics) -> Diagnostics:
    """The same diagnostics, where those that one forgotten `per` causes are one."""
    shown = list(diagnostics)
    uses = _by_name(shown, "no keys")
    diagnostics = _merge_more_keys(root, _merge_tops(root, diagnostics))
    if not uses:
        return diagnostics
    declared = {one.name: one for one in iter_declarations(root) if one.address.startswith(KEPT)}
    causes, changed = list[Diagnostic](), dict[int, Diagnostic | None]()
    for name, found in uses.items():
        declaration = declared.get(name)
        kinds = {one.cause.meant for one in found if one.cause is not None}
        if declaration is None or len(kinds) != 1:
            continue
        (kind,) = kinds
        wrong = [one for one in shown if one.address == declaration.address and one.code is WRONG_VALUE]
        if wrong:
            changed.update({id(one): None for one in found})
            changed.update({id(one): replace(one, help=f"add `per: {kind}`") for one in wrong})
        elif _is_forgotten(root, declaration, kind, len(found)):
            changed.update({id(one): None for one in (*found, *_about_missing(declaration, shown))})
            causes.append(_report(declaration, kind, found))
    merged = Diagnostics()
    merged.extend(causes)
    merged.merge(diagnostics, lambda one: changed.get(id(one), one))
    return merged


def _by_name(diagnostics: Iterable[Diagnostic], sort: CauseSort) -> dict[str, list[Diagnostic]]:
    """The diagnostics that have a cause of a sort, by what it names."""
    found = dict[str, list[Diagnostic]]()
    for one in diagnostics:
        if one.cause is not None and one.cause.sort == sort:
            found.setdefault(one.cause.name, []).append(one)
    return found


def _merge_tops(root: MappingNode, diagnostics: Diagnostics) -> Diagnostics:
    """The same diagnostics, where moves from the top of a zone without an order are one, if there are several."""
    uses = _by_name(diagnostics, "no order")
    declared = {one.name: one for one in iter_declarations(root) if one.label == "zone"} if uses else {}
    causes, merged_uses = list[Diagnostic](), set[int]()
    for name, found in uses.items():
        if len(found) > 1 and name in declared:
            merged_uses.update(map(id, found))
            zone, related = (
                declared[name],
                tuple(Related(one.span, "used here") for one in found[:MAX_SHOWN_USES]),
            )
            message, hint = f"`{name}` has no order, but a top or a bottom", "add `order: shuffled` or `order: arrival`"
            causes.append(
                Diagnostic(WRONG_MOVE, zone.span, message, "no `order`", hint, address=zone.address, related=related)
            )
    return _with_causes(causes, merged_uses, diagnostics)


def _merge_more_keys(root: MappingNode, diagnostics: Diagnostics) -> Diagnostics:
    """The same diagnostics, where uses with one key more than something has are one, if nothing uses it otherwise."""
    uses = {name: found for name, found in _by_name(diagnostics, "more keys").items() if len(found) > 1}
    declared = {one.name: one for one in iter_declarations(root) if one.address.startswith(KEPT)} if uses else {}
    causes, merged_uses = list[Diagnostic](), set[int]()
    for name, found in uses.items():
        kinds = {one.cause.meant for one in found if one.cause is not None}
        calls = sum(len(re.findall(rf"(?<![\w.]){name}\s*\(", text)) for text in _rule_texts(root))
        if name in declared and len(kinds) == 1 and calls == len(found):
            (per,) = kinds
            declaration = declared[name]
            merged_uses.update(map(id, found))
            related = tuple(Related(one.span, "one of its uses") for one in found[:MAX_SHOWN_USES])
            message = f"`{name}` has fewer keys than all its uses give it"
            causes.append(
                Diagnostic(
                    WRONG_INDEX,
                    declaration.span,
                    message,
                    label="a key too few",
                    help=f"write `per: {per}`",
                    address=declaration.address,
                    related=related,
                )
            )
    return _with_causes(causes, merged_uses, diagnostics)


def _with_causes(causes: Sequence[Diagnostic], merged_uses: Collection[int], diagnostics: Diagnostics) -> Diagnostics:
    if not causes:
        return diagnostics
    merged = Diagnostics()
    merged.extend(causes)
    merged.merge(diagnostics, lambda one: None if id(one) in merged_uses else one)
    return merged


def _is_forgotten(root: MappingNode, declaration: Declaration, kind: str, uses: int) -> bool:
    """Whether the declaration is what is wrong: its own text goes by the key, or everybody gives it one."""
    section, name = split_address(declaration.address)
    kinds = re.findall(r"[a-z]\w*", kind)
    goes_by_key = re.compile(rf"\b({'|'.join(kinds)})\b")
    own = _rule_texts(as_mapping(root.get(section)).require(name))
    if section == "values" and any(goes_by_key.search(text) for text in own):
        return True
    if section == "zones":
        return uses > 1  # without a key it is all places together
    bare = re.compile(rf"(?<![\w.]){name}\b(?!\s*\()")
    return uses > 1 and not any(bare.search(text) for text in _rule_texts(root))


def _rule_texts(node: Node) -> Iterator[str]:
    """The texts of all values but sentences."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        match part:
            case ScalarNode():
                yield part.text
            case MappingNode():
                waiting += [entry.value for entry in part.entries if entry.key.text not in SENTENCES]
            case _:
                waiting += part.items


def _about_missing(declaration: Declaration, diagnostics: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    """What else is said because something has no keys: of its kind, and of its expressions, which go by the keys."""
    for one in diagnostics:
        is_of_kind = one.cause_name("declared") == declaration.name
        if is_of_kind or f"{one.address}.".startswith(f"{declaration.address}."):
            yield one


def _report(declaration: Declaration, kind: str, uses: Sequence[Diagnostic]) -> Diagnostic:
    is_one = len(uses) == 1
    return Diagnostic(
        WRONG_INDEX,
        declaration.span,
        f"`{declaration.name}` has no keys, but is used with one",
        label="declared without `per`",
        help=f"add `per: {kind}`",
        address=declaration.address,
        related=tuple(Related(one.span, "used here" if is_one else "one of its uses") for one in uses[:MAX_SHOWN_USES]),
    )


__all__ = ["merge_missing_keys"]

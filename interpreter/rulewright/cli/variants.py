"""`rulewright variants`: which variants a game has, what each changes, and which cannot be played together.

In: parsed arguments. Out: text or JSON on stdout.
"""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import shorten
from typing import Any

from rulewright import limits
from rulewright.cli.show import to_flow_yaml
from rulewright.diagnostics import Diagnostics, RulesError
from rulewright.document.address import find_entry
from rulewright.document.document import Document, load_document
from rulewright.document.editing import resolve_address
from rulewright.errors import UsageError
from rulewright.model.loader import (
    available_variants,
    build_composition,
    common_player_counts,
    compose_document,
    default_game,
    find_game,
    find_variant,
    min_common_players,
    player_counts,
)
from rulewright.source.nodes import MappingNode, ScalarNode
from rulewright.terminal.reasons import wrap
from rulewright.variants.layers import format_player_count
from rulewright.variants.overlay import apply_variants, load_variant
from rulewright.variants.variant import Change, Variant
from rulewright.wording.static_sentences import StaticSentenceRenderer


@dataclass(frozen=True, slots=True)
class VariantStack:
    """A variant with all that it requires below it."""

    variant: Variant
    requirements: tuple[Variant, ...]

    @property
    def layers(self) -> tuple[Variant, ...]:
        """The variants that are applied to a game when this one is chosen."""
        return (*self.requirements, self.variant)


def run(args: Namespace) -> int:
    """Lists the variants of a game."""
    diagnostics = Diagnostics()
    document = load_document(find_game(args.game or default_game()), diagnostics)
    if document is None or diagnostics.error_count:
        raise RulesError(diagnostics)
    paths = available_variants(document.name, document.path)
    own = [find_variant(document.name, name, document.path) for name in args.variant]
    known = {path.resolve(): load_variant(path, diagnostics, base=document) for path in (*paths.values(), *own)}
    found = {one.name: one for one in known.values() if one is not None}
    every = [_listed(one, found) for one in sorted(found.values(), key=lambda one: one.name)]
    asked = [one for one in every if not own or one.variant.path.resolve() in {path.resolve() for path in own}]
    if diagnostics.error_count:
        raise RulesError(diagnostics)
    listing = [_data(one, every, document, args.lang or "en") for one in asked]
    if args.json:
        print(json.dumps({"game": document.name, "variants": listing}, ensure_ascii=False))
        return 0
    if not listing:
        raise UsageError(f"{document.name} has no variants")
    print("\n".join(line for one in listing for line in _lines(one, whole=bool(own))))
    return 0


def _listed(variant: Variant, found: dict[str, Variant]) -> VariantStack:
    below: dict[str, Variant] = {}
    waiting = list(variant.requires)
    while waiting:
        name = waiting.pop()
        if name in found and name not in below and name != variant.name:
            below[name] = found[name]
            waiting += found[name].requires
    return VariantStack(variant, tuple(below.values()))


# ---- what is told of one ----------------------------------------------------------------------------------------


def _data(one: VariantStack, every: Sequence[VariantStack], document: Document, code: str) -> dict[str, Any]:
    variant = one.variant
    counts = common_player_counts(document, one.layers)  # a variant may open its game to others
    fewest, most = (counts[0], counts[-1]) if counts else player_counts(document)
    return {
        "name": variant.name,
        "file": str(variant.root.span.source.path),
        "text": _sentence(one, document, code),
        "players": [fewest, most],
        "always": variant.is_always_applied,
        "group": variant.group or None,
        "requires": list(variant.requires),
        "changes": [_change(change, document) for change in variant.changes],
        "not_with": [] if variant.is_always_applied else _not_with(one, every, document),
    }


def _sentence(one: VariantStack, document: Document, code: str) -> str:
    """The variant's own sentence; numbers in it are those of the rules with it."""
    node = one.variant.text
    if isinstance(node, MappingNode):
        node = node.get(code) or node.get("en")
    text = to_flow_yaml(node) if isinstance(node, ScalarNode) else ""
    if "{" not in text:
        return text
    diagnostics = Diagnostics()
    count = min_common_players(document, one.layers)
    paths = [str(variant.path) for variant in one.layers]
    resolved = compose_document(document, count, paths, diagnostics)
    rules = build_composition(resolved, diagnostics) if resolved is not None else None
    if rules is None:
        return text
    sentences = rules.languages.get(code, rules.languages["en"]).sentences
    sentence = sentences.get(f"variants.{one.variant.name}")
    return (
        text
        if sentence is None
        else StaticSentenceRenderer(rules, code if code in rules.languages else "en").render(sentence)
    )


def _change(change: Change, document: Document) -> dict[str, Any]:
    written = resolve_address(document.root, change.parts, change.new_value)
    entry = find_entry(document.root, ".".join(written))
    before = None if entry is None or change.operation not in ("set", "adjust") else to_flow_yaml(entry.value)
    return {
        "operation": change.keyword,
        "address": change.address,
        "before": before,
        "value": None if change.payload is None else to_flow_yaml(change.payload),
    }


def _not_with(one: VariantStack, every: Sequence[VariantStack], document: Document) -> list[dict[str, str]]:
    found = []
    for other in every:
        if (
            other is one
            or other.variant.is_always_applied
            or other.variant in one.layers
            or one.variant in other.layers
        ):
            continue
        reason = _refusal(one, other, document)
        if reason:
            found.append({"name": other.variant.name, "because": reason})
    return found


def _refusal(one: VariantStack, other: VariantStack, document: Document) -> str:
    """Why two variants cannot be applied together; empty when they can."""
    both = tuple({variant.name: variant for variant in (*one.layers, *other.layers)}.values())
    if not common_player_counts(document, both):
        return "they are for different numbers of players"
    diagnostics = Diagnostics()
    apply_variants(document, both, diagnostics)
    return next((diagnostic.message for diagnostic in diagnostics if diagnostic.severity == "error"), "")


# ---- as text ----------------------------------------------------------------------------------------------------


def _lines(listing: dict[str, Any], *, whole: bool) -> Iterator[str]:
    """A variant with every change and every reason (`whole`), or in short."""
    fewest, most = listing["players"]
    players = format_player_count((fewest, most))
    notes = [players]
    if listing["always"]:
        notes = [f"joins {' and '.join(listing['requires'])}" if listing["requires"] else f"always with {players}"]
    notes += [f"group {listing['group']}"] if listing["group"] else []
    notes += [f"with {', '.join(listing['requires'])}"] if listing["requires"] and not listing["always"] else []
    yield f"{listing['name']}   ({', '.join(notes)})"
    if listing["text"]:
        yield from wrap(listing["text"], "    ")
    if not whole:
        places = dict.fromkeys(".".join(change["address"].split(".")[:2]) for change in listing["changes"])
        yield from wrap(", ".join(places), "    changes   ")
        if listing["not_with"]:
            yield from wrap(", ".join(refused["name"] for refused in listing["not_with"]), "    not with  ")
        return
    for change in listing["changes"]:
        yield from wrap(_sentence_of(change), f"    {change['operation']:<9} ", " " * 16)
    for refused in listing["not_with"]:
        yield from wrap(f"{refused['name']}: {refused['because']}", "    not with  ", " " * 16)


def _sentence_of(change: dict[str, Any]) -> str:
    address, before, value = change["address"], change["before"], change["value"]
    if address.rpartition(".")[2] in ("text", "why") or value is None or value == "{}":
        return str(address)
    if change["operation"] == "adjust":
        by = f"{value} times" if value.startswith("{") else f"{int(value):+}"
        return f"{address}: {shorten(before or '', limits.MAX_SHOWN_VALUE, placeholder=' …')}, {by}"
    if len(value) > limits.MAX_SHOWN_VALUE or (before is not None and len(before) > limits.MAX_SHOWN_VALUE):
        return str(address)
    return f"{address}: {value}" if before is None else f"{address}: {before} → {value}"


__all__ = ["run"]

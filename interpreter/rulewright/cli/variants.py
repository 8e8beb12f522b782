"""`rulewright variants`: which variants a game has, what each changes, and which cannot be played together.

In: parsed arguments. Out: text or JSON on stdout.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from textwrap import shorten
from typing import TypedDict

from rulewright import limits
from rulewright.cli.options import CommandOptions
from rulewright.cli.progress import show_progress
from rulewright.cli.show import to_flow_yaml
from rulewright.cli.variant_conflicts import VariantConflicts, VariantStack
from rulewright.diagnostics import Diagnostics, RulesError
from rulewright.document.address import find_entry
from rulewright.document.document import Document
from rulewright.document.document_reader import load_document
from rulewright.document.editing import resolve_address
from rulewright.document.unread_files import read_explanations
from rulewright.errors import UsageError
from rulewright.model.allowed_players import common_player_counts, min_common_players, player_counts
from rulewright.model.loader import build_composition, compose_document
from rulewright.model.locale import ENGLISH
from rulewright.model.locate import available_variants, default_game, find_game, find_variant
from rulewright.source.nodes import MappingNode, ScalarNode
from rulewright.source.real_paths import real_path
from rulewright.terminal.reasons import wrap
from rulewright.variants.change import Change
from rulewright.variants.overlay import load_variant
from rulewright.variants.variant import Variant
from rulewright.variants.variant_names import format_player_count
from rulewright.wording.static_sentences import StaticSentenceRenderer


class Options(CommandOptions):
    """The options of `variants`."""

    game: str | None
    variant: list[str]
    lang: str
    json: bool


class ChangeData(TypedDict):
    """A change of a variant as JSON data. `before`: what it changes, where there is something."""

    operation: str
    address: str
    before: str | None
    value: str | None


class ConflictData(TypedDict):
    """A variant that cannot be played together with another, as JSON data."""

    name: str
    because: str


class VariantData(TypedDict):
    """A variant as JSON data. `players`: the fewest and the most; `always`: it joins those that it
    requires by itself.
    """

    name: str
    file: str
    text: str
    players: list[int]
    always: bool
    group: str | None
    requires: list[str]
    changes: list[ChangeData]
    not_with: list[ConflictData]


def run(args: Options) -> int:
    """Lists the variants of a game."""
    diagnostics = Diagnostics()
    game = load_document(find_game(args.game or default_game()), diagnostics)
    document = None if game is None else read_explanations(game, diagnostics)
    if document is None or diagnostics.error_count:
        raise RulesError(diagnostics)
    paths = available_variants(document.name, document.path)
    named_paths = [find_variant(document.name, name, document.path) for name in args.variant]
    unique_paths = {real_path(path): path for path in (*paths.values(), *named_paths)}
    loaded = [load_variant(path, diagnostics, base=document) for path in unique_paths.values()]
    variants = {variant.name: variant for variant in loaded if variant is not None}
    stacks = [_stack(variant, variants) for _, variant in sorted(variants.items())]
    wanted = {real_path(path) for path in named_paths}
    listed = [stack for stack in stacks if not wanted or real_path(stack.variant.path) in wanted]
    if diagnostics.error_count:
        raise RulesError(diagnostics)
    # a list of names can be cut, and then the rest of them need not be looked for
    max_conflicts = None if args.json or wanted else limits.MAX_LISTED_NAMES + 1
    conflicts = VariantConflicts(document, stacks)
    listing: list[VariantData] = []
    with show_progress("variants", len(listed)) as count:
        for stack in listed:
            listing.append(_variant_data(stack, conflicts, document, args.lang or ENGLISH, max_conflicts))
            count()
    if args.json:
        print(json.dumps({"game": document.name, "variants": listing}, ensure_ascii=False))
        return 0
    if not listing:
        raise UsageError(f"{document.name} has no variants")
    print("\n".join(line for variant in listing for line in _lines(variant, in_full=bool(wanted))))
    return 0


def _stack(variant: Variant, variants: Mapping[str, Variant]) -> VariantStack:
    requirements: dict[str, Variant] = {}
    pending = list(variant.requires)
    while pending:
        name = pending.pop()
        if name in variants and name not in requirements and name != variant.name:
            requirements[name] = variants[name]
            pending += variants[name].requires
    return VariantStack(variant, tuple(requirements.values()))


# ---- as data ----------------------------------------------------------------------------------------------------


def _variant_data(
    stack: VariantStack, conflicts: VariantConflicts, document: Document, code: str, max_conflicts: int | None
) -> VariantData:
    variant = stack.variant
    counts = common_player_counts(document, stack.layers)  # a variant may open its game to others
    fewest, most = (counts[0], counts[-1]) if counts else player_counts(document)
    return {
        "name": variant.name,
        "file": str(variant.root.span.source.path),
        "text": _sentence(stack, document, code),
        "players": [fewest, most],
        "always": variant.kind == "joins",
        "group": variant.group or None,
        "requires": list(variant.requires),
        "changes": [_change_data(change, document) for change in variant.changes],
        "not_with": [
            {"name": other.name, "because": reason} for other, reason in islice(conflicts.of(stack), max_conflicts)
        ],
    }


def _sentence(stack: VariantStack, document: Document, code: str) -> str:
    """The variant's own sentence; numbers in it are those of the rules with it."""
    node = stack.variant.text
    if isinstance(node, MappingNode):
        node = node.get(code) or node.get(ENGLISH)
    text = to_flow_yaml(node) if isinstance(node, ScalarNode) else ""
    if "{" not in text:
        return text
    diagnostics = Diagnostics()
    players = min_common_players(document, stack.layers)
    paths = [str(variant.path) for variant in stack.layers]
    composition = compose_document(document, players, paths, diagnostics)
    rules = build_composition(composition, diagnostics) if composition is not None else None
    if rules is None:
        return text
    code = code if code in rules.languages else ENGLISH
    sentence = rules.languages[code].sentences.get(f"variants.{stack.variant.name}")
    return text if sentence is None else StaticSentenceRenderer(rules, code).render(sentence)


def _change_data(change: Change, document: Document) -> ChangeData:
    address = resolve_address(document.root, change.parts, change.new_value)
    entry = find_entry(document.root, ".".join(address))
    is_replaced = change.operation in ("set", "adjust", "sentences")
    before = to_flow_yaml(entry.value) if entry is not None and is_replaced else None
    return {
        "operation": change.keyword,
        "address": change.address,
        "before": before,
        "value": None if change.payload is None else to_flow_yaml(change.payload),
    }


# ---- as text ----------------------------------------------------------------------------------------------------


def _lines(variant: VariantData, *, in_full: bool) -> Iterator[str]:
    """A variant with every change and every reason (`in_full`), or in short."""
    fewest, most = variant["players"]
    players, requires = format_player_count((fewest, most)), variant["requires"]
    notes = [players]
    if variant["always"]:
        notes = [f"joins {' and '.join(requires)}"]
    notes += [f"group {variant['group']}"] if variant["group"] else []
    notes += [f"with {', '.join(requires)}"] if requires and not variant["always"] else []
    yield f"{variant['name']}   ({', '.join(notes)})"
    if variant["text"]:
        yield from wrap(variant["text"], "    ")
    if not in_full:
        rules = dict.fromkeys(".".join(change["address"].split(".")[:2]) for change in variant["changes"])
        yield from wrap(", ".join(rules), "    changes   ")
        if variant["not_with"]:
            names = [conflict["name"] for conflict in variant["not_with"]]
            if len(names) > limits.MAX_LISTED_NAMES:
                names[limits.MAX_LISTED_NAMES :] = ["…"]
            yield from wrap(", ".join(names), "    not with  ")
        return
    for change in variant["changes"]:
        yield from wrap(_format_change(change), f"    {change['operation']:<9} ", " " * 16)
    for conflict in variant["not_with"]:
        yield from wrap(f"{conflict['name']}: {conflict['because']}", "    not with  ", " " * 16)


def _format_change(change: ChangeData) -> str:
    address, before, value = change["address"], change["before"], change["value"]
    if address.rpartition(".")[2] in ("text", "why") or value is None or value == "{}":
        return address
    if change["operation"] == "adjust":
        adjustment = f"{value} times" if value.startswith("{") else f"{int(value):+}"
        return f"{address}: {shorten(before or '', limits.MAX_SHOWN_VALUE, placeholder=' …')}, {adjustment}"
    if len(value) > limits.MAX_SHOWN_VALUE or (before is not None and len(before) > limits.MAX_SHOWN_VALUE):
        return address
    return f"{address}: {value}" if before is None else f"{address}: {before} → {value}"


__all__ = ["Options", "run"]

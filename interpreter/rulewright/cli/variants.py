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
from rulewright.cli.show import flow
from rulewright.diagnostics import Report, RulesError
from rulewright.document.document import Document, find, load_game
from rulewright.document.editing import meant
from rulewright.errors import UsageError
from rulewright.model.loader import (
    counts_together,
    default_game,
    fewest_together,
    game_path,
    player_counts,
    resolve_document,
    understood,
    variant_path,
    variant_paths,
)
from rulewright.source.nodes import Mapping, Scalar
from rulewright.terminal.reasons import wrapped
from rulewright.variants.layers import counted
from rulewright.variants.overlay import lay_over, load_variant
from rulewright.variants.variant import Change, Variant
from rulewright.wording.static_sentences import Saying


@dataclass(frozen=True, slots=True)
class Listed:
    """A variant with all that it requires below it."""

    variant: Variant
    below: tuple[Variant, ...]

    @property
    def played(self) -> tuple[Variant, ...]:
        """What is laid over a game when it is chosen."""
        return (*self.below, self.variant)


def run(wish: Namespace) -> int:
    """Lists the variants of a game."""
    report = Report()
    document = load_game(game_path(wish.game or default_game()), report)
    if document is None or report.errors:
        raise RulesError(report)
    paths = variant_paths(document.name, document.path)
    own = [variant_path(document.name, name, document.path) for name in wish.variant]
    known = {path.resolve(): load_variant(path, report, base=document) for path in (*paths.values(), *own)}
    found = {one.name: one for one in known.values() if one is not None}
    every = [_listed(one, found) for one in sorted(found.values(), key=lambda one: one.name)]
    asked = [one for one in every if not own or one.variant.path.resolve() in {path.resolve() for path in own}]
    if report.errors:
        raise RulesError(report)
    told = [_data(one, every, document, wish.lang or "en") for one in asked]
    if wish.json:
        print(json.dumps({"game": document.name, "variants": told}, ensure_ascii=False))
        return 0
    if not told:
        raise UsageError(f"{document.name} has no variants")
    print("\n".join(line for one in told for line in _lines(one, whole=bool(own))))
    return 0


def _listed(variant: Variant, found: dict[str, Variant]) -> Listed:
    below: dict[str, Variant] = {}
    waiting = list(variant.requires)
    while waiting:
        name = waiting.pop()
        if name in found and name not in below and name != variant.name:
            below[name] = found[name]
            waiting += found[name].requires
    return Listed(variant, tuple(below.values()))


# ---- what is told of one ----------------------------------------------------------------------------------------


def _data(one: Listed, every: Sequence[Listed], document: Document, code: str) -> dict[str, Any]:
    variant = one.variant
    counts = counts_together(document, one.played)  # a variant may open its game to others
    fewest, most = (counts[0], counts[-1]) if counts else player_counts(document)
    return {
        "name": variant.name,
        "file": str(variant.root.span.source.path),
        "text": _sentence(one, document, code),
        "players": [fewest, most],
        "always": variant.always,
        "group": variant.group or None,
        "requires": list(variant.requires),
        "changes": [_change(change, document) for change in variant.changes],
        "not_with": [] if variant.always else _not_with(one, every, document),
    }


def _sentence(one: Listed, document: Document, code: str) -> str:
    """What the variant says of itself; numbers in it are those of the rules with it."""
    node = one.variant.text
    if isinstance(node, Mapping):
        node = node.get(code) or node.get("en")
    text = flow(node) if isinstance(node, Scalar) else ""
    if "{" not in text:
        return text
    report = Report()
    count = fewest_together(document, one.played)
    paths = [str(variant.path) for variant in one.played]
    resolved = resolve_document(document, count, paths, report)
    rules = understood(resolved, report) if resolved is not None else None
    if rules is None:
        return text
    sentences = rules.languages.get(code, rules.languages["en"]).sentences
    sentence = sentences.get(f"variants.{one.variant.name}")
    return text if sentence is None else Saying(rules, code if code in rules.languages else "en").say(sentence)


def _change(change: Change, document: Document) -> dict[str, Any]:
    written = meant(document.root, change.parts, change.stands)
    entry = find(document.root, ".".join(written))
    before = None if entry is None or change.verb not in ("set", "adjust") else flow(entry.value)
    return {
        "operation": change.said,
        "address": change.address,
        "before": before,
        "value": None if change.payload is None else flow(change.payload),
    }


def _not_with(one: Listed, every: Sequence[Listed], document: Document) -> list[dict[str, str]]:
    found = []
    for other in every:
        if other is one or other.variant.always or other.variant in one.played or one.variant in other.played:
            continue
        reason = _refusal(one, other, document)
        if reason:
            found.append({"name": other.variant.name, "because": reason})
    return found


def _refusal(one: Listed, other: Listed, document: Document) -> str:
    """Why two variants cannot be laid over together; empty when they can."""
    both = tuple({variant.name: variant for variant in (*one.played, *other.played)}.values())
    if not counts_together(document, both):
        return "they are for different numbers of players"
    report = Report()
    lay_over(document, both, report)
    return next((said.message for said in report if said.severity == "error"), "")


# ---- as text ----------------------------------------------------------------------------------------------------


def _lines(told: dict[str, Any], *, whole: bool) -> Iterator[str]:
    """A variant with every change and every reason (`whole`), or in short."""
    fewest, most = told["players"]
    players = counted((fewest, most))
    notes = [players]
    if told["always"]:
        notes = [f"joins {' and '.join(told['requires'])}" if told["requires"] else f"always with {players}"]
    notes += [f"group {told['group']}"] if told["group"] else []
    notes += [f"with {', '.join(told['requires'])}"] if told["requires"] and not told["always"] else []
    yield f"{told['name']}   ({', '.join(notes)})"
    if told["text"]:
        yield from wrapped(told["text"], "    ")
    if not whole:
        places = dict.fromkeys(".".join(change["address"].split(".")[:2]) for change in told["changes"])
        yield from wrapped(", ".join(places), "    changes   ")
        if told["not_with"]:
            yield from wrapped(", ".join(refused["name"] for refused in told["not_with"]), "    not with  ")
        return
    for change in told["changes"]:
        yield from wrapped(_said(change), f"    {change['operation']:<9} ", " " * 16)
    for refused in told["not_with"]:
        yield from wrapped(f"{refused['name']}: {refused['because']}", "    not with  ", " " * 16)


def _said(change: dict[str, Any]) -> str:
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

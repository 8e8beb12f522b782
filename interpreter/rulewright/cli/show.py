"""`rulewright show`: a rule as it is played: its value, what it says, its source, and every file that wrote it.

In: parsed arguments. Out: text on stdout.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from textwrap import shorten
from typing import Final

from rulewright import limits
from rulewright.diagnostics import Diagnostics, RulesError, Span
from rulewright.document.address import child_entries, find_entry, iter_addresses
from rulewright.document.editing import entry_span, resolve_member
from rulewright.engine.notation import Notation
from rulewright.errors import UsageError
from rulewright.model.loader import Composition, build_composition, compose_game, default_game
from rulewright.model.rules import Rules
from rulewright.session.load_game import require_language
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode
from rulewright.suggestions import did_you_mean
from rulewright.terminal.reasons import source_lines, wrap
from rulewright.terminal.width import DEFAULT_WIDTH, terminal_width
from rulewright.wording.static_sentences import StaticSentenceRenderer

OMITTED_KEYS: Final = ("text", "why", "source", "status")
OFFER_KEYS: Final = ("must", "may", "together", "otherwise")


def run(args: Namespace) -> int:
    """Shows the rule at an address."""
    if len(args.address) > limits.MAX_ADDRESS_LENGTH:
        raise UsageError(f"the address is over the limit of {limits.MAX_ADDRESS_LENGTH:,} characters")
    diagnostics = Diagnostics()
    composition = compose_game(args.game or default_game(), args.players, args.variant, diagnostics)
    rules = build_composition(composition, diagnostics) if composition is not None else None
    if composition is None or rules is None:
        raise RulesError(diagnostics)
    root, removals = composition.document.root, list(_removed(composition))
    codes = [require_language(rules, args.lang)] if args.lang else list(rules.languages)
    if args.address in (".", ""):
        print("\n".join(_children(root, "", rules)))
        return 0
    if find_entry(root, args.address) is None:
        removal = next((span for name, span in removals if f"{args.address}.".startswith(f"{name}.")), None)
        if removal is not None:
            raise UsageError(f"there is no rule {args.address!r}: {removal} removes it")
    print("\n".join([*_rule_lines(root, args.address, rules, codes), *_removal_lines(root, args.address, removals)]))
    return 0


def _removed(composition: Composition) -> Iterator[tuple[str, Span]]:
    """What variants remove, and where they say so."""
    for variant in composition.applied_variants:
        for change in variant.changes:
            if change.operation == "remove":
                yield ".".join(resolve_member(composition.base_document.root, change.parts)), change.span


def _removal_lines(root: MappingNode, address: str, removals: list[tuple[str, Span]]) -> Iterator[str]:
    """The lines that removed something from a rule; for lists they are shown above already."""
    for name, span in removals:
        above = find_entry(root, name.rpartition(".")[0])
        if name.startswith(f"{address}.") and (above is None or not isinstance(above.value, SequenceNode)):
            yield f"  {name.removeprefix(f'{address}.')}, removed"
            yield f"    {span}   {_first_line(span)}"


def _rule_lines(root: MappingNode, address: str, rules: Rules, codes: list[str]) -> Iterator[str]:
    """What is at an address: a rule, a member of a kind, or an action where it is offered."""
    entry = find_entry(root, address)
    above, _, name = address.rpartition(".")
    if above.rpartition(".")[2] in OFFER_KEYS and (offered := find_entry(root, f"actions.{name}")) is not None:
        there = find_entry(root, above)
        if entry is not None or (there is not None and _names(there.value, name)):
            yield f"{address} offers actions.{name}:"
            if entry is not None and child_entries(entry.value):  # under conditions of its own
                yield from _entry_lines(entry, address, rules, codes)
            yield from _entry_lines(offered, f"actions.{name}", rules, codes)
            return
    if entry is not None:
        yield from _entry_lines(entry, address, rules, codes)
        return
    section, _, kind = above.partition(".")
    known = rules.kinds.get(kind) if section == "kinds" else None
    if known is None or name not in known.members or (entry := find_entry(root, above)) is None:
        raise UsageError(_unknown(root, address))
    yield f"{address} is a member of {above}:"
    for code in codes:
        forms = rules.languages[code].member_names.get(name)
        if forms:
            yield from wrap(" | ".join(forms), f"says {code:<5}")
    yield from _entry_lines(entry, above, rules, codes)


def _names(node: Node, name: str) -> bool:
    """Whether a word, a list of words or a part is that name."""
    return (isinstance(node, ScalarNode) and node.text == name) or any(
        one.key.text == name for one in child_entries(node)
    )


def _unknown(root: MappingNode, address: str) -> str:
    known = list(iter_addresses(root))
    hint = did_you_mean(address, known).replace("`", "")
    if hint:
        return f"there is no rule {address!r}: {hint}"
    *above, _ = address.split(".")
    while above and find_entry(root, ".".join(above)) is None:
        above.pop()
    entry = find_entry(root, ".".join(above)) if above else None
    there = [one.key.text for one in (child_entries(entry.value) if entry is not None else root.entries)]
    where = f"at {'.'.join(above)!r}" if above else "at the top"
    return f"there is no rule {address!r}; {where} there are: {', '.join(there[:40]) or 'no parts'}"


def _entry_lines(entry: Entry, address: str, rules: Rules, codes: list[str]) -> Iterator[str]:
    many = "player" if rules.players == 1 else "players"
    over = f" with {', '.join(rules.variants)}" if rules.variants else ""
    yield f"{address}   ({rules.game} {rules.version}, {rules.players} {many}{over})"
    lines = list(to_yaml_lines(entry.value, entry.value.span.source.path))
    if len(lines) > limits.MAX_SHOWN_LINES or (isinstance(entry.value, MappingNode) and "." not in address):
        yield from _children(entry.value, address, rules)
    else:
        for line in lines:
            indent = " " * (2 + len(line) - len(line.lstrip()))
            yield from wrap(line.lstrip(), indent, f"{indent}  ")
        below = [one.key.text for one in child_entries(entry.value) if one.key.text not in OMITTED_KEYS]
        if below:
            yield from wrap(", ".join(below), "parts     ")
    composition = _composition(address, rules)
    if composition:
        yield from wrap(composition, "value     ")
    for label, where in (("says", address), ("book", f"{address}.text")):  # in a game, in the rulebook
        for code in codes:
            sentence = rules.languages[code].sentences.get(where)
            if sentence is not None:
                yield from wrap(StaticSentenceRenderer(rules, code).render(sentence), f"{label} {code:<5}")
    note = rules.provenance.get(address)
    if note is not None:
        yield from source_lines(rules, note.source, "source    ")
        if note.status:
            yield f"status    {note.status}"
    yield "written by"
    for where, spans in iter_writers(entry):
        if where:
            yield f"  {where}"
        yield from (f"  {'  ' if where else ''}{span}   {_first_line(span)}" for span in spans)


def _children(node: Node, address: str, rules: Rules) -> Iterator[str]:
    """Each part with its sentence, or its value where it has none."""
    for one in child_entries(node):
        inner = f"{address}.{one.key.text}" if address else one.key.text
        sentence = rules.languages["en"].sentences.get(inner)
        if sentence is not None:
            summary = StaticSentenceRenderer(rules, "en").render(sentence)
        elif isinstance(one.value, MappingNode):
            below = list(one.value.keys())
            summary = f"{len(below)} parts" if len(below) > 6 else ", ".join(below)
        else:
            summary = to_flow_yaml(one.value)
        yield from wrap(summary, f"  {inner}   ", "      ")


def _composition(address: str, rules: Rules) -> str:
    """The value of a parameter after everything in it is computed."""
    section, _, name = address.removesuffix(".value").partition(".")
    parameter = rules.parameters.get(name) if section == "parameters" else None
    if parameter is None:
        return ""
    notation = Notation(rules)
    if parameter.values_by_key is None:
        return notation.format_value(parameter.value, parameter.type)
    keys = parameter.key_types[0]
    return ", ".join(
        f"{notation.format_value(key, keys)}: {notation.format_value(value, parameter.type)}"
        for key, value in parameter.values_by_key.items()
    )


# ---- where it was written ---------------------------------------------------------------------------------------


def iter_writers(entry: Entry, below: str = "") -> Iterator[tuple[str, tuple[Span, ...]]]:
    """The places that wrote a value, oldest first; then those of the parts in it that were replaced or come from
    another file.
    """
    yield below, (*entry.history, entry_span(entry))
    if isinstance(entry.value, MappingNode | SequenceNode):
        for one in child_entries(entry.value):
            if isinstance(entry.value, SequenceNode) and not child_entries(one.value):
                continue  # a word is its own value
            name = f"{below}.{one.key.text}" if below else one.key.text
            around = one.key if isinstance(entry.value, SequenceNode) else entry.value
            elsewhere = one.value.span.source.path != around.span.source.path
            for where, spans in iter_writers(one, name):
                if len(spans) > 1 or (elsewhere and where == name):
                    yield where, spans


def _first_line(span: Span) -> str:
    line = " ".join(span.source.line_text(span.line).split())
    return line if len(line) <= terminal_width() else shorten(line, terminal_width(), placeholder=" …")


# ---- nodes as YAML ----------------------------------------------------------------------------------------------


def to_flow_yaml(node: Node) -> str:
    """A node on one line."""
    match node:
        case ScalarNode(text=text):
            return " ".join(text.split())
        case SequenceNode(items=items):
            return f"[{', '.join(map(to_flow_yaml, items))}]"
        case MappingNode(entries=entries):
            return f"{{{', '.join(f'{one.key.text}: {to_flow_yaml(one.value)}' for one in entries)}}}"


def to_yaml_lines(node: Node, path: str) -> Iterator[str]:
    """A node as lines; what another file wrote than `path` names its place. Sentences and sources are left out."""
    if not isinstance(node, MappingNode):
        yield to_flow_yaml(node)
        return
    for entry in node:
        if entry.key.text in OMITTED_KEYS:
            continue
        value, here = entry.value, entry.value.span.source.path
        mark = "" if here == path else f"   # {here}:{value.span.line}"
        short = to_flow_yaml(value)
        plain = not isinstance(value, MappingNode) or (
            len(short) < DEFAULT_WIDTH // 2
            and not any(isinstance(one.value, MappingNode) for one in value)
            and not any(key in value for key in OMITTED_KEYS)
        )
        if plain:
            yield f"{entry.key.text}: {short}{mark}"
        else:
            yield f"{entry.key.text}:{mark}"
            yield from (f"  {line}" for line in to_yaml_lines(value, here))


__all__ = ["iter_writers", "run", "to_flow_yaml", "to_yaml_lines"]

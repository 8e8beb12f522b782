"""`rulewright show`: a rule as it is played: its value, what it says, its source, and every file that wrote it.

In: parsed arguments. Out: text on stdout.
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import shorten
from typing import Final

from rulewright import limits
from rulewright.cli.options import GameOptions
from rulewright.cli.show_program import ProgramForm, compile_shown, layout_lines, program_lines
from rulewright.diagnostics import Diagnostics, RulesError, Span
from rulewright.document.address import child_entries, find_entry, iter_addresses
from rulewright.document.editing import iter_writers, resolve_member
from rulewright.document.language import OFFER_VERBS, PROSE_KEYS
from rulewright.document.text_addresses import reason_address, title_address
from rulewright.document.unread_files import read_explanations
from rulewright.errors import UsageError, quote
from rulewright.model.explanations import with_passages
from rulewright.model.facts.facts import Facts
from rulewright.model.loader import Composition, build_composition, compose_game
from rulewright.model.locale import ENGLISH
from rulewright.model.locate import default_game
from rulewright.model.rules import Rules
from rulewright.session.load_game import require_language
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode
from rulewright.suggestions import did_you_mean
from rulewright.terminal.reasons import source_lines, wrap
from rulewright.terminal.width import DEFAULT_WIDTH, terminal_width
from rulewright.wording.parameter_values import parameter_value
from rulewright.wording.static_sentences import StaticSentenceRenderer

OMITTED_KEYS: Final = PROSE_KEYS - {"names"}
OFFER_KEYS: Final = (*OFFER_VERBS, "if_unable")
SENTENCES_OF_A_RULE: Final = (("name", title_address), ("says", str), ("why", reason_address))  # label → where it is
MAX_LISTED_PARTS: Final = 40  # of a rule, in a message
MAX_SUMMARY_KEYS: Final = 6  # more are counted, not listed


class Options(GameOptions):
    """The options of `show`."""

    address: str
    lang: str | None
    facts: bool
    layout: bool
    program: ProgramForm | None


def run(args: Options) -> int:
    """Shows the rule at an address."""
    if len(args.address) > limits.MAX_ADDRESS_LENGTH:
        raise UsageError(f"the address is over the limit of {limits.MAX_ADDRESS_LENGTH:,} characters")
    diagnostics = Diagnostics()
    composition = compose_game(args.game or default_game(), args.players, args.variant, diagnostics)
    rules = build_composition(composition, diagnostics) if composition is not None else None
    document = read_explanations(composition.document, diagnostics) if composition is not None else None
    if composition is None or document is None or rules is None:
        raise RulesError(diagnostics)
    if args.layout or args.program is not None:
        print("\n".join(_compiled_lines(rules, args)))
        return 0
    rules, root, removals = with_passages(rules), document.root, list(_removals(composition))
    codes = [require_language(rules, args.lang)] if args.lang else list(rules.languages)
    if args.address in (".", "") and not args.facts:
        print("\n".join(_children(root, "", rules)))
        return 0
    if args.address not in (".", "") and find_entry(root, args.address) is None:
        removal = next((span for name, span in removals if f"{args.address}.".startswith(f"{name}.")), None)
        if removal is not None:
            raise UsageError(f"there is no rule {quote(args.address)}: {removal} removes it")
    if args.facts:
        print("\n".join(_fact_lines(rules, args.address)))
        return 0
    print("\n".join([*_rule_lines(root, args.address, rules, codes), *_removal_lines(root, args.address, removals)]))
    return 0


def _compiled_lines(rules: Rules, args: Options) -> Iterator[str]:
    """What the whole game is compiled into."""
    if args.address not in (".", "") or args.facts:
        raise UsageError("--layout and --program show the whole game: give them the address `.`, and no --facts")
    program = compile_shown(rules)
    return layout_lines(program) if args.program is None else program_lines(program, args.program)


def _fact_lines(rules: Rules, address: str) -> Iterator[str]:
    """What follows from the rules about one of them."""
    facts = Facts(rules).describe(address)
    if not facts:
        raise UsageError(
            f"there are no facts about {quote(address)}; zones, states, values, actions, steps and `.` have some"
        )
    yield _title(address, rules)
    width = max(len(label) for label, _ in facts)
    for label, text in facts:
        yield from wrap(text, f"{label:<{width}}  ", " " * (width + 2))


def _title(address: str, rules: Rules) -> str:
    players = "1 player" if rules.players == 1 else f"{rules.players} players"
    variants = f" with {', '.join(rules.variants)}" if rules.variants else ""
    return f"{address}   ({rules.game} {rules.version}, {players}{variants})"


def _removals(composition: Composition) -> Iterator[tuple[str, Span]]:
    """What variants remove, and where they say so."""
    for variant in composition.applied_variants:
        for change in variant.changes:
            if change.operation == "remove":
                yield ".".join(resolve_member(composition.base_document.root, change.parts)), change.span


def _removal_lines(root: MappingNode, address: str, removals: list[tuple[str, Span]]) -> Iterator[str]:
    """The lines that removed something from a rule; for lists they are shown above already."""
    for name, span in removals:
        parent = find_entry(root, name.rpartition(".")[0])
        if name.startswith(f"{address}.") and (parent is None or not isinstance(parent.value, SequenceNode)):
            yield f"  {name.removeprefix(f'{address}.')}, removed"
            yield f"    {span}   {_first_line(span)}"


def _rule_lines(root: MappingNode, address: str, rules: Rules, codes: list[str]) -> Iterator[str]:
    """What is at an address: a rule, a member of a kind, or an action where it is offered."""
    entry = find_entry(root, address)
    parent_address, _, name = address.rpartition(".")
    if parent_address.rpartition(".")[2] in OFFER_KEYS and (action := find_entry(root, f"actions.{name}")) is not None:
        offers = find_entry(root, parent_address)
        if entry is not None or (offers is not None and _names(offers.value, name)):
            yield f"{address} offers actions.{name}:"
            if entry is not None and child_entries(entry.value):  # under conditions of its own
                yield from _entry_lines(entry, address, rules, codes)
            yield from _entry_lines(action, f"actions.{name}", rules, codes)
            return
    if entry is not None:
        yield from _entry_lines(entry, address, rules, codes)
        return
    section, _, kind_name = parent_address.partition(".")
    kind = rules.kinds.get(kind_name) if section == "kinds" else None
    if kind is None or name not in kind.members or (entry := find_entry(root, parent_address)) is None:
        raise UsageError(_unknown_message(root, address))
    yield f"{address} is a member of {parent_address}:"
    for code in codes:
        forms = rules.languages[code].member_names.get(name)
        if forms:
            yield from wrap(" | ".join(forms), f"says {code:<5}")
    yield from _entry_lines(entry, parent_address, rules, codes)


def _names(node: Node, name: str) -> bool:
    """Whether a word, a list of words or a part is that name."""
    return (isinstance(node, ScalarNode) and node.text == name) or any(
        child.key.text == name for child in child_entries(node)
    )


def _unknown_message(root: MappingNode, address: str) -> str:
    hint = did_you_mean(address, list(iter_addresses(root)))
    if hint:
        return f"there is no rule {quote(address)}: {hint}"
    *parents, _ = address.split(".")
    while parents and find_entry(root, ".".join(parents)) is None:
        parents.pop()
    parent = find_entry(root, ".".join(parents)) if parents else None
    names = [child.key.text for child in (child_entries(parent.value) if parent is not None else root.entries)]
    where = f"in {quote('.'.join(parents))}" if parents else "at the top level"
    return f"there is no rule {quote(address)}; {where}: {', '.join(names[:MAX_LISTED_PARTS]) or 'nothing'}"


def _entry_lines(entry: Entry, address: str, rules: Rules, codes: list[str]) -> Iterator[str]:
    yield _title(address, rules)
    lines = list(to_yaml_lines(entry.value, entry.value.span.source.path))
    if len(lines) > limits.MAX_SHOWN_LINES or (isinstance(entry.value, MappingNode) and "." not in address):
        yield from _children(entry.value, address, rules)
    else:
        for line in lines:
            indent = " " * (2 + len(line) - len(line.lstrip()))
            yield from wrap(line.lstrip(), indent, f"{indent}  ")
        parts = [child.key.text for child in child_entries(entry.value) if child.key.text not in OMITTED_KEYS]
        if parts:
            yield from wrap(", ".join(parts), "parts     ")
    value = parameter_value(rules, address)
    if value:
        yield from wrap(value, "value     ")
    for label, text_address in SENTENCES_OF_A_RULE:
        for code in codes:
            sentence = rules.languages[code].sentences.get(text_address(address))
            if sentence is not None:
                yield from wrap(StaticSentenceRenderer(rules, code).render(sentence), f"{label:<5}{code:<5}")
    note = rules.provenance.get(address)
    if note is not None:
        yield from source_lines(rules, note.source, "source    ")
        if note.status:
            yield f"status    {note.status}"
    yield "written by"
    for part, spans in iter_writers(entry):
        if part:
            yield f"  {part}"
        yield from (f"  {'  ' if part else ''}{span}   {_first_line(span)}" for span in spans)


def _children(node: Node, address: str, rules: Rules) -> Iterator[str]:
    """Each part with its sentence, or its value where it has none."""
    for child in child_entries(node):
        child_address = f"{address}.{child.key.text}" if address else child.key.text
        sentence = rules.languages[ENGLISH].sentences.get(child_address)
        if sentence is not None:
            summary = StaticSentenceRenderer(rules, ENGLISH).render(sentence)
        elif isinstance(child.value, MappingNode):
            keys = list(child.value.keys())
            summary = f"{len(keys)} parts" if len(keys) > MAX_SUMMARY_KEYS else ", ".join(keys)
        else:
            summary = to_flow_yaml(child.value)
        yield from wrap(summary, f"  {child_address}   ", "      ")


# ---- where it was written ---------------------------------------------------------------------------------------


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
            return f"{{{', '.join(f'{entry.key.text}: {to_flow_yaml(entry.value)}' for entry in entries)}}}"


def to_yaml_lines(node: Node, path: str) -> Iterator[str]:
    """A node as lines; what a file other than `path` wrote has its place beside it. Without sentences and sources."""
    if not isinstance(node, MappingNode):
        yield to_flow_yaml(node)
        return
    for entry in node:
        if entry.key.text in OMITTED_KEYS:
            continue
        value, source = entry.value, entry.value.span.source
        line = "" if source.is_option else f":{value.span.line}"
        comment = "" if source.path == path else f"   # {source.path}{line}"
        flow = to_flow_yaml(value)
        fits_line = not isinstance(value, MappingNode) or (
            len(flow) < DEFAULT_WIDTH // 2
            and not any(isinstance(child.value, MappingNode) for child in value)
            and not any(key in value for key in OMITTED_KEYS)
        )
        if fits_line:
            yield f"{entry.key.text}: {flow}{comment}"
        else:
            yield f"{entry.key.text}:{comment}"
            yield from (f"  {line}" for line in to_yaml_lines(value, source.path))


__all__ = ["Options", "run", "to_flow_yaml", "to_yaml_lines"]

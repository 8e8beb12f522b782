"""What a rule is, in a few lines: its sort, sentences, value at each number of players, source, writers, and variants.

In: rules that are open, an address. Out: Markdown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from textwrap import shorten
from typing import Final

from rulewright.diagnostics import Diagnostics, Span
from rulewright.document.address import find_entry
from rulewright.document.editing import iter_writers
from rulewright.document.text_addresses import reason_address
from rulewright.editor.known_names import label_of
from rulewright.editor.meanings import Target, declaration
from rulewright.editor.named_files import sentence_of
from rulewright.editor.open_rules import OpenRules, open_rules
from rulewright.editor.spoken_languages import language_at
from rulewright.model.locale import ENGLISH
from rulewright.model.locate import available_variants
from rulewright.model.rules import Rules
from rulewright.model.text_files import translations_by_address
from rulewright.source.nodes import MappingNode, Node, as_mapping
from rulewright.source.reader import peek_text
from rulewright.variants.variant import load_variant
from rulewright.wording.parameter_values import parameter_value
from rulewright.wording.static_sentences import StaticSentenceRenderer

LINE_LENGTH: Final = 100
MAX_WRITERS: Final = 6


def describe_target(rules: OpenRules, target: Target) -> str | None:
    """The description of what a word means."""
    local = target.local
    if local is None or local.label == "choice":
        language = language_at(rules, target.start)
        described = describe(rules, target.address, language)
        if described is None and target.variant is not None:  # a scenario names what only its variants bring
            own = open_rules(target.variant, rules.folders)
            described = None if own is None else describe(own, target.address, language)
        if described is not None:
            return described
    span = declaration(rules, target)
    if span is None:
        return None
    label = label_of(target.address) if local is None else local.label
    own_names = _names_of_member(rules, target.address, language_at(rules, target.start))
    names = "".join(f"{name}\n\n" for name in own_names)
    line = _first_line(span.source.line_text(span.line))
    return f"**{label}** `{target.word}`\n\n{names}```yaml\n{span}   {line}\n```"


def describe(rules: OpenRules, address: str, language: str = ENGLISH) -> str | None:
    """The description of what is at an address. `language`: that of its sentences, where they are in it."""
    entry = find_entry(rules.root, address) if rules.root is not None else None
    if entry is None:
        return None
    roots = {players: root for players, (root, _) in rules.built.items()}
    built = {players: each for players, (_, each) in rules.built.items()}
    parts = [f"**{label_of(address) if '.' in address else 'section'}** `{address}`"]
    if built:
        parts += _sentences(next(iter(built.values())), address, language)
    else:
        parts += _written_sentences(rules, entry.value, address, language)
    parts += _values(built, address)
    if built and (note := next(iter(built.values())).provenance.get(address)) is not None and note.status:
        parts.append(f"*{note.status}*")
    lines = [f"{span}   {_first_line(span.text)}" for span in _writers([rules.root, *roots.values()], address)]
    parts.append("\n".join(["```yaml", *lines, "```"]))
    if changed_by := ", ".join(_changing_variants(rules, address)):
        parts.append(f"changed by {changed_by}")
    return "\n\n".join(parts)


def _writers(roots: Iterable[MappingNode | None], address: str) -> list[Span]:
    """What wrote it, oldest first; also what does so at some numbers of players only."""
    entries = [entry for root in roots if root is not None and (entry := find_entry(root, address)) is not None]
    spans = [span for entry in entries for _, written in iter_writers(entry) for span in written]
    return [*{(span.source.path, span.start): span for span in spans}.values()][:MAX_WRITERS]


def _changing_variants(rules: OpenRules, address: str) -> Iterator[str]:
    """The variants of the game that change a rule or a part of it."""
    base = rules.base
    for name, path in available_variants(base.name, base.path).items() if base is not None and "." in address else ():
        variant = load_variant(path, Diagnostics()) if path != rules.path and address in peek_text(path) else None
        changes = [] if variant is None else [change for change in variant.changes if not change.is_of_words]
        if any(f"{change.address}.".startswith(f"{address}.") for change in changes):
            yield name


def _sentences(rules: Rules, address: str, language: str) -> Iterator[str]:
    """What the rules say there, in a language or else in English where there is any, else in the first language."""
    for found in (address, reason_address(address)):
        for code in dict.fromkeys([language, ENGLISH, *rules.languages]):
            spoken = rules.languages.get(code)
            sentence = None if spoken is None else spoken.sentences.get(found)
            if sentence is not None:
                yield StaticSentenceRenderer(rules, code).render(sentence)
                break


def _names_of_member(rules: OpenRules, address: str, language: str) -> Iterator[str]:
    """What a member is called, one and several, in a language or else in English where it has a name there, else in the
    first language.
    """
    for _, built in [*rules.built.values()][:1] if label_of(address) == "member" else ():
        _, kind, *_, member = address.split(".")
        info, named = built.kinds.get(kind), {code: each.member_names for code, each in built.languages.items()}
        for code in dict.fromkeys([language, ENGLISH, *named]):
            if info is not None and (forms := named.get(code, {}).get(info.name_key(member))):
                yield " | ".join(dict.fromkeys(forms))
                return


def _written_sentences(rules: OpenRules, rule: Node, address: str, language: str) -> Iterator[str]:
    """The same as it is written, of rules in which something is wrong."""
    file = None if rules.base is None else rules.base.texts.get(language)
    translated = {} if file is None else translations_by_address(file)
    for key, found in (("text", address), ("why", reason_address(address))):
        written = translated[found].value if found in translated else as_mapping(rule).get(key)
        if written is not None and (sentence := sentence_of(written, language)):
            yield sentence


def _values(built: dict[int, Rules], address: str) -> Iterator[str]:
    """The value of a parameter at each number of players."""
    texts = {players: text for players, rules in built.items() if (text := parameter_value(rules, address))}
    groups = groupby(texts.items(), key=lambda item: item[1])
    found = [(text, [players for players, _ in items]) for text, items in groups]
    if len(found) == 1:
        yield f"value: {found[0][0]}"
    elif found:
        yield "\n".join(f"- {', '.join(map(str, players))} players: {text}" for text, players in found)


def _first_line(text: str) -> str:
    return shorten(text.partition("\n")[0], LINE_LENGTH, placeholder=" …")


__all__ = ["describe", "describe_target"]

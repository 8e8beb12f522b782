"""What is meant at a place of a rule file, where it is declared, and where it is used.

In: rules that are open, a file's text and an offset. Out: an address and its declaration; spans.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from rulewright.diagnostics import Diagnostics, Span
from rulewright.document.address import child_entries, find_entry
from rulewright.document.language import FLOW_SECTIONS, PROSE_KEYS
from rulewright.document.sentence_places import HOLE
from rulewright.editor.local_names import CHANGES, LocalName, WordUse, words_in
from rulewright.editor.open_rules import OpenRules
from rulewright.expr.keywords import RESERVED_NAMES
from rulewright.expr.syntax_tree import SyntaxToken
from rulewright.frozen import frozen
from rulewright.model.symbol_table import METADATA_KEYS
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, SequenceNode, as_items
from rulewright.source.reader import parse_file, peek_text

DOTTED: Final = re.compile(r"[A-Za-z_][\w-]*(?:\.[\w-]+)*")
WORD: Final = re.compile(r"[A-Za-z_][\w]*")
ADDRESS: Final = re.compile(r"[a-z_]\w*(\.\w+)+")
AUTHORS_NAMES: Final = ("choose", "when", "do", "fields", "sum", "less")  # what stands under them has names of its own
ROWS: Final = "things"  # of a file that holds rows alone
FIELD_DEPTHS: Final = (2, 4, 5)  # of a field in such a file, in a list of rows, in rows by their ids
FLOWS: Final = [[section] for section in FLOW_SECTIONS]
PROSE_FILES: Final = ("statements", "sources", "texts")  # files of prose, in which only addresses and holes are rules


@frozen
class Target:
    """What is meant at a place: its address, the word there, where that word stands, and the name that a rule binds for
    itself if it is one.
    """

    address: str
    word: str
    start: int
    end: int
    local: LocalName | None = None


@frozen
class NameEdit:
    """A name in a file, and what is to stand there instead."""

    span: Span
    text: str


def target_at(rules: OpenRules, text: str, offset: int) -> Target | None:
    """What a word means: the rule at an address up to that word, else what the word is bound to, declares or names."""
    match = next((found for found in DOTTED.finditer(text) if found.start() <= offset <= found.end()), None)
    if match is None or rules.root is None:
        return None
    use = next((use for use in _words(rules, rules.path) if use.span.start <= offset <= use.span.end), None)
    if use is not None and use.local is not None and not _is_kind(use):
        return Target(use.local.address, use.word, use.span.start, use.span.end, use.local)
    if use is not None and use.is_field:
        fields = _fields(rules.root, use.word)
        return Target(fields[0], use.word, use.span.start, use.span.end) if len(fields) == 1 else None
    end = match.end()
    dot = text.find(".", offset, end)
    address = text[match.start() : end if dot < 0 else dot]
    word_start = match.start() + address.rfind(".") + 1
    word, word_end = address.rpartition(".")[2], match.start() + len(address)
    if "." in address and find_entry(rules.root, address) is not None:
        return Target(address, word, word_start, word_end)
    own = address_at(rules, offset)
    if use is None and own is not None and own.rpartition(".")[2] == word and find_entry(rules.root, own) is not None:
        return Target(own, word, word_start, word_end)
    first = address.partition(".")[0]
    declared = rules.declarations.get(word) or (rules.declarations.get(first) if word == first else None)
    return None if declared is None else Target(declared.address, word, word_start, word_end)


def _is_kind(use: WordUse) -> bool:
    """Whether the word stands for its kind and binds its name at once: as `per: NAME` and `for_each: NAME` do."""
    return use.local is not None and use.local.implied is not None and use.span == use.local.span


def _fields(root: MappingNode, name: str) -> list[str]:
    """The addresses of the fields of that name."""
    components = child_entries(root.get("components") or MappingNode((), root.span))
    addresses = [f"components.{component.key.text}.fields.{name}" for component in components]
    return [address for address in addresses if find_entry(root, address) is not None]


def _words(rules: OpenRules, path: Path) -> list[WordUse]:
    node = parse_file(path, Diagnostics(), source_path=str(path))
    return [] if node is None or rules.root is None else [*words_in(rules.root, node)]


def address_at(rules: OpenRules, offset: int) -> str | None:
    """The address of what is written around an offset of the open file."""
    node = parse_file(rules.path, Diagnostics())
    keys = list(_keys_around(node, offset)) if node is not None else []
    if rules.is_variant:
        keys = keys[1:] if keys and keys[0] in CHANGES else []
    return ".".join(keys) or None


def _keys_around(node: Node, offset: int) -> Iterator[str]:
    for entry in child_entries(node):
        if entry.key.span.start <= offset <= max(entry.key.span.end, _end(entry.value)):
            yield entry.key.text
            if offset > entry.key.span.end:
                yield from _keys_around(entry.value, offset)
            return


def _end(node: Node) -> int:
    return node.span.end


def declaration(rules: OpenRules, target: Target) -> Span | None:
    """Where what is meant is written."""
    if target.local is not None:
        return target.local.span
    declared = rules.declarations.get(target.word)
    if declared is not None and declared.address == target.address:
        return declared.span
    entry = find_entry(rules.root, target.address) if rules.root is not None else None
    return None if entry is None else entry.key.span


def uses(rules: OpenRules, target: Target) -> list[Span]:
    """Where a name is used, in all files of the game and of its variants: in expressions, in keys and addresses, in the
    holes of sentences.
    """
    if target.local is not None:
        return [use.span for use in _bound_to(rules, target.local)]
    found: list[Span] = []
    for path in rules.files():
        if target.word in peek_text(path):
            node = parse_file(path, Diagnostics(), source_path=str(path))
            if node is not None and rules.root is not None:
                found += _uses_in(rules.root, node, target)
    return found


def _bound_to(rules: OpenRules, local: LocalName) -> list[WordUse]:
    """The words that a rule has bound to one and the same."""
    paths = [path for path in rules.files() if local.name in peek_text(path)]
    words = [use for path in paths for use in _words(rules, path)]
    bound = {
        (use.span.source.path, use.span.start): use
        for use in words
        if use.local is not None and use.local.address == local.address
    }
    return [*bound.values()]


def _uses_in(root: MappingNode, node: Node, target: Target) -> list[Span]:
    """Every such word that is not bound to something else."""
    pattern = re.compile(rf"(?<![\w-]){re.escape(target.word)}(?![\w-])")
    is_prose_file = isinstance(node, MappingNode) and any(key in PROSE_FILES for key in node.keys()[:1])
    other = {
        (use.span.start, use.span.end)
        for use in words_in(root, node)
        if use.word == target.word and (use.is_field or (use.local is not None and use.local.implied is None))
    }
    spans = [
        scalar.subspan(match.start(), match.end())
        for scalar, address, is_prose in _scalars(node, (), is_prose=False)
        for start, end in _rule_parts(scalar.text, is_prose=is_prose or is_prose_file)
        for match in pattern.finditer(scalar.text, start, end)
        if not _names_another(root, address, scalar.text, match, target.address)
    ]
    return [span for span in spans if (span.start, span.end) not in other]


def _names_another(root: MappingNode, address: str, text: str, match: re.Match[str], meant: str) -> bool:
    """Whether a word of a key or an address is the author's name for something else: a choice, a step, a field."""
    if ADDRESS.fullmatch(text):
        parts = text[: match.end()].split(".")
    elif address.rpartition(".")[2] == text:
        parts = address.split(".")
        parts = parts[1:] if parts[0] in CHANGES else parts
    else:
        return False
    if len(parts) < 2 or ".".join(parts) == meant:
        return False
    if parts[0] == ROWS or (parts[0] == "components" and parts[2:3] == ["rows"]):
        return len(parts) in FIELD_DEPTHS and bool(_fields(root, parts[-1]))
    return parts[-2] in AUTHORS_NAMES or parts[:-1] in FLOWS


def _rule_parts(text: str, *, is_prose: bool) -> list[tuple[int, int]]:
    """What of a text belongs to the rules: of prose the holes, and addresses."""
    if not is_prose or ADDRESS.fullmatch(text):
        return [(0, len(text))]
    return [match.span() for match in HOLE.finditer(text)]


def _scalars(node: Node, keys: tuple[str, ...], *, is_prose: bool) -> Iterator[tuple[ScalarNode, str, bool]]:
    """All keys and words of a file, each with its address, and whether it is prose, of which only holes are rules."""
    if isinstance(node, ScalarNode):
        yield node, ".".join(keys), is_prose
    elif isinstance(node, SequenceNode):
        for item in node:
            yield from _scalars(item, keys, is_prose=is_prose)
    else:
        for entry in node:
            inner = (*keys, entry.key.text)
            yield entry.key, ".".join(inner), False
            yield from _scalars(entry.value, inner, is_prose=is_prose or _is_prose(entry, keys))


def _is_prose(entry: Entry, keys: tuple[str, ...]) -> bool:
    """Whether a key holds sentences: by its name, or because it stands in a section of sentences."""
    return entry.key.text in PROSE_KEYS or (not keys and entry.key.text == "sentences")


def can_be_renamed(rules: OpenRules, target: Target) -> bool:
    """Whether a name is bound or declared by the rules."""
    declared = rules.declarations.get(target.word)
    return target.local is not None or (declared is not None and declared.address == target.address)


def rename(rules: OpenRules, target: Target, new_name: str) -> dict[Path, list[NameEdit]]:
    """What has to be rewritten, file by file, for a name to be another. Raises `ValueError` with a sentence for people
    where that cannot be done.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", new_name):
        raise ValueError(f"`{new_name}` is no name: small letters, digits and _, with a letter first")
    if new_name in RESERVED_NAMES or new_name in METADATA_KEYS:
        raise ValueError(f"`{new_name}` is a reserved word")
    if new_name in rules.declarations:
        raise ValueError(f"`{new_name}` is declared already, at {rules.declarations[new_name].span}")
    if not can_be_renamed(rules, target):
        raise ValueError(f"only what is declared can be renamed, and `{target.word}` is not")
    if (taken := _bound_already(rules, target, new_name)) is not None:
        raise ValueError(f"`{new_name}` is bound already, by the {taken.label} at {taken.span}")
    found: dict[Path, list[NameEdit]] = {}
    if target.local is None:
        edits = [NameEdit(span, new_name) for span in uses(rules, target)]
    else:
        edits = [_renamed(use, new_name) for use in _bound_to(rules, target.local)]
    for edit in edits:
        found.setdefault(Path(edit.span.source.path), []).append(edit)
    return found


def _renamed(use: WordUse, new_name: str) -> NameEdit:
    """Another name for a word that is bound; what binds it by its kind alone says both."""
    local = use.local
    if local is None or local.implied is None or use.span != local.span:
        return NameEdit(use.span, new_name)
    if isinstance(local.implied, SyntaxToken):
        return NameEdit(use.span, f"{new_name} in {local.name}")
    names = [item.text for item in as_items(local.implied) if isinstance(item, ScalarNode)]
    keys = ", ".join(f"{new_name if name == local.name else name}: {name}" for name in names)
    span = local.implied.span
    return NameEdit(Span(span.source, span.start, span.start + len(span.text.rstrip())), f"{{{keys}}}")


def _bound_already(rules: OpenRules, target: Target, new_name: str) -> LocalName | None:
    """What a rule has bound to a name where it would meet the renamed one."""
    words = [use for path in rules.files() if new_name in peek_text(path) for use in _words(rules, path)]
    if target.local is None:
        return next((use.local for use in words if use.local is not None and use.word == new_name), None)
    address = target.local.address
    for use in words:
        is_renamed = use.local is not None and use.local.address == address
        if is_renamed and new_name in use.visible:
            return use.visible[new_name]
        if (
            use.local is not None
            and use.word == new_name
            and address in {each.address for each in use.visible.values()}
        ):
            return use.local
    return None


__all__ = ["NameEdit", "Target", "address_at", "can_be_renamed", "declaration", "rename", "target_at", "uses"]

"""Another name for what has one: everything that means the same is written anew, and nothing else.

In: rules that are open, what is meant, and its new name. Out: edits, file by file; or a sentence that says why it
cannot have that name.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from rulewright.diagnostics import Span
from rulewright.document.language import keys_at
from rulewright.editor.file_nodes import node_of_file
from rulewright.editor.known_names import ID, LISTS_OF_FILES, KnownNames, label_of
from rulewright.editor.local_names import LocalName, ShortForm
from rulewright.editor.meanings import Target, is_meant
from rulewright.editor.name_uses import NameUse
from rulewright.editor.open_rules import OpenRules
from rulewright.expr.keywords import KEYWORDS, RESERVED_NAMES
from rulewright.frozen import frozen
from rulewright.model.locate import heads_read_once, is_shipped_path
from rulewright.model.rules import DECLINE_TEXT
from rulewright.model.symbol_table import METADATA_KEYS
from rulewright.source.reader import peek_text
from rulewright.source.real_paths import is_within
from rulewright.source.unsaved import held_text

KEYS_OF_ROWS: Final = frozenset({"id", "for_each"})  # which no field can be called


@frozen
class NameEdit:
    """A name in a file, and what is to stand there instead."""

    span: Span
    text: str


def why_not_renamed(rules: OpenRules, target: Target) -> str:
    """Why something cannot have another name at all; empty where it can."""
    if target.local is not None or target.address.partition(".")[0] in LISTS_OF_FILES:
        return ""
    if not rules.is_whole:
        return f"nothing can be renamed while the game cannot be read: {rules.game}"
    names = _names_with(rules, target)
    if names is None:
        if node_of_file(rules.path) is None:
            return _cannot_be_read(rules.path, target.word)
        return f"only what is declared can be renamed, and `{target.word}` is not"
    key = names.declared[target.address]
    return "" if key.text == target.word else f"`{target.word}` is made from other names"


def rename(rules: OpenRules, target: Target, new_name: str) -> dict[Path, list[NameEdit]]:
    """What has to be rewritten, file by file, for a name to be another. Raises `ValueError` with a sentence for people
    where that cannot be done.
    """
    if not ID.fullmatch(new_name):
        raise ValueError(f"`{new_name}` is not an id: small letters, digits and _, with a letter first")
    if reason := why_not_renamed(rules, target):
        raise ValueError(reason)
    if new_name == target.word:
        return {}
    if _is_reserved(target, new_name):
        raise ValueError(f"`{new_name}` is a reserved word")
    meant: list[NameUse] = []
    with heads_read_once():
        for names, uses in _words_of_files(rules, (target.word, new_name)):
            if names.file_of(target.address) != target.variant or not _knows(names, target):
                continue
            if reason := _why_taken(names, uses, target, new_name):
                raise ValueError(reason)
            meant += (use for use in uses if is_meant(use, target))
    found: dict[Path, list[NameEdit]] = {}
    for edit in edits_of(meant, target, new_name):
        found.setdefault(Path(edit.span.source.path), []).append(edit)
    for path in found:
        if reason := _why_not_written(rules, path):
            raise ValueError(reason)
    return found


def _words_of_files(rules: OpenRules, words: tuple[str, ...]) -> Iterator[tuple[KnownNames, list[NameUse]]]:
    """The words of the files in which one of these is, with the names that they speak of. Raises `ValueError` where
    the first may be in a file that cannot be read, and would stay there: one that is being written, or the game's.
    """
    for path in rules.files():
        text = peek_text(path)
        if rules.names is not None and any(word in text for word in words):
            is_wanted = held_text(path) is not None or (rules.game.is_dir() and is_within(path, rules.game))
            if is_wanted and words[0] in text and node_of_file(path) is None:
                raise ValueError(_cannot_be_read(path, words[0]))
            yield from ((names, [*uses]) for names, uses in rules.names.parts_of(path))


def _cannot_be_read(path: Path, word: str) -> str:
    return f"`{word}` is also in a file that cannot be read as it is now: {path}"


def edits_of(uses: Iterable[NameUse], target: Target, new_name: str) -> list[NameEdit]:
    """What has to stand instead of words that mean what is renamed."""
    edits = (_edit(use, target, new_name) for use in uses)
    return [*{(edit.span.source.path, edit.span.start): edit for edit in edits}.values()]


def _names_with(rules: OpenRules, target: Target) -> KnownNames | None:
    """Names in which what is meant is declared."""
    parts = rules.names.parts_of(rules.path) if rules.names is not None else ()
    return next((names for names, _ in parts if target.address in names.declared), None)


def _knows(names: KnownNames, target: Target) -> bool:
    is_rule = target.local is None and target.address.partition(".")[0] not in LISTS_OF_FILES
    return not is_rule or target.address in names.declared


def _is_in_expressions(target: Target) -> bool:
    """Whether expressions name it."""
    return target.local is not None or label_of(target.address) in (
        "kind", "member", "parameter", "component", "zone", "state", "value", "action", "choice", "key", "argument",
    )  # fmt: skip


def _is_reserved(target: Target, new_name: str) -> bool:
    """Whether a name means something to the language where it would stand."""
    above = tuple(target.address.split(".")[:-1])
    label = label_of(target.address)
    if new_name in METADATA_KEYS or new_name in keys_at(above):
        return target.local is None or target.local.label != "loop variable" or new_name in METADATA_KEYS
    if label == "field":
        return new_name in KEYWORDS | KEYS_OF_ROWS
    return (_is_in_expressions(target) and new_name in RESERVED_NAMES) or (
        label == "action" and new_name == DECLINE_TEXT
    )


def _why_taken(names: KnownNames, uses: list[NameUse], target: Target, new_name: str) -> str:
    """Who has the new name already where it would meet the renamed one; empty where nobody does."""
    local = target.local
    is_of_its_kind = local is not None and local.form is not None and (local.name, new_name) in local.form.names
    if _is_in_expressions(target) and not is_of_its_kind and not (local is not None and new_name == local.sort):
        declared = names.in_expressions.get(new_name)
        if declared is not None:
            return f"`{new_name}` is declared already, at {names.declared[declared].span}"
    sibling = f"{target.address.rpartition('.')[0]}.{new_name}"
    if sibling in names.declared or any(use.address == sibling for use in uses):
        place = f", at {names.declared[sibling].span}" if sibling in names.declared else ""
        return f"there is a {label_of(sibling)} `{new_name}` already{place}"
    bound = next(_bound_to(uses, target, new_name), None) if _is_in_expressions(target) else None
    return "" if bound is None else f"`{new_name}` is bound already, by the {bound.label} at {bound.span}"


def _bound_to(uses: list[NameUse], target: Target, new_name: str) -> Iterator[LocalName]:
    """What rules bind to a name for themselves where it would meet the renamed one."""
    for use in uses:
        if target.local is None:
            if use.local is not None and use.word == new_name and use.local.sort != target.word:
                yield use.local
        elif is_meant(use, target) and new_name in use.visible:
            yield use.visible[new_name]
        elif (
            use.local is not None
            and use.word == new_name
            and any(each.address == target.address for each in use.visible.values())
        ):
            yield use.local


def _why_not_written(rules: OpenRules, path: Path) -> str:
    """Why a file is not rewritten; empty where it can be. Its path comes last: editors show the beginning of a line."""
    if not os.access(path, os.W_OK) and path.exists():
        return f"a file that cannot be written would have to change: {path}"
    if is_shipped_path(path) and not is_shipped_path(rules.path):
        return f"a file of a game that ships with rulewright would have to change: {path}"
    return ""


def _edit(use: NameUse, target: Target, new_name: str) -> NameEdit:
    """Another name for a word; what binds a name by its kind alone says both where they differ, and the other way."""
    local = use.local
    form = local.form if use.is_binding and local is not None else use.form
    is_bound = local is not None and local.address == target.address
    if form is None or (use.is_binding and not is_bound and local is not None and local.label != "field"):
        return NameEdit(use.span, new_name)
    names = []
    for name, kind in form.names:
        if use.is_binding:
            is_this = name == use.word
            names.append((new_name if is_this and is_bound else name, new_name if is_this and not is_bound else kind))
        else:
            is_key = local is not None and is_bound
            names.append(
                (
                    new_name if is_key and name == use.word else name,
                    new_name if not is_key and kind == use.word else kind,
                )
            )
    if use.is_binding or (all(name == kind for name, kind in names) and _can_be_short(form)):
        return NameEdit(form.span, _written(form, names))
    return NameEdit(use.span, new_name)


def _can_be_short(form: ShortForm) -> bool:
    return not form.is_list or form.span.text.startswith("{")


def _written(form: ShortForm, names: list[tuple[str, str]]) -> str:
    """What binds names, as short as it can be."""
    if not form.is_list:
        ((name, kind),) = names
        return name if name == kind else f"{name} in {kind}"
    if any(name != kind for name, kind in names):
        return f"{{{', '.join(f'{name}: {kind}' for name, kind in names)}}}"
    return names[0][0] if len(names) == 1 else f"[{', '.join(name for name, _ in names)}]"


__all__ = ["NameEdit", "edits_of", "rename", "why_not_renamed"]

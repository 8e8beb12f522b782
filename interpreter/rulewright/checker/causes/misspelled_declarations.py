"""A name that is misspelled where it is declared: reported there, not at each of the rules that use it.

In: the tree of a game and what is wrong with it. Out: `Diagnostics` in which unknown names that all mean one
declaration, which nothing uses by the name that it has, are one diagnostic at the declaration.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from rulewright import limits
from rulewright.checker.common.lint_codes import MISSPELLED_DECLARATION
from rulewright.checker.common.names_in_text import find_names
from rulewright.diagnostics import CauseSort, Diagnostic, Diagnostics, Fix, Related
from rulewright.document.address import find_entry, split_address
from rulewright.document.declared_names import Declaration, iter_declarations
from rulewright.document.key_owners import is_key
from rulewright.expr.codes import ALL_OR_ONE
from rulewright.frozen import replace
from rulewright.lazy_pattern import lazy_pattern
from rulewright.slips import edit_distance
from rulewright.source.node_memo import Same
from rulewright.source.nodes import Entry, MappingNode, Node, ScalarNode, as_mapping
from rulewright.suggestions import closest_name

MISSING: Final[tuple[CauseSort, ...]] = ("no name", "no field", "no member")
PART_PATTERN: Final = lazy_pattern(r"[^\W_]+")
EXPRESSION_FAMILIES: Final = ("E", "T")  # of codes
CHOICE: Final = "choice"
KEYED: Final = ("parameter", "zone", "state", "value")
KINDS: Final = ("kind", "component")
ACTIONS: Final = "actions"
PROCEDURES: Final = "procedures"
ACTION: Final = "actions."  # how the addresses of what is in actions begin
SENTENCES: Final = frozenset({"text", "why", "names", "sentences", "title"})
NAMED_LISTS: Final = frozenset(  # whose keys nothing refers to
    {"setup", "turn", "round", "finale", "do", "when", "sum", "ranking", "invariants", "evaluation", "terms", "book"}
)
HOLE: Final = lazy_pattern(r"\{([^{}]*)\}")
UNMENTIONED: Final = frozenset({"measure", "thing"})  # what rules declare and need not mention
MIN_USES: Final = 2  # a single use may as well be what is misspelled
MAX_SHOWN_USES: Final = 2


def merge_misspelled_declarations(root: MappingNode, diagnostics: Diagnostics) -> Diagnostics:
    """The same diagnostics, where those about a misspelled declaration are one; where very many names are unknown it is
    not asked.
    """
    shown = list(diagnostics)
    uses: dict[str, list[Diagnostic]] = {}
    for diagnostic in shown:
        if word := _word_used(diagnostic):
            uses.setdefault(word, []).append(diagnostic)
    unknown = {word: found for word, found in uses.items() if any(map(_is_unknown, found))}
    wrong_actions = [
        one for one in shown if one.code.number[0] in EXPRESSION_FAMILIES and one.address.startswith(ACTION)
    ]
    if (not unknown and not wrong_actions) or len(unknown) > limits.MAX_CAUSES:
        return diagnostics
    unused = list(_unused_declarations(root, unknown))
    causes: list[Diagnostic] = []
    for choice, kind, found in _choices_called_like_kinds(root, wrong_actions):
        causes.append(_report_choice(choice, kind, found))
        shown = [one for one in shown if one not in found]
    for word, found in unknown.items():
        name = closest_name(word, [one.name for one in unused])
        is_used_once = len({one.span for one in found}) < MIN_USES
        if is_used_once and not (
            _is_slip(word, name) and (_is_common(root, word) or _is_better_spelled(root, word, name))
        ):
            continue
        cause = next((one for one in unused if one.name == name), None)
        if cause is None or not all(_is_within(one.address, cause) for one in found):
            continue
        if not _is_slip(word, name) and not _has_keys_alike(root, word, cause, found):
            continue  # another name, which begins or ends like it
        shown = [one for one in shown if one not in found and not _is_beside(one, word, cause)]
        causes.append(_report(cause, word, found))
    if not causes:
        return diagnostics
    merged = Diagnostics()
    merged.extend([*causes, *shown])
    return merged


def _is_common(root: MappingNode, word: str) -> bool:
    """Whether a name that is used once is a word of the rules besides, as the name of a step or in a sentence."""
    if len(word) > limits.MAX_COMPARED_LENGTH:
        return False
    word_alone = re.compile(rf"(?<![a-z0-9_]){word}(?![a-z0-9_])", re.IGNORECASE)
    return sum(len(word_alone.findall(text)) for text in _texts_beside_keys(root, {word})) >= MIN_USES


def _is_better_spelled(root: MappingNode, word: str, name: str) -> bool:
    """Whether the words in which a name that is used once differs from the declared one are words of the rules besides,
    in a name or a sentence, and those of the declared one are not.
    """
    used, declared = {*word.split("_")}, {*name.split("_")}
    texts = _texts_beside_keys(root, used)
    counts = Counter(part for text in texts for part in PART_PATTERN.findall(text.lower()))
    is_known = all(counts[part] > 1 for part in used - declared) and not used <= declared
    return is_known and all(counts[part] == 1 for part in declared - used) and not declared <= used


def _texts_beside_keys(root: MappingNode, words: Iterable[str]) -> Iterator[str]:
    """The texts of all keys and values, without those of some words that are keys of the language."""
    keys = {word for word in words if is_key(word)}
    return (text for text in _texts(root) if text not in keys)


def _is_slip(word: str, name: str) -> bool:
    return edit_distance(word, name) <= max(1, len(word) // 3)


def _has_keys_alike(root: MappingNode, word: str, cause: Declaration, uses: Iterable[Diagnostic]) -> bool:
    """Whether something is declared with keys where it is used with keys, and without where it is used without."""
    if cause.label not in KEYED:
        return True
    entry = find_entry(root, cause.address)
    has_keys = entry is not None and "per" in as_mapping(entry.value)
    lines = (one.span.source.line_text(one.span.line) for one in uses)
    return any(re.search(rf"\b{word}\s*\(", line) is not None for line in lines) == has_keys


def _choices_called_like_kinds(
    root: MappingNode, wrong: Iterable[Diagnostic]
) -> Iterator[tuple[Declaration, str, list[Diagnostic]]]:
    """Choices that their action does not read by their names, but where it names a kind or component that is called
    nearly so, and what is wrong because of that.
    """
    by_action = dict[str, list[Diagnostic]]()
    for one in wrong:
        by_action.setdefault(split_address(one.address)[1], []).append(one)
    whole = [one.name for one in iter_declarations(root) if one.label in KINDS] if by_action else []
    for name, found in by_action.items():
        action = as_mapping(as_mapping(root.get(ACTIONS)).get(name))
        words = Counter(word for text in _texts(action) for word in find_names(text))
        for choice in as_mapping(action.get("choose")):
            kind = closest_name(choice.key.text, [one for one in whole if one != choice.key.text and words[one]])
            about = [one for one in found if kind and _names(one, kind)]
            if about and words[choice.key.text] == 1:
                address = f"{ACTION}{name}.choose.{choice.key.text}"
                yield Declaration(choice.key.text, CHOICE, address, choice.key.span), kind, about


def _word_used(diagnostic: Diagnostic) -> str:
    """The name that nothing declares, or else the word that alone is marked."""
    text = diagnostic.span.text
    missing = next((name for sort in MISSING if (name := diagnostic.cause_name(sort))), "")
    return missing or (text if find_names(text) == [text] else "")


def _is_unknown(diagnostic: Diagnostic) -> bool:
    """Whether it says that a name means nothing, or another thing than it should."""
    return diagnostic.code is ALL_OR_ONE or any(map(diagnostic.comes_from, MISSING))


def _is_beside(diagnostic: Diagnostic, word: str, cause: Declaration) -> bool:
    """Whether an expression is wrong that has the name, which means something else in it, or nothing."""
    is_expression = diagnostic.code.number[0] in EXPRESSION_FAMILIES and _is_within(diagnostic.address, cause)
    return is_expression and _names(diagnostic, word)


def _names(diagnostic: Diagnostic, word: str) -> bool:
    """Whether a word is on the line that is wrong."""
    line = diagnostic.span.source.line_text(diagnostic.span.line)
    return re.search(rf"\b{word}\b", line) is not None


def _is_within(address: str, cause: Declaration) -> bool:
    """Whether a rule can use the name: that of a choice only within its action."""
    section, name, *_ = split_address(cause.address)
    return cause.label != CHOICE or address.startswith(f"{section}.{name}")


def _unused_declarations(root: MappingNode, words: Iterable[str]) -> Iterator[Declaration]:
    """The declarations with names like one of the words that stand nowhere else in the rules."""
    known = list(words)
    for declaration in iter_declarations(root):
        if declaration.label in UNMENTIONED or not any(_are_close(word, declaration.name) for word in known):
            continue
        count = sum(counts[declaration.name] for counts in _word_counts(root, declaration))
        if count - _uses_as_choice(root, declaration) == 1:
            yield declaration


@lru_cache(maxsize=limits.MAX_REMEMBERED_NODES)
def _are_close(word: str, name: str) -> bool:
    """Whether a word may mean a name, as is asked at each number of players."""
    return closest_name(word, [name]) != ""


def _uses_as_choice(root: MappingNode, declaration: Declaration) -> int:
    """How often a name stands in actions where a choice has it."""
    if declaration.label == CHOICE:
        return 0
    actions = (as_mapping(entry.value) for entry in as_mapping(root.get(ACTIONS)))
    binding = [action for action in actions if declaration.name in as_mapping(action.get("choose"))]
    return sum(_count_words(_texts(action, with_sentences=False))[declaration.name] for action in binding)


def _word_counts(root: MappingNode, declaration: Declaration) -> Iterator[Counter[str]]:
    """The words of each of the rules in which a name can be used: that of a choice only within its action."""
    section, name, *_ = split_address(declaration.address)
    if declaration.label == CHOICE:
        yield _count_words(_texts(as_mapping(root.get(section)).require(name), with_sentences=False))
        return
    for entry in root:
        if isinstance(entry.value, MappingNode):
            yield Counter([entry.key.text])
            yield from (_words_of_rule(Same(rule), Same(entry.key)) for rule in entry.value)
        else:
            yield _count_words(_texts(MappingNode((entry,), entry.key.span), with_sentences=False))


@lru_cache(maxsize=limits.MAX_REMEMBERED_NODES)
def _words_of_rule(rule: Same[Entry], section: Same[ScalarNode]) -> Counter[str]:
    """Those of one rule: while one is written, all others are the same the next time."""
    alone = MappingNode((rule.value,), rule.value.key.span)
    above = MappingNode((Entry(section.value, alone),), section.value.span)
    _, *texts = _texts(above, with_sentences=False)  # without the section's own name
    return _count_words(texts)


def _count_words(texts: Iterable[str]) -> Counter[str]:
    return Counter(word for text in texts for word in find_names(text))


def _texts(node: Node, *, with_sentences: bool = True) -> Iterator[str]:
    """The texts of all keys and values; or without what only people read: of sentences only what is in their holes, and
    no names of steps, conditions and terms.
    """
    waiting, naming = [(node, False)], set[int]()
    while waiting:
        part, is_sentence = waiting.pop()
        match part:
            case ScalarNode():
                yield from HOLE.findall(part.text) if is_sentence and not with_sentences else (part.text,)
            case MappingNode():
                for entry in part.entries:
                    if with_sentences or id(part) not in naming:
                        yield entry.key.text
                    waiting.append((entry.value, is_sentence or entry.key.text in SENTENCES))
                    if entry.key.text in NAMED_LISTS:
                        naming.add(id(entry.value))
                    elif entry.key.text == PROCEDURES:
                        naming.update(id(procedure.value) for procedure in as_mapping(entry.value))
            case _:
                waiting += [(item, is_sentence) for item in part.items]


def _report(cause: Declaration, word: str, uses: Iterable[Diagnostic]) -> Diagnostic:
    spans = {one.span: None for one in uses}
    related = [Related(span, "one of its uses") for span in list(spans)[:MAX_SHOWN_USES]]
    return Diagnostic(
        MISSPELLED_DECLARATION,
        cause.span,
        f"nothing uses `{cause.name}`, and `{word}` is not declared",
        label=f"`{word}` everywhere else",
        help=f"did you mean `{word}`?",
        address=cause.address,
        related=tuple(related),
        fix=Fix(cause.span, word, is_certain=False),
    )


def _report_choice(cause: Declaration, kind: str, uses: Iterable[Diagnostic]) -> Diagnostic:
    message = f"nothing uses the choice `{cause.name}`, and `{kind}` means all of them"
    return replace(_report(cause, kind, uses), message=message, label=f"`{kind}` in what is wrong")


__all__ = ["merge_misspelled_declarations"]

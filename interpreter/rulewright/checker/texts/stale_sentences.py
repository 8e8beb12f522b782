"""Which sentences of a game does a variant leave as they are, although it changes what they speak of?

In: a variant and the game it is for. Out: diagnostics. Sentences that speak of a rule are the passages of the book that
stand at it or are `about` it, what an action, a zone, a step or a value says of itself, and the reason of the clause or
choice whose condition or domain is changed. Passages that a change only happens near are not asked about, but may be
listed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from rulewright.checker.texts.numbers_in_sentences import PARAMETERS, says_a_number_of, sentence_texts
from rulewright.checker.texts.touched_passages import can_touch
from rulewright.diagnostics import Cause, Diagnostics, Related, Span
from rulewright.document.address import AddressParts, find_entry, split_address
from rulewright.document.document import Document
from rulewright.document.sentence_places import TEXT_KEY
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern
from rulewright.source.nodes import Entry, MappingNode, ScalarNode, as_items, as_mapping
from rulewright.suggestions import did_you_mean, join_list
from rulewright.variants.change import Change
from rulewright.variants.codes import NOT_STALE, STALE_SENTENCE
from rulewright.variants.variant import Variant

REASON_KEY = "why"
BOOK = "book"
ACTIONS, ZONES = "actions", "zones"
ASKED: Final = ("when", "while", "for_each")  # keys of a step that say for whom and when it is done
SAYS_FOR_WHOM: Final = {  # words of sentences that say so, too; others say what is done
    "en": lazy_pattern(
        r"(?i)\b(?:who|whoever|whose|if|when|whenever|once|as soon as|with|unless|until|till|after|before|at|each|every"
        r"|all|any|nobody|no|none|only|last|first|while|as long as|for|otherwise|else)\b|[\d{]"
    ),
    "fr": lazy_pattern(
        r"(?i)\b(?:qui|quiconque|dont|si|s'il|s'ils|quand|lorsque?|dès|tant que|jusqu\w*|après|avant|chacun|chaque|tous"
        r"|toutes?|tout|aucune?|personne|seule?|dernière?|premi\w+|avec|à la fin|pour|sinon)\b|[\d{]"
    ),
}
STEPS: Final = ("setup", "turn", "round", "finale", "procedures")
VALUES: Final = "values"
VALUE: Final = (
    VALUES,
    "is",
)  # the section of a value, and the key of one that is no sum: terms have sentences of their own
SUMS: Final = ("sum", "less")
DEEDS: Final = (("choose",), ("do",))  # what an action's own sentence is about; a condition has its own


@frozen
class StaleSentence:
    """A sentence that may no longer be true: its address and place, and the change because of which."""

    address: str
    span: Span
    change: Change
    rule: str  # the address of which it speaks
    is_touched: bool = True  # else the change only happens near it, and nobody is asked


def check_stale_sentences(variant: Variant, document: Document | None, diagnostics: Diagnostics) -> None:
    """Reports them, but for those that the variant writes anew or lists under `still_true`."""
    if document is None:
        return
    stale = {sentence.address: sentence for sentence in find_stale_sentences(variant, document.root)}
    listed = [item for item in as_items(variant.root.get("still_true")) if isinstance(item, ScalarNode)]
    parameters = {change.parts[1] for change in variant.changes if change.parts[0] == PARAMETERS and change.parts[1:]}
    unneeded = list[ScalarNode]()
    for item in listed:
        address = split_address(item.text)
        is_near = any(_overlaps(change.parts, address) for change in variant.changes)
        is_there = find_entry(document.root, item.text) is not None
        is_asked = stale.pop(item.text, None) is not None or says_a_number_of(document.root, item.text, parameters)
        if is_asked or (is_near and is_there):
            continue
        hint = did_you_mean(item.text, list(stale)) or _nearest_passage(item.text, document.root)
        if not hint and (is_there or variant.requires):  # it may be a sentence of a variant below
            unneeded.append(item)
            continue
        message, label = f"`{variant.name}` changes nothing of which `{item.text}` speaks", "not needed"
        if not is_there:
            message, label = f"there is no sentence `{item.text}`", "not found"
        diagnostics.add(item.span, NOT_STALE, message, label=label, help=hint)
    if unneeded:
        names, verb = join_list([f"`{item.text}`" for item in unneeded], "and"), "speak" if unneeded[1:] else "speaks"
        diagnostics.add(
            unneeded[0].span,
            NOT_STALE,
            f"`{variant.name}` changes nothing of which {names} {verb}",
            label="not needed",
            help="leave them out" if unneeded[1:] else "leave it out",
            related=[Related(item.span, "not needed either") for item in unneeded[1:]],
        )
    by_change: dict[int, list[StaleSentence]] = {}
    for sentence in (one for one in stale.values() if one.is_touched):
        by_change.setdefault(id(sentence.change), []).append(sentence)
    for sentences in by_change.values():
        change, one = sentences[0].change, len(sentences) == 1
        addresses = [sentence.address for sentence in sentences]
        names = " and ".join(f"`{address}`" for address in addresses)
        verb, question = ("speaks", "is it") if one else ("speak", "are they")
        diagnostics.add(
            change.value_span,
            STALE_SENTENCE,
            f"{names} {verb} of what this changes: {question} still true?",
            label="changed here",
            help=f"write {'it' if one else 'them'} anew, or list what stays: `still_true: [{', '.join(addresses)}]`",
            address=change.address,
            related=[Related(sentence.span, "the sentence") for sentence in sentences],
            cause=Cause("unsaid", " ".join(addresses)),
        )


def _nearest_passage(address: str, root: MappingNode) -> str:
    """The passage of the book that an address without one may mean."""
    passages = [f"{BOOK}.{entry.key.text}" for entry in (as_mapping(root.get(BOOK)) if BOOK in root else ())]
    return "" if address in passages else did_you_mean(address, passages)


def find_stale_sentences(variant: Variant, root: MappingNode) -> Iterator[StaleSentence]:
    """The sentences of a game that a variant leaves although it changes what they speak of."""
    changes = [change for change in variant.changes if _changes_a_rule(change)]
    sentences = variant.root.get("sentences")
    rewritten = {change.parts for change in variant.changes} | {
        split_address(entry.key.text) for entry in (sentences if isinstance(sentences, MappingNode) else ())
    }
    replaced = [change for change in changes if change.operation in ("set", "remove")]
    removed = [change.parts for change in changes if change.operation == "remove"]
    replaced_parts = {change.parts for change in variant.changes if not change.is_of_words}
    changes_by_section, replaced_by_section = _by_section(changes), _by_section(replaced)
    for entry in as_mapping(root.get(BOOK)) if BOOK in root else ():
        name, passage = entry.key.text, as_mapping(entry.value)
        topic = passage.get("at")
        place = split_address(topic.text) if isinstance(topic, ScalarNode) else ()
        if any(parts[:2] == (BOOK, name) for parts in rewritten) or any(place[: len(gone)] == gone for gone in removed):
            continue  # it is another, or goes with its rule
        stands_at = (topic,) if len(place) > 1 and topic is not None else ()
        found = None
        for item in (*as_items(passage.get("about")), *stands_at):
            about = item.text if isinstance(item, ScalarNode) else ""
            parts = split_address(about)
            # what is added beside what it stands at needs no new explanation
            asked = (changes_by_section if item is not topic else replaced_by_section).get(parts[0], ())
            for change in (one for one in asked if _overlaps(one.parts, parts)):
                is_touched = _is_known(change, root) and can_touch(passage, change, parts)
                if found is None or (is_touched and not found.is_touched):
                    found = StaleSentence(f"{BOOK}.{name}", item.span, change, about, is_touched)
        if found is not None:
            yield found
    changed = [change for change in changes if change.operation in ("set", "adjust", "remove")]
    yield from _stale_declarations(changed, rewritten, root)
    yield from _stale_lists(changes, rewritten, root)
    for change in changes:
        node_parts = _explained_node(root, change)
        reason = None if node_parts is None else find_entry(root, ".".join((*node_parts, REASON_KEY)))
        if node_parts is None or reason is None:
            continue
        new_reason = isinstance(change.payload, MappingNode) and REASON_KEY in change.payload
        if (
            not new_reason
            and (*node_parts, REASON_KEY) not in rewritten
            and node_parts not in replaced_parts - {change.parts}
        ):
            rule = ".".join(node_parts)
            yield StaleSentence(f"{rule}.{REASON_KEY}", reason.value.span, change, rule)


def _by_section(changes: Iterable[Change]) -> dict[str, list[Change]]:
    """Changes by the section that they are in: there may be many, and many passages."""
    found: dict[str, list[Change]] = {}
    for change in changes:
        found.setdefault(change.parts[0], []).append(change)
    return found


def _is_known(change: Change, root: MappingNode) -> bool:
    """Whether a game's own sentence can speak of what is changed: not of what another variant has brought."""
    return change.operation in ("add", "insert") or find_entry(root, change.address) is not None


def _stale_declarations(
    changed: Iterable[Change], rewritten: Collection[AddressParts], root: MappingNode
) -> Iterator[StaleSentence]:
    """What actions, zones, steps and values say of themselves as a whole, where something inside them is another."""
    asked = set[AddressParts]()
    for change in changed:
        rule = _step_around(change.parts, root) if change.parts[0] in STEPS else change.parts[:2]
        if not _is_inside_declaration(change.parts) or rule in asked:
            continue
        asked.add(rule)
        text = find_entry(root, ".".join((*rule, TEXT_KEY)))
        if text is not None and change.parts[0] in STEPS and not _says_as_changed(text, change.parts[len(rule) :]):
            continue
        if text is not None and not {rule, (*rule, TEXT_KEY)} & set(rewritten):
            yield StaleSentence(".".join(rule), text.value.span, change, ".".join(rule))


def _stale_lists(
    changes: Iterable[Change], rewritten: Collection[AddressParts], root: MappingNode
) -> Iterator[StaleSentence]:
    """The sentences of values that name each term of their sums, where one comes or goes."""
    for change in changes:
        value, key = change.parts[:2], change.parts[2:3]
        if value[0] != VALUES or len(change.parts) != 4 or change.operation not in ("add", "insert", "remove"):
            continue
        text = find_entry(root, ".".join((*value, TEXT_KEY)))
        terms = find_entry(root, ".".join((*value, *key))) if key[0] in SUMS else None
        if text is None or terms is None or {value, (*value, TEXT_KEY)} & set(rewritten):
            continue
        names = [entry.key.text for entry in as_mapping(terms.value)]
        asked = [change.parts[3]] if change.operation == "remove" else names if len(names) > 1 else []
        if asked and any(_names_all(sentence.text, asked) for _, sentence in sentence_texts(text.value)):
            rule = ".".join(value)
            yield StaleSentence(rule, text.value.span, change, rule)


def _names_all(sentence: str, names: Iterable[str]) -> bool:
    words = " ".join(re.findall(r"\w+", sentence.lower()))
    return all(re.search(rf"\b{re.escape(name.replace('_', ' '))}\b", words) for name in names)


def _is_inside_declaration(parts: AddressParts) -> bool:
    """Whether an address is inside what its own sentence speaks of."""
    if parts[0] == ACTIONS:
        return parts[2:3] in DEEDS
    return (parts[0] in (ZONES, *STEPS) and len(parts) > 2) or (parts[0], *parts[2:]) == VALUE


def _says_as_changed(text: Entry, inside: AddressParts) -> bool:
    """Whether the sentence of a step may speak of what is changed inside it."""
    return inside[0] not in ASKED or any(
        language not in SAYS_FOR_WHOM or SAYS_FOR_WHOM[language].search(node.text) is not None
        for language, node in sentence_texts(text.value)
    )


def _step_around(parts: AddressParts, root: MappingNode) -> AddressParts:
    """The nearest step around an address that says something of itself."""
    for length in range(len(parts) - 1, 2, -1):
        if find_entry(root, ".".join((*parts[:length], TEXT_KEY))) is not None:
            return parts[:length]
    return parts[:2]


def _changes_a_rule(change: Change) -> bool:
    """Whether it changes more than what people read."""
    return change.parts[0] != BOOK and not change.is_of_words


def _explained_node(root: MappingNode, change: Change) -> AddressParts | None:
    """The nearest rule at or above a change that gives a reason and that the change leaves in place."""
    if change.operation == "remove" and find_entry(root, ".".join((*change.parts, REASON_KEY))) is not None:
        return None  # it goes with its reason
    for length in range(len(change.parts), 1, -1):
        if find_entry(root, ".".join((*change.parts[:length], REASON_KEY))) is not None:
            return change.parts[:length]
    return None


def _overlaps(a: AddressParts, b: AddressParts) -> bool:
    """Whether an address is the other or inside it."""
    shorter = min(len(a), len(b))
    return a[:shorter] == b[:shorter]


__all__ = ["StaleSentence", "check_stale_sentences", "find_stale_sentences"]

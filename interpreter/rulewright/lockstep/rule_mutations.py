"""Changes rules at random, as a writer's slip would: another number, a condition less, two steps exchanged.

In: the rules as JSON data in the form of a game in one file, and a seed. Out: the same data with a few changes, and
what these are. Nothing here knows whether the result still makes rules. Everything follows from the seed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from rulewright.document.language import PROSE_KEYS, PROVENANCE_KEYS
from rulewright.engine import chance
from rulewright.frozen import frozen
from rulewright.lazy_pattern import lazy_pattern

MUTATION_STREAM: Final = 1 << 34  # of a seed; far from the streams of bots and games
MAX_MUTATIONS: Final = 3  # of one rule set
STEP_SECTIONS: Final = ("setup", "turn", "round", "finale", "procedures", "actions")
RULE_SECTIONS: Final = (
    *STEP_SECTIONS, "parameters", "values", "zones", "state", "ranking", "measures", "evaluation", "invariants",
)  # fmt: skip
NOT_RULES: Final = PROSE_KEYS | PROVENANCE_KEYS | {"text", "why", "title", "names", "note", "id"}
NUMBER: Final = lazy_pattern(r"(?<![\w.])\d+(?![\w.])")
SMALL_CAPACITY: Final = 4
NEW_MEMBER: Final = "one_more"
CHOICE_MODES: Final = ("must", "may", "together")
COMPARISONS: Final = (" >= ", " <= ", " > ", " < ", " is ", " is not ")
QUANTIFIERS: Final = ("every ", "some ", "no ")
EXCHANGED: Final[Mapping[str, tuple[str, ...]]] = {
    " and ": (" or ",),
    " or ": (" and ",),
    " + ": (" - ", " less "),
    " - ": (" + ",),
    " less ": (" + ",),
}
KEY_CHANGES: Final[Mapping[str, tuple[str, ...]]] = {
    "(me)": ("(next(me))", "(first_player)"),
    "(player)": ("(next(player))", "(me)"),
    "(opponent)": ("(me)",),
}
T = TypeVar("T")


class Numbers:
    """Random numbers from a seed, the same ones on every machine."""

    def __init__(self, seed: int) -> None:
        self._rng = chance.seed_rng(seed, MUTATION_STREAM)

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""
        self._rng, number = chance.rand_below(self._rng, n)
        return number

    def choose(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]


class EditSite(NamedTuple):
    """A value in the data: what holds it, under which key or index, and its address."""

    holder: Any  # a dict or a list of JSON data
    key: Any
    address: str

    @property
    def value(self) -> Any:
        """What is there."""
        return self.holder[self.key]

    def put(self, value: object) -> str:
        """Replaces the value and says so."""
        old, self.holder[self.key] = self.holder[self.key], value
        return f"{self.address}: {_quote(old)} → {_quote(value)}"


Edit: TypeAlias = Callable[[Numbers], str]  # carries a change out and says what it has changed
Mutation: TypeAlias = Callable[[dict[str, Any]], Iterator[Edit]]  # the changes of one sort that are possible


@frozen
class MutatedData:
    """Changed rules as JSON data. `changes`: a line for each; `kinds`: the names of the mutations."""

    root: dict[str, Any]
    changes: tuple[str, ...]
    kinds: tuple[str, ...]


def mutate_rules(root: object, seed: int) -> MutatedData:
    """The data with one change or a few, drawn by the seed: first the mutation, then where."""
    numbers = Numbers(seed)
    changed: dict[str, Any] = json.loads(json.dumps(root))
    changes, kinds = [], []
    for _ in range(1 + numbers.below(MAX_MUTATIONS)):
        possible = {name: edits for name, mutation in MUTATIONS.items() if (edits := [*mutation(changed)])}
        if not possible:
            break
        name = numbers.choose([*possible])
        kinds.append(name)
        changes.append(numbers.choose(possible[name])(numbers))
    return MutatedData(changed, tuple(changes), tuple(kinds))


# ---- where something can be changed -----------------------------------------------------------------------


def _places(root: dict[str, Any], sections: Sequence[str] = RULE_SECTIONS) -> Iterator[EditSite]:
    for section in sections:
        if section in root:
            yield from _places_in(EditSite(root, section, section))


def _places_in(place: EditSite) -> Iterator[EditSite]:
    """The place and all in it that is rules, not what they say."""
    yield place
    match place.value:
        case dict() as mapping:
            for key in mapping:
                if key not in NOT_RULES:
                    yield from _places_in(EditSite(mapping, key, f"{place.address}.{key}"))
        case list() as items:
            for index in range(len(items)):
                yield from _places_in(EditSite(items, index, f"{place.address}.{index}"))


def _texts(root: dict[str, Any]) -> Iterator[EditSite]:
    return (place for place in _places(root) if isinstance(place.value, str))


def _step_lists(root: dict[str, Any]) -> Iterator[EditSite]:
    for place in _places(root, STEP_SECTIONS):
        items = place.value
        if isinstance(items, list) and items and all(_is_step(item) for item in items):
            yield place


def _is_step(item: object) -> bool:
    return isinstance(item, dict) and len(item) == 1 and all(isinstance(step, dict) for step in item.values())


# ---- mutations: what can be done where, and how it is done -----------------------------------------------


def _change_numbers(root: dict[str, Any]) -> Iterator[Edit]:
    for place in _places(root):
        match place.value:
            case bool():
                pass
            case int():
                yield partial(_change_number, place)
            case str(text) if NUMBER.search(text):
                yield partial(_change_number_in_text, place)


def _change_values_of_rows(root: dict[str, Any]) -> Iterator[Edit]:
    for place in _places(root, ("components",)):
        if isinstance(place.value, int) and not isinstance(place.value, bool):
            yield partial(_change_number, place)


def _change_number(place: EditSite, numbers: Numbers) -> str:
    return place.put(_next_to(place.value, numbers))


def _change_number_in_text(place: EditSite, numbers: Numbers) -> str:
    text = place.value
    match = numbers.choose([*NUMBER.finditer(text)])
    return place.put(f"{text[: match.start()]}{_next_to(int(match.group()), numbers)}{text[match.end() :]}")


def _next_to(number: int, numbers: Numbers) -> int:
    return number + 1 if number <= 0 or numbers.below(2) else number - 1


def _negate_clauses(root: dict[str, Any]) -> Iterator[Edit]:
    for place in _texts(root):
        parts = place.address.split(".")
        if parts[-1] == "when" or (parts[-1] == "is" and "when" in parts[-3:]) or parts[-2] == "when":
            yield partial(_put, place, f"not ({place.value})")


def _put(place: EditSite, value: object, numbers: Numbers) -> str:
    return place.put(value)


def _drop_clauses(root: dict[str, Any]) -> Iterator[Edit]:
    for place in _places(root):
        if not isinstance(place.value, dict):
            continue
        clauses = place.value.get("when")
        if isinstance(clauses, dict) and "is" not in clauses and len(clauses) > 1:
            inner = EditSite(place.value, "when", f"{place.address}.when")
            yield from (partial(_drop, inner, name) for name in clauses)
        elif clauses is not None:
            yield partial(_drop, place, "when")


def _drop(place: EditSite, key: Any, numbers: Numbers) -> str:
    dropped = place.value.pop(key)
    return f"{place.address}: {_quote(dropped) if isinstance(key, int) else key} dropped"


def _exchange_names(root: dict[str, Any]) -> Iterator[Edit]:
    groups = _names_by_type(root)
    for place in _texts(root):
        for name, others in groups.items():
            pattern = rf"(?<![\w.]){name}(?![\w.])"
            if others and re.search(pattern, place.value):
                yield partial(_exchange_name, place, pattern, others)


def _exchange_name(place: EditSite, pattern: str, others: Sequence[str], numbers: Numbers) -> str:
    return place.put(re.sub(pattern, numbers.choose(others), place.value, count=1))


def _names_by_type(root: dict[str, Any]) -> dict[str, list[str]]:
    """For each zone, state and parameter the others that can be written in its place."""
    groups: dict[str, list[str]] = {}
    for section, keys in (("zones", ("holds", "per")), ("state", ("type", "per")), ("parameters", ("per",))):
        definitions = {name: value for name, value in root.get(section, {}).items() if isinstance(value, dict)}
        for name, definition in definitions.items():
            groups[name] = [
                other
                for other, definition_of_other in definitions.items()
                if other != name and all(definition_of_other.get(key) == definition.get(key) for key in keys)
            ]
    return groups


def _exchange_rows(root: dict[str, Any]) -> Iterator[Edit]:
    for place in _places(root, ("components",)):
        if place.address.count(".") == 2 and place.address.endswith((".rows", ".things")) and len(place.value) > 1:
            yield partial(_exchange, place)


def _exchange(place: EditSite, numbers: Numbers) -> str:
    """Exchanges an item or entry with another."""
    count = len(place.value)
    first = numbers.below(count)
    second = (first + 1 + numbers.below(count - 1)) % count
    items = [*(place.value.items() if isinstance(place.value, dict) else place.value)]
    items[first], items[second] = items[second], items[first]
    place.holder[place.key] = dict(items) if isinstance(place.value, dict) else items
    return f"{place.address}: {first} and {second} exchanged"


def _change_keys(root: dict[str, Any]) -> Iterator[Edit]:
    yield from _replace_words(root, KEY_CHANGES)
    for place in _places(root, ("zones", "state", "values")):
        if place.address.count(".") == 1 and isinstance(place.value, dict):
            yield partial(_drop, place, "per") if "per" in place.value else partial(_add, place, "per", "player")


def _add(place: EditSite, key: str, value: object, numbers: Numbers) -> str:
    place.value[key] = value
    return f"{place.address}.{key}: {_quote(value)} added"


def _change_members(root: dict[str, Any]) -> Iterator[Edit]:
    for place in _places(root, ("kinds",)):
        if not isinstance(place.value, list) or not place.value:
            continue
        yield partial(_add_member, place)
        if len(place.value) > 1:
            yield partial(_drop, place, len(place.value) - 1)
            yield partial(_exchange, place)
            yield partial(_move_last_to_front, place)


def _add_member(place: EditSite, numbers: Numbers) -> str:
    place.value.append(NEW_MEMBER)
    return f"{place.address}: {NEW_MEMBER} added"


def _move_last_to_front(place: EditSite, numbers: Numbers) -> str:
    last = place.value.pop()
    place.value.insert(0, last)
    return f"{place.address}: {_quote(last)} moved to the front"


def _change_capacities(root: dict[str, Any]) -> Iterator[Edit]:
    for place in _places(root, ("zones",)):
        if place.address.count(".") != 1 or not isinstance(place.value, dict):
            continue
        capacity = place.value.get("at_most")
        if capacity is None:
            yield partial(_add_capacity, place)
            continue
        yield partial(_drop, place, "at_most")
        changed = capacity + 1 if isinstance(capacity, int) else f"({capacity}) + 1"
        yield partial(_put, EditSite(place.value, "at_most", f"{place.address}.at_most"), changed)


def _add_capacity(place: EditSite, numbers: Numbers) -> str:
    return _add(place, "at_most", 1 + numbers.below(SMALL_CAPACITY), numbers)


def _replace_words(root: dict[str, Any], replacements: Mapping[str, Sequence[str]]) -> Iterator[Edit]:
    for place in _texts(root):
        for word, others in replacements.items():
            if word in place.value:
                yield partial(_replace_word, place, word, others)


def _replace_word(place: EditSite, word: str, others: Sequence[str], numbers: Numbers) -> str:
    return place.put(place.value.replace(word, numbers.choose(others), 1))


def _change_comparisons(root: dict[str, Any]) -> Iterator[Edit]:
    yield from _replace_words(root, _others(COMPARISONS))


def _change_quantifiers(root: dict[str, Any]) -> Iterator[Edit]:
    yield from _replace_words(root, _others(QUANTIFIERS))


def _change_operators(root: dict[str, Any]) -> Iterator[Edit]:
    yield from _replace_words(root, EXCHANGED)


def _others(words: Sequence[str]) -> dict[str, list[str]]:
    return {word: [other for other in words if other != word] for word in words}


def _drop_steps(root: dict[str, Any]) -> Iterator[Edit]:
    for place in _step_lists(root):
        yield from (partial(_drop, place, index) for index in range(len(place.value)))


def _exchange_steps(root: dict[str, Any]) -> Iterator[Edit]:
    for place in _step_lists(root):
        if len(place.value) > 1:
            yield partial(_exchange, place)


def _change_offers(root: dict[str, Any]) -> Iterator[Edit]:
    """Offers in another order, and one less."""
    for place in _places(root, STEP_SECTIONS):
        if place.key in CHOICE_MODES and isinstance(place.value, list) and len(place.value) > 1:
            yield partial(_exchange, place)
            yield from (partial(_drop, place, index) for index in range(len(place.value)))


def _change_obligation(root: dict[str, Any]) -> Iterator[Edit]:
    for place in _places(root, STEP_SECTIONS):
        if isinstance(place.value, dict) and ("must" in place.value) != ("may" in place.value):
            yield partial(_exchange_obligation, place)


def _exchange_obligation(place: EditSite, numbers: Numbers) -> str:
    words = {"must": "may", "may": "must"}
    old = next(key for key in place.value if key in words)
    entries = {words.get(key, key): value for key, value in place.value.items() if key != "if_unable"}
    place.holder[place.key] = entries
    return f"{place.address}: {old} → {words[old]}"


def _quote(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


MUTATIONS: Final[Mapping[str, Mutation]] = {
    "numbers": _change_numbers,
    "values of rows": _change_values_of_rows,
    "clauses negated": _negate_clauses,
    "clauses dropped": _drop_clauses,
    "names": _exchange_names,
    "order of rows": _exchange_rows,
    "keys": _change_keys,
    "members": _change_members,
    "capacities": _change_capacities,
    "comparisons": _change_comparisons,
    "quantifiers": _change_quantifiers,
    "operators": _change_operators,
    "steps dropped": _drop_steps,
    "steps exchanged": _exchange_steps,
    "offers": _change_offers,
    "must and may": _change_obligation,
}

__all__ = ["MUTATIONS", "MutatedData", "mutate_rules"]

"""How facts are said: ranges, accesses, ways to look at zones, numbers of answers.

In: facts. Out: words.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Final, assert_never

from rulewright.expr.types import SEAT, Bag, Flag, Member, Number, SetOf, Thing, Type
from rulewright.model.bag_indexes import bag_members
from rulewright.model.facts.accesses import Access, KeyChoice
from rulewright.model.facts.action_numbers import ByCounts, ByPlace, BySubset, ByValue, ByWild, Numbering
from rulewright.model.facts.expression_ranges import ExpressionRanges
from rulewright.model.facts.value_ranges import BagRange, Scalars, SetRange, ValueRange
from rulewright.model.facts.zone_uses import ZoneUse
from rulewright.model.locale import player_name
from rulewright.model.rules import Rules, ZoneDef

MAX_NAMED: Final = 12  # members or things that are named one by one


class FactWords:
    """Says facts about one rule model."""

    def __init__(self, rules: Rules, ranges: ExpressionRanges) -> None:
        self.rules = rules
        self.ranges = ranges

    def range_text(self, known: ValueRange, type_: Type) -> str:
        """What something can be, in words."""
        match known, type_:
            case (Scalars() as scalars, _):
                return self._scalars_text(scalars, type_)
            case (BagRange() as bag, Bag(kind=kind)):
                return self._bag_text(bag, kind)
            case (SetRange() as elements, SetOf(element=element)) if element is not None:
                inner = self._scalars_text(elements.elements, element)
                return f"{_count_text(elements.fewest, elements.most)} of: {inner}" if elements.most else "nothing"
        return "nothing"

    def _bag_text(self, bag: BagRange, kind: str) -> str:
        if not kind or not bag.high_total:
            return "nothing"
        names = [self.value_text(member, Member(kind)) for member in bag_members(self.rules, kind)]
        counts = [
            (_count_text(low, high), name) for low, high, name in zip(bag.lows, bag.highs, names, strict=True) if high
        ]
        grouped = [
            f"{count} {', '.join(name for _, name in group)}{' each' if len(group) > 1 else ''}"
            for count, group in ((count, list(found)) for count, found in groupby(counts, key=lambda item: item[0]))
        ]
        return f"{'; '.join(grouped)}; {_count_text(bag.low_total, bag.high_total)} in all"

    def _scalars_text(self, known: Scalars, type_: Type) -> str:
        if known.is_empty:
            return "nothing"
        full = self.ranges.full_range(type_)
        if isinstance(type_, Flag):
            return " or ".join(word for value, word in ((1, "true"), (0, "false")) if value in known)
        if isinstance(type_, Number) or self._is_numeric(type_):
            is_gapless = known.listed is None or len(known.listed) == known.high - known.low + 1
            if is_gapless:
                return _count_text(known.low, known.high)
            return ", ".join(map(str, sorted(known.listed or ())))
        values = sorted(known.listed or range(known.low, known.high + 1))
        noun = type_.component if isinstance(type_, Thing) else type_.kind if isinstance(type_, Member) else "value"
        if len(values) > 1 and known == full:
            return f"any {noun}"
        names = [self.value_text(value, type_) for value in values]
        if len(names) > MAX_NAMED:
            return f"{len(names)} {noun}s: {', '.join(names[: MAX_NAMED // 2])}, …"
        return ", ".join(names)

    def _is_numeric(self, type_: Type) -> bool:
        return isinstance(type_, Member) and self.rules.kinds[type_.kind].is_numeric

    def value_text(self, value: int, type_: Type) -> str:
        """A member, thing or number by its name."""
        match type_:
            case Member(kind=SEAT.kind):
                return f"player {value + 1}"
            case Member(kind=kind):
                info = self.rules.kinds[kind]
                is_own = value in info.member_values
                names, index = self.rules.family_members[info.family], value
                if is_own:
                    names, index = info.members, info.member_values.index(value)
                member = names[index]
                return player_name(int(member)) if info.is_player(member) else member
            case Thing(component=component):
                return self.rules.components[component].ids[value]
        return str(value)

    def accesses_text(self, accesses: Iterable[Access]) -> str:
        """Accesses in words; one that another contains is left out."""
        every = set(accesses)
        widest = [access for access in every if not any(other.contains(access) for other in every - {access})]
        return ", ".join(sorted(set(map(self.access_text, widest)))) or "nothing"

    def access_text(self, access: Access) -> str:
        """An access in words."""
        match access.kind:
            case "zone" | "state" | "knowledge":
                definition = self.rules.states[access.name] if access.kind == "state" else self.rules.zones[access.name]
                keys = [
                    self._key_text(key, values, type_)
                    for key, values, type_ in zip(access.keys, definition.key_values, definition.key_types, strict=True)
                ]
                is_whole = all(text == "any" for text in keys)
                text = access.name if is_whole else f"{access.name}({', '.join(keys)})"
                return f"what is known of {text}" if access.kind == "knowledge" else text
            case "turns":
                return "whose turn follows"
            case "round":
                return "the number of the round"
            case "end":
                return "the end of the game"

    def _key_text(self, key: KeyChoice, values: tuple[int, ...], type_: Type) -> str:
        if key.is_me:
            return "me"
        if len(key.indexes) == len(values):
            return "any"
        return self._scalars_text(Scalars.of(values[index] for index in key.indexes), type_)

    def numbering_text(self, numbering: Numbering) -> str:
        """How many numbers the answers of a choice have, and how they are ranked."""
        match numbering:
            case ByPlace(reads=reads, slots=slots):
                zones = [
                    f"{read.name}{'(me)' if read.keys else ''}: {', '.join(map(str, counts))}"
                    for read, counts in zip(reads, slots, strict=True)
                ]
                how = f"by place ({'; '.join(zones)})"
            case ByValue():
                how = "by rank"
            case ByCounts(highs=highs, low_total=low, high_total=high):
                how = f"by rank among bags of at most {', '.join(map(str, highs))}, {_count_text(low, high)} in all"
            case BySubset(values=values, fewest=fewest, most=most):
                how = f"by rank among sets of {_count_text(fewest, most)} out of {len(values)}"
            case ByWild(vectors=vectors):
                ends = f"at most {', '.join(map(str, vectors.highs))}, {vectors.high_total} in all"
                how = f"by what the wild pieces stand for ({ends})"
            case _:
                assert_never(numbering)
        return f"{numbering.count}, {how}"

    def use_text(self, zone: ZoneDef, use: ZoneUse) -> str:
        """A way to look at a zone in words."""
        noun = zone.content_type.component if isinstance(zone.content_type, Thing) else "piece"
        match use.look:
            case "count":
                return f"how many {noun}s"
            case "total":
                return f"total of {use.field}"
            case "empty":
                return "whether it is empty"
            case "contains":
                return f"whether it contains a {noun}"
            case "member":
                return f"how many of one {noun}"
            case "each":
                return f"each {noun}"
            case "whole":
                return "the whole bag"


def _count_text(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


__all__ = ["FactWords"]

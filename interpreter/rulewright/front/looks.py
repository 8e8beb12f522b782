"""How members and things are drawn in letters: what the game's table says, or their names where it says nothing.

In: the rules and a language. Out: short texts for members, bags, things and values.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from rulewright.engine.notation import Notation
from rulewright.engine.reference import Engine
from rulewright.engine.speech import Speaker
from rulewright.expr.types import Bag, Flag, Member, SetOf, Type

HOLE: Final = re.compile(r"\{([a-z][a-z0-9_]*)\.([a-z][a-z0-9_]*)\}")


class Looks:
    """The looks of one game in one language."""

    def __init__(self, engine: Engine, code: str) -> None:
        self.rules = engine.rules
        self.code = code
        self.notation = Notation(engine.rules)
        self.speaker = Speaker(engine.rules, engine.evaluator, engine.layout.sight, code)
        self.letters = {
            address.rpartition(".")[2]: look["letter"]
            for address, look in self._table("members").items()
            if isinstance(look, dict) and "letter" in look and not address.rpartition(".")[2].isdecimal()
        }

    def _table(self, section: str) -> Mapping[str, Any]:
        found = self.rules.table.get(section, {})
        return found if isinstance(found, dict) else {}

    def said(self, sentence: Any, otherwise: str = "") -> str:
        """A sentence of the table in this language."""
        if isinstance(sentence, dict):
            sentence = sentence.get(self.code, sentence.get("en", otherwise))
        return str(sentence) if sentence else otherwise

    # ---- values -------------------------------------------------------------------------------------------

    def bag(self, counts: Mapping[str, int], kind: str) -> str:
        """A bag, short: `3R 1B` where all members have letters, else `3 red, 1 blue`."""
        if not counts:
            return "-"
        if all(name in self.letters for name in counts):
            return " ".join(f"{count}{self.letters[name]}" for name, count in counts.items())
        return ", ".join(f"{count} {self._name(kind, name, count)}" for name, count in counts.items())

    def _name(self, kind: str, name: str, count: int = 1) -> str:
        info = self.rules.kinds[kind]
        if info.numeric or name not in info.members:
            return name.replace("_", " ")
        return self.speaker.name(kind, info.numbers[info.members.index(name)], count)

    def pool(self, counts: Mapping[str, int], kind: str) -> list[str]:
        """A pool with its names, so that letters are learnt: `R red 4`, `B blue 2`; also where none is left."""
        members = self.rules.kinds[kind].members
        shown = [name for name in members if name in counts or name in self.letters]
        return [f"{self._lettered(name)}{self._name(kind, name)} {counts.get(name, 0)}" for name in shown] or ["-"]

    def _lettered(self, name: str) -> str:
        return f"{self.letters[name]} " if name in self.letters else ""

    def value(self, data: Any, type_: Type) -> str:
        """JSON data of a value, short."""
        match type_:
            case Bag(kind=kind) if isinstance(data, dict):
                return self.bag(data, kind)
            case Member(kind=kind) if isinstance(data, str):
                return self._name(kind, data)
            case SetOf() if isinstance(data, list):
                return ", ".join(map(str, data)) or "-"
            case Flag():
                return self.speaker.value(data, type_)
            case _:
                return str(data)

    # ---- things -------------------------------------------------------------------------------------------

    def thing(self, component: str, thing: str) -> tuple[str, list[str]]:
        """The heading and the lines of a thing, by its id."""
        look = self._table("things").get(component)
        definition = self.rules.components[component]
        if thing not in definition.ids:
            return "", []
        at = definition.ids.index(thing)
        if look is None:
            return "", [f"{name} {self._field(component, at, name)}" for name in definition.fields]

        def filled(sentence: Any) -> str:
            return HOLE.sub(lambda hole: self._hole(component, at, hole), self.said(sentence))

        return filled(look.get("title", "")), [filled(line) for line in look.get("lines", [])]

    def _hole(self, component: str, at: int, hole: re.Match[str]) -> str:
        if hole[1] != component or hole[2] not in self.rules.components[component].fields:
            return hole[0]
        return self._field(component, at, hole[2])

    def _field(self, component: str, at: int, name: str) -> str:
        definition = self.rules.components[component]
        type_ = definition.fields[name]
        return self.value(self.notation.data(definition.columns[name][at], type_), type_)


__all__ = ["Looks"]

"""What an action and chance did to what all can see: what was rolled, and which state variables changed.

In: positions before and after an action. Out: short texts such as `die: 4` and `place of seat 1: 6 → 10`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from rulewright import limits
from rulewright.engine.reference.reference_engine import Engine
from rulewright.engine.state import Chance, State
from rulewright.expr.types import Member, Type
from rulewright.model.rules import LEFT, StateDef
from rulewright.terminal.menu import is_open
from rulewright.terminal.theme import Looks


class Changes:
    """Tells what changed to one reader; what a variable means is said when the reader first hears of it."""

    def __init__(self, engine: Engine, looks: Looks) -> None:
        self.engine = engine
        self.looks = looks
        self._explained: set[str] = set()

    def lines(self, before: State, after: State, events: Sequence[tuple[Chance, int]]) -> list[str]:
        """What was rolled, in its order; then what else has another value than before. `events`: what chance said."""
        rolled = [(event.where, value) for event, value in events if event.kind == "roll"]
        found = [self._told(place, f": {{}}{self._meaning(place)}", value) for place, value in rolled]
        last = dict(rolled)
        for place, (old, new) in enumerate(zip(before.variables, after.variables, strict=True)):
            if new == old or (place in last and new == last[place]) or self._begins_anew(place, new):
                continue
            found.append(self._told(place, f": {{}} → {{}}{self._meaning(place)}", old, new))
        more = (
            [self.looks.words("more", number=len(found) - limits.MAX_LISTED_CHANGES)]
            if len(found) > limits.MAX_LISTED_CHANGES
            else []
        )
        return [*found[: limits.MAX_LISTED_CHANGES], *more]

    def _owner(self, place: int) -> StateDef:
        return next(one for one in self.engine.rules.states.values() if one.first <= place < one.first + one.size)

    def _begins_anew(self, place: int, value: object) -> bool:
        """Whether a variable only is again what it is at the start of every turn or round."""
        return self._owner(place).resets != "" and value == self.engine.layout.variables[place]

    def _told(self, place: int, form: str, *values: object) -> str:
        owner = self._owner(place)
        keys = list(product(*owner.key_values))[place - owner.first]
        names = ", ".join(self._key(key, type_) for key, type_ in zip(keys, owner.keys, strict=True))
        if owner.name == LEFT and self.engine.rules.leaves:
            return self.looks.words("leaves", whose=names)
        name = owner.name.replace("_", " ")
        name = self.looks.words("of", name=name, whose=names) if names else name
        texts = [self.looks.value(self.looks.notation.data(value, owner.type), owner.type) for value in values]
        return name + form.format(*texts)

    def _key(self, key: int, type_: Type) -> str:
        text = self.looks.notation.text(key, type_)
        return f"{self.looks.words('seat')} {text}" if type_ == Member("seat") else text

    def _meaning(self, place: int) -> str:
        """The variable's own sentence in brackets, the first time."""
        name = self._owner(place).name
        sentence = self.looks.speaker.sentence(f"state.{name}")
        if name in self._explained or sentence is None or is_open(sentence):
            return ""
        self._explained.add(name)
        said = "".join(_words(sentence.parts))
        return f" ({said.rstrip('.')})" if said else ""


def _words(parts: tuple[object, ...]) -> Iterator[str]:
    # a sentence with holes would need a position; without them it is all words
    if all(isinstance(part, str) for part in parts):
        yield from (str(part).replace("{", "{{").replace("}", "}}") for part in parts)


__all__ = ["Changes"]

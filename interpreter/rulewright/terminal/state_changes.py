"""What an action and chance did to what all can see: what was rolled, and which state variables changed.

In: positions before and after an action. Out: short texts such as `die: 4` and `place of seat 1: 6 → 10`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from rulewright import limits
from rulewright.engine.reference.reference_engine import ReferenceEngine
from rulewright.engine.state import ChanceEvent, State
from rulewright.expr.types import Member, Type
from rulewright.model.rules import ELIMINATION_STATE, StateDef
from rulewright.terminal.menu import has_open_slots
from rulewright.terminal.theme import Theme


class StateChanges:
    """Tells what changed to one reader; what a variable means is said when the reader first hears of it."""

    def __init__(self, engine: ReferenceEngine, looks: Theme) -> None:
        self.engine = engine
        self.theme = looks
        self._explained: set[str] = set()

    def lines(self, before: State, after: State, events: Sequence[tuple[ChanceEvent, int]]) -> list[str]:
        """What was rolled, in its order; then what else has another value than before. `events`: what chance said."""
        rolled = [(event.target, value) for event, value in events if event.kind == "roll"]
        found = [self._told(place, f": {{}}{self._meaning(place)}", value) for place, value in rolled]
        last = dict(rolled)
        for place, (old, new) in enumerate(zip(before.variables, after.variables, strict=True)):
            if new == old or (place in last and new == last[place]) or self._begins_anew(place, new):
                continue
            found.append(self._told(place, f": {{}} → {{}}{self._meaning(place)}", old, new))
        more = (
            [self.theme.messages("more", number=len(found) - limits.MAX_LISTED_CHANGES)]
            if len(found) > limits.MAX_LISTED_CHANGES
            else []
        )
        return [*found[: limits.MAX_LISTED_CHANGES], *more]

    def _owner(self, place: int) -> StateDef:
        return next(
            one for one in self.engine.rules.states.values() if one.first_index <= place < one.first_index + one.size
        )

    def _begins_anew(self, place: int, value: object) -> bool:
        """Whether a variable only is again what it is at the start of every turn or round."""
        return self._owner(place).reset_scope != "" and value == self.engine.layout.variables[place]

    def _told(self, place: int, form: str, *values: object) -> str:
        owner = self._owner(place)
        keys = list(product(*owner.key_values))[place - owner.first_index]
        names = ", ".join(self._key(key, type_) for key, type_ in zip(keys, owner.key_types, strict=True))
        if owner.name == ELIMINATION_STATE and self.engine.rules.has_elimination:
            return self.theme.messages("leaves", whose=names)
        name = owner.name.replace("_", " ")
        name = self.theme.messages("of", name=name, whose=names) if names else name
        texts = [
            self.theme.render_value(self.theme.notation.value_to_data(value, owner.type), owner.type)
            for value in values
        ]
        return name + form.format(*texts)

    def _key(self, key: int, type_: Type) -> str:
        if type_ == Member("seat"):
            return self.theme.messages.player(key)
        return self.theme.notation.format_value(key, type_)

    def _meaning(self, place: int) -> str:
        """The variable's own sentence in brackets, the first time."""
        name = self._owner(place).name
        sentence = self.theme.sentences.find_sentence(f"state.{name}")
        if name in self._explained or sentence is None or has_open_slots(sentence):
            return ""
        self._explained.add(name)
        said = "".join(_words(sentence.parts))
        return f" ({said.rstrip('.')})" if said else ""


def _words(parts: tuple[object, ...]) -> Iterator[str]:
    # a sentence with holes would need a position; without them it is all words
    if all(isinstance(part, str) for part in parts):
        yield from (str(part).replace("{", "{{").replace("}", "}}") for part in parts)


__all__ = ["StateChanges"]

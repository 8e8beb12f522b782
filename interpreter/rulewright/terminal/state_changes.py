"""What an action and chance did to what all can see: what was rolled, and which state variables changed.

In: positions before and after an action. Out: short texts such as `die: 4` and `place of seat 1: 6 → 10`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from rulewright import limits
from rulewright.engine.interface import Engine
from rulewright.engine.state import ChanceEvent, State
from rulewright.expr.types import Member, Type
from rulewright.model.rules import ELIMINATION_STATE, StateDef
from rulewright.terminal.action_labels import has_open_slots
from rulewright.terminal.theme import Theme


class StateChanges:
    """What changed, for one reader; a variable is explained the first time it is shown."""

    def __init__(self, engine: Engine, theme: Theme) -> None:
        self.engine = engine
        self.theme = theme
        self._explained: set[str] = set()

    def lines(self, before: State, after: State, events: Sequence[tuple[ChanceEvent, int]]) -> list[str]:
        """What was rolled, in order; then what else has a new value. `events`: the outcomes of chance."""
        rolled = [
            (event.target, value)
            for event, value in events
            if event.kind == "roll" and not self._is_left_out(event.target)
        ]
        changes = [self._format_change(place, f": {{}}{self._meaning(place)}", value) for place, value in rolled]
        last = dict(rolled)
        for place, (old, new) in enumerate(zip(before.variables, after.variables, strict=True)):
            if (
                new == old
                or (place in last and new == last[place])
                or self._is_reset(place, new)
                or self._is_left_out(place)
            ):
                continue
            changes.append(self._format_change(place, f": {{}} → {{}}{self._meaning(place)}", old, new))
        more = (
            [self.theme.messages("more", number=len(changes) - limits.MAX_LISTED_CHANGES)]
            if len(changes) > limits.MAX_LISTED_CHANGES
            else []
        )
        return [*changes[: limits.MAX_LISTED_CHANGES], *more]

    def _owner(self, place: int) -> StateDef:
        return next(
            state
            for state in self.engine.rules.states.values()
            if state.first_index <= place < state.first_index + state.size
        )

    def _is_left_out(self, place: int) -> bool:
        """Whether a variable is never shown: it belongs to a block of steps, or the display says so."""
        owner = self._owner(place)
        return not owner.is_shown or self.theme.state_shown(owner.name) == "never"

    def _is_reset(self, place: int, value: object) -> bool:
        """Whether a variable only has the value again that it has at the start of every turn or round."""
        return self._owner(place).reset_scope != "" and value == self.engine.layout.variables[place]

    def _format_change(self, place: int, form: str, *values: object) -> str:
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
        name = self.theme.notation.format_value(key, type_)
        is_player = isinstance(type_, Member) and self.engine.rules.kinds[type_.kind].is_player(name)
        return self.theme.messages.player(int(name)) if is_player else name

    def _meaning(self, place: int) -> str:
        """The variable's own sentence in brackets, the first time."""
        name, address = self._owner(place).name, self._owner(place).address
        sentence = self.theme.sentences.find_sentence(address)
        if name in self._explained or sentence is None or has_open_slots(sentence):
            return ""
        self._explained.add(name)
        text = "".join(_words(sentence.parts))
        return f" ({text.rstrip('.')})" if text else ""


def _words(parts: tuple[object, ...]) -> Iterator[str]:
    # a sentence with holes would need a position; without them it is all words
    if all(isinstance(part, str) for part in parts):
        yield from (str(part).replace("{", "{{").replace("}", "}}") for part in parts)


__all__ = ["StateChanges"]

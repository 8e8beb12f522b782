"""What stands on the screen can be typed: letters of members, and what the game's table calls its actions.

In: a typed line and the looks of the game. Out: the line in the names of the rules.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from rulewright.front.looks import Looks
from rulewright.front.screen import plain

LETTERED: Final = re.compile(r"(?<![\w=])(\d*)([^\s\d,=+()]{1,2})(?![\w=])")  # 3B, B, *


def spellings(typed: str, looks: Looks) -> tuple[str, ...]:
    """What was typed, in the names of the rules: letters that stand for members are put into words, and what the table
    calls an action becomes its id. So `take 2W` is `take 2 white`. Several, where the first words begin to call several
    actions: what else was typed tells which is meant.
    """
    letters = {sign.letter: name for name, sign in looks.signs.items()}
    small = {letter.lower(): name for letter, name in letters.items()}

    def word(found: re.Match[str]) -> str:
        # the first word is that of an action, which a small letter can begin
        name = letters.get(found[2]) or (small.get(found[2]) if found.start() else None)
        return found[0] if name is None else f"{found[1]} {name}".removeprefix("1 ").strip()

    return tuple(LETTERED.sub(word, line) for line in _renamed(typed, looks))


def _renamed(typed: str, looks: Looks) -> tuple[str, ...]:
    """The ids of the actions that the first words begin to call, each in place of them."""
    words, actions = typed.split(), looks.rules.actions
    for used in range(len(words), 0, -1):
        begun = [plain(one).lower() for one in words[:used]]
        if any(_begins(one.name.split("_"), begun) for one in actions):
            break
        meant = [
            action.name
            for action in actions
            if (called := looks.action(action.name)) and _begins(plain(called).lower().split(), begun)
        ]
        if meant:
            return tuple(" ".join([name, *words[used:]]) for name in meant)
    return (typed,)


def _begins(words: Sequence[str], begun: Sequence[str]) -> bool:
    """Whether these are words, one after another, each perhaps only begun; some may be passed over."""
    left = iter(words)
    return all(any(word.startswith(one) for word in left) for one in begun)


__all__ = ["spellings"]

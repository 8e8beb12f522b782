"""What stands on the screen can be typed: letters of members, and what the game's table calls its actions.

In: a typed line and the looks of the game. Out: the line in the names of the rules.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from rulewright.model.locale import player_number
from rulewright.terminal.screen import to_ascii
from rulewright.terminal.theme import Theme

LETTER_PATTERN: Final = re.compile(r"(?<![\w=])(\d*)([^\s\d,=+()]{1,2})(?![\w=])")  # 3B, B, *


def resolve_aliases(typed: str, looks: Theme, seat: int) -> tuple[str, ...]:
    """What was typed, in the names of the rules: letters that stand for members are put into words, what the table
    calls an action becomes its id, and `you` the player's number. So `take 2W` is `take 2 white`. Several,
    where the first words begin to call several actions: what else was typed tells which is meant. `seat`: who types.
    """
    return _spelled(_numbered(typed, looks, seat), looks, small=True)


def resolve_exact_letters(typed: str, looks: Theme, seat: int) -> tuple[str, ...]:
    """`spellings` where a letter is typed just as it is drawn, which then means nothing else; else none."""
    numbered = _numbered(typed, looks, seat)
    plain_ones = _renamed(numbered, looks)
    return tuple(one for one in _spelled(numbered, looks, small=False) if one not in plain_ones)


def _numbered(typed: str, looks: Theme, seat: int) -> str:
    """Players as menus call them, by their numbers."""
    players = "|".join(re.escape(word) for word in {"player", looks.messages("seat")})
    you = "|".join(re.escape(word) for word in {"you", looks.messages("you")})
    offset = player_number(0) if "(" in typed else 0  # notation numbers seats from 0
    line = re.sub(
        rf"(?<=\W)(?:{players})\s+(\d{{1,9}})(?!\w)",
        lambda match: str(int(match[1]) - offset),
        typed,
        flags=re.IGNORECASE,
    )
    return re.sub(rf"(?<=\W)(?:{you})(?!\w)", str(player_number(seat) - offset), line, flags=re.IGNORECASE)


def _spelled(typed: str, looks: Theme, *, small: bool) -> tuple[str, ...]:
    letters = {sign.letter: name for name, sign in looks.glyphs.items()}
    lower = {letter.lower(): name for letter, name in letters.items()} if small else {}

    def word(found: re.Match[str]) -> str:
        # the first word is that of an action, which a small letter can begin
        name = letters.get(found[2]) or (lower.get(found[2]) if found.start() else None)
        return found[0] if name is None else f"{found[1]} {name}".removeprefix("1 ").strip()

    return tuple(LETTER_PATTERN.sub(word, line) for line in _renamed(typed, looks))


def _renamed(typed: str, looks: Theme) -> tuple[str, ...]:
    """The ids of the actions that the first words begin to call, each in place of them."""
    words, actions = typed.split(), looks.rules.actions
    for used in range(len(words), 0, -1):
        begun = [to_ascii(one).lower() for one in words[:used]]
        if any(_begins(one.name.split("_"), begun) for one in actions):
            break
        meant = [
            action.name
            for action in actions
            if (called := looks.action_title(action.name)) and _begins(to_ascii(called).lower().split(), begun)
        ]
        if meant:
            return tuple(" ".join([name, *words[used:]]) for name in meant)
    return (typed,)


def _begins(words: Sequence[str], begun: Sequence[str]) -> bool:
    """Whether these are words, one after another, each perhaps only begun; some may be passed over."""
    left = iter(words)
    return all(any(word.startswith(one) for word in left) for one in begun)


__all__ = ["resolve_aliases", "resolve_exact_letters"]

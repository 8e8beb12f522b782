"""What is shown on the screen can be typed: letters of members, titles of actions, players by their numbers.

In: a typed line and the theme of the game. Out: the line in the names of the rules.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from rulewright.model.locale import player_number
from rulewright.terminal.screen import to_ascii
from rulewright.terminal.theme import Theme

LETTER_PATTERN: Final = re.compile(r"(?<![\w])(\d*)([^\s\d,=+()]{1,2})(?![\w=])")  # 3B, B, *


def resolve_aliases(typed: str, theme: Theme, seat: int) -> tuple[str, ...]:
    """What was typed, in the names of the rules: letters that stand for members are put into words, what the table
    calls an action becomes its id, and `you` the player's number. So `take 2W` is `take 2 white`. Several,
    where the first words begin to call several actions: what else was typed tells which is meant. `seat`: who types.
    """
    return _replace_letters(_replace_players(typed, theme, seat), theme, small=True)


def resolve_exact_letters(typed: str, theme: Theme, seat: int) -> tuple[str, ...]:
    """As `resolve_aliases`, where a letter is typed just as it is drawn, which then means nothing else; else none."""
    numbered = _replace_players(typed, theme, seat)
    without_letters = _replace_titles(numbered, theme)
    return tuple(line for line in _replace_letters(numbered, theme, small=False) if line not in without_letters)


def resolve_whole_titles(typed: str, theme: Theme, seat: int) -> tuple[str, ...]:
    """As `resolve_aliases`, where what the table calls an action is replaced only if it is typed in full."""
    return _replace_letters(_replace_players(typed, theme, seat), theme, small=True, whole_titles=True)


def resolve_letters(typed: str, theme: Theme) -> tuple[tuple[str, ...], ...]:
    """What a program typed, in the names of the rules: first with letters just as they are drawn, then also with small
    ones, then as it is. Seats keep their numbers.
    """
    without_letters = _replace_titles(typed, theme)
    exact = tuple(line for line in _replace_letters(typed, theme, small=False) if line not in without_letters)
    return exact, (*_replace_letters(typed, theme, small=True), typed)


def _replace_players(typed: str, theme: Theme, seat: int) -> str:
    """Players as menus call them, by their numbers."""
    players = "|".join(re.escape(word) for word in {"player", theme.messages("player")})
    you = "|".join(re.escape(word) for word in {"you", theme.messages("you")})
    offset = player_number(0) if "(" in typed else 0  # notation numbers seats from 0
    line = re.sub(
        rf"(?<=\W)(?:{players})\s+(\d{{1,9}})(?!\w)",
        lambda match: str(int(match[1]) - offset),
        typed,
        flags=re.IGNORECASE,
    )
    return re.sub(rf"(?<=\W)(?:{you})(?!\w)", str(player_number(seat) - offset), line, flags=re.IGNORECASE)


def _replace_letters(typed: str, theme: Theme, *, small: bool, whole_titles: bool = False) -> tuple[str, ...]:
    letters = {glyph.letter: name for name, glyph in theme.glyphs.items()}
    lower = {letter.lower(): name for letter, name in letters.items()} if small else {}

    def replacement(match: re.Match[str]) -> str:
        # the first word is that of an action, which a small letter can begin
        name = letters.get(match[2]) or (lower.get(match[2]) if match.start() else None)
        return match[0] if name is None else f"{match[1]} {name}".removeprefix("1 ").strip()

    return tuple(LETTER_PATTERN.sub(replacement, line) for line in _replace_titles(typed, theme, whole=whole_titles))


def _replace_titles(typed: str, theme: Theme, *, whole: bool = False) -> tuple[str, ...]:
    """The ids of the actions that the first words call, or begin to call if not `whole`, each in place of them."""
    words, actions = typed.split(), theme.rules.actions
    for word_count in range(len(words), 0, -1):
        prefixes = [to_ascii(word).lower() for word in words[:word_count]]
        if any(_begins(action.name.split("_"), prefixes) for action in actions):
            break
        titles = {action.name: to_ascii(theme.action_title(action.name)).lower().split() for action in actions}
        names = [name for name, title in titles.items() if (title == prefixes if whole else _begins(title, prefixes))]
        if names:
            return tuple(" ".join([name, *words[word_count:]]) for name in names)
    return (typed,)


def _begins(words: Sequence[str], prefixes: Sequence[str]) -> bool:
    """Whether each prefix begins a word, in order; words in between may be skipped."""
    remaining = iter(words)
    return all(any(word.startswith(prefix) for word in remaining) for prefix in prefixes)


__all__ = ["resolve_aliases", "resolve_exact_letters", "resolve_letters", "resolve_whole_titles"]

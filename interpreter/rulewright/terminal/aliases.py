"""What is shown on the screen can be typed: letters of members, titles of actions, players by their numbers.

In: a typed line and the theme of the game. Out: the line in the names of the rules.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from rulewright.lazy_pattern import lazy_pattern
from rulewright.model.locale import player_number
from rulewright.terminal.screen import to_ascii
from rulewright.terminal.theme import Theme

LETTER_PATTERN: Final = lazy_pattern(r"(?<![\w])(\d*)([^\s\d,=+()]{1,2})(?![\w=])")  # 3B, B, *


def resolve_typed(typed: str, theme: Theme, seat: int) -> tuple[tuple[str, ...], ...]:
    """What a person typed, in the names of the rules: letters that stand for members are put into words, what the table
    calls an action becomes its id, and `you` the player's number. So `take 2W` is `take 2 white`.

    Groups, the likeliest first: with letters just as they are drawn, which then mean nothing else; then also with small
    ones, and as it is. Several in a group where the first words begin to call several actions: what else was typed
    tells which is meant. `seat`: who types.
    """
    exact, others = _spell(_replace_players(typed, theme, seat), theme, player_number(0))
    return exact, (*others, typed)


def resolve_whole_titles(typed: str, theme: Theme, seat: int) -> tuple[str, ...]:
    """As `resolve_typed`, where what the table calls an action is replaced only if it is typed in full."""
    line = _replace_players(typed, theme, seat)
    return _replace_letters(line, theme, player_number(0), small=True, whole_titles=True)


def resolve_letters(typed: str, theme: Theme) -> tuple[tuple[str, ...], ...]:
    """As `resolve_typed`, for what a program typed, which counts seats from 0."""
    exact, others = _spell(typed, theme, 0)
    return exact, (*others, typed)


def _spell(line: str, theme: Theme, first_player: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A line with letters just as they are drawn, where that says more than without; and also with small ones."""
    without_letters = _replace_titles(line, theme)
    exact = _replace_letters(line, theme, first_player, small=False)
    return (
        tuple(text for text in exact if text not in without_letters),
        _replace_letters(line, theme, first_player, small=True),
    )


def _replace_players(typed: str, theme: Theme, seat: int) -> str:
    """Players as menus call them, by their numbers, which people count from 1."""
    players = "|".join(re.escape(word) for word in {"player", theme.messages("player")})
    you = "|".join(re.escape(word) for word in {"you", theme.messages("you")})
    line = re.sub(rf"(?<=\W)(?:{players})\s+(\d{{1,9}})(?!\w)", r"\1", typed, flags=re.IGNORECASE)
    return re.sub(rf"(?<=\W)(?:{you})(?!\w)", str(player_number(seat)), line, flags=re.IGNORECASE)


def _replace_letters(
    typed: str, theme: Theme, first_player: int, *, small: bool, whole_titles: bool = False
) -> tuple[str, ...]:
    letters = {  # a name that is a number is that of a seat
        glyph.letter: str(int(name) + first_player) if name.isdecimal() else name
        for name, glyph in theme.glyphs.items()
    }
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


__all__ = ["resolve_letters", "resolve_typed", "resolve_whole_titles"]

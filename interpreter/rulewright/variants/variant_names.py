"""How people write which rules they want: a setting is a variant too, players are a number or a range.

In: a name, numbers. Out: what it means, how it is written.
"""

from __future__ import annotations

from typing import Final

SETTING_SIGN: Final = "="  # between the name of a parameter and its value


def is_setting(text: str) -> bool:
    """Whether the name of a variant is a setting, `goal=21`."""
    return SETTING_SIGN in text and not text.endswith(".yaml")


def format_player_count(players: tuple[int, int] | None) -> str:
    """`2 players`, `3 to 4 players`."""
    fewest, most = players or (0, 0)
    return f"{fewest} player{'' if fewest == 1 else 's'}" if fewest == most else f"{fewest} to {most} players"


__all__ = ["SETTING_SIGN", "format_player_count", "is_setting"]

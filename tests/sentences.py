"""What holds for every sentence of the program."""

from __future__ import annotations


def is_one_sentence(refused: Exception) -> None:
    assert str(refused)
    assert "\n" not in str(refused).replace("\\n", "")

"""Whether a name can be nothing but a slip of the hand for another: only such a one is corrected without asking.

In: two names. Out: whether one is certainly meant where the other is written. Names are compared word by word, since a
word in which most letters differ is another word, and with it another rule, however much of the rest agrees:
`wax_limit` is no slip for `jar_limit`. Two words may both be words of their own where a short one has another letter
(`lime`, `line`), where only an end differs (`played`, `player`), or where two letters do (`collected`, `corrected`).
"""

from __future__ import annotations

from typing import Final

from rulewright.lazy_pattern import lazy_pattern

WORD_BREAKS: Final = lazy_pattern(r"[_.\- ]+")
DIGIT: Final = lazy_pattern(r"[0-9]")
MIN_LENGTH: Final = 3  # in a shorter word a slip cannot be told from another word
MIN_LENGTH_OF_SWAP: Final = 4  # of two letters: `own`, `won`
MIN_LENGTH_OF_OTHER_LETTER: Final = 5
MIN_LENGTH_OF_TWO_SLIPS: Final = 6
PLURAL: Final = "s"


def is_certain_slip(name: str, meant: str) -> bool:
    """Whether a name can be nothing but a slip for another."""
    if name.lower() == meant.lower():
        return True
    words, others = WORD_BREAKS.split(name), WORD_BREAKS.split(meant)
    if len(words) != len(others):
        return "".join(words).lower() == "".join(others) and len(name) >= MIN_LENGTH
    pairs = [(word, other) for word, other in zip(words, others, strict=True) if word != other]
    return not pairs or (len(pairs) == 1 and _is_slip_for_word(*pairs[0]))


def _is_slip_for_word(word: str, other: str) -> bool:
    shorter, longer = sorted((word, other), key=len)
    if len(shorter) < MIN_LENGTH or DIGIT.findall(word) != DIGIT.findall(other):
        return False
    distance = edit_distance(word, other)
    if sorted(word) == sorted(other):
        return distance <= 2 and len(word) >= (MIN_LENGTH_OF_SWAP if distance == 1 else MIN_LENGTH_OF_TWO_SLIPS)
    if word[0] != other[0]:
        return False
    is_longer_at_the_end = longer.startswith(shorter)
    if distance == 1 and len(word) == len(other):
        return len(word) >= MIN_LENGTH_OF_OTHER_LETTER and word[-1] == other[-1]
    if distance == 1:
        return not is_longer_at_the_end or longer[-1] in (PLURAL, shorter[-1])
    is_long = distance == 2 and len(shorter) >= MIN_LENGTH_OF_TWO_SLIPS
    return is_long and len(word) != len(other) and not is_longer_at_the_end


def edit_distance(left: str, right: str) -> int:
    """How many letters must be changed, added, removed or swapped with their neighbour to make one of the other."""
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, letter in enumerate(left):
        before, row, previous = row, [i + 1], before
        for j, other in enumerate(right):
            distance = min(before[j] + (letter != other), before[j + 1] + 1, row[j] + 1)
            if i and j and letter == right[j - 1] and left[i - 1] == other:
                distance = min(distance, previous[j - 1] + 1)
            row.append(distance)
    return row[-1]


__all__ = ["edit_distance", "is_certain_slip"]

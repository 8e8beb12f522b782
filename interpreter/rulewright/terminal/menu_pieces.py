"""A bag or set chosen piece by piece: which pieces can still be added, and which one was typed.

In: actions that differ in a bag or set, and the pieces chosen so far. Out: pieces, and the actions that hold them.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.engine.state import Action
from rulewright.engine.values import as_tuple
from rulewright.expr.types import Bag, Member, SetOf
from rulewright.model.locale import player_number
from rulewright.session.typed_words import ValueNames, collected_type, normalize
from rulewright.terminal.theme import Theme

Pieces = tuple[int, ...]  # counts by member of a bag (or none at all), elements of a set


def remaining_pieces(value: Pieces, chosen: Pieces, type_: Bag | SetOf) -> list[int]:
    """What is in an answer beyond the chosen pieces."""
    if isinstance(type_, SetOf):
        return [element for element in value if element not in chosen]
    return [member for member, count in enumerate(value) if count > (chosen[member] if chosen else 0)]


def is_complete(value: Pieces, chosen: Pieces, type_: Bag | SetOf) -> bool:
    """Whether the chosen pieces are all of an answer."""
    if isinstance(type_, SetOf):
        return sorted(value) == sorted(chosen)
    return value == chosen if chosen else not any(value)


def add_piece(piece: int, chosen: Pieces, value: Pieces, type_: Bag | SetOf) -> Pieces:
    """The chosen pieces with one more; `value`: an answer of the same length."""
    if isinstance(type_, SetOf):
        return (*chosen, piece)
    counts = list(chosen or (0,) * len(value))
    counts[piece] += 1
    return tuple(counts)


def find_piece(
    theme: Theme, actions: Sequence[Action], typed: str, chosen: Pieces | None
) -> tuple[tuple[Action, ...], Pieces | None]:
    """Those of some actions that hold the typed piece beside the chosen ones, and the pieces with it.

    A piece is typed by its letter, as it is drawn or small; what is no letter begins a name.
    """
    word = typed.strip()
    for is_called in (_has_letter, _has_small_letter, _has_beginning):
        matches, pieces = dict[Action, None](), chosen
        for action in actions:
            for value, choice in zip(action.values, theme.rules.actions[action.number].choices, strict=False):
                if not isinstance(choice.type, Bag | SetOf):
                    continue
                for piece in remaining_pieces(as_tuple(value), chosen or (), choice.type):
                    if is_called(theme, piece, choice.type, word):
                        matches[action] = None
                        pieces = add_piece(piece, chosen or (), as_tuple(value), choice.type)
                        break
        if matches:
            is_same_action = len({action.number for action in matches}) == 1
            return tuple(matches), pieces if is_same_action else None
    return (), None


def _has_letter(theme: Theme, piece: int, type_: Bag | SetOf, word: str) -> bool:
    return word != "" and word == _letter(theme, piece, type_)


def _has_small_letter(theme: Theme, piece: int, type_: Bag | SetOf, word: str) -> bool:
    return word != "" and word == _letter(theme, piece, type_).lower()


def _has_beginning(theme: Theme, piece: int, type_: Bag | SetOf, word: str) -> bool:
    """Whether a text is the beginning of a name of a piece."""
    typed = normalize(word)
    piece_id = _piece_id(theme, piece, type_)
    if piece_id.isdecimal() and _is_player(theme, piece_id, type_):
        return typed in (str(player_number(int(piece_id))), normalize(theme.messages.player(int(piece_id))))
    names = ValueNames(theme.rules, theme.messages.locale, by_player=True).of_member(piece_id)
    return typed != "" and any(name.startswith(typed) for name in names)


def _is_player(theme: Theme, piece_id: str, type_: Bag | SetOf) -> bool:
    element = collected_type(type_)
    return isinstance(element, Member) and theme.rules.kinds[element.kind].is_player(piece_id)


def _letter(theme: Theme, piece: int, type_: Bag | SetOf) -> str:
    glyph = theme.glyphs.get(_piece_id(theme, piece, type_))
    return glyph.letter if glyph is not None else ""


def _piece_id(theme: Theme, piece: int, type_: Bag | SetOf) -> str:
    match type_:
        case Bag(kind=kind):
            return theme.notation.bag_member_ids(kind)[piece]
        case SetOf(element=element):
            assert element is not None  # `empty` has no pieces
            return theme.notation.format_value(piece, element)


__all__ = ["Pieces", "add_piece", "find_piece", "is_complete", "remaining_pieces"]

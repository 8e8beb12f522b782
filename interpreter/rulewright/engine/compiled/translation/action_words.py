"""An action as one number: which action it is, the piece that is added to an open answer, and its answers, bit by bit.

In: the actions of rules, and how many pieces there are of each member. Out: `ActionWords`: where in a word each answer
stands, and words from actions and back. A word has as many bits as the widest action needs.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import accumulate
from math import comb, prod
from typing import Final, TypeAlias, cast

from rulewright.engine.compiled.kernel.cell_layout import CellLayout
from rulewright.engine.compiled.kernel.machine_shape import MACHINE_BITS
from rulewright.engine.compiled.kernel.packed_counts import LANE_BITS
from rulewright.engine.compiled.translation.most_pieces import most_pieces
from rulewright.engine.state import STOP_TOKEN, Action
from rulewright.engine.values import RuntimeValue
from rulewright.expr.tree import Constant, Expr, Filter, ReadParameter, ReadValue
from rulewright.expr.types import Bag, Flag, Member, Number, SetOf, Thing, Type
from rulewright.frozen import frozen
from rulewright.model.actions import ActionDef, Choice, OneOf, Pay
from rulewright.model.bag_indexes import bag_members
from rulewright.model.rules import Rules

WIDEST_MASK: Final = 8  # members of a set that is written as one bit for each


@frozen
class NumberField:
    """A number, flag, member or thing, less the lowest that it can be."""

    shift: int
    width: int
    low: int


@frozen
class BagField:
    """A count for each lane: shifts and widths. `mosts`: no count is above; `is_packed`: a byte for each."""

    lanes: tuple[tuple[int, int], ...]
    mosts: tuple[int, ...]
    is_packed: bool


@frozen
class MaskField:
    """A bit for each of a few members, in their order."""

    shift: int
    members: tuple[int, ...]


@frozen
class ListField:
    """How many elements, then the elements, each less the lowest that it can be."""

    shift: int
    count_width: int
    width: int
    room: int
    low: int


Field: TypeAlias = NumberField | BagField | MaskField | ListField


class ActionWords:
    """The words of one rule model's actions.

    `number_width`: bits of an action's number plus 1; 0 is to decline. `bits`: of the widest word, `widest`: the index
    of the action that has it. `tokenwise`: addresses of choices that are answered piece by piece; `token_choices`: by
    action the indexes of these; `end_token`: what stands for the end of such an answer, less than any piece.
    """

    def __init__(self, rules: Rules, cells: CellLayout, tokenwise: Collection[str] = ()) -> None:
        self.rules = rules
        self._cells = cells
        self.number_width = len(rules.actions).bit_length()
        self.token_shift = self.number_width
        most = max([1, *(value for kind in rules.kinds.values() for value in kind.member_values)])
        rows = max([1, *(len(component.ids) for component in rules.components.values())])
        self.token_choices = tuple(
            tuple(index for index, choice in enumerate(action.choices) if choice.address in tokenwise)
            for action in rules.actions
        )
        lowest, highest = self._token_ends(max(most, rows))
        self.end_token = lowest - 1
        self.token_span = highest - self.end_token + 1  # the end, then the pieces, for each choice that is answered so
        ranks = max([1, *map(len, self.token_choices)])
        self.token_width = (ranks * self.token_span + 1).bit_length()  # 0: no piece, but a whole action
        self.first_shift = self.token_shift + self.token_width
        self._packs = True
        self.fields = self._all_fields()
        if self.bits >= MACHINE_BITS:
            self._packs = False  # bytes are wider than the counts need
            self.fields = self._all_fields()

    def _all_fields(self) -> tuple[tuple[Field, ...], ...]:
        self.bits, self.widest = self.first_shift, 0
        return tuple(self._fields(action) for action in self.rules.actions)

    def _fields(self, action: ActionDef) -> tuple[Field, ...]:
        shift, fields = self.first_shift, list[Field]()
        for choice in action.choices:
            field, shift = self._field(choice, shift, fields)
            fields.append(field)
        if shift > self.bits:
            self.bits, self.widest = shift, action.index
        return tuple(fields)

    def _field(self, choice: Choice, shift: int, before: Sequence[Field]) -> tuple[Field, int]:
        match choice.type:
            case Bag(kind=kind):
                assert not isinstance(choice.domain, OneOf)
                of = choice.domain.funds if isinstance(choice.domain, Pay) else choice.domain.of
                answers = {index: field.mosts for index, field in enumerate(before) if isinstance(field, BagField)}
                mosts = most_pieces(self._cells, kind, of, answers)
                widths = [most.bit_length() for most in mosts]
                is_packed = self._packs and self._cells.can_pack(mosts)
                if is_packed:
                    widths[:-1] = [LANE_BITS] * (len(mosts) - 1)  # nothing comes above the last
                shifts = accumulate(widths, initial=shift)
                lanes = tuple(zip(shifts, widths, strict=False))
                return BagField(lanes, tuple(mosts), is_packed), shift + sum(widths)
            case SetOf(element=element, max_size=max_size):
                members = None if isinstance(choice.domain, Pay) else self.known_members(choice.domain.of)
                if members is not None and len(members) <= WIDEST_MASK:
                    return MaskField(shift, members), shift + len(members)
                low, high = value_ends(self.rules, cast("Type", element))
                room = min(max_size, high - low + 1)
                field = ListField(shift, room.bit_length(), (high - low).bit_length(), room, low)
                return field, shift + field.count_width + room * field.width
            case _:
                low, high = value_ends(self.rules, choice.type)
                width = (high - low).bit_length()
                return NumberField(shift, width, low), shift + width

    def known_members(self, of: Expr) -> tuple[int, ...] | None:
        """The members out of which a choice takes some, in their order, if these are known before play."""
        if isinstance(of.type, Bag):
            return bag_members(self.rules, of.type.kind) if of.type.kind else ()
        match of:
            case Constant(value=value, type=SetOf()):
                return cast("tuple[int, ...]", value or ())
            case ReadParameter(name=name, keys=()):
                return cast("tuple[int, ...]", self.rules.parameters[name].value)
            case Filter(over=over):
                return self.known_members(over)
            case ReadValue(name=name):
                definition = self.rules.values[name]
                if len(definition.terms) == 1 and not definition.deductions:
                    return self.known_members(definition.terms[0][1])
        return None

    def answer_count(self, action: int, index: int) -> int:
        """As many answers as a choice can have at most, and perhaps more than it ever has."""
        match self.fields[action][index]:
            case NumberField(width=width):
                return 1 << width
            case BagField(mosts=mosts):
                return prod(most + 1 for most in mosts)
            case MaskField(members=members):
                return 1 << len(members)
            case ListField(width=width, room=room):
                return sum(comb(1 << width, size) for size in range(room + 1))

    # ---- words ----------------------------------------------------------------------------------------------

    def word_number(self, word: int) -> int:
        """Which action a word is; -1 for declining."""
        return (word & ((1 << self.number_width) - 1)) - 1

    def _token_ends(self, most: int) -> tuple[int, int]:
        """The lowest and the highest piece: 0 and `most`, unless choices made piece by piece are among numbers."""
        elements = [
            value_ends(self.rules, choice.type.element)
            for action in self.rules.actions
            for choice in (action.choices[index] for index in self.token_choices[action.index])
            if isinstance(choice.type, SetOf) and choice.type.element is not None
        ]
        return min([0, *(low for low, _ in elements)]), max([most, *(high for _, high in elements)])

    def token_code(self, rank: int, token: int) -> int:
        """The bits of a piece, or of `end_token`, for one of an action's choices that are answered piece by piece."""
        return rank * self.token_span + token - self.end_token + 1

    def action(self, word: int) -> Action:
        """The action of a word."""
        number = self.word_number(word)
        if number < 0:
            return Action(-1, ())
        code = word >> self.token_shift & ((1 << self.token_width) - 1)
        if not code:
            return Action(number, self.values(number, word))
        rank, offset = divmod(code - 1, self.token_span)
        token = offset + self.end_token if offset else STOP_TOKEN
        return Action(number, self.values(number, word, self.token_choices[number][rank]), token)

    def values(self, number: int, word: int, made: int | None = None) -> tuple[RuntimeValue, ...]:
        """The answers to an action's choices, or to the first so many of them."""
        return tuple(self._read(field, word) for field in self.fields[number][:made])

    @staticmethod
    def _read(field: Field, word: int) -> RuntimeValue:
        match field:
            case NumberField(shift=shift, width=width, low=low):
                return (word >> shift & ((1 << width) - 1)) + low
            case BagField(lanes=lanes):
                return tuple(word >> shift & ((1 << width) - 1) for shift, width in lanes)
            case MaskField(shift=shift, members=members):
                return tuple(member for index, member in enumerate(members) if word >> shift + index & 1)
            case ListField(shift=shift, count_width=count_width, width=width, low=low):
                first, mask = shift + count_width, (1 << width) - 1
                count = word >> shift & ((1 << count_width) - 1)
                return tuple((word >> first + index * width & mask) + low for index in range(count))

    def word(self, action: Action) -> int:
        """The word of an action."""
        if action.number < 0:
            return 0
        word = action.number + 1
        if action.token is not None:
            rank = self.token_choices[action.number].index(len(action.values))
            token = self.end_token if action.token == STOP_TOKEN else action.token
            word |= self.token_code(rank, token) << self.token_shift
        for field, value in zip(self.fields[action.number], action.values, strict=False):
            word |= self._write(field, value)
        return word

    @staticmethod
    def _write(field: Field, value: RuntimeValue) -> int:
        match field:
            case NumberField(shift=shift, low=low):
                return cast("int", value) - low << shift
            case BagField(lanes=lanes):
                counts = cast("tuple[int, ...]", value)
                return sum(count << shift for (shift, _), count in zip(lanes, counts, strict=True))
            case MaskField(shift=shift, members=members):
                return sum(1 << shift + members.index(member) for member in cast("tuple[int, ...]", value))
            case ListField(shift=shift, count_width=count_width, width=width, low=low):
                elements = cast("tuple[int, ...]", value)
                word = len(elements) << shift
                for index, element in enumerate(elements):
                    word |= element - low << shift + count_width + index * width
                return word


def most_of(field: Field) -> tuple[int, ...]:
    """How many pieces an answer has at most, of each member; none where it is no bag."""
    return field.mosts if isinstance(field, BagField) else ()


def value_ends(rules: Rules, type_: Type) -> tuple[int, int]:
    """The lowest and the highest number that a value of a type can be; of a thing one more, for none."""
    match type_:
        case Flag():
            return 0, 1
        case Number(low=low, high=high):
            return low, high
        case Member(kind=kind):
            values = rules.kinds[kind].member_values
            return min(values), max(values)
        case Thing(component=component):
            return 0, len(rules.components[component].ids)
        case _:
            raise AssertionError(type(type_).__name__)


__all__ = ["ActionWords", "BagField", "Field", "ListField", "MaskField", "NumberField", "most_of", "value_ends"]

"""What can be asked over the line protocol: each request's keys, and what they may hold.

In: a line. Out: a checked request, or `ProtocolError` with a code and a sentence. schemas/protocol.schema.json says the
same for programs; a test compares the two.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from math import inf
from types import MappingProxyType
from typing import Final, Literal, NoReturn, NotRequired, TypedDict, TypeGuard, cast

from rulewright import limits
from rulewright.errors import RulewrightError, json_error_reason, quote
from rulewright.frozen import frozen
from rulewright.json_values import DuplicateKeyError, distinct_keys, is_integer, is_text, is_text_list
from rulewright.suggestions import did_you_mean

Addressee = int | str  # a seat, "all" or "referee"
RequestedAction = str | dict[str, object]  # an action in notation, or {"action": name, "choose": {choice: value}}
Orders = list[str] | dict[str, "Orders"]  # by the keys of a zone, one inside the other: ids, top first


class NewRequest(TypedDict):
    """Begins a game."""

    do: Literal["new"]
    game: NotRequired[str]
    players: NotRequired[int]
    variants: NotRequired[list[str]]
    first_seat: NotRequired[int]
    seed: NotRequired[int]
    chance: NotRequired[Literal["outside"]]
    orders: NotRequired[dict[str, Orders]]
    tokenwise: NotRequired[list[str]]
    lang: NotRequired[str]


class LoadRequest(TypedDict):
    """Goes on from a saved position."""

    do: Literal["load"]
    position: dict[str, object]
    game: NotRequired[str]
    variants: NotRequired[list[str]]
    tokenwise: NotRequired[list[str]]
    lang: NotRequired[str]


class LegalRequest(TypedDict):
    """Asks for the legal actions of the seat that has to choose."""

    do: Literal["legal"]
    seat: NotRequired[int]
    form: NotRequired[Literal["text", "data"]]


class ApplyRequest(TypedDict):
    """Carries out an action."""

    do: Literal["apply"]
    seat: int
    action: RequestedAction


class ViewRequest(TypedDict):
    """Asks for all that a seat, or a spectator, knows of the position."""

    do: Literal["view"]
    seat: int | None


class WhyNotRequest(TypedDict):
    """Asks why an action is not legal."""

    do: Literal["why_not"]
    seat: int
    action: RequestedAction
    lang: NotRequired[str]


class ChanceRequest(TypedDict):
    """Says how chance falls, where it comes from outside."""

    do: Literal["chance"]
    outcomes: NotRequired[list[str]]


class PlainRequest(TypedDict):
    """A request that says nothing more."""

    do: Literal["save", "state", "result", "measures", "quit"]


Request = (
    NewRequest | LoadRequest | LegalRequest | ApplyRequest | ViewRequest | WhyNotRequest | ChanceRequest | PlainRequest
)


class ProtocolError(RulewrightError):
    """A line that is answered with an error. `code`: a word for programs; `to`: whom the answer is for; `details`: what
    else the error says, as JSON data.
    """

    def __init__(self, code: str, message: str, to: Addressee = "referee", **details: object) -> None:
        self.code = code
        self.message = message
        self.to = to
        self.details = details
        super().__init__(message)


@frozen
class RequestKey:
    """What a key may hold: `accepts` is true of it, and `expected` says so in words."""

    accepts: Callable[[object], bool]
    expected: str
    is_required: bool = False


def _is_orders(value: object) -> bool:
    return isinstance(value, dict) and all(is_text_list(inner) or _is_orders(inner) for inner in value.values())


def _is_seat(value: object) -> TypeGuard[int]:
    return is_integer(value) and 0 <= value < 99


VALUE_MARKS: Final = (b",", b"[", b"{")  # before each value that a list or object holds, and before its first
CHUNK_BYTES: Final = 1 << 16  # of a line whose values are counted
GAME_KEY: Final = RequestKey(is_text, "the name or path of a game")
VARIANTS_KEY: Final = RequestKey(is_text_list, "a list of names or paths of variants")
TOKENWISE_KEY: Final = RequestKey(is_text_list, "a list of addresses of choices")
LANG_KEY: Final = RequestKey(is_text, "the code of a language")
SEAT_KEY: Final = RequestKey(_is_seat, "a seat number from 0 to 98", is_required=True)
ACTION_KEY: Final = RequestKey(
    lambda value: isinstance(value, str | dict),
    'an action, as text or as {"action": name, "choose": {…}}',
    is_required=True,
)

REQUESTS: Final[Mapping[str, Mapping[str, RequestKey]]] = MappingProxyType(
    {
        "new": {
            "game": GAME_KEY,
            "players": RequestKey(lambda value: is_integer(value) and 1 <= value <= 99, "a whole number from 1 to 99"),
            "variants": VARIANTS_KEY,
            "first_seat": RequestKey(_is_seat, SEAT_KEY.expected),
            "seed": RequestKey(
                lambda value: is_integer(value) and 0 <= value <= limits.MAX_SEED, "a whole number from 0 to 2^64 - 1"
            ),
            "chance": RequestKey(lambda value: value == "outside", 'the word "outside"'),
            "orders": RequestKey(_is_orders, "an object: zone, then its keys, then a list of ids, top first"),
            "tokenwise": TOKENWISE_KEY,
            "lang": LANG_KEY,
        },
        "load": {
            "position": RequestKey(lambda value: isinstance(value, dict), "a saved position", is_required=True),
            "game": GAME_KEY,
            "variants": VARIANTS_KEY,
            "tokenwise": TOKENWISE_KEY,
            "lang": LANG_KEY,
        },
        "save": {},
        "state": {},
        "legal": {
            "seat": RequestKey(_is_seat, SEAT_KEY.expected),
            "form": RequestKey(lambda value: value in ("text", "data"), '"text" or "data"'),
        },
        "apply": {"seat": SEAT_KEY, "action": ACTION_KEY},
        "view": {
            "seat": RequestKey(
                lambda value: value is None or _is_seat(value),
                "a seat number from 0 to 98, or null for a spectator",
                is_required=True,
            )
        },
        "why_not": {"seat": SEAT_KEY, "action": ACTION_KEY, "lang": LANG_KEY},
        "chance": {"outcomes": RequestKey(is_text_list, "a list of outcomes by their ids")},
        "result": {},
        "measures": {},
        "quit": {},
    }
)


def parse_line(line: bytes) -> dict[str, object]:
    """The JSON object in a line; raises `ProtocolError`."""
    if _count_values(line) > limits.MAX_REQUEST_VALUES:
        raise ProtocolError("too-long", f"a line is over the limit of {limits.MAX_REQUEST_VALUES:,} values")
    try:
        data: object = json.loads(
            line.decode("utf-8"), object_pairs_hook=distinct_keys, parse_float=_number, parse_constant=_refuse_constant
        )
    except ProtocolError:
        raise
    except DuplicateKeyError as error:
        raise ProtocolError("malformed", f"duplicate key {quote(error.key[: limits.MAX_QUOTED_KEY])}") from None
    except (ValueError, RecursionError) as error:
        raise ProtocolError(
            "malformed", f"the line is not valid JSON: {json_error_reason(error, is_line=True)}"
        ) from None
    if not isinstance(data, dict):
        raise ProtocolError("malformed", 'expected a JSON object: {"do": …}')
    return data


def _count_values(line: bytes) -> int:
    """About how many values a line has, counted before it is read; exact only where that is near the limit."""
    count = sum(map(line.count, VALUE_MARKS))
    if count <= limits.MAX_REQUEST_VALUES or b'"' not in line:
        return count
    line = line.replace(b"\\\\", b"").replace(b'\\"', b"")  # now every quote begins or ends a text
    count, is_in_text = 0, False
    for start in range(0, len(line), CHUNK_BYTES):  # a list of all parts could need more memory than the values
        parts = line[start : start + CHUNK_BYTES].split(b'"')
        count += sum(map(b"".join(parts[is_in_text::2]).count, VALUE_MARKS))
        is_in_text ^= len(parts) % 2 == 0
    return count


def _number(text: str) -> int | float:
    """A number with a point or an exponent; `2.0` is the whole number 2, as JSON Schema has it."""
    value = float(text)
    if abs(value) == inf:
        raise ProtocolError("malformed", f"{text[:40]} is too large a number")
    if not value.is_integer() or abs(value) > limits.MAX_PROTOCOL_INTEGER:
        return value
    try:
        exact = Decimal(text)  # a float cannot tell large numbers apart
    except InvalidOperation:  # an exponent beyond all limits
        return value
    return int(exact) if exact == exact.to_integral_value() else value


def _refuse_constant(name: str) -> NoReturn:
    raise ProtocolError("malformed", f"the line is not valid JSON: {name} is not a number")


def parse_request(data: dict[str, object]) -> Request:
    """The request that a JSON object is; raises `ProtocolError` for a missing, unknown or wrong key."""
    do = data.get("do")
    if not isinstance(do, str):
        raise ProtocolError("malformed", f'a request must say what to do: {{"do": …}}, one of {", ".join(REQUESTS)}')
    if do not in REQUESTS:
        hint = did_you_mean(do, REQUESTS)
        meant = f" ({hint})" if hint else ""
        raise ProtocolError(
            "unknown-request", f"there is no request `{do[:40]}`{meant}; requests: {', '.join(REQUESTS)}"
        )
    keys, to = REQUESTS[do], addressee(data)
    for name in data:
        if name not in keys and name not in ("do", "id"):
            hint = did_you_mean(name, keys)
            suffix = f" ({hint})" if hint else f"; it has: {', '.join(('id', *keys))}"
            raise ProtocolError("unknown-key", f"the request `{do}` has no key `{name[:40]}`{suffix}", to)
    identifier = data.get("id", "")
    if not is_integer(identifier) and not (isinstance(identifier, str) and len(identifier) <= limits.MAX_ID_LENGTH):
        expected = f"a whole number or a text of up to {limits.MAX_ID_LENGTH} characters"
        raise ProtocolError("wrong-value", f"`id` must be {expected}, found {_shorten(identifier)}", to)
    for name, key in keys.items():
        if name not in data:
            if key.is_required:
                raise ProtocolError("missing-key", f"the request `{do}` needs `{name}`: {key.expected}", to)
        elif not key.accepts(data[name]):
            raise ProtocolError("wrong-value", f"`{name}` must be {key.expected}, found {_shorten(data[name])}", to)
    return cast(Request, data)  # the table has checked what the types say


def _shorten(value: object) -> str:
    """A value as JSON, cut where it is long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= limits.MAX_SHOWN_VALUE else f"{text[: limits.MAX_SHOWN_VALUE - 1]}…"


def addressee(data: Mapping[str, object]) -> Addressee:
    """Whom the answer to a request is for: the seat that it names, all, or the referee."""
    seat = data.get("seat")
    if data.get("do") in ("legal", "apply", "why_not", "view") and _is_seat(seat):
        return seat
    return "all" if data.get("do") in ("view", "state", "result") else "referee"


__all__ = [
    "REQUESTS",
    "Addressee",
    "ApplyRequest",
    "ChanceRequest",
    "LegalRequest",
    "LoadRequest",
    "NewRequest",
    "Orders",
    "PlainRequest",
    "ProtocolError",
    "Request",
    "RequestedAction",
    "ViewRequest",
    "WhyNotRequest",
    "addressee",
    "parse_line",
    "parse_request",
]

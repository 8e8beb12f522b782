"""What can be asked over the line protocol: each request's keys, and what may stand under them.

In: a line. Out: a checked request, or `Refused` with a code and a sentence. schemas/protocol.schema.json says the same
for programs; a test holds the two together.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from math import inf
from types import MappingProxyType
from typing import Any, Final

from rulewright import limits
from rulewright.errors import RulewrightError
from rulewright.suggestions import did_you_mean


class ProtocolError(RulewrightError):
    """A line that is answered with an error. `code` is a word for programs; `to` is whom the answer is for."""

    def __init__(self, code: str, message: str, to: int | str = "referee", **more: Any) -> None:
        self.code = code
        self.message = message
        self.to = to
        self.details = more
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class RequestKey:
    """What may stand under a key: `holds` is true of it, and `what` says so in words."""

    accepts: Callable[[Any], bool]
    expected: str
    is_required: bool = False


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_text, value))


def _orders(value: Any) -> bool:
    return isinstance(value, dict) and all(_texts(one) or _orders(one) for one in value.values())


GAME_KEY: Final = RequestKey(_text, "the name or path of a game")
VARIANTS_KEY: Final = RequestKey(_texts, "a list of names or paths of variants")
TOKENWISE_KEY: Final = RequestKey(_texts, "a list of addresses of choices")
LANG_KEY: Final = RequestKey(_text, "the code of a language")
SEAT_KEY: Final = RequestKey(lambda value: _whole(value) and 0 <= value < 99, "a seat: 0, 1, …", is_required=True)
ACTION_KEY: Final = RequestKey(
    lambda value: isinstance(value, str | dict),
    'an action as text or as {"action": name, "choose": {…}}',
    is_required=True,
)

REQUESTS: Final[Mapping[str, Mapping[str, RequestKey]]] = MappingProxyType(
    {
        "new": {
            "game": GAME_KEY,
            "players": RequestKey(lambda value: _whole(value) and 1 <= value <= 99, "a number of players"),
            "variants": VARIANTS_KEY,
            "first_seat": RequestKey(lambda value: _whole(value) and 0 <= value < 99, "a seat: 0, 1, …"),
            "seed": RequestKey(
                lambda value: _whole(value) and 0 <= value <= limits.MAX_SEED, "a whole number from 0 to 2^64 - 1"
            ),
            "chance": RequestKey(lambda value: value == "outside", 'the word "outside"'),
            "orders": RequestKey(_orders, "an object: zone, then its keys, then a list of ids, top first"),
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
            "seat": RequestKey(SEAT_KEY.accepts, SEAT_KEY.expected),
            "form": RequestKey(lambda value: value in ("text", "data"), '"text" or "data"'),
        },
        "apply": {"seat": SEAT_KEY, "action": ACTION_KEY},
        "view": {
            "seat": RequestKey(
                lambda value: value is None or SEAT_KEY.accepts(value), "a seat, or null for a spectator", True
            )
        },
        "why_not": {"seat": SEAT_KEY, "action": ACTION_KEY, "lang": LANG_KEY},
        "chance": {"outcomes": RequestKey(_texts, "a list of outcomes by their ids")},
        "result": {},
        "measures": {},
        "quit": {},
    }
)


def parse_request(line: bytes) -> dict[str, Any]:
    """The checked request in a line; raises `Refused`."""
    try:
        data = json.loads(
            line.decode("utf-8"), object_pairs_hook=_once, parse_float=_number, parse_constant=_no_constant
        )
    except ProtocolError:
        raise
    except UnicodeDecodeError:
        raise ProtocolError("malformed", "the line is no UTF-8") from None
    except RecursionError:
        raise ProtocolError("malformed", "the line is nested too deeply") from None
    except ValueError as error:
        raise ProtocolError("malformed", f"the line is no JSON: {error}") from None
    if not isinstance(data, dict):
        raise ProtocolError("malformed", "a request is a JSON object")
    return data


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ProtocolError("malformed", "a key stands twice in the line")
    return found


def _number(text: str) -> int | float:
    """A number with a point or an exponent; `2.0` is the whole number 2, as JSON Schema has it."""
    value = float(text)
    if abs(value) == inf:
        raise ProtocolError("malformed", f"{text[:40]} is too large a number")
    if not value.is_integer() or abs(value) > limits.MAX_PROTOCOL_INTEGER:
        return value
    exact = Decimal(text)  # a float cannot tell large numbers apart
    return int(exact) if exact == exact.to_integral_value() else value


def _no_constant(name: str) -> None:
    raise ProtocolError("malformed", f"{name} is no JSON")


def check_request(data: dict[str, Any]) -> None:
    """Raises `Refused` when a request lacks a key, has one too many, or a wrong value under one."""
    do = data.get("do")
    if not isinstance(do, str):
        raise ProtocolError("malformed", f'a request says what to do: {{"do": …}}, one of {", ".join(REQUESTS)}')
    if do not in REQUESTS:
        hint = did_you_mean(do, REQUESTS).replace("`", "")
        there = f"{hint}; there are: " if hint else "there are: "
        raise ProtocolError("unknown-request", f"there is no request {do[:40]!r}: {there}{', '.join(REQUESTS)}")
    keys, to = REQUESTS[do], addressee(data)
    for name in data:
        if name not in keys and name not in ("do", "id"):
            hint = did_you_mean(name, keys).replace("`", "")
            more = f" ({hint})" if hint else f"; it has: {', '.join(('id', *keys))}"
            raise ProtocolError("unknown-key", f"the request {do!r} has no key {name[:40]!r}{more}", to)
    if "id" in data and not (_whole(data["id"]) or (_text(data["id"]) and len(data["id"]) <= limits.MAX_ID_LENGTH)):
        raise ProtocolError(
            "wrong-value", f"id must be a whole number or a text of up to {limits.MAX_ID_LENGTH} characters", to
        )
    for name, key in keys.items():
        if name not in data:
            if key.is_required:
                raise ProtocolError("missing-key", f"the request {do!r} needs {name!r}: {key.expected}", to)
        elif not key.accepts(data[name]):
            raise ProtocolError("wrong-value", f"{name} must be {key.expected}", to)


def addressee(data: dict[str, Any]) -> int | str:
    """Whom the answer to a request is for: the seat that it names, or the referee."""
    seat = data.get("seat")
    if data.get("do") in ("legal", "apply", "why_not", "view") and isinstance(seat, int) and SEAT_KEY.accepts(seat):
        return seat
    return "all" if data.get("do") in ("view", "state", "result") else "referee"


__all__ = ["REQUESTS", "ProtocolError", "addressee", "check_request", "parse_request"]

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
from rulewright.diagnostics import nearest
from rulewright.errors import RulewrightError


class Refused(RulewrightError):
    """A line that is answered with an error. `code` is a word for programs; `to` is whom the answer is for."""

    def __init__(self, code: str, message: str, to: int | str = "referee", **more: Any) -> None:
        self.code = code
        self.message = message
        self.to = to
        self.more = more
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Key:
    """What may stand under a key: `holds` is true of it, and `what` says so in words."""

    holds: Callable[[Any], bool]
    what: str
    required: bool = False


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_text, value))


def _orders(value: Any) -> bool:
    return isinstance(value, dict) and all(_texts(one) or _orders(one) for one in value.values())


GAME: Final = Key(_text, "the name or path of a game")
VARIANTS: Final = Key(_texts, "a list of names or paths of variants")
TOKENWISE: Final = Key(_texts, "a list of addresses of choices")
LANG: Final = Key(_text, "the code of a language")
SEAT: Final = Key(lambda value: _whole(value) and 0 <= value < 99, "a seat: 0, 1, …", required=True)
ACTION: Final = Key(
    lambda value: isinstance(value, str | dict),
    'an action as text or as {"action": name, "choose": {…}}',
    required=True,
)

REQUESTS: Final[Mapping[str, Mapping[str, Key]]] = MappingProxyType(
    {
        "new": {
            "game": GAME,
            "players": Key(lambda value: _whole(value) and 1 <= value <= 99, "a number of players"),
            "variants": VARIANTS,
            "first_seat": Key(lambda value: _whole(value) and 0 <= value < 99, "a seat: 0, 1, …"),
            "seed": Key(
                lambda value: _whole(value) and 0 <= value <= limits.MAX_SEED, "a whole number from 0 to 2^64 - 1"
            ),
            "chance": Key(lambda value: value == "outside", 'the word "outside"'),
            "orders": Key(_orders, "an object: zone, then its keys, then a list of ids, top first"),
            "tokenwise": TOKENWISE,
            "lang": LANG,
        },
        "load": {
            "position": Key(lambda value: isinstance(value, dict), "a saved position", required=True),
            "game": GAME,
            "variants": VARIANTS,
            "tokenwise": TOKENWISE,
            "lang": LANG,
        },
        "save": {},
        "state": {},
        "legal": {
            "seat": Key(SEAT.holds, SEAT.what),
            "form": Key(lambda value: value in ("text", "data"), '"text" or "data"'),
        },
        "apply": {"seat": SEAT, "action": ACTION},
        "view": {
            "seat": Key(lambda value: value is None or SEAT.holds(value), "a seat, or null for a spectator", True)
        },
        "why_not": {"seat": SEAT, "action": ACTION, "lang": LANG},
        "chance": {"outcomes": Key(_texts, "a list of outcomes by their ids")},
        "result": {},
        "measures": {},
        "quit": {},
    }
)


def read(line: bytes) -> dict[str, Any]:
    """The checked request in a line; raises `Refused`."""
    try:
        data = json.loads(
            line.decode("utf-8"), object_pairs_hook=_once, parse_float=_number, parse_constant=_no_constant
        )
    except Refused:
        raise
    except UnicodeDecodeError:
        raise Refused("malformed", "the line is no UTF-8") from None
    except RecursionError:
        raise Refused("malformed", "the line is nested too deeply") from None
    except ValueError as error:
        raise Refused("malformed", f"the line is no JSON: {error}") from None
    if not isinstance(data, dict):
        raise Refused("malformed", "a request is a JSON object")
    return data


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Refused("malformed", "a key stands twice in the line")
    return found


def _number(text: str) -> int | float:
    """A number with a point or an exponent; `2.0` is the whole number 2, as JSON Schema has it."""
    value = float(text)
    if abs(value) == inf:
        raise Refused("malformed", f"{text[:40]} is too large a number")
    if not value.is_integer() or abs(value) > limits.MAX_PROTOCOL_INTEGER:
        return value
    exact = Decimal(text)  # a float cannot tell large numbers apart
    return int(exact) if exact == exact.to_integral_value() else value


def _no_constant(name: str) -> None:
    raise Refused("malformed", f"{name} is no JSON")


def checked(data: dict[str, Any]) -> None:
    """Raises `Refused` when a request lacks a key, has one too many, or a wrong value under one."""
    do = data.get("do")
    if not isinstance(do, str):
        raise Refused("malformed", f'a request says what to do: {{"do": …}}, one of {", ".join(REQUESTS)}')
    if do not in REQUESTS:
        hint = nearest(do, REQUESTS).replace("`", "")
        there = f"{hint}; there are: " if hint else "there are: "
        raise Refused("unknown-request", f"there is no request {do[:40]!r}: {there}{', '.join(REQUESTS)}")
    keys, to = REQUESTS[do], addressee(data)
    for name in data:
        if name not in keys and name not in ("do", "id"):
            hint = nearest(name, keys).replace("`", "")
            more = f" ({hint})" if hint else f"; it has: {', '.join(('id', *keys))}"
            raise Refused("unknown-key", f"the request {do!r} has no key {name[:40]!r}{more}", to)
    if "id" in data and not (_whole(data["id"]) or (_text(data["id"]) and len(data["id"]) <= limits.MAX_ID_LENGTH)):
        raise Refused(
            "wrong-value", f"id must be a whole number or a text of up to {limits.MAX_ID_LENGTH} characters", to
        )
    for name, key in keys.items():
        if name not in data:
            if key.required:
                raise Refused("missing-key", f"the request {do!r} needs {name!r}: {key.what}", to)
        elif not key.holds(data[name]):
            raise Refused("wrong-value", f"{name} must be {key.what}", to)


def addressee(data: dict[str, Any]) -> int | str:
    """Whom the answer to a request is for: the seat that it names, or the referee."""
    seat = data.get("seat")
    if data.get("do") in ("legal", "apply", "why_not", "view") and isinstance(seat, int) and SEAT.holds(seat):
        return seat
    return "all" if data.get("do") in ("view", "state", "result") else "referee"


__all__ = ["REQUESTS", "Refused", "addressee", "checked", "read"]

"""The seal of a saved position: whether it is as this program wrote it.

In: a saved position as JSON data. Out: a short digest of everything else in it. A position whose seal fits is one that
a game has reached; it is taken without a trial, so that a game also goes on where its rules fail some decisions later.
The seal is no secret and protects nothing: whoever wants to can compute it anew after a change. It only tells a file
that came back unchanged from one that somebody edited, or that got damaged.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Final

SEAL_DIGITS: Final = 16


def position_seal(data: Mapping[str, object]) -> str:
    """The first hexadecimal digits of the SHA-256 of all but the seal, as JSON with sorted keys and without spaces."""
    rest = {key: value for key, value in data.items() if key != "seal"}
    canonical = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()[:SEAL_DIGITS]


def has_own_seal(data: Mapping[str, object]) -> bool:
    """Whether a position carries the seal of what it holds."""
    return data.get("seal") == position_seal(data)


__all__ = ["has_own_seal", "position_seal"]

"""Where the shipped games, variants and schemas are kept.

In: which kind of folder. Out: its path, inside an installed package or in a checkout.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal


def bundle_folder(kind: Literal["rules", "variants", "schemas"]) -> Path:
    """The folder packed into the package if it is there, else the checkout's, beside `pyproject.toml`."""
    # importlib.resources would give the same path and cost every command twenty milliseconds to start
    package = Path(__file__).resolve().parent
    packed = package / "_bundle" / kind
    if packed.is_dir():
        return packed
    checkout = package.parent.parent
    if (checkout / "pyproject.toml").is_file() and (checkout / kind).is_dir():
        return checkout / kind
    raise FileNotFoundError(
        f"The folder {kind!r} is neither packed into the package (at {packed}) nor in a checkout around it."
    )


__all__ = ["bundle_folder"]

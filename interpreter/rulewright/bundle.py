"""Where the shipped games, variants and schemas are.

In: a kind of data. Out: the path of its folder, inside an installed package or in a checkout.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

from rulewright.errors import RulewrightError, quote


class MissingBundleError(RulewrightError, FileNotFoundError):
    """A folder of shipped data that is neither in the package nor in a checkout around it."""


@cache
def bundle_folder(kind: Literal["rules", "variants", "schemas"]) -> Path:
    """The folder inside the package if it exists, else the one next to `pyproject.toml` in the checkout.

    Raises `MissingBundleError` when there is neither.
    """
    # importlib.resources would give the same path but add twenty milliseconds to the start of every command
    package = Path(__file__).resolve().parent
    bundled = package / "_bundle" / kind
    if bundled.is_dir():
        return bundled
    checkout = package.parent.parent
    if (checkout / "pyproject.toml").is_file() and (checkout / kind).is_dir():
        return checkout / kind
    raise MissingBundleError(f"no folder {quote(kind)} in the package ({bundled}) or in a checkout around it")


__all__ = ["MissingBundleError", "bundle_folder"]

"""`lazy_pattern`: a regular expression that is compiled when it is first used.

In: what `re.compile` takes. Out: what stands for the compiled pattern. A command uses some twenty of the two hundred
that its modules know; most are for what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

compile_now: Final = re.compile

if TYPE_CHECKING:
    lazy_pattern = re.compile
else:

    class lazy_pattern:  # noqa: N801  # it is called where a function would be
        """Has the methods of the compiled pattern, each from its first use on; it is no `re.Pattern` by itself, so that
        functions of `re` do not take it, and has no copies and no pickles.
        """

        def __init__(self, text: str, flags: int = 0) -> None:
            self._text, self._flags = text, flags

        def __getattr__(self, name: str) -> Any:  # what is not there yet
            if name.startswith("_"):
                raise AttributeError(name)
            found = self.__dict__[name] = getattr(compile_now(self._text, self._flags), name)
            return found


@contextmanager
def patterns_compiled_later() -> Iterator[None]:
    """While modules of others are imported their patterns are lazy, too: PyYAML has one of all characters, for a parser
    in Python that is hardly ever used, and to compile it took a twentieth of a first check of a variant.
    """
    before, re.compile = re.compile, lazy_pattern
    try:
        yield
    finally:
        re.compile = before


__all__ = ["lazy_pattern", "patterns_compiled_later"]

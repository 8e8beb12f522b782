"""Calls within a module of machine code in which nobody keeps registers for the one who called.

In: a module in LLVM's text form. Out: the same module; functions that only it calls take more numbers in registers and
save none on entry, most of which would be saved for nothing. What is called from outside and
from within gets a second name within. The finished text is changed: a dozen modules print functions and calls, and only
all of them together show which function is called from within.
"""

from __future__ import annotations

import re
from typing import Final

from rulewright.lazy_pattern import lazy_pattern

CONVENTION: Final = "preserve_nonecc"
FIRST_VERSION: Final = (20,)  # of LLVM, that has it for certain
_NAME: Final = r'@"?([\w.$-]+)"?\('
# both begin with plain letters, which are found ten times as fast as the beginning of a word or line
_DEFINED: Final = lazy_pattern(rf"define (?<=\ndefine )(internal )?([^@\n]*?){_NAME}(.*)\) #0 \{{$", re.MULTILINE)
_CALLED: Final = lazy_pattern(rf"call (?<!\wcall )([^@\n=]*?){_NAME}")
_NOTHING: Final = "void "


def with_own_calls(text: str) -> str:
    """The module with calls of its own."""
    defined = {match[3]: match for match in _DEFINED.finditer(text)}
    called = {match[2] for match in _CALLED.finditer(text)}
    entries = [match for name, match in defined.items() if not match[1] and name in called and match[2] != _NOTHING]
    outside = {match[3] for match in entries}

    def define(match: re.Match[str]) -> str:
        is_internal, type_, name, parameters = match.groups()
        if not is_internal and name not in outside:
            return match[0]
        return f'define internal {CONVENTION} {type_}@"{_inside(name, outside)}"({parameters}) #0 {{'

    def call(match: re.Match[str]) -> str:
        type_, name = match.groups()
        if name not in defined or not (defined[name][1] or name in outside):
            return match[0]
        return f'call {CONVENTION} {type_}@"{_inside(name, outside)}"('

    return "\n".join([_CALLED.sub(call, _DEFINED.sub(define, text)), *map(_entry, entries)])


def _inside(name: str, outside: set[str]) -> str:
    return f"{name}.inside" if name in outside else name


def _entry(match: re.Match[str]) -> str:
    """What is called from outside: it calls the function that has the second name."""
    _, type_, name, parameters = match.groups()
    arguments = ", ".join(f"{words[0]} {words[-1]}" for words in map(str.split, filter(None, parameters.split(","))))
    return f"""define {type_}@{name}({parameters}) #0 {{
  %result = call {CONVENTION} {type_}@"{name}.inside"({arguments})
  ret {type_}%result
}}"""


__all__ = ["CONVENTION", "FIRST_VERSION", "with_own_calls"]

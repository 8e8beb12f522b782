"""The terminal itself: colours where they can be shown, characters that it has, lines that a person types.

In: texts. Out: characters on the terminal or in a pipe; lines typed.
"""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from shutil import get_terminal_size
from typing import Final

from rich.console import Console
from rich.text import Text

from rulewright import limits
from rulewright.terminal.width import DEFAULT_WIDTH, terminal_width

DEFAULT_HEIGHT: Final = 24
ASCII_FORMS: Final = str.maketrans(
    {
        "─": "-", "│": "|", "┼": "+", "├": "+", "┤": "+", "┬": "+", "┴": "+", "╭": "+", "╮": "+", "╰": "+", "╯": "+",
        "…": "...", "→": "->", "–": "-", "—": "-", "·": "-", "’": "'", "«": '"', "»": '"', "\u00a0": " ", "\u202f": " ",
        "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ß": "ss", "−": "-", "×": "x", "≥": ">=", "≤": "<=",
    }
)  # fmt: skip
PROBE_CHARS: Final = "╭│…●⌂"
CLEAR_SEQUENCE: Final = "\033[H\033[2J\033[3J"
ERASE_LINE: Final = "\r\033[K"


def to_ascii(text: str) -> str:
    """A text in ASCII: lines and symbols replaced by what resembles them, letters without their accents."""
    parts = unicodedata.normalize("NFKD", text.translate(ASCII_FORMS))
    return "".join(char if ord(char) < 128 else "?" for char in parts if not unicodedata.combining(char))


def is_ascii_only() -> bool:
    """Whether only ASCII can be shown: by the encoding of the output, or the locale `C`."""
    locale = next((os.environ[name] for name in ("LC_ALL", "LC_CTYPE", "LANG") if os.environ.get(name)), "")
    if locale.startswith("C.") and os.environ.get("LANG") in ("C", "POSIX") and not os.environ.get("LC_ALL"):
        locale = "C"  # Python itself has set LC_CTYPE
    if locale in ("C", "POSIX"):
        return True
    try:
        PROBE_CHARS.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeError, LookupError):
        return True
    return False


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Raised for the command to handle, which the library would not do."""
        raise BrokenPipeError


class Screen:
    """A terminal, or a pipe. `ascii_only`: show nothing but ASCII; `colours`: show colours where possible."""

    def __init__(self, *, ascii_only: bool = False, colours: bool = True) -> None:
        self.is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        self.is_ascii = ascii_only or is_ascii_only()
        self._console = _Console(
            color_system="auto" if colours else None,
            width=limits.UNLIMITED_COLUMNS,
            height=limits.UNLIMITED_LINES,
            highlight=False,
            markup=False,
            emoji=False,
        )
        if self.is_terminal:  # where there is readline, `input` uses it as soon as it is imported
            with suppress(ImportError):
                import_module("readline")

    @property
    def width(self) -> int:
        """Columns of the terminal."""
        return terminal_width()

    @property
    def height(self) -> int:
        """Lines of the terminal."""
        return max(limits.MIN_SCREEN_LINES, get_terminal_size((DEFAULT_WIDTH, DEFAULT_HEIGHT)).lines)

    def print_lines(self, lines: Iterable[str | Text]) -> None:
        """Shows lines."""
        for line in lines:
            text = Text(line) if isinstance(line, str) else line
            self._console.print(self._shown(text), soft_wrap=True)

    def print(self, *lines: str | Text) -> None:
        """Shows lines."""
        self.print_lines(lines)

    def _shown(self, text: Text) -> Text:
        if not self.is_ascii or text.plain.isascii():
            return text
        return Text().join(Text(to_ascii(part.plain), _style(part)) for part in _runs(text))

    @contextmanager
    def notice(self, text: str) -> Iterator[None]:
        """Shows a text while something takes its time, on a terminal only; what is typed meanwhile is meant for nothing
        that is on the screen, and is discarded. Input from a pipe is never dropped.
        """
        if not self.is_terminal:
            yield
            return
        print(to_ascii(text) if self.is_ascii else text, end="", flush=True)
        try:
            yield
        finally:
            print(ERASE_LINE, end="", flush=True)
            _discard_typed()

    def ask(self, prompt: str) -> str:
        """The line that is typed at a prompt; raises `EOFError` when the input has ended."""
        prompt = to_ascii(prompt) if self.is_ascii else prompt
        if self.is_terminal:  # with line editing
            return input(prompt)
        print(prompt, end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line

    def clear(self) -> None:
        """Clears the screen and the history of typed lines for the next player."""
        print(CLEAR_SEQUENCE if self.is_terminal else "\n" * 3, end="")
        readline = sys.modules.get("readline")
        if readline is not None:
            readline.clear_history()


def _discard_typed() -> None:
    """Drops what was typed and not read, where the system can."""
    with suppress(ImportError, OSError, ValueError):
        termios = import_module("termios")
        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)


def _runs(text: Text) -> Iterable[Text]:
    """The parts of a text that have one style each."""
    ends = sorted({0, len(text), *(span.start for span in text.spans), *(span.end for span in text.spans)})
    return text.divide(ends[1:-1]) if len(ends) > 2 else [text]


def _style(part: Text) -> str:
    styles = [str(span.style) for span in part.spans if span.start == 0 and span.end >= len(part)]
    return " ".join([str(part.style), *styles]).strip()


__all__ = ["CLEAR_SEQUENCE", "Screen", "to_ascii"]

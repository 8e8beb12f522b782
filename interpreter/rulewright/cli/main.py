"""The command `rulewright`: the first word says what to do, and what goes wrong ends in a sentence, not a traceback.

In: arguments. Out: the exit status: 0 fine, 1 findings or failures, 2 wrong use, or a file that cannot be read or
written, 3 our own fault, 130 stopped from the keyboard.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rulewright import __version__

if TYPE_CHECKING:
    from typing import TextIO

    from rulewright.diagnostics import Diagnostics

FINE: Final = 0
FINDINGS: Final = 1
WRONG_USE: Final = 2
OUR_FAULT: Final = 3
INTERRUPTED: Final = 130
UNREADABLE: Final = "unreadable-file"
TRACEBACK_VARIABLE: Final = "RULEWRIGHT_TRACEBACK"  # set it to see where a fault of ours comes from


def main(argv: Sequence[str] | None = None) -> int:
    """Carries out a command line (default: that of the process) and returns the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    if not _streams():
        _say("rulewright: the output is closed, so nothing can be said there")
        return WRONG_USE
    status = FINE
    try:
        status = _carried_out(words)
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # whoever read our output has seen enough
        _silence(sys.stdout)
        return FINE
    except KeyboardInterrupt:
        _say("\nStopped.")
        return INTERRUPTED
    except OSError as fault:  # the output takes no more
        _silence(sys.stdout)
        if status != WRONG_USE:  # else it was said already
            _say(f"rulewright: the output cannot be written: {(fault.strerror or str(fault)).lower()}")
        return WRONG_USE


def _streams() -> bool:
    """Makes the streams ready: what cannot be encoded or decoded is replaced, and a closed input is one that has ended.

    False when the output is closed.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 (it stays open to the end)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    return sys.stdout is not None


def _silence(stream: TextIO) -> None:
    """What is still buffered must not fail again when the process ends."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except (OSError, ValueError):  # a stream without a file, in a test
        return


def _carried_out(words: list[str]) -> int:
    if words == ["--version"]:  # before anything is imported
        print(f"rulewright {__version__}")
        return FINE
    from rulewright.cli.subcommands import build_parser

    try:
        wish = build_parser().parse_args(words)
    except SystemExit as end:  # after --help, or a wrong argument that argparse has told about
        return end.code if isinstance(end.code, int) else WRONG_USE
    if wish.command is None:
        _say(build_parser().format_help().rstrip())
        return WRONG_USE
    from importlib import import_module

    try:
        status = import_module(f"rulewright.cli.{wish.module}").run(wish)
        assert isinstance(status, int)
        return status
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except Exception as fault:
        try:
            return _told(fault)
        except ImportError as second:  # a broken installation
            return _our_fault(second)


def _told(fault: Exception) -> int:
    """Says what went wrong on stderr and returns the exit status."""
    from rulewright.diagnostics import RulesError
    from rulewright.engine.position_json import InvalidPosition
    from rulewright.engine.reference.choice_domains import TooManyAnswersError
    from rulewright.engine.reference.reference_engine import RuleFault
    from rulewright.errors import UsageError
    from rulewright.model.loader import NotFound

    match fault:
        case UsageError() | NotFound():
            _say(f"rulewright: {fault}")
            return WRONG_USE
        case InvalidPosition():
            _say(f"rulewright: this is no position to go on from: {fault}")
            return WRONG_USE
        case RulesError(diagnostics=diagnostics):
            return _unusable(diagnostics)
        case RuleFault():
            _say(f"rulewright: the rules ask for the impossible: {fault}")
            return FINDINGS
        case TooManyAnswersError():
            _say("rulewright: a choice of these rules has more answers than can be listed; try --tokenwise or a limit")
            return FINDINGS
        case OSError():
            what = f"{fault.filename}: " if fault.filename else ""
            _say(f"rulewright: {what}{(fault.strerror or str(fault)).lower()}")
            return WRONG_USE
        case _:
            return _our_fault(fault)


def _unusable(diagnostics: Diagnostics) -> int:
    from rulewright.diagnostics import order_for_printing, render_full
    from rulewright.model.codes import PLAYERS

    if all(one.code is PLAYERS for one in diagnostics):  # the rules are right; it is the wish that does not fit
        _say("\n".join(f"rulewright: {one.message}" for one in diagnostics))
        return WRONG_USE
    _say("\n\n".join(map(render_full, order_for_printing(diagnostics))))
    others = len(diagnostics) - diagnostics.error_count
    count = f"{diagnostics.error_count} {'error' if diagnostics.error_count == 1 else 'errors'}"
    beside = f" and {others} {'warning' if others == 1 else 'warnings'}" if others else ""
    _say(f"rulewright: these rules cannot be used: {count}{beside}")
    return WRONG_USE if any(one.code.name == UNREADABLE for one in diagnostics) else FINDINGS


def _our_fault(fault: Exception) -> int:
    import traceback

    if os.environ.get(TRACEBACK_VARIABLE):
        traceback.print_exception(fault)
    frames = traceback.extract_tb(fault.__traceback__)
    where = f" at {os.path.basename(frames[-1].filename)}:{frames[-1].lineno}" if frames else ""
    what = " ".join(f"{type(fault).__name__}: {fault}".split())[:300]
    _say(f"rulewright: this is a fault of the program, not yours: {what}{where}")
    _say(
        f"Please report it with this line, the command and the rules: rulewright {__version__}, "
        f"Python {sys.version.split()[0]}, {sys.platform}; {TRACEBACK_VARIABLE}=1 shows where it comes from."
    )
    return OUR_FAULT


def _say(text: str) -> None:
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:  # there is nobody left to tell
        _silence(sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
